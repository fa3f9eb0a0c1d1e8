/* The longest stable step and the other figures of `fender check`, against simulation and closed forms. */
#include "cli/harness.h"

#include <math.h>

#include <fender/advice.h>

typedef struct oscillator {
    double x, v;
} oscillator;

static oscillator rate(oscillator at, double f, double r)
{
    return (oscillator){at.v, -f * f * at.x - 2 * r * f * at.v};
}

static oscillator moved(oscillator at, double h, oscillator by)
{
    return (oscillator){at.x + h * by.x, at.v + h * by.v};
}

static oscillator step_rk4(oscillator at, double h, double f, double r)
{
    oscillator k1 = rate(at, f, r), k2 = rate(moved(at, h / 2, k1), f, r), k3 = rate(moved(at, h / 2, k2), f, r);
    oscillator k4 = rate(moved(at, h, k3), f, r);
    at.x += h / 6 * (k1.x + 2 * k2.x + 2 * k3.x + k4.x);
    at.v += h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v);
    return at;
}

static oscillator step_euler(oscillator at, double h, double f, double r)
{
    at.v += h * rate(at, f, r).v;
    at.x += h * at.v;
    return at;
}

static oscillator step_verlet(oscillator at, double h, double f, double r)
{
    double a = rate(at, f, r).v;
    oscillator half = {at.x, at.v + h / 2 * a}, next = {at.x + h * half.v, half.v + h / 2 * a};
    return (oscillator){next.x, half.v + h / 2 * rate(next, f, r).v};
}

static bool grows(fender_integrator_method method, double h, double f, double r)
{
    oscillator at = {1, 0.3 * f};
    for (int i = 0; i < 20000; i++) {
        if (method == FENDER_INTEGRATOR_RK4) at = step_rk4(at, h, f, r);
        else if (method == FENDER_INTEGRATOR_VELOCITY_VERLET) at = step_verlet(at, h, f, r);
        else at = step_euler(at, h, f, r);
        if (fabs(at.x) > 1e6) return true;
    }
    return false;
}

static void largest_step_separates_growth_from_rest(void **state)
{
    const double ratios[] = {0, 0.01, 0.1, 0.3, 0.49, 0.51, 0.7, 1, 2, 10}, frequency = 37;
    const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER,
                                                FENDER_INTEGRATOR_VELOCITY_VERLET};
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
        for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
            double step = fender_integrator_stable_step(methods[m], frequency, ratios[i]);
            if (grows(methods[m], 0.99 * step, frequency, ratios[i]) ||
                !grows(methods[m], 1.01 * step, frequency, ratios[i]))
                fail_msg("method %d, damping ratio %g: %g is not the largest stable step", (int)methods[m], ratios[i],
                         step);
        }
}

static void figures_of_a_spring(void **state)
{
    const fender_law *law = fender_law_find(NULL, "spring_damper");
    (void)state;
    assert_non_null(law);
    void *parameters = calloc(1, law->parameters.size);
    assert_non_null(parameters);
    (void)fender_field_initialize(&law->parameters, parameters, sizeof parameters, NULL);
    fender_field_set(fender_field_find(&law->parameters, "stiffness"), parameters, 0, 5000);
    fender_field_set(fender_field_find(&law->parameters, "damping"), parameters, 0, 100);
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "spring", .law = law, .law_parameters = parameters};
    /* mass 50: omega 10, ratio 100 / (2 * 10 * 50) = 0.1 */
    fender_step_advice advice = fender_advise_step(&type, 50, FENDER_INTEGRATOR_RK4);
    assert_true(advice.known);
    assert_false(advice.depends_on_depth);
    assert_true(fabs(advice.frequency - 1.5915494309189535) < 1e-12);
    assert_true(fabs(advice.damping_ratio - 0.1) < 1e-15);
    assert_true(fabs(advice.contact_time - 0.3157419416998276) < 1e-15);
    assert_false(fender_advise_step(&type, INFINITY, FENDER_INTEGRATOR_RK4).known);
    free(parameters);
}

/* A sphere of 1 kg that lies on a plane by Hertz's law with a restitution of 0.3: at rest the damper of the slowest
 * touch acts, F D with F = m g and D of least_speed, 1 mm/s; a damper alone is stable below 2.785 m / c with rk4. */
static void a_restitution_damps_what_rests(void **state)
{
    static const char text[] = "fender: 1\n"
                               "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
                               "integrator: {method: rk4, step: 100 us}\n"
                               "run: {until: 1 s}\n"
                               "contact_types: {t: {law: hertz, young: 1e7, restitution: 0.3}}\n"
                               "rules: [{default: t}]\n"
                               "bodies:\n"
                               "  floor: {motion: fixed, shapes: {p: {plane: {}}}}\n"
                               "  b:\n"
                               "    mass_properties: {mass: 1.0, inertia: [0.004, 0.004, 0.004]}\n"
                               "    state: {position: [0, 0, 0.0999]}\n"
                               "    shapes: {s: {sphere: {radius: 0.1}}}\n";
    (void)state;
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "ball", text, strlen(text), NULL, 0, &error);
    assert_non_null(scenario);
    fender_world *world = fender_scenario_build(scenario, &env, &error);
    assert_non_null(world);
    static fender_world_advice advice;
    assert_int_equal(fender_world_advise(world, &env, &advice), FENDER_STATUS_OK);
    const fender_type_use *use = &advice.uses[0];
    const double D = fender_hunt_crossley_damping(0.3) / 1e-3, damper = 9.81 * D;
    printf("stable below %.4g s at rest (a damper alone: %.4g s), %.4g s for an impact as deep: ratio %.3g\n",
           use->resting_step, 2.785 / damper, use->advice.largest_step, use->advice.damping_ratio);
    assert_true(use->resting_step < 2.785 / damper && use->resting_step > 0.8 * 2.785 / damper);
    assert_true(use->step_too_long_at_rest && !use->step_too_long);
    /* F D of an impact as deep as it lies, as if its spring were linear: F = 2/3 k d = m g, speed d w */
    const double k = use->advice.stiffness, depth = use->advice.depth, speed = depth * sqrt(k);
    const double of_impact = 2.0 / 3 * k * depth * fender_hunt_crossley_damping(0.3) / speed;
    assert_true(fabs(2.0 / 3 * k * depth / 9.81 - 1) < 1e-3);
    assert_true(fabs(use->advice.damping / of_impact - 1) < 1e-3);
    assert_true(isfinite(use->advice.contact_time)); /* it rebounds */
    fender_world_advice_release(&advice);
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
}

static void advise(const char *text, fender_world_advice *advice, fender_world **world)
{
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene", text, strlen(text), NULL, 0, &error);
    if (!scenario) print_error("%s\n", error.message);
    assert_non_null(scenario);
    *world = fender_scenario_build(scenario, &env, &error);
    assert_non_null(*world);
    assert_int_equal(fender_world_advise(*world, &env, advice), FENDER_STATUS_OK);
    fender_scenario_destroy(scenario);
}

/* A steel ball of 1 cm that meets a steel plane: as deep as its impact by Hertz, d = (15 m v^2 / (16 E sqrt(R)))^(2/5),
 * with the slope k = 2 E sqrt(R d) there. The load v sqrt(k m) is that of a linear spring, above the impact's by 10 %
 * at most and the depth so by 8 %. A fall from rest counts, to a depth of 1 mm at most. */
static void as_deep_as_it_goes(void **state)
{
    (void)state;
    static const struct {
        double gap, speed, gravity, meets, step; /* m, m/s, m/s^2, m/s, s */
        bool too_long;
    } cases[] = {{1e-4, 0.5, 0, 0.5, 5e-6, false},
                 {1e-4, 0.5, 0, 0.5, 6e-5, true},
                 {1, 0, 9.81, 4.429, 3e-5, false},
                 {1, 0, 9.81, 4.429, 4e-5, true}};
    for (int i = 0; i < 4; i++) {
        char text[1500];
        snprintf(text, sizeof text,
                 "fender: 1\n"
                 "world: {gravity: [0, 0, -%g, m/s^2]}\n"
                 "integrator: {method: rk4, step: %g s}\n"
                 "run: {until: 1 s}\n"
                 "contact_types: {t: {normal: {law: hertz, young: 210 GPa, poisson: 0.3}, friction: {law: coulomb, mu: "
                 "0.1}}}\n"
                 "rules: [{default: t}]\n"
                 "bodies:\n"
                 "  floor: {motion: fixed, shapes: {p: {plane: {}}}}\n"
                 "  b:\n"
                 "    mass_properties: {mass: 0.03, inertia: [1e-6, 1e-6, 1e-6]}\n"
                 "    state: {position: [0, 0, %.17g], velocity: [0, 0, -%g, m/s]}\n"
                 "    shapes: {s: {sphere: {radius: 0.01}}}\n",
                 cases[i].gravity, cases[i].step, 0.01 + cases[i].gap, cases[i].speed);
        static fender_world_advice advice;
        fender_world *world;
        advise(text, &advice, &world);
        const fender_type_use *use = &advice.uses[0];
        const double modulus = 210e9 / (2 * (1 - 0.09)), v = cases[i].meets;
        const double depth = pow(15 * 0.03 * v * v / (16 * modulus * sqrt(0.01)), 0.4);
        assert_true(use->advice.depth > depth && use->advice.depth < 1.08 * depth);
        assert_true(fabs(use->advice.stiffness / (2 * modulus * sqrt(0.01 * use->advice.depth)) - 1) < 1e-4);
        assert_true(fabs(use->advice.largest_step * sqrt(use->advice.stiffness / 0.03) / 2.828427 - 1) < 1e-6);
        assert_int_equal(use->step_too_long, cases[i].too_long);
        const double load = cases[i].speed > 0 ? v * sqrt(use->advice.stiffness * 0.03) : 0.03 * cases[i].gravity;
        assert_true(fabs(use->friction.load / load - 1) < 1e-3);
        fender_world_advice_release(&advice);
        fender_world_destroy(world);
    }
}

/* A fall from 100 m may never come to pass: it counts as 1 mm deep, but no more. */
static void a_high_fall_counts_little(void **state)
{
    (void)state;
    static const char text[] = "fender: 1\n"
                               "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
                               "integrator: {method: rk4, step: 1 ms}\n"
                               "run: {until: 1 s}\n"
                               "contact_types: {t: {law: hunt_crossley, stiffness: 3e7 N/m^1.5, dissipation: 0.05}}\n"
                               "rules: [{default: t}]\n"
                               "bodies:\n"
                               "  floor: {motion: fixed, shapes: {p: {plane: {}}}}\n"
                               "  b:\n"
                               "    mass_properties: {mass: 1.0, inertia: [0.004, 0.004, 0.004]}\n"
                               "    state: {position: [0, 0, 100]}\n"
                               "    shapes: {s: {sphere: {radius: 0.1}}}\n";
    static fender_world_advice advice;
    fender_world *world;
    advise(text, &advice, &world);
    assert_true(advice.uses[0].advice.depth == 1e-3);
    fender_world_advice_release(&advice);
    fender_world_destroy(world);
}

static void principal_moments_of_a_turned_box(void **state)
{
    fender_mat3 moments = fender_mat3_diagonal(3, 1, 2);
    fender_quaternion q = fender_quaternion_normalized((fender_quaternion){0.9, 0.3, -0.2, 0.5});
    fender_mat3 r = fender_quaternion_matrix(q), back = fender_mat3_transpose(&r);
    fender_mat3 half = fender_mat3_product(&r, &moments), turned = fender_mat3_product(&half, &back);
    fender_vec3 found = fender_principal_moments(&turned);
    (void)state;
    assert_true(fabs(found.x - 1) < 1e-14 && fabs(found.y - 2) < 1e-14 && fabs(found.z - 3) < 1e-14);
}

/* Hunt and Crossley's force k d^n (1 + D d'): steps are for n k d^(n - 1) and the damper D k d^n at the peak depth,
 * which an impact of the law tells, too, and for that at a tenth of it. */
static void a_damper_that_grows_counts(void **state)
{
    (void)state;
    const double m = 2, k = 1e6, speed = 0.5;
    double longer = 0;
    for (int i = 0; i < 8; i++) {
        const bool located = i % 2;
        const double n = i / 2 % 2 ? 1.5 : 1.2, restitution = i / 4 ? 0.3 : 0.9;
        fender_contact_sizing sizing = {.power = true, .exponent = n, .stiffness = k, .mass = m, .weight = NAN};
        sizing.damping = fender_hunt_crossley_damping(restitution) / speed;
        sizing.speed = speed, sizing.method = FENDER_INTEGRATOR_RK4, sizing.located = located, sizing.error = 0.01;
        const fender_contact_figures f = fender_contact_figures_of(&sizing);
        const fender_law *law = fender_law_find(NULL, "hunt_crossley");
        fender_hunt_crossley_parameters p;
        assert_int_equal(fender_hunt_crossley_parameters_default(&p, NULL), FENDER_STATUS_OK);
        p.stiffness = k, p.exponent = n, p.dissipation = sizing.damping;
        const fender_impact impact = fender_law_impact(law, &p, m, speed);
        assert_true(fabs(f.peak_depth - impact.peak_depth) <= 1e-6 * f.peak_depth);
        const double slope = n * k * pow(f.peak_depth, n - 1), omega = sqrt(slope / m);
        const double ratio = fender_damping_ratio(impact.damping, m, slope), onset = ratio * pow(0.1, n);
        const double stable = fender_integrator_stable_step(sizing.method, omega, ratio);
        const double deep = fender_integrator_sized_step(sizing.method, omega, ratio, true, 0.01);
        const double touch = fender_integrator_sized_step(sizing.method, omega, onset, located, 0.01);
        assert_true(fabs(f.largest_step - stable) <= 1e-5 * stable); /* the slope over the rate is a difference */
        assert_true(fabs(f.good_step - fmin(deep, touch)) <= 1e-5 * f.good_step);
        sizing.damping = 0;
        longer = fmax(longer, fender_contact_figures_of(&sizing).good_step / f.good_step);
    }
    print_message("without the damper, steps are up to %.1f times as long\n", longer);
    assert_true(longer > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(largest_step_separates_growth_from_rest),
                                       cmocka_unit_test(figures_of_a_spring),
                                       cmocka_unit_test(a_restitution_damps_what_rests),
                                       cmocka_unit_test(as_deep_as_it_goes),
                                       cmocka_unit_test(a_high_fall_counts_little),
                                       cmocka_unit_test(principal_moments_of_a_turned_box),
                                       cmocka_unit_test(a_damper_that_grows_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
