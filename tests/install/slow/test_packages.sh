#!/bin/sh
# The Debian packages build, pass lintian without errors, and work when unpacked.
set -eu
for tool in dpkg-buildpackage dh lintian ninja pkg-config; do
    command -v $tool >/dev/null 2>&1 || { echo "skipped: $tool is missing (scripts/install_dependencies packages)" && exit 77; }
done
for page in viewer study; do
    [ -s "$FENDER_BUILD_DIR/web/$page.html" ] || { echo "skipped: the pages of reports come from another build" && exit 77; }
done
"$FENDER_SOURCE_DIR/scripts/build_packages" "$FENDER_BUILD_DIR"
"$FENDER_SOURCE_DIR/scripts/test_packages" "$FENDER_BUILD_DIR/deb"
