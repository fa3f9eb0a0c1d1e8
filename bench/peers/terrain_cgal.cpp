/* CGAL's AABB_tree (double, inexact constructions) as a peer of the terrain benchmark. */
#include "../terrain/terrain.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>
#include <cmath>
#include <vector>

namespace
{
typedef CGAL::Simple_cartesian<double> kernel;
typedef std::vector<kernel::Triangle_3>::iterator iterator;
typedef CGAL::AABB_tree<CGAL::AABB_traits<kernel, CGAL::AABB_triangle_primitive<kernel, iterator>>> tree;

struct peer {
    std::vector<kernel::Triangle_3> triangles;
    tree boxes;
};

void *create(const terrain *t)
{
    peer *p = new peer;
    p->triangles.reserve((size_t)t->triangle_count);
    for (int i = 0; i < t->triangle_count; i++) {
        kernel::Point_3 corner[3];
        for (int k = 0; k < 3; k++) {
            const double *v = t->vertices[t->triangles[i][k]];
            corner[k] = kernel::Point_3(v[0], v[1], v[2]);
        }
        p->triangles.emplace_back(corner[0], corner[1], corner[2]);
    }
    p->boxes.insert(p->triangles.begin(), p->triangles.end());
    p->boxes.build();
    p->boxes.accelerate_distance_queries();
    return p;
}

void cast(void *data, const terrain_ray *rays, int count, double *distances)
{
    peer *p = static_cast<peer *>(data);
    for (int i = 0; i < count; i++) {
        const double *o = rays[i].origin, *d = rays[i].direction;
        auto hit = p->boxes.first_intersection(
            kernel::Ray_3(kernel::Point_3(o[0], o[1], o[2]), kernel::Vector_3(d[0], d[1], d[2])));
        distances[i] = -1;
        if (!hit) continue;
        const kernel::Point_3 *at = boost::get<kernel::Point_3>(&hit->first);
        if (!at) continue;
        double along = (at->x() - o[0]) * d[0] + (at->y() - o[1]) * d[1] + (at->z() - o[2]) * d[2];
        distances[i] = along / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
}

void find_nearest(void *data, double (*points)[3], int count, double *distances)
{
    peer *p = static_cast<peer *>(data);
    for (int i = 0; i < count; i++)
        distances[i] = std::sqrt(p->boxes.squared_distance(kernel::Point_3(points[i][0], points[i][1], points[i][2])));
}

void release(void *data) { delete static_cast<peer *>(data); }
} // namespace

extern "C" const terrain_peer terrain_cgal = {"CGAL", create, cast, find_nearest, release, 0};
