/* Meshes against meshes, grids and planes: the triangles of one are faces in the cells of the other
 * (docs/models/contact_patches.md). */
#include "collide/mesh_convex.h"
#include "collide/mesh_touch.h"
#include "collide/patch.h"
#include <assert.h>

/* A facet whose area is a smaller part of a face's has one point. */
#define SMALL_PART 0.25

static double area_of(const fender_vec3 *corners)
{
    fender_vec3 u = fender_vec3_sub(corners[1], corners[0]), v = fender_vec3_sub(corners[2], corners[0]);
    return 0.5 * fender_vec3_length(fender_vec3_cross(u, v));
}

static fender_box box_of(const fender_vec3 *corners)
{
    fender_box box = {corners[0], corners[0]};
    for (int k = 1; k < 3; k++) {
        fender_vec3 c = corners[k];
        box.lower.x = c.x < box.lower.x ? c.x : box.lower.x;
        box.lower.y = c.y < box.lower.y ? c.y : box.lower.y;
        box.lower.z = c.z < box.lower.z ? c.z : box.lower.z;
        box.upper.x = c.x > box.upper.x ? c.x : box.upper.x;
        box.upper.y = c.y > box.upper.y ? c.y : box.upper.y;
        box.upper.z = c.z > box.upper.z ? c.z : box.upper.z;
    }
    return box;
}

/* Triangles of the mesh near a facet, each in its cell. */
static void add_facet(fnd_ground *g, fnd_surface_sample *look, double reach)
{
    assert(look->sides == 3 && g->view->b->geometry->surface);
    const fnd_surface *mesh = g->view->b->geometry->surface;
    const fender_vec3 *c = look->corners;
    fender_box box = box_of(c);
    fender_vec3 wider = fender_vec3_make(reach, reach, reach);
    bool small = area_of(c) < SMALL_PART * g->full_area;
    g->sum = (fnd_ground_sum){0};
    g->at = look->at;
    fnd_surface_traversal traversal;
    fnd_surface_traversal_begin(&traversal, mesh,
                                (fender_box){fender_vec3_sub(box.lower, wider), fender_vec3_add(box.upper, wider)});
    for (int32_t t; (t = fnd_surface_traversal_next(&traversal)) >= 0;) {
        double highest = -INFINITY, lowest = INFINITY;
        for (int k = 0; k < 3; k++) {
            double depth = look->at->offset - fender_vec3_dot(look->at->normal, fnd_surface_corner(mesh, t, k));
            highest = depth > highest ? depth : highest;
            lowest = depth < lowest ? depth : lowest;
        }
        if (!(highest > 0) || lowest > reach) continue;
        if (!(fender_vec3_dot(look->at->normal, fnd_triangle_normal(mesh, t)) < 0)) continue;
        fnd_surface_solid solid;
        fnd_surface_solid_triangle(&solid, mesh, t, fender_vec3_make(0, 0, 0));
        g->polytope = &solid.polytope;
        g->triangle = t;
        fnd_ground_add_triangle(g, look, small);
    }
    if (small) fnd_ground_add_sum(g, look->at->triangle);
}

static void add_facets(fnd_ground *g, const fnd_surface_scan *scan, double reach)
{
    enum { TOGETHER = 8 };
    fnd_surface_sample looks[TOGETHER], *all[TOGETHER];
    fnd_surface_solid any;
    fnd_surface_solid_triangle(&any, g->view->b->geometry->surface, 0, fender_vec3_make(0, 0, 0));
    for (int first = 0; first < scan->count; first += TOGETHER) {
        int count = scan->count - first < TOGETHER ? scan->count - first : TOGETHER;
        for (int i = 0; i < count; i++) {
            fnd_surface_sample *look = all[i] = &looks[i];
            look->at = &scan->found[first + i];
            look->sides = 3;
            look->corners = look->at->corners;
            look->inward = look->clearance_inward;
            look->within = look->clearance_within;
        }
        fnd_surface_sample_cells(scan->visibility, &any.polytope, all, count);
        for (int i = 0; i < count; i++) add_facet(g, all[i], reach);
    }
}

/* Up to a depth; how deep the deepest part lies. */
static void collect(fnd_ground *g, const fnd_surface_view *view, double reach, fnd_manifold *out)
{
    const fender_geometry *a = view->a->geometry, *b = view->b->geometry;
    fnd_surface_visibility visibility = fnd_surface_view_visibility(view);
    fnd_surface_solid any;
    fnd_surface_solid_triangle(&any, b->surface, 0, fender_vec3_make(0, 0, 0));
    fender_vec3 wider = fender_vec3_make(reach, reach, reach);
    fender_box box = fnd_surface_view_box(view);
    box = (fender_box){fender_vec3_sub(box.lower, wider), fender_vec3_add(box.upper, wider)};
    fnd_surface_scan scan;
    fnd_surface_scan_begin(&scan, &visibility, box, NULL);
    fnd_ground_begin(g, view, &any.polytope, &scan, out);
    g->full_area = a->patch_area < b->patch_area ? a->patch_area : b->patch_area;
    g->selects = true;
    while (fnd_surface_scan_more(&scan)) add_facets(g, &scan, reach);
}

/* No point of both solids is deeper than the boxes around them overlap; facets up to NEAREST times farther count. A
 * grid has no box below: a quarter of the mesh's size. */
static double deepest_of(const fnd_surface_view *view)
{
    const fnd_surface *s = view->surface;
    fender_box box = fnd_surface_view_box(view), other = view->a->geometry->bounds;
    double least = 0.25 * view->radius;
    if (s->count_x > 0) return least;
    const double overlaps[6] = {box.upper.x - other.lower.x, other.upper.x - box.lower.x, box.upper.y - other.lower.y,
                                other.upper.y - box.lower.y, box.upper.z - other.lower.z, other.upper.z - box.lower.z};
    for (int i = 0; i < 6; i++) least = overlaps[i] < least ? overlaps[i] : least;
    return 1.5 * least;
}

static void add_patches(const fnd_surface_view *view, fnd_manifold *out)
{
    fnd_ground g;
    double reach = deepest_of(view);
    if (!(reach > 0)) return;
    collect(&g, view, reach, out);
    if (out->count > g.first) fnd_ground_balance(&g);
}

/* ---- on a plane ---- */

void fnd_surface_mesh_on_plane(const fnd_posed *plane, const fnd_posed *mesh, fnd_manifold *out)
{
    assert(mesh->geometry->surface);
    const fnd_surface *s = mesh->geometry->surface;
    fnd_surface_view view;
    fnd_surface_view_make(&view, plane, mesh);
    fnd_surface_visibility visibility = {.rounding = plane->geometry->rounding};
    fnd_surface_scan scan;
    scan.visibility = &visibility;
    fnd_visible_facet at = {.plane = 0};
    at.normal = fender_mat3_transpose_times(&view.R_AB, fender_vec3_make(0, 0, 1));
    at.offset = visibility.rounding - view.p_AB.z;
    fnd_surface_sample look = {.at = &at, .alone = true};
    fnd_surface_solid solid;
    fnd_surface_solid_triangle(&solid, s, 0, fender_vec3_make(0, 0, 0));
    fnd_ground g;
    fnd_ground_begin(&g, &view, &solid.polytope, &scan, out);
    g.full_area = mesh->geometry->patch_area;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        if (!(fender_vec3_dot(at.normal, fnd_triangle_normal(s, t)) < 0)) continue;
        fnd_surface_solid_triangle(&solid, s, t, fender_vec3_make(0, 0, 0));
        bool small = solid.areas[0] < SMALL_PART * g.full_area;
        at.triangle = g.triangle = t;
        g.polytope = &solid.polytope;
        g.sum = (fnd_ground_sum){0};
        fnd_ground_add_triangle(&g, &look, small);
        if (small) fnd_ground_add_sum(&g, t);
    }
    if (out->count > g.first) fnd_ground_balance(&g);
}

/* ---- the least distance ---- */

/* Of triangles of the mesh from the surface: those whose middle may be nearer than the best so far. */
static fnd_surface_touch nearest(const fnd_surface_view *view)
{
    const fnd_surface *mesh = view->b->geometry->surface;
    fnd_surface_touch best = {.distance = INFINITY, .normal = {0, 0, 1}, .weight = 1};
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        fnd_surface_solid solid;
        fnd_surface_solid_triangle(&solid, mesh, t, fender_vec3_make(0, 0, 0));
        fender_vec3 middle = solid.polytope.center;
        double radius = 0;
        for (int k = 0; k < 3; k++) {
            double far = fender_vec3_length(fender_vec3_sub(solid.vertices[k], middle));
            radius = far > radius ? far : radius;
        }
        solid.geometry.bounds = box_of(solid.vertices);
        middle = fender_vec3_add(view->p_AB, fender_mat3_times(&view->R_AB, middle));
        if (!(fnd_surface_nearest(view->surface, middle, best.distance + radius).triangle >= 0)) continue;
        fnd_posed posed = {&solid.geometry, view->b->p_WG, view->b->R_WG};
        fnd_surface_view one;
        fnd_surface_view_make(&one, view->a, &posed);
        fnd_surface_touch touch = fnd_surface_convex_nearest(&one, INFINITY);
        if (touch.distance < best.distance) best = touch;
    }
    return best;
}

static void add_single(const fnd_surface_view *view, const fnd_query *query, fnd_manifold *out)
{
    int first = out->count;
    add_patches(view, out);
    if (out->count > first) {
        fender_separation deepest = out->items[first];
        for (int i = first; i < out->count; i++)
            if (out->items[i].distance < deepest.distance) deepest = out->items[i];
        out->count = first;
        fnd_manifold_add(out, fnd_single(deepest.distance, deepest.point_a, deepest.point_b, deepest.normal, 0));
        return;
    }
    fnd_surface_touch touch = nearest(view);
    if (touch.distance <= 0) touch.distance = 0; /* facets meet where no face counts */
    if (touch.distance <= fnd_query_range(query)) fnd_surface_emit(view->a, &touch, 0, 0, out);
}

void fnd_surface_mesh(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    /* Of two meshes the one with the larger face carries the cells, of two alike the first. */
    bool swapped = b->geometry->patch_area > a->geometry->patch_area;
    int first = out->count;
    fnd_surface_view view;
    fnd_surface_view_make(&view, swapped ? b : a, swapped ? a : b);
    if (query->kind == FND_QUERY_PATCH) add_patches(&view, out);
    if (query->kind != FND_QUERY_PATCH || (out->count == first && query->reach > 0)) add_single(&view, query, out);
    if (swapped) fnd_pair_mirror(a, b, first, out);
}

bool fnd_surface_mesh_on_polytope(const fnd_posed *mesh, const fnd_posed *polytope, fnd_manifold *out)
{
    assert(mesh->geometry->surface && polytope->geometry->polytope);
    int first = out->count;
    fnd_surface_view view;
    fnd_surface_view_make(&view, polytope, mesh);
    add_patches(&view, out);
    fnd_pair_mirror(mesh, polytope, first, out);
    return out->count > first;
}
