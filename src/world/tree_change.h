/* A change of masses or trees in a running world: what is derived from them, contacts and ledger follow. */
#ifndef FND_WORLD_TREE_CHANGE_H
#define FND_WORLD_TREE_CHANGE_H

#include "world/world.h"

/* Bookkeeping of a change of mass or trees in a running world: the previous values. */
typedef struct fnd_tree_change {
    double energy, contact_energy, axial;
    fender_vec3 turning; /* angular impulse of a frame that turns */
    fender_vec3 linear, angular;
    fnd_event_list events;
    int connection_count;
} fnd_tree_change;
/* Booking of a change: as lost by attachment (momentum must be conserved), or as applied from outside. */
typedef enum fnd_booking { FND_BOOK_ATTACHMENT, FND_BOOK_OUTSIDE } fnd_booking;
fender_status fnd_tree_change_begin(fender_world *world, fnd_tree_change *change, fender_error *error);
/* Updates the layout of trees, accepts the state with the present contacts, and updates the ledger. The events of the
 * change alone are left, behind those of the step that a weld belongs to. On failure everything is as it was, the list
 * of events, too. */
fender_status fnd_tree_change_end(fender_world *world, fnd_tree_change *change, fnd_booking booking,
                                  fender_error *error);
/* On failure between the two. */
void fnd_tree_change_undo(fender_world *world, const fnd_tree_change *change);
/* Tells the listener of masses of the tree of that body, after a change that was carried out. */
void fnd_tree_tell(fender_world *world, int member);

/* A root as it moves before its tree changes. */
typedef struct fnd_root_motion {
    fnd_frame frame;
    fender_vec3 center_S;
    fender_body_state structure;
    bool parts; /* of its tree move */
} fnd_root_motion;

fnd_root_motion fnd_root_motion_of(const fnd_body *bodies, int root);
/* After the change: the velocity field of the root's material is kept, and parts go on relative to it. */
void fnd_root_goes_on(fender_world *world, int root, fnd_root_motion before);
/* New composite state of a root whose composite has changed under it, velocity field kept; `center_before` in its
 * structure frame. A tree without a state stays where it is. */
void fnd_root_shift(fnd_body *root, fender_vec3 center_before, fender_vec3 w);

/* The first body from this one to the root of its tree that moves relative to its parent, or is going to; -1: none. */
int fnd_body_on_the_move(const fender_world *world, int body);

#endif
