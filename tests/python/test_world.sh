#!/bin/sh
# Worlds of the Python package: closed forms, lifetimes, refusals.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/python/in_python.sh
. "$here/in_python.sh"
exec "$python" -W error::ResourceWarning "$here/check_world.py" Worlds Descriptions Arrays Refusals
