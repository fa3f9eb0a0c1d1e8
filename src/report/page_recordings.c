/* Data of a report page: the tables that a run recorded, thinned to what a page can plot. */
#include "report/page.h"

#include "support/json.h"
#include "support/number.h"
#include "tables/recording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A plot is a thousand pixels wide, and a page has to open at once. */
enum { MOST_ROWS = 2000, MOST_NUMBERS = 400000, LEAST_ROWS = 200, MOST_CONTACTS = 100, DIGITS = 9 };

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void append_value(fnd_buffer *page, double value)
{
    char text[FND_NUMBER_SIZE];
    if (isfinite(value))
        fnd_buffer_append(page, text, (size_t)fnd_number_format_digits(value, DIGITS, text, sizeof text));
    else fnd_buffer_append_text(page, "null");
}

/* The rows of a least and a largest value, in the order of rows; the first where no value is finite. */
static void find_extremes(const double *values, size_t begin, size_t end, size_t *first, size_t *second)
{
    size_t least = end, largest = end;
    for (size_t i = begin; i < end; i++) {
        if (!isfinite(values[i])) continue;
        if (least == end || values[i] < values[least]) least = i;
        if (largest == end || values[i] > values[largest]) largest = i;
    }
    if (least == end) least = largest = begin;
    *first = least < largest ? least : largest;
    *second = least < largest ? largest : least;
}

/* Every `stride` rows between the first and the last become two. */
static size_t stride_of(size_t rows, size_t columns)
{
    size_t limit = MOST_NUMBERS / columns;
    if (limit > MOST_ROWS) limit = MOST_ROWS;
    if (limit < LEAST_ROWS) limit = LEAST_ROWS;
    return rows <= limit ? 1 : (2 * rows + limit - 1) / limit;
}

/* All rows; or the first, two for each `stride` rows between, and the last. The two are the least and the largest value
 * of a column, so that a peak of one row is drawn, at the times of the first and the last of those rows. */
static void append_values(fnd_buffer *page, const double *values, size_t rows, size_t stride, bool is_time)
{
    fnd_json_begin(page, "values", '[');
    for (size_t row = 0; row < rows;) {
        const bool alone = stride == 1 || row == 0 || row + 1 == rows;
        fnd_json_comma(page);
        if (alone) {
            append_value(page, values[row++]);
            continue;
        }
        const size_t end = row + stride < rows - 1 ? row + stride : rows - 1;
        size_t first = row, second = end - 1;
        if (!is_time) find_extremes(values, row, end, &first, &second);
        append_value(page, values[first]);
        fnd_buffer_append_char(page, ',');
        append_value(page, values[second]);
        row = end;
    }
    fnd_buffer_append_char(page, ']');
}

/* values NULL: a column of texts, which is named alone. */
static void append_column(fnd_buffer *page, const char *name, const char *unit, const double *values, size_t rows,
                          size_t stride, bool is_time)
{
    fnd_json_begin_row(page);
    fnd_json_put_text(page, "name", name);
    fnd_json_put_text(page, "unit", unit);
    if (values) append_values(page, values, rows, stride, is_time);
    fnd_buffer_append_char(page, '}');
}

static void begin_table(fnd_buffer *page, const fender_recording_table *table, size_t rows, size_t stride, int time)
{
    fnd_json_begin(page, NULL, '{');
    fnd_json_put_text(page, "file", base_name(table->file));
    fnd_json_put_number(page, "rows", (double)rows);
    fnd_json_put_number(page, "stride", (double)stride);
    fnd_json_put_number(page, "time", time);
}

static void append_table(fnd_buffer *page, const fender_recording_table *table)
{
    const size_t rows = table->row_count, stride = stride_of(rows, (size_t)table->column_count);
    begin_table(page, table, rows, stride, table->time);
    fnd_json_begin(page, "columns", '[');
    for (int i = 0; i < table->column_count; i++) {
        const fender_recording_column *column = &table->columns[i];
        append_column(page, column->name, column->unit, column->values, rows, stride, i == table->time);
    }
    fnd_buffer_append_text(page, "]}");
}

/* ---- lists of contacts: every quantity of a contact is a column over the times of the list */

typedef struct spread {
    size_t *first; /* rows of contact k: rows[first[k]] to before rows[first[k + 1]] */
    size_t *rows, *instant_of_row;
    double *times, *values; /* by instant; values of one column, NaN where the contact is not in the list */
    size_t instants;
} spread;

static bool make_spread(fnd_arena *arena, const fender_recording_table *list, spread *s)
{
    const size_t count = (size_t)list->contacts->index.count, rows = list->row_count;
    const double *times = fender_recording_times(list);
    const int *of_row = list->contacts->of_row;
    s->first = FND_ARENA_NEW_ARRAY(arena, size_t, count + 2);
    s->rows = FND_ARENA_NEW_ARRAY(arena, size_t, rows);
    s->instant_of_row = FND_ARENA_NEW_ARRAY(arena, size_t, rows);
    s->times = FND_ARENA_NEW_ARRAY(arena, double, rows);
    s->values = FND_ARENA_NEW_ARRAY(arena, double, rows);
    if (arena->failed) return false;
    s->instants = 0;
    for (size_t row = 0; row < rows; row++) {
        if (row == 0 || times[row] != times[row - 1]) s->times[s->instants++] = times[row];
        s->instant_of_row[row] = s->instants - 1;
        if (of_row[row] >= 0) s->first[of_row[row] + 2]++;
    }
    for (size_t k = 0; k < count; k++) s->first[k + 2] += s->first[k + 1];
    for (size_t row = 0; row < rows; row++)
        if (of_row[row] >= 0) s->rows[s->first[of_row[row] + 1]++] = row;
    return true;
}

static void append_contact_column(fnd_buffer *page, const fender_recording_table *list, const spread *s, int contact,
                                  const fender_recording_column *column, size_t stride)
{
    char name[400];
    for (size_t i = 0; i < s->instants; i++) s->values[i] = NAN;
    for (size_t i = s->first[contact]; i < s->first[contact + 1]; i++)
        s->values[s->instant_of_row[s->rows[i]]] = column->values[s->rows[i]];
    snprintf(name, sizeof name, "%.330s.%.60s", list->contacts->index.names[contact], column->name);
    append_column(page, name, column->unit, s->values, s->instants, stride, false);
}

/* Of at most MOST_CONTACTS, the first ones in the list; "contacts" tells how many there are. False: no memory. */
static bool append_contacts(fnd_buffer *page, const fender_allocator *allocator, const fender_recording_table *list)
{
    const int count = list->contacts->index.count, shown = count < MOST_CONTACTS ? count : MOST_CONTACTS;
    const fender_recording_column *time = &list->columns[list->time];
    fnd_arena arena = fnd_arena_open(allocator, 0);
    spread s;
    const bool good = make_spread(&arena, list, &s);
    if (good) {
        const size_t stride = stride_of(s.instants, (size_t)shown * (size_t)list->column_count);
        begin_table(page, list, s.instants, stride, 0);
        fnd_json_put_number(page, "contacts", count);
        fnd_json_begin(page, "columns", '[');
        append_column(page, time->name, time->unit, s.times, s.instants, stride, true);
        for (int k = 0; k < shown; k++)
            for (int i = 0; i < list->column_count; i++)
                if (i != list->time && list->columns[i].values)
                    append_contact_column(page, list, &s, k, &list->columns[i], stride);
        fnd_buffer_append_text(page, "]}");
    }
    fnd_arena_close(&arena);
    return good;
}

void fnd_page_append_recordings(fnd_buffer *page, const fender_env *env, const char *run_directory)
{
    fender_recording recorded;
    fender_error error = {0};
    fnd_buffer_append_text(page, "{\"format\":\"fender-recordings\",\"version\":1,\"tables\":[");
    const fender_status status = fender_recording_open(&recorded, env, run_directory, NULL, false, &error);
    for (int i = 0; status == FENDER_STATUS_OK && i < recorded.table_count; i++) {
        const fender_recording_table *table = &recorded.tables[i];
        /* A run that recorded nothing has the poses for its only table, and they are in the page already. */
        if (table->time < 0 || strcmp(base_name(table->file), "replay.csv") == 0) continue;
        if (!table->contacts) append_table(page, table);
        else if (!append_contacts(page, &env->allocator, table)) page->failed = true;
    }
    fender_recording_close(&recorded);
    fnd_buffer_append_char(page, ']');
    if (status != FENDER_STATUS_OK && status != FENDER_STATUS_FILE) {
        fnd_json_put_text(page, "missing", error.message);
    }
    if (status == FENDER_STATUS_MEMORY) page->failed = true;
    fnd_buffer_append_char(page, '}');
}
