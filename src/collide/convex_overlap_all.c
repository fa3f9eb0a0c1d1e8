/* Overlap of polytopes by every direction that can be the least: normals of the faces of both, and of the pairs of
 * edges that make a face of the difference. */
#include "collide/convex.h"

typedef struct search {
    const fnd_convex_pair *pair;
    double most; /* greatest separation up to now */
    fender_vec3 normal;
} search;

static void try_direction(search *s, fender_vec3 n)
{
    double along = fender_vec3_dot(n, fnd_pair_support(s->pair, n).w);
    if (along > s->most) s->most = along, s->normal = n;
}

static int edge_count(const fnd_convex_core *core)
{
    return core->polytope ? core->polytope->edge_count : core->vertex_count - 1;
}

/* An edge in A's frame, with the directions into its faces across it (zero where there are none). */
typedef struct edge {
    fender_vec3 start, along, inward[2];
    double length;
} edge;

static fender_vec3 turned(const fender_mat3 *r, fender_vec3 v) { return r ? fender_mat3_times(r, v) : v; }

static edge edge_at(const fnd_convex_core *core, int i, const fender_mat3 *r, fender_vec3 p, double unit)
{
    int from = core->polytope ? core->polytope->edges[i].vertex[0] : 0;
    int to = core->polytope ? core->polytope->edges[i].vertex[1] : 1;
    edge e = {.start = fender_vec3_scale(unit, core->vertices[from])};
    e.along = fender_vec3_sub(fender_vec3_scale(unit, core->vertices[to]), e.start);
    e.length = fender_vec3_length(e.along);
    for (int k = 0; k < 2 && core->polytope; k++) {
        int face = core->polytope->edges[i].face[k];
        if (face < 0) continue;
        fender_vec3 across = fender_vec3_cross(core->polytope->face_normals[face], e.along);
        e.inward[k] = turned(r, fender_vec3_scale((k == 0 ? 1 : -1) / e.length, across));
    }
    e.start = fender_vec3_add(turned(r, e.start), p);
    e.along = turned(r, e.along);
    return e;
}

/* The edge is what the polytope has farthest along n. */
static bool is_top(const edge *e, fender_vec3 n)
{
    return fender_vec3_dot(n, e->inward[0]) <= 1e-9 && fender_vec3_dot(n, e->inward[1]) <= 1e-9;
}

static void try_edges(search *s, const edge *a, const edge *b)
{
    fender_vec3 n = fender_vec3_cross(a->along, b->along);
    double length = fender_vec3_length(n);
    if (!(length > 1e-14 * a->length * b->length)) return; /* parallel: the same face is found by others */
    n = fender_vec3_make(n.x / length, n.y / length, n.z / length);
    fender_vec3 gap = fender_vec3_sub(b->start, a->start);
    for (int sign = 0; sign < 2; sign++) {
        fender_vec3 opposite = fender_vec3_negate(n);
        if (fender_vec3_dot(n, gap) > s->most && is_top(a, n) && is_top(b, opposite)) try_direction(s, n);
        n = opposite;
    }
}

double fnd_convex_overlap_of_all(const fnd_convex_pair *pair, fnd_core_separation *out)
{
    search s = {pair, -INFINITY, {0, 0, 1}};
    const fnd_polytope *a = pair->a.polytope, *b = pair->b.polytope;
    for (int i = 0; a && i < a->face_count; i++) try_direction(&s, a->face_normals[i]);
    for (int i = 0; b && i < b->face_count; i++)
        try_direction(&s, fender_vec3_negate(fender_mat3_times(&pair->R_AB, b->face_normals[i])));
    int edges_a = edge_count(&pair->a), edges_b = edge_count(&pair->b);
    for (int i = 0; i < edges_a; i++) {
        edge one = edge_at(&pair->a, i, NULL, fender_vec3_make(0, 0, 0), pair->unit);
        for (int j = 0; j < edges_b; j++) {
            edge other = edge_at(&pair->b, j, &pair->R_AB, pair->p_AB, pair->unit);
            try_edges(&s, &one, &other);
        }
    }
    for (int k = 0; k < 2 && s.most == -INFINITY; k++) { /* points and lines: any direction across */
        if ((k == 0 ? edges_a : edges_b) == 0) continue;
        edge e = k == 0 ? edge_at(&pair->a, 0, NULL, fender_vec3_make(0, 0, 0), pair->unit)
                        : edge_at(&pair->b, 0, &pair->R_AB, pair->p_AB, pair->unit);
        double x = fabs(e.along.x), y = fabs(e.along.y), z = fabs(e.along.z);
        fender_vec3 axis = x <= y && x <= z ? fender_vec3_make(1, 0, 0)
                           : y <= z         ? fender_vec3_make(0, 1, 0)
                                            : fender_vec3_make(0, 0, 1);
        fender_vec3 n = fender_vec3_cross(e.along, axis);
        double length = fender_vec3_length(n);
        if (!(length > 0)) continue;
        n = fender_vec3_make(n.x / length, n.y / length, n.z / length);
        try_direction(&s, n);
        try_direction(&s, fender_vec3_negate(n));
    }
    if (s.most == -INFINITY) {
        try_direction(&s, fender_vec3_make(0, 0, 1));
        try_direction(&s, fender_vec3_make(0, 0, -1));
    }
    return fnd_convex_opposite(pair, s.normal, out);
}
