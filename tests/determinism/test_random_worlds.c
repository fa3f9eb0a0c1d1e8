/* Small worlds drawn at random, with any law, method and ground, whose topology, shapes, masses and gravity are edited
 * between steps: the general path, batches, several threads, steps in parts and snapshots have the same bits. */
#include "check.h"
#include "random_numbers.h"
#include "repeats.h"
#include "world/world.h"
#include <fender/fender.h>
#include <stdio.h>
#include <string.h>

static fender_env env;

enum { GENERAL, BATCHES, THREADS, PARTS, RESTORED, ANEW, WAYS };
enum { STEPS = 20, SIDE = 9 };

static void set(const fender_law *law, void *parameters, const char *name, double value)
{
    const fender_field *field = fender_field_find(&law->parameters, name);
    if (field) fender_field_set(field, parameters, 0, value);
}

static const fender_law *law_of(random_stream *r, const char *name, double numbers[64])
{
    static const struct {
        const char *name;
        double low, high;
    } ranges[] = {{"stiffness", 5e3, 5e4},
                  {"damping", 0, 40},
                  {"mu_static", 0.5, 0.8},
                  {"mu_dynamic", 0.3, 0.5},
                  {"mu_kinetic", 0.3, 0.5},
                  {"stick_speed", 0.02, 0.03},
                  {"slip_speed", 0.02, 0.03},
                  {"stribeck_speed", 0.05, 1},
                  {"amplitude", 1e-3, 3e-3},
                  {"arm", 1e-3, 1e-2},
                  {"radius", 5e-3, 2e-2},
                  {"roll_rate", 0.1, 0.2},
                  {"twist_rate", 0.1, 0.2},
                  {"rest_rate", 0.05, 0.1},
                  {"restitution", 0.3, 0.9},
                  {"friction_angle", 0.3, 0.6},
                  {"shear_displacement", 1e-3, 2e-3}};
    const fender_law *law = fender_law_find(NULL, name);
    assert_non_null(law);
    (void)fender_field_initialize(&law->parameters, numbers, 64 * sizeof *numbers, NULL);
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        set(law, numbers, ranges[i].name, random_between(r, ranges[i].low, ranges[i].high));
    set(law, numbers, "mu", strcmp(name, "spring_damper") == 0 ? 0 : random_between(r, 0.2, 0.8));
    if (strcmp(name, "hunt_crossley") == 0) set(law, numbers, "stiffness", random_magnitude(r, 2e5, 2e6));
    return law;
}

static void add_type(fender_world *world, random_stream *r)
{
    static const char *const normals[] = {"spring_damper", "spring_damper", "hunt_crossley"};
    static const char *const frictions[] = {
        "coulomb", "coulomb_static_kinetic", "lugre", "cundall_strack", "janosi", "stribeck", "dahl", NULL};
    static double numbers[4][64];
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "type";
    type.normal = law_of(r, normals[random_below(r, 3)], numbers[0]);
    type.normal_parameters = numbers[0];
    const char *friction = frictions[random_below(r, 8)];
    if (friction) type.friction = law_of(r, friction, numbers[1]);
    type.friction_parameters = numbers[1];
    if (random_below(r, 3) == 0) {
        type.rolling = law_of(r, random_below(r, 2) ? "rolling_resistance" : "rolling_stick", numbers[2]);
        set(type.rolling, numbers[2], "stiffness", 20);
        set(type.rolling, numbers[2], "damping", 0.01);
        type.rolling_parameters = numbers[2];
    }
    if (random_below(r, 4) == 0) {
        type.twisting = law_of(r, "torsional", numbers[3]);
        type.twisting_parameters = numbers[3];
    }
    type.points = random_below(r, 3) ? FENDER_CONTACT_POINTS_PATCH : FENDER_CONTACT_POINTS_SINGLE;
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_DEFAULT;
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

/* A floor and a wall. */
static void add_ground(fender_world *world, random_stream *r)
{
    double heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) heights[i] = random_between(r, -0.02, 0);
    const fender_grid_def grid = {SIDE, SIDE, {-0.8, -0.8}, {0.2, 0.2}, heights};
    for (int i = 0; i < 2; i++) {
        fender_body_def def = fender_body_def_default();
        fender_body_id id;
        def.name = i ? "wall" : "floor";
        def.motion = FENDER_MOTION_FIXED;
        if (i) def.state.attitude = (fender_quaternion){sqrt(0.5), 0, sqrt(0.5), 0};
        if (i) def.state.position.x = -0.2;
        check_ok(fender_body_create(world, &def, &id, &error));
        const bool hills = i == 0 && random_below(r, 2);
        add_shape(world, id, hills ? fender_geometry_grid(&env, &grid, NULL) : fender_geometry_plane(&env, NULL),
                  "ground", (fender_vec3){0, 0, 0});
    }
}

static fender_geometry *solid(random_stream *r, double size, bool balls)
{
    switch (balls ? 0 : random_below(r, 8)) {
    case 1: return fender_geometry_box(&env, fender_vec3_make(0.8 * size, 0.7 * size, 0.6 * size), NULL);
    case 2: return fender_geometry_capsule(&env, 0.5 * size, 0.6 * size, NULL);
    case 3: return fender_geometry_cylinder(&env, 0.8 * size, 0.6 * size, NULL);
    default: return fender_geometry_sphere(&env, size, NULL);
    }
}

static void add_bodies(fender_world *world, random_stream *r, int count)
{
    const bool balls = random_below(r, 3) == 0;
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        fender_body_def def = fender_body_def_default();
        fender_body_id id;
        def.name = name;
        def.mass_properties.mass = random_between(r, 0.5, 2);
        def.mass_properties.inertia = random_inertia(r, def.mass_properties.mass, 0.05);
        if (i % 3 == 0) def.mass_properties.center_of_mass = random_in_ball(r, 0.01);
        def.state.position = fender_vec3_make(0.09 * (i % 4 - 1.5), 0.09 * (i / 4 % 4 - 1.5), 0.04 + 0.08 * (i / 16));
        def.state.attitude = random_rotation(r);
        def.state.velocity = random_in_ball(r, 1);
        def.state.angular_velocity = random_in_ball(r, 5);
        check_ok(fender_body_create(world, &def, &id, &error));
        add_shape(world, id, solid(r, random_between(r, 0.035, 0.05), balls), "one", (fender_vec3){0, 0, 0});
        if (i % 4 == 0) add_shape(world, id, fender_geometry_sphere(&env, 0.02, NULL), "two", random_in_ball(r, 0.05));
        if (i % 6 == 0) add_shape(world, id, fender_geometry_point(&env, NULL), "foot", random_in_ball(r, 0.07));
    }
}

static int bodies_of(uint64_t number) { return number % 4 == 0 ? 16 : 2 + (int)(number % 7); }

static fender_world *build(uint64_t number, int way)
{
    static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER,
                                                       FENDER_INTEGRATOR_VELOCITY_VERLET, FENDER_INTEGRATOR_DOPRI5};
    random_stream stream = random_of_case(0x3a1d, number), *r = &stream;
    fender_world_def def = fender_world_def_default();
    def.method = methods[random_below(r, 4)];
    def.step = 1e-3;
    def.relative_tolerance = 1e-6;
    def.locate_events = random_below(r, 3) == 0;
    def.threads = way == THREADS ? 3 : way == RESTORED ? 2 : 1;
    def.gravity.kind = FENDER_GRAVITY_UNIFORM;
    def.gravity.acceleration = fender_vec3_make(random_between(r, -2, 2), random_between(r, -2, 2), -9.8);
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    const bool ground_first = random_below(r, 2);
    if (ground_first) add_ground(world, r);
    add_bodies(world, r, bodies_of(number));
    if (!ground_first) add_ground(world, r);
    add_type(world, r);
    if (way == GENERAL) world->model.types[0].batch = world->model.types[0].sticks = false;
    check_ok(fender_world_initialize(world, &error));
    if (way == GENERAL) world->dynamics.contacts.any_batched = false;
    return world;
}

/* The same for all worlds, refused or not. */
static fender_status edit(fender_world *world, uint64_t number, int step)
{
    random_stream stream = random_of_case(0x3a1e + number, (uint64_t)step), *r = &stream;
    const int kind = random_below(r, 6), count = bodies_of(number);
    char names[2][16];
    fender_body_id bodies[2];
    for (int i = 0; i < 2; i++) {
        snprintf(names[i], sizeof names[i], "b%d", random_below(r, count));
        check_ok(fender_body_find(world, names[i], &bodies[i]));
    }
    const fender_vec3 any = random_in_ball(r, 1);
    fender_mass_properties mass;
    fender_shape_id shape;
    switch (kind) {
    case 0: {
        fender_attach_def def = fender_attach_def_default();
        def.child = bodies[0], def.parent = bodies[1], def.pose = FENDER_ATTACH_AS_IS;
        return fender_body_attach(world, &def, NULL, NULL);
    }
    case 1: return fender_body_detach(world, bodies[0], (fender_body_id){0}, FENDER_DETACH_CONNECTION, NULL, NULL);
    case 2:
        check_ok(fender_shape_find(world, bodies[0], "one", &shape));
        return fender_shape_set_active(world, shape, random_below(r, 2) > 0);
    case 3: return fender_world_set_gravity(world, fender_vec3_make(any.x, any.y, -9), NULL);
    case 4:
        check_ok(fender_body_get_mass(world, bodies[0], FENDER_MASS_CORE, &mass));
        mass.mass *= 1.1;
        return fender_body_set_mass(world, bodies[0], &mass, NULL);
    default: return fender_world_initialize(world, NULL);
    }
}

/* A whole step, proposed, sampled and accepted. */
static void step_in_parts(fender_world *world, random_stream *r)
{
    const fender_world_def *def = fender_world_get_def(world);
    fender_proposal proposal = {0};
    do {
        check_ok(fender_world_propose(world, INFINITY, &proposal, &error));
        for (int k = random_below(r, 3); k > 0; k--) {
            const double part = random_between(r, 0, 1);
            check_ok(fender_world_sample(world, proposal.start_time + part * (proposal.end_time - proposal.start_time),
                                         &error));
        }
        check_ok(fender_world_accept(world, &error));
    } while (!proposal.ends_step && !fender_integrator_adaptive(def->method));
}

/* ANEW goes on in a world that was built anew. */
static void restore(fender_world **world, uint64_t number, int way)
{
    fender_snapshot *snapshot = fender_snapshot_take(*world, NULL);
    assert_non_null(snapshot);
    fender_world *into = way == ANEW ? build(number, way) : *world;
    check_ok(fender_snapshot_restore(into, snapshot, &error));
    fender_snapshot_destroy(snapshot);
    if (into != *world) fender_world_destroy(*world);
    *world = into;
}

static int compare(uint64_t number)
{
    fender_world *worlds[WAYS];
    int most = 0;
    for (int way = 0; way < WAYS; way++) worlds[way] = build(number, way);
    for (int step = 0; step < STEPS; step++) {
        random_stream r = random_of_case(0x3a1f + number, (uint64_t)step);
        for (int way = 0; way < WAYS; way++) {
            if (way == PARTS) step_in_parts(worlds[way], &r);
            else check_ok(fender_world_step(worlds[way], &error));
            if (way >= RESTORED && step % 6 == 5) restore(&worlds[way], number, way);
        }
        fender_status first = FENDER_STATUS_OK;
        for (int way = 0; way < WAYS && step % 4 == 3; way++) {
            const fender_status status = edit(worlds[way], number, step);
            if (way == 0) first = status;
            assert_int_equal(status, first);
        }
        if (step % 9 == 8)
            for (int way = 0; way < WAYS; way++)
                check_ok(fender_world_advance_to(worlds[way], fender_world_time(worlds[way]) + 1.37e-3, &error));
        const uint64_t hash = fender_world_hash(worlds[0]);
        for (int way = 1; way < WAYS; way++) {
            if (fender_world_hash(worlds[way]) != hash)
                print_error("world %d, way %d, step %d\n", (int)number, way, step);
            assert_true(fender_world_hash(worlds[way]) == hash);
        }
        const int contacts = fender_contact_count(worlds[0], FENDER_CLOCK_COMMITTED);
        most = contacts > most ? contacts : most;
    }
    for (int way = 0; way < WAYS; way++) fender_world_destroy(worlds[way]);
    return most;
}

static void all_ways_have_the_same_bits(void **state)
{
    (void)state;
    env = fender_env_default();
    int contacts = 0;
    for (int number = 0; number < repeats(20); number++) contacts += compare((uint64_t)number);
    assert_true(contacts > repeats(80));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_ways_have_the_same_bits)};
    return cmocka_run_group_tests_name("random worlds", tests, NULL, NULL);
}
