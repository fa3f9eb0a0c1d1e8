/* Distance and depth of convex polytopes against an oracle that tries every direction, in long double. */
#include "collide/polytope_oracle.h"

#include "geometry/geometry.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;
static double uniform(double low, double high)
{
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return low + (high - low) * (double)(z >> 11) * 0x1p-53;
}
static int pick(int count) { return (int)uniform(0, count); }
static fender_quaternion random_turn(void)
{
    fender_quaternion q = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    return fender_quaternion_normalized(q);
}
static fender_vec3 random_direction(void)
{
    fender_vec3 v = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    return fender_vec3_scale(1 / fender_vec3_length(v), v);
}

/* A quarter turn or a half one about an axis of the frame, then by `tilt` about any. */
static fender_quaternion aligned_turn(double tilt)
{
    static const fender_quaternion quarters[] = {{1, 0, 0, 0},
                                                 {0, 1, 0, 0},
                                                 {0, 0, 0, 1},
                                                 {0.7071067811865476, 0.7071067811865476, 0, 0},
                                                 {0.7071067811865476, 0, 0.7071067811865476, 0},
                                                 {0.5, 0.5, 0.5, 0.5}};
    fender_vec3 d = random_direction();
    fender_quaternion small = {1, tilt / 2 * d.x, tilt / 2 * d.y, tilt / 2 * d.z};
    return fender_quaternion_product(fender_quaternion_normalized(small), quarters[pick(6)]);
}

typedef enum shape {
    SHAPE_HULL,
    SHAPE_BOX,
    SHAPE_FLAT_BOX,
    SHAPE_ROD_BOX,
    SHAPE_CAPSULE,
    SHAPE_POINT_BOX,
    SHAPE_COUNT
} shape;

typedef struct thing {
    fender_geometry *geometry;
    fender_vec3 vertices[ORACLE_VERTICES];
    int count;
    double rounding;
} thing;

static thing make_thing(shape kind, double size)
{
    fender_env env = fender_env_default();
    thing t = {.count = 0};
    fender_vec3 half = {size * uniform(0.2, 1), size * uniform(0.2, 1), size * uniform(0.2, 1)};
    if (kind == SHAPE_CAPSULE) {
        double radius = pick(2) ? size * uniform(0, 0.3) : 0, length = size * uniform(0.1, 1);
        t.geometry = fender_geometry_capsule(&env, radius, length, NULL);
        t.vertices[0] = fender_vec3_make(0, 0, length), t.vertices[1] = fender_vec3_make(0, 0, -length);
        t.count = 2;
        t.rounding = radius;
        return t;
    }
    if (kind == SHAPE_HULL) {
        fender_vec3 points[8];
        int count = 4 + pick(5);
        for (int i = 0; i < count; i++) {
            fender_vec3 d = random_direction();
            points[i] = fender_vec3_make(half.x * d.x, half.y * d.y, half.z * d.z);
        }
        t.geometry = fender_geometry_hull(&env, points, count, NULL);
    }
    if (kind == SHAPE_FLAT_BOX || kind == SHAPE_POINT_BOX) half.z = 0;
    if (kind == SHAPE_ROD_BOX || kind == SHAPE_POINT_BOX) half.x = 0;
    if (kind == SHAPE_ROD_BOX && pick(2)) half.z = 0;
    if (kind == SHAPE_POINT_BOX) half.y = 0;
    if (kind != SHAPE_HULL) t.geometry = fender_geometry_box(&env, half, NULL);
    assert_non_null(t.geometry);
    const fender_vec3 *v = fender_geometry_vertices(t.geometry, &t.count);
    memcpy(t.vertices, v, (size_t)t.count * sizeof *v);
    if (pick(3) == 0) {
        t.rounding = size * uniform(0, 0.2);
        fender_geometry *rounded = fender_geometry_rounded(t.geometry, t.rounding, NULL);
        assert_non_null(rounded);
        fender_geometry_release(t.geometry);
        t.geometry = rounded;
    }
    return t;
}

typedef struct tally {
    int count;
    double distance, normal, points, mirror;
} tally;

static double largest(double a, double b) { return a > b ? a : b; }

/* Compares one pose with the oracle; errors in parts of the larger of size and distance. */
static double check(const thing *a, const thing *b, fender_pose xa, fender_pose xb, double size, double tolerance,
                    tally *sum)
{
    fender_separation s, m;
    assert_int_equal(fender_geometry_separation(a->geometry, &xa, b->geometry, &xb, &s), FENDER_STATUS_OK);
    assert_int_equal(fender_geometry_separation(b->geometry, &xb, a->geometry, &xa, &m), FENDER_STATUS_OK);
    vec offset = vec_sub(vec_of(xb.p), vec_of(xa.p));
    oracle_body pa = oracle_place(a->vertices, a->count, xa.q, (vec){0, 0, 0});
    oracle_body pb = oracle_place(b->vertices, b->count, xb.q, offset);
    oracle_answer o = oracle_distance(&pa, &pb);
    if (o.distance == -INFINITY) o.distance = 0; /* points in one place */
    double roundings = a->rounding + b->rounding, expected = (double)(o.distance - roundings);
    double scale = largest(size, fabs(expected));
    double error = fabs(s.distance - expected) / scale;
    /* The normal parts the cores by what is said, the points lie in planes across it, and in the solids. */
    vec n = vec_of(s.normal);
    real bound = oracle_bound(&pa, &pb, n, -INFINITY) - roundings;
    double normal = largest(fabs((double)(bound - s.distance)) / scale, fabs(fender_vec3_length(s.normal) - 1));
    real top_a = -INFINITY, top_b = INFINITY;
    for (int i = 0; i < pa.count; i++) top_a = fmaxl(top_a, vec_dot(n, pa.v[i]));
    for (int i = 0; i < pb.count; i++) top_b = fminl(top_b, vec_dot(n, pb.v[i]));
    double points = largest(fabs((double)(vec_dot(n, vec_of(s.point_a)) - top_a - a->rounding)),
                            fabs((double)(vec_dot(n, vec_of(s.point_b)) - top_b + b->rounding)));
    for (int side = 0; side < 2; side++) {
        oracle_body point = {.count = 1};
        vec inward = vec_scale(side ? b->rounding : -a->rounding, n);
        point.v[0] = vec_add(vec_of(side ? s.point_b : s.point_a), inward);
        oracle_answer in = side ? oracle_distance(&pb, &point) : oracle_distance(&pa, &point);
        points = largest(points, (double)in.distance);
    }
    points /= scale;
    /* The direction of a gap of some ulp of the sizes is rounding, as far as parallel faces allow. */
    double loose = fabs(s.distance + roundings) < 1e-12 * scale ? 1e-11 : 10 * tolerance;
    if (!(error <= tolerance) || !(normal <= loose) || !(points <= loose)) {
        print_message("distance %.17g expected %.17g: errors %.3g normal %.3g points %.3g\n", s.distance, expected,
                      error, normal, points);
        print_message("a: type %d count %d p %.17g %.17g %.17g q %.17g %.17g %.17g %.17g\n", (int)a->geometry->type,
                      a->count, xa.p.x, xa.p.y, xa.p.z, xa.q.w, xa.q.x, xa.q.y, xa.q.z);
        print_message("b: type %d count %d p %.17g %.17g %.17g q %.17g %.17g %.17g %.17g\n", (int)b->geometry->type,
                      b->count, xb.p.x, xb.p.y, xb.p.z, xb.q.w, xb.q.x, xb.q.y, xb.q.z);
        print_message("normal %.17g %.17g %.17g, oracle %.17Lg %.17Lg %.17Lg\n", s.normal.x, s.normal.y, s.normal.z,
                      o.normal.x, o.normal.y, o.normal.z);
        fail();
    }
    if (s.distance != m.distance || s.normal.x != -m.normal.x || s.normal.y != -m.normal.y ||
        s.normal.z != -m.normal.z) {
        sum->mirror += 1;
        print_message("not mirrored: %s %s, distance %.17g and %.17g, normal %.17g and %.17g\n",
                      fender_geometry_type_name(a->geometry->type), fender_geometry_type_name(b->geometry->type),
                      s.distance, m.distance, s.normal.x, m.normal.x);
    }
    sum->count++;
    sum->distance = largest(sum->distance, error);
    sum->normal = largest(sum->normal, normal);
    sum->points = largest(sum->points, points);
    return s.distance;
}

typedef enum pose_class { APART, TOUCHING, SHALLOW, DEEP, NESTED, PARALLEL, FAR, EXTREME, CLASS_COUNT } pose_class;
static const char *const class_names[] = {"apart",  "touching", "shallow", "deep",
                                          "nested", "parallel", "far",     "extreme"};

static void run_class(pose_class class, int count)
{
    tally sum = {0};
    state = 77 + (uint64_t) class;
    for (int i = 0; i < count; i++) {
        double size = class == EXTREME ? pow(10, uniform(-90, 90)) : pow(10, uniform(-1, 1));
        thing a = make_thing((shape)pick(SHAPE_COUNT), size);
        thing b = make_thing((shape)pick(SHAPE_COUNT), class == NESTED ? 0.2 * size : size);
        fender_pose xa = {{0, 0, 0}, random_turn()}, xb = {{0, 0, 0}, random_turn()};
        fender_vec3 d = random_direction();
        if (class == PARALLEL) {
            static const double tilts[] = {0, 0, 0, 1e-16, 1e-15, 1e-13, 1e-11, 1e-8, 1e-5};
            xa.q = pick(2) ? aligned_turn(0) : xa.q;
            xb.q = fender_quaternion_product(xa.q, aligned_turn(tilts[pick(9)]));
            if (pick(2)) { /* along an axis, by what makes faces and edges meet */
                d = fender_vec3_make(0, 0, 1);
                if (pick(2)) d.x = uniform(-1, 1);
                d = fender_quaternion_rotate(xa.q, d);
            }
        }
        double push = class == NESTED ? size * uniform(0, 0.1) : size * uniform(0, class == DEEP ? 0.8 : 3);
        if (class == NESTED && pick(4) == 0) push = 0;
        xb.p = fender_vec3_scale(push, d);
        double tolerance = 2e-14; /* least distance that is told from 0: 2e-15 of sizes and offset */
        if (class == TOUCHING || class == SHALLOW || class == PARALLEL || class == FAR) {
            /* brought to a chosen distance by going along the normal */
            double wanted = class == SHALLOW ? -size * pow(10, uniform(-12, -1))
                            : class == FAR   ? size * uniform(-0.3, 2)
                            : class == PARALLEL && pick(2)
                                ? size * uniform(-0.3, 2)
                                : size * pow(10, uniform(-18, -9)) * (pick(2) ? 1 : -1) * pick(2);
            xb.p = fender_vec3_scale(10 * size, d);
            fender_separation s;
            for (int k = 0; k < 2; k++) {
                assert_int_equal(fender_geometry_separation(a.geometry, &xa, b.geometry, &xb, &s), FENDER_STATUS_OK);
                xb.p = fender_vec3_add_scaled(xb.p, wanted - s.distance, s.normal);
            }
        }
        if (class == FAR) {
            fender_vec3 away = fender_vec3_scale(1e7, random_direction());
            xa.p = fender_vec3_add(xa.p, away), xb.p = fender_vec3_add(xb.p, away);
        }
        check(&a, &b, xa, xb, size, tolerance, &sum);
        fender_geometry_release(a.geometry);
        fender_geometry_release(b.geometry);
    }
    print_message("%-9s %6d poses: distance %.2g, normal %.2g, points %.2g; not mirrored %g\n", class_names[class],
                  sum.count, sum.distance, sum.normal, sum.points, sum.mirror);
    assert_true(sum.mirror == 0);
}

static int poses(void)
{
    const char *text = getenv("FENDER_TEST_POSES");
    return text ? atoi(text) : 200;
}

static void poses_of_every_class(void **unused)
{
    (void)unused;
    for (int class = 0; class < CLASS_COUNT; class ++) run_class((pose_class) class, poses());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(poses_of_every_class)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
