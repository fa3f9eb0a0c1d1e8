#!/bin/sh
# Attached bodies that move, from a scenario: a lander falls on its leg, which then extends and lifts it, is told to
# draw in again, and turns a mast meanwhile. What the format refuses.
# items: B001
set -eu
: "${FENDER:?names the program under test}"
rm -rf lift.run lift.yaml bad.yaml
cat >lift.yaml <<EOF
fender: 1
world: {gravity: [0, 0, -1.6, m/s^2]}
integrator: {method: dopri5, step: 10 ms}
run: {until: 16 s}
contact_types: {pad: {law: spring_damper, stiffness: 4e4 N/m, damping: 4e3 N*s/m, mu: 0.5}}
rules: [{default: pad}]
bodies:
  ground: {motion: fixed, shapes: {plane: {plane: {}}}}
  hull:
    mass_properties: {mass: 90 kg, inertia: [20, 20, 20]}
    state: {position: [0, 0, 2.1, m]}
  leg:
    mass_properties: {mass: 10 kg, inertia: [1, 1, 0.1]}
    shapes: {foot: {sphere: {radius: 0.1 m}, position: [0, 0, -0.4, m]}}
    attached:
      to: hull
      position: [0, 0, -1, m]
      motion: {position: {columns: [s, m, m, m], rows: [[4, 0, 0, 0], [8, 0, 0, -0.5]]}}
  mast:
    mass_properties: {mass: 1 kg, inertia: [0.1, 0.1, 0.1]}
    attached:
      to: hull
      position: [0, 0, 0.5, m]
      motion: {axis: [0, 0, 1], between: smooth, angle: {columns: [s, deg], rows: [[4, 0], [5, 30], [7, 90]]}}
actions:
  draw_in: {when: {time: 10 s}, do: [{move: {body: leg, position: [0, 0, -0.2, m], duration: 3 s}}]}
record: {log: {file: log.csv, channels: [bodies.hull.position.z, ledger.energy.motor], every: 0.1 s}}
expect:
  - {channel: bodies.hull.position.z, at: 4 s, equals: 1.49596 m, within: 1e-6 m, source: "m g / k"}
  - {channel: bodies.hull.position.z, at: 10 s, equals: 1.99596 m, within: 1e-6 m, source: the way of the leg}
  - {channel: bodies.hull.position.z, at: end, equals: 1.69596 m, within: 1e-6 m, source: the command}
  - {channel: "contacts.ground.plane:leg.foot.normal_force", at: end, equals: 161.6 N, within: 1e-3 N, source: the weight}
  - {channel: ledger.energy.motor, at: 10 s, equals: 72.8 J, within: 0.1 J, source: "91 kg by 0.5 m"}
  - {channel: bodies.mast.angular_velocity.z, at: 4 s, equals: 0 rad/s, within: 1e-9 rad/s}
EOF
"$FENDER" run lift.yaml --quiet
grep -q '"motor":' lift.run/summary.json

# refused, with the place and what helps
refuse() { # sed expression, text that must appear
    sed "$1" lift.yaml >bad.yaml
    if "$FENDER" run bad.yaml --quiet >bad.txt 2>&1; then echo "accepted: $1"; exit 1; fi
    grep -q -- "$2" bad.txt || { echo "no '$2' for $1:"; cat bad.txt; exit 1; }
}
refuse 's/method: dopri5/method: velocity_verlet/' 'rk4, dopri5 or dop853'
refuse 's/axis: \[0, 0, 1\], between/between/' "'angle' needs 'axis'"
refuse 's/\[4, 0\], \[5, 30\]/[4, 1], [5, 30]/' 'first row is not where the body is attached'
refuse 's/\[4, 0, 0, 0\]/[-1, 0, 0, 0]/' 'begins in the past'
refuse 's/between: smooth/between: linear/' 'smooth'
refuse 's/motion: {position: {columns: \[s, m, m, m\], rows: .*/motion: {pivot: [0, 0, 0, m]}/' 'the motion has no rows'
refuse 's/body: leg, position/body: leg, orientation: {axis: [0, 0, 1], angle: 1 deg}, position/' 'turns about the axis'
refuse 's/body: leg, position/body: hull, angle: 1 deg, position/' 'no motion relative to a parent'
