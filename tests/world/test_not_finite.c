/* A law whose force is no number: the step is refused, whatever touches, though later stages of it are asked for
 * contacts at states that are no numbers either. */
#include "collide/potential.h"
#include <string.h>

static void force(const void *parameters, const fender_contact_input *in, const void *memory,
                  fender_contact_output *out)
{
    (void)parameters, (void)memory;
    out->force.z = in->depth > 1e-3 ? NAN : 10 * in->depth;
}

static void add(fender_world *world, const char *name, bool fixed, fender_geometry *geometry, fender_vec3 place)
{
    fender_body_id id;
    fender_body_def body = fender_body_def_default();
    body.name = name;
    body.motion = fixed ? FENDER_MOTION_FIXED : FENDER_MOTION_DYNAMIC;
    body.mass_properties.mass = 1;
    body.mass_properties.inertia = fender_mat3_diagonal(0.1, 0.2, 0.25);
    body.state.position = place;
    body.state.attitude = fender_quaternion_normalized((fender_quaternion){1, 0.1, 0.2, 0.3});
    if (fixed) body.state.attitude = fender_quaternion_identity();
    body.state.velocity = fender_vec3_make(0, 0, fixed ? 0 : -1);
    check_ok(fender_body_create(world, &body, &id, &error));
    fender_shape_def shape = fender_shape_def_default();
    shape.name = "shape";
    shape.geometry = geometry;
    check_ok(fender_shape_create(world, id, &shape, NULL, &error));
}

static void steps_are_refused(void **state)
{
    (void)state;
    fender_error fault = {0};
    potential_env = fender_env_default();
    const fender_law law = {.size = sizeof(fender_law),
                            .kinds = FENDER_LAW_NORMAL,
                            .name = "no_number",
                            .doc = "No force.",
                            .force = force};
    fender_registry *registry = fender_registry_create(&potential_env, &fault);
    check_ok(fender_registry_add_law(registry, &law, &error));
    int refused = 0, cases = 0;
    enum { KINDS = ROUNDED_CYLINDER }; /* rounded solids are no others to a step */
    for (int k = 0; k < 4 * KINDS * CLOSED_MESH; k++) {
        const potential_kind below = (potential_kind)(k / 4 / KINDS), above = (potential_kind)(k / 4 % KINDS);
        if (above < CLOSED_MESH) continue;
        fault = (fender_error){0};
        random_stream r = random_of_case(77, (uint64_t)(2 * (k / 4) + k % 2));
        fender_geometry *ground = potential_solid(below, &r), *solid = potential_solid(above, &r);
        fender_world_def def = fender_world_def_default();
        def.method = k % 2 ? FENDER_INTEGRATOR_DOP853 : FENDER_INTEGRATOR_RK4;
        def.step = 2e-3;
        def.locate_events = k / 2 % 2;
        def.registry = registry;
        fender_world *world = fender_world_create(&potential_env, &def, &fault);
        assert_non_null(world);
        fender_contact_type_def type = fender_contact_type_def_default();
        type.name = "touch";
        type.normal = &law;
        fender_rule_def rule = fender_rule_def_default();
        rule.kind = FENDER_RULE_DEFAULT;
        check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
        check_ok(fender_rule_create(world, &rule, NULL, &error));
        const double size = fender_geometry_bounding_radius(solid);
        add(world, "ground", true, ground, fender_vec3_make(0, 0, below == TABLE ? -0.8 : 0));
        add(world, "solid", false, solid, fender_vec3_make(0.1, 0.1, size + 0.06));
        check_ok(fender_world_initialize(world, &error));
        fender_status status = FENDER_STATUS_OK;
        for (int i = 0; i < 2000 && !status; i++) status = fender_world_step(world, &fault);
        cases++;
        refused += status == FENDER_STATUS_NOT_FINITE || status == FENDER_STATUS_INTEGRATOR;
        if (status != FENDER_STATUS_NOT_FINITE && status != FENDER_STATUS_INTEGRATOR)
            print_message("%s on %s: %d %s\n", potential_names[above], potential_names[below], status,
                          status ? fault.message : "");
        fender_body_data data;
        fender_body_id id;
        assert_int_equal(fender_body_find(world, "solid", &id), FENDER_STATUS_OK);
        assert_int_equal(fender_body_get(world, id, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
        assert_true(isfinite(data.position.z)); /* that of the last accepted step */
        fender_world_destroy(world);
        fender_geometry_release(ground);
        fender_geometry_release(solid);
    }
    fender_registry_destroy(registry);
    assert_int_equal(refused, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_refused)};
    return cmocka_run_group_tests_name("not finite", tests, NULL, NULL);
}
