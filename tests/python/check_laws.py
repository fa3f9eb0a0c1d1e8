"""Contact laws from Python against the compiled laws of the same form, and what may go wrong in them."""
import ctypes
import gc
import importlib.util
import itertools
import math
import os
import subprocess
import sys
import unittest
import warnings
import weakref

import numpy as np

import fender

PARAMETERS = {"stiffness": "N/m", "damping": {"unit": "N s/m", "default": 0.0, "minimum": 0.0}}
DEPTHS = (-1e-3, 0.0, 1e-9, 1e-3, 0.37)
RATES = (-2.0, -1e-3, 0.0, 1e-3, 5.0)
VALUES = {"stiffness": 12345.678, "damping": 67.89}
C = """
void force(const double *p, const double *in, const void *memory, double *out)
{
    (void)memory;
    double spring = in[DEPTH] > 0 ? p[0] * in[DEPTH] : 0, total = spring + p[1] * in[DEPTH_RATE];
    if (total < 0) total = 0;
    out[FORCE + 2] = total;
    out[DAMPING_POWER] = (total - spring) * in[DEPTH_RATE];
}
double energy(const double *p, const double *in, const void *memory)
{
    (void)memory;
    return in[DEPTH] > 0 ? p[0] * in[DEPTH] * in[DEPTH] / 2 : 0;
}
"""


def python_law(name="spring_in_python"):
    @fender.law(parameters=PARAMETERS, name=name,
                energy=lambda depth, stiffness: stiffness * depth * depth / 2 if depth > 0 else 0.0)
    def spring(depth, depth_rate, stiffness, damping):
        """A spring and a damper that never pull."""
        elastic = stiffness * max(depth, 0.0)
        total = max(elastic + damping * depth_rate, 0.0)
        return {"force": [0, 0, total], "damping_power": (total - elastic) * depth_rate}
    return spring


def compiled_law():
    indices = {"DEPTH": fender.LAW_INPUT["depth"], "DEPTH_RATE": fender.LAW_INPUT["depth_rate"],
               "FORCE": fender.LAW_OUTPUT["force"].start, "DAMPING_POWER": fender.LAW_OUTPUT["damping_power"]}
    if not os.path.exists("spring.so"):
        with open("spring.c", "w", encoding="utf-8") as stream:
            stream.write(C)
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O2", "-ffp-contract=off", "-o", "spring.so", "spring.c"]
                       + [f"-D{name}={value}" for name, value in indices.items()], check=True)
    library = ctypes.CDLL("./spring.so")
    return fender.native_law(library.force, name="compiled_spring", parameters=PARAMETERS, energy=library.energy)


def world_with(law, threads=1, balls=1, **parameters):
    world = fender.World(step="0.1 ms", gravity=[0, 0, -9.81], threads=threads)
    kind = world.create_contact_type(name="spring", law=law, **(parameters or VALUES))
    world.default_rule(kind)
    ground = world.create_body(name="ground", motion="fixed")
    ground.create_shape(name="top", geometry=fender.geometry.plane())
    for i in range(balls):
        ball = world.create_body(name=f"ball{i}", mass=2, inertia=[0.1, 0.1, 0.1], position=[i, 0, 0.12], velocity=[0, 0, -1])
        ball.create_shape(name="hull", geometry=fender.geometry.sphere(0.1))
    world.initialize()
    return world


def forces(law, **parameters):
    rows = []
    for depth, rate in itertools.product(DEPTHS, RATES):
        out = fender.law_force(law, parameters or VALUES, depth=depth, depth_rate=rate)
        rows.append(np.concatenate([out.force, out.torque, [out.damping_power, out.friction_power]]))
    return np.array(rows)


class Laws(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", fender.Warning)

    def agree(self, law):
        """Forces, losses and the motion of a drop are those of spring_damper."""
        own, expected = forces(law), forces("spring_damper")
        self.assertTrue(np.abs(expected[:, 2]).max() > 1000)
        self.assertTrue(np.allclose(own, expected, rtol=1e-14, atol=1e-14))
        worlds = [world_with(law), world_with("spring_damper")]
        for world in worlds:
            world.advance(3000)
        self.assertGreaterEqual(len(worlds[0].events), 2)
        self.assertTrue(np.array_equal(worlds[0].events.time, worlds[1].events.time))
        self.assertTrue(np.allclose(worlds[0].get_state(), worlds[1].get_state(), rtol=1e-14, atol=1e-14))
        self.assertAlmostEqual(worlds[0].ledger.damping / worlds[1].ledger.damping, 1, 12)
        self.assertLess(abs(worlds[0].ledger.residual), 1e-4 * worlds[0].ledger.scale)
        self.assertGreater(worlds[0].ledger.damping, 0.01 * worlds[0].ledger.scale)

    def test_in_python(self):
        self.agree(python_law())

    def test_compiled(self):
        self.agree(compiled_law())

    def test_what_a_law_may_return_and_get(self):
        seen = []

        @fender.law(parameters={"grip": "1"}, kind="friction")
        def drag(slip, normal_force, spin, grip=0.5):
            seen.append((slip, normal_force, spin))
            return [-grip * normal_force * slip[0], -grip * normal_force * slip[1], 0]
        out = fender.law_force(drag, normal_force=4.0, slip=[1, -2], spin=[0, 0, 3])
        self.assertEqual(list(out.force), [-2, 4, 0])
        self.assertEqual(seen[-1], ((1.0, -2.0), 4.0, (0.0, 0.0, 3.0)))
        for answer, force in ((3, 3.0), (np.float64(2.5), 2.5), (np.array([0, 0, 7.0]), 7.0), ({"force": (0, 0, 1)}, 1.0)):
            law = fender.law(name="answers")(lambda depth: answer)
            self.assertEqual(fender.law_force(law, depth=1.0).force[2], force)
        for answer in ("much", None, [1, 2], {"froce": [0, 0, 1]}, True, [0, 0, "x"]):
            law = fender.law(name="answers")(lambda depth: answer)
            with self.assertRaisesRegex(fender.Error, "law answers: force"):
                fender.law_force(law, depth=1.0)

        @fender.law(name="slides", parameters={"k": "N/m"})
        class Slides:
            def __new__(cls, depth, k):
                return k * depth
        self.assertEqual(fender.law_force(Slides, {"k": "3 kN/m"}, depth=0.5).force[2], 1500)

    def test_scenarios(self):
        scenario = {
            "fender": 1, "integrator": {"method": "rk4", "step": "0.5 ms"}, "run": {"until": "0.3 s"},
            "contact_types": {"spring": {"law": "spring_in_python", "stiffness": "20 kN/m", "damping": "30 N*s/m"}},
            "rules": [{"default": "spring"}],
            "bodies": {"ground": {"motion": "fixed", "shapes": {"top": {"plane": {}}}},
                       "ball": {"mass_properties": {"mass": "1 kg", "inertia": [0.1, 0.1, 0.1]},
                                "shapes": {"hull": {"sphere": {"radius": "0.1 m"}}},
                                "state": {"position": [0, 0, 0.2], "velocity": [0, 0, -1]}}},
            "record": {"log": {"file": "log.csv", "every": "1 ms", "channels": ["bodies.ball.position.z"]}},
        }
        run = fender.run(scenario, laws=[python_law()])
        plain = fender.run(dict(scenario, contact_types={"spring": dict(scenario["contact_types"]["spring"], law="spring_damper")}))
        self.assertEqual(run.status, "OK")
        self.assertTrue(np.allclose(run.channels["bodies.ball.position.z"], plain.channels["bodies.ball.position.z"], rtol=1e-14,
                                    atol=1e-14))
        with self.assertRaisesRegex(fender.Error, "spring_in_python"):
            fender.run(scenario)
        for change, words in ((dict(stiffness="20 kN"), "20 kN"), (dict(damping=-1), "0 N s/m or more"), (dict(damp=1), "damp")):
            wrong = dict(scenario, contact_types={"spring": dict(scenario["contact_types"]["spring"], **change)})
            with self.assertRaisesRegex(fender.Error, words):
                fender.run(wrong, laws=[python_law()])
        world = fender.World.of(fender.Scenario(scenario, laws=[python_law()]))
        gc.collect()
        world.advance_to(0.3)  # the world keeps the law
        self.assertAlmostEqual(world.channel("bodies.ball.position.z"), run.channels["bodies.ball.position.z"][-1], 14)

        @fender.law(name="spring_in_python", parameters=PARAMETERS)
        def fails(depth, time, stiffness, damping):
            return stiffness * depth / (time < 0.12) if depth > 0 else 0.0
        with self.assertRaises(ZeroDivisionError):
            fender.run(scenario, laws=[fails])

    def test_exceptions_stop_the_step(self):
        for threads in (1, 2):
            @fender.law(parameters=PARAMETERS)
            def fails(depth, time, stiffness, damping):
                if time > 0.05:
                    raise KeyError("on purpose")
                return stiffness * depth if depth > 0 else 0.0
            world = world_with(fails, threads=threads, balls=80 if threads > 1 else 1)
            for call in (lambda: world.advance(1000), world.step, lambda: world.advance_to(1.0)):
                with self.assertRaisesRegex(KeyError, "on purpose"):
                    call()
                self.assertLess(world.time, 0.0501)
                self.assertGreater(world.time, 0.0498)
            other = world_with("spring_damper")  # no exception is left for it
            other.advance(1000)
        energy = fender.law(name="energy", parameters={"k": "N/m"}, energy=lambda depth: 1 / 0)(lambda depth, k: k * depth)
        world = world_with(energy, k=1e4)
        with self.assertRaises(ZeroDivisionError):
            world.advance(1000)
        world = world_with(fender.law(name="nan")(lambda depth: math.nan), **{"law_parameters": {}})
        with self.assertRaisesRegex(fender.Error, "nan"):
            world.advance(1000)

    def test_threads_of_one_world(self):
        """The bits are the same when several threads of the library call the function."""
        law = python_law()
        hashes = set()
        for threads in (1, 3):
            world = world_with(law, threads=threads, balls=100)
            world.advance(210)
            self.assertEqual(len(world.contacts()), 100)
            hashes.add(world.hash)
        self.assertEqual(len(hashes), 1)

    def test_refusals(self):
        cases = [
            (lambda: fender.law()(lambda deep: 1), "deep"), (lambda: fender.law()(lambda *depth: 1), "place"),
            (lambda: fender.law(kind="hole")(lambda depth: 1), "whole"), (lambda: fender.law(kind=[])(lambda depth: 1), "0"),
            (lambda: fender.law(parameters={"k": {"units": "N"}})(lambda k: 1), "units"),
            (lambda: fender.law(parameters={"k": "N/furlong"})(lambda k: 1), "furlong"),
            (lambda: fender.law(parameters={"k": 5})(lambda k: 1), "unit"),
            (lambda: fender.law(energy=lambda deep: 1, name="x")(lambda depth: 1), "deep"),
            (lambda: fender.native_law(0, name="x"), "address"),
            (lambda: fender.law_force(fender.law(name="x")(lambda depth: 1), {"k": 1}), "k"),
            (lambda: fender.law_force("spring_damper", {"stiffness": 1}, dept=1), "depth"),
            (lambda: fender.law_force("sprng"), "sprng"),
            (lambda: fender.World().create_contact_type(name="x", law=python_law(), stiffnes=1), "stiffness"),
        ]
        for number, (call, words) in enumerate(cases):
            with self.subTest(number=number):
                with self.assertRaises((fender.Error, TypeError)) as caught:
                    call()
                self.assertIn(words, str(caught.exception))

    def test_lifetimes(self):
        law = python_law()
        world = world_with(law)
        held = weakref.ref(law)
        del law
        gc.collect()
        self.assertIsNotNone(held())
        world.advance(500)
        world.close()
        gc.collect()
        self.assertIsNone(held())

        def circle():
            known = []
            law = fender.law(name="circle", parameters={"k": "N/m"})(lambda depth, k: k * depth * len(known))
            known.append(world_with(law, k=1))
            return weakref.ref(known[0]), weakref.ref(law)
        references = circle()
        gc.collect()
        self.assertEqual([reference() for reference in references], [None, None])

    def test_warned_once(self):
        law, other = python_law(), compiled_law()
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            world_with(law), world_with(law), world_with(other)
        self.assertEqual(len([w for w in told if "spring_in_python" in str(w.message)]), 1)
        self.assertEqual(len(told), 1)


class Long(unittest.TestCase):
    def test_numba(self):
        if importlib.util.find_spec("numba") is None:
            self.skipTest("python3-numba is missing")
        import numba
        depth_at, rate_at = fender.LAW_INPUT["depth"], fender.LAW_INPUT["depth_rate"]
        force_at, power_at = fender.LAW_OUTPUT["force"].start + 2, fender.LAW_OUTPUT["damping_power"]

        @numba.cfunc("void(CPointer(double), CPointer(double), voidptr, CPointer(double))")
        def force(p, contact, memory, out):
            elastic = p[0] * max(contact[depth_at], 0.0)
            out[force_at] = max(elastic + p[1] * contact[rate_at], 0.0)
            out[power_at] = (out[force_at] - elastic) * contact[rate_at]

        @numba.cfunc("double(CPointer(double), CPointer(double), voidptr)")
        def energy(p, contact, memory):
            return p[0] * contact[depth_at] ** 2 / 2 if contact[depth_at] > 0 else 0.0
        Laws.agree(self, fender.native_law(force, name="of_numba", parameters=PARAMETERS, energy=energy))

    def test_cffi(self):
        """By a callback of cffi, which is slow, and by the address of a function in a library."""
        if importlib.util.find_spec("cffi") is None:
            self.skipTest("python3-cffi is missing")
        import cffi
        compiled_law()
        ffi = cffi.FFI()
        ffi.cdef("void force(const double *, const double *, const void *, double *);"
                 "double energy(const double *, const double *, const void *);")
        library = ffi.dlopen("./spring.so")
        Laws.agree(self, fender.native_law(int(ffi.cast("uintptr_t", library.force)), name="of_cffi", parameters=PARAMETERS,
                                           energy=int(ffi.cast("uintptr_t", library.energy))))

        @ffi.callback("void(const double *, const double *, const void *, double *)")
        def force(p, contact, memory, out):
            elastic, rate = p[0] * max(contact[fender.LAW_INPUT["depth"]], 0.0), contact[fender.LAW_INPUT["depth_rate"]]
            total = max(elastic + p[1] * rate, 0.0)
            out[fender.LAW_OUTPUT["force"].start + 2] = total
            out[fender.LAW_OUTPUT["damping_power"]] = (total - elastic) * rate
        law = fender.native_law(int(ffi.cast("uintptr_t", force)), name="by_callback", parameters=PARAMETERS)
        self.assertTrue(np.allclose(forces(law), forces("spring_damper"), rtol=1e-14, atol=0))

    def test_many(self):
        warnings.simplefilter("ignore", fender.Warning)
        for i in range(300):  # one after another: their places are free again
            world_with(python_law(), threads=1).advance(3)
        gc.collect()

        def stiffer(times):
            return fender.law(name=f"law{times}", parameters={"k": "N/m"})(lambda depth, k: times * k * max(depth, 0.0))
        laws = [stiffer(1 + i) for i in range(64)]
        worlds = [world_with(law, k=1e3) for law in laws]
        with self.assertRaisesRegex(fender.Error, "64 laws"):
            python_law("one_more")
        for world in worlds:
            world.advance(200)
        speeds = [world.bodies[1].velocity[2] for world in worlds]
        self.assertEqual(sorted(speeds), speeds)  # each has its own law
        self.assertEqual(len(set(speeds)), 64)
        del laws, worlds, world
        gc.collect()
        python_law("one_more")


if __name__ == "__main__":
    sys.exit(unittest.main())
