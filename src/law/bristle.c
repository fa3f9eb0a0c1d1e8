/* Bristles that bend like Dahl's, in the form whose time constant does not know the load. */
#include "law/bristle.h"
#include "law/plane_vector.h"
#include "math/elementary.h"

/* With the bend z and its stiffness k = mu_k N / amplitude, Dahl and LuGre are f = -k z, z' = v - a z,
 * a = |v| / (amplitude g(v)), g the Stribeck curve over mu_k. Written so, a load that rises would stretch the spring
 * for nothing. The state here is y = sqrt(k) z, and
 *
 *     f = -m y,  y' = m v - a y,  m = sqrt(k)
 *
 * which is the same under an even load. y^2 / 2 is what is stored; the load changes only the lever m by which slip and
 * force act on it, so that a y^2 is lost at every load, however it changes, and nothing is stiff where N goes to 0. */

static double load_of(const fender_contact_input *in) { return in->normal_force > 0 ? in->normal_force : 0; }
static fender_vec2 state_of(const fender_contact_input *in) { return (fender_vec2){in->states[0], in->states[1]}; }

double fnd_stribeck(double mu_static, double mu_kinetic, double stribeck_speed, double speed)
{
    double x = speed / stribeck_speed;
    return x < 26 ? mu_kinetic + (mu_static - mu_kinetic) * fnd_exponential(-x * x) : mu_kinetic;
}

typedef struct view {
    double load, lever; /* N, m above */
    double rate;        /* a: 1/s */
    double part;        /* of the lever: less than 1 where the load has fallen below what the bend would push with */
    double damping;     /* N s/m */
} view;

static view view_of(const fnd_bristle *p, const fender_contact_input *in)
{
    view w = {.load = load_of(in), .part = 1};
    double speed = length(in->slip), bend = length(state_of(in));
    double mu = fnd_stribeck(p->mu_static, p->mu_kinetic, p->stribeck_speed, speed);
    w.lever = sqrt(p->mu_kinetic * w.load / p->amplitude);
    w.rate = speed * p->mu_kinetic / (p->amplitude * mu);
    if (w.lever * bend > p->mu_static * w.load) w.part = p->mu_static * w.load / (w.lever * bend);
    /* d z' v may be negative; with d falling like this it is never more than a y^2 gives: the form a y^2 - (d a / m) y
     * v
     * + d v^2 is not negative for d a <= 4 m^2. So LuGre is passive whatever its numbers. */
    w.damping = p->damping * w.load / (1 + p->damping * w.rate * p->amplitude / (4 * p->mu_kinetic));
    return w;
}

/* sqrt(N amplitude / mu_k): y / m = that times y / N, without a division by a load that may be 0. */
static fender_vec2 damped(const fnd_bristle *p, const view *w, const fender_contact_input *in)
{
    if (!(w->load > 0)) return (fender_vec2){0, 0};
    double back = w->rate * sqrt(p->amplitude / (p->mu_kinetic * w->load));
    return combined(w->damping, in->slip, -w->damping * back, state_of(in));
}

void fnd_bristle_force(const fnd_bristle *p, const fender_contact_input *in, fender_contact_output *out)
{
    view w = view_of(p, in);
    fender_vec2 y = state_of(in), bending = damped(p, &w, in);
    fender_vec2 force = combined(w.part * w.lever, y, 1, combined(1, bending, p->viscous * w.load, in->slip));
    out->force.x = -force.x;
    out->force.y = -force.y;
    out->friction_power = w.rate * dot(y, y) + dot(bending, in->slip) + p->viscous * w.load * dot(in->slip, in->slip);
}

void fnd_bristle_rates(const fnd_bristle *p, const fender_contact_input *in, double *rates)
{
    view w = view_of(p, in);
    fender_vec2 rate = combined(w.part * w.lever, in->slip, -w.rate, state_of(in));
    rates[0] = rate.x;
    rates[1] = rate.y;
}

/* What the bend holds beyond the limit of the load is lost. */
void fnd_bristle_update(const fnd_bristle *p, const fender_contact_input *in, fender_contact_change *change)
{
    view w = view_of(p, in);
    if (!(w.part < 1)) return;
    change->states[0] *= w.part;
    change->states[1] *= w.part;
}

double fnd_bristle_energy(const fender_contact_input *in) { return 0.5 * dot(state_of(in), state_of(in)); }

fender_vec2 fnd_bristle_bend(const fnd_bristle *p, const fender_contact_input *in)
{
    view w = view_of(p, in);
    return w.lever > 0 ? scaled(1 / w.lever, state_of(in)) : (fender_vec2){0, 0};
}

void fnd_bristle_stiffness(const fnd_bristle *p, const fender_contact_input *in, fender_law_stiffness *out)
{
    double load = load_of(in);
    out->tangential_stiffness = p->mu_kinetic * load / p->amplitude;
    out->tangential_damping = (p->damping + p->viscous) * load;
}
