/* Moving surfaces: what a law sees of them, what the drive puts in, and stick-slip on a belt as on a body that moves.
 */
#include "ground.h"

static const double G = 9.81;

static law_choice coulomb(double mu) { return (law_choice){"coulomb", {{"mu", mu}, {"slip_speed", 1e-3}}}; }

static law_choice sticking(void)
{
    return (law_choice){"coulomb_static_kinetic",
                        {{"mu_static", 0.4}, {"mu_kinetic", 0.3}, {"stiffness", 1e5}, {"damping", 400}}};
}

/* A block laid on a belt is dragged along at mu g until it has its speed. The belt puts in mu m g u t: half becomes
 * kinetic energy, half is lost. Either shape may be the one whose surface runs, the other way round. */
static void dragged(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        ground_set_up s = ground_block();
        const double speed = 0.6, mu = 0.25;
        s.friction = k == 0 ? coulomb(mu) : sticking();
        s.belt.x = speed * 0.8;
        s.belt.y = speed * 0.6;
        double slow = (k == 0 ? mu : 0.3) * G, until = 0.5 * speed / slow;
        ground g = ground_build(&s);
        ground_run(&g, until);
        check_near(ground_ball(&g).velocity.x, 0.8 * slow * until, 1e-4); /* sticking: winds up its spring first */
        if (k == 0) check_near(ground_ball(&g).velocity.x, 0.8 * slow * until, 2e-6); /* (slip_speed / slip)^2 / 2 */
        ground_run(&g, 2);
        fender_body_data b = ground_ball(&g);
        check_near(b.velocity.x, s.belt.x, 1e-8);
        check_near(b.velocity.y, s.belt.y, 1e-8);
        fender_ledger ledger = ground_ledger(&g, 1e-8);
        print_message("put in %.9f J, kinetic %.9f, lost in friction %.9f\n", ledger.applied, ledger.kinetic,
                      ledger.friction);
        check_near(ledger.applied, s.mass * speed * speed, 1e-4); /* as the spring, which takes and gives */
        check_near(ledger.kinetic, 0.5 * s.mass * speed * speed, 1e-8);
        fender_world_destroy(g.world);
    }
}

/* On a turntable a sphere that rolls without slip goes round in a circle, at 2/7 of the table's rate (Weltner 1979).
 * Here with the lever l of the common point: at W / (1 + m l^2 / I). */
static void turntable(void **state)
{
    (void)state;
    ground_set_up s = ground_default();
    const double rate = 3;
    s.friction = (law_choice){"coulomb_static_kinetic",
                              {{"mu_static", 5}, {"mu_kinetic", 5}, {"stiffness", 1e5}, {"damping", 250}}};
    s.turning.z = rate;
    s.velocity.x = 0.5;
    double lever = ground_lever(&s), ratio = 1 / (1 + s.mass * lever * lever / s.moment), own = ratio * rate;
    /* no slip at the axis of the table */
    s.spin.y = s.velocity.x / lever;
    ground g = ground_build(&s);
    ground_run(&g, 0.5); /* the start has died out */
    fender_vec3 v = ground_ball(&g).velocity;
    double speed = hypot(v.x, v.y), angle = atan2(v.y, v.x), turned = 2;
    ground_run(&g, 0.5 + turned / own);
    fender_vec3 w = ground_ball(&g).velocity;
    double around = atan2(w.y, w.x) - angle;
    while (around < 0) around += 2 * 3.14159265358979323846;
    print_message("turns at %.9f of the table's rate, 2/7 for a rigid ball; speed %.2e of itself less\n",
                  around / turned * ratio, 1 - hypot(w.x, w.y) / speed);
    check_near(around, turned, 1e-4); /* the spring of 1e5 N/m gives way by m v w / k = 4e-6 m */
    check_near(around / turned * ratio, 2.0 / 7, 2e-4);
    check_near(hypot(w.x, w.y), speed, 1e-4 * speed);
    ground_ledger(&g, 1e-8);
    fender_world_destroy(g.world);
}

/* A sphere on a turntable's axis is twisted until it turns with it; the drive puts in twice what the sphere gets. */
static void twisted(void **state)
{
    (void)state;
    ground_set_up s = ground_default();
    s.turning.z = 2;
    s.twisting = (law_choice){"torsional", {{"mu", 0.5}, {"radius", 0.01}, {"twist_rate", 1e-3}}};
    ground g = ground_build(&s);
    double rate = 2.0 / 3 * 0.5 * 0.01 * G / s.moment;
    ground_run(&g, 0.1);
    check_near(ground_ball(&g).angular_velocity.z, 0.1 * rate, 1e-5);
    ground_run(&g, 1);
    check_near(ground_ball(&g).angular_velocity.z, 2, 1e-9);
    fender_ledger ledger = ground_ledger(&g, 1e-8);
    check_near(ledger.applied, s.moment * 4, 1e-6);
    fender_world_destroy(g.world);
}

/* Stick-slip (D.4 of the reference: m 1 kg, k 100 N/m, N 10 N, mu 0.4 and 0.3, belt 0.1 m/s) with bristles of 1e6 N/m
 * and 1400 N s/m, carried on when it sticks again: the period of rigid stiction is 2 (pi - atan(v w / (g dmu))) / w +
 * 2 dmu g / (w^2 v) = 0.6712389 s, to 1e-6. The spring is the load -k x, by a link. */
static void belt(void **state)
{
    (void)state;
    const double rigid = 0.67123889803846899;
    ground_set_up s = ground_block();
    s.gravity.z = -10;
    s.depth = 10 / GROUND_STIFFNESS;
    s.belt.x = s.velocity.x = 0.1;
    s.spring = 100;
    s.friction = (law_choice){
        "coulomb_static_kinetic",
        {{"mu_static", 0.4}, {"mu_kinetic", 0.3}, {"stiffness", 1e6}, {"damping", 1400}, {"stick_speed", 1e-6}}};
    s.method = FENDER_INTEGRATOR_DOPRI5;
    s.step = 1e-3;
    s.tolerance = 1e-10;
    ground g = ground_build(&s);
    double slips[5];
    for (int i = 0; i < 5; i++) slips[i] = ground_event(&g, FENDER_EVENT_SLIP, 10);
    print_message("period %.9f s, off by %.1e of it\n", slips[4] - slips[3], (slips[4] - slips[3]) / rigid - 1);
    check_near((slips[4] - slips[3]) / rigid, 1, 1e-6);
    check_near((slips[3] - slips[2]) / rigid, 1, 1e-6);
    fender_ledger ledger = ground_ledger(&g, 1e-8);
    /* in each period the belt drags for mu_static N in the mean of sticking, mu_kinetic N while it slips */
    assert_true(ledger.applied > 0 && ledger.friction > 0);
    fender_world_destroy(g.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dragged), cmocka_unit_test(turntable),
                                       cmocka_unit_test(twisted), cmocka_unit_test(belt)};
    return cmocka_run_group_tests_name("moving surfaces", tests, NULL, NULL);
}
