/* What `fender size` found, as text with a contact type to paste, and as JSON. */
#include <math.h>
#include <string.h>

#include "size.h"
#include "support/number.h"

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

/* The recommended step rounded down to two digits. */
static double rounded(double step)
{
    double unit = 1;
    if (!(step > 0) || isinf(step)) return step;
    while (unit > step) unit /= 10;
    while (unit * 10 <= step) unit *= 10;
    return floor(step / unit * 10) * unit / 10;
}

static const char *step_remark(const fnd_size *size)
{
    if (isinf(size->figures.good_step)) return "the method chooses its own";
    return size->located ? "to paste as integrator.step, with locate_events" : "to paste as integrator.step";
}

void fnd_size_text(const fnd_size *size)
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
                     size->power     ? "at that speed"
                     : size->clipped ? "the force never pulls"
                                     : "the force may pull");
        put_quantity(to, "sink at rest", size->figures.static_sink, "m", "");
        put_quantity(to, "natural frequency", size->figures.natural_frequency, "Hz",
                     size->power ? "at the deepest point" : "");
        put_duration(to, "contact time", size->figures.contact_time, size->power ? "without damping" : "");
        put_quantity(to, "deepest", size->figures.peak_depth, "m", "");
        put_quantity(to, "largest force", size->figures.peak_force, "N", "");
        put_duration(to, "largest stable step", size->figures.largest_step, fender_integrator_name(size->method));
        put_duration(to, "step", rounded(size->figures.good_step), step_remark(size));
        if (isnan(size->figures.natural_frequency))
            fnd_app_print(to, " frequency and step need %s\n",
                          isnan(size->mass) ? "'--mass'" : "'--speed', for the stiffness grows with the depth");
        fnd_app_put(to, "\n");
    }
    fnd_app_print(to, "contact_types:\n  sized:\n    law: %s\n", size->law->name);
    put_parameter(to, size->stiffness_name, size->stiffness, size->stiffness_unit);
    if (size->damping > 0) put_parameter(to, size->damping_name, size->damping, size->damping_unit);
}

void fnd_size_json(const fnd_size *size)
{
    fnd_app_json json;
    fnd_app_json_open(&json, &size->app->out);
    fnd_app_json_object(&json, NULL);
    fnd_app_json_text(&json, "law", size->law->name);
    fnd_app_json_number(&json, "mass", size->mass);
    fnd_app_json_number(&json, "weight", size->weight);
    fnd_app_json_object(&json, "parameters");
    fnd_app_json_number(&json, size->stiffness_name, size->stiffness);
    fnd_app_json_number(&json, size->damping_name, size->damping);
    fnd_app_json_end(&json);
    fnd_app_json_object(&json, "units");
    fnd_app_json_text(&json, size->stiffness_name, size->stiffness_unit);
    fnd_app_json_text(&json, size->damping_name, size->damping_unit);
    fnd_app_json_end(&json);
    fnd_app_json_number(&json, "damping_ratio", size->figures.damping_ratio);
    fnd_app_json_number(&json, "restitution", size->figures.restitution);
    fnd_app_json_number(&json, "static_sink", size->figures.static_sink);
    fnd_app_json_number(&json, "natural_frequency", size->figures.natural_frequency);
    fnd_app_json_number(&json, "contact_time", size->figures.contact_time);
    fnd_app_json_number(&json, "peak_depth", size->figures.peak_depth);
    fnd_app_json_number(&json, "peak_force", size->figures.peak_force);
    fnd_app_json_text(&json, "method", fender_integrator_name(size->method));
    fnd_app_json_number(&json, "largest_stable_step", size->figures.largest_step);
    fnd_app_json_number(&json, "step", rounded(size->figures.good_step));
    fnd_app_json_end(&json);
}
