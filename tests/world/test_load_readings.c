/* Formulas of loads that read other bodies and points: each quantity, a spring and damper between two bodies against
 * the link, the order of the method, what goes with a destroyed body, and readings that are refused. */
/* items: S002 */
#include "check.h"
#include <string.h>

static fender_expression read_slot(int reading)
{
    fender_expression e = {.count = 1};
    e.code[0] = (fender_instruction){FENDER_OP_SLOT, FENDER_LOAD_SLOT_COUNT + reading, 0};
    return e;
}

static fender_body_def turning_body(const char *name, fender_vec3 place)
{
    fender_body_def body = fender_body_def_default();
    body.name = name;
    body.mass_properties = (fender_mass_properties){3, {0.1, 0.2, 0}, {{{1, 0, 0}, {0, 2, 0}, {0, 0, 2.5}}}};
    body.body_axes = (fender_quaternion){0.5, 0.5, 0.5, 0.5};
    body.state = (fender_body_state){
        place, fender_quaternion_normalized((fender_quaternion){2, 1, -1, 3}), {1, -2, 3}, {0.4, 0.5, -0.6}};
    return body;
}

/* ---- every quantity */

typedef struct scene {
    fender_world *world;
    fender_body_id one, root, member; /* member is attached to root */
    fender_point_id point;            /* of the member */
} scene;

static scene make_scene(void)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    scene s = {.world = fender_world_create(&env, &def, NULL)};
    fender_body_def one = turning_body("one", fender_vec3_make(9, 0, 0));
    fender_body_def root = turning_body("root", fender_vec3_make(5, 6, 7));
    fender_body_def member = turning_body("member", fender_vec3_make(0, 0, 0));
    check_ok(fender_body_create(s.world, &one, &s.one, &error));
    check_ok(fender_body_create(s.world, &root, &s.root, &error));
    check_ok(fender_body_create(s.world, &member, &s.member, &error));
    const fender_quaternion turn = fender_quaternion_normalized((fender_quaternion){1, 2, 0, -1});
    check_ok(fender_point_create(s.world, s.member, "eye", (fender_pose){{0.3, -0.2, 0.5}, turn}, &s.point, &error));
    fender_attach_def attach = fender_attach_def_default();
    attach.child = s.member, attach.parent = s.root;
    attach.pose = FENDER_ATTACH_POSED;
    attach.X_PC = (fender_pose){{1, 2, 0.5}, fender_quaternion_normalized((fender_quaternion){3, 1, 2, 1})};
    check_ok(fender_body_attach(s.world, &attach, NULL, &error));
    return s;
}

/* The value of the channel that a reading is. */
static double channel_of(const scene *s, const fender_load_reading *r)
{
    fender_body_state state;
    check_ok(fender_body_frame_state(s->world, r->frame, &state, &error));
    const double *numbers = NULL;
    fender_body_data data = {0};
    if (r->frame.kind == FENDER_BODY_FRAME_STRUCTURE)
        assert_int_equal(fender_body_get(s->world, r->frame.body, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    switch (r->quantity) {
    case FENDER_STATE_POSITION: numbers = &state.position.x; break;
    case FENDER_STATE_VELOCITY: numbers = &state.velocity.x; break;
    case FENDER_STATE_ATTITUDE: numbers = &state.attitude.w; break;
    case FENDER_STATE_ANGULAR_VELOCITY: numbers = &state.angular_velocity.x; break;
    case FENDER_STATE_CENTER_POSITION: numbers = &data.center_position.x; break;
    case FENDER_STATE_CENTER_VELOCITY: numbers = &data.center_velocity.x; break;
    case FENDER_STATE_MASS: numbers = &data.mass; break;
    }
    return numbers[r->component];
}

static void every_quantity(void **state)
{
    (void)state;
    for (int subject = 0; subject < 3; subject++)
        for (int q = 0; q <= FENDER_STATE_MASS; q++) {
            if (subject == 2 && q > FENDER_STATE_ANGULAR_VELOCITY) continue;
            scene s = make_scene();
            const int count = q == FENDER_STATE_ATTITUDE ? 4 : q == FENDER_STATE_MASS ? 1 : 3;
            fender_load_reading readings[4];
            for (int i = 0; i < count; i++) {
                readings[i] = (fender_load_reading){.quantity = (fender_state_quantity)q, .component = i};
                readings[i].frame.body = subject == 0 ? s.root : s.member;
                readings[i].frame.point = s.point;
                readings[i].frame.kind = subject == 2 ? FENDER_BODY_FRAME_POINT : FENDER_BODY_FRAME_STRUCTURE;
            }
            const fender_expression programs[3] = {read_slot(0), read_slot(count > 1), read_slot(count - 1)};
            fender_load_def def = fender_load_def_default();
            def.name = "l";
            def.body = s.one;
            fender_signal *signal = q % 2 ? &def.force : &def.torque;
            signal->kind = FENDER_SIGNAL_FORMULA;
            signal->components = programs;
            signal->readings = readings;
            signal->reading_count = count;
            fender_load_id id;
            check_ok(fender_load_create(s.world, &def, &id, &error));
            check_ok(fender_world_initialize(s.world, &error));
            check_ok(fender_world_advance(s.world, 3, &error));
            fender_load_command command;
            check_ok(fender_load_get_command(s.world, id, &command));
            const fender_vec3 value = q % 2 ? command.force : command.torque;
            check_near(value.x, channel_of(&s, &readings[0]), 2e-15 * 10);
            check_near(value.y, channel_of(&s, &readings[count > 1]), 2e-15 * 10);
            check_near(value.z, channel_of(&s, &readings[count - 1]), 2e-15 * 10);
            fender_load_def got;
            assert_int_equal(fender_load_get_def(s.world, id, &got), FENDER_STATUS_OK);
            const fender_signal *kept = q % 2 ? &got.force : &got.torque;
            assert_int_equal(kept->reading_count, count);
            assert_true(kept->readings[count - 1].component == count - 1);
            fender_world_destroy(s.world);
        }
}

/* ---- a spring and a damper between two bodies */

enum { STIFFNESS = 80, DAMPING = 3 };

/* -k (x_other - x_own...): force on the body with that sign, from the readings x_a, x_b, v_a, v_b. */
static fender_expression pull(double sign)
{
    static const int order[] = {1, 0, 3, 2}; /* x_b - x_a - 1 m, v_b - v_a */
    fender_expression e = {.count = 0};
    fender_instruction *c = e.code;
    const int base = FENDER_LOAD_SLOT_COUNT;
    *c++ = (fender_instruction){FENDER_OP_SLOT, base + order[0], 0};
    *c++ = (fender_instruction){FENDER_OP_SLOT, base + order[1], 0};
    *c++ = (fender_instruction){FENDER_OP_SUBTRACT, 0, 0};
    *c++ = (fender_instruction){FENDER_OP_NUMBER, 0, 1};
    *c++ = (fender_instruction){FENDER_OP_SUBTRACT, 0, 0};
    *c++ = (fender_instruction){FENDER_OP_NUMBER, 0, sign * STIFFNESS};
    *c++ = (fender_instruction){FENDER_OP_MULTIPLY, 0, 0};
    *c++ = (fender_instruction){FENDER_OP_SLOT, base + order[2], 0};
    *c++ = (fender_instruction){FENDER_OP_SLOT, base + order[3], 0};
    *c++ = (fender_instruction){FENDER_OP_SUBTRACT, 0, 0};
    *c++ = (fender_instruction){FENDER_OP_NUMBER, 0, sign * DAMPING};
    *c++ = (fender_instruction){FENDER_OP_MULTIPLY, 0, 0};
    *c++ = (fender_instruction){FENDER_OP_ADD, 0, 0};
    e.count = (int)(c - e.code);
    assert_true(fender_expression_is_valid(e.code, e.count, base + 4));
    return e;
}

typedef struct two {
    fender_world *world;
    fender_body_id body[2];
} two;

/* Bodies of 2 and 3 kg on the x axis, 1.2 m apart, joined by the link or by two loads. */
static two make_two(fender_integrator_method method, double step, bool loads)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = step;
    def.relative_tolerance = 1e-12;
    two t = {.world = fender_world_create(&env, &def, NULL)};
    fender_point_id ends[2];
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        body.name = i ? "b" : "a";
        body.mass_properties = (fender_mass_properties){2 + i, {0, 0, 0}, fender_mat3_identity()};
        body.state.position.x = 1.2 * i;
        body.state.velocity.x = i ? 0.3 : 0;
        check_ok(fender_body_create(t.world, &body, &t.body[i], &error));
        check_ok(fender_point_create(t.world, t.body[i], "p", fender_pose_identity(), &ends[i], &error));
    }
    if (!loads) {
        fender_link_spring_damper p = {.stiffness = STIFFNESS, .damping = DAMPING, .free_length = 1, .limit = INFINITY};
        fender_link_def link = fender_link_def_default();
        link.name = "link";
        link.a = ends[0], link.b = ends[1];
        link.parameters = &p;
        check_ok(fender_link_create(t.world, &link, NULL, &error));
    }
    for (int i = 0; i < 2 && loads; i++) {
        fender_load_reading readings[4] = {{.quantity = FENDER_STATE_POSITION},
                                           {.quantity = FENDER_STATE_CENTER_POSITION},
                                           {.quantity = FENDER_STATE_VELOCITY},
                                           {.quantity = FENDER_STATE_VELOCITY}};
        for (int k = 0; k < 4; k++)
            readings[k].frame = (fender_body_frame){FENDER_BODY_FRAME_STRUCTURE, t.body[k % 2], {0}};
        readings[3].frame = (fender_body_frame){.kind = FENDER_BODY_FRAME_POINT, .point = ends[1]};
        const fender_expression programs[3] = {pull(i ? -1 : 1), {.count = 0}, {.count = 0}};
        fender_load_def def_of_load = fender_load_def_default();
        def_of_load.name = i ? "on_b" : "on_a";
        def_of_load.body = t.body[i];
        def_of_load.force = (fender_signal){
            .kind = FENDER_SIGNAL_FORMULA, .components = programs, .readings = readings, .reading_count = 4};
        check_ok(fender_load_create(t.world, &def_of_load, NULL, &error));
    }
    check_ok(fender_world_initialize(t.world, &error));
    return t;
}

static fender_vec3 place_of(const two *t, int i)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(t->world, t->body[i], FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data.position;
}

static void as_the_link(void **state)
{
    (void)state;
    static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER,
                                                       FENDER_INTEGRATOR_VELOCITY_VERLET, FENDER_INTEGRATOR_DOP853};
    for (int m = 0; m < 4; m++) {
        two link = make_two(methods[m], 1e-2, false), loads = make_two(methods[m], 1e-2, true);
        for (int i = 1; i <= 20; i++) {
            check_ok(fender_world_advance_to(link.world, 0.1 * i, &error));
            check_ok(fender_world_advance_to(loads.world, 0.1 * i, &error));
            const double off = methods[m] == FENDER_INTEGRATOR_DOP853 ? 1e-10 : 1e-14; /* other tolerances of work */
            for (int k = 0; k < 2; k++) check_vector(place_of(&loads, k), place_of(&link, k), off);
        }
        fender_ledger ledger;
        fender_world_ledger(loads.world, &ledger);
        /* its energy is outside: what the bodies lose is applied work */
        if (m != 1) check_near(ledger.kinetic - 0.5 * 3 * 0.3 * 0.3, ledger.applied, 1e-3); /* Euler: of order 1 */
        assert_true(ledger.applied < -0.01);
        fender_world_destroy(link.world);
        fender_world_destroy(loads.world);
    }
}

/* y'' + 2 d y' + w^2 y = 0 of the length, d = c / 2m, w^2 = k / m, m the reduced mass: RK4 keeps its order 4, as
 * nothing is sampled. */
static void order(void **state)
{
    (void)state;
    const double m = 6.0 / 5, d = DAMPING / (2 * m), w = sqrt(STIFFNESS / m - d * d), t = 1;
    const double expected = exp(-d * t) * (0.2 * cos(w * t) + (0.3 + d * 0.2) / w * sin(w * t));
    double off[2];
    for (int i = 0; i < 2; i++) {
        two loads = make_two(FENDER_INTEGRATOR_RK4, i ? 5e-3 : 1e-2, true);
        check_ok(fender_world_advance_to(loads.world, t, &error));
        off[i] = fabs(place_of(&loads, 1).x - place_of(&loads, 0).x - 1 - expected);
        fender_world_destroy(loads.world);
    }
    printf("off by %.2e and %.2e m\n", off[0], off[1]);
    check_below(off[0], 1e-6);
    assert_true(off[0] > 14 * off[1]);
}

/* One call or many, and a snapshot in between: the same bits. */
static void same_bits(void **state)
{
    (void)state;
    two one = make_two(FENDER_INTEGRATOR_RK4, 1e-2, true), other = make_two(FENDER_INTEGRATOR_RK4, 1e-2, true);
    check_ok(fender_world_advance(one.world, 50, &error));
    fender_snapshot *snapshot = fender_snapshot_take(one.world, NULL);
    check_ok(fender_snapshot_restore(other.world, snapshot, &error));
    check_ok(fender_world_advance(one.world, 50, &error));
    for (int i = 0; i < 50; i++) check_ok(fender_world_step(other.world, &error));
    assert_true(fender_world_hash(one.world) == fender_world_hash(other.world));
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(one.world);
    fender_world_destroy(other.world);
}

/* A load goes with a body that it reads, also by a point of it. */
static void destroyed(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        two loads = make_two(FENDER_INTEGRATOR_RK4, 1e-2, true);
        check_ok(fender_world_advance(loads.world, 5, &error));
        check_ok(fender_body_destroy(loads.world, loads.body[i], &error));
        assert_int_equal(fender_load_count(loads.world), 0);
        check_ok(fender_world_initialize(loads.world, &error));
        check_ok(fender_world_advance(loads.world, 5, &error));
        fender_world_destroy(loads.world);
    }
}

static void refused(void **state)
{
    (void)state;
    scene s = make_scene();
    const struct {
        fender_body_frame frame;
        fender_state_quantity quantity;
        int component, count;
        fender_status status;
    } rows[] = {
        {{FENDER_BODY_FRAME_STRUCTURE, s.root, {0}}, FENDER_STATE_ATTITUDE, 3, 1, FENDER_STATUS_OK},
        {{FENDER_BODY_FRAME_STRUCTURE, s.root, {0}}, FENDER_STATE_POSITION, 3, 1, FENDER_STATUS_VALUE},
        {{FENDER_BODY_FRAME_STRUCTURE, s.root, {0}}, FENDER_STATE_POSITION, -1, 1, FENDER_STATUS_VALUE},
        {{FENDER_BODY_FRAME_STRUCTURE, s.root, {0}}, FENDER_STATE_MASS, 1, 1, FENDER_STATUS_VALUE},
        {{FENDER_BODY_FRAME_STRUCTURE, s.root, {0}}, (fender_state_quantity)7, 0, 1, FENDER_STATUS_VALUE},
        {{FENDER_BODY_FRAME_POINT, {0}, s.point}, FENDER_STATE_MASS, 0, 1, FENDER_STATUS_VALUE},
        {{FENDER_BODY_FRAME_CORE, s.root, {0}}, FENDER_STATE_POSITION, 0, 1, FENDER_STATUS_VALUE},
        {{FENDER_BODY_FRAME_STRUCTURE, {0}, {0}}, FENDER_STATE_POSITION, 0, 1, FENDER_STATUS_STALE_ID},
        {{FENDER_BODY_FRAME_POINT, s.root, {0}}, FENDER_STATE_POSITION, 0, 1, FENDER_STATUS_STALE_ID},
        {{FENDER_BODY_FRAME_STRUCTURE, s.root, {0}}, FENDER_STATE_POSITION, 0, 25, FENDER_STATUS_VALUE},
        {{FENDER_BODY_FRAME_STRUCTURE, s.root, {0}}, FENDER_STATE_POSITION, 0, 0, FENDER_STATUS_VALUE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fender_load_reading readings[FENDER_LOAD_READING_CAPACITY + 1] = {
            {.frame = rows[i].frame, .quantity = rows[i].quantity, .component = rows[i].component}};
        const fender_expression programs[3] = {read_slot(0), {.count = 0}, {.count = 0}};
        fender_load_def def = fender_load_def_default();
        char name[8];
        snprintf(name, sizeof name, "l%zu", i);
        def.name = name;
        def.body = s.one;
        def.torque = (fender_signal){.kind = FENDER_SIGNAL_FORMULA,
                                     .components = programs,
                                     .readings = readings,
                                     .reading_count = rows[i].count};
        fender_error why = {0};
        assert_int_equal(fender_load_create(s.world, &def, NULL, &why), rows[i].status);
        if (rows[i].status == FENDER_STATUS_VALUE) assert_string_equal(why.path, "torque");
    }
    fender_world_destroy(s.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_quantity), cmocka_unit_test(as_the_link), cmocka_unit_test(order),
        cmocka_unit_test(same_bits),      cmocka_unit_test(destroyed),   cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("load readings", tests, NULL, NULL);
}
