#!/bin/sh
# Derivatives of end states through the Python package.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/python/in_python.sh
. "$here/in_python.sh"
exec "$python" -W error::ResourceWarning "$here/check_tangent.py" Tangents
