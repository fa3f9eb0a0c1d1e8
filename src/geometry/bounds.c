/* Boxes and balls that hold a geometry, and the area of its largest face. */
#include "geometry/geometry_create.h"
#include "geometry/support.h"

static const double pi = 3.14159265358979323846;

double fnd_length(fender_vec3 v)
{
    double length = fender_vec3_length(v);
    if (length > 1e-100) return length;
    double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z), m = x > y ? x : y;
    if (z > m) m = z;
    return m > 0 ? m * fender_vec3_length(fender_vec3_make(v.x / m, v.y / m, v.z / m)) : 0;
}

/* |r| * length, where 0 times infinity is 0. */
static double extent(double r, double length) { return r == 0 ? 0 : fabs(r) * length; }

static double across_axis(const double row[3]) { return sqrt(row[0] * row[0] + row[1] * row[1]); }

/* Of an axis of the outer frame, whose row of R is given: how far the core reaches up and down along it. */
static void reach_along(const fender_geometry *g, const double row[3], double *upper, double *lower)
{
    double half = 0, middle = 0;
    switch (g->type) {
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_POINT: break;
    case FENDER_GEOMETRY_PROBE: /* its ray */
        half = 0.5 * (g->range + g->cushion) * fabs(row[2]);
        middle = 0.5 * (g->cushion - g->range) * row[2];
        break;
    case FENDER_GEOMETRY_CAPSULE: half = g->half_length * fabs(row[2]); break;
    case FENDER_GEOMETRY_DISK:
    case FENDER_GEOMETRY_CYLINDER: half = g->half_length * fabs(row[2]) + g->radius * across_axis(row); break;
    case FENDER_GEOMETRY_CONE: {
        double apex = g->half_length * row[2], rim = g->radius * across_axis(row);
        *upper = apex > rim - apex ? apex : rim - apex;
        *lower = apex < -apex - rim ? apex : -apex - rim;
        return;
    }
    case FENDER_GEOMETRY_BOX:
        half = g->half.x * fabs(row[0]) + g->half.y * fabs(row[1]) + g->half.z * fabs(row[2]);
        break;
    case FENDER_GEOMETRY_ELLIPSOID:
        half = fnd_length(fender_vec3_make(g->half.x * row[0], g->half.y * row[1], g->half.z * row[2]));
        break;
    case FENDER_GEOMETRY_PLANE: half = INFINITY; break;
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_HULL:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_USER:
    case FENDER_GEOMETRY_TYPE_COUNT: {
        fender_vec3 u = g->bounds.upper, l = g->bounds.lower;
        if (isinf(l.z)) l.z = u.z; /* a grid: its ground without end follows */
        middle = 0.5 * (u.x + l.x) * row[0] + 0.5 * (u.y + l.y) * row[1] + 0.5 * (u.z + l.z) * row[2];
        half = extent(row[0], 0.5 * (u.x - l.x)) + extent(row[1], 0.5 * (u.y - l.y)) +
               extent(row[2], isinf(g->bounds.lower.z) ? INFINITY : 0.5 * (u.z - l.z));
        break;
    }
    }
    *upper = middle + half;
    *lower = middle - half;
}

void fnd_geometry_box(const fender_geometry *g, const fender_mat3 *R_WG, fender_vec3 *center, fender_vec3 *half)
{
    double upper[3], lower[3], c[3], h[3];
    bool rounded_already = g->type == FENDER_GEOMETRY_HULL || g->type == FENDER_GEOMETRY_USER; /* their bounds are */
    double rounding = rounded_already ? 0 : fnd_core_rounding(g);
    for (int i = 0; i < 3; i++) {
        reach_along(g, R_WG->m[i], &upper[i], &lower[i]);
        bool endless = isinf(upper[i]) || isinf(lower[i]);
        c[i] = endless ? 0 : 0.5 * (upper[i] + lower[i]);
        h[i] = endless ? INFINITY : 0.5 * (upper[i] - lower[i]) + rounding;
    }
    *center = fender_vec3_make(c[0], c[1], c[2]);
    *half = fender_vec3_make(h[0], h[1], h[2]);
}

/* Least and greatest coordinate of the points along an axis. */
static void spread_along(const fender_vec3 *points, int count, fender_vec3 axis, double *upper, double *lower)
{
    *upper = -INFINITY;
    *lower = INFINITY;
    for (int i = 0; i < count; i++) {
        double along = fender_vec3_dot(axis, points[i]);
        if (along > *upper) *upper = along;
        if (along < *lower) *lower = along;
    }
}

/* The same as reach_along, but as tight as can be where that takes a look at every point; with the rounding. */
static void exact_reach_along(const fender_geometry *g, const double row[3], double *upper, double *lower)
{
    double rounding = fnd_core_rounding(g);
    fender_vec3 axis = fender_vec3_make(row[0], row[1], row[2]);
    int count;
    const fender_vec3 *points = fender_geometry_vertices(g, &count);
    if (g->type == FENDER_GEOMETRY_PLANE) {
        bool level = row[0] == 0 && row[1] == 0;
        *upper = level && row[2] > 0 ? 0 : INFINITY;
        *lower = level && row[2] < 0 ? 0 : -INFINITY;
    } else if (g->type == FENDER_GEOMETRY_USER && g->user.support) {
        *upper = fender_vec3_dot(axis, fnd_support(g, axis)) + rounding;
        *lower = fender_vec3_dot(axis, fnd_support(g, fender_vec3_negate(axis))) - rounding;
    } else if (points && g->type != FENDER_GEOMETRY_BOX) {
        spread_along(points, count, axis, upper, lower);
        *upper += rounding;
        *lower -= rounding;
        if (g->type == FENDER_GEOMETRY_GRID && row[2] > 0) *lower = -INFINITY;
        if (g->type == FENDER_GEOMETRY_GRID && row[2] < 0) *upper = INFINITY;
    } else {
        reach_along(g, row, upper, lower);
        if (g->type == FENDER_GEOMETRY_USER) return;
        *upper += rounding;
        *lower -= rounding;
    }
}

fender_box fender_geometry_bounds(const fender_geometry *geometry, const fender_pose *X_WG)
{
    fender_mat3 R = fender_quaternion_matrix(fender_quaternion_normalized(X_WG->q));
    double upper[3], lower[3];
    for (int i = 0; i < 3; i++) exact_reach_along(geometry, R.m[i], &upper[i], &lower[i]);
    return (fender_box){fender_vec3_add(X_WG->p, fender_vec3_make(lower[0], lower[1], lower[2])),
                        fender_vec3_add(X_WG->p, fender_vec3_make(upper[0], upper[1], upper[2]))};
}

static double farthest(const fender_vec3 *points, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++) {
        double length = fnd_length(points[i]);
        if (length > largest) largest = length;
    }
    return largest;
}

static double core_radius(const fender_geometry *g)
{
    switch (g->type) {
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_POINT: return 0;
    case FENDER_GEOMETRY_PROBE: return g->range > fabs(g->cushion) ? g->range : fabs(g->cushion);
    case FENDER_GEOMETRY_CAPSULE: return g->half_length;
    case FENDER_GEOMETRY_DISK:
    case FENDER_GEOMETRY_CYLINDER:
    case FENDER_GEOMETRY_CONE: return fnd_length(fender_vec3_make(g->radius, 0, g->half_length));
    case FENDER_GEOMETRY_BOX: return fnd_length(g->half);
    case FENDER_GEOMETRY_ELLIPSOID: {
        double xy = g->half.x > g->half.y ? g->half.x : g->half.y;
        return xy > g->half.z ? xy : g->half.z;
    }
    case FENDER_GEOMETRY_PLANE: return INFINITY;
    case FENDER_GEOMETRY_USER: {
        fender_vec3 u = g->bounds.upper, l = g->bounds.lower;
        double x = u.x > -l.x ? u.x : -l.x, y = u.y > -l.y ? u.y : -l.y, z = u.z > -l.z ? u.z : -l.z;
        return fnd_length(fender_vec3_make(x, y, z));
    }
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_HULL:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    int count;
    const fender_vec3 *points = fender_geometry_vertices(g, &count);
    return farthest(points, count);
}

static double largest_face(const fender_geometry *g)
{
    double largest = 0;
    if (g->type == FENDER_GEOMETRY_PLANE || g->type == FENDER_GEOMETRY_GRID) return INFINITY;
    if (g->surface) return g->surface->face_area;
    if (g->type == FENDER_GEOMETRY_DISK || g->type == FENDER_GEOMETRY_CYLINDER || g->type == FENDER_GEOMETRY_CONE)
        return pi * g->radius * g->radius;
    for (int i = 0; g->polytope && i < g->polytope->face_count; i++)
        if (g->polytope->face_areas[i] > largest) largest = g->polytope->face_areas[i];
    return largest;
}

static double thickness(const fender_geometry *g)
{
    if (g->surface || g->type == FENDER_GEOMETRY_CLOUD || g->type == FENDER_GEOMETRY_PROBE) return 0;
    fender_vec3 size = fender_vec3_sub(g->bounds.upper, g->bounds.lower);
    double least = size.x < size.y ? size.x : size.y;
    return size.z < least ? size.z : least;
}

void fnd_geometry_measure(fender_geometry *g)
{
    double rounding = fnd_core_rounding(g);
    g->bounding_radius = core_radius(g) + rounding;
    g->patch_area = largest_face(g);
    if (g->type == FENDER_GEOMETRY_USER) {
        fender_vec3 ball = fender_vec3_make(rounding, rounding, rounding);
        g->bounds.upper = fender_vec3_add(g->bounds.upper, ball);
        g->bounds.lower = fender_vec3_sub(g->bounds.lower, ball);
        g->thickness = thickness(g);
        return;
    }
    if (g->type == FENDER_GEOMETRY_PLANE) {
        g->bounds = (fender_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, 0}};
        return;
    }
    fender_pose identity = fender_pose_identity();
    g->bounds = fender_geometry_bounds(g, &identity);
    g->thickness = thickness(g);
}
