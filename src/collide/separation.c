/* Distance between two placed geometries without a world. */
#include "collide/pair_table.h"

static bool place(const fender_geometry *geometry, const fender_pose *X_WG, fnd_placed *placed)
{
    fender_quaternion q = X_WG->q;
    double n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!(n > 0) || !isfinite(n) || !fender_vec3_is_finite(X_WG->p)) return false;
    placed->geometry = geometry;
    placed->p_WG = X_WG->p;
    placed->R_WG = fender_quaternion_matrix(fender_quaternion_normalized(q));
    return true;
}

fender_status fender_geometry_separation(const fender_geometry *a, const fender_pose *X_WA, const fender_geometry *b,
                                         const fender_pose *X_WB, fender_separation *separation)
{
    if (!a || !X_WA || !b || !X_WB || !separation) return FENDER_STATUS_ARGUMENT;
    fnd_pair_function *function = fnd_pair_function_find(fender_geometry_type_of(a), fender_geometry_type_of(b));
    if (!function) return FENDER_STATUS_NO_PAIR_FUNCTION;
    fnd_placed placed_a, placed_b;
    if (!place(a, X_WA, &placed_a) || !place(b, X_WB, &placed_b)) return FENDER_STATUS_VALUE;
    _Static_assert(FND_SEPARATION_CAPACITY == 1, "with several contacts, the nearest one has to be picked here");
    fender_separation found;
    if (function(&placed_a, &placed_b, INFINITY, &found) < 1 || !isfinite(found.distance))
        return FENDER_STATUS_NOT_FINITE; /* finite poses too far apart for a double */
    *separation = found;
    return FENDER_STATUS_OK;
}

bool fender_geometry_pair_supported(fender_geometry_type a, fender_geometry_type b)
{
    return fnd_pair_function_find(a, b) != NULL;
}
