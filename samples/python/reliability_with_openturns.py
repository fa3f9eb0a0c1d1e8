"""OpenTURNS asks how likely a slender lander tips over: a block of 0.6 m x 0.6 m x 1.2 m that sets down on the Moon with a
random speed to the side and a random rate of tilt.

Fender computes landings in batches on all cores (`fender.rollout`); OpenTURNS draws them, and stops when the probability
is known well enough."""
import fender
import numpy as np
import openturns as ot

SIZE, MASS = (0.6, 0.6, 1.2), 200.0


def make():
    world = fender.World(gravity=[0, 0, -1.62], step=2e-3)
    world.default_rule(world.create_contact_type(
        name="pad", normal="hunt_crossley", normal_parameters={"stiffness": 2e5, "dissipation": 0.8, "exponent": 1},
        friction="coulomb_static_kinetic",
        friction_parameters={"mu_static": 0.7, "mu_kinetic": 0.6, "stiffness": 1e5, "damping": 2000, "stick_speed": 5e-3}))
    ground = world.create_body(name="ground", motion="fixed")
    ground.create_shape(name="plane", geometry=fender.geometry.plane())
    x, y, z = SIZE
    inertia = [MASS / 12 * (y * y + z * z), MASS / 12 * (x * x + z * z), MASS / 12 * (x * x + y * y)]
    lander = world.create_body(name="lander", mass=MASS, inertia=inertia, position=[0, 0, z / 2 + 0.02],
                               velocity=[0, 0, -0.5])
    lander.create_shape(name="block", geometry=fender.geometry.box([x / 2, y / 2, z / 2]))
    world.initialize()
    return world


start = make().get_state()
inertia_y = MASS / 12 * (SIZE[0] ** 2 + SIZE[2] ** 2)


def tilts(inputs):
    """Cosine of the tilt after 4 s, for each row of (speed to the side [m/s], rate about y [rad/s])."""
    inputs = np.array(inputs)
    states = np.repeat(start[None, :], len(inputs), axis=0)
    states[:, 7] = inputs[:, 0]  # velocity along x
    states[:, 11] = inertia_y * inputs[:, 1]  # angular momentum about y
    attitude = fender.rollout(make, states, times=[4.0], channels=["bodies.lander.attitude"])[:, 0, :]
    return (1 - 2 * (attitude[:, 1] ** 2 + attitude[:, 2] ** 2))[:, None]


ot.RandomGenerator.SetSeed(7)
inputs = ot.ComposedDistribution([ot.Normal(0.3, 0.15), ot.Normal(0.0, 0.1)])
upright = ot.CompositeRandomVector(ot.PythonFunction(2, 1, func_sample=tilts), ot.RandomVector(inputs))
tips = ot.ThresholdEvent(upright, ot.Less(), 0.5)
algorithm = ot.ProbabilitySimulationAlgorithm(tips, ot.MonteCarloExperiment())
algorithm.setBlockSize(50)
algorithm.setMaximumOuterSampling(10)
algorithm.setMaximumCoefficientOfVariation(0.2)
algorithm.run()
result = algorithm.getResult()
half = 0.5 * result.getConfidenceLength(0.95)
print(f"{result.getOuterSampling() * result.getBlockSize()} landings: probability to tip "
      f"{result.getProbabilityEstimate():.3f} +- {half:.3f}")
