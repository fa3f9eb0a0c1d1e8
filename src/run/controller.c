/* Controllers of a run: resolved in the world, sampled and updated at exact times, saved. */
#include "run/controller.h"

#include "fmi/import.h"
#include "run/checkpoint.h"
#include "run/run.h"
#include "support/io_error.h"
#include "support/number.h"
#include "support/random.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- calls of its functions, guarded */

typedef struct fnd_call {
    const fender_controller *functions;
    void **state;
    const fender_controller_setup *setup; /* init */
    double time;                          /* update */
    const double *inputs;
    double *outputs;
    void *bytes; /* save, restore */
    size_t size;
    int64_t saved;
    int result;
    bool crashed; /* it did not come back: nothing may be called again */
    char message[FENDER_CONTROLLER_MESSAGE];
} fnd_call;

static void call_init(void *argument)
{
    fnd_call *c = argument;
    c->result = c->functions->init(c->setup, c->state, c->message);
}

static void call_update(void *argument)
{
    fnd_call *c = argument;
    c->result = c->functions->update(*c->state, c->time, c->inputs, c->outputs, c->message);
}

static void call_save(void *argument)
{
    fnd_call *c = argument;
    c->saved = c->functions->save(*c->state, c->bytes, c->size);
}

static void call_restore(void *argument)
{
    fnd_call *c = argument;
    c->result = c->functions->restore(*c->state, c->bytes, c->size, c->message);
}

static void call_destroy(void *argument)
{
    fnd_call *c = argument;
    c->functions->destroy(*c->state);
}

/* True if the call came back and found nothing wrong; else `c->message` says what. */
static bool make_call(const fnd_controller_list *list, void (*function)(void *argument), fnd_call *c)
{
    c->message[0] = '\0';
    c->result = 0;
    char what[FENDER_CONTROLLER_MESSAGE] = "";
    if (list->guard && !list->guard(list->guard_ctx, function, c, what, sizeof what)) {
        memcpy(c->message, what, sizeof what);
        c->result = -1;
        c->crashed = true;
        return false;
    }
    if (!list->guard) function(c);
    c->message[sizeof c->message - 1] = '\0';
    if (c->result != 0 && !c->message[0]) snprintf(c->message, sizeof c->message, "it returned %d", c->result);
    return c->result == 0;
}

/* ---- resolving */

static void resolve_input(const fnd_resolver *resolver, const fnd_controller_description *controller,
                          const fnd_controller_input *source, fnd_sampled_input *input)
{
    input->source = source;
    if (!fnd_resolve_channel(resolver, &source->channel, &input->channel)) return;
    input->scale = 1;
    if (source->scale.text) fnd_resolve_number(resolver, &source->scale, "1", &input->scale);
    fnd_resolve_number(resolver, &source->bias, input->channel.unit, &input->bias);
    fnd_resolve_number(resolver, &source->noise, input->channel.unit, &input->noise);
    fnd_resolve_number(resolver, &source->quantum, input->channel.unit, &input->quantum);
    const double late = source->delay / controller->period;
    input->size = late < 1e6 ? (int)late + 2 : 0;
    if (input->size == 0)
        fnd_diagnostic_add(resolver->diagnostics, FENDER_SEVERITY_ERROR, FENDER_STATUS_VALUE, &source->channel.location,
                           "the delay of the input is more than a million periods", "", "a shorter delay", "");
}

static bool resolve_output(const fnd_resolver *resolver, const fnd_controller_output *source, bool builtin,
                           fender_command *command)
{
    fender_error error = {0};
    if (!source->command.text) return false;
    if (fender_command_find(resolver->world, source->command.text, command, &error) == FENDER_STATUS_OK) {
        if (!builtin || command->count == 1) return true;
        char found[80], suggestion[120];
        snprintf(found, sizeof found, "a vector of %d numbers", command->count);
        snprintf(suggestion, sizeof suggestion, "write one output for each number: %.80s.x", source->command.text);
        fnd_diagnostic_add(resolver->diagnostics, FENDER_SEVERITY_ERROR, FENDER_STATUS_VALUE, &source->command.location,
                           "a built-in controller sets one number by each output", found, "a number", suggestion);
        return false;
    }
    fnd_diagnostic_add_error(resolver->diagnostics, &error, &source->command.location);
    return false;
}

static const fender_host_controller *find_host(const fender_run_def *def, const char *name)
{
    for (int i = 0; name && i < def->controller_count; i++)
        if (def->controllers[i].name && strcmp(def->controllers[i].name, name) == 0) return &def->controllers[i];
    return NULL;
}

static const char *const letters[] = {".x", ".y", ".z"};

/* Names, units and present values of the numbers that it sets. */
static bool name_numbers(const fnd_resolver *resolver, fnd_controller_state *c, fnd_arena *arena, const char **units)
{
    int k = 0;
    for (int i = 0; i < c->source->output_count; i++) {
        const fender_command *command = &c->outputs[i];
        if (fender_command_get(resolver->world, command, &c->numbers[k]) != FENDER_STATUS_OK)
            for (int n = 0; n < command->count; n++) c->numbers[k + n] = 0;
        for (int n = 0; n < command->count; n++, k++) {
            char name[80];
            const char *own = c->source->outputs[i].name ? c->source->outputs[i].name : "";
            int length = snprintf(name, sizeof name, "%.70s%s", own, command->count == 3 ? letters[n] : "");
            c->number_names[k] = fnd_arena_copy(arena, name, (size_t)length);
            units[k] = command->unit;
            if (!c->number_names[k]) return false;
        }
    }
    return true;
}

static void complain(const fnd_resolver *resolver, const fnd_controller_description *source, fender_status status,
                     const char *what, const char *detail)
{
    char message[320];
    snprintf(message, sizeof message, "controller '%.64s' %.200s", source->id.name, what);
    fnd_diagnostic_add(resolver->diagnostics, FENDER_SEVERITY_ERROR, status, &source->id.location, message, detail, "",
                       "");
}

static bool begin(const fnd_resolver *resolver, const fnd_controller_list *list, fnd_controller_state *c, void *user,
                  const char **units)
{
    const fnd_controller_description *source = c->source;
    const char *input_names[FENDER_CONTROLLER_NUMBERS], *input_units[FENDER_CONTROLLER_NUMBERS];
    for (int i = 0; i < source->input_count; i++) {
        input_names[i] = source->inputs[i].name;
        input_units[i] = c->inputs[i].channel.unit;
    }
    fender_controller_setup setup = {.size = sizeof setup,
                                     .name = source->id.name,
                                     .input_count = source->input_count,
                                     .output_count = c->number_count,
                                     .parameter_count = source->parameter_count,
                                     .input_names = input_names,
                                     .input_units = input_units,
                                     .output_names = c->number_names,
                                     .output_units = units,
                                     .parameter_names = source->parameter_names,
                                     .parameters = source->parameters,
                                     .period = source->period,
                                     .start_time = list->start_time + source->phase,
                                     .allocator = list->allocator,
                                     .user = user};
    c->begun = true;
    if (!c->functions->init) return true;
    fnd_call call = {.functions = c->functions, .state = &c->state, .setup = &setup};
    if (make_call(list, call_init, &call)) return true;
    c->begun = false; /* what failed has left nothing that could be destroyed */
    char what[200];
    snprintf(what, sizeof what, "cannot begin: %.180s", call.message);
    complain(resolver, source, FENDER_STATUS_CONTROLLER, what, "");
    return true;
}

static bool resolve_one(const fnd_resolver *resolver, const fender_run_def *def, fnd_arena *arena,
                        fnd_controller_list *list, fnd_controller_state *c)
{
    const fnd_controller_description *source = c->source;
    const char *units[FENDER_CONTROLLER_NUMBERS];
    void *user = source->builtin;
    bool good = true;
    c->functions = source->functions;
    c->inputs = FND_ARENA_NEW_ARRAY(arena, fnd_sampled_input, (size_t)source->input_count);
    c->outputs = FND_ARENA_NEW_ARRAY(arena, fender_command, (size_t)source->output_count);
    c->values = FND_ARENA_NEW_ARRAY(arena, double, (size_t)source->input_count);
    if (!c->inputs || !c->outputs || !c->values) return false;
    for (int i = 0; i < source->input_count; i++) {
        resolve_input(resolver, source, &source->inputs[i], &c->inputs[i]);
        good = good && c->inputs[i].size > 0;
        c->inputs[i].ring = FND_ARENA_NEW_ARRAY(arena, double, (size_t)c->inputs[i].size);
        if (!c->inputs[i].ring) return false;
    }
    for (int i = 0; i < source->output_count; i++) {
        good = resolve_output(resolver, &source->outputs[i], source->builtin != NULL, &c->outputs[i]) && good;
        c->number_count += c->outputs[i].count;
    }
    if (c->number_count > FENDER_CONTROLLER_NUMBERS) {
        char found[48];
        snprintf(found, sizeof found, "%d numbers", c->number_count);
        complain(resolver, source, FENDER_STATUS_VALUE, "sets more than 64 numbers; a vector has three", found);
        return true;
    }
    c->numbers = FND_ARENA_NEW_ARRAY(arena, double, (size_t)c->number_count);
    c->number_names = FND_ARENA_NEW_ARRAY(arena, const char *, (size_t)c->number_count);
    if (!c->numbers || !c->number_names) return false;
    if (source->origin == FND_CONTROLLER_HOST) {
        const fender_host_controller *host = find_host(def, source->host);
        good = good && host && host->functions;
        if (!host || !host->functions || host->functions->version != FENDER_CONTROLLER_VERSION ||
            host->functions->size < sizeof(fender_controller) || !host->functions->update) {
            complain(resolver, source, FENDER_STATUS_CONTROLLER,
                     host ? "comes from a host with functions of another version"
                          : "comes from a host, which has not given it to this run",
                     source->host ? source->host : "");
            return true;
        }
        c->functions = host->functions;
        user = host->user;
    }
    if (source->origin == FND_CONTROLLER_FMU && source->fmu_bytes) {
        fender_error error = {0};
        c->import = fnd_fmu_import_open(&resolver->scenario->env, source->fmu.name, source->fmu_bytes,
                                        source->fmu_length, &error);
        c->functions = fnd_fmu_import_controller();
        user = c->import;
        if (!c->import) {
            fnd_diagnostic_add_error(resolver->diagnostics, &error, &source->fmu.location);
            return true;
        }
    }
    if (!good || !c->functions) return true;
    return name_numbers(resolver, c, arena, units) && begin(resolver, list, c, user, units);
}

/* A function of the host that no controller names: often one of the two names is misspelt. */
static void tell_unused(const fnd_resolver *resolver, const fender_run_def *def)
{
    const fender_scenario *scenario = resolver->scenario;
    for (int i = 0; i < def->controller_count; i++) {
        const char *name = def->controllers[i].name ? def->controllers[i].name : "";
        bool used = false;
        for (int k = 0; k < scenario->controller_count && !used; k++)
            used = scenario->controllers[k].host && strcmp(scenario->controllers[k].host, name) == 0;
        if (used) continue;
        char message[200];
        snprintf(message, sizeof message, "no controller of the scenario uses '%.64s', which the host has given", name);
        fnd_diagnostic_add(resolver->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_NAME, NULL, message, name,
                           "a name that a controller has as its `host`", "");
    }
}

bool fnd_controllers_resolve(const fnd_resolver *resolver, const fender_run_def *def, const fender_allocator *allocator,
                             fnd_arena *arena, fnd_controller_list *list)
{
    const fender_scenario *scenario = resolver->scenario;
    memset(list, 0, sizeof *list);
    list->start_time = resolver->start_time;
    list->allocator = allocator;
    list->guard = def->guard;
    list->guard_ctx = def->guard_ctx;
    tell_unused(resolver, def);
    if (scenario->controller_count == 0) return true;
    list->states = FND_ARENA_NEW_ARRAY(arena, fnd_controller_state, (size_t)scenario->controller_count);
    if (!list->states) return false;
    list->count = scenario->controller_count;
    for (int i = 0; i < list->count; i++) {
        list->states[i].source = &scenario->controllers[i];
        if (!resolve_one(resolver, def, arena, list, &list->states[i])) return false;
    }
    return true;
}

void fnd_controllers_release(fnd_controller_list *list)
{
    for (int i = 0; i < list->count; i++) {
        fnd_controller_state *c = &list->states[i];
        if (c->begun && c->functions->destroy && c->state) {
            fnd_call call = {.functions = c->functions, .state = &c->state};
            (void)make_call(list, call_destroy, &call);
        }
        c->begun = false;
        fnd_fmu_import_close(c->import);
        c->import = NULL;
    }
}

/* ---- times */

static double update_time(const fnd_controller_list *list, const fnd_controller_state *c, int64_t number)
{
    const fnd_controller_description *source = c->source;
    return list->start_time + source->phase +
           (source->by_rate ? (double)number / source->rate : (double)number * source->period);
}

/* Times that only rounding holds apart are the same. */
static bool is_reached(double time, double now) { return now >= time - 1e-14 * (fabs(time) + fabs(now)); }

double fnd_controllers_next_time(const fnd_controller_list *list, double now)
{
    double next = INFINITY;
    for (int i = 0; i < list->count; i++) {
        const fnd_controller_state *c = &list->states[i];
        double time = update_time(list, c, c->next);
        if (!is_reached(time, now)) next = fmin(next, time);
        for (int k = 0; k < c->source->input_count; k++) {
            const fnd_sampled_input *input = &c->inputs[k];
            if (input->source->delay == 0) continue; /* with its update */
            time = update_time(list, c, input->taken) - input->source->delay;
            if (!is_reached(time, now)) next = fmin(next, time);
        }
    }
    return next;
}

/* ---- sampling and updating */

static double sample(const fnd_controller_state *c, const fnd_sampled_input *input, int number, double value)
{
    value = input->scale * value + input->bias;
    if (input->noise > 0) {
        const uint64_t seed = (uint64_t)c->source->seed ^
                              fnd_text_hash(FND_TEXT_HASH_START, c->source->id.name, strlen(c->source->id.name));
        value += input->noise * fnd_normal_quantile(fnd_uniform(seed, (uint32_t)number, (uint64_t)input->taken));
    }
    if (input->quantum > 0) value = floor(value / input->quantum + 0.5) * input->quantum;
    return value;
}

static void take_samples(fender_run *run, fnd_controller_state *c)
{
    const fnd_instant *instant = &run->instant;
    fnd_channel_reader reader = fnd_channel_reader_begin(run->world, &run->history);
    for (int i = 0; i < c->source->input_count; i++) {
        fnd_sampled_input *input = &c->inputs[i];
        bool read = false;
        double value = 0;
        while (is_reached(update_time(&run->controllers, c, input->taken) - input->source->delay, instant->time)) {
            if (!read) value = fnd_channel_reader_read(&reader, &input->channel);
            read = true;
            input->ring[input->taken % input->size] = sample(c, input, i, value);
            input->taken++;
        }
    }
}

static fender_status fail(const fnd_controller_state *c, double time, const char *what, const char *found,
                          fender_error *error)
{
    char message[320], path[160], at[48];
    const fnd_location *location = &c->source->id.location;
    fnd_duration_text(time, at);
    snprintf(message, sizeof message, "controller '%.64s' at %s: %.180s", c->source->id.name, at, what);
    snprintf(path, sizeof path, "controllers.%.64s", c->source->id.name);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_CONTROLLER, .source = location->file, .line = location->line,
                       .column = location->column, .path = path, .message = message, .found = found,
                       .expected = "a controller that works",
                       .suggestion = "run it alone with these inputs, or remove it from the scenario");
}

static fender_status set_outputs(fender_run *run, const fnd_controller_state *c, double time, fender_error *error)
{
    int k = 0;
    for (int i = 0; i < c->source->output_count; i++) {
        const fender_command *command = &c->outputs[i];
        char what[240];
        for (int n = 0; n < command->count; n++)
            if (!isfinite(c->numbers[k + n])) {
                snprintf(what, sizeof what, "its output '%.60s' is not finite", c->number_names[k + n]);
                return fail(c, time, what, isnan(c->numbers[k + n]) ? "NaN" : "infinite", error);
            }
        fender_error refusal = {0};
        if (fender_command_set(run->world, command, &c->numbers[k], &refusal) != FENDER_STATUS_OK) {
            char found[FND_NUMBER_SIZE];
            snprintf(what, sizeof what, "its output '%.50s' was refused: %.110s", c->number_names[k], refusal.message);
            fnd_number_format(c->numbers[k], found, sizeof found);
            return fail(c, time, what, found, error);
        }
        k += command->count;
    }
    return FENDER_STATUS_OK;
}

/* A warning of an FMU is one of the run. */
static void pass_on_warning(const fender_run *run, const fnd_controller_state *c, double time)
{
    const char *text = c->import ? fnd_fmu_import_warning(c->state) : NULL;
    const fnd_location *location = &c->source->id.location;
    char message[FENDER_CONTROLLER_MESSAGE + 160], at[48];
    if (!text || !run->env.report) return;
    fnd_duration_text(time, at);
    snprintf(message, sizeof message, "the FMU of controller '%.64s' warns at %s: %s", c->source->id.name, at, text);
    const fender_diagnostic warning = {.severity = FENDER_SEVERITY_WARNING,
                                       .status = FENDER_STATUS_CONTROLLER,
                                       .file = location->file ? location->file : "",
                                       .line = location->line,
                                       .column = location->column,
                                       .excerpt = "",
                                       .message = message,
                                       .found = "",
                                       .expected = "",
                                       .suggestion = "further warnings of this FMU are not shown"};
    run->env.report(run->env.report_ctx, &warning);
}

static fender_status update(fender_run *run, fnd_controller_state *c, fender_error *error)
{
    const double time = update_time(&run->controllers, c, c->next);
    for (int i = 0; i < c->source->input_count; i++) {
        const fnd_sampled_input *input = &c->inputs[i];
        c->values[i] = input->ring[c->next % input->size];
    }
    fnd_call call = {
        .functions = c->functions, .state = &c->state, .time = time, .inputs = c->values, .outputs = c->numbers};
    if (!make_call(&run->controllers, call_update, &call)) {
        if (call.crashed) c->begun = false;
        return fail(c, time, call.message, "", error);
    }
    pass_on_warning(run, c, time);
    c->next++;
    return set_outputs(run, c, time, error);
}

fender_status fnd_controllers_follow(fender_run *run, fender_error *error)
{
    fnd_controller_list *list = &run->controllers;
    for (int i = 0; i < list->count; i++) take_samples(run, &list->states[i]);
    for (int i = 0; i < list->count; i++) {
        fnd_controller_state *c = &list->states[i];
        while (is_reached(update_time(list, c, c->next), run->instant.time)) {
            fender_status status = update(run, c, error);
            if (status != FENDER_STATUS_OK) return status;
        }
    }
    return FENDER_STATUS_OK;
}

/* ---- saving */

enum { SAVED_LIMIT = 1 << 26 };

static int64_t size_of_state(const fnd_controller_list *list, fnd_controller_state *c)
{
    char none[1];
    fnd_call call = {.functions = c->functions, .state = &c->state, .bytes = none, .saved = -1};
    if (!c->state) return 0;
    if (!c->functions->save || !c->functions->restore || !make_call(list, call_save, &call)) return -1;
    return call.saved > SAVED_LIMIT ? -1 : call.saved;
}

fender_status fnd_controllers_check_saving(const fnd_controller_list *list, fender_error *error)
{
    for (int i = 0; i < list->count; i++)
        if (list->states[i].begun && size_of_state(list, &list->states[i]) < 0)
            return fail(&list->states[i], list->start_time,
                        "its state cannot be saved, so that the run cannot have checkpoints", "", error);
    return FENDER_STATUS_OK;
}

static void serialize_state(fnd_serializer *w, const fnd_controller_list *list, fnd_controller_state *c)
{
    int64_t size = w->to ? size_of_state(list, c) : 0;
    FND_SERIALIZE(w, size);
    if (size < 0 || size > SAVED_LIMIT || (!w->to && (size_t)size > w->size - w->at)) w->failed = true;
    if (w->failed || size == 0) {
        if (w->failed && w->to) w->to->failed = true;
        return;
    }
    const fender_allocator *a = list->allocator;
    void *bytes = a->allocate(a->ctx, (size_t)size, _Alignof(max_align_t));
    if (!bytes) {
        w->failed = true;
        if (w->to) w->to->failed = true;
        return;
    }
    fnd_call call = {.functions = c->functions, .state = &c->state, .bytes = bytes, .size = (size_t)size};
    if (w->to && (!make_call(list, call_save, &call) || call.saved != size)) w->to->failed = true;
    fnd_serialize_bytes(w, bytes, (size_t)size);
    if (!w->to && !w->failed && !(c->state && c->functions->restore && make_call(list, call_restore, &call)))
        w->failed = true;
    a->release(a->ctx, bytes, (size_t)size);
}

void fnd_controllers_serialize(fnd_serializer *w, fnd_controller_list *list)
{
    for (int i = 0; i < list->count && !w->failed; i++) {
        fnd_controller_state *c = &list->states[i];
        FND_SERIALIZE(w, c->next);
        fnd_serialize_bytes(w, c->numbers, (size_t)c->number_count * sizeof *c->numbers);
        for (int k = 0; k < c->source->input_count; k++) {
            FND_SERIALIZE(w, c->inputs[k].taken);
            fnd_serialize_bytes(w, c->inputs[k].ring, (size_t)c->inputs[k].size * sizeof *c->inputs[k].ring);
            if (c->inputs[k].taken < 0) w->failed = true;
        }
        if (c->next < 0) w->failed = true;
        serialize_state(w, list, c);
    }
}
