/* Values that a study keeps at events and where conditions become true, against free fall: v = v0 - g t and
 * z = z0 + v0 t - g t^2 / 2, which rk4 and dopri5 integrate without an error of the method. */
#include "check.h"
#include "memory_folder.h"
#include "study/study.h"

#include <stdio.h>
#include <string.h>

static fender_env env;
static char told[400];
static const double g = 9.81, height = 1, radius = 0.1; /* m/s^2, m */

static void note(void *ctx, const fender_diagnostic *diagnostic)
{
    (void)ctx;
    if (diagnostic->severity == FENDER_SEVERITY_ERROR) snprintf(told, sizeof told, "%s", diagnostic->message);
}

static int set_up(void **state)
{
    (void)state;
    memory_folder_enter();
    env = fender_env_default();
    env.report = note;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return memory_folder_leave();
}

static void write_file(const char *name, const char *format, const char *text, const char *more)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fprintf(file, format, text, more);
    fclose(file);
}

/* A ball that falls from 1 m, at 0 to -3 m/s in four runs. */
static fender_study *load(const char *integrator, const char *keep)
{
    write_file("fall.yaml",
               "fender: 1\n"
               "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
               "integrator: {%s}\n"
               "run: {until: 600 ms, residual_bound: 1}\n"
               "contact_types: {c: {law: spring_damper, stiffness: 20 kN/m, damping: 30 N*s/m}}\n"
               "rules: [{default: c}]\n"
               "bodies:\n"
               "  ground: {motion: fixed, shapes: {top: {plane: {}}}, points: {pad: {position: [0, 0, 0.5, m]}}}\n"
               "  ball:\n"
               "    mass_properties: {mass: 2 kg, inertia: [1, 1, 1, kg*m^2]}\n"
               "    state: {position: [0, 0, 1, m]}\n"
               "    shapes: {skin: {sphere: {radius: 10 cm}}}\n"
               "    points: {center: {position: [0, 0, 0, m]}}\n"
               "actions: {low: {when: {channel: bodies.ball.position.z, below: 0.3 m}, do: [{emit: lowered}]}}\n%s",
               integrator, "");
    write_file("fall_study.yaml",
               "fender_study: 1\n"
               "scenario: fall.yaml\n"
               "design: full_factorial\n"
               "vary: {v: {path: bodies.ball.state.velocity.z, levels: 4, uniform: [-3, 0, m/s]}}\n"
               "keep: {%s}\n%s",
               keep, "");
    told[0] = 0;
    return fender_study_load(&env, "fall_study.yaml", 0, NULL);
}

enum { RUNS = 4, MOST = 8 };

static uint64_t hash; /* of the run that was evaluated last */

/* Kept values of a run; *speed: v0. */
static const double *evaluate(const fender_study *study, int64_t run, double *speed)
{
    static double numbers[2 + 3 * MOST];
    fnd_row row = {.run = run, .inputs = numbers, .kept = numbers + 1, .outcomes = numbers + 1 + MOST};
    fnd_study_evaluate(study, &env, &row);
    if (row.status != FND_ROW_OK) fail_msg("%s", row.reason);
    *speed = row.inputs[0];
    hash = row.hash;
    return row.kept;
}

/* s; when it has fallen to that height. */
static double fall_time(double speed, double to) { return (speed + sqrt(speed * speed + 2 * g * (height - to))) / g; }

/* Time, speed and height of a touch belong to one state, which free fall gives. Rounding of 100 steps: 1e-12. */
static void value_at_begin(void **state)
{
    (void)state;
    static const char *const keep =
        "t: {event: begin}, v_touch: {channel: bodies.ball.velocity.z, at: {event: begin}}, "
        "z: {channel: bodies.ball.position.z, at: {event: begin}}, a: {channel: "
        "bodies.ball.acceleration.z, at: {event: begin}}, "
        "d: {channel: 'contacts.ground.top:ball.skin.depth_rate', at: {event: begin}}, "
        "n: {channel: events.begin.count, at: {event: begin}}";
    static const char *const methods[] = {"method: rk4, step: 5 ms", "method: rk4, step: 5 ms, locate_events: true",
                                          "method: dopri5, step: 5 ms"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        fender_study *study = load(methods[i], keep);
        assert_non_null(study);
        for (int64_t run = 0; run < RUNS; run++) {
            double v0;
            const double *kept = evaluate(study, run, &v0), t = kept[0], touch = fall_time(v0, radius);
            check_near(kept[1], v0 - g * t, 1e-11);
            check_near(kept[2], height + v0 * t - g * t * t / 2, 1e-11);
            if (i > 0) check_near(t, touch, 1e-9);
            else assert_true(t > touch - 0.005 - 1e-9 && t <= touch + 1e-9);
            if (i == 0) check_near(kept[3], -g, 1e-11);
            assert_true(kept[4] > 0); /* of the contact, which comes with the event */
            assert_true(kept[5] == 1);
        }
        fender_study_destroy(study);
    }
}

/* Conditions name bodies, points, actions and their events as those of the scenario do: here at the first state of the
 * grid at which they are true. */
static void conditions_with_names(void **state)
{
    (void)state;
    const double step = 0.005;
    fender_study *study = load("method: rk4, step: 5 ms",
                               "a: {when: {action: low}}, e: {when: {event: lowered}}, p: {when: {points: [ground.pad, "
                               "ball.center], closer_than: 100 mm}}, t: {event: begin}, b: {when: {begin: [ground, "
                               "ball.skin]}}, c: {when: {any: [{end: [ground, ball]}, {time: 1 s}]}}");
    if (!study) fail_msg("%s", told);
    for (int64_t run = 0; run < RUNS; run++) {
        double v0;
        const double *kept = evaluate(study, run, &v0);
        check_near(kept[0], step * ceil(fall_time(v0, 0.3) / step), 1e-12);
        assert_true(kept[1] == kept[0]);
        check_near(kept[2], step * ceil(fall_time(v0, 0.6) / step), 1e-12);
        check_near(kept[4], kept[3] + step, 1e-12); /* the state that has the contact is that of its step's end */
        assert_true(kept[5] > kept[4]);
    }
    fender_study_destroy(study);
    assert_null(load("method: rk4, step: 5 ms", "b: {when: {begin: [gruond, ball]}}"));
    assert_string_equal(told, "no body is named 'gruond'");
    assert_null(load("method: rk4, step: 5 ms", "b: {when: {points: [ground.pda, ball.center], closer_than: 1 m}}"));
    assert_string_equal(told, "body 'ground' has no point 'pda'");
    assert_null(load("method: rk4, step: 5 ms", "z: {channel: bodies.ball.position.z, at: {when: {action: lwo}}}"));
    assert_string_equal(told, "no action is named 'lwo'");
}

/* Where the method locates events, a kept condition is met at its time, however long the steps are, and no bit of the
 * run shows that it was looked for. Tolerance: events are located to 1e-9 s, at speeds up to 5 m/s. */
static void conditions_within_steps(void **state)
{
    (void)state;
    static const char *const keep =
        "t: {when: {channel: bodies.ball.position.z, below: 0.5 m}}, "
        "z: {channel: bodies.ball.position.z, at: {when: {channel: bodies.ball.position.z, below: 0.5 m}}}, "
        "w: {channel: bodies.ball.velocity.z, at: {when: {all: [{channel: bodies.ball.position.z, below: 0.9 m}, "
        "{points: [ground.pad, ball.center], closer_than: 100 mm}]}}}, "
        "s: {channel: bodies.ball.velocity.z, at: {when: {time: 34.56 ms}}}, "
        "l: {when: {channel: bodies.ball.position.z, below: 0.55 m, for: 85 ms}}, "
        "a: {when: {action: low}}, n: {when: {channel: bodies.ball.position.z, above: 5 m}}, "
        "p: {when: {points: [ground.pad, ball.center], closer_than: 1 mm}}";
    static const char *const methods[] = {"method: dopri5, step: 100 ms",
                                          "method: rk4, step: 5 ms, locate_events: true", "method: dopri5, step: 1 ms"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        uint64_t alone[RUNS];
        double v0;
        fender_study *study = load(methods[i], "z: {channel: bodies.ball.position.z}");
        for (int64_t run = 0; run < RUNS; run++) {
            (void)evaluate(study, run, &v0);
            alone[run] = hash;
        }
        fender_study_destroy(study);
        study = load(methods[i], keep);
        if (!study) fail_msg("%s", told);
        for (int64_t run = 0; run < RUNS; run++) {
            const double *kept = evaluate(study, run, &v0), half = fall_time(v0, 0.5);
            check_near(kept[0], half, 2e-9);
            check_near(kept[1], 0.5, 1e-8);
            check_near(kept[2], v0 - g * fall_time(v0, 0.6), 2e-8);
            check_near(kept[3], v0 - g * 0.03456, 1e-12);
            check_near(kept[4], fall_time(v0, 0.55) + 0.085, 2e-9); /* beyond the end of the step at 0.3 m */
            check_near(kept[5], fall_time(v0, 0.3), 2e-9);
            assert_true(isnan(kept[6]));
            if (i != 1) check_near(kept[7], fall_time(v0, 0.501), 2e-9); /* it lasts less than 1 ms */
            assert_true(hash == alone[run]);
        }
        fender_study_destroy(study);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(value_at_begin), cmocka_unit_test(conditions_with_names),
                                       cmocka_unit_test(conditions_within_steps)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
