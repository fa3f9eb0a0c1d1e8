/* ODE (double precision) as a peer of the hull benchmark: dCollide of two convexes; it has no distance query. */
#include "../hulls/hulls.h"

#include <cmath>
#include <ode/ode.h>
#include <vector>

namespace
{
struct object { /* ODE wants the origin inside */
    double center[3];
    std::vector<dReal> planes, points;
    std::vector<unsigned> polygons;
    dGeomID geom[2];
};
struct peer {
    std::vector<object> objects;
};

void *create(const hulls_shape *shapes, int count)
{
    dInitODE();
    peer *p = new peer;
    p->objects.resize(count);
    for (int i = 0; i < count; i++) {
        const hulls_shape &s = shapes[i];
        object &o = p->objects[i];
        for (int c = 0; c < 3; c++) o.center[c] = 0;
        for (int k = 0; k < s.vertex_count; k++)
            for (int c = 0; c < 3; c++) o.center[c] += s.vertices[k][c] / s.vertex_count;
        for (int k = 0; k < s.vertex_count; k++)
            for (int c = 0; c < 3; c++) o.points.push_back(s.vertices[k][c] - o.center[c]);
        for (int k = 0; k < s.triangle_count; k++) {
            const int32_t *t = s.triangles[k];
            const double *a = &o.points[3 * t[0]], *b = &o.points[3 * t[1]], *c = &o.points[3 * t[2]];
            double u[3], v[3];
            for (int j = 0; j < 3; j++) u[j] = b[j] - a[j], v[j] = c[j] - a[j];
            double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
            double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            for (int j = 0; j < 3; j++) o.planes.push_back(n[j] / length);
            o.planes.push_back((n[0] * a[0] + n[1] * a[1] + n[2] * a[2]) / length);
            o.polygons.push_back(3);
            for (int j = 0; j < 3; j++) o.polygons.push_back(t[j]);
        }
        for (int k = 0; k < 2; k++)
            o.geom[k] = dCreateConvex(0, o.planes.data(), s.triangle_count, o.points.data(), s.vertex_count,
                                      o.polygons.data());
    }
    return p;
}

dGeomID place(const object &o, int which, const hulls_pose &x)
{
    dQuaternion q = {x.q[0], x.q[1], x.q[2], x.q[3]};
    dMatrix3 r;
    dGeomSetQuaternion(o.geom[which], q);
    dQtoR(q, r);
    double p[3];
    for (int i = 0; i < 3; i++)
        p[i] = x.p[i] + r[4 * i] * o.center[0] + r[4 * i + 1] * o.center[1] + r[4 * i + 2] * o.center[2];
    dGeomSetPosition(o.geom[which], p[0], p[1], p[2]);
    return o.geom[which];
}

void query(void *data, const hulls_pair *pair, int, hulls_answer *answer)
{
    peer *p = static_cast<peer *>(data);
    dContactGeom contacts[8];
    dGeomID a = place(p->objects[pair->a], 0, pair->pose_a), b = place(p->objects[pair->b], 1, pair->pose_b);
    int count = dCollide(a, b, 8, contacts, sizeof contacts[0]), deepest = 0;
    answer->found = count > 0;
    if (!answer->found) return;
    for (int i = 1; i < count; i++) deepest = contacts[i].depth > contacts[deepest].depth ? i : deepest;
    answer->distance = -contacts[deepest].depth;
    for (int k = 0; k < 3; k++) answer->normal[k] = -contacts[deepest].normal[k];
}

void release(void *data)
{
    peer *p = static_cast<peer *>(data);
    for (object &o : p->objects)
        for (dGeomID g : o.geom) dGeomDestroy(g);
    delete p;
    dCloseODE();
}
} // namespace

extern "C" const hulls_peer hulls_ode = {"ODE", false, true, create, query, release};
