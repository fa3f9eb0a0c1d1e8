"""The calls whose cost scripts/measure_python counts. usage: costs.py SCENARIO CASE COUNT"""
import sys

import fender

scenario, case, count = sys.argv[1], sys.argv[2], int(sys.argv[3])


@fender.controller("50 Hz", name="descent", outputs={"lift": "loads.engine.force.z"},
                   inputs={"height": "bodies.lander.position.z", "climb": "bodies.lander.velocity.z"})
def descent(time, height, climb):
    """What the scenario's own controller does."""
    return min(max(200 - 2000 * climb, 0.0), 4000.0)


if case in ("step", "advance", "state"):
    world = fender.World.of(scenario)
    if case == "step":
        for _ in range(count):
            world.step()
    elif case == "advance":
        for _ in range(count):
            world.advance(1000)
    else:
        for _ in range(count):
            world.get_state()
    print(world.hash)
else:  # whole runs
    for _ in range(count):
        if case == "landing":
            run = fender.run(scenario)
        else:
            run = fender.run(scenario, controllers=[descent])
    if count:
        print(run.hash)
