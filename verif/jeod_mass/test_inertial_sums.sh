#!/bin/sh
# Fender's composites of the Apollo stack, run as a scenario, against sums in the inertial frame.
set -eu
channels='[bodies.*.mass, bodies.*.position, bodies.*.attitude, bodies.*.velocity, bodies.*.angular_velocity, bodies.*.center_position, bodies.*.inertia]'
"$FENDER" run "$FENDER_SOURCE_DIR/samples/scenarios/apollo_stack.yaml" --quiet --out apollo_sums.run \
    --set "record={all: {file: all.csv, every: 1 s, channels: $channels}}"
python3 "$FENDER_SOURCE_DIR/verif/jeod_mass/inertial_sums.py" apollo_sums.run/all.csv
