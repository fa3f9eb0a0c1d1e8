/* Cylinders, cones, capsules and ellipsoids on uneven ground (docs/models/contact_patches.md).
 *
 * A pressure p is fixed within the solid; the energy is its integral over what lies below the ground, the force that of
 * p times the normal over the part of the ground within the solid. That is one potential whatever the ground's
 * triangles, without edges, corners or neighbours to be looked after. The ends of a capsule are balls. */
#include "collide/surface_round.h"

#include "collide/patch_floor.h"
#include "collide/surface_section.h"

/* The number of a face that no face has: a round solid's skin. */
enum { SKIN = (1 << 26) - 2 };
/* Names of contacts: those of both ends come first. */
enum { MIDDLE = 2 * FND_SURFACE_TOUCHES };
#define PI 3.14159265358979323846
/* Of a capsule: part of the stiffness that each end, and the side, has. */
#define END_PART  (1.0 / 3)
#define SIDE_PART (1.0 / 3)
/* Triangles of a smaller part of the solid's section that are alone in their plane have one point each. */
#define SMALL_PART 0.25

/* Sine of the elevation of the axis from which on a solid stands on its end. */
#define STANDING 0.8

#define ROUNDING 1e-6
/* Least force, for stiffness 1, that is divided by. */
#define SPECK 1e-100

typedef struct group { /* triangles of one plane */
    int32_t plane;
    double sums[FND_SUMS];
} group;

enum { GROUPS = 32 };
typedef struct pressed {
    const fnd_surface_view *view;
    fnd_manifold *out;
    fender_vec3 half; /* of an ellipsoid */
    fnd_turned turned;
    bool is_turned;
    double section;                /* an area of the solid's size */
    double whole;                  /* integral of the pressure */
    double force, energy, highest; /* sums; where the axis meets the ground for the last time */
    double standing, low, high;    /* sums: force times sine of the axis' elevation, energies of the fields along it */
    bool top_below;                /* is its upper end below the ground? */
    bool deep, any;                /* is the middle behind the plane of a triangle near it; is there a triangle? */
    group groups[GROUPS];
    int count;
} pressed;

bool fnd_surface_is_pressed(const fnd_surface_view *view)
{
    const fender_geometry *g = view->b->geometry;
    const fnd_surface *s = view->surface;
    if (g->rounding > 0 || s->one_plane) return false;
    switch (g->type) {
    case FENDER_GEOMETRY_CAPSULE:
    case FENDER_GEOMETRY_CYLINDER:
    case FENDER_GEOMETRY_CONE:
        return g->radius > 0 && g->half_length > 1e-6 * g->radius && g->radius > 1e-6 * g->half_length;
    case FENDER_GEOMETRY_ELLIPSOID: {
        double least = g->half.x < g->half.y ? g->half.x : g->half.y;
        return (g->half.z < least ? g->half.z : least) > 1e-6 * g->bounding_radius;
    }
    default: return false;
    }
}

/* The pressure: the stiffness on flat ground is 1 on the cap or on the side, whichever has more of it. */
static void describe(pressed *p, const fender_geometry *g)
{
    double r = g->radius, l = g->half_length, longer = l > r ? l : r, strength;
    p->half = g->half;
    p->is_turned = g->type != FENDER_GEOMETRY_ELLIPSOID;
    p->section = PI * r * r;
    switch (g->type) {
    case FENDER_GEOMETRY_CONE: /* the base is the lower end */
        strength = 3 / (2 * PI * r * longer * longer);
        p->turned = (fnd_turned){0.5 * r, -0.5 * r / l, -l, l, strength * l, strength, 0};
        break;
    case FENDER_GEOMETRY_ELLIPSOID:
        p->section = PI * g->half.x * g->half.y * g->half.z / g->bounding_radius;
        p->whole = 2 * fender_vec3_dot(g->half, g->half) / 15 * fnd_ellipsoid_strength(g->half);
        return;
    default:
        strength = 3 / (4 * PI * r * l) / (g->type == FENDER_GEOMETRY_CAPSULE ? l * l / SIDE_PART : longer * longer);
        p->turned = (fnd_turned){r, 0, -l, l, strength * l * l, 0, -strength};
    }
    p->whole = fnd_turned_energy(&p->turned, l);
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
    if (p->is_turned) return fnd_section_of_turned(section, &p->turned, n, offset);
    return fnd_section_of_ellipsoid(section, p->half, n, offset);
}

static bool is_alone(const fnd_surface *s, int32_t triangle)
{
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
    if (!p->is_turned || !fnd_section_axis(section, corners, &z)) return;
    if (!(z > p->turned.low && z < p->turned.high)) return;
    double below = fnd_turned_energy(&p->turned, z);
    p->energy += section->sine > 0 ? below : -below;
    if (z < p->highest) return;
    p->highest = z;
    p->top_below = section->sine < 0;
}

static group *group_of(pressed *p, int32_t plane)
{
    for (int i = 0; i < p->count; i++)
        if (p->groups[i].plane == plane) return &p->groups[i];
    if (p->count == GROUPS) return NULL;
    group *g = &p->groups[p->count++];
    *g = (group){.plane = plane};
    return g;
}

/* One contact at the centre of pressure, or four with its second moments: weights are forces until the depth is known.
 */
static void add_points(const pressed *p, const fnd_section *section, const double sums[FND_SUMS], int32_t name,
                       int count)
{
    const fnd_surface_view *view = p->view;
    double sum = sums[FND_SUM_P];
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
        fender_separation s = {.point_a = fender_vec3_add(origin, fender_mat3_times(&view->b->R_WG, x)),
                               .normal = n,
                               .feature = fnd_patch_face_feature(name, SKIN, k),
                               .weight = sum * section->area / count,
                               .index = k,
                               .fades = true};
        fnd_manifold_add(p->out, s);
    }
}

static void add_triangle(pressed *p, int32_t triangle)
{
    const fnd_surface *surface = p->view->surface;
    int32_t plane = surface->planes[triangle];
    fnd_section section;
    if (!cut(p, plane, &section)) return;
    fender_vec3 corners[3];
    for (int k = 0; k < 3; k++) {
        fender_vec3 q = fender_vec3_sub(fnd_surface_corner(surface, triangle, k), p->view->p_AB);
        corners[k] = fender_mat3_transpose_times(&p->view->R_AB, q);
    }
    double sums[FND_SUMS] = {0};
    look_at_axis(p, &section, corners);
    if (!fnd_section_add(&section, corners, sums)) return;
    p->force += section.area * sums[FND_SUM_P];
    p->energy += sums[FND_SUM_ENERGY];
    p->standing += section.area * sums[FND_SUM_P] * section.sine;
    p->low += sums[FND_SUM_LOW];
    p->high += sums[FND_SUM_HIGH];
    bool alone = is_alone(surface, triangle);
    group *g = alone ? NULL : group_of(p, plane);
    if (!g) add_points(p, &section, sums, triangle, alone && is_small(p, corners) ? 1 : 4);
    for (int i = 0; g && i < FND_SUMS; i++) g->sums[i] += sums[i];
}

static void add_ends(const fnd_surface_view *view, fnd_manifold *out)
{
    const fender_geometry *g = view->b->geometry;
    fender_vec3 axis = fender_mat3_column(&view->R_AB, 2);
    for (int end = 0; end < 2; end++) {
        fnd_surface_touches touches;
        touches.count = 0;
        fender_vec3 center = fender_vec3_add_scaled(view->p_AB, end ? g->half_length : -g->half_length, axis);
        fnd_surface_ball(view->surface, center, g->radius, 0, &touches);
        fnd_surface_touch_weigh(&touches);
        int first = out->count;
        fnd_surface_touch_emit(&touches, view->a, 0, FND_SURFACE_TOUCHES * (uint64_t)end, out);
        for (int i = first; i < out->count; i++) {
            out->items[i].weight *= END_PART;
            out->items[i].fades = true;
        }
    }
}

/* Of the fields that are right, the one that is exact. `buried`: is the middle below the ground? */
static double energy_of(const pressed *p, bool buried)
{
    if (p->standing > STANDING * p->force && !buried) return p->low;
    if (p->standing < -STANDING * p->force && !buried && (p->turned.taper == 0 || p->top_below)) return p->high;
    bool source = p->highest > -INFINITY ? p->top_below : buried; /* does the axis meet the ground? */
    return source ? p->energy + p->whole : p->energy;
}

void fnd_surface_add_pressed(const fnd_surface_view *view, fnd_manifold *out)
{
    if (view->b->geometry->type == FENDER_GEOMETRY_CAPSULE) add_ends(view, out);
    pressed p = {.view = view, .out = out, .highest = -INFINITY};
    int first = out->count;
    describe(&p, view->b->geometry);
    fnd_surface_walk walk;
    fnd_surface_walk_begin(&walk, view->surface, fnd_surface_view_box(view));
    for (int32_t t; (t = fnd_surface_walk_next(&walk)) >= 0;) add_triangle(&p, t);
    for (int i = 0; i < p.count; i++) {
        fnd_section section;
        if (cut(&p, p.groups[i].plane, &section)) add_points(&p, &section, p.groups[i].sums, p.groups[i].plane, 4);
    }
    fnd_surface_touch middle = {.distance = INFINITY};
    if (p.deep || !p.any) middle = fnd_surface_ball_nearest(view->surface, view->p_AB, 0);
    bool buried = middle.distance < 0;
    double depth = 2 * energy_of(&p, buried) / p.force, most = 2 * view->b->geometry->bounding_radius;
    if (!(p.force > SPECK)) out->count = first;
    if (!(depth > 0)) depth = p.force;         /* deep in, where the energy is an estimate */
    if (depth > most) depth = most;            /* almost buried: there is energy, but hardly a force */
    for (int i = first; i < out->count; i++) { /* a weight is above 1 by rounding */
        double force = out->items[i].weight;
        if (force > depth && force < depth * (1 + ROUNDING)) depth = force;
    }
    for (int i = first; i < out->count; i++) { /* force and energy of the whole: of one depth */
        fender_separation *s = &out->items[i];
        s->distance = -depth;
        s->weight /= depth;
        s->area = s->weight * p.section;
        s->point_b = fender_vec3_add_scaled(s->point_a, -depth, s->normal);
    }
    if (!buried) return; /* the deeper it is in, the less ground is left within it */
    fnd_surface_emit(view->a, &middle, MIDDLE, 0, out);
    if (!out->failed) out->items[out->count - 1].fades = true;
}
