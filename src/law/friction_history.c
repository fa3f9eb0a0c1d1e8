/* Tangential springs with a history, as in discrete-element codes: cundall_strack and mindlin. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "law/derive.h"
#include "law/laws.h"
#include "law/normal_elastic.h"
#include "law/parts.h"

/* ---- A tangential spring that slides where it reaches mu N (Cundall and Strack 1979)
 *
 * f = -(k s + c v), s' = v, held to mu N, where the stretch follows the slip no further. */

/* The quantity that stays constant while the stiffness changes. */
typedef enum history {
    HISTORY_RESCALED,    /* the force while the spring stiffens, the stretch while it softens: passive */
    HISTORY_FORCE,       /* the force, both ways: f' = k v */
    HISTORY_DISPLACEMENT /* the stretch, both ways: f = k s */
} history;

typedef struct history_spring {
    double mu, stiffness, damping; /* 1, N/m, N s/m; at this depth */
    double store;  /* N/m; stiffness of the stored energy: the stiffness, or more if that changes at a commit */
    double growth; /* 1/s; relative rate of the store */
    double lever;  /* 1; effect of slip on the stretch */
    history history;
} history_spring;

typedef struct spring_memory {
    double depth; /* m; when last accepted; for laws that ask */
    /* with located events: the modes of sliding, and of a damper whose force alone exceeds the limit; then the stretch
     * at the limit at the last accepted states, latest first */
    int sliding, beyond, known;
    double time[3], level[3]; /* s, m */
} spring_memory;

/* The stretch, and the sliding distance since the last accepted state. */
enum { SPRING_STATES = 3, SPRING_ROOTS = 2 };

static const double rounding = 1e-12, overshoot = 1e-9; /* fraction of the limit: tolerance for a late event */

/* Force of spring and damper, the limit, and the direction of sliding: opposite to the force, or along the slip if
 * there is no force. */
typedef struct trial {
    fender_vec2 force, direction;
    double size, limit, forward; /* N, N, m/s: slip along the direction */
    bool sliding;
} trial;

static trial trial_of(const history_spring *p, const fender_contact_input *in, const spring_memory *m)
{
    trial t = {.force = combined(p->stiffness, fnd_plane_state(in), p->damping, in->slip),
               .limit = p->mu * fnd_load(in)};
    double speed = length(in->slip);
    t.size = length(t.force);
    if (t.size > 0) t.direction = scaled(1 / t.size, t.force);
    else if (speed > 0) t.direction = scaled(1 / speed, in->slip);
    t.forward = dot(in->slip, t.direction);
    t.sliding = in->located && m ? m->sliding != 0 : t.size > t.limit;
    return t;
}

/* A sliding spring rotates within its limit, which may have changed since its stretch was set: the factor of its rate
 * of rotation. */
static double turning(const fender_contact_input *in, const trial *t)
{
    if (!in->located) return 1;
    return t->size < 4 * t->limit ? t->size / t->limit : t->limit > 0 ? 4 : 0;
}

/* 1/s; the relative rate at which the stretch shrinks with the growth of the stiffness. */
static double shrinking(const history_spring *p)
{
    if (p->history == HISTORY_DISPLACEMENT) return 0;
    return p->growth > 0 || p->history == HISTORY_FORCE ? p->growth : 0;
}

/* A contact may begin beyond its limit and then slides from the beginning. */
static void spring_begin(const history_spring *p, const fender_contact_input *in, spring_memory *m)
{
    assert(m);
    const trial t = trial_of(p, in, NULL);
    *m = (spring_memory){.depth = in->depth > 0 ? in->depth : 0, .sliding = t.size > t.limit};
    m->beyond = m->sliding;
}

/* The stretch follows the slip, but for what slides: slip at the limit that goes outward along the force is plastic.
 * Located, it may load the spring as the limit rises: the way is kept for the next accepted state. As the spring grows
 * stiffer with depth the force stays, and the stretch shrinks (a spring that stiffens at a given stretch would make
 * energy); as it grows softer the stretch stays, and the force falls: f' = k v, scaled down with k (Elata and Berryman
 * 1996; Walton and Braun 1986). Other histories: shrinking. */
static void spring_rates(const history_spring *p, const fender_contact_input *in, const spring_memory *m, double *rates)
{
    const trial t = trial_of(p, in, m);
    double shrink = shrinking(p), lever = p->lever;
    double slides = t.sliding && t.forward > 0 ? t.forward : 0, way = in->located && !(m && m->beyond) ? slides : 0;
    fender_vec2 rate = in->slip;
    if (t.sliding && (in->located || slides > 0)) {
        fender_vec2 aside = combined(1, rate, -t.forward, t.direction);
        rate = combined(turning(in, &t), aside, t.forward - slides, t.direction);
    }
    rate = combined(lever, rate, -shrink, fnd_plane_state(in));
    rates[0] = rate.x;
    rates[1] = rate.y;
    rates[2] = lever * way - shrink * in->states[2];
}

/* Lost is what slip brings, f v, less what the spring takes, d(store s^2 / 2)/dt. What of this comes by the change of
 * stiffness alone is lost if rescaled; other histories may make energy by it: the bodies have it from outside. */
static void spring_force(const history_spring *p, const fender_contact_input *in, const spring_memory *m,
                         fender_contact_output *out)
{
    const trial t = trial_of(p, in, m);
    double rates[SPRING_STATES];
    fender_vec2 s = fnd_plane_state(in), force = t.sliding ? scaled(t.limit, t.direction) : t.force;
    spring_rates(p, in, m, rates);
    double taken = p->store * (dot(s, (fender_vec2){rates[0], rates[1]}) + 0.5 * p->growth * dot(s, s));
    out->force.x = -force.x;
    out->force.y = -force.y;
    out->friction_power = dot(force, in->slip) - taken;
    if (p->history == HISTORY_RESCALED) return;
    double shrink = shrinking(p), given = p->history == HISTORY_DISPLACEMENT ? p->stiffness : p->store;
    given *= dot(s, (fender_vec2){rates[0] + shrink * s.x, rates[1] + shrink * s.y});
    out->supplied_power = taken - given;
    out->friction_power = dot(force, in->slip) - given;
}

/* Stretch of a spring at its limit, m. */
static double level_of(const history_spring *p, const trial *t)
{
    return (t->limit - p->damping * t->forward) / p->stiffness;
}

/* m/s; rate of the stretch at the limit, from the polynomial through the last accepted states and this one, because a
 * law does not know the rate of the load. */
static double level_rate(const spring_memory *m, double time, double level)
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

/* Ratio of plastic slip to total slip; 1 if unknown. */
static double plastic_rate(const history_spring *p, const fender_contact_input *in, const spring_memory *m,
                           const trial *t)
{
    if (m->known < 2) return 1;
    double slip = p->lever * t->forward, level = level_of(p, t);
    double limit = level_rate(m, in->time, level) + shrinking(p) * level, size = fabs(slip) + fabs(limit);
    return size > 0 ? (slip - limit) / size : 1;
}

/* True if slip increases the stretch, or the limit falls below the spring force. */
static double outward(const fender_contact_input *in, const trial *t)
{
    double size = t->size + t->limit, speed = length(in->slip);
    double along = speed > 0 ? t->forward / speed : 0, falling = size > 0 ? (t->size - t->limit) / size + rounding : 0;
    return along > falling ? along : falling;
}

/* Sliding lasts while slip is faster than the limit. The sliding distance loads the spring at most to its limit, which
 * ends sliding at the latest. At touch all values are zero, and it sticks. */
static void spring_roots(const history_spring *p, const fender_contact_input *in, const spring_memory *m, double *root)
{
    assert(m && root);
    const trial t = trial_of(p, in, m);
    root[1] = 1;
    if (!m->sliding) {
        root[0] = t.size > 0 ? t.limit * (1 + rounding) - t.size : 1;
    } else {
        root[0] = t.size + p->stiffness * in->states[2] - t.limit * (1 - rounding);
        root[1] = m->known < 2 ? outward(in, &t) : plastic_rate(p, in, m, &t);
    }
    if (t.limit > 0) return;
    for (int i = 0; i < SPRING_ROOTS; i++) /* no force bends where an unloaded contact turns back */
        if (!(root[i] > 0)) root[i] = 1;
}

/* A time close to the last one gives the rate only with rounding errors. */
static void remember(spring_memory *m, double time, double level)
{
    if (m->known > 1 && time - m->time[0] < 1e-3 * (m->time[0] - m->time[1])) return;
    for (int i = 2; i > 0; i--) m->time[i] = m->time[i - 1], m->level[i] = m->level[i - 1];
    m->time[0] = time;
    m->level[0] = level;
    if (m->known < 3) m->known++;
}

/* The sliding distance loads the spring up to its limit; it is reduced if spring and damper together would exceed the
 * limit. */
static void spring_update(const history_spring *p, const fender_contact_input *in, spring_memory *m,
                          fender_contact_change *change)
{
    assert(m && change && change->states);
    const trial t = trial_of(p, in, m);
    fender_vec2 s = fnd_plane_state(in);
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

/* The store may differ from the stiffness where that changes within a step: see `mindlin`. */
static double spring_energy(const history_spring *p, const fender_contact_input *in)
{
    return 0.5 * p->store * dot(fnd_plane_state(in), fnd_plane_state(in));
}

/* The functions of a law of such a spring: all but law_update, where numbers(parameters, in, memory) gives its
 * history_spring; memory NULL: that of a contact which begins. */
#define HISTORY_SPRING_FUNCTIONS(law, numbers)                                                                         \
    static void law##_force(const void *parameters, const fender_contact_input *in, const void *memory,                \
                            fender_contact_output *out)                                                                \
    {                                                                                                                  \
        const history_spring own = numbers(parameters, in, memory);                                                    \
        spring_force(&own, in, memory, out);                                                                           \
    }                                                                                                                  \
    static void law##_rates(const void *parameters, const fender_contact_input *in, const void *memory, double *rates) \
    {                                                                                                                  \
        const history_spring own = numbers(parameters, in, memory);                                                    \
        spring_rates(&own, in, memory, rates);                                                                         \
    }                                                                                                                  \
    static void law##_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)  \
    {                                                                                                                  \
        const history_spring own = numbers(parameters, in, memory);                                                    \
        spring_roots(&own, in, memory, root);                                                                          \
    }                                                                                                                  \
    static double law##_energy(const void *parameters, const fender_contact_input *in, const void *memory)             \
    {                                                                                                                  \
        const history_spring own = numbers(parameters, in, memory);                                                    \
        return spring_energy(&own, in);                                                                                \
    }                                                                                                                  \
    static void law##_begin(const void *parameters, const fender_contact_input *in, void *memory)                      \
    {                                                                                                                  \
        const history_spring own = numbers(parameters, in, NULL);                                                      \
        spring_begin(&own, in, memory);                                                                                \
    }                                                                                                                  \
    static void law##_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)     \
    {                                                                                                                  \
        const history_spring own = numbers(parameters, in, NULL);                                                      \
        out->tangential_stiffness = own.stiffness;                                                                     \
        out->tangential_damping = own.damping;                                                                         \
    }

/* ---- Law `cundall_strack`: a tangential spring and damper that slides at mu N, one coefficient for rest and motion
 * (Cundall and Strack 1979) */

typedef fender_cundall_strack_parameters cundall_strack;

static const fender_field cundall_strack_fields[] = {
    FND_REAL(cundall_strack, mu, "1", FND_REQUIRED, 0, "Coefficient of friction."),
    FND_REAL(cundall_strack, stiffness, "N/m", FND_REQUIRED | FND_POSITIVE, 0, "Tangential spring constant."),
    FND_REAL(cundall_strack, damping, "N*s/m", 0, 0, "Tangential damping constant."),
};

static history_spring cundall_strack_numbers(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const cundall_strack *p = parameters;
    (void)in, (void)memory;
    return (history_spring){p->mu, p->stiffness, p->damping, p->stiffness, 0, 1, HISTORY_RESCALED};
}

HISTORY_SPRING_FUNCTIONS(cundall_strack, cundall_strack_numbers)

static void cundall_strack_update(const void *parameters, const fender_contact_input *in,
                                  const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    const history_spring own = cundall_strack_numbers(parameters, in, memory);
    (void)out;
    spring_update(&own, in, memory, change);
}

static double cundall_strack_ratio(const void *parameters, const fender_sizing_spec *spec)
{
    const cundall_strack *p = parameters;
    return fender_damping_of_ratio(spec->ratio, spec->mass, p->stiffness);
}

static const fender_derivation cundall_strack_derivations[] = {
    {"stiffness", "sink weight", "k = weight / sink, sink the stretch under that load", fnd_derive_sink},
    {"damping", "ratio mass", "c = 2 ratio sqrt(mass k)", cundall_strack_ratio},
    FND_END_OF_DERIVATIONS};

const fender_law fnd_law_cundall_strack = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "cundall_strack",
    .doc = "A tangential spring and damper that slides at mu N, with one coefficient for sticking and sliding, without "
           "modes.",
    .parameters = FENDER_FIELD_TABLE("cundall_strack", cundall_strack_fields, cundall_strack),
    .begin = cundall_strack_begin,
    .force = cundall_strack_force,
    .update = cundall_strack_update,
    .stored_energy = cundall_strack_energy,
    .stiffness = cundall_strack_stiffness,
    .derivations = cundall_strack_derivations,
    .memory_size = sizeof(spring_memory),
    .root_count = SPRING_ROOTS,
    .roots = cundall_strack_roots,
    .state_count = SPRING_STATES,
    .state_rates = cundall_strack_rates,
    .stretch = fnd_state_stretch,
};

/* ---- Law `mindlin`: the tangential spring of two bodies of revolution pressed together by Hertz's law
 *
 * k = 8 G* sqrt(R d), c = damping_time k (Mindlin 1949; Mindlin and Deresiewicz 1953, simplified). What lasts while k
 * changes is the difference between discrete-element codes: see `history`. */

typedef fender_mindlin_parameters mindlin;

static const char *const histories[] = {"rescaled", "force", "displacement", NULL}; /* of the enumeration */

static const fender_field mindlin_fields[] = {
    FND_REAL(mindlin, mu, "1", FND_REQUIRED, 0, "Coefficient of friction."),
    FND_REAL(mindlin, modulus, "Pa", 0, 0,
             "Effective shear modulus G*, 1/G* = (2 - nu_a)/G_a + (2 - nu_b)/G_b, instead of the next four."),
    FND_REAL(mindlin, young, "Pa", 0, 0, "Young's modulus of both bodies, or of the first; G = E / (2 (1 + nu))."),
    FND_REAL_IN(mindlin, "poisson", poisson, "1", 0, -1, 0.5, 0.3, "Poisson's ratio of both bodies, or of the first."),
    FND_REAL(mindlin, young_b, "Pa", FENDER_FIELD_NONE_ALLOWED, 0,
             "Young's modulus of the other body; 0: the same; none: rigid."),
    FND_REAL_IN(mindlin, "poisson_b", poisson_b, "1", 0, -1, 0.5, 0.3,
                "Poisson's ratio of the other body, with young_b."),
    FND_REAL(mindlin, damping_time, "s", 0, 0, "Tangential damping constant over stiffness."),
    FND_CHOICE(mindlin, "history", history, 2, HISTORY_RESCALED, histories,
               "rescaled: f' = k v, scaled down with k as the contact opens; force: not scaled; displacement: f = k s. "
               "The last two create energy in load cycles."),
    FND_HERTZ_RADIUS_FIELDS(mindlin, radius, largest_radius),
};

/* (2 - nu) / G */
static double shear_compliance(double young, double poisson) { return 2 * (2 - poisson) * (1 + poisson) / young; }

/* G* */
static double modulus_of(const mindlin *p)
{
    if (p->modulus > 0) return p->modulus;
    double one = shear_compliance(p->young, p->poisson);
    return 1 / (one + (p->young_b > 0 ? shear_compliance(p->young_b, p->poisson_b) : one));
}

static fender_status mindlin_check(const void *parameters, fender_error *error)
{
    const mindlin *p = parameters;
    return fnd_modulus_check(p->modulus, p->young, "G*", error);
}

static bool mindlin_reads_surface(const void *parameters) { return !(((const mindlin *)parameters)->radius > 0); }

/* Points of patches are laid out anew at every state: their depth does not change at the rate of the bodies, and may
 * grow a thousandfold within a step. */
static bool is_laid_anew(const history_spring *p, const fender_contact_input *in)
{
    return in->area > 0 && p->history != HISTORY_DISPLACEMENT;
}

/* m; a depth for the store, which must be above 0: what a contact stores below a billionth of its radius is nothing. */
static double held_depth(double depth, double radius) { return depth > 1e-9 * radius ? depth : 1e-9 * radius; }

/* Stretch and store are those of the stiffness at the start of the step, which depends on no rate of the depth. While
 * the spring is stiffer the force is store times stretch, and f' = k v, as the stretch follows the slip by the ratio of
 * the stiffnesses; while it is softer it is k times the stretch, or as before with the history `force`. */
static void held_store(history_spring *p, double store)
{
    const bool softer = p->stiffness < store && p->history == HISTORY_RESCALED;
    p->lever = softer ? 1 : p->stiffness / store;
    if (!softer) p->stiffness = store;
    p->store = store;
}

/* The stretch at the new store, for the same force, or for the stretch as it is if the spring has become softer. The
 * engine books what is stored less as friction. */
static void restate(const history_spring *p, double before, spring_memory *m, double *states)
{
    const double part = before / p->store;
    if (part > 1 && p->history == HISTORY_RESCALED) return;
    for (int i = 0; i < SPRING_STATES; i++) states[i] *= part;
    for (int i = 0; i < m->known; i++) m->level[i] *= part;
}

/* 8 G* a, a = sqrt(R d) the radius of contact (Mindlin 1949), R by the rule of the normal law: the ratio to its
 * stiffness 2 E* a is then that of the materials, also on flat shapes.
 *
 * The loss of a spring that softens grows without bound, though its sum does not, where the depth goes to 0: below a
 * quarter of the depth at the start of a step what is stored stays, and is lost at the step's end. */
static history_spring mindlin_numbers(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const mindlin *p = parameters;
    const spring_memory *m = memory;
    const fnd_hertz_bodies gap = {.radius = p->radius, .largest_radius = p->largest_radius};
    double radius = fnd_hertz_radius(&gap, in->surface);
    double depth = in->depth > 0 ? in->depth : 0, least = m ? 0.25 * m->depth : 0;
    double factor = 8 * modulus_of(p) * sqrt(radius), stiffness = factor * sqrt(depth);
    history_spring own = {p->mu, stiffness, p->damping_time * stiffness, stiffness, 0, 1, (history)p->history};
    assert(fnd_not_below(depth, 0));
    if (is_laid_anew(&own, in)) {
        held_store(&own, factor * sqrt(held_depth(m ? m->depth : depth, radius)));
        return own;
    }
    if (depth > least) own.growth = 0.5 * in->depth_rate / depth;
    else own.store = factor * sqrt(least);
    if (!(own.store > 0)) own.store = 1; /* there is no depth, and nothing stored */
    if (own.history != HISTORY_DISPLACEMENT) own.lever = own.stiffness / own.store;
    return own;
}

HISTORY_SPRING_FUNCTIONS(mindlin, mindlin_numbers)

/* Updates the depth first: from this accepted state on, the stored energy is that of the present depth. */
static void mindlin_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                           void *memory, fender_contact_change *change)
{
    (void)out;
    spring_memory *m = memory;
    const double before = mindlin_numbers(parameters, in, m).store;
    m->depth = in->depth > 0 ? in->depth : 0;
    const history_spring own = mindlin_numbers(parameters, in, m);
    if (!is_laid_anew(&own, in)) {
        spring_update(&own, in, m, change);
        return;
    }
    fender_contact_input now = *in;
    double states[SPRING_STATES];
    memcpy(states, in->states, sizeof states);
    restate(&own, before, m, states);
    now.states = states;
    spring_update(&own, &now, m, change);
}

const fender_law fnd_law_mindlin = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "mindlin",
    .doc = "Mindlin's tangential spring 8 G* sqrt(R d), optionally rescaled during unloading, sliding at mu N; for use "
           "with Hertz's normal law.",
    .parameters = FENDER_FIELD_TABLE("mindlin", mindlin_fields, mindlin),
    .memory_size = sizeof(spring_memory),
    .check = mindlin_check,
    .begin = mindlin_begin,
    .force = mindlin_force,
    .update = mindlin_update,
    .stored_energy = mindlin_energy,
    .stiffness = mindlin_stiffness,
    .root_count = SPRING_ROOTS,
    .roots = mindlin_roots,
    .state_count = SPRING_STATES,
    .state_rates = mindlin_rates,
    .stretch = fnd_state_stretch,
    .needs = FENDER_LAW_NEEDS_SURFACE,
    .reads_surface = mindlin_reads_surface,
};
