/* A strict importer: an FMU made of a scenario, unpacked by unzip, its functions found by name. */
#ifndef TEST_FMI_IMPORTER_H
#define TEST_FMI_IMPORTER_H

#include "check.h"
#include "fmi/fmi2.h"
#include "fmi/fmi3.h"
#include <dlfcn.h>
#include <fender/fmi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MEMBER(result, name, arguments) result(*name) arguments;
#define MEMBERS_2(kind, type)                                                                               \
    fmi2_status (*fmi2Get##kind)(void *instance, const fmi2_reference refs[], size_t count, type values[]); \
    fmi2_status (*fmi2Set##kind)(void *instance, const fmi2_reference refs[], size_t count, const type values[]);
#define MEMBERS_3(kind, type)                                                                                    \
    fmi3_status (*fmi3Get##kind)(void *instance, const fmi3_reference refs[], size_t count, type values[],       \
                                 size_t value_count);                                                            \
    fmi3_status (*fmi3Set##kind)(void *instance, const fmi3_reference refs[], size_t count, const type values[], \
                                 size_t value_count);

typedef struct fmu {
    int version;
    void *library;
    char resources[300], token[64], uri[320];
    char *description;
    FMI2_FUNCTIONS(MEMBER)
    FMI2_VALUE_TYPES(MEMBERS_2)
    FMI3_FUNCTIONS(MEMBER)
    FMI3_VALUE_TYPES(MEMBERS_3)
} fmu;

#define EXPORT_LIBRARY FENDER_BUILD_DIR "/lib/fender_fmu.so"

/* A ball of 2 kg that falls on the ground after 0.1 s; a load pushes it. Its mass is a parameter. */
static const char ball_scene[] = "fender: 1\n"
                                 "title: A <ball> & the \"ground\"\n"
                                 "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
                                 "integrator: {method: rk4, step: 1 ms, locate_events: true}\n"
                                 "run: {until: 0.4 s}\n"
                                 "materials: {rubber: {}}\n"
                                 "contact_types:\n"
                                 "  bounce: {law: spring_damper, stiffness: 20 kN/m, damping: 30 N*s/m}\n"
                                 "rules: [{default: bounce}]\n"
                                 "bodies:\n"
                                 "  ground: {motion: fixed, shapes: {top: {plane: {}, material: rubber}}}\n"
                                 "  ball:\n"
                                 "    mass_properties: {mass: 2 kg, inertia: [80, 80, 80, kg*cm^2]}\n"
                                 "    state: {position: [0, 0, 0.149, m]}\n"
                                 "    shapes: {skin: {sphere: {radius: 0.1 m}, material: rubber}}\n"
                                 "loads:\n"
                                 "  push: {body: ball, force: {constant: [0, 0, 30, N]}, active: false}\n"
                                 "fmu:\n"
                                 "  parameters: {mass: bodies.ball.mass_properties.mass}\n"
                                 "  inputs: {thrust: loads.push.active}\n"
                                 "  outputs: {height: bodies.ball.position.z, force: contacts.*.normal_force}\n";
/* Its value references. */
enum { BALL_TIME, BALL_MASS, BALL_THRUST, BALL_HEIGHT, BALL_FORCE };

/* What the FMU says, newest last. */
typedef struct fmu_log {
    int count;
    char last[1024], verdict[1024]; /* the last of all, and the last about the energy */
    unsigned long long hash;        /* of its final state */
} fmu_log;

static inline void note_message(fmu_log *log, const char *message)
{
    static const char final[] = "hash of the final state: ";
    if (!log) return;
    log->count++;
    snprintf(log->last, sizeof log->last, "%s", message);
    if (strstr(message, "doubtful: ") || strstr(message, "no result: ") || strstr(message, ": sound"))
        snprintf(log->verdict, sizeof log->verdict, "%s", message);
    if (strncmp(message, final, sizeof final - 1) == 0) log->hash = strtoull(message + sizeof final - 1, NULL, 16);
}

static inline void log_3(void *environment, fmi3_status status, const char *category, const char *message)
{
    (void)status;
    assert_non_null(category);
    note_message(environment, message);
}

static inline void log_2(void *environment, const char *instance, fmi2_status status, const char *category,
                         const char *message, ...)
{
    va_list arguments;
    char text[1024];
    (void)status;
    assert_non_null(instance);
    assert_non_null(category);
    va_start(arguments, message);
    vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    note_message(environment, text);
}

static inline void find_function(fmu *f, const char *name, void *member)
{
    void *symbol = dlsym(f->library, name);
    if (!symbol) print_error("%s is missing\n", name);
    assert_non_null(symbol);
    memcpy(member, &symbol, sizeof symbol);
}

static inline char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static inline fender_scenario *parse_scene(const char *text)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, &error);
    if (!scenario) print_error("%s (%s) line %d\n", error.message, error.found, error.line);
    assert_non_null(scenario);
    return scenario;
}

/* Exports, unpacks into the folder and loads. */
static inline void fmu_open(fmu *f, const fender_scenario *scenario, int version, const char *folder)
{
    char path[300], command[1000];
    fender_env env = fender_env_default();
    fender_error error = {0};
    memset(f, 0, sizeof *f);
    f->version = version;
    snprintf(path, sizeof path, "%s.fmu", folder);
    fender_fmu_def def = {scenario, version, EXPORT_LIBRARY};
    fender_status status = fender_export_fmu(&env, &def, path, NULL, &error);
    if (status != FENDER_STATUS_OK) print_error("%s (%s)\n", error.message, error.found);
    assert_int_equal(status, FENDER_STATUS_OK);
    snprintf(
        command, sizeof command,
        "rm -rf '%s' && mkdir '%s' && cd '%s' && (unzip -qo '../%s' 2>/dev/null || python3 -m zipfile -e '../%s' .)",
        folder, folder, folder, path, path);
    assert_int_equal(system(command), 0);
    char directory[200];
    assert_non_null(getcwd(directory, sizeof directory));
    snprintf(f->resources, sizeof f->resources, "%s/%s/resources", directory, folder);
    snprintf(f->uri, sizeof f->uri, "file://%s", f->resources);
    snprintf(path, sizeof path, "%s/modelDescription.xml", folder);
    f->description = read_text(path);
    const char *token = strstr(f->description, version == 3 ? "instantiationToken=\"" : "guid=\"");
    assert_non_null(token);
    assert_int_equal(sscanf(strchr(token, '"') + 1, "%63[^\"]", f->token), 1);
    snprintf(command, sizeof command, "mv %s/binaries/*/*.so %s/model.so", folder, folder);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/%s/model.so", directory, folder);
    f->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!f->library) print_error("%s\n", dlerror());
    assert_non_null(f->library);
#define FIND(result, name, arguments) find_function(f, #name, &f->name);
#define FIND_2(kind, type)                                \
    find_function(f, "fmi2Get" #kind, &f->fmi2Get##kind); \
    find_function(f, "fmi2Set" #kind, &f->fmi2Set##kind);
#define FIND_3(kind, type)                                \
    find_function(f, "fmi3Get" #kind, &f->fmi3Get##kind); \
    find_function(f, "fmi3Set" #kind, &f->fmi3Set##kind);
    FMI2_FUNCTIONS(FIND)
    FMI2_VALUE_TYPES(FIND_2)
    FMI3_FUNCTIONS(FIND)
    FMI3_VALUE_TYPES(FIND_3)
}

static inline void fmu_close(fmu *f)
{
    free(f->description);
    assert_int_equal(dlclose(f->library), 0);
}

static inline void *instantiate_3(const fmu *f, bool event_mode, bool early, fmu_log *log)
{
    return f->fmi3InstantiateCoSimulation("one", f->token, f->resources, false, true, event_mode, early, NULL, 0, log,
                                          log_3, NULL);
}

static inline void *instantiate_2(const fmu *f, const fmi2_callbacks *callbacks)
{
    return f->fmi2Instantiate("one", FMI2_CO_SIMULATION, f->token, f->uri, callbacks, 0, 1);
}

static inline double value_3(const fmu *f, void *one, fmi3_reference ref)
{
    double value = NAN;
    assert_int_equal(f->fmi3GetFloat64(one, &ref, 1, &value, 1), FMI3_OK);
    return value;
}

/* Steps to the end; the hash of the final state. */
static inline unsigned long long run_fmu(const fmu *f, double step, long steps)
{
    fmu_log log = {0};
    fmi2_callbacks callbacks = {log_2, calloc, free, NULL, &log};
    double time = 0, last;
    bool event, terminate, early;
    void *one = f->version == 3 ? instantiate_3(f, false, false, &log) : instantiate_2(f, &callbacks);
    if (!one) print_error("%s\n", log.last);
    assert_non_null(one);
    if (f->version == 3) {
        assert_int_equal(f->fmi3EnterInitializationMode(one, false, 0, 0, false, 0), FMI3_OK);
        assert_int_equal(f->fmi3ExitInitializationMode(one), FMI3_OK);
    } else {
        assert_int_equal(f->fmi2SetupExperiment(one, 0, 0, 0, 0, 0), FMI2_OK);
        assert_int_equal(f->fmi2EnterInitializationMode(one), FMI2_OK);
        assert_int_equal(f->fmi2ExitInitializationMode(one), FMI2_OK);
    }
    for (long i = 0; i < steps; i++, time += step) { /* with the rounding of importers */
        if (f->version == 3)
            assert_int_equal(f->fmi3DoStep(one, time, step, true, &event, &terminate, &early, &last), FMI3_OK);
        else assert_int_equal(f->fmi2DoStep(one, time, step, 1), FMI2_OK);
    }
    if (f->version == 3) {
        assert_int_equal(f->fmi3Terminate(one), FMI3_OK);
        f->fmi3FreeInstance(one);
    } else {
        assert_int_equal(f->fmi2Terminate(one), FMI2_OK);
        f->fmi2FreeInstance(one);
    }
    return log.hash;
}

/* What `fender run` makes of the scenario. */
static inline unsigned long long run_itself(const fender_scenario *scenario)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_run_def def = {.scenario = scenario, .accept_residual = true};
    fender_run *run = fender_run_create(&env, &def, &error);
    assert_non_null(run);
    fender_status status = fender_run_execute(run, &error);
    assert_true(status == FENDER_STATUS_OK || status == FENDER_STATUS_EXPECTATION);
    unsigned long long hash = fender_run_get_summary(run)->hash;
    fender_run_destroy(run);
    return hash;
}

#endif
