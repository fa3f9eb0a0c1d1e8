/* `fender explain`: says whether two shapes or bodies may touch, by which rule, or why not. */
#include <stdio.h>
#include <string.h>

#include "explain.h"
#include "text/nearest.h"

static const fnd_app_option options[] = {
    {"--set", "PATH=VALUE", "replace a value of the scenario; can be repeated"},
};

/* ---- names */

static int unknown_name(fnd_app *app, const fender_world *world, const char *name, bool shape_of_body,
                        fender_body_id body)
{
    char message[200], suggestion[300] = "";
    const char *dot = strchr(name, '.'), *word = shape_of_body ? dot + 1 : name;
    size_t length = shape_of_body || dot == NULL ? strlen(word) : (size_t)(dot - name), used = 0;
    fnd_nearest search = fnd_nearest_begin(word, length);
    int offered = shape_of_body ? fender_shape_count(world) : fender_body_count(world);
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && search.best != NULL)
            used = (size_t)snprintf(suggestion, sizeof suggestion, "did you mean '%.64s'?   ", search.best);
        if (pass == 1)
            used += (size_t)snprintf(suggestion + used, sizeof suggestion - used,
                                     "%s here:", shape_of_body ? "shapes" : "bodies");
        for (int i = 0; i < offered; i++) {
            fender_body_id owner = shape_of_body ? fender_shape_body(world, fender_shape_at(world, i))
                                                 : fender_body_at(world, i);
            if (shape_of_body && owner.index1 != body.index1) continue;
            const char *known = shape_of_body ? fender_shape_name(world, fender_shape_at(world, i))
                                              : fender_body_name(world, owner);
            if (pass == 0) {
                fnd_nearest_offer(&search, known);
            } else if (used + strlen(known) + 2 < sizeof suggestion) {
                used += (size_t)snprintf(suggestion + used, sizeof suggestion - used, " %s", known);
            }
        }
    }
    if (shape_of_body) {
        snprintf(message, sizeof message, "'%.64s' has no shape named '%.64s'", fender_body_name(world, body), word);
    } else {
        snprintf(message, sizeof message, "no body is named '%.*s'", length < 64 ? (int)length : 64, word);
    }
    return fnd_app_usage(app, message, suggestion);
}

static int find_side(fnd_app_question *q, const char *name, fnd_app_side *found)
{
    char body_name[160];
    const char *dot = strchr(name, '.');
    snprintf(body_name, sizeof body_name, "%.*s", dot != NULL ? (int)(dot - name) : (int)strlen(name), name);
    memset(found, 0, sizeof *found);
    found->name = name;
    if (fender_body_find(q->world, body_name, &found->body) != FENDER_STATUS_OK)
        return unknown_name(q->app, q->world, name, false, found->body);
    if (dot != NULL && fender_shape_find(q->world, found->body, dot + 1, &found->shape) != FENDER_STATUS_OK)
        return unknown_name(q->app, q->world, name, true, found->body);
    return FND_APP_OK;
}

/* ---- pairs */

bool fnd_app_side_holds(const fnd_app_question *q, const fnd_app_side *side, fender_shape_id shape)
{
    if (side->shape.index1 != 0) return side->shape.index1 == shape.index1;
    return fender_shape_body(q->world, shape).index1 == side->body.index1;
}

void fnd_app_each_pair(fnd_app_question *q, void (*visit)(fnd_app_question *q, fender_shape_id a, fender_shape_id b))
{
    int count = fender_shape_count(q->world);
    bool same = q->a.body.index1 == q->b.body.index1;
    for (int i = 0; i < count; i++) {
        fender_shape_id a = fender_shape_at(q->world, i);
        if (!fnd_app_side_holds(q, &q->a, a)) continue;
        for (int k = same ? i + 1 : 0; k < count; k++) {
            fender_shape_id b = fender_shape_at(q->world, k);
            if (fnd_app_side_holds(q, &q->b, b)) visit(q, a, b);
        }
    }
}

static void count_pair(fnd_app_question *q, fender_shape_id a, fender_shape_id b)
{
    fender_pair_explanation explanation;
    if (fender_world_explain(q->world, a, b, &explanation) != FENDER_STATUS_OK) return;
    q->pairs++;
    if (q->counts[explanation.reason]++ == 0) q->examples[explanation.reason] = explanation;
}

static int explain(fnd_app_question *q)
{
    int code = find_side(q, q->app->arguments[1], &q->a);
    if (code == FND_APP_OK) code = find_side(q, q->app->arguments[2], &q->b);
    if (code != FND_APP_OK) return code;
    fnd_app_each_pair(q, count_pair);
    if (q->app->json) {
        fnd_app_explain_json(q);
    } else {
        fnd_app_explain_text(q);
    }
    return FND_APP_OK;
}

static int execute(fnd_app *app)
{
    fnd_app_question q;
    fender_error error = {0};
    int code, errors_before = app->error_count;
    fender_scenario *scenario = fnd_app_load(app, app->arguments[0], "", &code);
    if (scenario == NULL) return code;
    fender_world *world = fender_scenario_build(scenario, &app->env, &error);
    if (world == NULL) {
        code = fnd_app_fail(app, &error, errors_before, "");
    } else {
        memset(&q, 0, sizeof q);
        q.app = app;
        q.scenario = scenario;
        q.world = world;
        code = explain(&q);
    }
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
    return code;
}

const fnd_app_command fnd_app_command_explain = {
    .group = "Understand",
    .name = "explain",
    .arguments = "SCENARIO A B",
    .summary = "show whether shapes or bodies A and B can touch, and which rule applies",
    .purpose = "show whether shapes or bodies A and B can touch, and which rule applies",
    .details = "A and B are bodies (veh1) or shapes (veh1.hull). Without a pair, the reason is given.\n",
    .example = "  fender explain two_spheres.yaml veh1 veh2",
    .files = "",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 3,
    .most_arguments = 3,
    .execute = execute,
};
