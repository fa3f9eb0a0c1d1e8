/* A tangential spring that slides where it reaches mu N, as in discrete-element codes. */
#include "law/history_spring.h"
#include "law/plane_vector.h"

static fender_vec2 stretch_of(const fender_contact_input *in) { return (fender_vec2){in->states[0], in->states[1]}; }

/* What spring and damper would take, and the part of it that the limit leaves. */
static fender_vec2 trial_of(const fnd_history_spring *p, const fender_contact_input *in, double *part)
{
    fender_vec2 trial = combined(p->stiffness, stretch_of(in), p->damping, in->slip);
    double size = length(trial), limit = p->mu * (in->normal_force > 0 ? in->normal_force : 0);
    *part = size > limit ? limit / size : 1;
    return trial;
}

/* Slip at the limit: what goes outward along the force is plastic. 0 below the limit. */
static double plastic_rate(const fender_contact_input *in, fender_vec2 trial, double part)
{
    double forward = part < 1 ? dot(in->slip, trial) : 0;
    return forward > 0 ? forward / length(trial) : 0;
}

/* The stretch follows the slip, but for what slides. As the spring grows stiffer with depth the force stays, and the
 * stretch shrinks (a spring that stiffens at a given stretch would make energy); as it grows softer the stretch stays,
 * and the force falls: f' = k v, scaled down with k (Elata and Berryman 1996; Walton and Braun 1986). Where force and
 * store differ in stiffness, slip acts on the stretch by the lever that force has. */
void fnd_history_spring_rates(const fnd_history_spring *p, const fender_contact_input *in, double *rates)
{
    double part, shrink = p->growth > 0 ? p->growth : 0;
    fender_vec2 trial = trial_of(p, in, &part), rate = in->slip;
    double slides = plastic_rate(in, trial, part);
    if (slides > 0) rate = combined(1, rate, -slides / length(trial), trial);
    rate = combined(p->stiffness / p->store, rate, -shrink, stretch_of(in));
    rates[0] = rate.x;
    rates[1] = rate.y;
}

/* Lost is what slip brings, -f v, less what the spring takes, d(store s^2 / 2)/dt. */
void fnd_history_spring_force(const fnd_history_spring *p, const fender_contact_input *in, fender_contact_output *out)
{
    double part, rates[FND_HISTORY_SPRING_STATES];
    fender_vec2 trial = trial_of(p, in, &part), s = stretch_of(in);
    fnd_history_spring_rates(p, in, rates);
    double taken = p->store * (dot(s, (fender_vec2){rates[0], rates[1]}) + 0.5 * p->growth * dot(s, s));
    out->force.x = -part * trial.x;
    out->force.y = -part * trial.y;
    out->friction_power = part * dot(trial, in->slip) - taken;
}

void fnd_history_spring_update(const fnd_history_spring *p, const fender_contact_input *in,
                               fender_contact_change *change)
{
    double limit = p->mu * (in->normal_force > 0 ? in->normal_force : 0), held = p->stiffness * length(stretch_of(in));
    if (!(held > limit)) return;
    change->states[0] *= limit / held;
    change->states[1] *= limit / held;
}

double fnd_history_spring_energy(const fnd_history_spring *p, const fender_contact_input *in)
{
    return 0.5 * p->store * dot(stretch_of(in), stretch_of(in));
}

fender_vec2 fnd_history_spring_stretch(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)parameters, (void)memory;
    return stretch_of(in);
}
