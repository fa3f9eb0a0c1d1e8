/* Random hulls and poses for the benchmark, and the certified distance of each pair in long double: apart by GJK until
 * its lower and upper bounds agree to 1e-17, overlapping by every face and every pair of edges. */
#include "hulls.h"

#include <fender/geometry.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;
typedef struct vec {
    real x, y, z;
} vec;
static vec add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static vec sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec scale(real s, vec a) { return (vec){s * a.x, s * a.y, s * a.z}; }
static real dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec cross(vec a, vec b) { return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static real length(vec a) { return sqrtl(dot(a, a)); }

static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static double uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(next(state) >> 11) * 0x1p-53;
}
static double gaussian(uint64_t *state)
{
    double u = uniform(state, 0, 1), v = uniform(state, 0, 1);
    return sqrt(-2 * log(u > 1e-300 ? u : 1e-300)) * cos(6.283185307179586 * v);
}
static void direction(uint64_t *state, double d[3])
{
    double n = 0;
    for (int i = 0; i < 3; i++) d[i] = gaussian(state), n += d[i] * d[i];
    for (int i = 0; i < 3; i++) d[i] /= sqrt(n);
}
static void turn_at_random(uint64_t *state, double q[4])
{
    double n = 0;
    for (int i = 0; i < 4; i++) q[i] = gaussian(state), n += q[i] * q[i];
    for (int i = 0; i < 4; i++) q[i] /= sqrt(n);
}
static void turn_about(const double axis[3], double angle, double q[4])
{
    double s = sin(angle / 2), a[4] = {cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]}, b[4];
    memcpy(b, q, sizeof b);
    q[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    q[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    q[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    q[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* A hull in the world. */
typedef struct edge {
    int from, to, left, right; /* left, right: third corners of its triangles */
} edge;
typedef struct body {
    int count, triangle_count, edge_count;
    vec points[HULLS_MOST], normals[2 * HULLS_MOST];
    real offsets[2 * HULLS_MOST];
    edge edges[3 * HULLS_MOST];
} body;

static void place(body *b, const hulls_shape *s, const hulls_pose *pose, bool faces)
{
    real n = 0, q[4];
    for (int i = 0; i < 4; i++) n += (real)pose->q[i] * pose->q[i];
    for (int i = 0; i < 4; i++) q[i] = pose->q[i] / sqrtl(n);
    vec u = {q[1], q[2], q[3]}, p = {pose->p[0], pose->p[1], pose->p[2]};
    b->count = s->vertex_count;
    for (int i = 0; i < b->count; i++) {
        vec v = {s->vertices[i][0], s->vertices[i][1], s->vertices[i][2]}, t = scale(2, cross(u, v));
        b->points[i] = add(add(add(v, scale(q[0], t)), cross(u, t)), p);
    }
    if (!faces) return;
    b->triangle_count = s->triangle_count;
    b->edge_count = 0;
    for (int i = 0; i < s->triangle_count; i++) {
        const int32_t *t = s->triangles[i];
        vec a = b->points[t[0]], m = cross(sub(b->points[t[1]], a), sub(b->points[t[2]], a));
        b->normals[i] = scale(1 / length(m), m);
        b->offsets[i] = dot(b->normals[i], a);
        for (int k = 0; k < 3; k++) {
            int from = t[k], to = t[(k + 1) % 3], at = 0;
            while (at < b->edge_count && !(b->edges[at].from == to && b->edges[at].to == from)) at++;
            if (at < b->edge_count) b->edges[at].right = t[(k + 2) % 3];
            else b->edges[b->edge_count++] = (edge){from, to, t[(k + 2) % 3], -1};
        }
    }
}

static int support(const body *b, vec d)
{
    int best = 0;
    real most = dot(b->points[0], d);
    for (int i = 1; i < b->count; i++) {
        real along = dot(b->points[i], d);
        if (along > most) most = along, best = i;
    }
    return best;
}

/* The nearest point of up to four points, by every subset. */
static vec nearest(const vec *p, int n, real *weight)
{
    real best = INFINITY;
    vec at = {0, 0, 0};
    for (int m = 1; m < 1 << n; m++) {
        int id[4], k = 0;
        for (int i = 0; i < n; i++)
            if (m >> i & 1) id[k++] = i;
        real g[3][4], l[4] = {1, 0, 0, 0}, sum = 0;
        bool in = true;
        for (int i = 0; i < k - 1; i++) {
            for (int j = 0; j < k - 1; j++) g[i][j] = dot(sub(p[id[i + 1]], p[id[0]]), sub(p[id[j + 1]], p[id[0]]));
            g[i][k - 1] = -dot(sub(p[id[i + 1]], p[id[0]]), p[id[0]]);
        }
        for (int c = 0; c < k - 1 && in; c++) {
            int pivot = c;
            for (int r = c + 1; r < k - 1; r++) pivot = fabsl(g[r][c]) > fabsl(g[pivot][c]) ? r : pivot;
            in = fabsl(g[pivot][c]) >= 1e-30L;
            for (int j = 0; j < k; j++) {
                real swap = g[c][j];
                g[c][j] = g[pivot][j], g[pivot][j] = swap;
            }
            for (int r = 0; r < k - 1 && in; r++) {
                if (r == c) continue;
                real f = g[r][c] / g[c][c];
                for (int j = c; j < k; j++) g[r][j] -= f * g[c][j];
            }
        }
        for (int i = 0; i < k - 1 && in; i++) l[i + 1] = g[i][k - 1] / g[i][i], sum += l[i + 1];
        l[0] = 1 - sum;
        vec v = {0, 0, 0};
        for (int i = 0; i < k; i++) {
            in = in && l[i] >= 0;
            v = add(v, scale(l[i], p[id[i]]));
        }
        if (!in || !(dot(v, v) < best)) continue;
        best = dot(v, v);
        at = v;
        for (int i = 0; i < n; i++) weight[i] = 0;
        for (int i = 0; i < k; i++) weight[id[i]] = l[i];
    }
    return at;
}

/* Distance of bodies that are apart, 0 where they overlap; false: that, or the bounds do not meet. */
static bool apart(const body *a, const body *b, real *distance, vec *normal)
{
    vec w[4] = {sub(a->points[0], b->points[0])}, v = w[0];
    int ia[4] = {0}, ib[4] = {0}, count = 1;
    real weight[4] = {1, 0, 0, 0}, low = -INFINITY;
    *distance = 0;
    for (int i = 0; i < 1000; i++) {
        real d = length(v);
        if (d < 1e-15L) return false;
        int pa = support(a, scale(-1, v)), pb = support(b, v);
        vec next_w = sub(a->points[pa], b->points[pb]);
        bool again = false;
        low = fmaxl(low, dot(v, next_w) / d);
        for (int k = 0; k < count; k++) again |= ia[k] == pa && ib[k] == pb;
        if (again || d - low <= 1e-17L * fmaxl(1, d)) break;
        if (count == 4) return false;
        w[count] = next_w, ia[count] = pa, ib[count++] = pb;
        vec closer = nearest(w, count, weight);
        int kept = 0;
        for (int k = 0; k < count; k++)
            if (weight[k] > 0) w[kept] = w[k], ia[kept] = ia[k], ib[kept++] = ib[k];
        count = kept;
        if (length(closer) >= d) break;
        v = closer;
    }
    *distance = length(v);
    *normal = scale(-1 / *distance, v);
    return *distance >= 1e-14L && *distance - low <= 1e-15L;
}

/* Edges of x with a part less than `margin` outside y. */
static int edges_near(const body *x, const body *y, real margin, int *list)
{
    int count = 0;
    for (int k = 0; k < x->edge_count; k++) {
        vec p = x->points[x->edges[k].from], q = x->points[x->edges[k].to];
        real t0 = 0, t1 = 1;
        for (int f = 0; f < y->triangle_count && t0 <= t1; f++) {
            real sp = dot(y->normals[f], p) - y->offsets[f] - margin,
                 sq = dot(y->normals[f], q) - y->offsets[f] - margin;
            if (sp > 0 && sq > 0) t0 = 2;
            else if (sp > 0) t0 = fmaxl(t0, sp / (sp - sq));
            else if (sq > 0) t1 = fminl(t1, sp / (sp - sq));
        }
        if (t0 <= t1) list[count++] = k;
    }
    return count;
}

/* Exact depth of bodies that overlap by `bound` at most. */
static bool depth_of(const body *a, const body *b, real bound, real *depth, vec *normal)
{
    *depth = INFINITY;
    for (int side = 0; side < 2; side++) {
        const body *x = side ? b : a, *y = side ? a : b;
        for (int k = 0; k < x->triangle_count; k++) {
            vec n = x->normals[k];
            real d = x->offsets[k] - dot(n, y->points[support(y, scale(-1, n))]);
            if (d < *depth) *depth = d, *normal = scale(side ? -1 : 1, n);
        }
    }
    if (*depth < 0) return false;
    static int near_a[3 * HULLS_MOST], near_b[3 * HULLS_MOST];
    real margin = fminl(bound, *depth) + 1e-12L;
    int count_a = edges_near(a, b, margin, near_a), count_b = edges_near(b, a, margin, near_b);
    for (int i = 0; i < count_a; i++)
        for (int j = 0; j < count_b; j++) {
            const edge *e = &a->edges[near_a[i]], *f = &b->edges[near_b[j]];
            vec p = a->points[e->from], q = b->points[f->from];
            vec n = cross(sub(a->points[e->to], p), sub(b->points[f->to], q));
            if (!(length(n) > 1e-15L)) continue;
            n = scale((dot(n, sub(p, q)) < 0 ? -1 : 1) / length(n), n);
            if (dot(n, sub(p, q)) >= *depth || dot(n, sub(a->points[e->left], p)) > 1e-14L ||
                dot(n, sub(a->points[e->right], p)) > 1e-14L || dot(n, sub(b->points[f->left], q)) < -1e-14L ||
                dot(n, sub(b->points[f->right], q)) < -1e-14L)
                continue;
            real d = dot(n, sub(a->points[support(a, n)], b->points[support(b, scale(-1, n))]));
            if (d < *depth) *depth = d, *normal = n;
        }
    return true;
}

static bool make_shape(uint64_t *state, int count, hulls_shape *shape)
{
    static fender_vec3 points[HULLS_MOST];
    double axes[3];
    for (int i = 0; i < 3; i++) axes[i] = uniform(state, 0.3, 1);
    for (int i = 0; i < count; i++) {
        double d[3];
        direction(state, d);
        points[i] = fender_vec3_make((float)(axes[0] * d[0]), (float)(axes[1] * d[1]), (float)(axes[2] * d[2]));
    }
    fender_env env = fender_env_default();
    fender_geometry *g = fender_geometry_hull(&env, points, count, NULL);
    int vertices = 0, triangles = g ? fender_geometry_triangles(g, NULL, 0) / 3 : 0;
    const fender_vec3 *v = g ? fender_geometry_vertices(g, &vertices) : NULL;
    bool good = v && vertices == count && triangles == 2 * count - 4;
    if (good) {
        *shape = (hulls_shape){count, triangles, malloc(sizeof(double[3]) * (size_t)count),
                               malloc(sizeof(int32_t[3]) * (size_t)triangles)};
        good = shape->vertices && shape->triangles;
    }
    if (good) {
        memcpy(shape->vertices, v, sizeof(double[3]) * (size_t)count);
        fender_geometry_triangles(g, shape->triangles[0], 3 * triangles);
        if (count == 8) { /* no slivers: 8 cm from the middle to every face */
            static body b;
            hulls_pose still = {{1, 0, 0, 0}, {0, 0, 0}};
            vec center = {0, 0, 0};
            place(&b, shape, &still, true);
            for (int i = 0; i < count; i++) center = add(center, scale(1.0L / count, b.points[i]));
            for (int i = 0; i < b.triangle_count; i++) good = good && b.offsets[i] - dot(b.normals[i], center) >= 0.08L;
            if (!good) free(shape->vertices), free(shape->triangles);
        }
    }
    fender_geometry_release(g);
    return good;
}

bool hulls_make_shapes(int vertices, hulls_shape *shapes)
{
    uint64_t state = 1000 + (uint64_t)vertices;
    for (int i = 0, tries = 0; i < HULLS_SHAPES; tries++) {
        if (tries > 100000) return false;
        i += make_shape(&state, vertices, &shapes[i]);
    }
    return true;
}

void hulls_release_shapes(hulls_shape *shapes)
{
    for (int i = 0; i < HULLS_SHAPES; i++) free(shapes[i].vertices), free(shapes[i].triangles);
}

static double reach_along(const hulls_shape *shape, const hulls_pose *pose, vec d)
{
    static body b;
    hulls_pose turned = *pose;
    memset(turned.p, 0, sizeof turned.p);
    place(&b, shape, &turned, false);
    return (double)dot(d, b.points[support(&b, d)]);
}

bool hulls_make_pairs(const hulls_shape *shapes, char set, int certify, hulls_pair *pairs, int count)
{
    static body a, b;
    uint64_t state = (uint64_t)(77 * shapes[0].vertex_count + set);
    bool cohere = set == 'c' || set == 'd', overlap = set == 'b' || set == 'd';
    hulls_pair p = {0};
    double d[3], gap = 0, axis_a[3], axis_b[3], slide[3];
    for (int k = 0, tries = 0; k < count; tries++) {
        int frame = k % HULLS_FRAMES;
        if (!cohere || frame == 0 || tries > 0) {
            p.a = (int)(next(&state) % HULLS_SHAPES), p.b = (int)(next(&state) % HULLS_SHAPES);
            turn_at_random(&state, p.pose_a.q), turn_at_random(&state, p.pose_b.q);
            for (int i = 0; i < 3; i++) p.pose_a.p[i] = uniform(&state, -5, 5);
            direction(&state, d);
            gap = cohere ? uniform(&state, 0.05, 0.3) : exp(uniform(&state, log(1e-3), 0));
            if (overlap && !cohere) gap = 0.3;
            direction(&state, axis_a), direction(&state, axis_b), direction(&state, slide);
            double along = slide[0] * d[0] + slide[1] * d[1] + slide[2] * d[2];
            for (int i = 0; i < 3; i++) slide[i] -= along * d[i];
        } else {
            turn_about(axis_a, 0.3 * 3.141592653589793 / 180, p.pose_a.q);
            turn_about(axis_b, 0.5 * 3.141592653589793 / 180, p.pose_b.q);
        }
        vec u = {d[0], d[1], d[2]};
        double s = reach_along(&shapes[p.a], &p.pose_a, u) + reach_along(&shapes[p.b], &p.pose_b, scale(-1, u)) + gap;
        for (int i = 0; i < 3; i++)
            p.pose_b.p[i] = p.pose_a.p[i] + s * d[i] + (cohere ? 0.005 * (frame - HULLS_FRAMES / 2) * slide[i] : 0);
        real distance;
        vec n;
        place(&a, &shapes[p.a], &p.pose_a, false);
        place(&b, &shapes[p.b], &p.pose_b, false);
        if (tries > 10000) return false;
        if (!apart(&a, &b, &distance, &n)) continue;
        p.certified = true;
        if (overlap) {
            double push = cohere ? 5e-3 : exp(uniform(&state, log(1e-4), log(2e-2)));
            p.pose_b.p[0] -= (double)(n.x * (distance + push));
            p.pose_b.p[1] -= (double)(n.y * (distance + push));
            p.pose_b.p[2] -= (double)(n.z * (distance + push));
            p.certified = k % certify == 0;
            place(&b, &shapes[p.b], &p.pose_b, p.certified);
            if (apart(&a, &b, &distance, &n) || distance > 0) continue; /* pushed past a corner, and still apart */
            if (p.certified) {
                place(&a, &shapes[p.a], &p.pose_a, true);
                if (!depth_of(&a, &b, push * (1 + 1e-9), &distance, &n)) continue;
            }
            distance = p.certified ? -distance : 0;
        }
        p.distance = (double)distance;
        p.normal[0] = (double)n.x, p.normal[1] = (double)n.y, p.normal[2] = (double)n.z;
        pairs[k++] = p;
        tries = -1;
    }
    return true;
}
