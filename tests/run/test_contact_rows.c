/* contacts.csv of pairs with several contacts: one row for a patch, the sum of its points, and one for each point of a
 * cloud; the same names in events.csv and episodes.csv. */
/* items: C034 P016 */
#include "run_test.h"

static const char scene[] = "fender: 1\n"
                            "world: {gravity: [0, 0, -10, m/s^2]}\n"
                            "integrator: {method: rk4, step: 1 ms}\n"
                            "run: {until: 0.4 s}\n"
                            "materials: {steel: {}}\n"
                            "contact_types: {spring: {law: spring_damper, stiffness: 20 kN/m, damping: 300 N*s/m}}\n"
                            "rules: [{default: spring}]\n"
                            "bodies:\n"
                            "  floor:\n"
                            "    motion: fixed\n"
                            "    shapes: {top: {plane: {}, material: steel}}\n"
                            "  box:\n"
                            "    mass_properties: {mass: 3 kg, inertia: [0.1, 0.1, 0.1, kg*m^2]}\n"
                            "    state: {position: [0, 0, 0.101, m]}\n"
                            "    shapes: {block: {box: {size: [0.4, 0.4, 0.2, m]}, material: steel}}\n"
                            "  stool:\n"
                            "    mass_properties: {mass: 3 kg, inertia: [0.1, 0.1, 0.1, kg*m^2]}\n"
                            "    state: {position: [3, 0, 0.001, m]}\n"
                            "    shapes:\n"
                            "      feet:\n"
                            "        material: steel\n"
                            "        cloud: {points: [[0.2, 0, 0, m], [-0.1, 0.2, 0, m], [-0.1, -0.2, 0, m]]}\n";

static int rows_of(const char *text, const char *time, const char *name, double *force)
{
    char start[64];
    int rows = 0;
    *force = 0;
    for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        snprintf(start, sizeof start, "%s,%s,", time, name);
        if (strncmp(line, start, strlen(start)) != 0) continue;
        double depth, normal;
        assert_int_equal(sscanf(line + strlen(start), "%lf,%lf", &depth, &normal), 2);
        *force += normal;
        rows++;
    }
    return rows;
}

static int lines_with(const char *text, const char *what)
{
    int count = 0;
    for (; (text = strstr(text, what)) != NULL; text++) count++;
    return count;
}

static void rows(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_scenario *s = fender_scenario_parse(&env, NULL, "scene.yaml", scene, strlen(scene), NULL, 0, NULL);
    assert_non_null(s);
    remove_directory("rows.run");
    fender_run_def def = {.scenario = s, .output_directory = "rows.run"};
    fender_run *run = fender_run_create(&env, &def, NULL);
    assert_non_null(run);
    assert_int_equal(fender_run_execute(run, NULL), FENDER_STATUS_OK);
    fender_run_destroy(run);
    const char *text = read_run_file("rows.run", "contacts.csv");
    double force;
    assert_int_equal(rows_of(text, "0.4", "floor.top:box.block", &force), 1);
    check_near(force, 30, 1e-6); /* 300 N s/m on 3 kg: what moves dies away by e^-20 in 0.4 s */
    double sum = 0;
    static const char *const feet[] = {"floor.top:stool.feet[0]", "floor.top:stool.feet[1]", "floor.top:stool.feet[2]"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rows_of(text, "0.4", feet[i], &force), 1);
        check_near(force, 10, 1e-6);
        sum += force;
    }
    check_near(sum, 30, 2e-6);
    assert_int_equal(lines_with(read_run_file("rows.run", "events.csv"), "begin,floor.top:stool.feet[1],"), 1);
    assert_int_equal(lines_with(read_run_file("rows.run", "events.csv"), "begin,floor.top:box.block,"), 1);
    assert_int_equal(lines_with(read_run_file("rows.run", "episodes.csv"), "floor.top:stool.feet[2],"), 1);
    remove_directory("rows.run");
    fender_scenario_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
