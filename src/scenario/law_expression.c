/* Laws that are formulas: names, dimensions and constants of the expression, compiled for the law. */
#include "scenario/law_expression.h"

#include <string.h>

#include "scenario/expression.h"
#include "units/dimension.h"

enum { NORMAL, FRICTION };
static const char *const law_names[] = {"expression", "friction_expression"};
static const char *const formula_keys[] = {"force", "coefficient"}, *const result_units[] = {"N", "1"};

/* In the order of fender_law_slot. */
static const struct {
    const char *name, *unit;
} slot_table[FENDER_LAW_SLOT_COUNT] = {{"depth", "m"}, {"rate", "m/s"},           {"slip", "m/s"},
                                       {"time", "s"},  {"approach_speed", "m/s"}, {"normal_force", "N"}};

enum { CONSTANT_LIMIT = 32, SLOT_LIMIT = FENDER_LAW_SLOT_COUNT + CONSTANT_LIMIT };

bool fnd_law_is_expression(const fender_law *law)
{
    return law == fender_law_find(NULL, law_names[NORMAL]) || law == fender_law_find(NULL, law_names[FRICTION]);
}

static int kind_of(const fender_law *law) { return strcmp(law->name, law_names[NORMAL]) == 0 ? NORMAL : FRICTION; }

const char *const *fnd_law_expression_keys(const fender_law *law)
{
    static const char *const keys[][4] = {{"law", "force", "constants", NULL},
                                          {"law", "coefficient", "constants", NULL}};
    return keys[kind_of(law)];
}

const char *fnd_law_formula(const fnd_node *map, const fender_law *law)
{
    const fnd_node *node = law && fnd_law_is_expression(law) ? fnd_node_find(map, formula_keys[kind_of(law)]) : NULL;
    return node && node->kind == FND_NODE_TEXT ? node->text : NULL;
}

const char *fender_scenario_formula(const fender_scenario *scenario, const char *contact_type, const char *part)
{
    for (int i = 0; i < scenario->contact_type_count; i++) {
        const fnd_contact_type_description *type = &scenario->contact_types[i];
        if (strcmp(type->id.name, contact_type) != 0) continue;
        return strcmp(part, "normal") == 0     ? type->normal_formula
               : strcmp(part, "friction") == 0 ? type->friction_formula
                                               : NULL;
    }
    return NULL;
}

/* ---- names */

typedef struct names {
    fnd_reader *reader;
    int kind, slots; /* slots of the law come first, then the constants */
    fnd_quantity values[SLOT_LIMIT];
    const fnd_node *constants[CONSTANT_LIMIT];
    bool used[CONSTANT_LIMIT];
    int constant_count;
} names;

static int slot_named(const names *n, const char *name, size_t length)
{
    for (int i = 0; i < n->slots; i++)
        if (strlen(slot_table[i].name) == length && strncmp(slot_table[i].name, name, length) == 0) return i;
    return -1;
}

static int find(void *ctx, const char *name, size_t *length, const fnd_location *location)
{
    names *n = ctx;
    const int slot = slot_named(n, name, *length);
    if (slot >= 0) return slot;
    for (int i = 0; i < n->constant_count; i++) {
        if (strlen(n->constants[i]->key) != *length || strncmp(n->constants[i]->key, name, *length) != 0) continue;
        n->used[i] = true;
        return FENDER_LAW_SLOT_COUNT + i;
    }
    fnd_candidate candidates[SLOT_LIMIT];
    int count = 0;
    for (int i = 0; i < n->slots; i++) candidates[count++] = (fnd_candidate){slot_table[i].name, 0};
    for (int i = 0; i < n->constant_count; i++) candidates[count++] = (fnd_candidate){n->constants[i]->key, 0};
    char *found = fnd_keep_text(n->reader, name, *length);
    if (!found) return -1;
    if (strcmp(found, "not") == 0) {
        fnd_complain(n->reader, location, FENDER_STATUS_PARSE, "'not' stands before a comparison", "not",
                     "a number, a name or '('", "put it in brackets: f * (not depth > l)");
        return -1;
    }
    if (name[*length + strspn(name + *length, " ")] == '(') {
        fnd_complain(n->reader, location, FENDER_STATUS_NAME,
                     fnd_phrase_make("no function is named '%s'", fnd_shown(found).text).text, fnd_shown(found).text,
                     "abs, sqrt, sin, cos, tan, exp, log, tanh, min, max", "powers are written x^2");
        return -1;
    }
    const bool later = strcmp(found, slot_table[FENDER_LAW_SLOT_NORMAL_FORCE].name) == 0;
    fnd_complain(
        n->reader, location, FENDER_STATUS_NAME,
        fnd_phrase_make(later ? "'%s' is known to friction alone" : "nothing is named '%s'", fnd_shown(found).text)
            .text,
        fnd_shown(found).text, "a quantity of the contact, or a name under 'constants'",
        fnd_suggest(n->reader, found, "names", candidates, count).text);
    return -1;
}

/* ---- constants */

static const char *const functions[] = {"abs",  "sqrt", "sin", "cos", "tan", "exp", "log",
                                        "tanh", "min",  "max", "and", "or",  "not", NULL};

static bool name_is_free(fnd_reader *reader, const fnd_node *node)
{
    bool taken = false;
    for (int i = 0; i < FENDER_LAW_SLOT_COUNT; i++) taken |= strcmp(slot_table[i].name, node->key) == 0;
    for (int i = 0; functions[i]; i++) taken |= strcmp(functions[i], node->key) == 0;
    if (!taken) return true;
    fnd_complain(reader, &node->key_location, FENDER_STATUS_NAME,
                 fnd_phrase_make("'%s' has a meaning in expressions of laws", node->key).text, node->key,
                 "a name of its own", fnd_phrase_make("call the constant '%s_0'", node->key).text);
    return false;
}

static bool read_constant(fnd_reader *reader, const fnd_node *node, fnd_quantity *quantity)
{
    bool unit;
    fender_error error = {0};
    if (!fnd_check_name(reader, node->key, &node->key_location, "a constant") || !name_is_free(reader, node))
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

static bool read_constants(fnd_reader *reader, const fnd_node *map, names *n)
{
    if (!map) return true;
    if (!fnd_expect_map(reader, map, "constants")) return false;
    if (map->count > CONSTANT_LIMIT) {
        fnd_complain(reader, &map->key_location, FENDER_STATUS_VALUE, "an expression has too many constants",
                     fnd_phrase_make("%d", map->count).text, "at most 32", "compute some of them beforehand");
        return false;
    }
    bool good = true;
    for (const fnd_node *node = map->first; node; node = node->next) {
        n->constants[n->constant_count] = node;
        good = read_constant(reader, node, &n->values[FENDER_LAW_SLOT_COUNT + n->constant_count++]) && good;
    }
    return good;
}

static void warn_of_unused(fnd_reader *reader, const names *n)
{
    for (int i = 0; i < n->constant_count; i++)
        if (!n->used[i])
            fnd_diagnostic_add(reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_NAME,
                               &n->constants[i]->key_location,
                               fnd_phrase_make("constant '%s' is not used", n->constants[i]->key).text,
                               n->constants[i]->key, "a name in the expression", "use it, or remove it");
}

/* ---- the expression */

static bool check_unit(fnd_reader *reader, const fnd_node *node, int kind, const fnd_quantity *result)
{
    fender_unit wanted;
    (void)fender_unit_parse(result_units[kind], strlen(result_units[kind]), &wanted, NULL);
    if (fnd_dimension_compare(result->exponent, wanted.exponent) == FND_AGREE) return true;
    char phrase[120], unit[120];
    fnd_dimension_phrase(result->exponent, phrase, sizeof phrase);
    fnd_dimension_text(result->exponent, unit, sizeof unit);
    const bool plain = strcmp(unit, "1") == 0;
    const char *found = plain                  ? "a plain number"
                        : strstr(phrase, unit) ? phrase
                                               : fnd_phrase_make("%s [%s]", phrase, unit).text;
    fnd_phrase shown = fnd_phrase_make("%s", found);
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_UNIT,
                 fnd_phrase_make(kind == NORMAL ? "the expression gives %s, not a force"
                                                : "the expression gives %s, not a coefficient",
                                 shown.text)
                     .text,
                 shown.text, kind == NORMAL ? "a force [N]" : "a plain number",
                 kind == NORMAL ? "give the constants their units: {k: 2e5 N/m}, or 2e5 [N/m] in the expression"
                                : "divide by a constant of the same kind: slip / v, normal_force / f");
    return false;
}

/* Constants become numbers. */
static fender_instruction *compile(fnd_reader *reader, const names *n, const fnd_operator *code, int count)
{
    fender_instruction *program = fnd_expression_instructions(reader, code, count);
    for (int i = 0; program && i < count; i++)
        if (program[i].operation == FENDER_OP_SLOT && program[i].slot >= FENDER_LAW_SLOT_COUNT)
            program[i] = (fender_instruction){FENDER_OP_NUMBER, 0, n->values[program[i].slot].value};
    return program;
}

static fender_status set(int kind, void *parameters, const fender_instruction *program, int count, fender_error *error)
{
    return kind == NORMAL ? fender_expression_parameters_set(parameters, program, count, error)
                          : fender_friction_expression_parameters_set(parameters, program, count, error);
}

void fnd_read_law_expression(fnd_reader *reader, fnd_node *map, const fender_law *law, void *parameters)
{
    const int kind = kind_of(law);
    names n = {.reader = reader, .kind = kind, .slots = FENDER_LAW_SLOT_COUNT - (kind == NORMAL)};
    fnd_node *node = fnd_require(reader, map, formula_keys[kind], fnd_phrase_make("law '%s'", law->name).text,
                                 kind == NORMAL ? "\"k * depth\"" : "\"mu_0 + mu_1 * exp(-slip / v)\"");
    const char *text = NULL;
    for (int i = 0; i < FENDER_LAW_SLOT_COUNT; i++) {
        fender_unit unit;
        (void)fender_unit_parse(slot_table[i].unit, strlen(slot_table[i].unit), &unit, NULL);
        memcpy(n.values[i].exponent, unit.exponent, sizeof unit.exponent);
        n.values[i].unknown = true;
    }
    bool good = read_constants(reader, fnd_node_find(map, "constants"), &n);
    if (!node || !fnd_read_text(reader, node, formula_keys[kind], &text) || !good) return;
    fnd_operator *code = NULL;
    int count = 0;
    fnd_quantity result;
    fnd_expression_def def = {FND_EXPRESSION_LAW, node, find, &n};
    if (!fnd_expression_read(reader, &def, &code, &count) ||
        !fnd_expression_quantity(reader, &def, code, count, n.values, &result) ||
        !check_unit(reader, node, kind, &result))
        return;
    warn_of_unused(reader, &n);
    fender_instruction *program = compile(reader, &n, code, count);
    fender_error error = {0};
    if (!program || (!set(kind, parameters, program, count, &error) && !law->check(parameters, &error))) return;
    fnd_diagnostic_add_error(reader->diagnostics, &error, fnd_node_shown_location(node));
}
