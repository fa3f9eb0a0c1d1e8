/* Runs and memory: nothing is allocated while steps are taken, and each allocation may fail. */
#include "counted_memory.h"
#include "run_test.h"

#include "tables/hdf5.h"

#include <fcntl.h>

#define LOGGING(more)                                                                                       \
    "run: {until: 6 s, stop_when: {all: [{time: 5.9 s}, {begin: [veh1, veh2]}]}}\n"                         \
    "record:\n"                                                                                             \
    "  log: {file: log.csv, on: steps, channels: [bodies.*.position, contacts.*.force, ledger.energy.*]}\n" \
    "  own: {file: own.csv, on: events}\n" more "expect:\n"                                                 \
    "  - {channel: contacts.*.depth, at: max, below: 1 m}\n"                                                \
    "  - {event: begin, at: 5 s, within: 0.1 s}\n"                                                          \
    "actions:\n"                                                                                            \
    "  join: {when: {time: 5.2 s}, do: [{attach: {child: veh2, to: veh1, pose: as_is}}, {emit: joined}]}\n" \
    "  part: {when: {event: joined}, do: [{detach: veh2}]}\n"
static const char logging[] = LOGGING("");
static const char logging_hdf5[] = LOGGING("  fine: {file: all.h5, on: steps, channels: [bodies.*.velocity]}\n"
                                           "  marks: {file: all.h5, on: events}\n");

/* Calls of malloc and its like from anywhere in this program, libraries included; see the linker flags beside. */
static long system_calls;
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size)
{
    system_calls++;
    return __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size)
{
    system_calls++;
    return __real_calloc(count, size);
}
void *__wrap_realloc(void *memory, size_t size)
{
    system_calls++;
    return __real_realloc(memory, size);
}

typedef struct watch {
    counted_memory *counter;
    long own_calls, calls; /* when the first step was about to be taken */
    int64_t step;
    int seen;
} watch;

static bool progress(void *ctx, const fender_progress *p)
{
    watch *w = ctx;
    if (w->seen++ == 0) {
        w->own_calls = w->counter->calls;
        w->calls = system_calls;
        w->step = p->step;
    } else {
        assert_int_equal(w->counter->calls, w->own_calls);
        assert_int_equal(system_calls, w->calls);
    }
    return true;
}

static fender_status whole_run(counted_memory *c, watch *w, fender_error *error)
{
    fender_env env = counted_env(c);
    fender_status status = FENDER_STATUS_MEMORY;
    fender_scenario *scenario = load_scene(&env, fnd_store_is_built() ? logging_hdf5 : logging, error);
    fender_run_def def = {
        .scenario = scenario, .output_directory = "memory.run", .progress = w ? progress : NULL, .progress_ctx = w};
    fender_run *run = scenario ? fender_run_create(&env, &def, error) : NULL;
    if (run) status = fender_run_execute(run, error);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return status;
}

/* The expectation of the sum of all: a progress call sees no allocation since the first, before the first step; a long
 * run makes sure that there are several. */
static void none_in_flight(void **state)
{
    (void)state;
    static const char long_run[] =
        "run: {until: 4000 s}\n"
        "record: {log: {file: log.csv, every: 1 s, channels: [bodies.*.position]}}\n"
        "actions:\n"
        "  join: {when: {time: 100 s}, do: [{attach: {child: veh2, to: veh1, pose: as_is}}]}\n"
        "  part: {when: {event: attach}, do: [{detach: veh2}, {emit: parted}]}\n"
        "  again: {when: {channel: time, above: 200}, do: [{emit: later}], once: false}\n"
        "expect: [{event: parted, at: 100 s, within: 0 s}]\n";
    counted_memory c = {0};
    watch w = {.counter = &c};
    fender_error error = {0};
    fender_env env = counted_env(&c);
    fender_scenario *scenario = load_scene(&env, long_run, &error);
    fender_run_def def = {
        .scenario = scenario, .output_directory = "memory.run", .progress = progress, .progress_ctx = &w};
    fender_run *run = fender_run_create(&env, &def, &error);
    assert_non_null(run);
    assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_OK);
    assert_int_equal(fender_run_get_summary(run)->episode_count, 1); /* the touch was among them */
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    assert_int_equal(w.step, 0);
    assert_true(w.seen >= 3);
    assert_true(w.calls > 0);
    assert_int_equal(c.live, 0);
    print_message("%d looks at the allocators in flight\n", w.seen);
}

static void each_fails(void **state)
{
    (void)state;
    counted_memory clean = {0};
    fender_error error = {0};
    assert_int_equal(whole_run(&clean, NULL, &error), FENDER_STATUS_OK);
    assert_int_equal(clean.live, 0);
    for (long n = 1; n <= clean.calls; n++) {
        counted_memory c = {.fail_at = n};
        fender_error failure = {0};
        fender_status status = whole_run(&c, NULL, &failure);
        if (c.live != 0 || status != FENDER_STATUS_MEMORY)
            print_error("allocation %ld of %ld: %ld live, status %d, %s\n", n, clean.calls, c.live, (int)status,
                        failure.message);
        assert_int_equal(c.live, 0);
        assert_int_equal(status, FENDER_STATUS_MEMORY);
        assert_int_equal(failure.status, FENDER_STATUS_MEMORY);
    }
    print_message("%ld allocations of a run failed in turn\n", clean.calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(none_in_flight), cmocka_unit_test(each_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
