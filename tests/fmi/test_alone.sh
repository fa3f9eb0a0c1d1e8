#!/bin/sh
# An FMU needs the C library alone, no variable of the environment and no file of the source tree; the command tells what is wrong.
set -u
: "${FENDER:?names the program under test}"
here=$FENDER_SOURCE_DIR/tests/cli
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# shellcheck source=tests/cli/expect.sh
. "$here/expect.sh"

"$FENDER" new two_spheres >balls.yaml
expect 0 "" "$FENDER export balls.yaml --fmu balls.fmu --json"
grep -q '"fmi": 3, "parameters": 0, "inputs": 0, "outputs": 32, "model_exchange": true' out || {
    echo "FAILED: the JSON is"
    cat out
    failed=$((failed + 1))
}
cp balls.fmu first.fmu
expect 0 "" "$FENDER export balls.yaml --fmu balls.fmu --quiet"
cmp balls.fmu first.fmu || failed=$((failed + 1)) # the same bytes
python3 -m zipfile -e balls.fmu unpacked || failed=$((failed + 1))
library=unpacked/binaries/x86_64-linux/balls.so
if [ -f "$library" ] && ! nm -D "$library" | grep -q __asan && ! nm -D "$library" | grep -q __tsan; then
    if ldd "$library" | grep -v -e linux-vdso -e ld-linux -e 'lib[mc]\.so' -e libpthread -e libdl | grep -q .; then
        echo "FAILED: the FMU needs"
        ldd "$library"
        failed=$((failed + 1))
    fi
fi

# in a folder of its own, without any variable but PATH
env -i PATH=/usr/bin:/bin ASAN_OPTIONS="${ASAN_OPTIONS:-}" "$FENDER_BUILD_DIR/tests/bin/test_fmi_fmu" test_equals_run >told 2>&1 || {
    echo "FAILED: in an empty environment"
    cat told
    failed=$((failed + 1))
}

expect 2 "does not end in .fmu" "$FENDER export balls.yaml --fmu balls.zip"
expect 2 "is 2 or 3" "$FENDER export balls.yaml --fmu balls.fmu --fmi 1"
expect 2 "call export twice" "$FENDER export balls.yaml --fmu balls.fmu --gltf balls.glb"
expect 3 "no load is named 'b'" "$FENDER export balls.yaml --fmu balls.fmu --set 'fmu.inputs={a: loads.b.active}'"
expect 3 "two variables are named 'a'" "$FENDER export balls.yaml --fmu balls.fmu --set 'fmu={inputs: {a: b}, outputs: {a: time}}'"
expect 3 "the scenario has no value" "$FENDER export balls.yaml --fmu balls.fmu --set 'fmu.parameters={m: bodies.veh9.mass}'"
exit "$failed"
