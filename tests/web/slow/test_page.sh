#!/bin/sh
# The page of the report: type check, unit tests, and all that a browser shows of it.
# Screenshots of the docking and the lander report are left in pictures/reports of the build folder.
set -eu
FENDER_PICTURES=${FENDER_PICTURES:-$(dirname "$FENDER")/../pictures/reports}
export FENDER_PICTURES
exec sh "$FENDER_SOURCE_DIR/web/test.sh"
