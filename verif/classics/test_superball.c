/* Garwin's superball between a floor and a table's underside (Garwin 1969). */
#include "../friction/ground.h"
#include "verified.h"

/* Garwin, "Kinematics of an ultraelastic rough ball", Am. J. Phys. 37 (1969): a bounce keeps the energy and turns the
 * velocity of the touching point round, tangential part and normal one. With c = I / (m r^2) = 2/5, u the speed along
 * the floor and w = r times the spin that rolling along u has:
 *     u' = ((1 - c) u + 2 c w) / (1 + c),    w' = (2 u - (1 - c) w) / (1 + c)
 * At the table's underside w counts the other way. From (u, 0): 3/7, then -333/343 of u after floor, table and floor:
 * the sphere comes back to the hand.
 *
 * It is turned round by linear springs when both swing for half a period, k_t / k_n = c / (1 + c), and friction never
 * slides. The touching point lies in the middle of the depth: the lever is shorter by depth / (2 r), both ways of the
 * spring are wrong by that, and each bounce passes on what the last one got wrong: depth / r a bounce. */
static void garwin(void **state)
{
    (void)state;
    const double r = 0.025, m = 0.05, k = 4e7, depth = 1 / sqrt(k / m), c = 0.4;
    ground_set_up s = ground_default();
    s.mass = m;
    s.radius = r;
    s.moment = c * m * r * r;
    s.gravity = fender_vec3_make(0, 0, 0);
    s.normal = (law_choice){"spring_damper", {{"stiffness", k}}};
    s.friction = (law_choice){"coulomb_static_kinetic",
                              {{"mu_static", 10}, {"mu_kinetic", 10}, {"stiffness", k * c / (1 + c)}}};
    s.depth = -0.01;
    s.ceiling = 0.3;
    s.velocity = fender_vec3_make(1, 0, -1);
    s.method = FENDER_INTEGRATOR_DOP853;
    s.tolerance = 1e-11;
    ground g = ground_build(&s);
    double u = 1, w = 0;
    for (int bounce = 1; bounce <= 6; bounce++) {
        static const char *const names[] = {"first", "second", "third", "fourth", "fifth", "sixth"};
        char what[48];
        const double side = bounce % 2 ? 1 : -1, before = u;
        u = ((1 - c) * before + 2 * c * side * w) / (1 + c);
        w = (2 * side * before - (1 - c) * w) / (1 + c);
        assert_true(isfinite(ground_event(&g, FENDER_EVENT_END, 10)));
        fender_body_data ball = ground_ball(&g);
        snprintf(what, sizeof what, "speed along, %s bounce", names[bounce - 1]);
        check_verified("Garwin's superball", what, "m/s", "Garwin 1969", ball.velocity.x, u, bounce * depth / r);
        snprintf(what, sizeof what, "spin times radius, %s bounce", names[bounce - 1]);
        check_verified("Garwin's superball", what, "m/s", "Garwin 1969",
                       r * fender_quaternion_rotate(ball.attitude, ball.angular_velocity).y, w, bounce * depth / r);
        if (bounce == 1) check_near(u, 3.0 / 7, 1e-15);
        if (bounce == 3) check_near(u, -333.0 / 343, 1e-15);
        check_near(fabs(ball.velocity.z), 1, 1e-8);
    }
    fender_ledger ledger;
    fender_world_ledger(g.world, &ledger);
    check_below(fabs(ledger.residual), 1e-8 * ledger.scale);
    fender_world_destroy(g.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(garwin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
