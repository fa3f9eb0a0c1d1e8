/* Two placed geometries as a pair of cores in the frame of the first. */
#ifndef FND_COLLIDE_CONVEX_PLACE_H
#define FND_COLLIDE_CONVEX_PLACE_H

#include "collide/convex.h"
#include "geometry/support.h"

static inline void set_segment(fnd_convex_core *core, fnd_scan *scan, double half_length, double segment[3][8])
{
    core->curved = false;
    core->ends[0] = fender_vec3_make(0, 0, -half_length);
    core->ends[1] = fender_vec3_make(0, 0, half_length);
    core->vertices = core->ends;
    core->vertex_count = half_length > 0 ? 2 : 1;
    core->size = half_length;
    for (int i = 0; i < 8; i++) {
        segment[0][i] = segment[1][i] = 0;
        segment[2][i] = i == 0 ? -half_length : half_length;
    }
    *scan = (fnd_scan){segment[0], segment[1], segment[2], 8};
}

static inline void make_core(fnd_convex_core *core, fnd_scan *scan, const fender_geometry *geometry,
                             double segment[3][8])
{
    const fnd_polytope *polytope = geometry->polytope;
    core->geometry = geometry;
    core->polytope = polytope;
    core->cells = polytope ? polytope->cells : NULL;
    core->rounding = geometry->rounding;
    core->size = geometry->bounding_radius;
    if (polytope) {
        core->curved = false;
        core->vertices = polytope->vertices;
        core->vertex_count = polytope->vertex_count;
        *scan = (fnd_scan){polytope->x, polytope->y, polytope->z, polytope->padded_count};
        return;
    }
    core->rounding = fnd_core_rounding(geometry);
    core->vertices = NULL;
    core->vertex_count = 0;
    core->curved = true;
    if (geometry->type == FENDER_GEOMETRY_POINT || geometry->type == FENDER_GEOMETRY_SPHERE ||
        geometry->type == FENDER_GEOMETRY_CAPSULE)
        set_segment(core, scan, geometry->half_length, segment);
}

/* The unit of extreme sizes. */
static void scale_pair(fnd_convex_pair *pair)
{
    int exponent;
    frexp(pair->scale, &exponent);
    exponent = exponent < -1000 ? -1000 : exponent; /* the unit is finite, and lengths of 1e-300 are as good as 0 */
    pair->unit = ldexp(1, -exponent);
    pair->scale *= pair->unit;
    pair->p_AB = fender_vec3_scale(pair->unit, pair->p_AB);
}

/* Same products and sums as a point of b alone has in fnd_pair_vertex. */
static inline void turn_vertices(fnd_convex_pair *pair)
{
    double(*t)[FND_CONVEX_TURNED] = pair->turned_b;
    fnd_scan_turn(&pair->scan_b, &pair->R_AB, pair->p_AB, pair->unit, t[0], t[1], t[2]);
    pair->scan_b = (fnd_scan){t[0], t[1], t[2], pair->scan_b.padded_count};
}

static inline void place_pair(fnd_convex_pair *pair, const fnd_placed *a, const fnd_placed *b)
{
    make_core(&pair->a, &pair->scan_a, a->geometry, pair->segment_a);
    make_core(&pair->b, &pair->scan_b, b->geometry, pair->segment_b);
    fender_mat3 R_AW = fender_mat3_transpose(&a->R_WG);
    fender_vec3 p = fender_mat3_times(&R_AW, fender_vec3_sub(b->p_WG, a->p_WG));
    pair->R_AB = fender_mat3_product(&R_AW, &b->R_WG);
    pair->scale = pair->a.size + pair->b.size + (fabs(p.x) + fabs(p.y) + fabs(p.z));
    pair->unit = 1;
    pair->p_AB = p;
    if (!(pair->scale > 1e-30 && pair->scale < 1e30) && pair->scale > 0 && isfinite(pair->scale)) scale_pair(pair);
    pair->curved = pair->a.curved || pair->b.curved;
    pair->turned = !pair->curved && pair->scan_b.padded_count <= FND_CONVEX_TURNED;
    if (pair->turned) turn_vertices(pair);
}

#endif
