/* The broad phase against all pairs, over moving boxes. */
#include "check.h"
#include "collide/broad_phase.h"
#include "random_numbers.h"
#include <stdlib.h>

enum { COUNT = 120 };

/* Every third pair is not eligible. */
static bool eligible(const void *ctx, int low, int high)
{
    assert_true(low < high);
    ++*(int *)(uintptr_t)ctx;
    return (low + high) % 3 != 0;
}

static bool overlap(const fnd_fat_box *a, const fnd_fat_box *b)
{
    const double d[] = {a->center.x - b->center.x, a->center.y - b->center.y, a->center.z - b->center.z};
    const double s[] = {a->half.x + b->half.x, a->half.y + b->half.y, a->half.z + b->half.z};
    for (int k = 0; k < 3; k++)
        if (fabs(d[k]) > s[k]) return false;
    return a->present && b->present;
}

static void against_all_pairs(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    int found = 0;
    for (uint64_t n = 0; n < 40; n++) {
        random_stream r = random_of_case(95, n);
        fnd_broad_phase broad;
        assert_true(fnd_broad_phase_create(&env, &broad, COUNT, 1)); /* grows */
        fender_vec3 stretch = {n % 3 == 0 ? 10 : 1, n % 3 == 1 ? 10 : 1, n % 3 == 2 ? 10 : 1};
        fender_vec3 velocities[COUNT];
        for (int i = 0; i < COUNT; i++) {
            fender_vec3 p = random_in_ball(&r, 3);
            broad.boxes[i].center = fender_vec3_make(p.x * stretch.x, p.y * stretch.y, p.z * stretch.z);
            broad.boxes[i].half = fender_vec3_make(random_between(&r, 0, 1), random_between(&r, 0, 1),
                                                   random_between(&r, 0, 1));
            broad.boxes[i].present = random_below(&r, 10) > 0;
            velocities[i] = random_in_ball(&r, 0.3);
        }
        for (int step = 0; step < 30; step++) {
            int asked = 0, at = 0;
            assert_true(fnd_broad_phase_rebuild(&env, &broad, eligible, &asked));
            assert_true(broad.valid);
            for (int i = 0; i < COUNT; i++)
                for (int k = i + 1; k < COUNT; k++) {
                    if ((i + k) % 3 == 0 || !overlap(&broad.boxes[i], &broad.boxes[k])) continue;
                    assert_true(at < broad.pair_count);
                    assert_true(broad.pairs[at++] == ((uint64_t)i << 32 | (uint64_t)k)); /* in rising order */
                }
            assert_int_equal(at, broad.pair_count);
            found += at;
            for (int i = 0; i < COUNT; i++) {
                broad.boxes[i].center = fender_vec3_add(broad.boxes[i].center, velocities[i]);
                if (random_below(&r, 50) == 0) broad.boxes[i].present = !broad.boxes[i].present;
            }
        }
        fnd_broad_phase_destroy(&env, &broad);
    }
    printf("broad phase: %d pairs, each found by trying all\n", found);
    assert_true(found > 5000);
}

/* Boxes that touch exactly, coincide, have no size, or are alone. */
static void edges(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fnd_broad_phase broad;
    int asked = 0;
    assert_true(fnd_broad_phase_create(&env, &broad, 0, 0));
    assert_true(fnd_broad_phase_rebuild(&env, &broad, eligible, &asked));
    assert_int_equal(broad.pair_count, 0);
    fnd_broad_phase_destroy(&env, &broad);
    assert_true(fnd_broad_phase_create(&env, &broad, 3, 0));
    for (int i = 0; i < 3; i++)
        broad.boxes[i] = (fnd_fat_box){{2.0 * i, 0, 0}, {1, 1, 1}, true}; /* in a row, face to face */
    assert_true(fnd_broad_phase_rebuild(&env, &broad, eligible, &asked));
    assert_int_equal(broad.pair_count, 1); /* 0-1; 1-2 is not eligible, 0-2 is apart */
    for (int i = 0; i < 3; i++) broad.boxes[i] = (fnd_fat_box){{5, 5, 5}, {0, 0, 0}, true};
    assert_true(fnd_broad_phase_rebuild(&env, &broad, eligible, &asked));
    assert_int_equal(broad.pair_count, 2);
    fnd_broad_phase_destroy(&env, &broad);
}

static void fat_boxes(void **state)
{
    (void)state;
    fnd_fat_box fat = {{1, 2, 3}, {1, 1, 1}, true};
    assert_true(fnd_fat_box_holds(&fat, fender_vec3_make(1, 2, 3), fender_vec3_make(1, 1, 1)));
    assert_true(fnd_fat_box_holds(&fat, fender_vec3_make(1.5, 2, 3), fender_vec3_make(0.5, 1, 1)));
    assert_false(fnd_fat_box_holds(&fat, fender_vec3_make(1.5, 2, 3), fender_vec3_make(0.6, 1, 1)));
    assert_false(fnd_fat_box_holds(&fat, fender_vec3_make(1, 2, NAN), fender_vec3_make(0, 0, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_all_pairs),
        cmocka_unit_test(edges),
        cmocka_unit_test(fat_boxes),
    };
    return cmocka_run_group_tests_name("broad phase", tests, NULL, NULL);
}
