/* Files for replay and verification: poses and contacts at some thousand states, hashes of the world. */
#include "run/replay.h"
#include "record/channel.h"
#include "run/directory.h"
#include "run/recording.h"
#include "support/io_error.h"
#include "support/number.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- frames */

/* ---- Rows of contacts ---- */

enum { PAIR_NAME_SIZE = 420 };

fender_status fnd_contact_rows_open(fnd_table *table, const fnd_table_location *location, const fnd_table_mark *from,
                                    fender_error *error)
{
    static const struct {
        const char *name, *unit;
    } heads[] = {{"depth", "m"},   {"normal_force", "N"}, {"friction_force", "N"}, {"point.x", "m"}, {"point.y", "m"},
                 {"point.z", "m"}, {"force.x", "N"},      {"force.y", "N"},        {"force.z", "N"}};
    size_t row_size = 10 * FND_TABLE_NUMBER_SIZE + FND_TABLE_TEXT_SIZE(PAIR_NAME_SIZE);
    fender_status status = fnd_table_open_at(table, location, row_size, from, error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_table_head(table, "time", "s");
    fnd_table_head_of_texts(table, "contact", PAIR_NAME_SIZE);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) fnd_table_head(table, heads[i].name, heads[i].unit);
    status = fnd_table_end_header(table, error);
    if (status != FENDER_STATUS_OK) fnd_table_close(table, NULL);
    return status;
}

static fender_status write_row(fnd_table *table, const fnd_instant *instant, const fender_contact_data *contact,
                               fender_error *error)
{
    char pair[PAIR_NAME_SIZE];
    fnd_contact_name(instant->world, contact->a, contact->b, contact->feature, pair, sizeof pair);
    fnd_table_number(table, instant->time);
    fnd_table_text(table, pair);
    fnd_table_number(table, contact->depth);
    fnd_table_number(table, contact->normal_force);
    fnd_table_number(table, contact->friction_force);
    fnd_table_number(table, contact->point.x);
    fnd_table_number(table, contact->point.y);
    fnd_table_number(table, contact->point.z);
    fnd_table_number(table, contact->force.x);
    fnd_table_number(table, contact->force.y);
    fnd_table_number(table, contact->force.z);
    return fnd_table_end_row(table, error);
}

static bool same_pair(fender_shape_id a, fender_shape_id b, fender_shape_id c, fender_shape_id d)
{
    return a.index1 == c.index1 && b.index1 == d.index1;
}

static bool show_contact(const fnd_instant *instant, int index, fender_contact_data *contact)
{
    return fender_contact_at(instant->world, FENDER_CLOCK_COMMITTED, index, contact) == FENDER_STATUS_OK;
}

fender_status fnd_contact_rows_write(fnd_table *table, const fnd_instant *instant, const fender_contact_type_id *type,
                                     int64_t limit, fender_error *error)
{
    int count = fender_contact_count(instant->world, FENDER_CLOCK_COMMITTED);
    fender_contact_data contacts[2], *contact = &contacts[0], *next = &contacts[1];
    fender_shape_id last_a = {0}, last_b = {0};
    bool points = false, known = show_contact(instant, 0, contact);
    for (int i = 0; i < count && table->rows < limit; i++) {
        const bool more = show_contact(instant, i + 1, next);
        bool wanted = known && (!type || contact->type.index1 == type->index1);
        if (wanted && !same_pair(contact->a, contact->b, last_a, last_b)) {
            last_a = contact->a;
            last_b = contact->b;
            points = fnd_pair_point_count(instant->world, last_a, last_b) > 0;
            const bool alone = !contact->has_pair_events && !(more && same_pair(last_a, last_b, next->a, next->b));
            if (!points && !alone)
                wanted = fender_contact_between(instant->world, last_a, last_b, contact) == FENDER_STATUS_OK;
        } else if (!points) {
            wanted = false;
        }
        fender_status status = wanted ? write_row(table, instant, contact, error) : FENDER_STATUS_OK;
        if (status != FENDER_STATUS_OK) return status;
        fender_contact_data *seen = contact;
        contact = next;
        next = seen;
        known = more;
    }
    return FENDER_STATUS_OK;
}

static bool find_point(const fender_world *world, const fender_event *event, fender_contact_data *contact)
{
    int count = fender_contact_count(world, FENDER_CLOCK_COMMITTED);
    for (int i = 0; i < count; i++)
        if (fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, contact) == FENDER_STATUS_OK &&
            same_pair(contact->a, contact->b, event->contact.a, event->contact.b) &&
            contact->feature == event->contact.feature)
            return true;
    return false;
}

/* Of the contacts to which something has happened and that still exist. */
static fender_status contact_rows_of_events(fnd_table *table, const fnd_instant *instant, fender_error *error)
{
    const fender_world *world = instant->world;
    for (int i = 0; i < instant->event_count; i++) {
        const fender_event *event = &instant->events[i];
        if (event->kind == FENDER_EVENT_END || event->subject != FENDER_SUBJECT_CONTACT) continue;
        bool points = fnd_pair_point_count(world, event->contact.a, event->contact.b) > 0, told = false;
        for (int k = 0; k < i && !told; k++)
            told = instant->events[k].subject == FENDER_SUBJECT_CONTACT &&
                   same_pair(event->contact.a, event->contact.b, instant->events[k].contact.a,
                             instant->events[k].contact.b) &&
                   instant->events[k].kind != FENDER_EVENT_END &&
                   (!points || event->contact.feature == instant->events[k].contact.feature);
        fender_contact_data contact;
        if (told ||
            !(points ? find_point(world, event, &contact)
                     : fender_contact_between(world, event->contact.a, event->contact.b, &contact) == FENDER_STATUS_OK))
            continue;
        fender_status status = write_row(table, instant, &contact, error);
        if (status != FENDER_STATUS_OK) return status;
    }
    return FENDER_STATUS_OK;
}

/* ---- Frames ---- */

/* Beyond these a page would take too long to open; contacts of large scenes can be recorded by channel instead. */
enum { FRAME_LIMIT = 2000, POSE_LIMIT = 1000000, LEAST_FRAMES = 100, CONTACT_ROW_LIMIT = 250000 };
enum { BODY_NAME_SIZE = 128 };

int64_t fnd_frames_period(int64_t steps, int body_count)
{
    assert(steps >= 0 && body_count >= 0);
    int64_t limit = FRAME_LIMIT;
    if ((int64_t)body_count * limit > POSE_LIMIT) limit = POSE_LIMIT / body_count;
    if (limit < LEAST_FRAMES) limit = LEAST_FRAMES;
    int64_t period = steps / limit + (steps % limit != 0);
    return period > 0 ? period : 1;
}

static fender_status open_replay(fnd_table *table, const fnd_table_location *location, const fender_world *world,
                                 const fnd_table_mark *from, fender_error *error)
{
    static const struct {
        const char *name, *unit;
    } parts[] = {{"position.x", "m"}, {"position.y", "m"}, {"position.z", "m"}, {"attitude.w", ""},
                 {"attitude.x", ""},  {"attitude.y", ""},  {"attitude.z", ""}};
    enum { PART_COUNT = sizeof parts / sizeof parts[0] };
    int bodies = fender_body_count(world);
    size_t head_size = FND_TABLE_TEXT_SIZE(BODY_NAME_SIZE + 20);
    fender_status status = fnd_table_open_at(table, location, ((size_t)bodies * PART_COUNT + 1) * head_size, from,
                                             error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_table_head(table, "time", "s");
    for (int i = 0; i < bodies; i++) {
        for (int k = 0; k < PART_COUNT; k++) {
            char name[BODY_NAME_SIZE + 16];
            snprintf(name, sizeof name, "%.120s.%s", fender_body_name(world, fender_body_at(world, i)), parts[k].name);
            fnd_table_head(table, name, parts[k].unit);
        }
    }
    return fnd_table_end_header(table, error);
}

fender_status fnd_frames_open(fnd_frames *frames, const fender_env *env, const fender_world *world,
                              const char *directory, int64_t period, bool go_on, fender_error *error)
{
    assert(period > 0);
    if (!go_on) *frames = (fnd_frames){.last_time = NAN};
    frames->period = period;
    fnd_table_location replay = {env, directory, FND_FILE_REPLAY, NULL},
                       contacts = {env, directory, FND_FILE_CONTACTS, NULL};
    fender_status status = open_replay(&frames->replay, &replay, world, go_on ? &frames->replay_mark : NULL, error);
    if (status == FENDER_STATUS_OK)
        status = fnd_contact_rows_open(&frames->contacts, &contacts, go_on ? &frames->contacts_mark : NULL, error);
    return status;
}

fender_status fnd_frames_sync(fnd_frames *frames, fender_error *error)
{
    fender_status status = fnd_table_sync(&frames->replay, &frames->replay_mark, error);
    return status == FENDER_STATUS_OK ? fnd_table_sync(&frames->contacts, &frames->contacts_mark, error) : status;
}

fender_status fnd_frames_close(fnd_frames *frames, fender_error *error)
{
    fender_status first = fnd_table_close(&frames->replay, error);
    fender_status second = fnd_table_close(&frames->contacts, error);
    return first != FENDER_STATUS_OK ? first : second;
}

/* ---- rows */

static fender_status write_poses(fnd_table *table, const fnd_instant *instant, fender_error *error)
{
    int bodies = fender_body_count(instant->world);
    fnd_table_number(table, instant->time);
    for (int i = 0; i < bodies; i++) {
        fender_body_state body = {.attitude = {0}};
        fender_body_get_state(instant->world, fender_body_at(instant->world, i), FENDER_CLOCK_COMMITTED, &body);
        fnd_table_number(table, body.position.x);
        fnd_table_number(table, body.position.y);
        fnd_table_number(table, body.position.z);
        fnd_table_number(table, body.attitude.w);
        fnd_table_number(table, body.attitude.x);
        fnd_table_number(table, body.attitude.y);
        fnd_table_number(table, body.attitude.z);
    }
    return fnd_table_end_row(table, error);
}

fender_status fnd_frames_follow(fnd_frames *frames, const fnd_instant *instant, bool last, fender_error *error)
{
    if (frames->last_time == instant->time) return FENDER_STATUS_OK;
    bool regular = instant->on_grid && instant->step % frames->period == 0, whole = last || regular;
    fender_status status = FENDER_STATUS_OK;
    if (whole) {
        frames->last_time = instant->time;
        status = write_poses(&frames->replay, instant, error);
    }
    if (status == FENDER_STATUS_OK && !frames->contacts_full)
        status = whole ? fnd_contact_rows_write(&frames->contacts, instant, NULL, CONTACT_ROW_LIMIT, error)
                       : contact_rows_of_events(&frames->contacts, instant, error);
    frames->contacts_full = frames->contacts.rows >= CONTACT_ROW_LIMIT;
    return status;
}

/* ---- hashes */

/* ---- writing */

fender_status fnd_hash_log_open(fnd_hash_log *log, const fender_env *env, const char *directory, int64_t period,
                                bool go_on, fender_error *error)
{
    assert(period > 0);
    fnd_table_location location = {env, directory, FND_FILE_HASHES, NULL};
    if (!go_on) *log = (fnd_hash_log){.intervals = -1, .last_time = NAN};
    log->period = period;
    fender_status status = fnd_table_open_at(&log->table, &location, 4 * FND_TABLE_NUMBER_SIZE,
                                             go_on ? &log->mark : NULL, error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_table_head(&log->table, "time", "s");
    fnd_table_head(&log->table, "step", "");
    fnd_table_head(&log->table, "hash", "");
    return fnd_table_end_header(&log->table, error);
}

fender_status fnd_hash_log_follow(fnd_hash_log *log, const fnd_instant *instant, bool last, fender_error *error)
{
    char text[32];
    int64_t intervals = instant->step / log->period;
    if (instant->time == log->last_time || (!last && intervals == log->intervals)) return FENDER_STATUS_OK;
    log->intervals = intervals;
    log->last_time = instant->time;
    fnd_table_number(&log->table, instant->time);
    fnd_table_number(&log->table, (double)instant->step);
    snprintf(text, sizeof text, "%016" PRIx64, fender_world_hash(instant->world));
    fnd_table_text(&log->table, text);
    return fnd_table_end_row(&log->table, error);
}

/* ---- comparing */

static bool read_hash(const char *text, uint64_t *hash)
{
    static const char digits[] = "0123456789abcdef";
    *hash = 0;
    for (int i = 0; i < 16; i++) {
        const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
        if (!digit) return false;
        *hash = *hash << 4 | (uint64_t)(digit - digits);
    }
    return text[16] == '\n' || text[16] == '\0';
}

/* TIME,STEP,HASH */
static bool read_row(const char *line, size_t length, fnd_hash_row *row)
{
    double step;
    size_t used;
    static const double largest = 9e15;
    const char *first = memchr(line, ',', length);
    const char *second = first ? memchr(first + 1, ',', length - (size_t)(first + 1 - line)) : NULL;
    if (!second || length - (size_t)(second + 1 - line) != 16 || !read_hash(second + 1, &row->hash)) return false;
    size_t width = (size_t)(first - line);
    if (fnd_number_read(line, width, &row->time, &used) != FND_NUMBER_OK || used != width) return false;
    width = (size_t)(second - first) - 1;
    if (fnd_number_read(first + 1, width, &step, &used) != FND_NUMBER_OK || used != width) return false;
    row->step = (int64_t)step;
    return step >= 0 && step < largest;
}

static fender_status fail_line(fender_error *error, const char *path, int line)
{
    return FND_IO_FAIL(error, .status = FENDER_STATUS_PARSE, .source = path, .line = line, .column = 1,
                       .message = "this is not a row of hashes", .expected = "time,step,hash in the order of time",
                       .suggestion = "repeat the run that wrote this directory");
}

/* A row that a killed run has left without its end is not read. */
static fender_status read_rows(fnd_hash_check *check, const fnd_file *file, const char *path, fender_error *error)
{
    const char *at = strchr(file->text, '\n');
    for (int line = 2; at; line++) {
        const char *begin = at + 1;
        at = strchr(begin, '\n');
        if (!at) break;
        fnd_hash_row *row = &check->rows[check->count];
        if (!read_row(begin, (size_t)(at - begin), row) || (check->count > 0 && row->time <= row[-1].time))
            return fail_line(error, path, line);
        check->count++;
    }
    if (check->count > 0) return FENDER_STATUS_OK;
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = path,
                       .message = "there are no hashes to compare with", .found = "a file without rows",
                       .expected = "a row for the start at least", .suggestion = "run the scenario again (fender run)");
}

fender_status fnd_hash_check_read(fnd_hash_check *check, const fender_env *env, const char *directory,
                                  fender_error *error)
{
    const fender_allocator *allocator = &env->allocator;
    size_t size;
    fnd_file file;
    memset(check, 0, sizeof *check);
    char *path = fnd_directory_path(allocator, directory, FND_FILE_HASHES, &size);
    if (!path) return fnd_io_fail_memory(error, "the path of a file");
    fender_status status = fnd_file_read(allocator, path, (size_t)256 << 20, FND_FILE_TEXT, &file, error);
    if (status == FENDER_STATUS_OK) {
        check->capacity = 1;
        for (size_t i = 0; i < file.length; i++) check->capacity += file.text[i] == '\n';
        check->rows = allocator->allocate(allocator->ctx, check->capacity * sizeof *check->rows,
                                          _Alignof(fnd_hash_row));
        status = check->rows ? read_rows(check, &file, path, error)
                             : fnd_io_fail_memory(error, "hashes to compare with");
        fnd_file_release(allocator, &file);
    }
    allocator->release(allocator->ctx, path, size);
    if (status != FENDER_STATUS_OK) fnd_hash_check_release(check, env);
    return status;
}

void fnd_hash_check_release(fnd_hash_check *check, const fender_env *env)
{
    if (check->rows) env->allocator.release(env->allocator.ctx, check->rows, check->capacity * sizeof *check->rows);
    check->rows = NULL;
    check->count = 0;
}

bool fnd_hash_check_follow(fnd_hash_check *check, const fnd_instant *instant)
{
    const fnd_hash_row *row = &check->rows[check->at];
    if (check->at < check->count && row->time <= instant->time) {
        check->differs = row->time != instant->time || row->hash != fender_world_hash(instant->world);
        if (check->differs) return false;
        check->at++;
    }
    return check->at < check->count;
}
