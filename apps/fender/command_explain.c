/* `fender explain`: why two bodies touch, or do not, and by which law. */
#include "app.h"
#include "describe.h"
#include "explain_action.h"
#include "support/io_error.h"

#include <stdio.h>
#include <string.h>

enum { FND_APP_REASON_COUNT = FENDER_PAIR_NO_STATE + 1 };

/* A body, or one shape of it. */
typedef struct fnd_app_side {
    const char *name;
    fender_body_id body;
    fender_shape_id shape; /* null: all of the body's */
} fnd_app_side;

typedef struct fnd_app_question {
    fnd_app *app;
    const fender_scenario *scenario;
    const fender_world *world;
    fnd_app_side a, b;
    int64_t pairs, counts[FND_APP_REASON_COUNT];
    fender_pair_explanation examples[FND_APP_REASON_COUNT]; /* the first pair of each reason */
    fnd_app_json json;
} fnd_app_question;

static bool fnd_app_side_holds(const fnd_app_question *q, const fnd_app_side *side, fender_shape_id shape);
/* Calls `visit` for every pair of shapes, the first from side a; a shape and itself are no pair. */
static void fnd_app_each_pair(fnd_app_question *q,
                              void (*visit)(fnd_app_question *q, fender_shape_id a, fender_shape_id b));
static void fnd_app_explain_text(fnd_app_question *q);
static void fnd_app_explain_json(fnd_app_question *q);

/* ---- as text */

enum { SHOWN_PAIRS = 20, LABEL_WIDTH = 23 };

static void put_label(fnd_app_stream *to, const char *label)
{
    fnd_app_put(to, "   ");
    fnd_app_put(to, label);
    fnd_app_put_padding(to, strlen(label) + 3, LABEL_WIDTH);
}

static void put_shape_with_kind(const fnd_app_question *q, fender_shape_id shape)
{
    fnd_app_stream *to = &q->app->out;
    fender_shape_def def;
    if (fender_shape_get_def(q->world, shape, &def) != FENDER_STATUS_OK) return;
    const char *material = fender_material_name(q->world, def.material);
    fnd_app_put_shape(to, q->world, shape);
    fnd_app_print(to, " (%s, %s)", fender_geometry_type_name(fender_geometry_type_of(def.geometry)),
                  material != NULL ? material : "no material");
}

/* The rule, and its use when `with_use`, as text in the buffer of a stream that leads nowhere. */
static void compose_rule(const fnd_app_question *q, fnd_app_stream *scratch, fender_rule_id id, bool with_use)
{
    fender_rule_def rule;
    fender_contact_type_def type;
    fnd_app_stream_open(scratch, -1);
    if (fender_rule_get_def(q->world, id, &rule) != FENDER_STATUS_OK) return;
    fnd_app_put_rule(scratch, q->world, &rule);
    if (!with_use) return;
    bool never = fender_contact_type_get_def(q->world, rule.use, &type) != FENDER_STATUS_OK;
    fnd_app_print(scratch, " -> %s", never ? "never" : type.name);
}

static void put_composed(const fnd_app_question *q, const fnd_app_stream *composed, fender_rule_id id, size_t width)
{
    int line = 0;
    const char *file = fender_scenario_rule_location(q->scenario, id, &line);
    fnd_app_put_bytes(&q->app->out, composed->buffer, composed->used);
    if (line > 0) {
        fnd_app_put_padding(&q->app->out, composed->used, width);
        fnd_app_put_clean(&q->app->out, file);
        fnd_app_print(&q->app->out, ":%d", line);
    }
    fnd_app_put(&q->app->out, "\n");
}

static void put_rules(const fnd_app_question *q, const fender_pair_explanation *explanation)
{
    fnd_app_stream chosen, over;
    compose_rule(q, &chosen, explanation->rule, false);
    compose_rule(q, &over, explanation->overruled, true);
    size_t width = (chosen.used > over.used ? chosen.used : over.used) + 5;
    put_label(&q->app->out, "chosen by");
    put_composed(q, &chosen, explanation->rule, width);
    if (explanation->overruled.index1 == 0) return;
    put_label(&q->app->out, "over");
    put_composed(q, &over, explanation->overruled, width);
}

static void put_contact_type(const fnd_app_question *q, fender_contact_type_id id)
{
    fnd_app_stream *to = &q->app->out;
    fender_contact_type_def type;
    fnd_app_law_use uses[FND_APP_LAW_CAPACITY];
    char label[96];
    if (fender_contact_type_get_def(q->world, id, &type) != FENDER_STATUS_OK) return;
    int count = fnd_app_laws_of(&type, uses);
    snprintf(label, sizeof label, "contact type %.64s", type.name);
    for (int i = 0; i < count; i++) {
        put_label(to, i == 0 ? label : "");
        if (count > 1) fnd_app_print(to, "%s ", uses[i].part);
        fnd_app_put_law(to, uses[i].law, uses[i].parameters);
        fnd_app_put(to, "\n");
    }
    for (int i = 0; i < FND_APP_OPTION_COUNT; i++) {
        const char *option;
        if (!fnd_app_put_option(NULL, &type, i, &option)) continue;
        put_label(to, option);
        fnd_app_put_option(to, &type, i, &option);
        fnd_app_put(to, "\n");
    }
}

static void put_start(const fnd_app_question *q, fender_shape_id a, fender_shape_id b)
{
    char text[FND_APP_NUMBER_SIZE], rate[FND_APP_NUMBER_SIZE];
    fender_contact_data data;
    if (fender_contact_between(q->world, a, b, &data) != FENDER_STATUS_OK) return;
    put_label(&q->app->out, "at the start");
    if (data.touching) {
        fnd_app_print(&q->app->out, "touching, depth %s\n", fnd_app_quantity(text, data.depth, "m"));
    } else {
        fnd_app_print(&q->app->out, "apart, separation %s", fnd_app_quantity(text, data.separation, "m"));
        if (data.depth_rate != 0)
            fnd_app_print(&q->app->out, ", %s at %s", data.depth_rate > 0 ? "closing" : "opening",
                          fnd_app_quantity(rate, fabs(data.depth_rate), "m/s"));
        fnd_app_put(&q->app->out, "\n");
    }
}

static const char *geometry_name(const fnd_app_question *q, fender_shape_id shape)
{
    fender_shape_def def;
    if (fender_shape_get_def(q->world, shape, &def) != FENDER_STATUS_OK) return "?";
    return fender_geometry_type_name(fender_geometry_type_of(def.geometry));
}

static void print_pair(fnd_app_question *q, fender_shape_id a, fender_shape_id b)
{
    fnd_app_stream *to = &q->app->out;
    char text[FND_APP_NUMBER_SIZE];
    fender_pair_explanation explanation;
    if (fender_world_explain(q->world, a, b, &explanation) != FENDER_STATUS_OK ||
        explanation.reason != FENDER_PAIR_MAY_TOUCH || q->pairs++ >= SHOWN_PAIRS)
        return;
    fnd_app_put(to, "\n ");
    put_shape_with_kind(q, a);
    fnd_app_put(to, "  :  ");
    put_shape_with_kind(q, b);
    fnd_app_put(to, "\n");
    put_contact_type(q, explanation.use);
    put_rules(q, &explanation);
    put_label(to, "geometry");
    fnd_app_print(to, "%s-%s, exact\n", geometry_name(q, a), geometry_name(q, b));
    put_label(to, "a");
    fnd_app_put_shape(to, q->world, explanation.a);
    fnd_app_put(to, ": normal force is positive along its outward normal\n");
    if (explanation.onset_gap > 0) {
        put_label(to, "begins");
        fnd_app_print(to, "when nearer than %s\n", fnd_app_quantity(text, explanation.onset_gap, "m"));
    }
    put_label(to, "lives until");
    if (explanation.release_gap > 0) {
        fnd_app_print(to, "separated by more than %s\n", fnd_app_quantity(text, explanation.release_gap, "m"));
    } else {
        fnd_app_put(to, "separated\n");
    }
    put_start(q, a, b);
}

static const char *motion_of(const fnd_app_question *q, fender_shape_id shape)
{
    fender_body_def def;
    if (fender_body_get_def(q->world, fender_shape_body(q->world, shape), &def) != FENDER_STATUS_OK) return "?";
    return fender_motion_name(def.motion);
}

static void put_body_name(const fnd_app_question *q, fender_shape_id shape)
{
    const char *name = fender_body_name(q->world, fender_shape_body(q->world, shape));
    fnd_app_put(&q->app->out, name != NULL ? name : "?");
}

/* The materials that no rule covers, or the shape without a material. */
static void put_uncovered(const fnd_app_question *q, const fender_pair_explanation *explanation, const char *none)
{
    fnd_app_stream *to = &q->app->out;
    fender_shape_def a, b;
    if (fender_shape_get_def(q->world, explanation->a, &a) != FENDER_STATUS_OK ||
        fender_shape_get_def(q->world, explanation->b, &b) != FENDER_STATUS_OK)
        return;
    const char *material_a = fender_material_name(q->world, a.material);
    const char *material_b = fender_material_name(q->world, b.material);
    if (material_a != NULL && material_b != NULL) {
        fnd_app_print(to, "%s covers %s * %s; add one under `rules`", none, material_a, material_b);
    } else {
        fnd_app_print(to, "%s names them, and ", none);
        fnd_app_put_shape(to, q->world, material_a == NULL ? explanation->a : explanation->b);
        fnd_app_put(to, " has no material; add a rule under `rules`");
    }
}

static double origin_distance(const fnd_app_question *q, const fender_pair_explanation *explanation, double *radii)
{
    fender_shape_id shapes[2] = {explanation->a, explanation->b};
    fender_vec3 origin[2] = {{0, 0, 0}, {0, 0, 0}};
    *radii = 0;
    for (int i = 0; i < 2; i++) {
        fender_shape_def def;
        fender_body_data body;
        if (fender_shape_get_def(q->world, shapes[i], &def) != FENDER_STATUS_OK ||
            fender_body_get(q->world, fender_shape_body(q->world, shapes[i]), FENDER_CLOCK_COMMITTED, &body) !=
                FENDER_STATUS_OK)
            return 0;
        origin[i] = fender_vec3_add(body.position, fender_quaternion_rotate(body.attitude, def.X_SG.p));
        *radii += fender_geometry_bounding_radius(def.geometry);
    }
    fender_vec3 apart = fender_vec3_sub(origin[1], origin[0]);
    return sqrt(fender_vec3_dot(apart, apart));
}

/* "both are attached to Robot (since the start)" */
static void put_same_tree(const fnd_app_question *q, const fender_pair_explanation *explanation)
{
    fnd_app_stream *to = &q->app->out;
    fender_body_id a = fender_shape_body(q->world, explanation->a), b = fender_shape_body(q->world, explanation->b);
    fender_body_id parent_a = fender_body_parent(q->world, a), parent_b = fender_body_parent(q->world, b);
    fnd_app_put(to, "same mass tree: ");
    if (parent_a.index1 == b.index1 || parent_b.index1 == a.index1) {
        bool first = parent_a.index1 == b.index1;
        fnd_app_print(to, "%s is attached to %s", fender_body_name(q->world, first ? a : b),
                      fender_body_name(q->world, first ? b : a));
    } else if (parent_a.index1 != 0 && parent_a.index1 == parent_b.index1) {
        fnd_app_print(to, "both are attached to %s", fender_body_name(q->world, parent_a));
    } else {
        fnd_app_print(to, "both belong to the tree of %s", fender_body_name(q->world, fender_body_root(q->world, a)));
    }
    fnd_app_put(to, " (since the start)");
}

/* One line for a reason, told by its first pair. */
static void print_reason(const fnd_app_question *q, const fender_pair_explanation *explanation, int64_t count)
{
    fnd_app_stream *to = &q->app->out;
    char text[FND_APP_NUMBER_SIZE], other[FND_APP_NUMBER_SIZE];
    fender_shape_def a;
    double radii;
    put_label(to, "reason");
    switch (explanation->reason) {
    case FENDER_PAIR_MAY_TOUCH: break;
    case FENDER_PAIR_SAME_BODY:
        fnd_app_put(to, "same body: both are shapes of ");
        put_body_name(q, explanation->a);
        break;
    case FENDER_PAIR_SAME_TREE: put_same_tree(q, explanation); break;
    case FENDER_PAIR_BOTH_IMMOVABLE:
        fnd_app_put(to, "both fixed: ");
        put_body_name(q, explanation->a);
        fnd_app_print(to, " is %s and ", motion_of(q, explanation->a));
        put_body_name(q, explanation->b);
        fnd_app_print(to, " is %s, so neither moves by forces", motion_of(q, explanation->b));
        break;
    case FENDER_PAIR_RULE_NEVER: {
        fnd_app_stream rule;
        fnd_app_put(to, "a rule says never: ");
        compose_rule(q, &rule, explanation->rule, false);
        int line = 0;
        const char *file = fender_scenario_rule_location(q->scenario, explanation->rule, &line);
        fnd_app_put_bytes(to, rule.buffer, rule.used);
        fnd_app_put(to, "     ");
        fnd_app_put_clean(to, file);
        fnd_app_print(to, ":%d", line);
        break;
    }
    case FENDER_PAIR_NO_STATE:
        fnd_app_put(to, "mass only: one of them is not attached to a body that has a state");
        break;
    case FENDER_PAIR_NO_RULE:
        fnd_app_put(to, "no rule: ");
        put_uncovered(q, explanation, "none");
        break;
    case FENDER_PAIR_NOT_ACTIVE:
        fnd_app_put(to, "shape not active: ");
        bool first = fender_shape_get_def(q->world, explanation->a, &a) == FENDER_STATUS_OK && !a.active;
        fnd_app_put_shape(to, q->world, first ? explanation->a : explanation->b);
        break;
    case FENDER_PAIR_NO_FUNCTION:
        fnd_app_print(to, "no contact function for %s-%s; `fender info pairs` lists the supported pairs",
                      geometry_name(q, explanation->a), geometry_name(q, explanation->b));
        break;
    case FENDER_PAIR_NO_INSIDE:
        fnd_app_print(to, "neither %s nor %s has an inside: make one a cylinder, or give a disk a rounding",
                      geometry_name(q, explanation->a), geometry_name(q, explanation->b));
        break;
    case FENDER_PAIR_OUT_OF_RANGE: {
        double apart = origin_distance(q, explanation, &radii);
        double factor = fender_world_get_def(q->world)->contact_limit_factor;
        fnd_app_print(to, "out of the range limit: the origins are %s apart, the limit is %s",
                      fnd_app_quantity(text, apart, "m"), fnd_app_quantity(other, factor * radii, "m"));
        break;
    }
    }
    if (count > 1) fnd_app_print(to, "   (%lld pairs of shapes)", (long long)count);
    fnd_app_put(to, "\n");
    const char *otherwise = explanation->reason == FENDER_PAIR_SAME_TREE        ? "if detached"
                            : explanation->reason == FENDER_PAIR_BOTH_IMMOVABLE ? "if one were dynamic"
                            : explanation->reason == FENDER_PAIR_NOT_ACTIVE     ? "if active"
                            : explanation->reason == FENDER_PAIR_OUT_OF_RANGE   ? "if nearer"
                                                                                : NULL;
    if (otherwise == NULL) return;
    put_label(to, otherwise);
    if (explanation->rule.index1 == 0) {
        put_uncovered(q, explanation, "no rule");
        fnd_app_put(to, "\n");
    } else {
        fnd_app_stream rule;
        compose_rule(q, &rule, explanation->rule, true);
        put_composed(q, &rule, explanation->rule, rule.used + 5);
    }
}

static void fnd_app_explain_text(fnd_app_question *q)
{
    fnd_app_stream *to = &q->app->out;
    int64_t touching = q->counts[FENDER_PAIR_MAY_TOUCH], total = q->pairs;
    fnd_app_print(to, "%s and %s ", q->a.name, q->b.name);
    if (touching > 0) {
        fnd_app_print(to, "may touch: %lld %s\n", (long long)touching, fnd_app_plural(touching, "pair", "pairs"));
    } else {
        fnd_app_put(to, "cannot touch\n");
    }
    if (q->app->quiet) return;
    q->pairs = 0;
    if (touching > 0) fnd_app_each_pair(q, print_pair);
    if (touching > SHOWN_PAIRS) fnd_app_print(to, "\n and %lld more\n", (long long)(touching - SHOWN_PAIRS));
    if (touching > 0 && total > touching)
        fnd_app_print(to, "\n %lld other %s of shapes cannot\n", (long long)(total - touching),
                      fnd_app_plural(total - touching, "pair", "pairs"));
    for (int reason = FENDER_PAIR_SAME_BODY; reason < FND_APP_REASON_COUNT; reason++)
        if (q->counts[reason] > 0) print_reason(q, &q->examples[reason], q->counts[reason]);
    if (total == 0) {
        put_label(to, "reason");
        if (q->a.body.index1 == q->b.body.index1) {
            fnd_app_print(to, "same body: shapes of %s never touch each other\n",
                          fender_body_name(q->world, q->a.body));
        } else {
            bool first = true;
            for (int i = 0; i < fender_shape_count(q->world); i++)
                if (fnd_app_side_holds(q, &q->a, fender_shape_at(q->world, i))) first = false;
            fnd_app_print(to, "%s has no shapes\n", first ? q->a.name : q->b.name);
        }
    }
}

/* ---- as JSON */

static void write_shape(fnd_app_question *q, const char *key, fender_shape_id shape)
{
    fnd_app_stream name;
    fender_shape_def def;
    fnd_app_stream_open(&name, -1);
    fnd_app_put_shape(&name, q->world, shape);
    fnd_app_put_bytes(&name, "", 1);
    fnd_app_json_object(&q->json, key);
    fnd_app_json_text(&q->json, "name", name.buffer);
    if (fender_shape_get_def(q->world, shape, &def) == FENDER_STATUS_OK) {
        fnd_app_json_text(&q->json, "geometry", fender_geometry_type_name(fender_geometry_type_of(def.geometry)));
        fnd_app_json_text(&q->json, "material", fender_material_name(q->world, def.material));
        fnd_app_json_bool(&q->json, "active", def.active);
    }
    fnd_app_json_end(&q->json);
}

static void write_contact_type(fnd_app_question *q, fender_contact_type_id id)
{
    fender_contact_type_def type;
    if (fender_contact_type_get_def(q->world, id, &type) != FENDER_STATUS_OK) {
        fnd_app_json_text(&q->json, "contact_type", NULL);
        return;
    }
    fnd_app_json_object(&q->json, "contact_type");
    fnd_app_json_text(&q->json, "name", type.name);
    fnd_app_json_laws(&q->json, &type);
    fnd_app_json_end(&q->json);
}

static void write_start(fnd_app_question *q, fender_shape_id a, fender_shape_id b)
{
    fender_contact_data data;
    if (fender_contact_between(q->world, a, b, &data) != FENDER_STATUS_OK) {
        fnd_app_json_text(&q->json, "start", NULL);
        return;
    }
    fnd_app_json_object(&q->json, "start");
    fnd_app_json_bool(&q->json, "touching", data.touching);
    fnd_app_json_number(&q->json, "separation", data.separation);
    fnd_app_json_number(&q->json, "depth", data.depth);
    fnd_app_json_number(&q->json, "depth_rate", data.depth_rate);
    fnd_app_json_end(&q->json);
}

static void write_pair(fnd_app_question *q, fender_shape_id a, fender_shape_id b)
{
    fender_pair_explanation explanation;
    if (fender_world_explain(q->world, a, b, &explanation) != FENDER_STATUS_OK) return;
    fnd_app_json_object(&q->json, NULL);
    fnd_app_json_bool(&q->json, "may_touch", explanation.reason == FENDER_PAIR_MAY_TOUCH);
    fnd_app_json_text(&q->json, "reason", fnd_app_reason_text(explanation.reason));
    write_shape(q, "a", explanation.a);
    write_shape(q, "b", explanation.b);
    write_contact_type(q, explanation.use);
    fnd_app_json_rule(&q->json, "rule", q->world, q->scenario, explanation.rule);
    fnd_app_json_rule(&q->json, "overruled", q->world, q->scenario, explanation.overruled);
    fnd_app_json_number(&q->json, "onset_gap", explanation.onset_gap);
    fnd_app_json_number(&q->json, "release_gap", explanation.release_gap);
    write_start(q, a, b);
    fnd_app_json_end(&q->json);
}

static void fnd_app_explain_json(fnd_app_question *q)
{
    fnd_app_json_open(&q->json, &q->app->out);
    fnd_app_json_object(&q->json, NULL);
    fnd_app_json_text(&q->json, "a", q->a.name);
    fnd_app_json_text(&q->json, "b", q->b.name);
    fnd_app_json_bool(&q->json, "may_touch", q->counts[FENDER_PAIR_MAY_TOUCH] > 0);
    fnd_app_json_integer(&q->json, "pair_count", q->counts[FENDER_PAIR_MAY_TOUCH]);
    fnd_app_json_array(&q->json, "pairs");
    fnd_app_each_pair(q, write_pair);
    fnd_app_json_end(&q->json);
    fnd_app_json_end(&q->json);
}

/* ---- the command */

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

static bool fnd_app_side_holds(const fnd_app_question *q, const fnd_app_side *side, fender_shape_id shape)
{
    if (side->shape.index1 != 0) return side->shape.index1 == shape.index1;
    return fender_shape_body(q->world, shape).index1 == side->body.index1;
}

static void fnd_app_each_pair(fnd_app_question *q,
                              void (*visit)(fnd_app_question *q, fender_shape_id a, fender_shape_id b))
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
    if (app->argument_count == 2) return fnd_app_explain_action(app);
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
    .details =
        "A and B are bodies (veh1) or shapes (veh1.hull). If they cannot touch, the reason is given.\n\n"
        "`fender explain RUN ACTION`, with a run directory and an action of its scenario (or stop_when), shows when\n"
        "it acted and by which condition, or which condition kept it from acting and by how much.\n",
    .example = "  fender explain two_spheres.yaml veh1 veh2\n"
               "  fender explain docking.run capture",
    .files = "",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 2,
    .most_arguments = 3,
    .execute = execute,
};
