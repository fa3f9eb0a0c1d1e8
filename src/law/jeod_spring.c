/* Law `jeod_spring`: the force formula of JEOD's SpringPairInteraction, unclipped, friction by the sine of the approach
 * angle. */
#include "law/derive.h"
#include "law/laws.h"

typedef fender_jeod_spring_parameters jeod_spring;

static const fender_field jeod_spring_fields[] = {
    {"stiffness", "N/m", "Spring constant spring_k.", FENDER_FIELD_REAL, offsetof(jeod_spring, stiffness),
     FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"damping", "N*s/m", "Damping constant damping_b.", FENDER_FIELD_REAL, offsetof(jeod_spring, damping), 0, 0,
     INFINITY, 0, NULL},
    {"mu", "1", "Coefficient of kinetic friction.", FENDER_FIELD_REAL, offsetof(jeod_spring, mu), 0, 0, INFINITY, 0,
     NULL},
    {"sense", "1", "push: the spring resists penetration; pull: it is reversed and holds, for latching (C010).",
     FENDER_FIELD_ENUM, offsetof(jeod_spring, sense), 0, 0, 1, FND_SPRING_PUSH, fnd_spring_senses},
};

/* With u the velocity of a relative to b (C011): F on a = k delta - b (u.n) n - mu |F_n| (u^ - (u^.n) n). Along z of C,
 * on b, that is N = k d + b d', and friction mu |N| slip / |u| against the slip, where |u| holds the normal velocity
 * too. N may attract. */
static void jeod_spring_force(const void *parameters, const fender_contact_input *in, const void *memory,
                              fender_contact_output *out)
{
    const jeod_spring *p = parameters;
    (void)memory;
    double spring = p->stiffness * in->depth;
    double damper = p->damping * in->depth_rate;
    double normal = p->sense == FND_SPRING_PULL ? damper - spring : spring + damper;
    out->force.z = normal;
    out->damping_power = damper * in->depth_rate;
    double slip2 = in->slip.x * in->slip.x + in->slip.y * in->slip.y;
    double speed = sqrt(slip2 + in->depth_rate * in->depth_rate);
    if (speed > 0 && slip2 > 0) {
        double factor = p->mu * fabs(normal) / speed;
        out->force.x = -factor * in->slip.x;
        out->force.y = -factor * in->slip.y;
        out->friction_power = factor * slip2;
    }
}

static double jeod_spring_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const jeod_spring *p = parameters;
    (void)memory;
    double energy = 0.5 * p->stiffness * in->depth * in->depth;
    return p->sense == FND_SPRING_PULL ? -energy : energy;
}

static void jeod_spring_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const jeod_spring *p = parameters;
    (void)in;
    out->normal_stiffness = p->stiffness;
    out->normal_damping = p->damping;
}

static double damping_of_ratio(const void *parameters, const fender_intent *intent)
{
    const jeod_spring *p = parameters;
    return fender_damping_of_ratio(intent->ratio, intent->mass, p->stiffness);
}

static double damping_of_restitution(const void *parameters, const fender_intent *intent)
{
    const jeod_spring *p = parameters;
    return p->sense == FND_SPRING_PULL ? NAN : fnd_derive_restitution(p->stiffness, intent, false);
}

static const fender_derivation jeod_spring_derivations[] = {
    FND_DERIVATIONS_OF_STIFFNESS,
    {"damping", "ratio mass", "c = 2 ratio sqrt(mass k)", damping_of_ratio},
    {"damping", "restitution mass speed?", "impacts give back that part of the speed, unclipped, at any speed",
     damping_of_restitution},
    {NULL, NULL, NULL, NULL}};

const fender_law fnd_law_jeod_spring = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE,
    .name = "jeod_spring",
    .doc = "JEOD's spring interaction: N = k d + c d' unclipped (it can attract on release), friction mu |N| sin(angle "
           "of approach).",
    .parameters = FENDER_FIELD_TABLE("jeod_spring", jeod_spring_fields, jeod_spring),
    .force = jeod_spring_force,
    .stored_energy = jeod_spring_energy,
    .stiffness = jeod_spring_stiffness,
    .derivations = jeod_spring_derivations,
};
