/* Laws that are formulas: names, dimensions and constants of the expression, compiled for the law. */
#include "scenario/law_expression.h"

#include <string.h>

#include "scenario/formula.h"

enum { NORMAL, FRICTION };
static const char *const law_names[] = {"expression", "friction_expression"};
static const char *const formula_keys[] = {"force", "coefficient"};

/* In the order of fender_law_slot. */
static const fnd_formula_slot slot_table[FENDER_LAW_SLOT_COUNT] = {
    {"depth", "m"}, {"rate", "m/s"}, {"slip", "m/s"}, {"time", "s"}, {"approach_speed", "m/s"}, {"normal_force", "N"}};

#define KIND(readable)                                                                                        \
    {                                                                                                         \
        FND_EXPRESSION_LAW, slot_table, FENDER_LAW_SLOT_COUNT, readable, "laws", "a quantity of the contact", \
            "known to friction alone", "(not depth > l)", false                                               \
    }
static const fnd_formula_kind kinds[] = {KIND(FENDER_LAW_SLOT_NORMAL_FORCE), KIND(FENDER_LAW_SLOT_COUNT)};
static const fnd_formula_result results[] = {
    {"N", "a force", "a force [N]", "give the constants their units: {k: 2e5 N/m}, or 2e5 [N/m] in the expression"},
    {"1", "a coefficient", "a plain number", "divide by a constant of the same kind: slip / v, normal_force / f"}};

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

static fender_status set(int kind, void *parameters, const fender_instruction *program, int count, fender_error *error)
{
    return kind == NORMAL ? fender_expression_parameters_set(parameters, program, count, error)
                          : fender_friction_expression_parameters_set(parameters, program, count, error);
}

void fnd_read_law_expression(fnd_reader *reader, fnd_node *map, const fender_law *law, void *parameters)
{
    const int kind = kind_of(law);
    fnd_formula formula;
    fnd_node *node = fnd_require(reader, map, formula_keys[kind], fnd_phrase_make("law '%s'", law->name).text,
                                 kind == NORMAL ? "\"k * depth\"" : "\"mu_0 + mu_1 * exp(-slip / v)\"");
    const char *text = NULL;
    bool good = fnd_formula_begin(reader, &kinds[kind], fnd_node_find(map, "constants"), &formula);
    if (!node || !fnd_read_text(reader, node, formula_keys[kind], &text) || !good) return;
    int count = 0;
    fender_instruction *program = fnd_formula_compile(&formula, node, &results[kind], &count);
    if (!program) return;
    fnd_formula_end(&formula);
    fender_error error = {0};
    if (!set(kind, parameters, program, count, &error) && !law->check(parameters, &error)) return;
    fnd_diagnostic_add_error(reader->diagnostics, &error, fnd_node_shown_location(node));
}
