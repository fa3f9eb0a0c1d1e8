/* The strut: its force and energy piece by piece, crushing, stops and dampers against closed forms, snapshots. */
#include "link_pair.h"

static fender_link_strut strut(double stiffness)
{
    fender_link_strut p;
    (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_STRUT), &p, sizeof p, NULL);
    p.free_length = 1;
    p.stiffness = stiffness;
    return p;
}

static fender_link_def link_of(const fender_link_strut *p)
{
    fender_link_def def = fender_link_def_default();
    def.law = FENDER_LINK_STRUT;
    def.parameters = p;
    return def;
}

/* At rest with a compression of x. */
static fender_link_data at_compression(pair *two, double x)
{
    fender_body_state state = {.position = {1 - x, 0, 0}, .attitude = {1, 0, 0, 0}};
    check_ok(fender_body_set_state(two->world, two->b, &state, &error));
    return read(two);
}

static const fender_vec2 bent[] = {{0, 0}, {0.02, 200}, {0.05, 1100}};

/* Force by hand at places in every piece, and the energy as its integral: the trapezoidal rule is exact on pieces that
 * no kink divides, and the kinks lie on the grid. */
static void characteristic(void **state)
{
    (void)state;
    fender_link_strut plain = strut(1e4), curved = strut(0);
    plain.preload = curved.preload = 50;
    plain.stop_stiffness = curved.stop_stiffness = 5e3; /* off its seat 10 mm out */
    plain.stroke = curved.stroke = 0.08;
    const struct {
        const fender_link_strut *p;
        bool curve;
        double x, force;
    } rows[] = {
        {&plain, false, -0.02, -100}, /* the stop alone */
        {&plain, false, -0.005, 0},   /* the spring on its seat, half its preload, against the stop */
        {&plain, false, 0, 50},       {&plain, false, 0.03, 350},  {&plain, false, 0.09, 1000},
        {&curved, true, -0.02, -100}, {&curved, true, -0.005, 0},  {&curved, true, 0.01, 150},
        {&curved, true, 0.03, 550},   {&curved, true, 0.07, 1750}, /* on beyond the last */
        {&curved, true, 0.09, 2400},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fender_link_def def = link_of(rows[i].p);
        if (rows[i].curve) def.curve = bent, def.curve_count = 3;
        pair two = located_link(&locateds[0], 1, 0, &def);
        check_near(at_compression(&two, rows[i].x).force, rows[i].force, 1e-9);
        double energy = at_compression(&two, -0.03).stored_energy;
        check_near(energy, 0.5 * 5e3 * 0.03 * 0.03, 1e-12); /* of the stop */
        for (int k = -30; k < 100; k++) {
            fender_link_data left = at_compression(&two, k * 1e-3), right = at_compression(&two, (k + 1) * 1e-3);
            check_near(right.stored_energy - left.stored_energy, 0.5e-3 * (left.force + right.force), 1e-12);
        }
        fender_link_def got;
        assert_int_equal(fender_link_get_def(two.world, two.link, &got), FENDER_STATUS_OK);
        assert_int_equal(got.curve_count, def.curve_count);
        fender_world_destroy(two.world);
    }
}

/* Oscillations at w = 130 rad/s in steps of 1 ms: RK4 is off by some (w h)^5 / 120 of the speed in each of 10 steps. */
enum { STIFF = 30 };

/* Runs into a core that crushes at F: it is used up by (E - F^2 / 2k) / F, and what the spring holds throws back. */
static void crushing(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        double k = 2e4, F = 300, v = 3, energy = 0.5 * reduced * v * v, held = F * F / (2 * k);
        fender_link_strut p = strut(k);
        p.crush_force = F;
        fender_link_def def = link_of(&p);
        pair two = located_link(&locateds[i], 1.1, -v, &def);
        fender_event crush = {0};
        run_to(&two, 0.04, &crush);
        double omega = sqrt(k / reduced), yield = F / k;
        double wanted = 0.1 / v + asin(yield * omega / v) / omega; /* sin(w t) v / w = F / k */
        assert_int_equal(crush.kind, FENDER_EVENT_LINK_CRUSH);
        check_near(crush.time, wanted, 10 * locateds[i].tolerance);
        check_near(crush.link.speed, -sqrt(v * v - F * F / (k * reduced)), STIFF * locateds[i].tolerance);
        run_to(&two, 0.2, NULL);
        fender_link_data data = read(&two);
        printf("%s: crushed %.9f m, off by %.1e m\n", fender_integrator_name(locateds[i].method), data.crushed,
               data.crushed - (energy - held) / F);
        check_near(data.crushed, (energy - held) / F, STIFF * locateds[i].tolerance);
        check_near(data.crush_loss, energy - held, 1e3 * locateds[i].tolerance);
        check_near(data.damping_loss, data.crush_loss, 1e3 * locateds[i].tolerance);
        check_near(data.rate, sqrt(2 * held / reduced), STIFF * locateds[i].tolerance);
        check_near(data.peak_force, F, 0);
        check_near(data.stored_energy, 0, 0); /* lifted off what is crushed */
        assert_true(data.length < p.free_length || data.rate > 0);
        assert_int_equal(fender_world_event_count(two.world, FENDER_EVENT_LINK_CRUSH), 1);
        check_below(fabs(ledger_of(&two).residual), 100 * locateds[i].tolerance);
        check_below(ledger_of(&two).linear_drift, 1e-12);
        fender_world_destroy(two.world);
    }
}

/* A leg that lands under gravity on its seat: crushed and held energy are those of the fall, to the last millimetre,
 * M v^2 / 2 + M g (F / k + u) = F u + F^2 / 2k. */
static void landing(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        double k = 2e4, F = 300, M = 3, g = 9.81, v = 3;
        fender_world_def def = fender_world_def_default();
        def.step = 1e-3;
        def.method = locateds[i].method;
        def.locate_events = true;
        def.relative_tolerance = 1e-11;
        def.gravity = (fender_gravity){.kind = FENDER_GRAVITY_UNIFORM, .acceleration = {-g, 0, 0}};
        fender_body_def seat = ball("a", 2, 1, 0), mass = ball("b", M, 1, 1);
        seat.motion = FENDER_MOTION_FIXED;
        mass.state.velocity.x = -v;
        pair two = pair_of(&def, &seat, &mass, at(0, 0, 0), at(0, 0, 0));
        fender_link_strut p = strut(k);
        p.crush_force = F;
        fender_link_def link = link_of(&p);
        join_by(&two, &link);
        check_ok(fender_world_initialize(two.world, &error));
        run_to(&two, 0.12, NULL);
        double crushed = (0.5 * M * v * v + M * g * F / k - F * F / (2 * k)) / (F - M * g);
        printf("%s: crushed off by %.1e m of %.4f m\n", fender_integrator_name(locateds[i].method),
               read(&two).crushed - crushed, crushed);
        check_near(read(&two).crushed, crushed, STIFF * locateds[i].tolerance);
        check_below(fabs(ledger_of(&two).residual), 100 * locateds[i].tolerance);
        assert_int_equal(fender_world_event_count(two.world, FENDER_EVENT_LINK_CRUSH), 1);
        fender_world_destroy(two.world);
    }
}

/* Steps that do not end at events: the crush is off by what a step across a kink misses, and the ledger with it. */
static void crushing_in_fixed_steps(void **state)
{
    (void)state;
    double off[2], residual[2];
    for (int i = 0; i < 2; i++) {
        double k = 2e4, F = 300, v = 3, energy = 0.5 * reduced * v * v, held = F * F / (2 * k);
        fender_link_strut p = strut(k);
        p.crush_force = F;
        fender_world_def def = fender_world_def_default();
        def.step = 1e-3 / (1 + 9 * i);
        fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 1.1);
        b.state.velocity.x = -v;
        pair two = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
        fender_link_def link = link_of(&p);
        join_by(&two, &link);
        check_ok(fender_world_initialize(two.world, &error));
        run_to(&two, 0.2, NULL);
        off[i] = fabs(read(&two).crushed - (energy - held) / F);
        residual[i] = fabs(ledger_of(&two).residual);
        fender_world_destroy(two.world);
    }
    printf("crushed: off by %.1e m at 1 ms, %.1e m at 0.1 ms; residuals %.1e J, %.1e J\n", off[0], off[1], residual[0],
           residual[1]);
    check_below(off[0], 1e-4);
    check_below(off[1], 2e-6); /* second order at kinks */
    check_below(residual[0], 0.05);
    check_below(residual[1], 1e-3);
}

/* The core is used up after s: then the spring goes on, peak = sqrt(k (m v^2 - 2 F s)). */
static void used_up(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        double k = 2e4, F = 300, v = 3, s = 0.005;
        fender_link_strut p = strut(k);
        p.crush_force = F;
        p.crush_stroke = s;
        fender_link_def def = link_of(&p);
        pair two = located_link(&locateds[i], 1.1, -v, &def);
        double peak = sqrt(k * (reduced * v * v - 2 * F * s)), largest = 0;
        while (fender_world_time(two.world) < 0.1) {
            check_ok(fender_world_step(two.world, &error));
            largest = larger(largest, read(&two).force);
        }
        check_near(read(&two).crushed, s, 0);
        check_near(read(&two).rate, sqrt(v * v - 2 * F * s / reduced), STIFF * locateds[i].tolerance);
        assert_true(largest > F + 50 && largest < peak + 1e-3); /* at accepted states; within a step of the peak: */
        check_near(largest, peak, peak * 0.5 * k / reduced * 1e-6);
        check_below(fabs(ledger_of(&two).residual), 100 * locateds[i].tolerance);
        fender_world_destroy(two.world);
    }
}

/* In with one damping ratio, out with another: a quarter of an oscillation each. */
static void two_dampings(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        double k = 800, v = 2, omega = sqrt(k / reduced), in = 0.2, out = 0.6;
        fender_link_strut p = strut(k);
        p.compression_damping = 2 * in * omega * reduced;
        p.extension_damping = 2 * out * omega * reduced;
        fender_link_def def = link_of(&p);
        pair two = located_link(&locateds[i], 1, -v, &def);
        check_ok(fender_world_step(two.world, &error));
        while (read(&two).length < 1) check_ok(fender_world_step(two.world, &error));
        double w = sqrt(1 - in * in), deepest = v / omega * exp(-in / w * atan2(w, in));
        double u = sqrt(1 - out * out), phase = 3.141592653589793 - atan2(u, out);
        double speed = deepest * omega * exp(-out / u * phase);
        double out_at = (atan2(w, in) / w + phase / u) / omega; /* then only the damper acts */
        speed *= exp(-2 * out * omega * (fender_world_time(two.world) - out_at));
        check_near(read(&two).rate, speed, 10 * locateds[i].tolerance);
        check_near(ledger_of(&two).damping, 0.5 * reduced * (v * v - speed * speed), 100 * locateds[i].tolerance);
        fender_world_destroy(two.world);
    }
}

/* Through the stroke onto the stop and back: nothing is lost, one event, and what the stop reaches is known. */
static void bottoming(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        double k = 500, stop = 1e4, s = 0.03, v = 2;
        fender_link_strut p = strut(k);
        p.stroke = s;
        p.stop_stiffness = stop;
        fender_link_def def = link_of(&p);
        pair two = located_link(&locateds[i], 1, -v, &def);
        fender_event bottom = {0};
        double deepest = 0;
        while (fender_world_time(two.world) < 0.035) {
            check_ok(fender_world_step(two.world, &error));
            int count;
            const fender_event *events = fender_world_events(two.world, &count);
            if (count > 0) bottom = events[0];
            deepest = larger(deepest, 1 - read(&two).length);
        }
        assert_int_equal(bottom.kind, FENDER_EVENT_LINK_BOTTOM);
        check_near(bottom.link.speed, -sqrt(v * v - k / reduced * s * s), 10 * locateds[i].tolerance);
        fender_ledger ledger = ledger_of(&two);
        check_near(ledger.kinetic + ledger.stored, 0.5 * 3 * v * v, 100 * locateds[i].tolerance);
        /* m v^2 = k x^2 + K (x - s)^2 */
        double A = k + stop, B = -2 * stop * s, C = stop * s * s - reduced * v * v;
        double wanted = (-B + sqrt(B * B - 4 * A * C)) / (2 * A);
        assert_true(deepest <= wanted + 1e-9);
        if (i == 0) /* the others' steps are longer */
            assert_true(deepest > wanted - 0.5 * A / reduced * (wanted - s) * 1e-6);
        assert_int_equal(fender_world_event_count(two.world, FENDER_EVENT_LINK_BOTTOM), 1);
        check_below(fabs(ledger_of(&two).residual), 100 * locateds[i].tolerance);
        fender_world_destroy(two.world);
    }
}

/* A preloaded strut gives way at its preload and no earlier: it is as stiff as spring and stop together before. */
static void preload(void **state)
{
    (void)state;
    fender_link_strut p = strut(1e3);
    p.preload = 100;
    p.stop_stiffness = 1e6;
    fender_link_def def = link_of(&p);
    pair two = located_link(&locateds[0], 1, 0, &def);
    check_near(at_compression(&two, -5e-5).force, 0, 1e-9);  /* unloaded */
    check_near(at_compression(&two, -1e-5).force, 80, 1e-7); /* seat and stop: 2e6 N/m */
    check_near(at_compression(&two, 0.01).force, 110, 1e-9);
    fender_world_destroy(two.world);
}

/* Breaks at its limit, and what it held is booked. */
static void breaking(void **state)
{
    (void)state;
    fender_link_strut p = strut(2e4);
    p.limit = 400;
    fender_link_def def = link_of(&p);
    pair two = located_link(&locateds[2], 1, -3, &def);
    fender_event broken = {0};
    run_to(&two, 0.05, &broken);
    assert_int_equal(broken.kind, FENDER_EVENT_LINK_BREAK);
    check_near(read(&two).peak_force, 400, 1e-4);
    check_near(read(&two).damping_loss, 400.0 * 400 / 4e4, 1e-5);
    check_near(ledger_of(&two).damping, 400.0 * 400 / 4e4, 1e-5);
    check_below(fabs(ledger_of(&two).residual), 1e-6);
    fender_world_destroy(two.world);
}

/* What is crushed is in snapshots, also when they are taken while it crushes; the bits go on as they would have. */
static void snapshots(void **state)
{
    (void)state;
    for (int ends = 0; ends < 2; ends++)
        for (int moment = 0; moment < 4; moment++) {
            fender_link_strut p = strut(2e4);
            p.crush_force = 300;
            p.compression_damping = 5;
            p.extension_damping = 20;
            pair worlds[2];
            for (int i = 0; i < 2; i++) {
                fender_world_def def = fender_world_def_default();
                def.step = 1e-3;
                def.locate_events = ends > 0;
                fender_body_def a = ball("a", 2, 1, 0), b = ball("b", 3, 1, 1.01);
                b.state.velocity.x = -3;
                worlds[i] = pair_of(&def, &a, &b, at(0, 0, 0), at(0, 0, 0));
                fender_link_def link = link_of(&p);
                join_by(&worlds[i], &link);
                check_ok(fender_world_initialize(worlds[i].world, &error));
            }
            const double times[] = {0.006, 0.010, 0.0165, 0.03};
            run_to(&worlds[0], times[moment], NULL);
            fender_snapshot *snapshot = fender_snapshot_take(worlds[0].world, NULL);
            check_ok(fender_snapshot_restore(worlds[1].world, snapshot, &error));
            assert_true(fender_world_hash(worlds[1].world) == fender_world_hash(worlds[0].world));
            for (int i = 0; i < 2; i++) run_to(&worlds[i], 0.08, NULL);
            assert_true(fender_world_hash(worlds[1].world) == fender_world_hash(worlds[0].world));
            assert_true(read(&worlds[1]).crushed > 0.005);
            fender_snapshot_destroy(snapshot);
            for (int i = 0; i < 2; i++) fender_world_destroy(worlds[i].world);
        }
}

static void refused(void **state)
{
    (void)state;
    const fender_vec2 falling[] = {{0, 10}, {1, 5}}, late[] = {{0.1, 0}, {1, 5}}, back[] = {{0, 0}, {0, 5}},
                      flat[] = {{0, 0}, {0.1, 50}, {0.2, 50}};
    const struct {
        double stiffness, preload, stroke, stop, crush, crush_stroke;
        const fender_vec2 *curve;
        int count;
        const char *path;
    } wrong[] = {
        {-1, 0, INFINITY, 0, INFINITY, INFINITY, NULL, 0, "stiffness"},
        {1, 10, INFINITY, 0, INFINITY, INFINITY, NULL, 0, "stop_stiffness"},
        {1, 0, 0.1, 0, INFINITY, INFINITY, NULL, 0, "stop_stiffness"},
        {1, 0, 0, 1, INFINITY, INFINITY, NULL, 0, "stroke"},
        {1, 10, INFINITY, 1, 10, INFINITY, NULL, 0, "crush_force"},
        {0, 0, INFINITY, 1, 10, INFINITY, NULL, 0, "crush_force"},
        {1, 0, INFINITY, 1, 10, 0, NULL, 0, "crush_stroke"},
        {1, 0, INFINITY, 0, INFINITY, INFINITY, bent, 3, "stiffness"},
        {0, 0, INFINITY, 0, INFINITY, INFINITY, bent, 1, "curve"},
        {0, 0, INFINITY, 0, INFINITY, INFINITY, bent, FENDER_LINK_CURVE_CAPACITY + 1, "curve"},
        {0, 0, INFINITY, 0, INFINITY, INFINITY, falling, 2, "curve"},
        {0, 0, INFINITY, 0, INFINITY, INFINITY, late, 2, "curve"},
        {0, 0, INFINITY, 0, INFINITY, INFINITY, back, 2, "curve"},
        {0, 0, INFINITY, 0, 60, INFINITY, flat, 3, "crush_force"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fender_link_strut p = strut(wrong[i].stiffness);
        p.preload = wrong[i].preload;
        p.stroke = wrong[i].stroke;
        p.stop_stiffness = wrong[i].stop;
        p.crush_force = wrong[i].crush;
        p.crush_stroke = wrong[i].crush_stroke;
        fender_link_def def = link_of(&p);
        def.curve = wrong[i].curve;
        def.curve_count = wrong[i].count;
        fender_error error = {0};
        assert_int_equal(fender_link_check(&def, &error), FENDER_STATUS_VALUE);
        assert_string_equal(error.path, wrong[i].path);
    }
    fender_link_tether t = {1, 1, 0, INFINITY};
    fender_link_def def = {
        .size = sizeof(fender_link_def), .law = FENDER_LINK_TETHER, .parameters = &t, .curve = bent, .curve_count = 3};
    fender_error error = {0};
    assert_int_equal(fender_link_check(&def, &error), FENDER_STATUS_VALUE);
    assert_string_equal(error.path, "curve");
}

/* A hand that turns the motion round changes the damper at once: as of a world that begins so. */
static void turned_round(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        fender_link_strut p = strut(2e3);
        p.compression_damping = 60;
        p.extension_damping = 5;
        fender_link_def def = link_of(&p);
        pair one = located_link(&locateds[i], 0.9, -1, &def), other = located_link(&locateds[i], 0.9, 1, &def);
        fender_body_state state_of_b = {.position = {0.9, 0, 0}, .attitude = {1, 0, 0, 0}, .velocity = {1, 0, 0}};
        check_ok(fender_body_set_state(one.world, one.b, &state_of_b, &error));
        check_ok(fender_world_advance_to(one.world, 0.05, &error));
        check_ok(fender_world_advance_to(other.world, 0.05, &error));
        check_near(read(&one).length, read(&other).length, 0);
        check_near(read(&one).damping_loss, read(&other).damping_loss, 0);
        fender_world_destroy(one.world);
        fender_world_destroy(other.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characteristic), cmocka_unit_test(crushing),
        cmocka_unit_test(landing),        cmocka_unit_test(crushing_in_fixed_steps),
        cmocka_unit_test(used_up),        cmocka_unit_test(two_dampings),
        cmocka_unit_test(bottoming),      cmocka_unit_test(preload),
        cmocka_unit_test(breaking),       cmocka_unit_test(snapshots),
        cmocka_unit_test(turned_round),   cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("struts", tests, NULL, NULL);
}
