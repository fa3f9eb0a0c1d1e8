/* Law `rolling_resistance`: a torque against rolling in proportion to the load, smooth through rest. */
#include "law/laws.h"

typedef fender_rolling_resistance_parameters rolling_resistance;

static const fender_field rolling_resistance_fields[] = {
    {"arm", "m", "Torque per normal force: coefficient of rolling resistance times the radius.", FENDER_FIELD_REAL,
     offsetof(rolling_resistance, arm), FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"roll_rate", "rad/s", "Rolling at which the torque has 0.707 of its limit; below it falls linearly to zero.",
     FENDER_FIELD_REAL, offsetof(rolling_resistance, roll_rate), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-2, NULL},
};

static void rolling_resistance_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                     fender_contact_output *out)
{
    const rolling_resistance *p = parameters;
    (void)memory;
    double square = in->spin.x * in->spin.x + in->spin.y * in->spin.y;
    double load = in->normal_force > 0 ? in->normal_force : 0;
    double factor = p->arm * load / sqrt(square + p->roll_rate * p->roll_rate);
    out->torque.x = -factor * in->spin.x;
    out->torque.y = -factor * in->spin.y;
    out->friction_power = factor * square;
}

const fender_law fnd_law_rolling_resistance = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_ROLLING,
    .name = "rolling_resistance",
    .doc = "A torque arm N against rolling, smooth through rest: under load it creeps, never stands still.",
    .parameters = FENDER_FIELD_TABLE("rolling_resistance", rolling_resistance_fields, rolling_resistance),
    .force = rolling_resistance_force,
};
