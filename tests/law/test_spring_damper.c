/* The law spring_damper by itself: it never attracts, it never makes energy, friction keeps its limit. */
/* items: C010 M010 */
#include "law_test.h"
#include "random_numbers.h"

static lone_law random_law(random_stream *r)
{
    lone_law l = law_named("spring_damper");
    law_set(&l, "stiffness", random_magnitude(r, 1, 1e6));
    law_set(&l, "damping", random_below(r, 4) ? random_magnitude(r, 1e-2, 1e4) : 0);
    law_set(&l, "mu", random_below(r, 3) ? random_between(r, 0, 2) : 0);
    law_set(&l, "slip_speed", random_magnitude(r, 1e-5, 1));
    return l;
}

static void formula(void **state)
{
    (void)state;
    lone_law l = law_named("spring_damper");
    law_set(&l, "stiffness", 1000);
    law_set(&l, "damping", 20);
    fender_contact_input in = {.depth = 0.25, .depth_rate = 2};
    fender_contact_output out = law_call(&l, &in);
    check_near(out.force.z, 290, 0);
    check_near(out.damping_power, 80, 0);
    check_near(law_energy(&l, &in), 31.25, 0);
    check_vector(out.torque, fender_vec3_make(0, 0, 0), 0);
    in.depth_rate = -10; /* 250 - 200 */
    out = law_call(&l, &in);
    check_near(out.force.z, 50, 0);
    check_near(out.damping_power, 2000, 0);
    in.depth_rate = -20; /* 250 - 400: clipped; what the spring gives back is lost to the damper */
    out = law_call(&l, &in);
    check_near(out.force.z, 0, 0);
    check_near(out.damping_power, 5000, 0);
}

static void never_attracts(void **state)
{
    (void)state;
    int clipped = 0;
    for (uint64_t n = 0; n < 100000; n++) {
        random_stream r = random_of_case(21, n);
        lone_law l = random_law(&r);
        fender_contact_input in = {.depth = random_between(&r, 0, 0.5), .depth_rate = random_between(&r, -20, 20)};
        in.slip = (fender_vec2){random_between(&r, -5, 5), random_between(&r, -5, 5)};
        fender_contact_output out = law_call(&l, &in);
        assert_true(out.force.z >= 0);
        assert_true(out.damping_power >= 0 && out.friction_power >= 0);
        double tangential = sqrt(out.force.x * out.force.x + out.force.y * out.force.y);
        double mu = fender_field_get(fender_field_find(&l.law->parameters, "mu"), l.parameters.bytes, 0);
        assert_true(tangential <= mu * out.force.z * (1 + 1e-15));
        assert_true(out.force.x * in.slip.x + out.force.y * in.slip.y <= 0);
        clipped += out.force.z == 0;
    }
    assert_true(clipped > 5000);
}

/* Any motion of depth and slip: work done on the contact = stored at the end + lost, and lost never falls. Depth runs
 * along segments of constant rate, on which the law's force is integrated finely. */
static void passive(void **state)
{
    (void)state;
    double worst = 0;
    for (uint64_t n = 0; n < 300; n++) {
        random_stream r = random_of_case(22, n);
        lone_law l = random_law(&r);
        double depth = 0, work = 0, lost = 0, turned_over = 0;
        fender_contact_input in = {0};
        for (int segment = 0; segment < 20; segment++) {
            enum { PARTS = 2000 };
            double duration = random_between(&r, 0.01, 0.1), target = random_between(&r, 0, 0.2);
            double h = duration / PARTS;
            in.depth_rate = (target - depth) / duration;
            fender_vec2 from = {random_between(&r, -2, 2), random_between(&r, -2, 2)};
            for (int i = 0; i < PARTS; i++) {
                in.depth = depth + in.depth_rate * h * (i + 0.5);
                in.slip = (fender_vec2){from.x * (1 - 2.0 * i / PARTS), from.y};
                fender_contact_output out = law_call(&l, &in);
                double power = out.force.z * in.depth_rate - out.force.x * in.slip.x - out.force.y * in.slip.y;
                work += h * power;
                turned_over += h * fabs(power);
                lost += h * (out.damping_power + out.friction_power);
                assert_true(out.damping_power + out.friction_power >= 0);
            }
            depth = target;
            in.depth = depth;
            double gap = fabs(work - lost - law_energy(&l, &in)) / (1e-9 + turned_over);
            worst = larger(worst, gap);
            check_below(gap, 1e-6); /* of the midpoint rule at the clip */
            assert_true(lost >= 0);
        }
    }
    printf("energy over 300 random motion histories: off by at most %.1e of what was turned over\n", worst);
}

static void pull(void **state)
{
    (void)state;
    lone_law l = law_named("spring_damper");
    law_set(&l, "stiffness", 1000);
    law_set(&l, "damping", 20);
    law_set(&l, "sense", 1);
    fender_contact_input in = {.depth = 0.25, .depth_rate = 2};
    check_near(law_call(&l, &in).force.z, -210, 0); /* -250 + 40 */
    check_near(law_energy(&l, &in), -31.25, 0);
    in.depth_rate = 20; /* -250 + 400: never pushes */
    check_near(law_call(&l, &in).force.z, 0, 0);
    for (uint64_t n = 0; n < 10000; n++) {
        random_stream r = random_of_case(23, n);
        l = random_law(&r);
        law_set(&l, "sense", 1);
        in = (fender_contact_input){.depth = random_between(&r, 0, 0.5), .depth_rate = random_between(&r, -20, 20)};
        fender_contact_output out = law_call(&l, &in);
        assert_true(out.force.z <= 0);
        assert_true(out.damping_power >= 0);
    }
}

static void friction(void **state)
{
    (void)state;
    lone_law l = law_named("spring_damper");
    law_set(&l, "stiffness", 1000);
    law_set(&l, "mu", 0.5);
    law_set(&l, "slip_speed", 0.01);
    fender_contact_input in = {.depth = 0.1, .slip = {0.006, -0.008}}; /* at the slip speed: 1/sqrt 2 of the limit */
    fender_contact_output out = law_call(&l, &in);
    check_near(out.force.x, -50 / sqrt(2) * 0.6, 1e-13);
    check_near(out.force.y, +50 / sqrt(2) * 0.8, 1e-13);
    check_near(out.friction_power, 0.5 / sqrt(2), 1e-15);
    in.slip = (fender_vec2){0, 0};
    out = law_call(&l, &in);
    assert_true(out.force.x == 0 && out.force.y == 0);
    in.slip = (fender_vec2){1e3, 0};
    check_near(law_call(&l, &in).force.x, -50, 1e-8);
    in.slip = (fender_vec2){1e-9, 0}; /* linear near zero */
    check_near(law_call(&l, &in).force.x, -50 * 1e-9 / 0.01, 1e-19);
}

static void stiffness_for_the_step(void **state)
{
    (void)state;
    lone_law l = law_named("spring_damper");
    law_set(&l, "stiffness", 1000);
    law_set(&l, "damping", 20);
    law_set(&l, "mu", 0.5);
    law_set(&l, "slip_speed", 0.01);
    fender_contact_input in = {.normal_force = 8};
    fender_law_stiffness s = {0};
    l.law->stiffness(l.parameters.bytes, &in, &s);
    check_near(s.normal_stiffness, 1000, 0);
    check_near(s.normal_damping, 20, 0);
    check_near(s.tangential_damping, 400, 1e-12);
}

/* Exactly at touch and without damping the force is zero: what goes deeper is pressed, or an adaptive step would run
 * through the spring. */
static void presses_from_a_touch_at_zero_depth(void **state)
{
    (void)state;
    const char *const laws[] = {"spring_damper", "smooth_spring_damper"};
    for (int i = 0; i < 2; i++) {
        lone_law l = law_named(laws[i]);
        law_set(&l, "stiffness", 1000);
        union {
            double align;
            char bytes[32];
        } memory = {0};
        fender_contact_output out = {0};
        fender_contact_change change = {0};
        fender_contact_input in = {.depth = 0, .depth_rate = 0.5, .located = true};
        assert_true(l.law->memory_size <= sizeof memory);
        l.law->update(l.parameters.bytes, &in, &out, memory.bytes, &change);
        in.depth = 0.01;
        l.law->force(l.parameters.bytes, &in, memory.bytes, &out);
        check_near(out.force.z, 10, 1e-12);
        in = (fender_contact_input){.depth = 0, .depth_rate = -0.5, .located = true}; /* and leaves it slack */
        l.law->update(l.parameters.bytes, &in, &out, memory.bytes, &change);
        memset(&out, 0, sizeof out);
        l.law->force(l.parameters.bytes, &in, memory.bytes, &out);
        check_near(out.force.z, 0, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formula),
        cmocka_unit_test(never_attracts),
        cmocka_unit_test(passive),
        cmocka_unit_test(pull),
        cmocka_unit_test(friction),
        cmocka_unit_test(stiffness_for_the_step),
        cmocka_unit_test(presses_from_a_touch_at_zero_depth),
    };
    return cmocka_run_group_tests_name("spring_damper", tests, NULL, NULL);
}
