/* Dimensions: names, usual units, agreement. */
#include "units/dimension.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define RADIAN      5
#define DENOMINATOR FENDER_DIMENSION_DENOMINATOR

typedef struct dimension {
    signed char twice[FENDER_DIMENSION_COUNT]; /* exponents of m, kg, s, K, A, rad, times 2 */
    const char *name, *units;
} dimension;

/* clang-format off */
static const dimension dimensions[] = {
    {{ 0, 0, 0, 0, 0, 0}, "plain number", "1 %"},
    {{ 2, 0, 0, 0, 0, 0}, "length", "m mm cm km in ft"},
    {{ 4, 0, 0, 0, 0, 0}, "area", "m^2 mm^2 cm^2 in^2 ft^2"},
    {{ 6, 0, 0, 0, 0, 0}, "volume", "m^3 L cm^3 in^3 ft^3"},
    {{-2, 0, 0, 0, 0, 0}, "curvature", "1/m 1/mm 1/in"},
    {{ 0, 2, 0, 0, 0, 0}, "mass", "kg g t lbm slug oz"},
    {{ 0, 0, 2, 0, 0, 0}, "time", "s ms us min h day"},
    {{ 0, 0, 0, 2, 0, 0}, "temperature", "K degC degF R"},
    {{ 0, 0, 0, 0, 2, 0}, "electric current", "A mA kA"},
    {{ 0, 0, 0, 0, 0, 2}, "angle", "rad deg mrad arcmin arcsec rev"},
    {{ 0, 0,-2, 0, 0, 0}, "rate", "1/s Hz 1/min"},
    {{ 0, 0,-2, 0, 0, 2}, "angular velocity", "rad/s deg/s rpm rev/s"},
    {{ 0, 0,-4, 0, 0, 2}, "angular acceleration", "rad/s^2 deg/s^2 rev/s^2"},
    {{ 2, 0,-2, 0, 0, 0}, "velocity", "m/s mm/s km/h ft/s in/s kn mph"},
    {{ 2, 0,-4, 0, 0, 0}, "acceleration", "m/s^2 mm/s^2 ft/s^2 gn"},
    {{ 4, 0,-4, 0, 0, 0}, "specific energy", "m^2/s^2 J/kg km^2/s^2"},
    {{ 6, 0,-4, 0, 0, 0}, "gravitational parameter", "m^3/s^2 km^3/s^2 ft^3/s^2"},
    {{ 2, 2,-4, 0, 0, 0}, "force", "N kN mN lbf kip kgf ozf"},
    {{ 2, 2,-6, 0, 0, 0}, "force rate", "N/s kN/s lbf/s"},
    {{ 2, 2,-2, 0, 0, 0}, "momentum or impulse", "N*s kg*m/s lbf*s"},
    {{ 4, 2,-4, 0, 0, 0}, "torque or energy", "N*m J kN*m kJ ft*lbf in*lbf"},
    {{ 4, 2,-6, 0, 0, 0}, "power", "W kW ft*lbf/s"},
    {{ 4, 2,-2, 0, 0, 0}, "angular momentum", "N*m*s kg*m^2/s ft*lbf*s"},
    {{ 4, 2, 0, 0, 0, 0}, "moment of inertia", "kg*m^2 g*cm^2 slug*ft^2 lbm*ft^2"},
    {{ 0, 2,-4, 0, 0, 0}, "stiffness", "N/m kN/m N/mm lbf/in lbf/ft"},
    {{ 0, 2,-2, 0, 0, 0}, "damping", "N*s/m kN*s/m lbf*s/in lbf*s/ft"},
    {{-1, 2,-4, 0, 0, 0}, "Hertz stiffness", "N/m^1.5 N/mm^1.5 lbf/in^1.5"},
    {{-1, 2,-2, 0, 0, 0}, "damping per depth^0.5", "N*s/m^1.5 N*s/mm^1.5"},
    {{-3, 2,-2, 0, 0, 0}, "damping per depth^1.5", "N*s/m^2.5 N*s/mm^2.5"},
    {{-2, 2,-2, 0, 0, 0}, "damping per depth", "N*s/m^2 N*s/mm^2 lbf*s/in^2"},
    {{ 4, 2,-4, 0, 0,-2}, "torsional stiffness", "N*m/rad N*m/deg ft*lbf/rad in*lbf/deg"},
    {{ 4, 2,-2, 0, 0,-2}, "torsional damping", "N*m*s/rad N*m*s/deg ft*lbf*s/rad"},
    {{-2, 2,-4, 0, 0, 0}, "pressure", "Pa kPa MPa GPa bar atm psi ksi"},
    {{-4, 2,-4, 0, 0, 0}, "stiffness per area", "N/m^3 N/mm^3 MPa/m lbf/in^3"},
    {{-6, 2, 0, 0, 0, 0}, "density", "kg/m^3 g/cm^3 t/m^3 lbm/ft^3"},
    {{-4, 2, 0, 0, 0, 0}, "mass per area", "kg/m^2 g/cm^2 lbm/ft^2"},
    {{-2, 2, 0, 0, 0, 0}, "mass per length", "kg/m g/cm lbm/ft"},
    {{ 0,-2, 4, 0, 0, 0}, "compliance", "m/N mm/N in/lbf"},
    {{ 4, 2,-6, 0,-2, 0}, "voltage", "V mV kV"},
    {{ 4, 2,-6, 0,-4, 0}, "electric resistance", "ohm kohm Mohm"},
};
/* clang-format on */

static const char *const symbols[FENDER_DIMENSION_COUNT] = {"m", "kg", "s", "K", "A", "rad"};
static const int text_order[FENDER_DIMENSION_COUNT] = {1, 0, 5, 2, 3, 4};

static const dimension *find_exact(const int32_t *exponent)
{
    for (size_t i = 0; i < sizeof dimensions / sizeof dimensions[0]; i++) {
        bool equal = true;
        for (int k = 0; k < FENDER_DIMENSION_COUNT; k++)
            equal &= exponent[k] * 2 == dimensions[i].twice[k] * DENOMINATOR;
        if (equal) return &dimensions[i];
    }
    return NULL;
}

/* May rad be left out or put in? Where mass, time, temperature or current take part, it only says what is turned; in
 * pure geometry it is the difference between an angle and a number, or a curvature and its like. */
static bool rad_is_optional(const int32_t *exponent)
{
    return exponent[1] != 0 || exponent[2] != 0 || exponent[3] != 0 || exponent[4] != 0;
}

static const dimension *find(const int32_t *exponent)
{
    const dimension *found = find_exact(exponent);
    if (found || exponent[RADIAN] == 0 || !rad_is_optional(exponent)) return found;
    int32_t bare[FENDER_DIMENSION_COUNT];
    memcpy(bare, exponent, sizeof bare);
    bare[RADIAN] = 0;
    return find_exact(bare);
}

const char *fnd_dimension_name(const int32_t exponent[FENDER_DIMENSION_COUNT])
{
    const dimension *found = find(exponent);
    return found ? found->name : NULL;
}

const char *fnd_dimension_units(const int32_t exponent[FENDER_DIMENSION_COUNT])
{
    const dimension *found = find_exact(exponent);
    return found ? found->units : NULL;
}

static size_t append_power(char *text, size_t size, const char *symbol, int32_t power)
{
    int divisor = DENOMINATOR, numerator = power, denominator = DENOMINATOR;
    for (; divisor > 1; divisor--) {
        if (numerator % divisor != 0 || denominator % divisor != 0) continue;
        numerator /= divisor;
        denominator /= divisor;
    }
    int length = denominator > 1  ? snprintf(text, size, "%s^(%d/%d)", symbol, numerator, denominator)
                 : numerator != 1 ? snprintf(text, size, "%s^%d", symbol, numerator)
                                  : snprintf(text, size, "%s", symbol);
    return (size_t)length;
}

void fnd_dimension_text(const int32_t exponent[FENDER_DIMENSION_COUNT], char *text, size_t size)
{
    assert(size > 0);
    char local[FENDER_DIMENSION_COUNT * 24 + 8] = "";
    size_t length = 0;
    int below = 0;
    for (int k = 0; k < FENDER_DIMENSION_COUNT; k++) below += exponent[k] < 0;
    for (int sign = 1; sign >= -1; sign -= 2) {
        bool first = true;
        if (sign < 0 && below > 0)
            length += (size_t)snprintf(local + length, sizeof local - length, "/%s", below > 1 ? "(" : "");
        for (int k = 0; k < FENDER_DIMENSION_COUNT; k++) {
            int32_t power = exponent[text_order[k]] * sign;
            if (power <= 0) continue;
            if (!first) local[length++] = '*';
            first = false;
            length += append_power(local + length, sizeof local - length, symbols[text_order[k]], power);
        }
        if (sign > 0 && first) local[length++] = '1';
        if (sign < 0 && below > 1) local[length++] = ')';
    }
    local[length] = '\0';
    snprintf(text, size, "%s", local);
}

void fnd_dimension_phrase(const int32_t exponent[FENDER_DIMENSION_COUNT], char *text, size_t size)
{
    assert(size > 0);
    const char *name = fnd_dimension_name(exponent);
    char local[FENDER_DIMENSION_COUNT * 24 + 8];
    if (name) {
        snprintf(text, size, "%s %s", strchr("aeiou", name[0]) ? "an" : "a", name);
        return;
    }
    fnd_dimension_text(exponent, local, sizeof local);
    snprintf(text, size, "a quantity in %s", local);
}

fnd_agreement fnd_dimension_compare(const int32_t a[FENDER_DIMENSION_COUNT], const int32_t b[FENDER_DIMENSION_COUNT])
{
    for (int k = 0; k < RADIAN; k++)
        if (a[k] != b[k]) return FND_DISAGREE;
    if (a[RADIAN] == b[RADIAN]) return FND_AGREE;
    bool left_out = a[RADIAN] == 0 || b[RADIAN] == 0;
    return left_out && rad_is_optional(a) ? FND_AGREE : FND_AGREE_ANGLE;
}
