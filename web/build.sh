#!/bin/sh
# Builds the page of `fender report`: web/build.sh OUT_DIR leaves OUT_DIR/viewer.html, one file that needs no network.
set -eu
if [ $# -ne 1 ]; then
    echo "usage: web/build.sh OUT_DIR" >&2
    exit 2
fi
web=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
"$web/install.sh"
cd "$web"
node build.mjs "$out/viewer.html"
