/* Summary of a run and step warnings, as text. */
#include "summary.h"

#include "describe.h"
#include "support/number.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- steps that are too long */

/* "a.s:b.t" */
static void name_pair(const fender_world *world, const fender_shape_id pair[2], char *text, size_t size)
{
    snprintf(text, size, "%.64s.%.64s:%.64s.%.64s", fender_body_name(world, fender_shape_body(world, pair[0])),
             fender_shape_name(world, pair[0]), fender_body_name(world, fender_shape_body(world, pair[1])),
             fender_shape_name(world, pair[1]));
}

/* Springs and dampers of friction that the step does not follow: slip goes to and fro instead of dying out. */
static void warn_of_friction(const fender_world_advice *advice, const fender_type_use *use, fnd_app *app)
{
    const fender_world_def *def = fender_world_get_def(advice->world);
    const fender_friction_advice *f = &use->friction;
    char message[700], suggestion[160], pair[280], text[5][FND_APP_NUMBER_SIZE];
    name_pair(advice->world, use->slippery, pair, sizeof pair);
    bool spring = f->stiffness > 0;
    fnd_app_quantity(text[0], spring ? f->stiffness : f->damping, spring ? "N/m" : "N*s/m");
    snprintf(
        message, sizeof message,
        "step %s is too long for the friction of contact type '%.64s': at %s it is a %s of %s on %s (%s), and %s is "
        "stable below %s: the slip will oscillate",
        fnd_app_duration(text[1], def->step), use->type.name, fnd_app_quantity(text[2], f->load, "N"),
        spring ? "spring" : "damper", text[0], fnd_app_quantity(text[3], f->mass, "kg"), pair,
        fender_integrator_name(def->method), fnd_app_duration(text[4], f->largest_step));
    snprintf(suggestion, sizeof suggestion, "try --set integrator.step=%s, or softer friction%s",
             fnd_app_duration_word(text[0], fnd_number_one_digit(f->largest_step / 2)),
             spring ? "" : " (a larger slip speed)");
    fnd_app_warn(app, message, suggestion);
}

/* The deflection of friction that slides decays faster than the step follows: it grows instead. */
static void warn_of_sliding(const fender_world_advice *advice, const fender_type_use *use, fnd_app *app)
{
    const fender_world_def *def = fender_world_get_def(advice->world);
    char message[600], suggestion[160], pair[280], text[3][FND_APP_NUMBER_SIZE];
    name_pair(advice->world, use->sliding, pair, sizeof pair);
    snprintf(message, sizeof message,
             "step %s is too long for the friction of contact type '%.64s' that slides at %s (%s): its deflection "
             "follows within amplitude / speed, and %s is stable below %s",
             fnd_app_duration(text[0], def->step), use->type.name, fnd_app_quantity(text[1], use->sliding_speed, "m/s"),
             pair, fender_integrator_name(def->method), fnd_app_duration(text[2], use->sliding_step));
    snprintf(suggestion, sizeof suggestion, "try --set integrator.step=%s, or a larger amplitude",
             fnd_app_duration_word(text[0], fnd_number_one_digit(use->sliding_step / 2)));
    fnd_app_warn(app, message, suggestion);
}

static void warn_of_stick_speed(const fender_world_advice *advice, const fender_type_use *use, fnd_app *app)
{
    double now = 0, least = fender_advise_stick_speed(advice->world, &use->type, &now);
    char message[400], suggestion[160], text[3][FND_APP_NUMBER_SIZE];
    if (!(now < least)) return;
    snprintf(message, sizeof message,
             "with steps of %s, bodies that slide on contact type '%.64s' slower than %s may oscillate and never "
             "stick: its stick_speed is %s",
             fnd_app_duration(text[0], fender_world_get_def(advice->world)->step), use->type.name,
             fnd_app_quantity(text[1], least, "m/s"), fnd_app_quantity(text[2], now, "m/s"));
    snprintf(suggestion, sizeof suggestion, "try stick_speed: %s m/s, or a shorter integrator.step",
             fnd_app_number(text[0], fnd_number_one_digit(2 * least)));
    fnd_app_warn(app, message, suggestion);
}

/* Damping, friction and rolling of what lies under its weight, at once. */
static void warn_of_rest(const fender_world_advice *advice, const fender_type_use *use, fnd_app *app)
{
    const fender_world_def *def = fender_world_get_def(advice->world);
    char message[600], suggestion[160], name[280], text[2][FND_APP_NUMBER_SIZE];
    name_pair(advice->world, use->resting, name, sizeof name);
    snprintf(message, sizeof message,
             "step %s is too long for bodies at rest on contact type '%.64s' (%s): %s is stable below %s, and the "
             "forces will oscillate",
             fnd_app_duration(text[0], def->step), use->type.name, name, fender_integrator_name(def->method),
             fnd_app_duration(text[1], use->resting_step));
    const fender_law *law = use->type.law ? use->type.law : use->type.normal;
    snprintf(suggestion, sizeof suggestion, "try --set integrator.step=%s, or %s",
             fnd_app_duration_word(text[0], fnd_number_one_digit(0.5 * use->resting_step)),
             law && fender_field_find(&law->parameters, "least_speed") ? "a larger least_speed of the law"
                                                                       : "a law with less damping at low speed");
    fnd_app_warn(app, message, suggestion);
}

void fnd_app_warn_of_step(const fender_world_advice *advice, fnd_app *app)
{
    double now = fender_world_get_def(advice->world)->step;
    const char *method = fender_integrator_name(fender_world_get_def(advice->world)->method);
    for (int i = 0; i < advice->use_count; i++) {
        const fender_type_use *use = &advice->uses[i];
        char message[600], suggestion[120], step[FND_APP_NUMBER_SIZE], limit[FND_APP_NUMBER_SIZE];
        char pair[280], mass[FND_APP_NUMBER_SIZE], stiffness[FND_APP_NUMBER_SIZE];
        if (use->friction_too_stiff) warn_of_friction(advice, use, app);
        if (use->slides_too_fast) warn_of_sliding(advice, use, app);
        if (use->pairs > 0) warn_of_stick_speed(advice, use, app);
        if (use->step_too_long_at_rest && !use->step_too_long && !use->friction_too_stiff)
            warn_of_rest(advice, use, app);
        if (!use->step_too_long) continue;
        name_pair(advice->world, use->lightest, pair, sizeof pair);
        snprintf(message, sizeof message,
                 "step %s is too long for contact type '%.64s': %s is stable below %s for %s on %s (%s)",
                 fnd_app_duration(step, now), use->type.name, method, fnd_app_duration(limit, use->advice.largest_step),
                 fnd_app_quantity(mass, use->advice.mass, "kg"),
                 fnd_app_quantity(stiffness, use->advice.stiffness, "N/m"), pair);
        snprintf(suggestion, sizeof suggestion, "try --set integrator.step=%s",
                 fnd_app_duration_word(step, fnd_number_one_digit(use->advice.largest_step / 10)));
        fnd_app_warn(app, message, suggestion);
    }
}

void fnd_app_warn_of_system_step(fnd_app *app, const fender_world *world, double longest)
{
    const fender_world_def *def = fender_world_get_def(world);
    char message[300], suggestion[120], text[2][FND_APP_NUMBER_SIZE];
    if (!(def->step > longest)) return;
    if (!(longest > 0)) { /* none was found, however short */
        fnd_app_warn(app,
                     "no step is short enough for the combined links and contacts that act at the start: disturbances "
                     "grow",
                     "check masses, inertias, units and places of the bodies that touch at the start");
        return;
    }
    snprintf(message, sizeof message,
             "step %s is too long for the combined links and contacts that act at the start: %s is stable below %s",
             fnd_app_duration(text[0], def->step), fender_integrator_name(def->method),
             fnd_app_duration(text[1], longest));
    snprintf(suggestion, sizeof suggestion, "try --set integrator.step=%s",
             fnd_app_duration_word(text[0], fnd_number_one_digit(0.5 * longest)));
    fnd_app_warn(app, message, suggestion);
}

void fnd_app_warn_of_speed(const fender_world_advice *advice, fnd_app *app)
{
    const fender_world_def *def = fender_world_get_def(advice->world);
    char message[512], suggestion[200], step[FND_APP_NUMBER_SIZE];
    if (def->locate_events || !(def->step > advice->crossing_time)) return;
    const char *names[4];
    for (int i = 0; i < 2; i++) {
        names[2 * i] = fender_body_name(advice->world, fender_shape_body(advice->world, advice->fastest[i]));
        names[2 * i + 1] = fender_shape_name(advice->world, advice->fastest[i]);
    }
    snprintf(message, sizeof message,
             "in one step of %s, %.64s.%.64s and %.64s.%.64s approach by more than the thickness of the smaller one: "
             "steps in which they meet are divided, and their forces are inaccurate",
             fnd_app_duration(step, def->step), names[0], names[1], names[2], names[3]);
    snprintf(suggestion, sizeof suggestion,
             "try --set integrator.step=%s or less, or `locate_events: true`, which locates grazing contacts",
             fnd_app_duration_word(step, fnd_number_one_digit(advice->crossing_time)));
    fnd_app_warn(app, message, suggestion);
}

static void warn_of_seam(const fender_world *world, const fender_shape_id pair[2], int count, fnd_app *app)
{
    char message[500], more[60] = "";
    if (count > 1) snprintf(more, sizeof more, ", and %d more pairs of surfaces", count - 1);
    snprintf(message, sizeof message,
             "'%.64s' and '%.64s' of body '%.64s' touch along a border%s: bodies are pushed at the seam, and probes "
             "lose the ground there",
             fender_shape_name(world, pair[0]), fender_shape_name(world, pair[1]),
             fender_body_name(world, fender_shape_body(world, pair[0])), more);
    fnd_app_warn(app, message, "put tiles of one terrain into one grid or mesh file");
}

void fnd_app_warn_of_tiles(const fender_world *world, fnd_app *app)
{
    const int count = fender_shape_count(world);
    fender_shape_id first[2];
    int found = 0;
    for (int i = 0; i < count && count <= FENDER_ADVICE_SHAPES; i++)
        for (int j = i + 1; j < count; j++) {
            const fender_shape_id pair[2] = {fender_shape_at(world, i), fender_shape_at(world, j)};
            if (!fender_shapes_adjoin(world, pair[0], pair[1])) continue;
            if (found++ == 0) first[0] = pair[0], first[1] = pair[1];
        }
    if (found > 0) warn_of_seam(world, first, found, app);
}

static bool is_round(const fender_world *world, fender_shape_id shape)
{
    fender_shape_def def;
    if (fender_shape_get_def(world, shape, &def) != FENDER_STATUS_OK) return false;
    const fender_geometry_type type = fender_geometry_type_of(def.geometry);
    return type == FENDER_GEOMETRY_SPHERE || type == FENDER_GEOMETRY_CAPSULE || type == FENDER_GEOMETRY_ELLIPSOID;
}

/* The first sphere, ellipsoid or capsule that may touch both shapes; false: none does. */
static bool find_round(const fender_world *world, const fender_shape_id pair[2], fender_shape_id *found)
{
    for (int i = 0; i < fender_shape_count(world); i++) {
        const fender_shape_id shape = fender_shape_at(world, i);
        bool touches = is_round(world, shape);
        for (int k = 0; k < 2 && touches; k++) {
            fender_pair_explanation e;
            touches = fender_world_explain(world, pair[k], shape, &e) == FENDER_STATUS_OK &&
                      e.reason == FENDER_PAIR_MAY_TOUCH;
        }
        *found = shape;
        if (touches) return true;
    }
    return false;
}

static void warn_of_joint(const fender_world *world, const fender_shape_id pair[2], fender_shape_id over, int count,
                          fnd_app *app)
{
    char message[500], more[60] = "";
    if (count > 1) snprintf(more, sizeof more, ", and %d more pairs of shapes", count - 1);
    snprintf(message, sizeof message,
             "'%.64s' and '%.64s' of body '%.64s' are flush%s: over their joint '%.64s' of body '%.64s' touches both "
             "and has the force of two contacts",
             fender_shape_name(world, pair[0]), fender_shape_name(world, pair[1]),
             fender_body_name(world, fender_shape_body(world, pair[0])), more, fender_shape_name(world, over),
             fender_body_name(world, fender_shape_body(world, over)));
    fnd_app_warn(app, message, "make one box, one hull or one mesh of them where it rolls or slides");
}

void fnd_app_warn_of_joints(const fender_world *world, fnd_app *app)
{
    const int count = fender_shape_count(world);
    fender_shape_id first[2], over = {0}, any;
    int found = 0;
    for (int i = 0; i < count && count <= FENDER_ADVICE_SHAPES; i++)
        for (int j = i + 1; j < count; j++) {
            const fender_shape_id pair[2] = {fender_shape_at(world, i), fender_shape_at(world, j)};
            if (!fender_shapes_flush(world, pair[0], pair[1]) || !find_round(world, pair, &any)) continue;
            if (found++ == 0) first[0] = pair[0], first[1] = pair[1], over = any;
        }
    if (found > 0) warn_of_joint(world, first, over, found, app);
}

/* ---- the summary */

enum { SHOWN_EPISODES = 20, SHOWN_APPROACHES = 20, SHOWN_MISSES = 20, SHOWN_ACTIONS = 20, NAME_WIDTH = 25 };

/* Beyond this a result is marked: momentum is conserved by the method itself, so that only rounding should be left. */
static const double drift_bound = 1e-9;

void fnd_app_summary_head(fnd_app_stream *to, const fender_run_summary *summary)
{
    char step[FND_APP_NUMBER_SIZE], until[FND_APP_NUMBER_SIZE];
    if (summary->title != NULL && summary->title[0]) {
        fnd_app_put_clean(to, summary->title);
        fnd_app_put(to, "\n");
    }
    fnd_app_print(to, "%d %s, %d %s, %" PRId64 " %s; %s, ", summary->body_count,
                  fnd_app_plural(summary->body_count, "body", "bodies"), summary->shape_count,
                  fnd_app_plural(summary->shape_count, "shape", "shapes"), summary->pair_count,
                  fnd_app_plural(summary->pair_count, "pair", "pairs"), summary->method);
    if (summary->relative_tolerance > 0)
        fnd_app_print(to, "relative tolerance %s", fnd_app_number(step, summary->relative_tolerance));
    else fnd_app_print(to, "step %s", fnd_app_duration(step, summary->step));
    fnd_app_print(to, ", %s\n", fnd_app_duration(until, summary->until));
}

/* ---- contacts */

static void put_left(fnd_app_stream *to, const char *text, size_t width)
{
    fnd_app_put(to, text);
    fnd_app_put_padding(to, strlen(text), width);
}

static void put_right(fnd_app_stream *to, const char *text, size_t width)
{
    if (strlen(text) < width) fnd_app_put_padding(to, strlen(text), width);
    fnd_app_put(to, text);
}

static const char *time_text(char text[FND_APP_NUMBER_SIZE], double time, int decimals)
{
    size_t used = strlen(fnd_app_fixed(text, time, decimals));
    snprintf(text + used, FND_APP_NUMBER_SIZE - used, " s");
    return text;
}

/* Of an action: with located events it may act between two points of the grid. */
static const char *action_time(char text[FND_APP_NUMBER_SIZE], double time, double step)
{
    const double steps = time / step;
    int decimals = fnd_app_step_decimals(step);
    if (fabs(steps - floor(steps + 0.5)) > 1e-9 * fabs(steps) && decimals < 6) decimals = 6;
    return time_text(text, time, decimals);
}

/* The columns of the table of contacts. The times of begin and end stand to the right of their column. */
enum { NAME, BEGINS, ENDS, FORCE, FORCE_TIME, DEPTH, IMPULSE, SPEED_IN, SPEED_OUT, COLUMN_COUNT };
static const struct {
    const char *title;
    size_t width; /* at least, with the space behind */
    bool right;
} columns[COLUMN_COUNT] = {
    [NAME] = {"contact", NAME_WIDTH, false}, [BEGINS] = {"begins", 6, true},   [ENDS] = {"ends", 6, true},
    [FORCE] = {"peak force", 13, false},     [FORCE_TIME] = {"at", 10, false}, [DEPTH] = {"depth", 11, false},
    [IMPULSE] = {"impulse", 12, false},      [SPEED_IN] = {"in", 10, false},   [SPEED_OUT] = {"out", 0, false},
};

/* Touched and let go between two accepted states: force and depth are looked at in accepted states alone. */
static bool unseen(const fender_episode *episode)
{
    return !isnan(episode->end_time) && episode->peak_force == 0 && episode->peak_depth == 0;
}

/* The estimate of the error stands beside the force where it shows in the digits that are printed. */
static const char *force_text(char text[FND_APP_NUMBER_SIZE], const fender_episode *episode)
{
    char off[FND_APP_NUMBER_SIZE];
    double error = episode->errors.peak_force;
    size_t used = strlen(fnd_app_quantity(text, episode->peak_force, "N"));
    if (!(error > 1e-6 * fabs(episode->peak_force))) return text;
    if (!isfinite(error)) {
        snprintf(text + used, FND_APP_NUMBER_SIZE - used, " +-inf");
        return text;
    }
    double unit = 1; /* two digits are all that an estimate is worth */
    while (unit * 100 <= error) unit *= 10;
    while (unit * 10 > error && unit > 1e-300) unit /= 10;
    snprintf(text + used, FND_APP_NUMBER_SIZE - used, " +-%s", fnd_app_number(off, ceil(error / unit) * unit));
    return text;
}

static const char *episode_cell(char text[FND_APP_NUMBER_SIZE], const fender_episode *episode, int column, int decimals)
{
    bool open = isnan(episode->end_time);
    switch (column) {
    case NAME: return episode->contact;
    case BEGINS: return time_text(text, episode->begin_time, decimals);
    case ENDS: return open ? "lasts" : time_text(text, episode->end_time, decimals);
    case FORCE: return unseen(episode) ? "-" : force_text(text, episode);
    case FORCE_TIME: return unseen(episode) ? "-" : time_text(text, episode->peak_force_time, decimals);
    case DEPTH: return unseen(episode) ? "-" : fnd_app_quantity(text, episode->peak_depth, "m");
    case IMPULSE: return fnd_app_quantity(text, episode->impulse, "N*s");
    case SPEED_IN: return fnd_app_quantity(text, episode->approach_speed, "m/s");
    default: return open ? "-" : fnd_app_quantity(text, episode->rebound_speed, "m/s");
    }
}

static void put_cell(fnd_app_stream *to, const char *text, int column, size_t width)
{
    if (columns[column].right) {
        put_right(to, text, width);
        fnd_app_put(to, "   ");
    } else if (column == SPEED_OUT) {
        fnd_app_put(to, text);
    } else {
        put_left(to, text, width);
    }
}

/* Below the table, where the peak force is not what a contact bore. */
static void print_pulls(fnd_app_stream *to, const fender_run_summary *summary, int shown, int decimals)
{
    char text[2][FND_APP_NUMBER_SIZE];
    for (int i = 0; i < shown; i++) {
        const fender_episode *e = &summary->episodes[i];
        if (!(e->peak_pull > e->peak_force)) continue;
        fnd_app_print(to, "   %s was pulled by %s at %s\n", e->contact, fnd_app_quantity(text[0], e->peak_pull, "N"),
                      time_text(text[1], e->peak_pull_time, decimals));
    }
}

static void print_episodes(fnd_app_stream *to, const fender_run_summary *summary, const fender_world_def *def)
{
    char text[FND_APP_NUMBER_SIZE];
    size_t widths[COLUMN_COUNT];
    int shown = summary->episode_count < SHOWN_EPISODES ? summary->episode_count : SHOWN_EPISODES;
    int decimals = fnd_app_step_decimals(summary->step);
    double tolerance = def->event_tolerance;
    bool located = def->locate_events || fender_integrator_adaptive(def->method);
    if (located && decimals < 6) decimals = 6;
    fnd_app_put(to, "\n ");
    for (int k = 0; k < COLUMN_COUNT; k++) {
        widths[k] = columns[k].width;
        for (int i = 0; i < shown; i++) {
            size_t length = strlen(episode_cell(text, &summary->episodes[i], k, decimals));
            if (!columns[k].right) length += k == NAME ? 2 : 1;
            if (length > widths[k]) widths[k] = length;
        }
        put_cell(to, columns[k].title, k, widths[k]);
    }
    fnd_app_put(to, "\n");
    for (int i = 0; i < shown; i++) {
        fnd_app_put(to, " ");
        for (int k = 0; k < COLUMN_COUNT; k++)
            put_cell(to, episode_cell(text, &summary->episodes[i], k, decimals), k, widths[k]);
        fnd_app_put(to, unseen(&summary->episodes[i]) ? "   inside one step\n" : "\n");
    }
    int64_t more = summary->episode_count - shown + summary->episodes_dropped;
    if (more > 0) fnd_app_print(to, "   and %" PRId64 " more: see events.csv\n", more);
    print_pulls(to, summary, shown, decimals);
    if (located)
        fnd_app_print(to, "   begin and end times are located to %s s\n", fnd_app_scientific(text, tolerance, 0));
    else
        fnd_app_print(to, "   begin and end times are accurate to one step (%s); `locate_events: true` locates them\n",
                      fnd_app_duration(text, summary->step));
}

/* ---- pairs of bodies, and links */

enum { SHOWN_ROWS = 20, CELL_COLUMNS = 8, CELL_SIZE = 2 * FND_APP_NUMBER_SIZE };

/* Rows of texts, of which the first is the name: as wide as they are. */
typedef struct cell_table {
    char names[SHOWN_ROWS][132];
    char cells[SHOWN_ROWS][CELL_COLUMNS][CELL_SIZE];
    int rows, columns;
} cell_table;

static void print_cells(fnd_app_stream *to, const cell_table *table, const char *name, const char *const *titles)
{
    size_t widths[CELL_COLUMNS], name_width = NAME_WIDTH;
    for (int i = 0; i < table->rows; i++)
        if (strlen(table->names[i]) + 2 > name_width) name_width = strlen(table->names[i]) + 2;
    for (int k = 0; k < table->columns; k++) {
        widths[k] = strlen(titles[k]) + 2;
        for (int i = 0; i < table->rows; i++)
            if (strlen(table->cells[i][k]) + 2 > widths[k]) widths[k] = strlen(table->cells[i][k]) + 2;
    }
    fnd_app_put(to, "\n ");
    put_left(to, name, name_width);
    for (int k = 0; k + 1 < table->columns; k++) put_left(to, titles[k], widths[k]);
    fnd_app_print(to, "%s\n", titles[table->columns - 1]);
    for (int i = 0; i < table->rows; i++) {
        fnd_app_put(to, " ");
        put_left(to, table->names[i], name_width);
        for (int k = 0; k + 1 < table->columns; k++) put_left(to, table->cells[i][k], widths[k]);
        fnd_app_print(to, "%s\n", table->cells[i][table->columns - 1]);
    }
}

static void set_cell(cell_table *table, int column, const char *text)
{
    snprintf(table->cells[table->rows][column], CELL_SIZE, "%.*s", CELL_SIZE - 1, text);
}

/* Of those alone in which several shapes have touched: the table of contacts has the others. */
static void print_body_pairs(fnd_app_stream *to, const fender_run_summary *summary)
{
    static const char *const titles[] = {"contacts", "first", "last", "peak force", "at", "impulse", "lost"};
    char text[FND_APP_NUMBER_SIZE];
    cell_table table = {.columns = 7};
    int decimals = fnd_app_step_decimals(summary->step), more = 0;
    for (int i = 0; i < summary->body_pair_count; i++) {
        const fender_body_pair_summary *pair = &summary->body_pairs[i];
        if (!pair->several) continue;
        if (table.rows == SHOWN_ROWS) {
            more++;
            continue;
        }
        snprintf(table.names[table.rows], sizeof table.names[0], "%.64s:%.64s", pair->a, pair->b);
        snprintf(table.cells[table.rows][0], CELL_SIZE, "%" PRId64, pair->contact_count);
        set_cell(&table, 1, time_text(text, pair->begin_time, decimals));
        set_cell(&table, 2, isnan(pair->end_time) ? "lasts" : time_text(text, pair->end_time, decimals));
        set_cell(&table, 3, fnd_app_quantity(text, pair->peak_force, "N"));
        set_cell(&table, 4, time_text(text, pair->peak_force_time, decimals));
        set_cell(&table, 5, fnd_app_quantity(text, pair->impulse, "N*s"));
        set_cell(&table, 6, fnd_app_quantity(text, pair->energy_lost, "J"));
        table.rows++;
    }
    if (table.rows == 0) return;
    print_cells(to, &table, "bodies", titles);
    if (more > 0) fnd_app_print(to, "   and %d more: see summary.json\n", more);
}

static const char *link_state(const fender_link_summary *link)
{
    return link->broken ? "broken" : link->spent ? "spent" : link->captured ? "captured" : link->active ? "on" : "off";
}

static void set_length(cell_table *table, int column, double value)
{
    char text[FND_APP_NUMBER_SIZE];
    set_cell(table, column, isnan(value) ? "-" : fnd_app_quantity(text, value, "m"));
}

static void print_links(fnd_app_stream *to, const fender_run_summary *summary)
{
    static const char *const titles[] = {"peak force", "at", "shortest", "longest", "stroke left", "lost", "state"};
    char text[FND_APP_NUMBER_SIZE];
    cell_table table = {.columns = 7};
    int decimals = fnd_app_step_decimals(summary->step), more = 0;
    for (int i = 0; i < summary->link_count; i++) {
        const fender_link_summary *link = &summary->links[i];
        if (isnan(link->longest)) continue; /* it was never switched on */
        if (table.rows == SHOWN_ROWS) {
            more++;
            continue;
        }
        const bool pulled = link->peak_force > 0;
        snprintf(table.names[table.rows], sizeof table.names[0], "%.128s", link->link);
        set_cell(&table, 0, fnd_app_quantity(text, link->peak_force, "N"));
        set_cell(&table, 1, pulled ? time_text(text, link->peak_force_time, decimals) : "-");
        set_length(&table, 2, link->shortest);
        set_length(&table, 3, link->longest);
        set_length(&table, 4, link->stroke_left);
        set_cell(&table, 5, fnd_app_quantity(text, link->energy_lost, "J"));
        set_cell(&table, 6, link_state(link));
        table.rows++;
    }
    if (table.rows == 0) return;
    print_cells(to, &table, "link", titles);
    if (more > 0) fnd_app_print(to, "   and %d more: see summary.json\n", more);
}

/* ---- actions */

static void print_attachment(fnd_app_stream *to, const fender_attachment *item, double step)
{
    char text[FND_APP_NUMBER_SIZE];
    const fender_attach_report *r = &item->report;
    double moved = sqrt(fender_vec3_dot(r->child_displacement, r->child_displacement));
    fnd_app_put(to, " ");
    put_left(to, action_time(text, item->time, step), 11);
    fnd_app_print(to, " %s %s %s  (%s)   moved ", item->child, item->reattached ? "moved on" : "attached to",
                  item->parent, item->action);
    fnd_app_put(to, fnd_app_quantity(text, moved, "m"));
    fnd_app_print(to, ", turned %s,", fnd_app_quantity(text, r->rotation, "rad"));
    fnd_app_print(to, " energy lost %s", fnd_app_quantity(text, r->kinetic_energy_lost, "J"));
    fnd_app_print(to, " of motion, %s in contacts and links\n", fnd_app_quantity(text, r->contact_energy_lost, "J"));
}

static void print_actions(fnd_app_stream *to, const fender_run_summary *summary)
{
    char text[FND_APP_NUMBER_SIZE];
    int attachments = summary->attachment_count < SHOWN_ACTIONS ? summary->attachment_count : SHOWN_ACTIONS;
    int emissions = summary->emission_count < SHOWN_ACTIONS ? summary->emission_count : SHOWN_ACTIONS;
    if (attachments + emissions == 0) return;
    fnd_app_put(to, "\n");
    for (int i = 0; i < attachments; i++) print_attachment(to, &summary->attachments[i], summary->step);
    for (int i = 0; i < emissions; i++) {
        const fender_emission *item = &summary->emissions[i];
        fnd_app_put(to, " ");
        put_left(to, action_time(text, item->time, summary->step), 11);
        fnd_app_print(to, " event %s  (%s)\n", item->event, item->action);
    }
    int64_t more = summary->attachment_count - attachments + summary->attachments_dropped + summary->emission_count -
                   emissions + summary->emissions_dropped;
    if (more > 0) fnd_app_print(to, "   and %" PRId64 " more: see events.csv\n", more);
}

static void print_approaches(fnd_app_stream *to, const fender_run_summary *summary)
{
    int shown = summary->approach_count < SHOWN_APPROACHES ? summary->approach_count : SHOWN_APPROACHES;
    int decimals = fnd_app_step_decimals(summary->step);
    size_t name_width = NAME_WIDTH;
    if (summary->pair_count == 0) {
        fnd_app_put(to, "\n no contact: no two shapes can touch; `fender explain SCENARIO A B` states the reason\n");
        return;
    }
    for (int i = 0; i < shown; i++)
        if (strlen(summary->approaches[i].contact) >= name_width)
            name_width = strlen(summary->approaches[i].contact) + 1;
    if (shown == 0) {
        fnd_app_put(to, "\n no contact\n");
        return;
    }
    fnd_app_put(to, "\n no contact; closest approach of each pair at accepted steps, nearest first\n");
    for (int i = 0; i < shown; i++) {
        const fender_closest_approach *one = &summary->approaches[i];
        char text[FND_APP_NUMBER_SIZE], both[2 * FND_APP_NUMBER_SIZE];
        fnd_app_put(to, " ");
        put_left(to, one->contact, name_width);
        bool known = !(one->least < 0.95 * one->distance) || one->distance <= 0;
        snprintf(both, sizeof both, "%s%s", known ? "" : fnd_app_number(text, one->least), known ? "" : " to ");
        snprintf(both + strlen(both), sizeof both - strlen(both), "%s", fnd_app_quantity(text, one->distance, "m"));
        put_left(to, both, 14);
        fnd_app_print(to, "at %s\n", time_text(text, summary->approaches[i].time, decimals));
    }
    if (summary->pair_count > shown)
        fnd_app_print(to, "   and %" PRId64 " more pairs that stayed apart\n", summary->pair_count - shown);
}

/* ---- energy and momentum */

/* Also when either is not a number any more: then nothing can be trusted. */
static bool beyond(double value, double bound) { return value != 0 && (!(value <= bound) || isinf(bound)); }

static double total_energy(const fender_ledger *ledger)
{
    return ledger->kinetic + ledger->gravitational + ledger->stored;
}

/* A number of which only the size matters. */
static const char *size_text(char text[FND_APP_NUMBER_SIZE], double value, const char *unit)
{
    if (value == 0) return fnd_app_quantity(text, 0, unit);
    size_t used = strlen(fnd_app_scientific(text, value, 1));
    snprintf(text + used, FND_APP_NUMBER_SIZE - used, " %s", unit);
    return text;
}

/* The step to try: that which the contacts ask for, when the one used was too long for them. */
static double better_step(const fender_run_summary *summary, double proposed_step)
{
    return proposed_step > 0 ? proposed_step : summary->step / 2;
}

static const char *better_step_words(double proposed_step)
{
    return proposed_step > 0 ? "the step is too long for a contact" : "try half the step";
}

static void print_energy(fnd_app_stream *to, const fender_run_summary *summary, double proposed_step)
{
    const fender_ledger *end = &summary->end;
    char start_text[FND_APP_NUMBER_SIZE], end_text[FND_APP_NUMBER_SIZE], text[FND_APP_NUMBER_SIZE];
    double start = total_energy(&summary->start), scale = end->scale;
    const double bound = summary->residual_bound * scale;
    bool marked = beyond(summary->largest_residual, bound + summary->residual_floor);
    bool rounded = !marked && beyond(summary->largest_residual, bound);
    fnd_app_print(to, "\n energy      start %s    end %s    damping ", fnd_app_quantity(start_text, start, "J"),
                  fnd_app_quantity(end_text, total_energy(end), "J"));
    fnd_app_put(to, fnd_app_quantity(text, end->damping - summary->start.damping, "J"));
    fnd_app_print(to, "    friction %s", fnd_app_quantity(text, end->friction - summary->start.friction, "J"));
    if (end->applied != summary->start.applied)
        fnd_app_print(to, "    applied %s", fnd_app_quantity(text, end->applied - summary->start.applied, "J"));
    if (end->motor != summary->start.motor)
        fnd_app_print(to, "    motor %s", fnd_app_quantity(text, end->motor - summary->start.motor, "J"));
    if (fabs(end->attachment - summary->start.attachment) > 1e-15 * scale)
        fnd_app_print(to, "    attachment %s",
                      fnd_app_quantity(text, end->attachment - summary->start.attachment, "J"));
    fnd_app_print(to, "    residual %s", size_text(text, end->residual, "J"));
    if (end->residual != 0 && scale > 0 && isfinite(scale) && isfinite(end->residual)) {
        bool of_start = start >= scale / 2;
        fnd_app_print(to, "  (%s of the %s)",
                      fnd_app_scientific(text, fabs(end->residual) / (of_start ? start : scale), 0),
                      of_start ? "start" : "energy at work");
    }
    fnd_app_put(to, marked ? " !\n" : rounded ? " rounding\n" : "\n");
    if (!marked) return;
    fnd_app_print(to, "   ! at most %s in between, ", size_text(text, summary->largest_residual, "J"));
    if (summary->energy_remedy) {
        fnd_app_print(to, "above %s of the energy at work;\n     %s\n",
                      fnd_app_scientific(start_text, summary->residual_bound, 0), summary->energy_remedy);
        return;
    }
    fnd_app_print(to,
                  "above %s of the energy at work; %s\n"
                  "     (--set integrator.step=%s); `fender check` shows the longest stable one\n",
                  fnd_app_scientific(start_text, summary->residual_bound, 0), better_step_words(proposed_step),
                  fnd_app_duration_word(text, better_step(summary, proposed_step)));
}

static void print_verdict(fnd_app_stream *to, const fender_run_summary *summary)
{
    if (summary->verdict == FENDER_RUN_SOUND || summary->reason_count == 0) return;
    fnd_app_print(to, " verdict     %s: ", fender_run_verdict_name(summary->verdict));
    for (int i = 0; i < summary->reason_count; i++) {
        if (i > 0) fnd_app_put(to, "; ");
        fnd_app_put_clean(to, summary->reasons[i]);
    }
    fnd_app_put(to, "\n");
}

/* Contacts whose modes turned too often to follow each change. */
static void print_frozen_modes(fnd_app_stream *to, const fender_run_summary *summary, const fender_world *world)
{
    if (summary->modes_frozen == 0) return;
    fnd_app_print(to, " events      %" PRId64 " times a contact kept its modes until the end of a step",
                  summary->modes_frozen);
    const char *a = fender_shape_name(world, summary->frozen_a), *b = fender_shape_name(world, summary->frozen_b);
    if (a != NULL && b != NULL && *a != '\0' && *b != '\0') {
        fnd_app_put(to, ", the last one ");
        fnd_app_put_clean(to, fender_body_name(world, fender_shape_body(world, summary->frozen_a)));
        fnd_app_print(to, ".%s:", a);
        fnd_app_put_clean(to, fender_body_name(world, fender_shape_body(world, summary->frozen_b)));
        fnd_app_print(to, ".%s", b);
    }
    fnd_app_put(to, "\n");
}

typedef struct momentum_bounds {
    double linear, angular; /* N*s, N*m*s */
} momentum_bounds;

/* A small part of the momentum that a world of this mass can carry with this much energy, and of the angular momentum
 * that it can carry at the distance of its farthest body; to which comes what rounding of the positions alone makes of
 * that momentum: far from the origin each step rounds them by up to one unit in the last place, at random. Both 0 when
 * nothing can move. */
static momentum_bounds bounds_of_momentum(const fender_world *world, const fender_run_summary *summary)
{
    double mass = 0, farthest = 0, reach = 0, outermost = 0;
    for (int i = 0; i < fender_body_count(world); i++) {
        fender_body_def def;
        fender_body_data data;
        fender_body_id body = fender_body_at(world, i);
        if (fender_body_get_def(world, body, &def) != FENDER_STATUS_OK || def.motion != FENDER_MOTION_DYNAMIC ||
            fender_body_parent(world, body).index1 != 0 || /* counted with its root */
            fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &data) != FENDER_STATUS_OK)
            continue;
        fender_vec3 arm = fender_vec3_sub(data.center_position, summary->end.momentum_origin);
        double distance = sqrt(fender_vec3_dot(arm, arm));
        double out = sqrt(fender_vec3_dot(data.center_position, data.center_position));
        mass += data.mass;
        if (out > outermost) outermost = out;
        if (distance > farthest) farthest = distance;
        for (int k = 0; k < 3; k++) {
            double gyration = sqrt(data.inertia.m[k][k] / data.mass);
            if (gyration > reach) reach = gyration;
        }
    }
    double start = sqrt(fender_vec3_dot(summary->end.momentum_origin, summary->end.momentum_origin));
    if (start > outermost) outermost = start;
    double linear = sqrt(2 * mass * summary->end.scale), steps = sqrt((double)summary->step_count + 1);
    double rounding = 2 * steps * DBL_EPSILON;
    return (momentum_bounds){.linear = (drift_bound + rounding) * linear,
                             .angular = (drift_bound * (farthest + reach) + rounding * outermost) * linear};
}

static void print_momentum(fnd_app_stream *to, const fender_run_summary *summary, const fender_world *world,
                           double proposed_step)
{
    char text[FND_APP_NUMBER_SIZE];
    momentum_bounds bounds = bounds_of_momentum(world, summary);
    bool linear_marked = beyond(summary->largest_linear_drift, bounds.linear);
    bool angular_marked = beyond(summary->largest_angular_drift, bounds.angular);
    fnd_app_print(to, " momentum    drift %s linear%s, ", size_text(text, summary->largest_linear_drift, "N*s"),
                  linear_marked ? " !" : "");
    fnd_app_print(to, "%s angular%s\n", size_text(text, summary->largest_angular_drift, "N*m*s"),
                  angular_marked ? " !" : "");
    if (!linear_marked && !angular_marked) return;
    fnd_app_print(to, "   ! above %s of the momentum that these bodies could have; ",
                  fnd_app_scientific(text, drift_bound, 0));
    fnd_app_print(to, "%s (--set integrator.step=%s)\n", better_step_words(proposed_step),
                  fnd_app_duration_word(text, better_step(summary, proposed_step)));
}

/* ---- expectations and files */

static void print_expectations(fnd_app_stream *to, const fender_run_summary *summary)
{
    int shown = 0;
    if (summary->expectation_count == 0) return;
    fnd_app_print(to, " expected    %d of %d met\n", summary->expectations_met, summary->expectation_count);
    for (int i = 0; i < summary->expectation_count && shown < SHOWN_MISSES; i++) {
        const fender_expectation_result *result = &summary->expectations[i];
        if (result->met) continue;
        shown++;
        fnd_app_put(to, "   missed    ");
        fnd_app_put_clean(to, result->text);
        if (result->source != NULL && result->source[0]) {
            fnd_app_put(to, "   source: ");
            fnd_app_put_clean(to, result->source);
        }
        fnd_app_put(to, "   ");
        fnd_app_put_clean(to, result->file);
        fnd_app_print(to, ":%d\n", result->line);
    }
    int missed = summary->expectation_count - summary->expectations_met;
    if (missed > shown) fnd_app_print(to, "   and %d more: see summary.json\n", missed - shown);
}

static void print_files(fnd_app_stream *to, const fender_run_summary *summary)
{
    if (summary->output_directory == NULL) return;
    fnd_app_put(to, "\n wrote ");
    fnd_app_put_clean(to, summary->output_directory);
    fnd_app_put(to, "/ ");
    for (int i = 0; i < summary->file_count; i++) {
        fnd_app_put(to, "  ");
        fnd_app_put_clean(to, summary->files[i]);
    }
    fnd_app_put(to, "\n");
}

/* Steps of an adaptive method are not those of hashes.csv, which are multiples of integrator.step. */
static void print_hash(fnd_app_stream *to, const fender_run_summary *summary, fender_integrator_method method)
{
    char text[FND_APP_NUMBER_SIZE];
    fnd_app_print(to, " hash  %016" PRIx64 "  of state, contact memory and events ", summary->hash);
    if (fender_integrator_adaptive(method))
        fnd_app_print(to, "at %s, after %" PRId64 " %s\n", action_time(text, summary->end_time, summary->step),
                      summary->step_count, fnd_app_plural(summary->step_count, "step", "steps"));
    else fnd_app_print(to, "after step %" PRId64 "\n", summary->step_count);
}

void fnd_app_summary_body(fnd_app_stream *to, const fender_run_summary *summary, const fender_world *world,
                          double proposed_step)
{
    if (summary->interrupted) {
        char end[FND_APP_NUMBER_SIZE], until[FND_APP_NUMBER_SIZE];
        fnd_app_print(to, "\n interrupted at %s of %s: the following results end there\n",
                      time_text(end, summary->end_time, fnd_app_step_decimals(summary->step)),
                      fnd_app_quantity(until, summary->until, "s"));
    }
    if (summary->episode_count > 0) print_episodes(to, summary, fender_world_get_def(world));
    else print_approaches(to, summary);
    print_body_pairs(to, summary);
    print_links(to, summary);
    print_actions(to, summary);
    print_energy(to, summary, proposed_step);
    print_frozen_modes(to, summary, world);
    print_momentum(to, summary, world, proposed_step);
    print_expectations(to, summary);
    print_verdict(to, summary);
    print_files(to, summary);
    print_hash(to, summary, fender_world_get_def(world)->method);
    if (summary->output_directory != NULL) {
        fnd_app_put(to, " next  fender report ");
        fnd_app_put_clean(to, summary->output_directory);
        fnd_app_put(to, "\n");
    }
}
