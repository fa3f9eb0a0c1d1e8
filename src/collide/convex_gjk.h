/* GJK: the point of the difference B - A that lies nearest to the origin, by a simplex that walks towards it.
 *
 * Between polytopes it ends when the farthest point towards the origin lies no nearer than the simplex does: then the
 * features are the right ones, and the distance is right to rounding, since a lower bound (the support) and an upper
 * one (the simplex) agree. The direction of a triangle is its normal, never a sum of its corners, so that it stays
 * exact while the distance goes to zero. Where doubles cannot tell the features, gjk_precise.c can. */
#ifndef FND_COLLIDE_CONVEX_GJK_H
#define FND_COLLIDE_CONVEX_GJK_H

#include "collide/convex.h"

enum { ITERATIONS = 64, CURVED_ITERATIONS = 256 };
#define CURVED_GAP 1e-6 /* part of the distance; the rest is refined */

typedef enum gjk_result { GJK_APART, GJK_BEYOND, GJK_TOUCHING } gjk_result;

typedef struct gjk_point {
    fender_vec3 w, a; /* b - a and a, of vertices or points of curved cores */
    int index_a, index_b;
} gjk_point;

typedef struct gjk_state {
    gjk_point p[4];
    int count;
} gjk_state;

/* A part of the simplex, and its point nearest to the origin. */
typedef struct gjk_nearest {
    fender_vec3 v;
    double squared;
    int count, index[3];
} gjk_nearest;

static inline fender_vec3 vertex_of(const fnd_scan *s, int i) { return fender_vec3_make(s->x[i], s->y[i], s->z[i]); }

/* Vertices of both cores as a point of the difference. */
static inline gjk_point point_of_vertices(const fnd_convex_pair *pair, int index_a, int index_b)
{
    gjk_point p;
    fender_vec3 b = vertex_of(&pair->scan_b, index_b);
    p.index_a = index_a, p.index_b = index_b;
    p.a = fender_vec3_scale(pair->unit, vertex_of(&pair->scan_a, index_a));
    if (!pair->turned)
        b = fender_vec3_add(fender_mat3_times(&pair->R_AB, fender_vec3_scale(pair->unit, b)), pair->p_AB);
    p.w = fender_vec3_sub(b, p.a);
    return p;
}

/* The point that lies least along n. */
static inline gjk_point lowest_point(const fnd_convex_pair *pair, fender_vec3 n)
{
    if (pair->curved) {
        fnd_convex_vertex v = fnd_pair_support(pair, n);
        return (gjk_point){v.w, v.a, v.index_a, v.index_b};
    }
    fender_vec3 against = fender_vec3_negate(n);
    if (!pair->turned) against = fender_mat3_transpose_times(&pair->R_AB, against);
    int index_a = fnd_scan_most(&pair->scan_a, n), index_b = fnd_scan_most(&pair->scan_b, against);
    return point_of_vertices(pair, index_a, index_b);
}

/* Between p and q, if the nearest point lies there; e = q - p. */
static inline void try_edge(const gjk_state *s, int p, int q, fender_vec3 e, gjk_nearest *best)
{
    fender_vec3 w = s->p[p].w;
    double along = -fender_vec3_dot(w, e), ee = fender_vec3_dot(e, e);
    if (!(along > 0 && along < ee)) return;
    double inverse = 1 / ee, t = along * inverse;
    bool far = t > 0.5; /* from the nearer end: less rounding */
    fender_vec3 v = fender_vec3_add_scaled(far ? s->p[q].w : w, far ? t - 1 : t, e);
    v = fender_vec3_add_scaled(v, -(fender_vec3_dot(v, e) * inverse), e); /* across the edge also where v is short */
    double squared = fender_vec3_dot(v, v);
    if (squared < best->squared) *best = (gjk_nearest){v, squared, 2, {p, q, 0}};
}

/* Inside the triangle, if the nearest point lies there; n = (q - p) x (r - p). */
static inline void try_triangle(const gjk_state *s, int p, int q, int r, fender_vec3 e, fender_vec3 f, fender_vec3 n,
                                gjk_nearest *best)
{
    fender_vec3 w = s->p[p].w, k = fender_vec3_cross(n, w);
    double at_r = fender_vec3_dot(k, e), at_q = -fender_vec3_dot(k, f), nn = fender_vec3_dot(n, n);
    if (!(at_r > 0 && at_q > 0 && at_r + at_q < nn)) return;
    double along = fender_vec3_dot(n, w), part = along / nn;
    double squared = along * part;
    if (squared < best->squared) *best = (gjk_nearest){fender_vec3_scale(part, n), squared, 3, {p, q, r}};
}

/* Nearest point of the simplex, whose last point is new, unless all sides count (`any`); false: it holds the origin. */
static inline bool solve(const gjk_state *s, gjk_nearest *best)
{
    int p = s->count - 1;
    fender_vec3 w = s->p[p].w;
    *best = (gjk_nearest){w, fender_vec3_dot(w, w), 1, {p, 0, 0}};
    if (s->count == 1) return true;
    fender_vec3 e0 = fender_vec3_sub(s->p[0].w, w);
    if (s->count == 2) {
        try_edge(s, p, 0, e0, best);
        return true;
    }
    fender_vec3 e1 = fender_vec3_sub(s->p[1].w, w), n01 = fender_vec3_cross(e0, e1);
    if (s->count == 3) {
        try_edge(s, p, 0, e0, best);
        try_edge(s, p, 1, e1, best);
        try_triangle(s, p, 0, 1, e0, e1, n01, best);
        return true;
    }
    fender_vec3 e2 = fender_vec3_sub(s->p[2].w, w);
    fender_vec3 n12 = fender_vec3_cross(e1, e2), n20 = fender_vec3_cross(e2, e0);
    double volume = fender_vec3_dot(n01, e2), sign = volume < 0 ? -1 : 1;
    bool flat = volume * volume <= 1e-28 * fender_vec3_dot(n01, n01) * fender_vec3_dot(e2, e2);
    bool o01 = flat || sign * fender_vec3_dot(n01, w) > 0, o12 = flat || sign * fender_vec3_dot(n12, w) > 0;
    bool o20 = flat || sign * fender_vec3_dot(n20, w) > 0;
    if (!o01 && !o12 && !o20) return false;
    if (o01 || o20) try_edge(s, p, 0, e0, best);
    if (o01 || o12) try_edge(s, p, 1, e1, best);
    if (o12 || o20) try_edge(s, p, 2, e2, best);
    if (o01) try_triangle(s, p, 0, 1, e0, e1, n01, best);
    if (o12) try_triangle(s, p, 1, 2, e1, e2, n12, best);
    if (o20) try_triangle(s, p, 2, 0, e2, e0, n20, best);
    return true;
}

static inline void reduce(gjk_state *s, const gjk_nearest *at)
{
    gjk_state kept;
    kept.count = at->count;
    for (int i = 0; i < at->count; i++) kept.p[i] = s->p[at->index[i]];
    *s = kept;
}

/* Parts of the corners in the nearest point of a simplex that has been reduced. */
static inline void weights_of(const gjk_state *s, double weight[4])
{
    weight[0] = 1, weight[1] = weight[2] = weight[3] = 0;
    if (s->count == 2) {
        fender_vec3 e = fender_vec3_sub(s->p[1].w, s->p[0].w);
        weight[1] = -fender_vec3_dot(s->p[0].w, e) / fender_vec3_dot(e, e);
        weight[0] = 1 - weight[1];
    } else if (s->count == 3) {
        fender_vec3 a = s->p[0].w, b = s->p[1].w, c = s->p[2].w;
        fender_vec3 n = fender_vec3_cross(fender_vec3_sub(b, a), fender_vec3_sub(c, a));
        weight[0] = fender_vec3_dot(n, fender_vec3_cross(b, c));
        weight[1] = fender_vec3_dot(n, fender_vec3_cross(c, a));
        weight[2] = fender_vec3_dot(n, fender_vec3_cross(a, b));
    } else if (s->count == 4) /* volumes opposite the corners */
        for (int i = 0; i < 4; i++)
            weight[i] = fabs(
                fender_vec3_dot(s->p[(i + 1) & 3].w, fender_vec3_cross(s->p[(i + 2) & 3].w, s->p[(i + 3) & 3].w)));
    double sum = 0;
    for (int i = 0; i < s->count; i++) {
        weight[i] = weight[i] > 0 ? weight[i] : 0;
        sum += weight[i];
    }
    for (int i = 0; i < s->count; i++) weight[i] = sum > 0 ? weight[i] / sum : 1.0 / s->count;
}

static inline fender_vec3 point_a_of(const gjk_state *s)
{
    double weight[4];
    weights_of(s, weight);
    fender_vec3 p = fender_vec3_scale(weight[0], s->p[0].a);
    for (int i = 1; i < s->count; i++) p = fender_vec3_add_scaled(p, weight[i], s->p[i].a);
    return p;
}

static inline bool holds(const gjk_state *s, const gjk_point *v)
{
    for (int i = 0; i < s->count; i++)
        if (s->p[i].index_a == v->index_a && s->p[i].index_b == v->index_b) return true;
    return false;
}

static inline gjk_result search_precisely(const fnd_convex_pair *pair, gjk_state *g, fnd_core_separation *out)
{
    fnd_simplex s = {.count = g->count};
    for (int i = 0; i < g->count; i++)
        s.v[i] = (fnd_convex_vertex){g->p[i].w, g->p[i].a, g->p[i].index_a, g->p[i].index_b};
    bool apart = fnd_gjk_precise(pair, &s, out);
    g->count = s.count;
    for (int i = 0; i < s.count; i++) g->p[i] = (gjk_point){s.v[i].w, s.v[i].a, s.v[i].index_a, s.v[i].index_b};
    return apart ? GJK_APART : GJK_TOUCHING;
}

/* Distance of cores that are apart. The simplex is that of a former search (count 0: none) and is left as it was at the
 * end: where they touch, near or around the origin. */
static inline gjk_result search_apart(const fnd_convex_pair *pair, double limit, gjk_state *s, fnd_core_separation *out)
{
    double rounding = FND_CONVEX_ROUNDING * pair->scale, tiny = rounding * rounding;
    double slack = pair->curved ? 2 * rounding : 0.5 * rounding;
    if (s->count == 0) {
        fender_vec3 start = pair->p_AB;
        if (!(fender_vec3_dot(start, start) > tiny)) start = fender_vec3_make(0, 0, 1);
        s->p[0] = lowest_point(pair, start);
        s->count = 1;
    }
    gjk_nearest at;
    if (!solve(s, &at)) return GJK_TOUCHING;
    reduce(s, &at);
    int most = pair->curved ? CURVED_ITERATIONS : ITERATIONS;
    for (int i = 0; i < most; i++) {
        if (!(at.squared > tiny)) return GJK_TOUCHING;
        gjk_point w = lowest_point(pair, at.v);
        double along = fender_vec3_dot(at.v, w.w), gain = at.squared - along;
        if (along > 0 && along * along > limit * limit * at.squared) return GJK_BEYOND;
        if (gain <= 0 || gain * gain <= slack * slack * at.squared) break;
        if (pair->curved && gain <= CURVED_GAP * at.squared) break;
        if (!pair->curved && holds(s, &w)) return search_precisely(pair, s, out);
        gjk_nearest next;
        s->p[s->count++] = w;
        if (!solve(s, &next)) return GJK_TOUCHING;
        if (!(next.squared < at.squared)) { /* rounding: nothing gained */
            if (!pair->curved) return search_precisely(pair, s, out);
            s->count--;
            break;
        }
        at = next;
        reduce(s, &at);
    }
    double length = sqrt(at.squared), inverse = 1 / length;
    out->distance = length;
    out->normal = fender_vec3_scale(inverse, at.v);
    out->point_a = point_a_of(s);
    return GJK_APART;
}

/* Simplexes of one query for the next: words 0 is 1 + count, then a word of both numbers for each corner. */
static inline void remember(const gjk_state *s, fender_separation_cache *cache, bool swapped)
{
    cache->words[0] = 1 + (uint64_t)s->count;
    for (int i = 0; i < s->count; i++) {
        uint64_t a = (uint64_t)s->p[i].index_a, b = (uint64_t)s->p[i].index_b;
        cache->words[1 + i] = swapped ? b << 32 | a : a << 32 | b;
    }
}

/* Does the face opposite the last corner leave the origin on that corner's side? */
static inline bool last_face_holds(const gjk_state *s)
{
    fender_vec3 a = s->p[0].w;
    fender_vec3 n = fender_vec3_cross(fender_vec3_sub(s->p[1].w, a), fender_vec3_sub(s->p[2].w, a));
    double height = fender_vec3_dot(n, fender_vec3_sub(s->p[3].w, a)), along = -fender_vec3_dot(n, a);
    return height > 0 ? along > 0 : along < 0;
}

static inline void recall(const fnd_convex_pair *pair, const fender_separation_cache *cache, bool swapped, gjk_state *s)
{
    if (cache->words[0] < 2 || cache->words[0] > 5) return;
    int count = (int)cache->words[0] - 1;
    for (int i = 0; i < count; i++) {
        uint64_t word = cache->words[1 + i], a = word >> 32, b = word & 0xffffffffu;
        uint64_t first = swapped ? b : a, second = swapped ? a : b;
        if (first >= (uint64_t)pair->a.vertex_count || second >= (uint64_t)pair->b.vertex_count) {
            s->count = 0;
            return;
        }
        s->p[i] = point_of_vertices(pair, (int)first, (int)second);
        s->count = i + 1;
    }
    if (count == 4 && !last_face_holds(s)) s->count = 3;
}

#endif
