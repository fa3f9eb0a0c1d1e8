/* Convex solids against grids and meshes: every triangle that the solid meets has a depth of its own, the greatest is
 * that of the pair. docs/models/contact_pairs.md has the definitions. */
#include "collide/mesh_convex.h"
#include "collide/convex.h"
#include "collide/patch.h"
#include "collide/plane.h"
#include "geometry/support.h"
#include "math/rotation.h"
#include <assert.h>

/* ---- A triangle or an edge as a solid ---- */

static void begin(fnd_surface_solid *s, int count)
{
    assert(count == 2 || count == 3);
    static const int32_t start[3] = {0, 3, 6}, corners[6] = {0, 1, 2, 0, 2, 1};
    static const int32_t around[4] = {0, 2, 4, 6}, beside[6] = {1, 2, 0, 2, 0, 1};
    s->polytope = (fnd_polytope){.vertex_count = count,
                                 .face_count = count == 3 ? 2 : 0,
                                 .edge_count = count == 3 ? 3 : 1,
                                 .vertices = s->vertices,
                                 .face_start = s->face_start,
                                 .face_vertices = s->face_vertices,
                                 .face_normals = s->normals,
                                 .face_offsets = s->offsets,
                                 .face_areas = s->areas,
                                 .edges = s->edges,
                                 .neighbour_start = s->neighbour_start,
                                 .neighbours = s->neighbours,
                                 .x = s->x,
                                 .y = s->y,
                                 .z = s->z,
                                 .padded_count = 8,
                                 .face_x = s->face_x,
                                 .face_y = s->face_y,
                                 .face_z = s->face_z,
                                 .face_w = s->face_w,
                                 .size = 0};
    for (int i = 0; i < 3; i++) s->face_start[i] = count == 3 ? start[i] : 0;
    for (int i = 0; i < 6; i++) s->face_vertices[i] = corners[i];
    for (int i = 0; i < 4; i++) s->neighbour_start[i] = count == 3 ? around[i] : i < 2 ? i : 2;
    for (int i = 0; i < 6; i++) s->neighbours[i] = count == 3 ? beside[i] : 1 - i % 2;
    for (int k = 0; k < 3; k++) s->edges[k] = (fnd_polytope_edge){{k, (k + 1) % 3}, {0, 1}};
    if (count == 2) s->edges[0] = (fnd_polytope_edge){{0, 1}, {-1, -1}};
    s->geometry = (fender_geometry){.type = FENDER_GEOMETRY_HULL, .polytope = &s->polytope};
}

static void finish(fnd_surface_solid *s)
{
    int count = s->polytope.vertex_count;
    double farthest = 0;
    for (int i = 0; i < 8; i++) {
        fender_vec3 v = s->vertices[i < count ? i : count - 1];
        s->x[i] = v.x;
        s->y[i] = v.y;
        s->z[i] = v.z;
        double length = fabs(v.x) + fabs(v.y) + fabs(v.z); /* at least the length, whatever the size */
        farthest = length > farthest ? length : farthest;
    }
    s->polytope.center = fender_vec3_make(0, 0, 0);
    for (int i = 0; i < count; i++)
        s->polytope.center = fender_vec3_add_scaled(s->polytope.center, 1.0 / count, s->vertices[i]);
    s->geometry.bounding_radius = farthest;
}

void fnd_surface_solid_triangle(fnd_surface_solid *s, const fnd_surface *surface, int32_t triangle, fender_vec3 origin)
{
    assert(triangle >= 0 && triangle < surface->triangle_count);
    begin(s, 3);
    for (int k = 0; k < 3; k++) s->vertices[k] = fender_vec3_sub(fnd_surface_corner(surface, triangle, k), origin);
    fender_vec3 n = fnd_triangle_normal(surface, triangle);
    s->normals[0] = n;
    s->normals[1] = fender_vec3_negate(n);
    s->offsets[0] = fender_vec3_dot(n, s->vertices[0]);
    s->offsets[1] = -s->offsets[0];
    for (int i = 0; i < 8; i++) {
        const fender_vec3 *face = &s->normals[i > 0];
        s->face_x[i] = face->x;
        s->face_y[i] = face->y;
        s->face_z[i] = face->z;
        s->face_w[i] = s->offsets[i > 0];
    }
    s->areas[0] = s->areas[1] = 0.5 *
                                fender_vec3_length(fender_vec3_cross(fender_vec3_sub(s->vertices[1], s->vertices[0]),
                                                                     fender_vec3_sub(s->vertices[2], s->vertices[0])));
    finish(s);
}

/* The edge from corner k. */
static void surface_solid_edge(fnd_surface_solid *s, const fnd_surface *surface, int32_t triangle, int k,
                               fender_vec3 origin)
{
    assert(triangle >= 0 && triangle < surface->triangle_count && k >= 0 && k < 3);
    begin(s, 2);
    for (int i = 0; i < 2; i++) s->vertices[i] = fender_vec3_sub(fnd_surface_corner(surface, triangle, k + i), origin);
    finish(s);
}

/* Normals and offsets that differ by less are one plane. */
#define ONE_PLANE 1e-9

void fnd_surface_view_make(fnd_surface_view *view, const fnd_posed *a, const fnd_posed *b)
{
    assert(a->geometry && b->geometry);
    const fender_geometry *g = a->geometry;
    *view = (fnd_surface_view){.a = a, .b = b, .surface = g->surface ? g->surface : g->skin, .rounding = g->rounding};
    fender_mat3 R_AW = fender_mat3_transpose(&a->R_WG);
    view->R_AB = fender_mat3_product(&R_AW, &b->R_WG);
    view->p_AB = fender_mat3_times(&R_AW, fender_vec3_sub(b->p_WG, a->p_WG));
    fnd_geometry_box(b->geometry, &view->R_AB, &view->center, &view->half);
    view->center = fender_vec3_add(view->center, view->p_AB);
    view->half = fender_vec3_add(view->half, fender_vec3_make(g->rounding, g->rounding, g->rounding));
    view->radius = fender_vec3_length(view->half);
    fender_vec3 size = fender_vec3_sub(b->geometry->bounds.upper, b->geometry->bounds.lower);
    double least = size.x < size.y ? size.x : size.y;
    least = 0.5 * (size.z < least ? size.z : least);
    bool is_thin = least < 0.25 * b->geometry->bounding_radius;
    view->thin = is_thin ? 0.5 * b->geometry->bounding_radius - least : 0;
    view->least = least;
}

fender_box fnd_surface_view_box(const fnd_surface_view *view)
{
    return (fender_box){fender_vec3_sub(view->center, view->half), fender_vec3_add(view->center, view->half)};
}

fender_box fnd_surface_view_range(const fnd_surface_view *view)
{
    fender_vec3 wider = fender_vec3_make(view->thin, view->thin, view->thin);
    fender_box box = fnd_surface_view_box(view);
    return (fender_box){fender_vec3_sub(box.lower, wider), fender_vec3_add(box.upper, wider)};
}

fnd_surface_visibility fnd_surface_view_visibility(const fnd_surface_view *view)
{
    const fender_mat3 straight = fender_mat3_identity();
    const fender_geometry *solid = view->b->geometry;
    fnd_surface_visibility visibility = {
        .surface = view->surface, .R_AB = view->R_AB, .p_AB = view->p_AB, .thin = view->thin};
    fnd_geometry_box(solid, &straight, &visibility.center, &visibility.half);
    double r = visibility.rounding = fnd_core_rounding(solid); /* the box has it already */
    visibility.half = fender_vec3_sub(visibility.half, fender_vec3_make(r, r, r));
    visibility.rounding += view->rounding;
    if (view->least > visibility.thin) visibility.thin = view->least;
    return visibility;
}

/* The point of the solid that lies least along n. */
static fender_vec3 surface_lowest(const fnd_surface_view *view, fender_vec3 n)
{
    fender_vec3 s = fnd_support(view->b->geometry, fender_mat3_transpose_times(&view->R_AB, fender_vec3_negate(n)));
    s = fender_vec3_add(view->p_AB, fender_mat3_times(&view->R_AB, s));
    return fender_vec3_add_scaled(s, -fnd_core_rounding(view->b->geometry), n);
}

/* Least translation that parts the solid from a triangle or edge; point and normal in A. */
static fnd_surface_touch part_from(const fnd_surface_view *view, const fnd_surface_solid *solid, double reach)
{
    fender_separation item;
    fnd_manifold found = {.items = &item, .count = 0, .capacity = 1, .env = NULL};
    fnd_posed posed = {&solid->geometry, view->b->p_WG, view->a->R_WG};
    fnd_query query = {FND_QUERY_SINGLE, reach, NULL, NULL, 0};
    fnd_convex_convex(&posed, view->b, &query, &found);
    fnd_surface_touch touch = {.distance = INFINITY, .weight = 1, .normal = {0, 0, 1}};
    if (found.count == 0) return touch;
    touch.distance = item.distance;
    touch.normal = fender_mat3_transpose_times(&view->a->R_WG, item.normal);
    touch.point = fender_vec3_add(view->p_AB, fender_mat3_transpose_times(&view->a->R_WG, item.point_a));
    return touch;
}

/* The part of the space behind a triangle that is its own: borders through its edges, halfway between its normal and
 * its neighbour's. */
static void surface_cell(const fnd_surface *s, int32_t triangle, fnd_surface_border borders[3])
{
    assert(triangle >= 0 && triangle < s->triangle_count);
    fender_vec3 n = fnd_triangle_normal(s, triangle);
    for (int k = 0; k < 3; k++) {
        int32_t other = s->neighbours[triangle][k];
        fender_vec3 from = fnd_surface_corner(s, triangle, k);
        fender_vec3 edge = fender_vec3_sub(fnd_surface_corner(s, triangle, k + 1), from), between = n;
        edge = fender_vec3_scale(1 / fender_vec3_length(edge), edge);
        if (other < 0 && s->count_x > 0) between = fender_vec3_make(0, 0, 1); /* a grid ends upright */
        if (other >= 0) {
            between = fender_vec3_add(n, fnd_triangle_normal(s, other));
            double length = fender_vec3_length(between);
            between = length > 1e-6 ? fender_vec3_scale(1 / length, between) : n;
        }
        borders[k] = (fnd_surface_border){fender_vec3_cross(between, edge), from};
    }
}

/* True if the solid's deepest point is below the triangle itself and within the triangle's own cell. */
static bool is_in_cell(const fnd_surface_view *view, int32_t triangle, fender_vec3 lowest)
{
    const fnd_surface *s = view->surface;
    fnd_surface_border borders[3];
    surface_cell(s, triangle, borders);
    for (int k = 0; k < 3; k++) {
        fender_vec3 from = fender_vec3_sub(lowest, borders[k].point);
        fender_vec3 edge = fender_vec3_sub(fnd_surface_corner(s, triangle, k + 1), borders[k].point);
        double slack = -1e-14 * view->radius;
        if (fender_vec3_dot(borders[k].inward, from) < slack) return false;
        if (fender_vec3_dot(fender_vec3_cross(fnd_triangle_normal(s, triangle), edge), from) <
            slack * fender_vec3_length(edge))
            return false;
    }
    return true;
}

/* Out along the normal. The place is on the triangle, below it or beside it the solid's lowest point. */
static fnd_surface_touch lift(const fnd_surface_view *view, int32_t triangle, fender_vec3 lowest)
{
    fender_vec3 n = fnd_triangle_normal(view->surface, triangle);
    double height = fender_vec3_dot(n, fender_vec3_sub(lowest, fnd_surface_corner(view->surface, triangle, 0)));
    fender_vec3 foot = fender_vec3_add_scaled(lowest, -height, n);
    fnd_surface_closest place = fnd_triangle_nearest(view->surface, triangle, foot);
    if (place.feature != FND_ON_TRIANGLE) foot = place.point;
    bool on_facet = place.feature == FND_ON_TRIANGLE;
    return (fnd_surface_touch){
        .normal = n, .point = foot, .distance = height, .triangle = triangle, .weight = 1, .on_facet = on_facet};
}

static bool is_same_plane(const fnd_surface_view *view, int32_t one, int32_t other)
{
    assert(one >= 0 && one < view->surface->triangle_count);
    const fnd_surface *s = view->surface;
    fender_vec3 n = fnd_triangle_normal(s, one);
    fender_vec3 step = fender_vec3_sub(fnd_surface_corner(s, other, 0), fnd_surface_corner(s, one, 0));
    return fender_vec3_length(fender_vec3_sub(n, fnd_triangle_normal(s, other))) <= ONE_PLANE &&
           fabs(fender_vec3_dot(n, step)) <= ONE_PLANE * (view->radius + fender_vec3_length(step));
}

/* The triangle of the same plane in whose cell the lowest point lies; -1: none. (A disk that cuts a triangle may reach
 * lowest below its neighbour.) */
static int32_t triangle_above(const fnd_surface_view *view, int32_t triangle, fender_vec3 lowest)
{
    if (is_in_cell(view, triangle, lowest)) return triangle;
    const fnd_surface *s = view->surface;
    fender_vec3 n = fnd_triangle_normal(s, triangle);
    double height = fender_vec3_dot(n, fender_vec3_sub(lowest, fnd_surface_corner(s, triangle, 0)));
    fnd_surface_closest place = fnd_surface_nearest(s, fender_vec3_add_scaled(lowest, -height, n),
                                                    ONE_PLANE * view->radius);
    bool same = place.triangle >= 0 && is_same_plane(view, triangle, place.triangle);
    return same && is_in_cell(view, place.triangle, lowest) ? place.triangle : -1;
}

/* The way out along the triangle, where the least one leads through its back: up to the height that parts the two. */
static fnd_surface_touch slide(const fnd_surface_view *view, int32_t triangle, fender_vec3 back)
{
    const fnd_surface *s = view->surface;
    fender_vec3 n = fnd_triangle_normal(s, triangle), u = fender_vec3_add_scaled(back, -fender_vec3_dot(back, n), n);
    double length = fender_vec3_length(u), highest = -INFINITY;
    if (!(length > 1e-3)) return (fnd_surface_touch){.distance = -INFINITY};
    u = fender_vec3_scale(1 / length, u);
    fender_vec3 lowest = surface_lowest(view, u), top = lowest;
    for (int k = 0; k < 3; k++) {
        fender_vec3 corner = fnd_surface_corner(s, triangle, k);
        double height = fender_vec3_dot(u, fender_vec3_sub(corner, lowest));
        if (height > highest) top = corner;
        if (height > highest) highest = height;
    }
    return (fnd_surface_touch){.normal = u, .point = top, .distance = -highest, .triangle = triangle, .weight = 1};
}

/* True if only the rounding overlaps the triangle, from outside the surface. */
static bool is_rounding_alone(const fnd_surface_view *view, const fnd_surface_touch *touch)
{
    double apart = touch->distance + fnd_core_rounding(view->b->geometry);
    if (!(apart > 0)) return false;
    fender_vec3 core = fender_vec3_add_scaled(touch->point, apart, touch->normal);
    fnd_surface_closest place = fnd_surface_nearest(view->surface, core, INFINITY);
    return place.triangle >= 0 && !fnd_surface_is_behind(view->surface, core, &place);
}

/* Is the place where the solid reaches lowest below a triangle across one of its edges, and that below the neighbour
 * there not back across it? Then the solid is deepest in the neighbour, or beyond. */
static bool leads_on(const fnd_surface_view *view, int32_t triangle, fender_vec3 lowest)
{
    const fnd_surface *s = view->surface;
    fnd_surface_border borders[3];
    surface_cell(s, triangle, borders);
    for (int k = 0; k < 3; k++) {
        int32_t other = s->neighbours[triangle][k];
        if (other < 0 || fender_vec3_dot(borders[k].inward, fender_vec3_sub(lowest, borders[k].point)) >= 0) continue;
        fender_vec3 there = surface_lowest(view, fnd_triangle_normal(s, other));
        if (fender_vec3_dot(borders[k].inward, fender_vec3_sub(there, borders[k].point)) < 0) return true;
    }
    return false;
}

/* Is the point of a triangle's plane on the triangle and within the ellipsoid? */
static bool ellipsoid_meets_above(const fnd_surface_view *view, int32_t triangle, fender_vec3 point)
{
    const fender_vec3 radii = view->b->geometry->half;
    const fender_vec3 q = fender_mat3_transpose_times(&view->R_AB, fender_vec3_sub(point, view->p_AB));
    const fender_vec3 unit = fender_vec3_make(q.x / radii.x, q.y / radii.y, q.z / radii.z);
    return fender_vec3_dot(unit, unit) < 1 &&
           fnd_triangle_nearest(view->surface, triangle, point).feature == FND_ON_TRIANGLE;
}

/* Is the lowest point, in the cell of a triangle, beyond a wall of a hollow surface? */
static bool is_beyond(const fnd_surface_view *view, int32_t triangle, fender_vec3 lowest)
{
    const fnd_surface *s = view->surface;
    if (!s->hollow) return false;
    const fender_vec3 from = fender_vec3_sub(fnd_surface_corner(s, triangle, 0), lowest);
    const double depth = fender_vec3_dot(fnd_triangle_normal(s, triangle), from);
    const fnd_surface_closest place = fnd_surface_nearest(s, lowest, depth * (1 + 1e-9) + 1e-12 * view->radius);
    if (place.triangle < 0) return true;
    return !fnd_surface_is_behind(s, lowest, &place) || depth > FND_NEAREST * place.distance;
}

/* The solid against one triangle. Apart: least distance (INFINITY beyond the reach); meeting it: straight out of it
 * where the solid reaches lowest below the triangle's own part of the space, else the least way out that does not lead
 * through the triangle's back. */
static fnd_surface_touch surface_triangle_touch(const fnd_surface_view *view, int32_t triangle, double reach)
{
    assert(triangle >= 0 && triangle < view->surface->triangle_count);
    fender_vec3 n = fnd_triangle_normal(view->surface, triangle), lowest = surface_lowest(view, n);
    if (!(reach > 0) && view->b->geometry->type == FENDER_GEOMETRY_ELLIPSOID) { /* most need no search */
        fender_vec3 corner = fnd_surface_corner(view->surface, triangle, 0);
        double depth = fender_vec3_dot(n, fender_vec3_sub(corner, lowest));
        if (depth < -1e-9 * view->radius) return (fnd_surface_touch){.distance = INFINITY, .triangle = triangle};
        bool above = fender_vec3_dot(n, fender_vec3_sub(view->p_AB, corner)) > 0;
        if (depth > 1e-9 * view->radius && above && is_in_cell(view, triangle, lowest) &&
            ellipsoid_meets_above(view, triangle, fender_vec3_add_scaled(lowest, depth, n)) &&
            !is_beyond(view, triangle, lowest))
            return lift(view, triangle, lowest);
        if (leads_on(view, triangle, lowest)) return (fnd_surface_touch){.distance = INFINITY, .triangle = triangle};
    }
    fnd_surface_solid solid;
    fnd_surface_solid_triangle(&solid, view->surface, triangle, view->p_AB);
    fnd_surface_touch touch = part_from(view, &solid, reach);
    touch.triangle = triangle;
    if (!(touch.distance < 0)) return touch;
    if (is_rounding_alone(view, &touch)) return touch;
    int32_t above = triangle_above(view, triangle, lowest);
    fnd_surface_touch straight = lift(view, above < 0 ? triangle : above, lowest);
    const double least = touch.distance;
    if (above >= 0) {
        const bool longer = fender_vec3_dot(touch.normal, n) < -1e-9 && straight.distance < FND_NEAREST * least;
        straight.through = longer && is_beyond(view, above, lowest);
        return straight;
    }
    if (fender_vec3_dot(touch.normal, n) < -1e-9) touch = slide(view, triangle, touch.normal);
    if (straight.distance > touch.distance - 1e-9 * fabs(touch.distance)) touch = straight;
    touch.through = view->surface->closed && touch.distance < FND_NEAREST * least;
    return touch;
}

/* No point of the triangle is nearer to the centre of the solid's box; an easy bound. */
static double bound(const fnd_surface_view *view, int32_t triangle)
{
    assert(triangle >= 0 && triangle < view->surface->triangle_count);
    return fnd_triangle_nearest(view->surface, triangle, view->center).distance - view->radius;
}

static fender_box box_of(const fnd_surface_view *view, double wider)
{
    fender_vec3 half = fender_vec3_add(view->half, fender_vec3_make(wider, wider, wider));
    return (fender_box){fender_vec3_sub(view->center, half), fender_vec3_add(view->center, half)};
}

/* A point within the solid. */
static fender_vec3 middle_of(const fnd_surface_view *view)
{
    const fnd_polytope *polytope = view->b->geometry->polytope;
    if (!polytope) return view->p_AB;
    return fender_vec3_add(view->p_AB, fender_mat3_times(&view->R_AB, polytope->center));
}

/* Least of all, for a solid that meets no triangle: it may be behind them all. */
static fnd_surface_touch bury(const fnd_surface_view *view, fnd_surface_touch touch)
{
    fender_vec3 point = middle_of(view);
    fnd_surface_closest place = fnd_surface_nearest(view->surface, point, INFINITY);
    if (place.triangle < 0 || !fnd_surface_is_behind(view->surface, point, &place)) return touch;
    return lift(view, touch.triangle, surface_lowest(view, fnd_triangle_normal(view->surface, touch.triangle)));
}

/* Of two that are equally deep within rounding, one within its triangle, where its place is certain: out along a face
 * leads over the corner of another one, too. */
static bool is_nearer(const fnd_surface_touch *touch, const fnd_surface_touch *best)
{
    if (touch->through != best->through && touch->distance < 0 && best->distance < 0) return best->through;
    double more = best->distance - touch->distance;
    if (touch->on_facet != best->on_facet && touch->distance < 0) {
        const double rounding = 1e-9 * fabs(touch->distance);
        more += touch->on_facet ? rounding : -rounding;
    }
    return more > 0;
}

/* Nothing pushes the solid: is it behind the surface? */
static bool is_buried(const fnd_surface_view *view)
{
    fender_vec3 middle = middle_of(view);
    fnd_surface_closest place = {.triangle = 0}; /* a grid needs none */
    if (view->surface->count_x == 0) place = fnd_surface_nearest(view->surface, middle, INFINITY);
    return place.triangle >= 0 && fnd_surface_is_behind(view->surface, middle, &place);
}

/* How far a number is outside an interval. */
static double outside(double x, double lower, double upper)
{
    return x < lower ? lower - x : x > upper ? x - upper : 0;
}

/* No point of a box is nearer to the centre of the solid's box. */
static double box_bound(const fnd_surface_view *view, const fender_box *box)
{
    const fender_vec3 c = view->center,
                      out = {outside(c.x, box->lower.x, box->upper.x), outside(c.y, box->lower.y, box->upper.y),
                             outside(c.z, box->lower.z, box->upper.z)};
    return fender_vec3_length(out) - view->radius;
}

static double reach_of(const fnd_surface_touch *best) { return best->distance > 0 ? best->distance : 0; }

static void look_at_triangle(const fnd_surface_view *view, int32_t t, int32_t known, fnd_surface_touch *best)
{
    const double reach = reach_of(best);
    if (t == known || bound(view, t) > reach) return;
    const fnd_surface_touch touch = surface_triangle_touch(view, t, reach);
    if (is_nearer(&touch, best)) *best = touch;
}

/* Of a surface that is far away: a box as wide as the distance would hold much of it. In the order of a traversal,
 * which decides between equal ones. */
static void look_far(const fnd_surface_view *view, int32_t known, fnd_surface_touch *best)
{
    const fnd_wide_tree *tree = &view->surface->tree;
    struct {
        int32_t at;
        double least;
    } stack[FND_TREE_STACK];
    int count = 0;
    stack[count].at = 0;
    stack[count++].least = -INFINITY;
    while (count > 0) {
        const int32_t at = stack[--count].at;
        if (stack[count].least > reach_of(best)) continue;
        for (int lane = 0; at < 0 && lane < FND_TREE_WIDTH; lane++) {
            const int32_t t = tree->leaves[~at].triangle[lane];
            if (t != FND_TREE_NO_TRIANGLE) look_at_triangle(view, t, known, best);
        }
        fender_box boxes[FND_TREE_WIDTH];
        int32_t children[FND_TREE_WIDTH];
        for (int i = at < 0 ? -1 : fnd_surface_children(view->surface, at, boxes, children) - 1; i >= 0; i--) {
            assert(count < FND_TREE_STACK);
            stack[count].at = children[i];
            stack[count++].least = box_bound(view, &boxes[i]);
        }
    }
}

fnd_surface_touch fnd_surface_convex_nearest(const fnd_surface_view *view, double limit)
{
    const fnd_surface *s = view->surface;
    fnd_surface_touch best = {.distance = INFINITY, .normal = {0, 0, 1}, .weight = 1};
    const double farthest = (1 + 1e-9) * ((limit > 0 ? limit : 0) + view->radius);
    fnd_surface_closest place = fnd_surface_nearest(s, view->center, farthest);
    if (place.triangle < 0 && limit < INFINITY && is_buried(view))
        place = fnd_surface_nearest(s, view->center, INFINITY);
    if (place.triangle < 0) return best;
    best = surface_triangle_touch(view, place.triangle, INFINITY);
    if (best.distance > view->radius) {
        look_far(view, place.triangle, &best);
    } else {
        fnd_surface_traversal traversal;
        fnd_surface_traversal_begin(&traversal, s, box_of(view, reach_of(&best)));
        for (int32_t t; (t = fnd_surface_traversal_next(&traversal)) >= 0;) {
            look_at_triangle(view, t, place.triangle, &best);
            traversal.box = box_of(view, reach_of(&best)); /* nothing farther is of interest */
        }
    }
    return best.distance > 0 ? bury(view, best) : best;
}

/* ---- several contacts ---- */

/* Properties of the triangles that the solid overlaps. */
typedef struct meeting {
    fnd_surface_touches touches;
    int32_t deepest;
    int count;
    bool flat; /* all in one plane, which does not end below the solid */
} meeting;

/* True if the solid is over a border of the mesh. */
static bool is_over_border(const fnd_surface_view *view, int32_t triangle)
{
    assert(triangle >= 0 && triangle < view->surface->triangle_count);
    for (int k = 0; k < 3; k++) {
        if (view->surface->neighbours[triangle][k] >= 0) continue;
        fnd_surface_solid edge;
        surface_solid_edge(&edge, view->surface, triangle, k, view->p_AB);
        if (part_from(view, &edge, 0).distance <= 0) return true;
    }
    return false;
}

/* Is the normal of a touch one that the surface has there (between those of the triangles around the point)? */
static bool is_local(const fnd_surface_view *view, const fnd_surface_touch *touch)
{
    const fnd_surface *s = view->surface;
    fnd_surface_closest place = fnd_triangle_nearest(s, touch->triangle, touch->point);
    for (int k = 0; k < 3; k++) {
        int32_t other = s->neighbours[touch->triangle][k];
        if (other < 0) continue;
        fender_vec3 from = fnd_surface_corner(s, touch->triangle, k),
                    to = fnd_surface_corner(s, touch->triangle, k + 1);
        fender_vec3 edge = fender_vec3_sub(to, from),
                    across = fender_vec3_cross(fnd_triangle_normal(s, touch->triangle), edge);
        double length = fender_vec3_length(edge);
        edge = fender_vec3_scale(1 / length, edge);
        if (fender_vec3_dot(across, fender_vec3_sub(place.point, from)) > 1e-9 * length * view->radius) continue;
        if (fender_vec3_dot(touch->normal, fender_vec3_cross(edge, fnd_triangle_normal(s, other))) > 1e-9) return false;
    }
    return true;
}

static void meet(const fnd_surface_view *view, meeting *m)
{
    m->touches.count = m->count = 0;
    m->deepest = -1;
    m->flat = true;
    double deepest = 0;
    fnd_surface_traversal traversal;
    fnd_surface_traversal_begin(&traversal, view->surface, box_of(view, 0));
    for (int32_t t; (t = fnd_surface_traversal_next(&traversal)) >= 0;) {
        if (bound(view, t) > 0) continue;
        fnd_surface_touch touch = surface_triangle_touch(view, t, 0);
        if (!(touch.distance < 0) || touch.through) continue;
        m->count++;
        if (touch.distance < deepest) m->deepest = t;
        if (touch.distance < deepest) deepest = touch.distance;
        if (m->flat) m->flat = is_same_plane(view, m->deepest, t) && !is_over_border(view, t);
        if (is_local(view, &touch)) fnd_surface_touch_add(&m->touches, touch, 1e-9 * view->radius, ONE_PLANE);
    }
}

/* The plane of a triangle as a geometry of its own, for what is known of planes. */
static bool surface_add_plane_patch(const fnd_surface_view *view, int32_t triangle, const fnd_query *query,
                                    fnd_manifold *out)
{
    fender_geometry plane = {.type = FENDER_GEOMETRY_PLANE, .patch_area = INFINITY, .bounding_radius = INFINITY};
    fender_vec3 n = fnd_triangle_normal(view->surface, triangle);
    double height = fender_vec3_dot(n, fender_vec3_sub(view->p_AB, fnd_surface_corner(view->surface, triangle, 0)));
    fender_vec3 z = fender_mat3_times(&view->a->R_WG, n), x = fnd_any_tangent(z), y = fender_vec3_cross(z, x);
    fnd_posed posed = {&plane,
                       fender_vec3_add_scaled(view->b->p_WG, -height, z),
                       {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}};
    /* Patches end where the solids part, like those of single triangles, however far contacts are looked for. */
    const fnd_query touching = {query->kind, query->reach, NULL, NULL, 0};
    int first = out->count, kept = first;
    if (!fnd_patch_plane(&posed, view->b, &touching, out)) return false;
    fender_vec3 offset = fender_vec3_sub(posed.p_WG, view->a->p_WG);
    for (int i = first; i < out->count; i++) {
        fender_separation s = out->items[i];
        if (!(s.distance <= query->reach)) continue;
        s.point_a = fender_vec3_add(s.point_a, offset);
        s.point_b = fender_vec3_add(s.point_b, offset);
        s.feature = fnd_patch_on_face(s.feature, view->surface->planes[triangle]);
        out->items[kept++] = s;
    }
    out->count = kept;
    return true;
}

/* A solid wholly behind the surface, at its nearest place; a disk is, as soon as it lies below. */
static bool add_buried(const fnd_surface_view *view, const fnd_surface_touch *nearest, const fnd_query *query,
                       fnd_manifold *out)
{
    fnd_surface_traversal traversal;
    fnd_surface_traversal_begin(&traversal, view->surface, box_of(view, -nearest->distance));
    for (int32_t t; (t = fnd_surface_traversal_next(&traversal)) >= 0;)
        if (!is_same_plane(view, nearest->triangle, t)) return false;
    return surface_add_plane_patch(view, nearest->triangle, query, out);
}

static bool has_weight(const fnd_manifold *out, int first)
{
    assert(first >= 0 && first <= out->count);
    for (int i = first; i < out->count; i++)
        if (out->items[i].weight > 0) return true;
    return false;
}

static void add_nearest(const fnd_surface_view *view, const fnd_query *query, bool buried, fnd_manifold *out)
{
    fnd_surface_touch nearest = fnd_surface_convex_nearest(view, buried ? INFINITY : query->reach);
    if (buried && nearest.distance < 0 && add_buried(view, &nearest, query, out)) return;
    if (nearest.distance <= query->reach) fnd_surface_emit(view->a, &nearest, 0, 0, out);
}

/* Solids without patches, on one plane. */
static void add_lowest(const fnd_surface_view *view, int32_t plane, fnd_manifold *out)
{
    fender_vec3 n = fnd_triangle_normal(view->surface, plane), lowest = surface_lowest(view, n);
    double height = fender_vec3_dot(n, fender_vec3_sub(lowest, fnd_surface_corner(view->surface, plane, 0)));
    fnd_surface_touch touch = {.normal = n,
                               .point = fender_vec3_add_scaled(lowest, -height, n),
                               .distance = height,
                               .triangle = plane,
                               .weight = 1};
    if (height <= 0) fnd_surface_emit(view->a, &touch, 0, 0, out);
}

static void add_round(const fnd_surface_view *view, const fnd_query *query, fnd_manifold *out)
{
    meeting m;
    meet(view, &m);
    if (m.count > 0 && m.flat && surface_add_plane_patch(view, m.deepest, query, out)) return;
    if (m.touches.count == 0) return;
    fnd_surface_touch_weigh(&m.touches);
    fnd_surface_touch_emit(&m.touches, view->a, query->reach, 0, out);
}

/* Disks, cylinders; cones with the faces of their pyramid, and rounded ones with the caps of their core. */
static void add_round_faces(const fnd_surface_view *view, fnd_surface_scan *scan, fnd_manifold *out)
{
    const fender_geometry *g = view->b->geometry;
    const bool cone = g->type == FENDER_GEOMETRY_CONE, rounded = !cone && g->rounding + view->rounding > 0;
    if (cone || rounded) fnd_surface_add_patches(view, scan, out);
    else fnd_surface_add_capped(view, scan, false, out);
    if (rounded) fnd_surface_add_rounded_side(view, out);
}

static void add_several(const fnd_surface_view *view, const fnd_query *query, fnd_manifold *out)
{
    const fender_geometry *g = view->b->geometry;
    int first = out->count;
    bool single = false; /* may the deepest contact stand for the list? */
    if (fnd_surface_is_pressed(g)) {
        /* ends that are apart have what their law holds there, from touch on */
        fnd_surface_add_pressed(view, query->lift > 0 && !out->touching ? query->lift : 0, out);
    } else {
        fnd_surface_visibility visibility = fnd_surface_view_visibility(view);
        fnd_surface_scan scan;
        fnd_surface_scan_begin(&scan, &visibility, fnd_surface_view_range(view), NULL);
        bool sees_any;
        int32_t plane = fnd_surface_flat_ground(&scan, &sees_any);
        bool faces = g->polytope && g->polytope->face_count > 2;
        if (g->caps && sees_any) {
            add_round_faces(view, &scan, out);
        } else if (plane >= 0) {
            if (!surface_add_plane_patch(view, plane, query, out)) add_lowest(view, plane, out);
        } else if (sees_any) {
            if (faces) fnd_surface_add_patches(view, &scan, out);
            else add_round(view, query, out);
        }
        single = sees_any && !faces && plane < 0 && !g->caps;
        const fnd_polytope *p = fnd_geometry_faces(g);
        if (sees_any && p && view->surface->hollow && !has_weight(out, first)) {
            visibility.rounding = 0; /* what is before the surface has no parts where it may not meet round edges */
            single = fnd_surface_scan_meets(&scan, p); /* all of its parts are beyond walls */
        }
    }
    if (has_weight(out, first)) return;
    bool buried = is_buried(view);
    if (!(query->reach > 0) && !buried && !single) return;
    out->count = first;
    add_nearest(view, query, buried, out);
}

/* How well a solid carries cells: 0 not at all, 1 a plate or disk, which has no inside, 2 round, 3 a polytope. */
static int rank_of(const fender_geometry *g)
{
    if (!g->skin) return 0;
    return fnd_geometry_faces(g)->face_count < 3 ? 1 : g->polytope ? 3 : 2;
}

void fnd_surface_convex(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    fnd_surface_view view;
    fnd_surface_view_make(&view, a, b);
    if (query->kind == FND_QUERY_PATCH) {
        const int rank = rank_of(b->geometry); /* a round solid carries cells for what is smaller than itself */
        const bool smaller = a->geometry->patch_area < b->geometry->patch_area;
        const bool within = rank == 3 || a->geometry->bounding_radius < b->geometry->bounding_radius;
        const bool on_face = a->geometry->surface && rank > 1 && smaller && within;
        if (on_face && fnd_surface_mesh_on_polytope(a, b, out)) return;
        if (!on_face || rank == 3) {
            add_several(&view, query, out);
            return;
        }
        const fnd_surface_touch touch = fnd_surface_convex_nearest(&view, query->reach);
        if (!(touch.distance <= query->reach)) return;
        fnd_surface_emit(a, &touch, 0, 0, out); /* before the prism, or deep in the solid */
        if (!(touch.distance <= 0) || out->failed) return;
        out->items[out->count - 1].weight = fnd_weight_without_patch(a->geometry, b->geometry, -touch.distance);
        return;
    }
    fnd_surface_touch nearest = fnd_surface_convex_nearest(&view, fnd_query_range(query));
    if (nearest.distance <= fnd_query_range(query)) fnd_surface_emit(a, &nearest, 0, 0, out);
}

bool fnd_surface_has_patches(const fender_geometry *a, const fender_geometry *b)
{
    int of_a = rank_of(a), of_b = rank_of(b);
    if (of_a > 0 && of_b > 0) return of_a > 1 || of_b > 1;
    return (of_a == 3 && fnd_surface_is_pressed(b)) || (of_b == 3 && fnd_surface_is_pressed(a));
}

static void add_patches(const fnd_posed *a, const fnd_posed *b, fnd_manifold *out)
{
    fnd_surface_view view;
    fnd_surface_view_make(&view, a, b);
    fnd_surface_visibility visibility = fnd_surface_view_visibility(&view);
    fnd_surface_scan scan;
    fnd_surface_scan_begin(&scan, &visibility, fnd_surface_view_range(&view), NULL);
    if (b->geometry->polytope) fnd_surface_add_patches(&view, &scan, out);
    else if (b->geometry->caps) add_round_faces(&view, &scan, out);
    else fnd_surface_add_pressed(&view, 0, out);
}

/* The cells are carried by the one with the larger face, of two alike by the first; of the thin ones by the other. The
 * choice never changes in a run. */
bool fnd_surface_patches(const fnd_posed *a, const fnd_posed *b, fnd_manifold *out)
{
    const fender_geometry *ga = a->geometry, *gb = b->geometry;
    int of_a = rank_of(ga), of_b = rank_of(gb);
    bool swapped = of_a > 1 && of_b > 1 ? gb->patch_area > ga->patch_area : of_b > of_a;
    int first = out->count;
    if (!swapped) {
        add_patches(a, b, out);
        return out->count > first;
    }
    add_patches(b, a, out);
    fnd_pair_mirror(a, b, first, out);
    return out->count > first;
}
