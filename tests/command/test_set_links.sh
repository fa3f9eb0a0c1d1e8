#!/bin/sh
# Actions that set commands of links: the number of values must be that of the link's parameter.
set -e
: "${FENDER:?names the program under test}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/base.yaml" <<'END'
fender: 1
title: Two bodies on a bushing and a spring
run: {until: 20 ms}
bodies:
  a: {motion: fixed, points: {p: {position: [0, 0, 0, m]}}}
  b:
    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}
    state: {position: [0.1, 0, 0, m]}
    points: {p: {position: [0, 0, 0, m]}}
loads:
  wheel: {kind: reaction_wheel, body: b, axis: [0, 0, 1]}
links:
  bushing: {law: spring_damper_6dof, between: [a.p, b.p], stiffness: [1, 1, 1, N/m], angular_stiffness: [1, 1, 1, N*m/rad]}
  spring: {law: spring_damper, between: [a.p, b.p], stiffness: 1 N/m, free_length: 0.1 m}
actions:
  stiffen: {when: {time: 10 ms}, do: [{set: {SETTING}}]}
END
fail() { echo "FAILED: $1"; cat "$dir/out"; exit 1; }
check() { # SETTING: TEXT that `check` prints
    sed "s|SETTING|$1|" "$dir/base.yaml" > "$dir/one.yaml"
    "$FENDER" check "$dir/one.yaml" > "$dir/out" 2>&1 || true
    grep -q "$2" "$dir/out" || fail "$1"
}
check 'links.spring.stiffness: 2 N/m, links.bushing.stiffness: [1, 2, 3, N/m]' '^ok'
check 'links.bushing.stiffness.y: 2 N/m, links.spring.length: 0.2 m, links.spring.rate: 1 mm/s' '^ok'
check 'links.bushing.stiffness: 2 N/m' 'several numbers of this object'
check 'links.spring.stiffness: [1, 2, 3, N/m]' 'one number of this object'
check 'links.spring.stiffnes: 1 N/m' "did you mean 'stiffness'"
for torque in '1 N*m' '[0, 0, 1, N*m]'; do
    check "loads.wheel.torque: $torque" "did you mean 'loads.wheel.motor_torque'"
done
check 'loads.wheel.motor_torque: 1 N*m, loads.wheel.active: false' '^ok'
check 'links.bushing.length: 1 m' "'length' is no command of it"
check 'links.spring.current: 1 A' "'current' is no command of it"
check 'links.spring.stiffness: 1 N' 'N/m'
# an action that the link refuses ends the run with its reason
sed "s|SETTING|links.spring.stiffness: -1 N/m|" "$dir/base.yaml" > "$dir/one.yaml"
if "$FENDER" run "$dir/one.yaml" --out "$dir/run" > "$dir/out" 2>&1; then fail "a stiffness below 0"; fi
grep -q stiffness "$dir/out" || fail "a stiffness below 0 without its name"
echo "settings of links: all as expected"
