/* The integrators by their names. */
#include "world/world.h"

static const fnd_method *const methods[] = {
    [FENDER_INTEGRATOR_RK4] = &fnd_rk4,
    [FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER] = &fnd_semi_implicit,
    [FENDER_INTEGRATOR_VELOCITY_VERLET] = &fnd_velocity_verlet,
    [FENDER_INTEGRATOR_DOPRI5] = &fnd_dopri5,
    [FENDER_INTEGRATOR_DOP853] = &fnd_dop853,
#ifdef FENDER_WITH_SUNDIALS
    [FENDER_INTEGRATOR_CVODE_ADAMS] = &fnd_cvode_adams,
    [FENDER_INTEGRATOR_CVODE_BDF] = &fnd_cvode_bdf,
#endif
};
enum { METHOD_COUNT = sizeof methods / sizeof methods[0] };

const fnd_method *fnd_world_method(fender_integrator_method method)
{
    return (unsigned)method < METHOD_COUNT ? methods[method] : NULL;
}

const char *fender_integrator_name(fender_integrator_method method)
{
    const fnd_method *found = fnd_world_method(method);
    return found ? found->name : NULL;
}

bool fender_integrator_adaptive(fender_integrator_method method)
{
    const fnd_method *found = fnd_world_method(method);
    return found && found->error_count > 0;
}
