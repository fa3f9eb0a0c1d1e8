"""Properties of contacts for many inputs, which Hypothesis chooses, against closed forms."""
import math
import sys
import unittest

import numpy as np

import fender

try:
    from hypothesis import assume, given, settings, strategies as st
except ImportError:
    print("skipped: python3-hypothesis is missing")
    sys.exit(77)

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=40, database=None)
settings.load_profile("repeatable")


def numbers(least, most):
    return st.floats(least, most, allow_nan=False, allow_subnormal=False)


def pair(masses, stiffness, damping, speed, radii, direction, offset):
    """Two spheres that meet head on along a direction, without gravity."""
    world = fender.World(method="dop853", relative_tolerance=1e-11, locate_events=True)
    world.default_rule(world.create_contact_type(name="spring", law="spring_damper", stiffness=stiffness, damping=damping))
    gap = sum(radii) + 0.1
    for name, mass, radius, along, rate in zip("ab", masses, radii, (0.0, gap), (0.0, -speed)):
        body = world.create_body(name=name, mass=mass, inertia=np.full(3, 0.4 * mass * radius**2),
                                 position=offset + along * direction, velocity=rate * direction)
        body.create_shape(name="hull", geometry=fender.geometry.sphere(radius))
    world.initialize()
    return world


def unit(angles):
    return np.array([math.cos(angles[0]) * math.cos(angles[1]), math.sin(angles[0]) * math.cos(angles[1]), math.sin(angles[1])])


class Properties(unittest.TestCase):
    @given(st.tuples(numbers(0.1, 1e3), numbers(0.1, 1e3)), numbers(1e2, 1e6), numbers(0.01, 5),
           st.tuples(numbers(0.05, 2), numbers(0.05, 2)), st.tuples(numbers(-3, 3), numbers(-1.5, 1.5)),
           st.tuples(*[numbers(-100, 100)] * 3))
    def test_elastic_meeting(self, masses, stiffness, speed, radii, angles, offset):
        """Duration, peak force and exchange of velocities of an undamped spring, in any direction and place."""
        direction = unit(angles)
        reduced = masses[0] * masses[1] / sum(masses)
        assume(speed * math.sqrt(reduced / stiffness) < 0.5 * sum(radii))  # deeper, the centres would pass each other
        world = pair(masses, stiffness, 0.0, speed, radii, direction, np.array(offset))
        duration = math.pi * math.sqrt(reduced / stiffness)
        world.advance_to(0.1 / speed + duration + 0.01)
        begin, end = world.events.time[0], world.events.time[-1]
        self.assertAlmostEqual(begin / (0.1 / speed), 1, 7)
        self.assertAlmostEqual((end - begin) / duration, 1, 6)
        self.assertAlmostEqual(world.events.contact.peak_force[-1] / (speed * math.sqrt(stiffness * reduced)), 1, 6)
        after = world.states().velocity @ direction
        center = -speed * masses[1] / sum(masses)
        self.assertTrue(np.allclose(after, [2 * center, 2 * center + speed], rtol=0, atol=1e-7 * speed))
        self.assertLess(abs(world.ledger.residual), 1e-8 * world.ledger.scale)

    @given(numbers(0.5, 50), numbers(1e3, 1e5), numbers(0.0, 0.5), numbers(0.1, 3))
    def test_damped_meeting(self, mass, stiffness, ratio, speed):
        """A damped spring loses energy, and momentum stays."""
        assume(speed * math.sqrt(mass / 2 / stiffness) < 0.5)
        damping = 2 * ratio * math.sqrt(stiffness * mass / 2)
        world = pair((mass, mass), stiffness, damping, speed, (0.5, 0.5), np.array([1.0, 0, 0]), np.zeros(3))
        world.advance_to(0.1 / speed + 4 * math.pi * math.sqrt(mass / stiffness))
        velocity = world.states().velocity[:, 0]
        self.assertAlmostEqual(velocity.sum() / -speed, 1, 10)
        rebound = (velocity[1] - velocity[0]) / speed
        self.assertTrue(-1e-9 < rebound < 1 + 1e-9)
        lost = 0.25 * mass * speed**2 * (1 - rebound**2)
        self.assertAlmostEqual((world.ledger.damping - lost) / (0.25 * mass * speed**2), 0, 6)

    @given(numbers(0.2, 3), numbers(0.5, 20))
    def test_free_fall(self, height, gravity):
        world = fender.World(step=2.0**-10, gravity=[0, 0, -gravity])
        body = world.create_body(name="a", mass=1, inertia=[1, 1, 1], position=[0, 0, height])
        world.initialize()
        world.advance_to(0.5)
        self.assertAlmostEqual(body.position[2], height - gravity / 8, 11)
        self.assertAlmostEqual(body.velocity[2], -gravity / 2, 11)

    @given(st.lists(st.tuples(*[numbers(-5, 5)] * 3), min_size=4, max_size=30))
    def test_hulls_hold_their_points(self, points):
        hull = fender.geometry.hull(np.array(points))
        for point in points:
            nearest = hull.nearest_point([0, 0, 0], point, math.inf)
            self.assertLess(nearest.distance, 1e-9 * (1 + np.abs(points).max()))


if __name__ == "__main__":
    unittest.main()
