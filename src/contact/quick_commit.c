/* Quick contacts of an accepted step that go on as they are: their records change in place. To the bit what commit_one
 * does (commit_one.c), for laws that remember nothing and have one mode. */
#include "contact/quick_commit.h"

#include "contact/peak.h"

static double elastic(const fnd_contact_type *type, double depth) { return depth > 0 ? type->stiffness * depth : 0; }

/* The force in the middle of a step whose depth is the cubic through both ends: see fnd_span_force. */
static double force_between(const fnd_contact_type *type, const fender_contact_input *a, const fender_contact_input *b)
{
    const double h = b->time - a->time, s = 0.5, r = 0.5, rise = b->depth - a->depth;
    const double depth = a->depth + s * s * (3 - 2 * s) * rise + h * s * r * (r * a->depth_rate - s * b->depth_rate);
    const double rate = h > 0 ? 6 * s * r * rise / h + r * (1 - 3 * s) * a->depth_rate + s * (3 * s - 2) * b->depth_rate
                              : b->depth_rate;
    const double force = elastic(type, depth) + type->damping * rate;
    return force < 0 ? 0 : force;
}

/* May the force be above `known` between the ends: does fnd_peaks_follow have to look? */
static bool force_may_peak(const fnd_contact_type *type, double known, const fnd_contact *from, const fnd_contact *now)
{
    const fender_contact_input *a = &from->in, *b = &now->in;
    const double first = from->force_C.z, last = now->force_C.z;
    const double h = b->time - a->time, rise = fabs(b->depth - a->depth);
    const double rates = fabs(a->depth_rate) + fabs(b->depth_rate), deeper = rise + h * rates;
    if (a->weight == b->weight && deeper < 0.25 * b->depth) {
        const double change = type->stiffness * deeper + type->damping * (rates + 1.5 * rise / h);
        if ((first > last ? first : last) + 2 * change < known) return false;
    }
    const double middle = force_between(type, a, b);
    const double bend = 2 * (first - 2 * middle + last), slope = 4 * middle - 3 * first - last;
    if (!(bend < 0) || !(slope > 0) || !(slope < -2 * bend)) return false;
    return first - slope * slope / (4 * bend) > known;
}

/* May the cubic through both ends be deeper inside than the record knows? Its Hermite functions for the rates are 4/27
 * at most. */
static bool depth_may_peak(const fnd_record *record, const fender_contact_input *a, const fender_contact_input *b)
{
    if (!(a->depth_rate > 0 && b->depth_rate < 0)) return false;
    const double deeper = a->depth > b->depth ? a->depth : b->depth;
    const double most = deeper + (4.0 / 27) * (b->time - a->time) * (a->depth_rate - b->depth_rate);
    return !(most * (1 + 1e-9) < record->peak_depth);
}

/* Largest force and depth: what is largest at the end is noted here, what may be larger inside is left to
 * fnd_peaks_follow. */
static void follow_peaks(fnd_record *record, const fnd_contact_type *type, const unsigned char *memory,
                         const fnd_contact *from, const fnd_contact *now)
{
    const double rate_a = fabs(from->in.depth_rate), rate_b = fabs(now->in.depth_rate);
    const bool long_enough = (rate_a > rate_b ? rate_a : rate_b) * (now->in.time - from->in.time) > 1e-10;
    const bool turns = depth_may_peak(record, &from->in, &now->in);
    const double force = now->force_C.z, depth = now->in.depth;
    const double known = force > record->peak_force ? force : record->peak_force;
    if (long_enough && (turns || force_may_peak(type, known, from, now))) {
        const fnd_span span = {type, memory, {NULL, NULL}, {from, now}};
        fnd_peaks_follow(record, &span, NULL);
        return;
    }
    if (force > record->peak_force) {
        record->peak_force = force;
        record->peak_force_time = now->in.time;
        record->force_sampling_error = record->time_sampling_error = 0;
    }
    if (depth > record->peak_depth) {
        record->peak_depth = depth;
        record->depth_sampling_error = 0;
    }
}

void fnd_quick_commit(fnd_record *record, const fnd_contact_type *type, const unsigned char *memory,
                      const fnd_passage *passage, const fnd_contact *const *rows, const fnd_contact *now, double work)
{
    double impulse = 0, damping = 0, friction = 0, supplied = 0, x = 0, y = 0, z = 0;
    for (int l = 0; l < passage->count; l++) {
        const fnd_contact *c = rows[l];
        const double weight = passage->weights[l];
        impulse += weight * c->force_C.z;
        x += weight * c->force.x;
        y += weight * c->force.y;
        z += weight * c->force.z;
        damping += weight * c->damping_power;
        friction += weight * c->friction_power;
        supplied += weight * c->supplied_power;
    }
    record->impulse += impulse;
    record->force_impulse.x += x;
    record->force_impulse.y += y;
    record->force_impulse.z += z;
    record->damping_loss += damping;
    record->friction_loss += friction;
    record->stored_at_start += supplied;
    record->work += work;
    const double step = passage->end_time - passage->start_time;
    if (step > record->longest_step) record->longest_step = step;
    record->last_time = passage->end_time;
    follow_peaks(record, type, memory, rows[0], now);
    record->stored = 0.5 * elastic(type, now->in.depth) * now->in.depth;
    const double residual = fabs(fnd_record_residual(record)), worked = fabs(record->work);
    if (residual > record->largest_residual) record->largest_residual = residual;
    if (worked > record->energy) record->energy = worked;
    if (record->stored > record->energy) record->energy = record->stored;
    record->normal = now->normal;
    record->tangent = now->tangent;
}
