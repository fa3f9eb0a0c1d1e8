/* What every test includes: cmocka, and checks that print what they compared. */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
/* cmocka.h needs the four above first */
#include "repeats.h"
#include <cmocka.h>
#include <fender/fender.h>

/* |actual - expected| <= tolerance, with both printed when it does not hold; NaN never holds. */
#define check_near(actual, expected, tolerance) check_near_at((actual), (expected), (tolerance), __FILE__, __LINE__)
static inline void check_near_at(double actual, double expected, double tolerance, const char *file, int line)
{
    if (fabs(actual - expected) <= tolerance) return;
    print_error("%s:%d: %.17g is not %.17g to %.3g (difference %.3g)\n", file, line, actual, expected, tolerance,
                actual - expected);
    _fail(file, line);
}

#define check_vector(actual, expected, tolerance) check_vector_at((actual), (expected), (tolerance), __FILE__, __LINE__)
static inline void check_vector_at(fender_vec3 actual, fender_vec3 expected, double tolerance, const char *file,
                                   int line)
{
    double gap = fender_vec3_length(fender_vec3_sub(actual, expected));
    if (gap <= tolerance) return;
    print_error("%s:%d: (%.17g %.17g %.17g) is not (%.17g %.17g %.17g) to %.3g (distance %.3g)\n", file, line, actual.x,
                actual.y, actual.z, expected.x, expected.y, expected.z, tolerance, gap);
    _fail(file, line);
}

static inline double larger(double a, double b) { return a > b ? a : b; }

/* value <= bound */
#define check_below(value, bound) check_below_at((value), (bound), #value, __FILE__, __LINE__)
static inline void check_below_at(double value, double bound, const char *text, const char *file, int line)
{
    if (value <= bound) return;
    print_error("%s:%d: %s = %.6g is above %.6g\n", file, line, text, value, bound);
    _fail(file, line);
}

/* A call that must succeed: `call` uses the variable `error`, a cleared fender_error. */
#define check_ok(call)                                                                                               \
    do {                                                                                                             \
        fender_error error = {0};                                                                                    \
        fender_status check_status = (call);                                                                         \
        if (check_status) {                                                                                          \
            print_error("%s:%d: %s: %s, found '%s', expected '%s'\n", __FILE__, __LINE__, error.path, error.message, \
                        error.found, error.expected);                                                                \
            _fail(__FILE__, __LINE__);                                                                               \
        }                                                                                                            \
    } while (0)

#endif
