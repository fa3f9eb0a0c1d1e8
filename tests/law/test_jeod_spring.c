/* The law jeod_spring by itself: JEOD's formula to the letter, written here with vectors as its document has it. */
/* items: C004 C009 C011 C025 */
#include "law_test.h"
#include "random_numbers.h"

/* u: velocity of a relative to b; n: from b to a. F on a = (k d - b u.n) n - mu |k d - b u.n| (u^ - (u^.n) n). */
static fender_vec3 force_on_a(double k, double b, double mu, double depth, fender_vec3 u, fender_vec3 n)
{
    double un = fender_vec3_dot(u, n), normal = k * depth - b * un, speed = fender_vec3_length(u);
    fender_vec3 force = fender_vec3_scale(normal, n);
    if (speed == 0) return force;
    fender_vec3 direction = fender_vec3_scale(1 / speed, u);
    fender_vec3 across = fender_vec3_add_scaled(direction, -fender_vec3_dot(direction, n), n);
    return fender_vec3_add_scaled(force, -mu * fabs(normal), across);
}

static void formula(void **state)
{
    (void)state;
    int attracting = 0;
    for (uint64_t i = 0; i < 100000; i++) {
        random_stream r = random_of_case(31, i);
        double k = random_magnitude(&r, 1, 1e6), b = random_magnitude(&r, 1e-2, 1e4), mu = random_between(&r, 0, 1);
        lone_law l = law_named("jeod_spring");
        law_set(&l, "stiffness", k);
        law_set(&l, "damping", b);
        law_set(&l, "mu", mu);
        /* in the contact frame z points from a to b, so n = -z; the velocity of b relative to a is -u */
        fender_vec3 u = random_in_ball(&r, 5), n = {0, 0, -1};
        if (i % 10 == 0) u.x = u.y = 0;
        if (i % 100 == 0) u.z = 0;
        double depth = random_between(&r, 0, 0.3);
        fender_contact_input in = {.depth = depth, .depth_rate = -fender_vec3_dot(u, n), .slip = {-u.x, -u.y}};
        fender_contact_output out = law_call(&l, &in);
        fender_vec3 want = fender_vec3_negate(force_on_a(k, b, mu, depth, u, n));
        check_vector(out.force, want, 1e-15 * (k * depth + b * 5) * 4);
        check_vector(out.torque, fender_vec3_make(0, 0, 0), 0);
        attracting += out.force.z < 0;
        /* F.u = spring + damper + friction */
        double power = -(out.force.x * in.slip.x + out.force.y * in.slip.y);
        check_near(out.friction_power, power, 1e-12 * (1 + fabs(power)));
        check_near(out.damping_power, b * in.depth_rate * in.depth_rate, 1e-12 * (1 + out.damping_power));
        check_near(law_energy(&l, &in), 0.5 * k * depth * depth, 1e-15 * k);
    }
    assert_true(attracting > 10000); /* the letter includes its tension on release */
}

/* Figures of an exercise of the original: 10 % of mu N at vn = 1, vt = 0.1; full friction at the least slip when vn =
 * 0. */
static void friction_by_angle(void **state)
{
    (void)state;
    lone_law l = law_named("jeod_spring");
    law_set(&l, "stiffness", 1000);
    law_set(&l, "mu", 0.5);
    fender_contact_input in = {.depth = 0.1, .depth_rate = 1, .slip = {0.1, 0}};
    check_near(law_call(&l, &in).force.x, -50 * 0.1 / sqrt(1.01), 1e-13);
    in.depth_rate = 0;
    in.slip.x = 1e-12;
    check_near(law_call(&l, &in).force.x, -50, 1e-13);
    in.slip.x = 0;
    check_near(law_call(&l, &in).force.x, 0, 0);
}

static void tension(void **state)
{
    (void)state;
    lone_law l = law_named("jeod_spring");
    law_set(&l, "stiffness", 1000);
    law_set(&l, "damping", 100);
    law_set(&l, "mu", 0.5);
    fender_contact_input in = {.depth = 0.01, .depth_rate = -1, .slip = {1, 0}};
    fender_contact_output out = law_call(&l, &in);
    check_near(out.force.z, -90, 1e-13);                 /* pulls where the spring pushes 10 N */
    check_near(out.force.x, -0.5 * 90 / sqrt(2), 1e-13); /* and friction has the size of it */
}

static void pull(void **state)
{
    (void)state;
    lone_law l = law_named("jeod_spring");
    law_set(&l, "stiffness", 1000);
    law_set(&l, "damping", 100);
    law_set(&l, "sense", 1);
    fender_contact_input in = {.depth = 0.1, .depth_rate = 0.2};
    check_near(law_call(&l, &in).force.z, -80, 1e-13);
    check_near(law_call(&l, &in).damping_power, 4, 1e-13);
    check_near(law_energy(&l, &in), -5, 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formula),
        cmocka_unit_test(friction_by_angle),
        cmocka_unit_test(tension),
        cmocka_unit_test(pull),
    };
    return cmocka_run_group_tests_name("jeod_spring", tests, NULL, NULL);
}
