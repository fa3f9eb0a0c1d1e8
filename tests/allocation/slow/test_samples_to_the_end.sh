#!/bin/sh
# The samples to their own ends, with the allocations counted.
exec "$FENDER_BUILD_DIR/tests/bin/test_allocation_no_allocation" full
