/* Points, clouds and balls against grids and meshes. */
#include "collide/surface_convex.h"

#include <float.h>

static double box_reach(double radius, double reach) { return radius + (reach > 0 ? reach : 0); }

void fnd_surface_emit(const fnd_placed *surface, const fnd_surface_touch *touch, uint64_t feature, int index,
                      fnd_manifold *out)
{
    fender_vec3 n = fender_mat3_times(&surface->R_WG, touch->normal);
    n = fender_vec3_scale(1 / fender_vec3_length(n), n); /* turned to and fro */
    fender_vec3 point = fender_mat3_times(&surface->R_WG, touch->point);
    fender_separation s = fnd_single(touch->distance, point, fender_vec3_add_scaled(point, touch->distance, n), n,
                                     feature);
    s.index = index;
    s.weight = touch->weight;
    fnd_manifold_add(out, s);
}

/* A place seen from a point: signed distance less the radius, normal. */
static fnd_surface_touch touch_at(const fnd_surface *s, fender_vec3 center, double radius,
                                  const fnd_surface_place *place, bool behind)
{
    fnd_surface_touch touch = {.point = place->point, .triangle = place->triangle, .weight = 1};
    fender_vec3 from = fender_vec3_sub(center, place->point);
    double length = fender_vec3_length(from), sign = behind ? -1 : 1;
    if (place->feature == FND_ON_TRIANGLE || !(length > 0)) touch.normal = fnd_surface_normal(s, place);
    else touch.normal = fender_vec3_make(sign * from.x / length, sign * from.y / length, sign * from.z / length);
    touch.distance = sign * place->distance - radius;
    if (place->feature != FND_ON_TRIANGLE && !behind) touch.turning = length;
    if (place->feature == FND_ON_EDGE) {
        fender_vec3 edge = fender_vec3_sub(fnd_surface_corner(s, place->triangle, place->corner + 1),
                                           fnd_surface_corner(s, place->triangle, place->corner));
        touch.edge = fender_vec3_scale(1 / fender_vec3_length(edge), edge);
    }
    if (place->feature == FND_ON_TRIANGLE && !behind && fender_vec3_dot(touch.normal, from) < 0)
        touch.normal = fender_vec3_negate(touch.normal); /* below a grid's tilted border */
    return touch;
}

fnd_surface_touch fnd_surface_ball_nearest(const fnd_surface *s, fender_vec3 center, double radius)
{
    fnd_surface_place place = fnd_surface_nearest(s, center, INFINITY);
    if (place.triangle < 0) return (fnd_surface_touch){.normal = {0, 0, 1}, .distance = INFINITY, .weight = 1};
    return touch_at(s, center, radius, &place, fnd_surface_is_behind(s, center, &place));
}

static double slope(fender_vec3 n, fender_vec3 along) { return fender_vec3_dot(n, along) / fender_vec3_length(along); }

/* Is the place a least distance among all places around it, and the point before the surface there? */
static bool is_minimum(const fnd_surface *s, fender_vec3 center, const fnd_surface_place *place, double slack)
{
    int32_t t = place->triangle;
    if (place->feature == FND_ON_TRIANGLE)
        return fender_vec3_dot(fnd_triangle_normal(s, t), fender_vec3_sub(center, fnd_surface_corner(s, t, 0))) >= 0;
    fender_vec3 n = fender_vec3_sub(center, place->point);
    n = fender_vec3_scale(1 / place->distance, n);
    if (place->feature == FND_ON_EDGE) {
        int32_t other = s->neighbours[t][place->corner];
        if (other < 0) return true;
        fender_vec3 edge = fender_vec3_sub(fnd_surface_corner(s, t, place->corner + 1),
                                           fnd_surface_corner(s, t, place->corner));
        fender_vec3 into = fender_vec3_cross(edge,
                                             fnd_triangle_normal(s, other)); /* the edge runs the other way there */
        return slope(n, into) <= slack &&
               fender_vec3_dot(n, fender_vec3_add(fnd_triangle_normal(s, t), fnd_triangle_normal(s, other))) > 0;
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

void fnd_surface_ball(const fnd_surface *s, fender_vec3 center, double radius, double reach,
                      fnd_surface_touches *touches)
{
    double limit = box_reach(radius, reach);
    /* A part of the ball may reach deeper below a grid than its box: the nearest place is looked for without limit. */
    fnd_surface_place nearest = {.triangle = -1, .distance = INFINITY};
    fnd_surface_ball_scan scan;
    fnd_surface_ball_scan_begin(&scan, s, center, limit);
    double size = fabs(center.x) + fabs(center.y) + fabs(center.z);
    int first = touches->count;
    while (fnd_surface_ball_scan_more(&scan))
        for (int i = 0; i < scan.count; i++) {
            int32_t t = scan.found[i];
            fnd_surface_place place = fnd_triangle_nearest(s, t, center);
            if (place.distance > limit) continue;
            if (fnd_surface_nearer(&place, &nearest)) nearest = place;
            if (!(place.distance > 0)) continue;
            /* how far normals and slopes are uncertain: rounding of coordinates over the distance */
            double slack = 1e-12 + 16 * DBL_EPSILON * (size + place.distance) / place.distance;
            if (!is_minimum(s, center, &place, slack)) continue;
            fnd_surface_touch_add(touches, touch_at(s, center, radius, &place, false), 4 * slack * place.distance, 0);
        }
    if (nearest.triangle < 0) nearest = fnd_surface_nearest(s, center, INFINITY);
    if (nearest.triangle < 0) return;
    bool behind = fnd_surface_is_behind(s, center, &nearest);
    bool listed = false; /* it was found above, as a minimum that the centre is before */
    for (int i = first; i < touches->count && !behind; i++)
        listed = listed || (touches->items[i].triangle == nearest.triangle &&
                            touches->items[i].distance == nearest.distance - radius);
    if (!listed) fnd_surface_touch_add(touches, touch_at(s, center, radius, &nearest, behind), 0, 0);
}

static fender_vec3 place_of(const fnd_placed *a, const fnd_placed *b)
{
    return fender_mat3_transpose_times(&a->R_WG, fender_vec3_sub(b->p_WG, a->p_WG));
}

static void add_nearest(const fnd_placed *a, fender_vec3 point, double radius, uint64_t feature, const fnd_query *query,
                        fnd_manifold *out)
{
    fnd_surface_touch touch = fnd_surface_ball_nearest(a->geometry->surface, point, radius);
    if (touch.distance <= fnd_query_reach(query)) fnd_surface_emit(a, &touch, feature, (int)feature, out);
}

void fnd_surface_point(const fnd_placed *a, const fnd_placed *b, const fnd_query *query, fnd_manifold *out)
{
    add_nearest(a, place_of(a, b), 0, 0, query, out);
}

void fnd_surface_sphere(const fnd_placed *a, const fnd_placed *b, const fnd_query *query, fnd_manifold *out)
{
    fender_vec3 center = place_of(a, b);
    if (query->kind != FND_QUERY_PATCH || !(b->geometry->radius > 0)) {
        add_nearest(a, center, b->geometry->radius, 0, query, out);
        return;
    }
    fnd_surface_touches touches;
    touches.count = 0;
    fnd_surface_ball(a->geometry->surface, center, b->geometry->radius, 0, &touches);
    fnd_surface_touch_weigh(&touches);
    fnd_surface_touch_emit(&touches, a, fnd_query_reach(query), 0, out);
}

void fnd_surface_cloud(const fnd_placed *a, const fnd_placed *b, const fnd_query *query, fnd_manifold *out)
{
    const fender_geometry *cloud = b->geometry;
    fender_mat3 R_AB = fender_mat3_transpose(&a->R_WG);
    R_AB = fender_mat3_product(&R_AB, &b->R_WG);
    fender_vec3 origin = place_of(a, b);
    fnd_surface_touch least = {.distance = INFINITY};
    int index = 0;
    for (int i = 0; i < cloud->point_count; i++) {
        fender_vec3 point = fender_vec3_add(origin, fender_mat3_times(&R_AB, cloud->points[i]));
        fnd_surface_touch touch = fnd_surface_ball_nearest(a->geometry->surface, point, 0);
        if (query->kind != FND_QUERY_DISTANCE) {
            if (touch.distance <= query->reach) fnd_surface_emit(a, &touch, (uint64_t)i, i, out);
            continue;
        }
        if (touch.distance < least.distance) index = i;
        if (touch.distance < least.distance) least = touch;
    }
    if (query->kind == FND_QUERY_DISTANCE) fnd_surface_emit(a, &least, (uint64_t)index, index, out);
}
