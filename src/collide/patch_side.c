/* Round solids on boxes, hulls, each other and edges of meshes: how much of the pressure of their side counts
 * (contact_patches.md).
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
/* Squares of the distance from the axis, over that of the rim: up to which points of the polytope count for it, and
 * from which on none does. */
#define UNDER  0.64
#define BESIDE 1.0
/* Weight of the points from which on they count in full: a corner has 1, an edge across the solid 2. */
#define ENOUGH 0.5

/* A sum over points, and its decreases as the solid moves and as it turns about its origin. */
typedef struct sum_of_points {
    double sum;
    fender_vec3 force, moment;
} sum_of_points;

/* The way out along the axis alone, over one end: how far the polytope's edges and corners below that end are behind
 * its plane. It is the shortest way where an edge or a corner stands on the solid's end. The mean of the depths with
 * their seventh powers as weights is smooth where several are as deep, and leaves out what is not. */
typedef struct axis_way {
    double radius, half, end;      /* of the end's plane and rim; end: 1 or -1 */
    sum_of_points seventh, eighth; /* weight times a power of the depth */
} axis_way;

/* A point in G of the solid. */
static void add_point(axis_way *w, fender_vec3 x, double share)
{
    const double square = w->radius * w->radius, place = (x.x * x.x + x.y * x.y) / square;
    const double depth = w->half - w->end * x.z;
    if (!(depth > 0) || !(place < BESIDE)) return;
    double slope, weight = share * rise((BESIDE - place) / (BESIDE - UNDER), &slope);
    const double by_place = -2 * share * slope / ((BESIDE - UNDER) * square);
    const double two = depth * depth, six = two * two * two, seven = six * depth, eight = seven * depth;
    const fender_vec3 by_seventh = {seven * by_place * x.x, seven * by_place * x.y, -7 * w->end * weight * six},
                      by_eighth = {eight * by_place * x.x, eight * by_place * x.y, -8 * w->end * weight * seven};
    w->seventh.sum += weight * seven;
    w->seventh.force = fender_vec3_add(w->seventh.force, by_seventh);
    w->seventh.moment = fender_vec3_add(w->seventh.moment, fender_vec3_cross(x, by_seventh));
    w->eighth.sum += weight * eight;
    w->eighth.force = fender_vec3_add(w->eighth.force, by_eighth);
    w->eighth.moment = fender_vec3_add(w->eighth.moment, fender_vec3_cross(x, by_eighth));
}

/* The integral over a part of an edge, by Gauss' rule: exact, for the weight is a polynomial of the degree 10. */
static void add_part_of_edge(axis_way *w, fender_vec3 from, fender_vec3 way, double low, double high)
{
    static const double at[5] = {0.14887433898163122, 0.43339539412924721, 0.67940956829902444, 0.86506336668898454,
                                 0.97390652851717174};
    static const double weights[5] = {0.29552422471475287, 0.26926671930999635, 0.21908636251598204,
                                      0.14945134915058059, 0.06667134430868814};
    const double length = fender_vec3_length(way) / w->radius;
    const double level = (w->half - w->end * from.z) / (w->end * way.z); /* where it is in the end's plane */
    const double stops[3] = {low, level > low && level < high ? level : high, high};
    for (int i = 0; i < 2; i++) {
        const double middle = 0.5 * (stops[i] + stops[i + 1]), half = 0.5 * (stops[i + 1] - stops[i]);
        if (!(half > 0)) continue;
        for (int k = 0; k < 10; k++) {
            const double t = middle + (k < 5 ? -half : half) * at[k % 5];
            add_point(w, fender_vec3_add_scaled(from, t, way), half * length * weights[k % 5]);
        }
    }
}

/* Where a part of the edge from 0 to 1 is within a distance from the axis; false: nowhere. */
static bool within(double radius, fender_vec3 from, fender_vec3 way, double *low, double *high)
{
    const double a = way.x * way.x + way.y * way.y, b = from.x * way.x + from.y * way.y,
                 c = from.x * from.x + from.y * from.y - radius * radius;
    *low = 0;
    *high = 1;
    if (!(a > 1e-20 * radius * radius)) return c < 0;
    const double square = b * b - a * c, root = sqrt(square > 0 ? square : 0);
    if (!(square > 0)) return false;
    if (-b - root > 0) *low = (-b - root) / a;
    if (-b + root < a) *high = (-b + root) / a;
    return *low < *high;
}

static void add_edge(axis_way *w, fender_vec3 from, fender_vec3 to)
{
    const fender_vec3 way = fender_vec3_sub(to, from);
    double low, high, under, beyond;
    if (!within(sqrt(BESIDE) * w->radius, from, way, &low, &high)) return;
    if (!within(sqrt(UNDER) * w->radius, from, way, &under, &beyond)) under = beyond = high;
    add_part_of_edge(w, from, way, low, under);
    add_part_of_edge(w, from, way, under, beyond);
    add_part_of_edge(w, from, way, beyond, high);
}

/* (part / way)^4, as for faces. `end`: 1 or -1. */
static ways along_axis(const fnd_surface_view *view, double half, double rounding, double end)
{
    const fnd_polytope *p = fnd_geometry_cells(view->a->geometry);
    axis_way w = {.radius = view->b->geometry->radius + rounding, .half = half + rounding, .end = end};
    for (int i = 0; i < p->vertex_count; i++)
        add_point(&w, fender_mat3_transpose_times(&view->R_AB, fender_vec3_sub(p->vertices[i], view->p_AB)), 1);
    for (int i = 0; i < p->edge_count; i++) {
        const fender_vec3 from = fender_vec3_sub(p->vertices[p->edges[i].vertex[0]], view->p_AB),
                          to = fender_vec3_sub(p->vertices[p->edges[i].vertex[1]], view->p_AB);
        add_edge(&w, fender_mat3_transpose_times(&view->R_AB, from), fender_mat3_transpose_times(&view->R_AB, to));
    }
    ways found = {0};
    const double seventh = w.seventh.sum, eighth = w.eighth.sum, size = w.radius > half ? w.radius : half;
    if (!(seventh > 0) || !(eighth > 1e-9 * size * seventh)) return found;
    const double depth = eighth / seventh, two = depth * depth, weight = seventh / (two * two * two * depth);
    double slope, part = rise(weight / ENOUGH, &slope), one = part / (LONGER * depth), cube = one * one * one;
    found.sum = cube * one;
    const double by_weight = 4 * cube / (LONGER * depth) * slope / ENOUGH * weight;
    const double by_seventh = (8 * by_weight + 4 * found.sum) / seventh,
                 by_eighth = -(7 * by_weight + 4 * found.sum) / eighth;
    found.force = fender_vec3_add_scaled(fender_vec3_scale(by_seventh, w.seventh.force), by_eighth, w.eighth.force);
    found.moment = fender_vec3_add_scaled(fender_vec3_scale(by_seventh, w.seventh.moment), by_eighth, w.eighth.moment);
    return found;
}

/* The end that is in the polytope, or the deeper one: by the least depth of its rim behind a face. 1 or -1. */
static double standing_end(const fnd_surface_view *view, double half, double rounding)
{
    const fnd_polytope *p = fnd_geometry_cells(view->a->geometry);
    double least[2] = {INFINITY, INFINITY};
    for (int i = 0; i < p->face_count; i++) {
        const fender_vec3 n = fender_mat3_transpose_times(&view->R_AB, p->face_normals[i]);
        const double depth = p->face_offsets[i] + rounding - fender_vec3_dot(p->face_normals[i], view->p_AB) +
                             view->b->geometry->radius * sqrt(n.x * n.x + n.y * n.y + SOFT * SOFT);
        for (int k = 0; k < 2; k++) {
            const double of_end = k ? depth + half * n.z : depth - half * n.z;
            if (of_end < least[k]) least[k] = of_end;
        }
    }
    return least[1] > least[0] ? -1 : 1;
}

fnd_side_part fnd_patch_side_part(const fnd_surface_view *view, double rounding)
{
    const fnd_polytope *p = fnd_geometry_cells(view->a->geometry);
    const fender_geometry *solid = view->b->geometry;
    assert(p && !(rounding < 0));
    const double radius = solid->radius, half = solid->type == FENDER_GEOMETRY_DISK ? 0 : solid->half_length;
    const double size = radius > half ? radius : half;
    const ways over[2] = {along_axis(view, half, rounding, 1), along_axis(view, half, rounding, -1)};
    const double standing = standing_end(view, half, rounding), foot = standing * half;
    ways side = {0}, end = {over[0].sum + over[1].sum, fender_vec3_add(over[0].force, over[1].force),
                            fender_vec3_add(over[0].moment, over[1].moment)};
    for (int i = 0; i < p->face_count; i++) {
        const fender_vec3 n = fender_mat3_transpose_times(&view->R_AB, p->face_normals[i]);
        const double sign = n.z < 0 ? -1 : 1, across = sqrt(n.x * n.x + n.y * n.y + SOFT * SOFT);
        const double middle = p->face_offsets[i] + rounding - fender_vec3_dot(p->face_normals[i], view->p_AB) +
                              radius * across;
        fender_vec3 by_n = {radius * n.x / across, radius * n.y / across, -foot};
        double slope, upright = fnd_cap_lying(fabs(n.z), &slope);
        if (upright < 1) {
            if (!(middle - foot * n.z > 1e-9 * size)) return (fnd_side_part){.part = 1}; /* out over that face */
            add_way(&side, 1 - upright, -slope * sign, middle - foot * n.z, n, by_n);
        }
        const double stands = rise((fabs(n.z) - STANDS) / (STANDS_FULLY - STANDS), &slope),
                     depth = middle + half * fabs(n.z); /* of the end that is behind it */
        by_n.z = half * sign;
        if (depth > 1e-9 * size) add_way(&end, stands, slope * sign / (STANDS_FULLY - STANDS), depth, n, by_n);
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

fnd_side_part fnd_patch_edge_part(const fnd_rotated *solid, double end, const fnd_cut_plane *face,
                                  const fnd_cut_plane *const *beside, int count, bool flat)
{
    fnd_side_part found = {.part = 1};
    fender_vec3 face_by_n, by_n;
    const double deep = count > 0 ? rim_depth(solid, end, face, &face_by_n) : 0;
    for (int i = 0; i < count && found.part > 0; i++) {
        const fender_vec3 n = beside[i]->normal;
        const double depth = rim_depth(solid, end, beside[i], &by_n);
        double slope, by_z, lies = fnd_cap_upright(n.z, &by_z);
        if (flat) lies = 1 - lies, by_z = -by_z;
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
