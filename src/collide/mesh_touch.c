/* Grids and meshes against points, clouds, spheres and planes; and which places of one solid share its stiffness. */
#include "collide/mesh_touch.h"
#include "collide/mesh_convex.h"
#include "collide/mesh_memory.h"
#include "math/rotation.h"
#include <assert.h>
#include <float.h>

/* ---- Several places where one solid touches a surface ---- */

/* Which places are the same, and how much of the stiffness each has.
 *
 * With depths d_i and normals n_i the energy is k/2 times the greatest value of 2 l.d - l.G l over l >= 0, where
 * G_ij = max(n_i.n_j, 0); the force is the sum of k l_i n_i, so the weight of place i is l_i / d_i, within [0, 1].
 * Where all normals are within 90 degrees of each other that is k/2 t^2 for the least translation t that ends the
 * contact; two facets of a smooth bowl share one stiffness, two walls of a corner have one each, and nothing jumps. */

enum { ACTIVE = 16 };

void fnd_surface_touch_add(fnd_surface_touches *touches, fnd_surface_touch touch, double same, double rotation)
{
    assert(touches->count >= 0 && touches->count <= FND_SURFACE_TOUCHES);
    assert(fnd_is_unit(touch.normal));
    int shallowest = 0;
    for (int i = 0; i < touches->count; i++) {
        fnd_surface_touch *known = &touches->items[i];
        bool near = fender_vec3_length(fender_vec3_sub(known->point, touch.point)) <= same;
        if (near || fender_vec3_length(fender_vec3_sub(known->normal, touch.normal)) <= rotation) {
            double more = known->distance - touch.distance, rounding = 1e-9 * fabs(known->distance);
            if (touch.on_facet != known->on_facet) more += touch.on_facet ? rounding : -rounding;
            if (more > 0) *known = touch;
            return;
        }
        if (known->distance > touches->items[shallowest].distance) shallowest = i;
    }
    if (touches->count < FND_SURFACE_TOUCHES) touches->items[touches->count++] = touch;
    else if (touch.distance < touches->items[shallowest].distance) touches->items[shallowest] = touch;
}

/* The quadratic programme above, by the active-set method for nonnegative least squares (Lawson and Hanson, Solving
 * Least Squares Problems, 1974, ch. 23): places enter one by one, the most violated first, and leave where their share
 * would become negative. */
typedef struct share_problem {
    const fnd_surface_touches *touches;
    double share[FND_SURFACE_TOUCHES]; /* l */
    int active[ACTIVE], count;
    bool is_active[FND_SURFACE_TOUCHES], barred[FND_SURFACE_TOUCHES];
} share_problem;

static double coupling(const share_problem *p, int i, int j)
{
    assert(i >= 0 && i < p->touches->count && j >= 0 && j < p->touches->count);
    double c = i == j ? 1 : fender_vec3_dot(p->touches->items[i].normal, p->touches->items[j].normal);
    return c > 0 ? c : 0;
}

static double depth(const share_problem *p, int i) { return -p->touches->items[i].distance; }

/* G z = d over the active ones, by Cholesky; false where normals are the same within rounding. */
static bool solve(const share_problem *p, double z[ACTIVE])
{
    double c[ACTIVE][ACTIVE];
    assert(p->count <= ACTIVE);
    for (int i = 0; i < p->count; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = coupling(p, p->active[i], p->active[j]);
            for (int k = 0; k < j; k++) sum -= c[i][k] * c[j][k];
            if (i > j) c[i][j] = sum / c[j][j];
            else if (sum > 1e-12) c[i][i] = sqrt(sum);
            else return false;
        }
        z[i] = depth(p, p->active[i]);
        for (int k = 0; k < i; k++) z[i] -= c[i][k] * z[k];
        z[i] /= c[i][i];
    }
    for (int i = p->count - 1; i >= 0; i--) {
        for (int k = i + 1; k < p->count; k++) z[i] -= c[k][i] * z[k];
        z[i] /= c[i][i];
    }
    return true;
}

/* The one that the present answer leaves deepest; -1: none is left. */
static int most_violated(const share_problem *p, double rounding)
{
    int found = -1;
    double most = rounding;
    for (int i = 0; i < p->touches->count; i++) {
        if (p->is_active[i] || p->barred[i] || !(depth(p, i) > 0)) continue;
        double rest = depth(p, i);
        for (int k = 0; k < p->count; k++) rest -= coupling(p, i, p->active[k]) * p->share[p->active[k]];
        if (rest <= most) continue;
        most = rest;
        found = i;
    }
    return found;
}

static void leave(share_problem *p, int at)
{
    assert(at >= 0 && at < p->count && p->is_active[p->active[at]]);
    p->share[p->active[at]] = 0;
    p->is_active[p->active[at]] = false;
    p->count--;
    for (int i = at; i < p->count; i++) p->active[i] = p->active[i + 1];
}

/* Moves to the solution of the active ones, dropping those that would become negative. */
static void settle(share_problem *p)
{
    assert(p->count <= ACTIVE);
    double z[ACTIVE];
    while (p->count > 0) {
        if (!solve(p, z)) { /* the newest has no direction of its own */
            p->barred[p->active[p->count - 1]] = true;
            leave(p, p->count - 1);
            continue;
        }
        int blocking = -1;
        double part = 1;
        for (int i = 0; i < p->count; i++) {
            double now = p->share[p->active[i]];
            if (z[i] > 0 || now - z[i] <= 0) continue;
            if (blocking >= 0 && now / (now - z[i]) >= part) continue;
            part = now / (now - z[i]);
            blocking = i;
        }
        if (blocking < 0) {
            for (int i = 0; i < p->count; i++) p->share[p->active[i]] = z[i] > 0 ? z[i] : 0;
            return;
        }
        for (int i = 0; i < p->count; i++) p->share[p->active[i]] += part * (z[i] - p->share[p->active[i]]);
        leave(p, blocking);
    }
}

/* The normal of an edge or vertex leans to the other places, and its depth keeps the energy. */
static void rotation(const share_problem *p, int i, fnd_surface_touch *touch)
{
    assert(touch->turning > 0);
    fender_vec3 n = touch->normal, others = {0, 0, 0};
    for (int k = 0; k < p->count; k++) {
        int j = p->active[k];
        if (j != i && coupling(p, i, j) > 0)
            others = fender_vec3_add_scaled(others, p->share[j], p->touches->items[j].normal);
    }
    others = fender_vec3_add_scaled(others, -fender_vec3_dot(n, others), n);
    others = fender_vec3_add_scaled(others, -fender_vec3_dot(touch->edge, others), touch->edge);
    fender_vec3 force = fender_vec3_add_scaled(n, 1 / touch->turning, others);
    double part = fender_vec3_length(force), radius = touch->turning - touch->distance;
    fender_vec3 center = fender_vec3_add_scaled(touch->point, touch->turning, n);
    touch->normal = fender_vec3_scale(1 / part, force);
    touch->distance /= part;
    touch->weight *= part * part;
    touch->point = fender_vec3_add_scaled(center, -radius - touch->distance, touch->normal);
}

void fnd_surface_touch_weigh(fnd_surface_touches *touches)
{
    if (touches->count < 2) { /* all of the stiffness is its own */
        if (touches->count == 1) touches->items[0].weight = touches->items[0].distance < 0 ? 1 : 0;
        return;
    }
    share_problem p = {.touches = touches};
    double deepest = 0;
    for (int i = 0; i < touches->count; i++) deepest = depth(&p, i) > deepest ? depth(&p, i) : deepest;
    for (int tries = 0; tries < 4 * FND_SURFACE_TOUCHES && p.count < ACTIVE; tries++) {
        int next = most_violated(&p, 1e-13 * deepest);
        if (next < 0) break;
        p.active[p.count++] = next;
        p.is_active[next] = true;
        settle(&p);
        if (!p.is_active[next]) p.barred[next] = true;
    }
    fnd_surface_touch rotated[FND_SURFACE_TOUCHES];
    for (int i = 0; i < touches->count; i++) {
        rotated[i] = touches->items[i];
        rotated[i].weight = depth(&p, i) > 0 ? p.share[i] / depth(&p, i) : 0;
        if (rotated[i].weight > 0 && p.count > 1 && rotated[i].turning > 0) rotation(&p, i, &rotated[i]);
    }
    for (int i = 0; i < touches->count; i++) touches->items[i] = rotated[i];
}

static bool before(fender_vec3 a, fender_vec3 b)
{
    if (a.x != b.x) return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

void fnd_surface_touch_emit(const fnd_surface_touches *touches, const fnd_posed *surface, double reach,
                            uint64_t first_feature, fnd_manifold *out)
{
    int nearest = 0, weighty = 0;
    for (int i = 0; i < touches->count; i++) {
        if (touches->items[i].distance < touches->items[nearest].distance) nearest = i;
        weighty += touches->items[i].weight > 0;
    }
    if (touches->count == 0) return;
    if (weighty < 2) {
        fnd_surface_touch sole = touches->items[nearest];
        sole.weight = 1;
        if (sole.distance > reach) return;
        fnd_surface_emit(surface, &sole, first_feature, 0, out);
        if (!out->failed) out->items[out->count - 1].shared = true;
        return;
    }
    for (int i = 0; i < touches->count; i++) {
        const fnd_surface_touch *touch = &touches->items[i];
        if (!(touch->weight > 0) || touch->distance > reach) continue;
        uint64_t rank = 0;
        for (int k = 0; k < touches->count; k++)
            rank += touches->items[k].weight > 0 && (before(touches->items[k].normal, touch->normal) ||
                                                     (k < i && !before(touch->normal, touches->items[k].normal)));
        fnd_surface_emit(surface, touch, first_feature + rank, (int)rank, out);
        if (!out->failed) {
            out->items[out->count - 1].weight_fades = true;
            out->items[out->count - 1].shared = true;
        }
    }
}

/* ---- Points, clouds and spheres ---- */

static double box_reach(double radius, double reach) { return radius + (reach > 0 ? reach : 0); }

/* One separation, given in G of the surface; weight 1. NULL: no room. */
static inline fender_separation *emit(const fender_mat3 *R_WG, fender_vec3 normal, fender_vec3 point, double distance,
                                      fnd_manifold *out)
{
    assert(fnd_is_unit(normal));
    fender_separation *s = fnd_manifold_more(out);
    if (!s) return NULL;
    fender_vec3 n = fender_mat3_times(R_WG, normal);
    n = fender_vec3_scale(1 / fender_vec3_length(n), n); /* turned to and fro */
    point = fender_mat3_times(R_WG, point);
    *s = fnd_single(distance, point, fender_vec3_add_scaled(point, distance, n), n, 0);
    return s;
}

void fnd_surface_emit(const fnd_posed *surface, const fnd_surface_touch *touch, uint64_t feature, int index,
                      fnd_manifold *out)
{
    fender_separation *s = emit(&surface->R_WG, touch->normal, touch->point, touch->distance, out);
    if (!s) return;
    s->feature = feature;
    s->index = index;
    s->weight = touch->weight;
}

/* A place of the triangle seen from a point: signed distance less the radius, normal. */
static fnd_surface_touch touch_at(const fnd_surface *s, fnd_facet *f, fender_vec3 center, double radius,
                                  const fnd_surface_closest *place, bool behind)
{
    assert(f->view.triangle == place->triangle);
    fnd_surface_touch touch = {.point = place->point, .triangle = place->triangle, .weight = 1};
    fender_vec3 from = fender_vec3_sub(center, place->point);
    double length = fender_vec3_length(from), sign = behind ? -1 : 1;
    if (place->feature == FND_ON_TRIANGLE) touch.normal = fnd_facet_normal(s, f);
    else if (!(length > 0)) touch.normal = fnd_surface_normal(s, place);
    else touch.normal = fender_vec3_make(sign * from.x / length, sign * from.y / length, sign * from.z / length);
    touch.distance = sign * place->distance - radius;
    if (place->feature != FND_ON_TRIANGLE && !behind) touch.turning = length;
    if (place->feature == FND_ON_EDGE) touch.edge = fnd_facet_edge_at(s, f, place->corner)->direction;
    if (place->feature == FND_ON_TRIANGLE && !behind && fender_vec3_dot(touch.normal, from) < 0)
        touch.normal = fender_vec3_negate(touch.normal); /* below a grid's tilted border */
    return touch;
}

static double slope(fender_vec3 n, fender_vec3 along) { return fender_vec3_dot(n, along) / fender_vec3_length(along); }

/* True if the distance has a local minimum there and the point is outside the surface. */
static bool is_minimum(const fnd_surface *s, fnd_facet *f, fender_vec3 center, const fnd_surface_closest *place,
                       double slack)
{
    int32_t t = place->triangle;
    assert(f->view.triangle == t);
    if (place->feature == FND_ON_TRIANGLE)
        return fender_vec3_dot(fnd_facet_normal(s, f), fender_vec3_sub(center, f->view.corner[0])) >= 0;
    fender_vec3 n = fender_vec3_sub(center, place->point);
    n = fender_vec3_scale(1 / place->distance, n);
    if (place->feature == FND_ON_EDGE) {
        const fnd_facet_edge *edge = fnd_facet_edge_at(s, f, place->corner);
        if (edge->other < 0) return true;
        return fender_vec3_dot(n, edge->into) / edge->into_length <= slack && fender_vec3_dot(n, edge->normals) > 0;
    }
    int32_t v = s->triangles[t][place->corner];
    for (int i = s->vertex_start[v]; i < s->vertex_start[v + 1]; i++) {
        for (int k = 0; k < 3; k++) {
            fender_vec3 edge = fender_vec3_sub(fnd_surface_corner(s, s->vertex_triangles[i], k), s->vertices[v]);
            if (s->triangles[s->vertex_triangles[i]][k] != v && slope(n, edge) > slack) return false;
        }
    }
    return s->border[v] || fender_vec3_dot(n, fnd_vertex_normal(s, v)) > 0;
}

/* ---- One ball ---- */

fnd_surface_touch fnd_surface_sphere_nearest(const fnd_surface *s, fender_vec3 center, double radius,
                                             fnd_triangle_memory *memory)
{
    assert(!(radius < 0));
    fnd_foot foot;
    if (memory && fnd_kept_foot(s, center, memory->limit, memory, &foot))
        return (fnd_surface_touch){
            .normal = foot.normal, .point = foot.point, .distance = foot.distance - radius, .weight = 1};
    fnd_surface_closest place = fnd_kept_nearest(s, center, INFINITY, memory);
    if (place.triangle < 0) return (fnd_surface_touch){.normal = {0, 0, 1}, .distance = INFINITY, .weight = 1};
    fnd_facet facet;
    fnd_facet_look(s, place.triangle, &facet);
    return touch_at(s, &facet, center, radius, &place, fnd_surface_is_behind(s, center, &place));
}

/* A ball among the triangles of a surface. */
enum { VERTICES_SEEN = 8 };
typedef struct ball_search {
    const fnd_surface *surface;
    fender_vec3 center;
    double radius, limit, size;
    fnd_surface_closest nearest;
    bool before; /* the centre is certainly outside of the surface, by what `nearest` is */
    fnd_surface_touches *touches;
    int32_t seen[VERTICES_SEEN]; /* vertices that are at hand again with each of their triangles */
    bool minimal[VERTICES_SEEN]; /* they were minima */
    int seen_count;
} ball_search;

/* Adds the place if it is a minimum. */
static bool add_minimum(ball_search *b, fnd_facet *facet, const fnd_surface_closest *place)
{
    const fnd_surface *s = b->surface;
    const int32_t vertex = place->feature == FND_ON_VERTEX ? s->triangles[place->triangle][place->corner] : -1;
    for (int i = 0; vertex >= 0 && i < b->seen_count; i++)
        if (b->seen[i] == vertex) return b->minimal[i];
    /* how far normals and slopes are uncertain: rounding of coordinates over the distance */
    const double slack = 1e-12 + 16 * DBL_EPSILON * (b->size + place->distance) / place->distance;
    const bool minimum = is_minimum(s, facet, b->center, place, slack);
    if (minimum)
        fnd_surface_touch_add(b->touches, touch_at(s, facet, b->center, b->radius, place, false),
                              4 * slack * place->distance, 0);
    if (vertex >= 0 && b->seen_count < VERTICES_SEEN) {
        b->seen[b->seen_count] = vertex;
        b->minimal[b->seen_count++] = minimum;
    }
    return minimum;
}

/* Does the surface go on beyond the place on all sides? */
static bool is_inner(const fnd_surface *s, const fnd_surface_closest *place)
{
    if (place->feature == FND_ON_VERTEX) return !s->border[s->triangles[place->triangle][place->corner]];
    return place->feature == FND_ON_TRIANGLE || s->neighbours[place->triangle][place->corner] >= 0;
}

/* Is it a minimum? */
static bool add_place(ball_search *b, fnd_facet *facet, const fnd_surface_closest *place)
{
    if (place->distance > b->limit) return false;
    const bool nearer = fnd_surface_nearer(place, &b->nearest);
    if (nearer) b->nearest = *place, b->before = false;
    if (!(place->distance > 0)) return false;
    const bool minimum = add_minimum(b, facet, place);
    if (nearer) b->before = minimum && place->distance > 1e-9 * b->size && is_inner(b->surface, place);
    return minimum;
}

/* All places, if only triangles that are remembered have any. */
static bool add_steady(ball_search *b, fnd_triangle_memory *memory)
{
    if (!fnd_kept_is_steady(b->surface, b->center, b->limit, memory)) return false;
    const int first = b->touches->count;
    fnd_surface_closest place;
    int minima = 0, sole = -1;
    for (int n = 0; n < memory->steady_count; n++) {
        fnd_facet *facet = fnd_kept_touched(memory, n, b->center, &place);
        if (add_place(b, facet, &place)) sole = minima++ == 0 && place.feature == FND_ON_TRIANGLE ? n : -1;
    }
    if (b->before && sole >= 0) fnd_kept_note_sole(memory, sole, b->center);
    if (b->before) return true;
    b->nearest = (fnd_surface_closest){.triangle = -1, .distance = INFINITY}; /* it leaves them */
    b->seen_count = 0;
    b->touches->count = first;
    return false;
}

void fnd_surface_sphere_touches(const fnd_surface *s, fender_vec3 center, double radius, double reach, double range,
                                fnd_triangle_memory *memory, fnd_surface_touches *touches)
{
    assert(!(radius < 0));
    ball_search b = {.surface = s,
                     .center = center,
                     .radius = radius,
                     .limit = box_reach(radius, reach),
                     .size = fabs(center.x) + fabs(center.y) + fabs(center.z),
                     .nearest = {.triangle = -1, .distance = INFINITY},
                     .touches = touches};
    const double outer = range < INFINITY ? (1 + 1e-9) * (radius + range) : 0;
    if (outer > 0 && fnd_surface_is_clear(s, center, outer > b.limit ? outer : b.limit, memory)) return;
    if (add_steady(&b, memory)) return;
    const int first = touches->count;
    uint32_t minima = 0;
    fnd_kept k;
    if (fnd_kept_triangles(memory, s, center, outer > b.limit ? outer : b.limit, &k)) {
        fnd_surface_closest place;
        fnd_facet *facet;
        for (int i = 0; i < memory->count; i++)
            if ((facet = fnd_kept_place(&k, i, b.limit, &place)) && add_place(&b, facet, &place))
                minima |= (uint32_t)1 << i;
        if (b.before) fnd_kept_note_steady(&k, b.limit, b.nearest.distance, minima);
    } else {
        fnd_surface_sphere_scan scan;
        fnd_surface_sphere_scan_begin(&scan, s, center, b.limit);
        while (fnd_surface_sphere_scan_more(&scan))
            for (int i = 0; i < scan.count; i++) {
                fnd_facet facet;
                fnd_facet_look(s, scan.found[i], &facet);
                const fnd_surface_closest place = fnd_triangle_view_nearest(&facet.view, center);
                add_place(&b, &facet, &place);
            }
    }
    bool searched = false;
    if (b.nearest.triangle < 0) {
        /* A part of the sphere may reach deeper below a grid than its box: from there, without limit. */
        searched = !(range < INFINITY && fnd_surface_is_front(s, center, b.limit, memory));
        const double far = searched ? INFINITY : outer;
        if (far > b.limit) b.nearest = fnd_kept_nearest(s, center, far, memory);
    }
    if (b.nearest.triangle < 0) return;
    const bool behind = !b.before && fnd_surface_is_behind(s, center, &b.nearest);
    if (searched && !behind) fnd_surface_note_front(s, center, b.nearest.distance, memory);
    bool listed = b.before; /* it was found above, as a minimum that the centre is before */
    for (int i = first; i < touches->count && !behind; i++)
        listed = listed || (touches->items[i].triangle == b.nearest.triangle &&
                            touches->items[i].distance == b.nearest.distance - radius);
    if (listed) return;
    fnd_facet facet;
    fnd_facet_look(s, b.nearest.triangle, &facet);
    fnd_surface_touch_add(touches, touch_at(s, &facet, center, radius, &b.nearest, behind), 0, 0);
}

static fender_vec3 place_of(const fnd_posed *a, const fnd_posed *b)
{
    return fender_mat3_transpose_times(&a->R_WG, fender_vec3_sub(b->p_WG, a->p_WG));
}

static void add_nearest(const fnd_posed *a, fender_vec3 point, double radius, uint64_t feature, const fnd_query *query,
                        fnd_manifold *out)
{
    const fnd_surface *s = a->geometry->surface;
    const double range = fnd_query_range(query);
    if (range < INFINITY && fnd_surface_is_clear(s, point, (1 + 1e-9) * (radius + range), query->memory)) return;
    const fnd_surface_touch touch = fnd_surface_sphere_nearest(s, point, radius, query->memory);
    if (touch.distance <= range) fnd_surface_emit(a, &touch, feature, (int)feature, out);
    else if (range < INFINITY) fnd_surface_note_front(s, point, touch.distance + radius, query->memory);
}

void fnd_surface_point(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    add_nearest(a, place_of(a, b), 0, 0, query, out);
}

bool fnd_surface_sphere_stands(const fender_geometry *surface, const fender_mat3 *R_WG, fender_vec3 center,
                               double radius, double range, fnd_triangle_memory *memory, fnd_manifold *out)
{
    fnd_foot foot;
    if (!fnd_kept_foot(surface->surface, center, radius, memory, &foot)) return false;
    if (foot.distance - radius > range) return true;
    fender_separation *s = emit(R_WG, foot.normal, foot.point, foot.distance - radius, out);
    if (s) s->shared = true;
    return true;
}

void fnd_surface_sphere(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    fender_vec3 center = place_of(a, b);
    if (query->kind != FND_QUERY_PATCH || !(b->geometry->radius > 0)) {
        add_nearest(a, center, b->geometry->radius, 0, query, out);
        return;
    }
    if (fnd_surface_sphere_stands(a->geometry, &a->R_WG, center, b->geometry->radius, fnd_query_range(query),
                                  query->memory, out))
        return;
    fnd_surface_touches touches;
    touches.count = 0;
    fnd_surface_sphere_touches(a->geometry->surface, center, b->geometry->radius, 0, fnd_query_range(query),
                               query->memory, &touches);
    fnd_surface_touch_weigh(&touches);
    fnd_surface_touch_emit(&touches, a, fnd_query_range(query), 0, out);
}

void fnd_surface_cloud(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    const fender_geometry *cloud = b->geometry;
    fender_mat3 R_AB = fender_mat3_transpose(&a->R_WG);
    R_AB = fender_mat3_product(&R_AB, &b->R_WG);
    fender_vec3 origin = place_of(a, b);
    fnd_surface_touch least = {.distance = INFINITY};
    int index = 0;
    for (int i = 0; i < cloud->point_count; i++) {
        fender_vec3 point = fender_vec3_add(origin, fender_mat3_times(&R_AB, cloud->points[i]));
        fnd_surface_touch touch = fnd_surface_sphere_nearest(a->geometry->surface, point, 0, NULL);
        if (query->kind != FND_QUERY_DISTANCE) {
            if (touch.distance <= query->reach) fnd_surface_emit(a, &touch, (uint64_t)i, i, out);
            continue;
        }
        if (touch.distance < least.distance) index = i;
        if (touch.distance < least.distance) least = touch;
    }
    if (query->kind == FND_QUERY_DISTANCE) fnd_surface_emit(a, &least, (uint64_t)index, index, out);
}

/* ---- Planes ---- */

/* A third of the triangles around a vertex, over all triangles. */
static double share(const fnd_surface *s, int vertex)
{
    assert(vertex >= 0 && vertex < s->vertex_count);
    double sum = 0;
    for (int i = s->vertex_start[vertex]; i < s->vertex_start[vertex + 1]; i++) {
        fender_vec3 p = fnd_surface_corner(s, s->vertex_triangles[i], 0);
        fender_vec3 u = fender_vec3_sub(fnd_surface_corner(s, s->vertex_triangles[i], 1), p);
        fender_vec3 v = fender_vec3_sub(fnd_surface_corner(s, s->vertex_triangles[i], 2), p);
        sum += fender_vec3_length(fender_vec3_cross(u, v)) / 6;
    }
    return s->area > 0 ? sum / s->area : 0;
}

/* One vertex: out of the surface towards the plane's body is against the plane's normal. */
static fender_separation separate(const fnd_posed *a, fender_vec3 n, double offset, int vertex)
{
    fender_vec3 point = fender_mat3_times(&a->R_WG, a->geometry->surface->vertices[vertex]);
    double distance = fender_vec3_dot(n, point) - offset;
    fender_vec3 out = fender_vec3_negate(n);
    return fnd_single(distance, point, fender_vec3_add_scaled(point, distance, out), out, (uint64_t)vertex);
}

/* The lowest vertex, of equal ones the first. */
static fender_separation lowest_vertex(const fnd_posed *a, fender_vec3 n, double offset)
{
    const fnd_surface *s = a->geometry->surface;
    fender_separation lowest = {.distance = INFINITY};
    const fender_vec3 down = fender_mat3_transpose_times(&a->R_WG, n), origin = {0, 0, 0};
    const double least = fnd_surface_lowest(s, down, origin);
    uint64_t listed[FND_SURFACE_LISTED]; /* in G sums are rounded in another way */
    const double nearly = least + 1e-12 * (fabs(least) + a->geometry->bounding_radius);
    const int count = fnd_surface_below(s, down, origin, nearly, listed);
    if (count < 0) {
        for (int i = 0; i < s->vertex_count; i++) {
            if (s->vertex_start[i] == s->vertex_start[i + 1]) continue; /* no triangle has it */
            const fender_separation one = separate(a, n, offset, i);
            if (one.distance < lowest.distance) lowest = one;
        }
        return lowest;
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const fender_separation one = separate(a, n, offset, s->triangles[listed[i]][k]);
            const bool first = one.distance == lowest.distance && one.feature < lowest.feature;
            if (one.distance < lowest.distance || first) lowest = one;
        }
    return lowest;
}

/* A grid, whose triangles look up: each vertex below has a share. */
static void share_below(const fnd_posed *a, fender_vec3 n, double offset, double reach, fnd_manifold *out)
{
    const fnd_surface *s = a->geometry->surface;
    for (int i = 0; i < s->vertex_count; i++) {
        if (s->vertex_start[i] == s->vertex_start[i + 1]) continue; /* no triangle has it */
        fender_separation one = separate(a, n, offset, i);
        if (!(one.distance <= reach)) continue;
        one.weight = share(s, i);
        one.area = one.weight * s->area;
        fnd_manifold_add(out, one);
    }
}

void fnd_surface_plane(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    const fender_vec3 n = fender_mat3_column(&b->R_WG, 2);
    const double offset = fender_vec3_dot(n, fender_vec3_sub(b->p_WG, a->p_WG)) + b->geometry->rounding;
    if (query->kind == FND_QUERY_PATCH && a->geometry->surface->count_x > 0) {
        share_below(a, n, offset, query->reach, out);
        return;
    }
    const int first = out->count;
    fender_separation lowest = lowest_vertex(a, n, offset);
    if (lowest.distance > fnd_query_range(query)) return;
    if (query->kind == FND_QUERY_PATCH && lowest.distance < 0) {
        fnd_surface_mesh_on_plane(b, a, out);
        if (out->count > first) fnd_pair_mirror(a, b, first, out);
        if (out->count > first) return;
    }
    lowest.feature = 0;
    fnd_manifold_add(out, lowest);
}
