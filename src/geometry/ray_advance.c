/* Rays against shapes that have no closed form of an entry: by steps that never pass the surface.
 *
 * The distance from a convex set is a convex function along a line. Newton's method, begun before the entry, comes near
 * it from that side only, and a slope that is no longer falling proves that the line passes by. */
#include "geometry/geometry_create.h"
#include "geometry/point_query.h"
#include "geometry/ray.h"
#include "geometry/support.h"

enum { step_limit = 200 };

/* Where the line enters the ball about the middle of the bounds: no entry is before that. */
static bool first_step(const fender_geometry *g, const fnd_line *line, double from, double *s)
{
    fender_vec3 u = g->bounds.upper, l = g->bounds.lower;
    fender_vec3 half = fender_vec3_make(0.5 * u.x - 0.5 * l.x, 0.5 * u.y - 0.5 * l.y, 0.5 * u.z - 0.5 * l.z);
    fnd_clip clip = fnd_clip_none();
    fnd_clip_ball(&clip, line, fender_vec3_add(l, half), 1.0001 * fnd_length(half), 0);
    if (fnd_clip_empty(&clip) || clip.exit < from) return false;
    *s = clip.enter > from ? clip.enter : from;
    return true;
}

static double grain_of(const fender_geometry *g) { return 2e-16 * g->bounding_radius; }

bool fnd_ray_rounded(const fender_geometry *g, const fnd_line *line, double from, fnd_entry *entry)
{
    double s;
    if (!first_step(g, line, from, &s)) return false;
    fnd_surface_point found;
    for (int i = 0; i < step_limit; i++) {
        if (!fnd_point_query(g, fnd_line_at(line, s), &found)) return false;
        double slope = fender_vec3_dot(found.normal, line->d);
        if (found.distance <= grain_of(g)) break;
        if (!(slope < 0)) return false;
        double next = s - found.distance / slope;
        if (!(next > s)) break;
        s = next;
        if (!isfinite(s)) return false;
    }
    *entry = (fnd_entry){s, found.normal, found.feature};
    return true;
}

bool fnd_ray_support(const fender_geometry *g, const fnd_line *line, double from, fnd_entry *entry)
{
    double s;
    if (!first_step(g, line, from, &s)) return false;
    fender_vec3 normal = fender_vec3_negate(line->d);
    for (int i = 0; i < step_limit; i++) {
        fender_vec3 x = fnd_line_at(line, s), toward;
        double distance = fnd_support_distance(g, x, &toward) - g->rounding;
        if (distance <= grain_of(g)) break;
        normal = toward;
        double slope = fender_vec3_dot(normal, line->d);
        /* from the supporting plane, which holds whatever error the normal has */
        double above = fender_vec3_dot(normal, fender_vec3_sub(x, fnd_support(g, normal))) - g->rounding;
        if (!(slope < 0)) {
            if (above > 0) return false;
            break;
        }
        double next = s - above / slope;
        if (!(next > s)) break;
        s = next;
        if (!isfinite(s)) return false;
    }
    *entry = (fnd_entry){s, normal, 0};
    return true;
}

bool fnd_ray_field(const fender_geometry *g, const fnd_line *line, double from, double to, fnd_entry *entry)
{
    enum { field_step_limit = 10000, back_limit = 20 };
    int back = 0;
    double s, size = g->bounding_radius, near = 1e-6 * size;
    if (!first_step(g, line, from, &s)) return false;
    fnd_clip ball = fnd_clip_none();
    fender_vec3 u = g->bounds.upper, l = g->bounds.lower;
    fender_vec3 half = fender_vec3_make(0.5 * u.x - 0.5 * l.x, 0.5 * u.y - 0.5 * l.y, 0.5 * u.z - 0.5 * l.z);
    fnd_clip_ball(&ball, line, fender_vec3_add(l, half), 1.0001 * fnd_length(half), 0);
    double end = ball.exit < to ? ball.exit : to;
    for (int i = 0; i < field_step_limit && s <= end; i++) {
        fender_vec3 normal;
        double distance = g->user.signed_distance(g->user_data, fnd_line_at(line, s), &normal);
        if (!isfinite(distance)) return false;
        if (distance > near) { /* a distance may be walked, whatever the direction */
            s += distance;
            continue;
        }
        double slope = fender_vec3_dot(normal, line->d);
        if (distance <= grain_of(g)) {
            *entry = (fnd_entry){s, normal, 0};
            if (distance >= -grain_of(g) || !(slope < 0) || back++ == back_limit) return true;
            s -= distance / slope; /* a hollow surface is stepped through: back to it */
            continue;
        }
        /* close to it the surface is nearly flat: up to its tangent plane, or as far as a surface of a radius of a
         * hundredth of the size keeps away from a line that runs along it */
        double step = slope < 0 ? -distance / slope : INFINITY, safe = sqrt(0.02 * distance * size);
        if (step > safe) step = safe > distance ? safe : distance;
        if (!(s + step > s)) step = 4e-16 * fabs(s);
        s += step;
    }
    return false;
}
