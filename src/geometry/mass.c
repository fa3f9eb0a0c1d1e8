/* Mass properties of geometries of even density, in closed form. */
#include "geometry/geometry.h"
#include "geometry/mass_polyhedron.h"

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
