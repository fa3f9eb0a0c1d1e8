/* Smooth pieces of support functions, and flat sets of farthest points. */
#include "collide/refine_piece.h"

#include "geometry/direction.h"
#include "geometry/support.h"

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
        double turn[2] = {cosine * e[0].y - sine * e[0].x, cosine * e[1].y - sine * e[1].x};
        double bend = piece->radius / (out_of_axis > LEAST_TILT ? out_of_axis : LEAST_TILT);
        out->tilt = out_of_axis > LEAST_TILT ? out_of_axis : LEAST_TILT;
        out->second[0] = bend * turn[0] * turn[0];
        out->second[1] = bend * turn[0] * turn[1];
        out->second[2] = bend * turn[1] * turn[1];
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
