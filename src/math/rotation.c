/* Rotations beyond the public header: exponential map, least rotation, twist. */
#include "math/rotation.h"

#include "math/elementary.h"

fender_quaternion fnd_rotation_exp_long(fender_vec3 v)
{
    double sine, cosine, half = 0.5 * fender_vec3_length(v);
    fnd_sin_cos(half, &sine, &cosine);
    double s = 0.5 * sine / half;
    return (fender_quaternion){cosine, s * v.x, s * v.y, s * v.z};
}

fender_vec3 fnd_any_tangent(fender_vec3 n)
{
    fender_vec3 axis = {0, 0, 0};
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    if (x <= y && x <= z) axis.x = 1;
    else if (y <= z) axis.y = 1;
    else axis.z = 1;
    fender_vec3 t = fender_vec3_cross(axis, n);
    return fender_vec3_scale(1.0 / fender_vec3_length(t), t);
}

fender_vec3 fnd_least_rotation(fender_vec3 from, fender_vec3 to, fender_vec3 u)
{
    double c = fender_vec3_dot(from, to);
    if (c < -0.9999999) { /* half a turn about a tangent t: u -> 2 (t.u) t - u */
        fender_vec3 t = fnd_any_tangent(from);
        return fender_vec3_add_scaled(fender_vec3_negate(u), 2.0 * fender_vec3_dot(t, u), t);
    }
    fender_vec3 k = fender_vec3_cross(from, to); /* Rodrigues with |k| = sin, 1/(1+c) = (1-c)/sin^2 */
    fender_vec3 ku = fender_vec3_cross(k, u);
    fender_vec3 r = fender_vec3_add(u, ku);
    return fender_vec3_add_scaled(r, 1.0 / (1.0 + c), fender_vec3_cross(k, ku));
}

fender_quaternion fnd_quaternion_from_matrix(const fender_mat3 *r)
{
    double t = r->m[0][0] + r->m[1][1] + r->m[2][2];
    fender_quaternion q;
    if (t >= r->m[0][0] && t >= r->m[1][1] && t >= r->m[2][2]) {
        q = (fender_quaternion){1 + t, r->m[2][1] - r->m[1][2], r->m[0][2] - r->m[2][0], r->m[1][0] - r->m[0][1]};
    } else if (r->m[0][0] >= r->m[1][1] && r->m[0][0] >= r->m[2][2]) {
        q = (fender_quaternion){r->m[2][1] - r->m[1][2], 1 + 2 * r->m[0][0] - t, r->m[0][1] + r->m[1][0],
                                r->m[0][2] + r->m[2][0]};
    } else if (r->m[1][1] >= r->m[2][2]) {
        q = (fender_quaternion){r->m[0][2] - r->m[2][0], r->m[0][1] + r->m[1][0], 1 + 2 * r->m[1][1] - t,
                                r->m[1][2] + r->m[2][1]};
    } else {
        q = (fender_quaternion){r->m[1][0] - r->m[0][1], r->m[0][2] + r->m[2][0], r->m[1][2] + r->m[2][1],
                                1 + 2 * r->m[2][2] - t};
    }
    return fender_quaternion_normalized(q);
}
