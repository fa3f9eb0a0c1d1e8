/* Bundles: a scenario read back from one file is the same scenario; damaged ones are refused. */
#include "check.h"
#include "random_numbers.h"
#include "scenario/bundle.h"
#include "support/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char main_text[] = "fender: 1\n"
                                "title: \"kept \xC3\xA4 #\"\n"
                                "include: [below/parts.yaml, below/parts2.yaml]\n"
                                "integrator: {step: 10 ms}\n"
                                "run: {until: 1 s}\n"
                                "bodies:\n"
                                "  ball:\n"
                                "    mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}\n"
                                "    shapes: {hull: {sphere: {radius: 1 m}, material: steel}}\n"
                                "loads:\n"
                                "  one: {body: ball, force: {table: {file: below/push.csv, columns: [t, x, y, z]}}}\n"
                                "  two: {body: ball, torque: {table: {file: below/push.csv, columns: [t, p, q, r]}}}\n";

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void write_sources(void)
{
    mkdir("below", 0777);
    write_text("main.yaml", main_text);
    write_text("below/parts.yaml", "include: [deeper.yaml]\nmaterials: {steel: {}}\n");
    write_text("below/deeper.yaml", "contact_types: {spring: {law: spring_damper, stiffness: 1 kN/m}}\n");
    write_text("below/parts2.yaml", "rules: [{default: spring}]\n");
    write_text("below/push.csv", "t [s],x [N],y [N],z [N],p [N*m],q [N*m],r [N*m]\n0,1,0,0,0,0,1\n1,2,0,0,0,0,0\n");
}

static uint64_t world_hash(const fender_scenario *scenario)
{
    fender_env env = fender_env_default();
    fender_world *world = fender_scenario_build(scenario, &env, NULL);
    assert_non_null(world);
    check_ok(fender_world_advance(world, 50, &error));
    uint64_t hash = fender_world_hash(world);
    fender_world_destroy(world);
    return hash;
}

/* Writes the bundle of a scenario to kept.sources; *size: of the file. */
static uint64_t keep(const fender_scenario *scenario, size_t *size)
{
    fender_env env = fender_env_default();
    uint64_t hash;
    fnd_buffer buffer = fnd_buffer_open(&env.allocator);
    assert_true(fnd_bundle_append(&buffer, scenario, &hash));
    check_ok(fnd_file_write("kept.sources", buffer.text, buffer.length, &error));
    *size = buffer.length;
    fnd_buffer_close(&buffer);
    return hash;
}

static fender_scenario *read_back(fender_error *error)
{
    fender_env env = fender_env_default();
    fnd_bundle bundle;
    if (fnd_bundle_read(&env.allocator, "kept.sources", &bundle, error) != FENDER_STATUS_OK) return NULL;
    fender_scenario *scenario = fnd_scenario_load_bundle(&env, NULL, &bundle, error);
    fnd_bundle_release(&bundle);
    return scenario;
}

static void same_scenario(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_override overrides[] = {{"bodies.ball.state.velocity.x", "2 m/s"}, {"title", "another\nline"}};
    for (int from_memory = 0; from_memory < 2; from_memory++) {
        write_sources();
        fender_scenario *first = from_memory ? fender_scenario_parse(&env, NULL, "a/name/of.its/own", main_text,
                                                                     strlen(main_text), overrides, 2, &error)
                                             : fender_scenario_load(&env, NULL, "main.yaml", overrides, 2, &error);
        if (!first) fail_msg("%s:%d %s", error.source, error.line, error.message);
        assert_int_equal(first->text_count, 5); /* the table is named twice, and kept once */
        size_t size, again_size;
        uint64_t hash = keep(first, &size), bits = world_hash(first);
        /* the files are gone */
        unlink("main.yaml");
        unlink("below/parts.yaml");
        unlink("below/deeper.yaml");
        unlink("below/parts2.yaml");
        unlink("below/push.csv");
        fender_scenario *second = read_back(&error);
        if (!second) fail_msg("%s:%d %s", error.source, error.line, error.message);
        assert_string_equal(fender_scenario_title(second), "another line"); /* as YAML reads it */
        assert_true(world_hash(second) == bits);
        assert_true(keep(second, &again_size) == hash); /* and can be kept again */
        assert_int_equal(again_size, size);
        fender_scenario_destroy(first);
        fender_scenario_destroy(second);
    }
}

static void hash_tells(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    size_t size;
    uint64_t hashes[4];
    for (int i = 0; i < 4; i++) {
        fender_override override = {"run.until", i == 1 ? "2 s" : "1 s"};
        write_sources();
        if (i == 2)
            write_text("below/deeper.yaml", "contact_types: {spring: {law: spring_damper, stiffness: 2 kN/m}}\n");
        fender_scenario *scenario = fender_scenario_load(&env, NULL, "main.yaml", &override, i != 3, NULL);
        hashes[i] = keep(scenario, &size);
        fender_scenario_destroy(scenario);
        for (int k = 0; k < i; k++) assert_true(hashes[k] != hashes[i]);
    }
}

/* Each byte in turn; then bytes that were summed anew. */
static void damaged(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    write_sources();
    fender_scenario *scenario = fender_scenario_load(&env, NULL, "main.yaml", NULL, 0, NULL);
    size_t size, got;
    keep(scenario, &size);
    fender_scenario_destroy(scenario);
    char *bytes = malloc(size), *copy = malloc(size);
    FILE *file = fopen("kept.sources", "rb");
    got = fread(bytes, 1, size, file);
    fclose(file);
    assert_int_equal(got, size);
    random_stream r = random_of_case(221, 0);
    int read = 0;
    for (size_t n = 0; n < size + 3000; n++) {
        memcpy(copy, bytes, size);
        size_t at = n < size ? n : (size_t)random_below(&r, (int)size - 21), length = size;
        if (n < size) copy[at] ^= 1;
        else copy[at] = (char)(random_below(&r, 2) ? '0' + random_below(&r, 10) : random_below(&r, 256));
        if (n >= size) { /* a checksum that fits */
            static const char digits[] = "0123456789abcdef";
            if (random_below(&r, 4) == 0) length = 21 + (size_t)random_below(&r, (int)size - 21);
            uint64_t sum = fnd_text_hash(FND_TEXT_HASH_START, copy, length - 21);
            memcpy(copy + length - 21, "end ", 4);
            for (int i = 0; i < 16; i++) copy[length - 17 + (size_t)i] = digits[sum >> (60 - 4 * i) & 15];
            copy[length - 1] = '\n';
        }
        file = fopen("kept.sources", "wb");
        fwrite(copy, 1, length, file);
        fclose(file);
        fender_error error = {0};
        scenario = read_back(&error);
        assert_true(scenario || error.message[0]);
        if (n < size) {
            assert_null(scenario);
            assert_int_equal(error.status, FENDER_STATUS_FILE);
        }
        read += scenario != NULL;
        fender_scenario_destroy(scenario);
    }
    free(bytes);
    free(copy);
    print_message("forged bundles: %d of 3000 gave a scenario\n", read);
    assert_true(read > 100 && read < 2900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_scenario), cmocka_unit_test(hash_tells),
                                       cmocka_unit_test(damaged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
