"""check_vtk.py RUN FOLDER FRAMES: reads what `fender export --vtk` wrote by VTK's own reader and compares it with the run.

Places are doubles of the same arithmetic: 1e-12 of the largest coordinate is 4500 roundings. Forces and depths are copied:
they must be the same numbers. Balls and turned solids have corners on their surface: these are measured against the radius.
"""
import math
import os
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from recorded import Run, placed, rotate  # noqa: E402
from vtkmodules.vtkCommonCore import vtkIdList  # noqa: E402
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader  # noqa: E402

TRIANGLE, LINE, VERTEX = 5, 3, 1  # of VTK's list of cell types
COUNTED = ("box", "hull", "grid", "mesh", "plane")


class Wrong(Exception):
    pass


def demand(condition, text):
    if not condition:
        raise Wrong(text)


def read(path):
    demand(os.path.exists(path), f"{path} is missing")
    reader = vtkXMLPolyDataReader()
    troubles = []
    reader.AddObserver("ErrorEvent", lambda *_: troubles.append("error"))
    demand(reader.CanReadFile(path), f"{path}: VTK's reader does not take it")
    reader.SetFileName(path)
    reader.Update()
    demand(not troubles and reader.GetErrorCode() == 0, f"{path}: VTK's reader fails")
    return reader.GetOutput()


def points(data):
    return [data.GetPoint(i) for i in range(data.GetNumberOfPoints())]


def cells(data, kind):
    found = []
    ids = vtkIdList()
    for i in range(data.GetNumberOfCells()):
        demand(data.GetCellType(i) == kind, f"a cell of type {data.GetCellType(i)}, not {kind}")
        data.GetCellPoints(i, ids)
        found.append([ids.GetId(k) for k in range(ids.GetNumberOfIds())])
    return found


def values(arrays, name, kind):
    array = arrays.GetAbstractArray(name)
    demand(array is not None, f"no array '{name}'")
    demand(array.GetClassName() == kind, f"'{name}' is a {array.GetClassName()}")
    count = array.GetNumberOfComponents()
    take = array.GetValue if count == 1 else array.GetTuple
    return [take(i) for i in range(array.GetNumberOfTuples())]


def near(a, b, size):
    return all(abs(x - y) <= 1e-12 * size for x, y in zip(a, b))


def check_shape(shape, pose, corners, size):
    """Corners of one shape; returns how many it has used. Of round ones, whose number of corners the description does not
    tell, the body's last alone is measured."""
    g = shape["geometry"]

    def world(v):
        return placed(*pose, placed(shape["position"], shape["orientation"], v))

    def local(p):
        """Back into the frame of the geometry: conjugate turns."""
        for position, (w, x, y, z) in (pose, (shape["position"], shape["orientation"])):
            p = rotate((w, -x, -y, -z), [a - b for a, b in zip(p, position)])
        return p

    if g["type"] == "box":
        half = g["half_extents"]
        wanted = [world([i * half[0], j * half[1], k * half[2]]) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
        demand(all(any(near(a, b, size) for b in wanted) for a in corners[:8]), "a corner of a box is elsewhere")
        demand(all(any(near(a, b, size) for a in corners[:8]) for b in wanted), "a box lacks a corner")
        return 8
    if g["type"] in ("hull", "grid", "mesh"):
        v = g["vertices"]
        wanted = [world(v[i:i + 3]) for i in range(0, len(v), 3)]
        if g["type"] == "grid" and len(wanted) < len(corners):  # scene.json thins large grids
            corners_there = {tuple(round(x / size, 9) for x in p) for p in corners}
            missing = [p for p in wanted if tuple(round(x / size, 9) for x in p) not in corners_there]
            demand(not missing, "a corner of a grid is elsewhere")
            return len(corners)
        demand(all(near(a, b, size) for a, b in zip(corners, wanted)), "a corner of a surface is elsewhere")
        return len(wanted)
    if g["type"] == "plane":
        demand(all(abs(local(p)[2]) <= 1e-12 * size for p in corners[:4]), "a corner of a plane is off it")
        return 4
    if g["type"] in ("sphere", "cylinder"):
        lengths = [(math.hypot(*local(p)) if g["type"] == "sphere" else math.hypot(*local(p)[:2])) for p in corners]
        demand(abs(max(lengths) - g["radius"]) <= 1e-12 * size, f"a {g['type']} has another radius")
        if g["type"] == "cylinder":
            heights = [local(p)[2] for p in corners]
            demand(abs(max(heights) - g["half_length"]) + abs(min(heights) + g["half_length"]) <= 2e-12 * size, "a cylinder is longer")
    return len(corners)


def check_body(body, pose, data, size):
    corners = points(data)
    triangles = cells(data, TRIANGLE)
    demand(triangles and max(map(max, triangles)) < len(corners), "a body without triangles")
    used = 0
    for shape in body["shapes"]:
        if used < len(corners) and (shape is body["shapes"][-1] or shape["geometry"]["type"] in COUNTED):
            used += check_shape(shape, pose, corners[used:], size)
        else:
            used = len(corners)
    demand(used == len(corners), f"{used} corners, not {len(corners)}")


def check_contacts(recorded, data):
    demand(len(cells(data, VERTEX)) == data.GetNumberOfPoints() == len(recorded), f"{len(recorded)} contacts were recorded")
    arrays = data.GetPointData()
    numbers = zip(values(arrays, "depth", "vtkDoubleArray"), values(arrays, "normal_force", "vtkDoubleArray"),
                  values(arrays, "friction_force", "vtkDoubleArray"), points(data), values(arrays, "force", "vtkDoubleArray"))
    found = {pair: [a, b, c, *p, *f] for pair, (a, b, c, p, f) in zip(values(arrays, "pair", "vtkStringArray"), numbers)}
    demand(found == recorded, "contacts differ from contacts.csv")


def check_links(recorded, data, size):
    ends, lines = points(data), cells(data, LINE)
    names = values(data.GetCellData(), "link", "vtkStringArray")
    lengths = values(data.GetCellData(), "length", "vtkDoubleArray")
    demand(sorted(names) == sorted(recorded), f"links {names}, not {sorted(recorded)}")
    for name, line, length in zip(names, lines, lengths):
        a, b = recorded[name]
        demand(near(ends[line[0]], a, size) and near(ends[line[1]], b, size), f"link {name} ends elsewhere")
        demand(abs(length - math.dist(a, b)) <= 2e-12 * size, f"link {name} is longer or shorter")


def main(directory, folder, frames):
    run = Run(directory)
    listed = {}
    for entry in xml.etree.ElementTree.parse(os.path.join(folder, "run.pvd")).getroot().iter("DataSet"):
        listed.setdefault(float(entry.get("timestep")), {})[entry.get("name")] = entry.get("file")
    demand(len(listed) == min(frames, len(run.poses)), f"{len(listed)} times in the list")
    demand(max(listed) == max(run.poses), "the last state is not in the list")
    size = 1 + max(abs(x) for poses in run.poses.values() for p, _ in poses.values() for x in p)
    read_files = {}
    checked = {}  # file -> pose: of what stays where it is one file serves all states
    counts = {"bodies": 0, "contacts": 0, "links": 0}
    for time, files in listed.items():
        demand(time in run.poses, f"no state was recorded at {time}")
        for name, file in files.items():
            if file not in read_files:
                read_files[file] = read(os.path.join(folder, file))
        for body in run.scene["bodies"]:
            shown = [s for s in body["shapes"] if s["geometry"]["type"] not in ("point", "cloud", "probe", "user")]
            demand((body["name"] in files) == bool(shown), f"body {body['name']} is missing, or there without a shape")
            file, pose = files.get(body["name"]), run.poses[time][body["name"]]
            if shown and checked.get(file) != pose:
                check_body({"shapes": shown}, pose, read_files[file], size)
                checked[file] = pose
            counts["bodies"] += bool(shown)
        contacts = run.contacts.get(time, {})
        demand(not contacts or "contact-points" in files, "the contacts are missing")
        if "contact-points" in files:
            check_contacts(contacts, read_files[files["contact-points"]])
        demand(("link-lines" in files) == bool(run.scene["links"]), "the links are missing, or there without one")
        if "link-lines" in files:
            check_links(run.links(time), read_files[files["link-lines"]], size)
            counts["links"] += len(run.links(time))
        counts["contacts"] += len(contacts)
    demand(len(read_files) == len([f for f in os.listdir(folder) if f.endswith(".vtp")]), "files that the list does not name")
    print(f"{len(listed)} states, {len(read_files)} files:", ", ".join(f"{n} {what}" for what, n in counts.items()))


try:
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
except Wrong as wrong:
    print("check_vtk:", wrong)
    sys.exit(1)
