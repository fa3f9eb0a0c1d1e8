#!/bin/sh
# Contact laws from numba and cffi, and many laws in Python.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/python/in_python.sh
. "$here/in_python.sh"
exec "$python" "$here/check_laws.py" Long
