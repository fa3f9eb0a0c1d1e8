#!/bin/sh
# The sample with the laws and signals of Simscape's block meets its expectations, and records a column for each foot.
set -eu
"$FENDER" run "$FENDER_SOURCE_DIR/samples/scenarios/cloud_on_plane.yaml" --quiet --out cloud_on_plane.run
head -n 1 cloud_on_plane.run/signals.csv | tr ',' '\n' >cloud_on_plane.columns
for foot in 0 1 2 3; do
    grep -q "^contacts.floor.ground:sledge.feet.signals\[$foot\].normal_force \[N\]$" cloud_on_plane.columns
done
grep -q 'signals.separation_distance' cloud_on_plane.columns
