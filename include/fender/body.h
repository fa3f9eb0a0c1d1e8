/* fender/body.h - rigid bodies: definition, motion, state. Mass trees: mass_tree.h. */
#ifndef FENDER_BODY_H
#define FENDER_BODY_H

#include "field.h"
#include "world.h"

typedef enum fender_motion {
    FENDER_MOTION_DYNAMIC,    /* moved by forces */
    FENDER_MOTION_FIXED,      /* never moves */
    FENDER_MOTION_PRESCRIBED, /* moved along its path, or with its constant initial velocity */
    FENDER_MOTION_MASS_ONLY   /* no own state: takes part while attached to a body that has one, else rests */
} fender_motion;
FENDER_API const char *fender_motion_name(fender_motion motion); /* "dynamic"; NULL past the end */

/* State of the structure frame. */
typedef struct fender_body_state {
    fender_vec3 position;         /* m, W; origin of S */
    fender_quaternion attitude;   /* q_WS */
    fender_vec3 velocity;         /* m/s, W; of the origin of S */
    fender_vec3 angular_velocity; /* rad/s, in axes of S */
} fender_body_state;

typedef enum fender_path_between {
    FENDER_PATH_LINEAR,
    FENDER_PATH_CUBIC /* Hermite's cubics through given velocities, or the natural spline */
} fender_path_between;

/* Path of a prescribed body: positions of the origin of S at increasing times, constant outside. */
typedef struct fender_path {
    const double *times;          /* s */
    const fender_vec3 *positions; /* m, W */
    int count;                    /* 0: no path */
    fender_path_between between;
    const fender_vec3 *velocities; /* m/s, W; CUBIC: at the times; NULL: those of the natural spline */
} fender_path;

/* Harmonic motion of a prescribed body about its initial state: position + amplitude sin(2 pi frequency (t - t0) +
 * phase), and a turn about an axis by angle sin(2 pi frequency (t - t0) + angle_phase); t0: the start of the world. */
typedef struct fender_sine {
    fender_vec3 amplitude; /* m, W */
    double frequency;      /* 1/s; 0: no harmonic motion */
    double phase;          /* rad */
    fender_vec3 axis;      /* of the turn, in S; zero: none */
    double angle;          /* rad; amplitude of the turn */
    double angle_phase;    /* rad */
} fender_sine;

typedef struct fender_body_def {
    size_t size; /* of this struct: set by fender_body_def_default */
    const char *name;
    fender_motion motion;
    fender_mass_properties
        mass_properties;         /* centre in S; inertia about it in axes of B; read for dynamic bodies only */
    fender_quaternion body_axes; /* q_SB */
    fender_body_state state;     /* initial */
    fender_path path;            /* copied */
    fender_sine sine;            /* in place of a path */
    bool lenient_inertia; /* accept a tensor that violates the triangle inequality, as in data of older simulations
                             (JEOD's Apollo command module); it must still be symmetric and positive definite */
    void *user_data;
} fender_body_def;

/* Defaults: dynamic, no name, no mass, identity attitude. */
FENDER_API fender_body_def fender_body_def_default(void);
/* Creates a body. Refused are: mass not positive and finite; inertia not symmetric, not positive definite or in
 * violation of the triangle inequality (path and found state the violation and its size); state not finite; name
 * malformed or taken. */
FENDER_API fender_status fender_body_create(fender_world *world, const fender_body_def *def, fender_body_id *id,
                                            fender_error *error);
/* Destroys a body with its shapes, points, loads, sensors, the links at its points, the loads whose formulas read it or
 * its points, and the rules that name it or its shapes. Its contacts and links end immediately; the event list is
 * cleared and contains the resulting events, whose ids are stale. The removed energy is booked as applied. TOPOLOGY
 * while the body is attached to another or another to it (fender_body_detach). Call fender_world_initialize before the
 * next step. */
FENDER_API fender_status fender_body_destroy(fender_world *world, fender_body_id body, fender_error *error);
FENDER_API void *fender_body_get_user_data(const fender_world *world, fender_body_id body); /* NULL for a stale id */
FENDER_API fender_status fender_body_set_user_data(fender_world *world, fender_body_id body, void *user_data);
/* Sets the committed state of a dynamic root, or of a prescribed body, between steps. Contacts are kept, and the change
 * of energy is booked as applied. Contacts that are new there have their forces at once. Their laws begin with the next
 * step, which books their energy as applied: until then stored_energy is 0, and the ledger lacks them in `stored` and
 * `applied`. A prescribed body then goes on with that velocity and angular velocity. VALUE, as for all commands to
 * motion, poses, masses, gravity and lengths: numbers that are not finite, or above 1e100. */
FENDER_API fender_status fender_body_set_state(fender_world *world, fender_body_id body, const fender_body_state *state,
                                               fender_error *error);
/* Commands of a prescribed body, in place of its path from now on. Part of snapshots and of the hash. Its pose goes on
 * from the present one: with a constant velocity [m/s, W; origin of S] and angular velocity [rad/s, in axes of S, which
 * turn about it] .. */
FENDER_API fender_status fender_body_set_motion(fender_world *world, fender_body_id body, fender_vec3 velocity,
                                                fender_vec3 angular_velocity, fender_error *error);
/* .. or to a pose where it rests after `duration` seconds (above 0): polynomials of degree 5 from the present velocity,
 * without acceleration at both ends. It turns the shorter way. */
FENDER_API fender_status fender_body_move_to(fender_world *world, fender_body_id body, fender_pose pose,
                                             double duration, fender_error *error);

/* State of a body. Mass, momentum, energy and contact forces are those of the composite: the body and its subtree.
 * Contact forces of the last stage are available for roots only. fender_body_fields describes the members, for
 * recorders and bindings. */
typedef struct fender_body_data {
    double mass;                           /* kg; of the body and all that is attached to it (composite) */
    double core_mass;                      /* kg; of the body alone */
    fender_vec3 core_center_of_mass;       /* m, in S; of the body alone */
    fender_mat3 core_inertia;              /* kg m^2, about that centre, in body axes; of the body alone */
    fender_vec3 center_of_mass;            /* m, in S; composite */
    fender_mat3 inertia;                   /* kg m^2, about the centre of mass, in body axes; composite */
    fender_vec3 position;                  /* m, W; origin of S */
    fender_quaternion attitude;            /* q_WS */
    fender_vec3 velocity;                  /* m/s, W; origin of S */
    fender_vec3 angular_velocity;          /* rad/s, in S */
    fender_vec3 center_position;           /* m, W; centre of mass */
    fender_vec3 center_velocity;           /* m/s, W */
    fender_vec3 acceleration;              /* m/s^2, W; of the centre of mass; committed clock */
    fender_vec3 linear_momentum;           /* N s, W */
    fender_vec3 angular_momentum;          /* N m s, W, about the centre of mass */
    fender_vec3 contact_force;             /* N, in S; sum over contacts */
    fender_vec3 contact_torque;            /* N m, in S, about the centre of mass */
    fender_vec3 contact_force_last_stage;  /* N, in S; of the last stage of the last step, at its predicted state (what
                                              JEOD logs) */
    fender_vec3 contact_torque_last_stage; /* N m, in S */
    double kinetic_energy;                 /* J */
} fender_body_data;
FENDER_API const fender_field_table *fender_body_fields(void);

FENDER_API fender_status fender_body_get(const fender_world *world, fender_body_id body, fender_clock clock,
                                         fender_body_data *data);
/* Position, attitude and velocities alone: the members of fender_body_data of these names, to the bit, at a fraction of
 * the cost. What fender_body_set_state takes. A tree that is mass only has no state: fender_body_get and this function
 * tell where it was created, or where it was when it was detached, at rest, fender_body_frame_state returns STATE.
 * ARGUMENT, STALE_ID: as for fender_body_get. */
FENDER_API fender_status fender_body_get_state(const fender_world *world, fender_body_id body, fender_clock clock,
                                               fender_body_state *state);
/* Position of a body on the planet and its motion in inertial space; committed clock. In an inertial world without a
 * planet, geodetic and planet-fixed values are zero and inertial ones are those of W, positions from the centre of a
 * point mass. The inertial axes are those of F at time 0 s. */
typedef struct fender_body_planet_data {
    double latitude, longitude;            /* rad; of the centre of mass, geodetic */
    double altitude;                       /* m above the ellipsoid */
    fender_vec3 fixed_position;            /* m, F; of the centre of mass */
    fender_vec3 fixed_velocity;            /* m/s, F; relative to the planet */
    fender_quaternion fixed_attitude;      /* q_FS */
    fender_vec3 inertial_position;         /* m, inertial axes, from that centre; of the centre of mass */
    fender_vec3 inertial_velocity;         /* m/s, inertial axes */
    fender_quaternion inertial_attitude;   /* q_IS */
    fender_vec3 inertial_angular_velocity; /* rad/s, in S */
    fender_vec3 inertial_angular_momentum; /* N m s, W; about the centre of mass; the body and what is attached to it */
} fender_body_planet_data;
FENDER_API const fender_field_table *fender_body_planet_fields(void);
FENDER_API fender_status fender_body_get_planet(const fender_world *world, fender_body_id body,
                                                fender_body_planet_data *data);
FENDER_API fender_status fender_body_find(const fender_world *world, const char *name, fender_body_id *id);
FENDER_API int fender_body_count(const fender_world *world);
/* In order of creation; the null id past the end. */
FENDER_API fender_body_id fender_body_at(const fender_world *world, int index);
/* NULL for a stale id. Lives as long as the body. */
FENDER_API const char *fender_body_name(const fender_world *world, fender_body_id body);
FENDER_API fender_status fender_body_get_def(const fender_world *world, fender_body_id body, fender_body_def *def);

#endif
