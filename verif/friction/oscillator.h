/* The damped oscillator under a load that grows evenly: m x'' + c x' + k x = f + r t, in long double. */
#ifndef VERIF_OSCILLATOR_H
#define VERIF_OSCILLATOR_H

#include <math.h>

typedef struct oscillator {
    long double mass, damping, stiffness, force, rate; /* underdamped */
    long double x, v;                                  /* at t = 0 */
} oscillator;

static inline void oscillator_at(const oscillator *o, long double t, long double *x, long double *v)
{
    long double decay = o->damping / (2 * o->mass);
    long double turn = sqrtl(o->stiffness / o->mass - decay * decay);
    long double slope = o->rate / o->stiffness, level = o->force / o->stiffness - o->damping * slope / o->stiffness;
    long double a = o->x - level, b = (o->v - slope + decay * a) / turn, e = expl(-decay * t);
    long double c = cosl(turn * t), s = sinl(turn * t);
    *x = level + slope * t + e * (a * c + b * s);
    *v = slope + e * ((b * turn - decay * a) * c - (a * turn + decay * b) * s);
}

/* First zero of a function of the oscillator's state between two times, where it changes sign once. */
typedef long double oscillator_function(const oscillator *o, long double t, const void *ctx);
static inline long double oscillator_zero(const oscillator *o, oscillator_function *f, const void *ctx, long double low,
                                          long double high)
{
    long double at_low = f(o, low, ctx);
    for (int i = 0; i < 200; i++) {
        long double middle = 0.5L * (low + high);
        if ((f(o, middle, ctx) > 0) == (at_low > 0)) low = middle;
        else high = middle;
    }
    return 0.5L * (low + high);
}

#endif
