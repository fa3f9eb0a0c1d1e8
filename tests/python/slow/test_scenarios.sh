#!/bin/sh
# Every sample scenario, run from Python, has the hash that the program prints.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/python/in_python.sh
. "$here/in_python.sh"
exec "$python" "$here/check_scenarios.py"
