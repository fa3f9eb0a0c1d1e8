/* fender/planet.h - planets: their figures, geodetic places, local axes; ground of a planet's radius. No world needed.
 *
 * Frames: F planet-fixed (origin at the centre of mass, z along the axis of rotation, x through the meridian of
 * longitude 0: ECEF on the Earth), L local (origin at a geodetic place, axes of a fender_local_axes). Angles are in
 * radians, longitude east positive, latitude geodetic: of the ellipsoid's normal (geocentric on a sphere). All
 * functions are pure: any thread, no memory but for the geometry. Conversions are exact to rounding: 1 nm at the
 * Earth's radius, wherever the place is (docs/models/planets.md has the formulas and their sources). */
#ifndef FENDER_PLANET_H
#define FENDER_PLANET_H

#include "geometry.h"

typedef struct fender_planet {
    double mu;                /* m^3/s^2 */
    double equatorial_radius; /* m; of the reference ellipsoid */
    double flattening;        /* (equatorial - polar) / equatorial radius; 0: a sphere; below 1 */
    double rotation_rate;     /* rad/s, about z of F; below zero: retrograde; 0: it stands still */
    double j2;                /* dynamic form factor, not normalised; 0: none */
    double gravity_radius;    /* m; to which j2 refers; 0: the equatorial radius */
} fender_planet;

/* Built-in planets, in order: "earth" (WGS 84), "moon", "mars"; NULL past the end. Static text. */
FENDER_API const char *fender_planet_name(int index);
/* Where the figures of a built-in planet come from, a sentence; NULL past the end. */
FENDER_API const char *fender_planet_source(int index);
/* NAME for another name. */
FENDER_API fender_status fender_planet_find(const char *name, fender_planet *planet, fender_error *error);
/* VALUE: a figure is not finite, mu below zero, a radius not above zero, flattening outside of [0, 1). */
FENDER_API fender_status fender_planet_check(const fender_planet *planet, fender_error *error);

typedef struct fender_geodetic {
    double latitude, longitude; /* rad */
    double altitude;            /* m above the ellipsoid, along its normal */
} fender_geodetic;

/* F from geodetic. */
FENDER_API fender_vec3 fender_planet_fixed_position(const fender_planet *planet, const fender_geodetic *place);
/* Geodetic from F: the nearest point of the ellipsoid, at any depth. Longitude in [-pi, pi]; 0 on the axis. Where
 * several points are nearest (near the centre), the northern one; latitude pi/2 at the centre. */
FENDER_API fender_geodetic fender_planet_geodetic(const fender_planet *planet, fender_vec3 position);

typedef enum fender_local_axes {
    FENDER_LOCAL_EAST_NORTH_UP,
    FENDER_LOCAL_NORTH_EAST_DOWN,
    FENDER_LOCAL_UP_EAST_NORTH, /* as LFRAME of the Morpheus paper */
    FENDER_LOCAL_PLANET_FIXED   /* the axes of F */
} fender_local_axes;
/* R_FL: components in L to components in F. At a pole the longitude says where east is. */
FENDER_API fender_mat3 fender_local_axes_matrix(double latitude, double longitude, fender_local_axes axes);
/* R_LP of the axes normal, east, north of a facet (PFRAME): x along `normal` (L, of any length), z = north in
 * the facet, y = z cross x. The same as up, east, north when the facet is level. `axes` are those of L. */
FENDER_API fender_mat3 fender_facet_axes_matrix(fender_vec3 normal, fender_local_axes axes);

/* Acceleration [m/s^2, F] of gravity at a place in F: point mass and j2 about the centre. Not the centrifugal one. */
FENDER_API fender_vec3 fender_planet_gravity(const fender_planet *planet, fender_vec3 position);

/* Ground of a planet's radius (JEOD's TerrainRadius): a sphere whose surface passes through the origin of G with
 * outward normal z; its centre is at z = -radius. Distances are formed near the origin: nothing is lost to the radius.
 * Touches points, clouds, spheres, capsules and vertices of boxes and hulls. VALUE: radius not above zero. */
FENDER_API fender_geometry *fender_geometry_planet_ground(const fender_env *env, double radius, fender_error *error);

#endif
