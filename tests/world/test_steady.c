/* Steps in which every contact goes on give the bits of steps that are made one by one, in registers of every width,
 * and whatever they cannot do is left to those. */
#include "check.h"
#include "contact/steady.h"
#include "random_numbers.h"
#include "world/world.h"
#include <string.h>

typedef struct kind {
    const char *name;
    fender_integrator_method method;
    bool plane_first, lander, stacks, split;
    int least_percent; /* of the steps that have to be steady */
} kind;

enum { PLAIN, AVX2, AVX512, WAYS };

static void add_rule(fender_world *world, bool split)
{
    const fender_law *push = fender_law_find(NULL, "spring_damper"), *friction = fender_law_find(NULL, "coulomb");
    double numbers[16], friction_numbers[16];
    fender_field_initialize(&push->parameters, numbers);
    fender_field_initialize(&friction->parameters, friction_numbers);
    fender_field_set(fender_field_find(&push->parameters, "stiffness"), numbers, 0, 2e4);
    fender_field_set(fender_field_find(&push->parameters, "damping"), numbers, 0, 150);
    if (!split) fender_field_set(fender_field_find(&push->parameters, "mu"), numbers, 0, 0.5);
    fender_field_set(fender_field_find(&friction->parameters, "mu"), friction_numbers, 0, 0.4);
    fender_contact_type_def type = {.name = "type"};
    if (split) {
        type.normal = push, type.normal_parameters = numbers;
        type.friction = friction, type.friction_parameters = friction_numbers;
    } else {
        type.law = push, type.law_parameters = numbers;
    }
    fender_rule_def rule = {.kind = FENDER_RULE_DEFAULT};
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_add(world, &rule, NULL, &error));
}

static fender_body_id add_body(fender_world *world, const char *name, fender_body_def def)
{
    fender_body_id id;
    def.name = name;
    check_ok(fender_body_create(world, &def, &id, &error));
    return id;
}

static void add_shape(fender_world *world, fender_body_id body, fender_geometry *geometry, const char *name,
                      fender_vec3 at)
{
    fender_shape_def shape = fender_shape_def_default();
    shape.name = name, shape.geometry = geometry, shape.X_SG.p = at;
    check_ok(fender_shape_create(world, body, &shape, NULL, &error));
    fender_geometry_release(geometry);
}

static void add_plane(fender_world *world)
{
    fender_env env = fender_env_default();
    fender_body_def def = fender_body_def_default();
    def.motion = FENDER_MOTION_FIXED;
    add_shape(world, add_body(world, "ground", def), fender_geometry_plane(&env, NULL), "plane",
              (fender_vec3){0, 0, 0});
}

/* Feet, one of them in the body's middle line, a ball at its centre that touches nothing, a point that does. */
static void add_lander(fender_world *world)
{
    fender_env env = fender_env_default();
    fender_body_def def = fender_body_def_default();
    def.mass_properties.mass = 20;
    def.mass_properties.inertia = fender_mat3_diagonal(3, 4, 5);
    def.state.position = (fender_vec3){3, 0.1, 0.62};
    def.state.velocity = (fender_vec3){0.3, 0.1, 0};
    def.state.angular_velocity = (fender_vec3){0, 0, 0.4};
    def.state.attitude = fender_quaternion_normalized((fender_quaternion){1, 0.02, 0.01, 0.1});
    const fender_body_id id = add_body(world, "lander", def);
    fender_load_def load = fender_load_def_default();
    load.name = "push", load.body = id, load.active = false, load.force.kind = FENDER_SIGNAL_CONSTANT;
    load.force.constant = (fender_vec3){5, 0, 0};
    check_ok(fender_load_create(world, &load, NULL, &error));
    for (int k = 0; k < 9; k++) {
        char name[32];
        snprintf(name, sizeof name, "foot_%d", k);
        const double angle = 0.7 * k;
        add_shape(world, id, fender_geometry_sphere(&env, 0.05, NULL), name,
                  (fender_vec3){cos(angle), sin(angle), k == 4 ? -0.4 : -0.5});
    }
    add_shape(world, id, fender_geometry_sphere(&env, 0.1, NULL), "core", (fender_vec3){0, 0, 0});
    add_shape(world, id, fender_geometry_point(&env, NULL), "tip", (fender_vec3){0, 0, -0.55});
}

/* Balls at rest on the ground and beside each other, every other one with a knob; one falls on another in the end. */
static void add_stacks(fender_world *world)
{
    fender_env env = fender_env_default();
    random_stream stream = random_of_case(0x57ead, 1);
    for (int i = 0; i < 23; i++) {
        char name[32];
        snprintf(name, sizeof name, "ball_%d", i);
        fender_body_def def = fender_body_def_default();
        def.mass_properties.mass = random_between(&stream, 0.5, 1);
        def.mass_properties.inertia = fender_mat3_diagonal(1e-3, 1e-3, i % 3 ? 1e-3 : 1.5e-3);
        def.state.position = (fender_vec3){0.0999 * i, 0, 0.0498};
        if (i == 22) def.state.position = (fender_vec3){0.5, 0.02, 3.5};
        def.state.attitude = random_rotation(&stream);
        const fender_body_id id = add_body(world, name, def);
        add_shape(world, id, fender_geometry_sphere(&env, 0.05, NULL), "ball", (fender_vec3){0, 0, 0});
        if (i % 2)
            add_shape(world, id, fender_geometry_sphere(&env, 0.01, NULL), "knob",
                      fender_vec3_scale(0.02, random_direction(&stream)));
    }
}

/* NULL: this processor has no such registers. */
static fender_world *build(const kind *k, int way)
{
    fnd_quick_function *const functions[WAYS] = {
        fnd_quick_evaluate_plain,
#ifdef FND_WIDE
        __builtin_cpu_supports("avx2") ? fnd_quick_evaluate_avx2 : NULL,
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") ? fnd_quick_evaluate_avx512 : NULL
#endif
    };
    if (!functions[way]) return NULL;
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = k->method, def.step = 1e-3;
    def.gravity.kind = FENDER_GRAVITY_UNIFORM, def.gravity.acceleration = fender_vec3_make(0, 0, -3);
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    if (k->plane_first) add_plane(world);
    if (k->lander) add_lander(world);
    if (k->stacks) add_stacks(world);
    if (!k->plane_first) add_plane(world);
    add_rule(world, k->split);
    check_ok(fender_world_initialize(world, &error));
    world->dynamics.contacts.batch->function = functions[way];
    return world;
}

static void check_equal(const fender_world *one, const fender_world *many)
{
    assert_true(fender_world_hash(one) == fender_world_hash(many));
    assert_true(fender_world_time(one) == fender_world_time(many));
    assert_int_equal(fender_world_evaluation_count(one), fender_world_evaluation_count(many));
    const int count = fender_contact_count(one, FENDER_CLOCK_COMMITTED);
    assert_int_equal(fender_contact_count(many, FENDER_CLOCK_COMMITTED), count);
    for (int i = 0; i < count; i++) {
        fender_contact_data a, b;
        check_ok(fender_contact_at(one, FENDER_CLOCK_COMMITTED, i, &a));
        check_ok(fender_contact_at(many, FENDER_CLOCK_COMMITTED, i, &b));
        assert_memory_equal(&a, &b, sizeof a);
    }
    fender_ledger a, b;
    memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
    fender_world_ledger(one, &a);
    fender_world_ledger(many, &b);
    assert_memory_equal(&a, &b, sizeof a);
    for (int i = 0; i < one->model.body_count; i++)
        assert_memory_equal(&one->last_stage[i], &many->last_stage[i], sizeof one->last_stage[i]);
}

static void check_same(const kind *k)
{
    static const int counts[] = {7, 1, 250, 1000, 3, 500, 12, 1500};
    for (int way = 0; way < WAYS; way++) {
        fender_world *one = build(k, way), *many = build(k, way);
        if (!one || !many) continue;
        int total = 0;
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            for (int s = 0; s < counts[i]; s++) check_ok(fender_world_step(one, &error));
            check_ok(fender_world_advance(many, counts[i], &error));
            check_equal(one, many);
            total += counts[i];
        }
        const int percent = (int)(100 * many->dynamics.contacts.steady->taken / total);
        print_message("%s, way %d: %d %% of %d steps were steady, %d contacts\n", k->name, way, percent, total,
                      fender_contact_count(many, FENDER_CLOCK_COMMITTED));
        assert_true(percent >= k->least_percent);
        assert_int_equal(one->dynamics.contacts.steady->taken, 0); /* it was compared with something else */
        fender_world_destroy(one);
        fender_world_destroy(many);
    }
}

static void steady_steps_give_the_same_bits(void **state)
{
    (void)state;
    static const kind kinds[] = {
        {"lander, euler", FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, false, true, false, false, 50},
        {"lander, rk4, plane first", FENDER_INTEGRATOR_RK4, true, true, false, true, 50},
        {"balls, euler", FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, false, false, true, true, 50},
        {"all, rk4", FENDER_INTEGRATOR_RK4, false, true, true, false, 50},
        {"all, verlet, plane first", FENDER_INTEGRATOR_VELOCITY_VERLET, true, true, true, false, 50},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) check_same(&kinds[i]);
}

/* What changes between two calls is seen, and goes into the steps that follow. */
static void changes_are_seen(void **state)
{
    (void)state;
    const kind k = {"lander", FENDER_INTEGRATOR_RK4, false, true, false, false, 0};
    fender_world *worlds[2] = {build(&k, PLAIN), build(&k, PLAIN)};
    for (int round = 0; round < 6; round++) {
        for (int w = 0; w < 2; w++) {
            fender_world *world = worlds[w];
            fender_body_id lander;
            fender_load_id push;
            fender_body_state moved;
            check_ok(fender_body_find(world, "lander", &lander));
            check_ok(fender_load_find(world, "push", &push));
            fender_body_data now;
            check_ok(fender_body_get(world, lander, FENDER_CLOCK_COMMITTED, &now));
            moved = (fender_body_state){now.position, now.attitude, now.velocity, now.angular_velocity};
            if (round == 1) moved.velocity.x += 0.2;
            if (round == 3) moved.position.z += 0.01;
            if (round % 2) check_ok(fender_body_set_state(world, lander, &moved, &error));
            check_ok(fender_load_set_active(world, push, round == 4));
            if (w == 0)
                for (int s = 0; s < 400; s++) check_ok(fender_world_step(world, &error));
            else check_ok(fender_world_advance(world, 400, &error));
        }
        check_equal(worlds[0], worlds[1]);
    }
    assert_true(worlds[1]->dynamics.contacts.steady->taken > 500);
    for (int w = 0; w < 2; w++) fender_world_destroy(worlds[w]);
}

/* A step that cannot be made is told of as if it had been made alone. */
static void failures_are_told_the_same(void **state)
{
    (void)state;
    const kind k = {"lander", FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, false, true, false, false, 0};
    fender_world *one = build(&k, PLAIN), *many = build(&k, PLAIN);
    for (int s = 0; s < 2000; s++) check_ok(fender_world_step(one, &error));
    check_ok(fender_world_advance(many, 2000, &error));
    check_equal(one, many);
    assert_true(many->dynamics.contacts.steady->taken > 500);
    one->def.depth_limit = many->def.depth_limit = 1e-9; /* every contact is deeper now */
    fender_error first = {0}, second = {0};
    fender_status status = FENDER_STATUS_OK;
    for (int s = 0; s < 100 && !status; s++) status = fender_world_step(one, &first);
    assert_int_equal(fender_world_advance(many, 100, &second), status);
    assert_int_equal(status, FENDER_STATUS_INTEGRATOR);
    assert_string_equal(first.message, second.message);
    check_equal(one, many);
    fender_world_destroy(one);
    fender_world_destroy(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steady_steps_give_the_same_bits),
                                       cmocka_unit_test(changes_are_seen),
                                       cmocka_unit_test(failures_are_told_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
