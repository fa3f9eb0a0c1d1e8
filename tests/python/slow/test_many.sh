#!/bin/sh
# Studies, rollouts and sensitivities of the Python package.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/python/in_python.sh
. "$here/in_python.sh"
exec "$python" "$here/check_many.py"
