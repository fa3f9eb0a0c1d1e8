/* Newmark's sliding block: ground that shakes by a rectangular pulse (Newmark 1965). */
#include "../friction/ground.h"
#include "verified.h"

/* Newmark, "Effects of earthquakes on dams and embankments", Geotechnique 15 (1965): a block that resists N g slides
 * V^2 / (2 g N) (1 - N / A) on ground that is accelerated by A g until it has the speed V. On a slope that the block is
 * driven down N = mu cos a - sin a. Seen from the ground the pulse is a force m A g on the block.
 *
 * The block is a box on its four corners. Friction needs 0.1 ms to wind its spring and damper up to the limit when the
 * pulse begins, and as long to turn round at its end: up to a thousandth of the pulse, of which a third is lost. */
static void slides(double slope, double mu, double A, double duration)
{
    const double g0 = 9.81, resistance = mu * cos(slope) - sin(slope), V = A * g0 * duration;
    const double way = V * V / (2 * g0 * resistance) * (1 - resistance / A), rest = V / (g0 * resistance);
    ground_set_up s = ground_default();
    fender_env env = fender_env_default();
    s.mass = 10;
    s.solid = fender_geometry_box(&env, fender_vec3_make(0.5, 0.5, 0.1), NULL);
    s.solid_properties.inertia = fender_mat3_diagonal(10 * 0.26 / 3, 10 * 0.26 / 3, 10 * 0.5 / 3);
    s.points = FENDER_CONTACT_POINTS_CORNERS;
    s.place = fender_vec3_make(0, 0, 0.1 - 10 * 9.81 * cos(slope) / 1e9);
    s.gravity = fender_vec3_make(g0 * sin(slope), 0, -g0 * cos(slope));
    s.normal = (law_choice){"spring_damper", {{"stiffness", 1e9}, {"damping", 1e5}}};
    s.friction = (law_choice){"coulomb_static_kinetic",
                              {{"mu_static", mu}, {"mu_kinetic", mu}, {"stiffness", 1e9}, {"damping", 1e5}}};
    s.force = fender_vec3_make(s.mass * A * g0, 0, 0);
    s.method = FENDER_INTEGRATOR_DOPRI5;
    s.tolerance = 1e-9;
    ground g = ground_build(&s);
    ground_run(&g, duration);
    assert_int_equal(fender_load_set_active(g.world, g.load, false), FENDER_STATUS_OK);
    ground_run(&g, rest - 1e-3);
    char name[96];
    snprintf(name, sizeof name, "Newmark's block, slope %.3g, mu %g, pulse %g g for %g s", slope, mu, A, duration);
    check_verified(name, "speed 1 ms before it rests", "m/s", "N g t", ground_ball(&g).velocity.x,
                   g0 * resistance * 1e-3, 3e-4);
    ground_run(&g, rest + 0.1);
    check_verified(name, "way", "m", "Newmark 1965", ground_ball(&g).position.x, way, 3e-4);
    check_near(ground_ball(&g).velocity.x, 0, 1e-9);
    fender_world_destroy(g.world);
}

static void newmark(void **state)
{
    (void)state;
    slides(0, 0.2, 0.5, 0.4);
    slides(0, 0.1, 1, 0.2);
    slides(0.17453292519943295, 0.5, 0.6, 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(newmark)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
