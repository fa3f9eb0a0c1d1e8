/* The tumbling body in Bullet, double precision. */
#include "tumbling.h"
#include <btBulletDynamicsCommon.h>

namespace
{

struct body {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btEmptyShape shape;
    btRigidBody *rigid = nullptr;
    double step = 0;
};

void *create_with(const tumbling_start *start, int flags)
{
    body *b = new body;
    const double *I = start->moments, *w = start->angular_velocity;
    b->step = start->step;
    b->world.setGravity(btVector3(0, 0, 0));
    b->rigid = new btRigidBody(
        btRigidBody::btRigidBodyConstructionInfo(1, nullptr, &b->shape, btVector3(I[0], I[1], I[2])));
    b->rigid->setAngularVelocity(btVector3(w[0], w[1], w[2]));
    b->rigid->setActivationState(DISABLE_DEACTIVATION);
    b->rigid->setDamping(0, 0);
    b->rigid->setFlags(flags);
    b->world.addRigidBody(b->rigid);
    return b;
}

void *create_body(const tumbling_start *start) { return create_with(start, BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY); }
void *create_world(const tumbling_start *start)
{
    return create_with(start, BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD);
}

void advance(void *of, int steps)
{
    body *b = static_cast<body *>(of);
    for (int i = 0; i < steps; i++) b->world.stepSimulation(b->step, 0);
}

void read_state(void *of, double attitude[4], double angular_velocity[3])
{
    body *b = static_cast<body *>(of);
    const btTransform &pose = b->rigid->getWorldTransform();
    btQuaternion q = pose.getRotation();
    attitude[0] = q.w(), attitude[1] = q.x(), attitude[2] = q.y(), attitude[3] = q.z();
    btVector3 w = pose.getBasis().transpose() * b->rigid->getAngularVelocity();
    for (int i = 0; i < 3; i++) angular_velocity[i] = w[i];
}

void destroy(void *of)
{
    body *b = static_cast<body *>(of);
    b->world.removeRigidBody(b->rigid);
    delete b->rigid;
    delete b;
}

} // namespace

const tumbling_peer tumbling_bullet[] = {
    {"Bullet, implicit (body)", create_body, advance, read_state, destroy},
    {"Bullet, implicit (world)", create_world, advance, read_state, destroy},
    {},
};
