/* GJK in sums of two doubles: for simplexes so flat that doubles cannot tell which of their faces is nearest, as of
 * faces and edges that are parallel to 1e-12 or so. Slow, and seldom needed. */
#include "collide/convex.h"
#include "math/exact.h"

/* high + low, |low| at most half an ulp of high: 106 bits. */
typedef struct wide {
    double high, low;
} wide;
typedef struct wide_vec {
    wide x, y, z;
} wide_vec;

static wide wide_of(double a) { return (wide){a, 0}; }

static wide two_sum(double a, double b)
{
    double s = a + b, t = s - a;
    return (wide){s, (a - (s - t)) + (b - t)};
}

static wide wide_add(wide a, wide b)
{
    wide s = two_sum(a.high, b.high), t = two_sum(a.low, b.low);
    s.low += t.high;
    s = two_sum(s.high, s.low);
    s.low += t.low;
    return two_sum(s.high, s.low);
}

static wide wide_negate(wide a) { return (wide){-a.high, -a.low}; }

static wide wide_multiply(wide a, wide b)
{
    double p = a.high * b.high, e = fnd_product_error(a.high, b.high, p);
    return two_sum(p, e + (a.high * b.low + a.low * b.high));
}

static wide wide_divide(wide a, wide b)
{
    double q = a.high / b.high;
    wide rest = wide_add(a, wide_negate(wide_multiply(wide_of(q), b)));
    return two_sum(q, rest.high / b.high);
}

static bool wide_less(wide a, wide b) { return a.high < b.high || (a.high == b.high && a.low < b.low); }
static bool wide_positive(wide a) { return a.high > 0; }

static wide_vec vec_of(fender_vec3 v) { return (wide_vec){wide_of(v.x), wide_of(v.y), wide_of(v.z)}; }
static wide_vec vec_add(wide_vec a, wide_vec b)
{
    return (wide_vec){wide_add(a.x, b.x), wide_add(a.y, b.y), wide_add(a.z, b.z)};
}
static wide_vec vec_scale(wide s, wide_vec a)
{
    return (wide_vec){wide_multiply(s, a.x), wide_multiply(s, a.y), wide_multiply(s, a.z)};
}
static wide_vec vec_sub(wide_vec a, wide_vec b) { return vec_add(a, vec_scale(wide_of(-1), b)); }
static wide vec_dot(wide_vec a, wide_vec b)
{
    return wide_add(wide_add(wide_multiply(a.x, b.x), wide_multiply(a.y, b.y)), wide_multiply(a.z, b.z));
}
static wide minor(wide a, wide b, wide c, wide d)
{
    return wide_add(wide_multiply(a, d), wide_negate(wide_multiply(b, c)));
}
static wide_vec vec_cross(wide_vec a, wide_vec b)
{
    return (wide_vec){minor(a.y, a.z, b.y, b.z), minor(a.z, a.x, b.z, b.x), minor(a.x, a.y, b.x, b.y)};
}

/* A part of the simplex with the point of it that is nearest to the origin. */
typedef struct candidate {
    int count, index[3];
    wide weight[3];
    wide_vec v;
    wide squared;
} candidate;

static void take_least(candidate *best, candidate c)
{
    c.squared = vec_dot(c.v, c.v);
    if (best->count == 0 || wide_less(c.squared, best->squared)) *best = c;
}

static void try_edge(const fnd_simplex *s, int p, int q, candidate *best)
{
    wide_vec w = vec_of(s->v[p].w), e = vec_sub(vec_of(s->v[q].w), w);
    wide along = wide_negate(vec_dot(w, e)), ee = vec_dot(e, e);
    if (!wide_positive(along) || !wide_less(along, ee)) return;
    wide t = wide_divide(along, ee);
    candidate c = {2, {p, q, 0}, {wide_add(wide_of(1), wide_negate(t)), t, {0, 0}}, {{0, 0}, {0, 0}, {0, 0}}, {0, 0}};
    c.v = vec_add(w, vec_scale(t, e));
    take_least(best, c);
}

static void try_triangle(const fnd_simplex *s, int p, int q, int r, candidate *best)
{
    wide_vec a = vec_of(s->v[p].w), b = vec_of(s->v[q].w), c = vec_of(s->v[r].w);
    wide_vec n = vec_cross(vec_sub(b, a), vec_sub(c, a));
    wide u = vec_dot(n, vec_cross(b, c)), v = vec_dot(n, vec_cross(c, a)), w = vec_dot(n, vec_cross(a, b));
    if (!wide_positive(u) || !wide_positive(v) || !wide_positive(w)) return;
    wide sum = wide_add(wide_add(u, v), w);
    candidate t = {3, {p, q, r}, {wide_divide(u, sum), wide_divide(v, sum), wide_divide(w, sum)}, n, {0, 0}};
    t.v = vec_scale(wide_divide(vec_dot(n, a), vec_dot(n, n)), n);
    take_least(best, t);
}

/* Does the tetrahedron hold the origin? */
static bool inside(const fnd_simplex *s)
{
    if (s->count < 4) return false;
    static const int faces[4][4] = {{0, 1, 2, 3}, {1, 2, 3, 0}, {2, 3, 0, 1}, {3, 0, 1, 2}};
    for (int i = 0; i < 4; i++) {
        wide_vec a = vec_of(s->v[faces[i][0]].w);
        wide_vec n = vec_cross(vec_sub(vec_of(s->v[faces[i][1]].w), a), vec_sub(vec_of(s->v[faces[i][2]].w), a));
        double height = vec_dot(n, vec_sub(vec_of(s->v[faces[i][3]].w), a)).high, along = -vec_dot(n, a).high;
        if (!(height * along >= 0) || height == 0) return false;
    }
    return true;
}

static candidate nearest_of(const fnd_simplex *s)
{
    candidate best = {.count = 0};
    for (int p = 0; p < s->count; p++) {
        take_least(&best, (candidate){1, {p, 0, 0}, {{1, 0}, {0, 0}, {0, 0}}, vec_of(s->v[p].w), {0, 0}});
        for (int q = 0; q < p; q++) {
            try_edge(s, p, q, &best);
            for (int r = 0; r < q; r++) try_triangle(s, p, q, r, &best);
        }
    }
    return best;
}

static fender_vec3 rounded(const candidate *c) { return fender_vec3_make(c->v.x.high, c->v.y.high, c->v.z.high); }

bool fnd_gjk_precise(const fnd_convex_pair *pair, fnd_simplex *simplex, fnd_core_separation *out)
{
    double rounding = FND_CONVEX_ROUNDING * pair->scale;
    fnd_simplex *s = simplex;
    candidate at = nearest_of(s);
    for (int i = 0; i < 200; i++) {
        fnd_simplex kept = {.count = at.count};
        for (int k = 0; k < at.count; k++) {
            kept.v[k] = s->v[at.index[k]];
            kept.weight[k] = at.weight[k].high;
        }
        *s = kept;
        if (!(at.squared.high > rounding * rounding)) return false;
        fnd_convex_vertex w = fnd_pair_support(pair, rounded(&at));
        for (int k = 0; k < s->count; k++)
            if (s->v[k].index_a == w.index_a && s->v[k].index_b == w.index_b) i = 200;
        if (i >= 200) break;
        fnd_simplex wider = *s;
        wider.v[wider.count++] = w;
        if (inside(&wider)) {
            *s = wider;
            return false;
        }
        candidate next = nearest_of(&wider);
        if (!wide_less(next.squared, at.squared)) break;
        *s = wider;
        at = next;
    }
    fender_vec3 v = rounded(&at);
    double length = fender_vec3_length(v);
    out->distance = length;
    out->normal = fender_vec3_make(v.x / length, v.y / length, v.z / length);
    out->point_a = fender_vec3_scale(s->weight[0], s->v[0].a);
    for (int k = 1; k < s->count; k++) out->point_a = fender_vec3_add_scaled(out->point_a, s->weight[k], s->v[k].a);
    return true;
}
