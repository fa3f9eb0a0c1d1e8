/* Embree (float) as a peer of the terrain benchmark: single rays, packets of 16 and streams of rays, robust mode, one
 * thread; nearest points by its point query with the triangle's distance computed here. */
#include "../terrain/terrain.h"

#include <cmath>
#include <embree3/rtcore.h>

namespace
{
struct peer {
    RTCDevice device;
    RTCScene scene;
    const terrain *ground;
};

void *create(const terrain *t)
{
    peer *p = new peer;
    p->ground = t;
    p->device = rtcNewDevice("threads=1,set_affinity=0");
    p->scene = rtcNewScene(p->device);
    rtcSetSceneFlags(p->scene, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(p->scene, RTC_BUILD_QUALITY_MEDIUM);
    RTCGeometry g = rtcNewGeometry(p->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, t->rounded, 0, 12,
                               (size_t)t->vertex_count);
    rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, t->triangles, 0, 12,
                               (size_t)t->triangle_count);
    rtcCommitGeometry(g);
    rtcAttachGeometry(p->scene, g);
    rtcReleaseGeometry(g);
    rtcCommitScene(p->scene);
    return p;
}

void cast(void *data, const terrain_ray *rays, int count, double *distances)
{
    peer *p = static_cast<peer *>(data);
    for (int i = 0; i < count; i++) {
        const double *o = rays[i].origin, *d = rays[i].direction;
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        RTCRayHit hit;
        hit.ray.org_x = (float)o[0], hit.ray.org_y = (float)o[1], hit.ray.org_z = (float)o[2];
        hit.ray.dir_x = (float)d[0], hit.ray.dir_y = (float)d[1], hit.ray.dir_z = (float)d[2];
        hit.ray.tnear = 0, hit.ray.tfar = INFINITY, hit.ray.time = 0;
        hit.ray.mask = ~0u, hit.ray.flags = 0;
        hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(p->scene, &context, &hit);
        distances[i] = hit.hit.geomID == RTC_INVALID_GEOMETRY_ID ? -1 : (double)hit.ray.tfar;
    }
}

/* Sixteen at a time. */
void cast_packets(void *data, const terrain_ray *rays, int count, double *distances)
{
    peer *p = static_cast<peer *>(data);
    for (int first = 0; first < count; first += 16) {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        alignas(64) RTCRayHit16 hit;
        alignas(64) int valid[16];
        for (int i = 0; i < 16; i++) {
            valid[i] = first + i < count ? -1 : 0;
            const terrain_ray *ray = &rays[valid[i] ? first + i : first];
            const double *o = ray->origin, *d = ray->direction;
            hit.ray.org_x[i] = (float)o[0], hit.ray.org_y[i] = (float)o[1], hit.ray.org_z[i] = (float)o[2];
            hit.ray.dir_x[i] = (float)d[0], hit.ray.dir_y[i] = (float)d[1], hit.ray.dir_z[i] = (float)d[2];
            hit.ray.tnear[i] = 0, hit.ray.tfar[i] = INFINITY, hit.ray.time[i] = 0;
            hit.ray.mask[i] = ~0u, hit.ray.flags[i] = 0;
            hit.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
        }
        rtcIntersect16(valid, p->scene, &context, &hit);
        for (int i = 0; i < 16 && first + i < count; i++)
            distances[first + i] = hit.hit.geomID[i] == RTC_INVALID_GEOMETRY_ID ? -1 : (double)hit.ray.tfar[i];
    }
}

/* A thousand at a time, as Fender's batches; said to be coherent, which the other rays are not. */
void cast_stream(void *data, const terrain_ray *rays, int count, double *distances)
{
    peer *p = static_cast<peer *>(data);
    const int size = 1000;
    static RTCRayHit hits[size];
    for (int first = 0; first < count; first += size) {
        const int here = count - first < size ? count - first : size;
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
        for (int i = 0; i < here; i++) {
            const double *o = rays[first + i].origin, *d = rays[first + i].direction;
            RTCRayHit &hit = hits[i];
            hit.ray.org_x = (float)o[0], hit.ray.org_y = (float)o[1], hit.ray.org_z = (float)o[2];
            hit.ray.dir_x = (float)d[0], hit.ray.dir_y = (float)d[1], hit.ray.dir_z = (float)d[2];
            hit.ray.tnear = 0, hit.ray.tfar = INFINITY, hit.ray.time = 0;
            hit.ray.mask = ~0u, hit.ray.flags = 0;
            hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        }
        rtcIntersect1M(p->scene, &context, hits, (unsigned)here, sizeof hits[0]);
        for (int i = 0; i < here; i++)
            distances[first + i] = hits[i].hit.geomID == RTC_INVALID_GEOMETRY_ID ? -1 : (double)hits[i].ray.tfar;
    }
}

struct vec {
    float x, y, z;
};
vec minus(vec a, vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
vec along(vec a, float s, vec b, float t, vec c)
{
    return {a.x - s * b.x - t * c.x, a.y - s * b.y - t * c.y, a.z - s * b.z - t * c.z};
}

/* By the regions of the triangle (Ericson, Real-Time Collision Detection, 5.1.5). */
float square_distance(vec p, vec a, vec b, vec c)
{
    vec ab = minus(b, a), ac = minus(c, a), ap = minus(p, a), bp = minus(p, b), cp = minus(p, c);
    float d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return dot(ap, ap);
    float d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return dot(bp, bp);
    float vc = d1 * d4 - d3 * d2;
    vec z;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) z = along(ap, d1 / (d1 - d3), ab, 0, ac);
    else {
        float d5 = dot(ab, cp), d6 = dot(ac, cp);
        if (d6 >= 0 && d5 <= d6) return dot(cp, cp);
        float vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
        if (vb <= 0 && d2 >= 0 && d6 <= 0) z = along(ap, 0, ab, d2 / (d2 - d6), ac);
        else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
            float w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
            z = along(bp, w, ac, -w, ab);
        } else {
            float whole = 1 / (va + vb + vc);
            z = along(ap, vb * whole, ab, vc * whole, ac);
        }
    }
    return dot(z, z);
}

struct search {
    const terrain *ground;
    float best;
};
bool visit(RTCPointQueryFunctionArguments *a)
{
    search *s = static_cast<search *>(a->userPtr);
    const int32_t *k = s->ground->triangles[a->primID];
    const float(*v)[3] = s->ground->rounded;
    vec p = {a->query->x, a->query->y, a->query->z}, corner[3];
    for (int i = 0; i < 3; i++) corner[i] = {v[k[i]][0], v[k[i]][1], v[k[i]][2]};
    float d = square_distance(p, corner[0], corner[1], corner[2]);
    if (!(d < s->best)) return false;
    s->best = d;
    a->query->radius = std::sqrt(d);
    return true;
}

void find_nearest(void *data, double (*points)[3], int count, double *distances)
{
    peer *p = static_cast<peer *>(data);
    for (int i = 0; i < count; i++) {
        RTCPointQuery query;
        query.x = (float)points[i][0], query.y = (float)points[i][1], query.z = (float)points[i][2];
        query.time = 0, query.radius = INFINITY;
        RTCPointQueryContext context;
        rtcInitPointQueryContext(&context);
        search s = {p->ground, INFINITY};
        rtcPointQuery(p->scene, &query, &context, visit, &s);
        distances[i] = (double)std::sqrt(s.best);
    }
}

void release(void *data)
{
    peer *p = static_cast<peer *>(data);
    rtcReleaseScene(p->scene);
    rtcReleaseDevice(p->device);
    delete p;
}
} // namespace

extern "C" const terrain_peer terrain_embree[] = {{"Embree", create, cast, find_nearest, release, 0},
                                                  {"Embree, packets", create, cast_packets, nullptr, release, 0},
                                                  {"Embree, stream", create, cast_stream, nullptr, release, 0}};
