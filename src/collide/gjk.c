/* GJK: the point of the difference B - A that lies nearest to the origin, by a simplex that walks towards it.
 *
 * Between polytopes it ends when the farthest point towards the origin lies no nearer than the simplex does: then the
 * features are the right ones, and the distance is right to rounding, since a lower bound (the support) and an upper
 * one (the simplex) agree. The direction of a triangle is its normal, never a sum of its corners, so that it stays
 * exact while the distance goes to zero. */
#include "collide/gjk.h"

#define ITERATIONS        64
#define CURVED_ITERATIONS 256

/* A face of the simplex and its point nearest to the origin. */
typedef struct nearest {
    int count, index[3];
    double weight[3];
    fender_vec3 v;
    double squared;
} nearest;

static void keep_vertex(const fnd_simplex *s, int p, nearest *best)
{
    fender_vec3 w = s->v[p].w;
    *best = (nearest){1, {p, 0, 0}, {1, 0, 0}, w, fender_vec3_dot(w, w)};
}

/* Between p and q, if the nearest point lies there. */
static void try_edge(const fnd_simplex *s, int p, int q, nearest *best)
{
    fender_vec3 w = s->v[p].w, e = fender_vec3_sub(s->v[q].w, w);
    double along = -fender_vec3_dot(w, e), ee = fender_vec3_dot(e, e);
    if (!(along > 0 && along < ee)) return;
    double t = along / ee;
    fender_vec3 v = fender_vec3_add_scaled(w, t, e);
    if (t > 0.5) v = fender_vec3_add_scaled(s->v[q].w, t - 1, e);  /* the nearer end: less rounding */
    v = fender_vec3_add_scaled(v, -fender_vec3_dot(v, e) / ee, e); /* across the edge also where v is short */
    double squared = fender_vec3_dot(v, v);
    if (squared < best->squared) *best = (nearest){2, {p, q, 0}, {1 - t, t, 0}, v, squared};
}

static void try_triangle(const fnd_simplex *s, int p, int q, int r, nearest *best)
{
    fender_vec3 a = s->v[p].w, b = s->v[q].w, c = s->v[r].w;
    fender_vec3 n = fender_vec3_cross(fender_vec3_sub(b, a), fender_vec3_sub(c, a));
    double nn = fender_vec3_dot(n, n);
    double u = fender_vec3_dot(n, fender_vec3_cross(b, c)), v = fender_vec3_dot(n, fender_vec3_cross(c, a));
    double w = fender_vec3_dot(n, fender_vec3_cross(a, b));
    if (!(u > 0 && v > 0 && w > 0)) return;
    double sum = u + v + w, along = fender_vec3_dot(n, a);
    fender_vec3 at = fender_vec3_scale(along / nn, n);
    double squared = along * along / nn;
    if (squared < best->squared) *best = (nearest){3, {p, q, r}, {u / sum, v / sum, w / sum}, at, squared};
}

/* The nearest point of a triangle whose corner p is new. */
static void solve_triangle(const fnd_simplex *s, int p, int q, int r, nearest *best)
{
    try_edge(s, p, q, best);
    try_edge(s, p, r, best);
    try_triangle(s, p, q, r, best);
}

/* The origin lies on the other side of the face p, q, r than `inner`; so it does when rounding cannot tell. */
static bool outside(const fnd_simplex *s, int p, int q, int r, int inner)
{
    fender_vec3 a = s->v[p].w;
    fender_vec3 ab = fender_vec3_sub(s->v[q].w, a), ac = fender_vec3_sub(s->v[r].w, a);
    fender_vec3 n = fender_vec3_cross(ab, ac), ai = fender_vec3_sub(s->v[inner].w, a);
    double height = fender_vec3_dot(n, ai), along = -fender_vec3_dot(n, a);
    double nn = fender_vec3_dot(n, n);
    if (height * height <= 1e-28 * nn * fender_vec3_dot(ai, ai)) return true; /* flat */
    return height > 0 ? along < 0 : along > 0;
}

/* Nearest point of the simplex, whose last vertex is new; false: it holds the origin. */
static bool solve(const fnd_simplex *s, nearest *best)
{
    int p = s->count - 1;
    keep_vertex(s, p, best);
    if (s->count == 2) try_edge(s, p, 0, best);
    else if (s->count == 3) solve_triangle(s, p, 0, 1, best);
    else if (s->count == 4) {
        bool o01 = outside(s, p, 0, 1, 2), o12 = outside(s, p, 1, 2, 0), o20 = outside(s, p, 2, 0, 1);
        if (!o01 && !o12 && !o20) return false;
        if (o01) solve_triangle(s, p, 0, 1, best);
        if (o12) solve_triangle(s, p, 1, 2, best);
        if (o20) solve_triangle(s, p, 2, 0, best);
    }
    return true;
}

static void reduce(fnd_simplex *s, const nearest *best)
{
    fnd_simplex kept = {.count = best->count};
    for (int i = 0; i < best->count; i++) {
        kept.v[i] = s->v[best->index[i]];
        kept.weight[i] = best->weight[i];
    }
    *s = kept;
}

static void separation_of(const fnd_simplex *s, fender_vec3 v, double squared, fnd_core_separation *out)
{
    double length = sqrt(squared);
    out->distance = length;
    out->normal = fender_vec3_make(v.x / length, v.y / length, v.z / length);
    out->point_a = fender_vec3_scale(s->weight[0], s->v[0].a);
    for (int i = 1; i < s->count; i++) out->point_a = fender_vec3_add_scaled(out->point_a, s->weight[i], s->v[i].a);
}

static bool holds(const fnd_simplex *s, const fnd_convex_vertex *v)
{
    for (int i = 0; i < s->count; i++)
        if (s->v[i].index_a == v->index_a && s->v[i].index_b == v->index_b) return true;
    return false;
}

/* Farthest vertex of the polytope along d among those that lie within `slack` of the farthest along n. */
static fender_vec3 support_of_face(const fnd_convex_core *core, fender_vec3 n, double slack, fender_vec3 d, int *index)
{
    int top;
    double level = fender_vec3_dot(fnd_core_support(core, n, &top), n) - slack, most = -INFINITY;
    *index = top;
    for (int i = 0; i < core->vertex_count; i++) {
        double along = fender_vec3_dot(core->vertices[i], d);
        if (fender_vec3_dot(core->vertices[i], n) >= level && along > most) most = along, *index = i;
    }
    return core->vertices[*index];
}

static fnd_convex_vertex opposite_support(const fnd_convex_pair *pair, fender_vec3 n, double slack, fender_vec3 d)
{
    fnd_convex_vertex v;
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

double fnd_gjk_opposite(const fnd_convex_pair *pair, fender_vec3 n, fnd_core_separation *out)
{
    double rounding = FND_CONVEX_ROUNDING * pair->scale, slack = 4 * rounding / pair->unit;
    fnd_convex_vertex bottom = fnd_pair_support(pair, n);
    fnd_simplex s = {.count = 1, .weight = {1}};
    s.v[0] = opposite_support(pair, n, slack, fender_vec3_make(0, 0, 0));
    nearest at;
    keep_vertex(&s, 0, &at);
    for (int i = 0; i < ITERATIONS && at.squared > rounding * rounding; i++) {
        fnd_convex_vertex w = opposite_support(pair, n, slack, at.v);
        if (holds(&s, &w) || s.count == 4) break;
        fnd_simplex before = s;
        nearest next;
        s.v[s.count++] = w;
        if (!solve(&s, &next) || !(next.squared < at.squared)) {
            s = before;
            break;
        }
        at = next;
        reduce(&s, &at);
    }
    out->normal = n;
    out->distance = fender_vec3_dot(n, bottom.w);
    out->point_a = fender_vec3_scale(s.weight[0], s.v[0].a);
    for (int i = 1; i < s.count; i++) out->point_a = fender_vec3_add_scaled(out->point_a, s.weight[i], s.v[i].a);
    return sqrt(at.squared);
}

fnd_gjk_result fnd_gjk(const fnd_convex_pair *pair, double limit, fnd_simplex *simplex, fnd_core_separation *out)
{
    double rounding = FND_CONVEX_ROUNDING * pair->scale, tiny = rounding * rounding;
    double slack = pair->curved ? 2 * rounding : 0.5 * rounding;
    fnd_simplex *s = simplex;
    if (s->count == 0) {
        fender_vec3 start = pair->p_AB;
        if (!(fender_vec3_dot(start, start) > tiny)) start = fender_vec3_make(0, 0, 1);
        s->v[0] = fnd_pair_support(pair, start);
        s->count = 1;
    }
    nearest at;
    if (!solve(s, &at)) return FND_GJK_TOUCHING;
    reduce(s, &at);
    int limit_of_iterations = pair->curved ? CURVED_ITERATIONS : ITERATIONS;
    for (int i = 0; i < limit_of_iterations; i++) {
        if (!(at.squared > tiny)) return FND_GJK_TOUCHING;
        fnd_convex_vertex w = fnd_pair_support(pair, at.v);
        double along = fender_vec3_dot(at.v, w.w), gain = at.squared - along;
        if (along > 0 && along * along > limit * limit * at.squared) return FND_GJK_BEYOND;
        if (gain <= 0 || gain * gain <= slack * slack * at.squared) break;
        if (!pair->curved && holds(s, &w)) return fnd_gjk_precise(pair, s, out);
        fnd_simplex before = *s;
        nearest next;
        s->v[s->count++] = w;
        if (!solve(s, &next)) return FND_GJK_TOUCHING;
        if (!(next.squared < at.squared)) { /* rounding: nothing gained */
            if (!pair->curved) return fnd_gjk_precise(pair, s, out);
            *s = before;
            break;
        }
        at = next;
        reduce(s, &at);
    }
    if (!(at.squared > tiny)) return FND_GJK_TOUCHING;
    separation_of(s, at.v, at.squared, out);
    return FND_GJK_APART;
}
