/* fender/solid.h - solids of a plane profile: extruded, revolved, tubes and hollow spheres, as closed meshes.
 *
 * Each constructor makes triangles and returns a geometry of the type FENDER_GEOMETRY_MESH: contact, rays, nearest
 * points and mass properties are those of the mesh, which may be concave. Straight edges of a profile are exact. Where
 * the solid is round, every vertex lies on the true surface and the triangles deviate from it by at most `tolerance`:
 * inward on an outer surface, into the bore on an inner one. A full turn has 8 sides or more, a multiple of 4.
 *
 * Errors: VALUE for lengths, loops and profiles that describe no solid (error->path and message name the loop and the
 * points), and for a tolerance that would need more than FENDER_SOLID_TRIANGLES triangles; ARGUMENT for NULL; MEMORY.
 * Any thread. The caller owns the geometry. */
#ifndef FENDER_SOLID_H
#define FENDER_SOLID_H

#include "geometry.h"

#define FENDER_SOLID_TRIANGLES 4000000
#define FENDER_PROFILE_POINTS  20000

/* A region of a plane, bounded by closed loops: the first is the outline, each other one a hole within it. The points
 * of a loop follow each other along it in either direction; the last is joined to the first. Points that repeat the
 * one before, and points within rounding of the line between their neighbours, are dropped; then a loop has at least
 * three. Loops neither cross nor touch themselves or each other. At most FENDER_PROFILE_POINTS in all. */
typedef struct fender_profile {
    const fender_vec2 *points; /* m; loop after loop */
    const int *loop_sizes;     /* number of points of each loop */
    int loop_count;
} fender_profile;

/* The profile, in x and y, swept along z: |z| <= half_length [m, > 0]. */
FENDER_API fender_geometry *fender_geometry_extruded(const fender_env *env, const fender_profile *profile,
                                                     double half_length, fender_error *error);
/* The profile turned about z, counter-clockwise from the half plane y = 0, x >= 0 by `angle` [rad, > 0, at most 2 pi;
 * within 1e-9 of it: a full turn]. A point (x, y) of the profile has the distance x >= 0 from the axis and the height
 * z = y. The outline may have edges on the axis; it may not touch it in a single point. tolerance [m, > 0]. */
FENDER_API fender_geometry *fender_geometry_revolved(const fender_env *env, const fender_profile *profile, double angle,
                                                     double tolerance, fender_error *error);
/* inner_radius <= distance from z <= outer_radius, |z| <= half_length [m]; 0 < inner_radius < outer_radius. */
FENDER_API fender_geometry *fender_geometry_tube(const fender_env *env, double inner_radius, double outer_radius,
                                                 double half_length, double tolerance, fender_error *error);
/* inner_radius <= distance from the origin <= outer_radius [m]; 0 < inner_radius < outer_radius. */
FENDER_API fender_geometry *fender_geometry_hollow_sphere(const fender_env *env, double inner_radius,
                                                          double outer_radius, double tolerance, fender_error *error);

#endif
