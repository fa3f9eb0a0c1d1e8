/* Triangles of a surface that a solid may touch: begins the scans, and picks the registers that this machine has. */
#include "collide/surface_scan.h"

void fnd_surface_scan_begin(fnd_surface_scan *scan, const fnd_surface_sight *sight, fender_box box,
                            const fnd_surface_footprint *without)
{
    scan->sight = sight;
    scan->without = without;
    scan->count = scan->lots = 0;
    fnd_surface_footprint_begin(&scan->region, sight->surface, box);
}

void fnd_surface_ball_scan_begin(fnd_surface_ball_scan *scan, const fnd_surface *surface, fender_vec3 center,
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
    static fnd_surface_scan_function *const more[3] = {
        fnd_surface_scan_plain,
#if defined __x86_64__ && defined __GNUC__
        fnd_surface_scan_avx2,
        fnd_surface_scan_avx512
#endif
    };
    scan->lots++;
    return more[fnd_tree_registers()](scan);
}

bool fnd_surface_scan_first(fnd_surface_scan *scan)
{
    if (scan->lots == 1) return true;
    scan->lots = 0;
    fnd_surface_footprint_restart(&scan->region);
    return fnd_surface_scan_more(scan);
}

int32_t fnd_surface_flat_ground(fnd_surface_scan *scan, bool *sees_any)
{
    const fnd_surface *s = scan->sight->surface;
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

bool fnd_surface_ball_scan_more(fnd_surface_ball_scan *scan)
{
    static fnd_surface_ball_scan_function *const more[3] = {
        fnd_surface_ball_scan_plain,
#if defined __x86_64__ && defined __GNUC__
        fnd_surface_ball_scan_avx2,
        fnd_surface_ball_scan_avx512
#endif
    };
    return more[fnd_tree_registers()](scan);
}
