/* Runs that are killed 280 times, by integrator and with events located, end as the run that was not. */
#include "run/killing.h"

static void kill_of_kind(const char *integrator, int wanted, uint64_t seed)
{
    write_busy_scene(integrator);
    kill_report report = kill_many(wanted, seed);
    assert_int_equal(report.killed, wanted);
    assert_true(report.inside_write >= wanted / 10);
    assert_true(report.resumed > wanted / 10);
}

static void rk4(void **state)
{
    (void)state;
    kill_of_kind("", 100, 1);
}

static void semi_implicit(void **state)
{
    (void)state;
    kill_of_kind(", method: semi_implicit_euler", 50, 2);
}

static void located(void **state)
{
    (void)state;
    kill_of_kind(", locate_events: true", 50, 3);
}

/* Their steps do not end on the grid of the records. */
static void adaptive(void **state)
{
    (void)state;
    kill_of_kind(", method: dopri5", 40, 4);
    kill_of_kind(", method: dop853, relative_tolerance: 1e-6", 40, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rk4), cmocka_unit_test(semi_implicit),
                                       cmocka_unit_test(located), cmocka_unit_test(adaptive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
