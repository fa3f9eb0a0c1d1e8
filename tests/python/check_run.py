"""Runs of scenarios through the package: hashes, channels, figures, errors."""
import csv
import os
import re
import signal
import subprocess
import threading
import time
import unittest
import warnings

import numpy as np

import check_scenarios
import fender

SCENARIO = os.path.join(os.environ["FENDER_SOURCE_DIR"], "samples", "scenarios", "two_spheres.yaml")
DROP = {
    "fender": 1,
    "title": "A ball falls on a plane",
    "integrator": {"method": "rk4", "step": "0.5 ms"},
    "run": {"until": 0.6},
    "world": {"gravity": [0, 0, "-9.81", "m/s^2"]},
    "materials": {"steel": {}},
    "contact_types": {"spring": {"law": "jeod_spring", "stiffness": 1e4, "damping": 10, "mu": 0}},
    "rules": [{"materials": ["steel", "steel"], "use": "spring"}],
    "bodies": {
        "ground": {"motion": "fixed", "shapes": {"top": {"plane": {}, "material": "steel"}}},
        "ball": {"mass_properties": {"mass": "1 kg", "inertia": [0.1, 0.1, 0.1]},
                 "shapes": {"hull": {"sphere": {"radius": "0.1 m"}, "material": "steel"}},
                 "state": {"position": [0, 0, 1.1]}},
    },
    "record": {"log": {"file": "log.csv", "every": "10 ms", "channels": ["bodies.ball.position", "bodies.ball.attitude"]}},
}


def changed(**paths):
    """DROP with other values: keys have __ for dots."""
    import copy
    data = copy.deepcopy(DROP)
    for path, value in paths.items():
        keys = path.split("__")
        place = data
        for key in keys[:-1]:
            place = place[key]
        place[keys[-1]] = value
    return data


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = fender.run(SCENARIO, out="two.run")

    def test_hash_is_that_of_the_program(self):
        expected = check_scenarios.printed_hash(SCENARIO)
        self.assertEqual(self.run_.hash, expected)
        self.assertEqual(fender.run(SCENARIO, channels=["time", "bodies.*.velocity"]).hash, expected)
        self.assertEqual(self.run_.json["hash"], expected)

    def test_settings_are_those_of_the_program(self):
        expected = check_scenarios.printed_hash(SCENARIO, "--set", "integrator.step=5 ms", "--set",
                                                "bodies.veh2.state.velocity.x=-1")
        run = fender.run(SCENARIO, set={"integrator.step": "5 ms", "bodies.veh2.state.velocity.x": -1})
        self.assertEqual(run.hash, expected)

    def test_channels_are_the_recorded_file(self):
        with open("two.run/log.csv", encoding="utf-8", newline="") as stream:
            rows = list(csv.reader(stream))
        for i, heading in enumerate(rows[0]):
            name, unit = re.fullmatch(r"(.*) \[(.*)\]", heading).groups()
            channel = self.run_.channels[name]
            self.assertEqual(channel.units, unit)
            self.assertTrue(np.array_equal(channel, [float(row[i]) for row in rows[1:]]))
        velocity = self.run_.channels["bodies.veh1.velocity"]
        self.assertEqual(velocity.shape, (1001, 3))
        self.assertEqual(velocity.units, "m/s")
        self.assertTrue(np.array_equal(velocity[:, 0], self.run_.channels["bodies.veh1.velocity.x"]))
        self.assertTrue(np.array_equal(velocity.time, self.run_.channels["time"]))
        self.assertTrue(np.array_equal(velocity[5:9].time, velocity.time[5:9]))
        self.assertIs(type(velocity * 2), np.ndarray)
        self.assertEqual(self.run_.channels["bodies.veh1.attitude"].shape[1], 4)

    def test_sampled_channels(self):
        run = fender.run(SCENARIO, channels=["bodies.veh1.velocity", "bodies.veh1.*"])
        self.assertTrue(np.array_equal(run.channels["bodies.veh1.velocity"], self.run_.channels["bodies.veh1.velocity"]))
        self.assertEqual(run.channels["bodies.veh1.acceleration"].shape, (1001, 3))
        self.assertEqual(run.channels["bodies.veh1.core_inertia"].shape, (1001, 3, 3))

    def test_figures(self):
        run = self.run_
        self.assertEqual(run.status, "OK")
        self.assertEqual(run.verdict, "sound")
        self.assertEqual(len(run.episodes), 1)
        self.assertEqual(run.episodes[0].contact, "veh1.hull:veh2.hull")
        with open("two.run/episodes.csv", encoding="utf-8", newline="") as stream:
            row = next(csv.DictReader(stream))
        self.assertEqual(run.episodes.peak_force[0], float(row["peak_force [N]"]))
        self.assertEqual(run.episodes.errors.impulse[0], float(row["impulse_error [N*s]"]))
        self.assertEqual(list(run.events.event), ["begin", "end"])
        self.assertEqual(list(run.events.time), [5.0, 5.38])
        self.assertAlmostEqual(run.ledger_at_start.kinetic, 200)
        self.assertAlmostEqual(run.ledger.kinetic + run.ledger.damping, 200, places=2)
        self.assertTrue(all(result["met"] for result in run.expectations))
        page = run.report()
        self.assertTrue(os.path.getsize(page) > 100000)
        self.assertIn("<iframe", run._repr_html_())

    def test_directory_of_a_run(self):
        again = fender.open_run("two.run")
        self.assertEqual(again.hash, self.run_.hash)
        self.assertTrue(np.array_equal(again.channels["bodies.veh2.position"], self.run_.channels["bodies.veh2.position"]))
        self.assertEqual(again.scenario.title, "Two spheres meet head on")
        self.assertIn("bodies.veh1.mass", fender.read("two.run/log.csv"))
        run = fender.run(SCENARIO)
        directory = run.directory
        self.assertTrue(os.path.isdir(directory))
        del run
        self.assertFalse(os.path.exists(directory))

    def test_dicts_are_scenarios(self):
        run = fender.run(DROP)
        self.assertAlmostEqual(run.episodes[0].approach_speed, np.sqrt(2 * 9.81), places=2)
        for title in ("*", "&a: b", "a # b", "[", "- 1", "null", " it's "):
            self.assertEqual(fender.Scenario(dict(DROP, title=title)).title, title)
        written = fender.to_yaml(DROP)
        self.assertEqual(fender.run(fender.Scenario.from_yaml(written)).hash, run.hash)
        with open("drop.yaml", "w", encoding="utf-8") as stream:
            stream.write(written)
        self.assertEqual(check_scenarios.printed_hash("drop.yaml"), run.hash)

    def test_files_become_dicts_and_files_again(self):
        """Every sample that has no files of its own: the world of the dict, and of its text, is that of the file."""
        folder, count = os.path.join(os.environ["FENDER_SOURCE_DIR"], "samples", "scenarios"), 0
        for name in sorted(os.listdir(folder)):
            if not name.endswith(".yaml") or name in ("hazard_field.yaml",):  # large
                continue
            scenario = fender.Scenario(os.path.join(folder, name))
            data = scenario.data
            if ".stl" in str(data) or ".pcm" in str(data):
                continue
            written = fender.to_yaml(data)
            self.assertEqual(fender.Scenario.from_yaml(written).data, data, name)
            self.assertEqual(fender.World.of(data).hash, fender.World.of(scenario).hash, name)
            self.assertEqual(fender.World.of(fender.Scenario.from_yaml(written)).hash, fender.World.of(scenario).hash, name)
            count += 1
        self.assertGreater(count, 12)
        data = fender.Scenario(SCENARIO).data
        self.assertEqual(fender.run(data).hash, self.run_.hash)
        data["bodies"]["veh1"]["mass_properties"]["mass"] = "-1 kg"
        with self.assertRaises(fender.Error) as caught:
            fender.run(data)
        self.assertEqual(caught.exception.place, "bodies.veh1.mass_properties.mass")
        self.assertEqual(fender.open_run("two.run").scenario.data, fender.Scenario(SCENARIO).data)

    def test_columns_of_studies(self):
        with open("drop.yaml", "w") as file:
            file.write("fender: 1\nintegrator: {step: 1 ms}\nrun: {until: 5 ms}\nbodies:\n  ball:\n"
                       "    mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}\n    state: {velocity: [1, 0, 0, m/s]}\n")
        with open("drops.yaml", "w") as file:
            file.write("fender_study: 1\nscenario: drop.yaml\nruns: 12\nvary:\n"
                       "  method: {path: integrator.method, discrete: {values: [rk4, velocity_verlet]}}\n"
                       "  mass: {path: bodies.ball.mass_properties.mass, normal: {mean: 1 kg, deviation: 1 kg}}\n"
                       "keep:\n  x: {channel: bodies.ball.position.x}\n  touch: {event: begin}\n")
        study = fender.study("drops.yaml", store="drops.db")
        good = np.asarray(study["mass"] > 0)
        self.assertTrue(0 < good.sum() < 12)
        self.assertEqual(set(study["method"]), {"rk4", "velocity_verlet"})
        self.assertEqual(list(study["status"]), ["ok" if one else "failed" for one in good])
        self.assertEqual([reason == "" for reason in study["reason"]], list(good))
        self.assertEqual(study["x"].units, "m")
        np.testing.assert_allclose(study["x"][good], 0.005, rtol=1e-12)
        self.assertTrue(np.isnan(study["x"][~good]).all() and np.isnan(study["touch"]).all())

    def test_warnings_are_told(self):
        with self.assertWarnsRegex(fender.Warning, "parameter 'unused' is not used") as told:
            scenario = fender.Scenario({"fender": 1, "parameters": {"unused": "3 m"}, "integrator": {"step": "3 ms"},
                                        "run": {"until": "1 s"}, "bodies": {"ball": {"mass_properties": {
                                            "mass": "1 kg", "inertia": [1, 1, 1, "kg*m^2"]}}}})
        self.assertEqual(told.filename, __file__)
        with self.assertWarnsRegex(fender.Warning, "run.until: the end of the run, 1 s, lies between two steps") as told:
            run = fender.run(scenario)
        self.assertEqual(told.filename, __file__)
        self.assertEqual([d.severity for d in run.diagnostics], ["WARNING"])

    def test_controllers(self):
        times = []

        @fender.controller("50 Hz", inputs={"height": "bodies.ball.position.z"}, outputs={"push": "loads.push.force.x"})
        def push(at, height):
            times.append(at)
            return {"push": 2.0} if height > 1.05 else 0.0

        class Counter:
            def __init__(self, setup):
                self.count, self.scale = 0, setup["parameters"]["scale"]

            def __call__(self, at, height):
                self.count += 1
                return [self.scale * self.count]
        count = fender.controller(20, inputs={"height": "bodies.ball.position.z"}, outputs={"push": "loads.push.force.y"},
                                  parameters={"scale": 0.5}, name="count")(Counter)
        data = changed(loads={"push": {"body": "ball", "force": {"constant": [0, 0, 0, "N"]}}}, run__until=0.4)
        runs = [fender.run(data, controllers=[push, count], channels="loads.push.force") for _ in range(2)]
        self.assertEqual(runs[0].hash, runs[1].hash)
        self.assertEqual(len(times), 2 * 21)
        # Falling 5 cm takes 101 ms: the force acts until the update at 120 ms.
        force, velocity = runs[0].channels["loads.push.force"], runs[0].channels["bodies.ball.position.x"]
        self.assertTrue(np.array_equal(force[:, 0] > 0, force.time < 0.11975))
        self.assertAlmostEqual(velocity[-1], 0.5 * 2 * 0.12**2 + 2 * 0.12 * 0.28, 9)
        self.assertEqual(force[-1, 1], 0.5 * 9)  # of the update at the end
        kicked = changed(actions={"kick": {"when": {"time": 0}, "do": [{"set": {"bodies.ball.velocity.x": 3}}]}})
        channel = fender.run(kicked, channels="bodies.ball.velocity.x").channels["bodies.ball.velocity.x"]
        self.assertEqual((channel[0], channel.time[0]), (3, 0))

        @fender.controller("5 Hz", inputs={}, outputs={"push": "loads.push.force.x"})
        def nested(at):
            world = fender.World.of(DROP)  # another world, within a run
            world.step()
            return world.step_count
        self.assertEqual(fender.run(data, controllers=[nested], channels="loads.push.force.x").channels[
            "loads.push.force.x"][-1], 1)

        lambdas = [fender.controller(np.float64(50), inputs={}, outputs={"push": "loads.push.force.x"})(lambda at, v=v: v)
                   for v in (np.float32(3), np.array([3]), np.int16(3))]
        hashes = {fender.run(data, controllers=[one]).hash for one in lambdas}
        self.assertEqual(len(hashes), 1)
        switches = [fender.controller("50 Hz", inputs={}, outputs={"on": "loads.push.active"})(lambda at, v=v: v)
                    for v in (1.0, True, [True], np.True_, np.array([True]))]
        self.assertEqual(len({fender.run(data, controllers=[one]).hash for one in switches}), 1)
        with self.assertRaisesRegex(fender.Error, "complex"):
            fender.run(data, controllers=[fender.controller("50 Hz", inputs={}, outputs={"push": "loads.push.force.x"})(
                lambda at: np.array([1 + 2j]))])
        hosted = dict(data, controllers={"own": {
            "host": "mine", "rate": "10 Hz", "inputs": {"height": "bodies.ball.position.z"},
            "outputs": {"push": "loads.push.force.x"}}})
        for given in (lambda time, height: 3.0, lambda time, height: {"push": 3}, lambda *_: [3]):
            run = fender.run(hosted, controllers={"mine": given}, channels="loads.push.force.x")
            self.assertEqual(run.channels["loads.push.force.x"][-1], 3)
        with self.assertWarnsRegex(fender.Warning, "no controller of the scenario uses 'mein'"):
            fender.run(hosted, controllers={"mine": lambda *_: 3, "mein": lambda *_: 3})
        with self.assertRaisesRegex(fender.Error, "controllers.mine: this is no controller"):
            fender.run(hosted, controllers={"mine": 3.0})
        with self.assertRaisesRegex(fender.Error, "two controllers are named 'lambda'"):
            fender.run(data, controllers=lambdas)

        @fender.controller("50 Hz", inputs={}, outputs={"push": "loads.push.force.x"})
        def wrong(at):
            return [1, 2]
        with self.assertRaisesRegex(fender.Error, "1 numbers"):
            fender.run(data, controllers=[wrong])
        wrong.function = lambda at: {"pull": 1}
        with self.assertRaisesRegex(fender.Error, "no output 'pull'"):
            fender.run(data, controllers=[wrong])
        wrong.function = lambda at: 1 / 0
        with self.assertRaises(ZeroDivisionError):
            fender.run(data, controllers=[wrong])

    def test_expectations_and_residual(self):
        missed = dict(DROP, expect=[{"channel": "bodies.ball.position.z", "at": "end", "equals": "3 m", "within": "1 mm"}])
        run = fender.run(missed)
        self.assertEqual((run.status, run.expectations[0]["met"]), ("EXPECTATION", False))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            run = fender.run(changed(integrator__step="5 ms"))
        self.assertEqual(run.status, "RESIDUAL")
        self.assertNotEqual(run.verdict, "sound")
        self.assertTrue(any("does not add up" in str(w.message) for w in told))


class Long(unittest.TestCase):
    """What takes too long for the quick tests."""

    def test_native_controllers(self):
        """A controller in C gives the bits of the same one in Python."""
        import ctypes
        data = changed(loads={"push": {"body": "ball", "force": {"constant": [0, 0, 0, "N"]}}}, run__until=0.4)
        with open("push.c", "w", encoding="utf-8") as stream:
            stream.write("int push(void *s, double t, const double *in, double *out, char *m)\n"
                         "{ (void)s; (void)m; (void)t; out[0] = in[0] > 0.9 ? 2.0 * in[0] : 0.0; return 0; }\n")
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", "push.so", "push.c"], check=True)
        native = fender.native_controller(ctypes.CDLL("./push.so").push, "50 Hz", name="push",
                                          inputs={"height": "bodies.ball.position.z"}, outputs={"f": "loads.push.force.x"})

        @fender.controller("50 Hz", inputs={"height": "bodies.ball.position.z"}, outputs={"f": "loads.push.force.x"})
        def push(time, height):
            return 2.0 * height if height > 0.9 else 0.0
        runs = [fender.run(data, controllers=[one], channels="bodies.ball.velocity.x") for one in (native, push)]
        self.assertEqual(runs[0].hash, runs[1].hash)
        self.assertGreater(runs[0].channels["bodies.ball.velocity.x"][-1], 0.3)

    def test_frame(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            print("skipped: python3-pandas is missing")
            return
        run = fender.run(SCENARIO)
        frame = run.frame("log")
        self.assertEqual(len(frame), 1001)
        self.assertEqual(frame.attrs["units"]["bodies.veh1.mass"], "kg")
        self.assertTrue(np.array_equal(frame["bodies.veh1.position.x"], run.channels["bodies.veh1.position.x"]))

    def test_h5py(self):
        """A table that the run wrote as HDF5, read by h5py, is what the channels are."""
        try:
            import h5py
        except ImportError:
            print("skipped: python3-h5py is missing")
            return
        run = fender.run(changed(record={"log": {"file": "log.h5", "every": "10 ms", "channels": ["bodies.ball.position"]}}))
        found = {}
        with h5py.File(os.path.join(run.directory, "log.h5"), "r") as file:
            file.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
        columns = [value for value in found.values() if np.shape(value) == np.shape(run.channels["bodies.ball.position.z"])]
        self.assertTrue(any(np.array_equal(value, run.channels["bodies.ball.position.z"]) for value in columns), list(found))

    def test_progress_and_interruption(self):
        seen = []
        run = fender.run(changed(run__until=1e9), progress=lambda *values: bool(seen.append(values)) or len(seen) < 2)
        self.assertEqual(run.status, "INTERRUPTED")
        self.assertEqual(len(seen), 2)
        self.assertEqual(seen[0][1], 1e9)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            fender.run(changed(run__until=1e9))

        def stumble(*_):
            raise ZeroDivisionError("on purpose")
        with self.assertRaisesRegex(ZeroDivisionError, "on purpose"):
            fender.run(changed(run__until=1e9), progress=stumble)

    def test_other_threads_go_on(self):
        counted, stop = [0], threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1
                time.sleep(0.001)
        thread = threading.Thread(target=count, daemon=True)
        thread.start()
        begin = counted[0]
        started = time.monotonic()
        fender.run(changed(run__until=1e9), progress=lambda *_: time.monotonic() - started < 0.25)
        stop.set()
        thread.join()
        self.assertGreater(counted[0] - begin, 20)


class Errors(unittest.TestCase):
    def refused(self, status, place, text, function, *arguments, **keywords):
        with self.assertRaises(fender.Error) as caught:
            function(*arguments, **keywords)
        error = caught.exception
        self.assertEqual(error.status, status, str(error))
        self.assertIn(place, error.place)
        self.assertIn(text, str(error))
        return error

    def test_scenarios(self):
        error = self.refused("UNIT", "--set", "10 kg", fender.run, SCENARIO, set={"integrator.step": "10 kg"})
        self.assertEqual(error.found, "10 kg")
        self.assertTrue(error.expected and error.remedy)
        self.refused("FILE", "none.yaml", "none.yaml", fender.run, "none.yaml")
        error = self.refused("VALUE", "bodies.ball.mass_properties.mass", "-1 kg", fender.run,
                             changed(bodies__ball__mass_properties__mass="-1 kg"))
        self.assertEqual(error.expected, "more than 0")
        self.refused("VALUE", "record.log.every", "10 ms", fender.run, changed(integrator__step="4 ms"))
        self.refused("NAME", "bodies.ball.stat", "state", fender.run, changed(bodies__ball__stat={"position": [0, 0, 1]}))
        self.refused("NAME", "rules[0]", "stel", fender.run,
                     changed(rules=[{"materials": ["steel", "stel"], "use": "spring"}]))
        error = self.refused("VALUE", "", "", fender.Scenario, changed(
            bodies__ball__mass_properties={"mass": -1, "inertia": [1, 1, 1]}, integrator__step="-1 s"))
        self.assertGreaterEqual(len(error.diagnostics), 2)

    def test_runs(self):
        run = fender.run(SCENARIO)
        error = self.refused("NAME", "bodies.veh1.velicity", "bodies.veh1.velocity", run.channels.__getitem__,
                             "bodies.veh1.velicity")
        self.assertIn("did you mean", error.remedy)
        self.refused("NAME", "", "velicity", fender.run, SCENARIO, channels=["bodies.veh1.velicity"])
        self.refused("FILE", "nowhere", "", fender.read, "nowhere.csv")
        self.refused("FILE", "nowhere", "summary.json", fender.open_run, "nowhere")
        self.refused("ARGUMENT", "set", "", fender.run, fender.Scenario(SCENARIO), set={"run.until": 1})
        error = self.refused("NOT_FINITE", "", "", fender.run,
                             changed(contact_types__spring={"law": "jeod_spring", "stiffness": 1e300, "damping": 10, "mu": 0}))
        self.assertGreater(error.run.summary["end_time"], 0)

    def test_version_is_that_of_the_library(self):
        self.assertIn(f"fender {fender.__version__}", check_scenarios.printed("--version"))


if __name__ == "__main__":
    unittest.main()
