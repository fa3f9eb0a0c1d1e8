/* fender/world.h - the world: bodies, shapes, materials, contact types, rules, loads, contacts, time.
 *
 * Frames: W world (inertial, or fixed to a planet: fender_frame), S structure frame of a body, B body axes at the
 * centre of mass, C contact, G geometry. Two clocks: a value is "committed" (of the last accepted step) or "evaluated"
 * (of the last evaluation, perhaps at a state that was only tried). A world is used by one thread at a time; different
 * worlds share geometries and registries freely. Every call that fails changes nothing, unless it says otherwise. Names
 * match [A-Za-z_][A-Za-z0-9_]* and have at most 100 bytes.
 *
 * While a call that changes a world is under way, laws, shapes and sources of forces may read the world, but calls that
 * change it, or take a snapshot, give STATE; those without a status do nothing. Without a world (NULL) calls with a
 * status give ARGUMENT; others give 0, a null id or NULL, and a result that is NULL is left out. */
#ifndef FENDER_WORLD_H
#define FENDER_WORLD_H

#include "geometry.h"
#include "law.h"
#include "planet.h"

/* ---- world ---------------------------------------------------------------------------------------------------------
 */

typedef enum fender_integrator_method {
    FENDER_INTEGRATOR_RK4, /* classical Runge-Kutta; attitude by a commutator-free Lie-group method of order 4 */
    FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, /* velocity first, then position with the new velocity; order 1 */
    FENDER_INTEGRATOR_VELOCITY_VERLET, /* kick, drift, kick; order 2, symmetric; free rotation keeps energy and angular
                                          momentum to rounding */
    FENDER_INTEGRATOR_DOPRI5,          /* Dormand-Prince 5(4), adaptive, dense output of order 4 */
    FENDER_INTEGRATOR_DOP853,          /* Dormand-Prince 8(5,3), adaptive, dense output of order 7 */
    FENDER_INTEGRATOR_CVODE_ADAMS,     /* CVODE of SUNDIALS within each fixed step: Adams formulas by the tolerances; in
                                          builds with SUNDIALS alone, and not bit for bit the same in all of them */
    FENDER_INTEGRATOR_CVODE_BDF        /* the same by BDF, implicit: for stiff contacts */
} fender_integrator_method;
/* The least `stick_speed` [m/s] of static and kinetic friction with which sliding under gravity can come to rest in
 * steps of that length: mu_kinetic gravity step / z, z = 2.8 for rk4 and 2 for the others, as a sliding direction turns
 * at the rate mu_kinetic N / (m v). 0 for methods that choose their steps. gravity [m/s^2], step [s]. Any thread. */
FENDER_API double fender_least_stick_speed(fender_integrator_method method, double step, double mu_kinetic,
                                           double gravity);
/* "rk4"; NULL past the end, and for methods that this build does not have. */
FENDER_API const char *fender_integrator_name(fender_integrator_method method);
/* Does it choose its own steps by the tolerances? */
FENDER_API bool fender_integrator_adaptive(fender_integrator_method method);
/* The longest step [s] with which the method does not let x'' + 2 r f x' + f^2 x = 0 grow: f [rad/s], r damping ratio.
 * INFINITY for methods that choose their steps or those within a step, and for f = 0. */
FENDER_API double fender_integrator_stable_step(fender_integrator_method method, double frequency,
                                                double damping_ratio);
/* A step [s] with which the figures of an impact on that spring are off by about `error` (1e-3: a thousandth), by the
 * phase error of the method, by touch and release somewhere within a step unless `located`, and half the stable step at
 * the most. INFINITY as above. */
FENDER_API double fender_integrator_sized_step(fender_integrator_method method, double frequency, double damping_ratio,
                                               bool located, double error);

typedef enum fender_gravity_kind {
    FENDER_GRAVITY_NONE,
    FENDER_GRAVITY_UNIFORM,
    FENDER_GRAVITY_POINT_MASS,
    FENDER_GRAVITY_PLANET /* of the frame's planet: point mass and j2 */
} fender_gravity_kind;
/* Acts at centres of mass alone: no gradient torque. */
typedef struct fender_gravity {
    fender_gravity_kind kind;
    fender_vec3 acceleration; /* m/s^2, W; uniform */
    double mu;                /* m^3/s^2; point mass: a = -mu r / |r|^3 */
    fender_vec3 center;       /* m, W; point mass */
} fender_gravity;
/* Flattening of a POINT_MASS. */
typedef struct fender_oblateness {
    double j2;        /* dynamic form factor, not normalised; 0: none */
    double radius;    /* m; to which it refers */
    fender_vec3 axis; /* of symmetry, W, of any length */
} fender_oblateness;

/* What W is. A planet-fixed frame turns with its planet: bodies feel, besides gravity, what the turning does to them
 * (Coriolis and centrifugal force, and the like on rotation), and what stands still in it stands still to the last bit.
 * Velocities, angular velocities and momenta of the API are those relative to W unless they are called inertial. */
typedef enum fender_frame_kind {
    FENDER_FRAME_INERTIAL,
    FENDER_FRAME_LOCAL,          /* origin at a geodetic place, fixed to the planet */
    FENDER_FRAME_PLANET_CENTERED /* origin at the planet's centre, axes F (planet.h) */
} fender_frame_kind;
typedef struct fender_frame {
    fender_frame_kind kind;
    fender_planet planet;
    fender_geodetic origin; /* LOCAL */
    fender_local_axes axes; /* LOCAL */
} fender_frame;

#define FENDER_DEPTH_OF_SHAPES (-1.0)

typedef struct fender_world_def {
    fender_gravity gravity;
    fender_oblateness oblateness;
    fender_frame frame;
    fender_integrator_method method;
    double step;                 /* s; > 0; of fixed-step methods. Adaptive ones choose their own: it is their longest
                                    only while masses flow */
    double relative_tolerance;   /* of adaptive methods and CVODE: local error against the size of motion; 0: 1e-9 */
    double absolute_tolerance;   /* and beside it: m, m/s, and the like of rotation at the radius of gyration; 0:
                                    relative_tolerance */
    double start_time;           /* s */
    bool locate_events;          /* find touch, separation, changes of a law's mode and of links in time and end steps
                                    there */
    double event_tolerance;      /* s; 0: 1e-14 s; never finer than the time itself can tell apart. A damped touch found
                                    late by dt costs c dt / m of its speed */
    double depth_limit;          /* m; a contact that is deeper, and still goes deeper, ends the run (INTEGRATOR); 0: no
                                    limit; FENDER_DEPTH_OF_SHAPES: by radii and thicknesses (docs/models/integrators.md) */
    double contact_limit_factor; /* C028: a pair is looked at only while the origins of the two geometries are nearer
                                    than this times the sum of their bounding radii; 0 = no limit */
    fender_vec3 north; /* W, any length but 0: what surface_frame calls north; 0, 0, 0: that of a local frame, else y */
    const fender_registry *registry; /* NULL: the built-in laws; the world holds it */
} fender_world_def;

/* No gravity, inertial, RK4, 10 ms, from 0 s, no range limit. */
FENDER_API fender_world_def fender_world_def_default(void);
FENDER_API fender_world *fender_world_create(const fender_env *env, const fender_world_def *def, fender_error *error);
/* NULL is fine. Called from within one of the world's own calls it does nothing: the world lives on. */
FENDER_API void fender_world_destroy(fender_world *world);

/* Checks the whole, sizes every array that a step needs and evaluates the initial state, in which contacts may already
 * exist (their establish events carry the start time). Needed after anything was created; steps then allocate nothing
 * as long as contacts fit. */
FENDER_API fender_status fender_world_initialize(fender_world *world, fender_error *error);
/* One accepted step. On failure the world stays at the last accepted state: NOT_FINITE, or INTEGRATOR when the step is
 * too long for the stiffness of a contact (fender_integrator_stable_step), a contact goes deeper than depth_limit, or
 * no step is short enough for the tolerances. */
FENDER_API fender_status fender_world_step(fender_world *world, fender_error *error);
/* `count` steps; events are kept from the start of the call. Stops at the first failure. */
FENDER_API fender_status fender_world_advance(fender_world *world, int64_t count, fender_error *error);
/* Steps until the time [s] is reached: the last one ends at it (of a fixed-step method, too). Events are kept from the
 * start of the call. VALUE when it lies in the past. */
FENDER_API fender_status fender_world_advance_to(fender_world *world, double time, fender_error *error);

/* ---- steps in parts, for callers that look into a step before it is accepted ----
 *
 *   fender_world_propose  finds where the next step ends: nothing has changed
 *   fender_world_sample   shows the world at a time within it: every function that reads the committed state reads that
 *                         of this time, until the next call of propose, sample or accept
 *   fender_world_accept   takes the step: contacts begin and end, laws are updated, events appear
 *
 * Any other call that changes the world drops the proposal and ends the sample; those that save it (hash, snapshot)
 * refer to the accepted state and may not be called while it is sampled. */
typedef struct fender_proposal {
    double start_time, end_time; /* s */
    bool at_event;               /* ends at an event: touch, separation, a change of a law's mode */
    bool at_limit;               /* ends at the limit that was asked for */
    bool ends_step; /* acceptance completes a step: false where a fixed-step method is stopped on its way */
} fender_proposal;
/* No longer than to `limit` [s; INFINITY: no limit]. An adaptive method takes the step that its tolerances allow, a
 * fixed-step method goes to the end of its step; both end earlier at events (fixed-step: with locate_events). */
FENDER_API fender_status fender_world_propose(fender_world *world, double limit, fender_proposal *proposal,
                                              fender_error *error);
/* `time` between start_time and end_time of the proposal. Adaptive methods interpolate (dense output), fixed-step ones
 * step anew. Contacts are those at the start of the step. STATE without a proposal, VALUE outside of it. */
FENDER_API fender_status fender_world_sample(fender_world *world, double time, fender_error *error);
/* On failure (NOT_FINITE) the world stays at the last accepted state. STATE without a proposal. */
FENDER_API fender_status fender_world_accept(fender_world *world, fender_error *error);

FENDER_API double fender_world_time(
    const fender_world *world); /* s; start_time + steps * step, or what a host last committed plus the steps since */
FENDER_API int64_t fender_world_step_count(const fender_world *world); /* accepted steps since initialize */
/* The longest step [s] by which the world's method of fixed steps does not make small disturbances of the present state
 * grow: of all contacts that touch now, links, friction and rolling together, with the modes that they have, 7 % below
 * what is found by the power method on differences of steps. INFINITY: there is none up to a million times world.step,
 * or the method chooses its steps itself. Costs the evaluations of some thousand steps; the state stays. Not for the
 * middle of a call. MEMORY, STATE. */
FENDER_API fender_status fender_world_stable_step(fender_world *world, double *longest, fender_error *error);
/* How often all forces have been evaluated since the world was created, steps that were turned down and searches for
 * events included: the cost of a method, whatever the machine. Snapshots do not set it back. */
FENDER_API int64_t fender_world_evaluation_count(const fender_world *world);
/* Located events: how often since initialize a contact has changed its modes so often within one step that it kept
 * them, unlocated, until the step's end; or all have, where nothing else let the motion go on. *a, *b (NULL is fine):
 * the shapes of the last such contact, 0 for none. Its energy shows in the ledger as all else does. */
FENDER_API int64_t fender_world_hold_count(const fender_world *world, fender_shape_id *a, fender_shape_id *b);
FENDER_API const fender_world_def *fender_world_get_def(const fender_world *world);
/* 64-bit hash (FNV-1a) over committed states, contact memory, accumulated quantities and all events so far. */
FENDER_API uint64_t fender_world_hash(const fender_world *world);
/* Contacts at all? (JEOD's Contact.active.) Takes effect at the next evaluation; existing contacts end at the next
 * commit. */
FENDER_API void fender_world_set_contacts_active(fender_world *world, bool active);

/* ---- bodies ---- */

typedef enum fender_motion {
    FENDER_MOTION_DYNAMIC,    /* moved by forces */
    FENDER_MOTION_FIXED,      /* never moves */
    FENDER_MOTION_PRESCRIBED, /* moved by its path, or evenly by its initial velocity */
    FENDER_MOTION_MASS_ONLY   /* mass without a state: takes part once it is attached to a body that has one (B003) */
} fender_motion;
FENDER_API const char *fender_motion_name(fender_motion motion); /* "dynamic"; NULL past the end */

/* State of the structure frame. */
typedef struct fender_body_state {
    fender_vec3 position;         /* m, W; origin of S */
    fender_quaternion attitude;   /* q_WS */
    fender_vec3 velocity;         /* m/s, W; of the origin of S */
    fender_vec3 angular_velocity; /* rad/s, in axes of S */
} fender_body_state;

/* Path of a prescribed body: positions of the origin of S at rising times, linear between, held outside. */
typedef struct fender_path {
    const double *times;          /* s */
    const fender_vec3 *positions; /* m, W */
    int count;                    /* 0: no path */
} fender_path;

typedef struct fender_body_def {
    const char *name;
    fender_motion motion;
    fender_mass_properties
        mass_properties;         /* centre in S; inertia about it in axes of B; read for dynamic bodies only */
    fender_quaternion body_axes; /* q_SB */
    fender_body_state state;     /* initial */
    fender_path path;            /* copied */
    bool lenient_inertia; /* take a tensor that breaks the triangle inequality, as data of older simulations do (JEOD's
                             Apollo command module); it must still be symmetric and positive definite */
} fender_body_def;

/* Dynamic, no name, no mass, identity. */
FENDER_API fender_body_def fender_body_def_default(void);
/* Refused: mass not positive and finite, inertia not symmetric, not positive definite or against the triangle
 * inequality (path and found say which and by how much), state not finite, name malformed or taken. */
FENDER_API fender_status fender_body_create(fender_world *world, const fender_body_def *def, fender_body_id *id,
                                            fender_error *error);
/* Sets the committed state of a dynamic root between steps; contacts are kept, and what it brings is booked as applied.
 */
FENDER_API fender_status fender_body_set_state(fender_world *world, fender_body_id body, const fender_body_state *state,
                                               fender_error *error);

/* What can be read of a body; everything about mass, momentum and energy is that of the composite which it heads:
 * itself and all that is attached to it. Contact forces too; those of the last stage are kept for roots only.
 * fender_body_fields describes it, so that recorders and bindings need no list of their own. */
typedef struct fender_body_data {
    double mass;                           /* kg; of the body and all that is attached to it (composite) */
    double core_mass;                      /* kg; of the body alone */
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

typedef enum fender_clock { FENDER_CLOCK_COMMITTED, FENDER_CLOCK_EVALUATED } fender_clock;
FENDER_API fender_status fender_body_get(const fender_world *world, fender_body_id body, fender_clock clock,
                                         fender_body_data *data);
/* Where a body is on the planet, and how it moves in inertial space; committed clock. In an inertial world without a
 * planet: geodetic and planet-fixed values are zero, inertial ones are those of W. The inertial axes are those of F at
 * time 0 s. */
typedef struct fender_body_planet_data {
    double latitude, longitude;            /* rad; of the centre of mass, geodetic */
    double altitude;                       /* m above the ellipsoid */
    fender_vec3 fixed_position;            /* m, F; of the centre of mass */
    fender_vec3 fixed_velocity;            /* m/s, F; relative to the planet */
    fender_quaternion fixed_attitude;      /* q_FS */
    fender_vec3 inertial_position;         /* m, inertial axes, from the planet's centre; of the centre of mass */
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
/* NULL for a stale id. Lives as long as the world. */
FENDER_API const char *fender_body_name(const fender_world *world, fender_body_id body);
FENDER_API fender_status fender_body_get_def(const fender_world *world, fender_body_id body, fender_body_def *def);

/* ---- materials and shapes ---- */

FENDER_API fender_status fender_material_create(fender_world *world, const char *name, fender_material_id *id,
                                                fender_error *error);
FENDER_API fender_status fender_material_find(const fender_world *world, const char *name, fender_material_id *id);
FENDER_API const char *fender_material_name(const fender_world *world, fender_material_id material);

typedef struct fender_shape_def {
    const char *name;            /* unique on its body */
    fender_geometry *geometry;   /* retained */
    fender_pose X_SG;            /* geometry frame in the structure frame of the body */
    fender_material_id material; /* null: none; material rules do not apply */
    bool active;
    /* A moving surface (belt, roller, turntable): while the shape stays, its surface runs over it at surface_velocity +
     * surface_spin x r, r from the geometry's origin [m/s, rad/s, in the geometry's axes]. Laws see it in slip and
     * spin, what is along the normal has no effect; the drive's work is booked as applied. */
    fender_vec3 surface_velocity, surface_spin;
} fender_shape_def;

/* Active, identity pose, no material. */
FENDER_API fender_shape_def fender_shape_def_default(void);
FENDER_API fender_status fender_shape_create(fender_world *world, fender_body_id body, const fender_shape_def *def,
                                             fender_shape_id *id, fender_error *error);
/* Takes effect at the next evaluation. */
FENDER_API fender_status fender_shape_set_active(fender_world *world, fender_shape_id shape, bool active);
FENDER_API fender_status fender_shape_find(const fender_world *world, fender_body_id body, const char *name,
                                           fender_shape_id *id);
FENDER_API int fender_shape_count(const fender_world *world);
FENDER_API fender_shape_id fender_shape_at(const fender_world *world, int index);
FENDER_API const char *fender_shape_name(const fender_world *world, fender_shape_id shape);
FENDER_API fender_body_id fender_shape_body(const fender_world *world, fender_shape_id shape);
/* The geometry in it is borrowed: retain it to keep it. */
FENDER_API fender_status fender_shape_get_def(const fender_world *world, fender_shape_id shape, fender_shape_def *def);

/* ---- contact types and rules ---- */

typedef enum fender_signal_after { FENDER_AFTER_HOLD, FENDER_AFTER_ZERO } fender_signal_after;
/* Forces as a function of time, zero before the first row, linear between rows. */
typedef struct fender_force_table {
    const double *times;  /* s, strictly rising */
    const double *values; /* N; by rows of `columns` normal forces, or of 2 * columns components of friction: x, y */
    int count;            /* rows; 0: no table, no force */
    int columns;          /* 1: every contact gets the same; else one per point of a cloud, in their order */
    fender_signal_after after; /* after the last row */
} fender_force_table;
/* Forces from outside, resolved in the contact frame, for the law `input`: functions of time alone, on b, while there
 * is a contact. They are those of a full contact: a point of a patch gets its weight's part. Either tables, which are
 * copied, or a function of the user's own, which must give the same for the same arguments whenever it is called; it
 * may be called at states that are thrown away. */
typedef struct fender_provided {
    fender_force_table normal;   /* along z of C; below zero counts as zero */
    fender_force_table friction; /* along x, y of C */
    /* In place of both; *normal and *friction are zero before. a: base, b: follower; index: the cloud's point. */
    void (*force)(void *ctx, double time, fender_shape_id a, fender_shape_id b, int index, double *normal,
                  fender_vec2 *friction);
    void *ctx;
} fender_provided;

/* Either `law` (whole), or `normal` and perhaps `friction`; beside both perhaps `rolling` and `twisting`. Parameters
 * are copied after a check. */
typedef struct fender_contact_type_def {
    const char *name;
    const fender_law *law, *normal, *friction, *rolling, *twisting;
    const void *law_parameters, *normal_parameters, *friction_parameters, *rolling_parameters, *twisting_parameters;
    const fender_provided *provided; /* NULL: none; copied */
    fender_contact_points points;    /* of faces that meet */
    bool unlocated; /* touch and release end no step, even where the world locates events: they are known to one step */
} fender_contact_type_def;
FENDER_API fender_status fender_contact_type_create(fender_world *world, const fender_contact_type_def *def,
                                                    fender_contact_type_id *id, fender_error *error);
FENDER_API fender_status fender_contact_type_find(const fender_world *world, const char *name,
                                                  fender_contact_type_id *id);
/* Texts and parameters in it are borrowed. */
FENDER_API fender_status fender_contact_type_get_def(const fender_world *world, fender_contact_type_id type,
                                                     fender_contact_type_def *def);
/* In order of creation; the null id past the end. */
FENDER_API int fender_contact_type_count(const fender_world *world);
FENDER_API fender_contact_type_id fender_contact_type_at(const fender_world *world, int index);

typedef enum fender_rule_kind { /* strongest first */
                                FENDER_RULE_SHAPES,
                                FENDER_RULE_BODIES,
                                FENDER_RULE_MATERIALS,
                                FENDER_RULE_DEFAULT
} fender_rule_kind;
typedef struct fender_rule_def {
    fender_rule_kind kind;
    fender_shape_id shape_a, shape_b;          /* FENDER_RULE_SHAPES; order does not matter in any kind */
    fender_body_id body_a, body_b;             /* FENDER_RULE_BODIES */
    fender_material_id material_a, material_b; /* FENDER_RULE_MATERIALS; may be the same */
    fender_contact_type_id use;                /* null: these never touch */
    /* Pairs of geometries without a contact function (fender_geometry_pair_supported): false: a rule that names such
     * shapes, or bodies with such shapes that it decides, is an error; true: they pass through each other. */
    bool ignore_unsupported;
} fender_rule_def;
/* The same pair twice in one kind is refused (NAME). Geometries without a contact function are refused (VALUE): for two
 * shapes here and in fender_rule_set_use; for two bodies, whose shapes may come later, in fender_world_initialize, with
 * the path rules[N], N in order of adding from 0. Rules for materials and the default refuse none. */
FENDER_API fender_status fender_rule_add(fender_world *world, const fender_rule_def *def, fender_rule_id *id,
                                         fender_error *error);
FENDER_API fender_status fender_rule_get_def(const fender_world *world, fender_rule_id rule, fender_rule_def *def);
/* Another contact type, or never (null), for the pairs that the rule decides. In an initialized world it takes effect
 * at once, clears the event list and fills it with what it caused: contacts of these pairs end with their old law
 * (terminate, release event), keep nothing of what it remembered, and begin anew under the new type where the shapes
 * are within its reach; each key's end comes before its beginning, in the order of keys. What they store then less what
 * they stored before is booked as applied. Contacts go on when the rule uses that type already. */
FENDER_API fender_status fender_rule_set_use(fender_world *world, fender_rule_id rule, fender_contact_type_id use,
                                             fender_error *error);
/* In order of adding; the null id past the end. */
FENDER_API int fender_rule_count(const fender_world *world);
FENDER_API fender_rule_id fender_rule_at(const fender_world *world, int index);

/* Why two shapes may touch or not. */
typedef enum fender_pair_reason {
    FENDER_PAIR_MAY_TOUCH,
    FENDER_PAIR_SAME_BODY,
    FENDER_PAIR_SAME_TREE,      /* attached to each other */
    FENDER_PAIR_BOTH_IMMOVABLE, /* fixed or prescribed, both */
    FENDER_PAIR_RULE_NEVER,
    FENDER_PAIR_NO_RULE,
    FENDER_PAIR_NOT_ACTIVE,
    FENDER_PAIR_NO_FUNCTION,
    FENDER_PAIR_OUT_OF_RANGE, /* contact_limit_factor, at the committed state */
    FENDER_PAIR_NO_STATE      /* one is mass only and not attached to a body that has a state */
} fender_pair_reason;
typedef struct fender_pair_explanation {
    fender_pair_reason reason;
    fender_shape_id a, b;          /* base and follower */
    fender_rule_id rule;           /* the one that decided; null: none */
    fender_rule_id overruled;      /* the next weaker one that also fits; null: none */
    fender_contact_type_id use;    /* null when they cannot touch by rule */
    double onset_gap, release_gap; /* m; reach of the type's laws */
} fender_pair_explanation;
FENDER_API fender_status fender_world_explain(const fender_world *world, fender_shape_id one, fender_shape_id other,
                                              fender_pair_explanation *explanation);

/* ---- loads ---- */

typedef enum fender_signal_kind {
    FENDER_SIGNAL_ZERO,
    FENDER_SIGNAL_CONSTANT,
    FENDER_SIGNAL_RAMP,
    FENDER_SIGNAL_TABLE
} fender_signal_kind;
/* A vector as a function of time. */
typedef struct fender_signal {
    fender_signal_kind kind;
    fender_vec3 constant;      /* CONSTANT */
    fender_vec3 direction;     /* RAMP: value = direction / |direction| * rate * max(0, t - start) */
    double rate, start;        /* RAMP: 1/s, s */
    const double *times;       /* TABLE: strictly rising [s]; zero before the first; copied by the load */
    const fender_vec3 *values; /* TABLE: linear between rows */
    int count;                 /* TABLE */
    fender_signal_after after; /* TABLE: after the last row */
} fender_signal;

typedef enum fender_axes { FENDER_AXES_WORLD, FENDER_AXES_BODY } fender_axes;
typedef struct fender_load_def {
    const char *name;
    fender_body_id body;
    bool at_center;       /* acts at the centre of mass; else at `point` */
    fender_vec3 point;    /* m, in S */
    fender_signal force;  /* N */
    fender_signal torque; /* N m */
    fender_axes axes;     /* of force and torque: world, or the structure axes of the body */
    bool active;
} fender_load_def;
/* At the centre of mass, world axes, no force, active. */
FENDER_API fender_load_def fender_load_def_default(void);
FENDER_API fender_status fender_load_create(fender_world *world, const fender_load_def *def, fender_load_id *id,
                                            fender_error *error);
FENDER_API fender_status fender_load_find(const fender_world *world, const char *name, fender_load_id *id);
FENDER_API int fender_load_count(const fender_world *world);
/* NULL past the end. In order of creation. */
FENDER_API const char *fender_load_name(const fender_world *world, int index);
FENDER_API fender_status fender_load_set_active(fender_world *world, fender_load_id load, bool active);
FENDER_API fender_status fender_load_is_active(const fender_world *world, fender_load_id load, bool *active);
/* In order of creation; the null id past the end. */
FENDER_API int fender_load_count(const fender_world *world);
FENDER_API fender_load_id fender_load_at(const fender_world *world, int index);
/* Texts and tables in it are borrowed; `active` is the present one. */
FENDER_API fender_status fender_load_get_def(const fender_world *world, fender_load_id load, fender_load_def *def);

/* ---- contacts: sensing and events ---- */

/* Estimates of the errors of a contact's figures: of sampling (steps, the tolerance of located events, the
 * interpolation between accepted states) and of integration (the contact's own residual, the order of the method). A
 * figure is off by less than three times its estimate in 19 of 20 cases (docs/CONVENTIONS.md); INFINITY: nothing is
 * known. */
typedef struct fender_contact_errors {
    double begin_time, end_time;          /* s */
    double peak_force, peak_force_time;   /* N, s */
    double peak_depth;                    /* m */
    double impulse;                       /* N s */
    double approach_speed, rebound_speed; /* m/s */
} fender_contact_errors;

/* Feature of the touch and release of a pair that touches as a whole (fender_contact_data.whole_pair). */
#define FENDER_FEATURE_PAIR UINT64_MAX

/* Everything about one contact: base a (JEOD's subject), follower b (target). */
typedef struct fender_contact_data {
    fender_shape_id a, b;
    fender_contact_type_id type;
    uint64_t feature;
    bool touching;                        /* depth > 0 */
    double depth;                         /* m; negative: within the law's reach, not touching */
    double depth_rate;                    /* m/s */
    double separation;                    /* m; -depth */
    double normal_force;                  /* N; along z of C, positive pushes b away from a */
    double friction_force;                /* N; size of the tangential force */
    fender_vec3 force;                    /* N, W; on b */
    fender_vec3 torque;                   /* N m, W; on b about the contact point */
    fender_vec3 point;                    /* m, W; common point */
    fender_vec3 normal;                   /* W; z of C, out of a */
    fender_quaternion frame;              /* q_WC */
    fender_vec2 slip;                     /* m/s, in C; b relative to a */
    fender_vec3 spin;                     /* rad/s, in C; b relative to a */
    fender_vec3 point_on_a, point_on_b;   /* m, in the structure frame of a, of b */
    fender_vec3 force_on_a, torque_on_a;  /* N, N m in S of a; torque about the centre of mass of a */
    fender_vec3 force_on_b, torque_on_b;  /* the same for b */
    fender_vec3 world_torque_on_a;        /* N m, W; about the centre of mass of a; the force on a is -force */
    fender_vec3 world_torque_on_b;        /* N m, W; about the centre of mass of b */
    fender_vec3 contact_force;            /* N, in C, on b; a gets the opposite */
    fender_vec3 contact_torque;           /* N m, in C, on b about the contact point */
    double damping_power, friction_power; /* W */
    double stored_energy;                 /* J */
    int mode;                             /* of the law */
    fender_vec2 stretch;                  /* m, in C; of the friction law's spring, on b; 0 without one */
    fender_vec3 anchor;                   /* m, W; where that spring is at rest: point without the stretch */
    /* On the surface that is touched (b's when a is a probe, else a's): axes Normal, East and North of its tangent
     * plane, north by fender_world_def.north; what lies on it, or the probe, as seen from it. */
    fender_quaternion surface_frame;    /* q_WP */
    fender_vec3 surface_offset;         /* m, P; from the anchor: -depth, then the stretch to the east and north */
    fender_vec3 surface_velocity;       /* m/s, P */
    fender_vec3 surface_force;          /* N, P; on what lies on it */
    double weight;                      /* part of the full stiffness that acts here; 1 for single contacts */
    bool whole_pair;                    /* the pair touches as a whole: events, and what it has come to since, are
                                           those of fender_contact_between */
    double begin_time;                  /* s */
    double impulse;                     /* N s; integral of the normal force since the beginning */
    fender_vec3 impulse_on_b;           /* N s, W; of the force on b since the beginning; a gets the opposite */
    double peak_force;                  /* N; largest normal force so far, between accepted states too */
    double peak_force_time;             /* s */
    double peak_depth;                  /* m; largest, likewise */
    double approach_speed;              /* m/s; depth rate when first seen */
    double damping_loss, friction_loss; /* J lost since the beginning */
    double work;                        /* J; done by the contact on both bodies since the beginning (negative while it
                                           is loaded) */
    double residual; /* J; -(work + damping_loss + friction_loss + change of stored_energy): what the integration of
                        this contact has lost (or, negative, gained) */
    double peak_force_error;      /* N; errors.peak_force */
    fender_contact_errors errors; /* of what it has come to so far */
} fender_contact_data;
FENDER_API const fender_field_table *fender_contact_fields(void);

/* Contacts in the order of their keys (shape a, shape b, feature). */
FENDER_API int fender_contact_count(const fender_world *world, fender_clock clock);
FENDER_API fender_status fender_contact_at(const fender_world *world, fender_clock clock, int index,
                                           fender_contact_data *data);
/* The pair in either order (committed). With several contacts (patches, clouds): forces, powers, energies and impulses
 * are added up; the peak force is that of a whole pair at accepted states, else the sum of those of all points; point,
 * torque and the points on the bodies are those of the centre of pressure; frame, slip and mode are those of the
 * deepest contact; depth and its rate those of the deepest place, which is a corner of a patch, mostly; times and
 * approach speed those of the first and fastest. When there is none: touching false, separation, normal and points of
 * the closest approach, all forces zero. Works for any two shapes with a contact function. */
FENDER_API fender_status fender_contact_between(const fender_world *world, fender_shape_id one, fender_shape_id other,
                                                fender_contact_data *data);

/* The signals of one contact with base and follower as the caller names them (S062 to S073). z of the contact frame
 * is out of the base; the reference frames are the geometry frames of the two. Where there is no contact everything is
 * zero and rotations are the identity, but for the two distances. */
typedef struct fender_contact_signals {
    bool contact;               /* there is a contact */
    double penetration_depth;   /* m; 0 while apart */
    double separation_distance; /* m; least distance, near or far; negative: minus the penetration depth */
    double normal_force;        /* N; magnitude, >= 0 */
    double friction_force;      /* N; magnitude */
    double normal_velocity;     /* m/s; z of the velocity of the follower relative to the base at the contact point,
                                   in the contact frame: positive while they part */
    fender_vec2 tangential_velocity; /* m/s; x and y of it */
    fender_mat3 base_rotation;       /* takes vectors of the contact frame to the geometry frame of the base */
    fender_vec3 base_translation;    /* m; contact point in it */
    fender_mat3 follower_rotation;   /* the same for the follower */
    fender_vec3 follower_translation;
} fender_contact_signals;
FENDER_API const fender_field_table *fender_contact_signal_fields(void);
/* Signals of any two shapes with a contact function, committed: one for the pair, or, when one of them is a cloud, one
 * for each of its points in their order. *count is how many there are; at most `capacity` are written.
 * A pair that touches at several points (a patch) has one signal: sums of the forces, the least separation of the two,
 * the frame of the deepest contact, put at the centre of pressure (of a linear spring while nothing pushes) with the
 * velocity there. MEMORY may occur for clouds.
 */
FENDER_API fender_status fender_contact_sense(const fender_world *world, fender_shape_id base, fender_shape_id follower,
                                              fender_contact_signals *signals, int capacity, int *count);
/* Those of one point of a cloud; index 0 for other pairs. ARGUMENT when there is no such point. */
FENDER_API fender_status fender_contact_sense_point(const fender_world *world, fender_shape_id base,
                                                    fender_shape_id follower, int index,
                                                    fender_contact_signals *signals);

typedef enum fender_event_kind {
    FENDER_EVENT_ESTABLISH,    /* a contact began ("touch") */
    FENDER_EVENT_TERMINATE,    /* a contact ended ("release") */
    FENDER_EVENT_MODE,         /* its law's mode changed: code = new mode */
    FENDER_EVENT_LAW,          /* its law said so: code = the law's */
    FENDER_EVENT_ATTACH,       /* body_a was attached to body_b; speed = displacement of the snap in m */
    FENDER_EVENT_DETACH,       /* body_a was detached from body_b */
    FENDER_EVENT_LINK_BREAK,   /* the force in a link went beyond its limit; speed = rate of its length */
    FENDER_EVENT_LINK_SPENT,   /* a link has come to its free length for good; speed = rate of its length */
    FENDER_EVENT_SLIP,         /* as MODE, to a mode that the law calls "kinetic" */
    FENDER_EVENT_STICK,        /* as MODE, to a mode that the law calls "static" */
    FENDER_EVENT_LINK_CAPTURE, /* a latch has caught, or a contact has made a link; speed = of the points against each
                                  other */
    FENDER_EVENT_LINK_CRUSH,   /* a strut begins to crush; speed = rate of its length */
    FENDER_EVENT_LINK_BOTTOM   /* a strut comes to the end of its stroke; speed = rate of its length */
} fender_event_kind;
enum { FENDER_EVENT_KIND_COUNT = FENDER_EVENT_LINK_BOTTOM + 1 };
/* "touch", "release", "mode", "law", "attach", "detach", "break", "spent", "slip", "stick", "capture", "crush",
 * "bottom"; NULL past the end */
FENDER_API const char *fender_event_name(fender_event_kind kind);
typedef struct fender_event {
    fender_event_kind kind;
    int code;
    double time;                   /* s; known to one step: ESTABLISH has the start of its step, the others the end */
    fender_shape_id a, b;          /* of a contact; else null */
    fender_body_id body_a, body_b; /* ATTACH and DETACH; bodies of a link */
    fender_link_id link;           /* LINK_BREAK, LINK_SPENT and the others of links; else null */
    uint64_t feature;
    double speed; /* m/s; depth rate: approach at ESTABLISH, at TERMINATE minus it is the rebound speed */
    double begin_time, impulse, peak_force, peak_force_time, peak_depth,
        approach_speed;                                                   /* TERMINATE: the whole contact */
    double damping_loss, friction_loss, work, residual, peak_force_error; /* TERMINATE, as in fender_contact_data */
    fender_contact_errors errors;                                         /* TERMINATE */
} fender_event;
/* Events since the start of the last call that moved the world (initialize, step, advance, commit), in order. The array
 * lives until the next such call. */
FENDER_API const fender_event *fender_world_events(const fender_world *world, int *count);

/* ---- lines of sight ---- */

typedef struct fender_world_ray_hit {
    bool hit;
    double distance;       /* m along the ray, >= 0 */
    fender_vec3 point;     /* m, W */
    fender_vec3 normal;    /* unit, W, outward */
    fender_vec3 velocity;  /* m/s, W; of the body that was hit, at the point */
    fender_shape_id shape; /* the first in order of creation, where several are hit at the same distance */
    uint64_t feature;      /* face or triangle */
} fender_world_ray_hit;
/* First shape that a ray [W] meets, at the committed state: the same geometry that contacts see, whatever the rules.
 * Shapes that are not active, those of `except` and of all that is attached to it are left out (the null id: none);
 * points, clouds and probes are never met. VALUE for a ray without direction or that is not finite. */
FENDER_API fender_status fender_world_ray_cast(const fender_world *world, const fender_ray *ray, fender_body_id except,
                                               fender_world_ray_hit *hit);

/* A sensor that looks along a line fixed to a body: altimeter, velocimeter. It does not see its own composite body. */
typedef struct fender_beam {
    fender_body_id body;
    fender_vec3 point, direction; /* m, in S; direction of any length but 0 */
    double range;                 /* m; INFINITY: no end */
} fender_beam;
typedef struct fender_beam_data {
    bool hit;
    double range;      /* m; 0 without a hit, like the rates */
    double range_rate; /* m/s; d(range)/dt as the beam and what it hit move, slope and turning included */
    double line_speed; /* m/s; of the point that was hit away from the sensor, along the line: what Doppler measures */
    fender_vec3 origin, direction; /* W; unit */
    fender_world_ray_hit at;
} fender_beam_data;
FENDER_API const fender_field_table *fender_beam_fields(void);
/* VALUE for a beam without direction, that is not finite, or with a negative range. */
FENDER_API fender_status fender_world_look(const fender_world *world, const fender_beam *beam, fender_beam_data *data);

/* Beams that a world keeps by name, for recorders and conditions. They change nothing in the world's motion. */
FENDER_API fender_status fender_sensor_create(fender_world *world, const char *name, const fender_beam *beam,
                                              fender_sensor_id *id, fender_error *error);
FENDER_API fender_status fender_sensor_read(const fender_world *world, fender_sensor_id sensor, fender_beam_data *data);
FENDER_API fender_status fender_sensor_find(const fender_world *world, const char *name, fender_sensor_id *id);
FENDER_API int fender_sensor_count(const fender_world *world);
/* In order of creation; the null id past the end. */
FENDER_API fender_sensor_id fender_sensor_at(const fender_world *world, int index);
/* NULL for a stale id. */
FENDER_API const char *fender_sensor_name(const fender_world *world, fender_sensor_id sensor);
FENDER_API fender_status fender_sensor_get_beam(const fender_world *world, fender_sensor_id sensor, fender_beam *beam);

/* How many events of a kind there have been since the world began. */
FENDER_API int64_t fender_world_event_count(const fender_world *world, fender_event_kind kind);

/* Energy and momentum of the whole world, committed. */
typedef struct fender_ledger {
    double kinetic;       /* J */
    double gravitational; /* J; uniform: -m g.(r - momentum_origin); point mass: -mu m / r, with j2; in a planet-fixed
                             frame with the centrifugal energy of places and of inertia, zero at the frame's origin (but
                             -1/2 W.JW of bodies): the sum of all is Jacobi's integral */
    double stored;        /* J in contacts and links */
    double damping;       /* J lost so far along normals and in links */
    double friction;      /* J lost so far in sliding, rolling and twisting */
    double contact_work;  /* J done so far by contacts on both their bodies: -(damping + friction + change of stored),
                             but for the error of the integration */
    double applied;       /* J of work by loads and by prescribed and fixed bodies so far */
    double attachment;    /* J lost so far when bodies were attached, detached or moved within a tree, with contacts
                             dropped thereby */
    /* J; start + applied - (kinetic + gravitational + stored + damping + friction + attachment): what has vanished
     * without account; negative: energy came from nowhere */
    double residual;
    double scale; /* J; peak kinetic energy plus all work so far: what the residual is to be compared with */
    fender_vec3 linear_momentum;  /* N s */
    fender_vec3 angular_momentum; /* N m s about momentum_origin */
    fender_vec3 momentum_origin;  /* m, W; centre of mass of all dynamic bodies at the start */
    double linear_drift;          /* N s; |momentum - start - impulse of gravity, loads and immovable bodies| */
    double angular_drift;         /* N m s */
} fender_ledger;
FENDER_API const fender_field_table *fender_ledger_fields(void);
FENDER_API void fender_world_ledger(const fender_world *world, fender_ledger *ledger);

/* The same motion booked in inertial space, about the axis of the planet. In an inertial world all but `kinetic` and
 * `gravitational` is zero. Gravity that is fixed to a turning frame (UNIFORM) does work there: it counts as applied. */
typedef struct fender_inertial_ledger {
    double kinetic;        /* J; of the inertial velocities */
    double gravitational;  /* J; gravity alone; zero at the frame's origin */
    double applied;        /* J; work of loads and of what is fixed to the planet, in inertial space, so far */
    double residual;       /* J; as that of the ledger: change of kinetic + gravitational + stored, losses, applied */
    double axial_momentum; /* N m s; component of the angular momentum along the axis, about the planet's centre */
    double axial_drift;    /* N m s; its change that no torque explains */
} fender_inertial_ledger;
FENDER_API const fender_field_table *fender_inertial_ledger_fields(void);
FENDER_API void fender_world_inertial_ledger(const fender_world *world, fender_inertial_ledger *ledger);

/* ---- hosts that integrate by themselves ---- */

/* State vector y: for each dynamic body in order of creation 13 numbers: position of the centre of mass in W (3), q_WB
 * (4: w x y z), velocity of the centre of mass in W (3), angular momentum about it in W (3). The quaternion need not be
 * of unit length. */
#define FENDER_STATE_PER_BODY 13
FENDER_API int fender_world_state_count(const fender_world *world);
FENDER_API void fender_world_get_state(const fender_world *world, double *y); /* committed */
/* Tries a state: kept beside the committed one until commit, or until the next step throws it away. */
FENDER_API fender_status fender_world_set_state(fender_world *world, double time, const double *y, fender_error *error);
/* dy/dt at the state last set (committed, when none was set since the last accepted step). Changes nothing but the
 * evaluated clock. */
FENDER_API fender_status fender_world_derivative(fender_world *world, double *ydot, fender_error *error);
/* Evaluates contacts at the state last set, for hosts that read wrenches (clock EVALUATED) and integrate bodies
 * themselves. */
FENDER_API fender_status fender_world_evaluate(fender_world *world, fender_error *error);
/* The state last set is accepted: contacts begin and end, laws are updated, events appear. Between two commits impulses
 * and losses are integrated by the trapezoidal rule over the accepted states. The world's own step and commit may be
 * mixed. */
FENDER_API fender_status fender_world_commit(fender_world *world, fender_error *error);

/* ---- snapshots ---- */

/* Everything that a continuation depends on, in memory. Restoring needs a world of the same structure (the same one, or
 * one built by the same calls); what follows is bit for bit what would have followed. */
typedef struct fender_snapshot fender_snapshot;
/* The same as bytes, for files: begins with a mark, a version and a checksum; read only by builds of the same version
 * on machines of the same byte order. The bytes are borrowed and live as long as the snapshot. */
FENDER_API const void *fender_snapshot_bytes(const fender_snapshot *snapshot, size_t *size);
/* A copy. FILE, with what is wrong, for bytes that are no snapshot, cut short or damaged. */
FENDER_API fender_snapshot *fender_snapshot_from_bytes(const fender_env *env, const void *bytes, size_t size,
                                                       fender_error *error);
FENDER_API fender_snapshot *fender_snapshot_take(const fender_world *world, fender_error *error);
FENDER_API fender_status fender_snapshot_restore(fender_world *world, const fender_snapshot *snapshot,
                                                 fender_error *error);
FENDER_API void fender_snapshot_destroy(fender_snapshot *snapshot); /* NULL is fine */

#endif
