/* The lists of contacts of every pair, with patches and without: a few poses of each class; the slow tier has the
 * thousands. Columns for polytopes on a plane against the integral: distance: energy, depth: force, witness: torque. */
/* items: S076 */
#include "check.h"
#include "matrix.h"

static void lists(void **state)
{
    (void)state;
    assert_int_equal(matrix_run_all(matrix_check_patch, 20), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists)};
    return cmocka_run_group_tests_name("matrix of patches", tests, NULL, NULL);
}
