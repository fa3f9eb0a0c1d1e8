/* Planes of a mesh that cut a solid, and the edges between them. */
#include "collide/cut_plane.h"

/* Of heights over a plane, as a part of the greatest. */
#define ROUNDING 1e-6

fnd_cut_plane *fnd_cut_planes_add(fnd_cut_plane *list, int *count, int capacity, const fnd_cut_plane *plane)
{
    for (int i = 0; i < *count; i++)
        if (list[i].plane == plane->plane) return &list[i];
    if (*count == capacity) return NULL;
    list[*count] = *plane;
    return &list[(*count)++];
}

/* Is a triangle wholly on one side of the plane of another? side: 1 before it, -1 behind it. */
static bool is_beside(const fnd_surface *s, int32_t triangle, int32_t other, double side)
{
    const fender_vec3 n = fnd_triangle_normal(s, s->planes[triangle]), at = fnd_surface_corner(s, triangle, 0);
    double least = 0, most = 0;
    for (int k = 0; k < 3; k++) {
        const double height = side * fender_vec3_dot(n, fender_vec3_sub(fnd_surface_corner(s, other, k), at));
        least = height < least ? height : least;
        most = height > most ? height : most;
    }
    return -least <= ROUNDING * most && most > 0;
}

void fnd_cut_plane_add_edges(const fnd_surface *s, int32_t triangle, fnd_cut_plane *side)
{
    for (int k = 0; k < 3 && side->edge_count < FND_PLANE_EDGES; k++) {
        const int32_t other = s->neighbours[triangle][k], plane = other < 0 ? -1 : s->planes[other];
        bool known = plane < 0 || plane == side->plane;
        for (int i = 0; i < side->edge_count; i++) known = known || side->edges[i] == plane;
        if (!known && is_beside(s, triangle, other, -1)) side->edges[side->edge_count++] = plane;
    }
}

bool fnd_cut_planes_step(const fnd_surface *s, int32_t one, int32_t other)
{
    return is_beside(s, one, other, 1) && is_beside(s, other, one, 1);
}
