#!/bin/sh
# Runs of the Python package: interruption, threads, pandas.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/python/in_python.sh
. "$here/in_python.sh"
exec "$python" "$here/check_run.py" Long
