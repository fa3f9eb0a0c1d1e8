#!/bin/sh
# A wheel of the build, installed into an empty virtual environment, runs a scenario.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/python/in_python.sh
. "$here/in_python.sh"
if ! /usr/bin/python3 -c 'import ensurepip' 2>/dev/null; then
    echo "skipped: python3-venv is missing"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source_dir=${FENDER_SOURCE_DIR:?names the tree}
wheel=$(PYTHONPATH="$source_dir/python" "$python" -c "
import build_backend
print(build_backend.build_wheel('$work', built='$FENDER_BUILD_DIR/python/fender'))") || exit 1
echo "$wheel"
/usr/bin/python3 -m venv "$work/empty" || exit 1
# No index is asked. numpy is the only need, and comes from where the system has it.
"$work/empty/bin/pip" install --no-index --no-deps --quiet "$work/$wheel" || exit 1
numpy=$("$python" -c 'import numpy, os; print(os.path.dirname(os.path.dirname(numpy.__file__)))')
echo "$numpy" >"$("$work/empty/bin/python" -c 'import site; print(site.getsitepackages()[0])')/numpy.pth"
cd "$work" || exit 1
"$work/empty/bin/python" - "$source_dir/samples/scenarios/two_spheres.yaml" <<'END' || exit 1
import sys, fender
run = fender.run(sys.argv[1])
print(fender.__file__, run.hash)
assert "/empty/" in fender.__file__ and run.status == "OK"
END
"$work/empty/bin/pip" show fender | grep -x "Version: $("$python" -c 'import fender; print(fender.__version__)')"
