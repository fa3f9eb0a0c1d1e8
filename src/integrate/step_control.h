/* Step sizes of methods with error estimates: pure functions of numbers and a small plain struct. */
#ifndef FND_INTEGRATE_STEP_CONTROL_H
#define FND_INTEGRATE_STEP_CONTROL_H

#include "integrate/ode.h"

/* What is remembered from step to step: plain numbers, to be copied and kept. */
typedef struct fnd_step_control {
    double last_error; /* of the last step that was taken */
    int turned_down;   /* 1: the step tried last was turned down */
} fnd_step_control;

/* At the start, and when the right side changes so that the last error says nothing. */
fnd_step_control fnd_step_control_start(void);

/* One number from the norms of the method's error estimates (in units of the tolerance): the step is good enough if it
 * is <= 1. Norms that are not finite give INFINITY. */
double fnd_step_control_error(const fnd_method *method, const double *norms);

/* Notes a step that has been tried, taken or not, with its error; gives the factor to the next, between 1/5 and 5.
 * No growth in the step after one that was turned down. */
double fnd_step_control_factor(fnd_step_control *control, const fnd_method *method, double error, bool taken);

/* First step after Hairer, from norms in units of the tolerance: `state_norm` of the state, `rate_norm` of its rates;
 * then with `change_norm` of the change of the rates over an explicit Euler step of the first guess, divided by it. */
double fnd_first_step_guess(double state_norm, double rate_norm);
double fnd_first_step(const fnd_method *method, double guess, double rate_norm, double change_norm);

#endif
