/* Planets: the built-in ones, geodetic places and local axes, ground of a planet's radius. */
#include "base/error.h"
#include "math/elementary.h"
#include <fender/planet.h>
#include <math.h>
#include <string.h>

typedef struct known_planet {
    const char *name, *source;
    fender_planet planet;
} known_planet;

static const known_planet planets[] = {
    {"earth",
     "WGS 84 (NGA.STND.0036): mu, radius, 1/flattening 298.257223563, rotation; j2 from its C20 of -484.166774985e-6",
     {3.986004418e14, 6378137.0, 1 / 298.257223563, 7.292115e-5, 1.08262982131e-3, 6378137.0}},
    {"moon",
     "mu of the GRAIL gravity field GL0660B; IAU 2015: mean radius 1737.4 km, rotation 13.17635815 deg/day; j2 of "
     "NASA's fact sheet, at 1738 km",
     {4.9028003055554e12, 1737400.0, 0, 2.6616994576329732e-6, 2.027e-4, 1738000.0}},
    {"mars",
     "mu of the gravity field JGMRO110C; IAU 2015: radii 3396.19 and 3376.20 km, rotation 350.89198226 deg/day; j2 of "
     "NASA's fact sheet, at 3396.2 km",
     {4.2828375641e13, 3396190.0, 19990.0 / 3396190.0, 7.088218066303858e-5, 1.96045e-3, 3396200.0}},
};
enum { PLANET_COUNT = sizeof planets / sizeof planets[0] };

const char *fender_planet_name(int index) { return index >= 0 && index < PLANET_COUNT ? planets[index].name : NULL; }

const char *fender_planet_source(int index)
{
    return index >= 0 && index < PLANET_COUNT ? planets[index].source : NULL;
}

fender_status fender_planet_find(const char *name, fender_planet *planet, fender_error *error)
{
    if (!name || !planet)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "", "a required pointer is NULL", "NULL",
                        "a name and a planet to fill", "");
    for (int i = 0; i < PLANET_COUNT; i++) {
        if (strcmp(planets[i].name, name) != 0) continue;
        *planet = planets[i].planet;
        return FENDER_STATUS_OK;
    }
    return fnd_fail(error, FENDER_STATUS_NAME, "planet", "no planet of that name is known", name, "earth, moon or mars",
                    "or give its values");
}

fender_status fender_planet_check(const fender_planet *planet, fender_error *error)
{
    if (!planet)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "", "a required pointer is NULL", "NULL", "a planet", "");
    const struct {
        const char *path, *message, *expected;
        double value;
        bool good;
    } checks[] = {
        {"planet.mu", "the planet's mu must not be negative", "0 m^3/s^2 or more", planet->mu, planet->mu >= 0},
        {"planet.radius", "the planet's radius must be above zero", "a length above 0 m", planet->equatorial_radius,
         planet->equatorial_radius > 0},
        {"planet.flattening", "the planet's flattening is not that of a sphere or an oblate ellipsoid",
         "0 or more, and below 1", planet->flattening, planet->flattening >= 0 && planet->flattening < 1},
        {"planet.rotation", "the planet's rotation is not finite", "an angular velocity", planet->rotation_rate, true},
        {"planet.j2", "the planet's j2 is not finite", "a number", planet->j2, true},
        {"planet.gravity_radius", "the radius that j2 refers to must not be negative", "0 m (the planet's) or more",
         planet->gravity_radius, planet->gravity_radius >= 0},
    };
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        if (!checks[i].good || !isfinite(checks[i].value) || fabs(checks[i].value) > 1e100)
            return fnd_fail(error, FENDER_STATUS_VALUE, checks[i].path, checks[i].message,
                            fnd_number(checks[i].value).text, checks[i].expected, "");
    return FENDER_STATUS_OK;
}

/* ---- Geodetic places and local axes ---- */

/* The nearest point of the ellipsoid, in units of the equatorial radius: a place (p, z) of the meridian's plane lies on
 * the normal of the point (p / (s + e2), b2 z / s), b2 = 1 - e2 = b^2, where s solves
 *
 *     (p / (s + e2))^2 + (b z / s)^2 = 1.
 *
 * The left side falls and is convex for s > 0, so Newton's method from a place where it is at least 1 goes straight to
 * the only root. Latitude and altitude follow without a difference of near numbers: tan latitude = z (s + e2) / (p s),
 * altitude = (s - b2) |(p / (s + e2), z / s)|. (The equation is that of the foot of a perpendicular, as in Eberly,
 * "Distance from a point to an ellipse", 2013.) */

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

/* ---- Ground of a planet's radius ---- */

/* |x - centre| - R with the centre at -R z: (|x|^2 + 2 R z) / (|x - centre| + R), good to rounding of x. */
static double distance(const void *data, fender_vec3 x, fender_vec3 *outward)
{
    double radius = *(const double *)data;
    fender_vec3 from = {x.x, x.y, x.z + radius};
    double length = fender_vec3_length(from);
    *outward = length > 0 ? fender_vec3_scale(1 / length, from) : fender_vec3_make(0, 0, 1);
    return (x.x * x.x + x.y * x.y + x.z * (x.z + 2 * radius)) / (length + radius);
}

static fender_box bounds(const void *data)
{
    double r = *(const double *)data;
    return (fender_box){{-r, -r, -2 * r}, {r, r, 0}};
}

static fender_mass_properties mass_properties(const void *data, double density)
{
    double r = *(const double *)data, mass = 4 * 3.14159265358979323846 / 3 * density * r * r * r,
           i = 0.4 * mass * r * r;
    return (fender_mass_properties){mass, {0, 0, -r}, {{{i, 0, 0}, {0, i, 0}, {0, 0, i}}}};
}

fender_geometry *fender_geometry_planet_ground(const fender_env *env, double radius, fender_error *error)
{
    if (!(radius > 0) || !(radius <= 1e100)) {
        fnd_fail(error, FENDER_STATUS_VALUE, "radius", "the radius of a planet's ground must be above zero",
                 fnd_number(radius).text, "a length above 0 m, at most 1e100 m", "");
        return NULL;
    }
    const fender_geometry_class type = {.size = sizeof type,
                                        .name = "planet_ground",
                                        .bounds = bounds,
                                        .signed_distance = distance,
                                        .mass_properties = mass_properties};
    return fender_geometry_user(env, &type, &radius, sizeof radius, error);
}
