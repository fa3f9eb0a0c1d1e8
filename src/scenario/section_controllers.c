/* Section `controllers`: where each comes from, when it is sampled, what it reads and sets. */
#include "plugin/load.h"
#include "scenario/section.h"
#include "scenario/tree.h"
#include "scenario/value.h"

#include <math.h>
#include <string.h>

static const char *const origins[] = {"library", "host", "table", "pd", "phase_plane", "sequence", "fmu", NULL};

/* ---- inputs and outputs */

static fnd_located_text located(const fnd_node *node) { return node ? fnd_located(node) : (fnd_located_text){0}; }

static void read_input(fnd_reader *reader, fnd_node *node, fnd_controller_input *input)
{
    static const char *const keys[] = {"channel", "delay", "scale", "bias", "noise", "quantum", NULL};
    input->name = fnd_read_name(reader, node, "an input").name;
    if (node->kind != FND_NODE_MAP) {
        if (fnd_read_channel_path(reader, node, "an input")) input->channel = fnd_located(node);
        return;
    }
    (void)fnd_check_keys(reader, node, "an input", keys);
    fnd_node *channel = fnd_require(reader, node, "channel", "the input", "sensors.altimeter.range");
    const fnd_node *delay = fnd_node_find(node, "delay");
    if (channel && fnd_read_channel_path(reader, channel, "channel")) input->channel = fnd_located(channel);
    if (delay) (void)fnd_read_number_from(reader, delay, "delay", "s", 0, false, &input->delay);
    input->scale = located(fnd_node_find(node, "scale"));
    input->bias = located(fnd_node_find(node, "bias"));
    input->noise = located(fnd_node_find(node, "noise"));
    input->quantum = located(fnd_node_find(node, "quantum"));
}

static bool check_count(fnd_reader *reader, const fnd_node *node, const char *what)
{
    if (node->count <= FENDER_CONTROLLER_NUMBERS) return true;
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT,
                 fnd_phrase_make("a controller has at most %d %s", (int)FENDER_CONTROLLER_NUMBERS, what).text,
                 fnd_phrase_make("%d", node->count).text, "fewer", "use two controllers");
    return false;
}

static void read_inputs(fnd_reader *reader, fnd_node *map, fnd_controller_description *controller)
{
    if (!map || !fnd_expect_map(reader, map, "inputs") || !check_count(reader, map, "inputs")) return;
    controller->inputs = fnd_keep(reader, (size_t)map->count, sizeof *controller->inputs);
    if (!controller->inputs) return;
    for (fnd_node *node = map->first; node; node = node->next)
        read_input(reader, node, &controller->inputs[controller->input_count++]);
}

static void read_outputs(fnd_reader *reader, fnd_node *map, fnd_controller_description *controller)
{
    const char *text = NULL;
    if (!map || !fnd_expect_map(reader, map, "outputs") || !check_count(reader, map, "outputs")) return;
    controller->outputs = fnd_keep(reader, (size_t)map->count, sizeof *controller->outputs);
    if (!controller->outputs) return;
    for (fnd_node *node = map->first; node; node = node->next) {
        fnd_controller_output *output = &controller->outputs[controller->output_count++];
        output->name = fnd_read_name(reader, node, "an output").name;
        if (fnd_read_text(reader, node, "an output", &text)) output->command = fnd_located(node);
    }
}

static void read_parameters(fnd_reader *reader, fnd_node *map, fnd_controller_description *controller)
{
    if (!map || !fnd_expect_map(reader, map, "parameters") || !check_count(reader, map, "parameters")) return;
    controller->parameter_names = fnd_keep(reader, (size_t)map->count, sizeof *controller->parameter_names);
    controller->parameters = fnd_keep(reader, (size_t)map->count, sizeof *controller->parameters);
    if (!controller->parameter_names || !controller->parameters) return;
    for (const fnd_node *node = map->first; node; node = node->next) {
        const int k = controller->parameter_count++;
        const char *unit = NULL;
        double value = 0;
        controller->parameter_names[k] = fnd_read_name(reader, node, "a parameter").name;
        /* of any dimension: the controller knows what it expects */
        if (!fnd_split_number(reader, node, "a parameter", "1", &value, &unit)) continue;
        fender_error error = {0};
        fender_unit parsed;
        if (!unit[0]) controller->parameters[k] = value;
        else if (fender_unit_parse(unit, strlen(unit), &parsed, &error) == FENDER_STATUS_OK)
            controller->parameters[k] = parsed.scale * (value + parsed.offset);
        else
            fnd_complain(reader, &node->location, error.status, error.message, error.found, error.expected,
                         error.suggestion);
    }
}

/* ---- built-in ones */

static bool read_table(fnd_reader *reader, fnd_node *map, fnd_controller_description *controller)
{
    static const char *const keys[] = {"rows", "between", NULL}, *const betweens[] = {"hold", "linear", NULL};
    if (!fnd_check_keys(reader, map, "a table of outputs", keys)) return false;
    const fnd_node *rows = fnd_require(reader, map, "rows", "the table", "[[0, 0], [2, 1]]");
    const fnd_node *between = fnd_node_find(map, "between");
    int choice = 0, columns = controller->output_count + 1;
    double *values = NULL;
    if (between && !fnd_read_choice(reader, between, "between", betweens, &choice)) return false;
    if (!rows || !fnd_read_rows(reader, rows, "rows", "1", &columns, &values, &controller->builtin->row_count))
        return false;
    controller->builtin->rows = values;
    controller->builtin->hold = choice == 0;
    for (int i = 1; i < controller->builtin->row_count; i++)
        if (!(values[i * columns] > values[(i - 1) * columns])) {
            fnd_complain(reader, fnd_node_shown_location(rows), FENDER_STATUS_VALUE,
                         "the times of the table do not increase", fnd_digits(values[i * columns], "s").text,
                         "rows of a later time each", "sort the rows by time");
            return false;
        }
    return true;
}

/* A number for all outputs, or a list with one for each. */
static bool read_axis_numbers(fnd_reader *reader, const fnd_node *map, const char *key, bool needed, double initial,
                              fnd_builtin_axis *axes, int count, size_t member)
{
    const fnd_node *node = fnd_node_find(map, key);
    double values[FENDER_CONTROLLER_NUMBERS];
    for (int i = 0; i < count; i++) values[i] = initial;
    if (!node && needed) return fnd_require(reader, map, key, "the controller", "1") != NULL;
    if (node && node->kind == FND_NODE_LIST) {
        if (!fnd_read_numbers(reader, node, key, "1", count, values)) return false;
    } else if (node) {
        if (!fnd_read_number(reader, node, key, "1", &values[0])) return false;
        for (int i = 1; i < count; i++) values[i] = values[0];
    }
    for (int i = 0; i < count; i++) memcpy((char *)&axes[i] + member, &values[i], sizeof values[i]);
    return true;
}

static bool check_pairs(fnd_reader *reader, fnd_node *map, const fnd_controller_description *controller)
{
    if (controller->input_count == 2 * controller->output_count) return true;
    fnd_complain(
        reader, &map->key_location, FENDER_STATUS_ARGUMENT,
        fnd_phrase_make("it has %d inputs for %d outputs", controller->input_count, controller->output_count).text,
        fnd_phrase_make("%d", controller->input_count).text,
        "two inputs for each output: a value and its rate, in the order of the outputs",
        "list them as value, rate, value, rate");
    return false;
}

/* The place where a key is given, or else that of the controller's map. */
static const fnd_location *place_of_key(const fnd_node *map, const char *key)
{
    const fnd_node *node = fnd_node_find(map, key);
    return node ? fnd_node_shown_location(node) : &map->key_location;
}

static bool check_axes(fnd_reader *reader, const fnd_node *map, const fnd_builtin_axis *axes, int count)
{
    for (int i = 0; i < count; i++) {
        const fnd_builtin_axis *a = &axes[i];
        if (!(a->least <= a->most)) {
            fnd_complain(reader, place_of_key(map, "least"), FENDER_STATUS_VALUE, "'least' is larger than 'most'",
                         fnd_digits(a->least, "").text,
                         fnd_phrase_make("at most %s", fnd_digits(a->most, "").text).text, "exchange them");
            return false;
        }
        if (a->deadband >= 0 && a->hysteresis >= 0 && a->hysteresis <= a->deadband) continue;
        const bool dead = a->deadband < 0;
        fnd_complain(reader, place_of_key(map, dead ? "deadband" : "hysteresis"), FENDER_STATUS_VALUE,
                     dead ? "'deadband' is negative" : "'hysteresis' is not between 0 and 'deadband'",
                     fnd_digits(dead ? a->deadband : a->hysteresis, "").text,
                     dead ? "0 or more" : fnd_phrase_make("0 to %s", fnd_digits(a->deadband, "").text).text,
                     dead ? "" : "the output is 0 again below 'deadband' minus 'hysteresis'");
        return false;
    }
    return true;
}

#define AXIS(key, needed, initial) \
    read_axis_numbers(reader, map, #key, needed, initial, axes, count, offsetof(fnd_builtin_axis, key))

static bool read_pd(fnd_reader *reader, fnd_node *map, fnd_controller_description *controller)
{
    static const char *const keys[] = {"target", "proportional", "derivative", "offset", "least", "most", NULL};
    const int count = controller->output_count;
    fnd_builtin_axis *axes = fnd_keep(reader, (size_t)count, sizeof *axes);
    controller->builtin->axes = axes;
    return axes && fnd_check_keys(reader, map, "a PD controller", keys) && check_pairs(reader, map, controller) &&
           AXIS(target, false, 0) && AXIS(proportional, true, 0) && AXIS(derivative, false, 0) &&
           AXIS(offset, false, 0) && AXIS(least, false, -(double)INFINITY) && AXIS(most, false, (double)INFINITY) &&
           check_axes(reader, map, axes, count);
}

static bool read_phase_plane(fnd_reader *reader, fnd_node *map, fnd_controller_description *controller)
{
    static const char *const keys[] = {"target", "lead", "deadband", "hysteresis", "level", "least", "most", NULL};
    const int count = controller->output_count;
    fnd_builtin_axis *axes = fnd_keep(reader, (size_t)count, sizeof *axes);
    controller->builtin->axes = axes;
    return axes && fnd_check_keys(reader, map, "a phase plane", keys) && check_pairs(reader, map, controller) &&
           AXIS(target, false, 0) && AXIS(lead, false, 0) && AXIS(deadband, true, 0) && AXIS(hysteresis, false, 0) &&
           AXIS(level, true, 0) && AXIS(least, false, -(double)INFINITY) && AXIS(most, false, (double)INFINITY) &&
           check_axes(reader, map, axes, count);
}

/* `until: {input: height, below: 2}` */
static bool read_until(fnd_reader *reader, fnd_node *map, const fnd_controller_description *controller,
                       fnd_builtin_step *step)
{
    static const char *const keys[] = {"input", "above", "below", NULL};
    const char *name = NULL;
    if (!fnd_expect_map(reader, map, "until") || !fnd_check_keys(reader, map, "until", keys)) return false;
    const fnd_node *input = fnd_require(reader, map, "input", "until", "NAME");
    const fnd_node *above = fnd_node_find(map, "above"), *below = fnd_node_find(map, "below");
    if (!input || !fnd_read_text(reader, input, "input", &name)) return false;
    for (int i = 0; i < controller->input_count; i++)
        if (controller->inputs[i].name && strcmp(controller->inputs[i].name, name) == 0) step->input = i;
    if (step->input < 0) {
        fnd_complain(reader, &input->location, FENDER_STATUS_NAME,
                     fnd_phrase_make("the controller has no input '%s'", fnd_shown(name).text).text,
                     fnd_shown(name).text, "the name of one of its inputs", "add it to `inputs`");
        return false;
    }
    if (!above && !below) return fnd_require(reader, map, "above", "until", "2") != NULL;
    return (!above || fnd_read_number(reader, above, "above", "1", &step->above)) &&
           (!below || fnd_read_number(reader, below, "below", "1", &step->below));
}

static bool read_values(fnd_reader *reader, fnd_node *map, const fnd_controller_description *controller, double *values)
{
    if (!fnd_expect_map(reader, map, "set")) return false;
    for (const fnd_node *node = map->first; node; node = node->next) {
        int k = -1;
        for (int i = 0; i < controller->output_count; i++)
            if (controller->outputs[i].name && strcmp(controller->outputs[i].name, node->key) == 0) k = i;
        if (k < 0) {
            fnd_complain(reader, &node->key_location, FENDER_STATUS_NAME,
                         fnd_phrase_make("the controller has no output '%s'", fnd_shown(node->key).text).text,
                         fnd_shown(node->key).text, "the name of one of its outputs", "add it to `outputs`");
            return false;
        }
        if (!fnd_read_number(reader, node, node->key, "1", &values[k])) return false;
    }
    return true;
}

static bool read_sequence(fnd_reader *reader, fnd_node *list, fnd_controller_description *controller)
{
    static const char *const keys[] = {"set", "for", "until", NULL};
    fnd_builtin_step *steps = fnd_keep(reader, (size_t)list->count, sizeof *steps);
    controller->builtin->steps = steps;
    if (!steps) return false;
    if (list->count == 0) {
        fnd_complain(reader, fnd_node_shown_location(list), FENDER_STATUS_ARGUMENT, "the sequence has no steps",
                     "an empty list", "one step or more", "write [{set: {OUTPUT: 1}, for: 2 s}]");
        return false;
    }
    for (fnd_node *node = list->first; node; node = node->next) {
        fnd_builtin_step *step = &steps[controller->builtin->step_count++];
        double *values = fnd_keep(reader, (size_t)controller->output_count, sizeof *values);
        if (!values || !fnd_expect_map(reader, node, "a step of the sequence") ||
            !fnd_check_keys(reader, node, "a step of the sequence", keys))
            return false;
        *step = (fnd_builtin_step){INFINITY, -1, INFINITY, -INFINITY, values};
        for (int i = 0; i < controller->output_count; i++) values[i] = NAN;
        fnd_node *set = fnd_node_find(node, "set"), *duration = fnd_node_find(node, "for"),
                 *until = fnd_node_find(node, "until");
        if (set && !read_values(reader, set, controller, values)) return false;
        if (duration && !fnd_read_number_from(reader, duration, "for", "s", 0, false, &step->duration)) return false;
        if (until && !read_until(reader, until, controller, step)) return false;
    }
    return true;
}

static void read_builtin(fnd_reader *reader, fnd_node *node, fnd_builtin_kind kind,
                         fnd_controller_description *controller)
{
    controller->builtin = fnd_keep(reader, 1, sizeof *controller->builtin);
    if (!controller->builtin) return;
    controller->builtin->kind = kind;
    controller->builtin->output_count = controller->output_count;
    controller->functions = fnd_builtin_controller(kind);
    if (controller->output_count == 0) {
        fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT, "the controller has no outputs",
                     "no `outputs`", "one or more", "write outputs: {throttle: loads.engine.throttle}");
        return;
    }
    if (kind == FND_BUILTIN_SEQUENCE) {
        if (fnd_expect_list(reader, node, "sequence")) (void)read_sequence(reader, node, controller);
        return;
    }
    if (!fnd_expect_map(reader, node, node->key)) return;
    if (kind == FND_BUILTIN_TABLE) (void)read_table(reader, node, controller);
    else if (kind == FND_BUILTIN_PD) (void)read_pd(reader, node, controller);
    else (void)read_phase_plane(reader, node, controller);
}

/* ---- where it comes from, and when it is sampled */

static void read_library(fnd_reader *reader, const fnd_node *node, fnd_controller_description *controller)
{
    fender_scenario *scenario = reader->scenario;
    const char *name = NULL, *real = NULL;
    fnd_plugin_file file;
    fender_error error = {0};
    void *handle = NULL;
    controller->origin = FND_CONTROLLER_LIBRARY;
    if (!fnd_read_text(reader, node, "library", &name) || !fnd_open_library(reader, node, name, &file, &real)) return;
    if (fnd_controller_load(&file, &controller->functions, &handle, &error) != FENDER_STATUS_OK) {
        fnd_diagnostic_add_error(reader->diagnostics, &error, &node->location);
        return;
    }
    scenario->libraries[scenario->library_count++] = handle;
}

/* Its bytes are kept with the texts of the scenario; a run unpacks them. */
static void read_fmu(fnd_reader *reader, const fnd_node *node, fnd_controller_description *controller)
{
    const char *name = NULL;
    controller->origin = FND_CONTROLLER_FMU;
    if (!fnd_read_text(reader, node, "fmu", &name)) return;
    char *path = fnd_source_resolve(reader, fnd_source_of(reader, &node->location), name);
    const fnd_source *source = path ? fnd_tree_read_bytes(reader, path, &node->location) : NULL;
    if (!source) return;
    controller->fmu = (fnd_named){name, node->location};
    controller->fmu_bytes = source->text;
    controller->fmu_length = source->length;
}

static void read_origin(fnd_reader *reader, fnd_node *node, fnd_controller_description *controller)
{
    fnd_node *found = NULL;
    int which = -1, count = 0;
    for (int i = 0; origins[i]; i++) {
        fnd_node *given = fnd_node_find(node, origins[i]);
        if (!given) continue;
        count++;
        found = given;
        which = i;
    }
    if (count != 1) {
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT,
                     count == 0 ? "the controller has no origin" : "the controller has more than one origin",
                     fnd_phrase_make("%d", count).text, fnd_join(origins).text,
                     count == 0 ? "write library: FILE.so, or a built-in such as pd: {..}" : "keep one of them");
        return;
    }
    controller->origin = FND_CONTROLLER_BUILTIN;
    if (which == 0) read_library(reader, found, controller);
    else if (which == 1) {
        controller->origin = FND_CONTROLLER_HOST;
        (void)fnd_read_text(reader, found, "host", &controller->host);
    } else if (which == 6) read_fmu(reader, found, controller);
    else read_builtin(reader, found, (fnd_builtin_kind)(which - 2), controller);
}

static void read_times(fnd_reader *reader, const fnd_node *node, fnd_controller_description *controller)
{
    const fnd_node *rate = fnd_node_find(node, "rate"), *period = fnd_node_find(node, "period"),
                   *phase = fnd_node_find(node, "phase");
    controller->rate = controller->period = 1;
    controller->by_rate = rate != NULL;
    if (!rate == !period) {
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT,
                     rate ? "the controller has both a rate and a period" : "the controller has no rate", "",
                     "one of rate and period", "write rate: 50 Hz, or period: 20 ms");
        return;
    }
    if (rate) (void)fnd_read_number_from(reader, rate, "rate", "1/s", 0, true, &controller->rate);
    else (void)fnd_read_number_from(reader, period, "period", "s", 0, true, &controller->period);
    if (rate) controller->period = 1 / controller->rate;
    if (phase) (void)fnd_read_number_from(reader, phase, "phase", "s", 0, false, &controller->phase);
}

static void read_controller(fnd_reader *reader, fnd_node *node, fnd_controller_description *controller)
{
    static const char *const keys[] = {"fmu",         "library",  "host",    "table",      "pd",
                                       "phase_plane", "sequence", "rate",    "period",     "phase",
                                       "seed",        "inputs",   "outputs", "parameters", NULL};
    if (!fnd_expect_map(reader, node, node->key)) return;
    const bool known = fnd_check_keys(reader, node, "a controller", keys);
    const fnd_node *seed = fnd_node_find(node, "seed");
    read_inputs(reader, fnd_node_find(node, "inputs"), controller);
    read_outputs(reader, fnd_node_find(node, "outputs"), controller);
    read_parameters(reader, fnd_node_find(node, "parameters"), controller);
    if (seed) (void)fnd_read_integer(reader, seed, "seed", 0, 2000000000, &controller->seed);
    read_times(reader, node, controller);
    if (known) read_origin(reader, node, controller);
}

void fnd_read_controllers(fnd_reader *reader, fnd_node *section)
{
    fender_scenario *scenario = reader->scenario;
    scenario->controllers = fnd_keep_section(reader, section, "controllers", sizeof *scenario->controllers);
    if (!scenario->controllers) return;
    scenario->libraries = fnd_keep(reader, (size_t)section->count, sizeof(void *));
    if (!scenario->libraries) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_controller_description *controller = &scenario->controllers[scenario->controller_count++];
        controller->id = fnd_read_name(reader, node, "a controller");
        read_controller(reader, node, controller);
    }
}
