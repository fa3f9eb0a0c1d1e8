/* Polytopes that touch along a direction: points that lie opposite each other on the faces, edges or vertices that are
 * farthest along it. */
#include "collide/convex_gjk.h"

/* Farthest vertex of the polytope along d among those that lie within `slack` of the farthest along n. */
static fender_vec3 support_of_face(const fnd_convex_core *core, fender_vec3 n, double slack, fender_vec3 d, int *index)
{
    int top;
    double level = fender_vec3_dot(fnd_core_support(core, n, &top), n) - slack, most = -INFINITY;
    *index = top;
    for (int i = 0; i < core->vertex_count; i++) {
        double along = fender_vec3_dot(core->vertices[i], d);
        if (fender_vec3_dot(core->vertices[i], n) >= level && along > most) most = along, *index = i;
    }
    return core->vertices[*index];
}

static gjk_point opposite_support(const fnd_convex_pair *pair, fender_vec3 n, double slack, fender_vec3 d)
{
    gjk_point v;
    fender_vec3 a = support_of_face(&pair->a, n, slack, d, &v.index_a);
    fender_vec3 n_B = fender_mat3_transpose_times(&pair->R_AB, fender_vec3_negate(n));
    fender_vec3 d_B = fender_mat3_transpose_times(&pair->R_AB, fender_vec3_negate(d));
    fender_vec3 b = support_of_face(&pair->b, n_B, slack, d_B, &v.index_b);
    v.a = fender_vec3_scale(pair->unit, a);
    b = fender_mat3_times(&pair->R_AB, fender_vec3_scale(pair->unit, b));
    v.w = fender_vec3_sub(fender_vec3_add(b, pair->p_AB), v.a);
    v.w = fender_vec3_add_scaled(v.w, -fender_vec3_dot(v.w, n), n);
    return v;
}

double fnd_convex_opposite(const fnd_convex_pair *pair, fender_vec3 n, fnd_core_separation *out)
{
    double rounding = FND_CONVEX_ROUNDING * pair->scale, slack = 4 * rounding / pair->unit;
    fnd_convex_vertex bottom = fnd_pair_support(pair, n);
    gjk_state s = {.used = 1};
    s.p[0] = opposite_support(pair, n, slack, fender_vec3_make(0, 0, 0));
    gjk_nearest at;
    solve(&s, 0, &at);
    for (int i = 0; i < ITERATIONS && at.squared > rounding * rounding; i++) {
        gjk_point w = opposite_support(pair, n, slack, at.v);
        if (holds(&s, &w) || s.used == 15) break;
        gjk_nearest next;
        int newest = lowest_slot(~s.used);
        s.p[newest] = w;
        s.used |= bit(newest);
        bool better = solve(&s, newest, &next) && next.squared < at.squared;
        if (better) at = next;
        s.used = at.used;
        if (!better) break;
    }
    out->normal = n;
    out->distance = fender_vec3_dot(n, bottom.w);
    out->point_a = point_a_of(&s);
    return sqrt(at.squared);
}
