#!/bin/sh
# The stubs of the Python package, and a program that uses it, pass mypy --strict.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/python/in_python.sh
. "$here/in_python.sh"
if ! command -v mypy >/dev/null; then
    echo "skipped: mypy is missing"
    exit 77
fi
MYPYPATH=$FENDER_BUILD_DIR/python mypy --strict --python-executable "$python" "$here/typed_user.py" || exit 1
# A wrong use must be noticed.
sed 's/float(ball.position\[2\])/ball.position_of_all/; s/world.step_count + 1/world.step_count + "1"/' "$here/typed_user.py" >wrong.py
MYPYPATH=$FENDER_BUILD_DIR/python mypy --strict --python-executable "$python" wrong.py && exit 1
exit 0
