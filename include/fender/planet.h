/* fender/planet.h - planets: constants, geodetic positions, local axes, gravity, ground. Needs no world.
 *
 * Frames: F planet-fixed (origin at the centre of mass, z along the axis of rotation, x through the meridian of
 * longitude 0: ECEF on the Earth), L local (origin at a geodetic position, axes of a fender_local_axes). Angles are in
 * radians; longitude is positive east; latitude is geodetic, that of the ellipsoid's normal (geocentric on a sphere).
 * All functions are pure and may be called on any thread; only the geometry allocates memory. Conversions are exact to
 * rounding, 1 nm at the Earth's radius. Formulas and sources: docs/models/planets.md. */
#ifndef FENDER_PLANET_H
#define FENDER_PLANET_H

#include "geometry.h"

typedef struct fender_planet {
    double mu;                /* m^3/s^2 */
    double equatorial_radius; /* m; of the reference ellipsoid */
    double flattening;        /* (equatorial - polar) / equatorial radius; 0: a sphere; below 1 */
    double rotation_rate;     /* rad/s, about z of F; negative: retrograde */
    double j2;                /* dynamic form factor, not normalised; 0: none */
    double gravity_radius;    /* m; reference radius of j2; 0: the equatorial radius */
} fender_planet;

/* Built-in planets, in order: "earth" (WGS 84), "moon", "mars"; NULL past the end. Static text. */
FENDER_API const char *fender_planet_name(int index);
/* Sources of the constants of a built-in planet, as text; NULL past the end. */
FENDER_API const char *fender_planet_source(int index);
/* Finds a built-in planet. NAME if there is none of that name. */
FENDER_API fender_status fender_planet_find(const char *name, fender_planet *planet, fender_error *error);
/* VALUE if a constant is not finite, mu is negative, the radius is not above 0, or flattening is outside [0, 1). */
FENDER_API fender_status fender_planet_check(const fender_planet *planet, fender_error *error);

typedef struct fender_geodetic {
    double latitude, longitude; /* rad */
    double altitude;            /* m above the ellipsoid, along its normal */
} fender_geodetic;

/* Position in F [m] of a geodetic position. */
FENDER_API fender_vec3 fender_planet_fixed_position(const fender_planet *planet, const fender_geodetic *place);
/* Geodetic position of a position in F [m], by the nearest point of the ellipsoid, also below the surface. Longitude is
 * in [-pi, pi], and 0 on the axis. Of several nearest points (near the centre) it takes the northern one; at the centre
 * latitude is pi/2. */
FENDER_API fender_geodetic fender_planet_geodetic(const fender_planet *planet, fender_vec3 position);

typedef enum fender_local_axes {
    FENDER_LOCAL_EAST_NORTH_UP,
    FENDER_LOCAL_NORTH_EAST_DOWN,
    FENDER_LOCAL_UP_EAST_NORTH, /* as LFRAME of the Morpheus paper */
    FENDER_LOCAL_PLANET_FIXED   /* the axes of F */
} fender_local_axes;
/* R_FL: transforms components in L to components in F. At a pole, the longitude defines the direction of east. */
FENDER_API fender_mat3 fender_local_axes_matrix(double latitude, double longitude, fender_local_axes axes);
/* R_LP of the axes normal, east, north of a facet (PFRAME): x along `normal` (in L, of any length), z north within the
 * facet, y = z cross x. On a level facet these are up, east and north. `axes` are those of L. */
FENDER_API fender_mat3 fender_facet_axes_matrix(fender_vec3 normal, fender_local_axes axes);

/* Gravitational acceleration [m/s^2, F] at a position in F [m]: point mass and j2 about the centre, without the
 * centrifugal acceleration. */
FENDER_API fender_vec3 fender_planet_gravity(const fender_planet *planet, fender_vec3 position);

/* Kepler's orbit about a centre, by its elements in the axes of an inertial frame: the reference plane is x-y, and the
 * ascending node is counted from x. Angles in rad. */
typedef struct fender_orbit {
    double semi_major_axis; /* m; below 0 for a hyperbola */
    double eccentricity;    /* not 1 */
    double inclination, ascending_node, argument_of_periapsis, true_anomaly;
} fender_orbit;
/* Position [m] and velocity [m/s] from the centre, which attracts with mu [m^3/s^2]. VALUE with the element at fault.
 */
FENDER_API fender_status fender_orbit_state(double mu, const fender_orbit *orbit, fender_vec3 *position,
                                            fender_vec3 *velocity, fender_error *error);
/* True anomaly [rad] of a mean anomaly [rad] on an ellipse, in the same turn; NaN if the eccentricity is not in [0, 1).
 */
FENDER_API double fender_true_anomaly(double mean_anomaly, double eccentricity);
/* The frame LVLH (local vertical, local horizontal) of a body with this inertial state from the centre: z down to the
 * centre, y against the orbit's angular momentum, x forward; as JEOD's. *attitude: LVLH to inertial axes; *rate: its
 * angular velocity [rad/s], inertial axes. False if the body moves along the vertical. */
FENDER_API bool fender_lvlh(fender_vec3 position, fender_vec3 velocity, fender_quaternion *attitude, fender_vec3 *rate);
/* Unit quaternion of a rotation matrix. */
FENDER_API fender_quaternion fender_matrix_quaternion(const fender_mat3 *rotation);

/* Ground with the radius of a planet (JEOD's TerrainRadius): a sphere whose surface passes through the origin of G with
 * outward normal z; its centre is at z = -radius. Distances are computed relative to the origin, so that the radius
 * does not reduce their accuracy. Touches points, clouds, spheres, capsules and vertices of boxes and hulls. VALUE if
 * the radius is not above 0. */
FENDER_API fender_geometry *fender_geometry_planet_ground(const fender_env *env, double radius, fender_error *error);

#endif
