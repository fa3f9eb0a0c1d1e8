/* One instance: the scenario of its resources, the world built from it, and what an importer may do when. */
#include "fmu/instance.h"

#include "fmu/state.h"
#include "run/checkpoint.h"
#include "support/file.h"
#include "support/io_error.h"
#include "support/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const uint64_t mark = 0x4D4652454E4446u;

/* By this text the exporter knows the binary that belongs to it (fmi/export.c). */
#define TEXT_OF(number) #number
#define AS_TEXT(number) TEXT_OF(number)
static const char about[] = "FMU binary of Fender " AS_TEXT(FENDER_VERSION_MAJOR) "." AS_TEXT(
    FENDER_VERSION_MINOR) "." AS_TEXT(FENDER_VERSION_PATCH);

/* ---- what the importer is told */

static const char status_error[] = "logStatusError", status_warning[] = "logStatusWarning", log_events[] = "logEvents";

bool fnd_fmu_logs(const char *category)
{
    return category && (strcmp(category, status_error) == 0 || strcmp(category, status_warning) == 0 ||
                        strcmp(category, log_events) == 0);
}

static void tell(fnd_fmu_instance *f, fnd_fmu_status status, const char *category, const char *message)
{
    if (f->log && (f->logging || status != FND_FMU_OK)) f->log(f, status, category, message);
}

fnd_fmu_status fnd_fmu_fail(fnd_fmu_instance *f, const char *call, const char *format, ...)
{
    char text[900], message[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(message, sizeof message, "%s: %s", call, text);
    tell(f, FND_FMU_ERROR, status_error, message);
    return FND_FMU_ERROR;
}

static fnd_fmu_status fail_error(fnd_fmu_instance *f, const char *call, const fender_error *error)
{
    return fnd_fmu_fail(f, call, "%s%s%s%s%s", error->message, error->found[0] ? "; found " : "", error->found,
                        error->suggestion[0] ? "; " : "", error->suggestion);
}

bool fnd_fmu_allows(fnd_fmu_instance *f, unsigned modes, const char *call)
{
    static const struct {
        fnd_fmu_mode mode;
        const char *name;
    } names[] = {{FND_FMU_INSTANTIATED, "Instantiated"},
                 {FND_FMU_INITIALIZATION, "Initialization Mode"},
                 {FND_FMU_EVENT, "Event Mode"},
                 {FND_FMU_CONTINUOUS, "Continuous-Time Mode"},
                 {FND_FMU_STEP, "Step Mode"},
                 {FND_FMU_TERMINATED, "Terminated"},
                 {FND_FMU_BROKEN, "Error"}};
    if (!f || f->mark != mark) return false;
    if (f->mode & modes) return true;
    const char *name = "";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].mode == f->mode) name = names[i].name;
    (void)fnd_fmu_fail(f, call, "this function may not be called in the state %s", name);
    return false;
}

static void report(void *ctx, const fender_diagnostic *d)
{
    fnd_fmu_instance *f = ctx;
    char message[1000];
    snprintf(message, sizeof message, "%.200s:%d: %.300s%s%.200s", d->file, d->line, d->message,
             d->suggestion[0] ? "; " : "", d->suggestion);
    if (d->severity == FENDER_SEVERITY_ERROR) tell(f, FND_FMU_ERROR, status_error, message);
    else tell(f, FND_FMU_OK, log_events, message);
}

/* ---- building the world */

/* The overrides of the scenario and the parameters that were set to other values. */
static fender_override *make_overrides(fnd_fmu_instance *f, fnd_arena *arena, int *count)
{
    int parameters = f->parameters ? fnd_fmi_count(&f->model, FND_FMI_PARAMETER) : 0;
    int own = f->bundle.override_count;
    fender_override *overrides = FND_ARENA_NEW_ARRAY(arena, fender_override, (size_t)(own + parameters));
    if (!overrides) return NULL;
    if (own > 0) memcpy(overrides, f->bundle.overrides, (size_t)own * sizeof *overrides);
    *count = own;
    for (int i = 0; i < parameters; i++) {
        char number[FND_NUMBER_SIZE], text[FND_NUMBER_SIZE + 80];
        if (!f->parameter_set[i]) continue;
        fnd_number_format(f->parameters[i], number, sizeof number);
        snprintf(text, sizeof text, "%s%s%s", number, f->model.parameter_units[i][0] ? " " : "",
                 f->model.parameter_units[i]);
        char *kept = fnd_arena_copy(arena, text, strlen(text));
        if (!kept) return NULL;
        overrides[(*count)++] = (fender_override){f->model.parameter_paths[i], kept};
    }
    return overrides;
}

static fender_scenario *load(fnd_fmu_instance *f, fender_error *error)
{
    fnd_arena arena = fnd_arena_open(&f->env.allocator, 0);
    fnd_bundle bundle = f->bundle;
    fender_scenario *scenario = NULL;
    bundle.overrides = make_overrides(f, &arena, &bundle.override_count);
    if (bundle.overrides) scenario = fnd_scenario_load_bundle(&f->env, NULL, &bundle, error);
    else error->status = FENDER_STATUS_MEMORY;
    fnd_arena_close(&arena);
    return scenario;
}

/* In a world that is new. A value that is in force is no command; an input that is not set has what is in force. */
static fender_status apply_inputs(fnd_fmu_instance *f, fender_error *error)
{
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < fnd_fmi_count(&f->model, FND_FMI_INPUT) && status == FENDER_STATUS_OK; i++) {
        double present[FENDER_COMMAND_CAPACITY] = {0};
        (void)fender_command_get(f->world, &f->model.inputs[i], present);
        if (!f->input_set[i]) f->inputs[i] = present[0];
        f->input_set[i] = f->inputs[i] != present[0];
        if (f->input_set[i]) status = fender_command_set(f->world, &f->model.inputs[i], &f->inputs[i], error);
    }
    return status;
}

/* A run that goes on until the importer ends it, and records nothing. */
static fender_run *make_run(fnd_fmu_instance *f, fender_scenario *scenario, double start, fender_error *error)
{
    scenario->world.start_time = start;
    scenario->until = start + 1e12 * scenario->world.step;
    scenario->expectation_count = scenario->record_count = 0;
    const fender_run_def def = {.scenario = scenario};
    return fnd_run_create(&f->env, &def, true, error);
}

/* Another run for the present parameters and start time. The old one stays when that fails. */
fender_status fnd_fmu_rebuild(fnd_fmu_instance *f, fender_error *error)
{
    fender_scenario *scenario = load(f, error);
    if (!scenario) return error->status;
    fender_run *run = make_run(f, scenario, f->start_time, error);
    fender_status status = run ? FENDER_STATUS_OK : error->status;
    if (status == FENDER_STATUS_OK && f->exchange &&
        fender_world_state_count(run->world) != fnd_fmi_count(&f->model, FND_FMI_STATE)) /* parameters are numbers */
        status = FND_IO_FAIL(error, .status = FENDER_STATUS_STATE, .message = "the number of states has changed");
    if (status != FENDER_STATUS_OK) {
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
        return status;
    }
    fender_run_destroy(f->run);
    fender_scenario_destroy(f->scenario);
    f->run = run;
    f->world = run->world;
    f->scenario = scenario;
    f->model.scenario = scenario;
    f->stale = f->trial = f->outputs_known = f->rates_known = f->gaps_known = false;
    status = fnd_fmi_model_bind(&f->model, f->run, error);
    return status == FENDER_STATUS_OK ? apply_inputs(f, error) : status;
}

static fnd_fmu_status ensure_world(fnd_fmu_instance *f, const char *call)
{
    fender_error error = {0};
    if (!f->stale || fnd_fmu_rebuild(f, &error) == FENDER_STATUS_OK) return FND_FMU_OK;
    return fail_error(f, call, &error);
}

/* ---- creation */

static void set_start_values(fnd_fmu_instance *f)
{
    const fnd_fmi_model *m = &f->model;
    for (int i = 0; i < fnd_fmi_count(m, FND_FMI_PARAMETER); i++) {
        f->parameters[i] = m->variables[m->first[FND_FMI_PARAMETER] + i].start;
        f->parameter_set[i] = false;
    }
    for (int i = 0; i < fnd_fmi_count(m, FND_FMI_INPUT); i++) {
        f->inputs[i] = m->variables[m->first[FND_FMI_INPUT] + i].start;
        f->input_set[i] = false;
    }
    f->start_time = f->time = f->last_time = m->variables[0].start;
    f->stop_defined = false;
    f->verdict = FENDER_RUN_SOUND;
    f->trial = f->outputs_known = f->rates_known = f->gaps_known = false;
}

static bool reserve(fnd_fmu_instance *f)
{
    const fnd_fmi_model *m = &f->model;
    size_t parameters = (size_t)fnd_fmi_count(m, FND_FMI_PARAMETER), inputs = (size_t)fnd_fmi_count(m, FND_FMI_INPUT);
    f->parameters = FND_ARENA_NEW_ARRAY(&f->arena, double, parameters);
    f->parameter_set = FND_ARENA_NEW_ARRAY(&f->arena, bool, parameters);
    f->inputs = FND_ARENA_NEW_ARRAY(&f->arena, double, inputs);
    f->input_set = FND_ARENA_NEW_ARRAY(&f->arena, bool, inputs);
    f->states = FND_ARENA_NEW_ARRAY(&f->arena, double, (size_t)fnd_fmi_count(m, FND_FMI_STATE));
    f->values = FND_ARENA_NEW_ARRAY(&f->arena, double, (size_t)m->count);
    return !f->arena.failed;
}

static bool read_bundle(fnd_fmu_instance *f, const char *resources)
{
    char path[4096];
    fender_error error = {0};
    size_t length = strlen(resources);
    bool slash = length > 0 && resources[length - 1] == '/';
    if (length > sizeof path - 32)
        return fnd_fmu_fail(f, "instantiate", "the path of the resources is too long"), false;
    snprintf(path, sizeof path, "%s%sscenario.sources", resources, slash ? "" : "/");
    if (fnd_bundle_read(&f->env.allocator, path, &f->bundle, &error) != FENDER_STATUS_OK)
        return fail_error(f, "instantiate", &error), false;
    /* the file ends with its own hash in hexadecimal digits */
    const char *digits = f->bundle.file.text + f->bundle.file.length - 17;
    for (int i = 0; i < 16; i++)
        f->bundle_hash = f->bundle_hash * 16 + (uint64_t)(digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
    return true;
}

static bool create_all(fnd_fmu_instance *f, const char *token, const char *resources)
{
    char expected[FND_FMI_TOKEN_SIZE];
    fender_error error = {0};
    if (!resources || !read_bundle(f, resources)) {
        if (!resources) (void)fnd_fmu_fail(f, "instantiate", "the path of the resources is missing");
        return false;
    }
    fnd_fmi_token(f->bundle_hash, expected);
    if (!token || strcmp(token, expected) != 0)
        return fnd_fmu_fail(f, "instantiate", "the token is not that of this FMU, %s; %s", expected, about), false;
    f->scenario = load(f, &error);
    if (f->scenario) f->run = make_run(f, f->scenario, f->scenario->world.start_time, &error);
    if (f->run) f->world = f->run->world;
    fender_status status = f->run ? FENDER_STATUS_OK : FENDER_STATUS_STATE;
    if (status == FENDER_STATUS_OK)
        status = fnd_fmi_model_create(&f->model, &f->model_arena, f->scenario, f->run, &error);
    if (status != FENDER_STATUS_OK) return fail_error(f, "instantiate", &error), false;
    if (!reserve(f)) return fnd_fmu_fail(f, "instantiate", "there is no memory"), false;
    if (f->exchange && !f->model.exchange) return fnd_fmu_fail(f, "instantiate", "%s", f->model.no_exchange), false;
    set_start_values(f);
    return true;
}

fnd_fmu_instance *fnd_fmu_create(const char *name, const char *token, const char *resources, bool exchange,
                                 bool logging, fnd_fmu_log *log, void *environment, void (*callback)(void))
{
    fender_env env = fender_env_default();
    fnd_fmu_instance *f = env.allocator.allocate(env.allocator.ctx, sizeof *f, _Alignof(fnd_fmu_instance));
    if (!f) return NULL;
    memset(f, 0, sizeof *f);
    f->mark = mark;
    f->env = env;
    f->env.report = report;
    f->env.report_ctx = f;
    f->arena = fnd_arena_open(&env.allocator, 0);
    f->model_arena = fnd_arena_open(&env.allocator, 0);
    f->log = log;
    f->logging = logging;
    f->environment = environment;
    f->callback = callback;
    f->exchange = exchange;
    f->mode = FND_FMU_INSTANTIATED;
    f->name = name ? fnd_arena_copy(&f->arena, name, strlen(name)) : "";
    if (f->name && create_all(f, token, resources)) return f;
    fnd_fmu_destroy(f);
    return NULL;
}

void fnd_fmu_destroy(fnd_fmu_instance *f)
{
    if (!f || f->mark != mark) return;
    fender_allocator allocator = f->env.allocator;
    while (f->saved) {
        void *state = f->saved;
        (void)fnd_fmu_state_free(f, &state);
    }
    fender_run_destroy(f->run);
    fender_scenario_destroy(f->scenario);
    if (f->bundle.file.text) fnd_bundle_release(&f->bundle);
    fnd_arena_close(&f->arena);
    fnd_arena_close(&f->model_arena);
    f->mark = 0;
    allocator.release(allocator.ctx, f, sizeof *f);
}

static void forget_values(fnd_fmu_instance *f) { f->outputs_known = f->rates_known = f->gaps_known = false; }

/* ---- initialization and end */

fnd_fmu_status fnd_fmu_setup(fnd_fmu_instance *f, double start, bool stop_defined, double stop)
{
    if (!isfinite(start) || (stop_defined && !(stop > start)))
        return fnd_fmu_fail(f, "setup", "start and stop time are not in order");
    if (start != f->start_time) f->stale = true;
    f->start_time = f->time = f->last_time = start;
    f->stop_defined = stop_defined;
    f->stop_time = stop_defined ? stop : 0;
    return FND_FMU_OK;
}

fnd_fmu_status fnd_fmu_enter_initialization(fnd_fmu_instance *f)
{
    fnd_fmu_status status = ensure_world(f, "enterInitializationMode");
    if (status == FND_FMU_OK) f->mode = FND_FMU_INITIALIZATION;
    return status;
}

fnd_fmu_status fnd_fmu_exit_initialization(fnd_fmu_instance *f, fnd_fmu_mode next)
{
    fender_error error = {0};
    fnd_fmu_status status = ensure_world(f, "exitInitializationMode");
    if (status != FND_FMU_OK) return status;
    fnd_run_begin(f->run); /* what actions do at the start */
    if (fnd_run_status(f->run, &error) != FENDER_STATUS_OK) {
        f->mode = FND_FMU_BROKEN;
        return fail_error(f, "exitInitializationMode", &error);
    }
    forget_values(f);
    f->mode = next;
    return FND_FMU_OK;
}

static void tell_verdict(fnd_fmu_instance *f, const char *call, fender_run_verdict verdict, fnd_fmu_status status)
{
    char message[1500];
    snprintf(message, sizeof message, "%s: %s: %s; %s", call, fender_run_verdict_name(verdict), f->run->reason,
             f->run->remedy);
    tell(f, status, status == FND_FMU_ERROR ? status_error : status_warning, message);
}

/* The importer integrates in model exchange: there the energy tells of its method. */
static void tell_final_verdict(fnd_fmu_instance *f)
{
    if (f->exchange) return;
    const fender_run_verdict verdict = fnd_run_judge_so_far(f->run);
    if (verdict == FENDER_RUN_SOUND) tell(f, FND_FMU_OK, log_events, "the energy adds up: sound");
    else tell_verdict(f, "terminate", verdict, FND_FMU_WARNING);
}

fnd_fmu_status fnd_fmu_terminate(fnd_fmu_instance *f)
{
    char message[80];
    if (f->trial) {
        bool event;
        (void)fnd_fmu_commit(f, &event);
    }
    tell_final_verdict(f);
    snprintf(message, sizeof message, "hash of the final state: %016llx",
             (unsigned long long)fender_world_hash(f->world));
    tell(f, FND_FMU_OK, log_events, message);
    f->mode = FND_FMU_TERMINATED;
    return FND_FMU_OK;
}

fnd_fmu_status fnd_fmu_reset(fnd_fmu_instance *f)
{
    fender_error error = {0};
    set_start_values(f);
    fender_status status = fnd_fmu_rebuild(f, &error);
    if (status != FENDER_STATUS_OK) {
        f->mode = FND_FMU_BROKEN;
        return fail_error(f, "reset", &error);
    }
    f->mode = FND_FMU_INSTANTIATED;
    return FND_FMU_OK;
}

/* ---- evaluation at a trial state */

/* Shows the trial to the world; without one, the committed state is what is evaluated. */
static fender_status show_trial(fnd_fmu_instance *f, fender_error *error)
{
    return f->trial ? fender_world_set_state(f->world, f->trial_time, f->states, error) : FENDER_STATUS_OK;
}

static double *values_of(fnd_fmu_instance *f, fnd_fmi_role role) { return f->values + f->model.first[role]; }

static void read_outputs(fnd_fmu_instance *f)
{
    double *values = values_of(f, FND_FMI_OUTPUT);
    for (int i = 0; i < fnd_fmi_count(&f->model, FND_FMI_OUTPUT); i++)
        values[i] = fender_run_channel_read(f->run, &f->model.outputs[i]);
}

/* Accepts the trial; the run follows it. */
static fender_status accept_trial(fnd_fmu_instance *f, fender_error *error)
{
    fender_status status = show_trial(f, error);
    if (status == FENDER_STATUS_OK) status = fender_world_commit(f->world, error);
    return status == FENDER_STATUS_OK ? fnd_run_take_in(f->run, error) : status;
}

/* Channels read accepted states: a trial is accepted, read, and taken back, with what the run has kept of it. */
static fender_status read_trial(fnd_fmu_instance *f, fender_error *error)
{
    fnd_buffer before = fnd_buffer_open(&f->env.allocator);
    fender_status status = FENDER_STATUS_MEMORY;
    if (fnd_run_append_state(f->run, &before)) {
        void (*report_run)(void *, const fender_diagnostic *) = f->run->env.report;
        f->run->env.report = NULL; /* it happens once the importer accepts it */
        status = accept_trial(f, error);
        if (status == FENDER_STATUS_OK) read_outputs(f);
        fender_status restored = fnd_run_restore_state(f->run, before.text, before.length, error);
        if (status == FENDER_STATUS_OK) status = restored;
        f->run->env.report = report_run;
    } else (void)fnd_io_fail_memory(error, "a trial state");
    fnd_buffer_close(&before);
    return status;
}

static fender_status know_outputs(fnd_fmu_instance *f, fender_error *error)
{
    if (f->outputs_known) return FENDER_STATUS_OK;
    fender_status status = FENDER_STATUS_OK;
    if (f->trial) status = read_trial(f, error);
    else read_outputs(f);
    f->outputs_known = status == FENDER_STATUS_OK;
    return status;
}

static fender_status know_rates(fnd_fmu_instance *f, fender_error *error)
{
    if (f->rates_known) return FENDER_STATUS_OK;
    fender_status status = show_trial(f, error);
    if (status == FENDER_STATUS_OK) status = fender_world_derivative(f->world, values_of(f, FND_FMI_DERIVATIVE), error);
    f->rates_known = status == FENDER_STATUS_OK;
    return status;
}

static fender_pose pose_of(const fnd_fmu_instance *f, const fender_shape_def *def, fender_body_id body)
{
    fender_body_state state = {.attitude = {0}};
    (void)fender_body_get_state(f->world, body, f->trial ? FENDER_CLOCK_EVALUATED : FENDER_CLOCK_COMMITTED, &state);
    fender_pose X_WS = {state.position, state.attitude};
    return fender_pose_product(X_WS, def->X_SG);
}

static fender_status know_gaps(fnd_fmu_instance *f, fender_error *error)
{
    if (f->gaps_known) return FENDER_STATUS_OK;
    fender_status status = show_trial(f, error);
    if (status == FENDER_STATUS_OK && f->trial) status = fender_world_evaluate(f->world, error);
    if (status != FENDER_STATUS_OK) return status;
    double *gaps = values_of(f, FND_FMI_INDICATOR);
    for (int i = 0; i < fnd_fmi_count(&f->model, FND_FMI_INDICATOR); i++) {
        const fnd_fmi_pair *pair = &f->model.pairs[i];
        fender_shape_id a = fender_shape_at(f->world, pair->a), b = fender_shape_at(f->world, pair->b);
        fender_shape_def def_a, def_b;
        fender_separation separation;
        if (fender_shape_get_def(f->world, a, &def_a) || fender_shape_get_def(f->world, b, &def_b)) continue;
        fender_pose X_WA = pose_of(f, &def_a, fender_shape_body(f->world, a));
        fender_pose X_WB = pose_of(f, &def_b, fender_shape_body(f->world, b));
        gaps[i] = 1;
        if (fender_geometry_separation(def_a.geometry, &X_WA, def_b.geometry, &X_WB, &separation) == FENDER_STATUS_OK)
            gaps[i] = separation.distance;
    }
    f->gaps_known = true;
    return FENDER_STATUS_OK;
}

/* ---- values */

static fender_status know(fnd_fmu_instance *f, fnd_fmi_role role, fender_error *error)
{
    switch (role) {
    case FND_FMI_OUTPUT: return know_outputs(f, error);
    case FND_FMI_DERIVATIVE: return know_rates(f, error);
    case FND_FMI_INDICATOR: return know_gaps(f, error);
    case FND_FMI_STATE: {
        double *states = values_of(f, FND_FMI_STATE);
        if (f->trial) memcpy(states, f->states, (size_t)fnd_fmi_count(&f->model, role) * sizeof *states);
        else fender_world_get_state(f->world, states);
        return FENDER_STATUS_OK;
    }
    default: return FENDER_STATUS_OK;
    }
}

fnd_fmu_status fnd_fmu_get(fnd_fmu_instance *f, const uint32_t refs[], size_t count, double values[])
{
    fender_error error = {0};
    if (count > 0 && (!refs || !values)) return fnd_fmu_fail(f, "get", "an array is missing");
    for (size_t i = 0; i < count; i++) {
        if (refs[i] >= (uint32_t)f->model.count)
            return fnd_fmu_fail(f, "get", "there is no variable with the value reference %u", (unsigned)refs[i]);
        fnd_fmi_role role = f->model.variables[refs[i]].role;
        int index = (int)refs[i] - f->model.first[role];
        if (role >= FND_FMI_OUTPUT) {
            if (f->mode == FND_FMU_INSTANTIATED)
                return fnd_fmu_fail(f, "get", "'%s' has no value before initialization",
                                    f->model.variables[refs[i]].name);
            if (ensure_world(f, "get") != FND_FMU_OK) return FND_FMU_ERROR;
            if (know(f, role, &error) != FENDER_STATUS_OK) return fail_error(f, "get", &error);
            values[i] = f->values[refs[i]];
        } else
            values[i] = role == FND_FMI_TIME        ? (f->trial ? f->trial_time : f->time)
                        : role == FND_FMI_PARAMETER ? f->parameters[index]
                                                    : f->inputs[index];
    }
    return FND_FMU_OK;
}

static fnd_fmu_status set_input(fnd_fmu_instance *f, int index, double value)
{
    fender_error error = {0};
    if (f->mode != FND_FMU_INSTANTIATED && !f->stale) {
        /* A value that stays is no command: it would end what the scenario does by itself. */
        if (value != f->inputs[index] || f->input_set[index]) {
            if (fender_command_set(f->world, &f->model.inputs[index], &value, &error) != FENDER_STATUS_OK)
                return fail_error(f, "set", &error);
            f->input_set[index] = true;
        }
    } else f->stale = f->input_set[index] = true; /* what is in force by then, the parameters tell */
    f->inputs[index] = value;
    forget_values(f);
    return FND_FMU_OK;
}

fnd_fmu_status fnd_fmu_set(fnd_fmu_instance *f, const uint32_t refs[], size_t count, const double values[])
{
    bool initial = f->mode & (FND_FMU_INSTANTIATED | FND_FMU_INITIALIZATION);
    if (count > 0 && (!refs || !values)) return fnd_fmu_fail(f, "set", "an array is missing");
    for (size_t i = 0; i < count; i++) {
        if (refs[i] >= (uint32_t)f->model.count)
            return fnd_fmu_fail(f, "set", "there is no variable with the value reference %u", (unsigned)refs[i]);
        const fnd_fmi_variable *v = &f->model.variables[refs[i]];
        int index = (int)refs[i] - f->model.first[v->role];
        if (!isfinite(values[i])) return fnd_fmu_fail(f, "set", "the value of '%s' is not finite", v->name);
        if (v->role == FND_FMI_PARAMETER && initial) {
            if (values[i] != f->parameters[index]) f->stale = f->parameter_set[index] = true;
            f->parameters[index] = values[i];
        } else if (v->role == FND_FMI_INPUT) {
            fnd_fmu_status status = set_input(f, index, values[i]);
            if (status != FND_FMU_OK) return status;
        } else
            return fnd_fmu_fail(f, "set", "'%s' cannot be set%s", v->name,
                                v->role == FND_FMI_PARAMETER ? " after initialization" : "");
    }
    return FND_FMU_OK;
}

/* ---- steps */

/* Events that a host switches by: not modes of laws, which are many. */
static bool is_notable(int kind)
{
    return kind != FENDER_EVENT_MODE && kind != FENDER_EVENT_SLIP && kind != FENDER_EVENT_STICK &&
           kind != FENDER_EVENT_LAW;
}

static bool has_event(const fender_world *world)
{
    int count;
    const fender_event *events = fender_world_events(world, &count);
    for (int i = 0; i < count; i++)
        if (is_notable((int)events[i].kind)) return true;
    return false;
}

/* Of the world and of actions, since the start. */
static int64_t event_total(const fender_run *run)
{
    int64_t total = 0;
    for (int kind = 0; kind < FND_EVENT_KIND_COUNT + run->event_names.count; kind++)
        if (is_notable(kind)) total += run->event_counts[kind];
    return total;
}

static double tolerance(const fnd_fmu_instance *f) { return 2e-3 * f->scenario->world.step; }

/* Hosts add up communication steps with rounding: a time within a thousandth of a step of the grid is on the grid.
 * Returns whether it is, and then puts the time of the grid in its place. */
static bool snap(const fnd_fmu_instance *f, double *time)
{
    const fender_world_def *def = &f->scenario->world;
    double ratio = (*time - def->start_time) / def->step, whole = rint(ratio);
    if (fender_integrator_adaptive(def->method) || fabs(ratio - whole) > 1e-3) return false;
    *time = def->start_time + whole * def->step;
    return true;
}

/* Fixed steps end on the grid by themselves, so that a goal on it limits none of them. */
static fender_status advance(fnd_fmu_instance *f, double goal, bool *event, bool *early, fender_error *error)
{
    fender_run *run = f->run;
    bool on_grid = snap(f, &goal);
    double close = on_grid ? 1e-3 * f->scenario->world.step : 0;
    while (!run->last && fender_world_time(f->world) < goal - close) {
        int64_t before = event_total(run);
        if (!on_grid) run->host.limit = goal;
        fnd_run_go(run);
        run->host.limit = INFINITY;
        fender_status status = fnd_run_status(run, error);
        if (status != FENDER_STATUS_OK) return status;
        *event = event_total(run) != before;
        *early = *event && f->event_mode_used && f->early_return_allowed && fender_world_time(f->world) < goal - close;
        if (*early) return FENDER_STATUS_OK;
    }
    if (fender_world_time(f->world) < goal - close) *early = true; /* the scenario has ended */
    return FENDER_STATUS_OK;
}

/* The first step with a worse verdict than before warns. One at which a run would stop fails. */
static fnd_fmu_status judge(fnd_fmu_instance *f)
{
    const fender_run_verdict verdict = fnd_run_judge_so_far(f->run);
    const bool stopped = f->run->end == FND_END_ENERGY;
    if (verdict <= f->verdict && !stopped) return FND_FMU_OK;
    f->verdict = verdict;
    tell_verdict(f, "doStep", verdict, stopped ? FND_FMU_ERROR : FND_FMU_WARNING);
    if (stopped) f->mode = FND_FMU_BROKEN;
    return stopped ? FND_FMU_ERROR : FND_FMU_WARNING;
}

fnd_fmu_status fnd_fmu_step(fnd_fmu_instance *f, double current, double size, bool *event, bool *early, bool *ended)
{
    fender_error error = {0};
    *event = *early = *ended = false;
    if (!isfinite(current) || !(size > 0) || !isfinite(current + size))
        return fnd_fmu_fail(f, "doStep", "the communication step is not a positive number");
    if (fabs(current - f->time) > tolerance(f))
        return fnd_fmu_fail(f, "doStep", "the communication point is %.17g s, not %.17g s", f->time, current);
    if (f->stop_defined && current + size > f->stop_time + tolerance(f))
        return fnd_fmu_fail(f, "doStep", "the step ends behind the stop time %.17g s", f->stop_time);
    if (f->run->last) return fnd_fmu_fail(f, "doStep", "the scenario has come to its end");
    forget_values(f);
    if (advance(f, current + size, event, early, &error) != FENDER_STATUS_OK) {
        f->last_time = f->time = fender_world_time(f->world);
        f->mode = FND_FMU_BROKEN;
        return fail_error(f, "doStep", &error);
    }
    f->time = f->last_time = *early ? fender_world_time(f->world) : current + size;
    *event = *event && f->event_mode_used;
    *ended = f->run->last;
    return judge(f);
}

/* ---- model exchange */

fnd_fmu_status fnd_fmu_get_states(fnd_fmu_instance *f, double *states)
{
    fender_error error = {0};
    (void)know(f, FND_FMI_STATE, &error);
    memcpy(states, values_of(f, FND_FMI_STATE), (size_t)fnd_fmi_count(&f->model, FND_FMI_STATE) * sizeof *states);
    return FND_FMU_OK;
}

fnd_fmu_status fnd_fmu_set_trial(fnd_fmu_instance *f, double time, const double *states)
{
    size_t count = (size_t)fnd_fmi_count(&f->model, FND_FMI_STATE);
    double committed = fender_world_time(f->world);
    for (size_t i = 0; states && i < count; i++)
        if (!isfinite(states[i])) return fnd_fmu_fail(f, "setContinuousStates", "a state is not finite");
    if (!isfinite(time) || time < committed - tolerance(f))
        return fnd_fmu_fail(f, "setTime", "%.17g s lies before the last accepted time, %.17g s", time, committed);
    if (time < committed) time = committed;
    if (!f->trial) fender_world_get_state(f->world, f->states);
    if (states) memcpy(f->states, states, count * sizeof *states);
    f->trial = true;
    f->trial_time = time;
    forget_values(f);
    return FND_FMU_OK;
}

fnd_fmu_status fnd_fmu_commit(fnd_fmu_instance *f, bool *event)
{
    fender_error error = {0};
    *event = false;
    if (!f->trial) return FND_FMU_OK;
    if (accept_trial(f, &error) != FENDER_STATUS_OK) return fail_error(f, "completedIntegratorStep", &error);
    f->trial = false;
    f->time = f->last_time = fender_world_time(f->world);
    forget_values(f);
    *event = has_event(f->world);
    return FND_FMU_OK;
}
