/* Faces of two convex solids: an elastic layer between them.
 *
 * Along one normal the upper faces of one solid and the lower faces of the other enclose the overlap. Each pair of
 * faces has a patch, the common part of their projections where they overlap, with a depth that is linear there:
 * energy k/2 * integral of depth^2 over the projection, whatever meets: face on face, edge across edge, corner on face.
 */
#include "collide/patch_faces.h"
#include "collide/patch.h"
#include "geometry/support.h"
#include "math/elementary.h"
#include "math/rotation.h"

/* Corners of the polygon of the same area that stands for a round cap. */
enum { ROUND = 32 };
#define PI 3.14159265358979323846

int fnd_faces_count(const fnd_faces *s)
{
    const fender_geometry *g = s->placed->geometry;
    if (g->polytope) return g->polytope->face_count;
    if (!(g->radius > 0)) return 0;
    if (g->type == FENDER_GEOMETRY_CONE) return g->half_length > 0 ? 1 : 2;
    return g->type == FENDER_GEOMETRY_DISK || g->type == FENDER_GEOMETRY_CYLINDER ? 2 : 0;
}

fender_vec3 fnd_faces_normal(const fnd_faces *s, int face)
{
    const fender_geometry *g = s->placed->geometry;
    if (g->polytope) return fender_mat3_times(&s->placed->R_WG, g->polytope->face_normals[face]);
    fender_vec3 axis = fender_mat3_column(&s->placed->R_WG, 2);
    return face == 0 ? fender_vec3_negate(axis) : axis;
}

static int corner_count(const fnd_faces *s, int face)
{
    const fnd_polytope *p = s->placed->geometry->polytope;
    return p ? p->face_start[face + 1] - p->face_start[face] : ROUND;
}

/* Counter-clockwise from outside. */
static fender_vec3 corner(const fnd_faces *s, int face, int k)
{
    const fender_geometry *g = s->placed->geometry;
    const fnd_polytope *p = g->polytope;
    if (p) {
        fender_vec3 v = p->vertices[p->face_vertices[p->face_start[face] + k]];
        return fender_vec3_add(s->p, fender_mat3_times(&s->placed->R_WG, v));
    }
    double sine, cosine, side, unused;
    fnd_sin_cos(2 * PI / ROUND, &side, &unused);
    fnd_sin_cos(2 * PI / ROUND * (face == 0 ? -k : k), &sine, &cosine);
    double radius = g->radius * sqrt(2 * PI / (ROUND * side)), z = face == 0 ? -g->half_length : g->half_length;
    fender_vec3 v = fender_vec3_make(radius * cosine, radius * sine, z);
    return fender_vec3_add(s->p, fender_mat3_times(&s->placed->R_WG, v));
}

/* A face as a function over the plane across the contact normal: height = level - slope . (x, y). */
typedef struct sheet {
    const fnd_faces *solid;
    int face, count;
    double cosine; /* part of its normal along the contact normal, taken positive */
    double level, slope_x, slope_y;
    double sense; /* 1: an upper face, seen counter-clockwise; -1 */
} sheet;

/* What two sheets are cut with: coordinates x, y from `origin`. */
typedef struct layer {
    const fnd_faces *a, *b;
    fender_vec3 origin, normal, e1, e2;
    double rounding, lift;
    double top, bottom; /* highest point of a, lowest of b, along the normal */
} layer;
typedef struct overlap {
    const layer *of;
    sheet upper, lower; /* a's, b's */
} overlap;

static fender_vec2 flat(const layer *l, fender_vec3 x)
{
    fender_vec3 d = fender_vec3_sub(x, l->origin);
    return (fender_vec2){fender_vec3_dot(d, l->e1), fender_vec3_dot(d, l->e2)};
}

static double height(const layer *l, fender_vec3 x)
{
    return fender_vec3_dot(fender_vec3_sub(x, l->origin), l->normal);
}

/* False: the face looks the other way or is out of reach of the other solid. */
static bool sheet_of(const layer *l, const fnd_faces *solid, int face, double sense, sheet *s)
{
    fender_vec3 normal = fnd_faces_normal(solid, face);
    double cosine = sense * fender_vec3_dot(normal, l->normal);
    if (!(cosine > 1e-9)) return false;
    int count = corner_count(solid, face);
    bool near = false;
    double margin = l->rounding + l->lift;
    for (int k = 0; k < count && !near; k++) {
        double h = height(l, corner(solid, face, k));
        near = sense > 0 ? h + margin > l->bottom : h - margin < l->top;
    }
    if (!near) return false;
    fender_vec3 from = corner(solid, face, 0);
    fender_vec2 at = flat(l, from);
    s->solid = solid;
    s->face = face;
    s->count = count;
    s->cosine = cosine;
    s->slope_x = sense * fender_vec3_dot(normal, l->e1) / cosine;
    s->slope_y = sense * fender_vec3_dot(normal, l->e2) / cosine;
    s->level = height(l, from) + (s->slope_x * at.x + s->slope_y * at.y);
    s->sense = sense;
    return true;
}

/* Half plane 0: where they overlap; then the sides of the upper face. */
static fnd_half_plane cut_of(const void *ctx, int index)
{
    const overlap *o = ctx;
    if (index == 0)
        return (fnd_half_plane){o->lower.slope_x - o->upper.slope_x, o->lower.slope_y - o->upper.slope_y,
                                o->upper.level - o->lower.level + o->of->rounding + o->of->lift};
    fender_vec2 p = flat(o->of, corner(o->upper.solid, o->upper.face, index - 1));
    fender_vec2 q = flat(o->of, corner(o->upper.solid, o->upper.face, index % o->upper.count));
    double x = q.x - p.x, y = q.y - p.y;
    return (fnd_half_plane){-y, x, y * p.x - x * p.y};
}

static fnd_area_moments overlap_of(const overlap *o)
{
    fnd_half_planes cuts = {1 + o->upper.count, cut_of, o};
    const sheet *lower = &o->lower;
    fender_vec2 corners[ROUND];
    fnd_area_moments sum = {0};
    for (int start = 1; start + 1 < lower->count; start += ROUND - 2) { /* clockwise as seen along the normal */
        int n = 0;
        corners[n++] = flat(o->of, corner(lower->solid, lower->face, 0));
        int end = start + ROUND - 2 < lower->count - 1 ? start + ROUND - 2 : lower->count - 1;
        for (int k = end; k >= start; k--) corners[n++] = flat(o->of, corner(lower->solid, lower->face, k));
        fnd_area_add_polygon(&sum, corners, n, &cuts);
    }
    return sum;
}

static void add_overlap(fnd_patch_floor *f, const overlap *o, double turns_with_b)
{
    const layer *l = o->of;
    fnd_area_moments area = overlap_of(o);
    if (!(area.area > 0)) return;
    fender_vec2 points[4];
    fnd_area_points(&area, points);
    double slope_upper, slope_lower, part = area.area / f->full_area;
    double counted_upper = fnd_patch_counted(o->upper.cosine, &slope_upper) / o->upper.cosine;
    double counted_lower = fnd_patch_counted(o->lower.cosine, &slope_lower) / o->lower.cosine;
    double weight = 0.25 * part * counted_upper * counted_lower, square = 0;
    f->owner_face = o->upper.face;
    for (int k = 0; k < 4; k++) {
        fender_vec3 x = fender_vec3_add_scaled(fender_vec3_add_scaled(l->origin, points[k].x, l->e1), points[k].y,
                                               l->e2);
        double top = o->upper.level - (o->upper.slope_x * points[k].x + o->upper.slope_y * points[k].y);
        double low = o->lower.level - (o->lower.slope_x * points[k].x + o->lower.slope_y * points[k].y);
        double depth = top - low + l->rounding;
        fnd_patch_add(f, fender_vec3_add_scaled(x, low, l->normal), depth, weight, FND_PATCH_FACE, o->lower.face, k);
        square += 0.25 * depth * depth;
    }
    /* As on a plane, for the solid that the normal does not turn with. */
    double energy = 0.5 * square * part;
    fender_vec3 n = fnd_faces_normal(o->lower.solid, o->lower.face);
    n = fender_vec3_add_scaled(n, o->lower.cosine, l->normal);
    double factor = (1 - turns_with_b) * energy * counted_upper * slope_lower / o->lower.cosine;
    f->moment = fender_vec3_add_scaled(f->moment, factor, n);
    n = fnd_faces_normal(o->upper.solid, o->upper.face);
    n = fender_vec3_add_scaled(n, -o->upper.cosine, l->normal);
    factor = turns_with_b * energy * counted_lower * slope_upper / o->upper.cosine;
    f->moment = fender_vec3_add_scaled(f->moment, factor, n);
}

/* Axes across the normal that turn with a face: along an edge of it that is not along the normal. */
static void choose_axes(layer *l, const fnd_faces *solid, int face)
{
    fender_vec3 edge = fender_vec3_sub(corner(solid, face, 1), corner(solid, face, 0));
    edge = fender_vec3_add_scaled(edge, -fender_vec3_dot(edge, l->normal), l->normal);
    double length = fender_vec3_length(edge);
    l->e1 = length > 0 ? fender_vec3_scale(1 / length, edge) : fnd_any_tangent(l->normal);
    l->e2 = fender_vec3_cross(l->normal, l->e1);
}

static double extreme(const layer *l, const fnd_faces *solid, double sense)
{
    fender_vec3 n = fender_mat3_transpose_times(&solid->placed->R_WG, fender_vec3_scale(sense, l->normal));
    fender_vec3 x = fender_mat3_times(&solid->placed->R_WG, fnd_support(solid->placed->geometry, n));
    return height(l, fender_vec3_add(solid->p, x));
}

void fnd_patch_add_faces(fnd_patch_floor *f, const fnd_faces *a, const fnd_faces *b, int axes_of_a, int axes_of_b,
                         fender_vec3 origin, double turns_with_b)
{
    layer l = {.a = a, .b = b, .origin = origin, .normal = f->normal};
    l.rounding = f->floor_rounding + f->solid_rounding;
    l.lift = f->lift;
    if (axes_of_a >= 0) choose_axes(&l, a, axes_of_a);
    else choose_axes(&l, b, axes_of_b >= 0 ? axes_of_b : 0);
    l.top = extreme(&l, a, 1);
    l.bottom = extreme(&l, b, -1);
    overlap o = {.of = &l};
    int count_a = fnd_faces_count(a), count_b = fnd_faces_count(b);
    for (int i = 0; i < count_a; i++) {
        if (!sheet_of(&l, a, i, 1, &o.upper)) continue;
        for (int j = 0; j < count_b; j++)
            if (sheet_of(&l, b, j, -1, &o.lower)) add_overlap(f, &o, turns_with_b);
    }
}
