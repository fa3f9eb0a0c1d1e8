/* Recordings read back: a table from each file, whatever its format, what its columns are called, which of them is the
 * time; the tables of a file or a run directory, and their channels by name. */
#include "tables/recording.h"

#include "support/file.h"
#include "support/io_error.h"
#include "support/renamed.h"
#include "tables/table.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fender/units.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_LIMIT ((size_t)1 << 31)

/* ---- names */

const char *fnd_recording_trick_unit(const char *unit)
{
    if (strcmp(unit, "--") == 0 || strcmp(unit, "1") == 0) return "";
    if (strcmp(unit, "d") == 0) return "deg";
    return strcmp(unit, "r") == 0 ? "rad" : unit;
}

/* Where the bracket of the unit opens: behind a space, or behind the whole name where only round ones would do. */
static const char *unit_begin(const char *text, size_t length, char opening)
{
    for (size_t i = length; i > 1; i--)
        if (text[i - 1] == opening && text[i - 2] == ' ') return text + i;
    return NULL;
}

bool fnd_recording_name_column(fnd_arena *arena, const char *text, size_t length, fender_recording_column *column)
{
    assert(text || length == 0);
    static const char closings[] = "]})", openings[] = "[{(";
    const char *unit = NULL;
    size_t name_length = length;
    const char *closing = length > 0 ? strchr(closings, text[length - 1]) : NULL;
    if (closing && *closing) unit = unit_begin(text, length - 1, openings[closing - closings]);
    column->unit = "";
    if (unit) {
        size_t unit_length = (size_t)(text + length - 1 - unit);
        fender_unit parsed;
        bool known = fender_unit_parse(unit, unit_length, &parsed, NULL) == FENDER_STATUS_OK;
        /* round brackets may also hold a remark: "force (left)" */
        if (*closing != ')' || known) {
            const char *copy = fnd_arena_copy(arena, unit, unit_length);
            if (!copy) return false;
            column->unit = *closing == '}' || strcmp(copy, "1") == 0 || strcmp(copy, "--") == 0
                               ? fnd_recording_trick_unit(copy)
                               : copy;
            name_length = (size_t)(unit - 1 - text);
            while (name_length > 0 && text[name_length - 1] == ' ') name_length--;
        }
    }
    column->name = fnd_arena_copy(arena, text, name_length);
    return column->name != NULL;
}

/* ---- time */

static fender_status find_time(fender_recording_table *table, const char *time, fender_error *error)
{
    static const char *const usual[] = {"time", "sys.exec.out.time", "t", "Time", "TIME"};
    table->time = -1;
    for (int i = 0; time && i < table->column_count && table->time < 0; i++)
        if (strcmp(table->columns[i].name, time) == 0) table->time = i;
    for (size_t k = 0; !time && k < sizeof usual / sizeof usual[0]; k++)
        for (int i = 0; i < table->column_count && table->time < 0; i++)
            if (strcmp(table->columns[i].name, usual[k]) == 0) table->time = i;
    if (!time && table->time < 0) table->time = 0;
    if (table->time >= 0 && table->columns[table->time].values) return FENDER_STATUS_OK;
    char message[320];
    if (table->time < 0) snprintf(message, sizeof message, "the table has no column '%.200s'", time);
    else
        snprintf(message, sizeof message, "column '%.200s', taken for the time, holds words",
                 table->columns[table->time].name);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_PARSE, .source = table->file, .message = message,
                       .found = table->columns[0].name, .expected = "a column of times",
                       .suggestion = "name the column of times with --time NAME");
}

fender_status fnd_recording_check_times(const fender_recording_table *table, fender_error *error)
{
    assert(table->time >= 0 && table->time < table->column_count);
    const double *times = fender_recording_times(table);
    char message[160], found[80];
    for (size_t i = 0; i < table->row_count; i++) {
        if (isfinite(times[i]) && (i == 0 || times[i] >= times[i - 1])) continue;
        snprintf(message, sizeof message, isfinite(times[i]) ? "the time goes back in row %zu" : "row %zu has no time",
                 i + 1);
        snprintf(found, sizeof found, i > 0 ? "%.9g behind %.9g" : "%.9g", times[i], i > 0 ? times[i - 1] : 0.0);
        return FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .source = table->file, .message = message,
                           .found = found, .expected = "times in increasing order",
                           .suggestion = "sort the rows, or name the time with --time NAME");
    }
    return FENDER_STATUS_OK;
}

/* ---- one file */

/* By the first format that fits; the last one fits everything. */
static fender_status read_source(const fender_allocator *allocator, fnd_table_source *source, fnd_arena *arena,
                                 fender_recording_table *table, int *parts, fender_error *error)
{
    fnd_file content = {0};
    fender_status status = FENDER_STATUS_OK;
    const fnd_table_format *format;
    for (int i = 0; (format = fnd_table_format_at(i)) != NULL; i++) {
        if (!format->reads_file && !content.text) {
            status = fnd_file_read(allocator, source->file, FILE_LIMIT, FND_FILE_BYTES, &content, error);
            if (status != FENDER_STATUS_OK) return status;
            source->bytes = content.text;
            source->length = content.length;
        }
        if (format->fits(source)) break;
    }
    assert(format);
    status = format->read(source, arena, table, parts, error);
    if (content.text) fnd_file_release(allocator, &content);
    return status;
}

fender_status fnd_recording_read_table(const fender_allocator *allocator, const char *file, const char *time, int part,
                                       fnd_arena *arena, fender_recording_table *table, int *parts, fender_error *error)
{
    assert(part >= 0);
    memset(table, 0, sizeof *table);
    *parts = 1;
    table->file = fnd_arena_copy(arena, file, strlen(file));
    if (!table->file) return fnd_io_fail_memory(error, "the name of a table");
    fnd_table_source source = {.file = table->file, .time = time, .part = part};
    fender_status status = read_source(allocator, &source, arena, table, parts, error);
    return status == FENDER_STATUS_OK ? find_time(table, time, error) : status;
}

fender_status fnd_recording_read(const fender_allocator *allocator, const char *file, const char *time,
                                 fnd_arena *arena, fender_recording_table *table, fender_error *error)
{
    int parts;
    return fnd_recording_read_table(allocator, file, time, 0, arena, table, &parts, error);
}

/* ---- directories */

/* What a run writes by itself: lists of events and contacts are not channels, and poses have other names. */
static const char *const lists[] = {"events.csv", "contacts.csv", "episodes.csv", "hashes.csv"};
static const char replay[] = "replay.csv";

static bool is_table(const char *name)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (strcmp(name, lists[i]) == 0) return false;
    return name[0] != '.' && fnd_table_format_of_name(name) != NULL;
}

/* By name, but the poses last: a channel that a recorder has written is taken from there. */
static bool comes_before(const char *a, const char *b)
{
    bool a_last = strcmp(a, replay) == 0, b_last = strcmp(b, replay) == 0;
    return a_last != b_last ? b_last : strcmp(a, b) < 0;
}

/* The names of the tables; counts them when `names` is NULL. -1: no memory. */
static int list_tables(fnd_arena *arena, const char *directory, const char **names, int capacity)
{
    DIR *folder = opendir(directory);
    int count = 0;
    if (!folder) return errno == ENOMEM ? -1 : 0;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (!is_table(entry->d_name)) continue;
        if (!names) {
            count++;
            continue;
        }
        const char *name = fnd_arena_copy(arena, entry->d_name, strlen(entry->d_name));
        if (!name || count == capacity) break;
        int at = count++;
        for (; at > 0 && comes_before(name, names[at - 1]); at--) names[at] = names[at - 1];
        names[at] = name;
    }
    closedir(folder);
    return arena->failed ? -1 : count;
}

static fender_status fail_empty(const char *name, const char *found, fender_error *error)
{
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = name, .message = "nothing is recorded here",
                       .found = found, .expected = "a run directory with tables, or one .csv, .trk or .h5 file",
                       .suggestion = "add a `record` section to the scenario, or name a file");
}

/* ---- channels */

/* "veh1.position.x" of the poses is the channel bodies.veh1.position.x. */
static bool rename_poses(fnd_arena *arena, fender_recording_table *table)
{
    char text[400];
    for (int i = 0; i < table->column_count; i++) {
        if (i == table->time) continue;
        int length = snprintf(text, sizeof text, "bodies.%.380s", table->columns[i].name);
        table->columns[i].name = fnd_arena_copy(arena, text, (size_t)length);
        if (!table->columns[i].name) return false;
    }
    return true;
}

static void note_renamed(const fender_recording *recording, const fender_env *env, const fnd_renamed *row)
{
    char message[160];
    if (!env->report) return;
    snprintf(message, sizeof message, "'%.60s' is now '%.60s'", row->before, row->now);
    const fender_diagnostic note = {FENDER_SEVERITY_NOTE,
                                    FENDER_STATUS_OK,
                                    recording->name,
                                    0,
                                    0,
                                    0,
                                    "",
                                    message,
                                    "",
                                    "",
                                    "the old name is read as the new one"};
    env->report(env->report_ctx, &note);
}

static bool has_column(const fender_recording_table *table, const char *name)
{
    for (int i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0) return true;
    return false;
}

/* Channels that earlier versions have recorded get their present names, unless the table has both. */
static bool rename_former(fender_recording *recording, const fender_env *env)
{
    uint64_t noted = 0;
    char present[400];
    for (int i = 0; i < recording->table_count; i++) {
        fender_recording_table *table = &recording->tables[i];
        for (int k = 0; k < table->column_count; k++) {
            const char *name = table->columns[k].name;
            const fnd_renamed *row = fnd_renamed_find(FND_RENAMED_CHANNEL, name);
            if (!row || !fnd_renamed_channel(row, name, present, sizeof present) || has_column(table, present))
                continue;
            table->columns[k].name = fnd_arena_copy(recording->memory, present, strlen(present));
            if (!table->columns[k].name) return false;
            const uint64_t bit = UINT64_C(1) << fnd_renamed_number(row);
            if (!(noted & bit)) note_renamed(recording, env, row);
            noted |= bit;
        }
    }
    return true;
}

static const fender_recording_channel *find_exactly(const fender_recording *recording, const char *name)
{
    const int at = recording->names ? fnd_name_table_find(recording->names, name, strlen(name)) : -1;
    return at >= 0 ? &recording->channels[at] : NULL;
}

const fender_recording_channel *fender_recording_find(const fender_recording *recording, const char *name)
{
    char present[400];
    const fender_recording_channel *channel = find_exactly(recording, name);
    if (channel) return channel;
    const fnd_renamed *row = fnd_renamed_find(FND_RENAMED_CHANNEL, name);
    return row && fnd_renamed_channel(row, name, present, sizeof present) ? find_exactly(recording, present) : NULL;
}

fender_status fnd_recording_list_numbers(fender_recording *recording, fender_error *error)
{
    int most = 0;
    recording->channel_count = 0;
    fnd_name_table *names = FND_ARENA_NEW(recording->memory, fnd_name_table);
    recording->names = names;
    for (int i = 0; i < recording->table_count; i++) most += recording->tables[i].column_count;
    recording->channels = FND_ARENA_NEW_ARRAY(recording->memory, fender_recording_channel, (size_t)most);
    if (!recording->channels || !names) return fnd_io_fail_memory(error, "the channels of a recording");
    for (int i = 0; i < recording->table_count; i++) {
        const fender_recording_table *table = &recording->tables[i];
        for (int k = 0; k < table->column_count; k++) {
            const fender_recording_column *column = &table->columns[k];
            if (k == table->time || !column->values) continue;
            /* only a further table can have the name again, or a careless one */
            if (find_exactly(recording, column->name)) continue;
            if (!fnd_name_table_add(names, recording->memory, column->name))
                return fnd_io_fail_memory(error, "the channels of a recording");
            recording->channels[recording->channel_count++] = (fender_recording_channel){column->name, column->unit,
                                                                                         table, k};
        }
    }
    return recording->channel_count > 0 ? FENDER_STATUS_OK : fail_empty(recording->name, "no numbers", error);
}

static fender_status list_channels(fender_recording *recording, const fender_env *env, fender_error *error)
{
    if (!rename_former(recording, env)) return fnd_io_fail_memory(error, "the names of channels");
    return fnd_recording_list_numbers(recording, error);
}

/* ---- opening */

/* All tables of a file: they follow those that are there. */
static fender_status read_file(fender_recording *recording, const fender_allocator *allocator, const char *file,
                               const char *time, fender_error *error)
{
    fnd_arena *arena = recording->memory;
    int parts = 1;
    for (int part = 0; part < parts; part++) {
        if (recording->table_count == recording->table_capacity) {
            int capacity = 2 * recording->table_capacity + 4;
            fender_recording_table *tables = FND_ARENA_NEW_ARRAY(arena, fender_recording_table, (size_t)capacity);
            if (!tables) return fnd_io_fail_memory(error, "the tables of a run");
            if (recording->table_count > 0)
                memcpy(tables, recording->tables, (size_t)recording->table_count * sizeof *tables);
            recording->tables = tables;
            recording->table_capacity = capacity;
        }
        fender_status status = fnd_recording_read_table(allocator, file, time, part, arena,
                                                        &recording->tables[recording->table_count], &parts, error);
        if (status != FENDER_STATUS_OK) return status;
        recording->table_count++;
    }
    return FENDER_STATUS_OK;
}

static fender_status read_directory(fender_recording *recording, const fender_env *env, const char *time, bool poses,
                                    fender_error *error)
{
    fnd_arena *arena = recording->memory;
    int count = list_tables(arena, recording->name, NULL, 0);
    if (count < 0) return fnd_io_fail_memory(error, "the names of files");
    if (count == 0) return fail_empty(recording->name, "a directory without tables", error);
    const char **names = FND_ARENA_NEW_ARRAY(arena, const char *, (size_t)count);
    if (names) count = list_tables(arena, recording->name, names, count);
    if (count < 0) return fnd_io_fail_memory(error, "the names of files");
    if (!poses && count > 1 && !arena->failed && strcmp(names[count - 1], replay) == 0) count--;
    for (int i = 0; i < count && !arena->failed; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%.700s/%.300s", recording->name, names[i]);
        fender_status status = read_file(recording, &env->allocator, path, time, error);
        if (status != FENDER_STATUS_OK) return status;
        if (strcmp(names[i], replay) == 0 && !rename_poses(arena, &recording->tables[recording->table_count - 1]))
            break;
    }
    return arena->failed ? fnd_io_fail_memory(error, "the tables of a run") : list_channels(recording, env, error);
}

fender_status fender_recording_open(fender_recording *recording, const fender_env *env, const char *name,
                                    const char *time, bool poses, fender_error *error)
{
    struct stat about;
    memset(recording, 0, sizeof *recording);
    const fender_allocator *allocator = &env->allocator;
    recording->memory = fnd_arena_create(allocator);
    if (!recording->memory) return fnd_io_fail_memory(error, "a recording");
    recording->name = name;
    if (stat(name, &about) != 0) return fnd_system_fail(error, "open", name, errno);
    if (S_ISDIR(about.st_mode)) return read_directory(recording, env, time, poses, error);
    fender_status status = read_file(recording, allocator, name, time, error);
    return status == FENDER_STATUS_OK ? list_channels(recording, env, error) : status;
}

void fender_recording_close(fender_recording *recording)
{
    fnd_arena_destroy(recording->memory);
    memset(recording, 0, sizeof *recording);
}

/* ---- names */

/* Each * takes as little as will do; `tail` lets the text go on behind a point. */
static bool glob(const char *pattern, const char *text, bool tail)
{
    const char *star = NULL, *again = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            again = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (tail && *pattern == '\0' && *text == '.' && !strchr(text + 1, '.')) {
            return true;
        } else if (star) {
            pattern = star;
            text = ++again;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

bool fender_recording_fits(const char *pattern, const char *name)
{
    char present[400];
    if (glob(pattern, name, true)) return true;
    if (!strpbrk(pattern, ".:*")) {
        snprintf(present, sizeof present, "*:*.%.200s", pattern);
        if (glob(present, name, true)) return true;
    }
    const fnd_renamed *row = fnd_renamed_find(FND_RENAMED_CHANNEL, pattern);
    return row && fnd_renamed_channel(row, pattern, present, sizeof present) && glob(present, name, true);
}

fender_status fender_recording_fail_name(const fender_recording *recording, const char *pattern, fender_error *error)
{
    char message[320], found[160], suggestion[320] = "";
    fnd_nearest search = fnd_nearest_begin(pattern, strlen(pattern));
    for (int i = 0; i < recording->channel_count; i++) fnd_nearest_offer(&search, recording->channels[i].name);
    fnd_io_excerpt(found, sizeof found, pattern, strlen(pattern));
    snprintf(message, sizeof message, "no channel %s '%.150s'", strchr(pattern, '*') ? "fits" : "is named", found);
    if (search.best) {
        snprintf(suggestion, sizeof suggestion, "did you mean '%.250s'?", search.best);
    } else {
        size_t used = (size_t)snprintf(suggestion, sizeof suggestion, "channels here:");
        for (int i = 0; i < recording->channel_count && i < 4; i++)
            used += (size_t)snprintf(suggestion + used, sizeof suggestion - used, " %.50s",
                                     recording->channels[i].name);
        if (recording->channel_count > 4)
            snprintf(suggestion + used, sizeof suggestion - used, " and %d more", recording->channel_count - 4);
    }
    return FND_IO_FAIL(error, .status = FENDER_STATUS_NAME, .source = recording->name, .message = message,
                       .found = found, .expected = "a channel of the recording", .suggestion = suggestion);
}
