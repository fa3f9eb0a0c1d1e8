/* Law `rolling_stick`: a torque against rolling in proportion to the load, that holds a ball where it has come to rest.
 */
#include "law/laws.h"
#include "law/stick_slip.h"

typedef fender_rolling_stick_parameters rolling_stick;

static const fender_field rolling_stick_fields[] = {
    {"arm", "m", "Torque per normal force: coefficient of rolling resistance times the radius.", FENDER_FIELD_REAL,
     offsetof(rolling_stick, arm), FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"stiffness", "N*m/rad", "Spring constant against rolling while at rest.", FENDER_FIELD_REAL,
     offsetof(rolling_stick, stiffness), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"damping", "N*m*s/rad", "Damping constant while at rest; 1.4 sqrt(stiffness * moment of inertia) damps well.",
     FENDER_FIELD_REAL, offsetof(rolling_stick, damping), 0, 0, INFINITY, 0, NULL},
    {"rest_rate", "rad/s", "Rolling below which it comes to rest.", FENDER_FIELD_REAL,
     offsetof(rolling_stick, rest_rate), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-3, NULL},
};

static fnd_stick_slip numbers(const rolling_stick *p)
{
    return (fnd_stick_slip){p->arm, p->arm, p->stiffness, p->damping, p->rest_rate, FND_RESTICK_CARRY};
}

static void rolling_stick_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                fender_contact_output *out)
{
    const fnd_stick_slip own = numbers(parameters);
    const fnd_stick_slip_input rolling = fnd_stick_slip_rolling(in);
    fnd_stick_slip_output result = fnd_stick_slip_force(&own, &rolling, memory);
    out->torque.x = result.force.x;
    out->torque.y = result.force.y;
    out->friction_power = result.power;
    out->mode = result.mode;
}

static void rolling_stick_rates(const void *parameters, const fender_contact_input *in, const void *memory,
                                double *rates)
{
    const fnd_stick_slip own = numbers(parameters);
    const fnd_stick_slip_input rolling = fnd_stick_slip_rolling(in);
    fnd_stick_slip_rates(&own, &rolling, memory, rates);
}

static void rolling_stick_roots(const void *parameters, const fender_contact_input *in, const void *memory,
                                double *root)
{
    const fnd_stick_slip own = numbers(parameters);
    const fnd_stick_slip_input rolling = fnd_stick_slip_rolling(in);
    fnd_stick_slip_roots(&own, &rolling, memory, root);
}

static void rolling_stick_update(const void *parameters, const fender_contact_input *in,
                                 const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    const fnd_stick_slip own = numbers(parameters);
    const fnd_stick_slip_input rolling = fnd_stick_slip_rolling(in);
    (void)out;
    fnd_stick_slip_update(&own, &rolling, memory, change);
}

static double rolling_stick_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const fnd_stick_slip own = numbers(parameters);
    const fnd_stick_slip_input rolling = fnd_stick_slip_rolling(in);
    (void)memory;
    return fnd_stick_slip_energy(&own, &rolling);
}

const fender_law fnd_law_rolling_stick = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_ROLLING,
    .name = "rolling_stick",
    .doc = "A torque arm N against rolling; what rolls slower than rest_rate is held by an angular spring and damper.",
    .parameters = FENDER_FIELD_TABLE("rolling_stick", rolling_stick_fields, rolling_stick),
    .memory_size = sizeof(fnd_stick_slip_memory),
    .mode_names = fnd_stick_slip_modes,
    .force = rolling_stick_force,
    .update = rolling_stick_update,
    .stored_energy = rolling_stick_energy,
    .root_count = FND_STICK_SLIP_ROOTS,
    .roots = rolling_stick_roots,
    .state_count = FND_STICK_SLIP_STATES,
    .state_rates = rolling_stick_rates,
};
