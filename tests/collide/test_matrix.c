/* Every cell of the matrix of pairs against its oracle: a few poses of each class; the slow tier has the thousands. */
#include "check.h"
#include "matrix.h"

static void cells(void **state)
{
    (void)state;
    assert_int_equal(matrix_run_all(matrix_check, 20), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cells)};
    return cmocka_run_group_tests_name("matrix of pairs", tests, NULL, NULL);
}
