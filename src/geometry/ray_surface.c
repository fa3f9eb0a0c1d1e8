/* Rays against triangles: a line is prepared for the tree, and for the test of triangles that leaves no gap between
 * those that share an edge (tree_search.c). */
#include "geometry/ray.h"

static double component(fender_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/* The axes of the shear: a triangle that is seen from outside turns left in the first two. */
static void shear(fnd_tree_ray *ray, fender_vec3 origin, fender_vec3 d)
{
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    int *axis = ray->axis;
    axis[2] = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    bool forward = component(d, axis[2]) > 0;
    axis[forward ? 0 : 1] = (axis[2] + 1) % 3;
    axis[forward ? 1 : 0] = (axis[2] + 2) % 3;
    for (int i = 0; i < 3; i++) ray->origin[i] = component(origin, axis[i]);
    double most = component(d, axis[2]);
    ray->shear[0] = component(d, axis[0]) / most;
    ray->shear[1] = component(d, axis[1]) / most;
    ray->shear[2] = 1 / most;
}

/* A place along the line in float; the surface lies within 1 of its middle. */
static float along(double s) { return s < -2 ? -2 : s > 2 ? 2 : (float)s; }

bool fnd_ray_prepare(const fnd_surface *surface, const fnd_line *line, double from, double to, fnd_tree_ray *ray,
                     double *shift)
{
    const fnd_wide_tree *tree = &surface->tree;
    fender_vec3 d = line->d, q = fender_vec3_sub(line->q, tree->center);
    double way = -fender_vec3_dot(q, d); /* to the place nearest to the middle */
    q = fender_vec3_add_scaled(q, way, d);
    q = fender_vec3_add_scaled(q, -fender_vec3_dot(q, d), d);
    const double parts[3] = {q.x * tree->scale, q.y * tree->scale, q.z * tree->scale}, direction[3] = {d.x, d.y, d.z};
    if (!(parts[0] * parts[0] + parts[1] * parts[1] + parts[2] * parts[2] <= 1)) return false;
    for (int i = 0; i < 3; i++) {
        double slope = direction[i];
        if (!(fabs(slope) > 0x1p-60)) slope = slope < 0 ? -0x1p-60 : 0x1p-60; /* moves by less than the margin */
        ray->q[i] = (float)parts[i];
        ray->inverse[i] = (float)(1 / slope);
        ray->near_side[i] = slope > 0 ? FND_TREE_WIDTH * i : FND_TREE_WIDTH * (i + 3);
        ray->far_side[i] = slope > 0 ? FND_TREE_WIDTH * (i + 3) : FND_TREE_WIDTH * i;
    }
    /* From where the line begins, what is near it is found to its own last digits; from farther away than a million
     * times the surface's size nothing is near. */
    bool far = fabs(way) * tree->scale > 0x1p20;
    shear(ray, far ? fender_vec3_add(tree->center, q) : line->q, d);
    const double middle[3] = {tree->center.x, tree->center.y, tree->center.z};
    ray->grain = 1;
    for (int i = 0; i < 3; i++) {
        ray->start[i] = (ray->origin[i] - middle[ray->axis[i]]) * tree->scale;
        ray->grain += fabs(ray->start[i]);
    }
    ray->grain *= 0x1p-49;
    ray->scale = tree->scale;
    *shift = far ? way : 0;
    ray->way = way - *shift;
    ray->s_from = from - *shift;
    ray->s_to = to - *shift;
    ray->from = along((from - way) * tree->scale) - 0x1p-20f;
    ray->to = along((to - way) * tree->scale) + 0x1p-20f;
    return true;
}

/* Where the line meets the plane. What the test found is uncertain along a narrow triangle; its normal is uncertain
 * only by turns about its longest edge, so the plane is asked at the place of that edge which is nearest. */
static double polished(const fnd_surface *s, int32_t triangle, const fnd_line *line, double at, fender_vec3 n)
{
    double slope = fender_vec3_dot(n, line->d);
    if (fabs(slope) < 1e-3) return at; /* between the corners, which a glance along the plane might not be */
    fender_vec3 from[3], edge = {0, 0, 0};
    double longest = -1;
    int first = 0;
    for (int k = 0; k < 3; k++) from[k] = fender_vec3_sub(fnd_surface_corner(s, triangle, k), line->q);
    for (int k = 0; k < 3; k++) {
        fender_vec3 e = fender_vec3_sub(from[(k + 1) % 3], from[k]);
        double square = fender_vec3_dot(e, e);
        if (!(square > longest)) continue;
        longest = square;
        edge = e;
        first = k;
    }
    fender_vec3 off = fender_vec3_add_scaled(fender_vec3_negate(from[first]), at, line->d);
    double part = fender_vec3_dot(edge, off) / longest;
    double better = fender_vec3_dot(n, fender_vec3_add_scaled(from[first], part, edge)) / slope;
    return fabs(better - at) <= 1e-3 * fabs(at) ? better : at;
}

void fnd_ray_surface_many(const fnd_surface *surface, fnd_line_query *const *queries, int count, bool back)
{
    static fnd_tree_ray_function *const search[3] = {fnd_tree_ray_plain,
#ifdef FND_WIDE
                                                     fnd_tree_ray_avx2, fnd_tree_ray_avx512
#endif
    };
    fnd_tree_ray rays[FND_RAYS];
    fnd_tree_hit hits[FND_RAYS];
    double shift[FND_RAYS];
    fnd_line_query *asked[FND_RAYS];
    int number = 0;
    for (int i = 0; i < count; i++) {
        fnd_line_query *q = queries[i];
        q->found = false;
        if (!fnd_ray_prepare(surface, &q->line, q->from, q->to, &rays[number], &shift[number])) continue;
        rays[number].back = back;
        asked[number++] = q;
    }
    if (number > 0) search[fnd_tree_registers()](surface, rays, hits, number);
    for (int i = 0; i < number; i++) {
        if (hits[i].triangle == FND_TREE_NO_TRIANGLE) continue;
        asked[i]->found = true;
        fender_vec3 n = fnd_triangle_normal(surface, hits[i].triangle);
        double at = polished(surface, hits[i].triangle, &asked[i]->line, hits[i].s + shift[i], n);
        asked[i]->entry = (fnd_entry){at, n, (uint64_t)hits[i].triangle};
    }
}

bool fnd_ray_surface(const fnd_surface *surface, const fnd_line *line, double from, double to, bool back,
                     fnd_entry *entry)
{
    fnd_line_query query = {.line = *line, .from = from, .to = to}, *one = &query;
    fnd_ray_surface_many(surface, &one, 1, back);
    if (query.found) *entry = query.entry;
    return query.found;
}

bool fnd_grid_holds(const fender_geometry *grid, fender_vec3 point)
{
    double height;
    return point.z <= grid->bounds.upper.z && fnd_grid_height(grid->surface, point, &height) && point.z <= height;
}

/* The ground under a grid ends in walls below its border; numbered after the triangles: -x, +x, -y, +y. */
bool fnd_ray_wall(const fender_geometry *grid, const fnd_line *line, double from, double to, fnd_entry *entry)
{
    static const fender_vec3 outward[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
    fender_vec3 l = grid->bounds.lower, u = grid->bounds.upper;
    const double offset[4] = {-l.x, u.x, -l.y, u.y};
    fender_vec3 begin = fnd_line_at(line, from);
    if (begin.x > l.x && begin.x < u.x && begin.y > l.y && begin.y < u.y) return false; /* between them already */
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

bool fnd_ray_grid(const fender_geometry *grid, const fnd_line *line, double from, double to, fnd_entry *entry)
{
    if (fnd_ray_wall(grid, line, from, to, entry)) return true; /* a line enters the raster before all that is in it */
    return fnd_ray_surface(grid->surface, line, from, to, false, entry);
}
