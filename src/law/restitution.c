/* The exact relation between restitution and the damper of Hunt and Crossley. */
#include "law/restitution.h"

#include "math/elementary.h"

#include <math.h>

/* (ln(1 + c) - ln(1 - e c) - c (1 + e)) / c^2, which rises through zero at the solution, and its slope by c. The
 * logarithms cancel when c is small; there their series is used: (-1)^(k+1) + e^k over k c^k from k = 2 on. */
static double imbalance(double c, double e)
{
    if (c > 0.3) return (fnd_logarithm(1 + c) - fnd_logarithm(1 - e * c) - c * (1 + e)) / (c * c);
    double sum = 0, power = 1, e_k = e;
    for (int k = 2; k <= 34; k++) { /* 0.3^33 / 35 is below 1e-18 */
        e_k *= e;
        sum += power * (e_k + (k % 2 == 0 ? -1 : 1)) / k;
        power *= c;
    }
    return sum;
}

/* Halves [low, high] until nothing lies between; the function rises through zero. */
double fnd_hunt_crossley_loss(double restitution)
{
    double e = restitution, low = 0, high = 1 / e;
    if (!(e > 0) || !(e <= 1)) return e >= 1 ? 0 : INFINITY;
    if (e == 1) return 0;
    for (int i = 0; i < 2000; i++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        if (imbalance(middle, e) > 0) high = middle;
        else low = middle;
    }
    return low;
}

double fnd_hunt_crossley_restitution(double loss)
{
    double low = 0, high = loss > 1 ? 1 / loss : 1;
    if (!(loss > 0)) return 1;
    if (isinf(loss)) return 0;
    for (int i = 0; i < 2000; i++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        if (imbalance(loss, middle) > 0) high = middle;
        else low = middle;
    }
    return low;
}
