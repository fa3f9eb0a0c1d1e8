/* Ground of a planet's radius: a ball so large that distances to its surface are formed without its centre. */
#include <fender/planet.h>

#include "base/error.h"
#include <math.h>

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
        fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "radius", "the radius of a planet's ground must be above zero",
                                    fnd_number(radius).text, "a length above 0 m, at most 1e100 m", ""});
        return NULL;
    }
    const fender_geometry_class type = {.size = sizeof type,
                                        .name = "planet_ground",
                                        .bounds = bounds,
                                        .signed_distance = distance,
                                        .mass_properties = mass_properties};
    return fender_geometry_user(env, &type, &radius, sizeof radius, error);
}
