/* Every allocation of a study is refused in turn: reading it, carrying it out, its report, page, merge and export. What
 * fails says so, leaks nothing and leaves files that the same call goes on with. */
#include "drill.h"
#include "memory_folder.h"
#include <fender/study.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Stores need not reach the disk. */
static int enter_folder(void **state)
{
    (void)state;
    memory_folder_enter();
    return 0;
}

static int leave_folder(void **state)
{
    (void)state;
    return memory_folder_leave();
}

int __wrap_fsync(int descriptor);
int __wrap_fsync(int descriptor) { return descriptor < 0 ? -1 : 0; }

static const char scenario_text[] =
    "fender: 1\nworld: {gravity: [0, 0, -9.8, m/s^2]}\nintegrator: {step: 1 ms}\nrun: {until: 4 ms}\n"
    "materials: {m: {}}\ncontact_types: {t: {law: spring_damper, stiffness: 1 kN/m, damping: 1 N*s/m}}\n"
    "rules: [{materials: [m, m], use: t}]\nbodies:\n"
    "  ground: {motion: fixed, shapes: {s: {plane: {}, material: m}}}\n"
    "  ball: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}, state: {position: [0, 0, 1, m]},\n"
    "    shapes: {s: {sphere: {radius: 1 m}, material: m}}}\n"
    "loads: {push: {body: ball, force: {table: {file: a.csv, columns: [t, x, o, o]}}}}\n";
static const char study_text[] =
    "fender_study: 1\ntitle: Falls\nscenario: fall.yaml\ndesign: random\nruns: 3\nvary:\n"
    "  down: {path: bodies.ball.state.velocity.z, uniform: [-2, -1, m/s]}\n"
    "  mass: {path: bodies.ball.mass_properties.mass, normal: {mean: 10 kg, deviation: 1 kg}}\n"
    "  push: {path: loads.push.force.table.file, discrete: {values: [a.csv, b.csv]}}\n"
    "keep: {z: {channel: bodies.ball.position.z}}\nsuccess: z > 0.9945 [m]\n";

typedef struct fixture {
    fender_env env;
    fender_study *study;
    const char *result; /* the file that a call leaves */
} fixture;

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void *nothing_yet(const fender_env *env, int size)
{
    (void)size;
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->env = *env;
    write_file("fall.yaml", scenario_text);
    write_file("a.csv", "t [s],x [N],o [N]\n0,1,0\n1,1,0\n");
    write_file("b.csv", "t [s],x [N],o [N]\n0,2,0\n1,2,0\n");
    write_file("falls.yaml", study_text);
    return f;
}

static void *with_study(const fender_env *env, int size)
{
    fixture *f = nothing_yet(env, size);
    fender_error fault = {0};
    f->study = fender_study_load(&f->env, "falls.yaml", 0, &fault);
    if (!f->study) fail_msg("%s", fault.message);
    (void)unlink("run.db");
    f->result = "run.db";
    return f;
}

static void release(void *fixture_)
{
    fixture *f = fixture_;
    fender_study_destroy(f->study);
    free(f);
}

static fender_status load(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    fender_study *study = fender_study_load(&f->env, "falls.yaml", 0, error);
    if (!study) return error->status;
    assert_int_equal(fender_study_run_count(study), 3);
    fender_study_destroy(study);
    return FENDER_STATUS_OK;
}

static fender_status inputs(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    int count = 0;
    fender_study_settings *settings = fender_study_settings_create(f->study, &f->env, 2, error);
    if (!settings) return error->status;
    assert_non_null(fender_study_settings_list(settings, &count));
    assert_int_equal(count, 3);
    fender_study_settings_destroy(settings);
    fender_scenario *scenario = fender_study_scenario(f->study, &f->env, 2, error);
    if (!scenario) return error->status;
    fender_scenario_destroy(scenario);
    return FENDER_STATUS_OK;
}

static fender_status carry_out(const fixture *f, const char *store, fender_study_progress *progress,
                               fender_error *error)
{
    const fender_study_def def = {.study = f->study, .store = store, .jobs = 1};
    return fender_study_run(&f->env, &def, progress, error);
}

static fender_status run(void *fixture_, fender_error *error)
{
    fender_study_progress progress;
    const fender_status status = carry_out(fixture_, "run.db", &progress, error);
    assert_int_equal(progress.failed, 0); /* a run without memory is no failed run */
    if (!status) assert_int_equal(progress.done, 3);
    return status;
}

/* Bytes of what has been left, once it is complete. */
static uint64_t left(void *fixture_)
{
    const fixture *f = fixture_;
    FILE *file = fopen(f->result, "rb");
    uint64_t hash = 0xcbf29ce484222325u;
    char bytes[4096];
    if (!file) return 0;
    for (size_t n = fread(bytes, 1, sizeof bytes, file); n > 0; n = fread(bytes, 1, sizeof bytes, file))
        hash = sample_bytes(hash, bytes, n);
    fclose(file);
    return hash;
}

/* A store that is complete; `result` is what the call makes of it, which is not there yet. */
static fixture *with_store(const fender_env *env, const char *result)
{
    fixture *f = with_study(env, 0);
    if (access("whole.db", F_OK) != 0) check_ok(carry_out(f, "whole.db", NULL, &error));
    f->result = result;
    (void)unlink(result);
    return f;
}
static void *for_report(const fender_env *env, int size) { return (void)size, with_store(env, "report.txt"); }
static void *for_page(const fender_env *env, int size) { return (void)size, with_store(env, "page.html"); }
static void *for_export(const fender_env *env, int size) { return (void)size, with_store(env, "rows.csv"); }
static void *for_merge(const fender_env *env, int size) { return (void)size, with_store(env, "merged.db"); }

static void put(void *ctx, const char *text) { *(size_t *)ctx += strlen(text); }

static fender_status report(void *fixture_, fender_error *error)
{
    const fixture *f = fixture_;
    size_t size = 0;
    const fender_status status = fender_study_report(&f->env, "whole.db", put, &size, error);
    if (!status) assert_true(size > 200);
    return status;
}

static fender_status page(void *fixture_, fender_error *error)
{
    const fixture *f = fixture_;
    return fender_study_page(&f->env, "whole.db", "page.html", error);
}

static fender_status export(void *fixture_, fender_error *error)
{
    const fixture *f = fixture_;
    return fender_study_export(&f->env, "whole.db", "rows.csv", error);
}

static fender_status merge(void *fixture_, fender_error *error)
{
    const fixture *f = fixture_;
    static const char *const stores[] = {"whole.db", "whole.db"};
    return fender_study_merge(&f->env, "merged.db", stores, 2, error);
}

static void reading(void **state)
{
    (void)state;
    drill_run(&(drill){"fender_study_load", nothing_yet, 0, load, NULL, NULL, release, false});
    assert_true(drill_host_count > 0);
    drill_run(&(drill){"inputs of a run", with_study, 0, inputs, NULL, NULL, release, false});
    assert_true(drill_host_count > 0);
}

static void running(void **state)
{
    (void)state;
    drill_run(&(drill){"fender_study_run", with_study, 0, run, left, NULL, release, true});
    assert_true(drill_host_count > 0);
}

static void results(void **state)
{
    (void)state;
    (void)unlink("whole.db");
    drill_run(&(drill){"fender_study_report", for_report, 0, report, NULL, NULL, release, false});
    drill_run(&(drill){"fender_study_page", for_page, 0, page, left, NULL, release, false});
    drill_run(&(drill){"fender_study_export", for_export, 0, export, left, NULL, release, false});
    drill_run(&(drill){"fender_study_merge", for_merge, 0, merge, left, NULL, release, false});
}

int main(void)
{
    /* without SQLite there are no stores */
    const fender_env env = fender_env_default();
    fender_error fault = {0};
    size_t size = 0;
    if (fender_study_report(&env, "none.db", put, &size, &fault) == FENDER_STATUS_NOT_BUILT) {
        printf("skipped: this build has no SQLite\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(reading), cmocka_unit_test(running), cmocka_unit_test(results)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
