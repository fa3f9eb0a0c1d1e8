/* Mass properties of geometries of even density, in closed form. */
#include "geometry/geometry.h"

static const double pi = 3.14159265358979323846;

fender_mass_properties fender_geometry_mass_properties(const fender_geometry *geometry, double density)
{
    /* A cylinder of length 2h, and a ball cut in halves whose flat faces lie at +-h. A half ball's centre of mass is
     * 3r/8 from its face, its inertia about a line in the face 2/5 m r^2: moved to the middle of the capsule that
     * gives 2/5 r^2 + h^2 + 3/4 r h per mass. With h = 0 every term but the ball's is exactly zero. */
    double r = geometry->radius, h = geometry->half_length;
    double ball = density * (4.0 / 3.0 * pi * r * r * r), cylinder = density * (2 * pi * r * r * h);
    double along = ball * (0.4 * r * r) + cylinder * (0.5 * r * r);
    double across = ball * (0.4 * r * r + h * h + 0.75 * r * h) + cylinder * (0.25 * r * r + h * h / 3);
    fender_mass_properties properties = {ball + cylinder, {0, 0, 0}, fender_mat3_diagonal(across, across, along)};
    return properties;
}
