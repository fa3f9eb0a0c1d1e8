/* Meshes that are hard on queries, and the answers to rays and points by looking at every triangle in long double. */
#ifndef TEST_TERRAIN_MESHES_H
#define TEST_TERRAIN_MESHES_H

#include "random_numbers.h"
#include <fender/geometry.h>
#include <math.h>

typedef long double real;
typedef struct vec {
    real x, y, z;
} vec;
static inline vec apart(const fender_vec3 *to, const fender_vec3 *from)
{
    return (vec){(real)to->x - from->x, (real)to->y - from->y, (real)to->z - from->z};
}
static inline vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline real dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec combine(vec a, real s, vec b) { return (vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }

enum { MESH_LIMIT = 4000, AROUND = 24, RINGS = 11 };
typedef enum mesh_kind { SOUP, SLIVERS, JUNCTIONS, FAN, BALL, TERRAIN, KINDS } mesh_kind;
static const char *const kind_names[KINDS] = {"soup", "slivers", "T-junctions", "coplanar fan", "closed", "terrain"};
typedef struct mesh {
    fender_vec3 vertices[MESH_LIMIT];
    int32_t triangles[MESH_LIMIT][3];
    int vertex_count, triangle_count;
    double size; /* of the whole, m */
} mesh;

static inline void add_triangle(mesh *m, int a, int b, int c)
{
    int32_t *t = m->triangles[m->triangle_count++];
    t[0] = a, t[1] = b, t[2] = c;
}
static inline int add_vertex(mesh *m, fender_vec3 v)
{
    m->vertices[m->vertex_count] = v;
    return m->vertex_count++;
}

static inline void add_soup(mesh *m, random_stream *r, int count, double thinnest)
{
    for (int i = 0; i < count; i++) {
        fender_vec3 at = random_in_ball(r, 1),
                    along = fender_vec3_scale(random_magnitude(r, 1e-3, 1), random_direction(r));
        fender_vec3 aside = fender_vec3_cross(along, random_direction(r));
        int a = add_vertex(m, at), b = add_vertex(m, fender_vec3_add(at, along));
        aside = fender_vec3_scale(random_magnitude(r, thinnest, 1), aside);
        double foot = random_between(r, -0.2, 1.2);
        add_triangle(m, a, b, add_vertex(m, fender_vec3_add(fender_vec3_add_scaled(at, foot, along), aside)));
    }
}

/* Strips of a tilted plane whose cells do not match from strip to strip. */
static inline void add_junctions(mesh *m, random_stream *r)
{
    double slope = random_between(r, -1, 1);
    for (int j = 0; j < 12; j++) {
        int cells = 5 + 3 * (j % 5), first = m->vertex_count;
        for (int i = 0; i <= cells; i++)
            for (int k = 0; k < 2; k++) {
                double x = 2.0 * i / cells - 1, y = (j + k) / 6.0 - 1;
                add_vertex(m, fender_vec3_make(x, y, slope * x + 0.25 * y));
            }
        for (int i = 0; i < cells; i++) {
            int at = first + 2 * i;
            add_triangle(m, at, at + 2, at + 3);
            add_triangle(m, at, at + 3, at + 1);
        }
    }
}

static inline void add_fan(mesh *m, random_stream *r)
{
    int middle = add_vertex(m, fender_vec3_make(0, 0, 0)), count = 200;
    double slope = random_between(r, -0.5, 0.5);
    for (int i = 0; i < count; i++) {
        double angle = 2 * acos(-1) * i / count;
        add_vertex(m, fender_vec3_make(cos(angle), sin(angle), slope * cos(angle)));
    }
    for (int i = 0; i < count; i++) add_triangle(m, middle, 1 + i, 1 + (i + 1) % count);
}

/* Rings between two poles, closed; bumps make ridges, valleys and spikes. */
static inline void add_ball(mesh *m, random_stream *r, double bumps)
{
    const double pi = acos(-1);
    int bottom = add_vertex(m, fender_vec3_make(0, 0, -1)), first = m->vertex_count;
    for (int j = 0; j < RINGS; j++)
        for (int i = 0; i < AROUND; i++) {
            double u = 2 * pi * i / AROUND, v = pi * (j + 1) / (RINGS + 1) - pi / 2;
            double size = 1 + random_between(r, -bumps, bumps);
            add_vertex(m, fender_vec3_make(size * cos(u) * cos(v), size * sin(u) * cos(v), size * sin(v)));
        }
    int top = add_vertex(m, fender_vec3_make(0, 0, 1)), last = top - AROUND;
    for (int i = 0; i < AROUND; i++) {
        int next = (i + 1) % AROUND;
        add_triangle(m, bottom, first + next, first + i);
        add_triangle(m, top, last + i, last + next);
        for (int j = 0; j + 1 < RINGS; j++) {
            int a = first + j * AROUND + i, b = first + j * AROUND + next;
            add_triangle(m, a, b, b + AROUND);
            add_triangle(m, a, b + AROUND, a + AROUND);
        }
    }
}

static inline void add_terrain(mesh *m, random_stream *r)
{
    enum { SIDE = 40 };
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            double x = 2.0 * i / (SIDE - 1) - 1, y = 2.0 * j / (SIDE - 1) - 1;
            add_vertex(m, fender_vec3_make(x, y, 0.1 * sin(5 * x) * cos(4 * y) + random_between(r, -0.01, 0.01)));
        }
    for (int j = 0; j + 1 < SIDE; j++)
        for (int i = 0; i + 1 < SIDE; i++) {
            int at = j * SIDE + i;
            add_triangle(m, at, at + 1, at + SIDE + 1);
            add_triangle(m, at, at + SIDE + 1, at + SIDE);
        }
}

static inline void make_mesh(mesh *m, mesh_kind kind, random_stream *r, double size, fender_vec3 shift)
{
    m->vertex_count = m->triangle_count = 0;
    m->size = size;
    if (kind == SOUP) add_soup(m, r, 400, 1e-2);
    if (kind == SLIVERS) add_soup(m, r, 400, 1e-8);
    if (kind == JUNCTIONS) add_junctions(m, r);
    if (kind == FAN) add_fan(m, r);
    if (kind == BALL) add_ball(m, r, 0.3);
    if (kind == TERRAIN) add_terrain(m, r);
    for (int i = 0; i < m->vertex_count; i++)
        m->vertices[i] = fender_vec3_add(shift, fender_vec3_scale(size, m->vertices[i]));
}

static inline fender_geometry *geometry_of(const mesh *m)
{
    fender_env env = fender_env_default();
    fender_mesh_def def = {m->vertices, m->vertex_count, m->triangles[0], m->triangle_count};
    return fender_geometry_mesh(&env, &def, NULL);
}

/* Where a ray meets the plane of a triangle: distance, the least of its barycentric coordinates, and the cosine of the
 * angle between the ray and the inward normal (above 0: seen from outside). */
typedef struct meeting {
    real distance, least, steepness;
} meeting;
static inline meeting meet(const mesh *m, int triangle, const fender_ray *ray)
{
    vec d = {ray->direction.x, ray->direction.y, ray->direction.z}, v[3], e[3];
    for (int k = 0; k < 3; k++) v[k] = apart(&m->vertices[m->triangles[triangle][k]], &ray->origin);
    for (int k = 0; k < 3; k++) e[k] = combine(v[(k + 1) % 3], -1, v[k]);
    const real before = dot(v[0], d) / dot(d, d); /* seen from nearby */
    for (int k = 0; k < 3; k++) v[k] = combine(v[k], -before, d);
    vec n = cross(e[0], e[1]);
    real length = sqrtl(dot(d, d)), slope = dot(n, d), sum = 0, part[3];
    meeting found = {.least = -1, .steepness = -slope / sqrtl(dot(n, n)) / length};
    for (int k = 0; k < 3; k++) sum += part[k] = dot(d, cross(v[(k + 1) % 3], v[(k + 2) % 3]));
    if (slope == 0 || sum == 0) return found;
    real t = 0;
    found.least = 1;
    for (int k = 0; k < 3; k++) {
        part[k] /= sum;
        if (part[k] < found.least) found.least = part[k];
        t += part[k] * dot(v[k], d) / dot(d, d);
    }
    int k = dot(e[0], e[0]) > dot(e[1], e[1]) ? 0 : 1;
    k = dot(e[2], e[2]) > dot(e[k], e[k]) ? 2 : k; /* the normal of a narrow triangle turns about its longest edge */
    vec off = combine((vec){t * d.x, t * d.y, t * d.z}, -1, v[k]);
    t = dot(n, combine(v[k], dot(off, e[k]) / dot(e[k], e[k]), e[k])) / slope;
    found.distance = (before + t) * length;
    return found;
}

static inline real square_to_segment(vec a, vec e)
{
    real along = -dot(a, e) / dot(e, e);
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    vec p = combine(a, along, e);
    return dot(p, p);
}

static inline real distance_to_triangle(const mesh *m, int triangle, const fender_vec3 *point)
{
    vec v[3], e[3];
    for (int k = 0; k < 3; k++) v[k] = apart(&m->vertices[m->triangles[triangle][k]], point);
    for (int k = 0; k < 3; k++) e[k] = combine(v[(k + 1) % 3], -1, v[k]);
    real best = INFINITY;
    for (int k = 0; k < 3; k++) {
        real one = square_to_segment(v[k], e[k]);
        best = one < best ? one : best;
    }
    vec n = cross(e[0], e[1]);
    for (int k = 0; k < 3; k++)
        if (dot(cross(n, e[k]), v[k]) > 0) return sqrtl(best);
    int k = dot(e[0], e[0]) > dot(e[1], e[1]) ? 0 : 1;
    k = dot(e[2], e[2]) > dot(e[k], e[k]) ? 2 : k; /* the normal of a narrow triangle turns about its longest edge */
    real height = dot(n, combine(v[k], -dot(v[k], e[k]) / dot(e[k], e[k]), e[k]));
    return fabsl(height) / sqrtl(dot(n, n));
}

/* How often a closed mesh turns about a point, 1 inside (Van Oosterom and Strackee 1983, the solid angles). */
static inline real winding(const mesh *m, const fender_vec3 *point)
{
    real sum = 0;
    for (int t = 0; t < m->triangle_count; t++) {
        vec v[3];
        real l[3];
        for (int k = 0; k < 3; k++) {
            v[k] = apart(&m->vertices[m->triangles[t][k]], point);
            l[k] = sqrtl(dot(v[k], v[k]));
        }
        real over = l[0] * l[1] * l[2] + dot(v[0], v[1]) * l[2] + dot(v[1], v[2]) * l[0] + dot(v[2], v[0]) * l[1];
        sum += 2 * atan2l(dot(v[0], cross(v[1], v[2])), over);
    }
    return sum / (4 * acosl(-1.0L));
}

#endif
