/* Oracles of distance: own descriptions of the shapes and own arithmetic, to judge src/collide and src/geometry by.
 *
 * Everything rests on one function. For a unit vector n the width s(n) = n.(b - a) - h_A(n) - h_B(-n), h being support
 * functions, is the room between the two planes across n that hold the shapes. Then
 *   - the signed distance of convex shapes is the maximum of s over all n, so every s(n) is a lower bound of it;
 *   - two points of the shapes, as far apart as s(n), prove that n is the maximum when they are apart;
 *   - in overlap the maximum is global over a function with many hills: oracle_deepest proves it by branch and bound.
 * Roundings are spheres swept over a core and come off at the end: s = s_core - roundings. */
#ifndef TEST_ORACLE_H
#define TEST_ORACLE_H

#include <fender/spatial.h>

typedef long double real;
typedef struct real3 {
    real x, y, z;
} real3;

typedef struct real33 {
    real m[3][3];
} real33;

typedef enum oracle_kind {
    ORACLE_POINT,     /* core of a sphere */
    ORACLE_SEGMENT,   /* +-half_length along z */
    ORACLE_DISK,      /* radius about z */
    ORACLE_BOX,       /* +-half */
    ORACLE_CYLINDER,  /* radius, half_length */
    ORACLE_CONE,      /* base of radius at -half_length, apex at half_length */
    ORACLE_ELLIPSOID, /* semi-axes half */
    ORACLE_POINTS,    /* hull of points */
    ORACLE_TAPER,     /* hull of two spheres: radius at -half_length, half.x at +half_length */
    ORACLE_HALF_SPACE /* z <= 0 */
} oracle_kind;

typedef struct oracle_shape {
    oracle_kind kind;
    double radius, half_length, rounding;
    fender_vec3 half;
    const fender_vec3 *points; /* borrowed */
    int count;
    double size; /* radius about the origin of the frame, rounding included; 0 for a half space */
} oracle_shape;

/* Two placed shapes; the origin is that of a, the axes those of the poses. */
typedef struct oracle_pair {
    const oracle_shape *a, *b;
    real33 Ra, Rb;
    real3 offset; /* from a's origin to b's */
    double Da[3][3], Db[3][3], offset_d[3];
} oracle_pair;

static inline real3 real3_make(real x, real y, real z) { return (real3){x, y, z}; }
static inline real3 real3_of(fender_vec3 v) { return (real3){v.x, v.y, v.z}; }
static inline real3 real3_add(real3 a, real s, real3 b) { return (real3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
static inline real real3_dot(real3 a, real3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline real real3_length(real3 a) { return sqrtl(real3_dot(a, a)); }
static inline real3 real3_cross(real3 a, real3 b)
{
    return (real3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline real3 real3_unit(real3 a)
{
    real l = real3_length(a);
    return (real3){a.x / l, a.y / l, a.z / l};
}

real33 oracle_rotation(fender_quaternion q);
/* Components in the outer frame of a vector of the inner one, and back. */
real3 oracle_outward(const real33 *R, real3 v);
real3 oracle_inward(const real33 *R, real3 v);
void oracle_pair_place(oracle_pair *pair, const oracle_shape *a, const fender_pose *X_WA, const oracle_shape *b,
                       const fender_pose *X_WB);

/* Support point of the core, in the shape's frame; n of any length. Of a half space the origin. */
real3 oracle_support(const oracle_shape *shape, real3 n);
void oracle_support_d(const oracle_shape *shape, const double n[3], double point[3]);
/* How far a point of the shape's frame lies outside the core; 0 or less inside. Of an ellipsoid to first order. */
real oracle_outside(const oracle_shape *shape, real3 point);

/* s(n) with the roundings taken off; n unit. -infinity across anything but the normal of a half space. */
real oracle_width(const oracle_pair *pair, real3 n);
/* Difference of the cores' support points, b's along -n less a's along n: its product with n is s of the cores. */
real3 oracle_difference(const oracle_pair *pair, real3 n);

typedef struct oracle_distance_result {
    real distance; /* 0 in overlap of the cores; roundings not taken off */
    real bound;    /* proven: the distance is no less than this */
    real3 normal;  /* unit, from a to b */
    int steps;
} oracle_distance_result;
/* Distance of the cores by the algorithm of Gilbert, Johnson and Keerthi with its simplex searched exhaustively. */
oracle_distance_result oracle_distance(const oracle_pair *pair);

typedef struct oracle_depth_result {
    double found; /* least width of the overlap of the cores along any direction that was looked at */
    double normal[3];
    double proven; /* the true depth is no less than found - proven */
    int looks;     /* support pairs computed */
} oracle_depth_result;
/* Is there a direction along which the overlapping cores come apart sooner than after `claimed` - tolerance? Stops at
 * the first (an infinite claim is none: it finds the least). Proves that there is none by branch and bound over the
 * sphere: on a triangle of directions n_i with support points p_j of the difference, h(n) >= max_j p_j.n, and a convex
 * combination of the p_j that is level over the triangle bounds that from below with an error of second order.
 * Tolerance is given up by and by when this would take more than `budget` looks (a whole circle of equally good
 * directions). */
oracle_depth_result oracle_deepest(const oracle_pair *pair, double claimed, double tolerance, int budget);

#endif
