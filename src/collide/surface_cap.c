/* Caps of disks and cylinders as faces of patches. */
#include "collide/surface_cap.h"

#include "math/elementary.h"

/* Cosine up to which a cap does not count, and from which all of it does: 60 and 37 degrees. */
#define NONE 0.5
#define ALL  0.8

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

void fnd_cap_begin(fnd_section *section, const fnd_turned *turned)
{
    (void)fnd_section_of_turned(section, turned, fender_vec3_make(0, 0, 1), 0);
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
static double clip(double w, double *t)
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
    double w2 = square, w = sqrt(square), s = clip(w, &t), z = clip(w, &end);
    double arc = signed_angle(end * s - t * z, s * z + t * end), product = end * z - t * s;
    double turn_cosine = y * y * s * z + radius * radius * t * end, turn_sine = y * radius * (s * end - z * t);
    double rest = signed_angle(across * turn_cosine - cosine * turn_sine, cosine * turn_cosine + across * turn_sine);
    *along = (0.25 * (end * z * z * z - t * s * s * s) + 0.375 * w2 * (product + w2 * arc)) / 3;
    return (radius * radius * radius * rest + y * ((radius * radius + 0.5 * w2) * arc + 0.5 * product)) / 3;
}

/* By triangles from the axis to each edge, and by Gauss' theorem: the dome times place is a gradient. */
void fnd_cap_dome(double radius, const fender_vec3 *corners, int count, double sums[3])
{
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
    const fnd_turned *turned = section->turned;
    fender_vec3 corners[FND_CUT_CORNERS];
    double sums[3];
    for (int i = 0; i < part->count; i++) corners[i] = point_of(cap, part->corners[i].x, part->corners[i].y);
    fnd_cap_dome(turned->radius, corners, part->count, sums);
    *sum += turned->h0 * sums[0];
    *first = fender_vec3_add(*first,
                             fender_vec3_scale(turned->h0, (fender_vec3){sums[1], sums[2], sums[0] * cap->origin.z}));
}

/* Integrals from 0 to t of s, s t and s t^2 with s = sqrt(w^2 - t^2). */
static void roots(double w, double t, double sums[3])
{
    t = t > w ? w : t < -w ? -w : t;
    double square = (w - t) * (w + t), s = sqrt(square > 0 ? square : 0), angle = fnd_angle(fabs(t), s);
    double area = 0.5 * (t * s + w * w * (t < 0 ? -angle : angle));
    sums[0] = area;
    sums[1] = -s * s * s / 3;
    sums[2] = 0.25 * (w * w * area - t * s * s * s);
}

double fnd_cap_edge(const fnd_turned *turned, const fender_vec3 ends[2], const double heights[2], fender_vec3 *first)
{
    const fender_vec3 from = ends[0], way = fender_vec3_sub(ends[1], from);
    double length = sqrt(way.x * way.x + way.y * way.y), low[3], high[3];
    *first = fender_vec3_make(0, 0, 0);
    if (!(length > 0)) return 0;
    double dx = way.x / length, dy = way.y / length, start = dx * from.x + dy * from.y,
           away = dx * from.y - dy * from.x;
    double radius = turned->radius, square = (radius - away) * (radius + away);
    if (!(square > 0)) return 0;
    double w = sqrt(square), slope = (heights[1] - heights[0]) / length, height = heights[0] - slope * start;
    roots(w, start, low); /* from the foot of the axis on */
    roots(w, start + length, high);
    for (int k = 0; k < 3; k++) high[k] = turned->h0 * (high[k] - low[k]);
    double sum = height * high[0] + slope * high[1], along = height * high[1] + slope * high[2];
    *first = fender_vec3_scale(sum, fender_vec3_add_scaled(from, -start / length, way));
    *first = fender_vec3_add_scaled(*first, along / length, way);
    return sum;
}

double fnd_cap_side(const fnd_section *section, const fnd_ground_face *cap, const fnd_cut *part, int i, bool level,
                    fender_vec3 *first)
{
    const fnd_cut_corner *p = &part->corners[i], *q = &part->corners[i + 1 < part->count ? i + 1 : 0];
    const fender_vec3 ends[2] = {point_of(cap, p->x, p->y), point_of(cap, q->x, q->y)};
    const double heights[2] = {level ? 1 : p->depth, level ? 1 : q->depth};
    return fnd_cap_edge(section->turned, ends, heights, first);
}
