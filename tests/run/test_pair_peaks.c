/* Peaks of flat pads between accepted states against the closed form of a damped spring, by every kind of method; the
 * approach speed of a pair is that of its begin, wherever its deepest point moves. */
#include "run_test.h"

static const char level[] = "fender: 1\n"
                            "world: {gravity: [0, 0, -1.622, m/s^2]}\n"
                            "run: {until: 0.4 s}\n"
                            "contact_types: {c: {law: spring_damper, stiffness: 40 kN/m, damping: 600 N*s/m}}\n"
                            "rules: [{default: c}]\n"
                            "bodies:\n"
                            "  moon: {motion: fixed, shapes: {ground: {%s}}}\n"
                            "  pad:\n"
                            "    mass_properties: {mass: 100 kg, inertia: [2, 2, 3, kg*m^2]}\n"
                            "    state: {position: [0, 0, 0.25, m], velocity: [0, 0, -1, m/s]}\n"
                            "    shapes: {sole: {%s}}\n"
                            "integrator: {%s}\n";

static fender_run *run_of(const char *text, fender_scenario **scenario)
{
    const fender_env env = fender_env_default();
    fender_error why = {0};
    *scenario = fender_scenario_parse(&env, NULL, "pad.yaml", text, strlen(text), NULL, 0, &why);
    if (!*scenario) print_error("%s\n", why.message);
    assert_non_null(*scenario);
    fender_run_def def = {.scenario = *scenario, .accept_residual = true};
    fender_run *run = fender_run_create(&env, &def, &why);
    assert_non_null(run);
    check_ok(fender_run_execute(run, &why));
    return run;
}

/* d = D + exp(-a t) (-D cos w t + (v - a D) / w sin w t), D = m g / k; with its rate. */
static double depth_at(double t, double *rate)
{
    const double m = 100, g = 1.622, k = 4e4, c = 600, v = sqrt(1 + 2 * g * 0.2);
    const double a = c / (2 * m), w = sqrt(k / m - a * a), rest = m * g / k;
    const double p = -rest, q = (v - a * rest) / w, e = exp(-a * t);
    *rate = e * ((w * q - a * p) * cos(w * t) - (w * p + a * q) * sin(w * t));
    return rest + e * (p * cos(w * t) + q * sin(w * t));
}

static double force_at(double t)
{
    double rate, depth = depth_at(t, &rate);
    return 4e4 * depth + 600 * rate;
}

static double only_depth_at(double t)
{
    double rate;
    return depth_at(t, &rate);
}

/* By golden sections; the time from touch goes to *at. */
static double largest(double (*value)(double), double *at)
{
    double low = 0, high = 0.12;
    while (high - low > 1e-9) {
        const double a = low + 0.382 * (high - low), b = high - 0.382 * (high - low);
        if (value(a) > value(b)) high = b;
        else low = a;
    }
    *at = 0.5 * (low + high);
    return value(*at);
}

static void level_pads(void **state)
{
    (void)state;
    static const char *const grounds[] = {"plane: {}", "box: {size: [2, 2, 1, m]}, position: [0, 0, -0.5, m]"};
    static const char *const soles[] = {"cylinder: {radius: 25 cm, length: 10 cm}", "box: {size: [0.4, 0.3, 0.1, m]}"};
    /* fixed steps: the cubic leaves (w h)^4 / 384 of a step, the method its own error */
    static const struct {
        const char *text;
        double force, depth, time; /* parts of the peak; s */
    } methods[] = {{"method: dop853", 1e-8, 1e-8, 1e-6},
                   {"method: dop853, relative_tolerance: 1e-6", 1e-5, 1e-5, 1e-5},
                   {"method: dopri5, relative_tolerance: 1e-9", 1e-8, 1e-8, 1e-6},
                   {"method: rk4, step: 2 ms, locate_events: true", 1e-6, 1e-6, 2e-6},
                   {"method: velocity_verlet, step: 0.2 ms, locate_events: true", 1e-5, 1e-5, 1e-5}};
    double of_force, of_depth;
    const double force = largest(force_at, &of_force), depth = largest(only_depth_at, &of_depth);
    for (int i = 0; i < 20; i++) {
        char text[2000];
        snprintf(text, sizeof text, level, grounds[i % 2], soles[i / 2 % 2], methods[i / 4].text);
        fender_scenario *scenario;
        fender_run *run = run_of(text, &scenario);
        const fender_episode *e = fender_run_get_summary(run)->episodes;
        check_near(e->peak_force, force, methods[i / 4].force * force);
        check_near(e->peak_depth, depth, methods[i / 4].depth * depth);
        check_near(e->peak_force_time - e->begin_time, of_force, methods[i / 4].time);
        assert_true(fabs(e->peak_force - force) <= 3 * e->errors.peak_force + 1e-9 * force);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* A box set down at 1 m/s sideways, which tilts, lifts its rear edge and comes to rest, while the points of its face
 * move and change their weights. */
static const char sliding[] =
    "fender: 1\n"
    "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
    "run: {until: 0.1 s}\n"
    "contact_types: {c: {law: spring_damper, stiffness: 10 kN/m, damping: 20 N*s/m, mu: 0.5}}\n"
    "rules: [{default: c}]\n"
    "bodies:\n"
    "  ground: {motion: fixed, shapes: {top: {%s}}}\n"
    "  box:\n"
    "    mass_properties: {from_shapes: true, mass: 1 kg}\n"
    "    state: {position: [0, 0, 0.1, m], velocity: [1, 0, 0, m/s]}\n"
    "    shapes: {hull: {%s}}\n"
    "integrator: {%s}\n";

/* The force has no peak between states that is far above them: it bends by w^2 F with w^2 = k / m = 1e4/s^2 and more
 * where the box tilts, so that F (w h)^2 / 8 = 1.25e-5 F is missing at most; ten times that. What is above both states
 * is in its error. The largest force is that of steps of 10 us; patches of a cylinder on a plane and on a box differ by
 * 1e-4 of it. */
static void sliding_faces(void **state)
{
    (void)state;
    static const char *const grounds[] = {"plane: {}", "box: {size: [4, 4, 1, m]}, position: [0, 0, -0.5, m]"};
    static const char *const soles[] = {"box: {size: [0.2, 0.2, 0.2, m]}", "cylinder: {radius: 10 cm, length: 20 cm}"};
    static const double forces[] = {16.99009, 17.01716};
    static const char *const methods[] = {"method: rk4, step: 100 us, locate_events: true",
                                          "method: velocity_verlet, step: 100 us"};
    for (int i = 0; i < 8; i++) {
        char text[2000];
        snprintf(text, sizeof text, sliding, grounds[i % 2], soles[i / 2 % 2], methods[i / 4]);
        const fender_env env = fender_env_default();
        fender_error why = {0};
        fender_scenario *scenario = fender_scenario_parse(&env, NULL, "box.yaml", text, strlen(text), NULL, 0, &why);
        assert_non_null(scenario);
        fender_run_def def = {.scenario = scenario, .accept_residual = true};
        fender_run *run = fender_run_create(&env, &def, &why);
        assert_non_null(run);
        const fender_world *world = fender_run_world(run);
        const fender_shape_id ground = fender_shape_at(world, 0), sole = fender_shape_at(world, 1);
        double most = 0, peak = 0, bar = 0;
        bool more = true;
        while (more && fender_run_step(run, &more, &why) == FENDER_STATUS_OK) {
            fender_contact_data data;
            check_ok(fender_contact_between(world, ground, sole, &data));
            most = fmax(most, data.normal_force);
        }
        check_ok(fender_run_finish(run, &why));
        const fender_run_summary *summary = fender_run_get_summary(run);
        for (int k = 0; k < summary->episode_count; k++) {
            const fender_episode *e = &summary->episodes[k];
            if (e->peak_force > peak) peak = e->peak_force, bar = e->errors.peak_force;
        }
        assert_true(peak >= most && peak <= most * (1 + 1.25e-4));
        check_near(peak, forces[i / 2 % 2], 3e-3);
        assert_true(bar >= peak - most && bar < 1e-3 * peak);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* A tilted pad that comes to rest in a valley: its deepest point changes sides. */
static const char valley[] =
    "fender: 1\n"
    "world: {gravity: [0, 0, -1.622, m/s^2]}\n"
    "integrator: {method: rk4, step: 2 ms, locate_events: true}\n"
    "run: {until: 3 s}\n"
    "contact_types: {c: {law: spring_damper, stiffness: 40 kN/m, damping: 600 N*s/m}}\n"
    "rules: [{default: c}]\n"
    "bodies:\n"
    "  moon: {motion: fixed, shapes: {ground: {grid: {heights: [[0.02, 0, 0.02], [0.02, 0, 0.02], m], spacing: [1, 2, "
    "m], lower: [-1, -1, m]}}}}\n"
    "  pad:\n"
    "    mass_properties: {from_shapes: true, mass: 100 kg}\n"
    "    state: {position: [0.05, 0, 0.25, m], velocity: [0, 0, -1, m/s], orientation: {axis: [0, 1, 0], angle: 6 "
    "deg}}\n"
    "    shapes: {sole: {cylinder: {radius: 25 cm, length: 10 cm}}}\n";

static void speed_of_the_begin(void **state)
{
    (void)state;
    fender_scenario *scenario;
    const fender_env env = fender_env_default();
    fender_error why = {0};
    scenario = fender_scenario_parse(&env, NULL, "pad.yaml", valley, sizeof valley - 1, NULL, 0, &why);
    assert_non_null(scenario);
    fender_run_def def = {.scenario = scenario, .accept_residual = true};
    fender_run *run = fender_run_create(&env, &def, &why);
    assert_non_null(run);
    const fender_world *world = fender_run_world(run);
    const fender_shape_id ground = fender_shape_at(world, 0), sole = fender_shape_at(world, 1);
    double speed = NAN;
    bool more = true;
    int begun = 0, looked = 0;
    while (more && fender_run_step(run, &more, &why) == FENDER_STATUS_OK) {
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int i = 0; i < count; i++) {
            if (events[i].kind != FENDER_EVENT_BEGIN) continue;
            speed = events[i].contact.depth_rate;
            begun++;
        }
        fender_contact_data data;
        check_ok(fender_contact_between(world, ground, sole, &data));
        if (!data.touching || !(data.begin_time > 0)) continue;
        check_near(data.approach_speed, speed, 0);
        looked++;
    }
    check_ok(fender_run_finish(run, &why));
    const fender_run_summary *summary = fender_run_get_summary(run);
    assert_true(begun >= 4 && looked > 100);
    check_near(summary->episodes[summary->episode_count - 1].approach_speed, speed, 0);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

/* A square peg that rattles in its hole, 0.5 mm wider: points of weight near 0 lie far behind faces of the mesh, but
 * the pair is not deep, and its limit of depth stops nothing. */
static void no_limit_stops_a_peg(void **state)
{
    (void)state;
    static const char peg[] =
        "fender: 1\n"
        "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
        "integrator: {method: rk4, step: 0.1 ms, locate_events: true}\n"
        "run: {until: 0.02 s}\n"
        "contact_types: {c: {law: spring_damper, stiffness: 1e5}}\n"
        "rules: [{default: c}]\n"
        "bodies:\n"
        "  plate: {motion: fixed, shapes: {p: {extruded: {profile: [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, "
        "0.1]], "
        "holes: [[[-0.0205, -0.0205], [0.0205, -0.0205], [0.0205, 0.0205], [-0.0205, 0.0205]]], length: 0.1}, "
        "position: "
        "[0, 0, -0.05]}}}\n"
        "  peg:\n"
        "    mass_properties: {mass: 0.5, inertia: [5e-4, 5e-4, 1e-4]}\n"
        "    state: {position: [0, 0, -0.02], velocity: [0.1, 0.03, 0.2], angular_velocity: [0.2, 0.3, 1]}\n"
        "    shapes: {s: {box: {size: [0.04, 0.04, 0.1]}}}\n";
    fender_scenario *scenario;
    fender_run *run = run_of(peg, &scenario);
    assert_true(fender_run_get_summary(run)->episode_count > 0);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(level_pads), cmocka_unit_test(sliding_faces),
                                       cmocka_unit_test(speed_of_the_begin), cmocka_unit_test(no_limit_stops_a_peg)};
    return cmocka_run_group_tests_name("peaks of pairs", tests, NULL, NULL);
}
