/* Between initialize and the end of a run nothing is allocated: not from the host, and by nobody in the process.
 * usage: test_allocation_no_allocation [full]; without it long sample scenarios are cut short. */
#include "check.h"
#include "host_memory.h"
#include "process_memory.h"
#include "run/episode.h"
#include "scene.h"
#include <fender/io.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool full; /* every scenario to its own end */

/* ---- what is counted, and from when to when */

typedef struct mark {
    long process, host;
} mark;
static host_memory host;
static long samples_own; /* what a sample program allocates by itself */

static mark now(void) { return (mark){process_memory_count() - samples_own, host.calls}; }

/* Nothing since `from`, neither from the host nor by malloc. Returns how many there were: 0. */
static long check_none(mark from, const char *name)
{
    mark to = now();
    if (to.host == from.host && to.process == from.process) return to.process - from.process;
    fail_msg("%s: %ld allocations from the host, %ld in the process", name, to.host - from.host,
             to.process - from.process);
    return -1;
}

void *sample_malloc(size_t size);
void *sample_malloc(size_t size)
{
    samples_own++;
    return malloc(size);
}

static mark world_ready;
static long world_allocations; /* between the initialize and the destroy of worlds */
static int worlds;

fender_status __real_fender_world_initialize(fender_world *world, fender_error *error);
void __real_fender_world_destroy(fender_world *world);
void __real_fnd_episode_table_follow(fnd_episode_table *table, const fnd_instant *moment);
void __real_fnd_episode_table_finish(fnd_episode_table *table, const fender_world *world);
fender_status __wrap_fender_world_initialize(fender_world *world, fender_error *error);
void __wrap_fender_world_destroy(fender_world *world);
void __wrap_fnd_episode_table_follow(fnd_episode_table *table, const fnd_instant *moment);
void __wrap_fnd_episode_table_finish(fnd_episode_table *table, const fender_world *world);

fender_status __wrap_fender_world_initialize(fender_world *world, fender_error *error)
{
    fender_status status = __real_fender_world_initialize(world, error);
    worlds++;
    world_ready = now();
    return status;
}

void __wrap_fender_world_destroy(fender_world *world)
{
    world_allocations += now().process - world_ready.process;
    __real_fender_world_destroy(world);
}

/* A run follows its first state before the first step, and finishes its table after the last, when all recordings are
 * closed. */
static mark run_began;
static bool run_going;
static long run_allocations; /* of all runs so far */
static int runs;

void __wrap_fnd_episode_table_follow(fnd_episode_table *table, const fnd_instant *moment)
{
    if (!run_going) run_began = now();
    run_going = true;
    __real_fnd_episode_table_follow(table, moment);
}

void __wrap_fnd_episode_table_finish(fnd_episode_table *table, const fender_world *world)
{
    mark end = now();
    if (run_going) {
        run_allocations += (end.process - run_began.process) + (end.host - run_began.host);
        runs++;
    }
    run_going = false;
    __real_fnd_episode_table_finish(table, world);
}

/* ---- the counters themselves */

static void counters_count(void **state)
{
    (void)state;
    void *volatile block;
    mark before = now();
    free(block = malloc(100));
    free(block = calloc(3, 5));
    block = realloc(NULL, 10);
    free(block = realloc(block, 100000));
    assert_true(now().process - before.process >= 4);
    before = now();
    FILE *file = fopen("/dev/null", "r"); /* allocates inside the C library */
    assert_non_null(file);
    fclose(file);
    assert_true(now().process > before.process);
    before = now();
    fender_env env = host_memory_env(&host);
    fender_geometry *ball = fender_geometry_sphere(&env, 1, NULL);
    assert_true(now().host == before.host + 1 && now().process == before.process + 1);
    fender_geometry_release(ball);
    before = now();
    samples_own = 0;
    free(block = sample_malloc(10));
    assert_int_equal(now().process, before.process);
}

/* ---- worlds */

/* Reads everything that a host can read after a step. */
static void read_all(const fender_world *world)
{
    double sum = fender_world_time(world) + (double)fender_world_hash(world);
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    for (int i = 0; i < fender_body_count(world); i++) {
        fender_body_data body;
        fender_body_get(world, fender_body_at(world, i), FENDER_CLOCK_COMMITTED, &body);
        sum += body.contact_force.x;
    }
    for (int i = 0; i < fender_contact_count(world, FENDER_CLOCK_COMMITTED); i++) {
        fender_contact_data contact;
        assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &contact), FENDER_STATUS_OK);
        sum += contact.depth;
    }
    fender_shape_id one = fender_shape_at(world, 0), other = fender_shape_at(world, fender_shape_count(world) - 1);
    fender_contact_data between;
    fender_pair_explanation explanation;
    fender_contact_between(world, one, other, &between);
    assert_int_equal(fender_world_explain(world, one, other, &explanation), FENDER_STATUS_OK);
    fender_body_id found;
    fender_body_find(world, "nobody", &found);
    assert_true(sum == sum);
}

/* Touches that began after the start. */
static int64_t touches(const fender_world *world) { return fender_world_event_count(world, FENDER_EVENT_BEGIN); }

enum { RANDOM_WORLDS = 60, STEPS = 1000 };

static void random_worlds(void **state, bool crowded, uint64_t test)
{
    (void)state;
    int64_t in_flight = 0, at_start = 0;
    long allocations = 0;
    for (uint64_t number = 0; number < RANDOM_WORLDS; number++) {
        random_stream stream = random_of_case(test, number);
        scene s = scene_random(&stream, 2, SCENE_BODIES, 7);
        if (crowded) scene_crowd(&s, &stream);
        s.world.step = 2e-3;
        if (number % 4 == 3) s.world.method = FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER;
        if (number % 4 == 1) s.world.method = FENDER_INTEGRATOR_VELOCITY_VERLET;
        fender_env env = host_memory_env(&host);
        fender_world *world = scene_build_with(&s, &env, NULL, true);
        int64_t before = touches(world);
        mark start = now();
        for (int step = 0; step < STEPS; step++) {
            fender_error error = {0};
            if (step == 300) fender_shape_set_active(world, fender_shape_at(world, 0), false);
            if (step == 400) fender_shape_set_active(world, fender_shape_at(world, 0), true);
            if (fender_world_step(world, &error)) break;
            if (step % 16 == 0) read_all(world);
        }
        allocations += check_none(start, "a random world");
        at_start += before;
        in_flight += touches(world) - before;
        fender_world_destroy(world);
    }
    assert_int_equal(host.live, 0);
    print_message("%d worlds of %d steps, %lld touches at the start, %lld in flight: %ld allocations\n", RANDOM_WORLDS,
                  STEPS, (long long)at_start, (long long)in_flight, allocations);
    assert_true(in_flight > RANDOM_WORLDS / 2);
    assert_true(!crowded || at_start > RANDOM_WORLDS);
}

static void worlds_that_meet(void **state) { random_worlds(state, false, 901); }
static void worlds_that_overlap(void **state) { random_worlds(state, true, 902); }

/* A host that integrates by itself, by Euler's method; and one that advances many steps in a call. */
static void hosts(void **state)
{
    (void)state;
    enum { NUMBERS = SCENE_BODIES * FENDER_STATE_PER_BODY };
    int64_t in_flight = 0;
    long allocations = 0;
    for (uint64_t number = 0; number < 20; number++) {
        random_stream stream = random_of_case(903, number);
        scene s = scene_random(&stream, 2, SCENE_BODIES, 7);
        s.world.step = 2e-3;
        fender_env env = host_memory_env(&host);
        fender_world *world = scene_build_with(&s, &env, NULL, true);
        double y[NUMBERS], rate[NUMBERS];
        int count = fender_world_state_count(world);
        int64_t before = touches(world);
        mark start = now();
        fender_error error = {0};
        fender_world_get_state(world, y);
        for (int step = 0; step < 500; step++) {
            if (fender_world_set_state(world, step * 1e-3, y, &error) || fender_world_derivative(world, rate, &error) ||
                fender_world_evaluate(world, &error))
                break;
            for (int i = 0; i < count; i++) y[i] += 1e-3 * rate[i];
            if (fender_world_set_state(world, (step + 1) * 1e-3, y, &error) || fender_world_commit(world, &error))
                break;
            fender_world_get_state(world, y);
        }
        if (error.count == 0) fender_world_advance(world, 200, &error);
        allocations += check_none(start, "a host's own integrator");
        in_flight += touches(world) - before;
        fender_world_destroy(world);
    }
    print_message("20 worlds, 500 steps of a host and 200 in one call, %lld touches in flight: %ld allocations\n",
                  (long long)in_flight, allocations);
    assert_true(in_flight > 5);
}

/* ---- sample programs */

#define SAMPLE(name) int name##_main(void);
SAMPLE_LIST
#undef SAMPLE
int same_bits_main(int argc, char **argv);

/* A run opens its files after it has built its world: a program that makes runs is counted between their states. */
static void check_program(const char *name, int result)
{
    const long allocations = runs > 0 ? run_allocations : world_allocations;
    const char *span = runs > 0 ? "between the first and the last state of its runs" : "between initialize and destroy";
    assert_int_equal(result, 0);
    assert_int_equal(worlds, runs > 0 ? runs : 1);
    if (allocations != 0) fail_msg("%s: %ld allocations %s", name, allocations, span);
    print_message("sample %s: %ld allocations %s\n", name, allocations, span);
    worlds = runs = 0;
    run_allocations = world_allocations = 0;
}

static void sample_programs(void **state)
{
    (void)state;
    worlds = runs = 0;
    run_allocations = world_allocations = 0;
#define SAMPLE(name) check_program(#name, name##_main());
    SAMPLE_LIST
#undef SAMPLE
    char *argv[] = {(char[]){"same_bits"}, full ? (char[]){"100000"} : (char[]){"4000"}, NULL};
    check_program("same_bits", same_bits_main(2, argv));
}

/* ---- sample scenarios */

enum { SHORT_STEPS = 12000 }; /* of a run that is cut short, and at most 6 s */
static double short_time = 6; /* s */

static fender_scenario *load(const fender_env *env, const char *path, bool whole)
{
    fender_error error = {0};
    char until[40];
    snprintf(until, sizeof until, "%.9g s", short_time);
    fender_override cut = {"run.until", until};
    fender_scenario *scenario = fender_scenario_load(env, NULL, path, &cut, whole ? 0 : 1, &error);
    if (!scenario) fail_msg("%s: %s", path, error.message);
    return scenario;
}

static void run_scenario(const char *path, const char *directory, bool cut_short)
{
    fender_error error = {0};
    fender_env env = host_memory_env(&host);
    fender_scenario *scenario = load(&env, path, !cut_short);
    fender_run_def def = {.scenario = scenario, .output_directory = directory};
    fender_run *run = fender_run_create(&env, &def, &error);
    if (!run && cut_short) { /* it expects something after the cut: run the whole */
        fender_scenario_destroy(scenario);
        memset(&error, 0, sizeof error);
        def.scenario = scenario = load(&env, path, true);
        run = fender_run_create(&env, &def, &error);
    }
    assert_non_null(run);
    run_allocations = runs = 0;
    fender_status status = fender_run_execute(run, &error);
    assert_true(status == FENDER_STATUS_OK || (cut_short && status == FENDER_STATUS_EXPECTATION));
    const fender_run_summary *summary = fender_run_get_summary(run);
    assert_int_equal(runs, 1);
    if (run_allocations != 0) fail_msg("%s: %ld allocations while it ran", path, run_allocations);
    int64_t touched = touches(fender_run_world(run));
    print_message("%s, %s: %lld steps, %lld touches: %ld allocations\n", strrchr(path, '/') + 1,
                  directory ? "with all its files" : "without files", (long long)summary->step_count,
                  (long long)touched, run_allocations);
    assert_true((touched > 0 || summary->pair_count == 0) && summary->step_count > 0);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    assert_int_equal(host.live, 0);
    assert_int_equal(host.bytes, 0);
}

/* As the scenario begins; what its actions detach comes later. */
static bool any_may_touch(const fender_world *world)
{
    for (int i = 0; i < fender_shape_count(world); i++)
        for (int k = i + 1; k < fender_shape_count(world); k++) {
            fender_pair_explanation pair;
            fender_world_explain(world, fender_shape_at(world, i), fender_shape_at(world, k), &pair);
            if (pair.reason == FENDER_PAIR_MAY_TOUCH || pair.reason == FENDER_PAIR_OUT_OF_RANGE) return true;
        }
    return false;
}

/* The world of a scenario without the run around it: from initialize to the end. */
static void step_scenario(const char *path)
{
    fender_error error = {0};
    fender_env env = host_memory_env(&host);
    fender_scenario *scenario = load(&env, path, true);
    fender_world *world = fender_scenario_build(scenario, &env, &error);
    assert_non_null(world);
    double until = 10, step = fender_world_get_def(world)->step; /* s; of all samples but the longer ones */
    short_time = SHORT_STEPS * step < 6 ? SHORT_STEPS * step : 6;
    int64_t steps = 0; /* those of an adaptive method are shorter than `step` */
    for (; fender_world_time(world) < until - step / 2 && (full || steps < SHORT_STEPS); steps++)
        if (fender_world_step(world, &error)) fail_msg("%s", error.message);
    long allocations = check_none(world_ready, path);
    print_message("%s, its world alone: %lld steps, %lld touches: %ld allocations\n", strrchr(path, '/') + 1,
                  (long long)steps, (long long)touches(world), allocations);
    assert_true(touches(world) > 0 || !any_may_touch(world));
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
    assert_int_equal(host.live, 0);
}

static void sample_scenarios(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob(FENDER_SOURCE_DIR "/samples/scenarios/*.yaml", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 5);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        char directory[300];
        snprintf(directory, sizeof directory, "%.250s.run", strrchr(path, '/') + 1);
        step_scenario(path);
        run_scenario(path, NULL, !full);
        run_scenario(path, directory, !full);
    }
    globfree(&found);
}

int main(int argc, char **argv)
{
    static char text[BUFSIZ];
    setvbuf(stdout, text, _IOLBF, sizeof text); /* else the first line that a sample prints would count */
    full = argc > 1 && strcmp(argv[1], "full") == 0;
    process_memory_start();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_count), cmocka_unit_test(worlds_that_meet), cmocka_unit_test(worlds_that_overlap),
        cmocka_unit_test(hosts),          cmocka_unit_test(sample_programs),  cmocka_unit_test(sample_scenarios),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
