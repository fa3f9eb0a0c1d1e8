/* CVODE as an integrator of worlds: against exact solutions, against dop853, where it is worth its price, and how it
 * gives up. */
#include "bouncing_ball.h"
#include "check.h"
#include "scene.h"
#include <string.h>

static const double G = 9.81, BASE_RADIUS = 1, BALL_RADIUS = 0.125;
static const fender_integrator_method both[] = {FENDER_INTEGRATOR_CVODE_ADAMS, FENDER_INTEGRATOR_CVODE_BDF};

/* ---- a spring_damper that counts, and one that breaks */

static long calls;
static double breaking_depth;

static void counted_force(const void *parameters, const fender_contact_input *in, const void *memory,
                          fender_contact_output *out)
{
    calls++;
    fender_law_find(NULL, "spring_damper")->force(parameters, in, memory, out);
    if (in->depth > breaking_depth) out->force.z = NAN;
}

static fender_law counted_law(void)
{
    fender_law law = *fender_law_find(NULL, "spring_damper");
    law.name = "counted";
    law.force = counted_force;
    return law;
}

static void set(const fender_law *law, void *object, const char *name, double value)
{
    const fender_field *field = fender_field_find(&law->parameters, name);
    assert_non_null(field);
    fender_field_set(field, object, 0, value);
}

/* ---- a sphere on a spring */

typedef struct drop {
    fender_integrator_method method;
    double mass, stiffness, damping, height, speed, step, tolerance;
} drop;

/* `law` is called instead of spring_damper. */
static fender_world *build(const drop *d, const fender_law *law)
{
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, d->stiffness, d->damping, 0, 1e-3, 0});
    s.world.method = d->method;
    s.world.step = d->step;
    s.world.relative_tolerance = d->tolerance;
    s.world.locate_events = true;
    s.world.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -G}, 0, {0, 0, 0}};
    s.body_count = 2;
    s.bodies[0] = scene_ball(1, 1, BASE_RADIUS);
    s.bodies[0].motion = FENDER_MOTION_FIXED;
    s.bodies[1] = scene_ball(2, d->mass, BALL_RADIUS);
    s.bodies[1].state.position.z = BASE_RADIUS + BALL_RADIUS + d->height;
    s.bodies[1].state.velocity.z = -d->speed;
    fender_env env = fender_env_default();
    fender_world *world = scene_build_with(&s, &env, NULL, false);
    if (law) {
        double parameters[16];
        (void)fender_field_initialize(&law->parameters, parameters, sizeof parameters, NULL);
        set(law, parameters, "stiffness", d->stiffness);
        set(law, parameters, "damping", d->damping);
        fender_contact_type_def def = {
            .size = sizeof(fender_contact_type_def), .name = "counted", .law = law, .law_parameters = parameters};
        fender_contact_type_id type;
        check_ok(fender_contact_type_create(world, &def, &type, &error));
        check_ok(fender_rule_set_use(world, fender_rule_at(world, 0), type, &error));
    }
    check_ok(fender_world_initialize(world, &error));
    return world;
}

static double gap_of(const fender_world *world)
{
    return scene_body_data(world, 2).position.z - BASE_RADIUS - BALL_RADIUS;
}

/* Every begin and end against the piecewise exact solution. Local errors of 1e-12 and some tens of events, each of
 * which carries on what came before: 1e-9 s is what the adaptive methods of Fender keep, too. */
static void bounce(const drop *d, int events_wanted, double allowed)
{
    bouncing_ball exact = {.stiffness = (long double)d->stiffness / d->mass,
                           .damping = (long double)d->damping / d->mass,
                           .gravity = (long double)G};
    assert_true(bouncing_ball_drop(&exact, d->height));
    fender_world *world = build(d, NULL);
    int found = 0, piece = 0;
    double worst = 0, worst_gap = 0;
    while (found < events_wanted) {
        fender_proposal proposal;
        check_ok(fender_world_propose(world, INFINITY, &proposal, &error));
        check_ok(fender_world_accept(world, &error));
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int i = 0; i < count; i++) {
            bool touch = events[i].kind == FENDER_EVENT_BEGIN;
            if (!touch && events[i].kind != FENDER_EVENT_END) continue;
            do piece++;
            while (piece < exact.piece_count && exact.pieces[piece].phase != BOUNCING_FLIGHT &&
                   exact.pieces[piece - 1].phase != BOUNCING_FLIGHT);
            assert_true(piece < exact.piece_count);
            assert_int_equal(touch, exact.pieces[piece].phase != BOUNCING_FLIGHT);
            worst = larger(worst, fabs((double)(events[i].time - exact.pieces[piece].time)));
            found++;
        }
        long double gap, rate;
        bouncing_ball_at(&exact, fender_world_time(world), &gap, &rate);
        worst_gap = larger(worst_gap, fabs(gap_of(world) - (double)gap));
    }
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    print_message("%-11s k/m %.0e c/m %.0e: %d events to %.1e s, height to %.1e m, residual %.1e\n",
                  fender_integrator_name(d->method), d->stiffness / d->mass, d->damping / d->mass, found, worst,
                  worst_gap, ledger.residual / ledger.scale);
    check_below(worst, allowed);
    check_below(worst_gap, 10 * allowed);
    check_below(fabs(ledger.residual), 1e-6 * ledger.scale); /* quadratures of order 8, w h = 0.2 to 0.6 */
    fender_world_destroy(world);
}

static void bouncing(void **state)
{
    (void)state;
    const double z = (double)bouncing_damping_ratio(0.8L);
    for (int i = 0; i < 2; i++) {
        double allowed = 1e-9;
        bounce(&(drop){both[i], 2.5, 2.5e5, 2.5 * 2 * z * sqrt(1e5), 0.5, 0, 2e-3, 1e-12}, 12, allowed);
        bounce(&(drop){both[i], 2.5, 2.5e7, 2.5 * 2 * z * sqrt(1e7), 0.5, 0, 0.2e-3, 1e-12}, 4, allowed);
        /* a leg of a lander: 1000 kg, 1e7 N/m, 2e4 N s/m, at 1 m/s */
        bounce(&(drop){both[i], 1000, 1e7, 2e4, 0.5 / G, 0, 2e-3, 1e-12}, 4, allowed);
    }
}

/* ---- stiff */

/* Sinking into a damper with c/m = 1e6 1/s on k/m = 1e4 1/s^2, from a touch at v: with the roots -a (fast) and -b
 * (slow) of r^2 + c/m r + k/m, z = -g/(k/m) + A exp(-a t) + B exp(-b t). */
static double sunk(double k, double c, double v, double t)
{
    double root = sqrt(0.25 * c * c - k), a = 0.5 * c + root, b = k / a, rest = G / k;
    /* A + B = rest, -a A - b B = -v */
    double A = (v - b * rest) / (a - b), B = rest - A;
    return -rest + A * exp(-a * t) + B * exp(-b * t);
}

static long sink(fender_integrator_method method, double until, double *error_of_gap, double *residual)
{
    const double k = 1e4, c = 1e6, v = 0.1, mass = 10;
    fender_law law = counted_law();
    fender_world *world = build(&(drop){method, mass, mass * k, mass * c, 1e-3, v, 10e-3, 1e-9}, &law);
    /* it falls 1 mm first */
    double speed = sqrt(v * v + 2 * G * 1e-3), touch = (speed - v) / G;
    calls = 0;
    breaking_depth = INFINITY;
    check_ok(fender_world_advance_to(world, until, &error));
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    *residual = fabs(ledger.residual) / ledger.scale;
    *error_of_gap = fabs(gap_of(world) - sunk(k, c, speed, until - touch));
    fender_world_destroy(world);
    return calls;
}

static void stiff(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) { /* stability does not bound them */
        assert_true(isinf(fender_integrator_stable_step(both[i], 1e6, 10)));
        assert_false(fender_integrator_adaptive(both[i]));
    }
    double error_bdf, error_pair, error_long, residuals[3];
    long bdf = sink(FENDER_INTEGRATOR_CVODE_BDF, 0.1, &error_bdf, &residuals[0]);
    long pair = sink(FENDER_INTEGRATOR_DOP853, 0.1, &error_pair, &residuals[1]);
    long later = sink(FENDER_INTEGRATOR_CVODE_BDF, 10, &error_long, &residuals[2]);
    print_message("c/m = 1e6 1/s, 0.1 s: cvode_bdf %ld forces, %.1e m, residual %.1e; dop853 %ld forces, %.1e m, %.1e; "
                  "cvode_bdf to 10 s: %ld forces, %.1e m, %.1e\n",
                  bdf, error_bdf, residuals[0], pair, error_pair, residuals[1], later, error_long, residuals[2]);
    /* the tolerance is 1e-9 m a step */
    check_below(error_bdf, 1e-9);
    check_below(error_pair, 1e-8);
    check_below(error_long, 1e-8);
    /* the speed is gone 5e-6 s after the touch: short steps there have seen where it went */
    check_below(residuals[0], 1e-6);
    check_below(residuals[2], 1e-5);
    check_below(20.0 * (double)bdf, (double)pair);
}

/* ---- rotation, friction, states of laws */

/* With friction of its own states (static and kinetic), or regularized. */
static fender_world *capsules(fender_integrator_method method, double tolerance, bool sticky)
{
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 4e3, 30, 0, 2e-2, 0});
    s.body_count = 2;
    for (int i = 0; i < 2; i++) {
        s.bodies[i] = scene_ball(i + 1, i ? 12 : 20, 0.2);
        s.bodies[i].shapes[0].half_length = 1;
        s.bodies[i].mass_properties.inertia = fender_mat3_diagonal(i ? 5 : 9, i ? 5 : 9, i ? 0.4 : 0.7);
    }
    s.bodies[0].state.attitude = (fender_quaternion){cos(0.4), sin(0.4), 0, 0};
    s.bodies[0].state.angular_velocity = fender_vec3_make(0.2, 0.1, 0.5);
    s.bodies[1].state.attitude = fender_quaternion_normalized((fender_quaternion){0.8, -0.3, 0.4, 0.1});
    s.bodies[1].state.angular_velocity = fender_vec3_make(-0.3, 0.2, -0.4);
    s.bodies[1].state.position = fender_vec3_make(1.4, 0.1, -0.2);
    s.bodies[1].state.velocity = fender_vec3_make(-1.5, 0.2, 0.3);
    s.world.method = method;
    s.world.step = 5e-3;
    s.world.relative_tolerance = tolerance;
    s.world.locate_events = true;
    fender_env env = fender_env_default();
    fender_world *world = scene_build_with(&s, &env, NULL, false);
    const fender_law *normal = fender_law_find(NULL, "spring_damper");
    const fender_law *friction = fender_law_find(NULL, sticky ? "coulomb_static_kinetic" : "coulomb");
    double normal_parameters[16], friction_parameters[16];
    (void)fender_field_initialize(&normal->parameters, normal_parameters, sizeof normal_parameters, NULL);
    (void)fender_field_initialize(&friction->parameters, friction_parameters, sizeof friction_parameters, NULL);
    set(normal, normal_parameters, "stiffness", 4e3);
    set(normal, normal_parameters, "damping", 30);
    if (sticky) {
        set(friction, friction_parameters, "mu_static", 0.4);
        set(friction, friction_parameters, "mu_kinetic", 0.3);
        set(friction, friction_parameters, "stiffness", 2e3);
    } else {
        set(friction, friction_parameters, "mu", 0.3);
        set(friction, friction_parameters, "slip_speed", 2e-2);
    }
    fender_contact_type_def def = {.size = sizeof(fender_contact_type_def),
                                   .name = "rubbing",
                                   .normal = normal,
                                   .normal_parameters = normal_parameters,
                                   .friction = friction,
                                   .friction_parameters = friction_parameters};
    fender_contact_type_id type;
    check_ok(fender_contact_type_create(world, &def, &type, &error));
    check_ok(fender_rule_set_use(world, fender_rule_at(world, 0), type, &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* Friction that sticks has a bound of its own: sliding ends where two slip speeds nearly meet, and dop853 itself, at
 * tolerances of 1e-12 and 1e-13, differs there by 1.5e-7. */
static void meet(bool sticky, double allowed)
{
    fender_world *reference = capsules(FENDER_INTEGRATOR_DOP853, 1e-13, sticky);
    check_ok(fender_world_advance_to(reference, 1.5, &error));
    assert_true(fender_world_event_count(reference, FENDER_EVENT_END) > 0);
    double want[2 * FENDER_STATE_PER_BODY], y[2 * FENDER_STATE_PER_BODY];
    fender_world_get_state(reference, want);
    for (int i = 0; i < 2; i++) {
        fender_world *world = capsules(both[i], 1e-12, sticky);
        check_ok(fender_world_advance_to(world, 1.5, &error));
        fender_world_get_state(world, y);
        double worst = 0;
        for (int k = 0; k < 2 * FENDER_STATE_PER_BODY; k++) worst = larger(worst, fabs(y[k] - want[k]));
        fender_ledger ledger;
        fender_world_ledger(world, &ledger);
        print_message("%-11s capsules, %s friction: end state to %.1e, drift of momentum %.1e N s, of angular momentum "
                      "%.1e N m s, residual %.1e\n",
                      fender_integrator_name(both[i]), sticky ? "sticking" : "regularized", worst, ledger.linear_drift,
                      ledger.angular_drift, ledger.residual / ledger.scale);
        for (int kind = 0; kind < FENDER_EVENT_KIND_COUNT; kind++)
            assert_int_equal(fender_world_event_count(world, (fender_event_kind)kind),
                             fender_world_event_count(reference, (fender_event_kind)kind));
        check_below(worst, allowed);
        /* sums that are linear in the state are kept to rounding, others by the tolerance alone */
        check_below(ledger.linear_drift, 1e-12);
        check_below(ledger.angular_drift, 1e-9);
        check_below(fabs(ledger.residual), 1e-8 * ledger.scale);
        fender_world_destroy(world);
    }
    fender_world_destroy(reference);
}

static void slanted(void **state)
{
    (void)state;
    meet(false, 1e-9);
    meet(true, 1e-6);
}

/* Nothing of a step is left in CVODE when the next begins: within one build a run goes on from a snapshot bit for bit.
 */
static void snapshots(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        fender_world *world = capsules(both[i], 1e-9, true);
        fender_snapshot *snapshot = NULL;
        for (int n = 0; n < 300; n++) {
            if (n == 150) snapshot = fender_snapshot_take(world, NULL);
            check_ok(fender_world_step(world, &error));
        }
        uint64_t hash = fender_world_hash(world);
        fender_world *other = capsules(both[i], 1e-9, true);
        check_ok(fender_snapshot_restore(other, snapshot, &error));
        check_ok(fender_world_advance(other, 150, &error));
        assert_true(fender_world_hash(other) == hash);
        fender_snapshot_destroy(snapshot);
        fender_world_destroy(other);
        fender_world_destroy(world);
    }
}

/* ---- giving up */

static void gives_up(void **state)
{
    (void)state;
    fender_law law = counted_law();
    for (int i = 0; i < 2; i++) {
        fender_world *world = build(&(drop){both[i], 1, 1e4, 10, 0.1, 0, 2e-3, 1e-9}, &law);
        breaking_depth = 1e-3;
        fender_error why = {0};
        fender_status status = FENDER_STATUS_OK;
        double before = 0;
        while (!status && fender_world_time(world) < 1) {
            before = fender_world_time(world);
            status = fender_world_step(world, &why);
        }
        assert_int_equal(status, FENDER_STATUS_INTEGRATOR);
        print_message("%s\n", why.message);
        assert_non_null(strstr(why.message, fender_integrator_name(both[i])));
        assert_non_null(strstr(why.message, "not finite"));
        assert_true(fender_world_time(world) >= before && fender_world_time(world) < 1);
        assert_true(isfinite(gap_of(world)) && gap_of(world) > -1e-3);
        /* and the world lives on when the force does */
        breaking_depth = INFINITY;
        check_ok(fender_world_advance(world, 10, &error));
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bouncing), cmocka_unit_test(stiff), cmocka_unit_test(slanted),
                                       cmocka_unit_test(snapshots), cmocka_unit_test(gives_up)};
    return cmocka_run_group_tests_name("CVODE as an integrator", tests, NULL, NULL);
}
