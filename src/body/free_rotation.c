/* Torque-free rotation: the discrete Moser-Veselov map with corrections of its time step and of the turn about L.
 *
 * Let A be the inverse inertia, M = R^T L the momentum in body axes, C = |M|^2, and b = h M / 2. The map (Moser and
 * Veselov 1991) turns the body by the unit quaternion (e0, e) with
 *
 *     e0 m + (A m) x m = b,   e = A m,
 *
 * and keeps |M| and M.AM exactly: each step goes along the true orbit of M, but too fast or too slow, and turns too far
 * or not far enough about L. Both defects depend on h and on the constants of the motion alone, so that a scaled step
 * and one turn about L undo them to any order (Hairer and Vilmart 2006, "Preprocessed discrete Moser-Veselov algorithm
 * for the full dynamics of the rigid body").
 *
 * Here A is first freed of its part that turns about L at an even rate: A' = A - rate * 1 with rate = M.AM / C. That
 * part commutes with the rest and is done exactly. What is left has M.A'M = 0, which removes all but a few terms of the
 * corrections: they are polynomials in C h^2 whose coefficients, below, are those of the invariants of A'. They follow
 * from equating, power by power in exact fractions, the series of the true motion and of the map.
 */
#include "body/free_rotation.h"

#include "math/elementary.h"

enum { NEWTON_LIMIT = 12, SUBSTEP_LIMIT = 256 };

/* Trace, sum of principal minors, determinant. */
typedef struct invariants {
    double trace, second, determinant;
} invariants;

static invariants invariants_of(const fender_mat3 *a)
{
    const double(*m)[3] = a->m;
    double m00 = m[1][1] * m[2][2] - m[1][2] * m[2][1];
    double m01 = m[1][0] * m[2][2] - m[1][2] * m[2][0];
    double m02 = m[1][0] * m[2][1] - m[1][1] * m[2][0];
    double m11 = m[0][0] * m[2][2] - m[0][2] * m[2][0], m22 = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    return (invariants){m[0][0] + m[1][1] + m[2][2], m00 + m11 + m22, m[0][0] * m00 - m[0][1] * m01 + m[0][2] * m02};
}

/* What the step is to be stretched by, and the tangent of half the missing turn about L divided by h |M|; k = C h^2. */
static void corrections(invariants of, double k, double *stretch, double *twist)
{
    double d = of.determinant * k;
    double u = of.second * k, v = of.trace * d * k, w = of.determinant * d * k * k; /* pure numbers */
    double s4 = u * u / 120 - v / 40;
    double s6 = u * (17.0 / 20160 * u * u - 11.0 / 3360 * v) - w / 112;
    double s8 = u * u * (31.0 / 362880 * u * u - 19.0 / 40320 * v) + v * v / 1920 - 5.0 / 5376 * u * w;
    *stretch = u / 12 + (s4 + (s6 + s8));
    double t7 = v / 560 - 19.0 / 40320 * u * u;
    double t9 = u * (3.0 / 17920 * v - 61.0 / 1451520 * u * u) - 19.0 / 145152 * w;
    *twist = -d * (1.0 / 12 + (u / 480 - (t7 + t9)));
}

/* The Gibbs vector g = e / e0 of the map: g = A nu with nu + g x nu = b (1 + |g|^2). Two rounds of insertion, then
 * Newton: near a rod insertion alone would not converge. */
static fender_vec3 moser_veselov(const fender_mat3 *a, fender_vec3 b)
{
    fender_vec3 nu = b, g = fender_mat3_times(a, b);
    for (int i = 0; i < 2; i++) {
        nu = fender_vec3_sub(fender_vec3_scale(1 + fender_vec3_dot(g, g), b), fender_vec3_cross(g, nu));
        g = fender_mat3_times(a, nu);
    }
    for (int i = 0; i < NEWTON_LIMIT; i++) {
        fender_vec3 ag = fender_mat3_times(a, g);
        fender_vec3 rest = fender_vec3_sub(
            fender_vec3_sub(fender_vec3_scale(1 + fender_vec3_dot(g, g), b), fender_vec3_cross(g, nu)), nu);
        /* columns of the derivative of nu + g x nu - b (1 + |g|^2) */
        fender_vec3 c0 = {1, g.z, -g.y}, c1 = {-g.z, 1, g.x}, c2 = {g.y, -g.x, 1};
        c0 = fender_vec3_add(c0, fender_vec3_cross(fender_mat3_column(a, 0), nu));
        c1 = fender_vec3_add(c1, fender_vec3_cross(fender_mat3_column(a, 1), nu));
        c2 = fender_vec3_add(c2, fender_vec3_cross(fender_mat3_column(a, 2), nu));
        c0 = fender_vec3_add_scaled(c0, -2 * ag.x, b);
        c1 = fender_vec3_add_scaled(c1, -2 * ag.y, b);
        c2 = fender_vec3_add_scaled(c2, -2 * ag.z, b);
        fender_vec3 c12 = fender_vec3_cross(c1, c2);
        double inverse = 1 / fender_vec3_dot(c0, c12);
        fender_vec3 change = {inverse * fender_vec3_dot(rest, c12),
                              inverse * fender_vec3_dot(rest, fender_vec3_cross(c2, c0)),
                              inverse * fender_vec3_dot(rest, fender_vec3_cross(c0, c1))};
        nu = fender_vec3_add(nu, change);
        fender_vec3 turn = fender_mat3_times(a, change);
        g = fender_mat3_times(a, nu);
        /* what is left is of the size of (A change) x change */
        if (!(fender_vec3_dot(turn, turn) * fender_vec3_dot(change, change) > 1e-36 * fender_vec3_dot(nu, nu))) break;
    }
    return g;
}

/* Unit quaternion (1 + less, v) of a turn. */
typedef struct turn {
    double less;
    fender_vec3 v;
} turn;

static fender_quaternion increment(turn t) { return (fender_quaternion){t.less, t.v.x, t.v.y, t.v.z}; }

static turn turn_of_gibbs(fender_vec3 g)
{
    double square = fender_vec3_dot(g, g), root = sqrt(1 + square), scale = 1 / root;
    return (turn){-square / (root * (1 + root)), fender_vec3_scale(scale, g)};
}

static turn turn_about(fender_vec3 v, double length, double half_angle)
{
    double sine, cosine;
    fnd_sin_cos(0.5 * half_angle, &sine, &cosine);
    return (turn){-2 * sine * sine, fender_vec3_scale(2 * sine * cosine / length, v)};
}

static fender_quaternion sum(fender_quaternion a, fender_quaternion b)
{
    return (fender_quaternion){a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
}

/* outer q inner, brought back to unit length. Only the last sum rounds at the size of q: a step costs half a unit in
 * the last place of q and hardly more, and no length builds up. */
static fender_quaternion turned(fender_quaternion q, turn outer, turn inner)
{
    fender_quaternion change = fender_quaternion_product(q, increment(inner));
    change = sum(change, fender_quaternion_product(increment(outer), sum(q, change)));
    double half_excess = 0.5 * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1);
    fender_quaternion shorter = {-half_excess * q.w, -half_excess * q.x, -half_excess * q.y, -half_excess * q.z};
    return sum(q, sum(change, shorter));
}

fender_quaternion fnd_free_rotation(const fender_mat3 *inverse_inertia, bool spherical, fender_quaternion q,
                                    fender_vec3 L, double step)
{
    static const turn none = {0, {0, 0, 0}};
    double square = fender_vec3_dot(L, L), length = sqrt(square);
    if (!(length > 0) || !isfinite(square) || !isfinite(step)) return q;
    if (spherical) return turned(q, turn_about(L, length, 0.5 * step * inverse_inertia->m[0][0] * length), none);

    fender_mat3 a = *inverse_inertia, R = fender_quaternion_matrix(q);
    fender_vec3 M = fender_mat3_transpose_times(&R, L);
    double rate = fender_vec3_dot(M, fender_mat3_times(&a, M)) / square;
    for (int i = 0; i < 3; i++) a.m[i][i] -= rate;
    invariants of = invariants_of(&a);
    /* Parts of at most about a tenth of a radian of what is left: there the corrections are good to rounding. */
    double wobble = fabs(step) * length * sqrt(fabs(of.second) + sqrt(fabs(of.trace * of.determinant)));
    double parts = ceil(10 * wobble);
    int count = parts > 1 ? parts < SUBSTEP_LIMIT ? (int)parts : SUBSTEP_LIMIT : 1;
    double h = step / count, stretch, twist;
    corrections(of, square * h * h, &stretch, &twist);
    double tangent = twist * h * length; /* small: three terms of its arc are enough */
    double missing = tangent * (1 - tangent * tangent * (1.0 / 3 - 0.2 * tangent * tangent));
    turn about_L = turn_about(L, length, count * (0.5 * h * rate * length + missing));
    for (int i = 0; i < count; i++) {
        if (i > 0) {
            R = fender_quaternion_matrix(q);
            M = fender_mat3_transpose_times(&R, L);
        }
        fender_vec3 g = moser_veselov(&a, fender_vec3_scale(0.5 * h * (1 + stretch), M));
        if (!fender_vec3_is_finite(g)) return q;
        q = turned(q, i == 0 ? about_L : none, turn_of_gibbs(g));
    }
    return q;
}
