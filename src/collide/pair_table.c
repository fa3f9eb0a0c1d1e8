/* The matrix of pairs, and the questions of fender/geometry.h that go by it. */
#include "collide/pair_table.h"
#include "collide/stand_in.h"
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "collide/convex.h"
#include "collide/mesh_touch.h"
#include "collide/plane.h"
#include "collide/point_contact.h"

bool fnd_manifold_grow(fnd_manifold *manifold)
{
    assert(manifold->count == manifold->capacity);
    void *items = manifold->items;
    bool grown = manifold->env && fnd_reserve_one_more(manifold->env, &items, &manifold->capacity, manifold->count,
                                                       sizeof *manifold->items);
    if (manifold->env) manifold->items = items;
    if (!grown) manifold->failed = true;
    return grown;
}

void fnd_manifold_release(fnd_manifold *manifold)
{
    if (manifold->env)
        fnd_release(manifold->env, manifold->items, (size_t)manifold->capacity * sizeof *manifold->items);
    manifold->items = NULL;
    manifold->count = manifold->capacity = 0;
}

static fnd_geometry_class class_of_type(fender_geometry_type type)
{
    switch (type) {
    case FENDER_GEOMETRY_POINT: return FND_CLASS_POINT;
    case FENDER_GEOMETRY_CLOUD: return FND_CLASS_CLOUD;
    case FENDER_GEOMETRY_PROBE: return FND_CLASS_PROBE;
    case FENDER_GEOMETRY_SPHERE: return FND_CLASS_SPHERE;
    case FENDER_GEOMETRY_CAPSULE: return FND_CLASS_CAPSULE;
    case FENDER_GEOMETRY_DISK: return FND_CLASS_DISK;
    case FENDER_GEOMETRY_PLANE: return FND_CLASS_PLANE;
    case FENDER_GEOMETRY_GRID: return FND_CLASS_GRID;
    case FENDER_GEOMETRY_MESH: return FND_CLASS_MESH;
    case FENDER_GEOMETRY_BOX:
    case FENDER_GEOMETRY_CYLINDER:
    case FENDER_GEOMETRY_CONE:
    case FENDER_GEOMETRY_ELLIPSOID:
    case FENDER_GEOMETRY_HULL:
    case FENDER_GEOMETRY_USER:
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    return FND_CLASS_CONVEX;
}

fnd_geometry_class fnd_geometry_class_of(const fender_geometry *geometry)
{
    if (geometry->type == FENDER_GEOMETRY_USER && !geometry->user.support) return FND_CLASS_FIELD;
    return class_of_type(geometry->type);
}

/* Rows are a, columns b; an empty cell above the diagonal is the mirror of the one below it. */
static fnd_pair_function *const table[FND_CLASS_COUNT][FND_CLASS_COUNT] = {
    [FND_CLASS_POINT][FND_CLASS_SPHERE] = fnd_sphere_sphere,
    [FND_CLASS_POINT][FND_CLASS_CAPSULE] = fnd_sphere_capsule,
    [FND_CLASS_SPHERE][FND_CLASS_SPHERE] = fnd_sphere_sphere,
    [FND_CLASS_SPHERE][FND_CLASS_CAPSULE] = fnd_sphere_capsule,
    [FND_CLASS_CAPSULE][FND_CLASS_SPHERE] = fnd_capsule_sphere,
    [FND_CLASS_CAPSULE][FND_CLASS_CAPSULE] = fnd_capsule_capsule,
    [FND_CLASS_POINT][FND_CLASS_DISK] = fnd_sphere_solid,
    [FND_CLASS_POINT][FND_CLASS_PLANE] = fnd_sphere_solid,
    [FND_CLASS_POINT][FND_CLASS_CONVEX] = fnd_sphere_solid,
    [FND_CLASS_POINT][FND_CLASS_FIELD] = fnd_sphere_solid,
    [FND_CLASS_SPHERE][FND_CLASS_DISK] = fnd_sphere_solid,
    [FND_CLASS_SPHERE][FND_CLASS_PLANE] = fnd_sphere_solid,
    [FND_CLASS_SPHERE][FND_CLASS_CONVEX] = fnd_sphere_solid,
    [FND_CLASS_SPHERE][FND_CLASS_FIELD] = fnd_sphere_solid,
    [FND_CLASS_CLOUD][FND_CLASS_SPHERE] = fnd_cloud_solid,
    [FND_CLASS_CLOUD][FND_CLASS_CAPSULE] = fnd_cloud_solid,
    [FND_CLASS_CLOUD][FND_CLASS_DISK] = fnd_cloud_solid,
    [FND_CLASS_CLOUD][FND_CLASS_PLANE] = fnd_cloud_solid,
    [FND_CLASS_CLOUD][FND_CLASS_CONVEX] = fnd_cloud_solid,
    [FND_CLASS_CLOUD][FND_CLASS_FIELD] = fnd_cloud_solid,
    [FND_CLASS_FIELD][FND_CLASS_CAPSULE] = fnd_field_convex,
    [FND_CLASS_FIELD][FND_CLASS_DISK] = fnd_field_convex,
    [FND_CLASS_FIELD][FND_CLASS_CONVEX] = fnd_field_convex,
    [FND_CLASS_PLANE][FND_CLASS_CAPSULE] = fnd_plane_convex,
    [FND_CLASS_PLANE][FND_CLASS_DISK] = fnd_plane_convex,
    [FND_CLASS_PLANE][FND_CLASS_CONVEX] = fnd_plane_convex,
    [FND_CLASS_CAPSULE][FND_CLASS_DISK] = fnd_convex_convex,
    [FND_CLASS_CAPSULE][FND_CLASS_CONVEX] = fnd_convex_convex,
    [FND_CLASS_DISK][FND_CLASS_DISK] = fnd_convex_convex,
    [FND_CLASS_DISK][FND_CLASS_CONVEX] = fnd_convex_convex,
    [FND_CLASS_CONVEX][FND_CLASS_CONVEX] = fnd_convex_convex,
    [FND_CLASS_PROBE][FND_CLASS_SPHERE] = fnd_probe_solid,
    [FND_CLASS_PROBE][FND_CLASS_CAPSULE] = fnd_probe_solid,
    [FND_CLASS_PROBE][FND_CLASS_DISK] = fnd_probe_solid,
    [FND_CLASS_PROBE][FND_CLASS_PLANE] = fnd_probe_solid,
    [FND_CLASS_PROBE][FND_CLASS_CONVEX] = fnd_probe_solid,
    [FND_CLASS_PROBE][FND_CLASS_GRID] = fnd_probe_solid,
    [FND_CLASS_PROBE][FND_CLASS_MESH] = fnd_probe_solid,
    [FND_CLASS_PROBE][FND_CLASS_FIELD] = fnd_probe_solid,
    [FND_CLASS_GRID][FND_CLASS_POINT] = fnd_surface_point,
    [FND_CLASS_GRID][FND_CLASS_CLOUD] = fnd_surface_cloud,
    [FND_CLASS_GRID][FND_CLASS_SPHERE] = fnd_surface_sphere,
    [FND_CLASS_GRID][FND_CLASS_CAPSULE] = fnd_surface_convex,
    [FND_CLASS_GRID][FND_CLASS_DISK] = fnd_surface_convex,
    [FND_CLASS_GRID][FND_CLASS_PLANE] = fnd_surface_plane,
    [FND_CLASS_GRID][FND_CLASS_CONVEX] = fnd_surface_convex,
    [FND_CLASS_GRID][FND_CLASS_MESH] = fnd_surface_mesh,
    [FND_CLASS_MESH][FND_CLASS_POINT] = fnd_surface_point,
    [FND_CLASS_MESH][FND_CLASS_CLOUD] = fnd_surface_cloud,
    [FND_CLASS_MESH][FND_CLASS_SPHERE] = fnd_surface_sphere,
    [FND_CLASS_MESH][FND_CLASS_CAPSULE] = fnd_surface_convex,
    [FND_CLASS_MESH][FND_CLASS_DISK] = fnd_surface_convex,
    [FND_CLASS_MESH][FND_CLASS_PLANE] = fnd_surface_plane,
    [FND_CLASS_MESH][FND_CLASS_CONVEX] = fnd_surface_convex,
    [FND_CLASS_MESH][FND_CLASS_MESH] = fnd_surface_mesh,
};

static fnd_pair_entry find(fnd_geometry_class row, fnd_geometry_class column)
{
    assert(row < FND_CLASS_COUNT && column < FND_CLASS_COUNT);
    if (table[row][column]) return (fnd_pair_entry){table[row][column], false};
    return (fnd_pair_entry){table[column][row], true};
}

fnd_pair_entry fnd_pair_find(const fender_geometry *a, const fender_geometry *b)
{
    return find(fnd_geometry_class_of(a), fnd_geometry_class_of(b));
}

bool fender_geometry_pair_supported(fender_geometry_type a, fender_geometry_type b)
{
    const unsigned count = FENDER_GEOMETRY_TYPE_COUNT;
    if ((unsigned)a >= count || (unsigned)b >= count) return false;
    return find(class_of_type(a), class_of_type(b)).function != NULL;
}

bool fender_geometry_pair_thin(fender_geometry_type a, fender_geometry_type b)
{
    const bool thin_a = a == FENDER_GEOMETRY_DISK || a == FENDER_GEOMETRY_POINT || a == FENDER_GEOMETRY_CLOUD;
    const bool thin_b = b == FENDER_GEOMETRY_DISK || b == FENDER_GEOMETRY_POINT || b == FENDER_GEOMETRY_CLOUD;
    return thin_a && thin_b && fender_geometry_pair_supported(a, b);
}

bool fnd_pair_can_touch(const fender_geometry *a, const fender_geometry *b)
{
    const bool swept = a->rounding > 0 || b->rounding > 0;
    return fnd_pair_find(a, b).function && (swept || !fender_geometry_pair_thin(a->type, b->type));
}

static void turn_round(fender_separation *s, fender_vec3 offset)
{
    fender_vec3 point_a = s->point_a;
    s->point_a = fender_vec3_add(s->point_b, offset);
    s->point_b = fender_vec3_add(point_a, offset);
    s->normal = fender_vec3_negate(s->normal);
    s->turn = fender_vec3_negate(s->turn);
}

void fnd_pair_mirror(const fnd_posed *a, const fnd_posed *b, int first, fnd_manifold *out)
{
    assert(first >= 0 && first <= out->count);
    fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG);
    for (int i = first; i < out->count; i++) {
        turn_round(&out->items[i], offset);
        out->items[i].feature = fnd_patch_feature_mirrored(out->items[i].feature);
    }
    turn_round(&out->deepest, offset);
}

/* Rising features; equal ones keep their order. */
static void sort_few(fender_separation *items, int count)
{
    for (int i = 1; i < count; i++) {
        fender_separation one = items[i];
        int at = i;
        for (; at > 0 && items[at - 1].feature > one.feature; at--) items[at] = items[at - 1];
        items[at] = one;
    }
}

/* A patch of more points is sorted by merging, with room behind it in the list. */
enum { MANY = 64, RUN = 16 };

static void merge(const fender_separation *from, int middle, int count, fender_separation *to)
{
    int left = 0, right = middle;
    while (left < middle && right < count)
        *to++ = from[right].feature < from[left].feature ? from[right++] : from[left++];
    while (left < middle) *to++ = from[left++];
    while (right < count) *to++ = from[right++];
}

static bool make_room(fnd_manifold *out, int count)
{
    void *items = out->items;
    const bool room = count <= out->capacity || (out->env && fnd_reserve(out->env, &items, &out->capacity, out->count,
                                                                         count, sizeof *out->items));
    out->items = items;
    return room;
}

/* Without memory for the room it takes longer. */
static void sort_many(fnd_manifold *out, int first)
{
    const int count = out->count - first;
    bool sorted = true;
    for (int i = first + 1; i < out->count && sorted; i++) sorted = out->items[i - 1].feature <= out->items[i].feature;
    if (sorted) return;
    if (!make_room(out, out->count + count)) {
        sort_few(&out->items[first], count);
        return;
    }
    fender_separation *now = &out->items[first], *next = now + count;
    for (int i = 0; i < count; i += RUN) sort_few(&now[i], count - i < RUN ? count - i : RUN);
    for (int run = RUN; run < count; run *= 2) {
        for (int i = 0; i < count; i += 2 * run) {
            const int rest = count - i;
            merge(&now[i], rest < run ? rest : run, rest < 2 * run ? rest : 2 * run, &next[i]);
        }
        fender_separation *other = now;
        now = next;
        next = other;
    }
    if (now != &out->items[first]) memcpy(&out->items[first], now, (size_t)count * sizeof *now);
}

/* So many times as deep as the mean of its force, a deepest point is compared with the way out. */
#define DOUBTFUL 3

bool fnd_is_doubtful(double depth, const fnd_patch_sums *sums)
{
    return !(sums->force > 0 && depth * sums->force <= DOUBTFUL * sums->moment);
}

/* What a query of one point says. Of two surfaces it is the deepest point of the patch, which is here already. */
static bool find_nearest(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b, const fnd_query *query,
                         const fnd_manifold *patch, int first, fender_separation *nearest)
{
    if (entry->function == fnd_surface_mesh && patch->count > first) {
        *nearest = patch->items[first];
        for (int i = first + 1; i < patch->count; i++)
            if (patch->items[i].distance < nearest->distance) *nearest = patch->items[i];
        return true;
    }
    fnd_manifold one = {.items = nearest, .capacity = 1};
    const fnd_query single = {FND_QUERY_SINGLE, 0, NULL, query->memory, 0};
    fnd_pair_evaluate(entry, a, b, &single, &one);
    return one.count == 1;
}

/* A face that lies across the solid sees points that are far behind its plane, though another face is the near way out.
 * The deepest point of such a patch is that of the nearest points: no pair is deeper than its way out. */
static void limit_deepest(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b, const fnd_query *query,
                          int first, fnd_manifold *out)
{
    fnd_patch_sums sums = {0, 0};
    for (int i = first; i < out->count; i++) fnd_patch_sums_add(&sums, &out->items[i]);
    if (!out->has_deepest || !fnd_is_doubtful(-out->deepest.distance, &sums)) return;
    fender_separation nearest;
    if (!find_nearest(entry, a, b, query, out, first, &nearest)) return;
    if (!(nearest.distance < 0) || !(nearest.distance > out->deepest.distance)) return;
    out->has_deepest = false;
    fnd_manifold_add_point(out, -nearest.distance, nearest.point_b, nearest.normal);
}

void fnd_pair_evaluate_plain(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b,
                             const fnd_query *query, fnd_manifold *out)
{
    assert(entry->function);
    const int first = out->count;
    if (!entry->mirrored) {
        entry->function(a, b, query, out);
        return;
    }
    entry->function(b, a, query, out);
    fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG); /* its origin is that of b */
    for (int i = first; i < out->count; i++) turn_round(&out->items[i], offset);
    turn_round(&out->deepest, offset);
}

void fnd_pair_evaluate(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b, const fnd_query *query,
                       fnd_manifold *out)
{
    assert(entry->function);
    int first = out->count;
    if (query->kind == FND_QUERY_CORNERS) {
        const fnd_query patch = {FND_QUERY_PATCH, query->reach, query->cache, query->memory, query->lift};
        if (fnd_corners_touch(a->geometry, b->geometry)) fnd_corners(a, b, query, out);
        else fnd_pair_evaluate(entry, a, b, &patch, out);
        return;
    }
    if (query->kind != FND_QUERY_PATCH || !fnd_stand_in(entry, a, b, query, out))
        fnd_pair_evaluate_plain(entry, a, b, query, out);
    if (out->count - first > MANY) sort_many(out, first);
    else if (out->count > first)
        sort_few(&out->items[first], out->count - first); /* an empty list may have no memory */
    if (query->kind == FND_QUERY_PATCH) limit_deepest(entry, a, b, query, first, out);
}

/* ---- The public questions ---- */

static bool place(const fender_geometry *geometry, const fender_pose *X_WG, fnd_posed *posed)
{
    fender_quaternion q = X_WG->q;
    fender_vec3 p = X_WG->p;
    double n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!(p.x * 0 + p.y * 0 + p.z * 0 == 0)) return false; /* not finite */
    if (!(fabs(n - 1) <= 4e-16)) {                         /* most are of unit length, to rounding */
        if (!(n > 0) || !isfinite(n)) return false;
        q = fender_quaternion_normalized(q);
    }
    posed->geometry = geometry;
    posed->p_WG = p;
    posed->R_WG = fender_quaternion_matrix(q);
    return true;
}

fender_status fender_geometry_separation_cached(const fender_geometry *a, const fender_pose *X_WA,
                                                const fender_geometry *b, const fender_pose *X_WB,
                                                fender_separation_cache *cache, fender_separation *separation)
{
    if (!a || !X_WA || !b || !X_WB || !separation) return FENDER_STATUS_ARGUMENT;
    fnd_pair_entry entry = fnd_pair_find(a, b);
    if (!entry.function) return FENDER_STATUS_NO_PAIR_FUNCTION;
    fnd_posed posed_a, posed_b;
    if (!place(a, X_WA, &posed_a) || !place(b, X_WB, &posed_b)) return FENDER_STATUS_VALUE;
    fender_separation found;
    fnd_manifold one = {.items = &found, .capacity = 1};
    fnd_query query = {FND_QUERY_DISTANCE, INFINITY, cache, NULL, 0};
    fnd_pair_evaluate(&entry, &posed_a, &posed_b, &query, &one);
    if (one.count < 1 || !isfinite(found.distance))
        return FENDER_STATUS_NOT_FINITE; /* finite poses too far apart for a double */
    *separation = found;
    return FENDER_STATUS_OK;
}

fender_status fender_geometry_separation(const fender_geometry *a, const fender_pose *X_WA, const fender_geometry *b,
                                         const fender_pose *X_WB, fender_separation *separation)
{
    return fender_geometry_separation_cached(a, X_WA, b, X_WB, NULL, separation);
}

fender_status fender_geometry_contacts(const fender_geometry *a, const fender_pose *X_WA, const fender_geometry *b,
                                       const fender_pose *X_WB, fender_contact_points points, double reach,
                                       fender_separation *separations, int capacity, int *count)
{
    if (!a || !X_WA || !b || !X_WB || !count || capacity < 0 || (capacity > 0 && !separations))
        return FENDER_STATUS_ARGUMENT;
    if (!isfinite(reach)) return FENDER_STATUS_VALUE;
    fnd_pair_entry entry = fnd_pair_find(a, b);
    if (!entry.function) return FENDER_STATUS_NO_PAIR_FUNCTION;
    fnd_posed posed_a, posed_b;
    if (!place(a, X_WA, &posed_a) || !place(b, X_WB, &posed_b)) return FENDER_STATUS_VALUE;
    fnd_manifold found = {.env = &a->env};
    fnd_query query = {fnd_query_of_points(points), reach, NULL, NULL, reach};
    fnd_pair_evaluate(&entry, &posed_a, &posed_b, &query, &found);
    *count = found.count;
    for (int i = 0; i < found.count && i < capacity; i++) separations[i] = found.items[i];
    bool failed = found.failed;
    fnd_manifold_release(&found);
    return failed ? FENDER_STATUS_MEMORY : FENDER_STATUS_OK;
}
