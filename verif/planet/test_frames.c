/* One motion, several frames: tumbling by every integrator, a collision, a fall, and what stands still. */
/* items: C042 M004 */
#include "frames.h"
#include <fender/fender.h>

/* A frame that turns once in 20 s, so that an error of the inertial terms cannot hide. */
static fender_frame fast_frame(fender_frame_kind kind)
{
    fender_frame frame = {.kind = kind, .axes = FENDER_LOCAL_EAST_NORTH_UP};
    frame.planet = (fender_planet){.mu = 40, .equatorial_radius = 3, .flattening = 0.1, .rotation_rate = 0.3};
    frame.origin = (fender_geodetic){0.7, 2.1, 0.5};
    return frame;
}

static const fender_body_state tumbling = {{1, 2, -1}, {0.5, 0.5, -0.5, 0.5}, {0.3, -0.2, 0.4}, {0.8, -1.1, 1.7}};

typedef struct seen {
    fender_body_planet_data data;
    double residual, inertial, drift; /* of the energy at work, of the axial momentum */
} seen;

static seen tumble(fender_frame_kind kind, fender_integrator_method method, double step, double tolerance, bool ball)
{
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = step;
    def.relative_tolerance = tolerance;
    if (kind != FENDER_FRAME_INERTIAL) def.frame = fast_frame(kind);
    fender_world *world = world_of(&def);
    fender_body_state start = in_frame(&def.frame, tumbling);
    fender_mat3 inertia = ball ? fender_mat3_diagonal(2, 2, 2) : fender_mat3_diagonal(1, 2, 2.5);
    fender_body_id body = add_body(world, "body", 3, inertia, &start);
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance_to(world, 8, &error));
    fender_ledger ledger;
    fender_inertial_ledger space;
    fender_world_ledger(world, &ledger);
    fender_world_inertial_ledger(world, &space);
    seen s = {seen_from_space(world, body), fabs(ledger.residual) / ledger.scale, fabs(space.residual) / ledger.scale,
              space.axial_drift / 10};
    fender_world_destroy(world);
    return s;
}

/* Free bodies: every method comes to the motion in inertial space with its own order. */
static void tumbling_by_every_method(void **state)
{
    (void)state;
    static const struct {
        fender_integrator_method method;
        double step, order, error; /* of the fixed step; largest turn and distance at that step */
    } cases[] = {{FENDER_INTEGRATOR_RK4, 0.02, 4, 3e-6},
                 {FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, 0.001, 1, 6e-2},
                 {FENDER_INTEGRATOR_VELOCITY_VERLET, 0.01, 2, 1e-3},
                 {FENDER_INTEGRATOR_DOPRI5, 0.1, 0, 1e-9},
                 {FENDER_INTEGRATOR_DOP853, 0.1, 0, 1e-9}};
    for (int ball = 0; ball < 2; ball++) {
        fender_body_planet_data right = tumble(FENDER_FRAME_INERTIAL, FENDER_INTEGRATOR_DOP853, 0.1, 1e-14, ball).data;
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            for (int kind = FENDER_FRAME_LOCAL; kind <= FENDER_FRAME_PLANET_CENTERED; kind++) {
                double turn[2], gap[2];
                seen s = {0};
                for (int k = 0; k < 2; k++) {
                    s = tumble((fender_frame_kind)kind, cases[i].method, k ? cases[i].step / 2 : cases[i].step, 1e-12,
                               ball);
                    turn[k] = turn_between(s.data.inertial_attitude, right.inertial_attitude) +
                              fender_vec3_length(
                                  fender_vec3_sub(s.data.inertial_angular_velocity, right.inertial_angular_velocity));
                    gap[k] = fender_vec3_length(fender_vec3_sub(s.data.inertial_position, right.inertial_position));
                    check_below(turn[k], cases[i].error);
                    check_below(gap[k], cases[i].error);
                }
                double order = log2(turn[0] / turn[1]), moved = log2(gap[0] / gap[1]);
                print_message("%-20s %-12s %-5s turn %.1e, then %.1e (order %.2f); place %.1e, then %.1e (order %.2f); "
                              "residual %.1e, inertial %.1e, axial %.1e\n",
                              fender_integrator_name(cases[i].method),
                              kind == FENDER_FRAME_LOCAL ? "local" : "planet-fixed", ball ? "ball" : "brick", turn[0],
                              turn[1], order, gap[0], gap[1], moved, s.residual, s.inertial, s.drift);
                if (cases[i].order > 0) {
                    check_near(order, cases[i].order, 0.3);
                    check_near(moved, cases[i].order, 0.3);
                } else {
                    check_below(s.residual, 1e-10);
                    check_below(s.inertial, 1e-10);
                    check_below(s.drift, 1e-10);
                }
            }
    }
}

/* ---- a collision */

enum { FORCES = 40 };
typedef struct collision {
    double force[FORCES], peak, begin, end;
    int count;
} collision;

/* Two bodies that meet while they tumble, with friction; forces at the same times. */
static collision collide(const fender_frame *frame, fender_vec3 shift)
{
    fender_world_def def = fender_world_def_default();
    def.method = FENDER_INTEGRATOR_DOP853;
    def.relative_tolerance = 1e-13;
    def.frame = *frame;
    fender_world *world = world_of(&def);
    add_contact(world, 2000, 5, 0.3);
    const fender_body_state starts[2] = {
        {fender_vec3_add(shift, fender_vec3_make(1, 2, -1)), {1, 0, 0, 0}, {0.3, -0.2, 0.4}, {0.8, -1.1, 1.7}},
        {fender_vec3_add(shift, fender_vec3_make(4, 2.2, -0.9)), {1, 0, 0, 0}, {-0.7, -0.25, 0.4}, {-0.3, 0.5, 0.4}}};
    static const char *const names[] = {"a", "b"};
    for (int i = 0; i < 2; i++) {
        fender_body_state s = in_frame(frame, starts[i]);
        fender_body_id id = add_body(world, names[i], 3 - i, fender_mat3_diagonal(1, 1.2, 1.4), &s);
        add_sphere(world, id, "ball", 0.6, fender_vec3_make(0.1, 0.05, 0));
    }
    check_ok(fender_world_initialize(world, &error));
    collision c = {.count = 0};
    fender_shape_id a = fender_shape_at(world, 0), b = fender_shape_at(world, 1);
    for (int i = 0; i < FORCES; i++) {
        check_ok(fender_world_advance_to(world, 1.68 + 0.007 * i, &error));
        fender_contact_data data;
        assert_int_equal(fender_contact_between(world, a, b, &data), FENDER_STATUS_OK);
        c.force[i] = fender_vec3_length(data.force);
        c.count += data.touching;
        c.peak = larger(c.peak, c.force[i]);
    }
    fender_world_destroy(world);
    return c;
}

static double apart(const collision *a, const collision *b)
{
    double worst = 0;
    for (int i = 0; i < FORCES; i++) worst = larger(worst, fabs(a->force[i] - b->force[i]) / a->peak);
    return worst;
}

/* The same forces in a turning frame, and in one that stands still on the Earth's surface: no gravity anywhere. */
static void collision_in_every_frame(void **state)
{
    (void)state;
    fender_frame inertial = {.kind = FENDER_FRAME_INERTIAL};
    collision right = collide(&inertial, fender_vec3_make(0, 0, 0));
    assert_in_range(right.count, 8, FORCES - 5);
    fender_frame frames[4] = {fast_frame(FENDER_FRAME_LOCAL),
                              fast_frame(FENDER_FRAME_PLANET_CENTERED),
                              {.kind = FENDER_FRAME_LOCAL},
                              {.kind = FENDER_FRAME_LOCAL}};
    static const char *const names[] = {"local, 0.3 rad/s", "planet-fixed, 0.3 rad/s", "Earth's surface, still",
                                        "Earth's surface, turning"};
    for (int k = 0; k < 4; k++) {
        fender_frame *f = &frames[k];
        fender_vec3 shift = {0, 0, 0};
        if (k >= 2) {
            f->planet = planet_named("earth");
            if (k == 2) f->planet.rotation_rate = 0;
            f->origin = (fender_geodetic){0, 0, 0}; /* up, east, north are then x, y, z */
            f->axes = FENDER_LOCAL_UP_EAST_NORTH;
            shift.x = 6378137;
        }
        collision c = collide(f, shift);
        double gap = apart(&right, &c);
        print_message("collision, %-24s forces within %.1e of the peak of %.1f N\n", names[k], gap, right.peak);
        /* Standing still, only the starting places differ, by what x has lost at 6e6 m (5e-10 m of a depth of 0.05 m);
         * turning, the tolerance of 1e-13 over some hundred steps, at a stiffness that turns 1e-12 m into 1e-11. */
        check_below(gap, k >= 2 ? 3e-8 : 1e-9);
    }
}

/* ---- falls */

/* Dropped from 490 m at 45 degrees of latitude onto nothing: in inertial space an arc of an ellipse. */
static void fall(void **state)
{
    (void)state;
    fender_world_def def = fender_world_def_default();
    def.gravity.kind = FENDER_GRAVITY_PLANET;
    def.frame = (fender_frame){
        FENDER_FRAME_LOCAL, planet_named("earth"), {PI / 4, 1.1, 0}, .axes = FENDER_LOCAL_EAST_NORTH_UP};
    def.frame.planet.j2 = def.frame.planet.flattening = 0;
    const double height = 490, time = 10, w = def.frame.planet.rotation_rate, mu = def.frame.planet.mu;
    fender_world *world = world_of(&def);
    fender_body_state start = {{0, 0, height}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    fender_body_id body = add_body(world, "stone", 1, fender_mat3_diagonal(1, 1, 1), &start);
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance_to(world, time, &error));
    fender_body_data data;
    assert_int_equal(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);

    /* Kepler's motion from the apocentre: u = w x r is horizontal. Along the radius and across it. */
    double r0 = 6378137 + height, u = w * r0 * cos(PI / 4), a = 1 / (2 / r0 - u * u / mu), e = 1 - r0 * u * u / mu;
    double n = sqrt(mu / (a * a * a)), E = PI, m = PI + n * time;
    for (int i = 0; i < 60; i++) E -= (E - e * sin(E) - m) / (1 - e * cos(E));
    /* from the apocentre, without the difference of near numbers: E = pi + x */
    double x = E - PI, half = sin(x / 2);
    double down = a * 2 * half * half, east = a * sqrt(1 - e * e) * sin(x); /* r0 = a (1 + e) */
    /* inertial axes at 0 s: up, east, north of the start; the planet turns by w t about its axis */
    double turned = w * time, cp = cos(PI / 4), sp = sin(PI / 4), s = sin(turned), c = 2 * pow(sin(turned / 2), 2);
    double up0 = r0 - down, y = east; /* equatorial components: radial rho along up's projection, then east */
    double rho = up0 * cp, z = up0 * sp;
    /* rotate (rho, y) by -turned; c = 1 - cos */
    double rho1 = rho - rho * c + y * s, y1 = y - y * c - rho * s;
    double dr = rho1 - 6378137 * cp, dz = z - 6378137 * sp;
    fender_vec3 right = {y1, -dr * sp + dz * cp, dr * cp + dz * sp};
    print_message("fall of 490 m at 45 degrees: east %.6f m, south %.6f m; off Kepler's arc by %.1e m\n",
                  data.position.x, -data.position.y, fender_vec3_length(fender_vec3_sub(data.position, right)));
    check_vector(data.position, right, 4e-9); /* two roundings of the oracle at the Earth's radius */
    /* the textbook's w g t^3 cos(latitude) / 3 with the plumb line's lean, which drives the stone south and so west;
     * missing: twice the height over R, 1.5e-4 */
    double outward = w * w * 6378137 * cp, g = mu / 6378137 / 6378137 - outward * cp;
    check_near(data.position.x / (w * pow(time, 3) / 3 * (g * cp - outward * sp * sp)), 1, 2e-4);
    fender_world_destroy(world);
}

/* Foucault's pendulum as a bob on springs alike to the east and north and stiff upward: the plane of swing turns by
 * -w sin(latitude). In complex numbers z = x + iy, z'' + 2i W z' + f^2 z = 0 has z = exp(-iWt) (A cos + B sin) of a
 * frequency f1 = sqrt(f^2 + W^2), and z^2 + (z' + iWz)^2 / f1^2 = exp(-2iWt) (A^2 + B^2) shows the plane at any time.
 */
static double plane_of(double x, double y, double u, double v, double W, double frequency)
{
    double f2 = frequency * frequency + W * W, p = u - W * y, q = v + W * x;
    return 0.5 * atan2(2 * (x * y + p * q / f2), x * x - y * y + (p * p - q * q) / f2);
}

static void foucault(void **state)
{
    (void)state;
    const double latitudes[] = {-0.8, 0.02, 0.85}, mass = 28, frequency = sqrt(9.8 / 67), stiff = 1e4;
    for (int k = 0; k < 3; k++) {
        fender_world_def def = fender_world_def_default();
        def.method = FENDER_INTEGRATOR_DOP853;
        def.relative_tolerance = 1e-12;
        def.frame.kind = FENDER_FRAME_LOCAL;
        def.frame.planet = planet_named("earth");
        def.frame.origin.latitude = latitudes[k];
        fender_world *world = world_of(&def);
        /* what hangs at rest leans by the centrifugal force, which alone is there; springs hold it so */
        double w = def.frame.planet.rotation_rate, W = w * sin(latitudes[k]);
        fender_vec3 o = fender_planet_fixed_position(&def.frame.planet, &def.frame.origin);
        fender_mat3 R = fender_local_axes_matrix(latitudes[k], 0, FENDER_LOCAL_EAST_NORTH_UP);
        fender_vec3 outward = fender_mat3_transpose_times(&R, fender_vec3_make(w * w * o.x, w * w * o.y, 0));
        double f2 = frequency * frequency;
        fender_vec3 rest = {outward.x / f2, outward.y / f2, outward.z / (stiff * f2)};
        fender_body_state start = {{rest.x + 3, rest.y, rest.z}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        fender_body_id bob = add_body(world, "bob", mass, fender_mat3_diagonal(1, 1, 1), &start), hook;
        fender_body_def fixed = fender_body_def_default();
        fixed.name = "hook";
        fixed.motion = FENDER_MOTION_FIXED;
        check_ok(fender_body_create(world, &fixed, &hook, &error));
        double spring = mass * f2;
        fender_link_spring_damper_6dof parameters = {
            .stiffness = {spring, spring, stiff * spring}, .limit = INFINITY, .angular_limit = INFINITY};
        fender_link_def link = fender_link_def_default();
        fender_link_id link_id;
        link.name = "wire";
        link.law = FENDER_LINK_SPRING_DAMPER_6DOF;
        link.parameters = &parameters;
        check_ok(fender_point_create(world, hook, "top", fender_pose_identity(), &link.a, &error));
        check_ok(fender_point_create(world, bob, "centre", fender_pose_identity(), &link.b, &error));
        check_ok(fender_link_create(world, &link, &link_id, &error));
        check_ok(fender_world_initialize(world, &error));
        double worst = 0;
        for (int i = 1; i <= 12; i++) {
            check_ok(fender_world_advance_to(world, 300 * i, &error));
            fender_body_data d;
            assert_int_equal(fender_body_get(world, bob, FENDER_CLOCK_COMMITTED, &d), FENDER_STATUS_OK);
            double angle = plane_of(d.position.x - rest.x, d.position.y - rest.y, d.velocity.x, d.velocity.y, W,
                                    frequency);
            worst = larger(worst, fabs(angle + W * 300 * i));
        }
        fender_ledger ledger;
        fender_inertial_ledger space;
        fender_world_ledger(world, &ledger);
        fender_world_inertial_ledger(world, &space);
        print_message("pendulum at latitude %+.2f: in an hour the plane turns by %+.4f deg, off by %.1e deg at most; "
                      "residual %.1e, in inertial space %.1e J\n",
                      latitudes[k], -W * 3600 * 180 / PI, worst * 180 / PI, ledger.residual / ledger.scale,
                      space.residual);
        /* Left out: what the turning about the horizon does, (w / f)^2 / 2 of the frequency along one axis more than
         * along the other (2e-8 f t = 2e-5 rad in an hour), and the vertical swing it drives, 1e-4 of that. */
        check_below(worst, 3e-5);
        check_below(fabs(ledger.residual), 1e-10 * ledger.scale);
        check_below(fabs(space.residual), 1e-16 * 3600 * space.kinetic); /* 2e6 J in inertial space round each step */
        fender_world_destroy(world);
    }
}

/* ---- what stands still */

enum { STATE = FENDER_STATE_PER_BODY };

static fender_world *landed(fender_integrator_method method, double step, fender_quaternion attitude)
{
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = step;
    def.gravity.kind = FENDER_GRAVITY_PLANET;
    def.frame.kind = FENDER_FRAME_LOCAL;
    def.frame.planet = planet_named("earth");
    def.frame.origin = (fender_geodetic){0.5, -1.4, 12};
    fender_world *world = world_of(&def);
    add_contact(world, 1e5, 4e3, 0.8);
    fender_body_def fixed = fender_body_def_default();
    fixed.name = "ground";
    fixed.motion = FENDER_MOTION_FIXED;
    fender_body_id ground;
    check_ok(fender_body_create(world, &fixed, &ground, &error));
    fender_env env = fender_env_default();
    fender_shape_def plane = fender_shape_def_default();
    fender_shape_id id;
    plane.name = "plane";
    plane.geometry = fender_geometry_plane(&env, NULL);
    check_ok(fender_shape_create(world, ground, &plane, &id, &error));
    fender_geometry_release(plane.geometry);
    fender_body_state start = {{40, -30, 1.2}, attitude, {0, 0, 0}, {0, 0, 0}};
    fender_body_id lander = add_body(world, "lander", 900, fender_mat3_diagonal(500, 550, 600), &start);
    static const char *const names[] = {"foot_1", "foot_2", "foot_3"};
    const fender_vec3 feet[] = {{1, 0.1, -1}, {-0.6, 0.9, -1}, {-0.5, -0.8, -1}};
    for (int i = 0; i < 3; i++)
        add_sphere(world, lander, names[i], 0.2,
                   fender_quaternion_rotate(fender_quaternion_conjugate(attitude), feet[i]));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* A lander that has come to rest on the turning Earth is where it was, to the last bit, an hour later: place and
 * attitude. Its velocity is what springs and rounding play with each other: the last bit of an attitude is 1e-11 N,
 * which the dampers (1e4 N s/m) let move by 1e-15 m/s, too little to change a place. Upright in its structure axes,
 * three parts of its quaternion are next to zero and have digits to spare: there the attitude keeps to 1e-16. */
static void landed_for_an_hour(void **state)
{
    (void)state;
    static const struct {
        fender_integrator_method method;
        double step, until;
        bool upright;
    } cases[] = {{FENDER_INTEGRATOR_RK4, 0.04, 3720, false},
                 {FENDER_INTEGRATOR_RK4, 0.02, 240, true},
                 {FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, 0.01, 240, false},
                 {FENDER_INTEGRATOR_VELOCITY_VERLET, 0.01, 240, false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        fender_quaternion leaning = fender_quaternion_normalized((fender_quaternion){0.7, 0.4, -0.5, 0.3});
        fender_world *world = landed(cases[k].method, cases[k].step,
                                     cases[k].upright ? fender_quaternion_identity() : leaning);
        check_ok(fender_world_advance_to(world, 120, &error));
        double before[STATE], after[STATE];
        fender_world_get_state(world, before);
        check_ok(fender_world_advance_to(world, cases[k].until, &error));
        fender_world_get_state(world, after);
        int changed = 0;
        double speed = 0, spin = 0, turned = 0;
        for (int i = 0; i < STATE; i++) {
            if (i < 7) changed += before[i] != after[i];
            if (i >= 7 && i < 10) speed = larger(speed, fabs(after[i]));
            if (i >= 10) spin = larger(spin, fabs(after[i]));
            if (i >= 3 && i < 7) turned = larger(turned, fabs(before[i] - after[i]));
        }
        print_message("%-20s landed%s: %d of 7 numbers of the pose changed in %.0f s, the quaternion by %.1e; velocity "
                      "%.1e m/s, momentum %.1e N m s\n",
                      fender_integrator_name(cases[k].method), cases[k].upright ? " upright" : "", changed,
                      cases[k].until - 120, turned, speed, spin);
        assert_memory_equal(before, after, (cases[k].upright ? 3 : 7) * sizeof before[0]);
        check_below(turned, 1e-16);
        check_below(speed, 3e-14);
        check_below(spin, 1e-11); /* of a moment of inertia of 500 kg m^2 */
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tumbling_by_every_method),
                                       cmocka_unit_test(collision_in_every_frame), cmocka_unit_test(fall),
                                       cmocka_unit_test(foucault), cmocka_unit_test(landed_for_an_hour)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
