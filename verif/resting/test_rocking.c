/* An undamped box that rocks keeps its energy, the better the finer it is integrated. */
#include "rocking.h"

static void a_box_on_a_plane(void **state)
{
    (void)state;
    rocking_check(RESTING_PLANE, RESTING_BOX_FLAT);
}
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_box_on_a_plane)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
