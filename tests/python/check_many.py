"""Studies, rollouts and sensitivities through the package, against closed forms and single worlds."""
import importlib.util
import itertools
import math
import os
import re
import runpy
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

import fender
from check_world import SOURCE, ball_and_ground

STUDY = os.path.join(SOURCE, "samples", "studies", "docking_envelope.yaml")


def make():
    world, ball = ball_and_ground(step=2.0**-10, damping=5)
    world.create_load(name="push", body=ball)
    world.initialize()
    return world


class Studies(unittest.TestCase):
    def test_rows_are_those_of_the_program(self):
        study = fender.study(STUDY, store="python.db", runs=40, jobs=2)
        self.assertEqual((study.progress.done, study.interrupted), (40, False))
        subprocess.run([os.environ["FENDER"], "study", "run", STUDY, "--runs", "40", "-o", "program.db", "--quiet"],
                       check=True)
        with open("python.db", "rb") as own, open("program.db", "rb") as other:
            self.assertEqual(own.read(), other.read())
        self.assertEqual(len(study["captured"]), 40)
        self.assertIn("captured", study.outcomes)
        self.assertIn("40 of 40", study.report())
        self.assertTrue(study.scenario(3).startswith("fender: 1") or "fender: 1" in study.scenario(3))
        self.assertGreater(os.path.getsize(study.page("study.html")), 10000)
        with self.assertRaisesRegex(fender.Error, "captred"):
            study["captred"]

    def test_what_is_not_there_is_refused(self):
        for arguments in ({"runs": -1}, {"runs": 10**10}, {"runs": 4, "shard": 1}):
            with self.assertRaises(fender.Error, msg=str(arguments)):
                fender.study(STUDY, store="refused.db", **arguments)
            self.assertFalse(os.path.exists("refused.db"))

    def test_progress_ends_it(self):
        study = fender.study(STUDY, store="part.db", runs=6000, progress=lambda figures: figures.done < 3)
        self.assertTrue(study.interrupted)
        self.assertLess(study.progress.done, 6000)

        def stumble(figures):
            raise KeyError("on purpose")
        with self.assertRaisesRegex(KeyError, "on purpose"):
            fender.study(STUDY, store="other.db", runs=6000, progress=stumble)


class Rollouts(unittest.TestCase):
    def test_states(self):
        states = np.tile(make().get_state(), (60, 1))
        states[:, 2] = np.linspace(0.5, 2, 60)
        times = [0.25, 0.5, 1.0]
        results = [fender.rollout(make, states, times=times, channels=["bodies.ball.position", "bodies.ball.velocity.z"],
                                  jobs=jobs) for jobs in (1, 3)]
        self.assertTrue(np.array_equal(results[0], results[1]))
        self.assertEqual(results[0].shape, (60, 3, 4))
        falling = states[:, 2] - 0.1 > 0.5 * 9.81 * 0.25**2
        self.assertTrue(np.allclose(results[0][falling, 0, 2], states[falling, 2] - 0.5 * 9.81 * 0.25**2, atol=1e-12))
        world = make()
        world.bodies[1].set_state(position=[0, 0, states[7, 2]])
        for i, end in enumerate(times):
            world.advance_to(end)
            self.assertTrue(np.allclose(world.bodies[1].position, results[0][7, i, :3], atol=1e-9))

    def test_controls(self):
        controls = np.zeros((3, 2, 3))
        controls[:, :, 0] = [[1, 1], [2, 2], [4, 0]]
        speeds = fender.rollout(make, None, controls, times=[0.125, 0.25], channels=["bodies.ball.velocity.x"],
                                commands=["loads.push.force"])
        self.assertTrue(np.allclose(speeds[:, :, 0], [[0.0625, 0.125], [0.125, 0.25], [0.25, 0.25]], atol=1e-14))

    def test_wrong_shapes(self):
        for arguments, words in ((dict(states=np.zeros((2, 12))), "13"), (dict(controls=np.zeros((2, 3))), "numbers of all"),
                                 (dict(controls=np.zeros((2, 1, 4)), commands=["loads.push.force"]), "3 numbers"),
                                 (dict(states=np.zeros((2, 13)), controls=np.zeros((3, 1, 0))), "3 or 1")):
            with self.assertRaisesRegex(fender.Error, words):
                fender.rollout(make, times=[0.1], channels=["time"], **arguments)

    def test_jacobian(self):
        matrix = fender.jacobian(make, time=0.25)
        self.assertAlmostEqual(matrix[2, 2], 1, 8)
        self.assertAlmostEqual(matrix[2, 9], 0.25, 8)
        self.assertAlmostEqual(matrix[9, 9], 1, 8)
        # Undamped bounce without gravity: the end is the mirror image of the start
        world, _ = ball_and_ground(gravity=[0, 0, 0], method="dop853", relative_tolerance=1e-11, locate_events=True)
        state = world.get_state()
        state[9] = -3

        def mirror():
            return ball_and_ground(gravity=[0, 0, 0], method="dop853", relative_tolerance=1e-11, locate_events=True)[0]
        matrix = fender.jacobian(mirror, time=1.0, state=state, step=1e-5)
        self.assertAlmostEqual(matrix[2, 2], -1, 5)
        self.assertAlmostEqual(matrix[9, 9], -1, 5)

    def test_jacobian_of_an_impact(self):
        """A ball of mass m on the spring k d^1.5, at speed v: it stays in contact for T = b v^-0.2 and leaves as fast as it
        came, so that the end is z = 2 R - z0 + v (t - T), and dz/dv = t - 0.8 T."""
        mass, stiffness, speed, end = 2.0, 1e6, 2.0, 0.2

        def drop():
            world = fender.World(method="dop853", relative_tolerance=1e-12, locate_events=True)
            world.default_rule(world.create_contact_type(name="touch", law="hunt_crossley", stiffness=stiffness, dissipation=0))
            world.create_body(name="ground", motion="fixed").create_shape(name="top", geometry=fender.geometry.plane())
            ball = world.create_body(name="ball", mass=mass, inertia=[0.1, 0.1, 0.1], position=[0, 0, 0.2],
                                     velocity=[0, 0, -speed])
            ball.create_shape(name="hull", geometry=fender.geometry.sphere(0.1))
            world.initialize()
            return world
        depth = (5 * mass * speed**2 / (4 * stiffness)) ** 0.4
        contact = 4 * math.sqrt(math.pi) * math.gamma(0.4) / (5 * math.gamma(0.9)) * depth / speed
        matrix, errors = fender.jacobian(drop, time=end, errors=True)
        exact = {(2, 2): -1, (2, 9): -(end - 0.8 * contact), (9, 9): -1, (9, 2): 0, (0, 0): 1, (0, 7): end, (7, 2): 0}
        for (row, column), value in exact.items():
            self.assertLess(abs(matrix[row, column] - value), 1e-10)
            self.assertLess(errors[row, column], 1e-10)
        self.assertLess(abs(matrix[2, 9] - exact[2, 9]), 2e-12)  # the only one that is not linear: 5e-12 by one step at best
        plain = fender.jacobian(drop, time=end, step=1e-6)
        self.assertLess(np.abs(plain - matrix)[[2, 9]][:, [2, 9]].max(), 1e-7)
        # A ball that just touches at the end: the derivative of its speed begins as a root. The error tells.
        _, errors = fender.jacobian(drop, time=0.05, errors=True)
        self.assertGreater(errors[9, 2], 1e-3)

    def test_interrupt(self):
        """Ctrl-C ends runs of hours in all threads, those that are long and those of many short parts."""
        kept = []

        def endless(**options):
            def keep():
                kept.append(make())
                return kept[-1]
            fender.rollout(keep, np.tile(make().get_state(), (16, 1)), channels=["time"], jobs=3, **options)
        for call in (lambda: endless(times=[1e7]), lambda: endless(times=np.arange(1, 10**6) * 1e-3),
                     lambda: fender.jacobian(make, time=1e7)):
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            began = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                call()
            self.assertLess(time.monotonic() - began, 30)  # 0.5 s where nothing else runs
        for world in kept:
            world.step()
            world.advance(1)

    def test_first_failure_ends_all(self):
        """A thread that cannot go on does not wait for the others, which would take hours."""
        number = itertools.count()

        def unlike():
            world = make()
            if next(number) == 0:
                world.create_body(name="more", mass=1, inertia=[1, 1, 1])
                world.initialize()
            return world
        with self.assertRaisesRegex(fender.Error, "26"):
            fender.rollout(unlike, np.tile(make().get_state(), (2, 1)), times=[1e7], channels=["time"], jobs=2)

    def test_threads_change_nothing(self):
        states = np.tile(make().get_state(), (16, 1))
        states[:, 7] = np.linspace(-1, 1, 16)
        one, three = (fender.rollout(make, states, times=[0.5, 1.0], channels=["bodies.*.position"], jobs=jobs)
                      for jobs in (1, 3))
        self.assertTrue(np.array_equal(one, three))


class Drivers(unittest.TestCase):
    """The samples in which other libraries choose what is run."""

    def printed(self, name, needs):
        if importlib.util.find_spec(needs) is None:
            self.skipTest(f"python3-{needs} is missing")
        done = subprocess.run([sys.executable, os.path.join(SOURCE, "samples", "python", name)], stdout=subprocess.PIPE,
                              text=True, check=True)
        return done.stdout

    def test_scipy_finds_what_fender_size_finds(self):
        said = self.printed("fit_with_scipy.py", "scipy")
        found = re.match(r"stiffness (\S+) N/m\^1.5, dissipation (\S+) s/m", said)
        size = subprocess.run([os.environ["FENDER"], "size", "--law", "hunt_crossley", "--mass", "12 kg", "--speed",
                               "0.8 m/s", "--depth", "9 mm", "--restitution", "0.1875"], stdout=subprocess.PIPE, text=True,
                              check=True).stdout
        for name, value in zip(("stiffness", "dissipation"), found.groups()):
            own = float(re.search(rf"^ {name} +(\S+)", size, re.M).group(1))
            self.assertLess(abs(float(value) / own - 1), 1e-3)  # four digits are printed

    def test_openturns_finds_how_likely_a_lander_tips(self):
        """Plain sampling by numpy of the same landings: both estimates lie within three standard deviations."""
        if importlib.util.find_spec("openturns") is None:
            self.skipTest("python3-openturns is missing")
        space = runpy.run_path(os.path.join(SOURCE, "samples", "python", "reliability_with_openturns.py"))
        own = space["result"].getProbabilityEstimate()
        rows = np.random.default_rng(3).normal([0.3, 0.0], [0.15, 0.1], (150, 2))
        plain = np.mean(space["tilts"](rows)[:, 0] < 0.5)
        variance = plain * (1 - plain) / len(rows) + space["result"].getVarianceEstimate()
        self.assertTrue(0 < own < 1)
        self.assertLess(abs(own - plain), 3 * variance ** 0.5)


if __name__ == "__main__":
    unittest.main()
