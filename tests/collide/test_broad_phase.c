/* The broad phase against all pairs, over moving volumes of all sizes. */
/* items: C005 C015 */
#include "check.h"
#include "collide/broad_phase.h"
#include "math/rotation.h"
#include "random_numbers.h"
#include <stdlib.h>
#include <string.h>

enum { COUNT = 120 };

/* Every third pair is not eligible, or another third, as `turn` says. */
typedef struct opinion {
    int turn;
    int64_t asked;
} opinion;

static bool eligible(const void *ctx, int low, int high)
{
    opinion *o = (opinion *)(uintptr_t)ctx;
    assert_true(low < high);
    o->asked++;
    return (low + high) % 3 != o->turn;
}

/* What the header says, in the plainest words. */
static bool overlap(const fnd_volume *a, const fnd_volume *b)
{
    for (int k = 0; k < 3; k++)
        if (a->box.lower[k] > b->box.upper[k] || b->box.lower[k] > a->box.upper[k]) return false;
    if (fender_vec3_length(fender_vec3_sub(a->center, b->center)) > (a->radius + b->radius) * (1 + 1e-12)) return false;
    return a->present && b->present && !(a->still && b->still);
}

static fnd_volume volume(fender_vec3 center, fender_vec3 half, double radius)
{
    return (fnd_volume){.box = {{center.x - half.x, center.y - half.y, center.z - half.z},
                                {center.x + half.x, center.y + half.y, center.z + half.z}},
                        .center = center,
                        .radius = radius,
                        .present = true};
}

/* One in five is much larger, some have no end, some are still, half of the others are tightened by their ball. */
static fnd_volume random_volume(random_stream *r, fender_vec3 stretch)
{
    fender_vec3 p = random_in_ball(r, 3);
    p = fender_vec3_make(p.x * stretch.x, p.y * stretch.y, p.z * stretch.z);
    double size = random_below(r, 5) == 0 ? 3 : pow(10, random_between(r, -4, 0));
    fender_vec3 half = fender_vec3_make(random_between(r, 0, size), random_between(r, 0, size),
                                        random_between(r, 0, size));
    if (random_below(r, 40) == 0) half.y = INFINITY;
    fnd_volume v = volume(p, half, fender_vec3_length(half));
    if (random_below(r, 2) == 0) v.radius *= 0.6;
    v.still = random_below(r, 3) == 0;
    v.present = random_below(r, 10) > 0;
    return v;
}

static void move(fnd_volume *v, fender_vec3 by)
{
    const double d[] = {by.x, by.y, by.z};
    for (int k = 0; k < 3; k++) {
        v->box.lower[k] += d[k];
        v->box.upper[k] += d[k];
    }
    v->center = fender_vec3_add(v->center, by);
}

/* The list is that of trying all, and the edits lead from the list before to it. Returns how many pairs there are. */
static int check_pairs(fnd_broad_phase *broad, opinion *o, uint64_t *rows, int *row_count)
{
    fender_env env = fender_env_default();
    if (!broad->valid) *row_count = 0;
    assert_true(fnd_broad_phase_update(&env, broad, eligible, o));
    assert_true(broad->valid);
    int at = 0;
    for (int i = 0; i < COUNT; i++)
        for (int k = i + 1; k < COUNT; k++) {
            if ((i + k) % 3 == o->turn || !overlap(&broad->volumes[i], &broad->volumes[k])) continue;
            assert_true(at < broad->pair_count);
            assert_true(broad->pairs[at++] == ((uint64_t)i << 32 | (uint64_t)k)); /* in increasing order */
        }
    assert_int_equal(at, broad->pair_count);
    fnd_rows_edit(rows, sizeof *rows, *row_count, broad);
    for (int k = 0; k < broad->added_count; k++) rows[broad->added[k]] = broad->pairs[broad->added[k]];
    *row_count = broad->pair_count;
    assert_memory_equal(rows, broad->pairs, (size_t)at * sizeof *rows);
    return at;
}

static void against_all_pairs(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    static uint64_t rows[COUNT * COUNT];
    int found = 0, row_count = 0, updates = 0;
    for (uint64_t n = 0; n < 60; n++) {
        random_stream r = random_of_case(95, n);
        fnd_broad_phase broad;
        opinion o = {0, 0};
        assert_true(fnd_broad_phase_create(&env, &broad, COUNT, 1)); /* grows */
        fender_vec3 stretch = {n % 3 == 0 ? 10 : 1, n % 3 == 1 ? 10 : 1, n % 3 == 2 ? 10 : 1};
        fender_vec3 velocities[COUNT];
        for (int i = 0; i < COUNT; i++) {
            broad.volumes[i] = random_volume(&r, stretch);
            velocities[i] = random_in_ball(&r, 0.3);
        }
        for (int step = 0; step < 40; step++) {
            found += check_pairs(&broad, &o, rows, &row_count);
            updates++;
            int one_in = step % 4 == 0 ? 1 : 12; /* all move, or few */
            for (int i = 0; i < COUNT; i++) {
                if (broad.volumes[i].still || random_below(&r, one_in) > 0) continue;
                move(&broad.volumes[i], velocities[i]);
                fnd_broad_phase_change(&broad, i, FND_VOLUME_MOVED);
            }
            for (int i = 0; i < COUNT; i++) {
                if (random_below(&r, 50) > 0) continue;
                broad.volumes[i] = random_volume(&r, stretch);
                fnd_broad_phase_change(&broad, i, FND_VOLUME_ANEW);
            }
            if (random_below(&r, 10) == 0) { /* other pairs are eligible */
                o.turn = random_below(&r, 3);
                for (int i = 0; i < COUNT; i++) fnd_broad_phase_change(&broad, i, FND_VOLUME_ANEW);
            }
            if (random_below(&r, 20) == 0) broad.valid = false;
        }
        fnd_broad_phase_destroy(&env, &broad);
    }
    print_message("broad phase: %d pairs in %d updates, each found by trying all\n", found, updates);
    assert_true(found > 50000);
}

/* Nothing is asked when nothing changes; one volume that moves asks for its new pairs alone. */
static void asks_once(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fnd_broad_phase broad;
    opinion o = {-1, 0};
    assert_true(fnd_broad_phase_create(&env, &broad, COUNT, 0));
    for (int i = 0; i < COUNT; i++)
        broad.volumes[i] = volume(fender_vec3_make(i, 0, 0), fender_vec3_make(0.6, 1, 1), 2); /* a row of neighbours */
    assert_true(fnd_broad_phase_update(&env, &broad, eligible, &o));
    assert_int_equal(broad.pair_count, COUNT - 1);
    assert_int_equal(o.asked, COUNT - 1);
    assert_true(fnd_broad_phase_update(&env, &broad, eligible, &o));
    assert_int_equal(broad.added_count + broad.removed_count, 0);
    broad.volumes[50].box.upper[0] += 1; /* now it meets 52 too */
    fnd_broad_phase_change(&broad, 50, FND_VOLUME_MOVED);
    assert_true(fnd_broad_phase_update(&env, &broad, eligible, &o));
    assert_int_equal(o.asked, COUNT);
    assert_int_equal(broad.pair_count, COUNT);
    assert_true(broad.pairs[51] == ((uint64_t)50 << 32 | 52) && broad.pairs[52] == ((uint64_t)51 << 32 | 52));
    fnd_broad_phase_destroy(&env, &broad);
}

/* Volumes that touch exactly, coincide, have no size, or are alone. */
static void edges(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fnd_broad_phase broad;
    opinion o = {0, 0};
    assert_true(fnd_broad_phase_create(&env, &broad, 0, 0));
    assert_true(fnd_broad_phase_update(&env, &broad, eligible, &o));
    assert_int_equal(broad.pair_count, 0);
    fnd_broad_phase_destroy(&env, &broad);
    assert_true(fnd_broad_phase_create(&env, &broad, 3, 0));
    for (int i = 0; i < 3; i++) /* in a row, face to face */
        broad.volumes[i] = volume(fender_vec3_make(2.0 * i, 0, 0), fender_vec3_make(1, 1, 1), 2);
    assert_true(fnd_broad_phase_update(&env, &broad, eligible, &o));
    assert_int_equal(broad.pair_count, 1); /* 0-1; 1-2 is not eligible, 0-2 is apart */
    for (int i = 0; i < 3; i++) {
        broad.volumes[i] = volume(fender_vec3_make(5, 5, 5), fender_vec3_make(0, 0, 0), 0);
        fnd_broad_phase_change(&broad, i, FND_VOLUME_MOVED);
    }
    assert_true(fnd_broad_phase_update(&env, &broad, eligible, &o));
    assert_int_equal(broad.pair_count, 2);
    broad.volumes[1].center = fender_vec3_make(NAN, 5, 5); /* is nowhere, and does no harm */
    broad.volumes[1].box.lower[0] = broad.volumes[1].box.upper[0] = NAN;
    fnd_broad_phase_change(&broad, 1, FND_VOLUME_MOVED);
    assert_true(fnd_broad_phase_update(&env, &broad, eligible, &o));
    assert_int_equal(broad.pair_count, 1);
    fnd_broad_phase_destroy(&env, &broad);
}

/* A half space that leans meets what reaches below its plane, and no more. */
static void half_spaces(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fnd_broad_phase broad;
    opinion o = {-1, 0};
    int met = 0;
    assert_true(fnd_broad_phase_create(&env, &broad, COUNT, 0));
    for (uint64_t n = 0; n < 50; n++) {
        random_stream r = random_of_case(96, n);
        fnd_volume plane = volume(fender_vec3_make(0, 0, 0), fender_vec3_make(INFINITY, INFINITY, INFINITY), INFINITY);
        plane.half_space = plane.still = true;
        plane.normal = random_direction(&r);
        plane.offset = random_between(&r, -2, 2);
        broad.volumes[0] = plane;
        for (int i = 1; i < COUNT; i++) { /* spheres on a line away from each other */
            fender_vec3 p = fender_vec3_add_scaled(random_in_ball(&r, 3), 20.0 * i, fnd_any_tangent(plane.normal));
            double size = random_between(&r, 0.01, 2);
            broad.volumes[i] = volume(p, fender_vec3_make(size, size, size), size);
        }
        for (int i = 0; i < COUNT; i++) fnd_broad_phase_change(&broad, i, FND_VOLUME_ANEW);
        assert_true(fnd_broad_phase_update(&env, &broad, eligible, &o));
        for (int i = 1, at = 0; i < COUNT; i++) {
            const fnd_volume *v = &broad.volumes[i];
            bool listed = at < broad.pair_count && broad.pairs[at] == (uint64_t)i;
            at += listed;
            assert_true(listed == (fender_vec3_dot(plane.normal, v->center) - v->radius <= plane.offset));
            met += listed;
        }
    }
    print_message("half spaces: %d of %d balls reach below\n", met, 50 * (COUNT - 1));
    fnd_broad_phase_destroy(&env, &broad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_all_pairs),
        cmocka_unit_test(asks_once),
        cmocka_unit_test(edges),
        cmocka_unit_test(half_spaces),
    };
    return cmocka_run_group_tests_name("broad phase", tests, NULL, NULL);
}
