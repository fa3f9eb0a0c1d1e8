/* Geodetic places and local axes.
 *
 * The nearest point of the ellipsoid, in units of the equatorial radius: a place (p, z) of the meridian's plane lies on
 * the normal of the point (p / (s + e2), b2 z / s), b2 = 1 - e2 = b^2, where s solves
 *
 *     (p / (s + e2))^2 + (b z / s)^2 = 1.
 *
 * The left side falls and is convex for s > 0, so Newton's method from a place where it is at least 1 goes straight to
 * the only root. Latitude and altitude follow without a difference of near numbers: tan latitude = z (s + e2) / (p s),
 * altitude = (s - b2) |(p / (s + e2), z / s)|. (The equation is that of the foot of a perpendicular, as in Eberly,
 * "Distance from a point to an ellipse", 2013.) */
#include <fender/planet.h>

#include "math/elementary.h"

fender_vec3 fender_planet_fixed_position(const fender_planet *planet, const fender_geodetic *place)
{
    double sp, cp, sl, cl, e2 = planet->flattening * (2 - planet->flattening);
    fnd_sin_cos(place->latitude, &sp, &cp);
    fnd_sin_cos(place->longitude, &sl, &cl);
    double across = planet->equatorial_radius / sqrt(1 - e2 * sp * sp); /* radius of curvature across the meridian */
    double p = (across + place->altitude) * cp;
    return fender_vec3_make(p * cl, p * sl, (across * (1 - e2) + place->altitude) * sp);
}

/* Angle of (y, x) in [-pi, pi]; 0 for both zero. */
static double angle_of(double y, double x)
{
    double size = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    if (!(size > 0)) return 0;
    double angle = fnd_angle(fabs(y) / size, x / size);
    return y < 0 ? -angle : angle;
}

/* s of the equation above; 0: the place is near the centre, between its two nearest points. */
static double foot(double p, double z, double e2)
{
    double b = sqrt(1 - e2), bz = b * z, first = p - e2;
    double s = bz > first ? bz : first;
    if (!(s > 0)) return 0;
    for (int i = 0; i < 60; i++) {
        double u = p / (s + e2), v = bz / s, excess = u * u + v * v - 1;
        double slope = 2 * (u * u / (s + e2) + v * v / s);
        double next = s + excess / slope;
        if (!(next > s)) break; /* it rises to the root, until rounding ends that */
        s = next;
    }
    return s;
}

fender_geodetic fender_planet_geodetic(const fender_planet *planet, fender_vec3 position)
{
    double a = planet->equatorial_radius, e2 = planet->flattening * (2 - planet->flattening), b2 = 1 - e2;
    double x = position.x / a, y = position.y / a, z = fabs(position.z) / a, p = sqrt(x * x + y * y);
    fender_geodetic place = {0, angle_of(position.y, position.x), 0};
    double s = foot(p, z, e2), altitude;
    if (s > 0) {
        double u = p / (s + e2), v = z / s;
        place.latitude = angle_of(v, u);
        altitude = (s - b2) * sqrt(u * u + v * v);
    } else { /* in the equator's plane, nearer to the axis than e2: u = p / e2 of the ellipsoid's point */
        double u = e2 > 0 ? p / e2 : 0, height = sqrt(b2 * (1 - u * u)), out = u - p;
        place.latitude = angle_of(height / b2, u);
        altitude = -sqrt(out * out + height * height);
    }
    if (position.z < 0) place.latitude = -place.latitude;
    place.altitude = a * altitude;
    return place;
}

fender_mat3 fender_local_axes_matrix(double latitude, double longitude, fender_local_axes axes)
{
    double sp, cp, sl, cl;
    fnd_sin_cos(latitude, &sp, &cp);
    fnd_sin_cos(longitude, &sl, &cl);
    fender_vec3 east = {-sl, cl, 0}, north = {-sp * cl, -sp * sl, cp}, up = {cp * cl, cp * sl, sp};
    fender_vec3 x = east, y = north, z = up;
    if (axes == FENDER_LOCAL_PLANET_FIXED) return fender_mat3_identity();
    if (axes == FENDER_LOCAL_NORTH_EAST_DOWN) x = north, y = east, z = fender_vec3_negate(up);
    if (axes == FENDER_LOCAL_UP_EAST_NORTH) x = up, y = east, z = north;
    return (fender_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

fender_mat3 fender_facet_axes_matrix(fender_vec3 normal, fender_local_axes axes)
{
    fender_vec3 north = {0, 0, 1}, east = {0, 1, 0}; /* UP_EAST_NORTH, and F at latitude 0 and longitude 0 */
    if (axes == FENDER_LOCAL_EAST_NORTH_UP) north = (fender_vec3){0, 1, 0}, east = (fender_vec3){1, 0, 0};
    if (axes == FENDER_LOCAL_NORTH_EAST_DOWN) north = (fender_vec3){1, 0, 0};
    fender_vec3 x = fender_vec3_scale(1 / fender_vec3_length(normal), normal);
    fender_vec3 y = fender_vec3_cross(north, x);
    double size = fender_vec3_length(y);
    y = size > 0 ? fender_vec3_scale(1 / size, y) : east; /* a wall that faces north or south */
    fender_vec3 z = fender_vec3_cross(x, y);
    return (fender_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}
