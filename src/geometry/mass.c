/* Mass properties of geometries of even density: in closed form, and of closed surfaces of triangles. */
#include "geometry/mass.h"
#include "geometry/geometry.h"

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

static const double pi = 3.14159265358979323846;

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

/* A cylinder of length 2h, and a ball cut in halves whose flat faces lie at +-h. A half ball's centre of mass is
 * 3r/8 from its face, its inertia about a line in the face 2/5 m r^2: moved to the middle of the capsule that
 * gives 2/5 r^2 + h^2 + 3/4 r h per mass. With h = 0 every term but the ball's is exactly zero. */
static fender_mass_properties capsule(double density, double r, double h)
{
    double ball = density * (4.0 / 3.0 * pi * r * r * r), cylinder = density * product(2 * pi, r, r, h);
    double along = ball * (0.4 * r * r) + cylinder * (0.5 * r * r);
    double across = ball * (0.4 * r * r + h * h + 0.75 * r * h) + cylinder * (0.25 * r * r + h * h / 3);
    return about_axis(ball + cylinder, 0, across, along);
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
