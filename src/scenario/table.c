/* Tables of numbers over time: columns with units, rows in the scenario or in a CSV file. */
#include "scenario/table.h"

#include "scenario/csv.h"

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
    fnd_complain(reader, fnd_node_shown_place(table), FENDER_STATUS_ARGUMENT,
                 rows ? "the table has both 'rows' and 'file'" : "the table has no rows", rows ? "both" : "nothing",
                 "'rows' or 'file'", "write rows: [[0, 0, 0, 0], ..], or file: table.csv");
    return false;
}

static bool read_rows(fnd_reader *reader, const fnd_node *rows, const fnd_table_columns *columns, const char *unit,
                      double **values, int *row_count)
{
    if (!fnd_expect_list(reader, rows, "rows")) return false;
    for (int i = 0; i < columns->count; i++) { /* a wrong unit is one finding, not one per row */
        double one = 1;
        if (!fnd_apply_unit(reader, &columns->nodes[i]->place, columns->units[i], "columns", columns->units[i],
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
                reader, fnd_node_shown_place(row), FENDER_STATUS_PARSE,
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
            if (!fnd_apply_unit(reader, &element->place, fnd_shown(element->text).text, "rows", given, si, &value[i]))
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

static bool check_times(fnd_reader *reader, const fnd_node *table, const fnd_node *rows, const fnd_place *places,
                        const double *values, int row_count, int stride)
{
    if (row_count == 0) {
        fnd_complain(reader, fnd_node_shown_place(rows ? rows : table), FENDER_STATUS_VALUE, "the table has no rows",
                     "nothing", "one row or more", "add rows, or write {constant: [x, y, z]}");
        return false;
    }
    for (int i = 1; i < row_count; i++) {
        double before = values[(ptrdiff_t)(i - 1) * stride], now = values[(ptrdiff_t)i * stride];
        if (now > before) continue;
        const fnd_node *row = row_at(rows, i);
        fnd_complain(reader, row ? fnd_node_shown_place(row) : &places[i], FENDER_STATUS_VALUE,
                     fnd_phrase_make("the times of the table do not rise: %s after %s", fnd_digits(now, "s").text,
                                     fnd_digits(before, "s").text)
                         .text,
                     fnd_digits(now, "s").text, fnd_phrase_make("more than %s", fnd_digits(before, "s").text).text,
                     "sort the rows; a jump needs two times a little apart");
        return false;
    }
    return true;
}

bool fnd_read_table_rows(fnd_reader *reader, const fnd_node *table, const fnd_table_columns *columns, const char *unit,
                         double **values, int *row_count)
{
    const fnd_node *rows = fnd_node_find(table, "rows"), *file = fnd_node_find(table, "file");
    fnd_place *places = NULL;
    if (rows) {
        if (!read_rows(reader, rows, columns, unit, values, row_count)) return false;
    } else if (file) {
        fnd_csv_column *wanted = fnd_keep(reader, (size_t)columns->count, sizeof *wanted);
        if (!wanted) return false;
        for (int i = 0; i < columns->count; i++)
            wanted[i] = (fnd_csv_column){columns->units[i], i == 0 ? "s" : unit, columns->nodes[i]};
        if (!fnd_csv_read(reader, file, wanted, columns->count, values, row_count, &places)) return false;
    } else {
        return false;
    }
    return check_times(reader, file ? file : table, rows, places, *values, *row_count, columns->count);
}
