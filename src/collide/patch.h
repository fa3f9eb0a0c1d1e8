/* A polytope on a surface: what is known while its patches are collected. Vectors in G of the polytope. */
#ifndef FND_COLLIDE_PATCH_H
#define FND_COLLIDE_PATCH_H

#include "collide/mesh_convex.h"
#include "collide/mesh_scan.h"
#include "collide/power_part.h"
#include <assert.h>

/* The part of one face below one plane of the ground, of several triangles. */
typedef struct fnd_ground_part {
    int32_t plane, face;
    fender_vec3 origin, e1, e2; /* of the face */
    fnd_area_moments moments;
    fnd_power_part powers; /* unless the law is linear */
    double counted;        /* see fnd_patch_counted */
    fender_vec3 normal;    /* of the plane, as of a sighting */
    double offset;
} fnd_ground_part;

/* All parts below one small triangle: their forces are parallel, so one point has their force, torque and energy. */
typedef struct fnd_ground_sum {
    /* Sums of counted area, times depth^n, times depth^(n + 1), over the full area; n: 1 for a linear law */
    double area, force, energy;
    fender_vec3 first; /* of force times place */
} fnd_ground_sum;

/* A face of the polytope, once it is needed. x along its first edge. */
enum { FND_GROUND_CORNERS = 8 };
typedef struct fnd_ground_face {
    fender_vec3 origin, e1, e2;
    int count;                               /* of corners */
    uint64_t vertices;                       /* bits as in fnd_surface_sample; all where there are too many */
    fender_vec2 corners[FND_GROUND_CORNERS]; /* the first ones */
} fnd_ground_face;

/* The pressure inside a cylinder over the columns above what counts of its caps in the cells of a solid: force, force
 * times place, energy. */
typedef struct fnd_ground_columns {
    double force, energy;
    fender_vec3 first;
} fnd_ground_columns;

/* What borders of cells do, beside the contacts, about the origin, and what changes of counted parts do. */
typedef struct fnd_ground_beside {
    fender_vec3 force, moment, inertia;
} fnd_ground_beside;

/* A part of the pressure, from 0 to 1, and its decrease as the solid moves and as it rotates about its origin, in G of
 * the solid. */
typedef struct fnd_side_part {
    double part;
    fender_vec3 force, moment;
} fnd_side_part;

/* The shortest way on which the solid leaves another one, along a normal at a place of it, in G of the solid. */
typedef struct fnd_ground_way_out {
    bool known;
    double length;
    fender_vec3 normal, place;
} fnd_ground_way_out;

typedef struct fnd_field fnd_field; /* see patch_round.c */
struct fnd_fillets;                 /* see patch_fillet.h */
enum { FND_GROUND_PARTS = 48, FND_GROUND_FACES = 4096, FND_FEW_FACES = 8 };
typedef struct fnd_ground {
    const fnd_surface_view *view;
    const fnd_polytope *polytope;
    fnd_manifold *out;
    int first; /* of the patch in out */
    double full_area;
    double exponent, half;       /* n, of the law, and 1 / (n + 1) */
    double rounding;             /* of both solids */
    double swept;                /* of the polytope */
    const fnd_visible_facet *at; /* the triangle that is being looked at */
    fnd_ground_face faces[FND_SAMPLE_BITS];
    uint64_t known;                     /* which of them are made */
    uint64_t faces_at[FND_SAMPLE_BITS]; /* of the first faces, those at each vertex */
    bool listed;                        /* are these there? */
    fnd_vertex_sides vertex_sides;      /* of a polytope of more than FND_SAMPLE_BITS vertices, at a cell */
    fnd_ground_beside beside, pressure;
    fnd_ground_beside *of_pressure; /* of a round solid's side: `beside` where the law is linear, else `pressure` */
    fnd_ground_part parts[FND_GROUND_PARTS];
    int part_count;
    fnd_ground_sum sum; /* of the triangle that is being looked at */
    double small;       /* triangles of a smaller area have one point */
    double fade;
    bool selects; /* of walls, whose facets look opposite ways: do only parts count that are within the surface? */
    double way;   /* the shortest one that is known on which the solid leaves all of the surface; INFINITY: none yet */
    bool hidden;  /* is the last part that was looked at not? */
    int32_t triangle; /* of a mesh, whose triangles are the polytope one after another; -1: a polytope */
    /* Of a closed mesh: the facet with the shortest way out. */
    fender_vec3 out_normal;
    double out_depth;
    bool limits; /* of a convex solid: do parts count less that are deeper than the shortest way out? */
    fnd_ground_way_out way_out;
    double deepest; /* of the middles of all parts so far */
    /* Of the deepest corner of a part: depth, part of the face's normal into the facet, place in G of the polytope,
     * normal of the facet. */
    double corner_depth, corner_down;
    fender_vec3 corner, corner_normal;
    fender_box box;   /* around the triangles that they are below, in G of the surface */
    fnd_field *field; /* of a disk or cylinder: its caps are the faces of the polytope; NULL: a polytope */
    const struct fnd_section *across; /* of its pressure; NULL: a disk */
    bool is_disk;
    bool is_rounded;             /* a prism around a rounded cylinder or disk, or one on a rounded solid */
    bool side_alone;             /* of such a solid's side: its caps do not count, and take what is above them */
    fnd_ground_columns columns;  /* of the face of a solid that is being looked at */
    struct fnd_fillets *fillets; /* of a rounded polytope that carries the cells; NULL: none */
    bool met;                    /* a triangle that the solid meets was found */
    bool one;                    /* is the deepest point alone wanted? Then it is kept, and the sums of all */
    fnd_patch_sums sums;
    uint64_t seen[FND_GROUND_FACES / 64]; /* faces of a polytope's skin that were looked at */
} fnd_ground;

void fnd_ground_begin(fnd_ground *ground, const fnd_surface_view *view, const fnd_polytope *polytope,
                      fnd_surface_scan *scan, fnd_manifold *out);
/* Looks at all triangles that the scan finds. False: the solid does not touch. */
bool fnd_ground_collect(fnd_ground *ground, fnd_surface_scan *scan);
/* Does a solid overlap a triangle that the scan finds? With rounding: may it? */
bool fnd_surface_scan_meets(fnd_surface_scan *scan, const fnd_polytope *polytope);
/* Are there two facets among those that the scan finds that look opposite ways? */
bool fnd_surface_scan_has_opposite(fnd_surface_scan *scan);
/* The one triangle of a mesh that is the polytope now, in the cell of a facet. `small`: into the sum of the facet. */
void fnd_ground_add_triangle(fnd_ground *ground, fnd_surface_sample *look, bool small);
/* Four points for a part that is complete, in G of the polytope: point_b on the core, distance minus the depth. */
void fnd_ground_add_points(fnd_ground *ground, const fnd_ground_part *part);
void fnd_ground_add_sum(fnd_ground *ground, int32_t triangle);
/* A place of the solid at a depth below the facet that is looked at, in G of the polytope. On the border of two cells
 * both facets have it: that which the face lies on more (`down`) is the way that it came. */
static inline void fnd_ground_add_point(fnd_ground *g, double depth, double down, fender_vec3 place)
{
    assert(g->at);
    const double same = 1e-9 * depth + 1e-13 * g->view->radius; /* but for rounding */
    if (!(depth > g->corner_depth - same) || (depth <= g->corner_depth + same && !(down > g->corner_down))) return;
    g->corner_depth = depth > g->corner_depth ? depth : g->corner_depth;
    g->corner_down = down;
    g->corner = place;
    g->corner_normal = g->at->normal;
}
/* Moves and tilts what was added so that force and torque are the slope of the energy; turns it to world axes. */
void fnd_ground_balance(fnd_ground *ground);
/* Where the deepest point alone is wanted: makes it a single contact, in world axes. */
void fnd_ground_keep_deepest(fnd_ground *ground);

/* A force and a moment about the origin of b, over the stiffness, in world axes. */
typedef struct fnd_patch_wrench {
    fender_vec3 force, moment;
} fnd_patch_wrench;
/* Spreads what changes the energy beside the depths over contacts that are complete. */
void fnd_patch_push(const fnd_posed *a, const fnd_posed *b, const fnd_patch_wrench *push, int first, fnd_manifold *out);

/* ---- Round solids ---- */

/* A capsule, whose contacts are those of a pressure within it and of spheres at its ends; not when it is a sphere, or a
 * line within rounding. */
bool fnd_surface_is_pressed(const fender_geometry *solid);
/* The pressure within a cylinder, of the triangles that are looked at one by one; on a solid, less what caps take of it
 * before a face. */
void fnd_field_add_facet(fnd_field *field, const fnd_visible_facet *at);
void fnd_field_subtract(fnd_field *field, int32_t plane, const fnd_ground_columns *columns);
/* How much of it counts: less where flat ground beside the facet, at an edge, is the shorter way out. */
fnd_side_part fnd_field_rim_part(const fnd_field *field, const fnd_visible_facet *at);
/* A disk that stands upright in a facet: force, force times place, energy. */
void fnd_field_add_rim(fnd_field *field, const fnd_visible_facet *at, double force, fender_vec3 first, double energy);
/* Adds its contacts; those of ends that are apart, within `reach`. */
void fnd_surface_add_pressed(const fnd_surface_view *view, double reach, fnd_manifold *out);
/* Those of a disk or a cylinder. `side_alone`: without the foundation of its caps. */
void fnd_surface_add_capped(const fnd_surface_view *view, fnd_surface_scan *scan, bool side_alone, fnd_manifold *out);
/* Those of the side of a rounded one, or of one on a rounded solid, whose caps are added as faces. */
void fnd_surface_add_rounded_side(const fnd_surface_view *view, fnd_manifold *out);

#endif
