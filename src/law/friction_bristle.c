/* Friction of bristles: dahl and lugre, in a form whose time constant does not know the load. */
#include <assert.h>
#include <math.h>

#include "law/friction_smooth.h"
#include "law/laws.h"
#include "law/parts.h"

/* ---- Bristles that bend like Dahl's
 *
 * With the bend z and its stiffness k = mu_k N / amplitude, Dahl (1968) and LuGre (Canudas de Wit,
 * Olsson, Astrom and Lischinsky 1995) are f = -k z, z' = v - a z,
 * a = |v| / (amplitude g(v)), g the Stribeck curve over mu_k. Written so, a load that rises would stretch the spring
 * for nothing. The state here is y = sqrt(k) z, and
 *
 *     f = -m y,  y' = m v - a y,  m = sqrt(k)
 *
 * which is the same under an even load. y^2 / 2 is what is stored; the load changes only the lever m by which slip and
 * force act on it, so that a y^2 is lost at every load, however it changes, and nothing is stiff where N goes to 0. */

/* Parameters of `lugre`, which the functions below take as a law's; `dahl` fills in what it has. */
typedef struct bristle {
    double mu_static, mu_kinetic; /* the second above 0: it gives the stiffness */
    double amplitude;             /* m; bend while sliding at mu_kinetic */
    double damping, viscous;      /* s/m; per normal force: of the bending, of the slip */
    double stribeck_speed;        /* m/s */
} bristle;

enum { BRISTLE_STATES = 2 };

typedef struct view {
    double load, lever; /* N, m above */
    double rate;        /* a: 1/s */
    double part;        /* of the lever: less than 1 where the load has fallen below what the bend would push with */
    double damping;     /* N s/m */
} view;

static view view_of(const bristle *p, const fender_contact_input *in)
{
    view w = {.load = fnd_load(in), .part = 1};
    double speed = length(in->slip), bend = length(fnd_plane_state(in));
    double mu = fnd_stribeck(p->mu_static, p->mu_kinetic, p->stribeck_speed, speed);
    w.lever = sqrt(p->mu_kinetic * w.load / p->amplitude);
    w.rate = speed * p->mu_kinetic / (p->amplitude * mu);
    if (w.lever * bend > p->mu_static * w.load) w.part = p->mu_static * w.load / (w.lever * bend);
    /* d z' v may be negative; with d falling like this it is never more than a y^2 gives: the form a y^2 - (d a / m) y
     * v
     * + d v^2 is not negative for d a <= 4 m^2. So LuGre is passive whatever its numbers (with an even
     * d it is not: Barahona and Canudas de Wit 2000). */
    w.damping = p->damping * w.load / (1 + p->damping * w.rate * p->amplitude / (4 * p->mu_kinetic));
    assert(fnd_is_part(w.part));
    return w;
}

/* sqrt(N amplitude / mu_k): y / m = that times y / N, without a division by a load that may be 0. */
static fender_vec2 damped(const bristle *p, const view *w, const fender_contact_input *in)
{
    if (!(w->load > 0)) return (fender_vec2){0, 0};
    double back = w->rate * sqrt(p->amplitude / (p->mu_kinetic * w->load));
    return combined(w->damping, in->slip, -w->damping * back, fnd_plane_state(in));
}

/* f = -m y, the damped bending, and viscous friction. Lost is a y^2 and what both dampers take; the rest is stored. */
static void bristle_force(const void *parameters, const fender_contact_input *in, const void *memory,
                          fender_contact_output *out)
{
    const bristle *p = parameters;
    (void)memory;
    view w = view_of(p, in);
    fender_vec2 y = fnd_plane_state(in), bending = damped(p, &w, in);
    fender_vec2 force = combined(w.part * w.lever, y, 1, combined(1, bending, p->viscous * w.load, in->slip));
    out->force.x = -force.x;
    out->force.y = -force.y;
    out->friction_power = w.rate * dot(y, y) + dot(bending, in->slip) + p->viscous * w.load * dot(in->slip, in->slip);
}

/* y' = m v - a y, with the lever cut where the load has fallen below what the bend would push with. */
static void bristle_rates(const void *parameters, const fender_contact_input *in, const void *memory, double *rates)
{
    (void)memory;
    assert(rates);
    view w = view_of(parameters, in);
    fender_vec2 rate = combined(w.part * w.lever, in->slip, -w.rate, fnd_plane_state(in));
    rates[0] = rate.x;
    rates[1] = rate.y;
}

/* The energy of the deflection above the limit of the load is lost. */
static void bristle_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                           void *memory, fender_contact_change *change)
{
    (void)out, (void)memory;
    assert(change && change->states);
    view w = view_of(parameters, in);
    if (!(w.part < 1)) return;
    change->states[0] *= w.part;
    change->states[1] *= w.part;
}

/* y^2 / 2 at every load. */
static double bristle_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)parameters, (void)memory;
    return 0.5 * dot(fnd_plane_state(in), fnd_plane_state(in));
}

/* z of the state y = m z. */
static fender_vec2 bristle_stretch(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)memory;
    view w = view_of(parameters, in);
    return w.lever > 0 ? scaled(1 / w.lever, fnd_plane_state(in)) : (fender_vec2){0, 0};
}

/* k = mu_kinetic N / amplitude at rest. The time constant of sliding, amplitude / v, depends on the speed, which is not
 * known here. */
static void bristle_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const bristle *p = parameters;
    double load = fnd_load(in);
    out->tangential_stiffness = p->mu_kinetic * load / p->amplitude;
    out->tangential_damping = (p->damping + p->viscous) * load;
}

/* ---- Law `dahl`: friction of bristles that bend towards their limit as the surfaces move (Dahl 1968)
 *
 * From rest the force grows with the way x as mu N (1 - exp(-x / amplitude)). */

typedef fender_dahl_parameters dahl;

static const fender_field dahl_fields[] = {
    FND_REAL(dahl, mu, "1", FND_REQUIRED | FND_POSITIVE, 0, "Coefficient of friction."),
    FND_REAL(dahl, amplitude, "m", FND_REQUIRED | FND_POSITIVE, 0,
             "Deflection at the limit: the spring constant at rest is mu N / amplitude."),
    FND_REAL(dahl, damping, "s/m", 0, 0, "Damping of the deflection per normal force."),
};

/* One coefficient: the Stribeck curve is flat, and its speed does not matter. */
static bristle dahl_numbers(const dahl *p) { return (bristle){p->mu, p->mu, p->amplitude, p->damping, 0, 1}; }

static void dahl_force(const void *parameters, const fender_contact_input *in, const void *memory,
                       fender_contact_output *out)
{
    const bristle own = dahl_numbers(parameters);
    bristle_force(&own, in, memory, out);
}

static void dahl_rates(const void *parameters, const fender_contact_input *in, const void *memory, double *rates)
{
    const bristle own = dahl_numbers(parameters);
    bristle_rates(&own, in, memory, rates);
}

static void dahl_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                        void *memory, fender_contact_change *change)
{
    const bristle own = dahl_numbers(parameters);
    bristle_update(&own, in, out, memory, change);
}

static fender_vec2 dahl_stretch(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const bristle own = dahl_numbers(parameters);
    return bristle_stretch(&own, in, memory);
}

static void dahl_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const bristle own = dahl_numbers(parameters);
    bristle_stiffness(&own, in, out);
}

const fender_law fnd_law_dahl = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "dahl",
    .doc = "Bristle friction (Dahl): a spring whose force approaches mu N over the displacement `amplitude`, without "
           "modes.",
    .parameters = FENDER_FIELD_TABLE("dahl", dahl_fields, dahl),
    .force = dahl_force,
    .update = dahl_update,
    .stored_energy = bristle_energy,
    .stiffness = dahl_stiffness,
    .state_count = BRISTLE_STATES,
    .state_rates = dahl_rates,
    .stretch = dahl_stretch,
};

/* ---- Law `lugre`: friction of bristles with the Stribeck curve and viscous friction (Canudas de Wit et al. 1995) */

typedef bristle lugre;

static const fender_field lugre_fields[] = {
    FND_REAL(lugre, mu_static, "1", FND_REQUIRED | FND_POSITIVE, 0,
             "Coefficient at rest, where the Stribeck curve begins."),
    FND_REAL(lugre, mu_kinetic, "1", FND_REQUIRED | FND_POSITIVE, 0, "Coefficient at high slip, at most mu_static."),
    FND_REAL(lugre, stribeck_speed, "m/s", FND_POSITIVE, 1e-3,
             "Slip at which 0.37 of the difference mu_static - mu_kinetic is left."),
    FND_REAL(lugre, amplitude, "m", FND_REQUIRED | FND_POSITIVE, 0,
             "Deflection at mu_kinetic N: the spring constant at rest is mu_kinetic N / amplitude."),
    FND_REAL(lugre, damping, "s/m", 0, 0, "Damping of the deflection per normal force."),
    FND_REAL(lugre, viscous, "s/m", 0, 0, "Viscous friction per normal force."),
};

static fender_status lugre_check(const void *parameters, fender_error *error)
{
    const lugre *p = parameters;
    return fnd_check_coefficients(p->mu_static, p->mu_kinetic, error);
}

const fender_law fnd_law_lugre = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "lugre",
    .doc = "Bristle friction (LuGre) with the Stribeck curve from mu_static to mu_kinetic and viscous friction, "
           "without modes.",
    .parameters = FENDER_FIELD_TABLE("lugre", lugre_fields, lugre),
    .check = lugre_check,
    .force = bristle_force,
    .update = bristle_update,
    .stored_energy = bristle_energy,
    .stiffness = bristle_stiffness,
    .state_count = BRISTLE_STATES,
    .state_rates = bristle_rates,
    .stretch = bristle_stretch,
};
