/* Names in expressions of outcomes: inputs, kept values and outcomes above, as in "tilt > 30 [deg] or (slid and not
 * upright)". */
#include "study/study.h"

#include "scenario/expression.h"

#include <fender/units.h>
#include <math.h>
#include <string.h>

typedef struct names {
    fnd_reader *reader;
    const fender_study *study;
    int outcomes; /* that may be named */
} names;

enum { NAME_SIZE = 128, LISTED = 64 };

/* Of a slot: an input's is written to `text`. */
static const char *name_at(const fender_study *s, int slot, char text[NAME_SIZE])
{
    if (slot >= s->input_count + s->kept_count) return s->outcomes[slot - s->input_count - s->kept_count].id.name;
    if (slot >= s->input_count) return s->kept[slot - s->input_count].id.name;
    fnd_study_input_name(s, slot, text, NAME_SIZE);
    return text;
}

static void complain_unknown(const names *n, const char *name, size_t length, const fnd_location *location, int slots)
{
    fnd_known_name candidates[LISTED];
    char texts[LISTED][NAME_SIZE];
    const int count = slots < LISTED ? slots : LISTED;
    for (int i = 0; i < count; i++) candidates[i] = (fnd_known_name){name_at(n->study, i, texts[i]), 0};
    const char *found = fnd_keep_text(n->reader, name, length);
    if (found)
        fnd_complain(n->reader, location, FENDER_STATUS_NAME,
                     fnd_phrase_make("nothing is named '%s'", fnd_shown(found).text).text, fnd_shown(found).text,
                     "a variable, a kept value or an outcome above",
                     fnd_suggest(n->reader, found, "names", candidates, count).text);
}

bool fnd_study_numbers(const char *const *texts, int64_t count, double *values, fnd_quantity *kind)
{
    bool bare = false; /* one other than 0 has no unit */
    *kind = (fnd_quantity){.unknown = true, .free = true};
    for (int64_t i = 0; i < count; i++) {
        fnd_quantity own;
        bool unit;
        if (!fnd_quantity_parse(texts[i], &own, &unit) || !isfinite(own.value)) return false;
        values[i] = own.value;
        if (!unit) {
            bare = bare || own.value != 0;
            continue;
        }
        if (!kind->free && memcmp(own.exponent, kind->exponent, sizeof own.exponent) != 0) return false;
        kind->free = false;
        memcpy(kind->exponent, own.exponent, sizeof kind->exponent);
    }
    return kind->free || !bare;
}

/* Values that are no numbers cannot be compared. A discrete variable without values is one that could not be read,
 * which has been told. */
static bool is_number(const names *n, int slot, const fnd_location *location)
{
    const fnd_variable *v = slot < n->study->input_count ? fnd_study_input_variable(n->study, slot) : NULL;
    if (!v || v->distribution.kind != FND_DISCRETE || v->distribution.count == 0 || v->numbers) return true;
    fnd_complain(n->reader, location, FENDER_STATUS_VALUE,
                 fnd_phrase_make("'%s' has values that are not numbers of one kind", v->id.name).text,
                 fnd_shown(v->texts[0]).text, "a variable whose values are all numbers, with units of one dimension",
                 "compare a kept value that depends on it, or give all values units or none");
    return false;
}

static int find(void *ctx, const char *name, size_t *length, const fnd_location *location)
{
    const names *n = ctx;
    const int slots = n->study->input_count + n->study->kept_count + n->outcomes;
    char text[NAME_SIZE];
    for (int i = 0; i < slots; i++) {
        const char *candidate = name_at(n->study, i, text);
        if (strlen(candidate) == *length && strncmp(candidate, name, *length) == 0)
            return is_number(n, i, location) ? i : -1;
    }
    complain_unknown(n, name, *length, location, slots);
    return -1;
}

bool fnd_outcome_read(fnd_reader *reader, const fender_study *study, const fnd_node *node, fnd_outcome *outcome)
{
    names n = {reader, study, (int)(outcome - study->outcomes)};
    fnd_expression_def def = {FND_EXPRESSION_LOGICAL, node, find, &n};
    outcome->node = node;
    if (!fnd_read_text(reader, node, outcome->id.name, &outcome->text) ||
        !fnd_expression_read(reader, &def, &outcome->operators, &outcome->count))
        return false;
    outcome->code = fnd_expression_instructions(reader, outcome->operators, outcome->count);
    return outcome->code != NULL;
}

/* Of a value in a unit; without one its dimension agrees with any. */
static fnd_quantity changing(const char *unit)
{
    fnd_quantity q = {.unknown = true};
    fender_unit parsed;
    if (unit && unit[0] && fender_unit_parse(unit, strlen(unit), &parsed, NULL) == FENDER_STATUS_OK)
        memcpy(q.exponent, parsed.exponent, sizeof q.exponent);
    else q.free = true;
    return q;
}

void fnd_outcomes_check(fnd_reader *reader, const fender_study *study)
{
    const size_t count = (size_t)(study->input_count + study->kept_count + study->outcome_count);
    fnd_quantity *slots = fnd_keep(reader, count, sizeof *slots), result;
    if (!slots) return;
    int at = 0;
    for (int i = 0; i < study->input_count; i++) {
        const fnd_variable *v = fnd_study_input_variable(study, i);
        slots[at++] = v->numbers ? v->number_kind : changing(v->unit);
    }
    for (int i = 0; i < study->kept_count; i++) slots[at++] = changing(study->kept[i].unit);
    for (int i = 0; i < study->outcome_count; i++) slots[at++] = changing("1");
    for (int i = 0; i < study->outcome_count; i++) {
        const fnd_outcome *o = &study->outcomes[i];
        fnd_expression_def def = {FND_EXPRESSION_LOGICAL, o->node, NULL, NULL};
        (void)fnd_expression_quantity(reader, &def, o->operators, o->count, slots, &result);
    }
}
