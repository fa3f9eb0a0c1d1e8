/* Motion without contact against closed forms: fall, orbit, symmetric top, loads; and the order of both integrators. */
/* items: B029 */
#include "check.h"
#include "scene.h"
#include <string.h>

static const double pi = 3.14159265358979323846;

static scene lone_body(double mass, fender_mat3 inertia)
{
    scene s;
    memset(&s, 0, sizeof s);
    s.world = fender_world_def_default();
    s.body_count = 1;
    s.bodies[0] = scene_ball(0, mass, 1);
    s.bodies[0].mass_properties.inertia = inertia;
    return s;
}

static fender_body_data run(const scene *s, double duration)
{
    fender_world *world = scene_build(s);
    check_ok(fender_world_advance(world, (int64_t)(duration / s->world.step + 0.5), &error));
    check_near(fender_world_time(world), duration, 1e-9);
    fender_body_data data = scene_body_data(world, 0);
    fender_world_destroy(world);
    return data;
}

/* ---- gravity ---- */

/* A parabola is a polynomial of degree 2: RK4 has no error but rounding. */
static void projectile(void **state)
{
    (void)state;
    scene s = lone_body(7, fender_mat3_diagonal(1, 2, 2.5));
    s.world.gravity = (fender_gravity){.kind = FENDER_GRAVITY_UNIFORM, .acceleration = {0.3, -0.2, -9.80665}};
    s.bodies[0].state.position = fender_vec3_make(1, 2, 3);
    s.bodies[0].state.velocity = fender_vec3_make(30, -4, 50);
    fender_world *world = scene_build(&s);
    double worst = 0, residual = 0;
    for (int i = 1; i <= 1000; i++) {
        check_ok(fender_world_step(world, &error));
        double t = 0.01 * i;
        fender_vec3 g = s.world.gravity.acceleration;
        fender_vec3 p = fender_vec3_add_scaled(
            fender_vec3_add_scaled(s.bodies[0].state.position, t, s.bodies[0].state.velocity), 0.5 * t * t, g);
        fender_vec3 v = fender_vec3_add_scaled(s.bodies[0].state.velocity, t, g);
        fender_body_data d = scene_body_data(world, 0);
        fender_ledger ledger;
        fender_world_ledger(world, &ledger);
        worst = larger(worst, fender_vec3_length(fender_vec3_sub(d.position, p)));
        worst = larger(worst, fender_vec3_length(fender_vec3_sub(d.velocity, v)));
        residual = larger(residual, fabs(ledger.residual) / ledger.scale);
        check_below(ledger.linear_drift, 1e-10);
        check_below(ledger.angular_drift, 1e-8);
    }
    printf("projectile over 10 s: largest error %.1e m, m/s; energy %.1e of its scale\n", worst, residual);
    check_below(worst, 1e-11);
    check_below(residual, 1e-13);
    fender_world_destroy(world);
}

/* Error after a third of a revolution on a circular orbit of radius 7000 km about the Earth, relative to the radius.
 * (After a whole one the first-order error of the symplectic method has cancelled.) */
static double orbit_error(fender_integrator_method method, int steps)
{
    const double mu = 3.986004418e14, radius = 7e6, speed = sqrt(mu / radius), period = 2 * pi * radius / speed;
    scene s = lone_body(500, fender_mat3_diagonal(100, 100, 100));
    s.world.method = method;
    s.world.step = period / steps;
    s.world.gravity = (fender_gravity){.kind = FENDER_GRAVITY_POINT_MASS, .mu = mu, .center = {1e6, -2e6, 5e5}};
    fender_vec3 out = {2.0 / 3, 2.0 / 3, 1.0 / 3}, along = {-1.0 / 3, 2.0 / 3, -2.0 / 3};
    s.bodies[0].state.position = fender_vec3_add_scaled(s.world.gravity.center, radius, out);
    s.bodies[0].state.velocity = fender_vec3_scale(speed, along);
    fender_body_data d = run(&s, steps / 3 * s.world.step);
    double angle = 2 * pi * (steps / 3) / steps;
    fender_vec3 want = fender_vec3_add(fender_vec3_scale(cos(angle), out), fender_vec3_scale(sin(angle), along));
    return fender_vec3_length(
               fender_vec3_sub(fender_vec3_sub(d.position, s.world.gravity.center), fender_vec3_scale(radius, want))) /
           radius;
}

static void check_order(const char *what, const double *errors, int count, double expected, double within)
{
    printf("%s:", what);
    for (int i = 0; i < count; i++) printf(" %.3e", errors[i]);
    double order = log2(errors[0] / errors[count - 1]) / (count - 1);
    printf("  order %.3f\n", order);
    check_near(order, expected, within);
}

static void orbit(void **state)
{
    (void)state;
    double errors[4];
    for (int i = 0; i < 4; i++) errors[i] = orbit_error(FENDER_INTEGRATOR_RK4, 210 << i);
    check_order("circular orbit, rk4, 210 ... 1680 steps per revolution", errors, 4, 4, 0.25);
    check_below(orbit_error(FENDER_INTEGRATOR_RK4, 21000), 1e-11);
    for (int i = 0; i < 4; i++) errors[i] = orbit_error(FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, 2100 << i);
    check_order("circular orbit, semi-implicit, 2100 ... 16800 steps per revolution", errors, 4, 1, 0.1);
    for (int i = 0; i < 4; i++) errors[i] = orbit_error(FENDER_INTEGRATOR_VELOCITY_VERLET, 210 << i);
    check_order("circular orbit, velocity Verlet, 210 ... 1680 steps per revolution", errors, 4, 2, 0.1);
}

/* ---- rotation ---- */

/* Torque-free symmetric top: I = (A, A, B). The body turns about L at |L|/A while it turns about its own axis at
 * (1/B - 1/A) L_z: attitude = turn about L after turn about z. Structure axes are turned against body axes. */
static fender_quaternion turned_about(fender_vec3 axis, double angle)
{
    double s = sin(angle / 2) / fender_vec3_length(axis);
    return (fender_quaternion){cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

static double attitude_gap(fender_quaternion p, fender_quaternion q)
{
    fender_quaternion d = fender_quaternion_product(fender_quaternion_conjugate(p), q);
    return 2 * sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

static double top_error(fender_integrator_method method, double step, double *momentum_gap)
{
    const double A = 3, B = 1.2, duration = 4;
    scene s = lone_body(5, fender_mat3_diagonal(A, A, B));
    s.world.method = method;
    s.world.step = step;
    scene_body *body = &s.bodies[0];
    body->body_axes = (fender_quaternion){0.5, 0.5, -0.5, 0.5};
    body->mass_properties.center_of_mass = fender_vec3_make(0.2, -0.3, 0.5);
    body->state.attitude = fender_quaternion_normalized((fender_quaternion){0.7, 0.1, -0.5, 0.4});
    fender_vec3 w_B = {0.8, -0.5, 6};
    body->state.angular_velocity = fender_quaternion_rotate(body->body_axes, w_B);
    fender_quaternion q_WB = fender_quaternion_product(body->state.attitude, body->body_axes);
    fender_vec3 L_B = {A * w_B.x, A * w_B.y, B * w_B.z}, L = fender_quaternion_rotate(q_WB, L_B);
    fender_quaternion own = turned_about(fender_vec3_make(0, 0, 1), (1 / B - 1 / A) * L_B.z * duration);
    fender_quaternion precession = turned_about(L, fender_vec3_length(L) / A * duration);
    fender_quaternion want = fender_quaternion_product(
        fender_quaternion_product(fender_quaternion_product(precession, q_WB), own),
        fender_quaternion_conjugate(body->body_axes));
    fender_body_data d = run(&s, duration);
    *momentum_gap = fender_vec3_length(fender_vec3_sub(d.angular_momentum, L)) / fender_vec3_length(L);
    fender_vec3 w_end = fender_quaternion_rotate(fender_quaternion_conjugate(body->body_axes), d.angular_velocity);
    check_near(w_end.z, w_B.z, 20 * attitude_gap(want, d.attitude) + 1e-12);
    return attitude_gap(want, d.attitude);
}

static void symmetric_top(void **state)
{
    (void)state;
    double errors[4], gap;
    for (int i = 0; i < 4; i++) {
        errors[i] = top_error(FENDER_INTEGRATOR_RK4, 0.02 / (1 << i), &gap);
        check_below(gap, 1e-15); /* the integrated quantity itself */
    }
    check_order("symmetric top at 6 rad/s for 4 s, rk4, 20 ... 2.5 ms, error of attitude in rad", errors, 4, 4, 0.2);
    check_below(top_error(FENDER_INTEGRATOR_RK4, 5e-4, &gap), 1e-9);
    for (int i = 0; i < 4; i++) errors[i] = top_error(FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, 0.002 / (1 << i), &gap);
    check_order("symmetric top, semi-implicit, 2 ... 0.25 ms", errors, 4, 1, 0.1);
    /* Velocity Verlet moves by free rotation: rounding is left, for any step. */
    for (double step = 1e-3; step < 4; step *= 4) {
        double error = top_error(FENDER_INTEGRATOR_VELOCITY_VERLET, 4 / floor(4 / step), &gap);
        printf("symmetric top, velocity Verlet, step %g s: %.1e rad\n", 4 / floor(4 / step), error);
        check_below(error, 2e-13); /* 24 rad to 1e-14, and the closed form's own rounding */
        check_below(gap, 1e-15);
    }
}

/* A spin about a principal axis of a sphere is a rotation at an even rate: exact for any step. */
static void even_spin(void **state)
{
    (void)state;
    scene s = lone_body(3, fender_mat3_diagonal(2, 2, 2));
    s.bodies[0].state.angular_velocity = fender_vec3_make(3, -4, 12);
    fender_body_data d = run(&s, 10);
    fender_quaternion want = turned_about(s.bodies[0].state.angular_velocity, 130);
    printf("ball at 13 rad/s after 10 s: attitude off by %.1e rad\n", attitude_gap(want, d.attitude));
    check_below(attitude_gap(want, d.attitude), 1e-12);
}

/* ---- loads ---- */

static fender_body_data run_with_load(const scene *s, const fender_load_def *load, double duration, double *residual)
{
    fender_env env = fender_env_default();
    fender_world *world = scene_build_with(s, &env, NULL, false);
    fender_load_def def = *load;
    def.size = sizeof def;
    def.name = "push";
    def.body = fender_body_at(world, 0);
    check_ok(fender_load_create(world, &def, NULL, &error));
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance(world, (int64_t)(duration / s->world.step + 0.5), &error));
    fender_body_data data = scene_body_data(world, 0);
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    *residual = fabs(ledger.residual) / ledger.scale;
    check_below(ledger.linear_drift, 1e-10);
    check_below(ledger.angular_drift, 1e-8); /* the torque of a turning force is a quadrature, of order 4 */
    fender_world_destroy(world);
    return data;
}

static void loads(void **state)
{
    (void)state;
    double residual;
    scene s = lone_body(4, fender_mat3_diagonal(2, 2, 2));
    s.bodies[0].mass_properties.center_of_mass = fender_vec3_make(0.5, 0, 0);
    fender_load_def load = fender_load_def_default();

    load.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {8, -4, 2}};
    load.torque = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {0, 0, 3}};
    fender_body_data d = run_with_load(&s, &load, 2, &residual);
    check_vector(d.center_velocity, fender_vec3_make(4, -2, 1), 1e-13);
    check_vector(d.center_position, fender_vec3_make(4.5, -2, 1), 1e-13);
    check_vector(d.angular_momentum, fender_vec3_make(0, 0, 6), 1e-13);
    check_below(attitude_gap(turned_about(fender_vec3_make(0, 0, 1), 3), d.attitude), 1e-13);
    check_below(residual, 1e-13);

    /* v = r (t - t0)^2 / 2m, x = r (t - t0)^3 / 6m: of degree 3, exact where the start lies on a step */
    memset(&load.torque, 0, sizeof load.torque);
    load.force = (fender_signal){.kind = FENDER_SIGNAL_RAMP, .direction = {0, 3, 4}, .rate = 10, .start = 0.5};
    d = run_with_load(&s, &load, 2, &residual);
    double v = 10 * 1.5 * 1.5 / 8, x = 10 * 1.5 * 1.5 * 1.5 / 24;
    check_vector(d.center_velocity, fender_vec3_make(0, 0.6 * v, 0.8 * v), 1e-12);
    check_vector(d.center_position, fender_vec3_make(0.5, 0.6 * x, 0.8 * x), 1e-12);

    /* rows at 0, 1, 1.5 s; then held, or zero. Impulse: 4 + 3 + held 2 from 1.5 to 2 */
    const double times[] = {0, 1, 1.5};
    const fender_vec3 values[] = {{0, 0, 0}, {8, 0, 0}, {4, 0, 0}};
    load.force = (fender_signal){.kind = FENDER_SIGNAL_TABLE, .times = times, .values = values, .count = 3};
    d = run_with_load(&s, &load, 2, &residual);
    check_near(d.center_velocity.x, (4 + 3 + 2) / 4.0, 1e-12);
    load.force.after = FENDER_AFTER_ZERO;
    d = run_with_load(&s, &load, 2, &residual);
    /* the step that ends at 1.5 s and the one that begins there both see the last row at that instant */
    check_near(d.center_velocity.x, (4 + 3) / 4.0, 4 * 0.01 / 4);

    /* a constant force in body axes at the rim of a spinning disk: the force turns with it, closed form of a circle */
    memset(&load, 0, sizeof load);
    load.active = true;
    load.axes = FENDER_AXES_BODY;
    load.at_center = true;
    load.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {6, 0, 0}};
    s.bodies[0].mass_properties.center_of_mass = fender_vec3_make(0, 0, 0);
    s.bodies[0].state.angular_velocity = fender_vec3_make(0, 0, 5);
    d = run_with_load(&s, &load, 2, &residual);
    printf("force in body axes at 5 rad/s: error %.1e m/s\n", fabs(d.velocity.x - 6.0 / 20 * sin(10)));
    check_near(d.velocity.x, 6.0 / 20 * sin(10), 1e-7);
    check_near(d.velocity.y, 6.0 / 20 * (1 - cos(10)), 1e-7);

    /* a force at a point: torque r x F about the centre, with the centre off the structure's origin */
    s.bodies[0].mass_properties.center_of_mass = fender_vec3_make(0, 0.25, 0);
    s.bodies[0].state.angular_velocity = fender_vec3_make(0, 0, 0);
    s.world.step = 1e-4;
    load.at_center = false;
    load.point = fender_vec3_make(0, 1.25, 0);
    load.force.constant = fender_vec3_make(0, 0, 2);
    d = run_with_load(&s, &load, 1e-3, &residual);
    check_vector(d.angular_momentum, fender_vec3_make(2e-3, 0, 0), 1e-9);
}

/* ---- friction ---- */

/* A sphere that cannot turn, pressed on a plane of one huge fixed sphere by its weight, slides at v0: it slows by mu g.
 * The law's friction is mu N s/sqrt(s^2 + s0^2), so m v' = -mu N v/sqrt(v^2 + s0^2); with r = sqrt(v^2 + s0^2) and the
 * artanh term L(r) = s0/2 log((r + s0)/(r - s0)) the time from v0 to v is ((r0 - L(r0)) - (r - L(r))) / (mu g). */
static double slide_time(double v0, double v, double s0, double deceleration)
{
    double r0 = sqrt(v0 * v0 + s0 * s0), r = sqrt(v * v + s0 * s0);
    double L0 = s0 / 2 * log((r0 + s0) / (r0 - s0)), L = s0 / 2 * log((r + s0) / (r - s0));
    return ((r0 - L0) - (r - L)) / deceleration;
}

static void sliding(void **state)
{
    (void)state;
    /* the ground is a sphere of a million metres: over one metre it falls by half a micrometre */
    const double k = 1e5, mass = 10, g = 9.81, mu = 0.3, s0 = 0.01, ground = 1e6, sink = mass * g / k;
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, k, 200, mu, s0, 0});
    s.world.gravity = (fender_gravity){.kind = FENDER_GRAVITY_UNIFORM, .acceleration = {0, 0, -g}};
    s.world.step = 1e-4;
    s.body_count = 2;
    s.bodies[0] = scene_ball(0, mass, 1);
    s.bodies[0].mass_properties.inertia = fender_mat3_diagonal(1e12, 1e12, 1e12); /* it will not roll */
    s.bodies[0].state.position.z = 1 - sink;
    s.bodies[0].state.velocity.x = 1;
    s.bodies[1] = scene_ball(1, 0, ground);
    s.bodies[1].motion = FENDER_MOTION_FIXED;
    s.bodies[1].state.position.z = -ground;
    fender_world *world = scene_build(&s);
    double worst = 0;
    for (int i = 0; i < 3300; i++) {
        check_ok(fender_world_step(world, &error));
        double v = scene_body_data(world, 0).velocity.x;
        worst = larger(worst, fabs(slide_time(1, v, s0, mu * g) - fender_world_time(world)));
    }
    double end = scene_body_data(world, 0).velocity.x;
    printf("sliding from 1 m/s to %.4f m/s in 0.33 s: time off by at most %.1e s\n", end, worst);
    check_below(worst, 2e-6);
    assert_true(end > 0.01 && end < 0.05);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projectile), cmocka_unit_test(orbit), cmocka_unit_test(symmetric_top),
        cmocka_unit_test(even_spin),  cmocka_unit_test(loads), cmocka_unit_test(sliding),
    };
    return cmocka_run_group_tests_name("motion against closed forms", tests, NULL, NULL);
}
