/* The columns of a cylinder's pressure from its caps up to the ground (docs/models/contact_patches.md): where the
 * ground is nearly across the axis, caps take what is in them. */
#include "collide/patch_field.h"
#include "collide/patch_side.h"
#include <assert.h>
#include <string.h>

/* What is left of the pressure spreads about its centre as all of it did: its second moments are not known. */
static void keep_spread(const double before[FND_SUMS], double sums[FND_SUMS])
{
    const double all = before[FND_SUM_P], left = sums[FND_SUM_P];
    const bool any = all > 0 && left > 0;
    const double u = any ? before[FND_SUM_PU] / all : 0, v = any ? before[FND_SUM_PV] / all : 0;
    const double now_u = any ? sums[FND_SUM_PU] / left : 0, now_v = any ? sums[FND_SUM_PV] / left : 0;
    sums[FND_SUM_PUU] = any ? left * (before[FND_SUM_PUU] / all - u * u + now_u * now_u) : 0;
    sums[FND_SUM_PUV] = any ? left * (before[FND_SUM_PUV] / all - u * v + now_u * now_v) : 0;
    sums[FND_SUM_PVV] = any ? left * (before[FND_SUM_PVV] / all - v * v + now_v * now_v) : 0;
}

/* Less what caps take. */
void fnd_field_take_columns(const fnd_section *section, const fnd_ground_columns *columns, double sums[FND_SUMS])
{
    if (!(columns->force > 0)) return;
    fender_vec3 arm = fender_vec3_add_scaled(columns->first, -columns->force, section->origin);
    double before[FND_SUMS];
    memcpy(before, sums, sizeof before);
    sums[FND_SUM_P] -= columns->force;
    sums[FND_SUM_PU] -= fender_vec3_dot(section->of_u, arm);
    sums[FND_SUM_PV] -= fender_vec3_dot(section->of_v, arm);
    keep_spread(before, sums);
}

/* A cap and the pressure above it. */
typedef struct above_cap {
    double sign, end, full; /* of the way from the cap along the axis; z of the cap; up to the other one */
    /* of the polygon: planes that limit what of the cap is in the ground */
    const fnd_cut_plane *limits[FND_FIELD_SIDES + FND_FIELD_FLATS];
    int limit_count;
    double lying[3]; /* what caps take beside the triangle; -1: there is nothing beside */
    double part;     /* what they take above it */
} above_cap;

/* How much of the columns from a cap up to a face the cap takes: less where the solid is deeper behind the face than
 * behind a steep one beside it, at an edge. There it lies across the edge, and the pressure before the steep face is
 * what holds it. */
static fnd_side_part part_at_edges(const fnd_field *p, const fnd_cut_plane *face, double end, bool flat)
{
    const fnd_cut_plane *beside[FND_FIELD_SIDES];
    int count = 0;
    for (int i = 0; i < p->side_count; i++)
        for (int k = 0; k < p->sides[i].edge_count; k++)
            if (p->sides[i].edges[k] == face->plane) beside[count++] = &p->sides[i];
    return fnd_patch_edge_part(&p->rotated, end, face, beside, count, flat);
}

/* What a side does where the columns end there, or go on with another part of them taken. `beyond`: depths count from
 * the other cap, where the columns end. */
static void add_column_side(const fnd_field *p, const above_cap *c, const fnd_cut *cut, int i, bool beyond)
{
    const fnd_cut_corner *from = &cut->corners[i], *to = &cut->corners[i + 1 < cut->count ? i + 1 : 0];
    if (from->side < 0 || (from->side < 3 && (c->lying[from->side] < 0 || c->lying[from->side] == c->part))) return;
    bool of_cap = from->side >= 3; /* the border of the ground on the cap; else an edge of the ground */
    double dx = to->x - from->x, dy = to->y - from->y, across = sqrt(dx * dx + dy * dy);
    const double more = beyond ? c->full : 0;
    const double heights[2] = {beyond ? c->full : from->depth, beyond ? c->full : to->depth};
    const fender_vec3 ends[2] = {{from->x, from->y, c->end + (of_cap ? 0 : c->sign * (from->depth + more))},
                                 {to->x, to->y, c->end + (of_cap ? 0 : c->sign * (to->depth + more))}};
    if (!(across > 0)) return;
    fender_vec3 inward = {-dy / across, dx / across, 0}, place;
    if (of_cap) {
        inward = fender_vec3_negate(c->limits[from->side - 3]->normal);
        across = sqrt(inward.x * inward.x + inward.y * inward.y);
        inward = fender_vec3_scale(1 / across, inward);
    }
    double along = c->part * fnd_cap_edge(&p->rotated, ends, heights, &place);
    fnd_ground *g = p->ground;
    g->of_pressure->force = fender_vec3_add_scaled(g->of_pressure->force, along, inward);
    g->of_pressure->moment = fender_vec3_add_scaled(g->of_pressure->moment, c->part, fender_vec3_cross(place, inward));
}

/* Of the columns up to a triangle, from the same cap. */
static double taken_beside(const fnd_field *p, int32_t triangle, const above_cap *c)
{
    const fnd_surface *s = p->view->surface;
    const fender_vec3 n = fnd_triangle_normal(s, triangle), at = fnd_surface_corner(s, triangle, 0);
    const fnd_cut_plane face = {.plane = s->planes[triangle],
                                .normal = fender_mat3_transpose_times(&p->view->R_AB, n),
                                .offset = fender_vec3_dot(n, fender_vec3_sub(at, p->view->p_AB))};
    double unused, lying = fnd_cap_lying(c->sign * face.normal.z, &unused);
    return lying > 0 ? lying * part_at_edges(p, &face, c->end, false).part : 0;
}

/* Energy of the columns over a polygon on the cap; `sums`: of the pressure, and of that times x and y. */
static double column_energy(const fnd_field *p, const fnd_cut *cut, double sums[3])
{
    fender_vec3 corners[FND_CUT_CORNERS];
    sums[0] = sums[1] = sums[2] = 0;
    if (cut->count < 3) return 0;
    for (int i = 0; i < cut->count; i++) corners[i] = fender_vec3_make(cut->corners[i].x, cut->corners[i].y, 0);
    /* the height is linear: from three corners that are not on a line, the widest of a fan */
    double widest = 0, slope_x = 0, slope_y = 0;
    const fnd_cut_corner *o = &cut->corners[0];
    for (int i = 1; i + 1 < cut->count; i++) {
        const fnd_cut_corner *a = &cut->corners[i], *b = &cut->corners[i + 1];
        double ax = a->x - o->x, ay = a->y - o->y, bx = b->x - o->x, by = b->y - o->y, area = ax * by - ay * bx;
        if (!(area > widest)) continue;
        widest = area;
        slope_x = ((a->depth - o->depth) * by - (b->depth - o->depth) * ay) / area;
        slope_y = ((b->depth - o->depth) * ax - (a->depth - o->depth) * bx) / area;
    }
    if (!(widest > 0)) return 0;
    fnd_cap_dome(p->rotated.radius, corners, cut->count, sums);
    for (int k = 0; k < 3; k++) sums[k] *= p->rotated.h0;
    return (o->depth - slope_x * o->x - slope_y * o->y) * sums[0] + slope_x * sums[1] + slope_y * sums[2];
}

/* Takes a force with its moment off the sums of a section. Second moments shrink alike: they only spread contacts. */
static void take(const fnd_section *section, double force, fender_vec3 first, double sums[FND_SUMS])
{
    double before[FND_SUMS], left = sums[FND_SUM_P] - force / section->area;
    memcpy(before, sums, sizeof before);
    fender_vec3 arm = fender_vec3_scale(1 / section->area, fender_vec3_add_scaled(first, -force, section->origin));
    if (!(left > FND_NOTHING_LEFT * sums[FND_SUM_P])) left = 0;
    sums[FND_SUM_P] = left;
    sums[FND_SUM_PU] = left > 0 ? sums[FND_SUM_PU] - fender_vec3_dot(section->of_u, arm) : 0;
    sums[FND_SUM_PV] = left > 0 ? sums[FND_SUM_PV] - fender_vec3_dot(section->of_v, arm) : 0;
    keep_spread(before, sums);
}

/* Caps take the part `lying` of the pressure in the columns from them to a facet, where they are in the ground. */
void fnd_field_add_columns(fnd_field *p, int32_t triangle, const fnd_section *section, const fender_vec3 corners[3],
                           double lying, double derivative, double sums[FND_SUMS])
{
    const fnd_surface *s = p->view->surface;
    fnd_ground *g = p->ground;
    double sign = section->normal.z < 0 ? -1 : 1;
    above_cap c = {.sign = sign, .end = sign > 0 ? p->rotated.low : p->rotated.high};
    const fnd_cut_plane face = fnd_cut_plane_of_section(s->planes[triangle], section);
    const fnd_side_part taken = part_at_edges(p, &face, c.end, false);
    if (!(taken.part > 0)) return;
    c.part = lying * taken.part;
    c.full = p->rotated.high - p->rotated.low;
    fnd_cut cuts[2];
    cuts[0].count = 3;
    for (int k = 0; k < 3; k++) { /* counter-clockwise about z */
        int corner = sign > 0 ? k : 2 - k, side = sign > 0 ? k : (4 - k) % 3;
        fender_vec3 x = corners[corner];
        cuts[0].corners[k] = (fnd_cut_corner){x.x, x.y, sign * (x.z - c.end), side};
        int32_t beside = s->neighbours[triangle][k];
        c.lying[k] = beside < 0 ? -1 : s->planes[beside] == face.plane ? c.part : taken_beside(p, beside, &c);
    }
    int now = 1;
    fnd_cut_depth(&cuts[0], &cuts[1]);
    for (int i = 0; i < p->side_count; i++)
        if (sign * p->sides[i].normal.z < 0 && !fnd_cut_planes_step(s, triangle, p->sides[i].plane))
            c.limits[c.limit_count++] = &p->sides[i];
    for (int i = 0; i < p->flat_count[sign < 0]; i++)
        if (!fnd_cut_planes_step(s, triangle, p->flats[sign < 0][i].plane))
            c.limits[c.limit_count++] = &p->flats[sign < 0][i];
    for (int i = 0; i < c.limit_count && cuts[now].count > 0; i++) {
        const fnd_cut_plane *limit = c.limits[i];
        const fnd_half_plane inside = {-limit->normal.x, -limit->normal.y, limit->offset - limit->normal.z * c.end};
        fnd_cut_border(&cuts[now], inside, 3 + i, &cuts[1 - now]);
        now = 1 - now;
    }
    if (cuts[now].count == 0) return;
    double energy = 0, domes[3];
    fnd_cut beyond = {.count = 0};
    for (int i = 0; i < cuts[now].count; i++)
        if (cuts[now].corners[i].depth > c.full) beyond.count = 1;
    if (beyond.count > 0) { /* over the other end */
        fnd_cut heights = cuts[now], *rest = &cuts[1 - now];
        for (int i = 0; i < heights.count; i++) heights.corners[i].depth -= c.full;
        fnd_cut_depth(&heights, &beyond);
        for (int i = 0; i < heights.count; i++) heights.corners[i].depth = c.full - cuts[now].corners[i].depth;
        fnd_cut_depth(&heights, rest);
        for (int i = 0; i < rest->count; i++) rest->corners[i].depth = c.full - rest->corners[i].depth;
        now = 1 - now;
        bool over = sign > 0 ? p->upper_cap : p->lower_cap; /* else what is higher is behind a ridge */
        if (!over) beyond.count = 0;
        (void)column_energy(p, &beyond, domes);
        energy = c.full * domes[0];
        for (int i = 0; i < beyond.count; i++) add_column_side(p, &c, &beyond, i, true);
    }
    double inner = column_energy(p, &cuts[now], domes), force = c.part * domes[0] / fabs(section->normal.z);
    fender_vec3 first = {domes[1], domes[2], c.end * domes[0] + sign * inner};
    if (sums[FND_SUM_P] > 0) take(section, force, fender_vec3_scale(c.part / fabs(section->normal.z), first), sums);
    energy += inner;
    for (int i = 0; i < cuts[now].count; i++) add_column_side(p, &c, &cuts[now], i, false);
    p->columns += c.part * energy;
    fender_vec3 outward = {0, 0, -sign}, rotation = fender_vec3_cross(outward, section->normal);
    g->of_pressure->inertia = fender_vec3_add_scaled(g->of_pressure->inertia, -derivative * taken.part * energy,
                                                     rotation);
    g->of_pressure->force = fender_vec3_add_scaled(g->of_pressure->force, -lying * energy, taken.force);
    g->of_pressure->moment = fender_vec3_add_scaled(g->of_pressure->moment, -lying * energy, taken.moment);
}

fnd_side_part fnd_field_rim_part(const fnd_field *p, const fnd_visible_facet *at)
{
    const fnd_cut_plane face = {.plane = at->plane, .normal = at->normal, .offset = at->offset};
    return part_at_edges(p, &face, 0, true);
}
