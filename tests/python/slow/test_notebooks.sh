#!/bin/sh
# The notebooks of docs/notebooks, and the plots of the Python package.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/python/in_python.sh
. "$here/in_python.sh"
exec "$python" "$here/check_notebooks.py"
