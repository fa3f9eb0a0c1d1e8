/* Damping that grows with the force of a spring, by a restitution that is wanted. */
#include "law/loss.h"

#include "base/error.h"

enum { FORMULA_EXACT, FORMULA_LANKARANI_NIKRAVESH, FORMULA_FLORES };
const char *const fnd_loss_formulas[] = {"exact", "lankarani_nikravesh", "flores", NULL};

/* What the approximations give in truth: docs/models/contact_laws.md. Lankarani and Nikravesh, J. Mech. Design 112
 * (1990) 369: for e near 1. Flores, Machado, Silva and Martins, Multibody Syst. Dyn. 25 (2011) 357: down to small e. */
double fnd_loss_at_unit_speed(const fnd_loss *p)
{
    double e = p->restitution;
    if (p->formula == FORMULA_LANKARANI_NIKRAVESH) return 0.75 * (1 - e * e);
    if (p->formula == FORMULA_FLORES) return 1.6 * (1 - e) / e;
    return fender_hunt_crossley_damping(e);
}

fender_status fnd_loss_check(const fnd_loss *p, fender_error *error)
{
    if (p->dissipation == 0 || p->restitution == 1) return FENDER_STATUS_OK;
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "restitution", "dissipation and restitution are both given",
                                       "both", "one of the two", "leave one of them out"});
}

double fnd_derive_dissipation(const void *parameters, const fender_intent *intent)
{
    (void)parameters;
    return fender_hunt_crossley_damping(intent->restitution) / intent->speed;
}
