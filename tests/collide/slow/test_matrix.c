/* Every cell of the matrix of pairs against its oracle: 500 poses of each class, a table of the worst errors. */
#include "check.h"
#include "matrix.h"

static void cells(void **state)
{
    (void)state;
    assert_int_equal(matrix_run_all(matrix_check, 500), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cells)};
    return cmocka_run_group_tests_name("matrix of pairs, thousands", tests, NULL, NULL);
}
