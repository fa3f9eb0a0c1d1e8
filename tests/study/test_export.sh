#!/bin/sh
# What a store exports to CSV is a list of runs; to HDF5 it is what it exports to CSV, number by number to the bit, with units; a full disk and a build
# without HDF5 are told.
set -eu
fail() { echo "$1" >&2; exit 1; }
if "$FENDER" study report none.db 2>&1 | grep -q "keeps no stores"; then echo "skipped: this build has no SQLite"; exit 77; fi
rm -rf ./*
cp "$FENDER_SOURCE_DIR"/samples/studies/flat_lander.yaml .
cat > s.yaml <<'S'
fender_study: 1
title: Masses, some of which are refused
scenario: flat_lander.yaml
set: {run.until: 20 ms}
runs: 300
vary:
  mass: {path: bodies.lander.mass_properties.mass, normal: {mean: 300 kg, deviation: 300 kg}}
  method: {path: integrator.method, discrete: {values: [rk4, semi_implicit_euler]}}
  down: {path: bodies.lander.state.velocity.z, uniform: [-2, -1, m/s]}
keep:
  z: {channel: bodies.lander.position.z}
  touch: {event: begin}
outcomes: {low: "z < 1.97 [m]"}
S
"$FENDER" study run s.yaml --quiet -o s.db
"$FENDER" study export s.db --csv s.csv
# given back as a list, it has the same runs: columns of results are passed over
sed 's/^runs: .*/design: {list: s.csv}/' s.yaml >again.yaml
"$FENDER" study run again.yaml --quiet -o again.db
"$FENDER" study export again.db --csv again.csv
cmp s.csv again.csv || fail "an exported study, given back as a list, has other runs"
code=0
"$FENDER" study export s.db --hdf5 s.h5 >out 2>&1 || code=$?
if grep -q "built without HDF5\|HDF5=ON" out; then
    [ $code -ne 0 ] && [ ! -e s.h5 ] || fail "an export that is not built in succeeds"
    echo "skipped: HDF5 is not built in"
    exit 77
fi
[ $code -eq 0 ] || fail "$(cat out)"
command -v h5dump >/dev/null || { echo "skipped: there is no h5dump"; exit 77; }

cat > compare.py <<'P'
import csv, re, struct, subprocess, sys
rows = list(csv.reader(open("s.csv", newline="")))
head, rows = rows[0], rows[1:]
def dump(*options):
    return subprocess.check_output(["h5dump", *options, "s.h5"], text=True)
for i, title in enumerate(head):
    name, unit = re.fullmatch(r"(\S+)(?: \[(.*)\])?", title).groups()
    cells = [row[i] for row in rows]
    if name in ("status", "method", "hash", "reason"):
        text = re.search(r"DATA \{(.*)\}", dump("-y", "-w", "0", "-d", "/runs/" + name), re.S).group(1)
        found = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
        if [f.replace('\\"', '"') for f in found] != cells:
            sys.exit(f"{name}: {found[:3]} is not {cells[:3]}")
        continue
    dump("-d", "/runs/" + name, "-b", "LE", "-o", "column.bin")
    data = open("column.bin", "rb").read()
    for k, (cell, value) in enumerate(zip(cells, struct.iter_unpack("<d", data), strict=True)):
        same = value[0] != value[0] if cell == "" else value[0] == float(cell)
        if not same:
            sys.exit(f"{name}, row {k}: {value[0]!r} is not {cell!r}")
    found = re.search(r'\(0\): "(.*)"', dump("-a", f"/runs/{name}/unit")).group(1)
    if found != (unit or "1"):
        sys.exit(f"{name}: unit {found!r} is not {unit!r}")
statuses = {row[1] for row in rows}
if len(rows) != 300 or not {"ok", "failed"} <= statuses:
    sys.exit(f"{len(rows)} rows, {statuses}")
P
python3 compare.py || fail "HDF5 and CSV differ"
h5dump -a /title s.h5 | grep -q "some of which are refused" || fail "no title"
h5dump -a /study s.h5 | grep -q "fender_study: 1" || fail "no text of the study"

# ---- refused
for option in csv hdf5; do
    if "$FENDER" study export none.db --$option x.$option >out 2>&1; then fail "a store that is not there"; fi
    grep -q "the store cannot be opened" out || fail "$(cat out)"
    if "$FENDER" study export s.db --$option missing/x.$option >out 2>&1; then fail "a folder that is not there"; fi
    grep -q "missing/x.$option" out || fail "$(cat out)"
done
if "$FENDER" study export s.db >out 2>&1; then fail "an export to nowhere"; fi
grep -q -e "--hdf5 FILE" out || fail "$(cat out)"
if (ulimit -f 8; "$FENDER" study export s.db --hdf5 full.h5 >out 2>&1); then fail "a full disk is not told"; fi
grep -q "full.h5" out || fail "$(cat out)"
