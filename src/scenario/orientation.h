/* Orientations in all the forms that a scenario may give them; sine and cosine that are the same bits everywhere. */
#ifndef FND_SCENARIO_ORIENTATION_H
#define FND_SCENARIO_ORIENTATION_H

#include "scenario/value.h"

/* A typed matrix may be this far from orthonormal (largest entry of R R^T - 1): seven typed digits are enough. */
#define FND_ORTHONORMAL_TOLERANCE 1e-6

/* q_parent_child: takes components in the child to components in the parent. */
bool fnd_read_orientation(fnd_reader *reader, fnd_node *node, const char *name, fender_quaternion *q);
/* Rotation by `numerator / denominator` of a turn about a unit axis. */
fender_quaternion fnd_quaternion_of_rotation(fender_vec3 axis, int numerator, int denominator);
/* The same as a matrix, exact for quarter turns about axes of coordinates. */
fender_mat3 fnd_matrix_of_rotation(fender_vec3 axis, int numerator, int denominator);
/* The least rotation that takes z to the unit vector `axis` (half a turn about x for -z). */
fender_quaternion fnd_quaternion_to_axis(fender_vec3 axis);

/* ---- Sine and cosine ---- */

typedef struct fnd_sine_cosine {
    double sine, cosine;
} fnd_sine_cosine;

/* Exact at multiples of 90 degrees, and where a value is 1/2; elsewhere within 1 ulp. */
fnd_sine_cosine fnd_sine_cosine_degrees(double degrees);
/* Within 1 ulp for |radians| <= 1e5; beyond that the error grows with the angle (2e-17 relative to the angle). */
fnd_sine_cosine fnd_sine_cosine_radians(double radians);

#endif
