/* Which parts of faces count: those that are behind the surface, and about the shortest way out of it. */
#include "collide/patch_face.h"
#include "geometry/support.h"
#include <assert.h>

/* Facets of a mesh that are not convex see parts of others far behind them, through their own solid: a part counts
 * where its middle is behind the surface, and the facet about the nearest. */
bool fnd_part_is_inside(const fnd_ground *g, const fnd_face_view *v, const fnd_area_moments *m, double depth)
{
    const fnd_surface_view *view = g->view;
    if (!view->surface) return true; /* a plane */
    fender_vec3 x = fender_vec3_add_scaled(v->face->origin, m->x, v->face->e1);
    x = fender_vec3_add_scaled(x, m->y, v->face->e2);
    x = fender_vec3_add(view->p_AB, fender_mat3_times(&view->R_AB, x));
    const bool grid = view->surface->count_x > 0;
    const fnd_surface_closest none = {.triangle = -1};
    bool behind = grid && fnd_surface_is_behind(view->surface, x, &none); /* a grid needs no nearest place */
    if (grid && !behind) return depth < 1e-9 * view->radius;
    const double beyond = 2 * g->rounding,
                 limit = depth > beyond ? depth : beyond; /* before an edge it may be so far */
    fnd_surface_closest place = fnd_surface_nearest(view->surface, x, limit * (1 + 1e-9) + 1e-12 * view->radius);
    if (place.triangle < 0) return grid;
    if (!grid) behind = fnd_surface_is_behind(view->surface, x, &place);
    const double way = g->rounding + (behind ? place.distance : -fnd_surface_before_planes(view->surface, &place));
    return way > 0 && depth <= FND_NEAREST * way;
}

/* The way on which the solid leaves the whole surface, along one of its own faces. */
static double way_along(const fnd_ground *g, int face)
{
    const fnd_surface_view *view = g->view;
    const fender_vec3 n = fender_mat3_times(&view->R_AB, g->polytope->face_normals[face]);
    return g->polytope->face_offsets[face] + g->rounding - fnd_surface_lowest(view->surface, n, view->p_AB);
}

/* Is a facet, at a depth, about the shortest way out? Only ways along faces that are near the facet may be shorter. */
static bool is_way_out(fnd_ground *g, double depth)
{
    const fnd_polytope *p = g->polytope;
    for (int face = 0; face < p->face_count && !(depth > FND_NEAREST * g->way); face++) {
        const fender_vec3 n = p->face_normals[face];
        double least = -INFINITY;
        for (int k = 0; k < 3; k++) {
            const double way = p->face_offsets[face] + g->rounding - fender_vec3_dot(n, g->at->corners[k]);
            least = way > least ? way : least;
        }
        if (!(depth > FND_NEAREST * least)) continue;
        const double way = way_along(g, face);
        g->way = way < g->way ? way : g->way;
    }
    return !(depth > FND_NEAREST * g->way);
}

/* Is a part straight behind the facet itself, and not much wider? */
static bool is_straight_behind(const fnd_ground *g, const fnd_face_view *v, const fnd_area_moments *m)
{
    const fender_vec3 *corners = g->at->corners, n = g->at->normal;
    fender_vec3 x = fender_vec3_add_scaled(v->face->origin, m->x, v->face->e1);
    x = fender_vec3_add_scaled(x, m->y, v->face->e2);
    double twice = 0; /* the area of the facet */
    for (int k = 0; k < 3; k++) {
        const fender_vec3 along = fender_vec3_sub(corners[(k + 1) % 3], corners[k]);
        const double of_side = fender_vec3_dot(fender_vec3_cross(n, along), fender_vec3_sub(x, corners[k]));
        if (of_side < 0) return false;
        twice += of_side;
    }
    const double down = fabs(fender_vec3_dot(n, g->polytope->face_normals[v->number]));
    return 2 * down * m->area <= FND_NEAREST * twice;
}

/* Of a solid that went through a wall parts are beyond it, and count if that is the way out. */
bool fnd_part_counts(fnd_ground *g, const fnd_face_view *v, const fnd_area_moments *m, double depth)
{
    return fnd_part_is_inside(g, v, m, depth) ||
           (g->triangle < 0 && is_straight_behind(g, v, m) && is_way_out(g, depth));
}

/* Cosine between two facets from which on they look the other way, and fully. */
#define OPPOSITE       (-0.5)
#define OPPOSITE_FULLY (-0.75)

/* A solid that has gone through a thin wall meets its back, too, and would be drawn out there: facets that look the
 * other way than that of the shortest way out count less the longer their own is, and nothing from twice as long on. */
double fnd_facet_counts(const fnd_ground *g)
{
    if (g->limits && !g->field) return 1; /* its parts fade one by one */
    if (!(g->out_depth > 0)) return 1;
    const double along = fender_vec3_dot(g->out_normal, g->at->normal);
    double rest = 2 - g->at->depth / g->out_depth, opposed = (OPPOSITE - along) / (OPPOSITE - OPPOSITE_FULLY);
    if (!(opposed > 0) || rest >= 1) return 1;
    rest = rest > 0 ? rest : 0;
    opposed = opposed < 1 ? opposed : 1;
    return 1 - (1 - rest) * opposed * opposed * (3 - 2 * opposed);
}

/* The planes of a polytope's faces do not tell the way out where a solid lies across its edges: the nearest points do.
 */
static void ask_way_out(fnd_ground *g)
{
    const fnd_posed *a = g->view->a, *b = g->view->b;
    fender_separation nearest;
    fnd_manifold one = {.items = &nearest, .capacity = 1};
    const fnd_pair_entry entry = fnd_pair_find(a->geometry, b->geometry);
    const fnd_query single = {FND_QUERY_SINGLE, 0, NULL, NULL, 0};
    fnd_pair_evaluate(&entry, a, b, &single, &one);
    if (one.count != 1 || !(nearest.distance < 0) || !(-nearest.distance < g->out_depth)) return;
    g->out_depth = -nearest.distance;
    g->out_normal = fender_mat3_transpose_times(&b->R_WG, nearest.normal);
}

bool fnd_surface_scan_has_opposite(fnd_surface_scan *scan)
{
    enum { MOST = 16 }; /* of directions */
    fender_vec3 normals[MOST];
    int count = 0;
    for (bool more = fnd_surface_scan_first(scan); more; more = fnd_surface_scan_more(scan))
        for (int i = 0; i < scan->count; i++) {
            const fender_vec3 n = scan->found[i].normal;
            bool known = false;
            for (int k = 0; k < count; k++) {
                const double along = fender_vec3_dot(normals[k], n);
                if (along < -0.5) return true;
                known = known || along > 0.9;
            }
            if (!known && count < MOST) normals[count++] = n;
        }
    return false;
}

void fnd_ground_find_way_out(fnd_ground *g, fnd_surface_scan *scan)
{
    g->out_depth = 0;
    if (!g->view->surface->closed || (g->limits && !g->field)) return;
    for (bool more = fnd_surface_scan_first(scan); more; more = fnd_surface_scan_more(scan))
        for (int i = 0; i < scan->count; i++) {
            if (g->out_depth > 0 && scan->found[i].depth >= g->out_depth) continue;
            g->out_depth = scan->found[i].depth;
            g->out_normal = scan->found[i].normal;
        }
    if (g->view->a->geometry->skin && fnd_surface_scan_has_opposite(scan)) ask_way_out(g);
}
