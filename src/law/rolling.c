/* Torques against rolling and twisting, in proportion to the load: rolling_resistance, rolling_stick, torsional,
 * torsional_stick. */
#include <assert.h>
#include <math.h>

#include "law/friction_stick.h"
#include "law/laws.h"
#include "law/parts.h"

/* ---- Law `rolling_resistance`: a torque against rolling in proportion to the load, smooth through rest
 *
 * M = -arm N w / sqrt(|w|^2 + roll_rate^2), the constant directional torque (Ai, Chen, Rotter and Ooi 2011, model A).
 */

typedef fender_rolling_resistance_parameters rolling_resistance;

static const fender_field rolling_resistance_fields[] = {
    FND_REAL(rolling_resistance, arm, "m", FND_REQUIRED, 0,
             "Torque per normal force: coefficient of rolling resistance times the radius."),
    FND_REAL(rolling_resistance, roll_rate, "rad/s", FND_POSITIVE, 1e-2,
             "Rolling at which the torque has 0.707 of its limit; below it falls linearly to zero."),
};

static void rolling_resistance_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                     fender_contact_output *out)
{
    const rolling_resistance *p = parameters;
    (void)memory;
    double square = in->spin.x * in->spin.x + in->spin.y * in->spin.y;
    double factor = p->arm * fnd_load(in) / sqrt(square + p->roll_rate * p->roll_rate);
    out->torque.x = -factor * in->spin.x;
    out->torque.y = -factor * in->spin.y;
    out->friction_power = factor * square;
}

static void rolling_resistance_derivative(const void *parameters, const fender_contact_input *in, const void *memory,
                                          fender_contact_derivative *by)
{
    const rolling_resistance *p = parameters;
    (void)memory;
    const double x = in->spin.x, y = in->spin.y, square = x * x + y * y + p->roll_rate * p->roll_rate;
    const double per_load = p->arm / sqrt(square), factor = per_load * fnd_load(in);
    by[FENDER_LAW_BY_SPIN_X].torque = fender_vec3_make(factor * (x * x / square - 1), factor * x * y / square, 0);
    by[FENDER_LAW_BY_SPIN_Y].torque = fender_vec3_make(factor * x * y / square, factor * (y * y / square - 1), 0);
    if (in->normal_force > 0) by[FENDER_LAW_BY_NORMAL_FORCE].torque = fender_vec3_make(-per_load * x, -per_load * y, 0);
}

const fender_law fnd_law_rolling_resistance = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_ROLLING,
    .name = "rolling_resistance",
    .doc = "A torque arm N against rolling, smooth through rest: under load it creeps and never stops.",
    .parameters = FENDER_FIELD_TABLE("rolling_resistance", rolling_resistance_fields, rolling_resistance),
    .force = rolling_resistance_force,
    .derivative = rolling_resistance_derivative,
};

/* ---- Law `rolling_stick`: the same torque, that holds a sphere where it has come to rest
 *
 * At rest M = -(k a + c w), a' = w, until |M| reaches arm N (Ai, Chen, Rotter and Ooi 2011, model C; Luding 2008). */

typedef fender_rolling_stick_parameters rolling_stick;

static const fender_field rolling_stick_fields[] = {
    FND_REAL(rolling_stick, arm, "m", FND_REQUIRED, 0,
             "Torque per normal force: coefficient of rolling resistance times the radius."),
    FND_REAL(rolling_stick, stiffness, "N*m/rad", FND_REQUIRED | FND_POSITIVE, 0,
             "Spring constant against rolling while at rest."),
    FND_REAL(rolling_stick, damping, "N*m*s/rad", 0, 0,
             "Damping constant while at rest; 1.4 sqrt(stiffness * moment of inertia) damps well."),
    FND_REAL(rolling_stick, rest_rate, "rad/s", 0, 0,
             "Rolling below which it comes to rest; 0: twice what the step can end, 1 mrad/s at least."),
};

static fnd_stick_slip rolling_stick_numbers(const void *parameters)
{
    const rolling_stick *p = parameters;
    return (fnd_stick_slip){p->arm, p->arm, p->stiffness, p->damping, p->rest_rate, FND_RESTICK_CARRY};
}

/* Against the spin along x and y: the angle rolled is the stretch. */
static fnd_stick_slip_input rolling_of(const fender_contact_input *in)
{
    return (fnd_stick_slip_input){{in->spin.x, in->spin.y}, fnd_load(in), in->states, in->located};
}

FND_STICK_SLIP_FUNCTIONS(rolling_stick, rolling_stick_numbers, rolling_of)

static void rolling_stick_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                fender_contact_output *out)
{
    const fnd_stick_slip own = rolling_stick_numbers(parameters);
    const fnd_stick_slip_input rolling = rolling_of(in);
    fnd_stick_slip_output result = fnd_stick_slip_force(&own, &rolling, memory);
    out->torque.x = result.force.x;
    out->torque.y = result.force.y;
    out->friction_power = result.power;
    out->mode = result.mode;
}

const fender_law fnd_law_rolling_stick = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_ROLLING,
    .name = "rolling_stick",
    .doc = "A torque arm N against rolling; below rest_rate, an angular spring and damper hold the body.",
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

/* ---- Friction of a round patch against twisting: what `torsional` and `torsional_stick` share */

/* How the load is spread over the patch, which says how far from its middle it presses in the mean. */
typedef enum patch_pressure { PRESSURE_EVEN, PRESSURE_HERTZ, PRESSURE_RIM } patch_pressure;
static const char *const pressure_names[] = {"even", "hertz", "rim", NULL};

#define TORSIONAL_FIELDS(type)                                                                             \
    FND_REAL(type, mu, "1", FND_REQUIRED, 0, "Coefficient of friction in the patch."),                     \
        FND_REAL(type, radius, "m", FND_REQUIRED, 0, "Radius of the patch."),                              \
    {                                                                                                      \
        "pressure", "1", "Pressure over the patch: even (torque 2/3 mu N R), hertz (3 pi / 16), rim (1).", \
            FENDER_FIELD_ENUM, offsetof(type, pressure), 0, 0, 2, PRESSURE_EVEN, pressure_names            \
    }

/* Torque per normal force [m]: mu times the mean distance from the middle, 2 R / 3 where pressure is even, 3 pi R / 16
 * of Hertz's pressure, R on a rim (Johnson 1985, for slip all over the patch). */
static double torsional_arm(double mu, double radius, int pressure)
{
    static const double parts[] = {2.0 / 3.0, 0.58904862254808621, 1.0}; /* 3 pi / 16 */
    return parts[pressure] * mu * radius;
}

/* ---- Law `torsional`: smooth through rest
 *
 * M = -p mu N R w_z / sqrt(w_z^2 + twist_rate^2), p that of the pressure. */

typedef fender_torsional_parameters torsional;

static const fender_field torsional_fields[] = {
    TORSIONAL_FIELDS(torsional),
    FND_REAL(torsional, twist_rate, "rad/s", FND_POSITIVE, 1e-2,
             "Twisting at which the torque has 0.707 of its limit; below it falls linearly to zero."),
};

/* About z of C; sliding is not known to it (docs/models/contact_laws.md). */
static void torsional_force(const void *parameters, const fender_contact_input *in, const void *memory,
                            fender_contact_output *out)
{
    const torsional *p = parameters;
    (void)memory;
    double rate = in->spin.z, limit = torsional_arm(p->mu, p->radius, p->pressure) * fnd_load(in);
    double factor = limit / sqrt(rate * rate + p->twist_rate * p->twist_rate);
    out->torque.z = -factor * rate;
    out->friction_power = factor * rate * rate;
}

static void torsional_derivative(const void *parameters, const fender_contact_input *in, const void *memory,
                                 fender_contact_derivative *by)
{
    const torsional *p = parameters;
    (void)memory;
    const double rate = in->spin.z, square = rate * rate + p->twist_rate * p->twist_rate;
    const double per_load = torsional_arm(p->mu, p->radius, p->pressure) / sqrt(square);
    by[FENDER_LAW_BY_SPIN_Z].torque.z = per_load * fnd_load(in) * (rate * rate / square - 1);
    if (in->normal_force > 0) by[FENDER_LAW_BY_NORMAL_FORCE].torque.z = -per_load * rate;
}

const fender_law fnd_law_torsional = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_TWISTING,
    .name = "torsional",
    .doc = "Friction of a round patch against twisting, smooth through rest: under load it creeps and never stops.",
    .parameters = FENDER_FIELD_TABLE("torsional", torsional_fields, torsional),
    .force = torsional_force,
    .derivative = torsional_derivative,
};

/* ---- Law `torsional_stick`: the same torque, that holds what has come to rest, as `rolling_stick` does */

typedef fender_torsional_stick_parameters torsional_stick;

static const fender_field torsional_stick_fields[] = {
    TORSIONAL_FIELDS(torsional_stick),
    FND_REAL(torsional_stick, stiffness, "N*m/rad", FND_REQUIRED | FND_POSITIVE, 0,
             "Spring constant against twisting while at rest."),
    FND_REAL(torsional_stick, damping, "N*m*s/rad", 0, 0,
             "Damping constant while at rest; 1.4 sqrt(stiffness * moment of inertia) damps well."),
    FND_REAL(torsional_stick, rest_rate, "rad/s", 0, 0,
             "Twisting below which it comes to rest; 0: twice what the step can end, 1 mrad/s at least."),
};

static fnd_stick_slip torsional_stick_numbers(const void *parameters)
{
    const torsional_stick *p = parameters;
    double arm = torsional_arm(p->mu, p->radius, p->pressure);
    return (fnd_stick_slip){arm, arm, p->stiffness, p->damping, p->rest_rate, FND_RESTICK_CARRY};
}

/* Against the spin about z, in the first of both components. */
static fnd_stick_slip_input twisting_of(const fender_contact_input *in)
{
    return (fnd_stick_slip_input){{in->spin.z, 0}, fnd_load(in), in->states, in->located};
}

FND_STICK_SLIP_FUNCTIONS(torsional_stick, torsional_stick_numbers, twisting_of)

static void torsional_stick_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                  fender_contact_output *out)
{
    const fnd_stick_slip own = torsional_stick_numbers(parameters);
    const fnd_stick_slip_input twisting = twisting_of(in);
    fnd_stick_slip_output result = fnd_stick_slip_force(&own, &twisting, memory);
    out->torque.z = result.force.x;
    out->friction_power = result.power;
    out->mode = result.mode;
}

const fender_law fnd_law_torsional_stick = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_TWISTING,
    .name = "torsional_stick",
    .doc = "A torque of mu, patch radius and load against twisting; below rest_rate, an angular spring and damper hold "
           "the body.",
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
