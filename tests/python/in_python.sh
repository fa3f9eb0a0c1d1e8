# Runs a script with the interpreter of the build that has the package. Sourced by the tests of this folder.
python=${FENDER_BUILD_DIR:?names the build folder}/python/bin/python
if [ ! -x "$python" ] || ! ls "$FENDER_BUILD_DIR"/python/fender/_fender*.so >/dev/null 2>&1; then
    echo "skipped: the Python package is not built (-DFENDER_PYTHON=ON)"
    exit 77
fi
if ! "$python" -c 'import numpy' 2>/dev/null; then
    echo "skipped: python3-numpy is missing"
    exit 77
fi
