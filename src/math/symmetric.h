/* Symmetric 3x3 and 2x2 matrices: eigenvalues, inverse. */
#ifndef FND_MATH_SYMMETRIC_H
#define FND_MATH_SYMMETRIC_H

#include <fender/spatial.h>

/* Eigenvalues in rising order (Jacobi rotations; the upper triangle is read). */
fender_vec3 fnd_symmetric_eigenvalues(const fender_mat3 *a);
/* Inverse of a positive definite matrix by Cholesky; false when it is not. */
bool fnd_symmetric_inverse(const fender_mat3 *a, fender_mat3 *inverse);

/* Eigenvalues, first >= second, of the 2x2 matrix (xx, xy; xy, yy), and the unit vector of the first. */
typedef struct fnd_symmetric_plane {
    double first, second, cosine, sine;
} fnd_symmetric_plane;
fnd_symmetric_plane fnd_symmetric_plane_of(double xx, double xy, double yy);

#endif
