/* Rays against placed geometries; those against grids and meshes are in ray_surface.c. */
#include "geometry/ray.h"
#include "math/rotation.h"
#include <assert.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "geometry/point_query.h"
#include "geometry/support.h"

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
    fnd_solid_point found;
    if (g->type == FENDER_GEOMETRY_GRID) return fnd_grid_holds(g, point);
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
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH: return fnd_ray_surface(g, line, from, to, entry);
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

/* Unit vector of a direction of any length but 0. */
static fender_vec3 unit_of(fender_vec3 d)
{
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z), m = x > y ? x : y;
    if (z > m) m = z;
    d = fender_vec3_make(d.x / m, d.y / m, d.z / m);
    double length = fender_vec3_length(d);
    return fender_vec3_make(d.x / length, d.y / length, d.z / length);
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

static bool is_ray(const fender_ray *ray)
{
    const fender_vec3 d = ray->direction;
    return fender_vec3_is_finite(d) && (d.x != 0 || d.y != 0 || d.z != 0) && fender_vec3_is_finite(ray->origin) &&
           ray->range >= 0;
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

static void cast(const fender_geometry *geometry, const fender_pose *X_WG, const fender_mat3 *R, const fender_ray *ray,
                 fender_ray_hit *hit)
{
    *hit = (fender_ray_hit){0};
    const fender_vec3 direction = unit_of(ray->direction);
    fender_vec3 o = fender_mat3_transpose_times(R, fender_vec3_sub(ray->origin, X_WG->p));
    fender_vec3 d = fender_mat3_transpose_times(R, direction);
    fnd_line line;
    double way, distance;
    if (!line_of(geometry, o, d, &line, &way)) return;
    fnd_entry entry;
    if (holds(geometry, o)) *hit = inside(ray, direction);
    else if (enter(geometry, &line, way, ray->range, &distance, &entry))
        *hit = hit_of(X_WG, R, &line, distance, &entry);
}

fender_status fender_geometry_ray_cast(const fender_geometry *geometry, const fender_pose *X_WG, const fender_ray *ray,
                                       fender_ray_hit *hit)
{
    return fender_geometry_ray_cast_many(geometry, X_WG, ray, 1, hit);
}

fender_status fender_geometry_ray_cast_many(const fender_geometry *geometry, const fender_pose *X_WG,
                                            const fender_ray *rays, int count, fender_ray_hit *hits)
{
    if (!geometry || !X_WG || count < 0 || (count > 0 && (!rays || !hits))) return FENDER_STATUS_ARGUMENT;
    fender_mat3 R;
    if (!fnd_pose_axes(X_WG, &R)) return FENDER_STATUS_VALUE;
    for (int i = 0; i < count; i++)
        if (!is_ray(&rays[i])) return FENDER_STATUS_VALUE;
    if (geometry->surface) fnd_ray_cast_surface(geometry, X_WG, &R, rays, count, hits);
    else
        for (int i = 0; i < count; i++) cast(geometry, X_WG, &R, &rays[i], &hits[i]);
    return FENDER_STATUS_OK;
}
