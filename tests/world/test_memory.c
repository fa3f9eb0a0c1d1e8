/* Every allocation of a small world's whole life is refused in turn: located and adaptive steps, hosts, trees,
 * connections and the search for the stable step. The call that fails says MEMORY and leaves the world as it was;
 * repeated, it leads to the same world as if nothing had happened; in the end all memory has been given back.
 *
 * Most of what a step needs room for was made room for beforehand. So every request for room is refused in turn as
 * well, whether there is room or not, and every evaluation of contacts and every pair: the linker puts the functions
 * below between (test_memory.cmake). */
#include "check.h"
#include "collide/pair_table.h"
#include "contact/contact_set.h"
#include "contact/crossing.h"
#include "counted_memory.h"
#include "world/world.h"
#include <string.h>

/* ---- Requests for room */

static struct {
    bool counts;
    long calls, fail_at; /* the one that is refused, 0: none */
} room;

static bool refused(void) { return room.counts && ++room.calls == room.fail_at; }

#define BETWEEN(name, parameters, arguments) \
    bool __real_##name parameters;           \
    bool __wrap_##name parameters;           \
    bool __wrap_##name parameters { return !refused() && __real_##name arguments; }
BETWEEN(fnd_reserve, (const fender_env *env, void **memory, int *capacity, int kept, int count, size_t size),
        (env, memory, capacity, kept, count, size))
BETWEEN(fnd_reserve_one_more, (const fender_env *env, void **memory, int *capacity, int count, size_t size),
        (env, memory, capacity, count, size))
BETWEEN(fnd_record_list_reserve, (const fender_env *env, fnd_record_list *list, int count), (env, list, count))
BETWEEN(fnd_contacts_evaluate,
        (const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
         double time, fnd_regime regime, fnd_contact_list *out),
        (env, set, model, frames, time, regime, out))

BETWEEN(fnd_contact_list_reserve_surfaces, (const fender_env *env, fnd_contact_list *list), (env, list))
BETWEEN(fnd_dynamics_reserve, (fnd_dynamics * dynamics, int present), (dynamics, present))
BETWEEN(fnd_world_reserve_states, (fender_world * world, int contacts), (world, contacts))
BETWEEN(fnd_world_interpolate, (fender_world * world, double step, double part, double *weights),
        (world, step, part, weights))

void __real_fnd_pair_evaluate(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b,
                              const fnd_query *query, fnd_manifold *out);
void __wrap_fnd_pair_evaluate(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b,
                              const fnd_query *query, fnd_manifold *out);
void __wrap_fnd_pair_evaluate(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b,
                              const fnd_query *query, fnd_manifold *out)
{
    if (out->env && refused()) out->failed = true;
    else __real_fnd_pair_evaluate(entry, a, b, query, out);
}

typedef struct life {
    fender_env env;
    counted_memory *memory;
    fender_world *world;
    fender_geometry *ball, *plane, *box;
    fender_load_id load;
    int refusals; /* calls that said MEMORY */
    long from;    /* requests before this one are not refused: other lives refuse those */
    bool behind;  /* refused when the call had accepted a step already */
} life;

/* The call is made again when it was refused: the world has kept its hash then. */
#define TRY(l, call)                                                                          \
    do {                                                                                      \
        for (;;) {                                                                            \
            fender_error fault = {0};                                                         \
            const double began = fender_world_time((l)->world);                               \
            const uint64_t before = fender_world_hash((l)->world);                            \
            const fender_status status = (call);                                              \
            if (!status) break;                                                               \
            if (status != FENDER_STATUS_MEMORY) fail_msg("%s: %s", #call, fault.message);     \
            assert_int_equal(fault.status, FENDER_STATUS_MEMORY);                             \
            assert_true(strlen(fault.message) > 0);                                           \
            if (fender_world_time((l)->world) != began) (l)->behind = true;                   \
            else assert_true(fender_world_hash((l)->world) == before);                        \
            if (++(l)->refusals > 1) fail_msg("%s: refused although there is memory", #call); \
        }                                                                                     \
    } while (0)

/* Constructors that return a pointer. */
#define MAKE(l, pointer, call)                                    \
    do {                                                          \
        fender_error fault = {0};                                 \
        (pointer) = (call);                                       \
        if (!(pointer)) {                                         \
            assert_int_equal(fault.status, FENDER_STATUS_MEMORY); \
            assert_int_equal(++(l)->refusals, 1);                 \
            (pointer) = (call);                                   \
            assert_non_null(pointer);                             \
        }                                                         \
    } while (0)

static void begin(life *l, fender_integrator_method method, bool locate)
{
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.locate_events = locate;
    def.step = 2e-3;
    def.relative_tolerance = 1e-7;
    def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -9.8}, 0, {0, 0, 0}};
    MAKE(l, l->world, fender_world_create(&l->env, &def, &fault));
    MAKE(l, l->ball, fender_geometry_sphere(&l->env, 0.5, &fault));
    MAKE(l, l->plane, fender_geometry_plane(&l->env, &fault));
    MAKE(l, l->box, fender_geometry_box(&l->env, fender_vec3_make(0.5, 0.5, 0.5), &fault));
}

static fender_body_id add(life *l, const char *name, fender_motion motion, fender_vec3 position, fender_vec3 velocity,
                          fender_geometry *geometry)
{
    fender_body_def def = fender_body_def_default();
    fender_shape_def shape = fender_shape_def_default();
    fender_body_id id;
    def.name = name;
    def.motion = motion;
    def.mass_properties = (fender_mass_properties){2, {0, 0, 0}, fender_mat3_diagonal(0.2, 0.2, 0.2)};
    def.state.position = position;
    def.state.velocity = velocity;
    shape.name = "hull";
    shape.geometry = geometry;
    TRY(l, fender_body_create(l->world, &def, &id, &fault));
    TRY(l, fender_shape_create(l->world, id, &shape, NULL, &fault));
    return id;
}

static void set(const fender_law *law, double *parameters, const char *name, double value)
{
    check_ok(fender_law_parameters_set(law, parameters, 256, name, value, &error));
}

/* A normal law and a friction law by name, "" for none, with what they need; the default rule. */
static void rule_by(life *l, const char *normal, const char *friction)
{
    double first[32], second[32];
    fender_contact_type_def type = fender_contact_type_def_default();
    fender_rule_def rule = fender_rule_def_default();
    type.name = "touch";
    type.normal = fender_law_find(NULL, normal);
    type.normal_parameters = first;
    check_ok(fender_law_parameters_default(type.normal, first, sizeof first, &error));
    set(type.normal, first, "stiffness", 1e4);
    if (friction[0]) {
        type.friction = fender_law_find(NULL, friction);
        type.friction_parameters = second;
        check_ok(fender_law_parameters_default(type.friction, second, sizeof second, &error));
        for (int i = 0; i < type.friction->parameters.count; i++) {
            const fender_field *field = fender_field_at(&type.friction->parameters, i);
            if (field->flags & FENDER_FIELD_REQUIRED)
                fender_field_set(field, second, 0, field->maximum < 1 ? 0.5 : 0.4);
            if (strcmp(field->name, "stiffness") == 0) fender_field_set(field, second, 0, 1e3);
            if (strcmp(field->name, "modulus") == 0) fender_field_set(field, second, 0, 1e6);
        }
    }
    TRY(l, fender_contact_type_create(l->world, &type, &rule.use, &fault));
    TRY(l, fender_rule_create(l->world, &rule, NULL, &fault));
}

static uint64_t finish(life *l)
{
    const uint64_t hash = fender_world_hash(l->world);
    fender_world_destroy(l->world);
    fender_geometry_release(l->ball);
    fender_geometry_release(l->plane);
    fender_geometry_release(l->box);
    return hash;
}

/* ---- lives */

/* A sphere and a box that slide and bounce on a plane, with a sensor, a strut on a curve and a load from a table. */
static void build_scene(life *l, fender_integrator_method method, bool locate, const char *friction)
{
    static const fender_vec2 curve[] = {{0, 0}, {0.1, 50}, {0.3, 400}};
    static const double times[] = {0, 1};
    static const fender_vec3 rows[] = {{0, 0, 0}, {1, 0, 0}};
    const fender_vec3 still = {0, 0, 0};
    begin(l, method, locate);
    fender_body_id ground = add(l, "ground", FENDER_MOTION_FIXED, still, still, l->plane);
    fender_body_id ball = add(l, "ball", FENDER_MOTION_DYNAMIC, fender_vec3_make(0, 0, 0.502),
                              fender_vec3_make(0.5, 0, -1), l->ball);
    (void)add(l, "box", FENDER_MOTION_DYNAMIC, fender_vec3_make(3, 0, 0.502), fender_vec3_make(0.5, 0.1, -1), l->box);
    rule_by(l, "spring_damper", friction);
    fender_sensor_def sensor = fender_sensor_def_default();
    sensor.name = "eye";
    sensor.beam.body = ball;
    TRY(l, fender_sensor_create(l->world, &sensor, NULL, &fault));
    fender_load_def load = fender_load_def_default();
    load.name = "push";
    load.body = ball;
    load.force = (fender_signal){.kind = FENDER_SIGNAL_TABLE, .times = times, .values = rows, .count = 2};
    TRY(l, fender_load_create(l->world, &load, &l->load, &fault));
    fender_link_strut strut;
    check_ok(fender_field_initialize(fender_link_law_parameters(FENDER_LINK_STRUT), &strut, sizeof strut, &error));
    strut.free_length = 0.5;
    fender_link_def link = fender_link_def_default();
    link.name = "leg";
    link.law = FENDER_LINK_STRUT;
    link.parameters = &strut;
    link.curve = curve;
    link.curve_count = 3;
    TRY(l, fender_point_create(l->world, ground, "foot", fender_pose_identity(), &link.a, &fault));
    TRY(l, fender_point_create(l->world, ball, "hip", fender_pose_identity(), &link.b, &fault));
    TRY(l, fender_link_create(l->world, &link, NULL, &fault));
    TRY(l, fender_world_initialize(l->world, &fault));
}

static uint64_t located(life *l)
{
    build_scene(l, FENDER_INTEGRATOR_RK4, true, "coulomb_static_kinetic");
    for (int i = 0; i < 6; i++) TRY(l, fender_world_step(l->world, &fault));
    assert_true(fender_contact_count(l->world, FENDER_CLOCK_COMMITTED) > 1);
    fender_snapshot *snapshot;
    MAKE(l, snapshot, fender_snapshot_take(l->world, &fault));
    const uint64_t hash = fender_world_hash(l->world);
    TRY(l, fender_world_step(l->world, &fault));
    TRY(l, fender_snapshot_restore(l->world, snapshot, &fault));
    assert_true(fender_world_hash(l->world) == hash);
    fender_snapshot_destroy(snapshot);
    return finish(l);
}

/* The next call has to evaluate the committed state anew. */
static void let_evaluate(life *l)
{
    check_ok(fender_load_set_active(l->world, l->load, false));
    check_ok(fender_load_set_active(l->world, l->load, true));
}

/* With a look into the step, and at its end. What was proposed is gone when it could not be accepted. */
static fender_status step_in_parts(fender_world *world, fender_error *fault)
{
    fender_proposal step;
    fender_status status = fender_world_propose(world, INFINITY, &step, fault);
    if (!status) status = fender_world_sample(world, 0.5 * (step.start_time + step.end_time), fault);
    if (!status) status = fender_world_sample(world, step.end_time, fault);
    if (!status) status = fender_world_sample(world, 0.25 * step.start_time + 0.75 * step.end_time, fault);
    return status ? status : fender_world_accept(world, fault);
}

/* Steps of the grid are tried anew for every look. */
static uint64_t looked_into(life *l)
{
    build_scene(l, FENDER_INTEGRATOR_RK4, true, "lugre");
    for (int i = 0; i < 4; i++) {
        let_evaluate(l);
        TRY(l, step_in_parts(l->world, &fault));
    }
    return finish(l);
}

static uint64_t dense(life *l)
{
    build_scene(l, FENDER_INTEGRATOR_DOP853, true, "cundall_strack");
    for (int i = 0; i < 6; i++) TRY(l, step_in_parts(l->world, &fault));
    assert_true(fender_contact_count(l->world, FENDER_CLOCK_COMMITTED) > 1);
    return finish(l);
}

static uint64_t adaptive(life *l)
{
    build_scene(l, FENDER_INTEGRATOR_DOPRI5, true, "dahl");
    for (int i = 0; i < 8; i++) { TRY(l, step_in_parts(l->world, &fault)); }
    assert_true(fender_contact_count(l->world, FENDER_CLOCK_COMMITTED) > 1);
    return finish(l);
}

/* What was set is gone when it could not be committed. */
static fender_status commit_state(fender_world *world, double time, const double *y, fender_error *fault)
{
    const fender_status status = fender_world_set_state(world, time, y, fault);
    return status ? status : fender_world_commit(world, fault);
}

/* Surfaces of patches, and states of a law, of which a host's steps make room. */
static uint64_t hosted(life *l)
{
    build_scene(l, FENDER_INTEGRATOR_RK4, false, "mindlin");
    double y[2 * FENDER_STATE_PER_BODY], rate[2 * FENDER_STATE_PER_BODY];
    for (int n = 0; n < 4; n++) {
        const double time = fender_world_time(l->world);
        fender_world_get_state(l->world, y);
        let_evaluate(l);
        TRY(l, fender_world_derivative(l->world, rate, &fault));
        for (int i = 0; i < 2 * FENDER_STATE_PER_BODY; i++) y[i] += 2e-3 * rate[i];
        let_evaluate(l);
        TRY(l, commit_state(l->world, time + 2e-3, y, &fault));
    }
    return finish(l);
}

static uint64_t stable(life *l)
{
    double longest = 0;
    build_scene(l, FENDER_INTEGRATOR_RK4, false, "");
    for (int i = 0; i < 3; i++) TRY(l, fender_world_step(l->world, &fault));
    l->from = l->memory->calls; /* it costs thousands of evaluations */
    let_evaluate(l);
    TRY(l, fender_world_stable_step(l->world, &longest, &fault));
    assert_true(longest > 2e-3 && longest < 0.2); /* 2 kg on 1e4 N/m: 2.8 / 71 s, less for the box on its corners */
    return finish(l);
}

/* A load, a sensor and two links. */
static void add_to(life *l, fender_body_id body, fender_body_id other)
{
    fender_load_def load = fender_load_def_default();
    load.name = "push";
    load.body = body;
    load.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {0.1, 0, 0}};
    TRY(l, fender_load_create(l->world, &load, &l->load, &fault));
    fender_sensor_def sensor = fender_sensor_def_default();
    sensor.name = "eye";
    sensor.beam.body = body;
    TRY(l, fender_sensor_create(l->world, &sensor, NULL, &fault));
    fender_link_spring_damper_6dof spring = {.stiffness = {10, 10, 10}, .limit = INFINITY, .angular_limit = INFINITY};
    fender_link_def link = fender_link_def_default();
    link.law = FENDER_LINK_SPRING_DAMPER_6DOF;
    link.parameters = &spring;
    TRY(l, fender_point_create(l->world, other, "from", fender_pose_identity(), &link.a, &fault));
    TRY(l, fender_point_create(l->world, body, "to", fender_pose_identity(), &link.b, &fault));
    for (int i = 0; i < 2; i++) {
        link.name = i == 0 ? "first" : "second";
        TRY(l, fender_link_create(l->world, &link, NULL, &fault));
    }
}

/* Two spheres are attached while they touch, weighed anew, moved and let go; then rules and shapes leave. */
static uint64_t trees(life *l)
{
    const fender_vec3 still = {0, 0, 0};
    begin(l, FENDER_INTEGRATOR_VELOCITY_VERLET, false);
    fender_body_id a = add(l, "a", FENDER_MOTION_DYNAMIC, still, still, l->ball);
    fender_body_id b = add(l, "b", FENDER_MOTION_DYNAMIC, fender_vec3_make(0.99, 0, 0), still, l->ball);
    fender_body_id c = add(l, "c", FENDER_MOTION_DYNAMIC, fender_vec3_make(0, 0.99, 0), still, l->ball);
    rule_by(l, "spring_damper", "");
    static const double times[] = {0, 1}, forces[] = {1, 2, 3, 4};
    const fender_prescribed_force table = {
        .normal = {.times = times, .values = forces, .count = 2, .columns = 1},
        .friction = {.times = times, .values = forces, .count = 2, .columns = 1},
    };
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "given";
    type.normal = type.friction = fender_law_find(NULL, "input");
    type.prescribed_force = &table;
    fender_contact_type_id given;
    TRY(l, fender_contact_type_create(l->world, &type, &given, &fault));
    add_to(l, c, a);
    TRY(l, fender_world_initialize(l->world, &fault));
    TRY(l, fender_world_step(l->world, &fault));
    /* contacts end by one law and begin by another, and back again */
    const fender_rule_id rule = fender_rule_at(l->world, 0);
    fender_contact_type_id touch = {0};
    check_ok(fender_contact_type_find(l->world, "touch", &touch));
    for (int i = 0; i < 2 && !room.counts; i++) {
        TRY(l, fender_rule_set_use(l->world, rule, i == 0 ? given : touch, &fault));
        TRY(l, fender_world_step(l->world, &fault));
    }
    fender_attach_def def = fender_attach_def_default();
    def.child = b;
    def.parent = a;
    def.pose = FENDER_ATTACH_AS_IS;
    let_evaluate(l);
    TRY(l, fender_body_attach(l->world, &def, NULL, &fault));
    fender_pose moved = fender_pose_identity();
    moved.p.x = 1.2;
    let_evaluate(l);
    TRY(l, fender_body_reattach(l->world, b, moved, NULL, &fault));
    const fender_mass_properties heavy = {3, {0, 0, 0}, fender_mat3_diagonal(0.3, 0.3, 0.3)};
    let_evaluate(l);
    TRY(l, fender_body_set_mass(l->world, b, &heavy, &fault));
    const fender_mass_flow flow = {.mass_rate = -1, .until_mass = 2.9};
    let_evaluate(l);
    TRY(l, fender_body_set_mass_flow(l->world, b, &flow, &fault));
    TRY(l, step_in_parts(l->world, &fault));
    let_evaluate(l);
    TRY(l, fender_body_detach(l->world, b, a, FENDER_DETACH_CONNECTION, NULL, &fault));
    fender_body_state state = {.position = {0.98, 0, 0}, .attitude = {1, 0, 0, 0}};
    let_evaluate(l);
    TRY(l, fender_body_set_state(l->world, b, &state, &fault));
    TRY(l, fender_world_step(l->world, &fault));
    fender_shape_id hull = {0};
    check_ok(fender_shape_find(l->world, b, "hull", &hull));
    let_evaluate(l);
    TRY(l, fender_shape_destroy(l->world, hull, &fault));
    TRY(l, fender_world_initialize(l->world, &fault));
    fender_link_id second = {0};
    check_ok(fender_link_find(l->world, "second", &second));
    let_evaluate(l);
    TRY(l, fender_link_destroy(l->world, second, &fault));
    TRY(l, fender_world_initialize(l->world, &fault));
    let_evaluate(l);
    TRY(l, fender_rule_destroy(l->world, fender_rule_at(l->world, 0), &fault));
    let_evaluate(l);
    TRY(l, fender_body_destroy(l->world, c, &fault));
    TRY(l, fender_world_initialize(l->world, &fault));
    TRY(l, fender_world_step(l->world, &fault));
    return finish(l);
}

/* Bodies that a law connects as they touch, by a bushing and by a weld; or once a rule gets that law. */
static uint64_t connections(life *l, int weld, bool later)
{
    const fender_vec3 still = {0, 0, 0};
    double numbers[32];
    begin(l, FENDER_INTEGRATOR_RK4, true);
    (void)add(l, "a", FENDER_MOTION_FIXED, still, still, l->ball);
    (void)add(l, "b", FENDER_MOTION_DYNAMIC, fender_vec3_make(1.001, 0, 0), fender_vec3_make(-1, 0, 0), l->ball);
    fender_contact_type_def type = fender_contact_type_def_default();
    fender_rule_def rule = fender_rule_def_default();
    type.name = "hold";
    type.law = fender_law_find(NULL, "capture");
    type.law_parameters = numbers;
    check_ok(fender_law_parameters_default(type.law, numbers, sizeof numbers, &error));
    set(type.law, numbers, "stiffness", 1e4);
    set(type.law, numbers, "capture_force", 20);
    fender_field_set(fender_field_find(&type.law->parameters, "connection"), numbers, 0, weld ? 0 : 1);
    set(type.law, numbers, "hold_stiffness", 1e4);
    TRY(l, fender_contact_type_create(l->world, &type, &rule.use, &fault));
    const fender_contact_type_id hold = rule.use;
    if (later) rule.use = (fender_contact_type_id){0};
    fender_rule_id id;
    TRY(l, fender_rule_create(l->world, &rule, &id, &fault));
    TRY(l, fender_world_initialize(l->world, &fault));
    l->from = l->memory->calls;
    if (later) {
        fender_snapshot *without, *with;
        MAKE(l, without, fender_snapshot_take(l->world, &fault));
        TRY(l, fender_rule_set_use(l->world, id, hold, &fault));
        MAKE(l, with, fender_snapshot_take(l->world, &fault));
        TRY(l, fender_snapshot_restore(l->world, without, &fault));
        TRY(l, fender_snapshot_restore(l->world, with, &fault));
        fender_snapshot_destroy(without);
        fender_snapshot_destroy(with);
    }
    for (int i = 0; i < 8; i++) TRY(l, fender_world_step(l->world, &fault));
    const fender_event_kind kind = weld ? FENDER_EVENT_ATTACH : FENDER_EVENT_LINK_CAPTURE;
    if (!l->behind) assert_int_equal(fender_world_event_count(l->world, kind), 1);
    return finish(l);
}
static uint64_t bushing(life *l) { return connections(l, 0, false); }
static uint64_t welded(life *l) { return connections(l, 1, false); }
static uint64_t switched(life *l) { return connections(l, 0, true); }

/* ---- all */

static void live(uint64_t (*run)(life *l), const char *name)
{
    counted_memory memory = {0};
    life clean = {.env = counted_env(&memory), .memory = &memory};
    const uint64_t hash = run(&clean);
    const long all = memory.calls;
    assert_int_equal(memory.live, 0);
    int refused = 0;
    for (long n = clean.from + 1; n <= all; n++) {
        memory = (counted_memory){.fail_at = n};
        life l = {.env = counted_env(&memory), .memory = &memory};
        const uint64_t after = run(&l);
        if (after != hash) print_error("%s: another world after allocation %ld was refused", name, n);
        assert_int_equal(memory.live, 0);
        refused += l.refusals;
    }
    printf("%s: %ld allocations, %d calls refused\n", name, all - clean.from, refused);
    assert_int_equal(refused, all - clean.from);
}

/* Each request for room, or every so many-th of them, is refused once in a life. Some evaluations are made again by the
 * next step, and nothing is told. What follows an accepted step (a weld, the event of a connection, the second half of
 * a flow of mass) is told and left out; nothing else is. */
static void live_without_room(uint64_t (*run)(life *l), const char *name, long most, int behind)
{
    counted_memory memory = {0};
    life clean = {.env = counted_env(&memory), .memory = &memory};
    memset(&room, 0, sizeof room);
    room.counts = true;
    const uint64_t hash = run(&clean);
    const long all = room.calls, stride = 1 + all / most;
    int refusals = 0, lives = 0, left_out = 0;
    for (long n = 1; n <= all; n += stride, lives++) {
        memory = (counted_memory){0};
        room.calls = 0;
        room.fail_at = n;
        life l = {.env = counted_env(&memory), .memory = &memory};
        const uint64_t after = run(&l);
        if (!l.behind && after != hash) fail_msg("%s: another world after request %ld was refused", name, n);
        left_out += after != hash;
        assert_int_equal(memory.live, 0);
        refusals += l.refusals;
    }
    room.counts = false;
    printf("%s: %ld requests for room, %d lives, %d calls refused, %d left out\n", name, all, lives, refusals,
           left_out);
    assert_in_range(refusals, lives / 2, lives);
    if (left_out > behind) fail_msg("%d left out", left_out);
}

static void test_located(void **state) { (void)state, live(located, "located"); }
static void test_adaptive(void **state) { (void)state, live(adaptive, "adaptive"); }
static void test_hosted(void **state) { (void)state, live(hosted, "hosted"); }
static void test_stable(void **state) { (void)state, live(stable, "stable step"); }
static void test_looked_into(void **state) { (void)state, live(looked_into, "looked into"); }
static void test_dense(void **state) { (void)state, live(dense, "dense"); }
static void test_trees(void **state) { (void)state, live(trees, "trees"); }
static void test_bushing(void **state) { (void)state, live(bushing, "bushing"); }
static void test_welded(void **state) { (void)state, live(welded, "weld"); }
static void test_switched(void **state) { (void)state, live(switched, "bushing by a rule"); }

static void test_room(void **state)
{
    (void)state;
    live_without_room(located, "located", 1000000, 0);
    live_without_room(adaptive, "adaptive", 1000000, 0);
    live_without_room(looked_into, "looked into", 1000, 0);
    live_without_room(dense, "dense", 1000, 0);
    live_without_room(hosted, "hosted", 1000000, 0);
    live_without_room(trees, "trees", 1000000, 3);
    live_without_room(bushing, "bushing", 1000000, 1);
    live_without_room(welded, "weld", 1000000, 11);
    live_without_room(switched, "bushing by a rule", 1000000, 1);
    live_without_room(stable, "stable step", 30, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_located), cmocka_unit_test(test_adaptive), cmocka_unit_test(test_hosted),
        cmocka_unit_test(test_stable),  cmocka_unit_test(test_trees),    cmocka_unit_test(test_bushing),
        cmocka_unit_test(test_welded),  cmocka_unit_test(test_room),     cmocka_unit_test(test_looked_into),
        cmocka_unit_test(test_dense),   cmocka_unit_test(test_switched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
