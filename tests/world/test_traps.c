/* Hosts that trap floating-point exceptions: the same bits, and their traps and flags are as before. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* feenableexcept */
#endif
#include <fenv.h>

#include "check.h"
#include "scene.h"
#include <fender/fender.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__)
enum { TRAPPED = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW };

static const unsigned every_law = 1u << SCENE_JEOD_SPRING | 1u << SCENE_SPRING_DAMPER | 1u << SCENE_NORMAL_AND_COULOMB;

/* Moving bodies with located events and many contacts, whose lanes are seldom all in use. */
static uint64_t hash_after_steps(int n, bool trapped, int threads)
{
    random_stream r = random_of_case(331, (uint64_t)n);
    scene s = scene_random(&r, 4, 6, every_law);
    scene_crowd(&s, &r);
    s.world.locate_events = n % 2;
    s.world.step = 1e-3;
    s.world.threads = threads;
    (void)feclearexcept(FE_ALL_EXCEPT); /* of the run without traps */
    if (trapped) assert_true(feenableexcept(TRAPPED) >= 0);
    fender_world *world = scene_build(&s);
    for (int i = 0; i < 50; i++) check_ok(fender_world_step(world, &error));
    if (trapped) {
        assert_int_equal(fegetexcept() & TRAPPED, TRAPPED);
        assert_int_equal(fetestexcept(TRAPPED), 0);
        (void)fedisableexcept(TRAPPED);
    }
    const uint64_t hash = fender_world_hash(world);
    fender_world_destroy(world);
    return hash;
}

static void steps(void **state)
{
    (void)state;
    for (int n = 0; n < 20; n++) {
        const uint64_t hash = hash_after_steps(n, false, 1);
        assert_true(hash_after_steps(n, true, 1) == hash);
        assert_true(hash_after_steps(n, true, 2) == hash);
    }
}

/* Fresh memory, as a new process has it: lanes without a triangle divide zero by zero. */
static void *allocate_fresh(void *ctx, size_t size, size_t alignment)
{
    (void)ctx;
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    return memory ? memset(memory, 0, size) : NULL;
}

static void release_fresh(void *ctx, void *memory, size_t size)
{
    (void)ctx, (void)size;
    free(memory);
}

/* Two triangles at a right angle: the other lanes of their block have none. */
static void meshes(void **state)
{
    (void)state;
    static const fender_vec3 vertices[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 1}};
    static const int32_t triangles[] = {0, 2, 1, 0, 1, 3};
    fender_env env = fender_env_default();
    env.allocator = (fender_allocator){allocate_fresh, release_fresh, NULL};
    const fender_mesh_def def = {vertices, 4, triangles, 2};
    assert_true(feenableexcept(TRAPPED) >= 0);
    fender_geometry *mesh = fender_geometry_mesh(&env, &def, NULL);
    assert_int_equal(fegetexcept() & TRAPPED, TRAPPED);
    (void)fedisableexcept(TRAPPED);
    assert_non_null(mesh);
    fender_geometry_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps), cmocka_unit_test(meshes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) { return 0; } /* nobody can trap */
#endif
