/* Reading of one table: which format a file has, what its columns are called, which of them is the time. */
#include "series/series.h"

#include "text/fault.h"
#include "text/file.h"

#include <fender/units.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FILE_LIMIT ((size_t)1 << 31)

/* The first that fits; the last one fits everything. */
static const fnd_series_format *const formats[] = {&fnd_series_trick, &fnd_series_csv};

/* ---- names */

const char *fnd_series_trick_unit(const char *unit)
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

bool fnd_series_name_column(fnd_arena *arena, const char *text, size_t length, fender_recording_column *column)
{
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
                               ? fnd_series_trick_unit(copy)
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
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_PARSE,
                                             .source = table->file,
                                             .message = message,
                                             .found = table->columns[0].name,
                                             .expected = "a column of times",
                                             .suggestion = "name the column of times with --time NAME"});
}

fender_status fnd_series_check_times(const fender_recording_table *table, fender_error *error)
{
    const double *times = fender_recording_times(table);
    char message[160], found[80];
    for (size_t i = 0; i < table->row_count; i++) {
        if (isfinite(times[i]) && (i == 0 || times[i] >= times[i - 1])) continue;
        snprintf(message, sizeof message, isfinite(times[i]) ? "the time goes back in row %zu" : "row %zu has no time",
                 i + 1);
        snprintf(found, sizeof found, i > 0 ? "%.9g behind %.9g" : "%.9g", times[i], i > 0 ? times[i - 1] : 0.0);
        return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_VALUE,
                                                 .source = table->file,
                                                 .message = message,
                                                 .found = found,
                                                 .expected = "times in rising order",
                                                 .suggestion = "sort the rows, or name the time with --time NAME"});
    }
    return FENDER_STATUS_OK;
}

/* ---- one file */

static fender_status read_bytes(const fender_allocator *allocator, const char *file, fnd_arena *arena,
                                fender_recording_table *table, fender_error *error)
{
    fnd_file content;
    fender_status status = fnd_file_read(allocator, file, FILE_LIMIT, FND_FILE_BYTES, &content, error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_series_source source = {table->file, content.text, content.length};
    size_t index = 0;
    while (!formats[index]->fits(&source)) index++;
    status = formats[index]->read(&source, arena, table, error);
    fnd_file_release(allocator, &content);
    return status;
}

fender_status fnd_series_read_part(const fender_allocator *allocator, const char *file, const char *time, int part,
                                   fnd_arena *arena, fender_recording_table *table, int *parts, fender_error *error)
{
    memset(table, 0, sizeof *table);
    *parts = 1;
    table->file = fnd_arena_copy(arena, file, strlen(file));
    if (!table->file) return fnd_io_fail_memory(error, "the name of a table");
    fender_status status = fnd_series_is_hdf5(file) ? fnd_series_read_hdf5(file, time, part, arena, table, parts, error)
                                                    : read_bytes(allocator, file, arena, table, error);
    return status == FENDER_STATUS_OK ? find_time(table, time, error) : status;
}

fender_status fnd_series_read(const fender_allocator *allocator, const char *file, const char *time, fnd_arena *arena,
                              fender_recording_table *table, fender_error *error)
{
    int parts;
    return fnd_series_read_part(allocator, file, time, 0, arena, table, &parts, error);
}
