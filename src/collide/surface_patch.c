/* Patches of a polytope on uneven ground (docs/models/contact_patches.md).
 *
 * Each facet of the ground has a cell, the part of the space behind that is its own. The energy is
 *     k / (2 A_full) * sum over facets and faces  counted(down) * integral of depth^2 over the face's part in the cell
 * with the depth below the facet's plane: that of a plane where the ground is flat, whatever the triangles. */
#include "collide/surface_patch.h"

#include "collide/surface_cut.h"
#include "geometry/support.h"

/* The face's coordinates: x along its first edge. */
typedef struct face_frame {
    fender_vec3 origin, e1, e2;
    double depth, slope_x, slope_y;
} face_frame;

static fender_vec2 flat(const face_frame *f, fender_vec3 x)
{
    fender_vec3 d = fender_vec3_sub(x, f->origin);
    return (fender_vec2){fender_vec3_dot(f->e1, d), fender_vec3_dot(f->e2, d)};
}

/* A border of the cell, in G of the polytope. */
typedef struct border {
    fender_vec3 inward, point;
    bool moves; /* something changes across it: not an edge within one plane */
} border;

/* What a side on a border does as the solid slides over it: per length depth^2 / 2 times the border's direction, over
 * the sine between border and face. */
static void add_walls(fnd_ground *g, const face_frame *f, const fnd_cut *part, const border borders[3], double factor)
{
    for (int i = 0; i < part->count; i++) {
        int side = part->corners[i].side;
        if (side < 0 || !borders[side].moves) continue;
        double x, y, square = fnd_cut_side_moments(part, i, &x, &y);
        if (!(square > 0)) continue;
        fender_vec3 w = borders[side].inward;
        double a = fender_vec3_dot(w, f->e1), b = fender_vec3_dot(w, f->e2), across = sqrt(a * a + b * b);
        if (!(across > 0)) continue;
        double strength = -0.5 * factor / across;                 /* outward: the energy falls that way */
        fender_vec3 first = fender_vec3_scale(square, f->origin); /* integral of depth^2 times the place */
        first = fender_vec3_add_scaled(fender_vec3_add_scaled(first, x, f->e1), y, f->e2);
        g->wall_force = fender_vec3_add_scaled(g->wall_force, strength * square, w);
        g->wall_moment = fender_vec3_add_scaled(g->wall_moment, strength, fender_vec3_cross(first, w));
    }
}

/* The part of a face in the cell: moments, and the walls' doing. */
static fnd_area_moments cut_face(fnd_ground *g, const face_frame *f, int face, const border borders[3], double factor)
{
    const fnd_polytope *p = g->polytope;
    const int32_t *vertices = &p->face_vertices[p->face_start[face]];
    int count = p->face_start[face + 1] - p->face_start[face];
    fnd_area_moments sum = {0};
    enum { FAN = FND_CUT_CORNERS - 6 };
    for (int start = 1; start + 1 < count; start += FAN - 2) { /* a fan about the first corner */
        fnd_cut parts[2];
        parts[0].corners[0] = (fnd_cut_corner){0, 0, f->depth, FND_SIDE_FACE};
        parts[0].count = 1;
        for (int i = start; i < count && parts[0].count < FAN; i++) {
            fender_vec2 c = flat(f, p->vertices[vertices[i]]);
            double depth = f->depth + (f->slope_x * c.x + f->slope_y * c.y);
            parts[0].corners[parts[0].count++] = (fnd_cut_corner){c.x, c.y, depth, FND_SIDE_FACE};
        }
        fnd_cut_depth(&parts[0], &parts[1]);
        int now = 1;
        for (int k = 0; k < 3 && parts[now].count > 0; k++) {
            fender_vec3 w = borders[k].inward;
            fnd_half_plane cut = {fender_vec3_dot(w, f->e1), fender_vec3_dot(w, f->e2),
                                  fender_vec3_dot(w, fender_vec3_sub(f->origin, borders[k].point))};
            fnd_cut_border(&parts[now], cut, k, &parts[1 - now]);
            now = 1 - now;
        }
        if (parts[now].count == 0) continue;
        fnd_cut_add_moments(&parts[now], &sum);
        add_walls(g, f, &parts[now], borders, factor);
    }
    return sum;
}

static void add_moments(fnd_area_moments *sum, const fnd_area_moments *more)
{
    if (sum->area == 0) {
        *sum = *more;
        return;
    }
    double total = sum->area + more->area, dx = more->x - sum->x, dy = more->y - sum->y, part = more->area / total;
    double reduced = sum->area * part;
    sum->xx += more->xx + reduced * dx * dx;
    sum->xy += more->xy + reduced * dx * dy;
    sum->yy += more->yy + reduced * dy * dy;
    sum->x += part * dx;
    sum->y += part * dy;
    sum->area = total;
}

/* Does the solid meet the triangle that is looked at? (With rounding: may it.) */
static bool meets(const fnd_ground *g)
{
    const fnd_polytope *p = g->polytope;
    fnd_cut parts[2];
    const fender_vec3 *corners = g->at->corners;
    for (int k = 0; k < 3; k++) {
        parts[0].corners[k] = (fnd_cut_corner){k == 1, k == 2, 0, FND_SIDE_FACE}; /* parts of the two edges from 0 */
    }
    parts[0].count = 3;
    fender_vec3 e1 = fender_vec3_sub(corners[1], corners[0]), e2 = fender_vec3_sub(corners[2], corners[0]);
    int now = 0;
    for (int face = 0; face < p->face_count && parts[now].count > 0; face++) {
        fender_vec3 n = p->face_normals[face];
        double inside = p->face_offsets[face] + g->rounding - fender_vec3_dot(n, corners[0]);
        fnd_half_plane cut = {-fender_vec3_dot(n, e1), -fender_vec3_dot(n, e2), inside};
        if (inside >= 0 && inside + cut.a >= 0 && inside + cut.b >= 0) continue;
        fnd_cut_border(&parts[now], cut, 0, &parts[1 - now]);
        now = 1 - now;
    }
    return parts[now].count > 0;
}

/* Triangles whose area is a smaller part of that of the solid's largest face have one point each. */
#define SMALL_PART 0.25

/* What the points of a triangle are part of: its plane, each face for itself, or one sum. */
enum { PLANE, ALONE, SMALL };

static bool is_alone(const fnd_surface *s, int32_t triangle)
{
    for (int k = 0; k < 3; k++) {
        int32_t other = s->neighbours[triangle][k];
        if (other >= 0 && s->planes[other] == s->planes[triangle]) return false;
    }
    return true;
}

/* The same face below other triangles of the same plane makes one part. */
static void collect(fnd_ground *g, int32_t triangle, const fnd_ground_part *part, bool alone)
{
    for (int i = 0; i < g->part_count && !alone; i++) {
        if (g->parts[i].plane != part->plane || g->parts[i].face != part->face) continue;
        add_moments(&g->parts[i].moments, &part->moments);
        return;
    }
    if (!alone && g->part_count < FND_GROUND_PARTS) {
        g->parts[g->part_count++] = *part;
        return;
    }
    fnd_ground_part one = *part;
    one.plane = triangle; /* no name of others */
    fnd_ground_add_points(g, &one);
}

/* Into the sum of a small triangle. `square`: the integral of depth^2. */
static void add_to_sum(fnd_ground *g, const face_frame *f, const fnd_ground_part *part, double depth, double square)
{
    const fnd_area_moments *m = &part->moments;
    double factor = part->counted / g->full_area, force = factor * m->area * depth;
    double x = force * m->x + factor * (f->slope_x * m->xx + f->slope_y * m->xy);
    double y = force * m->y + factor * (f->slope_x * m->xy + f->slope_y * m->yy);
    g->sum.area += factor * m->area;
    g->sum.force += force;
    g->sum.energy += factor * square;
    g->sum.first = fender_vec3_add_scaled(g->sum.first, force, f->origin);
    g->sum.first = fender_vec3_add_scaled(fender_vec3_add_scaled(g->sum.first, x, f->e1), y, f->e2);
}

static void add_face(fnd_ground *g, int32_t triangle, int face, double down, const border borders[3], int group)
{
    const fnd_polytope *p = g->polytope;
    const int32_t *vertices = &p->face_vertices[p->face_start[face]];
    face_frame f = {.origin = p->vertices[vertices[0]]};
    f.e1 = fender_vec3_sub(p->vertices[vertices[1]], f.origin);
    f.e1 = fender_vec3_scale(1 / fender_vec3_length(f.e1), f.e1);
    f.e2 = fender_vec3_cross(p->face_normals[face], f.e1);
    f.depth = g->at->offset - fender_vec3_dot(g->at->normal, f.origin);
    f.slope_x = -fender_vec3_dot(g->at->normal, f.e1);
    f.slope_y = -fender_vec3_dot(g->at->normal, f.e2);
    double derivative, counted = g->fade * fnd_patch_counted(down, &derivative);
    fnd_ground_part part = {.plane = g->view->surface->planes[triangle],
                            .face = face,
                            .counted = counted,
                            .normal = g->at->normal,
                            .offset = g->at->offset};
    part.moments = cut_face(g, &f, face, borders, counted / g->full_area);
    const fnd_area_moments *m = &part.moments;
    if (!(m->area > 0)) return;
    double depth = f.depth + (f.slope_x * m->x + f.slope_y * m->y); /* at the centroid */
    double square = depth * depth * m->area + f.slope_x * f.slope_x * m->xx + 2 * f.slope_x * f.slope_y * m->xy +
                    f.slope_y * f.slope_y * m->yy;
    fender_vec3 turn = fender_vec3_cross(p->face_normals[face], g->at->normal);
    g->turn_moment = fender_vec3_add_scaled(g->turn_moment, 0.5 * g->fade * derivative / g->full_area * square, turn);
    if (depth > g->deepest) g->deepest = depth;
    if (!g->met) g->met = meets(g);
    if (group == SMALL) add_to_sum(g, &f, &part, depth, square);
    else collect(g, triangle, &part, group == ALONE);
}

/* ---- triangles ---- */

static void make_borders(const fnd_ground *g, int32_t triangle, border borders[3])
{
    const fnd_surface *s = g->view->surface;
    fnd_surface_border cell[3];
    fnd_surface_cell(s, triangle, cell);
    for (int k = 0; k < 3; k++) {
        int32_t other = s->neighbours[triangle][k];
        borders[k].inward = fender_mat3_transpose_times(&g->view->R_AB, cell[k].inward);
        borders[k].point = fender_mat3_transpose_times(&g->view->R_AB, fender_vec3_sub(cell[k].point, g->view->p_AB));
        borders[k].moves = other < 0 || s->planes[other] != s->planes[triangle];
    }
}

static bool is_small(const fnd_ground *g)
{
    fender_vec3 u = fender_vec3_sub(g->at->corners[1], g->at->corners[0]),
                v = fender_vec3_sub(g->at->corners[2], g->at->corners[0]);
    fender_vec3 twice = fender_vec3_cross(u, v);
    return fender_vec3_dot(twice, twice) < 4 * g->small * g->small;
}

/* Depths of the vertices; the greatest. */
static double find_depths(fnd_ground *g)
{
    const fnd_polytope *p = g->polytope;
    fender_vec3 n = g->at->normal;
    double deepest = 0, offset = g->at->offset;
    for (int i = 0; i < p->vertex_count; i++) {
        double depth = offset - (n.x * p->x[i] + n.y * p->y[i] + n.z * p->z[i]);
        if (i < FND_GROUND_VERTICES) g->depths[i] = depth;
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

enum { FACES = 64 };

/* Faces that may have a part in the triangle's cell; -1: the cell, down to the depth, is out of one of them as a whole.
 * Going down into the cell leads further out of a face that looks down, by `down` less what the cell spreads. */
static int find_faces(const fnd_ground *g, int first, double depth, double spread, int faces[FACES], int *next)
{
    const fnd_polytope *p = g->polytope;
    fender_vec3 m = g->at->normal;
    int count = 0, face = first;
    for (; face < p->face_count && count < FACES; face++) {
        fender_vec3 n = p->face_normals[face];
        double down = -fender_vec3_dot(m, n), out = fender_vec3_dot(n, g->at->corners[0]);
        double b = fender_vec3_dot(n, g->at->corners[1]), c = fender_vec3_dot(n, g->at->corners[2]);
        out = b < out ? b : out;
        out = (c < out ? c : out) - p->face_offsets[face] - g->rounding;
        if (out > depth * (spread > down ? spread - down : 0)) return -1;
        if (down > 1e-9) faces[count++] = face;
    }
    *next = face;
    return count;
}

static bool is_below(const fnd_ground *g, int face)
{
    const fnd_polytope *p = g->polytope;
    if (p->vertex_count > FND_GROUND_VERTICES) return true;
    for (int i = p->face_start[face]; i < p->face_start[face + 1]; i++)
        if (g->depths[p->face_vertices[i]] > 0) return true;
    return false;
}

static void widen(fnd_ground *g, int32_t triangle)
{
    fender_vec3 *low = &g->box.lower, *high = &g->box.upper;
    for (int k = 0; k < 3; k++) {
        fender_vec3 v = fnd_surface_corner(g->view->surface, triangle, k);
        low->x = v.x < low->x ? v.x : low->x;
        low->y = v.y < low->y ? v.y : low->y;
        low->z = v.z < low->z ? v.z : low->z;
        high->x = v.x > high->x ? v.x : high->x;
        high->y = v.y > high->y ? v.y : high->y;
        high->z = v.z > high->z ? v.z : high->z;
    }
}

/* A solid that has gone through a thin wall meets its back, too, and would be drawn out there: facets that look the
 * other way than that of the shortest way out count less the longer their own is, and nothing from twice as long on. */
static double count_facet(const fnd_ground *g)
{
    if (!(g->out_depth > 0) || fender_vec3_dot(g->out_normal, g->at->normal) > -0.5) return 1;
    double rest = 2 - g->at->depth / g->out_depth;
    return rest < 1 ? rest > 0 ? rest : 0 : 1;
}

static void find_way_out(fnd_ground *g, fnd_surface_scan *scan)
{
    g->out_depth = 0;
    if (!g->view->surface->closed) return;
    for (bool more = fnd_surface_scan_first(scan); more; more = fnd_surface_scan_more(scan))
        for (int i = 0; i < scan->count; i++) {
            if (g->out_depth > 0 && scan->found[i].depth >= g->out_depth) continue;
            g->out_depth = scan->found[i].depth;
            g->out_normal = scan->found[i].normal;
        }
}

static void add_triangle(fnd_ground *g, const fnd_surface_sighting *sighting)
{
    int32_t triangle = sighting->triangle;
    g->at = sighting;
    double depth = find_depths(g), spread = (double)g->view->surface->spreads[triangle];
    g->fade = count_facet(g);
    if (!(depth > 0) || !(g->fade > 0)) return;
    int faces[FACES], group = PLANE, count;
    bool bordered = false;
    border borders[3];
    for (int next = 0; next < g->polytope->face_count;) {
        if ((count = find_faces(g, next, depth, spread, faces, &next)) < 0) break;
        for (int i = 0; i < count; i++) {
            if (!is_below(g, faces[i])) continue;
            if (!bordered) {
                make_borders(g, triangle, borders);
                group = !is_alone(g->view->surface, triangle) ? PLANE : is_small(g) ? SMALL : ALONE;
                g->sum = (fnd_ground_sum){0};
                widen(g, triangle);
                bordered = true;
            }
            double down = -fender_vec3_dot(g->at->normal, g->polytope->face_normals[faces[i]]);
            add_face(g, triangle, faces[i], down, borders, group);
        }
    }
    if (group == SMALL) fnd_ground_add_sum(g, triangle);
}

/* Cells of sharply bent ground may reach out of it: a solid that meets no triangle of it is before it, or buried. */
static bool is_before(fnd_ground *g, fnd_surface_scan *scan)
{
    const fnd_surface_view *view = g->view;
    for (bool more = fnd_surface_scan_first(scan); more; more = fnd_surface_scan_more(scan))
        for (int i = 0; i < scan->count; i++) {
            g->at = &scan->found[i];
            if (meets(g)) return false;
        }
    if (view->surface->count_x == 0) return true;
    fender_vec3 inside = fender_vec3_add(view->p_AB, fender_mat3_times(&view->R_AB, g->polytope->center));
    const fnd_surface_place none = {.triangle = -1};
    return !fnd_surface_is_behind(view->surface, inside, &none); /* a grid needs no nearest place */
}

/* Triangles beside the box whose cells reach into it, as far as that is likely: parts are no deeper than twice those
 * that were found, cells lean by no more than 45 degrees, and there is a part near that side of the box. */
static void add_beside(fnd_ground *g, const fnd_surface_sight *sight)
{
    double spread = g->view->surface->spread, wider = 2 * g->deepest * (spread < 1 ? spread : 1);
    fender_box box = fnd_surface_view_box(g->view), ground = g->box;
    if (!(wider > 0)) return;
    wider = wider < g->view->radius ? wider : g->view->radius;
    if (ground.lower.x - wider < box.lower.x) box.lower.x -= wider;
    if (ground.lower.y - wider < box.lower.y) box.lower.y -= wider;
    if (ground.lower.z - wider < box.lower.z) box.lower.z -= wider;
    if (ground.upper.x + wider > box.upper.x) box.upper.x += wider;
    if (ground.upper.y + wider > box.upper.y) box.upper.y += wider;
    if (ground.upper.z + wider > box.upper.z) box.upper.z += wider;
    fnd_surface_footprint inner;
    fnd_surface_scan scan;
    fnd_surface_footprint_begin(&inner, g->view->surface, fnd_surface_view_box(g->view));
    fnd_surface_scan_begin(&scan, sight, box, &inner);
    if (fnd_surface_footprint_is_all(&inner, &scan.region)) return;
    while (fnd_surface_scan_more(&scan))
        for (int i = 0; i < scan.count; i++) add_triangle(g, &scan.found[i]);
}

void fnd_surface_add_patches(const fnd_surface_view *view, fnd_surface_scan *scan, fnd_manifold *out)
{
    fnd_ground g;
    g.rounding = scan->sight->rounding;
    g.view = view;
    g.polytope = view->b->geometry->polytope;
    g.out = out;
    g.first = out->count;
    g.full_area = view->b->geometry->patch_area;
    g.wall_force = g.wall_moment = g.turn_moment = fender_vec3_make(0, 0, 0);
    g.part_count = 0;
    g.fade = 1;
    g.small = SMALL_PART * g.full_area;
    g.deepest = 0;
    g.box = (fender_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    g.met = false;
    find_way_out(&g, scan);
    for (bool more = fnd_surface_scan_first(scan); more; more = fnd_surface_scan_more(scan))
        for (int i = 0; i < scan->count; i++) add_triangle(&g, &scan->found[i]);
    add_beside(&g, scan->sight);
    bool none = out->count == g.first && g.part_count == 0;
    if (none || (!g.met && is_before(&g, scan))) {
        out->count = g.first;
        return;
    }
    for (int i = 0; i < g.part_count; i++) fnd_ground_add_points(&g, &g.parts[i]);
    fnd_ground_balance(&g);
}
