#!/bin/sh
# A run with a plug-in: what its directory keeps of it; resume and replay with the same plug-in, with another, with none.
set -eu
: "${FENDER:?names the program under test}" "${FENDER_BUILD_DIR:?names the build}"
samples=$FENDER_BUILD_DIR/samples/plugins
rm -rf ./*.run claw.so claw_on_wall.yaml
cp "$samples/claw.so" "$samples/claw_on_wall.yaml" .
fail() { echo "$1"; exit 1; }
"$FENDER" run claw_on_wall.yaml --quiet --checkpoint-every 0.1s
grep -aq "^fender-plugin 1 [0-9a-f]\{16\} $(wc -c <claw.so) $(pwd -P)/claw.so\$" claw_on_wall.run/scenario.sources ||
    fail "the run has no note of its plug-in"
"$FENDER" replay claw_on_wall.run --verify
(cd / && "$FENDER" replay "$OLDPWD/claw_on_wall.run" --verify) # wherever it is asked for

# cut short, then resumed
"$FENDER" run claw_on_wall.yaml --quiet --checkpoint-every 0.1s --out cut.run &
process=$!
while [ ! -e cut.run/checkpoint_1.fcp ] && kill -0 "$process" 2>/dev/null; do :; done
kill -9 "$process" 2>/dev/null || true
wait "$process" 2>/dev/null || true
cp -R cut.run other.run
cp -R cut.run gone.run
"$FENDER" resume cut.run --quiet
cmp cut.run/hashes.csv claw_on_wall.run/hashes.csv || fail "resumed to other states"
cmp cut.run/claw.csv claw_on_wall.run/claw.csv || fail "resumed to another log"

# another plug-in, of the same name and the same laws
printf ' ' >>claw.so
refused() { # what it must say, command...
    words=$1
    shift
    if "$@" >out.txt 2>&1; then fail "taken: $*"; fi
    grep -q "$words" out.txt || { cat out.txt; fail "no word of: $words"; }
}
refused "plug-in '.*claw.so' has changed since the run began" "$FENDER" replay claw_on_wall.run --verify
refused "plug-in '.*claw.so' has changed since the run began" "$FENDER" resume other.run
rm claw.so
refused "cannot open the plug-in" "$FENDER" replay claw_on_wall.run
refused "cannot open the plug-in" "$FENDER" resume gone.run

# debug: the life of a contact on standard error
"$FENDER" run "$samples/claw_on_wall.yaml" --quiet --out debug.run --set contact_types.grip.debug=true 2>life.txt
grep -v -E '^note: [0-9.]+ s  Wall.face:Foot.tip \(grip\) ' life.txt && fail "another line"
sed 's/^note: \([0-9.]*\) s .*(grip) /\1 /' life.txt >told.txt
cut -d, -f1,2 debug.run/events.csv | sed 1d >events.txt
[ "$(wc -l <told.txt)" -eq "$(wc -l <events.txt)" ] || { cat life.txt; fail "not every event is told"; }
for words in '^0 established, approaching at ' 'event 1 of its law$' "mode 'caught'\$" 'event 2 of its law$' "mode 'loose'\$" \
    '^1.7[0-9]* terminated: since 0 s impulse 2.[0-9]* N\*s, peak force 2[0-9.]* N, depth 0.0004 m$'; do
    grep -q "$words" told.txt || { cat life.txt; fail "not told: $words"; }
done

# fender info
"$FENDER" info laws --plugin "$samples/claw.so" >laws.txt
grep -q '^  rough_claw  *whole  *Claw on a rough wall' laws.txt || fail "info lists no claw"
"$FENDER" info laws rough_claw --plugin "$samples/claw.so" | grep -q '^  pitch  *m  *required  *> 0 ' || fail "no pitch"
"$FENDER" info laws rough_claw --plugin "$samples/claw.so" --json | grep -q '"name": "strength", "unit": "N"' || fail "no JSON"
refused "no law is named 'rough_claw'" "$FENDER" info laws rough_claw
refused "cannot open the plug-in 'none.so'" "$FENDER" info laws --plugin none.so
refused "plugin is for the topic laws" "$FENDER" info units --plugin "$samples/claw.so"
