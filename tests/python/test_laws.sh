#!/bin/sh
# Contact laws from Python, in Python and compiled, beside those of the library.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/python/in_python.sh
. "$here/in_python.sh"
exec "$python" -W error::ResourceWarning "$here/check_laws.py" Laws
