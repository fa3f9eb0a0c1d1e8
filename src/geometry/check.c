/* Checks of what constructors of geometries are given. */
#include "geometry/geometry_create.h"

#include "base/error.h"
#include <stdio.h>

static const double largest = 1e100; /* m; its cube still fits a double */

static void describe(double value, char *text, size_t size)
{
    if (isfinite(value)) snprintf(text, size, "%s m", fnd_number(value).text);
    else snprintf(text, size, "%s", isnan(value) ? "NaN" : value < 0 ? "-infinity" : "infinity");
}

bool fnd_check_length(double value, const char *type, const char *path, const char *purpose, fender_error *error)
{
    if (value >= 0 && value <= largest) return true;
    char message[128], suggestion[160], found[48];
    const char *fault = isnan(value)   ? "is not a number"
                        : value < 0    ? "is negative"
                        : isinf(value) ? "is infinite"
                                       : "is too large";
    snprintf(message, sizeof message, "the %s of a %s %s", purpose, type, fault);
    if (isfinite(value) && value < 0)
        snprintf(suggestion, sizeof suggestion, "did you mean %s m?", fnd_number(-value).text);
    else if (isfinite(value)) snprintf(suggestion, sizeof suggestion, "lengths end at 1e100 m; check the unit");
    else snprintf(suggestion, sizeof suggestion, "set %s to its length in metres; 0 is allowed", path);
    describe(value, found, sizeof found);
    fnd_fail(error,
             (fnd_fault){FENDER_STATUS_VALUE, path, message, found, "a finite length of 0 m or more", suggestion});
    return false;
}

/* NULL, or what is wrong with a coordinate. */
static const char *fault_of_coordinate(double value)
{
    if (isnan(value)) return "is not a number";
    if (isinf(value)) return "is infinite";
    return fabs(value) > largest ? "is too large" : NULL;
}

bool fnd_check_points(const fender_vec3 *points, int count, const char *type, const char *field, const char *noun,
                      fender_error *error)
{
    char message[128], path[64], found[48];
    if (count < 1 || !points) {
        snprintf(message, sizeof message, "a %s needs at least one %s", type, noun);
        if (count < 1) snprintf(found, sizeof found, "%d", count);
        else snprintf(found, sizeof found, "NULL");
        fnd_fail(error, (fnd_fault){count < 1 ? FENDER_STATUS_VALUE : FENDER_STATUS_ARGUMENT, field, message, found,
                                    "1 or more", "give the coordinates in metres"});
        return false;
    }
    for (int i = 0; i < count; i++) {
        const double values[3] = {points[i].x, points[i].y, points[i].z};
        for (int axis = 0; axis < 3; axis++) {
            const char *fault = fault_of_coordinate(values[axis]);
            if (!fault) continue;
            snprintf(path, sizeof path, "%s[%d].%c", field, i, "xyz"[axis]);
            snprintf(message, sizeof message, "%s %d of a %s: %c %s", noun, i, type, "xyz"[axis], fault);
            describe(values[axis], found, sizeof found);
            fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, path, message, found,
                                        "a finite coordinate within 1e100 m of the origin",
                                        isfinite(values[axis]) ? "check the unit" : "correct or leave out this one"});
            return false;
        }
    }
    return true;
}
