/* Threads of a pool: every turn of a loop is done once, a condition fails wherever it fails. */
#include "base/pool.h"
#include "check.h"

enum { TURNS = 1000 };
static const int counts[] = {0, 1, 2, 63, 64, 127, 128, 129, TURNS};
enum { COUNTS = sizeof counts / sizeof counts[0], BLOCK = 64 };

static void count_turns(void *ctx, int from, int to)
{
    int *turns = ctx;
    for (int i = from; i < to; i++) turns[i]++;
}

static void each_turn_once(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    for (int threads = 1; threads <= 4; threads++) {
        fnd_pool *pool = threads > 1 ? fnd_pool_create(&env, threads) : NULL;
        for (int c = 0; c < COUNTS; c++) {
            int turns[TURNS + 1] = {0};
            fnd_pool_blocks(pool, count_turns, turns, counts[c], BLOCK);
            for (int i = 0; i <= TURNS; i++) assert_int_equal(turns[i], i < counts[c]);
        }
        fnd_pool_destroy(pool);
    }
}

/* Is none of them zero? */
static bool all_set(const void *ctx, int from, int to)
{
    const int *values = ctx;
    for (int i = from; i < to; i++)
        if (values[i] == 0) return false;
    return true;
}

static void conditions(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    int values[TURNS];
    for (int i = 0; i < TURNS; i++) values[i] = 1;
    for (int threads = 1; threads <= 3; threads++) {
        fnd_pool *pool = threads > 1 ? fnd_pool_create(&env, threads) : NULL;
        for (int c = 0; c < COUNTS; c++) {
            assert_true(fnd_pool_all(pool, all_set, values, counts[c], BLOCK));
            for (int at = 0; at < TURNS; at += 37) {
                values[at] = 0;
                assert_true(fnd_pool_all(pool, all_set, values, counts[c], BLOCK) == (at >= counts[c]));
                values[at] = 1;
            }
        }
        fnd_pool_destroy(pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_turn_once), cmocka_unit_test(conditions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
