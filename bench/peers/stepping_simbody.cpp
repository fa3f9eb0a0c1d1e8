/* Balls and planes in Simbody, with its compliant contact. */
#include "stepping.h"
#include <Simbody.h>
#include <vector>

namespace
{

struct world {
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter{system};
    SimTK::GeneralForceSubsystem forces{system};
    SimTK::ContactTrackerSubsystem tracker{system};
    SimTK::CompliantContactSubsystem contact{system, tracker};
    std::vector<SimTK::MobilizedBody> bodies;
    SimTK::Integrator *integrator = nullptr;
    SimTK::TimeStepper *stepper = nullptr;
    double step = 0;
    long count = 0;
};

SimTK::Vec3 vector(const double *v) { return SimTK::Vec3(v[0], v[1], v[2]); }

void *create(const stepping_scene *scene)
{
    world *w = new world;
    w->step = scene->step;
    w->system.setUseUniformBackground(true);
    w->contact.setTransitionVelocity(1e-2);
    SimTK::Vec3 gravity = vector(scene->gravity);
    if (gravity.norm() > 0) SimTK::Force::UniformGravity(w->forces, w->matter, gravity);
    /* its law is that of Hertz: a modulus that makes it about as stiff; more of it, or of damping, and the piles
     * explode */
    SimTK::ContactMaterial material(5 * scene->stiffness, scene->restitution > 0 ? 0.5 : 2, scene->friction,
                                    scene->friction, 0);
    for (int i = 0; i < scene->body_count; i++) {
        const stepping_body &b = scene->bodies[i];
        SimTK::Body::Rigid rigid(
            SimTK::MassProperties(b.mass, SimTK::Vec3(0), SimTK::Inertia(b.moments[0], b.moments[1], b.moments[2])));
        double center[1][3] = {{0, 0, 0}};
        double(*balls)[3] = b.foot_count > 0 ? b.feet : center;
        for (int k = 0; k < (b.foot_count > 0 ? b.foot_count : 1); k++)
            rigid.addContactSurface(SimTK::Transform(vector(balls[k])),
                                    SimTK::ContactSurface(SimTK::ContactGeometry::Sphere(b.radius), material));
        w->bodies.push_back(
            SimTK::MobilizedBody::Free(w->matter.Ground(), SimTK::Transform(), rigid, SimTK::Transform()));
    }
    for (int i = 0; i < scene->plane_count; i++) {
        const stepping_plane &p = scene->planes[i];
        SimTK::Rotation R(SimTK::UnitVec3(-vector(p.normal)), SimTK::XAxis); /* it is solid where x > 0 */
        w->matter.Ground().updBody().addContactSurface(
            SimTK::Transform(R, p.offset * vector(p.normal)),
            SimTK::ContactSurface(SimTK::ContactGeometry::HalfSpace(), material));
    }
    SimTK::State state = w->system.realizeTopology();
    w->system.realizeModel(state);
    for (int i = 0; i < scene->body_count; i++) {
        const stepping_body &b = scene->bodies[i];
        const double *q = b.attitude;
        SimTK::MobilizedBody &body = w->bodies[static_cast<size_t>(i)];
        body.setQToFitTransform(
            state, SimTK::Transform(SimTK::Rotation(SimTK::Quaternion(q[0], q[1], q[2], q[3])), vector(b.position)));
        body.setUToFitVelocity(state, SimTK::SpatialVec(vector(b.turning), vector(b.velocity)));
    }
    w->integrator = new SimTK::SemiExplicitEulerIntegrator(w->system, scene->step);
    w->stepper = new SimTK::TimeStepper(w->system, *w->integrator);
    w->stepper->initialize(state);
    return w;
}

void advance(void *of, int steps)
{
    world *w = static_cast<world *>(of);
    for (int i = 0; i < steps; i++) w->stepper->stepTo(static_cast<double>(++w->count) * w->step);
}

void read_state(void *of, int body, double position[3], double velocity[3])
{
    world *w = static_cast<world *>(of);
    const SimTK::State &state = w->stepper->getState();
    w->system.realize(state, SimTK::Stage::Velocity);
    SimTK::Vec3 p = w->bodies[static_cast<size_t>(body)].getBodyOriginLocation(state);
    SimTK::Vec3 v = w->bodies[static_cast<size_t>(body)].getBodyOriginVelocity(state);
    for (int i = 0; i < 3; i++) position[i] = p[i], velocity[i] = v[i];
}

void destroy(void *of)
{
    world *w = static_cast<world *>(of);
    delete w->stepper;
    delete w->integrator;
    delete w;
}

} // namespace

const stepping_peer stepping_simbody[] = {
    {"Simbody, semi-explicit Euler", 0, 2000, create, advance, nullptr, read_state, destroy},
    {},
};
