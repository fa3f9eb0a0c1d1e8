/* Meshes against meshes, grids and planes: the triangles of one are faces in the cells of the other
 * (docs/models/contact_patches.md). */
#include "collide/mesh_convex.h"
#include "collide/mesh_search.h"
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

static double least_of(double one, double other) { return one < other ? one : other; }

static fender_box widened(fender_box box, double by)
{
    const fender_vec3 wider = fender_vec3_make(by, by, by);
    return (fender_box){fender_vec3_sub(box.lower, wider), fender_vec3_add(box.upper, wider)};
}

static fender_box shared(fender_box one, fender_box other)
{
    const fender_vec3 l = one.lower, m = other.lower, u = one.upper, v = other.upper;
    return (fender_box){fender_vec3_make(l.x > m.x ? l.x : m.x, l.y > m.y ? l.y : m.y, l.z > m.z ? l.z : m.z),
                        fender_vec3_make(u.x < v.x ? u.x : v.x, u.y < v.y ? u.y : v.y, u.z < v.z ? u.z : v.z)};
}

/* Of a cube, over its side: nothing is farther from a box that is widened by its side. */
#define DIAGONAL 1.7320508075688772

/* Listed triangles follow the tree: as many in a row are near each other, and have a box around them all. */
enum { TOGETHER = 8 };

/* Where parts that count are looked for: how deep, and how far beside facets whose cells do not widen. */
typedef struct search {
    fnd_behind behind;
    fender_box boxes[FND_BEHIND_LISTED / TOGETHER];
    double depth, beside;
} search;

static double most_of(double one, double other) { return one > other ? one : other; }

static void find_boxes(search *where)
{
    const fnd_behind *behind = &where->behind;
    for (int i = 0; i < behind->count && behind->listed; i++) {
        const fender_box one = behind->triangles[i].box;
        fender_box *all = &where->boxes[i / TOGETHER];
        if (i % TOGETHER == 0) *all = one;
        all->lower = fender_vec3_make(least_of(all->lower.x, one.lower.x), least_of(all->lower.y, one.lower.y),
                                      least_of(all->lower.z, one.lower.z));
        all->upper = fender_vec3_make(most_of(all->upper.x, one.upper.x), most_of(all->upper.y, one.upper.y),
                                      most_of(all->upper.z, one.upper.z));
    }
}

/* Cells widen with the depth, by a facet's spread. */
static double beside_of(const search *look, double spread)
{
    return least_of(look->beside, look->depth * (1 + spread));
}

/* Is all of a triangle beside the cell, on one side of it? */
static bool is_beside(const fnd_surface_sample *look, const double borders[3], const fender_vec3 *corners)
{
    for (int k = 0; k < 3; k++) {
        const fender_vec3 inward = look->inward[k];
        const double border = borders[k];
        if (fender_vec3_dot(inward, corners[0]) < border && fender_vec3_dot(inward, corners[1]) < border &&
            fender_vec3_dot(inward, corners[2]) < border)
            return true;
    }
    return false;
}

/* A triangle of the mesh in the cell of a facet, down to a depth. Most have no part in it, and need no solid. */
static void add_triangle(fnd_ground *g, fnd_surface_sample *look, const double borders[3], int32_t t,
                         const fender_vec3 corners[3], double deepest, bool small)
{
    const fnd_surface *mesh = g->view->b->geometry->surface;
    double highest = -INFINITY, lowest = INFINITY;
    for (int k = 0; k < 3; k++) {
        double depth = look->at->offset - fender_vec3_dot(look->at->normal, corners[k]);
        highest = depth > highest ? depth : highest;
        lowest = depth < lowest ? depth : lowest;
    }
    if (!(highest > 0) || lowest > deepest || is_beside(look, borders, corners)) return;
    if (!(fender_vec3_dot(look->at->normal, fnd_triangle_normal(mesh, t)) < 0)) return;
    fnd_surface_solid solid;
    fnd_surface_solid_triangle(&solid, mesh, t, fender_vec3_make(0, 0, 0));
    g->polytope = &solid.polytope;
    g->triangle = t;
    fnd_ground_add_triangle(g, look, small);
}

static bool boxes_meet(const fender_box *a, const fender_box *b)
{
    return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
           b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

/* Triangles of the mesh near a facet. */
static void add_facet(fnd_ground *g, fnd_surface_sample *look, const search *where)
{
    assert(look->spanned == 3 && g->view->b->geometry->surface);
    const fnd_behind *behind = &where->behind;
    const fender_box near = widened(box_of(look->corners), beside_of(where, look->at->spread));
    bool small = area_of(look->corners) < SMALL_PART * g->full_area;
    double borders[3];
    for (int k = 0; k < 3; k++) borders[k] = fender_vec3_dot(look->inward[k], look->corners[k]);
    g->sum = (fnd_ground_sum){0};
    g->at = look->at;
    for (int i = 0; i < behind->count && behind->listed; i++) {
        const fnd_behind_triangle *item = &behind->triangles[i];
        if (i % TOGETHER == 0 && !boxes_meet(&where->boxes[i / TOGETHER], &near)) {
            i += TOGETHER - 1;
            continue;
        }
        if (!boxes_meet(&item->box, &near)) continue;
        const double deepest = (1 + 1e-9) * FND_NEAREST * item->farthest;
        add_triangle(g, look, borders, item->triangle, item->corners, least_of(where->beside, deepest), small);
    }
    if (!behind->listed) {
        fnd_surface_traversal traversal;
        fnd_surface_traversal_begin(&traversal, g->view->b->geometry->surface, shared(near, behind->of_mesh));
        const fnd_surface *mesh = g->view->b->geometry->surface;
        for (int32_t t; (t = fnd_surface_traversal_next(&traversal)) >= 0;) {
            fender_vec3 corners[3];
            for (int k = 0; k < 3; k++) corners[k] = fnd_surface_corner(mesh, t, k);
            add_triangle(g, look, borders, t, corners, where->depth, small);
        }
    }
    if (small) fnd_ground_add_sum(g, look->at->triangle);
}

static void add_facets(fnd_ground *g, const fnd_surface_scan *scan, const search *where)
{
    fnd_surface_sample looks[TOGETHER], *all[TOGETHER];
    fnd_triangle_cell cells[TOGETHER];
    fnd_surface_solid any;
    fnd_surface_solid_triangle(&any, g->view->b->geometry->surface, 0, fender_vec3_make(0, 0, 0));
    for (int first = 0; first < scan->count; first += TOGETHER) {
        int count = scan->count - first < TOGETHER ? scan->count - first : TOGETHER;
        for (int i = 0; i < count; i++) {
            fnd_surface_sample *look = all[i] = &looks[i];
            look->at = &scan->found[first + i];
            look->sides = look->spanned = 3;
            look->corners = look->at->corners;
            look->own = &cells[i];
            look->inward = cells[i].inward;
            look->within = cells[i].within;
        }
        fnd_surface_sample_cells(scan->visibility, &any.polytope, all, count);
        for (int i = 0; i < count; i++) add_facet(g, all[i], where);
    }
}

static void collect(fnd_ground *g, const fnd_surface_view *view, const search *where, bool one, fnd_manifold *out)
{
    const fender_geometry *a = view->a->geometry, *b = view->b->geometry;
    fnd_surface_visibility visibility = fnd_surface_view_visibility(view);
    const fender_box hidden = where->behind.of_mesh;
    visibility.half = fender_vec3_scale(0.5, fender_vec3_sub(hidden.upper, hidden.lower));
    visibility.center = fender_vec3_add(hidden.lower, visibility.half);
    fnd_surface_solid any;
    fnd_surface_solid_triangle(&any, b->surface, 0, fender_vec3_make(0, 0, 0));
    const fender_box near = widened(where->behind.of_surface, beside_of(where, view->surface->spread));
    fnd_surface_scan scan;
    fnd_surface_scan_begin(&scan, &visibility, shared(near, widened(fnd_surface_view_box(view), where->beside)), NULL);
    fnd_ground_begin(g, view, &any.polytope, &scan, out);
    g->one = one;
    g->full_area = a->patch_area < b->patch_area ? a->patch_area : b->patch_area;
    g->selects = fnd_surface_scan_has_opposite(&scan);
    for (bool more = fnd_surface_scan_first(&scan); more; more = fnd_surface_scan_more(&scan))
        add_facets(g, &scan, where);
}

/* A quarter of the mesh's size, and no part is deeper than the boxes overlap (a grid has no box below); facets up to
 * FND_NEAREST times farther count. */
static double farthest_of(const fnd_surface_view *view)
{
    double least = 0.25 * view->radius;
    if (view->surface->count_x > 0) return least;
    const fender_box box = fnd_surface_view_box(view), other = view->a->geometry->bounds;
    const fender_vec3 one = fender_vec3_sub(box.upper, other.lower), two = fender_vec3_sub(other.upper, box.lower);
    least = least_of(least, least_of(one.x, least_of(one.y, one.z)));
    least = least_of(least, least_of(two.x, least_of(two.y, two.z)));
    return FND_NEAREST * least;
}

/* `one`: the deepest point alone, in one place of the list. */
static void add_patches(const fnd_surface_view *view, bool one, fnd_manifold *out)
{
    fnd_ground g;
    search where;
    where.beside = farthest_of(view);
    if (!(where.beside > 0)) return;
    fnd_mesh_behind(view, DIAGONAL * where.beside, &where.behind);
    if (!(where.behind.farthest > 0)) return;
    find_boxes(&where);
    where.depth = least_of(where.beside, (1 + 1e-9) * FND_NEAREST * where.behind.farthest);
    collect(&g, view, &where, one, out);
    if (out->count > g.first && g.one) fnd_ground_keep_deepest(&g);
    else if (out->count > g.first) fnd_ground_balance(&g);
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
    uint64_t listed[FND_SURFACE_LISTED];
    const double height = at.offset + 1e-12 * (fabs(at.offset) + mesh->geometry->bounding_radius);
    const int count = fnd_surface_below(s, at.normal, fender_vec3_make(0, 0, 0), height, listed);
    for (int32_t i = 0; i < (count < 0 ? s->triangle_count : count); i++) {
        const int32_t t = count < 0 ? i : (int32_t)listed[i];
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

static void add_single(const fnd_surface_view *view, const fnd_query *query, fnd_manifold *out)
{
    int first = out->count;
    const bool one = query->kind == FND_QUERY_DISTANCE;
    add_patches(view, one, out);
    if (out->count > first && one) return;
    if (out->count > first) {
        fender_separation deepest = out->items[first];
        for (int i = first; i < out->count; i++)
            if (out->items[i].distance < deepest.distance) deepest = out->items[i];
        out->count = first;
        fnd_manifold_add(out, fnd_single(deepest.distance, deepest.point_a, deepest.point_b, deepest.normal, 0));
        return;
    }
    fnd_surface_touch touch = fnd_mesh_nearest(view, fnd_query_range(query));
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
    if (query->kind == FND_QUERY_PATCH) add_patches(&view, false, out);
    if (query->kind != FND_QUERY_PATCH || (out->count == first && query->reach > 0)) add_single(&view, query, out);
    if (swapped) fnd_pair_mirror(a, b, first, out);
}

bool fnd_surface_mesh_on_polytope(const fnd_posed *mesh, const fnd_posed *polytope, fnd_manifold *out)
{
    assert(mesh->geometry->surface && fnd_geometry_cells(polytope->geometry));
    int first = out->count;
    fnd_surface_view view;
    fnd_surface_view_make(&view, polytope, mesh);
    add_patches(&view, false, out);
    fnd_pair_mirror(mesh, polytope, first, out);
    return out->count > first;
}
