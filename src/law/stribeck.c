/* Law `stribeck`: sliding friction that falls from mu_static to mu_kinetic, and viscous friction; smooth, it creeps. */
#include "base/error.h"
#include "law/bristle.h"
#include "law/laws.h"
#include "law/plane_vector.h"

typedef fender_stribeck_parameters stribeck;

static const fender_field stribeck_fields[] = {
    {"mu_static", "1", "Coefficient at rest, where the Stribeck curve begins.", FENDER_FIELD_REAL,
     offsetof(stribeck, mu_static), FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"mu_kinetic", "1", "Coefficient that it falls to, at most mu_static.", FENDER_FIELD_REAL,
     offsetof(stribeck, mu_kinetic), FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"stribeck_speed", "m/s", "Slip at which 0.37 of the fall is left.", FENDER_FIELD_REAL,
     offsetof(stribeck, stribeck_speed), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"viscous", "s/m", "Viscous friction per normal force.", FENDER_FIELD_REAL, offsetof(stribeck, viscous), 0, 0,
     INFINITY, 0, NULL},
    {"slip_speed", "m/s", "Slip at which friction has 0.707 of its limit; below it friction falls linearly to zero.",
     FENDER_FIELD_REAL, offsetof(stribeck, slip_speed), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-4, NULL},
};

/* Friction over slip and load. */
static double factor_at(const stribeck *p, double speed)
{
    double mu = fnd_stribeck(p->mu_static, p->mu_kinetic, p->stribeck_speed, speed);
    return mu / sqrt(speed * speed + p->slip_speed * p->slip_speed) + p->viscous;
}

static void stribeck_force(const void *parameters, const fender_contact_input *in, const void *memory,
                           fender_contact_output *out)
{
    const stribeck *p = parameters;
    (void)memory;
    double factor = factor_at(p, length(in->slip)) * (in->normal_force > 0 ? in->normal_force : 0);
    out->force.x = -factor * in->slip.x;
    out->force.y = -factor * in->slip.y;
    out->friction_power = factor * dot(in->slip, in->slip);
}

static void stribeck_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    out->tangential_damping = factor_at(parameters, 0) * fabs(in->normal_force);
}

static fender_status stribeck_check(const void *parameters, fender_error *error)
{
    const stribeck *p = parameters;
    if (p->mu_kinetic <= p->mu_static) return FENDER_STATUS_OK;
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "mu_kinetic", "mu_kinetic is above mu_static",
                                       fnd_number(p->mu_kinetic).text, "mu_static or less", ""});
}

const fender_law fnd_law_stribeck = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "stribeck",
    .doc = "Sliding friction by the Stribeck curve from mu_static to mu_kinetic, with viscous friction; smooth through "
           "zero slip: it creeps under load, never sticks.",
    .parameters = FENDER_FIELD_TABLE("stribeck", stribeck_fields, stribeck),
    .check = stribeck_check,
    .force = stribeck_force,
    .stiffness = stribeck_stiffness,
};
