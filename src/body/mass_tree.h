/* Trees of bodies: links, composite properties, and where a member is in its tree. `bodies` is the world's array. */
#ifndef FND_BODY_MASS_TREE_H
#define FND_BODY_MASS_TREE_H

#include "body/body.h"

int fnd_tree_root(const fnd_body *bodies, int body);
/* True if `body` is the other body or in its subtree. */
bool fnd_tree_descends(const fnd_body *bodies, int body, int ancestor);
/* Pose of the body's structure frame in its root's. */
fender_pose fnd_tree_pose(const fnd_body *bodies, int body);

/* Links a root under a parent, last among its children; unlinks. Composites are not updated. */
void fnd_tree_link(fnd_body *bodies, int child, int parent, fender_pose X_PS);
void fnd_tree_unlink(fnd_body *bodies, int child);

/* Composite properties of one body from its core and its children's composites (Eq 3.1-3.7 of the JEOD mass model). */
void fnd_composite_update(fnd_body *bodies, int body);
/* The body and all above it: nothing else depends on a change at it. */
void fnd_composite_update_upward(fnd_body *bodies, int body);

/* root, root_center_S and q_RS of all bodies. */
void fnd_tree_layout(fnd_body *bodies, int count);
/* The same of one body. */
void fnd_tree_place(fnd_body *bodies, int body);
/* Frame of a member (its own composite centre, its own body axes) when the root's is given; the root's own frame for a
 * root. Velocities are those of the member's material there: where parts of the tree move, they are not those of
 * centres of mass. */
fnd_frame fnd_tree_frame(const fnd_body *bodies, int body, const fnd_frame *root_frame);

#endif
