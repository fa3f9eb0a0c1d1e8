/* Rays against convex shapes, rounded and not, against long double: a convex function that is negative inside is
 * followed along the ray to its least value, and back to where it was 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fender/geometry.h>
#include <math.h>
#include <string.h>

#include "random_numbers.h"
#include "repeats.h"

typedef long double real;
typedef struct vec {
    real x, y, z;
} vec;

enum { face_limit = 400 };
typedef struct solid {
    int type; /* of fender_geometry_type */
    real radius, half_length, half[3], rounding;
    int face_count;
    vec normals[face_limit];
    real offsets[face_limit];
} solid;

static real larger(real a, real b) { return a > b ? a : b; }
static real norm(real x, real y, real z) { return sqrtl(x * x + y * y + z * z); }

/* Distance in the plane of (across, z) from a rectangle or triangle of corners in counter-clockwise order. */
static real plane_distance(const real corner[][2], int count, real x, real z)
{
    real best = INFINITY, inside = -INFINITY;
    for (int i = 0; i < count; i++) {
        const real *a = corner[i], *b = corner[(i + 1) % count];
        real dx = b[0] - a[0], dz = b[1] - a[1], square = dx * dx + dz * dz;
        if (square == 0) continue;
        real t = ((x - a[0]) * dx + (z - a[1]) * dz) / square;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        best = fminl(best, hypotl(x - a[0] - t * dx, z - a[1] - t * dz));
        inside = larger(inside, ((x - a[0]) * dz - (z - a[1]) * dx) / sqrtl(square));
    }
    return inside <= 0 ? inside : best;
}

/* Distance from an ellipsoid, of a point outside: by the root of sum (a x / (t + a^2))^2 = 1. */
static real ellipsoid_distance(const real *a, vec p)
{
    const real x[3] = {fabsl(p.x), fabsl(p.y), fabsl(p.z)};
    real low = 0, high = norm(a[0] * x[0], a[1] * x[1], a[2] * x[2]);
    for (int i = 0; i < 90; i++) {
        real t = (low + high) / 2, sum = 0;
        for (int k = 0; k < 3; k++) sum += a[k] * x[k] / (t + a[k] * a[k]) * (a[k] * x[k] / (t + a[k] * a[k]));
        if (sum > 1) low = t;
        else high = t;
    }
    real d[3];
    for (int k = 0; k < 3; k++) d[k] = x[k] * high / (high + a[k] * a[k]);
    return norm(d[0], d[1], d[2]);
}

/* Convex, 0 on the surface, negative inside. */
static real value(const solid *s, vec p)
{
    real across = sqrtl(p.x * p.x + p.y * p.y), r = s->radius, h = s->half_length;
    switch (s->type) {
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_CAPSULE: return norm(p.x, p.y, larger(fabsl(p.z) - h, 0)) - r;
    case FENDER_GEOMETRY_BOX: {
        real x = fabsl(p.x) - s->half[0], y = fabsl(p.y) - s->half[1], z = fabsl(p.z) - s->half[2];
        real most = larger(x, larger(y, z));
        if (most <= 0 || s->rounding == 0) return most - s->rounding;
        return norm(larger(x, 0), larger(y, 0), larger(z, 0)) - s->rounding;
    }
    case FENDER_GEOMETRY_DISK:
    case FENDER_GEOMETRY_CYLINDER: {
        real most = larger(across - r, fabsl(p.z) - h);
        if (most <= 0 || s->rounding == 0) return most - s->rounding;
        return norm(larger(across - r, 0), larger(fabsl(p.z) - h, 0), 0) - s->rounding;
    }
    case FENDER_GEOMETRY_CONE: {
        const real corners[4][2] = {{-r, -h}, {r, -h}, {0, h}, {0, h}};
        return plane_distance(corners, 3, across, p.z) - s->rounding;
    }
    case FENDER_GEOMETRY_ELLIPSOID: {
        real level = norm(p.x / s->half[0], p.y / s->half[1], p.z / s->half[2]) - 1;
        return level <= 0 || s->rounding == 0 ? level - s->rounding : ellipsoid_distance(s->half, p) - s->rounding;
    }
    default: {
        real most = -INFINITY;
        for (int f = 0; f < s->face_count; f++)
            most = larger(most, s->normals[f].x * p.x + s->normals[f].y * p.y + s->normals[f].z * p.z - s->offsets[f]);
        return most;
    }
    }
}

/* Planes through three of the points that have all others behind them. */
static void find_faces(solid *s, const fender_vec3 *points, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            for (int k = 0; k < count; k++) {
                if (i == j || j == k || k <= i || j < i) continue;
                vec u = {(real)points[j].x - points[i].x, (real)points[j].y - points[i].y,
                         (real)points[j].z - points[i].z};
                vec v = {(real)points[k].x - points[i].x, (real)points[k].y - points[i].y,
                         (real)points[k].z - points[i].z};
                vec n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
                real length = norm(n.x, n.y, n.z);
                n = (vec){n.x / length, n.y / length, n.z / length};
                real offset = n.x * points[i].x + n.y * points[i].y + n.z * points[i].z;
                bool face = true;
                for (int m = 0; m < count && face; m++)
                    face = m == i || m == j || m == k ||
                           n.x * points[m].x + n.y * points[m].y + n.z * points[m].z < offset;
                if (!face || s->face_count == face_limit) continue;
                s->normals[s->face_count] = n;
                s->offsets[s->face_count++] = offset;
            }
}

static fender_box user_bounds(const void *data)
{
    const double *a = data;
    return (fender_box){{-a[0], -a[1], -a[2]}, {a[0], a[1], a[2]}};
}
static fender_vec3 user_support(const void *data, fender_vec3 d) /* an ellipsoid */
{
    const double *a = data;
    double length = sqrt(a[0] * d.x * (a[0] * d.x) + a[1] * d.y * (a[1] * d.y) + a[2] * d.z * (a[2] * d.z));
    if (!(length > 0)) return fender_vec3_make(0, 0, a[2]);
    return fender_vec3_make(a[0] * a[0] * d.x / length, a[1] * a[1] * d.y / length, a[2] * a[2] * d.z / length);
}
static double user_distance(const void *data, fender_vec3 p, fender_vec3 *outward) /* a sphere of the first semi-axis */
{
    double length = fender_vec3_length(p);
    *outward = length > 0 ? fender_vec3_scale(1 / length, p) : fender_vec3_make(0, 0, 1);
    return length - *(const double *)data;
}

enum { kind_count = 15 };
static const char *const kinds[kind_count] = {"sphere",       "capsule",          "box",          "cylinder",
                                              "cone",         "ellipsoid",        "hull",         "rounded box",
                                              "rounded disk", "rounded cylinder", "rounded cone", "rounded ellipsoid",
                                              "user support", "rounded user",     "user field"};
static fender_geometry *make(int kind, random_stream *random, solid *s)
{
    fender_env env = fender_env_default();
    double a = random_magnitude(random, 0.2, 2), b = random_magnitude(random, 0.2, 2),
           c = random_magnitude(random, 0.2, 2);
    double rounding = random_magnitude(random, 0.05, 0.5);
    const double axes[3] = {a, b, c};
    *s = (solid){.radius = a, .half_length = b, .half = {a, b, c}};
    fender_geometry_class user = {sizeof user, "user", user_bounds, user_support, NULL, NULL};
    fender_geometry *g = NULL;
    int base = kind;
    if (kind >= 7 && kind <= 11) base = (const int[]){2, 15, 3, 4, 5}[kind - 7];
    if (kind == 13) base = 12;
    switch (base) {
    case 0:
        s->half_length = 0;
        g = fender_geometry_sphere(&env, a, NULL);
        break;
    case 1: g = fender_geometry_capsule(&env, a, b, NULL); break;
    case 2: g = fender_geometry_box(&env, fender_vec3_make(a, b, c), NULL); break;
    case 3: g = fender_geometry_cylinder(&env, a, b, NULL); break;
    case 4: g = fender_geometry_cone(&env, a, b, NULL); break;
    case 5: g = fender_geometry_ellipsoid(&env, fender_vec3_make(a, b, c), NULL); break;
    case 6: {
        fender_vec3 points[14];
        for (int i = 0; i < 14; i++) points[i] = random_in_ball(random, 1);
        g = fender_geometry_hull(&env, points, 14, NULL);
        find_faces(s, points, 14);
        break;
    }
    case 12: g = fender_geometry_user(&env, &user, axes, sizeof axes, NULL); break;
    case 15:
        s->half_length = 0;
        g = fender_geometry_disk(&env, a, NULL);
        break;
    default:
        user.support = NULL;
        user.signed_distance = user_distance;
        g = fender_geometry_user(&env, &user, axes, sizeof axes, NULL);
        s->half_length = 0;
        break;
    }
    s->type = (int)fender_geometry_type_of(g);
    if (base == 12) s->type = FENDER_GEOMETRY_ELLIPSOID;
    if (kind == 14) s->type = FENDER_GEOMETRY_SPHERE;
    if ((kind >= 7 && kind <= 11) || kind == 13) {
        fender_geometry *rounded = fender_geometry_rounded(g, rounding, NULL);
        fender_geometry_release(g);
        g = rounded;
        s->rounding = rounding;
    }
    return g;
}

/* In the frame of the shape, all in long double, with the quaternion made a unit one again. */
static vec to_frame(const fender_pose *X, vec p, bool point)
{
    real w = X->q.w, x = X->q.x, y = X->q.y, z = X->q.z, n = w * w + x * x + y * y + z * z;
    if (point) p = (vec){p.x - X->p.x, p.y - X->p.y, p.z - X->p.z};
    return (vec){((w * w + x * x - y * y - z * z) * p.x + 2 * (x * y + w * z) * p.y + 2 * (x * z - w * y) * p.z) / n,
                 (2 * (x * y - w * z) * p.x + (w * w - x * x + y * y - z * z) * p.y + 2 * (y * z + w * x) * p.z) / n,
                 (2 * (x * z + w * y) * p.x + 2 * (y * z - w * x) * p.y + (w * w - x * x - y * y + z * z) * p.z) / n};
}
static vec at(vec o, vec d, real s) { return (vec){o.x + s * d.x, o.y + s * d.y, o.z + s * d.z}; }

/* Least value along the ray between two of its points, and where. */
static real least(const solid *s, vec o, vec d, real low, real high, real *where)
{
    for (int i = 0; i < 130; i++) {
        real a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (value(s, at(o, d, a)) < value(s, at(o, d, b))) high = b;
        else low = a;
    }
    *where = (low + high) / 2;
    return value(s, at(o, d, *where));
}

typedef struct tally {
    int hit, missed, inside, grazing;
    double worst; /* error over (distance + size) / |n . d| */
} tally;

static void check_ray(const fender_geometry *g, const solid *s, const fender_pose *X, const fender_ray *ray, tally *t)
{
    fender_ray_hit hit;
    assert_int_equal(fender_geometry_ray_cast(g, X, ray, &hit), FENDER_STATUS_OK);
    real length = norm(ray->direction.x, ray->direction.y, ray->direction.z);
    vec o = to_frame(X, (vec){ray->origin.x, ray->origin.y, ray->origin.z}, true);
    vec d = to_frame(X, (vec){ray->direction.x / length, ray->direction.y / length, ray->direction.z / length}, false);
    real size = fender_geometry_bounding_radius(g), away = norm(o.x, o.y, o.z), grain = 1e-15L * (size + away);
    real begin = value(s, o);
    if (begin < -grain) {
        assert_true(hit.hit && hit.distance == 0);
        real back = (hit.normal.x * ray->direction.x + hit.normal.y * ray->direction.y +
                     hit.normal.z * ray->direction.z) /
                    length;
        assert_true(fabsl(back + 1) < 1e-15L * 4);
        assert_memory_equal(&hit.point, &ray->origin, sizeof hit.point);
        t->inside++;
        return;
    }
    real middle = -(o.x * d.x + o.y * d.y + o.z * d.z), where;
    real low = larger(0, middle - 2 * size), high = larger(low, fminl(middle + 2 * size, ray->range));
    real depth = least(s, o, d, low, high, &where);
    if (fabsl(depth) < 1e-11L * size + 20 * grain || begin <= grain) {
        t->grazing++; /* either answer is right; a point is still on the surface */
        if (hit.hit) {
            vec p = to_frame(X, (vec){hit.point.x, hit.point.y, hit.point.z}, true);
            assert_true(fabsl(value(s, p)) < 1e-10L * size + 40 * grain);
        }
        return;
    }
    if (depth > 0) {
        assert_false(hit.hit);
        t->missed++;
        return;
    }
    assert_true(hit.hit);
    t->hit++;
    real before = low, after = where;
    for (int i = 0; i < 120; i++) {
        real half = (before + after) / 2;
        if (value(s, at(o, d, half)) > 0) before = half;
        else after = half;
    }
    vec n = to_frame(X, (vec){hit.normal.x, hit.normal.y, hit.normal.z}, false);
    real slope = -(n.x * d.x + n.y * d.y + n.z * d.z);
    assert_true(fabsl(norm(n.x, n.y, n.z) - 1) < 1e-15L);
    assert_true(slope > 0);
    double error = (double)(fabsl(hit.distance - after) * slope / (size + away));
    if (error > t->worst) t->worst = error;
    vec p = to_frame(X, (vec){hit.point.x, hit.point.y, hit.point.z}, true), q = at(o, d, after);
    assert_true(norm(p.x - q.x, p.y - q.y, p.z - q.z) * slope <= 4e-15L * (size + away));
    /* the normal is the direction in which the value rises most: outward by a little is outside, inward is inside */
    real step = 1e-9L * size;
    if (slope > 1e-3L && depth < -1e-6L * size && away < 100 * size) {
        assert_true(value(s, at(p, n, step)) > 0);
        assert_true(value(s, at(p, n, -step)) < 0);
        real third = 1e-4L * size; /* no direction across it rises: second order only, but at edges falls */
        vec any = fabsl(n.x) < 0.9L ? (vec){1, 0, 0} : (vec){0, 1, 0};
        vec u = {n.y * any.z - n.z * any.y, n.z * any.x - n.x * any.z, n.x * any.y - n.y * any.x};
        real a = value(s, at(p, u, third)), b = value(s, at(p, u, -third));
        assert_true(a >= -1e-9L * size && b >= -1e-9L * size);
    }
}

static void rays_meet_convex_shapes_where_they_begin(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < kind_count; kind++) {
        tally t = {0};
        for (uint64_t n = 0; n < repeats(1000); n++) {
            random_stream random = random_of_case(700 + (uint64_t)kind, n);
            solid s;
            fender_geometry *g = make(kind, &random, &s);
            double size = fender_geometry_bounding_radius(g);
            fender_pose X = {random_in_ball(&random, 3), random_rotation(&random)};
            fender_vec3 aim = random_in_ball(&random, 0.9 * size), direction = random_direction(&random);
            double before = random_between(&random, -1, 6) * size;
            int how = (int)(n % 6);
            if (how == 1 || how == 4) { /* along an axis of the shape */
                fender_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
                X = fender_pose_identity();
                direction = axes[random_below(&random, 3)];
            }
            if (how == 2) before = random_magnitude(&random, 1e2, 1e7) * size;
            if (how == 3) before = 0; /* often inside */
            fender_vec3 target = fender_vec3_add(X.p, aim);
            double length = random_magnitude(&random, 1e-3, 1e3);
            fender_ray ray = {fender_vec3_add_scaled(target, -before, direction), fender_vec3_scale(length, direction),
                              n % 5 == 0 ? 2 * size : INFINITY};
            fender_ray_hit first;
            if (how == 5 && !fender_geometry_ray_cast(g, &X, &ray, &first) && first.hit && first.distance > 0) {
                /* along the surface, a little above or below it */
                fender_vec3 across = fender_vec3_cross(first.normal, random_direction(&random));
                double lift = random_magnitude(&random, 1e-12, 1e-2) * size * (random_below(&random, 2) ? 1 : -1);
                ray.direction = fender_vec3_scale(1 / fender_vec3_length(across), across);
                ray.origin = fender_vec3_add_scaled(fender_vec3_add_scaled(first.point, lift, first.normal), -3 * size,
                                                    ray.direction);
            }
            check_ray(g, &s, &X, &ray, &t);
            fender_geometry_release(g);
        }
        print_message("%-18s %4d hit, %4d missed, %4d began inside, %3d grazing; worst error %.2g\n", kinds[kind],
                      t.hit, t.missed, t.inside, t.grazing, t.worst);
        assert_true(t.hit > repeats(200) && t.missed > repeats(100) && t.inside > repeats(20));
        /* turning into the frame costs about ten roundings of coordinates of the size of the distance */
        assert_true(t.worst < 2e-15);
    }
}

/* In the direction of a line of the cone's side the entry is the root of a linear equation. */
static void rays_along_the_side_of_a_cone(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_geometry *g = fender_geometry_cone(&env, 1, 0.5, NULL);
    solid s = {.type = FENDER_GEOMETRY_CONE, .radius = 1, .half_length = 0.5};
    fender_pose X = fender_pose_identity();
    tally t = {0};
    for (uint64_t n = 0; n < repeats(400); n++) {
        random_stream random = random_of_case(723, n);
        double x = n & 1 ? 1 : -1, z = n & 2 ? 1 : -1;
        fender_vec3 target = {random_between(&random, -0.7, 0.7), random_between(&random, -0.7, 0.7),
                              random_between(&random, -0.5, 0.5)};
        fender_ray ray = {fender_vec3_make(target.x - 4 * x, target.y, target.z - 4 * z), {x, 0, z}, INFINITY};
        check_ray(g, &s, &X, &ray, &t);
    }
    print_message("%d hit, %d missed; worst error %.2g\n", t.hit, t.missed, t.worst);
    assert_true(t.hit > repeats(100) && t.missed > repeats(50) && t.worst < 2e-15);
    fender_geometry_release(g);
}

/* Shapes without thickness are met in their plane, from both sides; those without an area never. */
static void flat_shapes_are_met_from_both_sides(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    int hits = 0, misses = 0;
    for (uint64_t n = 0; n < repeats(4000); n++) {
        random_stream random = random_of_case(720, n);
        double a = random_magnitude(&random, 0.2, 2), b = random_magnitude(&random, 0.2, 2);
        int kind = (int)(n % 4);
        const fender_vec3 corners[4] = {{a, b, 0}, {-a, b, 0}, {-a, -b, 0}, {a, -b, 0}};
        fender_geometry *g = kind == 0   ? fender_geometry_disk(&env, a, NULL)
                             : kind == 1 ? fender_geometry_box(&env, fender_vec3_make(a, b, 0), NULL)
                             : kind == 2 ? fender_geometry_hull(&env, corners, 4, NULL)
                                         : fender_geometry_ellipsoid(&env, fender_vec3_make(a, b, 0), NULL);
        fender_pose X = {random_in_ball(&random, 3), random_rotation(&random)};
        real x = random_between(&random, -2, 2), y = random_between(&random, -2, 2);
        real margin = kind == 0   ? sqrtl(x * x + y * y) / a - 1
                      : kind == 3 ? norm(x / a, y / b, 0) - 1
                                  : larger(fabsl(x) / a, fabsl(y) / b) - 1;
        if (fabsl(margin) < 1e-10L) continue;
        fender_vec3 p = {(double)x, (double)y, 0}, direction = random_direction(&random);
        fender_vec3 target = fender_vec3_add(X.p, fender_quaternion_rotate(X.q, p));
        double before = random_between(&random, 0.1, 10);
        fender_ray ray = {fender_vec3_add_scaled(target, -before, direction), direction, INFINITY};
        fender_ray_hit hit;
        assert_int_equal(fender_geometry_ray_cast(g, &X, &ray, &hit), FENDER_STATUS_OK);
        fender_vec3 z = fender_quaternion_rotate(X.q, fender_vec3_make(0, 0, 1));
        double slope = fender_vec3_dot(z, direction);
        if (fabs(slope) > 1e-4) { /* else it lies in the plane but for rounding */
            assert_true(hit.hit == (margin < 0));
            if (hit.hit) {
                hits++;
                assert_true(fabs(hit.distance - before) * fabs(slope) < 1e-14 * (1 + before));
                assert_true(fabs(fender_vec3_dot(hit.normal, z) + (slope > 0 ? 1 : -1)) < 1e-15 * 4);
            } else misses++;
        }
        fender_geometry_release(g);
    }
    print_message("%d hits, %d misses\n", hits, misses);
    fender_vec3 points[2] = {{0, 0, 0}, {1, 1, 0}};
    fender_geometry *none[] = {fender_geometry_point(&env, NULL), fender_geometry_cloud(&env, points, 2, NULL),
                               fender_geometry_hull(&env, points, 2, NULL), fender_geometry_hull(&env, points, 1, NULL),
                               fender_geometry_box(&env, fender_vec3_make(0, 1, 0), NULL)};
    for (int i = 0; i < 5; i++) {
        fender_pose X = fender_pose_identity();
        fender_ray ray = {{0, 0, 3}, {0, 0, -1}, INFINITY};
        fender_ray_hit hit;
        assert_int_equal(fender_geometry_ray_cast(none[i], &X, &ray, &hit), FENDER_STATUS_OK);
        assert_false(hit.hit);
        fender_geometry *rounded = fender_geometry_rounded(none[i], 0.5, NULL);
        assert_true(!rounded == (i == 1));
        if (rounded) {
            fender_geometry_ray_cast(rounded, &X, &ray, &hit);
            assert_true(hit.hit && fabs(hit.distance - 2.5) < 1e-15 && hit.normal.z > 1 - 1e-15);
        }
        fender_geometry_release(rounded);
        fender_geometry_release(none[i]);
    }
}

static void planes_are_met_from_above(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_geometry *g = fender_geometry_plane(&env, NULL);
    int hits = 0, inside = 0;
    for (uint64_t n = 0; n < repeats(1000); n++) {
        random_stream random = random_of_case(721, n);
        fender_pose X = {random_in_ball(&random, n % 3 ? 3 : 1e7), random_rotation(&random)};
        fender_ray ray = {random_in_ball(&random, n % 3 ? 5 : 1e7), random_direction(&random), INFINITY};
        fender_ray_hit hit;
        assert_int_equal(fender_geometry_ray_cast(g, &X, &ray, &hit), FENDER_STATUS_OK);
        vec o = to_frame(&X, (vec){ray.origin.x, ray.origin.y, ray.origin.z}, true);
        vec d = to_frame(&X, (vec){ray.direction.x, ray.direction.y, ray.direction.z}, false);
        real away = norm(o.x, o.y, o.z);
        if (fabsl(o.z) < 1e-14L * away || fabsl(d.z) < 1e-9L) continue;
        assert_true(hit.hit == (o.z < 0 || d.z < 0));
        if (o.z < 0) inside += hit.distance == 0;
        else if (hit.hit) {
            hits++;
            real distance = -o.z / d.z;
            assert_true(fabsl(hit.distance - distance) * -d.z < 4e-15L * (away + distance));
        }
    }
    print_message("%d hits, %d began inside\n", hits, inside);
    fender_geometry_release(g);
}

/* The same rays and shapes in other units: the answers are those of 1 m, by powers of two to the bit. */
static void sizes_of_any_scale_give_the_same(void **unused)
{
    (void)unused;
    static const double scales[] = {0x1p-800, 0x1p-300, 0x1p300};
    fender_env env = fender_env_default();
    int same = 0;
    for (uint64_t n = 0; n < repeats(600); n++) {
        random_stream random = random_of_case(722, n);
        double a = random_between(&random, 0.5, 1), b = random_between(&random, 0.5, 1),
               c = random_between(&random, 0.5, 1);
        fender_vec3 o = random_in_ball(&random, 4), d = random_direction(&random);
        fender_pose X = fender_pose_identity();
        fender_ray_hit one = {0};
        for (int k = -1; k < 3; k++) {
            double u = k < 0 ? 1 : scales[k];
            fender_vec3 half = {u * a, u * b, u * c};
            fender_geometry *g = n % 6 == 0   ? fender_geometry_sphere(&env, u * a, NULL)
                                 : n % 6 == 1 ? fender_geometry_capsule(&env, u * a, u * b, NULL)
                                 : n % 6 == 2 ? fender_geometry_cylinder(&env, u * a, u * b, NULL)
                                 : n % 6 == 3 ? fender_geometry_cone(&env, u * a, u * b, NULL)
                                 : n % 6 == 4 ? fender_geometry_box(&env, half, NULL)
                                              : fender_geometry_ellipsoid(&env, half, NULL);
            fender_ray ray = {fender_vec3_scale(u, o), d, INFINITY};
            fender_ray_hit hit;
            assert_int_equal(fender_geometry_ray_cast(g, &X, &ray, &hit), FENDER_STATUS_OK);
            if (k < 0) one = hit;
            assert_true(hit.hit == one.hit && hit.feature == one.feature);
            assert_true(fabs(hit.distance / u - one.distance) < 1e-14);
            if (hit.hit) assert_true(fender_vec3_dot(hit.normal, one.normal) > 1 - 1e-12);
            same += k >= 0 && hit.distance / u == one.distance;
            fender_geometry_release(g);
        }
    }
    print_message("%d of 1800 to the bit\n", same);
}

static void bad_rays_are_refused(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_geometry *g = fender_geometry_sphere(&env, 1, NULL);
    fender_pose X = fender_pose_identity(), bad_pose = {{0, 0, 0}, {0, 0, 0, 0}};
    fender_ray good = {{3, 0, 0}, {-2, 0, 0}, INFINITY}, ray;
    fender_ray_hit hit;
    assert_int_equal(fender_geometry_ray_cast(g, &X, &good, &hit), FENDER_STATUS_OK);
    assert_true(hit.hit && hit.distance == 2 && hit.point.x == 1 && hit.normal.x == 1);
    ray = good;
    ray.range = 1.999;
    assert_int_equal(fender_geometry_ray_cast(g, &X, &ray, &hit), FENDER_STATUS_OK);
    assert_false(hit.hit);
    ray.range = 2;
    assert_int_equal(fender_geometry_ray_cast(g, &X, &ray, &hit), FENDER_STATUS_OK);
    assert_true(hit.hit);
    ray.range = -1;
    assert_int_equal(fender_geometry_ray_cast(g, &X, &ray, &hit), FENDER_STATUS_VALUE);
    ray.range = NAN;
    assert_int_equal(fender_geometry_ray_cast(g, &X, &ray, &hit), FENDER_STATUS_VALUE);
    ray = good;
    ray.direction = fender_vec3_make(0, 0, 0);
    assert_int_equal(fender_geometry_ray_cast(g, &X, &ray, &hit), FENDER_STATUS_VALUE);
    ray.direction.x = INFINITY;
    assert_int_equal(fender_geometry_ray_cast(g, &X, &ray, &hit), FENDER_STATUS_VALUE);
    ray = good;
    ray.origin.y = NAN;
    assert_int_equal(fender_geometry_ray_cast(g, &X, &ray, &hit), FENDER_STATUS_VALUE);
    assert_int_equal(fender_geometry_ray_cast(g, &bad_pose, &good, &hit), FENDER_STATUS_VALUE);
    assert_int_equal(fender_geometry_ray_cast(NULL, &X, &good, &hit), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_geometry_ray_cast(g, &X, NULL, &hit), FENDER_STATUS_ARGUMENT);
    ray = good;
    ray.direction = fender_vec3_make(-1e-320, 0, 0);
    assert_int_equal(fender_geometry_ray_cast(g, &X, &ray, &hit), FENDER_STATUS_OK);
    assert_true(hit.distance == 2);
    fender_geometry_release(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_meet_convex_shapes_where_they_begin), cmocka_unit_test(rays_along_the_side_of_a_cone),
        cmocka_unit_test(flat_shapes_are_met_from_both_sides),      cmocka_unit_test(planes_are_met_from_above),
        cmocka_unit_test(sizes_of_any_scale_give_the_same),         cmocka_unit_test(bad_rays_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
