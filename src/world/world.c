/* Making and freeing of worlds, and the step's surroundings. */
#include "world/world.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/range.h"
#include "world/tree_change.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

fender_world_def fender_world_def_default(void)
{
    fender_world_def def = {0};
    def.size = sizeof def;
    def.method = FENDER_INTEGRATOR_RK4;
    def.step = 0.01;
    def.threads = 1;
    return def;
}

static fender_status check_def(const fender_world_def *def, fender_error *error)
{
    if (!fnd_world_method(def->method))
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "integrator.method", "the integrator is unknown", "",
                        "a fender_integrator_method", "");
    if (!(def->step > 0) || !isfinite(def->step))
        return fnd_fail(error, FENDER_STATUS_VALUE, "integrator.step", "the step must be above zero and finite",
                        fnd_number(def->step).text, "a time above 0 s", "");
    if (!isfinite(def->start_time))
        return fnd_fail(error, FENDER_STATUS_VALUE, "start_time", "the start time is not finite", "", "a finite time",
                        "");
    if (!(def->start_time + 0.5 * def->step > def->start_time))
        return fnd_fail(error, FENDER_STATUS_VALUE, "start_time", "the start time has no digits for a step",
                        fnd_number(def->start_time).text, "a time from which a step leads to a later one",
                        "count the time from the start of the run, or use a longer integrator.step");
    if (!(def->contact_limit_factor >= 0) || !isfinite(def->contact_limit_factor))
        return fnd_fail(error, FENDER_STATUS_VALUE, "world.contact_limit_factor",
                        "the range limit must not be negative", fnd_number(def->contact_limit_factor).text,
                        "0 (no limit) or a factor above it", "");
    if (def->threads < 0 || def->threads > FND_POOL_THREADS)
        return fnd_fail(error, FENDER_STATUS_VALUE, "world.threads", "the number of threads is out of range",
                        fnd_number(def->threads).text, "0 (one per core) to 256", "");
    const struct {
        double value;
        const char *path, *expected;
    } tolerances[] = {
        {def->event_tolerance, "integrator.event_tolerance", "0 (1e-14 s) or a time above it"},
        {def->relative_tolerance, "integrator.relative_tolerance", "0 (1e-9) or a number above it"},
        {def->absolute_tolerance, "integrator.absolute_tolerance", "0 (the relative one) or a number above it"},
    };
    for (int i = 0; i < 3; i++)
        if (!(tolerances[i].value >= 0) || !isfinite(tolerances[i].value))
            return fnd_fail(error, FENDER_STATUS_VALUE, tolerances[i].path,
                            "the tolerance must not be negative, and be finite", fnd_number(tolerances[i].value).text,
                            tolerances[i].expected, "");
    if (!fender_vec3_is_finite(def->north))
        return fnd_fail(error, FENDER_STATUS_VALUE, "world.north", "the direction of north is not finite", "",
                        "finite components", "");
    return FENDER_STATUS_OK;
}

/* Worlds are numbered as they are made, from 1, and from 1 again after 65,535: ids of another world are told apart by
 * it. Nothing else depends on the number. */
static uint16_t next_number(void)
{
    static atomic_uint fnd_last_world_number;
    return (uint16_t)(1 + atomic_fetch_add_explicit(&fnd_last_world_number, 1, memory_order_relaxed) % UINT16_MAX);
}

fender_world *fender_world_create(const fender_env *env, const fender_world_def *def, fender_error *error)
{
    if (!env || !env->allocator.allocate || !env->allocator.release || !def) {
        fnd_fail(error, FENDER_STATUS_ARGUMENT, "", "a world needs an environment and a definition", "NULL",
                 "both, the environment with an allocator", "fender_env_default() makes one");
        return NULL;
    }
    if (fnd_world_check_size(def->size, sizeof *def, "fender_world_def", error)) return NULL;
    fnd_frame_field field;
    if (check_def(def, error) || fnd_frame_field_make(def, &field, error)) return NULL;
    fender_world *world = fnd_allocate(env, sizeof *world);
    if (!world) {
        fnd_fail_memory(error, "a world");
        return NULL;
    }
    world->env = *env;
    world->def = *def;
    world->model.number = next_number();
    world->events.model = &world->model;
    world->registry = fender_registry_retain(def->registry);
    world->method = fnd_world_method(def->method);
    if (def->event_tolerance == 0) world->def.event_tolerance = 1e-14;
    if (def->relative_tolerance == 0) world->def.relative_tolerance = 1e-9;
    if (def->absolute_tolerance == 0) world->def.absolute_tolerance = world->def.relative_tolerance;
    world->model.contact_limit_factor = def->contact_limit_factor;
    world->model.step = def->step;
    world->dynamics.env = *env;
    world->dynamics.model = &world->model;
    world->dynamics.field = field;
    if (!(fender_vec3_length(def->north) > 0)) world->def.north = fnd_frame_north(&def->frame);
    world->dynamics.start_time = world->time = world->base_time = def->start_time;
    world->dynamics.step = def->step;
    world->dynamics.threads = fnd_pool_wanted(def->threads);
    int dense = world->method->dense_stage_count, stages = world->method->stage_count;
    world->dynamics.stage_count = dense > stages ? dense : stages;
    world->dynamics.contacts.active = true;
    world->dynamics.pieces = fnd_world_locates(world);
    world->dynamics.piece_time = fnd_piece_of(def->start_time);
    return world;
}

static fnd_ode largest_ode(const fender_world *world, int contacts)
{
    const fnd_dynamics *d = &world->dynamics;
    fnd_ode largest = world->ode;
    largest.rotation_count = d->dynamic_capacity;
    largest.position_count = 3 * d->dynamic_capacity;
    largest.momentum_count = 6 * d->dynamic_capacity;
    largest.state_count = d->link_state_count + d->contacts.state_stride * contacts;
    return largest;
}

static size_t vector_size(const fender_world *world, int contacts)
{
    fnd_ode largest = largest_ode(world, contacts);
    return (size_t)(largest.position_count + largest.momentum_count + largest.state_count);
}

static size_t vector_block_size(const fender_world *world, int contacts)
{
    return 4 * vector_size(world, contacts) * sizeof(double);
}

static void lay_out_vectors(fender_world *world)
{
    size_t size = vector_size(world, world->state_capacity);
    if (size == 0) return; /* nothing to point to */
    for (size_t i = 0; i < 3; i++) world->vector[i] = world->vector_block + i * size;
    world->vector_error = world->vector_block + 3 * size;
}

static void release_arrays(fender_world *world)
{
    fnd_ode_workspace_destroy(&world->env, &world->workspace);
    fnd_release(&world->env, world->vector_block, vector_block_size(world, world->state_capacity));
    fnd_release(&world->env, world->block, world->block_size);
    world->block = NULL;
    world->vector_block = NULL;
    world->block_size = 0;
    world->initialized = false;
}

void fnd_inner_world_destroy(fender_world *world)
{
    fender_env env = world->env;
    release_arrays(world);
    fnd_dynamics_release(&world->dynamics);
    for (int i = 0; i < world->dynamics.load_count; i++) fnd_load_release(&env, &world->dynamics.loads[i]);
    for (int i = 0; i < world->dynamics.link_count; i++) fnd_link_release(&env, &world->dynamics.links[i]);
    fnd_release(&env, world->dynamics.links, (size_t)world->dynamics.link_capacity * sizeof *world->dynamics.links);
    fnd_release(&env, world->dynamics.loads, (size_t)world->dynamics.load_capacity * sizeof *world->dynamics.loads);
    for (int i = 0; i < world->sensor_count; i++) fnd_text_release(&env, world->sensors[i].name);
    fnd_release(&env, world->sensors, (size_t)world->sensor_capacity * sizeof *world->sensors);
    for (int i = 0; i < FND_CROSSING_LISTS; i++)
        fnd_release(&env, world->crossings[i].items, (size_t)world->crossings[i].capacity * sizeof(fnd_crossing));
    fnd_release(&env, world->events.items, (size_t)world->events.capacity * sizeof *world->events.items);
    fnd_contact_model_release(&env, &world->model);
    fender_registry_destroy(world->registry);
    fnd_release(&env, world, sizeof *world);
}

const fender_world_def *fender_world_get_def(const fender_world *world) { return world ? &world->def : NULL; }
double fender_world_time(const fender_world *world) { return world ? world->time : 0; }
int64_t fender_world_step_count(const fender_world *world) { return world ? world->step_count : 0; }

int64_t fender_world_freeze_count(const fender_world *world, fender_shape_id *a, fender_shape_id *b)
{
    const bool known = world && world->holds.count > 0 && world->holds.shape_a != UINT32_MAX;
    if (a) *a = known ? fnd_shape_id(&world->model, (int)world->holds.shape_a) : (fender_shape_id){0};
    if (b) *b = known ? fnd_shape_id(&world->model, (int)world->holds.shape_b) : (fender_shape_id){0};
    return world ? world->holds.count : 0;
}

int64_t fender_world_evaluation_count(const fender_world *world)
{
    return world ? world->dynamics.evaluation_count : 0;
}

fender_status fnd_world_switch_contacts(fender_world *world, bool *contacts, bool active)
{
    fnd_world_settle(world);
    if (*contacts == active) return FENDER_STATUS_OK;
    fnd_tree_change change; /* the trees stay; contacts and ledger follow in the same way */
    fender_status status = fnd_tree_change_begin(world, &change, NULL);
    if (status) return status;
    *contacts = active;
    world->dynamics.contacts.broad.valid = false;
    status = fnd_tree_change_end(world, &change, FND_BOOK_OUTSIDE, NULL);
    if (status) *contacts = !active, world->dynamics.contacts.broad.valid = false;
    return status;
}

fender_status fnd_inner_world_set_contacts_active(fender_world *world, bool active)
{
    return fnd_world_switch_contacts(world, &world->dynamics.contacts.active, active);
}

bool fender_world_get_contacts_active(const fender_world *world) { return world && world->dynamics.contacts.active; }

fender_vec3 fender_world_get_gravity(const fender_world *world)
{
    const bool uniform = world && world->dynamics.field.gravity.kind == FENDER_GRAVITY_UNIFORM;
    return uniform ? world->dynamics.field.gravity.acceleration : fender_vec3_make(0, 0, 0);
}

void fnd_world_use_gravity(fender_world *world, fender_vec3 gravity)
{
    fender_gravity *g = &world->dynamics.field.gravity;
    *g = world->def.gravity;
    if (!world->gravity_told) return;
    *g = (fender_gravity){.kind = FENDER_GRAVITY_UNIFORM, .acceleration = gravity};
}

fender_status fnd_inner_world_set_gravity(fender_world *world, fender_vec3 gravity, fender_error *error)
{
    fnd_world_settle(world);
    const fender_gravity_kind kind = world->def.gravity.kind;
    if (world->dynamics.field.framed || (kind != FENDER_GRAVITY_NONE && kind != FENDER_GRAVITY_UNIFORM))
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "world.gravity", "only a uniform gravity can be commanded",
                        "the gravity of a planet or a point mass", "an inertial world with uniform gravity or none",
                        "");
    if (!fnd_is_vector_in_range(gravity))
        return fnd_fail(error, FENDER_STATUS_VALUE, "world.gravity",
                        "the commanded gravity is not finite, or too large", "", "finite numbers of at most 1e100",
                        "check the unit");
    fnd_totals before;
    fender_status status = fnd_world_book_begin(world, &before, error);
    if (status) return status;
    const fender_vec3 had = fender_world_get_gravity(world);
    const bool told = world->gravity_told;
    world->gravity_told = true;
    fnd_world_use_gravity(world, gravity);
    if ((status = fnd_world_book_end(world, &before, error))) {
        world->gravity_told = told;
        fnd_world_use_gravity(world, had);
    }
    return status;
}

const fender_event *fender_world_events(const fender_world *world, int *count)
{
    if (count) *count = world ? world->events.count : 0;
    return world ? world->events.items : NULL;
}

fender_status fnd_world_ready(const fender_world *world, fender_error *error)
{
    if (world->initialized) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_STATE, "", "the world is not initialized",
                    "an object was created or destroyed since initialization", "fender_world_initialize first",
                    "call fender_world_initialize");
}

fender_status fnd_world_missing(fender_error *error)
{
    return fnd_fail(error, FENDER_STATUS_ARGUMENT, "", "a required pointer is NULL", "NULL", "an object",
                    "only arguments documented as optional may be NULL");
}

fender_status fnd_world_stale(fender_error *error, const char *what)
{
    char message[96];
    snprintf(message, sizeof message, "the id does not name a %s of this world", what);
    return fnd_fail(error, FENDER_STATUS_STALE_ID, what, message, "", "an id created by this world", "");
}

fender_status fnd_world_check_name(const fnd_name_index *index, uint32_t scope, const char *name, const char *what,
                                   fender_error *error)
{
    char message[200];
    if (!fnd_name_valid(name)) {
        snprintf(message, sizeof message, "'%.80s' cannot name a %s", name ? name : "", what);
        return fnd_fail(error, FENDER_STATUS_NAME, "name", message, name ? name : "",
                        "1 to 100 letters, digits and _, not beginning with a digit", "");
    }
    if (fnd_name_find(index, scope, name) >= 0) {
        snprintf(message, sizeof message, "a %s is named '%.80s' already", what, name);
        return fnd_fail(error, FENDER_STATUS_NAME, "name", message, name, "a new name", "");
    }
    return FENDER_STATUS_OK;
}

static bool allocate_arrays(fender_world *world)
{
    const fnd_dynamics *d = &world->dynamics;
    size_t bodies = (size_t)world->model.body_count, dynamic = (size_t)d->dynamic_capacity;
    size_t rotations = dynamic * sizeof(fender_quaternion), rotation_error = dynamic * sizeof(fender_vec3);
    size_t links = (size_t)d->link_count * sizeof(fnd_link_memory), leeways = dynamic * sizeof(fnd_leeway);
    world->block_size = 3 * rotations + rotation_error + links + leeways +
                        bodies * (sizeof(fnd_frame) + 2 * sizeof(fender_wrench) + 2 * sizeof(fnd_body) +
                                  sizeof(fender_quaternion));
    if (world->block_size > 0 && !(world->block = fnd_allocate(&world->env, world->block_size))) return false;
    char *at = world->block;
    if (at) { /* without bodies there is nothing to point to */
        for (int i = 0; i < 3; i++) world->rotations[i] = (void *)at, at += rotations;
        world->rotation_error = (void *)at, at += rotation_error;
        world->leeways = (void *)at, at += leeways;
        world->host_frames = (void *)at, at += bodies * sizeof(fnd_frame);
        world->last_stage = (void *)at, at += bodies * sizeof(fender_wrench);
        world->next_stage = (void *)at, at += bodies * sizeof(fender_wrench);
        world->body_backup = (void *)at, at += bodies * sizeof(fnd_body);
        world->bodies_aside = (void *)at, at += bodies * sizeof(fnd_body);
        world->since_backup = (void *)at, at += bodies * sizeof(fender_quaternion);
        world->link_backup = (void *)at;
    }
    for (int i = 0; i < d->link_count; i++) world->link_backup[i] = d->links[i].memory;
    int contacts = world->state_capacity = d->contacts.records.capacity;
    if (vector_size(world, contacts) > 0 &&
        !(world->vector_block = fnd_allocate(&world->env, vector_block_size(world, contacts))))
        return false;
    lay_out_vectors(world);
    world->ode = fnd_dynamics_ode(&world->dynamics);
    fnd_ode largest = largest_ode(world, contacts);
    return fnd_ode_workspace_create(&world->env, &largest, world->method, &world->workspace);
}

bool fnd_world_reserve_states(fender_world *world, int contacts)
{
    if (world->dynamics.contacts.state_stride == 0 || contacts <= world->state_capacity) return true;
    int had = world->state_capacity;
    if (contacts < had + had / 2) contacts = had + had / 2;
    size_t old_size = vector_size(world, had), size = vector_size(world, contacts);
    double *block = fnd_allocate(&world->env, vector_block_size(world, contacts));
    fnd_ode old = largest_ode(world, had), largest = largest_ode(world, contacts);
    if (!block || !fnd_ode_workspace_grow(&world->env, &old, &largest, world->method, &world->workspace)) {
        fnd_release(&world->env, block, vector_block_size(world, contacts));
        return false;
    }
    /* the committed vector and the next have changed places after every step */
    for (size_t i = 0; i < 3 && old_size > 0; i++) memcpy(block + i * size, world->vector[i], old_size * sizeof *block);
    if (old_size > 0) memcpy(block + 3 * size, world->vector_error, old_size * sizeof *block);
    fnd_release(&world->env, world->vector_block, vector_block_size(world, had));
    world->vector_block = block;
    world->state_capacity = contacts;
    lay_out_vectors(world);
    return true;
}

/* A function for every candidate, and for the roots of laws of what touches. */
static bool reserve_crossings(fender_world *world)
{
    const fnd_contact_set *set = &world->dynamics.contacts;
    int wanted = set->candidate_capacity + FND_SLOT_COUNT * FENDER_LAW_ROOT_CAPACITY * set->records.capacity +
                 FND_LINK_ROOT_CAPACITY * world->dynamics.link_count;
    for (int i = 0; i < FND_CROSSING_LISTS && fnd_world_locates(world); i++) {
        void *items = world->crossings[i].items;
        bool ok = fnd_reserve(&world->env, &items, &world->crossings[i].capacity, world->crossings[i].count, wanted,
                              sizeof(fnd_crossing));
        world->crossings[i].items = items;
        if (!ok) return false;
    }
    return true;
}

static bool reserve_events(fender_world *world)
{
    /* three events of each contact that may be under way at once: more than that allocates */
    void *items = world->events.items;
    int wanted = 16 + 3 * world->dynamics.contacts.records.capacity + world->dynamics.link_count;
    bool ok = fnd_reserve(&world->env, &items, &world->events.capacity, world->events.count, wanted,
                          sizeof *world->events.items);
    world->events.items = items;
    return ok;
}

/* Centre of mass of the dynamic bodies: the point about which angular momentum loses least. */
static fender_vec3 system_center(const fender_world *world)
{
    fender_vec3 first = {0, 0, 0}, sum = {0, 0, 0};
    double mass = 0;
    bool any = false;
    for (int i = 0; i < world->model.body_count; i++) {
        const fnd_body *body = &world->model.bodies[i];
        if (!fnd_body_integrated(body)) continue;
        if (!any) first = body->state.p;
        any = true;
        mass += body->mass;
        sum = fender_vec3_add_scaled(sum, body->mass, fender_vec3_sub(body->state.p, first));
    }
    return mass > 0 ? fender_vec3_add_scaled(first, 1.0 / mass, sum) : first;
}

/* Contacts outlive a change of what there is. */
static bool keep_records(fender_world *world, const fnd_contact_set *had)
{
    assert(had->records.count <= had->records.used);
    const fnd_record_list *kept = &had->records;
    fnd_record_list *list = &world->dynamics.contacts.records;
    if (!fnd_record_list_reserve(&world->env, list, kept->count)) return false;
    for (int i = 0; i < kept->count; i++) {
        list->items[i] = *fnd_record_at(kept, i);
        memcpy(fnd_record_memory(list, i), fnd_record_memory(kept, kept->order[i]), kept->stride);
    }
    list->count = kept->count;
    fnd_record_list_in_order(list);
    for (int i = 0; i < had->body_count; i++) world->dynamics.contacts.since[i] = had->since[i];
    return true;
}

/* The arrays that a step needs, beside those that the world had. */
static bool make_arrays(fender_world *world, const fnd_contact_set *had)
{
    fnd_dynamics *d = &world->dynamics;
    memset(&d->contacts, 0, sizeof d->contacts);
    memset(d->evaluations, 0, sizeof d->evaluations);
    memset(&world->workspace, 0, sizeof world->workspace);
    d->dynamic = NULL;
    d->frames = NULL;
    world->block = NULL;
    world->vector_block = NULL;
    world->state_capacity = 0;
    bool ok = fnd_dynamics_create(d) && keep_records(world, had) && allocate_arrays(world);
    d->contacts.active = had->active;
    return ok;
}

/* The committed state in the new arrays. */
static void begin_in_arrays(fender_world *world)
{
    const fnd_dynamics *d = &world->dynamics;
    world->initialized = true;
    world->host_state_set = false;
    fnd_world_pack(world);
    for (int i = 0; i < 9 * d->dynamic_count; i++) world->vector[1][i] = world->vector[0][i];
    for (int i = 0; i < d->dynamic_count; i++) world->rotations[1][i] = world->rotations[0][i];
}

static fender_status reserve_arrays(fender_world *world, fender_error *error)
{
    fnd_dynamics *d = &world->dynamics;
    const bool ok = fnd_dynamics_reserve(d, d->contacts.records.count) &&
                    fnd_world_reserve_states(world, d->contacts.records.capacity) && reserve_events(world) &&
                    reserve_crossings(world);
    return ok ? FENDER_STATUS_OK : fnd_fail_memory(error, "the arrays of a world");
}

/* Evaluates the present state and lets contacts begin in it. */
static fender_status accept_start(fender_world *world, bool restart, const fnd_totals *before, fender_error *error)
{
    fnd_dynamics *d = &world->dynamics;
    world->events.count = 0;
    if (!restart) {
        world->events.hash = 0;
        d->momentum_origin = system_center(world);
    }
    begin_in_arrays(world);
    fender_status status = fnd_world_accept(world, world->time, NULL, NULL, 0, error);
    if (!status) status = reserve_arrays(world, error);
    if (status) return status;
    fnd_totals after = fnd_world_totals(world);
    if (restart) {
        fnd_world_book_change(world, before);
    } else {
        /* what laws let go of at the start was never there, and what was set before it is the start */
        world->account = (fnd_account){.start_energy = after.energy,
                                       .start_momentum = after.linear,
                                       .start_angular_momentum = after.angular,
                                       .start_axial_momentum = after.axial,
                                       .start_wheel_momentum = fnd_world_wheel_axial_momentum(world)};
        fnd_world_account_peak(world, fnd_world_kinetic(world, NULL, &d->evaluations[0]));
    }
    return FENDER_STATUS_OK;
}

/* Releases the arrays that nobody needs: those that the world had, or, after a failure, the new ones. Then all is as it
 * was, but arrays of the world's own that may have grown. */
static void settle_arrays(fender_world *world, const fender_world *had, bool failed)
{
    fender_world other = *had;
    if (failed) {
        other = *world;
        *world = *had;
        for (int i = 0; other.block && i < had->dynamics.link_count; i++)
            world->dynamics.links[i].memory = other.link_backup[i];
        world->events.items = other.events.items;
        world->events.capacity = other.events.capacity;
        world->events.count = 0;
        for (int i = 0; i < FND_CROSSING_LISTS; i++) world->crossings[i] = other.crossings[i];
    }
    release_arrays(&other);
    fnd_dynamics_release(&other.dynamics);
}

fender_status fnd_world_remake_arrays(fender_world *world, fender_error *error)
{
    const fender_world had = *world;
    fender_status status = FENDER_STATUS_OK;
    if (!make_arrays(world, &had.dynamics.contacts)) status = fnd_fail_memory(error, "the arrays of a world");
    if (!status) {
        begin_in_arrays(world);
        if (world->model.body_count > 0)
            memcpy(world->last_stage, had.last_stage, (size_t)world->model.body_count * sizeof *world->last_stage);
        world->kept.ready = world->kept.calm = false;
        status = fnd_world_refresh(world, error);
    }
    if (!status) status = reserve_arrays(world, error);
    settle_arrays(world, &had, status != FENDER_STATUS_OK);
    return status;
}

fender_status fnd_inner_world_initialize(fender_world *world, fender_error *error)
{
    fnd_world_settle(world);
    if (!fnd_model_reserve_parts(&world->env, &world->model, world->time))
        return fnd_fail_memory(error, "moving parts");
    fender_status fits = fnd_world_check_parts(world, error);
    if (!fits) fits = fnd_world_check_prescribed_forces(world, error);
    if (!fits) fits = fnd_world_check_rules(world, error);
    if (fits) return fits;
    fnd_world_choose_least_speeds(world);
    const fnd_connections connections = fnd_connections_of(world);
    fits = fnd_world_prepare_connections(world, error);
    if (fits) {
        fnd_connections_take_back(world, &connections);
        return fits;
    }
    const fender_world had = *world;
    fnd_totals before = fnd_world_totals(world);
    bool restart = had.dynamics.contacts.records.count > 0 || had.step_count > 0;
    fender_status status = make_arrays(world, &had.dynamics.contacts) ? accept_start(world, restart, &before, error)
                                                                      : fnd_fail_memory(error, "the arrays of a world");
    settle_arrays(world, &had, status != FENDER_STATUS_OK);
    if (status) fnd_connections_take_back(world, &connections);
    else fnd_connections_keep(world);
    return status ? status : fnd_world_weld(world, error);
}
