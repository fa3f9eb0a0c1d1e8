/* `fender size`: parameters of a contact from what is wanted of it. */
#include "describe.h"
#include "size.h"
#include "support/io_error.h"
#include "support/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void fnd_size_text(const fnd_size *size);
static void fnd_size_json(const fnd_size *size);

/* ---- what was found */

/* "label   value   remark" */
static void put_row(fnd_app_stream *to, const char *label, const char *value, const char *remark)
{
    fnd_app_print(to, " %s", label);
    fnd_app_put_padding(to, strlen(label) + 1, 24);
    fnd_app_put(to, value);
    if (remark[0]) fnd_app_put_padding(to, strlen(value) + 24, 44);
    fnd_app_print(to, "%s\n", remark);
}

static void put_quantity(fnd_app_stream *to, const char *label, double value, const char *unit, const char *remark)
{
    char text[FND_APP_NUMBER_SIZE];
    if (isnan(value)) return;
    put_row(to, label, strcmp(unit, "1") == 0 ? fnd_app_number(text, value) : fnd_app_quantity(text, value, unit),
            remark);
}

static void put_duration(fnd_app_stream *to, const char *label, double value, const char *remark)
{
    char text[FND_APP_NUMBER_SIZE];
    if (isnan(value)) return;
    put_row(to, label, isinf(value) ? "any" : fnd_app_duration(text, value), remark);
}

/* Nine digits: more than any figure of a contact is known to. */
static void put_parameter(fnd_app_stream *to, const char *name, double value, const char *unit)
{
    char text[FND_NUMBER_SIZE];
    fnd_number_format_digits(value, 9, text, sizeof text);
    fnd_app_print(to, "    %s: %s %s\n", name, text, unit);
}

/* What is not sized and differs from the default of the law. */
static bool is_other(const fnd_size *size, const fender_field *field)
{
    double value = fender_field_get(field, size->parameters, 0);
    return strcmp(field->name, size->stiffness_name) != 0 && strcmp(field->name, size->damping_name) != 0 &&
           fender_field_component_count(field) == 1 && !isnan(value) && value != field->initial;
}

static void put_others(const fnd_size *size)
{
    fnd_app_stream *to = &size->app->out;
    for (int i = 0; i < size->law->parameters.count; i++) {
        const fender_field *field = fender_field_at(&size->law->parameters, i);
        if (!is_other(size, field)) continue;
        fnd_app_print(to, "    %s: ", field->name);
        fnd_app_put_value(to, &size->law->parameters, field, size->parameters);
        fnd_app_put(to, "\n");
    }
}

/* The recommended step rounded down to two digits. */
static double rounded(double step)
{
    double unit = 1;
    if (!(step > 0) || isinf(step)) return step;
    while (unit > step) unit /= 10;
    while (unit * 10 <= step) unit *= 10;
    return floor(step / unit * 10) * unit / 10;
}

/* The residual of a run with that step, which is that of an impact: an energy is off by twice as much as its speed, and
 * the error itself by half as much again. NaN: the default bound holds. */
static double residual_bound(const fnd_size *size)
{
    const double bound = 3 * (isnan(size->input.error) ? FND_SIZE_ERROR : size->input.error);
    return isfinite(size->figures.good_step) && bound > 2e-3 ? bound : (double)NAN;
}

static const char *step_remark(const fnd_size *size)
{
    if (isinf(size->figures.good_step)) return "the method chooses its own";
    return size->located ? "to paste as integrator.step, with locate_events" : "to paste as integrator.step";
}

static void fnd_size_text(const fnd_size *size)
{
    fnd_app_stream *to = &size->app->out;
    char text[FND_APP_NUMBER_SIZE], other[FND_APP_NUMBER_SIZE];
    if (!size->app->quiet) {
        fnd_app_print(to, "a contact by %s", size->law->name);
        if (!isnan(size->mass)) fnd_app_print(to, " of %s", fnd_app_quantity(text, size->mass, "kg"));
        if (!isnan(size->weight)) fnd_app_print(to, " that carries %s", fnd_app_quantity(other, size->weight, "N"));
        fnd_app_put(to, "\n\n");
        put_quantity(to, size->stiffness_name, size->stiffness, size->stiffness_unit, size->stiffness_relation);
        put_quantity(to, size->damping_name, size->damping, size->damping_unit, size->damping_relation);
        put_quantity(to, "damping ratio", size->figures.damping_ratio, "1", "");
        put_quantity(to, "restitution", size->figures.restitution, "1",
                     size->any       ? "by the impact of the law"
                     : size->power   ? "at that speed"
                     : size->clipped ? "the force never attracts"
                                     : "the force may attract");
        put_quantity(to, "sink at rest", size->figures.static_sink, "m", "");
        put_quantity(to, "natural frequency", size->figures.natural_frequency, "Hz",
                     size->power ? "at the deepest point" : "");
        put_duration(to, "force duration", size->figures.contact_time,
                     size->power && !size->any ? "without damping" : "");
        put_duration(to, "contact time", size->contact_time, "until the shapes part, as a run has it");
        put_quantity(to, "deepest", size->figures.peak_depth, "m", "");
        put_quantity(to, "largest force", size->figures.peak_force, "N", "");
        put_duration(to, "largest stable step", size->figures.largest_step, fender_integrator_name(size->method));
        put_duration(to, "step", rounded(size->figures.good_step), step_remark(size));
        put_quantity(to, "residual bound", residual_bound(size), "1",
                     "to paste as run.residual_bound; --error 5e-4 keeps the default");
        if (isnan(size->figures.natural_frequency) && !size->any)
            fnd_app_print(to, " frequency and step need %s\n",
                          isnan(size->mass) ? "'--mass'" : "'--speed', because the stiffness grows with the depth");
        fnd_app_put(to, "\n");
    }
    fnd_app_print(to, "contact_types:\n  sized:\n    law: %s\n", size->law->name);
    put_parameter(to, size->stiffness_name, size->stiffness, size->stiffness_unit);
    if (size->any) put_others(size);
    if (size->damping > 0) put_parameter(to, size->damping_name, size->damping, size->damping_unit);
}

/* The same as numbers, or their units. */
static void json_others(fnd_app_json *json, const fnd_size *size, bool units)
{
    char unit[64];
    for (int i = 0; size->any && i < size->law->parameters.count; i++) {
        const fender_field *field = fender_field_at(&size->law->parameters, i);
        if (!is_other(size, field)) continue;
        fnd_size_unit(size->law, field, size->parameters, unit, sizeof unit);
        if (units) fnd_app_json_text(json, field->name, unit);
        else fnd_app_json_number(json, field->name, fender_field_get(field, size->parameters, 0));
    }
}

static void fnd_size_json(const fnd_size *size)
{
    fnd_app_json json;
    fnd_app_json_open(&json, &size->app->out);
    fnd_app_json_object(&json, NULL);
    fnd_app_json_text(&json, "law", size->law->name);
    fnd_app_json_number(&json, "mass", size->mass);
    fnd_app_json_number(&json, "weight", size->weight);
    fnd_app_json_object(&json, "parameters");
    fnd_app_json_number(&json, size->stiffness_name, size->stiffness);
    if (size->damping_name[0]) fnd_app_json_number(&json, size->damping_name, size->damping);
    json_others(&json, size, false);
    fnd_app_json_end(&json);
    fnd_app_json_object(&json, "units");
    fnd_app_json_text(&json, size->stiffness_name, size->stiffness_unit);
    if (size->damping_name[0]) fnd_app_json_text(&json, size->damping_name, size->damping_unit);
    json_others(&json, size, true);
    fnd_app_json_end(&json);
    fnd_app_json_number(&json, "damping_ratio", size->figures.damping_ratio);
    fnd_app_json_number(&json, "restitution", size->figures.restitution);
    fnd_app_json_number(&json, "static_sink", size->figures.static_sink);
    fnd_app_json_number(&json, "natural_frequency", size->figures.natural_frequency);
    fnd_app_json_number(&json, "force_duration", size->figures.contact_time);
    fnd_app_json_number(&json, "contact_time", size->contact_time);
    fnd_app_json_number(&json, "peak_depth", size->figures.peak_depth);
    fnd_app_json_number(&json, "peak_force", size->figures.peak_force);
    fnd_app_json_text(&json, "method", fender_integrator_name(size->method));
    fnd_app_json_number(&json, "largest_stable_step", size->figures.largest_step);
    fnd_app_json_number(&json, "step", rounded(size->figures.good_step));
    fnd_app_json_number(&json, "residual_bound", residual_bound(size));
    fnd_app_json_end(&json);
}

/* ---- the command */

static const fnd_app_option options[] = {
    {"--mass", "M", "mass of the vehicle [kg]; of two free bodies the reduced mass"},
    {"--legs", "N", "contacts that share mass and weight (default: 1)"},
    {"--gravity", "G", "gravity that gives the weight of the mass (default: 9.80665 m/s^2)"},
    {"--weight", "W", "load of one contact [N], instead of its mass times gravity"},
    {"--sink", "H", "stiffness: depth to which a contact sinks under its weight [m]"},
    {"--young", "E", "stiffness: Young's modulus [Pa], with --poisson and --radius [m]"},
    {"--poisson", "NU", "Poisson's ratio"},
    {"--radius", "R", "radius of the round body [m]"},
    {"--other-young", "E", "of the other body (default: rigid)"},
    {"--other-poisson", "NU", "of the other body"},
    {"--other-radius", "R", "of the other body, negative if concave (default: flat)"},
    {"--stiffness", "K", "stiffness itself [N/m]"},
    {"--ratio", "D", "damping: fraction of critical damping"},
    {"--restitution", "E", "damping: coefficient of restitution of an impact"},
    {"--depth", "D", "stiffness: deepest point of an impact [m], with --mass and --speed"},
    {"--force", "F", "stiffness: largest force of an impact [N]"},
    {"--time", "T", "stiffness: duration of the force of an impact [s]"},
    {"--set", "NAME=VALUE", "another parameter of the law; may be repeated"},
    {"--damping", "C", "damping itself [N*s/m; s/m for hunt_crossley]"},
    {"--speed", "V", "speed of an impact [m/s]"},
    {"--law", "spring_damper|jeod_spring|hunt_crossley", "or any other normal law (default: spring_damper)"},
    {"--method", "METHOD", "integrator that the step is for (default: rk4)"},
    {"--located", NULL, "the step is for located events"},
    {"--error", "R", "allowed relative error of an impact due to the step (default: 0.01)"},
};

/* Where the value of an option goes, its SI unit and its range. */
static const struct {
    const char *name, *unit;
    size_t offset;
    double minimum, maximum;
    bool above;
} quantities[] = {
    {"--mass", "kg", offsetof(fnd_size_input, mass), 0, INFINITY, true},
    {"--legs", "1", offsetof(fnd_size_input, legs), 1, 1e6, false},
    {"--gravity", "m/s^2", offsetof(fnd_size_input, gravity), 0, INFINITY, true},
    {"--weight", "N", offsetof(fnd_size_input, weight), 0, INFINITY, true},
    {"--sink", "m", offsetof(fnd_size_input, sink), 0, INFINITY, true},
    {"--young", "Pa", offsetof(fnd_size_input, young), 0, INFINITY, true},
    {"--poisson", "1", offsetof(fnd_size_input, poisson), -1, 0.5, false},
    {"--radius", "m", offsetof(fnd_size_input, radius), 0, INFINITY, true},
    {"--other-young", "Pa", offsetof(fnd_size_input, other_young), 0, INFINITY, true},
    {"--other-poisson", "1", offsetof(fnd_size_input, other_poisson), -1, 0.5, false},
    {"--other-radius", "m", offsetof(fnd_size_input, other_radius), -INFINITY, INFINITY, true},
    {"--stiffness", NULL, offsetof(fnd_size_input, stiffness), 0, INFINITY, true},
    {"--ratio", "1", offsetof(fnd_size_input, ratio), 0, INFINITY, false},
    {"--restitution", "1", offsetof(fnd_size_input, restitution), 0, 1, true},
    {"--damping", NULL, offsetof(fnd_size_input, damping), 0, INFINITY, false},
    {"--speed", "m/s", offsetof(fnd_size_input, speed), 0, INFINITY, true},
    {"--error", "1", offsetof(fnd_size_input, error), 0, 1, true},
    {"--depth", "m", offsetof(fnd_size_input, depth), 0, INFINITY, true},
    {"--force", "N", offsetof(fnd_size_input, force), 0, INFINITY, true},
    {"--time", "s", offsetof(fnd_size_input, time), 0, INFINITY, true},
};
enum { QUANTITIES = sizeof quantities / sizeof quantities[0] };

/* ---- the command line */

static int read_law(fnd_size *size, const char *name)
{
    static const char *const names[] = {"spring_damper", "jeod_spring", "hunt_crossley"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) != 0) continue;
        size->law = fender_law_find(NULL, name);
        size->power = i == 2;
        size->clipped = i != 1;
        size->exponent = i == 2 ? 1.5 : 1;
        size->stiffness_name = "stiffness";
        size->stiffness_unit = i == 2 ? "N/m^1.5" : "N/m";
        size->damping_name = i == 2 ? "dissipation" : "damping";
        size->damping_unit = i == 2 ? "s/m" : "N*s/m";
        return FND_APP_OK;
    }
    return fnd_size_any_law(size, name);
}

static int read_method(fnd_size *size, const char *name)
{
    char message[160];
    for (int i = 0; i <= FENDER_INTEGRATOR_CVODE_BDF; i++) {
        const char *known = fender_integrator_name((fender_integrator_method)i);
        if (known == NULL || strcmp(known, name) != 0) continue;
        size->method = (fender_integrator_method)i;
        return FND_APP_OK;
    }
    snprintf(message, sizeof message, "no integrator is named '%.60s'", name);
    return fnd_app_usage(size->app, message, "`fender info integrators` lists them");
}

static int read_quantity(fnd_size *size, int index, const fnd_app_given *given)
{
    const char *unit = quantities[index].unit, *name = quantities[index].name;
    char text[160], message[400], suggestion[360];
    double value = 0;
    fender_error error = {0};
    if (unit == NULL) unit = strcmp(name, "--damping") == 0 ? size->damping_unit : size->stiffness_unit;
    snprintf(text, sizeof text, "%.100s%s%.40s", given->value, given->unit != NULL ? " " : "",
             given->unit != NULL ? given->unit : "");
    if (fender_quantity_parse(text, strlen(text), unit, &value, &error) != FENDER_STATUS_OK) {
        snprintf(message, sizeof message, "'%s %.100s': %.240s", name, text, error.message);
        if (error.suggestion[0]) snprintf(suggestion, sizeof suggestion, "%.300s", error.suggestion);
        else snprintf(suggestion, sizeof suggestion, "expected %.240s", error.expected);
        return fnd_app_usage(size->app, message, suggestion);
    }
    bool low = quantities[index].above ? !(value > quantities[index].minimum) : !(value >= quantities[index].minimum);
    if (low || !(value <= quantities[index].maximum)) {
        char bound[FND_APP_NUMBER_SIZE];
        fnd_app_quantity(bound, low ? quantities[index].minimum : quantities[index].maximum, unit);
        snprintf(message, sizeof message, "'%s' must be %s %s, not %.60s", name,
                 !low                      ? "at most"
                 : quantities[index].above ? "more than"
                                           : "at least",
                 bound, text);
        return fnd_app_usage(size->app, message, "");
    }
    *(double *)(void *)((char *)&size->input + quantities[index].offset) = value;
    return FND_APP_OK;
}

static int read_options(fnd_size *size)
{
    fnd_app *app = size->app;
    const char *law = fnd_app_option_value(app, "--law"), *method = fnd_app_option_value(app, "--method");
    int code = read_law(size, law != NULL ? law : "spring_damper");
    for (int i = 0; i < QUANTITIES; i++) *(double *)(void *)((char *)&size->input + quantities[i].offset) = NAN;
    if (code == FND_APP_OK && method != NULL) code = read_method(size, method);
    size->located = fnd_app_option_value(app, "--located") != NULL;
    for (int i = 0; i < app->given_count && code == FND_APP_OK; i++) {
        const char *name = app->command->options[app->given[i].option].name;
        bool found = false;
        for (int k = 0; k < QUANTITIES && code == FND_APP_OK; k++) {
            if (strcmp(quantities[k].name, name) != 0) continue;
            code = read_quantity(size, k, &app->given[i]);
            found = true;
        }
        if (!found && app->given[i].unit != NULL && strcmp(name, "--set") != 0) {
            char message[160];
            snprintf(message, sizeof message, "'%s' takes one word; '%.60s' is one too many", name, app->given[i].unit);
            code = fnd_app_usage(app, message, "");
        }
    }
    return code;
}

/* ---- sizing */

static int needs(fnd_size *size, const char *what, const char *missing, const char *suggestion)
{
    char message[200];
    snprintf(message, sizeof message, "%s needs '%s'", what, missing);
    return fnd_app_usage(size->app, message, suggestion);
}

static bool given(double value) { return !isnan(value); }

/* Exactly one of the ways, or at most one when `may_miss`; names: of their options. */
static int check_one(fnd_size *size, const char *what, const double *ways, const char *const *names, int count,
                     bool may_miss)
{
    char message[200], suggestion[200];
    int found = 0;
    const char *both[2] = {"", ""};
    for (int i = 0; i < count; i++)
        if (given(ways[i])) both[found++ < 1 ? 0 : 1] = names[i];
    if (found == 1 || (found == 0 && may_miss)) return FND_APP_OK;
    if (found > 1) snprintf(message, sizeof message, "'%s' and '%s' both define the %s", both[0], both[1], what);
    else snprintf(message, sizeof message, "nothing says the %s", what);
    snprintf(suggestion, sizeof suggestion, found > 1 ? "omit one of them" : "give one of %s, %s, %s", names[0],
             names[1], names[2]);
    return fnd_app_usage(size->app, message, suggestion);
}

static int derive(fnd_size *size, void *parameters, const char *name, const fender_sizing_spec *wanted, double *value,
                  const char **relation)
{
    fender_error error = {0};
    const fender_derivation *row = NULL;
    if (fender_law_derive(size->law, parameters, name, wanted, value, &row, &error) != FENDER_STATUS_OK) {
        static const char *const members[][2] = {{"mass", "--mass"},
                                                 {"weight", "--weight"},
                                                 {"speed", "--speed"},
                                                 {"radius", "--radius"},
                                                 {"restitution", "--restitution"}};
        for (int i = 0; i < 5; i++)
            if (strcmp(error.path, members[i][0]) == 0)
                return needs(size, name, members[i][1], strcmp(error.path, "weight") == 0 ? "or '--mass'" : "");
        return fnd_app_usage(size->app, error.message, error.suggestion);
    }
    *relation = row->doc;
    return FND_APP_OK;
}

static int find_stiffness(fnd_size *size, void *parameters)
{
    const fnd_size_input *in = &size->input;
    static const char *const names[] = {"--sink", "--young", "--stiffness"};
    const double ways[] = {in->sink, in->young, in->stiffness};
    fender_sizing_spec wanted = fender_sizing_spec_none();
    int code = check_one(size, "stiffness", ways, names, 3, false);
    if (code != FND_APP_OK) return code;
    size->stiffness = in->stiffness;
    if (given(in->sink)) {
        wanted.sink = in->sink;
        wanted.weight = size->weight;
    } else if (given(in->young)) {
        if (!given(in->poisson)) return needs(size, "'--young'", "--poisson", "0.3 is usual for metals");
        if (!given(in->radius)) return needs(size, "'--young'", "--radius", "");
        if (given(in->other_young) != given(in->other_poisson))
            return needs(size, "the other body", given(in->other_young) ? "--other-poisson" : "--other-young", "");
        wanted.modulus = fender_hertz_modulus(in->young, in->poisson,
                                              given(in->other_young) ? in->other_young : INFINITY,
                                              given(in->other_poisson) ? in->other_poisson : 0);
        wanted.radius = fender_hertz_radius(in->radius, given(in->other_radius) ? in->other_radius : INFINITY);
        if (!given(wanted.radius))
            return fnd_app_usage(size->app, "a concave surface of that radius is narrower than the body",
                                 "--other-radius -R, R "
                                 "larger than --radius");
        if (!size->power && given(in->speed)) {
            wanted.mass = size->mass;
            wanted.speed = in->speed;
        } else if (!size->power) {
            wanted.weight = size->weight;
        }
    }
    if (!given(in->stiffness))
        code = derive(size, parameters, "stiffness", &wanted, &size->stiffness, &size->stiffness_relation);
    return code;
}

static int find_damping(fnd_size *size, void *parameters)
{
    const fnd_size_input *in = &size->input;
    static const char *const names[] = {"--ratio", "--restitution", "--damping"};
    const double ways[] = {in->ratio, in->restitution, in->damping};
    fender_sizing_spec wanted = fender_sizing_spec_none();
    int code = check_one(size, "damping", ways, names, 3, true);
    if (code != FND_APP_OK) return code;
    size->damping = given(in->damping) ? in->damping : 0;
    wanted.ratio = in->ratio;
    wanted.restitution = in->restitution;
    if (size->power) wanted.speed = in->speed;
    else wanted.mass = size->mass;
    if (given(in->ratio) || given(in->restitution))
        code = derive(size, parameters, size->damping_name, &wanted, &size->damping, &size->damping_relation);
    return code;
}

static void find_figures(fnd_size *size)
{
    const fender_contact_sizing sizing = {.power = size->power,
                                          .clipped = size->clipped,
                                          .exponent = size->exponent,
                                          .stiffness = size->stiffness,
                                          .damping = size->damping,
                                          .mass = size->mass,
                                          .weight = size->weight,
                                          .speed = size->input.speed,
                                          .method = size->method,
                                          .located = size->located,
                                          .error = size->input.error};
    size->figures = fender_contact_figures_of(&sizing);
    size->contact_time = NAN;
    if (!size->power)
        size->contact_time = size->figures.contact_time + (size->clipped ? size->damping / size->stiffness : 0);
}

static int execute(fnd_app *app)
{
    fnd_size size = {.app = app, .stiffness_relation = "", .damping_relation = ""};
    int code = read_options(&size);
    if (code != FND_APP_OK) return code;
    const fnd_size_input *in = &size.input;
    if (given(in->legs) && in->legs != floor(in->legs))
        return fnd_app_usage(app, "'--legs' must be a whole number", "");
    size.mass = in->mass / (given(in->legs) ? in->legs : 1);
    size.weight = given(in->weight) ? in->weight : size.mass * (given(in->gravity) ? in->gravity : 9.80665);
    void *parameters = fnd_app_allocate(app, size.law->parameters.size);
    if (parameters == NULL) return fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory for parameters", "");
    (void)fender_field_initialize(&size.law->parameters, parameters, size.law->parameters.size, NULL);
    size.parameters = parameters;
    size.any = size.any || given(in->depth) || given(in->force) || given(in->time) ||
               fnd_app_option_value(app, "--set") != NULL;
    if (size.any) {
        code = fnd_size_any_set(&size, parameters);
        if (code == FND_APP_OK) code = fnd_size_any(&size, parameters);
    } else code = find_stiffness(&size, parameters);
    if (code == FND_APP_OK && !size.any) {
        fender_field_set(fender_field_find(&size.law->parameters, "stiffness"), parameters, 0, size.stiffness);
        code = find_damping(&size, parameters);
    }
    if (code == FND_APP_OK) {
        if (!size.any) find_figures(&size);
        if (app->json) fnd_size_json(&size);
        else fnd_size_text(&size);
    }
    fnd_app_release(app, parameters, size.law->parameters.size);
    return code;
}

const fnd_app_command fnd_app_command_size = {
    .group = "Understand",
    .name = "size",
    .arguments = "",
    .summary = "compute stiffness, damping and step from design targets",
    .purpose = "compute stiffness, damping and step of a contact from design targets",
    .details =
        "One of --sink, --young, --stiffness, --depth, --force, --time defines the stiffness; one of --ratio,\n"
        "--restitution, --damping the damping (none: no damping). Laws without a closed form are followed through an\n"
        "impact. Numbers may carry a unit: 2cm, 2 cm, '20 lbf/in'. The manual documents the equations\n"
        "(models/sizing.md). The printed contact type can be pasted into a scenario.\n",
    .example = "  fender size --mass 1553 kg --legs 4 --sink 2 cm --ratio 0.1\n"
               "  fender size --mass 50 kg --stiffness 1e5 --restitution 0.7 --speed 2 m/s --method velocity_verlet\n"
               "  fender size --law hunt_crossley --mass 2 kg --young 70 GPa --poisson 0.33 --radius 5 cm\n"
               "              --restitution 0.8 --speed 3 m/s",
    .files = "",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .quantities = true,
    .execute = execute,
};
