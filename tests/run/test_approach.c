/* Closest approaches: what bounds on the motion leave to compute is what looking at every state finds; of bodies that
 * hold each other, the first time counts. */
#include "run_test.h"

#include "run/episode.h"

static const char scene[] =
    "fender: 1\nintegrator: {method: rk4, step: 10 ms}\nrun: {until: 8 s}\n"
    "contact_types: {t: {law: spring_damper, stiffness: 1 N/m}}\nrules: [{default: t}]\nbodies:\n"
    "  floor: {motion: fixed, state: {position: [0, 0, -30, m]}, shapes: {top: {plane: {}}}}\n"
    "  one: {mass_properties: {mass: 3 kg, inertia: [1, 2, 2.5]}, state: {position: [1, 0, 2, m],\n"
    "    velocity: [0.1, 0, -0.2, m/s], angular_velocity: [0.3, 1.1, 0.2, rad/s]}, shapes: {\n"
    "    rod: {capsule: {radius: 10 cm, length: 1 m}, position: [0.4, 0.1, 0, m]},\n"
    "    ball: {sphere: {radius: 20 cm}, position: [-0.5, 0.3, 0.1, m]}}}\n"
    "  other: {mass_properties: {mass: 2 kg, inertia: [1.5, 1, 2]}, state: {position: [8, 1, 2, m],\n"
    "    velocity: [-0.9, 0, -0.1, m/s], angular_velocity: [-0.7, 0.2, 0.9, rad/s]}, shapes: {\n"
    "    rod: {capsule: {radius: 15 cm, length: 0.8 m}, position: [0.1, -0.6, 0.2, m]},\n"
    "    box: {box: {size: [30 cm, 40 cm, 20 cm]}, position: [0.3, 0.5, 0, m]}}}\n";

/* About nearly the same place, fast, and slowly seen from each other. */
static const char spinning[] =
    "fender: 1\nintegrator: {method: rk4, step: 10 ms}\nrun: {until: 8 s}\n"
    "contact_types: {t: {law: spring_damper, stiffness: 1 N/m}}\nrules: [{default: t}]\nbodies:\n"
    "  one: {mass_properties: {mass: 3 kg, inertia: [2, 2, 2]}, state: {position: [0, 0, 0, m],\n"
    "    angular_velocity: [1, 0, 20, rad/s]}, shapes: {\n"
    "    rod: {capsule: {radius: 10 cm, length: 1 m}, position: [0.7, 0.1, 0, m]},\n"
    "    ball: {sphere: {radius: 20 cm}, position: [-0.5, 0.3, 0.1, m]}}}\n"
    "  other: {mass_properties: {mass: 2 kg, inertia: [1, 1, 1]}, state: {position: [0.02, 0, 0, m],\n"
    "    angular_velocity: [1, 0, 23, rad/s]}, shapes: {\n"
    "    rod: {capsule: {radius: 15 cm, length: 0.8 m}, position: [2.1, -0.6, 0.2, m]},\n"
    "    box: {box: {size: [30 cm, 40 cm, 20 cm]}, position: [0.3, 2.5, 0, m]}}}\n";

enum { STATES = 700, MOST = 16 };

typedef struct found {
    double distance, time, rounded;
} found;

static fender_pose pose_of(const fender_world *world, const fnd_approach_table *table, int shape)
{
    const fnd_approach_shape *s = &table->shapes[shape];
    fender_body_data body;
    assert_int_equal(fender_body_get(world, table->bodies[s->body], FENDER_CLOCK_COMMITTED, &body), 0);
    return fender_pose_product((fender_pose){body.position, body.attitude}, s->X_SG);
}

/* Every distance, to 0.1 nm. */
static void look(const fender_world *world, const fnd_approach_table *table, found *best)
{
    for (int i = 0; i < table->count; i++) {
        const fnd_approach *item = &table->items[i];
        const fender_pose a = pose_of(world, table, item->a), b = pose_of(world, table, item->b);
        fender_separation separation;
        assert_int_equal(fender_geometry_separation(table->shapes[item->a].geometry, &a,
                                                    table->shapes[item->b].geometry, &b, &separation),
                         FENDER_STATUS_OK);
        const double rounded = floor(separation.distance * 0x1p33 + 0.5);
        if (rounded < best[i].rounded) best[i] = (found){separation.distance, fender_world_time(world), rounded};
    }
}

static void hold(fender_world *world)
{
    fender_error error = {0};
    fender_attach_def def = fender_attach_def_default();
    assert_int_equal(fender_body_find(world, "one", &def.parent), FENDER_STATUS_OK);
    assert_int_equal(fender_body_find(world, "other", &def.child), FENDER_STATUS_OK);
    def.pose = FENDER_ATTACH_AS_IS;
    if (fender_body_attach(world, &def, NULL, &error) != FENDER_STATUS_OK) print_error("%s\n", error.message);
    assert_int_equal(error.status, FENDER_STATUS_OK);
}

/* `held`: the state after which both are one; 0: never. */
static void fly(const char *text, int held)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, &error);
    if (!scenario) print_error("%s %s\n", error.message, error.found);
    assert_non_null(scenario);
    fender_world *world = fender_scenario_build(scenario, &env, &error);
    assert_non_null(world);
    fnd_arena arena = fnd_arena_open(&env.allocator, 0);
    fnd_approach_table table;
    assert_true(fnd_approach_table_create(&table, world, &arena));
    assert_in_range(table.count, 4, MOST);
    found best[MOST];
    for (int i = 0; i < MOST; i++) best[i] = (found){INFINITY, 0, INFINITY};
    for (int k = 0; k < STATES; k++) {
        if (k > 0) assert_int_equal(fender_world_advance(world, 1, &error), FENDER_STATUS_OK);
        if (held > 0 && k == held) hold(world);
        fnd_instant instant = {.world = world, .time = fender_world_time(world)};
        fnd_approach_table_follow(&table, &instant);
        look(world, &table, best);
    }
    fnd_approach_table_settle(&table);
    int together = 0;
    for (int i = 0; i < table.count; i++) {
        assert_memory_equal(&table.items[i].distance, &best[i].distance, sizeof best[i].distance);
        assert_memory_equal(&table.items[i].time, &best[i].time, sizeof best[i].time);
        together += fabs(best[i].time - 0.01 * held) < 1e-9;
    }
    if (held > 0) assert_in_range(together, 3, MOST);
    fnd_arena_close(&arena);
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
}

static void free_bodies(void **state)
{
    (void)state;
    fly(scene, 0);
    fly(spinning, 0);
}

static void held_bodies(void **state)
{
    (void)state;
    fly(scene, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_bodies), cmocka_unit_test(held_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
