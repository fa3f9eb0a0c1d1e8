/* Balls, capsules, cubes and planes in another engine: what bench/stepping.c and bench/accuracy.c ask of each of them.
 */
#ifndef FENDER_BENCH_PEERS_STEPPING_H
#define FENDER_BENCH_PEERS_STEPPING_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stepping_body {
    double mass;        /* kg */
    double moments[3];  /* kg m^2, about the body axes */
    double position[3]; /* m, centre of mass */
    double attitude[4]; /* w, x, y, z: body to world */
    double velocity[3]; /* m/s */
    double turning[3];  /* rad/s, world */
    double radius;      /* m */
    double half_length; /* m; 0: a ball; else a capsule along z */
    double (*feet)[3];  /* m, body axes; NULL: none. Else the body is these balls of the radius above */
    int foot_count;
    double half_size; /* m; > 0: a cube */
} stepping_body;

/* What is above the plane normal . x = offset is free. */
typedef struct stepping_plane {
    double normal[3], offset;
} stepping_plane;

typedef struct stepping_scene {
    double gravity[3], step;
    /* of two bodies; engines of hard contacts use the friction and the restitution alone. A plane is twice as stiff. */
    double stiffness, damping, friction, restitution;
    const stepping_body *bodies;
    int body_count;
    const stepping_plane *planes;
    int plane_count;
    double side; /* m; of the box that the planes make */
} stepping_scene;

typedef struct stepping_peer {
    const char *name;
    int capsules;    /* it has them; 2: cubes, too */
    int most_bodies; /* more of them take it too long */
    /* NULL: it cannot be made. */
    void *(*create)(const stepping_scene *scene);
    void (*advance)(void *world, int steps);
    /* Processor seconds for that many steps, where the engine measures itself; else NULL. */
    double (*measure)(void *world, int steps);
    void (*read)(void *world, int body, double position[3], double velocity[3]);
    void (*destroy)(void *world);
} stepping_peer;

/* Ended by one without a name. */
extern const stepping_peer stepping_bullet[], stepping_ode[], stepping_simbody[], stepping_lammps[], stepping_mujoco[];

#ifdef __cplusplus
}
#endif

#endif
