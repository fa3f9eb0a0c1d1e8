/* What patches of polytopes and of round solids on a plane have in common (docs/models/contact_patches.md). */
#ifndef FND_COLLIDE_PLANE_FLOOR_H
#define FND_COLLIDE_PLANE_FLOOR_H

#include "collide/plane.h"
#include "collide/power_part.h"

/* Points of the part that is apart have numbers of their own. */
enum { FND_FLOOR_APART = 4 };

/* Vectors in world axes; origin at the plane's p_WG. */
typedef struct fnd_floor {
    const fnd_posed *solid;
    fender_vec3 solid_p; /* its origin */
    fender_vec3 normal;  /* out of the floor */
    double offset;       /* normal . x on the core of the floor */
    double floor_rounding, solid_rounding;
    double reach;
    double lift;      /* points at most so far above the floor belong to a patch as well [m, >= 0] */
    double border;    /* the part of the patch at hand reaches so far above the floor: 0 or `lift` [m] */
    bool apart;       /* and has only what is above it */
    fender_vec3 turn; /* of the points at hand: see fender_separation */
    double full_area;
    double exponent; /* of the law; 1: points of a linear one */
    double denser;   /* weights of the points at hand over those of their areas; 1 for a linear law */
    fnd_manifold *out;
    int first; /* of the patch in out */
    /* sums over what was added */
    double force;       /* weight times depth */
    double energy;      /* half of weight times depth^2 */
    fender_vec3 moment; /* horizontal; the moment that changes of weights do, turned into a shift times force */
    double deepest;
} fnd_floor;

/* Depth of a point of the solid's core. */
double fnd_floor_depth(const fnd_floor *f, fender_vec3 x);
/* Adds a point of the core; none without weight. */
void fnd_floor_add(fnd_floor *f, fender_vec3 core, double depth, double weight, fnd_patch_kind kind, int number,
                   int index);
/* Two Gauss points on the part of a line of the core that is below; its ends are relative to the solid's origin, the
 * whole has `weight`. Returns the sum of weight times depth^2. */
double fnd_floor_add_line(fnd_floor *f, fender_vec3 from, fender_vec3 to, double weight, int number);
/* The patch of a disk, cylinder, cone or capsule. */
void fnd_floor_add_round(fnd_floor *f);
/* Does all of the patch of a round solid lie where it touches or, for a law that acts apart, within its reach? */
bool fnd_floor_round_splits(const fender_geometry *g);

#endif
