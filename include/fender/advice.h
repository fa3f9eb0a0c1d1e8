/* fender/advice.h - requirements of contacts on the step: stiffness, frequency and largest stable step of contact
 * types and pairs, before a run. `fender check` and `fender run` base their warnings on it. Library fender_io.
 * Functions read worlds and definitions and change nothing; one thread for each world. */
#ifndef FENDER_ADVICE_H
#define FENDER_ADVICE_H

#include "io.h"

/* ---- a contact type ---- */

typedef struct fender_step_advice {
    bool known;            /* false: the law does not tell its stiffness, or nothing can move */
    double mass;           /* kg; reduced mass of the pair */
    double stiffness;      /* N/m; along the normal */
    double damping;        /* N*s/m; for laws with a restitution, that of an impact with the peak depth `depth` */
    double frequency;      /* Hz; undamped */
    double contact_time;   /* s; half a damped period, undamped for laws with a restitution; infinite if overdamped */
    double damping_ratio;  /* 1 is critical */
    double largest_step;   /* s; the method is stable below it */
    bool depends_on_depth; /* the stiffness is that at `depth` */
    double depth;          /* m */
} fender_step_advice;

/* Advice for a contact of two bodies with this reduced mass [kg; infinite: immovable]. */
FENDER_API fender_step_advice fender_advise_step(const fender_contact_type_def *type, double mass,
                                                 fender_integrator_method method);
/* Reduced mass 1 / (1/ma + 1/mb) [kg] of two bodies; infinite if neither is dynamic. */
FENDER_API double fender_pair_reduced_mass(const fender_world *world, fender_body_id a, fender_body_id b);
/* Eigenvalues of a symmetric matrix, in ascending order. */
FENDER_API fender_vec3 fender_principal_moments(const fender_mat3 *inertia);

/* ---- one contact of a known stiffness and damping ---- */

/* A force k d + c d', or k d^n (1 + D d') if `power` is set. NaN: unknown. */
typedef struct fender_contact_sizing {
    bool power;          /* Hunt and Crossley's */
    bool clipped;        /* the linear force never attracts */
    double exponent;     /* n; 1 for the linear force */
    double stiffness;    /* N/m^n */
    double damping;      /* c [N*s/m], or D [s/m] */
    double mass, weight; /* kg, N; carried by the contact */
    double speed;        /* m/s; of an impact */
    fender_integrator_method method;
    bool located; /* events are located */
    double error; /* 1; relative error of an impact that a step may make */
} fender_contact_sizing;

/* Properties of such a contact; NaN where data are missing. With `power`, steps are for the spring and the damper at
 * the peak depth, and for the damper at touch. */
typedef struct fender_contact_figures {
    double damping_ratio, restitution;
    double static_sink;             /* m; under the weight */
    double natural_frequency;       /* Hz; with `power`, at the peak depth */
    double contact_time;            /* s; of the force of an impact: a damper may use it up before the shapes part; with
                                     * `power`, without damping */
    double peak_depth, peak_force;  /* m, N; of an impact with the speed */
    double largest_step, good_step; /* s; stability limit of the method; step that keeps the error */
} fender_contact_figures;
FENDER_API fender_contact_figures fender_contact_figures_of(const fender_contact_sizing *sizing);

/* ---- friction ---- */

/* Friction of a pair under a load. */
typedef struct fender_friction_advice {
    bool known;          /* false: no friction with stiffness or damping at that load, or no body can move */
    double load;         /* N; on the contact */
    double mass;         /* kg; upper bound of the effective mass across the normal */
    double stiffness;    /* N/m */
    double damping;      /* N*s/m */
    double largest_step; /* s; the method is stable below it */
} fender_friction_advice;

/* Mobility [1/kg] of a body that is pushed sideways at the outermost point of its shape: 1/m plus the contribution of
 * rotation. 0 for an immovable body. */
FENDER_API double fender_sideways_mobility(const fender_world *world, fender_shape_id shape);
/* Weight [N] of the reduced mass under uniform or central gravity. */
FENDER_API double fender_contact_weight(const fender_world *world, fender_shape_id shape, double reduced_mass);
/* Load [N] of a pair: its weight at rest under uniform or central gravity, or the force of an impact at the initial
 * speed, whichever is larger. */
FENDER_API double fender_contact_load(const fender_world *world, fender_shape_id a, fender_shape_id b,
                                      double reduced_mass, double stiffness);
/* Advice for friction. `mobility` [1/kg] is the sum of that of both bodies. */
FENDER_API fender_friction_advice fender_advise_friction(const fender_contact_type_def *type, double load,
                                                         double mobility, fender_integrator_method method);

/* m/s; *stick_speed: that of the type. Below the result the step does not resolve the rotation of the sliding
 * direction, at the rate mu_kinetic N / (m v): slower sliding oscillates and does not come to stick. For laws with a
 * `stick_speed`, under uniform gravity; 0: no such bound. */
FENDER_API double fender_advise_stick_speed(const fender_world *world, const fender_contact_type_def *type,
                                            double *stick_speed);

/* ---- a pair of shapes ---- */

typedef struct fender_pair_advice {
    bool known;            /* false: no body can move, or no force acts; then only mass and full_* may be known */
    double mass;           /* kg; reduced mass of the pair */
    double load;           /* N; fender_contact_load at this stiffness; 0: unknown */
    double depth;          /* m; under the load; 1 mm without load */
    double stiffness;      /* N/m; dN/dd at that depth, over all points of the contact with their weights */
    double frequency;      /* Hz; undamped, of the mass on this stiffness */
    double full_stiffness; /* N/m; of the law at that depth, for full contact of the face; 0: unknown */
    double full_frequency; /* Hz */
    double stable_step;    /* s; at rest under the weight on an immovable body, with damping, friction and rolling;
                              INFINITY: no weight, no limit, or the method chooses its steps */
} fender_pair_advice;

/* Advice for a pair. In a separate world, the shapes are moved along their normal until they touch, and pressed
 * together. */
FENDER_API fender_pair_advice fender_advise_pair(const fender_world *world, fender_shape_id a, fender_shape_id b,
                                                 const fender_contact_type_def *type);
/* True if the body of the shape is fixed or prescribed, or attached to such a body. */
FENDER_API bool fender_shape_stands(const fender_world *world, fender_shape_id shape);
/* True if both shapes are grids or open meshes of one body and touch along a border, as tiles of one terrain do: at
 * least two points of one lie on the other. The seam is an edge of both, at which solids are pushed and probes lose the
 * ground. */
FENDER_API bool fender_shapes_adjoin(const fender_world *world, fender_shape_id a, fender_shape_id b);
/* True if both shapes are boxes or hulls of one body, without rounding, that meet along a line in the plane of a face:
 * two boxes of one floor. A sphere, ellipsoid or capsule over that line touches both and has the force of two. */
FENDER_API bool fender_shapes_flush(const fender_world *world, fender_shape_id a, fender_shape_id b);

/* ---- all pairs of a world ---- */

/* The number of pairs is quadratic: beyond this many shapes (12 million pairs), pairs are not examined one
 * by one. */
enum { FENDER_ADVICE_SHAPES = 5000 };
/* Number of pairs that are listed individually. */
enum { FENDER_ADVICE_PAIRS = 20 };

/* How a contact type is used. */
typedef struct fender_type_use {
    fender_contact_type_def type;
    int64_t pairs;               /* number of pairs that may touch with this type */
    fender_shape_id lightest[2]; /* the pair with the smallest reduced mass */
    fender_step_advice advice;   /* for the lightest pair */
    fender_shape_id resting[2];  /* the pair with the smallest reduced mass and an immovable body */
    double resting_mass;         /* kg; reduced mass of the resting pair; 0: no such pair */
    double resting_step;         /* s; stable step of the resting pair at rest; INFINITY: as in fender_pair_advice */
    bool step_too_long;          /* the step exceeds advice.largest_step */
    bool step_too_long_at_rest;  /* the step exceeds resting_step */
    double sideways;             /* N/kg; largest product of load and mobility of its pairs */
    double mobility, load;       /* 1/kg, N; of the pair with that product */
    fender_shape_id slippery[2]; /* the pair with that product */
    fender_friction_advice friction;
    bool friction_too_stiff; /* the step exceeds friction.largest_step */
    /* Friction with an `amplitude`, whose deflection decays in the time amplitude / speed: of the first pairs that
     * touch or approach, the one that slides fastest at the start. */
    fender_shape_id sliding[2];
    double sliding_speed, sliding_step; /* m/s; s, longest stable step, INFINITY: no limit */
    bool slides_too_fast;               /* the step exceeds sliding_step */
} fender_type_use;

typedef struct fender_pair_use {
    fender_shape_id a, b;
    int use; /* index into the uses */
} fender_pair_use;

typedef struct fender_world_advice {
    const fender_world *world;
    fender_type_use *uses; /* by contact type */
    size_t uses_size;
    int use_count;
    bool pairs_counted; /* false: more than FENDER_ADVICE_SHAPES shapes, so that pairs were not examined */
    int64_t reasons[FENDER_PAIR_REASON_COUNT];
    fender_pair_use pairs[FENDER_ADVICE_PAIRS]; /* the first pairs that may touch */
    int pair_count;
    double proposed_step;       /* s; shortest step of the types for which the step is too long; 0: none */
    fender_shape_id fastest[2]; /* the pair that, at its initial speed, crosses its smaller body in the shortest time */
    double crossing_time;       /* s; infinite: no pair approaches */
    fender_allocator allocator; /* private */
} fender_world_advice;

/* Examines the pairs of an initialized world; strings and parameters of the types belong to the world. MEMORY;
 * nothing must be released then. */
FENDER_API fender_status fender_world_advise(const fender_world *world, const fender_env *env,
                                             fender_world_advice *advice);
FENDER_API void fender_world_advice_release(fender_world_advice *advice);
/* Stable step [s] of the contacts and links at the start (fender_world_stable_step). `world` is a world of the
 * scenario; a second world is built if there are links or contacts. INFINITY if there are none, or the step is unknown.
 */
FENDER_API double fender_scenario_stable_step(const fender_scenario *scenario, const fender_env *env,
                                              const fender_world *world);

#endif
