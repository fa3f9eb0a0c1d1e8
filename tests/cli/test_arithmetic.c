/* `fender info build` shows the self-test of arithmetic, and ends with 1 where results would not be ours. */
#include "harness.h"

#include <fenv.h>

static outcome result;

static void sound_arithmetic_is_shown(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_error error = {0};
    assert_int_equal(fender_check_arithmetic(&error), FENDER_STATUS_OK);
    assert_int_equal(error.count, 0);
    harness_run_with(&env, "fender info build", &result);
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "\narithmetic  tested: binary64, "));
}

static void another_rounding_is_told(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_error error = {0};
    assert_int_equal(fesetround(FE_UPWARD), 0);
    fender_status status = fender_check_arithmetic(&error), without_error = fender_check_arithmetic(NULL);
    harness_run_with(&env, "fender info build", &result);
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    assert_int_equal(status, FENDER_STATUS_ARITHMETIC);
    assert_int_equal(without_error, FENDER_STATUS_ARITHMETIC);
    assert_int_equal(error.status, FENDER_STATUS_ARITHMETIC);
    assert_non_null(strstr(error.suggestion, "fesetround"));
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.out, "\narithmetic  WRONG: another rounding, expected "));
}

int main(void)
{
    char folder[64];
    harness_enter_folder(folder);
    const struct CMUnitTest tests[] = {cmocka_unit_test(sound_arithmetic_is_shown),
                                       cmocka_unit_test(another_rounding_is_told)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    harness_leave_folder(folder);
    return failed;
}
