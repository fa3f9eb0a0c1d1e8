/* Functions of time: constant, ramp, table. */
#include <string.h>

#include "scenario/csv.h"
#include "scenario/section.h"

/* ---- tables */

typedef struct table_columns {
    int count;               /* 4: time and three components; 2: time and a value along `direction` */
    const char *units[4];    /* inline tables: as the file gives them */
    const fnd_node *node[4]; /* their places */
} table_columns;

static bool read_columns(fnd_reader *reader, const fnd_node *node, bool along, const char *unit, table_columns *columns)
{
    if (!fnd_expect_list(reader, node, "columns")) return false;
    int wanted = along ? 2 : 4;
    if (node->count != wanted) {
        fnd_phrase found = fnd_phrase_make("%d", node->count);
        fnd_complain(
            reader, fnd_node_shown_place(node), FENDER_STATUS_PARSE,
            fnd_phrase_make("a table %s needs %d columns; here are %s", along ? "with 'direction'" : "of vectors",
                            wanted, found.text)
                .text,
            found.text, along ? "time and one value" : "time and three components",
            along ? fnd_phrase_make("write [s, %s]", unit).text
                  : fnd_phrase_make("write [s, %s, %s, %s], or add 'direction' for one value", unit, unit, unit).text);
        return false;
    }
    columns->count = wanted;
    int i = 0;
    for (const fnd_node *c = node->first; c; c = c->next, i++) {
        columns->node[i] = c;
        if (!fnd_read_text(reader, c, "columns", &columns->units[i])) return false;
    }
    return true;
}

static bool read_rows(fnd_reader *reader, const fnd_node *rows, const table_columns *columns, const char *unit,
                      double **values, int *row_count)
{
    if (!fnd_expect_list(reader, rows, "rows")) return false;
    for (int i = 0; i < columns->count; i++) { /* a wrong unit is one finding, not one per row */
        double one = 1;
        if (!fnd_apply_unit(reader, &columns->node[i]->place, columns->units[i], "columns", columns->units[i],
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
        double before = values[(i - 1) * stride], now = values[i * stride];
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

static bool read_direction(fnd_reader *reader, const fnd_node *node, fender_vec3 *direction)
{
    if (!fnd_read_vector(reader, node, "direction", "1", direction)) return false;
    double length = fender_vec3_length(*direction);
    if (length > 0) return *direction = fender_vec3_scale(1 / length, *direction), true;
    fnd_complain(reader, &node->place, FENDER_STATUS_VALUE, "'direction' is zero", "[0, 0, 0]",
                 "a vector that is not zero", "write [1, 0, 0] for x");
    return false;
}

static bool fill_table(fnd_reader *reader, const double *rows, int row_count, int stride, fender_vec3 direction,
                       const double **times, const fender_vec3 **values)
{
    double *t = fnd_keep(reader, (size_t)row_count, sizeof *t);
    fender_vec3 *v = fnd_keep(reader, (size_t)row_count, sizeof *v);
    if (!t || !v) return false;
    for (int i = 0; i < row_count; i++) {
        const double *row = rows + (size_t)i * (size_t)stride;
        t[i] = row[0];
        v[i] = stride == 2 ? fender_vec3_scale(row[1], direction) : fender_vec3_make(row[1], row[2], row[3]);
    }
    *times = t;
    *values = v;
    return true;
}

bool fnd_read_table(fnd_reader *reader, fnd_node *table, const char *name, const char *unit, const double **times,
                    const fender_vec3 **values, int *count, fender_signal_after *after)
{
    static const fnd_key keys[] = {{"columns", false}, {"rows", false},      {"file", false}, {"between", false},
                                   {"after", false},   {"direction", false}, {NULL, false}};
    static const char *const betweens[] = {"linear", NULL}, *const afters[] = {"hold", "zero", NULL};
    if (!fnd_expect_map(reader, table, "table")) return false;
    bool good = fnd_check_keys(reader, table, "a table", keys);
    fnd_node *columns_node = fnd_require(reader, table, "columns", "the table", "[s, N, N, N]");
    fnd_node *rows = fnd_node_find(table, "rows"), *file = fnd_node_find(table, "file");
    fnd_node *between = fnd_node_find(table, "between"), *after_node = fnd_node_find(table, "after");
    fnd_node *direction_node = fnd_node_find(table, "direction");
    table_columns columns = {0};
    fender_vec3 direction = {0, 0, 0};
    int choice = 0;
    if (between) good = fnd_read_choice(reader, between, "between", betweens, &choice) && good;
    if (after_node && !after) {
        fnd_complain(reader, &after_node->key_place, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'after' has no meaning for '%s'", name).text, "after",
                     "a path holds its last position", "remove it");
        good = false;
    } else if (after_node && fnd_read_choice(reader, after_node, "after", afters, &choice))
        *after = choice == 0 ? FENDER_AFTER_HOLD : FENDER_AFTER_ZERO;
    if (direction_node) good = read_direction(reader, direction_node, &direction) && good;
    if ((rows != NULL) == (file != NULL) && !fnd_is_misspelt_in(table, "rows") && !fnd_is_misspelt_in(table, "file")) {
        fnd_complain(reader, fnd_node_shown_place(table), FENDER_STATUS_ARGUMENT,
                     rows ? "the table has both 'rows' and 'file'" : "the table has no rows", rows ? "both" : "nothing",
                     "'rows' or 'file'", "write rows: [[0, 0, 0, 0], ..], or file: table.csv");
        return false;
    }
    if (!columns_node || !read_columns(reader, columns_node, direction_node != NULL, unit, &columns) || !good)
        return false;
    double *read = NULL;
    fnd_place *places = NULL;
    int row_count = 0;
    if (rows) good = read_rows(reader, rows, &columns, unit, &read, &row_count);
    else if (file) {
        fnd_csv_column wanted[4];
        for (int i = 0; i < columns.count; i++)
            wanted[i] = (fnd_csv_column){columns.units[i], i == 0 ? "s" : unit, columns.node[i]};
        good = fnd_csv_read(reader, file, wanted, columns.count, &read, &row_count, &places);
    } else return false;
    if (!good || !check_times(reader, file ? file : table, rows, places, read, row_count, columns.count)) return false;
    *count = row_count;
    return fill_table(reader, read, row_count, columns.count, direction, times, values);
}

/* ---- the three forms */

static bool read_ramp(fnd_reader *reader, fnd_node *node, const char *unit, fender_signal *signal)
{
    static const fnd_key keys[] = {{"direction", false}, {"rate", false}, {"start", false}, {NULL, false}};
    if (!fnd_expect_map(reader, node, "ramp")) return false;
    bool good = fnd_check_keys(reader, node, "a ramp", keys);
    fnd_phrase rate_unit = fnd_phrase_make("%s/s", unit), example = fnd_phrase_make("10 %s/s", unit);
    fnd_node *direction = fnd_require(reader, node, "direction", "the ramp", "[1, 0, 0]");
    fnd_node *rate = fnd_require(reader, node, "rate", "the ramp", example.text);
    fnd_node *start = fnd_node_find(node, "start");
    signal->kind = FENDER_SIGNAL_RAMP;
    good = direction && read_direction(reader, direction, &signal->direction) && good;
    good = rate && fnd_read_number(reader, rate, "rate", rate_unit.text, &signal->rate) && good;
    if (start) good = fnd_read_number(reader, start, "start", "s", &signal->start) && good;
    return good;
}

bool fnd_read_signal(fnd_reader *reader, fnd_node *node, const char *name, const char *unit, fender_signal *signal)
{
    static const fnd_key keys[] = {{"constant", false}, {"ramp", false}, {"table", false}, {NULL, false}};
    if (node->kind == FND_NODE_LIST) {
        fnd_complain(reader, fnd_node_shown_place(node), FENDER_STATUS_PARSE,
                     fnd_phrase_make("'%s' is a function of time; here is a list", name).text, "a list",
                     "{constant: ..}, {ramp: ..} or {table: ..}",
                     fnd_phrase_make("write %s: {constant: [x, y, z, %s]}", name, unit).text);
        return false;
    }
    if (!fnd_expect_map(reader, node, name) || !fnd_check_keys(reader, node, "a function of time", keys)) return false;
    if (node->count != 1) {
        fnd_complain(reader, fnd_node_shown_place(node), FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' has %s", name, node->count ? "more than one form" : "no form").text,
                     fnd_phrase_make("%d", node->count).text, "one of constant, ramp, table", "keep one of them");
        return false;
    }
    fnd_node *form = node->first;
    if (strcmp(form->key, "constant") == 0) {
        signal->kind = FENDER_SIGNAL_CONSTANT;
        return fnd_read_vector(reader, form, "constant", unit, &signal->constant);
    }
    if (strcmp(form->key, "ramp") == 0) return read_ramp(reader, form, unit, signal);
    signal->kind = FENDER_SIGNAL_TABLE;
    return fnd_read_table(reader, form, name, unit, &signal->times, &signal->values, &signal->count, &signal->after);
}
