/* Law `coulomb_static_kinetic`: Coulomb friction that sticks by a spring and damper and slides by mu_k N. */
#include "base/error.h"
#include "law/derive.h"
#include "law/laws.h"
#include "law/stick_slip.h"

typedef fnd_stick_slip static_kinetic;

static const fender_field static_kinetic_fields[] = {
    {"mu_static", "1", "Coefficient of static friction.", FENDER_FIELD_REAL, offsetof(static_kinetic, mu_static),
     FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"mu_kinetic", "1", "Coefficient of kinetic friction, at most mu_static.", FENDER_FIELD_REAL,
     offsetof(static_kinetic, mu_kinetic), FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"stiffness", "N/m", "Tangential spring constant while sticking.", FENDER_FIELD_REAL,
     offsetof(static_kinetic, stiffness), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"damping", "N*s/m", "Tangential damping constant while sticking; 1.4 sqrt(stiffness * mass) damps well.",
     FENDER_FIELD_REAL, offsetof(static_kinetic, damping), 0, 0, INFINITY, 0, NULL},
    {"stick_speed", "m/s", "Slip below which sliding ends.", FENDER_FIELD_REAL, offsetof(static_kinetic, stick_speed),
     FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-4, NULL},
    {"restick", "1",
     "carry: sticking goes on with the spring at mu_kinetic N; here: it begins with the spring at rest.",
     FENDER_FIELD_ENUM, offsetof(static_kinetic, restick), 0, 0, 1, FND_RESTICK_CARRY, fnd_restick_names},
};

static void static_kinetic_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                 fender_contact_output *out)
{
    fnd_stick_slip_input sliding = fnd_stick_slip_sliding(in);
    fnd_stick_slip_output result = fnd_stick_slip_force(parameters, &sliding, memory);
    out->force.x = result.force.x;
    out->force.y = result.force.y;
    out->friction_power = result.power;
    out->mode = result.mode;
}

static void static_kinetic_state_rates(const void *parameters, const fender_contact_input *in, const void *memory,
                                       double *rates)
{
    fnd_stick_slip_input sliding = fnd_stick_slip_sliding(in);
    fnd_stick_slip_rates(parameters, &sliding, memory, rates);
}

static void static_kinetic_roots(const void *parameters, const fender_contact_input *in, const void *memory,
                                 double *root)
{
    fnd_stick_slip_input sliding = fnd_stick_slip_sliding(in);
    fnd_stick_slip_roots(parameters, &sliding, memory, root);
}

static void static_kinetic_update(const void *parameters, const fender_contact_input *in,
                                  const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    (void)out;
    fnd_stick_slip_input sliding = fnd_stick_slip_sliding(in);
    fnd_stick_slip_update(parameters, &sliding, memory, change);
}

static double static_kinetic_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)memory;
    fnd_stick_slip_input sliding = fnd_stick_slip_sliding(in);
    return fnd_stick_slip_energy(parameters, &sliding);
}

static void static_kinetic_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const static_kinetic *p = parameters;
    (void)in;
    out->tangential_stiffness = p->stiffness;
    out->tangential_damping = p->damping;
}

static fender_status static_kinetic_check(const void *parameters, fender_error *error)
{
    const static_kinetic *p = parameters;
    if (p->mu_kinetic <= p->mu_static) return FENDER_STATUS_OK;
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "mu_kinetic", "mu_kinetic is above mu_static",
                                       fnd_number(p->mu_kinetic).text, "mu_static or less", ""});
}

static double damping_of_ratio(const void *parameters, const fender_intent *intent)
{
    const static_kinetic *p = parameters;
    return fender_damping_of_ratio(intent->ratio, intent->mass, p->stiffness);
}

static const fender_derivation static_kinetic_derivations[] = {
    {"stiffness", "sink weight", "k = weight / sink, sink the stretch under that load", fnd_derive_sink},
    {"damping", "ratio mass", "c = 2 ratio sqrt(mass k)", damping_of_ratio},
    {NULL, NULL, NULL, NULL}};

static fender_vec2 static_kinetic_stretch(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)parameters, (void)memory;
    return (fender_vec2){in->states[0], in->states[1]};
}

const fender_law fnd_law_coulomb_static_kinetic = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "coulomb_static_kinetic",
    .doc = "Coulomb friction that sticks: a spring and damper up to mu_static N, then mu_kinetic N against the slip "
           "until it falls below stick_speed.",
    .parameters = FENDER_FIELD_TABLE("coulomb_static_kinetic", static_kinetic_fields, static_kinetic),
    .memory_size = sizeof(fnd_stick_slip_memory),
    .mode_names = fnd_stick_slip_modes,
    .check = static_kinetic_check,
    .force = static_kinetic_force,
    .update = static_kinetic_update,
    .stored_energy = static_kinetic_energy,
    .root_count = FND_STICK_SLIP_ROOTS,
    .roots = static_kinetic_roots,
    .stiffness = static_kinetic_stiffness,
    .derivations = static_kinetic_derivations,
    .state_count = FND_STICK_SLIP_STATES,
    .state_rates = static_kinetic_state_rates,
    .stretch = static_kinetic_stretch,
};
