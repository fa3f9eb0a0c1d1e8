#!/bin/sh
# scripts/picture: what is looked at lies in the middle of the picture, forces and faces are drawn, the text is well-formed.
set -eu
cat >ball.yaml <<'SCENE'
fender: 1
title: a ball, a box and a rod on a floor
world: {gravity: [0, 0, -10, m/s^2]}
integrator: {method: rk4, step: 1 ms}
run: {until: 0.2 s}
contact_types: {spring: {law: spring_damper, stiffness: 20 kN/m, damping: 300 N*s/m}}
rules: [{default: spring}]
bodies:
  floor: {motion: fixed, shapes: {top: {plane: {}}}}
  ball:
    mass_properties: {mass: 2 kg, inertia: [1, 1, 1, kg*m^2]}
    state: {position: [0.5, 0.2, 0.1, m]}
    shapes: {skin: {sphere: {radius: 0.1 m}}}
  box:
    mass_properties: {mass: 2 kg, inertia: [1, 1, 1, kg*m^2]}
    state: {position: [1.5, 0.2, 0.1, m]}
    shapes: {block: {box: {size: [0.2, 0.2, 0.2, m]}}, rod: {capsule: {radius: 0.01 m, from: [0, 0, 0.1, m], to: [0, 0, 0.5, m]}}}
SCENE
"$FENDER" run ball.yaml --quiet --out ball.run >/dev/null
"$FENDER_SOURCE_DIR/scripts/picture" ball.run ball.svg --eye=-2,-3,2 --target 0.5,0.2,0.1 --times 0.1,0.2 --forces 0.01
python3 - <<'CHECK'
import xml.etree.ElementTree as tree
root = tree.parse("ball.svg").getroot()
kinds = [e.tag.split("}")[1] for e in root.iter()]
circles = [e.attrib for e in root.iter() if e.tag.endswith("circle")]
assert kinds.count("polygon") > 30, kinds.count("polygon")
# the last of the two states: the ball has sunk by its weight over the stiffness, a millimetre; a picture's point is 4 mm
x, y = (float(circles[-2][k]) for k in ("cx", "cy"))
assert abs(x - 430) < 1 and abs(y - 215) < 1, (x, y)
assert kinds.count("path") >= 4, kinds.count("path")  # two forces, the rod in two strokes
CHECK
