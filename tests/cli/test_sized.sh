#!/bin/sh
# What `fender size --json` names - parameters, step, residual bound - makes a run that is sound, and whose restitution and contact
# time are off by no more than twice what was allowed for the step.
set -u
: "${FENDER:?names the program under test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
python3 - "$FENDER" <<'PYTHON'
import json
import subprocess
import sys

fender = sys.argv[1]
MASS, SPEED, ERROR = 2, 3, 0.01
SCENARIO = """fender: 1
integrator: {{method: {method}, step: {step!r} s, locate_events: {located}}}
run: {{until: {until!r} s, residual_bound: {bound}}}
contact_types: {{sized: {{law: {law}, {parameters}}}}}
rules: [{{default: sized}}]
bodies:
  ground: {{motion: fixed, shapes: {{top: {{plane: {{}}}}}}}}
  ball:
    mass_properties: {{mass: 2 kg, inertia: [8e-3, 8e-3, 8e-3]}}
    shapes: {{hull: {{sphere: {{radius: 0.1 m}}}}}}
    state: {{position: [0, 0, {height!r}, m], velocity: [0, 0, -3, m/s]}}
"""
# by the closed form, and by bracketing
WAYS = [("spring_damper", ["--stiffness", "200000"]), ("jeod_spring", ["--stiffness", "200000"]),
        ("hunt_crossley", ["--stiffness", "200000"]), ("spring_damper", ["--depth", "5mm"])]


def check(law, way, method, located, restitution):
    words = ["--law", law, "--mass", str(MASS), "--speed", str(SPEED), "--restitution", str(restitution), "--method", method]
    words += way + (["--located"] if located else [])
    sized = json.loads(subprocess.run([fender, "size", *words, "--json"], capture_output=True, text=True, check=True).stdout)
    step, units = sized["step"], sized["units"]
    parameters = ", ".join(f"{name}: {value!r} {units[name] if units[name] != '1' else ''}"
                           for name, value in sized["parameters"].items())
    last = int(4 * sized["force_duration"] / step) + 20
    with open("sized.yaml", "w") as file:
        file.write(SCENARIO.format(method=method, step=step, located=str(located).lower(), until=last * step, law=law,
                                   bound=sized["residual_bound"], parameters=parameters, height=0.1 + SPEED * 4.3 * step))
    run = subprocess.run([fender, "run", "sized.yaml", "--json"], capture_output=True, text=True)
    contact = json.loads(run.stdout)["contacts"][0]
    found, lasted = contact["rebound_speed"] / SPEED, contact["end_time"] - contact["begin_time"]
    expected = sized["contact_time"] or lasted # none in the closed form of hunt_crossley
    if run.returncode == 0 and abs(found / restitution - 1) <= 2 * ERROR and abs(lasted - expected) <= 2 * ERROR * expected + step:
        return 0
    print(f"{' '.join(words)}: exit {run.returncode}, restitution {found}, {lasted} s of {expected} s\n{run.stderr}")
    return 1


failed = sum(check(law, way, method, located, restitution) for law, way in WAYS
             for method in ("rk4", "velocity_verlet", "semi_implicit_euler") for located in (False, True)
             for restitution in (0.3, 0.9))
print("sized: all as promised" if failed == 0 else f"{failed} failed")
sys.exit(failed != 0)
PYTHON
