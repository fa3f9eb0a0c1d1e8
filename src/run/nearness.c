/* How near the parts of conditions came to holding. */
#include "run/nearness.h"

#include "run/action.h"
#include "support/io_error.h"
#include "support/json.h"
#include "support/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Parts of a node. */
enum { WHOLE, DISTANCE, ANGLE, SPEED, DURATION };

/* ---- creation */

typedef struct builder {
    const fnd_resolver *resolver;
    const fnd_condition_tree *tree;
    fnd_nearness *nearness;
} builder;

static fnd_nearness_leaf *add(builder *b, int node, int part, const char *unit, double limit, bool is_maximum)
{
    fnd_nearness *n = b->nearness;
    if (n->count == FND_NEARNESS_LEAVES) {
        n->cut = true;
        return NULL;
    }
    fnd_nearness_leaf *leaf = &n->leaves[n->count++];
    leaf->unit = unit;
    leaf->limit = limit;
    leaf->is_maximum = is_maximum;
    leaf->node = node;
    leaf->part = part;
    leaf->value = leaf->time = NAN;
    return leaf;
}

static void limit_text(char text[64], double value, const char *unit)
{
    bool angle = strcmp(unit, "rad") == 0, bare = !unit[0] || strcmp(unit, "1") == 0;
    int length = fnd_number_format_digits(angle ? value * 180 / 3.14159265358979323846 : value, 6, text, 40);
    snprintf(text + length, (size_t)(64 - length), "%s%s", bare ? "" : " ", angle ? "deg" : bare ? "" : unit);
}

static void name_leaf(fnd_nearness_leaf *leaf, const char *what, const char *word)
{
    char limit[64];
    if (!leaf) return;
    limit_text(limit, leaf->limit, leaf->unit);
    snprintf(leaf->text, sizeof leaf->text, "%.110s%s%.10s %.36s", what, what[0] && word[0] ? " " : "", word, limit);
}

static void add_points(builder *b, const fnd_condition *condition, int index)
{
    const fnd_condition_node *node = &b->tree->nodes[index];
    const fender_scenario *scenario = b->resolver->scenario;
    char of[96] = "";
    int conditions = 0;
    for (int i = 0; i < b->tree->count; i++) conditions += b->tree->nodes[i].kind == FND_CONDITION_POINTS;
    if (conditions > 1) { /* which one is meant */
        const fnd_body_description *body = &scenario->bodies[condition->point_body[0]];
        const fnd_body_description *other = &scenario->bodies[condition->point_body[1]];
        snprintf(of, sizeof of, "%.20s.%.20s, %.20s.%.20s: ", body->id.name, body->points[condition->point[0]].id.name,
                 other->id.name, other->points[condition->point[1]].id.name);
    }
    const struct {
        double bound;
        int part;
        const char *unit, *word;
    } parts[] = {{node->closer_than, DISTANCE, "m", "closer_than"},
                 {isfinite(node->half_angle_sine) ? 2 * asin(fmin(node->half_angle_sine, 1)) : INFINITY, ANGLE, "rad",
                  "aligned_within"},
                 {node->slower_than, SPEED, "m/s", "slower_than"}};
    for (int i = 0; i < 3; i++) {
        char what[128];
        if (!isfinite(parts[i].bound)) continue;
        snprintf(what, sizeof what, "%s%s", of, parts[i].word);
        name_leaf(add(b, index, parts[i].part, parts[i].unit, parts[i].bound, true), what, "");
    }
}

static void add_pair(builder *b, const fnd_condition *condition, int index)
{
    const fnd_condition_node *node = &b->tree->nodes[index];
    char what[96];
    bool begin = node->kind == FND_CONDITION_BEGIN;
    fnd_nearness_leaf *leaf = add(b, index, WHOLE, "", begin ? (double)node->at_least : 0, !begin);
    snprintf(what, sizeof what, "%s [%.36s, %.36s]", begin ? "begin" : "end", condition->a.text, condition->b.text);
    if (!leaf) return;
    if (begin && node->at_least > 1) name_leaf(leaf, what, "at_least");
    else snprintf(leaf->text, sizeof leaf->text, "%s", what);
}

static void add_leaves(builder *b, const fnd_condition *condition, int index)
{
    const fnd_condition_node *node = &b->tree->nodes[index];
    const fender_scenario *scenario = b->resolver->scenario;
    fnd_nearness_leaf *leaf = NULL;
    switch (node->kind) {
    case FND_CONDITION_NONE: break;
    case FND_CONDITION_TIME: name_leaf(add(b, index, WHOLE, "s", node->time, false), "time", ""); break;
    case FND_CONDITION_BEGIN:
    case FND_CONDITION_END: add_pair(b, condition, index); break;
    case FND_CONDITION_EVENT:
        leaf = add(b, index, WHOLE, "", 1, false);
        if (leaf)
            snprintf(leaf->text, sizeof leaf->text, "event %.60s%s%.60s", condition->event.text,
                     condition->contact.text ? " of " : "", condition->contact.text ? condition->contact.text : "");
        break;
    case FND_CONDITION_POINTS: add_points(b, condition, index); break;
    case FND_CONDITION_ACTION:
        leaf = add(b, index, WHOLE, "", 1, false);
        if (leaf) snprintf(leaf->text, sizeof leaf->text, "action %.64s", scenario->actions[node->action].id.name);
        break;
    case FND_CONDITION_CHANNEL: {
        bool above = isfinite(node->above);
        leaf = add(b, index, WHOLE, node->channel.unit, above ? node->above : node->below, !above);
        name_leaf(leaf, condition->channel.text, above ? "above" : "below");
        break;
    }
    case FND_CONDITION_ALL:
    case FND_CONDITION_ANY: {
        int at = index + 1;
        for (int i = 0; i < condition->child_count; i++, at = b->tree->nodes[at].end)
            add_leaves(b, &condition->children[i], at);
        break;
    }
    }
    if (node->duration > 0) name_leaf(add(b, index, DURATION, "s", node->duration, false), "for", "");
}

/* False if the least common ancestor of two nodes is an `any`. */
static bool must_join(const fnd_condition_tree *tree, int a, int b)
{
    const int first = a < b ? a : b, second = a < b ? b : a;
    int common = first; /* parents stand before children: the nearest node before that spans both */
    while (common > 0 && second >= tree->nodes[common].end) common--;
    return tree->nodes[common].kind != FND_CONDITION_ANY;
}

fnd_nearness *fnd_nearness_create(const fnd_resolver *resolver, const fnd_condition *condition,
                                  const struct fnd_condition_tree *tree, fnd_arena *arena)
{
    fnd_nearness *n = FND_ARENA_NEW_ARRAY(arena, fnd_nearness, 1);
    if (!n) return NULL;
    memset(n, 0, sizeof *n);
    n->became_true = NAN;
    builder b = {resolver, tree, n};
    if (tree->count > 0) add_leaves(&b, condition, 0);
    for (int i = 0; i < n->count; i++)
        for (int k = 0; k < n->count; k++) {
            const fnd_nearness_leaf *one = &n->leaves[i], *other = &n->leaves[k];
            bool joined = one->node == other->node || must_join(tree, one->node, other->node);
            /* the time that something has held follows from it */
            bool follows = other->part == DURATION && other->node <= one->node &&
                           one->node < tree->nodes[other->node].end;
            if (i != k && joined && !follows) n->leaves[i].together |= (uint64_t)1 << k;
        }
    return n;
}

/* ---- following */

static double point_value(const fnd_condition_node *node, int part, const fender_world *world)
{
    fender_body_state a, b;
    if (fender_body_frame_state(world, node->points[0], &a, NULL) != FENDER_STATUS_OK ||
        fender_body_frame_state(world, node->points[1], &b, NULL) != FENDER_STATUS_OK)
        return NAN;
    if (part == DISTANCE) return fender_vec3_length(fender_vec3_sub(a.position, b.position));
    if (part == SPEED) return fender_vec3_length(fender_vec3_sub(a.velocity, b.velocity));
    fender_quaternion q = fender_quaternion_product(fender_quaternion_conjugate(b.attitude), a.attitude);
    fender_quaternion off = fender_quaternion_product((fender_quaternion){0, 0, 0, -1}, q);
    return 2 * asin(fmin(1, sqrt(off.x * off.x + off.y * off.y + off.z * off.z)));
}

static double value_of(const fnd_nearness_leaf *leaf, const fnd_condition_node *node, const fnd_instant *instant)
{
    if (leaf->part == DURATION) {
        const double since = fnd_condition_since(node, instant->time);
        return isfinite(since) ? fmax(0, instant->time - since) : 0;
    }
    switch (node->kind) {
    case FND_CONDITION_TIME: return instant->time;
    case FND_CONDITION_BEGIN: return (double)node->contacts;
    case FND_CONDITION_END: return node->released ? (double)node->contacts : INFINITY;
    case FND_CONDITION_EVENT: return node->happened;
    case FND_CONDITION_ACTION: return isfinite(node->since);
    case FND_CONDITION_POINTS: return point_value(node, leaf->part, instant->world);
    case FND_CONDITION_CHANNEL: {
        fnd_channel_reader reader = fnd_channel_reader_begin(instant->world, instant->history);
        return fnd_channel_reader_read_or(&reader, &node->channel, NAN);
    }
    default: return NAN;
    }
}

/* Strict for bounds of space and channels, as the condition is. */
static bool leaf_holds(const fnd_nearness_leaf *leaf, const fnd_condition_node *node, double value)
{
    bool strict = leaf->part != DURATION && (node->kind == FND_CONDITION_POINTS || node->kind == FND_CONDITION_CHANNEL);
    if (leaf->is_maximum) return strict ? value < leaf->limit : value <= leaf->limit;
    if (strict) return value > leaf->limit;
    return value >= leaf->limit - 1e-14 * fabs(leaf->limit);
}

static int bit_count(uint64_t bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
}

void fnd_nearness_follow(fnd_nearness *n, const struct fnd_condition_tree *tree, const fnd_instant *instant, bool whole)
{
    double values[FND_NEARNESS_LEAVES];
    uint64_t held = 0;
    if (n->closed) return;
    for (int i = 0; i < n->count; i++) {
        fnd_nearness_leaf *leaf = &n->leaves[i];
        const fnd_condition_node *node = &tree->nodes[leaf->node];
        values[i] = value_of(leaf, node, instant);
        if (!leaf_holds(leaf, node, values[i])) continue;
        held |= (uint64_t)1 << i;
        leaf->held_at_all = true;
    }
    for (int i = 0; i < n->count; i++) {
        fnd_nearness_leaf *leaf = &n->leaves[i];
        int most = bit_count(leaf->with), now = bit_count(held & leaf->together);
        bool nearer = leaf->is_maximum ? values[i] < leaf->value : values[i] > leaf->value;
        if (isnan(values[i]) || (!isnan(leaf->value) && (now < most || (now == most && !nearer)))) continue;
        leaf->value = values[i];
        leaf->time = instant->time;
        leaf->with = held & leaf->together;
        leaf->held = held >> i & 1;
    }
    if (!whole) return;
    n->closed = true;
    n->became_true = instant->time;
    n->by = held;
}

/* ---- JSON */

static void append_texts(fnd_buffer *to, const char *key, const fnd_nearness *n, uint64_t bits)
{
    fnd_json_begin(to, key, '[');
    bool first = true;
    for (int i = 0; i < n->count; i++) {
        if (!(bits >> i & 1)) continue;
        if (!first) fnd_buffer_append_char(to, ',');
        first = false;
        fnd_json_text(to, n->leaves[i].text);
    }
    fnd_buffer_append_char(to, ']');
}

void fnd_nearness_append(fnd_buffer *to, const fnd_nearness *n)
{
    fnd_json_put_bool(to, "became_true", !isnan(n->became_true));
    if (!isnan(n->became_true)) {
        fnd_json_put_number(to, "first_time", n->became_true);
        append_texts(to, "by", n, n->by);
    }
    fnd_json_begin(to, "conditions", '[');
    for (int i = 0; i < n->count; i++) {
        const fnd_nearness_leaf *leaf = &n->leaves[i];
        fnd_json_begin_row(to);
        fnd_json_put_text(to, "text", leaf->text);
        fnd_json_put_text(to, "unit", leaf->unit);
        fnd_json_put_number(to, "limit", leaf->limit);
        fnd_json_put_number(to, "nearest", leaf->value);
        fnd_json_put_number(to, "time", leaf->time);
        fnd_json_put_bool(to, "held", leaf->held);
        fnd_json_put_bool(to, "held_at_all", leaf->held_at_all);
        append_texts(to, "while", n, leaf->with);
        fnd_json_put_integer(to, "missing", bit_count(leaf->together & ~leaf->with));
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
    if (n->cut) fnd_json_put_bool(to, "conditions_cut", true);
}
