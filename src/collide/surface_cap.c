/* Caps of disks and cylinders as faces of patches. */
#include "collide/surface_cap.h"

#include "math/elementary.h"

/* Cosine up to which a cap does not count, and from which all of it does: 60 and 37 degrees. */
#define NONE 0.5
#define ALL  0.8

/* Twice differentiable, from 0 to 1. */
static double lying(double down, double *derivative)
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
    double slope, part = lying(down, &slope);
    *derivative = part + down * slope;
    return part * down;
}

double fnd_cap_columns(double down, double *derivative)
{
    double slope, part = lying(down, &slope);
    *derivative = 0;
    if (!(part > 0)) return 0;
    *derivative = (slope - part / down) / down;
    return part / down;
}

double fnd_cap_upright(double down, double *derivative)
{
    double part = lying(fabs(down), derivative);
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

void fnd_cap_add_part(const fnd_section *section, const fnd_ground_face *cap, const fnd_cut *part, double *sum,
                      fender_vec3 *first)
{
    double sums[FND_SUMS] = {0};
    fender_vec3 corners[3];
    for (int i = 0; i < part->count; i++) {
        int at = i < 2 ? i : 2;
        if (i > 2) corners[1] = corners[2];
        corners[at] = point_of(cap, part->corners[i].x, part->corners[i].y);
        corners[at].z = 0;
        if (at == 2) (void)fnd_section_add(section, corners, sums);
    }
    *sum += sums[FND_SUM_P];
    *first = fender_vec3_add_scaled(*first, sums[FND_SUM_PU], section->axis_u);
    *first = fender_vec3_add_scaled(*first, sums[FND_SUM_PV], section->axis_v);
    first->z += sums[FND_SUM_P] * cap->origin.z;
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

double fnd_cap_side(const fnd_section *section, const fnd_ground_face *cap, const fnd_cut *part, int i, bool level,
                    fender_vec3 *first)
{
    const fnd_cut_corner *p = &part->corners[i], *q = &part->corners[i + 1 < part->count ? i + 1 : 0];
    double dx = q->x - p->x, dy = q->y - p->y, length = sqrt(dx * dx + dy * dy), low[3], high[3];
    *first = fender_vec3_make(0, 0, 0);
    if (!(length > 0)) return 0;
    dx /= length;
    dy /= length;
    fender_vec3 to_axis = {-cap->origin.x, -cap->origin.y, 0};
    double x = fender_vec3_dot(cap->e1, to_axis) - p->x, y = fender_vec3_dot(cap->e2, to_axis) - p->y;
    double foot = dx * x + dy * y, away = dx * y - dy * x, radius = section->turned->radius;
    double square = (radius - away) * (radius + away);
    if (!(square > 0)) return 0;
    double w = sqrt(square), slope = level ? 0 : (q->depth - p->depth) / length;
    double depth = level ? 1 : p->depth + slope * foot;
    roots(w, -foot, low);
    roots(w, length - foot, high);
    for (int k = 0; k < 3; k++) high[k] = section->turned->h0 * (high[k] - low[k]);
    double sum = depth * high[0] + slope * high[1], along = depth * high[1] + slope * high[2];
    *first = fender_vec3_scale(sum, point_of(cap, p->x + foot * dx, p->y + foot * dy));
    *first = fender_vec3_add_scaled(fender_vec3_add_scaled(*first, along * dx, cap->e1), along * dy, cap->e2);
    return sum;
}
