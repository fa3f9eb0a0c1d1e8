"""Worlds through the package: closed forms, steps, states, snapshots, lifetimes, refusals."""
import gc
import inspect
import itertools
import math
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np

import fender
from fender import _fender
from fender._types import dtype, structs, units

SOURCE = os.environ["FENDER_SOURCE_DIR"]
SCENARIO = os.path.join(SOURCE, "samples", "scenarios", "two_spheres.yaml")


def ball_and_ground(stiffness=1e4, damping=0.0, **members):
    members = dict({"step": "0.1 ms", "gravity": [0, 0, -9.81]}, **members)
    world = fender.World(**members)
    steel = world.create_material("steel")
    world.rule(steel, steel, world.create_contact_type(name="spring", law="spring_damper", stiffness=stiffness,
                                                       damping=damping))
    ground = world.create_body(name="ground", motion="fixed")
    ground.create_shape(name="top", geometry=fender.geometry.plane(), material=steel)
    ball = world.create_body(name="ball", mass=2, inertia=[0.1, 0.1, 0.1], position=[0, 0, 1.1])
    ball.create_shape(name="hull", geometry=fender.geometry.sphere(0.1), material=steel)
    world.initialize()
    return world, ball


class Worlds(unittest.TestCase):
    def test_errors_name_what_python_has(self):
        world = fender.World()
        world.create_body(name="ball", mass=1, inertia=[1, 1, 1])
        with self.assertRaises(fender.Error) as caught:
            world.step()
        self.assertIn("World.initialize()", caught.exception.expected)
        self.assertNotIn("fender_", str(caught.exception))
        error = fender.Error(remedy="fender_body_set_state jumps; a fender_integrator_method; fender_time_flies()")
        self.assertEqual(error.remedy, "Body.set_state() jumps; a fender.IntegratorMethod; fender_time_flies()")

    def test_closed_forms(self):
        world, ball = ball_and_ground()
        world.advance_to(0.4)
        self.assertAlmostEqual(ball.position[2], 1.1 - 0.5 * 9.81 * 0.16, 12)
        # Half a period of a spring without gravity: k = 1e4 N/m, m = 2 kg
        world, ball = ball_and_ground(method="dop853", relative_tolerance=1e-11, locate_events=True, gravity=[0, 0, 0])
        ball.set_state(velocity=[0, 0, -3])
        world.advance_to(1.0)
        begin, end = world.events.time[0], world.events.time[-1]
        self.assertAlmostEqual(begin, 1 / 3, 12)
        self.assertAlmostEqual(end - begin, math.pi * math.sqrt(2 / 1e4), 9)
        self.assertAlmostEqual(ball.velocity[2], 3, 9)
        self.assertAlmostEqual(world.events.contact.peak_force[-1], 3 * math.sqrt(2 * 1e4), 5)

    def test_scenario_as_a_world(self):
        world = fender.World.of(SCENARIO)
        world.advance(1000)
        self.assertEqual(world.hash, fender.run(SCENARIO).hash)
        self.assertEqual(list(world.events.kind), [fender.EventKind.BEGIN, fender.EventKind.END])
        self.assertAlmostEqual(world.channel("bodies.veh1.velocity.x"), -1.768085047541, 12)
        self.assertEqual(world.channel_names("bodies.veh1.velocity.x"), {"bodies.veh1.velocity.x": "m/s"})

    def test_ways_to_step(self):
        hashes = set()
        for way in range(4):
            world, _ = ball_and_ground(step=2.0**-13)
            if way == 0:
                world.advance(6000)
            elif way == 1:
                for _ in range(6000):
                    world.step()
            elif way == 2:
                world.advance_to(6000 * 2.0**-13)
            else:
                while world.step_count < 6000:
                    proposal = world.propose(math.inf)
                    self.assertEqual(proposal.start_time, world.time)
                    world.accept()
            hashes.add(world.hash)
        self.assertEqual(len(hashes), 1)

    def test_arrays(self):
        world, ball = ball_and_ground()
        world.advance_to(0.46)
        states, contacts = world.states(), world.contacts()
        self.assertEqual(states.position.shape, (2, 3))
        self.assertTrue(np.array_equal(states.position[1], ball.position))
        self.assertTrue(np.array_equal(states.inertia[1], 0.1 * np.eye(3)))
        self.assertEqual(len(contacts), 1)
        self.assertAlmostEqual(contacts.normal_force[0], 1e4 * contacts.depth[0], 9)
        self.assertEqual(fender.Shape(world, contacts.b[0]).name, "hull")
        self.assertEqual(fender.Shape(world, contacts.b[0]).body, ball)
        self.assertAlmostEqual(contacts.depth[0], 0.1 - ball.position[2], 12)
        before = states.position.copy()
        states.position[:] = 7  # a copy: the world does not change
        self.assertTrue(np.array_equal(world.states().position, before))
        states = world.states("evaluated")
        self.assertEqual(len(states), 2)

    def test_arrays_own_their_memory(self):
        """Arrays and records stay as they were while the world goes on, and after it has ended."""
        world, ball = ball_and_ground()
        world.advance_to(0.46)
        got = {"states": world.states(), "contacts": world.contacts(), "events": world.events, "state": world.get_state(),
               "rates": world.derivative(), "position": ball.position, "ledger": world.ledger, "data": ball.get(),
               "channel": world.channel("bodies.ball.velocity")}
        kept = {name: np.array(value).tobytes() for name, value in got.items()}
        self.assertEqual((len(got["contacts"]), len(got["events"])), (1, 1))
        world.advance(500)
        self.assertFalse(np.array_equal(world.get_state(), got["state"]))
        for name, value in got.items():
            self.assertEqual(np.array(value).tobytes(), kept[name], name)
        world.close()
        del world, ball
        gc.collect()
        for name, value in got.items():
            self.assertEqual(np.array(value).tobytes(), kept[name], name)
        run = fender.run(SCENARIO, channels="bodies.veh1.velocity")
        velocity, column = run.channels["bodies.veh1.velocity"], run.channels["bodies.veh1.velocity.x"]
        self.assertIsNotNone(np.asarray(column).base)  # a view of what the library recorded, without a copy
        before = velocity.copy()
        del run
        gc.collect()
        self.assertTrue(np.array_equal(velocity, before) and np.array_equal(column, before[:, 0]))

    def test_own_integrator(self):
        world, ball = ball_and_ground()
        step, y, time = 0.01, world.get_state(), 0.0

        def rate(at, state):
            world.set_state(at, state)
            return world.derivative()
        for _ in range(20):
            k1 = rate(time, y)
            k2 = rate(time + step / 2, y + step / 2 * k1)
            k3 = rate(time + step / 2, y + step / 2 * k2)
            k4 = rate(time + step, y + step * k3)
            y, time = y + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4), time + step
            world.set_state(time, y)
            world.commit()
        self.assertAlmostEqual(ball.position[2], 1.1 - 0.5 * 9.81 * 0.04, 12)
        self.assertEqual(world.state_count, 13)

    def test_snapshots(self):
        world, _ = ball_and_ground(damping=3)
        world.advance_to(0.455)
        snapshot = pickle.loads(pickle.dumps(world.snapshot()))
        world.advance(500)
        expected = world.hash
        other, _ = ball_and_ground(damping=3)
        for place in (world, other):
            place.restore(snapshot)
            place.advance(500)
            self.assertEqual(place.hash, expected)

    def test_commands_and_loads(self):
        world, ball = ball_and_ground(gravity=[0, 0, 0])
        load = world.create_load(name="push", body=ball, force={"kind": "constant", "constant": [2, 0, 0]})
        world.initialize()
        world.advance_to(1)
        self.assertAlmostEqual(ball.velocity[0], 1, 12)
        world.set_command("loads.push.force", [0, 4, 0])
        self.assertEqual(list(world.get_command("loads.push.force")), [0, 4, 0])
        world.set_command("loads.push.force", np.array([[0.0, 4.0]] * 3)[:, 1])
        self.assertEqual(list(world.get_command("loads.push.force")), [4, 4, 4])
        world.set_command("loads.push.force", [0, "4 N", "0 kN"])
        self.assertEqual(list(world.get_command("loads.push.force")), [0, 4, 0])
        world.set_command("loads.push.active", [1])
        with self.assertRaisesRegex(fender.Error, "complex"):
            world.set_command("loads.push.force", np.array([1 + 2j, 0, 0]))
        world.advance_to(2)
        self.assertAlmostEqual(ball.velocity[1], 2, 12)
        self.assertAlmostEqual(load.work, 1 + 4, 9)
        point = ball.create_point("nose", [0, 0, 0.1])
        anchor = world.find_body("ground").create_point("anchor", [0, 0, 5])
        link = world.create_link(name="rope", law="tether", a=anchor, b=point, length="10 m", stiffness=1e3)
        world.initialize()
        self.assertEqual((link.active, link.force, world.links), (True, 0, [link]))
        world.gravity = [0, 0, -1.62]
        self.assertEqual(list(world.gravity), [0, 0, -1.62])

    def test_close(self):
        with fender.World() as world:
            body = world.create_body(name="a", mass=1, inertia=[1, 1, 1])
        self.assertTrue(world.closed)
        for use in (lambda: world.time, world.step, lambda: body.position, lambda: world.events, world.snapshot,
                    lambda: world.create_body(name="b")):
            with self.assertRaisesRegex(fender.Error, "closed") as caught:
                use()
            self.assertEqual(caught.exception.status, "STATE")
        world.close()


class Long(unittest.TestCase):
    """What takes too long for the quick tests."""

    def test_samples_print_what_those_in_c_print(self):
        for name in ("two_spheres", "outside_integrator"):
            printed = subprocess.run([os.path.join(os.environ["FENDER_BUILD_DIR"], "samples", name)],
                                     stdout=subprocess.PIPE, text=True)
            same = subprocess.run([sys.executable, os.path.join(SOURCE, "samples", "python", name + ".py")],
                                  stdout=subprocess.PIPE, text=True)
            self.assertEqual(same.returncode, 0)
            self.assertEqual(same.stdout, printed.stdout)

    def test_lifetimes(self):
        """Objects may go in any order."""
        names = ["world", "body", "shape", "geometry", "snapshot", "scenario"]
        for order in itertools.permutations(names):
            things = {"world": fender.World()}
            things["geometry"] = fender.geometry.sphere(1)
            things["body"] = things["world"].create_body(name="a", mass=1, inertia=[1, 1, 1])
            things["shape"] = things["body"].create_shape(name="s", geometry=things["geometry"])
            things["world"].initialize()
            things["snapshot"] = things["world"].snapshot()
            things["scenario"] = None
            for name in order:
                del things[name]
                if "body" in things:
                    self.assertEqual(things["body"].name, "a")
                if "shape" in things:
                    self.assertEqual(things["shape"].definition["name"], "s")
        gc.collect()

    def test_one_thread_at_a_time(self):
        world = fender.World()
        world.initialize()
        thread = threading.Thread(target=world.advance, args=(400_000,))
        thread.start()
        refused = 0
        while thread.is_alive():
            try:
                world.time
            except fender.Error as error:
                self.assertIn("another thread", str(error))
                refused += 1
        thread.join()
        self.assertGreater(refused, 0)
        self.assertEqual(world.step_count, 400_000)

    def test_interruption(self):
        world = fender.World()
        world.initialize()
        for call in (lambda: world.advance(10**12), lambda: world.advance_to(1e12)):
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
            with self.assertRaises(KeyboardInterrupt):
                call()
            steps = world.step_count
            world.step()
            self.assertEqual(world.step_count, steps + 1)

    def test_no_leak(self):
        """The memory of the process does not grow over 10,000 worlds."""
        def memory():
            with open("/proc/self/statm", encoding="ascii") as stream:
                return int(stream.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        before = 0
        for i in range(11_000):
            if i == 1000:
                gc.collect()
                before = memory()
            world, ball = ball_and_ground()
            world.step()
            snapshot = world.snapshot()
            world.restore(snapshot)
            ball.position, world.states(), world.contacts(), world.events
            try:
                world.create_body(name="ball")
            except fender.Error:
                pass
        gc.collect()
        self.assertLess(memory() - before, 500_000)


class Descriptions(unittest.TestCase):
    def test_units_are_those_of_the_field_tables(self):
        """What is read from comments of the headers is what the tables of the library say."""
        pairs = {"body_fields": "fender_body_data", "contact_fields": "fender_contact_data", "ledger_fields": "fender_ledger",
                 "link_fields": "fender_link_data", "load_fields": "fender_load_data", "beam_fields": "fender_beam_data",
                 "inertial_fields": "fender_inertial_data", "interface_fields": "fender_interface_data",
                 "inertial_ledger_fields": "fender_inertial_ledger", "body_planet_fields": "fender_body_planet_data",
                 "contact_signal_fields": "fender_contact_signals", "sizing_spec_fields": "fender_sizing_spec"}
        known = {name for name, row in _fender.functions().items() if row[3] == "fields" and not row[2]}
        self.assertEqual(known, set(pairs))
        for function, struct in pairs.items():
            stated = units(struct)
            for field in getattr(_fender, function)():
                if field["name"] in stated:
                    self.assertEqual(stated[field["name"]], field["unit"], f"{struct}.{field['name']}")

    def test_layouts(self):
        for name, struct in structs.items():
            if struct["plain"] and not struct["numbers"]:
                self.assertEqual(dtype(name).itemsize, struct["size"])
        self.assertEqual(dtype("fender_body_state").fields["velocity"][1], 56)

    def test_everything_is_bound_or_named(self):
        """Functions without a binding are those that the script names, each for a reason that is stated there."""
        listed = subprocess.run([sys.executable, os.path.join(SOURCE, "python", "bindings.py"),
                                 os.path.join(SOURCE, "include", "fender"), "--skipped"], stdout=subprocess.PIPE, text=True)
        skipped = dict(line.split(": ", 1) for line in listed.stdout.splitlines())
        headers = set()
        for name in os.listdir(os.path.join(SOURCE, "include", "fender")):
            with open(os.path.join(SOURCE, "include", "fender", name), encoding="utf-8") as stream:
                headers |= set(re.findall(r"^FENDER_API [^;(]*?(fender_\w+)\(", stream.read(), re.M))
        bound = {f"fender_{name}" for name in _fender.functions()}
        self.assertEqual(headers, bound | set(skipped))
        self.assertFalse(bound & set(skipped))
        self.assertLess(len(skipped), len(headers) / 4)

    def test_results_beside_arrays(self):
        """What a function writes beside an array that it takes is one element or many: refused unless the script knows."""
        with tempfile.TemporaryDirectory() as folder:
            headers = shutil.copytree(os.path.join(SOURCE, "include", "fender"), os.path.join(folder, "fender"))
            with open(os.path.join(headers, "more.h"), "w", encoding="utf-8") as stream:
                stream.write("FENDER_API fender_status fender_ask_many(const fender_vec3 *points, int count, "
                             "fender_nearest *nearest);\n"
                             "FENDER_API fender_status fender_weigh_many(const double *x, int count, double *y0);\n")
            listed = subprocess.run([sys.executable, os.path.join(SOURCE, "python", "bindings.py"), headers, "--skipped"],
                                    stdout=subprocess.PIPE, text=True)
        self.assertIn("fender_ask_many: the result nearest beside an array", listed.stdout)
        self.assertIn("fender_weigh_many: the result y0 beside an array", listed.stdout)

    def test_docstrings(self):
        for cls in (fender.World, fender.Body, fender.Shape, fender.Link, fender.Load, fender.Geometry):
            for name in dir(cls):
                if not name.startswith("_"):
                    self.assertTrue(inspect.getdoc(getattr(cls, name)), f"{cls.__name__}.{name}")


class Arrays(unittest.TestCase):
    """Arrays of any number type and layout mean their numbers; what does not fit is refused before it is read."""

    def test_numbers_of_any_type(self):
        world = fender.World()
        inertia = [[1, 0.1, 0], [0.1, 2, 0], [0, 0, 2.5]]
        wide = np.zeros((6, 6))
        wide[::2, ::2] = inertia
        for number, given in enumerate((inertia, np.array(inertia), wide[::2, ::2], np.array(inertia, "f4"),
                                        np.asfortranarray(inertia), np.array(inertia, ">f8"))):
            body = world.create_body(name=f"full_{number}", mass=1, inertia=given, position=np.arange(9, dtype="i2")[::3])
            np.testing.assert_allclose(body.inertia, inertia, rtol=1e-7)
            np.testing.assert_array_equal(body.position, [0, 3, 6])
        for number, given in enumerate(((1, 2, 2), np.array([1, 2, 2]), np.array([1, 2, 2], "f4"), ["1 kg*m^2", 2, 2])):
            body = world.create_body(name=f"diagonal_{number}", mass=1, inertia=given)
            np.testing.assert_array_equal(body.inertia, np.diag([1, 2, 2]))

    def test_meshes(self):
        corners, faces = [[0, 0, 0], [3, 0, 0], [0, 2, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
        volume = 1.0
        for vertices in (corners, np.array(corners, float), np.array(corners, "f4"), np.asfortranarray(corners)):
            for triangles in (faces, np.array(faces), np.array(faces, "u2"), np.array(faces, "i4").T.copy().T):
                solid = fender.geometry.mesh(vertices=vertices, triangles=triangles)
                self.assertAlmostEqual(solid.mass_properties(1.0)["mass"], volume, 12)

    def test_grids(self):
        heights = np.arange(12.0).reshape(3, 4) / 10  # 0.1 along x, 0.4 along y
        for given in (heights, heights.tolist(), np.asfortranarray(heights), heights.astype("f4")):
            world = fender.World(gravity=[0, 0, -9.81])
            world.default_rule(world.create_contact_type(name="t", law="spring_damper", stiffness=1e4))
            grid = fender.geometry.grid(heights=given, spacing=np.array([1.0, 2.0]), lower=[0, 0])
            world.create_body(name="ground", motion="fixed").create_shape(name="top", geometry=grid)
            ball = world.create_body(name="ball", mass=1, inertia=[1, 1, 1], position=[2.2, 1, 2])
            world.create_sensor(name="down", body=ball, direction=[0, 0, -1])
            world.initialize()
            self.assertAlmostEqual(world.channel("sensors.down.range"), 2 - (0.22 + 0.2), 6)

    def test_many_rays_and_points(self):
        """Many at once have the results of each by itself, bit for bit, as records with one element for each."""
        heights = np.random.default_rng(3).normal(0, 0.2, (20, 30))
        ground, pose = fender.geometry.grid(heights=heights, spacing=[1, 1]), {"p": [0, 0, 1], "q": [1, 0, 0, 0]}
        for count in (0, 1, 5, 300):
            places = np.random.default_rng(count).uniform(-9, 9, (count, 3)) + [0, 0, 10]
            rays = [{"origin": place, "direction": [0.1, 0, -1], "range": 100} for place in places]
            hits = ground.ray_cast_many(pose, rays)
            self.assertEqual((hits.dtype, hits.shape), (dtype("fender_ray_hit"), (count,)))
            self.assertEqual(hits.tobytes(), b"".join(ground.ray_cast(pose, ray).tobytes() for ray in rays))
            for given in (places, places.tolist()):
                nearest = ground.nearest_points(pose, given, max_distance=math.inf)
                self.assertEqual((nearest.dtype, nearest.shape), (dtype("fender_nearest"), (count,)))
                self.assertEqual(nearest.tobytes(),
                                 b"".join(ground.nearest_point(pose, place, math.inf).tobytes() for place in places))
        with self.assertRaises(fender.Error):
            ground.ray_cast_many(pose, [{"origin": [0, 0, 1], "direction": [0, 0, 0], "range": 1}])

    def test_ray_without_an_exception(self):
        """`except` is a word of Python: the parameter is except_, and need not be given."""
        world, ball = ball_and_ground()
        down = {"origin": [0, 0, 3], "direction": [0, 0, -1], "range": 10}
        first = world.ray_cast(down)
        self.assertAlmostEqual(first.distance, 3 - 1.2, 12)
        for hit in (world.ray_cast(down, ball), world.ray_cast(down, except_=ball)):
            self.assertAlmostEqual(hit.distance, 3, 12)
        with self.assertRaisesRegex(TypeError, "except_"):
            world.ray_cast()

    def test_lengths(self):
        world, ball = ball_and_ground()
        geometry, corners = fender.geometry, [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
        still = np.zeros((3, 3))
        path = {"times": [0, 1, 2], "positions": still}
        friction = {"mu_static": 0.5, "mu_kinetic": 0.4, "stiffness": 1e4}
        for states in (None, [0, 0, 0], np.zeros(3, "f4")):
            self.assertEqual(fender.law_force("coulomb_static_kinetic", friction, normal_force=10, states=states).force[0], 0)
        cases = [
            (lambda: geometry.mesh(vertices=corners, triangles=[[0, 1, 3]]), "missing vertex"),
            (lambda: geometry.mesh(vertices=corners, triangles=[0, 1, 2]), "(n, 3)"),
            (lambda: geometry.mesh(vertices=corners, triangles=[[0, 1, 2.5]]), "whole"),
            (lambda: geometry.mesh(vertices=corners, triangles=np.array([[0, 1, 2 + 2**32]])), "32 bits"),
            (lambda: geometry.mesh(vertices=corners, triangles=[[0, 1, 2]], vertex_count=9), "vertex_count"),
            (lambda: geometry.mesh(vertices=corners, triangles=[[0, 1, 2]], triangle_count=3), "9"),
            (lambda: geometry.mesh(vertices=np.zeros((3, 2)), triangles=[[0, 1, 2]]), "(3, 2)"),
            (lambda: geometry.mesh(vertices=bytes(72), triangles=bytes(16)), "3 for each"),
            (lambda: geometry.hull(np.zeros((3, 2))), "(3, 2)"), (lambda: geometry.cloud(np.zeros(9)), "(9,)"),
            (lambda: geometry.hull(np.array([["a", "b", "c"]])), "number"), (lambda: geometry.hull(np.eye(3) * 1j), "1j"),
            (lambda: geometry.grid(count_x=4, count_y=3, heights=np.zeros(11), spacing=[1, 1]), "12"),
            (lambda: geometry.grid(count_x=3, count_y=4, heights=np.zeros((3, 4)), spacing=[1, 1]), "rows along y"),
            (lambda: geometry.extruded(profile={"points": np.zeros((3, 2)), "loop_sizes": [4]}, half_length=1), "4"),
            (lambda: geometry.extruded(profile={"points": [[0, 0]], "loop_sizes": [1], "loop_count": 2}, half_length=1),
             "loop_count"),
            (lambda: world.create_body(name="a", motion="prescribed", path=dict(path, positions=[[0, 0, 0]])), "times"),
            (lambda: world.create_body(name="a", motion="prescribed", path={"positions": [[0, 0, 0]], "times": [0, 1]}),
             "times"),
            (lambda: world.create_body(name="a", motion="prescribed", path=dict(path, count=7)), "count"),
            (lambda: world.create_body(name="a", motion="prescribed", path=dict(path, velocities=still[:1])), "velocities"),
            (lambda: world.create_load(name="a", body=ball, force={"kind": "table", "times": [0, 1], "values": [[0, 0, 1]]}),
             "values"),
            (lambda: world.create_contact_type(name="a", law="spring_damper"), "stiffness"),
            (lambda: world.create_contact_type(name="a", normal="input", prescribed_force=[]), "prescribed_force"),
            (lambda: world.create_contact_type(name="a", normal="input", prescribed_force=[
                {"normal": {"times": [0, 1], "values": [1, 2, 3], "columns": 2}}]), "values"),
            (lambda: fender.law_force("coulomb_static_kinetic", friction, normal_force=10, slip=(0.1, 0), states=[0]), "3 numbers"),
            (lambda: fender.law_force("coulomb_static_kinetic", friction, normal_force=10, states=bytes(24)), "3 numbers"),
            (lambda: world.create_link(name="a", law="tether", stiffness=1), "length"),
        ]
        for number, (call, words) in enumerate(cases):
            with self.subTest(number=number):
                with self.assertRaises(fender.Error) as caught:
                    call()
                self.assertIn(words, str(caught.exception))

    def test_misspelt_attributes(self):
        world, ball = ball_and_ground()
        for target, name in ((ball, "positon"), (world, "gravitty"), (world.shapes[0], "matrial")):
            with self.assertRaises(AttributeError):
                setattr(target, name, 1)
        with self.assertRaises(TypeError):
            world.restore(b"x")


class Refusals(unittest.TestCase):
    def test_wrong_values(self):
        world, ball = ball_and_ground()
        shape, ground = world.shapes[1], world.bodies[0]
        other = fender.World()
        geometry = fender.geometry
        cases = [
            (lambda: fender.World(stp=1), "stp"), (lambda: fender.World(step=0), "step"),
            (lambda: fender.World(step="1 kg"), "kg"), (lambda: fender.World(step=None), "None"),
            (lambda: fender.World(step=True), "True"), (lambda: fender.World(step=[1e-3]), "number"),
            (lambda: fender.World(method="rk5"), "RK4"), (lambda: fender.World(method=99), "99"),
            (lambda: fender.World(gravity=[0, 0]), "3 numbers"), (lambda: fender.World(gravity="down"), "down"),
            (lambda: fender.World(gravity=[0, 0, math.nan]), "finite"), (lambda: fender.World(threads=1.5), "1.5"),
            (lambda: fender.World(threads=-1), "threads"), (lambda: fender.World(locate_events="yes"), "True or False"),
            (lambda: geometry.sphere("wide"), "wide"), (lambda: geometry.sphere(-1), "negative"),
            (lambda: geometry.sphere(math.inf), "finite"), (lambda: geometry.box([1, 2]), "3 numbers"),
            (lambda: geometry.hull([[0, 0]]), "3 numbers"), (lambda: geometry.hull([]), "point"),
            (lambda: geometry.hull(b"12345"), "whole elements"), (lambda: geometry.cloud(5), "sequence"),
            (lambda: world.create_body(name="ball", mass=1, inertia=[1, 1, 1]), "ball"),
            (lambda: world.create_body(name="a b", mass=1, inertia=[1, 1, 1]), "a b"),
            (lambda: world.create_body(name=5, mass=1, inertia=[1, 1, 1]), "text"),
            (lambda: world.create_body(name="a", mass=-1, inertia=[1, 1, 1]), "mass"),
            (lambda: world.create_body(name="a", mass="1 m", inertia=[1, 1, 1]), "length"),
            (lambda: world.create_body(name="a", mass=1, inertia=[1, 1, 9]), "triangle"),
            (lambda: world.create_body(name="a", mass=1, inertia=np.ones((2, 2))), "9 numbers"),
            (lambda: world.create_body(name="a", mass=1, inertia=[1, 1, 1], attitude=[1, 0, 0]), "4 numbers"),
            (lambda: world.create_body(name="a", weight=1), "weight"), (lambda: world.create_body(name="a\0b"), "zero"),
            (lambda: world.create_contact_type(name="x", law="sprng"), "sprng"),
            (lambda: world.create_contact_type(name="x", law="spring_damper", stiffnes=1), "stiffness"),
            (lambda: world.create_contact_type(name="x", law="spring_damper", stiffness="1 N"), "force"),
            (lambda: world.create_contact_type(name="x", law="spring_damper", stiffness=-1), "-1"),
            (lambda: ball.create_shape(name="hull", geometry=geometry.sphere(1)), "hull"),
            (lambda: ball.create_shape(name="h2", geometry=world), "fender_geometry"),
            (lambda: ball.create_shape(name="h2", geometry=None), "geometry"),
            (lambda: ball.set_state(speed=1), "velocity"), (lambda: ball.set_state(velocity=[1, 2, 3, 4]), "3 numbers"),
            (lambda: ball.set_state(velocity=[1, 2, "3 s"]), "time"), 
            (lambda: ball.set_state(position=[math.nan, 0, 0]), "finite"),
            (lambda: world.advance(-1), "0 or more"), (lambda: world.advance("many"), "many"), (lambda: world.advance(2.5), "2.5"),
            (lambda: world.advance_to(-1), "-1"), (lambda: world.advance_to("1 kg"), "mass"),
            (lambda: world.set_state(0, np.zeros(12)), "13"), (lambda: world.set_command("loads.none.force", 1), "none"),
            (lambda: world.set_command("bodies.ball.velocity", [0, "1 kg", 0]), "mass"),
            (lambda: world.set_command("bodies.ball.velocity", 1), "3 numbers"),
            (lambda: world.channel("bodies.ball.velocty"), "velocity"), (lambda: world.states("later"), "COMMITTED"),
            (lambda: fender.World(step=1e-3).step(), "initialize"), (lambda: fender.Snapshot(b"x"), "snapshot"),
            (lambda: fender.Body(other, ball.id).position, "id"), (lambda: fender.Body(world, 0).get(), "id"),
            (lambda: ball.get(clock="tomorrow"), "COMMITTED"), (lambda: _fender.body_get(ball, ball, 0), "fender_world"),
            (lambda: _fender.body_get(world), "3 arguments"), (lambda: other.restore(world.snapshot()), ""),
            (lambda: shape.set_active("on"), "True or False"), (lambda: ground.set_state(position=[0, 0, 1]), ""),
        ]
        self.assertGreaterEqual(len(cases), 40)
        hash_before = world.hash
        for number, (call, words) in enumerate(cases):
            with self.subTest(number=number):
                with self.assertRaises(fender.Error) as caught:
                    call()
                self.assertIn(words, str(caught.exception))
                self.assertTrue(caught.exception.message)
        self.assertEqual(world.hash, hash_before)
        for call in (lambda: ball.move_to(), lambda: world.gravity_at(), lambda: world.rule(1, 2, None),
                     lambda: fender.Geometry(), lambda: ball.create_point("a", pose=[0, 0, 0])):
            with self.assertRaises(TypeError):
                call()


if __name__ == "__main__":
    unittest.main()
