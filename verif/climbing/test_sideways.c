/* A foot on a wall in any attitude is pulled sideways by a ramp: its bond breaks at X_Limit or Y_Limit, along the axes
 * of the contact, whether a PCM file or a scenario says so. */
#include <fender/io.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "verified.h"

/* The foot is a point of 0.5 kg that is held by K = 10 kN/m and B = 20 N s/m, and does not turn. */
static const double MASS = 0.5, K = 1e4, B = 20, X_LIMIT = 30, Y_LIMIT = 20, RATE = 100, START = 0.05;

static const char *const walls[] = {"{axis: [0, 1, 0], angle: 90 deg}", "{axis: [1, 2, -2], angle: 50 deg}",
                                    "{axis: [-3, 1, 5], angle: 200 deg}"};
static const struct {
    const char *name;
    double x, y; /* of the pull, in the contact */
} pulls[] = {
    {"x", 1, 0}, {"-y", 0, -1}, {"x and a third of it y", 0.9, 0.3}, {"-x and three quarters of it y", -0.8, 0.6}};
enum { WALLS = 3, PULLS = 4 };

static const char head[] =
    "fender: 1\n"
    "%s\n"
    "integrator: {method: %s, step: 1 ms, locate_events: true, relative_tolerance: 1e-12}\n"
    "run: {until: 1 s}\n"
    "bodies:\n"
    "  Wall: {motion: fixed, shapes: {face: {plane: {}}}, state: {orientation: %s}}\n"
    "  Foot:\n"
    "    mass_properties: {mass: 0.5 kg, inertia: [100, 100, 100, kg*m^2]}\n"
    "    state: {position: [%.17g, %.17g, %.17g, m], orientation: {axis: [2, 1, 1], angle: 70 deg}}\n"
    "    shapes: {pad: {point: {}}}\n"
    "loads:\n"
    "  pull: {body: Foot, axes: world, force: {ramp: {direction: [%.17g, %.17g, %.17g],\n"
    "         rate: 100 N/s, start: 0.05 s}}}\n";
static const char by_file[] = "include: [\"" FENDER_SOURCE_DIR "/verif/climbing/sideways.pcm\"]";
static const char by_scenario[] = "contact_types: {Glue: {law: SpringContact, X_Limit: 30 N, Y_Limit: 20 N, Z_Limit: "
                                  "50 N, K: 10 kN/m, B: 20 N*s/m}}\n"
                                  "rules: [{bodies: [Foot, Wall], use: Glue}]";

static fender_world *build(bool file, const char *method, const char *wall, fender_vec3 position, fender_vec3 pull)
{
    char yaml[2000];
    fender_error error = {0};
    snprintf(yaml, sizeof yaml, head, file ? by_file : by_scenario, method, wall, position.x, position.y, position.z,
             pull.x, pull.y, pull.z);
    fender_scenario *scenario = fender_scenario_parse(NULL, NULL, "sideways.yaml", yaml, strlen(yaml), NULL, 0, &error);
    if (!scenario) fail_msg("%s:%d: %s", error.source, error.line, error.message);
    fender_world *world = fender_scenario_build(scenario, NULL, &error);
    if (!world) fail_msg("%s", error.message);
    fender_scenario_destroy(scenario);
    if (fender_world_initialize(world, &error)) fail_msg("%s", error.message);
    return world;
}

/* N; of spring and damper, m x'' + B x' + K x = RATE t from rest. */
static double force_after(double t)
{
    double w = sqrt(K / MASS), z = B / (2 * sqrt(K * MASS)), d = w * sqrt(1 - z * z), a = z * w;
    double e = exp(-a * t), c = cos(d * t), s = sin(d * t), p = 2 * z / w, q = (2 * z * z - 1) / d;
    double x = t - p + e * (p * c + q * s);
    double v = 1 + e * (-a * (p * c + q * s) + d * (q * c - p * s));
    return RATE * (x + B / K * v);
}

/* s; at which the part of the force has come to the limit: it rises all the time, for a ramp pulls it. */
static double time_of(double limit, double part)
{
    double low = 0, high = 10;
    if (part == 0) return INFINITY;
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        if (force_after(middle) * fabs(part) < limit) low = middle;
        else high = middle;
    }
    return START + low;
}

static double break_of(fender_world *world)
{
    fender_error error = {0};
    while (fender_world_time(world) < 1) {
        if (fender_world_step(world, &error)) fail_msg("%s", error.message);
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int i = 0; i < count; i++)
            if (events[i].kind == FENDER_EVENT_LAW) return events[i].time;
    }
    return NAN;
}

/* Axes of the contact of a wall, in the world. */
static fender_quaternion axes_of(const char *wall, fender_vec3 *position)
{
    fender_contact_data data;
    fender_vec3 none = {0, 0, 0}, up = {0, 0, 1};
    fender_world *world = build(false, "dop853", wall, none, up);
    fender_body_id body;
    fender_body_data there;
    assert_int_equal(fender_body_find(world, "Wall", &body), FENDER_STATUS_OK);
    assert_int_equal(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &there), FENDER_STATUS_OK);
    fender_vec3 normal = fender_quaternion_rotate(there.attitude, up);
    fender_world_destroy(world);
    *position = fender_vec3_scale(-1e-6, normal); /* it touches, and hardly presses */
    world = build(false, "dop853", wall, *position, up);
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 1);
    assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &data), FENDER_STATUS_OK);
    fender_world_destroy(world);
    return data.frame;
}

static void breaks_at_its_limit(void **state)
{
    (void)state;
    for (int w = 0; w < WALLS; w++) {
        fender_vec3 position;
        fender_quaternion q = axes_of(walls[w], &position);
        for (int i = 0; i < PULLS; i++) {
            double size = sqrt(pulls[i].x * pulls[i].x + pulls[i].y * pulls[i].y);
            double x = pulls[i].x / size, y = pulls[i].y / size;
            double by_x = time_of(X_LIMIT, x), by_y = time_of(Y_LIMIT, y), expected = by_x < by_y ? by_x : by_y;
            /* b is the foot: the wall was made first; so the axes are those in which it is pulled */
            fender_vec3 pull = fender_quaternion_rotate(q, fender_vec3_make(x, y, 0));
            for (int file = 0; file < 2; file++) {
                fender_world *world = build(file, i % 2 ? "dopri5" : "dop853", walls[w], position, pull);
                double found = break_of(world);
                char name[80];
                snprintf(name, sizeof name, "foot on wall %d, pulled along %s, %s", w + 1, pulls[i].name,
                         file ? "PCM file" : "scenario");
                /* 1e-10 N of a force that grows by 100 N/s; tolerances of 1e-12 a step. Found: 1e-13 s */
                check_verified(name, by_x < by_y ? "time at X_Limit" : "time at Y_Limit", "s", "damped oscillator",
                               found, expected, 1e-12);
                fender_contact_data data;
                /* rounding decides whether the two still touch; if they do not, the contact is over */
                if (fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &data) == FENDER_STATUS_OK)
                    assert_true(data.mode == 1 && data.friction_force == 0);
                fender_world_destroy(world);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(breaks_at_its_limit)};
    return cmocka_run_group_tests_name("feet pulled sideways", tests, NULL, NULL);
}
