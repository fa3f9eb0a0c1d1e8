/* Flat sets of farthest points: faces, caps, edges, lines of a cylinder. */
#include "collide/refine_piece.h"

#include "geometry/direction.h"

static void add_point(const fnd_piece_body *body, fender_vec3 x, fnd_flat_set *out)
{
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
