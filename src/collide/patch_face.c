/* One face of a polytope in the cell of one facet: the part below it, its moments, and what borders of the cell do. */
#include "collide/patch_face.h"
#include "collide/patch_section.h"
#include <assert.h>

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
static void add_columns(fnd_ground *g, const fnd_face_view *v, const fnd_cut *part, const fnd_surface_sample *look)
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
static void add_rim(fnd_ground *g, const fnd_face_view *v, const fnd_cut *part, const fnd_surface_sample *look)
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

/* The part of the face's normal into the facet. */
static double down_of(const fnd_ground *g, const fnd_face_view *v)
{
    return -fender_vec3_dot(g->at->normal, g->polytope->face_normals[v->number]);
}

/* The lowest point of the rim of a cap, where it lies in the cell. */
static void add_lowest_of_rim(fnd_ground *g, const fnd_face_view *v, const fnd_surface_sample *look)
{
    const fender_vec3 n = g->at->normal;
    double length = sqrt(n.x * n.x + n.y * n.y), out = length > 0 ? g->view->b->geometry->radius / length : 0;
    const fender_vec3 place = {-out * n.x, -out * n.y, v->face->origin.z};
    for (int k = 0; k < look->sides; k++)
        if (fender_vec3_dot(look->inward[k], fender_vec3_sub(place, look->corners[k])) < 0) return;
    fnd_ground_add_point(g, v->depth - fender_vec3_dot(n, fender_vec3_sub(place, v->face->origin)), down_of(g, v),
                         place);
}

/* Corners of a part of a face; those beyond a round solid are moved to it. */
static void add_corners(fnd_ground *g, const fnd_face_view *v, const fnd_cut *part)
{
    const fnd_ground_face *f = v->face;
    for (int i = 0; i < part->count; i++) {
        const fnd_cut_corner *c = &part->corners[i];
        if (!(c->depth * (1 + 1e-8) + 1e-12 * g->view->radius > g->corner_depth)) continue;
        fender_vec3 x = fender_vec3_add_scaled(fender_vec3_add_scaled(f->origin, c->x, f->e1), c->y, f->e2);
        double radius = radius_at(g->view->b->geometry, x.z), from_axis = sqrt(x.x * x.x + x.y * x.y), depth = c->depth;
        if (from_axis > radius) {
            fender_vec3 inward = {x.x * (radius / from_axis - 1), x.y * (radius / from_axis - 1), 0};
            depth -= fender_vec3_dot(g->at->normal, inward);
            x = fender_vec3_add(x, inward);
        }
        fnd_ground_add_point(g, depth, down_of(g, v), x);
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
static void cut_piece(const fnd_ground *g, const fnd_face_view *v, const fnd_surface_sample *look, int start,
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
static fnd_area_moments cut_face(fnd_ground *g, const fnd_face_view *v, const fnd_surface_sample *look, double factor,
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

/* How much of the part counts on a convex solid. */
static fnd_side_part fade_of(fnd_ground *g, const fnd_face_view *v, const fnd_surface_sample *look, face_cut *room)
{
    const int count = v->face->count;
    bool may_fade = false;
    for (int start = 1; start + 1 < count && !may_fade; start += FAN - 2) {
        if (!room->known) cut_piece(g, v, look, start, room);
        room->known = count <= FAN;
        may_fade = fnd_part_may_be_ghost(g, v, &room->parts[room->now]);
    }
    if (!may_fade) return (fnd_side_part){.part = 1};
    fnd_part_sum depth = {0}, square = {0};
    for (int start = 1; start + 1 < count; start += FAN - 2) {
        if (!room->known) cut_piece(g, v, look, start, room);
        fnd_part_add_depths(g, v, look, &room->parts[room->now], &depth, &square);
    }
    return fnd_part_fade(g, &depth, &square);
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
static void add_to_sum(fnd_ground *g, const fnd_face_view *v, const fnd_area_moments *m, double factor, double depth,
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

static void add_powers_to_sum(fnd_ground *g, const fnd_face_view *v, double area, double factor,
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

static double depth_at(const fnd_face_view *v, const fnd_area_moments *m) /* at the centroid */
{
    return v->depth + (v->slope_x * m->x + v->slope_y * m->y);
}

/* What the fading of a part does, whose energy is `energy` in full. */
static void add_fade(fnd_ground *g, const fnd_side_part *fade, double energy)
{
    g->beside.force = fender_vec3_add_scaled(g->beside.force, energy, fade->force);
    g->beside.moment = fender_vec3_add_scaled(g->beside.moment, energy, fade->moment);
}

/* Sine of the elevation of the axis from which on the sides of a rounded prism count in full. */
#define LEANS 0.5

/* Which part of a side of a rounded prism counts: none where the solid lies on it, for there the pressure of the side
 * does. `slope`: of `counted`, becomes that of the product. */
static double lean(fender_vec3 normal, double counted, fender_vec3 *slope)
{
    const double sign = normal.z < 0 ? -1 : 1, x = sign * normal.z / LEANS;
    if (x >= 1) return 1;
    const double part = x * x * x * (10 - x * (15 - 6 * x)), change = 30 * x * x * (1 - x) * (1 - x) / LEANS;
    const fender_vec3 axis = {0, 0, -sign}; /* normal.z falls as the axis turns to the normal */
    *slope = fender_vec3_add_scaled(fender_vec3_scale(part, *slope), counted * change, fender_vec3_cross(axis, normal));
    return part;
}

void fnd_ground_add_face(fnd_ground *g, const fnd_surface_sample *look, int face, int group)
{
    assert(face >= 0 && face < g->polytope->face_count);
    fnd_ground_face room;
    const fnd_visible_facet *at = look->at;
    const fnd_ground_face *f = find_face(g, face, &room);
    if (!(f->vertices & look->below)) return;
    for (int k = 0; k < look->sides; k++)
        if (!(f->vertices & look->within[k])) return;
    fender_vec3 outward = g->polytope->face_normals[face];
    fnd_face_view v = {f, face, at->offset - fender_vec3_dot(at->normal, f->origin),
                       -fender_vec3_dot(at->normal, f->e1), -fender_vec3_dot(at->normal, f->e2)};
    double derivative, down = -fender_vec3_dot(at->normal, outward);
    const bool is_side = fabs(outward.z) < 0.5; /* of the prism around a round solid */
    if (g->field && is_side) return;
    if (g->is_disk && down < 0) { /* the other side of it */
        fnd_ground_add_face(g, look, 1 - face, group);
        return;
    }
    double counted = g->fade * (g->field ? fnd_cap_counted(down, &derivative) : fnd_patch_counted(down, &derivative));
    fender_vec3 slope = fender_vec3_scale(g->fade * derivative, fender_vec3_cross(outward, at->normal));
    if (g->is_rounded && is_side) counted *= lean(at->normal, counted, &slope);
    if (!(counted > 0) && !g->is_disk) return;
    if (!(counted > 0)) counted = 0;
    if (g->side_alone) counted = 0;
    face_cut cut;
    cut.known = false;
    if (g->selects) {
        const fnd_area_moments all = cut_face(g, &v, look, NOT_YET, &cut, NULL);
        g->hidden = all.area > 0 && !fnd_part_counts(g, &v, &all, depth_at(&v, &all));
        if (g->hidden) return;
    }
    fnd_side_part fade = {.part = 1};
    if (g->limits && !g->field) fade = fade_of(g, &v, look, &cut);
    if (!(fade.part > 0)) return;
    const double whole = counted, before = g->fade;
    g->fade *= fade.part;
    counted *= fade.part;
    slope = fender_vec3_scale(fade.part, slope);
    fnd_power_part powers = {.exponent = g->exponent};
    const fnd_area_moments moments = cut_face(g, &v, look, counted / g->full_area, &cut, &powers), *m = &moments;
    g->fade = before;
    if (!(m->area > 0)) return;
    const double depth = depth_at(&v, m);
    double square = depth * depth * m->area + v.slope_x * v.slope_x * m->xx + 2 * v.slope_x * v.slope_y * m->xy +
                    v.slope_y * v.slope_y * m->yy;
    if (g->exponent != 1) square = powers.energy;
    if (!g->side_alone)
        g->beside.inertia = fender_vec3_add_scaled(g->beside.inertia, g->half / g->full_area * square, slope);
    if (fade.part < 1) add_fade(g, &fade, g->half * whole / g->full_area * square);
    if (depth > g->deepest) g->deepest = depth;
    const int last = look->spanned - 1; /* a plane has no corner, a round edge two, a round vertex one */
    for (int k = 0; !g->met && last >= 0 && (k == 0 || k + 2 <= last); k++) {
        const fender_vec3 fan[3] = {look->corners[0], look->corners[k + 1 < last ? k + 1 : last],
                                    look->corners[k + 2 < last ? k + 2 : last]};
        g->met = fnd_polytope_meets(g->polytope, g->rounding, fan);
    }
    if (!g->met && depth <= g->view->thin) g->met = fnd_part_is_inside(g, &v, m, depth); /* it has gone through */
    if (!(counted > 0)) return;
    if (group == FND_PART_SMALL) {
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
    collect(g, at->triangle, &part, group == FND_PART_ALONE);
}
