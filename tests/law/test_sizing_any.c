/* Sizing by the impact of any law: against closed forms, and back through the impact of what was found. */
#include <fender/sizing.h>

#include "law_test.h"

#ifndef SIZE_ALL
#define SIZE_ALL 0 /* 1: every target of every law, with restitution (slow/test_sizing_all.c) */
#endif

static const double MASS = 2, SPEED = 1.5;

/* Depth, force, duration and restitution of springs that have a closed form. */
static void impacts_are_those_of_closed_forms(void **state)
{
    (void)state;
    static const struct {
        double stiffness, damping;
    } springs[] = {{2e4, 0}, {2e4, 40}, {2e4, 220}, {2e4, 500}, {3e8, 1e3}};
    for (size_t i = 0; i < sizeof springs / sizeof springs[0]; i++)
        for (int clipped = 0; clipped < 2; clipped++) {
            double k = springs[i].stiffness, c = springs[i].damping;
            lone_law l = law_named(clipped ? "spring_damper" : "jeod_spring");
            law_set(&l, "stiffness", k);
            law_set(&l, "damping", c);
            fender_impact closed = fender_linear_impact(MASS, k, c, SPEED, clipped);
            if (closed.restitution < 0.01) continue; /* the end is out of sight */
            fender_impact found = fender_law_impact(l.law, l.parameters.bytes, MASS, SPEED);
            check_near(found.restitution, closed.restitution, 1e-10);
            check_near(found.peak_depth / closed.peak_depth, 1, 1e-10);
            check_near(found.peak_force / closed.peak_force, 1, 1e-10);
            check_near(found.duration / closed.duration, 1, 1e-9);
            check_near(found.contact / closed.contact, 1, 1e-9);
            check_near(closed.contact - closed.duration, clipped ? c / k : 0, 1e-12); /* free flight from k d = c v */
            check_near(found.unloading / closed.unloading, 1, 1e-8);
            /* differences of forces over a thousandth of the speed: rounding of the spring's share is 1e-9 of c */
            check_near(found.damping, closed.damping, 1e-7 * (c + 1));
            check_near(found.onset, closed.onset, 1e-7 * (c + 1));
        }
    lone_law l = law_named("hunt_crossley");
    law_set(&l, "stiffness", 1e7);
    law_set(&l, "dissipation", 0.3);
    fender_impact found = fender_law_impact(l.law, l.parameters.bytes, MASS, SPEED);
    check_near(found.restitution, fender_hunt_crossley_restitution(0.3 * SPEED), 1e-10);
    check_near(found.peak_depth / fender_power_law_depth(MASS, 1e7, 1.5, 0.3, SPEED), 1, 1e-10);
    /* the damper of this law grows with the force: k d^1.5 D */
    check_near(found.damping / (1e7 * pow(found.peak_depth, 1.5) * 0.3), 1,
               1e-5); /* at the end of the step that turns */
    check_near(found.onset / (1e7 * pow(0.1 * found.peak_depth, 1.5) * 0.3), 1, 1e-9);
    law_set(&l, "dissipation", 0);
    found = fender_law_impact(l.law, l.parameters.bytes, MASS, SPEED);
    check_near(found.duration / fender_power_law_duration(MASS, 1e7, 1.5, SPEED), 1, 1e-8);
}

/* Laws that yield: on the way out the slope is that of their elastic part, by their definition. */
static void yielding_laws_unload_steeply(void **state)
{
    (void)state;
    lone_law l = law_named("elastic_plastic");
    law_set(&l, "stiffness", 3e5);
    law_set(&l, "crush_force", 200);
    fender_impact found = fender_law_impact(l.law, l.parameters.bytes, MASS, SPEED);
    check_near(found.unloading / 3e5, 1, 1e-8);
    l = law_named("soil");
    law_set(&l, "frictional_modulus", 8e5);
    law_set(&l, "exponent", 1);
    law_set(&l, "unloading", 4e7);
    law_set(&l, "area", 0.01);
    found = fender_law_impact(l.law, l.parameters.bytes, MASS, SPEED);
    check_near(found.unloading / 4e5, 1, 1e-8);
}

typedef struct sized {
    const char *law, *stiffness, *damping;
    struct {
        const char *name;
        double value;
    } others[3];
    double depth, force, duration, restitution; /* possible ones */
} sized;
static const sized laws[] = {
    {"spring_damper", "stiffness", "damping", {{0}}, 5e-3, 2e3, 0.01, 0.6},
    {"jeod_spring", "stiffness", "damping", {{0}}, 5e-3, 2e3, 0.01, 0.6},
    {"smooth_spring_damper", "stiffness", "damping", {{"transition_width", 1e-3}}, 5e-3, 2e3, 0.01, 0.6},
    {"hunt_crossley", "stiffness", "dissipation", {{0}}, 5e-3, 2e3, 0.01, 0.6},
    {"hertz", "modulus", "dissipation", {{"radius", 0.1}}, 5e-3, 2e3, 0.01, 0.6},
    {"impact", "stiffness", "damping", {{"full_depth", 1e-3}, {"exponent", 2}}, 5e-3, 2e3, 0.01, 0.6},
    {"adhesion", "stiffness", "damping", {{"pull", 40}, {"range", 2e-3}}, 5e-3, 2e3, 0.02, 0.6},
    {"pull_off_spring", "stiffness", "damping", {{"pull_off", 60}}, 5e-3, 2e3, 0.01, 0.6},
    {"jkr", "modulus", "dissipation", {{"radius", 0.1}, {"work", 2}}, 5e-3, 2e3, 0.01, 0.6},
    {"dmt", "modulus", "dissipation", {{"radius", 0.1}, {"work", 2}}, 5e-3, 2e3, 0.01, 0.6},
    {"elastic_plastic", "stiffness", "dissipation", {{"crush_force", 800}}, 5e-3, 600, 0.01, 0.3},
    {"soil", "frictional_modulus", "dissipation", {{"area", 0.01}, {"unloading", 1e9}}, 5e-3, 2e3, 0.01, 0},
    {"DefaultContact", "K", "B", {{0}}, 5e-3, 2e3, 0.01, 0.6},
};

/* What was wanted is what the impact with the parameters gives; the rest of them stays. */
static void what_is_wanted_is_reached(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++)
        for (int target = 0; target < 3; target++) {
            const sized *s = &laws[i];
            if (!SIZE_ALL && target != (int)(i % 3)) continue;
            lone_law l = law_named(s->law);
            for (int k = 0; k < 3 && s->others[k].name; k++) law_set(&l, s->others[k].name, s->others[k].value);
            bool returns = s->restitution > 0 && SIZE_ALL;
            fender_impact wanted = {returns ? s->restitution : (double)NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
            if (target == 0) wanted.peak_depth = s->depth;
            if (target == 1) wanted.peak_force = s->force;
            if (target == 2) wanted.duration = s->duration;
            bool done = fender_law_size(l.law, l.parameters.bytes, s->stiffness, s->damping, &wanted, NAN, MASS, SPEED);
            if (!done) print_message("%s, target %d\n", s->law, target);
            assert_true(done);
            fender_impact found = fender_law_impact(l.law, l.parameters.bytes, MASS, SPEED);
            if (target == 0) check_near(found.peak_depth / s->depth, 1, 1e-9);
            if (target == 1) check_near(found.peak_force / s->force, 1, 1e-9);
            if (target == 2) check_near(found.duration / s->duration, 1, 1e-8);
            if (returns) check_near(found.restitution, s->restitution, 1e-9);
        }
}

/* A load at rest is carried at the depth that is wanted; what cannot be is refused, and changes nothing. */
static void loads_are_carried(void **state)
{
    (void)state;
    lone_law l = law_named("jkr");
    law_set(&l, "radius", 0.1);
    law_set(&l, "work", 2);
    fender_impact wanted = {0.5, NAN, 1e-3, NAN, NAN, NAN, NAN, NAN};
    assert_true(fender_law_size(l.law, l.parameters.bytes, "modulus", "dissipation", &wanted, 20, MASS, SPEED));
    check_near(fender_law_force_at(l.law, l.parameters.bytes, 1e-3), 20, 1e-9);
    check_near(fender_law_rebound(l.law, l.parameters.bytes, MASS, SPEED), 0.5, 1e-9);
    lone_law before = l;
    wanted = (fender_impact){0.999999, NAN, 0.1, NAN, NAN, NAN, NAN, NAN}; /* adhesion takes more than that */
    assert_false(fender_law_size(l.law, l.parameters.bytes, "modulus", "dissipation", &wanted, NAN, MASS, SPEED));
    assert_false(fender_law_size(l.law, l.parameters.bytes, NULL, "dissipation", &wanted, NAN, MASS, SPEED));
    assert_memory_equal(&before, &l, sizeof l);
}

/* c v of a damper in both directions, but for what a clip takes away; nothing of a spring alone. */
static void force_at_touch(void **state)
{
    (void)state;
    lone_law l = law_named("jeod_spring");
    law_set(&l, "stiffness", 1e4);
    law_set(&l, "damping", 40);
    check_near(fender_law_force_at_touch(l.law, l.parameters.bytes, 2), 80, 1e-12);
    check_near(fender_law_force_at_touch(l.law, l.parameters.bytes, -2), -80, 1e-12);
    assert_true(isnan(fender_law_force_at_touch(l.law, l.parameters.bytes, 0)));
    l = law_named("spring_damper");
    law_set(&l, "stiffness", 1e4);
    law_set(&l, "damping", 40);
    check_near(fender_law_force_at_touch(l.law, l.parameters.bytes, 2), 80, 1e-12);
    assert_true(fender_law_force_at_touch(l.law, l.parameters.bytes, -2) == 0);
    law_set(&l, "damping", 0);
    assert_true(fender_law_force_at_touch(l.law, l.parameters.bytes, 2) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_are_those_of_closed_forms),
        cmocka_unit_test(yielding_laws_unload_steeply),
        cmocka_unit_test(what_is_wanted_is_reached),
        cmocka_unit_test(loads_are_carried),
        cmocka_unit_test(force_at_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
