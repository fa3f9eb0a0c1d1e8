/* The law smooth_stick_slip by itself: every property that its source states of the curve (S056 to S058); `none`. */
/* items: S055 S056 S057 S058 */
#include "law_test.h"
#include "random_numbers.h"

static lone_law law_of(double mu_static, double mu_dynamic, double critical)
{
    lone_law l = law_named("smooth_stick_slip");
    law_set(&l, "mu_static", mu_static);
    law_set(&l, "mu_dynamic", mu_dynamic);
    law_set(&l, "critical_velocity", critical);
    return l;
}

/* Effective coefficient at a speed. */
static double mu_at(const lone_law *l, double speed)
{
    fender_contact_input in = {.normal_force = 1, .slip = {speed, 0}};
    return -law_call(l, &in).force.x;
}

static const double critical = 0.01;

static void stated_properties(void **state)
{
    (void)state;
    static const double pairs[][2] = {{0.5, 0.3}, {1.4, 0}, {0.7, 0.7}, {0.2, 0.6}, {3, 2.9}};
    for (size_t n = 0; n < sizeof pairs / sizeof pairs[0]; n++) {
        double mu_static = pairs[n][0], mu_dynamic = pairs[n][1];
        lone_law l = law_of(mu_static, mu_dynamic, critical);
        check_near(mu_at(&l, 0), 0, 0);
        check_near(mu_at(&l, critical), mu_static, 3e-16 * mu_static);
        double before = 0, largest = 0, steepest = 0, sign = mu_static > mu_dynamic ? -1 : 1;
        enum { SAMPLES = 50000 };
        for (int i = 1; i <= 10 * SAMPLES; i++) { /* to ten times the critical velocity */
            double mu = mu_at(&l, critical * i / SAMPLES), rise = mu - before;
            if (i <= SAMPLES) assert_true(rise >= -4e-16 * mu_static);
            else assert_true(sign * rise >= -4e-16 * mu_static);
            steepest = larger(steepest, fabs(rise) * SAMPLES);
            largest = larger(largest, mu);
            before = mu;
        }
        check_near(steepest, 1.5 * mu_static, 1e-4 * mu_static); /* at rest: no jump anywhere */
        if (mu_static >= mu_dynamic) check_near(largest, mu_static, 1e-15 * mu_static);
        else assert_true(largest < mu_dynamic);
        check_near(mu_at(&l, 1e5 * critical), mu_dynamic, 1.01e-10 * fabs(mu_static - mu_dynamic) + 1e-16);
        check_near(mu_at(&l, 1e100), mu_dynamic, 1e-16 * (1 + mu_dynamic));
        /* no slope at the critical velocity, from either side: secants that shorten by 100 fall by 100 */
        for (int side = -1; side <= 1; side += 2) {
            double far = (mu_at(&l, critical * (1 + side * 1e-2)) - mu_static) / 1e-2;
            double near = (mu_at(&l, critical * (1 + side * 1e-4)) - mu_static) / 1e-4;
            check_below(fabs(far), 0.02 * (mu_static + mu_dynamic));
            check_below(fabs(near), 2e-4 * (mu_static + mu_dynamic) + 1e-11);
        }
    }
}

/* The derivative is continuous: central differences next to each other differ by the distance alone. */
static void continuous_derivative(void **state)
{
    (void)state;
    lone_law l = law_of(0.5, 0.3, critical);
    double before = 0, h = critical * 1e-4, largest_change = 0;
    for (int i = 1; i < 40000; i++) {
        double slope = (mu_at(&l, (i + 1) * h) - mu_at(&l, (i - 1) * h)) / (2 * h) * critical;
        if (i > 1) largest_change = larger(largest_change, fabs(slope - before));
        before = slope;
    }
    /* curvature 3 mu_static of the cubic at its end, times the distance of the samples */
    check_below(largest_change, 3 * 0.5 * 1e-4 * 1.01);
}

/* Any slip, any normal force: opposed to the slip, of size mu |N|, and what it takes is lost. */
static void opposed_to_slip(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 100000; n++) {
        random_stream r = random_of_case(71, n);
        double mu_static = random_magnitude(&r, 1e-3, 10), mu_dynamic = random_between(&r, 0, 3);
        double v = random_magnitude(&r, 1e-6, 10);
        lone_law l = law_of(mu_static, mu_dynamic, v);
        double speed = random_magnitude(&r, 1e-4, 1e4) * v;
        fender_vec2 way = {random_between(&r, -1, 1), random_between(&r, -1, 1)};
        double size = sqrt(way.x * way.x + way.y * way.y);
        fender_contact_input in = {.normal_force = random_between(&r, -100, 1000),
                                   .slip = {speed * way.x / size, speed * way.y / size}};
        fender_contact_output out = law_call(&l, &in);
        double force = sqrt(out.force.x * out.force.x + out.force.y * out.force.y);
        double expected = mu_at(&l, speed) * fabs(in.normal_force);
        check_near(force, expected, 1e-13 * expected);
        check_near(out.force.x * in.slip.y - out.force.y * in.slip.x, 0, 1e-14 * force * speed);
        assert_true(out.force.x * in.slip.x + out.force.y * in.slip.y <= 0);
        check_near(out.friction_power, force * speed, 1e-13 * force * speed);
        check_below(force, larger(mu_static, mu_dynamic) * fabs(in.normal_force) * (1 + 1e-15));
        assert_true(out.force.z == 0 && out.damping_power == 0 && out.supplied_power == 0);
    }
}

static void smooth_through_rest(void **state)
{
    (void)state;
    lone_law l = law_of(0.5, 0.3, critical);
    fender_contact_input in = {.normal_force = 8};
    fender_contact_output out = law_call(&l, &in);
    assert_true(out.force.x == 0 && out.force.y == 0 && out.friction_power == 0);
    in.slip = (fender_vec2){3e-12, -4e-12}; /* a damper of 1.5 mu_static N / critical_velocity */
    out = law_call(&l, &in);
    check_near(out.force.x, -600 * 3e-12, 1e-24);
    check_near(out.force.y, +600 * 4e-12, 1e-24);
    fender_law_stiffness s = {0};
    l.law->stiffness(l.parameters.bytes, &in, &s);
    check_near(s.tangential_damping, 600, 1e-12);
    assert_true(s.normal_stiffness == 0 && s.normal_damping == 0 && s.tangential_stiffness == 0);
}

static void none(void **state)
{
    (void)state;
    lone_law l = law_named("none");
    fender_contact_input in = {.normal_force = 8, .slip = {1, 2}, .prescribed_friction = {3, 4}};
    fender_contact_output out = law_call(&l, &in), zero = {0};
    assert_memory_equal(&out, &zero, sizeof out);
    assert_int_equal(l.law->kinds, FENDER_LAW_FRICTION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated_properties),
        cmocka_unit_test(continuous_derivative),
        cmocka_unit_test(opposed_to_slip),
        cmocka_unit_test(smooth_through_rest),
        cmocka_unit_test(none),
    };
    return cmocka_run_group_tests_name("smooth_stick_slip", tests, NULL, NULL);
}
