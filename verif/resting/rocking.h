/* Undamped bodies without friction that rock, lift, hop and come down again: does their energy stay? */
#ifndef VERIF_ROCKING_H
#define VERIF_ROCKING_H

#include "resting_cases.h"

/* Largest change of the mechanical energy in ten seconds, as a part of the peak of the kinetic energy. */
static inline double rocking_error(resting_base base, resting_solid solid, fender_integrator_method method, double step,
                                   double tolerance)
{
    const double lean = 0.02;
    resting_set_up s = resting_case(base, solid, 0);
    s.height += 0.08 * lean - 1e-3 - 9.81 / s.stiffness;
    s.off = fender_vec3_make(lean, 0.5 * lean, 0);
    s.mu = s.damping_ratio = 0;
    s.method = method;
    s.step = step;
    s.tolerance = tolerance;
    resting r = resting_build(&s);
    double start = resting_energy(&r), worst = 0, peak = 0;
    while (fender_world_time(r.world) < 10) {
        check_ok(fender_world_step(r.world, &error));
        worst = larger(worst, fabs(resting_energy(&r) - start));
        peak = larger(peak, resting_body(&r).kinetic_energy);
    }
    fender_world_destroy(r.world);
    return worst / peak;
}

/* By the tolerance of an adaptive method, which meets every touch. */
static inline void rocking_check(resting_base base, resting_solid solid)
{
    double errors[2];
    for (int i = 0; i < 2; i++)
        errors[i] = rocking_error(base, solid, FENDER_INTEGRATOR_DOP853, 1e-3, i ? 1e-11 : 1e-8);
    print_message("%-22s rocks on a %-5s for 10 s, dop853: energy within %.1e at tolerance 1e-8, %.1e at 1e-11\n",
                  resting_solid_names[solid], resting_base_names[base], errors[0], errors[1]);
    check_below(errors[1], 1e-5);
    check_below(errors[1], 0.2 * errors[0]);
}

#endif
