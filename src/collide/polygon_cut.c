/* Convex polygons and circles in a plane: cut by half planes, their moments, and the points that stand for them. */
#include "collide/polygon_cut.h"
#include "math/elementary.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* Corners that are worked on at a time; a polygon that has more is cut into parts, which add up. */
enum { CAPACITY = 48 };

typedef struct polygon {
    fender_vec2 corners[CAPACITY];
    int count;
} polygon;

/* Part of the polygon where the half plane's value is not negative. At most one corner is added. */
static void cut(const polygon *from, fnd_half_plane side, polygon *to)
{
    assert(from != to);
    to->count = 0;
    fender_vec2 p = from->corners[from->count - 1];
    double value_p = side.a * p.x + side.b * p.y + side.c;
    for (int i = 0; i < from->count && to->count < CAPACITY - 1; i++) {
        fender_vec2 q = from->corners[i];
        double value_q = side.a * q.x + side.b * q.y + side.c;
        if ((value_p < 0) != (value_q < 0)) {
            double t = value_p / (value_p - value_q);
            to->corners[to->count++] = (fender_vec2){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
        }
        if (value_q >= 0) to->corners[to->count++] = q;
        p = q;
        value_p = value_q;
    }
}

/* Second moments of a triangle about its centroid are A/12 times the sum over its corners' distances from there. */
static void add_triangle(fnd_area_moments *sum, fender_vec2 p, fender_vec2 q, fender_vec2 r)
{
    double ux = q.x - p.x, uy = q.y - p.y, vx = r.x - p.x, vy = r.y - p.y;
    double area = 0.5 * (ux * vy - uy * vx);
    if (!(area > 0)) return;
    double mx = (ux + vx) / 3, my = (uy + vy) / 3, f = area / 12;
    double xx = f * (mx * mx + (ux - mx) * (ux - mx) + (vx - mx) * (vx - mx));
    double xy = f * (mx * my + (ux - mx) * (uy - my) + (vx - mx) * (vy - my));
    double yy = f * (my * my + (uy - my) * (uy - my) + (vy - my) * (vy - my));
    double x = p.x + mx, y = p.y + my;
    if (sum->area == 0) {
        *sum = (fnd_area_moments){area, x, y, xx, xy, yy};
        return;
    }
    /* both about their common centroid */
    double total = sum->area + area, dx = x - sum->x, dy = y - sum->y, part = area / total, reduced = sum->area * part;
    sum->xx += xx + reduced * dx * dx;
    sum->xy += xy + reduced * dx * dy;
    sum->yy += yy + reduced * dy * dy;
    sum->x += part * dx;
    sum->y += part * dy;
    sum->area = total;
}

/* Cuts by the half planes from `first` on, then adds. */
static void add_cut(fnd_area_moments *sum, const polygon *whole, const fnd_half_planes *cuts, int first)
{
    assert(first >= 0 && first <= cuts->count);
    polygon parts[2];
    const polygon *now = whole;
    int spare = 0;
    for (int j = first; j < cuts->count; j++) {
        if (now->count < 3) return;
        if (now->count >= CAPACITY - 1) { /* no room for another corner: in two halves */
            polygon half;
            int middle = now->count / 2;
            half.count = 0;
            for (int i = 0; i <= middle; i++) half.corners[half.count++] = now->corners[i];
            add_cut(sum, &half, cuts, j);
            half.count = 0;
            half.corners[half.count++] = now->corners[0];
            for (int i = middle; i < now->count; i++) half.corners[half.count++] = now->corners[i];
            add_cut(sum, &half, cuts, j);
            return;
        }
        cut(now, cuts->get(cuts->ctx, j), &parts[spare]);
        now = &parts[spare];
        spare = 1 - spare;
    }
    for (int i = 2; i < now->count; i++) add_triangle(sum, now->corners[0], now->corners[i - 1], now->corners[i]);
}

void fnd_area_add_polygon(fnd_area_moments *sum, const fender_vec2 *corners, int count, const fnd_half_planes *cuts)
{
    assert(count >= 0);
    polygon part;
    for (int start = 1; start + 1 < count; start += CAPACITY - 2) { /* a fan of parts about corner 0 */
        part.count = 0;
        part.corners[part.count++] = corners[0];
        for (int i = start; i < count && part.count < CAPACITY; i++) part.corners[part.count++] = corners[i];
        add_cut(sum, &part, cuts, 0);
    }
}

/* ---- Segments of circles ---- */

#define PI 3.14159265358979323846
/* Segments lower than this part of the radius are integrated by Gauss' rule: differences of angles would cancel. */
#define LOW 0.25

/* At the distance t = h u^2 from the rim the segment of height h is 2 u sqrt(h) sqrt(2 R - h u^2) wide: smooth in u. */
static fnd_area_moments low_segment(double radius, double height)
{
    assert(height > 0 && height <= LOW * radius);
    static const double node[4] = {0.18343464249564980494, 0.52553240991632898582, 0.79666647741362673959,
                                   0.96028985649753623168};
    static const double weight[4] = {0.36268378337836198297, 0.31370664587788728734, 0.22238103445337447054,
                                     0.10122853629037625915};
    double area = 0, t = 0, tt = 0, yy = 0; /* moments of t, over h and h^2 */
    for (int i = 0; i < 8; i++) {
        double u = 0.5 * (i < 4 ? 1 - node[i] : 1 + node[i - 4]), square = u * u, rest = 2 * radius - height * square;
        double part = weight[i & 3] * square * sqrt(rest);
        area += part;
        t += part * square;
        tt += part * square * square;
        yy += part * square * rest;
    }
    double scale = 2 * height * sqrt(height), mean = t / area;
    return (fnd_area_moments){.area = scale * area,
                              .x = radius - height * mean,
                              .xx = scale * height * height * (tt - t * mean),
                              .yy = scale * height * yy / 3};
}

/* The part x >= from. */
static fnd_area_moments segment(double radius, double from)
{
    assert(radius > 0);
    const double square = radius * radius, height = radius - from;
    if (!(height > 0)) return (fnd_area_moments){0};
    if (height >= 2 * radius) {
        double second = 0.25 * PI * square * square;
        return (fnd_area_moments){.area = PI * square, .xx = second, .yy = second};
    }
    if (height <= LOW * radius) return low_segment(radius, height);
    /* by half the angle that it is seen under from the centre */
    const double half = sqrt(height * (radius + from)), c = from / radius, s = half / radius;
    const double angle = fnd_angle(half, from), sector = angle - s * c, cube = s * s * s;
    const double area = square * sector, x = 2 * radius * cube / (3 * sector);
    return (fnd_area_moments){.area = area,
                              .x = x,
                              .xx = square * square * 0.25 * (sector + 2 * cube * c) - area * x * x,
                              .yy = square * square * (0.25 * sector - cube * c / 6)};
}

fnd_area_moments fnd_area_of_band(double radius, double low, double high)
{
    assert(low <= high);
    const fnd_area_moments all = segment(radius, low), beyond = segment(radius, high);
    fnd_area_moments band = {.area = all.area - beyond.area};
    if (!(beyond.area > 0)) return all;
    if (!(band.area > 0)) return (fnd_area_moments){0};
    band.x = (all.area * all.x - beyond.area * beyond.x) / band.area;
    const double dx = all.x - band.x, beyond_dx = beyond.x - band.x;
    band.xx = all.xx + all.area * dx * dx - (beyond.xx + beyond.area * beyond_dx * beyond_dx);
    band.yy = all.yy - beyond.yy;
    if (band.xx < 0) band.xx = 0; /* rounding of a narrow one */
    if (band.yy < 0) band.yy = 0;
    return band;
}

/* With the symmetric root R of the tensor M per area, the points at the centroid + R (+-1, +-1) have the mean M, since
 * the mean of (+-1, +-1)(+-1, +-1)' is the unit matrix. A convex region of centroid 0 and tensor 1 holds the disk of
 * radius sqrt 2 (Kannan, Lovasz, Simonovits 1995), so they lie within. */
void fnd_area_points(const fnd_area_moments *area, fender_vec2 points[4])
{
    assert(area->area > 0);
    double xx = area->xx / area->area, xy = area->xy / area->area, yy = area->yy / area->area;
    double determinant = xx * yy - xy * xy, root = determinant > 0 ? sqrt(determinant) : 0;
    double norm = xx + yy + 2 * root;
    norm = norm > 0 ? sqrt(norm) : 1;
    double rxx = (xx + root) / norm, rxy = xy / norm, ryy = (yy + root) / norm;
    points[0] = (fender_vec2){area->x + (rxx + rxy), area->y + (rxy + ryy)};
    points[1] = (fender_vec2){area->x + (rxy - rxx), area->y + (ryy - rxy)};
    points[2] = (fender_vec2){area->x - (rxx + rxy), area->y - (rxy + ryy)};
    points[3] = (fender_vec2){area->x + (rxx - rxy), area->y + (rxy - ryy)};
}

/* ---- With a depth ---- */

/* Value by which a corner is clipped: its depth, or that of a half plane. */
static double value_of(const fnd_cut_corner *c, const fnd_half_plane *border)
{
    return border ? border->a * c->x + border->b * c->y + border->c : c->depth;
}

static void cut_part(const fnd_cut *from, const fnd_half_plane *border, int side, fnd_cut *to)
{
    assert(from != to && from->count >= 0 && from->count <= FND_CUT_CORNERS);
    to->count = 0;
    if (from->count == 0) return;
    double first = value_of(&from->corners[0], border), here = first;
    for (int i = 0; i < from->count && to->count + 2 < FND_CUT_CORNERS; i++) {
        const fnd_cut_corner *p = &from->corners[i], *q = &from->corners[i + 1 < from->count ? i + 1 : 0];
        double next = i + 1 < from->count ? value_of(q, border) : first;
        if (here >= 0) to->corners[to->count++] = *p;
        if ((here < 0) != (next < 0)) {
            double t = here / (here - next);
            fnd_cut_corner *c = &to->corners[to->count++];
            c->x = p->x + t * (q->x - p->x);
            c->y = p->y + t * (q->y - p->y);
            c->depth = border ? p->depth + t * (q->depth - p->depth) : 0;
            c->side = here >= 0 ? side : p->side;
        }
        here = next;
    }
    if (to->count < 3) to->count = 0;
}

void fnd_cut_depth(const fnd_cut *from, fnd_cut *to) { cut_part(from, NULL, FND_SIDE_TOUCH, to); }

void fnd_cut_border(const fnd_cut *from, fnd_half_plane border, int side, fnd_cut *to)
{
    cut_part(from, &border, side, to);
}

double fnd_cut_side_moments(const fnd_cut *part, int i, double *x, double *y)
{
    assert(i >= 0 && i < part->count);
    const fnd_cut_corner *p = &part->corners[i], *q = &part->corners[i + 1 < part->count ? i + 1 : 0];
    double dx = q->x - p->x, dy = q->y - p->y, length = sqrt(dx * dx + dy * dy), a = p->depth, b = q->depth;
    double at_p = length / 12 * (3 * a * a + 2 * a * b + b * b), at_q = length / 12 * (a * a + 2 * a * b + 3 * b * b);
    *x = at_p * p->x + at_q * q->x;
    *y = at_p * p->y + at_q * q->y;
    return at_p + at_q;
}

void fnd_cut_add_moments(const fnd_cut *part, fnd_area_moments *sum)
{
    for (int i = 2; i < part->count; i++) {
        const fnd_cut_corner *p = &part->corners[0], *q = &part->corners[i - 1], *r = &part->corners[i];
        add_triangle(sum, (fender_vec2){p->x, p->y}, (fender_vec2){q->x, q->y}, (fender_vec2){r->x, r->y});
    }
}
