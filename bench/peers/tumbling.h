/* One free body in another engine: what bench/tumbling.c asks of each of them. */
#ifndef FENDER_BENCH_PEERS_TUMBLING_H
#define FENDER_BENCH_PEERS_TUMBLING_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tumbling_start {
    double moments[3];          /* kg m^2, about the body axes; the mass is 1 kg */
    double angular_velocity[3]; /* rad/s; body axes and world axes agree at the start */
    double step;                /* s */
} tumbling_start;

typedef struct tumbling_peer {
    const char *name;
    /* NULL: it cannot be made. */
    void *(*create)(const tumbling_start *start);
    void (*advance)(void *body, int steps);
    /* Attitude (w, x, y, z: body to world) and angular velocity in body axes. */
    void (*read)(void *body, double attitude[4], double angular_velocity[3]);
    void (*destroy)(void *body);
} tumbling_peer;

/* Ended by one without a name. */
extern const tumbling_peer tumbling_ode[], tumbling_bullet[], tumbling_mujoco[], tumbling_simbody[];

#ifdef __cplusplus
}
#endif

#endif
