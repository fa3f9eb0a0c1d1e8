/* Snapshots as bytes: another world goes on with the same bits; whatever is damaged is refused. */
#include "check.h"
#include "scene.h"
#include <fender/fender.h>
#include <stdlib.h>
#include <string.h>

#include "world/snapshot.h"

static const unsigned every_law = 1u << SCENE_JEOD_SPRING | 1u << SCENE_SPRING_DAMPER | 1u << SCENE_NORMAL_AND_COULOMB;
enum { STEPS = 200 };

/* Crowded, and two bodies joined, so that the bytes hold contacts and links. */
static fender_world *build(uint64_t n, scene *s)
{
    random_stream r = random_of_case(171, n);
    *s = scene_random(&r, 3, 5, every_law);
    s->world.step = 4e-3;
    s->world.locate_events = n % 2;
    scene_crowd(s, &r);
    return scene_build(s);
}

static void join(fender_world *world)
{
    fender_attach_def def = {
        .size = sizeof(fender_attach_def), .child = fender_body_at(world, 1), .parent = fender_body_at(world, 0)};
    def.X_PC = fender_pose_identity();
    def.X_PC.p.x = 3;
    fender_body_attach(world, &def, NULL, NULL); /* refused where a body is fixed: then there is no link */
}

/* The bytes of a world under way; freed by the caller. */
static unsigned char *bytes_of(const fender_world *world, size_t *size)
{
    fender_snapshot *snapshot = fender_snapshot_take(world, NULL);
    assert_non_null(snapshot);
    const void *bytes = fender_snapshot_bytes(snapshot, size);
    unsigned char *copy = malloc(*size);
    assert_non_null(copy);
    memcpy(copy, bytes, *size);
    fender_snapshot_destroy(snapshot);
    return copy;
}

static void goes_on_elsewhere(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    int in_contact = 0;
    for (uint64_t n = 0; n < 100; n++) {
        scene s;
        fender_world *world = build(n, &s), *other = scene_build(&s);
        random_stream r = random_of_case(172, n);
        check_ok(fender_world_advance(world, random_below(&r, STEPS), &error));
        if (n % 3 == 0) join(world);
        in_contact += fender_contact_count(world, FENDER_CLOCK_COMMITTED) > 0;
        size_t size, again_size;
        unsigned char *bytes = bytes_of(world, &size), *again = bytes_of(world, &again_size);
        assert_int_equal(size, again_size);
        assert_memory_equal(bytes, again, size); /* nothing in them is left to chance */
        fender_error failure = {0};
        fender_snapshot *snapshot = fender_snapshot_from_bytes(&env, bytes, size, &failure);
        if (!snapshot) fail_msg("%s", failure.message);
        memset(bytes, 0xA5, size); /* it has a copy */
        check_ok(fender_snapshot_restore(other, snapshot, &error));
        fender_snapshot_destroy(snapshot);
        for (int i = 0; i < STEPS; i++) {
            assert_true(fender_world_hash(world) == fender_world_hash(other));
            check_ok(fender_world_step(world, &error));
            check_ok(fender_world_step(other, &error));
        }
        free(bytes);
        free(again);
        fender_world_destroy(world);
        fender_world_destroy(other);
    }
    printf("snapshots as bytes: %d of 100 taken during contact\n", in_contact);
    assert_true(in_contact > 30);
}

static void every_byte_counts(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    scene s;
    fender_world *world = build(1, &s);
    check_ok(fender_world_advance(world, 100, &error));
    size_t size;
    unsigned char *bytes = bytes_of(world, &size);
    for (size_t i = 0; i < size; i++) {
        for (int bit = 0; bit < 8; bit += 7) {
            fender_error failure = {0};
            bytes[i] ^= (unsigned char)(1u << bit);
            assert_null(fender_snapshot_from_bytes(&env, bytes, size, &failure));
            assert_int_equal(failure.status, FENDER_STATUS_FILE);
            assert_true(failure.message[0] && failure.expected[0] && failure.suggestion[0]);
            bytes[i] ^= (unsigned char)(1u << bit);
        }
    }
    for (size_t i = 0; i < size; i++) {
        unsigned char *part = malloc(i + 1); /* of the exact size, so that a sanitizer sees what lies behind it */
        memcpy(part, bytes, i);
        assert_null(fender_snapshot_from_bytes(&env, part, i, NULL));
        free(part);
    }
    free(bytes);
    fender_world_destroy(world);
}

/* Where the checksum stands: the only 8 bytes of the header on which it does not depend. Found by what two snapshots
 * of one state share when a byte in the middle differs. */
static uint64_t hash_of(const unsigned char *bytes, size_t size, size_t at)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ (i >= at && i < at + 8 ? 0 : bytes[i])) * 0x100000001b3u;
    return hash;
}

static size_t find_checksum(const unsigned char *bytes, size_t size)
{
    for (size_t at = 0; at + 8 <= size; at += 8) {
        uint64_t written;
        memcpy(&written, bytes + at, 8);
        if (written == hash_of(bytes, size, at)) return at;
    }
    fail();
    return 0;
}

/* Bytes that a program has changed and summed anew are either refused or give a world that can be read. */
static void forged(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    int refused = 0, taken = 0;
    for (uint64_t n = 0; n < 12; n++) {
        scene s;
        fender_world *world = build(n, &s);
        check_ok(fender_world_advance(world, 100, &error));
        join(world);
        size_t size;
        unsigned char *bytes = bytes_of(world, &size), *copy = malloc(size);
        size_t checksum = find_checksum(bytes, size);
        uint64_t hash = fender_world_hash(world);
        random_stream r = random_of_case(173, n);
        for (int k = 0; k < 4000; k++) {
            memcpy(copy, bytes, size);
            for (int changes = 1 + random_below(&r, 3); changes > 0; changes--) {
                static const unsigned char values[] = {0, 1, 2, 0x7F, 0x80, 0xFF};
                size_t at = (size_t)random_below(&r, (int)size);
                copy[at] = random_below(&r, 2) ? values[random_below(&r, 6)] : (unsigned char)random_below(&r, 256);
            }
            uint64_t sum = hash_of(copy, size, checksum);
            memcpy(copy + checksum, &sum, 8);
            fender_snapshot *snapshot = fender_snapshot_from_bytes(&env, copy, size, NULL);
            fender_error failure = {0};
            if (snapshot && fender_snapshot_restore(world, snapshot, &failure) == FENDER_STATUS_OK) {
                taken++;
                fender_ledger ledger;
                fender_world_ledger(world, &ledger);
                fender_world_hash(world);
                fender_snapshot_destroy(snapshot);
                snapshot = fender_snapshot_from_bytes(&env, bytes, size, NULL);
                check_ok(fender_snapshot_restore(world, snapshot, &error));
            } else {
                refused++;
                assert_true(!snapshot || failure.message[0]);
            }
            assert_true(fender_world_hash(world) == hash);
            fender_snapshot_destroy(snapshot);
        }
        free(bytes);
        free(copy);
        fender_world_destroy(world);
    }
    printf("forged snapshots: %d refused, %d taken\n", refused, taken);
    assert_true(refused > 1000 && taken > 1000);
}

/* ---- forged on purpose */

/* A snapshot, with a valid checksum, of the world as it would be with another number in one of its fields. */
static fender_status restore_with(fender_world *world, double *field, double value, fender_error *failure)
{
    const double kept = *field;
    *field = value;
    fender_snapshot *snapshot = fender_snapshot_take(world, failure);
    *field = kept;
    assert_non_null(snapshot);
    const uint64_t hash = fender_world_hash(world);
    *failure = (fender_error){0};
    const fender_status status = fender_snapshot_restore(world, snapshot, failure);
    if (status) assert_true(fender_world_hash(world) == hash);
    fender_snapshot_destroy(snapshot);
    return status;
}

static void refuse_with(fender_world *world, double *field, double value, const char *found)
{
    fender_error failure;
    assert_int_equal(restore_with(world, field, value, &failure), FENDER_STATUS_FILE);
    assert_string_equal(failure.message, "the snapshot is damaged");
    if (!strstr(failure.found, found)) fail_msg("'%s' is not in '%s'", found, failure.found);
    check_ok(fender_world_step(world, &error));
}

/* Three balls, two of them joined; the third has no state of its own. Steps of 1/128 s from 2 s on. */
static fender_world *build_joined(fender_integrator_method method)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = 1.0 / 128;
    def.start_time = 2;
    fender_world *world = fender_world_create(&env, &def, NULL);
    for (int i = 0; i < 3; i++) {
        fender_body_def body = fender_body_def_default();
        body.name = i == 0 ? "head" : i == 1 ? "arm" : "store";
        if (i == 2) body.motion = FENDER_MOTION_MASS_ONLY;
        body.mass_properties = (fender_mass_properties){1 + i, {0, 0, 0}, fender_mat3_diagonal(1, 2, 2)};
        body.state.angular_velocity = fender_vec3_make(0.1, 0.2, 0.3);
        check_ok(fender_body_create(world, &body, NULL, &error));
    }
    join(world);
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance(world, 3, &error));
    return world;
}

static void attitudes_and_times_that_cannot_be(void **state)
{
    (void)state;
    static const double off_grid[] = {2 + 2.5 / 128, 2 + 4.0 / 128, 2 - 3.0 / 128, 1e300, -1e300};
    static const double none[] = {NAN, INFINITY, -INFINITY};
    fender_world *world = build_joined(FENDER_INTEGRATOR_RK4);
    fender_snapshot *start = fender_snapshot_take(world, NULL);
    fnd_body *head = &world->model.bodies[0], *arm = &world->model.bodies[1];
    assert_true(arm->parent == 0);
    for (int i = 0; i < 3; i++) {
        refuse_with(world, &world->time, none[i], "a time, or a number of steps");
        refuse_with(world, &world->base_time, none[i], "a time, or a number of steps");
        refuse_with(world, &head->state.p.x, none[i], "a state that is not finite, of body 'head'");
        refuse_with(world, &head->state.v.y, none[i], "a state that is not finite, of body 'head'");
        refuse_with(world, &head->state.L.z, none[i], "a state that is not finite, of body 'head'");
        refuse_with(world, &head->state.q.w, none[i], "an attitude that is not of unit length, of body 'head'");
        refuse_with(world, &arm->X_PS.q.w, none[i], "a pose whose attitude is not of unit length, of body 'arm'");
        check_ok(fender_snapshot_restore(world, start, &error));
    }
    for (int i = 0; i < 5; i++) {
        refuse_with(world, &world->time, off_grid[i], "after 3 steps of 0.0078125 s");
        check_ok(fender_snapshot_restore(world, start, &error));
    }
    refuse_with(world, &head->state.q.w, head->state.q.w + 1e-3, "an attitude that is not of unit length");
    refuse_with(world, &arm->X_PS.q.z, 1e-2, "a pose whose attitude is not of unit length");
    refuse_with(world, &world->dynamics.contacts.since[0].x, 0.5, "an attitude that is not of unit length");
    check_ok(fender_snapshot_restore(world, start, &error));
    fender_error failure;
    static const int64_t counts[] = {-1, INT64_MAX, INT64_MIN};
    for (int i = 0; i < 3; i++) {
        const int64_t kept = world->step_count;
        world->step_count = counts[i];
        assert_int_equal(restore_with(world, &world->pace.step, 0, &failure), FENDER_STATUS_FILE);
        assert_string_equal(failure.found, "a time, or a number of steps, that is none");
        world->step_count = kept;
    }
    /* what rounding makes of a length, and a time within the step that comes next, are as good as any */
    check_ok(restore_with(world, &head->state.q.w, head->state.q.w * (1 + 1e-12), &failure));
    check_ok(restore_with(world, &world->time, 2 + 3.75 / 128, &failure));
    assert_true(fender_world_time(world) == 2 + 3.75 / 128);
    check_ok(fender_world_step(world, &error));
    assert_true(fender_world_time(world) == 2 + 4.0 / 128);
    fender_snapshot_destroy(start);
    fender_world_destroy(world);
    /* adaptive steps have no grid, but a length */
    world = build_joined(FENDER_INTEGRATOR_DOPRI5);
    refuse_with(world, &world->pace.step, NAN, "a time, or a number of steps");
    refuse_with(world, &world->pace.step, -1, "a time, or a number of steps");
    check_ok(restore_with(world, &world->time, 77, &failure));
    assert_true(fender_world_time(world) == 77);
    fender_world_destroy(world);
}

static void other_worlds(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    scene s;
    fender_world *world = build(4, &s);
    size_t size;
    unsigned char *bytes = bytes_of(world, &size);
    fender_snapshot *snapshot = fender_snapshot_from_bytes(&env, bytes, size, NULL);
    scene t = s;
    t.world.method = s.world.method == FENDER_INTEGRATOR_RK4 ? FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER
                                                             : FENDER_INTEGRATOR_RK4;
    fender_world *other = scene_build(&t);
    fender_error failure = {0};
    assert_int_equal(fender_snapshot_restore(other, snapshot, &failure), FENDER_STATUS_ARGUMENT);
    assert_non_null(strstr(failure.message, "another structure"));
    fender_world_destroy(other);
    assert_null(fender_snapshot_from_bytes(&env, NULL, 0, NULL));
    assert_null(fender_snapshot_from_bytes(NULL, bytes, size, NULL));
    failure = (fender_error){0};
    assert_null(fender_snapshot_from_bytes(&env, "time [s],x [m]\n", 15, &failure));
    assert_non_null(strstr(failure.message, "not a snapshot"));
    fender_snapshot_destroy(snapshot);
    free(bytes);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_on_elsewhere),
        cmocka_unit_test(every_byte_counts),
        cmocka_unit_test(forged),
        cmocka_unit_test(attitudes_and_times_that_cannot_be),
        cmocka_unit_test(other_worlds),
    };
    return cmocka_run_group_tests_name("snapshot bytes", tests, NULL, NULL);
}
