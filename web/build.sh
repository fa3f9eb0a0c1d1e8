#!/bin/sh
# Builds the pages of `fender report` and `fender study report`: web/build.sh OUT_DIR leaves viewer.html and study.html in
# it, each one file that needs no network.
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
node build.mjs "$out"
