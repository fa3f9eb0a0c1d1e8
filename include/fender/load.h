/* fender/load.h - forces and torques on bodies: functions of time, commands, drag, springs, thrusters, wheels. */
#ifndef FENDER_LOAD_H
#define FENDER_LOAD_H

#include "expression.h"
#include "field.h"
#include "mass_tree.h"
#include "world.h"

typedef enum fender_signal_after { FENDER_AFTER_HOLD, FENDER_AFTER_ZERO } fender_signal_after;

typedef enum fender_signal_kind {
    FENDER_SIGNAL_ZERO,
    FENDER_SIGNAL_CONSTANT,
    FENDER_SIGNAL_RAMP,
    FENDER_SIGNAL_TABLE,
    FENDER_SIGNAL_FORMULA
} fender_signal_kind;

/* Slots of the formulas of a load: the time [s]; of the point of the load the position [m, W] and the velocity [m/s];
 * of its body the angular velocity [rad/s], the attitude (q_WS) and the mass [kg] (of the body and all that is attached
 * to it). Velocities are in the axes of the load. */
typedef enum fender_load_slot {
    FENDER_LOAD_SLOT_TIME,
    FENDER_LOAD_SLOT_POSITION,                                         /* three: x, y, z */
    FENDER_LOAD_SLOT_VELOCITY = FENDER_LOAD_SLOT_POSITION + 3,         /* three */
    FENDER_LOAD_SLOT_ANGULAR_VELOCITY = FENDER_LOAD_SLOT_VELOCITY + 3, /* three */
    FENDER_LOAD_SLOT_ATTITUDE = FENDER_LOAD_SLOT_ANGULAR_VELOCITY + 3, /* four: w, x, y, z */
    FENDER_LOAD_SLOT_MASS = FENDER_LOAD_SLOT_ATTITUDE + 4,
    FENDER_LOAD_SLOT_COUNT
} fender_load_slot;

/* Quantities of a state that formulas of loads may read of any body or point. */
typedef enum fender_state_quantity {
    FENDER_STATE_POSITION,         /* m, W */
    FENDER_STATE_VELOCITY,         /* m/s, W */
    FENDER_STATE_ATTITUDE,         /* 1; of the axes of the frame in W: w, x, y, z */
    FENDER_STATE_ANGULAR_VELOCITY, /* rad/s, in axes of the frame */
    FENDER_STATE_CENTER_POSITION,  /* m, W; of a body's centre of mass, with all that is attached to it */
    FENDER_STATE_CENTER_VELOCITY,  /* m/s, W */
    FENDER_STATE_MASS              /* kg; of a body and all that is attached to it */
} fender_state_quantity;

/* What a slot of a formula stands for: a component of a quantity of a frame (STRUCTURE of a body, or POINT: the first
 * four quantities), at the state that is evaluated, so that the method keeps its order. The frame's body may be of any
 * motion. It is the channel "bodies.NAME.velocity.x", or "points.BODY.POINT.velocity.x". */
typedef struct fender_load_reading {
    fender_body_frame frame;
    fender_state_quantity quantity;
    int component; /* 0 to 2; of an attitude 0 to 3; of a mass 0 */
} fender_load_reading;
enum { FENDER_LOAD_READING_CAPACITY = 24 };

/* A vector as a function of time, or by a formula of time and motion. */
typedef struct fender_signal {
    fender_signal_kind kind;
    fender_vec3 constant;                /* CONSTANT */
    fender_vec3 direction;               /* RAMP: value = direction / |direction| * rate * max(0, t - start) */
    double rate, start;                  /* RAMP: 1/s, s */
    const double *times;                 /* TABLE: strictly increasing [s]; zero before the first; copied by the load */
    const fender_vec3 *values;           /* TABLE: linear between rows */
    int count;                           /* TABLE */
    fender_signal_after after;           /* TABLE: after the last row */
    const fender_expression *components; /* FORMULA: three programs over fender_load_slot, in SI; count 0: zero; copied
                                            by the load. A kink in them is passed over by steps */
    const fender_load_reading *readings; /* FORMULA: of the slots from FENDER_LOAD_SLOT_COUNT on; copied by the load.
                                            The load is destroyed with a body that it reads */
    int reading_count;                   /* at most FENDER_LOAD_READING_CAPACITY */
} fender_signal;

typedef enum fender_axes { FENDER_AXES_WORLD, FENDER_AXES_BODY } fender_axes;

/* What the wrench of a load follows from (docs/models/loads.md). */
typedef enum fender_load_kind {
    FENDER_LOAD_GIVEN,         /* the signals force and torque, until they are commanded */
    FENDER_LOAD_DRAG,          /* the velocity of its point in a medium */
    FENDER_LOAD_SPRING,        /* the distance of its point from a place in the world */
    FENDER_LOAD_THRUSTER,      /* a commanded throttle */
    FENDER_LOAD_REACTION_WHEEL /* a commanded motor torque */
} fender_load_kind;
FENDER_API const char *fender_load_kind_name(fender_load_kind kind); /* "drag"; NULL past the end */
FENDER_API const char *fender_load_kind_doc(fender_load_kind kind);  /* one sentence; NULL past the end */
/* Parameters of a kind: of the struct below; NULL for FENDER_LOAD_GIVEN and past the end. */
FENDER_API const fender_field_table *fender_load_parameters(fender_load_kind kind);

/* u: velocity of the point relative to the medium, w: angular velocity. Force -(linear + quadratic |u|) u, torque
 * -(angular_linear + angular_quadratic |w|) w. */
typedef struct fender_load_drag {
    double linear;               /* N s/m */
    double quadratic;            /* N s^2/m^2 */
    double angular_linear;       /* N m s/rad */
    double angular_quadratic;    /* N m s^2/rad^2 */
    fender_vec3 medium_velocity; /* m/s, W */
} fender_load_drag;

/* Force -stiffness (x - anchor) - damping v of the point x with the velocity v. */
typedef struct fender_load_spring {
    double stiffness;   /* N/m */
    double damping;     /* N s/m */
    fender_vec3 anchor; /* m, W */
} fender_load_spring;

/* Force level * thrust * direction. The level follows the throttle as a lag of first order. */
typedef struct fender_load_thruster {
    fender_vec3 direction;   /* of the force on the body, in S; normalized */
    double thrust;           /* N, at throttle 1 */
    double throttle;         /* 0..1; the command at the start */
    double minimum_throttle; /* commands below it count as 0 */
    double rise_time;        /* s; time constant towards a higher level; 0: at once */
    double decay_time;       /* s; towards a lower one */
    double minimum_on_time;  /* s; a command to 0 takes effect no earlier after the command that lit it */
    double specific_impulse; /* s; the propellant's flow is thrust / (specific_impulse * 9.80665 m/s^2); 0: none */
    double dry_mass;         /* kg; of the tank, where the thrust ends */
} fender_load_thruster;

/* A wheel with momentum H about its axis in inertial space. The motor torque accelerates the wheel about the axis; the
 * body gets the opposite and -w x H. Its mass and its inertia across the axis belong to the body, spin_inertia does
 * not.
 */
typedef struct fender_load_wheel {
    fender_vec3 axis;      /* in S; normalized */
    double spin_inertia;   /* kg m^2, about the axis; 0: unknown: no speed, and no energy of the wheel in the ledger */
    double momentum;       /* N m s; at the start */
    double momentum_limit; /* N m s; INFINITY: none */
    double torque_limit;   /* N m; INFINITY: none */
    double torque;         /* N m; the command at the start */
} fender_load_wheel;

typedef struct fender_load_def {
    size_t size; /* of this struct: set by fender_load_def_default */
    const char *name;
    fender_body_id body;
    bool at_center;       /* acts at the centre of mass of the body and what it carries; else at `point` */
    fender_vec3 point;    /* m, in S */
    fender_signal force;  /* N */
    fender_signal torque; /* N m */
    fender_axes axes;     /* of force and torque: world, or the structure axes of the body (a follower) */
    bool active;
    void *user_data;
    fender_load_kind kind;
    fender_load_drag drag; /* of the kind alone */
    fender_load_spring spring;
    fender_load_thruster thruster;
    fender_load_wheel wheel;
    fender_body_id tank; /* THRUSTER: a body whose core mass falls, in the tree of any body; null: none. Detaching it
                            does not end the thrust */
} fender_load_def;
/* The struct of the kind within a definition, which its table describes; NULL for FENDER_LOAD_GIVEN. */
FENDER_API const void *fender_load_def_parameters(const fender_load_def *def);
/* Defaults: given, at the centre of mass, world axes, no force, active; no limits of a wheel. */
FENDER_API fender_load_def fender_load_def_default(void);
FENDER_API fender_status fender_load_create(fender_world *world, const fender_load_def *def, fender_load_id *id,
                                            fender_error *error);
FENDER_API fender_status fender_load_find(const fender_world *world, const char *name, fender_load_id *id);
/* NULL for a stale id. Lives as long as the load. */
FENDER_API const char *fender_load_name(const fender_world *world, fender_load_id load);
/* Destroys a load immediately, without a new fender_world_initialize. */
FENDER_API fender_status fender_load_destroy(fender_world *world, fender_load_id load, fender_error *error);
FENDER_API void *fender_load_get_user_data(const fender_world *world, fender_load_id load); /* NULL for a stale id */
FENDER_API fender_status fender_load_set_user_data(fender_world *world, fender_load_id load, void *user_data);
FENDER_API fender_status fender_load_set_active(fender_world *world, fender_load_id load, bool active);
FENDER_API fender_status fender_load_is_active(const fender_world *world, fender_load_id load, bool *active);
/* In order of creation; the null id past the end. */
FENDER_API int fender_load_count(const fender_world *world);
FENDER_API fender_load_id fender_load_at(const fender_world *world, int index);

/* ---- Commands ---- */

/* From now on, until the next command. Between accepted steps a command takes effect at the present time, so that each
 * step has one value. While a host tries a state (fender_world_set_state) a new force or torque belongs to that state:
 * the state stays, its rates have the new value, and fender_world_commit integrates from the value at the start of the
 * step to that at its end by the trapezoidal rule. Throttles and motor torques commanded then hold for the whole step.
 * Commands are part of the state: of snapshots and of the hash. VALUE for numbers that are not finite or out of range,
 * ARGUMENT for a load of another kind. */

/* GIVEN: replaces the signal by a constant, in the axes of the load. */
FENDER_API fender_status fender_load_set_force(fender_world *world, fender_load_id load, fender_vec3 force,
                                               fender_error *error);
FENDER_API fender_status fender_load_set_torque(fender_world *world, fender_load_id load, fender_vec3 torque,
                                                fender_error *error);
/* THRUSTER: 0..1. */
FENDER_API fender_status fender_load_set_throttle(fender_world *world, fender_load_id load, double throttle,
                                                  fender_error *error);
/* REACTION_WHEEL: positive accelerates the wheel about its axis; cut at the torque limit. */
FENDER_API fender_status fender_load_set_motor_torque(fender_world *world, fender_load_id load, double torque,
                                                      fender_error *error);

/* What was commanded last, also before fender_world_initialize: the value of the signal at the present time while there
 * was no command (of a formula, at the committed state; zero before fender_world_initialize); before the limits of
 * torque and throttle. */
typedef struct fender_load_command {
    fender_vec3 force, torque; /* of a given load, in its axes */
    double throttle, motor_torque;
} fender_load_command;
FENDER_API fender_status fender_load_get_command(const fender_world *world, fender_load_id load,
                                                 fender_load_command *command);

/* ---- Reading ---- */

typedef struct fender_load_data {
    bool active, commanded;
    fender_vec3 force, torque;                 /* on the body, torque about the point of the load; W */
    double power;                              /* W; given to the body */
    double work;                               /* J; given to the body so far */
    double damping_loss;                       /* J; of a drag or a spring, so far */
    double stored_energy;                      /* J; of a spring */
    fender_vec3 command_force, command_torque; /* of a given load, in its axes; zero until commanded */
    double throttle, level;                    /* of a thruster: commanded, and what it gives */
    double thrust;                             /* N */
    double propellant;                         /* kg; used so far */
    double motor_torque;                       /* N m; of a wheel, zero at its momentum limit */
    double momentum, speed;                    /* N m s and rad/s (relative to the body) about the axis of a wheel */
} fender_load_data;
FENDER_API const fender_field_table *fender_load_fields(void);
FENDER_API fender_status fender_load_get(const fender_world *world, fender_load_id load, fender_clock clock,
                                         fender_load_data *data);
/* Strings and tables in the definition are borrowed from the world; `active` is the present value. */
FENDER_API fender_status fender_load_get_def(const fender_world *world, fender_load_id load, fender_load_def *def);

#endif
