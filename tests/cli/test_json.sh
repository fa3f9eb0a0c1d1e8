#!/bin/sh
# Everything that --json prints is JSON: results as one value, errors as one object to a line with the promised members.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${FENDER:?names the program under test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$here"/inputs/*.yaml .
python3 - "$FENDER" <<'PYTHON'
import json
import shlex
import subprocess
import sys

fender = sys.argv[1]
MEMBERS = ["severity", "status", "file", "line", "column", "length", "message", "found", "expected", "suggestion"]


def run(*words):
    return subprocess.run([fender, *words, "--json"], capture_output=True, text=True)


def result(*words, code=0, warned=False):
    done = run(*words)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    assert (done.stderr != "") == warned, (words, done.stderr)
    return json.loads(done.stdout)


def errors(*words, code):
    done = run(*words)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    found = [json.loads(line) for line in done.stderr.splitlines()]
    assert found, words
    for one in found:
        assert list(one) == MEMBERS, one
        assert one["severity"] in ("error", "warning", "note") and one["message"], one
    return found


for topic in ("laws", "pairs", "units", "channels", "integrators", "build"):
    assert result("info", topic), topic
law = result("info", "laws", "jeod_spring")
assert law["name"] == "jeod_spring" and law["parameters"][0]["unit"] == "N/m", law
assert abs(result("info", "units", "lbf*s/in")["scale"] - 175.12683524647636) < 1e-10

checked = result("check", "two_spheres.yaml")
assert [body["name"] for body in checked["bodies"]] == ["veh1", "veh2"]
assert abs(checked["contact_types"][0]["laws"][0]["parameters"]["stiffness"]["value"] - 3502.5367049295273) < 1e-9
assert checked["contact_types"][0]["reduced_mass"] == 50
assert checked["rules"][0]["file"].endswith("two_spheres.yaml") and checked["rules"][0]["line"] == 19, checked["rules"]
assert len(result("check", "three_bodies.yaml", warned=True)["loads"]) == 1

starters = result("new")
assert starters[0] == "two_spheres", starters
for name in starters:
    starter = result("new", name)
    with open("starter.yaml", "w") as file:
        file.write(starter["text"])
    assert "# " in starter["text"] and result("check", "starter.yaml")["pair_count"] > 0, name

explained = result("explain", "two_spheres.yaml", "veh1", "veh2")
assert explained["may_touch"] is True and explained["pairs"][0]["start"]["separation"] == 10, explained
reasons = {pair["reason"] for pair in result("explain", "three_bodies.yaml", "ball", "table")["pairs"]}
assert reasons == {"may touch", "no rule", "shape not active"}, reasons

summary = result("run", "two_spheres.yaml")
with open("two_spheres.run/summary.json") as file:
    assert summary == json.load(file)
words = ["run", "two_spheres.yaml", "--set", "title=it's a 'test'", "--set", "expect=[]"]
spoken = result(*words)["command"]
assert shlex.split(spoken) == ["fender", *words, "--json"], spoken
missed = run("run", "two_spheres.yaml", "--set", "bodies.veh2.state.velocity.x=-1m/s")
assert missed.returncode == 5 and json.loads(missed.stdout), missed

places = [(one["line"], one["column"], one["length"]) for one in errors("run", "mistakes.yaml", code=3)]
assert places == [(8, 34, 8), (10, 25, 6), (16, 27, 5)], places
assert errors("run", "nowhere.yaml", code=4)[0]["status"] == "FILE"
assert "run" in errors("rnu", code=2)[0]["suggestion"]
assert "--out" in errors("run", "two_spheres.yaml", "--ot", code=2)[0]["suggestion"]
assert errors("explain", "two_spheres.yaml", "veh1", "veh3", code=2)
done = run("check", "three_bodies.yaml", "--set", "integrator.step=0.1s", "--set", "run.until=1s")
warnings = [json.loads(line) for line in done.stderr.splitlines()]
assert done.returncode == 0 and [one["severity"] for one in warnings] == ["warning"] * 3, done.stderr  # rules, friction, stiffness
print("json: all well formed")
PYTHON
