/* `fender compare`: compare two recordings with tolerances. */
#include "app.h"
#include "figure.h"
#include "support/number.h"
#include "tables/recording.h"

#include <fender/comparison.h>
#include <stdio.h>
#include <string.h>

static void fnd_app_compare_text(fnd_app *app, const fender_comparison_def *def, const fender_comparison *found);
static void fnd_app_compare_json(fnd_app *app, const fender_comparison_def *def, const fender_comparison *found);

/* ---- what was found */

enum { WIDEST_NAME = 60, UNIT = 8, NUMBER = 12, NAMES_SHOWN = 8 };

static void put_cell(fnd_app_stream *to, const char *text, size_t width)
{
    fnd_app_put_clean(to, text);
    fnd_app_put_padding(to, strlen(text), width);
}

static void put_number(fnd_app_stream *to, double value, int digits, size_t width)
{
    char text[FND_NUMBER_SIZE];
    fnd_number_format_digits(value == 0 ? 0.0 : value, digits, text, sizeof text);
    put_cell(to, isnan(value) ? "-" : text, width);
}

static size_t name_width(const fender_comparison *found, bool differing)
{
    size_t width = sizeof "channel";
    for (int i = 0; i < found->count; i++) {
        size_t length = strlen(found->items[i].a->name);
        if (length > WIDEST_NAME || (differing && found->items[i].same)) continue;
        if (length + 1 > width) width = length + 1;
    }
    return width;
}

static void put_row(fnd_app_stream *to, const fender_compared_channel *c, size_t width)
{
    size_t length = strlen(c->a->name);
    fnd_app_put(to, " ");
    fnd_app_put_clean(to, c->a->name);
    if (length >= width) fnd_app_put(to, "\n ");
    fnd_app_put_padding(to, length >= width ? 0 : length, width);
    put_cell(to, c->a->unit[0] ? c->a->unit : "-", UNIT);
    put_number(to, c->rows > 0 ? c->largest : NAN, 3, NUMBER);
    put_number(to, c->rows > 0 && c->largest > 0 ? c->time : NAN, 9, NUMBER);
    put_number(to, c->rms, 3, NUMBER);
    put_number(to, c->allowed, 3, NUMBER);
    fnd_app_put(to, c->same ? "same" : "differs");
    if (c->alone_a > 0) fnd_app_print(to, "; %zu rows of A without B", c->alone_a);
    if (c->alone_b > 0) fnd_app_print(to, "; %zu rows of B without A", c->alone_b);
    if (strcmp(c->a->name, c->b->name) != 0) {
        fnd_app_put(to, "; with ");
        fnd_app_put_clean(to, c->b->name);
    }
    fnd_app_put(to, "\n");
}

static void put_names(fnd_app_stream *to, const char *label, const char *const *names, int count)
{
    if (count == 0) return;
    fnd_app_put(to, label);
    for (int i = 0; i < count && i < NAMES_SHOWN; i++) {
        fnd_app_put(to, " ");
        fnd_app_put_clean(to, names[i]);
    }
    if (count > NAMES_SHOWN) fnd_app_print(to, " and %d more", count - NAMES_SHOWN);
    fnd_app_put(to, "\n");
}

/* Without those that mark lapses of a contact. */
static size_t count_rows(const fender_recording_table *table)
{
    size_t count = 0;
    for (size_t i = 0; i < table->row_count; i++) count += !fnd_recording_is_lapse(table, i);
    return count;
}

static void put_recording(fnd_app_stream *to, const char *label, const fender_recording *recording)
{
    fnd_app_print(to, " %s  ", label);
    fnd_app_put_clean(to, recording->name);
    for (int i = 0, next; i < recording->table_count; i = next) {
        const fender_recording_table *table = &recording->tables[i];
        const char *slash = strrchr(table->file, '/'), *name = slash ? slash + 1 : table->file;
        size_t rows = 0; /* of all contacts of a list, whose tables have its name in common */
        for (next = i; next < recording->table_count && recording->tables[next].file == table->file; next++)
            rows += count_rows(&recording->tables[next]);
        fnd_app_put(to, i == 0 ? "   " : ", ");
        if (strcmp(table->file, recording->name) != 0) {
            fnd_app_put_clean(to, name);
            fnd_app_put(to, " ");
        }
        fnd_app_print(to, "(%zu %s", rows, fnd_app_plural((long long)rows, "row", "rows"));
        if (next > i + 1) fnd_app_print(to, " of %d contacts", next - i);
        fnd_app_put(to, ")");
    }
    fnd_app_put(to, "\n");
}

static void fnd_app_compare_text(fnd_app *app, const fender_comparison_def *def, const fender_comparison *found)
{
    fnd_app_stream *to = &app->out;
    size_t width = name_width(found, app->quiet);
    if (!app->quiet) {
        put_recording(to, "A", def->a);
        put_recording(to, "B", def->b);
        fnd_app_put(to, "\n");
    }
    if (!app->quiet || found->different > 0) {
        fnd_app_put(to, " ");
        put_cell(to, "channel", width);
        put_cell(to, "unit", UNIT);
        fnd_app_put(to, "largest     at time     rms         allowed\n");
    }
    for (int i = 0; i < found->count; i++)
        if (!app->quiet || !found->items[i].same) put_row(to, &found->items[i], width);
    if (!app->quiet || def->all || found->different == 0) {
        put_names(to, " only in A:", found->only_a, found->only_a_count);
        put_names(to, " only in B:", found->only_b, found->only_b_count);
    }
    if (!app->quiet) fnd_app_put(to, "\n");
    if (found->different > 0) {
        fnd_app_print(to, " %d of %d %s %s\n", found->different, found->count,
                      fnd_app_plural(found->count, "channel", "channels"),
                      fnd_app_plural(found->different, "differs", "differ"));
    } else if (!found->same) {
        fnd_app_put(to, def->all ? " the recordings do not have the same channels\n"
                                 : " the recordings do not have the same contacts\n");
    } else if (!app->quiet) {
        fnd_app_print(to, " %d %s the same\n", found->count,
                      fnd_app_plural(found->count, "channel is", "channels are"));
    }
}

static void put_json_names(fnd_app_json *json, const char *key, const char *const *names, int count)
{
    fnd_app_json_array(json, key);
    for (int i = 0; i < count; i++) fnd_app_json_text(json, NULL, names[i]);
    fnd_app_json_end(json);
}

static void fnd_app_compare_json(fnd_app *app, const fender_comparison_def *def, const fender_comparison *found)
{
    fnd_app_json json;
    fnd_app_json_open(&json, &app->out);
    fnd_app_json_object(&json, NULL);
    fnd_app_json_text(&json, "a", def->a->name);
    fnd_app_json_text(&json, "b", def->b->name);
    fnd_app_json_bool(&json, "same", found->same);
    fnd_app_json_integer(&json, "different", found->different);
    fnd_app_json_array(&json, "channels");
    for (int i = 0; i < found->count; i++) {
        const fender_compared_channel *c = &found->items[i];
        fnd_app_json_object(&json, NULL);
        fnd_app_json_text(&json, "channel", c->a->name);
        fnd_app_json_text(&json, "channel_b", c->b->name);
        fnd_app_json_text(&json, "unit", c->a->unit);
        fnd_app_json_text(&json, "unit_b", c->b->unit);
        fnd_app_json_integer(&json, "rows", (int64_t)c->rows);
        fnd_app_json_integer(&json, "alone_a", (int64_t)c->alone_a);
        fnd_app_json_integer(&json, "alone_b", (int64_t)c->alone_b);
        fnd_app_json_number(&json, "largest", c->largest);
        fnd_app_json_number(&json, "time", c->time);
        fnd_app_json_number(&json, "value_a", c->value_a);
        fnd_app_json_number(&json, "value_b", c->value_b);
        fnd_app_json_number(&json, "rms", c->rms);
        fnd_app_json_number(&json, "allowed", c->allowed);
        fnd_app_json_bool(&json, "same", c->same);
        fnd_app_json_end(&json);
    }
    fnd_app_json_end(&json);
    put_json_names(&json, "only_in_a", found->only_a, found->only_a_count);
    put_json_names(&json, "only_in_b", found->only_b, found->only_b_count);
    fnd_app_json_end(&json);
}

/* ---- the command */

static const fnd_app_option options[] = {
    {"--abs", "VALUE", "absolute tolerance, in the unit of A; or PATTERN=VALUE for some channels (default: 0)"},
    {"--rel", "VALUE", "tolerance relative to the largest magnitude of the channel in A (default: 0)"},
    {"--channel", "PATTERN", "compare these channels; can be repeated (default: all)"},
    {"--map", "A=B", "compare channel A of the first with B of the second; * in both stands for the same text"},
    {"--names", "PROGRAM", "one recording has the names of this program for our channels: jeod"},
    {"--exact", NULL, "compare only rows with equal times; each row needs a counterpart (default: interpolate B)"},
    {"--from", "T", "compare from this time of A"},
    {"--until", "T", "compare up to this time of A"},
    {"--all", NULL, "channels in only one recording count as differences"},
    {"--plot", "FILE", "plot the first 12 channels that differ to FILE.svg (or .png, .pdf)"},
    {"--time", "NAME", "the time column (default: time, t, sys.exec.out.time, else the first)"},
};

/* Parsed command line; the arrays have room for all arguments. */
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
    snprintf(message, sizeof message, "'%s' must be a number in the time unit of A, not '%.60s'", name, text);
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
        if (strcmp(name, "--names") == 0) def->names = value;
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
        snprintf(message, sizeof message, "the last row of '%.200s' is incomplete and ignored",
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
    if (!good) code = fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory for the plot", "");
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
    status = fender_recording_open(recording, &app->env, name, time, false, error);
    return status == FENDER_STATUS_OK ? fender_recording_split_contacts(recording, error) : status;
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
        fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory for the options", "");
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
        "{unit}`, Trick's .trk, or HDF5. Channels of the same name are compared; units are converted. B is "
        "interpolated\n"
        "linearly at the times of A. Rows of A outside the times of B count as differences.\n"
        "Exit: 0 equal within the tolerances, 1 different, 2 comparison impossible, 4 file unreadable.\n"
        "4 a file that cannot be read.\n",
    .example = "  fender compare before.run after.run --rel 1e-9 --abs 'contacts.*.depth=1 um'",
    .files = "FILE.svg, FILE.png or FILE.pdf with --plot, if a channel differs",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 2,
    .most_arguments = 2,
    .verdict = true,
    .execute = execute,
};
