/* fender_world_stable_step on a few of the random systems of slow/, and where there is no limit. */
#include "check.h"
#include "stable_systems.h"

static void chains_as_their_modes(void **state)
{
    (void)state;
    check_below(chains_off(0, 30), 0.11);
}

static void balls_as_they_run(void **state)
{
    (void)state;
    assert_int_equal(rests_wrong(0, 60), 0);
}

static void far_from_rest_too(void **state)
{
    (void)state;
    check_below(pressed_off(), 0.11);
    check_below(turned_off(), 0.11);
}

static void free_flight_has_none(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = FENDER_INTEGRATOR_RK4;
    fender_world *world = fender_world_create(&env, &def, NULL);
    fender_body_def body = fender_body_def_default();
    fender_body_id id;
    double longest;
    fender_error refused = {0};
    body.name = "flier";
    body.mass_properties.mass = 1;
    body.mass_properties.inertia = fender_mat3_diagonal(1, 2, 2.5);
    body.state.angular_velocity = fender_vec3_make(0.3, 0.1, -0.2);
    check_ok(fender_body_create(world, &body, &id, &error));
    assert_int_equal(fender_world_stable_step(world, &longest, &refused), FENDER_STATUS_STATE);
    check_ok(fender_world_initialize(world, &error));
    assert_int_equal(fender_world_stable_step(world, NULL, &refused), FENDER_STATUS_ARGUMENT);
    const uint64_t hash = fender_world_hash(world);
    check_ok(fender_world_stable_step(world, &longest, &error));
    assert_true(longest > 10 * def.step);
    assert_true(fender_world_hash(world) == hash);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chains_as_their_modes), cmocka_unit_test(balls_as_they_run),
                                       cmocka_unit_test(far_from_rest_too), cmocka_unit_test(free_flight_has_none)};
    return cmocka_run_group_tests_name("stable step", tests, NULL, NULL);
}
