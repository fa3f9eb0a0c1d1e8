/* fender/link.h - links: springs and dampers between mass points of two bodies.
 *
 * A link pulls and pushes with an equal and opposite wrench at one common point, so that linear and angular momentum of
 * the pair are kept. While both ends are in one mass tree it is an internal force: it moves nothing, but keeps the
 * energy that it holds. Between two immovable bodies it does nothing. Links outlive contacts, attachments and
 * detachments. Names are one name space. */
#ifndef FENDER_LINK_H
#define FENDER_LINK_H

#include "mass_tree.h"

typedef enum fender_link_law {
    FENDER_LINK_SPRING_DAMPER,     /* along the line between the points: fender_link_spring_damper */
    FENDER_LINK_SPRING_DAMPER_6DOF /* a bushing: fender_link_spring_damper_6dof */
} fender_link_law;

typedef enum fender_link_acts { FENDER_LINK_BOTH, FENDER_LINK_PUSH, FENDER_LINK_PULL } fender_link_acts;

/* Spring k (l0 - l) and damper -c dl/dt along the line from a to b. While the points coincide, that line is the x axis
 * of point a. A link that acts one way only has no force on the other side of its free length (a separation spring
 * lies against its seat, a tether is slack), and its damper never turns the force round: what the spring gives up then
 * without pushing is lost in the damper. */
typedef struct fender_link_spring_damper {
    double stiffness;          /* N/m; k >= 0 */
    double damping;            /* N s/m; c >= 0 */
    double free_length;        /* m; l0 >= 0 */
    int acts;                  /* fender_link_acts */
    bool spent_at_free_length; /* acts one way: once loaded and at its free length again, it never acts any more */
    double limit;              /* N; a larger force, either way, breaks it for good; INFINITY: none */
} fender_link_spring_damper;

/* Three translational and three rotational springs and dampers along the axes of point a. Displacement: of point b in
 * the frame of a, less free_position. Rotation: the rotation vector that takes the unloaded axes of b to the present
 * ones, in axes of a; below half a turn. The wrench acts at point b; it follows from the energy
 * sum(k d^2 + kr r^2) / 2, so that the springs lose nothing. */
typedef struct fender_link_spring_damper_6dof {
    fender_vec3 stiffness;         /* N/m; >= 0 */
    fender_vec3 damping;           /* N s/m; >= 0 */
    fender_vec3 angular_stiffness; /* N m/rad; >= 0 */
    fender_vec3 angular_damping;   /* N m s/rad; >= 0 */
    fender_vec3 free_position;     /* m; of point b in the frame of a while unloaded */
    bool facing;  /* unloaded, the x axes face each other and the z axes agree, as when docked; else all agree */
    double limit; /* N; a larger force breaks it for good; INFINITY: none */
    double angular_limit; /* N m; INFINITY: none */
} fender_link_spring_damper_6dof;

/* "spring_damper"; NULL past the end. */
FENDER_API const char *fender_link_law_name(fender_link_law law);
/* One sentence; NULL past the end. */
FENDER_API const char *fender_link_law_doc(fender_link_law law);
/* Describes the parameters of a law; NULL past the end. */
FENDER_API const fender_field_table *fender_link_law_parameters(fender_link_law law);

typedef struct fender_link_def {
    const char *name;
    fender_point_id a, b; /* of two bodies */
    fender_link_law law;
    const void *parameters; /* of the law; copied */
    bool active;
} fender_link_def;
/* Spring and damper, no points, no parameters, active. */
FENDER_API fender_link_def fender_link_def_default(void);
/* Refused: a name malformed or taken, points of one body (ARGUMENT), parameters outside their ranges, a link that may
 * be spent but acts both ways (VALUE). The world has to be initialized again. */
FENDER_API fender_status fender_link_create(fender_world *world, const fender_link_def *def, fender_link_id *id,
                                            fender_error *error);
FENDER_API fender_status fender_link_find(const fender_world *world, const char *name, fender_link_id *id);
FENDER_API int fender_link_count(const fender_world *world);
/* In order of creation; the null id past the end. */
FENDER_API fender_link_id fender_link_at(const fender_world *world, int index);
/* NULL for a stale id. Lives as long as the world. */
FENDER_API const char *fender_link_name(const fender_world *world, fender_link_id link);
/* Texts and parameters in it are borrowed; `active` is the present one. */
FENDER_API fender_status fender_link_get_def(const fender_world *world, fender_link_id link, fender_link_def *def);
/* Takes effect at once. The energy that it then holds, or held until then, is booked as applied. A link that is spent
 * or broken stays so. */
FENDER_API fender_status fender_link_set_active(fender_world *world, fender_link_id link, bool active);

/* What can be read of a link. */
typedef struct fender_link_data {
    bool active;              /* switched on */
    bool spent, broken;       /* for good */
    bool acting;              /* active, neither spent nor broken, its ends in two trees that have states, one of them
                                 dynamic */
    double length;            /* m; distance of the points */
    double rate;              /* m/s; of the length */
    double force;             /* N; spring_damper: positive pushes the ends apart; bushing: size of the force */
    double torque;            /* N m; size; 0 of a spring_damper */
    fender_vec3 displacement; /* m, in axes of point a; bushing */
    fender_vec3 rotation;     /* rad, in axes of point a; bushing */
    fender_vec3 force_on_b;   /* N, W; at point b; a gets the opposite at the same point */
    fender_vec3 torque_on_b;  /* N m, W; about point b */
    double stored_energy;     /* J */
    double damping_power;     /* W lost */
    double damping_loss;      /* J lost so far, with what a break set free */
    double peak_force;        /* N; largest size of the force at accepted states */
    double peak_force_time;   /* s */
} fender_link_data;
FENDER_API const fender_field_table *fender_link_fields(void);
/* STATE before fender_world_initialize. */
FENDER_API fender_status fender_link_get(const fender_world *world, fender_link_id link, fender_clock clock,
                                         fender_link_data *data);

#endif
