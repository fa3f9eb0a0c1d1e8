/* The tumbling body in Simbody. */
#include "tumbling.h"
#include <Simbody.h>

namespace
{

struct body {
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter{system};
    SimTK::MobilizedBody::Free free;
    SimTK::Integrator *integrator = nullptr;
    SimTK::TimeStepper *stepper = nullptr;
    double step = 0;
    long count = 0;
};

/* accuracy 0: the fixed-step method */
void *create_with(const tumbling_start *start, double accuracy)
{
    body *b = new body;
    const double *I = start->moments, *w = start->angular_velocity;
    b->step = start->step;
    SimTK::Body::Rigid rigid(SimTK::MassProperties(1, SimTK::Vec3(0), SimTK::Inertia(I[0], I[1], I[2])));
    b->free = SimTK::MobilizedBody::Free(b->matter.Ground(), SimTK::Transform(), rigid, SimTK::Transform());
    SimTK::State state = b->system.realizeTopology();
    b->system.realizeModel(state);
    b->free.setUToFitAngularVelocity(state, SimTK::Vec3(w[0], w[1], w[2]));
    if (accuracy > 0) {
        b->integrator = new SimTK::RungeKuttaMersonIntegrator(b->system);
        b->integrator->setAccuracy(accuracy);
    } else {
        b->integrator = new SimTK::SemiExplicitEulerIntegrator(b->system, start->step);
    }
    b->stepper = new SimTK::TimeStepper(b->system, *b->integrator);
    b->stepper->initialize(state);
    return b;
}

void *create_euler(const tumbling_start *start) { return create_with(start, 0); }
/* The state is wanted after every step, so that these are its steps: a finer accuracy gives the same figures. */
void *create_merson(const tumbling_start *start) { return create_with(start, 1e-4); }

void advance(void *of, int steps)
{
    body *b = static_cast<body *>(of);
    for (int i = 0; i < steps; i++) b->stepper->stepTo(static_cast<double>(++b->count) * b->step);
}

void read_state(void *of, double attitude[4], double angular_velocity[3])
{
    body *b = static_cast<body *>(of);
    const SimTK::State &state = b->stepper->getState();
    b->system.realize(state, SimTK::Stage::Velocity);
    SimTK::Rotation R = b->free.getBodyRotation(state);
    SimTK::Quaternion q = R.convertRotationToQuaternion();
    SimTK::Vec3 w = ~R * b->free.getBodyAngularVelocity(state);
    for (int i = 0; i < 4; i++) attitude[i] = q[i];
    for (int i = 0; i < 3; i++) angular_velocity[i] = w[i];
}

void destroy(void *of)
{
    body *b = static_cast<body *>(of);
    delete b->stepper;
    delete b->integrator;
    delete b;
}

} // namespace

const tumbling_peer tumbling_simbody[] = {
    {"Simbody, semi-explicit Euler", create_euler, advance, read_state, destroy},
    {"Simbody, RK-Merson 1e-4", create_merson, advance, read_state, destroy},
    {},
};
