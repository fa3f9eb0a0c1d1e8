#!/bin/sh
# Every sample scenario is killed while it runs, resumed until it is whole, and compared with the run that was not.
set -eu
: "${FENDER:?names the program under test}" "${FENDER_SOURCE_DIR:?names the source tree}"
kills=0
for scenario in "$FENDER_SOURCE_DIR"/samples/scenarios/*.yaml; do
    rm -rf whole.run cut.run
    started=$(date +%s%N)
    "$FENDER" run "$scenario" --quiet --checkpoint-every 1s --out whole.run
    # a third of what it took, in seconds
    moment=$(awk "BEGIN {print ($(date +%s%N) - $started) / 3e9}")
    "$FENDER" run "$scenario" --quiet --checkpoint-every 1s --out cut.run &
    process=$!
    for again in 1 2 3; do
        sleep "$moment"
        kill -9 "$process" 2>/dev/null && kills=$((kills + 1))
        wait "$process" 2>/dev/null || true
        [ -e cut.run/checkpoint_0.fcp ] || break
        "$FENDER" resume cut.run --quiet &
        process=$!
    done
    wait "$process" 2>/dev/null || true
    # killed before its first checkpoint
    [ -e cut.run/checkpoint_0.fcp ] || grep -q '"complete":true' cut.run/summary.json ||
        "$FENDER" run "$scenario" --quiet --checkpoint-every 1s --out cut.run
    "$FENDER" resume cut.run --quiet # also where it was killed while it removed its checkpoints
    [ "$(ls whole.run)" = "$(ls cut.run)" ] || { echo "$scenario: other files:"; ls cut.run; exit 1; }
    for name in $(ls whole.run); do
        for run in whole cut; do # the command line names the directory; wall time is no result
            sed -e 's/"wall_time":[^,]*,//' -e 's/ --out [a-z]*\.run//' "$run.run/$name" >"$run.txt"
        done
        cmp whole.txt cut.txt || { echo "$scenario: $name differs"; exit 1; }
    done
    "$FENDER" replay cut.run --verify
done
echo "$kills processes killed"
[ "$kills" -gt 3 ]
