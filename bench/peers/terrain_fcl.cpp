/* FCL as a peer of the terrain benchmark: nearest points, as distances of a mesh from a ball of almost no size. */
#include "../terrain/terrain.h"

#include <fcl/fcl.h>
#include <memory>
#include <vector>

namespace
{
struct peer {
    std::shared_ptr<fcl::BVHModel<fcl::OBBRSSd>> mesh;
    std::shared_ptr<fcl::Sphered> ball;
};

void *create(const terrain *t)
{
    peer *p = new peer;
    p->mesh = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    p->ball = std::make_shared<fcl::Sphered>(1e-12);
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (int i = 0; i < t->vertex_count; i++)
        vertices.push_back(fcl::Vector3d(t->vertices[i][0], t->vertices[i][1], t->vertices[i][2]));
    for (int i = 0; i < t->triangle_count; i++) {
        const int32_t *k = t->triangles[i];
        triangles.push_back(fcl::Triangle((size_t)k[0], (size_t)k[1], (size_t)k[2]));
    }
    p->mesh->beginModel(t->triangle_count, t->vertex_count);
    p->mesh->addSubModel(vertices, triangles);
    p->mesh->endModel();
    return p;
}

void find_nearest(void *data, double (*points)[3], int count, double *distances)
{
    peer *p = static_cast<peer *>(data);
    fcl::CollisionObjectd mesh(p->mesh), ball(p->ball);
    for (int i = 0; i < count; i++) {
        ball.setTranslation(fcl::Vector3d(points[i][0], points[i][1], points[i][2]));
        fcl::DistanceRequestd request(true);
        fcl::DistanceResultd result;
        distances[i] = fcl::distance(&mesh, &ball, request, result);
    }
}

void release(void *data) { delete static_cast<peer *>(data); }
} // namespace

extern "C" const terrain_peer terrain_fcl = {"FCL", create, nullptr, find_nearest, release, 10000};
