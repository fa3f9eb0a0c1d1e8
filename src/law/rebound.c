/* The impact of a mass with any law, followed along the normal; parameters by bracketing what it gives
 * (docs/models/sizing.md). */
#include "law/derive.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "math/elementary.h"

/* ---- The impact
 *
 * Events are located, as in a world: the law's mode is frozen through a step, which ends at the first of its roots, at
 * the end of its reach, or where the error allows (Dormand and Prince's pair of orders 5 and 4). */

enum { VALUES = 2 + FENDER_LAW_STATE_CAPACITY, STEPS = 20000, STAGES = 7 };
static const double TOLERANCE = 1e-13;

/* Depth, its rate, the law's states; over time. */
typedef struct motion {
    double y[VALUES];
} motion;

typedef struct impact {
    const fender_law *law;
    const void *parameters;
    double mass, speed, activation_distance; /* kg, m/s, m: separation at which the contact ends */
    alignas(max_align_t) char memory[512];
    double time;
} impact;

/* A single contact of full weight, without slip or shapes: what the law knows of an impact along the normal. */
static fender_contact_input input_of(const impact *it, double time, const motion *at)
{
    return (fender_contact_input){.time = time,
                                  .depth = at->y[0],
                                  .depth_rate = at->y[1],
                                  .approach_speed = it->speed,
                                  .weight = 1,
                                  .states = it->law->state_count > 0 ? at->y + 2 : NULL,
                                  .located = true};
}

static fender_contact_output force_of(const impact *it, double time, const motion *at)
{
    const fender_contact_input in = input_of(it, time, at);
    fender_contact_output out = {0};
    it->law->force(it->parameters, &in, it->memory, &out);
    return out;
}

static motion rate_of(const impact *it, double time, const motion *at)
{
    const fender_contact_input in = input_of(it, time, at);
    motion rate = {{at->y[1], -force_of(it, time, at).force.z / it->mass}};
    if (it->law->state_count > 0) it->law->state_rates(it->parameters, &in, it->memory, rate.y + 2);
    return rate;
}

/* at + h times the sum of `count` rates, by their weights. */
static motion moved(const motion *at, double h, const double *by, const motion *rates, int count)
{
    assert(count >= 0 && count <= STAGES);
    motion to = *at;
    for (int i = 0; i < VALUES; i++) {
        double sum = 0;
        for (int k = 0; k < count; k++) sum += by[k] * rates[k].y[i];
        to.y[i] += h * sum;
    }
    return to;
}

/* Dormand and Prince 1980; *error: of depth and speed, in units of what is allowed. */
static motion stepped(const impact *it, const motion *at, double h, double *error)
{
    static const double node[STAGES] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
    static const double a[STAGES][STAGES] = {{0},
                                             {0.2},
                                             {3.0 / 40, 9.0 / 40},
                                             {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                             {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                             {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                             {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static const double gap[STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                       -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    motion rates[STAGES], to = *at;
    for (int k = 0; k < STAGES; k++) {
        to = moved(at, h, a[k], rates, k);
        rates[k] = rate_of(it, it->time + node[k] * h, &to);
    }
    const motion none = {{0}}, off = moved(&none, h, gap, rates, STAGES);
    double depth = fabs(at->y[0]) > fabs(to.y[0]) ? fabs(at->y[0]) : fabs(to.y[0]), length = h * it->speed;
    double of_depth = fabs(off.y[0]) / (depth > length ? depth : length), of_speed = fabs(off.y[1]) / it->speed;
    *error = (of_depth > of_speed ? of_depth : of_speed) / TOLERANCE;
    return to;
}

/* Signs that end a step: the law's roots, and the end of its reach on the way out. */
static bool is_past(const impact *it, double time, const motion *at, const double *before)
{
    const fender_contact_input in = input_of(it, time, at);
    double root[FENDER_LAW_ROOT_CAPACITY] = {0};
    if (at->y[0] < -it->activation_distance || (at->y[1] < 0 && at->y[0] == -it->activation_distance)) return true;
    if (it->law->root_count > 0) it->law->roots(it->parameters, &in, it->memory, root);
    for (int i = 0; i < it->law->root_count; i++)
        if (root[i] < 0 && before[i] >= 0) return true;
    return false;
}

static void roots_of(const impact *it, const motion *at, double *root)
{
    const fender_contact_input in = input_of(it, it->time, at);
    if (it->law->root_count > 0) it->law->roots(it->parameters, &in, it->memory, root);
}

/* Accepts the state: true when the law ends its contact. */
static bool commit(impact *it, motion *at)
{
    const fender_contact_input in = input_of(it, it->time, at);
    const fender_contact_output out = force_of(it, it->time, at);
    fender_contact_change change = {.states = it->law->state_count > 0 ? at->y + 2 : NULL};
    if (it->law->update) it->law->update(it->parameters, &in, &out, it->memory, &change);
    return change.end;
}

/* False where there is no such impact: nothing moves, or the law remembers more than there is room for. */
static bool begin(impact *it, motion *at)
{
    const fender_law *law = it->law;
    double onset = 0;
    if (law->memory_size > sizeof it->memory || !(it->mass > 0) || !(it->speed > 0) || isinf(it->speed)) return false;
    if (law->activation_distance) law->activation_distance(it->parameters, &onset, &it->activation_distance);
    at->y[0] = -onset;
    at->y[1] = it->speed;
    if (onset > it->activation_distance) it->activation_distance = onset;
    const fender_contact_input in = input_of(it, 0, at);
    if (law->begin) law->begin(it->parameters, &in, it->memory);
    commit(it, at);
    return true;
}

/* A step no longer than h, that ends at the first event: halved down to. 0: the error is too large. */
static double accepted_step(impact *it, motion *at, double h, double *error)
{
    double before[FENDER_LAW_ROOT_CAPACITY] = {0}, low = 0, high = h, idle;
    motion next = stepped(it, at, h, error);
    if (!(*error <= 1)) return 0;
    roots_of(it, at, before);
    if (is_past(it, it->time + h, &next, before))
        for (int i = 0; i < 50; i++) {
            double middle = 0.5 * (low + high);
            motion trial = stepped(it, at, middle, &idle);
            if (is_past(it, it->time + middle, &trial, before)) high = middle, next = trial;
            else low = middle;
        }
    it->time += high;
    *at = next;
    return high;
}

/* No longer than a tenth of the speed takes to change: a way out and back is not stepped over. */
static double bounded(const impact *it, const motion *at, double h)
{
    double longest = 0.1 * it->speed * it->mass / fabs(force_of(it, it->time, at).force.z);
    return h < longest ? h : longest;
}

/* The largest force within a step that begins at a state: sought only where the middle is above a line. */
static double largest_within(const impact *it, double time, const motion *at, double h)
{
    impact begun = *it;
    begun.time = time;
    double idle, low = 0, high = h;
    motion state = stepped(&begun, at, h, &idle);
    double first = force_of(&begun, time, at).force.z, last = force_of(&begun, time + h, &state).force.z, most = first;
    if (last > most) most = last;
    state = stepped(&begun, at, 0.5 * h, &idle);
    double middle = force_of(&begun, time + 0.5 * h, &state).force.z;
    if (!(middle > 0) || 4 * middle <= 3 * first + last || 4 * middle <= first + 3 * last)
        return most;               /* no peak within */
    for (int i = 0; i < 60; i++) { /* in thirds */
        double s = low + (high - low) / 3, t = high - (high - low) / 3;
        motion a = stepped(&begun, at, s, &idle), b = stepped(&begun, at, t, &idle);
        double of_a = force_of(&begun, time + s, &a).force.z, of_b = force_of(&begun, time + t, &b).force.z;
        if (of_a > most) most = of_a;
        if (of_b > most) most = of_b;
        if (of_a < of_b) low = s;
        else high = t;
    }
    return most;
}

/* The depth at which the mass turns within a step. */
static double turning_depth(const impact *it, double time, const motion *at, double h)
{
    impact begun = *it;
    begun.time = time;
    double idle, low = 0, high = h;
    motion state = *at;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        state = stepped(&begun, at, middle, &idle);
        if (state.y[1] > 0) low = middle;
        else high = middle;
    }
    return state.y[0];
}

/* Slope of the force over the depth without motion, with the memory of the accepted state. */
static double slope_at(const impact *it, const motion *at)
{
    motion here = *at, near = *at;
    here.y[1] = near.y[1] = 0;
    near.y[0] *= 1 - 1e-5;
    return (force_of(it, it->time, &here).force.z - force_of(it, it->time, &near).force.z) / (here.y[0] - near.y[0]);
}

/* Slope of the force over the depth rate about a rate, with the memory of the accepted state. */
static double damping_at(const impact *it, const motion *at, double rate)
{
    motion faster = *at, slower = *at;
    const double by = 1e-3 * it->speed;
    faster.y[1] = rate + by;
    slower.y[1] = rate - by;
    return (force_of(it, it->time, &faster).force.z - force_of(it, it->time, &slower).force.z) / (2 * by);
}

/* The same of a contact that has just begun. */
static double damping_of_onset(const impact *it, double depth)
{
    impact begun = {.law = it->law, .parameters = it->parameters, .mass = it->mass, .speed = it->speed};
    motion at = {{0}};
    if (!begin(&begun, &at)) return NAN;
    at.y[0] = depth;
    return damping_at(&begun, &at, it->speed);
}

/* Follows the impact to its end: when the law ends its contact, when the shapes have parted beyond its reach, or when
 * nothing acts any more on what flies away. `peaks`: also the greatest depth and force. */
static fender_impact follow(const fender_law *law, const void *parameters, double mass, double speed, bool peaks)
{
    const fender_impact none = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    impact it = {.law = law, .parameters = parameters, .mass = mass, .speed = speed};
    motion at = {{0}};
    double error = 0, h = 1e-9; /* begun far too short, and soon as long as the error allows */
    bool out = false;
    fender_impact found = {.unloading = NAN, .damping = NAN, .onset = NAN};
    if (!begin(&it, &at)) return none;
    for (int steps = 0; steps < STEPS; steps++) {
        const motion before = at;
        const double time = it.time;
        bool acts = force_of(&it, it.time, &at).force.z != 0, apart = at.y[1] < 0 && !(at.y[0] > 0) && !acts;
        h = bounded(&it, &at, h);
        double taken = accepted_step(&it, &at, h, &error);
        if (isnan(error)) return none;
        if (taken > 0) {
            if (peaks) { /* with the memory of the step */
                double force = largest_within(&it, time, &before, taken);
                if (force > found.peak_force) found.peak_force = force;
                if (before.y[1] > 0 && at.y[1] <= 0) found.peak_depth = turning_depth(&it, time, &before, taken);
            }
            if (acts) found.duration = it.time;
            found.restitution = -at.y[1] / speed;
            const bool ended = commit(&it, &at);
            if (peaks && before.y[1] > 0 && at.y[1] <= 0) {
                found.unloading = slope_at(&it, &at);
                motion deepest = at;
                deepest.y[0] = found.peak_depth;
                found.damping = damping_at(&it, &deepest, 0);
                found.onset = damping_of_onset(&it, 0.1 * found.peak_depth);
            }
            found.contact = it.time;
            if (ended || at.y[0] < -it.activation_distance) return found;
            if (apart && force_of(&it, it.time, &at).force.z == 0) { /* nothing acts any more */
                found.contact += (at.y[0] + it.activation_distance) / -at.y[1];
                return found;
            }
            out = out || at.y[1] < 0;
            if (out && at.y[1] > 0) { /* held back: it never parts */
                found.restitution = 0;
                found.duration = found.contact = INFINITY;
                return found;
            }
        }
        double factor = error > 0 ? 0.85 * sqrt(sqrt(1 / error)) : 5;
        h *= factor < 0.2 ? 0.2 : factor > 5 ? 5 : factor;
    }
    return none;
}

double fender_law_rebound(const fender_law *law, const void *parameters, double mass, double speed)
{
    return follow(law, parameters, mass, speed, false).restitution;
}

fender_impact fender_law_impact(const fender_law *law, const void *parameters, double mass, double speed)
{
    return follow(law, parameters, mass, speed, true);
}

double fender_law_force_at(const fender_law *law, const void *parameters, double depth)
{
    impact it = {.law = law, .parameters = parameters, .mass = 1, .speed = 1e-9};
    motion at = {{0}};
    if (!(depth >= 0) || !begin(&it, &at)) return NAN;
    at.y[0] = depth;
    at.y[1] = 0;
    return force_of(&it, 0, &at).force.z;
}

double fender_law_force_at_touch(const fender_law *law, const void *parameters, double depth_rate)
{
    impact it = {.law = law, .parameters = parameters, .mass = 1, .speed = fabs(depth_rate)};
    motion at = {{0}};
    if (!begin(&it, &at)) return NAN;
    at.y[1] = depth_rate;
    (void)commit(&it, &at); /* in the mode of that rate */
    return force_of(&it, 0, &at).force.z;
}

/* ---- The damping that gives a restitution */

/* A copy of the parameters, of which the radius is the specification's where they have none: shapes, which would give
 * it, are not there. */
typedef struct trial {
    alignas(max_align_t) char bytes[1024];
} trial;

static bool prepare(trial *copy, const fender_law *law, const void *parameters, const fender_sizing_spec *spec)
{
    const fender_field *radius = fender_field_find(&law->parameters, "radius");
    if (law->parameters.size > sizeof copy->bytes) return false;
    assert(parameters || law->parameters.size == 0);
    memcpy(copy->bytes, parameters, law->parameters.size);
    if (!radius || fender_field_get(radius, parameters, 0) > 0) return true;
    if (!(spec->radius > 0)) return false;
    fender_field_set(radius, copy->bytes, 0, spec->radius);
    return true;
}

/* Restitution of the specification's impact with the parameter `damping` at 0: the largest possible one. NaN if there
 * is none, or the law needs a radius that neither parameters nor specification have. */
double fnd_rebound_without(const fender_law *law, const void *parameters, const char *damping,
                           const fender_sizing_spec *spec)
{
    trial copy;
    const fender_field *field = fender_field_find(&law->parameters, damping);
    if (!field || !prepare(&copy, law, parameters, spec)) return NAN;
    fender_field_set(field, copy.bytes, 0, 0);
    return fender_law_rebound(law, copy.bytes, spec->mass, spec->speed);
}

/* Restitution with that damping. */
static double with(const fender_law *law, trial *copy, const fender_field *field, double damping,
                   const fender_sizing_spec *spec)
{
    assert(field);
    fender_field_set(field, copy->bytes, 0, damping);
    return fender_law_rebound(law, copy->bytes, spec->mass, spec->speed);
}

double fender_law_damping_of_rebound(const fender_law *law, const void *parameters, const char *damping,
                                     const fender_sizing_spec *spec)
{
    const double wanted = spec->restitution, most = fnd_rebound_without(law, parameters, damping, spec);
    const fender_field *field = fender_field_find(&law->parameters, damping);
    trial copy;
    if (!(wanted > 0) || !(wanted <= most * (1 + 1e-10)) || !prepare(&copy, law, parameters, spec)) return NAN;
    if (wanted >= most * (1 - 1e-10)) return 0;
    double low = 0, too_much = most - wanted, high = 1 / spec->speed;
    double too_little = wanted - with(law, &copy, field, high, spec);
    while (too_little < 0 && high < 1e30) {
        low = high;
        too_much = -too_little;
        high *= 4;
        too_little = wanted - with(law, &copy, field, high, spec);
    }
    if (!(too_little >= 0)) return NAN;
    /* regula falsi with the weight of the end that stays halved (Illinois); the middle where that leads nowhere */
    for (int i = 0; i < 80 && high - low > 1e-15 * high; i++) {
        double at = i % 8 == 7 ? 0.5 * (low + high) : low + (high - low) * (too_much / (too_much + too_little));
        double gap = with(law, &copy, field, at, spec) - wanted;
        if (isnan(gap)) return NAN;
        if (fabs(gap) <= 1e-13) return at;
        if (gap > 0) low = at, too_much = gap, too_little *= 0.5;
        else high = at, too_little = -gap, too_much *= 0.5;
    }
    return 0.5 * (low + high);
}

/* ---- The stiffness that gives a depth, a force or a duration */

/* What falls as the stiffness grows, against what is wanted: above 0 while the parameter is too small. */
typedef struct search {
    const fender_law *law;
    const fender_field *stiffness, *damping; /* damping NULL: none is sought */
    const fender_impact *wanted;
    fender_sizing_spec spec; /* of the damping */
    double weight;           /* not NaN: wanted->peak_depth is that under the weight, at rest */
    trial copy;
} search;

static double excess(search *s, double value)
{
    const fender_impact *w = s->wanted;
    fender_field_set(s->stiffness, s->copy.bytes, 0, value);
    if (!isnan(s->weight)) return s->weight - fender_law_force_at(s->law, s->copy.bytes, w->peak_depth);
    if (s->damping) {
        double damping = fender_law_damping_of_rebound(s->law, s->copy.bytes, s->damping->name, &s->spec);
        if (isnan(damping)) return NAN;
        fender_field_set(s->damping, s->copy.bytes, 0, damping);
    }
    fender_impact found = fender_law_impact(s->law, s->copy.bytes, s->spec.mass, s->spec.speed);
    if (!isnan(w->peak_depth)) return fnd_logarithm(found.peak_depth / w->peak_depth);
    if (!isnan(w->peak_force)) return fnd_logarithm(w->peak_force / found.peak_force);
    return isinf(found.duration) ? 1 : fnd_logarithm(found.duration / w->duration);
}

/* A first value: with which the force at about the right depth does about the right work. */
static double first_stiffness(search *s)
{
    const fender_impact *w = s->wanted;
    double energy = s->spec.mass * s->spec.speed * s->spec.speed, depth = w->peak_depth, value = 1;
    if (!isnan(s->weight)) energy = s->weight * depth;
    if (isnan(depth)) depth = isnan(w->peak_force) ? w->duration * s->spec.speed / 3 : energy / w->peak_force;
    for (int i = 0; i < 200; i++) {
        fender_field_set(s->stiffness, s->copy.bytes, 0, value);
        double force = fender_law_force_at(s->law, s->copy.bytes, depth);
        if (!(force > 0)) value *= 8;
        else if (force < 0.5 * energy / depth) value *= 2;
        else if (force > 2 * energy / depth) value *= 0.5;
        else break;
    }
    return value;
}

/* By regula falsi (Illinois) over the logarithm, or halving; NaN where nothing does it. */
static double solve(search *s)
{
    double low = first_stiffness(s), high = low, over = excess(s, low), under = over;
    for (int i = 0; i < 60 && over < 0; i++) {
        high = low;
        under = over;
        over = excess(s, low *= 0.5);
    }
    for (int i = 0; i < 60 && under > 0; i++) {
        low = high;
        over = under;
        under = excess(s, high *= 2);
    }
    if (!(over >= 0) || !(under <= 0)) return NAN;
    for (int i = 0; i < 100 && high - low > 1e-14 * high; i++) {
        double part = over - under > 0 ? over / (over - under) : 0.5, at = low + (high - low) * part;
        if (i % 8 == 7 || !(at > low && at < high)) at = 0.5 * (low + high);
        double gap = excess(s, at);
        if (isnan(gap)) return NAN;
        if (fabs(gap) <= (isnan(s->weight) ? 1e-12 : 1e-12 * s->weight)) return at;
        if (gap > 0) low = at, over = gap, under *= 0.5;
        else high = at, under = gap, over *= 0.5;
    }
    return 0.5 * (low + high);
}

bool fender_law_size(const fender_law *law, void *parameters, const char *stiffness, const char *damping,
                     const fender_impact *wanted, double weight, double mass, double speed)
{
    search s = {.law = law, .wanted = wanted, .weight = weight, .spec = fender_sizing_spec_none()};
    s.spec.mass = mass;
    s.spec.speed = speed;
    s.spec.restitution = wanted->restitution;
    s.stiffness = stiffness ? fender_field_find(&law->parameters, stiffness) : NULL;
    s.damping = damping && !isnan(wanted->restitution) ? fender_field_find(&law->parameters, damping) : NULL;
    bool seeks = !isnan(wanted->peak_depth) || !isnan(wanted->peak_force) || !isnan(wanted->duration);
    if ((seeks && !s.stiffness) || !prepare(&s.copy, law, parameters, &s.spec)) return false;
    if (seeks) {
        double value = solve(&s);
        if (isnan(value)) return false;
        (void)excess(&s, value); /* with its damping */
    }
    if (s.damping && (!seeks || !isnan(weight))) {
        double value = fender_law_damping_of_rebound(law, s.copy.bytes, damping, &s.spec);
        if (isnan(value)) return false;
        fender_field_set(s.damping, s.copy.bytes, 0, value);
    }
    memcpy(parameters, s.copy.bytes, law->parameters.size);
    return true;
}
