/* The candidates of a world that moves hold every pair that touches, whatever has changed since they were found. */
/* items: C005 C015 C018 */
#include "check.h"
#include "random_numbers.h"
#include "world/world.h"
#include <stdio.h>

enum { BODIES = 60 };

static fender_geometry *random_geometry(random_stream *r)
{
    fender_env env = fender_env_default();
    fender_error error;
    double size = random_below(r, 12) == 0 ? 2 : random_between(r, 0.01, 0.3);
    fender_geometry *geometry = random_below(r, 3) == 0 ? fender_geometry_sphere(&env, size, &error)
                                                        : fender_geometry_capsule(&env, 0.3 * size, size, &error);
    assert_non_null(geometry);
    return geometry;
}

/* Soft bodies in a swarm, each with one or two shapes beside its centre, some of them fixed. */
static fender_world *swarm(random_stream *r)
{
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    fender_world *world = fender_world_create(&env, &def, &error);
    const fender_law *law = fender_law_find(NULL, "spring_damper");
    unsigned char parameters[256];
    (void)fender_field_initialize(&law->parameters, parameters, sizeof parameters, NULL);
    fender_field_set(fender_field_find(&law->parameters, "stiffness"), parameters, 0, 100);
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "soft", .law = law, .law_parameters = parameters};
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
    assert_int_equal(fender_contact_type_create(world, &type, &rule.use, &error), 0);
    assert_int_equal(fender_rule_create(world, &rule, NULL, &error), 0);
    for (int i = 0; i < BODIES; i++) {
        char name[32];
        snprintf(name, sizeof name, "body_%d", i);
        fender_body_def body = fender_body_def_default();
        body.name = name;
        body.motion = i % 6 == 0 ? FENDER_MOTION_FIXED : FENDER_MOTION_DYNAMIC;
        body.mass_properties.mass = 1;
        body.mass_properties.inertia = fender_mat3_diagonal(0.1, 0.2, 0.25);
        body.state.position = random_in_ball(r, 2);
        body.state.attitude = random_rotation(r);
        if (i % 6 != 0) {
            body.state.velocity = random_in_ball(r, 3);
            body.state.angular_velocity = random_in_ball(r, 25);
        }
        fender_body_id id;
        assert_int_equal(fender_body_create(world, &body, &id, &error), 0);
        for (int k = 0; k <= i % 2; k++) {
            fender_shape_def shape = fender_shape_def_default();
            shape.name = k == 0 ? "one" : "other";
            shape.geometry = random_geometry(r);
            shape.X_SG.p = random_in_ball(r, 0.2);
            shape.X_SG.q = random_rotation(r);
            assert_int_equal(fender_shape_create(world, id, &shape, NULL, &error), 0);
            fender_geometry_release(shape.geometry);
        }
    }
    assert_int_equal(fender_world_initialize(world, &error), 0);
    return world;
}

/* Pairs that touch by trying all; each must be a candidate. */
static int check_touching(const fender_world *world, int64_t *candidates)
{
    const fnd_contact_model *model = &world->model;
    const fnd_contact_set *set = &world->dynamics.contacts;
    int touching = 0, at = 0;
    for (int a = 0; a < model->shape_count; a++)
        for (int b = a + 1; b < model->shape_count; b++) {
            int type;
            fnd_contact c;
            while (at < set->candidate_count &&
                   (set->candidates[at].a < (uint32_t)a ||
                    (set->candidates[at].a == (uint32_t)a && set->candidates[at].b < (uint32_t)b)))
                at++;
            bool listed = at < set->candidate_count && set->candidates[at].a == (uint32_t)a &&
                          set->candidates[at].b == (uint32_t)b;
            if (fnd_pair_decide(model, a, b, &type) != FENDER_PAIR_MAY_TOUCH) {
                assert_false(listed);
                continue;
            }
            if (listed) {
                assert_int_equal(set->candidates[at].body_a, model->shapes[a].root);
                assert_int_equal(set->candidates[at].body_b, model->shapes[b].root);
            }
            const fnd_body *body_a = &model->bodies[model->shapes[a].root];
            const fnd_body *body_b = &model->bodies[model->shapes[b].root];
            fnd_frame frame_a = fnd_frame_of_state(body_a, &body_a->state);
            fnd_frame frame_b = fnd_frame_of_state(body_b, &body_b->state);
            assert_true(fnd_contact_probe_pair(model, &frame_a, &frame_b, a, b, INFINITY, NULL, &c));
            if (!(c.in.depth > 0)) continue;
            touching++;
            assert_true(listed);
        }
    *candidates += set->candidate_count;
    return touching;
}

/* Each body that moves has room until all shapes must be looked at again: without it that is at every state. */
static void check_room(const fender_world *world)
{
    const fnd_contact_set *set = &world->dynamics.contacts;
    for (int k = 0; set->bodies_watched && k < world->dynamics.dynamic_count; k++)
        assert_true(set->body_watches[world->dynamics.dynamic[k]].free > 0);
}

static void none_is_missed(void **state)
{
    (void)state;
    fender_error error = {0};
    int64_t touching = 0, candidates = 0, changes = 0, steps = 0;
    for (uint64_t n = 0; n < repeats(8); n++) {
        random_stream r = random_of_case(98, n);
        fender_world *world = swarm(&r);
        for (int i = 0; i < 100; i++, steps++) {
            uint64_t version = world->dynamics.contacts.candidate_version;
            assert_int_equal(fender_world_step(world, &error), 0);
            changes += world->dynamics.contacts.candidate_version != version;
            touching += check_touching(world, &candidates);
            check_room(world);
            fender_shape_id shape = fender_shape_at(world, (int)random_below(&r, world->model.shape_count));
            if (i % 60 == 59) assert_int_equal(fender_shape_set_active(world, shape, random_below(&r, 2) == 0), 0);
        }
        fender_world_destroy(world);
    }
    print_message("%lld touching pairs among %lld candidates, which changed in %lld of %lld steps\n",
                  (long long)touching, (long long)candidates, (long long)changes, (long long)steps);
    assert_true(touching > repeats(10000));
}

static fender_world *point_over_a_sheet(double height)
{
    static const fender_vec3 corners[] = {{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}};
    static const int32_t triangles[] = {0, 1, 2, 0, 2, 3};
    static const fender_mesh_def sheet = {corners, 4, triangles, 2};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    def.gravity.kind = FENDER_GRAVITY_UNIFORM;
    def.gravity.acceleration = fender_vec3_make(0, 0, -10);
    fender_world *world = fender_world_create(&env, &def, NULL);
    fender_spring_damper_parameters push;
    check_ok(fender_spring_damper_parameters_default(&push, &error));
    push.stiffness = 1000, push.damping = 40;
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "soft", type.normal = fender_law_find(NULL, "spring_damper"), type.normal_parameters = &push;
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_DEFAULT;
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        body.name = i == 0 ? "ground" : "foot";
        body.motion = i == 0 ? FENDER_MOTION_FIXED : FENDER_MOTION_DYNAMIC;
        body.mass_properties = (fender_mass_properties){1, {0, 0, 0}, fender_mat3_diagonal(1, 1, 1)};
        if (i == 1) body.state.position = fender_vec3_make(0.3, 0.1, height);
        fender_body_id id;
        check_ok(fender_body_create(world, &body, &id, &error));
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "shape";
        shape.geometry = i == 0 ? fender_geometry_mesh(&env, &sheet, NULL) : fender_geometry_point(&env, NULL);
        check_ok(fender_shape_create(world, id, &shape, NULL, &error));
        fender_geometry_release(shape.geometry);
    }
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* What is behind an open mesh is behind it outside of the box around its corners, too, which of a level one is flat. A
 * point that rests there, m g / k deep, stays; so does one in a world that begins so, or goes on from a snapshot. */
static void behind_a_sheet(void **state)
{
    (void)state;
    fender_world *fallen = point_over_a_sheet(0.1), *begun = point_over_a_sheet(-0.0101);
    check_ok(fender_world_advance(fallen, 1500, &error));
    fender_snapshot *snapshot = fender_snapshot_take(fallen, NULL);
    assert_non_null(snapshot);
    fender_world *restored = point_over_a_sheet(1);
    check_ok(fender_snapshot_restore(restored, snapshot, &error));
    fender_snapshot_destroy(snapshot);
    fender_world *const worlds[] = {fallen, begun, restored};
    for (int i = 0; i < 3; i++) {
        check_ok(fender_world_advance(worlds[i], 500, &error));
        fender_body_data foot;
        check_ok(fender_body_get(worlds[i], fender_body_at(worlds[i], 1), FENDER_CLOCK_COMMITTED, &foot));
        check_near(foot.position.z, -0.01, 1e-6);
    }
    assert_true(fender_world_hash(fallen) == fender_world_hash(restored));
    for (int i = 0; i < 3; i++) fender_world_destroy(worlds[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(none_is_missed), cmocka_unit_test(behind_a_sheet)};
    return cmocka_run_group_tests_name("candidates", tests, NULL, NULL);
}
