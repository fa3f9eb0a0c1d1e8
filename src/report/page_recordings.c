/* The tables that a scenario asked for, as JSON for the plots of the page. */
#include "report/page.h"

#include "support/json.h"
#include "support/number.h"
#include "tables/recording.h"

#include <math.h>
#include <string.h>

/* A plot is a thousand pixels wide, and a page has to open at once. */
enum { MOST_ROWS = 2000, MOST_NUMBERS = 400000, LEAST_ROWS = 200, DIGITS = 9 };

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

/* All rows; or the first, two for each `stride` rows between, and the last. The two are the least and the largest value
 * of a column, so that a peak of one row is drawn, at the times of the first and the last of those rows. */
static void append_values(fnd_buffer *page, const fender_recording_table *table, const double *values, size_t stride,
                          bool is_time)
{
    const size_t rows = table->row_count;
    fnd_json_key(page, "values", false);
    fnd_buffer_append_char(page, '[');
    for (size_t row = 0; row < rows;) {
        const bool alone = stride == 1 || row == 0 || row + 1 == rows;
        if (row > 0) fnd_buffer_append_char(page, ',');
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

static void append_table(fnd_buffer *page, const fender_recording_table *table)
{
    size_t limit = MOST_NUMBERS / (size_t)table->column_count;
    if (limit > MOST_ROWS) limit = MOST_ROWS;
    if (limit < LEAST_ROWS) limit = LEAST_ROWS;
    const size_t stride = table->row_count <= limit ? 1 : (2 * table->row_count + limit - 1) / limit;
    fnd_buffer_append_char(page, '{');
    fnd_json_key(page, "file", true);
    fnd_json_text(page, base_name(table->file));
    fnd_json_key(page, "rows", false);
    fnd_json_number(page, (double)table->row_count);
    fnd_json_key(page, "stride", false);
    fnd_json_number(page, (double)stride);
    fnd_json_key(page, "time", false);
    fnd_json_number(page, table->time);
    fnd_json_key(page, "columns", false);
    fnd_buffer_append_char(page, '[');
    for (int i = 0; i < table->column_count; i++) {
        const fender_recording_column *column = &table->columns[i];
        fnd_buffer_append_text(page, i > 0 ? ",\n{" : "\n{");
        fnd_json_key(page, "name", true);
        fnd_json_text(page, column->name);
        fnd_json_key(page, "unit", false);
        fnd_json_text(page, column->unit);
        if (column->values) append_values(page, table, column->values, stride, i == table->time);
        fnd_buffer_append_char(page, '}');
    }
    fnd_buffer_append_text(page, "]}");
}

void fnd_page_append_recordings(fnd_buffer *page, const fender_env *env, const char *run_directory)
{
    fender_recording recorded;
    fender_error error = {0};
    fnd_buffer_append_text(page, "{\"format\":\"fender-recordings\",\"version\":1,\"tables\":[");
    const fender_status status = fender_recording_open(&recorded, env, run_directory, NULL, false, &error);
    bool first = true;
    for (int i = 0; status == FENDER_STATUS_OK && i < recorded.table_count; i++) {
        /* A run that recorded nothing has the poses for its only table, and they are in the page already. */
        if (recorded.tables[i].time < 0 || strcmp(base_name(recorded.tables[i].file), "replay.csv") == 0) continue;
        if (!first) fnd_buffer_append_char(page, ',');
        append_table(page, &recorded.tables[i]);
        first = false;
    }
    fender_recording_close(&recorded);
    fnd_buffer_append_char(page, ']');
    if (status != FENDER_STATUS_OK && status != FENDER_STATUS_FILE) {
        fnd_json_key(page, "missing", false);
        fnd_json_text(page, error.message);
    }
    if (status == FENDER_STATUS_MEMORY) page->failed = true;
    fnd_buffer_append_char(page, '}');
}
