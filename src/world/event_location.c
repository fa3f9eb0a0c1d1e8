/* Location of the first event within a step. */
#include "base/error.h"
#include "world/world.h"
#include <assert.h>
#include <float.h>

/* Finding the first event within a step.
 *
 * Contacts are held as they are through every trial (FND_REGIME_FROZEN), so the functions watched are smooth, and the
 * step that ends just after an event has the full order of the method. Fixed-step methods are tried anew for every
 * length; adaptive ones are looked at through their dense output, in pieces short enough for the functions to bend
 * once, and only the end is tried anew. Functions that are not positive where a piece begins are not watched in it. */

typedef struct sample {
    double time; /* s; after the start of the step */
    fnd_crossing_list *list;
} sample;

enum { PAST = 2 }; /* ends of the bracket that have been left, which are kept to interpolate */

typedef struct search {
    fender_world *world;
    const fnd_crossing_list *both;                     /* while ends are looked at again: pairs that either watches */
    bool wider;                                        /* at_high has more than its end watches by itself */
    bool dense;                                        /* states from the dense output of the step of that length */
    double step;                                       /* s */
    double tried;                                      /* length of the step in the trial arrays */
    double begin;                                      /* of the piece: that of `start` */
    bool start_known;                                  /* `start` is that of the next piece already */
    double low, high;                                  /* no event up to low; one by high (or none at all) */
    fnd_crossing_list *start, *at_low, *at_high;       /* at_low is `start` until low has moved */
    sample past[PAST];                                 /* the latest first; no list: none */
    fnd_crossing_list *spare[FND_CROSSING_SPARES + 1]; /* and that of at_high, while there is no such end */
    int spare_count;
    double tolerance;
} search;

/* Rates of forces that depend on accelerations, from t seconds after the start and a little later (at the end of the
 * step: earlier). Without dense output they are not known. */
static bool find_rates(search *s, double t, fnd_crossing_list *list, int first)
{
    fender_world *world = s->world;
    fnd_dynamics *d = &world->dynamics;
    fnd_crossing_list *later = &world->crossings[FND_CROSSINGS_LATER];
    double weights[FND_STAGE_CAPACITY], little = 1e-5 * s->step;
    bool asked = false;
    for (int i = first; i < list->count; i++) {
        asked |= isinf(list->items[i].rate);
        if (isinf(list->items[i].rate) && !s->dense) list->items[i].rate = NAN;
    }
    if (!asked || !s->dense) return true;
    if (t + little > s->step) little = -little;
    if (!fnd_world_interpolate(world, s->step, (t + little) / s->step, weights)) return false;
    const double time = world->time + (t + little);
    fnd_dynamics_frames(d, time, world->rotations[2], world->vector[2], d->frames);
    later->count = 0;
    if (!fnd_links_watch(d, d->frames, time, later)) return false;
    for (int i = first, at = 0; i < list->count; i++) {
        fnd_crossing *now = &list->items[i];
        const fnd_crossing *then = fnd_crossing_match(later, now, &at);
        if (isinf(now->rate)) now->rate = then ? (then->value - now->value) / little : (double)NAN;
    }
    return true;
}

/* Those of links, behind the others. */
static bool watch_links(search *s, double t, double time, fnd_crossing_list *list)
{
    fnd_dynamics *d = &s->world->dynamics;
    const int first = list->count;
    return d->link_count == 0 || (fnd_links_watch(d, d->frames, time, list) && find_rates(s, t, list, first));
}

/* The functions at the state that the frames describe, after t seconds. With a horizon: also of what may touch within
 * it. */
static bool watch(search *s, double t, double time, double horizon, const fnd_contact_list *rows,
                  fnd_crossing_list *list)
{
    fnd_dynamics *d = &s->world->dynamics;
    const fnd_watch_scope scope = {horizon, horizon > 0 ? s->both : s->start, rows};
    return fnd_crossings_evaluate(&d->env, &d->contacts, &s->world->model, d->frames, time, &scope, list) &&
           watch_links(s, t, time, list);
}

/* Is the start of this step, looked at within the horizon, the end of the last one? */
static bool is_kept(const search *s, double horizon)
{
    const fender_world *world = s->world;
    const fnd_dynamics *d = &world->dynamics;
    const fnd_kept_watch *kept = &world->kept;
    return kept->evaluations == d->evaluation_count && kept->version == d->contacts.candidate_version &&
           d->committed_fresh && fabs(horizon - kept->horizon) < 1e-9 * horizon;
}

/* Takes the functions at the start from the list that the last step has ended with. False: it cannot. */
static bool take_kept(search *s, double horizon)
{
    fender_world *world = s->world;
    const bool ready = world->kept.ready && is_kept(s, horizon);
    world->kept.ready = false;
    if (!ready) return false;
    fnd_dynamics *d = &world->dynamics;
    fnd_crossing_list *high = &world->crossings[FND_CROSSINGS_HIGH], before = *s->start;
    *s->start = *high;
    *high = before;
    if (d->link_count == 0) return true;
    /* those of links come last; what they remember may have changed */
    while (s->start->count > 0 && s->start->items[s->start->count - 1].kind == FND_CROSSING_LINK) s->start->count--;
    fnd_dynamics_frames(d, world->time, NULL, NULL, d->frames);
    return watch_links(s, 0, world->time, s->start);
}

static bool find_candidates(fender_world *world, double horizon)
{
    fnd_dynamics *d = &world->dynamics;
    return !(horizon > 0) || fnd_candidates_update(&d->env, &d->contacts, &world->model, d->frames, d->step, horizon);
}

/* At the end of the step: its contacts are those of the accepted state, should it be accepted. */
static bool evaluate_end(fender_world *world, double time)
{
    fnd_dynamics *d = &world->dynamics;
    d->regime = fnd_world_regime(world);
    world->trial.rows_time = time;
    world->trial.rows_version = d->contacts.candidate_version;
    world->trial.rows_ready = fnd_contacts_evaluate(&d->env, &d->contacts, &world->model, d->frames, time, d->regime,
                                                    &d->evaluations[FND_EVALUATION_NEXT].contacts);
    return world->trial.rows_ready;
}

/* The whole step, and what may touch within the horizon at its end; its contacts there. Not again if it was the last
 * that was tried. */
static bool try_whole(search *s, double time, double horizon)
{
    fender_world *world = s->world;
    fnd_dynamics *d = &world->dynamics;
    const bool tried = s->tried == s->step && world->trial.rows_ready && world->trial.rows_time == time;
    d->regime = FND_REGIME_FROZEN;
    s->tried = s->step;
    if (!tried && !fnd_world_try(world, s->step)) return false;
    fnd_dynamics_frames(d, time, world->rotations[1], world->vector[1], d->frames);
    if (!find_candidates(world, horizon)) return false;
    return (tried && world->trial.rows_version == d->contacts.candidate_version) || evaluate_end(world, time);
}

/* The functions after t seconds. A horizon makes sure that what may touch within it is among them. */
static bool look(search *s, double t, double horizon, fnd_crossing_list *list)
{
    fender_world *world = s->world;
    fnd_dynamics *d = &world->dynamics;
    const double time = t == world->trial.longest ? world->trial.target : world->time + t;
    if (t == 0) {
        fnd_dynamics_frames(d, world->time, NULL, NULL, d->frames);
        const fnd_contact_list *rows = d->committed_fresh ? &d->evaluations[0].contacts : NULL;
        return find_candidates(world, horizon) && watch(s, 0, world->time, horizon, rows, list);
    }
    if (s->dense) {
        double weights[FND_STAGE_CAPACITY];
        if (!fnd_world_interpolate(world, s->step, t / s->step, weights)) return false;
        fnd_dynamics_frames(d, time, world->rotations[2], world->vector[2], d->frames);
        return find_candidates(world, horizon) && watch(s, t, time, horizon, NULL, list);
    }
    if (horizon > 0 && t == s->step)
        return try_whole(s, time, horizon) &&
               watch(s, t, time, horizon, &d->evaluations[FND_EVALUATION_NEXT].contacts, list);
    d->regime = FND_REGIME_FROZEN;
    s->tried = t;
    if (!fnd_world_try(world, t)) return false;
    fnd_dynamics_frames(d, time, world->rotations[1], world->vector[1], d->frames);
    return find_candidates(world, horizon) && watch(s, t, time, horizon, NULL, list);
}

/* The functions at both ends of a piece. A body that is slow at one end may be fast at the other, as in a fall from
 * rest, so that candidates are searched from both; and what is left out at one end only may be near at the other. */
static bool look_at_ends(search *s, double from, double to)
{
    const uint64_t *version = &s->world->dynamics.contacts.candidate_version;
    s->wider = false;
    if (!s->start_known && !look(s, from, to - from, s->start)) return false;
    s->start_known = false;
    uint64_t before = *version;
    if (!look(s, to, to - from, s->at_high)) return false;
    if (*version != before && !look(s, from, to - from, s->start)) return false;
    if (fnd_crossings_alike(s->start, s->at_high)) return true;
    fnd_crossing_list *both = s->spare[--s->spare_count];
    if (!fnd_crossings_join(&s->world->env, s->start, s->at_high, both)) return false;
    s->both = both;
    s->wider = fnd_crossings_borders(s->at_high) < both->count;
    const bool ok = (fnd_crossings_borders(s->start) == both->count || look(s, from, to - from, s->start)) &&
                    (!s->wider || look(s, to, to - from, s->at_high));
    s->both = NULL;
    s->spare_count++;
    return ok;
}

/* Has a function changed sign between the start of the piece and the upper end? */
static bool crosses(const search *s)
{
    int at_start = 0;
    for (int i = 0; i < s->at_high->count; i++) {
        const fnd_crossing *now = &s->at_high->items[i];
        if (now->value > 0) continue;
        const fnd_crossing *begun = fnd_crossing_match(s->start, now, &at_start);
        if (begun && begun->value > 0) return true;
    }
    return false;
}

/* Roots of laws that have changed sign at the upper end. */
static bool note_fired(const search *s)
{
    fnd_crossing_list *fired = &s->world->crossings[FND_CROSSINGS_FIRED];
    int at_start = 0;
    for (int i = 0; i < s->at_high->count; i++) {
        const fnd_crossing *now = &s->at_high->items[i], *begun = fnd_crossing_match(s->start, now, &at_start);
        if (now->kind != FND_CROSSING_LAW || now->value > 0 || !begun || !(begun->value > 0)) continue;
        if (!fnd_crossing_add(&s->world->env, fired, *now)) return false;
    }
    return true;
}

/* A function that decreases at one end and increases at the other has a minimum between them. The minimum is found by
 * secants on the rate; if it is below zero, it becomes the new high end, and *found is set. */
static bool look_for_grazes(search *s, bool *found)
{
    *found = false;
    double length = s->high - s->low;
    int at_end = 0;
    for (int i = 0; i < s->start->count; i++) {
        fnd_crossing first = s->start->items[i];
        if (!(first.value > 0) || !(first.rate < 0)) continue;
        const fnd_crossing *match = fnd_crossing_match(s->at_high, &first, &at_end);
        if (!match || !(match->value > 0) || !(match->rate > 0)) continue;
        if (first.value + first.rate * length > 0 && match->value - match->rate * length > 0)
            continue; /* too far to get there */
        double a = s->low, b = s->high, rate_a = first.rate, rate_b = match->rate;
        for (int k = 0; k < 40 && b - a > 1e-6 * length; k++) {
            double t = a + (b - a) * rate_a / (rate_a - rate_b);
            if (k % 3 == 2 || !(t > a) || !(t < b)) t = 0.5 * (a + b);
            if (!look(s, t, 0, s->spare[0])) return false;
            int from = 0;
            const fnd_crossing *dip = fnd_crossing_match(s->spare[0], &first, &from);
            if (!dip) break;
            if (!(dip->value > 0)) { /* it is below: an event lies before t */
                fnd_crossing_list *list = s->at_high;
                s->at_high = s->spare[0];
                s->spare[0] = list;
                s->high = t;
                *found = true;
                return true;
            }
            if (dip->rate < 0) a = t, rate_a = dip->rate;
            else b = t, rate_b = dip->rate;
        }
    }
    return true;
}

/* Keeps an end that the bracket has left. */
static void leave(search *s, double time, fnd_crossing_list *list)
{
    if (list == s->start) return; /* which stays */
    if (s->past[PAST - 1].list) s->spare[s->spare_count++] = s->past[PAST - 1].list;
    for (int i = PAST - 1; i > 0; i--) s->past[i] = s->past[i - 1];
    s->past[0] = (sample){time, list};
}

static void forget_past(search *s)
{
    for (int i = 0; i < PAST; i++) {
        if (s->past[i].list) s->spare[s->spare_count++] = s->past[i].list;
        s->past[i].list = NULL;
    }
}

/* If a function has changed sign between the start of the piece and t, t becomes the high end, else the low end. */
static bool probe(search *s, double t, bool *crossed)
{
    assert(s->spare_count > 0);
    fnd_crossing_list *list = s->spare[--s->spare_count], *high = s->at_high;
    if (!look(s, t, 0, list)) return false;
    s->at_high = list;
    *crossed = crosses(s);
    if (*crossed) {
        leave(s, s->high, high);
        s->high = t;
        return true;
    }
    s->at_high = high;
    leave(s, s->low, s->at_low);
    s->low = t;
    s->at_low = list;
    return true;
}

/* ---- Where a function is zero */

/* Newton's form of the polynomial through the samples of one function, through its rates, too, where they are known. */
enum { NODES = 2 * (PAST + 3) };
typedef struct interpolant {
    int count;
    double at[NODES], part[NODES]; /* s; divided differences */
} interpolant;

/* One more sample, unless it is nearer than `apart` to another one, where differences would consist of rounding. An
 * exact zero may be the first or one of many, and tells nothing of the way there. */
static void add_sample(interpolant *p, double time, const fnd_crossing_list *list, const fnd_crossing *function,
                       int side, double apart)
{
    int from = 0;
    for (int k = 0; k < p->count; k++)
        if (fabs(time - p->at[k]) < apart) return;
    const fnd_crossing *sampled = fnd_crossing_match(list, function, &from);
    if (!sampled || sampled->value == 0 || side * sampled->value < 0) return;
    double rest = sampled->value, rate = sampled->rate;
    for (int k = 0; k < p->count; k++) {
        const double away = time - p->at[k];
        rest = (rest - p->part[k]) / away;
        rate = (rate - rest) / away;
    }
    for (int twice = 0; twice < (isnan(rate) ? 1 : 2); twice++) {
        p->at[p->count] = time;
        p->part[p->count++] = twice ? rate : rest;
    }
}

static double value_at(const interpolant *p, double time, double *rate)
{
    double value = 0;
    *rate = 0;
    for (int k = p->count - 1; k >= 0; k--) {
        *rate = value + (time - p->at[k]) * *rate;
        value = p->part[k] + (time - p->at[k]) * value;
    }
    return value;
}

/* Where the interpolant is zero between low and high, by Newton's method with bisection; their middle if it is not. */
static double zero_of(const search *s, const interpolant *p)
{
    double low = s->low, high = s->high, rate, t = 0.5 * (low + high);
    if (p->count < 2 || !(value_at(p, low, &rate) > 0) || value_at(p, high, &rate) > 0) return t;
    for (int k = 0; k < 60; k++) {
        const double before = t, value = value_at(p, t, &rate);
        if (value > 0) low = t;
        else high = t;
        t -= value / rate;
        if (!(t > low) || !(t < high)) t = 0.5 * (low + high);
        if (!(fabs(t - before) > 1e-3 * s->tolerance)) break;
    }
    return t;
}

/* The samples of one function, those of the bracket first. `side`: of one sign only; 0: all. */
static interpolant interpolant_of(const search *s, const fnd_crossing *function, int side)
{
    interpolant p = {.count = 0};
    const double apart = (side == 0 ? 1e-4 : 1e-7) * (s->high - s->low);
    add_sample(&p, s->high, s->at_high, function, side, 0);
    add_sample(&p, s->low, s->at_low, function, side, 0);
    for (int k = 0; k < PAST && s->past[k].list; k++)
        add_sample(&p, s->past[k].time, s->past[k].list, function, side, apart);
    if (s->at_low != s->start) add_sample(&p, s->begin, s->start, function, side, apart);
    return p;
}

/* Where a function is zero, and the function as it is at the upper end. */
typedef struct zero {
    double time;
    fnd_crossing function;
} zero;

/* The earliest crossing between low and high, as the interpolants of what has changed sign by high tell it. `kink`: by
 * the samples of one sign, as a function that has a kink at zero is smooth on either side of it. */
static zero earliest(const search *s, bool kink)
{
    zero first = {.time = s->high};
    bool any = false;
    int at_start = 0;
    for (int i = 0; i < s->at_high->count; i++) {
        const fnd_crossing *now = &s->at_high->items[i];
        if (now->value > 0) continue;
        const fnd_crossing *begun = fnd_crossing_match(s->start, now, &at_start);
        if (!begun || !(begun->value > 0)) continue;
        interpolant p = interpolant_of(s, now, 0);
        if (kink) {
            const interpolant before = interpolant_of(s, now, 1), behind = interpolant_of(s, now, -1);
            p = before.count >= behind.count ? before : behind;
        }
        const double time = zero_of(s, &p);
        if (any && !(time < first.time)) continue;
        any = true;
        first = (zero){time, *now};
    }
    return first;
}

static double value_in(const fnd_crossing_list *list, const fnd_crossing *function)
{
    int from = 0;
    const fnd_crossing *found = fnd_crossing_match(list, function, &from);
    return found ? found->value : NAN;
}

/* Functions are monotonic in a bracket of that part of a step, but for rounding. */
#define NEAR 1e-6

/* What a probe within a bracket tells of a function that decreases there from `above` to `below`: whether it has the
 * value of the end that has moved, and whether rounding decides about it. */
typedef struct verdict {
    bool same, rounding;
} verdict;
static verdict judge(const search *s, const fnd_crossing *function, bool crossed, double above, double below,
                     double width)
{
    const double value = value_in(crossed ? s->at_high : s->at_low, function), change = above - below;
    const bool same = value == (crossed ? below : above) && value != 0; /* functions that are clipped are 0 */
    const double since = fabs(value_in(s->start, function) - above), past = s->low - s->begin;
    const bool step = change * past > 2 * since * width && change < NEAR * since; /* of numbers, not of the function */
    return (verdict){same, (same && step) || value > above + change / 4 || value < below - change / 4};
}

/* Narrows the bracket to the tolerance, or until rounding decides the sign: probes just before the crossing, and then
 * just after it, so that the last trial is the step that is taken. Where rounding or a kink has misled a probe, the
 * next goes farther, and the third is that in the middle. */
static bool narrow(search *s)
{
    int poor = 0; /* probes in a row that did not halve the bracket */
    double reach = 0.5 * s->tolerance;
    for (int k = 0; k < 200 && s->high - s->low > s->tolerance; k++) {
        const zero next = earliest(s, poor == 1);
        const double width = s->high - s->low, first = next.time;
        const double above = value_in(s->at_low, &next.function), below = value_in(s->at_high, &next.function);
        double t = first - s->low > 1.8 * reach ? first - 0.9 * reach : s->low + 1.9 * reach;
        if (poor == 3 || !(t > s->low) || !(t < s->high)) t = s->low + 0.5 * width;
        if (!(t > s->low) || !(t < s->high)) break; /* neighbours in double */
        bool crossed;
        if (!probe(s, t, &crossed)) return false;
        const verdict found = judge(s, &next.function, crossed, above, below, width);
        if (width < NEAR * s->step && found.rounding) break;
        const double left = s->high - s->low;
        poor = left < 0.5 * width || found.same ? 0 : poor == 3 ? 2 : poor + 1;
        if (found.same) reach *= 256;
        else reach = width - left < 4 * reach && left > s->tolerance ? 4 * reach : 0.5 * s->tolerance;
    }
    return true;
}

/* Rate of a function that has changed sign at the upper end: known, or by the sample that is farthest from there, as
 * differences of near ones are rounding. */
static double rate_of(const search *s, const fnd_crossing *function)
{
    double time = s->begin;
    const fnd_crossing_list *list = s->start;
    int from = 0;
    for (int k = 0; k < PAST && s->past[k].list; k++)
        if (k == 0 || fabs(s->past[k].time - s->high) > fabs(time - s->high))
            time = s->past[k].time, list = s->past[k].list;
    const fnd_crossing *other = isnan(function->rate) ? fnd_crossing_match(list, function, &from) : NULL;
    return other ? (function->value - other->value) / (s->high - time) : function->rate;
}

/* The event was found on the dense output, which differs slightly from a step of that length. Brackets it again with
 * such steps, between the start of the piece and the end of the step: one just before it shows how far it is off, the
 * next are, as in narrow, just before and just after where it must be then. *found becomes false if it is not there. */
static bool bracket_anew(search *s, bool *found)
{
    enum { AIMED = 6 };
    const fnd_crossing function = earliest(s, false).function;
    double rate = rate_of(s, &function), last = 0, value = 0, reach = 0.5 * s->tolerance;
    double t = s->high - s->tolerance > s->begin ? s->high - s->tolerance : s->high;
    bool crossed;
    *found = s->dense = false;
    if (s->at_low != s->start) s->spare[s->spare_count++] = s->at_low;
    s->spare[s->spare_count++] = s->at_high;
    s->at_low = s->at_high = s->start; /* of the dense output nothing is kept */
    s->low = s->begin;
    forget_past(s);
    for (int k = 0; k < AIMED && t > s->low && t < (*found ? s->high : s->step); k++) {
        int from = 0;
        if (!probe(s, t, &crossed)) return false;
        *found = *found || crossed;
        if (*found && s->high - s->low <= s->tolerance) return true;
        const fnd_crossing *now = fnd_crossing_match(crossed ? s->at_high : s->at_low, &function, &from);
        if (!now) break;
        if (k > 0 && fabs(t - last) > 1e3 * s->tolerance) rate = (now->value - value) / (t - last);
        if (!(rate < 0)) break;
        last = t;
        value = now->value;
        if (k > 2) reach *= 4; /* rounding or a kink has misled it */
        const double aim = t - value / rate;
        t = aim - s->low > 1.8 * reach ? aim - 0.9 * reach : s->low + 1.9 * reach;
    }
    for (; !*found && s->low < s->step; reach *= 4) /* behind what was tried */
        if (!probe(s, s->low + 1.9 * reach < s->step ? s->low + 1.9 * reach : s->step, found)) return false;
    return true;
}

/* One piece of the step: from s->low to s->high, whose functions are known at the low end. *found: an event, at
 * s->high. */
static bool search_piece(search *s, bool *found)
{
    s->begin = s->low;
    s->at_low = s->start;
    bool dip; /* an earlier event may precede the one that has crossed by the end, and so on */
    do
        if (!look_for_grazes(s, &dip)) return false;
    while (dip);
    *found = crosses(s);
    if (!*found) return true;
    if (!narrow(s)) return false;
    if (!s->dense) return true;
    return bracket_anew(s, found) && (!*found || narrow(s));
}

/* Initial number of pieces: rotation of at most 0.4 rad in each. */
static int piece_count(const fender_world *world, double step)
{
    const fnd_dynamics *d = &world->dynamics;
    double fastest = 0;
    for (int k = 0; k < d->dynamic_count; k++) {
        double speed = fender_vec3_length(d->evaluations[0].angular_velocity[d->dynamic[k]]);
        if (speed > fastest) fastest = speed;
    }
    double count = ceil(fastest * step / 0.4);
    return count < 2 ? 2 : count > 16 ? 16 : (int)count;
}

static double larger(double a, double b) { return a > b ? a : b; }

/* True if a function that may reach zero within the piece has more than one inflection. This is assumed if, at a part
 * of the piece, it deviates from the cubic through the values and rates at both ends. Without that value: true if a
 * function may reach zero at all. */
static bool bent(const search *s, double part, const fnd_crossing_list *inside)
{
    double length = s->high - s->low, rest = 1.0 - part;
    int at_high = 0, at_inside = 0;
    for (int i = 0; i < s->start->count; i++) {
        const fnd_crossing *a = &s->start->items[i], *b = fnd_crossing_match(s->at_high, a, &at_high), *m = NULL;
        if (!b || !(a->value > 0) || isnan(a->rate)) continue;
        double fastest = larger(fabs(a->rate), fabs(b->rate)), least = a->value < b->value ? a->value : b->value;
        if (inside) {
            m = fnd_crossing_match(inside, a, &at_inside);
            if (!m) continue;
            fastest = larger(fastest, fabs(m->rate));
            if (m->value < least) least = m->value;
        }
        if (least > 2.0 * length * fastest) continue; /* too far away */
        if (!inside) return true;
        double value = rest * rest * ((1.0 + 2.0 * part) * a->value + part * length * a->rate) +
                       part * part * ((1.0 + 2.0 * rest) * b->value - rest * length * b->rate);
        double rate = 6.0 * part * rest * (b->value - a->value) / length + rest * (1.0 - 3.0 * part) * a->rate +
                      part * (1.0 - 3.0 * rest) * b->rate;
        double off = fabs(m->value - value), way = length * fastest;
        if (off > 0.05 * way || (off > 0.002 * way && off > 0.25 * least)) return true;
        if (fabs(m->rate - rate) > 0.2 * fastest) return true;
    }
    return false;
}

/* Halves the piece until its functions have at most one inflection. */
static bool shorten_piece(search *s)
{
    static const double parts[] = {0.3, 0.7}; /* not the middle, where an odd error vanishes */
    for (int i = 0; i < 2;) {
        double length = s->high - s->low;
        if (!(length > s->step / 64) || !(length > 64 * s->tolerance) || !bent(s, 0, NULL)) return true;
        if (!look(s, s->low + parts[i] * length, 0, s->spare[0])) return false;
        i++;
        if (!bent(s, parts[i - 1], s->spare[0])) continue;
        s->high = s->low + 0.5 * length;
        if (!look(s, s->high, 0, s->at_high)) return false;
        i = 0;
    }
    return true;
}

/* Was there no pair apart to be watched at the start, so that the end may tell that nothing happens? */
static bool is_calm(const search *s)
{
    const fender_world *world = s->world;
    return world->kept.calm && is_kept(s, s->step) && world->dynamics.link_count == 0;
}

/* Tries the whole step. *quiet: certainly no function changes sign in it, so that none need be listed. */
static bool end_quietly(search *s, bool *quiet)
{
    fender_world *world = s->world;
    fnd_dynamics *d = &world->dynamics;
    const double time = s->step == world->trial.longest ? world->trial.target : world->time + s->step;
    if (!try_whole(s, time, s->step)) return false;
    const fnd_watch_scope scope = {s->step, NULL, &d->evaluations[FND_EVALUATION_NEXT].contacts};
    *quiet = world->trial.rows_version == world->kept.version &&
             fnd_crossings_quiet(&d->contacts, &world->model, d->frames, &scope, &d->evaluations[0].contacts);
    return true;
}

fender_status fnd_world_locate(fender_world *world, double step, double *end, bool *found, fender_error *error)
{
    bool dense = world->method->dense_stage_count > 0;
    fnd_crossing_list *lists = world->crossings;
    search s = {.world = world,
                .dense = dense,
                .step = step,
                .tried = dense ? step : -1,
                .tolerance = larger(fnd_world_event_tolerance(world), 4 * DBL_EPSILON * step),
                .start = &lists[FND_CROSSINGS_START]};
    int pieces = dense ? piece_count(world, step) : 1;
    double from = 0;
    *end = step;
    *found = false;
    bool ok = true, quiet = !dense && is_calm(&s);
    s.start_known = !dense && take_kept(&s, step);
    ok = !quiet || end_quietly(&s, &quiet);
    if (ok && quiet) {
        world->trial.watched = (fnd_kept_watch){false, true, step, world->dynamics.contacts.candidate_version, 0};
        return FENDER_STATUS_OK;
    }
    for (int p = 0; ok && !*found && s.dense == dense && p < pieces;) {
        double to = p + 1 < pieces ? step * (p + 1) / pieces : step;
        s.low = from;
        s.high = to;
        s.at_high = &lists[FND_CROSSINGS_HIGH];
        for (int i = 0; i < FND_CROSSING_SPARES; i++) s.spare[i] = &lists[FND_CROSSINGS_SPARE + i];
        s.spare_count = FND_CROSSING_SPARES;
        ok = look_at_ends(&s, from, to) && (!dense || shorten_piece(&s));
        from = s.high;
        if (from >= to) p++;
        ok = ok && search_piece(&s, found); /* by steps of each length up to the end if the dense output was misleading:
                                               then `dense` is false */
    }
    const bool kept = ok && !*found && !dense && !s.wider && s.at_high == &lists[FND_CROSSINGS_HIGH] &&
                      world->idle_events == 0; /* after events, modes may be frozen until the step ends */
    world->trial.watched = (fnd_kept_watch){kept, kept && fnd_crossings_apart(s.at_high) == 0, step,
                                            world->dynamics.contacts.candidate_version, 0};
    if (ok && *found) {
        *end = s.high;
        ok = note_fired(&s);
    }
    if (ok && s.tried != *end) {
        world->dynamics.regime = FND_REGIME_FROZEN;
        ok = fnd_world_try(world, *end);
    }
    return ok ? FENDER_STATUS_OK : fnd_world_give_up(world, "the search for an event", error);
}
