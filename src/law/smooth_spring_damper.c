/* Law `smooth_spring_damper`: spring and damper whose force rises from nothing over a transition (S047 to S054). */
#include "law/derive.h"
#include "law/laws.h"
#include "law/rebound.h"

typedef fender_smooth_spring_damper_parameters smooth_spring_damper;

static const fender_field smooth_spring_damper_fields[] = {
    {"stiffness", "N/m", "Spring constant k.", FENDER_FIELD_REAL, offsetof(smooth_spring_damper, stiffness),
     FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"damping", "N*s/m", "Damping constant b; 0: collisions that lose nothing.", FENDER_FIELD_REAL,
     offsetof(smooth_spring_damper, damping), 0, 0, INFINITY, 0, NULL},
    {"transition_width", "m", "Depth w over which the force rises to its full value; 0: at once, as spring_damper.",
     FENDER_FIELD_REAL, offsetof(smooth_spring_damper, transition_width), FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
};

/* With located events: does the clip hold the force at zero, and is the depth beyond the transition? */
typedef struct smooth_spring_damper_memory {
    int slack, beyond;
} smooth_spring_damper_memory;

/* s(d, w) = 3 x^2 - 2 x^3 with x = d / w: the lowest polynomial with s = 0, s' = 0 at 0 and s = 1, s' = 0 at w. Without
 * a transition it is a jump, which located events hold at 1. */
static double smoothing(const smooth_spring_damper *p, const fender_contact_input *in)
{
    if (p->transition_width == 0) return in->located || in->depth > 0 ? 1 : 0;
    if (!(in->depth > 0)) return 0;
    if (in->depth >= p->transition_width) return 1;
    double x = in->depth / p->transition_width;
    return x * x * (3 - 2 * x);
}

/* Has the sign of the force without the clip, for s is not negative. */
static double unclipped(const smooth_spring_damper *p, const fender_contact_input *in)
{
    return p->stiffness * in->depth + p->damping * in->depth_rate;
}

/* While the clip holds the force at zero the spring still gives its energy back: to the damper. */
static void smooth_spring_damper_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                       fender_contact_output *out)
{
    const smooth_spring_damper *p = parameters;
    const smooth_spring_damper_memory *m = memory;
    double s = smoothing(p, in), full = unclipped(p, in);
    bool held_at_zero = in->located ? m->slack != 0 : full < 0;
    double normal = held_at_zero ? 0 : s * full;
    out->force.z = normal;
    out->damping_power = (normal - s * (p->stiffness * in->depth)) * in->depth_rate;
}

/* The second one ends a step where the third derivative of the motion jumps: methods keep their order. */
static void smooth_spring_damper_roots(const void *parameters, const fender_contact_input *in, const void *memory,
                                       double *root)
{
    const smooth_spring_damper *p = parameters;
    const smooth_spring_damper_memory *m = memory;
    double force = unclipped(p, in), left = p->transition_width - in->depth;
    root[0] = m->slack ? -force : force;
    root[1] = p->transition_width == 0 ? 1 : m->beyond ? -left : left;
}

static void smooth_spring_damper_update(const void *parameters, const fender_contact_input *in,
                                        const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    (void)out, (void)change;
    const smooth_spring_damper *p = parameters;
    smooth_spring_damper_memory *m = memory;
    double force = unclipped(p, in); /* 0 at a touch without damping: it presses as soon as it is deeper */
    m->slack = in->located && (force < 0 || (force == 0 && !(in->depth_rate > 0)));
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

static double damping_of_ratio(const void *parameters, const fender_intent *intent)
{
    const smooth_spring_damper *p = parameters;
    return fender_damping_of_ratio(intent->ratio, intent->mass, p->stiffness);
}

FND_DERIVE_BY_REBOUND(fnd_law_smooth_spring_damper, damping)

static const fender_derivation smooth_spring_damper_derivations[] = {
    FND_DERIVATIONS_OF_STIFFNESS,
    {"damping", "ratio mass", "b = 2 ratio sqrt(mass k), k beyond the transition", damping_of_ratio},
    FND_DERIVATION_BY_REBOUND(damping),
    {NULL, NULL, NULL, NULL}};

const fender_law fnd_law_smooth_spring_damper = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "smooth_spring_damper",
    .doc = "Spring and damper with a smooth onset, N = max(s(d, w) (k d + b d'), 0), s rising from 0 to 1 over the "
           "transition w (S048).",
    .parameters = FENDER_FIELD_TABLE("smooth_spring_damper", smooth_spring_damper_fields, smooth_spring_damper),
    .memory_size = sizeof(smooth_spring_damper_memory),
    .force = smooth_spring_damper_force,
    .update = smooth_spring_damper_update,
    .root_count = 2,
    .roots = smooth_spring_damper_roots,
    .stored_energy = smooth_spring_damper_energy,
    .stiffness = smooth_spring_damper_stiffness,
    .derivations = smooth_spring_damper_derivations,
};
