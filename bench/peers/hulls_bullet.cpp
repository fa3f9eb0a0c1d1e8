/* Bullet (double precision) as a peer of the hull benchmark: GJK with EPA, margin 0 (the default inflates hulls). */
#include "../hulls/hulls.h"

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>
#include <vector>

namespace
{
struct peer {
    std::vector<btConvexHullShape *> shapes;
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
};

void *create(const hulls_shape *shapes, int count)
{
    peer *p = new peer;
    for (int i = 0; i < count; i++) {
        btConvexHullShape *s = new btConvexHullShape;
        for (int k = 0; k < shapes[i].vertex_count; k++) {
            const double *v = shapes[i].vertices[k];
            s->addPoint(btVector3(v[0], v[1], v[2]), false);
        }
        s->recalcLocalAabb();
        s->setMargin(0);
        p->shapes.push_back(s);
    }
    return p;
}

btTransform pose(const hulls_pose &x)
{
    btTransform t;
    t.setRotation(btQuaternion(x.q[1], x.q[2], x.q[3], x.q[0]));
    t.setOrigin(btVector3(x.p[0], x.p[1], x.p[2]));
    return t;
}

void query(void *data, const hulls_pair *pair, int, hulls_answer *answer)
{
    peer *p = static_cast<peer *>(data);
    btGjkPairDetector gjk(p->shapes[pair->a], p->shapes[pair->b], &p->simplex, &p->depth);
    btGjkPairDetector::ClosestPointInput in;
    in.m_transformA = pose(pair->pose_a);
    in.m_transformB = pose(pair->pose_b);
    btPointCollector out;
    gjk.getClosestPoints(in, out, nullptr);
    answer->found = out.m_hasResult;
    answer->distance = out.m_distance;
    for (int k = 0; k < 3; k++) answer->normal[k] = -out.m_normalOnBInWorld[k];
}

void release(void *data)
{
    peer *p = static_cast<peer *>(data);
    for (btConvexHullShape *s : p->shapes) delete s;
    delete p;
}
} // namespace

extern "C" const hulls_peer hulls_bullet = {"Bullet", true, true, create, query, release};
