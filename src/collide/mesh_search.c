/* A mesh is descended by its tree: each part of it is a ball, and the nearest place of the surface to the middle of
 * that ball bounds how far the part may be behind the surface, or how near to it. */
#include "collide/mesh_search.h"
#include "geometry/support.h"
#include <assert.h>

static double least_of(double one, double other) { return one < other ? one : other; }

static double most_of(double one, double other) { return one > other ? one : other; }

static void include(fender_box *box, fender_vec3 lower, fender_vec3 upper)
{
    box->lower = fender_vec3_make(least_of(box->lower.x, lower.x), least_of(box->lower.y, lower.y),
                                  least_of(box->lower.z, lower.z));
    box->upper = fender_vec3_make(most_of(box->upper.x, upper.x), most_of(box->upper.y, upper.y),
                                  most_of(box->upper.z, upper.z));
}

static const fender_box nowhere = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/* Parts of the mesh, below one node or in one leaf of its tree: a ball around each in G of the surface, and the longest
 * way back from there, at most, or the least distance. */
typedef struct mesh_parts {
    int count;
    int32_t names[FND_TREE_WIDTH]; /* nodes, ~leaves, or triangles */
    fender_box boxes[FND_TREE_WIDTH];
    fender_vec3 middles[FND_TREE_WIDTH];
    double radii[FND_TREE_WIDTH], ways[FND_TREE_WIDTH];
    fnd_surface_closest places[FND_TREE_WIDTH]; /* nearest to the middles */
} mesh_parts;

static void look_at_children(const fnd_surface *mesh, int32_t node, mesh_parts *p)
{
    p->count = fnd_surface_children(mesh, node, p->boxes, p->names);
    for (int i = 0; i < p->count; i++) {
        const fender_vec3 half = fender_vec3_scale(0.5, fender_vec3_sub(p->boxes[i].upper, p->boxes[i].lower));
        p->middles[i] = fender_vec3_add(p->boxes[i].lower, half);
        p->radii[i] = fender_vec3_length(half);
    }
}

static void look_at_triangles(const fnd_surface *mesh, int32_t leaf, mesh_parts *p)
{
    p->count = 0;
    for (int lane = 0; lane < FND_TREE_WIDTH; lane++) {
        const int32_t triangle = mesh->tree.leaves[leaf].triangle[lane];
        if (triangle == FND_TREE_NO_TRIANGLE) continue;
        fender_box box = nowhere;
        fender_vec3 middle = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            const fender_vec3 corner = fnd_surface_corner(mesh, triangle, k);
            include(&box, corner, corner);
            middle = fender_vec3_add_scaled(middle, 1.0 / 3, corner);
        }
        double radius = 0;
        for (int k = 0; k < 3; k++)
            radius = most_of(radius,
                             fender_vec3_length(fender_vec3_sub(fnd_surface_corner(mesh, triangle, k), middle)));
        p->names[p->count] = triangle;
        p->boxes[p->count] = box;
        p->middles[p->count] = middle;
        p->radii[p->count++] = radius;
    }
}

static void look_below(const fnd_surface *mesh, int32_t at, mesh_parts *p)
{
    if (at >= 0) look_at_children(mesh, at, p);
    else look_at_triangles(mesh, ~at, p);
}

/* Is all that is nearer to a point than the surface before it? At the border of a grid it is uncertain. */
static bool is_before(const fnd_surface *s, fender_vec3 point, const fnd_surface_closest *place)
{
    double height;
    if (s->count_x > 0) return fnd_grid_height(s, point, &height) && point.z > height;
    return !fnd_surface_is_behind(s, point, place);
}

/* Places farther from a part than `reach` are not looked for: triangle -1. */
static void look_at_surface(const fnd_surface_view *view, double reach, mesh_parts *p)
{
    double radius = 0;
    for (int i = 0; i < p->count; i++) {
        p->middles[i] = fender_vec3_add(view->p_AB, fender_mat3_times(&view->R_AB, p->middles[i]));
        radius = most_of(radius, p->radii[i]);
    }
    fnd_surface_nearest_many(view->surface, p->middles, p->count, reach + radius, p->places);
}

static void find_ways(const fnd_surface_view *view, double rounding, mesh_parts *p)
{
    for (int i = 0; i < p->count; i++) {
        p->ways[i] = -1;
        if (p->places[i].triangle < 0) continue;
        p->radii[i] += rounding;
        const bool before = is_before(view->surface, p->middles[i], &p->places[i]);
        p->ways[i] = p->radii[i] + (before ? -p->places[i].distance : p->places[i].distance);
    }
}

static void add_triangles(const fnd_surface *mesh, const mesh_parts *p, double most, fnd_behind *b)
{
    for (int i = 0; i < p->count; i++) {
        if (!(p->ways[i] > 0)) continue;
        const fender_vec3 radius = fender_vec3_make(p->radii[i], p->radii[i], p->radii[i]);
        include(&b->of_mesh, p->boxes[i].lower, p->boxes[i].upper);
        include(&b->of_surface, fender_vec3_sub(p->middles[i], radius), fender_vec3_add(p->middles[i], radius));
        const double farthest = least_of(most, p->ways[i]);
        b->farthest = most_of(b->farthest, farthest);
        b->listed = b->listed && b->count < FND_BEHIND_LISTED;
        if (!b->listed) continue;
        fnd_behind_triangle *item = &b->triangles[b->count++];
        item->box = p->boxes[i];
        for (int k = 0; k < 3; k++) item->corners[k] = fnd_surface_corner(mesh, p->names[i], k);
        item->farthest = farthest;
        item->triangle = p->names[i];
    }
}

void fnd_mesh_behind(const fnd_surface_view *view, double reach, fnd_behind *b)
{
    const fnd_surface *s = view->surface, *mesh = view->b->geometry->surface;
    const bool grid = s->count_x > 0;
    b->count = 0;
    b->listed = grid || s->closed;
    b->of_mesh = b->listed ? nowhere : view->b->geometry->bounds;
    b->of_surface = b->listed ? nowhere : fnd_surface_view_box(view);
    b->farthest = b->listed ? 0 : INFINITY;
    if (!b->listed) return; /* what is behind an open mesh may be reached around its border */
    /* half the least extent is the longest way out of a closed one */
    const fender_vec3 size = fender_vec3_sub(view->a->geometry->bounds.upper, view->a->geometry->bounds.lower);
    const double rounding = view->rounding + fnd_core_rounding(view->b->geometry) + 1e-9 * view->radius;
    const double most = grid ? INFINITY : rounding + 0.5 * least_of(size.x, least_of(size.y, size.z));
    int32_t stack[FND_TREE_STACK];
    int count = 0;
    stack[count++] = 0;
    mesh_parts p;
    while (count > 0) {
        const int32_t at = stack[--count];
        look_below(mesh, at, &p);
        look_at_surface(view, reach + rounding, &p);
        find_ways(view, rounding, &p);
        if (at < 0) add_triangles(mesh, &p, most, b);
        for (int i = p.count - 1; i >= 0 && at >= 0; i--)
            if (p.ways[i] > 0) stack[count++] = p.names[i];
        assert(count <= FND_TREE_STACK);
    }
}

/* One triangle of the mesh against the surface. */
static fnd_surface_touch touch_of(const fnd_surface_view *view, int32_t triangle, double limit)
{
    fnd_surface_solid solid;
    fnd_surface_solid_triangle(&solid, view->b->geometry->surface, triangle, fender_vec3_make(0, 0, 0));
    solid.geometry.bounds = nowhere;
    for (int k = 0; k < 3; k++) include(&solid.geometry.bounds, solid.vertices[k], solid.vertices[k]);
    const fnd_posed posed = {&solid.geometry, view->b->p_WG, view->b->R_WG};
    fnd_surface_view one;
    fnd_surface_view_make(&one, view->a, &posed);
    return fnd_surface_convex_nearest(&one, limit);
}

/* Those that are nearer come last. */
static void sort_by_distance(mesh_parts *p, int order[FND_TREE_WIDTH])
{
    for (int i = 0; i < p->count; i++) {
        p->ways[i] = p->places[i].distance - p->radii[i];
        int place = i;
        for (; place > 0 && p->ways[order[place - 1]] < p->ways[i]; place--) order[place] = order[place - 1];
        order[place] = i;
    }
}

fnd_surface_touch fnd_mesh_nearest(const fnd_surface_view *view, double limit)
{
    const fnd_surface *mesh = view->b->geometry->surface;
    fnd_surface_touch best = {.distance = INFINITY, .normal = {0, 0, 1}, .weight = 1};
    struct {
        int32_t at;
        double least;
    } stack[FND_TREE_STACK];
    int count = 0, order[FND_TREE_WIDTH];
    int32_t found = -1;
    stack[count].at = 0;
    stack[count++].least = 0;
    mesh_parts p;
    while (count > 0) {
        const int32_t at = stack[--count].at;
        if (stack[count].least > limit) continue;
        look_below(mesh, at, &p);
        look_at_surface(view, limit, &p);
        sort_by_distance(&p, order);
        for (int k = 0; k < p.count; k++) {
            const int i = order[at >= 0 ? k : p.count - 1 - k]; /* triangles at once, the nearest first */
            if (p.places[i].triangle < 0 || p.ways[i] > limit) continue;
            if (at >= 0) {
                assert(count < FND_TREE_STACK);
                stack[count].at = p.names[i];
                stack[count++].least = p.ways[i];
                continue;
            }
            const fnd_surface_touch touch = touch_of(view, p.names[i], limit);
            const bool equal = touch.distance == best.distance && p.names[i] < found;
            if (!(touch.distance < best.distance) && !equal) continue;
            best = touch;
            found = p.names[i];
            limit = least_of(limit, most_of(0, best.distance));
        }
    }
    return best;
}
