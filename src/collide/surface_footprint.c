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

void fnd_surface_footprint_begin(fnd_surface_footprint *f, const fnd_surface_view *view, double wider)
{
    const fnd_surface *s = view->surface;
    f->surface = s;
    fender_vec3 half = fender_vec3_add(view->half, fender_vec3_make(wider, wider, wider));
    fender_box box = {fender_vec3_sub(view->center, half), fender_vec3_add(view->center, half)};
    if (s->count_x == 0) {
        fnd_surface_walk_begin(&f->walk, s, box);
        return;
    }
    cells(box.lower.x, box.upper.x, s->lower.x, s->spacing.x, s->count_x, &f->i0, &f->i1);
    cells(box.lower.y, box.upper.y, s->lower.y, s->spacing.y, s->count_y, &f->j, &f->j1);
    f->i = f->i0;
    f->half = 0;
}

int32_t fnd_surface_footprint_next(fnd_surface_footprint *f)
{
    if (f->surface->count_x == 0) return fnd_surface_walk_next(&f->walk);
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

/* Is the triangle beside the box? What lies so deep may be far below it. */
static bool is_beside(const fnd_surface_sight *sight, int32_t triangle, double depth)
{
    const fnd_surface_view *view = sight->view;
    double wider = (depth > sight->wider ? depth : sight->wider) + sight->rounding;
    double x = sight->half.x + wider, y = sight->half.y + wider, z = sight->half.z + wider;
    bool beyond[6] = {true, true, true, true, true, true};
    for (int k = 0; k < 3; k++) {
        fender_vec3 q = fender_vec3_sub(fnd_surface_corner(view->surface, triangle, k), view->p_AB);
        q = fender_vec3_sub(fender_mat3_transpose_times(&view->R_AB, q), sight->center);
        beyond[0] &= q.x > x;
        beyond[1] &= q.x < -x;
        beyond[2] &= q.y > y;
        beyond[3] &= q.y < -y;
        beyond[4] &= q.z > z;
        beyond[5] &= q.z < -z;
    }
    return beyond[0] || beyond[1] || beyond[2] || beyond[3] || beyond[4] || beyond[5];
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
    if (is_beside(sight, triangle, middle + extent)) return false;
    if (middle + extent > sight->deepest) sight->deepest = middle + extent;
    return true;
}

int32_t fnd_surface_flat_ground(fnd_surface_sight *sight)
{
    const fnd_surface *s = sight->view->surface;
    int32_t plane = -1;
    bool flat = true;
    fnd_surface_footprint walk;
    fnd_surface_footprint_begin(&walk, sight->view, 0);
    for (int32_t t; (t = fnd_surface_footprint_next(&walk)) >= 0;) {
        if (!fnd_surface_sees(sight, t)) continue;
        if (plane < 0) plane = s->planes[t];
        for (int k = 0; k < 3; k++) {
            int32_t other = s->neighbours[t][k];
            flat = flat && other >= 0 && s->planes[other] == plane;
        }
    }
    return flat ? plane : -1;
}
