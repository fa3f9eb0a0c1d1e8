/* Round solids on boxes, hulls and each other: how much of the pressure of their side counts (contact_patches.md).
 *
 * The pressure inside a solid that stands on a face reaches over the face's edges: into the cells of the faces beside
 * it, which it meets with its side. It counts there if that is the shorter way out. */
#include "collide/patch_side.h"
#include "collide/patch_section.h"
#include "geometry/geometry.h"
#include "math/elementary.h"
#include <assert.h>
#include <math.h>

/* Cosine between the axis and a face's normal from which on the solid stands on it, and that from which on it stands
 * fully: caps count in full from 0.8 on. */
#define STANDS       0.8
#define STANDS_FULLY 0.98
/* Ways out to the side, over that along the axis, up to which all of the pressure counts, and from which on none. */
#define ALL  1.0
#define NONE 3.0
/* The slope of the depth changes over this sine of the angle, where the solid stands upright. */
#define SOFT 0.01

/* 0 up to 0, 1 from 1 on, twice differentiable. */
static double rise(double x, double *derivative)
{
    *derivative = 0;
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    double rest = 1 - x;
    *derivative = 30 * x * x * rest * rest;
    return x * x * x * (10 - x * (15 - 6 * x));
}

/* A sum over faces of (part / depth)^4, as a function of the pose. */
typedef struct ways {
    double sum;
    fender_vec3 force, moment; /* its decrease as the solid moves and turns about its origin */
} ways;

/* `slope`: of the part by the face's normal along the axis. */
static void add_way(ways *w, double part, double slope, double depth, fender_vec3 n, fender_vec3 depth_by_n)
{
    if (!(part > 0)) return;
    double one = part / depth, cube = one * one * one;
    w->sum += cube * one;
    double by_depth = -4 * cube * one / depth, by_part = 4 * cube / depth;
    w->force = fender_vec3_add_scaled(w->force, by_depth, n);
    fender_vec3 by_n = fender_vec3_scale(by_depth, depth_by_n);
    by_n.z += by_part * slope;
    w->moment = fender_vec3_add(w->moment, fender_vec3_cross(n, by_n));
}

/* The way along the axis alone counts as so many times as long: where faces have a way about as short, they decide. */
#define LONGER 4.0

/* The way out along the axis alone, over one end: how far the vertices of the polytope are behind the plane of that
 * end. The norm of many is smooth where several are as deep. It is the shortest way where the polytope is the smaller
 * one: an edge or a corner of it stands on the solid's end. */
typedef struct axis_way {
    double depth; /* 0: all are before it */
    double force; /* decrease of the depth as the solid moves along its axis, and as it rotates */
    fender_vec3 moment;
} axis_way;

/* `end`: 1 or -1. */
static axis_way along_axis(const fnd_surface_view *view, double half, double rounding, double end)
{
    const fnd_polytope *p = fnd_geometry_cells(view->a->geometry);
    axis_way way = {0};
    double most = 0, sum = 0;
    const fender_vec3 up = fender_mat3_column(&view->R_AB, 2);
    const double plane = half + rounding + end * fender_vec3_dot(up, view->p_AB);
    for (int i = 0; i < p->vertex_count; i++) {
        const double depth = plane - end * fender_vec3_dot(up, p->vertices[i]);
        if (depth > most) most = depth;
    }
    if (!(most > 0)) return way;
    fender_vec3 first = {0, 0, 0};
    double weights = 0;
    for (int i = 0; i < p->vertex_count; i++) {
        const double part = (plane - end * fender_vec3_dot(up, p->vertices[i])) / most;
        if (!(part > 0)) continue;
        const double square = part * part, fourth = square * square, weight = fourth * square * part;
        sum += weight * part;
        weights += weight;
        first = fender_vec3_add_scaled(first, weight, fender_vec3_sub(p->vertices[i], view->p_AB));
    }
    const double root = LONGER * sqrt(sqrt(sqrt(sum))), scale = end * root / sum;
    first = fender_mat3_transpose_times(&view->R_AB, first);
    way.depth = most * root;
    way.force = -scale * weights;
    way.moment = fender_vec3_make(-scale * first.y, scale * first.x, 0);
    return way;
}

/* The end of the solid that is nearest to leaving, by the way out along the axis or through a face: 1 or -1. */
static double standing_end(const fnd_surface_view *view, double half, double rounding)
{
    const fnd_polytope *p = fnd_geometry_cells(view->a->geometry);
    double end = 1, most = 0;
    for (int k = 0; k < 2; k++) {
        const double depth = along_axis(view, half, rounding, 1 - 2 * k).depth;
        if (!(depth > 0) || !(1 > most * depth)) continue;
        most = 1 / depth;
        end = 1 - 2 * k;
    }
    for (int i = 0; i < p->face_count; i++) {
        fender_vec3 n = fender_mat3_transpose_times(&view->R_AB, p->face_normals[i]);
        double depth = p->face_offsets[i] + rounding - fender_vec3_dot(p->face_normals[i], view->p_AB);
        double unused, stands = rise((fabs(n.z) - STANDS) / (STANDS_FULLY - STANDS), &unused);
        depth += half * fabs(n.z) + view->b->geometry->radius * sqrt(n.x * n.x + n.y * n.y + SOFT * SOFT);
        if (!(depth > 0) || !(stands > most * depth)) continue;
        most = stands / depth;
        end = n.z > 0 ? -1 : 1;
    }
    return end;
}

fnd_side_part fnd_patch_side_part(const fnd_surface_view *view, double rounding)
{
    const fnd_polytope *p = fnd_geometry_cells(view->a->geometry);
    const fender_geometry *solid = view->b->geometry;
    assert(p && !(rounding < 0));
    const double radius = solid->radius, half = solid->type == FENDER_GEOMETRY_DISK ? 0 : solid->half_length;
    const double size = radius > half ? radius : half;
    const double standing = standing_end(view, half, rounding), foot = standing * half;
    ways side = {0}, end = {0};
    const axis_way way = along_axis(view, half, rounding, standing);
    if (way.depth > 1e-9 * size) {
        const double one = 1 / way.depth, by_depth = -4 * one * one * one * one * one;
        end.sum = one * one * one * one;
        end.force.z = by_depth * way.force;
        end.moment = fender_vec3_scale(by_depth, way.moment);
    }
    for (int i = 0; i < p->face_count; i++) {
        fender_vec3 n = fender_mat3_transpose_times(&view->R_AB, p->face_normals[i]);
        const double across = sqrt(n.x * n.x + n.y * n.y + SOFT * SOFT);
        const double depth = p->face_offsets[i] + rounding - fender_vec3_dot(p->face_normals[i], view->p_AB) +
                             radius * across - foot * n.z;
        const fender_vec3 by_n = {radius * n.x / across, radius * n.y / across, -foot};
        if (!(depth > 1e-9 * size)) return (fnd_side_part){.part = 1}; /* the end that it would stand on is outside */
        double sign = n.z < 0 ? -1 : 1, slope;
        double upright = fnd_cap_lying(fabs(n.z), &slope);
        add_way(&side, 1 - upright, -slope * sign, depth, n, by_n);
        double stands = rise((fabs(n.z) - STANDS) / (STANDS_FULLY - STANDS), &slope);
        add_way(&end, stands, slope * sign / (STANDS_FULLY - STANDS), depth, n, by_n);
    }
    if (!(end.sum > ALL * side.sum)) return (fnd_side_part){.part = 1};
    if (!(side.sum > 0)) return (fnd_side_part){0};
    double ratio = sqrt(sqrt(end.sum / side.sum)), slope;
    double part = 1 - rise((ratio - ALL) / (NONE - ALL), &slope);
    if (!(part > 0)) return (fnd_side_part){0};
    /* Of the part: by both sums, as ratio^4 = end / side. */
    double by_ratio = -slope / (NONE - ALL), by_end = by_ratio * ratio / (4 * end.sum),
           by_side = -by_ratio * ratio / (4 * side.sum);
    fnd_side_part found = {.part = part};
    found.force = fender_vec3_add_scaled(fender_vec3_scale(by_end, end.force), by_side, side.force);
    found.moment = fender_vec3_add_scaled(fender_vec3_scale(by_end, end.moment), by_side, side.moment);
    return found;
}

/* How deep the rim at an end of the solid is behind a plane, and its derivative by the plane's normal. */
static double rim_depth(const fnd_rotated *solid, double end, const fnd_cut_plane *plane, fender_vec3 *by_n)
{
    const fender_vec3 n = plane->normal;
    const double across = sqrt(n.x * n.x + n.y * n.y + SOFT * SOFT);
    *by_n = fender_vec3_make(solid->radius * n.x / across, solid->radius * n.y / across, -end);
    return plane->offset + solid->radius * across - end * n.z;
}

fnd_side_part fnd_patch_column_part(const fnd_rotated *solid, double end, const fnd_cut_plane *face,
                                    const fnd_cut_plane *const *beside, int count)
{
    fnd_side_part found = {.part = 1};
    fender_vec3 face_by_n, by_n;
    const double deep = count > 0 ? rim_depth(solid, end, face, &face_by_n) : 0;
    for (int i = 0; i < count && found.part > 0; i++) {
        const fender_vec3 n = beside[i]->normal;
        const double depth = rim_depth(solid, end, beside[i], &by_n);
        double slope, by_z, lies = fnd_cap_upright(n.z, &by_z);
        if (!(deep > ALL * depth) || !(lies > 0)) continue;
        const double ratio = depth > 0 ? deep / depth : NONE, off = rise((ratio - ALL) / (NONE - ALL), &slope);
        const double by_ratio = -lies * slope / (NONE - ALL), part = 1 - lies * off;
        const double by_deep = depth > 0 ? by_ratio / depth : 0, by_depth = -by_deep * ratio;
        fender_vec3 turn = fender_vec3_scale(by_depth, by_n);
        turn.z -= off * by_z;
        fender_vec3 force = fender_vec3_add_scaled(fender_vec3_scale(by_deep, face->normal), by_depth, n);
        fender_vec3 moment = fender_vec3_add_scaled(fender_vec3_cross(n, turn), by_deep,
                                                    fender_vec3_cross(face->normal, face_by_n));
        found.force = fender_vec3_add_scaled(fender_vec3_scale(part, found.force), found.part, force);
        found.moment = fender_vec3_add_scaled(fender_vec3_scale(part, found.moment), found.part, moment);
        found.part *= part;
    }
    if (!(found.part > 0)) return (fnd_side_part){0};
    return found;
}
