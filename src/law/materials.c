/* Materials by name, with the sources of their constants. */
#include <fender/sizing.h>

#include <math.h>
#include <string.h>

#define SOLID(name, young, poisson, density, source)                        \
    {                                                                       \
        name, young, poisson, density, NAN, NAN, NAN, NAN, NAN, NAN, source \
    }
#define GROUND(name, cohesive, frictional, exponent, cohesion, degrees, shear, source)                               \
    {                                                                                                                \
        name, NAN, NAN, NAN, cohesive, frictional, exponent, cohesion, (degrees)*0.017453292519943295, shear, source \
    }
#define CHUNG_AND_OOI "Chung and Ooi, Granular Matter 13 (2011) 643"
#define LINDLEY       "Lindley, Engineering Design with Natural Rubber (1974): E of 50 IRHD; incompressible"
#define HANDBOOK      "MIL-HDBK-5J (2003), room temperature"
#define WONG          "Wong, Theory of Ground Vehicles, 4th ed. (2008), table 2.3: Land Locomotion Laboratory"

static const fender_known_material materials[] = {
    SOLID("aluminium_alloy", 70e9, 0.33, 2700, CHUNG_AND_OOI ", tests 4 and 7"),
    SOLID("aluminium_oxide", 380e9, 0.23, 4000, CHUNG_AND_OOI ", test 3"),
    SOLID("cast_iron", 100e9, 0.25, 7000, CHUNG_AND_OOI ", test 3"),
    SOLID("copper", 120e9, 0.35, 8900, CHUNG_AND_OOI ", test 7"),
    SOLID("glass", 48e9, 0.20, 2800, CHUNG_AND_OOI ", test 1"),
    SOLID("limestone", 20e9, 0.25, 2500, CHUNG_AND_OOI ", test 1"),
    SOLID("magnesium_alloy", 40e9, 0.35, 1800, CHUNG_AND_OOI ", test 2"),
    SOLID("polyethylene", 1e9, 0.4, 1400, CHUNG_AND_OOI ", test 5"),
    SOLID("rubber", 2.2e6, 0.5, NAN, LINDLEY),
    SOLID("steel", 208e9, 0.3, 7850, CHUNG_AND_OOI ", test 5"),
    SOLID("titanium_alloy", 110.3e9, 0.31, 4430, HANDBOOK ": Ti-6Al-4V, 16.0e3 ksi, 0.160 lb/in^3"),
    GROUND("lunar_regolith", 1400, 820e3, 1, 170, 35, 0.018,
           "Lunar Sourcebook (Heiken, Vaniman, French 1991), 9.1: Bekker values of the Apollo rover's wheels"),
    GROUND("dry_sand", 990, 1528.43e3, 1.1, 1040, 28, NAN, WONG),
    GROUND("sandy_loam", 5270, 1515.04e3, 0.7, 1720, 29, NAN, WONG ", 15 % water"),
};
enum { MATERIAL_COUNT = sizeof materials / sizeof materials[0] };

const fender_known_material *fender_known_material_at(int index)
{
    return index >= 0 && index < MATERIAL_COUNT ? &materials[index] : NULL;
}

const fender_known_material *fender_known_material_find(const char *name)
{
    for (int i = 0; name && i < MATERIAL_COUNT; i++)
        if (strcmp(materials[i].name, name) == 0) return &materials[i];
    return NULL;
}

double fender_known_material_value(const fender_known_material *m, const char *parameter, bool other)
{
    const struct {
        const char *name, *name_b;
        double value;
    } rows[] = {{"young", "young_b", m->young},
                {"poisson", "poisson_b", m->poisson},
                {"cohesive_modulus", "", m->cohesive_modulus},
                {"frictional_modulus", "", m->frictional_modulus},
                {"exponent", "", m->exponent},
                {"cohesion", "", m->cohesion},
                {"friction_angle", "", m->friction_angle},
                {"shear_displacement", "", m->shear_displacement}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(other ? rows[i].name_b : rows[i].name, parameter) == 0) return rows[i].value;
    return NAN;
}
