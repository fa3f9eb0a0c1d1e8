/* Triangles before a polytope, compiled once for each width of registers. Included by surface_scan_*.c, which name the
 * functions. */
#ifndef FND_COLLIDE_SURFACE_LOOK_LANES_H
#define FND_COLLIDE_SURFACE_LOOK_LANES_H

#include "collide/surface_look.h"
#include "collide/surface_normal_lanes.h"

static void look_depth(const fnd_polytope *p, fnd_surface_look *look)
{
    const fnd_surface_sighting *at = look->at;
    fnd_doubles most = fnd_doubles_all(0);
    uint64_t below = 0;
    for (int i = 0; i < p->padded_count; i += 8) {
        const fnd_doubles_vector x = {fnd_doubles_load(p->x + i), fnd_doubles_load(p->y + i),
                                      fnd_doubles_load(p->z + i)};
        fnd_doubles depth = fnd_doubles_less(fnd_doubles_all(at->offset), lanes_along(at->normal, &x));
        if (i < FND_LOOK_BITS) below |= (uint64_t)(255 & ~fnd_doubles_up_to(depth, fnd_doubles_all(0))) << i;
        most = fnd_doubles_most(depth, most);
    }
    double depths[8];
    fnd_doubles_store(depths, most);
    look->deepest = 0;
    for (int i = 0; i < 8; i++) look->deepest = depths[i] > look->deepest ? depths[i] : look->deepest;
    look->below = p->vertex_count <= FND_LOOK_BITS ? below : UINT64_MAX;
}

/* Going down into the cell leads further out of a face that looks down, by `down` less what the cell spreads; a rounded
 * solid's core may also lie before the triangle. */
static bool look_faces(const fnd_polytope *p, const fnd_surface_look *look, double rounding, int first, uint64_t *faces)
{
    const fnd_surface_sighting *at = look->at;
    const fnd_doubles zero = fnd_doubles_all(0);
    *faces = 0;
    for (int i = 0; i < FND_LOOK_BITS && first + i < p->face_count; i += 8) {
        const int k = first + i;
        const fnd_doubles_vector n = {fnd_doubles_load(p->face_x + k), fnd_doubles_load(p->face_y + k),
                                      fnd_doubles_load(p->face_z + k)};
        fnd_doubles down = fnd_doubles_less(zero, lanes_along(at->normal, &n));
        fnd_doubles out = lanes_along(look->corners[0], &n);
        for (int c = 1; c < look->sides; c++) out = fnd_doubles_least(out, lanes_along(look->corners[c], &n));
        out = fnd_doubles_less(fnd_doubles_less(out, fnd_doubles_load(p->face_w + k)),
                               fnd_doubles_all(rounding * (1 + at->spread)));
        fnd_doubles nearer = fnd_doubles_most(fnd_doubles_less(fnd_doubles_all(at->spread), down), zero);
        nearer = fnd_doubles_times(fnd_doubles_all(look->deepest * (1 + 1e-9)), nearer); /* disks are as deep as that */
        if (fnd_doubles_up_to(out, nearer) != 255) return false;
        *faces |= (uint64_t)(255 & ~fnd_doubles_up_to(down, fnd_doubles_all(1e-9))) << i;
    }
    if (p->face_count - first < FND_LOOK_BITS) *faces &= ((uint64_t)1 << (p->face_count - first)) - 1;
    return true;
}

/* Vertices on the cell's side of a border. */
static inline uint64_t vertices_within(const fnd_polytope *p, fender_vec3 inward, fender_vec3 corner)
{
    if (p->vertex_count > FND_LOOK_BITS) return UINT64_MAX;
    const fnd_doubles from = fnd_doubles_all(fender_vec3_dot(inward, corner));
    uint64_t within = 0;
    for (int i = 0; i < p->padded_count; i += 8) {
        const fnd_doubles_vector x = {fnd_doubles_load(p->x + i), fnd_doubles_load(p->y + i),
                                      fnd_doubles_load(p->z + i)};
        within |= (uint64_t)fnd_doubles_up_to(from, lanes_along(inward, &x)) << i;
    }
    return within;
}

static void look_within(const fnd_polytope *p, fnd_surface_look *look)
{
    for (int k = 0; k < look->sides; k++) look->within[k] = vertices_within(p, look->inward[k], look->corners[k]);
}

static inline fnd_doubles_vector corners_at(const fnd_surface *s, const int32_t vertex[8])
{
    fnd_index_lanes at = fnd_indices_thrice(fnd_indices_load(vertex));
    return (fnd_doubles_vector){fnd_doubles_gather(&s->vertices[0].x, at), fnd_doubles_gather(&s->vertices[0].y, at),
                                fnd_doubles_gather(&s->vertices[0].z, at)};
}

/* Normals of eight triangles, and their corners. */
static inline fnd_doubles_vector normals_of(const fnd_surface *s, const int32_t triangle[8], fnd_doubles_vector v[3])
{
    int32_t corner[3][8];
    for (int lane = 0; lane < 8; lane++)
        for (int k = 0; k < 3; k++) corner[k][lane] = s->triangles[triangle[lane]][k];
    for (int k = 0; k < 3; k++) v[k] = corners_at(s, corner[k]);
    return normals(s, v, triangle, 255);
}

/* The normal halfway to that of the neighbours; the triangle's own where they are opposite or there is none, upright
 * where a grid ends. */
static inline fnd_doubles_vector normals_between(const fnd_surface *s, const int32_t triangle[8],
                                                 const fnd_doubles_vector *n, int k)
{
    int32_t other[8];
    unsigned ends = 0;
    for (int lane = 0; lane < 8; lane++) {
        other[lane] = s->neighbours[triangle[lane]][k];
        ends |= (unsigned)(other[lane] < 0) << lane;
        if (other[lane] < 0) other[lane] = triangle[lane];
    }
    fnd_doubles_vector v[3], m = normals_of(s, other, v);
    m = (fnd_doubles_vector){fnd_doubles_add(n->x, m.x), fnd_doubles_add(n->y, m.y), fnd_doubles_add(n->z, m.z)};
    fnd_doubles length = fnd_doubles_root(fnd_doubles_dot(&m, &m));
    unsigned own = fnd_doubles_up_to(length, fnd_doubles_all(1e-6)) | ends;
    fnd_doubles part = fnd_doubles_over(fnd_doubles_all(1), length);
    m = (fnd_doubles_vector){fnd_doubles_times(part, m.x), fnd_doubles_times(part, m.y), fnd_doubles_times(part, m.z)};
    m = lanes_select(own, n, &m);
    const fnd_doubles_vector up = {fnd_doubles_all(0), fnd_doubles_all(0), fnd_doubles_all(1)};
    return s->count_x > 0 ? lanes_select(ends, &up, &m) : m;
}

static void look_cells(const fnd_surface_sight *sight, const fnd_polytope *p, fnd_surface_look *const *looks, int count)
{
    const fnd_surface *s = sight->surface;
    int32_t triangle[8];
    for (int lane = 0; lane < 8; lane++) triangle[lane] = looks[lane < count ? lane : 0]->at->triangle;
    fnd_doubles_vector v[3], n = normals_of(s, triangle, v);
    for (int k = 0; k < 3; k++) {
        fnd_doubles_vector edge = fnd_doubles_between(&v[k], &v[(k + 1) % 3]),
                           between = normals_between(s, triangle, &n, k);
        fnd_doubles part = fnd_doubles_over(fnd_doubles_all(1), fnd_doubles_root(fnd_doubles_dot(&edge, &edge)));
        edge = (fnd_doubles_vector){fnd_doubles_times(part, edge.x), fnd_doubles_times(part, edge.y),
                                    fnd_doubles_times(part, edge.z)};
        fnd_doubles_vector inward = fnd_doubles_cross(&between, &edge);
        inward = turned_back(&sight->R_AB, &inward);
        double x[8], y[8], z[8];
        fnd_doubles_store(x, inward.x);
        fnd_doubles_store(y, inward.y);
        fnd_doubles_store(z, inward.z);
        for (int i = 0; i < count; i++) looks[i]->inward[k] = fender_vec3_make(x[i], y[i], z[i]);
    }
    for (int i = 0; i < count; i++) {
        fnd_surface_look *look = looks[i];
        look->alone = true;
        for (int k = 0; k < 3; k++) {
            int32_t other = s->neighbours[triangle[i]][k];
            look->alone = look->alone && (other < 0 || s->planes[other] != s->planes[triangle[i]]);
        }
        look_within(p, look);
    }
}

const fnd_surface_look_functions FND_SURFACE_LOOK = {look_depth, look_faces, look_within, look_cells};

#endif
