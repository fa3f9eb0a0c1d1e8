/* Law `coulomb`: kinetic friction, smooth through zero slip, to stand beside a normal law. */
#include "law/laws.h"

typedef fender_coulomb_parameters coulomb;

static const fender_field coulomb_fields[] = {
    {"mu", "1", "Coefficient of kinetic friction.", FENDER_FIELD_REAL, offsetof(coulomb, mu), FENDER_FIELD_REQUIRED, 0,
     INFINITY, 0, NULL},
    {"slip_speed", "m/s", "Slip at which friction has 0.707 of its limit; below it friction falls linearly to zero.",
     FENDER_FIELD_REAL, offsetof(coulomb, slip_speed), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-3, NULL},
};

void fnd_coulomb_friction(double mu, double slip_speed, double normal_force, const fender_contact_input *in,
                          fender_contact_output *out)
{
    double slip2 = in->slip.x * in->slip.x + in->slip.y * in->slip.y;
    double factor = mu * fabs(normal_force) / sqrt(slip2 + slip_speed * slip_speed);
    out->force.x -= factor * in->slip.x;
    out->force.y -= factor * in->slip.y;
    out->friction_power += factor * slip2;
}

void fnd_coulomb_numbers(const void *parameters, fnd_linear_push *push)
{
    const coulomb *p = parameters;
    push->mu = p->mu;
    push->slip_speed = p->slip_speed;
}

static void coulomb_force(const void *parameters, const fender_contact_input *in, const void *memory,
                          fender_contact_output *out)
{
    const coulomb *p = parameters;
    (void)memory;
    fnd_coulomb_friction(p->mu, p->slip_speed, in->normal_force, in, out);
}

static void coulomb_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const coulomb *p = parameters;
    out->tangential_damping = p->mu * fabs(in->normal_force) / p->slip_speed;
}

const fender_law fnd_law_coulomb = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "coulomb",
    .doc = "Kinetic Coulomb friction, f = mu |N| s / sqrt(s^2 + slip_speed^2) against the slip s; it creeps under "
           "load, never sticks.",
    .parameters = FENDER_FIELD_TABLE("coulomb", coulomb_fields, coulomb),
    .force = coulomb_force,
    .stiffness = coulomb_stiffness,
};
