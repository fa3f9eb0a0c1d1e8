/* Bullet (double precision) as a peer of the surface benchmark: contactPairTest with a triangle mesh, no margins. */
#include "../surfaces/surfaces.h"

#include <btBulletCollisionCommon.h>

namespace
{
struct peer {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    btCollisionWorld world{&dispatcher, &broad, &configuration};
    btTriangleIndexVertexArray triangles;
    btBvhTriangleMeshShape *mesh;
    btCollisionShape *shapes[SURFACES_BODIES];
    btCollisionObject ground, body;
};

struct collect : btCollisionWorld::ContactResultCallback {
    surfaces_answer *answer;
    btScalar addSingleResult(btManifoldPoint &point, const btCollisionObjectWrapper *, int, int,
                             const btCollisionObjectWrapper *, int, int) override
    {
        if (point.getDistance() > 0) return 0;
        answer->contacts++;
        if (-point.getDistance() > answer->depth) answer->depth = -point.getDistance();
        return 0;
    }
};

void *create(const terrain *t, const surfaces_shape *shapes)
{
    peer *p = new peer;
    btIndexedMesh mesh;
    mesh.m_numTriangles = t->triangle_count;
    mesh.m_triangleIndexBase = reinterpret_cast<const unsigned char *>(t->triangles);
    mesh.m_triangleIndexStride = sizeof t->triangles[0];
    mesh.m_numVertices = t->vertex_count;
    mesh.m_vertexBase = reinterpret_cast<const unsigned char *>(t->vertices);
    mesh.m_vertexStride = sizeof t->vertices[0];
    mesh.m_vertexType = PHY_DOUBLE;
    p->triangles.addIndexedMesh(mesh, PHY_INTEGER);
    p->mesh = new btBvhTriangleMeshShape(&p->triangles, true, true);
    p->mesh->setMargin(0);
    p->shapes[0] = new btSphereShape(shapes[0].radius);
    p->shapes[1] = new btBoxShape(btVector3(shapes[1].half[0], shapes[1].half[1], shapes[1].half[2]));
    btConvexHullShape *hull = new btConvexHullShape;
    for (int i = 0; i < shapes[2].hull.vertex_count; i++) {
        const double *v = shapes[2].hull.vertices[i];
        hull->addPoint(btVector3(v[0], v[1], v[2]), false);
    }
    hull->recalcLocalAabb();
    hull->setMargin(0);
    p->shapes[2] = hull;
    p->ground.setCollisionShape(p->mesh);
    return p;
}

void query(void *data, surfaces_body body, const hulls_pose *x, surfaces_answer *answer)
{
    peer *p = static_cast<peer *>(data);
    btTransform t;
    t.setRotation(btQuaternion(x->q[1], x->q[2], x->q[3], x->q[0]));
    t.setOrigin(btVector3(x->p[0], x->p[1], x->p[2]));
    p->body.setCollisionShape(p->shapes[body]);
    p->body.setWorldTransform(t);
    collect callback;
    callback.answer = answer;
    p->world.contactPairTest(&p->body, &p->ground, callback);
}

void release(void *data)
{
    peer *p = static_cast<peer *>(data);
    for (btCollisionShape *s : p->shapes) delete s;
    delete p->mesh;
    delete p;
}
} // namespace

extern "C" const surfaces_peer surfaces_bullet = {"Bullet", create, query, release};
