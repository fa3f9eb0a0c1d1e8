/* Conditions resolved in the world and followed from step to step. */
#include "run/condition.h"

#include <string.h>

static int count_nodes(const fnd_condition *condition)
{
    int count = 1;
    for (int i = 0; i < condition->child_count; i++) count += count_nodes(&condition->children[i]);
    return count;
}

/* The first step that ends at the time or after it; times that only rounding holds apart are the same. */
static int64_t step_at(const fnd_resolver *resolver, double time)
{
    bool whole;
    double ratio = fnd_step_ratio(time - resolver->start_time, resolver->step, &whole);
    if (!(ratio > 0)) return 0;
    return ratio < 9e15 ? (int64_t)ceil(ratio) : INT64_MAX;
}

static void resolve_channel(const fnd_resolver *resolver, const fnd_condition *condition, fnd_condition_node *node)
{
    node->above = -INFINITY;
    node->below = INFINITY;
    if (!fnd_resolve_channel(resolver, &condition->channel, &node->channel)) return;
    fnd_resolve_number(resolver, &condition->above, node->channel.unit, &node->above);
    fnd_resolve_number(resolver, &condition->below, node->channel.unit, &node->below);
}

static void resolve_points(const fnd_resolver *resolver, const fnd_condition *condition, fnd_condition_node *node)
{
    node->closer_than = condition->closer_than;
    node->half_angle_sine = condition->half_angle_sine;
    node->slower_than = condition->slower_than;
    for (int i = 0; i < 2; i++)
        node->points[i] = fnd_resolve_place(resolver, condition->point_body[i], condition->point[i]);
}

static void resolve_node(const fnd_resolver *resolver, const fnd_condition *condition, fnd_condition_tree *tree)
{
    fnd_condition_node *node = &tree->nodes[tree->count++];
    node->kind = condition->kind;
    switch (condition->kind) {
    case FND_CONDITION_NONE: break;
    case FND_CONDITION_TIME:
        node->step = step_at(resolver, condition->time);
        node->time = condition->time;
        break;
    case FND_CONDITION_TOUCH:
    case FND_CONDITION_RELEASE:
        fnd_resolve_selector(resolver, &condition->a, &node->pair[0]);
        fnd_resolve_selector(resolver, &condition->b, &node->pair[1]);
        node->at_least = condition->at_least;
        node->duration = condition->duration;
        node->since = INFINITY;
        break;
    case FND_CONDITION_EVENT:
        fnd_resolve_event(resolver, &condition->event, &node->event);
        fnd_resolve_pair(resolver, &condition->contact, node->pair);
        node->link = fender_link_at(resolver->world, condition->link - 1);
        break;
    case FND_CONDITION_POINTS: resolve_points(resolver, condition, node); break;
    case FND_CONDITION_CHANNEL: resolve_channel(resolver, condition, node); break;
    case FND_CONDITION_ALL:
    case FND_CONDITION_ANY:
        for (int i = 0; i < condition->child_count; i++) resolve_node(resolver, &condition->children[i], tree);
        break;
    }
    node->end = tree->count;
}

bool fnd_condition_resolve(const fnd_resolver *resolver, const fnd_condition *condition, fnd_arena *arena,
                           fnd_condition_tree *tree)
{
    memset(tree, 0, sizeof *tree);
    if (condition->kind == FND_CONDITION_NONE) return true;
    tree->nodes = FND_ARENA_NEW_ARRAY(arena, fnd_condition_node, (size_t)count_nodes(condition));
    if (!tree->nodes) return false;
    resolve_node(resolver, condition, tree);
    const fender_world_def *def = fender_world_get_def(resolver->world);
    tree->located = def->locate_events || fender_integrator_adaptive(def->method);
    for (int i = 0; i < tree->count; i++) {
        fnd_condition_kind kind = tree->nodes[i].kind;
        tree->watched = tree->watched || kind == FND_CONDITION_CHANNEL || kind == FND_CONDITION_POINTS;
    }
    return true;
}

/* Times that only rounding holds apart are the same. */
static bool is_reached(double time, double now) { return now >= time - 1e-14 * fabs(time); }

/* Contacts of the pair come and go by events alone, so that one which lasts a single step is not missed. */
static void follow_events(fnd_condition_node *node, const fnd_moment *moment)
{
    for (int i = 0; i < moment->event_count; i++) {
        const fender_event *event = &moment->events[i];
        if (node->kind == FND_CONDITION_EVENT) {
            bool fits = (int)event->kind == node->event && fnd_event_fits(moment->world, node->pair, event) &&
                        fnd_link_fits(node->link, event);
            node->happened = node->happened || fits;
            continue;
        }
        bool begins = event->kind == FENDER_EVENT_ESTABLISH, ends = event->kind == FENDER_EVENT_TERMINATE;
        if ((!begins && !ends) || !fnd_pair_fits(moment->world, node->pair, event->contact.a, event->contact.b))
            continue;
        node->contacts += begins ? 1 : -1;
        if (node->contacts < node->at_least) node->since = INFINITY;
        else if (isinf(node->since)) node->since = event->time;
        node->released = node->released || ends;
    }
}

/* Two points face each other when their x axes are opposite and their z axes agree, as in a docked pair. */
static bool are_near(const fnd_condition_node *node, const fender_world *world)
{
    fender_body_state a, b;
    if (fender_place_state(world, node->points[0], &a, NULL) != FENDER_STATUS_OK ||
        fender_place_state(world, node->points[1], &b, NULL) != FENDER_STATUS_OK)
        return false;
    if (!(fender_vec3_length(fender_vec3_sub(a.position, b.position)) < node->closer_than)) return false;
    if (!(fender_vec3_length(fender_vec3_sub(a.velocity, b.velocity)) < node->slower_than)) return false;
    /* of a in b: half a turn about z, times what it is off by */
    fender_quaternion q = fender_quaternion_product(fender_quaternion_conjugate(b.attitude), a.attitude);
    fender_quaternion off = fender_quaternion_product((fender_quaternion){0, 0, 0, -1}, q);
    return sqrt(off.x * off.x + off.y * off.y + off.z * off.z) < node->half_angle_sine;
}

static bool holds(const fnd_condition_tree *tree, int index, const fnd_moment *moment)
{
    const fnd_condition_node *node = &tree->nodes[index];
    switch (node->kind) {
    case FND_CONDITION_NONE: return false;
    case FND_CONDITION_TIME: return tree->located ? is_reached(node->time, moment->time) : moment->step >= node->step;
    case FND_CONDITION_TOUCH: return isfinite(node->since) && is_reached(node->since + node->duration, moment->time);
    case FND_CONDITION_EVENT: return node->happened;
    case FND_CONDITION_POINTS: return are_near(node, moment->world);
    case FND_CONDITION_RELEASE: return node->released && node->contacts == 0;
    case FND_CONDITION_CHANNEL: {
        fnd_channel_reader reader = fnd_channel_reader_begin(moment->world, moment->event_counts);
        double value = fnd_channel_reader_read(&reader, &node->channel);
        return value > node->above && value < node->below;
    }
    case FND_CONDITION_ALL:
        for (int i = index + 1; i < node->end; i = tree->nodes[i].end)
            if (!holds(tree, i, moment)) return false;
        return true;
    case FND_CONDITION_ANY:
        for (int i = index + 1; i < node->end; i = tree->nodes[i].end)
            if (holds(tree, i, moment)) return true;
        return false;
    }
    return false;
}

void fnd_condition_note_events(fnd_condition_tree *tree, const fnd_moment *moment)
{
    for (int i = 0; i < tree->count; i++) {
        fnd_condition_kind kind = tree->nodes[i].kind;
        if (kind == FND_CONDITION_TOUCH || kind == FND_CONDITION_RELEASE || kind == FND_CONDITION_EVENT)
            follow_events(&tree->nodes[i], moment);
    }
}

bool fnd_condition_would_hold(const fnd_condition_tree *tree, const fnd_moment *moment)
{
    return tree->count > 0 && holds(tree, 0, moment);
}

double fnd_condition_next_time(const fnd_condition_tree *tree, double now)
{
    double next = INFINITY;
    for (int i = 0; tree->located && i < tree->count; i++) {
        const fnd_condition_node *node = &tree->nodes[i];
        if (node->kind != FND_CONDITION_TIME && node->kind != FND_CONDITION_TOUCH) continue;
        double time = node->kind == FND_CONDITION_TIME ? node->time : node->since + node->duration;
        if (!is_reached(time, now) && time < next) next = time;
    }
    return next;
}

bool fnd_condition_holds(fnd_condition_tree *tree, const fnd_moment *moment)
{
    bool result = fnd_condition_would_hold(tree, moment);
    for (int i = 0; i < tree->count; i++) tree->nodes[i].happened = false;
    return result;
}
