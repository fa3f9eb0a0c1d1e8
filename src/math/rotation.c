/* Rotations beyond the public header: exponential map, least rotation, twist. Symmetric matrices: eigenvalues, inverse.
 */
#include "math/rotation.h"
#include <assert.h>

#include "math/elementary.h"

fender_quaternion fnd_rotation_exp_long(fender_vec3 v)
{
    double sine, cosine, half = 0.5 * fender_vec3_length(v);
    fnd_sin_cos(half, &sine, &cosine);
    double s = 0.5 * sine / half;
    return (fender_quaternion){cosine, s * v.x, s * v.y, s * v.z};
}

fender_vec3 fnd_any_tangent(fender_vec3 n)
{
    fender_vec3 axis = {0, 0, 0};
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    if (x <= y && x <= z) axis.x = 1;
    else if (y <= z) axis.y = 1;
    else axis.z = 1;
    fender_vec3 t = fender_vec3_cross(axis, n);
    return fender_vec3_scale(1.0 / fender_vec3_length(t), t);
}

fender_vec3 fnd_least_rotation(fender_vec3 from, fender_vec3 to, fender_vec3 u)
{
    double c = fender_vec3_dot(from, to);
    if (c < -0.9999999) { /* half a turn about a tangent t: u -> 2 (t.u) t - u */
        fender_vec3 t = fnd_any_tangent(from);
        return fender_vec3_add_scaled(fender_vec3_negate(u), 2.0 * fender_vec3_dot(t, u), t);
    }
    fender_vec3 k = fender_vec3_cross(from, to); /* Rodrigues with |k| = sin, 1/(1+c) = (1-c)/sin^2 */
    fender_vec3 ku = fender_vec3_cross(k, u);
    fender_vec3 r = fender_vec3_add(u, ku);
    return fender_vec3_add_scaled(r, 1.0 / (1.0 + c), fender_vec3_cross(k, ku));
}

fender_quaternion fnd_quaternion_from_matrix(const fender_mat3 *r)
{
    double t = r->m[0][0] + r->m[1][1] + r->m[2][2];
    fender_quaternion q;
    if (t >= r->m[0][0] && t >= r->m[1][1] && t >= r->m[2][2]) {
        q = (fender_quaternion){1 + t, r->m[2][1] - r->m[1][2], r->m[0][2] - r->m[2][0], r->m[1][0] - r->m[0][1]};
    } else if (r->m[0][0] >= r->m[1][1] && r->m[0][0] >= r->m[2][2]) {
        q = (fender_quaternion){r->m[2][1] - r->m[1][2], 1 + 2 * r->m[0][0] - t, r->m[0][1] + r->m[1][0],
                                r->m[0][2] + r->m[2][0]};
    } else if (r->m[1][1] >= r->m[2][2]) {
        q = (fender_quaternion){r->m[0][2] - r->m[2][0], r->m[0][1] + r->m[1][0], 1 + 2 * r->m[1][1] - t,
                                r->m[1][2] + r->m[2][1]};
    } else {
        q = (fender_quaternion){r->m[1][0] - r->m[0][1], r->m[0][2] + r->m[2][0], r->m[1][2] + r->m[2][1],
                                1 + 2 * r->m[2][2] - t};
    }
    return fender_quaternion_normalized(q);
}

/* ---- Symmetric matrices ---- */

static void rotate(double m[3][3], int p, int q)
{
    assert(p >= 0 && p < q && q < 3);
    if (m[p][q] == 0.0) return;
    double theta = 0.5 * (m[q][q] - m[p][p]) / m[p][q];
    double t = 1.0 / (fabs(theta) + sqrt(1.0 + theta * theta));
    if (theta < 0) t = -t;
    double c = 1.0 / sqrt(1.0 + t * t), s = t * c, apq = m[p][q];
    int r = 3 - p - q;
    double arp = m[r][p], arq = m[r][q];
    m[p][p] -= t * apq;
    m[q][q] += t * apq;
    m[p][q] = m[q][p] = 0.0;
    m[r][p] = m[p][r] = c * arp - s * arq;
    m[r][q] = m[q][r] = s * arp + c * arq;
}

fender_vec3 fnd_symmetric_eigenvalues(const fender_mat3 *a)
{
    double m[3][3] = {{a->m[0][0], a->m[0][1], a->m[0][2]},
                      {a->m[0][1], a->m[1][1], a->m[1][2]},
                      {a->m[0][2], a->m[1][2], a->m[2][2]}};
    for (int sweep = 0; sweep < 12; sweep++) {
        rotate(m, 0, 1);
        rotate(m, 0, 2);
        rotate(m, 1, 2);
    }
    double e[3] = {m[0][0], m[1][1], m[2][2]};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (e[j] > e[j + 1]) {
                double larger = e[j];
                e[j] = e[j + 1];
                e[j + 1] = larger;
            }
    return fender_vec3_make(e[0], e[1], e[2]);
}

bool fnd_symmetric_inverse(const fender_mat3 *a, fender_mat3 *inverse)
{
    assert(a != inverse);
    double l00, l10, l20, l11, l21, l22;
    if (!(a->m[0][0] > 0)) return false;
    l00 = sqrt(a->m[0][0]);
    l10 = a->m[0][1] / l00;
    l20 = a->m[0][2] / l00;
    double d1 = a->m[1][1] - l10 * l10;
    if (!(d1 > 0)) return false;
    l11 = sqrt(d1);
    l21 = (a->m[1][2] - l20 * l10) / l11;
    double d2 = a->m[2][2] - l20 * l20 - l21 * l21;
    if (!(d2 > 0)) return false;
    l22 = sqrt(d2);
    /* inverse of L, then its transpose times it */
    double i00 = 1 / l00, i11 = 1 / l11, i22 = 1 / l22;
    double i10 = -l10 * i00 * i11, i21 = -l21 * i11 * i22;
    double i20 = (-l20 * i00 - l21 * i10) * i22;
    inverse->m[0][0] = i00 * i00 + i10 * i10 + i20 * i20;
    inverse->m[1][1] = i11 * i11 + i21 * i21;
    inverse->m[2][2] = i22 * i22;
    inverse->m[0][1] = inverse->m[1][0] = i10 * i11 + i20 * i21;
    inverse->m[0][2] = inverse->m[2][0] = i20 * i22;
    inverse->m[1][2] = inverse->m[2][1] = i21 * i22;
    /* a diagonal matrix inverts exactly, as its user expects */
    if (a->m[0][1] == 0 && a->m[0][2] == 0 && a->m[1][2] == 0)
        *inverse = fender_mat3_diagonal(1 / a->m[0][0], 1 / a->m[1][1], 1 / a->m[2][2]);
    return true;
}

fnd_symmetric_plane fnd_symmetric_plane_of(double xx, double xy, double yy)
{
    double mean = 0.5 * (xx + yy), half = 0.5 * (xx - yy), size = sqrt(half * half + xy * xy);
    if (!(size > 0)) return (fnd_symmetric_plane){mean, mean, 1, 0};
    double x = half >= 0 ? half + size : xy, y = half >= 0 ? xy : size - half, length = sqrt(x * x + y * y);
    return (fnd_symmetric_plane){mean + size, mean - size, x / length, y / length};
}

/* J(v) = 1 + (1 - cos a) / a^2 [v] + (a - sin a) / a^3 [v]^2 with a = |v|, [v] u = v x u (Iserles, Munthe-Kaas, Norsett
 * and Zanna, Acta Numerica 9 (2000), section 2.5). */
void fnd_rotation_derivative(fender_vec3 v, fender_mat3 *J, fender_mat3 *R)
{
    double square = fender_vec3_dot(v, v), first, second;
    if (square < 0.04) { /* series, because the fractions cancel: the first terms left out are below 1e-18 */
        first = 0.5 - square / 24 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90 * (1 - square / 132))));
        second = 1.0 / 6 -
                 square / 120 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110 * (1 - square / 156))));
    } else {
        double angle = sqrt(square), sine, cosine;
        fnd_sin_cos(angle, &sine, &cosine);
        first = (1 - cosine) / square;
        second = (angle - sine) / (square * angle);
    }
    const double x = v.x, y = v.y, z = v.z;
    const fender_mat3 once = {{{0, -z, y}, {z, 0, -x}, {-y, x, 0}}};
    const fender_mat3 twice = {
        {{x * x - square, x * y, x * z}, {y * x, y * y - square, y * z}, {z * x, z * y, z * z - square}}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) J->m[i][k] = (i == k) + first * once.m[i][k] + second * twice.m[i][k];
    *R = fender_quaternion_matrix(fnd_rotation_exp(v));
}
