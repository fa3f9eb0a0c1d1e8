/* A solid on a plane: what patches of polytopes and of round solids have in common. */
#ifndef FND_COLLIDE_PATCH_FLOOR_H
#define FND_COLLIDE_PATCH_FLOOR_H

#include "collide/pair_table.h"
#include "collide/patch_polygon.h"

/* What a patch belongs to; the upper bits of a feature. */
typedef enum fnd_patch_kind {
    FND_PATCH_FACE = 1, /* of a polytope, or a cap on another solid's face; number of the face */
    FND_PATCH_CAP,      /* 0: lower, 1: upper */
    FND_PATCH_LINE,     /* number of the edge of a flat polytope, 0 for round bodies */
    FND_PATCH_TIP       /* lowest point of a cap or its apex: 0: lower, 1: upper; number of a vertex */
} fnd_patch_kind;

/* Vectors in world axes; origin at a's p_WG. */
typedef struct fnd_patch_floor {
    const fnd_placed *solid;
    fender_vec3 solid_p; /* its origin */
    fender_vec3 normal;  /* out of the floor */
    double offset;       /* normal . x on the core of the floor */
    double floor_rounding, solid_rounding;
    double reach;
    double lift; /* points at most so far above the floor belong to a patch as well [m, >= 0]: reach if finite */
    double full_area;
    fnd_manifold *out;
    int first; /* of the patch in out */
    /* sums over what was added */
    double force;       /* weight times depth */
    fender_vec3 moment; /* horizontal; the moment that changes of weights do, turned into a shift times force */
    double deepest;
} fnd_patch_floor;

/* Name of a point of a face of b's patch on a face of a. */
uint64_t fnd_patch_face_feature(int32_t face_a, int32_t face_b, int index);
/* The feature of a patch on a plane, as that of one on a face of a. */
uint64_t fnd_patch_on_face(uint64_t feature, int32_t face_a);
/* The feature as it is called when a and b are swapped. */
uint64_t fnd_patch_feature_mirrored(uint64_t feature);
/* Depth of a point of the solid's core. */
static inline double fnd_patch_depth(const fnd_patch_floor *f, fender_vec3 x)
{
    return f->offset - fender_vec3_dot(f->normal, x) + (f->floor_rounding + f->solid_rounding);
}
/* Part of a face's area that counts, by `down`, the part of its outward normal into the floor (> 0), and its
 * derivative: the projected area, but for steep faces. */
double fnd_patch_counted(double down, double *derivative);
/* Adds a point of the solid's core; nothing without weight, or a tip that lies beyond the reach. */
void fnd_patch_add(fnd_patch_floor *floor, fender_vec3 core, double depth, double weight, fnd_patch_kind kind,
                   int number, int index);
/* Faces, edges, vertices of the solid's polytope. */
void fnd_patch_add_polytope(fnd_patch_floor *floor);
/* Cap, side and tip of a disk, cylinder, cone or capsule. */
void fnd_patch_add_round(fnd_patch_floor *floor);
/* Shifts what was added by moment / force, so that force and torque are the gradient of the energy. */
void fnd_patch_finish(fnd_patch_floor *floor);

#endif
