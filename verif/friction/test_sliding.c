/* Friction laws without modes against closed forms: a block that slides and stops on a plane. */
/* items: S078 */
#include "ground.h"

static const double G = 9.81;

/* Dahl's friction grows with the way x as mu N (1 - exp(-x / amplitude)), whatever the speed (Dahl 1968), so that
 * v^2 = v0^2 - 2 mu g (x - amplitude (1 - exp(-x / amplitude))). LuGre without its other terms is the same law. */
static void bending(void **state)
{
    (void)state;
    const double amplitude = 1e-3, mu = 0.3;
    const law_choice laws[] = {
        {"dahl", {{"mu", mu}, {"amplitude", amplitude}}},
        {"lugre", {{"mu_static", mu}, {"mu_kinetic", mu}, {"amplitude", amplitude}}},
    };
    for (int k = 0; k < 2; k++) {
        ground_set_up s = ground_block();
        s.friction = laws[k];
        s.velocity.x = 0.1;
        ground g = ground_build(&s);
        double worst = 0, last = 0;
        for (int i = 1; i <= 30; i++) {
            ground_run(&g, i * 1e-3);
            fender_body_data b = ground_ball(&g);
            double x = b.position.x, exact = 0.01 - 2 * mu * G * (x - amplitude * (1 - exp(-x / amplitude)));
            worst = larger(worst, fabs(b.velocity.x * b.velocity.x - exact));
            last = b.velocity.x;
        }
        print_message("%-6s v^2 off by %.1e, down to %.3f m/s\n", laws[k].law, worst, last);
        check_below(worst, 1e-11); /* rk4 at 0.1 ms of a time constant of 10 ms: (h / T)^4 v^2 */
        assert_true(last > 0 && last < 0.05);
        ground_ledger(&g, 1e-9);
        fender_world_destroy(g.world);
    }
}

/* A load below the limit is held at rest, at the bend that bears it; one above it is not. */
static void holding(void **state)
{
    (void)state;
    const struct {
        law_choice law;
        double limit, bend_at; /* mu; m at a given part of it, below */
    } cases[] = {
        {{"dahl", {{"mu", 0.3}, {"amplitude", 1e-4}, {"damping", 4}}}, 0.3, 0.9e-4},
        {{"lugre",
          {{"mu_static", 0.4}, {"mu_kinetic", 0.3}, {"amplitude", 1e-4}, {"damping", 4}, {"stribeck_speed", 0.1}}},
         0.4,
         1.2e-4},
        {{"cundall_strack", {{"mu", 0.3}, {"stiffness", 1e5}, {"damping", 300}}}, 0.3, 0.27 * 9.81e-5},
    };
    for (int k = 0; k < 3; k++)
        for (int beyond = 0; beyond < 2; beyond++) {
            ground_set_up s = ground_block();
            s.friction = cases[k].law;
            s.ramp = true; /* 1.5 s to 0.9 or 1.1 of the limit, then even */
            double end = (beyond ? 1.05 : 0.9) * cases[k].limit * G;
            s.force.x = end / 1.5;
            ground g = ground_build(&s);
            ground_run(&g, 1.5);
            double speed = ground_ball(&g).velocity.x;
            fender_contact_data c = ground_contact(&g);
            print_message("%-14s %.2f of the limit: %.2e m/s\n", cases[k].law.law, end / (cases[k].limit * G), speed);
            if (beyond) {
                assert_true(speed > 5e-3);
            } else {
                check_near(c.stretch.x * c.stretch.x + c.stretch.y * c.stretch.y, cases[k].bend_at * cases[k].bend_at,
                           1e-2 * cases[k].bend_at * cases[k].bend_at);
                check_below(speed, 1e-3); /* it follows the load that still grows */
            }
            fender_world_destroy(g.world);
            if (beyond) continue;
            s.ramp = false; /* at once: it swings, loses what is left and stands */
            s.force.x = 0.45 * cases[k].limit * G;
            g = ground_build(&s);
            ground_run(&g, 2);
            check_below(fabs(ground_ball(&g).velocity.x), 1e-14);
            check_near(fender_vec3_length(ground_contact(&g).force), hypot(s.force.x, G), 1e-10);
            ground_ledger(&g, 1e-6);
            fender_world_destroy(g.world);
        }
}

/* Steady sliding with viscous friction: F = (mu(v) + viscous v) N; far beyond the Stribeck speed mu is mu_kinetic, and
 * at it mu_kinetic + 0.3679 of the difference, where viscous friction is strong enough to be steady. */
static void steady(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int slow = 0; slow < 2; slow++) {
            ground_set_up s = ground_block();
            double stribeck = 0.05, viscous = 4, wanted = slow ? stribeck : 1;
            double mu = 0.2 + 0.1 * exp(-wanted * wanted / (stribeck * stribeck));
            s.friction = k == 0 ? (law_choice){"lugre",
                                               {{"mu_static", 0.3},
                                                {"mu_kinetic", 0.2},
                                                {"amplitude", 1e-3},
                                                {"stribeck_speed", stribeck},
                                                {"damping", 1},
                                                {"viscous", viscous}}}
                                : (law_choice){"stribeck",
                                               {{"mu_static", 0.3},
                                                {"mu_kinetic", 0.2},
                                                {"stribeck_speed", stribeck},
                                                {"slip_speed", 1e-7},
                                                {"viscous", viscous}}};
            s.force.x = (mu + viscous * wanted) * G;
            s.velocity.x = 0.9 * wanted;
            ground g = ground_build(&s);
            ground_run(&g, 2);
            print_message("%-8s %.12f m/s\n", s.friction.law, ground_ball(&g).velocity.x);
            check_near(ground_ball(&g).velocity.x, wanted, 1e-10 * wanted);
            ground_ledger(&g, 1e-8);
            fender_world_destroy(g.world);
        }
}

/* A plastic spring slows a block by mu g, then holds it: with rest at v^2 / 2 mu g but for the spring. */
static void plastic(void **state)
{
    (void)state;
    ground_set_up s = ground_block();
    s.friction = (law_choice){"cundall_strack", {{"mu", 0.3}, {"stiffness", 1e6}, {"damping", 1400}}};
    s.velocity = fender_vec3_make(0.6, 0.8, 0);
    ground g = ground_build(&s);
    ground_run(&g, 0.1);
    double before = ground_ball(&g).velocity.x;
    ground_run(&g, 0.2);
    check_near(ground_ball(&g).velocity.x - before, -0.6 * 0.3 * G * 0.1, 1e-10);
    ground_run(&g, 2);
    fender_body_data b = ground_ball(&g);
    check_near(hypot(b.position.x, b.position.y), 1 / (0.6 * G), 5e-6); /* mu N / k is 2.9e-6 m */
    check_near(b.position.x * 0.8 - b.position.y * 0.6, 0, 1e-9);
    check_below(fender_vec3_length(b.velocity), 1e-14);
    ground_ledger(&g, 1e-6);
    fender_world_destroy(g.world);
}

/* The two parts of the velocity fall so that v1 / v10 = (v2 / v20)^((mu1 / mu2)^2): a_i = -g mu_i^2 v_i / |mu v|. The
 * directions are fixed to the plane, which may be turned about its normal, or to the block. */
static void two_directions(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        ground_set_up s = ground_block();
        double turn = 0.5 * (k % 3), mu1 = 0.2, mu2 = 0.35, spin = k < 3 ? 0 : 3;
        s.friction = (law_choice){"anisotropic", {{"mu_along", mu1}, {"mu_across", mu2}, {"slip_speed", 1e-7}}};
        s.along = fender_vec3_make(2, 0, 0.3); /* what points out of the plane does not matter */
        s.turn = turn;
        s.spin.z = spin; /* which turns the sphere; the plane's directions stay */
        s.velocity = fender_vec3_make(cos(turn) - 0.7 * sin(turn), sin(turn) + 0.7 * cos(turn), 0); /* 1, 0.7 */
        ground g = ground_build(&s);
        ground_run(&g, 0.25);
        fender_vec3 v = ground_ball(&g).velocity;
        double v1 = v.x * cos(turn) + v.y * sin(turn), v2 = -v.x * sin(turn) + v.y * cos(turn);
        print_message("turned by %.1f, spin %.0f: %.6f %.6f m/s\n", turn, spin, v1, v2);
        check_near(v1, pow(v2 / 0.7, mu1 * mu1 / (mu2 * mu2)), 1e-9);
        assert_true(v1 < 0.8 && v2 < 0.3 && v2 > 0.01);
        ground_ledger(&g, 1e-9);
        fender_world_destroy(g.world);
    }
}

/* The directions of a block that turns by a quarter, slowly slid along x: friction goes from mu_along to mu_across. */
static void fixed_to_the_block(void **state)
{
    (void)state;
    ground_set_up s = ground_block();
    s.friction = (law_choice){"anisotropic", {{"mu_along", 0.1}, {"mu_across", 0.3}, {"fixed_to", 1}}};
    s.along.x = 1;
    s.velocity.x = 1e4; /* hardly turned aside */
    s.spin.z = 0.5 * 3.14159265358979323846;
    ground g = ground_build(&s);
    fender_contact_data c = ground_contact(&g);
    check_near(c.friction_force, 0.1 * G, 1e-6);
    ground_run(&g, 1);
    c = ground_contact(&g);
    check_near(c.friction_force, 0.3 * G, 1e-6);
    ground_run(&g, 1.5); /* halfway: f = (mu1^2, mu2^2) / sqrt(2) over |mu| / sqrt(2) */
    c = ground_contact(&g);
    check_near(c.friction_force, G * sqrt((1e-4 + 81e-4) / (0.01 + 0.09)), 1e-3);
    fender_world_destroy(g.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bending),        cmocka_unit_test(holding),
                                       cmocka_unit_test(steady),         cmocka_unit_test(plastic),
                                       cmocka_unit_test(two_directions), cmocka_unit_test(fixed_to_the_block)};
    return cmocka_run_group_tests_name("sliding without modes", tests, NULL, NULL);
}
