/* Worlds that several threads evaluate (fender_world_def.threads) get the bits that they get from one: piles of balls
 * by every method, solids and meshes on terrain, events, snapshots, and when memory runs out. */
#include "check.h"
#include "contact/parallel.h"
#include "counted_memory.h"
#include "world/world.h"
#include <fender/fender.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum stock { BALLS, BOXES, HULLS } stock;
typedef enum ground { PLANE, GRID, MESH } ground;
typedef struct heap {
    stock of;
    ground on;
    int count, steps;
    fender_integrator_method method;
    double step;
    bool flat, sticks, located;
    bool linked;  /* springs between neighbours, and a load on every fifth */
    double speed; /* m/s, in any direction: contacts begin and end */
    bool many;    /* eight threads instead of three */
} heap;

static void must(fender_status status, const fender_error *error)
{
    if (status) fail_msg("%s: %s, found %s", error->path, error->message, error->found);
}

static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) * 0x1p-24;
}

static void add_type(fender_world *world, const heap *h)
{
    fender_error error = {0};
    fender_spring_damper_parameters normal;
    fender_coulomb_parameters smooth;
    fender_coulomb_static_kinetic_parameters sticks;
    must(fender_spring_damper_parameters_default(&normal, &error), &error);
    must(fender_coulomb_parameters_default(&smooth, &error), &error);
    must(fender_coulomb_static_kinetic_parameters_default(&sticks, &error), &error);
    normal.stiffness = 1e5;
    normal.damping = 50;
    smooth.mu = 0.4;
    smooth.slip_speed = 0.01;
    sticks.mu_static = 0.5;
    sticks.mu_kinetic = 0.4;
    sticks.stiffness = 5e4;
    sticks.damping = 20;
    sticks.stick_speed = 0.01;
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "contact";
    type.normal = fender_law_find(NULL, "spring_damper");
    type.normal_parameters = &normal;
    type.friction = fender_law_find(NULL, h->sticks ? "coulomb_static_kinetic" : "coulomb");
    type.friction_parameters = h->sticks ? (const void *)&sticks : &smooth;
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_DEFAULT;
    must(fender_contact_type_create(world, &type, &rule.use, &error), &error);
    must(fender_rule_create(world, &rule, NULL, &error), &error);
}

static fender_body_id add_body(fender_world *world, int number, fender_vec3 position, fender_vec3 velocity,
                               fender_geometry *geometry, bool fixed)
{
    fender_error error = {0};
    char name[16];
    snprintf(name, sizeof name, "body%d", number);
    fender_body_def body = fender_body_def_default();
    body.name = name;
    body.state.position = position;
    body.state.velocity = velocity;
    if (fixed) body.motion = FENDER_MOTION_FIXED;
    body.mass_properties.mass = fixed ? 0 : 1;
    if (!fixed) body.mass_properties.inertia = fender_mat3_diagonal(1e-3, 1e-3, 1e-3);
    fender_body_id id;
    must(fender_body_create(world, &body, &id, &error), &error);
    fender_shape_def shape = fender_shape_def_default();
    shape.name = "shape";
    shape.geometry = geometry;
    must(fender_shape_create(world, id, &shape, NULL, &error), &error);
    return id;
}

/* A spring from a body to the one before, and a push on some. */
static void add_link(fender_world *world, int number, fender_body_id before, fender_body_id body)
{
    fender_error error = {0};
    char name[16];
    snprintf(name, sizeof name, "link%d", number);
    const fender_link_spring_damper spring = {.stiffness = 200, .damping = 2, .free_length = 0.1, .limit = INFINITY};
    fender_link_def link = fender_link_def_default();
    link.name = name;
    link.law = FENDER_LINK_SPRING_DAMPER;
    link.parameters = &spring;
    const fender_pose off = {{0.01, 0.02, 0}, {1, 0, 0, 0}};
    char ends[2][16];
    for (int i = 0; i < 2; i++) snprintf(ends[i], sizeof ends[i], "%c%d", "ab"[i], number);
    must(fender_point_create(world, before, ends[0], off, &link.a, &error), &error);
    must(fender_point_create(world, body, ends[1], off, &link.b, &error), &error);
    must(fender_link_create(world, &link, NULL, &error), &error);
    if (number % 5 != 0) return;
    fender_load_def load = fender_load_def_default();
    load.name = name;
    load.body = body;
    load.force.kind = FENDER_SIGNAL_CONSTANT;
    load.force.constant = fender_vec3_make(0.3, -0.2, 0.1);
    must(fender_load_create(world, &load, NULL, &error), &error);
}

static fender_geometry *make_geometry(const fender_env *env, stock of)
{
    fender_error error = {0};
    const fender_vec3 corners[] = {{0.05, 0, -0.03}, {-0.03, 0.05, -0.03}, {-0.03, -0.05, -0.03}, {0.01, 0.01, 0.05}};
    fender_geometry *made = of == BALLS   ? fender_geometry_sphere(env, 0.05, &error)
                            : of == BOXES ? fender_geometry_box(env, fender_vec3_make(0.05, 0.04, 0.03), &error)
                                          : fender_geometry_hull(env, corners, 4, &error);
    if (!made) fail_msg("%s", error.message);
    return made;
}

enum { SIDE = 24 };

static fender_geometry *make_ground(const fender_env *env, ground as)
{
    fender_error error = {0};
    double heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) heights[i] = 0.01 * ((i * 7 + i / SIDE * 3) % 5);
    const fender_grid_def grid = {
        .heights = heights, .count_x = SIDE, .count_y = SIDE, .lower = {-0.4, -0.4}, .spacing = {0.1, 0.1}};
    fender_geometry *made = as == PLANE ? fender_geometry_plane(env, &error) : fender_geometry_grid(env, &grid, &error);
    if (!made) fail_msg("%s", error.message);
    if (as != MESH) return made;
    static int32_t triangles[6 * SIDE * SIDE];
    int count;
    const int indices = fender_geometry_triangles(made, triangles, 6 * SIDE * SIDE);
    const fender_vec3 *vertices = fender_geometry_vertices(made, &count);
    fender_mesh_def mesh = {
        .vertices = vertices, .vertex_count = count, .triangles = triangles, .triangle_count = indices / 3};
    fender_geometry *other = fender_geometry_mesh(env, &mesh, &error);
    if (!other) fail_msg("%s: %s", error.message, error.found);
    fender_geometry_release(made);
    return other;
}

static fender_world *make_heap(const fender_env *env, const heap *h, int threads)
{
    fender_error error = {0};
    fender_world_def def = fender_world_def_default();
    def.gravity.kind = FENDER_GRAVITY_UNIFORM;
    def.gravity.acceleration = fender_vec3_make(0, 0, -9.81);
    def.method = h->method;
    def.step = h->step;
    def.locate_events = h->located;
    def.threads = threads;
    fender_world *world = fender_world_create(env, &def, &error);
    if (!world) fail_msg("%s", error.message);
    add_type(world, h);
    fender_geometry *soil = make_ground(env, h->on), *solid = make_geometry(env, h->of);
    const fender_vec3 none = {0, 0, 0};
    fender_body_id before = add_body(world, 0, none, none, soil, true);
    const int side = h->count > 2000 ? 40 : !h->flat ? 8 : h->count > 300 ? 18 : 12;
    unsigned seed = 1, turn = 2;
    for (int i = 0; i < h->count; i++) {
        const double x = 0.1 * (i % side) + 0.004 * noise(&seed), y = 0.1 * (i / side % side) + 0.004 * noise(&seed);
        const double z = (h->on == PLANE ? 0.05 : 0.085) + 0.0995 * (i / side / side) - 0.002 * noise(&seed);
        fender_vec3 velocity = none;
        if (h->speed > 0)
            velocity = fender_vec3_make(h->speed * (noise(&turn) - 0.5), h->speed * (noise(&turn) - 0.5),
                                        h->speed * (noise(&turn) - 0.5));
        const fender_body_id body = add_body(world, i + 1, fender_vec3_make(x, y, z), velocity, solid, false);
        if (h->linked && i > 0) add_link(world, i, before, body);
        before = body;
    }
    fender_geometry_release(soil);
    fender_geometry_release(solid);
    must(fender_world_initialize(world, &error), &error);
    return world;
}

/* Rows are in the order of keys, and each knows how many contacts are before it. */
static void rows_are_numbered(const fender_world *world)
{
    for (int e = 0; e < FND_EVALUATION_COUNT; e++) {
        const fnd_contact_list *rows = &world->dynamics.evaluations[e].contacts;
        int before = 0;
        for (int i = 0; i < rows->count; i++) {
            if (i > 0) assert_true(fnd_key_compare(&rows->items[i - 1].key, &rows->items[i].key) < 0);
            assert_int_equal(rows->items[i].ordinal, before);
            before += rows->items[i].key.feature != FENDER_FEATURE_PAIR;
        }
    }
}

/* Hashes after every step, then the state itself: the number of threads does not show in either. */
static void same_for_any_number(const heap *h)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    uint64_t expected[64];
    fender_wrench *wrenches = malloc((size_t)(h->count + 1) * sizeof *wrenches); /* of contacts, by body, at the end */
    assert_non_null(wrenches);
    for (int t = 0; t < 2; t++) {
        fender_world *world = make_heap(&env, h, t == 0 ? 1 : h->many ? 8 : 3);
        int first = 0; /* contacts begun in the first step and before */
        for (int i = 0; i < h->steps; i++) {
            must(fender_world_step(world, &error), &error);
            if (i == 0) first = (int)fender_world_event_count(world, FENDER_EVENT_BEGIN);
            const uint64_t hash = fender_world_hash(world);
            if (t == 0) expected[i] = hash;
            else assert_true(hash == expected[i]);
        }
        const int begun = (int)fender_world_event_count(world, FENDER_EVENT_BEGIN) - first;
        const int ended = (int)fender_world_event_count(world, FENDER_EVENT_END);
        if (t == 0)
            print_message("%d solids, %d contacts, %d begun, %d ended\n", h->count,
                          (int)fender_contact_count(world, FENDER_CLOCK_COMMITTED), begun, ended);
        if (h->speed > 0) assert_true(begun > 20 && ended > 20);
        assert_true(fender_contact_count(world, FENDER_CLOCK_COMMITTED) > 0);
        rows_are_numbered(world);
        const fender_wrench *borne = world->dynamics.evaluations[0].contact_wrench;
        if (t == 0) memcpy(wrenches, borne, (size_t)(h->count + 1) * sizeof *wrenches);
        assert_memory_equal(wrenches, borne, (size_t)(h->count + 1) * sizeof *wrenches);
        const fnd_crew *crew = world->dynamics.contacts.crew; /* there was enough to do for several threads */
        assert_true(t == 0 ? !crew : crew && crew->pays && crew->part_count > 2);
        fender_world_destroy(world);
    }
    free(wrenches);
}

static void balls(void **state)
{
    (void)state;
    const heap heaps[] = {
        {BALLS, PLANE, 512, 5, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, .step = 1e-3},
        {BALLS, PLANE, 512, 2, FENDER_INTEGRATOR_RK4, .step = 1e-3},
        {BALLS, PLANE, 512, 3, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, .step = 1e-3, .sticks = true},
        {BALLS, PLANE, 512, 2, FENDER_INTEGRATOR_RK4, .step = 5e-5, .sticks = true, .located = true},
        {BALLS, PLANE, 768, 6, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, .step = 1e-3, .speed = 1, .many = true},
        {BALLS, PLANE, 928, 3, FENDER_INTEGRATOR_RK4, .step = 1e-3, .speed = 1, .many = true},
        {BALLS, PLANE, 768, 3, FENDER_INTEGRATOR_VELOCITY_VERLET, .step = 1e-3, .linked = true, .speed = 1,
         .many = true},
        {BALLS, PLANE, 768, 1, FENDER_INTEGRATOR_DOP853, .step = 1e-4, .linked = true, .many = true},
        /* enough for loops that do little for each body */
        {BALLS, PLANE, 2800, 2, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, .step = 1e-3, .many = true},
    };
    for (size_t i = 0; i < sizeof heaps / sizeof heaps[0]; i++) same_for_any_number(&heaps[i]);
}

static void terrain(void **state)
{
    (void)state;
    const heap heaps[] = {
        {BALLS, GRID, 144, 3, FENDER_INTEGRATOR_RK4, .step = 1e-3, .flat = true},
        {BALLS, GRID, 324, 4, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, .step = 1e-3, .flat = true, .many = true},
        {BALLS, MESH, 144, 2, FENDER_INTEGRATOR_RK4, .step = 5e-5, .flat = true, .sticks = true, .located = true},
        {BOXES, GRID, 36, 2, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, .step = 1e-3, .flat = true, .sticks = true},
        {HULLS, MESH, 36, 2, FENDER_INTEGRATOR_RK4, .step = 1e-3, .flat = true},
        {BOXES, PLANE, 36, 2, FENDER_INTEGRATOR_RK4, .step = 5e-5, .flat = true, .located = true},
    };
    for (size_t i = 0; i < sizeof heaps / sizeof heaps[0]; i++) same_for_any_number(&heaps[i]);
}

/* A snapshot of a world of one thread goes on in a world of three. */
static void snapshots(void **state)
{
    (void)state;
    const heap h = {BALLS, PLANE, 512, 3, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, .step = 1e-3, .sticks = true};
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_world *one = make_heap(&env, &h, 1), *three = make_heap(&env, &h, 3);
    must(fender_world_advance(one, 3, &error), &error);
    fender_snapshot *taken = fender_snapshot_take(one, &error);
    assert_non_null(taken);
    must(fender_snapshot_restore(three, taken, &error), &error);
    fender_snapshot_destroy(taken);
    must(fender_world_advance(one, 3, &error), &error);
    must(fender_world_advance(three, 3, &error), &error);
    assert_true(fender_world_hash(one) == fender_world_hash(three));
    fender_world_destroy(one);
    fender_world_destroy(three);
}

/* When a request for memory is refused, initialize fails and nothing is lost: the next attempt has the bits of a world
 * that never failed. Requests of an evaluation by several threads come in any order, but each is refused once. */
static void memory(void **state)
{
    (void)state;
    const heap h = {BOXES, GRID, 16, 1, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, .step = 1e-3, .flat = true};
    fender_error error = {0};
    uint64_t expected = 0;
    int refused = 0;
    for (long fail_at = 0;; fail_at++) {
        counted_memory counted = {0};
        fender_env env = counted_env(&counted);
        fender_world *world = make_heap(&env, &h, fail_at == 0 ? 1 : 2);
        counted.calls = 0;
        counted.fail_at = fail_at;
        fender_status status = fender_world_initialize(world, &error);
        const bool reached = counted.fail_at > 0 && counted.calls >= counted.fail_at;
        if (status == FENDER_STATUS_OK) status = fender_world_step(world, &error);
        if (status) {
            assert_int_equal(status, FENDER_STATUS_MEMORY);
            refused++;
            counted.fail_at = 0;
            error = (fender_error){0};
            must(fender_world_initialize(world, &error), &error);
            must(fender_world_step(world, &error), &error);
        }
        if (fail_at == 0) expected = fender_world_hash(world);
        assert_true(fender_world_hash(world) == expected);
        fender_world_destroy(world);
        assert_int_equal(counted.live, 0);
        if (fail_at > 0 && !reached) break;
    }
    print_message("%d requests refused\n", refused);
    assert_true(refused > 10);
}

static void number_is_checked(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_error error = {0};
    assert_int_equal(def.threads, 1);
    for (int i = 0; i < 2; i++) {
        def.threads = i == 0 ? -1 : 257;
        error = (fender_error){0};
        assert_null(fender_world_create(&env, &def, &error));
        assert_string_equal(error.path, "world.threads");
    }
    def.threads = 0; /* one per core */
    fender_world *world = fender_world_create(&env, &def, &error);
    assert_non_null(world);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(balls), cmocka_unit_test(terrain), cmocka_unit_test(snapshots),
                                       cmocka_unit_test(memory), cmocka_unit_test(number_is_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
