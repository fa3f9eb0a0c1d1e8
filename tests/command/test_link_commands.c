/* Commands of links by name: lengths, rates, forces, brakes, currents, and every real parameter of every law. */
#include "../dynamics/link_pair.h"
#include <fender/command.h>

/* A link of a law with parameters that its check takes. */
static pair linked(fender_link_law law)
{
    const fender_field_table *table = fender_link_law_parameters(law);
    static double parameters[64];
    assert_true(table->size <= sizeof parameters);
    (void)fender_field_initialize(table, parameters, sizeof parameters, NULL);
    static const struct {
        const char *name;
        double value;
    } values[] = {{"stiffness", 100},       {"free_length", 1}, {"length", 1},           {"stroke", 0.5},
                  {"stop_stiffness", 1000}, {"preload", 10},    {"holding_force", 8},    {"half_distance", 0.01},
                  {"current_limit", 3},     {"distance", 2},    {"angular_stiffness", 5}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        const fender_field *field = fender_field_find(table, values[i].name);
        for (int k = 0; field && k < fender_field_component_count(field); k++)
            assert_true(fender_field_set(field, parameters, k, values[i].value));
    }
    fender_link_def def = fender_link_def_default();
    def.law = law;
    def.parameters = parameters;
    return located_link(&locateds[0], 1, 0, &def);
}

static fender_command find(const pair *two, const char *name)
{
    fender_command command;
    check_ok(fender_command_find(two->world, name, &command, &error));
    return command;
}

static double get(const pair *two, const char *name)
{
    fender_command command = find(two, name);
    double values[FENDER_COMMAND_CAPACITY];
    check_ok(fender_command_get(two->world, &command, values));
    return values[0];
}

static void set(const pair *two, const char *name, double value)
{
    fender_command command = find(two, name);
    check_ok(fender_command_set(two->world, &command, &value, &error));
}

static void motion(void **state)
{
    (void)state;
    static const fender_link_law laws[] = {FENDER_LINK_SPRING_DAMPER, FENDER_LINK_TETHER, FENDER_LINK_SEPARATION_SPRING,
                                           FENDER_LINK_STRUT, FENDER_LINK_ACTUATOR};
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        pair two = linked(laws[i]);
        set(&two, "links.link.length", 1.2);
        check_near(get(&two, "links.link.length"), 1.2, 0);
        set(&two, "links.link.rate", 0.25);
        check_near(get(&two, "links.link.rate"), 0.25, 0);
        check_ok(fender_world_advance_to(two.world, 0.1, &error));
        check_near(get(&two, "links.link.length"), 1.225, 1e-15);
        fender_world_destroy(two.world);
    }
    pair two = linked(FENDER_LINK_ACTUATOR);
    set(&two, "links.link.force", 4);
    check_near(get(&two, "links.link.force"), 4, 0);
    set(&two, "links.link.free", 1);
    check_near(get(&two, "links.link.free"), 1, 0);
    check_near(read(&two).force, 0, 0);
    set(&two, "links.link.free", 0);
    check_near(get(&two, "links.link.free"), 0, 0);
    check_near(get(&two, "links.link.rate"), 0, 0);
    set(&two, "links.link.locked", 1);
    check_near(get(&two, "links.link.locked"), 1, 0);
    assert_true(find(&two, "links.link.locked").is_switch);
    fender_command command;
    fender_error error = {0};
    assert_int_equal(fender_command_find(two.world, "links.link.current", &command, &error), FENDER_STATUS_NAME);
    fender_world_destroy(two.world);
    two = linked(FENDER_LINK_ELECTROMAGNET);
    set(&two, "links.link.current", 2);
    check_near(get(&two, "links.link.current"), 2, 0);
    assert_int_equal(fender_command_find(two.world, "links.link.rate", &command, NULL), FENDER_STATUS_NAME);
    fender_world_destroy(two.world);
}

/* Every real parameter has a command with its unit, is read, and is set to what it is. */
static void parameters(void **state)
{
    (void)state;
    int found = 0;
    for (int law = 0; fender_link_law_name((fender_link_law)law); law++) {
        if (law == FENDER_LINK_CONTACT_LAW || law == FENDER_LINK_FRICTION) continue; /* they need a type */
        pair two = linked((fender_link_law)law);
        const fender_field_table *table = fender_link_law_parameters((fender_link_law)law);
        for (int i = 0; i < table->count; i++) {
            const fender_field *f = &table->fields[i];
            if (f->type != FENDER_FIELD_REAL && f->type != FENDER_FIELD_VEC3) continue;
            char name[80];
            snprintf(name, sizeof name, "links.link.%s", strcmp(f->name, "free_length") == 0 ? "length" : f->name);
            fender_command command = find(&two, name);
            assert_string_equal(command.unit, f->unit);
            assert_int_equal(command.count, fender_field_component_count(f));
            double values[FENDER_COMMAND_CAPACITY] = {0}, again[FENDER_COMMAND_CAPACITY] = {0};
            check_ok(fender_command_get(two.world, &command, values));
            found++;
            if (!isfinite(values[0])) continue; /* no limit: a command takes finite numbers */
            check_ok(fender_command_set(two.world, &command, values, &error));
            check_ok(fender_command_get(two.world, &command, again));
            for (int k = 0; k < command.count; k++) check_near(again[k], values[k], 0);
        }
        fender_world_destroy(two.world);
    }
    assert_true(found > 50);
    pair two = linked(FENDER_LINK_SPRING_DAMPER_6DOF);
    set(&two, "links.link.stiffness.y", 7);
    fender_command command = find(&two, "links.link.stiffness");
    double values[3] = {1, 2, -3};
    assert_int_equal(fender_command_set(two.world, &command, values, NULL), FENDER_STATUS_VALUE);
    check_ok(fender_command_get(two.world, &command, values));
    assert_true(values[0] == 100 && values[1] == 7 && values[2] == 100); /* nothing is changed then */
    fender_world_destroy(two.world);
}

/* Beyond the range of a parameter nothing is set, in any state; a check tells so without setting. */
static void ranges(void **state)
{
    (void)state;
    int bounded = 0;
    for (int law = 0; fender_link_law_name((fender_link_law)law); law++) {
        if (law == FENDER_LINK_CONTACT_LAW || law == FENDER_LINK_FRICTION) continue; /* they need a type */
        pair two = linked((fender_link_law)law);
        const fender_field_table *table = fender_link_law_parameters((fender_link_law)law);
        for (int i = 0; i < table->count; i++) {
            const fender_field *f = &table->fields[i];
            const int count = fender_field_component_count(f);
            if ((f->type != FENDER_FIELD_REAL && f->type != FENDER_FIELD_VEC3) || !isfinite(f->minimum)) continue;
            char name[80];
            snprintf(name, sizeof name, "links.link.%s", strcmp(f->name, "free_length") == 0 ? "length" : f->name);
            fender_command command = find(&two, name);
            double before[FENDER_COMMAND_CAPACITY] = {0}, values[FENDER_COMMAND_CAPACITY], after[3];
            check_ok(fender_command_get(two.world, &command, before));
            if (isfinite(before[0])) check_ok(fender_command_check(two.world, &command, before, &error));
            memcpy(values, before, sizeof values);
            values[count - 1] = f->minimum - 1;
            fender_error refusal = {0};
            assert_int_equal(fender_command_check(two.world, &command, values, &refusal), FENDER_STATUS_VALUE);
            assert_true(refusal.message[0] != 0);
            assert_int_equal(fender_command_set(two.world, &command, values, NULL), FENDER_STATUS_VALUE);
            check_ok(fender_command_get(two.world, &command, after));
            assert_true(after[count - 1] == before[count - 1]);
            bounded++;
        }
        fender_world_destroy(two.world);
    }
    assert_true(bounded > 40);
    pair two = linked(FENDER_LINK_SPRING_DAMPER_6DOF);
    fender_command command = find(&two, "links.link.stiffness.z");
    const double value = -1, fine = 2;
    assert_int_equal(fender_command_check(two.world, &command, &value, NULL), FENDER_STATUS_VALUE);
    check_ok(fender_command_check(two.world, &command, &fine, &error));
    assert_true(get(&two, "links.link.stiffness.z") == 100); /* a check sets nothing */
    fender_world_destroy(two.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(motion), cmocka_unit_test(parameters),
                                       cmocka_unit_test(ranges)};
    return cmocka_run_group_tests_name("commands of links by name", tests, NULL, NULL);
}
