add_test(good sh -c "exit 0")
add_test(partly sh -c "echo '[  SKIPPED ] some_case'; echo 'skipped: no such tool'")
add_test(elsewhere sh -c "exit 77")
set_tests_properties(elsewhere PROPERTIES SKIP_RETURN_CODE 77)
