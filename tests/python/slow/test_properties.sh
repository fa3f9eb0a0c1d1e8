#!/bin/sh
# Properties of contacts through the Python package, for inputs that Hypothesis chooses.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/python/in_python.sh
. "$here/in_python.sh"
exec "$python" "$here/check_properties.py"
