/* Damping derived from a restitution at a stated speed, for every law that derives it by following its own impact: the
 * engine's impact gives back what was wanted. */
#include <fender/sizing.h>

#include "impact.h"
#include "verified.h"

typedef struct wanted {
    const char *law, *damping;
    impact_parameter parameters[4];
    double restitution[2];
    double mass, speed;
} wanted;

static const double RADIUS = 0.1; /* m; of the sphere */

/* Depths of some millimetres; adhesive and plastic laws lose by themselves, and cannot give back more than that. */
static const wanted cases[] = {
    {"impact", "damping", {{"stiffness", 2e6}, {"full_depth", 5e-3}}, {0.9, 0.3}, 2, 1.5},
    {"impact", "damping", {{"stiffness", 2e4}, {"exponent", 1}, {"full_depth", 1e-4}}, {0.7, 0.1}, 2, 1.5},
    {"smooth_spring_damper", "damping", {{"stiffness", 2e4}, {"transition_width", 5e-3}}, {0.8, 0.4}, 2, 1.5},
    {"adhesion", "damping", {{"stiffness", 2e4}, {"pull", 40}, {"range", 2e-3}}, {0.9, 0.5}, 2, 1.5},
    {"pull_off_spring", "damping", {{"stiffness", 2e4}, {"pull_off", 60}}, {0.9, 0.5}, 2, 1.5},
    {"SpringContact", "B", {{"K", 2e4}, {"Z_Limit", 60}}, {0.9, 0.5}, 2, 1.5},
    {"DefaultContact", "B", {{"K", 2e4}}, {0.9, 0.2}, 2, 1.5},
    {"jkr", "dissipation", {{"modulus", 1e6}, {"work", 20}}, {0.8, 0.4}, 2, 0.8},
    {"dmt", "dissipation", {{"modulus", 1e6}, {"work", 20}}, {0.95, 0.4}, 2, 0.8},
    {"elastic_plastic", "dissipation", {{"stiffness", 2e4}, {"crush_force", 200}}, {0.6, 0.3}, 2, 1.5},
    {"elastic_plastic", "dissipation", {{"stiffness", 2e4}, {"hardening", 1e4}}, {0.7, 0.2}, 2, 1.5},
    {"soil", "dissipation", {{"frictional_modulus", 5e6}, {"area", 0.01}, {"unloading", 1e7}}, {0.6, 0.2}, 2, 1.5},
};
enum { CASES = sizeof cases / sizeof cases[0] };

typedef union numbers {
    double align;
    char bytes[128];
} numbers;

static const fender_law *law_of(const wanted *w, numbers *p)
{
    const fender_law *law = fender_law_find(NULL, w->law);
    assert_non_null(law);
    assert_true(law->parameters.size <= sizeof p->bytes);
    (void)fender_field_initialize(&law->parameters, p->bytes, sizeof p->bytes, NULL);
    for (int i = 0; i < 4 && w->parameters[i].name; i++)
        fender_field_set(fender_field_find(&law->parameters, w->parameters[i].name), p->bytes, 0,
                         w->parameters[i].value);
    return law;
}

static fender_sizing_spec spec_of(const wanted *w, double restitution)
{
    fender_sizing_spec spec = fender_sizing_spec_none();
    spec.restitution = restitution;
    spec.mass = w->mass;
    spec.speed = w->speed;
    if (strcmp(w->law, "jkr") == 0 || strcmp(w->law, "dmt") == 0) spec.radius = RADIUS;
    return spec;
}

static void impacts_give_what_was_wanted(void **state)
{
    (void)state;
    for (int i = 0; i < CASES * 2; i++) {
        const wanted *w = &cases[i / 2];
        double e = w->restitution[i % 2], damping = NAN;
        numbers p;
        const fender_law *law = law_of(w, &p);
        fender_sizing_spec spec = spec_of(w, e);
        check_ok(fender_law_derive(law, p.bytes, w->damping, &spec, &damping, NULL, &error));
        impact_case c = {.law = w->law,
                         .radius = RADIUS,
                         .mass = w->mass,
                         .speed = w->speed,
                         .method = FENDER_INTEGRATOR_DOP853,
                         .step = 1e-3,
                         .tolerance = 1e-12};
        memcpy(c.parameters, w->parameters, sizeof w->parameters);
        c.parameters[4] = (impact_parameter){w->damping, damping};
        for (int k = 0; k < 4; k++)
            if (!c.parameters[k].name) c.parameters[k] = c.parameters[4];
        char quantity[64];
        snprintf(quantity, sizeof quantity, "restitution where %g is wanted at %g m/s", e, w->speed);
        /* both integrations are good to some 1e-12 a step, of which there are tens; found at most 3e-12 */
        check_verified(w->law, quantity, "1", "what is wanted", impact_run(&c).restitution, e, 1e-10);
    }
}

/* A stiffness for a depth or a force: the engine's impact reaches it. */
static void stiffness_reaches_what_was_wanted(void **state)
{
    (void)state;
    static const wanted sized[] = {
        {"impact", "stiffness", {{"damping", 20}, {"full_depth", 5e-3}}, {8e-3, 900}, 2, 1.5},
        {"jkr", "modulus", {{"work", 20}, {"dissipation", 0.1}, {"radius", 0.1}}, {8e-3, 900}, 2, 1.5},
        {"elastic_plastic", "stiffness", {{"crush_force", 400}, {"dissipation", 0.05}}, {8e-3, 300}, 2, 1.5},
    };
    for (int i = 0; i < 6; i++) {
        const wanted *w = &sized[i / 2];
        numbers p;
        const fender_law *law = law_of(w, &p);
        fender_impact target = {
            NAN, NAN, i % 2 ? (double)NAN : w->restitution[0], i % 2 ? w->restitution[1] : (double)NAN, NAN, NAN,
            NAN, NAN};
        assert_true(fender_law_size(law, p.bytes, w->damping, NULL, &target, NAN, w->mass, w->speed));
        impact_case c = {.law = w->law,
                         .radius = RADIUS,
                         .mass = w->mass,
                         .speed = w->speed,
                         .method = FENDER_INTEGRATOR_DOP853,
                         .step = 1e-4,
                         .tolerance = 1e-12};
        memcpy(c.parameters, w->parameters, sizeof w->parameters);
        c.parameters[4] = (impact_parameter){
            w->damping, fender_field_get(fender_field_find(&law->parameters, w->damping), p.bytes, 0)};
        for (int k = 0; k < 4; k++)
            if (!c.parameters[k].name) c.parameters[k] = c.parameters[4];
        impact_result r = impact_run(&c);
        char quantity[64];
        snprintf(quantity, sizeof quantity, "%s where %g is wanted", i % 2 ? "peak force" : "peak depth",
                 w->restitution[i % 2]);
        /* peaks of the engine are interpolated between steps */
        check_verified(w->law, quantity, i % 2 ? "N" : "m", "what is wanted", i % 2 ? r.peak_force : r.peak_depth,
                       w->restitution[i % 2], 1e-6 * w->restitution[i % 2]);
    }
}

/* More than the undamped law gives back cannot be had; exactly that much needs no damping. */
static void too_much_is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        const wanted *w = &cases[i];
        numbers p;
        const fender_law *law = law_of(w, &p);
        const fender_field *radius = fender_field_find(&law->parameters, "radius");
        if (radius) fender_field_set(radius, p.bytes, 0, RADIUS);
        fender_field_set(fender_field_find(&law->parameters, w->damping), p.bytes, 0, 0); /* some have a default */
        double most = fender_law_rebound(law, p.bytes, w->mass, w->speed), damping = -1;
        fender_error error = {0};
        assert_true(most > w->restitution[0] && most < 1 + 1e-11);
        fender_sizing_spec spec = spec_of(w, most < 1 ? most : 1);
        spec.radius = NAN;
        assert_int_equal(fender_law_derive(law, p.bytes, w->damping, &spec, &damping, NULL, &error), FENDER_STATUS_OK);
        if (damping != 0) fail_msg("%s: damping %g for %.15g", w->law, damping, most);
        if (most > 1 - 1e-9) continue;
        spec.restitution = most + 1e-6;
        assert_int_equal(fender_law_derive(law, p.bytes, w->damping, &spec, &damping, NULL, &error),
                         FENDER_STATUS_VALUE);
        assert_non_null(strstr(error.message, "gives back less than the restitution"));
        assert_non_null(strstr(error.suggestion, "ask for less than 0."));
    }
}

/* Slow touches stick to what adheres, and give nothing back. */
static void what_sticks_gives_nothing_back(void **state)
{
    (void)state;
    const wanted w = {"jkr", "dissipation", {{"modulus", 1e6}, {"work", 20}, {"radius", 0.1}}, {0.5, 0.5}, 2, 1e-3};
    numbers p;
    const fender_law *law = law_of(&w, &p);
    fender_sizing_spec spec = spec_of(&w, 0.5);
    double value = -1;
    fender_error error = {0};
    assert_true(fender_law_rebound(law, p.bytes, 2, 1e-3) == 0);
    assert_int_equal(fender_law_derive(law, p.bytes, "dissipation", &spec, &value, NULL, &error), FENDER_STATUS_VALUE);
    assert_true(value == -1);
    assert_true(isnan(fender_law_rebound(law, p.bytes, -1, 1)) && isnan(fender_law_rebound(law, p.bytes, 1, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_give_what_was_wanted), cmocka_unit_test(stiffness_reaches_what_was_wanted),
        cmocka_unit_test(too_much_is_refused), cmocka_unit_test(what_sticks_gives_nothing_back)};
    return cmocka_run_group_tests_name("wanted", tests, NULL, NULL);
}
