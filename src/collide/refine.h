/* The separation of two cores along the best normal near a guess: curved convex solids, to rounding. */
#ifndef FND_COLLIDE_REFINE_H
#define FND_COLLIDE_REFINE_H

#include "collide/pair_table.h"
#include "geometry/geometry.h"

/* Of cores: without radii and roundings. World axes, origin at a's p_WG. */
typedef struct fnd_core_contact {
    double distance; /* negative: they overlap */
    fender_vec3 normal, point_a, point_b;
} fnd_core_contact;

/* The separation along a unit n is s(n) = n.(p_b - p_a) - h_a(n) - h_b(-n), h the support functions; its greatest value
 * is the distance, or minus the least translation. In: a guess of the normal. Out: a normal of a local maximum of s, no
 * worse than the guess, s there, and points of the cores that lie opposite each other. False: nothing better was found,
 * *contact is as it was. Point, sphere, capsule, disk, convex. */
bool fnd_refine_contact(const fnd_posed *a, const fnd_posed *b, fnd_core_contact *contact);

/* ---- Smooth pieces of support functions ---- */

typedef enum fnd_piece_kind { FND_PIECE_POINT, FND_PIECE_RIM, FND_PIECE_ELLIPSOID, FND_PIECE_SAMPLE } fnd_piece_kind;

/* In the frame of its body. */
typedef struct fnd_piece {
    fnd_piece_kind kind;
    int number;            /* equal kind and number: the same piece (samples: never) */
    fender_vec3 center;    /* the point, middle of the rim, point of the sample */
    double radius;         /* of the rim */
    fender_mat3 curvature; /* sample: second derivative of the support function */
} fnd_piece;

/* A core in the common frame. `sense` is 1 for the solid that is met along n, -1 for the one met along -n. */
typedef struct fnd_piece_body {
    const fender_geometry *geometry;
    fender_mat3 R;
    fender_vec3 p;
    double sense;
} fnd_piece_body;

/* A piece along n: sense n.x, the point x, and the second derivative in two directions across n. */
typedef struct fnd_piece_value {
    double value;
    fender_vec3 x;
    double first[2];  /* first derivative along the two directions */
    double second[3]; /* 11, 12, 22 */
    double tilt; /* a step as long as this turns the point by a radian or so: of a rim, n out of its axis; else 1 */
} fnd_piece_value;

/* The piece that is greatest along n (unit, common frame). */
fnd_piece fnd_piece_farthest(const fnd_piece_body *body, fender_vec3 n);
void fnd_piece_evaluate(const fnd_piece_body *body, const fnd_piece *piece, fender_vec3 n, const fender_vec3 across[2],
                        fnd_piece_value *out);
/* Takes out what the curvature of a sample has along n, which is where it was taken. */
void fnd_piece_across(const fnd_piece_body *body, fnd_piece *sample, fender_vec3 n);
/* All pieces of bodies that have two at most; 0 for others. */
int fnd_piece_all(const fnd_piece_body *body, fnd_piece pieces[2]);
/* No point of the core is farther from its origin than this. */
double fnd_piece_size(const fender_geometry *geometry);

/* Support set of a core along n: a flat set, the hull of points or an ellipse, in the common frame. */
enum { FND_FLAT_POINTS = 64 };
typedef struct fnd_flat_set {
    int count; /* 0: an ellipse */
    fender_vec3 points[FND_FLAT_POINTS];
    fender_vec3 center, semi[2];
} fnd_flat_set;
/* Ties within `slope` (sine of a tilt) belong to it. */
void fnd_flat_set_of(const fnd_piece_body *body, fender_vec3 n, double slope, fnd_flat_set *out);
/* Of the directions across which the body has a flat face the one nearest to n; false: none within about 30 degrees. */
bool fnd_flat_normal(const fnd_piece_body *body, fender_vec3 n, fender_vec3 *normal);

/* ---- Flat sets that lie opposite each other ---- */

/* Points of both that lie opposite each other across the plane of the two directions, near the middle of the overlap;
 * returns by how much they miss each other. */
double fnd_flat_meet(const fnd_flat_set *a, const fnd_flat_set *b, const fender_vec3 across[2], fender_vec3 *point_a,
                     fender_vec3 *point_b);
/* Do both together extend in two directions? About the width of their difference; 0: a point or a line. */
double fnd_flat_width(const fnd_flat_set *a, const fnd_flat_set *b);

#endif
