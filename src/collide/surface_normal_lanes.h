/* Normals of triangles and turned vectors, eight at a time. */
#ifndef FND_COLLIDE_SURFACE_NORMAL_LANES_H
#define FND_COLLIDE_SURFACE_NORMAL_LANES_H

#include "geometry/tree_leaf.h"

/* Corners of eight triangles, as indices of coordinates. */
typedef struct tree_corners {
    fnd_index_lanes at[3];
} tree_corners;

static inline fnd_doubles coordinate(const fnd_surface *s, const tree_corners *c, int corner, int axis)
{
    return fnd_doubles_gather(&s->vertices[0].x + axis, c->at[corner]);
}

/* a where the bit is set. */
static inline fnd_doubles_vector lanes_select(unsigned mask, const fnd_doubles_vector *a, const fnd_doubles_vector *b)
{
    return (fnd_doubles_vector){fnd_doubles_select(mask, a->x, b->x), fnd_doubles_select(mask, a->y, b->y),
                                fnd_doubles_select(mask, a->z, b->z)};
}

static inline fnd_doubles lanes_along(fender_vec3 v, const fnd_doubles_vector *b)
{
    const fnd_doubles_vector a = {fnd_doubles_all(v.x), fnd_doubles_all(v.y), fnd_doubles_all(v.z)};
    return fnd_doubles_dot(&a, b);
}
static inline fnd_doubles_vector turned_back(const fender_mat3 *R, const fnd_doubles_vector *v)
{
    return (fnd_doubles_vector){lanes_along(fender_mat3_column(R, 0), v), lanes_along(fender_mat3_column(R, 1), v),
                                lanes_along(fender_mat3_column(R, 2), v)};
}
static inline fnd_doubles_vector lanes_from(const fnd_doubles_vector *v, fender_vec3 origin)
{
    return (fnd_doubles_vector){fnd_doubles_less(v->x, fnd_doubles_all(origin.x)),
                                fnd_doubles_less(v->y, fnd_doubles_all(origin.y)),
                                fnd_doubles_less(v->z, fnd_doubles_all(origin.z))};
}
static inline fnd_doubles lanes_size(fnd_doubles v)
{
    return fnd_doubles_most(v, fnd_doubles_less(fnd_doubles_all(0), v));
}

/* Normals of triangles, with the operations of fnd_triangle_normal; what it does otherwise is left to it. */
static inline fnd_doubles_vector normals(const fnd_surface *s, const fnd_doubles_vector v[3], const int32_t triangle[8],
                                         unsigned needed)
{
    fnd_doubles_vector e[3];
    fnd_doubles square[3];
    for (int k = 0; k < 3; k++) {
        e[k] = fnd_doubles_between(&v[k], &v[(k + 1) % 3]);
        square[k] = fnd_doubles_dot(&e[k], &e[k]);
    }
    fnd_doubles size = fnd_doubles_add(fnd_doubles_add(square[0], square[1]), square[2]);
    unsigned first = fnd_doubles_up_to(square[1], square[0]) & fnd_doubles_up_to(square[2], square[0]);
    unsigned second = fnd_doubles_up_to(square[2], square[1]);
    fnd_doubles_vector a = lanes_select(first, &e[1], &e[2]), b = lanes_select(first, &e[2], &e[0]);
    fnd_doubles_vector c = lanes_select(first | second, &a, &e[0]), d = lanes_select(first | second, &b, &e[1]);
    fnd_doubles_vector n = fnd_doubles_cross(&c, &d);
    fnd_doubles length = fnd_doubles_root(fnd_doubles_dot(&n, &n));
    n = (fnd_doubles_vector){fnd_doubles_over(n.x, length), fnd_doubles_over(n.y, length),
                             fnd_doubles_over(n.z, length)};
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
    return (fnd_doubles_vector){fnd_doubles_load(x), fnd_doubles_load(y), fnd_doubles_load(z)};
}

#endif
