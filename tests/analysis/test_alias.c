/* Names that JEOD logs: each of them finds its channel, whichever recording has it, and the signs of its quaternion. */
/* items: C034 */
#include "analysis/alias.h"
#include "check.h"
#include <fender/recording.h>
#include <string.h>

static void variables_stand_for_channels(void **state)
{
    (void)state;
    static const struct {
        const char *variable, *first, *second; /* NULL: none */
        double factor;
    } rows[] = {
        {"veh1_dyn.body.composite_body.state.trans.position[0]", "bodies.veh1.center_position.x",
         "bodies.veh1_dyn.center_position.x", 1},
        {"veh2_dyn.body.composite_body.state.trans.velocity[2]", "bodies.veh2.center_velocity.z",
         "bodies.veh2_dyn.center_velocity.z", 1},
        {"veh1_dyn.contact_surface.contact_force[1]", "bodies.veh1.contact_force_last_stage.y",
         "bodies.veh1_dyn.contact_force_last_stage.y", 1},
        {"veh1.contact_surface.contact_torque[0]", "bodies.veh1.contact_torque_last_stage.x", NULL, 1},
        {"veh1.dyn_body.mass.composite_properties.mass", "bodies.veh1.mass", NULL, 1},
        {"veh1_dyn.body.composite_properties.mass", "bodies.veh1.mass", "bodies.veh1_dyn.mass", 1},
        {"a.body.mass.core_properties.position[2]", "bodies.a.core_center_of_mass.z", NULL, 1},
        {"a.mass.composite_properties.inertia[0][2]", "bodies.a.inertia[0][2]", NULL, 1},
        {"a.dyn_body.structure.state.rot.Q_parent_this.scalar", "bodies.a.attitude.w", NULL, 1},
        {"a.dyn_body.structure.state.rot.Q_parent_this.vector[1]", "bodies.a.attitude.y", NULL, -1},
        {"a.dyn_body.composite_body.state.rot.ang_vel_this[2]", "bodies.a.angular_velocity.z", NULL, 1},
        {"veh1_dyn.body.composite_body.state.trans.position[3]", NULL, NULL, 0},
        {"veh1_dyn.body.composite_body.state.trans.position", NULL, NULL, 0},
        {"a.b.dyn_body.structure.state.trans.position[0]", NULL, NULL, 0},
        {"structure.state.trans.position[0]", NULL, NULL, 0},
        {"bodies.veh1.position.x", NULL, NULL, 0},
        {"time", NULL, NULL, 0},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        char name[128];
        double factor = 0;
        const char *expected[2] = {rows[k].first, rows[k].second};
        for (int n = 0; n < 3; n++) {
            const bool there = fnd_alias_channel("jeod", rows[k].variable, n, name, sizeof name, &factor);
            assert_int_equal(there, n < 2 && expected[n]);
            if (!there) continue;
            assert_string_equal(name, expected[n]);
            assert_true(factor == rows[k].factor);
        }
        assert_false(fnd_alias_channel(NULL, rows[k].variable, 0, name, sizeof name, &factor));
        assert_false(fnd_alias_channel("jeod", rows[k].variable, 0, name, 12, &factor));
    }
}

/* Two tables of the same motion, one in JEOD's names and feet. */
static const char jeod[] =
    "sys.exec.out.time {s},veh1_dyn.body.composite_body.state.trans.position[0] {ft},"
    "veh1_dyn.body.composite_body.state.rot.Q_parent_this.scalar {1},"
    "veh1_dyn.body.composite_body.state.rot.Q_parent_this.vector[0] {1},veh1_dyn.contact_surface.contact_force[2] {N}\n"
    "0,10,0.8,-0.6,5\n1,20,0.8,0.6,-5\n";
static const char ours[] =
    "time [s],bodies.veh1.center_position.x [m],bodies.veh1.attitude.w [1],bodies.veh1.attitude.x [1],"
    "bodies.veh1.contact_force_last_stage.z [N]\n0,3.048,0.8,0.6,5\n1,6.096,0.8,-0.6,-5\n";

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void recordings_are_matched_either_way(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    write_file("jeod.csv", jeod);
    write_file("ours.csv", ours);
    for (int turned = 0; turned < 2; turned++) {
        fender_recording a, b;
        fender_comparison found;
        check_ok(fender_recording_open(&a, &env, turned ? "ours.csv" : "jeod.csv", NULL, false, &error));
        check_ok(fender_recording_open(&b, &env, turned ? "jeod.csv" : "ours.csv", NULL, false, &error));
        const fender_tolerance tolerance = {"1e-12", false};
        fender_comparison_def def = {.a = &a,
                                     .b = &b,
                                     .from = -INFINITY,
                                     .until = INFINITY,
                                     .names = "jeod",
                                     .tolerances = &tolerance,
                                     .tolerance_count = 1,
                                     .all = true};
        check_ok(fender_compare(&found, &env, &def, &error));
        assert_int_equal(found.count, 4);
        assert_true(found.same);
        fender_comparison_close(&found);
        def.names = NULL;
        fender_error error = {0};
        assert_int_equal(fender_compare(&found, &env, &def, &error), FENDER_STATUS_NAME);
        fender_comparison_close(&found);
        def.names = "other";
        error = (fender_error){0};
        assert_int_equal(fender_compare(&found, &env, &def, &error), FENDER_STATUS_NAME);
        assert_non_null(strstr(error.message, "no names of 'other' are known"));
        fender_comparison_close(&found);
        fender_recording_close(&a);
        fender_recording_close(&b);
    }
    remove("jeod.csv");
    remove("ours.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(variables_stand_for_channels),
                                       cmocka_unit_test(recordings_are_matched_either_way)};
    return cmocka_run_group_tests_name("alias", tests, NULL, NULL);
}
