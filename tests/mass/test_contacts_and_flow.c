/* Contact on an attached child, contacts that attachment ends and detachment begins, and mass that flows away. */
/* items: B001 B067 */
#include "check.h"
#include "scene.h"
#include <fender/fender.h>
#include <stdlib.h>
#include <string.h>

/* Spheres of radius 1: 1 at the origin, 2 at x = 5, 3 just into 2 from above. */
static fender_world *three_balls(double gap)
{
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1000, 0, 0, 1e-3, 0});
    s.world.step = 1e-3;
    s.body_count = 3;
    for (int i = 0; i < 3; i++) s.bodies[i] = scene_ball(i + 1, 10, 1);
    s.bodies[1].state.position = fender_vec3_make(5, 0, 0);
    s.bodies[2].state.position = fender_vec3_make(5, 0, gap);
    return scene_build(&s);
}

static fender_body_data data_of(const fender_world *world, int index)
{
    fender_body_data d;
    assert_int_equal(fender_body_get(world, fender_body_at(world, index), FENDER_CLOCK_COMMITTED, &d), 0);
    return d;
}

static void attach(fender_world *world, int child, int parent, fender_attach_report *report)
{
    fender_attach_def def = fender_attach_def_default();
    def.child = fender_body_at(world, child);
    def.parent = fender_body_at(world, parent);
    def.pose = FENDER_ATTACH_AS_IS;
    check_ok(fender_body_attach(world, &def, report, &error));
}

/* Depth 0.1 makes 100 N down on ball 2; the root is 2.5 m aside of the force. */
static void test_force_on_an_attached_child(void **state)
{
    (void)state;
    fender_world *world = three_balls(1.9);
    attach(world, 1, 0, NULL);
    check_ok(fender_world_initialize(world, &error));
    fender_body_data root = data_of(world, 0), child = data_of(world, 1), free_ball = data_of(world, 2);
    check_near(root.mass, 20, 1e-12);
    check_vector(root.center_of_mass, fender_vec3_make(2.5, 0, 0), 1e-12);
    check_vector(root.contact_force, fender_vec3_make(0, 0, -100), 1e-9);
    check_vector(root.contact_torque, fender_vec3_make(0, 250, 0), 1e-9);
    check_vector(child.contact_force, fender_vec3_make(0, 0, -100), 1e-9);
    check_vector(child.contact_torque, fender_vec3_make(0, 0, 0), 1e-9);
    check_vector(free_ball.contact_force, fender_vec3_make(0, 0, 100), 1e-9);
    check_vector(root.acceleration, fender_vec3_make(0, 0, -5), 1e-9);
    check_ok(fender_world_advance(world, 500, &error));
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    check_below(fabs(ledger.residual), 1e-5 * ledger.scale); /* release falls within a step */
    check_below(ledger.linear_drift, 1e-11);
    check_below(ledger.angular_drift, 1e-10);
    fender_world_destroy(world);
}

static int events_of(const fender_world *world, fender_event_kind kind)
{
    int count, found = 0;
    const fender_event *events = fender_world_events(world, &count);
    for (int i = 0; i < count; i++) found += events[i].kind == kind;
    return found;
}

static void test_attachment_ends_a_loaded_contact(void **state)
{
    (void)state;
    fender_world *world = three_balls(1.9);
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance(world, 10, &error));
    fender_ledger before, after;
    fender_world_ledger(world, &before);
    check_below(4, before.stored); /* 1/2 k d^2 = 5 J at the start */
    fender_attach_report report;
    attach(world, 2, 1, &report);
    assert_int_equal(events_of(world, FENDER_EVENT_END), 1);
    assert_int_equal(events_of(world, FENDER_EVENT_ATTACH), 1);
    check_near(report.contact_energy_lost, before.stored, 1e-12);
    fender_world_ledger(world, &after);
    check_near(after.stored, 0, 1e-15);
    check_near(after.attachment, report.kinetic_energy_lost + report.contact_energy_lost, 1e-12);
    check_ok(fender_world_advance(world, 100, &error));
    fender_world_ledger(world, &after);
    check_below(fabs(after.residual), 1e-7 * after.scale);
    check_below(after.linear_drift, 1e-12);
    check_vector(data_of(world, 1).contact_force, fender_vec3_make(0, 0, 0), 0);
    /* and apart again: the spheres still overlap and push */
    check_ok(fender_body_detach(world, fender_body_at(world, 2), (fender_body_id){0}, FENDER_DETACH_CONNECTION, NULL,
                                &error));
    check_ok(fender_world_advance(world, 1, &error));
    check_below(50, data_of(world, 2).contact_force.z);
    check_ok(fender_world_advance(world, 500, &error));
    fender_world_ledger(world, &after);
    printf("residual after detach %.3g of %.3g J\n", after.residual, after.scale);
    check_below(fabs(after.residual), 1e-5 * after.scale); /* release falls within a step */
    check_below(after.linear_drift, 1e-11);
    fender_world_destroy(world);
}

/* A constant force on a mass from which so much flows away. `busy`: beside it a ball bounces between two others, so
 * that located events and tolerances cut steps short. */
static fender_world *rocket(double step, fender_integrator_method method, bool busy, double flows)
{
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1000, 0, 0, 1e-3, 0});
    s.world.step = step;
    s.world.method = method;
    s.world.locate_events = busy;
    s.body_count = busy ? 4 : 1;
    s.bodies[0] = scene_ball(1, 10, 1);
    for (int i = 1; i < s.body_count; i++) {
        s.bodies[i] = scene_ball(i + 1, i == 2 ? 1 : 1e3, 1);
        s.bodies[i].state.position = fender_vec3_make(2.1 * i, 50, 0);
    }
    if (busy) s.bodies[2].state.velocity.x = 3;
    s.bodies[0].state.angular_velocity = fender_vec3_make(0.3, 0, 0);
    fender_world *world = scene_build(&s);
    fender_body_id body = fender_body_at(world, 0);
    fender_load_def thrust = fender_load_def_default();
    thrust.name = "thrust";
    thrust.body = body;
    thrust.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {20, 0, 0}};
    check_ok(fender_load_create(world, &thrust, NULL, &error));
    check_ok(fender_world_initialize(world, &error));
    fender_mass_flow flow = {-flows, {0, 0, 0}, fender_mat3_diagonal(-flows / 4, -flows / 4, -flows / 4), 2};
    if (flows > 0) check_ok(fender_body_set_mass_flow(world, body, &flow, &error));
    const int parts = flows > 0 ? 1 : 100; /* adaptive steps with flow are no longer than the step of the world */
    for (int i = 1; i <= parts; i++) check_ok(fender_world_advance_to(world, 2.0 * i / parts, &error));
    return world;
}

/* v = F / |m'| ln(m0 / m). Error at the given step. */
static double rocket_error(double step, fender_integrator_method method, bool busy)
{
    fender_world *world = rocket(step, method, busy, 2);
    fender_body_data d = data_of(world, 0);
    check_near(d.mass, 6, 1e-9);
    check_vector(d.angular_velocity, fender_vec3_make(0.3, 0, 0), 1e-12); /* no spin-up */
    double error_of_speed = fabs(d.center_velocity.x - 10 * log(10.0 / 6));
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    printf("%s, step %g%s: speed off by %.3g, residual %.3g of %.3g J, drift %.3g\n", fender_integrator_name(method),
           step, busy ? ", busy" : "", error_of_speed, ledger.residual, ledger.scale, ledger.linear_drift);
    check_below(ledger.linear_drift, busy ? 1e-10 : 1e-12);
    if (!busy) check_below(fabs(ledger.residual), 1e-11);
    if (busy) assert_true(fender_world_event_count(world, FENDER_EVENT_BEGIN) > 8);
    fender_world_destroy(world);
    return error_of_speed;
}

static void test_flow_is_of_second_order(void **state)
{
    (void)state;
    const fender_integrator_method method = FENDER_INTEGRATOR_RK4;
    double coarse = rocket_error(0.1, method, false), middle = rocket_error(0.05, method, false),
           fine = rocket_error(0.025, method, false);
    printf("ratios %.3f %.3f\n", coarse / middle, middle / fine);
    check_near(coarse / middle, 4, 0.2);
    check_near(middle / fine, 4, 0.2);
}

/* Each step has the masses at its own middle, however short it comes out: events of other bodies do not matter. */
static void test_flow_in_steps_cut_short(void **state)
{
    (void)state;
    const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_DOPRI5,
                                                FENDER_INTEGRATOR_DOP853};
    for (int i = 0; i < 3; i++) {
        const double quiet = rocket_error(0.02, methods[i], false);
        check_below(rocket_error(0.02, methods[i], true), 1.05 * quiet);
    }
}

/* Where tolerances cut steps, they are not tried twice: the next one is as long from the start. */
static void test_flow_leaves_the_steps(void **state)
{
    (void)state;
    const fender_integrator_method methods[] = {FENDER_INTEGRATOR_DOPRI5, FENDER_INTEGRATOR_DOP853};
    for (int i = 0; i < 2; i++) {
        double calls[2];
        for (int flows = 0; flows < 2; flows++) {
            fender_world *world = rocket(0.02, methods[i], true, 2e-3 * flows);
            calls[flows] = (double)fender_world_evaluation_count(world);
            fender_world_destroy(world);
        }
        printf("%s: %g evaluations, %g with flow\n", fender_integrator_name(methods[i]), calls[0], calls[1]);
        check_below(calls[1], 1.4 * calls[0]);
    }
}

/* Thrust drives a ball that loses mass from one neighbour to the other. A touch is located with the masses at the
 * middle of a longer step, and the step that ends there is tried again with its own: it has to end at the touch all the
 * same, which now is a little later, and not beside it. */
static void test_flow_and_touches(void **state)
{
    (void)state;
    fender_world *world = rocket(0.02, FENDER_INTEGRATOR_RK4, true, 2);
    const fender_body_id ball = fender_body_at(world, 2);
    fender_load_def thrust = fender_load_def_default();
    thrust.name = "drive";
    thrust.body = ball;
    thrust.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {8, 0, 0}};
    check_ok(fender_load_create(world, &thrust, NULL, &error));
    check_ok(fender_world_initialize(world, &error));
    const fender_mass_flow flow = {-0.1, {0, 0, 0}, fender_mat3_diagonal(-0.01, -0.01, -0.01), 0.2};
    check_ok(fender_body_set_mass_flow(world, ball, &flow, &error));
    int events = 0, beside = 0;
    while (fender_world_time(world) < 8) {
        fender_proposal step;
        check_ok(fender_world_propose(world, INFINITY, &step, &error));
        check_ok(fender_world_accept(world, &error));
        events += step.at_event;
        beside += !step.at_event && !step.ends_step;
    }
    printf("%d events, %d steps that end beside one\n", events, beside);
    assert_true(events > 10);
    assert_int_equal(beside, 0);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_force_on_an_attached_child), cmocka_unit_test(test_attachment_ends_a_loaded_contact),
        cmocka_unit_test(test_flow_is_of_second_order),    cmocka_unit_test(test_flow_in_steps_cut_short),
        cmocka_unit_test(test_flow_leaves_the_steps),      cmocka_unit_test(test_flow_and_touches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
