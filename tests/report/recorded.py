"""What a run directory says, read by its published description alone: for tests of exports."""
import csv
import json
import os


def rotate(q, v):
    w, x, y, z = q
    c = [y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]]
    return [v[0] + 2 * (w * c[0] + y * c[2] - z * c[1]),
            v[1] + 2 * (w * c[1] + z * c[0] - x * c[2]),
            v[2] + 2 * (w * c[2] + x * c[1] - y * c[0])]


def placed(position, orientation, v):
    return [a + b for a, b in zip(position, rotate(orientation, v))]


class Run:
    def __init__(self, directory):
        def rows(name):
            with open(os.path.join(directory, name), encoding="utf-8") as file:
                return list(csv.reader(file))[1:]

        with open(os.path.join(directory, "scene.json"), encoding="utf-8") as file:
            self.scene = json.load(file)
        self.bodies = [body["name"] for body in self.scene["bodies"]]
        self.poses = {}  # time -> body -> (position, orientation)
        for row in rows("replay.csv"):
            v = [float(x) for x in row]
            self.poses[v[0]] = {name: (v[1 + 7 * i:4 + 7 * i], v[4 + 7 * i:8 + 7 * i]) for i, name in enumerate(self.bodies)}
        self.contacts = {}  # time -> pair -> numbers as contacts.csv has them
        for row in rows("contacts.csv"):
            self.contacts.setdefault(float(row[0]), {})[row[1]] = [float(x) for x in row[2:]]
        self.events = [(float(row[0]), row[1], row[2]) for row in rows("events.csv")]

    def links(self, time):
        """Those that hold at that time: name -> both ends."""
        found = {}
        for link in self.scene["links"]:
            said = {event for when, event, name in self.events if name == link["name"] and when <= time}
            if said & {"break", "spent"} or (link["law"] == "latch" and "capture" not in said):
                continue
            found[link["name"]] = [placed(*self.poses[time][end["body"]], end["position"]) for end in link["ends"]]
        return found
