/* libccd (double precision) as a peer of the hull benchmark: it has no distance query. Its support callback is ours, a
 * scan over coordinates by axis. */
#include "../hulls/hulls.h"

#include <ccd/ccd.h>
#include <vector>

namespace
{
struct object {
    int count;
    std::vector<double> x, y, z;
    double center[3], r[9], p[3];
};
struct peer {
    std::vector<object> a, b;
    ccd_t ccd;
    bool mpr;
};

void turn(const object &o, const double v[3], ccd_vec3_t *out)
{
    for (int i = 0; i < 3; i++) out->v[i] = o.r[3 * i] * v[0] + o.r[3 * i + 1] * v[1] + o.r[3 * i + 2] * v[2] + o.p[i];
}

void support(const void *data, const ccd_vec3_t *d, ccd_vec3_t *out)
{
    const object &o = *static_cast<const object *>(data);
    double l[3];
    for (int i = 0; i < 3; i++) l[i] = o.r[i] * d->v[0] + o.r[3 + i] * d->v[1] + o.r[6 + i] * d->v[2];
    double along[HULLS_MOST];
    for (int i = 0; i < o.count; i++) along[i] = l[0] * o.x[i] + l[1] * o.y[i] + l[2] * o.z[i];
    int best = 0;
    for (int i = 1; i < o.count; i++)
        if (along[i] > along[best]) best = i;
    const double v[3] = {o.x[best], o.y[best], o.z[best]};
    turn(o, v, out);
}

void center(const void *data, ccd_vec3_t *out)
{
    const object &o = *static_cast<const object *>(data);
    turn(o, o.center, out);
}

peer *create(const hulls_shape *shapes, int count, bool mpr)
{
    peer *p = new peer;
    for (int i = 0; i < count; i++) {
        object o = {};
        o.count = shapes[i].vertex_count;
        for (int k = 0; k < o.count; k++) {
            const double *v = shapes[i].vertices[k];
            o.x.push_back(v[0]), o.y.push_back(v[1]), o.z.push_back(v[2]);
            for (int c = 0; c < 3; c++) o.center[c] += v[c] / o.count;
        }
        p->a.push_back(o);
    }
    p->b = p->a;
    CCD_INIT(&p->ccd);
    p->ccd.support1 = p->ccd.support2 = support;
    p->ccd.center1 = p->ccd.center2 = center;
    p->ccd.max_iterations = 200;
    p->ccd.epa_tolerance = p->ccd.mpr_tolerance = 1e-10; /* with the default EPA's depth is wrong by all of it */
    p->mpr = mpr;
    return p;
}
void *create_epa(const hulls_shape *shapes, int count) { return create(shapes, count, false); }
void *create_mpr(const hulls_shape *shapes, int count) { return create(shapes, count, true); }

void place(object &o, const hulls_pose &x)
{
    double w = x.q[0], i = x.q[1], j = x.q[2], k = x.q[3];
    const double r[9] = {1 - 2 * (j * j + k * k), 2 * (i * j - w * k),     2 * (i * k + w * j),
                         2 * (i * j + w * k),     1 - 2 * (i * i + k * k), 2 * (j * k - w * i),
                         2 * (i * k - w * j),     2 * (j * k + w * i),     1 - 2 * (i * i + j * j)};
    for (int n = 0; n < 9; n++) o.r[n] = r[n];
    for (int n = 0; n < 3; n++) o.p[n] = x.p[n];
}

void query(void *data, const hulls_pair *pair, int, hulls_answer *answer)
{
    peer *p = static_cast<peer *>(data);
    object &a = p->a[pair->a], &b = p->b[pair->b];
    place(a, pair->pose_a);
    place(b, pair->pose_b);
    ccd_real_t depth = 0;
    ccd_vec3_t direction, position;
    int status = p->mpr ? ccdMPRPenetration(&a, &b, &p->ccd, &depth, &direction, &position)
                        : ccdGJKPenetration(&a, &b, &p->ccd, &depth, &direction, &position);
    answer->found = status == 0;
    answer->distance = -depth;
    for (int k = 0; k < 3; k++) answer->normal[k] = direction.v[k];
}

void release(void *data) { delete static_cast<peer *>(data); }
} // namespace

extern "C" const hulls_peer hulls_ccd_epa = {"libccd EPA 1e-10", false, true, create_epa, query, release};
extern "C" const hulls_peer hulls_ccd_mpr = {"libccd MPR 1e-10", false, true, create_mpr, query, release};
