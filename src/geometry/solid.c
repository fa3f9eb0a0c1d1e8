/* Solids of a plane profile, as closed meshes: extruded, revolved, tubes, hollow spheres. */
#include <fender/solid.h>

#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/profile.h"
#include "math/elementary.h"

#define PI 3.14159265358979323846

/* ---- Meshes in the making ---- */

typedef struct mesh {
    fender_vec3 *vertices;
    int32_t (*triangles)[3];
    int vertex_count, triangle_count, vertex_capacity, triangle_capacity;
} mesh;

static bool open_mesh(const fender_env *env, int vertices, int triangles, mesh *m, fender_error *error)
{
    *m = (mesh){.vertex_capacity = vertices, .triangle_capacity = triangles};
    m->vertices = fnd_allocate(env, (size_t)vertices * sizeof *m->vertices);
    m->triangles = m->vertices ? fnd_allocate(env, (size_t)triangles * sizeof *m->triangles) : NULL;
    if (m->triangles) return true;
    fnd_release(env, m->vertices, (size_t)vertices * sizeof *m->vertices);
    fnd_fail_memory(error, "the triangles of a solid");
    return false;
}

static void close_mesh(const fender_env *env, mesh *m)
{
    fnd_release(env, m->vertices, (size_t)m->vertex_capacity * sizeof *m->vertices);
    fnd_release(env, m->triangles, (size_t)m->triangle_capacity * sizeof *m->triangles);
}

static void add(mesh *m, int a, int b, int c)
{
    int32_t *t = m->triangles[m->triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static fender_geometry *geometry_of(const fender_env *env, const mesh *m, fender_error *error)
{
    fender_mesh_def def = {m->vertices, m->vertex_count, m->triangles[0], m->triangle_count};
    return fender_geometry_mesh(env, &def, error);
}

/* ---- Checks ---- */

static bool check_env(const fender_env *env, fender_error *error)
{
    if (env && env->allocator.allocate && env->allocator.release) return true;
    fnd_fail(error, FENDER_STATUS_ARGUMENT, "env", "a solid needs an allocator", env ? "" : "NULL",
             "an environment with allocate and release", "pass that of fender_env_default()");
    return false;
}

static bool check_length(double value, const char *path, const char *purpose, fender_error *error)
{
    if (value > 0 && value <= 1e100) return true;
    char message[96], found[48];
    snprintf(message, sizeof message, "the %s of a solid is not a length above 0", purpose);
    snprintf(found, sizeof found, "%s m", isnan(value) ? "NaN" : fnd_number(value).text);
    fnd_fail(error, FENDER_STATUS_VALUE, path, message, found, "above 0 m, at most 1e100 m", "check sign and unit");
    return false;
}

/* ---- Extruded ---- */

static bool extrude(const fender_env *env, const fnd_loops *loops, double half, mesh *m, fender_error *error)
{
    int n = loops->point_count, caps = fnd_loops_triangle_count(loops);
    if (!fnd_loops_triangulate(env, loops, m->triangles, error)) return false;
    for (int i = 0; i < 2 * n; i++)
        m->vertices[i] = fender_vec3_make(loops->points[i % n].x, loops->points[i % n].y, i < n ? half : -half);
    m->vertex_count = 2 * n;
    m->triangle_count = caps;
    for (int k = 0; k < caps; k++) {
        const int32_t *t = m->triangles[k];
        add(m, n + t[0], n + t[2], n + t[1]);
    }
    for (int loop = 0, i = 0; loop < loops->loop_count; loop++)
        for (; i < loops->ends[loop]; i++) {
            int j = fnd_loop_next(loops, loop, i);
            add(m, n + i, n + j, j);
            add(m, n + i, j, i);
        }
    return true;
}

fender_geometry *fender_geometry_extruded(const fender_env *env, const fender_profile *profile, double half_length,
                                          fender_error *error)
{
    fnd_loops loops;
    mesh m;
    fender_geometry *geometry = NULL;
    if (!check_env(env, error) || !check_length(half_length, "half_length", "half length", error) ||
        !fnd_loops_open(env, profile, &loops, error))
        return NULL;
    int triangles = 2 * (fnd_loops_triangle_count(&loops) + loops.point_count);
    if (open_mesh(env, 2 * loops.point_count, triangles, &m, error)) {
        if (extrude(env, &loops, half_length, &m, error)) geometry = geometry_of(env, &m, error);
        close_mesh(env, &m);
    }
    fnd_loops_close(env, &loops);
    return geometry;
}

/* ---- Round to a tolerance ---- */

/* Equal parts of an arc of `angle` and radius r whose chords are nowhere farther than `tolerance` from it: the sagitta
 * r (1 - cos(a / 2)) of a part of angle a is at most the tolerance. At most an eighth of a turn each; -1: too many. */
static int parts_of(double r, double angle, double tolerance)
{
    double square = tolerance / (2 * r), part = 2 * PI / 8; /* sin^2 of a quarter of the part */
    if (square < 0.03) {                                    /* that of an eighth of a turn is 0.038 */
        double quarter = fnd_angle(sqrt(square), sqrt(1 - square));
        part = 4 * quarter < part ? 4 * quarter : part;
    }
    double parts = ceil(angle / part * (1 - 1e-12));
    return parts <= FENDER_SOLID_TRIANGLES ? (int)parts : -1;
}

/* Cosine and sine of k parts of n of a full turn, n a multiple of 4: exact mirror images in both axes. */
static fender_vec2 on_circle(int k, int n)
{
    int quarter = n / 4, turn = k / quarter % 4, within = k % quarter;
    double s, c;
    if (2 * within <= quarter) fnd_sin_cos(2 * PI * within / n, &s, &c);
    else fnd_sin_cos(2 * PI * (quarter - within) / n, &c, &s);
    if (turn == 0) return (fender_vec2){c, s};
    if (turn == 1) return (fender_vec2){0.0 - s, c};
    if (turn == 2) return (fender_vec2){0.0 - c, 0.0 - s};
    return (fender_vec2){s, 0.0 - c};
}

/* ---- Revolved ---- */

/* A profile that is turned by `angle` in `parts`; `full`: the last part ends at the first. */
typedef struct turn {
    const fnd_loops *loops;
    double angle;
    int parts;
    bool full;
    int *first; /* vertex of each point at the start; the following ones, unless it lies on the axis */
} turn;

static bool on_axis(const turn *t, int i) { return t->loops->points[i].x == 0; }

static int vertex(const turn *t, int i, int k)
{
    return on_axis(t, i) ? t->first[i] : t->first[i] + (t->full && k == t->parts ? 0 : k);
}

static void add_vertices(const turn *t, mesh *m)
{
    int columns = t->full ? t->parts : t->parts + 1;
    for (int i = 0; i < t->loops->point_count; i++) {
        fender_vec2 p = t->loops->points[i];
        t->first[i] = m->vertex_count;
        for (int k = 0; k < (on_axis(t, i) ? 1 : columns); k++) {
            fender_vec2 u = {0, 0};
            if (t->full) u = on_circle(k, t->parts);
            else fnd_sin_cos(t->angle * k / t->parts, &u.y, &u.x);
            m->vertices[m->vertex_count++] = fender_vec3_make(p.x * u.x, p.x * u.y, p.y);
        }
    }
}

/* The surface that the edge from i to j sweeps; the solid is at its left in the half plane. */
static void add_band(const turn *t, int i, int j, mesh *m)
{
    for (int k = 0; k < t->parts; k++) {
        if (!on_axis(t, i)) add(m, vertex(t, i, k), vertex(t, i, k + 1), vertex(t, j, k + 1));
        if (!on_axis(t, j)) add(m, vertex(t, i, k), vertex(t, j, k + 1), vertex(t, j, k));
    }
}

/* The profile itself where a part of a turn begins and ends. */
static bool add_ends(const fender_env *env, const turn *t, mesh *m, fender_error *error)
{
    int count = fnd_loops_triangle_count(t->loops), start = m->triangle_count;
    if (!fnd_loops_triangulate(env, t->loops, m->triangles + start, error)) return false;
    m->triangle_count += count;
    for (int n = start; n < start + count; n++) {
        int32_t *c = m->triangles[n];
        add(m, vertex(t, c[0], t->parts), vertex(t, c[2], t->parts), vertex(t, c[1], t->parts));
        for (int k = 0; k < 3; k++) c[k] = vertex(t, c[k], 0);
    }
    return true;
}

static bool revolve(const fender_env *env, const turn *t, mesh *m, fender_error *error)
{
    const fnd_loops *loops = t->loops;
    add_vertices(t, m);
    for (int loop = 0, i = 0; loop < loops->loop_count; loop++)
        for (; i < loops->ends[loop]; i++) {
            int j = fnd_loop_next(loops, loop, i);
            if (!on_axis(t, i) || !on_axis(t, j)) add_band(t, i, j, m);
        }
    return t->full || add_ends(env, t, m, error);
}

static bool refuse_point(const fnd_loops *loops, int i, const char *message, const char *suggestion,
                         fender_error *error)
{
    char found[96];
    snprintf(found, sizeof found, "the point (%s, %s) m", fnd_number(loops->points[i].x).text,
             fnd_number(loops->points[i].y).text);
    fnd_fail(error, FENDER_STATUS_VALUE, "profile", message, found, "distances of 0 or more from the axis", suggestion);
    return false;
}

/* On one side of the axis; touching it along edges of the outline alone. *widest: the greatest distance. */
static bool check_axis(const fnd_loops *loops, double *widest, fender_error *error)
{
    *widest = 0;
    for (int loop = 0, i = 0; loop < loops->loop_count; loop++) {
        int first = i, end = loops->ends[loop];
        for (; i < end; i++) {
            double before = loops->points[i > first ? i - 1 : end - 1].x, x = loops->points[i].x;
            double after = loops->points[i + 1 < end ? i + 1 : first].x;
            if (x < 0)
                return refuse_point(loops, i, "a profile that is revolved reaches beyond the axis",
                                    "the first coordinate is the distance from the axis", error);
            if (x == 0 && before > 0 && after > 0)
                return refuse_point(loops, i, "the profile touches the axis in a single point",
                                    "move it off the axis, or let an edge lie on the axis", error);
            *widest = x > *widest ? x : *widest;
        }
    }
    return true;
}

static bool refuse_tolerance(double tolerance, double radius, fender_error *error)
{
    char found[96];
    snprintf(found, sizeof found, "%s m at a radius of %s m", fnd_number(tolerance).text, fnd_number(radius).text);
    fnd_fail(error, FENDER_STATUS_VALUE, "tolerance", "the tolerance needs more than 4000000 triangles", found,
             "a larger tolerance", "a thousandth of the radius gives 72 sides");
    return false;
}

/* Sets parts and `full`. */
static bool divide(double radius, double angle, double tolerance, turn *t, fender_error *error)
{
    if (!(angle > 0) || !(angle <= 2 * PI + 1e-9)) {
        char found[48];
        snprintf(found, sizeof found, "%s rad", isnan(angle) ? "NaN" : fnd_number(angle).text);
        fnd_fail(error, FENDER_STATUS_VALUE, "angle", "the angle of a revolved solid is not a part of a turn", found,
                 "above 0, at most a full turn (2 pi)", "check sign and unit");
        return false;
    }
    t->angle = angle;
    t->full = angle >= 2 * PI - 1e-9;
    t->parts = parts_of(radius, angle, tolerance);
    if (t->full && t->parts > 0) t->parts = (t->parts + 3) / 4 * 4;
    double triangles = 2.0 * t->loops->point_count * t->parts;
    return (t->parts > 0 && triangles <= FENDER_SOLID_TRIANGLES) || refuse_tolerance(tolerance, radius, error);
}

static fender_geometry *revolved(const fender_env *env, const fnd_loops *loops, double angle, double tolerance,
                                 fender_error *error)
{
    turn t = {.loops = loops};
    mesh m;
    double widest;
    fender_geometry *geometry = NULL;
    if (!check_axis(loops, &widest, error) || !divide(widest, angle, tolerance, &t, error)) return NULL;
    size_t size = (size_t)loops->point_count * sizeof *t.first;
    t.first = fnd_allocate(env, size);
    if (!t.first) {
        fnd_fail_memory(error, "the points of a revolved profile");
        return NULL;
    }
    int ends = t.full ? 0 : 2 * fnd_loops_triangle_count(loops);
    if (open_mesh(env, loops->point_count * (t.parts + 1), 2 * loops->point_count * t.parts + ends, &m, error)) {
        if (revolve(env, &t, &m, error)) geometry = geometry_of(env, &m, error);
        close_mesh(env, &m);
    }
    fnd_release(env, t.first, size);
    return geometry;
}

fender_geometry *fender_geometry_revolved(const fender_env *env, const fender_profile *profile, double angle,
                                          double tolerance, fender_error *error)
{
    fnd_loops loops;
    if (!check_env(env, error) || !check_length(tolerance, "tolerance", "tolerance", error) ||
        !fnd_loops_open(env, profile, &loops, error))
        return NULL;
    fender_geometry *geometry = revolved(env, &loops, angle, tolerance, error);
    fnd_loops_close(env, &loops);
    return geometry;
}

/* ---- Tubes and hollow spheres ---- */

static bool check_radii(double inner, double outer, double tolerance, const char *full, fender_error *error)
{
    if (!check_length(outer, "outer_radius", "outer radius", error) ||
        !check_length(tolerance, "tolerance", "tolerance", error))
        return false;
    if (inner > 0 && inner < outer) return true;
    char found[96];
    snprintf(found, sizeof found, "%s m inside %s m", isnan(inner) ? "NaN" : fnd_number(inner).text,
             fnd_number(outer).text);
    fnd_fail(error, FENDER_STATUS_VALUE, "inner_radius", "the inner radius is not between 0 and the outer radius",
             found, "above 0 and below the outer radius", full);
    return false;
}

fender_geometry *fender_geometry_tube(const fender_env *env, double inner_radius, double outer_radius,
                                      double half_length, double tolerance, fender_error *error)
{
    if (!check_radii(inner_radius, outer_radius, tolerance, "a tube without a bore is a cylinder", error) ||
        !check_length(half_length, "half_length", "half length", error))
        return NULL;
    const fender_vec2 points[4] = {{inner_radius, -half_length},
                                   {outer_radius, -half_length},
                                   {outer_radius, half_length},
                                   {inner_radius, half_length}};
    const int size = 4;
    const fender_profile profile = {points, &size, 1};
    return fender_geometry_revolved(env, &profile, 2 * PI, tolerance, error);
}

/* The half circle of `parts` parts, from the lower pole to the upper one, or back. */
static void add_arc(double radius, int parts, bool back, fender_vec2 *points)
{
    for (int k = 0; k <= parts; k++) {
        fender_vec2 u = on_circle(back ? parts - k : k, 2 * parts); /* from the pole: the sine is the distance */
        points[k] = (fender_vec2){radius * u.y, 0.0 - radius * u.x};
    }
}

fender_geometry *fender_geometry_hollow_sphere(const fender_env *env, double inner_radius, double outer_radius,
                                               double tolerance, fender_error *error)
{
    if (!check_env(env, error) ||
        !check_radii(inner_radius, outer_radius, tolerance, "a sphere that is not hollow is a sphere", error))
        return NULL;
    /* a face is flat along and across: each takes half of the tolerance */
    int outer = parts_of(outer_radius, PI, tolerance / 2), inner = parts_of(inner_radius, PI, tolerance / 2);
    if (outer < 0 || inner < 0) {
        refuse_tolerance(tolerance, outer_radius, error);
        return NULL;
    }
    outer = (outer + 1) / 2 * 2;
    inner = (inner + 1) / 2 * 2;
    int count = outer + inner + 2;
    fnd_loops loops = {.point_count = count, .loop_count = 1, .ends = &count};
    size_t size = (size_t)count * sizeof *loops.points;
    loops.points = fnd_allocate(env, size);
    if (!loops.points) {
        fnd_fail_memory(error, "the profile of a hollow sphere");
        return NULL;
    }
    add_arc(outer_radius, outer, false, loops.points);
    add_arc(inner_radius, inner, true, loops.points + outer + 1);
    fender_geometry *geometry = revolved(env, &loops, 2 * PI, tolerance / 2, error);
    fnd_release(env, loops.points, size);
    return geometry;
}
