/* ODE (double precision; its tree of triangles is OPCODE's, in float) as a peer of the terrain benchmark: rays. */
#include "../terrain/terrain.h"

#include <cmath>
#include <ode/ode.h>

namespace
{
struct peer {
    dTriMeshDataID data;
    dGeomID mesh, ray;
};

void *create(const terrain *t)
{
    dInitODE();
    peer *p = new peer;
    p->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(p->data, t->vertices, 24, t->vertex_count, t->triangles, 3 * t->triangle_count, 12);
    p->mesh = dCreateTriMesh(nullptr, p->data, nullptr, nullptr, nullptr);
    p->ray = dCreateRay(nullptr, 150); /* the ground is nowhere as far */
    dGeomRaySetClosestHit(p->ray, 1);
    return p;
}

void cast(void *data, const terrain_ray *rays, int count, double *distances)
{
    peer *p = static_cast<peer *>(data);
    for (int i = 0; i < count; i++) {
        const double *o = rays[i].origin, *d = rays[i].direction;
        dGeomRaySet(p->ray, o[0], o[1], o[2], d[0], d[1], d[2]);
        dContactGeom hit;
        int found = dCollide(p->ray, p->mesh, 1, &hit, sizeof hit);
        distances[i] = found ? hit.depth / std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) : -1;
    }
}

void release(void *data)
{
    peer *p = static_cast<peer *>(data);
    dGeomDestroy(p->ray);
    dGeomDestroy(p->mesh);
    dGeomTriMeshDataDestroy(p->data);
    delete p;
    dCloseODE();
}
} // namespace

extern "C" const terrain_peer terrain_ode = {"ODE", create, cast, nullptr, release, 0};
