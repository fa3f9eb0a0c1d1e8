/* Sizes of geometries: boxes, bounding radius, thickness, area of faces; volume, centre of mass and inertia. */
#include "geometry/geometry.h"
#include "geometry/support.h"
#include <assert.h>

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
    assert(center != half);
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
    assert(count > 0);
    *upper = -INFINITY;
    *lower = INFINITY;
    for (int i = 0; i < count; i++) {
        double along = fender_vec3_dot(axis, points[i]);
        if (along > *upper) *upper = along;
        if (along < *lower) *lower = along;
    }
}

/* The box of points along the axes of their own frame. */
static fender_box box_of(const fender_vec3 *points, int count, double rounding)
{
    assert(count > 0);
    fender_vec3 lower = points[0], upper = points[0];
    for (int i = 1; i < count; i++) {
        const fender_vec3 p = points[i];
        lower = fender_vec3_make(p.x < lower.x ? p.x : lower.x, p.y < lower.y ? p.y : lower.y,
                                 p.z < lower.z ? p.z : lower.z);
        upper = fender_vec3_make(p.x > upper.x ? p.x : upper.x, p.y > upper.y ? p.y : upper.y,
                                 p.z > upper.z ? p.z : upper.z);
    }
    const fender_vec3 sphere = fender_vec3_make(rounding, rounding, rounding);
    return (fender_box){fender_vec3_sub(lower, sphere), fender_vec3_add(upper, sphere)};
}

/* The axis of the geometry's own frame that a row of R is, or -1. */
static int own_axis(const double row[3])
{
    for (int i = 0; i < 3; i++)
        if (row[i] == 1 && row[(i + 1) % 3] == 0 && row[(i + 2) % 3] == 0) return i;
    return -1;
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
    } else if (points && g->type != FENDER_GEOMETRY_BOX && own_axis(row) >= 0) { /* looked at already */
        const fender_vec3 u = g->bounds.upper, l = g->bounds.lower;
        *upper = row[0] == 1 ? u.x : row[1] == 1 ? u.y : u.z;
        *lower = row[0] == 1 ? l.x : row[1] == 1 ? l.y : l.z;
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
    assert(count > 0);
    double square = 0, largest = 0;
    for (int i = 0; i < count; i++) {
        double one = fender_vec3_dot(points[i], points[i]);
        square = one > square ? one : square;
    }
    if (sqrt(square) > 1e-100) return sqrt(square);
    for (int i = 0; i < count; i++) { /* so near that squares say little */
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
        fender_vec3 sphere = fender_vec3_make(rounding, rounding, rounding);
        g->bounds.upper = fender_vec3_add(g->bounds.upper, sphere);
        g->bounds.lower = fender_vec3_sub(g->bounds.lower, sphere);
        g->thickness = thickness(g);
        return;
    }
    if (g->type == FENDER_GEOMETRY_PLANE) {
        g->bounds = (fender_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, 0}};
        return;
    }
    int count;
    const fender_vec3 *points = fender_geometry_vertices(g, &count);
    if (points) g->bounds = box_of(points, count, rounding);
    if (g->type == FENDER_GEOMETRY_GRID) g->bounds.lower.z = -INFINITY; /* the ground has no end */
    fender_pose identity = fender_pose_identity();
    g->bounds = fender_geometry_bounds(g, &identity);
    g->thickness = thickness(g);
}

/* ---- Mass properties ---- */

/* ---- Surfaces of triangles ---- */

/* Mass properties of closed surfaces of triangles: sums over signed tetrahedra between each triangle and a point.
 *
 * First about the middle of the bounds, which finds volume and centroid, then about the centroid, so that no large
 * terms cancel when the solid lies far from the origin. Lengths are divided by a power of two first: neither tiny nor
 * huge solids leave the range of doubles before their mass does. */

typedef struct moments {
    double volume;
    fender_vec3 first;
    double second[3][3]; /* integral of x_i x_j */
} moments;

static void add_tetrahedron(moments *m, fender_vec3 a, fender_vec3 b, fender_vec3 c)
{
    double six = fender_vec3_dot(a, fender_vec3_cross(b, c));
    fender_vec3 s = fender_vec3_add(a, fender_vec3_add(b, c));
    const double v[4][3] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}, {s.x, s.y, s.z}};
    m->volume += six / 6;
    m->first = fender_vec3_add_scaled(m->first, six / 24, s);
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) sum += v[k][i] * v[k][j];
            m->second[i][j] += six / 120 * sum;
        }
}

typedef struct view {
    const fender_geometry *geometry;
    fender_vec3 origin;
    double scale;
} view;

static fender_vec3 seen(const view *v, fender_vec3 p)
{
    return fender_vec3_scale(v->scale, fender_vec3_sub(p, v->origin));
}

static moments sum_up(const view *v, fender_vec3 center)
{
    moments m = {0};
    const fnd_polytope *p = v->geometry->polytope;
    for (int f = 0; p && f < p->face_count; f++) {
        const int32_t *corner = p->face_vertices + p->face_start[f];
        int count = p->face_start[f + 1] - p->face_start[f];
        fender_vec3 a = fender_vec3_sub(seen(v, p->vertices[corner[0]]), center);
        for (int k = 1; k + 1 < count; k++)
            add_tetrahedron(&m, a, fender_vec3_sub(seen(v, p->vertices[corner[k]]), center),
                            fender_vec3_sub(seen(v, p->vertices[corner[k + 1]]), center));
    }
    const fnd_surface *s = v->geometry->surface;
    for (int t = 0; s && t < s->triangle_count; t++) {
        fender_vec3 corner[3];
        for (int k = 0; k < 3; k++) corner[k] = fender_vec3_sub(seen(v, s->vertices[s->triangles[t][k]]), center);
        add_tetrahedron(&m, corner[0], corner[1], corner[2]);
    }
    return m;
}

fender_mass_properties fnd_mass_of_polyhedron(const fender_geometry *geometry, double density)
{
    assert(geometry->polytope || geometry->surface);
    fender_mass_properties result = {0};
    if (geometry->polytope && geometry->polytope->face_count < 3) return result; /* flat */
    fender_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    int count;
    const fender_vec3 *vertices = fender_geometry_vertices(geometry, &count);
    for (int i = 0; i < count; i++) {
        fender_vec3 v = vertices[i];
        if (v.x < low.x) low.x = v.x;
        if (v.y < low.y) low.y = v.y;
        if (v.z < low.z) low.z = v.z;
        if (v.x > high.x) high.x = v.x;
        if (v.y > high.y) high.y = v.y;
        if (v.z > high.z) high.z = v.z;
    }
    fender_vec3 size = fender_vec3_sub(high, low);
    double extent = size.x > size.y ? size.x : size.y;
    if (size.z > extent) extent = size.z;
    if (!(extent > 0)) return result;
    int exponent;
    frexp(extent, &exponent);
    double unit = ldexp(1, exponent > 1000 ? 1000 : exponent < -1000 ? -1000 : exponent);
    view v = {geometry, fender_vec3_add_scaled(low, 0.5, size), 1 / unit};

    fender_vec3 center = {0, 0, 0};
    moments m = sum_up(&v, center);
    if (!(fabs(m.volume) > 0)) return result;
    center = fender_vec3_scale(1 / m.volume, m.first);
    m = sum_up(&v, center);
    if (!(fabs(m.volume) > 0)) return result;
    fender_vec3 left = fender_vec3_scale(1 / m.volume, m.first); /* what rounding left of the first moment */
    const double d[3] = {left.x, left.y, left.z};
    result.mass = density * (m.volume * unit * unit * unit);
    result.center_of_mass = fender_vec3_add_scaled(v.origin, unit, fender_vec3_add(center, left));
    double second[3][3], trace = 0, square = unit * unit;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) second[i][j] = second[j][i] = m.second[i][j] / m.volume - d[i] * d[j];
    for (int i = 0; i < 3; i++) trace += second[i][i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            result.inertia.m[i][j] = result.mass * (square * ((i == j ? trace : 0) - second[i][j]));
    return result;
}

/* ---- Geometries ---- */

/* factor a b c, without underflow before the end */
static double product(double factor, double a, double b, double c)
{
    double plain = factor * a * b * c;
    if (plain > 1e-200) return plain;
    double low = a < b ? a : b, high = a < b ? b : a;
    if (c < low) return c * high * low * factor;
    return c > high ? low * c * high * factor : low * high * c * factor;
}

static fender_mass_properties about_axis(double mass, double center, double across, double along)
{
    fender_mass_properties p = {mass, {0, 0, center}, fender_mat3_diagonal(across, across, along)};
    return p;
}

/* A cylinder of length 2h, and a sphere cut in halves whose flat faces lie at +-h. A half ball's centre of mass is
 * 3r/8 from its face, its inertia about a line in the face 2/5 m r^2: moved to the middle of the capsule that
 * gives 2/5 r^2 + h^2 + 3/4 r h per mass. With h = 0 every term but the sphere's is exactly zero. */
static fender_mass_properties capsule(double density, double r, double h)
{
    double sphere = density * (4.0 / 3.0 * pi * r * r * r), cylinder = density * product(2 * pi, r, r, h);
    double along = sphere * (0.4 * r * r) + cylinder * (0.5 * r * r);
    double across = sphere * (0.4 * r * r + h * h + 0.75 * r * h) + cylinder * (0.25 * r * r + h * h / 3);
    return about_axis(sphere + cylinder, 0, across, along);
}

static fender_mass_properties cylinder(double density, double r, double h)
{
    double mass = density * product(2 * pi, r, r, h);
    return about_axis(mass, 0, mass * (0.25 * r * r + h * h / 3), mass * (0.5 * r * r));
}

/* Of height 2h; the centre of mass lies at a quarter of it above the base. */
static fender_mass_properties cone(double density, double r, double h)
{
    double mass = density * product(2.0 / 3.0 * pi, r, r, h);
    return about_axis(mass, -0.5 * h, mass * (0.15 * (r * r + h * h)), mass * (0.3 * r * r));
}

/* A solid whose second moments along its axes of symmetry are mass * part * (x^2, y^2, z^2). */
static fender_mass_properties symmetric(double mass, double part, fender_vec3 v)
{
    double x = part * v.x * v.x, y = part * v.y * v.y, z = part * v.z * v.z;
    fender_mass_properties p = {mass, {0, 0, 0}, fender_mat3_diagonal(mass * (y + z), mass * (x + z), mass * (x + y))};
    return p;
}

static fender_mass_properties box(double density, fender_vec3 half)
{
    return symmetric(density * product(8, half.x, half.y, half.z), 1.0 / 3.0, half);
}

static fender_mass_properties of_user(const fender_geometry *g, double density)
{
    if (g->user.mass_properties) return g->user.mass_properties(g->user_data, density);
    fender_box bounds = g->user.bounds(g->user_data);
    fender_vec3 half = {0.5 * bounds.upper.x - 0.5 * bounds.lower.x, 0.5 * bounds.upper.y - 0.5 * bounds.lower.y,
                        0.5 * bounds.upper.z - 0.5 * bounds.lower.z};
    fender_mass_properties p = box(density, half);
    p.center_of_mass = fender_vec3_add(bounds.lower, half);
    return p;
}

fender_mass_properties fender_geometry_mass_properties(const fender_geometry *g, double density)
{
    switch (g->type) {
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_CAPSULE: return capsule(density, g->radius, g->half_length);
    case FENDER_GEOMETRY_CYLINDER: return cylinder(density, g->radius, g->half_length);
    case FENDER_GEOMETRY_CONE: return cone(density, g->radius, g->half_length);
    case FENDER_GEOMETRY_BOX: return box(density, g->half);
    case FENDER_GEOMETRY_ELLIPSOID:
        return symmetric(density * product(4.0 / 3.0 * pi, g->half.x, g->half.y, g->half.z), 0.2, g->half);
    case FENDER_GEOMETRY_HULL:
    case FENDER_GEOMETRY_MESH: return fnd_mass_of_polyhedron(g, density);
    case FENDER_GEOMETRY_USER: return of_user(g, density);
    case FENDER_GEOMETRY_POINT:
    case FENDER_GEOMETRY_PROBE:
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_DISK:
    case FENDER_GEOMETRY_PLANE:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    return (fender_mass_properties){0};
}
