/* The triangles that a solid may be below of: of a mesh those that meet its box, of a grid all of its shadow. */
#include "collide/surface_convex.h"

#include "geometry/support.h"

/* Cells below and above `low` to `high`, of count - 1. */
static void cells(double low, double high, double lower, double spacing, int count, int *first, int *last)
{
    double from = floor((low - lower) / spacing), to = floor((high - lower) / spacing);
    *first = from > 0 ? from < count - 1 ? (int)from : count - 1 : 0;
    *last = to < count - 2 ? to >= 0 ? (int)to : -1 : count - 2;
}

fender_box fnd_surface_view_box(const fnd_surface_view *view)
{
    return (fender_box){fender_vec3_sub(view->center, view->half), fender_vec3_add(view->center, view->half)};
}

void fnd_surface_footprint_begin(fnd_surface_footprint *f, const fnd_surface *s, fender_box box)
{
    f->surface = s;
    if (s->count_x == 0) {
        fnd_surface_walk_begin(&f->walk, s, box);
        return;
    }
    cells(box.lower.x, box.upper.x, s->lower.x, s->spacing.x, s->count_x, &f->i0, &f->i1);
    cells(box.lower.y, box.upper.y, s->lower.y, s->spacing.y, s->count_y, &f->j0, &f->j1);
    f->i = f->i0;
    f->j = f->j0;
    f->half = 0;
}

static bool is_apart(const fnd_surface *s, int32_t t, const fender_box *box)
{
    fender_vec3 a = fnd_surface_corner(s, t, 0), b = fnd_surface_corner(s, t, 1), c = fnd_surface_corner(s, t, 2);
    return (a.x < box->lower.x && b.x < box->lower.x && c.x < box->lower.x) ||
           (a.y < box->lower.y && b.y < box->lower.y && c.y < box->lower.y) ||
           (a.z < box->lower.z && b.z < box->lower.z && c.z < box->lower.z) ||
           (a.x > box->upper.x && b.x > box->upper.x && c.x > box->upper.x) ||
           (a.y > box->upper.y && b.y > box->upper.y && c.y > box->upper.y) ||
           (a.z > box->upper.z && b.z > box->upper.z && c.z > box->upper.z);
}

int32_t fnd_surface_footprint_next(fnd_surface_footprint *f)
{
    if (f->surface->count_x == 0) { /* the tree's boxes are a little larger */
        int32_t t = fnd_surface_walk_next(&f->walk);
        while (t >= 0 && is_apart(f->surface, t, &f->walk.box)) t = fnd_surface_walk_next(&f->walk);
        return t;
    }
    if (f->i > f->i1) {
        f->i = f->i0;
        f->j++;
    }
    if (f->j > f->j1 || f->i0 > f->i1) return -1;
    int32_t t = 2 * (f->j * (f->surface->count_x - 1) + f->i) + f->half;
    f->i += f->half;
    f->half = 1 - f->half;
    return t;
}

bool fnd_surface_footprint_is_all(const fnd_surface_footprint *inner, const fnd_surface_footprint *walk)
{
    if (walk->surface->count_x > 0)
        return walk->i0 >= inner->i0 && walk->i1 <= inner->i1 && walk->j0 >= inner->j0 && walk->j1 <= inner->j1;
    fender_box a = inner->walk.box, b = walk->walk.box;
    return b.lower.x >= a.lower.x && b.lower.y >= a.lower.y && b.lower.z >= a.lower.z && b.upper.x <= a.upper.x &&
           b.upper.y <= a.upper.y && b.upper.z <= a.upper.z;
}

bool fnd_surface_footprint_holds(const fnd_surface_footprint *f, int32_t triangle)
{
    if (f->surface->count_x == 0) return !is_apart(f->surface, triangle, &f->walk.box);
    int width = f->surface->count_x - 1, i = triangle / 2 % width, j = triangle / 2 / width;
    return i >= f->i0 && i <= f->i1 && j >= f->j0 && j <= f->j1;
}

void fnd_surface_sight_make(fnd_surface_sight *sight, const fnd_surface_view *view)
{
    const fender_mat3 straight = fender_mat3_identity();
    const fender_geometry *solid = view->b->geometry;
    *sight = (fnd_surface_sight){.view = view, .rounding = fnd_core_rounding(solid)};
    fnd_geometry_box(solid, &straight, &sight->center, &sight->half);
    double r = sight->rounding; /* the box has it already */
    sight->half = fender_vec3_sub(sight->half, fender_vec3_make(r, r, r));
}

void fnd_surface_sight_plane(fnd_surface_sight *sight, int32_t triangle)
{
    const fnd_surface_view *view = sight->view;
    int32_t plane = view->surface->planes[triangle]; /* one for all of its triangles */
    fender_vec3 n = fnd_triangle_normal(view->surface, plane);
    fender_vec3 from = fender_vec3_sub(fnd_surface_corner(view->surface, plane, 0), view->p_AB);
    sight->normal = fender_mat3_transpose_times(&view->R_AB, n);
    sight->offset = fender_vec3_dot(n, from) + sight->rounding;
}

/* Is all of the triangle's cell, down to the depth, beside the box on one of its sides? Points of the cell lie at most
 * the depth along -normal from the triangle, and a part of that across. */
static bool is_beside(const fnd_surface_sight *sight, int32_t triangle, double depth)
{
    const fnd_surface_view *view = sight->view;
    fender_vec3 n = sight->normal, low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        fender_vec3 q = fender_vec3_sub(fnd_surface_corner(view->surface, triangle, k), view->p_AB);
        q = fender_vec3_sub(fender_mat3_transpose_times(&view->R_AB, q), sight->center);
        low.x = q.x < low.x ? q.x : low.x;
        low.y = q.y < low.y ? q.y : low.y;
        low.z = q.z < low.z ? q.z : low.z;
        high.x = q.x > high.x ? q.x : high.x;
        high.y = q.y > high.y ? q.y : high.y;
        high.z = q.z > high.z ? q.z : high.z;
    }
    double across = depth * (double)view->surface->spreads[triangle] + sight->rounding;
    fender_vec3 down = fender_vec3_scale(-depth, n), half = sight->half;
    return low.x + (down.x < 0 ? down.x : 0) - across > half.x ||
           high.x + (down.x > 0 ? down.x : 0) + across < -half.x ||
           low.y + (down.y < 0 ? down.y : 0) - across > half.y ||
           high.y + (down.y > 0 ? down.y : 0) + across < -half.y ||
           low.z + (down.z < 0 ? down.z : 0) - across > half.z || high.z + (down.z > 0 ? down.z : 0) + across < -half.z;
}

bool fnd_surface_sees(fnd_surface_sight *sight, int32_t triangle)
{
    fnd_surface_sight_plane(sight, triangle);
    fender_vec3 n = sight->normal;
    double middle = sight->offset - fender_vec3_dot(n, sight->center);
    double extent = fabs(n.x) * sight->half.x + fabs(n.y) * sight->half.y + fabs(n.z) * sight->half.z;
    if (!(middle + extent > 0)) return false;
    bool mesh = sight->view->surface->count_x == 0;
    if (mesh && !(extent - middle + 2 * sight->rounding > 0)) return false; /* from another room */
    sight->depth = middle + extent;
    return !is_beside(sight, triangle, sight->depth);
}

int32_t fnd_surface_flat_ground(fnd_surface_sight *sight)
{
    const fnd_surface *s = sight->view->surface;
    int32_t plane = -1;
    fnd_surface_footprint walk;
    fnd_surface_footprint_begin(&walk, s, fnd_surface_view_box(sight->view));
    for (int32_t t; (t = fnd_surface_footprint_next(&walk)) >= 0;) {
        if (!fnd_surface_sees(sight, t)) continue;
        if (plane < 0) plane = s->planes[t];
        sight->sees_any = true;
        for (int k = 0; k < 3; k++) {
            int32_t other = s->neighbours[t][k];
            if (other < 0 || s->planes[other] != plane) return -1;
        }
    }
    return plane;
}
