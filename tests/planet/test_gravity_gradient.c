/* Gravity gradient: a satellite like a rod swings about the vertical at the frequencies of its linear theory; energy
 * and angular momentum about the centre are kept; a sphere feels nothing. */
#include "check.h"

static const double MU = 3.986004418e14, RADIUS = 7e6;

/* A body on a circular orbit in the plane x-z (the orbit's normal is -y), with the frame of its orbit at t = 0:
 * x along the velocity, z down. */
static fender_world *orbiting(fender_vec3 inertia, fender_quaternion attitude, bool gradient, fender_body_id *body)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.gravity = (fender_gravity){.kind = FENDER_GRAVITY_POINT_MASS, .mu = MU};
    def.gravity_gradient = gradient;
    def.method = FENDER_INTEGRATOR_DOP853;
    def.relative_tolerance = 1e-13;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    double rate = sqrt(MU / (RADIUS * RADIUS * RADIUS));
    fender_body_def b = fender_body_def_default();
    b.name = "satellite";
    b.mass_properties = (fender_mass_properties){100, {0, 0, 0}, fender_mat3_diagonal(inertia.x, inertia.y, inertia.z)};
    b.state.position = (fender_vec3){0, 0, -RADIUS}; /* the centre is below: z points down */
    b.state.velocity = (fender_vec3){rate * RADIUS, 0, 0};
    b.state.attitude = attitude;
    b.state.angular_velocity = fender_quaternion_rotate(fender_quaternion_conjugate(attitude),
                                                        (fender_vec3){0, -rate, 0});
    check_ok(fender_body_create(world, &b, body, &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

static fender_quaternion about(fender_vec3 axis, double angle)
{
    double s = sin(0.5 * angle);
    return (fender_quaternion){cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

/* Angle of the body's z axis from the vertical, along the velocity (pitch) and across the orbit (roll). */
static void tilt(const fender_world *world, fender_body_id body, double *pitch, double *roll)
{
    fender_body_data s;
    assert_int_equal(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &s), FENDER_STATUS_OK);
    fender_vec3 z = fender_quaternion_rotate(s.attitude, (fender_vec3){0, 0, 1});
    fender_vec3 down = fender_vec3_scale(-1 / fender_vec3_length(s.position), s.position);
    fender_vec3 along = fender_vec3_cross((fender_vec3){0, 1, 0}, down);
    *pitch = fender_vec3_dot(z, along);
    *roll = fender_vec3_dot(z, (fender_vec3){0, 1, 0});
}

/* Time of the second zero crossing after the start, of a swing that starts at its largest. */
static double crossing(fender_world *world, fender_body_id body, bool of_roll)
{
    double last = NAN, last_time = 0;
    int crossings = 0;
    for (int i = 1; i < 20000; i++) {
        double time = 1.0 * i, pitch, roll;
        check_ok(fender_world_advance_to(world, time, &error));
        tilt(world, body, &pitch, &roll);
        double value = of_roll ? roll : pitch;
        if (last * value < 0 && ++crossings == 2) return last_time + (time - last_time) * last / (last - value);
        last = value;
        last_time = time;
    }
    fail_msg("no crossing");
    return NAN;
}

/* Pitch: w^2 = 3 n^2 (Jx - Jz) / Jy; roll: w^2 = 4 n^2 (Jy - Jz) / Jx where yaw is decoupled (Jz = 0 or Jy - Jz = Jx).
 */
static void rods_swing_as_the_linear_theory_says(void **state)
{
    (void)state;
    const double n = sqrt(MU / (RADIUS * RADIUS * RADIUS)), pi = acos(-1), small = 1e-4;
    const fender_vec3 rod = {50, 50, 0.01}, J = {50, 45, 10};
    for (int k = 0; k < 3; k++) {
        fender_body_id body;
        fender_vec3 axis = k == 1 ? (fender_vec3){1, 0, 0} : (fender_vec3){0, 1, 0}, inertia = k == 2 ? J : rod;
        fender_world *world = orbiting(inertia, about(axis, small), true, &body);
        double w = k == 1   ? 2 * n * sqrt((inertia.y - inertia.z) / inertia.x)
                   : k == 0 ? n * sqrt(3 * (rod.x - rod.z) / rod.y)
                            : n * sqrt(3 * (J.x - J.z) / J.y);
        double found = crossing(world, body, k == 1), expected = 1.5 * pi / w; /* cos: a quarter and a half period */
        check_near(found / expected, 1, 3e-4); /* small angles, interpolated; roll: yaw of a thin rod aside */
        fender_ledger ledger;
        fender_world_ledger(world, &ledger);
        double energy = 50 * MU / RADIUS; /* kinetic */
        check_near(ledger.residual / energy, 0, 1e-12);
        fender_world_destroy(world);
    }
}

/* The moment of gravity about its centre is zero: the angular momentum of orbit and spin stays. */
static void angular_momentum_about_the_center_stays(void **state)
{
    (void)state;
    fender_body_id body;
    fender_quaternion q = about((fender_vec3){0.6, 0.64, 0.48}, 1);
    fender_world *world = orbiting((fender_vec3){4e9, 3e9, 2e9}, q, true, &body); /* large: an effect on the orbit */
    fender_vec3 first = {0, 0, 0};
    for (int i = 0; i < 2; i++) {
        fender_body_data s;
        assert_int_equal(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &s), FENDER_STATUS_OK);
        fender_vec3 w = s.angular_velocity, L = {4e9 * w.x, 3e9 * w.y, 2e9 * w.z};
        fender_vec3 sum = fender_vec3_add(fender_quaternion_rotate(s.attitude, L),
                                          fender_vec3_scale(100, fender_vec3_cross(s.position, s.velocity)));
        if (i == 0) first = sum;
        else check_near(fender_vec3_length(fender_vec3_sub(sum, first)) / fender_vec3_length(first), 0, 1e-12);
        check_ok(fender_world_advance_to(world, 3000, &error));
    }
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    check_near(ledger.residual / (50 * MU / RADIUS), 0, 1e-11);
    fender_world_destroy(world);
}

/* Off by default, nothing for a sphere, and refused where there is no gradient. */
static void spheres_feel_nothing(void **state)
{
    (void)state;
    fender_body_id body;
    double spins[3];
    for (int k = 0; k < 3; k++) {
        fender_vec3 J = k == 2 ? (fender_vec3){50, 50, 50} : (fender_vec3){50, 40, 10};
        fender_world *world = orbiting(J, about((fender_vec3){0, 1, 0}, 0.5), k != 1, &body);
        check_ok(fender_world_advance_to(world, 600, &error));
        fender_body_data s;
        assert_int_equal(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &s), FENDER_STATUS_OK);
        spins[k] = s.angular_velocity.y;
        fender_world_destroy(world);
    }
    check_near(spins[1], spins[2], 1e-15);
    assert_true(fabs(spins[0] - spins[1]) > 1e-6);
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.gravity_gradient = true;
    fender_error error = {0};
    assert_null(fender_world_create(&env, &def, &error));
    assert_string_equal(error.path, "world.gravity_gradient");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rods_swing_as_the_linear_theory_says),
        cmocka_unit_test(angular_momentum_about_the_center_stays),
        cmocka_unit_test(spheres_feel_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
