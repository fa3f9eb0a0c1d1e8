/* Triangles of a surface that a solid may touch, found eight at a time, and facets before a polytope. */
#ifndef FND_COLLIDE_MESH_SCAN_H
#define FND_COLLIDE_MESH_SCAN_H

#include "geometry/polytope.h"
#include "geometry/surface.h"

/* ---- The region: of a mesh what meets a box, of a grid all of its shadow ---- */

/* Begun for a box in G of the surface; fnd_surface_scan walks through it. */
typedef struct fnd_surface_footprint {
    const fnd_surface *surface;
    fnd_surface_traversal traversal; /* of a mesh */
    int i0, i1, j0, j1, i, j;        /* of a grid: columns from i0 to i1, rows from j0 to j1, and where it is */
} fnd_surface_footprint;
void fnd_surface_footprint_begin(fnd_surface_footprint *footprint, const fnd_surface *surface, fender_box box);
/* Are all triangles of `walk` among those of `inner`? false: maybe. Neither was moved on. */
bool fnd_surface_footprint_is_all(const fnd_surface_footprint *inner, const fnd_surface_footprint *traversal);

/* ---- Scans ---- */

enum { FND_SCAN_BATCHES = 32, FND_SCAN_FOUND = FND_SCAN_BATCHES * FND_TREE_WIDTH };

/* A triangle whose cell may hold a part of the solid, in G of the solid. */
typedef struct fnd_visible_facet {
    int32_t triangle, plane;
    double spread;          /* see fnd_surface */
    fender_vec3 normal;     /* of its plane, like the offset: one for all triangles of the plane */
    double offset;          /* depth of a point x of the solid's core: offset - normal . x */
    double depth;           /* of the box around the solid */
    fender_vec3 corners[3]; /* of the triangle */
} fnd_visible_facet;

/* The solid as the scan sees it: a box around its core, turned by R_AB and moved by p_AB into G of the surface. */
typedef struct fnd_surface_visibility {
    const fnd_surface *surface;
    fender_mat3 R_AB;
    fender_vec3 p_AB, center, half;
    double rounding;
    double thin; /* how deep it may be below a facet that it no longer meets, and still be in its cell */
} fnd_surface_visibility;

/* Begin, then `more` until it says false; each time there is another lot of those found. */
typedef struct fnd_surface_scan {
    const fnd_surface_visibility *visibility;
    fnd_surface_footprint region;
    const fnd_surface_footprint *without; /* triangles of that one are left out; NULL: none */
    fnd_visible_facet found[FND_SCAN_FOUND];
    int count, lots; /* found in this lot; lots so far */
} fnd_surface_scan;
/* `box` in G of the surface. What is begun stays valid as long as sight and `without` do. */
void fnd_surface_scan_begin(fnd_surface_scan *scan, const fnd_surface_visibility *visibility, fender_box box,
                            const fnd_surface_footprint *without);
bool fnd_surface_scan_more(fnd_surface_scan *scan);
/* The same from the start, at no cost where there was only one lot yet. */
bool fnd_surface_scan_first(fnd_surface_scan *scan);
/* Is all that the solid sees one plane that does not end there? A triangle of it, or -1. *sees_any: does it see one? */
int32_t fnd_surface_flat_ground(fnd_surface_scan *scan, bool *sees_any);

/* Triangles that may be within a distance of a point; numbers only. */
typedef struct fnd_surface_sphere_scan {
    fender_vec3 center; /* in G of the surface */
    double limit;
    fnd_surface_footprint region;
    int32_t found[FND_SCAN_FOUND];
    int count;
} fnd_surface_sphere_scan;
void fnd_surface_sphere_scan_begin(fnd_surface_sphere_scan *scan, const fnd_surface *surface, fender_vec3 center,
                                   double limit);
bool fnd_surface_sphere_scan_more(fnd_surface_sphere_scan *scan);

/* For each width of registers; all yield the same bits. They return false when nothing was left to look at. */
typedef bool fnd_surface_scan_function(fnd_surface_scan *);
typedef bool fnd_surface_sphere_scan_function(fnd_surface_sphere_scan *);
fnd_surface_scan_function fnd_surface_scan_plain, fnd_surface_scan_avx2, fnd_surface_scan_avx512;
fnd_surface_sphere_scan_function fnd_surface_sphere_scan_plain, fnd_surface_sphere_scan_avx2,
    fnd_surface_sphere_scan_avx512;

/* ---- Facets before a polytope ---- */

enum { FND_SAMPLE_BITS = 64, FND_MORE_BORDERS = 34 };

/* Room for the borders of a triangle's cell: its own, and those of the face that it is a part of. */
typedef struct fnd_triangle_cell {
    fender_vec3 corners[3 + FND_MORE_BORDERS], inward[3 + FND_MORE_BORDERS];
    uint64_t within[3 + FND_MORE_BORDERS];
} fnd_triangle_cell;

/* Of each vertex of a polytope: bits of the first FND_SIDES_KNOWN borders of a cell that it is beyond, by more than
 * what rounding may change; the last bit: not below the facet. */
enum { FND_SIDES_KNOWN = 63, FND_SIDES_VERTICES = 1024 };
typedef struct fnd_vertex_sides {
    uint64_t beyond[FND_SIDES_VERTICES];
} fnd_vertex_sides;

/* `corners` with `borders` through the sides from them, towards the cell, and `within`: the vertices on the cell's side
 * of each, all bits where there are more than FND_SAMPLE_BITS. */
typedef struct fnd_surface_sample {
    const fnd_visible_facet *at;
    int sides;
    int spanned; /* corners that the facet lies between, the first ones; the others are on borders of its face, or at
                  * the same places */
    const fender_vec3 *corners;
    fender_vec3 *inward;
    uint64_t *within;
    double deepest;         /* of the polytope's core, 0 or more */
    uint64_t below;         /* vertices deeper than 0; all bits where there are more than FND_SAMPLE_BITS */
    uint64_t faces;         /* of the first ones: those that look down */
    bool empty;             /* nothing of the polytope is in the cell, by a closer look */
    bool alone;             /* no neighbour is in the same plane */
    fnd_triangle_cell *own; /* where the borders of a triangle's cell are kept */
} fnd_surface_sample;

/* How deep the polytope reaches below the triangle's plane. */
void fnd_surface_sample_depth(const fnd_polytope *polytope, fnd_surface_sample *look);
/* Faces from `first` on, up to FND_SAMPLE_BITS, that look down; false: the cell, down to the depth, is out of one of
 * them as a whole, however its borders lean. Begins with `empty`, or adds to it. */
bool fnd_surface_sample_faces(const fnd_polytope *polytope, fnd_surface_sample *look, double rounding, int first,
                              uint64_t *faces);
/* Cells of several triangles, at most 8: borders halfway between their normals and their neighbours'. */
void fnd_surface_sample_cells(const fnd_surface_visibility *visibility, const fnd_polytope *polytope,
                              fnd_surface_sample *const *looks, int count);
/* Adds the borders of the face that a triangle of a mesh is a part of. */
void fnd_surface_bound_by_face(const fnd_surface_visibility *visibility, fnd_surface_sample *look);
/* Fills `within` from the borders; false: all vertices are beyond one of them. */
bool fnd_surface_sample_within(const fnd_polytope *polytope, fnd_surface_sample *look);

/* Of polytopes of up to FND_SIDES_VERTICES vertices, that are no farther than `reach` from the origin. False: all are
 * beyond one of the borders. */
bool fnd_surface_sample_sides(const fnd_polytope *polytope, const fnd_surface_sample *look, double reach,
                              fnd_vertex_sides *sides);

/* For each width of registers; all yield the same bits. */
typedef struct fnd_surface_sample_functions {
    void (*depth)(const fnd_polytope *, fnd_surface_sample *);
    bool (*faces)(const fnd_polytope *, fnd_surface_sample *, double, int, uint64_t *);
    bool (*within)(const fnd_polytope *, fnd_surface_sample *);
    void (*cells)(const fnd_surface_visibility *, const fnd_polytope *, fnd_surface_sample *const *, int);
    bool (*sides)(const fnd_polytope *, const fnd_surface_sample *, double, fnd_vertex_sides *);
} fnd_surface_sample_functions;
extern const fnd_surface_sample_functions fnd_surface_sample_plain, fnd_surface_sample_avx2, fnd_surface_sample_avx512;

#endif
