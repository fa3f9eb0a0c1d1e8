/* Triangulated surfaces, of meshes and grids: vertices, triangles, neighbours, and a tree of boxes. */
#ifndef FND_GEOMETRY_SURFACE_H
#define FND_GEOMETRY_SURFACE_H

#include <fender/base.h>
#include <fender/spatial.h>

/* Inner nodes have their two children at `first` and `first + 1`, leaves `count` triangles from order[first] on. */
typedef struct fnd_surface_node {
    fender_box box;
    int32_t first, count; /* count 0: inner */
} fnd_surface_node;

typedef struct fnd_surface {
    int vertex_count, triangle_count, node_count;
    fender_vec3 *vertices;
    int32_t (*triangles)[3];
    fender_vec3 *normals;     /* of triangles, unit */
    int32_t (*neighbours)[3]; /* triangle across the edge from corner k to k + 1; -1: border */
    int32_t *order;           /* triangles as the leaves hold them */
    fnd_surface_node *nodes;  /* root first */
} fnd_surface;

fnd_surface *fnd_surface_create(const fender_env *env, const fender_vec3 *vertices, int vertex_count,
                                const int32_t *triangles, int triangle_count);
void fnd_surface_release(const fender_env *env, fnd_surface *surface);

#endif
