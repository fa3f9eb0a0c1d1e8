/* Geometries: what constructors refuse and say, counted references, sizes, mass properties. */
/* items: C006 C036 S003 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fender/geometry.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* An allocator that counts, and has nothing to give from the `fail_at`-th call on. */
typedef struct counter {
    int allocated, released, fail_at;
    size_t bytes;
} counter;

static void *counted_allocate(void *ctx, size_t size, size_t alignment)
{
    counter *c = ctx;
    (void)alignment;
    if (++c->allocated == c->fail_at) return NULL;
    c->bytes += size;
    return malloc(size);
}
static void counted_release(void *ctx, void *memory, size_t size)
{
    counter *c = ctx;
    c->released++;
    c->bytes -= size;
    free(memory);
}
static fender_env counted(counter *c)
{
    fender_env env = {{counted_allocate, counted_release, c}, NULL, NULL};
    return env;
}

static void constructors_keep_what_they_are_given(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_error error;
    memset(&error, 0, sizeof error);
    fender_geometry *s = fender_geometry_sphere(&env, 0.25, &error);
    fender_geometry *c = fender_geometry_capsule(&env, 0.5, 2, &error);
    assert_non_null(s);
    assert_non_null(c);
    assert_int_equal(error.count, 0);
    assert_int_equal(fender_geometry_type_of(s), FENDER_GEOMETRY_SPHERE);
    assert_int_equal(fender_geometry_type_of(c), FENDER_GEOMETRY_CAPSULE);
    assert_true(fender_geometry_radius(s) == 0.25 && fender_geometry_half_length(s) == 0);
    assert_true(fender_geometry_radius(c) == 0.5 && fender_geometry_half_length(c) == 2);
    assert_true(fender_geometry_bounding_radius(s) == 0.25 && fender_geometry_bounding_radius(c) == 2.5);
    fender_geometry_release(s);
    fender_geometry_release(c);
}

static void zero_sizes_are_allowed(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_geometry *point = fender_geometry_sphere(&env, -0.0, NULL),
                    *ball = fender_geometry_capsule(&env, 1, 0, NULL);
    assert_non_null(point);
    assert_non_null(ball);
    assert_false(signbit(fender_geometry_radius(point)));
    assert_true(fender_geometry_mass_properties(point, 1000).mass == 0);
    fender_geometry_release(point);
    fender_geometry_release(ball);
}

static void bad_sizes_are_refused_with_finding_and_remedy(void **unused)
{
    (void)unused;
    static const struct {
        double radius, half_length;
        const char *path, *message, *found, *suggestion;
    } cases[] = {
        {-0.5, 1, "radius", "the radius of a capsule is negative", "-0.5 m", "did you mean 0.5 m?"},
        {1, -2, "half_length", "the half length of a capsule is negative", "-2 m", "did you mean 2 m?"},
        {NAN, 1, "radius", "the radius of a capsule is not a number", "NaN",
         "set radius to its length in metres; 0 is allowed"},
        {1, NAN, "half_length", "the half length of a capsule is not a number", "NaN",
         "set half_length to its length in metres; 0 is allowed"},
        {INFINITY, 1, "radius", "the radius of a capsule is infinite", "infinity",
         "set radius to its length in metres; 0 is allowed"},
        {1, -INFINITY, "half_length", "the half length of a capsule is negative", "-infinity",
         "set half_length to its length in metres; 0 is allowed"},
    };
    counter c = {0, 0, 0, 0};
    fender_env env = counted(&c);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_error error;
        memset(&error, 0, sizeof error);
        assert_null(fender_geometry_capsule(&env, cases[i].radius, cases[i].half_length, &error));
        assert_int_equal(error.status, FENDER_STATUS_VALUE);
        assert_int_equal(error.count, 1);
        assert_string_equal(error.path, cases[i].path);
        assert_string_equal(error.message, cases[i].message);
        assert_string_equal(error.found, cases[i].found);
        assert_string_equal(error.expected, "a finite length of 0 m or more");
        assert_string_equal(error.suggestion, cases[i].suggestion);
        assert_null(fender_geometry_capsule(&env, cases[i].radius, cases[i].half_length, NULL));
    }
    fender_error error;
    memset(&error, 0, sizeof error);
    assert_null(fender_geometry_sphere(&env, -1, &error));
    assert_string_equal(error.message, "the radius of a sphere is negative");
    assert_null(fender_geometry_sphere(&env, NAN, &error));
    assert_int_equal(error.count, 2); /* the first is kept */
    assert_string_equal(error.found, "-1 m");
    assert_int_equal(c.allocated, 0);
}

static void a_missing_environment_is_an_argument_error(void **unused)
{
    (void)unused;
    fender_error error;
    memset(&error, 0, sizeof error);
    assert_null(fender_geometry_sphere(NULL, 1, &error));
    assert_int_equal(error.status, FENDER_STATUS_ARGUMENT);
    fender_env empty = {{NULL, NULL, NULL}, NULL, NULL};
    assert_null(fender_geometry_capsule(&empty, 1, 1, NULL));
}

static void no_memory_is_reported(void **unused)
{
    (void)unused;
    counter c = {0, 0, 1, 0};
    fender_env env = counted(&c);
    fender_error error;
    memset(&error, 0, sizeof error);
    assert_null(fender_geometry_sphere(&env, 1, &error));
    assert_int_equal(error.status, FENDER_STATUS_MEMORY);
    c.allocated = 0;
    memset(&error, 0, sizeof error);
    assert_null(fender_geometry_capsule(&env, 1, 1, &error));
    assert_int_equal(error.status, FENDER_STATUS_MEMORY);
    assert_string_equal(error.message, "not enough memory for a capsule");
    assert_int_equal(c.released, 0);
}

static void the_last_release_frees(void **unused)
{
    (void)unused;
    counter c = {0, 0, 0, 0};
    fender_env env = counted(&c);
    fender_geometry *g = fender_geometry_sphere(&env, 1, NULL);
    assert_ptr_equal(fender_geometry_retain(g), g);
    fender_geometry_release(g);
    assert_int_equal(c.released, 0);
    assert_true(fender_geometry_radius(g) == 1);
    fender_geometry_release(g);
    assert_int_equal(c.released, 1);
    assert_int_equal(c.bytes, 0);
    fender_geometry_release(NULL);
    assert_null(fender_geometry_retain(NULL));
}

static void *hold_and_drop(void *geometry)
{
    for (int i = 0; i < 20000; i++) fender_geometry_release(fender_geometry_retain(geometry));
    fender_geometry_release(geometry);
    return NULL;
}
static void references_may_be_held_and_dropped_by_any_thread(void **unused)
{
    (void)unused;
    counter c = {0, 0, 0, 0};
    fender_env env = counted(&c);
    fender_geometry *g = fender_geometry_capsule(&env, 1, 1, NULL);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hold_and_drop, fender_geometry_retain(g)), 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    assert_int_equal(c.released, 0);
    fender_geometry_release(g);
    assert_int_equal(c.released, 1);
}

static void every_type_has_a_name(void **unused)
{
    (void)unused;
    assert_string_equal(fender_geometry_type_name(FENDER_GEOMETRY_SPHERE), "sphere");
    assert_string_equal(fender_geometry_type_name(FENDER_GEOMETRY_CAPSULE), "capsule");
    assert_null(fender_geometry_type_name(FENDER_GEOMETRY_TYPE_COUNT));
    assert_null(fender_geometry_type_name((fender_geometry_type)1000));
}

static void ball_has_two_fifths(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_geometry *g = fender_geometry_sphere(&env, 0.3, NULL);
    fender_mass_properties p = fender_geometry_mass_properties(g, 2700);
    double mass = 2700 * 4 * acos(-1) / 3 * 0.027, inertia = 0.4 * mass * 0.09;
    assert_true(fabs(p.mass / mass - 1) < 1e-15);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_true(i == j ? fabs(p.inertia.m[i][j] / inertia - 1) < 1e-15 : p.inertia.m[i][j] == 0);
    assert_true(p.center_of_mass.x == 0 && p.center_of_mass.y == 0 && p.center_of_mass.z == 0);
    fender_geometry_release(g);
}

/* Slices across the axis: each a disk of squared radius q, thickness dz; Simpson's rule is exact for the polynomials
 * on each of the three parts. */
static void capsule_agrees_with_its_slices(void **unused)
{
    (void)unused;
    static const double sizes[][2] = {{0.5, 2}, {1, 0.1}, {0.01, 30}, {3, 1e-9}, {1e-6, 1e-6}, {1e6, 1e6}};
    fender_env env = fender_env_default();
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        double r = sizes[k][0], h = sizes[k][1], pi = acos(-1), mass = 0, along = 0, across = 0;
        double bounds[4] = {-h - r, -h, h, h + r};
        for (int part = 0; part < 3; part++) {
            int n = 200;
            double dz = (bounds[part + 1] - bounds[part]) / n;
            for (int i = 0; i <= n; i++) {
                double z = bounds[part] + i * dz, over = part == 0 ? z + h : part == 2 ? z - h : 0;
                double q = r * r - over * over;
                double slice = pi * q * dz / 3 * (i == 0 || i == n ? 1 : i % 2 ? 4 : 2);
                mass += slice;
                along += slice * q / 2;
                across += slice * (q / 4 + z * z);
            }
        }
        fender_geometry *g = fender_geometry_capsule(&env, r, h, NULL);
        fender_mass_properties p = fender_geometry_mass_properties(g, 3);
        assert_true(fabs(p.mass / (3 * mass) - 1) < 1e-9);
        assert_true(fabs(p.inertia.m[0][0] / (3 * across) - 1) < 1e-8);
        assert_true(p.inertia.m[1][1] == p.inertia.m[0][0] && p.inertia.m[0][1] == 0 && p.inertia.m[2][0] == 0);
        assert_true(fabs(p.inertia.m[2][2] / (3 * along) - 1) < 1e-8);
        fender_geometry_release(g);
    }
}

static void capsule_without_length_is_a_ball_to_the_bit(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_geometry *s = fender_geometry_sphere(&env, 0.7, NULL), *c = fender_geometry_capsule(&env, 0.7, 0, NULL);
    fender_mass_properties p = fender_geometry_mass_properties(s, 123), q = fender_geometry_mass_properties(c, 123);
    assert_memory_equal(&p, &q, sizeof p);
    fender_geometry_release(s);
    fender_geometry_release(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constructors_keep_what_they_are_given),
        cmocka_unit_test(zero_sizes_are_allowed),
        cmocka_unit_test(bad_sizes_are_refused_with_finding_and_remedy),
        cmocka_unit_test(a_missing_environment_is_an_argument_error),
        cmocka_unit_test(no_memory_is_reported),
        cmocka_unit_test(the_last_release_frees),
        cmocka_unit_test(references_may_be_held_and_dropped_by_any_thread),
        cmocka_unit_test(every_type_has_a_name),
        cmocka_unit_test(ball_has_two_fifths),
        cmocka_unit_test(capsule_agrees_with_its_slices),
        cmocka_unit_test(capsule_without_length_is_a_ball_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
