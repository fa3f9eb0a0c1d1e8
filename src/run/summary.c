/* summary.json of a run directory: what came out, as far as it is known. */
#include "run/directory.h"
#include "run/run.h"
#include "support/file.h"
#include "support/io_error.h"
#include "support/json.h"

#include <inttypes.h>
#include <string.h>

static const char *end_name(fnd_run_end end)
{
    switch (end) {
    case FND_END_NONE: return "not yet";
    case FND_END_UNTIL: return "until";
    case FND_END_CONDITION: return "stop_when";
    case FND_END_ACTION: return "action";
    case FND_END_HOST: return "host";
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
    fnd_json_put_bool(to, "complete", fnd_run_is_complete(run));
    fnd_json_put_text(to, "title", s->title);
    fnd_json_put_text(to, "fender_version", fender_version());
    if (run->command_line) fnd_json_put_text(to, "command", run->command_line);
    fnd_json_put_number(to, "duration", s->end_time - run->scenario->world.start_time);
    fnd_json_put_number(to, "start_time", run->scenario->world.start_time);
    fnd_json_put_number(to, "end_time", s->end_time);
    fnd_json_put_number(to, "until", s->until);
    fnd_json_put_integer(to, "steps", s->step_count);
    fnd_json_put_integer(to, "modes_frozen", s->modes_frozen);
    fnd_json_put_number(to, "step", s->step);
    if (s->relative_tolerance > 0) fnd_json_put_number(to, "relative_tolerance", s->relative_tolerance);
    fnd_json_put_text(to, "method", s->method);
    fnd_json_put_number(to, "wall_time", s->wall_time);
    fnd_json_put_bool(to, "interrupted", s->interrupted);
    fnd_json_put_text(to, "ended_by", end_name(run->end));
    fnd_json_key(to, "hash");
    fnd_buffer_appendf(to, "\"%016" PRIx64 "\"", s->hash);
    fnd_json_put_text(to, "verdict", fender_run_verdict_name(s->verdict));
    fnd_json_begin(to, "reasons", '[');
    for (int i = 0; i < s->reason_count; i++) {
        fnd_json_comma(to);
        fnd_json_text(to, s->reasons[i]);
    }
    fnd_buffer_append_char(to, ']');
    fnd_json_put_integer(to, "bodies", s->body_count);
    fnd_json_put_integer(to, "shapes", s->shape_count);
    fnd_json_put_integer(to, "pairs", s->pair_count);
}

static void append_contacts(fnd_buffer *to, const fender_run_summary *s)
{
    fnd_json_begin(to, "contacts", '[');
    for (int i = 0; i < s->episode_count; i++) {
        const fender_episode *e = &s->episodes[i];
        fnd_json_begin_row(to);
        fnd_json_put_text(to, "contact", e->contact);
        fnd_json_put_number(to, "begin_time", e->begin_time);
        fnd_json_put_number(to, "end_time", e->end_time);
        fnd_json_put_number(to, "peak_force", e->peak_force);
        fnd_json_put_number(to, "peak_force_time", e->peak_force_time);
        fnd_json_put_number(to, "peak_pull", e->peak_pull);
        fnd_json_put_number(to, "peak_pull_time", e->peak_pull_time);
        fnd_json_put_number(to, "peak_depth", e->peak_depth);
        fnd_json_put_number(to, "impulse", e->impulse);
        fnd_json_put_number(to, "approach_speed", e->approach_speed);
        fnd_json_put_number(to, "rebound_speed", e->rebound_speed);
        fnd_json_begin(to, "errors", '{');
        fnd_json_put_number(to, "begin_time", e->errors.begin_time);
        fnd_json_put_number(to, "end_time", e->errors.end_time);
        fnd_json_put_number(to, "peak_force", e->errors.peak_force);
        fnd_json_put_number(to, "peak_force_time", e->errors.peak_force_time);
        fnd_json_put_number(to, "peak_depth", e->errors.peak_depth);
        fnd_json_put_number(to, "impulse", e->errors.impulse);
        fnd_json_put_number(to, "approach_speed", e->errors.approach_speed);
        fnd_json_put_number(to, "rebound_speed", e->errors.rebound_speed);
        fnd_buffer_append_char(to, '}');
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
    fnd_json_put_integer(to, "contacts_dropped", s->episodes_dropped);
    fnd_json_begin(to, "approaches", '[');
    for (int i = 0; i < s->approach_count; i++) {
        fnd_json_begin_row(to);
        fnd_json_put_text(to, "contact", s->approaches[i].contact);
        fnd_json_put_number(to, "distance", s->approaches[i].distance);
        fnd_json_put_number(to, "least", s->approaches[i].least);
        fnd_json_put_number(to, "time", s->approaches[i].time);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
}

static void append_body_pairs(fnd_buffer *to, const fender_run_summary *s)
{
    fnd_json_begin(to, "body_pairs", '[');
    for (int i = 0; i < s->body_pair_count; i++) {
        const fender_body_pair_summary *p = &s->body_pairs[i];
        fnd_json_begin_row(to);
        fnd_json_put_text(to, "a", p->a);
        fnd_json_put_text(to, "b", p->b);
        fnd_json_put_integer(to, "contacts", p->contact_count);
        fnd_json_put_integer(to, "lasting", p->lasting_count);
        fnd_json_put_number(to, "begin_time", p->begin_time);
        fnd_json_put_number(to, "end_time", p->end_time);
        fnd_json_put_number(to, "peak_force", p->peak_force);
        fnd_json_put_number(to, "peak_force_time", p->peak_force_time);
        fnd_json_put_number(to, "impulse", p->impulse);
        fnd_json_put_number(to, "energy_lost", p->energy_lost);
        fnd_json_put_bool(to, "several_shapes", p->several);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
    if (s->body_pair_contacts_dropped > 0)
        fnd_json_put_integer(to, "body_pair_contacts_dropped", s->body_pair_contacts_dropped);
}

/* Empty for a scenario without links. */
static void append_links(fnd_buffer *to, const fender_run_summary *s)
{
    if (s->link_count == 0) return;
    fnd_json_begin(to, "links", '[');
    for (int i = 0; i < s->link_count; i++) {
        const fender_link_summary *l = &s->links[i];
        fnd_json_begin_row(to);
        fnd_json_put_text(to, "link", l->link);
        fnd_json_put_number(to, "peak_force", l->peak_force);
        fnd_json_put_number(to, "peak_force_time", l->peak_force_time);
        fnd_json_put_number(to, "shortest", l->shortest);
        fnd_json_put_number(to, "longest", l->longest);
        fnd_json_put_number(to, "stroke_left", l->stroke_left);
        fnd_json_put_number(to, "energy_lost", l->energy_lost);
        fnd_json_put_number(to, "crushed", l->crushed);
        fnd_json_put_bool(to, "active", l->active);
        fnd_json_put_bool(to, "spent", l->spent);
        fnd_json_put_bool(to, "broken", l->broken);
        fnd_json_put_bool(to, "captured", l->captured);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
}

static void append_balance(fnd_buffer *to, const fender_run_summary *s)
{
    fnd_json_begin(to, "energy", '{');
    fnd_json_put_number(to, "start", s->start.kinetic + s->start.gravitational + s->start.stored);
    fnd_json_put_number(to, "end", s->end.kinetic + s->end.gravitational + s->end.stored);
    fnd_json_put_number(to, "damping", s->end.damping - s->start.damping);
    fnd_json_put_number(to, "friction", s->end.friction - s->start.friction);
    fnd_json_put_number(to, "applied", s->end.applied - s->start.applied);
    fnd_json_put_number(to, "motor", s->end.motor - s->start.motor);
    fnd_json_put_number(to, "attachment", s->end.attachment - s->start.attachment);
    fnd_json_put_number(to, "residual", s->end.residual);
    fnd_json_put_number(to, "largest_residual", s->largest_residual);
    fnd_json_put_number(to, "scale", s->end.scale);
    fnd_json_put_number(to, "contact_work", s->end.contact_work - s->start.contact_work);
    fnd_json_put_number(to, "residual_bound", s->residual_bound);
    if (s->residual_floor != 0) fnd_json_put_number(to, "residual_floor", s->residual_floor);
    fnd_buffer_append_char(to, '}');
    fnd_json_begin(to, "momentum", '{');
    fnd_json_put_number(to, "linear_drift", s->largest_linear_drift);
    fnd_json_put_number(to, "angular_drift", s->largest_angular_drift);
    fnd_buffer_append_char(to, '}');
}

static void append_events(fnd_buffer *to, const fender_run *run)
{
    int64_t total = 0;
    for (int kind = 0; kind < FND_EVENT_KIND_COUNT + run->event_names.count; kind++) total += run->event_counts[kind];
    fnd_json_begin(to, "events", '[');
    for (int i = 0; i < run->event_count; i++) {
        char pair[420];
        const fender_event *event = &run->events[i];
        fnd_event_subject(run->world, event, pair, sizeof pair);
        fnd_json_begin_row(to);
        fnd_json_put_number(to, "time", event->time);
        fnd_json_put_text(to, "event", fnd_event_name(&run->event_names, (int)event->kind));
        if (event->subject == FENDER_SUBJECT_LINK) fnd_json_put_text(to, "link", pair);
        else if (event->subject == FENDER_SUBJECT_TREE) {
            fnd_json_put_text(to, "child", fender_body_name(run->world, event->tree.child));
            fnd_json_put_text(to, "parent", fender_body_name(run->world, event->tree.parent));
        } else if (event->subject == FENDER_SUBJECT_CONTACT) fnd_json_put_text(to, "contact", pair);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
    fnd_json_put_integer(to, "events_in_all", total);
}

/* Attachments and events of actions; empty for a scenario without actions. */
static void append_actions(fnd_buffer *to, const fender_run *run)
{
    const fnd_action_list *list = &run->actions;
    if (list->count == 0) return;
    fnd_json_begin(to, "attachments", '[');
    for (int i = 0; i < list->attachment_count; i++) {
        const fender_attachment *a = &list->attachments[i];
        fnd_json_begin_row(to);
        fnd_json_put_number(to, "time", a->time);
        fnd_json_put_text(to, "action", a->action);
        fnd_json_put_text(to, "kind", a->reattached ? "reattach" : "attach");
        fnd_json_put_text(to, "child", a->child);
        fnd_json_put_text(to, "parent", a->parent);
        fnd_json_put_text(to, "moved", fender_body_name(run->world, a->report.moved));
        fnd_json_put_vector(to, "child_displacement", a->report.child_displacement);
        fnd_json_put_vector(to, "parent_displacement", a->report.parent_displacement);
        fnd_json_put_number(to, "rotation", a->report.rotation);
        fnd_json_put_number(to, "kinetic_energy_lost", a->report.kinetic_energy_lost);
        fnd_json_put_number(to, "contact_energy_lost", a->report.contact_energy_lost);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
    fnd_json_put_integer(to, "attachments_dropped", list->attachments_dropped);
    fnd_json_begin(to, "emitted", '[');
    for (int i = 0; i < list->emission_count; i++) {
        fnd_json_begin_row(to);
        fnd_json_put_number(to, "time", list->emissions[i].time);
        fnd_json_put_text(to, "event", list->emissions[i].event);
        fnd_json_put_text(to, "action", list->emissions[i].action);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
    fnd_json_put_integer(to, "emitted_dropped", list->emissions_dropped);
}

/* When actions acted, and how near their conditions came; the same of the end of the run. */
static void append_conditions(fnd_buffer *to, const fender_run *run)
{
    const fnd_action_list *list = &run->actions;
    if (run->stop_when.nearness) {
        fnd_json_begin(to, "stop_when", '{');
        fnd_nearness_append(to, run->stop_when.nearness);
        fnd_buffer_append_char(to, '}');
    }
    if (list->count == 0) return;
    fnd_json_begin(to, "actions", '[');
    for (int i = 0; i < list->count; i++) {
        fnd_json_begin_row(to);
        fnd_json_put_text(to, "name", list->states[i].source->id.name);
        fnd_json_begin(to, "carried_out", '[');
        bool first = true;
        for (int k = 0; k < list->acting_count; k++) {
            if (list->actings[k].action != i) continue;
            if (!first) fnd_buffer_append_char(to, ',');
            first = false;
            fnd_json_number(to, list->actings[k].time);
        }
        fnd_buffer_append_char(to, ']');
        if (list->states[i].source->delay > 0) fnd_json_put_number(to, "delay", list->states[i].source->delay);
        if (list->states[i].when.nearness) fnd_nearness_append(to, list->states[i].when.nearness);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
    fnd_json_put_integer(to, "carried_out_dropped", list->actings_dropped);
}

static void append_expectations(fnd_buffer *to, const fender_run_summary *s)
{
    fnd_json_begin(to, "expectations", '[');
    for (int i = 0; i < s->expectation_count; i++) {
        const fender_expectation_result *e = &s->expectations[i];
        fnd_json_begin_row(to);
        fnd_json_put_bool(to, "met", e->met);
        fnd_json_put_text(to, "text", e->text);
        fnd_json_put_number(to, "value", e->value);
        fnd_json_put_number(to, "expected", e->expected);
        fnd_json_put_number(to, "within", e->within);
        fnd_json_put_text(to, "source", e->source);
        fnd_json_put_text(to, "file", e->file);
        fnd_json_put_integer(to, "line", e->line);
        fnd_buffer_append_char(to, '}');
    }
    fnd_buffer_append_char(to, ']');
}

static void append_file(fnd_buffer *to, const char *name, const char *group, int64_t rows)
{
    fnd_json_begin_row(to);
    fnd_json_put_text(to, "name", name);
    if (group) fnd_json_put_text(to, "group", group);
    if (rows >= 0) fnd_json_put_integer(to, "rows", rows);
    fnd_buffer_append_char(to, '}');
}

/* The names stand here from the start, with the rows that were counted when the files were closed. */
static void append_files(fnd_buffer *to, const fender_run *run)
{
    fnd_json_begin(to, "files", '[');
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
    if (run->frames.contacts_full) fnd_json_put_bool(to, "contacts_file_full", true);
}

static void append_error(fnd_buffer *to, const fender_error *error)
{
    fnd_json_begin(to, "error", '{');
    fnd_json_put_text(to, "status", fender_status_text(error->status));
    if (error->line > 0) {
        fnd_json_put_text(to, "file", error->source);
        fnd_json_put_integer(to, "line", error->line);
    }
    fnd_json_put_text(to, "message", error->message);
    fnd_json_put_text(to, "path", error->path);
    fnd_json_put_text(to, "found", error->found);
    fnd_json_put_text(to, "expected", error->expected);
    fnd_json_put_text(to, "suggestion", error->suggestion);
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
    fnd_json_key(to, "events");
    fnd_buffer_append_text(to, "[]");
    append_expectations(to, &bare);
    append_files(to, run);
    fnd_json_put_bool(to, "shortened", true);
    if (run->end == FND_END_ERROR) append_error(to, &run->failure);
    fnd_buffer_append_text(to, "}\n");
}

static void append_whole(fnd_buffer *to, const fender_run *run)
{
    append_head(to, run);
    append_contacts(to, &run->summary);
    append_body_pairs(to, &run->summary);
    append_links(to, &run->summary);
    append_balance(to, &run->summary);
    append_events(to, run);
    append_actions(to, run);
    append_conditions(to, run);
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
