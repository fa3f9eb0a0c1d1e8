/* Solids on a plane, and what their patches share with those on other ground (docs/models/contact_patches.md). */
#ifndef FND_COLLIDE_PLANE_H
#define FND_COLLIDE_PLANE_H

#include "collide/pair_table.h"
#include "collide/polygon_cut.h"

/* Patches of a plane with a convex solid that has flat faces or straight lines: box, hull, disk, cylinder, cone,
 * capsule, with or without rounding. False: this solid has none, a single contact is the whole answer; nothing was
 * added. `lift` shifts the border of a patch; the tip of a round body is there when apart too. */
bool fnd_patch_plane(const fnd_posed *plane, const fnd_posed *convex, const fnd_query *query, fnd_manifold *out);

/* Part of the solid to which a patch belongs: the upper bits of a feature. */
typedef enum fnd_patch_kind {
    FND_PATCH_FACE = 1, /* of a polytope, or a cap on another solid's face; number of the face */
    FND_PATCH_CAP,      /* 0: lower, 1: upper */
    FND_PATCH_LINE,     /* number of the edge of a flat polytope, 0 for round bodies */
    FND_PATCH_TIP       /* lowest point of a cap or its apex: 0: lower, 1: upper; number of a vertex */
} fnd_patch_kind;

/* Name of a point of a face of b's patch on a face of a. */
uint64_t fnd_patch_face_feature(int32_t face_a, int32_t face_b, int index);
/* The feature of a patch on a plane, as that of one on a face of a. */
uint64_t fnd_patch_on_face(uint64_t feature, int32_t face_a);
/* The feature as it is called when a and b are swapped. */
uint64_t fnd_patch_feature_mirrored(uint64_t feature);
/* Part of a face's area that counts, by `down`, the part of its outward normal into the floor (> 0), and its
 * derivative: the projected area, but for steep faces. */
double fnd_patch_counted(double down, double *derivative);
/* Drops those from `first` on that have nearly no part in the sum of the weights. */
void fnd_drop_specks(fnd_manifold *out, int first);

#endif
