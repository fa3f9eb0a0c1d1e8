/* fender/tangent.h - derivatives of motions: how the state at the end of a run follows a small deviation of the state
 * at its start, from one run, and the linear equations of a world about its present state.
 *
 * A deviation has 12 numbers for each dynamic body, in order of creation: position of the centre of mass [m, W],
 * rotation vector of the attitude [rad, W: the deviating attitude is exp(v) q], velocity of the centre of mass [m/s,
 * W], angular momentum about it [N m s, W]. It is that of the state vector of host.h, with three numbers in place of
 * the quaternion's four: dq = (0, v) q / 2.
 *
 * What has derivatives: rigid bodies; uniform gravity and that of a point mass; contacts of spheres and points with
 * each other, with planes, grids and meshes, by laws with the function `derivative` (law.h): spring_damper,
 * smooth_spring_damper, hertz, hunt_crossley, impact (with a restitution: located events alone), coulomb, stribeck,
 * smooth_stick_slip, rolling_resistance, torsional; constant loads, drag, spring loads, thrusters at a steady level;
 * the links spring_damper (both directions) and spring_damper_6dof. Everything else is refused (STATE) by a message
 * that names it; differences of runs show what it does. */
#ifndef FENDER_TANGENT_H
#define FENDER_TANGENT_H

#include "world.h"

#define FENDER_DEVIATION_PER_BODY 12
/* Numbers of a deviation: 12 for each dynamic body that is not attached to another. */
FENDER_API int fender_world_deviation_count(const fender_world *world);

/* Takes steps until the time [s] is reached, as fender_world_advance_to, with the same bits, and follows deviations.
 * `x` has fender_world_deviation_count rows and `columns` columns, row by row: deviations of the present state, for
 * example the identity. They become those of the state at `time`: x is multiplied by the derivative of the end state
 * with respect to the present one.
 *
 * The derivative is that of the steps of rk4, dopri5 or dop853 with their lengths, exact but for rounding (and, on
 * grids and meshes, for differences of normals, about 1e-10). Deviating motions reach located events later or earlier,
 * which is taken into account: forces may jump at touch. Without located events, forces may not jump where contacts
 * begin and end.
 *
 * On failure x is not changed, and the world is at the last accepted state. STATE for what has no derivative, with
 * its name; otherwise as fender_world_advance_to. Not allowed within a call. */
FENDER_API fender_status fender_world_advance_tangent(fender_world *world, double time, int columns, double *x,
                                                      fender_error *error);
/* The linear equations of the world about its present state: `a` has fender_world_deviation_count rows and columns, row
 * by row, and the rate of a deviation x is a x. Contacts stay as they are. Rates are those of position, rotation
 * vector, velocity and angular momentum, relative to the motion itself; for a body at rest the eigenvalues of `a` are
 * those of its small oscillations. STATE as above; any method. Changes nothing. */
FENDER_API fender_status fender_world_linearize(fender_world *world, double *a, fender_error *error);

#endif
