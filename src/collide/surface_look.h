/* Facets of a surface before a polytope: which of its vertices and faces lie in the part of the space behind a
 * facet that is its own. In G of the polytope. */
#ifndef FND_COLLIDE_SURFACE_LOOK_H
#define FND_COLLIDE_SURFACE_LOOK_H

#include "collide/surface_scan.h"
#include "geometry/polytope.h"

enum { FND_LOOK_BITS = 64 };

/* `corners` with `borders` through the sides from them, towards the cell, and `within`: the vertices on the cell's side
 * of each, all bits where there are more than FND_LOOK_BITS. */
typedef struct fnd_surface_look {
    const fnd_surface_sighting *at;
    int sides;
    const fender_vec3 *corners;
    fender_vec3 *inward;
    uint64_t *within;
    double deepest;             /* of the polytope's core, 0 or more */
    uint64_t below;             /* vertices deeper than 0; all bits where there are more than FND_LOOK_BITS */
    uint64_t faces;             /* of the first ones: those that look down */
    bool alone;                 /* no neighbour is in the same plane */
    fender_vec3 room_inward[3]; /* of a triangle */
    uint64_t room_within[3];
} fnd_surface_look;

/* How deep the polytope reaches below the triangle's plane. */
void fnd_surface_look_depth(const fnd_polytope *polytope, fnd_surface_look *look);
/* Faces from `first` on, up to FND_LOOK_BITS, that look down; false: the cell, down to the depth, is out of one of them
 * as a whole. */
bool fnd_surface_look_faces(const fnd_polytope *polytope, const fnd_surface_look *look, double rounding, int first,
                            uint64_t *faces);
/* Cells of several triangles, at most 8: borders halfway between their normals and their neighbours'. */
void fnd_surface_look_cells(const fnd_surface_sight *sight, const fnd_polytope *polytope,
                            fnd_surface_look *const *looks, int count);
/* Fills `within` from the borders. */
void fnd_surface_look_within(const fnd_polytope *polytope, fnd_surface_look *look);

/* For each width of registers; all yield the same bits. */
typedef struct fnd_surface_look_functions {
    void (*depth)(const fnd_polytope *, fnd_surface_look *);
    bool (*faces)(const fnd_polytope *, const fnd_surface_look *, double, int, uint64_t *);
    void (*within)(const fnd_polytope *, fnd_surface_look *);
    void (*cells)(const fnd_surface_sight *, const fnd_polytope *, fnd_surface_look *const *, int);
} fnd_surface_look_functions;
extern const fnd_surface_look_functions fnd_surface_look_plain, fnd_surface_look_avx2, fnd_surface_look_avx512;

#endif
