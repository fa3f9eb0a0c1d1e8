#!/bin/sh
# scripts/run_tests counts what passed and failed, and names what was skipped: whole tests, and parts of tests that passed.
set -eu
rm -rf toy && mkdir toy
cat >toy/CTestTestfile.cmake <<'END'
add_test(good sh -c "exit 0")
add_test(partly sh -c "echo '[  SKIPPED ] some_case'; echo 'skipped: no such tool'")
add_test(elsewhere sh -c "exit 77")
set_tests_properties(elsewhere PROPERTIES SKIP_RETURN_CODE 77)
END
"$FENDER_SOURCE_DIR/scripts/run_tests" in "$PWD/toy" >told.txt
[ "$(tail -n 1 told.txt)" = "2 passed, 0 failed" ]
[ "$(cat toy/test.summary)" = "2 passed, 0 failed" ]
[ "$(sed -n '/^skipped:/,/^all of it/p' told.txt | grep -c '^    ')" -eq 3 ]
grep -q '^    toy: elsewhere$' told.txt
grep -q '^    toy: part of partly: some_case$' told.txt
grep -q '^    toy: part of partly: no such tool$' told.txt

echo 'add_test(bad sh -c "exit 1")' >>toy/CTestTestfile.cmake
if "$FENDER_SOURCE_DIR/scripts/run_tests" in "$PWD/toy" >told.txt; then
    echo "a failed test has to be the status of the whole" && exit 1
fi
[ "$(tail -n 1 told.txt)" = "2 passed, 1 failed" ]
