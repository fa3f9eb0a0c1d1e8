/* Cores of convex solids and the points of them that lie farthest along a direction. */
#include "collide/convex.h"

#include "geometry/support.h"

static void set_segment(fnd_convex_core *core, double half_length)
{
    core->curved = false;
    core->ends[0] = fender_vec3_make(0, 0, -half_length);
    core->ends[1] = fender_vec3_make(0, 0, half_length);
    core->vertices = core->ends;
    core->vertex_count = half_length > 0 ? 2 : 1;
    core->size = half_length;
}

static void make_core(fnd_convex_core *core, const fender_geometry *geometry)
{
    core->geometry = geometry;
    core->polytope = NULL;
    core->vertices = NULL;
    core->vertex_count = 0;
    core->rounding = fnd_core_rounding(geometry);
    core->size = geometry->bounding_radius;
    if (geometry->type == FENDER_GEOMETRY_POINT || geometry->type == FENDER_GEOMETRY_SPHERE ||
        geometry->type == FENDER_GEOMETRY_CAPSULE) {
        set_segment(core, geometry->half_length);
        return;
    }
    core->curved = !geometry->polytope;
    if (core->curved) return;
    core->polytope = geometry->polytope;
    core->vertices = geometry->polytope->vertices;
    core->vertex_count = geometry->polytope->vertex_count;
}

void fnd_convex_pair_make(fnd_convex_pair *pair, const fnd_placed *a, const fnd_placed *b)
{
    make_core(&pair->a, a->geometry);
    make_core(&pair->b, b->geometry);
    fender_mat3 R_AW = fender_mat3_transpose(&a->R_WG);
    fender_vec3 p = fender_mat3_times(&R_AW, fender_vec3_sub(b->p_WG, a->p_WG));
    pair->R_AB = fender_mat3_product(&R_AW, &b->R_WG);
    pair->scale = pair->a.size + pair->b.size + (fabs(p.x) + fabs(p.y) + fabs(p.z));
    pair->unit = 1;
    if (!(pair->scale > 1e-30 && pair->scale < 1e30) && pair->scale > 0 && isfinite(pair->scale)) {
        int exponent;
        frexp(pair->scale, &exponent);
        exponent = exponent < -1000 ? -1000 : exponent; /* the unit is finite, and lengths of 1e-300 are as good as 0 */
        pair->unit = ldexp(1, -exponent);
        pair->scale *= pair->unit;
    }
    pair->p_AB = fender_vec3_scale(pair->unit, p);
    pair->curved = pair->a.curved || pair->b.curved;
}

fender_vec3 fnd_core_support(const fnd_convex_core *core, fender_vec3 d, int *index)
{
    *index = 0;
    if (core->curved) return fnd_support(core->geometry, d);
    const fender_vec3 *v = core->vertices;
    double most = fender_vec3_dot(v[0], d);
    int best = 0;
    for (int i = 1; i < core->vertex_count; i++) {
        double along = fender_vec3_dot(v[i], d);
        if (along > most) most = along, best = i;
    }
    *index = best;
    return v[best];
}

fnd_convex_vertex fnd_pair_support(const fnd_convex_pair *pair, fender_vec3 n)
{
    fnd_convex_vertex v;
    fender_vec3 a = fnd_core_support(&pair->a, n, &v.index_a);
    fender_vec3 b = fnd_core_support(&pair->b, fender_mat3_transpose_times(&pair->R_AB, fender_vec3_negate(n)),
                                     &v.index_b);
    v.a = fender_vec3_scale(pair->unit, a);
    b = fender_mat3_times(&pair->R_AB, fender_vec3_scale(pair->unit, b));
    v.w = fender_vec3_sub(fender_vec3_add(b, pair->p_AB), v.a);
    return v;
}
