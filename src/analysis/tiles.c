/* Shapes of one body that meet: surfaces along a border, as tiles of one terrain; solids whose faces are flush. */
#include <fender/advice.h>

/* Points of one surface that lie on the other, nearer than this part of the size of the smaller one. */
static const double NEAR = 1e-6;
enum { MOST_QUERIES = 100000 };

/* Points that both surfaces have: two that are apart are on a common border. */
typedef struct common {
    int count;
    fender_vec3 first;
} common;

static bool boxes_meet(const fender_box *a, const fender_box *b, double margin)
{
    return a->lower.x <= b->upper.x + margin && b->lower.x <= a->upper.x + margin &&
           a->lower.y <= b->upper.y + margin && b->lower.y <= a->upper.y + margin &&
           a->lower.z <= b->upper.z + margin && b->lower.z <= a->upper.z + margin;
}

/* The areas of a closed surface add to 0 as vectors. */
static bool is_open(const fender_geometry *geometry)
{
    if (fender_geometry_type_of(geometry) == FENDER_GEOMETRY_GRID) return true;
    if (fender_geometry_type_of(geometry) != FENDER_GEOMETRY_MESH) return false;
    int vertices;
    const fender_vec3 *v = fender_geometry_vertices(geometry, &vertices);
    const int count = fender_geometry_triangles(geometry, NULL, 0);
    const fender_env env = fender_env_default();
    const size_t size = (size_t)count * sizeof(int32_t);
    int32_t *t = count > 0 ? env.allocator.allocate(env.allocator.ctx, size, _Alignof(int32_t)) : NULL;
    if (t == NULL) return false;
    (void)fender_geometry_triangles(geometry, t, count);
    fender_vec3 sum = {0, 0, 0};
    double area = 0;
    for (int i = 0; i + 2 < count; i += 3) {
        const fender_vec3 n = fender_vec3_cross(fender_vec3_sub(v[t[i + 1]], v[t[i]]),
                                                fender_vec3_sub(v[t[i + 2]], v[t[i]]));
        sum = fender_vec3_add(sum, n);
        area += fender_vec3_length(n);
    }
    env.allocator.release(env.allocator.ctx, t, size);
    return fender_vec3_length(sum) > 1e-6 * area;
}

/* Vertices of a that lie on b, until two of them are apart. */
static void note_common(const fender_geometry *a, const fender_pose *X_a, const fender_geometry *b,
                        const fender_pose *X_b, double margin, common *found)
{
    const fender_box box = fender_geometry_bounds(b, X_b);
    int count, queries = 0;
    const fender_vec3 *v = fender_geometry_vertices(a, &count);
    for (int i = 0; i < count && found->count < 2 && queries < MOST_QUERIES; i++) {
        const fender_vec3 at = fender_vec3_add(X_a->p, fender_quaternion_rotate(X_a->q, v[i]));
        const fender_box point = {at, at};
        fender_nearest nearest;
        if (!boxes_meet(&point, &box, margin)) continue;
        if (found->count == 1 && fender_vec3_length(fender_vec3_sub(at, found->first)) <= 2 * margin) continue;
        queries++;
        if (fender_geometry_nearest_point(b, X_b, at, margin, &nearest) != FENDER_STATUS_OK || !nearest.found) continue;
        if (found->count++ == 0) found->first = at;
    }
}

bool fender_shapes_adjoin(const fender_world *world, fender_shape_id a, fender_shape_id b)
{
    fender_shape_def defs[2];
    if (fender_shape_body(world, a).index1 != fender_shape_body(world, b).index1 ||
        fender_shape_get_def(world, a, &defs[0]) != FENDER_STATUS_OK ||
        fender_shape_get_def(world, b, &defs[1]) != FENDER_STATUS_OK)
        return false;
    fender_box boxes[2];
    double size = INFINITY;
    for (int i = 0; i < 2; i++) {
        const fender_geometry_type type = fender_geometry_type_of(defs[i].geometry);
        if (type != FENDER_GEOMETRY_GRID && type != FENDER_GEOMETRY_MESH) return false;
        boxes[i] = fender_geometry_bounds(defs[i].geometry, &defs[i].X_SG);
        const double radius = fender_geometry_bounding_radius(defs[i].geometry);
        size = radius < size ? radius : size;
    }
    const double margin = NEAR * size;
    if (!boxes_meet(&boxes[0], &boxes[1], margin) || !is_open(defs[0].geometry) || !is_open(defs[1].geometry))
        return false;
    common found = {0};
    for (int i = 0; i < 2; i++)
        note_common(defs[i].geometry, &defs[i].X_SG, defs[1 - i].geometry, &defs[1 - i].X_SG, margin, &found);
    return found.count == 2;
}

/* ---- Flush solids ---- */

typedef struct placed {
    const fender_geometry *geometry;
    fender_pose X;
    fender_box box;
} placed;

static fender_vec3 corner_of(const placed *p, int32_t index)
{
    return fender_vec3_add(p->X.p,
                           fender_quaternion_rotate(p->X.q, fender_geometry_vertices(p->geometry, NULL)[index]));
}

/* The corners of a in the plane that lie on b, until two of them are apart. */
static void note_corners(const placed *a, const placed *b, fender_vec3 normal, double height, double margin,
                         common *found)
{
    int count;
    (void)fender_geometry_vertices(a->geometry, &count);
    for (int i = 0; i < count && found->count < 2; i++) {
        const fender_vec3 at = corner_of(a, i);
        const fender_box point = {at, at};
        fender_nearest nearest;
        if (fender_vec3_dot(at, normal) < height - margin || !boxes_meet(&point, &b->box, margin)) continue;
        if (found->count == 1 && fender_vec3_length(fender_vec3_sub(at, found->first)) <= 4 * margin) continue;
        if (fender_geometry_nearest_point(b->geometry, &b->X, at, margin, &nearest) != FENDER_STATUS_OK ||
            !nearest.found)
            continue;
        if (found->count++ == 0) found->first = at;
    }
}

/* Does b end in the plane of that face of a, and do they meet there along a line? */
static bool face_is_flush(const placed *a, const int32_t *triangle, const placed *b, double margin)
{
    const fender_vec3 corner = corner_of(a, triangle[0]);
    const fender_vec3 across = fender_vec3_cross(fender_vec3_sub(corner_of(a, triangle[1]), corner),
                                                 fender_vec3_sub(corner_of(a, triangle[2]), corner));
    const double area = fender_vec3_length(across);
    if (!(area > 0)) return false;
    const fender_vec3 normal = fender_vec3_scale(1 / area, across);
    const double height = fender_vec3_dot(corner, normal);
    double top = -INFINITY;
    int count;
    (void)fender_geometry_vertices(b->geometry, &count);
    for (int i = 0; i < count; i++) top = fmax(top, fender_vec3_dot(corner_of(b, i), normal));
    if (fabs(top - height) > margin) return false;
    common found = {0};
    note_corners(a, b, normal, height, margin, &found);
    note_corners(b, a, normal, height, margin, &found);
    return found.count == 2;
}

static bool has_flush_face(const placed *a, const placed *b, double margin)
{
    const fender_env env = fender_env_default();
    const int count = fender_geometry_triangles(a->geometry, NULL, 0);
    const size_t size = (size_t)count * sizeof(int32_t);
    int32_t *t = count > 0 ? env.allocator.allocate(env.allocator.ctx, size, _Alignof(int32_t)) : NULL;
    bool flush = false;
    if (t == NULL) return false;
    (void)fender_geometry_triangles(a->geometry, t, count);
    for (int i = 0; i + 2 < count && !flush; i += 3) flush = face_is_flush(a, t + i, b, margin);
    env.allocator.release(env.allocator.ctx, t, size);
    return flush;
}

bool fender_shapes_flush(const fender_world *world, fender_shape_id a, fender_shape_id b)
{
    const fender_shape_id ids[2] = {a, b};
    placed solids[2];
    double size = INFINITY;
    if (fender_shape_body(world, a).index1 != fender_shape_body(world, b).index1) return false;
    for (int i = 0; i < 2; i++) {
        fender_shape_def def;
        if (fender_shape_get_def(world, ids[i], &def) != FENDER_STATUS_OK) return false;
        const fender_geometry_type type = fender_geometry_type_of(def.geometry);
        if ((type != FENDER_GEOMETRY_BOX && type != FENDER_GEOMETRY_HULL) || fender_geometry_rounding(def.geometry) > 0)
            return false;
        solids[i] = (placed){def.geometry, def.X_SG, fender_geometry_bounds(def.geometry, &def.X_SG)};
        size = fmin(size, fender_geometry_bounding_radius(def.geometry));
    }
    const double margin = NEAR * size;
    return boxes_meet(&solids[0].box, &solids[1].box, margin) &&
           (has_flush_face(&solids[0], &solids[1], margin) || has_flush_face(&solids[1], &solids[0], margin));
}
