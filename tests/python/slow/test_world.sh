#!/bin/sh
# Worlds of the Python package: lifetimes, threads, interruption, memory.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/python/in_python.sh
. "$here/in_python.sh"
exec "$python" "$here/check_world.py" Long
