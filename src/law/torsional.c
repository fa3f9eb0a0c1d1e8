/* Law `torsional`: friction against twisting of a round patch, smooth through rest. */
#include "law/torsional.h"
#include "law/laws.h"

const char *const fnd_pressure_names[] = {"even", "hertz", "rim", NULL};

double fnd_torsional_arm(double mu, double radius, int pressure)
{
    static const double parts[] = {2.0 / 3.0, 0.58904862254808621, 1.0}; /* 3 pi / 16 */
    return parts[pressure] * mu * radius;
}

typedef fender_torsional_parameters torsional;

static const fender_field torsional_fields[] = {
    FND_TORSIONAL_FIELDS(torsional),
    {"twist_rate", "rad/s", "Twisting at which the torque has 0.707 of its limit; below it falls linearly to zero.",
     FENDER_FIELD_REAL, offsetof(torsional, twist_rate), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-2, NULL},
};

static void torsional_force(const void *parameters, const fender_contact_input *in, const void *memory,
                            fender_contact_output *out)
{
    const torsional *p = parameters;
    (void)memory;
    double rate = in->spin.z, load = in->normal_force > 0 ? in->normal_force : 0;
    double limit = fnd_torsional_arm(p->mu, p->radius, p->pressure) * load;
    double factor = limit / sqrt(rate * rate + p->twist_rate * p->twist_rate);
    out->torque.z = -factor * rate;
    out->friction_power = factor * rate * rate;
}

const fender_law fnd_law_torsional = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_TWISTING,
    .name = "torsional",
    .doc = "Friction of a round patch against twisting, smooth through rest: under load it creeps, never stands still.",
    .parameters = FENDER_FIELD_TABLE("torsional", torsional_fields, torsional),
    .force = torsional_force,
};
