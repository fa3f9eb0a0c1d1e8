/* Batches of batched contacts give the bits of the general path, in registers of every width: worlds of spheres, points
 * and planes, and of spheres on terrain, with and without batches, are the same after every step. */
#include "check.h"
#include "contact/batch.h"
#include "random_numbers.h"
#include "repeats.h"
#include "world/world.h"
#include <string.h>

typedef struct kind {
    const char *name;
    fender_integrator_method method;
    bool planes_first, feet, coulomb;
    bool solids;                          /* boxes, cylinders and capsules among the balls */
    const char *law, *friction, *rolling; /* NULL: a whole law, or `coulomb` */
    bool located;
    enum { NO_TERRAIN, GRID, MESH } terrain; /* in the place of the floor */
} kind;

enum { GENERAL, PLAIN, AVX2, AVX512, WAYS };

static void set_number(const fender_law *law, void *parameters, const char *name, double value)
{
    fender_field_set(fender_field_find(&law->parameters, name), parameters, 0, value);
}

/* A law by its name, with a few numbers and its defaults. */
static const fender_law *law_with(const char *name, double numbers[32])
{
    static const struct {
        const char *name;
        double value;
    } few[] = {
        {"stiffness", 2e4},          {"damping", 30},    {"mu", 0.3},          {"mu_static", 0.4}, {"mu_kinetic", 0.3},
        {"stick_speed", 0.01},       {"radius", 0.05},   {"slip_speed", 0.01}, {"modulus", 2e5},   {"area", 1e-3},
        {"frictional_modulus", 2e7}, {"unloading", 6e7}, {"dissipation", 0.3}};
    if (!name) return NULL;
    const fender_law *law = fender_law_find(NULL, name);
    assert_non_null(law);
    (void)fender_field_initialize(&law->parameters, numbers, 32 * sizeof *numbers, NULL);
    for (size_t i = 0; i < sizeof few / sizeof few[0]; i++)
        if (fender_field_find(&law->parameters, few[i].name)) set_number(law, numbers, few[i].name, few[i].value);
    return law;
}

static void add_laws(const kind *k, fender_contact_type_def *type)
{
    static double numbers[3][32];
    type->normal = law_with(k->law, numbers[0]);
    type->normal_parameters = numbers[0];
    if (k->friction) set_number(type->normal, numbers[0], "mu", 0);
    type->friction = law_with(k->friction, numbers[1]);
    type->friction_parameters = numbers[1];
    type->rolling = law_with(k->rolling, numbers[2]);
    type->rolling_parameters = numbers[2];
}

static void add_rule(fender_world *world, const kind *k)
{
    const fender_law *push = fender_law_find(NULL, "spring_damper"), *friction = fender_law_find(NULL, "coulomb");
    double push_numbers[16], friction_numbers[16];
    (void)fender_field_initialize(&push->parameters, push_numbers, sizeof push_numbers, NULL);
    (void)fender_field_initialize(&friction->parameters, friction_numbers, sizeof friction_numbers, NULL);
    set_number(push, push_numbers, "stiffness", 2e4);
    set_number(push, push_numbers, "damping", 30);
    if (!k->coulomb) set_number(push, push_numbers, "mu", 0.4);
    set_number(friction, friction_numbers, "mu", 0.3);
    fender_contact_type_def type = {.size = sizeof(fender_contact_type_def), .name = "type"};
    if (k->law) add_laws(k, &type);
    else if (k->coulomb)
        type.normal = push, type.normal_parameters = push_numbers, type.friction = friction,
        type.friction_parameters = friction_numbers;
    else type.law = push, type.law_parameters = push_numbers;
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
}

static void add_shape(fender_world *world, fender_body_id body, fender_geometry *geometry, const char *name,
                      fender_vec3 at)
{
    fender_shape_def shape = fender_shape_def_default();
    shape.name = name, shape.geometry = geometry, shape.X_SG.p = at;
    check_ok(fender_shape_create(world, body, &shape, NULL, &error));
    fender_geometry_release(geometry);
}

/* Hills of cells that are larger than some balls and smaller than others. */
static fender_geometry *hills(bool grid)
{
    enum { SIDE = 13 };
    fender_env env = fender_env_default();
    double heights[SIDE * SIDE];
    fender_vec3 vertices[SIDE * SIDE];
    int32_t triangles[2 * (SIDE - 1) * (SIDE - 1)][3];
    const double lower = -0.3, spacing = 0.09;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            heights[j * SIDE + i] = -0.01 + 0.012 * sin(1.7 * i) * cos(1.1 * j);
            vertices[j * SIDE + i] = fender_vec3_make(lower + spacing * i, lower + spacing * j, heights[j * SIDE + i]);
        }
    for (int j = 0, t = 0; j < SIDE - 1; j++)
        for (int i = 0; i < SIDE - 1; i++) {
            const int32_t at = j * SIDE + i,
                          corners[2][3] = {{at, at + 1, at + SIDE + 1}, {at, at + SIDE + 1, at + SIDE}};
            memcpy(triangles[t], corners, sizeof corners);
            t += 2;
        }
    const fender_grid_def of_grid = {
        .count_x = SIDE, .count_y = SIDE, .lower = {lower, lower}, .spacing = {spacing, spacing}, .heights = heights};
    const fender_mesh_def of_mesh = {vertices, SIDE * SIDE, triangles[0], 2 * (SIDE - 1) * (SIDE - 1)};
    return grid ? fender_geometry_grid(&env, &of_grid, NULL) : fender_geometry_mesh(&env, &of_mesh, NULL);
}

/* A floor and two walls, one of them leaning and turned. */
static void add_planes(fender_world *world, const kind *k, random_stream *stream)
{
    fender_env env = fender_env_default();
    const fender_quaternion q[3] = {{1, 0, 0, 0},
                                    {sqrt(0.5), 0, sqrt(0.5), 0},
                                    fender_quaternion_normalized((fender_quaternion){0.8, -0.5, 0.3, 0.1})};
    static const char *const names[3] = {"floor", "wall", "leaning"};
    for (int i = 0; i < 3; i++) {
        fender_body_def def = fender_body_def_default();
        fender_body_id id;
        def.name = names[i], def.motion = FENDER_MOTION_FIXED, def.state.attitude = q[i];
        def.state.position = fender_vec3_make(-0.2 * (i > 0), random_between(stream, -0.3, -0.2) * (i > 1), 0);
        check_ok(fender_body_create(world, &def, &id, &error));
        fender_geometry *geometry = k->terrain && i == 0 ? hills(k->terrain == GRID)
                                                         : fender_geometry_plane(&env, NULL);
        add_shape(world, id, geometry, "plane", (fender_vec3){0, 0, 0});
    }
}

enum { BODIES = 24 };

static fender_geometry *solid(int i, double r)
{
    fender_env env = fender_env_default();
    switch (i % 4) {
    case 0: return fender_geometry_box(&env, fender_vec3_make(0.7 * r, 0.8 * r, 0.6 * r), NULL);
    case 1: return fender_geometry_cylinder(&env, 0.8 * r, 1.2 * r, NULL);
    case 2: return fender_geometry_capsule(&env, 0.6 * r, r, NULL);
    default: return fender_geometry_sphere(&env, r, NULL);
    }
}

static void add_bodies(fender_world *world, const kind *k, random_stream *stream)
{
    fender_env env = fender_env_default();
    for (int i = 0; i < (k->solids ? BODIES / 2 : BODIES); i++) {
        char name[32];
        snprintf(name, sizeof name, "body_%d", i);
        fender_body_def def = fender_body_def_default();
        fender_body_id id;
        const double r = random_between(stream, 0.04, 0.06);
        def.name = name, def.mass_properties.mass = random_between(stream, 0.5, 2);
        def.mass_properties.inertia = fender_mat3_diagonal(2e-3, 2e-3, i % 3 == 0 ? 1e-3 : 2e-3);
        def.state.position = fender_vec3_make(0.11 * (i % 3), 0.11 * (i / 3 % 2), 0.06 + 0.1 * (i / 6));
        def.state.attitude = random_rotation(stream);
        def.state.velocity = random_in_ball(stream, 0.5);
        def.state.angular_velocity = random_in_ball(stream, 5);
        check_ok(fender_body_create(world, &def, &id, &error));
        add_shape(world, id, k->solids ? solid(i, r) : fender_geometry_sphere(&env, r, NULL), "ball",
                  (fender_vec3){0, 0, 0});
        if (!k->feet) continue;
        add_shape(world, id, fender_geometry_sphere(&env, 0.4 * r, NULL), "foot", random_in_ball(stream, r));
        add_shape(world, id, fender_geometry_point(&env, NULL), "point", random_in_ball(stream, 1.5 * r));
    }
}

static int64_t lanes; /* that batches had */

#define COUNTED(name)                                             \
    static void name##_counted(fnd_batch *b, fnd_batch_result *r) \
    {                                                             \
        lanes += b->count;                                        \
        name(b, r);                                               \
    }
COUNTED(fnd_batch_evaluate_plain)
#ifdef FND_WIDE
COUNTED(fnd_batch_evaluate_avx2)
COUNTED(fnd_batch_evaluate_avx512)
#endif

/* NULL: this processor has no such registers. */
static fender_world *build(const kind *k, int way)
{
    fnd_batch_function *const functions[WAYS] = {
        NULL, fnd_batch_evaluate_plain_counted,
#ifdef FND_WIDE
        __builtin_cpu_supports("avx2") ? fnd_batch_evaluate_avx2_counted : NULL,
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") ? fnd_batch_evaluate_avx512_counted
                                                                                : NULL
#endif
    };
    fnd_batch_sum_function *const sums[WAYS] = {NULL, fnd_batch_sum_plain,
#ifdef FND_WIDE
                                                fnd_batch_sum_avx2, fnd_batch_sum_avx512
#endif
    };
    if (way != GENERAL && !functions[way]) return NULL;
    random_stream stream = random_of_case(0x9159, (uint64_t)k->method);
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = k->method, def.step = 5e-4, def.locate_events = k->located;
    def.gravity.kind = FENDER_GRAVITY_UNIFORM, def.gravity.acceleration = fender_vec3_make(-2, -1, -9.8);
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    if (k->planes_first) add_planes(world, k, &stream);
    add_bodies(world, k, &stream);
    if (!k->planes_first) add_planes(world, k, &stream);
    add_rule(world, k);
    /* of terrain, what is evaluated again when a contact begins is decided by the type */
    if (way == GENERAL && !k->terrain) world->model.types[0].batch = world->model.types[0].sticks = false;
    check_ok(fender_world_initialize(world, &error));
    if (way == GENERAL) world->dynamics.contacts.any_batched = false;
    if (way != GENERAL) world->dynamics.contacts.batch_function = functions[way];
    if (way != GENERAL) world->dynamics.contacts.batch_sum = sums[way];
    return world;
}

static void check_same(const kind *k)
{
    fender_world *worlds[WAYS];
    int ways = 0, most = 0, events = 0, batch = 0;
    lanes = 0;
    for (int w = 0; w < WAYS; w++) {
        fender_world *world = build(k, w);
        if (world) worlds[ways++] = world;
    }
    int steps = k->law ? 120 : 200 + repeats(400);
    if (k->located) steps = 50;
    if (k->solids) steps = k->located ? 1 : k->law ? 80 : 200;
    for (int step = 0; step < steps; step++) {
        for (int w = 0; w < ways; w++) check_ok(fender_world_step(worlds[w], &error));
        const uint64_t hash = fender_world_hash(worlds[0]);
        const fnd_contact_list *list = &worlds[0]->dynamics.evaluations[0].contacts;
        assert_int_equal(list->batched_count, 0);
        for (int w = 1; w < ways; w++) {
            const fnd_contact_list *other = &worlds[w]->dynamics.evaluations[0].contacts;
            if (fender_world_hash(worlds[w]) != hash) print_error("%s, way %d, step %d\n", k->name, w, step);
            assert_true(fender_world_hash(worlds[w]) == hash);
            assert_int_equal(other->count, list->count);
            batch += other->batched_count;
            const int shown = fender_contact_count(worlds[w], FENDER_CLOCK_COMMITTED); /* pairs as a whole are not */
            for (int i = 0; i < shown; i++) { /* what a report shows, the hash apart */
                fender_contact_data one, two;
                check_ok(fender_contact_at(worlds[0], FENDER_CLOCK_COMMITTED, i, &one));
                check_ok(fender_contact_at(worlds[w], FENDER_CLOCK_COMMITTED, i, &two));
                one.a.world = one.b.world = one.type.world = two.a.world; /* ids tell worlds apart */
                assert_memory_equal(&one, &two, sizeof one);
            }
        }
        if (list->count > most) most = list->count;
    }
    events = (int)fender_world_event_count(worlds[0], FENDER_EVENT_END);
    print_message("%s: %d ways, at most %d contacts, %d ended, %d rows and %d lanes from batches\n", k->name, ways,
                  most, events, batch, (int)lanes);
    assert_true(ways > 1 && most > 9);
    assert_true(events > (k->located ? -1 : k->law || k->solids ? 0 : repeats(50)));
    assert_true(lanes > 2000 * (ways - 1)); /* each width of registers has been tried */
    const bool linear = !k->law || (strcmp(k->law, "spring_damper") == 0 && !k->rolling);
    const int least = k->solids ? 0 : k->law ? 300 : 300 + repeats(2200);
    assert_true(linear ? batch >= least * (ways - 1) : batch == 0);
    for (int w = 0; w < ways; w++) fender_world_destroy(worlds[w]);
}

static void batches_give_the_same_bits(void **state)
{
    (void)state;
    const fender_integrator_method euler = FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, rk4 = FENDER_INTEGRATOR_RK4;
    const fender_integrator_method verlet = FENDER_INTEGRATOR_VELOCITY_VERLET, adaptive = FENDER_INTEGRATOR_DOPRI5;
    const char *push = "spring_damper", *stick = "coulomb_static_kinetic";
    const kind kinds[] = {
        {.name = "balls, euler", .method = euler},
        {.name = "planes first, rk4", .method = rk4, .planes_first = true},
        {.name = "feet and points, rk4", .method = rk4, .feet = true, .coulomb = true},
        {.name = "planes first, feet, verlet", .method = verlet, .planes_first = true, .feet = true, .coulomb = true},
        {.name = "stick-slip, rk4", .method = rk4, .planes_first = true, .feet = true, .law = push, .friction = stick},
        {.name = "stick-slip, euler", .method = euler, .feet = true, .law = push, .friction = stick},
        {.name = "rolling", .method = euler, .feet = true, .law = push, .friction = stick, .rolling = "rolling_stick"},
        {.name = "hunt_crossley",
         .method = verlet,
         .planes_first = true,
         .law = "hunt_crossley",
         .friction = "coulomb"},
        {.name = "located", .method = rk4, .law = push, .friction = "coulomb", .located = true},
        {.name = "located, stick-slip", .method = rk4, .law = push, .friction = stick, .located = true},
        {.name = "grid, euler", .method = euler, .coulomb = true, .terrain = GRID},
        {.name = "mesh, feet, rk4", .method = rk4, .feet = true, .terrain = MESH},
        {.name = "mesh, hunt_crossley",
         .method = verlet,
         .law = "hunt_crossley",
         .friction = "coulomb",
         .terrain = MESH},
        {.name = "grid, located, stick-slip",
         .method = rk4,
         .planes_first = true,
         .law = push,
         .friction = stick,
         .located = true,
         .terrain = GRID},
        {.name = "solids, euler", .method = euler, .planes_first = true, .coulomb = true, .solids = true},
        {.name = "solids on a grid, stick-slip, rk4",
         .method = rk4,
         .law = push,
         .friction = stick,
         .terrain = GRID,
         .solids = true},
        {.name = "solids, located, stick-slip",
         .method = rk4,
         .law = push,
         .friction = stick,
         .located = true,
         .solids = true},
        {.name = "solids on a mesh, hunt_crossley",
         .method = verlet,
         .planes_first = true,
         .law = "hunt_crossley",
         .friction = "coulomb",
         .terrain = MESH,
         .solids = true},
        /* these read no surfaces, as area and radius are given */
        {.name = "soil, solids on a grid",
         .method = rk4,
         .law = "soil",
         .friction = stick,
         .located = true,
         .terrain = GRID,
         .solids = true},
        {.name = "soil", .method = rk4, .planes_first = true, .feet = true, .law = "soil", .friction = stick},
        {.name = "hertz", .method = rk4, .law = "hertz", .friction = "coulomb"},
        {.name = "adaptive, stick-slip", .method = adaptive, .law = push, .friction = stick, .located = true},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) check_same(&kinds[i]);
}

/* A snapshot has the records in the order of keys, wherever they are kept: the run goes on the same. */
static void snapshots_go_on_the_same(void **state)
{
    (void)state;
    const kind k = {.name = "balls", .method = FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER};
    fender_world *world = build(&k, PLAIN);
    check_ok(fender_world_advance(world, 400, &error));
    const fnd_record_list *records = &world->dynamics.contacts.records;
    bool moved = false;
    for (int i = 0; i < records->count; i++) moved |= records->order[i] != i;
    assert_true(moved); /* else nothing is tried */
    fender_snapshot *snapshot = fender_snapshot_take(world, NULL);
    assert_non_null(snapshot);
    check_ok(fender_world_advance(world, 200, &error));
    const uint64_t hash = fender_world_hash(world);
    check_ok(fender_snapshot_restore(world, snapshot, &error));
    check_ok(fender_world_advance(world, 200, &error));
    assert_true(fender_world_hash(world) == hash);
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(world);
}

/* Batches are planned once for a contact that stays, and again when it ends and when it begins. */
static void batches_are_kept(void **state)
{
    (void)state;
    const kind k = {.name = "kept", .method = FENDER_INTEGRATOR_RK4};
    fender_env env = fender_env_default();
    fender_world_def world_def = fender_world_def_default();
    world_def.step = 1e-3;
    world_def.gravity.kind = FENDER_GRAVITY_UNIFORM;
    world_def.gravity.acceleration = fender_vec3_make(0, 0, -10);
    fender_world *world = fender_world_create(&env, &world_def, NULL);
    fender_body_id ground, ball;
    add_rule(world, &k);
    fender_body_def def = fender_body_def_default();
    def.name = "ground", def.motion = FENDER_MOTION_FIXED;
    check_ok(fender_body_create(world, &def, &ground, &error));
    add_shape(world, ground, fender_geometry_plane(&env, NULL), "plane", (fender_vec3){0, 0, 0});
    def.name = "ball", def.motion = FENDER_MOTION_DYNAMIC;
    def.mass_properties = (fender_mass_properties){2, {0, 0, 0}, fender_mat3_diagonal(0.2, 0.2, 0.2)};
    def.state.position = fender_vec3_make(0, 0, 0.5 - 2 * 10 / 2e4); /* at rest */
    check_ok(fender_body_create(world, &def, &ball, &error));
    add_shape(world, ball, fender_geometry_sphere(&env, 0.5, NULL), "ball", (fender_vec3){0, 0, 0});
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance(world, 10, &error));
    const fnd_batch_plan *plan = world->dynamics.contacts.plan;
    const uint64_t version = plan->version;
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 1);
    check_ok(fender_world_advance(world, 100, &error));
    assert_int_equal(plan->version, version);
    assert_true(plan->batches[0].known[0]);
    fender_body_state up = def.state;
    up.position.z = 0.51;
    check_ok(fender_body_set_state(world, ball, &up, &error));
    check_ok(fender_world_advance(world, 2, &error));
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 0);
    assert_true(plan->version > version && !plan->batches[0].known[0]);
    check_ok(fender_world_advance(world, 55, &error)); /* 45 ms to the ground */
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 1);
    assert_true(plan->batches[0].known[0]);
    fender_world_destroy(world);
}

/* A sphere at its body's centre of mass is no longer there when another body is attached to that: it touches what it
 * has touched, with the same depth, and again when the other has left and when its own centre of mass is elsewhere. */
static void spheres_whose_center_of_mass_moves(void **state)
{
    (void)state;
    const kind k = {.name = "attached", .method = FENDER_INTEGRATOR_RK4};
    fender_env env = fender_env_default();
    fender_world_def world_def = fender_world_def_default();
    world_def.step = 1e-3;
    fender_world *world = fender_world_create(&env, &world_def, NULL);
    static const fender_vec3 places[] = {{0, 0, 0}, {0.99, 0, 0}, {0, 0.98, 0}};
    fender_body_id bodies[3];
    add_rule(world, &k);
    for (int i = 0; i < 3; i++) {
        fender_body_def def = fender_body_def_default();
        def.name = i == 0 ? "a" : i == 1 ? "b" : "c";
        def.mass_properties = (fender_mass_properties){2, {0, 0, 0}, fender_mat3_diagonal(0.2, 0.2, 0.2)};
        def.state.position = places[i];
        check_ok(fender_body_create(world, &def, &bodies[i], &error));
        add_shape(world, bodies[i], fender_geometry_sphere(&env, 0.5, NULL), "ball", (fender_vec3){0, 0, 0});
    }
    check_ok(fender_world_initialize(world, &error));
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 2);
    fender_attach_def attach = fender_attach_def_default();
    attach.child = bodies[1], attach.parent = bodies[0], attach.pose = FENDER_ATTACH_AS_IS;
    const fender_mass_properties leaning = {2, {0.1, 0.2, 0}, fender_mat3_diagonal(0.3, 0.3, 0.3)};
    for (int round = 0; round < 3; round++) {
        if (round == 0) check_ok(fender_body_attach(world, &attach, NULL, &error));
        if (round == 1)
            check_ok(fender_body_detach(world, bodies[1], bodies[0], FENDER_DETACH_CONNECTION, NULL, &error));
        if (round == 2) check_ok(fender_body_set_mass(world, bodies[0], &leaning, &error));
        const int count = fender_contact_count(world, FENDER_CLOCK_COMMITTED);
        fender_contact contact;
        assert_int_equal(count, round == 0 ? 1 : 2);
        check_ok(fender_contact_get(world, FENDER_CLOCK_COMMITTED, count - 1, &contact));
        assert_string_equal(fender_shape_name(world, contact.a), "ball");
        check_near(contact.depth, 0.02, 1e-15);
        check_near(contact.normal_force, 2e4 * 0.02, 1e-10);
    }
    fender_world_destroy(world);
}

/* Two spheres go on pressing each other while a third grazes a fourth within a step: that touch begins and ends. */
static void a_touch_within_a_step(void **state)
{
    (void)state;
    const kind k = {.name = "graze", .method = FENDER_INTEGRATOR_RK4};
    static const fender_vec3 places[] = {{0, 0, 0}, {0.98, 0, 0}, {10, -0.45, 0}, {10.99, 0, 0}};
    fender_world *worlds[2];
    for (int w = 0; w < 2; w++) {
        fender_env env = fender_env_default();
        fender_world_def world_def = fender_world_def_default();
        world_def.step = 1e-2;
        fender_world *world = worlds[w] = fender_world_create(&env, &world_def, NULL);
        add_rule(world, &k);
        for (int i = 0; i < 4; i++) {
            static const char *const names[] = {"a", "b", "c", "d"};
            fender_body_id id;
            fender_body_def def = fender_body_def_default();
            def.name = names[i];
            def.mass_properties = (fender_mass_properties){200, {0, 0, 0}, fender_mat3_diagonal(20, 20, 20)};
            def.state.position = places[i];
            def.state.velocity.y = i == 2 ? 30 : 0;
            check_ok(fender_body_create(world, &def, &id, &error));
            add_shape(world, id, fender_geometry_sphere(&env, 0.5, NULL), "ball", (fender_vec3){0, 0, 0});
        }
        if (w == 0) world->model.types[0].batch = world->model.types[0].sticks = false;
        check_ok(fender_world_initialize(world, &error));
        if (w == 0) world->dynamics.contacts.any_batched = false;
        check_ok(fender_world_step(world, &error));
        check_ok(fender_world_step(world, &error));
        assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 1);
    }
    assert_int_equal(worlds[1]->dynamics.evaluations[0].contacts.batched_count, 1);
    assert_true(fender_world_hash(worlds[0]) == fender_world_hash(worlds[1]));
    for (int w = 0; w < 2; w++) {
        fender_body_state grazing;
        check_ok(fender_body_get_state(worlds[w], fender_body_at(worlds[w], 2), FENDER_CLOCK_COMMITTED, &grazing));
        assert_true(grazing.velocity.x < -1e-3); /* it was pushed */
        assert_int_equal(fender_world_event_count(worlds[w], FENDER_EVENT_END), 1);
        fender_world_destroy(worlds[w]);
    }
}

/* During a commit, contacts of a pair that are asked for by their keys are of one query, as long as it is of the same
 * frames. */
static void contacts_by_key_are_of_one_query(void **state)
{
    (void)state;
    const kind k = {.name = "asked", .method = FENDER_INTEGRATOR_RK4};
    fender_env env = fender_env_default();
    fender_world_def world_def = fender_world_def_default();
    fender_world *world = fender_world_create(&env, &world_def, NULL);
    add_rule(world, &k);
    for (int i = 0; i < 2; i++) {
        fender_body_id id;
        fender_body_def def = fender_body_def_default();
        def.name = i == 0 ? "a" : "b";
        def.mass_properties = (fender_mass_properties){2, {0, 0, 0}, fender_mat3_diagonal(0.2, 0.2, 0.2)};
        def.state.position.x = 0.98 * i;
        check_ok(fender_body_create(world, &def, &id, &error));
        add_shape(world, id, fender_geometry_sphere(&env, 0.5, NULL), "ball", (fender_vec3){0, 0, 0});
    }
    check_ok(fender_world_initialize(world, &error));
    fnd_contact_set *set = &world->dynamics.contacts;
    const fnd_contact_model *model = &world->model;
    const fnd_record *record = fnd_record_at(&set->records, 0);
    const fnd_frame a = fnd_frame_of_state(&model->bodies[0], &model->bodies[0].state);
    fnd_frame b = fnd_frame_of_state(&model->bodies[1], &model->bodies[1].state);
    for (int keeps = 0; keeps < 2; keeps++) {
        fnd_contact c;
        set->probed = (fnd_probed){.keeps = keeps};
        assert_true(fnd_contact_probe_key(&env, set, model, &a, &b, &record->key, record->type, &c));
        check_near(c.in.depth, 0.02, 1e-15);
        set->manifold.items[0].distance = -0.3; /* tells whether it is asked again */
        assert_true(fnd_contact_probe_key(&env, set, model, &a, &b, &record->key, record->type, &c));
        check_near(c.in.depth, keeps ? 0.3 : 0.02, 1e-15);
        fnd_frame other = b;
        other.p.x -= 0.01;
        assert_true(fnd_contact_probe_key(&env, set, model, &a, &other, &record->key, record->type, &c));
        check_near(c.in.depth, 0.03, 1e-15);
        fnd_key none = record->key;
        none.feature++;
        assert_false(fnd_contact_probe_key(&env, set, model, &a, &other, &none, record->type, &c));
    }
    fnd_parts *none = world->model.parts, moving = {.active = 1}; /* shapes that move on bodies that do not */
    world->model.parts = &moving;
    for (int time = 0; time < 2; time++) {
        fnd_contact c;
        moving.time = time;
        assert_true(fnd_contact_probe_key(&env, set, model, &a, &b, &record->key, record->type, &c));
        check_near(c.in.depth, 0.02, 1e-15);
        set->manifold.items[0].distance = -0.3;
    }
    world->model.parts = none;
    set->probed = (fnd_probed){.keeps = false};
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_touch_within_a_step),
                                       cmocka_unit_test(batches_give_the_same_bits),
                                       cmocka_unit_test(batches_are_kept),
                                       cmocka_unit_test(snapshots_go_on_the_same),
                                       cmocka_unit_test(spheres_whose_center_of_mass_moves),
                                       cmocka_unit_test(contacts_by_key_are_of_one_query)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
