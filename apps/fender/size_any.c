/* `fender size` for laws without a closed form: an impact of the law is followed, and its parameters are bracketed. */
#include "size.h"
#include "support/io_error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static bool given(double value) { return !isnan(value); }

/* The parameter that a row of the law derives from these members; NULL: none. `not`: another one. */
static const char *derived_from(const fender_law *law, const char *member, const char *not_this)
{
    for (const fender_derivation *row = law->derivations; row && row->parameter; row++)
        if (strstr(row->from, member) && (!not_this || strcmp(row->parameter, not_this) != 0)) return row->parameter;
    return NULL;
}

static bool is_sized(const fender_law *law)
{
    return (law->kinds & (FENDER_LAW_WHOLE | FENDER_LAW_NORMAL)) && derived_from(law, "sink weight", NULL);
}

void fnd_size_unit(const fender_law *law, const fender_field *field, const void *parameters, char *text, size_t size)
{
    const char *open = strchr(field->unit, '{'), *close = open ? strchr(open, '}') : NULL;
    char name[48];
    snprintf(text, size, "%s", field->unit);
    if (!close || !parameters) return;
    snprintf(name, sizeof name, "%.*s", (int)(close - open - 1), open + 1);
    const fender_field *other = fender_field_find(&law->parameters, name);
    if (other)
        snprintf(text, size, "%.*s%g%s", (int)(open - field->unit), field->unit, fender_field_get(other, parameters, 0),
                 close + 1);
}

int fnd_size_any_law(fnd_size *size, const char *name)
{
    char message[160], suggestion[400] = "laws that can be sized: ";
    size_t used = strlen(suggestion);
    fnd_nearest search = fnd_nearest_begin(name, strlen(name));
    const fender_law *law;
    for (int i = 0; (law = fender_law_at(NULL, i)) != NULL; i++) {
        if (!is_sized(law)) continue;
        fnd_nearest_offer(&search, law->name);
        if (used < sizeof suggestion)
            used += (size_t)snprintf(suggestion + used, sizeof suggestion - used, "%s%s",
                                     used > strlen("laws that can be sized: ") ? ", " : "", law->name);
        if (strcmp(law->name, name) != 0) continue;
        size->law = law;
        size->any = size->clipped = true;
        size->exponent = NAN;
        size->stiffness_name = derived_from(law, "sink weight", NULL);
        size->damping_name = derived_from(law, "restitution", size->stiffness_name);
        if (!size->damping_name) size->damping_name = "";
        size->stiffness_unit = fender_field_find(&law->parameters, size->stiffness_name)->unit;
        if (strchr(size->stiffness_unit, '{')) size->stiffness_unit = "N/m^1.5"; /* of `impact`, as it begins */
        const fender_field *damping = fender_field_find(&law->parameters, size->damping_name);
        size->damping_unit = damping ? damping->unit : "1";
        return FND_APP_OK;
    }
    snprintf(message, sizeof message, "'--law' cannot be '%.60s' here", name);
    if (search.best) snprintf(suggestion, sizeof suggestion, "did you mean '%s'?", search.best);
    return fnd_app_usage(size->app, message, suggestion);
}

static int set_one(fnd_size *size, void *parameters, const fnd_app_given *option)
{
    char name[64], text[160], message[400], unit[64];
    const char *equals = strchr(option->value, '=');
    double value = 0;
    fender_error error = {0};
    if (!equals) return fnd_app_usage(size->app, "'--set' takes NAME=VALUE", "--set work='0.05 J/m^2'");
    snprintf(name, sizeof name, "%.*s", (int)(equals - option->value), option->value);
    const fender_field *field = fender_field_find(&size->law->parameters, name);
    if (!field || fender_field_component_count(field) != 1 || field->type != FENDER_FIELD_REAL) {
        snprintf(message, sizeof message, "law '%.60s' has no number '%.60s'", size->law->name, name);
        snprintf(text, sizeof text, "`fender info laws %.60s` lists its parameters", size->law->name);
        return fnd_app_usage(size->app, message, text);
    }
    fnd_size_unit(size->law, field, parameters, unit, sizeof unit);
    snprintf(text, sizeof text, "%.100s%s%.40s", equals + 1, option->unit ? " " : "", option->unit ? option->unit : "");
    if (fender_quantity_parse(text, strlen(text), unit, &value, &error) != FENDER_STATUS_OK) {
        snprintf(message, sizeof message, "'--set %.60s=%.100s': %.200s", name, text, error.message);
        return fnd_app_usage(size->app, message, error.suggestion[0] ? error.suggestion : error.expected);
    }
    if (!(value >= field->minimum) || !(value <= field->maximum)) {
        snprintf(message, sizeof message, "'%.60s' of law '%.60s' cannot be %.100s", name, size->law->name, text);
        snprintf(text, sizeof text, "`fender info laws %.60s` lists the ranges", size->law->name);
        return fnd_app_usage(size->app, message, text);
    }
    fender_field_set(field, parameters, 0, value);
    return FND_APP_OK;
}

/* In the order of the parameters: the unit of one may hold the value of another, which comes first. */
int fnd_size_any_set(fnd_size *size, void *parameters)
{
    const fnd_app *app = size->app;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < app->given_count; i++) {
            if (strcmp(app->command->options[app->given[i].option].name, "--set") != 0) continue;
            if ((strncmp(app->given[i].value, "exponent=", 9) == 0) != (pass == 0)) continue;
            int code = set_one(size, parameters, &app->given[i]);
            if (code != FND_APP_OK) return code;
        }
    const fender_field *radius = fender_field_find(&size->law->parameters, "radius");
    const fnd_size_input *in = &size->input;
    if (radius && given(in->radius)) {
        double value = fender_hertz_radius(in->radius, given(in->other_radius) ? in->other_radius : INFINITY);
        fender_field_set(radius, parameters, 0, value);
    }
    return FND_APP_OK;
}

static int needs(fnd_size *size, const char *what, const char *missing)
{
    char message[300];
    snprintf(message, sizeof message, "%s needs '%s'", what, missing);
    return fnd_app_usage(size->app, message, "");
}

/* Is the parameter given by `--set`? */
static bool is_set(const fnd_app *app, const char *name)
{
    size_t length = strlen(name);
    for (int i = 0; i < app->given_count; i++)
        if (strcmp(app->command->options[app->given[i].option].name, "--set") == 0 &&
            strncmp(app->given[i].value, name, length) == 0 && app->given[i].value[length] == '=')
            return true;
    return false;
}

/* Every required parameter but those that are sized. */
static int check_required(fnd_size *size, const void *parameters)
{
    for (int i = 0; i < size->law->parameters.count; i++) {
        const fender_field *field = fender_field_at(&size->law->parameters, i);
        if (!(field->flags & FENDER_FIELD_REQUIRED) || is_set(size->app, field->name)) continue;
        if (strcmp(field->name, size->stiffness_name) == 0) continue;
        char what[100], option[100];
        snprintf(what, sizeof what, "law '%.60s'", size->law->name);
        snprintf(option, sizeof option, "--set %.60s=VALUE", field->name);
        return needs(size, what, option);
    }
    const fender_field *radius = fender_field_find(&size->law->parameters, "radius");
    if (radius && !(fender_field_get(radius, parameters, 0) > 0)) return needs(size, "the law", "--radius");
    return FND_APP_OK;
}

/* s; the damper [N s/m] of the deepest point is in the motion that the step follows, that of the touch jumps within a
 * step. NaN without a frequency. */
static double step_of(const fnd_size *size, double damping, double onset)
{
    const double omega = 2 * pi * size->figures.natural_frequency, stiffness = size->mass * omega * omega;
    const double error = given(size->input.error) ? size->input.error : FND_SIZE_ERROR;
    const double at_touch = fender_damping_ratio(onset, size->mass, stiffness);
    const double deepest = fender_damping_ratio(damping, size->mass, stiffness);
    if (isnan(omega)) return NAN;
    return fmin(fender_integrator_sized_step(size->method, omega, at_touch, size->located, error),
                fender_integrator_sized_step(size->method, omega, deepest, true, error));
}

/* Of the elastic part at the deepest point, and of the damper: what a step must follow. */
static void find_figures(fnd_size *size, const void *parameters, const fender_impact *impact)
{
    const fender_law *law = size->law;
    double depth = impact ? impact->peak_depth : (double)NAN, near = depth * (1 - 1e-5);
    double tangent = (fender_law_force_at(law, parameters, depth) - fender_law_force_at(law, parameters, near)) /
                     (depth - near);
    if (impact && impact->unloading > tangent) tangent = impact->unloading; /* laws that yield */
    const double damping = impact && impact->damping > 0 ? impact->damping : 0;
    const double onset = impact && impact->onset > 0 ? impact->onset : 0;
    const fender_contact_sizing sizing = {.clipped = true,
                                          .exponent = 1,
                                          .stiffness = tangent > 0 ? tangent : (double)NAN,
                                          .damping = damping,
                                          .mass = size->mass,
                                          .weight = NAN,
                                          .speed = NAN,
                                          .method = size->method,
                                          .located = size->located,
                                          .error = size->input.error};
    size->figures = fender_contact_figures_of(&sizing);
    size->figures.good_step = step_of(size, damping, onset);
    size->figures.damping_ratio = NAN;
    size->figures.static_sink = given(size->input.sink) ? size->input.sink : (double)NAN;
    size->figures.restitution = impact ? impact->restitution : (double)NAN;
    size->figures.contact_time = impact ? impact->duration : (double)NAN;
    size->contact_time = impact ? impact->contact : (double)NAN;
    size->figures.peak_depth = depth;
    size->figures.peak_force = impact ? impact->peak_force : (double)NAN;
}

/* What stiffness and damping are to reach; names the options that are one too many, or missing. */
static int read_targets(fnd_size *size, void *parameters, fender_impact *wanted)
{
    const fnd_size_input *in = &size->input;
    const double ways[] = {in->sink, in->young, in->stiffness, in->depth, in->force, in->time};
    static const char *const names[] = {"--sink", "--young", "--stiffness", "--depth", "--force", "--time"};
    int found = 0, which = 0;
    for (int i = 0; i < 6; i++)
        if (given(ways[i])) found++, which = i;
    const fender_field *stiffness = fender_field_find(&size->law->parameters, size->stiffness_name);
    const fender_field *damping = fender_field_find(&size->law->parameters, size->damping_name);
    bool set = is_set(size->app, size->stiffness_name);
    if (found > 1) return fnd_app_usage(size->app, "two options define the stiffness", "omit one of them");
    if (found == 0 && !set)
        return fnd_app_usage(size->app, "nothing says the stiffness",
                             "give one of --sink, --young, --stiffness, --depth, --force, --time");
    if (found == 1 && set) return fnd_app_usage(size->app, "'--set' and an option both define the stiffness", "");
    *wanted = (fender_impact){
        in->restitution, in->time, given(in->sink) ? in->sink : in->depth, in->force, NAN, NAN, NAN, NAN};
    size->stiffness_relation = found == 1 ? names[which] : "";
    if (given(in->sink) && isnan(size->weight)) return needs(size, "'--sink'", "--weight' or '--mass");
    if (which > 2 && found && isnan(size->mass)) return needs(size, names[which], "--mass");
    if (which > 2 && found && isnan(in->speed)) return needs(size, names[which], "--speed");
    if (given(in->stiffness)) fender_field_set(stiffness, parameters, 0, in->stiffness);
    if (given(in->young)) {
        if (strcmp(size->stiffness_name, "modulus") != 0)
            return fnd_app_usage(size->app, "the law has no modulus", "give its stiffness: --depth, --force, --sink");
        if (!given(in->poisson)) return needs(size, "'--young'", "--poisson");
        double other = given(in->other_young) ? in->other_young : INFINITY;
        double poisson = given(in->other_poisson) ? in->other_poisson : 0;
        fender_field_set(stiffness, parameters, 0, fender_hertz_modulus(in->young, in->poisson, other, poisson));
    }
    if (given(in->ratio))
        return fnd_app_usage(size->app, "'--ratio' has no meaning for this law here", "give --restitution");
    if (given(in->restitution) && given(in->damping))
        return fnd_app_usage(size->app, "'--restitution' and '--damping' both define the damping", "omit one of them");
    if ((given(in->restitution) || given(in->damping)) && !damping)
        return fnd_app_usage(size->app, "the law has no damping", "omit --restitution and --damping");
    if (given(in->restitution) && isnan(size->mass)) return needs(size, "'--restitution'", "--mass");
    if (given(in->restitution) && isnan(in->speed)) return needs(size, "'--restitution'", "--speed");
    if (given(in->damping)) fender_field_set(damping, parameters, 0, in->damping);
    if (given(in->restitution)) size->damping_relation = "--restitution";
    return FND_APP_OK;
}

int fnd_size_any(fnd_size *size, void *parameters)
{
    const fnd_size_input *in = &size->input;
    fender_impact wanted;
    int code = read_targets(size, parameters, &wanted);
    if (code == FND_APP_OK) code = check_required(size, parameters);
    if (code != FND_APP_OK) return code;
    double weight = given(in->sink) ? size->weight : (double)NAN;
    if (!fender_law_size(size->law, parameters, size->stiffness_name, size->damping_name[0] ? size->damping_name : NULL,
                         &wanted, weight, size->mass, in->speed))
        return fnd_app_usage(size->app, "no parameters of the law reach what is wanted",
                             "the law may lose too much by itself, or its other parameters limit its force");
    const fender_field *stiffness = fender_field_find(&size->law->parameters, size->stiffness_name);
    const fender_field *damping = fender_field_find(&size->law->parameters, size->damping_name);
    size->stiffness = fender_field_get(stiffness, parameters, 0);
    size->damping = damping ? fender_field_get(damping, parameters, 0) : 0;
    fnd_size_unit(size->law, stiffness, parameters, size->stiffness_unit_text, sizeof size->stiffness_unit_text);
    size->stiffness_unit = size->stiffness_unit_text;
    size->damping_unit = damping ? damping->unit : "1";
    bool strikes = given(size->mass) && given(in->speed);
    fender_impact impact = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (strikes) impact = fender_law_impact(size->law, parameters, size->mass, in->speed);
    find_figures(size, parameters, strikes ? &impact : NULL);
    return FND_APP_OK;
}
