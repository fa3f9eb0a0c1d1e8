/* Mass trees in a running world: contact on attached bodies, attachment under load, mass flow, places, refusals. */
/* items: C005 B001 B002 B003 B009 B011 B012 B029 B038 B066 */
#include "check.h"
#include "scene.h"
#include <fender/fender.h>
#include <string.h>

static const fender_body_id no_body = {0};

/* Spheres of 2 kg and 0.5 m in a row along x, `pitch` apart, at rest, one contact type for all. */
static fender_world *row(int count, double pitch, double stiffness, double damping)
{
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, stiffness, damping, 0.2, 1e-3, 0});
    s.world.step = 1e-3;
    s.body_count = count;
    for (int i = 0; i < count; i++) {
        s.bodies[i] = scene_ball(i, 2, 0.5);
        s.bodies[i].state.position.x = pitch * i;
    }
    return scene_build(&s);
}

static fender_attach_report attach(fender_world *world, int child, int parent, fender_attach_pose pose,
                                   fender_pose X_PC)
{
    fender_attach_def def = fender_attach_def_default();
    def.child = fender_body_at(world, child);
    def.parent = fender_body_at(world, parent);
    def.pose = pose;
    def.X_PC = X_PC;
    fender_attach_report report;
    check_ok(fender_body_attach(world, &def, &report, &error));
    return report;
}

static fender_ledger ledger_of(const fender_world *world)
{
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    return ledger;
}

/* A sphere strikes a child off its parent's centre: the root gets force and lever x force, by the same numbers as the
 * contact's. */
static void contact_on_a_child(void **state)
{
    (void)state;
    fender_world *world = row(3, 3, 1e4, 20);
    attach(world, 1, 0, FENDER_ATTACH_AS_IS, fender_pose_identity());
    assert_int_equal(fender_world_state_count(world), 2 * FENDER_STATE_PER_BODY);
    fender_body_state incoming = {{3.3, 0.95, 0.1}, {1, 0, 0, 0}, {0, -1, 0}, {0, 0, 3}};
    check_ok(fender_body_set_state(world, fender_body_at(world, 2), &incoming, &error));
    int touching = 0;
    for (int i = 0; i < 400; i++) {
        check_ok(fender_world_step(world, &error));
        if (fender_contact_count(world, FENDER_CLOCK_COMMITTED) == 0) continue;
        touching++;
        fender_contact_data c;
        assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &c), 0);
        fender_body_data root = scene_body_data(world, 0), child = scene_body_data(world, 1);
        /* the contact is between shapes 1 and 2: a is the child */
        fender_vec3 force_W = fender_vec3_negate(c.force);
        fender_vec3 lever = fender_vec3_sub(c.point, root.center_position);
        fender_vec3 torque_W = fender_vec3_cross(lever, force_W);
        check_vector(fender_quaternion_rotate(root.attitude, root.contact_force), force_W, 1e-11);
        check_vector(fender_quaternion_rotate(root.attitude, root.contact_torque), torque_W, 1e-11);
        check_vector(fender_quaternion_rotate(child.attitude, child.contact_force), force_W, 1e-11);
        fender_vec3 own = fender_vec3_cross(fender_vec3_sub(c.point, child.center_position), force_W);
        check_vector(fender_quaternion_rotate(child.attitude, child.contact_torque), own, 1e-11);
        check_vector(fender_vec3_scale(1.0 / 4, force_W), root.acceleration, 1e-11); /* 4 kg together */
    }
    assert_true(touching > 5);
    fender_ledger ledger = ledger_of(world);
    check_below(ledger.linear_drift, 1e-13);
    check_below(ledger.angular_drift, 1e-12);
    /* parent and child still move as one */
    fender_body_data root = scene_body_data(world, 0), child = scene_body_data(world, 1);
    check_near(fender_vec3_length(fender_vec3_sub(child.position, root.position)), 3, 1e-13);
    fender_world_destroy(world);
}

/* Attaching two spheres that press on each other ends the contact, books what its spring held, and keeps momentum;
 * detaching begins it again. */
static void attachment_under_load(void **state)
{
    (void)state;
    fender_world *world = row(2, 0.9, 1e4, 0); /* overlap of 0.1 m: 50 J */
    fender_body_state moving = {{0.9, 0, 0}, {1, 0, 0, 0}, {-1, 0.5, 0}, {0, 0, 0}};
    check_ok(fender_body_set_state(world, fender_body_at(world, 1), &moving, &error));
    fender_ledger before = ledger_of(world);
    check_near(before.stored, 50, 1e-9);
    fender_attach_report report = attach(world, 1, 0, FENDER_ATTACH_AS_IS, fender_pose_identity());
    int count;
    const fender_event *events = fender_world_events(world, &count);
    assert_int_equal(count, 2);
    assert_int_equal(events[0].kind, FENDER_EVENT_ATTACH);
    assert_int_equal(events[1].kind, FENDER_EVENT_END);
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 0);
    fender_ledger after = ledger_of(world);
    check_near(report.contact_energy_lost, 50, 1e-9);
    /* relative motion along the line is lost (1/2 mu v^2 = 0.5 J); across it, it becomes a spin of both together */
    double spin_energy = after.kinetic - 0.5 * 4 *
                                             fender_vec3_dot(scene_body_data(world, 0).center_velocity,
                                                             scene_body_data(world, 0).center_velocity);
    check_near(report.kinetic_energy_lost, before.kinetic - after.kinetic, 1e-12);
    assert_true(report.kinetic_energy_lost > 0.5 && spin_energy > 0);
    check_near(after.attachment, 50 + report.kinetic_energy_lost, 1e-9);
    check_near(after.residual, before.residual, 1e-9);
    check_below(after.linear_drift, 1e-14);
    check_below(after.angular_drift, 1e-14);
    check_near(fender_vec3_length(report.child_displacement), 0, 1e-15);

    fender_pair_explanation why;
    fender_world_explain(world, fender_shape_at(world, 0), fender_shape_at(world, 1), &why);
    assert_int_equal(why.reason, FENDER_PAIR_SAME_TREE);
    check_ok(fender_world_advance(world, 500, &error));
    fender_body_id freed;
    check_ok(fender_body_detach(world, fender_body_at(world, 1), no_body, FENDER_DETACH_CONNECTION, &freed, &error));
    assert_int_equal(freed.index1, 2);
    events = fender_world_events(world, &count);
    assert_int_equal(count, 2);
    assert_int_equal(events[0].kind, FENDER_EVENT_DETACH);
    assert_int_equal(events[1].kind, FENDER_EVENT_BEGIN);
    fender_ledger apart = ledger_of(world);
    check_near(apart.kinetic, after.kinetic, 1e-12); /* the velocity field is what it was */
    check_near(apart.stored, 50, 1e-9);
    check_near(apart.residual, after.residual, 1e-9);
    check_below(apart.linear_drift, 1e-13);
    check_below(apart.angular_drift, 1e-13);
    fender_world_destroy(world);
}

/* Snapped into place, both trees move so that the system's centre stays, and the momenta are those of before. */
static void aligned(void **state)
{
    (void)state;
    fender_world *world = row(2, 4, 1e4, 0);
    fender_body_state moving = {{4, 1, 0}, {0.9, 0.3, -0.2, 0.1}, {-1, 0.5, 0.2}, {0.3, -0.2, 1}};
    check_ok(fender_body_set_state(world, fender_body_at(world, 1), &moving, &error));
    fender_pose wanted = {{1.5, 0, 0}, {1, 0, 0, 0}};
    fender_attach_report report = attach(world, 1, 0, FENDER_ATTACH_ALIGNED, wanted);
    fender_body_data root = scene_body_data(world, 0), child = scene_body_data(world, 1);
    check_vector(root.center_position, fender_vec3_make(2, 0.5, 0), 1e-14);
    check_vector(root.position, report.parent_displacement, 1e-14); /* it was at the origin */
    check_vector(child.position, fender_vec3_add(fender_vec3_make(4, 1, 0), report.child_displacement), 1e-14);
    check_vector(fender_vec3_sub(child.position, root.position), fender_vec3_make(1.5, 0, 0), 1e-14);
    fender_ledger ledger = ledger_of(world);
    check_below(ledger.linear_drift, 1e-14);
    check_below(ledger.angular_drift, 1e-14);
    check_near(ledger.residual, 0, 1e-12);
    double n = sqrt(0.81 + 0.09 + 0.04 + 0.01);
    check_near(report.rotation, 2 * acos(0.9 / n), 1e-12);
    fender_world_destroy(world);
}

/* Tsiolkovsky: thrust u m' on a mass that falls; v = u ln(m0 / m). The step splits flow and motion evenly: order 2. */
static void rocket(void **state)
{
    (void)state;
    const double u = 30, rate = -0.5, m0 = 2, end = 2;
    double errors[3];
    for (int i = 0; i < 3; i++) {
        scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1, 0, 0, 1e-3, 0});
        s.world.step = 0.1 / (1 << i);
        s.body_count = 1;
        s.bodies[0] = scene_ball(0, m0, 0.5);
        s.bodies[0].state.angular_velocity = fender_vec3_make(0, 0, 2);
        fender_world *world = scene_build(&s);
        fender_load_def load = fender_load_def_default();
        load.name = "thrust";
        load.body = fender_body_at(world, 0);
        load.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {-u * rate, 0, 0}};
        check_ok(fender_load_create(world, &load, NULL, &error));
        double inertia = 0.4 * m0 * 0.25;
        fender_mass_flow flow = {.mass_rate = rate, .until_mass = 0.5};
        for (int k = 0; k < 3; k++) flow.inertia_rate.m[k][k] = inertia * rate / m0;
        check_ok(fender_body_set_mass_flow(world, fender_body_at(world, 0), &flow, &error));
        check_ok(fender_world_advance(world, (int64_t)(end / s.world.step + 0.5), &error));
        fender_body_data d = scene_body_data(world, 0);
        check_near(d.mass, m0 + rate * end, 1e-12);
        check_near(d.angular_velocity.z, 2, 1e-13); /* the efflux takes its share of the spin: no spin-up */
        errors[i] = fabs(d.center_velocity.x - u * log(m0 / (m0 + rate * end)));
        fender_ledger ledger = ledger_of(world);
        check_below(ledger.linear_drift, 1e-12);
        check_below(fabs(ledger.residual), 1e-10 * ledger.scale);
        /* on to the end of the flow, which is exact, and beyond */
        check_ok(fender_world_advance(world, (int64_t)(2 / s.world.step + 0.5), &error));
        assert_true(scene_body_data(world, 0).mass == 0.5);
        fender_world_destroy(world);
    }
    print_message("rocket: errors %.2e %.2e %.2e m/s, orders %.2f %.2f\n", errors[0], errors[1], errors[2],
                  log2(errors[0] / errors[1]), log2(errors[1] / errors[2]));
    check_near(log2(errors[1] / errors[2]), 2, 0.05);
}

/* Any place on a tree relative to any other, against poses put together by hand; the state of a place on a turning
 * tree. */
static void places(void **state)
{
    (void)state;
    fender_world *world = row(3, 3, 1e4, 0);
    fender_pose X_01 = {{1, 2, 0}, {0.7071067811865476, 0, 0, 0.7071067811865476}},
                X_12 = {{0, 0, 1}, {0.5, 0.5, 0.5, 0.5}};
    attach(world, 1, 0, FENDER_ATTACH_ALIGNED, X_01);
    attach(world, 2, 1, FENDER_ATTACH_ALIGNED, X_12);
    fender_pose X_2P = {{0.1, 0.2, 0.3}, {0.8, 0, 0.6, 0}};
    fender_point_id tip;
    check_ok(fender_point_create(world, fender_body_at(world, 2), "tip", X_2P, &tip, &error));
    fender_body_frame place = {FENDER_BODY_FRAME_POINT, no_body, tip},
                      base = {FENDER_BODY_FRAME_STRUCTURE, fender_body_at(world, 0), {0}};
    fender_pose X, expected = fender_pose_product(fender_pose_product(X_01, X_12), X_2P);
    check_ok(fender_body_frame_relative(world, place, base, &X, &error));
    check_vector(X.p, expected.p, 1e-14);
    fender_quaternion turn = fender_quaternion_product(X.q, fender_quaternion_conjugate(expected.q));
    check_near(fabs(turn.w), 1, 1e-14);
    fender_pose back;
    check_ok(fender_body_frame_relative(world, base, place, &back, &error));
    fender_pose unity = fender_pose_product(X, back);
    check_vector(unity.p, fender_vec3_make(0, 0, 0), 1e-14);

    fender_body_state spinning = {{1, 0, 0}, {1, 0, 0, 0}, {0.5, 0, 0}, {0, 0, 2}};
    check_ok(fender_body_set_state(world, fender_body_at(world, 0), &spinning, &error));
    fender_body_state tip_state;
    check_ok(fender_body_frame_state(world, place, &tip_state, &error));
    fender_vec3 at = fender_vec3_add(fender_vec3_make(1, 0, 0), expected.p);
    check_vector(tip_state.position, at, 1e-14);
    check_vector(tip_state.velocity,
                 fender_vec3_add(fender_vec3_make(0.5, 0, 0), fender_vec3_cross(fender_vec3_make(0, 0, 2), expected.p)),
                 1e-13);
    check_vector(fender_quaternion_rotate(tip_state.attitude, tip_state.angular_velocity), fender_vec3_make(0, 0, 2),
                 1e-14);
    fender_world_destroy(world);
}

static void expect_refused(fender_world *world, int child, int parent, const char *words)
{
    uint64_t hash = fender_world_hash(world);
    fender_attach_def def = fender_attach_def_default();
    def.child = fender_body_at(world, child);
    def.parent = fender_body_at(world, parent);
    fender_error fault = {0};
    assert_int_equal(fender_body_attach(world, &def, NULL, &fault), FENDER_STATUS_TOPOLOGY);
    if (!strstr(fault.message, words)) fail_msg("'%s' does not say '%s'", fault.message, words);
    assert_true(fender_world_hash(world) == hash);
}

/* Every refusal says why and changes nothing. */
static void refusals(void **state)
{
    (void)state;
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1, 0, 0, 1e-3, 0});
    s.body_count = 5;
    for (int i = 0; i < 5; i++) {
        s.bodies[i] = scene_ball(i, 2, 0.5);
        s.bodies[i].state.position.x = 3 * i;
    }
    s.bodies[3].motion = FENDER_MOTION_FIXED;
    s.bodies[4].motion = FENDER_MOTION_MASS_ONLY;
    fender_world *world = scene_build(&s);
    attach(world, 1, 0, FENDER_ATTACH_AS_IS, fender_pose_identity());
    expect_refused(world, 0, 0, "to itself");
    expect_refused(world, 0, 1, "same mass tree");
    expect_refused(world, 1, 0, "same mass tree");
    expect_refused(world, 3, 0, "is fixed and cannot become a child");
    expect_refused(world, 2, 4, "mass only");
    uint64_t hash = fender_world_hash(world);
    fender_error fault = {0};
    fender_body_id root = fender_body_at(world, 0);
    assert_int_equal(fender_body_detach(world, fender_body_at(world, 2), no_body, FENDER_DETACH_TREE, NULL, &fault),
                     FENDER_STATUS_TOPOLOGY);
    assert_non_null(strstr(fault.message, "is a root"));
    fault = (fender_error){0};
    assert_int_equal(fender_body_detach(world, root, fender_body_at(world, 2), FENDER_DETACH_CONNECTION, NULL, &fault),
                     FENDER_STATUS_TOPOLOGY);
    assert_non_null(strstr(fault.message, "no connection between"));
    fault = (fender_error){0};
    assert_int_equal(fender_body_reattach(world, root, fender_pose_identity(), NULL, &fault), FENDER_STATUS_TOPOLOGY);
    assert_non_null(strstr(fault.message, "cannot be reattached"));
    fender_pose odd = {{NAN, 0, 0}, {1, 0, 0, 0}};
    assert_int_equal(fender_body_reattach(world, fender_body_at(world, 1), odd, NULL, NULL), FENDER_STATUS_VALUE);
    assert_int_equal(fender_point_create(world, root, "", fender_pose_identity(), NULL, NULL), FENDER_STATUS_NAME);
    check_ok(fender_point_create(world, root, "port", fender_pose_identity(), NULL, &error));
    assert_int_equal(fender_point_create(world, root, "port", fender_pose_identity(), NULL, NULL), FENDER_STATUS_NAME);
    fender_attach_def def = fender_attach_def_default();
    def.child = fender_body_at(world, 2);
    def.parent = root;
    def.child_point = (fender_point_id){77, 1, 1};
    def.parent_point = fender_point_at(world, 0);
    assert_int_equal(fender_body_attach(world, &def, NULL, NULL), FENDER_STATUS_STALE_ID);
    fender_mass_properties heavy = {-1, {0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    assert_int_equal(fender_body_set_mass(world, root, &heavy, NULL), FENDER_STATUS_VALUE);
    fender_mass_flow flow = {.mass_rate = -1, .until_mass = 3};
    assert_int_equal(fender_body_set_mass_flow(world, root, &flow, NULL), FENDER_STATUS_VALUE);
    assert_true(fender_world_hash(world) == hash);
    /* a mass-only body rides along once it is attached, and leaves without a trace of a state */
    attach(world, 4, 2, FENDER_ATTACH_ALIGNED, (fender_pose){{1, 0, 0}, {1, 0, 0, 0}});
    check_near(scene_body_data(world, 2).mass, 4, 0);
    check_vector(scene_body_data(world, 4).position, fender_vec3_make(7, 0, 0), 1e-14);
    check_ok(fender_body_detach(world, fender_body_at(world, 4), no_body, FENDER_DETACH_TREE, NULL, &error));
    check_near(scene_body_data(world, 2).mass, 2, 0);
    fender_world_destroy(world);
}

/* A tree that is mass only is dropped from a spinning vehicle: both its bodies stay at their last poses, at rest, also
 * when their masses and poses change. What the vehicle loses is booked as external. */
static void mass_only_stays_where_it_was(void **state)
{
    (void)state;
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1e4, 0, 0, 1e-3, 0});
    s.body_count = 3;
    for (int i = 0; i < 3; i++) s.bodies[i] = scene_ball(i, 2, 0.5);
    s.bodies[0].state.velocity = fender_vec3_make(0.5, 0, -1);
    s.bodies[0].state.angular_velocity = fender_vec3_make(0.2, 0.3, 1);
    s.bodies[1].motion = s.bodies[2].motion = FENDER_MOTION_MASS_ONLY;
    s.bodies[1].body_axes = (fender_quaternion){0.8, 0.6, 0, 0};
    s.bodies[1].mass_properties.center_of_mass = fender_vec3_make(0.1, 0, 0.2);
    fender_world *world = scene_build(&s);
    attach(world, 2, 1, FENDER_ATTACH_POSED, (fender_pose){{0, 1, 0}, {0.6, 0, 0.8, 0}});
    attach(world, 1, 0, FENDER_ATTACH_POSED, (fender_pose){{2, 0, 0}, {1, 0, 0, 0}});
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance(world, 700, &error));
    const fender_body_data before[2] = {scene_body_data(world, 1), scene_body_data(world, 2)};
    const fender_body_data whole = scene_body_data(world, 0);
    const fender_ledger with = ledger_of(world);
    check_near(whole.mass, 6, 0);
    const fender_body_id dropped = fender_body_at(world, 1), its_child = fender_body_at(world, 2);
    check_ok(fender_body_detach(world, dropped, no_body, FENDER_DETACH_CONNECTION, NULL, &error));
    const fender_ledger without = ledger_of(world);
    check_near(without.applied - with.applied, without.kinetic - with.kinetic, 1e-14);
    check_below(0.1, with.kinetic - without.kinetic);
    check_below(1, fender_vec3_length(fender_vec3_sub(with.linear_momentum, without.linear_momentum)));
    check_below(without.linear_drift, 1e-14);
    check_below(fabs(without.angular_drift - with.angular_drift), 1e-14);
    for (int k = 0; k < 3; k++) {
        if (k == 1) {
            fender_mass_properties other = {3, {0.3, -0.2, 0.1}, fender_mat3_diagonal(1, 1, 1)};
            check_ok(fender_body_set_mass(world, dropped, &other, &error));
        }
        check_ok(fender_world_advance(world, 100, &error));
        const fender_vec3 none = {0, 0, 0};
        for (int i = 0; i < 2; i++) {
            const fender_body_data d = scene_body_data(world, 1 + i);
            check_vector(d.position, before[i].position, 1e-14);
            check_vector(d.velocity, none, 0);
            check_vector(d.angular_velocity, none, 0);
            const fender_quaternion *p = &d.attitude, *q = &before[i].attitude;
            check_near(fabs(p->w * q->w + p->x * q->x + p->y * q->y + p->z * q->z), 1, 1e-14);
        }
    }
    check_ok(fender_body_reattach(world, its_child, fender_pose_identity(), NULL, &error));
    for (int i = 0; i < 2; i++) check_vector(scene_body_data(world, 1 + i).position, before[0].position, 1e-14);
    fender_body_state read;
    const fender_body_frame frame = {.kind = FENDER_BODY_FRAME_STRUCTURE, .body = dropped};
    assert_int_equal(fender_body_frame_state(world, frame, &read, NULL), FENDER_STATUS_STATE);
    assert_int_equal(fender_body_get_state(world, dropped, FENDER_CLOCK_COMMITTED, &read), FENDER_STATUS_OK);
    check_vector(read.position, before[0].position, 1e-14);
    check_ok(fender_body_detach(world, its_child, no_body, FENDER_DETACH_CONNECTION, NULL, &error));
    for (int i = 0; i < 2; i++) check_vector(scene_body_data(world, 1 + i).position, before[0].position, 1e-14);
    fender_world_destroy(world);
}

/* Attaching and reattaching turn a body with a reaction wheel, its own or that of a body that it carries, by internal
 * forces: the momentum of the bodies and the wheel together stays, to rounding. */
static void wheels_keep_the_momentum(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        fender_world *world = row(3, 2, 1e4, 10);
        fender_load_def def = fender_load_def_default();
        def.name = "wheel";
        def.body = fender_body_at(world, k); /* of the child, or what it carries */
        def.kind = FENDER_LOAD_REACTION_WHEEL;
        def.wheel.axis = fender_vec3_make(0, 0.6, 0.8);
        def.wheel.momentum = 2;
        def.wheel.torque = 0.1;
        check_ok(fender_load_create(world, &def, NULL, &error));
        if (k) attach(world, 1, 0, FENDER_ATTACH_POSED, (fender_pose){{0, 0, 2}, {0.6, 0, 0.8, 0}});
        fender_body_state spinning = {{0, 0, 0}, {0.8, 0, 0, 0.6}, {0.1, 0, 0}, {0.3, 0.1, -0.2}};
        check_ok(fender_body_set_state(world, fender_body_at(world, 0), &spinning, &error));
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_advance(world, 200, &error));
        fender_quaternion turn = {cos(0.2), sin(0.2), 0, 0}; /* by 0.4 rad */
        for (int step = 0; step < 2; step++) {
            const fender_ledger before = ledger_of(world);
            const fender_body_data was = scene_body_data(world, k);
            const fender_vec3 axis = fender_quaternion_rotate(was.attitude, def.wheel.axis);
            if (step == 0) {
                const fender_body_data parent = scene_body_data(world, 2), child = scene_body_data(world, 0);
                fender_quaternion q = fender_quaternion_product(fender_quaternion_conjugate(parent.attitude),
                                                                child.attitude);
                attach(world, 0, 2, FENDER_ATTACH_ALIGNED,
                       (fender_pose){{1.5, 0.5, 0}, fender_quaternion_product(q, turn)});
            } else {
                fender_pose X = fender_body_pose_in_parent(world, fender_body_at(world, 0));
                X.q = fender_quaternion_product(X.q, turn);
                check_ok(fender_body_reattach(world, fender_body_at(world, 0), X, NULL, &error));
            }
            const fender_vec3 now = fender_quaternion_rotate(scene_body_data(world, k).attitude, def.wheel.axis);
            check_below(0.1, fender_vec3_length(fender_vec3_sub(now, axis)));
            const fender_ledger after = ledger_of(world);
            check_vector(after.angular_momentum, before.angular_momentum, 1e-14);
            check_vector(after.linear_momentum, before.linear_momentum, 1e-14);
            check_near(after.residual, before.residual, 1e-13);
            check_ok(fender_world_advance(world, 100, &error));
            check_below(ledger_of(world).angular_drift, 1e-12);
        }
        fender_world_destroy(world);
    }
}

/* A load at the centre of an attached body acts at the centre of mass of that body with what it carries: 3 m from the
 * root's body where two bodies of 2 kg are at 2 m and 4 m, and 1 m from the centre of all three. */
static void load_at_the_centre_of_a_subtree(void **state)
{
    (void)state;
    fender_world *world = row(3, 2, 1e4, 10);
    attach(world, 2, 1, FENDER_ATTACH_AS_IS, fender_pose_identity());
    attach(world, 1, 0, FENDER_ATTACH_AS_IS, fender_pose_identity());
    fender_load_def def = fender_load_def_default();
    def.name = "push";
    def.body = fender_body_at(world, 1);
    def.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {0, 0, 6}};
    check_ok(fender_load_create(world, &def, NULL, &error));
    check_ok(fender_world_initialize(world, &error));
    double y[FENDER_STATE_PER_BODY], rates[FENDER_STATE_PER_BODY];
    assert_int_equal(fender_world_state_count(world), FENDER_STATE_PER_BODY);
    fender_world_get_state(world, y);
    check_ok(fender_world_set_state(world, 0, y, &error));
    check_ok(fender_world_derivative(world, rates, &error));
    check_vector(fender_vec3_make(rates[7], rates[8], rates[9]), fender_vec3_make(0, 0, 1), 1e-15);
    check_vector(fender_vec3_make(rates[10], rates[11], rates[12]), fender_vec3_make(0, -6, 0), 1e-14);
    fender_world_destroy(world);
}

/* What a listener heard: roots, and the mass of each as it read it in the call. */
typedef struct heard {
    int count;
    uint32_t roots[8];
    double masses[8];
} heard;

static void hear(void *ctx, fender_world *world, fender_body_id root)
{
    heard *h = ctx;
    fender_mass_properties whole;
    assert_true(h->count < 8);
    assert_int_equal(fender_body_get_mass(world, root, FENDER_MASS_COMPOSITE, &whole), FENDER_STATUS_OK);
    h->roots[h->count] = root.index1;
    h->masses[h->count++] = whole.mass;
}

static void listener_hears_of_every_change(void **state)
{
    (void)state;
    fender_world *world = row(3, 2, 1e4, 10);
    heard h = {0};
    fender_world_set_mass_listener(world, hear, &h);
    const fender_pose there = {{0, 0, 1}, {1, 0, 0, 0}}, elsewhere = {{0, 0, 2}, {1, 0, 0, 0}};
    const fender_body_id second = fender_body_at(world, 1);
    (void)attach(world, 1, 0, FENDER_ATTACH_POSED, there);
    check_ok(fender_body_reattach(world, second, elsewhere, NULL, &error));
    fender_mass_properties core;
    assert_int_equal(fender_body_get_mass(world, second, FENDER_MASS_CORE, &core), FENDER_STATUS_OK);
    core.mass = 3;
    check_ok(fender_body_set_mass(world, second, &core, &error));
    core.mass = -1; /* refused: nothing changes */
    assert_int_not_equal(fender_body_set_mass(world, second, &core, NULL), FENDER_STATUS_OK);
    check_ok(fender_body_detach(world, second, no_body, FENDER_DETACH_TREE, NULL, &error));
    const double masses[] = {4, 4, 5, 2, 3};
    const uint32_t roots[] = {1, 1, 1, 1, 2};
    assert_int_equal(h.count, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(h.roots[i], roots[i]);
        check_near(h.masses[i], masses[i], 0);
    }
    fender_world_set_mass_listener(world, NULL, NULL);
    (void)attach(world, 2, 0, FENDER_ATTACH_POSED, there);
    assert_int_equal(h.count, 5);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listener_hears_of_every_change),
        cmocka_unit_test(contact_on_a_child),
        cmocka_unit_test(attachment_under_load),
        cmocka_unit_test(aligned),
        cmocka_unit_test(rocket),
        cmocka_unit_test(places),
        cmocka_unit_test(refusals),
        cmocka_unit_test(mass_only_stays_where_it_was),
        cmocka_unit_test(wheels_keep_the_momentum),
        cmocka_unit_test(load_at_the_centre_of_a_subtree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
