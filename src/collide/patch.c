/* Patches of a polytope on uneven ground (docs/models/contact_patches.md).
 *
 * Each facet of the ground has a cell, the part of the space behind that is its own. The energy is
 *     k / (2 A_full) * sum over facets and faces  counted(down) * integral of depth^2 over the face's part in the cell
 * with the depth below the facet's plane: that of a plane where the ground is flat, whatever the triangles. */
#include "collide/patch.h"
#include "base/bits.h"
#include "collide/patch_section.h"
#include "geometry/support.h"
#include <assert.h>
#include <string.h>

/* A face below the plane of a triangle: its depth at the face's origin, and how it changes along the face's axes. */
typedef struct face_view {
    const fnd_ground_face *face;
    int number;
    double depth, slope_x, slope_y;
} face_view;

static fender_vec2 flat(const fnd_ground_face *f, fender_vec3 x)
{
    fender_vec3 d = fender_vec3_sub(x, f->origin);
    return (fender_vec2){fender_vec3_dot(f->e1, d), fender_vec3_dot(f->e2, d)};
}

static void make_face(const fnd_polytope *p, int number, fnd_ground_face *f)
{
    assert(number >= 0 && number < p->face_count);
    assert(p->face_start[number + 1] - p->face_start[number] >= 3);
    const int32_t *vertices = &p->face_vertices[p->face_start[number]];
    f->origin = p->vertices[vertices[0]];
    f->e1 = fender_vec3_sub(p->vertices[vertices[1]], f->origin);
    f->e1 = fender_vec3_scale(1 / fender_vec3_length(f->e1), f->e1);
    f->e2 = fender_vec3_cross(p->face_normals[number], f->e1);
    f->count = p->face_start[number + 1] - p->face_start[number];
    f->vertices = p->vertex_count <= FND_SAMPLE_BITS ? 0 : UINT64_MAX;
    for (int i = 0; i < f->count; i++) {
        f->vertices |= (uint64_t)1 << (vertices[i] % FND_SAMPLE_BITS);
        if (i < FND_GROUND_CORNERS) f->corners[i] = flat(f, p->vertices[vertices[i]]);
    }
}

/* A face of a low number is made once, others into `room`. */
static const fnd_ground_face *find_face(fnd_ground *g, int number, fnd_ground_face *room)
{
    assert(number >= 0);
    fnd_ground_face *f = number < FND_SAMPLE_BITS ? &g->faces[number] : room;
    if (f == room || !(g->known >> number & 1)) make_face(g->polytope, number, f);
    if (f != room) g->known |= (uint64_t)1 << number;
    return f;
}

/* What a side on a border does as the solid slides over it: per length depth^2 / 2 (depth^(n + 1) / (n + 1)) times the
 * border's direction, over the sine between border and face. */
static void add_walls(fnd_ground *g, const fnd_ground_face *f, const fnd_cut *part, const fnd_surface_sample *look,
                      double factor)
{
    for (int i = 0; i < part->count; i++) {
        int side = part->corners[i].side;
        if (side < 0) continue;
        double x, y, square;
        if (g->exponent == 1) square = fnd_cut_side_moments(part, i, &x, &y);
        else square = fnd_power_side_moments(g->exponent, part, i, &x, &y);
        if (!(square > 0)) continue;
        fender_vec3 w = look->inward[side];
        double a = fender_vec3_dot(w, f->e1), b = fender_vec3_dot(w, f->e2), across = sqrt(a * a + b * b);
        if (!(across > 0)) continue;
        double strength = -g->half * factor / across;             /* outward: the energy falls that way */
        fender_vec3 first = fender_vec3_scale(square, f->origin); /* integral of depth^2 times the place */
        first = fender_vec3_add_scaled(fender_vec3_add_scaled(first, x, f->e1), y, f->e2);
        g->beside.force = fender_vec3_add_scaled(g->beside.force, strength * square, w);
        g->beside.moment = fender_vec3_add_scaled(g->beside.moment, strength, fender_vec3_cross(first, w));
    }
}

/* Forces of the sides of a part, at which an energy of `factor` times pressure (and depth, unless level) ends. */
static void add_pressure_walls(fnd_ground *g, const fnd_ground_face *f, const fnd_cut *part,
                               const fnd_surface_sample *look, double factor, bool level)
{
    for (int i = 0; i < part->count; i++) {
        int side = part->corners[i].side;
        if (side < 0) continue;
        fender_vec3 w = look->inward[side], place;
        double a = fender_vec3_dot(w, f->e1), b = fender_vec3_dot(w, f->e2), across = sqrt(a * a + b * b);
        double along = fnd_cap_side(g->across, f, part, i, level, &place);
        if (!(across > 0) || along == 0) continue;
        g->of_pressure->force = fender_vec3_add_scaled(g->of_pressure->force, -factor / across * along, w);
        g->of_pressure->moment = fender_vec3_add_scaled(g->of_pressure->moment, -factor / across,
                                                        fender_vec3_cross(place, w));
    }
}

/* Caps take the place of the pressure in the columns above them, which end at the other cap. */
static void add_columns(fnd_ground *g, const face_view *v, const fnd_cut *part, const fnd_surface_sample *look)
{
    const fnd_ground_face *f = v->face;
    fender_vec3 outward = g->polytope->face_normals[v->number], n = look->at->normal;
    fender_vec3 rotation = fender_vec3_cross(outward, n);
    double down = -fender_vec3_dot(n, outward), derivative, sum = 0, end = -2 * f->origin.z * outward.z * down;
    double factor = g->fade * fnd_cap_columns(down, &derivative);
    if (!(factor > 0)) return;
    fnd_cut halves[2];
    double lowest = 0;
    for (int i = 0; i < part->count; i++) lowest = part->corners[i].depth > lowest ? part->corners[i].depth : lowest;
    end = fabs(end);
    const fnd_cut *upper = part;
    if (lowest > end) {
        fnd_cut_border(part, (fnd_half_plane){-v->slope_x, -v->slope_y, end - v->depth}, FND_SIDE_TOUCH, &halves[0]);
        fnd_cut_border(part, (fnd_half_plane){v->slope_x, v->slope_y, v->depth - end}, FND_SIDE_TOUCH, &halves[1]);
        upper = &halves[0];
        fender_vec3 unused = {0, 0, 0};
        double whole = 0;
        if (halves[1].count > 0) fnd_cap_add_part(g->across, f, &halves[1], &whole, &unused);
        g->columns.energy += factor * end * whole;
        double change = g->fade * (derivative * end + fnd_cap_columns(down, &(double){0}) * end / down);
        g->of_pressure->inertia = fender_vec3_add_scaled(g->of_pressure->inertia, -change * whole, rotation);
        if (halves[1].count > 0) add_pressure_walls(g, f, &halves[1], look, -factor * end, true);
    }
    if (upper->count == 0) return;
    fender_vec3 first = {0, 0, 0};
    fnd_cap_add_part(g->across, f, upper, &sum, &first);
    fender_vec3 arm = fender_vec3_add_scaled(first, -sum, f->origin);
    double energy = v->depth * sum + v->slope_x * fender_vec3_dot(f->e1, arm) +
                    v->slope_y * fender_vec3_dot(f->e2, arm);
    g->columns.force += factor * sum;
    g->columns.energy += factor * energy;
    g->columns.first = fender_vec3_add_scaled(g->columns.first, factor, first);
    g->of_pressure->inertia = fender_vec3_add_scaled(g->of_pressure->inertia, -g->fade * derivative * energy, rotation);
    add_pressure_walls(g, f, upper, look, -factor, false);
}

/* A disk that stands upright has a pressure in its own plane: the force comes from where it passes through the facet.
 */
static void add_rim(fnd_ground *g, const face_view *v, const fnd_cut *part, const fnd_surface_sample *look)
{
    const fnd_ground_face *f = v->face;
    fender_vec3 outward = g->polytope->face_normals[v->number], n = look->at->normal, first = {0, 0, 0}, place;
    double derivative, energy = 0, force = 0, a = -fender_vec3_dot(n, f->e1), b = -fender_vec3_dot(n, f->e2);
    double factor = g->fade * fnd_cap_upright(-fender_vec3_dot(n, outward), &derivative), across = sqrt(a * a + b * b);
    const fnd_side_part counts = fnd_field_rim_part(g->field, look->at);
    if (!(factor > 0) || !(across > 0) || !(counts.part > 0)) return;
    fnd_cap_add_part(g->across, f, part, &energy, &first);
    fender_vec3 rotation = fender_vec3_cross(outward, n);
    g->of_pressure->inertia = fender_vec3_add_scaled(g->of_pressure->inertia,
                                                     g->fade * derivative * counts.part * energy, rotation);
    g->of_pressure->force = fender_vec3_add_scaled(g->of_pressure->force, factor * energy, counts.force);
    g->of_pressure->moment = fender_vec3_add_scaled(g->of_pressure->moment, factor * energy, counts.moment);
    factor *= counts.part;
    add_pressure_walls(g, f, part, look, factor, true);
    first = fender_vec3_make(0, 0, 0);
    for (int i = 0; i < part->count; i++) {
        if (part->corners[i].side != FND_SIDE_TOUCH) continue;
        double along = factor / across * fnd_cap_side(g->across, f, part, i, true, &place);
        force += along;
        first = fender_vec3_add_scaled(first, factor / across, place);
    }
    fnd_field_add_rim(g->field, look->at, force, first, factor * energy);
}

/* Of a round solid, whose faces are those of a prism or pyramid; infinite of a polytope. */
static double radius_at(const fender_geometry *solid, double z)
{
    if (!solid->caps) return INFINITY;
    return solid->type == FENDER_GEOMETRY_CONE ? solid->radius * 0.5 * (1 - z / solid->half_length) : solid->radius;
}

/* The lowest point of the rim of a cap, where it lies in the cell. */
static void add_lowest_of_rim(fnd_ground *g, const face_view *v, const fnd_surface_sample *look)
{
    const fender_vec3 n = g->at->normal;
    double length = sqrt(n.x * n.x + n.y * n.y), out = length > 0 ? g->view->b->geometry->radius / length : 0;
    const fender_vec3 place = {-out * n.x, -out * n.y, v->face->origin.z};
    for (int k = 0; k < look->sides; k++)
        if (fender_vec3_dot(look->inward[k], fender_vec3_sub(place, look->corners[k])) < 0) return;
    fnd_ground_add_point(g, v->depth - fender_vec3_dot(n, fender_vec3_sub(place, v->face->origin)), place);
}

/* Corners of a part of a face; those beyond a round solid are moved to it. */
static void add_corners(fnd_ground *g, const face_view *v, const fnd_cut *part)
{
    const fnd_ground_face *f = v->face;
    for (int i = 0; i < part->count; i++) {
        const fnd_cut_corner *c = &part->corners[i];
        if (!(c->depth > g->corner_depth)) continue;
        fender_vec3 x = fender_vec3_add_scaled(fender_vec3_add_scaled(f->origin, c->x, f->e1), c->y, f->e2);
        double radius = radius_at(g->view->b->geometry, x.z), from_axis = sqrt(x.x * x.x + x.y * x.y), depth = c->depth;
        if (from_axis > radius) {
            fender_vec3 inward = {x.x * (radius / from_axis - 1), x.y * (radius / from_axis - 1), 0};
            depth -= fender_vec3_dot(g->at->normal, inward);
            x = fender_vec3_add(x, inward);
        }
        fnd_ground_add_point(g, depth, x);
    }
}

/* No factor of a part: only its moments are asked for. */
#define NOT_YET (-1.0)

/* What is left of a face of few corners, all of which are in it, once it was cut. */
typedef struct face_cut {
    fnd_cut parts[2];
    int now;
    bool known;
} face_cut;

/* Corners of a piece before it is cut. */
enum { FAN = FND_CUT_CORNERS - FND_CUT_SIDES - 6 };

/* A piece of a face, a fan about its first corner, in the cell. */
static void cut_piece(const fnd_ground *g, const face_view *v, const fnd_surface_sample *look, int start,
                      face_cut *room)
{
    const fnd_polytope *p = g->polytope;
    const fnd_ground_face *f = v->face;
    const int32_t *vertices = &p->face_vertices[p->face_start[v->number]];
    const bool all_below = (f->vertices & ~look->below) == 0 && p->vertex_count <= FND_SAMPLE_BITS;
    fnd_cut *parts = room->parts;
    parts[0].corners[0] = (fnd_cut_corner){0, 0, v->depth, FND_SIDE_FACE};
    parts[0].count = 1;
    for (int i = start; i < f->count && parts[0].count < FAN; i++) {
        fender_vec2 c = i < FND_GROUND_CORNERS ? f->corners[i] : flat(f, p->vertices[vertices[i]]);
        double depth = v->depth + (v->slope_x * c.x + v->slope_y * c.y);
        parts[0].corners[parts[0].count++] = (fnd_cut_corner){c.x, c.y, depth, FND_SIDE_FACE};
    }
    int now = 0;
    if (!all_below) fnd_cut_depth(&parts[0], &parts[now = 1]);
    for (int k = 0; k < look->sides && parts[now].count > 0; k++) {
        if ((f->vertices & ~look->within[k]) == 0 && p->vertex_count <= FND_SAMPLE_BITS) continue;
        fender_vec3 w = look->inward[k];
        fnd_half_plane cut = {fender_vec3_dot(w, f->e1), fender_vec3_dot(w, f->e2),
                              fender_vec3_dot(w, fender_vec3_sub(f->origin, look->corners[k]))};
        fnd_cut_border(&parts[now], cut, k, &parts[1 - now]);
        now = 1 - now;
    }
    room->now = now;
}

/* The part of a face in the cell: moments, and the walls' doing. `room`: known for a second call. */
static fnd_area_moments cut_face(fnd_ground *g, const face_view *v, const fnd_surface_sample *look, double factor,
                                 face_cut *room, fnd_power_part *powers)
{
    assert(look->sides <= FND_CUT_SIDES);
    const fnd_ground_face *f = v->face;
    fnd_area_moments sum = {0};
    for (int start = 1; start + 1 < f->count; start += FAN - 2) { /* a fan about the first corner */
        if (!room->known) cut_piece(g, v, look, start, room);
        room->known = f->count <= FAN;
        const fnd_cut *part = &room->parts[room->now];
        if (part->count == 0) continue;
        fnd_cut_add_moments(part, &sum);
        if (factor == NOT_YET) continue;
        if (g->exponent != 1) fnd_power_add_cut(powers, part);
        if (g->fade == 1) add_corners(g, v, part);
        if (g->fade == 1 && g->view->b->geometry->caps && start == 1 && f->count > 4) add_lowest_of_rim(g, v, look);
        add_walls(g, f, part, look, factor);
        if (g->across && !g->is_disk && g->view->a->geometry->skin) add_columns(g, v, part, look);
        if (g->across && g->is_disk) add_rim(g, v, part, look);
    }
    return sum;
}

static void add_moments(fnd_area_moments *sum, const fnd_area_moments *more)
{
    assert(!(more->area < 0));
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

/* True if the solid overlaps the triangle; with rounding, if it may overlap it. */
static bool meets_triangle(const fnd_polytope *p, double rounding, const fender_vec3 corners[3])
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

/* Triangles whose area is a smaller part of that of the solid's largest face have one point each. */
#define SMALL_PART 0.25

/* Grouping of the points of a triangle: by plane, by face, or one sum. */
enum { PLANE, ALONE, SMALL };

/* The same face below other triangles of the same plane makes one part. */
static void collect(fnd_ground *g, int32_t triangle, const fnd_ground_part *part, bool alone)
{
    assert(part->moments.area > 0);
    for (int i = 0; i < g->part_count && !alone; i++) {
        if (g->parts[i].plane != part->plane || g->parts[i].face != part->face) continue;
        add_moments(&g->parts[i].moments, &part->moments);
        fnd_power_add(&g->parts[i].powers, &part->powers);
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
static void add_to_sum(fnd_ground *g, const face_view *v, const fnd_area_moments *m, double factor, double depth,
                       double square)
{
    assert(m->area > 0 && g->full_area > 0);
    double force = factor * m->area * depth;
    double x = force * m->x + factor * (v->slope_x * m->xx + v->slope_y * m->xy);
    double y = force * m->y + factor * (v->slope_x * m->xy + v->slope_y * m->yy);
    g->sum.area += factor * m->area;
    g->sum.force += force;
    g->sum.energy += factor * square;
    g->sum.first = fender_vec3_add_scaled(g->sum.first, force, v->face->origin);
    g->sum.first = fender_vec3_add_scaled(fender_vec3_add_scaled(g->sum.first, x, v->face->e1), y, v->face->e2);
}

static void add_powers_to_sum(fnd_ground *g, const face_view *v, double area, double factor,
                              const fnd_power_part *powers)
{
    assert(area > 0 && g->full_area > 0);
    const fnd_ground_face *f = v->face;
    g->sum.area += factor * area;
    g->sum.force += factor * powers->force;
    g->sum.energy += factor * powers->energy;
    g->sum.first = fender_vec3_add_scaled(g->sum.first, factor * powers->force, f->origin);
    g->sum.first = fender_vec3_add_scaled(fender_vec3_add_scaled(g->sum.first, factor * powers->x, f->e1),
                                          factor * powers->y, f->e2);
}

/* Facets of a mesh that are not convex see parts of others far behind them, through their own solid: a part counts
 * where its middle is behind the surface, and the facet about the nearest. */
static bool is_inside(const fnd_ground *g, const face_view *v, const fnd_area_moments *m, double depth)
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
static bool is_straight_behind(const fnd_ground *g, const face_view *v, const fnd_area_moments *m)
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
static bool counts(fnd_ground *g, const face_view *v, const fnd_area_moments *m, double depth)
{
    return is_inside(g, v, m, depth) || (g->triangle < 0 && is_straight_behind(g, v, m) && is_way_out(g, depth));
}

static double depth_at(const face_view *v, const fnd_area_moments *m) /* at the centroid */
{
    return v->depth + (v->slope_x * m->x + v->slope_y * m->y);
}

static void add_face(fnd_ground *g, const fnd_surface_sample *look, int face, int group)
{
    assert(face >= 0 && face < g->polytope->face_count);
    fnd_ground_face room;
    const fnd_visible_facet *at = look->at;
    const fnd_ground_face *f = find_face(g, face, &room);
    if (!(f->vertices & look->below)) return;
    for (int k = 0; k < look->sides; k++)
        if (!(f->vertices & look->within[k])) return;
    fender_vec3 outward = g->polytope->face_normals[face];
    face_view v = {f, face, at->offset - fender_vec3_dot(at->normal, f->origin), -fender_vec3_dot(at->normal, f->e1),
                   -fender_vec3_dot(at->normal, f->e2)};
    double derivative, down = -fender_vec3_dot(at->normal, outward);
    if (g->field && fabs(outward.z) < 0.5) return; /* a side of the prism around a round solid */
    if (g->is_disk && down < 0) {                  /* the other side of it */
        add_face(g, look, 1 - face, group);
        return;
    }
    double counted = g->fade * (g->field ? fnd_cap_counted(down, &derivative) : fnd_patch_counted(down, &derivative));
    if (!(counted > 0) && !g->is_disk) return;
    if (!(counted > 0)) counted = 0;
    face_cut cut;
    cut.known = false;
    if (g->selects) {
        const fnd_area_moments all = cut_face(g, &v, look, NOT_YET, &cut, NULL);
        g->hidden = all.area > 0 && !counts(g, &v, &all, depth_at(&v, &all));
        if (g->hidden) return;
    }
    fnd_power_part powers = {.exponent = g->exponent};
    const fnd_area_moments moments = cut_face(g, &v, look, counted / g->full_area, &cut, &powers), *m = &moments;
    if (!(m->area > 0)) return;
    const double depth = depth_at(&v, m);
    double square = depth * depth * m->area + v.slope_x * v.slope_x * m->xx + 2 * v.slope_x * v.slope_y * m->xy +
                    v.slope_y * v.slope_y * m->yy;
    if (g->exponent != 1) square = powers.energy;
    fender_vec3 rotation = fender_vec3_cross(outward, at->normal);
    g->beside.inertia = fender_vec3_add_scaled(g->beside.inertia,
                                               g->half * g->fade * derivative / g->full_area * square, rotation);
    if (depth > g->deepest) g->deepest = depth;
    for (int k = 1; k + 1 < look->sides && !g->met; k++) {
        const fender_vec3 fan[3] = {look->corners[0], look->corners[k], look->corners[k + 1]};
        g->met = meets_triangle(g->polytope, g->rounding, fan);
    }
    if (!g->met && depth <= g->view->thin) g->met = is_inside(g, &v, m, depth); /* it has gone through */
    if (!(counted > 0)) return;
    if (group == SMALL) {
        if (g->exponent == 1) add_to_sum(g, &v, m, counted / g->full_area, depth, square);
        else add_powers_to_sum(g, &v, m->area, counted / g->full_area, &powers);
        return;
    }
    const fnd_ground_part part = {.plane = at->plane,
                                  .face = g->triangle < 0 ? face : g->triangle,
                                  .origin = f->origin,
                                  .e1 = f->e1,
                                  .e2 = f->e2,
                                  .moments = moments,
                                  .powers = powers,
                                  .counted = counted,
                                  .normal = at->normal,
                                  .offset = at->offset};
    collect(g, at->triangle, &part, group == ALONE);
}

/* ---- triangles ---- */

static bool is_small(const fnd_ground *g, const fnd_surface_sample *look)
{
    fender_vec3 twice = {0, 0, 0};
    for (int k = 1; k + 1 < look->sides; k++) {
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

/* A solid that has gone through a thin wall meets its back, too, and would be drawn out there: facets that look the
 * other way than that of the shortest way out count less the longer their own is, and nothing from twice as long on. */
static double count_facet(const fnd_ground *g)
{
    if (!(g->out_depth > 0) || fender_vec3_dot(g->out_normal, g->at->normal) > -0.5) return 1;
    double rest = 2 - g->at->depth / g->out_depth;
    return rest < 1 ? rest > 0 ? rest : 0 : 1;
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

/* Are there two facets among those found that look opposite ways? */
static bool has_opposite_facets(fnd_surface_scan *scan)
{
    enum { MOST = 16 };
    fender_vec3 normals[MOST];
    int count = 0;
    for (bool more = fnd_surface_scan_first(scan); more; more = fnd_surface_scan_more(scan))
        for (int i = 0; i < scan->count; i++) {
            const fender_vec3 n = scan->found[i].normal;
            for (int k = 0; k < count; k++)
                if (fender_vec3_dot(normals[k], n) < -0.5) return true;
            if (count < MOST) normals[count++] = n;
        }
    return false;
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
    if (g->view->a->geometry->skin && has_opposite_facets(scan)) ask_way_out(g);
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

/* Parts of faces in the cell of the triangle that was looked at. */
static void add_cell(fnd_ground *g, fnd_surface_sample *look)
{
    g->at = look->at;
    g->fade = count_facet(g);
    g->sum = (fnd_ground_sum){0};
    g->columns = (fnd_ground_columns){0};
    g->hidden = false;
    int group = !look->alone ? PLANE : is_small(g, look) ? SMALL : ALONE;
    uint64_t faces = faces_below(g, look, g->is_disk ? 1 : look->faces); /* an upright disk looks neither way */
    for (int first = 0; first < g->polytope->face_count; first += FND_SAMPLE_BITS) {
        if (first > 0 && !fnd_surface_sample_faces(g->polytope, look, g->rounding, first, &faces)) break;
        for (; faces; faces &= faces - 1) add_face(g, look, first + fnd_lowest_bit(faces), group);
    }
    if (group == SMALL) fnd_ground_add_sum(g, look->at->triangle);
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
    look.sides = p->face_start[face + 1] - start;
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
    fnd_surface_sample_depth(g->polytope, &look);
    if (!(look.deepest > 0) || !fnd_surface_sample_faces(g->polytope, &look, g->rounding, 0, &look.faces)) return;
    fnd_surface_sample_within(g->polytope, &look);
    add_cell(g, &look);
    if (g->field) fnd_field_subtract(g->field, found->plane, &g->columns);
}

/* False: to be looked at as a triangle. */
static bool add_skin(fnd_ground *g, const fnd_visible_facet *found)
{
    const fnd_polytope *p = fnd_geometry_cells(g->view->a->geometry);
    if (!p) return false;
    int face = face_of(p, found->triangle);
    if (face >= FND_GROUND_FACES || p->face_start[face + 1] - p->face_start[face] > FND_CUT_SIDES) return false;
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
    look->sides = 3;
    look->corners = found->corners;
    look->inward = look->clearance_inward;
    look->within = look->clearance_within;
    fnd_surface_sample_depth(g->polytope, look);
    if (!(look->deepest > 0) || !(count_facet(g) > 0)) return false;
    if (add_skin(g, found)) {
        widen(g, found->triangle);
        return false;
    }
    if (!fnd_surface_sample_faces(g->polytope, look, g->rounding, 0, &look->faces)) return false;
    if (!look->faces && g->polytope->face_count <= FND_SAMPLE_BITS && !g->is_disk) return false;
    widen(g, found->triangle);
    return true;
}

/* Those that were found, eight cells at a time. */
static void add_triangles(fnd_ground *g, const fnd_surface_scan *scan)
{
    assert(scan->count >= 0 && scan->count <= FND_SCAN_FOUND);
    enum { TOGETHER = 8 };
    fnd_surface_sample room[TOGETHER], *looks[TOGETHER];
    int count = 0;
    for (int i = 0; i < TOGETHER; i++) looks[i] = &room[i];
    for (int i = 0; i <= scan->count; i++) {
        if (count == TOGETHER || (i == scan->count && count > 0)) {
            fnd_surface_sample_cells(scan->visibility, g->polytope, looks, count);
            for (int k = 0; k < count; k++) {
                g->hidden = false;
                if (!looks[k]->empty) add_cell(g, looks[k]);
                if (g->field) fnd_field_add_facet(g->field, looks[k]->at);
            }
            count = 0;
        }
        if (i == scan->count) break;
        fnd_surface_sample *look = looks[count];
        if (look_at(g, look, &scan->found[i])) count++;
        else if (g->field) fnd_field_add_facet(g->field, &scan->found[i]);
    }
}

bool fnd_surface_scan_meets(fnd_surface_scan *scan, const fnd_polytope *polytope)
{
    for (bool more = fnd_surface_scan_first(scan); more; more = fnd_surface_scan_more(scan))
        for (int i = 0; i < scan->count; i++)
            if (meets_triangle(polytope, scan->visibility->rounding, scan->found[i].corners)) return true;
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
    fnd_surface_sample_within(g->polytope, look);
    add_face(g, look, 0, small ? SMALL : ALONE);
}

void fnd_ground_begin(fnd_ground *g, const fnd_surface_view *view, const fnd_polytope *polytope,
                      const fnd_surface_scan *scan, fnd_manifold *out)
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
    g->deepest = g->corner_depth = 0;
    g->corner = g->corner_normal = fender_vec3_make(0, 0, 0);
    g->box = (fender_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    g->met = g->hidden = false;
    g->way = INFINITY;
    g->selects = view->surface && view->surface->hollow;
    g->known = 0;
    g->listed = false;
    g->field = NULL;
    g->across = NULL;
    g->is_disk = b->type == FENDER_GEOMETRY_DISK;
    g->triangle = -1;
    if (a->skin) memset(g->seen, 0, sizeof g->seen);
}

bool fnd_ground_collect(fnd_ground *g, fnd_surface_scan *scan)
{
    assert(g->view->surface && g->first <= g->out->count);
    find_way_out(g, scan);
    for (bool more = fnd_surface_scan_first(scan); more; more = fnd_surface_scan_more(scan)) add_triangles(g, scan);
    add_beside(g, scan->visibility);
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
