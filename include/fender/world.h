/* fender/world.h - the world: definition, integrator, gravity, frame, time, steps.
 *
 * Frames: W world (inertial, or fixed to a planet: fender_frame), S structure frame of a body, B body axes at the
 * centre of mass, C contact, G geometry. Two clocks: a value is "committed" (of the last accepted step) or "evaluated"
 * (of the last evaluation, perhaps at a state that was only tried). A world is used by one thread at a time; different
 * worlds share geometries and registries freely. Every call that fails changes nothing, unless it says otherwise. Names
 * match [A-Za-z_][A-Za-z0-9_]* and have at most 100 bytes.
 *
 * Definitions are made by their _default functions, which say how large they are: create refuses others (ARGUMENT).
 * What is destroyed leaves at once; its id stays known as stale, also when its place is given anew. Objects keep a
 * pointer of the caller's own (`user_data`): Fender never follows it, and neither hashes nor snapshots hold it.
 *
 * While a call that changes a world is under way, laws, shapes and sources of forces may read the world, but calls that
 * change it, or take a snapshot, give STATE; those without a status do nothing. Without a world (NULL) calls with a
 * status give ARGUMENT; others give 0, a null id or NULL, and a result that is NULL is left out. */
#ifndef FENDER_WORLD_H
#define FENDER_WORLD_H

#include "planet.h"

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
/* The same of turning: the least `rest_rate` [rad/s] with which rolling or twisting under gravity can come to rest,
 * arm gravity step / (z gyration^2). arm [m]: torque per load; gyration [m]: the least radius of gyration of what
 * turns. */
FENDER_API double fender_least_rest_rate(fender_integrator_method method, double step, double arm, double gyration,
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

/* Which of its two states a world is asked for. */
typedef enum fender_clock { FENDER_CLOCK_COMMITTED, FENDER_CLOCK_EVALUATED } fender_clock;

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
    size_t size; /* of this struct: set by fender_world_def_default */
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
    double contact_limit_factor; /* a pair is looked at only while the origins of the two geometries are nearer
                                    than this times the sum of their bounding radii; 0 = no limit */
    fender_vec3 north; /* W, any length but 0: what surface_frame calls north; 0, 0, 0: that of a local frame, else y */
    const fender_registry *registry; /* NULL: the built-in laws; the world holds it */
    void *user_data;                 /* the caller's own, never read */
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
/* Drops the proposal, and shows the accepted state again. Nothing happens without one. */
FENDER_API void fender_world_discard_proposal(fender_world *world);

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
FENDER_API void *fender_world_get_user_data(const fender_world *world);
FENDER_API void fender_world_set_user_data(fender_world *world, void *user_data);
/* 64-bit hash (FNV-1a) over committed states, contact memory, accumulated quantities and all events so far. */
FENDER_API uint64_t fender_world_hash(const fender_world *world);
/* Contacts at all? (JEOD's Contact.active.) Takes effect at the next evaluation; existing contacts end at the next
 * commit. */
FENDER_API void fender_world_set_contacts_active(fender_world *world, bool active);

#endif
