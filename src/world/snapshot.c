/* Snapshots and the hash: one walk over everything that a continuation depends on. */
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "world/world.h"
#include <string.h>

struct fender_snapshot {
    fender_env env;
    unsigned char *bytes;
    size_t size;
};

/* What the walk does with each run of bytes. */
typedef enum walk_mode { WALK_COUNT, WALK_WRITE, WALK_READ, WALK_HASH } walk_mode;
typedef struct walk {
    walk_mode mode;
    unsigned char *bytes;
    size_t at;
    uint64_t hash;
} walk;

static void visit(walk *w, void *memory, size_t size)
{
    if (size == 0) return;
    if (w->mode == WALK_WRITE) memcpy(w->bytes + w->at, memory, size);
    if (w->mode == WALK_READ) memcpy(memory, w->bytes + w->at, size);
    if (w->mode == WALK_HASH) w->hash = fnd_hash_bytes(w->hash, memory, size);
    w->at += size;
}
#define VISIT(object) visit(w, &(object), sizeof(object))

/* Structs are walked field by field where they have padding: its bytes mean nothing. */
static void visit_record(walk *w, fnd_record *r)
{
    VISIT(r->key.a);
    VISIT(r->key.b);
    VISIT(r->key.feature);
    VISIT(r->type);
    VISIT(r->normal);
    VISIT(r->tangent);
    VISIT(r->q_a);
    VISIT(r->q_b);
    VISIT(r->begin_time);
    VISIT(r->approach_speed);
    VISIT(r->impulse);
    VISIT(r->peak_force);
    VISIT(r->peak_force_time);
    VISIT(r->peak_depth);
    VISIT(r->mode);
    VISIT(r->suppressed);
}

/* Composites are in it too: their last bits depend on the order in which they were made. */
static void visit_body(walk *w, fnd_body *b)
{
    VISIT(b->state);
    VISIT(b->core);
    VISIT(b->mass);
    VISIT(b->inverse_mass);
    VISIT(b->center_S);
    VISIT(b->inertia);
    VISIT(b->inverse_inertia);
    VISIT(b->spherical);
    VISIT(b->parent);
    VISIT(b->first_child);
    VISIT(b->last_child);
    VISIT(b->next_sibling);
    VISIT(b->connection_child);
    VISIT(b->connection_parent);
    VISIT(b->connection_order);
    VISIT(b->X_PS);
    VISIT(b->flow);
}

static void visit_world(walk *w, fender_world *world)
{
    fnd_record_list *records = &world->dynamics.contacts.records;
    VISIT(world->time);
    VISIT(world->base_time);
    VISIT(world->step_count);
    VISIT(world->base_step);
    for (int i = 0; i < world->model.body_count; i++) visit_body(w, &world->model.bodies[i]);
    VISIT(world->connection_count);
    VISIT(world->flows);
    for (int i = 0; i < world->model.shape_count; i++) VISIT(world->model.shapes[i].active);
    for (int i = 0; i < world->dynamics.load_count; i++) VISIT(world->dynamics.loads[i].active);
    VISIT(world->dynamics.contacts.active);
    VISIT(world->dynamics.momentum_origin);
    VISIT(world->account);
    VISIT(world->events.hash);
    VISIT(world->events.counts);
    if (w->mode != WALK_HASH) /* what can be read, and nothing follows from */
        visit(w, world->last_stage, (size_t)world->model.body_count * sizeof *world->last_stage);
    VISIT(records->count);
    for (int i = 0; i < records->count; i++) {
        visit_record(w, &records->items[i]);
        visit(w, fnd_record_memory(records, i), records->stride);
    }
}

/* What a world must share with the one that a snapshot was taken of. */
typedef struct shape_of_world {
    int bodies, shapes, types, rules, loads;
    size_t stride, record_count;
    double step;
} shape_of_world;

static shape_of_world structure_of(const fender_world *world)
{
    shape_of_world s;
    memset(&s, 0, sizeof s);
    s.bodies = world->model.body_count;
    s.shapes = world->model.shape_count;
    s.types = world->model.type_count;
    s.rules = world->model.rule_count;
    s.loads = world->dynamics.load_count;
    s.stride = world->dynamics.contacts.records.stride;
    s.step = world->def.step;
    return s;
}

fender_snapshot *fender_snapshot_take(const fender_world *world, fender_error *error)
{
    if (!world) {
        fnd_world_missing(error);
        return NULL;
    }
    if (fnd_world_ready(world, error)) return NULL;
    walk w = {WALK_COUNT, NULL, sizeof(shape_of_world), 0};
    visit_world(&w, (fender_world *)(uintptr_t)world); /* counting and writing read only */
    fender_snapshot *snapshot = fnd_allocate(&world->env, sizeof *snapshot);
    if (snapshot) {
        snapshot->env = world->env;
        snapshot->size = w.at;
        snapshot->bytes = fnd_allocate(&world->env, w.at);
    }
    if (!snapshot || !snapshot->bytes) {
        fender_snapshot_destroy(snapshot);
        fnd_fail_memory(error, "a snapshot");
        return NULL;
    }
    shape_of_world structure = structure_of(world);
    structure.record_count = (size_t)world->dynamics.contacts.records.count;
    memcpy(snapshot->bytes, &structure, sizeof structure);
    w = (walk){WALK_WRITE, snapshot->bytes, sizeof structure, 0};
    visit_world(&w, (fender_world *)(uintptr_t)world);
    return snapshot;
}

/* Into a world that has room for the records. */
static void read_world(fender_world *world, const fender_snapshot *snapshot)
{
    /* the count is read in the course of the walk, before the records */
    walk w = {WALK_READ, snapshot->bytes, sizeof(shape_of_world), 0};
    visit_world(&w, world);
    fnd_dynamics_layout(&world->dynamics); /* the trees may be others */
    world->ode = fnd_dynamics_ode(&world->dynamics);
    fnd_world_pack(world);
}

fender_status fender_snapshot_restore(fender_world *world, const fender_snapshot *snapshot, fender_error *error)
{
    if (!world || !snapshot) return fnd_world_missing(error);
    fender_status status = fnd_world_ready(world, error);
    if (status) return status;
    shape_of_world structure = structure_of(world), taken;
    memcpy(&taken, snapshot->bytes, sizeof taken);
    structure.record_count = taken.record_count;
    if (memcmp(&structure, &taken, sizeof taken) != 0)
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, "snapshot",
                                           "the snapshot is of a world of another structure", "",
                                           "the same bodies, shapes, contact types, rules, loads and step", ""});
    if (!fnd_record_list_reserve(&world->env, &world->dynamics.contacts.records, (int)taken.record_count))
        return fnd_fail_memory(error, "contacts");
    fender_snapshot *before = fender_snapshot_take(world, error);
    if (!before) return FENDER_STATUS_MEMORY;
    bool fresh = world->dynamics.committed_fresh;
    read_world(world, snapshot);
    status = fnd_world_refresh(world, error);
    if (status) {
        read_world(world, before);
        world->dynamics.committed_fresh = fresh;
    } else {
        world->host_state_set = false;
        world->events.count = 0;
    }
    fender_snapshot_destroy(before);
    return status;
}

void fender_snapshot_destroy(fender_snapshot *snapshot)
{
    if (!snapshot) return;
    fender_env env = snapshot->env;
    fnd_release(&env, snapshot->bytes, snapshot->size);
    fnd_release(&env, snapshot, sizeof *snapshot);
}

uint64_t fender_world_hash(const fender_world *world)
{
    walk w = {WALK_HASH, NULL, 0, FND_HASH_START};
    visit_world(&w, (fender_world *)(uintptr_t)world); /* hashing reads only */
    return w.hash;
}
