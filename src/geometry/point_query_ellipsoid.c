/* Nearest point of an ellipsoid's surface to a given point.
 *
 * With semi-axes e_i and the point y in the first octant the nearest point is x_i = e_i^2 y_i / (t + e_i^2), where t is
 * the greatest root of S(t) = sum (e_i y_i / (t + e_i^2))^2 = 1. In v = t + e_2^2 (e_2 the least axis) the denominators
 * are v + (e_i^2 - e_2^2): nothing cancels near the pole v = 0, which is where points near the middle plane go, and a
 * flat ellipsoid (e_2 = 0) needs no rule of its own. S^(-1/2) is concave and rises, so Newton from the left climbs to
 * the root without overshooting; it is nearly straight, so that takes few steps. Gap and normal are t n and n/|n| with
 * n_i = y_i / (t + e_i^2), so nothing is subtracted for a point close to the surface. */
#include "geometry/point_query.h"

#include "geometry/direction.h"

/* Beside the larger of size and distance, a length below this is none: its squares would leave the range of doubles. */
#define LEAST_LENGTH 1e-140

/* Semi-axes from long to short, the point's coordinates beside them. */
typedef struct sorted_problem {
    double e[3], y[3], d[3]; /* d = e^2 - e[2]^2 */
    int axis[3];
} sorted_problem;

/* Of equal semi-axes z comes last, x first. */
static void sort_axes(sorted_problem *p)
{
    static const int pairs[3][2] = {{0, 1}, {1, 2}, {0, 1}};
    for (int k = 0; k < 3; k++) {
        int i = pairs[k][0], j = pairs[k][1];
        if (p->e[i] >= p->e[j]) continue;
        double e = p->e[i], y = p->y[i];
        int axis = p->axis[i];
        p->e[i] = p->e[j], p->y[i] = p->y[j], p->axis[i] = p->axis[j];
        p->e[j] = e, p->y[j] = y, p->axis[j] = axis;
    }
    for (int i = 0; i < 3; i++) p->d[i] = (p->e[i] - p->e[2]) * (p->e[i] + p->e[2]);
}

/* The middle plane across the shortest axes: x[2] is what the others leave; `sum` of theirs, S at the pole. */
static void solve_at_pole(const sorted_problem *p, double sum, double *x, double *n, double *t)
{
    double e = p->e[2], height = sum < 1 ? sqrt(1 - sum) : 0;
    for (int i = 0; i < 3; i++) {
        bool shortest = p->d[i] == 0;
        x[i] = shortest ? 0 : p->e[i] * p->e[i] * (p->y[i] / p->d[i]);
        n[i] = shortest ? 0 : p->y[i] / p->d[i];
    }
    *t = -(e * e);
    if (e > 0) {
        x[2] = e * height;
        n[2] = height / e;
        return;
    }
    for (int i = 0; i < 3; i++) n[i] = p->d[i] == 0 ? p->y[i] : 0; /* flat: straight above it */
    *t = 1;
}

/* Nearest point x, and n with x + t n = y. */
static void solve(const sorted_problem *p, double *x, double *n, double *t)
{
    double at_pole = 0, v = 0; /* v starts where one term alone is 1 */
    bool pole = true;
    for (int i = 0; i < 3; i++) {
        double product = p->e[i] * p->y[i];
        if (product == 0) continue;
        if (p->d[i] == 0) pole = false;
        else at_pole += (product / p->d[i]) * (product / p->d[i]);
        if (product - p->d[i] > v) v = product - p->d[i];
    }
    if (pole && at_pole <= 1) {
        solve_at_pole(p, at_pole, x, n, t);
        return;
    }
    for (int count = 0; count < 200; count++) {
        double sum = 0, weighted = 0;
        for (int i = 0; i < 3; i++) {
            double product = p->e[i] * p->y[i];
            if (product == 0) continue;
            double quotient = product / (v + p->d[i]);
            sum += quotient * quotient;
            weighted += quotient * quotient / (v + p->d[i]);
        }
        double step = (sqrt(sum) - 1) * sum / weighted;
        if (!(step > 1.2e-16 * v)) break;
        v += step;
    }
    if (v == 0) { /* on the border of the middle plane's part, to rounding */
        solve_at_pole(p, 1, x, n, t);
        return;
    }
    for (int i = 0; i < 3; i++) {
        n[i] = p->y[i] == 0 ? 0 : p->y[i] / (v + p->d[i]);
        x[i] = p->e[i] * (p->e[i] * n[i]);
    }
    *t = v - p->e[2] * p->e[2];
}

void fnd_point_query_ellipsoid(fender_vec3 semi_axes, fender_vec3 point, fnd_surface_point *found)
{
    const double given[3] = {point.x, point.y, point.z};
    double size = fnd_largest_component(semi_axes), far_off = fnd_largest_component(point);
    if (far_off > size) size = far_off;
    *found = (fnd_surface_point){0, {0, 0, 0}, {0, 0, 1}, 0};
    if (size == 0) return;
    int exponent = 0;
    frexp(size, &exponent);
    sorted_problem p = {
        {ldexp(semi_axes.x, -exponent), ldexp(semi_axes.y, -exponent), ldexp(semi_axes.z, -exponent)},
        {ldexp(fabs(point.x), -exponent), ldexp(fabs(point.y), -exponent), ldexp(fabs(point.z), -exponent)},
        {0, 0, 0},
        {0, 1, 2}};
    for (int i = 0; i < 3; i++) {
        if (p.e[i] < LEAST_LENGTH) p.e[i] = 0;
        if (p.y[i] < LEAST_LENGTH) p.y[i] = 0;
    }
    sort_axes(&p);
    double x[3], n[3], t, nearest[3], normal[3];
    solve(&p, x, n, &t);
    for (int i = 0; i < 3; i++) {
        int axis = p.axis[i];
        double sign = given[axis] < 0 ? -1 : 1;
        nearest[axis] = sign * ldexp(x[i], exponent);
        normal[axis] = sign * n[i];
    }
    fender_vec3 direction;
    double length = fnd_length_and_direction(fender_vec3_make(normal[0], normal[1], normal[2]), &direction);
    if (length == 0) { /* on a flat one */
        double unit[3] = {0, 0, 0};
        unit[p.axis[2]] = given[p.axis[2]] < 0 ? -1 : 1;
        direction = fender_vec3_make(unit[0], unit[1], unit[2]);
    }
    found->distance = ldexp(t * length, exponent);
    found->point = fender_vec3_make(nearest[0], nearest[1], nearest[2]);
    found->normal = direction;
}
