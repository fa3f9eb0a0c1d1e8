/* Rotations beyond the public header: exponential map, least rotation, twist. Symmetric matrices: eigenvalues, inverse.
 */
#ifndef FND_MATH_ROTATION_H
#define FND_MATH_ROTATION_H

#include <assert.h>
#include <fender/spatial.h>

/* For assertions, with room for the rounding of many rotations. NaN passes: states that are not finite are refused at
 * commit, where the user is told. */
static inline bool fnd_is_unit(fender_vec3 v) { return !(fabs(fender_vec3_dot(v, v) - 1) > 1e-6); }

/* Unit quaternion of a rotation by |v| about v. */
fender_quaternion fnd_rotation_exp_long(fender_vec3 v); /* |v| not near 0 */
static inline fender_quaternion fnd_rotation_exp(fender_vec3 v)
{
    double z = 0.25 * fender_vec3_dot(v, v); /* square of the half angle */
    if (!(z < 0.01)) return fnd_rotation_exp_long(v);
    /* series of sine over angle and of cosine: the first terms that are left out are below 3e-18 and 3e-21 */
    double y = z * z;
    double s = (0.5 - z * (0.5 / 6)) + y * ((0.5 / 120 - z * (0.5 / 5040)) + y * (0.5 / 362880));
    double c = (1.0 - 0.5 * z) + y * ((1.0 / 24 - z * (1.0 / 720)) + y * (1.0 / 40320 - z * (1.0 / 3628800)));
    return (fender_quaternion){c, s * v.x, s * v.y, s * v.z};
}
/* Of unit length again, from a length that rounding alone has changed (else by way of the root). */
static inline fender_quaternion fnd_quaternion_mended(fender_quaternion q)
{
    double excess = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1;
    if (!(fabs(excess) < 1e-8)) return fender_quaternion_normalized(q);
    double part = 1 - 0.5 * excess;
    return (fender_quaternion){part * q.w, part * q.x, part * q.y, part * q.z};
}
/* exp(v) q: q of unit length, turned by v in outer axes. */
static inline fender_quaternion fnd_quaternion_rotated(fender_vec3 v, fender_quaternion q)
{
    return fnd_quaternion_mended(fender_quaternion_product(fnd_rotation_exp(v), q));
}
/* How exp(v) q turns, in outer axes, when v changes by dv and q by the rotation vector d in outer axes: J dv + R d,
 * with the left Jacobian J of the exponential map, and R = exp(v). */
void fnd_rotation_derivative(fender_vec3 v, fender_mat3 *J, fender_mat3 *R);
/* u turned by the least rotation that takes the unit vector `from` to the unit vector `to` (opposite vectors: by half a
 * turn about an axis across `from` that depends on `from` alone). */
fender_vec3 fnd_least_rotation(fender_vec3 from, fender_vec3 to, fender_vec3 u);
/* Cosine and sine of half the angle by which q turns about the unit vector n (twist of the swing-twist decomposition),
 * both times the same length, which is above 0: who needs a direction alone is spared a root. */
static inline void fnd_half_twist(fender_quaternion q, fender_vec3 n, double *cosine, double *sine)
{
    assert(fnd_is_unit(n));
    double along = q.x * n.x + q.y * n.y + q.z * n.z;
    *cosine = q.w < 0 ? -q.w : q.w;
    *sine = q.w < 0 ? -along : along;
    if (!(q.w * q.w + along * along >
          1e-24)) /* half a turn about an axis across n: the twist is undefined, take none */
        *cosine = 1, *sine = 0;
}
/* A unit vector across the unit vector n, the same for the same n. */
fender_vec3 fnd_any_tangent(fender_vec3 n);
/* Unit quaternion of a rotation matrix (Shepperd's method). */
fender_quaternion fnd_quaternion_from_matrix(const fender_mat3 *r);

/* ---- Symmetric matrices ---- */

/* Eigenvalues in increasing order (Jacobi rotations; the upper triangle is read). */
fender_vec3 fnd_symmetric_eigenvalues(const fender_mat3 *a);
/* Inverse of a positive definite matrix by Cholesky; false when it is not. */
bool fnd_symmetric_inverse(const fender_mat3 *a, fender_mat3 *inverse);

/* Eigenvalues, first >= second, of the 2x2 matrix (xx, xy; xy, yy), and the unit vector of the first. */
typedef struct fnd_symmetric_plane {
    double first, second, cosine, sine;
} fnd_symmetric_plane;
fnd_symmetric_plane fnd_symmetric_plane_of(double xx, double xy, double yy);

#endif
