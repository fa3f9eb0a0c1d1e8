#!/bin/sh
# What cannot be written is an error with exit 4: standard output, run directories, reports, full disks.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${FENDER:?names the program under test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$here"/inputs/*.yaml .
# shellcheck source=tests/cli/expect.sh
. "$here/expect.sh"

if [ -w /dev/full ]; then
    for command in "--help" "info units" "info laws --json" "check two_spheres.yaml" "explain two_spheres.yaml veh1 veh2" \
        "run two_spheres.yaml" "run two_spheres.yaml --json" "run --help"; do
        expect 4 "standard output" "$FENDER $command >/dev/full"
    done
fi
# a reader that leaves early is no reason for a message
expect 0 "" "{ $FENDER info units; echo \$? >code; } | head -n 1 >/dev/null; sleep 0.1; [ ! -s err ]"

echo "a file" >plain
expect 4 "" "$FENDER run two_spheres.yaml --out plain"
expect 4 "" "$FENDER run two_spheres.yaml --out plain/inside"
expect 4 "" "$FENDER run two_spheres.yaml --out /proc/nowhere/run"
expect 4 "" "$FENDER run nowhere.yaml"
expect 4 "" "$FENDER check nowhere.yaml"
expect 4 "" "$FENDER report nowhere"
expect 4 "" "$FENDER report plain"
[ "$(cat plain)" = "a file" ] || { echo "FAILED: a file was overwritten"; failed=$((failed + 1)); }
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && chmod 555 locked
    expect 4 "" "$FENDER run two_spheres.yaml --out locked/run"
    chmod 755 locked
fi
# a limit on the size of files stands for a full disk; the signal that comes with it must not kill
expect 4 "" "ulimit -f 4; $FENDER run two_spheres.yaml --out small.run"
expect 0 "" "$FENDER run two_spheres.yaml --quiet && $FENDER report two_spheres.run --quiet && [ -s two_spheres.run/report.html ]"
expect 4 "" "$FENDER report two_spheres.run --out plain/report.html"
expect 4 "No such file" "$FENDER export two_spheres.run --vtk nowhere/inside"
expect 4 "found a file with that name" "$FENDER export two_spheres.run --vtk plain"
expect 4 "plain/run.glb" "$FENDER export two_spheres.run --gltf plain/run.glb"
expect 4 "" "ulimit -f 4; $FENDER export two_spheres.run --vtk full.vtk"
expect 2 "does not end in .glb" "$FENDER export two_spheres.run --gltf run.gltf"
expect 2 "does not end in .glb" "$FENDER export two_spheres.run --gltf .glb"
expect 2 "needs the name of a folder" "$FENDER export two_spheres.run --vtk ''"

echo "$failed failed"
[ "$failed" -eq 0 ]
