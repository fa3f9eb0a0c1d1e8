/* The numbers of `design: {list: FILE}`. */
#include "scenario/section.h"
#include "scenario/table.h"
#include "study/reading.h"
#include "support/number.h"

#include <fender/units.h>
#include <string.h>

typedef struct list_column {
    int input;
    const fnd_variable *variable; /* NULL: a result */
    const char *unit;             /* that the first line gives; "": that of the variable */
} list_column;

/* Columns of `fender study export` besides the variables: their cells are not read. */
static bool is_result(const fender_study *s, const char *name)
{
    static const char *const names[] = {"run", "status", "hash", "reason"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0) return true;
    for (int i = 0; i < s->kept_count; i++)
        if (strcmp(name, s->kept[i].id.name) == 0) return true;
    for (int i = 0; i < s->outcome_count; i++)
        if (strcmp(name, s->outcomes[i].id.name) == 0) return true;
    return false;
}

/* "velocity [km/s]" */
static bool read_list_head(fnd_reader *reader, const fender_study *s, const fnd_csv_cell *cell,
                           const fnd_location *here, list_column *column, bool *seen)
{
    const char *bracket = memchr(cell->text, '[', cell->length);
    size_t length = bracket ? (size_t)(bracket - cell->text) : cell->length;
    const size_t rest = cell->length - length;
    while (length > 0 && cell->text[length - 1] == ' ') length--;
    const char *name = fnd_keep_text(reader, cell->text, length);
    column->unit = rest > 2 ? fnd_keep_text(reader, bracket + 1, rest - 2) : "";
    if (!name || !column->unit) return false;
    char own[80];
    for (column->input = 0; column->input < s->input_count; column->input++) {
        fnd_study_input_name(s, column->input, own, sizeof own);
        if (strcmp(own, name) == 0) break;
    }
    if (column->input == s->input_count && is_result(s, name)) return true;
    if (column->input == s->input_count || seen[column->input]) {
        fnd_complain(
            reader, here, FENDER_STATUS_NAME,
            fnd_phrase_make("column '%s' is not a variable of the study, or occurs twice", fnd_shown(name).text).text,
            name, "a column for each variable", "name the columns as the variables");
        return false;
    }
    seen[column->input] = true;
    column->variable = fnd_study_input_variable(s, column->input);
    if (strcmp(column->unit, column->variable->unit) == 0) column->unit = "";
    if (!column->unit[0]) return true;
    if (!column->variable->unit[0]) {
        fnd_complain(reader, here, FENDER_STATUS_UNIT,
                     fnd_phrase_make("column '%s' has a unit, but its variable has none", fnd_shown(name).text).text,
                     column->unit, "numbers as `vary` has them",
                     fnd_phrase_make("state the unit of '%s' in `vary`, too, or leave it out here", name).text);
        return false;
    }
    return fnd_apply_unit(reader, here, column->unit, name, column->unit, column->variable->unit, &(double){1});
}

/* The place of a value that is named as under `discrete`, or -1. */
static int discrete_of(const fnd_variable *v, const char *text)
{
    double number, own;
    size_t used;
    const bool is_number = fnd_number_parse(text, strlen(text), &number, &used) && !text[used];
    for (int i = 0; i < v->distribution.count; i++) {
        if (strcmp(v->texts[i], text) == 0) return i;
        if (is_number && fnd_number_parse(v->texts[i], strlen(v->texts[i]), &own, &used) && !v->texts[i][used] &&
            own == number)
            return i;
    }
    return -1;
}

static bool read_list_cell(fnd_reader *reader, const fnd_csv_cell *cell, const fnd_location *here,
                           const list_column *column, double *value)
{
    const fnd_variable *v = column->variable;
    if (!v) return true;
    const char *text = fnd_keep_text(reader, cell->text, cell->length);
    if (!text) return false;
    if (v->distribution.kind == FND_DISCRETE) {
        const int index = discrete_of(v, text);
        *value = index;
        if (index >= 0) return true;
        fnd_known_name *names = fnd_keep(reader, (size_t)v->distribution.count, sizeof *names);
        for (int i = 0; names && i < v->distribution.count; i++) names[i] = (fnd_known_name){v->texts[i], 0};
        if (names)
            fnd_complain(reader, here, FENDER_STATUS_NAME,
                         fnd_phrase_make("'%s' is not a value of '%s'", fnd_shown(text).text, v->id.name).text, text,
                         "one of the values under `discrete`",
                         fnd_suggest(reader, text, "values", names, v->distribution.count).text);
        return false;
    }
    size_t used = 0;
    if (!fnd_number_parse(text, cell->length, value, &used) || text[used]) {
        fnd_complain(reader, here, FENDER_STATUS_PARSE, "this is not a number of the list", text,
                     "a number in the unit of the variable", "write numbers alone, one for each column");
        return false;
    }
    if (!column->unit[0]) return true;
    fender_unit own;
    if (fender_unit_parse(v->unit, strlen(v->unit), &own, NULL) != FENDER_STATUS_OK ||
        !fnd_apply_unit(reader, here, text, v->id.name, column->unit, v->unit, value))
        return false;
    *value = *value / own.scale - own.offset;
    return true;
}

static bool refuse_list_row(fnd_reader *reader, const fnd_source *source, int line, int count, int wanted)
{
    const fnd_location here = fnd_source_location(source, line + 1, 1, 1);
    fnd_complain(reader, &here, FENDER_STATUS_PARSE, fnd_phrase_make("the line has %d columns", count).text,
                 fnd_phrase_make("%d columns", count).text, fnd_phrase_make("%d, as the line of names", wanted).text,
                 "commas separate columns; decimals have a point, 0.5");
    return false;
}

/* Every variable has its column. */
static bool check_list_head(fnd_reader *reader, const fender_study *s, const fnd_source *source, int line,
                            const bool *seen)
{
    char name[80];
    for (int i = 0; i < s->input_count; i++) {
        if (seen[i]) continue;
        const fnd_location here = fnd_source_location(source, line + 1, 1, 1);
        fnd_study_input_name(s, i, name, sizeof name);
        fnd_complain(reader, &here, FENDER_STATUS_NAME,
                     fnd_phrase_make("the list has no column for the variable '%s'", name).text, "",
                     "a column for each variable", "");
        return false;
    }
    return true;
}

bool fnd_study_read_list(fnd_reader *reader, fender_study *s, const fnd_node *node)
{
    const char *name = NULL;
    if (!fnd_read_text(reader, node, "list", &name)) return false;
    const fnd_location *location = fnd_node_shown_location(node);
    char *path = fnd_source_resolve(reader, fnd_source_of(reader, location), name);
    fnd_source *source = path ? fnd_tree_read_file(reader, path, location) : NULL;
    if (!source) return false;
    int width = 0, names = 0; /* columns of the longest line, and of the first */
    for (int line = 0; line < source->line_count; line++) {
        const int count = fnd_csv_split(source->lines + source->line_start[line], NULL, 0);
        if (count > width) width = count;
    }
    list_column *columns = fnd_keep(reader, (size_t)width, sizeof *columns);
    fnd_csv_cell *cells = fnd_keep(reader, (size_t)width, sizeof *cells);
    bool *seen = fnd_keep(reader, (size_t)s->input_count, sizeof *seen);
    double *numbers = fnd_keep(reader, (size_t)s->input_count * (size_t)source->line_count, sizeof *numbers);
    if (!columns || !cells || !seen || !numbers) return false;
    for (int line = 0; line < source->line_count; line++) {
        const char *text = source->lines + source->line_start[line];
        if (fnd_csv_skips(text)) continue;
        const int count = fnd_csv_split(text, cells, width);
        const bool head = names == 0;
        for (int i = 0; i < count && (head || i < names); i++) {
            const fnd_location here = fnd_source_location(source, line + 1, cells[i].column,
                                                          cells[i].length > 0 ? (int)cells[i].length : 1);
            if (head ? !read_list_head(reader, s, &cells[i], &here, &columns[i], seen)
                     : !read_list_cell(reader, &cells[i], &here, &columns[i],
                                       &numbers[s->runs * s->input_count + columns[i].input]))
                return false;
        }
        if (head && !check_list_head(reader, s, source, line, seen)) return false;
        if (head) names = count;
        else if (count != names) return refuse_list_row(reader, source, line, count, names);
        else s->runs++;
    }
    s->list = numbers;
    if (s->runs > 0) return true;
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_VALUE, "the list has no rows", "",
                 "a line of names, then a line for each run", "");
    return false;
}
