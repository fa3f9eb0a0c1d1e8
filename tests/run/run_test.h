/* Scenarios and helpers of the tests of runs. */
#ifndef TEST_RUN_RUN_TEST_H
#define TEST_RUN_RUN_TEST_H

#include "check.h"
#include <fender/io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Two spheres of 1 m that meet after 5 s at 2 m/s; %s: until, more sections. */
static const char run_scene[] = "fender: 1\n"
                                "title: two balls\n"
                                "integrator: {method: rk4, step: 10 ms}\n"
                                "materials: {steel: {}}\n"
                                "contact_types:\n"
                                "  spring: {law: spring_damper, stiffness: 3000 N/m}\n"
                                "rules: [{default: spring}]\n"
                                "bodies:\n"
                                "  veh1:\n"
                                "    mass_properties: {mass: 100 kg, inertia: [40, 40, 40, kg*m^2]}\n"
                                "    shapes: {hull: {sphere: {radius: 1 m}, material: steel}}\n"
                                "  veh2:\n"
                                "    like: veh1\n"
                                "    state: {position: [12, 0, 0, m], velocity: [-2, 0, 0, m/s]}\n";

/* Diagnostics that were reported, in one text: "line:column message | suggestion\n" each. */
typedef struct diagnostics {
    char text[8192];
    int errors, warnings;
} diagnostics;

static inline void collect_diagnostic(void *ctx, const fender_diagnostic *d)
{
    diagnostics *f = ctx;
    size_t used = strlen(f->text);
    if (d->severity == FENDER_SEVERITY_ERROR) f->errors++;
    if (d->severity == FENDER_SEVERITY_WARNING) f->warnings++;
    snprintf(f->text + used, sizeof f->text - used, "%d:%d %s | %s\n", d->line, d->column, d->message, d->suggestion);
}

static inline fender_scenario *load_scene(const fender_env *env, const char *more, fender_error *error)
{
    static char text[8192];
    snprintf(text, sizeof text, "%s%s", run_scene, more);
    return fender_scenario_parse(env, NULL, "scene.yaml", text, strlen(text), NULL, 0, error);
}

static inline char *read_run_file(const char *directory, const char *name)
{
    static char text[1 << 25]; /* a run that is cut off writes for as long as the machine is slow */
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    if (!file) print_error("no file %s\n", path);
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    return text;
}

static inline int count_lines(const char *text)
{
    int lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

/* The line of that number, from 0; shared memory. */
static inline const char *line_of(const char *text, int number)
{
    static char line[4096];
    for (; number > 0; number--) text = strchr(text, '\n') + 1;
    size_t length = strcspn(text, "\n");
    assert_true(length < sizeof line);
    memcpy(line, text, length);
    line[length] = '\0';
    return line;
}

static inline void remove_directory(const char *name)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf './%s'", name);
    if (system(command) != 0) fail();
}

/* Runs a scenario and destroys it; `why`: the reason of a verdict that is not sound. */
static inline fender_run_verdict verdict_of(fender_scenario *scenario, fender_error *why)
{
    const fender_env env = fender_env_default();
    assert_non_null(scenario);
    const fender_run_def def = {.scenario = scenario};
    fender_run *run = fender_run_create(&env, &def, why);
    assert_non_null(run);
    (void)fender_run_execute(run, why);
    const fender_run_verdict verdict = fender_run_get_summary(run)->verdict;
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return verdict;
}

#endif
