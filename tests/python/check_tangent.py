"""Derivatives of end states along one run: against closed forms, and against differences of accurate runs."""
import math
import unittest

import numpy as np

import fender

BALL = {"mass_properties": {"mass": 2, "inertia": [0.01, 0.012, 0.014]},
        "shapes": {"hull": {"sphere": {"radius": 0.1}, "position": [0.02, 0, 0.01]}}}
GROUND = {"motion": "fixed", "shapes": {"top": {"plane": {}}}}
FRICTION = {"law": "spring_damper", "stiffness": 1e4, "damping": 20, "mu": 0.3, "slip_speed": 0.1}
LEGS = {f"foot_{i}": {"sphere": {"radius": 0.1}, "position": place}
        for i, place in enumerate(([1, 1, -0.9], [-1, 1, -0.9], [-1, -1, -0.9], [1, -1, -0.9]))}
LANDER = {"mass_properties": {"mass": 100, "inertia": [30, 40, 50]}, "shapes": LEGS}


def maker(contact, bodies, gravity=(0, 0, -9.81), method="dop853", **integrator):
    scenario = fender.Scenario({
        "fender": 1, "world": {"gravity": list(gravity)}, "run": {"until": 1}, "contact_types": {"touch": contact},
        "integrator": {"method": method, "locate_events": True, **integrator}, "rules": [{"default": "touch"}],
        "bodies": bodies})
    return lambda: fender.World.of(scenario)


def with_state(body, **state):
    return {**body, "state": state}


class Agreement(unittest.TestCase):
    def check(self, make, time, tolerance, events, others=()):
        """The derivatives of both kinds agree to what the differences tell of their own errors, or to the tolerance."""
        world = make()
        world.advance_to(time)
        self.assertEqual([int(event.kind) for event in world.events].count(0), events)
        expected, errors = fender.jacobian(make, time=time, errors=True)
        self.assertLess(errors.max(), 1e-6)
        allowed = 3 * errors + tolerance * np.maximum(1, np.abs(expected))
        for other in (make, *others):
            found = fender.jacobian(other, time=time, method="tangent")
            self.assertLess((np.abs(found - expected) / allowed).max(), 1)


class Tangents(Agreement):
    def test_oblique_bounce_with_friction_and_spin(self):
        ball = with_state(BALL, position=[0, 0, 0.3], velocity=[0.5, 0.2, -1], angular_velocity=[1, 2, -3])
        accurate, pair = (maker(FRICTION, {"ground": GROUND, "ball": ball}, method=method, relative_tolerance=1e-12)
                          for method in ("dop853", "dopri5"))
        self.check(accurate, 0.3, 2e-9, 1, [pair])

    def test_balls_that_collide(self):
        other = with_state(BALL, position=[0.5, 0.07, 0.03], velocity=[-2, 0, 0], angular_velocity=[0, 2, 1])
        law = {"normal": {"law": "hunt_crossley", "stiffness": 1e5, "restitution": 0.7},
               "friction": {"law": "coulomb", "mu": 0.3, "slip_speed": 0.2}}
        self.check(maker(law, {"one": BALL, "other": other}, gravity=(0, 0, 0), relative_tolerance=1e-12), 0.3, 1e-8, 1)

    def test_fixed_steps_follow_the_motion(self):
        """Of rk4 with Hertz's law the derivative is nearer to that of the motion than differences of its runs are: these
        differentiate the errors of a step by its place on the grid."""
        ball = with_state(BALL, position=[0, 0, 0.3], velocity=[0.5, 0.2, -1])
        law, bodies = {"law": "hertz", "modulus": 1e6, "dissipation": 0.1}, {"ground": GROUND, "ball": ball}
        exact = fender.jacobian(maker(law, bodies, relative_tolerance=1e-12), time=0.25)
        rough = maker(law, bodies, method="rk4", step=5e-4)
        tangent = np.abs(fender.jacobian(rough, time=0.25, method="tangent") - exact).max()
        differences = np.abs(fender.jacobian(rough, time=0.25) - exact).max()
        self.assertLess(tangent, 1e-3)
        self.assertLess(tangent, 0.2 * differences)

    def test_quaternions_of_any_length(self):
        make = maker(FRICTION, {"ground": GROUND, "ball": BALL}, gravity=(0, 0, 0), method="rk4", step=1e-2)
        state = np.asarray(make().get_state())
        state[2], state[3:7], state[10:] = 5, [1.2, -0.4, 0.8, 0.6], [0.01, 0.03, 0.02]
        found = fender.jacobian(make, time=0.5, state=state, method="tangent")
        self.assertLess(np.abs(found - fender.jacobian(make, time=0.5, state=state)).max(), 1e-9)
        self.assertLess(np.abs(found[:, 3:7] @ state[3:7]).max(), 1e-12)  # a longer quaternion is the same attitude

    def test_modes_of_a_lander_on_its_legs(self):
        """Heave has the frequency sqrt(4 k / m). Pitch: feet at (+-a, +-a, -h) from the centre of mass, each with the load
        m g / 4 on frictionless ground: 4 k a^2 less what the load gives back by the lever to the contact, m g (h + r - d / 2)
        plus the change of its height, m g r ..., found by differences of the energy."""
        k, m, g, a, h, r = 2e4, 100, 9.81, 1, 0.9, 0.1
        sink = m * g / (4 * k)
        lander = with_state(LANDER, position=[0, 0, h + r - sink])
        world = maker({"law": "spring_damper", "stiffness": k}, {"ground": GROUND, "lander": lander})()

        def energy(angle):
            """About x, at the height of rest: m g z + sum k d^2 / 2, d = r - z of each foot."""
            feet = [h + r - sink + side * a * math.sin(angle) - h * math.cos(angle) for side in (-1, 1)]
            return sum(2 * 0.5 * k * (r - z) ** 2 for z in feet)
        e = 1e-3
        stiffness = (energy(e) - 2 * energy(0) + energy(-e)) / e**2
        matrix = world.linearize()
        frequencies = np.sort(np.abs(np.linalg.eigvals(matrix).imag))
        for expected in (math.sqrt(4 * k / m), math.sqrt(stiffness / 30), math.sqrt(stiffness / 40)):
            self.assertLess(np.abs(frequencies / expected - 1).min(), 1e-5)
        self.assertAlmostEqual(matrix[8, 2], -4 * k / m, 8)

    def test_refusals(self):
        make = maker({"law": "jkr", "modulus": 1e5, "work": 0.1}, {"ground": GROUND, "ball": BALL})
        with self.assertRaisesRegex(fender.Error, "ground.top:ball.hull"):
            fender.jacobian(make, time=0.1, method="tangent")
        with self.assertRaisesRegex(fender.Error, "differences, tangent"):
            fender.jacobian(make, time=0.1, method="adjoint")
        for shape in ((11,), (13, 12), (12, 2, 2)):
            with self.assertRaisesRegex(fender.Error, "12, columns"):
                make().advance_tangent(0.1, np.zeros(shape))


class Landers(Agreement):
    def test_lander_on_a_plane_and_on_a_grid(self):
        grid = {"motion": "fixed", "shapes": {"top": {"grid": {
            "spacing": [4, 4], "heights": [[0.1, 0.2, 0.1], [0, 0.3, 0.1], [0.2, 0.1, 0]]}, "position": [-3.3, -3.7, 0]}}}
        law = {**FRICTION, "stiffness": 5e4, "damping": 500}
        # 1e-13: the tolerance of dop853 controls the errors of the motion; those of its derivatives are 2.1e-9 at 1e-12.
        for ground, height, time in ((GROUND, 1.1, 0.18), (grid, 1.3, 0.1)):
            lander = with_state(LANDER, position=[0, 0, height], velocity=[0.3, 0.1, -1], angular_velocity=[0.2, 0.1, 0.3])
            self.check(maker(law, {"ground": ground, "lander": lander}, relative_tolerance=1e-13), time, 2e-9, 4 if ground is GROUND else 3)


if __name__ == "__main__":
    unittest.main()
