/* fender/link.h - links: springs, struts, tethers and latches between points of two bodies.
 *
 * A link applies opposite wrenches at one common point, so that linear and angular momentum of the pair are
 * conserved. While both ends are in one mass tree its force is internal: it has no effect on motion, but keeps its
 * energy. Between two immovable bodies it does nothing. Links persist through contacts, attachments and detachments.
 * Names are one name space. */
#ifndef FENDER_LINK_H
#define FENDER_LINK_H

#include "field.h"
#include "world.h"

typedef enum fender_link_law {
    FENDER_LINK_SPRING_DAMPER,      /* along the line between the points: fender_link_spring_damper */
    FENDER_LINK_SPRING_DAMPER_6DOF, /* a bushing: fender_link_spring_damper_6dof */
    FENDER_LINK_TETHER,             /* pulls and never pushes: fender_link_tether */
    FENDER_LINK_SEPARATION_SPRING,  /* pushes once: fender_link_separation_spring */
    FENDER_LINK_STRUT,              /* a leg: fender_link_strut */
    FENDER_LINK_LATCH,              /* captures and then acts as a bushing: fender_link_latch */
    FENDER_LINK_CONTACT_LAW,        /* the law of a contact type between two points: fender_link_contact_law */
    FENDER_LINK_ACTUATOR,           /* a linear actuator: fender_link_actuator */
    FENDER_LINK_ELECTROMAGNET,      /* attracts: fender_link_electromagnet */
    FENDER_LINK_FRICTION            /* the friction of a contact type, of a guide or a hinge: fender_link_friction */
} fender_link_law;

typedef enum fender_link_acts { FENDER_LINK_BOTH, FENDER_LINK_PUSH, FENDER_LINK_PULL } fender_link_acts;

/* Spring k (l0 - l) and damper -c dl/dt along the line from a to b. While the points coincide, that line is the x
 * axis of point a; for links that push there, up to 1e5 units of rounding of their coordinates, but a thousandth of the
 * free length at most, or 16 units if these are more. A one-way link has no force on the other side of its free length
 * (a separation spring lies against its seat, a tether is slack), and its damper never reverses the force: energy that
 * the spring then gives up is lost in the damper. */
typedef struct fender_link_spring_damper {
    double stiffness;          /* N/m; k >= 0 */
    double damping;            /* N s/m; c >= 0 */
    double free_length;        /* m; l0 >= 0 */
    int acts;                  /* fender_link_acts */
    bool spent_at_free_length; /* one-way: after it was loaded and has returned to its free length, it never acts again
                                */
    double limit;              /* N; a larger force, either way, breaks it for good; INFINITY: none */
} fender_link_spring_damper;

/* Three translational and three rotational springs and dampers along the axes of point a. Displacement: of point b
 * in the frame of a, minus free_position. Rotation: the rotation vector from the unloaded axes of b to the present
 * ones, in axes of a; below half a turn. The wrench acts at point b and is the gradient of the energy sum(k d^2 + kr
 * r^2) / 2, so that the springs conserve energy. With an angular stiffness of 0 about exactly one axis it is a hinge:
 * the springs and dampers across act on the tilt between both free axes, at any turn about them. */
typedef struct fender_link_spring_damper_6dof {
    fender_vec3 stiffness;         /* N/m; >= 0 */
    fender_vec3 damping;           /* N s/m; >= 0 */
    fender_vec3 angular_stiffness; /* N m/rad; >= 0 */
    fender_vec3 angular_damping;   /* N m s/rad; >= 0 */
    fender_vec3 free_position;     /* m; of point b in the frame of a while unloaded */
    bool facing;  /* unloaded, the x axes are opposite and the z axes equal, as when docked; else all axes are equal */
    double limit; /* N; a larger force breaks it permanently; INFINITY: none */
    double angular_limit; /* N m; INFINITY: none */
} fender_link_spring_damper_6dof;

/* Slack up to its length, then a spring and a damper that only pull. */
typedef struct fender_link_tether {
    double length;    /* m; beyond which it is taut; >= 0 */
    double stiffness; /* N/m; while taut; >= 0 */
    double damping;   /* N s/m; while taut; never reverses the force; >= 0 */
    double limit;     /* N; a larger force breaks it permanently; INFINITY: none */
} fender_link_tether;

/* Pushes its ends apart over its stroke and is then spent. Its force at length l is end_force + (preload -
 * end_force) (free_length - l) / stroke, its energy (preload + end_force) stroke / 2. Compressed beyond its stroke
 * it follows the same line. */
typedef struct fender_link_separation_spring {
    double free_length; /* m; where the stroke ends; >= 0 */
    double stroke;      /* m; > 0 */
    double preload;     /* N; force while fully compressed; > 0 */
    double end_force;   /* N; force just before it is spent; 0 to preload */
    double damping;     /* N s/m; never reverses the force; >= 0 */
} fender_link_separation_spring;

/* A telescoping leg. With the compression x = free_length - length and the permanently crushed length u:
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
    double crush_force;         /* N; above the preload; INFINITY: it does not crush */
    double crush_stroke;        /* m; > 0; length that can be crushed; INFINITY: all */
    double limit;               /* N; a larger force, either way, breaks it for good; INFINITY: none */
} fender_link_strut;

/* Open until, at an accepted state, point b is within `distance` of point a, its axes are within `angle` of
 * alignment and the relative speed of the points is at most `speed`. Then (event "capture") it is a bushing,
 * unloaded at the present pose, with these stiffnesses, dampings and limits. With a pull_rate or a pull_angular_rate,
 * its unloaded pose moves from there to the aligned one, the points in one place; the work of doing so is motor_work,
 * and the event "latched" says that it is there. Switching it off opens it, switching it on arms it again. */
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
    double pull_rate;     /* m/s; >= 0; 0: its unloaded position stays where it captured */
    double pull_angular_rate; /* rad/s; >= 0; 0: so does its unloaded attitude */
} fender_link_latch;

/* The law of a contact type (`use` of the def; whole or normal, also user-defined) along the line: its depth is
 * free_length - length (push) or length - free_length (pull), and its normal force pushes or pulls. It begins, is
 * updated and ends like that of a contact, with its own memory and continuous states; slip and spin are zero. Refused
 * are contact types with friction (see fender_link_friction), rolling or twisting, with external forces, and laws with
 * more than 256 bytes of memory. Laws that use surfaces need a radius. */
typedef struct fender_link_contact_law {
    double free_length; /* m; where the depth is 0; >= 0 */
    int acts;           /* fender_link_acts: PUSH or PULL */
    double limit;       /* N; a larger force, either way, breaks it for good; INFINITY: none */
} fender_link_contact_law;

typedef enum fender_friction_motion {
    FENDER_FRICTION_LINE, /* the length changes: a strut in its guide */
    FENDER_FRICTION_AXIS, /* point b moves along the x axis of point a: a slider on a rail */
    FENDER_FRICTION_HINGE /* b turns about the x axis of point a: a pin in its bearing */
} fender_friction_motion;

/* The friction law of a contact type (`use` of the def; with motion HINGE its twisting law, too) of one motion, with
 * any law of the registry, its memory and its continuous states. The law gets the slip [m/s] along the direction as
 * slip.x, and the load; its force acts along the direction at point b (LINE: at both points). HINGE: the slip is arm
 * times the spin about the axis, the torque arm times the force; a twisting law gets the spin as spin.z. The link has
 * no force across, which other links have to provide. All that is lost counts as damping of links. */
typedef struct fender_link_friction {
    int motion;    /* fender_friction_motion */
    double load;   /* N; normal force; >= 0; INFINITY: that of the normal law of the type at this depth, at rest */
    double depth;  /* m; >= 0; of the surfaces, for the normal law and for laws that follow from it, such as mindlin */
    double radius; /* m; > 0; of the gap between both surfaces, for such laws; INFINITY: flat */
    double arm;    /* m; >= 0; radius at which the friction of a hinge acts */
} fender_link_friction;

typedef enum fender_actuator_mode {
    FENDER_ACTUATOR_LENGTH, /* its length follows a commanded one, at rate_limit */
    FENDER_ACTUATOR_RATE,   /* it moves at a commanded rate */
    FENDER_ACTUATOR_FORCE,  /* it exerts a commanded force, at any length */
    FENDER_ACTUATOR_FREE    /* its motor is off */
} fender_actuator_mode;

/* A linear actuator along the line from a to b: a motor with the length s, which the commands move, and the servo
 * stiffness k (s - l) and damping c (ds/dt - dl/dt) about it. Between commands s is a closed form of time: a ramp at
 * the commanded rate, which ends at its target or at the end of the stroke. force_limit          a larger k (s - l),
 * either way, makes it slip: s yields, and the force stays at the limit. What it is driven back by is lost; what it
 * then still pushes is work of the motor. Not with back_drive: false brake                while locked, s stands, and
 * yields to more than this force back_drive_friction  while free, the motor gives no force, and resists with this one
 *   stops                stop_stiffness beside all that, for lengths outside the stroke
 * Commands beyond the stroke and the limits of rate and force go as far as those. */
typedef struct fender_link_actuator {
    int mode;                   /* fender_actuator_mode at the start; a command changes it */
    double length;              /* m; where its motor stands at the start; within the stroke */
    double rate;                /* m/s; at the start, in mode RATE */
    double force;               /* N; at the start, in mode FORCE; positive pushes the ends apart */
    double stiffness;           /* N/m; of the servo and of the brake; > 0 in mode LENGTH and with the brake on */
    double damping;             /* N s/m; of the servo; >= 0; mode RATE needs it or a stiffness */
    double rate_limit;          /* m/s; > 0; INFINITY: a commanded length is there at once */
    double stroke_min;          /* m; >= 0 */
    double stroke_max;          /* m; above stroke_min; INFINITY: none */
    double stop_stiffness;      /* N/m; > 0 where the stroke has ends above 0 m */
    double force_limit;         /* N; > 0; INFINITY: none */
    bool back_drive;            /* false: it holds against any force */
    bool locked;                /* at the start */
    double brake;               /* N; >= 0; INFINITY: the brake holds against any force */
    double back_drive_friction; /* N; >= 0 */
    double limit;               /* N; a larger force, either way, breaks it for good; INFINITY: none */
} fender_link_actuator;

/* Attracts along the line with K i^2 / (l + d0)^2 at the length l and the current i, up to its range. Its energy,
 * -K i^2 (1 / (l + d0) - 1 / (range + d0)), is stored energy. Either K and d0 are given, or the force at l = 0 and
 * current_limit, and the length at which it is half as large. Eddy currents resist with damping (i / current_limit)^2
 * (d0 / (l + d0))^2 dl/dt. */
typedef struct fender_link_electromagnet {
    double constant;      /* N m^2/A^2; K; 0: by holding_force */
    double offset;        /* m; d0; 0: by half_distance */
    double holding_force; /* N; at l = 0 and current_limit; 0: by K */
    double half_distance; /* m; 0: by d0 */
    double range;         /* m; > 0; INFINITY: none */
    double current;       /* A; at the start */
    double current_limit; /* A; > 0; a larger command goes as far */
    double damping;       /* N s/m; of eddy currents at l = 0 and current_limit; >= 0 */
} fender_link_electromagnet;

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
    const fender_vec2 *curve; /* strut: compressions [m] and forces [N] of the core's spring instead of its stiffness,
                                 linear between them and beyond the last; starting at 0 m, compressions increasing,
                                 forces not decreasing; at least 2, at most FENDER_LINK_CURVE_CAPACITY; copied */
    int curve_count;
    fender_contact_type_id use; /* contact_law, friction: whose laws; else null */
    void *user_data;
} fender_link_def;
enum { FENDER_LINK_CURVE_CAPACITY = 64 };
/* Spring and damper, no points, no parameters, active. */
FENDER_API fender_link_def fender_link_def_default(void);
/* Checks law, parameters and curve as fender_link_create does, including `use`. */
FENDER_API fender_status fender_link_check(const fender_link_def *def, fender_error *error);
/* Creates a link. Refused are: a name malformed or taken, points of one body, a law without parameters (ARGUMENT);
 * parameters outside their ranges or in contradiction, such as a link that may be spent but acts both ways (VALUE,
 * path = the field). The world must be initialized again. */
FENDER_API fender_status fender_link_create(fender_world *world, const fender_link_def *def, fender_link_id *id,
                                            fender_error *error);
FENDER_API fender_status fender_link_find(const fender_world *world, const char *name, fender_link_id *id);
FENDER_API int fender_link_count(const fender_world *world);
/* In order of creation; the null id past the end. */
FENDER_API fender_link_id fender_link_at(const fender_world *world, int index);
/* Destroys a link; its energy is booked as applied. Call fender_world_initialize before the next step; a link made
 * by a law is then created again, inactive. */
FENDER_API fender_status fender_link_destroy(fender_world *world, fender_link_id link, fender_error *error);
FENDER_API void *fender_link_get_user_data(const fender_world *world, fender_link_id link); /* NULL for a stale id */
FENDER_API fender_status fender_link_set_user_data(fender_world *world, fender_link_id link, void *user_data);
/* NULL for a stale id. Lives as long as the link. */
FENDER_API const char *fender_link_name(const fender_world *world, fender_link_id link);
/* Strings and parameters in the definition are borrowed; `active` is the present value. */
FENDER_API fender_status fender_link_get_def(const fender_world *world, fender_link_id link, fender_link_def *def);
/* Switches a link. Takes effect immediately; its energy is booked as applied. A spent or broken link stays so; a
 * latch is open afterwards, and crushed material stays crushed. */
FENDER_API fender_status fender_link_set_active(fender_world *world, fender_link_id link, bool active);

/* ---- Commands
 *
 * A command takes effect at the last accepted state, also while a host has set another state to be tried: the rates of
 * that state are then those with the command. It ends a motion that was commanded before. A jump of the stored energy
 * is booked as applied; so is the power of an end that moves. Commands are part of snapshots and of the hash. */

/* The free length (`length` of a tether) jumps to a length of 0 m or more. Links: spring_damper, tether,
 * separation_spring, strut, contact_law; others: ARGUMENT. An actuator moves there at its rate_limit (mode LENGTH).
 * VALUE: an actuator without stiffness, here and with the brake; with a rate also one without damping. */
FENDER_API fender_status fender_link_set_length(fender_world *world, fender_link_id link, double length,
                                                fender_error *error);
/* From now on the free length changes at this rate [m/s] until it is `target` (event "arrive"); INFINITY: no target,
 * but it is never below 0 m (event "limit"). Spring, damper and stops follow the moving end as if it were in series
 * with them: force * rate is its power. A rate of 0 stops it. VALUE: a target on the other side. */
FENDER_API fender_status fender_link_set_rate(fender_world *world, fender_link_id link, double rate, double target,
                                              fender_error *error);
/* actuator: mode FORCE with this force [N], positive pushes the ends apart. Another command then goes on from the same
 * force. */
FENDER_API fender_status fender_link_set_force(fender_world *world, fender_link_id link, double force,
                                               fender_error *error);
/* actuator: mode FREE. */
FENDER_API fender_status fender_link_set_free(fender_world *world, fender_link_id link, fender_error *error);
/* actuator: its brake. Released, it goes on with its last command. */
FENDER_API fender_status fender_link_set_locked(fender_world *world, fender_link_id link, bool locked,
                                                fender_error *error);
/* electromagnet: its current [A]. The change of its energy is booked as applied. */
FENDER_API fender_status fender_link_set_current(fender_world *world, fender_link_id link, double current,
                                                 fender_error *error);
/* Changes a real parameter of the law, "stiffness", or a component of a vector, "stiffness.x". The free length is set
 * as by fender_link_set_length. Refused: parameters of other types, unknown ones (ARGUMENT), values that
 * fender_link_create refuses, of an actuator for its present mode and brake (VALUE), and the crush_force of a strut
 * that has crushed (STATE). */
FENDER_API fender_status fender_link_set_parameter(fender_world *world, fender_link_id link, const char *name,
                                                   double value, fender_error *error);

/* State of a link. */
typedef struct fender_link_data {
    bool active;              /* switched on */
    bool spent, broken;       /* permanently */
    bool acting;              /* active, not spent or broken, and its ends are in two trees with states, one of them
                                 dynamic */
    double length;            /* m; distance of the points */
    double rate;              /* m/s; of the length */
    double force;             /* N; along the line: positive pushes the ends apart; bushing, latch: magnitude; friction:
                                 on b, along its direction; of a hinge at its arm */
    double torque;            /* N m; magnitude; 0 for links along a line */
    fender_vec3 displacement; /* m, in axes of point a; bushing, latch (since its capture) */
    fender_vec3 rotation;     /* rad, in axes of point a; bushing, latch */
    fender_vec3 force_on_b;   /* N, W; at point b; a gets the opposite at the same point */
    fender_vec3 torque_on_b;  /* N m, W; about point b */
    double stored_energy;     /* J */
    double damping_power;     /* W lost */
    double damping_loss;      /* J lost so far, including the energy released by a break */
    double peak_force;        /* N; largest magnitude of the force; with fixed steps, at accepted states */
    double peak_force_time;   /* s */
    bool captured;            /* latch: true while it holds */
    double crushed;           /* m; strut: crushed length */
    double crush_loss;        /* J; strut: crush_force * crushed; part of damping_loss */
    double depth;             /* m; contact_law, friction: depth in its law */
    int mode;                 /* contact_law, friction: mode of its law; actuator: fender_actuator_mode */
    double free_length;       /* m; present free length of laws that have one */
    double free_rate;         /* m/s; its rate */
    double command;           /* last command: m (length), m/s (rate), N (force), A (current) */
    double motor_power;       /* W; of the moving end: force * free_rate */
    double motor_work;        /* J; of the moving end and of commands so far: applied work in the ledger */
    double stroke_left;       /* m; strut: compression up to its end stop, actuator: extension up to stroke_max; 0
                                 without one */
    bool locked;              /* actuator: its brake is on */
    bool slipping;            /* actuator: its force is at its limit */
    double slip;              /* m/s; friction: along its direction, of b relative to a; of a hinge at its arm */
    double stretch;           /* m; friction: of the spring of its law, along its direction */
    double load;              /* N; friction: normal force */
    double shortest, longest; /* m; its length since the accepted state before; with fixed steps, at both ends. After a
                                 restore and where it was switched, of the present state until the next step */
} fender_link_data;
FENDER_API const fender_field_table *fender_link_fields(void);
/* STATE before fender_world_initialize. */
FENDER_API fender_status fender_link_get(const fender_world *world, fender_link_id link, fender_clock clock,
                                         fender_link_data *data);
/* Do its points coincide at the committed state, but for rounding, so that it acts along the x axis of point a? Links
 * that push decide so up to a length above 0 (docs/models/links.md). False before fender_world_initialize, for a stale
 * id, and where the link is not made yet. */
FENDER_API bool fender_link_points_coincide(const fender_world *world, fender_link_id link);

#endif
