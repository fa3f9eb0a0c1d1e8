/* Patches on uneven ground: their forces made the slope of their energy.
 *
 * The energy is a sum over parts of faces, each with its depth below one facet. The points of a part have the force and
 * torque that come of its depth. Two more things change the energy as the solid moves: area that passes from the cell
 * of one facet to that of another (or off the border of the ground), and the part of steep faces that counts. Both are
 * small, of the order of the depth over the size of the part times the angle between the facets, and known exactly.
 * They are spread over the points: a force along with the points' own tilts them, a moment about the common direction
 * twists them, moments across it move all points sideways. Depth and weight of a tilted point keep its energy. */
#include "collide/patch.h"
#include "collide/plane.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include <assert.h>

/* The number of a face that no face has: of all. */
enum { ALL_FACES = (1 << 26) - 1 };

static void add_point(fnd_ground *g, fender_separation s)
{
    fnd_manifold *out = g->out;
    if (g->one) fnd_patch_sums_add(&g->sums, &s);
    if (!g->one || out->count == g->first) fnd_manifold_add(out, s);
    else if (s.distance < out->items[g->first].distance) out->items[g->first] = s;
}

static void add_one(fnd_ground *g, const fnd_ground_sum *sum, fender_vec3 normal, int32_t plane, int32_t face)
{
    assert(fnd_is_unit(normal));
    if (!(sum->force > 0) || !(sum->energy > 0)) return;
    double depth = sum->energy / sum->force;
    fender_vec3 x = fender_vec3_scale(1 / sum->force, sum->first);
    fender_separation s = {.distance = -depth,
                           .point_b = fender_vec3_add_scaled(x, -g->swept, normal),
                           .normal = normal,
                           .feature = fnd_patch_face_feature(plane, face, 0),
                           .weight = sum->force / fnd_power_of_depth(depth, g->exponent),
                           .area = sum->area * g->full_area,
                           .weight_fades = true};
    add_point(g, s);
}

void fnd_ground_add_sum(fnd_ground *g, int32_t triangle) { add_one(g, &g->sum, g->at->normal, triangle, ALL_FACES); }

void fnd_ground_add_points(fnd_ground *g, const fnd_ground_part *part)
{
    assert(part->moments.area > 0 && fnd_is_unit(part->normal));
    const fender_vec3 origin = part->origin, e1 = part->e1, e2 = part->e2, n = part->normal;
    fender_vec2 points[4];
    fnd_area_points(&part->moments, points);
    const fnd_area_moments *m = &part->moments;
    double factor = part->counted / g->full_area, weight = 0.25 * factor * m->area, least = INFINITY;
    fender_vec3 center = fender_vec3_add_scaled(fender_vec3_add_scaled(origin, m->x, e1), m->y, e2);
    double slope_x = -fender_vec3_dot(n, e1), slope_y = -fender_vec3_dot(n, e2);
    double middle = part->offset - fender_vec3_dot(n, center);
    for (int k = 0; k < 4; k++) {
        double depth = middle + (slope_x * (points[k].x - m->x) + slope_y * (points[k].y - m->y));
        least = depth < least ? depth : least;
    }
    if (least < -1e-12 * middle) { /* not convex: cells of one plane that overlap at a corner */
        double x = slope_x * m->xx + slope_y * m->xy, y = slope_x * m->xy + slope_y * m->yy;
        if (g->exponent != 1) {
            const fnd_power_part *powers = &part->powers;
            fender_vec3 first = fender_vec3_add_scaled(fender_vec3_scale(powers->force, origin), powers->x, e1);
            first = fender_vec3_scale(factor, fender_vec3_add_scaled(first, powers->y, e2));
            const fnd_ground_sum all = {factor * m->area, factor * powers->force, factor * powers->energy, first};
            add_one(g, &all, n, part->plane, part->face);
            return;
        }
        fnd_ground_sum sum = {factor * m->area, factor * m->area * middle,
                              factor * (m->area * middle * middle + slope_x * x + slope_y * y),
                              fender_vec3_scale(factor * m->area * middle, center)};
        sum.first = fender_vec3_add_scaled(fender_vec3_add_scaled(sum.first, factor * x, e1), factor * y, e2);
        add_one(g, &sum, n, part->plane, part->face);
        return;
    }
    double depths[4], denser = 1;
    if (g->exponent != 1) {
        const double at_origin = middle - (slope_x * m->x + slope_y * m->y);
        denser = fnd_power_fit_points(&part->powers, m->area, slope_x, slope_y, at_origin, points, depths);
    }
    for (int k = 0; k < 4; k++) {
        fender_vec3 x = fender_vec3_add_scaled(origin, points[k].x, e1);
        x = fender_vec3_add_scaled(x, points[k].y, e2);
        const double depth = g->exponent != 1 ? depths[k] : part->offset - fender_vec3_dot(n, x);
        if (!(depth >= 0) || !(weight > 0)) continue; /* on the border: of no force, but of the patch */
        fender_separation s = {.distance = -depth,
                               .point_b = fender_vec3_add_scaled(x, -g->swept, n),
                               .normal = n,
                               .feature = fnd_patch_face_feature(part->plane, part->face, k),
                               .weight = weight * denser,
                               .area = weight * g->full_area,
                               .index = k,
                               .weight_fades = true};
        add_point(g, s);
    }
}

/* Most that a point may be tilted (tangent): what asks for more is about to have no area at all. */
#define LARGEST_TILT 1e3
/* Most that points are moved sideways, in depths: what asks for more is stated as a moment. Dampers and friction act
 * where the points are. */
#define LARGEST_SHIFT 4
/* No half of a point leaves the solids: parts of the size of the whole face. */
#define LARGEST_ARM 1.0

/* Over the stiffness: weight times depth^n. */
static double force_of(const fnd_ground *g, const fender_separation *s)
{
    return s->weight * fnd_power_of_depth(-s->distance, g->exponent);
}

typedef struct sums {
    double force, deepest, twist; /* twist: moment of inertia of the points about the common direction */
    fender_vec3 total, center;    /* force with directions; force-weighted mean of places */
} sums;

static fender_vec3 place(const fender_separation *s)
{
    return fender_vec3_add_scaled(s->point_b, -0.5 * s->distance, s->normal);
}

static sums sum_up(const fnd_ground *g)
{
    sums s = {0};
    for (int i = g->first; i < g->out->count; i++) {
        const fender_separation *c = &g->out->items[i];
        const double f = force_of(g, c);
        s.force += f;
        s.total = fender_vec3_add_scaled(s.total, f, c->normal);
        if (-c->distance > s.deepest) s.deepest = -c->distance;
    }
    if (!(s.force > 0)) return s;
    fender_vec3 from = place(&g->out->items[g->first]);
    for (int i = g->first; i < g->out->count; i++) {
        const fender_separation *c = &g->out->items[i];
        s.center = fender_vec3_add_scaled(s.center, force_of(g, c) / s.force, fender_vec3_sub(place(c), from));
    }
    s.center = fender_vec3_add(s.center, from);
    return s;
}

static fender_vec3 at_most(fender_vec3 v, double limit)
{
    assert(!(limit < 0));
    double length = fender_vec3_length(v);
    return length > limit ? fender_vec3_scale(limit / length, v) : v;
}

static void rotate_to_world(fnd_ground *g)
{
    const fnd_surface_view *view = g->view;
    fender_vec3 origin = fender_vec3_sub(view->b->p_WG, view->a->p_WG);
    for (int i = g->first; i < g->out->count; i++) {
        fender_separation *s = &g->out->items[i];
        s->normal = fender_mat3_times(&view->b->R_WG, s->normal);
        s->normal = fender_vec3_scale(1 / fender_vec3_length(s->normal), s->normal);
        s->point_b = fender_vec3_add(origin, fender_mat3_times(&view->b->R_WG, s->point_b));
        s->point_a = fender_vec3_add_scaled(s->point_b, -s->distance, s->normal);
    }
    if (!(g->corner_depth > 0) || g->out->count == g->first) return;
    fender_vec3 normal = fender_mat3_times(&view->b->R_WG, g->corner_normal);
    normal = fender_vec3_scale(1 / fender_vec3_length(normal), normal);
    fender_vec3 place = fender_vec3_add(origin, fender_mat3_times(&view->b->R_WG, g->corner));
    fnd_manifold_add_point(g->out, g->corner_depth, fender_vec3_add_scaled(place, -g->swept, normal), normal);
}

/* A point with this part of the force has no others to twist about. */
#define ALONE 0.9

/* The point that has nearly all of the force, unless the name of a second one is taken; NULL: there is none. */
static fender_separation *find_alone(const fnd_ground *g)
{
    fender_separation *one = NULL;
    double sum = 0, most = 0;
    for (int i = g->first; i < g->out->count; i++) {
        fender_separation *s = &g->out->items[i];
        const double force = force_of(g, s);
        sum += force;
        if (!(force > most)) continue;
        most = force;
        one = s;
    }
    if (!one || !(most > ALONE * sum)) return NULL;
    for (int i = g->first; i < g->out->count; i++)
        if (g->out->items[i].feature == one->feature + 1) return NULL;
    return one;
}

/* A point alone cannot twist: two halves of it can. */
static void divide(fnd_ground *g)
{
    if (g->beside.force.x == 0 && g->beside.force.y == 0 && g->beside.force.z == 0) return;
    fender_separation *one = find_alone(g);
    if (!one) return;
    fender_vec3 point = one->point_b,
                about = fender_vec3_sub(g->beside.moment, fender_vec3_cross(point, g->beside.force));
    double twist = fabs(fender_vec3_dot(about, one->normal)),
           area = one->area > 0 ? one->area : one->weight * g->full_area, length = 0.25 * sqrt(area);
    const double force = force_of(g, one);
    if (2 * twist > length * force) length = 2 * twist / force;
    double most = LARGEST_ARM * sqrt(g->full_area);
    fender_vec3 arm = fender_vec3_scale(length < most ? length : most, fnd_any_tangent(one->normal));
    one->weight *= 0.5;
    one->area *= 0.5;
    fender_separation other = *one;
    one->point_b = fender_vec3_add(point, arm);
    other.point_b = fender_vec3_sub(point, arm);
    other.feature++;
    other.index++;
    fnd_manifold_add(g->out, other);
}

void fnd_ground_balance(fnd_ground *g)
{
    assert(g->first >= 0 && g->first <= g->out->count);
    fnd_drop_specks(g->out, g->first);
    divide(g);
    sums s = sum_up(g);
    if (!(s.force > 0)) {
        rotate_to_world(g);
        return;
    }
    fender_vec3 tilt = at_most(fender_vec3_scale(1 / s.force, g->beside.force), LARGEST_TILT);
    fender_vec3 force = fender_vec3_add_scaled(s.total, s.force, tilt);
    double square = fender_vec3_dot(force, force);
    if (!(square > 0)) { /* opposite walls: nothing to lean on */
        rotate_to_world(g);
        return;
    }
    fender_vec3 along = fender_vec3_scale(1 / sqrt(square), force);
    fender_vec3 moment = fender_vec3_add(g->beside.moment, g->beside.inertia);
    moment = fender_vec3_add_scaled(moment, -s.force, fender_vec3_cross(s.center, tilt));
    double inertia = 0, farthest = 0;
    fender_vec3 skew = {0, 0, 0}; /* what a twist does across the direction */
    for (int i = g->first; i < g->out->count; i++) {
        const fender_separation *c = &g->out->items[i];
        const double f = force_of(g, c);
        fender_vec3 arm = fender_vec3_sub(place(c), s.center);
        double high = fender_vec3_dot(arm, along);
        arm = fender_vec3_add_scaled(arm, -high, along);
        double distance = fender_vec3_dot(arm, arm);
        inertia += f * distance;
        if (distance > farthest) farthest = distance;
        skew = fender_vec3_add_scaled(skew, -f * high, arm);
    }
    double twist = fender_vec3_dot(moment, along), most = farthest > 0 ? LARGEST_TILT / sqrt(farthest) : 0;
    twist = inertia > 0 ? twist / inertia : 0;
    twist = twist > most ? most : twist < -most ? -most : twist;
    moment = fender_vec3_add_scaled(moment, -twist, skew);
    const fender_vec3 whole = fender_vec3_scale(1 / square, fender_vec3_cross(force, moment));
    const fender_vec3 shift = at_most(whole, LARGEST_SHIFT * s.deepest);
    const fender_vec3 rest = fender_vec3_cross(fender_vec3_sub(whole, shift), force);
    double energy = 0;
    for (int i = g->first; i < g->out->count; i++) {
        fender_separation *c = &g->out->items[i];
        fender_vec3 middle = place(c), arm = fender_vec3_sub(middle, s.center);
        fender_vec3 pull = fender_vec3_add(c->normal, tilt);
        pull = fender_vec3_add_scaled(pull, twist, fender_vec3_cross(along, arm));
        double part = fender_vec3_length(pull);
        if (part > 0.01) {
            c->normal = fender_vec3_scale(1 / part, pull);
            c->distance /= part;
            c->weight *= g->exponent == 1 ? part * part : fnd_power(part, g->exponent + 1);
        }
        c->point_b = fender_vec3_add_scaled(fender_vec3_add(middle, shift), 0.5 * c->distance, c->normal);
        energy -= g->half * force_of(g, c) * c->distance;
    }
    if (energy > 0 && (rest.x != 0 || rest.y != 0 || rest.z != 0)) {
        const fender_vec3 turn = fender_mat3_times(&g->view->b->R_WG, fender_vec3_scale(1 / energy, rest));
        for (int i = g->first; i < g->out->count; i++)
            g->out->items[i].turn = fender_vec3_add(g->out->items[i].turn, turn);
    }
    rotate_to_world(g);
}

void fnd_ground_keep_deepest(fnd_ground *g)
{
    assert(g->one && g->out->count == g->first + 1);
    rotate_to_world(g);
    fender_separation *one = &g->out->items[g->first], deepest = *one;
    if (g->corner_depth > 0 && !fnd_is_doubtful(g->corner_depth, &g->sums)) deepest = g->out->deepest;
    *one = fnd_single(deepest.distance, deepest.point_a, deepest.point_b, deepest.normal, 0);
}

void fnd_patch_push(const fnd_posed *a, const fnd_posed *b, const fnd_patch_wrench *push, int first, fnd_manifold *out)
{
    assert(first >= 0 && first <= out->count);
    const fnd_surface_view view = {.a = a, .b = b};
    const fender_vec3 origin = fender_vec3_sub(b->p_WG, a->p_WG);
    fnd_ground g;
    g.view = &view;
    g.out = out;
    g.first = first;
    g.exponent = out->exponent > 1 ? out->exponent : 1;
    g.half = 1 / (g.exponent + 1);
    g.one = false;
    g.swept = g.corner_depth = 0;
    g.full_area = a->geometry->patch_area < b->geometry->patch_area ? a->geometry->patch_area : b->geometry->patch_area;
    g.beside.force = fender_mat3_transpose_times(&b->R_WG, push->force);
    g.beside.moment = fender_mat3_transpose_times(&b->R_WG, push->moment);
    g.beside.inertia = fender_vec3_make(0, 0, 0);
    for (int i = first; i < out->count; i++) {
        fender_separation *s = &out->items[i];
        s->normal = fender_mat3_transpose_times(&b->R_WG, s->normal);
        s->point_b = fender_mat3_transpose_times(&b->R_WG, fender_vec3_sub(s->point_b, origin));
    }
    fnd_ground_balance(&g);
}
