/* How far the figures of a contact can be off: by sampling, by what the integration lost, by the method's phase. */
#include "contact/peak.h"

/* A force that jumps at touch or release acts too long or too short by what the step's stages, or the tolerance of the
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
    /* touch and release somewhere in their steps: the stages of the method fall on both sides */
    if (!(accuracy->event_tolerance > 0)) e.kink = x * x / 12;
    return e;
}

fender_contact_errors fnd_record_errors(const fnd_record *record, const fnd_accuracy *accuracy, double end_time,
                                        double rebound)
{
    fender_contact_errors errors = {0};
    parts e = relative_errors(record, accuracy);
    double approach = record->approach_speed;
    double per_impulse = record->energy > 0 ? approach / (2 * record->energy) : 0; /* 1 / (m v) */
    double jump = record->jump_in * per_impulse;
    if (isnan(end_time)) { /* it lasts: next to nothing may have gone through it yet, and a figure is off by itself at
                              most */
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
    /* Times hardly depend on how hard bodies meet. Where they are at touch is off by what their speed is off by in a
     * step. */
    double slow = e.phase + 0.2 * (both - e.phase), shift = record->longest_step * (e.kink + jump);
    double dense = accuracy->relative_tolerance > 0 ? 2 * e.phase : 0; /* of the output between accepted states */
    double duration = (isnan(end_time) ? record->last_time : end_time) - record->begin_time;
    errors.begin_time = record->begin_error;
    errors.end_time = record->end_error + slow * duration + shift;
    errors.approach_speed = record->approach_error;
    errors.rebound_speed = record->rebound_error;
    errors.peak_depth = record->depth_sampling_error + both * record->peak_depth;
    errors.peak_force = record->force_sampling_error + both * record->peak_force;
    /* at a maximum a figure of 16 digits tells times of 8 */
    errors.peak_force_time = record->time_sampling_error + (slow + dense) * rise + shift + 1e-8 * swing +
                             (accuracy->event_tolerance > 0 ? record->begin_error : 0);
    double out = rebound > 0 ? rebound : 0;
    /* energy that is missing at the end is missed by the small part that is left */
    double floor = 0.05 * approach, slowest = out > floor ? out : floor;
    if (approach > 0) {
        double lost = e.energy * approach * approach / slowest;
        double off = lost + (e.phase + e.kink + jump) * out;
        errors.rebound_speed += off + record->jump_out * per_impulse * approach;
        errors.impulse = fabs(record->impulse) * off / (approach + out) + record->jump_out;
    } else {
        errors.impulse = both * fabs(record->impulse);
    }
    if (!(record->peak_force != 0) && !(record->peak_depth > 0)) /* between two accepted states: nothing is known */
        errors.peak_force = errors.peak_depth = errors.peak_force_time = INFINITY;
    return errors;
}
