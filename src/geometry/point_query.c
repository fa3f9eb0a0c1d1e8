/* Nearest point of a solid's surface to a given point: shapes of revolution, box, plane; the rest is handed on.
 *
 * Shapes of revolution are solved in the half plane of (distance from the axis, z). Inside, the least distance over the
 * faces is the least over the whole surface, since every solid here is convex. */
#include "geometry/point_query.h"

#include "geometry/direction.h"

/* A distance below this part of the coordinates it was computed from is rounding. */
#define ROUNDING (4 * 2.220446049250313e-16)

/* A point of the half plane through the axis, and the frame's direction of its radius. */
typedef struct half_plane {
    double r, z;
    double cosine, sine; /* of the azimuth; x axis on the axis itself */
} half_plane;

static half_plane to_half_plane(fender_vec3 p)
{
    fender_vec3 direction;
    double r = fnd_length_and_direction(fender_vec3_make(p.x, p.y, 0), &direction);
    half_plane h = {r, p.z, 1, 0};
    if (r > 0) h.cosine = direction.x, h.sine = direction.y;
    return h;
}

static void from_half_plane(const half_plane *h, double r, double z, double normal_r, double normal_z, double distance,
                            fnd_surface_point *found)
{
    found->distance = distance;
    found->point = fender_vec3_make(r * h->cosine, r * h->sine, z);
    found->normal = fender_vec3_make(normal_r * h->cosine, normal_r * h->sine, normal_z);
}

/* A corner of the outline at (r, z): apex, rim, end of a segment; and the normal of the line that ends there, for the
 * corner itself and what rounding puts beside the line. `beyond`: 1 beyond its lower end, -1 its upper end, 0 no
 * matter. */
static void from_corner(const half_plane *h, double r, double z, double normal_r, double normal_z, double beyond,
                        fnd_surface_point *found)
{
    fender_vec3 direction;
    double distance = fnd_length_and_direction(fender_vec3_make(h->r - r, 0, h->z - z), &direction);
    bool beside = beyond * (direction.x * normal_z - direction.z * normal_r) < 0;
    if (beside || distance <= ROUNDING * (h->r + fabs(h->z))) direction = fender_vec3_make(normal_r, 0, normal_z);
    from_half_plane(h, r, z, direction.x, direction.z, distance, found);
}

static double with_sign_of(double magnitude, double sign) { return sign < 0 ? -magnitude : magnitude; }

/* Also disks (half length 0), segments (radius 0) and points. */
static void cylinder(double radius, double half_length, fender_vec3 p, fnd_surface_point *found)
{
    half_plane h = to_half_plane(p);
    double outside_r = h.r - radius, outside_z = fabs(h.z) - half_length, up = with_sign_of(1, h.z);
    if (outside_r > 0 && outside_z > 0) from_corner(&h, radius, up * half_length, 0, up, 0, found);
    else if (outside_r > outside_z) from_half_plane(&h, radius, h.z, 1, 0, outside_r, found);
    else from_half_plane(&h, h.r, up * half_length, 0, up, outside_z, found);
}

static void cone(double radius, double half_length, fender_vec3 p, fnd_surface_point *found)
{
    if (radius == 0 || half_length == 0) {
        cylinder(radius, half_length, p, found);
        return;
    }
    half_plane h = to_half_plane(p);
    double length = fnd_length_2(radius, 2 * half_length); /* of the line from the apex to the rim */
    double sine = radius / length, cosine = 2 * (half_length / length), below_apex = half_length - h.z;
    double along = h.r * sine + below_apex * cosine; /* from the apex */
    double outside_slant = h.r * cosine - below_apex * sine, outside_base = -half_length - h.z;
    bool inside = outside_slant <= 0 && outside_base <= 0;
    if (inside ? outside_base > outside_slant : outside_base > 0 && h.r <= radius)
        from_half_plane(&h, h.r, -half_length, 0, -1, outside_base, found);
    else if (inside || (outside_slant > 0 && along >= 0 && along <= length))
        from_half_plane(&h, along * sine, half_length - along * cosine, cosine, sine, outside_slant, found);
    else if (along < 0) from_corner(&h, 0, half_length, cosine, sine, -1, found);
    else from_corner(&h, radius, -half_length, cosine, sine, 1, found);
}

static void box(fender_vec3 half, fender_vec3 p, fnd_surface_point *found)
{
    fender_vec3 beyond = {fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z};
    if (beyond.x > 0 || beyond.y > 0 || beyond.z > 0) {
        fender_vec3 gap = {beyond.x > 0 ? with_sign_of(beyond.x, p.x) : 0,
                           beyond.y > 0 ? with_sign_of(beyond.y, p.y) : 0,
                           beyond.z > 0 ? with_sign_of(beyond.z, p.z) : 0};
        found->distance = fnd_length_and_direction(gap, &found->normal);
        found->point = fender_vec3_make(beyond.x > 0 ? with_sign_of(half.x, p.x) : p.x,
                                        beyond.y > 0 ? with_sign_of(half.y, p.y) : p.y,
                                        beyond.z > 0 ? with_sign_of(half.z, p.z) : p.z);
        return;
    }
    found->point = p;
    found->normal = fender_vec3_make(0, 0, 0);
    if (beyond.z >= beyond.x && beyond.z >= beyond.y) {
        found->distance = beyond.z;
        found->normal.z = with_sign_of(1, p.z);
        found->point.z = with_sign_of(half.z, p.z);
    } else if (beyond.x >= beyond.y) {
        found->distance = beyond.x;
        found->normal.x = with_sign_of(1, p.x);
        found->point.x = with_sign_of(half.x, p.x);
    } else {
        found->distance = beyond.y;
        found->normal.y = with_sign_of(1, p.y);
        found->point.y = with_sign_of(half.y, p.y);
    }
}

static void field(const fender_geometry *geometry, fender_vec3 p, fnd_surface_point *found)
{
    fender_vec3 outward = {0, 0, 1};
    found->distance = geometry->user.signed_distance(geometry->user_data, p, &outward);
    if (fnd_length_and_direction(outward, &found->normal) == 0) found->normal = fender_vec3_make(0, 0, 1);
    found->point = fender_vec3_add_scaled(p, -found->distance, found->normal);
}

bool fnd_point_query(const fender_geometry *geometry, fender_vec3 point, fnd_surface_point *found)
{
    double swept = geometry->rounding;
    found->feature = 0;
    switch (geometry->type) {
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_POINT:
        cylinder(0, 0, point, found);
        swept = geometry->radius;
        break;
    case FENDER_GEOMETRY_CAPSULE:
        cylinder(0, geometry->half_length, point, found);
        swept = geometry->radius;
        break;
    case FENDER_GEOMETRY_PLANE: *found = (fnd_surface_point){point.z, {point.x, point.y, 0}, {0, 0, 1}, 0}; break;
    case FENDER_GEOMETRY_DISK: cylinder(geometry->radius, 0, point, found); break;
    case FENDER_GEOMETRY_CYLINDER: cylinder(geometry->radius, geometry->half_length, point, found); break;
    case FENDER_GEOMETRY_CONE: cone(geometry->radius, geometry->half_length, point, found); break;
    case FENDER_GEOMETRY_BOX: box(geometry->half, point, found); break;
    case FENDER_GEOMETRY_ELLIPSOID: fnd_point_query_ellipsoid(geometry->half, point, found); break;
    case FENDER_GEOMETRY_HULL: fnd_point_query_polytope(geometry->polytope, point, found); break;
    case FENDER_GEOMETRY_USER:
        if (!geometry->user.signed_distance || geometry->user.support) return false;
        field(geometry, point, found);
        break;
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_PROBE:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_TYPE_COUNT: return false;
    }
    if (swept != 0) {
        found->distance -= swept;
        found->point = fender_vec3_add_scaled(found->point, swept, found->normal);
    }
    return true;
}
