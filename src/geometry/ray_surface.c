/* Rays against grids and meshes: eight lines at a time (ray_lanes.c) through the tree of the surface (tree_search.c),
 * and the walls and the inside of the ground under a grid. */
#include <assert.h>

#include "base/width.h"
#include "geometry/geometry.h"
#include "geometry/lanes.h"
#include "geometry/ray.h"
#include "math/rotation.h"

static fnd_tree_ray_function *const search[3] = FND_WIDTHS(fnd_tree_ray);

/* Operations on the lines of a block. */
typedef struct operations {
    fnd_rays_place_function *place;
    fnd_rays_prepare_function *prepare;
    fnd_rays_finish_function *finish;
    fnd_rays_turn_back_function *turn_back;
} operations;
#define OPERATIONS(width)                                                                                     \
    {                                                                                                         \
        fnd_rays_place_##width, fnd_rays_prepare_##width, fnd_rays_finish_##width, fnd_rays_turn_back_##width \
    }
static const operations for_one = OPERATIONS(one), for_eight[3] = {OPERATIONS(plain),
#ifdef FND_WIDE
                                                                   OPERATIONS(avx2), OPERATIONS(avx512)
#endif
};

/* ---- Grids ---- */

bool fnd_grid_holds(const fender_geometry *grid, fender_vec3 point)
{
    assert(grid->type == FENDER_GEOMETRY_GRID);
    double height;
    return point.z <= grid->bounds.upper.z && fnd_grid_height(grid->surface, point, &height) && point.z <= height;
}

/* Between the walls, where a line can only leave the ground's sides. */
static inline bool within_walls(const fender_geometry *grid, fender_vec3 p)
{
    const fender_vec3 l = grid->bounds.lower, u = grid->bounds.upper;
    return p.x > l.x && p.x < u.x && p.y > l.y && p.y < u.y;
}

/* The ground under a grid ends in walls below its border; numbered after the triangles: -x, +x, -y, +y. */
static bool ray_wall(const fender_geometry *grid, const fnd_line *line, double from, double to, fnd_entry *entry)
{
    assert(grid->type == FENDER_GEOMETRY_GRID);
    static const fender_vec3 outward[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
    fender_vec3 l = grid->bounds.lower, u = grid->bounds.upper;
    const double offset[4] = {-l.x, u.x, -l.y, u.y};
    if (within_walls(grid, fnd_line_at(line, from))) return false;
    fnd_clip clip = fnd_clip_none();
    for (unsigned i = 0; i < 4; i++) fnd_clip_half_space(&clip, line, outward[i], offset[i], i);
    if (fnd_clip_empty(&clip) || !(clip.enter >= from) || !(clip.enter <= to)) return false;
    fender_vec3 point = fnd_line_at(line, clip.enter); /* on the border and within it, whatever rounding says */
    if (clip.feature < 2) point.x = clip.feature == 0 ? l.x : u.x;
    else point.y = clip.feature == 2 ? l.y : u.y;
    point.x = point.x < l.x ? l.x : point.x > u.x ? u.x : point.x;
    point.y = point.y < l.y ? l.y : point.y > u.y ? u.y : point.y;
    if (!fnd_grid_holds(grid, point)) return false;
    *entry = (fnd_entry){clip.enter, clip.normal, (uint64_t)grid->surface->triangle_count + clip.feature};
    return true;
}

/* ---- One line ---- */

bool fnd_ray_surface(const fender_geometry *geometry, const fnd_line *line, double from, double to, fnd_entry *entry)
{
    assert(fnd_is_unit(line->d));
    const bool grid = geometry->type == FENDER_GEOMETRY_GRID;
    if (grid && ray_wall(geometry, line, from, to, entry))
        return true; /* a line enters the raster before what is in it */
    fnd_ray_block block;
    fnd_tree_hit hits[FND_RAY_LANES];
    fnd_ray_places places;
    block.q[0][0] = line->q.x, block.q[1][0] = line->q.y, block.q[2][0] = line->q.z;
    block.d[0][0] = line->d.x, block.d[1][0] = line->d.y, block.d[2][0] = line->d.z;
    block.from[0] = from, block.to[0] = to;
    block.live = 1;
    for_one.prepare(geometry->surface, &block);
    if (!block.live) return false;
    search[fnd_tree_registers()](geometry->surface, &block, 1, hits);
    for_one.finish(geometry->surface, &block, hits, &places);
    if (!places.found) return false;
    const fender_vec3 n = {places.normal[0][0], places.normal[1][0], places.normal[2][0]};
    *entry = (fnd_entry){places.s[0], n, (uint64_t)places.triangle[0]};
    return true;
}

/* ---- Many rays ---- */

enum { BLOCKS = 4 };

typedef struct cast {
    const fender_geometry *geometry;
    const fender_pose *X_WG;
    const fender_mat3 *R;
    const operations *of; /* blocks */
} cast;

static fender_vec3 lane_of(const double *v, int lane) /* of three rows */
{
    return fender_vec3_make(v[lane], v[FND_RAY_LANES + lane], v[2 * FND_RAY_LANES + lane]);
}

/* Takes out the rays that begin in the ground, and those that enter it through a wall. */
static void take_ground(const cast *c, const fender_ray *rays, fnd_ray_block *block, fender_ray_hit *hits)
{
    const double top = c->geometry->bounds.upper.z;
    for (unsigned rest = block->live; rest; rest &= rest - 1) {
        const int i = fnd_lowest_lane(rest);
        const fnd_line line = {lane_of(block->q[0], i), lane_of(block->d[0], i)};
        fnd_entry entry;
        const double from = block->from[i];
        if (line.q.z > top && within_walls(c->geometry, fnd_line_at(&line, from))) continue; /* above all ground */
        if (fnd_grid_holds(c->geometry, line.q))
            hits[i] = (fender_ray_hit){true, 0, rays[i].origin, fender_vec3_negate(fender_mat3_times(c->R, line.d)), 0};
        else if (ray_wall(c->geometry, &line, from, block->to[i], &entry)) {
            const fender_vec3 at = fender_mat3_times(c->R, fnd_line_at(&line, entry.s));
            hits[i] = (fender_ray_hit){true, entry.s > 0 ? entry.s : 0, fender_vec3_add(c->X_WG->p, at),
                                       fender_mat3_times(c->R, entry.normal), entry.feature};
        } else continue;
        block->live &= ~(1u << i);
    }
}

/* Writes what a block has found. */
static void write_hits(const cast *c, const fnd_ray_block *block, const fnd_tree_hit *found, fender_ray_hit *hits)
{
    fnd_ray_places places;
    c->of->finish(c->geometry->surface, block, found, &places);
    if (!places.found) return;
    c->of->turn_back(c->X_WG, c->R, block, &places);
    for (unsigned rest = places.found; rest; rest &= rest - 1) {
        const int i = fnd_lowest_lane(rest);
        const double s = places.s[i];
        if (!(s >= block->from[i]) || !(s <= block->to[i])) continue;
        hits[i] = (fender_ray_hit){true, s > 0 ? s : 0, lane_of(places.point[0], i), lane_of(places.normal[0], i),
                                   (uint64_t)places.triangle[i]};
    }
}

void fnd_ray_cast_surface(const fender_geometry *geometry, const fender_pose *X_WG, const fender_mat3 *R,
                          const fender_ray *rays, int count, fender_ray_hit *hits)
{
    const int width = fnd_tree_registers();
    const cast c = {geometry, X_WG, R, count == 1 ? &for_one : &for_eight[width]};
    const bool grid = geometry->type == FENDER_GEOMETRY_GRID;
    fnd_ray_block blocks[BLOCKS];
    fnd_tree_hit found[BLOCKS * FND_RAY_LANES];
    for (int done = 0; done < count; done += BLOCKS * FND_RAY_LANES) {
        int number = 0;
        for (int first = done; number < BLOCKS && first < count; number++, first += FND_RAY_LANES) {
            const int some = count - first < FND_RAY_LANES ? count - first : FND_RAY_LANES;
            fnd_ray_block *block = &blocks[number];
            for (int i = 0; i < some; i++) hits[first + i] = (fender_ray_hit){0};
            c.of->place(X_WG, R, geometry->bounding_radius, rays + first, some, block);
            if (grid) take_ground(&c, rays + first, block, hits + first);
            c.of->prepare(geometry->surface, block);
        }
        search[width](geometry->surface, blocks, number, found);
        for (int i = 0; i < number; i++)
            write_hits(&c, &blocks[i], &found[i * FND_RAY_LANES], hits + done + i * FND_RAY_LANES);
    }
}
