#!/bin/sh
# A study gives the same bytes with any number of threads, shards and kills; a run repeats to its hash; bad studies are
# refused with a place and a remedy; failed runs are rows.
set -eu
study=$FENDER_SOURCE_DIR/samples/studies/landing.yaml
fail() { echo "$1" >&2; exit 1; }
same() { cmp "$1" "$2" || fail "$1 and $2 differ"; }
if "$FENDER" study report none.db 2>&1 | grep -q "keeps no stores"; then echo "skipped: this build has no SQLite"; exit 77; fi
rm -rf ./*.db ./*.csv ./*.run ./*.lock

runs=40
if [ "${FENDER_SANITIZE:-}" = thread ]; then runs=10; fi # each run takes the threads the same way
run() { "$FENDER" study run "$study" --runs $runs --quiet "$@"; }
run -o one.db --jobs 1
run -o two.db --jobs 2
same one.db two.db
for i in 2 0 1; do run -o "shard$i.db" --shard $i/3; done
"$FENDER" study merge -o merged.db shard1.db shard2.db shard0.db one.db
same one.db merged.db

# Killed at several moments, and gone on with.
for delay in 0.02 0.05 0.08 0.1 0.15; do timeout -s KILL $delay "$FENDER" study run "$study" --runs $runs --quiet -o killed.db || true; done
# The last that was killed may still be on its way out.
until run -o killed.db 2>err; do
    grep -q "another process" err || fail "$(cat err)"
    sleep 0.2
done
same one.db killed.db
[ ! -e killed.db.lock ] || fail "the lock stays"

"$FENDER" study export one.db --csv one.csv
[ "$(wc -l < one.csv)" -eq $((runs + 1)) ] || fail "one.csv has not $runs rows"
hash=$(sed -n 5p one.csv | grep -o '[0-9a-f]\{16\},' | tr -d ,)
"$FENDER" study run "$study" --runs $runs --only 3 --keep --quiet >/dev/null 2>&1
grep -q "\"hash\":\"$hash\"" landing_3.run/summary.json || fail "run 3 does not repeat to its hash"
"$FENDER" study report one.db | grep -q "Clopper-Pearson" || fail "no intervals in the report"
"$FENDER" study report missing.db 2>&1 | grep -q "the store cannot be opened" || fail "a missing store is not told"
[ ! -e missing.db ] || fail "a report made a store"

# Another study, an edited one, is refused by name.
if run -o one.db --runs $((runs + 1)) 2>err; then fail "a store of another study was taken"; fi
grep -q "one.db: error: the store belongs to another study" err || fail "$(cat err)"
if "$FENDER" study merge -o x.db one.db err 2>err2; then fail "a text was merged"; fi

# ---- other designs; inputs out of range become rows
cp "$FENDER_SOURCE_DIR/samples/studies/flat_lander.yaml" .
write() { # design lines, vary lines
    printf 'fender_study: 1\nscenario: flat_lander.yaml\nset: {run.until: 40 ms}\n%s\nvary:\n%s\nkeep: {z: {channel: bodies.lander.position.z}}\nsuccess: z > 1 [m]\n' "$1" "$2" > s.yaml
}
count() { rm -f s.db; "$FENDER" study run s.yaml --quiet -o s.db; "$FENDER" study export s.db --csv s.csv; echo $(($(wc -l < s.csv) - 1)); }
two='  down: {path: bodies.lander.state.velocity.z, uniform: [-2, -1, m/s]}
  mass: {path: bodies.lander.mass_properties.mass, discrete: {values: [1000 kg, 1200 kg], weights: [1, 3]}}'
write 'design: full_factorial' "$two"; [ "$(count)" -eq 6 ] || fail "full_factorial"
write 'design: corners' "$two"; [ "$(count)" -eq 4 ] || fail "corners"
grep -q '^0,ok,-2,1000 kg,' s.csv && grep -q '^3,ok,-1,1200 kg,' s.csv || fail "corners: $(cat s.csv)"
write 'design: one_at_a_time' "$two"; [ "$(count)" -eq 6 ] || fail "one_at_a_time"
write "$(printf 'design: sobol\nruns: 8')" "$two"; [ "$(count)" -eq 8 ] || fail "sobol"
# Choices between whole parts of a scenario, here and in a file; values at the first state where a condition holds.
printf '{normal: {law: spring_damper, stiffness: 100 kN/m, damping: 4 kN*s/m}, friction: {law: coulomb, mu: 0, slip_speed: 10 cm/s}}\n' > ice.yaml
cat > s.yaml <<'END'
fender_study: 1
scenario: flat_lander.yaml
set: {run.until: 1 s}
design: full_factorial
vary:
  soil: {path: contact_types.pad_on_soil, discrete: {options: {ice: ice.yaml, rock: {normal: {law: spring_damper, stiffness: 400 kN/m, damping: 9 kN*s/m}, friction: {law: coulomb, mu: 0.8, slip_speed: 10 cm/s}}}}}
  down: {path: bodies.lander.state.velocity.z, discrete: {values: [-1.5 m/s, -0.2 m/s]}}
keep:
  side: {channel: bodies.lander.velocity.x, at: end}
  low_speed: {channel: bodies.lander.velocity.z, at: {when: {channel: bodies.lander.position.z, below: 1.8 m}}}
  low_time: {when: {channel: bodies.lander.position.z, below: 1.8 m}}
END
[ "$(count)" -eq 4 ] || fail "options"
awk -F, '
    $1 == 0 { if ($3 != "ice" || $5 < 0.2999 || $6 > -1.6 || $6 < -1.75 || $7 < 0.12 || $7 > 0.13) bad = 1 }
    $1 == 2 { if ($3 != "rock" || $5 > 0.25) bad = 1 }
    $1 == 1 && $7 < 0.38 { bad = 1 }
    END { exit bad }' s.csv || fail "options, conditions: $(cat s.csv)"

# Terrain is read once and shared by the runs and threads that name the same one: each run repeats alone to its hash.
sed -e 's/surface: {plane: {}, material: soil}/surface: {geometry: field, material: soil}/' \
    -e 's/^materials:/geometries: {field: {hazard_field: {size: [20, 20, m], cells: [40, 40], seed: 1, craters: {count: 4, diameter: [2, 6, m]}, hills: {count: 4, diameter: [3, 8, m]}, rocks: none}}}\n&/' \
    flat_lander.yaml > field_lander.yaml
cat > s.yaml <<'END'
fender_study: 1
scenario: field_lander.yaml
set: {run.until: 1.5 s, bodies.lander.state.position.z: 3 m}
design: full_factorial
vary:
  seed: {path: geometries.field.hazard_field.seed, discrete: {values: [1, 2, 3]}}
  side: {path: bodies.lander.state.velocity.x, discrete: {values: [0 m/s, 1 m/s]}}
keep: {z: {channel: bodies.lander.position.z}, touches: {channel: events.begin.count}}
END
[ "$(count)" -eq 6 ] || fail "terrains"
[ "$(cut -d, -f5 s.csv | sort -u | wc -l)" -eq 7 ] || fail "terrains are the same: $(cat s.csv)"
for k in 1 4; do
    "$FENDER" study show s.yaml --only $k > alone.yaml
    "$FENDER" run alone.yaml --quiet --out alone.run 2> /dev/null || true
    hash=$(grep "^$k," s.csv | grep -o '[0-9a-f]\{16\},' | tr -d ,)
    grep -q "\"hash\":\"$hash\"" alone.run/summary.json || fail "run $k on shared terrain is another one alone: $(cat s.csv)"
done

printf 'down [m/s]\n-1\n-1.5\n' > list.csv
write 'design: {list: list.csv}' '  down: {path: bodies.lander.state.velocity.z, uniform: [-2, -1, m/s]}'; [ "$(count)" -eq 2 ] || fail "list"
grep -q '^1,ok,-1.5,' s.csv || fail "list: $(cat s.csv)"
# units of its first line count, cells may be quoted, discrete values stand by their names, also numbers
printf '# of another tool\n"mu",down [cm/s]\n0.5,-25\n\n"0.25",-50\n' > list.csv
write 'design: {list: list.csv}' '  down: {path: bodies.lander.state.velocity.z, uniform: [-2, -1, m/s]}
  mu: {path: contact_types.pad_on_soil.friction.mu, discrete: {values: [0.25, 0.50]}}'; [ "$(count)" -eq 2 ] || fail "list with units"
grep -q '^0,ok,-0.25,0.50,' s.csv && grep -q '^1,ok,-0.5,0.25,' s.csv || fail "list with units: $(cat s.csv)"
write "$(printf 'design: random\nruns: 60')" '  mass: {path: bodies.lander.mass_properties.mass, normal: {mean: 10 kg, deviation: 10 kg}}'
[ "$(count)" -eq 60 ] || fail "a failed run is a hole"
grep -q ',failed,' s.csv || fail "no run failed"
"$FENDER" study report s.db | grep -q "in failed runs" || fail "the report is silent about failed runs"

if [ "${FENDER_SANITIZE:-}" = thread ]; then exit 0; fi # what is refused starts no threads

# ---- bad studies: line and column, what was found, remedy
bad() { # place, words of the message or the remedy; the study at standard input
    cat > bad.yaml
    if "$FENDER" study run bad.yaml -o bad.db > out 2>&1; then fail "a bad study was taken: $(cat bad.yaml)"; fi
    grep -q "^bad.yaml:$1: error" out || fail "place $1: $(cat out)"
    grep -q -- "$2" out || fail "words $2: $(cat out)"
    [ ! -e bad.db ] || fail "a bad study made a store"
}
base() { # a line of vary, then further lines
    printf 'fender_study: 1\nscenario: flat_lander.yaml\nvary:\n  v: {%s}\n' "$1"
    shift
    [ $# -eq 0 ] || printf '%s\n' "$@"
}
path='path: bodies.lander.state.velocity.z'
good="$path, uniform: [-2, -1, m/s]"
base "$good" 'runs: 0' | bad 5:7 "from 1"
base "$good" | bad 1:1 "runs"
base "path: bodies.lander.stat.velocity.z, uniform: [-2, -1, m/s]" 'runs: 5' | bad 4:13 "stat"
base "$path, uniform: [-2, -1, kg]" 'runs: 5' | bad 4:6 "m/s"
base "$path, uniform: [-1, -2, m/s]" 'runs: 5' | bad "4:.*" "not below"
base "$path, unifrom: [-1, -2, m/s]" 'runs: 5' | bad "4:.*" "uniform"
base "$path" 'runs: 5' | bad 4:3 "no distribution"
base "$path, normal: {mean: 1 m/s, deviation: 2 kg}" 'runs: 5' | bad "4:.*" "does not match"
base "$path, normal: {mean: 1 m/s, deviation: -2 m/s}" 'runs: 5' | bad "4:.*" "more than 0"
base "$path, normal: {mean: 1 m/s}" 'runs: 5' | bad "4:.*" "deviation"
base "$path, triangular: [1, 3, 2, m/s]" 'runs: 5' | bad "4:.*" "peak"
base "$path, uniform: [-2, -1, m/s], within: [5, 6, m/s]" 'runs: 5' | bad "4:.*" "no part of the distribution"
base "$path, discrete: {values: [1, 2], weights: [1]}" 'runs: 5' | bad "4:.*" "weight"
base "$path, table: [[1, 0.5], [2, 1], m/s]" 'runs: 5' | bad "4:.*" "from 0 to 1"
base "$path, attitude: {cone: 200 deg}" 'runs: 5' | bad "4:.*" "180 deg"
base "path: contact_types.pad_on_soil.friction.mu, uniform: [-0.5, 0.5]" 'runs: 5' | bad "4:6" "mu"
base "$path, normal: {mean: 1 m/s, deviation: 2 m/s}" 'design: corners' | bad "4:.*" "no bounds"
base "$good" 'design: corners' 'runs: 5' | bad 6:7 "this design determines"
base "$good" 'design: sobel' 'runs: 5' | bad 5:9 "sobol"
base "$good" 'runs: 5' 'keep: {x: {channel: bodies.lander.positon.z}}' | bad "6:.*" "position"
base "$good" 'runs: 5' 'keep: {v: {channel: bodies.lander.position.z}}' | bad "6:.*" "already used"
base "$good" 'runs: 5' 'keep: {x: {channel: bodies.lander.position.z, at: {event: begni}}}' | bad "6:.*" "begin"
base "$good" 'runs: 5' 'success: w > 1' | bad "6:.*" "nothing is named"
base "$good" 'runs: 5' 'success: v > ' | bad "6:.*" "incomplete"
base "$good" 'runs: 5' 'success: v > 1 [parsec/s]' | bad "6:.*" "unit"
base "$good" 'runs: 5' 'successs: v > 1' | bad "6:.*" "success"
base "$good" 'runs: 5' 'design: {list: none.csv}' | bad "5:.*" "follows\|none.csv"

# ---- warnings of the first run are told once, as `fender run` does; the step is that of its values
sed 's/materials: \[pad, soil\], use/materials: [pad, pad], use/' flat_lander.yaml > no_rule.yaml
{ printf 'fender_study: 1\nscenario: no_rule.yaml\nset: {run.until: 1 s, integrator.step: 500 ms}\nruns: 3\n'
  printf 'vary: {v: {%s}}\n' "$good"; } > no_rule_study.yaml
"$FENDER" study run no_rule_study.yaml -o no_rule.db > out 2> err
[ "$(grep -c 'warning: no rule for 4 pairs of shapes' err)" = 1 ] || fail "a study does not warn of missing rules: $(cat err)"
"$FENDER" study run no_rule_study.yaml -o no_rule.db --json 2> err > out
[ "$(grep -c '"severity": "warning".*no rule for 4 pairs of shapes' err)" = 1 ] || fail "no JSON of a warning: $(cat err)"
"$FENDER" study show no_rule_study.yaml > out 2> err
[ ! -s err ] || fail "a run that is shown warns: $(cat err)"
base "$good" 'set: {run.until: 100 ms, integrator.step: 100 ms}' 'runs: 3' > long_step.yaml
"$FENDER" study run long_step.yaml -o long_step.db > out 2> err
grep -q "warning: step 100 ms is too long for the friction of contact type 'pad_on_soil'" err || fail "a study does not warn of its step: $(cat err)"
"$FENDER" study report long_step.db > out
grep -q "3 runs had warnings: the step is too long for the friction of contact type 'pad_on_soil'" out || fail "$(cat out)"
