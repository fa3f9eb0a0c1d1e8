/* A lander that drops on the ground, for bench/drops.c and its peers: a body on eight small spherical feet, dispersed
 * in attitude, speed and place, falls 0.3 m in lunar gravity; five seconds in steps of 1 ms. */
#ifndef FENDER_BENCH_DROPS_H
#define FENDER_BENCH_DROPS_H

enum { DROP_FEET = 8, DROP_STEPS = 5000 };
static const double drop_step = 1e-3, drop_mass = 500, drop_inertia[3] = {300, 300, 400}, drop_foot = 0.05,
                    drop_gravity = 1.62, drop_friction = 0.6;

typedef struct drop_ground {
    int count_x, count_y; /* 0: a plane */
    double lower[2], spacing[2];
    const double *heights;
} drop_ground;

typedef struct drop_start {
    double position[3], attitude[4], velocity[3], angular_velocity[3];
} drop_start;

typedef struct drop_peer {
    const char *name;
    void *(*create)(const drop_ground *ground, double feet[DROP_FEET][3]);
    double (*drop)(void *of, const drop_start *start, double *speed); /* cosine of the tilt, and m/s, at the end */
    void (*destroy)(void *of);
} drop_peer;

extern const drop_peer drops_mujoco[]; /* ended by a NULL name */

#endif
