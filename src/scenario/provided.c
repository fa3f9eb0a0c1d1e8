/* Forces from outside of a contact type: constant, or a table with a column per point of a cloud. */
#include <string.h>

#include "scenario/section.h"
#include "scenario/table.h"

static const double since_ever = -1e300; /* s */

/* "[x, y]" or "one number": what one contact gets. */
static const char *one_force(int components) { return components == 1 ? "one number" : "x and y"; }

/* How many contacts the numbers are for; 0 after a finding. */
static int check_count(fnd_reader *reader, const fnd_node *node, const char *name, int count, int components)
{
    if (count > 0 && count % components == 0) return count / components;
    fnd_complain(
        reader, fnd_node_shown_place(node), FENDER_STATUS_PARSE,
        fnd_phrase_make("%s of '%s': %d do not fit", components == 1 ? "the values" : "pairs of values", name, count)
            .text,
        fnd_phrase_make("%d", count).text,
        fnd_phrase_make("%s for all, or for each point of a cloud in their order", one_force(components)).text,
        "complete them");
    return 0;
}

static bool read_constant(fnd_reader *reader, const fnd_node *node, int components, fender_force_table *force)
{
    double *values = NULL, *time = fnd_keep(reader, 1, sizeof *time);
    int count = 1;
    if (node->kind == FND_NODE_LIST) {
        const fnd_node *last = node->first;
        while (last && last->next) last = last->next;
        count = node->count - (last && fnd_is_unit_element(last) ? 1 : 0);
    }
    force->columns = check_count(reader, node, "constant", count, components);
    if (force->columns == 0 || !time || !(values = fnd_keep(reader, (size_t)count, sizeof *values))) return false;
    if (node->kind == FND_NODE_LIST ? !fnd_read_numbers(reader, node, "constant", "N", count, values)
                                    : !fnd_read_number(reader, node, "constant", "N", values))
        return false;
    *time = since_ever;
    force->times = time;
    force->values = values;
    force->count = 1;
    return true;
}

static bool read_table(fnd_reader *reader, fnd_node *table, int components, fender_force_table *force)
{
    static const fnd_key keys[] = {{"columns", false}, {"rows", false},  {"file", false},
                                   {"between", false}, {"after", false}, {NULL, false}};
    static const char *const betweens[] = {"linear", NULL}, *const afters[] = {"hold", "zero", NULL};
    if (!fnd_expect_map(reader, table, "table")) return false;
    bool good = fnd_check_keys(reader, table, "a table", keys);
    fnd_node *columns_node = fnd_require(reader, table, "columns", "the table",
                                         components == 1 ? "[s, N]" : "[s, N, N]");
    fnd_node *between = fnd_node_find(table, "between"), *after = fnd_node_find(table, "after");
    fnd_table_columns columns = {0};
    int choice = 0;
    if (between) good = fnd_read_choice(reader, between, "between", betweens, &choice) && good;
    if (after && fnd_read_choice(reader, after, "after", afters, &choice))
        force->after = choice == 0 ? FENDER_AFTER_HOLD : FENDER_AFTER_ZERO;
    if (!fnd_check_table_source(reader, table) || !columns_node || !good) return false;
    if (!fnd_read_table_columns(reader, columns_node, &columns)) return false;
    force->columns = check_count(reader, columns_node, "columns", columns.count - 1, components);
    double *rows = NULL;
    int row_count = 0;
    if (force->columns == 0 || !fnd_read_table_rows(reader, table, &columns, "N", &rows, &row_count)) return false;
    size_t width = (size_t)columns.count - 1;
    double *times = fnd_keep(reader, (size_t)row_count, sizeof *times);
    double *values = fnd_keep(reader, (size_t)row_count * width, sizeof *values);
    if (!times || !values) return false;
    for (size_t i = 0; i < (size_t)row_count; i++) {
        times[i] = rows[i * (width + 1)];
        memcpy(values + i * width, rows + i * (width + 1) + 1, width * sizeof *values);
    }
    force->times = times;
    force->values = values;
    force->count = row_count;
    return true;
}

bool fnd_read_provided(fnd_reader *reader, fnd_node *node, int components, fender_force_table *force)
{
    static const fnd_key keys[] = {{"constant", false}, {"table", false}, {NULL, false}};
    if (!fnd_expect_map(reader, node, "force") || !fnd_check_keys(reader, node, "a force from outside", keys))
        return false;
    if (node->count != 1) {
        fnd_complain(reader, fnd_node_shown_place(node), FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'force' has %s", node->count ? "more than one form" : "no form").text,
                     fnd_phrase_make("%d", node->count).text, "constant or table", "keep one of them");
        return false;
    }
    fnd_node *form = node->first;
    return strcmp(form->key, "constant") == 0 ? read_constant(reader, form, components, force)
                                              : read_table(reader, form, components, force);
}
