"""Two spheres meet head on: the smallest whole program with a world. samples/c/two_spheres.c is the same in C."""
import fender

with fender.World() as world:  # no gravity, RK4, 10 ms
    # How steel meets steel: a law with its parameters.
    steel = world.create_material("steel")
    push = world.create_contact_type(name="steel_on_steel", law="spring_damper", stiffness=3502.5, damping=70.05)
    world.rule(steel, steel, push)

    ball = fender.geometry.sphere(1.0)
    for name, position, velocity in (("veh1", 0, 0), ("veh2", 12, -2)):
        body = world.create_body(name=name, mass=100, inertia=[40, 40, 40], position=[position, 0, 0],
                                 velocity=[velocity, 0, 0])
        body.create_shape(name="hull", geometry=ball, material=steel)
    world.initialize()

    while world.time < 9.995:
        world.step()
        for event in world.events:
            kind = fender.EventKind(event.kind).name.lower()
            print(f"{kind:<7} at {event.time:.2f} s, speed {-event.contact.depth_rate:+.5f} m/s")
    for body in world.bodies:
        print(f"{body.name} moves at {body.velocity[0]:+.5f} m/s")
    print("momentum drift", "below" if world.ledger.linear_drift < 1e-12 else "above", "1e-12 N*s")
