/* A tangential spring that slides where it reaches mu N, as in discrete-element codes. */
#include "law/history_spring.h"
#include "law/plane_vector.h"

static const double rounding = 1e-12, overshoot = 1e-9; /* of the limit: by which an event may come late */

static fender_vec2 stretch_of(const fender_contact_input *in) { return (fender_vec2){in->states[0], in->states[1]}; }

/* What spring and damper would take, the limit, and the direction of sliding: against the force, or the slip where
 * there is none. */
typedef struct trial {
    fender_vec2 force, direction;
    double size, limit, forward; /* N, N, m/s: slip along the direction */
    bool sliding;
} trial;

static trial trial_of(const fnd_history_spring *p, const fender_contact_input *in, const fnd_history_spring_memory *m)
{
    trial t = {.force = combined(p->stiffness, stretch_of(in), p->damping, in->slip),
               .limit = p->mu * (in->normal_force > 0 ? in->normal_force : 0)};
    double speed = length(in->slip);
    t.size = length(t.force);
    if (t.size > 0) t.direction = scaled(1 / t.size, t.force);
    else if (speed > 0) t.direction = scaled(1 / speed, in->slip);
    t.forward = dot(in->slip, t.direction);
    t.sliding = in->located && m ? m->sliding != 0 : t.size > t.limit;
    return t;
}

/* A spring that slides turns within its limit, which may have moved since its stretch was brought to it: the part by
 * which it turns faster or slower. */
static double turning(const fender_contact_input *in, const trial *t)
{
    if (!in->located) return 1;
    return t->size < 4 * t->limit ? t->size / t->limit : t->limit > 0 ? 4 : 0;
}

/* 1/s; the relative rate at which the stretch shrinks with the growth of the stiffness. */
static double shrinking(const fnd_history_spring *p)
{
    if (p->history == FND_HISTORY_DISPLACEMENT) return 0;
    return p->growth > 0 || p->history == FND_HISTORY_FORCE ? p->growth : 0;
}

/* 1; of slip on the stretch: where force and store differ in stiffness, the lever that force has. */
static double lever_of(const fnd_history_spring *p)
{
    return p->history == FND_HISTORY_DISPLACEMENT ? 1 : p->stiffness / p->store;
}

void fnd_history_spring_establish(const fnd_history_spring *p, const fender_contact_input *in,
                                  fnd_history_spring_memory *m)
{
    const trial t = trial_of(p, in, NULL);
    *m = (fnd_history_spring_memory){.depth = in->depth > 0 ? in->depth : 0, .sliding = t.size > t.limit};
    m->beyond = m->sliding;
}

/* The stretch follows the slip, but for what slides: slip at the limit that goes outward along the force is plastic.
 * Located, it may load the spring as the limit rises: the way is kept for the next accepted state. As the spring grows
 * stiffer with depth the force stays, and the stretch shrinks (a spring that stiffens at a given stretch would make
 * energy); as it grows softer the stretch stays, and the force falls: f' = k v, scaled down with k (Elata and Berryman
 * 1996; Walton and Braun 1986). Other histories: shrinking. */
void fnd_history_spring_rates(const fnd_history_spring *p, const fender_contact_input *in,
                              const fnd_history_spring_memory *m, double *rates)
{
    const trial t = trial_of(p, in, m);
    double shrink = shrinking(p), lever = lever_of(p);
    double slides = t.sliding && t.forward > 0 ? t.forward : 0, way = in->located && !(m && m->beyond) ? slides : 0;
    fender_vec2 rate = in->slip;
    if (t.sliding && (in->located || slides > 0)) {
        fender_vec2 aside = combined(1, rate, -t.forward, t.direction);
        rate = combined(turning(in, &t), aside, t.forward - slides, t.direction);
    }
    rate = combined(lever, rate, -shrink, stretch_of(in));
    rates[0] = rate.x;
    rates[1] = rate.y;
    rates[2] = lever * way - shrink * in->states[2];
}

/* Lost is what slip brings, f v, less what the spring takes, d(store s^2 / 2)/dt. What of this comes by the change of
 * stiffness alone is lost if rescaled; other histories may make energy by it: the bodies have it from outside. */
void fnd_history_spring_force(const fnd_history_spring *p, const fender_contact_input *in,
                              const fnd_history_spring_memory *m, fender_contact_output *out)
{
    const trial t = trial_of(p, in, m);
    double rates[FND_HISTORY_SPRING_STATES];
    fender_vec2 s = stretch_of(in), force = t.sliding ? scaled(t.limit, t.direction) : t.force;
    fnd_history_spring_rates(p, in, m, rates);
    double taken = p->store * (dot(s, (fender_vec2){rates[0], rates[1]}) + 0.5 * p->growth * dot(s, s));
    out->force.x = -force.x;
    out->force.y = -force.y;
    out->friction_power = dot(force, in->slip) - taken;
    if (p->history == FND_HISTORY_RESCALED) return;
    double shrink = shrinking(p), given = p->history == FND_HISTORY_DISPLACEMENT ? p->stiffness : p->store;
    given *= dot(s, (fender_vec2){rates[0] + shrink * s.x, rates[1] + shrink * s.y});
    out->supplied_power = taken - given;
    out->friction_power = dot(force, in->slip) - given;
}

/* Stretch of a spring that is at its limit, m. */
static double level_of(const fnd_history_spring *p, const trial *t)
{
    return (t->limit - p->damping * t->forward) / p->stiffness;
}

/* m/s; its rate, by the polynomial through the last accepted states and this one: a law does not see how the load
 * changes. */
static double level_rate(const fnd_history_spring_memory *m, double time, double level)
{
    double times[4] = {time}, slopes[4] = {level};
    int count = 0;
    for (int i = 0; i < m->known; i++) {
        if (!(times[count] > m->time[i])) continue; /* the same state: as the step begins */
        times[++count] = m->time[i];
        slopes[count] = m->level[i];
    }
    double rate = 0, way = 1;
    for (int order = 1; order <= count; order++) {
        for (int i = 0; i <= count - order; i++)
            slopes[i] = (slopes[i] - slopes[i + 1]) / (times[i] - times[i + order]);
        rate += slopes[0] * way;
        way *= time - times[order];
    }
    return rate;
}

/* Rate at which slip is plastic, over what makes it up; 1 while too little is known. */
static double plastic_rate(const fnd_history_spring *p, const fender_contact_input *in,
                           const fnd_history_spring_memory *m, const trial *t)
{
    if (m->known < 2) return 1;
    double slip = lever_of(p) * t->forward, level = level_of(p, t);
    double limit = level_rate(m, in->time, level) + shrinking(p) * level, size = fabs(slip) + fabs(limit);
    return size > 0 ? (slip - limit) / size : 1;
}

/* Does slip go outward, or the limit fall below what the spring holds? */
static double outward(const fender_contact_input *in, const trial *t)
{
    double size = t->size + t->limit, speed = length(in->slip);
    double along = speed > 0 ? t->forward / speed : 0, falling = size > 0 ? (t->size - t->limit) / size + rounding : 0;
    return along > falling ? along : falling;
}

/* It slides for as long as slip outruns the limit. The way that was slid loads the spring no farther than to its limit:
 * this ends it at the latest. At touch all is nothing, and it sticks. */
void fnd_history_spring_roots(const fnd_history_spring *p, const fender_contact_input *in,
                              const fnd_history_spring_memory *m, double *root)
{
    const trial t = trial_of(p, in, m);
    root[1] = 1;
    if (!m->sliding) {
        root[0] = t.size > 0 ? t.limit * (1 + rounding) - t.size : 1;
        return;
    }
    root[0] = t.size + p->stiffness * in->states[2] - t.limit * (1 - rounding);
    root[1] = m->known < 2 ? outward(in, &t) : plastic_rate(p, in, m, &t);
}

/* What is near to the last one tells nothing of the rate but rounding. */
static void remember(fnd_history_spring_memory *m, double time, double level)
{
    if (m->known > 1 && time - m->time[0] < 1e-3 * (m->time[0] - m->time[1])) return;
    for (int i = 2; i > 0; i--) m->time[i] = m->time[i - 1], m->level[i] = m->level[i - 1];
    m->time[0] = time;
    m->level[0] = level;
    if (m->known < 3) m->known++;
}

/* The spring is loaded to its limit by the way that was slid, as far as that goes, and cut where it and the damper
 * would take more. */
void fnd_history_spring_update(const fnd_history_spring *p, const fender_contact_input *in,
                               fnd_history_spring_memory *m, fender_contact_change *change)
{
    const trial t = trial_of(p, in, m);
    fender_vec2 s = stretch_of(in);
    double missing = (t.limit - t.size) / p->stiffness, slid = in->states[2], stretch = dot(s, t.direction);
    bool slides = in->located && m->sliding;
    double over = length(s) - t.limit / p->stiffness; /* of the spring without the damper */
    if (slides && missing > 0) s = combined(1, s, missing < slid ? missing : slid, t.direction);
    else if (slides && stretch > 0) s = combined(1, s, -missing < stretch ? missing : -stretch, t.direction);
    else if (!slides && missing < 0 && over > 0) s = scaled(1 - (-missing < over ? -missing : over) / length(s), s);
    if (slides) {
        m->sliding = slid > missing && (m->known < 2 ? t.forward > 0 || missing <= 0 : plastic_rate(p, in, m, &t) > 0);
    } else {
        m->sliding = in->located && t.size > 0 && t.size >= t.limit * (1 - rounding);
        m->known = 0;
    }
    /* a spring that is stretched against the slide, and at the limit with the damper, is loaded by the slide as well */
    m->beyond = m->sliding && -missing > (stretch > 0 ? stretch : 0) + overshoot * t.limit / p->stiffness;
    if (m->beyond) m->known = 0;
    else if (m->sliding) remember(m, in->time, level_of(p, &t));
    change->states[0] = s.x;
    change->states[1] = s.y;
    change->states[2] = 0;
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
