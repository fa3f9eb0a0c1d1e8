/* The scene of busy.yaml, and the repair of snapshots, so that a fuzzer gets past their checksums. */
#ifndef FND_TEST_FUZZ_SCENES_H
#define FND_TEST_FUZZ_SCENES_H

#include "fuzz.h"

#include <fender/io.h>

#include "world/snapshot.h"

/* Makes the header fit the rest: mark, version, sizes, checksum; of the world's shape what `like` says, if it is not
 * NULL, but for the number of records. */
static inline void repair_snapshot(unsigned char *bytes, size_t size, const fnd_snapshot_header *like)
{
    fnd_snapshot_header h;
    if (size < sizeof h) return;
    memcpy(&h, bytes, sizeof h);
    memcpy(h.mark, like->mark, sizeof h.mark);
    memcpy(h.version, like->version, sizeof h.version);
    h.order = like->order;
    h.layout = like->layout;
    h.size = size;
    size_t records = h.shape.record_count;
    h.shape = like->shape;
    h.shape.record_count = records;
    h.checksum = 0;
    uint64_t sum = 0xcbf29ce484222325u;
    for (int part = 0; part < 2; part++) {
        const unsigned char *b = part == 0 ? (const unsigned char *)&h : bytes + sizeof h;
        for (size_t i = 0; i < (part == 0 ? sizeof h : size - sizeof h); i++) sum = (sum ^ b[i]) * 0x100000001b3u;
    }
    h.checksum = sum;
    memcpy(bytes, &h, sizeof h);
}

static inline fender_scenario *load_busy_scene(void)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_scenario *scenario = fender_scenario_load(&env, NULL, FENDER_SOURCE_DIR "/tests/fuzz/busy.yaml", NULL, 0,
                                                     &error);
    require(scenario != NULL, error.message);
    return scenario;
}

#endif
