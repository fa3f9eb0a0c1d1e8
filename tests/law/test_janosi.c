/* The law janosi by itself: one straight pull, and states that a step too long for the slip has taken beyond K. */
#include "law_test.h"
#include "random_numbers.h"

static const double K = 0.01, PHI = 0.6, LOAD = 100;

static lone_law janosi(void)
{
    lone_law l = law_named("janosi");
    law_set(&l, "friction_angle", PHI);
    law_set(&l, "shear_displacement", K);
    return l;
}

/* Its memory is the strength at the last accepted state. */
static fender_contact_output force_of(const lone_law *l, const fender_contact_input *in, double strength)
{
    fender_contact_output out = {0};
    l->law->force(l->parameters.bytes, in, &strength, &out);
    return out;
}

/* Janosi and Hanamoto: F (1 - exp(-j / K)) after the shear j. */
static void one_pull(void **state)
{
    (void)state;
    const lone_law l = janosi();
    const double F = LOAD * tan(PHI), speed = 0.1, h = 1e-5;
    double states[2] = {0, 0}, shear = 0;
    for (int i = 0; i < 10000; i++) {
        fender_contact_input in = {.normal_force = LOAD, .slip = {speed, 0}, .states = states};
        double middle[2], rates[2];
        l.law->state_rates(l.parameters.bytes, &in, &F, rates);
        for (int k = 0; k < 2; k++) middle[k] = states[k] + 0.5 * h * rates[k];
        in.states = middle;
        l.law->state_rates(l.parameters.bytes, &in, &F, rates);
        for (int k = 0; k < 2; k++) states[k] += h * rates[k];
        in.states = states;
        shear += speed * h;
        check_near(force_of(&l, &in, F).force.x, -F * (1 - exp(-shear / K)), 1e-8 * F);
    }
}

/* However far a step has taken the state, the force is within the strength, what is stored grows by no more than what
 * slip puts in less what is lost, and the accepted state is within K. */
static void beyond_its_strength(void **state)
{
    (void)state;
    const lone_law l = janosi();
    random_stream r = random_of_case(0x1a1051, 0);
    const double F = LOAD * tan(PHI);
    for (int n = 0; n < 10000; n++) {
        const double size = K * random_magnitude(&r, 1e-3, 1e6), load = LOAD * random_between(&r, 0.1, 2);
        const fender_vec3 direction = random_direction(&r), slip = random_direction(&r);
        double states[2] = {size * direction.x, size * direction.y}, rates[2], strength = F;
        fender_contact_input in = {.normal_force = load, .slip = {slip.x, slip.y}, .states = states};
        fender_contact_output out = force_of(&l, &in, strength);
        l.law->state_rates(l.parameters.bytes, &in, &strength, rates);
        const double now = load * tan(PHI), most = now < F ? now : F;
        check_below(hypot(out.force.x, out.force.y), most * (1 + 1e-12));
        const double put_in = -(out.force.x * slip.x + out.force.y * slip.y);
        const double stored = F / K * (states[0] * rates[0] + states[1] * rates[1]);
        check_near(stored + out.friction_power, put_in, 1e-12 * (fabs(stored) + fabs(put_in)));
        assert_true(out.friction_power >= 0);
        fender_contact_change change = {.states = states};
        l.law->update(l.parameters.bytes, &in, &out, &strength, &change);
        check_below(hypot(states[0], states[1]), K * (1 + 1e-12));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_pull), cmocka_unit_test(beyond_its_strength)};
    return cmocka_run_group_tests_name("janosi", tests, NULL, NULL);
}
