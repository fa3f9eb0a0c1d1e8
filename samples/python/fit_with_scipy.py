"""SciPy finds the parameters of a contact from two measurements: a pad of 12 kg that lands at 0.8 m/s sinks 9 mm into
its ground and leaves it at 0.15 m/s.

The law is Hunt and Crossley's with an exponent of 1.5. Each trial is an impact in a world of its own, in the library's
accuracy; the found parameters are then those of an independent search, `fender size`."""
import fender
from scipy.optimize import least_squares

MASS, SPEED = 12.0, 0.8
MEASURED = {"peak depth": 9e-3, "rebound": 0.15}


def land(stiffness, dissipation):
    """Peak depth [m] and rebound [m/s]; a ball on a plane without gravity."""
    world = fender.World(step=1e-3, method="dop853")
    world.default_rule(world.create_contact_type(name="pad", law="hunt_crossley", stiffness=stiffness,
                                                 dissipation=dissipation, exponent=1.5))
    ground = world.create_body(name="ground", motion="fixed")
    ground.create_shape(name="plane", geometry=fender.geometry.plane())
    pad = world.create_body(name="pad", mass=MASS, inertia=[0.1, 0.1, 0.1], position=[0, 0, 0.2], velocity=[0, 0, -SPEED])
    pad.create_shape(name="ball", geometry=fender.geometry.sphere(0.2))
    world.initialize()
    for _ in range(1000):
        world.advance(10)
        ended = [event.contact for event in world.events if event.kind == fender.EventKind.END]
        if ended:
            return ended[0].peak_depth, -ended[0].depth_rate
    raise SystemExit("the pad does not leave the ground")


def misses(guess):  # of parameters in units that make them near 1
    depth, rebound = land(1e6 * guess[0], guess[1])
    return depth / MEASURED["peak depth"] - 1, rebound / MEASURED["rebound"] - 1


found = least_squares(misses, (1, 1), bounds=(1e-3, 100), xtol=1e-12, ftol=1e-12, gtol=1e-12)
stiffness, dissipation = 1e6 * found.x[0], found.x[1]
depth, rebound = land(stiffness, dissipation)
print(f"stiffness {stiffness:.4g} N/m^1.5, dissipation {dissipation:.4g} s/m after {found.nfev} impacts and gradients")
print(f"peak depth {1e3 * depth:.4f} mm, rebound {rebound:.5f} m/s")
