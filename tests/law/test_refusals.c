/* What laws, their registry and the sizing of contacts refuse; laws at the borders of their modes and parameters. */
/* items: S058 */
#include <fender/laws.h>
#include <fender/plugin.h>
#include <fender/sizing.h>

#include "law_test.h"

enum { ARGUMENT = FENDER_STATUS_ARGUMENT, NAME = FENDER_STATUS_NAME, VALUE = FENDER_STATUS_VALUE };

/* ---- sizing: what cannot be is not a number */

static const double nonsense[] = {-1, NAN, 0}; /* the last is for what has to be above 0 */

static void sizing(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const double x = nonsense[i];
        assert_true(isnan(fender_reduced_mass(x, 1)) && isnan(fender_reduced_mass(1, x)));
        assert_true(isnan(fender_stiffness_of_sink(1, x)));
        assert_true(isnan(fender_damping_of_ratio(0.1, x, 1)));
        assert_true(isnan(fender_damping_ratio(1, x, 1)) && isnan(fender_damping_ratio(1, 1, x)));
        assert_true(isnan(fender_linear_impact(x, 1, 0, 1, true).restitution));
        assert_true(isnan(fender_linear_impact(1, x, 0, 1, true).peak_force));
        assert_true(isnan(fender_power_law_depth(x, 1, 1, 0, 1)) && isnan(fender_power_law_depth(1, x, 1, 0, 1)));
        assert_true(isnan(fender_power_law_depth(1, 1, x, 0, 1)));
        assert_true(isnan(fender_hertz_modulus(x, 0.3, 1, 0.3)) && isnan(fender_hertz_modulus(1, 0.3, x, 0.3)));
        assert_true(isnan(fender_hertz_stiffness(x, 1)) && isnan(fender_hertz_stiffness(1, x)));
        assert_true(isnan(fender_hertz_linear_at_load(1, 1, x)));
        assert_true(isnan(fender_hertz_linear_at_impact(1, 1, 1, x)));
        if (x == 0) continue;
        assert_true(isnan(fender_stiffness_of_sink(x, 1)));
        assert_true(isnan(fender_damping_of_ratio(x, 1, 1)) && isnan(fender_damping_of_ratio(0.1, 1, x)));
        assert_true(isnan(fender_damping_ratio(x, 1, 1)));
        assert_true(isnan(fender_restitution_of_ratio(x, true)) && isnan(fender_ratio_of_restitution(x, true)));
        assert_true(isnan(fender_linear_impact(1, 1, x, 1, false).duration));
        assert_true(isnan(fender_linear_impact(1, 1, 0, x, false).peak_depth));
        assert_true(isnan(fender_hunt_crossley_restitution(x)) && isnan(fender_hunt_crossley_damping(x)));
        assert_true(isnan(fender_power_law_depth(1, 1, 1, x, 1)) && isnan(fender_power_law_depth(1, 1, 1, 0, x)));
    }
    assert_true(isnan(fender_ratio_of_restitution(1.01, false)) && isnan(fender_hunt_crossley_damping(1.01)));
    assert_true(isnan(fender_hertz_modulus(1, 0.51, 1, 0.3)) && isnan(fender_hertz_modulus(1, -1.01, 1, 0.3)));
    assert_true(isnan(fender_hertz_radius(1, -1))); /* a sphere in a bowl of its size: flat, and not told which way */
    assert_true(isnan(fender_power_law_duration(1, 1, 1.5, 0)));
    /* and what stands at the border of what can be */
    assert_true(fender_restitution_of_ratio(INFINITY, true) == 0 && fender_restitution_of_ratio(INFINITY, false) == 0);
    assert_true(isinf(fender_ratio_of_restitution(0, true)) && fender_ratio_of_restitution(0, false) == 1);
    assert_true(fender_hunt_crossley_restitution(INFINITY) == 0 && fender_hunt_crossley_restitution(0) == 1);
    assert_true(isinf(fender_hunt_crossley_damping(0)) && fender_hunt_crossley_damping(1) == 0);
    assert_true(isinf(fender_linear_impact(1, 1, 2, 1, false).duration)); /* critical: it never comes back to 0 */
    check_near(fender_linear_impact(1, 4, 0, 3, true).peak_depth, 1.5, 1e-15);
    assert_true(fender_reduced_mass(INFINITY, 3) == 3);
}

/* ---- laws from outside */

static void any_force(const void *parameters, const fender_contact_input *in, const void *memory,
                      fender_contact_output *out)
{
    (void)parameters, (void)memory;
    out->force.z = in->depth;
}

static void any_rates(const void *parameters, const fender_contact_input *in, const void *memory, double *rates)
{
    (void)parameters, (void)in, (void)memory;
    rates[0] = 0;
}

typedef struct two {
    double first;
    int second;
} two;
static const char *const choices[] = {"yes", "no", NULL};
static const fender_field good_field = {"first", "N", "One.", FENDER_FIELD_REAL, 0, 0, 0, 1, 0, NULL};

static fender_law sound(void)
{
    return (fender_law){
        .size = sizeof(fender_law), .kinds = FENDER_LAW_WHOLE, .name = "own", .doc = "It.", .force = any_force};
}

static void expect(const fender_law *law, int status, const char *path)
{
    fender_env env = fender_env_default();
    fender_registry *registry = fender_registry_create(&env, NULL);
    fender_error error = {0};
    assert_int_equal(fender_registry_add_law(registry, law, &error), status);
    assert_string_equal(error.path, path);
    if (status) assert_null(law->name ? fender_law_find(registry, law->name) : NULL);
    fender_registry_destroy(registry);
}

static void laws_from_outside(void **state)
{
    (void)state;
    fender_law law = sound();
    expect(&law, FENDER_STATUS_OK, "");
    law.size = sizeof(fender_law) + 8;
    expect(&law, ARGUMENT, "size");
    law.size = 16;
    expect(&law, ARGUMENT, "size");
    law = sound(), law.name = NULL;
    expect(&law, NAME, "name");
    law = sound(), law.name = "not a name";
    expect(&law, NAME, "name");
    law = sound(), law.doc = NULL;
    expect(&law, ARGUMENT, "doc");
    law = sound(), law.force = NULL;
    expect(&law, ARGUMENT, "force");
    law = sound(), law.kinds = 0;
    expect(&law, ARGUMENT, "kinds");
    law = sound(), law.kinds = FENDER_LAW_WHOLE | 1024;
    expect(&law, ARGUMENT, "kinds");
    law = sound(), law.needs = 1024;
    expect(&law, ARGUMENT, "needs");
    const int roots[] = {-1, FENDER_LAW_ROOT_CAPACITY + 1, 1}; /* the last has no function */
    for (int i = 0; i < 3; i++) {
        law = sound(), law.root_count = roots[i];
        expect(&law, ARGUMENT, "root_count");
    }
    const int states[] = {-1, FENDER_LAW_STATE_CAPACITY + 1, 1};
    for (int i = 0; i < 3; i++) {
        law = sound(), law.state_count = states[i], law.state_rates = i == 2 ? NULL : any_rates;
        expect(&law, ARGUMENT, "state_count");
    }
    law = sound(), law.state_count = 1, law.state_rates = any_rates;
    expect(&law, FENDER_STATUS_OK, "");
}

static void fields_from_outside(void **state)
{
    (void)state;
    fender_field fields[2] = {good_field, good_field};
    fender_law law = sound();
    law.parameters = (fender_field_table)FENDER_FIELD_TABLE("own", fields, two);
    expect(&law, NAME, "parameters"); /* both have one name */
    fields[1] = (fender_field){"second", "1", "Two.", FENDER_FIELD_ENUM, offsetof(two, second), 0, 0, 1, 0, choices};
    expect(&law, FENDER_STATUS_OK, "");
    const fender_field bad[] = {
        {NULL, "1", "Two.", FENDER_FIELD_INT, offsetof(two, second), 0, 0, 1, 0, NULL},
        {"a b", "1", "Two.", FENDER_FIELD_INT, offsetof(two, second), 0, 0, 1, 0, NULL},
        {"second", NULL, "Two.", FENDER_FIELD_INT, offsetof(two, second), 0, 0, 1, 0, NULL},
        {"second", "1", NULL, FENDER_FIELD_INT, offsetof(two, second), 0, 0, 1, 0, NULL},
        {"second", "1", "Two.", (fender_field_type)99, offsetof(two, second), 0, 0, 1, 0, NULL},
        {"second", "1", "Two.", FENDER_FIELD_ENUM, offsetof(two, second), 0, 0, 1, 0, NULL},
        {"second", "1", "Two.", FENDER_FIELD_INT, sizeof(two), 0, 0, 1, 0, NULL},
        {"second", "1", "Two.", FENDER_FIELD_BOOL, sizeof(two), 0, 0, 1, 0, NULL},
        {"second", "1", "Two.", FENDER_FIELD_MATRIX3, 0, 0, 0, 1, 0, NULL}, /* larger than the struct */
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fields[1] = bad[i];
        expect(&law, ARGUMENT, "parameters");
    }
    fields[1] = good_field;
    law.parameters.count = -1;
    expect(&law, ARGUMENT, "parameters");
    law.parameters.count = 2;
    law.parameters.fields = NULL;
    expect(&law, ARGUMENT, "parameters");
    law.parameters.fields = fields;
    law.parameters.field_size = 8;
    expect(&law, ARGUMENT, "parameters");
}

static void registries(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_registry *registry = fender_registry_create(&env, NULL);
    fender_law law = sound();
    fender_error fault = {0};
    assert_int_equal(fender_registry_add_law(NULL, &law, &fault), ARGUMENT);
    assert_string_equal(fault.path, "law");
    assert_int_equal(fender_registry_add_law(registry, NULL, NULL), ARGUMENT);
    check_ok(fender_registry_add_law(registry, &law, &error));
    fault = (fender_error){0};
    assert_int_equal(fender_registry_add_law(registry, &law, &fault), NAME); /* its name is taken */
    assert_string_equal(fault.found, "own");
    law.name = "coulomb"; /* and so are those of the built-in ones */
    assert_int_equal(fender_registry_add_law(registry, &law, NULL), NAME);
    assert_null(fender_law_find(registry, NULL));
    assert_null(fender_law_at(registry, -1));
    assert_null(fender_law_at(registry, 10000));
    /* an older law, of fewer members, is copied: those that it does not know are zero */
    fender_law old = sound();
    old.name = "older";
    old.size = offsetof(fender_law, stretch);
    old.needs = FENDER_LAW_CONNECTS;
    check_ok(fender_registry_add_law(registry, &old, &error));
    const fender_law *copy = fender_law_find(registry, "older");
    assert_true(copy != &old && copy->needs == 0 && copy->force == any_force);
    assert_int_equal(fender_registry_add_law(registry, &old, NULL), NAME);
    fender_registry *more = fender_registry_extend(&env, registry, NULL);
    fender_registry_destroy(registry); /* held by the other */
    assert_ptr_equal(fender_law_find(more, "older"), copy);
    assert_null(fender_registry_retain(NULL));
    fender_registry_destroy(NULL);
    fender_registry_destroy(more);
}

/* ---- parameters by name */

static void parameters(void **state)
{
    (void)state;
    const fender_law *law = fender_law_find(NULL, "spring_damper");
    double numbers[16] = {0};
    fender_error fault = {0};
    assert_int_equal(fender_law_parameters_default(NULL, numbers, sizeof numbers, NULL), ARGUMENT);
    assert_int_equal(fender_law_parameters_default(law, numbers, 4, NULL), ARGUMENT);
    check_ok(fender_law_parameters_default(law, numbers, sizeof numbers, &error));
    assert_int_equal(fender_law_parameters_set(NULL, numbers, sizeof numbers, "mu", 1, &fault), ARGUMENT);
    assert_string_equal(fault.found, "NULL");
    assert_int_equal(fender_law_parameters_set(law, NULL, sizeof numbers, "mu", 1, NULL), ARGUMENT);
    fault = (fender_error){0};
    assert_int_equal(fender_law_parameters_set(law, numbers, 4, "mu", 1, &fault), ARGUMENT);
    assert_string_equal(fault.found, "");
    const char *const unknown[] = {"nu", "mu.x", "", NULL};
    for (int i = 0; i < 4; i++) {
        fault = (fender_error){0};
        assert_int_equal(fender_law_parameters_set(law, numbers, sizeof numbers, unknown[i], 1, &fault), NAME);
        assert_string_equal(fault.found, unknown[i] ? unknown[i] : "NULL");
        assert_non_null(strstr(fault.expected, "stiffness, damping, mu, slip_speed"));
    }
    check_ok(fender_law_parameters_set(law, numbers, sizeof numbers, "mu", 0.4, &error));
    assert_true(fender_field_get(fender_field_find(&law->parameters, "mu"), numbers, 0) == 0.4);
    fender_spring_damper_parameters typed;
    assert_int_equal(fender_law_typed_default(NULL, &typed, sizeof typed, NULL), NAME);
    assert_int_equal(fender_law_typed_default("nothing", &typed, sizeof typed, NULL), NAME);
    fault = (fender_error){0};
    assert_int_equal(fender_law_typed_default("spring_damper", &typed, sizeof typed - 8, &fault), ARGUMENT);
    assert_string_equal(fault.path, "spring_damper");
    check_ok(fender_spring_damper_parameters_default(&typed, &error));
    assert_true(typed.slip_speed == 1e-3);
}

/* ---- derived parameters that nothing gives */

static void derivations(void **state)
{
    (void)state;
    lone_law soil = law_named("soil");
    fender_sizing_spec spec = fender_sizing_spec_none();
    double value = 7;
    fender_error fault = {0};
    spec.sink = 0.1;
    spec.weight = 1000;
    /* without an area nothing carries; with too strong a cohesion nothing is left for the friction */
    law_set(&soil, "area", 0);
    assert_int_equal(
        fender_law_derive(soil.law, soil.parameters.bytes, "frictional_modulus", &spec, &value, NULL, &fault), VALUE);
    assert_string_equal(fault.path, "frictional_modulus");
    law_set(&soil, "area", 0.1);
    law_set(&soil, "exponent", 1);
    const fender_derivation *row = NULL;
    check_ok(fender_law_derive(soil.law, soil.parameters.bytes, "frictional_modulus", &spec, &value, &row, &error));
    check_near(value, 1e5, 1e-9); /* 1000 N / (0.1 m^2 * 0.1 m) */
    assert_string_equal(row->parameter, "frictional_modulus");
    law_set(&soil, "cohesive_modulus", 4000);
    law_set(&soil, "width", 0.1);
    check_ok(fender_law_derive(soil.law, soil.parameters.bytes, "frictional_modulus", &spec, &value, NULL, &error));
    check_near(value, 6e4, 1e-9);
    law_set(&soil, "cohesive_modulus", 2e4);
    value = 7;
    assert_int_equal(
        fender_law_derive(soil.law, soil.parameters.bytes, "frictional_modulus", &spec, &value, NULL, NULL), VALUE);
    assert_true(value == 7);
    /* Walton and Braun: k = hardening / e^2, where nothing is crushed at a plateau */
    lone_law dent = law_named("elastic_plastic");
    spec = fender_sizing_spec_none();
    spec.restitution = 0.5;
    law_set(&dent, "hardening", 100);
    check_ok(fender_law_derive(dent.law, dent.parameters.bytes, "stiffness", &spec, &value, NULL, &error));
    check_near(value, 400, 1e-12);
    law_set(&dent, "crush_force", 1);
    assert_int_equal(fender_law_derive(dent.law, dent.parameters.bytes, "stiffness", &spec, &value, NULL, NULL), VALUE);
    /* nothing derives a coefficient of friction; a row that lacks something, or has no place for it, says what */
    lone_law spring = law_named("spring_damper");
    fault = (fender_error){0};
    assert_int_equal(fender_law_derive(spring.law, spring.parameters.bytes, "mu", &spec, &value, NULL, &fault),
                     ARGUMENT);
    assert_string_equal(fault.path, "mu");
    spec = fender_sizing_spec_none();
    spec.sink = 0.1;
    fault = (fender_error){0};
    assert_int_equal(fender_law_derive(spring.law, spring.parameters.bytes, "stiffness", &spec, &value, NULL, &fault),
                     ARGUMENT);
    assert_string_equal(fault.path, "weight");
    spec.weight = 10;
    spec.ratio = 0.3;
    fault = (fender_error){0};
    assert_int_equal(fender_law_derive(spring.law, spring.parameters.bytes, "stiffness", &spec, &value, NULL, &fault),
                     ARGUMENT);
    assert_string_equal(fault.path, "ratio");
    /* a spring that pulls has no impact to be sized by */
    lone_law pull = law_named("jeod_spring");
    law_set(&pull, "stiffness", 100);
    law_set(&pull, "sense", 1);
    spec = fender_sizing_spec_none();
    spec.restitution = 0.5;
    spec.mass = 1;
    assert_int_equal(fender_law_derive(pull.law, pull.parameters.bytes, "damping", &spec, &value, NULL, NULL), VALUE);
}

/* ---- impacts of a law by itself */

static void infinite_force(const void *parameters, const fender_contact_input *in, const void *memory,
                           fender_contact_output *out)
{
    (void)parameters, (void)in, (void)memory;
    out->force.z = NAN;
}

static void rebounds(void **state)
{
    (void)state;
    lone_law spring = law_named("spring_damper");
    law_set(&spring, "stiffness", 100);
    check_near(fender_law_rebound(spring.law, spring.parameters.bytes, 1, 1), 1, 1e-9); /* it loses nothing */
    const double bad[] = {0, -1, NAN};
    for (int i = 0; i < 3; i++) {
        assert_true(isnan(fender_law_rebound(spring.law, spring.parameters.bytes, bad[i], 1)));
        assert_true(isnan(fender_law_rebound(spring.law, spring.parameters.bytes, 1, bad[i])));
    }
    assert_true(isnan(fender_law_rebound(spring.law, spring.parameters.bytes, 1, INFINITY)));
    fender_law law = sound();
    law.force = infinite_force;
    assert_true(isnan(fender_law_rebound(&law, NULL, 1, 1)));
    law = sound(), law.memory_size = 513; /* more than is kept for it */
    assert_true(isnan(fender_law_rebound(&law, NULL, 1, 1)));
    law = sound(); /* a spring of 1 N/m, with neither roots nor update nor reach */
    check_near(fender_law_rebound(&law, NULL, 1, 1), 1, 1e-9);
    /* the damping of a rebound, and what has none */
    fender_sizing_spec spec = fender_sizing_spec_none();
    spec.mass = 1;
    spec.speed = 1;
    spec.restitution = 0.6;
    const double damping = fender_law_damping_of_rebound(spring.law, spring.parameters.bytes, "damping", &spec);
    check_near(damping, fender_damping_of_ratio(fender_ratio_of_restitution(0.6, true), 1, 100), 1e-6);
    assert_true(isnan(fender_law_damping_of_rebound(spring.law, spring.parameters.bytes, "nothing", &spec)));
    spec.restitution = 0;
    assert_true(isnan(fender_law_damping_of_rebound(spring.law, spring.parameters.bytes, "damping", &spec)));
    spec.restitution = 1.5;
    assert_true(isnan(fender_law_damping_of_rebound(spring.law, spring.parameters.bytes, "damping", &spec)));
    spec.restitution = 1;
    assert_true(fender_law_damping_of_rebound(spring.law, spring.parameters.bytes, "damping", &spec) == 0);
    /* a sticky ball asks for a radius: its own, or the specification's */
    lone_law jkr = law_named("jkr");
    spec.restitution = 0.5;
    assert_true(isnan(fender_law_damping_of_rebound(jkr.law, jkr.parameters.bytes, "dissipation", &spec)));
}

/* ---- stiffnesses that laws tell: never negative, and the slope of a force that has one */

static void told_stiffness(void **state)
{
    (void)state;
    for (int n = 0; fender_law_at(NULL, n); n++) {
        const fender_law *law = fender_law_at(NULL, n);
        if (!law->stiffness) continue;
        lone_law l = law_named(law->name);
        for (int i = 0; i < law->parameters.count; i++) {
            const fender_field *field = fender_field_at(&law->parameters, i);
            if (field->flags & FENDER_FIELD_REQUIRED)
                fender_field_set(field, l.parameters.bytes, 0, field->maximum < 1 ? field->maximum : 1);
        }
        const double depths[] = {-0.01, 0, 1e-3, 0.1};
        for (int i = 0; i < 4; i++) {
            const fender_contact_input in = {.depth = depths[i], .normal_force = 1, .weight = 1};
            fender_law_stiffness s = {0};
            law->stiffness(l.parameters.bytes, &in, &s);
            if (s.normal_stiffness < 0 || s.normal_damping < 0 || s.tangential_stiffness < 0 ||
                s.tangential_damping < 0)
                fail_msg("%s tells a negative stiffness or damping at %g m", law->name, depths[i]);
        }
    }
    /* what has captured by a bushing is as stiff as both together */
    lone_law l = law_named("capture");
    law_set(&l, "stiffness", 100);
    law_set(&l, "damping", 3);
    law_set(&l, "hold_stiffness", 1000);
    law_set(&l, "hold_damping", 5);
    const fender_contact_input in = {.depth = 0.1, .weight = 1};
    fender_law_stiffness weld = {0}, bushing = {0};
    law_set(&l, "connection", 0);
    l.law->stiffness(l.parameters.bytes, &in, &weld);
    law_set(&l, "connection", 1);
    l.law->stiffness(l.parameters.bytes, &in, &bushing);
    assert_true(weld.normal_stiffness == 100 && weld.normal_damping == 3 && weld.tangential_stiffness == 0);
    assert_true(bushing.normal_stiffness == 1100 && bushing.normal_damping == 8);
    assert_true(bushing.tangential_stiffness == 1000 && bushing.tangential_damping == 5);
    /* soil unloads more steeply than it is pressed in: that is what a step has to follow */
    lone_law soil = law_named("soil");
    law_set(&soil, "frictional_modulus", 1000);
    law_set(&soil, "area", 1);
    law_set(&soil, "exponent", 1);
    law_set(&soil, "unloading", 1e5);
    fender_law_stiffness ground = {0}, above = {0};
    soil.law->stiffness(soil.parameters.bytes, &in, &ground);
    check_near(ground.normal_stiffness, 1e5, 1e-6);
    const fender_contact_input apart = {.depth = -0.1, .weight = 1};
    soil.law->stiffness(soil.parameters.bytes, &apart, &above);
    assert_true(above.normal_stiffness == 0);
}

/* ---- modes that are held between events: capture, and the spring that lets go */

static void clips_that_are_held(void **state)
{
    (void)state;
    static const char *const names[] = {"capture", "pull_off_spring"};
    for (int n = 0; n < 2; n++) {
        lone_law l = law_named(names[n]);
        law_set(&l, "stiffness", 100);
        law_set(&l, "damping", 10);
        if (n == 1) law_set(&l, "pull_off", 0.5);
        else law_set(&l, "capture_force", 1e9);
        union {
            double align;
            char bytes[64];
        } memory;
        memset(&memory, 0, sizeof memory);
        assert_true(l.law->memory_size <= sizeof memory);
        fender_contact_change change = {0};
        fender_contact_output out = {0};
        /* it lets go first: beyond its pull, on the way out */
        fender_contact_input in = {.depth = 1e-3, .depth_rate = -1, .weight = 1, .located = true};
        l.law->update(l.parameters.bytes, &in, &out, memory.bytes, &change);
        double root[FENDER_LAW_ROOT_CAPACITY] = {0};
        /* the full push is 0.1 - 10 N: clipped, and held so until it would push again */
        l.law->roots(l.parameters.bytes, &in, memory.bytes, root);
        check_near(root[0], 9.9, 1e-12);
        l.law->force(l.parameters.bytes, &in, memory.bytes, &out);
        assert_true(out.force.z == 0);
        in.depth_rate = 1; /* it pushes: the root has changed its sign, and the update takes the clip off */
        l.law->roots(l.parameters.bytes, &in, memory.bytes, root);
        assert_true(root[0] < 0);
        l.law->update(l.parameters.bytes, &in, &out, memory.bytes, &change);
        out = (fender_contact_output){0};
        l.law->force(l.parameters.bytes, &in, memory.bytes, &out);
        check_near(out.force.z, 10.1, 1e-12);
        l.law->roots(l.parameters.bytes, &in, memory.bytes, root);
        check_near(root[0], 10.1, 1e-12);
        /* exactly nothing: clipped when the push does not grow, not clipped when it does */
        in = (fender_contact_input){.depth = 0.1, .depth_rate = -1, .weight = 1, .located = true};
        l.law->update(l.parameters.bytes, &in, &out, memory.bytes, &change);
        out = (fender_contact_output){0};
        in.depth = 0.2; /* had it not been clipped it would push with 10 N here */
        l.law->force(l.parameters.bytes, &in, memory.bytes, &out);
        assert_true(out.force.z == 0);
        in = (fender_contact_input){.weight = 1, .located = true};
        l.law->update(l.parameters.bytes, &in, &out, memory.bytes, &change);
        l.law->force(l.parameters.bytes, &in, memory.bytes, &out);
        assert_true(out.force.z == 0);
        in.located = false; /* and unlocated nothing is held: it clips at every state */
        in.depth = 0.01;
        in.depth_rate = -1;
        l.law->update(l.parameters.bytes, &in, &out, memory.bytes, &change);
        out = (fender_contact_output){0};
        l.law->force(l.parameters.bytes, &in, memory.bytes, &out);
        assert_true(out.force.z == 0);
        in.depth = -0.01;
        l.law->force(l.parameters.bytes, &in, memory.bytes, &out);
        assert_true(out.force.z == 0);
        assert_true(l.law->stored_energy(l.parameters.bytes, &in, memory.bytes) == 0);
    }
}

/* ---- plug-ins */

static void no_plugin(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_registry *registry = fender_registry_create(&env, NULL);
    fender_plugin plugin = {.size = sizeof(fender_plugin), .name = "own"};
    fender_error error = {0};
    assert_int_equal(fender_registry_add_plugin(NULL, &plugin, NULL, NULL, &error), ARGUMENT);
    assert_string_equal(error.found, "NULL");
    assert_int_equal(fender_registry_add_plugin(registry, NULL, NULL, NULL, NULL), ARGUMENT);
    assert_int_not_equal(fender_registry_add_plugin(registry, &plugin, NULL, NULL, NULL), FENDER_STATUS_OK); /* empty */
    fender_registry_destroy(registry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizing),     cmocka_unit_test(laws_from_outside), cmocka_unit_test(fields_from_outside),
        cmocka_unit_test(registries), cmocka_unit_test(parameters),        cmocka_unit_test(derivations),
        cmocka_unit_test(rebounds),   cmocka_unit_test(told_stiffness),    cmocka_unit_test(clips_that_are_held),
        cmocka_unit_test(no_plugin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
