/* Parameters of laws from what is wanted of a contact: by the rows of their tables, and by following an impact
 * (docs/models/sizing.md). */
#include "law/derive.h"

#include <assert.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* ---- What may be wanted */

#define SPEC(name, unit, doc, flags, maximum)                                                                 \
    {                                                                                                         \
#name, unit, doc, FENDER_FIELD_REAL, offsetof(fender_sizing_spec, name), flags, 0, maximum, NAN, NULL \
    }
static const fender_field spec_fields[] = {
    SPEC(sink, "m", "Depth to which the contact sinks under `weight`.", FENDER_FIELD_ABOVE_MINIMUM, INFINITY),
    SPEC(weight, "N", "Load that the contact carries.", FENDER_FIELD_ABOVE_MINIMUM, INFINITY),
    SPEC(modulus, "Pa", "E* of both materials, 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b.", FENDER_FIELD_ABOVE_MINIMUM,
         INFINITY),
    SPEC(radius, "m", "R of both surfaces, 1/R = 1/R_a + 1/R_b.", FENDER_FIELD_ABOVE_MINIMUM, INFINITY),
    SPEC(ratio, "1", "Part of critical damping.", 0, INFINITY),
    SPEC(restitution, "1", "Speed after an impact over speed before.", FENDER_FIELD_ABOVE_MINIMUM, 1),
    SPEC(mass, "kg", "Effective mass of the contact.", FENDER_FIELD_ABOVE_MINIMUM, INFINITY),
    SPEC(speed, "m/s", "Speed of approach.", FENDER_FIELD_ABOVE_MINIMUM, INFINITY),
};
static const fender_field_table spec_table = FENDER_FIELD_TABLE("sizing_spec", spec_fields, fender_sizing_spec);

fender_sizing_spec fender_sizing_spec_none(void)
{
    return (fender_sizing_spec){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}
const fender_field_table *fender_sizing_spec_fields(void) { return &spec_table; }

/* ---- Rows that springs have in common */

double fnd_derive_sink(const void *parameters, const fender_sizing_spec *spec)
{
    (void)parameters;
    return fender_stiffness_of_sink(spec->weight, spec->sink);
}

double fnd_derive_hertz_load(const void *parameters, const fender_sizing_spec *spec)
{
    (void)parameters;
    return fender_hertz_linear_at_load(spec->modulus, spec->radius, spec->weight);
}

double fnd_derive_hertz_impact(const void *parameters, const fender_sizing_spec *spec)
{
    (void)parameters;
    return fender_hertz_linear_at_impact(spec->modulus, spec->radius, spec->mass, spec->speed);
}

double fnd_derive_ratio(const void *parameters, const fender_sizing_spec *spec)
{
    const double *stiffness = parameters;
    assert(stiffness);
    return fender_damping_of_ratio(spec->ratio, spec->mass, *stiffness);
}

double fnd_derive_restitution(double stiffness, const fender_sizing_spec *spec, bool clipped)
{
    return fender_damping_of_ratio(fender_ratio_of_restitution(spec->restitution, clipped), spec->mass, stiffness);
}

/* ---- Restitution of any law: its own impact followed along the normal
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

/* Ends when the law ends its contact, when the shapes have parted beyond its reach, or when nothing acts any more on
 * what flies away. */
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
            if (commit(&it, &at) || at.y[0] < -it.activation_distance) return -at.y[1] / speed;
            if (apart && force_of(&it, it.time, &at).force.z == 0) return -at.y[1] / speed; /* nothing acts any more */
            out = out || at.y[1] < 0;
            if (out && at.y[1] > 0) return 0; /* held back: it never parts */
        }
        double factor = error > 0 ? 0.85 * sqrt(sqrt(1 / error)) : 5;
        h *= factor < 0.2 ? 0.2 : factor > 5 ? 5 : factor;
    }
    return NAN;
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
static double rebound_without(const fender_law *law, const void *parameters, const char *damping,
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
    const double wanted = spec->restitution, most = rebound_without(law, parameters, damping, spec);
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

/* ---- Which row of a law's table a sizing specification fits, and what is amiss */

typedef struct fit {
    int wanted, missing, idle; /* members: said and used; needed and not said; said and not used */
    const fender_field *first_missing, *first_idle;
} fit;

/* The word of `from` at *at; false at its end. *optional: a question mark follows. */
static bool next_member(const char *from, size_t *at, size_t *start, size_t *length, bool *optional)
{
    *at += strspn(from + *at, " ");
    *start = *at;
    *length = strcspn(from + *at, " ?");
    *at += *length;
    *optional = from[*at] == '?';
    if (*optional) ++*at;
    return *length > 0;
}

static bool row_uses(const fender_derivation *row, const char *name, bool *optional)
{
    size_t at = 0, start, length;
    while (next_member(row->from, &at, &start, &length, optional))
        if (strlen(name) == length && memcmp(row->from + start, name, length) == 0) return true;
    return false;
}

/* How the specification and a row agree: a row serves when nothing is missing and nothing idle. */
static fit fit_of(const fender_derivation *row, const fender_sizing_spec *spec)
{
    assert(row && spec);
    fit f = {0};
    for (int i = 0; i < spec_table.count; i++) {
        const fender_field *member = fender_field_at(&spec_table, i);
        bool said = !isnan(fender_field_get(member, spec, 0)), optional = false;
        bool used = row_uses(row, member->name, &optional);
        f.wanted += said && used;
        if (used && !optional && !said) f.first_missing = f.missing++ ? f.first_missing : member;
        if (said && !used) f.first_idle = f.idle++ ? f.first_idle : member;
    }
    assert((f.missing > 0) == (f.first_missing != NULL) && (f.idle > 0) == (f.first_idle != NULL));
    return f;
}

/* "{sink, weight} or {modulus, radius, weight}"; what may be missing stands in brackets. */
static void list_rows(const fender_law *law, const char *name, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (const fender_derivation *row = law->derivations; row && row->parameter; row++) {
        size_t at = 0, start, length;
        bool optional, first = true;
        if (strcmp(row->parameter, name) != 0) continue;
        if (used < size) used += (size_t)snprintf(text + used, size - used, used ? " or {" : "{");
        while (next_member(row->from, &at, &start, &length, &optional)) {
            if (used < size)
                used += (size_t)snprintf(text + used, size - used, "%s%s%.*s%s", first ? "" : ", ", optional ? "[" : "",
                                         (int)length, row->from + start, optional ? "]" : "");
            first = false;
        }
        if (used < size) used += (size_t)snprintf(text + used, size - used, "}");
    }
}

static fender_status refuse(fender_error *error, fender_status status, const char *path, const char *message,
                            const char *found, const char *expected, const char *suggestion)
{
    return fnd_fail(error, status, path, message, found, expected, suggestion);
}

static fender_status refuse_row(const fender_law *law, const char *name, const fit *f, fender_error *error)
{
    char message[200], expected[240], suggestion[320];
    assert(f->first_missing || f->first_idle);
    list_rows(law, name, expected, sizeof expected);
    if (f->first_missing) {
        const char *unit = f->first_missing->unit;
        snprintf(message, sizeof message, "'%.60s' cannot be derived without '%s'", name, f->first_missing->name);
        snprintf(suggestion, sizeof suggestion, "add '%s'%s%s%s; '%.40s' follows from %.200s", f->first_missing->name,
                 strcmp(unit, "1") ? " [" : "", strcmp(unit, "1") ? unit : "", strcmp(unit, "1") ? "]" : "", name,
                 expected);
        return refuse(error, FENDER_STATUS_ARGUMENT, f->first_missing->name, message, "nothing", expected, suggestion);
    }
    snprintf(message, sizeof message, "'%s' has no part in deriving '%.60s'", f->first_idle->name, name);
    snprintf(suggestion, sizeof suggestion, "remove '%s'; '%.40s' follows from %.200s", f->first_idle->name, name,
             expected);
    return refuse(error, FENDER_STATUS_ARGUMENT, f->first_idle->name, message, f->first_idle->name, expected,
                  suggestion);
}

/* Why no value does what is wanted; a restitution can be too much for what the law loses anyway. */
static fender_status refuse_value(const fender_law *law, const void *parameters, const fender_derivation *row,
                                  const fender_sizing_spec *spec, fender_error *error)
{
    char message[200], found[64] = "no value", expected[240], suggestion[160];
    const fender_field *radius = fender_field_find(&law->parameters, "radius");
    bool optional, round = row_uses(row, "radius", &optional) && radius;
    double most = NAN;
    snprintf(message, sizeof message, "no '%.60s' of law '%.60s' does what is wanted here", row->parameter, law->name);
    snprintf(expected, sizeof expected, "%.200s", row->doc);
    snprintf(suggestion, sizeof suggestion, "are the other parameters of the law as they should be?");
    if (round && !(spec->radius > 0) && !(fender_field_get(radius, parameters, 0) > 0)) {
        snprintf(message, sizeof message, "'%.60s' cannot be derived without 'radius'", row->parameter);
        snprintf(suggestion, sizeof suggestion, "add 'radius' [m], R of both surfaces, here or to the law");
    } else if (row_uses(row, "restitution", &optional)) {
        most = rebound_without(law, parameters, row->parameter, spec);
    }
    if (most < spec->restitution) {
        snprintf(message, sizeof message, "without any '%.40s' law '%.40s' gives back less than the restitution %g",
                 row->parameter, law->name, spec->restitution);
        snprintf(found, sizeof found, "%.6g at %g m/s, undamped", most, spec->speed);
        snprintf(suggestion, sizeof suggestion,
                 "ask for less than %.6g, or give the law other parameters, of which less is lost", most);
    }
    return refuse(error, FENDER_STATUS_VALUE, row->parameter, message, found, expected, suggestion);
}

/* The row that uses most of what is said; of several the one with the smallest gap, which then is told. */
fender_status fender_law_derive(const fender_law *law, const void *parameters, const char *name,
                                const fender_sizing_spec *spec, double *value, const fender_derivation **row,
                                fender_error *error)
{
    const fender_derivation *best = NULL;
    fit best_fit = {0};
    char message[200];
    for (const fender_derivation *r = law->derivations; r && r->parameter; r++) {
        if (strcmp(r->parameter, name) != 0) continue;
        fit f = fit_of(r, spec);
        int gap = f.missing + f.idle, best_gap = best_fit.missing + best_fit.idle;
        if (best && !(f.wanted > best_fit.wanted || (f.wanted == best_fit.wanted && gap < best_gap))) continue;
        best = r;
        best_fit = f;
    }
    if (!best) {
        snprintf(message, sizeof message, "law '%.60s' does not derive '%.60s'", law->name, name);
        return refuse(error, FENDER_STATUS_ARGUMENT, name, message, "a derived value", "a number", "give a number");
    }
    if (best_fit.missing || best_fit.idle) return refuse_row(law, name, &best_fit, error);
    double derived = best->value(parameters, spec);
    if (!isfinite(derived)) return refuse_value(law, parameters, best, spec, error);
    *value = derived;
    if (row) *row = best;
    return FENDER_STATUS_OK;
}
