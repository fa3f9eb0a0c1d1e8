/* Distance and contacts of two placed geometries without a world. */
#include "base/error.h"
#include "collide/pair_table.h"

static bool place(const fender_geometry *geometry, const fender_pose *X_WG, fnd_placed *placed)
{
    fender_quaternion q = X_WG->q;
    fender_vec3 p = X_WG->p;
    double n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!(p.x * 0 + p.y * 0 + p.z * 0 == 0)) return false; /* not finite */
    if (!(fabs(n - 1) <= 4e-16)) {                         /* most are of unit length, to rounding */
        if (!(n > 0) || !isfinite(n)) return false;
        q = fender_quaternion_normalized(q);
    }
    placed->geometry = geometry;
    placed->p_WG = p;
    placed->R_WG = fender_quaternion_matrix(q);
    return true;
}

fender_status fender_geometry_separation_cached(const fender_geometry *a, const fender_pose *X_WA,
                                                const fender_geometry *b, const fender_pose *X_WB,
                                                fender_separation_cache *cache, fender_separation *separation)
{
    if (!a || !X_WA || !b || !X_WB || !separation) return FENDER_STATUS_ARGUMENT;
    fnd_pair_entry entry = fnd_pair_find(a, b);
    if (!entry.function) return FENDER_STATUS_NO_PAIR_FUNCTION;
    fnd_placed placed_a, placed_b;
    if (!place(a, X_WA, &placed_a) || !place(b, X_WB, &placed_b)) return FENDER_STATUS_VALUE;
    fender_separation found;
    fnd_manifold one = {.items = &found, .capacity = 1};
    fnd_query query = {FND_QUERY_DISTANCE, INFINITY, cache};
    fnd_pair_evaluate(&entry, &placed_a, &placed_b, &query, &one);
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
    fnd_placed placed_a, placed_b;
    if (!place(a, X_WA, &placed_a) || !place(b, X_WB, &placed_b)) return FENDER_STATUS_VALUE;
    fnd_manifold found = {.env = &a->env};
    fnd_query query = {fnd_query_of_points(points), reach, NULL};
    fnd_pair_evaluate(&entry, &placed_a, &placed_b, &query, &found);
    *count = found.count;
    for (int i = 0; i < found.count && i < capacity; i++) separations[i] = found.items[i];
    bool failed = found.failed;
    fnd_manifold_release(&found);
    return failed ? FENDER_STATUS_MEMORY : FENDER_STATUS_OK;
}
