/* Making of geometries: what every constructor checks and fills. */
#ifndef FND_GEOMETRY_GEOMETRY_CREATE_H
#define FND_GEOMETRY_GEOMETRY_CREATE_H

#include "geometry/geometry.h"

/* A length that a constructor may take (0 to 1e100 m), or the failure with the field's path. `purpose`: "half length".
 */
bool fnd_check_length(double value, const char *type, const char *path, const char *purpose, fender_error *error);
/* Finite coordinates of at most 1e100 m, of at least one point; the failure names the first bad one, the n-th of
 * `field` ("points"), each a `noun` ("point"). */
bool fnd_check_points(const fender_vec3 *points, int count, const char *type, const char *field, const char *noun,
                      fender_error *error);

/* An empty geometry of one reference and no size; checks the environment. */
fender_geometry *fnd_geometry_create(const fender_env *env, fender_geometry_type type, fender_error *error);
/* The triangles of a polytope's faces, as a closed surface, and the borders between its faces; none where a triangle
 * has no direction within rounding. False: no memory. */
bool fnd_geometry_make_skin(fender_geometry *geometry);
size_t fnd_borders_size(const fnd_polytope *polytope);
/* Fills bounds, bounding radius and area of the largest face from the rest. */
void fnd_geometry_measure(fender_geometry *geometry);
/* Length of v without loss below 1e-100. */
double fnd_length(fender_vec3 v);

#endif
