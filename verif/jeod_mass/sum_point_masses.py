#!/usr/bin/env python3
"""Mass_10 without Fender: every body as point masses, placed in one frame, summed over each tree.

Reads data/apollo.tsv, follows its events with a tree of its own and prints, a snapshot a line, the largest relative gap
between the sums and JEOD's dumped composite properties. Ends with 1 when one is above 1e-12.
A tensor with diagonal moments I is that of point masses on the axes with second moments S_i = trace/2 - I_i; the sums
take S_i as it is, below zero too (JEOD's command module)."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def matrix(q):
    w, x, y, z = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def transposed(a):
    return [list(row) for row in zip(*a)]


def times(a, v):
    return [sum(a[i][k] * v[k] for k in range(3)) for i in range(3)]


def plus(a, b):
    return [x + y for x, y in zip(a, b)]


def members(links, top):
    found = [(top, [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 0])]
    for name, turn, place in found:
        for child, (parent, link_turn, link_place) in links.items():
            if parent == name:
                found.append((child, product(turn, link_turn), plus(place, times(turn, link_place))))
    return found


def composite(bodies, links, top):
    """Mass, centre in the structure frame of top, tensor about it in the body axes of top."""
    points = []  # weight of first moment, position, second moment of the pair along a direction
    mass, first = 0.0, [0.0, 0.0, 0.0]
    for name, turn, place in members(links, top):
        m, center, tensor, axes = bodies[name]
        at = plus(place, times(turn, center))
        in_top = product(turn, axes)
        half_trace = (tensor[0] + tensor[4] + tensor[8]) / 2
        for axis in range(3):
            points.append((m / 3, at, half_trace - tensor[4 * axis], [in_top[i][axis] for i in range(3)]))
        mass += m
        first = [f + m * x for f, x in zip(first, at)]
    center = [f / mass for f in first]
    second = [[0.0] * 3 for _ in range(3)]
    for m, at, spread, along in points:
        r = [a - c for a, c in zip(at, center)]
        for i in range(3):
            for j in range(3):
                second[i][j] += m * r[i] * r[j] + spread * along[i] * along[j]
    trace = sum(second[i][i] for i in range(3))
    tensor = [[(trace if i == j else 0) - second[i][j] for j in range(3)] for i in range(3)]
    axes = bodies[top][3]
    return mass, center, product(transposed(axes), product(tensor, axes))


def main():
    bodies, points, links, worst, snapshot, largest = {}, {}, {}, 0.0, None, 0.0
    half_turn = [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]
    with open(os.path.join(HERE, "data", "apollo.tsv"), encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t")[1:] for line in file if not line.startswith("#")]
    for line in lines:
        kind, name = line[0], line[1]
        if kind == "body":
            n = [float(x) for x in line[2:6]]
            bodies[name] = (n[0], n[1:], [float(x) for x in line[7:16]], matrix([float(x) for x in line[16:20]]))
        elif kind == "point":
            n = [float(x) for x in line[3:]]
            points[name, line[2]] = (n[:3], matrix(n[3:]))
        elif kind == "join":
            p_child, r_child = points[name, line[2]]
            p_parent, r_parent = points[line[3], line[4]]
            turn = product(product(r_parent, half_turn), transposed(r_child))
            links[name] = (line[3], turn, plus(p_parent, [-x for x in times(turn, p_child)]))
        elif kind == "detach":
            del links[name]
        elif kind == "advance":
            if snapshot is not None:
                print(f"{snapshot:>5} s  {worst:.2e}")
            snapshot, worst = name, 0.0
        elif kind == "expect":
            n = [float(x) for x in line[3:]]
            mass, center, tensor = composite(bodies, links, name)
            theirs = n[26:29]
            size = max(abs(x) for x in n[29:38])
            gap = max([abs(mass - n[25]) / mass] + [abs(a - b) / max(1, abs(b)) for a, b in zip(center, theirs)] +
                      [abs(tensor[i // 3][i % 3] - n[29 + i]) / size for i in range(9)])
            worst, largest = max(worst, gap), max(largest, gap)
    print(f"{snapshot:>5} s  {worst:.2e}\nlargest {largest:.2e}")
    return 1 if not largest <= 1e-12 else 0


sys.exit(main())
