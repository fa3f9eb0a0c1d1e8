/* fender/link.h - links: springs, struts, tethers and latches between mass points of two bodies.
 *
 * A link pulls and pushes with an equal and opposite wrench at one common point, so that linear and angular momentum of
 * the pair are kept. While both ends are in one mass tree it is an internal force: it moves nothing, but keeps the
 * energy that it holds. Between two immovable bodies it does nothing. Links outlive contacts, attachments and
 * detachments. Names are one name space. */
#ifndef FENDER_LINK_H
#define FENDER_LINK_H

#include "field.h"
#include "world.h"

typedef enum fender_link_law {
    FENDER_LINK_SPRING_DAMPER,      /* along the line between the points: fender_link_spring_damper */
    FENDER_LINK_SPRING_DAMPER_6DOF, /* a bushing: fender_link_spring_damper_6dof */
    FENDER_LINK_TETHER,             /* holds and never pushes: fender_link_tether */
    FENDER_LINK_SEPARATION_SPRING,  /* pushes once: fender_link_separation_spring */
    FENDER_LINK_STRUT,              /* a leg: fender_link_strut */
    FENDER_LINK_LATCH,              /* catches and then holds as a bushing: fender_link_latch */
    FENDER_LINK_CONTACT_LAW         /* the law of a contact type between two points: fender_link_contact_law */
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

/* Slack up to its length, then a spring and a damper that pull. */
typedef struct fender_link_tether {
    double length;    /* m; from which on it is taut; >= 0 */
    double stiffness; /* N/m; while taut; >= 0 */
    double damping;   /* N s/m; while taut; never turns the pull into a push; >= 0 */
    double limit;     /* N; a larger force breaks it for good; INFINITY: none */
} fender_link_tether;

/* Pushes its ends apart over its stroke and is spent where that ends: force on the way, with the length l,
 * end_force + (preload - end_force) (free_length - l) / stroke. The energy of the stroke is
 * (preload + end_force) stroke / 2. Pressed deeper than its stroke it goes on along the same line. */
typedef struct fender_link_separation_spring {
    double free_length; /* m; where the stroke ends; >= 0 */
    double stroke;      /* m; > 0 */
    double preload;     /* N; force while pressed by the whole stroke; > 0 */
    double end_force;   /* N; force just before it is spent; 0 to preload */
    double damping;     /* N s/m; never turns the push into a pull; >= 0 */
} fender_link_separation_spring;

/* A telescoping leg. With the compression x = free_length - length and u, the part of the stroke that is crushed for
 * good:
 *   core    y = x - u: preload + stiffness y (or the curve of the def in place of stiffness y) from y = 0 on; below, it
 *           leaves its seat: preload + stop_stiffness y down to 0. It only pushes.
 *   crush   the core bears no more than crush_force: u grows instead (honeycomb), until crush_stroke is used up
 *   damper  damping dx/dt: compression_damping while shortening, extension_damping while lengthening; beside the core
 *   stops   stop_stiffness beside all that, for x < 0 and x > stroke
 * Positive pushes the ends apart. */
typedef struct fender_link_strut {
    double free_length;         /* m; extended; >= 0 */
    double stiffness;           /* N/m; of the core; >= 0 */
    double preload;             /* N; of the core at y = 0; >= 0; needs a stop_stiffness */
    double compression_damping; /* N s/m; >= 0 */
    double extension_damping;   /* N s/m; >= 0 */
    double stroke;              /* m; > 0; INFINITY: no stop; else it needs a stop_stiffness */
    double stop_stiffness;      /* N/m; of both end stops; >= 0 */
    double crush_force;         /* N; above the preload; INFINITY: nothing crushes */
    double crush_stroke;        /* m; > 0; how much can be crushed; INFINITY: all */
    double limit;               /* N; a larger force, either way, breaks it for good; INFINITY: none */
} fender_link_strut;

/* Open until, at an accepted state, point b is within `distance` of point a, its axes are within `angle` of being
 * aligned and the points move against each other by no more than `speed`. Then (event "capture") it holds them where it
 * caught them: a bushing without load there, with these stiffnesses, dampings and limits. Switching it off opens it,
 * switching it on arms it again. */
typedef struct fender_link_latch {
    double distance;               /* m; > 0 */
    double angle;                  /* rad; INFINITY: any attitude */
    double speed;                  /* m/s; INFINITY: any */
    fender_vec3 stiffness;         /* N/m, along the axes of point a; >= 0 */
    fender_vec3 damping;           /* N s/m; >= 0 */
    fender_vec3 angular_stiffness; /* N m/rad; >= 0 */
    fender_vec3 angular_damping;   /* N m s/rad; >= 0 */
    bool facing;          /* aligned: x axes face each other and z axes agree, as when docked; else all axes agree */
    double limit;         /* N; a larger force breaks it for good; INFINITY: none */
    double angular_limit; /* N m; INFINITY: none */
} fender_link_latch;

/* The law of a contact type (`use` of the def; whole or normal, a user's own too) along the line: its depth is
 * free_length - length (push) or length - free_length (pull), its normal force pushes or pulls. It begins, is updated
 * and ends as a contact's does, with a memory of the link's own; slip and spin are zero. Refused are contact types with
 * friction, rolling or twisting, with provided forces, and laws with continuous states or that remember more than 256
 * bytes. Laws that ask for surfaces are shown none: give them a radius. */
typedef struct fender_link_contact_law {
    double free_length; /* m; where the depth is 0; >= 0 */
    int acts;           /* fender_link_acts: PUSH or PULL */
    double limit;       /* N; a larger force, either way, breaks it for good; INFINITY: none */
} fender_link_contact_law;

/* "spring_damper"; NULL past the end. */
FENDER_API const char *fender_link_law_name(fender_link_law law);
/* One sentence; NULL past the end. */
FENDER_API const char *fender_link_law_doc(fender_link_law law);
/* Describes the parameters of a law; NULL past the end. */
FENDER_API const fender_field_table *fender_link_law_parameters(fender_link_law law);

typedef struct fender_link_def {
    size_t size; /* of this struct: set by fender_link_def_default */
    const char *name;
    fender_point_id a, b; /* of two bodies */
    fender_link_law law;
    const void *parameters; /* of the law; copied */
    bool active;
    const fender_vec2 *curve; /* strut: compressions [m] and forces [N] of the core's spring in place of its stiffness,
                                 straight between them and on beyond the last; from 0 m on, compressions rising, forces
                                 not falling; at least 2, at most FENDER_LINK_CURVE_CAPACITY; copied */
    int curve_count;
    fender_contact_type_id use; /* contact_law: whose law; else null */
    void *user_data;
} fender_link_def;
enum { FENDER_LINK_CURVE_CAPACITY = 64 };
/* Spring and damper, no points, no parameters, active. */
FENDER_API fender_link_def fender_link_def_default(void);
/* What fender_link_create would refuse of law, parameters and curve; it also looks at `use`. */
FENDER_API fender_status fender_link_check(const fender_link_def *def, fender_error *error);
/* Refused: a name malformed or taken, points of one body, a law without parameters (ARGUMENT); parameters outside their
 * ranges or that contradict each other, such as a link that may be spent but acts both ways (VALUE, path = the field).
 * The world has to be initialized again. */
FENDER_API fender_status fender_link_create(fender_world *world, const fender_link_def *def, fender_link_id *id,
                                            fender_error *error);
FENDER_API fender_status fender_link_find(const fender_world *world, const char *name, fender_link_id *id);
FENDER_API int fender_link_count(const fender_world *world);
/* In order of creation; the null id past the end. */
FENDER_API fender_link_id fender_link_at(const fender_world *world, int index);
/* What it holds is booked as applied. Needs fender_world_initialize before the next step; a link that a law has made
 * comes back then, not yet acting. */
FENDER_API fender_status fender_link_destroy(fender_world *world, fender_link_id link, fender_error *error);
FENDER_API void *fender_link_get_user_data(const fender_world *world, fender_link_id link); /* NULL for a stale id */
FENDER_API fender_status fender_link_set_user_data(fender_world *world, fender_link_id link, void *user_data);
/* NULL for a stale id. Lives as long as the link. */
FENDER_API const char *fender_link_name(const fender_world *world, fender_link_id link);
/* Texts and parameters in it are borrowed; `active` is the present one. */
FENDER_API fender_status fender_link_get_def(const fender_world *world, fender_link_id link, fender_link_def *def);
/* Takes effect at once. The energy that it then holds, or held until then, is booked as applied. A link that is spent
 * or broken stays so; a latch is open afterwards, what is crushed stays crushed. */
FENDER_API fender_status fender_link_set_active(fender_world *world, fender_link_id link, bool active);

/* State of a link. */
typedef struct fender_link_data {
    bool active;              /* switched on */
    bool spent, broken;       /* for good */
    bool acting;              /* active, neither spent nor broken, its ends in two trees that have states, one of them
                                 dynamic */
    double length;            /* m; distance of the points */
    double rate;              /* m/s; of the length */
    double force;             /* N; along the line: positive pushes the ends apart; bushing, latch: size of the force */
    double torque;            /* N m; size; 0 of what acts along the line */
    fender_vec3 displacement; /* m, in axes of point a; bushing, latch (from where it caught) */
    fender_vec3 rotation;     /* rad, in axes of point a; bushing, latch */
    fender_vec3 force_on_b;   /* N, W; at point b; a gets the opposite at the same point */
    fender_vec3 torque_on_b;  /* N m, W; about point b */
    double stored_energy;     /* J */
    double damping_power;     /* W lost */
    double damping_loss;      /* J lost so far, with what a break set free */
    double peak_force;        /* N; largest size of the force at accepted states */
    double peak_force_time;   /* s */
    bool captured;            /* latch: it holds */
    double crushed;           /* m; strut: used up for good */
    double crush_loss;        /* J; strut: lost in that, crush_force times it; part of damping_loss */
    double depth;             /* m; contact_law: as its law sees it */
    int mode;                 /* contact_law: of its law */
} fender_link_data;
FENDER_API const fender_field_table *fender_link_fields(void);
/* STATE before fender_world_initialize. */
FENDER_API fender_status fender_link_get(const fender_world *world, fender_link_id link, fender_clock clock,
                                         fender_link_data *data);

#endif
