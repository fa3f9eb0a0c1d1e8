/* Rotations beyond the public header: exponential map, least rotation, twist. */
#ifndef FND_MATH_ROTATION_H
#define FND_MATH_ROTATION_H

#include <fender/spatial.h>

/* Unit quaternion of a rotation by |v| about v. */
fender_quaternion fnd_rotation_exp(fender_vec3 v);
/* u turned by the least rotation that takes the unit vector `from` to the unit vector `to` (opposite vectors: by half a
 * turn about an axis across `from` that depends on `from` alone). */
fender_vec3 fnd_least_rotation(fender_vec3 from, fender_vec3 to, fender_vec3 u);
/* Cosine and sine of half the angle by which q turns about the unit vector n (twist of the swing-twist decomposition).
 */
void fnd_half_twist(fender_quaternion q, fender_vec3 n, double *cosine, double *sine);
/* A unit vector across the unit vector n, the same for the same n. */
fender_vec3 fnd_any_tangent(fender_vec3 n);
/* Unit quaternion of a rotation matrix (Shepperd's method). */
fender_quaternion fnd_quaternion_from_matrix(const fender_mat3 *r);

#endif
