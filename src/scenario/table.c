/* Tables of numbers over time, and columns of numbers out of CSV files. */
#include "scenario/table.h"

#include "scenario/tree.h"
#include "support/number.h"
#include <assert.h>
#include <string.h>

/* ---- CSV ---- */

/* The length of a cell up to its comma; commas between quotes are part of it (RFC 4180). */
static size_t cell_length(const char *c)
{
    size_t length = strspn(c, " \t");
    if (c[length] != '"') return strcspn(c, ",");
    bool inside = false;
    for (; c[length] && (inside || c[length] != ','); length++)
        if (c[length] == '"') inside = !inside;
    return length;
}

static void trim(const char **start, const char **end)
{
    while (*start < *end && (**start == ' ' || **start == '\t')) (*start)++;
    while (*end > *start && ((*end)[-1] == ' ' || (*end)[-1] == '\t')) (*end)--;
}

int fnd_csv_split(const char *line, fnd_csv_cell *cells, int capacity)
{
    int count = 0;
    for (const char *c = line;; c++) {
        size_t length = cell_length(c);
        const char *start = c, *end = c + length;
        trim(&start, &end);
        if (end - start >= 2 && *start == '"' && end[-1] == '"') {
            start++;
            end--;
            trim(&start, &end);
        }
        if (count < capacity) cells[count] = (fnd_csv_cell){start, (size_t)(end - start), (int)(start - line) + 1};
        count++;
        c += length;
        if (!*c) return count;
    }
}

bool fnd_csv_skips(const char *line)
{
    line += strspn(line, " \t");
    return *line == 0 || *line == '#';
}

static fnd_location place_of(const fnd_source *source, int line, const fnd_csv_cell *c)
{
    return fnd_source_location(source, line + 1, c->column, c->length > 0 ? (int)c->length : 1);
}

typedef struct chosen {
    int index;        /* of the column in the file; -1: missing */
    const char *unit; /* "" when the header gives none */
} chosen;

static bool choose(fnd_reader *reader, const fnd_source *source, int line, const fnd_csv_cell *cells, int count,
                   const fnd_csv_column *wanted, chosen *out)
{
    fnd_known_name *names = fnd_keep(reader, (size_t)count, sizeof *names);
    if (!names) return false;
    out->index = -1;
    for (int i = 0; i < count; i++) {
        const char *bracket = memchr(cells[i].text, '[', cells[i].length);
        size_t length = bracket ? (size_t)(bracket - cells[i].text) : cells[i].length;
        while (length > 0 && cells[i].text[length - 1] == ' ') length--;
        names[i].name = fnd_keep_text(reader, cells[i].text, length);
        names[i].line = 0;
        if (!names[i].name) return false;
        if (strcmp(names[i].name, wanted->name) != 0) continue;
        size_t rest = bracket ? cells[i].length - (size_t)(bracket - cells[i].text) : 0;
        out->index = i;
        out->unit = rest > 2 ? fnd_keep_text(reader, bracket + 1, rest - 2) : "";
        if (!out->unit) return false;
        double one = 1;
        fnd_location location = place_of(source, line, &cells[i]);
        return !out->unit[0] ||
               fnd_apply_unit(reader, &location, names[i].name, wanted->name, out->unit, wanted->unit, &one);
    }
    fnd_complain(reader, &wanted->named_by->location, FENDER_STATUS_NAME,
                 fnd_phrase_make("the file has no column '%s'", fnd_shown(wanted->name).text).text,
                 fnd_shown(wanted->name).text, "a name of the file's first line",
                 fnd_suggest(reader, wanted->name, "columns", names, count).text);
    return false;
}

static bool read_cell(fnd_reader *reader, const fnd_source *source, int line, const fnd_csv_cell *c,
                      const fnd_csv_column *column, const char *unit, double *value)
{
    size_t used = 0;
    fnd_location location = place_of(source, line, c);
    fnd_number_result result = fnd_number_read(c->text, c->length, value, &used);
    if (result != FND_NUMBER_OK || used != c->length) {
        char *text = fnd_keep_text(reader, c->text, c->length);
        if (!text) return false;
        const bool empty = c->length == 0;
        fnd_phrase found = empty ? fnd_phrase_make("nothing") : fnd_shown(text);
        fnd_complain(
            reader, &location, FENDER_STATUS_PARSE,
            empty ? fnd_phrase_make("the cell of column '%s' is empty", column->name).text
                  : fnd_phrase_make("'%s' is not a finite number for column '%s'", found.text, column->name).text,
            found.text, "a finite number without unit",
            empty ? "write a number, or leave the row out" : "units belong in the first line: time [s],force [N]");
        return false;
    }
    return !unit[0] || fnd_apply_unit(reader, &location, unit, column->name, unit, column->unit, value);
}

/* All cells of a line; 0: no memory. */
static int split_line(fnd_reader *reader, const char *line, fnd_csv_cell **cells, int *capacity)
{
    const int count = fnd_csv_split(line, *cells, *capacity);
    if (count <= *capacity) return count;
    *cells = fnd_keep(reader, (size_t)count, sizeof **cells);
    *capacity = *cells ? count : 0;
    return *cells ? fnd_csv_split(line, *cells, count) : 0;
}

bool fnd_csv_read(fnd_reader *reader, const fnd_node *file, const fnd_csv_column *columns, int column_count,
                  double **values, int *row_count, fnd_location **locations)
{
    assert(column_count > 0);
    const char *path_text = NULL;
    if (!fnd_read_text(reader, file, "file", &path_text)) return false;
    char *path = fnd_source_resolve(reader, fnd_source_of(reader, &file->location), path_text);
    const fnd_source *source = path ? fnd_tree_read_file(reader, path, &file->location) : NULL;
    if (!source) return false;
    fnd_csv_cell *cells = NULL;
    chosen *picked = fnd_keep(reader, (size_t)column_count, sizeof *picked);
    int line = 0, capacity = 0;
    if (!picked) return false;
    while (line < source->line_count && fnd_csv_skips(source->lines + source->line_start[line])) line++;
    if (line == source->line_count) {
        fnd_complain(reader, &file->location, FENDER_STATUS_PARSE, "the table is empty", path_text, "a header and rows",
                     "the first line names the columns: time [s],force [N]");
        return false;
    }
    const int header_count = split_line(reader, source->lines + source->line_start[line], &cells, &capacity);
    if (header_count == 0) return false;
    bool good = true;
    for (int i = 0; i < column_count; i++)
        good = choose(reader, source, line, cells, header_count, &columns[i], &picked[i]) && good;
    *values = fnd_keep(reader, (size_t)(source->line_count - line) * (size_t)column_count, sizeof **values);
    *locations = fnd_keep(reader, (size_t)(source->line_count - line), sizeof **locations);
    if (!good || !*values || !*locations) return false;
    *row_count = 0;
    for (line++; line < source->line_count && good; line++) { /* the first bad line is enough */
        const char *text = source->lines + source->line_start[line];
        if (fnd_csv_skips(text)) continue;
        const int count = split_line(reader, text, &cells, &capacity);
        if (count == 0) return false;
        for (int i = header_count; i < count && good; i++) { /* empty ones behind a last comma are none */
            if (cells[i].length == 0) continue;
            fnd_location location = place_of(source, line, &cells[i]);
            fnd_complain(
                reader, &location, FENDER_STATUS_PARSE,
                fnd_phrase_make("the row has %d cells; the first line names %d columns", count, header_count).text,
                fnd_phrase_make("%d cells", count).text, fnd_phrase_make("%d cells", header_count).text,
                "commas separate cells; decimals have a point, 0.5");
            good = false;
        }
        if (picked[0].index < count) (*locations)[*row_count] = place_of(source, line, &cells[picked[0].index]);
        for (int i = 0; i < column_count && good; i++) {
            if (picked[i].index >= count) {
                fnd_location location = fnd_source_location(source, line + 1, 1, 1);
                fnd_complain(reader, &location, FENDER_STATUS_PARSE,
                             fnd_phrase_make("the row has %d cells; column '%s' is number %d", count, columns[i].name,
                                             picked[i].index + 1)
                                 .text,
                             fnd_phrase_make("%d cells", count).text, "a cell for every column", "complete the row");
                good = false;
                break;
            }
            good = read_cell(reader, source, line, &cells[picked[i].index], &columns[i], picked[i].unit,
                             &(*values)[*row_count * column_count + i]);
        }
        (*row_count)++;
    }
    return good;
}

/* ---- Tables ---- */

bool fnd_read_table_columns(fnd_reader *reader, const fnd_node *node, fnd_table_columns *columns)
{
    if (!fnd_expect_list(reader, node, "columns")) return false;
    columns->count = node->count;
    columns->units = fnd_keep(reader, (size_t)node->count, sizeof *columns->units);
    columns->nodes = fnd_keep(reader, (size_t)node->count, sizeof *columns->nodes);
    if (!columns->units || !columns->nodes) return false;
    int i = 0;
    for (const fnd_node *c = node->first; c; c = c->next, i++) {
        columns->nodes[i] = c;
        if (!fnd_read_text(reader, c, "columns", &columns->units[i])) return false;
    }
    return true;
}

bool fnd_check_table_source(fnd_reader *reader, const fnd_node *table)
{
    const fnd_node *rows = fnd_node_find(table, "rows"), *file = fnd_node_find(table, "file");
    if ((rows != NULL) != (file != NULL)) return true;
    if (fnd_is_misspelt_in(table, "rows") || fnd_is_misspelt_in(table, "file")) return false;
    fnd_complain(reader, fnd_node_shown_location(table), FENDER_STATUS_ARGUMENT,
                 rows ? "the table has both 'rows' and 'file'" : "the table has no rows", rows ? "both" : "nothing",
                 "'rows' or 'file'", "write rows: [[0, 0, 0, 0], ..], or file: table.csv");
    return false;
}

static bool read_rows(fnd_reader *reader, const fnd_node *rows, const fnd_table_columns *columns, const char *unit,
                      double **values, int *row_count)
{
    if (!fnd_expect_list(reader, rows, "rows")) return false;
    for (int i = 0; i < columns->count; i++) { /* a wrong unit is one diagnostic, not one per row */
        double one = 1;
        if (!fnd_apply_unit(reader, &columns->nodes[i]->location, columns->units[i], "columns", columns->units[i],
                            i == 0 ? "s" : unit, &one))
            return false;
    }
    *values = fnd_keep(reader, (size_t)rows->count * (size_t)columns->count, sizeof **values);
    if (!*values) return false;
    double *value = *values;
    for (const fnd_node *row = rows->first; row; row = row->next, value += columns->count) {
        if (!fnd_expect_list(reader, row, "rows")) return false;
        if (row->count != columns->count) {
            fnd_complain(
                reader, fnd_node_shown_location(row), FENDER_STATUS_PARSE,
                fnd_phrase_make("the row has %d values; the table has %d columns", row->count, columns->count).text,
                fnd_phrase_make("%d", row->count).text, fnd_phrase_make("%d values", columns->count).text,
                "complete the row");
            return false;
        }
        int i = 0;
        for (const fnd_node *element = row->first; element; element = element->next, i++) {
            const char *own = "";
            const char *si = i == 0 ? "s" : unit;
            if (!fnd_split_number(reader, element, "rows", si, &value[i], &own)) return false;
            const char *given = own[0] ? own : columns->units[i];
            if (!fnd_apply_unit(reader, &element->location, fnd_shown(element->text).text, "rows", given, si,
                                &value[i]))
                return false;
        }
    }
    *row_count = rows->count;
    return true;
}

static const fnd_node *row_at(const fnd_node *rows, int index)
{
    const fnd_node *row = rows ? rows->first : NULL;
    while (row && index-- > 0) row = row->next;
    return row;
}

static bool check_times(fnd_reader *reader, const fnd_node *table, const fnd_node *rows, const fnd_location *locations,
                        const double *values, int row_count, int stride)
{
    if (row_count == 0) {
        fnd_complain(reader, fnd_node_shown_location(rows ? rows : table), FENDER_STATUS_VALUE, "the table has no rows",
                     "nothing", "one row or more", "add rows, or write {constant: [x, y, z]}");
        return false;
    }
    for (int i = 1; i < row_count; i++) {
        double before = values[(ptrdiff_t)(i - 1) * stride], now = values[(ptrdiff_t)i * stride];
        if (now > before) continue;
        const fnd_node *row = row_at(rows, i);
        fnd_complain(reader, row ? fnd_node_shown_location(row) : &locations[i], FENDER_STATUS_VALUE,
                     fnd_phrase_make("the times of the table do not increase: %s after %s", fnd_digits(now, "s").text,
                                     fnd_digits(before, "s").text)
                         .text,
                     fnd_digits(now, "s").text, fnd_phrase_make("more than %s", fnd_digits(before, "s").text).text,
                     "sort the rows; write a jump as two slightly different times");
        return false;
    }
    return true;
}

bool fnd_read_table_rows(fnd_reader *reader, const fnd_node *table, const fnd_table_columns *columns, const char *unit,
                         double **values, int *row_count)
{
    const fnd_node *rows = fnd_node_find(table, "rows"), *file = fnd_node_find(table, "file");
    fnd_location *locations = NULL;
    if (rows) {
        if (!read_rows(reader, rows, columns, unit, values, row_count)) return false;
    } else if (file) {
        fnd_csv_column *wanted = fnd_keep(reader, (size_t)columns->count, sizeof *wanted);
        if (!wanted) return false;
        for (int i = 0; i < columns->count; i++)
            wanted[i] = (fnd_csv_column){columns->units[i], i == 0 ? "s" : unit, columns->nodes[i]};
        if (!fnd_csv_read(reader, file, wanted, columns->count, values, row_count, &locations)) return false;
    } else {
        return false;
    }
    return check_times(reader, file ? file : table, rows, locations, *values, *row_count, columns->count);
}
