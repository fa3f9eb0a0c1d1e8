/* ODE as a peer of the surface benchmark: dCollide with a triangle mesh (OPCODE). */
#include "../surfaces/surfaces.h"

#include <cmath>
#include <ode/ode.h>
#include <vector>

namespace
{
struct peer {
    dTriMeshDataID data;
    dGeomID mesh, bodies[SURFACES_BODIES];
    std::vector<dReal> planes, points;
    std::vector<unsigned> polygons;
};

void *create(const terrain *t, const surfaces_shape *shapes)
{
    dInitODE();
    peer *p = new peer;
    p->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(p->data, t->vertices, sizeof t->vertices[0], t->vertex_count, t->triangles,
                                3 * t->triangle_count, sizeof t->triangles[0]);
    p->mesh = dCreateTriMesh(nullptr, p->data, nullptr, nullptr, nullptr);
    const hulls_shape *h = &shapes[2].hull;
    for (int i = 0; i < h->vertex_count; i++) p->points.insert(p->points.end(), h->vertices[i], h->vertices[i] + 3);
    for (int f = 0; f < h->triangle_count; f++) {
        const double *a = h->vertices[h->triangles[f][0]], *b = h->vertices[h->triangles[f][1]],
                     *c = h->vertices[h->triangles[f][2]];
        double n[3], length = 0, offset = 0;
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            n[k] = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
            length += n[k] * n[k];
        }
        for (int k = 0; k < 3; k++) {
            p->planes.push_back(n[k] / std::sqrt(length));
            offset += n[k] / std::sqrt(length) * a[k];
        }
        p->planes.push_back(offset);
        p->polygons.push_back(3);
        for (int k = 0; k < 3; k++) p->polygons.push_back(static_cast<unsigned>(h->triangles[f][k]));
    }
    p->bodies[0] = dCreateSphere(nullptr, shapes[0].radius);
    p->bodies[1] = dCreateBox(nullptr, 2 * shapes[1].half[0], 2 * shapes[1].half[1], 2 * shapes[1].half[2]);
    p->bodies[2] = dCreateConvex(nullptr, p->planes.data(), static_cast<unsigned>(h->triangle_count), p->points.data(),
                                 static_cast<unsigned>(h->vertex_count), p->polygons.data());
    return p;
}

void query(void *data, surfaces_body body, const hulls_pose *x, surfaces_answer *answer)
{
    peer *p = static_cast<peer *>(data);
    static dContactGeom contacts[SURFACES_CONTACTS];
    dQuaternion q = {x->q[0], x->q[1], x->q[2], x->q[3]};
    dGeomSetQuaternion(p->bodies[body], q);
    dGeomSetPosition(p->bodies[body], x->p[0], x->p[1], x->p[2]);
    answer->contacts = dCollide(p->bodies[body], p->mesh, SURFACES_CONTACTS, contacts, sizeof contacts[0]);
    for (int i = 0; i < answer->contacts; i++)
        if (contacts[i].depth > answer->depth) answer->depth = contacts[i].depth;
}

void release(void *data)
{
    peer *p = static_cast<peer *>(data);
    for (dGeomID g : p->bodies) dGeomDestroy(g);
    dGeomDestroy(p->mesh);
    dGeomTriMeshDataDestroy(p->data);
    delete p;
}
} // namespace

extern "C" const surfaces_peer surfaces_ode = {"ODE", create, query, release};
