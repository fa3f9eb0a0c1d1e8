/* Triangles of a surface that a solid may touch: regions, the beginning of scans, and the registers that this machine
 * has. */
#include "collide/mesh_scan.h"
#include "base/width.h"
#include <assert.h>
#include <math.h>

/* ---- Regions ---- */

/* Cells below and above `low` to `high`, of count - 1. */
static void cells(const fnd_surface *s, int axis, double low, double high, int *first, int *last)
{
    const int count = axis == 0 ? s->count_x : s->count_y;
    assert(count >= 2);
    int from = fnd_grid_line(s, axis, low), to = fnd_grid_line(s, axis, high);
    *first = from > 0 ? from : 0;
    *last = to < count - 2 ? to : count - 2;
}

static void surface_footprint_restart(fnd_surface_footprint *f)
{
    if (f->surface->count_x == 0) fnd_surface_traversal_begin(&f->traversal, f->surface, f->traversal.box);
    f->i = f->i0;
    f->j = f->j0;
}

void fnd_surface_footprint_begin(fnd_surface_footprint *f, const fnd_surface *s, fender_box box)
{
    assert(s->triangle_count > 0);
    f->surface = s;
    f->traversal.box = box;
    f->i0 = f->i1 = f->j0 = f->j1 = 0;
    if (s->count_x > 0) {
        cells(s, 0, box.lower.x, box.upper.x, &f->i0, &f->i1);
        cells(s, 1, box.lower.y, box.upper.y, &f->j0, &f->j1);
    }
    surface_footprint_restart(f);
}

bool fnd_surface_footprint_is_all(const fnd_surface_footprint *inner, const fnd_surface_footprint *traversal)
{
    assert(inner->surface == traversal->surface);
    if (traversal->surface->count_x > 0)
        return traversal->i0 >= inner->i0 && traversal->i1 <= inner->i1 && traversal->j0 >= inner->j0 &&
               traversal->j1 <= inner->j1;
    fender_box a = inner->traversal.box, b = traversal->traversal.box;
    return b.lower.x >= a.lower.x && b.lower.y >= a.lower.y && b.lower.z >= a.lower.z && b.upper.x <= a.upper.x &&
           b.upper.y <= a.upper.y && b.upper.z <= a.upper.z;
}

/* ---- Scans ---- */

void fnd_surface_scan_begin(fnd_surface_scan *scan, const fnd_surface_visibility *visibility, fender_box box,
                            const fnd_surface_footprint *without)
{
    assert(visibility && visibility->surface);
    scan->visibility = visibility;
    scan->without = without;
    scan->count = scan->lots = 0;
    fnd_surface_footprint_begin(&scan->region, visibility->surface, box);
}

void fnd_surface_sphere_scan_begin(fnd_surface_sphere_scan *scan, const fnd_surface *surface, fender_vec3 center,
                                   double limit)
{
    fender_vec3 half = {limit, limit, limit};
    fender_box box = {fender_vec3_sub(center, half), fender_vec3_add(center, half)};
    scan->center = center;
    scan->limit = limit;
    scan->count = 0;
    fnd_surface_footprint_begin(&scan->region, surface, box);
}

bool fnd_surface_scan_more(fnd_surface_scan *scan)
{
    static fnd_surface_scan_function *const more[3] = FND_WIDTHS(fnd_surface_scan);
    scan->lots++;
    return more[fnd_tree_registers()](scan);
}

bool fnd_surface_scan_first(fnd_surface_scan *scan)
{
    assert(scan->lots >= 0);
    if (scan->lots == 1) return true;
    scan->lots = 0;
    surface_footprint_restart(&scan->region);
    return fnd_surface_scan_more(scan);
}

int32_t fnd_surface_flat_ground(fnd_surface_scan *scan, bool *sees_any)
{
    const fnd_surface *s = scan->visibility->surface;
    int32_t plane = -1;
    *sees_any = false;
    for (bool more = fnd_surface_scan_first(scan); more; more = fnd_surface_scan_more(scan)) {
        for (int i = 0; i < scan->count; i++) {
            int32_t t = scan->found[i].triangle;
            if (plane < 0) plane = s->planes[t];
            *sees_any = true;
            for (int k = 0; k < 3; k++) {
                int32_t other = s->neighbours[t][k];
                if (other < 0 || s->planes[other] != plane) return -1;
            }
        }
    }
    return plane;
}

bool fnd_surface_sphere_scan_more(fnd_surface_sphere_scan *scan)
{
    static fnd_surface_sphere_scan_function *const more[3] = FND_WIDTHS(fnd_surface_sphere_scan);
    return more[fnd_tree_registers()](scan);
}

/* ---- Facets before a polytope ---- */

static const fnd_surface_sample_functions *functions(void)
{
    static const fnd_surface_sample_functions *const all[3] = FND_WIDTHS(&fnd_surface_sample);
    return all[fnd_tree_registers()];
}

void fnd_surface_sample_depth(const fnd_polytope *polytope, fnd_surface_sample *look)
{
    functions()->depth(polytope, look);
}

bool fnd_surface_sample_faces(const fnd_polytope *polytope, fnd_surface_sample *look, double rounding, int first,
                              uint64_t *faces)
{
    assert(first >= 0 && first % FND_SAMPLE_BITS == 0);
    return functions()->faces(polytope, look, rounding, first, faces);
}

bool fnd_surface_sample_within(const fnd_polytope *polytope, fnd_surface_sample *look)
{
    assert(look->sides >= 0 && look->sides <= 128);
    return functions()->within(polytope, look);
}

bool fnd_surface_sample_sides(const fnd_polytope *polytope, const fnd_surface_sample *look, double reach,
                              fnd_vertex_sides *sides)
{
    assert(polytope->vertex_count <= FND_SIDES_VERTICES);
    return functions()->sides(polytope, look, reach, sides);
}

void fnd_surface_sample_cells(const fnd_surface_visibility *visibility, const fnd_polytope *polytope,
                              fnd_surface_sample *const *looks, int count)
{
    assert(count >= 0 && count <= 8);
    functions()->cells(visibility, polytope, looks, count);
    for (int i = 0; i < count; i++) {
        if (looks[i]->alone || visibility->surface->count_x > 0) continue;
        fnd_surface_bound_by_face(visibility, looks[i]);
        functions()->within(polytope, looks[i]);
    }
}
