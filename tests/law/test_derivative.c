/* Derivatives that laws give, against differences of their force. */
#include "check.h"
#include "random_numbers.h"

#include <fender/fender.h>
#include <string.h>

typedef struct law_case {
    const char *name;
    struct {
        const char *name;
        double value;
    } parameters[6];
} law_case;

static const law_case cases[] = {
    {"spring_damper", {{"stiffness", 1e3}, {"damping", 40}, {"mu", 0.3}, {"slip_speed", 0.5}}},
    {"spring_damper", {{"stiffness", 1e3}, {"damping", 40}, {"mu", 0.3}, {"slip_speed", 0.5}, {"sense", 1}}},
    {"smooth_spring_damper", {{"stiffness", 1e3}, {"damping", 40}, {"transition_width", 0.06}}},
    {"hertz", {{"modulus", 1e4}, {"dissipation", 0.4}}},
    {"hertz", {{"modulus", 1e4}, {"restitution", 0.5}, {"least_speed", 0.3}}},
    {"hunt_crossley", {{"stiffness", 1e4}, {"exponent", 1.7}, {"restitution", 0.6}}},
    {"impact", {{"stiffness", 1e4}, {"exponent", 1.7}, {"damping", 60}, {"full_depth", 0.06}}},
    {"coulomb", {{"mu", 0.3}, {"slip_speed", 0.5}}},
    {"stribeck",
     {{"mu_static", 0.5}, {"mu_kinetic", 0.2}, {"stribeck_speed", 0.6}, {"viscous", 0.1}, {"slip_speed", 0.3}}},
    {"smooth_stick_slip", {{"mu_static", 0.5}, {"mu_dynamic", 0.2}, {"critical_velocity", 0.5}}},
    {"none", {{0}}},
    {"rolling_resistance", {{"arm", 0.02}, {"roll_rate", 0.5}}},
    {"torsional", {{"mu", 0.3}, {"radius", 0.1}, {"twist_rate", 0.5}}},
};
enum { CASES = sizeof cases / sizeof *cases };

/* The number of the input that a derivative is by. */
static double *number_of(fender_contact_input *in, int variable)
{
    double *const numbers[FENDER_LAW_VARIABLE_COUNT] = {&in->depth,  &in->depth_rate,   &in->slip.x,
                                                        &in->slip.y, &in->spin.x,       &in->spin.y,
                                                        &in->spin.z, &in->normal_force, &in->approach_speed};
    return numbers[variable];
}

static fender_contact_output force_of(const fender_law *law, const void *parameters, fender_contact_input in,
                                      const void *memory, int variable, double h)
{
    fender_contact_output out = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0};
    *number_of(&in, variable) += h;
    law->force(parameters, &in, memory, &out);
    return out;
}

/* Central differences of steps h and h/2, extrapolated. */
static fender_vec3 slope(const fender_vec3 *values, double h)
{
    const fender_vec3 wide = fender_vec3_scale(0.5 / h, fender_vec3_sub(values[1], values[0]));
    const fender_vec3 fine = fender_vec3_scale(1 / h, fender_vec3_sub(values[3], values[2]));
    return fender_vec3_add_scaled(fine, 1.0 / 3, fender_vec3_sub(fine, wide));
}

static int check_input(const fender_law *law, const void *parameters, fender_contact_input in, const void *memory)
{
    fender_contact_derivative by[FENDER_LAW_VARIABLE_COUNT];
    memset(by, 0, sizeof by);
    law->derivative(parameters, &in, memory, by);
    int others = 0;
    for (int v = 0; v < FENDER_LAW_VARIABLE_COUNT; v++) {
        const double h = 1e-4 * larger(fabs(*number_of(&in, v)), 1e-2), parts[4] = {-h, h, -0.5 * h, 0.5 * h};
        fender_vec3 forces[4], torques[4];
        for (int i = 0; i < 4; i++) {
            const fender_contact_output out = force_of(law, parameters, in, memory, v, parts[i]);
            forces[i] = out.force;
            torques[i] = out.torque;
        }
        const fender_vec3 force = slope(forces, h), torque = slope(torques, h);
        check_vector(by[v].force, force, 1e-6 * (1 + fender_vec3_length(force)));
        check_vector(by[v].torque, torque, 1e-7 * (1 + fender_vec3_length(torque)));
        others += fender_vec3_length(force) + fender_vec3_length(torque) > 0;
    }
    return others;
}

/* Located events end a step where a root is not positive: what is beyond is the continuation of a mode. */
static bool is_valid(const fender_law *law, const void *parameters, const fender_contact_input *in, const void *memory)
{
    double roots[FENDER_LAW_ROOT_CAPACITY] = {0};
    if (!in->located || law->root_count == 0) return true;
    law->roots(parameters, in, memory, roots);
    return roots[0] > 0;
}

static void against_differences(void **state)
{
    (void)state;
    for (int c = 0; c < CASES; c++) {
        const fender_law *law = fender_law_find(NULL, cases[c].name);
        _Alignas(16) unsigned char parameters[512], memory[512] = {0};
        assert_non_null(law);
        assert_non_null(law->derivative);
        check_ok(fender_law_parameters_default(law, parameters, sizeof parameters, &error));
        for (int i = 0; i < 6 && cases[c].parameters[i].name; i++)
            check_ok(fender_law_parameters_set(law, parameters, sizeof parameters, cases[c].parameters[i].name,
                                               cases[c].parameters[i].value, &error));
        random_stream r = random_of_case(2711, (uint64_t)c);
        int felt = 0;
        for (int n = 0; n < 400; n++) {
            fender_contact_input in = {.weight = 1, .located = n % 2 == 1};
            in.depth = random_between(&r, -0.01, 0.1);
            in.depth_rate = random_between(&r, -2, 2);
            in.approach_speed = random_between(&r, 0.1, 2);
            in.slip = (fender_vec2){random_between(&r, -1, 1), random_between(&r, -1, 1)};
            in.spin = fender_vec3_make(random_between(&r, -1, 1), random_between(&r, -1, 1), random_between(&r, -1, 1));
            in.normal_force = law->kinds & FENDER_LAW_NORMAL ? 0 : random_between(&r, -20, 100);
            if (law->begin) law->begin(parameters, &in, memory);
            if (is_valid(law, parameters, &in, memory)) felt += check_input(law, parameters, in, memory);
        }
        if (strcmp(law->name, "none") != 0) assert_true(felt > 400);
    }
}

/* A law with a history has none, and every law with one is in the table above. */
static void which_laws(void **state)
{
    (void)state;
    const fender_law *law;
    for (int i = 0; (law = fender_law_at(NULL, i)) != NULL; i++) {
        bool listed = false;
        for (int c = 0; c < CASES; c++) listed |= strcmp(cases[c].name, law->name) == 0;
        assert_true(listed == (law->derivative != NULL));
        if (law->derivative) assert_int_equal(law->state_count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_differences), cmocka_unit_test(which_laws)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
