/* FCL (double precision) as a peer of the hull benchmark, with its default solver (libccd), at two tolerances. */
#include "../hulls/hulls.h"

#include <cmath>
#include <fcl/fcl.h>
#include <memory>
#include <vector>

namespace
{
using object = std::shared_ptr<fcl::CollisionObjectd>;
struct peer {
    std::vector<object> a, b;
    double tolerance;
};

void *create_with(const hulls_shape *shapes, int count, double tolerance)
{
    peer *p = new peer;
    p->tolerance = tolerance;
    for (int i = 0; i < 2 * count; i++) {
        const hulls_shape &s = shapes[i % count];
        auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
        auto faces = std::make_shared<std::vector<int>>();
        for (int k = 0; k < s.vertex_count; k++)
            vertices->push_back(fcl::Vector3d(s.vertices[k][0], s.vertices[k][1], s.vertices[k][2]));
        for (int k = 0; k < s.triangle_count; k++) {
            faces->push_back(3);
            for (int c = 0; c < 3; c++) faces->push_back(s.triangles[k][c]);
        }
        auto convex = std::make_shared<fcl::Convex<double>>(vertices, s.triangle_count, faces);
        (i < count ? p->a : p->b).push_back(std::make_shared<fcl::CollisionObjectd>(convex));
    }
    return p;
}
void *create(const hulls_shape *shapes, int count) { return create_with(shapes, count, 1e-6); }
void *create_tight(const hulls_shape *shapes, int count) { return create_with(shapes, count, 1e-10); }

void place(fcl::CollisionObjectd &o, const hulls_pose &x)
{
    o.setTransform(fcl::Quaterniond(x.q[0], x.q[1], x.q[2], x.q[3]), fcl::Vector3d(x.p[0], x.p[1], x.p[2]));
}

void query(void *data, const hulls_pair *pair, int, hulls_answer *answer)
{
    peer *p = static_cast<peer *>(data);
    fcl::CollisionObjectd *a = p->a[pair->a].get(), *b = p->b[pair->b].get();
    place(*a, pair->pose_a);
    place(*b, pair->pose_b);
    if (pair->distance > 0) { /* the question differs: the sets never mix */
        fcl::DistanceRequestd request(true, false, 0, 0, p->tolerance, fcl::GST_LIBCCD);
        fcl::DistanceResultd result;
        answer->distance = fcl::distance(a, b, request, result);
        answer->found = answer->distance >= 0;
        for (int k = 0; k < 3; k++) answer->normal[k] = result.nearest_points[1][k] - result.nearest_points[0][k];
        return;
    }
    fcl::CollisionRequestd request(1, true);
    request.gjk_solver_type = fcl::GST_LIBCCD;
    request.gjk_tolerance = p->tolerance;
    fcl::CollisionResultd result;
    answer->found = fcl::collide(a, b, request, result) > 0;
    if (!answer->found) return;
    answer->distance = -result.getContact(0).penetration_depth;
    for (int k = 0; k < 3; k++) answer->normal[k] = result.getContact(0).normal[k];
}

void release(void *data) { delete static_cast<peer *>(data); }
} // namespace

extern "C" const hulls_peer hulls_fcl = {"FCL 1e-6", true, true, create, query, release};
extern "C" const hulls_peer hulls_fcl_tight = {"FCL 1e-10", true, true, create_tight, query, release};
