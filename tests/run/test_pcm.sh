#!/bin/sh
# The example of the PCM page as it stands there (P013), run: all its four pairs carry what statics says (K = 1000 N/m,
# every foot a point that does not turn; 6 s are 30 times the time in which motion dies down to 1/e).
# items: P013
set -eu
: "${FENDER:?names the program under test}" "${FENDER_SOURCE_DIR:?names the source tree}"
rm -rf feet.run
cat >feet.yaml <<EOF
fender: 1
include: [$FENDER_SOURCE_DIR/tests/scenario/pcm/seed.pcm]
integrator: {step: 1 ms, locate_events: true}
run: {until: 6 s}
materials: {Normal: {}, Sticky: {}, Glass: {}, Rubber: {}}
bodies:
  Ground: {motion: fixed, shapes: {floor: {plane: {}, material: Glass}}}
  Wall: {motion: fixed, shapes: {face: {plane: {}, material: Rubber, orientation: {axis: [0, 1, 0], angle: 90 deg}}}}
  FrontRightFoot:      # 1 mm deep in the ground, just touching the wall
    mass_properties: {mass: 1 kg, inertia: [1e12, 1e12, 1e12, kg*m^2]}
    state: {position: [-0.001, 0, -1, mm]}
    shapes: {sole: {point: {}, material: Sticky, position: [1, 0, 0, m]}, toe: {point: {}, material: Normal, position: [0, 0, 1, m]}}
  NormalBall:
    mass_properties: {mass: 1 kg, inertia: [1e12, 1e12, 1e12, kg*m^2]}
    state: {position: [2, 0, -0.0001, m]}
    shapes: {tip: {point: {}, material: Normal}}
  StickyBall:
    like: NormalBall
    state: {position: [3, 0, -0.000001, m]}
    shapes: {tip: {point: {}, material: Sticky}}
loads:
  foot: {body: FrontRightFoot, axes: world, force: {constant: [2, 0, -3, N]}}
  down: {body: NormalBall, axes: world, force: {constant: [0, 0, -1, N]}}
  up: {body: StickyBall, axes: world, force: {constant: [0, 0, 2, N]}}
expect: # the foot sinks by u more: K (1 mm + u) + K u = 3 N
  - {channel: "contacts.Ground.floor:FrontRightFoot.sole.normal_force", at: end, equals: 2 N, within: 1e-6 N, source: "C0, the rule of objects"}
  - {channel: "contacts.Wall.face:FrontRightFoot.toe.friction_force", at: end, equals: 1 N, within: 1e-6 N, source: "C1: a spring along the wall, too"}
  - {channel: "contacts.Wall.face:FrontRightFoot.toe.normal_force", at: end, equals: -2 N, within: 1e-6 N, source: "C1: holds"}
  - {channel: "contacts.Ground.floor:NormalBall.tip.normal_force", at: end, equals: 1 N, within: 1e-6 N, source: "C0, the rule of surfaces"}
  - {channel: "contacts.Ground.floor:StickyBall.tip.normal_force", at: end, equals: -2 N, within: 1e-6 N, source: "C1, the rule of surfaces"}
EOF
"$FENDER" run feet.yaml --quiet
# LogFile and Resolution: a row for each of the two contacts of C1 every millisecond
[ "$(wc -l <feet.run/mylog.csv)" -eq $((1 + 2 * 6001)) ] || { wc -l feet.run/mylog.csv; exit 1; }
cut -d, -f2 feet.run/mylog.csv | sort -u >contacts.txt
printf '%s\n' Ground.floor:StickyBall.tip Wall.face:FrontRightFoot.toe contact | cmp - contacts.txt
# object pairs take precedence (P010): of surfaces alone the sole would have C1
"$FENDER" explain feet.yaml FrontRightFoot.sole Ground.floor >why.txt
grep -q C0 why.txt || { cat why.txt; exit 1; }
"$FENDER" check "$FENDER_SOURCE_DIR/tests/scenario/pcm/seed.pcm" >check.txt || { cat check.txt; exit 1; }
