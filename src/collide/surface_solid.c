/* A triangle of a surface as a flat polytope, so that what is known of convex solids holds for it. */
#include "collide/surface_solid.h"

static void begin(fnd_surface_solid *s, int count)
{
    static const int32_t start[3] = {0, 3, 6}, corners[6] = {0, 1, 2, 0, 2, 1};
    static const int32_t around[4] = {0, 2, 4, 6}, beside[6] = {1, 2, 0, 2, 0, 1};
    s->polytope = (fnd_polytope){.vertex_count = count,
                                 .face_count = count == 3 ? 2 : 0,
                                 .edge_count = count == 3 ? 3 : 1,
                                 .vertices = s->vertices,
                                 .face_start = s->face_start,
                                 .face_vertices = s->face_vertices,
                                 .face_normals = s->normals,
                                 .face_offsets = s->offsets,
                                 .face_areas = s->areas,
                                 .edges = s->edges,
                                 .neighbour_start = s->neighbour_start,
                                 .neighbours = s->neighbours,
                                 .x = s->x,
                                 .y = s->y,
                                 .z = s->z,
                                 .padded_count = 8,
                                 .face_x = s->face_x,
                                 .face_y = s->face_y,
                                 .face_z = s->face_z,
                                 .face_w = s->face_w,
                                 .size = 0};
    for (int i = 0; i < 3; i++) s->face_start[i] = count == 3 ? start[i] : 0;
    for (int i = 0; i < 6; i++) s->face_vertices[i] = corners[i];
    for (int i = 0; i < 4; i++) s->neighbour_start[i] = count == 3 ? around[i] : i < 2 ? i : 2;
    for (int i = 0; i < 6; i++) s->neighbours[i] = count == 3 ? beside[i] : 1 - i % 2;
    for (int k = 0; k < 3; k++) s->edges[k] = (fnd_polytope_edge){{k, (k + 1) % 3}, {0, 1}};
    if (count == 2) s->edges[0] = (fnd_polytope_edge){{0, 1}, {-1, -1}};
    s->geometry = (fender_geometry){.type = FENDER_GEOMETRY_HULL, .polytope = &s->polytope};
}

static void finish(fnd_surface_solid *s)
{
    int count = s->polytope.vertex_count;
    double farthest = 0;
    for (int i = 0; i < 8; i++) {
        fender_vec3 v = s->vertices[i < count ? i : count - 1];
        s->x[i] = v.x;
        s->y[i] = v.y;
        s->z[i] = v.z;
        double length = fabs(v.x) + fabs(v.y) + fabs(v.z); /* at least the length, whatever the size */
        farthest = length > farthest ? length : farthest;
    }
    s->polytope.center = fender_vec3_make(0, 0, 0);
    for (int i = 0; i < count; i++)
        s->polytope.center = fender_vec3_add_scaled(s->polytope.center, 1.0 / count, s->vertices[i]);
    s->geometry.bounding_radius = farthest;
}

void fnd_surface_solid_triangle(fnd_surface_solid *s, const fnd_surface *surface, int32_t triangle, fender_vec3 origin)
{
    begin(s, 3);
    for (int k = 0; k < 3; k++) s->vertices[k] = fender_vec3_sub(fnd_surface_corner(surface, triangle, k), origin);
    fender_vec3 n = fnd_triangle_normal(surface, triangle);
    s->normals[0] = n;
    s->normals[1] = fender_vec3_negate(n);
    s->offsets[0] = fender_vec3_dot(n, s->vertices[0]);
    s->offsets[1] = -s->offsets[0];
    for (int i = 0; i < 8; i++) {
        const fender_vec3 *face = &s->normals[i > 0];
        s->face_x[i] = face->x;
        s->face_y[i] = face->y;
        s->face_z[i] = face->z;
        s->face_w[i] = s->offsets[i > 0];
    }
    s->areas[0] = s->areas[1] = 0.5 *
                                fender_vec3_length(fender_vec3_cross(fender_vec3_sub(s->vertices[1], s->vertices[0]),
                                                                     fender_vec3_sub(s->vertices[2], s->vertices[0])));
    finish(s);
}

void fnd_surface_solid_edge(fnd_surface_solid *s, const fnd_surface *surface, int32_t triangle, int k,
                            fender_vec3 origin)
{
    begin(s, 2);
    for (int i = 0; i < 2; i++) s->vertices[i] = fender_vec3_sub(fnd_surface_corner(surface, triangle, k + i), origin);
    finish(s);
}
