/* What a run remembers besides its world, field by field. */
#include "run/checkpoint_walk.h"

/* The command line of the run that began. */
static bool walk_command_line(fnd_walk *w, fender_run *run)
{
    bool given = run->command_line != NULL;
    int length = given ? (int)strlen(run->command_line) : 0;
    fnd_walk_flag(w, &given);
    fnd_walk_int(w, &length, 0, 1 << 24);
    if (w->to) {
        fnd_buffer_append(w->to, given ? run->command_line : "", (size_t)length);
        return true;
    }
    if (w->failed || (size_t)length > w->size - w->at) {
        w->failed = true;
        return true;
    }
    run->command_line = given ? fnd_arena_copy(&run->arena, w->from + w->at, (size_t)length) : NULL;
    w->at += (size_t)length;
    return !given || run->command_line;
}

static void walk_condition(fnd_walk *w, fnd_condition_tree *tree)
{
    for (int i = 0; i < tree->count; i++) {
        FND_WALK(w, tree->nodes[i].contacts);
        FND_WALK(w, tree->nodes[i].since);
        fnd_walk_flag(w, &tree->nodes[i].released);
        fnd_walk_flag(w, &tree->nodes[i].happened);
    }
}

/* A name of the scenario as its number: actions, or events that actions emit. */
static void walk_action_name(fnd_walk *w, const fender_run *run, const char **name)
{
    int index = 0;
    if (w->to)
        while (index + 1 < run->actions.count && run->actions.states[index].source->id.name != *name) index++;
    fnd_walk_int(w, &index, 0, run->actions.count - 1);
    if (!w->to && !w->failed) *name = run->actions.states[index].source->id.name;
}

static void walk_event_name(fnd_walk *w, const fender_run *run, const char **name)
{
    int index = 0;
    if (w->to)
        while (index + 1 < run->event_names.count && run->event_names.names[index] != *name) index++;
    fnd_walk_int(w, &index, 0, run->event_names.count - 1);
    if (!w->to && !w->failed) *name = run->event_names.names[index];
}

static void walk_body_name(fnd_walk *w, const fender_run *run, const char **name)
{
    fender_body_id id = {0, 0};
    if (w->to) fender_body_find(run->world, *name, &id);
    int index = (int)id.index1 - 1;
    fnd_walk_int(w, &index, 0, fender_body_count(run->world) - 1);
    if (!w->to && !w->failed) *name = fender_body_name(run->world, fender_body_at(run->world, index));
}

static void walk_actions(fnd_walk *w, fender_run *run)
{
    fnd_action_list *list = &run->actions;
    for (int i = 0; i < list->count; i++) {
        fnd_walk_flag(w, &list->states[i].held);
        fnd_walk_flag(w, &list->states[i].done);
        walk_condition(w, &list->states[i].when);
    }
    fnd_walk_int(w, &list->attachment_count, 0, list->count > 0 ? FND_ATTACHMENT_CAPACITY : 0);
    for (int i = 0; i < list->attachment_count && !w->failed; i++) {
        fender_attachment *a = &list->attachments[i];
        FND_WALK(w, a->time);
        walk_action_name(w, run, &a->action);
        walk_body_name(w, run, &a->child);
        walk_body_name(w, run, &a->parent);
        fnd_walk_flag(w, &a->reattached);
        FND_WALK(w, a->report);
    }
    fnd_walk_int(w, &list->emission_count, 0, list->count > 0 ? FND_EMISSION_CAPACITY : 0);
    for (int i = 0; i < list->emission_count && !w->failed; i++) {
        fender_emission *e = &list->emissions[i];
        FND_WALK(w, e->time);
        walk_event_name(w, run, &e->event);
        walk_action_name(w, run, &e->action);
    }
    FND_WALK(w, list->attachments_dropped);
    FND_WALK(w, list->emissions_dropped);
    fnd_walk_flag(w, &run->stopped);
    FND_WALK(w, run->action_frames);
}

static void walk_events(fnd_walk *w, fender_run *run)
{
    size_t kinds = (size_t)(FND_EVENT_KIND_COUNT + run->event_names.count);
    fnd_walk_bytes(w, run->event_counts, kinds * sizeof *run->event_counts);
    fnd_walk_int(w, &run->event_count, 0, FND_SUMMARY_EVENTS);
    if (w->failed) return;
    fnd_walk_bytes(w, run->events, (size_t)run->event_count * sizeof *run->events);
    for (int i = 0; i < run->event_count && !w->failed; i++) {
        int kind = (int)run->events[i].kind;
        w->failed = kind < 0 || kind >= (int)kinds;
    }
}

static void walk_episodes(fnd_walk *w, fnd_episode_table *table)
{
    fnd_walk_int(w, &table->count, 0, FND_EPISODE_CAPACITY);
    if (w->failed) return;
    fnd_walk_bytes(w, table->items, (size_t)table->count * sizeof *table->items);
    for (int i = 0; i < table->count; i++) table->items[i].contact[sizeof table->items[i].contact - 1] = '\0';
    fnd_walk_bytes(w, table->keys, (size_t)table->count * sizeof *table->keys);
    fnd_walk_int(w, &table->open_count, 0, table->count);
    for (int i = 0; i < table->open_count; i++) fnd_walk_int(w, &table->open[i], 0, table->count - 1);
    FND_WALK(w, table->dropped);
    FND_WALK(w, table->worst_a);
    FND_WALK(w, table->worst_b);
    FND_WALK(w, table->worst_residual);
}

static void walk_results(fnd_walk *w, fender_run *run)
{
    for (int i = 0; i < run->expectations.count; i++) FND_WALK(w, run->expectations.states[i].value);
    FND_WALK(w, run->approaches.last_time);
    for (int i = 0; i < run->approaches.count; i++) {
        FND_WALK(w, run->approaches.items[i].distance);
        FND_WALK(w, run->approaches.items[i].time);
        FND_WALK(w, run->approaches.items[i].least);
        fnd_walk_flag(w, &run->approaches.items[i].touched);
    }
    fnd_walk_flag(w, &run->moment.on_grid);
    FND_WALK(w, run->summary.largest_linear_drift);
    FND_WALK(w, run->summary.largest_angular_drift);
    FND_WALK(w, run->summary.largest_residual);
    FND_WALK(w, run->growth_start);
}

static void walk_files(fnd_walk *w, fender_run *run)
{
    FND_WALK(w, run->event_mark);
    FND_WALK(w, run->frames.replay_mark);
    FND_WALK(w, run->frames.contacts_mark);
    FND_WALK(w, run->frames.last_time);
    fnd_walk_flag(w, &run->frames.contacts_full);
    FND_WALK(w, run->hashes.mark);
    FND_WALK(w, run->hashes.intervals);
    FND_WALK(w, run->hashes.last_time);
    for (int i = 0; i < run->recordings.count; i++) FND_WALK(w, run->recordings.items[i].mark);
    FND_WALK(w, run->checkpoint_number);
}

bool fnd_run_walk(fnd_walk *w, fender_run *run)
{
    bool memory = walk_command_line(w, run);
    walk_events(w, run);
    walk_condition(w, &run->stop_when);
    walk_actions(w, run);
    walk_episodes(w, &run->episodes);
    walk_results(w, run);
    walk_files(w, run);
    return memory;
}
