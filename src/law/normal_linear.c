/* Normal laws of a linear spring and damper: spring_damper, jeod_spring, smooth_spring_damper; and input, whose forces
 * come from outside. */
#include <assert.h>
#include <math.h>

#include "law/derive.h"
#include "law/friction_smooth.h"
#include "law/laws.h"
#include "law/parts.h"

/* `sense` of a spring: it resists penetration, or holds like a latch. */
typedef enum spring_sense { SENSE_PUSH, SENSE_PULL } spring_sense;
static const char *const spring_senses[] = {"push", "pull", NULL};

/* ---- Law `spring_damper`: linear spring and damper that only pushes, with optional Coulomb friction
 *
 * N = max(k d + c d', 0), reversed min(-k d + c d', 0): the spring and damper of JEOD's contact model (C004, C009,
 * C010), clipped so that it never attracts. */

typedef fender_spring_damper_parameters spring_damper;

static const fender_field spring_damper_fields[] = {
    FND_REAL(spring_damper, stiffness, "N/m", FND_REQUIRED, 0, "Spring constant k."),
    FND_REAL(spring_damper, damping, "N*s/m", 0, 0, "Damping constant c."),
    FND_REAL(spring_damper, mu, "1", 0, 0, "Coefficient of kinetic friction; 0: none."),
    FND_REAL(spring_damper, slip_speed, "m/s", FND_POSITIVE, 1e-3,
             "Slip at which friction has 0.707 of its limit; below it friction falls linearly to zero."),
    FND_CHOICE(spring_damper, "sense", sense, 1, SENSE_PUSH, spring_senses,
               "push: the spring resists penetration; pull: it is reversed and holds, for latching."),
};

bool fnd_spring_damper_numbers(const void *parameters, fnd_linear_push *push)
{
    assert(parameters && push);
    const spring_damper *p = parameters;
    *push = (fnd_linear_push){p->stiffness, p->damping, p->mu, p->slip_speed};
    return p->sense == SENSE_PUSH;
}

/* The spring as a smooth function of the depth, also where the shapes are apart: located steps end at touch, and may
 * look beyond it on the way. */
static double smooth_elastic(const spring_damper *p, double depth)
{
    return p->sense == SENSE_PULL ? -p->stiffness * depth : p->stiffness * depth;
}

static double elastic(const spring_damper *p, double depth) { return depth > 0 ? smooth_elastic(p, depth) : 0; }

/* With located events: does the clip hold the force at zero? */
typedef struct spring_damper_memory {
    int slack;
} spring_damper_memory;

bool fnd_spring_damper_is_slack(const void *memory) { return ((const spring_damper_memory *)memory)->slack != 0; }

/* Unclipped force of spring and damper, positive in the direction in which the law acts. */
static double spring_damper_full(const spring_damper *p, const fender_contact_input *in)
{
    double force = smooth_elastic(p, in->depth) + p->damping * in->depth_rate;
    return p->sense == SENSE_PULL ? -force : force;
}

/* While the clip holds the force at zero the spring still gives back its energy: to the damper, hence (N - elastic) d'
 * and not c d'^2. */
static void spring_damper_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                fender_contact_output *out)
{
    const spring_damper *p = parameters;
    const spring_damper_memory *m = memory;
    assert(m || !in->located);
    double spring = in->located ? smooth_elastic(p, in->depth) : elastic(p, in->depth);
    double normal = spring + p->damping * in->depth_rate;
    if (in->located) {
        if (m->slack) normal = 0;
    } else if (p->sense == SENSE_PULL ? normal > 0 : normal < 0) {
        normal = 0;
    }
    out->force.z = normal;
    out->damping_power = (normal - spring) * in->depth_rate;
    if (p->mu > 0) fnd_coulomb_friction(p->mu, p->slip_speed, normal, in, out);
}

static void spring_damper_derivative(const void *parameters, const fender_contact_input *in, const void *memory,
                                     fender_contact_derivative *by)
{
    const spring_damper *p = parameters;
    const spring_damper_memory *m = memory;
    fender_contact_output out = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0};
    spring_damper_force(parameters, in, memory, &out);
    const bool clipped = in->located ? m->slack != 0 : out.force.z == 0;
    if (clipped) return;
    const double sign = p->sense == SENSE_PULL ? -1 : 1;
    const double slope = in->located || in->depth > 0 ? sign * p->stiffness : 0;
    if (p->mu > 0)
        fnd_coulomb_derivative(p->mu, p->slip_speed, sign * fabs(out.force.z), in, by); /* beyond the clip, too */
    const fender_vec3 per_load = by[FENDER_LAW_BY_NORMAL_FORCE].force;                  /* its own: not of the input */
    by[FENDER_LAW_BY_NORMAL_FORCE].force = fender_vec3_make(0, 0, 0);
    by[FENDER_LAW_BY_DEPTH].force = fender_vec3_make(slope * per_load.x, slope * per_load.y, slope);
    by[FENDER_LAW_BY_DEPTH_RATE].force = fender_vec3_make(p->damping * per_load.x, p->damping * per_load.y, p->damping);
}

/* The mode changes where the force without the clip does. Touch is the engine's event, not the law's. */
static void spring_damper_roots(const void *parameters, const fender_contact_input *in, const void *memory,
                                double *root)
{
    const spring_damper_memory *m = memory;
    assert(m);
    root[0] = fnd_clip_root(m->slack, spring_damper_full(parameters, in));
}

static void spring_damper_update(const void *parameters, const fender_contact_input *in,
                                 const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    (void)out, (void)change;
    spring_damper_memory *m = memory;
    assert(m);
    m->slack = fnd_clip_slack(in, spring_damper_full(parameters, in));
}

/* k d^2 / 2, below zero for a latch: what a reversed spring gives has no lower bound. */
static double spring_damper_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)memory;
    return 0.5 * elastic(parameters, in->depth) * in->depth;
}

/* Friction is a damper of mu N / slip_speed at rest, where it is steepest: explicit steps must follow that. */
static void spring_damper_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const spring_damper *p = parameters;
    out->normal_stiffness = p->stiffness;
    out->normal_damping = p->damping;
    out->tangential_damping = p->mu * fabs(in->normal_force) / p->slip_speed;
}

static double spring_damper_restitution(const void *parameters, const fender_sizing_spec *spec)
{
    const spring_damper *p = parameters; /* a latch gives nothing back */
    return p->sense == SENSE_PULL ? NAN : fnd_derive_restitution(p->stiffness, spec, true);
}

static const fender_derivation spring_damper_derivations[] = {
    FND_DERIVATIONS_OF_STIFFNESS,
    FND_DERIVATION_OF_RATIO,
    {"damping", "restitution mass speed?", "coefficient of restitution of the clipped force, at any speed",
     spring_damper_restitution},
    FND_END_OF_DERIVATIONS};

const fender_law fnd_law_spring_damper = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "spring_damper",
    .doc =
        "Linear spring and damper, N = max(k d + c d', 0), with optional smooth Coulomb friction; it never attracts.",
    .parameters = FENDER_FIELD_TABLE("spring_damper", spring_damper_fields, spring_damper),
    .memory_size = sizeof(spring_damper_memory),
    .force = spring_damper_force,
    .update = spring_damper_update,
    .root_count = 1,
    .roots = spring_damper_roots,
    .stored_energy = spring_damper_energy,
    .exponent = fnd_linear_exponent,
    .stiffness = spring_damper_stiffness,
    .derivations = spring_damper_derivations,
    .derivative = spring_damper_derivative,
};

/* ---- Law `jeod_spring`: the force formula of JEOD's SpringPairInteraction, unclipped, friction by the sine of the
 * approach angle (C009 to C011) */

/* Kept to the letter, for runs that are compared with JEOD: friction is discontinuous at zero slip where the surfaces
 * approach slowly, and N attracts by up to c times the rebound speed. */
typedef fender_jeod_spring_parameters jeod_spring;

static const fender_field jeod_spring_fields[] = {
    FND_REAL(jeod_spring, stiffness, "N/m", FND_REQUIRED, 0, "Spring constant spring_k."),
    FND_REAL(jeod_spring, damping, "N*s/m", 0, 0, "Damping constant damping_b."),
    FND_REAL(jeod_spring, mu, "1", 0, 0, "Coefficient of kinetic friction."),
    FND_CHOICE(jeod_spring, "sense", sense, 1, SENSE_PUSH, spring_senses,
               "push: the spring resists penetration; pull: it is reversed and holds, for latching."),
};

/* With u the velocity of a relative to b (C011): F on a = k delta - b (u.n) n - mu |F_n| (u^ - (u^.n) n). Along z of C,
 * on b, that is N = k d + b d', and friction mu |N| slip / |u| against the slip, where |u| holds the normal velocity
 * too. N may attract. */
static void jeod_spring_force(const void *parameters, const fender_contact_input *in, const void *memory,
                              fender_contact_output *out)
{
    const jeod_spring *p = parameters;
    (void)memory;
    double spring = p->stiffness * in->depth;
    double damper = p->damping * in->depth_rate;
    double normal = p->sense == SENSE_PULL ? damper - spring : spring + damper;
    out->force.z = normal;
    out->damping_power = damper * in->depth_rate;
    double slip2 = in->slip.x * in->slip.x + in->slip.y * in->slip.y;
    double speed = sqrt(slip2 + in->depth_rate * in->depth_rate);
    if (speed > 0 && slip2 > 0) {
        double factor = p->mu * fabs(normal) / speed;
        out->force.x = -factor * in->slip.x;
        out->force.y = -factor * in->slip.y;
        out->friction_power = factor * slip2;
    }
}

/* Nothing is clipped, so that the energy is that of the spring at every depth. */
static double jeod_spring_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const jeod_spring *p = parameters;
    (void)memory;
    double energy = 0.5 * p->stiffness * in->depth * in->depth;
    return p->sense == SENSE_PULL ? -energy : energy;
}

static void jeod_spring_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const jeod_spring *p = parameters;
    (void)in;
    out->normal_stiffness = p->stiffness;
    out->normal_damping = p->damping;
}

static double jeod_spring_restitution(const void *parameters, const fender_sizing_spec *spec)
{
    const jeod_spring *p = parameters;
    return p->sense == SENSE_PULL ? NAN : fnd_derive_restitution(p->stiffness, spec, false);
}

static const fender_derivation jeod_spring_derivations[] = {
    FND_DERIVATIONS_OF_STIFFNESS,
    FND_DERIVATION_OF_RATIO,
    {"damping", "restitution mass speed?", "coefficient of restitution of the unclipped force, at any speed",
     jeod_spring_restitution},
    FND_END_OF_DERIVATIONS};

const fender_law fnd_law_jeod_spring = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE,
    .name = "jeod_spring",
    .doc = "JEOD's spring interaction: N = k d + c d' unclipped (it can attract on release), friction mu |N| sin(angle "
           "of approach).",
    .parameters = FENDER_FIELD_TABLE("jeod_spring", jeod_spring_fields, jeod_spring),
    .force = jeod_spring_force,
    .stored_energy = jeod_spring_energy,
    .exponent = fnd_linear_exponent,
    .stiffness = jeod_spring_stiffness,
    .derivations = jeod_spring_derivations,
};

/* ---- Law `smooth_spring_damper`: spring and damper whose force rises from nothing over a transition
 *
 * N = max(s(d, w) (k d + b d'), 0), the normal law of Simscape's contact block (S047 to S054). The source gives of s
 * its properties alone; the cubic is the lowest polynomial that has them. */

typedef fender_smooth_spring_damper_parameters smooth_spring_damper;

static const fender_field smooth_spring_damper_fields[] = {
    FND_REAL(smooth_spring_damper, stiffness, "N/m", FND_REQUIRED, 0, "Spring constant k."),
    FND_REAL(smooth_spring_damper, damping, "N*s/m", 0, 0, "Damping constant b; 0: elastic collisions."),
    FND_REAL(smooth_spring_damper, transition_width, "m", FND_REQUIRED, 0,
             "Depth w over which the force rises to its full value; 0: immediately, as spring_damper."),
};

/* With located events: does the clip hold the force at zero, and is the depth beyond the transition? */
typedef struct smooth_spring_damper_memory {
    int slack, beyond;
} smooth_spring_damper_memory;

/* s(d, w). Without a transition it is a jump, which located events hold at 1. */
static double smoothing(const smooth_spring_damper *p, const fender_contact_input *in)
{
    if (p->transition_width == 0) return in->located || in->depth > 0 ? 1 : 0;
    return fnd_cubic_step(in->depth, p->transition_width);
}

/* While the clip holds the force at zero the spring still gives its energy back: to the damper. */
static void smooth_spring_damper_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                       fender_contact_output *out)
{
    const smooth_spring_damper *p = parameters;
    const smooth_spring_damper_memory *m = memory;
    assert(m || !in->located);
    double s = smoothing(p, in), full = fnd_linear_force(p->stiffness, p->damping, in); /* s >= 0: its sign */
    double normal = fnd_clip_holds(in, m ? m->slack : 0, full) ? 0 : s * full;
    out->force.z = normal;
    out->damping_power = (normal - s * (p->stiffness * in->depth)) * in->depth_rate;
}

static void smooth_spring_damper_derivative(const void *parameters, const fender_contact_input *in, const void *memory,
                                            fender_contact_derivative *by)
{
    const smooth_spring_damper *p = parameters;
    const smooth_spring_damper_memory *m = memory;
    double s = smoothing(p, in), full = fnd_linear_force(p->stiffness, p->damping, in);
    if (fnd_clip_holds(in, m ? m->slack : 0, full)) return;
    double slope = p->transition_width > 0 ? fnd_cubic_step_slope(in->depth, p->transition_width) : 0;
    by[FENDER_LAW_BY_DEPTH].force.z = slope * full + s * p->stiffness;
    by[FENDER_LAW_BY_DEPTH_RATE].force.z = s * p->damping;
}

/* The second one ends a step where the third derivative of the motion jumps: methods keep their order. */
static void smooth_spring_damper_roots(const void *parameters, const fender_contact_input *in, const void *memory,
                                       double *root)
{
    const smooth_spring_damper *p = parameters;
    const smooth_spring_damper_memory *m = memory;
    double left = p->transition_width - in->depth;
    assert(m);
    root[0] = fnd_clip_root(m->slack, fnd_linear_force(p->stiffness, p->damping, in));
    root[1] = p->transition_width == 0 ? 1 : m->beyond ? -left : left;
}

static void smooth_spring_damper_update(const void *parameters, const fender_contact_input *in,
                                        const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    (void)out, (void)change;
    const smooth_spring_damper *p = parameters;
    smooth_spring_damper_memory *m = memory;
    assert(m);
    m->slack = fnd_clip_slack(in, fnd_linear_force(p->stiffness, p->damping, in));
    m->beyond = in->located && in->depth > p->transition_width;
}

/* Integral of s k d. */
static double smooth_spring_damper_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const smooth_spring_damper *p = parameters;
    double d = in->depth, w = p->transition_width;
    (void)memory;
    if (!(d > 0)) return 0;
    if (d >= w) return p->stiffness * (0.5 * d * d - 0.15 * w * w);
    double x = d / w;
    return p->stiffness * d * d * x * x * (0.75 - 0.4 * x);
}

/* The slope of s k d: up to 27/16 k at three quarters of the transition. */
static void smooth_spring_damper_stiffness(const void *parameters, const fender_contact_input *in,
                                           fender_law_stiffness *out)
{
    const smooth_spring_damper *p = parameters;
    double slope = 1;
    if (in->depth < p->transition_width) {
        double x = in->depth > 0 ? in->depth / p->transition_width : 0, steeper = x * x * (9 - 8 * x);
        if (steeper > 1) slope = steeper; /* the gentler onset gives no longer step: it is soon passed */
    }
    out->normal_stiffness = slope * p->stiffness;
    out->normal_damping = p->damping;
}

FND_DERIVE_BY_REBOUND(smooth_spring_damper, damping)

static const fender_derivation smooth_spring_damper_derivations[] = {
    FND_DERIVATIONS_OF_STIFFNESS,
    {"damping", "ratio mass", "b = 2 ratio sqrt(mass k), k beyond the transition", fnd_derive_ratio},
    FND_DERIVATION_BY_REBOUND(smooth_spring_damper, damping),
    FND_END_OF_DERIVATIONS};

const fender_law fnd_law_smooth_spring_damper = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "smooth_spring_damper",
    .doc = "Spring and damper with a smooth onset, N = max(s(d, w) (k d + b d'), 0), s increasing from 0 to 1 over the "
           "transition width w.",
    .parameters = FENDER_FIELD_TABLE("smooth_spring_damper", smooth_spring_damper_fields, smooth_spring_damper),
    .memory_size = sizeof(smooth_spring_damper_memory),
    .force = smooth_spring_damper_force,
    .update = smooth_spring_damper_update,
    .root_count = 2,
    .roots = smooth_spring_damper_roots,
    .stored_energy = smooth_spring_damper_energy,
    .stiffness = smooth_spring_damper_stiffness,
    .derivations = smooth_spring_damper_derivations,
    .derivative = smooth_spring_damper_derivative,
};

/* ---- Law `input`: prescribed forces (S060, S061), of friction too */

/* The contact type's prescribed forces, in the contact frame: functions of time alone. What they do to the bodies is
 * neither lost nor stored, but supplied. */
static void input_force(const void *parameters, const fender_contact_input *in, const void *memory,
                        fender_contact_output *out)
{
    (void)parameters, (void)memory;
    double normal = in->prescribed_normal;
    fender_vec2 friction = in->prescribed_friction;
    if (normal < 0) normal = 0;
    out->force = fender_vec3_make(friction.x, friction.y, normal);
    out->supplied_power = friction.x * in->slip.x + friction.y * in->slip.y - normal * in->depth_rate;
}

const fender_law fnd_law_input = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_NORMAL | FENDER_LAW_FRICTION,
    .name = "input",
    .doc = "Prescribed force while the shapes touch, from a table or a user function; a negative normal force counts "
           "as zero.",
    .parameters = {"input", NULL, 0, sizeof(fender_field), 0},
    .force = input_force,
};
