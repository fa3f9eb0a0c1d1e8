/* fender/contact.h - contact types, which define the laws of touching shapes, and contacts. */
#ifndef FENDER_CONTACT_H
#define FENDER_CONTACT_H

#include "geometry.h"
#include "law.h"
#include "load.h"

/* ---- contact types ---- */

/* Forces as a function of time, zero before the first row, linear between rows. */
typedef struct fender_force_table {
    const double *times;       /* s, strictly increasing */
    const double *values;      /* N; per row `columns` normal forces, or 2 * columns friction components: x, y */
    int count;                 /* rows; 0: no table, no force */
    int columns;               /* 1: the same force for every contact; else one per point of a cloud, in order */
    fender_signal_after after; /* after the last row */
} fender_force_table;
/* External forces in the contact frame for the law `input`: functions of time, acting on b while there is a contact.
 * They are the forces of a full contact; a point of a patch receives the fraction of its weight. Either tables,
 * which are copied, or a user function. The function must be pure, because it is also called at trial states. */
typedef struct fender_prescribed_force {
    fender_force_table normal;   /* along z of C; below zero counts as zero */
    fender_force_table friction; /* along x, y of C */
    /* Replaces both tables; *normal and *friction are initially zero. a, b: the shapes; index: point of the
     * cloud. */
    void (*force)(void *ctx, double time, fender_shape_id a, fender_shape_id b, int index, double *normal,
                  fender_vec2 *friction);
    void *ctx;
} fender_prescribed_force;

/* Either `law` (whole), or `normal` and optionally `friction`; in addition optionally `rolling` and `twisting`.
 * Parameters are checked and copied. */
typedef struct fender_contact_type_def {
    size_t size; /* of this struct: set by fender_contact_type_def_default */
    const char *name;
    const fender_law *law, *normal, *friction, *rolling, *twisting;
    const void *law_parameters, *normal_parameters, *friction_parameters, *rolling_parameters, *twisting_parameters;
    const fender_prescribed_force *prescribed_force; /* NULL: none; copied */
    fender_contact_points points;                    /* of faces that meet */
    bool unlocated; /* begin and end are accurate to one step, even if the world locates events */
} fender_contact_type_def;
/* Defaults without laws; the caller sets laws and parameters. */
FENDER_API fender_contact_type_def fender_contact_type_def_default(void);
FENDER_API fender_status fender_contact_type_create(fender_world *world, const fender_contact_type_def *def,
                                                    fender_contact_type_id *id, fender_error *error);
FENDER_API fender_status fender_contact_type_find(const fender_world *world, const char *name,
                                                  fender_contact_type_id *id);
/* Strings and parameters in the definition are borrowed from the world. */
FENDER_API fender_status fender_contact_type_get_def(const fender_world *world, fender_contact_type_id type,
                                                     fender_contact_type_def *def);
/* In order of creation; the null id past the end. */
FENDER_API int fender_contact_type_count(const fender_world *world);
FENDER_API fender_contact_type_id fender_contact_type_at(const fender_world *world, int index);

/* ---- contacts ---- */

/* Error estimates of a contact's values. They include sampling errors (steps, the tolerance of located events,
 * interpolation between accepted states), the rounding of depths more than 64 m from the origin, and integration errors
 * (the contact's residual, the order of the method).
 * In 19 of 20 cases, the error is less than three times the estimate (docs/CONVENTIONS.md). INFINITY: unknown. */
typedef struct fender_contact_errors {
    double begin_time, end_time;          /* s */
    double peak_force, peak_force_time;   /* N, s */
    double peak_depth;                    /* m */
    double impulse;                       /* N s */
    double approach_speed, rebound_speed; /* m/s */
} fender_contact_errors;

/* Feature of the begin and end events of a pair with pair events (fender_contact_data.has_pair_events). */
#define FENDER_FEATURE_PAIR UINT64_MAX

/* Main values of one contact. The force on a is the opposite of that on b. */
typedef struct fender_contact {
    fender_shape_id a, b; /* a was created first */
    fender_contact_type_id type;
    uint64_t feature;
    fender_clock clock;                  /* the requested clock */
    bool touching;                       /* depth > 0 */
    double depth;                        /* m; negative: within the law's activation distance, not touching */
    double depth_rate;                   /* m/s */
    double normal_force, friction_force; /* N; positive pushes b away from a; magnitude of the tangential force */
    fender_vec3 force;                   /* N, W; on b at `point` */
    fender_vec3 torque;                  /* N m, W; on b about `point` */
    fender_vec3 point;                   /* m, W */
    fender_quaternion frame;             /* q_WC; z is the normal, out of a */
    fender_vec2 slip;                    /* m/s, C; b relative to a */
    int mode;                            /* of the law */
    double weight;                       /* fraction of the full stiffness that acts here */
    double begin_time;                   /* s */
    double impulse;                      /* N s; of the normal force since the beginning */
    double peak_force;                   /* N; largest normal force since the beginning */
    double approach_speed;               /* m/s; when first seen */
} fender_contact;
/* Gets a contact by its index in the order of keys, 0 to fender_contact_count - 1; ARGUMENT otherwise. */
FENDER_API fender_status fender_contact_get(const fender_world *world, fender_clock clock, int index,
                                            fender_contact *contact);
typedef enum fender_contact_axes {
    FENDER_CONTACT_AXES_WORLD,
    FENDER_CONTACT_AXES_CONTACT, /* C */
    FENDER_CONTACT_AXES_BODY_A,  /* structure axes of a's body, of b's body */
    FENDER_CONTACT_AXES_BODY_B
} fender_contact_axes;
/* Force [N] and torque about the contact point [N m] on b, in the chosen axes at the contact's clock; zero for a
 * destroyed body. */
FENDER_API fender_vec3 fender_contact_force_in(const fender_world *world, const fender_contact *contact,
                                               fender_contact_axes axes);
FENDER_API fender_vec3 fender_contact_torque_in(const fender_world *world, const fender_contact *contact,
                                                fender_contact_axes axes);

/* All values of one contact, for recorders: a and b are JEOD's subject and target, Simscape's base and follower. */
typedef struct fender_contact_data {
    fender_shape_id a, b;
    fender_contact_type_id type;
    uint64_t feature;
    bool touching;                        /* depth > 0 */
    double depth;                         /* m; negative: within the law's activation distance, not touching */
    double depth_rate;                    /* m/s */
    double separation;                    /* m; -depth */
    double normal_force;                  /* N; along z of C, positive pushes b away from a */
    double friction_force;                /* N; magnitude of the tangential force */
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
    double stored_energy;                 /* J; 0 until the first step of a contact that a command brought */
    int mode;                             /* of the law */
    fender_vec2 stretch;                  /* m, in C; of the friction law's spring, on b; 0 without one */
    fender_vec3 anchor;                   /* m, W; rest position of that spring: point minus the stretch */
    /* On the touched surface (b's if a is a probe, else a's): axes P, the Normal, East and North of its tangent
     * plane, with north from fender_world_def.north; and motion and force of the other shape, relative to the
     * surface. */
    fender_quaternion surface_frame;    /* q_WP */
    fender_vec3 surface_offset;         /* m, P; from the anchor: -depth, then the stretch to the east and north */
    fender_vec3 surface_velocity;       /* m/s, P */
    fender_vec3 surface_force;          /* N, P; on the other shape */
    double weight;                      /* fraction of the full stiffness that acts here; 1 for single contacts, for a
                                           patch 1 in full contact, for a cloud the number of points */
    bool has_pair_events;               /* the pair begins and ends as a whole: fender_contact_between has its events
                                      and history */
    double begin_time;                  /* s */
    double impulse;                     /* N s; integral of the normal force since the beginning */
    fender_vec3 impulse_on_b;           /* N s, W; of the force on b since the beginning; a gets the opposite */
    double peak_force;                  /* N; largest normal force so far, between accepted states too */
    double peak_force_time;             /* s */
    double peak_pull, peak_pull_time;   /* N, s; largest attraction at an accepted state so far, 0 without */
    double peak_depth;                  /* m; largest, likewise */
    double approach_speed;              /* m/s; depth rate when first seen */
    double damping_loss, friction_loss; /* J lost since the beginning */
    double work;                        /* J; done by the contact on both bodies since the beginning (negative while it
                                           is loaded) */
    double residual; /* J; -(work + damping_loss + friction_loss + change of stored_energy): energy that the integration
                        of this contact has lost (negative: gained) */
    double peak_force_error;      /* N; errors.peak_force */
    fender_contact_errors errors; /* estimates for the values so far */
} fender_contact_data;
FENDER_API const fender_field_table *fender_contact_fields(void);

/* Contacts in the order of their keys (shape a, shape b, feature). */
FENDER_API int fender_contact_count(const fender_world *world, fender_clock clock);
FENDER_API fender_status fender_contact_at(const fender_world *world, fender_clock clock, int index,
                                           fender_contact_data *data);
/* Sums over the contacts of a pair, in either order (committed). With several contacts (patches, clouds), forces,
 * powers, energies, impulses and weights are summed; the surface force is the sum, in the surface frame. The peak force
 * is that of the pair with pair events at accepted states, or else the sum of those of all points. Point, torque and
 * the points on the bodies belong to the centre of pressure; frame, slip, spin, mode, stretch, anchor, and the
 * surface's frame, offset and velocity to the deepest contact; depth and depth rate to the deepest point, usually a
 * corner of a patch; times and approach speed to the first and fastest contact. Without contact: touching is false;
 * separation, normal and points are those of the closest approach; all forces are zero. Works for any two shapes with a
 * contact function. */
FENDER_API fender_status fender_contact_between(const fender_world *world, fender_shape_id one, fender_shape_id other,
                                                fender_contact_data *data);

/* Signals of one contact, with base and follower as named by the caller. z of the contact frame points out of the
 * base; the reference frames are the geometry frames. Without contact, all values except the two distances are zero
 * and rotations are the identity. */
typedef struct fender_contact_signals {
    bool contact;               /* true during a contact */
    double penetration_depth;   /* m; 0 while apart */
    double separation_distance; /* m; smallest distance; negative: minus the penetration depth */
    double normal_force;        /* N; magnitude, >= 0 */
    double friction_force;      /* N; magnitude */
    double normal_velocity;     /* m/s; z of the velocity of the follower relative to the base at the contact point,
                                   in the contact frame: positive while they separate */
    fender_vec2 tangential_velocity; /* m/s; x and y of it */
    fender_mat3 base_rotation;       /* transforms vectors from the contact frame to the geometry frame of the base */
    fender_vec3 base_translation;    /* m; contact point in the geometry frame of the base */
    fender_mat3 follower_rotation;   /* the same for the follower */
    fender_vec3 follower_translation;
} fender_contact_signals;
FENDER_API const fender_field_table *fender_contact_signal_fields(void);
/* Signals of any two shapes with a contact function, committed: one for the pair, or one per point of a cloud.
 * *count is their number; at most `capacity` are written. A pair with several contact points (a patch) has one
 * signal: sums of the forces, the least separation, the frame of the deepest contact at the centre of pressure (that
 * of a linear spring if no force acts) and the velocity there. MEMORY is possible for clouds. */
FENDER_API fender_status fender_contact_sense(const fender_world *world, fender_shape_id base, fender_shape_id follower,
                                              fender_contact_signals *signals, int capacity, int *count);
/* Signals of one point of a cloud; index 0 for other pairs. ARGUMENT if there is no such point. */
FENDER_API fender_status fender_contact_sense_point(const fender_world *world, fender_shape_id base,
                                                    fender_shape_id follower, int index,
                                                    fender_contact_signals *signals);

#endif
