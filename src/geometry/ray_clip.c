/* Lines clipped by half spaces, balls, tubes, cones and ellipsoids.
 *
 * Roots are counted from the point of the line that lies nearest to the middle of the set: their distance from it is
 * then a square root of a difference of squares that holds no cancelled digits. */
#include "geometry/ray.h"

fnd_clip fnd_clip_none(void) { return (fnd_clip){-INFINITY, INFINITY, {0, 0, 0}, 0}; }

static void make_empty(fnd_clip *clip)
{
    clip->enter = INFINITY;
    clip->exit = -INFINITY;
}

/* True when the set is entered last. */
static bool intersect(fnd_clip *clip, double enter, double exit, uint64_t feature)
{
    if (exit < clip->exit) clip->exit = exit;
    if (!(enter > clip->enter)) return false;
    clip->enter = enter;
    clip->feature = feature;
    return true;
}

void fnd_clip_half_space(fnd_clip *clip, const fnd_line *line, fender_vec3 n, double offset, uint64_t feature)
{
    double slope = fender_vec3_dot(n, line->d), above = fender_vec3_dot(n, line->q) - offset;
    if (slope == 0) {
        if (above > 0) make_empty(clip);
    } else if (slope > 0) intersect(clip, -INFINITY, -above / slope, feature);
    else if (intersect(clip, -above / slope, INFINITY, feature)) clip->normal = n;
}

/* Of a point on the line, measured from the middle; against the line where it has no direction. */
static fender_vec3 outward(fender_vec3 from_center, fender_vec3 d)
{
    double length = fender_vec3_length(from_center);
    if (!(length > 0)) return fender_vec3_negate(d);
    return fender_vec3_make(from_center.x / length, from_center.y / length, from_center.z / length);
}

void fnd_clip_ball(fnd_clip *clip, const fnd_line *line, fender_vec3 center, double radius, uint64_t feature)
{
    fender_vec3 p = fender_vec3_sub(line->q, center);
    double middle = -fender_vec3_dot(p, line->d);
    p = fender_vec3_add_scaled(p, middle, line->d);
    double near = fender_vec3_length(p), square = (radius - near) * (radius + near);
    if (!(square >= 0)) {
        make_empty(clip);
        return;
    }
    double half = sqrt(square);
    if (intersect(clip, middle - half, middle + half, feature))
        clip->normal = outward(fender_vec3_add_scaled(p, -half, line->d), line->d);
}

void fnd_clip_tube(fnd_clip *clip, const fnd_line *line, double radius, uint64_t feature)
{
    fender_vec3 p = fender_vec3_make(line->q.x, line->q.y, 0), d = fender_vec3_make(line->d.x, line->d.y, 0);
    double speed = fender_vec3_length(d);
    if (!(speed > 0)) {
        if (!(fender_vec3_length(p) <= radius)) make_empty(clip);
        return;
    }
    d = fender_vec3_make(d.x / speed, d.y / speed, 0);
    double middle = -fender_vec3_dot(p, d), near = fabs(p.x * d.y - p.y * d.x);
    double square = (radius - near) * (radius + near);
    if (!(square >= 0)) {
        make_empty(clip);
        return;
    }
    double half = sqrt(square);
    p = fender_vec3_add_scaled(p, middle, d);
    if (intersect(clip, (middle - half) / speed, (middle + half) / speed, feature))
        clip->normal = outward(fender_vec3_add_scaled(p, -half, d), d);
}

/* The part of the line below the apex where a s^2 + 2 b s + c <= 0, with s = 0 nearest to the apex. */
static bool below_apex(double a, double b, double c, double above, double rise, double *enter, double *exit)
{
    *enter = -INFINITY;
    *exit = INFINITY;
    double root = b * b - a * c;
    if (a > 0 && !(root >= 0)) return false;
    double far = -(b + (b < 0 ? -1 : 1) * sqrt(root > 0 ? root : 0));
    if (a == 0) {
        if (b == 0) return c <= 0 && above <= 0;
        if ((b > 0) != (rise > 0)) return false; /* inside the other half, above the apex */
        if (b > 0) *exit = -0.5 * c / b;
        else *enter = -0.5 * c / b;
        return true;
    }
    double one = far / a, other = far == 0 ? one : c / far;
    double low = one < other ? one : other, high = one < other ? other : one;
    if (a > 0) {
        *enter = low;
        *exit = high;
        return above + rise * (0.5 * (low + high)) <= 0;
    }
    if (rise > 0) *exit = low;
    else *enter = high;
    return true;
}

void fnd_clip_cone(fnd_clip *clip, const fnd_line *line, double slope, double height, uint64_t feature)
{
    fender_vec3 d = line->d, p = line->q;
    p.z -= height;
    double nearest = -fender_vec3_dot(p, d);
    p = fender_vec3_add_scaled(p, nearest, d);
    double across = sqrt(d.x * d.x + d.y * d.y), side = slope * fabs(d.z), away = sqrt(p.x * p.x + p.y * p.y);
    double a = (across - side) * (across + side), b = p.x * d.x + p.y * d.y - slope * slope * p.z * d.z;
    double c = (away - slope * fabs(p.z)) * (away + slope * fabs(p.z)), enter, exit;
    if (!below_apex(a, b, c, p.z, d.z, &enter, &exit)) {
        make_empty(clip);
        return;
    }
    if (!intersect(clip, nearest + enter, nearest + exit, feature)) return;
    p = fender_vec3_add_scaled(p, enter, d);
    clip->normal = outward(fender_vec3_make(p.x, p.y, slope * sqrt(p.x * p.x + p.y * p.y)), d);
}

void fnd_clip_ellipsoid(fnd_clip *clip, const fnd_line *line, fender_vec3 semi_axes, uint64_t feature)
{
    const double radii[3] = {semi_axes.x, semi_axes.y, semi_axes.z};
    const double q[3] = {line->q.x, line->q.y, line->q.z}, d[3] = {line->d.x, line->d.y, line->d.z};
    double p[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) { /* space is scaled to make it a unit ball; along axes of 0 it is flat */
        if (radii[i] > 0) {
            p[i] = q[i] / radii[i];
            v[i] = d[i] / radii[i];
            continue;
        }
        fender_vec3 axis = {i == 0, i == 1, i == 2};
        fnd_clip_half_space(clip, line, axis, 0, feature);
        fnd_clip_half_space(clip, line, fender_vec3_negate(axis), 0, feature);
    }
    fender_vec3 from = {p[0], p[1], p[2]}, speed = {v[0], v[1], v[2]};
    double length = fender_vec3_length(speed);
    if (!(length > 0)) {
        if (!(fender_vec3_length(from) <= 1)) make_empty(clip);
        return;
    }
    fnd_line scaled = {from, fender_vec3_make(speed.x / length, speed.y / length, speed.z / length)};
    fnd_clip ball = fnd_clip_none();
    fnd_clip_ball(&ball, &scaled, fender_vec3_make(0, 0, 0), 1, 0);
    if (fnd_clip_empty(&ball)) make_empty(clip);
    else if (intersect(clip, ball.enter / length, ball.exit / length, feature)) {
        fender_vec3 n = ball.normal; /* the gradient, back in true space */
        clip->normal = outward(fender_vec3_make(radii[0] > 0 ? n.x / radii[0] : 0, radii[1] > 0 ? n.y / radii[1] : 0,
                                                radii[2] > 0 ? n.z / radii[2] : 0),
                               line->d);
    }
}
