/* Worlds with a frame: the field against long double, what is refused, snapshots, trees, work in both ledgers. */
/* items: C042 M004 M016 */
#include "../../verif/planet/frames.h"
#include "planet/frame_field.h"
#include "random_numbers.h"
#include <fender/fender.h>
#include <string.h>

/* ---- the field */

typedef struct wide {
    long double x, y, z;
} wide;
static wide widen(fender_vec3 v) { return (wide){v.x, v.y, v.z}; }
static wide plus(wide a, long double s, wide b) { return (wide){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
static wide cross(wide a, wide b)
{
    return (wide){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static long double dot(wide a, wide b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static double gap(fender_vec3 a, wide b)
{
    wide d = plus(widen(a), -1, b);
    return (double)sqrtl(dot(d, d));
}

/* Straight from the formulas, in W. */
static wide acceleration(const fnd_frame_field *f, fender_vec3 p, fender_vec3 v, long double *potential)
{
    wide n = widen(f->axis), w = {f->rate * n.x, f->rate * n.y, f->rate * n.z};
    wide rho = plus(widen(f->origin), 1, widen(p));
    long double square = dot(rho, rho), r = sqrtl(square), s = dot(rho, n), c = f->oblate;
    wide g = {-f->mu / (square * r) * rho.x, -f->mu / (square * r) * rho.y, -f->mu / (square * r) * rho.z};
    g = plus(g, -3 * c * (1 - 5 * s * s / square) / (square * square * r), rho);
    g = plus(g, -6 * c * s / (square * square * r), n);
    wide turning = cross(w, rho);
    *potential = -f->mu / r + c * (3 * s * s / square - 1) / (square * r) - dot(turning, turning) / 2;
    g = plus(g, -1, cross(w, turning));
    return plus(g, -2, cross(w, widen(v)));
}

static fnd_frame_field field_of(const char *name, double latitude, fender_local_axes axes)
{
    fender_world_def def = fender_world_def_default();
    def.gravity.kind = FENDER_GRAVITY_PLANET;
    def.frame = (fender_frame){FENDER_FRAME_LOCAL, planet_named(name), {latitude, 0.3, 1500}, .axes = axes};
    fnd_frame_field field;
    check_ok(fnd_frame_field_make(&def, &field, &error));
    return field;
}

/* Near the origin nothing is lost: the change of the field from there, which is added to one constant vector, is good
 * to roundings of itself. Its own places would cost 1e-9 m in 6e6 m and so 3e-15 m/s^2. Far off, the powers of the
 * distance cost some roundings more. What long double cannot tell (1e-19 of the whole) is allowed. */
static void differences_near_the_origin(void **state)
{
    (void)state;
    random_stream stream = random_of_case(90, 1);
    double near = 0, far_off = 0, worst_energy = 0, worst_change = 0;
    for (int i = 0; i < 3000; i++) {
        fnd_frame_field f = field_of(fender_planet_name(i % 3), random_between(&stream, -1.57, 1.57),
                                     (fender_local_axes)(i % 4));
        double reach = random_magnitude(&stream, 1e-6, 3e7);
        fender_vec3 p = fender_vec3_scale(reach, random_direction(&stream));
        fender_vec3 v = fender_vec3_scale(10, random_direction(&stream));
        fender_vec3 rho = fender_vec3_add(f.origin, p), none = {0, 0, 0};
        double distance = fender_vec3_length(rho), radius = fender_vec3_length(f.origin);
        if (distance < 0.3 * radius) continue;
        long double energy, energy0, unused;
        wide a = acceleration(&f, p, v, &energy), a0 = acceleration(&f, none, none, &energy0);
        double g = f.mu / (distance * distance) + f.mu / (radius * radius) + f.rate * f.rate * distance;
        double roundings = gap(fnd_frame_acceleration(&f, p, v), a) / (2.2e-16 * g);
        if (reach < 0.1 * radius) near = larger(near, roundings);
        else far_off = larger(far_off, roundings);
        fender_mat3 nothing = {{{0}}};
        double ours = fnd_frame_potential(&f, p, none) + fnd_frame_centrifugal(&f, 1, p, &nothing, &nothing);
        double scale = 2.2e-16 * g * reach + 4e-19 * (double)fabsl(energy0);
        worst_energy = larger(worst_energy, (double)fabsl(ours - (energy - energy0)) / scale);
        if (reach > 0.1 * radius) continue;
        f.at_rest = none;
        wide right = plus(acceleration(&f, p, none, &unused), -1, a0);
        double slope = 2 * f.mu / (radius * radius * radius) + f.rate * f.rate;
        worst_change = larger(worst_change,
                              gap(fnd_frame_acceleration(&f, p, none), right) / (2.2e-16 * slope * reach + 4e-19 * g));
    }
    print_message(
        "acceleration within %.1f roundings within a tenth of the radius, %.1f farther off; its change from the "
        "origin %.1f, the potential %.1f roundings of itself\n",
        near, far_off, worst_change, worst_energy);
    check_below(near, 4);
    check_below(far_off, 60);
    check_below(worst_change, 12);
    check_below(worst_energy, 12);
}

/* Planets that are round, do not turn, or whose J2 refers to a radius of its own; local frames, and those in the
 * planet's centre. Within 60 roundings, as farther off above. */
static void plain_planets(void **state)
{
    (void)state;
    random_stream stream = random_of_case(90, 2);
    double worst = 0, worst_potential = 0;
    for (int i = 0; i < 1600; i++) {
        fender_world_def def = fender_world_def_default();
        def.gravity.kind = FENDER_GRAVITY_PLANET;
        fender_planet planet = planet_named(fender_planet_name(i % 3));
        if (i & 1) planet.j2 = 0;
        if (i & 2) planet.rotation_rate = 0;
        planet.gravity_radius = i & 4 ? 0.9 * planet.equatorial_radius : 0;
        def.frame = (fender_frame){i & 8 ? FENDER_FRAME_PLANET_CENTERED : FENDER_FRAME_LOCAL,
                                   planet,
                                   {random_between(&stream, -1.57, 1.57), 0.3, 1500},
                                   .axes = (fender_local_axes)(i % 5 % 4)};
        fnd_frame_field f;
        check_ok(fnd_frame_field_make(&def, &f, &error));
        const double radius = planet.equatorial_radius, refers_to = i & 4 ? planet.gravity_radius : radius;
        assert_true(f.oblate == 0.5 * planet.mu * planet.j2 * refers_to * refers_to);
        assert_true(f.rotating == !(i & 2));
        const double distance = radius * random_between(&stream, 1, 3);
        fender_vec3 rho = fender_vec3_scale(distance, random_direction(&stream)), p = fender_vec3_sub(rho, f.origin);
        fender_vec3 v = fender_vec3_scale(10, random_direction(&stream)), none = {0, 0, 0};
        long double energy, energy0 = 0;
        wide a = acceleration(&f, p, v, &energy);
        double g = f.mu / (distance * distance) + f.mu / (radius * radius) + f.rate * f.rate * distance;
        worst = larger(worst, gap(fnd_frame_acceleration(&f, p, v), a) / (2.2e-16 * g));
        if (!(i & 8)) acceleration(&f, none, none, &energy0);
        fender_mat3 nothing = {{{0}}};
        double ours = fnd_frame_potential(&f, p, none) + fnd_frame_centrifugal(&f, 1, p, &nothing, &nothing);
        worst_potential = larger(worst_potential, (double)fabsl(ours - (energy - energy0)) / (2.2e-16 * g * distance));
        fender_vec3 fixed = fender_mat3_times(&f.R_FW, rho), own = fender_planet_gravity(&planet, fixed);
        check_below(gap(fender_mat3_times(&f.R_FW, fnd_frame_gravity(&f, p)), widen(own)), 60 * 2.2e-16 * g);
    }
    print_message("plain planets: acceleration within %.1f, potential %.1f roundings\n", worst, worst_potential);
    check_below(worst, 60);
    check_below(worst_potential, 60);
}

/* ---- what is refused */

static void refusals(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_world_def good = fender_world_def_default();
    good.gravity.kind = FENDER_GRAVITY_PLANET;
    good.frame = (fender_frame){
        FENDER_FRAME_LOCAL, planet_named("mars"), {0.2, 1, 30}, .axes = FENDER_LOCAL_UP_EAST_NORTH};
    fender_world *world = fender_world_create(&env, &good, NULL);
    assert_non_null(world);
    check_vector(fender_world_get_def(world)->north, fender_vec3_make(0, 0, 1), 0);
    fender_world_destroy(world);
    enum { CASES = 19 };
    fender_world_def bad[CASES];
    static const char *const paths[CASES] = {
        "world.gravity",        "world.frame.planet.mu", "world.frame.planet.radius",
        "world.frame.latitude", "world.frame.latitude",  "world.frame.longitude",
        "world.frame.altitude", "world.frame.axes",      "world.frame",
        "world.gravity",        "world.gravity.j2",      "world.gravity.j2",
        "world.gravity.j2",     "world.gravity.j2",      "world.gravity.j2",
        "world.gravity.j2",     "world.frame.altitude",  "world.gravity",
        "world.gravity"};
    for (int i = 0; i < CASES; i++) bad[i] = good;
    bad[0].frame.kind = FENDER_FRAME_INERTIAL;
    bad[1].frame.planet.mu = 0;
    bad[2].frame.planet.equatorial_radius = -1;
    bad[3].frame.origin.latitude = 1.6;
    bad[4].frame.origin.latitude = NAN;
    bad[5].frame.origin.longitude = 400;
    bad[6].frame.origin.altitude = -3.4e6;
    bad[7].frame.axes = (fender_local_axes)9;
    bad[8].frame.kind = (fender_frame_kind)7;
    bad[9].gravity.kind = (fender_gravity_kind)7;
    bad[10].oblateness.j2 = 1e-3;
    bad[11].gravity = (fender_gravity){FENDER_GRAVITY_POINT_MASS, {0, 0, 0}, 1, {0, 0, 0}};
    bad[11].oblateness = (fender_oblateness){1e-3, 1, {0, 0, 0}};
    for (int i = 12; i < 16; i++) bad[i].gravity = bad[11].gravity;
    bad[12].oblateness = (fender_oblateness){INFINITY, 1, {0, 0, 1}};
    bad[13].oblateness = (fender_oblateness){1e-3, 0, {0, 0, 1}};
    bad[14].oblateness = (fender_oblateness){1e-3, INFINITY, {0, 0, 1}};
    bad[15].oblateness = (fender_oblateness){1e-3, 1, {0, INFINITY, 1}};
    bad[16].frame.origin.altitude = INFINITY;
    bad[17].gravity = (fender_gravity){FENDER_GRAVITY_POINT_MASS, {0, 0, 0}, INFINITY, {0, 0, 0}};
    bad[18].gravity = (fender_gravity){FENDER_GRAVITY_POINT_MASS, {0, 0, 0}, 1, {0, NAN, 0}};
    for (int i = 0; i < CASES; i++) {
        fender_error found = {0};
        assert_null(fender_world_create(&env, &bad[i], &found));
        assert_string_equal(found.path, paths[i]);
        assert_true(found.status == FENDER_STATUS_VALUE || found.status == FENDER_STATUS_ARGUMENT);
        assert_true(found.expected[0] != '\0');
    }
}

/* Where north is in W, by the axes of a local frame at the equator: planet-fixed axes have it along their z. */
static void north(void **state)
{
    (void)state;
    static const fender_vec3 expected[] = {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0, 0, 1}};
    static const fender_local_axes axes[] = {FENDER_LOCAL_EAST_NORTH_UP, FENDER_LOCAL_NORTH_EAST_DOWN,
                                             FENDER_LOCAL_UP_EAST_NORTH, FENDER_LOCAL_PLANET_FIXED};
    fender_frame frame = {.kind = FENDER_FRAME_LOCAL, .planet = planet_named("earth")};
    for (int i = 0; i < 4; i++) {
        frame.axes = axes[i];
        check_vector(fnd_frame_north(&frame), expected[i], 1e-15);
    }
    frame.kind = FENDER_FRAME_PLANET_CENTERED;
    check_vector(fnd_frame_north(&frame), fender_vec3_make(0, 0, 0), 0);
}

/* Figures that no planet has, each named with what was found; names and numbers of planets that there are not. */
static void planets_refused(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        double value;
        const char *path;
    } wrong[] = {
        {offsetof(fender_planet, mu), -1, "planet.mu"},
        {offsetof(fender_planet, mu), NAN, "planet.mu"},
        {offsetof(fender_planet, mu), 1e101, "planet.mu"},
        {offsetof(fender_planet, equatorial_radius), 0, "planet.radius"},
        {offsetof(fender_planet, equatorial_radius), INFINITY, "planet.radius"},
        {offsetof(fender_planet, flattening), -0.1, "planet.flattening"},
        {offsetof(fender_planet, flattening), 1, "planet.flattening"},
        {offsetof(fender_planet, rotation_rate), NAN, "planet.rotation"},
        {offsetof(fender_planet, j2), INFINITY, "planet.j2"},
        {offsetof(fender_planet, gravity_radius), -1, "planet.gravity_radius"},
    };
    fender_planet planet = planet_named("moon");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fender_error found = {0};
        fender_planet bad = planet;
        memcpy((char *)&bad + wrong[i].at, &wrong[i].value, sizeof(double));
        assert_int_equal(fender_planet_check(&bad, &found), FENDER_STATUS_VALUE);
        assert_string_equal(found.path, wrong[i].path);
        assert_true(found.found[0] && found.expected[0]);
    }
    fender_error found = {0};
    assert_int_equal(fender_planet_check(NULL, &found), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_planet_find(NULL, &planet, NULL), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_planet_find("moon", NULL, NULL), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_planet_find("Moon", &planet, NULL), FENDER_STATUS_NAME);
    int count = 0;
    while (fender_planet_name(count)) assert_non_null(fender_planet_source(count++));
    assert_true(count > 0);
    assert_null(fender_planet_source(count));
    assert_null(fender_planet_name(-1));
    assert_null(fender_planet_source(-1));
    fender_env env = fender_env_default();
    static const double radii[] = {0, -1, NAN, INFINITY, 1e101};
    for (int i = 0; i < 5; i++) {
        found = (fender_error){0};
        assert_null(fender_geometry_planet_ground(&env, radii[i], &found));
        assert_string_equal(found.path, "radius");
    }
}

/* ---- a world with everything */

static fender_frame turning(void)
{
    fender_frame frame = {.kind = FENDER_FRAME_LOCAL, .axes = FENDER_LOCAL_NORTH_EAST_DOWN};
    frame.planet = (fender_planet){.mu = 400, .equatorial_radius = 8, .flattening = 0.05, .rotation_rate = 0.2};
    frame.planet.j2 = 0.01;
    frame.origin = (fender_geodetic){0.6, -2, 0.5};
    return frame;
}

/* Two bodies, the second attached to the first, above ground that turns with the planet; a load. */
static fender_world *busy(fender_integrator_method method, double latitude, fender_body_id ids[2])
{
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = 2e-3;
    def.relative_tolerance = 1e-12;
    def.gravity.kind = FENDER_GRAVITY_PLANET;
    def.frame = turning();
    def.frame.origin.latitude = latitude;
    fender_world *world = world_of(&def);
    add_contact(world, 3000, 20, 0.4);
    fender_body_def fixed = fender_body_def_default();
    fixed.name = "ground";
    fixed.motion = FENDER_MOTION_FIXED;
    fixed.state.position.z = 6; /* down */
    fender_body_id ground;
    check_ok(fender_body_create(world, &fixed, &ground, &error));
    add_sphere(world, ground, "hill", 3, fender_vec3_make(0, 0, 0));
    fender_body_state a = {{0.2, 0.1, 1}, {1, 0.2, 0, 0.1}, {0.3, -0.2, 0.1}, {0.5, 1.2, -0.4}};
    fender_body_state b = {{0.9, 0.3, 1.4}, {0.8, 0, 0.6, 0}, {0, 0, 0}, {0, 0, 0}};
    ids[0] = add_body(world, "first", 2, fender_mat3_diagonal(1, 1.5, 2), &a);
    ids[1] = add_body(world, "second", 1, fender_mat3_diagonal(0.3, 0.4, 0.5), &b);
    add_sphere(world, ids[0], "ball", 0.4, fender_vec3_make(0, 0.1, 0));
    add_sphere(world, ids[1], "ball", 0.3, fender_vec3_make(0.1, 0, 0));
    fender_load_def load = fender_load_def_default();
    load.name = "push";
    load.body = ids[0];
    load.at_center = false;
    load.point = fender_vec3_make(0.2, 0, 0.1);
    load.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {0.3, 0.4, 0}};
    check_ok(fender_load_create(world, &load, NULL, &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* Contacts with ground that moves in inertial space, friction, a load: both ledgers close, and so does the momentum. */
static void work_in_both_ledgers(void **state)
{
    (void)state;
    fender_body_id ids[2];
    fender_world *world = busy(FENDER_INTEGRATOR_DOP853, 0.6, ids);
    double worst = 0, inertial = 0, axial = 0;
    int64_t touches = 0;
    for (int i = 1; i <= 60; i++) {
        check_ok(fender_world_advance_to(world, 0.05 * i, &error));
        fender_ledger l;
        fender_inertial_ledger s;
        fender_world_ledger(world, &l);
        fender_world_inertial_ledger(world, &s);
        worst = larger(worst, fabs(l.residual) / l.scale);
        inertial = larger(inertial, fabs(s.residual) / l.scale);
        axial = larger(axial, s.axial_drift);
        if (i == 60) {
            touches = fender_world_event_count(world, FENDER_EVENT_BEGIN);
            print_message("%lld touches: friction %.2f J, applied %.3f J, in inertial space %.3f J; residuals %.1e and "
                          "%.1e of %.1f J, axial momentum %.1e of %.1f N m s\n",
                          (long long)touches, l.friction, l.applied, s.applied, worst, inertial, l.scale, axial,
                          s.axial_momentum);
            assert_true(fabs(s.applied - l.applied) > 1); /* the ground works there */
        }
    }
    assert_true(touches >= 1);
    check_below(worst, 1e-9);
    check_below(inertial, 1e-9);
    check_below(axial, 1e-9);
    fender_world_destroy(world);
}

/* A wheel that its motor speeds up from 3 to 23 N m s: its energy h^2 / 2J rises by 13 kJ in both ledgers. */
static void wheels(void **state)
{
    (void)state;
    fender_world_def def = fender_world_def_default();
    def.method = FENDER_INTEGRATOR_DOP853;
    def.relative_tolerance = 1e-12;
    def.frame = turning();
    fender_world *world = world_of(&def);
    fender_body_state s = {{1, 2, 3}, {1, 0, 0, 0}, {0.2, 0.1, -0.3}, {0, 0, 0}};
    fender_load_def load = fender_load_def_default();
    load.name = "wheel";
    load.kind = FENDER_LOAD_REACTION_WHEEL;
    load.body = add_body(world, "a", 100, fender_mat3_diagonal(20, 20, 10), &s);
    load.wheel.axis = fender_vec3_make(1, 0, 0);
    load.wheel.spin_inertia = 0.02;
    load.wheel.momentum = 3;
    load.wheel.torque = 1;
    check_ok(fender_load_create(world, &load, NULL, &error));
    check_ok(fender_world_initialize(world, &error));
    fender_inertial_ledger before, after;
    fender_world_inertial_ledger(world, &before);
    check_near(before.residual, 0, 1e-9);
    check_near(before.applied, 0, 0);
    check_ok(fender_world_advance_to(world, 20, &error));
    fender_world_inertial_ledger(world, &after);
    check_below(13000, after.kinetic - before.kinetic);
    check_near(after.residual, 0, 1e-9 * 13000);
    check_below(after.axial_drift, 1e-6);
    fender_world_destroy(world);
}

/* A snapshot goes on bit for bit; one of another place on the planet is refused; hashes see the axial account. */
static void snapshots(void **state)
{
    (void)state;
    fender_body_id ids[2];
    fender_world *world = busy(FENDER_INTEGRATOR_RK4, 0.6, ids), *other = busy(FENDER_INTEGRATOR_RK4, 0.61, ids);
    check_ok(fender_world_advance(world, 300, &error));
    fender_snapshot *snapshot = fender_snapshot_take(world, NULL);
    assert_non_null(snapshot);
    check_ok(fender_world_advance(world, 700, &error));
    uint64_t hash = fender_world_hash(world);
    fender_inertial_ledger first, second;
    fender_world_inertial_ledger(world, &first);
    check_ok(fender_snapshot_restore(world, snapshot, &error));
    check_ok(fender_world_advance(world, 700, &error));
    fender_world_inertial_ledger(world, &second);
    assert_true(hash == fender_world_hash(world));
    assert_memory_equal(&first, &second, sizeof first);
    fender_error found = {0};
    assert_int_equal(fender_snapshot_restore(other, snapshot, &found), FENDER_STATUS_ARGUMENT);
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(world);
    fender_world_destroy(other);
}

/* A stack of two in free motion, taken apart: the same in an inertial world and in a turning frame. */
static void trees(void **state)
{
    (void)state;
    fender_frame frames[2] = {{.kind = FENDER_FRAME_INERTIAL}, turning()};
    fender_body_planet_data parts[2][2], together[2];
    for (int k = 0; k < 2; k++) {
        fender_world_def def = fender_world_def_default();
        def.method = FENDER_INTEGRATOR_DOP853;
        def.relative_tolerance = 1e-13;
        def.frame = frames[k];
        fender_world *world = world_of(&def);
        fender_body_state s = {{1, 2, 3}, {1, 0, 0, 0}, {0.2, 0.1, -0.3}, {0.4, 1.1, -0.7}};
        fender_body_state f = in_frame(&def.frame, s);
        fender_body_id a = add_body(world, "a", 2, fender_mat3_diagonal(1, 1.5, 2), &f);
        s.position = fender_vec3_add(s.position, fender_vec3_make(1, 0.2, 0));
        f = in_frame(&def.frame, s);
        fender_body_id b = add_body(world, "b", 1, fender_mat3_diagonal(0.3, 0.4, 0.5), &f);
        check_ok(fender_world_initialize(world, &error));
        fender_attach_def attach = fender_attach_def_default();
        attach.child = b;
        attach.parent = a;
        attach.pose = FENDER_ATTACH_AS_IS;
        check_ok(fender_body_attach(world, &attach, NULL, &error));
        check_ok(fender_world_advance_to(world, 3, &error));
        together[k] = seen_from_space(world, b);
        check_ok(fender_body_detach(world, b, (fender_body_id){0}, FENDER_DETACH_CONNECTION, NULL, &error));
        check_ok(fender_world_advance_to(world, 5, &error));
        parts[k][0] = seen_from_space(world, a);
        parts[k][1] = seen_from_space(world, b);
        fender_inertial_ledger l;
        fender_world_inertial_ledger(world, &l);
        check_below(fabs(l.residual), 1e-11);
        fender_world_destroy(world);
    }
    /* attaching keeps momentum, relative to the frame as in inertial space: no place has changed */
    check_vector(together[1].inertial_position, together[0].inertial_position, 1e-10);
    check_vector(together[1].inertial_velocity, together[0].inertial_velocity, 1e-10);
    check_vector(together[1].inertial_angular_velocity, together[0].inertial_angular_velocity, 1e-10);
    for (int i = 0; i < 2; i++) {
        check_vector(parts[1][i].inertial_position, parts[0][i].inertial_position, 1e-10);
        check_vector(parts[1][i].inertial_angular_velocity, parts[0][i].inertial_angular_velocity, 1e-10);
        check_below(turn_between(parts[1][i].inertial_attitude, parts[0][i].inertial_attitude), 1e-10);
    }
}

/* Attached into another pose, and moved within the tree, by internal forces: the same in an inertial world and in a
 * frame that turns, with the same loss of energy. Relative to the frame, angular momentum changes, as its forces act on
 * what moves: the ledgers of both kinds know this. */
static void trees_that_move(void **state)
{
    (void)state;
    fender_frame frames[2] = {{.kind = FENDER_FRAME_INERTIAL}, turning()};
    fender_body_planet_data seen[2][4];
    double lost[2][2];
    for (int k = 0; k < 2; k++) {
        fender_world_def def = fender_world_def_default();
        def.method = FENDER_INTEGRATOR_DOP853;
        def.relative_tolerance = 1e-13;
        def.frame = frames[k];
        fender_world *world = world_of(&def);
        fender_body_state s = {{1, 2, 3}, {1, 0, 0, 0}, {0.2, 0.1, -0.3}, {0.4, 1.1, -0.7}};
        fender_body_state f = in_frame(&def.frame, s);
        fender_body_id a = add_body(world, "a", 2, fender_mat3_diagonal(1, 1.5, 2), &f);
        s.position = fender_vec3_add(s.position, fender_vec3_make(2, 0.7, -3));
        f = in_frame(&def.frame, s);
        fender_body_id b = add_body(world, "b", 1, fender_mat3_diagonal(0.3, 0.4, 0.5), &f);
        check_ok(fender_world_initialize(world, &error));
        fender_attach_def attach = fender_attach_def_default();
        fender_attach_report report;
        attach.child = b;
        attach.parent = a;
        attach.X_PC = (fender_pose){{0.6, -0.5, 0.4}, {0.8, 0, 0.6, 0}};
        check_ok(fender_body_attach(world, &attach, &report, &error));
        lost[k][0] = report.kinetic_energy_lost;
        check_ok(fender_world_advance_to(world, 2, &error));
        seen[k][0] = seen_from_space(world, a);
        seen[k][1] = seen_from_space(world, b);
        const fender_pose other = {{-1.5, 2, 0.4}, {0.6, 0.8, 0, 0}};
        check_ok(fender_body_reattach(world, b, other, &report, &error));
        lost[k][1] = report.kinetic_energy_lost;
        check_ok(fender_world_advance_to(world, 4, &error));
        seen[k][2] = seen_from_space(world, a);
        seen[k][3] = seen_from_space(world, b);
        fender_inertial_ledger inertial;
        fender_ledger ledger;
        fender_world_inertial_ledger(world, &inertial);
        fender_world_ledger(world, &ledger);
        check_below(fabs(inertial.residual), 1e-10);
        check_below(inertial.axial_drift, 1e-10);
        check_below(fabs(ledger.residual), 1e-10);
        check_below(ledger.angular_drift, 1e-9); /* with the work of the frame's forces, a sum over steps */
        fender_world_destroy(world);
    }
    for (int i = 0; i < 2; i++) check_near(lost[1][i], lost[0][i], 1e-10);
    assert_true(fabs(lost[0][0]) > 0.1 && fabs(lost[0][1]) > 0.1);
    for (int i = 0; i < 4; i++) {
        check_vector(seen[1][i].inertial_position, seen[0][i].inertial_position, 1e-9);
        check_vector(seen[1][i].inertial_velocity, seen[0][i].inertial_velocity, 1e-9);
        check_vector(seen[1][i].inertial_angular_velocity, seen[0][i].inertial_angular_velocity, 1e-9);
        check_below(turn_between(seen[1][i].inertial_attitude, seen[0][i].inertial_attitude), 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(differences_near_the_origin),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(plain_planets),
                                       cmocka_unit_test(north),
                                       cmocka_unit_test(planets_refused),
                                       cmocka_unit_test(work_in_both_ledgers),
                                       cmocka_unit_test(wheels),
                                       cmocka_unit_test(snapshots),
                                       cmocka_unit_test(trees),
                                       cmocka_unit_test(trees_that_move)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
