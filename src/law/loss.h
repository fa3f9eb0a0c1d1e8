/* Damping that grows with the force of a spring, N = F (1 + D d'), given by D or by a restitution. */
#ifndef FND_LAW_LOSS_H
#define FND_LAW_LOSS_H

#include "law/derive.h"
#include "law/laws.h"

typedef struct fnd_loss {
    double dissipation, restitution, least_speed;
    int formula;
} fnd_loss;

extern const char *const fnd_loss_formulas[];

/* Rows of the field table of `type`, which has the member `loss`. */
#define FND_LOSS_FIELDS(type)                                                                                        \
    {"dissipation",                                                                                                  \
     "s/m",                                                                                                          \
     "Damping D: the force grows by the factor 1 + D d'.",                                                           \
     FENDER_FIELD_REAL,                                                                                              \
     offsetof(type, loss.dissipation),                                                                               \
     0,                                                                                                              \
     0,                                                                                                              \
     INFINITY,                                                                                                       \
     0,                                                                                                              \
     NULL},                                                                                                          \
        {"restitution",                                                                                              \
         "1",                                                                                                        \
         "Coefficient of restitution that is wanted, at every approach speed, in place of D.",                       \
         FENDER_FIELD_REAL,                                                                                          \
         offsetof(type, loss.restitution),                                                                           \
         FENDER_FIELD_ABOVE_MINIMUM,                                                                                 \
         0,                                                                                                          \
         1,                                                                                                          \
         1,                                                                                                          \
         NULL},                                                                                                      \
        {"formula",                                                                                                  \
         "1",                                                                                                        \
         "D from the restitution: exact, or as lankarani_nikravesh or flores approximate it.",                       \
         FENDER_FIELD_ENUM,                                                                                          \
         offsetof(type, loss.formula),                                                                               \
         0,                                                                                                          \
         0,                                                                                                          \
         2,                                                                                                          \
         0,                                                                                                          \
         fnd_loss_formulas},                                                                                         \
    {                                                                                                                \
        "least_speed", "m/s", "With a restitution: approach speed that slower touches are taken for; it bounds D.",  \
            FENDER_FIELD_REAL, offsetof(type, loss.least_speed), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-3, NULL \
    }

/* D times the approach speed that the restitution asks for: to be found once for a contact. */
double fnd_loss_at_unit_speed(const fnd_loss *p);
/* D; `unit` is what the function above gives, 0 where it has not been asked. */
static inline double fnd_loss_dissipation(const fnd_loss *p, double unit, double approach_speed)
{
    if (unit == 0) return p->dissipation;
    return p->dissipation + unit / (approach_speed > p->least_speed ? approach_speed : p->least_speed);
}
/* One of the two, not both. */
fender_status fnd_loss_check(const fnd_loss *p, fender_error *error);

double fnd_derive_dissipation(const void *parameters, const fender_intent *intent);
#define FND_DERIVATION_OF_LOSS                                                             \
    {                                                                                      \
        "dissipation", "restitution speed",                                                \
            "D = c / speed, c (1 + e) = ln((1 + c) / (1 - e c)): an impact of that speed " \
            "gives back e of it",                                                          \
            fnd_derive_dissipation                                                         \
    }

#endif
