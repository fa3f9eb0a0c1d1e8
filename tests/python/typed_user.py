"""Uses the package as a program with types does. Checked by mypy --strict, never run."""
from typing import List

import numpy as np

import fender

run = fender.run("a.yaml", set={"integrator.step": "1 ms"}, channels=["bodies.*.velocity"])
velocity: fender.Channel = run.channels["bodies.veh1.velocity"]
digits: str = run.hash
peaks: List[float] = [float(peak) for peak in run.episodes.peak_force]

with fender.World(step="1 ms", gravity=[0, 0, -9.81]) as world:
    steel = world.create_material("steel")
    spring = world.create_contact_type(name="spring", law="spring_damper", stiffness=1e4)
    world.rule(steel, steel, spring)
    ball = world.create_body(name="ball", mass="2 kg", inertia=[1, 1, 1], position=np.zeros(3))
    shape: fender.Shape = ball.create_shape(name="hull", geometry=fender.geometry.sphere(1.0), material=steel)
    world.initialize()
    world.advance_to(0.5)
    height: float = float(ball.position[2])
    kind: fender.EventKind = fender.EventKind.BEGIN
    world.gravity = [0, 0, -1.62]
    names: List[str] = [body.name for body in world.bodies]
    print(world.states().position, world.contacts("evaluated"), ball.get().position, world.step_count + 1)
    snapshot: fender.Snapshot = world.snapshot()
    world.restore(snapshot)
    growth: float = float(world.advance_tangent(1.0, np.eye(12))[2, 8] + world.linearize()[8, 2])


@fender.controller("50 Hz", inputs={"height": "bodies.ball.position.z"}, outputs={"lift": "loads.jet.force.z"})
def hover(time: float, height: float) -> float:
    return 9.81 - height


@fender.law(parameters={"stiffness": "N/m"}, energy=lambda depth, stiffness: float(stiffness * depth * depth / 2))
def spring_law(depth: float, stiffness: float) -> float:
    return stiffness * depth


fender.run("b.yaml", controllers=[hover], laws=[spring_law])
with fender.World() as other:
    other.create_contact_type(name="own", law=spring_law, stiffness="1 kN/m")
    force: float = float(fender.law_force(spring_law, {"stiffness": 1e3}, depth=0.1).force[2])
