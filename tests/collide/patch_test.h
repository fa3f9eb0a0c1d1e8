/* What the tests of patches share: force, torque and energy of the contacts that a pair function gave. */
#ifndef TEST_PATCH_TEST_H
#define TEST_PATCH_TEST_H

#include "check.h"
#include "collide/pair_table.h"
#include "math/rotation.h"
#include "random_numbers.h"

typedef struct patch_sum {
    double energy, weight;
    fender_vec3 force, torque; /* on b; about the origin of b; stiffness 1 N/m */
    int count;
} patch_sum;

/* Of contacts with origin at a's p_WG; the force is a power of the depth, as they were asked for. */
static inline patch_sum patch_sum_of(const fnd_manifold *found, fender_vec3 p_b)
{
    patch_sum s = {0};
    const double n = found->exponent > 1 ? found->exponent : 1;
    for (int i = 0; i < found->count; i++) {
        const fender_separation *c = &found->items[i];
        double push = -c->weight * c->distance, energy = 0.5 * c->weight * c->distance * c->distance;
        if (n != 1) {
            push = c->distance < 0 ? c->weight * pow(-c->distance, n) : 0;
            energy = push * -c->distance / (n + 1);
        }
        fender_vec3 middle = fender_vec3_scale(0.5, fender_vec3_add(c->point_a, c->point_b));
        fender_vec3 force = fender_vec3_scale(push, c->normal);
        s.energy += energy;
        s.weight += c->weight;
        s.force = fender_vec3_add(s.force, force);
        s.torque = fender_vec3_add(s.torque, fender_vec3_cross(fender_vec3_sub(middle, p_b), force));
        s.torque = fender_vec3_add_scaled(s.torque, energy, c->turn);
    }
    s.count = found->count;
    return s;
}

/* `placed` moved by `way` along the axis 0..2, or turned by it about the axis 3..5, in world axes. */
static inline fnd_posed moved(const fnd_posed *placed, int axis, double way)
{
    fnd_posed m = *placed;
    double v[3] = {0, 0, 0};
    v[axis % 3] = way;
    fender_vec3 step = fender_vec3_make(v[0], v[1], v[2]);
    if (axis < 3) {
        m.p_WG = fender_vec3_add(m.p_WG, step);
        return m;
    }
    double half = 0.5 * way, s = sin(half) / way;
    fender_quaternion q = {cos(half), s * v[0], s * v[1], s * v[2]};
    fender_mat3 turn = fender_quaternion_matrix(q);
    m.R_WG = fender_mat3_product(&turn, &placed->R_WG);
    return m;
}

static inline fender_mat3 random_matrix(random_stream *r) { return fender_quaternion_matrix(random_rotation(r)); }

#endif
