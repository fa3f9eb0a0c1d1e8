/* Support functions h(n) = max over the solid of n.x in long double, from the parameters alone: what tests of distances
 * are checked against. For a point p the figure n.p - h(n) is at most the signed distance for every unit n, and the
 * distance for one of them. */
#ifndef TEST_LONG_SUPPORT_H
#define TEST_LONG_SUPPORT_H

#include "geometry/geometry.h"

typedef struct long3 {
    long double x, y, z;
} long3;

static inline long3 long_of(fender_vec3 v) { return (long3){v.x, v.y, v.z}; }
static inline long double long_dot(long3 a, long3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline long double long_length(long3 a) { return sqrtl(long_dot(a, a)); }
static inline long3 long_unit(long3 a)
{
    long double length = long_length(a);
    return (long3){a.x / length, a.y / length, a.z / length};
}

/* Rounding and radii included; n in G, of any length. */
static inline long double long_support(const fender_geometry *g, long3 n)
{
    long double r = g->radius, l = g->half_length, across = sqrtl(n.x * n.x + n.y * n.y), length = long_length(n),
                h = 0;
    switch (g->type) {
    case FENDER_GEOMETRY_SPHERE: return r * length;
    case FENDER_GEOMETRY_POINT: return 0;
    case FENDER_GEOMETRY_CAPSULE: return r * length + l * fabsl(n.z);
    case FENDER_GEOMETRY_DISK: h = r * across; break;
    case FENDER_GEOMETRY_CYLINDER: h = r * across + l * fabsl(n.z); break;
    case FENDER_GEOMETRY_CONE:
        h = r * across - l * n.z;
        if (l * n.z > h) h = l * n.z;
        break;
    case FENDER_GEOMETRY_BOX: h = g->half.x * fabsl(n.x) + g->half.y * fabsl(n.y) + g->half.z * fabsl(n.z); break;
    case FENDER_GEOMETRY_ELLIPSOID: h = long_length((long3){g->half.x * n.x, g->half.y * n.y, g->half.z * n.z}); break;
    case FENDER_GEOMETRY_HULL:
        h = -INFINITY;
        for (int i = 0; i < g->polytope->vertex_count; i++) {
            long double along = long_dot(n, long_of(g->polytope->vertices[i]));
            if (along > h) h = along;
        }
        break;
    case FENDER_GEOMETRY_USER: { /* of these tests: an ellipsoid, its semi-axes are the data */
        const double *e = g->user_data;
        h = long_length((long3){e[0] * n.x, e[1] * n.y, e[2] * n.z});
        break;
    }
    default: return NAN;
    }
    return h + g->rounding * length;
}

#endif
