/* Boxes as polytopes: with six faces, flat with two, a segment, or a point. */
#include "geometry/polytope.h"

/* The corner with bit k set lies on the upper side along the k-th of the axes that have an extent. */
static void place_corners(fnd_polytope *p, fender_vec3 half, const int *axes)
{
    const double extent[3] = {half.x, half.y, half.z};
    for (int i = 0; i < p->vertex_count; i++) {
        double c[3] = {0, 0, 0};
        for (int k = 0; 1 << k < p->vertex_count; k++) c[axes[k]] = i >> k & 1 ? extent[axes[k]] : -extent[axes[k]];
        p->vertices[i] = fender_vec3_make(c[0], c[1], c[2]);
    }
}

static fender_vec3 along(int axis, double sign)
{
    return fender_vec3_make(axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0);
}

static void set_face(fnd_polytope *p, int face, const int32_t *corners, fender_vec3 normal, double offset)
{
    p->face_start[face + 1] = p->face_start[face] + 4;
    for (int k = 0; k < 4; k++) p->face_vertices[p->face_start[face] + k] = corners[k];
    p->face_normals[face] = normal;
    p->face_offsets[face] = offset;
}

/* The edges of closed faces: each is met once in either order. */
static void find_edges(fnd_polytope *p)
{
    int count = 0;
    for (int f = 0; f < p->face_count; f++) {
        for (int k = 0; k < 4; k++) {
            int32_t from = p->face_vertices[4 * f + k], to = p->face_vertices[4 * f + (k + 1) % 4];
            int at = 0;
            while (at < count && !(p->edges[at].vertex[0] == to && p->edges[at].vertex[1] == from)) at++;
            if (at < count) p->edges[at].face[1] = f;
            else p->edges[count++] = (fnd_polytope_edge){{from, to}, {f, -1}};
        }
    }
}

static void make_solid(fnd_polytope *p, const double extent[3])
{
    for (int axis = 0; axis < 3; axis++) {
        int32_t u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, w = 1 << axis;
        const int32_t upper[4] = {w, w + u, w + u + v, w + v}, lower[4] = {0, v, u + v, u};
        set_face(p, 2 * axis, lower, along(axis, -1), extent[axis]);
        set_face(p, 2 * axis + 1, upper, along(axis, 1), extent[axis]);
    }
    find_edges(p);
}

static void make_flat(fnd_polytope *p, const int *axes)
{
    int flat = 3 - axes[0] - axes[1];
    double sign = (axes[0] + 1) % 3 == axes[1] ? 1 : -1; /* of the cross product of the two axes along the third */
    const int32_t up[4] = {0, 1, 3, 2}, down[4] = {2, 3, 1, 0};
    set_face(p, 0, up, along(flat, sign), 0);
    set_face(p, 1, down, along(flat, -sign), 0);
    find_edges(p);
}

fnd_polytope *fnd_polytope_of_box(const fender_env *env, fender_vec3 half)
{
    const double extent[3] = {half.x, half.y, half.z};
    static const int face_counts[4] = {0, 0, 2, 6}, edge_counts[4] = {0, 1, 4, 12};
    int axes[3], dimension = 0;
    for (int axis = 0; axis < 3; axis++)
        if (extent[axis] > 0) axes[dimension++] = axis;
    int faces = face_counts[dimension];
    fnd_polytope *p = fnd_polytope_allocate(env, 1 << dimension, faces, 4 * faces, edge_counts[dimension]);
    if (!p) return NULL;
    place_corners(p, half, axes);
    if (dimension == 3) make_solid(p, extent);
    if (dimension == 2) make_flat(p, axes);
    if (dimension == 1) p->edges[0] = (fnd_polytope_edge){{0, 1}, {-1, -1}};
    fnd_polytope_finish(p);
    fnd_polytope_lay_planes(p);
    p->center = fender_vec3_make(0, 0, 0);
    return p;
}
