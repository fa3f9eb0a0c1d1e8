/* The motion of a run read back from its directory: bodies, links, contacts. */
#include "report/motion.h"

#include "support/io_error.h"
#include "tables/csv.h"
#include "tables/recording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- bodies */

enum { USUAL_FRAMES = 200, POSE_PARTS = 7 };

static fender_status refuse(fender_error *error, const char *path, int line, const char *found, const char *expected)
{
    return FND_IO_FAIL(error, .status = FENDER_STATUS_PARSE, .source = path, .line = line,
                       .message = "replay.csv does not match the scenario of the run", .found = found,
                       .expected = expected, .suggestion = "run the scenario again");
}

static char *path_in(const fender_allocator *allocator, const char *directory, const char *name, size_t *size)
{
    *size = strlen(directory) + strlen(name) + 2;
    char *path = allocator->allocate(allocator->ctx, *size, 1);
    if (path) snprintf(path, *size, "%s/%s", directory, name);
    return path;
}

/* The time, then seven columns of each body in order. */
static fender_status check_columns(const fnd_motion_record *m, const char *path, const fender_recording_table *table,
                                   fender_error *error)
{
    static const char *const parts[POSE_PARTS] = {"position.x [m]", "position.y [m]", "position.z [m]", "attitude.w",
                                                  "attitude.x",     "attitude.y",     "attitude.z"};
    for (int i = 0; i < m->body_count * POSE_PARTS; i++) {
        char expected[200], found[200] = "the end of the line";
        const fender_recording_column *column = i + 1 < table->column_count ? &table->columns[i + 1] : NULL;
        snprintf(expected, sizeof expected, "%.120s.%s",
                 fender_body_name(m->world, fender_body_at(m->world, i / POSE_PARTS)), parts[i % POSE_PARTS]);
        if (column)
            snprintf(found, sizeof found, "%.150s%s%.30s%s", column->name, column->unit[0] ? " [" : "", column->unit,
                     column->unit[0] ? "]" : "");
        if (strcmp(found, expected) != 0) return refuse(error, path, 1, found, expected);
    }
    if (table->column_count == m->body_count * POSE_PARTS + 1) return FENDER_STATUS_OK;
    return refuse(error, path, 1, "more columns", "seven for each body of the scenario");
}

/* rad; by the chord between the quaternions, which is 3 % less at 90 degrees. */
static double turn_between(const fender_recording_table *table, int body, size_t row)
{
    double with = 0, against = 0; /* both have the same attitude */
    for (int k = 3; k < POSE_PARTS; k++) {
        const double *values = table->columns[1 + body * POSE_PARTS + k].values;
        if (!values) return 0;
        const double less = values[row] - values[row - 1], more = values[row] + values[row - 1];
        with += less * less;
        against += more * more;
    }
    return 2 * sqrt(with < against ? with : against);
}

/* Most by which a body turns within `stride` rows. */
static void find_turn(fnd_motion_record *m, const fender_recording_table *table, size_t stride)
{
    for (int body = 0; body < m->body_count; body++) {
        double turn = 0;
        for (size_t row = 1; row < table->row_count; row++) {
            turn += turn_between(table, body, row);
            if (row > stride) turn -= turn_between(table, body, row - stride);
            if (!(turn > m->turn)) continue;
            m->turn = turn;
            m->turning = body;
        }
    }
}

/* `frames` rows, spread evenly, the last among them. */
static fender_status take_frames(fnd_motion_record *m, const char *path, const fender_recording_table *table,
                                 int frames, fender_error *error)
{
    const size_t wanted = (size_t)(frames > 0 ? frames : USUAL_FRAMES), rows = table->row_count;
    fender_status status = check_columns(m, path, table, error);
    if (status != FENDER_STATUS_OK) return status;
    if (rows < 1) return refuse(error, path, 2, "no states", "at least one row");
    m->frame_count = (int)(rows < wanted ? rows : wanted);
    m->times = FND_ARENA_NEW_ARRAY(&m->arena, double, (size_t)m->frame_count);
    m->poses = FND_ARENA_NEW_ARRAY(&m->arena, fender_pose, (size_t)m->frame_count * (size_t)m->body_count + 1);
    if (!m->times || !m->poses) return fnd_io_fail_memory(error, "the motion of a run");
    for (int i = 0; i < m->frame_count; i++) {
        const size_t row = m->frame_count > 1 ? (size_t)i * (rows - 1) / (size_t)(m->frame_count - 1) : rows - 1;
        m->times[i] = table->columns[0].values[row];
        if (!isfinite(m->times[i]))
            return refuse(error, path, (int)row + 2, "a time that is not finite", "finite numbers");
        for (int body = 0; body < m->body_count; body++) {
            double v[POSE_PARTS];
            for (int k = 0; k < POSE_PARTS; k++) {
                const double *values = table->columns[1 + body * POSE_PARTS + k].values;
                v[k] = values ? values[row] : NAN;
                if (!isfinite(v[k]))
                    return refuse(error, path, (int)row + 2, values ? "a number that is not finite" : "words",
                                  "finite numbers");
            }
            m->poses[(ptrdiff_t)i * m->body_count + body] = (fender_pose){.p = {v[0], v[1], v[2]},
                                                                          .q = {v[3], v[4], v[5], v[6]}};
        }
    }
    m->row_count = (int)rows;
    if (m->frame_count > 1) find_turn(m, table, (rows - 2) / (size_t)(m->frame_count - 1) + 1);
    return FENDER_STATUS_OK;
}

static void find_extent(fnd_motion_record *m)
{
    m->extent = 1;
    for (int i = 0; i < m->frame_count * m->body_count; i++) {
        const fender_vec3 d = fender_vec3_sub(m->poses[i].p, m->poses[0].p);
        const double sizes[3] = {fabs(d.x), fabs(d.y), fabs(d.z)};
        for (int k = 0; k < 3; k++)
            if (sizes[k] > m->extent) m->extent = sizes[k];
    }
}

void fnd_motion_close(fnd_motion_record *m)
{
    fender_world_destroy(m->world);
    fender_scenario_destroy(m->scenario);
    fnd_arena_close(&m->arena);
    memset(m, 0, sizeof *m);
}

bool fnd_motion_is_still(const fnd_motion_record *m, int body)
{
    for (int i = 1; i < m->frame_count; i++)
        if (memcmp(fnd_motion_pose(m, i, body), fnd_motion_pose(m, 0, body), sizeof(fender_pose)) != 0) return false;
    return true;
}

/* ---- links */

static int body_of(const fnd_motion_record *m, fender_body_id id)
{
    for (int i = 0; i < m->body_count; i++)
        if (fender_body_at(m->world, i).index1 == id.index1) return i;
    return 0;
}

/* The first frame at `time` or later; frame_count: there is none. */
static int frame_at(const fnd_motion_record *m, double time)
{
    int frame = 0;
    while (frame < m->frame_count && m->times[frame] < time) frame++;
    return frame;
}

static fender_status follow_events(fnd_motion_record *m, fnd_rows *rows, fender_error *error)
{
    while (fnd_rows_next(rows)) {
        const bool catches = fnd_rows_says(rows, 1, "capture");
        if (!catches && !fnd_rows_says(rows, 1, "break") && !fnd_rows_says(rows, 1, "spent")) continue;
        for (int i = 0; i < m->link_count; i++) {
            if (!fnd_rows_says(rows, 2, m->links[i].name)) continue;
            double time;
            fender_status status = fnd_rows_numbers(rows, 0, 1, &time, error);
            if (status != FENDER_STATUS_OK) return status;
            int *frame = catches ? &m->links[i].first : &m->links[i].frame_end;
            const int here = frame_at(m, time);
            if (here < *frame) *frame = here;
        }
    }
    return FENDER_STATUS_OK;
}

static fender_status motion_read_links(fnd_motion_record *m, const char *run_directory, fender_error *error)
{
    const int count = fender_link_count(m->world);
    if (count == 0) return FENDER_STATUS_OK;
    m->links = FND_ARENA_NEW_ARRAY(&m->arena, fnd_motion_link, (size_t)count);
    if (!m->links) return fnd_io_fail_memory(error, "the links of a run");
    for (; m->link_count < count; m->link_count++) {
        fnd_motion_link *link = &m->links[m->link_count];
        const fender_link_id id = fender_link_at(m->world, m->link_count);
        fender_link_def def;
        fender_status status = fender_link_get_def(m->world, id, &def);
        if (status != FENDER_STATUS_OK) return status;
        *link = (fnd_motion_link){.name = fender_link_name(m->world, id), .frame_end = m->frame_count};
        for (int i = 0; i < 2; i++) {
            fender_body_id body;
            fender_pose X_SP;
            status = fender_point_get(m->world, i == 0 ? def.a : def.b, &body, NULL, &X_SP);
            if (status != FENDER_STATUS_OK) return status;
            link->body[i] = body_of(m, body);
            link->end[i] = X_SP.p;
        }
        /* an open latch is no more than two points */
        if (def.law == FENDER_LINK_LATCH) link->first = m->frame_count;
    }
    fnd_rows rows;
    fender_status status = fnd_rows_open(&rows, &m->env.allocator, run_directory, "events.csv",
                                         "time [s],event,contact,", error);
    if (status != FENDER_STATUS_OK) return status;
    status = follow_events(m, &rows, error);
    fnd_rows_close(&rows);
    return status;
}

fender_vec3 fnd_motion_link_end(const fnd_motion_record *m, int frame, const fnd_motion_link *link, int end)
{
    const fender_pose *X = fnd_motion_pose(m, frame, link->body[end]);
    return fender_vec3_add(X->p, fender_quaternion_rotate(X->q, link->end[end]));
}

/* ---- contacts */

static const char head[] = "time [s],contact,depth [m],normal_force [N],friction_force [N],point.x [m],point.y [m],"
                           "point.z [m],force.x [N],force.y [N],force.z [N]\n";
enum { NUMBERS = 9 };

/* The frame of the row's time, from `from` on; frame_count: it is of none. */
static fender_status find_frame(const fnd_motion_record *m, const fnd_rows *rows, int *from, bool *found,
                                fender_error *error)
{
    double time;
    fender_status status = fnd_rows_numbers(rows, 0, 1, &time, error);
    while (status == FENDER_STATUS_OK && *from < m->frame_count && m->times[*from] < time) ++*from;
    *found = status == FENDER_STATUS_OK && *from < m->frame_count && m->times[*from] == time;
    return status;
}

/* Its number, a new one if it is new; -1 without memory. Rows come in the same order at every frame: the search begins
 * behind the pair of the row before. */
static int pair_of(fnd_motion_record *m, const fnd_rows *rows, int before, int *capacity)
{
    for (int i = 0; i < m->pair_count; i++) {
        const int pair = (before + 1 + i) % m->pair_count;
        if (fnd_rows_says(rows, 1, m->pairs[pair])) return pair;
    }
    if (m->pair_count == *capacity) {
        const int more = *capacity > 0 ? 2 * *capacity : 16;
        const char **names = FND_ARENA_NEW_ARRAY(&m->arena, const char *, (size_t)more);
        if (!names) return -1;
        if (m->pair_count > 0) memcpy(names, m->pairs, (size_t)m->pair_count * sizeof *names);
        m->pairs = names;
        *capacity = more;
    }
    m->pairs[m->pair_count] = fnd_arena_copy(&m->arena, rows->cells[1], rows->lengths[1]);
    return m->pairs[m->pair_count] ? m->pair_count++ : -1;
}

/* Rows of the events at a state stand before those of the whole state, where both were written: they say the same. */
static size_t without_repeated(fnd_motion_contact *contacts, size_t count)
{
    size_t first = 0;
    for (; first < count; first++) {
        bool again = false;
        for (size_t i = first + 1; i < count && !again; i++) again = contacts[i].pair == contacts[first].pair;
        if (!again) break;
    }
    if (first > 0) memmove(contacts, contacts + first, (count - first) * sizeof *contacts);
    return count - first;
}

static fender_status take_rows(fnd_motion_record *m, fnd_rows *rows, fender_error *error)
{
    size_t count = 0, begin = 0;
    int frame = 0, filled = 0, pair = -1, capacity = 0;
    bool found;
    while (fnd_rows_next(rows)) {
        fender_status status = find_frame(m, rows, &frame, &found, error);
        if (status != FENDER_STATUS_OK) return status;
        count += found;
    }
    m->contacts = FND_ARENA_NEW_ARRAY(&m->arena, fnd_motion_contact, count + 1);
    m->contact_from = FND_ARENA_NEW_ARRAY(&m->arena, size_t, (size_t)m->frame_count + 1);
    if (!m->contacts || !m->contact_from) return fnd_io_fail_memory(error, "the contacts of a run");
    fnd_rows_rewind(rows);
    frame = 0;
    count = 0;
    while (fnd_rows_next(rows)) {
        double v[NUMBERS];
        fender_status status = find_frame(m, rows, &frame, &found, error);
        if (status == FENDER_STATUS_OK && !found) continue;
        if (status == FENDER_STATUS_OK) status = fnd_rows_numbers(rows, 2, NUMBERS, v, error);
        if (status != FENDER_STATUS_OK) return status;
        for (; filled <= frame; filled++) {
            count = begin + without_repeated(m->contacts + begin, count - begin);
            begin = count;
            m->contact_from[filled] = count;
        }
        pair = pair_of(m, rows, pair, &capacity);
        if (pair < 0) return fnd_io_fail_memory(error, "the contacts of a run");
        m->contacts[count++] = (fnd_motion_contact){.pair = pair,
                                                    .depth = v[0],
                                                    .normal_force = v[1],
                                                    .friction_force = v[2],
                                                    .point = {v[3], v[4], v[5]},
                                                    .force = {v[6], v[7], v[8]}};
    }
    count = begin + without_repeated(m->contacts + begin, count - begin);
    for (; filled <= m->frame_count; filled++) m->contact_from[filled] = count;
    return FENDER_STATUS_OK;
}

/* Parts of fnd_motion_read, behind bodies and frames: links and what became of them in events.csv; the rows of
 * contacts.csv. */
static fender_status motion_read_contacts(fnd_motion_record *m, const char *run_directory, fender_error *error)
{
    fnd_rows rows;
    fender_status status = fnd_rows_open(&rows, &m->env.allocator, run_directory, "contacts.csv", head, error);
    if (status != FENDER_STATUS_OK) return status;
    status = take_rows(m, &rows, error);
    fnd_rows_close(&rows);
    return status;
}

fender_status fnd_motion_read(const fender_env *env, const char *run_directory, int frames, fnd_motion_record *m,
                              fender_error *error)
{
    memset(m, 0, sizeof *m);
    m->env = *env;
    m->arena = fnd_arena_open(&env->allocator, 0);
    m->scenario = fender_scenario_load_run(env, NULL, run_directory, error);
    fender_status status = m->scenario ? FENDER_STATUS_OK : error && error->status ? error->status : FENDER_STATUS_FILE;
    if (m->scenario) m->world = fender_scenario_build(m->scenario, env, error);
    if (m->scenario && !m->world) status = error && error->status ? error->status : FENDER_STATUS_VALUE;
    if (m->world) {
        size_t size;
        char *path = path_in(&env->allocator, run_directory, "replay.csv", &size);
        fnd_arena arena = fnd_arena_open(&env->allocator, 0);
        fender_recording_table table;
        m->body_count = fender_body_count(m->world);
        status = path ? fnd_recording_read(&env->allocator, path, "time", &arena, &table, error)
                      : fnd_io_fail_memory(error, "the path of a file");
        if (status == FENDER_STATUS_OK) status = take_frames(m, path, &table, frames, error);
        fnd_arena_close(&arena);
        if (path) env->allocator.release(env->allocator.ctx, path, size);
    }
    if (status == FENDER_STATUS_OK) status = motion_read_links(m, run_directory, error);
    if (status == FENDER_STATUS_OK) status = motion_read_contacts(m, run_directory, error);
    if (status == FENDER_STATUS_OK) find_extent(m);
    else fnd_motion_close(m);
    return status;
}
