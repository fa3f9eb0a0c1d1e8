/* Law `torsional_stick`: a torque against twisting in proportion to the load, that holds what has come to rest. */
#include "law/laws.h"
#include "law/stick_slip.h"
#include "law/torsional.h"

typedef fender_torsional_stick_parameters torsional_stick;

static const fender_field torsional_stick_fields[] = {
    FND_TORSIONAL_FIELDS(torsional_stick),
    {"stiffness", "N*m/rad", "Spring constant against twisting while at rest.", FENDER_FIELD_REAL,
     offsetof(torsional_stick, stiffness), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"damping", "N*m*s/rad", "Damping constant while at rest; 1.4 sqrt(stiffness * moment of inertia) damps well.",
     FENDER_FIELD_REAL, offsetof(torsional_stick, damping), 0, 0, INFINITY, 0, NULL},
    {"rest_rate", "rad/s", "Twisting below which it comes to rest.", FENDER_FIELD_REAL,
     offsetof(torsional_stick, rest_rate), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-3, NULL},
};

static fnd_stick_slip numbers(const torsional_stick *p)
{
    double arm = fnd_torsional_arm(p->mu, p->radius, p->pressure);
    return (fnd_stick_slip){arm, arm, p->stiffness, p->damping, p->rest_rate, FND_RESTICK_CARRY};
}

static void torsional_stick_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                  fender_contact_output *out)
{
    const fnd_stick_slip own = numbers(parameters);
    const fnd_stick_slip_input twisting = fnd_stick_slip_twisting(in);
    fnd_stick_slip_output result = fnd_stick_slip_force(&own, &twisting, memory);
    out->torque.z = result.force.x;
    out->friction_power = result.power;
    out->mode = result.mode;
}

static void torsional_stick_rates(const void *parameters, const fender_contact_input *in, const void *memory,
                                  double *rates)
{
    const fnd_stick_slip own = numbers(parameters);
    const fnd_stick_slip_input twisting = fnd_stick_slip_twisting(in);
    fnd_stick_slip_rates(&own, &twisting, memory, rates);
}

static void torsional_stick_roots(const void *parameters, const fender_contact_input *in, const void *memory,
                                  double *root)
{
    const fnd_stick_slip own = numbers(parameters);
    const fnd_stick_slip_input twisting = fnd_stick_slip_twisting(in);
    fnd_stick_slip_roots(&own, &twisting, memory, root);
}

static void torsional_stick_update(const void *parameters, const fender_contact_input *in,
                                   const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    const fnd_stick_slip own = numbers(parameters);
    const fnd_stick_slip_input twisting = fnd_stick_slip_twisting(in);
    (void)out;
    fnd_stick_slip_update(&own, &twisting, memory, change);
}

static double torsional_stick_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const fnd_stick_slip own = numbers(parameters);
    const fnd_stick_slip_input twisting = fnd_stick_slip_twisting(in);
    (void)memory;
    return fnd_stick_slip_energy(&own, &twisting);
}

const fender_law fnd_law_torsional_stick = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_TWISTING,
    .name = "torsional_stick",
    .doc =
        "A torque of mu, patch radius and load against twisting; below rest_rate an angular spring and damper holds.",
    .parameters = FENDER_FIELD_TABLE("torsional_stick", torsional_stick_fields, torsional_stick),
    .memory_size = sizeof(fnd_stick_slip_memory),
    .mode_names = fnd_stick_slip_modes,
    .force = torsional_stick_force,
    .update = torsional_stick_update,
    .stored_energy = torsional_stick_energy,
    .root_count = FND_STICK_SLIP_ROOTS,
    .roots = torsional_stick_roots,
    .state_count = FND_STICK_SLIP_STATES,
    .state_rates = torsional_stick_rates,
};
