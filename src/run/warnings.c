/* What is said before a run begins of its shapes: deep in each other, or passing through each other. */
#include "run/run.h"
#include "support/number.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Overlaps ---- */

/* An overlap of that part of the smaller shape's bounding radius is no rest on a spring. */
static const double DEEP = 0.5;
/* More pairs are not looked at one by one. */
enum { OVERLAP_PAIR_LIMIT = 5000, NAME_SIZE = 420 };

static double size_of(const fender_world *world, fender_shape_id shape)
{
    fender_shape_def def;
    if (fender_shape_get_def(world, shape, &def) != FENDER_STATUS_OK || !def.active) return 0;
    return fender_geometry_bounding_radius(def.geometry);
}

static void warn_of_overlap(const fender_run *run, fender_shape_id a, fender_shape_id b, double depth, double part)
{
    char pair[NAME_SIZE], message[NAME_SIZE + 200], deep[FND_NUMBER_SIZE], share[FND_NUMBER_SIZE];
    fnd_pair_name(run->world, a, b, pair, sizeof pair);
    fnd_number_format_digits(depth, 3, deep, sizeof deep);
    fnd_number_format_digits(part, 2, share, sizeof share);
    snprintf(message, sizeof message, "%s overlap by %s m at the start, %s of the smaller one's radius", pair, deep,
             share);
    fender_diagnostic warning = {
        .severity = FENDER_SEVERITY_WARNING,
        .status = FENDER_STATUS_VALUE,
        .file = "",
        .excerpt = "",
        .message = message,
        .found = deep,
        .expected = "shapes that are apart or just touch",
        .suggestion = "they will be thrown apart: are poses, units and the sense of normals right?"};
    run->env.report(run->env.report_ctx, &warning);
}

void fnd_run_warn_of_overlap(const fender_run *run)
{
    const fender_world *world = run->world;
    int count = fender_shape_count(world);
    if (!run->env.report || (int64_t)count * (count - 1) / 2 > OVERLAP_PAIR_LIMIT) return;
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            fender_shape_id a = fender_shape_at(world, i), b = fender_shape_at(world, k);
            double size_a = size_of(world, a), size_b = size_of(world, b), size = size_a < size_b ? size_a : size_b;
            fender_pair_explanation pair;
            fender_contact_data data;
            if (!(size > 0) || !isfinite(size) || fender_world_explain(world, a, b, &pair) != FENDER_STATUS_OK ||
                pair.reason != FENDER_PAIR_MAY_TOUCH ||
                fender_contact_between(world, a, b, &data) != FENDER_STATUS_OK || !(-data.separation > DEEP * size))
                continue;
            warn_of_overlap(run, pair.a, pair.b, -data.separation, -data.separation / size);
        }
}

/* ---- Pairs ---- */

/* More pairs are not looked at one by one. */
enum { PAIR_LIMIT = 500000, NAMED = 3, TEXT_SIZE = 1400 };

typedef struct pair_list {
    int64_t count;
    fender_shape_id pairs[NAMED][2];
} pair_list;

static void note(pair_list *list, const fender_pair_explanation *pair)
{
    if (list->count < NAMED) {
        list->pairs[list->count][0] = pair->a;
        list->pairs[list->count][1] = pair->b;
    }
    list->count++;
}

static const char *type_of(const fender_world *world, fender_shape_id shape)
{
    fender_shape_def def;
    return fender_shape_get_def(world, shape, &def) == FENDER_STATUS_OK
               ? fender_geometry_type_name(fender_geometry_type_of(def.geometry))
               : "";
}

static void warn_of_pairs(const fender_run *run, const pair_list *list, const char *what, const char *expected,
                          const char *suggestion)
{
    char message[TEXT_SIZE], found[32];
    if (list->count == 0) return;
    size_t at = (size_t)snprintf(message, sizeof message,
                                 "no %s for %" PRId64 " pair%s of shapes; they pass through each other:", what,
                                 list->count, list->count > 1 ? "s" : "");
    for (int i = 0; i < NAMED && i < list->count; i++) {
        char name[220];
        fnd_pair_name(run->world, list->pairs[i][0], list->pairs[i][1], name, sizeof name);
        at += (size_t)snprintf(message + at, sizeof message - at, "%s %s (%s, %s)", i > 0 ? "," : "", name,
                               type_of(run->world, list->pairs[i][0]), type_of(run->world, list->pairs[i][1]));
    }
    if (list->count > NAMED) snprintf(message + at, sizeof message - at, ", and others");
    snprintf(found, sizeof found, "%" PRId64, list->count);
    fender_diagnostic warning = {.severity = FENDER_SEVERITY_WARNING,
                                 .status = FENDER_STATUS_VALUE,
                                 .file = "",
                                 .excerpt = "",
                                 .message = message,
                                 .found = found,
                                 .expected = expected,
                                 .suggestion = suggestion};
    run->env.report(run->env.report_ctx, &warning);
}

void fnd_run_warn_of_pairs(const fender_run *run)
{
    const fender_world *world = run->world;
    int count = fender_shape_count(world);
    pair_list without_rule = {0}, without_function = {0};
    if (!run->env.report || (int64_t)count * (count - 1) / 2 > PAIR_LIMIT) return;
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            fender_pair_explanation pair;
            fender_rule_def rule;
            if (fender_world_explain(world, fender_shape_at(world, i), fender_shape_at(world, k), &pair) !=
                FENDER_STATUS_OK)
                continue;
            if (pair.reason == FENDER_PAIR_NO_RULE) note(&without_rule, &pair);
            if (pair.reason == FENDER_PAIR_NO_FUNCTION &&
                fender_rule_get_def(world, pair.rule, &rule) == FENDER_STATUS_OK && !rule.ignore_unsupported)
                note(&without_function, &pair);
        }
    warn_of_pairs(run, &without_function, "contact function", "pairs that `fender info pairs` shows",
                  "give them other geometries, or write unsupported: ignore in the rule");
    warn_of_pairs(run, &without_rule, "rule", "a rule for every pair",
                  "add {default: never} to `rules` if that is meant, else a rule for them or {default: TYPE}");
}
