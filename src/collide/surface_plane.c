/* Planes against grids and meshes. The vertices of a grid are a cloud, each with its share of the area; triangles of a
 * mesh are faces. */
#include "collide/surface.h"

/* A third of the triangles around a vertex, over all triangles. */
static double share(const fnd_surface *s, int vertex)
{
    double sum = 0;
    for (int i = s->vertex_start[vertex]; i < s->vertex_start[vertex + 1]; i++) {
        fender_vec3 p = fnd_surface_corner(s, s->vertex_triangles[i], 0);
        fender_vec3 u = fender_vec3_sub(fnd_surface_corner(s, s->vertex_triangles[i], 1), p);
        fender_vec3 v = fender_vec3_sub(fnd_surface_corner(s, s->vertex_triangles[i], 2), p);
        sum += fender_vec3_length(fender_vec3_cross(u, v)) / 6;
    }
    return s->area > 0 ? sum / s->area : 0;
}

/* One vertex: out of the surface towards the plane's body is against the plane's normal. */
static fender_separation separate(const fnd_placed *a, fender_vec3 n, double offset, int vertex)
{
    fender_vec3 point = fender_mat3_times(&a->R_WG, a->geometry->surface->vertices[vertex]);
    double distance = fender_vec3_dot(n, point) - offset;
    fender_vec3 out = fender_vec3_negate(n);
    return fnd_single(distance, point, fender_vec3_add_scaled(point, distance, out), out, (uint64_t)vertex);
}

void fnd_surface_plane(const fnd_placed *a, const fnd_placed *b, const fnd_query *query, fnd_manifold *out)
{
    const fnd_surface *s = a->geometry->surface;
    fender_vec3 n = fender_mat3_column(&b->R_WG, 2);
    double offset = fender_vec3_dot(n, fender_vec3_sub(b->p_WG, a->p_WG)) + b->geometry->rounding;
    fender_separation lowest = {.distance = INFINITY};
    bool shares = query->kind == FND_QUERY_PATCH && s->count_x > 0; /* of a grid: its triangles look up */
    int first = out->count;
    for (int i = 0; i < s->vertex_count; i++) {
        if (s->vertex_start[i] == s->vertex_start[i + 1]) continue; /* no triangle has it */
        fender_separation one = separate(a, n, offset, i);
        if (one.distance < lowest.distance) lowest = one;
        if (!shares || !(one.distance <= query->reach)) continue;
        one.weight = share(s, i);
        one.area = one.weight * s->area;
        fnd_manifold_add(out, one);
    }
    if (shares || lowest.distance > fnd_query_reach(query)) return;
    if (query->kind == FND_QUERY_PATCH && lowest.distance < 0) {
        fnd_surface_mesh_on_plane(b, a, out);
        if (out->count > first) fnd_pair_mirror(a, b, first, out);
        if (out->count > first) return;
    }
    lowest.feature = 0;
    fnd_manifold_add(out, lowest);
}
