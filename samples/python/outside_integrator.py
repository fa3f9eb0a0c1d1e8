"""A host that integrates by itself: Heun's method outside, contact from Fender. samples/c/outside_integrator.c is the same
in C.

Evaluation is pure: the host may ask for the derivative at any trial state, any number of times. Only commit moves contacts
on."""
import fender


def heun_step(world, time, h, y):
    world.set_state(time, y)
    k1 = world.derivative()
    world.set_state(time + h, y + h * k1)
    k2 = world.derivative()
    world.set_state(time + h, y + 0.5 * h * (k1 + k2))
    world.commit()
    return world.get_state()  # quaternions come back with unit length


world = fender.World(gravity=[0, 0, -9.81])
bouncy = world.create_contact_type(name="bouncy", law="spring_damper", stiffness=2e4, damping=20)
world.default_rule(bouncy)
ball = fender.geometry.sphere(0.1)
for name, motion, height in (("anvil", "fixed", 0), ("ball", "dynamic", 0.7)):  # a sphere above a fixed ball
    body = world.create_body(name=name, motion=motion, mass=1, inertia=[0.004, 0.004, 0.004], position=[0, 0, height])
    body.create_shape(name="hull", geometry=ball)
world.initialize()

y, h = world.get_state(), 1e-4
for step in range(10000):
    y = heun_step(world, step * h, h, y)
    for event in world.events:
        if event.kind == fender.EventKind.END:
            contact = event.contact
            print(f"bounce: touched at {contact.begin_time:.4f} s, left at {event.time:.4f} s, peak {contact.peak_force:.0f} N, "
                  f"rebound at {-contact.depth_rate / contact.approach_speed:.3f} of the approach")
ledger = world.ledger
print(f"lost in damping {ledger.damping:.3f} J, unaccounted {'below' if abs(ledger.residual) < 1e-3 else 'above'} 1 mJ")
