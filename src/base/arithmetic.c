/* fender_check_arithmetic: whether this build, on this processor and thread, computes as results rest on. Operands come
 * from volatile objects, so that the compiler has to form the operations as it does in the rest of the library. */
#include "base/error.h"

#include <float.h>
#include <math.h>

static double at_run_time(double value)
{
    volatile double hidden = value;
    return hidden;
}

static bool doubles_are_binary64(void)
{
    return FLT_RADIX == 2 && DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024 && DBL_MIN_EXP == -1021 && sizeof(double) == 8;
}

/* Options that stand for all of fast-math say so; what they do to the other checks is open. */
static bool no_declared_fast_math(void)
{
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
    return false;
#else
    return true;
#endif
}

/* Registers with a wider exponent keep what underflow would have taken, in every mode of rounding. */
static bool no_excess_precision(void)
{
    double least_normal = at_run_time(DBL_MIN), scale = at_run_time(0x1p-100);
    return least_normal * scale / scale != least_normal;
}

/* One product alone, and two beside each other with a difference and a sum, as vectorisers look for. */
static bool no_fused_operations(void)
{
    double a = at_run_time(1 + 0x1p-27), b = at_run_time(1 + 0x1p-27), c = at_run_time(1 + 0x1p-26), pair[2];
    double x[2] = {at_run_time(1 + 0x1p-27), at_run_time(1 + 0x1p-27)};
    double y[2] = {at_run_time(1 + 0x1p-27), at_run_time(-1 - 0x1p-27)}, z[2] = {c, c};
    pair[0] = x[0] * y[0] - z[0];
    pair[1] = x[1] * y[1] + z[1];
    return a * b - c == 0 && c - a * b == 0 && at_run_time(pair[0]) == 0 && at_run_time(pair[1]) == 0;
}

/* What the parts of fast-math take for granted: sums in any order, products with reciprocals (1/49 is rounded down so
 * far that 98 of it are not 2), neither NaN nor -0. */
static bool no_fast_math(void)
{
    double large = at_run_time(1e20), three = at_run_time(3), minus_zero = at_run_time(-0.0), nan = at_run_time(NAN);
    double d = at_run_time(49), quotients[3] = {at_run_time(98) / d, at_run_time(196) / d, at_run_time(392) / d};
    bool divides = at_run_time(98) / 49 == 2 && quotients[0] == 2 && quotients[1] == 4 && quotients[2] == 8;
    bool knows_nan = nan != nan && !(nan < 1) && !(nan >= 1) && isnan(nan) && !isfinite(nan);
    return three + large - large == 0 && divides && knows_nan && !signbit(minus_zero + 0.0) && signbit(-three * 0.0);
}

static bool rounds_to_nearest(void)
{
    double one = at_run_time(1), even = at_run_time(0x1p-53), above = at_run_time(0x1.8p-53),
           below = at_run_time(0x1p-54);
    return one + even == 1 && (1 + 0x1p-52) + even == 1 + 0x1p-51 && one + above == 1 + 0x1p-52 && one + below == 1 &&
           -one - below == -1 && -one - above == -1 - 0x1p-52;
}

static bool keeps_subnormals(void)
{
    double least_normal = at_run_time(DBL_MIN), least = at_run_time(0x1p-1074), scale = at_run_time(0x1p1000);
    double halved = at_run_time(least_normal * at_run_time(0.5));
    return halved * scale == 0x1p-23 && least * scale == 0x1p-74;
}

/* Roots beside the middle of two doubles, irrational ones, and the ends of the range. Figures of Python's math.sqrt,
 * which agree with 60 digits. */
static bool rounds_square_roots(void)
{
    static const double roots[][2] = {
        {2, 0x1.6a09e667f3bcdp+0},
        {3, 0x1.bb67ae8584caap+0},
        {10, 0x1.94c583ada5b53p+1},
        {0x1.999999999999ap-4, 0x1.43d136248490fp-2},
        {0x1.fffffffffffffp-1, 0x1.fffffffffffffp-1},
        {0x1.0000000000001p+0, 1},
        {0x1.0000000000003p+0, 0x1.0000000000001p+0},
        {0x1p-1074, 0x1p-537},
        {DBL_MAX, 0x1.fffffffffffffp+511},
    };
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
        if (sqrt(at_run_time(roots[i][0])) != roots[i][1]) return false;
    return true;
}

fender_status fender_check_arithmetic(fender_error *error)
{
    static const struct {
        bool (*holds)(void);
        const char *found, *expected, *remedy;
    } checks[] = {
        /* in an order in which the first fault names the cause */
        {doubles_are_binary64, "another format of double", "IEEE 754 binary64", "use a compiler and target with it"},
        {no_declared_fast_math, "operations are reordered or simplified", "operations as written",
         "compile without -ffast-math, -Ofast and the options they stand for"},
        {no_excess_precision, "more digits or range than a double has", "results rounded to double",
         "compile for SSE2 (-msse2 -mfpmath=sse)"},
        {rounds_to_nearest, "another rounding", "rounding to nearest, ties to even",
         "call fesetround(FE_TONEAREST) in this thread"},
        {no_fast_math, "operations are reordered or simplified", "operations as written",
         "compile without -ffast-math, -Ofast and the options they stand for"},
        {no_fused_operations, "a fused multiply-add", "a separate rounding of each operation",
         "compile with -ffp-contract=off, and with gcc also -fno-tree-slp-vectorize"},
        {keeps_subnormals, "subnormal numbers are flushed to zero", "gradual underflow",
         "clear FTZ and DAZ in this thread; link nothing with -ffast-math"},
        {rounds_square_roots, "square roots that are not the nearest double", "correctly rounded square roots",
         "use another C library or compiler option"},
    };
    fender_status status = FENDER_STATUS_OK;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        if (!checks[i].holds())
            status = fnd_fail(error, FENDER_STATUS_ARITHMETIC, "",
                              "floating-point arithmetic does not meet the requirements", checks[i].found,
                              checks[i].expected, checks[i].remedy);
    return status;
}
