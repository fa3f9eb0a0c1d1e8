/* Rays against placed geometries, and against triangles. */
#include "geometry/ray.h"
#include "math/rotation.h"
#include <assert.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "geometry/point_query.h"
#include "geometry/support.h"

/* ---- Triangles ---- */

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
    assert(fnd_is_unit(line->d));
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
    assert(triangle >= 0 && triangle < s->triangle_count);
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

static void ray_surface_many(const fnd_surface *surface, fnd_line_query *const *queries, int count, bool back)
{
    assert(count >= 0 && count <= FND_RAYS);
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

/* Nearest triangle; `back`: seen from behind, too. No ray passes between two triangles that share an edge. */
static bool ray_surface(const fnd_surface *surface, const fnd_line *line, double from, double to, bool back,
                        fnd_entry *entry)
{
    fnd_line_query query = {.line = *line, .from = from, .to = to}, *one = &query;
    ray_surface_many(surface, &one, 1, back);
    if (query.found) *entry = query.entry;
    return query.found;
}

/* True if there is ground above the point. */
static bool grid_holds(const fender_geometry *grid, fender_vec3 point)
{
    assert(grid->type == FENDER_GEOMETRY_GRID);
    double height;
    return point.z <= grid->bounds.upper.z && fnd_grid_height(grid->surface, point, &height) && point.z <= height;
}

/* The ground under a grid ends in walls below its border; numbered after the triangles: -x, +x, -y, +y. */
static bool ray_wall(const fender_geometry *grid, const fnd_line *line, double from, double to, fnd_entry *entry)
{
    assert(grid->type == FENDER_GEOMETRY_GRID);
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
    if (!grid_holds(grid, point)) return false;
    *entry = (fnd_entry){clip.enter, clip.normal, (uint64_t)grid->surface->triangle_count + clip.feature};
    return true;
}

static bool ray_grid(const fender_geometry *grid, const fnd_line *line, double from, double to, fnd_entry *entry)
{
    assert(grid->type == FENDER_GEOMETRY_GRID);
    if (ray_wall(grid, line, from, to, entry)) return true; /* a line enters the raster before all that is in it */
    return ray_surface(grid->surface, line, from, to, false, entry);
}

/* ---- Geometries ---- */

/* Lengths in a unit near the size of the geometry, a power of two: squares stay in range. */
typedef struct measures {
    double radius, half_length;
    fender_vec3 half;
    double scale;
} measures;

static measures measure(const fender_geometry *g)
{
    double scale = 1, size = g->bounding_radius;
    int exponent;
    if (size > 0 && isfinite(size) && (size < 1e-60 || size > 1e60)) {
        frexp(size, &exponent);
        scale = ldexp(1, exponent < -1000 ? 1000 : -exponent);
    }
    return (measures){scale * g->radius, scale * g->half_length, fender_vec3_scale(scale, g->half), scale};
}

static void clip_polytope(fnd_clip *clip, const fnd_line *line, const fnd_polytope *p, double scale)
{
    for (int f = 0; f < p->face_count; f++)
        fnd_clip_half_space(clip, line, p->face_normals[f], scale * p->face_offsets[f], (uint64_t)f);
    if (p->face_count == 2) { /* flat: planes across it through its edges */
        for (int k = p->face_start[0]; k < p->face_start[1]; k++) {
            int next = k + 1 < p->face_start[1] ? k + 1 : p->face_start[0];
            fender_vec3 from = fender_vec3_scale(scale, p->vertices[p->face_vertices[k]]);
            fender_vec3 to = fender_vec3_scale(scale, p->vertices[p->face_vertices[next]]);
            fender_vec3 n = fender_vec3_cross(fender_vec3_sub(to, from), p->face_normals[0]);
            n = fender_vec3_scale(1 / fender_vec3_length(n), n);
            fnd_clip_half_space(clip, line, n, fender_vec3_dot(n, from), 0);
        }
    }
    if (p->face_count == 0) clip->enter = INFINITY; /* a segment or a point */
}

/* A tube between two planes, and a sphere at either end; a line enters the sphere at whose end it meets the tube. */
static void clip_capsule(fnd_clip *clip, const fnd_line *line, double radius, double half_length)
{
    assert(!(radius < 0) && !(half_length < 0));
    fnd_clip_tube(clip, line, radius, 0);
    if (fnd_clip_empty(clip)) return;
    double z = line->q.z + clip->enter * line->d.z;
    if (fabs(z) <= half_length) return;
    *clip = fnd_clip_none();
    fnd_clip_sphere(clip, line, fender_vec3_make(0, 0, z > 0 ? half_length : -half_length), radius, 0);
}

static void clip_convex(fnd_clip *clip, const fnd_line *line, const fender_geometry *g, const measures *m)
{
    const fender_vec3 up = {0, 0, 1}, down = {0, 0, -1}, origin = {0, 0, 0};
    switch (g->type) {
    case FENDER_GEOMETRY_SPHERE: fnd_clip_sphere(clip, line, origin, m->radius, 0); return;
    case FENDER_GEOMETRY_CAPSULE: clip_capsule(clip, line, m->radius, m->half_length); return;
    case FENDER_GEOMETRY_PLANE: fnd_clip_half_space(clip, line, up, 0, 0); return;
    case FENDER_GEOMETRY_DISK:
    case FENDER_GEOMETRY_CYLINDER:
        fnd_clip_tube(clip, line, m->radius, 0);
        fnd_clip_half_space(clip, line, down, m->half_length, 1);
        fnd_clip_half_space(clip, line, up, m->half_length, 2);
        return;
    case FENDER_GEOMETRY_CONE:
        if (m->half_length > 0) fnd_clip_cone(clip, line, m->radius / (2 * m->half_length), m->half_length, 0);
        else {
            fnd_clip_tube(clip, line, m->radius, 0);
            fnd_clip_half_space(clip, line, up, 0, 0);
        }
        fnd_clip_half_space(clip, line, down, m->half_length, 1);
        return;
    case FENDER_GEOMETRY_ELLIPSOID: fnd_clip_ellipsoid(clip, line, m->half, 0); return;
    case FENDER_GEOMETRY_BOX:
    case FENDER_GEOMETRY_HULL: clip_polytope(clip, line, g->polytope, m->scale); return;
    case FENDER_GEOMETRY_POINT:
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_PROBE:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_USER:
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    clip->enter = INFINITY;
}

/* In a solid that has an inside? */
static bool holds(const fender_geometry *g, fender_vec3 point)
{
    fnd_surface_point found;
    if (g->type == FENDER_GEOMETRY_GRID) return grid_holds(g, point);
    if (g->type == FENDER_GEOMETRY_USER && g->user.support) {
        fender_vec3 toward;
        return fnd_support_distance(g, point, &toward) <= g->rounding;
    }
    if (!fnd_point_query(g, point, &found)) return false;
    return found.distance <= 0;
}

/* Entry of the line in G at `from` or later; `to` is only a help. */
static bool find_entry(const fender_geometry *g, const fnd_line *line, double from, double to, fnd_entry *entry)
{
    assert(fnd_is_unit(line->d));
    switch (g->type) {
    case FENDER_GEOMETRY_GRID: return ray_grid(g, line, from, to, entry);
    case FENDER_GEOMETRY_MESH: return ray_surface(g->surface, line, from, to, false, entry);
    case FENDER_GEOMETRY_USER:
        if (g->user.support) return fnd_ray_support(g, line, from, entry);
        return fnd_ray_field(g, line, from, to, entry);
    default: break;
    }
    if (g->rounding > 0) return fnd_ray_rounded(g, line, from, entry);
    measures m = measure(g);
    fnd_line scaled = {fender_vec3_scale(m.scale, line->q), line->d};
    fnd_clip clip = fnd_clip_none();
    clip_convex(&clip, &scaled, g, &m);
    if (fnd_clip_empty(&clip) || !isfinite(clip.enter)) return false;
    *entry = (fnd_entry){clip.enter / m.scale, clip.normal, clip.feature};
    return true;
}

/* The point that rays are reduced to: the middle of the bounds where there are any. */
static fender_vec3 middle_of(const fender_geometry *g)
{
    if (g->type == FENDER_GEOMETRY_PLANE) return fender_vec3_make(0, 0, 0);
    fender_vec3 u = g->bounds.upper, l = g->bounds.lower;
    if (isinf(l.z)) l.z = u.z;
    return fender_vec3_make(0.5 * u.x + 0.5 * l.x, 0.5 * u.y + 0.5 * l.y, 0.5 * u.z + 0.5 * l.z);
}

/* Unit vector of a direction of any length; false for none. */
static bool unit_of(fender_vec3 d, fender_vec3 *unit)
{
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z), m = x > y ? x : y;
    if (z > m) m = z;
    if (!(m > 0) || !fender_vec3_is_finite(d)) return false;
    d = fender_vec3_make(d.x / m, d.y / m, d.z / m);
    double length = fender_vec3_length(d);
    *unit = fender_vec3_make(d.x / length, d.y / length, d.z / length);
    return true;
}

/* Line of the ray, and the way from the ray's origin to the line's q; false: farther than a double reaches. */
static bool line_of(const fender_geometry *geometry, fender_vec3 o, fender_vec3 d, fnd_line *line, double *way)
{
    *way = 0;
    *line = (fnd_line){o, d};
    if (geometry->surface) return fender_vec3_is_finite(o); /* its triangles are seen from the ray's origin */
    fender_vec3 middle = middle_of(geometry), q = fender_vec3_sub(o, middle);
    *way = -fender_vec3_dot(q, d); /* from the origin of the ray to the point nearest to the middle */
    q = fender_vec3_add_scaled(q, *way, d);
    *line = (fnd_line){fender_vec3_add(fender_vec3_add_scaled(q, -fender_vec3_dot(q, d), d), middle), d};
    return isfinite(*way) && fender_vec3_is_finite(line->q);
}

/* How far the distance of a ray is uncertain by the rounding of what it is computed from. */
static double grain_of(const fender_geometry *geometry, const fnd_line *line, double way)
{
    double size = isfinite(geometry->bounding_radius) ? geometry->bounding_radius : 0;
    return 4e-16 * (size + fabs(way) + fender_vec3_length(line->q));
}

static bool enter(const fender_geometry *geometry, const fnd_line *line, double way, double range, double *distance,
                  fnd_entry *entry)
{
    double grain = grain_of(geometry, line, way);
    if (!find_entry(geometry, line, -way - grain, range - way, entry)) return false;
    *distance = way + entry->s;
    return *distance >= -grain && *distance <= range;
}

bool fnd_ray_enter(const fender_geometry *geometry, fender_vec3 origin, fender_vec3 direction, double range,
                   double *distance, fnd_entry *entry, fender_vec3 *point)
{
    assert(fnd_is_unit(direction));
    fnd_line line;
    double way;
    if (!line_of(geometry, origin, direction, &line, &way)) return false;
    bool searched = geometry->rounding > 0 || geometry->type == FENDER_GEOMETRY_USER; /* these begin outside */
    if (searched && holds(geometry, origin)) return false;
    if (!enter(geometry, &line, way, range, distance, entry)) return false;
    *point = fnd_line_at(&line, entry->s);
    return true;
}

static bool is_ray(const fender_ray *ray, fender_vec3 *direction)
{
    return unit_of(ray->direction, direction) && fender_vec3_is_finite(ray->origin) && ray->range >= 0;
}

static fender_ray_hit inside(const fender_ray *ray, fender_vec3 direction)
{
    return (fender_ray_hit){true, 0, ray->origin, fender_vec3_negate(direction), 0};
}

static fender_ray_hit hit_of(const fender_pose *X_WG, const fender_mat3 *R, const fnd_line *line, double distance,
                             const fnd_entry *entry)
{
    fender_vec3 point = fender_vec3_add(X_WG->p, fender_mat3_times(R, fnd_line_at(line, entry->s)));
    return (fender_ray_hit){true, distance > 0 ? distance : 0, point, fender_mat3_times(R, entry->normal),
                            entry->feature};
}

fender_status fender_geometry_ray_cast(const fender_geometry *geometry, const fender_pose *X_WG, const fender_ray *ray,
                                       fender_ray_hit *hit)
{
    if (!geometry || !X_WG || !ray || !hit) return FENDER_STATUS_ARGUMENT;
    fender_vec3 direction;
    fender_mat3 R;
    if (!is_ray(ray, &direction) || !fnd_pose_axes(X_WG, &R)) return FENDER_STATUS_VALUE;
    *hit = (fender_ray_hit){0};
    fender_vec3 o = fender_mat3_transpose_times(&R, fender_vec3_sub(ray->origin, X_WG->p));
    fender_vec3 d = fender_mat3_transpose_times(&R, direction);
    fnd_line line;
    double way, distance;
    if (!line_of(geometry, o, d, &line, &way)) return FENDER_STATUS_OK;
    fnd_entry entry;
    if (holds(geometry, o)) *hit = inside(ray, direction);
    else if (enter(geometry, &line, way, ray->range, &distance, &entry))
        *hit = hit_of(X_WG, &R, &line, distance, &entry);
    return FENDER_STATUS_OK;
}

/* Up to FND_RAYS rays at once against a grid or mesh, as `enter` does for one. */
static void cast_some(const fender_geometry *g, const fender_pose *X_WG, const fender_mat3 *R, const fender_ray *rays,
                      int count, fender_ray_hit *hits)
{
    assert(count >= 0);
    fnd_line_query queries[FND_RAYS], *asked[FND_RAYS] = {NULL};
    int number = 0;
    for (int i = 0; i < count; i++) {
        fnd_line_query *q = &queries[i];
        fender_vec3 direction;
        double way;
        q->found = false;
        hits[i] = (fender_ray_hit){0};
        if (!unit_of(rays[i].direction, &direction)) continue;
        fender_vec3 o = fender_mat3_transpose_times(R, fender_vec3_sub(rays[i].origin, X_WG->p));
        if (!line_of(g, o, fender_mat3_transpose_times(R, direction), &q->line, &way)) continue;
        if (holds(g, o)) {
            hits[i] = inside(&rays[i], direction);
            continue;
        }
        q->from = -grain_of(g, &q->line, way);
        q->to = rays[i].range;
        bool grid = g->type == FENDER_GEOMETRY_GRID;
        if (grid && ray_wall(g, &q->line, q->from, q->to, &q->entry)) q->found = true;
        else asked[number++] = q;
    }
    ray_surface_many(g->surface, asked, number, false);
    for (int i = 0; i < count; i++)
        if (queries[i].found && queries[i].entry.s >= queries[i].from && queries[i].entry.s <= queries[i].to)
            hits[i] = hit_of(X_WG, R, &queries[i].line, queries[i].entry.s, &queries[i].entry);
}

fender_status fender_geometry_ray_cast_many(const fender_geometry *geometry, const fender_pose *X_WG,
                                            const fender_ray *rays, int count, fender_ray_hit *hits)
{
    if (!geometry || !X_WG || count < 0 || (count > 0 && (!rays || !hits))) return FENDER_STATUS_ARGUMENT;
    fender_mat3 R;
    if (!fnd_pose_axes(X_WG, &R)) return FENDER_STATUS_VALUE;
    for (int i = 0; i < count; i++) {
        fender_vec3 direction;
        if (!is_ray(&rays[i], &direction)) return FENDER_STATUS_VALUE;
    }
    for (int i = 0; i < count; i += geometry->surface ? FND_RAYS : 1) {
        int some = count - i < FND_RAYS ? count - i : FND_RAYS;
        if (geometry->surface) cast_some(geometry, X_WG, &R, rays + i, some, hits + i);
        else fender_geometry_ray_cast(geometry, X_WG, &rays[i], &hits[i]);
    }
    return FENDER_STATUS_OK;
}
