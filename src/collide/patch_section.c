/* Solids with a pressure inside them cut by a plane (docs/models/contact_patches.md).
 *
 * Integrals over u are in closed form, from the left edge of the triangle to the right one, or to the border of the cut
 * where that comes first; those over v by Gauss' rule, with the square roots at the ends taken away by a change of
 * variable.
 *
 * Energy: with a field W whose divergence is the pressure, and which has no flux through the solid's skin, the integral
 * of the pressure over what lies behind is the flux of W through the cut. W points away from the axis, where it has a
 * source of 2 pi h radius^3 / 3 per length to be counted for what lies behind of the axis. That field is awkward near
 * the axis: for a solid that stands on an end there are two along the axis, which are 0 at that end. */
#include "collide/patch_section.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include <assert.h>
#include <math.h>
#include <stddef.h>

#define PI 3.14159265358979323846

/* ---- primitives in u ---- */

/* s: sqrt(w^2 - u^2), for half width w at v. */
static void primitive(const fnd_section *g, double u, double v, double s, double sums[FND_SUMS])
{
    const fnd_rotated *t = g->rotated;
    double a = g->a0 + g->a1 * v, b = g->b0 + g->b1 * v, square = a * b, radius = t->radius;
    double y = 0.5 * (b - a), z = g->height + g->slope * v, h = t->h0;
    double away = y < 0 ? -y : y, sign = y < 0 ? -1 : 1, half = u < 0 ? -0.5 * PI : 0.5 * PI, angle = half, rest = 0;
    double product = u * s, gap = radius - away;
    if (s > 0) {
        angle = fnd_angle(fabs(u), s);
        rest = fnd_angle(fabs(gap * product), radius * u * u + away * s * s);
        if (u < 0) angle = -angle, rest = -rest;
    }
    double dome = 0.5 * (product + square * angle), p = dome * h, pu = -s * s * s / 3 * h;
    double puu = h * (0.125 * square * (product + square * angle) - 0.25 * product * s * s);
    /* both terms of the field together, without what cancels near the skin */
    double field = 0.5 * gap * gap * (2 * radius + away) * angle + radius * radius * radius * rest -
                   0.5 * away * product;
    sums[FND_SUM_P] = p;
    sums[FND_SUM_PU] = pu;
    sums[FND_SUM_PV] = p * v;
    sums[FND_SUM_PUU] = puu;
    sums[FND_SUM_PUV] = pu * v;
    sums[FND_SUM_PVV] = p * v * v;
    sums[FND_SUM_ENERGY] = -sign * g->slope / 3 * h * field;
    sums[FND_SUM_LOW] = g->sine * p * (z - t->low);
    sums[FND_SUM_HIGH] = g->sine * p * (z - t->high);
}

/* ---- between two edges ---- */

/* An edge over a span of v: u = from + t way, and (half width)^2 - u^2 = c0 + c1 t + c2 t^2. */
typedef struct edge {
    double from, way, c0, c1, c2, roots[2];
    int count;
} edge;

/* v from `v` to v + rise, t from 0 to 1; half width: the root of (a0 + a1 t) (b0 + b1 t). */
typedef struct span {
    const fnd_section *section;
    double v, rise, a0, a1, b0, b1, low, high;
    edge edges[2]; /* left and right */
} span;

/* The primitive at an edge, or where the cut ends before it. */
static void add_at(const span *s, double t, const edge *e, int side, double weight, double sums[FND_SUMS])
{
    double u = e->from + t * e->way, v = s->v + t * s->rise, root = 0, part[FND_SUMS];
    double a = s->a0 + t * s->a1, b = s->b0 + t * s->b1, square = a > 0 && b > 0 ? a * b : 0;
    if (side == 0) {
        double rest = square - u * u;
        root = rest > 0 ? sqrt(rest) : 0;
    } else {
        u = side * sqrt(square);
    }
    primitive(s->section, u, v, root, part);
    for (int i = 0; i < FND_SUMS; i++) sums[i] += weight * part[i];
}

/* From `from` to `to` along t, with a square root that begins at `root` (INFINITY: none near), not beyond `from`. */
static void add_half(const span *s, double from, double to, double root, const int sides[2], double sums[FND_SUMS])
{
    static const double at[4] = {0.18343464249564980494, 0.52553240991632898582, 0.79666647741362673959,
                                 0.96028985649753623168};
    static const double weights[4] = {0.36268378337836198297, 0.31370664587788728734, 0.22238103445337447054,
                                      0.10122853629037625915};
    bool straight = !(fabs(from - root) < fabs(to - from));
    double sign = to < from ? -1 : 1;
    double first = straight ? from : sqrt(fabs(from - root)), last = straight ? to : sqrt(fabs(to - root));
    double middle = 0.5 * (first + last), half = 0.5 * (last - first);
    for (int k = 0; k < 8; k++) {
        double x = middle + (k < 4 ? -half : half) * at[k & 3], weight = weights[k & 3] * half * s->rise;
        double t = straight ? x : root + sign * x * x;
        if (!straight) weight *= 2 * sign * x;
        add_at(s, t, &s->edges[0], sides[0], -weight, sums);
        add_at(s, t, &s->edges[1], sides[1], weight, sums);
    }
}

static void clip(double c0, double c1, double *low, double *high)
{
    double t = -c0 / c1;
    if (c1 > 0 && t > *low) *low = t;
    if (c1 < 0 && t < *high) *high = t;
    if (c1 == 0 && c0 < 0) *high = *low;
}

static edge set_edge(const span *s, double from, double to)
{
    edge e = {.from = from, .way = to - from};
    e.c2 = s->a1 * s->b1 - e.way * e.way;
    e.c1 = s->a0 * s->b1 + s->a1 * s->b0 - 2 * e.from * e.way;
    e.c0 = s->a0 * s->b0 - e.from * e.from;
    double b = 0.5 * e.c1, square = b * b - e.c0 * e.c2;
    if (!(square > 0)) return e;
    double q = -(b + (b < 0 ? -sqrt(square) : sqrt(square)));
    e.roots[0] = e.c0 / q;
    e.roots[1] = q / e.c2; /* may be infinite */
    e.count = 2;
    return e;
}

static double nearest_root(const double *roots, int count, double from, double to)
{
    double best = INFINITY;
    for (int i = 0; i < count; i++) {
        bool outside = to > from ? roots[i] <= from : roots[i] >= from;
        if (outside && fabs(roots[i] - from) < fabs(best - from)) best = roots[i];
    }
    return best;
}

enum { STOPS = 7 };
/* Where an edge enters or leaves the cut, and where the axis is nearest: increasing, with both ends. */
static int find_stops(const span *s, double stops[STOPS])
{
    double axis = (s->a0 - s->b0) / (s->b1 - s->a1), all[5] = {axis, -1, -1, -1, -1};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < s->edges[k].count; i++) all[1 + 2 * k + i] = s->edges[k].roots[i];
    int count = 0;
    stops[count++] = s->low;
    for (int i = 0; i < 5; i++) {
        if (!(all[i] > s->low && all[i] < s->high)) continue;
        int at = count++;
        for (; at > 1 && stops[at - 1] > all[i]; at--) stops[at] = stops[at - 1];
        stops[at] = all[i];
    }
    stops[count] = s->high;
    return count;
}

static bool add_span(span *s, double left, double left_end, double right, double right_end, double sums[FND_SUMS])
{
    const fnd_section *g = s->section;
    s->a0 = g->a0 + g->a1 * s->v;
    s->b0 = g->b0 + g->b1 * s->v;
    s->a1 = g->a1 * s->rise;
    s->b1 = g->b1 * s->rise;
    s->low = 0;
    s->high = 1;
    clip(s->a0, s->a1, &s->low, &s->high);
    clip(s->b0, s->b1, &s->low, &s->high);
    clip(s->v - g->low, s->rise, &s->low, &s->high);
    clip(g->high - s->v, -s->rise, &s->low, &s->high);
    if (!(s->low < s->high)) return false;
    s->edges[0] = set_edge(s, left, left_end);
    s->edges[1] = set_edge(s, right, right_end);
    double stops[STOPS];
    int pieces = find_stops(s, stops);
    bool any = false;
    for (int i = 0; i < pieces; i++) {
        double from = stops[i], to = stops[i + 1], t = 0.5 * (from + to), roots[4], back[FND_SUMS] = {0};
        int sides[2], count = 0;
        for (int k = 0; k < 2; k++) {
            const edge *e = &s->edges[k];
            bool inside = e->c0 + t * (e->c1 + t * e->c2) > 0;
            sides[k] = inside ? 0 : e->from + t * e->way < 0 ? -1 : 1;
            if (!inside) continue; /* smooth */
            for (int j = 0; j < 2; j++) roots[count++] = e->roots[j];
        }
        if (sides[0] == sides[1] && sides[0] != 0) continue; /* both beside the cut */
        any = true;
        if (!sums) break;
        if (count == 0) {
            add_half(s, from, to, INFINITY, sides, sums);
            continue;
        }
        add_half(s, from, t, nearest_root(roots, count, from, t), sides, sums);
        add_half(s, to, t, nearest_root(roots, count, to, t), sides, back);
        for (int k = 0; k < FND_SUMS; k++) sums[k] -= back[k];
    }
    return any;
}

static void flatten(const fnd_section *g, const fender_vec3 corners[3], fender_vec2 out[3])
{
    for (int i = 0; i < 3; i++) {
        fender_vec3 d = fender_vec3_sub(corners[i], g->origin);
        out[i] = (fender_vec2){fender_vec3_dot(g->of_u, d), fender_vec3_dot(g->of_v, d)};
    }
}

bool fnd_section_add(const fnd_section *g, const fender_vec3 corners[3], double sums[FND_SUMS])
{
    assert(g->rotated);
    fender_vec2 p[3];
    flatten(g, corners, p);
    if (p[0].x >= g->widest && p[1].x >= g->widest && p[2].x >= g->widest) return false;
    if (p[0].x <= -g->widest && p[1].x <= -g->widest && p[2].x <= -g->widest) return false;
    for (int i = 1; i < 3; i++) /* increasing v */
        for (int k = i; k > 0 && p[k].y < p[k - 1].y; k--) {
            fender_vec2 other = p[k];
            p[k] = p[k - 1];
            p[k - 1] = other;
        }
    double height = p[2].y - p[0].y;
    if (!(height > 0)) return false;
    double across = p[0].x +
                    (p[1].y - p[0].y) / height * (p[2].x - p[0].x); /* of the long edge, at the middle corner */
    bool right = across > p[1].x;
    double left_x = right ? p[1].x : across, right_x = right ? across : p[1].x;
    span lower = {.section = g, .v = p[0].y, .rise = p[1].y - p[0].y};
    span upper = {.section = g, .v = p[1].y, .rise = p[2].y - p[1].y};
    bool any = lower.rise > 0 && add_span(&lower, p[0].x, left_x, p[0].x, right_x, sums);
    return (upper.rise > 0 && add_span(&upper, left_x, p[2].x, right_x, p[2].x, sums)) || any;
}

/* ---- solids ---- */

bool fnd_section_of_rotated(fnd_section *g, const fnd_rotated *solid, fender_vec3 n, double offset)
{
    assert(fnd_is_unit(n));
    assert(!(solid->low > solid->high));
    double slope = sqrt(n.x * n.x + n.y * n.y);
    fender_vec3 m = {1, 0, 0}; /* the way of n across the axis */
    if (slope > 1e-15) m = fender_vec3_make(n.x / slope, n.y / slope, 0);
    else slope = 0;
    *g = (fnd_section){.normal = n,
                       .origin = fender_vec3_scale(offset, n),
                       .axis_u = {-m.y, m.x, 0},
                       .axis_v = {-n.z * m.x, -n.z * m.y, slope},
                       .area = 1,
                       .sine = n.z,
                       .rotated = solid,
                       .height = offset * n.z,
                       .slope = slope};
    g->of_u = g->axis_u;
    g->of_v = g->axis_v;
    double y = offset * slope;
    g->a0 = solid->radius - y;
    g->b0 = solid->radius + y;
    g->a1 = n.z;
    g->b1 = -n.z;
    g->low = slope > 0 ? (solid->low - g->height) / slope : -INFINITY;
    g->high = slope > 0 ? (solid->high - g->height) / slope : INFINITY;
    if (slope == 0 && !(g->height > solid->low && g->height < solid->high)) return false;
    g->widest = solid->radius;
    double low = g->low, high = g->high;
    clip(g->a0, g->a1, &low, &high);
    clip(g->b0, g->b1, &low, &high);
    return low < high;
}

bool fnd_section_axis(const fnd_section *g, const fender_vec3 corners[3], double *z)
{
    assert(g->rotated);
    if (g->sine == 0) return false;
    fender_vec2 p[3];
    flatten(g, corners, p);
    double v = (g->a0 - g->b0) / (g->b1 - g->a1);
    *z = g->height + g->slope * v;
    for (int i = 0; i < 3; i++) {
        fender_vec2 q = p[i < 2 ? i + 1 : 0];
        if ((q.x - p[i].x) * (v - p[i].y) + (q.y - p[i].y) * p[i].x < 0) return false;
    }
    return true;
}

double fnd_rotated_energy(const fnd_rotated *t, double z)
{
    return 2 * PI / 3 * t->h0 * t->radius * t->radius * t->radius * (z - t->low);
}

/* ---- Caps ---- */

/* Cosine from which on all of a cap counts: 37 degrees. */
#define NONE FND_CAP_STEEP
#define ALL  FND_CAP_FLAT

/* Twice differentiable, from 0 to 1. */
double fnd_cap_lying(double down, double *derivative)
{
    double x = (down - NONE) / (ALL - NONE), rest = 1 - x;
    *derivative = 0;
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    *derivative = 30 * x * x * rest * rest / (ALL - NONE);
    return x * x * x * (10 - x * (15 - 6 * x));
}

double fnd_cap_counted(double down, double *derivative)
{
    double slope, part = fnd_cap_lying(down, &slope);
    *derivative = part + down * slope;
    return part * down;
}

double fnd_cap_columns(double down, double *derivative)
{
    double slope, part = fnd_cap_lying(down, &slope);
    *derivative = 0;
    if (!(part > 0)) return 0;
    *derivative = (slope - part / down) / down;
    return part / down;
}

double fnd_cap_upright(double down, double *derivative)
{
    double part = fnd_cap_lying(fabs(down), derivative);
    *derivative = down < 0 ? *derivative : -*derivative;
    return 1 - part;
}

void fnd_cap_begin(fnd_section *section, const fnd_rotated *rotated)
{
    (void)fnd_section_of_rotated(section, rotated, fender_vec3_make(0, 0, 1), 0);
}

static fender_vec3 point_of(const fnd_ground_face *cap, double x, double y)
{
    return fender_vec3_add_scaled(fender_vec3_add_scaled(cap->origin, x, cap->e1), y, cap->e2);
}

static double signed_angle(double sine, double cosine)
{
    double angle = fnd_angle(fabs(sine), cosine);
    return sine < 0 ? -angle : angle;
}

/* Where an edge leaves the circle: t and sqrt(w^2 - t^2). */
static double leave_circle(double w, double *t)
{
    *t = *t > w ? w : *t < -w ? -w : *t;
    double square = (w - *t) * (w + *t);
    return sqrt(square > 0 ? square : 0);
}

/* An edge at a distance y from the axis, from t to end along it. With w^2 = R^2 - y^2 inside the circle: the integral
 * of (R^3 - (R^2 - r^2)^1.5) / 3 over the angle from the axis, and that of (R^2 - r^2)^1.5 / 3 along the edge. Angles
 * at both ends are taken together, for each costs more than all the rest. */
static double edge_sum(double radius, double y, double t, double end, double *along)
{
    double across = y * (end - t), square = (radius - y) * (radius + y), cosine = y * y + t * end;
    *along = 0;
    if (!(square > 0)) return radius * radius * radius / 3 * signed_angle(across, cosine);
    double w2 = square, w = sqrt(square), s = leave_circle(w, &t), z = leave_circle(w, &end);
    double arc = signed_angle(end * s - t * z, s * z + t * end), product = end * z - t * s;
    double turn_cosine = y * y * s * z + radius * radius * t * end, turn_sine = y * radius * (s * end - z * t);
    double rest = signed_angle(across * turn_cosine - cosine * turn_sine, cosine * turn_cosine + across * turn_sine);
    *along = (0.25 * (end * z * z * z - t * s * s * s) + 0.375 * w2 * (product + w2 * arc)) / 3;
    return (radius * radius * radius * rest + y * ((radius * radius + 0.5 * w2) * arc + 0.5 * product)) / 3;
}

/* By triangles from the axis to each edge, and by Gauss' theorem: the dome times place is a gradient. */
void fnd_cap_dome(double radius, const fender_vec3 *corners, int count, double sums[3])
{
    assert(count >= 0);
    sums[0] = sums[1] = sums[2] = 0;
    for (int i = 0; i < count; i++) {
        const fender_vec3 *p = &corners[i], *q = &corners[i + 1 < count ? i + 1 : 0];
        double dx = q->x - p->x, dy = q->y - p->y, length = sqrt(dx * dx + dy * dy), along;
        if (!(length > 0)) continue;
        dx /= length;
        dy /= length;
        double from = dx * p->x + dy * p->y, away = p->x * dy - p->y * dx;
        double sum = edge_sum(radius, fabs(away), from, from + length, &along);
        sums[0] += away < 0 ? -sum : sum;
        sums[1] -= along * dy;
        sums[2] += along * dx;
    }
    if (sums[0] < 0) /* clockwise */
        for (int k = 0; k < 3; k++) sums[k] = -sums[k];
}

void fnd_cap_add_part(const fnd_section *section, const fnd_ground_face *cap, const fnd_cut *part, double *sum,
                      fender_vec3 *first)
{
    assert(part->count >= 0 && part->count <= FND_CUT_CORNERS);
    const fnd_rotated *rotated = section->rotated;
    fender_vec3 corners[FND_CUT_CORNERS];
    double sums[3];
    for (int i = 0; i < part->count; i++) corners[i] = point_of(cap, part->corners[i].x, part->corners[i].y);
    fnd_cap_dome(rotated->radius, corners, part->count, sums);
    *sum += rotated->h0 * sums[0];
    *first = fender_vec3_add(*first,
                             fender_vec3_scale(rotated->h0, (fender_vec3){sums[1], sums[2], sums[0] * cap->origin.z}));
}

/* Integrals from 0 to t of s, s t and s t^2 with s = sqrt(w^2 - t^2). */
static void roots(double w, double t, double sums[3])
{
    assert(!(w < 0));
    t = t > w ? w : t < -w ? -w : t;
    double square = (w - t) * (w + t), s = sqrt(square > 0 ? square : 0), angle = fnd_angle(fabs(t), s);
    double area = 0.5 * (t * s + w * w * (t < 0 ? -angle : angle));
    sums[0] = area;
    sums[1] = -s * s * s / 3;
    sums[2] = 0.25 * (w * w * area - t * s * s * s);
}

double fnd_cap_edge(const fnd_rotated *rotated, const fender_vec3 ends[2], const double heights[2], fender_vec3 *first)
{
    const fender_vec3 from = ends[0], way = fender_vec3_sub(ends[1], from);
    double length = sqrt(way.x * way.x + way.y * way.y), low[3], high[3];
    *first = fender_vec3_make(0, 0, 0);
    if (!(length > 0)) return 0;
    double dx = way.x / length, dy = way.y / length, start = dx * from.x + dy * from.y,
           away = dx * from.y - dy * from.x;
    double radius = rotated->radius, square = (radius - away) * (radius + away);
    if (!(square > 0)) return 0;
    double w = sqrt(square), slope = (heights[1] - heights[0]) / length, height = heights[0] - slope * start;
    roots(w, start, low); /* from the foot of the axis on */
    roots(w, start + length, high);
    for (int k = 0; k < 3; k++) high[k] = rotated->h0 * (high[k] - low[k]);
    double sum = height * high[0] + slope * high[1], along = height * high[1] + slope * high[2];
    *first = fender_vec3_scale(sum, fender_vec3_add_scaled(from, -start / length, way));
    *first = fender_vec3_add_scaled(*first, along / length, way);
    return sum;
}

double fnd_cap_side(const fnd_section *section, const fnd_ground_face *cap, const fnd_cut *part, int i, bool level,
                    fender_vec3 *first)
{
    assert(i >= 0 && i < part->count);
    const fnd_cut_corner *p = &part->corners[i], *q = &part->corners[i + 1 < part->count ? i + 1 : 0];
    const fender_vec3 ends[2] = {point_of(cap, p->x, p->y), point_of(cap, q->x, q->y)};
    const double heights[2] = {level ? 1 : p->depth, level ? 1 : q->depth};
    return fnd_cap_edge(section->rotated, ends, heights, first);
}
