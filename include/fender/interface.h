/* fender/interface.h - the load between two bodies: contacts, links, and the joint by which they are attached. */
#ifndef FENDER_INTERFACE_H
#define FENDER_INTERFACE_H

#include "mass_tree.h"

/* What the second body exerts on the first, in the axes of a frame fixed to the first, torques about the origin of that
 * frame. Each of the two stands for itself and what is attached to it, as in fender_body_data; in one tree, along its
 * connections as seen from its root. If one is attached to the other, the part of the upper one ends there, and the
 * joint is the connection by which the lower one is attached. */
typedef struct fender_interface_data {
    fender_vec3 force, torque;                 /* N, N m; contacts, links and joint */
    fender_vec3 contact_force, contact_torque; /* N, N m */
    fender_vec3 link_force, link_torque;       /* N, N m; of attached bodies, too: the joint bears the opposite */
    fender_vec3 joint_force, joint_torque;     /* N, N m; through the attachment; 0 for bodies of two trees */
    double force_magnitude, torque_magnitude;  /* N, N m */
    double contact_force_magnitude;            /* N */
    double joint_force_magnitude;              /* N */
    double joint_torque_magnitude;             /* N m */
    int contact_count;                         /* contacts with a depth above 0 */
} fender_interface_data;
FENDER_API const fender_field_table *fender_interface_fields(void);

/* The load of `other` on the body of `frame`, committed. The joint bears what the motion of the attached part requires
 * beyond gravity and all that acts on that part: Newton's and Euler's equations of the part, with the accelerations of
 * the committed state. Gravity is that at the centre of mass of the whole tree, as in the equations of motion. It costs
 * one pass over contacts, links and loads. STATE before fender_world_initialize, STALE_ID, and ARGUMENT if both bodies
 * are the same. */
FENDER_API fender_status fender_body_get_interface(const fender_world *world, fender_body_frame frame,
                                                   fender_body_id other, fender_interface_data *data);

/* The force of a contact, for sums over many. */
typedef struct fender_contact_force {
    fender_body_id body_a, body_b; /* of its shapes */
    fender_vec3 force;             /* N, W; on body_b; body_a gets the opposite */
    bool touching;                 /* depth > 0 */
} fender_contact_force;
/* Writes the committed contacts from index `first` on, in the order of their keys, at most `capacity`; returns how
 * many. It costs a small fraction of fender_contact_get. */
FENDER_API int fender_contact_forces(const fender_world *world, int first, fender_contact_force *forces, int capacity);

#endif
