/* Law `cundall_strack`: a tangential spring and damper that slides at mu N. */
#include "law/derive.h"
#include "law/history_spring.h"
#include "law/laws.h"

typedef fender_cundall_strack_parameters cundall_strack;

static const fender_field cundall_strack_fields[] = {
    {"mu", "1", "Coefficient of friction.", FENDER_FIELD_REAL, offsetof(cundall_strack, mu), FENDER_FIELD_REQUIRED, 0,
     INFINITY, 0, NULL},
    {"stiffness", "N/m", "Tangential spring constant.", FENDER_FIELD_REAL, offsetof(cundall_strack, stiffness),
     FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"damping", "N*s/m", "Tangential damping constant.", FENDER_FIELD_REAL, offsetof(cundall_strack, damping), 0, 0,
     INFINITY, 0, NULL},
};

static fnd_history_spring numbers(const cundall_strack *p)
{
    return (fnd_history_spring){p->mu, p->stiffness, p->damping, p->stiffness, 0, FND_HISTORY_RESCALED};
}

static void cundall_strack_establish(const void *parameters, const fender_contact_input *in, void *memory)
{
    const fnd_history_spring own = numbers(parameters);
    fnd_history_spring_establish(&own, in, memory);
}

static void cundall_strack_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                 fender_contact_output *out)
{
    const fnd_history_spring own = numbers(parameters);
    fnd_history_spring_force(&own, in, memory, out);
}

static void cundall_strack_rates(const void *parameters, const fender_contact_input *in, const void *memory,
                                 double *rates)
{
    const fnd_history_spring own = numbers(parameters);
    fnd_history_spring_rates(&own, in, memory, rates);
}

static void cundall_strack_roots(const void *parameters, const fender_contact_input *in, const void *memory,
                                 double *root)
{
    const fnd_history_spring own = numbers(parameters);
    fnd_history_spring_roots(&own, in, memory, root);
}

static void cundall_strack_update(const void *parameters, const fender_contact_input *in,
                                  const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    const fnd_history_spring own = numbers(parameters);
    (void)out;
    fnd_history_spring_update(&own, in, memory, change);
}

static double cundall_strack_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const fnd_history_spring own = numbers(parameters);
    (void)memory;
    return fnd_history_spring_energy(&own, in);
}

static void cundall_strack_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const cundall_strack *p = parameters;
    (void)in;
    out->tangential_stiffness = p->stiffness;
    out->tangential_damping = p->damping;
}

static double damping_of_ratio(const void *parameters, const fender_intent *intent)
{
    const cundall_strack *p = parameters;
    return fender_damping_of_ratio(intent->ratio, intent->mass, p->stiffness);
}

static const fender_derivation cundall_strack_derivations[] = {
    {"stiffness", "sink weight", "k = weight / sink, sink the stretch under that load", fnd_derive_sink},
    {"damping", "ratio mass", "c = 2 ratio sqrt(mass k)", damping_of_ratio},
    {NULL, NULL, NULL, NULL}};

const fender_law fnd_law_cundall_strack = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "cundall_strack",
    .doc = "A tangential spring and damper that slides at mu N, one coefficient for rest and motion, without modes.",
    .parameters = FENDER_FIELD_TABLE("cundall_strack", cundall_strack_fields, cundall_strack),
    .establish = cundall_strack_establish,
    .force = cundall_strack_force,
    .update = cundall_strack_update,
    .stored_energy = cundall_strack_energy,
    .stiffness = cundall_strack_stiffness,
    .derivations = cundall_strack_derivations,
    .memory_size = sizeof(fnd_history_spring_memory),
    .root_count = FND_HISTORY_SPRING_ROOTS,
    .roots = cundall_strack_roots,
    .state_count = FND_HISTORY_SPRING_STATES,
    .state_rates = cundall_strack_rates,
    .stretch = fnd_history_spring_stretch,
};
