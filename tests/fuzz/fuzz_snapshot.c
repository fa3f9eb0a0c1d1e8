/* libFuzzer target for snapshots: the header of the bytes is made to fit them, so that only the checks of what they say
 * stand between them and a world. A world that refuses them stays as it is; one that takes them goes on, or says why
 * not. */
#include "fuzz_scenes.h"

static fender_world *world;
static fender_snapshot *start;
static fnd_snapshot_header good;
static fuzz_memory memory;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    const char *seeds = getenv("FENDER_FUZZ_SEEDS");
    static int errors;
    fender_error error = {0};
    fender_env env = fuzz_env(&memory, &errors);
    fender_scenario *scenario = load_busy_scene();
    world = fender_scenario_build(scenario, &env, &error);
    require(world != NULL, error.message);
    fender_scenario_destroy(scenario);
    for (int i = 0; i < 5; i++) {
        fender_snapshot *snapshot = fender_snapshot_take(world, &error);
        size_t size;
        const void *bytes = fender_snapshot_bytes(snapshot, &size);
        require(bytes && size < 1 << 16, "no snapshot, or too large a one");
        if (seeds) fuzz_seed(seeds, i, bytes, size);
        memcpy(&good, bytes, sizeof good);
        fender_snapshot_destroy(start);
        start = snapshot;
        require(fender_world_advance(world, 10, &error) == FENDER_STATUS_OK, error.message);
    }
    if (seeds) {
        fender_snapshot_destroy(start);
        fender_world_destroy(world);
        exit(0);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fender_error error = {0};
    fender_env env = {{fuzz_allocate, fuzz_release, &memory}, NULL, NULL};
    require(fender_snapshot_restore(world, start, &error) == FENDER_STATUS_OK, error.message);
    const uint64_t hash = fender_world_hash(world);
    const size_t live = memory.live;
    memory.most = live;
    unsigned char *bytes = malloc(size + 1);
    require(bytes != NULL, "no memory");
    memcpy(bytes, data, size);
    repair_snapshot(bytes, size, &good);
    fender_snapshot *snapshot = fender_snapshot_from_bytes(&env, bytes, size, &error);
    free(bytes);
    bool taken = snapshot && fender_snapshot_restore(world, snapshot, &error) == FENDER_STATUS_OK;
    require(memory.most - live <= 16 * size + (64 << 10), "restoring takes too much memory");
    require(taken || (error.status != FENDER_STATUS_OK && error.message[0] != '\0'), "refused without an error");
    if (!taken) require(fender_world_hash(world) == hash, "what refuses a snapshot is changed");
    fender_snapshot_destroy(snapshot);
    memset(&error, 0, sizeof error);
    fender_status status = fender_world_advance(world, 3, &error);
    require(status == FENDER_STATUS_OK || error.message[0] != '\0', "a failure without an error");
    (void)fender_world_hash(world);
    return 0;
}
