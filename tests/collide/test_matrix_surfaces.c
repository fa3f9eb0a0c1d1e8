/* Grids and meshes against everything, by brute force: a few poses of each class; the slow tier has the thousands. */
/* items: S008 S014 S018 S019 S075 S079 */
#include "check.h"
#include "matrix_surface.h"

static void surfaces(void **state)
{
    (void)state;
    assert_int_equal(matrix_run_surfaces(true, true, 20), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(surfaces)};
    return cmocka_run_group_tests_name("matrix of surfaces", tests, NULL, NULL);
}
