/* Faces of solids cut by a triangle's plane and the borders of its cell. */
#include "collide/surface_cut.h"

#include <math.h>
#include <stddef.h>

/* What a corner is cut by: its depth, or the value of a half plane. */
static double value_of(const fnd_cut_corner *c, const fnd_half_plane *border)
{
    return border ? border->a * c->x + border->b * c->y + border->c : c->depth;
}

static void cut(const fnd_cut *from, const fnd_half_plane *border, int side, fnd_cut *to)
{
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

void fnd_cut_depth(const fnd_cut *from, fnd_cut *to) { cut(from, NULL, FND_SIDE_TOUCH, to); }

void fnd_cut_border(const fnd_cut *from, fnd_half_plane border, int side, fnd_cut *to) { cut(from, &border, side, to); }

double fnd_cut_side_moments(const fnd_cut *part, int i, double *x, double *y)
{
    const fnd_cut_corner *p = &part->corners[i], *q = &part->corners[i + 1 < part->count ? i + 1 : 0];
    double dx = q->x - p->x, dy = q->y - p->y, length = sqrt(dx * dx + dy * dy), a = p->depth, b = q->depth;
    double at_p = length / 12 * (3 * a * a + 2 * a * b + b * b), at_q = length / 12 * (a * a + 2 * a * b + 3 * b * b);
    *x = at_p * p->x + at_q * q->x;
    *y = at_p * p->y + at_q * q->y;
    return at_p + at_q;
}

void fnd_cut_add_moments(const fnd_cut *part, fnd_area_moments *sum)
{
    static const fnd_half_planes none = {0};
    fender_vec2 corners[FND_CUT_CORNERS];
    for (int i = 0; i < part->count; i++) corners[i] = (fender_vec2){part->corners[i].x, part->corners[i].y};
    if (part->count > 2) fnd_area_add_polygon(sum, corners, part->count, &none);
}
