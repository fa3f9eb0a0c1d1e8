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

/* A pair of many points, several to a feature, in no order. */
enum { POINTS = 1500, FEATURES = 700 };
static void many_points(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    (void)a, (void)b;
    uint32_t state = 7;
    for (int i = 0; i < (int)query->reach; i++) {
        state = 1664525 * state + 1013904223;
        fender_separation s = fnd_single(0.001 * i, fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0),
                                         fender_vec3_make(0, 0, 1), (state >> 8) % FEATURES);
        s.index = i;
        fnd_manifold_add(out, s);
    }
}

/* With room behind them, memory for it, or neither; what was in the list before stays first. */
static void many_points_are_sorted_by_feature(void **unused)
{
    (void)unused;
    static fender_separation room[2 * POINTS + 2];
    const fender_env env = fender_env_default();
    const fnd_pair_entry entry = {many_points, false};
    const fender_geometry point = {.type = FENDER_GEOMETRY_POINT};
    const fnd_posed none = {.geometry = &point};
    for (int way = 0; way < 3; way++)
        for (int count = 0; count <= POINTS; count = count < 80 ? count + 1 : 2 * count - 7) {
            fnd_manifold found = {.items = way < 2 ? room : NULL, .env = way < 2 ? NULL : &env};
            if (way < 2) found.capacity = way == 0 ? 2 * POINTS + 2 : count + 1;
            fnd_manifold_add(&found, fnd_single(0, none.p_WG, none.p_WG, none.p_WG, UINT64_MAX));
            const fnd_query query = {FND_QUERY_PATCH, count, NULL, NULL, 0};
            fnd_pair_evaluate(&entry, &none, &none, &query, &found);
            assert_false(found.failed);
            assert_int_equal(found.count, count + 1);
            assert_true(found.items[0].feature == UINT64_MAX);
            int64_t sum = 0;
            for (int i = 1; i <= count; i++) {
                const fender_separation *before = &found.items[i - 1], *s = &found.items[i];
                sum += s->index;
                assert_true(s->distance == 0.001 * s->index);
                if (i == 1) continue;
                assert_true(before->feature < s->feature ||
                            (before->feature == s->feature && before->index < s->index));
            }
            assert_true(sum == (int64_t)count * (count - 1) / 2);
            if (way == 2) fnd_manifold_release(&found);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_supported_in_both_orders),
        cmocka_unit_test(bad_arguments_change_nothing),
        cmocka_unit_test(a_quaternion_of_other_length_is_the_same_attitude),
        cmocka_unit_test(the_call_and_the_table_agree_to_the_bit),
        cmocka_unit_test(many_points_are_sorted_by_feature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
