/* fender/law.h - contact laws: functions of the numbers of one contact. A law knows no bodies, shapes or worlds.
 *
 * Contact frame C: origin at the common point (middle of the overlap), z out of the a toward b, x and
 * y tangents that turn by the least rotation of z plus the mean spin of both bodies about z. Forces are those on b; a
 * gets the opposite. */
#ifndef FENDER_LAW_H
#define FENDER_LAW_H

#include "field.h"

/* How a surface is curved: principal curvatures [1/m], first >= second, positive where it bulges, 0 where it is flat;
 * direction of the first, unit, in x and y of C. */
typedef struct fender_curvature {
    double first, second;
    fender_vec2 direction;
} fender_curvature;

/* Both surfaces where they touch, for laws that ask (FENDER_LAW_NEEDS_SURFACE). Spheres, capsules, cylinders, cones,
 * disks, ellipsoids and boxes are curved as they are, roundings included. Flat are planes, the faces of hulls, grids
 * and meshes with their edges and vertices, points without radius, probes and user geometries; a sharp edge counts as
 * flat across. */
typedef struct fender_contact_surface {
    fender_curvature a, b;        /* of each, as a solid */
    fender_curvature relative;    /* of the gap between them: the sum of both as tensors */
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
    double approach_speed; /* m/s; depth rate when the contact was first seen, at least 0 */
    fender_vec2 slip;      /* m/s; tangential velocity of b relative to a at the common point, in C */
    fender_vec3 spin;      /* rad/s; angular velocity of b relative to a, in C */
    double normal_force;   /* N; for a law of friction, rolling or twisting: what the normal law gave; 0 for others */
    double weight; /* part of the full stiffness that acts here, 1 for single contacts. The engine multiplies what the
                      law gives by it: laws do not */
    double area;   /* m^2; tributary area of a point of a patch; 0 for single contacts */
    int index;     /* number of the cloud's point, or of the point in its patch; else 0 */
    const double *states; /* the law's continuous states at this time; NULL without */
    bool located; /* events are located: give the smooth continuation of the mode that memory holds, unclipped; your
                     roots end the step. Otherwise clip at every state. */
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
    double supplied_power; /* W that the bodies get from outside the world, of either sign: booked as applied */
    int mode;              /* index into mode_names; 0 without modes */
} fender_contact_output;

/* A connection of two bodies at their present poses. It outlives the contact that made it. */
typedef enum fender_connection_kind {
    FENDER_CONNECTION_NONE,
    FENDER_CONNECTION_WELD,   /* one body becomes a part of the other's mass tree, as by fender_body_attach */
    FENDER_CONNECTION_BUSHING /* a link between the bodies, at the common point (link.h: spring_damper_6dof) */
} fender_connection_kind;
typedef struct fender_connection {
    int kind;                                       /* fender_connection_kind */
    fender_vec3 stiffness, damping;                 /* N/m, N s/m; of a bushing, along the axes of C of now */
    fender_vec3 angular_stiffness, angular_damping; /* N m/rad, N m s/rad; about them */
    double limit, angular_limit; /* N, N m; a larger force or torque breaks a bushing; 0: none does */
} fender_connection;

/* Changes that a law may request at an accepted step. Zeroed before the call. */
typedef struct fender_contact_change {
    bool end; /* ends the contact although the shapes are within the activation distance; it stays ended until they have
                 separated */
    int event;      /* 0, or a code of the law's own (> 0) that appears in the event list */
    double *states; /* the law's continuous states: may be changed; NULL without */
    /* For laws with FENDER_LAW_CONNECTS. A pair has at most one connection at a time; after it is broken, a contact
     * may make another. Two immovable bodies, and bodies of one tree, cannot be connected. */
    fender_connection connect; /* kind NONE: none is made */
    bool disconnect;           /* the pair's bushing is let go, and what it holds is lost; a weld stays (detach) */
} fender_contact_change;

#define FENDER_LAW_ROOT_CAPACITY  4
#define FENDER_LAW_STATE_CAPACITY 6

/* Stiffness and damping of a law at some state, used to check the step. Zeroed before the call. */
typedef struct fender_law_stiffness {
    double normal_stiffness, normal_damping;         /* N/m, N s/m; along z of C */
    double tangential_stiffness, tangential_damping; /* across it */
} fender_law_stiffness;

/* Derives a parameter from design targets (sizing.h). */
struct fender_sizing_spec;
typedef struct fender_derivation {
    const char *parameter; /* name of the field; NULL ends a table */
    const char *from;      /* members of fender_sizing_spec by spaces, those that may be missing with a question mark:
                              "restitution mass speed?" */
    const char *doc;       /* the relation: "k = weight / sink" */
    /* The value; members that `from` needs are there, `parameters` holds what is given, and derived fields that
     * stand before this one. NaN when nothing does what is wanted. */
    double (*value)(const void *parameters, const struct fender_sizing_spec *spec);
} fender_derivation;

typedef enum fender_law_kind {
    FENDER_LAW_WHOLE = 1,    /* gives the whole force; may stand under `law:` */
    FENDER_LAW_NORMAL = 2,   /* may stand under `normal:` beside a friction law */
    FENDER_LAW_FRICTION = 4, /* may stand under `friction:`; sees normal_force, gives tangential force and torque */
    /* Allowed under `rolling:` or `twisting:`, also beside a whole law. They read normal_force and set only the
     * torque; their force is ignored. Their losses count as friction. */
    FENDER_LAW_ROLLING = 8,  /* against spin.x, spin.y: resistance to rolling */
    FENDER_LAW_TWISTING = 16 /* against spin.z */
} fender_law_kind;

/* Optional features of a law, or-ed. */
enum {
    FENDER_LAW_NEEDS_SURFACE = 1,
    FENDER_LAW_CONNECTS = 2 /* its update may connect the bodies: each pair that it rules gets a link, without force
                               until then, named BODY_SHAPE__BODY_SHAPE */
};

/* A contact law. `force` is pure: it may be called on any thread, at trial states, any number of times. `begin`,
 * `update`, `end` are called after a step was accepted, in the order of the contacts' keys, on the calling
 * thread. `memory` is memory_size bytes owned by the engine, zeroed before begin and constant during a step.
 * NULL functions are skipped; only `force` is required. */
typedef struct fender_law {
    uint32_t size;  /* sizeof(fender_law): tells older laws from newer; new members are added at the end alone */
    uint32_t kinds; /* fender_law_kind, or-ed */
    const char *name;
    const char *doc; /* one sentence */
    fender_field_table parameters;
    size_t memory_size;
    const char *const *mode_names; /* NULL-ended; NULL: no modes */
    /* Whole-object checks beyond the ranges of the table. */
    fender_status (*check)(const void *parameters, fender_error *error);
    /* Gap before touch at which a contact begins, and after touch until which it lives [m, >= 0]; both 0 without it. */
    void (*activation_distance)(const void *parameters, double *onset_gap, double *release_gap);
    void (*begin)(const void *parameters, const fender_contact_input *in, void *memory);
    void (*force)(const void *parameters, const fender_contact_input *in, const void *memory,
                  fender_contact_output *out);
    void (*update)(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                   void *memory, fender_contact_change *change);
    void (*end)(const void *parameters, const fender_contact_input *last, void *memory);
    /* Energy that the contact would give back [J]. Without it the ledger cannot see what the contact holds: it shows as
     * residual until it is given back. */
    double (*stored_energy)(const void *parameters, const fender_contact_input *in, const void *memory);
    /* Functions that are positive while the frozen mode lasts; their change of sign is found in time, and update is
     * called there to switch. Called with in->located set only. */
    int root_count; /* at most FENDER_LAW_ROOT_CAPACITY */
    void (*roots)(const void *parameters, const fender_contact_input *in, const void *memory, double *root);
    /* Of the force at this state, for the warning about the step. */
    void (*stiffness)(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out);
    /* Continuous states, integrated with the bodies: state_count numbers per contact, at most
     * FENDER_LAW_STATE_CAPACITY, zero when a contact begins. Vectors among them are in C, which turns with the contact:
     * the engine adds nothing, but for a point of a patch, of which they are the mean over its area: area that it gains
     * comes with zeros. */
    int state_count;
    void (*state_rates)(const void *parameters, const fender_contact_input *in, const void *memory, double *rates);
    /* How far the tangential spring of a friction law is stretched [m, in C, on b]: the anchor, at which it began, lies
     * that far behind the contact point. NULL: the law has none. */
    fender_vec2 (*stretch)(const void *parameters, const fender_contact_input *in, const void *memory);
    const fender_derivation *derivations; /* how parameters follow from what is wanted; may be NULL */
    uint32_t needs;                       /* FENDER_LAW_NEEDS_..., or-ed; laws that ask for nothing pay nothing */
} fender_law;

/* Fills memory of `size` bytes with the parameters that a law has by default; ARGUMENT if it is too small. */
FENDER_API fender_status fender_law_parameters_default(const fender_law *law, void *parameters, size_t size,
                                                       fender_error *error);
/* Sets one of them [SI] by its name, components of vectors as in "axis.x". NAME, with the names that there are, for one
 * that the law does not have; ARGUMENT for memory that is too small. Ranges are checked where the parameters are used.
 */
FENDER_API fender_status fender_law_parameters_set(const fender_law *law, void *parameters, size_t size,
                                                   const char *name, double value, fender_error *error);

/* A registry holds law types: the built-in ones and a user's own. Fill it, then share it between worlds; it must not
 * change while one of them is used. References are counted atomically; scenarios and worlds hold those that they are
 * made with. */
FENDER_API fender_registry *fender_registry_create(const fender_env *env, fender_error *error);
/* One that begins with all the laws of `base` (NULL: the built-in ones), which it holds and which must not change any
 * more. */
FENDER_API fender_registry *fender_registry_extend(const fender_env *env, const fender_registry *base,
                                                   fender_error *error);
FENDER_API fender_registry *fender_registry_retain(const fender_registry *registry); /* NULL is fine, for both */
FENDER_API void fender_registry_destroy(fender_registry *registry);                  /* drops a reference */
/* The law must live as long as the registry; one that was compiled against an older fender/law.h (a smaller `size`) is
 * copied, and members that it does not know are zero: ask fender_law_find for the copy. NAME when taken, ARGUMENT when
 * incomplete or of a newer fender/law.h. */
FENDER_API fender_status fender_registry_add_law(fender_registry *registry, const fender_law *law, fender_error *error);
/* registry NULL: the built-in laws. Return NULL when there is none. Laws come in the order of their adding, built-in
 * first. */
FENDER_API const fender_law *fender_law_find(const fender_registry *registry, const char *name);
FENDER_API const fender_law *fender_law_at(const fender_registry *registry, int index);

#endif
