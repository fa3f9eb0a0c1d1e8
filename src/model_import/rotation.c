/* Orientations as URDF and MJCF write them; sums and turns of mass properties. */
#include "model_import/model.h"

#include <ctype.h>

fender_quaternion fnd_model_axis_angle(fender_vec3 axis, double angle)
{
    double s = sin(0.5 * angle);
    return (fender_quaternion){cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

fender_quaternion fnd_model_euler(const char *sequence, const double angles[3])
{
    fender_quaternion q = fender_quaternion_identity();
    for (int i = 0; i < 3; i++) {
        int letter = tolower((unsigned char)sequence[i]);
        fender_vec3 axis = {letter == 'x', letter == 'y', letter == 'z'};
        fender_quaternion turn = fnd_model_axis_angle(axis, angles[i]);
        bool moving = sequence[i] == letter;
        q = moving ? fender_quaternion_product(q, turn) : fender_quaternion_product(turn, q);
    }
    return fender_quaternion_normalized(q);
}

fender_quaternion fnd_model_z_to(fender_vec3 direction)
{
    fender_vec3 d = fender_vec3_scale(1 / fender_vec3_length(direction), direction);
    fender_vec3 axis = {-d.y, d.x, 0}; /* z x d */
    double s = fender_vec3_length(axis);
    if (s < 1e-10) {
        const fender_quaternion half_turn = {0, 1, 0, 0};
        return d.z > 0 ? fender_quaternion_identity() : half_turn;
    }
    return fnd_model_axis_angle(fender_vec3_scale(1 / s, axis), atan2(s, d.z));
}

fender_quaternion fnd_model_from_axes(fender_vec3 x, fender_vec3 y, fender_vec3 z)
{
    /* Shepperd's method: the largest of the four components first */
    double trace = x.x + y.y + z.z;
    fender_quaternion q;
    if (trace > 0) {
        double w = 0.5 * sqrt(1 + trace), f = 0.25 / w;
        q = (fender_quaternion){w, f * (y.z - z.y), f * (z.x - x.z), f * (x.y - y.x)};
    } else if (x.x > y.y && x.x > z.z) {
        double a = 0.5 * sqrt(1 + x.x - y.y - z.z), f = 0.25 / a;
        q = (fender_quaternion){f * (y.z - z.y), a, f * (y.x + x.y), f * (z.x + x.z)};
    } else if (y.y > z.z) {
        double a = 0.5 * sqrt(1 + y.y - x.x - z.z), f = 0.25 / a;
        q = (fender_quaternion){f * (z.x - x.z), f * (y.x + x.y), a, f * (z.y + y.z)};
    } else {
        double a = 0.5 * sqrt(1 + z.z - x.x - y.y), f = 0.25 / a;
        q = (fender_quaternion){f * (x.y - y.x), f * (z.x + x.z), f * (z.y + y.z), a};
    }
    return fender_quaternion_normalized(q);
}

fender_mat3 fnd_model_turn_inertia(fender_quaternion q, const fender_mat3 *inertia)
{
    if (q.x == 0 && q.y == 0 && q.z == 0) return *inertia; /* keeps its bits */
    fender_mat3 r = fender_quaternion_matrix(q), t = fender_mat3_transpose(&r);
    fender_mat3 half = fender_mat3_product(&r, inertia), full = fender_mat3_product(&half, &t);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) full.m[i][j] = full.m[j][i] = 0.5 * (full.m[i][j] + full.m[j][i]);
    return full;
}

/* The inertia of a point mass at r: m (r.r 1 - r r^T). */
static void add_point(fender_mat3 *to, double mass, fender_vec3 r)
{
    const double c[3] = {r.x, r.y, r.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) to->m[i][j] += mass * ((i == j ? fender_vec3_dot(r, r) : 0) - c[i] * c[j]);
}

fender_mass_properties fnd_model_place_mass(fender_pose pose, const fender_mass_properties *mass)
{
    fender_mass_properties placed = *mass;
    placed.center_of_mass = fender_vec3_add(pose.p, fender_quaternion_rotate(pose.q, mass->center_of_mass));
    placed.inertia = fnd_model_turn_inertia(pose.q, &mass->inertia);
    return placed;
}

void fnd_model_add_mass(fender_mass_properties *sum, const fender_mass_properties *part)
{
    double mass = sum->mass + part->mass;
    if (!(mass > 0)) return;
    if (sum->mass == 0) {
        *sum = *part;
        return;
    }
    fender_vec3 apart = fender_vec3_sub(part->center_of_mass, sum->center_of_mass);
    fender_vec3 center = fender_vec3_add_scaled(sum->center_of_mass, part->mass / mass, apart);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum->inertia.m[i][j] += part->inertia.m[i][j];
    add_point(&sum->inertia, sum->mass, fender_vec3_sub(sum->center_of_mass, center));
    add_point(&sum->inertia, part->mass, fender_vec3_sub(part->center_of_mass, center));
    sum->center_of_mass = center;
    sum->mass = mass;
}
