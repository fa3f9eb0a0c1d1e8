/* A sphere that falls on a clipped spring and damper: the piecewise exact solution, in long double.
 *
 * With the gap z above the surface: z'' = -g in flight (z > 0); z'' = -w^2 z - 2 s z' - g while pressing (z < 0 and the
 * force -(w^2 z + 2 s z') above zero); z'' = -g where the clip holds the force at zero although z < 0 ("slack"). */
#ifndef TEST_BOUNCING_BALL_H
#define TEST_BOUNCING_BALL_H

#include <stdbool.h>

typedef enum bouncing_phase { BOUNCING_FLIGHT, BOUNCING_PRESS, BOUNCING_SLACK } bouncing_phase;

/* From `time` on the sphere is in `phase`; gap and its rate at that time. The end of flight is a touch, the beginning
 * of one (but the first) a release. The last piece goes on for ever: the sphere rests. */
typedef struct bouncing_piece {
    bouncing_phase phase;
    long double time, gap, rate;
} bouncing_piece;

enum { BOUNCING_CAPACITY = 400 };

typedef struct bouncing_ball {
    long double stiffness, damping; /* per mass: k/m [1/s^2], c/m [1/s] */
    long double gravity;            /* m/s^2 */
    bouncing_piece pieces[BOUNCING_CAPACITY];
    int piece_count;
} bouncing_ball;

/* Damping ratio c / (2 sqrt(k m)) with which a body comes back from the clipped spring with `restitution` times its
 * speed, without gravity. The force is zero at w_d t = atan2(2 z sqrt(1 - z^2), 2 z^2 - 1), and there the speed is
 * exp(-z w t) times that of the touch. */
long double bouncing_damping_ratio(long double restitution);
/* Dropped from rest at `height` at time 0. False when it does not come to rest within the capacity. */
bool bouncing_ball_drop(bouncing_ball *ball, long double height);
/* Gap and rate at any time from 0 on. */
void bouncing_ball_at(const bouncing_ball *ball, long double time, long double *gap, long double *rate);

#endif
