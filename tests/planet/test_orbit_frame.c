/* Frames in orbit: bodies beside the origin against Kepler's orbits, the equations of Clohessy and Wiltshire, and the
 * same motion in an inertial world; what such a frame is refused with. */
#include "check.h"

static const double MU = 3.986004418e14;
static const fender_planet earth = {
    .mu = 3.986004418e14, .equatorial_radius = 6378137, .flattening = 0.0034, .rotation_rate = 7.3e-5};
static const fender_orbit ellipse = {7.2e6, 0.08, 0.9, 0.5, 0.7, 2.9};

static fender_world *world_with(const fender_world_def *def, fender_body_state at, fender_body_id *body)
{
    fender_env env = fender_env_default();
    fender_world *world = fender_world_create(&env, def, NULL);
    assert_non_null(world);
    fender_body_def b = fender_body_def_default();
    b.name = "body";
    b.mass_properties.mass = 100;
    b.mass_properties.inertia = (fender_mat3){{{20, 0, 0}, {0, 300, 0}, {0, 0, 310}}};
    b.state = at;
    check_ok(fender_body_create(world, &b, body, &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

static fender_world_def in_orbit(void)
{
    fender_world_def def = fender_world_def_default();
    def.frame = (fender_frame){.kind = FENDER_FRAME_ORBIT, .planet = earth, .orbit = ellipse};
    def.gravity.kind = FENDER_GRAVITY_PLANET;
    def.method = FENDER_INTEGRATOR_DOP853;
    def.step = 10;
    def.relative_tolerance = 1e-13;
    def.absolute_tolerance = 1e-10;
    def.start_time = 100;
    return def;
}

static fender_body_state state_of(fender_vec3 position, fender_vec3 velocity)
{
    return (fender_body_state){position, fender_quaternion_identity(), velocity, {0, 0, 0}};
}

/* A second orbit, 1 km beside: the difference of two positions of 7e6 m has 1e-9 m, and what the body is given at first
 * has, too, which grows by the time times the mean motion. */
static void bodies_follow_keplers_orbits(void **state)
{
    (void)state;
    fender_orbit other = {7.2e6 + 700, 0.08005, 0.90003, 0.50002, 0.7, 2.9};
    fender_vec3 r0, v0, r1, v1;
    check_ok(fender_orbit_state(MU, &ellipse, &r0, &v0, &error));
    check_ok(fender_orbit_state(MU, &other, &r1, &v1, &error));
    fender_world_def def = in_orbit();
    fender_body_id body;
    fender_world *world = world_with(&def, state_of(fender_vec3_sub(r1, r0), fender_vec3_sub(v1, v0)), &body);
    const double n0 = sqrt(MU / pow(ellipse.semi_major_axis, 3)), n1 = sqrt(MU / pow(other.semi_major_axis, 3));
    const double e1 = other.eccentricity, half = tan(2.9 / 2);
    const double E = 2 * atan(sqrt((1 - 0.08) / (1 + 0.08)) * half), M = E - 0.08 * sin(E);
    const double E1 = 2 * atan(sqrt((1 - e1) / (1 + e1)) * half), M1 = E1 - e1 * sin(E1);
    for (int i = 1; i <= 5; i++) {
        const double t = 1500 * i;
        check_ok(fender_world_advance_to(world, 100 + t, &error));
        fender_orbit a = ellipse, b = other;
        a.true_anomaly = fender_true_anomaly(M + n0 * t, a.eccentricity);
        b.true_anomaly = fender_true_anomaly(M1 + n1 * t, e1);
        check_ok(fender_orbit_state(MU, &a, &r0, &v0, &error));
        check_ok(fender_orbit_state(MU, &b, &r1, &v1, &error));
        fender_body_data data;
        fender_body_planet_data planet;
        check_ok(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &data));
        check_ok(fender_body_get_planet(world, body, &planet));
        check_vector(data.position, fender_vec3_sub(r1, r0), 3e-7);
        check_vector(data.velocity, fender_vec3_sub(v1, v0), 3e-10);
        check_vector(planet.inertial_position, r1, 3e-7);
        check_vector(planet.inertial_velocity, v1, 3e-10);
        /* planet-fixed axes have turned since 0 s; the velocity in them is less the turning */
        const double turn = 7.3e-5 * (100 + t), c = cos(turn), s = sin(turn);
        check_vector(planet.fixed_position, fender_vec3_make(c * r1.x + s * r1.y, c * r1.y - s * r1.x, r1.z), 1e-6);
        const fender_vec3 u = {v1.x + 7.3e-5 * r1.y, v1.y - 7.3e-5 * r1.x, v1.z};
        check_vector(planet.fixed_velocity, fender_vec3_make(c * u.x + s * u.y, c * u.y - s * u.x, u.z), 1e-9);
        fender_ledger ledger;
        fender_world_ledger(world, &ledger);
        check_below(fabs(ledger.residual), 1e-9 * ledger.scale);
        fender_inertial_ledger seen;
        fender_world_inertial_ledger(world, &seen);
        check_near(seen.kinetic / (50 * fender_vec3_dot(v1, v1)), 1, 1e-13);
        check_near(seen.gravitational / (-100 * MU / fender_vec3_length(r1)), 1, 1e-13);
        check_below(seen.axial_drift, 1e-13 * fabs(seen.axial_momentum));
    }
    fender_world_destroy(world);
}

/* On a circular orbit, x up, y forward: x'' = 3 n^2 x + 2 n y', y'' = -2 n x', z'' = -n^2 z (Clohessy and Wiltshire
 * 1960), with an error of the second order in distance over radius. A micrometre keeps its digits. */
static void small_distances_keep_their_digits(void **state)
{
    (void)state;
    fender_world_def def = in_orbit();
    def.method = FENDER_INTEGRATOR_RK4;
    def.step = 2;
    def.frame.orbit = (fender_orbit){7e6, 0, 0, 0, 0, 0};
    const double n = sqrt(MU / 7e6 / 7e6 / 7e6), t = 2000, c = cos(n * t), s = sin(n * t), x = 1e-6, z = 2e-6;
    fender_body_id body; /* at rest in the frame that turns with the orbit */
    fender_world *world = world_with(&def, state_of((fender_vec3){x, 0, z}, (fender_vec3){0, n * x, 0}), &body);
    check_ok(fender_world_advance_to(world, 100 + t, &error));
    fender_body_data data;
    check_ok(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &data));
    const double up = (4 - 3 * c) * x, forward = 6 * (s - n * t) * x;
    check_vector(data.position, fender_vec3_make(up * c - forward * s, up * s + forward * c, z * c), 2e-17);
    fender_world_destroy(world);

    world = world_with(&def, state_of((fender_vec3){0, 0, 0}, (fender_vec3){0, 0, 0}), &body);
    check_ok(fender_world_advance_to(world, 100 + t, &error));
    check_ok(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &data));
    check_vector(data.position, fender_vec3_make(0, 0, 0), 0); /* the origin itself, to the last bit */
    fender_inertial_data felt;
    const fender_body_frame frame = {FENDER_BODY_FRAME_STRUCTURE, body, {0}};
    check_ok(fender_body_frame_inertial(world, frame, &felt));
    check_vector(felt.specific_force, fender_vec3_make(0, 0, 0), 1e-15);
    fender_world_destroy(world);
}

/* j2 and the gradient of gravity: as in an inertial world about the planet's centre. */
static void agrees_with_the_inertial_world(void **state)
{
    (void)state;
    for (int gradient = 0; gradient < 2; gradient++) {
        fender_vec3 r0, v0;
        check_ok(fender_orbit_state(MU, &ellipse, &r0, &v0, &error));
        fender_world_def def = in_orbit();
        def.frame.planet.j2 = 1.0826e-3;
        def.gravity_gradient = gradient;
        const fender_vec3 at = {3, -40, 7}, speed = {0.1, 0.2, -0.3};
        fender_body_id a, b;
        fender_world *orbit = world_with(&def, state_of(at, speed), &a);
        def.frame = (fender_frame){.kind = FENDER_FRAME_INERTIAL};
        def.gravity = (fender_gravity){.kind = FENDER_GRAVITY_POINT_MASS, .mu = MU};
        def.oblateness = (fender_oblateness){1.0826e-3, 6378137, {0, 0, 1}};
        fender_world *inertial = world_with(&def, state_of(fender_vec3_add(r0, at), fender_vec3_add(v0, speed)), &b);
        check_ok(fender_world_advance_to(orbit, 3100, &error));
        check_ok(fender_world_advance_to(inertial, 3100, &error));
        fender_body_planet_data seen;
        fender_body_data moved, there;
        check_ok(fender_body_get(orbit, a, FENDER_CLOCK_COMMITTED, &moved));
        check_ok(fender_body_get_planet(orbit, a, &seen));
        check_ok(fender_body_get(inertial, b, FENDER_CLOCK_COMMITTED, &there));
        check_vector(seen.inertial_position, there.position, 1e-5);
        check_vector(moved.angular_momentum, there.angular_momentum, 1e-9);
        if (gradient) assert_true(fender_vec3_length(moved.angular_momentum) > 1e-2);
        fender_ledger ledger;
        fender_world_ledger(orbit, &ledger);
        check_below(fabs(ledger.residual), 1e-9 * ledger.scale);
        fender_world_destroy(orbit);
        fender_world_destroy(inertial);
    }
}

/* A restored world and one in steps go on to the same bits; another orbit does not accept the snapshot. */
static void snapshots_go_on(void **state)
{
    (void)state;
    fender_world_def def = in_orbit();
    def.method = FENDER_INTEGRATOR_RK4;
    fender_body_id body;
    const fender_body_state at = state_of((fender_vec3){10, 20, 30}, (fender_vec3){1, 0, 0});
    fender_world *world = world_with(&def, at, &body), *other = world_with(&def, at, &body);
    check_ok(fender_world_advance(world, 20, &error));
    fender_snapshot *snapshot = fender_snapshot_take(world, NULL);
    assert_non_null(snapshot);
    check_ok(fender_world_advance(world, 20, &error));
    check_ok(fender_snapshot_restore(other, snapshot, &error));
    fender_body_id of_other = fender_body_at(other, 0);
    fender_body_planet_data planet;
    check_ok(fender_body_get_planet(other, of_other, &planet)); /* moves nothing */
    check_ok(fender_world_advance(other, 20, &error));
    assert_true(fender_world_hash(world) == fender_world_hash(other));
    fender_world_destroy(other);
    def.frame.orbit.true_anomaly += 0.1;
    other = world_with(&def, at, &body);
    fender_error error = {0};
    assert_int_not_equal(fender_snapshot_restore(other, snapshot, &error), FENDER_STATUS_OK);
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(other);
    fender_world_destroy(world);
}

static void impossible_frames_are_refused(void **state)
{
    (void)state;
    fender_world_def bad[4] = {in_orbit(), in_orbit(), in_orbit(), in_orbit()};
    bad[0].gravity.kind = FENDER_GRAVITY_NONE;
    bad[1].frame.orbit = (fender_orbit){-7e6, 1.2, 0, 0, 0, 0};
    bad[2].frame.orbit.semi_major_axis = NAN;
    bad[3].frame.planet.mu = 0;
    static const char *const paths[] = {"world.gravity", "world.frame.orbit.eccentricity",
                                        "world.frame.orbit.semi_major_axis", "world.frame.planet.mu"};
    for (int i = 0; i < 4; i++) {
        fender_env env = fender_env_default();
        fender_error error = {0};
        assert_null(fender_world_create(&env, &bad[i], &error));
        assert_string_equal(error.path, paths[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_follow_keplers_orbits),   cmocka_unit_test(small_distances_keep_their_digits),
        cmocka_unit_test(agrees_with_the_inertial_world), cmocka_unit_test(snapshots_go_on),
        cmocka_unit_test(impossible_frames_are_refused),
    };
    return cmocka_run_group_tests_name("orbit_frame", tests, NULL, NULL);
}
