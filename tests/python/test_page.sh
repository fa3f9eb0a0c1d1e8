#!/bin/sh
# The code of docs/manual/python.md does what it says.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/python/in_python.sh
. "$here/in_python.sh"
exec "$python" -W error::ResourceWarning "$here/check_page.py"
