/* What embedded explicit Runge-Kutta pairs share: the step by a table, further stages for dense output. */
#ifndef FND_INTEGRATE_EXPLICIT_PAIR_H
#define FND_INTEGRATE_EXPLICIT_PAIR_H

#include "integrate/ode.h"

fnd_ode_step fnd_explicit_pair_step;

/* Evaluates the stages stage_count .. dense_stage_count - 1 of the step just tried. */
bool fnd_explicit_pair_dense_begin(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *workspace,
                                   double time, double step, const fender_quaternion *rotations, const double *vector);

/* weights = s (b + t (first - b + s (2 b - first - last + t tail))) with s = part, t = 1 - part: Hermite's cubic
 * through both ends, where `first` and `last` are the stages at them, and what a method adds to it. */
void fnd_hermite_weights(double part, int stage_count, const double *b, int last, const double *tail, double *weights);

#endif
