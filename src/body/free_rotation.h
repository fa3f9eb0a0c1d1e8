/* Rotation of a rigid body on which no torque acts. */
#ifndef FND_BODY_FREE_ROTATION_H
#define FND_BODY_FREE_ROTATION_H

#include <fender/spatial.h>

/* q_WB a time `step` (either sign) after q, with angular momentum L in W, about the centre of mass. Energy and |L| are
 * kept to rounding for any step, the phase to the order 10. `inverse_inertia` in B; `spherical`: it is a multiple of
 * the identity. */
fender_quaternion fnd_free_rotation(const fender_mat3 *inverse_inertia, bool spherical, fender_quaternion q,
                                    fender_vec3 L, double step);

#endif
