/* Commands by name: every kind set and read back; names that mislead; values that are refused. */
#include "check.h"

#include "../record/small_world.h"
#include <fender/command.h>
#include <fender/io.h>

static fender_command find(const fender_world *world, const char *name)
{
    fender_command command;
    check_ok(fender_command_find(world, name, &command, &error));
    return command;
}

static void switches_and_motion(void **state)
{
    (void)state;
    fender_world *world = small_world(3, -1);
    const char *const switches[] = {"loads.push.active", "links.rope.active", "bodies.ball.shapes.hull.active"};
    for (int i = 0; i < 3; i++) {
        fender_command command = find(world, switches[i]);
        assert_true(command.is_switch);
        assert_int_equal(command.count, 1);
        for (int k = 0; k < 2; k++) {
            double value = k == 0, present = NAN;
            check_ok(fender_command_set(world, &command, &value, &error));
            check_ok(fender_command_get(world, &command, &present));
            check_near(present, value, 0);
        }
    }
    const struct {
        const char *name, *unit;
        double values[3];
    } vectors[] = {{"loads.push.force", "N", {1, -2, 3}},
                   {"loads.push.torque", "N*m", {0, 4, 0}},
                   {"world.gravity", "m/s^2", {0, 0, 0}}};
    for (int i = 0; i < 3; i++) {
        fender_command command = find(world, vectors[i].name);
        double present[3];
        assert_string_equal(command.unit, vectors[i].unit);
        check_ok(fender_command_set(world, &command, vectors[i].values, &error));
        check_ok(fender_command_get(world, &command, present));
        for (int k = 0; k < 3; k++) check_near(present[k], vectors[i].values[k], 0);
    }
    fender_command velocity = find(world, "bodies.ball.velocity"), y = find(world, "bodies.ball.velocity.y");
    double all[3] = {1, 2, 3}, one = 7;
    check_ok(fender_command_set(world, &velocity, all, &error));
    check_ok(fender_command_set(world, &y, &one, &error));
    check_ok(fender_command_get(world, &velocity, all));
    check_near(all[0], 1, 0);
    check_near(all[1], 7, 0);
    check_near(all[2], 3, 0);
    assert_string_equal(velocity.unit, "m/s");
    /* What it gives the body is booked as applied: 2 kg (59 - 1) / 2. */
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    check_near(ledger.applied, 58, 1e-12);
    check_near(ledger.residual, 0, 1e-12);
    fender_world_destroy(world);
}

static void check_refused(const fender_world *world, const char *name, const char *message, const char *suggestion)
{
    fender_command command;
    fender_error error = {0};
    assert_int_equal(fender_command_find(world, name, &command, &error), FENDER_STATUS_NAME);
    assert_non_null(strstr(error.message, message));
    assert_non_null(strstr(error.suggestion, suggestion));
}

static void misleading_names(void **state)
{
    (void)state;
    fender_world *world = small_world(3, -1);
    check_refused(world, "load.push.active", "names no command", "fender info commands");
    check_refused(world, "loads.push.throttle", "", "");
    check_refused(world, "loads.push", "names an object", "fender info commands");
    check_refused(world, "loads.pusch.active", "no load is named 'pusch'", "'push'");
    check_refused(world, "links.rop.active", "no link is named 'rop'", "'rope'");
    check_refused(world, "bodies.bal.velocity", "no body is named 'bal'", "'ball'");
    check_refused(world, "bodies.ball.shapes.hul.active", "no shape of that body is named 'hul'", "'hull'");
    check_refused(world, "bodies.ball.velocty", "'velocty' is no command", "'velocity'");
    check_refused(world, "bodies.ball.velocity.w", "component does not exist", "fender info commands");
    check_refused(world, "loads.push.active.x", "component does not exist", "fender info commands");
    check_refused(world, "bodies..velocity", "names no command", "fender info commands");
    fender_load_def wheel = fender_load_def_default();
    wheel.name = "gyro";
    wheel.kind = FENDER_LOAD_REACTION_WHEEL;
    wheel.wheel.axis = fender_vec3_make(0, 0, 1);
    check_ok(fender_body_find(world, "ball", &wheel.body));
    check_ok(fender_load_create(world, &wheel, NULL, &error));
    check_refused(world, "loads.gyro.torque", "'torque' is no command", "'motor_torque'");
    fender_command command = find(world, "bodies.ball.velocity.x");
    const double bad[] = {NAN, INFINITY};
    for (int i = 0; i < 2; i++) {
        fender_error error = {0};
        assert_int_equal(fender_command_set(world, &command, &bad[i], &error), FENDER_STATUS_VALUE);
        assert_string_equal(error.path, "bodies.ball.velocity.x");
    }
    command = find(world, "loads.push.active");
    check_ok(fender_load_destroy(world, fender_load_at(world, 0), &error));
    const double on = 1;
    assert_int_equal(fender_command_set(world, &command, &on, NULL), FENDER_STATUS_STALE_ID);
    fender_world_destroy(world);
}

/* A check refuses what no state lets be set, with the same status, and nothing else. */
static void checks_tell_before(void **state)
{
    (void)state;
    fender_world *world = small_world(3, -1);
    fender_body_def fixed = fender_body_def_default();
    fixed.name = "base";
    fixed.motion = FENDER_MOTION_FIXED;
    check_ok(fender_body_create(world, &fixed, NULL, &error));
    check_ok(fender_world_initialize(world, &error));
    static const struct {
        const char *name;
        double value;
        fender_status status;
    } rows[] = {{"world.gravity.z", 1e100, FENDER_STATUS_OK},
                {"world.gravity.z", 1e101, FENDER_STATUS_VALUE},
                {"bodies.ball.velocity.x", -1e100, FENDER_STATUS_OK},
                {"bodies.ball.velocity.x", -1e101, FENDER_STATUS_VALUE},
                {"bodies.ball.angular_velocity.y", 1e101, FENDER_STATUS_VALUE},
                {"bodies.base.velocity.x", 1, FENDER_STATUS_ARGUMENT},
                {"bodies.base.angular_velocity.x", 1, FENDER_STATUS_ARGUMENT},
                {"links.rope.length", 1e101, FENDER_STATUS_VALUE},
                {"links.rope.length", -1, FENDER_STATUS_VALUE},
                {"links.rope.rate", 1e101, FENDER_STATUS_OK},
                {"loads.push.force.x", 1e101, FENDER_STATUS_OK}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const fender_command command = find(world, rows[i].name);
        fender_error refusal = {0};
        if (fender_command_check(world, &command, &rows[i].value, &refusal) != rows[i].status)
            fail_msg("%s: %s", rows[i].name, refusal.message);
        if (rows[i].status == FENDER_STATUS_OK) continue;
        assert_string_equal(refusal.path, rows[i].name);
        assert_int_equal(fender_command_set(world, &command, &rows[i].value, NULL), rows[i].status);
    }
    fender_world_destroy(world);
}

static void list_is_true(void **state)
{
    (void)state;
    fender_command_kind kind;
    int count = 0;
    for (; fender_command_kind_at(count, &kind); count++) {
        assert_true(kind.path[0] && kind.unit[0] && kind.doc[0]);
        assert_in_range(kind.count, 1, FENDER_COMMAND_CAPACITY);
    }
    assert_true(count >= 5);
    assert_false(fender_command_kind_at(-1, &kind));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(switches_and_motion), cmocka_unit_test(misleading_names),
                                       cmocka_unit_test(checks_tell_before), cmocka_unit_test(list_is_true)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
