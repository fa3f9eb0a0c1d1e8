/* FCL as a peer of the surface benchmark: collide with a tree of boxes (OBBRSS), all contacts. */
#include "../surfaces/surfaces.h"

#include <fcl/fcl.h>

namespace
{
struct peer {
    std::shared_ptr<fcl::CollisionObjectd> ground, bodies[SURFACES_BODIES];
};

void *create(const terrain *t, const surfaces_shape *shapes)
{
    peer *p = new peer;
    std::vector<fcl::Triangle> triangles;
    std::vector<fcl::Vector3d> vertices;
    for (int i = 0; i < t->triangle_count; i++)
        triangles.push_back(fcl::Triangle(static_cast<std::size_t>(t->triangles[i][0]),
                                          static_cast<std::size_t>(t->triangles[i][1]),
                                          static_cast<std::size_t>(t->triangles[i][2])));
    for (int i = 0; i < t->vertex_count; i++)
        vertices.push_back(fcl::Vector3d(t->vertices[i][0], t->vertices[i][1], t->vertices[i][2]));
    auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    model->beginModel(t->triangle_count, t->vertex_count);
    model->addSubModel(vertices, triangles);
    model->endModel();
    p->ground = std::make_shared<fcl::CollisionObjectd>(model);
    auto points = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    const hulls_shape *h = &shapes[2].hull;
    for (int i = 0; i < h->vertex_count; i++)
        points->push_back(fcl::Vector3d(h->vertices[i][0], h->vertices[i][1], h->vertices[i][2]));
    for (int i = 0; i < h->triangle_count; i++) {
        faces->push_back(3);
        for (int k = 0; k < 3; k++) faces->push_back(h->triangles[i][k]);
    }
    p->bodies[0] = std::make_shared<fcl::CollisionObjectd>(std::make_shared<fcl::Sphered>(shapes[0].radius));
    p->bodies[1] = std::make_shared<fcl::CollisionObjectd>(
        std::make_shared<fcl::Boxd>(2 * shapes[1].half[0], 2 * shapes[1].half[1], 2 * shapes[1].half[2]));
    p->bodies[2] = std::make_shared<fcl::CollisionObjectd>(
        std::make_shared<fcl::Convexd>(points, h->triangle_count, faces));
    return p;
}

void query(void *data, surfaces_body body, const hulls_pose *x, surfaces_answer *answer)
{
    peer *p = static_cast<peer *>(data);
    p->bodies[body]->setTransform(fcl::Quaterniond(x->q[0], x->q[1], x->q[2], x->q[3]),
                                  fcl::Vector3d(x->p[0], x->p[1], x->p[2]));
    fcl::CollisionRequestd request(SURFACES_CONTACTS, true);
    fcl::CollisionResultd result;
    fcl::collide(p->ground.get(), p->bodies[body].get(), request, result);
    answer->contacts = static_cast<int>(result.numContacts());
    for (std::size_t i = 0; i < result.numContacts(); i++)
        if (result.getContact(i).penetration_depth > answer->depth)
            answer->depth = result.getContact(i).penetration_depth;
}

void release(void *data) { delete static_cast<peer *>(data); }
} // namespace

extern "C" const surfaces_peer surfaces_fcl = {"FCL", create, query, release};
