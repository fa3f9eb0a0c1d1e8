/* Snapshots as bytes: their header, and what is refused on the way back. */
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "world/snapshot.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return text ? fnd_hash_bytes(hash, text, strlen(text) + 1) : hash;
}

/* Of all that has a name, in order: worlds with as many bodies of other names are others. */
static uint64_t hash_names(const fender_world *world)
{
    const fnd_contact_model *model = &world->model;
    uint64_t hash = FND_HASH_START;
    for (int i = 0; i < model->body_count; i++)
        hash = fnd_hash_u64(hash_text(hash, model->bodies[i].name), (uint64_t)model->bodies[i].motion);
    for (int i = 0; i < model->shape_count; i++)
        hash = fnd_hash_u64(hash_text(hash, model->shapes[i].name), (uint64_t)model->shapes[i].body);
    for (int i = 0; i < model->type_count; i++) {
        const fnd_contact_type *type = &model->types[i];
        hash = fnd_hash_u64(hash_text(hash, type->name), type->memory_size);
        for (int k = 0; k < type->slot_count; k++)
            if (type->slots[k].law) hash = fnd_hash_u64(hash_text(hash, type->slots[k].law->name), (uint64_t)k);
    }
    for (int i = 0; i < world->dynamics.load_count; i++) hash = hash_text(hash, world->dynamics.loads[i].name);
    for (int i = 0; i < world->dynamics.link_count; i++)
        hash = fnd_hash_u64(hash_text(hash, world->dynamics.links[i].name), (uint64_t)world->dynamics.links[i].law);
    const fender_frame *frame = &world->def.frame;
    if (frame->kind == FENDER_FRAME_INERTIAL) return hash;
    const fender_planet *planet = &frame->planet;
    const double figures[] = {planet->mu,
                              planet->equatorial_radius,
                              planet->flattening,
                              planet->rotation_rate,
                              planet->j2,
                              planet->gravity_radius,
                              frame->origin.latitude,
                              frame->origin.longitude,
                              frame->origin.altitude};
    hash = fnd_hash_u64(fnd_hash_u64(hash, (uint64_t)frame->kind), (uint64_t)frame->axes);
    return fnd_hash_bytes(hash, figures, sizeof figures);
}

fnd_world_shape fnd_world_shape_of(const fender_world *world)
{
    fnd_world_shape s;
    memset(&s, 0, sizeof s);
    s.bodies = world->model.body_count;
    s.shapes = world->model.shape_count;
    s.types = world->model.type_count;
    s.rules = world->model.rule_count;
    s.loads = world->dynamics.load_count;
    s.method = (int)world->def.method;
    s.record_count = (size_t)world->dynamics.contacts.records.count;
    s.stride = world->dynamics.contacts.records.stride;
    s.step = world->def.step;
    s.relative_tolerance = world->def.relative_tolerance;
    s.absolute_tolerance = world->def.absolute_tolerance;
    s.event_tolerance = world->def.event_tolerance;
    s.locate_events = world->def.locate_events;
    s.names = hash_names(world);
    return s;
}

static const char mark_of_snapshots[8] = {'f', 'n', 'd', 's', 'n', 'a', 'p', '\n'};
enum { BYTE_ORDER_MARK = 0x01020304, LAYOUT = 9 }; /* LAYOUT rises with every change of the walk */

static uint64_t checksum_of(const unsigned char *bytes, size_t size)
{
    fnd_snapshot_header h;
    memcpy(&h, bytes, sizeof h);
    h.checksum = 0;
    uint64_t sum = fnd_hash_bytes(FND_HASH_START, &h, sizeof h);
    return fnd_hash_bytes(sum, bytes + sizeof h, size - sizeof h);
}

void fnd_snapshot_seal(fender_snapshot *snapshot, const fender_world *world)
{
    fnd_snapshot_header h;
    memset(&h, 0, sizeof h);
    memcpy(h.mark, mark_of_snapshots, sizeof h.mark);
    snprintf(h.version, sizeof h.version, "%s", fender_version());
    h.order = BYTE_ORDER_MARK;
    h.layout = LAYOUT;
    h.size = snapshot->size;
    h.shape = fnd_world_shape_of(world);
    memcpy(snapshot->bytes, &h, sizeof h);
    h.checksum = checksum_of(snapshot->bytes, snapshot->size);
    memcpy(snapshot->bytes, &h, sizeof h);
}

fender_snapshot *fnd_snapshot_create(const fender_env *env, size_t size, fender_error *error)
{
    fender_snapshot *snapshot = fnd_allocate(env, sizeof *snapshot);
    if (snapshot) {
        snapshot->env = *env;
        snapshot->size = size;
        snapshot->bytes = fnd_allocate(env, size);
    }
    if (snapshot && snapshot->bytes) return snapshot;
    fender_snapshot_destroy(snapshot);
    fnd_fail_memory(error, "a snapshot");
    return NULL;
}

void fender_snapshot_destroy(fender_snapshot *snapshot)
{
    if (!snapshot) return;
    fender_env env = snapshot->env;
    fnd_release(&env, snapshot->bytes, snapshot->size);
    fnd_release(&env, snapshot, sizeof *snapshot);
}

const void *fender_snapshot_bytes(const fender_snapshot *snapshot, size_t *size)
{
    if (size) *size = snapshot ? snapshot->size : 0;
    return snapshot ? snapshot->bytes : NULL;
}

/* ---- from bytes */

fender_status fnd_snapshot_damaged(fender_error *error, const char *message, const char *found, const char *expected)
{
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_FILE, "snapshot", message, found, expected,
                                       "take another snapshot, or start anew"});
}

static fender_status check_bytes(const void *bytes, size_t size, fender_error *error)
{
    fnd_snapshot_header h;
    char found[64], expected[64];
    if (size < sizeof h.mark || memcmp(bytes, mark_of_snapshots, sizeof h.mark) != 0)
        return fnd_snapshot_damaged(error, "this is no snapshot", "other bytes",
                                    "what fender_snapshot_bytes has given");
    if (size < sizeof h)
        return fnd_snapshot_damaged(error, "the snapshot is cut short", "less than its header", "all its bytes");
    memcpy(&h, bytes, sizeof h);
    if (h.order != BYTE_ORDER_MARK)
        return fnd_snapshot_damaged(error, "the snapshot is damaged, or of a machine with another byte order", "",
                                    "a snapshot of this kind of machine");
    h.version[sizeof h.version - 1] = '\0';
    if (strcmp(h.version, fender_version()) != 0 || h.layout != LAYOUT) {
        snprintf(found, sizeof found, "version %s, layout %u", h.version, (unsigned)h.layout);
        snprintf(expected, sizeof expected, "version %s, layout %d", fender_version(), LAYOUT);
        return fnd_snapshot_damaged(error, "the snapshot is of another version", found, expected);
    }
    snprintf(found, sizeof found, "%zu bytes", size);
    snprintf(expected, sizeof expected, "%llu bytes", (unsigned long long)h.size);
    if (h.size > size) return fnd_snapshot_damaged(error, "the snapshot is cut short", found, expected);
    if (h.size < size) return fnd_snapshot_damaged(error, "the snapshot goes on behind its end", found, expected);
    if (h.checksum != checksum_of(bytes, size) || h.shape.stride == 0 || h.shape.record_count > size / h.shape.stride ||
        h.shape.record_count > INT_MAX)
        return fnd_snapshot_damaged(error, "the snapshot is damaged", "bytes that its checksum does not fit",
                                    "the bytes as written");
    return FENDER_STATUS_OK;
}

fender_snapshot *fender_snapshot_from_bytes(const fender_env *env, const void *bytes, size_t size, fender_error *error)
{
    if (!env || !bytes) {
        fnd_world_missing(error);
        return NULL;
    }
    if (check_bytes(bytes, size, error)) return NULL;
    fender_snapshot *snapshot = fnd_snapshot_create(env, size, error);
    if (snapshot) memcpy(snapshot->bytes, bytes, size);
    return snapshot;
}
