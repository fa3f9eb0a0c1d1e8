#!/bin/sh
# One run recorded as CSV, .trk and HDF5, and not at all: the same bits, the same numbers, and HDF5's own tool reads them.
set -eu
"$FENDER" new two_spheres | sed '/^record:/,$d' >plain.yaml
channels='[bodies.*.position, bodies.*.contact_force, "contacts.*.*", ledger.energy.*]'
record() { # name, then lines of recorders
    cat plain.yaml
    echo "record:"
    shift
    for line in "$@"; do echo "  $line"; done
}
record csv "log: {file: log.csv, every: 10 ms, channels: $channels}" >csv.yaml
record trk "log: {file: log.trk, every: 10 ms, channels: $channels}" >trk.yaml
record h5 "log: {file: all.h5, every: 10 ms, channels: $channels}" "slow: {file: all.h5, every: 0.5 s, channels: [time, bodies.veh1.velocity.x]}" \
    "marks: {file: all.h5, on: events}" "touching: {file: all.h5, on: steps, contacts: all}" >h5.yaml
formats="plain csv trk"
hdf5=no # in builds without it
if command -v h5dump >where.txt && ! "$FENDER" check h5.yaml 2>&1 | grep -q 'built without HDF5'; then hdf5=yes; fi
if [ $hdf5 = yes ]; then formats="$formats h5"; fi
for format in $formats; do
    rm -rf "$format.run"
    "$FENDER" run "$format.yaml" --quiet --out "$format.run"
    sed -n 's/.*"hash": *"\([0-9a-f]*\)".*/\1/p' "$format.run/summary.json" >"$format.hash"
    cmp plain.hash "$format.hash"
done
[ "$(wc -c <plain.hash)" -eq 17 ]
"$FENDER" compare csv.run/log.csv trk.run/log.trk --all >trk.txt
if [ $hdf5 = no ]; then
    echo "skipped: HDF5 files, built without"
    exit 0
fi
"$FENDER" compare csv.run/log.csv h5.run/all.h5 >h5.txt
cd h5.run
h5dump -n all.h5 >../names.txt
for name in /log/bodies.veh1.position.x '/log/contacts.veh1.hull:veh2.hull.depth' /slow/time /marks/event /touching/force.x; do
    grep -q -F " dataset    $name" ../names.txt
done
grep -q "attribute" ../names.txt && exit 1
h5dump -a /log/bodies.veh1.position.x/unit all.h5 | grep -q '(0): "m"'
h5dump -a /hash all.h5 | grep -q "\"$(cat ../plain.hash)\""
h5dump -a /fender_version all.h5 | grep -q "(0): \"$("$FENDER" --version | sed -n '1s/^fender \([0-9.]*\).*/\1/p')\""
h5dump -a /scenario all.h5 | grep -q 'title: Two spheres meet head on'
h5dump -d /marks/event all.h5 | grep -q '"begin", "end"'
h5dump -p -H -d /log/time all.h5 | grep -q 'COMPRESSION DEFLATE'
# every number of a channel, to the last bit
h5dump -y -w 1 -m %.17g -d '/log/contacts.veh1.hull:veh2.hull.depth' -o ../depth.txt all.h5 >../head.txt
python3 - <<'EOF'
import csv
table = list(csv.reader(open("../csv.run/log.csv")))
column = next(i for i, name in enumerate(table[0]) if name.startswith("contacts.veh1.hull:veh2.hull.depth"))
wanted = [float(row[column]) for row in table[1:]]
found = [float(text) for text in open("../depth.txt").read().replace(",", " ").split()]
assert found == wanted and max(found) > 0.2, "the depths of HDF5 are not those of CSV"
EOF
