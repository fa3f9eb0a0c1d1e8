#!/usr/bin/env python3
"""Mass_10 against sums in the inertial frame: usage: inertial_sums.py TABLE.csv

TABLE.csv is a recording of samples/scenarios/apollo_stack.yaml: poses and velocities of every body's structure frame, and composite mass,
centre and inertia of each. From these poses and from the inputs in data/apollo.tsv alone, with a list of its own of who hangs on whom, this
script sums masses, first moments and tensors (rotation and parallel axes) in the inertial frame and compares; it also sums linear and
angular momentum over all bodies, which no event may change. Shares no code with Fender. Ends with 1 when a gap is above 1e-12 of its scale."""
import csv
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ["cm", "sm", "lm", "dm", "s3", "s2", "s1", "les"]
# who is together with the command module after the event of each second; the rest of the trees
TREES = {
    0: [["cm", "sm", "lm", "dm", "s3", "s2", "s1", "les"]],
    1: [["cm", "sm", "lm", "dm", "s3", "s2", "les"], ["s1"]],
    2: [["cm", "sm", "lm", "dm", "s3", "les"], ["s2"]],
    3: [["cm", "sm", "lm", "dm", "s3"], ["les"]],
    4: [["cm", "sm"], ["s3", "lm", "dm"]],
    5: [["cm", "sm"], ["s3"], ["lm", "dm"]],
    6: [["cm", "sm", "lm", "dm"]],
    7: [["cm", "sm"], ["lm", "dm"]],
    8: [["cm", "sm"], ["lm"]],  # the descent stage has mass only: off its parent it has no state
    9: [["cm", "sm", "lm"]],
    10: [["cm", "sm"], ["lm"]],
    11: [["cm"], ["sm"]],
}


def matrix(q):
    w, x, y, z = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def times(a, v):
    return [sum(a[i][k] * v[k] for k in range(3)) for i in range(3)]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def transposed(a):
    return [list(row) for row in zip(*a)]


def plus(a, b, s=1.0):
    return [x + s * y for x, y in zip(a, b)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def length(a):
    return dot(a, a) ** 0.5


def inputs():
    bodies = {}
    for line in open(os.path.join(HERE, "data", "apollo.tsv"), encoding="utf-8"):
        words = line.rstrip("\n").split("\t")
        if words[0] == "apollo" and words[1] == "body":
            n = [float(x) for x in words[3:7] + words[8:21]]
            bodies[words[2]] = (n[0], n[1:4], [n[4:7], n[7:10], n[10:13]], matrix(n[13:17]))
    return bodies


def rotated(turn, tensor):
    return product(product(turn, tensor), transposed(turn))


def main():
    bodies = inputs()
    rows = list(csv.reader(open(sys.argv[1], encoding="utf-8")))
    column = {head.split(" [")[0]: i for i, head in enumerate(rows[0])}

    def vector(row, name, parts="xyz"):
        return [float(row[column["%s.%s" % (name, part)]]) for part in parts]

    worst = {"mass": 0.0, "centre": 0.0, "inertia": 0.0, "momentum": 0.0, "angular momentum": 0.0}
    momentum = {}
    for row in rows[1:]:
        time = round(float(row[0]))
        if time not in TREES:
            continue
        total, spin, scale, scale_l, placed = [0.0] * 3, [0.0] * 3, 0.0, 0.0, {}
        for name in NAMES:
            m, center, tensor, axes = bodies[name]
            turn = matrix(vector(row, "bodies.%s.attitude" % name, "wxyz"))
            w = times(turn, vector(row, "bodies.%s.angular_velocity" % name))
            lever = times(turn, center)
            r = plus(vector(row, "bodies.%s.position" % name), lever)
            v = plus(vector(row, "bodies.%s.velocity" % name), cross(w, lever))
            inertia = rotated(product(turn, axes), tensor)
            placed[name] = (m, r, inertia)
            if name == "dm" and time >= 8:
                continue  # mass only and on its own: no state, no momentum
            p = [m * x for x in v]
            total = plus(total, p)
            spin = plus(plus(spin, cross(r, p)), times(inertia, w))
            scale += length(p)
            scale_l += length(cross(r, p)) + length(times(inertia, w))
        for tree in TREES[time]:
            mass = sum(placed[name][0] for name in tree)
            first = [0.0] * 3
            for name in tree:
                first = plus(first, placed[name][1], placed[name][0])
            center = [x / mass for x in first]
            about = [[0.0] * 3 for _ in range(3)]
            for m, r, inertia in (placed[name] for name in tree):
                d = plus(r, center, -1.0)
                for i in range(3):
                    for j in range(3):
                        about[i][j] += inertia[i][j] + m * ((dot(d, d) if i == j else 0.0) - d[i] * d[j])
            top = tree[0]
            turn = product(matrix(vector(row, "bodies.%s.attitude" % top, "wxyz")), bodies[top][3])
            given = [[float(row[column["bodies.%s.inertia[%d][%d]" % (top, i, j)]]) for j in range(3)] for i in range(3)]
            given = rotated(turn, given)
            size = max(abs(x) for line in about for x in line)
            gap = max(abs(given[i][j] - about[i][j]) for i in range(3) for j in range(3)) / size
            worst["inertia"] = max(worst["inertia"], gap)
            worst["mass"] = max(worst["mass"], abs(float(row[column["bodies.%s.mass" % top]]) - mass) / mass)
            gap = length(plus(vector(row, "bodies.%s.center_position" % top), center, -1.0)) / 100  # the stack's length, m
            worst["centre"] = max(worst["centre"], gap)
        phase = 0 if time < 8 else 8
        start = momentum.setdefault(phase, (total, spin))
        worst["momentum"] = max(worst["momentum"], length(plus(total, start[0], -1.0)) / scale)
        worst["angular momentum"] = max(worst["angular momentum"], length(plus(spin, start[1], -1.0)) / scale_l)
    for name, value in worst.items():
        print("%-17s largest gap %.2e of its scale" % (name, value))
    return 1 if len(momentum) != 2 or max(worst.values()) > 1e-12 else 0


sys.exit(main())
