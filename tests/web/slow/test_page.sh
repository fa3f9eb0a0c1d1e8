#!/bin/sh
# The page of the report: type check, unit tests, and where a Chromium is installed the tests in a browser.
set -eu
exec sh "$FENDER_SOURCE_DIR/web/test.sh"
