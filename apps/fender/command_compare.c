/* `fender compare`: compare two recordings with tolerances. */
#include <stdio.h>
#include <string.h>

#include "compare.h"
#include "figure.h"
#include "text/number.h"
#include "trial.h"

static const fnd_app_option options[] = {
    {"--abs", "VALUE", "allowed difference, in the unit of A; or PATTERN=VALUE, for some channels (default: 0)"},
    {"--rel", "VALUE", "the same as a part of the largest magnitude of the channel in A (default: 0)"},
    {"--channel", "PATTERN", "compare these channels; may be given several times (default: all)"},
    {"--map", "A=B", "the channel A of the first is called B in the second; a * of A goes to that of B"},
    {"--exact", NULL, "only rows of the same time; each needs its partner (default: B between its rows)"},
    {"--from", "T", "compare from this time of A on"},
    {"--until", "T", "compare up to this time of A"},
    {"--all", NULL, "a channel of one recording alone is a difference"},
    {"--plot", "FILE", "draw the channels that differ, the first 12, into FILE.svg (or .png, .pdf)"},
    {"--time", "NAME", "the column that holds the time (default: time, t, sys.exec.out.time, else the first)"},
};

/* What the command line says; the arrays have room for all that was given. */
typedef struct request {
    fender_comparison_def def;
    const char **channels, **maps;
    fender_tolerance *tolerances;
    const char *time;
} request;

static int read_time(fnd_app *app, const char *name, double *time)
{
    const char *text = fnd_app_option_value(app, name);
    size_t used, length = text ? strlen(text) : 0;
    char message[160];
    if (!text) return FND_APP_OK;
    if (fnd_number_parse(text, length, time, &used) && used == length) return FND_APP_OK;
    snprintf(message, sizeof message, "'%s' must be a number, in the unit of the time of A: '%.60s' is none", name,
             text);
    return fnd_app_usage(app, message, "for example --until 2.5");
}

static int read_options(fnd_app *app, request *r)
{
    fender_comparison_def *def = &r->def;
    for (int i = 0; i < app->given_count; i++) {
        const char *name = app->command->options[app->given[i].option].name, *value = app->given[i].value;
        bool relative = strcmp(name, "--rel") == 0;
        if (relative || strcmp(name, "--abs") == 0)
            r->tolerances[def->tolerance_count++] = (fender_tolerance){value, relative};
        if (strcmp(name, "--channel") == 0) r->channels[def->channel_count++] = value;
        if (strcmp(name, "--map") == 0) r->maps[def->map_count++] = value;
    }
    def->channels = r->channels;
    def->maps = r->maps;
    def->tolerances = r->tolerances;
    def->exact = fnd_app_option_value(app, "--exact") != NULL;
    def->all = fnd_app_option_value(app, "--all") != NULL;
    def->from = -INFINITY;
    def->until = INFINITY;
    r->time = fnd_app_option_value(app, "--time");
    const char *plot = fnd_app_option_value(app, "--plot");
    int code = plot ? fnd_app_figure_check(app, plot) : FND_APP_OK;
    if (code == FND_APP_OK) code = read_time(app, "--from", &def->from);
    if (code == FND_APP_OK) code = read_time(app, "--until", &def->until);
    if (code == FND_APP_OK && def->from > def->until)
        code = fnd_app_usage(app, "'--from' is later than '--until'", "change them over");
    return code;
}

static void warn_cut(fnd_app *app, const fender_recording *recording)
{
    char message[320];
    for (int i = 0; i < recording->table_count; i++) {
        if (!recording->tables[i].cut) continue;
        snprintf(message, sizeof message, "the last row of '%.200s' is not whole and is left out",
                 recording->tables[i].file);
        fnd_app_warn(app, message, "");
    }
}

/* ---- the plot: A solid, B dashed, in A's unit */

enum { DRAWN = 12 };

static bool add_pair(fnd_app_figure *figure, const fender_comparison_def *def, const fender_compared_channel *c)
{
    const fender_recording_table *a = c->a->table, *b = c->b->table;
    const char *label = fnd_app_figure_label(figure, c->a->name, c->a->unit);
    const double *x = fnd_app_figure_scaled(figure, fender_recording_times(b), b->row_count, c->time_factor, 0);
    const double *y = fnd_app_figure_scaled(figure, b->columns[c->b->column].values, b->row_count, c->factor,
                                            c->offset);
    fnd_plot_curve of_a = {
        def->a->name, fender_recording_times(a), a->columns[c->a->column].values, a->row_count, 0, 0};
    fnd_plot_curve of_b = {def->b->name, x, y, b->row_count, 1, 1};
    return label && x && y && fnd_app_figure_add(figure, c->a->name, label, of_a) &&
           fnd_app_figure_add(figure, c->a->name, label, of_b);
}

static int draw(fnd_app *app, const request *r, const fender_comparison *found, const char *path)
{
    fnd_app_figure figure;
    int drawn = 0, code = FND_APP_OK;
    bool good = fnd_app_figure_open(&figure, &app->env.allocator, "");
    figure.plot.from = r->def.from;
    figure.plot.until = r->def.until;
    for (int i = 0; i < found->count && good && drawn < DRAWN; i++) {
        if (found->items[i].same) continue;
        good = add_pair(&figure, &r->def, &found->items[i]);
        drawn++;
    }
    if (!good) code = fnd_app_error(app, FENDER_STATUS_MEMORY, "no memory for the plot", "");
    else if (drawn > 0) code = fnd_app_figure_write(app, &figure, path);
    if (code == FND_APP_OK && drawn > 0 && !app->json && !app->quiet) {
        fnd_app_put(&app->out, " wrote ");
        fnd_app_put_clean(&app->out, path);
        fnd_app_put(&app->out, "\n");
    }
    fnd_app_figure_close(&figure);
    return code;
}

/* ---- all of it */

static int tell(fnd_app *app, const request *r, const fender_comparison *found)
{
    const char *path = fnd_app_option_value(app, "--plot");
    if (app->json) fnd_app_compare_json(app, &r->def, found);
    else fnd_app_compare_text(app, &r->def, found);
    if (path && draw(app, r, found, path) != FND_APP_OK) return FND_APP_USAGE;
    return found->same ? FND_APP_OK : FND_APP_RUN_FAILED;
}

static fender_status open_recording(const fnd_app *app, fender_recording *recording, const char *name, const char *time,
                                    fender_error *error)
{
    fender_status status = fnd_app_try_recording(app, name, time, error);
    if (status != FENDER_STATUS_OK) return status;
    return fender_recording_open(recording, &app->env, name, time, false, error);
}

static int compare(fnd_app *app, request *r)
{
    fender_recording a, b;
    fender_comparison found;
    fender_error error = {0};
    int errors_before = app->error_count, code = FND_APP_OK;
    memset(&b, 0, sizeof b);
    memset(&found, 0, sizeof found);
    memset(&a, 0, sizeof a);
    fender_status status = open_recording(app, &a, app->arguments[0], r->time, &error);
    if (status == FENDER_STATUS_OK) status = open_recording(app, &b, app->arguments[1], r->time, &error);
    if (status == FENDER_STATUS_OK) {
        warn_cut(app, &a);
        warn_cut(app, &b);
        r->def.a = &a;
        r->def.b = &b;
        status = fender_compare(&found, &app->env, &r->def, &error);
    }
    if (status != FENDER_STATUS_OK) {
        code = fnd_app_fail(app, &error, errors_before, "nothing was compared");
        if (code != FND_APP_FILE) code = FND_APP_USAGE; /* 1 would be an answer */
    } else {
        code = tell(app, r, &found);
    }
    fender_comparison_close(&found);
    fender_recording_close(&b);
    fender_recording_close(&a);
    return code;
}

static int execute(fnd_app *app)
{
    size_t count = (size_t)app->given_count + 1, texts = count * sizeof(char *);
    request r;
    memset(&r, 0, sizeof r);
    r.channels = fnd_app_allocate(app, texts);
    r.maps = fnd_app_allocate(app, texts);
    r.tolerances = fnd_app_allocate(app, count * sizeof *r.tolerances);
    int code = FND_APP_USAGE;
    if (!r.channels || !r.maps || !r.tolerances) {
        fnd_app_error(app, FENDER_STATUS_MEMORY, "no memory for the options", "");
    } else {
        code = read_options(app, &r);
        if (code == FND_APP_OK) code = compare(app, &r);
    }
    fnd_app_release(app, r.channels, texts);
    fnd_app_release(app, r.maps, texts);
    fnd_app_release(app, r.tolerances, count * sizeof *r.tolerances);
    return code;
}

const fnd_app_command fnd_app_command_compare = {
    .group = "Results",
    .name = "compare",
    .arguments = "A B",
    .summary = "compare two recordings with tolerances",
    .purpose = "compare two recordings with tolerances",
    .details =
        "A and B are run directories or single tables: CSV with a line of names, units as `name [unit]` or `name\n"
        "{unit}`, Trick's .trk, or HDF5. Channels of one name belong together; units are converted. B is taken at the\n"
        "times of A, between its rows on a straight line. Where A has rows that B does not cover, they differ.\n"
        "Exit: 0 the same within the tolerances, 1 different, 2 whatever could not be compared,\n"
        "4 a file that cannot be read.\n",
    .example = "  fender compare before.run after.run --rel 1e-9 --abs 'contacts.*.depth=1 um'",
    .files = "FILE.svg, FILE.png or FILE.pdf with --plot, when a channel differs",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 2,
    .most_arguments = 2,
    .verdict = true,
    .execute = execute,
};
