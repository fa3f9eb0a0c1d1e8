/* What is remembered of a surface from query to query of one ball: triangles around it, and places whose answer is
 * certain without a search. It changes no bit of any answer. */
#ifndef FND_COLLIDE_MESH_MEMORY_H
#define FND_COLLIDE_MESH_MEMORY_H

#include "collide/pair_table.h"
#include "geometry/surface.h"

/* ---- Triangles that were looked at ---- */

void fnd_facet_look(const fnd_surface *surface, int32_t triangle, fnd_facet *facet);
fender_vec3 fnd_facet_normal(const fnd_surface *surface, fnd_facet *facet);
/* From corner k. */
const fnd_facet_edge *fnd_facet_edge_at(const fnd_surface *surface, fnd_facet *facet, int k);

/* ---- Triangles kept from query to query ---- */

/* What is kept, seen from a place. */
typedef struct fnd_kept {
    fnd_triangle_memory *memory; /* NULL: nothing is known */
    fender_vec3 center;
    double known; /* all triangles within this distance are in the list, at least */
} fnd_kept;

/* Searches the triangles within a ball again, wider by a margin, unless they are known; where there are none, notes how
 * far away the nearest is. False: they are too many, or there is no memory. */
bool fnd_kept_triangles(fnd_triangle_memory *memory, const fnd_surface *surface, fender_vec3 center, double ball,
                        fnd_kept *kept);
/* The nearest place of a triangle that is kept. NULL: it is farther away than the limit, and need not be known. */
fnd_facet *fnd_kept_place(const fnd_kept *kept, int i, double limit, fnd_surface_closest *place);
/* The nearest place of the surface within the limit; triangle -1: none. */
fnd_surface_closest fnd_kept_nearest(const fnd_surface *surface, fender_vec3 center, double limit,
                                     fnd_triangle_memory *memory);

/* ---- Balls that touch the same facets as before ---- */

/* Do only the triangles `touched`, of those within the limit, have a place where the distance of the surface is least,
 * and is the nearest of all places among theirs, by what is remembered? */
bool fnd_kept_is_steady(const fnd_surface *surface, fender_vec3 center, double limit,
                        const fnd_triangle_memory *memory);
/* The same where there is one, and the ball stands within it: its foot there, which is the nearest place of the
 * surface. The centre is in front of it, by more than rounding. */
typedef struct fnd_foot {
    fender_vec3 point, normal;
    double distance;
} fnd_foot;
static inline bool fnd_kept_foot(const fnd_surface *surface, fender_vec3 center, double limit,
                                 fnd_triangle_memory *memory, fnd_foot *foot)
{
    if (!memory || memory->surface != surface || limit != memory->limit) return false;
    const fnd_foothold *f = &memory->foothold;
    const fender_vec3 moved = fender_vec3_sub(center, f->place);
    if (!(fender_vec3_dot(moved, moved) < f->room * f->room)) return false;
    fender_vec3 to;
    const double height = fnd_triangle_foot(&f->plane, fender_vec3_sub(f->corner, center),
                                            fender_vec3_sub(f->tip, center), &to);
    if (height > limit) return false;
    foot->distance = fabs(height);
    foot->point = fender_vec3_add(center, to);
    foot->normal = f->normal;
    memory->uses++;
    return true;
}
/* One of several, the n-th, is the only one that is touched now, within it: is it certain that it stays so for a while,
 * a foothold is noted. */
void fnd_kept_note_sole(fnd_triangle_memory *memory, int n, fender_vec3 center);
/* The nearest place of one of those. */
fnd_facet *fnd_kept_touched(fnd_triangle_memory *memory, int n, fender_vec3 center, fnd_surface_closest *place);
/* Remembers them: those of the list whose bit in `touched` is set. The nearest place of all, at the distance `nearest`,
 * is one of theirs. */
void fnd_kept_note_steady(const fnd_kept *kept, double limit, double nearest, uint32_t touched);

/* ---- Balls that are apart from the surface ---- */

/* Is the place in front of the surface, with no triangle within the distance, by what is remembered? */
bool fnd_surface_is_clear(const fnd_surface *surface, fender_vec3 center, double distance, fnd_triangle_memory *memory);
/* Is the place, with no triangle within `clear` of it, certainly in front of the surface? Then what is far away does
 * not matter. */
bool fnd_surface_is_front(const fnd_surface *surface, fender_vec3 center, double clear, fnd_triangle_memory *memory);
/* Remembers a place in front of the surface, at that distance from it. */
void fnd_surface_note_front(const fnd_surface *surface, fender_vec3 center, double distance,
                            fnd_triangle_memory *memory);

#endif
