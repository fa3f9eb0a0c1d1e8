/* Laws that are formulas, by themselves: the forces, energies and slopes of compiled laws of the same form, and what
 * the laws refuse. */
/* items: S002 */
#include "law_test.h"
#include "random_numbers.h"
#include <fender/laws.h>

enum {
    D = FENDER_LAW_SLOT_DEPTH,
    R = FENDER_LAW_SLOT_RATE,
    S = FENDER_LAW_SLOT_SLIP,
    T = FENDER_LAW_SLOT_TIME,
    V = FENDER_LAW_SLOT_APPROACH_SPEED,
    N = FENDER_LAW_SLOT_NORMAL_FORCE
};

#define NUMBER(x) ((fender_instruction){FENDER_OP_NUMBER, 0, (x)})
#define SLOT(i)   ((fender_instruction){FENDER_OP_SLOT, (i), 0})
#define OP(name)  ((fender_instruction){FENDER_OP_##name, 0, 0})
#define COUNT(a)  ((int)(sizeof(a) / sizeof((a)[0])))

static fender_expression_parameters formula(const fender_instruction *code, int count)
{
    fender_expression_parameters p;
    check_ok(fender_expression_parameters_default(&p, &error));
    check_ok(fender_expression_parameters_set(&p, code, count, &error));
    return p;
}

static fender_expression_parameters linear(double k, double c)
{
    const fender_instruction code[] = {NUMBER(k), SLOT(D), OP(MULTIPLY), NUMBER(c), SLOT(R), OP(MULTIPLY), OP(ADD)};
    return formula(code, COUNT(code));
}

/* k d^n (1 + c d') */
static fender_expression_parameters power(double k, double n, double c)
{
    const fender_instruction code[] = {NUMBER(k), SLOT(D), NUMBER(n),    OP(POWER), OP(MULTIPLY), NUMBER(1),
                                       NUMBER(c), SLOT(R), OP(MULTIPLY), OP(ADD),   OP(MULTIPLY)};
    return formula(code, COUNT(code));
}

static const fender_law *law(void) { return fender_law_find(NULL, "expression"); }

static void check_relative(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance * fabs(expected))) fail_msg("%.17g is not %.17g", found, expected);
}

/* Force, power, energy, slopes and roots beside those of a compiled law. */
static void compare(const fender_expression_parameters *p, const lone_law *other, bool roots, random_stream *r)
{
    int held[2] = {0}, other_held[8] = {0};
    fender_contact_input in = {.weight = 1, .time = 3};
    fender_contact_output one = {.mode = 0}, two = {.mode = 0};
    in.located = random_below(r, 2);
    held[0] = other_held[0] = in.located && random_below(r, 2);
    in.depth = random_below(r, 20) ? random_magnitude(r, 1e-7, 0.05) : 0;
    in.depth_rate = (random_below(r, 2) ? 1 : -1) * random_magnitude(r, 1e-5, 8);
    law()->force(p, &in, held, &one);
    other->law->force(other->parameters.bytes, &in, other_held, &two);
    check_relative(one.force.z, two.force.z, 1e-14);
    if (!(fabs(one.damping_power - two.damping_power) <=
          1e-14 * (fabs(two.force.z * in.depth_rate) + fabs(two.damping_power))))
        fail_msg("power %.17g, %.17g", one.damping_power, two.damping_power);
    check_relative(law()->stored_energy(p, &in, held),
                   other->law->stored_energy(other->parameters.bytes, &in, other_held), 1e-14);
    fender_law_stiffness slope = {0}, other_slope = {0};
    law()->stiffness(p, &in, &slope);
    other->law->stiffness(other->parameters.bytes, &in, &other_slope);
    if (in.depth > 0) check_relative(slope.normal_stiffness, other_slope.normal_stiffness, 1e-7);
    const double room = 1e-5 * other_slope.normal_damping + 1e-12 * slope.normal_stiffness * in.depth; /* roundings */
    if (in.depth > 0) check_near(slope.normal_damping, other_slope.normal_damping, room);
    if (!roots) return;
    double root[2] = {0}, other_root[FENDER_LAW_ROOT_CAPACITY] = {0};
    in.located = true;
    law()->roots(p, &in, held, root);
    other->law->roots(other->parameters.bytes, &in, other_held, other_root);
    assert_true((root[0] > 0) == (other_root[0] > 0) || in.depth == 0);
    fender_contact_change change = {0};
    law()->update(p, &in, &one, held, &change);
    other->law->update(other->parameters.bytes, &in, &two, other_held, &change);
    assert_true((held[0] != 0) == (other_held[0] != 0) || in.depth == 0);
}

static void compiled_laws_of_the_same_form(void **state)
{
    (void)state;
    random_stream r = random_of_case(90, 0);
    for (int i = 0; i < 20000; i++) {
        const double k = random_magnitude(&r, 1e2, 1e8), c = random_magnitude(&r, 1e-3, 1e4);
        lone_law spring = law_named("spring_damper"), hunt = law_named("hunt_crossley");
        law_set(&spring, "stiffness", k);
        law_set(&spring, "damping", c);
        fender_expression_parameters p = linear(k, c);
        assert_true(p.exponent == 1 && p.shared == 1 && p.extended && !p.slips);
        compare(&p, &spring, true, &r);
        const double loss = random_magnitude(&r, 1e-3, 10), n = i % 2 ? 1.5 : i % 4 ? 2.5 : 1;
        law_set(&hunt, "stiffness", k);
        law_set(&hunt, "exponent", n);
        law_set(&hunt, "dissipation", loss);
        p = power(k, n, loss);
        assert_true(p.exponent == n && p.shared > 0 && p.extended == (n == 1));
        compare(&p, &hunt, true, &r);
    }
}

/* Without a closed form the energy is an integral: of powers that are no halves, of sums, across kinks and jumps. */
static void energies_are_integrals(void **state)
{
    (void)state;
    for (double d = 1e-6; d < 0.1; d *= 1.7) {
        const fender_contact_input in = {.depth = d, .weight = 1};
        fender_expression_parameters p = power(1e5, 2.2, 0);
        assert_true(isnan(p.exponent));
        check_relative(law()->stored_energy(&p, &in, NULL), 1e5 * pow(d, 3.2) / 3.2, 1e-13);
        const fender_instruction sum[] = {NUMBER(1e4), SLOT(D),   OP(MULTIPLY), NUMBER(1e9), SLOT(D),
                                          NUMBER(3),   OP(POWER), OP(MULTIPLY), OP(ADD)};
        p = formula(sum, COUNT(sum));
        check_relative(law()->stored_energy(&p, &in, NULL), 0.5e4 * d * d + 0.25e9 * d * d * d * d, 1e-13);
        const fender_instruction kink[] = {NUMBER(1e4), SLOT(D), NUMBER(1e-3), OP(SUBTRACT), OP(MULTIPLY)};
        p = formula(kink, COUNT(kink));
        const double over = d > 1e-3 ? d - 1e-3 : 0;
        check_near(law()->stored_energy(&p, &in, NULL), 0.5e4 * over * over, 1e-9 * 1e4 * d * d);
        const fender_instruction jump[] = {SLOT(D), NUMBER(1e-3), OP(GREATER), NUMBER(50), OP(MULTIPLY)};
        p = formula(jump, COUNT(jump));
        check_near(law()->stored_energy(&p, &in, NULL), 50 * over, 1e-4 * 50 * d);
        assert_true(law()->stored_energy(&p, &(fender_contact_input){.depth = -d}, NULL) == 0);
    }
    /* a kink shortly before the depth */
    for (double past = 1e-12; past < 1e-3; past *= 10) {
        const fender_instruction kink[] = {NUMBER(1e4), SLOT(D), NUMBER(1e-3), OP(SUBTRACT), OP(MULTIPLY)};
        const fender_expression_parameters p = formula(kink, COUNT(kink));
        const double energy = law()->stored_energy(&p, &(fender_contact_input){.depth = 1e-3 + past}, NULL);
        check_near(energy, 0.5e4 * past * past, 1e-9 * 1e4 * 1e-6);
    }
    const fender_instruction constant[] = {NUMBER(20)};
    const fender_expression_parameters p = formula(constant, 1);
    assert_true(law()->stored_energy(&p, &(fender_contact_input){.depth = 0.1}, NULL) == 2);
}

/* Slots, one by one: each has its own member of the input. */
static void slots_read_their_input(void **state)
{
    (void)state;
    const fender_contact_input in = {
        .depth = 2, .depth_rate = 3, .slip = {3, 4}, .time = 7, .approach_speed = 11, .weight = 1};
    const double values[] = {2, 3, 5, 7, 11};
    for (int i = 0; i < 5; i++) {
        const fender_instruction code[] = {SLOT(i)};
        fender_expression_parameters p = formula(code, 1);
        fender_contact_output out = {.mode = 0};
        law()->force(&p, &in, NULL, &out);
        assert_true(out.force.z == values[i]);
        p.supplied = true;
        out = (fender_contact_output){.mode = 0};
        law()->force(&p, &in, NULL, &out);
        assert_true(out.supplied_power == -3 * values[i] && out.damping_power == 0);
        assert_true(law()->stored_energy(&p, &in, NULL) == 0);
    }
    const fender_instruction speed[] = {SLOT(V)}, depth[] = {SLOT(D)}, root[] = {SLOT(D), OP(SQRT)};
    fender_contact_output out = {.mode = 0};
    fender_expression_parameters p = formula(speed, 1);
    law()->force(&p, &(fender_contact_input){.depth = 1}, NULL, &out);
    assert_true(out.force.z == 1e-3); /* least_speed */
    /* below touch: the smooth continuation where steps are located, if there is one */
    const int held[2] = {0};
    const fender_contact_input apart = {.depth = -1, .depth_rate = 1, .located = true};
    p = formula(depth, 1);
    law()->force(&p, &apart, held, &out);
    assert_true(out.force.z == -1 && out.damping_power == 0);
    law()->force(&p, &(fender_contact_input){.depth = -1, .depth_rate = 1}, held, &out);
    assert_true(out.force.z == 0);
    p = formula(root, 2);
    assert_false(p.extended);
    law()->force(&p, &apart, held, &out);
    assert_true(out.force.z == 0);
}

static void refused(const fender_expression_parameters *p, const char *message)
{
    fender_error fault = {0};
    assert_int_equal(law()->check(p, &fault), FENDER_STATUS_VALUE);
    if (!strstr(fault.message, message)) fail_msg("'%s', not '%s'", fault.message, message);
    assert_string_equal(fault.path, "force");
    assert_true(fault.found[0] && fault.expected[0] && fault.suggestion[0]);
}

static void what_adds_energy_is_refused(void **state)
{
    (void)state;
    fender_expression_parameters p = linear(1e4, -10);
    refused(&p, "the force adds energy");
    p.supplied = true;
    check_ok(law()->check(&p, &error));
    p = power(1e4, 1.5, 0.5);
    check_ok(law()->check(&p, &error));
    p = power(1e4, 1.5, -1e-4);
    refused(&p, "the force adds energy");
    /* a damper that pulls at high speed alone: within the range or not */
    const fender_instruction late[] = {NUMBER(1e4),  SLOT(D),      OP(MULTIPLY), NUMBER(1), SLOT(R),
                                       NUMBER(25),   SLOT(R),      NUMBER(2),    OP(POWER), OP(SUBTRACT),
                                       OP(MULTIPLY), OP(MULTIPLY), OP(ADD)};
    p = formula(late, COUNT(late));
    refused(&p, "the force adds energy");
    p.speed_range = 4.9;
    check_ok(law()->check(&p, &error));
    /* a normal force that grows with the slip is more than its spring on the way out, too */
    const fender_instruction slips[] = {NUMBER(1e4), SLOT(D), OP(MULTIPLY), NUMBER(1), SLOT(S), OP(ADD), OP(MULTIPLY)};
    p = formula(slips, COUNT(slips));
    refused(&p, "the force adds energy");
    const fender_instruction timed[] = {NUMBER(1e4), SLOT(D), OP(MULTIPLY), SLOT(T), OP(MULTIPLY)};
    p = formula(timed, COUNT(timed));
    refused(&p, "depends on time");
    p.supplied = true;
    check_ok(law()->check(&p, &error));
    const fender_instruction root[] = {SLOT(D), NUMBER(0.09), OP(SUBTRACT), OP(SQRT)};
    p = formula(root, COUNT(root));
    refused(&p, "not a finite number");
    check_ok(fender_expression_parameters_default(&p, &error));
    refused(&p, "has no force");
    /* programs that are none, or read what their law has not */
    const fender_instruction itself[] = {SLOT(N)}, broken[] = {OP(ADD)};
    assert_int_equal(fender_expression_parameters_set(&p, itself, 1, NULL), FENDER_STATUS_VALUE);
    assert_int_equal(fender_expression_parameters_set(&p, broken, 1, NULL), FENDER_STATUS_VALUE);
    fender_instruction longer[150] = {SLOT(D)};
    for (int i = 1; i < 149; i += 2) longer[i] = SLOT(D), longer[i + 1] = OP(MAX);
    assert_int_equal(fender_expression_parameters_set(&p, longer, 149, NULL), FENDER_STATUS_VALUE);
    assert_int_equal(p.force.count, 0); /* what fails changes nothing */
}

/* Coulomb's and Stribeck's friction as formulas. */
static void friction(void **state)
{
    (void)state;
    const fender_law *own = fender_law_find(NULL, "friction_expression");
    fender_friction_expression_parameters p;
    check_ok(fender_friction_expression_parameters_default(&p, &error));
    assert_int_equal(own->check(&p, NULL), FENDER_STATUS_VALUE);
    const fender_instruction constant[] = {NUMBER(0.4)};
    const fender_instruction curve[] = {NUMBER(0.3), NUMBER(0.2), SLOT(S), NUMBER(0.01), OP(DIVIDE), NUMBER(2),
                                        OP(POWER),   OP(NEGATE),  OP(EXP), OP(MULTIPLY), OP(ADD)};
    lone_law coulomb = law_named("coulomb"), stribeck = law_named("stribeck");
    law_set(&coulomb, "mu", 0.4);
    law_set(&stribeck, "mu_static", 0.5);
    law_set(&stribeck, "mu_kinetic", 0.3);
    law_set(&stribeck, "stribeck_speed", 0.01);
    law_set(&stribeck, "slip_speed", 1e-3);
    random_stream r = random_of_case(90, 1);
    for (int i = 0; i < 2000; i++) {
        const lone_law *other = i % 2 ? &coulomb : &stribeck;
        check_ok(
            fender_friction_expression_parameters_set(&p, i % 2 ? constant : curve, i % 2 ? 1 : COUNT(curve), &error));
        check_ok(own->check(&p, &error));
        fender_contact_input in = {.weight = 1, .depth = 1e-3, .normal_force = random_magnitude(&r, 1e-2, 1e5)};
        in.slip = (fender_vec2){random_magnitude(&r, 1e-6, 5), -random_magnitude(&r, 1e-6, 5)};
        fender_contact_output one = {.mode = 0}, two = law_call(other, &in);
        own->force(&p, &in, NULL, &one);
        check_relative(one.force.x, two.force.x, 1e-14);
        check_relative(one.force.y, two.force.y, 1e-14);
        check_relative(one.friction_power, two.friction_power, 1e-14);
        fender_law_stiffness slope = {0}, other_slope = {0};
        own->stiffness(&p, &in, &slope);
        other->law->stiffness(other->parameters.bytes, &in, &other_slope);
        check_relative(slope.tangential_damping, other_slope.tangential_damping, 1e-14);
    }
    /* of the load: mu = 2 N / N^(4/3), none without load */
    const fender_instruction loaded[] = {NUMBER(2), SLOT(N), NUMBER(-1.0 / 3), OP(POWER), OP(MULTIPLY)};
    check_ok(fender_friction_expression_parameters_set(&p, loaded, COUNT(loaded), &error));
    check_ok(own->check(&p, &error));
    fender_contact_input in = {.weight = 1, .normal_force = 8, .slip = {1e9, 0}};
    fender_contact_output out = {.mode = 0};
    own->force(&p, &in, NULL, &out);
    check_relative(out.force.x, -8, 1e-14);
    in.normal_force = 0;
    out = (fender_contact_output){.mode = 0};
    own->force(&p, &in, NULL, &out);
    assert_true(out.force.x == 0 && out.friction_power == 0);
    /* a coefficient that becomes negative is refused within the range, and nothing beyond */
    const fender_instruction falls[] = {NUMBER(1), NUMBER(0.5), SLOT(S), OP(MULTIPLY), OP(SUBTRACT)};
    check_ok(fender_friction_expression_parameters_set(&p, falls, COUNT(falls), &error));
    fender_error fault = {0};
    assert_int_equal(own->check(&p, &fault), FENDER_STATUS_VALUE);
    assert_true(strstr(fault.message, "would drive") && fault.suggestion[0]);
    p.speed_range = 1.9;
    check_ok(own->check(&p, &error));
    in.normal_force = 1;
    in.slip.x = 3;
    own->force(&p, &in, NULL, &out);
    assert_true(out.force.x == 0);
    const fender_instruction infinite[] = {NUMBER(1), SLOT(S), OP(DIVIDE)};
    check_ok(fender_friction_expression_parameters_set(&p, infinite, COUNT(infinite), &error));
    assert_int_equal(own->check(&p, NULL), FENDER_STATUS_VALUE);
    assert_int_equal(fender_friction_expression_parameters_set(&p, infinite, 2, NULL), FENDER_STATUS_VALUE);
    assert_int_equal(fender_friction_expression_parameters_set(NULL, infinite, 3, NULL), FENDER_STATUS_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiled_laws_of_the_same_form),
        cmocka_unit_test(energies_are_integrals),
        cmocka_unit_test(slots_read_their_input),
        cmocka_unit_test(what_adds_energy_is_refused),
        cmocka_unit_test(friction),
    };
    return cmocka_run_group_tests_name("formulas", tests, NULL, NULL);
}
