/* fender/advice.h - requirements of contacts on the step: stiffness, frequency and largest stable step of contact
 * types and pairs, before a run. `fender check` and `fender run` base their warnings on it. Library fender_io.
 * Functions read worlds and definitions and change nothing; one thread for each world. */
#ifndef FENDER_ADVICE_H
#define FENDER_ADVICE_H

#include "io.h"

/* ---- a contact type ---- */

typedef struct fender_step_advice {
    bool known;       /* false: the law does not tell its stiffness, or nothing can move */
    double mass;      /* kg; reduced mass of the pair */
    double stiffness; /* N/m; along the normal */
    double damping;   /* N*s/m; of laws with a restitution that of an impact that goes as deep as `depth` */
    double frequency; /* Hz; undamped */
    double
        contact_time; /* s; half a damped period, undamped where a restitution is asked for; infinite when overdamped */
    double damping_ratio;  /* 1 is critical */
    double largest_step;   /* s; the method is stable below it */
    bool depends_on_depth; /* the stiffness is that at `depth` */
    double depth;          /* m */
} fender_step_advice;

/* For a contact of two bodies of this reduced mass [kg; infinite: immovable]. */
FENDER_API fender_step_advice fender_advise_step(const fender_contact_type_def *type, double mass,
                                                 fender_integrator_method method);
/* 1 / (1/ma + 1/mb), from the motion and mass of two bodies; infinite when neither is moved by forces. */
FENDER_API double fender_pair_reduced_mass(const fender_world *world, fender_body_id a, fender_body_id b);
/* Eigenvalues of a symmetric matrix in rising order. */
FENDER_API fender_vec3 fender_principal_moments(const fender_mat3 *inertia);

/* ---- one contact of a known stiffness and damping ---- */

/* A force k d + c d', or k d^n (1 + D d') where `power`. NaN: not known. */
typedef struct fender_contact_sizing {
    bool power;          /* Hunt and Crossley's */
    bool clipped;        /* the linear one never pulls */
    double exponent;     /* n; 1 for the linear one */
    double stiffness;    /* N/m^n */
    double damping;      /* c [N*s/m], or D [s/m] */
    double mass, weight; /* kg, N; what the contact carries */
    double speed;        /* m/s; of an impact */
    fender_integrator_method method;
    bool located; /* events are located */
    double error; /* 1; relative error of an impact that a step may make */
} fender_contact_sizing;

/* Properties of such a contact; NaN where data are missing. */
typedef struct fender_contact_figures {
    double damping_ratio, restitution;
    double static_sink;             /* m; under the weight */
    double natural_frequency;       /* Hz; of a power of the depth at the deepest point */
    double contact_time;            /* s; of an impact */
    double peak_depth, peak_force;  /* m, N; of an impact with the speed */
    double largest_step, good_step; /* s; the method is stable below; makes less than the error */
} fender_contact_figures;
FENDER_API fender_contact_figures fender_contact_figures_of(const fender_contact_sizing *sizing);

/* ---- friction ---- */

/* Friction of a pair under a load. */
typedef struct fender_friction_advice {
    bool known;          /* false: no friction that has a stiffness or a damping at that load, or nothing moves */
    double load;         /* N; on the contact */
    double mass;         /* kg; effective across the normal, at most */
    double stiffness;    /* N/m */
    double damping;      /* N*s/m */
    double largest_step; /* s; the method is stable below it */
} fender_friction_advice;

/* 1/kg; of a body that is pushed sideways at the outermost point of its shape: 1/m + the turning. 0: not moved. */
FENDER_API double fender_sideways_mobility(const fender_world *world, fender_shape_id shape);
/* N; of the reduced mass under uniform or central gravity. */
FENDER_API double fender_contact_weight(const fender_world *world, fender_shape_id shape, double reduced_mass);
/* N; what the pair carries at rest under uniform or central gravity, or else when it meets with its speed at the start,
 * whichever is more. */
FENDER_API double fender_contact_load(const fender_world *world, fender_shape_id a, fender_shape_id b,
                                      double reduced_mass, double stiffness);
/* `mobility` [1/kg]: the sum of both bodies'. */
FENDER_API fender_friction_advice fender_advise_friction(const fender_contact_type_def *type, double load,
                                                         double mobility, fender_integrator_method method);

/* m/s; *stick_speed: that of the type. Below the result the step does not resolve the rotation of the sliding
 * direction, at the rate mu_kinetic N / (m v): slower sliding oscillates and does not come to stick. For laws with a
 * `stick_speed`, under uniform gravity; 0: no such bound. */
FENDER_API double fender_advise_stick_speed(const fender_world *world, const fender_contact_type_def *type,
                                            double *stick_speed);

/* ---- a pair of shapes ---- */

typedef struct fender_pair_advice {
    bool known;            /* false: nothing can move, or nothing pushes: then mass and full_* alone may be known */
    double mass;           /* kg; reduced mass of the pair */
    double load;           /* N; fender_contact_load at this stiffness; 0: none is known */
    double depth;          /* m; under the load; 1 mm without */
    double stiffness;      /* N/m; dN/dd of all points of the contact there, with their weights */
    double frequency;      /* Hz; undamped, of the mass on it */
    double full_stiffness; /* N/m; of the law there, as if all of the face were down; 0: not known */
    double full_frequency; /* Hz */
    double stable_step;    /* s; of all that the law does at rest under the weight on what stands: damping, friction,
                              rolling; INFINITY: there is no weight, no limit, or the method chooses its steps */
} fender_pair_advice;

/* The shapes are moved along their normal until they touch, in a world of their own, and pressed together. */
FENDER_API fender_pair_advice fender_advise_pair(const fender_world *world, fender_shape_id a, fender_shape_id b,
                                                 const fender_contact_type_def *type);
/* Its body is fixed or prescribed, or attached to one that is. */
FENDER_API bool fender_shape_stands(const fender_world *world, fender_shape_id shape);

/* ---- all pairs of a world ---- */

/* The number of pairs is quadratic: beyond this many shapes (12 million pairs, a second), pairs are not examined one
 * by one. */
enum { FENDER_ADVICE_SHAPES = 5000 };
/* So many pairs that may touch are shown one by one. */
enum { FENDER_ADVICE_PAIRS = 20 };

/* How a contact type is used. */
typedef struct fender_type_use {
    fender_contact_type_def type;
    int64_t pairs;               /* that may touch by it */
    fender_shape_id lightest[2]; /* the pair of least reduced mass */
    fender_step_advice advice;   /* for that pair */
    fender_shape_id resting[2];  /* of those with a shape that stands, the pair of least reduced mass */
    double resting_mass;         /* kg; 0: there is none */
    double resting_step;         /* s; below which that pair is stable at rest; INFINITY: as of fender_pair_advice */
    bool step_too_long;          /* for advice.largest_step */
    bool step_too_long_at_rest;  /* for resting_step */
    double sideways;             /* N/kg; the largest load times mobility of its pairs */
    double mobility, load;       /* 1/kg, N; of that pair */
    fender_shape_id slippery[2]; /* that pair */
    fender_friction_advice friction;
    bool friction_too_stiff; /* for the step */
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
    bool pairs_counted; /* false: more shapes than are looked at in pairs */
    int64_t reasons[FENDER_PAIR_NO_STATE + 1];
    fender_pair_use pairs[FENDER_ADVICE_PAIRS]; /* the first that may touch */
    int pair_count;
    double *mobility; /* 1/kg; by shape, sideways */
    size_t mobility_size;
    double proposed_step;       /* s; of the types for which the step is too long, the shortest; 0: there are none */
    fender_shape_id fastest[2]; /* of the pairs that approach at the start, the one that crosses its smaller body in the
                                   shortest time */
    double crossing_time;       /* s; infinite: none approaches */
    fender_allocator allocator; /* private */
} fender_world_advice;

/* Examines the pairs of an initialized world; strings and parameters of the types belong to the world. MEMORY;
 * nothing must be released then. */
FENDER_API fender_status fender_world_advise(const fender_world *world, const fender_env *env,
                                             fender_world_advice *advice);
FENDER_API void fender_world_advice_release(fender_world_advice *advice);
/* s; fender_world_stable_step (`world` is one of the scenario) of what touches and links at the start; INFINITY:
 * nothing does, or it is not known. The scenario is built anew, only where it has links or contacts. */
FENDER_API double fender_scenario_stable_step(const fender_scenario *scenario, const fender_env *env,
                                              const fender_world *world);

#endif
