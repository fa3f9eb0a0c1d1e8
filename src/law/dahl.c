/* Law `dahl`: friction of bristles that bend towards their limit as the surfaces move. */
#include "law/bristle.h"
#include "law/laws.h"

typedef fender_dahl_parameters dahl;

static const fender_field dahl_fields[] = {
    {"mu", "1", "Coefficient of friction.", FENDER_FIELD_REAL, offsetof(dahl, mu),
     FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"amplitude", "m", "Bend at the limit: the spring constant at rest is mu N / amplitude.", FENDER_FIELD_REAL,
     offsetof(dahl, amplitude), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"damping", "s/m", "Damping of the bending per normal force.", FENDER_FIELD_REAL, offsetof(dahl, damping), 0, 0,
     INFINITY, 0, NULL},
};

static fnd_bristle numbers(const dahl *p) { return (fnd_bristle){p->mu, p->mu, p->amplitude, p->damping, 0, 1}; }

static void dahl_force(const void *parameters, const fender_contact_input *in, const void *memory,
                       fender_contact_output *out)
{
    const fnd_bristle own = numbers(parameters);
    (void)memory;
    fnd_bristle_force(&own, in, out);
}

static void dahl_rates(const void *parameters, const fender_contact_input *in, const void *memory, double *rates)
{
    const fnd_bristle own = numbers(parameters);
    (void)memory;
    fnd_bristle_rates(&own, in, rates);
}

static void dahl_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                        void *memory, fender_contact_change *change)
{
    const fnd_bristle own = numbers(parameters);
    (void)out, (void)memory;
    fnd_bristle_update(&own, in, change);
}

static double dahl_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)parameters, (void)memory;
    return fnd_bristle_energy(in);
}

static fender_vec2 dahl_stretch(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const fnd_bristle own = numbers(parameters);
    (void)memory;
    return fnd_bristle_bend(&own, in);
}

static void dahl_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const fnd_bristle own = numbers(parameters);
    fnd_bristle_stiffness(&own, in, out);
}

const fender_law fnd_law_dahl = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "dahl",
    .doc = "Friction of a bristle: a spring at rest that bends towards mu N over the way `amplitude`, without modes.",
    .parameters = FENDER_FIELD_TABLE("dahl", dahl_fields, dahl),
    .force = dahl_force,
    .update = dahl_update,
    .stored_energy = dahl_energy,
    .stiffness = dahl_stiffness,
    .state_count = FND_BRISTLE_STATES,
    .state_rates = dahl_rates,
    .stretch = dahl_stretch,
};
