/* Faces of a polytope in cells of a surface: what patch.c, patch_face.c and patch_way_out.c share. */
#ifndef FND_COLLIDE_PATCH_FACE_H
#define FND_COLLIDE_PATCH_FACE_H

#include "collide/patch.h"
#include "collide/polygon_cut.h"

/* A face below the plane of a facet: its depth at the face's origin, and how it changes along the face's axes. */
typedef struct fnd_face_view {
    const fnd_ground_face *face;
    int number;
    double depth, slope_x, slope_y;
} fnd_face_view;

/* An integral over a part of a face, and how it changes as the solid moves and as it rotates about its origin. */
typedef struct fnd_part_sum {
    double sum;
    fender_vec3 by_way, by_turn;
} fnd_part_sum;

/* Grouping of the points of a facet: by plane, by face, or one sum. */
enum { FND_PART_PLANE, FND_PART_ALONE, FND_PART_SMALL };

/* All facets that the scan finds, and those beside them whose cells reach into its box. */
void fnd_ground_look_at_all(fnd_ground *ground, fnd_surface_scan *scan);
/* Parts of faces in the cell of the facet that was looked at. */
void fnd_ground_add_cell(fnd_ground *ground, fnd_surface_sample *look);
/* The part of a face in the cell that was looked at. */
void fnd_ground_add_face(fnd_ground *ground, const fnd_surface_sample *look, int face, int group);

/* True if the solid overlaps the triangle; with rounding, if it may overlap it. */
bool fnd_polytope_meets(const fnd_polytope *polytope, double rounding, const fender_vec3 corners[3]);

/* Is the middle of a part behind the surface, and the facet, at this depth, about the nearest? */
bool fnd_part_is_inside(const fnd_ground *ground, const fnd_face_view *view, const fnd_area_moments *part,
                        double depth);
/* Is it so, or is it beyond a wall, and the facet about the shortest way out? */
bool fnd_part_counts(fnd_ground *ground, const fnd_face_view *view, const fnd_area_moments *part, double depth);
/* On a convex solid: may a piece of a part be far behind other facets than the one that is looked at? */
bool fnd_part_may_be_ghost(fnd_ground *ground, const fnd_face_view *view, const fnd_cut *piece);
/* Of such a part: adds the integrals of the depth and of its square over a piece. */
void fnd_part_add_depths(const fnd_ground *ground, const fnd_face_view *view, const fnd_surface_sample *look,
                         const fnd_cut *piece, fnd_part_sum *depth, fnd_part_sum *square);
/* How much of it counts, by these. */
fnd_side_part fnd_part_fade(fnd_ground *ground, const fnd_part_sum *depth, const fnd_part_sum *square);
/* The weight of the facet that is looked at, from 0 to 1: less where it opposes the shortest way out. */
double fnd_facet_counts(const fnd_ground *ground);
/* Looks for the shortest way out among the facets that the scan finds. */
void fnd_ground_find_way_out(fnd_ground *ground, fnd_surface_scan *scan);

#endif
