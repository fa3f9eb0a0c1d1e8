/* Every allocation of reading, building and recording a scenario is refused in turn, those of libyaml too. */
#include "drill.h"
#include <fender/io.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

static const char *path; /* of the sample in turn */

typedef struct fixture {
    fender_env env;
    fender_scenario *scenario;
    fender_world *world;
    fender_channel channels[64];
    int channel_count;
} fixture;

static void *nothing(const fender_env *env, int size)
{
    (void)size;
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->env = *env;
    return f;
}

static void release(void *fixture_)
{
    fixture *f = fixture_;
    fender_world_destroy(f->world);
    fender_scenario_destroy(f->scenario);
    free(f);
}

static fender_status load(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    f->scenario = fender_scenario_load(&f->env, NULL, path, NULL, 0, error);
    return f->scenario ? FENDER_STATUS_OK : error->status;
}

/* All that the format offers beyond the samples: includes, overrides, trees, tables. */
static const char text[] =
    "fender: 1\n"
    "title: Everything at once\n"
    "include: [included.yaml]\n"
    "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
    "integrator: {method: rk4, step: 1 ms}\n"
    "run: {until: 1 s, stop_when: {any: [{end: [ball, floor]}, {channel: bodies.ball.position.x, above: 20 m}]}}\n"
    "materials: {rubber: {}}\n"
    "contact_types:\n"
    "  soft: {law: spring_damper, stiffness: 2 kN/m, damping: 30 N*s/m, mu: 0.2}\n"
    "rules:\n"
    "  - {materials: [steel, rubber], use: soft}\n"
    "  - {materials: [rubber, rubber], use: soft}\n"
    "bodies:\n"
    "  floor:\n"
    "    motion: fixed\n"
    "    shapes:\n"
    "      hull: {sphere: {radius: 3 m}, material: steel}\n"
    "      field: {grid: {hazard_field: {size: [9, 9, m], cells: [9, 9], seed: 1, rocks: {count: 2, diameter: [1, 2, "
    "m], height: 0.4}}}}\n"
    "  ball:\n"
    "    mass_properties: {mass: 2 kg, inertia: [0.1, 0.1, 0.1, kg*m^2]}\n"
    "    state: {position: [0, 0, 3.15, m]}\n"
    "    shapes: {hull: {sphere: {radius: 10 cm}, material: rubber}}\n"
    "  other:\n"
    "    like: ball\n"
    "    state: {position: [0, 0.1, 3.35, m]}\n"
    "loads:\n"
    "  push: {body: ball, force: {ramp: {direction: [1, 0, 0], rate: 4 N/s, start: 0.5 s}}}\n"
    "record:\n"
    "  log: {file: log.csv, every: 1 ms, channels: [bodies.*.position, contacts.*.depth]}\n"
    "expect:\n"
    "  - {channel: ledger.momentum.drift, at: max, below: 1 N*s}\n";

static void write_included(void)
{
    FILE *file = fopen("included.yaml", "w");
    assert_non_null(file);
    assert_true(fputs("fender: 1\nmaterials: {steel: {}}\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static fender_status parse(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    static const fender_override overrides[] = {{"bodies.ball.state.velocity", "[0, 0, -1, m/s]"},
                                                {"run.until", "0.5 s"}};
    f->scenario = fender_scenario_parse(&f->env, NULL, "text", text, sizeof text - 1, overrides, 2, error);
    return f->scenario ? FENDER_STATUS_OK : error->status;
}

static void *parsed(const fender_env *env, int size)
{
    fixture *f = nothing(env, size);
    check_ok(parse(f, &error));
    return f;
}

static void *loaded(const fender_env *env, int size)
{
    fixture *f = nothing(env, size);
    check_ok(load(f, &error));
    return f;
}

static fender_status build(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    f->world = fender_scenario_build(f->scenario, &f->env, error);
    return f->world ? FENDER_STATUS_OK : error->status;
}

static uint64_t look(void *fixture_)
{
    const fixture *f = fixture_;
    return f->world ? beam_cast(f->world) : 0;
}

static uint64_t follow(void *fixture_)
{
    const fixture *f = fixture_;
    check_ok(fender_world_advance(f->world, 20, &error));
    return beam_cast(f->world);
}

static void *built(const fender_env *env, int size)
{
    fixture *f = parsed(env, size);
    check_ok(build(f, &error));
    check_ok(fender_channel_find(f->world, "bodies.*.velocity", f->channels, 64, &f->channel_count, &error));
    assert_int_equal(f->channel_count, 9);
    return f;
}

static fender_status find_channels(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    fender_status status = fender_channel_find(f->world, "contacts.*.depth", f->channels, 64, &f->channel_count, error);
    for (int i = 0; !status && i < f->channel_count; i++) fender_channel_read(f->world, &f->channels[i]);
    return status;
}

/* Opened, filled and closed. */
static fender_status record(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    fender_recorder *recorder = fender_recorder_create(&f->env, f->world, "recorded.csv", f->channels, f->channel_count,
                                                       error);
    if (!recorder) return error->status;
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; !status && i < 5000; i++) status = fender_recorder_sample(recorder, error);
    fender_status closed = fender_recorder_close(recorder, error);
    return status ? status : closed;
}

static bool every_sample; /* else two of the smaller ones, of which one has links, actions and located events */

static void samples(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob(FENDER_SOURCE_DIR "/samples/scenarios/*.yaml", 0, NULL, &found), 0);
    int drilled = 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char reading[200], building[200];
        path = found.gl_pathv[i];
        if (strstr(path, "/hazard_field.yaml")) continue; /* half a second a try; a small field stands in the text */
        if (!every_sample && !strstr(path, "/separation.yaml") && !strstr(path, "/two_capsules.yaml")) continue;
        drilled++;
        snprintf(reading, sizeof reading, "fender_scenario_load, %.100s", strrchr(path, '/') + 1);
        snprintf(building, sizeof building, "fender_scenario_build, %.100s", strrchr(path, '/') + 1);
        drill_run(&(drill){reading, nothing, 0, load, NULL, NULL, release, false});
        assert_true(drill_host_count > 0);
#ifdef HAVE_STATIC_YAML
        assert_true(drill_foreign_count > 0);
#endif
        drill_run(&(drill){building, loaded, 0, build, look, follow, release, false});
        assert_true(drill_host_count > 0);
        assert_int_equal(drill_foreign_count, 0);
    }
    assert_true(drilled >= (every_sample ? 8 : 2));
    globfree(&found);
}

static void text_with_overrides(void **state)
{
    (void)state;
    drill_run(&(drill){"fender_scenario_parse with --set", nothing, 0, parse, NULL, NULL, release, false});
    drill_run(&(drill){"fender_scenario_build of it", parsed, 0, build, look, follow, release, false});
}

static void recording(void **state)
{
    (void)state;
    drill_run(&(drill){"fender_recorder_create, _sample, _close", built, 0, record, look, follow, release, false});
    assert_true(drill_host_count > 0);
    assert_int_equal(drill_foreign_count, 0);
    drill_run(&(drill){"fender_channel_find, _read", built, 0, find_channels, look, follow, release, false});
    assert_int_equal(drill_host_count + drill_foreign_count, 0);
}

static fender_status read_units(void *fixture_, fender_error *error)
{
    (void)fixture_;
    double value;
    char alternatives[200];
    fender_unit unit;
    fender_unit_entry entry;
    fender_unit_alternatives("N/m", alternatives, sizeof alternatives);
    for (int i = 0; fender_unit_table(i, &entry); i++) fender_unit_parse(entry.name, strlen(entry.name), &unit, error);
    fender_status status = fender_quantity_parse("20 lbf*s/in", 11, "N*s/m", &value, error);
    fender_error wrong = {0};
    fender_quantity_parse("20 lbf", 6, "m", &value, &wrong);
    assert_int_equal(wrong.status, FENDER_STATUS_UNIT);
    return status ? status : fender_unit_to_si(3, "deg", "rad", &value, error);
}

static void units(void **state)
{
    (void)state;
    drill_run(&(drill){"units", nothing, 0, read_units, NULL, NULL, release, false});
    assert_int_equal(drill_host_count + drill_foreign_count, 0);
}

int main(int argument_count, char **arguments)
{
    every_sample = argument_count > 1 && strcmp(arguments[1], "full") == 0;
    write_included();
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples), cmocka_unit_test(text_with_overrides),
                                       cmocka_unit_test(recording), cmocka_unit_test(units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
