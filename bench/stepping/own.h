/* Fender in the form of the other engines, for bench/stepping.c and bench/accuracy.c. */
#ifndef FENDER_BENCH_STEPPING_OWN_H
#define FENDER_BENCH_STEPPING_OWN_H

#include "../peers/stepping.h"

/* Friction: smooth (`coulomb`, slip of 1 mm/s at 0.7 of the limit) or stick-slip (`coulomb_static_kinetic`). */
enum { OWN_EULER, OWN_RK4, OWN_EULER_STICKS, OWN_RK4_STICKS, OWN_RK4_LOCATES, OWN_DOP853, OWN_ROWS };
extern const stepping_peer stepping_own[OWN_ROWS];

/* s; below it the contacts of the world as it is now are stable: what `fender check` says of a start. INFINITY: the
 * method chooses its steps. */
double stepping_own_stable_step(void *world);
int stepping_own_contacts(void *world);

#endif
