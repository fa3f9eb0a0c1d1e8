/* The outline of what two shapes touch with: the points on which one stands on the other. */
#ifndef FND_RECORD_OUTLINE_H
#define FND_RECORD_OUTLINE_H

#include <fender/fender.h>

typedef void fnd_outline_visit(void *ctx, fender_vec3 point);
/* Visits corners, ends of edges and points of rims of both shapes at which they overlap, relative to `center` [m, W];
 * `normal` is that of their contact, out of `one`. Returns their number: 0 for spheres and other shapes without corners
 * and edges, and where none of them overlaps. Boxes, hulls, capsules and meshes on planes, and boxes and hulls on each
 * other, are exact; a rim is a polygon of 128 sides. */
int fnd_outline(const fender_world *world, fender_shape_id one, fender_shape_id other, fender_vec3 normal,
                fender_vec3 center, fnd_outline_visit *visit, void *ctx);

#endif
