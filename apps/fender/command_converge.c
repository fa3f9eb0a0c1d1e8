/* `fender converge`: a scenario at refined steps or tolerances. */
#include "app.h"
#include "progress.h"
#include "support/number.h"

#include <fender/convergence.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The step or tolerance of a level, for people. */
static const char *fnd_app_converge_label(const fender_convergence *c, int level, char text[FND_APP_NUMBER_SIZE]);
static void fnd_app_converge_text(fnd_app *app, const fender_convergence *c);
static void fnd_app_converge_json(fnd_app *app, const fender_convergence *c);

/* ---- what was found */

enum { LABEL = 22, COLUMN = 16, DIGITS = 10, SHOWN_GROUPS = 24 };

static const char *fnd_app_converge_label(const fender_convergence *c, int level, char text[FND_APP_NUMBER_SIZE])
{
    if (c->adaptive) fnd_number_format_digits(c->levels[level].value, 4, text, FND_APP_NUMBER_SIZE);
    else fnd_app_duration(text, c->levels[level].value);
    return text;
}

/* The text, and spaces up to the end of its column. */
static void put_cell(fnd_app_stream *to, const char *text, size_t width)
{
    fnd_app_put_clean(to, text);
    fnd_app_put_padding(to, strlen(text), width);
}

static void put_number(fnd_app_stream *to, double value, int digits, const char *mark)
{
    char text[FND_APP_NUMBER_SIZE] = "-";
    if (isfinite(value)) fnd_number_format_digits(value, digits, text, sizeof text);
    snprintf(text + strlen(text), 8, "%s", mark);
    put_cell(to, text, digits > 4 ? COLUMN : 11);
}

static const char *mark_of(const fender_refinement *r)
{
    bool sure = r->kind == FENDER_REFINEMENT_ASYMPTOTIC || r->kind == FENDER_REFINEMENT_SAME;
    return sure || r->kind == FENDER_REFINEMENT_NONE ? "" : "?";
}

static const char *kind_of(const fender_refinement *r)
{
    static const char *const kinds[] = {"none", "same", "asymptotic", "rounding", "doubtful"};
    return kinds[r->kind];
}

static void put_result(fnd_app_stream *to, const fender_convergence *c, const fender_convergence_result *result)
{
    const fender_sequence *s = &result->sequence;
    const fender_refinement *r = &result->refinement;
    char text[300], order[FND_APP_NUMBER_SIZE];
    bool vector = s->components > 1;
    snprintf(text, sizeof text, "   %s [%s]", result->name, result->unit[0] ? result->unit : "1");
    fnd_app_put_clean(to, text);
    if (strlen(text) > LABEL) fnd_app_put(to, "\n");
    fnd_app_put_padding(to, strlen(text) > LABEL ? 0 : strlen(text), LABEL + 2);
    for (int k = 0; k < s->levels; k++) {
        double value = s->values[k][0];
        if (vector) value = c->finest >= 0 && isfinite(value) ? fender_sequence_difference(s, k, c->finest) : NAN;
        put_number(to, value, vector ? 5 : DIGITS, "");
    }
    if (r->kind == FENDER_REFINEMENT_ASYMPTOTIC) put_cell(to, fnd_app_fixed(order, r->order, 2), 10);
    else
        put_cell(to,
                 r->kind == FENDER_REFINEMENT_DOUBTFUL ? "?"
                 : r->kind == FENDER_REFINEMENT_NONE   ? "-"
                                                       : kind_of(r),
                 10);
    if (r->kind == FENDER_REFINEMENT_ASYMPTOTIC && !vector) put_number(to, r->limit[0], DIGITS, "");
    else put_cell(to, "-", COLUMN);
    put_number(to, r->bars[0], 2, isfinite(r->bars[0]) ? mark_of(r) : "");
    double bar = c->finest >= 0 ? r->bars[c->finest] : NAN;
    char finest[FND_APP_NUMBER_SIZE] = "-";
    if (isfinite(bar)) fnd_number_format_digits(bar, 2, finest, sizeof finest);
    fnd_app_put(to, finest);
    if (isfinite(bar)) fnd_app_put(to, mark_of(r));
    fnd_app_put(to, "\n");
}

static void put_head(fnd_app_stream *to, const fender_convergence *c)
{
    const fender_run_summary *summary = fender_run_get_summary(c->levels[c->finest].run);
    char until[FND_APP_NUMBER_SIZE];
    fnd_app_put_clean(to, summary->title);
    fnd_app_print(to, "%s%s, %s, at %d %s\n\n ", summary->title[0] ? "\n" : "", summary->method,
                  fnd_app_quantity(until, summary->until, "s"), c->level_count,
                  c->adaptive ? "tolerances, each a tenth of the previous one"
                              : "steps, each half of the previous one");
    put_cell(to, c->adaptive ? "tolerance" : "step", LABEL + 1);
    for (int k = 0; k < c->level_count; k++) put_cell(to, fnd_app_converge_label(c, k, until), COLUMN);
    fnd_app_put(to, "order     extrapolated    error bar: own, finest\n ");
    put_cell(to, "steps taken", LABEL + 1);
    for (int k = 0; k < c->level_count; k++) {
        char steps[FND_APP_NUMBER_SIZE] = "failed";
        if (c->levels[k].complete)
            fnd_number_format_digits((double)fender_run_get_summary(c->levels[k].run)->step_count, 15, steps,
                                     sizeof steps);
        if (k + 1 < c->level_count) put_cell(to, steps, COLUMN);
        else fnd_app_put(to, steps);
    }
    fnd_app_put(to, "\n");
}

static void put_strays(fnd_app_stream *to, const fender_convergence *c)
{
    for (int i = 0; i < c->stray_count; i++) {
        fnd_app_put(to, i == 0 ? "\n contacts whose number differs between levels\n   " : "   ");
        put_cell(to, c->strays[i].contact, LABEL - 1);
        for (int k = 0; k < c->level_count; k++) {
            char count[FND_APP_NUMBER_SIZE] = "-";
            if (c->levels[k].complete) snprintf(count, sizeof count, "%d", c->strays[i].counts[k]);
            if (k + 1 < c->level_count) put_cell(to, count, COLUMN);
            else fnd_app_put(to, count);
        }
        fnd_app_put(to, "\n");
    }
}

static void put_part(fnd_app_stream *to, const char *label, const fender_convergence *c, int level)
{
    const fender_convergence_result *worst = fender_convergence_worst(c, level);
    char part[FND_NUMBER_SIZE] = "", text[FND_APP_NUMBER_SIZE];
    if (worst == NULL) return;
    double value = fender_convergence_part(worst, level);
    if (isfinite(value)) fnd_number_format_digits(value, 2, part, sizeof part);
    fnd_app_print(to, " %-11s%s: ", label, fnd_app_converge_label(c, level, text));
    if (isfinite(value))
        fnd_app_print(to, "the largest relative error is %s%s, of ", part, mark_of(&worst->refinement));
    else fnd_app_put(to, "no error bar for ");
    fnd_app_put_clean(to, worst->name);
    fnd_app_put(to, " of ");
    fnd_app_put_clean(to, worst->group);
    fnd_app_put(to, "\n");
}

static void put_advice(fnd_app_stream *to, const fender_convergence *c)
{
    char bound[FND_NUMBER_SIZE], value[FND_APP_NUMBER_SIZE], label[FND_APP_NUMBER_SIZE];
    bool low = false;
    fnd_number_format_digits(c->bound, 4, bound, sizeof bound);
    fnd_app_put(to, "\n");
    if (c->levels[0].complete) put_part(to, "own", c, 0);
    put_part(to, "finest", c, c->finest);
    if (c->recommended >= 0) {
        const fender_convergence_level *level = &c->levels[c->recommended];
        if (c->adaptive) fnd_number_format_digits(level->value, 4, value, sizeof value);
        else fnd_app_duration_word(value, level->value);
        fnd_app_print(to, " for %-7s%s is enough: --set integrator.%s=%s\n", bound,
                      fnd_app_converge_label(c, c->recommended, label), c->adaptive ? "relative_tolerance" : "step",
                      value);
    } else {
        fnd_app_print(to, " for %-7snone of these is enough; try more --levels\n", bound);
    }
    for (int i = 0; i < c->result_count; i++) low |= strncmp(c->results[i].group, "contact ", 8) == 0;
    if (c->first_order_by_events && low)
        fnd_app_put(to, " next       contacts begin and end within steps, which reduces the order of the method:\n"
                        "            try --set integrator.locate_events=true\n");
}

static void fnd_app_converge_text(fnd_app *app, const fender_convergence *c)
{
    fnd_app_stream *to = &app->out;
    const char *group = "";
    int groups = 0, hidden = 0;
    bool doubt = false, vectors = false;
    if (!app->quiet) {
        put_head(to, c);
        for (int i = 0; i < c->result_count; i++) {
            const fender_convergence_result *result = &c->results[i];
            bool is_new = strcmp(group, result->group) != 0, contact = strncmp(result->group, "contact ", 8) == 0;
            group = result->group;
            if (is_new && contact) hidden += ++groups > SHOWN_GROUPS;
            if (contact && groups > SHOWN_GROUPS) continue;
            if (is_new && !contact && hidden > 0) fnd_app_print(to, "\n %d more contacts: see --json\n", hidden);
            if (!contact) hidden = 0;
            if (is_new) {
                fnd_app_put(to, "\n ");
                fnd_app_put_clean(to, group);
                fnd_app_put(to, "\n");
            }
            put_result(to, c, result);
            doubt |= mark_of(&result->refinement)[0] != '\0';
            vectors |= result->sequence.components > 1;
        }
        put_strays(to, c);
        if (c->contacts_cut > 0)
            fnd_app_print(to, "\n the first %d contacts are compared; %d more are not\n", FENDER_CONVERGENCE_CONTACTS,
                          c->contacts_cut);
        fnd_app_put(to, vectors || doubt ? "\n" : "");
        if (vectors) fnd_app_put(to, " position, velocity: distance from the finest level's\n");
        if (doubt)
            fnd_app_put(
                to,
                " ?  outside the asymptotic range, or at rounding: the bar is the largest difference between levels\n");
    }
    put_advice(to, c);
}

/* ---- JSON */

static void json_values(fnd_app_json *json, const fender_sequence *s)
{
    fnd_app_json_array(json, "values");
    for (int k = 0; k < s->levels; k++) {
        if (s->components > 1) fnd_app_json_array(json, NULL);
        for (int i = 0; i < s->components; i++) fnd_app_json_number(json, NULL, s->values[k][i]);
        if (s->components > 1) fnd_app_json_end(json);
    }
    fnd_app_json_end(json);
}

static void json_result(fnd_app_json *json, const fender_convergence *c, const fender_convergence_result *result)
{
    const fender_sequence *s = &result->sequence;
    const fender_refinement *r = &result->refinement;
    fnd_app_json_object(json, NULL);
    fnd_app_json_text(json, "of", result->group);
    fnd_app_json_text(json, "name", result->name);
    fnd_app_json_text(json, "unit", result->unit);
    json_values(json, s);
    fnd_app_json_text(json, "range", kind_of(r));
    fnd_app_json_number(json, "order", r->kind == FENDER_REFINEMENT_ASYMPTOTIC ? r->order : NAN);
    fnd_app_json_array(json, "extrapolated");
    for (int i = 0; i < s->components; i++)
        fnd_app_json_number(json, NULL, r->kind == FENDER_REFINEMENT_ASYMPTOTIC ? r->limit[i] : NAN);
    fnd_app_json_end(json);
    fnd_app_json_array(json, "error_bars");
    for (int k = 0; k < s->levels; k++) fnd_app_json_number(json, NULL, r->bars[k]);
    fnd_app_json_end(json);
    fnd_app_json_number(json, "own_error_bar", r->bars[0]);
    fnd_app_json_number(json, "finest_error_bar", r->bars[c->finest]);
    fnd_app_json_number(json, "own_relative_error", fender_convergence_part(result, 0));
    fnd_app_json_number(json, "finest_relative_error", fender_convergence_part(result, c->finest));
    fnd_app_json_end(json);
}

static void json_levels(fnd_app_json *json, const fender_convergence *c)
{
    fnd_app_json_array(json, "levels");
    for (int k = 0; k < c->level_count; k++) {
        const fender_convergence_level *level = &c->levels[k];
        fnd_app_json_object(json, NULL);
        fnd_app_json_number(json, c->adaptive ? "relative_tolerance" : "step", level->value);
        fnd_app_json_bool(json, "complete", level->complete);
        fnd_app_json_integer(json, "step_count",
                             level->run != NULL ? fender_run_get_summary(level->run)->step_count : 0);
        fnd_app_json_text(json, "error", level->complete ? NULL : level->error.message);
        fnd_app_json_end(json);
    }
    fnd_app_json_end(json);
}

static void fnd_app_converge_json(fnd_app *app, const fender_convergence *c)
{
    fnd_app_json json;
    fnd_app_json_open(&json, &app->out);
    fnd_app_json_object(&json, NULL);
    fnd_app_json_text(&json, "refined", c->adaptive ? "integrator.relative_tolerance" : "integrator.step");
    fnd_app_json_number(&json, "ratio", c->ratio);
    json_levels(&json, c);
    fnd_app_json_array(&json, "results");
    for (int i = 0; i < c->result_count; i++) json_result(&json, c, &c->results[i]);
    fnd_app_json_end(&json);
    fnd_app_json_array(&json, "contacts_not_shared");
    for (int i = 0; i < c->stray_count; i++) {
        fnd_app_json_object(&json, NULL);
        fnd_app_json_text(&json, "contact", c->strays[i].contact);
        fnd_app_json_array(&json, "counts");
        for (int k = 0; k < c->level_count; k++) fnd_app_json_integer(&json, NULL, c->strays[i].counts[k]);
        fnd_app_json_end(&json);
        fnd_app_json_end(&json);
    }
    fnd_app_json_end(&json);
    fnd_app_json_integer(&json, "contacts_not_compared", c->contacts_cut);
    fnd_app_json_number(&json, "bound", c->bound);
    fnd_app_json_number(&json, "recommended", c->recommended >= 0 ? c->levels[c->recommended].value : NAN);
    fnd_app_json_end(&json);
}

/* ---- the command */

static const fnd_app_option options[] = {
    {"--set", "PATH=VALUE", "replace a value of the scenario; can be repeated"},
    {"--levels", "N", "number of steps or tolerances, 3 to 10 (default: 4)"},
    {"--bound", "R", "relative error for which a step is recommended (default: 1e-3)"},
    {"--channel", "PATH", "also compare the value of a channel at the end; can be repeated"},
};

static bool read_number(const char *text, double *value)
{
    size_t used, length = strlen(text);
    return fnd_number_parse(text, length, value, &used) && used == length;
}

static int read_options(fnd_app *app, fender_convergence_def *def)
{
    const char *levels = fnd_app_option_value(app, "--levels"), *bound = fnd_app_option_value(app, "--bound");
    double number = def->level_count;
    if (strcmp(app->arguments[0], "-") == 0)
        return fnd_app_usage(app, "the scenario is read once per level, but standard input can be read only once",
                             "give the name of a file");
    if (levels != NULL && (!read_number(levels, &number) || number != floor(number) ||
                           !(number >= 3 && number <= FENDER_REFINEMENT_LEVELS)))
        return fnd_app_usage(app, "'--levels' must be a whole number from 3 to 10", "");
    if (bound != NULL && (!read_number(bound, &def->bound) || !(def->bound > 0 && def->bound < 1)))
        return fnd_app_usage(app, "'--bound' must be a number between 0 and 1", "for example --bound 1e-6");
    def->level_count = (int)number;
    return FND_APP_OK;
}

/* ---- what the library calls */

typedef struct caller {
    fnd_app *app;
    fnd_app_progress progress;
    bool first;    /* the scenario itself is read: its diagnostics are told */
    int exit_code; /* of the command line, when it is at fault */
} caller;

static fender_scenario *load(void *ctx, const fender_override *more, int count, fender_error *error)
{
    caller *c = ctx;
    fender_env env = c->app->env;
    if (!c->first) env.report = NULL;
    c->first = false;
    fender_scenario *scenario = fnd_app_load_more(c->app, &env, c->app->arguments[0], more, count, error,
                                                  &c->exit_code);
    if (scenario == NULL && error->status == FENDER_STATUS_OK) error->status = FENDER_STATUS_ARGUMENT; /* it was told */
    return scenario;
}

static void watch(void *ctx, fender_run *run)
{
    caller *c = ctx;
    if (run != NULL) {
        fnd_app_progress_begin(&c->progress, c->app);
        fnd_app_interrupt_watch(run);
    } else {
        fnd_app_interrupt_end();
        fnd_app_progress_end(&c->progress);
    }
}

static bool draw(void *ctx, const fender_progress *progress)
{
    caller *c = ctx;
    return fnd_app_progress_draw(&c->progress, progress);
}

/* ---- what it found */

static int tell_end(fnd_app *app, const fender_convergence *c, fender_status status)
{
    char message[160], label[FND_APP_NUMBER_SIZE];
    snprintf(message, sizeof message, "the run with %.60s was %s; nothing was compared",
             fnd_app_converge_label(c, c->levels_run - 1, label),
             status == FENDER_STATUS_MEMORY ? "stopped: there is not enough memory for it" : "interrupted");
    return fnd_app_error(app, status, message, "");
}

static int tell_failures(fnd_app *app, const fender_convergence *c)
{
    char message[480], label[FND_APP_NUMBER_SIZE];
    for (int i = 0; i < c->level_count; i++) {
        const fender_convergence_level *level = &c->levels[i];
        if (level->complete) continue;
        fender_error error = level->error;
        snprintf(message, sizeof message, "with %.60s: %.240s", fnd_app_converge_label(c, i, label),
                 error.message[0] ? error.message : fender_status_text(level->status));
        snprintf(error.message, sizeof error.message, "%.319s", message);
        fnd_app_print_error(app, &error);
    }
    if (c->complete_count >= 3) return FND_APP_OK;
    fnd_app_error(app, FENDER_STATUS_INTEGRATOR, "an order needs three consecutive levels that complete",
                  c->adaptive ? "first fix the error that stops the run"
                              : "try a shorter integrator.step, or more --levels");
    return FND_APP_RUN_FAILED;
}

static int tell(fnd_app *app, const fender_convergence *c, fender_status status)
{
    if (c->levels_run > 0 && c->levels[c->levels_run - 1].status == status && status != FENDER_STATUS_OK)
        return tell_end(app, c, status);
    if (status != FENDER_STATUS_OK) return fnd_app_error(app, status, "not enough memory for the results", "");
    if (app->json) fnd_app_converge_json(app, c);
    else if (c->complete_count >= 3) fnd_app_converge_text(app, c);
    return tell_failures(app, c);
}

static int execute(fnd_app *app)
{
    fender_convergence_def def = fender_convergence_def_default();
    fender_status status;
    fender_error error = {0};
    caller ctx = {.app = app, .first = true, .exit_code = FND_APP_OK};
    int errors_before = app->error_count, code = read_options(app, &def);
    if (code != FND_APP_OK) return code;
    const size_t size = (size_t)(app->given_count + 1) * sizeof(char *);
    const char **channels = fnd_app_allocate(app, size);
    if (channels == NULL) return fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory for the options", "");
    for (int i = 0; i < app->given_count; i++)
        if (strcmp(app->command->options[app->given[i].option].name, "--channel") == 0)
            channels[def.channel_count++] = app->given[i].value;
    def.channels = channels;
    def.load = load;
    def.watch = watch;
    def.progress = draw;
    def.ctx = &ctx;
    fender_convergence *c = fender_convergence_run(&app->env, &def, &status, &error);
    if (c != NULL) code = tell(app, c, status);
    else if (ctx.exit_code != FND_APP_OK) code = ctx.exit_code;
    else code = fnd_app_fail(app, &error, errors_before, "nothing was run");
    fender_convergence_destroy(c);
    fnd_app_release(app, channels, size);
    return code;
}

const fnd_app_command fnd_app_command_converge = {
    .group = "Understand",
    .name = "converge",
    .arguments = "SCENARIO",
    .summary = "refine steps or tolerances; show orders and error bars",
    .purpose = "run a scenario at refined steps or tolerances; show each result with its order and error bar",
    .details =
        "A fixed-step method runs with the scenario's step, half of it, a quarter and so on; an adaptive method with\n"
        "its tolerances divided by 10, 100 and so on. The command compares all contacts, the bodies at the end, the "
        "energy\n"
        "residual, and the channels of `expect`. The last lines name the coarsest sufficient step.\n"
        "A failed level is reported and the others continue; exit 1 if fewer than three consecutive levels remain.\n",
    .example = "  fender converge two_spheres.yaml --set integrator.locate_events=true --bound 1e-6",
    .files = "",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute,
};
