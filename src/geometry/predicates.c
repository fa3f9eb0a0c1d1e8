/* Orientation of points, exact: a filter in floating point, then sums of doubles that do not overlap (after Shewchuk,
 * Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates, 1997).
 *
 * An expansion is an array of doubles in increasing order of magnitude, without zeros (but for the single 0), whose
 * exact sum is meant; no two overlap in their bits. */
#include "geometry/predicates.h"

#include "math/elementary.h"

#include <assert.h>
#include <float.h>

static double two_sum(double a, double b, double *error)
{
    double sum = a + b, part = sum - a;
    *error = (a - (sum - part)) + (b - part);
    return sum;
}

static double two_product(double a, double b, double *error)
{
    double product = a * b;
    *error = fnd_product_error(a, b, product);
    return product;
}

/* a - b, one or two parts. */
static int expand_difference(double a, double b, double *out)
{
    double error, sum = two_sum(a, -b, &error);
    if (error == 0) {
        out[0] = sum;
        return 1;
    }
    out[0] = error;
    out[1] = sum;
    return 2;
}

/* e + f; room for both. */
static int expand_sum(const double *e, int e_count, const double *f, int f_count, double *out)
{
    int i = 0, k = 0, count = 0;
    double sum = 0, error;
    for (int n = 0; n < e_count + f_count; n++) {
        bool from_e = k == f_count || (i < e_count && fabs(e[i]) < fabs(f[k]));
        double part = from_e ? e[i++] : f[k++];
        sum = two_sum(sum, part, &error);
        if (error != 0) out[count++] = error;
    }
    if (sum != 0 || count == 0) out[count++] = sum;
    return count;
}

/* e b; room for twice e. */
static int expand_scale(const double *e, int e_count, double b, double *out)
{
    int count = 0;
    double error, sum = two_product(e[0], b, &error);
    if (error != 0) out[count++] = error;
    for (int i = 1; i < e_count; i++) {
        double low, high = two_product(e[i], b, &low);
        sum = two_sum(sum, low, &error);
        if (error != 0) out[count++] = error;
        sum = two_sum(high, sum, &error);
        if (error != 0) out[count++] = error;
    }
    if (sum != 0 || count == 0) out[count++] = sum;
    return count;
}

/* e f of one or two parts in f, up to 16 in e; room for 64. */
static int expand_product(const double *e, int e_count, const double *f, int f_count, double *out)
{
    if (f_count == 1) return expand_scale(e, e_count, f[0], out);
    double low[32], high[32];
    int low_count = expand_scale(e, e_count, f[0], low), high_count = expand_scale(e, e_count, f[1], high);
    return expand_sum(low, low_count, high, high_count, out);
}

/* a d - b c of numbers of one or two parts; room for 16. */
static int expand_determinant(const double a[2], int a_count, const double b[2], int b_count, const double c[2],
                              int c_count, const double d[2], int d_count, double *out)
{
    double left[8], right[8];
    int left_count = expand_product(a, a_count, d, d_count, left);
    int right_count = expand_product(b, b_count, c, c_count, right);
    for (int i = 0; i < right_count; i++) right[i] = -right[i];
    return expand_sum(left, left_count, right, right_count, out);
}

static int sign(double value) { return (value > 0) - (value < 0); }

static int exact_3d(fender_vec3 a, fender_vec3 b, fender_vec3 c, fender_vec3 d)
{
    double x[3][2], y[3][2], z[3][2];
    int nx[3], ny[3], nz[3];
    const fender_vec3 from[3] = {b, c, d};
    for (int i = 0; i < 3; i++) {
        nx[i] = expand_difference(from[i].x, a.x, x[i]);
        ny[i] = expand_difference(from[i].y, a.y, y[i]);
        nz[i] = expand_difference(from[i].z, a.z, z[i]);
    }
    double minor[16], term[64], sum[192], next[192];
    int sum_count = 0;
    for (int i = 0; i < 3; i++) { /* z_i (x_j y_k - y_j x_k) */
        int j = (i + 1) % 3, k = (i + 2) % 3;
        int minor_count = expand_determinant(x[j], nx[j], y[j], ny[j], x[k], nx[k], y[k], ny[k], minor);
        int term_count = expand_product(minor, minor_count, z[i], nz[i], term);
        sum_count = expand_sum(sum, sum_count, term, term_count, next);
        for (int n = 0; n < sum_count; n++) sum[n] = next[n];
    }
    return sign(sum[sum_count - 1]);
}

int fnd_orientation_3d(fender_vec3 a, fender_vec3 b, fender_vec3 c, fender_vec3 d)
{
    assert(fabs(a.x) <= 1 && fabs(b.y) <= 1 && fabs(c.z) <= 1);
    fender_vec3 u = fender_vec3_sub(b, a), v = fender_vec3_sub(c, a), w = fender_vec3_sub(d, a);
    double vxwy = v.x * w.y, vywx = v.y * w.x, wxuy = w.x * u.y, wyux = w.y * u.x, uxvy = u.x * v.y, uyvx = u.y * v.x;
    double determinant = u.z * (vxwy - vywx) + v.z * (wxuy - wyux) + w.z * (uxvy - uyvx);
    double bound = (fabs(vxwy) + fabs(vywx)) * fabs(u.z) + (fabs(wxuy) + fabs(wyux)) * fabs(v.z) +
                   (fabs(uxvy) + fabs(uyvx)) * fabs(w.z);
    bound *= (3.5 + 28 * DBL_EPSILON) * DBL_EPSILON; /* 7 u + 56 u^2 of the sum of magnitudes, u = epsilon / 2 */
    if (determinant > bound || -determinant > bound) return sign(determinant);
    return exact_3d(a, b, c, d);
}

int fnd_orientation_2d(fender_vec2 a, fender_vec2 b, fender_vec2 c)
{
    double left = (b.x - a.x) * (c.y - a.y), right = (b.y - a.y) * (c.x - a.x);
    double determinant = left - right;
    double bound = (1.5 + 4 * DBL_EPSILON) * DBL_EPSILON * (fabs(left) + fabs(right)); /* 3 u + 16 u^2 */
    if (determinant > bound || -determinant > bound) return sign(determinant);
    double x[2][2], y[2][2], sum[16];
    int nx[2], ny[2];
    nx[0] = expand_difference(b.x, a.x, x[0]);
    ny[0] = expand_difference(b.y, a.y, y[0]);
    nx[1] = expand_difference(c.x, a.x, x[1]);
    ny[1] = expand_difference(c.y, a.y, y[1]);
    int count = expand_determinant(x[0], nx[0], y[0], ny[0], x[1], nx[1], y[1], ny[1], sum);
    return sign(sum[count - 1]);
}

fender_vec3 fnd_exact_normal(fender_vec3 a, fender_vec3 b, fender_vec3 c)
{
    double x[2][2], y[2][2], z[2][2], sum[16];
    int nx[2], ny[2], nz[2];
    for (int i = 0; i < 2; i++) {
        fender_vec3 p = i ? c : b;
        nx[i] = expand_difference(p.x, a.x, x[i]);
        ny[i] = expand_difference(p.y, a.y, y[i]);
        nz[i] = expand_difference(p.z, a.z, z[i]);
    }
    double n[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        double(*u)[2] = k == 0 ? y : k == 1 ? z : x, (*v)[2] = k == 0 ? z : k == 1 ? x : y;
        const int *nu = k == 0 ? ny : k == 1 ? nz : nx, *nv = k == 0 ? nz : k == 1 ? nx : ny;
        int count = expand_determinant(u[0], nu[0], v[0], nv[0], u[1], nu[1], v[1], nv[1], sum);
        for (int i = 0; i < count; i++) n[k] += sum[i];
    }
    return fender_vec3_make(n[0], n[1], n[2]);
}
