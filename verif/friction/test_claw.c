/* A claw on a wall: where each border of its limit surface is reached under loads that grow evenly, which wind its
 * springs evenly, so that nothing swings. */
/* items: P001 P002 */
#include "ground.h"

static const double ANGLE = 0.35; /* rad, of tangent 0.36502849483042 */

static ground_set_up clawed(double pressed, fender_vec3 rate)
{
    ground_set_up s = ground_block();
    s.normal = (law_choice){NULL, {{NULL, 0}}};
    s.whole = (law_choice){"claw",
                           {{"stiffness", 1e5},
                            {"damping", 300},
                            {"tangential_stiffness", 5e4},
                            {"tangential_damping", 200},
                            {"limit", 10},
                            {"lateral_limit", 4},
                            {"angle", ANGLE},
                            {"mu", 0.5}}};
    s.along = fender_vec3_make(2, 0, 0.5);
    s.gravity = fender_vec3_make(0, 0, -pressed); /* of 1 kg */
    s.depth = pressed / 1e5;
    s.force = rate;
    s.ramp = true;
    return s;
}

/* When it breaks; NaN: not within 30 s. */
static double broken(const ground_set_up *s, fender_ledger *ledger)
{
    ground g = ground_build(s);
    double found = ground_event(&g, FENDER_EVENT_LAW, 30);
    fender_world_ledger(g.world, ledger);
    check_below(fabs(ledger->residual), 1e-8 * (ledger->scale + 1e-6)); /* what swings at the start: microjoules */
    if (s->force.z > 0) { /* it has left the wall, and does not take hold again */
        ground_run(&g, found + 0.5);
        assert_true(ground_ball(&g).velocity.z > 0);
        assert_int_equal(fender_world_event_count(g.world, FENDER_EVENT_BEGIN), 1);
    }
    fender_world_destroy(g.world);
    return found;
}

static void borders(void **state)
{
    (void)state;
    const struct {
        const char *what;
        double pressed;
        fender_vec3 rate; /* N/s */
        double expected;  /* s */
    } cases[] = {
        {"drawn its way", 1, {1, 0, 0}, 10},
        {"drawn its way and off the wall", 1, {1, 0, 0.3}, 10},
        {"drawn aside", 1, {0, 1, 0}, 4},
        {"both", 1, {1, 1, 0}, 3.7139067635410377},                    /* 1 / sqrt(1/100 + 1/16) */
        {"too steeply", 1, {1, 0, 0.5}, 1 / (0.5 - 0.36502849483042)}, /* pressed = (0.5 - tan) t */
        {"off the wall alone", 1, {0, 0, 0.25}, 4},                    /* when nothing presses */
        {"against the spines", 1, {-0.25, 0, 0}, 2},                   /* mu N */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ground_set_up s = clawed(cases[i].pressed, cases[i].rate);
        fender_ledger ledger;
        double found = broken(&s, &ledger);
        print_message("%-32s breaks at %.9f s\n", cases[i].what, found);
        check_near(found, cases[i].expected, 1e-7); /* the start swings by r sqrt(m / k), dies out */
    }
}

/* Turned by a quarter about the normal it is drawn another way; and as the shape a. */
static void turned(void **state)
{
    (void)state;
    ground_set_up s = clawed(1, fender_vec3_make(0, 1, 0));
    fender_ledger ledger;
    s.along = fender_vec3_make(0, 3, 0);
    check_near(broken(&s, &ledger), 10, 1e-7);
    s.along = fender_vec3_make(0, -3, 0);    /* the plane's spines are drawn the other way */
    s.whole.parameters[7].name = "fixed_to"; /* in place of mu, which is not reached */
    s.whole.parameters[7].value = 0;
    check_near(broken(&s, &ledger), 10, 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(borders), cmocka_unit_test(turned)};
    return cmocka_run_group_tests_name("a claw", tests, NULL, NULL);
}
