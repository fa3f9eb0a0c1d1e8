#!/bin/sh
# Every sample scenario with each of its allocations refused in turn; the quick tier does so with two of them.
exec "$FENDER_BUILD_DIR/tests/bin/test_allocation_scenario_failure" full
