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

/* ---- joints ----
 *
 * A station, a tug and a module in a row, 60 m and 25 m apart, pitched. The reference knows no gradient: each body is
 * six point masses in pairs along its axes, each with the exact gravity of its place. */

enum { STATION, TUG, MODULE, BODIES };
static const double masses[BODIES] = {1000, 500, 300};
static const fender_vec3 moments[BODIES] = {{1000, 1000, 1000}, {1000, 9000, 10000}, {4000, 3000, 1500}};
static const fender_vec3 places[BODIES] = {{0, 0, 0}, {0, 0, 60}, {10, 0, 85}};

static fender_vec3 pair_distances(int body)
{
    const fender_vec3 J = moments[body];
    const double sum = 0.5 * (J.x + J.y + J.z), mass = masses[body] / 3;
    return (fender_vec3){sqrt((sum - J.x) / mass), sqrt((sum - J.y) / mass), sqrt((sum - J.z) / mass)};
}

/* Gravity of a body, in the axes of the station, whose structure is at `origin` from the centre of attraction: force,
 * and torque about `about`. */
static void gravity_of(int body, fender_vec3 origin, fender_vec3 about, fender_vec3 *force, fender_vec3 *torque)
{
    const fender_vec3 size = pair_distances(body);
    *force = *torque = (fender_vec3){0, 0, 0};
    for (int i = 0; i < 6; i++) {
        const double sign = i & 1 ? 1 : -1;
        const fender_vec3 off = {i / 2 == 0 ? sign * size.x : 0, i / 2 == 1 ? sign * size.y : 0,
                                 i / 2 == 2 ? sign * size.z : 0};
        const fender_vec3 at = fender_vec3_add(places[body], off), r = fender_vec3_add(origin, at);
        const double distance = fender_vec3_length(r);
        const fender_vec3 f = fender_vec3_scale(-MU * masses[body] / 6 / (distance * distance * distance), r);
        *force = fender_vec3_add(*force, f);
        *torque = fender_vec3_add(*torque, fender_vec3_cross(fender_vec3_sub(at, about), f));
    }
}

/* J x of a body about a place. */
static fender_vec3 inertia_times(int body, fender_vec3 about, fender_vec3 x)
{
    const fender_vec3 r = fender_vec3_sub(places[body], about), J = moments[body];
    const fender_vec3 own = {J.x * x.x, J.y * x.y, J.z * x.z};
    return fender_vec3_add_scaled(own, masses[body], fender_vec3_cross(r, fender_vec3_cross(x, r)));
}

/* Newton and Euler of all bodies, then of those from `first` on: what holds these. The row turns about y, which is a
 * principal axis of all. */
static void load_from(int first, fender_vec3 origin, double rate, fender_vec3 *force, fender_vec3 *torque)
{
    fender_vec3 center = {0, 0, 0}, push = {0, 0, 0}, turn = {0, 0, 0}, f, t;
    const fender_vec3 w = {0, rate, 0}, y = {0, 1, 0};
    double mass = 0, J = 0;
    for (int i = 0; i < BODIES; i++) {
        mass += masses[i];
        center = fender_vec3_add_scaled(center, masses[i], places[i]);
    }
    center = fender_vec3_scale(1 / mass, center);
    for (int i = 0; i < BODIES; i++) {
        gravity_of(i, origin, center, &f, &t);
        push = fender_vec3_add(push, f);
        turn = fender_vec3_add(turn, t);
        J += inertia_times(i, center, y).y;
    }
    const fender_vec3 turning = {0, turn.y / J, 0};
    *force = *torque = (fender_vec3){0, 0, 0};
    for (int i = first; i < BODIES; i++) {
        const fender_vec3 r = fender_vec3_sub(places[i], center);
        fender_vec3 a = fender_vec3_add_scaled(fender_vec3_cross(turning, r), 1 / mass, push);
        a = fender_vec3_add(a, fender_vec3_cross(w, fender_vec3_cross(w, r)));
        gravity_of(i, origin, places[first], &f, &t);
        const fender_vec3 need = fender_vec3_sub(fender_vec3_scale(masses[i], a), f);
        *force = fender_vec3_add(*force, need);
        const fender_vec3 arm = fender_vec3_sub(places[i], places[first]);
        fender_vec3 moment = fender_vec3_cross(arm, fender_vec3_scale(masses[i], a));
        moment.y += moments[i].y * turning.y;
        *torque = fender_vec3_add(*torque, fender_vec3_sub(moment, t));
    }
}

static fender_body_id vehicle(fender_world *world, int which)
{
    static const char *const names[BODIES] = {"station", "tug", "module"};
    const fender_vec3 J = moments[which];
    fender_body_def b = fender_body_def_default();
    fender_body_id id;
    b.name = names[which];
    b.mass_properties = (fender_mass_properties){masses[which], {0, 0, 0}, fender_mat3_diagonal(J.x, J.y, J.z)};
    check_ok(fender_body_create(world, &b, &id, &error));
    return id;
}

/* The station carries both (`carried`: 1), or the module carries the tug, which then docks at the station: loads follow
 * connections, not the links of the tree. What is left out are terms of the third order: some 1e-5 of
 * the tides, as the row's length to the radius. */
static void joints_bear_tides(void **state)
{
    (void)state;
    const double n = sqrt(MU / (RADIUS * RADIUS * RADIUS));
    for (int carried = 0; carried < 2; carried++) {
        fender_env env = fender_env_default();
        fender_world_def def = fender_world_def_default();
        def.gravity = (fender_gravity){.kind = FENDER_GRAVITY_POINT_MASS, .mu = MU};
        def.gravity_gradient = true;
        fender_world *world = fender_world_create(&env, &def, NULL);
        fender_body_id id[BODIES];
        for (int i = 0; i < BODIES; i++) id[i] = vehicle(world, i);
        fender_attach_def attach = fender_attach_def_default();
        attach.pose = FENDER_ATTACH_POSED;
        attach.child = carried ? id[MODULE] : id[TUG];
        attach.parent = carried ? id[TUG] : id[MODULE];
        attach.X_PC.p = fender_vec3_scale(carried ? 1 : -1, fender_vec3_sub(places[MODULE], places[TUG]));
        check_ok(fender_body_attach(world, &attach, NULL, &error));
        attach.child = id[TUG];
        attach.parent = id[STATION];
        attach.X_PC.p = places[TUG];
        check_ok(fender_body_attach(world, &attach, NULL, &error));
        fender_body_state s = {.position = {0, 0, -RADIUS}, .velocity = {n * RADIUS, 0, 0}};
        s.attitude = about((fender_vec3){0, 1, 0}, 0.5);
        s.angular_velocity = (fender_vec3){0, -n, 0};
        check_ok(fender_body_set_state(world, id[STATION], &s, &error));
        check_ok(fender_world_initialize(world, &error));
        const fender_quaternion inverse = fender_quaternion_conjugate(s.attitude);
        const fender_vec3 origin = fender_quaternion_rotate(inverse, s.position);
        for (int first = TUG; first < BODIES; first++) {
            fender_vec3 force, torque;
            load_from(first, origin, -n, &force, &torque);
            fender_body_frame frame = {.kind = FENDER_BODY_FRAME_STRUCTURE, .body = id[first]};
            fender_interface_data load;
            assert_int_equal(fender_body_get_interface(world, frame, id[first - 1], &load), FENDER_STATUS_OK);
            const double size = fender_vec3_length(force), turn = fender_vec3_length(torque);
            print_message("%.4g N, %.4g N m\n", size, turn);
            check_near(fender_vec3_length(fender_vec3_sub(load.joint_force, force)) / size, 0, 3e-5);
            check_near(fender_vec3_length(fender_vec3_sub(load.joint_torque, torque)) / turn, 0, 3e-5);
        }
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rods_swing_as_the_linear_theory_says),
        cmocka_unit_test(angular_momentum_about_the_center_stays),
        cmocka_unit_test(spheres_feel_nothing),
        cmocka_unit_test(joints_bear_tides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
