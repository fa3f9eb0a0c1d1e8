#!/bin/sh
# VTK files of a run opened by VTK's own reader: points, cells, arrays and times are the recorded ones; wrong files are noticed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${FENDER:?names the program under test}" "${FENDER_SOURCE_DIR:?names the tree}"
python=$FENDER_SOURCE_DIR/build/vtk/python
if [ ! -x "$python" ]; then
    echo "skipped: no VTK (scripts/fetch_vtk fetches it)"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
good=good
wrong=wrong
# shellcheck source=tests/report/planted.sh
. "$here/planted.sh"

check() { timeout 60 "$python" "$here/check_vtk.py" out.run "$1" 40 >said 2>&1; }

"$FENDER" run "$here/inputs/export.yaml" --out out.run --quiet --accept-residual >/dev/null 2>&1 || exit 1
"$FENDER" export out.run --vtk good --frames 40 --quiet || exit 1
# so many contacts and links that nothing above was idle: the crate touches twice, the claw catches, the rope breaks
accept '40 states, 162 files: 160 bodies, 9 contacts, 73 links'

mv wrong/crate.0007.vtp keep && mv wrong/ball.0007.vtp wrong/crate.0007.vtp && mv keep wrong/ball.0007.vtp
refuse "two bodies changed places" "elsewhere"
cp good/crate.0008.vtp wrong/crate.0007.vtp
refuse "a body a frame late" "elsewhere"
head -c 900 good/crate.0007.vtp >wrong/crate.0007.vtp
refuse "a file cut short" "reader fails"
sed 's/offset="0"/offset="8"/' good/ball.0020.vtp >wrong/ball.0020.vtp
refuse "an array that begins elsewhere" "ball.0020.vtp\|radius\|elsewhere"
cp good/link-lines.0000.vtp wrong/link-lines.0039.vtp
refuse "links of the first frame at the last" "links \['rope'"
sed 's/crate.box/crate.bat/' good/contact-points.0010.vtp >wrong/contact-points.0010.vtp
refuse "contacts of another pair" "contacts differ"
sed '/timestep="1"/d' good/run.pvd >wrong/run.pvd
refuse "the last state missing in the list" "times in the list"
sed 's/timestep="0.5/timestep="0.500001/' good/run.pvd >wrong/run.pvd
refuse "times that no state has" "no state was recorded"

echo "$failed failed"
[ "$failed" -eq 0 ]
