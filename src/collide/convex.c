/* Entry of the pair table for convex solids, and what of their search is done by one vertex at a time. */
#include "collide/convex.h"
#include "math/rotation.h"

#include "collide/convex_gjk.h"
#include "collide/mesh_touch.h"
#include "geometry/support.h"
#include "math/elementary.h"
#include <assert.h>
#include <string.h>

/* ---- Farthest points ---- */

/* Farthest point of the core along the direction d (both in G): lowest number among equal ones. */
static fender_vec3 core_support(const fnd_convex_core *core, fender_vec3 d, int *index)
{
    assert(core->curved || core->vertex_count > 0);
    *index = 0;
    if (core->curved) return fnd_support(core->geometry, d);
    const fender_vec3 *v = core->vertices;
    double most = fender_vec3_dot(v[0], d);
    int best = 0;
    for (int i = 1; i < core->vertex_count; i++) {
        double along = fender_vec3_dot(v[i], d);
        if (along > most) most = along, best = i;
    }
    *index = best;
    return v[best];
}

fnd_convex_vertex fnd_pair_support(const fnd_convex_pair *pair, fender_vec3 n)
{
    fnd_convex_vertex v;
    fender_vec3 a = core_support(&pair->a, n, &v.index_a);
    fender_vec3 b = core_support(&pair->b, fender_mat3_transpose_times(&pair->R_AB, fender_vec3_negate(n)), &v.index_b);
    v.a = fender_vec3_scale(pair->unit, a);
    b = fender_mat3_times(&pair->R_AB, fender_vec3_scale(pair->unit, b));
    v.w = fender_vec3_sub(fender_vec3_add(b, pair->p_AB), v.a);
    return v;
}

/* ---- GJK in sums of two doubles ---- */

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

static void try_edge_precisely(const fnd_simplex *s, int p, int q, candidate *best)
{
    assert(p != q && p < s->count && q < s->count);
    wide_vec w = vec_of(s->v[p].w), e = vec_sub(vec_of(s->v[q].w), w);
    wide along = wide_negate(vec_dot(w, e)), ee = vec_dot(e, e);
    if (!wide_positive(along) || !wide_less(along, ee)) return;
    wide t = wide_divide(along, ee);
    candidate c = {2, {p, q, 0}, {wide_add(wide_of(1), wide_negate(t)), t, {0, 0}}, {{0, 0}, {0, 0}, {0, 0}}, {0, 0}};
    c.v = vec_add(w, vec_scale(t, e));
    take_least(best, c);
}

static void try_triangle_precisely(const fnd_simplex *s, int p, int q, int r, candidate *best)
{
    assert(p < s->count && q < p && r < q);
    wide_vec a = vec_of(s->v[p].w), b = vec_of(s->v[q].w), c = vec_of(s->v[r].w);
    wide_vec n = vec_cross(vec_sub(b, a), vec_sub(c, a));
    wide u = vec_dot(n, vec_cross(b, c)), v = vec_dot(n, vec_cross(c, a)), w = vec_dot(n, vec_cross(a, b));
    if (!wide_positive(u) || !wide_positive(v) || !wide_positive(w)) return;
    wide sum = wide_add(wide_add(u, v), w);
    candidate t = {3, {p, q, r}, {wide_divide(u, sum), wide_divide(v, sum), wide_divide(w, sum)}, n, {0, 0}};
    t.v = vec_scale(wide_divide(vec_dot(n, a), vec_dot(n, n)), n);
    take_least(best, t);
}

/* True if the tetrahedron contains the origin. */
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
            try_edge_precisely(s, p, q, &best);
            for (int r = 0; r < q; r++) try_triangle_precisely(s, p, q, r, &best);
        }
    }
    return best;
}

static fender_vec3 rounded(const candidate *c) { return fender_vec3_make(c->v.x.high, c->v.y.high, c->v.z.high); }

bool fnd_gjk_precise(const fnd_convex_pair *pair, fnd_simplex *simplex, fnd_core_separation *out)
{
    assert(simplex->count >= 1 && simplex->count <= 4);
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

/* ---- Opposite points of two faces ---- */

/* Farthest vertex of the polytope along d among those that lie within `slack` of the farthest along n. */
static fender_vec3 support_of_face(const fnd_convex_core *core, fender_vec3 n, double slack, fender_vec3 d, int *index)
{
    assert(core->vertex_count > 0);
    assert(fnd_is_unit(n));
    int top;
    double level = fender_vec3_dot(core_support(core, n, &top), n) - slack, most = -INFINITY;
    *index = top;
    for (int i = 0; i < core->vertex_count; i++) {
        double along = fender_vec3_dot(core->vertices[i], d);
        if (fender_vec3_dot(core->vertices[i], n) >= level && along > most) most = along, *index = i;
    }
    return core->vertices[*index];
}

static gjk_point opposite_support(const fnd_convex_pair *pair, fender_vec3 n, double slack, fender_vec3 d)
{
    gjk_point v;
    fender_vec3 a = support_of_face(&pair->a, n, slack, d, &v.index_a);
    fender_vec3 n_B = fender_mat3_transpose_times(&pair->R_AB, fender_vec3_negate(n));
    fender_vec3 d_B = fender_mat3_transpose_times(&pair->R_AB, fender_vec3_negate(d));
    fender_vec3 b = support_of_face(&pair->b, n_B, slack, d_B, &v.index_b);
    v.a = fender_vec3_scale(pair->unit, a);
    b = fender_mat3_times(&pair->R_AB, fender_vec3_scale(pair->unit, b));
    v.w = fender_vec3_sub(fender_vec3_add(b, pair->p_AB), v.a);
    v.w = fender_vec3_add_scaled(v.w, -fender_vec3_dot(v.w, n), n);
    return v;
}

double fnd_convex_opposite(const fnd_convex_pair *pair, fender_vec3 n, fnd_core_separation *out)
{
    assert(fnd_is_unit(n));
    double rounding = FND_CONVEX_ROUNDING * pair->scale, slack = 4 * rounding / pair->unit;
    fnd_convex_vertex bottom = fnd_pair_support(pair, n);
    gjk_state s = {.used = 1};
    s.p[0] = opposite_support(pair, n, slack, fender_vec3_make(0, 0, 0));
    gjk_nearest at;
    solve(&s, 0, &at);
    for (int i = 0; i < ITERATIONS && at.squared > rounding * rounding; i++) {
        gjk_point w = opposite_support(pair, n, slack, at.v);
        if (holds(&s, &w) || s.used == 15) break;
        gjk_nearest next;
        int newest = lowest_slot(~s.used);
        s.p[newest] = w;
        s.used |= bit(newest);
        bool better = solve(&s, newest, &next) && next.squared < at.squared;
        if (better) at = next;
        s.used = at.used;
        if (!better) break;
    }
    out->normal = n;
    out->distance = fender_vec3_dot(n, bottom.w);
    out->point_a = point_a_of(&s);
    return sqrt(at.squared);
}

/* ---- Overlap by all faces and pairs of edges ---- */

typedef struct search {
    const fnd_convex_pair *pair;
    double most; /* greatest separation up to now */
    fender_vec3 normal;
} search;

static void try_direction(search *s, fender_vec3 n)
{
    assert(fnd_is_unit(n));
    double along = fender_vec3_dot(n, fnd_pair_support(s->pair, n).w);
    if (along > s->most) s->most = along, s->normal = n;
}

static int edge_count(const fnd_convex_core *core)
{
    return core->polytope ? core->polytope->edge_count : core->vertex_count - 1;
}

/* An edge in A's frame, with the directions into its faces across it (zero where there are none). */
typedef struct edge {
    fender_vec3 start, along, inward[2];
    double length;
} edge;

static fender_vec3 rotated(const fender_mat3 *r, fender_vec3 v) { return r ? fender_mat3_times(r, v) : v; }

static edge edge_at(const fnd_convex_core *core, int i, const fender_mat3 *r, fender_vec3 p, double unit)
{
    assert(i >= 0 && i < edge_count(core));
    int from = core->polytope ? core->polytope->edges[i].vertex[0] : 0;
    int to = core->polytope ? core->polytope->edges[i].vertex[1] : 1;
    edge e = {.start = fender_vec3_scale(unit, core->vertices[from])};
    e.along = fender_vec3_sub(fender_vec3_scale(unit, core->vertices[to]), e.start);
    e.length = fender_vec3_length(e.along);
    for (int k = 0; k < 2 && core->polytope; k++) {
        int face = core->polytope->edges[i].face[k];
        if (face < 0) continue;
        fender_vec3 across = fender_vec3_cross(core->polytope->face_normals[face], e.along);
        e.inward[k] = rotated(r, fender_vec3_scale((k == 0 ? 1 : -1) / e.length, across));
    }
    e.start = fender_vec3_add(rotated(r, e.start), p);
    e.along = rotated(r, e.along);
    return e;
}

/* The edge is what the polytope has farthest along n. */
static bool is_top(const edge *e, fender_vec3 n)
{
    return fender_vec3_dot(n, e->inward[0]) <= 1e-9 && fender_vec3_dot(n, e->inward[1]) <= 1e-9;
}

static void try_edges(search *s, const edge *a, const edge *b)
{
    fender_vec3 n = fender_vec3_cross(a->along, b->along);
    double length = fender_vec3_length(n);
    if (!(length > 1e-14 * a->length * b->length)) return; /* parallel: the same face is found by others */
    n = fender_vec3_make(n.x / length, n.y / length, n.z / length);
    fender_vec3 gap = fender_vec3_sub(b->start, a->start);
    for (int sign = 0; sign < 2; sign++) {
        fender_vec3 opposite = fender_vec3_negate(n);
        if (fender_vec3_dot(n, gap) > s->most && is_top(a, n) && is_top(b, opposite)) try_direction(s, n);
        n = opposite;
    }
}

double fnd_convex_overlap_of_all(const fnd_convex_pair *pair, fnd_core_separation *out)
{
    assert(!pair->curved);
    search s = {pair, -INFINITY, {0, 0, 1}};
    const fnd_polytope *a = pair->a.polytope, *b = pair->b.polytope;
    for (int i = 0; a && i < a->face_count; i++) try_direction(&s, a->face_normals[i]);
    for (int i = 0; b && i < b->face_count; i++)
        try_direction(&s, fender_vec3_negate(fender_mat3_times(&pair->R_AB, b->face_normals[i])));
    int edges_a = edge_count(&pair->a), edges_b = edge_count(&pair->b);
    for (int i = 0; i < edges_a; i++) {
        edge one = edge_at(&pair->a, i, NULL, fender_vec3_make(0, 0, 0), pair->unit);
        for (int j = 0; j < edges_b; j++) {
            edge other = edge_at(&pair->b, j, &pair->R_AB, pair->p_AB, pair->unit);
            try_edges(&s, &one, &other);
        }
    }
    for (int k = 0; k < 2 && s.most == -INFINITY; k++) { /* points and lines: any direction across */
        if ((k == 0 ? edges_a : edges_b) == 0) continue;
        edge e = k == 0 ? edge_at(&pair->a, 0, NULL, fender_vec3_make(0, 0, 0), pair->unit)
                        : edge_at(&pair->b, 0, &pair->R_AB, pair->p_AB, pair->unit);
        double x = fabs(e.along.x), y = fabs(e.along.y), z = fabs(e.along.z);
        fender_vec3 axis = x <= y && x <= z ? fender_vec3_make(1, 0, 0)
                           : y <= z         ? fender_vec3_make(0, 1, 0)
                                            : fender_vec3_make(0, 0, 1);
        fender_vec3 n = fender_vec3_cross(e.along, axis);
        double length = fender_vec3_length(n);
        if (!(length > 0)) continue;
        n = fender_vec3_make(n.x / length, n.y / length, n.z / length);
        try_direction(&s, n);
        try_direction(&s, fender_vec3_negate(n));
    }
    if (s.most == -INFINITY) {
        try_direction(&s, fender_vec3_make(0, 0, 1));
        try_direction(&s, fender_vec3_make(0, 0, -1));
    }
    return fnd_convex_opposite(pair, s.normal, out);
}

/* ---- The entry of the pair table ---- */

/* Entry of the pair table for convex solids: cores by GJK and the search of an overlap, then the roundings.
 *
 * Distance = distance of the cores less both roundings. That is exact in overlap too: the least translation that parts
 * the swept cores is that of the cores, in the same direction, and both roundings more. */

static int compare(double a, double b) { return a < b ? -1 : a > b; }

/* An order of two placed geometries by what they are and where, not by who is called first. */
static int order_of(const fnd_posed *a, const fnd_posed *b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int c = compare(a->R_WG.m[i][j], b->R_WG.m[i][j]);
            if (c) return c;
        }
    const fender_geometry *g = a->geometry, *h = b->geometry;
    const double left[] = {a->p_WG.x,      a->p_WG.y, a->p_WG.z, (double)g->type, g->radius,
                           g->half_length, g->half.x, g->half.y, g->half.z,       g->rounding};
    const double right[] = {b->p_WG.x,      b->p_WG.y, b->p_WG.z, (double)h->type, h->radius,
                            h->half_length, h->half.x, h->half.y, h->half.z,       h->rounding};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        int c = compare(left[i], right[i]);
        if (c) return c;
    }
    if (g == h || !g->polytope || !h->polytope) return 0;
    int c = compare(g->polytope->vertex_count, h->polytope->vertex_count);
    for (int i = 0; i < g->polytope->vertex_count && c == 0; i++) {
        fender_vec3 u = g->polytope->vertices[i], v = h->polytope->vertices[i];
        c = compare(u.x, v.x);
        if (c == 0) c = compare(u.y, v.y);
        if (c == 0) c = compare(u.z, v.z);
    }
    return c;
}

/* A polytope, segment or point, swept by a sphere or not? */
static bool has_vertices(const fender_geometry *g)
{
    return g->polytope || g->type == FENDER_GEOMETRY_CAPSULE || g->type == FENDER_GEOMETRY_SPHERE ||
           g->type == FENDER_GEOMETRY_POINT;
}

enum { FND_WIDEST_FROM = 32 };

/* The search for what registers this machine has; every one yields the same bits. The widest slow down all else, and
 * pay where there is much to scan. */
static fnd_convex_search_function *search_for(const fender_geometry *a, const fender_geometry *b)
{
#ifdef FND_WIDE
    bool many = (a->polytope && a->polytope->vertex_count > FND_WIDEST_FROM) ||
                (b->polytope && b->polytope->vertex_count > FND_WIDEST_FROM);
    if (many && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return fnd_convex_search_avx512;
    if (__builtin_cpu_supports("avx2")) return fnd_convex_search_avx2;
#else
    (void)a, (void)b;
#endif
    return fnd_convex_search_plain;
}

/* The separation of a pair in order; false: beyond the limit. World axes, origin at a's. */
static inline bool separation_of(const fnd_posed *a, const fnd_posed *b, double reach, fender_separation_cache *cache,
                                 bool swapped, fender_separation *out)
{
    fnd_convex_pair pair;
    fnd_core_separation core;
    bool polytopes = has_vertices(a->geometry) && has_vertices(b->geometry);
    fnd_convex_search_function *function = polytopes ? search_for(a->geometry, b->geometry) : fnd_convex_search_curved;
    if (!function(a, b, &pair, reach, cache, swapped, &core)) return false;
    double roundings = pair.a.rounding + pair.b.rounding;
    double core_distance = core.distance / pair.unit, distance = core_distance - roundings;
    if (distance > reach) return false;
    fender_vec3 n = fender_mat3_times(&a->R_WG, core.normal);
    if (!polytopes) n = fender_vec3_scale(1 / fender_vec3_length(n), n);
    fender_vec3 core_a = fender_vec3_scale(1 / pair.unit, core.point_a);
    fender_vec3 point_a = fender_mat3_times(&a->R_WG, fender_vec3_add_scaled(core_a, pair.a.rounding, core.normal));
    *out = fnd_single(distance, point_a, fender_vec3_add_scaled(point_a, distance, n), n, 0);
    return true;
}

/* A disk begins to have a patch on one of these below the polygon within its side, and none before. */
static bool is_round(const fender_geometry *solid)
{
    return solid->type == FENDER_GEOMETRY_CYLINDER || solid->type == FENDER_GEOMETRY_CONE;
}

double fnd_weight_without_patch(const fender_geometry *a, const fender_geometry *b, double depth)
{
    const bool disk = (a->type == FENDER_GEOMETRY_DISK && is_round(b)) ||
                      (b->type == FENDER_GEOMETRY_DISK && is_round(a));
    const fender_vec3 u = fender_vec3_sub(a->bounds.upper, a->bounds.lower),
                      v = fender_vec3_sub(b->bounds.upper, b->bounds.lower);
    const double sizes[6] = {u.x, u.y, u.z, v.x, v.y, v.z};
    double least = INFINITY;
    for (int i = 0; i < 6; i++)
        if (sizes[i] < least && (sizes[i] > 0 || !disk)) least = sizes[i]; /* a disk has no thickness */
    double beyond = 4 * depth / least - 1; /* 0 at a quarter of the thickness, 1 at half of it */
    return !(beyond > 0) ? 0 : beyond < 1 ? beyond : 1;
}

void fnd_convex_convex(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    bool swapped = order_of(a, b) > 0;
    const fnd_posed *first = swapped ? b : a, *second = swapped ? a : b;
    fender_separation found;
    if (!separation_of(first, second, fnd_query_range(query), query->cache, swapped, &found)) return;
    if (swapped) {
        fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG), point_a = found.point_a;
        found.point_a = fender_vec3_add(found.point_b, offset);
        found.point_b = fender_vec3_add(point_a, offset);
        found.normal = fender_vec3_negate(found.normal);
    }
    if (query->kind == FND_QUERY_PATCH && found.distance <= 0) {
        if (fnd_surface_has_patches(a->geometry, b->geometry)) {
            if (fnd_surface_patches(a, b, out)) return;
            found.weight = fnd_weight_without_patch(a->geometry, b->geometry, -found.distance);
        }
    }
    fnd_manifold_add(out, found);
}
