/* Finding the first event within a step: bracketed on the method itself, by steps of trial length from the same state.
 *
 * Contacts are held as they are through every trial (FND_REGIME_HELD), so the functions watched are smooth, and the
 * step that ends just after an event has the full order of the method. Functions that are not positive at the start are
 * not watched until they are. */
#include "base/error.h"
#include "world/world.h"

typedef struct search {
    fender_world *world;
    double low, high;                            /* no event up to low; one by high (or none at all) */
    fnd_crossing_list *start, *at_low, *at_high; /* at_low is `start` until low has moved */
    fnd_crossing_list *spare;
} search;

/* The trial state after `step` seconds, and the functions there. */
static bool try_step(search *s, double step, fnd_crossing_list *list)
{
    fender_world *world = s->world;
    fnd_dynamics *d = &world->dynamics;
    d->regime = FND_REGIME_HELD;
    if (!fnd_world_try(world, step)) return false;
    double time = world->time + step;
    fnd_dynamics_frames(d, time, world->rotations[1], world->vector[1], d->frames);
    if (!fnd_candidates_update(&d->env, &d->contacts, &world->model, d->frames, d->step)) return false;
    return fnd_crossings_evaluate(&d->env, &d->contacts, &world->model, d->frames, time, list);
}

/* Earliest crossing between low and high by straight lines, or INFINITY when nothing that was watched has crossed by
 * high. */
static double earliest(const search *s)
{
    double first = INFINITY;
    int at_start = 0, at_low = 0;
    for (int i = 0; i < s->at_high->count; i++) {
        const fnd_crossing *now = &s->at_high->items[i];
        const fnd_crossing *begun = fnd_crossing_match(s->start, now, &at_start);
        const fnd_crossing *low = fnd_crossing_match(s->at_low, now, &at_low);
        if (now->value > 0 || (begun && !(begun->value > 0))) continue;
        if (!begun) continue; /* the broad phase brought it in: far at the start, and still seen in time */
        double from = low ? low->value : begun->value;
        double part = from > 0 ? from / (from - now->value) : 0;
        double time = s->low + part * (s->high - s->low);
        if (time < first) first = time;
    }
    return first;
}

/* A function that falls at one end and rises at the other dips between them. The dip's place is found by secants on the
 * rate; a dip below zero gives a new high end. *found says so. */
static bool look_for_grazes(search *s, double step, bool *found, fnd_crossing_list *end)
{
    *found = false;
    int at_end = 0;
    for (int i = 0; i < s->start->count; i++) {
        fnd_crossing first = s->start->items[i];
        const fnd_crossing *match = fnd_crossing_match(end, &first, &at_end);
        if (!match || !(first.value > 0) || !(match->value > 0) || !(first.rate < 0) || !(match->rate > 0)) continue;
        if (first.value + first.rate * step > 0 && match->value - match->rate * step > 0)
            continue; /* too far to get there */
        double a = 0, b = step, rate_a = first.rate, rate_b = match->rate;
        for (int k = 0; k < 40 && b - a > 1e-6 * step; k++) {
            double t = a + (b - a) * rate_a / (rate_a - rate_b);
            if (k % 3 == 2) t = 0.5 * (a + b);
            if (!(t > a) || !(t < b)) t = 0.5 * (a + b);
            if (!try_step(s, t, s->spare)) return false;
            int from = 0;
            const fnd_crossing *dip = fnd_crossing_match(s->spare, &first, &from);
            if (!dip) break;
            if (!(dip->value > 0)) { /* it is below: an event lies before t */
                fnd_crossing_list *old = s->at_high;
                s->at_high = s->spare;
                s->spare = old;
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

/* Narrows the bracket to the tolerance. */
static bool narrow(search *s, double tolerance)
{
    for (int k = 0; k < 200 && s->high - s->low > tolerance; k++) {
        double width = s->high - s->low, t = earliest(s) + 0.25 * tolerance;
        if (k % 4 == 3) t = s->low + 0.5 * width; /* whatever the functions do, the bracket shrinks */
        if (t > s->high - 0.1 * tolerance) t = s->high - 0.9 * tolerance;
        if (t < s->low + 0.1 * tolerance) t = s->low + 0.9 * tolerance;
        if (!(t > s->low) || !(t < s->high)) t = s->low + 0.5 * width;
        if (!(t > s->low) || !(t < s->high)) break; /* neighbours in double */
        double high = s->high;
        fnd_crossing_list *at_high = s->at_high;
        if (!try_step(s, t, s->spare)) return false;
        s->high = t;
        s->at_high = s->spare;
        if (isfinite(earliest(s))) {
            s->spare = at_high;
            continue;
        }
        s->high = high;
        s->at_high = at_high;
        s->low = t;
        if (s->at_low == s->start) { /* the three lists: start, one end, the other; at_low needs a fourth only as long
                                        as it differs */
            s->at_low = s->spare;
            s->spare = &s->world->crossings[3];
        } else {
            fnd_crossing_list *old = s->at_low;
            s->at_low = s->spare;
            s->spare = old;
        }
    }
    return true;
}

fender_status fnd_world_locate(fender_world *world, double step, double *end, fender_error *error)
{
    fnd_dynamics *d = &world->dynamics;
    search s = {world, 0, step, &world->crossings[0], &world->crossings[0], &world->crossings[1], &world->crossings[2]};
    fnd_dynamics_frames(d, world->time, NULL, NULL, d->frames);
    bool ok = fnd_candidates_update(&d->env, &d->contacts, &world->model, d->frames, d->step) &&
              fnd_crossings_evaluate(&d->env, &d->contacts, &world->model, d->frames, world->time, s.start) &&
              try_step(&s, step, s.at_high);
    bool event = ok && isfinite(earliest(&s));
    bool tried_other = false;
    if (ok && !event) {
        tried_other = true;
        ok = look_for_grazes(&s, step, &event, s.at_high);
    }
    if (ok && event) {
        double tolerance = world->def.event_tolerance > 0 ? world->def.event_tolerance : 1e-10;
        double finest = 4 * 2.3e-16 * (fabs(world->time) + step); /* what time itself can tell apart */
        ok = narrow(&s, tolerance > finest ? tolerance : finest);
        tried_other = true;
    }
    *end = event ? s.high : step;
    if (ok && tried_other) ok = try_step(&s, *end, s.spare);
    return ok ? FENDER_STATUS_OK : fnd_fail_memory(error, "the search for an event");
}
