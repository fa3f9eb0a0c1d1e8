/* fender/mass_tree.h - mass trees: mass points, attach, detach, reattach, core and composite properties.
 *
 * Every body is in one tree; only roots are integrated. Core properties of a body are its own; composite properties
 * are those of its subtree. Both are always up to date. Operations are allowed between steps, before or after
 * fender_world_initialize. A refused operation states the reason and changes nothing. Operations clear the event
 * list and fill it with the events that they cause (contacts between bodies of one tree end). */
#ifndef FENDER_MASS_TREE_H
#define FENDER_MASS_TREE_H

#include "body.h"

/* ---- mass properties ---- */

/* Where and in which axes an inertia tensor is given. */
typedef enum fender_inertia_spec {
    FENDER_INERTIA_BODY,         /* about the centre of mass, in body axes */
    FENDER_INERTIA_STRUCTURE_CG, /* about the centre of mass, in structure axes */
    FENDER_INERTIA_STRUCTURE,    /* about the origin of the structure frame, in structure axes */
    FENDER_INERTIA_SPEC_CG,      /* about the centre of mass, in user-defined axes */
    FENDER_INERTIA_SPEC,         /* about a user-defined point, in user-defined axes */
    FENDER_INERTIA_NONE          /* ignored: the inertia is not changed */
} fender_inertia_spec;

/* The inertia tensor about the centre of mass in body axes. q_SB: body axes in structure axes; center_S: centre of
 * mass; q_BP: the user's axes in body axes; offset_P: from the user's point to the centre of mass, in those axes
 * (SPEC only). Equations: rotation I' = R I R^T and Huygens-Steiner I_cm = I_o - m (r.r 1 - r r^T).
 * FENDER_INERTIA_NONE returns `inertia`. Pure. */
FENDER_API fender_mat3 fender_inertia_in_body(fender_inertia_spec spec, double mass, const fender_mat3 *inertia,
                                              fender_quaternion q_SB, fender_vec3 center_S, fender_quaternion q_BP,
                                              fender_vec3 offset_P);

typedef enum fender_mass_kind { FENDER_MASS_CORE, FENDER_MASS_COMPOSITE } fender_mass_kind;
/* Centre in the structure frame, inertia about it in body axes. */
FENDER_API fender_status fender_body_get_mass(const fender_world *world, fender_body_id body, fender_mass_kind kind,
                                              fender_mass_properties *properties);
/* Sets core properties; inertia about the centre, in body axes. The tree's velocity field is unchanged: added and
 * removed mass carries its own momentum, which the ledger books as external. */
FENDER_API fender_status fender_body_set_mass(fender_world *world, fender_body_id body,
                                              const fender_mass_properties *core, fender_error *error);
/* Mass depletion: core properties change linearly until the mass reaches `until_mass`. Velocity and angular velocity
 * are unaffected (the efflux carries its share: no spin-up by -I' w). Second order in the step. mass_rate 0 stops a
 * flow. */
typedef struct fender_mass_flow {
    double mass_rate;         /* kg/s */
    fender_vec3 center_rate;  /* m/s, in S; of the core's centre of mass */
    fender_mat3 inertia_rate; /* kg m^2/s, in body axes, about the moving centre */
    double until_mass;        /* kg; above 0; below the present mass when mass_rate < 0, above it when > 0 */
} fender_mass_flow;
FENDER_API fender_status fender_body_set_mass_flow(fender_world *world, fender_body_id body,
                                                   const fender_mass_flow *flow, fender_error *error);

/* ---- mass points ---- */

/* A named point with axes, fixed in the structure frame. NAME for an empty or duplicate name (one name space with the
 * shapes of the body). */
FENDER_API fender_status fender_point_create(fender_world *world, fender_body_id body, const char *name,
                                             fender_pose X_SP, fender_point_id *id, fender_error *error);
FENDER_API fender_status fender_point_find(const fender_world *world, fender_body_id body, const char *name,
                                           fender_point_id *id);
FENDER_API int fender_point_count(const fender_world *world);
FENDER_API fender_point_id fender_point_at(const fender_world *world, int index);
FENDER_API fender_status fender_point_get(const fender_world *world, fender_point_id point, fender_body_id *body,
                                          const char **name, fender_pose *X_SP);

/* Kinds of frames that are fixed to a body. */
typedef enum fender_body_frame_kind {
    FENDER_BODY_FRAME_STRUCTURE, /* structure frame */
    FENDER_BODY_FRAME_CORE,      /* core's centre of mass, body axes */
    FENDER_BODY_FRAME_COMPOSITE, /* composite's centre of mass, body axes */
    FENDER_BODY_FRAME_POINT      /* a mass point */
} fender_body_frame_kind;
typedef struct fender_body_frame {
    fender_body_frame_kind kind;
    fender_body_id body;
    fender_point_id point; /* FENDER_BODY_FRAME_POINT: names the body as well */
} fender_body_frame;
/* Pose of `frame` in `reference`, both in one tree (TOPOLOGY otherwise). Needs no state. */
FENDER_API fender_status fender_body_frame_relative(const fender_world *world, fender_body_frame frame,
                                                    fender_body_frame reference, fender_pose *X, fender_error *error);
/* State of a frame: position and velocity in W, attitude in W, angular velocity in the axes of the frame. STATE if its
 * tree has no state. Committed clock. */
FENDER_API fender_status fender_body_frame_state(const fender_world *world, fender_body_frame frame,
                                                 fender_body_state *state, fender_error *error);

/* ---- attach, detach, reattach ---- */

typedef enum fender_attach_pose {
    FENDER_ATTACH_ALIGNED, /* moved into the requested pose; momentum (in inertial space, with that of reaction wheels),
                              the system's centre and the parent's attitude are conserved */
    FENDER_ATTACH_AS_IS,   /* at the present pose; the pose in the definition is ignored */
    FENDER_ATTACH_POSED    /* the child moves into the requested pose and gets the parent's motion: for assembling a
                               vehicle before the run */
} fender_attach_pose;

typedef struct fender_attach_def {
    size_t size; /* of this struct: set by fender_attach_def_default */
    fender_body_id child, parent;
    fender_point_id child_point, parent_point; /* both: the points meet, x axes face each other, z axes agree */
    fender_pose X_PC;                          /* without points: child's structure frame in the parent's */
    fender_attach_pose pose;
} fender_attach_def;
/* Identity pose, aligned. */
FENDER_API fender_attach_def fender_attach_def_default(void);

typedef struct fender_attach_report {
    fender_body_id moved;            /* the body that became a child: the root of the child's tree */
    fender_vec3 child_displacement;  /* m, W; displacement of the centre of mass of the child's tree */
    fender_vec3 parent_displacement; /* m, W; and of the parent's tree: the system's centre stayed */
    double rotation;                 /* rad; rotation of the child's tree */
    double kinetic_energy_lost; /* J; 0 for a child without a state: its mass enters with its energy, from outside */
    double contact_energy_lost; /* J; that was stored in contacts and links */
} fender_attach_report;

/* Attaches a child to a parent. Refused (TOPOLOGY) are: a body to itself, bodies of one tree, a child with a state
 * to a parent without, a fixed or prescribed child, one that moves, or is going to, relative to the root of its tree.
 * NAME or STALE_ID: unknown points. report may be NULL. A child without state moves with its parent (as with POSED). */
FENDER_API fender_status fender_body_attach(fender_world *world, const fender_attach_def *def,
                                            fender_attach_report *report, fender_error *error);

typedef enum fender_detach_rule {
    FENDER_DETACH_CONNECTION, /* the physical connection that the body was attached by, as its caller named it */
    FENDER_DETACH_TREE        /* the link just above it in the tree (JEOD's rule) */
} fender_detach_rule;
/* Detaches a body. A connection is cut as it was made: after attaching a body that is no root, bodies of the tree may
 * first be hung on others, which changes parents and nothing else. `from` null: CONNECTION cuts the latest connection
 * that named the body as child, or else the latest that named it; TREE cuts the link to its parent. With `from`:
 * CONNECTION cuts the connection of the two; TREE finds the link between the two along either's ancestry and cuts just
 * below the upper one, as JEOD does. Each part keeps its velocity field. A part whose root is mass only has no state:
 * it stays at rest at its last pose and takes part in nothing, and its mass leaves with its momentum and energy, which
 * the ledger books as external. Refused (TOPOLOGY) are: a root without connection, two bodies without a connection, and
 * a cut that would hang bodies on others while parts between them move. `freed` (may be NULL) receives the root of the
 * detached part. */
FENDER_API fender_status fender_body_detach(fender_world *world, fender_body_id body, fender_body_id from,
                                            fender_detach_rule rule, fender_body_id *freed, fender_error *error);
/* Moves an attached body with its subtree to another pose in its parent's structure frame. Other connections stay what
 * they are: where a body of the subtree is attached to others, these move along, and the bodies of the tree are hung on
 * others as by detaching. `moved` of the report is the top of what has moved against the root. The system's momentum in
 * inertial space, with that of reaction wheels, and its centre are conserved, as by internal forces. Refused (TOPOLOGY)
 * are a root, and what detaching refuses for parts that move. */
FENDER_API fender_status fender_body_reattach(fender_world *world, fender_body_id body, fender_pose X_PC,
                                              fender_attach_report *report, fender_error *error);

/* ---- motion of attached bodies ---- */

typedef enum fender_part_between {
    FENDER_PART_REST,  /* it rests at every row */
    FENDER_PART_SMOOTH /* it rests at the first and the last row only */
} fender_part_between;

/* Prescribed motion of an attached body relative to its parent: a solar panel that deploys, an arm, a leg, a mass on a
 * rail. The structure frame of the body moves from its attachment by a position and then turns about an axis through a
 * pivot. Between rows it follows polynomials of degree 5 with continuous velocity and acceleration; before the first
 * and after the last row it rests. A motor between the two bodies supplies whatever force the motion needs. Rows are
 * relative to the pose at which the body is attached when the motion is given, in its structure axes there. */
typedef struct fender_part_motion {
    size_t size;                  /* of this struct: set by fender_part_motion_default */
    fender_vec3 axis;             /* any length; zero: the body does not turn */
    fender_vec3 pivot;            /* m; point of the body that the turn leaves in place */
    const double *times;          /* s, increasing; the first is not in the past; copied */
    const fender_vec3 *positions; /* m; NULL: zero; the first is zero; copied */
    const double *angles;         /* rad, any number of turns; NULL: zero; the first is zero; copied */
    int count;                    /* rows; at least 2 */
    fender_part_between between;
} fender_part_motion;
/* No rows. */
FENDER_API fender_part_motion fender_part_motion_default(void);

/* Gives an attached body such a motion, in place of any that it had; NULL: it stays where it is. The momentum of the
 * tree is exact: L = J w + h, with the inertia J and the relative momentum h of the parts at each time, and the root
 * moves against its parts. Loads, contacts, links and sensors of a moving body have its pose and velocity; the work of
 * its motor is `motor` of the ledger. The motion ends where the body is detached or reattached. TOPOLOGY for a root,
 * and for a body between the root of what was attached and the body that it was attached by; STATE while the body moves
 * along an earlier motion. Call fender_world_initialize before the next step, which refuses what moving parts do not go
 * with (ARGUMENT): methods other than rk4, dopri5 and dop853; rotating and falling frames and gravity gradients; links
 * between two bodies of one tree with moving parts. */
FENDER_API fender_status fender_body_set_part_motion(fender_world *world, fender_body_id body,
                                                     const fender_part_motion *motion, fender_error *error);
/* Commands a body that has such a motion: from where it is, with its present relative velocity and acceleration, to a
 * position [m] and an angle [rad] relative to its attachment, where it rests after `duration` seconds (above 0). Its
 * rows are then no longer followed. TOPOLOGY as above. Between steps; part of snapshots and of the hash. */
FENDER_API fender_status fender_body_move_part(fender_world *world, fender_body_id body, fender_vec3 position,
                                               double angle, double duration, fender_error *error);

/* Displacement of a body along such a motion at the committed time. */
typedef struct fender_part_state {
    fender_vec3 position, velocity, acceleration;         /* m, m/s, m/s^2; relative to the attachment, in its axes */
    double angle, angular_velocity, angular_acceleration; /* rad, rad/s, rad/s^2; about the axis */
} fender_part_state;
/* ARGUMENT for a body without such a motion. */
FENDER_API fender_status fender_body_get_part(const fender_world *world, fender_body_id body, fender_part_state *state);

/* ---- the tree ---- */

/* Null for a root and for a stale id. */
FENDER_API fender_body_id fender_body_parent(const fender_world *world, fender_body_id body);
/* The body itself when it is a root. */
FENDER_API fender_body_id fender_body_root(const fender_world *world, fender_body_id body);
/* Children in the order of attachment: null past the end. */
FENDER_API fender_body_id fender_body_child_at(const fender_world *world, fender_body_id body, int index);
/* Pose of the body's structure frame in its parent's; the identity for a root. */
FENDER_API fender_pose fender_body_pose_in_parent(const fender_world *world, fender_body_id body);
/* The connection that the link above this body stands for: the two bodies that were named when it was made. One is the
 * parent, the other is in the body's subtree. False for a root. */
FENDER_API bool fender_body_connection(const fender_world *world, fender_body_id body, fender_body_id *child,
                                       fender_body_id *parent);
/* Writes the trees as text, one line per body with mass, centre and inertia, children indented; `body` null: all
 * trees. `write` receives one line at a time, without its line feed. Does nothing if the world or `write` is NULL. */
FENDER_API void fender_mass_tree_print(const fender_world *world, fender_body_id body,
                                       void (*write)(void *ctx, const char *line), void *ctx);

#endif
