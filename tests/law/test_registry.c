/* The friction law coulomb by itself, and the registry of laws. */
/* items: C024 */
#include "law_test.h"
#include "random_numbers.h"

static void coulomb_limits(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 100000; n++) {
        random_stream r = random_of_case(41, n);
        lone_law l = law_named("coulomb");
        double mu = random_between(&r, 0, 2), slip_speed = random_magnitude(&r, 1e-6, 1);
        law_set(&l, "mu", mu);
        law_set(&l, "slip_speed", slip_speed);
        fender_contact_input in = {.normal_force = random_between(&r, -100, 1000),
                                   .slip = {random_between(&r, -3, 3), random_between(&r, -3, 3)}};
        fender_contact_output out = law_call(&l, &in);
        double size = sqrt(out.force.x * out.force.x + out.force.y * out.force.y);
        double slip = sqrt(in.slip.x * in.slip.x + in.slip.y * in.slip.y), limit = mu * fabs(in.normal_force);
        assert_true(size <= limit * (1 + 1e-15));
        check_near(size, limit * slip / sqrt(slip * slip + slip_speed * slip_speed), 1e-14 * (1 + limit));
        check_near(out.force.x * in.slip.y - out.force.y * in.slip.x, 0, 1e-13 * (1 + limit)); /* along the slip */
        assert_true(out.force.x * in.slip.x + out.force.y * in.slip.y <= 0);
        check_near(out.friction_power, size * slip, 1e-13 * (1 + limit));
        assert_true(out.force.z == 0 && out.damping_power == 0);
    }
}

enum { BUILT_IN_COUNT = 34 };

static void built_in(void **state)
{
    (void)state;
    static const char *const names[] = {"spring_damper",
                                        "jeod_spring",
                                        "coulomb",
                                        "coulomb_static_kinetic",
                                        "smooth_spring_damper",
                                        "smooth_stick_slip",
                                        "hunt_crossley",
                                        "impact",
                                        "hertz",
                                        "elastic_plastic",
                                        "soil",
                                        "janosi",
                                        "jkr",
                                        "dmt",
                                        "adhesion",
                                        "pull_off_spring",
                                        "DefaultContact",
                                        "SpringContact",
                                        "stribeck",
                                        "dahl",
                                        "lugre",
                                        "cundall_strack",
                                        "mindlin",
                                        "anisotropic",
                                        "claw",
                                        "rolling_resistance",
                                        "rolling_stick",
                                        "torsional",
                                        "torsional_stick",
                                        "capture",
                                        "input",
                                        "expression",
                                        "friction_expression",
                                        "none"};
    for (int i = 0; i < BUILT_IN_COUNT; i++) {
        const fender_law *law = fender_law_at(NULL, i);
        assert_non_null(law);
        assert_string_equal(law->name, names[i]);
        assert_ptr_equal(fender_law_find(NULL, names[i]), law);
        assert_true(strlen(law->doc) > 20 && law->size == sizeof(fender_law));
    }
    assert_null(fender_law_at(NULL, BUILT_IN_COUNT));
    assert_null(fender_law_at(NULL, -1));
    assert_null(fender_law_find(NULL, "no_such_law"));
    assert_null(fender_law_find(NULL, NULL));
}

static void any_force(const void *parameters, const fender_contact_input *in, const void *memory,
                      fender_contact_output *out)
{
    (void)parameters, (void)in, (void)memory, (void)out;
}

static void any_rates(const void *parameters, const fender_contact_input *in, const void *memory, double *rates)
{
    (void)parameters, (void)in, (void)memory, (void)rates;
}

static void adding(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_registry *registry = fender_registry_create(&env, NULL);
    fender_law laws[12];
    char names[12][16];
    memset(laws, 0, sizeof laws);
    for (int i = 0; i < 12; i++) {
        snprintf(names[i], sizeof names[i], "law%d", i);
        laws[i] = (fender_law){
            .size = sizeof(fender_law), .kinds = FENDER_LAW_WHOLE, .name = names[i], .doc = "", .force = any_force};
        check_ok(fender_registry_add_law(registry, &laws[i], &error));
    }
    for (int i = 0; i < 12; i++) {
        assert_ptr_equal(fender_law_at(registry, BUILT_IN_COUNT + i), &laws[i]);
        assert_ptr_equal(fender_law_find(registry, names[i]), &laws[i]);
    }
    assert_string_equal(fender_law_at(registry, 0)->name, "spring_damper");
    assert_null(fender_law_at(registry, BUILT_IN_COUNT + 12));

    fender_error error = {0};
    assert_int_equal(fender_registry_add_law(registry, &laws[3], &error), FENDER_STATUS_NAME);
    assert_string_equal(error.found, "law3");
    fender_law wrong = laws[0];
    wrong.name = "coulomb";
    assert_int_equal(fender_registry_add_law(registry, &wrong, NULL), FENDER_STATUS_NAME);
    wrong.name = "two words";
    assert_int_equal(fender_registry_add_law(registry, &wrong, NULL), FENDER_STATUS_NAME);
    wrong.name = "good";
    wrong.force = NULL;
    assert_int_equal(fender_registry_add_law(registry, &wrong, NULL), FENDER_STATUS_ARGUMENT);
    wrong.force = any_force;
    wrong.kinds = 0;
    assert_int_equal(fender_registry_add_law(registry, &wrong, NULL), FENDER_STATUS_ARGUMENT);
    wrong.kinds = FENDER_LAW_NORMAL;
    wrong.state_count = 1; /* whose rates nobody gives */
    assert_int_equal(fender_registry_add_law(registry, &wrong, NULL), FENDER_STATUS_ARGUMENT);
    wrong.state_rates = any_rates;
    wrong.state_count = FENDER_LAW_STATE_CAPACITY + 1;
    assert_int_equal(fender_registry_add_law(registry, &wrong, NULL), FENDER_STATUS_ARGUMENT);
    wrong.state_count = -1;
    assert_int_equal(fender_registry_add_law(registry, &wrong, NULL), FENDER_STATUS_ARGUMENT);
    wrong.state_count = FENDER_LAW_STATE_CAPACITY;
    assert_int_equal(fender_registry_add_law(registry, &wrong, NULL), FENDER_STATUS_OK);
    wrong.name = "better";
    wrong.size = 40;
    assert_int_equal(fender_registry_add_law(registry, &wrong, NULL), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_registry_add_law(registry, NULL, NULL), FENDER_STATUS_ARGUMENT);
    assert_null(fender_law_at(registry, BUILT_IN_COUNT + 13));
    fender_registry_destroy(registry);
    fender_registry_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coulomb_limits),
        cmocka_unit_test(built_in),
        cmocka_unit_test(adding),
    };
    return cmocka_run_group_tests_name("coulomb and the registry", tests, NULL, NULL);
}
