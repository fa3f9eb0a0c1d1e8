/* Pieces of support functions, and flat sets of farthest points. */
#include "collide/refine.h"
#include "math/rotation.h"

#include "geometry/support.h"
#include <assert.h>

/* ---- Pieces ---- */

#define TINY       1e-300
#define LEAST_TILT 1e-20 /* sine of the angle between n and the axis of a rim: below is none */

static fender_vec3 to_body(const fnd_piece_body *body, fender_vec3 n)
{
    return fender_mat3_transpose_times(&body->R, fender_vec3_scale(body->sense, n));
}

static fender_vec3 to_common(const fnd_piece_body *body, fender_vec3 x)
{
    return fender_vec3_add(body->p, fender_mat3_times(&body->R, x));
}

static fnd_piece point_piece(double x, double y, double z, int number)
{
    return (fnd_piece){.kind = FND_PIECE_POINT, .number = number, .center = {x, y, z}};
}

static fnd_piece rim_piece(double radius, double z, int number)
{
    assert(!(radius < 0));
    if (radius == 0) return point_piece(0, 0, z, number);
    return (fnd_piece){.kind = FND_PIECE_RIM, .number = number, .center = {0, 0, z}, .radius = radius};
}

/* Second derivative by differences; none across a kink. */
static fnd_piece sample_piece(const fender_geometry *geometry, fender_vec3 d)
{
    const double step = 1e-5;
    fnd_piece piece = {.kind = FND_PIECE_SAMPLE, .center = fnd_support(geometry, d)};
    fender_vec3 axis = fabs(d.x) < 0.6 ? fender_vec3_make(1, 0, 0) : fender_vec3_make(0, 1, 0), across[2];
    fnd_length_and_direction(fender_vec3_cross(d, axis), &across[0]);
    across[1] = fender_vec3_cross(d, across[0]);
    for (int k = 0; k < 2; k++) {
        fender_vec3 up = fnd_support(geometry, fender_vec3_add_scaled(d, step, across[k]));
        fender_vec3 down = fnd_support(geometry, fender_vec3_add_scaled(d, -step, across[k]));
        fender_vec3 rise = fender_vec3_sub(up, piece.center), fall = fender_vec3_sub(piece.center, down);
        double one = fender_vec3_length(rise), other = fender_vec3_length(fall);
        if (one > 1.5 * other || other > 1.5 * one) continue;
        fender_vec3 change = fender_vec3_scale(0.5 / step, fender_vec3_add(rise, fall));
        change = fender_vec3_add_scaled(change, -fender_vec3_dot(change, d), d);
        const double c[3] = {change.x, change.y, change.z}, a[3] = {across[k].x, across[k].y, across[k].z};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) piece.curvature.m[i][j] += 0.5 * (c[i] * a[j] + c[j] * a[i]);
    }
    return piece;
}

/* Numbers of the semi-axes that are not zero. */
static int axes_of(fender_vec3 semi_axes, int axes[3])
{
    assert(!(semi_axes.x < 0) && !(semi_axes.y < 0) && !(semi_axes.z < 0));
    const double e[3] = {semi_axes.x, semi_axes.y, semi_axes.z};
    int count = 0;
    for (int i = 0; i < 3; i++)
        if (e[i] > 0) axes[count++] = i;
    return count;
}

static fnd_piece ellipsoid_piece(fender_vec3 semi_axes, fender_vec3 d)
{
    int axes[3], count = axes_of(semi_axes, axes);
    if (count >= 2) return (fnd_piece){.kind = FND_PIECE_ELLIPSOID};
    if (count == 0) return point_piece(0, 0, 0, 0);
    double along = axes[0] == 0 ? d.x : axes[0] == 1 ? d.y : d.z, sign = along < 0 ? -1 : 1;
    return point_piece(sign * semi_axes.x, sign * semi_axes.y, sign * semi_axes.z, along < 0);
}

static fnd_piece hull_piece(const fnd_polytope *polytope, fender_vec3 d)
{
    assert(polytope->vertex_count > 0);
    int best = 0;
    double most = -INFINITY;
    for (int i = 0; i < polytope->vertex_count; i++) {
        double along = fender_vec3_dot(polytope->vertices[i], d);
        if (along > most) most = along, best = i;
    }
    fender_vec3 v = polytope->vertices[best];
    return point_piece(v.x, v.y, v.z, best);
}

fnd_piece fnd_piece_farthest(const fnd_piece_body *body, fender_vec3 n)
{
    assert(fnd_is_unit(n));
    assert(body->sense == 1 || body->sense == -1);
    const fender_geometry *g = body->geometry;
    fender_vec3 d = to_body(body, n);
    double z = d.z < 0 ? -g->half_length : g->half_length;
    int lower = d.z < 0;
    switch (g->type) {
    case FENDER_GEOMETRY_CAPSULE: return point_piece(0, 0, z, lower);
    case FENDER_GEOMETRY_DISK: return rim_piece(g->radius, 0, 0);
    case FENDER_GEOMETRY_CYLINDER: return rim_piece(g->radius, z, lower);
    case FENDER_GEOMETRY_CONE:
        if (g->half_length == 0) return rim_piece(g->radius, 0, 1);
        if (2 * g->half_length * d.z > g->radius * fnd_length_2(d.x, d.y)) return point_piece(0, 0, g->half_length, 0);
        return rim_piece(g->radius, -g->half_length, 1);
    case FENDER_GEOMETRY_BOX:
        return point_piece(d.x < 0 ? -g->half.x : g->half.x, d.y < 0 ? -g->half.y : g->half.y,
                           d.z < 0 ? -g->half.z : g->half.z, (d.x < 0) + 2 * (d.y < 0) + 4 * (d.z < 0));
    case FENDER_GEOMETRY_ELLIPSOID: return ellipsoid_piece(g->half, d);
    case FENDER_GEOMETRY_HULL: return hull_piece(g->polytope, d);
    case FENDER_GEOMETRY_USER: return sample_piece(g, d);
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_POINT:
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_PROBE:
    case FENDER_GEOMETRY_PLANE:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    return point_piece(0, 0, 0, 0);
}

int fnd_piece_all(const fnd_piece_body *body, fnd_piece pieces[2])
{
    const fender_geometry *g = body->geometry;
    switch (g->type) {
    case FENDER_GEOMETRY_CAPSULE:
        pieces[0] = point_piece(0, 0, g->half_length, 0), pieces[1] = point_piece(0, 0, -g->half_length, 1);
        return g->half_length > 0 ? 2 : 1;
    case FENDER_GEOMETRY_CYLINDER:
        pieces[0] = rim_piece(g->radius, g->half_length, 0), pieces[1] = rim_piece(g->radius, -g->half_length, 1);
        return g->half_length > 0 ? 2 : 1;
    case FENDER_GEOMETRY_CONE:
        pieces[0] = rim_piece(g->radius, -g->half_length, 1), pieces[1] = point_piece(0, 0, g->half_length, 0);
        return g->half_length > 0 ? 2 : 1;
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_POINT:
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_PROBE:
    case FENDER_GEOMETRY_DISK:
    case FENDER_GEOMETRY_PLANE:
    case FENDER_GEOMETRY_BOX:
    case FENDER_GEOMETRY_ELLIPSOID:
    case FENDER_GEOMETRY_HULL:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_USER:
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    return 0;
}

void fnd_piece_evaluate(const fnd_piece_body *body, const fnd_piece *piece, fender_vec3 n, const fender_vec3 across[2],
                        fnd_piece_value *out)
{
    fender_vec3 d = to_body(body, n), x = piece->center, e[2];
    for (int k = 0; k < 2; k++) e[k] = to_body(body, across[k]);
    double value = fender_vec3_dot(d, x);
    out->second[0] = out->second[1] = out->second[2] = 0;
    out->tilt = 1;
    if (piece->kind == FND_PIECE_RIM) {
        double out_of_axis = fnd_length_2(d.x, d.y), cosine = 1, sine = 0;
        if (out_of_axis > TINY) cosine = d.x / out_of_axis, sine = d.y / out_of_axis;
        x = fender_vec3_make(piece->radius * cosine, piece->radius * sine, piece->center.z);
        value = d.z * piece->center.z + piece->radius * fnd_length_2(d.x, d.y);
        double rotation[2] = {cosine * e[0].y - sine * e[0].x, cosine * e[1].y - sine * e[1].x};
        double bend = piece->radius / (out_of_axis > LEAST_TILT ? out_of_axis : LEAST_TILT);
        out->tilt = out_of_axis > LEAST_TILT ? out_of_axis : LEAST_TILT;
        out->second[0] = bend * rotation[0] * rotation[0];
        out->second[1] = bend * rotation[0] * rotation[1];
        out->second[2] = bend * rotation[1] * rotation[1];
    } else if (piece->kind == FND_PIECE_ELLIPSOID) {
        fender_vec3 half = body->geometry->half, w = {half.x * d.x, half.y * d.y, half.z * d.z}, u[2];
        value = fnd_length_and_direction(w, &w);
        x = fender_vec3_make(half.x * w.x, half.y * w.y, half.z * w.z);
        for (int k = 0; k < 2; k++) { /* across w: nothing cancels */
            u[k] = fender_vec3_make(half.x * e[k].x, half.y * e[k].y, half.z * e[k].z);
            u[k] = fender_vec3_add_scaled(u[k], -fender_vec3_dot(u[k], w), w);
        }
        double least = value > TINY ? value : TINY;
        out->second[0] = fender_vec3_dot(u[0], u[0]) / least;
        out->second[1] = fender_vec3_dot(u[0], u[1]) / least;
        out->second[2] = fender_vec3_dot(u[1], u[1]) / least;
    } else if (piece->kind == FND_PIECE_SAMPLE) {
        fender_vec3 bent = fender_mat3_times(&piece->curvature, d);
        value += 0.5 * fender_vec3_dot(bent, d);
        x = fender_vec3_add(x, bent);
        fender_vec3 c[2] = {fender_mat3_times(&piece->curvature, e[0]), fender_mat3_times(&piece->curvature, e[1])};
        out->second[0] = fender_vec3_dot(c[0], e[0]);
        out->second[1] = fender_vec3_dot(c[0], e[1]);
        out->second[2] = fender_vec3_dot(c[1], e[1]);
    }
    out->value = value + body->sense * fender_vec3_dot(n, body->p);
    out->x = to_common(body, x);
    for (int k = 0; k < 2; k++) out->first[k] = body->sense * fender_vec3_dot(out->x, across[k]);
}

void fnd_piece_across(const fnd_piece_body *body, fnd_piece *sample, fender_vec3 n)
{
    fender_vec3 d = to_body(body, n), c = fender_mat3_times(&sample->curvature, d);
    double along = fender_vec3_dot(c, d);
    const double u[3] = {d.x, d.y, d.z}, v[3] = {c.x, c.y, c.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sample->curvature.m[i][j] += along * u[i] * u[j] - u[i] * v[j] - v[i] * u[j];
}

double fnd_piece_size(const fender_geometry *geometry)
{
    return geometry->bounding_radius - fnd_core_rounding(geometry);
}

/* ---- Flat sets: faces, caps, edges, lines of a cylinder ---- */

static void add_point(const fnd_piece_body *body, fender_vec3 x, fnd_flat_set *out)
{
    assert(out->count >= 0 && out->count <= FND_FLAT_POINTS);
    if (out->count == FND_FLAT_POINTS) return;
    out->points[out->count++] = fender_vec3_add(body->p, fender_mat3_times(&body->R, x));
}

static void set_ellipse(const fnd_piece_body *body, fender_vec3 center, fender_vec3 u, fender_vec3 v, fnd_flat_set *out)
{
    out->count = 0;
    out->center = fender_vec3_add(body->p, fender_mat3_times(&body->R, center));
    out->semi[0] = fender_mat3_times(&body->R, u);
    out->semi[1] = fender_mat3_times(&body->R, v);
}

/* Rims at z[0], z[1] of radius[0], radius[1] that are both farthest: their points along d, or a cap across the axis. */
static void add_rim(const fnd_piece_body *body, double radius, double z, fender_vec3 d, double slope, fnd_flat_set *out)
{
    double across = fnd_length_2(d.x, d.y);
    if (radius > 0 && across <= slope) {
        set_ellipse(body, fender_vec3_make(0, 0, z), fender_vec3_make(radius, 0, 0), fender_vec3_make(0, radius, 0),
                    out);
        return;
    }
    double part = radius > 0 ? radius / across : 0;
    add_point(body, fender_vec3_make(part * d.x, part * d.y, z), out);
}

static void ellipsoid(const fnd_piece_body *body, fender_vec3 d, double slope, fnd_flat_set *out)
{
    fender_vec3 e = body->geometry->half, w = {e.x * d.x, e.y * d.y, e.z * d.z};
    double longest = fnd_largest_component(e), length = fnd_length_and_direction(w, &w);
    if (length > slope * longest) {
        add_point(body, fender_vec3_make(e.x * w.x, e.y * w.y, e.z * w.z), out);
        return;
    }
    fender_vec3 x = {e.x, 0, 0}, y = {0, e.y, 0}, z = {0, 0, e.z}; /* flat, and met across */
    if (e.x <= e.y && e.x <= e.z) set_ellipse(body, fender_vec3_make(0, 0, 0), y, z, out);
    else if (e.y <= e.z) set_ellipse(body, fender_vec3_make(0, 0, 0), x, z, out);
    else set_ellipse(body, fender_vec3_make(0, 0, 0), x, y, out);
}

void fnd_flat_set_of(const fnd_piece_body *body, fender_vec3 n, double slope, fnd_flat_set *out)
{
    assert(!(slope < 0));
    const fender_geometry *g = body->geometry;
    fender_vec3 d = fender_mat3_transpose_times(&body->R, fender_vec3_scale(body->sense, n)), half = g->half;
    double r = g->radius, l = g->half_length;
    out->count = 0;
    switch (g->type) {
    case FENDER_GEOMETRY_CAPSULE:
        if (d.z >= -slope) add_point(body, fender_vec3_make(0, 0, l), out);
        if (d.z <= slope) add_point(body, fender_vec3_make(0, 0, -l), out);
        return;
    case FENDER_GEOMETRY_DISK: add_rim(body, r, 0, d, slope, out); return;
    case FENDER_GEOMETRY_CYLINDER:
        if (d.z >= -slope) add_rim(body, r, l, d, slope, out);
        if (d.z <= slope) add_rim(body, r, -l, d, slope, out);
        return;
    case FENDER_GEOMETRY_CONE: {
        double rise = 2 * l * d.z - r * fnd_length_2(d.x, d.y), tie = slope * fnd_length_2(r, 2 * l);
        if (l > 0 && rise >= -tie) add_point(body, fender_vec3_make(0, 0, l), out);
        if (l == 0 || rise <= tie) add_rim(body, r, -l, d, slope, out);
        return;
    }
    case FENDER_GEOMETRY_BOX:
        for (int i = 0; i < 8; i++) {
            double x = i & 1 ? -1 : 1, y = i & 2 ? -1 : 1, z = i & 4 ? -1 : 1;
            if (x * d.x >= -slope && y * d.y >= -slope && z * d.z >= -slope)
                add_point(body, fender_vec3_make(x * half.x, y * half.y, z * half.z), out);
        }
        return;
    case FENDER_GEOMETRY_ELLIPSOID: ellipsoid(body, d, slope, out); return;
    case FENDER_GEOMETRY_HULL: {
        double most = -INFINITY, tie = slope * fnd_piece_size(g);
        for (int i = 0; i < g->polytope->vertex_count; i++) {
            double along = fender_vec3_dot(g->polytope->vertices[i], d);
            if (along > most) most = along;
        }
        for (int i = 0; i < g->polytope->vertex_count; i++)
            if (fender_vec3_dot(g->polytope->vertices[i], d) >= most - tie)
                add_point(body, g->polytope->vertices[i], out);
        return;
    }
    case FENDER_GEOMETRY_USER: add_point(body, g->user.support(g->user_data, d), out); return;
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_POINT:
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_PROBE:
    case FENDER_GEOMETRY_PLANE:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    add_point(body, fender_vec3_make(0, 0, 0), out);
}

bool fnd_flat_normal(const fnd_piece_body *body, fender_vec3 n, fender_vec3 *normal)
{
    const fender_geometry *g = body->geometry;
    fender_vec3 d = fender_mat3_transpose_times(&body->R, fender_vec3_scale(body->sense, n));
    fender_vec3 x = {d.x < 0 ? -1 : 1, 0, 0}, y = {0, d.y < 0 ? -1 : 1, 0}, z = {0, 0, d.z < 0 ? -1 : 1}, best = z;
    double a = fabs(d.x), b = fabs(d.y), c = fabs(d.z), most = -1;
    if (g->type == FENDER_GEOMETRY_CONE && g->half_length > 0) best = fender_vec3_make(0, 0, -1), most = -d.z;
    else if (g->type == FENDER_GEOMETRY_DISK || g->type == FENDER_GEOMETRY_CYLINDER || g->type == FENDER_GEOMETRY_CONE)
        most = c;
    else if (g->type == FENDER_GEOMETRY_ELLIPSOID) { /* flat ones */
        if (g->half.x == 0) best = x, most = a;
        else if (g->half.y == 0) best = y, most = b;
        else if (g->half.z == 0) most = c;
    } else if (g->type == FENDER_GEOMETRY_BOX) {
        best = a >= b && a >= c ? x : b >= c ? y : z;
        most = a >= b && a >= c ? a : b >= c ? b : c;
    } else if (g->type == FENDER_GEOMETRY_HULL) {
        for (int i = 0; i < g->polytope->face_count; i++) {
            double along = fender_vec3_dot(g->polytope->face_normals[i], d);
            if (along > most) most = along, best = g->polytope->face_normals[i];
        }
    }
    if (most < 0.85) return false;
    *normal = fender_vec3_scale(body->sense, fender_mat3_times(&body->R, best));
    return true;
}

/* ---- Flat sets that lie opposite each other ---- */

typedef struct flat_vertex {
    double x, y; /* of b - a in the plane */
    fender_vec3 a, b;
} flat_vertex;

static fender_vec3 middle(const fnd_flat_set *set)
{
    assert(set->count >= 0 && set->count <= FND_FLAT_POINTS);
    if (set->count == 0) return set->center;
    fender_vec3 sum = {0, 0, 0}; /* from the first: a point alone stays what it is */
    for (int i = 1; i < set->count; i++) sum = fender_vec3_add(sum, fender_vec3_sub(set->points[i], set->points[0]));
    return fender_vec3_add_scaled(set->points[0], 1.0 / set->count, sum);
}

static fender_vec3 farthest(const fnd_flat_set *set, fender_vec3 d)
{
    if (set->count == 0) {
        double u = fender_vec3_dot(set->semi[0], d), v = fender_vec3_dot(set->semi[1], d), length = fnd_length_2(u, v);
        if (!(length > 0)) return set->center;
        fender_vec3 x = fender_vec3_add_scaled(set->center, u / length, set->semi[0]);
        return fender_vec3_add_scaled(x, v / length, set->semi[1]);
    }
    int best = 0;
    double most = -INFINITY;
    for (int i = 0; i < set->count; i++) {
        double along = fender_vec3_dot(set->points[i], d);
        if (along > most) most = along, best = i;
    }
    return set->points[best];
}

static flat_vertex vertex_of(fender_vec3 a, fender_vec3 b, const fender_vec3 across[2])
{
    fender_vec3 w = fender_vec3_sub(b, a);
    return (flat_vertex){fender_vec3_dot(w, across[0]), fender_vec3_dot(w, across[1]), a, b};
}

/* Nearest point of a segment to the origin: part of the way from p to q. */
static double part_of(const flat_vertex *p, const flat_vertex *q)
{
    double x = q->x - p->x, y = q->y - p->y, squared = x * x + y * y;
    if (!(squared > 0)) return 0;
    double part = -(p->x * x + p->y * y) / squared;
    return part < 0 ? 0 : part > 1 ? 1 : part;
}

static double rotation(const flat_vertex *p, const flat_vertex *q) { return p->x * q->y - p->y * q->x; }

/* A triangle that does not hold the origin: the edge of it that is nearest, with weights. */
static void keep_nearest_edge(flat_vertex v[3], double weight[3])
{
    int best = 0;
    double least = INFINITY, part = 0;
    for (int i = 0; i < 3; i++) {
        const flat_vertex *p = &v[i], *q = &v[(i + 1) % 3];
        double t = part_of(p, q), x = p->x + t * (q->x - p->x), y = p->y + t * (q->y - p->y);
        if (x * x + y * y < least) least = x * x + y * y, best = i, part = t;
    }
    flat_vertex from = v[best], to = v[(best + 1) % 3];
    v[0] = from, v[1] = to;
    weight[0] = 1 - part, weight[1] = part;
}

/* Reduces the simplex to what holds its nearest point to the origin, with weights. */
static void reduce(flat_vertex v[3], double weight[3], int *count)
{
    assert(*count >= 1 && *count <= 3);
    if (*count == 1) weight[0] = 1;
    if (*count == 2) {
        weight[1] = part_of(&v[0], &v[1]);
        weight[0] = 1 - weight[1];
    }
    if (*count == 3) {
        double area[3] = {rotation(&v[1], &v[2]), rotation(&v[2], &v[0]), rotation(&v[0], &v[1])};
        double sum = area[0] + area[1] + area[2];
        bool inside = (area[0] >= 0 && area[1] >= 0 && area[2] >= 0) || (area[0] <= 0 && area[1] <= 0 && area[2] <= 0);
        if (inside && sum != 0) {
            for (int i = 0; i < 3; i++) weight[i] = area[i] / sum;
            return;
        }
        keep_nearest_edge(v, weight);
        *count = 2;
    }
    if (*count == 2 && (weight[0] == 0 || weight[1] == 0)) { /* an end of the edge */
        if (weight[0] == 0) v[0] = v[1];
        weight[0] = 1;
        *count = 1;
    }
}

/* GJK in the plane (Gilbert, Johnson and Keerthi 1988): the point of the difference of both sets nearest to 0. */
static double nearest(const fnd_flat_set *a, const fnd_flat_set *b, const fender_vec3 across[2], fender_vec3 *point_a,
                      fender_vec3 *point_b)
{
    flat_vertex v[3] = {vertex_of(middle(a), middle(b), across)};
    double weight[3] = {1, 0, 0}, gap = INFINITY;
    int count = 1;
    for (int tries = 0; tries < 60; tries++) {
        reduce(v, weight, &count);
        double x = 0, y = 0;
        for (int i = 0; i < count; i++) x += weight[i] * v[i].x, y += weight[i] * v[i].y;
        *point_a = *point_b = fender_vec3_make(0, 0, 0);
        for (int i = 0; i < count; i++) {
            *point_a = fender_vec3_add_scaled(*point_a, weight[i], v[i].a);
            *point_b = fender_vec3_add_scaled(*point_b, weight[i], v[i].b);
        }
        double length = fnd_length_2(x, y);
        if (count == 3 || length == 0) return length;
        if (!(length < gap)) return gap;
        gap = length;
        fender_vec3 d = fender_vec3_add(fender_vec3_scale(x / length, across[0]),
                                        fender_vec3_scale(y / length, across[1]));
        flat_vertex w = vertex_of(farthest(a, d), farthest(b, fender_vec3_negate(d)), across);
        if (length - (w.x * x + w.y * y) / length <= 1e-16 * length) return gap;
        v[count++] = w;
    }
    return gap;
}

static fnd_flat_set point_set(fender_vec3 point)
{
    fnd_flat_set set;
    set.count = 1;
    set.points[0] = point;
    return set;
}

double fnd_flat_meet(const fnd_flat_set *a, const fnd_flat_set *b, const fender_vec3 across[2], fender_vec3 *point_a,
                     fender_vec3 *point_b)
{
    if (a->count == 1 || b->count == 1) return nearest(a, b, across, point_a, point_b);
    fnd_flat_set at_a = point_set(middle(a)), at_b = point_set(middle(b));
    fender_vec3 from_a, from_b, on_a, on_b;
    bool a_in_b = nearest(&at_a, b, across, &from_a, &on_b) == 0,
         b_in_a = nearest(a, &at_b, across, &on_a, &from_b) == 0;
    if (!a_in_b && !b_in_a) return nearest(a, b, across, point_a, point_b);
    if (a_in_b && b_in_a) { /* half way between both middles, which is in both */
        *point_a = fender_vec3_scale(0.5, fender_vec3_add(from_a, on_a));
        *point_b = fender_vec3_scale(0.5, fender_vec3_add(on_b, from_b));
    } else if (a_in_b) *point_a = from_a, *point_b = on_b;
    else *point_a = on_a, *point_b = from_b;
    return 0;
}

/* Vectors that the set extends by, from its first point or its middle. */
static int extents_of(const fnd_flat_set *set, fender_vec3 extents[FND_FLAT_POINTS])
{
    if (set->count == 0) {
        extents[0] = set->semi[0], extents[1] = set->semi[1];
        return 2;
    }
    for (int i = 1; i < set->count; i++) extents[i - 1] = fender_vec3_sub(set->points[i], set->points[0]);
    return set->count - 1;
}

double fnd_flat_width(const fnd_flat_set *a, const fnd_flat_set *b)
{
    fender_vec3 extents[2 * FND_FLAT_POINTS], longest = {0, 0, 0};
    int count = extents_of(a, extents);
    count += extents_of(b, extents + count);
    double length = 0, width = 0;
    for (int i = 0; i < count; i++) {
        double one = fender_vec3_length(extents[i]);
        if (one > length) length = one, longest = extents[i];
    }
    for (int i = 0; i < count; i++) {
        double across = fender_vec3_length(fender_vec3_cross(longest, extents[i])) / length;
        if (across > width) width = across;
    }
    return width;
}
