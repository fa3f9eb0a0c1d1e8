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

/* Connections: every link of a tree stands for the two bodies that were named when it was made. One of them is the
 * parent above the link, the other is in the subtree below it. The connections of a tree reach all of its bodies
 * without a loop, as its links do, but they need not separate the same sets of bodies. */

/* The named body below the link above a body. */
int fnd_tree_lower_end(const fnd_body *bodies, int body);
/* The nearest ancestor whose connection ends in the subtree of a body, so that cutting the link of the body would
 * separate other bodies than cutting its connection; -1: none. */
int fnd_tree_bypass(const fnd_body *bodies, int body);
/* The next body on the way along the connections to another of the same tree. */
int fnd_tree_step(const fnd_body *bodies, int body, int goal);
/* Hangs bodies of a tree on others, at their poses, until the connection of the link above a body separates the same
 * bodies as the link that stands for it then; returns the body below that link. Composites follow. Own motions end
 * where links are made anew. */
int fnd_tree_rehang(fnd_body *bodies, int body);
/* Before the link above a body is cut: connections of links that remain name remaining bodies. */
void fnd_tree_keep_names(fnd_body *bodies, int cut);

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
