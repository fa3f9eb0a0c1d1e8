#!/bin/sh
# The same indices from 2048 blocks, within 0.02.
set -eu
exec sh "$FENDER_SOURCE_DIR/tests/study/test_indices.sh" 2048
