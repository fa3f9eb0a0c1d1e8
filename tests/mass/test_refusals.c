/* What the mass tree refuses: the reason is said and nothing has changed. */
/* items: B015 B016 B034 B037 B047 */
#include "check.h"
#include <fender/fender.h>
#include <stdlib.h>
#include <string.h>

typedef struct yard {
    fender_world *world;
    fender_body_id a, b, c, fixed, stateless;
    fender_point_id on_a, on_b;
} yard;

static fender_body_def definition(const char *name, fender_motion motion, double x)
{
    fender_body_def def = fender_body_def_default();
    def.name = name;
    def.motion = motion;
    def.mass_properties.mass = 2;
    def.mass_properties.inertia = fender_mat3_diagonal(1, 1.2, 1.5);
    def.state.position = fender_vec3_make(x, 0, 0);
    return def;
}

static fender_body_id create(fender_world *world, const char *name, fender_motion motion, double x)
{
    fender_body_def def = definition(name, motion, x);
    fender_body_id id;
    check_ok(fender_body_create(world, &def, &id, &error));
    return id;
}

/* b is attached to a; the others are alone. */
static yard open_yard(void)
{
    yard y;
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_error no_world = {0};
    y.world = fender_world_create(&env, &def, &no_world);
    assert_non_null(y.world);
    y.a = create(y.world, "a", FENDER_MOTION_DYNAMIC, 0);
    y.b = create(y.world, "b", FENDER_MOTION_DYNAMIC, 3);
    y.c = create(y.world, "c", FENDER_MOTION_DYNAMIC, 6);
    y.fixed = create(y.world, "fixed", FENDER_MOTION_FIXED, 9);
    y.stateless = create(y.world, "stateless", FENDER_MOTION_MASS_ONLY, 0);
    check_ok(fender_point_create(y.world, y.a, "port", fender_pose_identity(), &y.on_a, &error));
    check_ok(fender_point_create(y.world, y.b, "port", fender_pose_identity(), &y.on_b, &error));
    fender_attach_def link = fender_attach_def_default();
    link.child = y.b;
    link.parent = y.a;
    check_ok(fender_body_attach(y.world, &link, NULL, &error));
    check_ok(fender_world_initialize(y.world, &error));
    return y;
}

static void refused(const yard *y, uint64_t hash, fender_status status, fender_status expected, const fender_error *why)
{
    printf("%s: %s %s\n", fender_status_text(status), why->message, why->found);
    assert_int_equal(status, expected);
    assert_int_equal(why->status, expected);
    assert_true(strlen(why->message) > 8);
    assert_true(fender_world_hash(y->world) == hash);
    assert_int_equal(fender_body_parent(y->world, y->b).index1, y->a.index1);
}

static void attach_refused(const yard *y, fender_body_id child, fender_body_id parent, fender_status expected)
{
    uint64_t hash = fender_world_hash(y->world);
    fender_error why = {0};
    fender_attach_def def = fender_attach_def_default();
    def.child = child;
    def.parent = parent;
    refused(y, hash, fender_body_attach(y->world, &def, NULL, &why), expected, &why);
}

/* Numbers outside the enumerations are refused, not taken for one of them. */
static void test_unknown_choices(void **state)
{
    (void)state;
    yard y = open_yard();
    const uint64_t hash = fender_world_hash(y.world);
    fender_error why = {0};
    fender_attach_def def = fender_attach_def_default();
    fender_body_state at;
    def.child = y.c;
    def.parent = y.a;
    for (int pose = -1; pose < 100; pose += FENDER_ATTACH_POSED + 2) {
        def.pose = (fender_attach_pose)pose;
        refused(&y, hash, fender_body_attach(y.world, &def, NULL, &why), FENDER_STATUS_ARGUMENT, &why);
    }
    for (int rule = -1; rule < 100; rule += FENDER_DETACH_TREE + 2) {
        why = (fender_error){0};
        refused(&y, hash, fender_body_detach(y.world, y.b, (fender_body_id){0}, (fender_detach_rule)rule, NULL, &why),
                FENDER_STATUS_ARGUMENT, &why);
    }
    why = (fender_error){0};
    const fender_body_frame frame = {(fender_body_frame_kind)9, y.a, {0}};
    refused(&y, hash, fender_body_frame_state(y.world, frame, &at, &why), FENDER_STATUS_ARGUMENT, &why);
    fender_world_destroy(y.world);
}

static void test_attach(void **state)
{
    (void)state;
    yard y = open_yard();
    attach_refused(&y, y.a, y.a, FENDER_STATUS_TOPOLOGY);
    attach_refused(&y, y.b, y.a, FENDER_STATUS_TOPOLOGY);
    attach_refused(&y, y.a, y.b, FENDER_STATUS_TOPOLOGY);         /* a circle */
    attach_refused(&y, y.c, y.stateless, FENDER_STATUS_TOPOLOGY); /* a state below none */
    attach_refused(&y, y.fixed, y.a, FENDER_STATUS_TOPOLOGY);
    attach_refused(&y, (fender_body_id){77, 1, 1}, y.a, FENDER_STATUS_STALE_ID);
    uint64_t hash = fender_world_hash(y.world);
    fender_attach_def def = fender_attach_def_default();
    def.child = y.c;
    def.parent = y.a;
    def.child_point = (fender_point_id){55, 1, 1};
    def.parent_point = y.on_a;
    fender_error unknown = {0};
    refused(&y, hash, fender_body_attach(y.world, &def, NULL, &unknown), FENDER_STATUS_STALE_ID, &unknown);
    def.child_point = y.on_b; /* of another body */
    fender_error foreign = {0};
    refused(&y, hash, fender_body_attach(y.world, &def, NULL, &foreign), FENDER_STATUS_NAME, &foreign);
    def = fender_attach_def_default();
    def.child = y.c;
    def.parent = y.a;
    def.X_PC.p.x = NAN;
    fender_error not_finite = {0};
    refused(&y, hash, fender_body_attach(y.world, &def, NULL, &not_finite), FENDER_STATUS_VALUE, &not_finite);
    fender_world_destroy(y.world);
}

static void test_detach_reattach_and_names(void **state)
{
    (void)state;
    yard y = open_yard();
    uint64_t hash = fender_world_hash(y.world);
    for (int rule = 0; rule < 2; rule++) {
        fender_error root = {0}, apart = {0};
        refused(&y, hash, fender_body_detach(y.world, y.c, (fender_body_id){0}, (fender_detach_rule)rule, NULL, &root),
                FENDER_STATUS_TOPOLOGY, &root);
        refused(&y, hash, fender_body_detach(y.world, y.b, y.c, (fender_detach_rule)rule, NULL, &apart),
                FENDER_STATUS_TOPOLOGY, &apart);
    }
    fender_error moved = {0}, empty = {0}, twice = {0};
    refused(&y, hash, fender_body_reattach(y.world, y.a, fender_pose_identity(), NULL, &moved), FENDER_STATUS_TOPOLOGY,
            &moved);
    refused(&y, hash, fender_point_create(y.world, y.a, "", fender_pose_identity(), NULL, &empty), FENDER_STATUS_NAME,
            &empty);
    refused(&y, hash, fender_point_create(y.world, y.a, "port", fender_pose_identity(), NULL, &twice),
            FENDER_STATUS_NAME, &twice);
    fender_world_destroy(y.world);
}

/* core = {mass, 0, inertia} is refused by set_mass with a reason that contains `text`. */
static void mass_refused(const yard *y, double mass, fender_mat3 inertia, const char *text)
{
    uint64_t hash = fender_world_hash(y->world);
    fender_mass_properties core = {mass, {0, 0, 0}, inertia};
    fender_error why = {0};
    fender_status status = fender_body_set_mass(y->world, y->a, &core, &why);
    assert_true(status != FENDER_STATUS_OK);
    refused(y, hash, status, why.status, &why);
    assert_non_null(strstr(why.message, text));
}

static void test_mass(void **state)
{
    (void)state;
    yard y = open_yard();
    fender_mat3 good = fender_mat3_diagonal(1, 1.2, 1.5), skew = good;
    skew.m[0][1] = 0.25;
    mass_refused(&y, -1, good, "mass");
    mass_refused(&y, NAN, good, "mass");
    mass_refused(&y, 1, skew, "symmetric");
    mass_refused(&y, 1, fender_mat3_diagonal(1, 1, -0.5), "positive");
    mass_refused(&y, 1, fender_mat3_diagonal(1, 1, 2.5), "triangle inequality by 0.5");
    fender_world_destroy(y.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unknown_choices), cmocka_unit_test(test_attach),
                                       cmocka_unit_test(test_detach_reattach_and_names), cmocka_unit_test(test_mass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
