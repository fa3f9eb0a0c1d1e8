/* Friction whose law leaves it to the world where sliding and rolling end: a body comes to rest at any step. */
/* items: M011 S077 */
#include "ground.h"

#include <fender/laws.h>

static const double G = 9.81, MU = 0.5, ARM = 2e-3; /* m/s^2, 1, m */

/* A block, or the ball, with springs that swing in 63 steps. */
static ground_set_up thrown(fender_integrator_method method, double step, bool block)
{
    ground_set_up s = block ? ground_block() : ground_default();
    const double stiffness = 0.01 / (step * step), damping = 1.4 * sqrt(stiffness);
    s.method = method;
    s.step = step;
    s.normal = (law_choice){"spring_damper", {{"stiffness", stiffness}, {"damping", damping}}};
    s.friction = (law_choice){"coulomb_static_kinetic",
                              {{"mu_static", 0.6}, {"mu_kinetic", MU}, {"stiffness", stiffness}, {"damping", damping}}};
    s.depth = G / stiffness;
    return s;
}

static double chosen(const ground *g, bool slides)
{
    fender_contact_type_def def;
    check_ok(fender_contact_type_get_def(g->world, fender_contact_type_at(g->world, 0), &def));
    if (slides) return ((const fender_coulomb_static_kinetic_parameters *)def.friction_parameters)->stick_speed;
    return ((const fender_rolling_stick_parameters *)def.rolling_parameters)->rest_rate;
}

static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER,
                                                   FENDER_INTEGRATOR_VELOCITY_VERLET};
static const double z[] = {2.7853, 2, 2}; /* where y' = -y grows: of RK4 the root of 1 + z/2 + z^2/6 + z^3/24 */

/* With a side load the direction of sliding changes, so that no step ends at zero slip by itself. At rest the springs
 * die out by 1e-9 within 2 s: their rate is 0.07 / step. */
static void slides_to_rest(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int located = 0; located < 2; located++)
            for (int slow = 0; slow < 2; slow++) {
                const double step = slow ? 4e-3 : 1e-3;
                ground_set_up s = thrown(methods[k], step, true);
                s.locate_events = located && k == 0;
                s.velocity = fender_vec3_make(0.3, 0.1, 0);
                s.force = fender_vec3_make(0, 0.2, 0);
                ground g = ground_build(&s);
                check_near(chosen(&g, true), 2 * MU * G * step / z[k], 1e-4 * MU * G * step);
                ground_run(&g, 2);
                fender_body_data end = ground_ball(&g);
                print_message("%-20s step %.0e s: stick_speed %.2e m/s, at the end %.1e m/s\n",
                              fender_integrator_name(methods[k]), step, chosen(&g, true),
                              fender_vec3_length(end.velocity));
                check_below(fender_vec3_length(end.velocity), 1e-9);
                fender_world_destroy(g.world);
            }
}

static void rolls_to_rest(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double step = 1e-3;
        ground_set_up s = thrown(methods[k], step, false);
        s.locate_events = k == 0;
        s.rolling = (law_choice){"rolling_stick", {{"arm", ARM}, {"stiffness", 20}, {"damping", 0.6}}};
        s.velocity = fender_vec3_make(0.05, 0.02, 0);
        s.spin = fender_vec3_make(-0.2, 0.5, 0);
        s.torque = fender_vec3_make(0, 0, 0);
        ground g = ground_build(&s);
        check_near(chosen(&g, false), 2 * ARM * G * step / (z[k] * s.moment / s.mass),
                   1e-4 * 2 * ARM * G * step / 0.004);
        ground_run(&g, 6);
        fender_body_data end = ground_ball(&g);
        print_message("%-20s rest_rate %.2e rad/s, at the end %.1e rad/s\n", fender_integrator_name(methods[k]),
                      chosen(&g, false), fender_vec3_length(end.angular_velocity));
        check_below(fender_vec3_length(end.angular_velocity), 1e-9);
        fender_world_destroy(g.world);
    }
}

/* What is given stays; without weight there is the floor; another gravity counts from the next initialization on. */
static void given(void **state)
{
    (void)state;
    ground_set_up s = thrown(FENDER_INTEGRATOR_RK4, 1e-3, true);
    s.friction.parameters[4].name = "stick_speed";
    s.friction.parameters[4].value = 1e-5;
    ground g = ground_build(&s);
    assert_true(chosen(&g, true) == 1e-5);
    fender_world_destroy(g.world);
    s = thrown(FENDER_INTEGRATOR_RK4, 1e-3, true);
    s.gravity = fender_vec3_make(0, 0, 0);
    g = ground_build(&s);
    assert_true(chosen(&g, true) == FENDER_STICK_SPEED_FLOOR);
    check_ok(fender_world_set_gravity(g.world, fender_vec3_make(0, 0, -G), &error));
    check_ok(fender_world_initialize(g.world, &error));
    check_near(chosen(&g, true), 2 * MU * G * 1e-3 / z[0], 1e-7);
    fender_world_destroy(g.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slides_to_rest), cmocka_unit_test(rolls_to_rest),
                                       cmocka_unit_test(given)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
