/* A hundred thousand volumes, moving and still, of sizes from 1 mm to 10 m among a terrain and a tilted plane, against
 * all pairs; what an update asks of the rules, and no memory once it is warm. */
#include "check.h"
#include "collide/broad_phase.h"
#include "random_numbers.h"
#include <stdlib.h>
#include <string.h>

enum { COUNT = 100000, SAMPLES = 400 };

typedef struct counting {
    int64_t asked, allocated;
} counting;

static bool eligible(const void *ctx, int low, int high)
{
    (void)low, (void)high;
    ((counting *)(uintptr_t)ctx)->asked++;
    return true;
}

static void *allocate(void *ctx, size_t size, size_t alignment)
{
    (void)alignment;
    ((counting *)ctx)->allocated++;
    return malloc(size);
}
static void release(void *ctx, void *memory, size_t size)
{
    (void)ctx, (void)size;
    free(memory);
}

static fnd_volume volume(fender_vec3 center, double size)
{
    return (fnd_volume){.box = {{center.x - size, center.y - size, center.z - size},
                                {center.x + size, center.y + size, center.z + size}},
                        .center = center,
                        .radius = size,
                        .present = true};
}

static void place(fnd_volume *v, random_stream *r)
{
    bool still = v->still;
    double size = pow(10, random_between(r, -3, -0.7)); /* few are large */
    if (random_below(r, 2000) == 0) size = 10;
    *v = volume(fender_vec3_make(random_between(r, -100, 100), random_between(r, -100, 100), random_between(r, -1, 20)),
                size);
    v->still = still;
}

/* The pairs of one volume, by trying all. */
static void check_one(const fnd_broad_phase *broad, int one)
{
    int64_t listed = 0, found = 0;
    for (int p = 0; p < broad->pair_count; p++)
        listed += (int)(broad->pairs[p] >> 32) == one || (int)(uint32_t)broad->pairs[p] == one;
    for (int i = 0; i < COUNT; i++) {
        const fnd_volume *a = &broad->volumes[one], *b = &broad->volumes[i];
        found += i != one && !(a->still && b->still) && fnd_volumes_overlap(a, b);
    }
    assert_true(listed == found);
}

static int by_lower(const void *a, const void *b)
{
    double x = ((const fnd_volume *)a)->box.lower[0], y = ((const fnd_volume *)b)->box.lower[0];
    return x < y ? -1 : x > y;
}

/* How many pairs there are: all whose boxes overlap along x are tried. */
static int64_t count_pairs(const fnd_broad_phase *broad)
{
    fnd_volume *sorted = malloc(COUNT * sizeof *sorted);
    assert_non_null(sorted);
    memcpy(sorted, broad->volumes, COUNT * sizeof *sorted);
    qsort(sorted, COUNT, sizeof *sorted, by_lower);
    int64_t found = 0;
    for (int i = 0; i < COUNT; i++)
        for (int k = i + 1; k < COUNT && sorted[k].box.lower[0] <= sorted[i].box.upper[0]; k++)
            found += !(sorted[i].still && sorted[k].still) && fnd_volumes_overlap(&sorted[i], &sorted[k]);
    free(sorted);
    return found;
}

static void check_all(const fnd_broad_phase *broad, random_stream *r)
{
    assert_true(count_pairs(broad) == broad->pair_count);
    for (int i = 0; i < broad->pair_count; i++) {
        int low = (int)(broad->pairs[i] >> 32), high = (int)(uint32_t)broad->pairs[i];
        assert_true(low < high && (i == 0 || broad->pairs[i - 1] < broad->pairs[i]));
        assert_true(fnd_volumes_overlap(&broad->volumes[low], &broad->volumes[high]));
    }
    for (int s = 0; s < SAMPLES / 20; s++) check_one(broad, random_below(r, COUNT));
}

static void many_volumes(void **state)
{
    (void)state;
    counting c = {0, 0};
    fender_env env = {.allocator = {allocate, release, &c}};
    fnd_broad_phase broad;
    random_stream r = random_of_case(97, 0);
    assert_true(fnd_broad_phase_create(&env, &broad, COUNT, 12 * COUNT));
    for (int i = 0; i < COUNT; i++) {
        broad.volumes[i].still = i % 3 == 0;
        place(&broad.volumes[i], &r);
    }
    broad.volumes[0] = volume(fender_vec3_make(0, 0, -1), 500); /* a terrain, 20 m high */
    broad.volumes[0].box.upper[2] = 1;
    broad.volumes[0].still = true;
    broad.volumes[3] = volume(fender_vec3_make(0, 0, 0), INFINITY); /* a plane that leans */
    broad.volumes[3].still = broad.volumes[3].half_space = true;
    broad.volumes[3].normal = fender_vec3_make(0.6, 0, 0.8);
    broad.volumes[3].offset = -30;
    assert_true(fnd_broad_phase_update(&env, &broad, eligible, &c));
    print_message("%d volumes: %d pairs, %lld asked for\n", COUNT, broad.pair_count, (long long)c.asked);
    assert_true(c.asked == broad.pair_count); /* every pair once */
    check_all(&broad, &r);
    int64_t before = c.allocated, moved = 0;
    for (int step = 0; step < 20; step++) {
        for (int i = 4; i < COUNT; i++) {
            if (broad.volumes[i].still || random_below(&r, 100) > 0) continue;
            place(&broad.volumes[i], &r);
            fnd_broad_phase_change(&broad, i, FND_VOLUME_MOVED);
            moved++;
        }
        assert_true(fnd_broad_phase_update(&env, &broad, eligible, &c));
        for (int s = 0; s < SAMPLES / 20; s++) check_one(&broad, random_below(&r, COUNT));
    }
    check_all(&broad, &r);
    print_message("%lld moved in 20 updates: %d pairs, %lld allocations\n", (long long)moved, broad.pair_count,
                  (long long)(c.allocated - before));
    assert_true(c.allocated == before);
    fnd_broad_phase_destroy(&env, &broad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_volumes)};
    return cmocka_run_group_tests_name("many volumes", tests, NULL, NULL);
}
