/* The built-in planets and the check of one's own. */
#include <fender/planet.h>

#include "base/error.h"
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
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, "", "a pointer that must not be NULL is", "NULL",
                                           "a name and a planet to fill", ""});
    for (int i = 0; i < PLANET_COUNT; i++) {
        if (strcmp(planets[i].name, name) != 0) continue;
        *planet = planets[i].planet;
        return FENDER_STATUS_OK;
    }
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_NAME, "planet", "no planet of that name is known", name,
                                       "earth, moon or mars", "or give its figures"});
}

fender_status fender_planet_check(const fender_planet *planet, fender_error *error)
{
    if (!planet)
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, "", "a pointer that must not be NULL is", "NULL",
                                           "a planet", ""});
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
            return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, checks[i].path, checks[i].message,
                                               fnd_number(checks[i].value).text, checks[i].expected, ""});
    return FENDER_STATUS_OK;
}
