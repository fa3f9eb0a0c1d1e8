/* `fender info`: laws, materials, planets, units, channels; how this program was built. */
#include "info.h"

#include "describe.h"
#include "pages.h"
#include "support/io_error.h"
#include "support/number.h"

#include <fender/command.h>
#include <fender/sizing.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- channels and commands */

/* What both lists show of an entry. */
typedef struct listed {
    char path[64];
    const char *unit, *doc;
} listed;

static bool channel_at(int index, listed *item)
{
    fender_channel_kind kind;
    if (!fender_channel_kind_at(index, &kind)) return false;
    snprintf(item->path, sizeof item->path, "%s", kind.path);
    item->unit = kind.unit;
    item->doc = kind.doc;
    return true;
}

static bool command_at(int index, listed *item)
{
    fender_command_kind kind;
    if (!fender_command_kind_at(index, &kind)) return false;
    snprintf(item->path, sizeof item->path, "%s", kind.path);
    item->unit = kind.is_switch ? "switch" : kind.unit;
    item->doc = kind.doc;
    return true;
}

/* Entries with `name` in their paths; all for NULL. */
static int list_paths(fnd_app *app, const char *name, bool (*at)(int index, listed *item), const char *what,
                      const char *list_command, const char *note)
{
    listed kind;
    fnd_app_json json;
    size_t path_width = 4, unit_width = 4;
    int found = 0;
    for (int i = 0; at(i, &kind); i++) {
        if (name != NULL && strstr(kind.path, name) == NULL) continue;
        if (strlen(kind.path) > path_width) path_width = strlen(kind.path);
        if (strlen(kind.unit) > unit_width) unit_width = strlen(kind.unit);
        found++;
    }
    if (name != NULL && found == 0) {
        char best[sizeof kind.path];
        fnd_nearest search = fnd_nearest_begin(name, strlen(name));
        for (int i = 0; at(i, &kind); i++) {
            const char *dot = strrchr(kind.path, '.');
            if (fnd_nearest_offer(&search, dot != NULL ? dot + 1 : kind.path))
                search.best = memcpy(best, search.best, strlen(search.best) + 1);
        }
        return fnd_app_info_unknown(app, what, name, &search, list_command);
    }
    fnd_app_json_open(&json, &app->out);
    if (app->json) fnd_app_json_array(&json, NULL);
    for (int i = 0; at(i, &kind); i++) {
        if (name != NULL && strstr(kind.path, name) == NULL) continue;
        if (app->json) {
            fnd_app_json_object(&json, NULL);
            fnd_app_json_text(&json, "path", kind.path);
            fnd_app_json_text(&json, "unit", kind.unit);
            fnd_app_json_text(&json, "doc", kind.doc);
            fnd_app_json_end(&json);
        } else {
            fnd_app_print(&app->out, "  %-*s  %-*s  ", (int)path_width, kind.path, (int)unit_width, kind.unit);
            fnd_app_put(&app->out, kind.doc);
            fnd_app_put(&app->out, "\n");
        }
    }
    if (app->json) fnd_app_json_end(&json);
    else fnd_app_put(&app->out, note);
    return FND_APP_OK;
}

static int fnd_app_info_channels(fnd_app *app, const char *name)
{
    return list_paths(app, name, channel_at, "channel", "fender info channels",
                      "\n`*` stands for any name; a vector gives all its components, or one: .x .y .z (.w of a "
                      "quaternion)\n");
}

static int fnd_app_info_commands(fnd_app *app, const char *name)
{
    return list_paths(app, name, command_at, "command", "fender info commands",
                      "\na vector takes three numbers; .x .y .z behind it names one of them\n");
}

/* ---- materials and planets: constants with a source */

typedef struct constant {
    const char *key, *unit;
    double value; /* NaN: not known */
} constant;

static void put_constants(fnd_app *app, fnd_app_json *json, const char *name, const char *source, const constant *rows,
                          int count, int width)
{
    char text[FND_NUMBER_SIZE];
    if (app->json) {
        fnd_app_json_object(json, NULL);
        fnd_app_json_text(json, "name", name);
        for (int k = 0; k < count; k++)
            if (!isnan(rows[k].value)) fnd_app_json_number(json, rows[k].key, rows[k].value);
        fnd_app_json_text(json, "source", source);
        fnd_app_json_end(json);
        return;
    }
    fnd_app_print(&app->out, "\n  %s\n", name);
    for (int k = 0; k < count; k++) {
        if (isnan(rows[k].value)) continue;
        fnd_number_format(rows[k].value, text, sizeof text);
        fnd_app_print(&app->out, "    %-*s%s", width, rows[k].key, text);
        if (rows[k].unit[0] != '1') fnd_app_print(&app->out, " %s", rows[k].unit);
        fnd_app_put(&app->out, "\n");
    }
    fnd_app_print(&app->out, "    %s\n", source);
}

static int fnd_app_info_materials(fnd_app *app, const char *name)
{
    fnd_app_json json;
    (void)name;
    fnd_app_json_open(&json, &app->out);
    if (app->json) fnd_app_json_array(&json, NULL);
    else
        fnd_app_put(&app->out, "`material: NAME` in the parameters of a law (hertz, jkr, dmt; soil, janosi) sets these "
                               "parameters; `material_b` sets those of the other body\n");
    for (int i = 0; fender_known_material_at(i); i++) {
        const fender_known_material *m = fender_known_material_at(i);
        const constant rows[] = {{"young", "Pa", m->young},
                                 {"poisson", "1", m->poisson},
                                 {"density", "kg/m^3", m->density},
                                 {"cohesive_modulus", "N/m^(n+1)", m->cohesive_modulus},
                                 {"frictional_modulus", "N/m^(n+2)", m->frictional_modulus},
                                 {"exponent", "1", m->exponent},
                                 {"cohesion", "Pa", m->cohesion},
                                 {"friction_angle", "rad", m->friction_angle},
                                 {"shear_displacement", "m", m->shear_displacement}};
        put_constants(app, &json, m->name, m->source, rows, (int)(sizeof rows / sizeof rows[0]), 20);
    }
    if (app->json) fnd_app_json_end(&json);
    return FND_APP_OK;
}

static int fnd_app_info_planets(fnd_app *app, const char *name)
{
    fnd_app_json json;
    (void)name;
    fnd_app_json_open(&json, &app->out);
    if (app->json) fnd_app_json_array(&json, NULL);
    else fnd_app_put(&app->out, "values of `world.frame.planet`; user-defined: {radius: .., mu: .., rotation: ..}\n");
    for (int i = 0; fender_planet_name(i); i++) {
        fender_planet p;
        if (fender_planet_find(fender_planet_name(i), &p, NULL) != FENDER_STATUS_OK) continue;
        const constant rows[] = {{"mu", "m^3/s^2", p.mu},
                                 {"radius", "m", p.equatorial_radius},
                                 {"flattening", "1", p.flattening},
                                 {"rotation", "rad/s", p.rotation_rate},
                                 {"j2", "1", p.j2},
                                 {"gravity_radius", "m", p.gravity_radius}};
        put_constants(app, &json, fender_planet_name(i), fender_planet_source(i), rows,
                      (int)(sizeof rows / sizeof rows[0]), 16);
    }
    if (app->json) fnd_app_json_end(&json);
    return FND_APP_OK;
}

/* ---- units */

/* The dimension in base units, from the exponents: "kg*m^2/s^2" written as "m^2*kg*s^-2". */
static void put_dimension(fnd_app_stream *to, const fender_unit *unit)
{
    static const char *const bases[FENDER_DIMENSION_COUNT] = {"m", "kg", "s", "K", "A", "rad"};
    bool first = true;
    for (int i = 0; i < FENDER_DIMENSION_COUNT; i++) {
        char text[FND_APP_NUMBER_SIZE];
        if (unit->exponent[i] == 0) continue;
        fnd_app_print(to, "%s%s", first ? "" : "*", bases[i]);
        first = false;
        if (unit->exponent[i] != FENDER_DIMENSION_DENOMINATOR)
            fnd_app_print(to, "^%s", fnd_app_number(text, (double)unit->exponent[i] / FENDER_DIMENSION_DENOMINATOR));
    }
    if (first) fnd_app_put(to, "1");
}

static int show_unit(fnd_app *app, const char *name)
{
    fender_unit unit;
    fender_error error = {0};
    char scale[FND_APP_NUMBER_SIZE], offset[FND_APP_NUMBER_SIZE];
    if (fender_unit_parse(name, strlen(name), &unit, &error) != FENDER_STATUS_OK) {
        fnd_app_print_error(app, &error);
        return FND_APP_USAGE;
    }
    fnd_app_stream base;
    fnd_app_stream_open(&base, -1);
    put_dimension(&base, &unit);
    fnd_app_put_bytes(&base, "", 1);
    if (app->json) {
        fnd_app_json json;
        fnd_app_json_open(&json, &app->out);
        fnd_app_json_object(&json, NULL);
        fnd_app_json_text(&json, "unit", name);
        fnd_app_json_text(&json, "dimension", fender_unit_dimension_name(&unit));
        fnd_app_json_text(&json, "si", base.buffer);
        fnd_app_json_number(&json, "scale", unit.scale);
        fnd_app_json_number(&json, "offset", unit.offset);
        fnd_app_json_end(&json);
        return FND_APP_OK;
    }
    if (unit.offset != 0) {
        fnd_app_print(&app->out, "x %.64s = %s * (x + %s) %s   (%s)\n", name, fnd_app_number(scale, unit.scale),
                      fnd_app_number(offset, unit.offset), base.buffer, fender_unit_dimension_name(&unit));
    } else {
        fnd_app_print(&app->out, "1 %.64s = %s %s   (%s)\n", name, fnd_app_number(scale, unit.scale), base.buffer,
                      fender_unit_dimension_name(&unit));
    }
    return FND_APP_OK;
}

static int fnd_app_info_units(fnd_app *app, const char *name)
{
    fender_unit_entry entry;
    fnd_app_json json;
    if (name != NULL) return show_unit(app, name);
    fnd_app_json_open(&json, &app->out);
    if (app->json) {
        fnd_app_json_array(&json, NULL);
    } else {
        fnd_app_put(&app->out,
                    "  unit      in SI         dimension           meaning     (*: takes a prefix: mm, kN)\n");
    }
    for (int i = 0; fender_unit_table(i, &entry); i++) {
        char scale[FND_APP_NUMBER_SIZE];
        if (app->json) {
            fnd_app_json_object(&json, NULL);
            fnd_app_json_text(&json, "name", entry.name);
            fnd_app_json_text(&json, "dimension", entry.dimension);
            fnd_app_json_text(&json, "doc", entry.doc);
            fnd_app_json_number(&json, "scale", entry.scale);
            fnd_app_json_bool(&json, "takes_prefix", entry.takes_prefix);
            fnd_app_json_end(&json);
        } else {
            fnd_app_print(&app->out, "  %s%s", entry.name, entry.takes_prefix ? "*" : "");
            fnd_app_put_padding(&app->out, strlen(entry.name) + (entry.takes_prefix ? 3 : 2), 12);
            fnd_app_print(&app->out, "%-12s  %-18s  %s\n", fnd_app_number(scale, entry.scale), entry.dimension,
                          entry.doc);
        }
    }
    if (app->json) {
        fnd_app_json_end(&json);
    } else {
        fnd_app_put(&app->out, "\nunits combine by * / ^ with rational exponents: N/m^1.5, lbf*s/in, m^(3/2)\n");
    }
    return FND_APP_OK;
}

/* ---- the command */

static void each_pair_cell(fnd_app_stream *to, const char *row, fender_geometry_type type, size_t width)
{
    fnd_app_print(to, "  %s", row);
    fnd_app_put_padding(to, strlen(row) + 2, width + 4);
    for (int other = 0; other < FENDER_GEOMETRY_TYPE_COUNT; other++) {
        const char *name = fender_geometry_type_name((fender_geometry_type)other);
        const bool thin = fender_geometry_pair_thin(type, (fender_geometry_type)other);
        const bool supported = fender_geometry_pair_supported(type, (fender_geometry_type)other);
        const char *cell = thin ? "thin" : supported ? "exact" : ".";
        fnd_app_put(to, cell);
        if (other + 1 < FENDER_GEOMETRY_TYPE_COUNT) fnd_app_put_padding(to, strlen(cell), strlen(name) + 2);
    }
    fnd_app_put(to, "\n");
}

static int show_pairs(fnd_app *app, const char *name)
{
    (void)name;
    if (app->json) {
        fnd_app_json json;
        fnd_app_json_open(&json, &app->out);
        fnd_app_json_array(&json, NULL);
        for (int a = 0; a < FENDER_GEOMETRY_TYPE_COUNT; a++)
            for (int b = a; b < FENDER_GEOMETRY_TYPE_COUNT; b++) {
                fnd_app_json_object(&json, NULL);
                fnd_app_json_text(&json, "a", fender_geometry_type_name((fender_geometry_type)a));
                fnd_app_json_text(&json, "b", fender_geometry_type_name((fender_geometry_type)b));
                fnd_app_json_bool(&json, "supported",
                                  fender_geometry_pair_supported((fender_geometry_type)a, (fender_geometry_type)b));
                fnd_app_json_bool(&json, "thin",
                                  fender_geometry_pair_thin((fender_geometry_type)a, (fender_geometry_type)b));
                fnd_app_json_end(&json);
            }
        fnd_app_json_end(&json);
        return FND_APP_OK;
    }
    size_t width = 0;
    for (int a = 0; a < FENDER_GEOMETRY_TYPE_COUNT; a++) {
        size_t length = strlen(fender_geometry_type_name((fender_geometry_type)a));
        if (length > width) width = length;
    }
    fnd_app_put(&app->out, "pairs of geometries with a contact function; `.`: none; `thin`: a distance, no depth\n\n");
    fnd_app_put_padding(&app->out, 0, width + 4);
    for (int a = 0; a < FENDER_GEOMETRY_TYPE_COUNT; a++)
        fnd_app_print(&app->out, "%s%s", a > 0 ? "  " : "", fender_geometry_type_name((fender_geometry_type)a));
    fnd_app_put(&app->out, "\n");
    for (int a = 0; a < FENDER_GEOMETRY_TYPE_COUNT; a++)
        each_pair_cell(&app->out, fender_geometry_type_name((fender_geometry_type)a), (fender_geometry_type)a, width);
    return FND_APP_OK;
}

static int show_integrators(fnd_app *app, const char *name)
{
    static const struct {
        fender_integrator_method method;
        const char *doc;
    } rows[] = {
        {FENDER_INTEGRATOR_RK4,
         "classical Runge-Kutta, order 4, four evaluations per step; attitude on the rotation group"},
        {FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER,
         "velocity first, then position with the new velocity; order 1, one evaluation per step"},
        {FENDER_INTEGRATOR_VELOCITY_VERLET,
         "half a kick, free motion, half a kick; order 2, two evaluations per step; free rotation is exact"},
        {FENDER_INTEGRATOR_DOPRI5, "Dormand-Prince, order 5(4): steps from `relative_tolerance`, events always "
                                   "located, `step` is the grid of records"},
        {FENDER_INTEGRATOR_DOP853,
         "Dormand-Prince, order 8(5,3): the same, for tight tolerances and smooth motion between events"},
        {FENDER_INTEGRATOR_CVODE_ADAMS, "CVODE of SUNDIALS by Adams formulas, within each step by the tolerance"},
        {FENDER_INTEGRATOR_CVODE_BDF,
         "CVODE of SUNDIALS by BDF, implicit, within each step by the tolerance: for stiff contacts"},
    };
    fnd_app_json json;
    (void)name;
    fnd_app_json_open(&json, &app->out);
    if (app->json) fnd_app_json_array(&json, NULL);
    else fnd_app_put(&app->out, "values of `integrator.method`; fixed-step methods use `integrator.step`\n\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *method = fender_integrator_name(rows[i].method);
        if (!method) continue; /* not in this build */
        if (app->json) {
            fnd_app_json_object(&json, NULL);
            fnd_app_json_text(&json, "name", method);
            fnd_app_json_text(&json, "doc", rows[i].doc);
            fnd_app_json_end(&json);
        } else {
            fnd_app_print(&app->out, "  %s", method);
            fnd_app_put_padding(&app->out, strlen(method) + 2, 24);
            fnd_app_print(&app->out, "%s\n", rows[i].doc);
        }
    }
    if (app->json) fnd_app_json_end(&json);
    return FND_APP_OK;
}

#ifndef FENDER_BUILD_TYPE
#define FENDER_BUILD_TYPE "unknown"
#endif
#ifndef FENDER_BUILD_COMPILER
#define FENDER_BUILD_COMPILER "unknown"
#endif
#ifndef FENDER_BUILD_FLAGS
#define FENDER_BUILD_FLAGS "unknown"
#endif
#ifndef FENDER_BUILD_HDF5
#define FENDER_BUILD_HDF5 "unknown"
#endif
#ifndef FENDER_BUILD_GDAL
#define FENDER_BUILD_GDAL "unknown"
#endif
#ifndef FENDER_BUILD_SQLITE
#define FENDER_BUILD_SQLITE "unknown"
#endif
#ifndef FENDER_BUILD_EXPAT
#define FENDER_BUILD_EXPAT "unknown"
#endif
#ifndef FENDER_BUILD_SUNDIALS
#define FENDER_BUILD_SUNDIALS "unknown"
#endif
#ifndef FENDER_BUILD_LIBYAML
#define FENDER_BUILD_LIBYAML "unknown"
#endif

/* Result of the arithmetic test, in one line. */
static fender_status describe_arithmetic(char *text, size_t size)
{
    fender_error error = {0};
    fender_status status = fender_check_arithmetic(&error);
    if (status == FENDER_STATUS_OK)
        snprintf(text, size, "tested: binary64, to nearest, subnormals, exact sqrt; not fused, not reordered");
    else snprintf(text, size, "WRONG: %s, expected %s; %s", error.found, error.expected, error.suggestion);
    return status;
}

static int show_build(fnd_app *app, const char *name)
{
    char arithmetic[800];
    const bool sound = describe_arithmetic(arithmetic, sizeof arithmetic) == FENDER_STATUS_OK;
    const char *const rows[][2] = {
        {"version", fender_version()},       {"compiler", FENDER_BUILD_COMPILER}, {"build type", FENDER_BUILD_TYPE},
        {"flags", FENDER_BUILD_FLAGS},       {"libyaml", FENDER_BUILD_LIBYAML},   {"hdf5", FENDER_BUILD_HDF5},
        {"gdal", FENDER_BUILD_GDAL},         {"sqlite", FENDER_BUILD_SQLITE},     {"expat", FENDER_BUILD_EXPAT},
        {"sundials", FENDER_BUILD_SUNDIALS}, {"arithmetic", arithmetic},
    };
    fnd_app_json json;
    (void)name;
    fnd_app_json_open(&json, &app->out);
    if (app->json) fnd_app_json_object(&json, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (app->json) {
            fnd_app_json_text(&json, rows[i][0], rows[i][1]);
        } else {
            fnd_app_print(&app->out, "%-12s", rows[i][0]);
            fnd_app_put(&app->out, rows[i][1]);
            fnd_app_put(&app->out, "\n");
        }
    }
    if (app->json) fnd_app_json_end(&json);
    return sound ? FND_APP_OK : FND_APP_RUN_FAILED;
}

static const fnd_app_option options[] = {
    {"--plugin", "FILE", "first load the laws of a shared library; can be repeated (info laws)"},
};

static const struct {
    const char *name, *doc;
    bool takes_name;
    int (*show)(fnd_app *app, const char *name);
} topics[] = {
    {"laws", "contact laws; `info laws NAME` lists the parameters of one", true, fnd_app_info_laws},
    {"links", "laws of links; `info links NAME` lists the parameters of one", true, fnd_app_info_links},
    {"loads", "kinds of loads; `info loads NAME` lists the parameters of one", true, fnd_app_info_loads},
    {"pairs", "which geometries can touch which", false, show_pairs},
    {"units", "units of numbers; `info units UNIT` converts one to SI", true, fnd_app_info_units},
    {"channels", "recordable channels; `info channels WORD` lists those with WORD in their path", true,
     fnd_app_info_channels},
    {"commands",
     "what actions, controllers and hosts can set; `info commands WORD` lists those with WORD in their path", true,
     fnd_app_info_commands},
    {"materials", "built-in materials of laws, with the sources of their constants", false, fnd_app_info_materials},
    {"planets", "built-in planets for `world.frame`", false, fnd_app_info_planets},
    {"integrators", "time stepping methods", false, show_integrators},
    {"completion", "completion of command lines; `info completion bash` prints it, or zsh", true,
     fnd_app_info_completion},
    {"man", "manual pages; `info man COMMAND` prints one", true, fnd_app_info_man},
    {"build", "version, compiler, flags, libraries, arithmetic test", false, show_build},
};
enum { TOPIC_COUNT = sizeof topics / sizeof topics[0] };

const char *fnd_app_info_topic_at(int index) { return index >= 0 && index < TOPIC_COUNT ? topics[index].name : NULL; }

static int list_topics(fnd_app *app)
{
    fnd_app_json json;
    fnd_app_json_open(&json, &app->out);
    if (app->json) fnd_app_json_array(&json, NULL);
    for (int i = 0; i < TOPIC_COUNT; i++) {
        if (app->json) {
            fnd_app_json_text(&json, NULL, topics[i].name);
        } else {
            fnd_app_print(&app->out, "  info %-14s%s\n", topics[i].name, topics[i].doc);
        }
    }
    if (app->json) fnd_app_json_end(&json);
    return FND_APP_OK;
}

int fnd_app_info_unknown(fnd_app *app, const char *kind, const char *name, const fnd_nearest *search, const char *list)
{
    char message[160], suggestion[240];
    snprintf(message, sizeof message, "no %s is named '%.60s'", kind, name);
    if (search->best != NULL) {
        snprintf(suggestion, sizeof suggestion, "did you mean '%.60s'?   `%s` lists all", search->best, list);
    } else {
        snprintf(suggestion, sizeof suggestion, "`%s` lists all", list);
    }
    return fnd_app_usage(app, message, suggestion);
}

static int execute(fnd_app *app)
{
    if (app->argument_count == 0) return list_topics(app);
    const char *topic = app->arguments[0], *name = app->argument_count > 1 ? app->arguments[1] : NULL;
    fnd_nearest search = fnd_nearest_begin(topic, strlen(topic));
    for (int i = 0; i < TOPIC_COUNT; i++) {
        fnd_nearest_offer(&search, topics[i].name);
        if (strcmp(topics[i].name, topic) != 0) continue;
        if (name != NULL && !topics[i].takes_name) {
            char message[160];
            snprintf(message, sizeof message, "`fender info %s` takes no name", topics[i].name);
            return fnd_app_usage(app, message, "");
        }
        if (fnd_app_option_value(app, "--plugin") != NULL && topics[i].show != fnd_app_info_laws)
            return fnd_app_usage(app, "--plugin is for the topic laws", "write `fender info laws --plugin FILE`");
        return topics[i].show(app, name);
    }
    return fnd_app_info_unknown(app, "topic", topic, &search, "fender info");
}

const fnd_app_command fnd_app_command_info = {
    .group = "Understand",
    .name = "info",
    .arguments = "[TOPIC [NAME]]",
    .summary = "laws, links, loads, pairs, units, channels, planets, integrators, build",
    .purpose = "list laws, links, loads, pairs, units, channels, planets, integrators and properties of this build",
    .details = "Without TOPIC, lists the topics.\n",
    .example = "  fender info laws spring_damper",
    .files = "",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 0,
    .most_arguments = 2,
    .execute = execute,
};
