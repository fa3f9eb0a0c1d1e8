/* fender/law.h - contact laws: functions of the numbers of one contact. A law knows no bodies, shapes or worlds.
 *
 * Contact frame C: origin at the common point (the middle of the overlap), z out of a toward b. The tangents x and y
 * follow the smallest rotation of z plus the mean spin of both bodies about z. Forces act on b; a gets the opposite. */
#ifndef FENDER_LAW_H
#define FENDER_LAW_H

#include "field.h"

/* Curvature of a surface: principal curvatures [1/m], first >= second, positive for convex, 0 for flat; unit direction
 * of the first in x and y of C. */
typedef struct fender_curvature {
    double first, second;
    fender_vec2 direction;
} fender_curvature;

/* Both surfaces at the contact, for laws that request them (FENDER_LAW_NEEDS_SURFACE). Spheres, capsules, cylinders,
 * cones, disks, ellipsoids and boxes have their exact curvature, including roundings. Planes, hulls, grids and meshes
 * (also at edges and vertices), points without radius, probes and user geometries count as flat, as does the direction
 * across a sharp edge. */
typedef struct fender_contact_surface {
    fender_curvature a, b;        /* of each solid */
    fender_curvature relative;    /* of the gap: the sum of both as tensors */
    double radius;                /* m; effective, 1 / sqrt(first second) of `relative`; INFINITY where either is not
                                     above 0 */
    fender_mat3 R_CA, R_CB;       /* axes of the geometries' frames G, in C: a direction fixed to a is R_CA times it */
    fender_vec3 point_A, point_B; /* m; the common point in the frames G of a and b */
} fender_contact_surface;

/* Input of a law: the state of one contact. */
typedef struct fender_contact_input {
    double time;           /* s */
    double depth;          /* m; > 0 while penetrating, signed */
    double depth_rate;     /* m/s; d(depth)/dt, > 0 while approaching */
    double approach_speed; /* m/s; depth rate at the beginning of the contact, at least 0 */
    fender_vec2 slip;      /* m/s; tangential velocity of b relative to a at the common point, in C */
    fender_vec3 spin;      /* rad/s; angular velocity of b relative to a, in C */
    double normal_force;   /* N; for laws of friction, rolling or twisting: the force of the normal law; else 0 */
    double weight; /* fraction of the full stiffness that acts here, 1 for single contacts. The engine multiplies the
                      output by it; laws must not */
    double area;   /* m^2; tributary area of a point of a patch; 0 for single contacts */
    int index;     /* number of the cloud's point, or of the point in its patch; else 0 */
    const double *states; /* the law's continuous states at this time; NULL without */
    bool located; /* events are located: return the smooth, unclipped continuation of the mode in memory; the roots of
                     the law end the step. Otherwise clip at every state. */
    /* External forces of the contact type (fender_prescribed_force, contact.h), functions of time: the first for normal
     * laws, the second, in C, for friction laws, both for whole laws. 0 without. */
    double prescribed_normal;        /* N; as prescribed, perhaps negative */
    fender_vec2 prescribed_friction; /* N, on b */
    /* NULL for laws that do not request it, and in calls without shapes (advice): assume flat surfaces. Valid during
     * the call. */
    const fender_contact_surface *surface;
} fender_contact_input;

/* Output of a law. Zeroed before the call. */
typedef struct fender_contact_output {
    fender_vec3 force;     /* N, on b at the common point, in C */
    fender_vec3 torque;    /* N m, on b, in C */
    double damping_power;  /* W lost along the normal, >= 0 for a passive law */
    double friction_power; /* W lost in sliding, rolling and spinning, >= 0 */
    double supplied_power; /* W supplied to the bodies from outside the world, of either sign; booked as applied */
    int mode;              /* index into mode_names; 0 without modes */
} fender_contact_output;

/* A connection of two bodies at their present poses. It persists after the end of the contact that created it. With
 * numbers that are not finite it is not made, and the call that accepted the state returns NOT_FINITE. */
typedef enum fender_connection_kind {
    FENDER_CONNECTION_NONE,
    FENDER_CONNECTION_WELD,   /* one body joins the mass tree of the other, as by fender_body_attach */
    FENDER_CONNECTION_BUSHING /* a link between the bodies, at the common point (link.h: spring_damper_6dof) */
} fender_connection_kind;
typedef struct fender_connection {
    int kind;                                       /* fender_connection_kind */
    fender_vec3 stiffness, damping;                 /* N/m, N s/m; of a bushing, along the present axes of C */
    fender_vec3 angular_stiffness, angular_damping; /* N m/rad, N m s/rad; about these axes */
    double limit, angular_limit;                    /* N, N m; a larger force or torque breaks a bushing; 0: no limit */
} fender_connection;

/* Changes that a law may request at an accepted step. Zeroed before the call. */
typedef struct fender_contact_change {
    bool end;  /* ends the contact although the shapes are within the activation distance; no contact begins before they
                  have separated */
    int event; /* 0, or a code (> 0) defined by the law, for the event list */
    double *states; /* the law's continuous states, which may be changed; NULL without */
    /* For laws with FENDER_LAW_CONNECTS. A pair has at most one connection at a time; after it breaks, a contact may
     * create another. Two immovable bodies, and bodies of one tree, cannot be connected. */
    fender_connection connect; /* kind NONE: no connection */
    bool disconnect;           /* removes the pair's bushing; its energy is lost. A weld is not affected (detach) */
} fender_contact_change;

#define FENDER_LAW_ROOT_CAPACITY  4
#define FENDER_LAW_STATE_CAPACITY 6

/* Stiffness and damping of a law at some state, used to check the step. Zeroed before the call. */
typedef struct fender_law_stiffness {
    double normal_stiffness, normal_damping;         /* N/m, N s/m; along z of C */
    double tangential_stiffness, tangential_damping; /* across it */
} fender_law_stiffness;

/* Derivatives of the force and torque of a law with respect to one number of its input, in C. */
typedef struct fender_contact_derivative {
    fender_vec3 force, torque;
} fender_contact_derivative;
/* The numbers of the input by which `derivative` differentiates. */
typedef enum fender_law_variable {
    FENDER_LAW_BY_DEPTH,
    FENDER_LAW_BY_DEPTH_RATE,
    FENDER_LAW_BY_SLIP_X,
    FENDER_LAW_BY_SLIP_Y,
    FENDER_LAW_BY_SPIN_X,
    FENDER_LAW_BY_SPIN_Y,
    FENDER_LAW_BY_SPIN_Z,
    FENDER_LAW_BY_NORMAL_FORCE,
    FENDER_LAW_BY_APPROACH_SPEED
} fender_law_variable;
#define FENDER_LAW_VARIABLE_COUNT 9

/* Derives a parameter from design targets (sizing.h). */
struct fender_sizing_spec;
typedef struct fender_derivation {
    const char *parameter; /* name of the field; NULL ends a table */
    const char *from;      /* members of fender_sizing_spec, separated by spaces; optional ones end in a question mark:
                              "restitution mass speed?" */
    const char *doc;       /* the equation: "k = weight / sink" */
    /* Returns the value. The members in `from` are specified; `parameters` contains the given parameters, and derived
     * ones that precede this one. NaN if no value meets the targets. */
    double (*value)(const void *parameters, const struct fender_sizing_spec *spec);
} fender_derivation;

typedef enum fender_law_kind {
    FENDER_LAW_WHOLE = 1,    /* computes the whole force; allowed under `law:` */
    FENDER_LAW_NORMAL = 2,   /* allowed under `normal:`, also with a friction law */
    FENDER_LAW_FRICTION = 4, /* allowed under `friction:`; reads normal_force, sets tangential force and torque */
    /* Allowed under `rolling:` or `twisting:`, also beside a whole law. They read normal_force and set only the
     * torque; any force is ignored. Their losses count as friction. */
    FENDER_LAW_ROLLING = 8,  /* against spin.x, spin.y: resistance to rolling */
    FENDER_LAW_TWISTING = 16 /* against spin.z */
} fender_law_kind;

/* Optional features of a law, or-ed. */
enum {
    FENDER_LAW_NEEDS_SURFACE = 1,
    FENDER_LAW_ACTS_APART = 4, /* it acts between touch and its release distance, with a jump or a kink at touch: of a
                                  patch on a plane, area that touches and area that does not have points of their own */
    FENDER_LAW_CONNECTS = 2 /* its update may connect the bodies: each of its pairs has a link BODY_SHAPE__BODY_SHAPE,
                               without force until then, made by fender_world_initialize, or once a rule gives the
                               law to the pair */
};

/* A contact law. `force` is pure: it may be called on any thread, at trial states, any number of times. `begin`,
 * `update`, `end` are called after a step was accepted, in the order of the contacts' keys, on the calling
 * thread. `memory` is memory_size bytes owned by the engine, zeroed before begin and constant during a step.
 * NULL functions are skipped; only `force` is required. */
typedef struct fender_law {
    uint32_t size;  /* sizeof(fender_law), which identifies older laws; new members are added only at the end */
    uint32_t kinds; /* fender_law_kind, or-ed */
    const char *name;
    const char *doc; /* one sentence */
    fender_field_table parameters;
    size_t memory_size;
    const char *const *mode_names; /* NULL-ended; NULL: no modes */
    /* Whole-object checks beyond the ranges of the table. */
    fender_status (*check)(const void *parameters, fender_error *error);
    /* Separation at which a contact begins before touch, and up to which it persists after touch [m, >= 0]. NULL: 0. */
    void (*activation_distance)(const void *parameters, double *onset_gap, double *release_gap);
    void (*begin)(const void *parameters, const fender_contact_input *in, void *memory);
    void (*force)(const void *parameters, const fender_contact_input *in, const void *memory,
                  fender_contact_output *out);
    void (*update)(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                   void *memory, fender_contact_change *change);
    void (*end)(const void *parameters, const fender_contact_input *last, void *memory);
    /* Recoverable energy of the contact [J]. Without this function, that energy appears in the residual of the ledger
     * until it is recovered. Steps are refused (NOT_FINITE) whose energies are not finite. */
    double (*stored_energy)(const void *parameters, const fender_contact_input *in, const void *memory);
    /* Functions that are positive as long as the frozen mode is valid. Their changes of sign are located in time, and
     * update is called there to change the mode. Called only if in->located is set. */
    int root_count; /* at most FENDER_LAW_ROOT_CAPACITY */
    void (*roots)(const void *parameters, const fender_contact_input *in, const void *memory, double *root);
    /* Stiffness and damping of the force at this state, for the step warnings. */
    void (*stiffness)(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out);
    /* Continuous states, integrated with the bodies: state_count numbers per contact, at most
     * FENDER_LAW_STATE_CAPACITY, zero when a contact begins. Vectors among them are in C, which rotates with the
     * contact. For a point of a patch, states are means over its area, and area that it gains contributes zeros;
     * otherwise the engine does not change them. */
    int state_count;
    void (*state_rates)(const void *parameters, const fender_contact_input *in, const void *memory, double *rates);
    /* Stretch of the tangential spring of a friction law [m, in C, on b]: the contact point minus the anchor. NULL: the
     * law has no such spring. */
    fender_vec2 (*stretch)(const void *parameters, const fender_contact_input *in, const void *memory);
    const fender_derivation *derivations; /* parameters that can be derived from design targets; may be NULL */
    uint32_t needs;                       /* FENDER_LAW_NEEDS_SURFACE, _ACTS_APART, _CONNECTS, or-ed */
    /* Derivatives of what `force` answers to the same input, by fender_law_variable, for sensitivities along a run
     * (tangent.h). `by` is zeroed before the call. For laws without continuous states, whose force does not depend on
     * how x and y of C lie about z, and is continuous where a root changes sign. NULL: not available. */
    void (*derivative)(const void *parameters, const fender_contact_input *in, const void *memory,
                       fender_contact_derivative by[FENDER_LAW_VARIABLE_COUNT]);
    /* The exponent n >= 1 of a law whose stored energy is proportional to depth^(n + 1), and whose normal force at rest
     * to depth^n: patches then have the force, torque and energy of an elastic foundation of that law without error
     * (docs/models/contact_patches.md). NULL: it is no power of the depth; patches then integrate it as a linear one.
     */
    double (*exponent)(const void *parameters);
    /* Of a law with FENDER_LAW_NEEDS_SURFACE: does it read in->surface with these parameters? A contact type whose laws
     * do not is evaluated faster, several contacts at once. NULL: always. */
    bool (*reads_surface)(const void *parameters);
} fender_law;

/* Fills memory of `size` bytes with the default parameters of a law. ARGUMENT if it is too small. */
FENDER_API fender_status fender_law_parameters_default(const fender_law *law, void *parameters, size_t size,
                                                       fender_error *error);
/* Sets a parameter [SI] by its name; a component of a vector as in "axis.x". NAME if the law has no such parameter,
 * with the known names; ARGUMENT if the memory is too small. Ranges are checked when the parameters are used. */
FENDER_API fender_status fender_law_parameters_set(const fender_law *law, void *parameters, size_t size,
                                                   const char *name, double value, fender_error *error);

/* A registry contains laws: the built-in ones and user-defined ones. It may be shared between worlds and must not
 * change while one of them is used. References are counted atomically; scenarios and worlds hold a reference to their
 * registry. */
FENDER_API fender_registry *fender_registry_create(const fender_env *env, fender_error *error);
/* Creates a registry that contains all laws of `base` (NULL: the built-in laws). It holds a reference to `base`, which
 * must not change afterwards. */
FENDER_API fender_registry *fender_registry_extend(const fender_env *env, const fender_registry *base,
                                                   fender_error *error);
FENDER_API fender_registry *fender_registry_retain(const fender_registry *registry); /* accepts NULL */
FENDER_API void fender_registry_destroy(fender_registry *registry); /* releases a reference; accepts NULL */
/* Adds a law, which must live as long as the registry. A law that was compiled with an older fender/law.h (a smaller
 * `size`) is copied, and its missing members are zero; fender_law_find returns the copy. NAME if the name exists,
 * ARGUMENT if the law is incomplete or compiled with a newer fender/law.h. */
FENDER_API fender_status fender_registry_add_law(fender_registry *registry, const fender_law *law, fender_error *error);
/* Find a law by name or by index: built-in laws first, then in the order in which they were added. registry NULL: the
 * built-in laws. NULL if there is none. */
FENDER_API const fender_law *fender_law_find(const fender_registry *registry, const char *name);
FENDER_API const fender_law *fender_law_at(const fender_registry *registry, int index);

#endif
