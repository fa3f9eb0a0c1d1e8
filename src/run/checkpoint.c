/* Checkpoints: what a run remembers, saved at intervals, and going on from it. */
#include "run/checkpoint.h"

#include "run/directory.h"
#include "support/file.h"
#include "support/io_error.h"
#include <assert.h>
#include <stdio.h>

/* ---- What a run remembers ---- */

/* The command line of the run that began. */
static bool serialize_command_line(fnd_serializer *w, fender_run *run)
{
    bool given = run->command_line != NULL;
    int length = given ? (int)strlen(run->command_line) : 0;
    fnd_serialize_flag(w, &given);
    fnd_serialize_int(w, &length, 0, 1 << 24);
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

static void serialize_condition(fnd_serializer *w, fnd_condition_tree *tree)
{
    for (int i = 0; i < tree->count; i++) {
        FND_SERIALIZE(w, tree->nodes[i].contacts);
        FND_SERIALIZE(w, tree->nodes[i].since);
        fnd_serialize_flag(w, &tree->nodes[i].released);
        fnd_serialize_flag(w, &tree->nodes[i].happened);
    }
    fnd_nearness *n = tree->nearness;
    for (int i = 0; n && i < n->count; i++) {
        fnd_serialize_flag(w, &n->leaves[i].held_at_all);
        fnd_serialize_flag(w, &n->leaves[i].held);
        FND_SERIALIZE(w, n->leaves[i].value);
        FND_SERIALIZE(w, n->leaves[i].time);
        FND_SERIALIZE(w, n->leaves[i].with);
    }
    if (!n) return;
    fnd_serialize_flag(w, &n->closed);
    FND_SERIALIZE(w, n->became_true);
    FND_SERIALIZE(w, n->by);
}

/* A name of the scenario as its number: actions, or events that actions emit. */
static void serialize_action_name(fnd_serializer *w, const fender_run *run, const char **name)
{
    int index = 0;
    if (w->to)
        while (index + 1 < run->actions.count && run->actions.states[index].source->id.name != *name) index++;
    fnd_serialize_int(w, &index, 0, run->actions.count - 1);
    if (!w->to && !w->failed) *name = run->actions.states[index].source->id.name;
}

static void serialize_event_name(fnd_serializer *w, const fender_run *run, const char **name)
{
    int index = 0;
    if (w->to)
        while (index + 1 < run->event_names.count && run->event_names.names[index] != *name) index++;
    fnd_serialize_int(w, &index, 0, run->event_names.count - 1);
    if (!w->to && !w->failed) *name = run->event_names.names[index];
}

static void serialize_body_name(fnd_serializer *w, const fender_run *run, const char **name)
{
    fender_body_id id = {0};
    if (w->to) fender_body_find(run->world, *name, &id);
    int index = (int)id.index1 - 1;
    fnd_serialize_int(w, &index, 0, fender_body_count(run->world) - 1);
    if (!w->to && !w->failed) *name = fender_body_name(run->world, fender_body_at(run->world, index));
}

/* Ids of the world that wrote them, in this run's world: the same places. */
static fender_shape_id own_shape(const fender_run *run, fender_shape_id id)
{
    return fender_shape_at(run->world, (int)id.index1 - 1);
}

static fender_body_id own_body(const fender_run *run, fender_body_id id)
{
    return fender_body_at(run->world, (int)id.index1 - 1);
}

static void own_event(const fender_run *run, fender_event *event)
{
    if (event->subject == FENDER_SUBJECT_CONTACT) {
        event->contact.a = own_shape(run, event->contact.a);
        event->contact.b = own_shape(run, event->contact.b);
    } else if (event->subject == FENDER_SUBJECT_LINK) {
        event->link.link = fender_link_at(run->world, (int)event->link.link.index1 - 1);
        event->link.body_a = own_body(run, event->link.body_a);
        event->link.body_b = own_body(run, event->link.body_b);
    } else if (event->subject == FENDER_SUBJECT_TREE) {
        event->tree.child = own_body(run, event->tree.child);
        event->tree.parent = own_body(run, event->tree.parent);
        event->tree.moved = own_body(run, event->tree.moved);
    }
}

static void serialize_actions(fnd_serializer *w, fender_run *run)
{
    fnd_action_list *list = &run->actions;
    for (int i = 0; i < list->count; i++) {
        fnd_serialize_flag(w, &list->states[i].held);
        fnd_serialize_flag(w, &list->states[i].done);
        FND_SERIALIZE(w, list->states[i].due);
        serialize_condition(w, &list->states[i].when);
    }
    fnd_serialize_int(w, &list->attachment_count, 0, list->count > 0 ? FND_ATTACHMENT_CAPACITY : 0);
    for (int i = 0; i < list->attachment_count && !w->failed; i++) {
        fender_attachment *a = &list->attachments[i];
        FND_SERIALIZE(w, a->time);
        serialize_action_name(w, run, &a->action);
        serialize_body_name(w, run, &a->child);
        serialize_body_name(w, run, &a->parent);
        fnd_serialize_flag(w, &a->reattached);
        FND_SERIALIZE(w, a->report);
        if (!w->to) a->report.moved = own_body(run, a->report.moved);
    }
    fnd_serialize_int(w, &list->emission_count, 0, list->count > 0 ? FND_EMISSION_CAPACITY : 0);
    for (int i = 0; i < list->emission_count && !w->failed; i++) {
        fender_emission *e = &list->emissions[i];
        FND_SERIALIZE(w, e->time);
        serialize_event_name(w, run, &e->event);
        serialize_action_name(w, run, &e->action);
    }
    fnd_serialize_int(w, &list->acting_count, 0, list->count > 0 ? FND_ACTING_CAPACITY : 0);
    for (int i = 0; i < list->acting_count && !w->failed; i++) {
        fnd_serialize_int(w, &list->actings[i].action, 0, list->count - 1);
        FND_SERIALIZE(w, list->actings[i].time);
    }
    FND_SERIALIZE(w, list->actings_dropped);
    FND_SERIALIZE(w, list->attachments_dropped);
    FND_SERIALIZE(w, list->emissions_dropped);
    fnd_serialize_flag(w, &run->stopped);
    FND_SERIALIZE(w, run->action_frames);
}

static void serialize_events(fnd_serializer *w, fender_run *run)
{
    size_t kinds = (size_t)(FND_EVENT_KIND_COUNT + run->event_names.count);
    fnd_serialize_bytes(w, run->event_counts, kinds * sizeof *run->event_counts);
    fnd_serialize_int(w, &run->event_count, 0, FND_SUMMARY_EVENTS);
    if (w->failed) return;
    fnd_serialize_bytes(w, run->events, (size_t)run->event_count * sizeof *run->events);
    for (int i = 0; i < run->event_count && !w->failed; i++) {
        int kind = (int)run->events[i].kind;
        w->failed = kind < 0 || kind >= (int)kinds;
        if (!w->to) own_event(run, &run->events[i]);
    }
}

static void serialize_episodes(fnd_serializer *w, const fender_run *run, fnd_episode_table *table)
{
    fnd_serialize_int(w, &table->count, 0, FND_EPISODE_CAPACITY);
    if (w->failed) return;
    fnd_serialize_bytes(w, table->items, (size_t)table->count * sizeof *table->items);
    for (int i = 0; i < table->count; i++) table->items[i].contact[sizeof table->items[i].contact - 1] = '\0';
    fnd_serialize_bytes(w, table->keys, (size_t)table->count * sizeof *table->keys);
    for (int i = 0; i < table->count && !w->to; i++) {
        table->keys[i].a = own_shape(run, table->keys[i].a);
        table->keys[i].b = own_shape(run, table->keys[i].b);
    }
    fnd_serialize_int(w, &table->open_count, 0, table->count);
    for (int i = 0; i < table->open_count; i++) fnd_serialize_int(w, &table->open[i], 0, table->count - 1);
    FND_SERIALIZE(w, table->dropped);
    FND_SERIALIZE(w, table->worst_a);
    FND_SERIALIZE(w, table->worst_b);
    FND_SERIALIZE(w, table->worst_residual);
    if (w->to) return;
    table->worst_a = own_shape(run, table->worst_a);
    table->worst_b = own_shape(run, table->worst_b);
}

/* Of the shapes alone that are followed, which creation finds out. */
static void serialize_slides(fnd_serializer *w, fnd_slides *slides)
{
    for (int i = 0; i < slides->count; i++) {
        if (!slides->items[i].wanted) continue;
        FND_SERIALIZE(w, slides->items[i].slide);
        FND_SERIALIZE(w, slides->items[i].speed);
    }
    FND_SERIALIZE(w, slides->time);
}

static void serialize_tally(fnd_serializer *w, const fender_run *run, fnd_tally *tally)
{
    if (run->values_only) return; /* it has none */
    fnd_serialize_int(w, &tally->pair_count, 0, FND_TALLY_PAIRS);
    if (w->failed) return;
    fnd_serialize_bytes(w, tally->pairs, (size_t)tally->pair_count * sizeof *tally->pairs);
    FND_SERIALIZE(w, tally->dropped);
    FND_SERIALIZE(w, tally->open);
    for (int i = 0; i < tally->link_count; i++) {
        FND_SERIALIZE(w, tally->links[i].shortest);
        FND_SERIALIZE(w, tally->links[i].longest);
        FND_SERIALIZE(w, tally->links[i].stroke_left);
    }
    if (w->to || w->failed) return;
    for (int i = 0; i < tally->pair_count; i++) {
        tally->pairs[i].a = own_body(run, tally->pairs[i].a);
        tally->pairs[i].b = own_body(run, tally->pairs[i].b);
        tally->pairs[i].first_a = own_shape(run, tally->pairs[i].first_a);
        tally->pairs[i].first_b = own_shape(run, tally->pairs[i].first_b);
    }
    fnd_tally_index(tally);
}

static void serialize_results(fnd_serializer *w, fender_run *run)
{
    serialize_tally(w, run, &run->tally);
    serialize_slides(w, &run->slides);
    for (int i = 0; i < run->expectations.count; i++) FND_SERIALIZE(w, run->expectations.states[i].value);
    if (run->approaches.count > 0) fnd_approach_table_settle(&run->approaches);
    FND_SERIALIZE(w, run->approaches.last_time);
    for (int i = 0; i < run->approaches.count; i++) {
        FND_SERIALIZE(w, run->approaches.items[i].distance);
        FND_SERIALIZE(w, run->approaches.items[i].time);
        FND_SERIALIZE(w, run->approaches.items[i].least);
        fnd_serialize_flag(w, &run->approaches.items[i].touched);
    }
    fnd_serialize_flag(w, &run->instant.on_grid);
    FND_SERIALIZE(w, run->summary.largest_linear_drift);
    FND_SERIALIZE(w, run->summary.largest_angular_drift);
    FND_SERIALIZE(w, run->summary.largest_residual);
    FND_SERIALIZE(w, run->growth_start);
}

static void serialize_files(fnd_serializer *w, fender_run *run)
{
    FND_SERIALIZE(w, run->event_mark);
    FND_SERIALIZE(w, run->frames.replay_mark);
    FND_SERIALIZE(w, run->frames.contacts_mark);
    FND_SERIALIZE(w, run->frames.last_time);
    fnd_serialize_flag(w, &run->frames.contacts_full);
    FND_SERIALIZE(w, run->hashes.mark);
    FND_SERIALIZE(w, run->hashes.intervals);
    FND_SERIALIZE(w, run->hashes.last_time);
    for (int i = 0; i < run->recordings.count; i++) FND_SERIALIZE(w, run->recordings.items[i].mark);
    FND_SERIALIZE(w, run->host.mark);
    FND_SERIALIZE(w, run->checkpoint_number);
}

/* Pointers, and what creation works out from the scenario, are not in it. False: no memory. */
static bool run_serialize(fnd_serializer *w, fender_run *run)
{
    bool memory = serialize_command_line(w, run);
    serialize_events(w, run);
    serialize_condition(w, &run->stop_when);
    serialize_actions(w, run);
    serialize_episodes(w, run, &run->episodes);
    serialize_results(w, run);
    serialize_files(w, run);
    fnd_controllers_serialize(w, &run->controllers);
    return memory;
}

/* ---- Saving and going on ---- */

/* How a checkpoint begins; then comes the walk over the run, then the snapshot of its world. Numbers are as the machine
 * has them: `order` tells a machine that has them otherwise. */
typedef struct header {
    char mark[8], version[16];
    uint32_t order, layout;
    uint64_t size, snapshot_size; /* of everything; of its last part */
    uint64_t scenario;            /* hash of all its texts and replacements */
    int64_t step;
    double time;
    uint64_t checksum; /* of all but itself */
} header;
static const char mark_of_checkpoints[8] = {'f', 'n', 'd', 'c', 'h', 'e', 'c', 'k'};
enum { BYTE_ORDER_MARK = 0x01020304, LAYOUT = 8 }; /* LAYOUT increases with every change of the serializer */

static const char *const slot_names[2] = {FND_FILE_CHECKPOINT_0, FND_FILE_CHECKPOINT_1};

/* ---- saving */

static uint64_t checksum_of(const char *bytes, size_t size)
{
    header h;
    memcpy(&h, bytes, sizeof h);
    h.checksum = 0;
    uint64_t sum = fnd_text_hash(FND_TEXT_HASH_START, &h, sizeof h);
    return fnd_text_hash(sum, bytes + sizeof h, size - sizeof h);
}

/* The files must be on the disk before the checkpoint that describes them. */
static fender_status sync_files(fender_run *run, fender_error *error)
{
    fender_status status = fnd_table_sync(&run->event_table, &run->event_mark, error);
    if (status == FENDER_STATUS_OK) status = fnd_host_log_sync(&run->host, error);
    if (status == FENDER_STATUS_OK) status = fnd_frames_sync(&run->frames, error);
    if (status == FENDER_STATUS_OK) status = fnd_table_sync(&run->hashes.table, &run->hashes.mark, error);
    return status == FENDER_STATUS_OK ? fnd_recording_sync(&run->recordings, error) : status;
}

static void append_state(fnd_buffer *to, fender_run *run, const void *snapshot, size_t snapshot_size)
{
    header h;
    memset(&h, 0, sizeof h);
    fnd_buffer_append(to, (const char *)&h, sizeof h);
    fnd_serializer w = {.to = to};
    (void)run_serialize(&w, run); /* writing takes memory of the buffer alone */
    fnd_buffer_append(to, snapshot, snapshot_size);
    if (to->failed) return;
    memcpy(h.mark, mark_of_checkpoints, sizeof h.mark);
    snprintf(h.version, sizeof h.version, "%s", fender_version());
    h.order = BYTE_ORDER_MARK;
    h.layout = LAYOUT;
    h.size = to->length;
    h.snapshot_size = snapshot_size;
    h.scenario = run->scenario_hash;
    h.step = run->instant.step;
    h.time = run->instant.time;
    memcpy(to->text, &h, sizeof h);
    h.checksum = checksum_of(to->text, to->length);
    memcpy(to->text, &h, sizeof h);
}

static fender_status write_in(const fender_run *run, const char *name, const void *bytes, size_t size,
                              fender_error *error)
{
    size_t path_size;
    const fender_allocator *allocator = &run->env.allocator;
    char *path = fnd_directory_path(allocator, run->directory, name, &path_size);
    if (!path) return fnd_io_fail_memory(error, "the path of a file");
    fender_status status = fnd_file_write(path, bytes, size, error);
    allocator->release(allocator->ctx, path, path_size);
    return status;
}

fender_status fnd_checkpoint_save(fender_run *run, fender_error *error)
{
    assert(run->directory);
    fender_status status = sync_files(run, error);
    if (status != FENDER_STATUS_OK) return status;
    fender_snapshot *snapshot = fender_snapshot_take(run->world, error);
    if (!snapshot) return error->status != FENDER_STATUS_OK ? error->status : FENDER_STATUS_MEMORY;
    size_t snapshot_size;
    const void *bytes = fender_snapshot_bytes(snapshot, &snapshot_size);
    fnd_buffer buffer = fnd_buffer_open(&run->env.allocator);
    append_state(&buffer, run, bytes, snapshot_size);
    fender_snapshot_destroy(snapshot);
    /* one after the other, so that the one before is whole until this one is */
    status = buffer.failed ? fnd_io_fail_memory(error, "a checkpoint")
                           : write_in(run, slot_names[run->checkpoint_slot], buffer.text, buffer.length, error);
    if (status == FENDER_STATUS_OK) run->checkpoint_slot = !run->checkpoint_slot;
    fnd_buffer_close(&buffer);
    return status;
}

/* Due at the start, and at the first state at or behind each multiple of the interval. */
static bool is_due(fender_run *run)
{
    double every = run->scenario->checkpoint_every;
    if (!(every > 0)) return false;
    double passed = (run->instant.time - run->scenario->world.start_time) / every;
    int64_t number = passed < 9e15 ? (int64_t)floor(passed * (1 + 1e-12)) : INT64_MAX;
    if (number <= run->checkpoint_number) return false;
    run->checkpoint_number = number;
    return true;
}

fender_status fnd_run_keep(fender_run *run, bool *last, fender_error *error)
{
    if (run->verifying && !fnd_hash_check_follow(&run->recorded, &run->instant) && !*last) {
        run->end = FND_END_COMPARED;
        *last = true;
    }
    if (!run->directory) return FENDER_STATUS_OK;
    fender_status status = fnd_hash_log_follow(&run->hashes, &run->instant, *last, error);
    return status == FENDER_STATUS_OK && !*last && is_due(run) ? fnd_checkpoint_save(run, error) : status;
}

void fnd_checkpoint_remove(const fender_run *run)
{
    for (int i = 0; i < 2; i++) fnd_directory_remove(run->directory, slot_names[i]);
}

/* ---- going on */

static fender_status refuse(const fender_run *run, fender_status status, const char *message, const char *found,
                            const char *expected, const char *suggestion, fender_error *error)
{
    return FND_IO_FAIL(error, .status = status, .source = run->directory, .message = message, .found = found,
                       .expected = expected, .suggestion = suggestion);
}

static const char start_again[] = "start the run again from its scenario (fender run)";

static fender_status check_checkpoint(const fender_run *run, const fnd_file *file, header *h, fender_error *error)
{
    char found[64], expected[64];
    static const char sum[] = "bytes that do not match its checksum", as_written[] = "the bytes that the run wrote";
    if (file->length < sizeof *h || memcmp(file->text, mark_of_checkpoints, sizeof h->mark) != 0)
        return refuse(run, FENDER_STATUS_FILE, "the checkpoint is damaged", "other bytes", as_written, start_again,
                      error);
    memcpy(h, file->text, sizeof *h);
    h->version[sizeof h->version - 1] = '\0';
    if (h->order == BYTE_ORDER_MARK && (strcmp(h->version, fender_version()) != 0 || h->layout != LAYOUT)) {
        snprintf(found, sizeof found, "version %s, layout %u", h->version, (unsigned)h->layout);
        snprintf(expected, sizeof expected, "version %s, layout %d", fender_version(), LAYOUT);
        return refuse(run, FENDER_STATUS_FILE, "the checkpoint was written by another version of fender", found,
                      expected, "continue with that version, or start again", error);
    }
    if (h->order != BYTE_ORDER_MARK || h->size != file->length ||
        h->checksum != checksum_of(file->text, file->length) || h->snapshot_size > h->size - sizeof *h)
        return refuse(run, FENDER_STATUS_FILE, "the checkpoint is damaged", sum, as_written, start_again, error);
    if (h->scenario != run->scenario_hash)
        return refuse(run, FENDER_STATUS_FILE, "the checkpoint belongs to another scenario",
                      "other texts or --set options", "the original scenario of the run", start_again, error);
    return FENDER_STATUS_OK;
}

static fender_status read_slot(const fender_run *run, int slot, fnd_file *file, header *h, fender_error *error)
{
    size_t size;
    const fender_allocator *allocator = &run->env.allocator;
    char *path = fnd_directory_path(allocator, run->directory, slot_names[slot], &size);
    if (!path) return fnd_io_fail_memory(error, "the path of a checkpoint");
    fender_status status = fnd_file_read(allocator, path, (size_t)1 << 30, FND_FILE_BYTES, file, error);
    allocator->release(allocator->ctx, path, size);
    if (status != FENDER_STATUS_OK) return status;
    status = check_checkpoint(run, file, h, error);
    if (status != FENDER_STATUS_OK) fnd_file_release(allocator, file);
    return status;
}

/* The newest whole one. */
static fender_status find_checkpoint(fender_run *run, fnd_file *file, header *h, fender_error *error)
{
    fnd_file files[2];
    header headers[2];
    fender_error errors[2];
    fender_status statuses[2];
    bool exists = false;
    const bool kept = run->scenario->checkpoint_every > 0;
    memset(errors, 0, sizeof errors);
    for (int i = 0; i < 2; i++) {
        statuses[i] = read_slot(run, i, &files[i], &headers[i], &errors[i]);
        if (fnd_directory_holds(run->directory, slot_names[i])) exists = true;
    }
    if (statuses[0] == FENDER_STATUS_MEMORY || statuses[1] == FENDER_STATUS_MEMORY) {
        for (int i = 0; i < 2; i++)
            if (statuses[i] == FENDER_STATUS_OK) fnd_file_release(&run->env.allocator, &files[i]);
        return fnd_io_fail_memory(error, "a checkpoint");
    }
    int best = statuses[0] == FENDER_STATUS_OK ? 0 : 1;
    if (best == 0 && statuses[1] == FENDER_STATUS_OK && headers[1].step > headers[0].step) best = 1;
    int other = 1 - best;
    if (statuses[other] == FENDER_STATUS_OK) fnd_file_release(&run->env.allocator, &files[other]);
    if (statuses[best] == FENDER_STATUS_OK) {
        *file = files[best];
        *h = headers[best];
        run->checkpoint_slot = other;
        return FENDER_STATUS_OK;
    }
    if (!exists)
        return refuse(run, FENDER_STATUS_FILE, "the run has no checkpoint to continue from",
                      "no " FND_FILE_CHECKPOINT_0,
                      kept ? "a run that was not stopped before its first checkpoint"
                           : "a run with run.checkpoint_every or --checkpoint-every",
                      kept ? start_again : "start the run again from its scenario, with --checkpoint-every 10s", error);
    /* the one that is there has more to say than the one that is not */
    const fender_error *first = fnd_directory_holds(run->directory, slot_names[0]) ? &errors[0] : &errors[1];
    return refuse(run, first->status, first->message, first->found, first->expected, first->suggestion, error);
}

static fender_status restore_world(fender_run *run, const fnd_file *file, const header *h, fender_error *error)
{
    const char *bytes = file->text + file->length - h->snapshot_size;
    fender_snapshot *snapshot = fender_snapshot_from_bytes(&run->env, bytes, h->snapshot_size, error);
    if (!snapshot) return error->status;
    fender_status status = fender_snapshot_restore(run->world, snapshot, error);
    fender_snapshot_destroy(snapshot);
    return status;
}

static fender_status restore_run(fender_run *run, const fnd_file *file, const header *h, fender_error *error)
{
    fnd_serializer w = {.from = file->text, .at = sizeof *h, .size = file->length - h->snapshot_size};
    if (!run_serialize(&w, run)) return fnd_io_fail_memory(error, "a checkpoint");
    if (w.failed || w.at != w.size || h->step < 0 || h->step > run->last_step)
        return refuse(run, FENDER_STATUS_FILE, "the checkpoint is damaged", "contents that no run produces",
                      "the bytes that the run wrote", start_again, error);
    run->instant = fnd_run_instant(run, h->step, run->instant.on_grid);
    fender_world_ledger(run->world, &run->instant.ledger);
    return FENDER_STATUS_OK;
}

fender_status fnd_checkpoint_resume(fender_run *run, fender_error *error)
{
    bool complete = false;
    fnd_file file;
    header h;
    fender_status status = fnd_directory_enter(&run->env, run->directory, &run->directory_lock, &complete, error);
    if (status != FENDER_STATUS_OK) return status;
    if (complete) {
        fnd_checkpoint_remove(run); /* of a run that was killed just before it would have done so */
        return refuse(run, FENDER_STATUS_STATE, "the run is complete: there is nothing to resume", "\"complete\": true",
                      "an interrupted run", "`fender replay` repeats it", error);
    }
    if (!run->hosted && run->host.count == 0 && fnd_directory_holds(run->directory, FND_FILE_COMMANDS))
        return refuse(run, FENDER_STATUS_FILE, "a program has stepped this run: without it, its commands are missing",
                      FND_FILE_COMMANDS, "a run that was executed", "resume it in that program, by fender_run_open",
                      error);
    status = find_checkpoint(run, &file, &h, error);
    if (status != FENDER_STATUS_OK) return status;
    status = restore_world(run, &file, &h, error);
    if (status == FENDER_STATUS_OK) status = restore_run(run, &file, &h, error);
    fnd_file_release(&run->env.allocator, &file);
    return status;
}

/* ---- failure */

void fnd_run_save_last_good(const fender_run *run, fender_status status, fender_error *error)
{
    char time[48], directory[60], text[sizeof error->suggestion];
    fender_error unused;
    size_t size;
    bool of_world = status == FENDER_STATUS_NOT_FINITE || status == FENDER_STATUS_INTEGRATOR ||
                    status == FENDER_STATUS_CONTROLLER;
    if (!run->directory_ready || !of_world) return;
    memset(&unused, 0, sizeof unused);
    fender_world_advance(run->world, 0, NULL); /* what was proposed is dropped */
    fender_snapshot *snapshot = fender_snapshot_take(run->world, &unused);
    if (!snapshot) return;
    const void *bytes = fender_snapshot_bytes(snapshot, &size);
    fender_status written = write_in(run, FND_FILE_LAST_GOOD, bytes, size, &unused);
    fender_snapshot_destroy(snapshot);
    if (written != FENDER_STATUS_OK) return; /* the run's own failure is told; this one would hide it */
    fnd_duration_text(fender_world_time(run->world), time);
    fnd_io_excerpt(directory, sizeof directory, run->directory, strlen(run->directory));
    snprintf(text, sizeof text, "%.190s; the state at %.20s is saved in %s/" FND_FILE_LAST_GOOD, error->suggestion,
             time, directory);
    memcpy(error->suggestion, text, sizeof text);
}

/* ---- States in memory ---- */

/* How they begin; then comes the walk over the run, then the snapshot. */
typedef struct state_head {
    uint64_t begun, last, stopped, snapshot_size;
    int64_t step, end;
} state_head;

bool fnd_run_append_state(fender_run *run, fnd_buffer *to)
{
    fender_snapshot *snapshot = fender_snapshot_take(run->world, NULL);
    if (!snapshot) return false;
    size_t size;
    const void *bytes = fender_snapshot_bytes(snapshot, &size);
    const state_head head = {.begun = run->phase == FND_RUN_OPEN,
                             .last = run->last,
                             .stopped = run->stopped,
                             .snapshot_size = size,
                             .step = run->instant.step,
                             .end = run->end};
    fnd_buffer_append(to, (const char *)&head, sizeof head);
    fnd_serializer w = {.to = to};
    if (head.begun) (void)run_serialize(&w, run); /* writing takes memory of the buffer alone */
    fnd_buffer_append(to, bytes, size);
    fender_snapshot_destroy(snapshot);
    return !to->failed;
}

static fender_status refuse_state(fender_error *error, fender_status status, const char *message)
{
    return FND_IO_FAIL(error, .status = status, .message = message, .expected = "a state of the same run");
}

fender_status fnd_run_restore_state(fender_run *run, const void *bytes, size_t size, fender_error *error)
{
    state_head head;
    assert(!run->directory);
    if (size < sizeof head) return refuse_state(error, FENDER_STATUS_FILE, "these bytes are no state of a run");
    memcpy(&head, bytes, sizeof head);
    if (head.snapshot_size > size - sizeof head || head.step < 0 || head.step > run->last_step || head.end < 0 ||
        head.end > FND_END_ERROR)
        return refuse_state(error, FENDER_STATUS_FILE, "these bytes are no state of a run");
    if (!head.begun && run->phase != FND_RUN_CREATED)
        return refuse_state(error, FENDER_STATUS_STATE, "a run that has begun cannot go back to before its beginning");
    fnd_serializer w = {.from = bytes, .at = sizeof head, .size = size - head.snapshot_size};
    fender_snapshot *snapshot = fender_snapshot_from_bytes(&run->env, w.from + w.size, head.snapshot_size, error);
    if (!snapshot) return error ? error->status : FENDER_STATUS_FILE;
    fender_status status = fender_snapshot_restore(run->world, snapshot, error);
    fender_snapshot_destroy(snapshot);
    if (status != FENDER_STATUS_OK || !head.begun) return status;
    if (!run_serialize(&w, run)) return fnd_io_fail_memory(error, "the state of a run");
    if (w.failed || w.at != w.size) return refuse_state(error, FENDER_STATUS_FILE, "these bytes are no state of a run");
    run->phase = FND_RUN_OPEN;
    run->status = FENDER_STATUS_OK;
    memset(&run->failure, 0, sizeof run->failure);
    run->last = head.last != 0;
    run->stopped = head.stopped != 0;
    run->end = (fnd_run_end)head.end;
    run->instant = fnd_run_instant(run, head.step, run->instant.on_grid);
    fender_world_ledger(run->world, &run->instant.ledger);
    return FENDER_STATUS_OK;
}
