/* Carrying out actions: the mass tree, loads, shapes and masses are changed between two steps. */
#include "run/action.h"

#include "run/run.h"
#include "support/fault.h"

#include <stdio.h>
#include <string.h>

/* ---- resolving */

static void resolve_operation(const fnd_resolver *resolver, const fnd_operation *source, fnd_action_operation *to)
{
    const fender_world *world = resolver->world;
    memset(to, 0, sizeof *to);
    to->source = source;
    if (source->body >= 0) to->body = fender_body_at(world, source->body);
    if (source->other >= 0) to->other = fender_body_at(world, source->other);
    if (source->point >= 0) to->point = fnd_resolve_place(resolver, source->body, source->point).point;
    if (source->other_point >= 0)
        to->other_point = fnd_resolve_place(resolver, source->other, source->other_point).point;
    if (source->load >= 0) to->load = fender_load_at(world, source->load);
    if (source->link >= 0) to->link = fender_link_at(world, source->link);
    if (source->shape >= 0)
        fender_shape_find(world, to->body, resolver->scenario->bodies[source->body].shapes[source->shape].id.name,
                          &to->shape);
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
    if (!list->states || !list->attachments || !list->emissions) return false;
    for (int i = 0; i < list->count; i++) {
        fnd_action_state *state = &list->states[i];
        memset(state, 0, sizeof *state);
        state->source = &scenario->actions[i];
        int count = state->source->operation_count;
        state->operations = FND_ARENA_NEW_ARRAY(arena, fnd_action_operation, (size_t)count);
        if (!state->operations || !fnd_condition_resolve(resolver, &state->source->when, arena, &state->when))
            return false;
        for (int k = 0; k < count; k++)
            resolve_operation(resolver, &state->source->operations[k], &state->operations[k]);
    }
    return true;
}

void fnd_action_note_events(fnd_action_list *list, const fnd_moment *moment)
{
    for (int i = 0; i < list->count; i++) fnd_condition_note_events(&list->states[i].when, moment);
}

bool fnd_action_would_begin(const fnd_action_list *list, const fnd_moment *moment)
{
    for (int i = 0; i < list->count; i++) {
        const fnd_action_state *action = &list->states[i];
        if (action->done || action->held || !action->when.watched) continue;
        if (fnd_condition_would_hold(&action->when, moment)) return true;
    }
    return false;
}

double fnd_action_next_time(const fnd_action_list *list, double now)
{
    double next = INFINITY;
    for (int i = 0; i < list->count; i++) {
        if (list->states[i].done) continue;
        double time = fnd_condition_next_time(&list->states[i].when, now);
        if (time < next) next = time;
    }
    return next;
}

/* ---- operations */

/* The world has filled its list of events anew. */
static fender_status note_world(fender_run *run, fender_error *error)
{
    run->moment.events = fender_world_events(run->world, &run->moment.event_count);
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
        *item = (fender_attachment){.time = run->moment.time,
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
    event.time = run->moment.time;
    if (list->emission_count == FND_EMISSION_CAPACITY) list->emissions_dropped++;
    else
        list->emissions[list->emission_count++] = (fender_emission){run->moment.time, run->event_names.names[index],
                                                                    action->source->id.name};
    run->moment.events = &event;
    run->moment.event_count = 1;
    fender_status status = fnd_run_note_events(run, error);
    run->moment.event_count = 0;
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
    case FND_OPERATION_SET_LOAD: return fender_load_set_active(world, o->load, source->active);
    case FND_OPERATION_SET_LINK: return fender_link_set_active(world, o->link, source->active);
    case FND_OPERATION_SET_SHAPE: return fender_shape_set_active(world, o->shape, source->active);
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
    fnd_duration_text(run->moment.time, time);
    snprintf(message, sizeof message, "action '%.64s' at %s: %s was refused: %.140s", action->source->id.name, time,
             operation_name(source->kind), refusal->message[0] ? refusal->message : fender_status_text(status));
    snprintf(path, sizeof path, "actions.%.64s", action->source->id.name);
    return fnd_io_fail(error, (fnd_io_fault){.status = status,
                                             .source = source->place.file,
                                             .line = source->place.line,
                                             .column = source->place.column,
                                             .path = path,
                                             .message = message,
                                             .found = refusal->found,
                                             .expected = refusal->expected,
                                             .suggestion = refusal->suggestion});
}

fender_status fnd_action_follow(fender_run *run, bool *acted, fender_error *error)
{
    *acted = false;
    for (int i = 0; i < run->actions.count; i++) {
        fnd_action_state *action = &run->actions.states[i];
        bool holds = fnd_condition_holds(&action->when, &run->moment), due = holds && !action->held;
        action->held = holds;
        if (!due || action->done) continue;
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
    }
    return FENDER_STATUS_OK;
}
