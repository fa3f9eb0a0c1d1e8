/* Restitution of any law: its own impact followed along the normal, and the damping sought that gives what is wanted.
 *
 * Events are located, as in a world: the law's mode is held through a step, which ends at the first of its roots, at
 * the end of its reach, or where the error allows (Dormand and Prince's pair of orders 5 and 4). */
#include "law/rebound.h"

#include <stdalign.h>
#include <string.h>

enum { VALUES = 2 + FENDER_LAW_STATE_CAPACITY, STEPS = 20000, STAGES = 7 };
static const double TOLERANCE = 1e-13;

/* Depth, its rate, the law's states; over time. */
typedef struct motion {
    double y[VALUES];
} motion;

typedef struct impact {
    const fender_law *law;
    const void *parameters;
    double mass, speed, reach; /* kg, m/s, m: separation at which the contact ends */
    alignas(max_align_t) char memory[512];
    double time;
} impact;

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

static motion moved(const motion *at, double h, const double *by, const motion *rates, int count)
{
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
    if (at->y[0] < -it->reach || (at->y[1] < 0 && at->y[0] == -it->reach)) return true;
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
    return change.terminate;
}

static bool begin(impact *it, motion *at)
{
    const fender_law *law = it->law;
    double onset = 0;
    if (law->memory_size > sizeof it->memory || !(it->mass > 0) || !(it->speed > 0) || isinf(it->speed)) return false;
    if (law->reach) law->reach(it->parameters, &onset, &it->reach);
    at->y[0] = -onset;
    at->y[1] = it->speed;
    if (onset > it->reach) it->reach = onset;
    const fender_contact_input in = input_of(it, 0, at);
    if (law->establish) law->establish(it->parameters, &in, it->memory);
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

double fender_law_rebound(const fender_law *law, const void *parameters, double mass, double speed)
{
    impact it = {.law = law, .parameters = parameters, .mass = mass, .speed = speed};
    motion at = {{0}};
    double error = 0, h = 1e-9; /* begun far too short, and soon as long as the error allows */
    bool out = false;
    if (!begin(&it, &at)) return NAN;
    for (int steps = 0; steps < STEPS; steps++) {
        bool apart = at.y[1] < 0 && !(at.y[0] > 0) && force_of(&it, it.time, &at).force.z == 0;
        h = bounded(&it, &at, h);
        double taken = accepted_step(&it, &at, h, &error);
        if (isnan(error)) return NAN;
        if (taken > 0) {
            if (commit(&it, &at) || at.y[0] < -it.reach) return -at.y[1] / speed;
            if (apart && force_of(&it, it.time, &at).force.z == 0) return -at.y[1] / speed; /* nothing acts any more */
            out = out || at.y[1] < 0;
            if (out && at.y[1] > 0) return 0; /* held back: it never parts */
        }
        double factor = error > 0 ? 0.85 * sqrt(sqrt(1 / error)) : 5;
        h *= factor < 0.2 ? 0.2 : factor > 5 ? 5 : factor;
    }
    return NAN;
}

/* ---- the damping */

/* A copy of the parameters, of which the radius is the intent's where they have none: shapes, which would give it, are
 * not there. */
typedef struct trial {
    alignas(max_align_t) char bytes[1024];
} trial;

static bool prepare(trial *copy, const fender_law *law, const void *parameters, const fender_intent *intent)
{
    const fender_field *radius = fender_field_find(&law->parameters, "radius");
    if (law->parameters.size > sizeof copy->bytes) return false;
    memcpy(copy->bytes, parameters, law->parameters.size);
    if (!radius || fender_field_get(radius, parameters, 0) > 0) return true;
    if (!(intent->radius > 0)) return false;
    fender_field_set(radius, copy->bytes, 0, intent->radius);
    return true;
}

double fnd_rebound_without(const fender_law *law, const void *parameters, const char *damping,
                           const fender_intent *intent)
{
    trial copy;
    const fender_field *field = fender_field_find(&law->parameters, damping);
    if (!field || !prepare(&copy, law, parameters, intent)) return NAN;
    fender_field_set(field, copy.bytes, 0, 0);
    return fender_law_rebound(law, copy.bytes, intent->mass, intent->speed);
}

static double with(const fender_law *law, trial *copy, const fender_field *field, double damping,
                   const fender_intent *intent)
{
    fender_field_set(field, copy->bytes, 0, damping);
    return fender_law_rebound(law, copy->bytes, intent->mass, intent->speed);
}

double fender_law_damping_of_rebound(const fender_law *law, const void *parameters, const char *damping,
                                     const fender_intent *intent)
{
    const double wanted = intent->restitution, most = fnd_rebound_without(law, parameters, damping, intent);
    const fender_field *field = fender_field_find(&law->parameters, damping);
    trial copy;
    if (!(wanted > 0) || !(wanted <= most * (1 + 1e-10)) || !prepare(&copy, law, parameters, intent)) return NAN;
    if (wanted >= most * (1 - 1e-10)) return 0;
    double low = 0, too_much = most - wanted, high = 1 / intent->speed;
    double too_little = wanted - with(law, &copy, field, high, intent);
    while (too_little < 0 && high < 1e30) {
        low = high;
        too_much = -too_little;
        high *= 4;
        too_little = wanted - with(law, &copy, field, high, intent);
    }
    if (!(too_little >= 0)) return NAN;
    /* regula falsi with the weight of the end that stays halved (Illinois); the middle where that leads nowhere */
    for (int i = 0; i < 80 && high - low > 1e-15 * high; i++) {
        double at = i % 8 == 7 ? 0.5 * (low + high) : low + (high - low) * (too_much / (too_much + too_little));
        double gap = with(law, &copy, field, at, intent) - wanted;
        if (isnan(gap)) return NAN;
        if (fabs(gap) <= 1e-13) return at;
        if (gap > 0) low = at, too_much = gap, too_little *= 0.5;
        else high = at, too_little = -gap, too_much *= 0.5;
    }
    return 0.5 * (low + high);
}
