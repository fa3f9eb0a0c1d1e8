/* Oracles: what the shapes are, told by support functions and by how far a point lies outside. */
#include "oracle.h"

#define SCALAR  real
#define SQRT    sqrtl
#define NAME(x) x##_real
#include "oracle_support_of.h"
#undef SCALAR
#undef SQRT
#undef NAME
#define SCALAR  double
#define SQRT    sqrt
#define NAME(x) x##_double
#include "oracle_support_of.h"

real33 oracle_rotation(fender_quaternion q)
{
    real w = q.w, x = q.x, y = q.y, z = q.z, n = w * w + x * x + y * y + z * z;
    return (real33){{{(w * w + x * x - y * y - z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n},
                     {2 * (x * y + w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z - w * x) / n},
                     {2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, (w * w - x * x - y * y + z * z) / n}}};
}

real3 oracle_outward(const real33 *R, real3 v)
{
    real r[3];
    for (int i = 0; i < 3; i++) r[i] = R->m[i][0] * v.x + R->m[i][1] * v.y + R->m[i][2] * v.z;
    return real3_make(r[0], r[1], r[2]);
}

real3 oracle_inward(const real33 *R, real3 v)
{
    real r[3];
    for (int i = 0; i < 3; i++) r[i] = R->m[0][i] * v.x + R->m[1][i] * v.y + R->m[2][i] * v.z;
    return real3_make(r[0], r[1], r[2]);
}

void oracle_pair_place(oracle_pair *pair, const oracle_shape *a, const fender_pose *X_WA, const oracle_shape *b,
                       const fender_pose *X_WB)
{
    pair->a = a, pair->b = b;
    pair->Ra = oracle_rotation(X_WA->q), pair->Rb = oracle_rotation(X_WB->q);
    pair->offset = real3_make((real)X_WB->p.x - X_WA->p.x, (real)X_WB->p.y - X_WA->p.y, (real)X_WB->p.z - X_WA->p.z);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            pair->Da[i][j] = (double)pair->Ra.m[i][j], pair->Db[i][j] = (double)pair->Rb.m[i][j];
    pair->offset_d[0] = (double)pair->offset.x, pair->offset_d[1] = (double)pair->offset.y;
    pair->offset_d[2] = (double)pair->offset.z;
}

real3 oracle_support(const oracle_shape *shape, real3 n)
{
    real v[3] = {n.x, n.y, n.z}, p[3];
    support_real(shape, v, p);
    return real3_make(p[0], p[1], p[2]);
}

void oracle_support_d(const oracle_shape *shape, const double n[3], double point[3])
{
    support_double(shape, n, point);
}

real3 oracle_difference(const oracle_pair *pair, real3 n)
{
    real3 pa = oracle_support(pair->a, oracle_inward(&pair->Ra, n));
    real3 pb = oracle_support(pair->b, oracle_inward(&pair->Rb, real3_make(-n.x, -n.y, -n.z)));
    return real3_add(real3_add(pair->offset, 1, oracle_outward(&pair->Rb, pb)), -1, oracle_outward(&pair->Ra, pa));
}

/* The normal of a half space, outward of a, for one that agrees with it to the rounding of doubles. */
static bool true_normal(const oracle_shape *shape, const real33 *R, real sense, real3 *n)
{
    if (shape->kind != ORACLE_HALF_SPACE) return true;
    real3 m = real3_make(sense * R->m[0][2], sense * R->m[1][2], sense * R->m[2][2]);
    if (!(real3_length(real3_add(m, -1, *n)) < 2e-15L)) return false;
    *n = m;
    return true;
}

real oracle_width(const oracle_pair *pair, real3 n)
{
    if (!true_normal(pair->a, &pair->Ra, 1, &n) || !true_normal(pair->b, &pair->Rb, -1, &n)) return -INFINITY;
    return real3_dot(n, oracle_difference(pair, n)) - pair->a->rounding - pair->b->rounding;
}

static real excess(real x, real limit) { return fabsl(x) > limit ? fabsl(x) - limit : 0; }

/* Distance of (x, y) from the segment between two points. */
static real from_segment(real x, real y, real ax, real ay, real bx, real by)
{
    real ux = bx - ax, uy = by - ay, uu = ux * ux + uy * uy, t = 0;
    if (uu > 0) t = ((x - ax) * ux + (y - ay) * uy) / uu;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypotl(x - ax - t * ux, y - ay - t * uy);
}

static real outside_cone(const oracle_shape *s, real rho, real z)
{
    real r = s->radius, l = s->half_length;
    if (z >= -l && z <= l && 2 * l * rho <= r * (l - z)) return 0;
    real side = from_segment(rho, z, r, -l, 0, l), base = from_segment(rho, z, 0, -l, r, -l);
    return side < base ? side : base;
}

static real outside_ellipsoid(const oracle_shape *s, real3 p)
{
    const real axes[3] = {s->half.x, s->half.y, s->half.z}, x[3] = {p.x, p.y, p.z};
    real flat = 0, square = 0, slope = 0;
    for (int i = 0; i < 3; i++) {
        if (axes[i] == 0) flat = hypotl(flat, x[i]);
        else
            square += x[i] / axes[i] * (x[i] / axes[i]), slope += x[i] / axes[i] / axes[i] * (x[i] / axes[i] / axes[i]);
    }
    real level = sqrtl(square);
    if (level <= 1 || slope == 0) return flat;
    return hypotl(flat, (level - 1) * level / sqrtl(slope));
}

static real outside_taper(const oracle_shape *s, real rho, real z)
{
    real r1 = s->radius, r2 = s->half.x, length = 2 * (real)s->half_length, up = z + s->half_length;
    real low = hypotl(rho, up) - r1, high = hypotl(rho, up - length) - r2;
    if (fabsl(r1 - r2) >= length) return low < high ? low : high;
    real sine = (r1 - r2) / length, cosine = sqrtl(1 - sine * sine);
    real along = cosine * up - sine * rho;
    if (along < 0) return low;
    if (along > cosine * length) return high;
    return cosine * rho + sine * up - r1;
}

real oracle_outside(const oracle_shape *s, real3 p)
{
    real rho = hypotl(p.x, p.y);
    switch (s->kind) {
    case ORACLE_POINT: return real3_length(p);
    case ORACLE_SEGMENT: return hypotl(rho, excess(p.z, s->half_length));
    case ORACLE_DISK: return hypotl(excess(rho, s->radius), p.z);
    case ORACLE_BOX: return hypotl(hypotl(excess(p.x, s->half.x), excess(p.y, s->half.y)), excess(p.z, s->half.z));
    case ORACLE_CYLINDER: return hypotl(excess(rho, s->radius), excess(p.z, s->half_length));
    case ORACLE_CONE: return outside_cone(s, rho, p.z);
    case ORACLE_ELLIPSOID: return outside_ellipsoid(s, p);
    case ORACLE_TAPER: return outside_taper(s, rho, p.z);
    case ORACLE_HALF_SPACE: return p.z;
    case ORACLE_POINTS: break;
    }
    static const oracle_shape point = {.kind = ORACLE_POINT};
    oracle_pair pair = {.a = s, .b = &point, .offset = p};
    for (int i = 0; i < 3; i++) pair.Ra.m[i][i] = pair.Rb.m[i][i] = 1;
    return oracle_distance(&pair).distance;
}
