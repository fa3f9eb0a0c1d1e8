/* Rays against geometries: lines in G, and the part of a line that convex sets leave of it. */
#ifndef FND_GEOMETRY_RAY_H
#define FND_GEOMETRY_RAY_H

#include "geometry/geometry.h"

/* Points q + s d, with d of unit length and q the point that lies nearest to the middle of the geometry. */
typedef struct fnd_line {
    fender_vec3 q, d;
} fnd_line;
static inline fender_vec3 fnd_line_at(const fnd_line *line, double s)
{
    return fender_vec3_add_scaled(line->q, s, line->d);
}

/* The part of a line in all the sets that it was clipped by, and where it enters. */
typedef struct fnd_clip {
    double enter, exit; /* enter > exit: nothing is left */
    fender_vec3 normal; /* unit, outward, where it enters */
    uint64_t feature;   /* of the set that it enters last */
} fnd_clip;
fnd_clip fnd_clip_none(void);
static inline bool fnd_clip_empty(const fnd_clip *clip) { return !(clip->enter <= clip->exit); }
/* n . x <= offset; n of unit length */
void fnd_clip_half_space(fnd_clip *clip, const fnd_line *line, fender_vec3 n, double offset, uint64_t feature);
void fnd_clip_sphere(fnd_clip *clip, const fnd_line *line, fender_vec3 center, double radius, uint64_t feature);
/* x^2 + y^2 <= radius^2 */
void fnd_clip_tube(fnd_clip *clip, const fnd_line *line, double radius, uint64_t feature);
/* below the apex at z = height of a cone that widens downward by `slope` */
void fnd_clip_cone(fnd_clip *clip, const fnd_line *line, double slope, double height, uint64_t feature);
/* semi-axes of 0 or more */
void fnd_clip_ellipsoid(fnd_clip *clip, const fnd_line *line, fender_vec3 semi_axes, uint64_t feature);

/* Where a line enters a geometry of a certain kind for the first time at or after `from`. False: it does not. */
typedef struct fnd_entry {
    double s;
    fender_vec3 normal;
    uint64_t feature;
} fnd_entry;
/* By the supporting planes of the nearest points; convex shapes with support functions, with roundings. */
bool fnd_ray_support(const fender_geometry *geometry, const fnd_line *line, double from, fnd_entry *entry);
/* The same by exact distances of points; rounded shapes. */
bool fnd_ray_rounded(const fender_geometry *geometry, const fnd_line *line, double from, fnd_entry *entry);
/* In steps of the signed distance. */
bool fnd_ray_field(const fender_geometry *geometry, const fnd_line *line, double from, double to, fnd_entry *entry);
/* First entry of a ray in G, direction of unit length, within the range; *distance: along it. False: there is none.
 * A ray that starts inside leaves before it enters. */
bool fnd_ray_enter(const fender_geometry *geometry, fender_vec3 origin, fender_vec3 direction, double range,
                   double *distance, fnd_entry *entry, fender_vec3 *point);
/* Data of a line for the tree. False if it misses the surface. *shift is to be added to the result. */
bool fnd_ray_prepare(const fnd_surface *surface, const fnd_line *line, double from, double to, fnd_tree_ray *ray,
                     double *shift);
/* The same for many lines at once, in less time; same bits. At most FND_RAYS. */
enum { FND_RAYS = 32 };
typedef struct fnd_line_query {
    fnd_line line;
    double from, to;
    bool found;
    fnd_entry entry;
} fnd_line_query;

/* Distance of a point from the core of a convex shape by its support function; *toward: unit, from the core to the
 * point. 0 inside. */
double fnd_support_distance(const fender_geometry *geometry, fender_vec3 point, fender_vec3 *toward);

#endif
