/* Functions of time: constant, ramp, table. */
#include <string.h>

#include "scenario/section.h"
#include "scenario/table.h"

/* ---- tables */

static bool read_columns(fnd_reader *reader, const fnd_node *node, bool along, const char *unit,
                         fnd_table_columns *columns)
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
    return fnd_read_table_columns(reader, node, columns);
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
    fnd_node *between = fnd_node_find(table, "between"), *after_node = fnd_node_find(table, "after");
    fnd_node *direction_node = fnd_node_find(table, "direction");
    fnd_table_columns columns = {0};
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
    double *read = NULL;
    if (!fnd_check_table_source(reader, table)) return false;
    if (!columns_node || !read_columns(reader, columns_node, direction_node != NULL, unit, &columns) || !good)
        return false;
    if (!fnd_read_table_rows(reader, table, &columns, unit, &read, count)) return false;
    return fill_table(reader, read, *count, columns.count, direction, times, values);
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
    if (!fnd_expect_map(reader, node, name)) return false;
    const fnd_node *after = fnd_node_find(node, "after"), *table = fnd_node_find(node, "table");
    if (after && table) {
        fnd_complain(reader, &after->key_place, FENDER_STATUS_NAME, "'after' stands beside 'table' instead of in it",
                     "after", "'after' among the keys of the table",
                     "write {table: {columns: .., rows: .., after: zero}}");
        return false;
    }
    if (!fnd_check_keys(reader, node, "a function of time", keys)) return false;
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
