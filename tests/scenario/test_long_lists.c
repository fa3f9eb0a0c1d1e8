/* Lists and tables of any length: every number arrives at its place. */
#include "collect.h"

#include "support/memory.h"

static const int lengths[] = {2, 16, 17, 64, 300};
enum { LENGTHS = sizeof lengths / sizeof *lengths };
static const char head[] = "fender: 1\nrun: {until: 1 s}\n";

/* The text before, 0, 1, 2 and so on by the format with commas between, the text behind. */
static void add_list(fnd_buffer *text, const char *before, const char *format, int count, const char *behind)
{
    bool good = fnd_buffer_append_text(text, before);
    for (int i = 0; i < count; i++) {
        char one[40];
        snprintf(one, sizeof one, format, i);
        good = good && (i == 0 || fnd_buffer_append_text(text, ", ")) && fnd_buffer_append_text(text, one);
    }
    assert_true(good && fnd_buffer_append_text(text, behind));
}

static fender_scenario *parse_long(fnd_buffer *text)
{
    collection c;
    fender_env env = collecting_env(&c);
    const char *all = fnd_buffer_text(text);
    fender_scenario *s = fender_scenario_parse(&env, NULL, "long.yaml", all, strlen(all), NULL, 0, NULL);
    if (!s) print_collection(&c);
    assert_non_null(s);
    fnd_buffer_close(text);
    return s;
}

static void lines_of_a_grid(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    for (int n = 0; n < LENGTHS; n++) {
        const int count = lengths[n];
        fnd_buffer text = fnd_buffer_open(&env.allocator);
        add_list(&text, head, "", 0, "bodies: {a: {motion: fixed, shapes: {ground: {grid: {");
        add_list(&text, "x: [", "%d", count, ", km], y: [0, 1, m], ");
        add_list(&text, "heights: [[", "%d", count, "], ");
        add_list(&text, "[", "%d", count, "], m]}}}}}\n");
        fender_scenario *s = parse_long(&text);
        const double *x = s->bodies[0].shapes[0].data->grid_x;
        for (int i = 0; i < count; i++) assert_true(x[i] == 1000.0 * i);
        fender_scenario_destroy(s);
    }
}

static void forces_of_a_cloud(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    for (int n = 0; n < LENGTHS; n++) {
        const int count = lengths[n];
        fnd_buffer text = fnd_buffer_open(&env.allocator);
        add_list(&text, head, "", 0, "bodies: {a: {motion: fixed}}\n");
        add_list(&text, "contact_types: {t: {normal: {law: input, force: {constant: [", "%d", count, ", kN]}}}}\n");
        fender_scenario *s = parse_long(&text);
        const fender_force_table *force = &s->contact_types[0].prescribed_force.normal;
        assert_int_equal(force->columns, count);
        for (int i = 0; i < count; i++) assert_true(force->values[i] == 1000.0 * i);
        fender_scenario_destroy(s);
    }
}

static void columns_of_a_file(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    for (int n = 0; n < LENGTHS; n++) {
        const int count = lengths[n];
        fnd_buffer rows = fnd_buffer_open(&env.allocator), text = fnd_buffer_open(&env.allocator);
        add_list(&rows, "t [s], ", "f%d [kN]", count, "\n");
        add_list(&rows, "0, ", "%d", count, "\n");
        add_list(&rows, "1, ", "%d", count, "\n");
        FILE *file = fopen("forces.csv", "w");
        assert_non_null(file);
        fputs(fnd_buffer_text(&rows), file);
        fclose(file);
        fnd_buffer_close(&rows);
        add_list(&text, head, "", 0, "bodies: {a: {motion: fixed}}\n");
        add_list(&text, "contact_types: {t: {normal: {law: input, force: {table: {columns: [t, ", "f%d", count,
                 "], file: forces.csv}}}}}\n");
        fender_scenario *s = parse_long(&text);
        const fender_force_table *force = &s->contact_types[0].prescribed_force.normal;
        assert_int_equal(force->columns, count);
        assert_int_equal(force->count, 2);
        for (int i = 0; i < 2 * count; i++) assert_true(force->values[i] == 1000.0 * (i % count));
        fender_scenario_destroy(s);
    }
}

static void axes_of_a_controller(void **state)
{
    (void)state;
    enum { COUNT = FENDER_CONTROLLER_NUMBERS / 2 };
    const fender_env env = fender_env_default();
    fnd_buffer text = fnd_buffer_open(&env.allocator);
    add_list(&text, head, "", 0, "bodies: {a: {motion: fixed}}\n");
    add_list(&text, "controllers: {c: {rate: 1 Hz, pd: {proportional: 1, target: [", "%d", COUNT, "]}, ");
    add_list(&text, "inputs: {", "i%d: time", 2 * COUNT, "}, ");
    add_list(&text, "outputs: {", "o%d: loads.l.active", COUNT, "}}}\n");
    fender_scenario *s = parse_long(&text);
    for (int i = 0; i < COUNT; i++) assert_true(s->controllers[0].builtin->axes[i].target == i);
    fender_scenario_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_of_a_grid), cmocka_unit_test(forces_of_a_cloud),
                                       cmocka_unit_test(columns_of_a_file), cmocka_unit_test(axes_of_a_controller)};
    return cmocka_run_group_tests_name("long lists", tests, NULL, NULL);
}
