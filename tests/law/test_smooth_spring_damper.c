/* The law smooth_spring_damper by itself: the curve of its onset, its clip, its energy (S047 to S054). */
/* items: S047 S048 S049 S050 S051 S052 S053 S054 */
#include "law_test.h"
#include "random_numbers.h"

static lone_law law_of(double stiffness, double damping, double width)
{
    lone_law l = law_named("smooth_spring_damper");
    law_set(&l, "stiffness", stiffness);
    law_set(&l, "damping", damping);
    law_set(&l, "transition_width", width);
    return l;
}

/* s(d, w): the force of an undamped law over that of its spring. */
static double smoothing(const lone_law *l, double stiffness, double depth)
{
    fender_contact_input in = {.depth = depth};
    return law_call(l, &in).force.z / (stiffness * depth);
}

/* S049: continuous, monotone, 0 at 0, 1 at w, no slope at both ends. */
static void onset(void **state)
{
    (void)state;
    enum { SAMPLES = 20000 };
    double steepest = 0;
    for (uint64_t n = 0; n < 20; n++) {
        random_stream r = random_of_case(61, n);
        double k = random_magnitude(&r, 1, 1e8), w = random_magnitude(&r, 1e-9, 10);
        lone_law l = law_of(k, 0, w);
        double before = 0;
        for (int i = 1; i <= SAMPLES; i++) {
            double x = (double)i / SAMPLES, s = smoothing(&l, k, x * w);
            check_near(s, x * x * (3 - 2 * x), 1e-15); /* a few roundings */
            assert_true(s >= before);
            steepest = larger(steepest, (s - before) * SAMPLES);
            before = s;
        }
        check_near(smoothing(&l, k, w), 1, 0);
        check_near(smoothing(&l, k, 1.5 * w), 1, 2e-16);
        /* secants over a millionth of the width: the slope at the end plus curvature 6 of the cubic */
        check_below(smoothing(&l, k, 1e-6 * w) / 1e-6, 3.1e-6);
        check_below(fabs(1 - smoothing(&l, k, (1 - 1e-6) * w)) / 1e-6, 3.1e-6);
    }
    check_near(steepest, 1.5, 1e-6); /* of the cubic, in the middle: no jump */
    fender_contact_input apart = {.depth = 0, .depth_rate = 3};
    lone_law damped = law_of(1e4, 1e3, 1e-3);
    check_near(law_call(&damped, &apart).force.z, 0, 0); /* the damper does not act at once */
    apart.depth = -1e-4;
    check_near(law_call(&damped, &apart).force.z, 0, 0);
}

/* S048, S050: the formula where it is positive, zero where not. */
static void formula_and_clip(void **state)
{
    (void)state;
    int clipped = 0;
    for (uint64_t n = 0; n < 100000; n++) {
        random_stream r = random_of_case(62, n);
        double k = random_magnitude(&r, 1, 1e6), b = random_magnitude(&r, 1e-2, 1e4), w = random_magnitude(&r, 1e-4, 1);
        lone_law l = law_of(k, b, w);
        fender_contact_input in = {.depth = random_between(&r, -0.1, 2) * w, .depth_rate = random_between(&r, -10, 10)};
        fender_contact_output out = law_call(&l, &in);
        double x = in.depth / w, s = x <= 0 ? 0 : x >= 1 ? 1 : 3 * x * x - 2 * x * x * x;
        double expected = s * (k * in.depth + b * in.depth_rate), size = s * (k * fabs(in.depth) + 10 * b);
        if (expected < 0) expected = 0;
        check_near(out.force.z, expected, 1e-13 * (1 + size));
        assert_true(out.force.z >= 0 && out.damping_power >= 0);
        assert_true(out.force.x == 0 && out.force.y == 0 && out.friction_power == 0 && out.supplied_power == 0);
        clipped += out.force.z == 0 && in.depth > 0;
    }
    assert_true(clipped > 10000);
}

/* Stored energy against the integral of the undamped force by Gauss' rule with three points, exact for it. */
static void stored_energy(void **state)
{
    (void)state;
    double worst = 0;
    for (uint64_t n = 0; n < 2000; n++) {
        random_stream r = random_of_case(63, n);
        double k = random_magnitude(&r, 1, 1e6), w = random_magnitude(&r, 1e-6, 1);
        lone_law l = law_of(k, random_between(&r, 0, 100), w), undamped = law_of(k, 0, w);
        double end = random_between(&r, 0, 2) * w, energy = 0;
        double bounds[] = {0, end < w ? end : w, end};
        for (int part = 0; part < 2; part++) {
            double middle = 0.5 * (bounds[part] + bounds[part + 1]), half = 0.5 * (bounds[part + 1] - bounds[part]);
            static const double nodes[] = {-0.7745966692414834, 0, 0.7745966692414834};
            static const double weights[] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
            for (int i = 0; i < 3; i++) {
                fender_contact_input in = {.depth = middle + nodes[i] * half};
                energy += weights[i] * half * law_call(&undamped, &in).force.z;
            }
        }
        fender_contact_input in = {.depth = end, .depth_rate = -1};
        worst = larger(worst, fabs(law_energy(&l, &in) - energy) / (1e-30 + energy));
        in.depth = -end;
        check_near(law_energy(&l, &in), 0, 0);
    }
    check_below(worst, 1e-13); /* roundings of a sum of six terms, more where the depth is a small part of w */
    print_message("stored energy over 2000 widths: off by at most %.1e of the integral\n", worst);
}

/* Along any motion what is put in is stored or lost, and what is lost never falls; nothing is lost without a damper. */
static void passive(void **state)
{
    (void)state;
    double worst = 0;
    for (uint64_t n = 0; n < 100; n++) {
        random_stream r = random_of_case(64, n);
        double w = random_magnitude(&r, 1e-3, 0.3), b = n % 3 == 0 ? 0 : random_magnitude(&r, 1, 1e3);
        lone_law l = law_of(random_magnitude(&r, 1, 1e5), b, w);
        double depth = 0, work = 0, lost = 0, turned_over = 0;
        for (int segment = 0; segment < 20; segment++) {
            enum { PARTS = 4000 };
            double duration = random_between(&r, 0.01, 0.1), target = random_between(&r, 0, 0.4);
            double h = duration / PARTS, rate = (target - depth) / duration;
            for (int i = 0; i < PARTS; i++) {
                fender_contact_input in = {.depth = depth + rate * h * (i + 0.5), .depth_rate = rate};
                fender_contact_output out = law_call(&l, &in);
                work += h * out.force.z * rate;
                turned_over += h * fabs(out.force.z * rate);
                lost += h * out.damping_power;
                assert_true(out.damping_power >= 0);
                assert_true(b > 0 || fabs(out.damping_power) <= 1e-15 * fabs(out.force.z * rate));
            }
            depth = target;
        }
        fender_contact_input in = {.depth = depth};
        double gap = fabs(work - lost - law_energy(&l, &in)) / (1e-9 + turned_over);
        worst = larger(worst, gap);
        check_below(gap, 1e-7); /* of the midpoint rule over the curve of the onset */
    }
    print_message("energy over 100 random histories: off by at most %.1e of what was turned over\n", worst);
}

/* A width of 0 is spring_damper, to the bit, clipped and located. */
static void without_transition(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 20000; n++) {
        random_stream r = random_of_case(65, n);
        double k = random_magnitude(&r, 1, 1e6), b = random_magnitude(&r, 1e-2, 1e4);
        lone_law smooth = law_of(k, b, 0), plain = law_named("spring_damper");
        law_set(&plain, "stiffness", k);
        law_set(&plain, "damping", b);
        fender_contact_input in = {.depth = random_between(&r, -0.1, 0.5), .depth_rate = random_between(&r, -20, 20)};
        if (n % 4 == 0) in.depth = 0;
        in.located = random_below(&r, 2);
        if (!in.located && in.depth <= 0) in.depth_rate = 0; /* there the plain law is not asked */
        int memory[8] = {0};
        fender_contact_change change = {0};
        fender_contact_output first = {0}, second = {0};
        double root[4] = {0}, root_of_plain[4] = {0};
        smooth.law->update(smooth.parameters.bytes, &in, &first, memory, &change);
        assert_true(smooth.law->memory_size <= sizeof memory && plain.law->memory_size <= smooth.law->memory_size);
        smooth.law->force(smooth.parameters.bytes, &in, memory, &first);
        plain.law->force(plain.parameters.bytes, &in, memory, &second);
        check_near(first.force.z, second.force.z, 0);
        check_near(first.damping_power, second.damping_power, 0);
        check_near(law_energy(&smooth, &in), law_energy(&plain, &in), 1e-16 * k);
        smooth.law->roots(smooth.parameters.bytes, &in, memory, root);
        plain.law->roots(plain.parameters.bytes, &in, memory, root_of_plain);
        check_near(root[0], root_of_plain[0], 0);
        assert_true(root[1] > 0);
    }
}

/* With located events the clip and the end of the transition are modes: roots change sign there, and update switches.
 */
static void modes(void **state)
{
    (void)state;
    lone_law l = law_of(1000, 20, 0.01);
    int memory[8] = {0};
    double root[4];
    fender_contact_output out = {0};
    fender_contact_change change = {0};
    fender_contact_input in = {.depth = 0.005, .depth_rate = 1, .located = true};
    l.law->roots(l.parameters.bytes, &in, memory, root);
    check_near(root[0], 25, 1e-14);
    check_near(root[1], 0.005, 1e-17);
    in.depth = 0.012;
    l.law->roots(l.parameters.bytes, &in, memory, root);
    assert_true(root[0] > 0 && root[1] < 0);
    l.law->update(l.parameters.bytes, &in, &out, memory, &change);
    l.law->roots(l.parameters.bytes, &in, memory, root);
    assert_true(root[0] > 0 && root[1] > 0);
    in.depth_rate = -0.7; /* 12 - 14: held negative until the step ends there */
    l.law->force(l.parameters.bytes, &in, memory, &out);
    check_near(out.force.z, -2, 1e-14);
    l.law->roots(l.parameters.bytes, &in, memory, root);
    assert_true(root[0] < 0);
    l.law->update(l.parameters.bytes, &in, &out, memory, &change);
    out = (fender_contact_output){0};
    l.law->force(l.parameters.bytes, &in, memory, &out);
    check_near(out.force.z, 0, 0);
    check_near(out.damping_power, 12 * 0.7, 1e-14);
    l.law->roots(l.parameters.bytes, &in, memory, root);
    assert_true(root[0] > 0);
}

/* A touch found at a depth of exactly 0 presses on when nothing damps; a release at 0 does not. */
static void mode_at_zero(void **state)
{
    (void)state;
    static const char *const names[] = {"spring_damper", "smooth_spring_damper"};
    for (int i = 0; i < 2; i++) {
        lone_law l = law_named(names[i]);
        law_set(&l, "stiffness", 1000);
        int memory[8] = {0};
        double root[4];
        fender_contact_output out = {0};
        fender_contact_change change = {0};
        fender_contact_input in = {.depth = 0, .depth_rate = 2, .located = true};
        l.law->update(l.parameters.bytes, &in, &out, memory, &change);
        in.depth = 1e-6;
        l.law->roots(l.parameters.bytes, &in, memory, root);
        assert_true(root[0] > 0);
        l.law->force(l.parameters.bytes, &in, memory, &out);
        assert_true(out.force.z > 0);
        in.depth = 0, in.depth_rate = -2;
        l.law->update(l.parameters.bytes, &in, &out, memory, &change);
        in.depth = -1e-6;
        l.law->roots(l.parameters.bytes, &in, memory, root);
        assert_true(root[0] > 0);
        out = (fender_contact_output){0};
        l.law->force(l.parameters.bytes, &in, memory, &out);
        check_near(out.force.z, 0, 0);
    }
}

/* What is said of the step: the slope of s k d where that is steeper than k. */
static void stiffness_for_the_step(void **state)
{
    (void)state;
    lone_law l = law_of(1000, 20, 0.01);
    double steepest = 0;
    for (int i = 0; i <= 2000; i++) {
        fender_contact_input in = {.depth = 1e-5 * i}, more = {.depth = 1e-5 * i + 1e-9};
        fender_law_stiffness s = {0};
        l.law->stiffness(l.parameters.bytes, &in, &s);
        double k = s.normal_stiffness;
        double slope = (law_call(&l, &more).force.z - law_call(&l, &in).force.z) / 1e-9;
        check_near(k, slope > 1000 ? slope : 1000, 2e-3); /* of a secant over 1e-7 of the width */
        check_near(s.normal_damping, 20, 0);
        steepest = larger(steepest, k);
    }
    check_near(steepest, 1687.5, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(onset),        cmocka_unit_test(formula_and_clip),       cmocka_unit_test(stored_energy),
        cmocka_unit_test(passive),      cmocka_unit_test(without_transition),     cmocka_unit_test(modes),
        cmocka_unit_test(mode_at_zero), cmocka_unit_test(stiffness_for_the_step),
    };
    return cmocka_run_group_tests_name("smooth_spring_damper", tests, NULL, NULL);
}
