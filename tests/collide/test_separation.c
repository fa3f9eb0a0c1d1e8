/* The public distance call: which pairs there are, poses it takes, poses it refuses. */
#include "collide/pair_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static void pairs_are_supported_in_both_orders(void **unused)
{
    (void)unused;
    for (int a = 0; a < FENDER_GEOMETRY_TYPE_COUNT; a++)
        for (int b = 0; b < FENDER_GEOMETRY_TYPE_COUNT; b++)
            assert_int_equal(fender_geometry_pair_supported((fender_geometry_type)a, (fender_geometry_type)b),
                             fender_geometry_pair_supported((fender_geometry_type)b, (fender_geometry_type)a));
    assert_true(fender_geometry_pair_supported(FENDER_GEOMETRY_SPHERE, FENDER_GEOMETRY_CAPSULE));
    assert_false(fender_geometry_pair_supported(FENDER_GEOMETRY_POINT, FENDER_GEOMETRY_CLOUD));
    assert_false(fender_geometry_pair_supported(FENDER_GEOMETRY_TYPE_COUNT, FENDER_GEOMETRY_SPHERE));
    assert_false(fender_geometry_pair_supported(FENDER_GEOMETRY_SPHERE, (fender_geometry_type)77));
}

static void bad_arguments_change_nothing(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_geometry *g = fender_geometry_sphere(&env, 1, NULL);
    fender_pose x = fender_pose_identity(), bad = x;
    fender_separation s, untouched;
    memset(&s, 0xff, sizeof s);
    untouched = s;
    assert_int_equal(fender_geometry_separation(NULL, &x, g, &x, &s), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_geometry_separation(g, NULL, g, &x, &s), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_geometry_separation(g, &x, NULL, &x, &s), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_geometry_separation(g, &x, g, NULL, &s), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_geometry_separation(g, &x, g, &x, NULL), FENDER_STATUS_ARGUMENT);
    bad.p.y = NAN;
    assert_int_equal(fender_geometry_separation(g, &x, g, &bad, &s), FENDER_STATUS_VALUE);
    bad = x, bad.q.w = 0;
    assert_int_equal(fender_geometry_separation(g, &bad, g, &x, &s), FENDER_STATUS_VALUE);
    bad.q.x = INFINITY;
    assert_int_equal(fender_geometry_separation(g, &bad, g, &x, &s), FENDER_STATUS_VALUE);
    fender_pose left = {{-1.7e308, 0, 0}, {1, 0, 0, 0}}, right = {{1.7e308, 0, 0}, {1, 0, 0, 0}};
    assert_int_equal(fender_geometry_separation(g, &left, g, &right, &s), FENDER_STATUS_NOT_FINITE);
    assert_memory_equal(&s, &untouched, sizeof s);
    fender_geometry_release(g);
}

static void a_quaternion_of_other_length_is_the_same_attitude(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_geometry *c = fender_geometry_capsule(&env, 0.5, 2, NULL), *g = fender_geometry_sphere(&env, 1, NULL);
    fender_pose half = {{0, 0, 0}, {1, 1, 0, 0}}, there = {{0, 5, 0}, {1, 0, 0, 0}}; /* z to -y */
    fender_separation s;
    assert_int_equal(fender_geometry_separation(c, &half, g, &there, &s), FENDER_STATUS_OK);
    assert_true(fabs(s.distance - 1.5) < 1e-15 && fabs(s.normal.y - 1) < 1e-15);
    fender_geometry_release(c);
    fender_geometry_release(g);
}

static void the_call_and_the_table_agree_to_the_bit(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_geometry *shapes[2] = {fender_geometry_sphere(&env, 1, NULL), fender_geometry_capsule(&env, 0.5, 2, NULL)};
    fender_pose xa = {{1, 2, 3}, {1, 0, 0, 0}}, xb = {{2, 2.5, 1}, {0, 0, 1, 0}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            fnd_posed a = {shapes[i], xa.p, fender_quaternion_matrix(xa.q)};
            fnd_posed b = {shapes[j], xb.p, fender_quaternion_matrix(xb.q)};
            fender_separation s, t;
            memset(&t, 0, sizeof t);
            assert_int_equal(fender_geometry_separation(shapes[i], &xa, shapes[j], &xb, &s), FENDER_STATUS_OK);
            fnd_pair_entry entry = fnd_pair_find(shapes[i], shapes[j]);
            fnd_query query = {FND_QUERY_SINGLE, INFINITY, NULL, NULL, 0};
            fnd_manifold found = {.items = &t, .capacity = 1};
            fnd_pair_evaluate(&entry, &a, &b, &query, &found);
            assert_int_equal(found.count, 1);
            assert_memory_equal(&s, &t, offsetof(fender_separation, weight_fades));
        }
    fender_geometry_release(shapes[0]);
    fender_geometry_release(shapes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_supported_in_both_orders),
        cmocka_unit_test(bad_arguments_change_nothing),
        cmocka_unit_test(a_quaternion_of_other_length_is_the_same_attitude),
        cmocka_unit_test(the_call_and_the_table_agree_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
