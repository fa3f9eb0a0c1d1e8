/* Conditions and actions of a scenario: resolved in the world, followed from state to state, carried out. */
#include "run/action.h"

#include "run/run.h"
#include "support/io_error.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- conditions */

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
        node->points[i] = fnd_resolve_body_frame(resolver, condition->point_body[i], condition->point[i]);
}

static void resolve_node(const fnd_resolver *resolver, const fnd_condition *condition, fnd_condition_tree *tree)
{
    fnd_condition_node *node = &tree->nodes[tree->count++];
    node->kind = condition->kind;
    node->action = condition->action;
    node->duration = condition->duration;
    node->since = node->before = INFINITY;
    node->released_at = -INFINITY;
    switch (condition->kind) {
    case FND_CONDITION_NONE:
    case FND_CONDITION_ACTION: break;
    case FND_CONDITION_TIME:
        node->step = step_at(resolver, condition->time);
        node->time = condition->time;
        break;
    case FND_CONDITION_BEGIN:
    case FND_CONDITION_END:
        if (fnd_resolve_selector(resolver, &condition->a, &node->pair[0]) &&
            fnd_resolve_selector(resolver, &condition->b, &node->pair[1]))
            fnd_resolve_touch(resolver, node->pair, &condition->location);
        node->at_least = condition->at_least;
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

/* Durations of contacts and actions are counted from events, those of other conditions from states. */
static bool counts_states(const fnd_condition_node *node)
{
    return node->duration > 0 && node->kind != FND_CONDITION_BEGIN && node->kind != FND_CONDITION_ACTION;
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
        tree->timed = tree->timed || counts_states(&tree->nodes[i]);
        tree->forces = tree->forces ||
                       (kind == FND_CONDITION_CHANNEL && !fnd_channel_is_of_motion(&tree->nodes[i].channel));
    }
    return true;
}

bool fnd_condition_follow_nearness(const fnd_resolver *resolver, const fnd_condition *condition, fnd_arena *arena,
                                   fnd_condition_tree *tree)
{
    if (tree->count == 0) return true;
    tree->nearness = fnd_nearness_create(resolver, condition, tree, arena);
    return tree->nearness != NULL;
}

/* Times that only rounding holds apart are the same. */
static bool is_reached(double time, double now) { return now >= time - 1e-14 * fabs(time); }

/* Contacts of the pair come and go by events alone, so that one which lasts a single step is not missed. */
static void follow_events(fnd_condition_node *node, const fnd_instant *instant)
{
    for (int i = 0; i < instant->event_count; i++) {
        const fender_event *event = &instant->events[i];
        if (node->kind == FND_CONDITION_EVENT) {
            bool fits = (int)event->kind == node->event && fnd_event_fits(instant->world, node->pair, event) &&
                        fnd_link_fits(node->link, event);
            node->happened = node->happened || fits;
            continue;
        }
        bool begins = event->kind == FENDER_EVENT_BEGIN, ends = event->kind == FENDER_EVENT_END;
        if ((!begins && !ends) || !fnd_pair_fits(instant->world, node->pair, event->contact.a, event->contact.b))
            continue;
        node->contacts += begins ? 1 : -1;
        if (node->contacts < node->at_least) node->since = INFINITY;
        else if (isinf(node->since)) node->since = event->time;
        node->released = node->released || ends;
    }
}

/* Two points face each other when their x axes are opposite and their z axes agree, as in a docked pair. `off`:
 * distance, speed, sine of half the angle that they are off by. */
static bool find_offsets(const fnd_condition_node *node, const fender_world *world, double off[3])
{
    fender_body_state a, b;
    if (fender_body_frame_state(world, node->points[0], &a, NULL) != FENDER_STATUS_OK ||
        fender_body_frame_state(world, node->points[1], &b, NULL) != FENDER_STATUS_OK)
        return false;
    off[0] = fender_vec3_length(fender_vec3_sub(a.position, b.position));
    off[1] = fender_vec3_length(fender_vec3_sub(a.velocity, b.velocity));
    /* of a in b: half a turn about z, times what it is off by */
    fender_quaternion q = fender_quaternion_product(fender_quaternion_conjugate(b.attitude), a.attitude);
    fender_quaternion turn = fender_quaternion_product((fender_quaternion){0, 0, 0, -1}, q);
    off[2] = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    return true;
}

static bool are_near(const fnd_condition_node *node, const fender_world *world)
{
    double off[3];
    return find_offsets(node, world, off) && off[0] < node->closer_than && off[1] < node->slower_than &&
           off[2] < node->half_angle_sine;
}

static bool is_over(const fnd_condition_node *node, double now)
{
    const double since = fnd_condition_since(node, now);
    return isfinite(since) && is_reached(since + node->duration, now);
}

static bool holds(const fnd_condition_tree *tree, int index, const fnd_instant *instant);

static bool holds_now(const fnd_condition_tree *tree, int index, const fnd_instant *instant)
{
    const fnd_condition_node *node = &tree->nodes[index];
    switch (node->kind) {
    case FND_CONDITION_NONE: return false;
    case FND_CONDITION_TIME: return tree->located ? is_reached(node->time, instant->time) : instant->step >= node->step;
    case FND_CONDITION_BEGIN:
    case FND_CONDITION_ACTION: return is_over(node, instant->time);
    case FND_CONDITION_EVENT: return node->happened;
    case FND_CONDITION_POINTS: return are_near(node, instant->world);
    case FND_CONDITION_END: return node->released && node->contacts == 0;
    case FND_CONDITION_CHANNEL: {
        fnd_channel_reader reader = fnd_channel_reader_begin(instant->world, instant->history);
        double value = fnd_channel_reader_read_or(&reader, &node->channel, NAN);
        return value > node->above && value < node->below;
    }
    case FND_CONDITION_ALL:
        for (int i = index + 1; i < node->end; i = tree->nodes[i].end)
            if (!holds(tree, i, instant)) return false;
        return true;
    case FND_CONDITION_ANY:
        for (int i = index + 1; i < node->end; i = tree->nodes[i].end)
            if (holds(tree, i, instant)) return true;
        return false;
    }
    return false;
}

static bool holds(const fnd_condition_tree *tree, int index, const fnd_instant *instant)
{
    const fnd_condition_node *node = &tree->nodes[index];
    if (counts_states(node) && !is_over(node, instant->time)) return false;
    return holds_now(tree, index, instant);
}

void fnd_condition_note_action(fnd_condition_tree *tree, int action, double time)
{
    for (int i = 0; i < tree->count; i++)
        if (tree->nodes[i].kind == FND_CONDITION_ACTION && tree->nodes[i].action == action) tree->nodes[i].since = time;
}

bool fnd_condition_would_start(const fnd_condition_tree *tree, const fnd_instant *instant)
{
    for (int i = 0; i < tree->count; i++) {
        const fnd_condition_node *node = &tree->nodes[i];
        if (counts_states(node) && isinf(fnd_condition_since(node, instant->time)) && holds_now(tree, i, instant))
            return true;
    }
    return false;
}

bool fnd_condition_counts(const fnd_condition_tree *tree)
{
    for (int i = 0; i < tree->count; i++)
        if (counts_states(&tree->nodes[i]) && (isfinite(tree->nodes[i].since) || isfinite(tree->nodes[i].released_at)))
            return true;
    return false;
}

void fnd_condition_release(fnd_condition_tree *tree, const fnd_instant *instant)
{
    for (int i = tree->count - 1; i >= 0; i--) { /* children before parents */
        fnd_condition_node *node = &tree->nodes[i];
        if (!counts_states(node) || isinf(fnd_condition_since(node, instant->time)) || holds_now(tree, i, instant))
            continue;
        if (isfinite(node->since)) node->before = node->since;
        node->since = INFINITY;
        node->released_at = instant->time;
    }
}

void fnd_condition_take_back(fnd_condition_tree *tree, double end)
{
    for (int i = 0; i < tree->count; i++) {
        fnd_condition_node *node = &tree->nodes[i];
        if (!(node->released_at > end)) continue;
        node->since = node->before;
        node->released_at = -INFINITY;
    }
}

void fnd_condition_forget(fnd_condition_tree *tree)
{
    for (int i = 0; i < tree->count; i++) tree->nodes[i].released_at = -INFINITY;
}

/* ---- margins: how far conditions are from their limits, as smooth functions of the motion */

static double less(double a, double b) { return a < b ? a : b; }

/* Squares are smooth where points pass each other. */
static double points_margin(const fnd_condition_node *node, const fender_world *world)
{
    const double bounds[3] = {node->closer_than, node->slower_than, node->half_angle_sine};
    double off[3], margin = INFINITY;
    if (!find_offsets(node, world, off)) return -INFINITY;
    for (int i = 0; i < 3; i++) {
        const double part = off[i] / bounds[i];
        if (isfinite(bounds[i])) margin = less(1 - part * part, margin);
    }
    return margin;
}

static double channel_margin(const fnd_condition_node *node, const fnd_instant *instant)
{
    const bool above = isfinite(node->above), below = isfinite(node->below);
    const double size = less(above ? -fabs(node->above) : 0, below ? -fabs(node->below) : 0);
    const double scale = size < 0 ? -1 / size : 1;
    fnd_channel_reader reader = fnd_channel_reader_begin(instant->world, instant->history);
    const double value = fnd_channel_reader_read_or(&reader, &node->channel, NAN);
    if (isnan(value)) return -INFINITY; /* there is nothing that could hold */
    return less((value - node->above) * scale, (node->below - value) * scale);
}

/* As its parent sees it: a duration that is not over is not near to being so. */
static double seen_margin(const fnd_condition_tree *tree, int index, const double *margins, double now)
{
    return counts_states(&tree->nodes[index]) && !is_over(&tree->nodes[index], now) ? -INFINITY : margins[index];
}

void fnd_condition_margins(const fnd_condition_tree *tree, const fnd_instant *instant, double *margins)
{
    for (int i = tree->count - 1; i >= 0; i--) { /* children before parents */
        const fnd_condition_node *node = &tree->nodes[i];
        switch (node->kind) {
        case FND_CONDITION_POINTS: margins[i] = points_margin(node, instant->world); break;
        case FND_CONDITION_CHANNEL: margins[i] = channel_margin(node, instant); break;
        case FND_CONDITION_ALL:
        case FND_CONDITION_ANY: {
            const double sign = node->kind == FND_CONDITION_ALL ? 1 : -1;
            margins[i] = INFINITY;
            for (int k = i + 1; k < node->end; k = tree->nodes[k].end)
                margins[i] = less(sign * seen_margin(tree, k, margins, instant->time), margins[i]);
            margins[i] *= sign;
            break;
        }
        default: margins[i] = holds_now(tree, i, instant) ? INFINITY : -INFINITY; break;
        }
    }
}

void fnd_condition_note_events(fnd_condition_tree *tree, const fnd_instant *instant)
{
    for (int i = 0; i < tree->count; i++) {
        fnd_condition_kind kind = tree->nodes[i].kind;
        if (kind == FND_CONDITION_BEGIN || kind == FND_CONDITION_END || kind == FND_CONDITION_EVENT)
            follow_events(&tree->nodes[i], instant);
    }
}

bool fnd_condition_would_hold(const fnd_condition_tree *tree, const fnd_instant *instant)
{
    return tree->count > 0 && holds(tree, 0, instant);
}

double fnd_condition_next_time(const fnd_condition_tree *tree, double now)
{
    assert(!isnan(now));
    double next = INFINITY;
    for (int i = 0; tree->located && i < tree->count; i++) {
        const fnd_condition_node *node = &tree->nodes[i];
        double time = node->kind == FND_CONDITION_TIME ? node->time : INFINITY, over = node->since + node->duration;
        if (!is_reached(time, now) && time < next) next = time;
        if (node->duration > 0 && !is_reached(over, now) && over < next) next = over;
    }
    return next;
}

bool fnd_condition_holds(fnd_condition_tree *tree, const fnd_instant *instant)
{
    assert(tree->count == 0 || tree->nodes);
    for (int i = tree->count - 1; i >= 0; i--) { /* children before parents */
        fnd_condition_node *node = &tree->nodes[i];
        if (!counts_states(node)) continue;
        if (!holds_now(tree, i, instant)) node->since = INFINITY;
        else if (isinf(node->since)) node->since = instant->time;
    }
    bool result = fnd_condition_would_hold(tree, instant);
    if (tree->nearness) fnd_nearness_follow(tree->nearness, tree, instant, result);
    for (int i = 0; i < tree->count; i++) tree->nodes[i].happened = false;
    return result;
}

/* ---- actions */

/* The command of the object, which takes as many numbers as were given. */
static bool find_command(const fender_world *world, const fnd_operation *source, fender_command *command,
                         fender_error *error)
{
    if (fender_command_find(world, source->command, command, error) != FENDER_STATUS_OK) return false;
    if (command->count == source->value_count) return true;
    (void)FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .path = source->command,
                      .message = command->count == 1 ? "the command takes one number of this object"
                                                     : "the command takes several numbers of this object",
                      .found = source->value_count == 1 ? "one number" : "a list",
                      .expected = command->count == 1 ? "one number" : "[x, y, z, UNIT], or .x, .y or .z in its name");
    return false;
}

/* ---- resolving */

static void resolve_operation(const fnd_resolver *resolver, const fnd_operation *source, fnd_action_operation *to)
{
    const fender_world *world = resolver->world;
    fender_error error;
    memset(to, 0, sizeof *to);
    memset(&error, 0, sizeof error);
    to->source = source;
    if (source->kind == FND_OPERATION_SET_COMMAND &&
        (!find_command(world, source, &to->command, &error) ||
         fender_command_check(world, &to->command, source->values, &error) != FENDER_STATUS_OK))
        fnd_diagnostic_add_error(resolver->diagnostics, &error, &source->location);
    if (source->body >= 0) to->body = fender_body_at(world, source->body);
    if (source->other >= 0) to->other = fender_body_at(world, source->other);
    if (source->point >= 0) to->point = fnd_resolve_body_frame(resolver, source->body, source->point).point;
    if (source->other_point >= 0)
        to->other_point = fnd_resolve_body_frame(resolver, source->other, source->other_point).point;
}

bool fnd_action_resolve(const fnd_resolver *resolver, fnd_arena *arena, fnd_action_list *list)
{
    const fender_scenario *scenario = resolver->scenario;
    memset(list, 0, sizeof *list);
    list->count = scenario->action_count;
    if (list->count == 0) return true;
    list->states = FND_ARENA_NEW_ARRAY(arena, fnd_action_state, (size_t)list->count);
    list->attachments = FND_ARENA_NEW_ARRAY(arena, fender_attachment, FND_ATTACHMENT_CAPACITY);
    list->emissions = FND_ARENA_NEW_ARRAY(arena, fender_emission, FND_EMISSION_CAPACITY);
    list->actings = FND_ARENA_NEW_ARRAY(arena, fnd_acting, FND_ACTING_CAPACITY);
    if (!list->states || !list->attachments || !list->emissions || !list->actings) return false;
    for (int i = 0; i < list->count; i++) {
        fnd_action_state *state = &list->states[i];
        memset(state, 0, sizeof *state);
        state->source = &scenario->actions[i];
        state->due = INFINITY;
        state->released = -INFINITY;
        int count = state->source->operation_count;
        state->operations = FND_ARENA_NEW_ARRAY(arena, fnd_action_operation, (size_t)count);
        if (!state->operations || !fnd_condition_resolve(resolver, &state->source->when, arena, &state->when) ||
            (!resolver->values_only &&
             !fnd_condition_follow_nearness(resolver, &state->source->when, arena, &state->when)))
            return false;
        for (int k = 0; k < count; k++) {
            const fnd_operation *operation = &state->source->operations[k];
            resolve_operation(resolver, operation, &state->operations[k]);
            if (operation->kind == FND_OPERATION_DETACH && !resolver->values_only)
                fnd_resolve_tanks(resolver, state->source, operation);
        }
    }
    return true;
}

void fnd_action_note_events(fnd_action_list *list, const fnd_instant *instant)
{
    for (int i = 0; i < list->count; i++) fnd_condition_note_events(&list->states[i].when, instant);
}

bool fnd_action_would_begin(const fnd_action_list *list, const fnd_instant *instant)
{
    for (int i = 0; i < list->count; i++) {
        const fnd_action_state *action = &list->states[i];
        if (action->done || !action->when.watched || isfinite(action->due)) continue;
        const bool held = action->held || instant->time < action->released;
        if (!held && fnd_condition_would_hold(&action->when, instant)) return true;
        if (fnd_condition_would_start(&action->when, instant)) return true;
    }
    return false;
}

double fnd_action_next_time(const fnd_action_list *list, double now)
{
    double next = INFINITY;
    for (int i = 0; i < list->count; i++) {
        if (list->states[i].done) continue;
        double time = fnd_condition_next_time(&list->states[i].when, now), due = list->states[i].due;
        if (time < next) next = time;
        if (!is_reached(due, now) && due < next) next = due;
    }
    return next;
}

/* ---- operations */

/* The world has filled its list of events anew. */
static fender_status note_world(fender_run *run, fender_error *error)
{
    run->instant.events = fender_world_events(run->world, &run->instant.event_count);
    return fnd_run_note_events(run, error);
}

static fender_status note_attachment(fender_run *run, const fnd_action_state *action, fender_body_id child,
                                     fender_body_id parent, const fender_attach_report *report, bool moved,
                                     fender_error *error)
{
    fnd_action_list *list = &run->actions;
    if (list->attachment_count == FND_ATTACHMENT_CAPACITY) {
        list->attachments_dropped++;
    } else {
        fender_attachment *item = &list->attachments[list->attachment_count++];
        *item = (fender_attachment){.time = run->instant.time,
                                    .action = action->source->id.name,
                                    .child = fender_body_name(run->world, child),
                                    .parent = fender_body_name(run->world, parent),
                                    .reattached = moved,
                                    .report = *report};
    }
    return note_world(run, error);
}

static fender_status emit(fender_run *run, const fnd_action_state *action, int index, fender_error *error)
{
    fnd_action_list *list = &run->actions;
    fender_event event;
    memset(&event, 0, sizeof event);
    event.kind = (fender_event_kind)(FND_EVENT_KIND_COUNT + index);
    event.time = run->instant.time;
    if (list->emission_count == FND_EMISSION_CAPACITY) list->emissions_dropped++;
    else
        list->emissions[list->emission_count++] = (fender_emission){run->instant.time, run->event_names.names[index],
                                                                    action->source->id.name};
    run->instant.events = &event;
    run->instant.event_count = 1;
    fender_status status = fnd_run_note_events(run, error);
    run->instant.event_count = 0;
    return status;
}

static fender_status set_mass(fender_run *run, const fnd_action_operation *o, fender_error *error)
{
    fender_mass_properties core;
    fender_status status = fender_body_get_mass(run->world, o->body, FENDER_MASS_CORE, &core);
    if (status != FENDER_STATUS_OK) return status;
    if (o->source->kind == FND_OPERATION_SET_MASS) core.mass = o->source->value;
    else if (o->source->kind == FND_OPERATION_SET_CENTER) core.center_of_mass = o->source->vector;
    else core.inertia = o->source->matrix;
    return fender_body_set_mass(run->world, o->body, &core, error);
}

static fender_status move(fender_world *world, const fnd_action_operation *o, fender_error *refusal)
{
    fender_body_state now;
    fender_pose pose = o->source->X_PC;
    fender_status status = fender_body_get_state(world, o->body, FENDER_CLOCK_COMMITTED, &now);
    if (status != FENDER_STATUS_OK) return status;
    if (o->source->keeps_position) pose.p = now.position;
    if (o->source->keeps_attitude) pose.q = now.attitude;
    return fender_body_move_to(world, o->body, pose, o->source->value, refusal);
}

static fender_status move_part(fender_world *world, const fnd_action_operation *o, fender_error *refusal)
{
    const fnd_operation *source = o->source;
    fender_part_state now = {0};
    (void)fender_body_get_part(world, o->body, &now); /* a motion that has ended is refused below */
    return fender_body_move_part(world, o->body, source->keeps_position ? now.position : source->vector,
                                 source->keeps_attitude ? now.angle : source->values[0], source->value, refusal);
}

/* `refusal` says what the world refused; other errors, of files, stand in `error`. */
static fender_status operate(fender_run *run, const fnd_action_state *action, const fnd_action_operation *o,
                             fender_error *refusal, fender_error *error)
{
    fender_world *world = run->world;
    const fnd_operation *source = o->source;
    fender_status status = FENDER_STATUS_OK;
    fender_attach_report report;
    switch (source->kind) {
    case FND_OPERATION_ATTACH: {
        fender_attach_def def = {
            .size = sizeof(fender_attach_def), o->body, o->other, o->point, o->other_point, source->X_PC, source->pose};
        status = fender_body_attach(world, &def, &report, refusal);
        if (status != FENDER_STATUS_OK) return status;
        return note_attachment(run, action, o->body, o->other, &report, false, error);
    }
    case FND_OPERATION_REATTACH:
        status = fender_body_reattach(world, o->body, source->X_PC, &report, refusal);
        if (status != FENDER_STATUS_OK) return status;
        return note_attachment(run, action, o->body, fender_body_parent(world, o->body), &report, true, error);
    case FND_OPERATION_MOVE: return move(world, o, refusal);
    case FND_OPERATION_MOVE_PART: return move_part(world, o, refusal);
    case FND_OPERATION_DETACH:
        status = fender_body_detach(world, o->body, o->other, source->rule, NULL, refusal);
        return status == FENDER_STATUS_OK ? note_world(run, error) : status;
    case FND_OPERATION_SET_MASS:
    case FND_OPERATION_SET_CENTER:
    case FND_OPERATION_SET_INERTIA:
        status = set_mass(run, o, refusal);
        return status == FENDER_STATUS_OK ? note_world(run, error) : status;
    case FND_OPERATION_SWITCH: /* a world is built in the order of the scenario */
        status = fender_rule_set_use(world, fender_rule_at(world, source->switched),
                                     fender_contact_type_at(world, source->use), refusal);
        return status == FENDER_STATUS_OK ? note_world(run, error) : status;
    case FND_OPERATION_SET_COMMAND: return fender_command_set(world, &o->command, source->values, refusal);
    case FND_OPERATION_EMIT: return emit(run, action, source->event, error);
    case FND_OPERATION_STOP: run->stopped = true; break;
    }
    return status;
}

static const char *operation_name(fnd_operation_kind kind)
{
    switch (kind) {
    case FND_OPERATION_ATTACH: return "attach";
    case FND_OPERATION_DETACH: return "detach";
    case FND_OPERATION_REATTACH: return "reattach";
    case FND_OPERATION_MOVE:
    case FND_OPERATION_MOVE_PART: return "move";
    case FND_OPERATION_SWITCH: return "switch";
    case FND_OPERATION_EMIT: return "emit";
    case FND_OPERATION_STOP: return "stop";
    default: return "set";
    }
}

/* The world's words, with what could not be done, when, and where that was written. */
static fender_status refuse(const fender_run *run, const fnd_action_state *action, const fnd_operation *source,
                            fender_status status, const fender_error *refusal, fender_error *error)
{
    char message[320], path[160], time[48];
    fnd_duration_text(run->instant.time, time);
    snprintf(message, sizeof message, "action '%.64s' at %s: %s was refused: %.140s", action->source->id.name, time,
             operation_name(source->kind), refusal->message[0] ? refusal->message : fender_status_text(status));
    snprintf(path, sizeof path, "actions.%.64s", action->source->id.name);
    return FND_IO_FAIL(error, .status = status, .source = source->location.file, .line = source->location.line,
                       .column = source->location.column, .path = path, .message = message, .found = refusal->found,
                       .expected = refusal->expected, .suggestion = refusal->suggestion);
}

/* Tells every condition that waits for it. */
static void note_action(fender_run *run, int index)
{
    fnd_action_list *list = &run->actions;
    double time = run->instant.time;
    if (list->acting_count == FND_ACTING_CAPACITY) list->actings_dropped++;
    else list->actings[list->acting_count++] = (fnd_acting){index, time};
    for (int i = 0; i < run->actions.count; i++) fnd_condition_note_action(&run->actions.states[i].when, index, time);
    fnd_condition_note_action(&run->stop_when, index, time);
    fnd_expectation_note_action(&run->expectations, index, time);
}

/* Is it time to act? With a delay, later conditions do not count until it has acted. */
static bool is_due(fnd_action_state *action, const fnd_instant *instant)
{
    bool holds = fnd_condition_holds(&action->when, instant), begins = holds && !action->held;
    action->held = holds;
    if (action->done) return false;
    if (action->source->delay == 0) return begins;
    if (begins && isinf(action->due)) action->due = instant->time + action->source->delay;
    if (!isfinite(action->due) || !is_reached(action->due, instant->time)) return false;
    action->due = INFINITY;
    return true;
}

fender_status fnd_action_follow(fender_run *run, bool *acted, fender_error *error)
{
    assert(acted);
    *acted = false;
    for (int i = 0; i < run->actions.count; i++) {
        fnd_action_state *action = &run->actions.states[i];
        if (!is_due(action, &run->instant)) continue;
        action->done = action->source->once;
        *acted = true;
        for (int k = 0; k < action->source->operation_count; k++) {
            fender_error refusal;
            memset(&refusal, 0, sizeof refusal);
            const fnd_action_operation *operation = &action->operations[k];
            fender_status status = operate(run, action, operation, &refusal, error);
            if (status == FENDER_STATUS_OK) continue;
            if (error && error->status != FENDER_STATUS_OK) return status; /* of a file */
            return refuse(run, action, operation->source, status, &refusal, error);
        }
        note_action(run, i);
    }
    return FENDER_STATUS_OK;
}
