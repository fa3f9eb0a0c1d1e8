/* summary.json of a run directory: what came out, as far as it is known. */
#include "run/directory.h"
#include "run/run.h"
#include "support/file.h"
#include "support/io_error.h"
#include "support/json.h"

#include <inttypes.h>
#include <string.h>

static void number(fnd_buffer *to, const char *key, double value, bool first)
{
    fnd_json_key(to, key, first);
    fnd_json_number(to, value);
}

static void whole(fnd_buffer *to, const char *key, int64_t value)
{
    fnd_json_key(to, key, false);
    fnd_buffer_appendf(to, "%" PRId64, value);
}

static void text(fnd_buffer *to, const char *key, const char *value, bool first)
{
    fnd_json_key(to, key, first);
    fnd_json_text(to, value ? value : "");
}

static void boolean(fnd_buffer *to, const char *key, bool value, bool first)
{
    fnd_json_key(to, key, first);
    fnd_buffer_append_text(to, value ? "true" : "false");
}

static const char *end_name(fnd_run_end end)
{
    switch (end) {
    case FND_END_NONE: return "not yet";
    case FND_END_UNTIL: return "until";
    case FND_END_CONDITION: return "stop_when";
    case FND_END_ACTION: return "action";
    case FND_END_INTERRUPT: return "interrupt";
    case FND_END_ENERGY: return "energy";
    case FND_END_COMPARED: return "compared";
    case FND_END_ERROR: return "error";
    }
    return "";
}

static void append_head(fnd_buffer *to, const fender_run *run)
{
    const fender_run_summary *s = &run->summary;
    fnd_buffer_append_text(to, FND_SUMMARY_MARK ",\"version\":2");
    boolean(to, "complete", fnd_run_is_complete(run), false);
    text(to, "title", s->title, false);
    text(to, "fender_version", fender_version(), false);
    if (run->command_line) text(to, "command", run->command_line, false);
    number(to, "duration", s->end_time - run->scenario->world.start_time, false);
    number(to, "start_time", run->scenario->world.start_time, false);
    number(to, "end_time", s->end_time, false);
    number(to, "until", s->until, false);
    whole(to, "steps", s->step_count);
    whole(to, "modes_frozen", s->modes_frozen);
    number(to, "step", s->step, false);
    if (s->relative_tolerance > 0) number(to, "relative_tolerance", s->relative_tolerance, false);
    text(to, "method", s->method, false);
    number(to, "wall_time", s->wall_time, false);
    boolean(to, "interrupted", s->interrupted, false);
    text(to, "ended_by", end_name(run->end), false);
    fnd_json_key(to, "hash", false);
    fnd_buffer_appendf(to, "\"%016" PRIx64 "\"", s->hash);
    text(to, "verdict", fender_run_verdict_name(s->verdict), false);
    fnd_json_key(to, "reasons", false);
    fnd_buffer_append_char(to, '[');
    for (int i = 0; i < s->reason_count; i++) {
        if (i > 0) fnd_buffer_append_char(to, ',');
        fnd_json_text(to, s->reasons[i]);
    }
    fnd_buffer_append_char(to, ']');
    whole(to, "bodies", s->body_count);
    whole(to, "shapes", s->shape_count);
    whole(to, "pairs", s->pair_count);
}

static void append_contacts(fnd_buffer *to, const fender_run_summary *s)
{
    fnd_json_key(to, "contacts", false);
    fnd_buffer_append_char(to, '[');
    for (int i = 0; i < s->episode_count; i++) {
        const fender_episode *e = &s->episodes[i];
        fnd_buffer_append_text(to, i > 0 ? ",\n{" : "\n{");
        text(to, "contact", e->contact, true);
        number(to, "begin_time", e->begin_time, false);
        number(to, "end_time", e->end_time, false);
        number(to, "peak_force", e->peak_force, false);
        number(to, "peak_force_time", e->peak_force_time, false);
        number(to, "peak_depth", e->peak_depth, false);
        number(to, "impulse", e->impulse, false);
        number(to, "approach_speed", e->approach_speed, false);
        number(to, "rebound_speed", e->rebound_speed, false);
        fnd_json_key(to, "errors", false);
        fnd_buffer_append_char(to, '{');
        number(to, "begin_time", e->errors.begin_time, true);
        number(to, "end_time", e->errors.end_time, false);
        number(to, "peak_force", e->errors.peak_force, false);
        number(to, "peak_force_time", e->errors.peak_force_time, false);
        number(to, "peak_depth", e->errors.peak_depth, false);
        number(to, "impulse", e->errors.impulse, false);
        number(to, "approach_speed", e->errors.approach_speed, false);
        number(to, "rebound_speed", e->errors.rebound_speed, false);
        fnd_buffer_append_char(to, '}');
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
    whole(to, "contacts_dropped", s->episodes_dropped);
    fnd_json_key(to, "approaches", false);
    fnd_buffer_append_char(to, '[');
    for (int i = 0; i < s->approach_count; i++) {
        fnd_buffer_append_text(to, i > 0 ? ",\n{" : "\n{");
        text(to, "contact", s->approaches[i].contact, true);
        number(to, "distance", s->approaches[i].distance, false);
        number(to, "least", s->approaches[i].least, false);
        number(to, "time", s->approaches[i].time, false);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
}

static void append_balance(fnd_buffer *to, const fender_run_summary *s)
{
    fnd_json_key(to, "energy", false);
    fnd_buffer_append_char(to, '{');
    number(to, "start", s->start.kinetic + s->start.gravitational + s->start.stored, true);
    number(to, "end", s->end.kinetic + s->end.gravitational + s->end.stored, false);
    number(to, "damping", s->end.damping - s->start.damping, false);
    number(to, "friction", s->end.friction - s->start.friction, false);
    number(to, "applied", s->end.applied - s->start.applied, false);
    number(to, "attachment", s->end.attachment - s->start.attachment, false);
    number(to, "residual", s->end.residual, false);
    number(to, "largest_residual", s->largest_residual, false);
    number(to, "scale", s->end.scale, false);
    number(to, "contact_work", s->end.contact_work - s->start.contact_work, false);
    number(to, "residual_bound", s->residual_bound, false);
    fnd_buffer_append_char(to, '}');
    fnd_json_key(to, "momentum", false);
    fnd_buffer_append_char(to, '{');
    number(to, "linear_drift", s->largest_linear_drift, true);
    number(to, "angular_drift", s->largest_angular_drift, false);
    fnd_buffer_append_char(to, '}');
}

static void append_events(fnd_buffer *to, const fender_run *run)
{
    int64_t total = 0;
    for (int kind = 0; kind < FND_EVENT_KIND_COUNT + run->event_names.count; kind++) total += run->event_counts[kind];
    fnd_json_key(to, "events", false);
    fnd_buffer_append_char(to, '[');
    for (int i = 0; i < run->event_count; i++) {
        char pair[420];
        const fender_event *event = &run->events[i];
        fnd_event_subject(run->world, event, pair, sizeof pair);
        fnd_buffer_append_text(to, i > 0 ? ",\n{" : "\n{");
        number(to, "time", event->time, true);
        text(to, "event", fnd_event_name(&run->event_names, (int)event->kind), false);
        if (event->subject == FENDER_SUBJECT_LINK) text(to, "link", pair, false);
        else if (event->subject == FENDER_SUBJECT_TREE) {
            text(to, "child", fender_body_name(run->world, event->tree.child), false);
            text(to, "parent", fender_body_name(run->world, event->tree.parent), false);
        } else if (event->subject == FENDER_SUBJECT_CONTACT) text(to, "contact", pair, false);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
    whole(to, "events_in_all", total);
}

static void vector(fnd_buffer *to, const char *key, fender_vec3 v)
{
    fnd_json_key(to, key, false);
    fnd_buffer_append_char(to, '[');
    fnd_json_number(to, v.x);
    fnd_buffer_append_char(to, ',');
    fnd_json_number(to, v.y);
    fnd_buffer_append_char(to, ',');
    fnd_json_number(to, v.z);
    fnd_buffer_append_char(to, ']');
}

/* Attachments and events of actions; empty for a scenario without actions. */
static void append_actions(fnd_buffer *to, const fender_run *run)
{
    const fnd_action_list *list = &run->actions;
    if (list->count == 0) return;
    fnd_json_key(to, "attachments", false);
    fnd_buffer_append_char(to, '[');
    for (int i = 0; i < list->attachment_count; i++) {
        const fender_attachment *a = &list->attachments[i];
        fnd_buffer_append_text(to, i > 0 ? ",\n{" : "\n{");
        number(to, "time", a->time, true);
        text(to, "action", a->action, false);
        text(to, "kind", a->reattached ? "reattach" : "attach", false);
        text(to, "child", a->child, false);
        text(to, "parent", a->parent, false);
        text(to, "moved", fender_body_name(run->world, a->report.moved), false);
        vector(to, "child_displacement", a->report.child_displacement);
        vector(to, "parent_displacement", a->report.parent_displacement);
        number(to, "rotation", a->report.rotation, false);
        number(to, "kinetic_energy_lost", a->report.kinetic_energy_lost, false);
        number(to, "contact_energy_lost", a->report.contact_energy_lost, false);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
    whole(to, "attachments_dropped", list->attachments_dropped);
    fnd_json_key(to, "emitted", false);
    fnd_buffer_append_char(to, '[');
    for (int i = 0; i < list->emission_count; i++) {
        fnd_buffer_append_text(to, i > 0 ? ",\n{" : "\n{");
        number(to, "time", list->emissions[i].time, true);
        text(to, "event", list->emissions[i].event, false);
        text(to, "action", list->emissions[i].action, false);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
    whole(to, "emitted_dropped", list->emissions_dropped);
}

static void append_expectations(fnd_buffer *to, const fender_run_summary *s)
{
    fnd_json_key(to, "expectations", false);
    fnd_buffer_append_char(to, '[');
    for (int i = 0; i < s->expectation_count; i++) {
        const fender_expectation_result *e = &s->expectations[i];
        fnd_buffer_append_text(to, i > 0 ? ",\n{" : "\n{");
        boolean(to, "met", e->met, true);
        text(to, "text", e->text, false);
        number(to, "value", e->value, false);
        number(to, "expected", e->expected, false);
        number(to, "within", e->within, false);
        text(to, "source", e->source, false);
        text(to, "file", e->file, false);
        whole(to, "line", e->line);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
}

static void append_file(fnd_buffer *to, const char *name, const char *group, int64_t rows)
{
    fnd_buffer_append_text(to, to->text[to->length - 1] == '[' ? "\n{" : ",\n{");
    text(to, "name", name, true);
    if (group) text(to, "group", group, false);
    if (rows >= 0) whole(to, "rows", rows);
    fnd_buffer_append_char(to, '}');
}

/* The names stand here from the start, with the rows that were counted when the files were closed. */
static void append_files(fnd_buffer *to, const fender_run *run)
{
    fnd_json_key(to, "files", false);
    if (!fnd_buffer_append_char(to, '[')) return;
    for (int i = 0; i < run->recordings.count; i++)
        append_file(to, run->recordings.items[i].name, run->recordings.items[i].group, run->recordings.items[i].rows);
    append_file(to, FND_FILE_EVENTS, NULL, run->event_rows);
    append_file(to, FND_FILE_EPISODES, NULL, run->episodes.count);
    append_file(to, FND_FILE_SCENARIO, NULL, -1);
    append_file(to, FND_FILE_SOURCES, NULL, -1);
    append_file(to, FND_FILE_SCENE, NULL, -1);
    append_file(to, FND_FILE_REPLAY, NULL, run->frames.replay.rows);
    append_file(to, FND_FILE_CONTACTS, NULL, run->frames.contacts.rows);
    append_file(to, FND_FILE_HASHES, NULL, run->hashes.table.rows);
    fnd_buffer_append_char(to, ']');
    if (run->frames.contacts_full) boolean(to, "contacts_file_full", true, false);
}

static void append_error(fnd_buffer *to, const fender_error *error)
{
    fnd_json_key(to, "error", false);
    fnd_buffer_append_char(to, '{');
    text(to, "status", fender_status_text(error->status), true);
    if (error->line > 0) {
        text(to, "file", error->source, false);
        whole(to, "line", error->line);
    }
    text(to, "message", error->message, false);
    text(to, "path", error->path, false);
    text(to, "found", error->found, false);
    text(to, "expected", error->expected, false);
    text(to, "suggestion", error->suggestion, false);
    fnd_buffer_append_char(to, '}');
}

/* Room behind the first summary for what the last one says more: the error. */
enum { SUMMARY_RESERVE = 2048 };

/* How the run stands, without the lists that grow with it. */
static void append_short(fnd_buffer *to, const fender_run *run)
{
    fender_run_summary bare = run->summary;
    bare.episode_count = bare.approach_count = bare.expectation_count = 0;
    append_head(to, run);
    append_contacts(to, &bare);
    append_balance(to, &bare);
    fnd_json_key(to, "events", false);
    fnd_buffer_append_text(to, "[]");
    append_expectations(to, &bare);
    append_files(to, run);
    boolean(to, "shortened", true, false);
    if (run->end == FND_END_ERROR) append_error(to, &run->failure);
    fnd_buffer_append_text(to, "}\n");
}

static void append_whole(fnd_buffer *to, const fender_run *run)
{
    append_head(to, run);
    append_contacts(to, &run->summary);
    append_balance(to, &run->summary);
    append_events(to, run);
    append_actions(to, run);
    append_expectations(to, &run->summary);
    append_files(to, run);
    if (run->end == FND_END_ERROR) append_error(to, &run->failure);
    fnd_buffer_append_text(to, "}\n");
}

static char *summary_path(const fender_run *run, const fnd_buffer *buffer, size_t *size)
{
    return buffer->failed ? NULL : fnd_directory_path(&run->env.allocator, run->directory, FND_FILE_SUMMARY, size);
}

fender_status fnd_summary_begin(const fender_run *run, fender_error *error)
{
    fnd_buffer buffer = fnd_buffer_open(&run->env.allocator);
    append_short(&buffer, run);
    for (int i = 0; i < SUMMARY_RESERVE; i++) fnd_buffer_append_char(&buffer, i % 128 == 127 ? '\n' : ' ');
    size_t size;
    char *path = summary_path(run, &buffer, &size);
    fender_status status = path ? fnd_file_write(path, fnd_buffer_text(&buffer), buffer.length, error)
                                : fnd_io_fail_memory(error, "the summary");
    if (path) run->env.allocator.release(run->env.allocator.ctx, path, size);
    fnd_buffer_close(&buffer);
    return status;
}

void fnd_summary_write_over(const fender_run *run)
{
    fnd_buffer buffer = fnd_buffer_open(&run->env.allocator);
    append_short(&buffer, run);
    size_t size;
    char *path = summary_path(run, &buffer, &size);
    if (path) (void)fnd_file_overwrite(path, fnd_buffer_text(&buffer), buffer.length);
    if (path) run->env.allocator.release(run->env.allocator.ctx, path, size);
    fnd_buffer_close(&buffer);
}

fender_status fnd_summary_write(const fender_run *run, fender_error *error)
{
    fnd_buffer buffer = fnd_buffer_open(&run->env.allocator);
    append_whole(&buffer, run);
    size_t size;
    char *path = summary_path(run, &buffer, &size);
    fender_status status = path ? fnd_file_write(path, fnd_buffer_text(&buffer), buffer.length, error)
                                : fnd_io_fail_memory(error, "the summary");
    if (path) run->env.allocator.release(run->env.allocator.ctx, path, size);
    fnd_buffer_close(&buffer);
    return status;
}
