/* GJK: the point of the difference B - A that lies nearest to the origin, by a simplex that walks towards it.
 *
 * Between polytopes it ends when the farthest point towards the origin lies no nearer than the simplex does: then the
 * features are the right ones, and the distance is right to rounding, since a lower bound (the support) and an upper
 * one (the simplex) agree. The direction of a triangle is its normal, never a sum of its corners, so that it stays
 * exact while the distance goes to zero. Where doubles cannot tell the features, fnd_gjk_precise can. */
#ifndef FND_COLLIDE_CONVEX_GJK_H
#define FND_COLLIDE_CONVEX_GJK_H

#include "collide/convex.h"
#include <assert.h>

enum { ITERATIONS = 64, CURVED_ITERATIONS = 256 };
#define CURVED_GAP 1e-6 /* part of the distance; the rest is refined */

typedef enum gjk_result { GJK_APART, GJK_BEYOND, GJK_TOUCHING } gjk_result;

typedef struct gjk_point {
    fender_vec3 w, a; /* b - a and a, of vertices or points of curved cores */
    int index_a, index_b;
} gjk_point;

/* Up to four points in slots of their own, so that none is ever moved. */
typedef struct gjk_state {
    gjk_point p[4];
    unsigned used; /* a bit for each slot */
} gjk_state;

/* A part of the simplex, and its point nearest to the origin. */
typedef struct gjk_nearest {
    fender_vec3 v;
    double squared;
    unsigned used;
} gjk_nearest;

static inline unsigned bit(int slot) { return 1u << slot; }
static inline int lowest_slot(unsigned used) { return used & 1 ? 0 : used & 2 ? 1 : used & 4 ? 2 : 3; }

/* Vertices of large polytopes are called by their place among the eights. */
FND_INTO_LOOP fender_vec3 vertex_of(const fnd_convex_core *core, const fnd_scan *s, int i)
{
    if (core->cells) {
        const fnd_polytope_eight *e = &core->cells->eights[i >> 3];
        return fender_vec3_make(e->x[i & 7], e->y[i & 7], e->z[i & 7]);
    }
    return fender_vec3_make(s->x[i], s->y[i], s->z[i]);
}

static inline int number_of(const fnd_convex_core *core, int i)
{
    return core->cells ? core->cells->numbers[i >> 3][i & 7] : i;
}

/* Vertices of both cores as a point of the difference. */
FND_INTO_LOOP gjk_point point_of_vertices(const fnd_convex_pair *pair, int index_a, int index_b)
{
    gjk_point p;
    fender_vec3 b = vertex_of(&pair->b, &pair->scan_b, index_b);
    p.index_a = index_a, p.index_b = index_b;
    p.a = fender_vec3_scale(pair->unit, vertex_of(&pair->a, &pair->scan_a, index_a));
    if (!pair->rotated)
        b = fender_vec3_add(fender_mat3_times(&pair->R_AB, fender_vec3_scale(pair->unit, b)), pair->p_AB);
    p.w = fender_vec3_sub(b, p.a);
    return p;
}

/* Very many vertices: by edges from a hint (NULL: none); many: by cells; few: by a scan. */
FND_INTO_LOOP int farthest(const fnd_convex_core *core, const fnd_scan *scan, fender_vec3 d, const int *hint)
{
    if (core->vertex_count <= FND_CELLS_FROM) return fnd_scan_most(scan, d);
    double size = fabs(d.x) + fabs(d.y) + fabs(d.z);
    if (!(size > 0 && size < INFINITY)) return 0;
    if (core->cells) return fnd_cells_most(core->cells, d);
    return fnd_polytope_climb(core->polytope, hint ? *hint : 0, d);
}

/* The point that lies least along n; `near` (NULL: none): one that should not be far from it. */
FND_INTO_LOOP gjk_point lowest_point(const fnd_convex_pair *pair, fender_vec3 n, const gjk_point *near)
{
    if (pair->curved) {
        fnd_convex_vertex v = fnd_pair_support(pair, n);
        return (gjk_point){v.w, v.a, v.index_a, v.index_b};
    }
    fender_vec3 against = fender_vec3_negate(n);
    if (!pair->rotated) against = fender_mat3_transpose_times(&pair->R_AB, against);
    int index_a = farthest(&pair->a, &pair->scan_a, n, near ? &near->index_a : NULL);
    int index_b = farthest(&pair->b, &pair->scan_b, against, near ? &near->index_b : NULL);
    return point_of_vertices(pair, index_a, index_b);
}

/* Between p and q, if the nearest point lies there; e = q - p. */
FND_INTO_LOOP void try_edge(const gjk_state *s, int p, int q, fender_vec3 e, gjk_nearest *best)
{
    fender_vec3 w = s->p[p].w;
    double along = -fender_vec3_dot(w, e), ee = fender_vec3_dot(e, e);
    if (!(along > 0 && along < ee)) return;
    if (along + along > ee) w = s->p[q].w; /* the nearer end: less rounding */
    fender_vec3 k = fender_vec3_cross(w, e);
    double inverse = 1 / ee, squared = fender_vec3_dot(k, k) * inverse;
    fender_vec3 v = fender_vec3_scale(inverse, fender_vec3_cross(e, k)); /* across the edge */
    if (squared < best->squared) *best = (gjk_nearest){v, squared, bit(p) | bit(q)};
}

/* Inside the triangle, if the nearest point lies there; e = q - p, f = r - p, n = e x f. */
FND_INTO_LOOP void try_triangle(const gjk_state *s, int p, int q, int r, fender_vec3 e, fender_vec3 f, fender_vec3 n,
                                gjk_nearest *best)
{
    fender_vec3 w = s->p[p].w, k = fender_vec3_cross(n, w);
    double at_r = fender_vec3_dot(k, e), at_q = -fender_vec3_dot(k, f), nn = fender_vec3_dot(n, n);
    if (!(at_r > 0 && at_q > 0 && at_r + at_q < nn)) return;
    double along = fender_vec3_dot(n, w), part = along / nn;
    double squared = along * part;
    if (squared < best->squared) *best = (gjk_nearest){fender_vec3_scale(part, n), squared, bit(p) | bit(q) | bit(r)};
}

/* Nearest point of the simplex, among the parts that have the corner p (the new one); false: it holds the origin. */
FND_INTO_LOOP bool solve(const gjk_state *s, int p, gjk_nearest *best)
{
    fender_vec3 w = s->p[p].w;
    *best = (gjk_nearest){w, fender_vec3_dot(w, w), bit(p)};
    unsigned others = s->used & ~bit(p);
    if (!others) return true;
    int i = lowest_slot(others);
    fender_vec3 e0 = fender_vec3_sub(s->p[i].w, w);
    others &= ~bit(i);
    if (!others) {
        try_edge(s, p, i, e0, best);
        return true;
    }
    int j = lowest_slot(others);
    fender_vec3 e1 = fender_vec3_sub(s->p[j].w, w), n01 = fender_vec3_cross(e0, e1);
    others &= ~bit(j);
    if (!others) {
        try_edge(s, p, i, e0, best);
        try_edge(s, p, j, e1, best);
        try_triangle(s, p, i, j, e0, e1, n01, best);
        return true;
    }
    int k = lowest_slot(others);
    fender_vec3 e2 = fender_vec3_sub(s->p[k].w, w);
    fender_vec3 n12 = fender_vec3_cross(e1, e2), n20 = fender_vec3_cross(e2, e0);
    double volume = fender_vec3_dot(n01, e2), sign = volume < 0 ? -1 : 1;
    bool flat = volume * volume <= 1e-28 * fender_vec3_dot(n01, n01) * fender_vec3_dot(e2, e2);
    bool o01 = flat || sign * fender_vec3_dot(n01, w) > 0, o12 = flat || sign * fender_vec3_dot(n12, w) > 0;
    bool o20 = flat || sign * fender_vec3_dot(n20, w) > 0;
    if (!o01 && !o12 && !o20) return false;
    if (o01 || o20) try_edge(s, p, i, e0, best);
    if (o01 || o12) try_edge(s, p, j, e1, best);
    if (o12 || o20) try_edge(s, p, k, e2, best);
    if (o01) try_triangle(s, p, i, j, e0, e1, n01, best);
    if (o12) try_triangle(s, p, j, k, e1, e2, n12, best);
    if (o20) try_triangle(s, p, k, i, e2, e0, n20, best);
    return true;
}

/* The points in use, one after another; returns how many. */
static inline int list_of(const gjk_state *s, const gjk_point *list[4])
{
    int count = 0;
    for (int i = 0; i < 4; i++)
        if (s->used & bit(i)) list[count++] = &s->p[i];
    return count;
}

/* Where the simplex is nearest to the origin, on a. */
static inline fender_vec3 point_a_of(const gjk_state *s)
{
    assert(s->used != 0);
    const gjk_point *p[4];
    int count = list_of(s, p);
    double weight[4] = {1, 0, 0, 0}, sum = 0;
    if (count == 1) return p[0]->a;
    if (count == 2) {
        fender_vec3 e = fender_vec3_sub(p[1]->w, p[0]->w);
        double t = -fender_vec3_dot(p[0]->w, e) / fender_vec3_dot(e, e);
        weight[1] = t > 1 ? 1 : t > 0 ? t : 0;
        weight[0] = 1 - weight[1];
    } else if (count == 3) {
        fender_vec3 a = p[0]->w, b = p[1]->w, c = p[2]->w;
        fender_vec3 n = fender_vec3_cross(fender_vec3_sub(b, a), fender_vec3_sub(c, a));
        weight[0] = fender_vec3_dot(n, fender_vec3_cross(b, c));
        weight[1] = fender_vec3_dot(n, fender_vec3_cross(c, a));
        weight[2] = fender_vec3_dot(n, fender_vec3_cross(a, b));
    } else /* volumes opposite the corners */
        for (int i = 0; i < 4; i++)
            weight[i] = fabs(
                fender_vec3_dot(p[(i + 1) & 3]->w, fender_vec3_cross(p[(i + 2) & 3]->w, p[(i + 3) & 3]->w)));
    for (int i = 0; i < count; i++) {
        weight[i] = weight[i] > 0 ? weight[i] : 0;
        sum += weight[i];
    }
    double inverse = sum > 0 ? 1 / sum : 0;
    fender_vec3 at = {0, 0, 0};
    for (int i = 0; i < count; i++)
        at = fender_vec3_add_scaled(at, sum > 0 ? weight[i] * inverse : 1.0 / count, p[i]->a);
    return at;
}

static inline bool holds(const gjk_state *s, const gjk_point *v)
{
    bool found = false;
    for (int i = 0; i < 4; i++)
        found |= (s->used & bit(i)) && s->p[i].index_a == v->index_a && s->p[i].index_b == v->index_b;
    return found;
}

static inline gjk_result search_precisely(const fnd_convex_pair *pair, gjk_state *g, fnd_core_separation *out)
{
    const gjk_point *p[4];
    fnd_simplex s = {.count = list_of(g, p)};
    for (int i = 0; i < s.count; i++)
        s.v[i] = (fnd_convex_vertex){p[i]->w, p[i]->a, number_of(&pair->a, p[i]->index_a),
                                     number_of(&pair->b, p[i]->index_b)};
    bool apart = fnd_gjk_precise(pair, &s, out);
    g->used = bit(s.count) - 1;
    for (int i = 0; i < s.count; i++) /* a number may name another place: the next query starts a little off */
        g->p[i] = (gjk_point){s.v[i].w, s.v[i].a, s.v[i].index_a, s.v[i].index_b};
    return apart ? GJK_APART : GJK_TOUCHING;
}

/* The nearest point of an edge from its nearer end, where products lose less than those of the cross product. */
static inline void polish_edge(const gjk_state *s, gjk_nearest *at)
{
    const gjk_point *p[4];
    if (list_of(s, p) != 2) return;
    fender_vec3 w = p[0]->w, e = fender_vec3_sub(p[1]->w, w);
    double ee = fender_vec3_dot(e, e), t = -fender_vec3_dot(w, e) / ee;
    bool far = t > 0.5;
    fender_vec3 v = fender_vec3_add_scaled(far ? p[1]->w : w, far ? t - 1 : t, e);
    at->v = fender_vec3_add_scaled(v, -(fender_vec3_dot(v, e) / ee), e); /* across the edge also where it is short */
    at->squared = fender_vec3_dot(at->v, at->v);
}

/* Distance of cores that are apart. The simplex is that of a former search (none used: there is none) and is left as it
 * was at the end: where they touch, near or around the origin. */
FND_INTO_LOOP gjk_result search_apart(const fnd_convex_pair *pair, double limit, gjk_state *s, fnd_core_separation *out)
{
    double rounding = FND_CONVEX_ROUNDING * pair->scale, tiny = rounding * rounding;
    double slack = pair->curved ? 2 * rounding : 0.5 * rounding;
    int newest = 0;
    if (s->used == 0) {
        fender_vec3 start = pair->p_AB;
        if (!(fender_vec3_dot(start, start) > tiny)) start = fender_vec3_make(0, 0, 1);
        s->p[0] = lowest_point(pair, start, NULL);
        s->used = 1;
    }
    gjk_nearest at;
    if (!solve(s, newest, &at)) return GJK_TOUCHING;
    s->used = at.used;
    int most = pair->curved ? CURVED_ITERATIONS : ITERATIONS;
    for (int i = 0; i < most; i++) {
        if (!(at.squared > tiny)) return GJK_TOUCHING;
        gjk_point w = lowest_point(pair, at.v, &s->p[newest]);
        double along = fender_vec3_dot(at.v, w.w), gain = at.squared - along;
        if (along > 0 && along * along > limit * limit * at.squared) return GJK_BEYOND;
        if (gain <= 0 || gain * gain <= slack * slack * at.squared) break;
        if (pair->curved && gain <= CURVED_GAP * at.squared) break;
        if (!pair->curved && holds(s, &w)) return search_precisely(pair, s, out);
        gjk_nearest next;
        newest = lowest_slot(~s->used);
        s->p[newest] = w;
        s->used |= bit(newest);
        if (!solve(s, newest, &next)) return GJK_TOUCHING;
        if (!(next.squared < at.squared)) { /* rounding: nothing gained */
            if (!pair->curved) return search_precisely(pair, s, out);
            s->used = at.used;
            break;
        }
        at = next;
        s->used = at.used;
    }
    if (at.squared < 1e-12 * (pair->scale * pair->scale)) polish_edge(s, &at);
    double length = sqrt(at.squared), inverse = 1 / length;
    out->distance = length;
    out->normal = fender_vec3_scale(inverse, at.v);
    out->point_a = point_a_of(s);
    return GJK_APART;
}

/* Simplexes of one query for the next: words 0 is 1 + count, then a word of both numbers for each corner. */
static inline void remember(const gjk_state *s, fender_separation_cache *cache, bool swapped)
{
    assert(cache);
    const gjk_point *p[4];
    int count = list_of(s, p);
    cache->words[0] = 1 + (uint64_t)count;
    for (int i = 0; i < count; i++) {
        uint64_t a = (uint64_t)p[i]->index_a, b = (uint64_t)p[i]->index_b;
        cache->words[1 + i] = swapped ? b << 32 | a : a << 32 | b;
    }
}

/* True if the origin is on the first corner's side of the opposite face. */
static inline bool face_leaves_origin_inside(const gjk_state *s)
{
    fender_vec3 a = s->p[1].w;
    fender_vec3 n = fender_vec3_cross(fender_vec3_sub(s->p[2].w, a), fender_vec3_sub(s->p[3].w, a));
    double height = fender_vec3_dot(n, fender_vec3_sub(s->p[0].w, a)), along = -fender_vec3_dot(n, a);
    return height > 0 ? along > 0 : along < 0;
}

static inline void recall(const fnd_convex_pair *pair, const fender_separation_cache *cache, bool swapped, gjk_state *s)
{
    s->used = 0;
    if (cache->words[0] < 2 || cache->words[0] > 5) return;
    int count = (int)cache->words[0] - 1;
    for (int i = 0; i < count; i++) {
        uint64_t word = cache->words[1 + i], a = word >> 32, b = word & 0xffffffffu;
        uint64_t first = swapped ? b : a, second = swapped ? a : b;
        if (first >= (uint64_t)pair->a.vertex_count || second >= (uint64_t)pair->b.vertex_count) return;
        s->p[i] = point_of_vertices(pair, (int)first, (int)second);
    }
    s->used = bit(count) - 1;
    if (count == 4 && !face_leaves_origin_inside(s)) s->used = 7;
}

#endif
