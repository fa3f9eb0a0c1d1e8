/* Parts of faces that a facet of a convex solid has in its cell, but far behind other facets of the solid.
 *
 * The borders of a cell pass through the edges of its facet alone. Where the solid is thin or sharp a cell so reaches
 * through it and out on its other side. No point of an overlap is deeper behind the nearest facet than the shortest way
 * out, W. A part counts by its mean depth D, weighted by the depth, in full up to 1.5 W, and not at all from twice that
 * on. Its energy is then a continuous function of the pose, and what changes it beside the depth is known. */
#include "collide/patch_face.h"
#include <assert.h>

/* Is the facet that is looked at the nearest of the solid's at every corner? */
static bool is_nearest(const fnd_ground *g, const fnd_face_view *v, const fnd_cut *part)
{
    const fnd_surface_view *view = g->view;
    const fnd_polytope *p = fnd_geometry_cells(view->a->geometry);
    const fnd_ground_face *f = v->face;
    for (int i = 0; i < part->count; i++) {
        const fnd_cut_corner *c = &part->corners[i];
        fender_vec3 x = fender_vec3_add_scaled(fender_vec3_add_scaled(f->origin, c->x, f->e1), c->y, f->e2);
        x = fender_vec3_add(view->p_AB, fender_mat3_times(&view->R_AB, x));
        const double limit = c->depth - g->rounding - 1e-9 * view->radius;
        for (int face = 0; face < p->face_count; face++)
            if (p->face_offsets[face] - fender_vec3_dot(p->face_normals[face], x) < limit) return false;
    }
    return true;
}

/* The planes of faces do not tell the way out where a solid lies across edges: the nearest points do. */
static void find_way_out(fnd_ground *g)
{
    const fnd_posed *a = g->view->a, *b = g->view->b;
    fender_separation nearest;
    fnd_manifold one = {.items = &nearest, .capacity = 1};
    const fnd_pair_entry entry = fnd_pair_find(a->geometry, b->geometry);
    const fnd_query single = {FND_QUERY_SINGLE, 0, NULL, NULL, 0};
    g->way_out = (fnd_ground_way_out){.known = true};
    fnd_pair_evaluate(&entry, a, b, &single, &one);
    if (one.count != 1 || !(nearest.distance < 0)) return;
    const fender_vec3 from_b = fender_vec3_sub(nearest.point_b, fender_vec3_sub(b->p_WG, a->p_WG));
    g->way_out.length = g->rounding - nearest.distance; /* planes are that far outside where edges stay sharp */
    g->way_out.normal = fender_mat3_transpose_times(&b->R_WG, nearest.normal);
    g->way_out.place = fender_mat3_transpose_times(&b->R_WG, from_b);
}

/* Solids of so many faces need the way out first: it costs less than to compare with all of them. */
enum { MANY_FACES = 64 };

/* No part fades that is nowhere deeper than this. */
static bool is_shallow(fnd_ground *g, const fnd_cut *part)
{
    double deepest = 0;
    for (int i = 0; i < part->count; i++) deepest = part->corners[i].depth > deepest ? part->corners[i].depth : deepest;
    if (!g->way_out.known && fnd_geometry_cells(g->view->a->geometry)->face_count > MANY_FACES) find_way_out(g);
    return g->way_out.known && deepest * (1 + 1e-9) < FND_NEAREST * g->way_out.length;
}

bool fnd_part_may_be_ghost(fnd_ground *g, const fnd_face_view *v, const fnd_cut *part)
{
    return g->limits && part->count > 0 && !is_shallow(g, part) && !is_nearest(g, v, part);
}

/* Of the depth (`power` 1) or its square (2): what sides on borders add to the change of its integral. */
static void add_sides(const fnd_surface_sample *look, const fnd_ground_face *f, const fnd_cut *part, int power,
                      fnd_part_sum *s)
{
    for (int i = 0; i < part->count; i++) {
        const fnd_cut_corner *from = &part->corners[i], *to = &part->corners[i + 1 < part->count ? i + 1 : 0];
        if (from->side < 0) continue;
        const double dx = to->x - from->x, dy = to->y - from->y, length = sqrt(dx * dx + dy * dy);
        double x = length * (from->x * (from->depth + to->depth) / 2 + dx * (from->depth + 2 * to->depth) / 6),
               y = length * (from->y * (from->depth + to->depth) / 2 + dy * (from->depth + 2 * to->depth) / 6),
               sum = length * (from->depth + to->depth) / 2;
        if (power == 2) sum = fnd_cut_side_moments(part, i, &x, &y);
        const fender_vec3 w = look->inward[from->side];
        const double a = fender_vec3_dot(w, f->e1), b = fender_vec3_dot(w, f->e2), across = sqrt(a * a + b * b);
        if (!(across > 0) || !(sum > 0)) continue;
        fender_vec3 first = fender_vec3_add_scaled(fender_vec3_scale(sum, f->origin), x, f->e1);
        first = fender_vec3_add_scaled(first, y, f->e2);
        s->by_way = fender_vec3_add_scaled(s->by_way, sum / across, w);
        s->by_turn = fender_vec3_add_scaled(s->by_turn, 1 / across, fender_vec3_cross(first, w));
    }
}

void fnd_part_add_depths(const fnd_ground *g, const fnd_face_view *v, const fnd_surface_sample *look,
                         const fnd_cut *part, fnd_part_sum *depth, fnd_part_sum *square)
{
    fnd_area_moments m = {0};
    fnd_cut_add_moments(part, &m);
    if (!(m.area > 0)) return;
    const fnd_ground_face *f = v->face;
    const fender_vec3 n = g->at->normal;
    const double middle = v->depth + v->slope_x * m.x + v->slope_y * m.y, x = v->slope_x * m.xx + v->slope_y * m.xy,
                 y = v->slope_x * m.xy + v->slope_y * m.yy, sum = m.area * middle;
    fender_vec3 center = fender_vec3_add_scaled(fender_vec3_add_scaled(f->origin, m.x, f->e1), m.y, f->e2);
    fender_vec3 first = fender_vec3_add_scaled(fender_vec3_scale(sum, center), x, f->e1);
    first = fender_vec3_add_scaled(first, y, f->e2);
    depth->sum += sum;
    depth->by_way = fender_vec3_add_scaled(depth->by_way, -m.area, n);
    depth->by_turn = fender_vec3_add_scaled(depth->by_turn, -m.area, fender_vec3_cross(center, n));
    add_sides(look, f, part, 1, depth);
    square->sum += sum * middle + v->slope_x * x + v->slope_y * y;
    square->by_way = fender_vec3_add_scaled(square->by_way, -2 * sum, n);
    square->by_turn = fender_vec3_add_scaled(square->by_turn, -2, fender_vec3_cross(first, n));
    add_sides(look, f, part, 2, square);
}

fnd_side_part fnd_part_fade(fnd_ground *g, const fnd_part_sum *depth, const fnd_part_sum *square)
{
    if (!(depth->sum > 0)) return (fnd_side_part){.part = 1};
    if (!g->way_out.known) find_way_out(g);
    const double mean = square->sum / depth->sum, full = FND_NEAREST * g->way_out.length;
    if (mean <= full) return (fnd_side_part){.part = 1};
    if (mean >= 2 * full) return (fnd_side_part){0};
    const double x = mean / full - 1, by_mean = 6 * x * (1 - x) / full, by_full = -by_mean * mean / full;
    fnd_side_part found = {.part = 1 - x * x * (3 - 2 * x)};
    fender_vec3 way = fender_vec3_add_scaled(square->by_way, -mean, depth->by_way),
                turn = fender_vec3_add_scaled(square->by_turn, -mean, depth->by_turn);
    const fender_vec3 n = g->way_out.normal, out = fender_vec3_scale(-FND_NEAREST * by_full, n);
    /* its decrease: by_mean times the change of the mean, and by_full times that of the way out, against n */
    found.force = fender_vec3_add_scaled(out, by_mean / depth->sum, way);
    found.moment = fender_vec3_add_scaled(fender_vec3_cross(g->way_out.place, out), by_mean / depth->sum, turn);
    return found;
}
