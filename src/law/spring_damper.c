/* Law `spring_damper`: linear spring and damper that only pushes, with optional Coulomb friction. */
#include "law/derive.h"
#include "law/laws.h"

typedef fender_spring_damper_parameters spring_damper;

const char *const fnd_spring_senses[] = {"push", "pull", NULL};

static const fender_field spring_damper_fields[] = {
    {"stiffness", "N/m", "Spring constant k.", FENDER_FIELD_REAL, offsetof(spring_damper, stiffness),
     FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"damping", "N*s/m", "Damping constant c.", FENDER_FIELD_REAL, offsetof(spring_damper, damping), 0, 0, INFINITY, 0,
     NULL},
    {"mu", "1", "Coefficient of kinetic friction; 0: none.", FENDER_FIELD_REAL, offsetof(spring_damper, mu), 0, 0,
     INFINITY, 0, NULL},
    {"slip_speed", "m/s", "Slip at which friction has 0.707 of its limit; below it friction falls linearly to zero.",
     FENDER_FIELD_REAL, offsetof(spring_damper, slip_speed), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-3, NULL},
    {"sense", "1", "push: the spring resists penetration; pull: it is reversed and holds, for latching.",
     FENDER_FIELD_ENUM, offsetof(spring_damper, sense), 0, 0, 1, FND_SPRING_PUSH, fnd_spring_senses},
};

bool fnd_spring_damper_numbers(const void *parameters, fnd_linear_push *push)
{
    const spring_damper *p = parameters;
    *push = (fnd_linear_push){p->stiffness, p->damping, p->mu, p->slip_speed};
    return p->sense == FND_SPRING_PUSH;
}

static double smooth_elastic(const spring_damper *p, double depth)
{
    return p->sense == FND_SPRING_PULL ? -p->stiffness * depth : p->stiffness * depth;
}

static double elastic(const spring_damper *p, double depth) { return depth > 0 ? smooth_elastic(p, depth) : 0; }

/* With located events: does the clip hold the force at zero? */
typedef struct spring_damper_memory {
    int slack;
} spring_damper_memory;

/* What spring and damper would give without the clip, positive in the sense in which the law acts. */
static double unclipped(const spring_damper *p, const fender_contact_input *in)
{
    double force = smooth_elastic(p, in->depth) + p->damping * in->depth_rate;
    return p->sense == FND_SPRING_PULL ? -force : force;
}

/* N = max(k d + c d', 0), reversed min(-k d + c d', 0). While the clip holds the force at zero the spring still gives
 * back its energy: to the damper, hence (N - elastic) d' and not c d'^2. Located, the clip is a mode: pressing gives
 * the smooth continuation k d + c d' also where that is negative, slack gives zero. */
static void spring_damper_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                fender_contact_output *out)
{
    const spring_damper *p = parameters;
    const spring_damper_memory *m = memory;
    double spring = in->located ? smooth_elastic(p, in->depth) : elastic(p, in->depth);
    double normal = spring + p->damping * in->depth_rate;
    if (in->located) {
        if (m->slack) normal = 0;
    } else if (p->sense == FND_SPRING_PULL ? normal > 0 : normal < 0) {
        normal = 0;
    }
    out->force.z = normal;
    out->damping_power = (normal - spring) * in->depth_rate;
    if (p->mu > 0) fnd_coulomb_friction(p->mu, p->slip_speed, normal, in, out);
}

static void spring_damper_roots(const void *parameters, const fender_contact_input *in, const void *memory,
                                double *root)
{
    const spring_damper_memory *m = memory;
    double force = unclipped(parameters, in);
    root[0] = m->slack ? -force : force;
}

static void spring_damper_update(const void *parameters, const fender_contact_input *in,
                                 const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    (void)out, (void)change;
    spring_damper_memory *m = memory;
    double force = unclipped(parameters, in); /* 0 at a touch without damping: it presses as soon as it is deeper */
    m->slack = in->located && (force < 0 || (force == 0 && !(in->depth_rate > 0)));
}

static double spring_damper_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)memory;
    return 0.5 * elastic(parameters, in->depth) * in->depth;
}

static void spring_damper_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const spring_damper *p = parameters;
    out->normal_stiffness = p->stiffness;
    out->normal_damping = p->damping;
    out->tangential_damping = p->mu * fabs(in->normal_force) / p->slip_speed;
}

static double damping_of_ratio(const void *parameters, const fender_intent *intent)
{
    const spring_damper *p = parameters;
    return fender_damping_of_ratio(intent->ratio, intent->mass, p->stiffness);
}

static double damping_of_restitution(const void *parameters, const fender_intent *intent)
{
    const spring_damper *p = parameters; /* a latch gives nothing back */
    return p->sense == FND_SPRING_PULL ? NAN : fnd_derive_restitution(p->stiffness, intent, true);
}

static const fender_derivation spring_damper_derivations[] = {
    FND_DERIVATIONS_OF_STIFFNESS,
    {"damping", "ratio mass", "c = 2 ratio sqrt(mass k)", damping_of_ratio},
    {"damping", "restitution mass speed?", "impacts give back that part of the speed, clipped, at any speed",
     damping_of_restitution},
    {NULL, NULL, NULL, NULL}};

const fender_law fnd_law_spring_damper = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "spring_damper",
    .doc = "Linear spring and damper, N = max(k d + c d', 0), with optional smooth Coulomb friction; it never attracts "
           "(C009).",
    .parameters = FENDER_FIELD_TABLE("spring_damper", spring_damper_fields, spring_damper),
    .memory_size = sizeof(spring_damper_memory),
    .force = spring_damper_force,
    .update = spring_damper_update,
    .root_count = 1,
    .roots = spring_damper_roots,
    .stored_energy = spring_damper_energy,
    .stiffness = spring_damper_stiffness,
    .derivations = spring_damper_derivations,
};
