/* Names in expressions of outcomes: inputs, kept values and outcomes above, as in "tilt > 30 [deg] or (slid and not
 * upright)". */
#include "study/study.h"

#include "scenario/expression.h"

#include <string.h>

typedef struct names {
    fnd_reader *reader;
    const fender_study *study;
    int outcomes; /* that may be named */
} names;

static int find(void *ctx, const char *name, size_t *length, const fnd_location *location)
{
    const names *n = ctx;
    const fender_study *s = n->study;
    char text[128];
    fnd_candidate candidates[64];
    int count = 0;
    for (int i = 0; i < s->input_count + s->kept_count + n->outcomes; i++) {
        const char *candidate = text;
        if (i < s->input_count) fnd_study_input_name(s, i, text, sizeof text);
        else if (i < s->input_count + s->kept_count) candidate = s->kept[i - s->input_count].id.name;
        else candidate = s->outcomes[i - s->input_count - s->kept_count].id.name;
        if (strlen(candidate) == *length && strncmp(candidate, name, *length) == 0) return i;
        if (count < 64 && i < s->input_count) candidate = fnd_study_input_variable(s, i)->id.name;
        if (count < 64) candidates[count++] = (fnd_candidate){candidate, 0};
    }
    char *found = fnd_keep_text(n->reader, name, *length);
    if (found)
        fnd_complain(n->reader, location, FENDER_STATUS_NAME,
                     fnd_phrase_make("nothing is named '%s'", fnd_shown(found).text).text, fnd_shown(name).text,
                     "a variable, a kept value or an outcome above",
                     fnd_suggest(n->reader, found, "names", candidates, count).text);
    return -1;
}

bool fnd_outcome_read(fnd_reader *reader, const fender_study *study, const fnd_node *node, fnd_outcome *outcome)
{
    names n = {reader, study, (int)(outcome - study->outcomes)};
    fnd_expression_def def = {FND_EXPRESSION_LOGICAL, node, find, &n};
    fnd_operator *code = NULL;
    if (!fnd_read_text(reader, node, outcome->id.name, &outcome->text) ||
        !fnd_expression_read(reader, &def, &code, &outcome->count))
        return false;
    outcome->code = fnd_expression_instructions(reader, code, outcome->count);
    return outcome->code != NULL;
}
