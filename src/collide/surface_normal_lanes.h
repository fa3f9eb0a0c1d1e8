/* Normals of triangles and turned vectors, eight at a time. */
#ifndef FND_COLLIDE_SURFACE_NORMAL_LANES_H
#define FND_COLLIDE_SURFACE_NORMAL_LANES_H

#include "geometry/tree_leaf.h"

static inline fnd_doubles lanes_along(fender_vec3 v, const lane_vector *b)
{
    const lane_vector a = {fnd_doubles_all(v.x), fnd_doubles_all(v.y), fnd_doubles_all(v.z)};
    return lanes_dot(&a, b);
}
static inline lane_vector turned_back(const fender_mat3 *R, const lane_vector *v)
{
    return (lane_vector){lanes_along(fender_mat3_column(R, 0), v), lanes_along(fender_mat3_column(R, 1), v),
                         lanes_along(fender_mat3_column(R, 2), v)};
}
static inline lane_vector lanes_from(const lane_vector *v, fender_vec3 origin)
{
    return (lane_vector){fnd_doubles_less(v->x, fnd_doubles_all(origin.x)),
                         fnd_doubles_less(v->y, fnd_doubles_all(origin.y)),
                         fnd_doubles_less(v->z, fnd_doubles_all(origin.z))};
}
static inline fnd_doubles lanes_size(fnd_doubles v)
{
    return fnd_doubles_most(v, fnd_doubles_less(fnd_doubles_all(0), v));
}

/* Normals of triangles, with the operations of fnd_triangle_normal; what it does otherwise is left to it. */
static inline lane_vector normals(const fnd_surface *s, const lane_vector v[3], const int32_t triangle[8],
                                  unsigned needed)
{
    lane_vector e[3];
    fnd_doubles square[3];
    for (int k = 0; k < 3; k++) {
        e[k] = lanes_between(&v[k], &v[(k + 1) % 3]);
        square[k] = lanes_dot(&e[k], &e[k]);
    }
    fnd_doubles size = fnd_doubles_add(fnd_doubles_add(square[0], square[1]), square[2]);
    unsigned first = fnd_doubles_up_to(square[1], square[0]) & fnd_doubles_up_to(square[2], square[0]);
    unsigned second = fnd_doubles_up_to(square[2], square[1]);
    lane_vector a = lanes_select(first, &e[1], &e[2]), b = lanes_select(first, &e[2], &e[0]);
    lane_vector c = lanes_select(first | second, &a, &e[0]), d = lanes_select(first | second, &b, &e[1]);
    lane_vector n = lanes_cross(&c, &d);
    fnd_doubles length = fnd_doubles_root(lanes_dot(&n, &n));
    n = (lane_vector){fnd_doubles_over(n.x, length), fnd_doubles_over(n.y, length), fnd_doubles_over(n.z, length)};
    unsigned usual = fnd_doubles_up_to(fnd_doubles_all(1e-59), size) & fnd_doubles_up_to(size, fnd_doubles_all(1e59));
    usual &= fnd_doubles_up_to(fnd_doubles_all(1e-300), length);
    if (!(needed & ~usual)) return n;
    double x[8], y[8], z[8];
    fnd_doubles_store(x, n.x);
    fnd_doubles_store(y, n.y);
    fnd_doubles_store(z, n.z);
    for (unsigned rest = needed & ~usual; rest; rest &= rest - 1) {
        int lane = fnd_lowest_lane(rest);
        fender_vec3 one = fnd_triangle_normal(s, triangle[lane]);
        x[lane] = one.x;
        y[lane] = one.y;
        z[lane] = one.z;
    }
    return (lane_vector){fnd_doubles_load(x), fnd_doubles_load(y), fnd_doubles_load(z)};
}

#endif
