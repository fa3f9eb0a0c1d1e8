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

/* ---- Lines and the triangles of a surface: ray_surface.c ---- */

/* Where eight lines meet triangles: lanes that do; the rest holds for these. */
typedef struct fnd_ray_places {
    unsigned found;
    double s[FND_RAY_LANES];
    double normal[3][FND_RAY_LANES], point[3][FND_RAY_LANES];
    int32_t triangle[FND_RAY_LANES];
} fnd_ray_places;
/* Eight at a time (ray_lanes.c), for each width of registers and for the first alone with the same bits: up to eight
 * rays as lines in G, with `size` the radius of what they are cast at; what the tree needs of a block with q, d, from,
 * to and live, of which those lanes stay live that pass near the surface; places and normals in G of hits; the same in
 * the axes of the rays.
 */
typedef void fnd_rays_place_function(const fender_pose *X_WG, const fender_mat3 *R, double size, const fender_ray *rays,
                                     int count, fnd_ray_block *block);
typedef void fnd_rays_prepare_function(const fnd_surface *surface, fnd_ray_block *block);
typedef void fnd_rays_finish_function(const fnd_surface *surface, const fnd_ray_block *block, const fnd_tree_hit *hits,
                                      fnd_ray_places *places);
typedef void fnd_rays_turn_back_function(const fender_pose *X_WG, const fender_mat3 *R, const fnd_ray_block *block,
                                         fnd_ray_places *places);
fnd_rays_place_function fnd_rays_place_plain, fnd_rays_place_avx2, fnd_rays_place_avx512, fnd_rays_place_one;
fnd_rays_prepare_function fnd_rays_prepare_plain, fnd_rays_prepare_avx2, fnd_rays_prepare_avx512, fnd_rays_prepare_one;
fnd_rays_finish_function fnd_rays_finish_plain, fnd_rays_finish_avx2, fnd_rays_finish_avx512, fnd_rays_finish_one;
fnd_rays_turn_back_function fnd_rays_turn_back_plain, fnd_rays_turn_back_avx2, fnd_rays_turn_back_avx512,
    fnd_rays_turn_back_one;

/* First entry of a line in a grid or mesh within [from, to], seen from outside. No line passes between two triangles
 * that share an edge. */
bool fnd_ray_surface(const fender_geometry *geometry, const fnd_line *line, double from, double to, fnd_entry *entry);
/* Rays with direction, origin and range in order; any number. A ray has the same bits alone and among others. */
void fnd_ray_cast_surface(const fender_geometry *geometry, const fender_pose *X_WG, const fender_mat3 *R,
                          const fender_ray *rays, int count, fender_ray_hit *hits);
/* True if there is ground of the grid above the point. */
bool fnd_grid_holds(const fender_geometry *grid, fender_vec3 point);

/* Distance of a point from the core of a convex shape by its support function; *toward: unit, from the core to the
 * point. 0 inside. */
double fnd_support_distance(const fender_geometry *geometry, fender_vec3 point, fender_vec3 *toward);

#endif
