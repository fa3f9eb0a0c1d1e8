/* The laws SpringContact and DefaultContact by themselves: three springs, the limits, what is left when one is passed,
 * and their energy (P013, P014, P019). */
/* items: P014 P018 */
#include "law_test.h"
#include "random_numbers.h"

typedef struct bonded {
    lone_law law;
    int memory[8];
    double states[2];
} bonded;

static bonded bond_of(double K, double B, double x, double y, double z)
{
    bonded b = {.law = law_named("SpringContact"), .memory = {0}, .states = {0, 0}};
    law_set(&b.law, "K", K);
    law_set(&b.law, "B", B);
    law_set(&b.law, "X_Limit", x);
    law_set(&b.law, "Y_Limit", y);
    law_set(&b.law, "Z_Limit", z);
    return b;
}

static fender_contact_output force_of(bonded *b, fender_contact_input *in)
{
    fender_contact_output out;
    memset(&out, 0, sizeof out);
    in->states = b->states;
    b->law.law->force(b->law.parameters.bytes, in, b->memory, &out);
    return out;
}

static fender_contact_change update(bonded *b, fender_contact_input *in)
{
    fender_contact_output out = force_of(b, in);
    fender_contact_change change = {.states = b->states};
    b->law.law->update(b->law.parameters.bytes, in, &out, b->memory, &change);
    return change;
}

static double energy_of(bonded *b, fender_contact_input *in)
{
    in->states = b->states;
    return b->law.law->stored_energy(b->law.parameters.bytes, in, b->memory);
}

static void three_springs(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 10000; n++) {
        random_stream r = random_of_case(101, n);
        double K = random_magnitude(&r, 1, 1e5), B = random_magnitude(&r, 0.1, 1e3);
        bonded b = bond_of(K, B, INFINITY, INFINITY, 1e9);
        b.states[0] = random_between(&r, -1, 1);
        b.states[1] = random_between(&r, -1, 1);
        fender_contact_input in = {.depth = random_between(&r, -1, 1), .depth_rate = random_between(&r, -3, 3)};
        in.slip = (fender_vec2){random_between(&r, -3, 3), random_between(&r, -3, 3)};
        fender_contact_output out = force_of(&b, &in);
        double size = 1e-15 * (K + 3 * B);
        check_near(out.force.x, -K * b.states[0] - B * in.slip.x, size);
        check_near(out.force.y, -K * b.states[1] - B * in.slip.y, size);
        check_near(out.force.z, K * in.depth + B * in.depth_rate, size); /* it pulls, too */
        double rates[2];
        b.law.law->state_rates(b.law.parameters.bytes, &in, b.memory, rates);
        assert_true(rates[0] == in.slip.x && rates[1] == in.slip.y);
        /* power into the contact = change of what it stores + what it loses */
        double power = out.force.z * in.depth_rate - out.force.x * in.slip.x - out.force.y * in.slip.y;
        double stored = K * (in.depth * in.depth_rate + b.states[0] * in.slip.x + b.states[1] * in.slip.y);
        check_near(power, stored + out.damping_power + out.friction_power, 1e-13 * (K * 9 + B * 27));
        assert_true(out.damping_power >= 0 && out.friction_power >= 0 && out.mode == 0);
        check_near(energy_of(&b, &in),
                   0.5 * K * (in.depth * in.depth + b.states[0] * b.states[0] + b.states[1] * b.states[1]), 1e-14 * K);
    }
}

/* One of the limits is passed by a millionth, or missed by one. */
static void limits(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            for (int sign = -1; sign <= 1; sign += 2) {
                bonded b = bond_of(1000, 0, 30, 20, 10);
                static const double limit[] = {30, 20, 10};
                double stretch = sign * limit[axis] * (1 + side * 1e-6) / 1000;
                fender_contact_input in = {.depth = axis == 2 ? -stretch : 1e-3, .located = true};
                if (axis < 2) b.states[axis] = stretch;
                double root[4];
                in.states = b.states;
                b.law.law->roots(b.law.parameters.bytes, &in, b.memory, root);
                bool pushed = axis == 2 && sign<0, passed = side> 0 && !pushed; /* a push never breaks it */
                assert_true((root[axis] > 0) == !passed);
                fender_contact_change change = update(&b, &in);
                assert_int_equal(change.event, passed ? 1 : 0);
                fender_contact_output out = force_of(&b, &in);
                assert_int_equal(out.mode, passed ? 1 : 0);
                assert_true(change.end == (passed && axis == 2)); /* pulled apart: nothing is left to push */
                if (!passed) continue;
                assert_true(out.force.x == 0 && out.force.y == 0 && out.force.z >= 0);
                if (axis < 2) check_near(out.force.z, 1, 1e-12); /* the plain push goes on */
                check_near(energy_of(&b, &in), in.depth > 0 ? 0.5e-3 : 0, 1e-15);
                in.depth = -1e-9;
                assert_true(update(&b, &in).end);
            }
        }
    }
}

/* A direction that is turned by an angle in C limits what the stretch turned by the same angle does along x of C. Where
 * the direction is the normal, or zero, it is x of C that is meant. */
static void direction(void **state)
{
    (void)state;
    const fender_law *law = law_named("SpringContact").law;
    for (uint64_t n = 0; n < 1000; n++) {
        random_stream r = random_of_case(106, n);
        const double angle = random_between(&r, -4, 4), c = cos(angle), s = sin(angle);
        const double x = random_between(&r, -20, 20), y = random_between(&r, -20, 20);
        const bool to_a = random_below(&r, 2) == 0, upright = random_below(&r, 4) == 0;
        bonded plain = bond_of(1000, 0, 10, 15, INFINITY), turned = plain;
        const fender_mat3 own = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}}, other = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
        const fender_contact_surface surface = {.R_CA = to_a ? own : other, .R_CB = to_a ? other : own};
        fender_spring_contact_parameters *own_of = (void *)turned.law.parameters.bytes;
        own_of->along = fender_vec3_make(upright ? 0 : 3, 0, upright ? 3 : 0);
        own_of->fixed_to = to_a ? 0 : 1;
        assert_true(law->reads_surface(turned.law.parameters.bytes) && !law->reads_surface(plain.law.parameters.bytes));
        plain.states[0] = x / 1000;
        plain.states[1] = y / 1000;
        turned.states[0] = (upright ? x : c * x - s * y) / 1000;
        turned.states[1] = (upright ? y : s * x + c * y) / 1000;
        fender_contact_input in = {.depth = 1e-3, .located = true, .states = plain.states};
        double root[2][4];
        law->roots(plain.law.parameters.bytes, &in, plain.memory, root[0]);
        in.surface = &surface;
        in.states = turned.states;
        law->roots(turned.law.parameters.bytes, &in, turned.memory, root[1]);
        for (int i = 0; i < 2; i++) check_near(root[1][i], root[0][i], 1e-13);
        const bool breaks = fabs(x) >= 10 || fabs(y) >= 15;
        assert_int_equal(update(&turned, &in).event, breaks ? 1 : 0);
    }
}

static void default_contact(void **state)
{
    (void)state;
    lone_law l = law_named("DefaultContact");
    law_set(&l, "Error", 1e-3);
    double onset, release;
    l.law->activation_distance(l.parameters.bytes, &onset, &release);
    assert_true(onset == 0 && release == 1e-3);
    int memory[8] = {0};
    fender_contact_input in = {.depth = 1e-3};
    l.law->begin(l.parameters.bytes, &in, memory);
    for (uint64_t n = 0; n < 1000; n++) {
        random_stream r = random_of_case(102, n);
        in.depth = random_between(&r, -1e-3, 1e-3);
        in.depth_rate = random_between(&r, -1, 1);
        fender_contact_output out = {.mode = 7};
        l.law->force(l.parameters.bytes, &in, memory, &out);
        double full = 1000 * in.depth + 10 * in.depth_rate;
        check_near(out.force.z, in.depth > 0 && full > 0 ? full : 0, 1e-13);
        assert_true(out.damping_power >= 0 && out.mode == 0 && out.force.x == 0 && out.force.y == 0);
    }
}

static void needs_an_end(void **state)
{
    (void)state;
    bonded b = bond_of(1000, 0, 5, 5, INFINITY);
    fender_error error = {0};
    assert_int_equal(b.law.law->check(b.law.parameters.bytes, &error), FENDER_STATUS_VALUE);
    assert_string_equal(error.path, "Error");
    law_set(&b.law, "Error", 0.01);
    assert_int_equal(b.law.law->check(b.law.parameters.bytes, &error), FENDER_STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(three_springs), cmocka_unit_test(limits),
                                       cmocka_unit_test(direction), cmocka_unit_test(default_contact),
                                       cmocka_unit_test(needs_an_end)};
    return cmocka_run_group_tests_name("SpringContact and DefaultContact", tests, NULL, NULL);
}
