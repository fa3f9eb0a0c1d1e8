/* Cylinders, cones, capsules and ellipsoids on uneven ground (docs/models/contact_patches.md).
 *
 * A pressure p is fixed within the solid; the energy is its integral over what lies below the ground, the force that of
 * p times the normal over the part of the ground within the solid. That is one potential whatever the ground's
 * triangles, without edges, corners or neighbours to be looked after. The ends of a capsule are spheres. */
#include "collide/patch_field.h"
#include "collide/patch_side.h"
#include "collide/plane.h"
#include "math/elementary.h"
#include <assert.h>
#include <string.h>

/* The number of a face that no face has: a round solid's skin. */
enum { SKIN = (1 << 26) - 2 };
/* Names of contacts: those of both ends come first. */
enum { MIDDLE = 2 * FND_SURFACE_TOUCHES };
#define PI 3.14159265358979323846
/* Part of the stiffness of the lowest line that its end has where it has lifted on a plane: this over n + 2, of a force
 * depth^n. */
#define LIFTED 0.75
/* Triangles of a smaller part of the solid's section that are alone in their plane have one point each. */
#define SMALL_PART 0.25

/* Sine of the elevation of the axis from which on a solid stands on its end. */
#define STANDING 0.8
/* That up to which it lies on its side, so that fields along the axis are the rounding of large ones. */
#define LYING 0.05

#define ROUNDING 1e-6
#define NOISE    1e-15
/* Of the field's contacts, as a part of the deepest: below that their energy is rounding. */
#define LEAST_DEPTH 1e-6
/* Least force, for stiffness 1, that is divided by. */
#define SPECK 1e-100

typedef fnd_field pressed;

bool fnd_surface_is_pressed(const fender_geometry *g)
{
    return g->type == FENDER_GEOMETRY_CAPSULE && g->radius > 0 && g->half_length > 1e-6 * g->radius &&
           g->radius > 1e-6 * g->half_length;
}

static double exponent_of(const fnd_manifold *out) { return out->exponent > 1 ? out->exponent : 1; }

/* Of a capsule that lies on its side: part of the stiffness that each end, and the side, has. */
static double end_part(double exponent) { return LIFTED / (exponent + 2); }

static double side_part(double exponent) { return 1 - 2 * end_part(exponent); }

/* The pressure: the stiffness of a solid that lies on its side is 1, or what is left of it beside the ends. */
static void describe(pressed *p, const fender_geometry *g)
{
    double r = g->radius, l = g->half_length, part = 1;
    if (g->type == FENDER_GEOMETRY_CAPSULE) {
        r += p->view->rounding; /* a sphere that sweeps both */
        part = side_part(exponent_of(p->out));
    }
    p->section = PI * r * r;
    p->is_field = l > 0;
    p->rotated = (fnd_rotated){r, -l, l, part / (2 * PI * r * l)};
    if (!p->is_field) p->rotated = (fnd_rotated){r, -1, 1, 1 / (PI * r)}; /* of a disk, in its own plane */
    p->whole = fnd_rotated_energy(&p->rotated, l);
}

/* Area of a side over its weight, of a depth d: that of the strip 4/3 length sqrt(2 radius d) whose depth d has the
 * volume of the segment below. All of the side has the weight 1 - d / 2 radius. The rim of a disk has no width. */
static double area_over_weight(const pressed *p, double depth)
{
    const fender_geometry *g = p->view->b->geometry;
    if (!(g->half_length > 0)) return 0;
    const double radius = p->rotated.radius, d = depth < radius ? depth : radius;
    const double all = g->type == FENDER_GEOMETRY_CAPSULE ? side_part(exponent_of(p->out)) : 1;
    return 4.0 / 3 * 2 * g->half_length * sqrt(2 * radius * d) / (all * (1 - 0.5 * d / radius));
}

/* By the plane of a triangle, the same for all of one plane. */
static bool cut(pressed *p, int32_t plane, fnd_section *section)
{
    const fnd_surface_view *view = p->view;
    fender_vec3 n = fnd_triangle_normal(view->surface, plane);
    double offset = fender_vec3_dot(n, fender_vec3_sub(fnd_surface_corner(view->surface, plane, 0), view->p_AB));
    n = fender_mat3_transpose_times(&view->R_AB, n);
    p->any = true;
    p->deep = p->deep || offset > 0;
    return fnd_section_of_rotated(section, &p->rotated, n, offset);
}

static bool is_alone(const fnd_surface *s, int32_t triangle)
{
    assert(triangle >= 0 && triangle < s->triangle_count);
    for (int k = 0; k < 3; k++) {
        int32_t other = s->neighbours[triangle][k];
        if (other >= 0 && s->planes[other] == s->planes[triangle]) return false;
    }
    return true;
}

static bool is_small(const pressed *p, const fender_vec3 corners[3])
{
    fender_vec3 u = fender_vec3_sub(corners[1], corners[0]), v = fender_vec3_sub(corners[2], corners[0]);
    return 0.5 * fender_vec3_length(fender_vec3_cross(u, v)) < SMALL_PART * p->section;
}

static void look_at_axis(pressed *p, const fnd_section *section, const fender_vec3 corners[3])
{
    double z;
    if (!fnd_section_axis(section, corners, &z)) return;
    if (!(z > p->rotated.low && z < p->rotated.high)) return;
    double below = fnd_rotated_energy(&p->rotated, z);
    p->energy += section->sine > 0 ? below : -below;
    if (z < p->highest) return;
    p->highest = z;
    p->top_below = section->sine < 0;
}

/* The lowest place of the solid that lies straight below the triangle: a capsule is a sphere that sweeps its axis, a
 * cylinder a disk. */
static void look_at_lowest(pressed *p, const fnd_section *section, const fender_vec3 corners[3])
{
    double low = p->rotated.low, high = p->rotated.high, radius = p->rotated.radius;
    fender_vec3 n = section->normal, down = {-n.x, -n.y, p->ground ? 0 : -n.z};
    double length = fender_vec3_length(down);
    if (!(length > 0)) return;
    const fender_vec3 from_axis = fender_vec3_scale(radius / length, down);
    for (int k = 0; k < 3; k++) {
        fender_vec3 along = fender_vec3_sub(corners[(k + 1) % 3], corners[k]);
        fender_vec3 inward = fender_vec3_cross(n,
                                               along); /* inside: inward . (from_axis + (0, 0, z)) >= inward . corner */
        double rest = fender_vec3_dot(inward, fender_vec3_sub(corners[k], from_axis));
        rest -= ROUNDING * radius * fender_vec3_length(along); /* what is on an edge is below both */
        if (inward.z > 0 && rest > low * inward.z) low = rest / inward.z;
        if (inward.z < 0 && rest > high * inward.z) high = rest / inward.z;
        if (inward.z == 0 && rest > 0) return;
    }
    if (!(low <= high)) return;
    const fender_vec3 place = fender_vec3_make(from_axis.x, from_axis.y, from_axis.z + (n.z > 0 ? low : high));
    double depth = fender_vec3_dot(n, fender_vec3_sub(section->origin, place));
    if (!(depth > p->lowest_depth)) return;
    p->lowest_depth = depth;
    p->lowest = place;
    p->lowest_normal = n;
}

/* To the list, in world axes. */
static void add_lowest(const pressed *p)
{
    const fnd_surface_view *view = p->view;
    if (!(p->lowest_depth > 0)) return;
    fender_vec3 n = fender_mat3_times(&view->b->R_WG, p->lowest_normal);
    n = fender_vec3_scale(1 / fender_vec3_length(n), n);
    fender_vec3 x = fender_vec3_add(fender_vec3_sub(view->b->p_WG, view->a->p_WG),
                                    fender_mat3_times(&view->b->R_WG, p->lowest));
    if (!p->ground) x = fender_vec3_add_scaled(x, view->rounding, n); /* the sphere is that of both */
    fnd_manifold_add_point(p->out, p->lowest_depth, x, n);
}

static fnd_field_group *group_of(pressed *p, int32_t plane)
{
    for (int i = 0; i < p->count; i++)
        if (p->groups[i].plane == plane) return &p->groups[i];
    if (p->count == FND_FIELD_GROUPS) return NULL;
    fnd_field_group *g = &p->groups[p->count++];
    *g = (fnd_field_group){.plane = plane};
    return g;
}

/* Rounding of what is left where caps take all of the pressure, as a part of what is taken. */
#define REST 1e-9
/* Of the centre of pressure that a contact has, in radii: it is the difference of two, one of a polygon. */
#define FARTHEST 2
/* An area that none has: weight is a force until the depth is known. */
#define PENDING (-1.0)

/* Pressure less than nothing, or rounding, or the difference of two that are nearly alike, whose centre is far away,
 * where a damper would have no end: no contact, but to be balanced. */
static bool leave_rest(const pressed *p, const fnd_section *section, const double sums[FND_SUMS])
{
    const double sum = section->area * sums[FND_SUM_P], radius = p->view->b->geometry->bounding_radius;
    fender_vec3 first = fender_vec3_scale(sum, section->origin), force = fender_vec3_scale(sum, section->normal);
    first = fender_vec3_add_scaled(first, section->area * sums[FND_SUM_PU], section->axis_u);
    first = fender_vec3_add_scaled(first, section->area * sums[FND_SUM_PV], section->axis_v);
    if (sum > REST * p->taken && fender_vec3_length(first) <= FARTHEST * radius * sum) return false;
    fnd_ground *g = p->ground;
    g->of_pressure->force = fender_vec3_add(g->of_pressure->force, force);
    g->of_pressure->moment = fender_vec3_add(g->of_pressure->moment, fender_vec3_cross(first, section->normal));
    return true;
}

/* One contact at the centre of pressure, or four with its second moments: weights are forces until the depth is known.
 */
static void add_points(const pressed *p, const fnd_section *section, const double sums[FND_SUMS], int32_t name,
                       int count)
{
    assert(count > 0);
    const fnd_surface_view *view = p->view;
    double sum = sums[FND_SUM_P];
    if (p->whole_planes && p->ground && leave_rest(p, section, sums)) return;
    if (!(sum > 0)) return; /* a speck */
    double u = sums[FND_SUM_PU] / sum, v = sums[FND_SUM_PV] / sum;
    fnd_area_moments moments = {.area = sum,
                                .x = u,
                                .y = v,
                                .xx = sums[FND_SUM_PUU] - sum * u * u,
                                .xy = sums[FND_SUM_PUV] - sum * u * v,
                                .yy = sums[FND_SUM_PVV] - sum * v * v};
    double most = sqrt(moments.xx > 0 && moments.yy > 0 ? moments.xx * moments.yy : 0);
    if (!(fabs(moments.xy) < most)) moments.xx = moments.xy = moments.yy = 0; /* small: rounding is all there is */
    fender_vec2 points[4] = {{u, v}};
    if (count > 1) fnd_area_points(&moments, points);
    fender_vec3 n = fender_mat3_times(&view->b->R_WG, section->normal);
    n = fender_vec3_scale(1 / fender_vec3_length(n), n);
    fender_vec3 origin = fender_vec3_sub(view->b->p_WG, view->a->p_WG);
    for (int k = 0; k < count; k++) {
        fender_vec3 x = fender_vec3_add_scaled(section->origin, points[k].x, section->axis_u);
        x = fender_vec3_add_scaled(x, points[k].y, section->axis_v);
        fender_separation s = {.point_a = p->ground ? x : fender_vec3_add(origin, fender_mat3_times(&view->b->R_WG, x)),
                               .normal = p->ground ? section->normal : n,
                               .feature = fnd_patch_face_feature(name, SKIN, k),
                               .weight = sum * section->area / count,
                               .area = p->ground ? PENDING : 0,
                               .index = k,
                               .weight_fades = true};
        fnd_manifold_add(p->out, s);
    }
}

/* ---- on a solid: in the cells of its faces ---- */

/* True if the ground of the triangle extends over the ends. */
static void look_at_ends(pressed *p, const fender_vec3 corners[3])
{
    for (int end = 0; end < 2; end++) {
        bool *reached = end ? &p->upper_cap : &p->lower_cap;
        double sign = end ? 1 : -1, limit = end ? p->rotated.high : -p->rotated.low, sums[3];
        fender_vec3 beyond[4];
        int count = 0;
        for (int i = 0; i < 3 && !*reached; i++) {
            fender_vec3 a = corners[i], b = corners[(i + 1) % 3];
            double u = sign * a.z - limit, v = sign * b.z - limit;
            if (u >= 0) beyond[count++] = a;
            if ((u < 0) != (v < 0)) beyond[count++] = fender_vec3_add_scaled(a, u / (u - v), fender_vec3_sub(b, a));
        }
        if (count < 3) continue;
        fnd_cap_dome(p->rotated.radius, beyond, count, sums);
        const double radius = p->rotated.radius;
        *reached = sums[0] > FND_NOTHING_LEFT * radius * radius * radius; /* not by rounding */
    }
}

/* Where the ground is nearly across the axis of a cylinder: by its projection along the axis, much faster. Without the
 * energy by the field across the axis; second moments are rough, they only spread the contacts of what caps leave. */
static bool add_flat(pressed *p, const fnd_section *section, const fender_vec3 corners[3], double sums[FND_SUMS])
{
    fender_vec3 clipped[2][8];
    int count = 3, now = 0;
    for (int k = 0; k < 3; k++) clipped[0][k] = corners[k];
    for (int end = 0; end < 2; end++) {
        double limit = end ? -p->rotated.high : p->rotated.low, sign = end ? -1 : 1;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            fender_vec3 a = clipped[now][i], b = clipped[now][i + 1 < count ? i + 1 : 0];
            double u = sign * a.z - limit, v = sign * b.z - limit;
            if (u >= 0) clipped[1 - now][kept++] = a;
            if ((u < 0) != (v < 0))
                clipped[1 - now][kept++] = fender_vec3_add_scaled(a, u / (u - v), fender_vec3_sub(b, a));
        }
        count = kept;
        now = 1 - now;
    }
    double dome[3];
    if (count < 3) return false;
    fnd_cap_dome(p->rotated.radius, clipped[now], count, dome);
    fender_vec3 n = section->normal;
    double sine = fabs(n.z), sum = p->rotated.h0 * dome[0], x = p->rotated.h0 * dome[1], y = p->rotated.h0 * dome[2];
    if (!(sum > 0)) return false;
    double z = (fender_vec3_dot(n, section->origin) * sum - n.x * x - n.y * y) / n.z, area = 0;
    for (int i = 1; i + 1 < count; i++) {
        fender_vec3 a = fender_vec3_sub(clipped[now][i], clipped[now][0]),
                    b = fender_vec3_sub(clipped[now][i + 1], clipped[now][0]);
        area += 0.5 * (a.x * b.y - a.y * b.x);
    }
    fender_vec3 first = fender_vec3_scale(1 / sine, fender_vec3_make(x, y, z));
    double force = sum / sine, widest = 0.2 * p->rotated.radius * p->rotated.radius;
    double spread = fabs(area) / 9 < widest ? fabs(area) / 9 : widest;
    first = fender_vec3_add_scaled(first, -force, section->origin);
    double u = fender_vec3_dot(section->of_u, first), v = fender_vec3_dot(section->of_v, first);
    sums[FND_SUM_P] += force;
    sums[FND_SUM_PU] += u;
    sums[FND_SUM_PV] += v;
    sums[FND_SUM_PUU] += u * u / force + spread * force;
    sums[FND_SUM_PUV] += u * v / force;
    sums[FND_SUM_PVV] += v * v / force + spread * force;
    double sign = n.z < 0 ? -1 : 1;
    sums[FND_SUM_LOW] += sign * (z - p->rotated.low * sum);
    sums[FND_SUM_HIGH] += sign * (z - p->rotated.high * sum);
    return true;
}

/* ---- on terrain and meshes: from the cap up to the triangles ---- */

static void add_side(pressed *p, int32_t triangle, const fnd_cut_plane *plane)
{
    fnd_cut_plane *side = fnd_cut_planes_add(p->sides, &p->side_count, FND_FIELD_SIDES, plane);
    if (side) fnd_cut_plane_add_edges(p->view->surface, triangle, side);
}

/* Before a flat facet a cap takes all: it limits what the other cap takes. */
static void add_flat_limit(pressed *p, int32_t plane, const fnd_section *section, const fender_vec3 corners[3])
{
    const int looks = section->normal.z > 0;
    const fnd_cut_plane flat = fnd_cut_plane_of_section(plane, section);
    int *count = &p->flat_count[looks];
    if (*count == FND_FIELD_FLATS) return;
    for (int i = 0; i < *count; i++)
        if (p->flats[looks][i].plane == plane) return;
    if (fnd_section_add(section, corners, NULL)) fnd_cut_planes_add(p->flats[looks], count, FND_FIELD_FLATS, &flat);
}

/* ---- triangles ---- */

/* Returns whether there is a section, with the sums over the triangle's part of it. */
static bool add_cut(pressed *p, int32_t triangle, fnd_section *section, double sums[FND_SUMS])
{
    const fnd_surface *surface = p->view->surface;
    if (!cut(p, surface->planes[triangle], section)) return false;
    bool terrain = p->ground && !p->whole_planes;
    double derivative = 0, lying = terrain && !p->ground->hidden ? fnd_cap_lying(fabs(section->sine), &derivative) : 0;
    p->any_flat = p->any_flat || lying > 0;
    if (lying > 0) p->faces_cap[section->normal.z > 0] = true;
    if (lying == 1 && !p->exact && !p->looks_at_flat) return false;
    fender_vec3 corners[3];
    for (int k = 0; k < 3; k++) {
        fender_vec3 q = fender_vec3_sub(fnd_surface_corner(surface, triangle, k), p->view->p_AB);
        corners[k] = fender_mat3_transpose_times(&p->view->R_AB, q);
    }
    if (p->looks_at_flat) {
        if (lying == 1) add_flat_limit(p, surface->planes[triangle], section, corners);
        return false;
    }
    if (p->looks) {
        if (!fnd_section_add(section, corners, NULL)) return false;
        p->any_steep = true;
        look_at_ends(p, corners);
        const fnd_cut_plane side = fnd_cut_plane_of_section(surface->planes[triangle], section);
        add_side(p, triangle, &side);
        return false;
    }
    look_at_axis(p, section, corners);
    bool flat = p->ground && !terrain && !p->exact && fabs(section->sine) > STANDING;
    p->any_flat = p->any_flat || flat;
    if (lying < 1 && !flat) look_at_lowest(p, section, corners);
    if (!(flat ? add_flat(p, section, corners, sums) : fnd_section_add(section, corners, sums))) {
        if (p->exact && lying > 0) fnd_field_add_columns(p, triangle, section, corners, lying, derivative, sums);
        return false;
    }
    if (lying < 1) p->any_steep = true;
    if (p->ground) look_at_ends(p, corners);
    const fnd_cut_plane side = fnd_cut_plane_of_section(surface->planes[triangle], section);
    if (terrain && !p->exact) add_side(p, triangle, &side);
    p->force += section->area * sums[FND_SUM_P];
    p->energy += sums[FND_SUM_ENERGY];
    p->standing += section->area * sums[FND_SUM_P] * section->sine;
    p->low += sums[FND_SUM_LOW];
    p->high += sums[FND_SUM_HIGH];
    if (p->exact && lying > 0) fnd_field_add_columns(p, triangle, section, corners, lying, derivative, sums);
    return true;
}

static void add_triangle(pressed *p, int32_t triangle)
{
    assert(triangle >= 0);
    const fnd_surface *surface = p->view->surface;
    int32_t plane = surface->planes[triangle];
    fnd_section section;
    double sums[FND_SUMS] = {0};
    if (!p->is_field || !add_cut(p, triangle, &section, sums)) return;
    bool alone = !p->whole_planes && is_alone(surface, triangle);
    fnd_field_group *g = alone ? NULL : group_of(p, plane);
    if (!g) {
        fender_vec3 corners[3];
        for (int k = 0; k < 3; k++) corners[k] = fnd_surface_corner(surface, triangle, k);
        add_points(p, &section, sums, triangle, alone && is_small(p, corners) ? 1 : 4);
    }
    for (int i = 0; g && i < FND_SUMS; i++) g->sums[i] += sums[i];
}

/* How far a triangle must be from a cylinder's end, in radii: places on its edge are looked for with some rounding. */
#define CLEAR 1e-5

/* Is all of a triangle beyond the end that its ground is at? Then neither the solid nor columns above that end reach
 * it, and all that it may tell is whether there is flat ground, and ground above the middle. */
static bool is_beyond_end(const pressed *p, const fnd_visible_facet *at)
{
    const double clear = CLEAR * p->rotated.radius, sign = at->normal.z < 0 ? -1 : 1;
    const double end = sign > 0 ? p->rotated.low : -p->rotated.high;
    for (int k = 0; k < 3; k++)
        if (sign * at->corners[k].z > end - clear) return false;
    return true;
}

void fnd_field_add_facet(fnd_field *p, const fnd_visible_facet *at)
{
    assert(at->triangle >= 0);
    if (!p->is_field) return;
    const bool tells = !p->any_flat && fabs(at->normal.z) > FND_CAP_STEEP;
    if (!p->whole_planes && !tells && is_beyond_end(p, at)) {
        assert(p->ground && p->ground->rounding == 0);
        p->any = true;
        p->deep = p->deep || at->offset > 0;
        return;
    }
    add_triangle(p, at->triangle);
}

void fnd_field_subtract(fnd_field *p, int32_t plane, const fnd_ground_columns *columns)
{
    assert(columns);
    if (!(columns->force > 0)) return;
    fnd_field_group *g = group_of(p, plane);
    fnd_section section;
    p->taken += columns->force;
    p->columns += columns->energy;
    if (g && cut(p, plane, &section)) {
        g->taken.force += columns->force;
        g->taken.first = fender_vec3_add(g->taken.first, columns->first);
        return;
    }
    fender_vec3 n = fender_mat3_transpose_times(&p->view->R_AB, fnd_triangle_normal(p->view->surface, plane));
    p->ground->of_pressure->force = fender_vec3_add_scaled(p->ground->of_pressure->force, -columns->force, n);
    p->ground->of_pressure->moment = fender_vec3_sub(p->ground->of_pressure->moment,
                                                     fender_vec3_cross(columns->first, n));
}

/* The contacts of planes whose triangles are together. */
static void add_groups(pressed *p)
{
    for (int i = 0; i < p->count; i++) {
        fnd_section section;
        fnd_field_group *g = &p->groups[i];
        if (!cut(p, g->plane, &section)) continue;
        fnd_field_take_columns(&section, &g->taken, g->sums);
        add_points(p, &section, g->sums, g->plane, 4);
    }
}

/* An end of a capsule: a sphere, which shares its stiffness between the places where it touches. In G of the surface.
 */
typedef struct capsule_end {
    fnd_surface_touches touches;
    fender_vec3 outward, center; /* outward: unit, along the axis */
    double gap;                  /* of its surface, below 0 the least translation that ends its touches */
    fender_vec3 slope;           /* by which the gap grows with the place of the centre */
} capsule_end;

static void find_end(const fnd_surface_view *view, double sign, capsule_end *end)
{
    const fender_geometry *g = view->b->geometry;
    end->outward = fender_vec3_scale(sign, fender_mat3_column(&view->R_AB, 2));
    end->center = fender_vec3_add_scaled(view->p_AB, g->half_length, end->outward);
    end->touches.count = 0;
    end->gap = INFINITY;
    end->slope = fender_vec3_make(0, 0, 0);
    fnd_surface_sphere_touches(view->surface, end->center, g->radius + view->rounding, 0, INFINITY, NULL,
                               &end->touches);
    fnd_surface_touch_weigh(&end->touches);
    double square = 0;
    fender_vec3 force = {0, 0, 0};
    for (int i = 0; i < end->touches.count; i++) {
        const fnd_surface_touch *t = &end->touches.items[i];
        square += t->weight * t->distance * t->distance;
        force = fender_vec3_add_scaled(force, -t->weight * t->distance, t->normal);
        if (t->distance < end->gap) end->slope = t->normal;
        if (t->distance < end->gap) end->gap = t->distance;
    }
    if (!(square > 0)) return;
    end->gap = -sqrt(square);
    end->slope = fender_vec3_scale(1 / sqrt(square), force);
}

/* The force that goes with a change of the gap, added at the end's centre: the normal leans. The energy of a force
 * depth^exponent stays. `across`: as a part of the force, over the depth. */
static void lean(fender_separation *s, fender_vec3 center, double radius, fender_vec3 across, double exponent)
{
    if (!(s->distance < 0)) return;
    const fender_vec3 force = fender_vec3_add_scaled(s->normal, -s->distance, across);
    const double part = fender_vec3_length(force);
    s->normal = fender_vec3_scale(1 / part, force);
    s->distance /= part;
    s->weight *= exponent == 1 ? part * part : fnd_power(part, exponent + 1);
    s->point_b = fender_vec3_add_scaled(center, -radius, s->normal);
    s->point_a = fender_vec3_add_scaled(s->point_b, -s->distance, s->normal);
}

/* The part of the stiffness that an end has is that of the tip on a plane, by the sine at which the ground below both
 * ends sees the axis: end_part where the capsule lies, all where it stands. Gaps change without kinks over edges, where
 * normals turn at once. What changes with the gap of the other end is a force there; it acts here, with its moment. */
static void add_end(const fnd_surface_view *view, capsule_end *end, const capsule_end *other, double reach, int number,
                    fnd_manifold *out)
{
    const fender_geometry *g = view->b->geometry;
    const fender_mat3 *R_WA = &view->a->R_WG;
    const double length = 2 * g->half_length, exponent = exponent_of(out), lying = end_part(exponent);
    double sine = (other->gap - end->gap) / length, part = 1, growth = 0; /* growth: of the logarithm */
    if (!(sine > 0)) sine = 0;
    if (sine < 1) {
        const double square = 1 - sine * sine;
        part = 1 - (1 - lying) * (square * square);
        growth = 4 * (1 - lying) * sine * square / part;
    }
    const fender_vec3 turn = fender_vec3_scale(growth, fender_vec3_cross(end->outward, other->slope));
    const fender_vec3 across = fender_vec3_scale(growth / ((exponent + 1) * length),
                                                 fender_vec3_sub(end->slope, other->slope));
    for (int i = 0; i < end->touches.count; i++) {
        fnd_surface_touch *t = &end->touches.items[i];
        t->point = fender_vec3_add_scaled(t->point, view->rounding, t->normal);
    }
    const int first = out->count;
    fnd_surface_touch_emit(&end->touches, view->a, reach, FND_SURFACE_TOUCHES * (uint64_t)number, out);
    for (int i = first; i < out->count; i++) {
        fender_separation *s = &out->items[i];
        lean(s, fender_mat3_times(R_WA, end->center), g->radius, fender_mat3_times(R_WA, across), exponent);
        s->weight *= part;
        s->turn = fender_mat3_times(R_WA, turn);
        s->weight_fades = true;
    }
}

static void add_ends(const fnd_surface_view *view, double reach, fnd_manifold *out)
{
    capsule_end lower, upper;
    find_end(view, -1, &lower);
    find_end(view, 1, &upper);
    add_end(view, &lower, &upper, reach, 0, out);
    add_end(view, &upper, &lower, reach, 1, out);
}

/* 1 if the upper end is above the ground, so that the field which is 0 at the lower end is right, -1 if that which is 0
 * at the upper one is; else 0. An end that the ground does not reach beyond is above it or all below it: then the whole
 * section looks along the axis, or against it. */
static int standing_on(const pressed *p, bool buried)
{
    if (!p->ground) {
        if (buried || !(fabs(p->standing) > STANDING * p->force)) return 0;
        return p->standing > 0 ? 1 : -1;
    }
    if (!p->upper_cap && p->standing > LYING * p->force) return 1;
    return !p->lower_cap && p->standing < -LYING * p->force ? -1 : 0;
}

/* Of the fields that are right, the one that is exact. `buried`: is the middle below the ground? */
static double energy_of(const pressed *p, bool buried)
{
    int end = standing_on(p, buried);
    if (end) return end > 0 ? p->low : p->high;
    bool source = p->highest > -INFINITY ? p->top_below : buried; /* does the axis meet the ground? */
    return source ? p->energy + p->whole : p->energy;
}

/* The pressure is that of a linear law, with an energy u over the stiffness. For a force depth^n it is that of one
 * depth, sqrt(2 u): the energy is (2 u)^((n + 1) / 2) / (n + 1), and the force that of the linear law times this. */
static double steeper_of(double exponent, double energy)
{
    return exponent == 1 ? 1 : energy > 0 ? fnd_power(2 * energy, 0.5 * (exponent - 1)) : 0;
}

void fnd_surface_add_pressed(const fnd_surface_view *view, double reach, fnd_manifold *out)
{
    assert(fnd_surface_is_pressed(view->b->geometry));
    add_ends(view, reach, out);
    pressed p = {.view = view, .out = out, .highest = -INFINITY};
    int first = out->count;
    describe(&p, view->b->geometry);
    fnd_surface_traversal traversal;
    fnd_surface_traversal_begin(&traversal, view->surface, fnd_surface_view_box(view));
    for (int32_t t; (t = fnd_surface_traversal_next(&traversal)) >= 0;) add_triangle(&p, t);
    add_groups(&p);
    fnd_surface_touch middle = {.distance = INFINITY};
    if (p.deep || !p.any) middle = fnd_surface_sphere_nearest(view->surface, view->p_AB, 0, NULL);
    bool buried = middle.distance < 0;
    double depth = 2 * energy_of(&p, buried) / p.force, most = 2 * view->b->geometry->bounding_radius;
    if (!(p.force > SPECK)) out->count = first;
    if (!(depth > 0)) depth = p.force;         /* deep in, where the energy is an estimate */
    if (depth > most) depth = most;            /* almost buried: there is energy, but hardly a force */
    for (int i = first; i < out->count; i++) { /* a weight is above 1 by rounding */
        double force = out->items[i].weight;
        if (force > depth && force < depth * (1 + ROUNDING)) depth = force;
    }
    const double exponent = exponent_of(out);
    for (int i = first; i < out->count; i++) { /* force and energy of the whole: of one depth */
        fender_separation *s = &out->items[i];
        s->distance = -depth;
        s->area = s->weight / depth * area_over_weight(&p, depth);
        s->weight *= steeper_of(exponent, 0.5 * p.force * depth / side_part(exponent));
        s->weight /= fnd_power_of_depth(depth, exponent);
        s->point_a = fender_vec3_add_scaled(s->point_a, view->rounding, s->normal);
        s->point_b = fender_vec3_add_scaled(s->point_a, -depth, s->normal);
    }
    if (out->count > first) add_lowest(&p);
    if (!buried) return; /* the deeper it is in, the less ground is left within it */
    fnd_surface_emit(view->a, &middle, MIDDLE, 0, out);
    if (!out->failed) out->items[out->count - 1].weight_fades = true;
}

/* Is a facet beside a triangle so steep that the rim of a disk counts there? */
static bool has_steep_beside(const fnd_surface_view *view, int32_t triangle)
{
    const fnd_surface *s = view->surface;
    const fender_vec3 axis = fender_mat3_column(&view->R_AB, 2);
    for (int k = 0; k < 3; k++) {
        const int32_t other = s->neighbours[triangle][k];
        if (other < 0 || s->planes[other] == s->planes[triangle]) continue;
        const fender_vec3 at = fnd_surface_corner(s, other, 0);
        const fender_vec3 n = fender_vec3_cross(fender_vec3_sub(fnd_surface_corner(s, other, 1), at),
                                                fender_vec3_sub(fnd_surface_corner(s, other, 2), at));
        const double along = fender_vec3_dot(n, axis);
        if (along * along < FND_CAP_FLAT * FND_CAP_FLAT * fender_vec3_dot(n, n)) return true;
    }
    return false;
}

/* For the rim of a disk on a mesh: flat facets, and steep ones with which they have an edge. */
static void look_at_flat_edges(pressed *p, fnd_surface_scan *scan)
{
    for (bool more = fnd_surface_scan_first(scan); more; more = fnd_surface_scan_more(scan))
        for (int i = 0; i < scan->count; i++) {
            const fnd_visible_facet *at = &scan->found[i];
            const fnd_cut_plane flat = {.plane = at->plane, .normal = at->normal, .offset = at->offset};
            if (fabs(at->normal.z) > FND_CAP_STEEP && has_steep_beside(p->view, at->triangle))
                add_side(p, at->triangle, &flat);
        }
}

void fnd_field_add_rim(fnd_field *p, const fnd_visible_facet *at, double force, fender_vec3 first, double energy)
{
    p->columns -= energy;
    if (!(force > 0)) return;
    fender_separation s = {.point_a = fender_vec3_scale(1 / force, first),
                           .normal = at->normal,
                           .feature = fnd_patch_face_feature(at->triangle, SKIN, 0),
                           .weight = force,
                           .area = PENDING,
                           .weight_fades = true};
    fnd_manifold_add(p->out, s);
}

/* Depths of the field's contacts, so that the whole has the energy that it has; what the pressure does beside them
 * joins what caps do. */
static void set_depths(pressed *p, double field_energy)
{
    const double n = p->ground->exponent, half = p->ground->half;
    fnd_ground *g = p->ground;
    double force = 0, caps = 0;
    /* Caps that take all of the pressure leave the rounding of its moments. */
    if (fabs(field_energy) < NOISE * p->force * p->view->b->geometry->bounding_radius) field_energy = 0;
    for (int i = g->first; i < g->out->count; i++) {
        const fender_separation *s = &g->out->items[i];
        if (s->area < 0) force += s->weight;
        else caps -= half * s->weight * fnd_power_of_depth(-s->distance, n) * s->distance;
    }
    double depth = force > SPECK ? 2 * field_energy / force : 0, most = 2 * p->view->b->geometry->bounding_radius;
    if (!(depth > 0)) depth = g->deepest > 0 ? g->deepest : force;
    if (depth < LEAST_DEPTH * g->deepest) depth = LEAST_DEPTH * g->deepest;
    /* On steep ground parts of the force cancel, those of the energy do not: no depth, but an estimate of the energy.
     */
    const double seen = g->deepest > p->lowest_depth ? g->deepest : p->lowest_depth;
    const bool estimate = depth > 0.5 * most && seen > 0 && seen < depth;
    if (estimate) depth = seen;
    if (depth > most) depth = most;
    for (int i = g->first; i < g->out->count; i++) { /* a weight is above 1 by rounding */
        double one = g->out->items[i].area < 0 ? g->out->items[i].weight : 0;
        if (one > depth && one < depth * (1 + ROUNDING)) depth = one;
    }
    const double steeper = steeper_of(n, field_energy);
    const double energy = caps + half * steeper * force * depth, has = caps + 2 * half * steeper * field_energy;
    double scale = energy > 0 ? has / energy : 1;
    if (estimate || !(scale > 0.1 && scale < 10)) scale = 1; /* deep in, where the energy is an estimate */
    for (int i = g->first; i < g->out->count; i++) {
        fender_separation *s = &g->out->items[i];
        if (s->area < 0) {
            s->distance = -depth;
            s->area = s->weight / depth * area_over_weight(p, depth);
            s->weight *= steeper;
            s->weight /= fnd_power_of_depth(depth, n);
            s->point_b = fender_vec3_add_scaled(s->point_a, -depth * scale, s->normal);
        }
        s->distance *= scale;
        s->weight /= fnd_power_of_depth(scale, n);
    }
    if (n == 1) return;
    fnd_ground_beside *beside = &g->beside;
    const fnd_ground_beside *pressure = &g->pressure;
    beside->force = fender_vec3_add_scaled(beside->force, steeper, pressure->force);
    beside->moment = fender_vec3_add_scaled(beside->moment, steeper, pressure->moment);
    beside->inertia = fender_vec3_add_scaled(beside->inertia, steeper, pressure->inertia);
}

/* Part of the pressure that counts where caps have nothing, though the way along the axis is the shorter one: at sharp
 * edges of hulls. Small, for it begins and ends at once. */
#define ANY_PART 0.01

/* `least`: of the pressure that counts. */
static void begin_capped(pressed *p, fnd_ground *g, fnd_section *across, const fnd_surface_view *view,
                         fnd_surface_scan *scan, double least, bool side_alone, fnd_manifold *out)
{
    *p = (pressed){.view = view, .out = out, .highest = -INFINITY, .ground = g, .side = {.part = 1}};
    describe(p, view->b->geometry);
    fnd_ground_begin(g, view, view->b->geometry->caps, scan, out);
    g->side_alone = side_alone;
    p->whole_planes = view->a->geometry->skin != NULL;
    g->field = p;
    if (p->whole_planes) p->side = fnd_patch_side_part(view, g->rounding);
    if (p->side.part < least) p->side = (fnd_side_part){.part = least};
    if (!(p->side.part > 0)) { /* caps alone */
        p->is_field = false;
        return;
    }
    p->rotated.h0 *= p->side.part;
    p->whole *= p->side.part;
    fnd_cap_begin(across, &p->rotated);
    g->across = across;
}

/* Of the energy of the pressure: what changes of its part that counts do. */
static void add_change_of_part(const pressed *p, double energy)
{
    if (!(p->side.part > 0)) return;
    fnd_ground *g = p->ground;
    g->of_pressure->force = fender_vec3_add_scaled(g->of_pressure->force, energy / p->side.part, p->side.force);
    g->of_pressure->moment = fender_vec3_add_scaled(g->of_pressure->moment, energy / p->side.part, p->side.moment);
}

/* On terrain, what a first look is for where a second one is exact: steep ground, and how far it reaches. False: the
 * first one has to be taken. */
static bool look_ahead(const pressed *begun, fnd_surface_scan *scan, pressed *p)
{
    if (begun->whole_planes || begun->ground->selects) return false; /* parts may be hidden */
    *p = *begun;
    p->looks = true;
    for (bool more = fnd_surface_scan_first(scan); more; more = fnd_surface_scan_more(scan))
        for (int i = 0; i < scan->count; i++) fnd_field_add_facet(p, &scan->found[i]);
    return p->any_flat && p->any_steep;
}

/* Flat facets before each cap are looked for again where there are some before both. */
static void look_at_flat(pressed *p, fnd_surface_scan *scan)
{
    if (p->whole_planes || !p->faces_cap[0] || !p->faces_cap[1]) return;
    p->looks_at_flat = true;
    for (bool more = fnd_surface_scan_first(scan); more; more = fnd_surface_scan_more(scan))
        for (int i = 0; i < scan->count; i++) add_triangle(p, scan->found[i].triangle);
    p->looks_at_flat = false;
}

static void be_exact(pressed *p, pressed *first, fnd_surface_scan *scan)
{
    look_at_flat(first, scan);
    memcpy(p->sides, first->sides, sizeof p->sides);
    memcpy(p->flats, first->flats, sizeof p->flats);
    memcpy(p->flat_count, first->flat_count, sizeof p->flat_count);
    p->side_count = first->side_count;
    p->lower_cap = first->lower_cap;
    p->upper_cap = first->upper_cap;
    p->exact = true;
}

void fnd_surface_add_capped(const fnd_surface_view *view, fnd_surface_scan *scan, bool side_alone, fnd_manifold *out)
{
    fnd_ground g;
    fnd_section across;
    pressed p, first;
    double least = 0;
    begin_capped(&p, &g, &across, view, scan, least, side_alone, out);
    if (g.is_disk && !p.whole_planes) look_at_flat_edges(&p, scan);
    const bool ahead = look_ahead(&p, scan, &first);
    if (ahead) be_exact(&p, &first, scan);
    if (!fnd_ground_collect(&g, scan)) return;
    if (!(p.side.part > 0) && out->count == g.first && !side_alone) {
        least = ANY_PART;
        begin_capped(&p, &g, &across, view, scan, least, side_alone, out);
        if (!fnd_ground_collect(&g, scan)) return;
    }
    bool again = p.whole_planes ? p.is_field && p.any_flat && !standing_on(&p, false) : p.any_flat && p.any_steep;
    if (again && !ahead) {
        first = p;
        out->count = g.first;
        begin_capped(&p, &g, &across, view, scan, least, side_alone, out);
        be_exact(&p, &first, scan);
        (void)fnd_ground_collect(&g, scan);
    }
    add_groups(&p);
    bool buried = false;
    bool field = p.whole_planes ? p.is_field : p.any_steep;
    if (field && !standing_on(&p, false) && (p.deep || !p.any))
        buried = fnd_surface_sphere_nearest(view->surface, view->p_AB, 0, NULL).distance < 0;
    const double energy = (field ? energy_of(&p, buried) : 0) - p.columns;
    add_change_of_part(&p, energy);
    set_depths(&p, energy);
    fnd_ground_balance(&g);
    if (out->count > g.first) add_lowest(&p);
}
