/* Probes: contact points with a line of sight, of which a geometry holds two lengths. */
#include "geometry/geometry_create.h"

#include "base/error.h"

static fender_geometry *make(const fender_env *env, double range, double cushion, bool literal, fender_error *error)
{
    if (!fnd_check_length(range, "probe", "range", "range", error)) return NULL;
    if (!fnd_check_length(cushion, "probe", "cushion", "cushion", error)) return NULL;
    if (!(range > 0)) {
        fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "range", "a probe without range sees no surface", "0 m",
                                    "a length above 0 m",
                                    "its ray starts that far behind the contact point; 0.8 m is usual for a lander"});
        return NULL;
    }
    fender_geometry *geometry = fnd_geometry_create(env, FENDER_GEOMETRY_PROBE, error);
    if (!geometry) return NULL;
    geometry->range = range;
    geometry->cushion = cushion + 0.0; /* -0 becomes 0 */
    geometry->literal = literal;
    fnd_geometry_measure(geometry);
    return geometry;
}

fender_geometry *fender_geometry_probe(const fender_env *env, double range, double cushion, fender_error *error)
{
    return make(env, range, cushion, false, error);
}

fender_geometry *fender_geometry_probe_literal(const fender_env *env, double range, double cushion, fender_error *error)
{
    return make(env, range, cushion, true, error);
}

bool fender_geometry_probe_lengths(const fender_geometry *geometry, double *range, double *cushion, bool *literal)
{
    if (geometry->type != FENDER_GEOMETRY_PROBE) return false;
    *range = geometry->range;
    *cushion = geometry->cushion;
    *literal = geometry->literal;
    return true;
}
