#!/bin/sh
# A study varies a parameter of its scenario: all that is computed from it follows, and a run repeats from its own text.
set -eu
fail() { echo "$1" >&2; exit 1; }
if "$FENDER" study report none.db 2>&1 | grep -q "keeps no stores"; then echo "skipped: this build has no SQLite"; exit 77; fi
rm -rf ./*.db ./*.csv ./*.run ./*.lock
cat > drop.yaml <<'END'
fender: 1
parameters: {speed: 1 m/s, time: 2 s, path: $speed * $time}
run: {until: 10 ms}
bodies: {a: {motion: fixed, state: {position: [$path, 0, 0]}}}
END
cat > vary.yaml <<'END'
fender_study: 1
scenario: drop.yaml
design: full_factorial
vary: {v: {path: parameters.speed, uniform: [1, 3, m/s], levels: 3}}
keep: {x: {channel: bodies.a.position.x, at: end}}
success: abs(x - 2 [s] * v) < 1 [nm] and v^2 * sin(90 [deg]) > 0.9
END
"$FENDER" study run vary.yaml --quiet -o vary.db
"$FENDER" study report vary.db | grep -q '^ success  *3 ' || fail "$("$FENDER" study report vary.db)"
"$FENDER" study show vary.yaml --only 2 > shown.yaml
grep -q '# parameter speed: 3 m/s' shown.yaml || fail "$(cat shown.yaml)"
"$FENDER" check shown.yaml --quiet

# a mass may be lognormal or have Weibull's distribution: 0, which is no mass, is their limit, which no run has
printf 'fender: 1\nrun: {until: 10 ms}\nbodies: {a: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}}}\n' > mass_drop.yaml
for law in 'lognormal: {median: 2 kg, deviation: 0.3}' 'weibull: {scale: 2 kg, shape: 1.5}'; do
    printf 'fender_study: 1\nscenario: mass_drop.yaml\nruns: 5\nvary: {m: {path: bodies.a.mass_properties.mass, %s}}\n' "$law" > mass.yaml
    rm -f mass.db
    "$FENDER" study run mass.yaml --quiet -o mass.db || fail "$law"
done
