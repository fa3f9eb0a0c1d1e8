/* fender/world.h - the world: definition, integrator, gravity, frame, time, steps.
 *
 * Frames: W world (inertial, or fixed to a planet: fender_frame), S structure frame of a body, B body axes at the
 * centre of mass, C contact, G geometry. A value is "committed" (at the last accepted step) or "evaluated" (at the
 * last evaluation, possibly at a trial state). A world is used by one thread at a time; different worlds may share
 * geometries and registries. A call that fails changes nothing, unless documented otherwise. Names match
 * [A-Za-z_][A-Za-z0-9_]* and have at most 100 bytes.
 *
 * The _default function of a definition sets its size; create functions refuse other sizes (ARGUMENT). A destroyed
 * object is removed immediately; its id is recognised as stale, even after its slot is reused. Objects have a
 * `user_data` pointer for the caller: Fender never dereferences it, and it is not part of hashes and snapshots.
 *
 * During a call that changes a world, laws, shapes and force functions may read the world. Calls that change it, or
 * take a snapshot, return STATE; those without a status do nothing. If the world is NULL, calls with a status return
 * ARGUMENT; others return 0, a null id or NULL. A NULL result pointer is ignored. */
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
    FENDER_INTEGRATOR_CVODE_ADAMS, /* CVODE of SUNDIALS within each fixed step: Adams formulas by the tolerances; only
                                      in builds with SUNDIALS, whose results differ in the last bits */
    FENDER_INTEGRATOR_CVODE_BDF    /* the same by BDF, implicit: for stiff contacts */
} fender_integrator_method;
/* The least `stick_speed` [m/s] of static and kinetic friction with which sliding under gravity can come to rest:
 * mu_kinetic gravity step / z, with z = 2.8 for rk4 and 2 for the others, because a sliding direction rotates at the
 * rate mu_kinetic N / (m v). 0 for adaptive methods. gravity [m/s^2], step [s]. Any thread.
 *
 * A `stick_speed` or `rest_rate` of 0 in a contact type is left to the world: fender_world_initialize sets it to twice
 * the least under uniform gravity, at least to FENDER_STICK_SPEED_FLOOR or FENDER_REST_RATE_FLOOR of laws.h;
 * fender_contact_type_get_def then shows it. Commands to gravity, masses and rules do not change it before the next
 * fender_world_initialize. Part of snapshots. */
FENDER_API double fender_least_stick_speed(fender_integrator_method method, double step, double mu_kinetic,
                                           double gravity);
/* The same for rotation: the least `rest_rate` [rad/s] with which rolling or twisting under gravity can come to rest,
 * arm gravity step / (z gyration^2). arm [m]: torque per load; gyration [m]: the smallest radius of gyration of the
 * body. */
FENDER_API double fender_least_rest_rate(fender_integrator_method method, double step, double arm, double gyration,
                                         double gravity);
/* Name of a method, such as "rk4"; NULL past the end and for methods that are not built in. */
FENDER_API const char *fender_integrator_name(fender_integrator_method method);
/* True if the method chooses its own steps. */
FENDER_API bool fender_integrator_adaptive(fender_integrator_method method);
/* The longest step [s] for which the method is stable on x'' + 2 r f x' + f^2 x = 0, with frequency f [rad/s] and
 * damping ratio r. INFINITY for methods that choose their steps, entirely or within a step, and for f = 0. */
FENDER_API double fender_integrator_stable_step(fender_integrator_method method, double frequency,
                                                double damping_ratio);
/* A step [s] for which the results of an impact on that spring have errors of about `error` (1e-3: a thousandth). It
 * accounts for the phase error of the method and, unless `located`, for begin and end within a step, and is at
 * most half the stable step. INFINITY as above. */
FENDER_API double fender_integrator_sized_step(fender_integrator_method method, double frequency, double damping_ratio,
                                               bool located, double error);

/* Selects the committed or the evaluated state of a world. */
typedef enum fender_clock { FENDER_CLOCK_COMMITTED, FENDER_CLOCK_EVALUATED } fender_clock;

typedef enum fender_gravity_kind {
    FENDER_GRAVITY_NONE,
    FENDER_GRAVITY_UNIFORM,
    FENDER_GRAVITY_POINT_MASS,
    FENDER_GRAVITY_PLANET /* of the frame's planet: point mass and j2 */
} fender_gravity_kind;
/* Gravity acts at centres of mass, unless fender_world_def.gravity_gradient says more. */
typedef struct fender_gravity {
    fender_gravity_kind kind;
    fender_vec3 acceleration; /* m/s^2, W; uniform */
    double mu;                /* m^3/s^2; point mass: a = -mu r / |r|^3 */
    fender_vec3 center;       /* m, W; point mass */
} fender_gravity;
/* Flattening of a POINT_MASS. */
typedef struct fender_oblateness {
    double j2;        /* dynamic form factor, not normalised; 0: none */
    double radius;    /* m; reference radius of j2 */
    fender_vec3 axis; /* of symmetry, W, of any length */
} fender_oblateness;

/* Definition of W. A planet-fixed frame rotates with its planet: bodies feel Coriolis and centrifugal forces, and
 * their equivalents for rotation, in addition to gravity. A body at rest in the frame stays at rest to the last bit.
 * The frame of an orbit moves with its origin and does not turn: bodies feel the gravity of the planet less that of the
 * origin, formed from differences, so that states near the origin keep the digits that an orbit's radius and speed
 * would take. Velocities, angular velocities and momenta of the API are relative to W unless they are called inertial.
 */
typedef enum fender_frame_kind {
    FENDER_FRAME_INERTIAL,
    FENDER_FRAME_LOCAL,           /* origin at a geodetic place, fixed to the planet */
    FENDER_FRAME_PLANET_CENTERED, /* origin at the planet's centre, axes F (planet.h) */
    FENDER_FRAME_ORBIT            /* origin falls freely on an ellipse about the planet; inertial axes */
} fender_frame_kind;
typedef struct fender_frame {
    fender_frame_kind kind;
    fender_planet planet;
    fender_geodetic origin; /* LOCAL */
    fender_local_axes axes; /* LOCAL */
    fender_orbit orbit;     /* ORBIT: of the origin at start_time, an ellipse, in inertial axes (those of F at 0 s) */
} fender_frame;

#define FENDER_DEPTH_OF_SHAPES (-1.0)

typedef struct fender_world_def {
    size_t size; /* of this struct: set by fender_world_def_default */
    fender_gravity gravity;
    fender_oblateness oblateness;
    fender_frame frame;
    fender_integrator_method method;
    double step;               /* s; > 0; of fixed-step methods. It limits adaptive methods only during mass flow */
    double relative_tolerance; /* of adaptive methods and CVODE: local error relative to the motion; 0: 1e-9 */
    double absolute_tolerance; /* m, m/s, and for rotation the same at the radius of gyration; 0: relative_tolerance */
    double start_time;         /* s; one from which a step leads to a later one */
    bool locate_events;        /* steps end at touch, separation, and changes of mode of laws and links */
    double event_tolerance;    /* s; 0: 1e-14 s; at least the resolution of the time. A damped touch located late by dt
                                  loses c dt / m of its speed */
    double depth_limit;        /* m; a contact that is deeper and still penetrating fails the step (INTEGRATOR); 0: no
                                  limit; FENDER_DEPTH_OF_SHAPES: by radii and thicknesses (docs/models/integrators.md) */
    double contact_limit_factor;     /* pairs whose geometry origins are farther apart than this times the sum of their
                                        bounding radii are ignored; 0: no limit */
    fender_vec3 north;               /* W, not 0: north of surface_frame; (0, 0, 0): that of a local frame, else y */
    const fender_registry *registry; /* NULL: the built-in laws; the world holds a reference */
    void *user_data;                 /* for the caller; never read by Fender */
    int threads;                     /* that share the steps of this world; 1: the calling one alone; 0: one per
                                        core; at most 256. Results have the same bits for any number. See below */
    bool
        gravity_gradient; /* bodies feel what their extent makes of the gravity of a point mass or planet, to the second
                             order: a torque 3 mu/r^3 n x J n and its force (docs/models/planets.md); without j2 */
} fender_world_def;
/* With `threads` above 1, fender_world_initialize starts the others, and the end of the world ends them. They sleep but
 * for steps with many contacts or bodies, and receive no signals. Functions of laws (`begin`, too, for contacts on
 * first sight at trial states), of prescribed forces and of user geometries are then called from them at the same time;
 * the allocator, by one thread at a time. The world itself is still used by one thread at a time. If the system gives
 * fewer threads, there are fewer. A process with such worlds must not go on in a child made by fork(). */

/* Defaults: no gravity, inertial frame, RK4, 10 ms, start at 0 s, no range limit. */
FENDER_API fender_world_def fender_world_def_default(void);
FENDER_API fender_world *fender_world_create(const fender_env *env, const fender_world_def *def, fender_error *error);
/* Accepts NULL. Within one of the world's own calls it does nothing. */
FENDER_API void fender_world_destroy(fender_world *world);

/* Checks the world, allocates every array that a step needs and evaluates the initial state, in which contacts may
 * already exist (their begin events have the start time). Required after objects were created. Later steps
 * allocate nothing unless the number of contacts grows. */
FENDER_API fender_status fender_world_initialize(fender_world *world, fender_error *error);
/* Takes one step. On failure the world stays at the last accepted state: NOT_FINITE, or INTEGRATOR if a contact at its
 * start is alone too stiff for it (fender_integrator_stable_step, with the masses of the two bodies), a contact exceeds
 * depth_limit, or no step meets the tolerances. OK does not mean that the step is short enough: several contacts and
 * links together, damping, friction and rolling may need a shorter one. fender_world_stable_step finds the longest for
 * the present state, and the residual of the ledger shows what the steps add (docs/models/integrators.md). */
FENDER_API fender_status fender_world_step(fender_world *world, fender_error *error);
/* Takes `count` steps and keeps the events of all of them. Stops at the first failure. */
FENDER_API fender_status fender_world_advance(fender_world *world, int64_t count, fender_error *error);
/* Takes steps until the time [s] is reached; the last one ends at it, also with fixed-step methods. Keeps the events
 * of all steps. VALUE if the time is in the past. To start_time + n * step, in doubles, a fixed-step method takes the
 * steps of fender_world_advance, with the same bits. */
FENDER_API fender_status fender_world_advance_to(fender_world *world, double time, fender_error *error);

/* ---- steps in parts, for callers that inspect a step before it is accepted ----
 *
 * fender_world_propose finds the end of the next step and changes nothing. fender_world_sample shows the world at a
 * time within the step: every function that reads the committed state then reads that of this time, until the next
 * call of propose, sample or accept. fender_world_accept takes the step: contacts begin and end, laws are updated,
 * events appear.
 *
 * Any other call that changes the world drops the proposal and ends the sample. Hash and snapshot refer to the
 * accepted state and may not be called during a sample. */
typedef struct fender_proposal {
    double start_time, end_time; /* s */
    bool at_event;               /* ends at an event: touch, separation, a change of a law's mode */
    bool at_limit;               /* ends at the requested limit */
    bool ends_step; /* acceptance completes a step: false where a fixed-step method is stopped on its way */
} fender_proposal;
/* Proposes a step that ends at `limit` [s; INFINITY: no limit] at the latest. An adaptive method takes the step that
 * its tolerances allow, a fixed-step method its full step; both end earlier at events (fixed-step: with
 * locate_events). */
FENDER_API fender_status fender_world_propose(fender_world *world, double limit, fender_proposal *proposal,
                                              fender_error *error);
/* Samples at `time` between start_time and end_time of the proposal. Adaptive methods interpolate (dense output),
 * fixed-step methods take a partial step. Contacts are those at the start of the step; what they, links, loads and the
 * ledger have summed up is as of this time. Peaks are those of single contacts up to it, those of pairs of their looks.
 * STATE without a proposal, VALUE outside of it. */
FENDER_API fender_status fender_world_sample(fender_world *world, double time, fender_error *error);
/* The same for the motion of bodies and their parts alone, at a fraction of the cost: what forces decide (contacts,
 * links, loads, accelerations, the ledger) stays that of the accepted state. */
FENDER_API fender_status fender_world_sample_motion(fender_world *world, double time, fender_error *error);
/* Accepts the proposal. On failure (NOT_FINITE) the world stays at the last accepted state. STATE without a
 * proposal. */
FENDER_API fender_status fender_world_accept(fender_world *world, fender_error *error);
/* Drops the proposal and shows the accepted state again. Without a proposal it does nothing. */
FENDER_API void fender_world_discard_proposal(fender_world *world);

FENDER_API double fender_world_time(const fender_world *world);        /* s; start_time + steps * step, or the last time
                                                                          committed by a host plus later steps */
FENDER_API int64_t fender_world_step_count(const fender_world *world); /* accepted steps since initialize */
/* The longest step [s] for which the world's fixed-step method does not amplify small disturbances of the present
 * state. It includes all active contacts, links, friction and rolling with their present modes, and is 7 % below the
 * result of a power iteration on differences of steps. INFINITY if there is no limit up to a million times world.step,
 * or if the method chooses its steps; 0 if none is found down to a millionth of world.step. It costs some thousand
 * evaluations and does not change the state. Not allowed within a call. MEMORY, STATE. */
FENDER_API fender_status fender_world_stable_step(fender_world *world, double *longest, fender_error *error);
/* Number of force evaluations since the world was created, including rejected steps and event location. Snapshots do
 * not restore it. */
FENDER_API int64_t fender_world_evaluation_count(const fender_world *world);
/* With located events: how often since initialize a contact changed modes so often within one step that its modes
 * were frozen until the end of the step; or all modes were frozen because the motion could not continue otherwise.
 * *a, *b (may be NULL): the shapes of the last such contact, 0 for none. The ledger includes its energy as usual. */
FENDER_API int64_t fender_world_freeze_count(const fender_world *world, fender_shape_id *a, fender_shape_id *b);
FENDER_API const fender_world_def *fender_world_get_def(const fender_world *world);
/* Acceleration [m/s^2, W] of a free body at rest at a place [m, W]: gravity, the centrifugal acceleration of a rotating
 * frame, and less that of the origin of a frame in orbit. */
FENDER_API fender_vec3 fender_world_gravity_at(const fender_world *world, fender_vec3 position);
FENDER_API void *fender_world_get_user_data(const fender_world *world);
FENDER_API void fender_world_set_user_data(fender_world *world, void *user_data);
/* Calls `listener` whenever the mass properties of a tree of bodies have been changed by fender_body_set_mass, attach,
 * reattach or detach (once for each of both trees), before that call returns and by its thread; `root` is the root of
 * the tree. It may read the world and use its own data, not change the world. Not called where mass flows or thrusters
 * take from tanks, which change it at every step, nor where a snapshot is restored. NULL: nobody. */
FENDER_API void fender_world_set_mass_listener(fender_world *world,
                                               void (*listener)(void *ctx, fender_world *world, fender_body_id root),
                                               void *ctx);
/* 64-bit hash (FNV-1a) of committed states, contact memory, accumulated quantities and all events so far; NULL: that of
 * nothing, 0xcbf29ce484222325. */
FENDER_API uint64_t fender_world_hash(const fender_world *world);
/* Commands another uniform gravity [m/s^2, W] from now on. The change of the potential energy, which is reckoned from
 * the origin of momentum, is booked as applied. A `stick_speed` or `rest_rate` that is left to the world follows at the
 * next fender_world_initialize. Part of snapshots and of the hash. ARGUMENT in the frame of a planet and with the
 * gravity of a point mass. */
FENDER_API fender_status fender_world_set_gravity(fender_world *world, fender_vec3 gravity, fender_error *error);
/* The present uniform gravity; zero with another kind. */
FENDER_API fender_vec3 fender_world_get_gravity(const fender_world *world);
/* Enables or disables all contacts (JEOD's Contact.active): all end, or begin, immediately, as in
 * fender_shape_set_active. */
FENDER_API fender_status fender_world_set_contacts_active(fender_world *world, bool active);
FENDER_API bool fender_world_get_contacts_active(const fender_world *world);

#endif
