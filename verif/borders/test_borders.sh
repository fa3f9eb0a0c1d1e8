#!/bin/sh
# Bars that slide over the borders of faces, and a pad on nearly flat ground (README.md).
set -eu
cases=$FENDER_SOURCE_DIR/verif/borders
largest_step() { # FILE: of the normal force, the second column
    awk -F, 'NR > 1 { d = $2 - p; if (d < 0) d = -d; if (NR > 2 && d > m) m = d; p = $2 } END { print m }' "$1"
}
at_most() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a <= b && a >= -b) }' || { echo "$3: $1 is above $2"; exit 1; }; }

for name in capsule_over_hull capsule_over_box cylinder_over_hull box_over_hull; do
    "$FENDER" run "$cases/$name.yaml" --quiet --out "$name.run"
    step=$(largest_step "$name.run/log.csv")
    residual=$(awk -F, 'END { print $6 }' "$name.run/log.csv")
    echo "$name: force changes by up to $step N in 0.1 ms, energy off by $residual J"
    at_most "$step" 1.5 "$name, change of force" # 2 k times 0.1 ms of 75 mm/s, the speed at which it leaves
    at_most "$residual" 1e-6 "$name, energy"
done

"$FENDER" run "$cases/drawn_over_edge.yaml" --quiet --out edge.run
step=$(largest_step edge.run/log.csv)
echo "drawn over an edge: force changes by up to $step N in 1 ms"
at_most "$step" 0.3 "drawn over an edge"

"$FENDER" run "$cases/pad_on_noise.yaml" --quiet --out pad.run # its expectation is the test
