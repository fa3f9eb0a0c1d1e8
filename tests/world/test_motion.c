/* Prescribed motion: tables, harmonic, commanded; gravity by command. Rates are those of the poses; work is booked. */
#include "check.h"
#include <string.h>

typedef struct scene {
    fender_world *world;
    fender_body_id body;
} scene;

static scene scene_of(const fender_body_def *body, fender_integrator_method method)
{
    scene s = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = 0.01;
    s.world = fender_world_create(&env, &def, NULL);
    assert_non_null(s.world);
    check_ok(fender_body_create(s.world, body, &s.body, &error));
    check_ok(fender_world_initialize(s.world, &error));
    return s;
}

static fender_body_def prescribed(void)
{
    fender_body_def def = fender_body_def_default();
    def.name = "stage";
    def.motion = FENDER_MOTION_PRESCRIBED;
    def.state.position = fender_vec3_make(1, 2, 3);
    return def;
}

static fender_body_data at(const scene *s, double time)
{
    fender_body_data data;
    if (time > fender_world_time(s->world)) check_ok(fender_world_advance_to(s->world, time, &error));
    assert_int_equal(fender_body_get(s->world, s->body, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

static fender_vec3 cubic(double t) { return fender_vec3_make(t * t * t - 2 * t, 1 + t * t, 0.5 * t); }
static fender_vec3 cubic_rate(double t) { return fender_vec3_make(3 * t * t - 2, 2 * t, 0.5); }

/* Hermite's cubics reproduce a cubic; the natural spline a straight line, and its velocity has no jumps. */
static void cubic_tables(void **state)
{
    (void)state;
    static const double times[] = {0, 0.3, 1, 1.2, 2};
    fender_vec3 positions[5], velocities[5];
    for (int i = 0; i < 5; i++) {
        positions[i] = cubic(times[i]);
        velocities[i] = cubic_rate(times[i]);
    }
    fender_body_def def = prescribed();
    def.path = (fender_path){times, positions, 5, FENDER_PATH_CUBIC, velocities};
    scene s = scene_of(&def, FENDER_INTEGRATOR_RK4);
    for (int i = 1; i < 40; i++) {
        const fender_body_data data = at(&s, 0.05 * i);
        check_vector(data.position, cubic(fender_world_time(s.world)), 1e-14);
        check_vector(data.velocity, cubic_rate(fender_world_time(s.world)), 1e-13);
    }
    check_vector(at(&s, 3).velocity, fender_vec3_make(0, 0, 0), 0);
    fender_world_destroy(s.world);

    def.path.velocities = NULL;
    for (int i = 0; i < 5; i++) positions[i] = fender_vec3_make(3 * times[i], 1 - times[i], 4);
    s = scene_of(&def, FENDER_INTEGRATOR_RK4);
    check_vector(at(&s, 0.77).position, fender_vec3_make(3 * 0.77, 1 - 0.77, 4), 1e-14);
    check_vector(at(&s, 1.9).velocity, fender_vec3_make(3, -1, 0), 1e-13);
    fender_world_destroy(s.world);

    /* of 0, 1, 0 at 0, 1, 2 s: x = 1.5 t - 0.5 t^3 up to 1 s */
    static const double three[] = {0, 1, 2};
    static const fender_vec3 hat[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
    def.path = (fender_path){three, hat, 3, FENDER_PATH_CUBIC, NULL};
    s = scene_of(&def, FENDER_INTEGRATOR_RK4);
    check_near(at(&s, 0.4).position.x, 1.5 * 0.4 - 0.5 * 0.064, 1e-15);
    check_near(at(&s, 1.6).position.x, 1.5 * 0.4 - 0.5 * 0.064, 1e-15);
    fender_world_destroy(s.world);
}

/* The velocity and angular velocity are the differences of poses, along the path. */
static void check_rates(const scene *s, double from, double to)
{
    const double h = 1e-4;
    for (int i = 0; i < 8; i++) {
        const double t = from + (to - from) * i / 8;
        const fender_body_data a = at(s, t), b = at(s, t + h), c = at(s, t + 2 * h);
        check_vector(b.velocity, fender_vec3_scale(0.5 / h, fender_vec3_sub(c.position, a.position)), 2e-6);
        const fender_quaternion turn = fender_quaternion_product(fender_quaternion_conjugate(a.attitude), c.attitude);
        const fender_vec3 half = fender_vec3_make(turn.x, turn.y, turn.z);
        check_vector(b.angular_velocity, fender_vec3_scale((turn.w < 0 ? -1 : 1) / h, half), 2e-6);
    }
}

static void harmonic(void **state)
{
    (void)state;
    fender_body_def def = prescribed();
    def.sine = (fender_sine){{0.3, 0, -0.1}, 0.7, 0.4, {0, 2, 1}, 0.8, -0.2};
    scene s = scene_of(&def, FENDER_INTEGRATOR_DOP853);
    const double rate = 2 * 3.14159265358979323846 * 0.7;
    check_near(at(&s, 1.1).position.x, 1 + 0.3 * sin(rate * 1.1 + 0.4), 1e-14);
    const fender_quaternion q = at(&s, 1.1).attitude;
    check_near(q.w, cos(0.4 * sin(rate * 1.1 - 0.2)), 1e-14);
    check_rates(&s, 1.2, 2.5);
    fender_world_destroy(s.world);
}

/* From a tumble to rest at a pose, then on by a constant motion, then elsewhere by a jump. */
static void commands(void **state)
{
    (void)state;
    fender_body_def def = prescribed();
    def.state.velocity = fender_vec3_make(0.4, 0, 0);
    def.state.angular_velocity = fender_vec3_make(0.3, -0.5, 0.2);
    scene s = scene_of(&def, FENDER_INTEGRATOR_RK4);
    const fender_body_data before = at(&s, 0.5);
    const fender_pose goal = {{2, 2, 2}, fender_quaternion_normalized((fender_quaternion){0.3, 0.5, -0.7, 0.2})};
    check_ok(fender_body_move_to(s.world, s.body, goal, 2, &error));
    fender_body_data data = at(&s, 0.5);
    check_vector(data.position, before.position, 1e-15);
    check_vector(data.velocity, before.velocity, 1e-15);
    check_vector(data.angular_velocity, before.angular_velocity, 1e-15);
    fender_snapshot *snapshot = fender_snapshot_take(s.world, NULL);
    check_rates(&s, 0.5, 2.4);
    data = at(&s, 2.5);
    check_vector(data.position, goal.p, 1e-14);
    check_vector(data.velocity, fender_vec3_make(0, 0, 0), 1e-13);
    check_vector(data.angular_velocity, fender_vec3_make(0, 0, 0), 1e-13);
    const fender_quaternion turn = fender_quaternion_product(fender_quaternion_conjugate(goal.q), data.attitude);
    check_near(fabs(turn.w), 1, 1e-14);
    check_ok(fender_body_set_motion(s.world, s.body, fender_vec3_make(0, 1, 0), fender_vec3_make(0, 0, 2), &error));
    check_rates(&s, 2.6, 3);
    check_near(at(&s, 3.5).position.y, 3, 1e-13);
    const uint64_t hash = fender_world_hash(s.world);
    check_ok(fender_snapshot_restore(s.world, snapshot, &error));
    check_vector(at(&s, 0.5).position, before.position, 1e-15);
    check_vector(at(&s, 2.5).position, goal.p, 1e-14);
    assert_true(fender_world_hash(s.world) != hash);
    fender_snapshot_destroy(snapshot);
    fender_body_state jump = {{5, 5, 5}, {1, 0, 0, 0}, {0, 0, -1}, {0, 0, 0}};
    check_ok(fender_body_set_state(s.world, s.body, &jump, &error));
    check_near(at(&s, 3).position.z, 4.5, 1e-14);
    fender_error error;
    memset(&error, 0, sizeof error);
    assert_int_equal(fender_body_move_to(s.world, s.body, goal, 0, &error), FENDER_STATUS_VALUE);
    assert_int_equal(fender_body_set_motion(s.world, s.body, fender_vec3_make(NAN, 0, 0), jump.velocity, &error),
                     FENDER_STATUS_VALUE);
    assert_int_equal(fender_body_move_to(s.world, (fender_body_id){0}, goal, 1, &error), FENDER_STATUS_STALE_ID);
    fender_world_destroy(s.world);
}

static void refusals(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_world_def world_def = fender_world_def_default();
    fender_world *world = fender_world_create(&env, &world_def, NULL);
    static const double times[] = {0, 1};
    static const fender_vec3 rows[] = {{0, 0, 0}, {1, 0, 0}}, bad[] = {{0, 0, 0}, {NAN, 0, 0}};
    fender_body_def defs[5];
    for (int i = 0; i < 5; i++) defs[i] = prescribed();
    defs[0].path = (fender_path){times, rows, 2, FENDER_PATH_LINEAR, rows};
    defs[1].path = (fender_path){times, rows, 2, FENDER_PATH_CUBIC, bad};
    defs[2].sine = (fender_sine){.frequency = -1};
    defs[3].sine = (fender_sine){.frequency = 1, .angle = 1};
    defs[4].path = (fender_path){times, rows, 2, FENDER_PATH_LINEAR, NULL};
    defs[4].sine = (fender_sine){.frequency = 1};
    for (int i = 0; i < 5; i++) {
        fender_error error = {0};
        assert_int_equal(fender_body_create(world, &defs[i], NULL, &error), FENDER_STATUS_VALUE);
        assert_string_equal(error.path, "path");
    }
    fender_world_destroy(world);
}

/* A ball in free fall whose gravity changes twice: v = sum g dt; the ledger closes; a snapshot has it. */
static void gravity(void **state)
{
    (void)state;
    fender_body_def def = fender_body_def_default();
    def.name = "ball";
    def.mass_properties.mass = 2;
    def.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
    scene s = scene_of(&def, FENDER_INTEGRATOR_RK4);
    (void)at(&s, 0.5);
    check_ok(fender_world_set_gravity(s.world, fender_vec3_make(0, 0, -2), &error));
    (void)at(&s, 1);
    fender_snapshot *snapshot = fender_snapshot_take(s.world, NULL);
    check_ok(fender_world_set_gravity(s.world, fender_vec3_make(1, 0, 3), &error));
    check_vector(at(&s, 2).velocity, fender_vec3_make(1, 0, 2), 1e-13);
    fender_ledger ledger;
    fender_world_ledger(s.world, &ledger);
    check_below(fabs(ledger.residual), 1e-13 * ledger.scale);
    check_below(ledger.linear_drift, 1e-13);
    check_ok(fender_snapshot_restore(s.world, snapshot, &error));
    check_vector(fender_world_get_gravity(s.world), fender_vec3_make(0, 0, -2), 0);
    check_vector(at(&s, 2).velocity, fender_vec3_make(0, 0, -3), 1e-13);
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(s.world);
    fender_env env = fender_env_default();
    fender_world_def world_def = fender_world_def_default();
    world_def.gravity.kind = FENDER_GRAVITY_POINT_MASS;
    world_def.gravity.mu = 1e14;
    world_def.gravity.center = fender_vec3_make(0, 0, -7e6);
    fender_world *world = fender_world_create(&env, &world_def, NULL);
    assert_int_equal(fender_world_set_gravity(world, fender_vec3_make(0, 0, 0), NULL), FENDER_STATUS_ARGUMENT);
    fender_world_destroy(world);
}

/* x'' = k/m (y - x) with y = A sin(r t): x = A w^2 / (w^2 - r^2) (sin r t - r/w sin w t); work of the stage is applied.
 */
static void on_a_spring(void **state)
{
    (void)state;
    static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_DOP853};
    for (int m = 0; m < 2; m++) {
        fender_env env = fender_env_default();
        fender_world_def def = fender_world_def_default();
        def.method = methods[m];
        def.step = 1e-3;
        fender_world *world = fender_world_create(&env, &def, NULL);
        fender_body_def stage = prescribed(), ball = fender_body_def_default();
        const double frequency = 0.8, rate = 2 * 3.14159265358979323846 * frequency, omega = sqrt(60 / 1.5);
        stage.state.position = fender_vec3_make(0, 0, 0);
        stage.sine = (fender_sine){.amplitude = {0.05, 0, 0}, .frequency = frequency};
        ball.name = "ball";
        ball.mass_properties.mass = 1.5;
        ball.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
        ball.state.position = fender_vec3_make(1, 0, 0);
        fender_body_id bodies[2];
        fender_point_id points[2];
        check_ok(fender_body_create(world, &stage, &bodies[0], &error));
        check_ok(fender_body_create(world, &ball, &bodies[1], &error));
        for (int i = 0; i < 2; i++)
            check_ok(fender_point_create(world, bodies[i], "p", fender_pose_identity(), &points[i], &error));
        fender_link_spring_damper spring;
        (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_SPRING_DAMPER), &spring, sizeof spring,
                                      NULL);
        spring.stiffness = 60;
        spring.free_length = 1;
        fender_link_def link = fender_link_def_default();
        link.name = "spring";
        link.a = points[0];
        link.b = points[1];
        link.law = FENDER_LINK_SPRING_DAMPER;
        link.parameters = &spring;
        check_ok(fender_link_create(world, &link, NULL, &error));
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_advance_to(world, 3, &error));
        fender_body_data data;
        check_ok(fender_body_get(world, bodies[1], FENDER_CLOCK_COMMITTED, &data));
        const double x = 0.05 * omega * omega / (omega * omega - rate * rate) *
                         (sin(rate * 3) - rate / omega * sin(omega * 3));
        check_near(data.position.x - 1, x, m == 0 ? 1e-10 : 1e-8);
        fender_ledger ledger;
        fender_world_ledger(world, &ledger);
        check_below(fabs(ledger.residual), 1e-8 * ledger.scale);
        assert_true(fabs(ledger.applied) > 1e-3);
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cubic_tables), cmocka_unit_test(harmonic),
                                       cmocka_unit_test(commands),     cmocka_unit_test(refusals),
                                       cmocka_unit_test(gravity),      cmocka_unit_test(on_a_spring)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
