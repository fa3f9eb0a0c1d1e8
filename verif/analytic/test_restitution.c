/* Damping that was derived from a wanted restitution, in the engine: spheres thrown at a wall come back with it. */
#include <fender/sizing.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

typedef struct thrown {
    const char *law;
    double restitution, speed, transition;
} thrown;

/* Two spheres of 60 and 30 kg meet head on: the mass is the reduced one. Relative speed after over before. */
static double engine(const thrown *t, fender_integrator_method method, double step, bool located, double *duration)
{
    fender_env env = fender_env_default();
    const fender_law *law = fender_law_find(NULL, t->law);
    double parameters[16], mass = fender_reduced_mass(60, 30);
    assert_true(law && law->parameters.size <= sizeof parameters);
    (void)fender_field_initialize(&law->parameters, parameters, sizeof parameters, NULL);
    fender_field_set(fender_field_find(&law->parameters, "stiffness"), parameters, 0, 2e5);
    const fender_field *width = fender_field_find(&law->parameters, "transition_width");
    if (width) fender_field_set(width, parameters, 0, t->transition);
    fender_sizing_spec wanted = fender_sizing_spec_none();
    wanted.restitution = t->restitution;
    wanted.mass = mass;
    wanted.speed = t->speed;
    double damping = 0;
    check_ok(fender_law_derive(law, parameters, "damping", &wanted, &damping, NULL, &error));
    fender_field_set(fender_field_find(&law->parameters, "damping"), parameters, 0, damping);
    *duration = 2 * fender_linear_impact(mass, 2e5, damping, t->speed, true).duration + 2 * t->transition / t->speed;

    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = step;
    def.locate_events = located;
    def.relative_tolerance = def.absolute_tolerance = 1e-12;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "meet", .law = law, .law_parameters = parameters};
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    fender_body_id bodies[2];
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        body.name = i ? "b" : "a";
        body.mass_properties.mass = i ? 30 : 60;
        for (int k = 0; k < 3; k++) body.mass_properties.inertia.m[k][k] = 1;
        /* a quarter of a step apart, so that touch falls inside a step */
        body.state.position.x = i ? 1 + 0.27 * step * t->speed : 0;
        body.state.velocity.x = i ? -t->speed : 0;
        check_ok(fender_body_create(world, &body, &bodies[i], &error));
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "ball";
        shape.geometry = fender_geometry_sphere(&env, 0.5, NULL);
        check_ok(fender_shape_create(world, bodies[i], &shape, NULL, &error));
        fender_geometry_release(shape.geometry);
    }
    check_ok(fender_world_initialize(world, &error));
    fender_body_data a, b;
    while (fender_world_time(world) < *duration + step) check_ok(fender_world_step(world, &error));
    check_ok(fender_body_get(world, bodies[0], FENDER_CLOCK_COMMITTED, &a));
    check_ok(fender_body_get(world, bodies[1], FENDER_CLOCK_COMMITTED, &b));
    fender_world_destroy(world);
    return (b.velocity.x - a.velocity.x) / t->speed;
}

static const thrown cases[] = {
    {"spring_damper", 0.9, 2, 0},
    {"spring_damper", 0.7, 0.3, 0},
    {"spring_damper", 0.5, 5, 0},
    {"spring_damper", 0.1, 1, 0},
    {"jeod_spring", 0.9, 2, 0},
    {"jeod_spring", 0.3, 2, 0},
    {"jeod_spring", 0.05, 1, 0},
    {"smooth_spring_damper", 0.7, 2, 0.005},
    {"smooth_spring_damper", 0.5, 0.1, 0.005},
    {"smooth_spring_damper", 0.3, 1, 0},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void impacts_give_what_was_wanted(void **state)
{
    double worst = 0;
    (void)state;
    for (int i = 0; i < CASES; i++) {
        double duration, e = engine(&cases[i], FENDER_INTEGRATOR_DOP853, 1e-3, true, &duration);
        printf("  %-22s wanted %.2f at %.1f m/s: %.12f\n", cases[i].law, cases[i].restitution, cases[i].speed, e);
        worst = larger(worst, fabs(e - cases[i].restitution));
    }
    printf("restitution of the engine's impacts: at most %.1e off\n", worst);
    check_below(worst, 1e-10); /* tolerance 1e-12 a step, tens of steps; the smooth law is integrated to 1e-11 */
}

/* The step that fender_integrator_sized_step recommends: the restitution is off by no more than was asked for, and at
 * the worst by a twentieth of it or more, so that the advice is not too careful. */
static void sized_steps_keep_their_word(void **state)
{
    static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_VELOCITY_VERLET,
                                                       FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER};
    static const double bounds[] = {1e-2, 1e-3};
    (void)state;
    for (int m = 0; m < 3; m++)
        for (int located = 0; located < 2; located++)
            for (int b = 0; b < 2; b++) {
                double worst = 0, steps = INFINITY;
                for (int i = 0; i < CASES && cases[i].transition == 0; i++) {
                    double r = fender_ratio_of_restitution(cases[i].restitution,
                                                           strcmp(cases[i].law, "jeod_spring") != 0);
                    double w = sqrt(2e5 / 20), duration;
                    double step = fender_integrator_sized_step(methods[m], w, r, located, bounds[b]);
                    double e = engine(&cases[i], methods[m], step, located, &duration);
                    worst = larger(worst, fabs(e - cases[i].restitution));
                    if (3.14 / w / step < steps) steps = 3.14 / w / step;
                }
                printf("%-20s %s, error %g: restitution at most %.1e off, %.0f steps in half a swing or more\n",
                       fender_integrator_name(methods[m]), located ? "located    " : "not located", bounds[b], worst,
                       steps);
                check_below(worst, bounds[b]);
                check_below(bounds[b] / 20, worst);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(impacts_give_what_was_wanted),
                                       cmocka_unit_test(sized_steps_keep_their_word)};
    return cmocka_run_group_tests_name("restitution", tests, NULL, NULL);
}
