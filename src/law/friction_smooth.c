/* Friction without memory, smooth through zero slip: coulomb, stribeck, smooth_stick_slip, anisotropic; and none. All
 * of them creep under a load: what holds is in friction_stick.c, friction_bristle.c and friction_history.c. */
#include "law/friction_smooth.h"

#include <assert.h>
#include <math.h>

#include "base/error.h"
#include "law/laws.h"
#include "law/parts.h"
#include "math/elementary.h"

/* ---- Shared */

void fnd_coulomb_friction(double mu, double slip_speed, double normal_force, const fender_contact_input *in,
                          fender_contact_output *out)
{
    assert(in && out);
    double slip2 = in->slip.x * in->slip.x + in->slip.y * in->slip.y;
    double factor = mu * fabs(normal_force) / sqrt(slip2 + slip_speed * slip_speed);
    out->force.x -= factor * in->slip.x;
    out->force.y -= factor * in->slip.y;
    out->friction_power += factor * slip2;
}

/* g = mu |N| / r with r^2 = s^2 + s_0^2, so that dg/ds = -g s / r^2. */
void fnd_coulomb_derivative(double mu, double slip_speed, double normal_force, const fender_contact_input *in,
                            fender_contact_derivative *by)
{
    assert(in && by);
    double square = dot(in->slip, in->slip) + slip_speed * slip_speed;
    double per_load = mu / sqrt(square), factor = per_load * fabs(normal_force);
    fnd_oppose_derivative(factor, -factor / square, normal_force < 0 ? -per_load : per_load, in->slip, by);
}

double fnd_stribeck(double mu_static, double mu_kinetic, double stribeck_speed, double speed)
{
    assert(fnd_not_below(speed, 0));
    double x = speed / stribeck_speed; /* from 26 on the exponential is below the rounding of any coefficient */
    return x < 26 ? mu_kinetic + (mu_static - mu_kinetic) * fnd_exponential(-x * x) : mu_kinetic;
}

fender_status fnd_check_coefficients(double mu_static, double mu_kinetic, fender_error *error)
{
    if (mu_kinetic <= mu_static) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_VALUE, "mu_kinetic", "mu_kinetic is above mu_static",
                    fnd_number(mu_kinetic).text, "mu_static or less", "");
}

/* Friction of `factor` over slip, against it. */
static void oppose(double factor, const fender_contact_input *in, fender_contact_output *out)
{
    out->force.x = -factor * in->slip.x;
    out->force.y = -factor * in->slip.y;
    out->friction_power = factor * dot(in->slip, in->slip);
}

/* ---- Law `coulomb`: kinetic friction, smooth through zero slip, beside a normal law
 *
 * f = -mu |N| s / sqrt(s^2 + s_0^2): at slip_speed s_0 it has 0.707 of Coulomb's limit. */

typedef fender_coulomb_parameters coulomb;

static const fender_field coulomb_fields[] = {
    FND_REAL(coulomb, mu, "1", FND_REQUIRED, 0, "Coefficient of kinetic friction."),
    FND_REAL(coulomb, slip_speed, "m/s", FND_POSITIVE, 1e-3,
             "Slip at which friction has 0.707 of its limit; below it friction falls linearly to zero."),
};

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

static void coulomb_derivative(const void *parameters, const fender_contact_input *in, const void *memory,
                               fender_contact_derivative *by)
{
    const coulomb *p = parameters;
    (void)memory;
    fnd_coulomb_derivative(p->mu, p->slip_speed, in->normal_force, in, by);
}

/* The slope at zero slip, where friction is steepest. */
static void coulomb_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const coulomb *p = parameters;
    out->tangential_damping = p->mu * fabs(in->normal_force) / p->slip_speed;
}

const fender_law fnd_law_coulomb = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "coulomb",
    .doc = "Kinetic Coulomb friction, f = mu |N| s / sqrt(s^2 + slip_speed^2) against the slip s; it creeps under load "
           "and never sticks.",
    .parameters = FENDER_FIELD_TABLE("coulomb", coulomb_fields, coulomb),
    .force = coulomb_force,
    .stiffness = coulomb_stiffness,
    .derivative = coulomb_derivative,
};

/* ---- Law `stribeck`: sliding friction that falls from mu_static to mu_kinetic, and viscous friction
 *
 * f = -N (mu(v) / sqrt(v^2 + s_0^2) + viscous) v (Stribeck 1902; in this form Bo and Pavelescu 1982). */

typedef fender_stribeck_parameters stribeck;

static const fender_field stribeck_fields[] = {
    FND_REAL(stribeck, mu_static, "1", FND_REQUIRED, 0, "Coefficient at rest, where the Stribeck curve begins."),
    FND_REAL(stribeck, mu_kinetic, "1", FND_REQUIRED, 0, "Coefficient at high slip, at most mu_static."),
    FND_REAL(stribeck, stribeck_speed, "m/s", FND_REQUIRED | FND_POSITIVE, 0,
             "Slip at which 0.37 of the difference mu_static - mu_kinetic is left."),
    FND_REAL(stribeck, viscous, "s/m", 0, 0, "Viscous friction per normal force."),
    FND_REAL(stribeck, slip_speed, "m/s", FND_POSITIVE, 1e-4,
             "Slip at which friction has 0.707 of its limit; below it friction falls linearly to zero."),
};

/* Friction over slip and load. */
static double stribeck_factor(const stribeck *p, double speed)
{
    double mu = fnd_stribeck(p->mu_static, p->mu_kinetic, p->stribeck_speed, speed);
    return mu / sqrt(speed * speed + p->slip_speed * p->slip_speed) + p->viscous;
}

static void stribeck_force(const void *parameters, const fender_contact_input *in, const void *memory,
                           fender_contact_output *out)
{
    const stribeck *p = parameters;
    (void)memory;
    oppose(stribeck_factor(p, length(in->slip)) * fnd_load(in), in, out);
}

/* mu'(v) / v = -2 (mu_static - mu_kinetic) exp(-(v / v_s)^2) / v_s^2 */
static void stribeck_derivative(const void *parameters, const fender_contact_input *in, const void *memory,
                                fender_contact_derivative *by)
{
    const stribeck *p = parameters;
    (void)memory;
    double speed = length(in->slip), load = fnd_load(in);
    double mu = fnd_stribeck(p->mu_static, p->mu_kinetic, p->stribeck_speed, speed);
    double fall = -2 * (mu - p->mu_kinetic) / (p->stribeck_speed * p->stribeck_speed);
    double square = speed * speed + p->slip_speed * p->slip_speed, root = sqrt(square);
    double factor = stribeck_factor(p, speed);
    fnd_oppose_derivative(factor * load, (fall - mu / square) / root * load, in->normal_force > 0 ? factor : 0,
                          in->slip, by);
}

/* At zero slip, as of `coulomb`. Beyond the peak the slope is negative: what a spring holds there swings. */
static void stribeck_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    out->tangential_damping = stribeck_factor(parameters, 0) * fabs(in->normal_force);
}

static fender_status stribeck_check(const void *parameters, fender_error *error)
{
    const stribeck *p = parameters;
    return fnd_check_coefficients(p->mu_static, p->mu_kinetic, error);
}

const fender_law fnd_law_stribeck = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "stribeck",
    .doc = "Sliding friction by the Stribeck curve from mu_static to mu_kinetic, with viscous friction; smooth through "
           "zero slip: it creeps under load and never sticks.",
    .parameters = FENDER_FIELD_TABLE("stribeck", stribeck_fields, stribeck),
    .check = stribeck_check,
    .force = stribeck_force,
    .stiffness = stribeck_stiffness,
    .derivative = stribeck_derivative,
};

/* ---- Law `smooth_stick_slip`: friction with a peak at a critical velocity, which creeps below it
 *
 * f = -mu(v) |N| s / v, the friction of Simscape's contact block (S055 to S058), which states what the curve does and
 * not which it is. */

typedef fender_smooth_stick_slip_parameters smooth_stick_slip;

static const fender_field smooth_stick_slip_fields[] = {
    FND_REAL(smooth_stick_slip, mu_static, "1", FND_REQUIRED | FND_POSITIVE, 0,
             "Coefficient of friction at the critical velocity."),
    FND_REAL(smooth_stick_slip, mu_dynamic, "1", FND_REQUIRED, 0,
             "Coefficient that friction approaches at high velocity."),
    FND_REAL(smooth_stick_slip, critical_velocity, "m/s", FND_POSITIVE, 1e-3,
             "Slip at which friction reaches mu_static; below it the contact creeps."),
};

/* mu(v) / v. With x = v / critical_velocity: mu = mu_static (3 x - x^3) / 2 up to 1, odd, so that the force is a
 * polynomial in the slip; beyond it mu_dynamic + (mu_static - mu_dynamic) / (1 + (x - 1)^2). Value and slope (0) meet
 * at 1. */
static double friction_per_speed(const smooth_stick_slip *p, double speed)
{
    assert(fnd_not_below(speed, 0));
    double x = speed / p->critical_velocity, y = x - 1;
    if (x < 1) return p->mu_static * (1.5 - 0.5 * x * x) / p->critical_velocity;
    return (p->mu_dynamic + (p->mu_static - p->mu_dynamic) / (1 + y * y)) / speed;
}

static void smooth_stick_slip_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                    fender_contact_output *out)
{
    const smooth_stick_slip *p = parameters;
    (void)memory;
    oppose(friction_per_speed(p, length(in->slip)) * fabs(in->normal_force), in, out);
}

static void smooth_stick_slip_derivative(const void *parameters, const fender_contact_input *in, const void *memory,
                                         fender_contact_derivative *by)
{
    const smooth_stick_slip *p = parameters;
    (void)memory;
    double speed = length(in->slip), c = p->critical_velocity, y = speed / c - 1;
    double factor = friction_per_speed(p, speed), slope = -p->mu_static / (c * c * c), load = fabs(in->normal_force);
    if (!(y < 0)) {
        double fall = -2 * (p->mu_static - p->mu_dynamic) * y / ((1 + y * y) * (1 + y * y) * c); /* mu'(v) */
        slope = (fall - factor) / (speed * speed);
    }
    fnd_oppose_derivative(factor * load, slope * load, in->normal_force < 0 ? -factor : factor, in->slip, by);
}

/* Slope 3/2 mu_static N / critical_velocity of the cubic at rest. */
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
    .doc = "Friction mu(v) |N| against the slip: 0 at rest, mu_static at the critical velocity, mu_dynamic at high "
           "slip; it creeps under load and never sticks.",
    .parameters = FENDER_FIELD_TABLE("smooth_stick_slip", smooth_stick_slip_fields, smooth_stick_slip),
    .force = smooth_stick_slip_force,
    .stiffness = smooth_stick_slip_stiffness,
    .derivative = smooth_stick_slip_derivative,
};

/* ---- Law `anisotropic`: two coefficients of sliding friction, along and across a direction that is fixed to a body
 *
 * The force of the limit ellipse (f1 / mu1)^2 + (f2 / mu2)^2 = N^2 that loses most, f_i = -N mu_i^2 v_i / |mu v|
 * (Goyal, Ruina and Papadopoulos 1991), times |v| / sqrt(|v|^2 + slip_speed^2). */

typedef fender_anisotropic_parameters anisotropic;

typedef enum fixed_to { FIXED_TO_A, FIXED_TO_B } fixed_to;
static const char *const fixed_to_names[] = {"a", "b", NULL};

static const fender_field anisotropic_fields[] = {
    FND_REAL(anisotropic, mu_along, "1", FND_REQUIRED, 0, "Coefficient of friction against slip along the direction."),
    FND_REAL(anisotropic, mu_across, "1", FND_REQUIRED, 0, "Coefficient of friction against slip across it."),
    {"along", "1", "The direction, in the axes of the shape; its length does not matter.", FENDER_FIELD_VEC3,
     offsetof(anisotropic, along), FND_REQUIRED, -INFINITY, INFINITY, 0, NULL},
    FND_CHOICE(anisotropic, "fixed_to", fixed_to, 1, FIXED_TO_A, fixed_to_names,
               "The shape: a, which was created first, or b."),
    FND_REAL(anisotropic, slip_speed, "m/s", FND_POSITIVE, 1e-3,
             "Slip at which friction has 0.707 of its limit; below it friction falls linearly to zero."),
};

static void anisotropic_force(const void *parameters, const fender_contact_input *in, const void *memory,
                              fender_contact_output *out)
{
    const anisotropic *p = parameters;
    (void)memory;
    /* where the direction is the normal the shape of the ellipse does not matter: nothing slides along it */
    fender_vec2 u = fnd_fixed_direction(in, p->fixed_to == FIXED_TO_A, p->along), v = in->slip;
    double along = v.x * u.x + v.y * u.y, across = -v.x * u.y + v.y * u.x;
    double a = p->mu_along * along, b = p->mu_across * across, size = sqrt(a * a + b * b),
           square = v.x * v.x + v.y * v.y;
    if (!(size > 0) || !(in->normal_force > 0)) return;
    double factor = in->normal_force / size * sqrt(square / (square + p->slip_speed * p->slip_speed));
    double f1 = -factor * p->mu_along * a, f2 = -factor * p->mu_across * b;
    out->force.x = f1 * u.x - f2 * u.y;
    out->force.y = f1 * u.y + f2 * u.x;
    out->friction_power = factor * size * size;
}

/* Of the direction that holds more: the step must follow it whichever way the surfaces slip. */
static void anisotropic_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const anisotropic *p = parameters;
    double most = p->mu_along > p->mu_across ? p->mu_along : p->mu_across;
    out->tangential_damping = most * fabs(in->normal_force) / p->slip_speed;
}

const fender_law fnd_law_anisotropic = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "anisotropic",
    .doc = "Sliding friction with an elliptical limit: mu_along along a direction fixed to one of the shapes, "
           "mu_across across it; smooth through zero slip.",
    .parameters = FENDER_FIELD_TABLE("anisotropic", anisotropic_fields, anisotropic),
    .force = anisotropic_force,
    .stiffness = anisotropic_stiffness,
    .needs = FENDER_LAW_NEEDS_SURFACE,
};

/* ---- Law `none`: what stands for no friction law (S055) */

/* Zeroed by the caller. */
static void none_force(const void *parameters, const fender_contact_input *in, const void *memory,
                       fender_contact_output *out)
{
    (void)parameters, (void)in, (void)memory, (void)out;
}

static void none_derivative(const void *parameters, const fender_contact_input *in, const void *memory,
                            fender_contact_derivative *by)
{
    (void)parameters, (void)in, (void)memory, (void)by;
}

const fender_law fnd_law_none = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "none",
    .doc = "No friction: the same as no friction law.",
    .parameters = {"none", NULL, 0, sizeof(fender_field), 0},
    .force = none_force,
    .derivative = none_derivative,
};
