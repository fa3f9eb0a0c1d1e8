/* Cores of convex solids and the points of them that lie farthest along a direction. */
#include "collide/convex.h"

#include "geometry/support.h"

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
