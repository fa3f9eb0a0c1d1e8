#!/bin/sh
# `--threads` and run.threads: the same files for any number; what is no number of threads is refused.
set -u
: "${FENDER:?names the program under test}" "${FENDER_SOURCE_DIR:?names the tree}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cat >boxes.yaml <<'END'
fender: 1
title: Boxes on a floor
world: {axes: [east, north, up], gravity: [0, 0, -9.81, m/s^2]}
integrator: {method: dopri5, step: 50 us}
run: {until: 200 us}
contact_types:
  hard: {normal: {law: spring_damper, stiffness: 1e5 N/m, damping: 50 N*s/m}, friction: {law: coulomb, mu: 0.5, slip_speed: 5 mm/s}}
rules: [{default: hard}]
bodies:
  floor: {motion: fixed, shapes: {top: {plane: {}}}}
END
i=0
while [ $i -lt 10 ]; do
    echo "  box$i: {mass_properties: {from_shapes: true, density: 600 kg/m^3}, state: {position: [$((i % 5 * 10)), $((i / 5 * 10)), 4.94, cm]}, shapes: {block: {box: {size: [9.9, 9.9, 9.9, cm]}}}}"
    i=$((i + 1))
done >>boxes.yaml
failed=0
for threads in 1 3; do
    $FENDER run boxes.yaml --quiet --threads $threads --out $threads.run || failed=1
    for file in replay.csv hashes.csv contacts.csv summary.json; do
        [ -f 1.run/$file ] || continue
        grep -v wall_time 1.run/$file >one
        grep -v wall_time $threads.run/$file >many
        cmp one many || failed=1
    done
done
for wrong in 300 -1 two; do
    $FENDER run boxes.yaml --quiet --threads "$wrong" --out wrong.run >out 2>&1 && failed=1
    grep -q "run.threads=$wrong" out || { cat out; failed=1; }
done
exit $failed
