#!/bin/sh
# Thrust by a table, cut when three pads have touched for 50 ms: at that very time with located events, at the end of its
# step without; and never when more pads are asked for than there are.
set -eu
scenario=$FENDER_SOURCE_DIR/verif/planet/engine_cut.yaml
"$FENDER" run "$scenario" --quiet --out located.run
time_of() { # EVENT FILE: of the first
    awk -F, -v name="$1" '$2 == name { print $1; exit }' "$2"
}
touch=$(time_of begin located.run/events.csv)
off=$(time_of engine_off located.run/events.csv)
echo "located: touch $touch s, engine off $off s"
awk -v a="$touch" -v b="$off" 'BEGIN { d = b - a - 0.05; exit !(d < 1e-13 && d > -1e-13) }'

"$FENDER" run "$scenario" --quiet --out steps.run --set integrator.locate_events=false >steps.txt 2>&1 || test $? -eq 5 # times are expected to 0.1 ms
touch=$(time_of begin steps.run/events.csv)
off=$(time_of engine_off steps.run/events.csv)
echo "steps of 2 ms: touch $touch s, engine off $off s"
awk -v a="$touch" -v b="$off" 'BEGIN { d = b - a - 0.05; exit !(d < 0.0021 && d > -1e-12) }'

"$FENDER" run "$scenario" --quiet --out never.run --set actions.touchdown.when.at_least=5 >never.txt 2>&1 && exit 1
test -z "$(time_of engine_off never.run/events.csv)"
echo "five of four pads: the engine burns on"

# and the time is that which is asked for
"$FENDER" run "$scenario" --quiet --out long.run --set "actions.touchdown.when.for=60 ms" --set "run.until=4.4 s" >long.txt 2>&1 || true
off=$(time_of engine_off long.run/events.csv)
echo "60 ms: engine off $off s"
awk -v b="$off" 'BEGIN { d = b - 4.309686332865939; exit !(d < 1e-9 && d > -1e-9) }'
