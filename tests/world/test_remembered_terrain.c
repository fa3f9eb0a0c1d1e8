/* What is remembered of a terrain does not show: a world that is advanced in long calls has the bits of worlds that are
 * built anew every few steps, restored and stepped, on a grid and on a mesh that moves, while balls arrive fast from
 * far away, roll, bounce, and are set to other places: close to, beside and behind the surface. */
#include "check.h"
#include <string.h>

static fender_env env;

enum { SIDE = 25, BALLS = 5, BLOCK = 8, BLOCKS = 50 };

static double height(double x, double y) { return 0.3 * (x * x + y * y) + 0.03 * sin(9 * x) * cos(8 * y); }

static fender_geometry *ground(bool grid)
{
    static double heights[SIDE * SIDE];
    static fender_vec3 vertices[SIDE * SIDE];
    static int32_t triangles[2 * (SIDE - 1) * (SIDE - 1)][3];
    const double spacing = 2.0 / (SIDE - 1);
    int n = 0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const double x = -1 + spacing * i, y = -1 + spacing * j;
            heights[j * SIDE + i] = height(x, y);
            vertices[j * SIDE + i] = fender_vec3_make(x, y, height(x, y));
            if (i == SIDE - 1 || j == SIDE - 1) continue;
            const int32_t a = j * SIDE + i, c = a + SIDE + 1;
            memcpy(triangles[n++], (int32_t[]){a, a + 1, c}, sizeof triangles[0]);
            memcpy(triangles[n++], (int32_t[]){a, c, c - 1}, sizeof triangles[0]);
        }
    const fender_grid_def def = {
        .count_x = SIDE, .count_y = SIDE, .lower = {-1, -1}, .spacing = {spacing, spacing}, .heights = heights};
    const fender_mesh_def mesh = {vertices, SIDE * SIDE, &triangles[0][0], n};
    return grid ? fender_geometry_grid(&env, &def, NULL) : fender_geometry_mesh(&env, &mesh, NULL);
}

typedef struct case_def {
    bool grid, locates;
    fender_integrator_method method;
} case_def;

static void add(fender_world *world, const char *name, fender_motion motion, fender_geometry *geometry,
                fender_pose X_SG, const fender_body_state *state, fender_body_id *id)
{
    assert_non_null(geometry);
    fender_body_def body = fender_body_def_default();
    body.name = name;
    body.motion = motion;
    body.mass_properties.mass = 2;
    body.mass_properties.inertia = fender_mat3_diagonal(0.01, 0.01, 0.01);
    body.state = *state;
    check_ok(fender_body_create(world, &body, id, &error));
    fender_shape_def shape = fender_shape_def_default();
    shape.name = name;
    shape.geometry = geometry;
    shape.X_SG = X_SG;
    check_ok(fender_shape_create(world, *id, &shape, NULL, &error));
    fender_geometry_release(geometry);
}

static fender_body_state state_at(double x, double y, double z, double vx, double vz)
{
    fender_body_state s = {.attitude = fender_quaternion_identity()};
    s.position = fender_vec3_make(x, y, z);
    s.velocity = fender_vec3_make(vx, 0, vz);
    return s;
}

/* Two balls are created before the ground, two after it, and a point. */
static fender_world *build(const case_def *c, fender_body_id balls[BALLS])
{
    fender_world_def def = fender_world_def_default();
    def.method = c->method;
    def.step = 2e-3;
    def.locate_events = c->locates;
    def.gravity.kind = FENDER_GRAVITY_UNIFORM;
    def.gravity.acceleration = fender_vec3_make(0, 0, -9);
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    fender_spring_damper_parameters push;
    fender_coulomb_parameters slide;
    check_ok(fender_spring_damper_parameters_default(&push, &error));
    check_ok(fender_coulomb_parameters_default(&slide, &error));
    push.stiffness = 5e3;
    push.damping = 10;
    slide.mu = 0.4;
    slide.slip_speed = 0.01;
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "touch";
    type.normal = fender_law_find(NULL, "spring_damper");
    type.normal_parameters = &push;
    type.friction = fender_law_find(NULL, "coulomb");
    type.friction_parameters = &slide;
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_DEFAULT;
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    const fender_pose none = fender_pose_identity();
    fender_body_state s = state_at(0.3, 0.2, 0.4, -0.5, 0);
    add(world, "ball_0", FENDER_MOTION_DYNAMIC, fender_geometry_sphere(&env, 0.1, NULL), none, &s, &balls[0]);
    s = state_at(-0.4, 0.1, 9, 0, -40);
    add(world, "ball_1", FENDER_MOTION_DYNAMIC, fender_geometry_sphere(&env, 0.05, NULL), none, &s, &balls[1]);
    fender_body_state moving = state_at(0.1, 0, -0.1, 0.2, 0.1);
    moving.angular_velocity = fender_vec3_make(0.3, 0.2, -0.5);
    fender_pose off = none;
    off.p = fender_vec3_make(-0.1, 0.05, 0.1);
    off.q = fender_quaternion_normalized((fender_quaternion){1, 0.02, -0.03, 0.2});
    fender_body_id id;
    add(world, "ground", FENDER_MOTION_PRESCRIBED, ground(c->grid), off, &moving, &id);
    s = state_at(0, -0.5, 0.5, 1, 0);
    add(world, "ball_2", FENDER_MOTION_DYNAMIC, fender_geometry_sphere(&env, 0.03, NULL), none, &s, &balls[2]);
    s = state_at(0.1, 0.6, 0.6, 0, 0);
    off.p = fender_vec3_make(0, 0.05, 0); /* it is not round about its centre of mass */
    add(world, "ball_3", FENDER_MOTION_DYNAMIC, fender_geometry_sphere(&env, 0.12, NULL), off, &s, &balls[3]);
    s = state_at(0.5, -0.1, 0.3, 0, 0);
    add(world, "point", FENDER_MOTION_DYNAMIC, fender_geometry_point(&env, NULL), none, &s, &balls[4]);
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* Sets a ball elsewhere before some of the blocks. */
static void move(fender_world *world, const fender_body_id balls[BALLS], int block)
{
    const struct {
        int block, ball;
        fender_body_state to;
    } moves[] = {{12, 0, state_at(0.2, 0.1, 0.5, 0, 0)},   {20, 1, state_at(0.3, -0.3, 0.3, 0, -5)},
                 {25, 0, state_at(0, 0, -0.3, 0, 6)},      {28, 3, state_at(1.4, 0, 0.6, -3, 0)},
                 {32, 2, state_at(0.2, -0.2, 0.15, 0, 0)}, {36, 4, state_at(0.1, 0.3, 0.4, 0, -1)},
                 {40, 1, state_at(5, 5, 60, -20, -300)},   {42, 0, state_at(0.1, 0.1, 0.25, 0, 0)}};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++)
        if (moves[i].block == block) check_ok(fender_body_set_state(world, balls[moves[i].ball], &moves[i].to, &error));
}

static void compare(const case_def *c)
{
    fender_body_id balls[BALLS], others[BALLS];
    fender_world *world = build(c, balls);
    long touching = 0;
    for (int block = 0; block < BLOCKS; block++) {
        move(world, balls, block);
        fender_snapshot *snapshot = fender_snapshot_take(world, NULL);
        assert_non_null(snapshot);
        fender_world *anew = build(c, others);
        check_ok(fender_snapshot_restore(anew, snapshot, &error));
        for (int i = 0; i < BLOCK; i++) check_ok(fender_world_step(anew, &error));
        check_ok(fender_world_advance(world, BLOCK, &error));
        assert_int_equal(fender_world_hash(world), fender_world_hash(anew));
        touching += fender_contact_count(world, FENDER_CLOCK_COMMITTED);
        fender_snapshot_destroy(snapshot);
        fender_world_destroy(anew);
    }
    assert_in_range(touching, BLOCKS / 2, 10 * BLOCKS);
    fender_world_destroy(world);
}

static void memory_does_not_show(void **state)
{
    (void)state;
    for (int grid = 0; grid < 2; grid++) {
        compare(&(case_def){grid, false, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER});
        compare(&(case_def){grid, false, FENDER_INTEGRATOR_RK4});
        compare(&(case_def){grid, true, FENDER_INTEGRATOR_RK4});
    }
}

int main(void)
{
    env = fender_env_default();
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_does_not_show)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
