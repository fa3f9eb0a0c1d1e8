/* What is shown of bodies and contacts is the same to the bit whether the frames of the last evaluation are still known
 * or made anew, and fender_body_get_state shows what fender_body_get does. */
#include "check.h"
#include "scene.h"
#include <string.h>

static const unsigned every_law = 1u << SCENE_JEOD_SPRING | 1u << SCENE_SPRING_DAMPER | 1u << SCENE_NORMAL_AND_COULOMB;

/* All numbers that a table describes. */
static void check_same(const fender_field_table *table, const void *one, const void *other)
{
    for (int i = 0; i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        const int components = fender_field_component_count(field);
        for (int k = 0; k < components; k++) {
            const double a = fender_field_get(field, one, k), b = fender_field_get(field, other, k);
            if (memcmp(&a, &b, sizeof a) != 0) fail_msg("%s[%d]: %.17g, %.17g", field->name, k, a, b);
        }
    }
}

static void check_state(const fender_world *world, fender_body_id body, fender_clock clock)
{
    fender_body_data all;
    fender_body_state state;
    check_ok(fender_body_get(world, body, clock, &all));
    check_ok(fender_body_get_state(world, body, clock, &state));
    assert_memory_equal(&state.position, &all.position, sizeof all.position);
    assert_memory_equal(&state.attitude, &all.attitude, sizeof all.attitude);
    assert_memory_equal(&state.velocity, &all.velocity, sizeof all.velocity);
    assert_memory_equal(&state.angular_velocity, &all.angular_velocity, sizeof all.angular_velocity);
}

static void check_shown(const fender_world *known, const fender_world *anew)
{
    const int contacts = fender_contact_count(known, FENDER_CLOCK_COMMITTED);
    for (int i = 0; i < fender_body_count(known); i++) {
        fender_body_data a, b;
        check_ok(fender_body_get(known, fender_body_at(known, i), FENDER_CLOCK_COMMITTED, &a));
        check_ok(fender_body_get(anew, fender_body_at(anew, i), FENDER_CLOCK_COMMITTED, &b));
        check_same(fender_body_fields(), &a, &b);
        check_state(known, fender_body_at(known, i), FENDER_CLOCK_COMMITTED);
        check_state(anew, fender_body_at(anew, i), FENDER_CLOCK_COMMITTED);
    }
    assert_int_equal(fender_contact_count(anew, FENDER_CLOCK_COMMITTED), contacts);
    for (int i = 0; i < contacts; i++) {
        fender_contact_data a, b;
        check_ok(fender_contact_at(known, FENDER_CLOCK_COMMITTED, i, &a));
        check_ok(fender_contact_at(anew, FENDER_CLOCK_COMMITTED, i, &b));
        check_same(fender_contact_fields(), &a, &b);
    }
    for (int i = 0; i < fender_shape_count(known); i++)
        for (int k = 0; k < i; k++) {
            fender_contact_data a, b;
            const fender_status status = fender_contact_between(known, fender_shape_at(known, i),
                                                                fender_shape_at(known, k), &a);
            assert_int_equal(fender_contact_between(anew, fender_shape_at(anew, i), fender_shape_at(anew, k), &b),
                             status);
            if (status == FENDER_STATUS_OK) check_same(fender_contact_fields(), &a, &b);
        }
}

/* After each step, one of two worlds is set back to where it is: it knows no frames then. */
static void the_same_with_and_without_frames(void **state)
{
    (void)state;
    int64_t touches = 0;
    for (uint64_t n = 0; n < 24; n++) {
        random_stream r = random_of_case(1911, n);
        scene s = scene_random(&r, 2, 5, every_law);
        if (n % 3) s.world.method = n % 3 == 1 ? FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER : FENDER_INTEGRATOR_DOP853;
        s.world.step = 0.02;
        fender_world *known = scene_build(&s), *anew = scene_build(&s);
        fender_world *worlds[] = {known, anew};
        for (int w = 0; w < 2 && n % 2; w++) {
            fender_attach_def def = fender_attach_def_default();
            def.child = fender_body_at(worlds[w], 1);
            def.parent = fender_body_at(worlds[w], 0);
            def.pose = FENDER_ATTACH_AS_IS;
            check_ok(fender_body_attach(worlds[w], &def, NULL, &error));
        }
        for (int i = 0; i < 40; i++) {
            check_ok(fender_world_step(known, &error));
            check_ok(fender_world_step(anew, &error));
            fender_snapshot *snapshot = fender_snapshot_take(anew, NULL);
            assert_non_null(snapshot);
            check_ok(fender_snapshot_restore(anew, snapshot, &error));
            fender_snapshot_destroy(snapshot);
            check_shown(known, anew);
        }
        touches += fender_world_event_count(known, FENDER_EVENT_BEGIN);
        fender_world_destroy(known);
        fender_world_destroy(anew);
    }
    assert_true(touches > 24);
}

/* Set states are shown at once, at both clocks. */
static void set_states(void **state)
{
    (void)state;
    random_stream r = random_of_case(1912, 0);
    scene s = scene_random(&r, 3, 3, every_law);
    fender_world *world = scene_build(&s);
    check_ok(fender_world_advance(world, 3, &error));
    const fender_body_state set = {{1, 2, 3}, {0.6, 0, 0.8, 0}, {4, 5, 6}, {0.1, 0.2, 0.3}};
    fender_body_state shown;
    check_ok(fender_body_set_state(world, fender_body_at(world, 1), &set, &error));
    check_ok(fender_body_get_state(world, fender_body_at(world, 1), FENDER_CLOCK_COMMITTED, &shown));
    check_vector(shown.position, set.position, 1e-14);
    check_vector(shown.velocity, set.velocity, 1e-14);
    check_vector(shown.angular_velocity, set.angular_velocity, 1e-14);
    fender_proposal proposal; /* what is looked at on the way to it is not shown */
    check_ok(fender_world_propose(world, INFINITY, &proposal, &error));
    check_ok(fender_body_get_state(world, fender_body_at(world, 1), FENDER_CLOCK_COMMITTED, &shown));
    check_vector(shown.position, set.position, 1e-14);
    double y[SCENE_BODIES * FENDER_STATE_PER_BODY];
    fender_world_get_state(world, y);
    for (int c = 0; c < fender_world_state_count(world); c++) y[c] += 0.01 * c;
    check_ok(fender_world_set_state(world, 1, y, &error));
    check_ok(fender_world_evaluate(world, &error));
    for (int i = 0; i < 3; i++) {
        check_state(world, fender_body_at(world, i), FENDER_CLOCK_EVALUATED);
        check_state(world, fender_body_at(world, i), FENDER_CLOCK_COMMITTED);
    }
    check_ok(fender_body_get_state(world, fender_body_at(world, 1), FENDER_CLOCK_COMMITTED, &shown));
    check_vector(shown.position, set.position, 1e-14); /* the committed clock has not moved */
    fender_world_destroy(world);
}

/* A body that is created in flight has no frame until the world is initialized again. */
static void new_bodies(void **state)
{
    (void)state;
    random_stream r = random_of_case(1914, 0);
    scene s = scene_random(&r, 2, 2, every_law);
    fender_world *world = scene_build(&s);
    check_ok(fender_world_advance(world, 3, &error));
    fender_body_def def = fender_body_def_default();
    fender_body_id id;
    fender_body_state shown;
    def.name = "late";
    def.mass_properties = (fender_mass_properties){2, {0, 0, 0}, fender_mat3_diagonal(1, 1, 1)};
    def.state.position = fender_vec3_make(7, 8, 9);
    check_ok(fender_body_create(world, &def, &id, &error));
    check_ok(fender_body_get_state(world, id, FENDER_CLOCK_COMMITTED, &shown));
    check_vector(shown.position, def.state.position, 0);
    for (int i = 0; i < 3; i++) check_state(world, fender_body_at(world, i), FENDER_CLOCK_COMMITTED);
    fender_world_destroy(world);
}

static void refusals(void **state)
{
    (void)state;
    random_stream r = random_of_case(1913, 0);
    scene s = scene_random(&r, 2, 2, every_law);
    fender_world *world = scene_build(&s);
    const fender_body_id body = fender_body_at(world, 0);
    fender_body_state shown;
    assert_int_equal(fender_body_get_state(NULL, body, FENDER_CLOCK_COMMITTED, &shown), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_body_get_state(world, body, FENDER_CLOCK_COMMITTED, NULL), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_body_get_state(world, body, (fender_clock)7, &shown), FENDER_STATUS_ARGUMENT);
    check_ok(fender_body_destroy(world, body, &error));
    assert_int_equal(fender_body_get_state(world, body, FENDER_CLOCK_COMMITTED, &shown), FENDER_STATUS_STALE_ID);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_with_and_without_frames), cmocka_unit_test(set_states),
                                       cmocka_unit_test(new_bodies), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
