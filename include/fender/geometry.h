/* fender/geometry.h - immutable, shareable geometry, and distance between two placed geometries without any world.
 *
 * A geometry has a frame G of its own: origin at its centre, z along the axis. A shape (world.h) places it on a body.
 */
#ifndef FENDER_GEOMETRY_H
#define FENDER_GEOMETRY_H

#include "base.h"
#include "spatial.h"

typedef enum fender_geometry_type {
    FENDER_GEOMETRY_SPHERE,  /* radius about the origin */
    FENDER_GEOMETRY_CAPSULE, /* segment of +-half_length along z, swept by radius */
    FENDER_GEOMETRY_TYPE_COUNT
} fender_geometry_type;

typedef struct fender_geometry fender_geometry;

/* Mass, centre of mass and inertia tensor about that centre, in axes that the call names. Off-diagonal entries are
 * tensor elements (negative products of inertia). */
typedef struct fender_mass_properties {
    double mass;                /* kg */
    fender_vec3 center_of_mass; /* m */
    fender_mat3 inertia;        /* kg m^2 */
} fender_mass_properties;

/* Constructors return a geometry with one reference, or NULL with the error filled: VALUE for a radius or half length
 * that is negative, infinite or NaN, MEMORY. Zero is allowed: a sphere of radius 0 is a point, a capsule of half length
 * 0 a sphere. */
FENDER_API fender_geometry *fender_geometry_sphere(const fender_env *env, double radius, fender_error *error);
FENDER_API fender_geometry *fender_geometry_capsule(const fender_env *env, double radius, double half_length,
                                                    fender_error *error);

/* References are counted atomically: any thread may hold and drop them. NULL is fine for release. */
FENDER_API fender_geometry *fender_geometry_retain(fender_geometry *geometry);
FENDER_API void fender_geometry_release(fender_geometry *geometry);

FENDER_API fender_geometry_type fender_geometry_type_of(const fender_geometry *geometry);
FENDER_API const char *fender_geometry_type_name(fender_geometry_type type); /* "sphere"; NULL past the end */
FENDER_API double fender_geometry_radius(const fender_geometry *geometry);
FENDER_API double fender_geometry_half_length(const fender_geometry *geometry); /* 0 for a sphere */
/* Radius of the smallest ball about the frame's origin that holds the geometry [m]. */
FENDER_API double fender_geometry_bounding_radius(const fender_geometry *geometry);
/* Of the solid of even density [kg/m^3], in G. A capsule is a cylinder with two half balls. */
FENDER_API fender_mass_properties fender_geometry_mass_properties(const fender_geometry *geometry, double density);

/* How two placed geometries lie. All vectors have their origin at the origin of a's geometry frame and the axes in
 * which the poses were given, so that nothing is lost far from the world's origin. */
typedef struct fender_separation {
    double distance;     /* m; negative: they overlap by that much along the normal */
    fender_vec3 point_a; /* the point of a's surface that is nearest to b (or deepest in b) */
    fender_vec3 point_b; /* the same on b */
    fender_vec3 normal;  /* unit, outward of a, from a to b; point_b = point_a + distance * normal */
    uint64_t feature;    /* stable name of the touching features; 0 where a pair has one contact */
} fender_separation;

/* Closest points, or deepest points of an overlap, of a placed by X_WA and b by X_WB (quaternions of unit length).
 * Exact for every pose; where the normal is not unique (coincident centres, crossing axes) a unit normal of the least
 * penetration is chosen by a rule that depends on the poses alone. Returns NO_PAIR_FUNCTION when the pair table has
 * none. Any thread. */
FENDER_API fender_status fender_geometry_separation(const fender_geometry *a, const fender_pose *X_WA,
                                                    const fender_geometry *b, const fender_pose *X_WB,
                                                    fender_separation *separation);
/* Is there a contact function for the two types? */
FENDER_API bool fender_geometry_pair_supported(fender_geometry_type a, fender_geometry_type b);

#endif
