/* Bullet (double precision) as a peer of the terrain benchmark: rays against a mesh with a quantised tree. */
#include "../terrain/terrain.h"

#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>
#include <btBulletCollisionCommon.h>

namespace
{
struct peer {
    btTriangleIndexVertexArray triangles;
    btBvhTriangleMeshShape *mesh;
};
struct first_hit : btTriangleRaycastCallback {
    first_hit(const btVector3 &from, const btVector3 &to) : btTriangleRaycastCallback(from, to, 0) {}
    btScalar reportHit(const btVector3 &, btScalar fraction, int, int) override { return fraction; }
};

void *create(const terrain *t)
{
    peer *p = new peer;
    btIndexedMesh mesh;
    mesh.m_numTriangles = t->triangle_count;
    mesh.m_triangleIndexBase = reinterpret_cast<unsigned char *>(t->triangles);
    mesh.m_triangleIndexStride = 12;
    mesh.m_numVertices = t->vertex_count;
    mesh.m_vertexBase = reinterpret_cast<unsigned char *>(t->vertices);
    mesh.m_vertexStride = 24;
    mesh.m_vertexType = PHY_DOUBLE;
    p->triangles.addIndexedMesh(mesh, PHY_INTEGER);
    p->mesh = new btBvhTriangleMeshShape(&p->triangles, true, true);
    return p;
}

void cast(void *data, const terrain_ray *rays, int count, double *distances)
{
    peer *p = static_cast<peer *>(data);
    const double length = 150; /* rays end; the ground is nowhere as far */
    for (int i = 0; i < count; i++) {
        const double *o = rays[i].origin, *d = rays[i].direction;
        btVector3 from(o[0], o[1], o[2]), to(o[0] + length * d[0], o[1] + length * d[1], o[2] + length * d[2]);
        first_hit hit(from, to);
        p->mesh->performRaycast(&hit, from, to);
        distances[i] = hit.m_hitFraction < 1 ? hit.m_hitFraction * length : -1;
    }
}

void release(void *data)
{
    peer *p = static_cast<peer *>(data);
    delete p->mesh;
    delete p;
}
} // namespace

extern "C" const terrain_peer terrain_bullet = {"Bullet", create, cast, nullptr, release, 0};
