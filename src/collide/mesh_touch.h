/* Everything against grids and meshes (docs/models/contact_pairs.md has the definitions). */
#ifndef FND_COLLIDE_MESH_TOUCH_H
#define FND_COLLIDE_MESH_TOUCH_H

#include "collide/pair_table.h"

/* a is the surface. */
fnd_pair_function fnd_surface_point, fnd_surface_cloud, fnd_surface_sphere, fnd_surface_convex, fnd_surface_plane,
    fnd_surface_mesh;

/* Patches of a mesh's triangles on a plane; of a mesh on a polytope with a larger face: then false, none. */
void fnd_surface_mesh_on_plane(const fnd_posed *plane, const fnd_posed *mesh, fnd_manifold *out);
bool fnd_surface_mesh_on_polytope(const fnd_posed *mesh, const fnd_posed *polytope, fnd_manifold *out);
/* True if a polytope touches the other solid, polytope or round, with patches. Depends only on the geometries. */
bool fnd_surface_has_patches(const fender_geometry *a, const fender_geometry *b);
/* Those of two overlapping solids. False: none. */
bool fnd_surface_patches(const fnd_posed *a, const fnd_posed *b, fnd_manifold *out);

/* One place where a solid touches a surface, in G of the surface. */
typedef struct fnd_surface_touch {
    fender_vec3 normal; /* unit, out of the surface */
    fender_vec3 point;  /* on the surface */
    double distance;    /* point + distance normal is on the other */
    int32_t triangle;
    double weight;
    bool on_facet; /* the point lies within the triangle, where its place is certain */
    bool through;  /* of a closed surface: through the back of its triangle it is much nearer */
    /* Of a sphere on an edge or a vertex: distance of its centre, about which the normal turns, and the unit direction
     * of the edge (0: a vertex). 0: the normal does not turn. */
    double turning;
    fender_vec3 edge;
} fnd_surface_touch;
enum { FND_SURFACE_TOUCHES = 64 };
typedef struct fnd_surface_touches {
    fnd_surface_touch items[FND_SURFACE_TOUCHES]; /* the deepest, should there be more */
    int count;
} fnd_surface_touches;

/* Adds a place, but for one that is there already: `same` is the distance within which points, and `turn` the one
 * within which normals count as the same; the deeper one stays. */
void fnd_surface_touch_add(fnd_surface_touches *touches, fnd_surface_touch touch, double same, double rotation);
/* Weights of touching places (distance < 0), so that their forces together are the gradient of one energy that does not
 * depend on how the surface is divided. */
void fnd_surface_touch_weigh(fnd_surface_touches *touches);
/* Adds to the answer: those with weight, numbered from `first_feature` in the order of their normals; when nothing
 * touches, the nearest if it is within reach. */
void fnd_surface_touch_emit(const fnd_surface_touches *touches, const fnd_posed *surface, double reach,
                            uint64_t first_feature, fnd_manifold *out);
/* Adds one separation given in G of the surface. */
void fnd_surface_emit(const fnd_posed *surface, const fnd_surface_touch *touch, uint64_t feature, int index,
                      fnd_manifold *out);
/* Places where a sphere is at a least distance from the surface, those within `reach` of touching; if there is none,
 * the nearest. What is farther away than `range` is not wanted and may be left out. */
void fnd_surface_sphere_touches(const fnd_surface *surface, fender_vec3 center, double radius, double reach,
                                double range, fnd_triangle_memory *memory, fnd_surface_touches *touches);
/* The answer to a query for contacts of a sphere that stands within one triangle, as its memory says; R_WG is the
 * rotation of the surface, whose origin is that of `out`. False: it may be otherwise. */
bool fnd_surface_sphere_stands(const fender_geometry *surface, const fender_mat3 *R_WG, fender_vec3 center,
                               double radius, double range, fnd_triangle_memory *memory, fnd_manifold *out);
/* The nearest place; its distance is the signed one, less the radius. */
fnd_surface_touch fnd_surface_sphere_nearest(const fnd_surface *surface, fender_vec3 center, double radius,
                                             fnd_triangle_memory *memory);
/* The surface is no nearer than that to the place, by what is kept; triangles within `wanted` are kept if they may be.
 * 0: nothing is known. */
double fnd_surface_gap(const fnd_surface *surface, fender_vec3 center, double wanted, fnd_triangle_memory *memory);

#endif
