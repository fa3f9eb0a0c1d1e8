/* Rays against convex sets: clipped in closed form, or by steps that never pass the surface. */
#include "geometry/geometry.h"
#include "geometry/point_query.h"
#include "geometry/ray.h"
#include "geometry/support.h"
#include "math/rotation.h"
#include <assert.h>

/* ---- Clipping ---- */

/* Lines clipped by half spaces, spheres, tubes, cones and ellipsoids.
 *
 * Roots are counted from the point of the line that lies nearest to the middle of the set: their distance from it is
 * then a square root of a difference of squares that holds no cancelled digits. */

fnd_clip fnd_clip_none(void) { return (fnd_clip){-INFINITY, INFINITY, {0, 0, 0}, 0}; }

static void make_empty(fnd_clip *clip)
{
    clip->enter = INFINITY;
    clip->exit = -INFINITY;
}

/* True when the set is entered last. */
static bool intersect(fnd_clip *clip, double enter, double exit, uint64_t feature)
{
    assert(!(clip->enter != clip->enter));
    if (exit < clip->exit) clip->exit = exit;
    if (!(enter > clip->enter)) return false;
    clip->enter = enter;
    clip->feature = feature;
    return true;
}

void fnd_clip_half_space(fnd_clip *clip, const fnd_line *line, fender_vec3 n, double offset, uint64_t feature)
{
    assert(fnd_is_unit(n));
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

void fnd_clip_sphere(fnd_clip *clip, const fnd_line *line, fender_vec3 center, double radius, uint64_t feature)
{
    assert(!(radius < 0));
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
    assert(!(radius < 0));
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
    assert(!(slope < 0));
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
    assert(!(semi_axes.x < 0) && !(semi_axes.y < 0) && !(semi_axes.z < 0));
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
    fnd_clip sphere = fnd_clip_none();
    fnd_clip_sphere(&sphere, &scaled, fender_vec3_make(0, 0, 0), 1, 0);
    if (fnd_clip_empty(&sphere)) make_empty(clip);
    else if (intersect(clip, sphere.enter / length, sphere.exit / length, feature)) {
        fender_vec3 n = sphere.normal; /* the gradient, back in true space */
        clip->normal = outward(fender_vec3_make(radii[0] > 0 ? n.x / radii[0] : 0, radii[1] > 0 ? n.y / radii[1] : 0,
                                                radii[2] > 0 ? n.z / radii[2] : 0),
                               line->d);
    }
}

/* ---- Distance by a support function ---- */

typedef struct simplex {
    fender_vec3 w[4]; /* points of the set, from the point that is asked for */
    int count;
} simplex;

/* The point of the affine hull of some corners that is nearest to the origin, and whether it lies between them. */
static bool nearest_between(const fender_vec3 *w, const int *corner, int count, fender_vec3 *v)
{
    assert(count >= 1 && count <= 4);
    fender_vec3 base = w[corner[0]], e[3];
    for (int i = 1; i < count; i++) e[i - 1] = fender_vec3_sub(w[corner[i]], base);
    double weight[3] = {0, 0, 0}, sum = 0;
    if (count == 2) {
        double square = fender_vec3_dot(e[0], e[0]);
        if (!(square > 0)) return false;
        weight[0] = -fender_vec3_dot(base, e[0]) / square;
    } else if (count == 3) {
        fender_vec3 n = fender_vec3_cross(e[0], e[1]);
        double square = fender_vec3_dot(n, n);
        if (!(square > 0)) return false;
        weight[0] = -fender_vec3_dot(fender_vec3_cross(base, e[1]), n) / square;
        weight[1] = -fender_vec3_dot(fender_vec3_cross(e[0], base), n) / square;
    } else if (count == 4) {
        fender_vec3 n = fender_vec3_cross(e[1], e[2]);
        double six = fender_vec3_dot(e[0], n);
        if (six == 0) return false;
        weight[0] = -fender_vec3_dot(base, n) / six;
        weight[1] = -fender_vec3_dot(base, fender_vec3_cross(e[2], e[0])) / six;
        weight[2] = -fender_vec3_dot(base, fender_vec3_cross(e[0], e[1])) / six;
    }
    *v = base;
    for (int i = 0; i + 1 < count; i++) {
        if (!(weight[i] >= 0)) return false;
        sum += weight[i];
        *v = fender_vec3_add_scaled(*v, weight[i], e[i]);
    }
    if (count == 3) { /* along the normal: no digits of the plane's distance are lost */
        fender_vec3 n = fender_vec3_cross(e[0], e[1]);
        *v = fender_vec3_scale(fender_vec3_dot(base, n) / fender_vec3_dot(n, n), n);
    }
    return sum <= 1;
}

/* The nearest point of the simplex; only the corners that it needs remain. True: the origin is inside. */
static bool reduce(simplex *s, fender_vec3 *v)
{
    double best = INFINITY;
    int kept = 0;
    for (int set = 1; set < 1 << s->count; set++) {
        int corner[4] = {0, 0, 0, 0}, count = 0;
        for (int i = 0; i < s->count; i++)
            if (set >> i & 1) corner[count++] = i;
        fender_vec3 found;
        if (!nearest_between(s->w, corner, count, &found)) continue;
        if (count == 4) return true;
        double square = fender_vec3_dot(found, found);
        if (square < best) best = square, kept = set, *v = found;
    }
    int count = 0;
    for (int i = 0; i < s->count; i++)
        if (kept >> i & 1) s->w[count++] = s->w[i];
    s->count = count;
    return false;
}

double fnd_support_distance(const fender_geometry *g, fender_vec3 point, fender_vec3 *toward)
{
    simplex s = {{{0, 0, 0}}, 1};
    s.w[0] = fender_vec3_sub(fnd_support(g, point), point);
    fender_vec3 v = s.w[0], best = v;
    double largest = fender_vec3_dot(v, v), least = largest;
    for (int i = 0; i < 100; i++) {
        double square = fender_vec3_dot(v, v);
        if (square <= 1e-30 * largest) break;
        fender_vec3 w = fender_vec3_sub(fnd_support(g, fender_vec3_negate(v)), point);
        double size = fender_vec3_dot(w, w);
        if (size > largest) largest = size;
        if (square - fender_vec3_dot(v, w) <= 1e-16 * square) break; /* nothing of the set is nearer */
        s.w[s.count++] = w;
        if (reduce(&s, &v)) {
            best = fender_vec3_make(0, 0, 0);
            break;
        }
        double now = fender_vec3_dot(v, v);
        if (!(now < least)) break; /* rounding is all that is left */
        least = now;
        best = v;
    }
    double distance = fender_vec3_length(best);
    if (distance > 0) *toward = fender_vec3_scale(-1 / distance, best);
    else *toward = fender_vec3_make(0, 0, 1);
    return distance * distance <= 1e-30 * largest ? 0 : distance;
}

/* ---- Steps ---- */

/* Rays against shapes that have no closed form of an entry: by steps that never pass the surface.
 *
 * The distance from a convex set is a convex function along a line. Newton's method, begun before the entry, comes near
 * it from that side only, and a slope that is no longer falling proves that the line passes by. */

enum { step_limit = 200 };

/* Where the line enters the sphere about the middle of the bounds: no entry is before that. */
static bool first_step(const fender_geometry *g, const fnd_line *line, double from, double *s)
{
    fender_vec3 u = g->bounds.upper, l = g->bounds.lower;
    fender_vec3 half = fender_vec3_make(0.5 * u.x - 0.5 * l.x, 0.5 * u.y - 0.5 * l.y, 0.5 * u.z - 0.5 * l.z);
    fnd_clip clip = fnd_clip_none();
    fnd_clip_sphere(&clip, line, fender_vec3_add(l, half), 1.0001 * fnd_length(half), 0);
    if (fnd_clip_empty(&clip) || clip.exit < from) return false;
    *s = clip.enter > from ? clip.enter : from;
    return true;
}

static double grain_of(const fender_geometry *g) { return 2e-16 * g->bounding_radius; }

bool fnd_ray_rounded(const fender_geometry *g, const fnd_line *line, double from, fnd_entry *entry)
{
    double s;
    if (!first_step(g, line, from, &s)) return false;
    fnd_solid_point found;
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
    fnd_clip sphere = fnd_clip_none();
    fender_vec3 u = g->bounds.upper, l = g->bounds.lower;
    fender_vec3 half = fender_vec3_make(0.5 * u.x - 0.5 * l.x, 0.5 * u.y - 0.5 * l.y, 0.5 * u.z - 0.5 * l.z);
    fnd_clip_sphere(&sphere, line, fender_vec3_add(l, half), 1.0001 * fnd_length(half), 0);
    double end = sphere.exit < to ? sphere.exit : to;
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
