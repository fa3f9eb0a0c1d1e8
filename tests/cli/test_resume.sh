#!/bin/sh
# The program itself is killed at any moment, a few times in a row, and resumed: same files as the run that was not.
set -eu
: "${FENDER:?names the program under test}" "${FENDER_SOURCE_DIR:?names the source tree}"
scenario=scenario.yaml # the sample, with a recording in HDF5 where it is built in
cp "$FENDER_SOURCE_DIR/samples/scenarios/two_spheres.yaml" plain.yaml
sed 's/^record:.*/&\n  more: {file: more.h5, every: 10 ms, channels: [bodies.*.position, ledger.energy.*]}/' plain.yaml >"$scenario"
if "$FENDER" check "$scenario" 2>&1 | grep -q 'built without HDF5'; then cp plain.yaml "$scenario"; fi
rm -rf whole.run cut.run
set -- run "$scenario" --quiet --set integrator.step=0.2ms --set 'expect=[]' --checkpoint-every 0.25s --out
"$FENDER" "$@" whole.run
kills=0
for moment in 0.02 0.05 0.1 0.15 0.2 0.3; do
    # the program itself, not a shell around it, is the process to kill
    if [ -e cut.run/checkpoint_0.fcp ]; then
        "$FENDER" resume cut.run --quiet &
    else
        "$FENDER" "$@" cut.run &
    fi
    process=$!
    sleep "$moment"
    kill -9 "$process" 2>/dev/null && kills=$((kills + 1))
    wait "$process" 2>/dev/null || true
done
[ -e cut.run/checkpoint_0.fcp ] || grep -q '"complete":true' cut.run/summary.json || "$FENDER" "$@" cut.run
"$FENDER" resume cut.run --quiet
for name in $(ls whole.run); do
    case $name in
    *.h5) # the same numbers, in chunks that may lie elsewhere
        "$FENDER" compare "whole.run/$name" "cut.run/$name" --all --quiet
        continue
        ;;
    esac
    for run in whole cut; do # the command line names the directory; wall time is no result
        sed -e 's/"wall_time":[^,]*,//' -e 's/ --out [a-z]*\.run//' "$run.run/$name" >"$run.txt"
    done
    cmp whole.txt cut.txt || { echo "$name differs"; exit 1; }
done
[ "$(ls whole.run)" = "$(ls cut.run)" ] || { echo "other files:"; ls cut.run; exit 1; }
"$FENDER" replay cut.run --verify
echo "$kills processes killed"
[ "$kills" -gt 0 ]
