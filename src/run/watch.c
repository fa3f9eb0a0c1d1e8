/* The first time within a proposed step at which a condition becomes true. An adaptive method is looked at by its dense
 * output: at eighths of the step, at the points of the grid that are not far from every limit, and where a number of a
 * condition turns between them. */
#include "run/watch.h"

#include "run/run.h"

#include <math.h>
#include <string.h>

/* ---- conditions that wait */

/* What conditions that may become true within a step read. */
typedef enum fnd_reading { READ_NOTHING, READ_MOTION, READ_FORCES } fnd_reading;

static fnd_reading reading_of(const fnd_condition_tree *tree)
{
    return !tree->watched ? READ_NOTHING : tree->forces ? READ_FORCES : READ_MOTION;
}

/* Fixed steps are looked at where they end, where a condition that holds is followed in any case. */
static bool waits(const fender_run *run, const fnd_action_state *action)
{
    if (action->done || isfinite(action->due)) return false;
    return run->adaptive || !action->held || action->when.timed;
}

static fnd_reading kept_read(const fender_run *run)
{
    fnd_reading most = READ_NOTHING;
    for (int i = 0; i < run->expectations.count; i++) {
        const fnd_expectation_state *kept = &run->expectations.states[i];
        const fnd_reading reading = fnd_expectation_waits(kept) ? reading_of(&kept->when) : READ_NOTHING;
        if (reading > most) most = reading;
    }
    return most;
}

static fnd_reading conditions_read(const fender_run *run)
{
    if (!run->located) return READ_NOTHING;
    if (run->watch.keeping) return kept_read(run);
    fnd_reading most = reading_of(&run->stop_when);
    for (int i = 0; i < run->actions.count; i++) {
        const fnd_action_state *action = &run->actions.states[i];
        const fnd_reading reading = waits(run, action) ? reading_of(&action->when) : READ_NOTHING;
        if (reading > most) most = reading;
    }
    return most;
}

/* Conditions are counted from -1: that of the end of the run, those of actions. Those of values that are kept follow
 * from 0. */
static int conditions_end(const fender_run *run)
{
    return run->watch.keeping ? run->expectations.count : run->actions.count;
}

/* NULL: not of an action. */
static fnd_action_state *action_at(fender_run *run, int index)
{
    return index >= 0 && !run->watch.keeping ? &run->actions.states[index] : NULL;
}

static fnd_condition_tree *kept_at(fender_run *run, int index)
{
    fnd_expectation_state *kept = index >= 0 ? &run->expectations.states[index] : NULL;
    return kept && fnd_expectation_waits(kept) && kept->when.watched ? &kept->when : NULL;
}

/* NULL: it is not looked at. */
static fnd_condition_tree *tree_at(fender_run *run, int index)
{
    if (run->watch.keeping) return kept_at(run, index);
    fnd_action_state *action = action_at(run, index);
    fnd_condition_tree *tree = action ? &action->when : &run->stop_when;
    return tree->watched && (!action || waits(run, action)) ? tree : NULL;
}

/* ---- looks */

typedef struct search {
    fender_run *run;
    const fender_proposal *proposal;
    fnd_reading reading;
    double tolerance, gap; /* s */
    fender_status status;
    fender_error *error;
} search;

/* A look: margins of all nodes by their number in the file. */
typedef struct look {
    double time;
    double *values;
    bool begins;
} look;

static void read_margins(fender_run *run, const fnd_instant *instant, double *values)
{
    for (int i = -1; i < conditions_end(run); i++) {
        const fnd_condition_tree *tree = tree_at(run, i);
        if (!tree) continue;
        fnd_condition_margins(tree, instant, values);
        values += tree->count;
    }
}

/* What holds no more at a look begins anew when it holds again. */
static void release(fender_run *run)
{
    const fnd_instant now = fnd_run_instant(run, run->instant.step, false), *instant = &now;
    for (int i = -1; i < conditions_end(run); i++) {
        fnd_action_state *action = action_at(run, i);
        fnd_condition_tree *tree = tree_at(run, i);
        if (!tree) continue;
        fnd_condition_release(tree, instant);
        const bool held = action && (action->held || instant->time < action->released);
        if (!held || fnd_condition_would_hold(tree, instant)) continue;
        action->held = false;
        action->released = instant->time;
    }
}

/* Shows the world at the time. */
static bool show(search *s, double time, fnd_instant *instant)
{
    fender_run *run = s->run;
    s->status = s->reading == READ_FORCES ? fender_world_sample(run->world, time, s->error)
                                          : fender_world_sample_motion(run->world, time, s->error);
    if (s->status != FENDER_STATUS_OK) return false;
    *instant = fnd_run_instant(run, run->instant.step, false);
    instant->accepted = false;
    if (s->reading != READ_FORCES) return true;
    fender_world_ledger(run->world, &instant->ledger);
    fnd_slides_show(&run->slides, run->world);
    return true;
}

static bool begins_at(const fnd_condition_tree *tree, const fnd_instant *instant)
{
    return tree->watched && (fnd_condition_would_hold(tree, instant) || fnd_condition_would_start(tree, instant));
}

static bool any_begins(fender_run *run, const fnd_instant *instant)
{
    if (!run->watch.keeping)
        return fnd_action_would_begin(&run->actions, instant) || begins_at(&run->stop_when, instant);
    for (int i = 0; i < run->expectations.count; i++) {
        const fnd_condition_tree *tree = tree_at(run, i);
        if (tree && begins_at(tree, instant)) return true;
    }
    return false;
}

static bool look_at(search *s, double time, look *to)
{
    fender_run *run = s->run;
    fnd_instant instant;
    to->time = time;
    run->watch.looks++;
    if (!show(s, time, &instant)) return false;
    to->begins = any_begins(run, &instant);
    if (to->values) read_margins(run, &instant, to->values);
    return true;
}

/* The first time at which a condition begins, by halving: it does at `high`, not at `low`. */
static bool halve(search *s, double low, double high, double *at)
{
    while (high - low > s->tolerance) {
        double middle = 0.5 * (low + high);
        if (!(middle > low) || !(middle < high)) break;
        look now = {.values = NULL};
        if (!look_at(s, middle, &now)) return false;
        if (now.begins) high = middle;
        else low = middle;
    }
    *at = high;
    return true;
}

/* ---- turns */

/* A margin that comes nearest to the limit somewhere between three looks, on one side of it. `side`: 1: it does not
 * hold, -1: it holds. */
typedef struct turn {
    double time[3], value[3]; /* times side: none is above 0, the middle one is the largest */
    int node;
    double side;
} turn;

static bool find_turn(turn *t, const look *a, const look *b, const look *c, int node, bool breaks)
{
    const double values[3] = {a->values[node], b->values[node], c->values[node]};
    *t = (turn){{a->time, b->time, c->time}, {0}, node, values[1] > 0 ? -1 : 1};
    if (t->side < 0 && !breaks) return false;
    for (int i = 0; i < 3; i++) {
        t->value[i] = t->side * values[i];
        if (!isfinite(values[i]) || !(t->value[i] <= 0)) return false;
    }
    return t->value[1] >= t->value[0] && t->value[1] >= t->value[2];
}

/* May it come to the limit between the looks, with the rates that it has between them? */
static bool may_reach(const turn *t)
{
    const double before = (t->value[1] - t->value[0]) / (t->time[1] - t->time[0]);
    const double behind = (t->value[1] - t->value[2]) / (t->time[2] - t->time[1]);
    return t->value[1] + (before > behind ? before : behind) * (t->time[2] - t->time[0]) > 0;
}

/* Where the parabola through the three has its vertex; every third time, and where that is no use, a part of the
 * larger side, so that kinks are met, too. */
static double next_place(const turn *t, int count)
{
    const double left = t->time[1] - t->time[0], right = t->time[2] - t->time[1];
    const double down = (t->value[1] - t->value[0]) / left, up = (t->value[1] - t->value[2]) / right;
    const double section = left > right ? -0.382 * left : 0.382 * right, least = 1e-3 * (left + right);
    if (count % 3 == 2 || !(down + up > 0)) return t->time[1] + section;
    double off = 0.5 * (down * right - up * left) / (down + up);
    if (fabs(off) < least) off = left > right ? -least : least;
    return off > -left && off < right ? t->time[1] + off : t->time[1] + section;
}

static void narrow(turn *t, double time, double value)
{
    const int at = value >= t->value[1] ? 1 : time < t->time[1] ? 0 : 2; /* what it replaces */
    if (at == 1) {
        const int other = time < t->time[1] ? 2 : 0;
        t->time[other] = t->time[1];
        t->value[other] = t->value[1];
    }
    t->time[at] = time;
    t->value[at] = value;
}

/* Searches where the margin turns. *at: where a condition begins, or its former value. */
static bool follow_turn(search *s, turn *t, double *at)
{
    enum { MOST = 100, MORE = 6 }; /* more: so that the nearest is told, where it certainly stays apart */
    int more = MORE;
    fnd_step_watch *watch = &s->run->watch;
    const double least = fmax(s->tolerance, 1e-9 * (t->time[2] - t->time[0]));
    look now = {.values = watch->values[3]};
    for (int k = 0; k < MOST && t->time[2] - t->time[0] > least && (may_reach(t) || more-- > 0); k++) {
        const double time = next_place(t, k);
        if (!(time > t->time[0]) || !(time < t->time[2]) || time == t->time[1]) break;
        if (!look_at(s, time, &now)) return false;
        const double value = t->side * now.values[t->node];
        const double before = time > t->time[1] ? t->time[1] : t->time[0];
        if (now.begins) return halve(s, before, time, at);
        const double behind = time < t->time[1] ? t->time[1] : t->time[2];
        narrow(t, time, value);
        if (value > 0 && t->side > 0) break; /* this part alone */
        if (value > 0) {                     /* it has ceased to hold, and holds again behind */
            release(s->run);
            return look_at(s, behind, &now) && (!now.begins || halve(s, time, behind, at));
        }
    }
    if (t->side > 0 && !watch->keeping && watch->turn_count < FND_WATCH_TURNS)
        watch->turns[watch->turn_count++] = t->time[1];
    return true;
}

/* The earliest time between three looks at which a condition begins because a margin turns; else *at stays. */
static bool look_between(search *s, const look *a, const look *b, const look *c, double *at)
{
    fender_run *run = s->run;
    int node = 0;
    for (int i = -1; i < conditions_end(run); i++) {
        const fnd_condition_tree *tree = tree_at(run, i);
        if (!tree) continue;
        const fnd_action_state *action = action_at(run, i);
        const bool held = action && (action->held || isfinite(action->released));
        const bool breaks = held || fnd_condition_counts(tree);
        for (const int end = node + tree->count; node < end; node++) {
            turn t;
            double found = INFINITY;
            if (!find_turn(&t, a, b, c, node, breaks) || !may_reach(&t)) continue;
            if (!follow_turn(s, &t, &found)) return false;
            if (found < *at) *at = found;
        }
    }
    return true;
}

/* ---- a step */

/* Looks within the step: two very near its ends show how the margins change there. */
typedef struct places {
    int64_t grid;
    int part, near;
} places;
enum { PARTS = 8 };

/* May parts of conditions come and go between two looks that show nothing of it? What is a smooth function of a motion
 * that is integrated does not, as the step is short enough for that motion. */
static bool is_smooth(const fnd_condition_node *node)
{
    if (node->kind != FND_CONDITION_CHANNEL) return true;
    switch ((fnd_channel_source)node->channel.source) {
    case FND_CHANNEL_TIME:
    case FND_CHANNEL_EVENT:
    case FND_CHANNEL_CONTACT:
    case FND_CHANNEL_LEDGER:
    case FND_CHANNEL_LINK:
    case FND_CHANNEL_RELATIVE: return true;
    case FND_CHANNEL_BODY:
    case FND_CHANNEL_POINT: return fnd_channel_is_of_motion(&node->channel);
    default: return false;
    }
}

/* A part that changes by less than this share of what it is from its limit stays on its side. */
static const double share = 0.125;

static bool is_part(const fnd_condition_node *node)
{
    return node->kind == FND_CONDITION_CHANNEL || node->kind == FND_CONDITION_POINTS;
}

/* How long all parts of conditions stay on one side of their limits, with a reserve, at the largest rates in the step
 * so far. [s] */
static double reserve(fender_run *run, const look *now)
{
    double least = run->watch.everywhere ? 0 : INFINITY;
    int at = 0;
    for (int i = -1; i < conditions_end(run); i++) {
        const fnd_condition_tree *tree = tree_at(run, i);
        for (int k = 0; tree && k < tree->count; k++, at++) {
            if (!is_part(&tree->nodes[k])) continue;
            const double rate = run->watch.rates[at], value = fabs(now->values[at]);
            if (!is_smooth(&tree->nodes[k]) || !isfinite(value) || !(value > 0)) return 0;
            if (rate > 0) least = fmin(least, 0.5 * share * value / rate);
        }
    }
    return least;
}

/* Have all parts of conditions changed little between two looks, for how far they are from their limits? */
static bool all_stay(fender_run *run, const look *a, const look *b)
{
    int at = 0;
    for (int i = -1; i < conditions_end(run); i++) {
        const fnd_condition_tree *tree = tree_at(run, i);
        for (int k = 0; tree && k < tree->count; k++, at++) {
            if (!is_part(&tree->nodes[k])) continue;
            const double x = a->values[at], y = b->values[at];
            if (!isfinite(y) || (x > 0) != (y > 0) || !(fabs(y - x) < share * fmin(fabs(x), fabs(y)))) return false;
        }
    }
    return true;
}

/* Takes in how fast the margins change. */
static void note_rates(fender_run *run, const look *a, const look *b)
{
    int at = 0;
    for (int i = -1; i < conditions_end(run); i++) {
        const fnd_condition_tree *tree = tree_at(run, i);
        for (int k = 0; tree && k < tree->count; k++, at++) {
            const double rate = fabs(b->values[at] - a->values[at]) / (b->time - a->time);
            if (rate > run->watch.rates[at]) run->watch.rates[at] = rate;
        }
    }
}

/* The next look in any case; p->grid goes on to the next point of the grid. */
static double next_places(const search *s, places *p, double now)
{
    const double start = s->proposal->start_time, end = s->proposal->end_time, length = end - start;
    const double near[2] = {start + s->gap, end - s->gap};
    while (p->part < PARTS && !(start + length * p->part / PARTS > now)) p->part++;
    while (p->near < 2 && !(near[p->near] > now)) p->near++;
    while (!(fnd_run_grid_time(s->run, p->grid) > now)) p->grid++;
    const double next = p->part < PARTS ? start + length * p->part / PARTS : end;
    return p->near < 2 && near[p->near] < next ? near[p->near] : next;
}

/* Looks ahead, beyond points of the grid that show nothing if all parts of conditions stay until then; *done: they do.
 */
static bool look_ahead(search *s, const places *p, const look *last, double next, look *to, bool *done)
{
    enum { FEW = 4 }; /* points that are not worth it */
    fender_run *run = s->run;
    const double until = last->time + reserve(run, last), grid = fnd_run_grid_time(run, p->grid);
    double ahead = next;
    *done = false;
    if (!(until > fnd_run_grid_time(run, p->grid + FEW)) || !(next > fnd_run_grid_time(run, p->grid + FEW)))
        return true;
    if (until < next) ahead = fnd_run_grid_time(run, p->grid + (int64_t)((until - grid) / run->scenario->world.step));
    if (!look_at(s, ahead, to)) return false;
    *done = all_stay(run, last, to);
    if (!*done) note_rates(run, last, to);
    return true;
}

/* The look behind the last one. */
static bool look_on(search *s, places *p, const look *last, look *to)
{
    const double next = next_places(s, p, last->time), grid = fnd_run_grid_time(s->run, p->grid);
    bool done = false;
    if (!(grid < next)) return look_at(s, next, to);
    if (!look_ahead(s, p, last, next, to, &done)) return false;
    return done || look_at(s, grid, to);
}

static bool look_through(search *s, double *at)
{
    fnd_step_watch *watch = &s->run->watch;
    look looks[3] = {{.values = watch->values[0]}, {.values = watch->values[1]}, {.values = watch->values[2]}};
    places next = {.grid = s->run->instant.step};
    const double end = s->proposal->end_time;
    double found = INFINITY;
    for (int i = 0; i < watch->count; i++) watch->rates[i] = 0;
    if (!look_at(s, s->proposal->start_time, &looks[1])) return false;
    for (int count = 1; looks[1].time < end && !isfinite(found); count++) {
        if (!look_on(s, &next, &looks[1], &looks[2])) return false;
        note_rates(s->run, &looks[1], &looks[2]);
        if (looks[2].time < end) release(s->run);
        if (count > 1 && !look_between(s, &looks[0], &looks[1], &looks[2], &found)) return false;
        if (!isfinite(found) && looks[2].begins && !halve(s, looks[1].time, looks[2].time, &found)) return false;
        const look spare = looks[0];
        looks[0] = looks[1];
        looks[1] = looks[2];
        looks[2] = spare;
    }
    if (found < end) *at = found;
    return true;
}

/* What was released behind the end that was found has not been. */
static void take_back(fender_run *run, double end)
{
    for (int i = -1; i < conditions_end(run); i++) {
        fnd_action_state *action = action_at(run, i);
        fnd_condition_tree *tree = action ? &action->when : run->watch.keeping ? kept_at(run, i) : &run->stop_when;
        if (tree) fnd_condition_take_back(tree, end);
        if (!action || !(action->released > end)) continue;
        action->held = true;
        action->released = -INFINITY;
    }
}

/* *at: where a condition begins within the times of the proposal, or their end. */
static fender_status find(fender_run *run, const fender_proposal *proposal, double *at, fender_error *error)
{
    const double start = proposal->start_time, end = proposal->end_time;
    search s = {run,
                proposal,
                conditions_read(run),
                fender_world_get_def(run->world)->event_tolerance,
                1e-3 * fmin((end - start) / PARTS, run->scenario->world.step),
                FENDER_STATUS_OK,
                error};
    look last = {.values = NULL};
    *at = end;
    if (s.reading == READ_NOTHING) return FENDER_STATUS_OK;
    if (run->adaptive) {
        take_back(run, look_through(&s, at) ? *at : -INFINITY);
    } else if (look_at(&s, end, &last) && last.begins) {
        (void)halve(&s, start, end, at);
    }
    fnd_slides_show_accepted(&run->slides);
    return s.status;
}

fender_status fnd_watch_find(fender_run *run, const fender_proposal *proposal, double *at, fender_error *error)
{
    run->watch.turn_count = 0;
    return find(run, proposal, at, error);
}

/* ---- values that are kept where conditions become true */

/* Takes in the state at the time, for all of them. */
static fender_status keep_at(fender_run *run, const fender_proposal *proposal, double time, fender_error *error)
{
    search s = {.run = run, .proposal = proposal, .reading = READ_FORCES, .error = error};
    fnd_instant instant;
    if (show(&s, time, &instant)) fnd_expectation_follow_conditions(&run->expectations, &instant);
    fnd_slides_show_accepted(&run->slides);
    return s.status;
}

/* Piece by piece, each until a condition begins or a time that one names. */
static fender_status keep(fender_run *run, const fender_proposal *proposal, fender_error *error)
{
    fender_proposal piece = *proposal;
    for (;;) {
        double at;
        piece.end_time = fmin(fnd_expectation_next_time(&run->expectations, piece.start_time), proposal->end_time);
        fender_status status = find(run, &piece, &at, error);
        if (status != FENDER_STATUS_OK || !(at < proposal->end_time)) return status;
        if ((status = keep_at(run, proposal, at, error)) != FENDER_STATUS_OK) return status;
        piece.start_time = at;
    }
}

fender_status fnd_watch_keep(fender_run *run, const fender_proposal *proposal, fender_error *error)
{
    bool any = false;
    for (int i = 0; run->located && i < run->expectations.count; i++)
        any = any || fnd_expectation_waits(&run->expectations.states[i]);
    if (!any) return FENDER_STATUS_OK;
    run->watch.keeping = true;
    const fender_status status = keep(run, proposal, error);
    run->watch.keeping = false;
    return status;
}

/* ---- nearness */

void fnd_watch_note_nearness(fender_run *run, const fnd_instant *instant)
{
    for (int i = -1; i < conditions_end(run); i++) {
        const fnd_condition_tree *tree = tree_at(run, i);
        if (tree && tree->nearness) fnd_nearness_follow(tree->nearness, tree, instant, false);
    }
}

fender_status fnd_watch_finish(fender_run *run, double end, fender_error *error)
{
    fnd_step_watch *watch = &run->watch;
    search s = {.run = run, .reading = conditions_read(run), .error = error};
    for (int i = 0; i < watch->turn_count; i++) {
        if (!(watch->turns[i] < end)) continue;
        fnd_instant instant;
        if (!show(&s, watch->turns[i], &instant)) return s.status;
        fnd_watch_note_nearness(run, &instant);
    }
    fnd_slides_show_accepted(&run->slides);
    return FENDER_STATUS_OK;
}

void fnd_watch_end(fender_run *run, bool accepted)
{
    run->watch.turn_count = 0;
    if (!accepted) take_back(run, -INFINITY);
    fnd_condition_forget(&run->stop_when);
    for (int i = 0; i < run->actions.count; i++) {
        fnd_condition_forget(&run->actions.states[i].when);
        run->actions.states[i].released = -INFINITY;
    }
    for (int i = 0; i < run->expectations.count; i++) fnd_condition_forget(&run->expectations.states[i].when);
}

/* Paths and moving parts are functions of time, however long the steps are. */
static bool any_prescribed(const fender_scenario *scenario)
{
    for (int i = 0; i < scenario->body_count; i++) {
        const fnd_body_description *body = &scenario->bodies[i];
        if (body->def.motion == FENDER_MOTION_PRESCRIBED || body->attached.motion_location.line > 0) return true;
    }
    return false;
}

bool fnd_watch_create(fender_run *run, fnd_arena *arena)
{
    size_t count = (size_t)run->stop_when.count, kept = 0;
    for (int i = 0; i < run->actions.count; i++) count += (size_t)run->actions.states[i].when.count;
    for (int i = 0; i < run->expectations.count; i++) kept += (size_t)run->expectations.states[i].when.count;
    if (kept > count) count = kept; /* one after the other */
    double **arrays[] = {&run->watch.values[0], &run->watch.values[1], &run->watch.values[2], &run->watch.values[3],
                         &run->watch.rates};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        *arrays[i] = FND_ARENA_NEW_ARRAY(arena, double, count);
        if (count > 0 && !*arrays[i]) return false;
    }
    run->watch.count = (int)count;
    run->watch.everywhere = any_prescribed(run->scenario);
    return true;
}
