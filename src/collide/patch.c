/* Patches of a polytope on uneven ground (docs/models/contact_patches.md).
 *
 * Each facet of the ground has a cell, the part of the space behind that is its own. The energy is
 *     k / (2 A_full) * sum over facets and faces  counted(down) * integral of depth^2 over the face's part in the cell
 * with the depth below the facet's plane: that of a plane where the ground is flat, whatever the triangles. */
#include "base/bits.h"
#include "collide/patch_face.h"
#include "collide/patch_fillet.h"
#include <assert.h>
#include <string.h>

/* Triangles whose area is a smaller part of that of the solid's largest face have one point each. */
#define SMALL_PART 0.25
/* Sides of a face that is looked at as a whole. There is room for as many borders of fillets. */
enum { MOST_SIDES = FND_CUT_SIDES / 2 };

/* True if the solid overlaps the triangle; with rounding, if it may overlap it. */
bool fnd_polytope_meets(const fnd_polytope *p, double rounding, const fender_vec3 corners[3])
{
    fnd_cut parts[2];
    for (int k = 0; k < 3; k++) {
        parts[0].corners[k] = (fnd_cut_corner){k == 1, k == 2, 0, FND_SIDE_FACE}; /* parts of the two edges from 0 */
    }
    parts[0].count = 3;
    fender_vec3 e1 = fender_vec3_sub(corners[1], corners[0]), e2 = fender_vec3_sub(corners[2], corners[0]);
    int now = 0;
    for (int face = 0; face < p->face_count && parts[now].count > 0; face++) {
        fender_vec3 n = p->face_normals[face];
        double inside = p->face_offsets[face] + rounding - fender_vec3_dot(n, corners[0]);
        fnd_half_plane cut = {-fender_vec3_dot(n, e1), -fender_vec3_dot(n, e2), inside};
        if (inside >= 0 && inside + cut.a >= 0 && inside + cut.b >= 0) continue;
        fnd_cut_border(&parts[now], cut, 0, &parts[1 - now]);
        now = 1 - now;
    }
    return parts[now].count > 0;
}

static bool is_small(const fnd_ground *g, const fnd_surface_sample *look)
{
    fender_vec3 twice = {0, 0, 0};
    for (int k = 1; k + 1 < look->spanned; k++) {
        fender_vec3 u = fender_vec3_sub(look->corners[k], look->corners[0]);
        twice = fender_vec3_add(twice, fender_vec3_cross(u, fender_vec3_sub(look->corners[k + 1], look->corners[0])));
    }
    return fender_vec3_dot(twice, twice) < 4 * g->small * g->small;
}

static void widen(fnd_ground *g, int32_t triangle)
{
    assert(g->view->surface && triangle >= 0);
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

/* Of the first faces those that have a vertex below the facet. Where there are few they are looked at one by one. */
static uint64_t faces_below(fnd_ground *g, const fnd_surface_sample *look, uint64_t faces)
{
    const fnd_polytope *p = g->polytope;
    if (p->vertex_count > FND_SAMPLE_BITS || p->face_count <= FND_FEW_FACES) return faces;
    if (!g->listed) {
        memset(g->faces_at, 0, sizeof g->faces_at);
        for (int face = 0; face < p->face_count && face < FND_SAMPLE_BITS; face++)
            for (int i = p->face_start[face]; i < p->face_start[face + 1]; i++)
                g->faces_at[p->face_vertices[i]] |= (uint64_t)1 << face;
        g->listed = true;
    }
    uint64_t found = 0;
    for (uint64_t rest = look->below; rest; rest &= rest - 1) found |= g->faces_at[fnd_lowest_bit(rest)];
    return faces & found;
}

/* Of polytopes of so many vertices the sides are known one by one. */
static bool has_many(const fnd_polytope *p)
{
    return p->vertex_count > FND_SAMPLE_BITS && p->vertex_count <= FND_SIDES_VERTICES;
}

/* Is all of a face beyond one border of the cell? Of polytopes whose vertices are known so. */
static bool is_beyond(const fnd_ground *g, int face)
{
    const fnd_polytope *p = g->polytope;
    uint64_t all = UINT64_MAX;
    for (int i = p->face_start[face]; i < p->face_start[face + 1] && all; i++)
        all &= g->vertex_sides.beyond[p->face_vertices[i]];
    return all != 0;
}

void fnd_ground_add_cell(fnd_ground *g, fnd_surface_sample *look)
{
    g->at = look->at;
    g->fade = fnd_facet_counts(g);
    g->sum = (fnd_ground_sum){0};
    g->columns = (fnd_ground_columns){0};
    g->hidden = false;
    const bool many = has_many(g->polytope);
    const double reach = 2 * g->view->b->geometry->bounding_radius;
    if (many && !fnd_surface_sample_sides(g->polytope, look, reach, &g->vertex_sides)) return;
    int group = !look->alone ? FND_PART_PLANE : is_small(g, look) ? FND_PART_SMALL : FND_PART_ALONE;
    uint64_t faces = faces_below(g, look, g->is_disk ? 1 : look->faces); /* an upright disk looks neither way */
    for (int first = 0; first < g->polytope->face_count; first += FND_SAMPLE_BITS) {
        if (first > 0 && !fnd_surface_sample_faces(g->polytope, look, g->rounding, first, &faces)) break;
        for (; faces; faces &= faces - 1) {
            const int face = first + fnd_lowest_bit(faces);
            if (!many || !is_beyond(g, face)) fnd_ground_add_face(g, look, face, group);
        }
    }
    if (group == FND_PART_SMALL) fnd_ground_add_sum(g, look->at->triangle);
}

/* ---- faces of a polytope's skin, whole ---- */

/* The face that a triangle of its fan belongs to. */
static int face_of(const fnd_polytope *p, int32_t triangle)
{
    assert(triangle >= 0 && triangle < p->face_start[p->face_count] - 2 * p->face_count);
    int low = 0, high = p->face_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (p->face_start[middle] - 2 * middle <= triangle) low = middle;
        else high = middle - 1;
    }
    return low;
}

static void add_whole_face(fnd_ground *g, const fnd_visible_facet *found, int face)
{
    assert(face >= 0 && face < fnd_geometry_cells(g->view->a->geometry)->face_count);
    const fnd_surface_view *view = g->view;
    const fnd_polytope *p = fnd_geometry_cells(view->a->geometry);
    int start = p->face_start[face];
    fender_vec3 corners[FND_CUT_SIDES], inward[FND_CUT_SIDES];
    uint64_t within[FND_CUT_SIDES];
    fnd_visible_facet at = *found;
    fnd_surface_sample look = {.at = &at, .corners = corners, .inward = inward, .within = within, .alone = true};
    look.sides = look.spanned = p->face_start[face + 1] - start;
    for (int i = 0; i < look.sides; i++) {
        fender_vec3 corner = fender_vec3_sub(p->vertices[p->face_vertices[start + i]], view->p_AB);
        corners[i] = fender_mat3_transpose_times(&view->R_AB, corner);
        inward[i] = fender_mat3_transpose_times(&view->R_AB, view->a->geometry->borders[start + i]);
    }
    at.plane = face;
    at.triangle = p->face_start[face] - 2 * face; /* the first of its fan */
    at.normal = fender_mat3_transpose_times(&view->R_AB, p->face_normals[face]);
    at.offset = fender_vec3_dot(at.normal, corners[0]) + g->rounding;
    g->at = &at;
    if (g->fillets) fnd_fillets_bound_face(g, face, &look, corners);
    fnd_surface_sample_depth(g->polytope, &look);
    if (!(look.deepest > 0) || !fnd_surface_sample_within(g->polytope, &look)) return;
    if (!fnd_surface_sample_faces(g->polytope, &look, g->rounding, 0, &look.faces)) return;
    fnd_ground_add_cell(g, &look);
    if (g->field) fnd_field_subtract(g->field, found->plane, &g->columns);
}

/* False: to be looked at as a triangle. */
static bool add_skin(fnd_ground *g, const fnd_visible_facet *found)
{
    const fnd_polytope *p = fnd_geometry_cells(g->view->a->geometry);
    if (!p) return false;
    int face = face_of(p, found->triangle);
    if (face >= FND_GROUND_FACES || p->face_start[face + 1] - p->face_start[face] > MOST_SIDES) return false;
    if (g->seen[face / 64] >> face % 64 & 1) return true;
    g->seen[face / 64] |= (uint64_t)1 << face % 64;
    add_whole_face(g, found, face);
    return true;
}

/* False: nothing of the polytope is in the cell, or a whole face has been looked at. */
static bool look_at(fnd_ground *g, fnd_surface_sample *look, const fnd_visible_facet *found)
{
    look->at = g->at = found;
    g->hidden = false;
    look->sides = look->spanned = 3;
    look->corners = found->corners;
    look->inward = look->own->inward;
    look->within = look->own->within;
    fnd_surface_sample_depth(g->polytope, look);
    if (!(look->deepest > 0) || !(fnd_facet_counts(g) > 0)) return false;
    if (add_skin(g, found)) {
        widen(g, found->triangle);
        return false;
    }
    if (!fnd_surface_sample_faces(g->polytope, look, g->rounding, 0, &look->faces)) return false;
    if (!look->faces && g->polytope->face_count <= FND_SAMPLE_BITS && !g->is_disk) return false;
    widen(g, found->triangle);
    return true;
}

/* Are the edges of a mesh or grid round? */
static bool is_bare(const fnd_ground *g) { return g->fillets && !g->view->a->geometry->skin; }

/* Those that were found, eight cells at a time. */
static void add_triangles(fnd_ground *g, const fnd_surface_scan *scan)
{
    assert(scan->count >= 0 && scan->count <= FND_SCAN_FOUND);
    enum { TOGETHER = 8 };
    fnd_surface_sample room[TOGETHER], *looks[TOGETHER];
    fnd_triangle_cell cells[TOGETHER];
    int count = 0;
    for (int i = 0; i < TOGETHER; i++) {
        looks[i] = &room[i];
        room[i].own = &cells[i];
    }
    for (int i = 0; i <= scan->count; i++) {
        if (count == TOGETHER || (i == scan->count && count > 0)) {
            fnd_surface_sample_cells(scan->visibility, g->polytope, looks, count);
            for (int k = 0; k < count; k++) {
                g->hidden = false;
                if (!looks[k]->empty && is_bare(g)) fnd_fillets_add_triangle(g, looks[k]);
                else if (!looks[k]->empty) fnd_ground_add_cell(g, looks[k]);
                if (g->field) fnd_field_add_facet(g->field, looks[k]->at);
            }
            count = 0;
        }
        if (i == scan->count) break;
        if (is_bare(g)) fnd_fillets_add_facet(g, scan->found[i].triangle);
        fnd_surface_sample *look = looks[count];
        if (look_at(g, look, &scan->found[i])) count++;
        else if (g->field) fnd_field_add_facet(g->field, &scan->found[i]);
    }
}

bool fnd_surface_scan_meets(fnd_surface_scan *scan, const fnd_polytope *polytope)
{
    for (bool more = fnd_surface_scan_first(scan); more; more = fnd_surface_scan_more(scan))
        for (int i = 0; i < scan->count; i++)
            if (fnd_polytope_meets(polytope, scan->visibility->rounding, scan->found[i].corners)) return true;
    return false;
}

/* Cells of sharply bent ground may reach out of it: a solid that meets no triangle of it is before it, or buried. */
static bool is_before(const fnd_ground *g, fnd_surface_scan *scan)
{
    const fnd_surface_view *view = g->view;
    if (fnd_surface_scan_meets(scan, g->polytope)) return false;
    if (view->surface->count_x == 0) return true;
    fender_vec3 inside = fender_vec3_add(view->p_AB, fender_mat3_times(&view->R_AB, g->polytope->center));
    const fnd_surface_closest none = {.triangle = -1};
    return !fnd_surface_is_behind(view->surface, inside, &none); /* a grid needs no nearest place */
}

/* Triangles beside the box whose cells reach into it, as far as that is likely: parts are no deeper than twice those
 * that were found, cells lean by no more than 45 degrees, and there is a part near that side of the box. */
static void add_beside(fnd_ground *g, const fnd_surface_visibility *visibility)
{
    double spread = g->view->surface->spread, wider = 2 * g->deepest * (spread < 1 ? spread : 1);
    fender_box box = fnd_surface_view_range(g->view), ground = g->box;
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
    fnd_surface_footprint_begin(&inner, g->view->surface, fnd_surface_view_range(g->view));
    fnd_surface_scan_begin(&scan, visibility, box, &inner);
    if (fnd_surface_footprint_is_all(&inner, &scan.region)) return;
    while (fnd_surface_scan_more(&scan)) add_triangles(g, &scan);
}

void fnd_ground_add_triangle(fnd_ground *g, fnd_surface_sample *look, bool small)
{
    assert(g->triangle >= 0 && g->polytope->face_count > 0);
    g->known = 0;
    g->at = look->at;
    fnd_surface_sample_depth(g->polytope, look);
    if (!(look->deepest > 0)) return;
    if (look->sides > 0) { /* not a plane */
        if (!fnd_surface_sample_faces(g->polytope, look, g->rounding, 0, &look->faces) || !(look->faces & 1)) return;
        if (look->empty) return;
    }
    if (!fnd_surface_sample_within(g->polytope, look)) return;
    fnd_ground_add_face(g, look, 0, small ? FND_PART_SMALL : FND_PART_ALONE);
}

void fnd_ground_begin(fnd_ground *g, const fnd_surface_view *view, const fnd_polytope *polytope, fnd_surface_scan *scan,
                      fnd_manifold *out)
{
    assert(polytope->face_count > 0);
    assert(!(scan->visibility->rounding < 0));
    const fender_geometry *a = view->a->geometry, *b = view->b->geometry;
    g->rounding = scan->visibility->rounding;
    g->swept = b->rounding;
    g->view = view;
    g->polytope = polytope;
    g->out = out;
    g->first = out->count;
    g->full_area = 0;
    for (int i = 0; i < polytope->face_count; i++)
        if (polytope->face_areas[i] > g->full_area) g->full_area = polytope->face_areas[i];
    if (a->patch_area < g->full_area) g->full_area = a->patch_area;
    g->exponent = out->exponent > 1 ? out->exponent : 1;
    g->half = 1 / (g->exponent + 1);
    g->beside = g->pressure = (fnd_ground_beside){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    g->of_pressure = g->exponent == 1 ? &g->beside : &g->pressure;
    g->part_count = 0;
    g->fade = 1;
    g->small = SMALL_PART * g->full_area;
    g->deepest = g->corner_depth = g->corner_down = 0;
    g->corner = g->corner_normal = fender_vec3_make(0, 0, 0);
    g->box = (fender_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    g->met = g->hidden = g->one = false;
    g->sums = (fnd_patch_sums){0, 0};
    g->way = INFINITY;
    g->selects = view->surface && view->surface->hollow && fnd_surface_scan_has_opposite(scan);
    g->limits = a->skin && fnd_geometry_cells(a);
    g->way_out.known = false;
    g->known = 0;
    g->listed = false;
    g->field = NULL;
    g->across = NULL;
    g->is_disk = b->type == FENDER_GEOMETRY_DISK;
    g->is_rounded = b->caps && b->type != FENDER_GEOMETRY_CONE && g->rounding > 0;
    g->side_alone = false;
    g->triangle = -1;
    g->fillets = NULL;
    if (a->skin) memset(g->seen, 0, sizeof g->seen);
}

void fnd_ground_look_at_all(fnd_ground *g, fnd_surface_scan *scan)
{
    fnd_ground_find_way_out(g, scan);
    for (bool more = fnd_surface_scan_first(scan); more; more = fnd_surface_scan_more(scan)) add_triangles(g, scan);
    add_beside(g, scan->visibility);
}

bool fnd_ground_collect(fnd_ground *g, fnd_surface_scan *scan)
{
    assert(g->view->surface && g->first <= g->out->count);
    if (g->rounding > 0) fnd_fillets_collect(g, scan);
    else fnd_ground_look_at_all(g, scan);
    if (!g->field && g->out->count == g->first && g->part_count == 0) return false;
    if (!g->met && is_before(g, scan)) {
        g->out->count = g->first;
        return false;
    }
    for (int i = 0; i < g->part_count; i++) fnd_ground_add_points(g, &g->parts[i]);
    return true;
}

void fnd_surface_add_patches(const fnd_surface_view *view, fnd_surface_scan *scan, fnd_manifold *out)
{
    fnd_ground g;
    const fender_geometry *b = view->b->geometry;
    fnd_ground_begin(&g, view, fnd_geometry_faces(b), scan, out);
    if (fnd_ground_collect(&g, scan)) fnd_ground_balance(&g);
}
