/* Law `adhesion`: spring and damper that push, less a constant pull that holds on over a range. */
#include "law/derive.h"
#include "law/laws.h"
#include "law/rebound.h"

typedef fender_adhesion_parameters adhesion;

static const fender_field adhesion_fields[] = {
    {"stiffness", "N/m", "Spring constant k.", FENDER_FIELD_REAL, offsetof(adhesion, stiffness), FENDER_FIELD_REQUIRED,
     0, INFINITY, 0, NULL},
    {"damping", "N*s/m", "Damping constant c, while the shapes overlap.", FENDER_FIELD_REAL,
     offsetof(adhesion, damping), 0, 0, INFINITY, 0, NULL},
    {"pull", "N", "Force of adhesion, from touch on.", FENDER_FIELD_REAL, offsetof(adhesion, pull),
     FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"range", "m", "Separation at which the pull ends.", FENDER_FIELD_REAL, offsetof(adhesion, range), 0, 0, INFINITY,
     0, NULL},
};

/* With located events: does the clip hold the push at zero, are the shapes apart? */
typedef struct adhesion_memory {
    int slack, apart;
} adhesion_memory;

static double push_of(const adhesion *p, const fender_contact_input *in)
{
    return p->stiffness * in->depth + p->damping * in->depth_rate;
}

static void adhesion_reach(const void *parameters, double *onset_gap, double *release_gap)
{
    const adhesion *p = parameters;
    *onset_gap = 0;
    *release_gap = p->range;
}

static void adhesion_force(const void *parameters, const fender_contact_input *in, const void *memory,
                           fender_contact_output *out)
{
    const adhesion *p = parameters;
    const adhesion_memory *m = memory;
    bool apart = in->located ? m->apart != 0 : !(in->depth > 0);
    double spring = apart ? 0 : p->stiffness * in->depth, push = apart ? 0 : push_of(p, in);
    if (in->located ? m->slack != 0 : push < 0) push = 0;
    out->force.z = push - p->pull;
    out->damping_power = (push - spring) * in->depth_rate;
}

static void adhesion_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const adhesion_memory *m = memory;
    double push = push_of(parameters, in);
    root[0] = m->apart ? 1 : m->slack ? -push : push;
    root[1] = m->apart ? -in->depth : in->depth;
}

static void adhesion_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                            void *memory, fender_contact_change *change)
{
    adhesion_memory *m = memory;
    double push = push_of(parameters, in);
    (void)out, (void)change;
    m->apart = in->located && (in->depth < 0 || (in->depth == 0 && in->depth_rate < 0));
    m->slack = in->located && !m->apart && (push < 0 || (push == 0 && !(in->depth_rate > 0)));
}

/* Against that at touch: what the pull has taken over the range is lost when it ends. */
static double adhesion_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const adhesion *p = parameters;
    (void)memory;
    double d = in->depth > -p->range ? in->depth : -p->range;
    return (d > 0 ? 0.5 * p->stiffness * d * d : 0) - p->pull * d;
}

static void adhesion_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const adhesion *p = parameters;
    (void)in;
    out->normal_stiffness = p->stiffness;
    out->normal_damping = p->damping;
}

static double damping_of_ratio(const void *parameters, const fender_intent *intent)
{
    const adhesion *p = parameters;
    return fender_damping_of_ratio(intent->ratio, intent->mass, p->stiffness);
}

FND_DERIVE_BY_REBOUND(fnd_law_adhesion, damping)

static const fender_derivation adhesion_derivations[] = {
    FND_DERIVATIONS_OF_STIFFNESS,
    {"damping", "ratio mass", "c = 2 ratio sqrt(mass k)", damping_of_ratio},
    FND_DERIVATION_BY_REBOUND(damping),
    {NULL, NULL, NULL, NULL}};

const fender_law fnd_law_adhesion = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "adhesion",
    .doc = "Spring and damper that push, less a constant pull from touch on until the shapes are apart by a range.",
    .parameters = FENDER_FIELD_TABLE("adhesion", adhesion_fields, adhesion),
    .memory_size = sizeof(adhesion_memory),
    .reach = adhesion_reach,
    .force = adhesion_force,
    .update = adhesion_update,
    .root_count = 2,
    .roots = adhesion_roots,
    .stored_energy = adhesion_energy,
    .stiffness = adhesion_stiffness,
    .derivations = adhesion_derivations,
};
