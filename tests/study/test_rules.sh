#!/bin/sh
# Joint variables, directions, rules that stop and searches for boundaries, from the file to the store; what is wrong in
# their sections is refused with its place and a remedy.
set -eu
fail() { echo "$1" >&2; exit 1; }
same() { cmp "$1" "$2" || fail "$1 and $2 differ"; }
if "$FENDER" study report none.db 2>&1 | grep -q "keeps no stores"; then echo "skipped: this build has no SQLite"; exit 77; fi
rm -rf ./*.db ./*.csv ./*.lock ./*.boundary other
cp "$FENDER_SOURCE_DIR/samples/studies/flat_lander.yaml" .
mu='path: contact_types.pad_on_soil.friction.mu'
down='path: bodies.lander.state.velocity.z'
mass='path: bodies.lander.mass_properties.mass'
study() { # lines
    printf 'fender_study: 1\nscenario: flat_lander.yaml\nset: {run.until: 4 ms}\n'
    printf '%s\n' "$@"
}
column() { sed 1d "$1" | cut -d, -f"$2"; }

# ---- joint: by covariance, in the units of the matrix; a correlation of 1 is one order
study 'design: latin_hypercube' 'runs: 200' 'vary:' "  down: {$down, normal: {mean: -1.5 m/s}}" "  mass: {$mass, normal: {mean: 1200 kg}}" \
    "  mu: {$mu, uniform: [0, 1]}" "  side: {path: bodies.lander.state.velocity.x, triangular: [0, 1, 3, m/s]}" \
    'joint:' '  - {variables: [down, mass], covariance: [[900 cm^2/s^2, -2.7 kg*m/s], [-2.7 kg*m/s, 100, kg^2]]}' > joint.yaml
if "$FENDER" study run joint.yaml --quiet -o joint.db 2> err; then fail "a row with a unit of its own was taken"; fi
sed -i 's/100, kg^2/100 kg^2/' joint.yaml
printf '%s\n' '  - {variables: [mu, side], correlation: [[1, 1], [1, 1]]}' >> joint.yaml
"$FENDER" study run joint.yaml --quiet -o joint.db
"$FENDER" study export joint.db --csv joint.csv
# deviations 0.3 m/s and 10 kg, correlation -0.9: stratified, so that 200 values have them within 3 %
column joint.csv 3,4 | awk -F, '{ n++; a += $1; b += $2; aa += $1 * $1; bb += $2 * $2; ab += $1 * $2 } END {
    a /= n; b /= n; sa = sqrt(aa / n - a * a); sb = sqrt(bb / n - b * b); r = (ab / n - a * b) / sa / sb
    print sa, sb, r; exit !(sa > 0.29 && sa < 0.31 && sb > 9.7 && sb < 10.3 && r < -0.85 && r > -0.94) }' > told || fail "covariance: $(cat told)"
column joint.csv 5,6 | sort -t, -g -k1 | cut -d, -f2 > by_mu
sort -g by_mu | cmp - by_mu || fail "a correlation of 1 has not one order"

# ---- directions
study 'runs: 50' 'vary:' '  v: {path: bodies.lander.state.velocity, direction: {cone: 10 deg, axis: [0, 0, -2], length: 150 cm/s}}' \
    'success: sqrt(v.x*v.x + v.y*v.y + v.z*v.z) > 1.499 [m/s] and v.z < -1.47 [m/s]' > direction.yaml
"$FENDER" study run direction.yaml --quiet -o direction.db
"$FENDER" study report direction.db | grep -q '^ success  *50 ' || fail "directions leave their cone"
"$FENDER" study show direction.yaml --only 7 > shown.yaml
grep -q 'velocity: .*cm/s' shown.yaml || fail "no vector is set: $(cat shown.yaml)"

# ---- stop: the same store for any threads, shards and kills; runs beyond it are not there
study 'runs: 2000' 'vary:' "  mu: {$mu, uniform: [0, 1]}" 'outcomes: {low: mu < 0.1}' \
    'stop: {when: half_width of P(low) below 6 % at 95 %}' > stop.yaml
"$FENDER" study run stop.yaml --quiet --jobs 1 -o stop.db
"$FENDER" study run stop.yaml --quiet --jobs 3 -o three.db
same stop.db three.db
for i in 2 0 1; do "$FENDER" study run stop.yaml --quiet --shard $i/3 --runs 300 -o "shard$i.db"; done
"$FENDER" study run stop.yaml --quiet --runs 300 -o less.db
"$FENDER" study merge -o merged.db shard0.db shard1.db shard2.db
same less.db merged.db
"$FENDER" study merge --complete -o merged.db shard0.db shard1.db shard2.db > told || fail "a stop is no end: $(cat told)"
if "$FENDER" study merge --complete -o part.db shard0.db shard2.db > told 2>&1; then fail "a shard is missing: $(cat told)"; fi
for delay in 0.02 0.04 0.06; do timeout -s KILL $delay "$FENDER" study run stop.yaml --quiet -o killed.db || true; done
"$FENDER" study run stop.yaml --quiet -o killed.db
"$FENDER" study run stop.yaml --quiet -o killed.db
same stop.db killed.db
"$FENDER" study report stop.db > report.txt
grep -q '^ stop  *reached after [1-9][0-9]* runs' report.txt || fail "$(cat report.txt)"
grep -q '^runs  *\([0-9]*\) of \1:' report.txt || fail "a reached stop is not complete: $(cat report.txt)"
"$FENDER" study export stop.db --csv stop.csv
runs=$(sed -n 's/^ stop  *reached after \([0-9]*\) .*/\1/p' report.txt)
[ "$runs" -lt 300 ] && [ "$(wc -l < stop.csv)" -eq $((runs + 1)) ] || fail "runs beyond the stop are in the store"

# ---- boundary: mu^2 < x with x uniform is 1 - mu^2: 75 % at 0.5
study 'runs: 120' 'vary:' "  mu: {$mu, uniform: [0, 1]}" '  x: {path: bodies.lander.state.velocity.x, uniform: [0, 1, m/s]}' \
    'outcomes: {low: mu * mu < x}' 'boundary: {largest: mu, outcome: low, probability: 75 %, width: 0.3}' > edge.yaml
"$FENDER" study boundary edge.yaml > edge.txt
"$FENDER" study boundary edge.yaml -o other --jobs 1 > other.txt
for store in other/*; do same "$store" "edge.boundary/${store#other/}"; done
sed -n 's/^it lies from \([0-9.]*\) to \([0-9.]*\) with confidence 95 %.*/\1 \2/p' edge.txt |
    awk '{ found = 1; exit !($1 <= 0.5 && $2 >= 0.5 && $2 - $1 < 0.8) } END { if (!found) exit 1 }' || fail "$(cat edge.txt)"
# in a terminal it tells how far it is, when a place takes longer than 0.2 s
sed -e 's/4 ms/4 s/' -e 's/width: 0.3/width: 0.9/' edge.yaml > long.yaml
if [ "${FENDER_SANITIZE:-}" != thread ] && command -v script > /dev/null; then # of one thread
    script -qec "'$FENDER' study boundary long.yaml --jobs 1" /dev/null > terminal.txt || fail "$(cat terminal.txt)"
    grep -q '[0-9] of 120 runs, .*; low [0-9]' terminal.txt || fail "no progress: $(cat terminal.txt)"
fi
# the same as JSON, from the stores that are there
"$FENDER" study boundary edge.yaml --json > edge.json
python3 - <<'END' || fail "boundary --json: $(cat edge.json)"
import json, re
text, data = open("edge.txt").read(), json.load(open("edge.json"))
low, high = re.search(r"^it lies from ([0-9.]+) to ([0-9.]+) ", text, re.M).groups()
assert "%.6g %.6g" % (data["low"], data["high"]) == low + " " + high
assert (data["variable"], data["outcome"], data["searched"], data["crossed"]) == ("mu", "low", "largest", False)
assert data["probability"] == 0.75 and data["confidence"] == 0.95 and data["stores"] == "edge.boundary"
rows = [tuple(map(float, line)) for line in re.findall(r"^ +([0-9.e-]+) +([0-9]+) +([0-9]+) .*%", text, re.M)]
assert rows and rows == [(float("%.6g" % p["x"]), p["runs"], p["hits"]) for p in data["places"]]
assert all(p["low"] <= p["hits"] / p["runs"] <= p["high"] for p in data["places"])
assert {p["verdict"] for p in data["places"]} <= {"less", "not_told", "at_least"}
END
"$FENDER" study boundary stop.yaml 2>&1 | grep -q "names no boundary" || fail "a study without a boundary was searched"

# ---- report: confidence and content
"$FENDER" study report direction.db --confidence 99 | grep -q '99 % interval (Clopper-Pearson)' || fail "no 99 %"
"$FENDER" study report direction.db --confidence 0 2>&1 | grep -q "needs per cent" || fail "confidence 0 was taken"
"$FENDER" study report direction.db --confidence 0.95 2>&1 | grep -q "from 1 to below 100, not '0.95'" || fail "a fraction was taken for per cent"
"$FENDER" study report direction.db --content 100 2>&1 | grep -q "needs per cent" || fail "content 100 was taken"

# ---- rank correlations: discrete numbers by their values, in the report and in figures; words have no order
study 'design: full_factorial' 'vary:' \
    '  side: {path: bodies.lander.state.velocity.x, discrete: {values: [3 m/s, 100 cm/s, 0, -4 m/s, 20 cm/s]}}' \
    '  method: {path: integrator.method, discrete: {values: [rk4, dopri5]}}' 'keep: {x: {channel: bodies.lander.velocity.x}}' > discrete.yaml
"$FENDER" study run discrete.yaml --quiet -o discrete.db
"$FENDER" study report discrete.db > report.txt
grep -q '^ x  *with side  *1.000$' report.txt && grep -q 'leave out .*: method$' report.txt || fail "discrete: $(cat report.txt)"
if grep -q "differs from 0" report.txt; then fail "a design that is no sample has intervals: $(cat report.txt)"; fi

# ---- failed runs: as outcomes they count as false; were they true, the bound is higher. JSON says the same
study 'runs: 40' 'vary:' "  mass: {$mass, normal: {mean: 100 kg, deviation: 150 kg}}" 'outcomes:' '  heavy: mass > 200 [kg]' \
    'keep: {x: {channel: bodies.lander.velocity.x}}' > lost.yaml
"$FENDER" study run lost.yaml --quiet -o lost.db || true
"$FENDER" study report lost.db > report.txt
"$FENDER" study report lost.db --json > report.json
sed -n -e 's/^runs .* \([0-9]*\) failed$/\1/p' -e 's/^ heavy  *\([0-9]*\) .*/\1/p' -e 's/^   and failed runs  *\([0-9]*\) .*/\1/p' report.txt |
    xargs | awk '{ exit !(NF == 3 && $1 > 0 && $2 > 0 && $3 == $1 + $2) }' || fail "failed runs: $(cat report.txt)"
high=$(sed -n 's/^   and failed runs .* to \([0-9.]*\) %$/\1/p' report.txt)
tr -d '\n' < report.json | sed -n 's/.*"outcomes":.*"high_with_failed":\([0-9.]*\)}.*/\1/p' |
    awk -v high="$high" '{ d = 100 * $1 - high; exit !(d < 0.01 && d > -0.01) } END { if (NR == 0) exit 1 }' || fail "JSON: $(cat report.json)"
grep -q '"runs":{"of":40,"done":40,' report.json && grep -q '"name":"x","unit":"m/s","runs":[0-9]*,"mean":{' report.json || fail "JSON: $(cat report.json)"
if "$FENDER" study report lost.db discrete.db > out 2>&1; then fail "a second store is left out without a word"; fi
grep -q "'report' takes one store" out || fail "$(cat out)"

if [ "${FENDER_SANITIZE:-}" = thread ]; then exit 0; fi # what is refused starts no threads

# ---- what is wrong
bad() { # place, words of the message or the remedy; the study at standard input
    cat > bad.yaml
    if "$FENDER" study run bad.yaml -o bad.db > out 2>&1; then fail "a bad study was taken: $(cat bad.yaml)"; fi
    grep -q "^bad.yaml:$1: error" out || fail "place $1: $(cat out)"
    grep -q -- "$2" out || fail "words $2: $(cat out)"
    [ ! -e bad.db ] || fail "a bad study made a store"
}
study 'runs: 5' 'vary:' "  k: {path: 'bodies.lander.state.velocity[2]', uniform: [-2, -1, m/s]}" "  j: {$down, uniform: [-2, -1, m/s]}" |
    bad "[0-9]*:[0-9]*" "'j' sets what 'k' sets"
study 'runs: 5' 'vary:' "  m: {$mu, uniform: [0, 1]}" | sed 's/^set: {/&contact_types.pad_on_soil.friction.mu: 0.5, /' |
    bad "[0-9]*:[0-9]*" "the variable 'm' replaces what this sets"
joint() { # the group; three variables
    study 'runs: 5' 'vary:' "  a: {$down, normal: {mean: -1.5 m/s, deviation: 0.1 m/s}}" "  b: {$mass, normal: {mean: 1200 kg, deviation: 1 kg}}" \
        "  c: {$mu, uniform: [0, 1]}" 'joint:' "  - {$1}"
}
joint 'variables: [a, b, c], correlation: [[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]]' | bad "10:.*" "not positive definite"
grep -q "times 0.555 or less" out || fail "no remedy: $(cat out)" # 1 / (1 + 0.8)
joint 'variables: [a, b], correlation: [[1, 1.5], [1.5, 1]]' | bad "10:.*" "from -1 to 1"
joint 'variables: [a, b], correlation: [[1, 0.5], [0.4, 1]]' | bad "10:.*" "not symmetric"
joint 'variables: [a, b], correlation: [[2, 0.5], [0.5, 1]]' | bad "10:.*" "diagonal"
joint 'variables: [a, b], correlation: [[1, 0.5]]' | bad "10:.*" "2 rows of 2 numbers"
joint 'variables: [a, d], correlation: [[1, 0.5], [0.5, 1]]' | bad 10:21 "no variable is named"
joint 'variables: [a, a], correlation: [[1, 0.5], [0.5, 1]]' | bad "10:.*" "correlated twice"
joint 'variables: [a], correlation: [[1]]' | bad "10:.*" "at least two"
joint 'variables: [a, b]' | bad "10:.*" "correlation"
joint 'variables: [a, b], corelation: [[1, 0.5], [0.5, 1]]' | bad "10:.*" "correlation"
joint 'variables: [a, b], correlation: [[1, 0], [0, 1]], covariance: [[1, 0], [0, 1]]' | bad "10:.*" "one matrix"
joint 'variables: [a, b], covariance: [[1 m^2/s^2, 0], [0, 1 kg^2]]' | bad "10:.*" "has a deviation and a covariance"
joint 'variables: [a, c], covariance: [[1 m^2/s^2, 0], [0, 1]]' | bad "10:.*" "deviation\|not normal"
joint 'variables: [a, b], covariance: [[1 m/s, 0], [0, 1 kg^2]]' | bad "10:.*" "not that of a covariance"
joint 'variables: [a, b], covariance: [[1, 0], [0, 1]]' | bad "10:.*" "has no unit"
joint 'variables: [a, b], covariance: [[-1 m^2/s^2, 0], [0, 1 kg^2]]' | bad "10:.*" "variance must be more than 0"
joint 'variables: [a, b], correlation: [[1, 0.5], [0.5, 1]]' | sed 's/^runs.*/design: {sobol_indices: 8}/' | bad 10:5 "independent variables"
joint 'variables: [b, c], correlation: [[1, 0.5], [0.5, 1]]' | sed -e 's/^runs.*/design: corners/' -e '/^  a:/d' -e 's/1 kg}/1 kg}, within: [1, 2000, kg]/' |
    bad 9:5 "takes each variable by itself"
study 'runs: 5' 'vary:' "  a: {$down, normal: {mean: -1.5 m/s}}" | bad 6:6 "no deviation"
study 'runs: 5' 'vary:' "  a: {$down, normal: {mean: -1.5 m/s}, within: [-2, -1, m/s]}" | bad "6:.*" "needs the deviation"
velocity='path: bodies.lander.state.velocity'
study 'runs: 5' 'vary:' "  v: {$velocity, direction: up}" | bad "6:.*" "is uniform, or within a cone"
study 'runs: 5' 'vary:' "  v: {$velocity, direction: {axis: [0, 0, 1]}}" | bad "6:.*" "half angle"
study 'runs: 5' 'vary:' "  v: {$velocity, direction: {cone: 1 m}}" | bad "6:.*" "angle"
study 'runs: 5' 'vary:' "  v: {$velocity, direction: {length: -1 m/s}}" | bad "6:.*" "more than 0"
study 'runs: 5' 'vary:' "  v: {$velocity, direction: {length: 1 kg}}" | bad 6:6 "m/s"
study 'design: corners' 'vary:' "  v: {$velocity, direction: uniform}" | bad "6:.*" "no bounds"
one="  mu: {$mu, uniform: [0, 1]}"
study 'design: morris' 'vary:' "$one" | bad 4:9 "morris: 20"
study 'design: {morris: 5, levels: 3}' 'vary:' "$one" | bad "4:.*" "not even"
study 'design: {morris: 1}' 'vary:' "$one" | bad "4:.*" "from 2"
study 'design: {sobol_indices: 0}' 'vary:' "$one" | bad "4:.*" "from 2"
study 'design: {sobol_indices: 8, levels: 4}' 'vary:' "$one" | bad "4:.*" "is no design"
study 'design: {sobol_indexes: 8}' 'vary:' "$one" | bad "4:.*" "sobol_indices"
study 'design: {sobol_indices: 8}' 'runs: 9' 'vary:' "$one" | bad "5:.*" "determines the number of runs"
study 'design: {morris: 8}' 'vary:' "  a: {$down, normal: {mean: -1.5 m/s, deviation: 0.1 m/s}}" | bad "6:.*" "within"
low='outcomes: {low: mu < 0.1}'
study 'runs: 5' 'vary:' "$one" "$low" 'stop: {when: half_width of P(hi) below 1 % at 95 %}' | bad "8:.*" "no outcome is named"
study 'runs: 5' 'vary:' "$one" "$low" 'stop: {when: half_width of P(low) below 1 %}' | bad "8:.*" "is not understood"
study 'runs: 5' 'vary:' "$one" "$low" 'stop: {when: half_width of P(low) below 1 at 95 %}' | bad "8:.*" "% missing"
study 'runs: 5' 'vary:' "$one" "$low" 'stop: {if: half_width of P(low) below 1 % at 95 %}' | bad "8:.*" "when"
study 'runs: 5' 'design: sobol' 'vary:' "$one" "$low" 'stop: {when: half_width of P(low) below 1 % at 95 %}' | bad "9:.*" "independent"
edge() { study 'runs: 500' 'vary:' "$one" "  n: {$down, normal: {mean: -1.5 m/s, deviation: 0.1 m/s}}" "$low" "boundary: {$1}"; }
edge 'largest: mu, smallest: mu, outcome: low, probability: 90 %' | bad "9:.*" "largest or the smallest"
edge 'largest: nu, outcome: low, probability: 90 %' | bad "9:.*" "no variable is named"
edge 'largest: mu, outcome: high, probability: 90 %' | bad "9:.*" "no outcome is named"
edge 'largest: n, outcome: low, probability: 90 %' | bad "9:.*" "within"
edge 'largest: mu, outcome: low, probability: 90' | bad "9:.*" "between 0 and 1"
edge 'largest: mu, outcome: low, probability: 99.9 %' | bad "9:.*" "at least [0-9]"
edge 'largest: mu, outcome: low, probability: 90 %, width: -1' | bad "9:.*" "more than 0"
edge 'largest: mu, outcome: low' | bad "9:.*" "probability"
edge 'largest: mu, outcome: low, probability: 90 %' | sed 's/^runs.*/&\ndesign: latin_hypercube/' | bad "10:.*" "independent"
