/* Random histories of motion through a law alone: what slips, turns, presses and parts at will, and what the law may
 * never do with it. Works for any law of a kind that stands beside a normal one. */
#ifndef TEST_LAW_HISTORY_H
#define TEST_LAW_HISTORY_H

#include "random_numbers.h"
#include <fender/law.h>

/* What a history shows, in joules. */
typedef struct law_history {
    double put_in;      /* by the motion: the integral of -f v - M w */
    double lost;        /* as the law says, with what it gave up at accepted states */
    double most_worked; /* sum of the sizes of the powers: the scale */
    double worst;       /* the most that was taken out beyond what had been put in and is still stored */
    double residual;    /* |put in - lost - stored| at the end */
    double least_power; /* the least power lost that the law told, over the powers' sizes */
    double least_given; /* J; the least that was lost in a step, with what it gave up at its end */
    int steps;
} law_history;

/* One history: the normal force, the slip, the spin and the directions of the surfaces are smooth random functions of
 * time that the step follows; `parameters` are of the law. Continuous states are integrated by Runge and Kutta's
 * method, `update` is called after each step as the engine does, contacts begin and end as the load comes and goes. */
law_history law_history_run(const fender_law *law, const void *parameters, random_stream *stream, int steps);
/* Random parameters within the ranges of the law's table that its own check accepts. False: none was found. */
bool law_history_parameters(const fender_law *law, random_stream *stream, void *parameters);

#endif
