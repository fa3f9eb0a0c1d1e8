/* Memory of polytopes: one block, and what follows from vertices, faces and edges. */
#include "geometry/polytope.h"

#include "base/memory.h"
#include "geometry/polytope_cells.h"
#include <string.h>

/* The next part of the block; every part starts at a multiple of 16 bytes. */
static size_t take(size_t *size, size_t bytes)
{
    size_t at = *size;
    *size += (bytes + 15) / 16 * 16;
    return at;
}

fnd_polytope *fnd_polytope_allocate(const fender_env *env, int vertex_count, int face_count, int face_vertex_count,
                                    int edge_count)
{
    size_t size = 0, vertices = (size_t)vertex_count, faces = (size_t)face_count, padded = (vertices + 7) / 8 * 8;
    take(&size, sizeof(fnd_polytope));
    size_t at_vertices = take(&size, vertices * sizeof(fender_vec3));
    size_t at_start = take(&size, (faces + 1) * sizeof(int32_t));
    size_t at_corners = take(&size, (size_t)face_vertex_count * sizeof(int32_t));
    size_t at_normals = take(&size, faces * sizeof(fender_vec3));
    size_t at_offsets = take(&size, faces * sizeof(double));
    size_t at_areas = take(&size, faces * sizeof(double));
    size_t at_edges = take(&size, (size_t)edge_count * sizeof(fnd_polytope_edge));
    size_t at_neighbour_start = take(&size, (vertices + 1) * sizeof(int32_t));
    size_t at_neighbours = take(&size, 2 * (size_t)edge_count * sizeof(int32_t));
    size_t at_weights = take(&size, vertices * sizeof(double));
    size_t cells = fnd_polytope_cells_size(vertex_count), at_cells = take(&size, cells);
    size_t padded_faces = (faces + 7) / 8 * 8;
    size_t at_axes = take(&size, (3 * padded + 4 * padded_faces) * sizeof(double) + 64);
    char *block = fnd_allocate(env, size);
    if (!block) return NULL;
    fnd_polytope *p = (void *)block;
    p->vertex_count = vertex_count;
    p->face_count = face_count;
    p->edge_count = edge_count;
    p->vertices = (void *)(block + at_vertices);
    p->face_start = (void *)(block + at_start);
    p->face_vertices = (void *)(block + at_corners);
    p->face_normals = (void *)(block + at_normals);
    p->face_offsets = (void *)(block + at_offsets);
    p->face_areas = (void *)(block + at_areas);
    p->edges = (void *)(block + at_edges);
    p->neighbour_start = (void *)(block + at_neighbour_start);
    p->neighbours = (void *)(block + at_neighbours);
    p->corner_weights = (void *)(block + at_weights);
    at_axes += (size_t)(-(uintptr_t)(block + at_axes) & 63); /* no load of a wide register straddles two lines */
    p->x = (void *)(block + at_axes);
    p->y = p->x + padded;
    p->z = p->y + padded;
    p->face_x = p->z + padded;
    p->face_y = p->face_x + padded_faces;
    p->face_z = p->face_y + padded_faces;
    p->face_w = p->face_z + padded_faces;
    p->cells = cells ? (void *)(block + at_cells) : NULL; /* laid out when the vertices are there */
    p->padded_count = (int)padded;
    p->size = size;
    return p;
}

static void fill_neighbours(fnd_polytope *p)
{
    int32_t *start = p->neighbour_start;
    for (int i = 0; i <= p->vertex_count; i++) start[i] = 0;
    for (int e = 0; e < p->edge_count; e++)
        for (int k = 0; k < 2; k++) start[p->edges[e].vertex[k] + 1]++;
    for (int i = 0; i < p->vertex_count; i++) start[i + 1] += start[i];
    for (int e = 0; e < p->edge_count; e++)
        for (int k = 0; k < 2; k++) p->neighbours[start[p->edges[e].vertex[k]]++] = p->edges[e].vertex[1 - k];
    for (int i = p->vertex_count; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
}

/* Of a polygon in the plane across its normal. */
static double polygon_area(const fnd_polytope *p, int face)
{
    const int32_t *corner = p->face_vertices + p->face_start[face];
    int count = p->face_start[face + 1] - p->face_start[face];
    double twice = 0;
    for (int k = 1; k + 1 < count; k++) {
        fender_vec3 u = fender_vec3_sub(p->vertices[corner[k]], p->vertices[corner[0]]);
        fender_vec3 v = fender_vec3_sub(p->vertices[corner[k + 1]], p->vertices[corner[0]]);
        twice += fender_vec3_dot(p->face_normals[face], fender_vec3_cross(u, v));
    }
    return 0.5 * twice;
}

/* No face has corners whose weights add up to more than 1. Without faces all vertices share alike. */
static void fill_corner_weights(fnd_polytope *p)
{
    for (int i = 0; i < p->vertex_count; i++) p->corner_weights[i] = p->face_count > 0 ? 1 : 1.0 / p->vertex_count;
    for (int f = 0; f < p->face_count; f++) {
        int32_t first = p->face_start[f], end = p->face_start[f + 1];
        for (int32_t k = first; k < end; k++) {
            double *weight = &p->corner_weights[p->face_vertices[k]];
            if (1.0 / (end - first) < *weight) *weight = 1.0 / (end - first);
        }
    }
}

void fnd_polytope_finish(fnd_polytope *p)
{
    fill_neighbours(p);
    fill_corner_weights(p);
    fender_vec3 sum = {0, 0, 0};
    for (int i = 0; i < p->vertex_count; i++) /* weighed at once: no overflow */
        sum = fender_vec3_add_scaled(sum, 1.0 / p->vertex_count, p->vertices[i]);
    p->center = sum;
    for (int i = 0; i < p->padded_count; i++) {
        fender_vec3 v = p->vertices[i < p->vertex_count ? i : p->vertex_count - 1];
        p->x[i] = v.x;
        p->y[i] = v.y;
        p->z[i] = v.z;
    }
    for (int f = 0; f < p->face_count; f++) p->face_areas[f] = polygon_area(p, f);
    p->cells = fnd_polytope_cells_fill(p, p->cells);
}

void fnd_polytope_lay_planes(fnd_polytope *p)
{
    for (int i = 0; p->face_count > 0 && i < (p->face_count + 7) / 8 * 8; i++) {
        int f = i < p->face_count ? i : p->face_count - 1;
        p->face_x[i] = p->face_normals[f].x;
        p->face_y[i] = p->face_normals[f].y;
        p->face_z[i] = p->face_normals[f].z;
        p->face_w[i] = p->face_offsets[f];
    }
}

void fnd_polytope_release(const fender_env *env, fnd_polytope *polytope)
{
    if (polytope) fnd_release(env, polytope, polytope->size);
}
