/* Peaks of force and depth between states, and their error estimates. */
#include "contact/peak.h"

#include "contact/lifecycle.h"
#include <assert.h>

/* ---- Error estimates ---- */

/* A force that jumps at begin or end acts too long or too short by what the step's stages, or the tolerance of the
 * event, miss of its time: an impulse, which changes the speed by its share of m v.
 *
 * Through a contact of reduced mass m go E = m v^2 / 2. A force, a depth or a speed that is off by the part e changes
 * energy by 2 e E, so that a residual r is worth e = r / (2 E). A residual that has grown and vanished again was an
 * error of the peak all the same: the largest one counts.
 *
 * What energy does not show is the phase: a method of order p turns a swing w by x = w h in each step h with an error
 * of x^(p+1) / (p+1)!, so that times are off by the part x^p / (p+1)!. The swing follows from what was seen:
 * w = v / d, approach speed over largest depth. An adaptive method keeps errors at its tolerance whatever the step. */
typedef struct parts {
    double energy, phase, kink;
} parts;

static parts relative_errors(const fnd_record *record, const fnd_accuracy *accuracy)
{
    parts e = {0, 0, 0};
    if (record->energy > 0) e.energy = record->largest_residual / (2 * record->energy);
    if (accuracy->relative_tolerance > 0) {
        e.phase = (accuracy->order > 5 ? 12 : 25) * accuracy->relative_tolerance;
        return e;
    }
    if (!(record->peak_depth > 0)) return e;
    double x = record->longest_step * record->approach_speed / record->peak_depth;
    e.phase = 1;
    for (int i = 1; i <= accuracy->order; i++) e.phase *= x / (i + 1);
    /* begin and end at random times within their steps, with stages of the method on both sides */
    if (!(accuracy->event_tolerance > 0)) e.kink = x * x / 12;
    return e;
}

fender_contact_errors fnd_record_errors(const fnd_record *record, const fnd_accuracy *accuracy, double end_time,
                                        double rebound)
{
    assert(accuracy->order >= 0);
    fender_contact_errors errors = {0};
    parts e = relative_errors(record, accuracy);
    double approach = record->approach_speed;
    double per_impulse = record->energy > 0 ? approach / (2 * record->energy) : 0; /* 1 / (m v) */
    double jump = record->onset_impulse * per_impulse;
    if (isnan(end_time)) { /* it still lasts: little energy may have passed through it, and the error is at most the
                              value itself */
        e.energy = e.energy < 1 ? e.energy : 1;
        e.phase = e.phase < 1 ? e.phase : 1;
        e.kink = e.kink < 1 ? e.kink : 1;
        jump = jump < 1 ? jump : 1;
    }
    double both = e.energy + e.phase + e.kink + jump;
    if (isnan(end_time) && both > 1) both = 1;
    double swing = approach > 0 ? record->peak_depth / approach : 0; /* s */
    double rise = record->peak_force_time - record->begin_time;
    if (rise < swing) rise = swing;
    /* Times hardly depend on the impact speed. The error of the position at touch is that of the speed times the step.
     */
    double slow = e.phase + 0.2 * (both - e.phase), shift = record->longest_step * (e.kink + jump);
    double dense = accuracy->relative_tolerance > 0 ? 2 * e.phase : 0; /* of the output between accepted states */
    double duration = (isnan(end_time) ? record->last_time : end_time) - record->begin_time;
    errors.begin_time = record->begin_error;
    errors.end_time = record->end_error + slow * duration + shift;
    errors.approach_speed = record->approach_error;
    errors.rebound_speed = record->rebound_error;
    errors.peak_depth = record->depth_sampling_error + both * record->peak_depth;
    errors.peak_force = record->force_sampling_error + both * record->peak_force;
    /* at a maximum, a value with 16 digits determines the time to 8 digits */
    errors.peak_force_time = record->time_sampling_error + (slow + dense) * rise + shift + 1e-8 * swing +
                             (accuracy->event_tolerance > 0 ? record->begin_error : 0);
    double out = rebound > 0 ? rebound : 0;
    /* energy missing at the end is relative to the small remaining part */
    double floor = 0.05 * approach, slowest = out > floor ? out : floor;
    if (approach > 0) {
        double lost = e.energy * approach * approach / slowest;
        double off = lost + (e.phase + e.kink + jump) * out;
        errors.rebound_speed += off + record->release_impulse * per_impulse * approach;
        errors.impulse = fabs(record->impulse) * off / (approach + out) + record->release_impulse;
    } else {
        errors.impulse = both * fabs(record->impulse) + record->release_impulse;
    }
    if (!(record->peak_force != 0) && !(record->peak_depth > 0)) /* between two accepted states: unknown */
        errors.peak_force = errors.peak_depth = errors.peak_force_time = INFINITY;
    return errors;
}

/* ---- Peaks ---- */

void fnd_span_depth(const fnd_span *span, double part, double *depth, double *rate)
{
    assert(part >= 0 && part <= 1);
    const fender_contact_input *a = &span->ends[0]->in, *b = &span->ends[1]->in;
    double h = b->time - a->time, s = part, r = 1 - part;
    double rise = b->depth - a->depth;
    *depth = a->depth + s * s * (3 - 2 * s) * rise + h * s * r * (r * a->depth_rate - s * b->depth_rate);
    *rate = h > 0 ? 6 * s * r * rise / h + r * (1 - 3 * s) * a->depth_rate + s * (3 * s - 2) * b->depth_rate
                  : b->depth_rate;
}

static double between(double a, double b, double part) { return a + part * (b - a); }

/* Evaluates the law with an input and with states at a part of the span. */
static double force_with(const fnd_span *span, double part, double gain, fender_contact_input in)
{
    fnd_provide(span->type, &span->ends[1]->key, &in);
    in.prescribed_normal /= gain;
    double states[FND_SLOT_COUNT * FENDER_LAW_STATE_CAPACITY];
    for (int i = 0; i < span->type->state_count; i++) states[i] = between(span->states[0][i], span->states[1][i], part);
    fnd_slot_input_adapt(span->type, &span->type->primary, states, &in);
    fender_contact_output out = {0};
    const fnd_slot *slot = &span->type->primary;
    slot->law->force(slot->parameters, &in, span->memory, &out);
    return in.weight * (gain * out.force.z);
}

/* Evaluates the law at a depth and rate, with its other inputs at a part of the span. */
static double force_of(const fnd_span *span, double part, double depth, double rate)
{
    const fender_contact_input *a = &span->ends[0]->in, *b = &span->ends[1]->in;
    fender_contact_input in = *b;
    in.time = between(a->time, b->time, part);
    in.depth = depth;
    in.depth_rate = rate;
    in.weight = between(a->weight, b->weight, part);
    in.slip = (fender_vec2){between(a->slip.x, b->slip.x, part), between(a->slip.y, b->slip.y, part)};
    in.spin = fender_vec3_add_scaled(a->spin, part, fender_vec3_sub(b->spin, a->spin));
    return force_with(span, part, between(span->ends[0]->gain, span->ends[1]->gain, part), in);
}

/* Changes of weight, and of depth [m], that rounding may cause. */
#define WEIGHT_GRAIN 1e-6
#define DEPTH_GRAIN  1e-12

/* Most that depth and rates of a motion d'' = -w^2 d differ by, where w^2 follows from the change of rate: the mean
 * rate times h misses the way by h^3 w^2 d' / 12, with errors of the method of order 2 by three times that. */
static double largest_difference(const fender_contact_input *a, const fender_contact_input *b)
{
    const double h = b->time - a->time, bend = fabs(b->depth_rate - a->depth_rate);
    const double rates[2] = {fabs(a->depth_rate), fabs(b->depth_rate)}, depths[2] = {fabs(a->depth), fabs(b->depth)};
    const double rate = rates[rates[1] > rates[0]], depth = depths[depths[1] > depths[0]];
    return DEPTH_GRAIN + (depth > 0 ? h * h * bend * rate / depth : 0);
}

bool fnd_span_stays(const fnd_span *span)
{
    if (!span->ends[0]->weight_fades && !span->ends[1]->weight_fades) return true;
    const fender_contact_input *a = &span->ends[0]->in, *b = &span->ends[1]->in;
    if (fabs(b->weight - a->weight) > WEIGHT_GRAIN * (a->weight + b->weight)) return false;
    const double h = b->time - a->time, way = 0.5 * h * (a->depth_rate + b->depth_rate);
    return fabs(b->depth - a->depth - way) <= largest_difference(a, b);
}

/* The force of one end, moved on by half the way that its rate makes from there. */
static double force_from(const fnd_span *span, int end, double part)
{
    const fender_contact_input *a = &span->ends[0]->in, *b = &span->ends[1]->in;
    fender_contact_input in = span->ends[end]->in;
    const double time = between(a->time, b->time, part);
    in.depth += 0.5 * (time - in.time) * in.depth_rate;
    in.time = time;
    return force_with(span, part, span->ends[end]->gain, in);
}

double fnd_span_force(const fnd_span *span, double part)
{
    assert(part >= 0 && part <= 1);
    if (!fnd_span_stays(span)) return between(force_from(span, 0, part), force_from(span, 1, part), part);
    double depth, rate;
    fnd_span_depth(span, part, &depth, &rate);
    return force_of(span, part, depth, rate);
}

double fnd_span_bulge(const fnd_span *span, double part)
{
    if (fnd_span_stays(span)) return 0;
    return fnd_span_force(span, part) - between(span->ends[0]->force_C.z, span->ends[1]->force_C.z, part);
}

double fnd_span_crossing(const fnd_span *span)
{
    double low = 0, high = 1, depth, rate;
    bool sinking = span->ends[1]->in.depth > 0;
    for (int i = 0; i < 60 && high - low > 1e-12; i++) {
        double middle = 0.5 * (low + high);
        fnd_span_depth(span, middle, &depth, &rate);
        if ((depth > 0) == sinking) high = middle;
        else low = middle;
    }
    return 0.5 * (low + high);
}

double fnd_largest(fnd_value_at *value, void *ctx, double guess, double tolerance, double *most)
{
    const double golden = 0.3819660112501051;
    double a = 0, b = 1, x = guess, w = x, v = x, d = 0, e = 0;
    double fx = value(ctx, x), fw = fx, fv = fx;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (a + b), near = 1e-9 * x + tolerance;
        if (fabs(x - middle) <= 2 * near - 0.5 * (b - a)) break;
        bool section = true;
        if (fabs(e) > near) {
            double r = (x - w) * (fx - fv), q = (x - v) * (fx - fw), p = (x - v) * q - (x - w) * r;
            q = 2 * (q - r);
            if (q > 0) p = -p;
            q = fabs(q);
            double before = e;
            e = d;
            if (fabs(p) < fabs(0.5 * q * before) && p > q * (a - x) && p < q * (b - x)) {
                d = p / q;
                section = false;
                if (x + d - a < 2 * near || b - (x + d) < 2 * near) d = x < middle ? near : -near;
            }
        }
        if (section) {
            e = x < middle ? b - x : a - x;
            d = golden * e;
        }
        double u = fabs(d) >= near ? x + d : x + (d > 0 ? near : -near), fu = value(ctx, u);
        if (fu >= fx) {
            if (u < x) b = x;
            else a = x;
            v = w, fv = fw, w = x, fw = fx, x = u, fx = fu;
        } else {
            if (u < x) a = u;
            else b = u;
            if (fu >= fw || w == x) v = w, fv = fw, w = u, fw = fu;
            else if (fu >= fv || v == x || v == w) v = u, fv = fu;
        }
    }
    *most = fx;
    return x;
}

static double force_at(void *ctx, double part) { return fnd_span_force(ctx, part); }

static double largest_force(const fnd_span *span, double guess, double *force)
{
    fnd_span own = *span;
    return fnd_largest(force_at, &own, guess, 1e-10, force);
}

/* True if the force may exceed `known` inside the span, from one more evaluation of the law in the middle and the
 * parabola through three points. */
static bool force_peaks(const fnd_span *span, double known, double *guess)
{
    double first = span->ends[0]->force_C.z, last = span->ends[1]->force_C.z, middle = fnd_span_force(span, 0.5);
    double bend = 2 * (first - 2 * middle + last), slope = 4 * middle - 3 * first - last;
    if (!(bend < 0) || !(slope > 0) || !(slope < -2 * bend)) return false;
    *guess = -slope / (2 * bend);
    return first - slope * slope / (4 * bend) > known;
}

/* Part of the span with the largest depth: the rate is a parabola that decreases through zero. */
static bool depth_peaks(const fnd_span *span, double *part)
{
    const fender_contact_input *from = &span->ends[0]->in, *to = &span->ends[1]->in;
    if (!(from->depth_rate > 0) || !(to->depth_rate < 0)) return false;
    double h = to->time - from->time, rise = to->depth - from->depth;
    double a = 3 * h * (from->depth_rate + to->depth_rate) - 6 * rise;
    double b = 6 * rise - h * (4 * from->depth_rate + 2 * to->depth_rate), c = h * from->depth_rate;
    double root = b * b - 4 * a * c;
    *part = 2 * c / (sqrt(root > 0 ? root : 0) - b);
    return *part > 0 && *part < 1;
}

/* Error of the cubic there, and its second derivative [m/s^2]. A contact oscillates as d'' = -w^2 d, so that its fourth
 * derivative is about d''^2/d. */
static double interpolation_error(const fnd_span *span, double part, double deepest, double *depth, double *rate)
{
    const fender_contact_input *a = &span->ends[0]->in, *b = &span->ends[1]->in;
    double h = b->time - a->time, t = part * h, left = h - t, size = fabs(deepest);
    *depth = *rate = 0;
    if (!(h > 0) || !(size > 0)) return 0;
    double rise = (b->depth - a->depth) / h;
    double first = fabs(6 * rise - 4 * a->depth_rate - 2 * b->depth_rate) / h;
    double last = fabs(2 * a->depth_rate + 4 * b->depth_rate - 6 * rise) / h;
    double bend = first > last ? first : last, fourth = bend * bend / size;
    *depth = fourth / 24 * t * t * left * left;
    *rate = fourth / 12 * t * left * h;
    return bend;
}

/* The rate of the cubic contains the rise over time: half as much again of its rounding. */
static double rounding_of_rate(const fnd_span *span)
{
    const double h = span->ends[1]->in.time - span->ends[0]->in.time;
    return h > 0 ? 3 * span->grain / h : 0;
}

static double change_of_force(const fnd_span *span, double part, double force, double depth_error, double rate_error)
{
    double depth, rate, most = 0;
    fnd_span_depth(span, part, &depth, &rate);
    for (int i = 0; i < 4; i++) {
        double d = depth + (i & 1 ? depth_error : -depth_error), v = rate + (i & 2 ? rate_error : -rate_error);
        double change = fabs(force_of(span, part, d, v) - force);
        if (change > most) most = change;
    }
    return most;
}

double fnd_span_rounding(const fnd_span *span, int end)
{
    if (!(span->grain > 0)) return 0;
    const fnd_contact *row = span->ends[end];
    fender_contact_input in = row->in;
    const double force = force_with(span, end, row->gain, in);
    double most = 0;
    for (int i = -1; i <= 1; i += 2) {
        in.depth = row->in.depth + i * span->grain;
        const double change = fabs(force_with(span, end, row->gain, in) - force);
        if (change > most) most = change;
    }
    return most;
}

double fnd_span_depth_error(const fnd_span *span, double part)
{
    double errors[2], depth, rate;
    fnd_span_depth(span, part, &depth, &rate);
    (void)interpolation_error(span, part, depth, &errors[0], &errors[1]);
    return errors[0];
}

double fnd_span_force_error(const fnd_span *span, double part)
{
    double errors[2], depth, rate;
    if (!fnd_span_stays(span)) return 0;
    fnd_span_depth(span, part, &depth, &rate);
    (void)interpolation_error(span, part, depth, &errors[0], &errors[1]);
    return change_of_force(span, part, force_of(span, part, depth, rate), errors[0], errors[1]);
}

/* The force N(d, d') is largest where N' = 0; there the cubic has errors in the rate and in its derivative. */
static double error_of_time(const fnd_span *span, double part, double bend, double rate_error)
{
    double depth, rate, h = span->ends[1]->in.time - span->ends[0]->in.time;
    if (!(bend > 0)) return 0;
    fnd_span_depth(span, part, &depth, &rate);
    double d = 1e-3 * fabs(depth), v = bend * h + 1e-3 * fabs(rate);
    if (!(d > 0) || !(v > 0)) return 0;
    double stiffness = (force_of(span, part, depth + d, rate) - force_of(span, part, depth - d, rate)) / (2 * d);
    double damping = (force_of(span, part, depth, rate + v) - force_of(span, part, depth, rate - v)) / (2 * v);
    /* error of d'': that of d' is fourth / 12 * t * left * h, and at most fourth * h^3 / 48 */
    double fall = fabs(stiffness) * bend, slope = fabs(stiffness) * rate_error;
    double fourth = bend * bend / fabs(depth);
    slope += fabs(damping) * fourth * h * h / 12;
    if (span->grain > 0) slope += fabs(stiffness) * rounding_of_rate(span) + fabs(damping) * 12 * span->grain / (h * h);
    return fall > 0 ? slope / fall : 0;
}

/* A shorter span around a part of this one, from samples of the step. False: no further samples. */
typedef struct narrowed {
    fnd_contact rows[2];
    fender_contact_surface surfaces[2]; /* of rows whose laws ask */
    double states[2][FND_SLOT_COUNT * FENDER_LAW_STATE_CAPACITY];
    fnd_span span;
} narrowed;

static bool narrow(const fnd_span *span, const fnd_step_sampler *sampler, double part, double width, narrowed *to)
{
    double start = span->ends[0]->in.time, length = span->ends[1]->in.time - start;
    to->span = *span;
    for (int i = 0; i < 2; i++) {
        double at = part + (i ? width : -width);
        if (!(at > 0) || !(at < 1)) at = i; /* beyond the end: the end itself */
        if (at == i) to->rows[i] = *span->ends[i];
        else if (!sampler->contact(sampler->ctx, start + at * length, &span->ends[1]->key, &to->rows[i])) return false;
        if (to->rows[i].in.surface) {
            to->surfaces[i] = *to->rows[i].in.surface;
            to->rows[i].in.surface = &to->surfaces[i];
        }
        for (int k = 0; k < span->type->state_count; k++)
            to->states[i][k] = between(span->states[0][k], span->states[1][k], at);
        to->span.ends[i] = &to->rows[i];
        to->span.states[i] = to->states[i];
    }
    return to->rows[1].in.time > to->rows[0].in.time;
}

/* Where in a span something is largest. */
typedef bool find_part(const fnd_span *span, double *part);

static bool find_force(const fnd_span *span, double *part)
{
    double force;
    *part = largest_force(span, 0.5, &force);
    return true;
}

/* At the deepest end if it is outside. */
static bool find_depth(const fnd_span *span, double *part)
{
    if (!depth_peaks(span, part)) *part = span->ends[1]->in.depth_rate > 0 ? 1 : 0;
    return true;
}

/* The rate of the cubic is a difference of depths over time. If the depth changes by less than this, it consists of
 * rounding, and samples between the ends are useless. */
static bool is_long_enough(const fnd_span *span)
{
    const fender_contact_input *a = &span->ends[0]->in, *b = &span->ends[1]->in;
    double from = fabs(a->depth_rate), to = fabs(b->depth_rate), least = fnd_least_way(span->grain);
    return (from > to ? from : to) * (b->time - a->time) > least;
}

/* Do samples closer together tell more? What the wider cubic misses of the rate is more than the narrower one's
 * rounding. */
static bool tells_more(const fnd_span *narrower, const fnd_span *wider, double part)
{
    double errors[2], depth, rate;
    if (!is_long_enough(narrower)) return false;
    if (!(narrower->grain > 0)) return true;
    fnd_span_depth(wider, part, &depth, &rate);
    (void)interpolation_error(wider, 0.5, depth, &errors[0], &errors[1]);
    return errors[1] > rounding_of_rate(narrower);
}

/* Locates a maximum by samples of the step and returns the last span. If the maximum is at the border of the sampled
 * range, sampling continues from there. */
static const fnd_span *close_in(const fnd_span *whole, const fnd_step_sampler *sampler, find_part *find, double *part,
                                narrowed room[2])
{
    const fnd_span *span = whole;
    double start = whole->ends[0]->in.time, length = whole->ends[1]->in.time - start, width = 0.2;
    for (int i = 0; sampler && i < 8 && width > 0.004; i++) {
        double time = between(span->ends[0]->in.time, span->ends[1]->in.time, *part);
        if (!narrow(whole, sampler, (time - start) / length, width, &room[i % 2])) break;
        if (!tells_more(&room[i % 2].span, span, *part)) break;
        span = &room[i % 2].span;
        find(span, part);
        bool border = (*part < 0.02 && span->ends[0]->in.time > start) ||
                      (*part > 0.98 && span->ends[1]->in.time < whole->ends[1]->in.time);
        if (!border) width *= 0.15;
    }
    return span;
}

/* If samples follow, steps are long and the search uses eight points instead of three. */
static bool force_may_peak(const fnd_span *span, double known, double *guess)
{
    double most = -INFINITY;
    for (int i = 1; i < 8; i++) {
        double force = fnd_span_force(span, i / 8.0);
        if (force > most) most = force, *guess = i / 8.0;
    }
    return most > known - 0.02 * fabs(known);
}

/* True if the force may exceed `known` inside the span, for laws with known stiffness and a nearly constant depth.
 * Avoids most evaluations of contacts at rest. Twice the change from stiffness and damping exceeds that of any smooth
 * law. */
static bool may_exceed(const fnd_span *span, double known)
{
    const fnd_slot *slot = &span->type->primary;
    const fender_contact_input *a = &span->ends[0]->in, *b = &span->ends[1]->in;
    if (!slot->law->stiffness || slot->law->state_count > 0 || span->type->is_prescribed || a->weight != b->weight)
        return true;
    double h = b->time - a->time, rise = fabs(b->depth - a->depth), rates = fabs(a->depth_rate) + fabs(b->depth_rate);
    double deeper = rise + h * rates;
    if (!(deeper < 0.25 * b->depth)) return true;
    fender_law_stiffness springs = {0};
    slot->law->stiffness(slot->parameters, b, &springs);
    double first = span->ends[0]->force_C.z, last = span->ends[1]->force_C.z;
    double change = b->weight * span->ends[1]->gain *
                    (springs.normal_stiffness * deeper + springs.normal_damping * (rates + 1.5 * rise / h));
    return !((first > last ? first : last) + 2 * change < known);
}

/* Around its peak, a force falls with the square of time. Within this time, the rounding of two forces hides that. */
static double rounding_of_time(const fnd_record *record, double rounding)
{
    if (!(rounding > 0) || !(record->peak_force > 0) || !(record->approach_speed > 0)) return 0;
    return 2 * sqrt(rounding / record->peak_force) * record->peak_depth / record->approach_speed;
}

/* By how much the force inside a short span may exceed the known one: with the rate along the chord between those of
 * the ends, which a motion d'' = -w^2 d leaves by w^2 d' h^2 / 8. */
static double possible_excess(const fnd_span *span, double part, double known)
{
    const fender_contact_input *a = &span->ends[0]->in, *b = &span->ends[1]->in;
    const double h = b->time - a->time, bend = fabs(b->depth_rate - a->depth_rate);
    const double from = fabs(a->depth_rate), to = fabs(b->depth_rate),
                 chord = between(a->depth_rate, b->depth_rate, part);
    double depth, rate;
    fnd_span_depth(span, part, &depth, &rate);
    const double off = fabs(depth) > 0 ? bend * (from > to ? from : to) * h / (8 * fabs(depth)) : bend;
    double most = 0;
    for (int i = 0; i < 4; i++) {
        const double d = depth + (i & 1 ? span->grain : -span->grain), v = chord + (i & 2 ? off : -off);
        const double excess = force_of(span, part, d, v) - known;
        if (excess > most) most = excess;
    }
    return most;
}

/* A force that differs from the known one by no more than rounding makes of it is no other peak. Then what it may be is
 * one of the errors. */
static bool is_rounding(fnd_record *record, const fnd_span *span, double part, double force)
{
    if (!(span->grain > 0)) return false;
    const double rounding = change_of_force(span, part, force, span->grain, rounding_of_rate(span));
    if (fabs(force - record->peak_force) > rounding) return false;
    const double possible = possible_excess(span, part, record->peak_force);
    const double error = possible < rounding ? possible : rounding;
    if (!(error > 0)) return true;
    const double time = between(span->ends[0]->in.time, span->ends[1]->in.time, part);
    const double off = fabs(time - record->peak_force_time) + rounding_of_time(record, error);
    if (error > record->force_sampling_error) record->force_sampling_error = error;
    if (off > record->time_sampling_error) record->time_sampling_error = off;
    return true;
}

static void follow_force(fnd_record *record, const fnd_span *whole, const fnd_step_sampler *sampler)
{
    if (!sampler && !may_exceed(whole, record->peak_force)) return;
    double guess = 0.5, force, errors[2];
    bool inside = sampler ? force_may_peak(whole, record->peak_force, &guess)
                          : force_peaks(whole, record->peak_force, &guess);
    if (!inside) return;
    narrowed room[2];
    double part = largest_force(whole, guess, &force);
    const fnd_span *span = close_in(whole, sampler, find_force, &part, room);
    force = fnd_span_force(span, part);
    if (is_rounding(record, span, part, force) || !(force > record->peak_force)) return;
    double depth, rate;
    fnd_span_depth(span, part, &depth, &rate);
    double bend = interpolation_error(span, part, depth > record->peak_depth ? depth : record->peak_depth, &errors[0],
                                      &errors[1]);
    record->peak_force = force;
    record->peak_force_time = between(span->ends[0]->in.time, span->ends[1]->in.time, part);
    if (fnd_span_stays(span)) {
        record->force_sampling_error = change_of_force(span, part, force, errors[0] + span->grain,
                                                       errors[1] + rounding_of_rate(span));
        record->time_sampling_error = error_of_time(span, part, bend, errors[1]) +
                                      rounding_of_time(record, fnd_span_rounding(span, 1));
    } else {
        record->force_sampling_error = fabs(fnd_span_bulge(span, part)) + fnd_span_rounding(span, 1);
        record->time_sampling_error = 0.5 * (span->ends[1]->in.time - span->ends[0]->in.time);
    }
}

static void follow_depth(fnd_record *record, const fnd_span *whole, const fnd_step_sampler *sampler)
{
    double part, depth, rate, errors[2];
    if (!depth_peaks(whole, &part)) return;
    fnd_span_depth(whole, part, &depth, &rate);
    if (!(depth > record->peak_depth * (sampler ? 0.98 : 1))) return;
    narrowed room[2];
    const fnd_span *span = close_in(whole, sampler, find_depth, &part, room);
    fnd_span_depth(span, part, &depth, &rate);
    (void)interpolation_error(span, part, depth, &errors[0], &errors[1]);
    if (depth > record->peak_depth) {
        record->peak_depth = depth;
        record->depth_sampling_error = errors[0] + span->grain;
    }
}

void fnd_peaks_raise(fnd_record *record, const fnd_record *other)
{
    if (other->peak_force > record->peak_force) {
        record->peak_force = other->peak_force;
        record->peak_force_time = other->peak_force_time;
        record->force_sampling_error = other->force_sampling_error;
        record->time_sampling_error = other->time_sampling_error;
    }
    fnd_note_pull(record, -other->peak_pull, other->peak_pull_time);
    if (other->peak_depth > record->peak_depth) {
        record->peak_depth = other->peak_depth;
        record->depth_sampling_error = other->depth_sampling_error;
    }
}

void fnd_peaks_track(fnd_record *record, const fnd_span *span, const fnd_step_sampler *sampler)
{
    const fnd_contact *last = span->ends[1];
    fnd_note_pull(record, last->force_C.z, last->in.time);
    const bool largest = last->force_C.z > record->peak_force;
    if (largest) {
        record->peak_force = last->force_C.z;
        record->peak_force_time = last->in.time;
        record->force_sampling_error = fnd_span_rounding(span, 1);
    }
    if (last->in.depth > record->peak_depth) {
        record->peak_depth = last->in.depth;
        record->depth_sampling_error = span->grain;
    }
    if (largest) record->time_sampling_error = rounding_of_time(record, record->force_sampling_error);
    if (!is_long_enough(span)) return;
    follow_depth(record, span, sampler);
    follow_force(record, span, sampler);
}

/* ---- A contact's way through the step ---- */

/* The contact at both ends of the step, with the `memory` of its laws during the step. */
static fnd_span span_of(const fnd_contact_set *set, const fnd_transition *s, const fnd_contact_type *type,
                        unsigned char *memory, const fnd_contact *from, const fnd_contact *to, double grain)
{
    double *states = fnd_memory_states(type, memory), *before = states;
    if (s->old) before = fnd_memory_states(type, fnd_record_memory(&set->records, s->old_index));
    return (fnd_span){type, memory, {before, states}, {from, to}, grain};
}

/* The contact began within the step: the time at which free flight from the previous state meets the surface. */
static void follow_touch(const fnd_contact_set *set, const fnd_step_stages *stages, const fnd_transition *s,
                         const fnd_contact_type *type, unsigned char *memory, const fnd_contact *apart, double grain,
                         fnd_record *record)
{
    const fnd_contact *first_seen = s->seen ? s->seen : s->now;
    record->begin_error = stages->end_time - stages->start_time;
    if (apart->in.depth >= 0 || first_seen->in.depth <= 0 || !(first_seen->in.time > stages->start_time)) return;
    fnd_span flight = span_of(set, s, type, memory, apart, first_seen, grain);
    fnd_contact touch = *s->now;
    double depth, part = fnd_span_crossing(&flight);
    fnd_span_depth(&flight, part, &depth, &touch.in.depth_rate);
    if (first_seen == s->now) touch.in.depth_rate = apart->in.depth_rate; /* which may have been pushed already */
    touch.in.depth = 0;
    touch.in.time = stages->start_time + part * (first_seen->in.time - stages->start_time);
    record->begin_error = touch.in.time - record->begin_time;
    fnd_span span = span_of(set, s, type, memory, &touch, s->now, grain);
    touch.force_C.z = fnd_span_force(&span, 0);
    record->onset_impulse = fabs(touch.force_C.z * (s->active - (stages->end_time - touch.in.time)));
    if (touch.force_C.z > record->peak_force) {
        record->peak_force = touch.force_C.z;
        record->peak_force_time = touch.in.time;
    }
    fnd_peaks_track(record, &span, NULL);
}

double fnd_located_error(const fnd_frame *a, const fnd_frame *b, const fnd_step_stages *stages, const fnd_contact *c)
{
    double size = fender_vec3_length(a->p) + fender_vec3_length(b->p) + fender_vec3_length(c->lever_a) +
                  fender_vec3_length(c->lever_b);
    double step = stages->end_time - stages->start_time, speed = fabs(c->in.depth_rate);
    double grain = 4 * DBL_EPSILON * size, slow = speed * step > grain ? grain / speed : step;
    return stages->accuracy->event_tolerance + slow;
}

void fnd_track_inside(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                      const fnd_step_stages *stages, const fnd_transition *s, const fnd_contact_type *type,
                      unsigned char *memory, fnd_record *record)
{
    double step = stages->end_time - stages->start_time;
    const double grain = fnd_depth_grain(model, s->now);
    fnd_span span = span_of(set, s, type, memory, s->from && s->old ? s->from : s->now, s->now, grain);
    fnd_peaks_track(record, &span, s->now->weight_fades ? NULL : stages->sampler);
    if (s->old || !(step > 0)) return;
    const fnd_body *body_a = &model->bodies[model->shapes[s->key.a].root];
    const fnd_body *body_b = &model->bodies[model->shapes[s->key.b].root];
    fnd_model_move(model, stages->start_time);
    fnd_frame a = fnd_frame_of_state(body_a, &body_a->state), b = fnd_frame_of_state(body_b, &body_b->state);
    fnd_contact apart;
    const bool known = fnd_contact_probe_key(env, set, model, &a, &b, &s->key, record->type, &apart);
    fnd_model_move(model, stages->end_time);
    if (!known) return;
    apart.in.time = stages->start_time;
    const fnd_contact *first_seen = s->seen ? s->seen : s->now;
    double change = fabs(first_seen->in.depth_rate - apart.in.depth_rate); /* in free flight */
    if (stages->located) {
        record->approach_error = change * (fnd_located_error(&a, &b, stages, s->now) / step);
        record->begin_error = fnd_located_error(&a, &b, stages, s->now);
        record->onset_impulse = fabs(s->now->force_C.z) * record->begin_error;
    } else {
        record->approach_error = change;
        follow_touch(set, stages, s, type, memory, &apart, grain, record);
    }
}

void fnd_track_end(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                   const fnd_step_stages *stages, const fnd_transition *s, const fnd_contact_type *type,
                   unsigned char *memory, const fnd_contact *apart, fnd_record *record)
{
    if (stages->count == 0) return;
    if (stages->located) {
        record->end_error = fnd_located_error(&frames[model->shapes[s->key.a].root],
                                              &frames[model->shapes[s->key.b].root], stages, apart);
        record->release_impulse += s->last ? fabs(s->last->force_C.z) * record->end_error : 0;
        return;
    }
    record->end_error = stages->end_time - stages->start_time;
    if (!s->from || s->from->in.depth <= 0 || apart->in.depth >= 0) return;
    fnd_contact after = *apart;
    after.in.time = stages->end_time;
    after.force_C = fender_vec3_make(0, 0, 0);
    fnd_span span = span_of(set, s, type, memory, s->from, &after, fnd_depth_grain(model, apart));
    double part = fnd_span_crossing(&span), depth, rate, before = record->peak_force, deepest = record->peak_depth;
    fnd_span_depth(&span, part, &depth, &rate);
    record->end_error *= 1 - part;
    double step = stages->end_time - stages->start_time;
    record->release_impulse += fabs(fnd_span_force(&span, 0.999 * part) * (s->active - part * step));
    record->rebound_error = fabs(rate - after.in.depth_rate);
    if (!(s->from->in.depth_rate > 0)) return;
    fnd_peaks_track(record, &span, NULL); /* the rebound is within this step: the result is an estimate */
    record->force_sampling_error += record->peak_force - before;
    record->depth_sampling_error += record->peak_depth - deepest;
}
