#!/bin/sh
# The sums of point masses agree with JEOD's composites of the Apollo stack.
set -eu
python3 "$FENDER_SOURCE_DIR/verif/jeod_mass/sum_point_masses.py"
