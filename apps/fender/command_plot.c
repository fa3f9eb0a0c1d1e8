/* `fender plot`: plot recorded channels as a picture or in the terminal. */
#include <fender/units.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "figure.h"
#include "support/number.h"

static const fnd_app_option options[] = {
    {"--out", "FILE", "write FILE.svg, FILE.png or FILE.pdf (default: plot in the terminal)"},
    {"--text", NULL, "plot in the terminal, too"},
    {"--with", "RUN", "overlay another run; can be repeated"},
    {"--from", "T", "plot from this time"},
    {"--until", "T", "plot up to this time"},
    {"--title", "TEXT", "line above the plot (default: the name of the run)"},
    {"--time", "NAME", "the time column (default: time, t, sys.exec.out.time, else the first)"},
};

enum { RUNS = 4 }; /* as many as there are dashes */
typedef struct request {
    fnd_app *app;
    fender_recording runs[RUNS];
    int run_count;
    fnd_app_figure figure;
} request;

static int fail_memory(fnd_app *app)
{
    return fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory for the plot", "");
}

/* ---- what there is */

static int list_channels(fnd_app *app, const fender_recording *run)
{
    fnd_app_json json;
    if (app->json) {
        fnd_app_json_open(&json, &app->out);
        fnd_app_json_object(&json, NULL);
        fnd_app_json_array(&json, "channels");
    } else if (!app->quiet) {
        fnd_app_print(&app->out, "%d %s in ", run->channel_count,
                      fnd_app_plural(run->channel_count, "channel", "channels"));
        fnd_app_put_clean(&app->out, run->name);
        fnd_app_put(&app->out, "; name some of them; * matches any part\n\n");
    }
    for (int i = 0; i < run->channel_count; i++) {
        const fender_recording_channel *channel = &run->channels[i];
        if (app->json) {
            fnd_app_json_object(&json, NULL);
            fnd_app_json_text(&json, "name", channel->name);
            fnd_app_json_text(&json, "unit", channel->unit);
            fnd_app_json_end(&json);
            continue;
        }
        fnd_app_put(&app->out, " ");
        fnd_app_put_clean(&app->out, channel->name);
        if (channel->unit[0]) fnd_app_print(&app->out, " [%.100s]", channel->unit);
        fnd_app_put(&app->out, "\n");
    }
    if (app->json) {
        fnd_app_json_end(&json);
        fnd_app_json_end(&json);
    }
    return FND_APP_OK;
}

/* ---- curves */

/* "velocity [m/s]"; the bare unit where the dimension has no name. */
static const char *axis_label(fnd_app_figure *figure, const char *text)
{
    fender_unit unit;
    const char *name = "";
    if (text[0] && fender_unit_parse(text, strlen(text), &unit, NULL) == FENDER_STATUS_OK)
        name = fender_unit_dimension_name(&unit);
    for (const char *c = name; *c; c++)
        if ((*c < 'a' || *c > 'z') && *c != ' ') name = "";
    return fnd_app_figure_label(figure, strcmp(name, text) == 0 ? "" : name, text[0] ? text : "1");
}

/* The curve of a channel, in the units of that of the first run where it has one of that dimension. False: no memory.
 */
static bool make_curve(request *r, const fender_recording_channel *channel, fnd_plot_curve *curve, const char **unit)
{
    const fender_recording_table *table = channel->table, *first_table = &r->runs[0].tables[0];
    const fender_recording_channel *first = fender_recording_find(&r->runs[0], channel->name);
    fender_recording_channel time = fender_recording_time_channel(table),
                             first_time = fender_recording_time_channel(first_table);
    double factor = 1, offset = 0, time_factor = 1, time_offset = 0;
    *unit = channel->unit;
    if (first && fender_recording_convert(first, channel, &factor, &offset, NULL) == FENDER_STATUS_OK && first->unit[0])
        *unit = first->unit;
    fender_recording_convert(&first_time, &time, &time_factor, &time_offset, NULL);
    curve->count = table->row_count;
    curve->x = fnd_app_figure_scaled(&r->figure, fender_recording_times(table), curve->count, time_factor, time_offset);
    curve->y = fnd_app_figure_scaled(&r->figure, table->columns[channel->column].values, curve->count, factor, offset);
    return curve->x && curve->y;
}

/* Channels of one unit share a panel. */
static int add_channel(request *r, int run, const fender_recording_channel *channel, int colour)
{
    fnd_app_figure *figure = &r->figure;
    fnd_plot_curve curve = {.label = channel->name, .colour = colour, .dash = run};
    const char *unit;
    char text[512];
    if (r->run_count > 1) {
        int length = snprintf(text, sizeof text, "%.300s, %.200s", channel->name, r->runs[run].name);
        curve.label = fnd_arena_copy(&figure->arena, text, (size_t)length);
    }
    bool good = curve.label && make_curve(r, channel, &curve, &unit);
    const char *axis = good ? axis_label(figure, unit) : NULL;
    if (axis && fnd_app_figure_add(figure, unit, axis, curve)) return FND_APP_OK;
    if (figure->arena.failed || !axis) return fail_memory(r->app);
    snprintf(text, sizeof text, "more than %d curves", FND_APP_FIGURE_CURVES);
    return fnd_app_usage(r->app, text, "name fewer channels, or use narrower patterns");
}

static bool is_wanted(const fnd_app *app, const char *name)
{
    for (int i = 1; i < app->argument_count; i++)
        if (fender_recording_fits(app->arguments[i], name)) return true;
    return false;
}

/* The place of the name among those of the first run that are wanted: its colour in every run. */
static int colour_of(const request *r, const char *name)
{
    int colour = 0;
    for (int i = 0; i < r->runs[0].channel_count; i++) {
        if (strcmp(r->runs[0].channels[i].name, name) == 0) break;
        colour += is_wanted(r->app, r->runs[0].channels[i].name);
    }
    return colour;
}

static int add_curves(request *r)
{
    fnd_app *app = r->app;
    int code = FND_APP_OK;
    for (int i = 1; i < app->argument_count; i++) {
        bool found = false;
        for (int run = 0; run < r->run_count && !found; run++)
            for (int k = 0; k < r->runs[run].channel_count && !found; k++)
                found = fender_recording_fits(app->arguments[i], r->runs[run].channels[k].name);
        if (found) continue;
        fender_error error = {0};
        fender_recording_fail_name(&r->runs[0], app->arguments[i], &error);
        return fnd_app_fail(app, &error, app->error_count, "nothing was plotted");
    }
    for (int run = 0; run < r->run_count && code == FND_APP_OK; run++) {
        bool found = false;
        for (int k = 0; k < r->runs[run].channel_count && code == FND_APP_OK; k++) {
            const fender_recording_channel *channel = &r->runs[run].channels[k];
            if (!is_wanted(app, channel->name)) continue;
            code = add_channel(r, run, channel, colour_of(r, channel->name));
            found = true;
        }
        if (found) continue;
        char message[240];
        snprintf(message, sizeof message, "'%.180s' has none of these channels", r->runs[run].name);
        code = fnd_app_usage(app, message, "omit it, or name one of its channels");
    }
    return code;
}

/* ---- all of it */

static int read_end(fnd_app *app, const char *name, double *end)
{
    const char *text = fnd_app_option_value(app, name);
    size_t used, length = text ? strlen(text) : 0;
    char message[160];
    if (!text || (fnd_number_parse(text, length, end, &used) && used == length)) return FND_APP_OK;
    snprintf(message, sizeof message, "'%s' must be a number in the unit of the time, not '%.60s'", name, text);
    return fnd_app_usage(app, message, "for example --until 2.5");
}

/* Something must lie between --from and --until. */
static int check_range(fnd_app *app, const fnd_plot *plot)
{
    for (int p = 0; p < plot->panel_count; p++)
        for (int i = 0; i < plot->panels[p].curve_count; i++)
            for (size_t k = 0; k < plot->panels[p].curves[i].count; k++) {
                const double x = plot->panels[p].curves[i].x[k];
                if (x >= plot->from && x <= plot->until) return FND_APP_OK;
            }
    if (isinf(plot->from) && isinf(plot->until)) return FND_APP_OK;
    return fnd_app_usage(app, "no row of these channels lies between --from and --until",
                         "omit both to plot the whole recording");
}

static bool has_number(const fnd_plot *plot, const fnd_plot_curve *curve)
{
    for (size_t k = 0; k < curve->count; k++)
        if (curve->x[k] >= plot->from && curve->x[k] <= plot->until && isfinite(curve->y[k])) return true;
    return false;
}

/* A channel of NaN, or a table without rows, leaves its panel empty. */
static void warn_of_empty(request *r)
{
    const fnd_plot *plot = &r->figure.plot;
    const char *first = NULL;
    int empty = 0;
    char message[400], others[40] = "";
    for (int p = 0; p < plot->panel_count; p++)
        for (int i = 0; i < plot->panels[p].curve_count; i++) {
            const fnd_plot_curve *curve = &plot->panels[p].curves[i];
            if (has_number(plot, curve)) continue;
            if (empty++ == 0) first = curve->label;
        }
    if (empty == 0) return;
    if (empty > 1) snprintf(others, sizeof others, " and %d more", empty - 1);
    snprintf(message, sizeof message, "no curve is drawn of '%.300s'%s: no value in this range is a number", first,
             others);
    fnd_app_warn(r->app, message, "");
}

static int open_run(request *r, const char *name)
{
    fnd_app *app = r->app;
    fender_error error = {0};
    int errors_before = app->error_count;
    if (r->run_count == RUNS) return fnd_app_usage(app, "at most 4 runs can be overlaid", "");
    const char *time = fnd_app_option_value(app, "--time");
    fender_status status = fnd_app_try_recording(app, name, time, &error);
    if (status == FENDER_STATUS_OK) {
        fender_recording *run = &r->runs[r->run_count++];
        status = fender_recording_open(run, &app->env, name, time, true, &error);
        if (status == FENDER_STATUS_OK) status = fender_recording_split_contacts(run, &error);
    }
    if (status == FENDER_STATUS_OK) return FND_APP_OK;
    return fnd_app_fail(app, &error, errors_before, "nothing was plotted");
}

static int draw(request *r, const char *out)
{
    fnd_app *app = r->app;
    const char *title = fnd_app_option_value(app, "--title");
    int code = FND_APP_OK;
    if (!fnd_app_figure_open(&r->figure, &app->env.allocator, title ? title : r->runs[0].name)) return fail_memory(app);
    if (code == FND_APP_OK) code = read_end(app, "--from", &r->figure.plot.from);
    if (code == FND_APP_OK) code = read_end(app, "--until", &r->figure.plot.until);
    if (code == FND_APP_OK) code = add_curves(r);
    if (code == FND_APP_OK) code = check_range(app, &r->figure.plot);
    if (code != FND_APP_OK) return code;
    warn_of_empty(r);
    const fender_recording_column *time = &r->runs[0].tables[0].columns[r->runs[0].tables[0].time];
    r->figure.plot.x_label = fnd_app_figure_label(&r->figure, time->name, time->unit);
    if (!r->figure.plot.x_label) return fail_memory(app);
    if (out) code = fnd_app_figure_write(app, &r->figure, out);
    if (code != FND_APP_OK) return code;
    if (!out || fnd_app_option_value(app, "--text")) code = fnd_app_figure_print(app, &r->figure);
    if (out && app->json) {
        fnd_app_json json;
        fnd_app_json_open(&json, &app->out);
        fnd_app_json_object(&json, NULL);
        fnd_app_json_text(&json, "plot", out);
        fnd_app_json_integer(&json, "curves", r->figure.curve_count);
        fnd_app_json_integer(&json, "panels", r->figure.plot.panel_count);
        fnd_app_json_end(&json);
    } else if (out && !app->quiet) {
        fnd_app_put(&app->out, " wrote ");
        fnd_app_put_clean(&app->out, out);
        fnd_app_print(&app->out, " (%d %s)\n", r->figure.curve_count,
                      fnd_app_plural(r->figure.curve_count, "curve", "curves"));
    }
    return code;
}

static int plot(request *r)
{
    fnd_app *app = r->app;
    const char *out = fnd_app_option_value(app, "--out");
    int code = out ? fnd_app_figure_check(app, out) : FND_APP_OK;
    if (code == FND_APP_OK) code = open_run(r, app->arguments[0]);
    for (int i = 0; i < app->given_count && code == FND_APP_OK; i++)
        if (strcmp(app->command->options[app->given[i].option].name, "--with") == 0)
            code = open_run(r, app->given[i].value);
    if (code != FND_APP_OK) return code;
    return app->argument_count == 1 ? list_channels(app, &r->runs[0]) : draw(r, out);
}

static int execute(fnd_app *app)
{
    request *r = fnd_app_allocate(app, sizeof *r);
    if (!r) return fail_memory(app);
    memset(r, 0, sizeof *r);
    r->app = app;
    int code = plot(r);
    for (int i = 0; i < r->run_count; i++) fender_recording_close(&r->runs[i]);
    if (r->figure.arena.allocator.release) fnd_app_figure_close(&r->figure);
    fnd_app_release(app, r, sizeof *r);
    return code;
}

const fnd_app_command fnd_app_command_plot = {
    .group = "Results",
    .name = "plot",
    .arguments = "RUN CHANNEL...",
    .summary = "plot recorded channels as a picture or in the terminal",
    .purpose = "plot recorded channels as a picture or in the terminal",
    .details =
        "RUN is a run directory or one table (CSV, .trk, .h5); without a CHANNEL, its channels are listed. * matches\n"
        "any part of a name; a vector stands for its components. Channels with the same unit share a panel.\n"
        "SVG needs no other program; PNG and PDF need rsvg-convert or inkscape.\n",
    .example = "  fender plot two_spheres.run 'bodies.*.velocity.x' 'contacts.*.depth' --out meet.svg",
    .files = "FILE.svg, FILE.png or FILE.pdf",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 1,
    .most_arguments = 1 << 20,
    .execute = execute,
};
