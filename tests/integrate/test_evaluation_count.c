/* The public count of evaluations: what docs/models/integrators.md says a step costs. */
/* items: C035 */
#include "check.h"
#include "scene.h"

static fender_world *flying_ball(fender_integrator_method method)
{
    scene s = scene_with_type(
        (scene_type){.law = SCENE_SPRING_DAMPER, .stiffness = 1e5, .damping = 10, .slip_speed = 1e-3});
    s.world.method = method;
    s.world.step = 1e-3;
    s.bodies[s.body_count++] = scene_ball(0, 1, 0.1);
    return scene_build(&s);
}

/* Stages of a method, the first of which is the evaluation of the step before. */
static void fixed_steps(void **state)
{
    (void)state;
    const struct {
        fender_integrator_method method;
        int64_t evaluations;
    } cases[] = {
        {FENDER_INTEGRATOR_RK4, 4}, {FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, 1}, {FENDER_INTEGRATOR_VELOCITY_VERLET, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_error error = {0};
        fender_world *world = flying_ball(cases[i].method);
        fender_snapshot *start = fender_snapshot_take(world, &error);
        int64_t before = fender_world_evaluation_count(world);
        assert_true(before > 0); /* the initial state */
        assert_int_equal(fender_world_advance(world, 100, &error), FENDER_STATUS_OK);
        int64_t after = fender_world_evaluation_count(world);
        assert_int_equal(after - before, 100 * cases[i].evaluations);
        /* work that was done stays done */
        assert_int_equal(fender_snapshot_restore(world, start, &error), FENDER_STATUS_OK);
        assert_true(fender_world_evaluation_count(world) >= after);
        fender_snapshot_destroy(start);
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fixed_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
