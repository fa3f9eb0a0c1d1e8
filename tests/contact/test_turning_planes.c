/* Contacts whose border is watched in unusual ways: planes that turn, types whose touches end no step, contacts that
 * are switched off, and steps of a host that take no time. */
#include "check.h"
#include <fender/fender.h>
#include <string.h>

typedef struct scene {
    fender_world *world;
    fender_body_id plane, ball, other;
} scene;

/* A plane through the origin that turns, and two balls of 0.5 m. */
static scene build(bool locate, fender_vec3 turning, fender_vec3 place, double gravity, bool unlocated)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 1e-2;
    def.locate_events = locate;
    if (gravity != 0) def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -gravity}, 0, {0, 0, 0}};
    scene s = {.world = fender_world_create(&env, &def, NULL)};
    const fender_law *law = fender_law_find(NULL, "spring_damper");
    double numbers[32];
    check_ok(fender_law_parameters_default(law, numbers, sizeof numbers, &error));
    check_ok(fender_law_parameters_set(law, numbers, sizeof numbers, "stiffness", 1e3, &error));
    fender_contact_type_def type = fender_contact_type_def_default();
    fender_rule_def rule = fender_rule_def_default();
    type.name = "type";
    type.law = law;
    type.law_parameters = numbers;
    check_ok(fender_contact_type_create(s.world, &type, &rule.use, &error));
    check_ok(fender_rule_create(s.world, &rule, NULL, &error));
    fender_geometry *plane = fender_geometry_plane(&env, NULL), *ball = fender_geometry_sphere(&env, 0.5, NULL);
    fender_body_id *ids[] = {&s.plane, &s.ball, &s.other};
    static const char *const names[] = {"plane", "ball", "other"};
    for (int i = 0; i < 3; i++) {
        fender_body_def body = fender_body_def_default();
        fender_shape_def shape = fender_shape_def_default();
        body.name = names[i];
        body.motion = i > 0 ? FENDER_MOTION_DYNAMIC : FENDER_MOTION_PRESCRIBED;
        body.mass_properties = (fender_mass_properties){1, {0, 0, 0}, fender_mat3_diagonal(0.1, 0.1, 0.1)};
        if (i == 0) body.state.angular_velocity = turning;
        if (i > 0) body.state.position = place;
        if (i == 2) body.state.position.x += 5;
        if (i == 2 && unlocated) body.state.position.z += 0.02;
        check_ok(fender_body_create(s.world, &body, ids[i], &error));
        shape.name = "hull";
        shape.geometry = i == 0 ? plane : ball;
        check_ok(fender_shape_create(s.world, *ids[i], &shape, NULL, &error));
    }
    fender_geometry_release(plane);
    fender_geometry_release(ball);
    if (unlocated) { /* of the other ball alone */
        fender_rule_def own = fender_rule_def_default();
        type.name = "unlocated";
        type.unlocated = true;
        check_ok(fender_contact_type_create(s.world, &type, &own.use, &error));
        own.kind = FENDER_RULE_BODIES;
        own.body_a = s.plane;
        own.body_b = s.other;
        check_ok(fender_rule_create(s.world, &own, NULL, &error));
    }
    check_ok(fender_world_initialize(s.world, &error));
    return s;
}

/* The time of the first event of a kind that is about the body's shape, NAN: there was none by `until`. */
static double first_event(const scene *s, fender_event_kind kind, fender_body_id body, double until)
{
    fender_shape_id shape = {0};
    check_ok(fender_shape_find(s->world, body, "hull", &shape));
    while (fender_world_time(s->world) < until) {
        check_ok(fender_world_step(s->world, &error));
        int count;
        const fender_event *events = fender_world_events(s->world, &count);
        for (int i = 0; i < count; i++)
            if (events[i].kind == kind && events[i].contact.b.index1 == shape.index1) return events[i].time;
    }
    return NAN;
}

/* The plane has turned by w t about an axis through its origin: n(t) . p = 0.5 m. */
static double gap_at(fender_vec3 w, fender_vec3 p, double t)
{
    const double speed = fender_vec3_length(w), half = 0.5 * speed * t, k = sin(half) / speed;
    const fender_quaternion q = {cos(half), k * w.x, k * w.y, k * w.z};
    return fender_vec3_dot(fender_quaternion_rotate(q, fender_vec3_make(0, 0, 1)), p) - 0.5;
}

static void turning_planes(void **state)
{
    (void)state;
    static const fender_vec3 w[] = {{0.5, 0, 0}, {0, -0.5, 0}, {0.3, -0.4, 0.2}};
    const fender_vec3 p = {1, 1, 2};
    for (int i = 0; i < 3; i++) {
        double low = 0, high = 2.5;
        assert_true(gap_at(w[i], p, low) > 0 && gap_at(w[i], p, high) < 0);
        for (int k = 0; k < 60; k++) *(gap_at(w[i], p, 0.5 * (low + high)) > 0 ? &low : &high) = 0.5 * (low + high);
        scene s = build(true, w[i], p, 0, false);
        check_near(first_event(&s, FENDER_EVENT_BEGIN, s.ball, 2.5), low, 1e-11);
        fender_world_destroy(s.world);
    }
    /* about its normal it goes nowhere */
    scene s = build(true, fender_vec3_make(0, 0, 3), p, 0, false);
    assert_true(isnan(first_event(&s, FENDER_EVENT_BEGIN, s.ball, 2.5)));
    fender_body_data data;
    check_ok(fender_body_get(s.world, s.ball, FENDER_CLOCK_COMMITTED, &data));
    assert_true(data.position.z == 2 && data.velocity.z == 0);
    fender_world_destroy(s.world);
}

/* Two balls fall side by side, from 0.1 and 0.12 m: one touch is located, the other is seen by the step in which it
 * falls. */
static void touches_that_end_no_step(void **state)
{
    (void)state;
    const double falls = sqrt(2 * 0.1 / 9.8), other_falls = sqrt(2 * 0.12 / 9.8); /* 0.143 s, 0.156 s */
    for (int i = 0; i < 2; i++) {
        scene s = build(true, fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0.6), 9.8, true);
        const double seen = first_event(&s, FENDER_EVENT_BEGIN, i == 0 ? s.ball : s.other, 1);
        if (i == 0) check_near(seen, falls, 1e-12);
        else assert_true(fabs(seen - other_falls) < 0.011 && fabs(seen - other_falls) > 1e-6);
        /* the springs lose nothing but what a step makes of a touch that is not located */
        check_ok(fender_world_advance_to(s.world, 0.4, &error));
        assert_int_equal(fender_world_event_count(s.world, FENDER_EVENT_END), 2);
        fender_ledger ledger;
        fender_world_ledger(s.world, &ledger);
        assert_true(ledger.stored == 0 && ledger.damping == 0);
        check_below(fabs(ledger.residual), 5e-2 * ledger.scale);
        fender_world_destroy(s.world);
    }
}

static void contacts_switched_off(void **state)
{
    (void)state;
    scene s = build(true, fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0.6), 9.8, false);
    fender_world_set_contacts_active(s.world, false);
    check_ok(fender_world_advance(s.world, 50, &error)); /* half a second: through the plane */
    assert_int_equal(fender_world_event_count(s.world, FENDER_EVENT_BEGIN), 0);
    fender_body_data data;
    check_ok(fender_body_get(s.world, s.ball, FENDER_CLOCK_COMMITTED, &data));
    check_near(data.position.z, 0.6 - 0.5 * 9.8 * 0.25, 1e-12);
    fender_world_destroy(s.world);
}

/* A host that commits the present state again changes nothing of a contact. */
static void steps_of_no_length(void **state)
{
    (void)state;
    scene s = build(false, fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0.6), 9.8, false);
    assert_true(first_event(&s, FENDER_EVENT_BEGIN, s.ball, 1) < 1);
    check_ok(fender_world_advance(s.world, 2, &error));
    double y[3 * FENDER_STATE_PER_BODY];
    assert_int_equal(fender_world_state_count(s.world), 2 * FENDER_STATE_PER_BODY);
    fender_contact_data before, after;
    check_ok(fender_contact_at(s.world, FENDER_CLOCK_COMMITTED, 0, &before));
    assert_true(before.normal_force > 0);
    for (int i = 0; i < 2; i++) {
        fender_world_get_state(s.world, y);
        check_ok(fender_world_set_state(s.world, fender_world_time(s.world), y, &error));
        check_ok(fender_world_commit(s.world, &error));
    }
    check_ok(fender_contact_at(s.world, FENDER_CLOCK_COMMITTED, 0, &after));
    const fender_field_table *fields = fender_contact_fields();
    for (int i = 0; i < fields->count; i++) {
        const fender_field *field = fender_field_at(fields, i);
        if (strstr(field->name, "error")) continue; /* what is known of a touch is that of a host's steps now */
        for (int k = 0; k < fender_field_component_count(field); k++)
            check_near(fender_field_get(field, &after, k), fender_field_get(field, &before, k), 1e-12);
    }
    fender_world_destroy(s.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(turning_planes), cmocka_unit_test(touches_that_end_no_step),
                                       cmocka_unit_test(contacts_switched_off), cmocka_unit_test(steps_of_no_length)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
