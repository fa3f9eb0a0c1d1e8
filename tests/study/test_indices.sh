#!/bin/sh
# Sensitivities all the way: a plug-in's law computes Ishigami's function and Sobol's g in a contact, the study varies its
# parameters, keeps the force, and the report must give the indices in closed form. $1: blocks (default 256).
set -eu
blocks=${1:-256}
fail() { echo "$1" >&2; exit 1; }
if "$FENDER" study report none.db 2>&1 | grep -q "keeps no stores"; then echo "skipped: this build has no SQLite"; exit 77; fi
cp "$FENDER_BUILD_DIR/tests/plugins/known_functions.so" .
cat > known.yaml <<'END'
fender: 1
plugins: [known_functions.so]
world: {axes: [east, north, up]}
integrator: {method: rk4, step: 1 ms}
run: {until: 1 ms, residual_bound: 2}
materials: {a: {}, b: {}}
contact_types: {push: {law: known_function}}
rules: [{materials: [a, b], use: push}]
bodies:
  ground: {motion: fixed, shapes: {face: {plane: {}, material: a}}}
  load:
    mass_properties: {mass: 1e6 kg, inertia: [1, 1, 1, kg*m^2]}
    state: {position: [0, 0, -1, mm]}
    shapes: {tip: {point: {}, material: b}}
END
cat > study.yaml <<END
fender_study: 1
scenario: known.yaml
set: {contact_types.push.function: 0}
design: {sobol_indices: $blocks}
seed: 1
vary:
  x1: {path: contact_types.push.x1, uniform: [0, 1]}
  x2: {path: contact_types.push.x2, uniform: [0, 1]}
  x3: {path: contact_types.push.x3, uniform: [0, 1]}
  x4: {path: contact_types.push.x4, uniform: [0, 1]}
keep: {push: {channel: "contacts.ground.face:load.tip.normal_force", at: end}}
END
near() { # variable, first order, total, allowed difference: lines such as " push to x1   0.31 (0.30 to 0.33)   0.55 (..)"
    awk -v name="$1" -v first="$2" -v total="$3" -v by="$4" '$1 == "push" && $2 == "to" && $3 == name {
        found = 1
        gsub(/[()]/, "")
        if ($4 - first > by || first - $4 > by || $8 - total > by || total - $8 > by) bad = 1
        if ($5 > first || $7 < first || $9 > total || $11 < total) bad = 1
        print
    } END { exit !found || bad }' report.txt > told.txt || fail "$1 is not $2, $3: $(cat told.txt)"
}
by=$(awk -v n="$blocks" 'BEGIN { print n < 1000 ? 0.08 : 0.02 }')
rm -f ./*.db
"$FENDER" study run study.yaml --quiet -o ishigami.db
"$FENDER" study report ishigami.db > report.txt
# a = 7, b = 0.1: V1 = (1 + b pi^4 / 5)^2 / 2, V2 = a^2 / 8, V13 = b^2 pi^8 (1/18 - 1/50) (Ishigami and Homma 1990)
near x1 0.3139 0.5576 "$by"
near x2 0.4424 0.4424 "$by"
near x3 0 0.2437 "$by"
near x4 0 0 "$by"
# Morris: x4 does nothing in Ishigami's function; its screening says so exactly.
sed 's/{sobol_indices.*/{morris: 10, levels: 4}/' study.yaml > morris.yaml
"$FENDER" study run morris.yaml --quiet -o morris.db
"$FENDER" study report morris.db > report.txt
grep -q '^ push  *to x4  *0 (0 to 0)' report.txt || fail "x4 has an effect: $(cat report.txt)"
grep -q 'a design, not a sample\|effects of a variable' report.txt || fail "no effects: $(cat report.txt)"
awk '$1 == "push" && $3 == "x2" { exit !($4 > 1) }' report.txt || fail "x2 has none: $(cat report.txt)"

[ "$blocks" -ge 1000 ] || exit 0 # more than quick
sed 's/function: 0/function: 1/' study.yaml > g.yaml
"$FENDER" study run g.yaml --quiet -o g.db
"$FENDER" study report g.db > report.txt
# Vi = 1 / (3 (1 + ai)^2); all: prod(1 + Vi) - 1; total of i: Vi prod of the others' (1 + V) (Sobol' 1993; Saltelli 1995)
near x1 0.7165 0.7874 "$by"
near x2 0.1791 0.2422 "$by"
near x3 0.0237 0.0343 "$by"
near x4 0.0072 0.0105 "$by"
