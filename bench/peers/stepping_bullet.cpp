/* Balls, capsules, cubes and planes in Bullet, double precision. */
#include "stepping.h"
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>
#include <vector>

namespace
{

struct world {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    double step = 0;
};

btVector3 vector(const double *v) { return btVector3(v[0], v[1], v[2]); }

void add(world *w, const stepping_scene *scene, const btRigidBody::btRigidBodyConstructionInfo &info, bool soft)
{
    w->bodies.emplace_back(new btRigidBody(info));
    btRigidBody *body = w->bodies.back().get();
    body->setFriction(std::sqrt(scene->friction)); /* the product of both counts */
    body->setRestitution(soft ? 0 : std::sqrt(scene->restitution));
    if (soft) body->setContactStiffnessAndDamping(2 * scene->stiffness, 2 * scene->damping);
    body->setActivationState(DISABLE_DEACTIVATION);
    body->setDamping(0, 0);
    body->setFlags(BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
    w->dynamics.addRigidBody(body);
}

void *create(const stepping_scene *scene, bool soft)
{
    world *w = new world;
    w->step = scene->step;
    w->dynamics.setGravity(vector(scene->gravity));
    btCollisionShape *shape = nullptr;
    for (int i = 0; i < scene->body_count; i++) {
        const stepping_body &b = scene->bodies[i];
        if (i == 0) { /* all have the same */
            if (b.half_size > 0) shape = new btBoxShape(btVector3(b.half_size, b.half_size, b.half_size));
            else if (b.half_length > 0) shape = new btCapsuleShapeZ(b.radius, 2 * b.half_length);
            else shape = new btSphereShape(b.radius);
            w->shapes.emplace_back(shape);
            if (b.foot_count > 0) {
                btCompoundShape *feet = new btCompoundShape;
                for (int k = 0; k < b.foot_count; k++)
                    feet->addChildShape(btTransform(btQuaternion::getIdentity(), vector(b.feet[k])), shape);
                shape = feet;
                w->shapes.emplace_back(shape);
            }
        }
        btRigidBody::btRigidBodyConstructionInfo info(b.mass, nullptr, shape, vector(b.moments));
        const double *q = b.attitude;
        info.m_startWorldTransform = btTransform(btQuaternion(q[1], q[2], q[3], q[0]), vector(b.position));
        add(w, scene, info, soft);
        w->bodies.back()->setLinearVelocity(vector(b.velocity));
        w->bodies.back()->setAngularVelocity(vector(b.turning));
    }
    for (int i = 0; i < scene->plane_count; i++) {
        const stepping_plane &p = scene->planes[i];
        w->shapes.emplace_back(new btStaticPlaneShape(vector(p.normal), p.offset));
        add(w, scene, btRigidBody::btRigidBodyConstructionInfo(0, nullptr, w->shapes.back().get()), soft);
    }
    return w;
}

void *create_hard(const stepping_scene *scene) { return create(scene, false); }
void *create_soft(const stepping_scene *scene) { return create(scene, true); }

void advance(void *of, int steps)
{
    world *w = static_cast<world *>(of);
    for (int i = 0; i < steps; i++) w->dynamics.stepSimulation(w->step, 0);
}

void read_state(void *of, int body, double position[3], double velocity[3])
{
    const btRigidBody *b = static_cast<world *>(of)->bodies[static_cast<size_t>(body)].get();
    for (int i = 0; i < 3; i++) {
        position[i] = b->getWorldTransform().getOrigin()[i];
        velocity[i] = b->getLinearVelocity()[i];
    }
}

void destroy(void *of)
{
    world *w = static_cast<world *>(of);
    for (auto &body : w->bodies) w->dynamics.removeRigidBody(body.get());
    w->bodies.clear();
    delete w;
}

} // namespace

const stepping_peer stepping_bullet[] = {
    {"Bullet, 10 iterations", 2, 100000, create_hard, advance, nullptr, read_state, destroy},
    {"Bullet, contact stiffness", 2, 100000, create_soft, advance, nullptr, read_state, destroy},
    {},
};
