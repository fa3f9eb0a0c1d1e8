/* The triangles that a solid may be below of: of a mesh those that meet its box, of a grid all of its shadow. */
#include "collide/surface_footprint.h"

#include <math.h>

/* Cells below and above `low` to `high`, of count - 1. */
static void cells(double low, double high, double lower, double spacing, int count, int *first, int *last)
{
    double from = floor((low - lower) / spacing), to = floor((high - lower) / spacing);
    *first = from > 0 ? from < count - 1 ? (int)from : count - 1 : 0;
    *last = to < count - 2 ? to >= 0 ? (int)to : -1 : count - 2;
}

void fnd_surface_footprint_begin(fnd_surface_footprint *f, const fnd_surface *s, fender_box box)
{
    f->surface = s;
    f->walk.box = box;
    f->i0 = f->i1 = f->j0 = f->j1 = 0;
    if (s->count_x > 0) {
        cells(box.lower.x, box.upper.x, s->lower.x, s->spacing.x, s->count_x, &f->i0, &f->i1);
        cells(box.lower.y, box.upper.y, s->lower.y, s->spacing.y, s->count_y, &f->j0, &f->j1);
    }
    fnd_surface_footprint_restart(f);
}

void fnd_surface_footprint_restart(fnd_surface_footprint *f)
{
    if (f->surface->count_x == 0) fnd_surface_walk_begin(&f->walk, f->surface, f->walk.box);
    f->i = f->i0;
    f->j = f->j0;
}

bool fnd_surface_footprint_is_all(const fnd_surface_footprint *inner, const fnd_surface_footprint *walk)
{
    if (walk->surface->count_x > 0)
        return walk->i0 >= inner->i0 && walk->i1 <= inner->i1 && walk->j0 >= inner->j0 && walk->j1 <= inner->j1;
    fender_box a = inner->walk.box, b = walk->walk.box;
    return b.lower.x >= a.lower.x && b.lower.y >= a.lower.y && b.lower.z >= a.lower.z && b.upper.x <= a.upper.x &&
           b.upper.y <= a.upper.y && b.upper.z <= a.upper.z;
}
