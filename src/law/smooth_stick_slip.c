/* Law `smooth_stick_slip`: friction with a peak at a critical velocity, which creeps below it (S055 to S058). */
#include "law/laws.h"

typedef fender_smooth_stick_slip_parameters smooth_stick_slip;

static const fender_field smooth_stick_slip_fields[] = {
    {"mu_static", "1", "Coefficient of friction at the critical velocity.", FENDER_FIELD_REAL,
     offsetof(smooth_stick_slip, mu_static), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"mu_dynamic", "1", "Coefficient that friction approaches at high velocity.", FENDER_FIELD_REAL,
     offsetof(smooth_stick_slip, mu_dynamic), FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"critical_velocity", "m/s", "Slip at which friction reaches mu_static; below it the contact creeps.",
     FENDER_FIELD_REAL, offsetof(smooth_stick_slip, critical_velocity), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-3,
     NULL},
};

/* mu(v) / v. With x = v / critical_velocity: mu = mu_static (3 x - x^3) / 2 up to 1, odd, so that the force is a
 * polynomial in the slip; beyond it mu_dynamic + (mu_static - mu_dynamic) / (1 + (x - 1)^2). Value and slope (0) meet
 * at 1. */
static double friction_per_speed(const smooth_stick_slip *p, double speed)
{
    double x = speed / p->critical_velocity, y = x - 1;
    if (x < 1) return p->mu_static * (1.5 - 0.5 * x * x) / p->critical_velocity;
    return (p->mu_dynamic + (p->mu_static - p->mu_dynamic) / (1 + y * y)) / speed;
}

static void smooth_stick_slip_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                    fender_contact_output *out)
{
    const smooth_stick_slip *p = parameters;
    (void)memory;
    double square = in->slip.x * in->slip.x + in->slip.y * in->slip.y;
    double factor = friction_per_speed(p, sqrt(square)) * fabs(in->normal_force);
    out->force.x = -factor * in->slip.x;
    out->force.y = -factor * in->slip.y;
    out->friction_power = factor * square;
}

static void smooth_stick_slip_stiffness(const void *parameters, const fender_contact_input *in,
                                        fender_law_stiffness *out)
{
    const smooth_stick_slip *p = parameters;
    out->tangential_damping = friction_per_speed(p, 0) * fabs(in->normal_force);
}

const fender_law fnd_law_smooth_stick_slip = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "smooth_stick_slip",
    .doc = "Friction mu(v) |N| against the slip, from 0 at rest over mu_static at the critical velocity towards "
           "mu_dynamic; it creeps under load, never sticks (S056).",
    .parameters = FENDER_FIELD_TABLE("smooth_stick_slip", smooth_stick_slip_fields, smooth_stick_slip),
    .force = smooth_stick_slip_force,
    .stiffness = smooth_stick_slip_stiffness,
};
