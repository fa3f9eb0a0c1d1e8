/* A box that tips onto its face on another box, with friction that has continuous states, its events located: area that
 * is gained shares the states, and the energy closes. */
#include "check.h"
#include <fender/fender.h>

static void tips_onto_its_face(void **state)
{
    (void)state;
    static const char *const frictions[] = {"dahl", "lugre"};
    for (int k = 0; k < 2; k++) {
        fender_env env = fender_env_default();
        fender_world_def def = fender_world_def_default();
        def.step = 5e-4;
        def.locate_events = true;
        def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {1, 0, -9.8}, 0, {0, 0, 0}};
        fender_world *world = fender_world_create(&env, &def, NULL);
        const fender_law *push = fender_law_find(NULL, "spring_damper"),
                         *friction = fender_law_find(NULL, frictions[k]);
        double numbers[32], others[32];
        check_ok(fender_law_parameters_default(push, numbers, sizeof numbers, &error));
        check_ok(fender_law_parameters_set(push, numbers, sizeof numbers, "stiffness", 2e4, &error));
        check_ok(fender_law_parameters_set(push, numbers, sizeof numbers, "damping", 100, &error));
        check_ok(fender_law_parameters_default(friction, others, sizeof others, &error));
        check_ok(fender_law_parameters_set(friction, others, sizeof others, "amplitude", 1e-3, &error));
        check_ok(fender_law_parameters_set(friction, others, sizeof others, k == 0 ? "mu" : "mu_static", 0.5, &error));
        if (k == 1) check_ok(fender_law_parameters_set(friction, others, sizeof others, "mu_kinetic", 0.4, &error));
        fender_contact_type_def type = fender_contact_type_def_default();
        fender_rule_def rule = fender_rule_def_default();
        type.name = "type";
        type.normal = push;
        type.normal_parameters = numbers;
        type.friction = friction;
        type.friction_parameters = others;
        check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
        check_ok(fender_rule_create(world, &rule, NULL, &error));
        for (int i = 0; i < 2; i++) {
            fender_body_def body = fender_body_def_default();
            fender_shape_def shape = fender_shape_def_default();
            fender_body_id id;
            body.name = i == 0 ? "block" : "box";
            body.motion = i == 0 ? FENDER_MOTION_FIXED : FENDER_MOTION_DYNAMIC;
            body.mass_properties = (fender_mass_properties){3, {0, 0, 0}, fender_mat3_diagonal(0.5, 0.5, 0.5)};
            body.state.position.z = i == 0 ? -0.5 : 0.54;
            if (i == 1) body.state.attitude = (fender_quaternion){cos(0.03), 0.6 * sin(0.03), 0.8 * sin(0.03), 0};
            check_ok(fender_body_create(world, &body, &id, &error));
            shape.name = "hull";
            shape.geometry = fender_geometry_box(&env, fender_vec3_make(i == 0 ? 2 : 0.5, i == 0 ? 2 : 0.5, 0.5), NULL);
            check_ok(fender_shape_create(world, id, &shape, NULL, &error));
            fender_geometry_release(shape.geometry);
        }
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_advance_to(world, 0.6, &error));
        fender_ledger ledger;
        fender_world_ledger(world, &ledger);
        assert_true(ledger.friction > 0);
        check_below(fabs(ledger.residual), 1e-4 * ledger.scale);
        fender_body_data data;
        check_ok(fender_body_get(world, fender_body_at(world, 1), FENDER_CLOCK_COMMITTED, &data));
        check_near(data.position.z, 0.5, 5e-3); /* it lies on its face, 3 kg on 20 kN/m */
        check_near(fabs(data.attitude.w), 1, 1e-4);
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tips_onto_its_face)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
