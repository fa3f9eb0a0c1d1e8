/* Formulas of laws and loads: names, dimensions and constants. */
#include "scenario/formula.h"

#include "units/dimension.h"
#include <fender/units.h>
#include <string.h>

/* ---- names */

static int first_constant(const fnd_formula_kind *kind) { return kind->slot_count + FENDER_LOAD_READING_CAPACITY; }

static int slot_named(const fnd_formula_kind *kind, const char *name, size_t length)
{
    for (int i = 0; i < kind->readable; i++)
        if (strlen(kind->slots[i].name) == length && strncmp(kind->slots[i].name, name, length) == 0) return i;
    return -1;
}

static bool is_hidden(const fnd_formula_kind *kind, const char *name)
{
    for (int i = kind->readable; i < kind->slot_count; i++)
        if (strcmp(kind->slots[i].name, name) == 0) return true;
    return false;
}

static int find(void *ctx, const char *name, size_t *length, const fnd_location *location)
{
    fnd_formula *n = ctx;
    const fnd_formula_kind *kind = n->kind;
    const int slot = slot_named(kind, name, *length);
    if (slot >= 0) return slot;
    for (int i = 0; i < n->constant_count; i++) {
        if (strlen(n->constants[i]->key) != *length || strncmp(n->constants[i]->key, name, *length) != 0) continue;
        n->used[i] = true;
        return first_constant(kind) + i;
    }
    fnd_known_name candidates[FND_FORMULA_SLOT_LIMIT + FND_FORMULA_CONSTANT_LIMIT];
    int count = 0;
    for (int i = 0; i < kind->readable; i++) candidates[count++] = (fnd_known_name){kind->slots[i].name, 0};
    for (int i = 0; i < n->constant_count; i++) candidates[count++] = (fnd_known_name){n->constants[i]->key, 0};
    const bool path = fnd_formula_names_channel(name);
    if (path && name[*length] == '.') *length += strcspn(name + *length, " ()+-*/^<>=,"); /* of a law, without parts */
    char *found = fnd_keep_text(n->reader, name, *length);
    if (!found) return -1;
    if (path) return fnd_formula_find_channel(n, found, location);
    if (strcmp(found, "not") == 0) {
        fnd_complain(n->reader, location, FENDER_STATUS_PARSE, "'not' stands before a comparison", "not",
                     "a number, a name or '('", fnd_phrase_make("put it in brackets: f * %s", kind->example).text);
        return -1;
    }
    if (name[*length + strspn(name + *length, " ")] == '(') {
        fnd_complain(n->reader, location, FENDER_STATUS_NAME,
                     fnd_phrase_make("no function is named '%s'", fnd_shown(found).text).text, fnd_shown(found).text,
                     "abs, sqrt, sin, cos, tan, exp, log, tanh, min, max", "powers are written x^2");
        return -1;
    }
    const fnd_phrase shown = fnd_shown(found);
    fnd_complain(n->reader, location, FENDER_STATUS_NAME,
                 is_hidden(kind, found) ? fnd_phrase_make("'%s' is %s", shown.text, kind->hidden).text
                                        : fnd_phrase_make("nothing is named '%s'", shown.text).text,
                 shown.text, fnd_phrase_make("%s, or a name under 'constants'", kind->what).text,
                 fnd_suggest(n->reader, found, "names", candidates, count).text);
    return -1;
}

/* ---- constants */

static const char *const functions[] = {"abs",  "sqrt", "sin", "cos", "tan", "exp", "log",
                                        "tanh", "min",  "max", "and", "or",  "not", NULL};

static bool name_is_free(fnd_reader *reader, const fnd_formula_kind *kind, const fnd_node *node)
{
    bool taken = false;
    for (int i = 0; i < kind->slot_count; i++) taken |= strcmp(kind->slots[i].name, node->key) == 0;
    for (int i = 0; functions[i]; i++) taken |= strcmp(functions[i], node->key) == 0;
    if (!taken) return true;
    fnd_complain(reader, &node->key_location, FENDER_STATUS_NAME,
                 fnd_phrase_make("'%s' has a meaning in expressions of %s", node->key, kind->of).text, node->key,
                 "a name of its own", fnd_phrase_make("call the constant '%s_0'", node->key).text);
    return false;
}

static bool read_constant(fnd_reader *reader, const fnd_formula_kind *kind, const fnd_node *node,
                          fnd_quantity *quantity)
{
    bool unit;
    fender_error error = {0};
    if (!fnd_check_name(reader, node->key, &node->key_location, "a constant") || !name_is_free(reader, kind, node))
        return false;
    if (node->kind == FND_NODE_TEXT && fnd_quantity_parse(node->text, quantity, &unit)) return true;
    const bool text = node->kind == FND_NODE_TEXT;
    if (text) (void)fender_quantity_parse(node->text, strlen(node->text), "1", &(double){0}, &error);
    const bool bad_unit = text && error.status == FENDER_STATUS_UNIT;
    fnd_complain(reader, fnd_node_shown_location(node), bad_unit ? FENDER_STATUS_UNIT : FENDER_STATUS_VALUE,
                 bad_unit ? error.message : fnd_phrase_make("constant '%s' is not a number", node->key).text,
                 text && node->text[0] ? fnd_shown(node->text).text : fnd_node_kind_text(node),
                 bad_unit ? "a number with a known unit" : "a finite number, perhaps with a unit",
                 bad_unit && error.suggestion[0] ? error.suggestion
                                                 : fnd_phrase_make("write '%s: 2e5 N/m'", node->key).text);
    return false;
}

static bool read_constants(fnd_formula *n, const fnd_node *map)
{
    if (!map) return true;
    if (!fnd_expect_map(n->reader, map, "constants")) return false;
    if (map->count > FND_FORMULA_CONSTANT_LIMIT) {
        fnd_complain(n->reader, &map->key_location, FENDER_STATUS_VALUE, "an expression has too many constants",
                     fnd_phrase_make("%d", map->count).text, "at most 32", "compute some of them beforehand");
        return false;
    }
    bool good = true;
    for (const fnd_node *node = map->first; node; node = node->next) {
        n->constants[n->constant_count] = node;
        good = read_constant(n->reader, n->kind, node, &n->values[first_constant(n->kind) + n->constant_count++]) &&
               good;
    }
    return good;
}

bool fnd_formula_begin(fnd_reader *reader, const fnd_formula_kind *kind, const fnd_node *constants, fnd_formula *n)
{
    memset(n, 0, sizeof *n);
    n->reader = reader;
    n->kind = kind;
    for (int i = 0; i < kind->slot_count; i++) {
        fender_unit unit;
        (void)fender_unit_parse(kind->slots[i].unit, strlen(kind->slots[i].unit), &unit, NULL);
        memcpy(n->values[i].exponent, unit.exponent, sizeof unit.exponent);
        n->values[i].unknown = true;
    }
    return read_constants(n, constants);
}

void fnd_formula_end(const fnd_formula *n)
{
    for (int i = 0; i < n->constant_count; i++)
        if (!n->used[i])
            fnd_diagnostic_add(n->reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_NAME,
                               &n->constants[i]->key_location,
                               fnd_phrase_make("constant '%s' is not used", n->constants[i]->key).text,
                               n->constants[i]->key, "a name in the expression", "use it, or remove it");
}

/* ---- the expression */

static bool check_unit(fnd_reader *reader, const fnd_node *node, const fnd_formula_result *wanted,
                       const fnd_quantity *result)
{
    fender_unit unit_wanted;
    (void)fender_unit_parse(wanted->unit, strlen(wanted->unit), &unit_wanted, NULL);
    if (fnd_dimension_compare(result->exponent, unit_wanted.exponent) == FND_AGREE) return true;
    char phrase[120], unit[120];
    fnd_dimension_phrase(result->exponent, phrase, sizeof phrase);
    fnd_dimension_text(result->exponent, unit, sizeof unit);
    const bool plain = strcmp(unit, "1") == 0;
    const char *found = plain                  ? "a plain number"
                        : strstr(phrase, unit) ? phrase
                                               : fnd_phrase_make("%s [%s]", phrase, unit).text;
    fnd_phrase shown = fnd_phrase_make("%s", found);
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_UNIT,
                 fnd_phrase_make("the expression gives %s, not %s", shown.text, wanted->wrong).text, shown.text,
                 wanted->expected, wanted->remedy);
    return false;
}

fender_instruction *fnd_formula_compile(fnd_formula *n, const fnd_node *node, const fnd_formula_result *wanted,
                                        int *count)
{
    fnd_operator *code = NULL;
    fnd_quantity result;
    const fnd_expression_def def = {n->kind->style, node, find, n};
    if (!fnd_expression_read(n->reader, &def, &code, count) ||
        !fnd_expression_quantity(n->reader, &def, code, *count, n->values, &result) ||
        !check_unit(n->reader, node, wanted, &result))
        return NULL;
    fender_instruction *program = fnd_expression_instructions(n->reader, code, *count);
    for (int i = 0; program && i < *count; i++)
        if (program[i].operation == FENDER_OP_SLOT && program[i].slot >= first_constant(n->kind))
            program[i] = (fender_instruction){FENDER_OP_NUMBER, 0, n->values[program[i].slot].value};
    return program;
}
