/* Law `lugre`: friction of bristles with the Stribeck curve and viscous friction. */
#include "base/error.h"
#include "law/bristle.h"
#include "law/laws.h"

/* mu_kinetic is above 0: it gives the stiffness. */
typedef fnd_bristle lugre;

static const fender_field lugre_fields[] = {
    {"mu_static", "1", "Coefficient at rest, where the Stribeck curve begins.", FENDER_FIELD_REAL,
     offsetof(lugre, mu_static), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"mu_kinetic", "1", "Coefficient that it falls to, at most mu_static.", FENDER_FIELD_REAL,
     offsetof(lugre, mu_kinetic), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"stribeck_speed", "m/s", "Slip at which 0.37 of the fall is left.", FENDER_FIELD_REAL,
     offsetof(lugre, stribeck_speed), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-3, NULL},
    {"amplitude", "m", "Bend at mu_kinetic N: the spring constant at rest is mu_kinetic N / amplitude.",
     FENDER_FIELD_REAL, offsetof(lugre, amplitude), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0,
     NULL},
    {"damping", "s/m", "Damping of the bending per normal force.", FENDER_FIELD_REAL, offsetof(lugre, damping), 0, 0,
     INFINITY, 0, NULL},
    {"viscous", "s/m", "Viscous friction per normal force.", FENDER_FIELD_REAL, offsetof(lugre, viscous), 0, 0,
     INFINITY, 0, NULL},
};

static fender_status lugre_check(const void *parameters, fender_error *error)
{
    const lugre *p = parameters;
    if (p->mu_kinetic <= p->mu_static) return FENDER_STATUS_OK;
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "mu_kinetic", "mu_kinetic is above mu_static",
                                       fnd_number(p->mu_kinetic).text, "mu_static or less", ""});
}

static void lugre_force(const void *parameters, const fender_contact_input *in, const void *memory,
                        fender_contact_output *out)
{
    (void)memory;
    fnd_bristle_force(parameters, in, out);
}

static void lugre_rates(const void *parameters, const fender_contact_input *in, const void *memory, double *rates)
{
    (void)memory;
    fnd_bristle_rates(parameters, in, rates);
}

static void lugre_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                         void *memory, fender_contact_change *change)
{
    (void)out, (void)memory;
    fnd_bristle_update(parameters, in, change);
}

static double lugre_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)parameters, (void)memory;
    return fnd_bristle_energy(in);
}

static fender_vec2 lugre_stretch(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)memory;
    return fnd_bristle_bend(parameters, in);
}

static void lugre_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    fnd_bristle_stiffness(parameters, in, out);
}

const fender_law fnd_law_lugre = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "lugre",
    .doc = "Friction of a bristle with the Stribeck curve from mu_static to mu_kinetic and viscous friction, without "
           "modes.",
    .parameters = FENDER_FIELD_TABLE("lugre", lugre_fields, lugre),
    .check = lugre_check,
    .force = lugre_force,
    .update = lugre_update,
    .stored_energy = lugre_energy,
    .stiffness = lugre_stiffness,
    .state_count = FND_BRISTLE_STATES,
    .state_rates = lugre_rates,
    .stretch = lugre_stretch,
};
