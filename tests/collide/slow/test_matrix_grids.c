/* Grids against everything, by brute force: 250 poses of each class, a table of the worst errors. */
#include "check.h"
#include "matrix_surface.h"

static void surfaces(void **state)
{
    (void)state;
    assert_int_equal(matrix_run_surfaces(true, false, 250), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(surfaces)};
    return cmocka_run_group_tests_name("matrix of grids, thousands", tests, NULL, NULL);
}
