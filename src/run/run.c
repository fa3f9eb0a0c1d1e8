/* A run: created with everything resolved, executed to an end that leaves every file in order. */
#include "run/run.h"

#include "record/channel.h"
#include "run/checkpoint.h"
#include "run/directory.h"
#include "scenario/bundle.h"
#include "support/clock.h"
#include "support/io_error.h"
#include "support/number.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- the run */

static const double progress_interval = 0.1; /* s, wall */

/* ---- creation */

/* The number of steps until the end. A time between two steps ends the run before it, with a warning. */
static int64_t steps_until(const fender_scenario *scenario, fnd_diagnostics *diagnostics)
{
    bool whole;
    double step = scenario->world.step, start = scenario->world.start_time;
    double ratio = fnd_step_ratio(scenario->until - start, step, &whole);
    char until_text[48], end_text[48], step_text[48], message[160], expected[128], suggestion[128];
    fnd_duration_text(scenario->until, until_text);
    fnd_duration_text(step, step_text);
    if (!(ratio >= 1) || ratio > 9e15) {
        const bool never = ratio > 9e15;
        fnd_duration_text(start, end_text);
        snprintf(message, sizeof message, "the run ends before its first step");
        if (never) snprintf(message, sizeof message, "the run would take %.3g steps of %s", ratio, step_text);
        if (never) snprintf(expected, sizeof expected, "at most 9e15 steps");
        else snprintf(expected, sizeof expected, "at least one step of %s after %s", step_text, end_text);
        fnd_diagnostic_add(diagnostics, FENDER_SEVERITY_ERROR, FENDER_STATUS_VALUE, &scenario->until_location, message,
                           until_text, expected, "change `run.until` or `integrator.step`");
        return 0;
    }
    if (whole) return (int64_t)ratio;
    fnd_duration_text(start + floor(ratio) * step, end_text);
    snprintf(expected, sizeof expected, "a whole number of steps of %s", step_text);
    snprintf(suggestion, sizeof suggestion, "the run ends at %s", end_text);
    snprintf(message, sizeof message, "the end of the run, %s, lies between two steps of %s", until_text, step_text);
    fnd_diagnostic_add(diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_VALUE, &scenario->until_location, message,
                       until_text, expected, suggestion);
    return (int64_t)floor(ratio);
}

/* False when there is no memory. */
static bool resolve(fender_run *run, const fender_run_def *def, fnd_diagnostics *diagnostics)
{
    const fender_scenario *scenario = run->scenario;
    run->last_step = steps_until(scenario, diagnostics);
    run->adaptive = fender_integrator_adaptive(scenario->world.method);
    run->located = run->adaptive || scenario->world.locate_events;
    fnd_resolver resolver = {.world = run->world,
                             .scenario = scenario,
                             .event_names = &run->event_names,
                             .diagnostics = diagnostics,
                             .slides = &run->slides,
                             .step = scenario->world.step,
                             .start_time = scenario->world.start_time,
                             .last_step = run->last_step,
                             .values_only = run->values_only};
    fnd_resolve_fmu(&resolver);
    return fnd_condition_resolve(&resolver, &scenario->stop_when, &run->arena, &run->stop_when) &&
           (run->values_only ||
            fnd_condition_follow_nearness(&resolver, &scenario->stop_when, &run->arena, &run->stop_when)) &&
           fnd_action_resolve(&resolver, &run->arena, &run->actions) &&
           fnd_controllers_resolve(&resolver, def, &run->env.allocator, &run->arena, &run->controllers) &&
           fnd_expectation_resolve(&resolver, scenario, &run->arena, &run->expectations) &&
           fnd_watch_create(run, &run->arena) &&
           fnd_recording_resolve(&resolver, scenario, &run->arena, &run->recordings);
}

static bool copy_text(fender_run *run, const char *text, const char **copy)
{
    *copy = text ? fnd_arena_copy(&run->arena, text, strlen(text)) : NULL;
    return !text || *copy;
}

/* The hash that tells its scenario from others. */
static bool name_scenario(fender_run *run)
{
    fnd_buffer buffer = fnd_buffer_open(&run->env.allocator);
    bool memory = fnd_bundle_append(&buffer, run->scenario, &run->scenario_hash);
    fnd_buffer_close(&buffer);
    return memory;
}

enum { OWN_FILES = 10 };

static bool reserve(fender_run *run, const fender_run_def *def)
{
    size_t files = (size_t)run->scenario->record_count + OWN_FILES;
    run->events = FND_ARENA_NEW_ARRAY(&run->arena, fender_event, FND_SUMMARY_EVENTS);
    int names = run->scenario->event_count;
    const char **event_names = FND_ARENA_NEW_ARRAY(&run->arena, const char *, (size_t)names);
    run->event_counts = FND_ARENA_NEW_ARRAY(&run->arena, int64_t, (size_t)(FND_EVENT_KIND_COUNT + names));
    run->slides.count = fender_shape_count(run->world);
    run->slides.items = FND_ARENA_NEW_ARRAY(&run->arena, fnd_slide, (size_t)run->slides.count);
    run->slides.aside = FND_ARENA_NEW_ARRAY(&run->arena, fnd_slide, (size_t)run->slides.count);
    run->slides.time = NAN;
    run->history = (fnd_history){run->event_counts, &run->slides};
    if (!event_names || !run->event_counts || !run->slides.items || !run->slides.aside) return false;
    for (int i = 0; i < names; i++) event_names[i] = run->scenario->events[i].name;
    run->event_names = (fnd_event_names){event_names, names};
    run->file_texts = FND_ARENA_NEW_ARRAY(&run->arena, const char *, files);
    run->file_buffers = fnd_arena_array(&run->arena, files, sizeof *run->file_buffers, 1);
    return run->events && run->file_texts && run->file_buffers &&
           copy_text(run, def->output_directory, &run->directory) &&
           copy_text(run, def->command_line, &run->command_line) &&
           fnd_episode_table_create(&run->episodes, run->values_only ? 0 : FND_EPISODE_CAPACITY, &run->arena) &&
           (run->values_only ||
            (name_scenario(run) && fnd_approach_table_create(&run->approaches, run->world, &run->arena) &&
             fnd_tally_create(&run->tally, run->world, &run->arena)));
}

static void describe(fender_run *run)
{
    fender_run_summary *summary = &run->summary;
    const fender_scenario *scenario = run->scenario;
    summary->title = scenario->title ? scenario->title : "";
    summary->output_directory = run->directory;
    summary->body_count = fender_body_count(run->world);
    summary->shape_count = fender_shape_count(run->world);
    summary->pair_count = run->approaches.pair_count;
    summary->method = fender_integrator_name(scenario->world.method);
    summary->step = scenario->world.step;
    if (run->adaptive) summary->relative_tolerance = fender_world_get_def(run->world)->relative_tolerance;
    summary->residual_bound = fnd_residual_bound(scenario);
    summary->until = scenario->until;
    summary->difference_step = summary->agreement_step = -1;
    summary->end_time = fender_world_time(run->world);
    summary->expectation_count = run->expectations.count;
    summary->expectations = run->expectations.results;
    summary->hash = fender_world_hash(run->world);
    fender_world_ledger(run->world, &summary->start);
    summary->end = summary->start;
}

fender_run *fender_run_create(const fender_env *env, const fender_run_def *def, fender_error *error)
{
    return fnd_run_create(env, def, false, error);
}

fender_run *fnd_run_create(const fender_env *env, const fender_run_def *def, bool values_only, fender_error *error)
{
    if (!fnd_io_env_usable(env, error)) return NULL;
    if (!env || !def || !def->scenario) {
        FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "env, def and a scenario are needed",
                    .expected = "pointers that are not NULL");
        return NULL;
    }
    fender_run *run = env->allocator.allocate(env->allocator.ctx, sizeof *run, _Alignof(fender_run));
    if (!run) {
        fnd_io_fail_memory(error, "a run");
        return NULL;
    }
    memset(run, 0, sizeof *run);
    run->directory_lock = -1;
    run->checkpoint_number = -1;
    run->host.limit = INFINITY;
    run->resume = def->resume;
    run->accept_residual = def->accept_residual;
    run->values_only = values_only;
    run->env = *env;
    run->arena = fnd_arena_open(&run->env.allocator, 0);
    run->scenario = def->scenario;
    run->progress = def->progress;
    run->progress_ctx = def->progress_ctx;
    atomic_init(&run->cancelled, 0);
    run->world = fender_scenario_build(def->scenario, env, error);
    if (!run->world) {
        fender_run_destroy(run);
        return NULL;
    }
    if (def->verify_directory) {
        run->verifying = fnd_hash_check_read(&run->recorded, env, def->verify_directory, error) == FENDER_STATUS_OK;
        if (!run->verifying) {
            fender_run_destroy(run);
            return NULL;
        }
    }
    const char *repeated = def->verify_directory ? def->verify_directory : def->repeat_directory;
    if (repeated && fnd_host_log_read(&run->host, env, repeated, error) != FENDER_STATUS_OK) {
        fender_run_destroy(run);
        return NULL;
    }
    fnd_diagnostics *diagnostics = fnd_diagnostics_create(env);
    bool memory = diagnostics && reserve(run, def) && resolve(run, def, diagnostics);
    fender_status status = diagnostics ? fnd_diagnostics_deliver(diagnostics, memory ? error : NULL)
                                       : FENDER_STATUS_MEMORY;
    if (!memory) status = fnd_io_fail_memory(error, "a run");
    if (status != FENDER_STATUS_OK) {
        fender_run_destroy(run);
        return NULL;
    }
    describe(run);
    if (!def->resume && !values_only) {
        fnd_run_warn_of_pairs(run);
        fnd_run_warn_of_overlap(run);
        fnd_run_warn_of_links(run);
        if (!fnd_run_warn_of_sizes(run)) {
            (void)fnd_io_fail_memory(error, "a run");
            fender_run_destroy(run);
            return NULL;
        }
    }
    return run;
}

void fender_run_destroy(fender_run *run)
{
    if (!run) return;
    fender_allocator allocator = run->env.allocator;
    fnd_directory_leave(&run->directory_lock);
    fnd_table_close(&run->host.table, NULL);
    fnd_host_log_release(&run->host, &run->env);
    fnd_controllers_release(&run->controllers);
    fnd_hash_check_release(&run->recorded, &run->env);
    fender_world_destroy(run->world);
    fnd_arena_close(&run->arena);
    allocator.release(allocator.ctx, run, sizeof *run);
}

void fender_run_cancel(fender_run *run)
{
    if (run) atomic_store_explicit(&run->cancelled, 1, memory_order_relaxed);
}

const fender_run_summary *fender_run_get_summary(const fender_run *run) { return run ? &run->summary : NULL; }

fender_status fender_run_channel_find(fender_run *run, const char *pattern, fender_channel *channels, int capacity,
                                      int *count, fender_error *error)
{
    if (!run) return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "a run is needed");
    fender_status status = fnd_channel_find(run->world, &run->event_names, pattern, channels, capacity, count, error);
    if (status != FENDER_STATUS_OK || run->phase != FND_RUN_CREATED) return status;
    const fnd_resolver resolver = {.slides = &run->slides};
    for (int i = 0; channels && i < *count && i < capacity; i++) fnd_resolver_keep(&resolver, &channels[i]);
    return FENDER_STATUS_OK;
}

double fender_run_channel_read(const fender_run *run, const fender_channel *channel)
{
    if (!run || !channel) return 0;
    fnd_channel_reader reader = fnd_channel_reader_begin(run->world, &run->history);
    return fnd_channel_reader_read(&reader, channel);
}

const fender_world *fender_run_world(const fender_run *run) { return run ? run->world : NULL; }

/* ---- files */

static void hash_text(uint64_t hash, char text[20]) { snprintf(text, 20, "%016llx", (unsigned long long)hash); }

static fender_status open_recordings(fender_run *run, fender_error *error)
{
    char hash[20];
    fnd_buffer scenario = fnd_buffer_open(&run->env.allocator);
    fnd_scenario_copy_append(run, &scenario);
    hash_text(run->scenario_hash, hash);
    fnd_recording_setup setup = {&run->env,
                                 run->world,
                                 run->directory,
                                 &run->history,
                                 {.title = run->summary.title, .scenario = scenario.text, .scenario_hash = hash},
                                 run->resume};
    fender_status status = scenario.failed ? fnd_io_fail_memory(error, "the text of the scenario")
                                           : fnd_recording_open(&run->recordings, &setup, error);
    fnd_buffer_close(&scenario);
    return status;
}

static fender_status open_files(fender_run *run, fender_error *error)
{
    const char *directory = run->directory;
    bool go_on = run->resume;
    fender_status status = go_on ? fnd_checkpoint_resume(run, error)
                                 : fnd_directory_prepare(&run->env, directory, &run->directory_lock, error);
    /* From here on the directory is known as one of a run, whatever happens. */
    if (status == FENDER_STATUS_OK) status = fnd_summary_begin(run, error);
    run->directory_ready = status == FENDER_STATUS_OK;
    if (status == FENDER_STATUS_OK) status = fnd_scenario_copy_write(run, error);
    if (status == FENDER_STATUS_OK) status = fnd_sources_write(run, error);
    if (status == FENDER_STATUS_OK) status = fnd_scene_write(run, error);
    fnd_table_location events = {&run->env, directory, FND_FILE_EVENTS, NULL};
    if (status == FENDER_STATUS_OK)
        status = fnd_event_table_open(&run->event_table, &events, go_on ? &run->event_mark : NULL, error);
    if (status == FENDER_STATUS_OK)
        status = fnd_hash_log_open(&run->hashes, &run->env, directory, fnd_frames_period(run->last_step, 1), go_on,
                                   error);
    if (status == FENDER_STATUS_OK)
        status = fnd_frames_open(&run->frames, &run->env, run->world, directory,
                                 fnd_frames_period(run->last_step, fender_body_count(run->world)), go_on, error);
    return status == FENDER_STATUS_OK ? open_recordings(run, error) : status;
}

static fender_status close_files(fender_run *run, fender_error *error)
{
    char hash[20];
    fender_status status = FENDER_STATUS_OK, closed;
    /* The last accepted state is a frame, however the run ended. */
    if (run->frames.replay.open && run->frames.contacts.open && !run->frames.replay.failed &&
        !run->frames.contacts.failed)
        status = fnd_frames_follow(&run->frames, &run->instant, true, error);
    if (status == FENDER_STATUS_OK && run->end == FND_END_INTERRUPT && run->hashes.table.open)
        status = fnd_hash_log_follow(&run->hashes, &run->instant, true, error);
    hash_text(fender_world_hash(run->world), hash);
    closed = fnd_recording_close(&run->recordings, hash, error);
    if (status == FENDER_STATUS_OK) status = closed;
    closed = fnd_frames_close(&run->frames, error);
    if (status == FENDER_STATUS_OK) status = closed;
    closed = fnd_table_close(&run->hashes.table, error);
    if (status == FENDER_STATUS_OK) status = closed;
    closed = fnd_table_close(&run->host.table, error);
    if (status == FENDER_STATUS_OK) status = closed;
    closed = fnd_table_close(&run->event_table, error);
    run->event_rows = run->event_table.rows;
    return status == FENDER_STATUS_OK ? closed : status;
}

/* ---- execution */

static double larger(double a, double b) { return a > b || isnan(a) ? a : b; }

fender_status fnd_run_note_events(fender_run *run, fender_error *error)
{
    assert(run->event_count >= 0 && run->event_count <= FND_SUMMARY_EVENTS);
    const fnd_instant *instant = &run->instant;
    if (instant->event_count == 0) return FENDER_STATUS_OK;
    for (int i = 0; i < instant->event_count; i++) {
        run->event_counts[instant->events[i].kind]++;
        if (run->event_count < FND_SUMMARY_EVENTS) run->events[run->event_count++] = instant->events[i];
    }
    fnd_debug_tell(run);
    fnd_episode_table_follow(&run->episodes, instant);
    if (!run->values_only) fnd_approach_note_events(&run->approaches, instant);
    if (!run->values_only) fnd_tally_note_events(&run->tally, instant);
    fnd_expectation_note_events(&run->expectations, instant);
    fnd_condition_note_events(&run->stop_when, instant);
    fnd_action_note_events(&run->actions, instant);
    if (!run->directory) return FENDER_STATUS_OK;
    fender_status status = fnd_event_table_follow(&run->event_table, instant, error);
    if (status == FENDER_STATUS_OK) status = fnd_recording_note_events(&run->recordings, instant, error);
    return status;
}

/* Of states at which actions have acted, besides the regular frames. */
enum { ACTION_FRAME_LIMIT = 2000 };

static fender_status write_state(fender_run *run, bool acted, bool last, fender_error *error)
{
    /* After an action the regular rows for events of a step would show what is no more: the whole state is shown. */
    bool whole = last || (acted && run->action_frames++ < ACTION_FRAME_LIMIT);
    fender_status status = fnd_frames_follow(&run->frames, &run->instant, whole, error);
    return status == FENDER_STATUS_OK ? fnd_recording_follow(&run->recordings, &run->instant, error) : status;
}

fnd_instant fnd_run_instant(const fender_run *run, int64_t step, bool on_grid)
{
    return (fnd_instant){.world = run->world,
                         .step = step,
                         .on_grid = on_grid,
                         .accepted = true,
                         .time = fender_world_time(run->world),
                         .history = &run->history,
                         .event_names = &run->event_names};
}

/* Evaluations at every state. */
static void follow_state(fender_run *run)
{
    fnd_instant *instant = &run->instant;
    fender_world_ledger(run->world, &instant->ledger);
    if (!run->values_only) fnd_approach_table_follow(&run->approaches, instant);
    fnd_expectation_follow(&run->expectations, instant);
}

fender_status fnd_run_sample(fender_run *run, fender_error *error)
{
    fnd_slides_follow(&run->slides, run->world);
    follow_state(run);
    return run->directory ? write_state(run, false, false, error) : FENDER_STATUS_OK;
}

/* Looks at the state that was just accepted, and does what is due at it. `*last`: the run ends with it. */
static fender_status observe(fender_run *run, bool *last, fender_error *error)
{
    fnd_instant *instant = &run->instant;
    fender_run_summary *summary = &run->summary;
    bool acted;
    fnd_slides_follow(&run->slides, run->world);
    instant->events = fender_world_events(run->world, &instant->event_count);
    fender_status status = fnd_run_note_events(run, error);
    if (status == FENDER_STATUS_OK) status = fnd_action_follow(run, &acted, error);
    if (status != FENDER_STATUS_OK) return status;
    if (acted) instant->event_count = 0;
    if ((status = fnd_controllers_follow(run, error)) != FENDER_STATUS_OK) return status;
    if (!run->values_only) fnd_tally_follow(&run->tally, instant);
    follow_state(run);
    summary->largest_linear_drift = larger(instant->ledger.linear_drift, summary->largest_linear_drift);
    summary->largest_angular_drift = larger(instant->ledger.angular_drift, summary->largest_angular_drift);
    summary->largest_residual = larger(fabs(instant->ledger.residual), summary->largest_residual);
    if (fnd_condition_holds(&run->stop_when, instant)) run->end = FND_END_CONDITION;
    else if (run->stopped) run->end = FND_END_ACTION;
    else if (instant->step >= run->last_step) run->end = FND_END_UNTIL;
    else if (!run->accept_residual && fnd_run_grows(run)) run->end = FND_END_ENERGY;
    *last = run->end != FND_END_NONE;
    if (run->directory) status = write_state(run, acted, *last, error);
    if (status == FENDER_STATUS_OK) status = fnd_run_keep(run, last, error);
    return status == FENDER_STATUS_OK && !*last ? fnd_host_repeat(run, error) : status;
}

static bool wants_to_go_on(fender_run *run)
{
    if (atomic_load_explicit(&run->cancelled, memory_order_relaxed)) return false;
    double now = fnd_wall_time();
    if (!run->progress || now < run->next_progress) return true;
    run->next_progress = now + progress_interval;
    fender_progress progress = {.time = run->instant.time,
                                .until = run->summary.until,
                                .step = run->instant.step,
                                .wall_time = now - run->start_wall};
    return run->progress(run->progress_ctx, &progress);
}

static fender_status hand_over(const fender_error *from, fender_status status, fender_error *to)
{
    return FND_IO_FAIL(to, .status = status, .source = from->source, .line = from->line, .column = from->column,
                       .path = from->path, .message = from->message, .found = from->found, .expected = from->expected,
                       .suggestion = from->suggestion);
}

fender_status fnd_run_status(const fender_run *run, fender_error *error)
{
    if (run->status == FENDER_STATUS_OK) return FENDER_STATUS_OK;
    return hand_over(&run->failure, run->status, error);
}

void fnd_run_begin(fender_run *run)
{
    fender_error *error = &run->failure;
    assert(run->phase == FND_RUN_CREATED);
    run->phase = FND_RUN_OPEN;
    run->start_wall = run->next_progress = fnd_wall_time();
    run->instant = fnd_run_instant(run, fender_world_step_count(run->world), true);
    if (run->directory && run->scenario->checkpoint_every > 0)
        run->status = fnd_controllers_check_saving(&run->controllers, error);
    if (run->directory && run->status == FENDER_STATUS_OK) run->status = open_files(run, error);
    if (run->status == FENDER_STATUS_OK && !run->resume) run->status = observe(run, &run->last, error);
}

void fnd_run_go(fender_run *run)
{
    fender_error *error = &run->failure;
    assert(run->phase == FND_RUN_OPEN && run->status == FENDER_STATUS_OK && !run->last);
    if (!wants_to_go_on(run)) {
        run->end = FND_END_INTERRUPT;
        bool kept = run->directory && run->scenario->checkpoint_every > 0;
        if (kept) run->status = fnd_checkpoint_save(run, error);
        if (run->status == FENDER_STATUS_OK)
            run->status = FND_IO_FAIL(error, .status = FENDER_STATUS_INTERRUPTED,
                                      .message = "the run was stopped on request",
                                      .suggestion = "the files are valid up to this state");
        return;
    }
    run->status = fnd_run_advance(run, error);
    if (run->status == FENDER_STATUS_OK) run->status = observe(run, &run->last, error);
}

fender_status fnd_run_take_in(fender_run *run, fender_error *error)
{
    assert(run->phase == FND_RUN_OPEN);
    run->instant = fnd_run_instant(run, run->instant.step, false);
    run->status = observe(run, &run->last, &run->failure);
    return fnd_run_status(run, error);
}

/* ---- the end */

static void name_file(fender_run *run, const char *name, const char *group, int64_t rows, bool full)
{
    fender_run_summary *summary = &run->summary;
    char *text = run->file_buffers[summary->file_count];
    if (rows < 0) snprintf(text, sizeof *run->file_buffers, "%.250s", name);
    else
        snprintf(text, sizeof *run->file_buffers, "%.150s%s%.100s (%lld %s%s)", name, group ? ", " : "",
                 group ? group : "", (long long)rows, rows == 1 ? "row" : "rows", full ? ", cut at this limit" : "");
    run->file_texts[summary->file_count++] = text;
    summary->files = run->file_texts;
}

static void name_files(fender_run *run)
{
    for (int i = 0; i < run->recordings.count; i++)
        name_file(run, run->recordings.items[i].name, run->recordings.items[i].group, run->recordings.items[i].rows,
                  false);
    name_file(run, FND_FILE_SUMMARY, NULL, -1, false);
    name_file(run, FND_FILE_EVENTS, NULL, run->event_rows, false);
    name_file(run, FND_FILE_EPISODES, NULL, run->episodes.count, false);
    name_file(run, FND_FILE_SCENARIO, NULL, -1, false);
    name_file(run, FND_FILE_SOURCES, NULL, -1, false);
    name_file(run, FND_FILE_SCENE, NULL, -1, false);
    name_file(run, FND_FILE_REPLAY, NULL, run->frames.replay.rows, false);
    name_file(run, FND_FILE_CONTACTS, NULL, run->frames.contacts.rows, run->frames.contacts_full);
    name_file(run, FND_FILE_HASHES, NULL, run->hashes.table.rows, false);
}

static void summarize(fender_run *run)
{
    fender_run_summary *summary = &run->summary;
    bool at_end = fnd_run_is_complete(run);
    summary->end_time = fender_world_time(run->world);
    summary->step_count = fender_world_step_count(run->world);
    summary->modes_frozen = fender_world_freeze_count(run->world, &summary->frozen_a, &summary->frozen_b);
    summary->interrupted = run->end == FND_END_INTERRUPT;
    summary->hash = fender_world_hash(run->world);
    fender_world_ledger(run->world, &summary->end);
    fnd_episode_table_finish(&run->episodes, run->world);
    if (!run->values_only) fnd_approach_table_finish(&run->approaches, run->world);
    if (!run->values_only) fnd_tally_finish(&run->tally, run->world);
    fnd_expectation_finish(&run->expectations, run->world, &run->history, at_end);
    summary->episodes = run->episodes.items;
    summary->episode_count = run->episodes.count;
    summary->episodes_dropped = run->episodes.dropped;
    summary->body_pairs = run->tally.pair_results;
    summary->body_pair_count = run->tally.pair_count;
    summary->body_pair_contacts_dropped = run->tally.dropped;
    summary->links = run->tally.link_results;
    summary->link_count = run->tally.link_count;
    summary->approaches = run->approaches.results;
    summary->approach_count = run->approaches.result_count;
    summary->attachments = run->actions.attachments;
    summary->attachment_count = run->actions.attachment_count;
    summary->attachments_dropped = run->actions.attachments_dropped;
    summary->emissions = run->actions.emissions;
    summary->emission_count = run->actions.emission_count;
    summary->emissions_dropped = run->actions.emissions_dropped;
    summary->expectations_met = run->expectations.met;
    summary->hashes_compared = (int64_t)run->recorded.at;
    if (run->recorded.differs) summary->difference_step = run->recorded.rows[run->recorded.at].step;
    if (run->recorded.differs) summary->difference_time = run->recorded.rows[run->recorded.at].time;
    if (run->recorded.at > 0) summary->agreement_step = run->recorded.rows[run->recorded.at - 1].step;
    summary->wall_time = fnd_wall_time() - run->start_wall;
    fnd_run_judge(run);
}

static bool has_failed(const fender_run *run)
{
    return run->status != FENDER_STATUS_OK && run->status != FENDER_STATUS_INTERRUPTED;
}

/* The first failure is the one that is told. */
static void keep_failure(fender_run *run, fender_status status, const fender_error *error)
{
    if (status == FENDER_STATUS_OK || has_failed(run)) return;
    run->status = status;
    run->failure = *error;
    run->end = FND_END_ERROR;
}

static fender_status tell_expectations(const fender_run *run, fender_error *error)
{
    const fender_run_summary *summary = &run->summary;
    for (int i = 0; i < summary->expectation_count; i++) {
        const fender_expectation_result *result = &summary->expectations[i];
        if (result->met) continue;
        FND_IO_FAIL(error, .status = FENDER_STATUS_EXPECTATION, .source = result->file, .line = result->line,
                    .message = result->text, .suggestion = result->source);
    }
    return FENDER_STATUS_EXPECTATION;
}

/* The verdict of what was not stopped by a failure. */
static fender_status judge(fender_run *run, fender_error *error)
{
    fnd_run_warn_of_residual(run);
    if (run->status != FENDER_STATUS_OK || run->end == FND_END_COMPARED) return fnd_run_status(run, error);
    if (run->summary.verdict != FENDER_RUN_SOUND && !run->accept_residual)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_RESIDUAL, .message = run->reason, .suggestion = run->remedy);
    return run->expectations.met == run->expectations.count ? FENDER_STATUS_OK : tell_expectations(run, error);
}

static void write_results(fender_run *run)
{
    fender_error local;
    memset(&local, 0, sizeof local);
    keep_failure(run, fnd_episode_table_write(&run->episodes, &run->env, run->directory, &local), &local);
    name_files(run);
    memset(&local, 0, sizeof local);
    fender_status written = fnd_summary_write(run, &local);
    keep_failure(run, written, &local);
    if (written != FENDER_STATUS_OK) fnd_summary_write_over(run);
    else if (fnd_run_is_complete(run)) fnd_checkpoint_remove(run);
}

/* Closes everything, whatever happened. */
static fender_status finish(fender_run *run, fender_error *error)
{
    fender_error local;
    memset(&local, 0, sizeof local);
    run->phase = FND_RUN_CLOSED;
    if (has_failed(run)) {
        run->end = FND_END_ERROR;
        fnd_run_save_last_good(run, run->status, &run->failure);
        run->failure.status = run->status;
    }
    if (run->directory) keep_failure(run, close_files(run, &local), &local);
    summarize(run);
    if (!run->directory_ready) run->summary.output_directory = NULL; /* nothing was written */
    else write_results(run);
    fnd_directory_leave(&run->directory_lock);
    return has_failed(run) ? fnd_run_status(run, error) : judge(run, error);
}

fender_status fender_run_execute(fender_run *run, fender_error *error)
{
    if (!run || run->phase != FND_RUN_CREATED)
        return FND_IO_FAIL(error, .status = run ? FENDER_STATUS_STATE : FENDER_STATUS_ARGUMENT,
                           .message = "a run is executed once", .expected = "a run that was just created",
                           .suggestion = "create another run");
    fnd_run_begin(run);
    while (run->status == FENDER_STATUS_OK && !run->last) fnd_run_go(run);
    return finish(run, error);
}

fender_status fender_run_finish(fender_run *run, fender_error *error)
{
    if (!run || run->phase == FND_RUN_CLOSED)
        return FND_IO_FAIL(error, .status = run ? FENDER_STATUS_STATE : FENDER_STATUS_ARGUMENT,
                           .message = "a run is finished once", .expected = "a run that is not finished",
                           .suggestion = "create another run");
    if (run->phase == FND_RUN_CREATED) fnd_run_begin(run);
    if (run->status == FENDER_STATUS_OK && run->end == FND_END_NONE) run->end = FND_END_HOST;
    return finish(run, error);
}
