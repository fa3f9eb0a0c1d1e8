/* Attached bodies that move along a prescribed path: contacts, loads and links on them, located events, refusals. */
/* items: B001 */
#include "counted_memory.h"
#include "moving_parts.h"

static fender_shape_id add_shape(fender_world *world, fender_body_id body, const char *name, fender_geometry *geometry,
                                 fender_pose X_SG)
{
    fender_shape_def def = fender_shape_def_default();
    def.name = name;
    def.geometry = geometry;
    def.X_SG = X_SG;
    fender_shape_id id;
    check_ok(fender_shape_create(world, body, &def, &id, &error));
    fender_geometry_release(geometry);
    return id;
}

static void add_springs(fender_world *world, double stiffness, double damping, double mu)
{
    fender_spring_damper_parameters parameters;
    check_ok(fender_spring_damper_parameters_default(&parameters, &error));
    parameters.stiffness = stiffness;
    parameters.damping = damping;
    parameters.mu = mu;
    fender_contact_type_def def = fender_contact_type_def_default();
    def.name = "spring";
    def.law = fender_law_find(NULL, "spring_damper");
    def.law_parameters = &parameters;
    fender_contact_type_id type;
    check_ok(fender_contact_type_create(world, &def, &type, &error));
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_DEFAULT;
    rule.use = type;
    check_ok(fender_rule_create(world, &rule, NULL, &error));
}

static fender_geometry *ball(double radius)
{
    const fender_env env = fender_env_default();
    return fender_geometry_sphere(&env, radius, NULL);
}

/* A vehicle stands on the ground on its leg, which extends and lifts it: the leg carries the weight, the vehicle rises
 * by the length, and the motor does the work against gravity. */
static void leg_lifts_a_vehicle(void **state)
{
    (void)state;
    const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_DOPRI5};
    for (int k = 0; k < 2; k++) {
        fender_env env = fender_env_default();
        fender_world_def world_def = fender_world_def_default();
        world_def.method = methods[k];
        world_def.step = 1e-3;
        world_def.gravity = (fender_gravity){.kind = FENDER_GRAVITY_UNIFORM, .acceleration = {0, 0, -1.6}};
        fender_world *world = fender_world_create(&env, &world_def, NULL);
        const double m1 = 90, m2 = 10, k1 = 4e4, weight = 160;
        fender_body_state start = at_rest();
        start.position.z = 2.1;
        fender_body_def ground = fender_body_def_default();
        ground.name = "ground";
        ground.motion = FENDER_MOTION_FIXED;
        fender_body_id floor;
        check_ok(fender_body_create(world, &ground, &floor, &error));
        const fender_body_id hull = add_body(world, "hull", m1, fender_vec3_make(0, 0, 0),
                                             fender_mat3_diagonal(20, 20, 20), start);
        const fender_body_id leg = add_body(world, "leg", m2, fender_vec3_make(0, 0, 0),
                                            fender_mat3_diagonal(1, 1, 0.1), at_rest());
        attach(world, leg, hull, (fender_pose){{0, 0, -1}, {1, 0, 0, 0}});
        /* not yet at the ground: the foot is 0.6 m above it */
        add_shape(world, leg, "foot", ball(0.1), (fender_pose){{0, 0, -0.4}, {1, 0, 0, 0}});
        add_shape(world, floor, "plane", fender_geometry_plane(&env, NULL), at_origin);
        add_springs(world, k1, 2 * sqrt(k1 * (m1 + m2)), 0.5);
        move_between(world, leg, 4, 8, fender_vec3_make(0, 0, -0.5), fender_vec3_make(0, 0, 0),
                     fender_vec3_make(0, 0, 0), 0);
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_advance_to(world, 4, &error));
        fender_contact_data c;
        assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &c), FENDER_STATUS_OK);
        check_near(c.normal_force, weight, 1e-6);
        const fender_body_data before = data_of(world, hull);
        check_near(before.position.z, 1.5 - weight / k1, 1e-9);
        const fender_ledger stands = ledger_of(world);
        check_near(stands.motor, 0, 1e-12);
        for (int i = 1; i <= 8; i++) { /* the foot stays: the hull goes up as the leg goes out */
            check_ok(fender_world_advance_to(world, 4 + 0.5 * i, &error));
            check_near(data_of(world, hull).position.z - data_of(world, leg).position.z, 1 + 0.5 * blend(i / 8.0),
                       1e-12);
            assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &c), FENDER_STATUS_OK);
            check_near(data_of(world, leg).velocity.z, -c.depth_rate, 1e-12);
        }
        check_ok(fender_world_advance_to(world, 10, &error));
        const fender_body_data after = data_of(world, hull);
        check_near(after.position.z - before.position.z, 0.5, 1e-6);
        assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &c), FENDER_STATUS_OK);
        check_near(c.normal_force, weight, 1e-3);
        const fender_ledger ledger = ledger_of(world);
        check_near(ledger.motor, m1 * 1.6 * 0.5, 0.01 * m1 * 1.6 * 0.5);
        check_near(ledger.gravitational - stands.gravitational, m1 * 1.6 * 0.5, 1e-4);
        check_near(ledger.applied, 0, 1e-9);
        check_below(fabs(ledger.residual), k == 0 ? 1e-4 * ledger.scale : 1e-6 * ledger.scale);
        check_below(ledger.linear_drift, 1e-9);
        check_below(fabs(c.residual), (k == 0 ? 1e-4 : 1e-6) * ledger.scale);
        printf("%d: motor %.9g J, residual %.3g of %.3g J\n", k, ledger.motor, ledger.residual, ledger.scale);
        fender_world_destroy(world);
    }
}

/* An arm on a fixed base strikes a free ball: all its energy comes from the motor, but for what the contact loses. */
static void arm_strikes_a_ball(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        fender_world *world = empty(k ? FENDER_INTEGRATOR_DOP853 : FENDER_INTEGRATOR_RK4, 2e-4);
        fender_body_def base_def = fender_body_def_default();
        base_def.name = "base";
        base_def.motion = FENDER_MOTION_FIXED;
        base_def.state.position = fender_vec3_make(0.3, 0.1, 0);
        fender_body_id base;
        check_ok(fender_body_create(world, &base_def, &base, &error));
        const fender_body_id beam = add_body(world, "beam", 3, fender_vec3_make(0.5, 0, 0),
                                             fender_mat3_diagonal(0.01, 0.2, 0.2), at_rest());
        fender_body_state away = at_rest();
        away.position = fender_vec3_make(0.3 + 0.9, 0.1 + 0.65, 0);
        const fender_body_id free_ball = add_body(world, "ball", 0.5, fender_vec3_make(0, 0, 0),
                                                  fender_mat3_diagonal(2e-3, 2e-3, 2e-3), away);
        attach(world, beam, base, at_origin);
        add_shape(world, beam, "fist", ball(0.1), (fender_pose){{1, 0, 0}, {1, 0, 0, 0}});
        add_shape(world, free_ball, "skin", ball(0.1), at_origin);
        add_springs(world, 2e4, 5, 0.3);
        move_between(world, beam, 0.1, 1.1, fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 1),
                     fender_vec3_make(0, 0, 0), 1.2);
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_advance_to(world, 0.4, &error));
        check_near(data_of(world, beam).angular_velocity.z, 1.2 * blend_rate(0.3), 1e-12);
        check_ok(fender_world_advance_to(world, 1.3, &error));
        const fender_body_data d = data_of(world, free_ball);
        const fender_ledger ledger = ledger_of(world);
        check_below(0.5, fender_vec3_length(d.velocity));
        check_near(ledger.kinetic, d.kinetic_energy, 1e-14);
        check_near(ledger.motor, ledger.kinetic + ledger.stored + ledger.damping + ledger.friction,
                   (k ? 1e-6 : 1e-2) * ledger.scale);
        check_below(0.01, ledger.friction);
        check_near(ledger.applied, 0, 1e-12);
        printf("%d: motor %.9g J, residual %.3g J\n", k, ledger.motor, ledger.residual);
        fender_world_destroy(world);
    }
}

/* A thruster on a panel that folds, a spring from its edge to the world by a link, and a drag: the ledger balances. */
static void loads_and_links_on_a_part(void **state)
{
    (void)state;
    fender_world *world = empty(FENDER_INTEGRATOR_RK4, 1e-3);
    fender_body_def post_def = fender_body_def_default();
    post_def.name = "post";
    post_def.motion = FENDER_MOTION_FIXED;
    fender_body_id post;
    check_ok(fender_body_create(world, &post_def, &post, &error));
    fender_body_state start = at_rest();
    start.position = fender_vec3_make(0.5, 0.2, 1);
    start.angular_velocity = fender_vec3_make(0.1, -0.2, 0.3);
    const fender_body_id hull = add_body(world, "hull", 8, fender_vec3_make(0.05, 0, 0),
                                         fender_mat3_diagonal(1, 1.5, 2), start);
    const fender_body_id panel = add_body(world, "panel", 2, fender_vec3_make(0.5, 0, 0),
                                          fender_mat3_diagonal(0.1, 0.3, 0.3), at_rest());
    attach(world, panel, hull, (fender_pose){{0.4, 0.1, 0}, {0.8, 0, 0, 0.6}});
    move_between(world, panel, 0.2, 1.2, fender_vec3_make(0.1, 0, 0.1), fender_vec3_make(0, 1, 0.2),
                 fender_vec3_make(0, 0, 0), 1.4);
    fender_point_id edge, foot;
    check_ok(fender_point_create(world, panel, "edge", (fender_pose){{1, 0.1, 0}, {1, 0, 0, 0}}, &edge, &error));
    check_ok(fender_point_create(world, post, "foot", at_origin, &foot, &error));
    const fender_link_spring_damper spring = {.stiffness = 30, .damping = 2, .free_length = 0.8, .limit = INFINITY};
    fender_link_def link = fender_link_def_default();
    link.name = "spring";
    link.law = FENDER_LINK_SPRING_DAMPER;
    link.parameters = &spring;
    link.a = foot;
    link.b = edge;
    check_ok(fender_link_create(world, &link, NULL, &error));
    fender_load_def push = fender_load_def_default();
    push.name = "push";
    push.body = panel;
    push.at_center = false;
    push.point = fender_vec3_make(0.9, 0, 0);
    push.axes = FENDER_AXES_BODY;
    push.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {0, 0, 3}};
    push.torque = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {0.2, 0.1, 0}};
    check_ok(fender_load_create(world, &push, NULL, &error));
    fender_load_def drag = fender_load_def_default();
    drag.name = "drag";
    drag.kind = FENDER_LOAD_DRAG;
    drag.body = panel;
    drag.at_center = false;
    drag.point = fender_vec3_make(0.5, 0, 0);
    drag.drag.linear = 2;
    drag.drag.angular_linear = 0.5;
    check_ok(fender_load_create(world, &drag, NULL, &error));
    fender_load_def wheel = fender_load_def_default();
    wheel.name = "wheel";
    wheel.kind = FENDER_LOAD_REACTION_WHEEL;
    wheel.body = panel;
    wheel.wheel.axis = fender_vec3_make(0, 0, 1);
    wheel.wheel.spin_inertia = 0.02;
    wheel.wheel.momentum = 0.6;
    wheel.wheel.torque_limit = 1;
    fender_load_id wheel_id;
    check_ok(fender_load_create(world, &wheel, &wheel_id, &error));
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_load_set_motor_torque(world, wheel_id, 0.3, &error));
    check_ok(fender_world_advance_to(world, 1.5, &error));
    const fender_ledger ledger = ledger_of(world);
    printf("motor %.6g J, applied %.6g J, residual %.3g of %.3g J, drifts %.3g %.3g\n", ledger.motor, ledger.applied,
           ledger.residual, ledger.scale, ledger.linear_drift, ledger.angular_drift);
    check_below(fabs(ledger.residual), 1e-9 * ledger.scale);
    check_below(ledger.linear_drift, 1e-9);
    check_below(ledger.angular_drift, 1e-9);
    check_below(0.05, fabs(ledger.motor));
    fender_world_destroy(world);
}

/* With located events the touch of a moving foot ends a step, at the time at which the gap closes. */
static void touch_of_a_part_is_located(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        fender_env env = fender_env_default();
        fender_world_def def = fender_world_def_default();
        def.method = k ? FENDER_INTEGRATOR_DOPRI5 : FENDER_INTEGRATOR_RK4;
        def.step = 0.01;
        def.locate_events = true;
        fender_world *world = fender_world_create(&env, &def, NULL);
        fender_body_def wall_def = fender_body_def_default();
        wall_def.name = "wall";
        wall_def.motion = FENDER_MOTION_FIXED;
        fender_body_id wall;
        check_ok(fender_body_create(world, &wall_def, &wall, &error));
        fender_body_state start = at_rest();
        start.position.z = 1;
        const fender_body_id hull = add_body(world, "hull", 3, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                             start);
        const fender_body_id rod = add_body(world, "rod", 1, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                            at_rest());
        attach(world, rod, hull, at_origin);
        add_shape(world, rod, "tip", ball(0.1), (fender_pose){{0, 0, -0.2}, {1, 0, 0, 0}});
        add_shape(world, wall, "plane", fender_geometry_plane(&env, NULL), at_origin);
        add_springs(world, 1e3, 1, 0);
        move_between(world, rod, 0, 2, fender_vec3_make(0, 0, -1), fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0),
                     0);
        check_ok(fender_world_initialize(world, &error));
        double begin = -1;
        for (int i = 0; i < 4000 && begin < 0; i++) {
            check_ok(fender_world_step(world, &error));
            int count;
            const fender_event *events = fender_world_events(world, &count);
            for (int e = 0; e < count; e++)
                if (events[e].kind == FENDER_EVENT_BEGIN) begin = events[e].time;
        }
        /* the rod goes down by 3/4 of the way: the gap of 0.7 m closes at blend(u) = 14/15 */
        double low = 0, high = 1;
        for (int i = 0; i < 60; i++) *(blend(0.5 * (low + high)) < 14.0 / 15 ? &low : &high) = 0.5 * (low + high);
        check_near(begin, 2 * low, 1e-10);
        fender_world_destroy(world);
    }
}

/* A fist on a fast arm would jump over a ball in one step: the step is divided. */
static void fast_part_does_not_pass(void **state)
{
    (void)state;
    fender_world *world = empty(FENDER_INTEGRATOR_RK4, 0.01);
    fender_body_def base_def = fender_body_def_default();
    base_def.name = "base";
    base_def.motion = FENDER_MOTION_FIXED;
    fender_body_id base;
    check_ok(fender_body_create(world, &base_def, &base, &error));
    const fender_body_id beam = add_body(world, "beam", 3, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                         at_rest());
    fender_body_state away = at_rest();
    away.position = fender_vec3_make(1.18, 0, 0); /* between its places at 1 m and 1.365 m */
    const fender_body_id target = add_body(world, "target", 10, fender_vec3_make(0, 0, 0),
                                           fender_mat3_diagonal(0.01, 0.01, 0.01), away);
    attach(world, beam, base, at_origin);
    add_shape(world, beam, "fist", ball(0.02), at_origin);
    add_shape(world, target, "skin", ball(0.02), at_origin);
    add_springs(world, 2e4, 5, 0);
    /* 2 m within 0.1 s, and at most 37.5 m/s: 0.375 m in a step */
    move_between(world, beam, 0.05, 0.15, fender_vec3_make(2, 0, 0), fender_vec3_make(0, 0, 0),
                 fender_vec3_make(0, 0, 0), 0);
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance_to(world, 0.2, &error));
    check_below(0.05, data_of(world, target).velocity.x);
    fender_world_destroy(world);
}

/* ---- refusals ---- */

static void what_does_not_go_is_refused(void **state)
{
    (void)state;
    const fender_integrator_method methods[] = {FENDER_INTEGRATOR_VELOCITY_VERLET,
                                                FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, FENDER_INTEGRATOR_RK4};
    fender_error error = {0};
    for (int k = 0; k < 3; k++) {
        fender_world *world = empty(methods[k], 0.01);
        const fender_body_id hull = add_body(world, "hull", 3, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                             at_rest());
        const fender_body_id rod = add_body(world, "rod", 1, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                            at_rest());
        const double times[2] = {0, 1}, late[2] = {-1, 1}, angles[2] = {0, 1}, jump[2] = {0.5, 1};
        fender_part_motion motion = fender_part_motion_default();
        motion.times = times;
        motion.angles = angles;
        motion.axis = fender_vec3_make(1, 0, 0);
        motion.count = 2;
        error = (fender_error){0};
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_TOPOLOGY);
        attach(world, rod, hull, (fender_pose){{1, 0, 0}, {1, 0, 0, 0}});
        error = (fender_error){0};
        assert_int_equal(fender_body_move_part(world, rod, motion.axis, 0, 1, &error), FENDER_STATUS_ARGUMENT);
        motion.times = late;
        error = (fender_error){0};
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_VALUE);
        motion.times = times;
        motion.angles = jump;
        error = (fender_error){0};
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_VALUE);
        motion.angles = angles;
        motion.axis = fender_vec3_make(0, 0, 0);
        error = (fender_error){0};
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_VALUE);
        assert_string_equal(error.path, "motion.axis");
        motion.axis = fender_vec3_make(1, 0, 0);
        motion.count = 1;
        error = (fender_error){0};
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_VALUE);
        motion.count = 2;
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_OK);
        if (k < 2) {
            error = (fender_error){0};
            assert_int_equal(fender_world_initialize(world, &error), FENDER_STATUS_ARGUMENT);
            assert_string_equal(error.path, "integrator.method");
            assert_non_null(strstr(error.message, "'rod'"));
            /* without the motion it is a rigid tree */
            assert_int_equal(fender_body_set_part_motion(world, rod, NULL, &error), FENDER_STATUS_OK);
            assert_int_equal(fender_world_initialize(world, &error), FENDER_STATUS_OK);
            fender_world_destroy(world);
            continue;
        }
        fender_point_id a, b;
        assert_int_equal(fender_point_create(world, hull, "a", at_origin, &a, &error), FENDER_STATUS_OK);
        assert_int_equal(fender_point_create(world, rod, "b", at_origin, &b, &error), FENDER_STATUS_OK);
        const fender_link_spring_damper spring = {.stiffness = 30, .free_length = 0.8, .limit = INFINITY};
        fender_link_def link = fender_link_def_default();
        link.name = "spring";
        link.law = FENDER_LINK_SPRING_DAMPER;
        link.parameters = &spring;
        link.a = a;
        link.b = b;
        fender_link_id id;
        assert_int_equal(fender_link_create(world, &link, &id, &error), FENDER_STATUS_OK);
        error = (fender_error){0};
        assert_int_equal(fender_world_initialize(world, &error), FENDER_STATUS_TOPOLOGY);
        assert_string_equal(error.path, "links");
        assert_int_equal(fender_link_destroy(world, id, &error), FENDER_STATUS_OK);
        assert_int_equal(fender_world_initialize(world, &error), FENDER_STATUS_OK);
        assert_int_equal(fender_world_advance(world, 50, &error), FENDER_STATUS_OK);
        error = (fender_error){0};
        assert_int_equal(fender_body_move_part(world, rod, motion.axis, 0, 0, &error), FENDER_STATUS_VALUE);
        motion.times = (const double[]){2, 3};
        error = (fender_error){0};
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_STATE);
        assert_int_equal(fender_world_advance(world, 60, &error), FENDER_STATUS_OK);
        assert_int_equal(fender_body_set_part_motion(world, rod, &motion, &error), FENDER_STATUS_OK);
        assert_int_equal(fender_world_initialize(world, &error), FENDER_STATUS_OK);
        assert_int_equal(fender_world_advance(world, 200, &error), FENDER_STATUS_OK);
        fender_body_data d;
        assert_int_equal(fender_body_get(world, hull, FENDER_CLOCK_COMMITTED, &d), FENDER_STATUS_OK);
        const double back = -0.5 * 2; /* half of both turns */
        check_near(d.attitude.w * sin(0.5 * back) - d.attitude.x * cos(0.5 * back), 0, 1e-7);
        fender_world_destroy(world);
    }
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.gravity = (fender_gravity){.kind = FENDER_GRAVITY_POINT_MASS, .mu = 4e14, .center = {7e6, 0, 0}};
    def.gravity_gradient = true;
    fender_world *world = fender_world_create(&env, &def, &error);
    assert_non_null(world);
    const fender_body_id hull = add_body(world, "hull", 3, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                         at_rest());
    const fender_body_id rod = add_body(world, "rod", 1, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                        at_rest());
    attach(world, rod, hull, at_origin);
    move_between(world, rod, 0, 1, fender_vec3_make(1, 0, 0), fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0), 0);
    error = (fender_error){0};
    assert_int_equal(fender_world_initialize(world, &error), FENDER_STATUS_ARGUMENT);
    assert_string_equal(error.path, "world.gravity");
    fender_world_destroy(world);
}

/* A ball has touched the ground after 0.4 s when a spinning vehicle, whose arm is folding, is attached under it: from
 * then on the ball's material moves relative to the common centre. Its contact has the rates that the published state
 * of the ball gives, to rounding, and the world goes on as one that was restored: to the same bits. */
static void moving_tree_comes_under_a_ball(void **state)
{
    (void)state;
    const fender_attach_pose poses[] = {FENDER_ATTACH_AS_IS, FENDER_ATTACH_POSED};
    for (int k = 0; k < 2; k++) {
        fender_env env = fender_env_default();
        fender_world *world = empty(FENDER_INTEGRATOR_RK4, 1e-3);
        fender_body_def ground = fender_body_def_default();
        ground.name = "ground";
        ground.motion = FENDER_MOTION_FIXED;
        fender_body_id floor;
        check_ok(fender_body_create(world, &ground, &floor, &error));
        fender_body_state start = at_rest();
        start.position.z = 0.7;
        start.velocity = fender_vec3_make(0.3, 0.1, -0.5);
        start.angular_velocity = fender_vec3_make(0, 0, 0.2);
        const fender_body_id rolling = add_body(world, "ball", 30, fender_vec3_make(0, 0, 0),
                                                fender_mat3_diagonal(3, 3, 3), start);
        /* a second body keeps the ball from standing at the centre of its tree, before as after */
        const fender_body_id fin = add_body(world, "fin", 2, fender_vec3_make(0, 0, 0),
                                            fender_mat3_diagonal(0.1, 0.1, 0.1), at_rest());
        attach(world, fin, rolling, (fender_pose){{0.2, 0, 0.6}, {1, 0, 0, 0}});
        start = at_rest();
        start.position = fender_vec3_make(2, 0, 1);
        start.angular_velocity = fender_vec3_make(0, 0.1, 0.2);
        const fender_body_id hull = add_body(world, "hull", 10, fender_vec3_make(0, 0, 0),
                                             fender_mat3_diagonal(2, 2, 2), start);
        const fender_body_id arm = add_body(world, "arm", 8, fender_vec3_make(0, 0.5, 0),
                                            fender_mat3_diagonal(0.5, 0.1, 0.5), at_rest());
        attach(world, arm, hull, at_origin);
        move_between(world, arm, 0, 1, fender_vec3_make(0, 0, 0.3), fender_vec3_make(1, 0, 0),
                     fender_vec3_make(0, 0, 0), 1.5);
        add_shape(world, rolling, "skin", ball(0.5), at_origin);
        add_shape(world, floor, "plane", fender_geometry_plane(&env, NULL), at_origin);
        add_springs(world, 2e4, 100, 0.5);
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_advance_to(world, 0.41, &error));
        fender_attach_def def = fender_attach_def_default();
        def.child = hull;
        def.parent = rolling;
        def.pose = poses[k];
        def.X_PC = (fender_pose){{1.5, 0, 0.4}, {1, 0, 0, 0}};
        check_ok(fender_body_attach(world, &def, NULL, &error));
        fender_contact_data c;
        assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &c), FENDER_STATUS_OK);
        const fender_body_data d = data_of(world, rolling);
        const fender_vec3 w = fender_quaternion_rotate(d.attitude, d.angular_velocity);
        const fender_vec3 v = fender_vec3_add(d.velocity, fender_vec3_cross(w, fender_vec3_sub(c.point, d.position)));
        check_below(0.01, fabs(d.velocity.z - d.center_velocity.z)); /* the arm is felt */
        check_near(c.depth_rate, -v.z, 1e-14);
        check_near(hypot(c.slip.x, c.slip.y), hypot(v.x, v.y), 1e-14);
        fender_snapshot *snapshot = fender_snapshot_take(world, NULL);
        assert_non_null(snapshot);
        check_ok(fender_world_advance(world, 20, &error));
        const uint64_t hash = fender_world_hash(world);
        check_ok(fender_snapshot_restore(world, snapshot, &error));
        check_ok(fender_world_advance(world, 20, &error));
        assert_true(fender_world_hash(world) == hash);
        fender_snapshot_destroy(snapshot);
        fender_world_destroy(world);
    }
}

/* An attachment is refused late, when the trees have been changed: a link would be within a tree whose parts move. The
 * events of the step before are still there, as is the hash, although the masses of the tree flow, which turns its
 * attitude by rounding; and the next step has the bits that it has without the attempt. */
static void late_refusal_changes_nothing(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        fender_world *world = empty(FENDER_INTEGRATOR_RK4, 1e-3);
        fender_body_state start = at_rest();
        start.angular_velocity = fender_vec3_make(0.3, 0.4, 0.5);
        fender_body_def hull_def = fender_body_def_default();
        hull_def.name = "hull";
        hull_def.mass_properties = (fender_mass_properties){3, {0, 0, 0.1}, fender_mat3_diagonal(1, 2, 2)};
        hull_def.body_axes = fender_quaternion_normalized((fender_quaternion){0.7, 0.1, 0.5, 0.2});
        hull_def.state = start;
        fender_body_id hull;
        check_ok(fender_body_create(world, &hull_def, &hull, &error));
        const fender_body_id rod = add_body(world, "rod", 2, fender_vec3_make(0, 0, 0), fender_mat3_diagonal(1, 1, 1),
                                            at_rest());
        start = at_rest();
        start.position.x = 1;
        start.velocity.x = -1;
        const fender_body_id other = add_body(world, "other", 3, fender_vec3_make(0, 0, 0),
                                              fender_mat3_diagonal(1, 1, 1), start);
        attach(world, rod, hull, (fender_pose){{0, 0, 0.5}, {1, 0, 0, 0}});
        add_shape(world, hull, "skin", ball(0.3), at_origin);
        add_shape(world, other, "skin", ball(0.3), at_origin);
        add_springs(world, 1e4, 10, 0.3);
        move_between(world, rod, 0, 1, fender_vec3_make(0.2, 0, 0.3), fender_vec3_make(0, 0, 0),
                     fender_vec3_make(0, 0, 0), 0);
        fender_link_spring_damper spring = {.stiffness = 0.1, .free_length = 1, .limit = INFINITY};
        fender_link_def link = fender_link_def_default();
        link.name = "spring";
        link.law = FENDER_LINK_SPRING_DAMPER;
        link.parameters = &spring;
        check_ok(fender_point_create(world, hull, "eye", at_origin, &link.a, &error));
        check_ok(fender_point_create(world, other, "eye", at_origin, &link.b, &error));
        check_ok(fender_link_create(world, &link, NULL, &error));
        check_ok(fender_world_initialize(world, &error));
        const fender_mass_flow flow = {.mass_rate = -0.1, .until_mass = 1};
        check_ok(fender_body_set_mass_flow(world, hull, &flow, &error));
        int count = 0;
        while (count == 0) {
            check_ok(fender_world_step(world, &error));
            (void)fender_world_events(world, &count);
        }
        const fender_event event = fender_world_events(world, &count)[0];
        assert_int_equal(event.kind, FENDER_EVENT_BEGIN);
        fender_attach_def def = fender_attach_def_default();
        def.child = hull;
        def.parent = other;
        def.pose = FENDER_ATTACH_AS_IS;
        for (int i = 0; i < 20; i++) {
            const uint64_t hash = fender_world_hash(world);
            fender_error refusal = {0};
            if (k) {
                assert_int_equal(fender_body_attach(world, &def, NULL, &refusal), FENDER_STATUS_TOPOLOGY);
                assert_string_equal(refusal.path, "links");
            }
            int left;
            const fender_event *events = fender_world_events(world, &left);
            assert_true(i > 0 || (left == count && events[0].kind == event.kind && events[0].time == event.time));
            assert_true(fender_world_hash(world) == hash);
            check_ok(fender_world_step(world, &error));
        }
        hashes[k] = fender_world_hash(world);
        fender_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

/* Each allocation of a world with a moving part fails in turn: MEMORY, and nothing is lost. */
static void memory_may_fail(void **state)
{
    (void)state;
    counted_memory counted = {0};
    const fender_env env = counted_env(&counted);
    bool done = false;
    for (long at = 1; !done; at++) {
        counted = (counted_memory){.fail_at = at};
        const fender_world_def world_def = fender_world_def_default();
        fender_world *world = fender_world_create(&env, &world_def, NULL);
        fender_status status = world ? FENDER_STATUS_OK : FENDER_STATUS_MEMORY;
        fender_body_id ids[2];
        for (int i = 0; i < 2 && !status; i++) {
            fender_body_def def = fender_body_def_default();
            def.name = i ? "rod" : "hull";
            def.mass_properties = (fender_mass_properties){2, {0, 0, 0}, fender_mat3_diagonal(1, 1, 1)};
            status = fender_body_create(world, &def, &ids[i], NULL);
        }
        fender_attach_def def = fender_attach_def_default();
        def.child = ids[1];
        def.parent = ids[0];
        def.pose = FENDER_ATTACH_POSED;
        if (!status) status = fender_body_attach(world, &def, NULL, NULL);
        const double times[2] = {0, 1}, angles[2] = {0, 1};
        fender_part_motion motion = fender_part_motion_default();
        motion.times = times;
        motion.angles = angles;
        motion.axis = fender_vec3_make(1, 0, 0);
        motion.count = 2;
        if (!status) status = fender_body_set_part_motion(world, ids[1], &motion, NULL);
        if (!status) status = fender_world_initialize(world, NULL);
        if (!status) status = fender_world_advance(world, 100, NULL);
        done = status == FENDER_STATUS_OK && counted.calls < at;
        assert_true(status == FENDER_STATUS_OK || status == FENDER_STATUS_MEMORY);
        fender_world_destroy(world);
        assert_int_equal(counted.live, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leg_lifts_a_vehicle),
        cmocka_unit_test(arm_strikes_a_ball),
        cmocka_unit_test(loads_and_links_on_a_part),
        cmocka_unit_test(touch_of_a_part_is_located),
        cmocka_unit_test(fast_part_does_not_pass),
        cmocka_unit_test(what_does_not_go_is_refused),
        cmocka_unit_test(late_refusal_changes_nothing),
        cmocka_unit_test(memory_may_fail),
        cmocka_unit_test(moving_tree_comes_under_a_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
