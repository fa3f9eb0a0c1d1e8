/* Overlap of cores, and how a pair is placed for the searches. */
#ifndef FND_COLLIDE_CONVEX_OVERLAP_H
#define FND_COLLIDE_CONVEX_OVERLAP_H

#include "collide/convex.h"
#include "collide/convex_gjk.h"
#include "geometry/support.h"

/* ---- The pair in the frame of the first ---- */

static inline void set_segment(fnd_convex_core *core, fnd_scan *scan, double half_length, double segment[3][8])
{
    core->curved = false;
    core->ends[0] = fender_vec3_make(0, 0, -half_length);
    core->ends[1] = fender_vec3_make(0, 0, half_length);
    core->vertices = core->ends;
    core->vertex_count = half_length > 0 ? 2 : 1;
    core->size = half_length;
    for (int i = 0; i < 8; i++) {
        segment[0][i] = segment[1][i] = 0;
        segment[2][i] = i == 0 ? -half_length : half_length;
    }
    *scan = (fnd_scan){segment[0], segment[1], segment[2], 8};
}

static inline void make_core(fnd_convex_core *core, fnd_scan *scan, const fender_geometry *geometry,
                             double segment[3][8])
{
    const fnd_polytope *polytope = geometry->polytope;
    core->geometry = geometry;
    core->polytope = polytope;
    core->cells = polytope ? polytope->cells : NULL;
    core->rounding = geometry->rounding;
    core->size = geometry->bounding_radius;
    if (polytope) {
        core->curved = false;
        core->vertices = polytope->vertices;
        core->vertex_count = polytope->vertex_count;
        *scan = (fnd_scan){polytope->x, polytope->y, polytope->z, polytope->padded_count};
        return;
    }
    core->rounding = fnd_core_rounding(geometry);
    core->vertices = NULL;
    core->vertex_count = 0;
    core->curved = true;
    if (geometry->type == FENDER_GEOMETRY_POINT || geometry->type == FENDER_GEOMETRY_SPHERE ||
        geometry->type == FENDER_GEOMETRY_CAPSULE)
        set_segment(core, scan, geometry->half_length, segment);
}

/* The unit of extreme sizes. */
static void scale_pair(fnd_convex_pair *pair)
{
    int exponent;
    frexp(pair->scale, &exponent);
    exponent = exponent < -1000 ? -1000 : exponent; /* the unit is finite, and lengths of 1e-300 are as good as 0 */
    pair->unit = ldexp(1, -exponent);
    pair->scale *= pair->unit;
    pair->p_AB = fender_vec3_scale(pair->unit, pair->p_AB);
}

/* Same products and sums as a point of b alone has in fnd_pair_vertex. */
static inline void turn_vertices(fnd_convex_pair *pair)
{
    double(*t)[FND_CONVEX_ROTATED] = pair->turned_b;
    fnd_scan_rotate(&pair->scan_b, &pair->R_AB, pair->p_AB, pair->unit, t[0], t[1], t[2]);
    pair->scan_b = (fnd_scan){t[0], t[1], t[2], pair->scan_b.padded_count};
}

static inline void place_pair(fnd_convex_pair *pair, const fnd_posed *a, const fnd_posed *b)
{
    make_core(&pair->a, &pair->scan_a, a->geometry, pair->segment_a);
    make_core(&pair->b, &pair->scan_b, b->geometry, pair->segment_b);
    fender_mat3 R_AW = fender_mat3_transpose(&a->R_WG);
    fender_vec3 p = fender_mat3_times(&R_AW, fender_vec3_sub(b->p_WG, a->p_WG));
    pair->R_AB = fender_mat3_product(&R_AW, &b->R_WG);
    pair->scale = pair->a.size + pair->b.size + (fabs(p.x) + fabs(p.y) + fabs(p.z));
    pair->unit = 1;
    pair->p_AB = p;
    if (!(pair->scale > 1e-30 && pair->scale < 1e30) && pair->scale > 0 && isfinite(pair->scale)) scale_pair(pair);
    pair->curved = pair->a.curved || pair->b.curved;
    pair->rotated = !pair->curved && pair->scan_b.padded_count <= FND_CONVEX_ROTATED;
    if (pair->rotated) turn_vertices(pair);
}

/* ---- Expanding polytope algorithm ---- */

/* Overlap of cores: the face of the difference B - A that lies nearest to the origin, by a polytope that grows inside
 * it (expanding polytope algorithm).
 *
 * The polytope's nearest face is a lower bound of the depth, the support along any direction an upper one. Where both
 * agree to rounding the answer is exact; where they do not, because a face of the polytope has degenerated, all faces
 * and pairs of edges are looked at instead. */

enum { MOST_VERTICES = 128, MOST_FACES = 4 * MOST_VERTICES };

typedef struct epa_face {
    int vertex[3], neighbour[3]; /* neighbour k across the edge from corner k to k + 1 */
    bool alive;
    fender_vec3 normal; /* unit, outward */
    double offset;
} epa_face;

typedef struct epa {
    const fnd_convex_pair *pair;
    gjk_point vertices[MOST_VERTICES];
    epa_face faces[MOST_FACES];
    int vertex_count, face_count;
    double rounding;
    /* of the cone of new faces */
    int first_new, last_new;
    bool failed;
} epa;

FND_INTO_LOOP int new_face(epa *e, int a, int b, int c)
{
    if (e->face_count == MOST_FACES) return -1;
    epa_face *f = &e->faces[e->face_count];
    fender_vec3 wa = e->vertices[a].w, wb = e->vertices[b].w, wc = e->vertices[c].w;
    fender_vec3 u = fender_vec3_sub(wb, wa), v = fender_vec3_sub(wc, wa), n = fender_vec3_cross(u, v);
    double nn = fender_vec3_dot(n, n);
    if (!(nn > 1e-28 * fender_vec3_dot(u, u) * fender_vec3_dot(v, v))) return -1;
    double length = sqrt(nn);
    f->normal = fender_vec3_make(n.x / length, n.y / length, n.z / length);
    f->offset = fender_vec3_dot(f->normal, wa);
    f->vertex[0] = a, f->vertex[1] = b, f->vertex[2] = c;
    f->neighbour[0] = f->neighbour[1] = f->neighbour[2] = -1;
    f->alive = true;
    return e->face_count++;
}

static int edge_of(const epa_face *f, int from) { return f->vertex[0] == from ? 0 : f->vertex[1] == from ? 1 : 2; }

/* Removes what the point sees behind edge `k` of face f, and puts new faces on the horizon, in order. */
static void flood(epa *e, int index, int k, int point)
{
    epa_face *f = &e->faces[index];
    if (e->failed || !f->alive) { /* met twice: not a simple horizon */
        e->failed = true;
        return;
    }
    int a = f->vertex[k], b = f->vertex[(k + 1) % 3];
    if (fender_vec3_dot(f->normal, e->vertices[point].w) - f->offset <= -e->rounding) {
        int n = new_face(e, b, a, point); /* the edge as the face on the other side of it has it */
        if (n < 0) {
            e->failed = true;
            return;
        }
        e->faces[n].neighbour[0] = index;
        e->faces[index].neighbour[k] = n;
        if (e->last_new >= 0) {
            e->faces[e->last_new].neighbour[1] = n;
            e->faces[n].neighbour[2] = e->last_new;
            if (e->faces[e->last_new].vertex[1] != e->faces[n].vertex[0]) e->failed = true;
        } else e->first_new = n;
        e->last_new = n;
        return;
    }
    f->alive = false;
    for (int i = 1; i <= 2; i++) {
        int edge = (k + i) % 3, other = f->neighbour[edge];
        if (!e->faces[other].alive) continue;
        flood(e, other, edge_of(&e->faces[other], f->vertex[(edge + 1) % 3]), point);
        if (e->failed) return;
    }
}

/* Puts the vertex that lies beyond the face into the polytope. */
static bool grow(epa *e, int index, const gjk_point *vertex)
{
    if (e->vertex_count == MOST_VERTICES) return false;
    int point = e->vertex_count++;
    e->vertices[point] = *vertex;
    e->first_new = e->last_new = -1;
    e->failed = false;
    epa_face *f = &e->faces[index];
    f->alive = false;
    for (int k = 0; k < 3 && !e->failed; k++) {
        int other = f->neighbour[k];
        if (!e->faces[other].alive) continue;
        flood(e, other, edge_of(&e->faces[other], f->vertex[(k + 1) % 3]), point);
    }
    if (e->failed || e->first_new < 0) return false;
    e->faces[e->last_new].neighbour[1] = e->first_new;
    e->faces[e->first_new].neighbour[2] = e->last_new;
    return e->faces[e->last_new].vertex[1] == e->faces[e->first_new].vertex[0];
}

static bool first_tetrahedron(epa *e)
{
    fender_vec3 a = e->vertices[0].w, b = e->vertices[1].w, c = e->vertices[2].w, d = e->vertices[3].w;
    fender_vec3 n = fender_vec3_cross(fender_vec3_sub(b, a), fender_vec3_sub(c, a));
    if (fender_vec3_dot(n, fender_vec3_sub(d, a)) > 0) { /* d must lie behind a, b, c */
        gjk_point swap = e->vertices[0];
        e->vertices[0] = e->vertices[1];
        e->vertices[1] = swap;
    }
    static const int corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int i = 0; i < 4; i++) {
        int f = new_face(e, corners[i][0], corners[i][1], corners[i][2]);
        if (f < 0) return false;
        for (int k = 0; k < 3; k++) e->faces[f].neighbour[k] = beside[i][k];
    }
    return true;
}

static fender_vec3 unit(fender_vec3 v)
{
    double length = fender_vec3_length(v);
    return fender_vec3_make(v.x / length, v.y / length, v.z / length);
}

/* Unit vectors across d (not zero). */
static void across(fender_vec3 d, fender_vec3 *u, fender_vec3 *v)
{
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    fender_vec3 axis = x <= y && x <= z ? fender_vec3_make(1, 0, 0)
                       : y <= z         ? fender_vec3_make(0, 1, 0)
                                        : fender_vec3_make(0, 0, 1);
    *u = unit(fender_vec3_cross(d, axis));
    *v = unit(fender_vec3_cross(d, *u));
}

/* The support along +-n that lies farther from the base along it; its distance in *gain. */
static gjk_point farther_support(const fnd_convex_pair *pair, fender_vec3 n, fender_vec3 base, double *gain)
{
    gjk_point below = lowest_point(pair, n, NULL), above = lowest_point(pair, fender_vec3_negate(n), NULL);
    double down = fender_vec3_dot(n, fender_vec3_sub(base, below.w));
    double up = fender_vec3_dot(n, fender_vec3_sub(above.w, base));
    *gain = up > down ? up : down;
    return up > down ? above : below;
}

/* Makes four points with a volume of what the simplex has; false: the difference is flat, `normal` across it. */
static bool complete(epa *e, const gjk_state *simplex, fender_vec3 *normal)
{
    double flat = 4 * e->rounding, gain;
    gjk_point *v = e->vertices;
    const gjk_point *p[4];
    int count = list_of(simplex, p);
    for (int i = 0; i < count; i++) v[i] = *p[i];
    if (count == 4) { /* is it thick enough? */
        fender_vec3 n = fender_vec3_cross(fender_vec3_sub(v[1].w, v[0].w), fender_vec3_sub(v[2].w, v[0].w));
        double height = fender_vec3_dot(n, fender_vec3_sub(v[3].w, v[0].w));
        if (height * height > 1e-24 * fender_vec3_dot(n, n) * e->pair->scale * e->pair->scale) return true;
        count = 3;
    }
    if (count == 3) {
        fender_vec3 n = fender_vec3_cross(fender_vec3_sub(v[1].w, v[0].w), fender_vec3_sub(v[2].w, v[0].w));
        fender_vec3 u = fender_vec3_sub(v[1].w, v[0].w), w = fender_vec3_sub(v[2].w, v[0].w);
        if (!(fender_vec3_dot(n, n) > 1e-20 * fender_vec3_dot(u, u) * fender_vec3_dot(w, w))) count = 2;
    }
    if (count == 2) {
        fender_vec3 u = fender_vec3_sub(v[1].w, v[0].w);
        if (!(fender_vec3_dot(u, u) > flat * flat)) count = 1;
    }
    static const fender_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (count == 1) {
        double most = 0;
        for (int k = 0; k < 3; k++) {
            gjk_point w = farther_support(e->pair, axes[k], v[0].w, &gain);
            if (gain > most) most = gain, v[1] = w;
        }
        *normal = axes[2];
        if (!(most > flat)) return false;
    }
    if (count <= 2) {
        fender_vec3 u[4], w = fender_vec3_sub(v[1].w, v[0].w);
        across(w, &u[0], &u[1]);
        double most = 0;
        for (int k = 0; k < 2; k++) {
            gjk_point far = farther_support(e->pair, u[k], v[0].w, &gain);
            if (gain > most) most = gain, v[2] = far;
        }
        *normal = u[0];
        if (!(most > flat)) return false;
    }
    fender_vec3 n = fender_vec3_cross(fender_vec3_sub(v[1].w, v[0].w), fender_vec3_sub(v[2].w, v[0].w));
    n = unit(n);
    v[3] = farther_support(e->pair, n, v[0].w, &gain);
    *normal = n;
    return gain > flat;
}

/* The point of a face that is nearest to the origin, as weights of its corners; returns the least of them. */
FND_INTO_LOOP double foot(const epa *e, const epa_face *f, double weight[3])
{
    fender_vec3 a = e->vertices[f->vertex[0]].w, b = e->vertices[f->vertex[1]].w, c = e->vertices[f->vertex[2]].w;
    weight[0] = fender_vec3_dot(f->normal, fender_vec3_cross(b, c));
    weight[1] = fender_vec3_dot(f->normal, fender_vec3_cross(c, a));
    weight[2] = fender_vec3_dot(f->normal, fender_vec3_cross(a, b));
    double sum = weight[0] + weight[1] + weight[2];
    double least = 1;
    for (int i = 0; i < 3; i++) {
        weight[i] /= sum;
        least = weight[i] < least ? weight[i] : least;
    }
    return least;
}

/* The answer on the face, or on one in the same plane that holds the foot. Returns the least weight of a corner: below
 * 0 the foot lies outside. */
static inline double separation_on(const epa *e, const epa_face *f, double depth, fnd_core_separation *out)
{
    double weight[3], least = foot(e, f, weight);
    fender_vec3 normal = f->normal;
    for (int i = 0; i < e->face_count && least < 0; i++) {
        const epa_face *g = &e->faces[i];
        double other[3];
        if (!g->alive || g == f || g->offset - f->offset > e->rounding ||
            fender_vec3_dot(g->normal, normal) < 1 - 1e-10)
            continue;
        double inside = foot(e, g, other);
        if (!(inside > least)) continue;
        least = inside;
        for (int k = 0; k < 3; k++) weight[k] = other[k];
        f = g;
    }
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        weight[k] = weight[k] > 0 ? weight[k] : 0;
        sum += weight[k];
    }
    out->distance = -depth;
    out->normal = fender_vec3_negate(normal);
    out->point_a = fender_vec3_make(0, 0, 0);
    for (int k = 0; k < 3; k++)
        out->point_a = fender_vec3_add_scaled(out->point_a, weight[k] / sum, e->vertices[f->vertex[k]].a);
    return least;
}

static inline void start(epa *e, const fnd_convex_pair *pair)
{
    e->pair = pair;
    e->vertex_count = 4;
    e->face_count = 0;
    e->rounding = FND_CONVEX_ROUNDING * pair->scale;
}

/* Number of the face nearest to the origin; -1: none. */
static inline int nearest_face(const epa *e)
{
    int best = -1;
    for (int i = 0; i < e->face_count; i++)
        if (e->faces[i].alive && (best < 0 || e->faces[i].offset < e->faces[best].offset)) best = i;
    return best;
}

/* False: the polytope degenerated, or is too small for what is wanted; *out then holds the best that was found. */
static inline bool expand(epa *e, fnd_core_separation *out)
{
    double least_depth = INFINITY, weight = 0;
    if (!first_tetrahedron(e)) return false;
    for (;;) {
        int best = nearest_face(e);
        if (best < 0) return false;
        const epa_face *f = &e->faces[best];
        gjk_point w = lowest_point(e->pair, fender_vec3_negate(f->normal), NULL);
        double depth = fender_vec3_dot(f->normal, w.w);
        bool last = depth - f->offset <= 0.5 * e->rounding;
        if (depth < least_depth || last) {
            least_depth = depth;
            weight = separation_on(e, f, depth, out);
        }
        if (last) {
            if (weight < -1e-12) /* a sliver: look at the whole faces */
                return fnd_convex_opposite(e->pair, out->normal, out) <= e->rounding;
            return true;
        }
        if (!grow(e, best, &w)) return false;
    }
}

static inline void search_overlap(const fnd_convex_pair *pair, const gjk_state *simplex, fnd_core_separation *out)
{
    epa e;
    fender_vec3 normal;
    start(&e, pair);
    if (complete(&e, simplex, &normal) && expand(&e, out)) {
        if (fabs(out->distance) < 4 * e.rounding) out->point_a = point_a_of(simplex);
        return;
    }
    double miss = fnd_convex_overlap_of_all(pair, out);
    if (fabs(out->distance) < (miss > e.rounding ? 64 : 4) * e.rounding) out->point_a = point_a_of(simplex);
}

#endif
