/* Hertz's contact of surfaces that are curved differently along two directions, by complete elliptic integrals.
 *
 * Johnson, Contact Mechanics (1985), 4.2, with the gap A x^2 + B y^2, the half axes a >= b, q = b / a, m = 1 - q^2,
 * K(m), E(m) and D = (K - E) / m:  B / A = (K - D) / (q^2 D),  a^2 = d D / (A K),  F = 2 pi/3 E* d^1.5 sqrt(D / A)
 * K^-1.5. In D nothing cancels for nearly equal curvatures. */
#include "law/ellipse.h"

#include "math/elementary.h"
#include <math.h>

static const double pi = 3.14159265358979324;

typedef struct integrals {
    double K, D;
} integrals;

/* By the arithmetic-geometric mean; (K - E) / K is the sum of 2^(n-1) c_n^2. */
static integrals integrals_at(double q)
{
    double a = 1, b = q, sum = 0.5, weight = 0.5, m = (1 - q) * (1 + q);
    /* c_1^2 / m = ((1 - q) / 2)^2 / m = (1 - q) / (4 (1 + q)), c_(n+1) = c_n^2 / (4 a_(n+1)) */
    double c2 = (1 - q) / (4 * (1 + q));
    for (int i = 0; i < 12 && fabs(a - b) > 1e-17 * a; i++) {
        double next = 0.5 * (a + b);
        b = sqrt(a * b);
        a = next;
        weight *= 2;
        sum += weight * c2;
        double half = 0.5 * (a - b); /* c of the next mean */
        c2 = m > 0 ? half * half / m : 0;
    }
    double K = pi / (2 * a);
    return (integrals){K, K * sum};
}

/* d log(B / A) / d log q */
static double slope_at(double q, integrals v)
{
    double m = (1 - q) * (1 + q), q2 = q * q;
    double dK = (v.K - v.D) / (2 * q2); /* by m */
    double dD = m > 1e-4 ? ((v.K - v.D) / q2 - v.D) / (2 * m) : 3 * pi / 32;
    return -2 * q2 * ((dK - dD) / (v.K - v.D) - dD / v.D) - 2;
}

double fnd_ellipse_stiffness(double first, double second, double *axis_ratio)
{
    double ratio = first / second, q = 1;
    integrals v = {pi / 2, pi / 4};
    if (ratio > 1) {
        q = fnd_power(ratio, -2.0 / 3);
        for (int i = 0; i < 20; i++) { /* by logarithms the relation is nearly straight */
            v = integrals_at(q);
            double found = (v.K - v.D) / (q * q * v.D), off = found / ratio - 1;
            if (fabs(off) < 4e-16) break;
            double next = q * fnd_power(found / ratio, -1 / slope_at(q, v));
            if (next > 1) next = 1;
            if (next == q) break;
            q = next;
        }
    }
    if (axis_ratio) *axis_ratio = q;
    return 2 * pi / 3 * sqrt(2 * v.D / second) / (v.K * sqrt(v.K));
}
