/* Every allocation of every command fails once: the program ends with a message and an exit code, and frees all. */
#include "harness.h"

typedef struct counter {
    fender_allocator under;
    long calls, fail_at, live; /* fail_at 0: none fails */
    size_t bytes;
} counter;

static void *count_allocate(void *ctx, size_t size, size_t alignment)
{
    counter *count = ctx;
    if (++count->calls == count->fail_at) return NULL;
    void *memory = count->under.allocate(count->under.ctx, size, alignment);
    if (memory != NULL) {
        count->live++;
        count->bytes += size;
    }
    return memory;
}

static void count_release(void *ctx, void *memory, size_t size)
{
    counter *count = ctx;
    count->live--;
    count->bytes -= size;
    count->under.release(count->under.ctx, memory, size);
}

static const char *const lines[] = {
    "fender --help",
    "fender check two_spheres.yaml --set integrator.step=1ms",
    "fender explain three_bodies.yaml ball table",
    "fender info channels",
    "fender run two_spheres.yaml --set run.until=5.1s",
    "fender run two_spheres.yaml --set run.until=5.1s --json",
    "fender report two_spheres.run",
    "fender export springs.run --gltf run.glb --frames 2",
    "fender export two_spheres.run --gltf run.glb --frames 2",
    "fender export springs.run --vtk run.vtk --frames 2",
    "fender export two_spheres.run --vtk run.vtk --frames 2",
    "fender converge two_spheres.yaml --set run.until=5.1s --levels 3 --channel bodies.*.kinetic_energy",
    "fender compare table_a.csv table_b.csv --abs 1e-3 --map body.mode=body.mode",
    "fender plot table_a.csv body.position --out plot.svg --text",
};

static void each_allocation_fails_once(void **state)
{
    static outcome result;
    fender_env base = fender_env_default();
    long total = 0;
    (void)state;
    harness_run_with(&base, "fender run springs.yaml --set run.until=10ms", &result);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        counter count = {.under = base.allocator};
        fender_env env = base;
        env.allocator = (fender_allocator){count_allocate, count_release, &count};
        harness_run_with(&env, lines[i], &result);
        assert_int_equal(count.live, 0);
        assert_int_equal(count.bytes, 0);
        /* where 1 means that two recordings differ, all that fails is 2 */
        int failed = strncmp(lines[i], "fender compare", 14) == 0 ? FND_APP_USAGE : FND_APP_RUN_FAILED;
        assert_true(result.code == FND_APP_OK || result.code == FND_APP_EXPECTATION);
        int clean_code = result.code;
        long clean = count.calls;
        print_message("%5ld allocations: %s\n", clean, lines[i]);
        for (long n = 1; n <= clean; n++) {
            count.calls = 0;
            count.fail_at = n;
            harness_run_with(&env, lines[i], &result);
            if (count.live != 0 || count.bytes != 0)
                fail_msg("allocation %ld of `%s`: %ld blocks leaked", n, lines[i], count.live);
            if (result.code != failed || strstr(result.err, "memory") == NULL)
                fail_msg("allocation %ld of `%s`: exit %d, not %d; error output: %s", n, lines[i], result.code,
                         clean_code, result.err);
        }
        total += clean;
    }
    print_message("%5ld allocations failed in turn\n", total);
}

int main(void)
{
    char folder[64];
    harness_enter_folder(folder);
    harness_copy_input("two_spheres.yaml");
    harness_copy_input("three_bodies.yaml");
    harness_copy_input("springs.yaml");
    harness_copy_input("table_a.csv");
    harness_copy_input("table_b.csv");
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails_once)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    harness_leave_folder(folder);
    return failed;
}
