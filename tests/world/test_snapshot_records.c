/* Snapshots whose records of contacts cannot be: refused, or the contact begins anew. */
#include "check.h"
#include <fender/io.h>
#include <stdlib.h>
#include <string.h>

#include "world/snapshot.h"

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

static uint64_t hash_of(const unsigned char *bytes, size_t size, size_t at)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ (i >= at && i < at + 8 ? 0 : bytes[i])) * 0x100000001b3u;
    return hash;
}

/* Two planes, on the second of which a sphere lies. */
static const char lying_ball[] =
    "fender: 1\nworld: {gravity: [0, 0, -10, m/s^2]}\nintegrator: {step: 1 ms}\nrun: {until: 1 s}\nmaterials: {m: {}}\n"
    "contact_types: {c: {law: spring_damper, stiffness: 1e4, damping: 50, mu: 0.3}}\nrules: [{materials: [m, m], use: "
    "c}]\n"
    "bodies:\n"
    "  below: {motion: fixed, state: {position: [0, 0, -9, m]}, shapes: {s: {plane: {}, material: m}}}\n"
    "  floor: {motion: fixed, shapes: {s: {plane: {}, material: m}}}\n"
    "  ball: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}, state: {position: [0, 0, 0.999, m]}, shapes: "
    "{s: "
    "{sphere: {radius: 1 m}, material: m}}}\n";

/* Sums bytes anew in which the key of the contact has become another, and restores them. */
static fender_status restore_with_key(fender_world *world, const unsigned char *bytes, size_t size, fnd_key key,
                                      fender_error *failure)
{
    fender_env env = fender_env_default();
    unsigned char *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    const uint32_t shapes[2] = {1, 2};
    size_t at = size - sizeof key;
    while (at > 0 && memcmp(copy + at, shapes, sizeof shapes) != 0) at--; /* the record is the last part */
    assert_true(at > sizeof(fnd_snapshot_header));
    memcpy(copy + at, &key, sizeof key);
    const size_t checksum = offsetof(fnd_snapshot_header, checksum);
    const uint64_t sum = hash_of(copy, size, checksum);
    memcpy(copy + checksum, &sum, 8);
    fender_snapshot *snapshot = fender_snapshot_from_bytes(&env, copy, size, failure);
    assert_non_null(snapshot);
    fender_status status = fender_snapshot_restore(world, snapshot, failure);
    fender_snapshot_destroy(snapshot);
    free(copy);
    return status;
}

/* Records of contacts that cannot be: of pairs that nothing computes they are refused; where the pair has no such
 * feature the contact ends and another begins. */
static void impossible_records(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_error failure = {0};
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "s.yaml", lying_ball, sizeof lying_ball - 1, NULL, 0,
                                                      &failure);
    assert_non_null(scenario);
    fender_world *world = fender_scenario_build(scenario, &env, &failure);
    assert_non_null(world);
    check_ok(fender_world_advance(world, 5, &error));
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 1);
    size_t size;
    unsigned char *bytes = bytes_of(world, &size);
    const uint64_t hash = fender_world_hash(world);
    const fnd_key refused[] = {{0, 1, 0}, {2, 1, 0}, {2, 2, 0}, {1, 3, 0}};
    for (int i = 0; i < 4; i++) {
        failure = (fender_error){0};
        assert_int_equal(restore_with_key(world, bytes, size, refused[i], &failure), FENDER_STATUS_FILE);
        assert_non_null(strstr(failure.message, "damaged"));
        assert_true(fender_world_hash(world) == hash);
    }
    check_ok(restore_with_key(world, bytes, size, (fnd_key){1, 2, 77}, &error));
    check_ok(fender_world_advance(world, 3, &error));
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 1);
    free(bytes);
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(impossible_records)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
