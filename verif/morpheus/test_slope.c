/* A block on four probes on a slope of 20 degrees: held by static friction, and sliding as the closed form says. */
/* items: M041 */
#include "block.h"

static void slides(void **state)
{
    (void)state;
    for (int literal = 0; literal < 2; literal++) {
        vehicle_set_up s = block_on_slope(0.3, 0.25, 1e-3);
        s.literal = literal;
        vehicle v = vehicle_build(&s);
        check_ok(fender_world_advance_to(v.world, 10, &error)); /* its sink and tilt settle */
        fender_body_data from = vehicle_data(&v);
        check_ok(fender_world_advance_to(v.world, 12, &error));
        fender_body_data to = vehicle_data(&v);
        double measured = fender_vec3_length(fender_vec3_sub(to.center_velocity, from.center_velocity)) / 2;
        double expected = 9.80665 * (sin(BLOCK_SLOPE) - 0.25 * cos(BLOCK_SLOPE));
        print_message("%s: acceleration %.12f m/s^2, closed form %.12f (off by %.1e)\n",
                      literal ? "literal" : "conservative", measured, expected, fabs(measured / expected - 1));
        check_near(measured, expected, 1e-6 * expected);
        fender_world_destroy(v.world);
    }
}

/* Half a minute of the hour that the slow test takes. */
static void rests(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        /* with 0.5 the uphill legs, of which the pull takes the load, slip at first and stick again */
        vehicle_set_up s = block_on_slope(k == 0 ? 0.9 : 0.5, 0.4, 2e-3);
        block_creep creep = block_watch(&s, 10, 30);
        print_message("held by %.1f: largest displacement in 20 s after 10 s of settling %.1e m, %d slips\n",
                      s.l.mu_static, creep.most, creep.slips);
        check_below(creep.most, 1e-9);
        assert_true(k == 0 ? creep.slips == 0 : creep.slips > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slides), cmocka_unit_test(rests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
