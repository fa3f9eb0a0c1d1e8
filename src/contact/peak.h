/* Peaks of a contact between two known states, and error estimates of its values. */
#ifndef FND_CONTACT_PEAK_H
#define FND_CONTACT_PEAK_H

#include "contact/contact_set.h"
#include <float.h>

/* A contact at two states of one step, with the memory of its laws during the step. */
typedef struct fnd_span {
    const fnd_contact_type *type;
    const unsigned char *memory;
    const double *states[2]; /* continuous states at the ends; equal pointers: constant */
    const fnd_contact *ends[2];
    double grain; /* m; rounding of its depths: see fnd_depth_grain */
} fnd_span;

/* Depths are differences of positions, with the rounding of these [m]. Within some metres from the origin it is less
 * than anything that is seen of it, and 0 here. */
static inline double fnd_depth_grain(const fnd_contact_model *model, const fnd_contact *c)
{
    const fender_vec3 *a = &model->bodies[c->body_a].state.p, *b = &model->bodies[c->body_b].state.p;
    const double sizes[12] = {a->x,         a->y,         a->z,         b->x,         b->y,         b->z,
                              c->lever_a.x, c->lever_a.y, c->lever_a.z, c->lever_b.x, c->lever_b.y, c->lever_b.z};
    double most = 0;
    for (int i = 0; i < 12; i++)
        if (fabs(sizes[i]) > most) most = fabs(sizes[i]);
    return most > 64 ? 2 * DBL_EPSILON * most : 0;
}

/* Depth and its rate at a part (0..1) of the span: the cubic through depths and rates of the ends. */
void fnd_span_depth(const fnd_span *span, double part, double *depth, double *rate);
/* False for a point of a patch that has been laid out anew, in place or in weight: its depth did not come from its
 * rates, and the product of an interpolated weight and an interpolated depth is not its force. */
bool fnd_span_stays(const fnd_span *span);
/* Normal force there: the law evaluated at that depth and rate, with interpolated other inputs. Of a point that does
 * not stay, the forces of both ends pass into each other, each moved on by half the way of its rate: the parabola of a
 * force whose slopes are those of motion, whichever points of the patch the ends are. */
double fnd_span_force(const fnd_span *span, double part);
/* How far that force of a point that does not stay is above the chord between the ends; 0 for one that stays. */
double fnd_span_bulge(const fnd_span *span, double part);
/* Part at which the depth passes through zero between ends of different sign. */
double fnd_span_crossing(const fnd_span *span);

/* Errors of that force and of the depth, from the interpolation. A point that does not stay has the error 0: what it
 * is worth is its bulge, of which those of one patch belong together. */
double fnd_span_force_error(const fnd_span *span, double part);
double fnd_span_depth_error(const fnd_span *span, double part);
/* What the rounding of depths changes of the force at one end (0 or 1). */
double fnd_span_rounding(const fnd_span *span, int end);

typedef double fnd_value_at(void *ctx, double part);
/* Part (0..1) where a value is largest, near the guess, by Brent's method: parabolic interpolation and golden sections.
 */
double fnd_largest(fnd_value_at *value, void *ctx, double guess, double tolerance, double *most);

/* Depths that change by less in a step [m] have rates that are rounding, if taken from the depths. */
static inline double fnd_least_way(double grain) { return grain > 1e-11 ? 10 * grain : 1e-10; }

/* Updates the record with the force of an accepted state that pulls. */
static inline void fnd_note_pull(fnd_record *record, double force, double time)
{
    if (!(-force > record->peak_pull)) return;
    record->peak_pull = -force;
    record->peak_pull_time = time;
}

/* The peaks of the record are at least those of the other. */
void fnd_peaks_raise(fnd_record *record, const fnd_record *other);
/* Updates the record with the largest normal force and depth of the span, and estimates of the interpolation error.
 * `look`, unless NULL, evaluates the contact at times within the span, which narrows the span. */
void fnd_peaks_track(fnd_record *record, const fnd_span *span, const fnd_step_sampler *sampler);

/* How well the steps are made. */
typedef struct fnd_accuracy {
    int order;                 /* of the method */
    double relative_tolerance; /* of an adaptive method; 0: fixed step */
    double event_tolerance;    /* s; 0: events are not located */
} fnd_accuracy;
/* Error estimates for the values of a contact; `end_time` NaN and `rebound` 0: it has not ended. */
fender_contact_errors fnd_record_errors(const fnd_record *record, const fnd_accuracy *accuracy, double end_time,
                                        double rebound);

#endif
