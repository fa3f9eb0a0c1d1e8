/* The search of convex pairs in registers of every width: the same bits; large hulls by cells as by a scan of all. */
#include "collide/convex.h"
#include "repeats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static uint64_t state = 5;
static double uniform(double low, double high)
{
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return low + (high - low) * (double)(z >> 11) * 0x1p-53;
}

static fender_geometry *round_hull(int count)
{
    static fender_vec3 points[5000];
    for (int i = 0; i < count; i++) {
        fender_vec3 v = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        double length = fender_vec3_length(v);
        points[i] = fender_vec3_make(v.x / length, 0.7 * v.y / length, 0.4 * v.z / length);
    }
    fender_env env = fender_env_default();
    fender_geometry *g = fender_geometry_hull(&env, points, count, NULL);
    assert_non_null(g);
    return g;
}

static fnd_posed placed(const fender_geometry *geometry, double distance)
{
    fender_quaternion q = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    fender_vec3 p = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    return (fnd_posed){geometry, fender_vec3_scale(distance / fender_vec3_length(p), p),
                       fender_quaternion_matrix(fender_quaternion_normalized(q))};
}

static void widths_agree(void **unused)
{
    (void)unused;
    static const int sizes[] = {4, 8, 20, 33, 150, 201, 700, repeats(4500)};
    enum { SIZES = 8 };
    fender_geometry *hulls[SIZES];
    fnd_convex_search_function *others[2] = {NULL, NULL};
#ifdef FND_WIDE
    if (__builtin_cpu_supports("avx2")) others[0] = fnd_convex_search_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) others[1] = fnd_convex_search_avx512;
#endif
    for (int i = 0; i < SIZES; i++) hulls[i] = round_hull(sizes[i]);
    int compared = 0, overlaps = 0;
    for (int i = 0; i < repeats(4000); i++) {
        fnd_posed a = placed(hulls[(int)uniform(0, SIZES)], 0);
        fnd_posed b = placed(hulls[(int)uniform(0, SIZES)], uniform(0, 2.5));
        fnd_convex_pair pair;
        fnd_core_separation plain, wide;
        fender_separation_cache caches[3];
        memset(caches, 0, sizeof caches);
        for (int frame = 0; frame < 2; frame++) {
            assert_true(fnd_convex_search_plain(&a, &b, &pair, INFINITY, &caches[2], false, &plain));
            overlaps += plain.distance < 0;
            for (int k = 0; k < 2; k++) {
                if (!others[k]) continue;
                assert_true(others[k](&a, &b, &pair, INFINITY, &caches[k], false, &wide));
                assert_memory_equal(&plain, &wide, sizeof plain);
                assert_memory_equal(&caches[2], &caches[k], sizeof caches[k]);
                compared++;
            }
            b.p_WG = fender_vec3_add_scaled(b.p_WG, 0.01, fender_mat3_column(&a.R_WG, 0));
        }
    }
    print_message("%d searches compared, %d of %d poses overlap\n", compared, overlaps, 2 * repeats(4000));
    assert_true(overlaps > repeats(500) && overlaps < repeats(7500));
    for (int i = 0; i < SIZES; i++) fender_geometry_release(hulls[i]);
}

/* The vertex that the search takes as farthest is as far as any: checked by the bound that the answer's normal gives.
 */
static void large_hulls_are_searched_wholly(void **unused)
{
    (void)unused;
    static const int sizes[] = {150, 201, 700, repeats(4500)};
    double worst = 0;
    for (int i = 0; i < 4; i++) {
        fender_geometry *g = round_hull(sizes[i]);
        int count;
        const fender_vec3 *v = fender_geometry_vertices(g, &count);
        for (int k = 0; k < repeats(300); k++) {
            fnd_posed a = placed(g, 0), b = placed(g, uniform(0.2, 2.5));
            fnd_convex_pair pair;
            fnd_core_separation s;
            assert_true(fnd_convex_search_plain(&a, &b, &pair, INFINITY, NULL, false, &s));
            double top = -INFINITY, bottom = INFINITY;
            for (int n = 0; n < count; n++) {
                double x = fender_vec3_dot(v[n], s.normal);
                double y = fender_vec3_dot(fender_vec3_add(fender_mat3_times(&pair.R_AB, v[n]), pair.p_AB), s.normal);
                top = x > top ? x : top, bottom = y < bottom ? y : bottom;
            }
            double error = fabs(bottom - top - s.distance);
            worst = error > worst ? error : worst;
        }
        fender_geometry_release(g);
    }
    print_message("1200 pairs of large hulls: bound of the normal and distance differ by %.2g m at most\n", worst);
    assert_true(worst < 2e-14); /* rounding of sums of lengths up to 4 m */
}

/* A cache that holds anything does no harm: wrong numbers, another pair's, changed order. */
static void any_cache_will_do(void **unused)
{
    (void)unused;
    fender_geometry *g = round_hull(40), *h = round_hull(300);
    fender_env env = fender_env_default();
    fender_geometry *c = fender_geometry_capsule(&env, 0.1, 0.5, NULL);
    const fender_geometry *all[] = {g, h, c};
    double worst = 0;
    fender_separation_cache cache = {{0}};
    for (int i = 0; i < repeats(3000); i++) {
        fender_quaternion q = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        fender_pose x = {{0, 0, 0}, {1, 0, 0, 0}}, y = {{uniform(-2, 2), uniform(-2, 2), 0}, q};
        const fender_geometry *a = all[(int)uniform(0, 2)], *b = all[(int)uniform(0, 3)];
        if (i % 3 == 0) {
            cache.words[0] = (uint64_t)uniform(0, 8);
            for (int k = 1; k < 5; k++) cache.words[k] = (uint64_t)uniform(0, 60) << 32 | (uint64_t)uniform(0, 60);
        }
        fender_separation cold, warm;
        assert_int_equal(fender_geometry_separation(a, &x, b, &y, &cold), FENDER_STATUS_OK);
        assert_int_equal(fender_geometry_separation_cached(a, &x, b, &y, &cache, &warm), FENDER_STATUS_OK);
        double error = fabs(cold.distance - warm.distance);
        worst = error > worst ? error : worst;
    }
    print_message("3000 warm starts from any cache: distances differ by %.2g m at most\n", worst);
    assert_true(worst < 2e-14);
    fender_geometry_release(g);
    fender_geometry_release(h);
    fender_geometry_release(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(widths_agree),
                                       cmocka_unit_test(large_hulls_are_searched_wholly),
                                       cmocka_unit_test(any_cache_will_do)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
