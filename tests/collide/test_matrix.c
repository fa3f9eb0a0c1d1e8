/* Every cell of the matrix of pairs against its oracle: a few poses of each class; the slow tier has the thousands. */
/* items: C020 C043 M045 S001 S006 S007 S009 S010 S011 S012 S015 S022 S023 S024 S025 S028 S029 S030 S032 S033 */
/* items: S036 S038 S039 */
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
