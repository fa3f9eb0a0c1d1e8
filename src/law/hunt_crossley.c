/* Law `hunt_crossley`: spring k d^n with a damper that grows with it. */
#include "base/error.h"
#include "law/power_spring.h"

typedef enum formula { FORMULA_EXACT, FORMULA_LANKARANI_NIKRAVESH, FORMULA_FLORES } formula;
static const char *const formulas[] = {"exact", "lankarani_nikravesh", "flores", NULL};

typedef struct hunt_crossley {
    fnd_power_spring spring;
    double dissipation, restitution, least_speed;
    int formula;
} hunt_crossley;

static const fender_field hunt_crossley_fields[] = {
    FND_POWER_SPRING_FIELDS(hunt_crossley),
    {"dissipation", "s/m", "Damping D: the force grows by the factor 1 + D d'.", FENDER_FIELD_REAL,
     offsetof(hunt_crossley, dissipation), 0, 0, INFINITY, 0, NULL},
    {"restitution", "1", "Coefficient of restitution that is wanted, at every approach speed, in place of D.",
     FENDER_FIELD_REAL, offsetof(hunt_crossley, restitution), FENDER_FIELD_ABOVE_MINIMUM, 0, 1, 1, NULL},
    {"formula", "1", "D from the restitution: exact, or as lankarani_nikravesh or flores approximate it.",
     FENDER_FIELD_ENUM, offsetof(hunt_crossley, formula), 0, 0, 2, FORMULA_EXACT, formulas},
    {"least_speed", "m/s", "With a restitution: approach speed that slower touches are taken for; it bounds D.",
     FENDER_FIELD_REAL, offsetof(hunt_crossley, least_speed), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-3, NULL},
};

/* D times the approach speed for a restitution. What the approximations give in truth: docs/models/contact_laws.md.
 * Lankarani and Nikravesh, J. Mech. Design 112 (1990) 369: for e near 1. Flores, Machado, Silva and Martins, Multibody
 * Syst. Dyn. 25 (2011) 357: down to small e. */
static double loss_of(const hunt_crossley *p)
{
    double e = p->restitution;
    if (p->formula == FORMULA_LANKARANI_NIKRAVESH) return 0.75 * (1 - e * e);
    if (p->formula == FORMULA_FLORES) return 1.6 * (1 - e) / e;
    return fender_hunt_crossley_damping(e);
}

/* The loss is found once. */
typedef struct hunt_crossley_memory {
    fnd_power_spring_memory spring; /* first: the functions of the spring see no more */
    double loss;
} hunt_crossley_memory;

static double dissipation(const hunt_crossley *p, const fender_contact_input *in, const hunt_crossley_memory *m)
{
    if (!m || m->loss == 0) return p->dissipation;
    double speed = in->approach_speed > p->least_speed ? in->approach_speed : p->least_speed;
    return p->dissipation + m->loss / speed;
}

static void hunt_crossley_establish(const void *parameters, const fender_contact_input *in, void *memory)
{
    const hunt_crossley *p = parameters;
    hunt_crossley_memory *m = memory;
    (void)in;
    m->loss = loss_of(p);
}

static fender_status hunt_crossley_check(const void *parameters, fender_error *error)
{
    const hunt_crossley *p = parameters;
    if (p->dissipation == 0 || p->restitution == 1) return FENDER_STATUS_OK;
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "restitution", "dissipation and restitution are both given",
                                       "both", "one of the two", "leave one of them out"});
}

static void hunt_crossley_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                fender_contact_output *out)
{
    const hunt_crossley *p = parameters;
    fnd_power_spring_force(&p->spring, dissipation(p, in, memory), in, memory, out);
}

static void hunt_crossley_roots(const void *parameters, const fender_contact_input *in, const void *memory,
                                double *root)
{
    fnd_power_spring_roots(dissipation(parameters, in, memory), in, memory, root);
}

static void hunt_crossley_update(const void *parameters, const fender_contact_input *in,
                                 const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    (void)out, (void)change;
    fnd_power_spring_update(dissipation(parameters, in, memory), in, memory);
}

static double hunt_crossley_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const hunt_crossley *p = parameters;
    (void)memory;
    return fnd_power_spring_energy(&p->spring, in->depth);
}

static void hunt_crossley_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const hunt_crossley *p = parameters;
    fnd_power_spring_stiffness(&p->spring, dissipation(p, in, NULL), in, out);
}

static double dissipation_of_restitution(const void *parameters, const fender_intent *intent)
{
    (void)parameters;
    return fender_hunt_crossley_damping(intent->restitution) / intent->speed;
}

static const fender_derivation hunt_crossley_derivations[] = {
    FND_DERIVATIONS_OF_POWER_SPRING,
    {"dissipation", "restitution speed",
     "D = c / speed, c (1 + e) = ln((1 + c) / (1 - e c)): an impact of that speed "
     "gives back e of it",
     dissipation_of_restitution},
    {NULL, NULL, NULL, NULL}};

const fender_law fnd_law_hunt_crossley = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "hunt_crossley",
    .doc = "Spring k d^n with a damper that grows with it, N = max(k d^n (1 + D d'), 0): no force at touch, and a "
           "restitution that can be asked for exactly.",
    .parameters = FENDER_FIELD_TABLE("hunt_crossley", hunt_crossley_fields, hunt_crossley),
    .memory_size = sizeof(hunt_crossley_memory),
    .check = hunt_crossley_check,
    .establish = hunt_crossley_establish,
    .force = hunt_crossley_force,
    .update = hunt_crossley_update,
    .root_count = 1,
    .roots = hunt_crossley_roots,
    .stored_energy = hunt_crossley_energy,
    .stiffness = hunt_crossley_stiffness,
    .derivations = hunt_crossley_derivations,
};
