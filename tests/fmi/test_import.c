/* FMUs as controllers: inputs, outputs and parameters by name, steps that end at the samples, states that are saved;
 * and archives and descriptions that are refused. The FMU is one of our own. */
#include "fmi/archive.h"
#include "fmi/import.h"
#include "importer.h"

#include <dirent.h>

static char *archive[2];
static size_t archive_size[2];
static fender_env env;

/* ---- a controller's life */

typedef struct trial {
    fnd_fmu_import *import;
    const fender_controller *table;
    void *state;
    char message[FENDER_CONTROLLER_MESSAGE];
} trial;

static int begin(trial *t, int version, const char *input, const char *output, double mass)
{
    static const char *const parameter = "mass", *const unit = "";
    fender_error error = {0};
    memset(t, 0, sizeof *t);
    t->import = fnd_fmu_import_open(&env, "ball.fmu", archive[version - 2], archive_size[version - 2], &error);
    if (!t->import) print_error("%s (%s)\n", error.message, error.found);
    assert_non_null(t->import);
    t->table = fnd_fmu_import_controller();
    fender_controller_setup setup = {.size = sizeof setup,
                                     .name = "ball",
                                     .input_count = 1,
                                     .output_count = 1,
                                     .parameter_count = 1,
                                     .input_names = &input,
                                     .input_units = &unit,
                                     .output_names = &output,
                                     .output_units = &unit,
                                     .parameter_names = &parameter,
                                     .parameters = &mass,
                                     .period = 0.01,
                                     .start_time = 0.01,
                                     .allocator = &env.allocator,
                                     .user = t->import};
    return t->table->init(&setup, &t->state, t->message);
}

static void end(trial *t)
{
    if (t->state) t->table->destroy(t->state);
    fnd_fmu_import_close(t->import);
}

static double sample(trial *t, double time, double thrust)
{
    double height = NAN;
    const int failed = t->table->update(t->state, time, &thrust, &height, t->message);
    if (failed) print_error("%s\n", t->message);
    assert_int_equal(failed, 0);
    return height;
}

static void test_samples(void **state)
{
    (void)state;
    for (int version = 2; version <= 3; version++) {
        trial t;
        assert_int_equal(begin(&t, version, "thrust", "height", 3), 0);
        check_near(sample(&t, 0.01, 0), 0.149 - 0.5 * 9.81 * 1e-4, 1e-12); /* one period has passed in the FMU */
        const double speed = -9.81 * 0.01, rate = -9.81 + 30.0 / 3;
        check_near(sample(&t, 0.02, 1), 0.149 - 0.5 * 9.81 * 1e-4 + speed * 0.01 + 0.5 * rate * 1e-4, 1e-12);
        end(&t);
    }
}

static void test_state(void **state)
{
    (void)state;
    static char bytes[1 << 16];
    for (int version = 2; version <= 3; version++) {
        trial one, two;
        double heights[2];
        assert_int_equal(begin(&one, version, "thrust", "height", 2), 0);
        assert_int_equal(begin(&two, version, "thrust", "height", 2), 0);
        for (int i = 1; i <= 12; i++) (void)sample(&one, 0.01 * i, i % 2);
        const int64_t size = one.table->save(one.state, NULL, 0);
        assert_true(size > 0 && size < (int64_t)sizeof bytes);
        assert_int_equal(one.table->save(one.state, bytes, sizeof bytes), size);
        assert_int_equal(two.table->restore(two.state, bytes, (size_t)size, two.message), 0);
        heights[0] = sample(&one, 0.13, 1);
        heights[1] = sample(&two, 0.13, 1);
        assert_memory_equal(&heights[0], &heights[1], sizeof(double));
        bytes[size / 2] ^= 1;
        assert_int_not_equal(two.table->restore(two.state, bytes, (size_t)size, two.message), 0);
        assert_non_null(strstr(two.message, "damaged"));
        end(&one);
        end(&two);
    }
}

static void test_failures(void **state)
{
    (void)state;
    trial t;
    double thrust = NAN, height;
    assert_int_not_equal(begin(&t, 3, "trust", "height", 2), 0);
    assert_non_null(strstr(t.message, "no input"));
    assert_non_null(strstr(t.message, "did you mean 'thrust'?"));
    end(&t);
    assert_int_not_equal(begin(&t, 2, "thrust", "thrust", 2), 0); /* an input is no output */
    end(&t);
    assert_int_not_equal(begin(&t, 2, "thrust", "height", -1), 0); /* the FMU refuses this mass */
    assert_non_null(strstr(t.message, "mass"));
    end(&t);
    assert_int_equal(begin(&t, 3, "thrust", "height", 2), 0);
    assert_int_not_equal(t.table->update(t.state, 0.01, &thrust, &height, t.message), 0);
    assert_non_null(strstr(t.message, "not finite"));
    end(&t);
}

static int folders_left(void)
{
    int count = 0;
    DIR *listing = opendir(getenv("TMPDIR"));
    assert_non_null(listing);
    for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing))
        count += strncmp(entry->d_name, "fender_fmu_", 11) == 0;
    closedir(listing);
    return count;
}

/* ---- a controller of a scenario */

static char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) print_error("%s\n", path);
    assert_non_null(file);
    char *bytes = calloc(1, 1 << 24);
    assert_non_null(bytes);
    *size = fread(bytes, 1, (1 << 24) - 1, file);
    fclose(file);
    return bytes;
}

/* The sample controller in an FMU of that version. */
static void write_hover(int version, const char *path)
{
    static const char *const names[] = {"height", "rate", "engine", "target", "lead", "band"};
    static const char *const roles[] = {"input", "input", "output", "parameter", "parameter", "parameter"};
    char text[3000], part[300];
    size_t size;
    char *binary = read_bytes(FENDER_BUILD_DIR "/tests/bin/hover_fmu.so", &size);
    snprintf(text, sizeof text,
             version == 3
                 ? "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"hover\" instantiationToken=\"hover-1\">"
                   "<CoSimulation modelIdentifier=\"hover\" canGetAndSetFMUState=\"true\" "
                   "canSerializeFMUState=\"true\"/><ModelVariables>"
                 : "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"hover\" guid=\"hover-1\">"
                   "<CoSimulation modelIdentifier=\"hover\" canGetAndSetFMUstate=\"true\" "
                   "canSerializeFMUstate=\"true\"/><ModelVariables>");
    for (int i = 0; i < 6; i++) {
        snprintf(part, sizeof part,
                 version == 3 ? "<Float64 name=\"%s\" valueReference=\"%d\" causality=\"%s\"/>"
                              : "<ScalarVariable name=\"%s\" valueReference=\"%d\" causality=\"%s\"><Real/>"
                                "</ScalarVariable>",
                 names[i], i, roles[i]);
        strcat(text, part);
    }
    strcat(text, "</ModelVariables></fmiModelDescription>");
    fnd_archive_writer writer = fnd_archive_begin(&env.allocator);
    assert_true(fnd_archive_add(&writer, "modelDescription.xml", text, strlen(text), false));
    assert_true(fnd_archive_add(&writer, version == 3 ? "binaries/x86_64-linux/hover.so" : "binaries/linux64/hover.so",
                                binary, size, true));
    assert_true(fnd_archive_end(&writer));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(writer.body.text, 1, writer.body.length, file), writer.body.length);
    assert_int_equal(fclose(file), 0);
    fnd_archive_close(&writer);
    free(binary);
}

static int warning_count;
static void note_warning(void *ctx, const fender_diagnostic *d)
{
    (void)ctx;
    if (!strstr(d->message, "the tank is half empty")) return;
    assert_int_equal(d->severity, FENDER_SEVERITY_WARNING);
    assert_non_null(strstr(d->message, "controller 'hover'"));
    assert_true(d->line > 0);
    warning_count++;
}

/* Runs it; what an FMU warns of is counted. */
static unsigned long long run_scene(const char *text, const char *name)
{
    fender_error error = {0};
    fender_env telling = env;
    telling.report = note_warning;
    warning_count = 0;
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, name, text, strlen(text), NULL, 0, &error);
    if (!scenario) print_error("%s (%s)\n", error.message, error.found);
    assert_non_null(scenario);
    fender_run_def def = {.scenario = scenario, .accept_residual = true};
    fender_run *run = fender_run_create(&telling, &def, &error);
    assert_non_null(run);
    assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_OK);
    const unsigned long long hash = fender_run_get_summary(run)->hash;
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return hash;
}

/* The same controller as a library and in FMUs of both versions: the same bits. */
static void test_scenario(void **state)
{
    (void)state;
    size_t size;
    char *text = read_bytes(FENDER_SOURCE_DIR "/samples/plugins/hover.yaml", &size), path[600];
    char *origin = strstr(text, "library: hover.so "), *rest = strchr(origin, '\n');
    char *other = calloc(1, size + 600);
    snprintf(other, size + 600, "%.*slibrary: %s%s", (int)(origin - text), text,
             FENDER_BUILD_DIR "/samples/plugins/hover.so", rest);
    const unsigned long long hash = run_scene(other, "library.yaml");
    for (int version = 2; version <= 3; version++) {
        snprintf(path, sizeof path, "hover%d.fmu", version);
        write_hover(version, path);
        snprintf(other, size + 600, "%.*sfmu: %s%s", (int)(origin - text), text, path, rest);
        assert_true(run_scene(other, "fmu.yaml") == hash);
        assert_int_equal(warning_count, 1); /* of some hundred steps */
    }
    assert_int_equal(folders_left(), 0);
    /* an FMU cannot take it along */
    fender_error error = {0};
    fender_scenario *scenario = parse_scene(other);
    fender_fmu_def def = {scenario, 3, EXPORT_LIBRARY};
    assert_int_equal(fender_export_fmu(&env, &def, "no.fmu", NULL, &error), FENDER_STATUS_NOT_BUILT);
    assert_non_null(strstr(error.found, "hover"));
    fender_scenario_destroy(scenario);
    free(other);
    free(text);
}

/* ---- archives */

static void refused(const void *bytes, size_t size, fender_status status, const char *message)
{
    fender_error error = {0};
    fnd_fmu_import *import = fnd_fmu_import_open(&env, "bad.fmu", bytes, size, &error);
    assert_null(import);
    if (error.status != status || !strstr(error.message, message)) print_error("%s\n", error.message);
    assert_int_equal(error.status, status);
    assert_non_null(strstr(error.message, message));
    assert_int_equal(folders_left(), 0);
}

/* One file of that name besides a description. */
static void refused_files(const char *name, const char *description, fender_status status, const char *message)
{
    fnd_archive_writer writer = fnd_archive_begin(&env.allocator);
    if (name) assert_true(fnd_archive_add(&writer, name, "text", 4, false));
    if (description)
        assert_true(fnd_archive_add(&writer, "modelDescription.xml", description, strlen(description), false));
    assert_true(fnd_archive_end(&writer));
    refused(writer.body.text, writer.body.length, status, message);
    fnd_archive_close(&writer);
}

static void test_refused(void **state)
{
    (void)state;
    static const char root[] = "<fmiModelDescription fmiVersion=\"3.0\" instantiationToken=\"a\">";
    char text[600];
    refused("", 0, FENDER_STATUS_PARSE, "no FMU");
    refused("PK", 2, FENDER_STATUS_PARSE, "no FMU");
    refused_files("other.xml", NULL, FENDER_STATUS_PARSE, "no modelDescription.xml");
    static const char *const names[] = {"../escape", "/absolute", "a/../../b", "a\\b", "a//b", "./a", "c:x"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        refused_files(names[i], NULL, FENDER_STATUS_PARSE, "damaged");
    refused_files(NULL, "<fmiModelDescription", FENDER_STATUS_PARSE, "");
    refused_files(NULL, "<!DOCTYPE a [<!ENTITY b \"c\">]><fmiModelDescription>&b;</fmiModelDescription>",
                  FENDER_STATUS_PARSE, "");
    refused_files(NULL, "<fmiModelDescription fmiVersion=\"1.0\"/>", FENDER_STATUS_PARSE, "version of FMI");
    snprintf(text, sizeof text, "%s<ModelExchange/></fmiModelDescription>", root);
    refused_files(NULL, text, FENDER_STATUS_NOT_BUILT, "no co-simulation");
    snprintf(text, sizeof text, "%s<CoSimulation modelIdentifier=\"../x\"/></fmiModelDescription>", root);
    refused_files(NULL, text, FENDER_STATUS_PARSE, "model identifier");
    snprintf(text, sizeof text,
             "%s<CoSimulation modelIdentifier=\"x\" needsExecutionTool=\"true\"/></fmiModelDescription>", root);
    refused_files(NULL, text, FENDER_STATUS_NOT_BUILT, "by itself");
    snprintf(text, sizeof text, "%s<CoSimulation modelIdentifier=\"x\"/></fmiModelDescription>", root);
    refused_files(NULL, text, FENDER_STATUS_NOT_BUILT, "no binary");
    refused_files("binaries/x86_64-linux/x.so", text, FENDER_STATUS_FILE, "cannot be loaded");
}

/* Cut and changed archives are refused or open; nothing is left behind. */
static void test_damaged(void **state)
{
    (void)state;
    const size_t size = archive_size[1];
    char *copy = malloc(size);
    for (int i = 0; i < 30; i++) {
        fender_error error = {0};
        memcpy(copy, archive[1], size);
        const size_t length = i < 10 ? size * (size_t)i / 10 : size;
        if (i >= 10) copy[i < 20 ? size - 1 - (size_t)(i - 10) * 7 : (size_t)(i - 20) * 61] ^= 0x55;
        fnd_fmu_import *import = fnd_fmu_import_open(&env, "damaged.fmu", copy, length, &error);
        if (i < 10) assert_null(import);
        fnd_fmu_import_close(import);
        assert_int_equal(folders_left(), 0);
    }
    free(copy);
}

static int set_up(void **state)
{
    (void)state;
    char path[300], here[200];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(path, sizeof path, "%s/unpacked_XXXXXX", here); /* of this run alone */
    assert_non_null(mkdtemp(path));
    assert_int_equal(setenv("TMPDIR", path, 1), 0);
    env = fender_env_default();
    fender_scenario *ball = parse_scene(ball_scene);
    for (int version = 2; version <= 3; version++) {
        fender_error error = {0};
        fender_fmu_def def = {ball, version, EXPORT_LIBRARY};
        snprintf(path, sizeof path, "imported%d.fmu", version);
        assert_int_equal(fender_export_fmu(&env, &def, path, NULL, &error), FENDER_STATUS_OK);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        archive[version - 2] = malloc(1 << 24);
        archive_size[version - 2] = fread(archive[version - 2], 1, 1 << 24, file);
        fclose(file);
    }
    fender_scenario_destroy(ball);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(archive[0]);
    free(archive[1]);
    return rmdir(getenv("TMPDIR"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),  cmocka_unit_test(test_state),   cmocka_unit_test(test_failures),
        cmocka_unit_test(test_scenario), cmocka_unit_test(test_refused), cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
