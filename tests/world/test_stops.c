/* Motions that no step can follow end a run: at the last good state, with a message that names who is to blame and what
 * to try. */
/* items: M044 */
#include "check.h"
#include "scene.h"
#include <fender/fender.h>
#include <string.h>

typedef struct stop {
    fender_status status;
    fender_error error;
    double time;
    uint64_t before, after; /* hashes of the last accepted state and of what is there after the refusal */
} stop;

/* Steps until a call fails, or the time is reached. */
static stop run_until(fender_world *world, double time)
{
    stop s = {0};
    while (!s.status && fender_world_time(world) < time) {
        s.before = fender_world_hash(world);
        s.status = fender_world_step(world, &s.error);
    }
    s.after = fender_world_hash(world);
    s.time = fender_world_time(world);
    fender_world_destroy(world);
    return s;
}

/* Two spheres of 1 kg and 0.1 m that meet at 1 m/s, 10 ms after the start. */
static scene meeting(double stiffness, double damping)
{
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, stiffness, damping, 0, 1e-3, 0});
    s.body_count = 2;
    for (int i = 0; i < 2; i++) s.bodies[i] = scene_ball(i + 1, 1, 0.1);
    s.bodies[1].state.position.x = 0.21;
    s.bodies[1].state.velocity.x = -1;
    s.world.step = 1e-3;
    return s;
}

static void check_named(const stop *s)
{
    assert_int_equal(s->status, FENDER_STATUS_INTEGRATOR);
    assert_non_null(strstr(s->error.message, "body1.shape0:body2.shape0"));
    assert_non_null(strstr(s->error.path, "body1.shape0:body2.shape0"));
    assert_true(s->before == s->after);
}

/* The border is that of the method: just below it a run goes on, just above it stops. */
static void too_stiff(void **state)
{
    (void)state;
    for (int m = 0; m < 3; m++)
        for (int located = 0; located < 2; located++)
            for (int above = 0; above < 2; above++) {
                double longest = fender_integrator_stable_step((fender_integrator_method)m, 1, 0); /* of w h */
                double w = (above ? 1.01 : 0.99) * longest / 1e-3;
                scene s = meeting(w * w, 0); /* it lies where its weight has sunk it: no event shortens a step */
                s.world.method = (fender_integrator_method)m;
                s.world.locate_events = located;
                s.world.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {-9.81, 0, 0}, 0, {0, 0, 0}};
                s.bodies[0].motion = FENDER_MOTION_FIXED;
                s.bodies[1].state.position.x = 0.2 - 9.81 / (w * w);
                s.bodies[1].state.velocity.x = 0;
                stop end = run_until(scene_build(&s), 0.1);
                if (!above) {
                    assert_int_equal(end.status, FENDER_STATUS_OK);
                    continue;
                }
                check_named(&end);
                assert_true(end.time == 0);
                assert_non_null(strstr(end.error.message, "too long for the stiffness"));
                assert_non_null(strstr(end.error.suggestion, "try integrator.step="));
                assert_non_null(strstr(end.error.found, "law spring_damper"));
            }
}

static void too_deep(void **state)
{
    (void)state;
    /* 0.5 m v^2 of the reduced mass against k d^2 / 2: d = 0.158 m */
    const double limits[] = {0, FENDER_DEPTH_OF_SHAPES, 0.05, 0.15, 0.17};
    const bool stops[] = {false, true, true, true, false};
    for (int k = 0; k < 5; k++) {
        scene s = meeting(20, 0);
        s.world.depth_limit = limits[k];
        stop end = run_until(scene_build(&s), 2);
        if (!stops[k]) {
            assert_int_equal(end.status, FENDER_STATUS_OK);
            continue;
        }
        check_named(&end);
        assert_non_null(strstr(end.error.message, "depth exceeds its limit"));
        assert_non_null(strstr(end.error.suggestion, "world.depth_limit"));
        double limit = limits[k] > 0 ? limits[k] : 0.1, w = sqrt(20 / 0.5);
        check_near(end.time, 0.01 + asin(limit * w) / w, 3e-3); /* the depth is v / w sin(w t), known to steps */
    }
    scene s = meeting(20, 0); /* looked at from 0.08 m on, 0.12 m deep, where half of the shapes is the limit */
    s.world.depth_limit = FENDER_DEPTH_OF_SHAPES;
    s.world.contact_limit_factor = 0.4;
    stop end = run_until(scene_build(&s), 2);
    check_named(&end);
    assert_non_null(strstr(end.error.suggestion, "world.contact_limit_factor below 1"));
}

/* ---- laws that nobody can follow */

static const fender_field no_fields[] = {
    {"stiffness", "N/m", "Spring constant.", FENDER_FIELD_REAL, 0, FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL}};
typedef struct stiffness_only {
    double stiffness;
} stiffness_only;

/* A spring that has no force beyond a depth of 5 mm. */
static void broken_force(const void *parameters, const fender_contact_input *in, const void *memory,
                         fender_contact_output *out)
{
    (void)memory;
    out->force.z = in->depth < 5e-3 ? ((const stiffness_only *)parameters)->stiffness * in->depth : NAN;
}

/* Changes its mind every nanosecond. */
static void plain_force(const void *parameters, const fender_contact_input *in, const void *memory,
                        fender_contact_output *out)
{
    (void)memory;
    out->force.z = ((const stiffness_only *)parameters)->stiffness * in->depth;
}
static void nervous_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    (void)parameters;
    root[0] = *(const double *)memory + 1e-9 - in->time;
}
static void nervous_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                           void *memory, fender_contact_change *change)
{
    (void)parameters, (void)out, (void)change;
    *(double *)memory = in->time;
}

static const fender_law broken = {.size = sizeof(fender_law),
                                  .kinds = FENDER_LAW_WHOLE,
                                  .name = "broken",
                                  .doc = "Not a number beyond 5 mm.",
                                  .parameters = FENDER_FIELD_TABLE("broken", no_fields, stiffness_only),
                                  .force = broken_force};
static const fender_law nervous = {.size = sizeof(fender_law),
                                   .kinds = FENDER_LAW_WHOLE,
                                   .name = "nervous",
                                   .doc = "An event a nanosecond.",
                                   .parameters = FENDER_FIELD_TABLE("nervous", no_fields, stiffness_only),
                                   .memory_size = sizeof(double),
                                   .force = plain_force,
                                   .update = nervous_update,
                                   .root_count = 1,
                                   .roots = nervous_roots};

static fender_world *with_law(scene s, const fender_law *law)
{
    fender_env env = fender_env_default();
    s.type_count = s.rule_count = 0;
    fender_world *world = scene_build_with(&s, &env, NULL, false);
    fender_contact_type_id type;
    stiffness_only parameters = {1000};
    fender_contact_type_def def = {
        .size = sizeof(fender_contact_type_def), .name = "own", .law = law, .law_parameters = &parameters};
    check_ok(fender_contact_type_create(world, &def, &type, &error));
    check_ok(fender_rule_create(
        world, &(fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = type}, NULL,
        &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

static void collapse(void **state)
{
    (void)state;
    for (int m = FENDER_INTEGRATOR_DOPRI5; m <= FENDER_INTEGRATOR_DOP853; m++) {
        scene s = meeting(1000, 0);
        s.world.method = (fender_integrator_method)m;
        stop end = run_until(with_law(s, &broken), 1);
        check_named(&end);
        assert_non_null(strstr(end.error.message, "short enough for the tolerances"));
        assert_non_null(strstr(end.error.suggestion, "relative_tolerance"));
        double w = sqrt(1000 / 0.5); /* the depth is v / w sin(w t) */
        check_near(end.time, 0.01 + asin(5e-3 * w) / w, 1e-9);
    }
}

/* A contact of pi sqrt(0.5 kg / 1e10 N/m) = 22 us. Times of 1e9 s are told apart to 1e-5 s at best: the start time is
 * what must change. From 0 s the run goes on. */
static void late_start(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        scene s = meeting(1e10, 0);
        s.world.method = FENDER_INTEGRATOR_DOP853;
        s.world.start_time = late ? 1e9 : 0;
        stop end = run_until(scene_build(&s), s.world.start_time + 0.02);
        assert_int_equal(end.status, late ? FENDER_STATUS_INTEGRATOR : FENDER_STATUS_OK);
        if (!late) continue;
        check_named(&end);
        assert_non_null(strstr(end.error.suggestion, "start at 0 s instead of 1e+09 s"));
        assert_non_null(strstr(end.error.suggestion, "less than 1e-05 s"));
    }
}

/* ---- laws whose modes change again and again: runs go on, and say so */

static void restless_contact(void **state)
{
    (void)state;
    for (int m = 0; m <= FENDER_INTEGRATOR_DOP853; m += FENDER_INTEGRATOR_DOP853) {
        scene s = meeting(1000, 0);
        s.world.method = (fender_integrator_method)m;
        s.world.locate_events = true;
        fender_world *world = with_law(s, &nervous);
        fender_shape_id a, b;
        assert_int_equal(fender_world_freeze_count(world, &a, &b), 0);
        assert_int_equal(a.index1, 0);
        check_ok(fender_world_advance_to(world, 0.012, &error)); /* in contact from 0.01 s on */
        assert_true(fender_world_freeze_count(world, &a, &b) > 0);
        assert_int_equal(a.index1, 1);
        assert_int_equal(b.index1, 2);
        fender_snapshot *middle = fender_snapshot_take(world, NULL); /* what is held is part of it */
        assert_non_null(middle);
        check_ok(fender_world_advance_to(world, 0.1, &error));
        const int64_t held = fender_world_freeze_count(world, NULL, NULL);
        const uint64_t hash = fender_world_hash(world);
        check_ok(fender_snapshot_restore(world, middle, &error));
        check_ok(fender_world_advance_to(world, 0.1, &error));
        assert_int_equal(fender_world_freeze_count(world, NULL, NULL), held);
        assert_true(fender_world_hash(world) == hash);
        fender_ledger ledger;
        fender_world_ledger(world, &ledger);
        check_below(ledger.kinetic, 0.5 * (1 + 1e-6)); /* J: a spring without loss gives back what it was given */
        assert_true(ledger.kinetic > 0.5 * (1 - 1e-6));
        fender_snapshot_destroy(middle);
        fender_world_destroy(world);
    }
}

/* A link has no record of contact: the world goes on through its events. */
static void restless_link(void **state)
{
    (void)state;
    for (int m = 0; m <= FENDER_INTEGRATOR_DOP853; m += FENDER_INTEGRATOR_DOP853) {
        fender_env env = fender_env_default();
        scene s = meeting(1000, 0);
        s.world.method = (fender_integrator_method)m;
        s.world.locate_events = true;
        s.type_count = s.rule_count = 0;
        fender_world *world = scene_build_with(&s, &env, NULL, false);
        fender_point_id points[2];
        for (int i = 0; i < 2; i++)
            check_ok(
                fender_point_create(world, fender_body_at(world, i), "p", fender_pose_identity(), &points[i], &error));
        stiffness_only parameters = {1000};
        fender_contact_type_id type;
        fender_contact_type_def def = {
            .size = sizeof(fender_contact_type_def), .name = "own", .law = &nervous, .law_parameters = &parameters};
        check_ok(fender_contact_type_create(world, &def, &type, &error));
        fender_link_contact_law by_law = {.free_length = 0.2, .acts = FENDER_LINK_PUSH, .limit = INFINITY};
        fender_link_def link = fender_link_def_default();
        link.name = "link";
        link.law = FENDER_LINK_CONTACT_LAW;
        link.parameters = &by_law;
        link.use = type;
        link.a = points[0];
        link.b = points[1];
        fender_link_id id;
        check_ok(fender_link_create(world, &link, &id, &error));
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_advance_to(world, 0.013, &error));
        fender_shape_id a, b;
        assert_true(fender_world_freeze_count(world, &a, &b) > 0);
        assert_int_equal(a.index1, 0); /* no contact answers for it */
        assert_int_equal(b.index1, 0);
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_stiff),  cmocka_unit_test(too_deep),         cmocka_unit_test(collapse),
        cmocka_unit_test(late_start), cmocka_unit_test(restless_contact), cmocka_unit_test(restless_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
