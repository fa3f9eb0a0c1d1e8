/* Loads by programs: each slot in each axes, commands in their place, and programs that are refused. */
/* items: S002 */
#include "check.h"
#include <string.h>

static fender_expression slot_program(int slot)
{
    fender_expression e = {.count = 1};
    e.code[0] = (fender_instruction){FENDER_OP_SLOT, slot, 0};
    return e;
}

static const fender_vec3 point = {0.3, -0.2, 0.5};

static fender_world *world_with(const fender_load_def *load, fender_load_id *id)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.start_time = 2;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    fender_body_def body = fender_body_def_default();
    body.name = "b";
    body.mass_properties = (fender_mass_properties){3, {0.1, 0.2, 0}, {{{1, 0, 0}, {0, 2, 0}, {0, 0, 2.5}}}};
    body.body_axes = (fender_quaternion){0.5, 0.5, 0.5, 0.5};
    body.state = (fender_body_state){
        {5, 6, 7}, fender_quaternion_normalized((fender_quaternion){2, 1, -1, 3}), {1, -2, 3}, {0.4, 0.5, -0.6}};
    fender_body_id of;
    check_ok(fender_body_create(world, &body, &of, &error));
    fender_load_def def_of_load = *load;
    def_of_load.body = of;
    check_ok(fender_load_create(world, &def_of_load, id, &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* The force, in the axes of the load, is what three slots say; expected from the state of the structure frame. */
static void slots_are_those_of_the_body(void **state)
{
    (void)state;
    for (int axes = 0; axes < 2; axes++) {
        for (int slot = 0; slot < FENDER_LOAD_SLOT_COUNT; slot++) {
            const fender_expression programs[3] = {{.count = 0}, slot_program(slot), {.count = 0}};
            fender_load_def def = fender_load_def_default();
            def.name = "l";
            def.at_center = false;
            def.point = point;
            def.axes = (fender_axes)axes;
            fender_signal *signal = slot % 2 ? &def.force : &def.torque;
            signal->kind = FENDER_SIGNAL_FORMULA;
            signal->components = programs;
            fender_load_id id;
            fender_world *world = world_with(&def, &id);
            const fender_quaternion q = fender_quaternion_normalized((fender_quaternion){2, 1, -1, 3});
            const fender_vec3 lever = fender_quaternion_rotate(q, point), w_S = {0.4, 0.5, -0.6};
            const fender_vec3 w = fender_quaternion_rotate(q, w_S);
            const fender_vec3 at = fender_vec3_add((fender_vec3){5, 6, 7}, lever);
            fender_vec3 v = fender_vec3_add((fender_vec3){1, -2, 3}, fender_vec3_cross(w, lever));
            if (axes) v = fender_quaternion_rotate(fender_quaternion_conjugate(q), v);
            const fender_vec3 turning = axes ? w_S : w;
            const double expected[] = {2,         at.x,      at.y, at.z, v.x, v.y, v.z, turning.x,
                                       turning.y, turning.z, q.w,  q.x,  q.y, q.z, 3};
            fender_load_command command;
            check_ok(fender_load_get_command(world, id, &command));
            const fender_vec3 value = slot % 2 ? command.force : command.torque;
            check_near(fabs(value.x) + fabs(value.z), 0, 1e-14);
            check_near(value.y, expected[slot], 1e-14);
            fender_load_data data;
            check_ok(fender_load_get(world, id, FENDER_CLOCK_COMMITTED, &data));
            const fender_vec3 there = axes ? fender_quaternion_rotate(q, value) : value;
            check_vector(slot % 2 ? data.force : data.torque, there, 1e-13);
            /* a command takes the place of the formula */
            check_ok(fender_load_set_force(world, id, (fender_vec3){1, 2, 3}, &error));
            check_ok(fender_load_get_command(world, id, &command));
            check_vector(command.force, fender_vec3_make(1, 2, 3), 0);
            check_ok(fender_world_step(world, &error));
            fender_world_destroy(world);
        }
    }
}

static fender_world *world_of_one(fender_body_id *id)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_world *world = fender_world_create(&env, &def, NULL);
    fender_body_def body = fender_body_def_default();
    body.name = "b";
    body.mass_properties = (fender_mass_properties){1, {0, 0, 0}, fender_mat3_identity()};
    check_ok(fender_body_create(world, &body, id, &error));
    return world;
}

static void wrong_programs_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        fender_expression programs[3] = {{.count = 0}, slot_program(0), {.count = 0}};
        fender_load_def def = fender_load_def_default();
        def.name = "l";
        def.torque.kind = FENDER_SIGNAL_FORMULA;
        def.torque.components = i == 0 ? NULL : programs;
        if (i == 1) programs[2] = slot_program(FENDER_LOAD_SLOT_COUNT);
        if (i == 2) programs[0].count = FENDER_EXPRESSION_CAPACITY + 1;
        if (i == 3) programs[1].code[0].operation = FENDER_OP_ADD;
        fender_world *world = world_of_one(&def.body);
        fender_error error = {0};
        assert_int_equal(fender_load_create(world, &def, NULL, &error), FENDER_STATUS_VALUE);
        assert_string_equal(error.path, "torque");
        assert_string_equal(error.message, "the formula is not valid");
        fender_world_destroy(world);
    }
}

/* 1 / 0 at the start: told with the body. */
static void values_that_are_not_finite_stop_the_run(void **state)
{
    (void)state;
    fender_expression programs[3] = {{.count = 3}, {.count = 0}, {.count = 0}};
    programs[0].code[0] = (fender_instruction){FENDER_OP_NUMBER, 0, 1};
    programs[0].code[1] = (fender_instruction){FENDER_OP_NUMBER, 0, 0};
    programs[0].code[2] = (fender_instruction){FENDER_OP_DIVIDE, 0, 0};
    fender_load_def def = fender_load_def_default();
    def.name = "l";
    def.force.kind = FENDER_SIGNAL_FORMULA;
    def.force.components = programs;
    fender_world *world = world_of_one(&def.body);
    check_ok(fender_load_create(world, &def, NULL, &error));
    fender_error error = {0};
    fender_status status = fender_world_initialize(world, &error);
    if (!status) status = fender_world_step(world, &error);
    assert_int_equal(status, FENDER_STATUS_NOT_FINITE);
    assert_non_null(strstr(error.message, "body b is not finite"));
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_are_those_of_the_body),
        cmocka_unit_test(wrong_programs_are_refused),
        cmocka_unit_test(values_that_are_not_finite_stop_the_run),
    };
    return cmocka_run_group_tests_name("load_formulas", tests, NULL, NULL);
}
