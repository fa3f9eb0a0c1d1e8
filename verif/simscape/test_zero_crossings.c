/* S074: start and end of a contact are found as events, if the contact type wants it. */
/* items: S074 */
#include "check.h"

/* A sphere flies against a fixed one and bounces: touch at a time that is no multiple of the step. */
static fender_world *build(bool locate, bool unlocated)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    def.locate_events = locate;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    const fender_law *law = fender_law_find(NULL, "smooth_spring_damper");
    union {
        double align;
        char bytes[64];
    } p;
    (void)fender_field_initialize(&law->parameters, p.bytes, sizeof p.bytes, NULL);
    fender_field_set(fender_field_find(&law->parameters, "stiffness"), p.bytes, 0, 1e4);
    fender_field_set(fender_field_find(&law->parameters, "transition_width"), p.bytes, 0, 1e-5);
    fender_contact_type_def type = {.size = sizeof(fender_contact_type_def),
                                    .name = "type",
                                    .law = law,
                                    .law_parameters = p.bytes,
                                    .unlocated = unlocated};
    fender_contact_type_id type_id;
    fender_rule_id rule;
    check_ok(fender_contact_type_create(world, &type, &type_id, &error));
    check_ok(fender_rule_create(
        world, &(fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = type_id}, &rule,
        &error));
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        fender_body_id id;
        body.name = i ? "ball" : "ground";
        body.motion = i ? FENDER_MOTION_DYNAMIC : FENDER_MOTION_FIXED;
        body.mass_properties.mass = 1;
        body.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
        body.state.position.z = i ? 2.05 : 0;
        body.state.velocity.z = i ? -3 : 0;
        check_ok(fender_body_create(world, &body, &id, &error));
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "shape";
        shape.geometry = fender_geometry_sphere(&env, 1, NULL);
        check_ok(fender_shape_create(world, id, &shape, NULL, &error));
        fender_geometry_release(shape.geometry);
    }
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* Times of begin and end; how many steps ended off the grid. */
static int run(fender_world *world, double *touch, double *release)
{
    int off_grid = 0;
    *touch = *release = NAN;
    for (int i = 0; i < 200 && isnan(*release); i++) {
        fender_proposal proposal;
        check_ok(fender_world_propose(world, INFINITY, &proposal, &error));
        off_grid += proposal.at_event;
        check_ok(fender_world_accept(world, &error));
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int k = 0; k < count; k++) {
            if (events[k].kind == FENDER_EVENT_BEGIN) *touch = events[k].time;
            if (events[k].kind == FENDER_EVENT_END) *release = events[k].time;
        }
    }
    return off_grid;
}

static void per_contact_type(void **state)
{
    (void)state;
    double touch, release, start = 0.05 / 3, half_period = 3.14159265358979323846 / 100;
    fender_world *world = build(true, false);
    int located = run(world, &touch, &release);
    check_near(touch, start, 1e-13);                /* events are found to 1e-14 s */
    check_near(release, start + half_period, 1e-6); /* of a transition that is passed in 3 us */
    assert_true(located >= 4);                      /* touch, end of the transition both ways, release */
    fender_world_destroy(world);
    world = build(true, true);
    assert_int_equal(run(world, &touch, &release), 0);
    assert_true(fabs(touch - start) > 1e-5 && fabs(touch - start) <= 1e-3);
    assert_true(fabs(release - start - half_period) <= 2e-3);
    fender_world_destroy(world);
    world = build(false, false);
    assert_int_equal(run(world, &touch, &release), 0);
    assert_true(fabs(touch - start) <= 1e-3);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(per_contact_type)};
    return cmocka_run_group_tests_name("zero_crossings", tests, NULL, NULL);
}
