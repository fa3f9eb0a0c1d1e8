/* The variables of an FMU, from the section `fmu` of a scenario or, without it, from what the world has. */
#include "fmi/model.h"

#include "support/io_error.h"
#include "support/number.h"

#include <fender/laws.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VARIABLES = 20000, MOST_PAIRS = 100 };

typedef struct builder {
    fnd_fmi_model *model;
    fnd_arena *arena;
    const fender_scenario *scenario;
    fender_run *run;
    const fender_world *world; /* of the run */
    int capacity;
    fender_error *error;
} builder;

/* ---- units */

bool fnd_fmi_unit_exponents(const char *unit, int exponents[6])
{
    static const int order[6] = {1, 0, 2, 4, 3, 5}; /* kg m s A K rad out of m kg s K A rad */
    fender_unit parsed;
    if (!unit[0] || strcmp(unit, "1") == 0) return false;
    if (fender_unit_parse(unit, strlen(unit), &parsed, NULL) != FENDER_STATUS_OK) return false;
    for (int i = 0; i < 6; i++) {
        int32_t e = parsed.exponent[order[i]];
        if (e % FENDER_DIMENSION_DENOMINATOR != 0) return false;
        exponents[i] = e / FENDER_DIMENSION_DENOMINATOR;
    }
    return parsed.scale == 1 && parsed.offset == 0;
}

void fnd_fmi_token(uint64_t bundle_hash, char token[FND_FMI_TOKEN_SIZE])
{
    snprintf(token, FND_FMI_TOKEN_SIZE, "{fender-%s-%016llx}", fender_version(), (unsigned long long)bundle_hash);
}

/* ---- adding variables */

static fender_status fail_memory(const builder *b) { return fnd_io_fail_memory(b->error, "the variables of the FMU"); }

static const char *keep(const builder *b, const char *text) { return fnd_arena_copy(b->arena, text, strlen(text)); }

static fender_status add(builder *b, fnd_fmi_role role, const char *name, const char *unit, const char *doc,
                         double start)
{
    fnd_fmi_model *model = b->model;
    int exponents[6];
    if (model->count == b->capacity) {
        int capacity = b->capacity ? 2 * b->capacity : 64;
        if (capacity > 2 * MOST_VARIABLES)
            return FND_IO_FAIL(b->error, .status = FENDER_STATUS_VALUE, .message = "the FMU has too many variables",
                               .expected = "at most 20,000", .suggestion = "name the outputs in a section fmu");
        fnd_fmi_variable *larger = FND_ARENA_NEW_ARRAY(b->arena, fnd_fmi_variable, (size_t)capacity);
        if (!larger) return fail_memory(b);
        if (model->count > 0) memcpy(larger, model->variables, (size_t)model->count * sizeof *larger);
        model->variables = larger;
        b->capacity = capacity;
    }
    fnd_fmi_variable *v = &model->variables[model->count];
    *v = (fnd_fmi_variable){.name = keep(b, name), .doc = keep(b, doc), .role = role, .start = start};
    v->unit = fnd_fmi_unit_exponents(unit, exponents) ? keep(b, unit) : "";
    if (!v->name || !v->doc || !v->unit) return fail_memory(b);
    model->count++;
    return FENDER_STATUS_OK;
}

/* ---- parameters */

/* The SI unit as text that a scenario takes: "kg*m*s^-2". "" for plain numbers. */
static void si_text(const fender_unit *unit, char text[80])
{
    static const char *const names[FENDER_DIMENSION_COUNT] = {"m", "kg", "s", "K", "A", "rad"};
    static const int order[FENDER_DIMENSION_COUNT] = {1, 0, 5, 2, 3, 4};
    const int whole = FENDER_DIMENSION_DENOMINATOR;
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < FENDER_DIMENSION_COUNT && used < 60; k++) {
        const int i = order[k], e = (int)unit->exponent[i];
        if (e == 0) continue;
        used += (size_t)snprintf(text + used, 80 - used, "%s%s", used ? "*" : "", names[i]);
        if (e % whole != 0) used += (size_t)snprintf(text + used, 80 - used, "^(%d/%d)", e, whole);
        else if (e != whole) used += (size_t)snprintf(text + used, 80 - used, "^%d", e / whole);
    }
}

static fender_status add_parameter(builder *b, const fnd_fmu_entry *entry, int index)
{
    double value, start;
    size_t used = 0, length = strlen(entry->value);
    fender_unit unit;
    char si[80] = "";
    if (!fnd_number_parse(entry->value, length, &value, &used)) return FENDER_STATUS_PARSE; /* the reader checks */
    start = value;
    while (entry->value[used] == ' ') used++;
    if (used < length) {
        fender_status status = fender_unit_parse(entry->value + used, length - used, &unit, b->error);
        if (status != FENDER_STATUS_OK) return status;
        if (unit.scale == 1 && length - used < sizeof si) memcpy(si, entry->value + used, length - used + 1);
        else si_text(&unit, si);
        status = fender_quantity_parse(entry->value, length, si[0] ? si : "1", &start, b->error);
        if (status != FENDER_STATUS_OK) return status;
    }
    b->model->parameter_paths[index] = keep(b, entry->path.text); /* the scenario is replaced by later ones */
    b->model->parameter_units[index] = keep(b, si);
    if (!b->model->parameter_paths[index] || !b->model->parameter_units[index]) return fail_memory(b);
    char doc[200];
    snprintf(doc, sizeof doc, "%.190s", entry->path.text);
    return add(b, FND_FMI_PARAMETER, entry->id.name, si, doc, start);
}

static fender_status add_parameters(builder *b)
{
    const fnd_fmu_list *list = &b->scenario->fmu[FND_FMU_PARAMETERS];
    b->model->parameter_paths = FND_ARENA_NEW_ARRAY(b->arena, const char *, (size_t)list->count);
    b->model->parameter_units = FND_ARENA_NEW_ARRAY(b->arena, const char *, (size_t)list->count);
    if (!b->model->parameter_paths || !b->model->parameter_units) return fail_memory(b);
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < list->count && status == FENDER_STATUS_OK; i++) status = add_parameter(b, &list->entries[i], i);
    return status;
}

/* ---- inputs and outputs: a path of several numbers gives as many variables, NAME.x and so on */

/* "height" of bodies.lander.position.z; "place.z" of bodies.lander.position. */
static void component_name(const char *name, const char *path, const char *whole, char text[320])
{
    size_t length = strlen(path);
    bool part = strncmp(whole, path, length) == 0 && whole[length];
    bool same = strcmp(name, path) == 0;
    snprintf(text, 320, "%.120s%.180s", same ? whole : name, !same && part ? whole + length : "");
}

typedef struct paths {
    const char **items;
    int count, capacity;
} paths;

static bool remember(const builder *b, paths *list, const char *path)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 32;
        const char **larger = FND_ARENA_NEW_ARRAY(b->arena, const char *, (size_t)capacity);
        if (!larger) return false;
        if (list->count > 0) memcpy(larger, list->items, (size_t)list->count * sizeof *larger);
        list->items = larger;
        list->capacity = capacity;
    }
    list->items[list->count] = keep(b, path);
    return list->items[list->count++] != NULL;
}

static fender_status add_input(builder *b, paths *list, const char *name, const char *path)
{
    static const char *const axes[] = {".x", ".y", ".z"};
    fender_command whole, one;
    fender_status status = fender_command_find(b->world, path, &whole, b->error);
    if (status != FENDER_STATUS_OK) return status;
    for (int i = 0; i < whole.count; i++) {
        char component[256], text[320];
        double values[FENDER_COMMAND_CAPACITY] = {0};
        snprintf(component, sizeof component, "%.190s%s", whole.name, whole.count == 3 ? axes[i] : "");
        status = fender_command_find(b->world, component, &one, b->error);
        if (status == FENDER_STATUS_OK) (void)fender_command_get(b->world, &one, values);
        component_name(name, path, component, text);
        if (status == FENDER_STATUS_OK) status = add(b, FND_FMI_INPUT, text, one.unit, one.doc, values[0]);
        if (status == FENDER_STATUS_OK && !remember(b, list, component)) status = fail_memory(b);
        if (status != FENDER_STATUS_OK) return status;
    }
    return FENDER_STATUS_OK;
}

static fender_status add_output(builder *b, paths *list, const char *name, const char *path)
{
    int count = 0;
    fender_status status = fender_run_channel_find(b->run, path, NULL, 0, &count, b->error);
    if (status != FENDER_STATUS_OK) return status;
    if (count > MOST_VARIABLES) count = MOST_VARIABLES;
    fender_channel *channels = FND_ARENA_NEW_ARRAY(b->arena, fender_channel, (size_t)count);
    if (!channels) return fail_memory(b);
    int found = 0;
    (void)fender_run_channel_find(b->run, path, channels, count, &found, NULL);
    for (int i = 0; i < count && i < found && status == FENDER_STATUS_OK; i++) {
        char text[320];
        component_name(name, path, channels[i].name, text);
        if (strchr(path, '*')) snprintf(text, sizeof text, "%.190s", channels[i].name);
        status = add(b, FND_FMI_OUTPUT, text, channels[i].unit, channels[i].name, 0);
        if (status == FENDER_STATUS_OK && !remember(b, list, channels[i].name)) status = fail_memory(b);
    }
    return status;
}

static fender_status add_default_inputs(builder *b, paths *list)
{
    static const char *const kinds[] = {"force", "torque"};
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < fender_load_count(b->world); i++)
        for (int k = 0; k < 2 && status == FENDER_STATUS_OK; k++) {
            char path[200];
            fender_command command;
            snprintf(path, sizeof path, "loads.%.120s.%s", fender_load_name(b->world, fender_load_at(b->world, i)),
                     kinds[k]);
            if (fender_command_find(b->world, path, &command, NULL) == FENDER_STATUS_OK)
                status = add_input(b, list, path, path);
        }
    return status;
}

static fender_status add_default_outputs(builder *b, paths *list)
{
    static const char *const fields[] = {"position", "attitude", "velocity", "angular_velocity", "contact_force"};
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < fender_body_count(b->world); i++) {
        fender_body_def def;
        fender_body_id id = fender_body_at(b->world, i);
        if (fender_body_get_def(b->world, id, &def) != FENDER_STATUS_OK || def.motion == FENDER_MOTION_FIXED) continue;
        for (size_t k = 0; k < sizeof fields / sizeof fields[0] && status == FENDER_STATUS_OK; k++) {
            char path[200];
            snprintf(path, sizeof path, "bodies.%.120s.%s", fender_body_name(b->world, id), fields[k]);
            status = add_output(b, list, path, path);
        }
    }
    return status;
}

static fender_status add_commands_and_channels(builder *b)
{
    const fnd_fmu_list *lists = b->scenario->fmu;
    bool named = lists[FND_FMU_INPUTS].given || lists[FND_FMU_OUTPUTS].given;
    paths inputs = {0}, outputs = {0};
    fender_status status = FENDER_STATUS_OK;
    b->model->first[FND_FMI_INPUT] = b->model->count;
    for (int i = 0; i < lists[FND_FMU_INPUTS].count && status == FENDER_STATUS_OK; i++) {
        const fnd_fmu_entry *e = &lists[FND_FMU_INPUTS].entries[i];
        status = add_input(b, &inputs, e->id.name, e->path.text);
    }
    if (status == FENDER_STATUS_OK && !named) status = add_default_inputs(b, &inputs);
    b->model->first[FND_FMI_OUTPUT] = b->model->count;
    for (int i = 0; i < lists[FND_FMU_OUTPUTS].count && status == FENDER_STATUS_OK; i++) {
        const fnd_fmu_entry *e = &lists[FND_FMU_OUTPUTS].entries[i];
        status = add_output(b, &outputs, e->id.name, e->path.text);
    }
    if (status == FENDER_STATUS_OK && !named) status = add_default_outputs(b, &outputs);
    b->model->input_paths = inputs.items;
    b->model->output_paths = outputs.items;
    return status;
}

/* ---- states of model exchange */

static fender_status add_states(builder *b, fnd_fmi_role role)
{
    static const struct {
        const char *name, *unit, *rate_unit;
    } parts[FENDER_STATE_PER_BODY] = {
        {"position.x", "m", "m/s"},     {"position.y", "m", "m/s"},     {"position.z", "m", "m/s"},
        {"attitude.w", "1", "1/s"},     {"attitude.x", "1", "1/s"},     {"attitude.y", "1", "1/s"},
        {"attitude.z", "1", "1/s"},     {"velocity.x", "m/s", "m/s^2"}, {"velocity.y", "m/s", "m/s^2"},
        {"velocity.z", "m/s", "m/s^2"}, {"momentum.x", "N*m*s", "N*m"}, {"momentum.y", "N*m*s", "N*m"},
        {"momentum.z", "N*m*s", "N*m"}};
    int left = fender_world_state_count(b->world) / FENDER_STATE_PER_BODY;
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < fender_body_count(b->world) && left > 0; i++) {
        fender_body_def def;
        fender_body_id id = fender_body_at(b->world, i);
        if (fender_body_get_def(b->world, id, &def) != FENDER_STATUS_OK || def.motion != FENDER_MOTION_DYNAMIC)
            continue;
        left--;
        for (int k = 0; k < FENDER_STATE_PER_BODY && status == FENDER_STATUS_OK; k++) {
            char name[256];
            bool rate = role == FND_FMI_DERIVATIVE;
            snprintf(name, sizeof name, "%sstates.%.120s.%s%s", rate ? "der(" : "", fender_body_name(b->world, id),
                     parts[k].name, rate ? ")" : "");
            status = add(b, role, name, rate ? parts[k].rate_unit : parts[k].unit,
                         rate ? "Rate of the state" : "State of the centre of mass, in world axes", 0);
        }
        if (status != FENDER_STATUS_OK) return status;
    }
    return status;
}

static fender_status add_indicators(builder *b)
{
    const fender_world *world = b->world;
    int shapes = fender_shape_count(world), count = 0;
    b->model->pairs = FND_ARENA_NEW_ARRAY(b->arena, fnd_fmi_pair, MOST_PAIRS);
    if (!b->model->pairs) return fail_memory(b);
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < shapes; i++)
        for (int k = i + 1; k < shapes && status == FENDER_STATUS_OK; k++) {
            fender_pair_explanation why;
            fender_shape_id a = fender_shape_at(world, i), c = fender_shape_at(world, k);
            if (fender_world_explain(world, a, c, &why) != FENDER_STATUS_OK) continue;
            if (why.reason != FENDER_PAIR_MAY_TOUCH && why.reason != FENDER_PAIR_OUT_OF_RANGE) continue;
            if (count == MOST_PAIRS) return status;
            char name[300];
            snprintf(name, sizeof name, "gap(%.60s.%.60s,%.60s.%.60s)",
                     fender_body_name(world, fender_shape_body(world, a)), fender_shape_name(world, a),
                     fender_body_name(world, fender_shape_body(world, c)), fender_shape_name(world, c));
            b->model->pairs[count++] = (fnd_fmi_pair){i, k};
            status = add(b, FND_FMI_INDICATOR, name, "m", "Distance of two shapes; negative while they overlap", 0);
        }
    return status;
}

/* ---- the whole */

/* A weld takes states away: those of what it joins become one body's. */
static bool has_welds(const fender_scenario *scenario)
{
    for (int i = 0; i < scenario->contact_type_count; i++) {
        const fnd_contact_type_description *type = &scenario->contact_types[i];
        if (!type->law || strcmp(type->law->name, "capture") != 0) continue;
        if (((const fender_capture_parameters *)type->law_parameters)->connection == 0) return true;
    }
    return false;
}

/* What keeps a scenario from model exchange; NULL: nothing. */
static const char *obstacle(const fender_scenario *scenario, const fender_world *world)
{
    if (scenario->action_count > 0) return "a scenario with actions has no model exchange: they act between steps";
    if (scenario->controller_count > 0)
        return "a scenario with controllers has no model exchange: they act between steps";
    if (has_welds(scenario))
        return "a scenario whose contacts weld has no model exchange: its states change in number; co-simulation has, "
               "and `connection: bushing` keeps them";
    return fender_world_state_count(world) > 0 ? NULL : "a scenario without dynamic bodies has no model exchange";
}

fender_status fnd_fmi_model_create(fnd_fmi_model *model, fnd_arena *arena, const fender_scenario *scenario,
                                   fender_run *run, fender_error *error)
{
    const fender_world *world = fender_run_world(run);
    builder b = {model, arena, scenario, run, world, 0, error};
    memset(model, 0, sizeof *model);
    model->scenario = scenario;
    model->no_exchange = obstacle(scenario, world);
    model->exchange = !model->no_exchange;
    fender_status status = add(&b, FND_FMI_TIME, "time", "s", "Simulated time", scenario->world.start_time);
    model->first[FND_FMI_PARAMETER] = model->count;
    if (status == FENDER_STATUS_OK) status = add_parameters(&b);
    if (status == FENDER_STATUS_OK) status = add_commands_and_channels(&b);
    for (int role = FND_FMI_STATE; role <= FND_FMI_INDICATOR && status == FENDER_STATUS_OK; role++) {
        model->first[role] = model->count;
        if (!model->exchange) continue;
        status = role == FND_FMI_INDICATOR ? add_indicators(&b) : add_states(&b, (fnd_fmi_role)role);
    }
    model->first[FND_FMI_ROLE_COUNT] = model->count;
    if (status != FENDER_STATUS_OK) return status;
    model->inputs = FND_ARENA_NEW_ARRAY(arena, fender_command, (size_t)fnd_fmi_count(model, FND_FMI_INPUT));
    model->outputs = FND_ARENA_NEW_ARRAY(arena, fender_channel, (size_t)fnd_fmi_count(model, FND_FMI_OUTPUT));
    if (!model->inputs || !model->outputs) return fail_memory(&b);
    return fnd_fmi_model_bind(model, run, error);
}

fender_status fnd_fmi_model_bind(fnd_fmi_model *model, fender_run *run, fender_error *error)
{
    const fender_world *world = fender_run_world(run);
    fender_status status = FENDER_STATUS_OK;
    int count;
    for (int i = 0; i < fnd_fmi_count(model, FND_FMI_INPUT) && status == FENDER_STATUS_OK; i++)
        status = fender_command_find(world, model->input_paths[i], &model->inputs[i], error);
    for (int i = 0; i < fnd_fmi_count(model, FND_FMI_OUTPUT) && status == FENDER_STATUS_OK; i++)
        status = fender_run_channel_find(run, model->output_paths[i], &model->outputs[i], 1, &count, error);
    return status;
}
