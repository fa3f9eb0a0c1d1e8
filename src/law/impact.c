/* Law `impact`: spring k d^n with a damper that grows to its full value over a depth, as in the IMPACT function of
 * Adams. */
#include "law/power_spring.h"
#include "law/rebound.h"

typedef struct impact {
    fnd_power_spring spring;
    double damping, full_depth;
} impact;

static const fender_field impact_fields[] = {
    FND_POWER_SPRING_FIELDS(impact),
    {"damping", "N*s/m", "Damping constant c, of which touch has nothing.", FENDER_FIELD_REAL,
     offsetof(impact, damping), 0, 0, INFINITY, 0, NULL},
    {"full_depth", "m", "Depth at which the damper has its full value.", FENDER_FIELD_REAL,
     offsetof(impact, full_depth), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
};

/* With located events: does the clip hold the force at zero, is the depth beyond the ramp? */
typedef struct impact_memory {
    int slack, beyond;
} impact_memory;

/* 3 x^2 - 2 x^3 of x = d / full_depth, the cubic step. */
static double ramp(const impact *p, double depth)
{
    if (!(depth > 0)) return 0;
    if (depth >= p->full_depth) return 1;
    double x = depth / p->full_depth;
    return x * x * (3 - 2 * x);
}

static double unclipped(const impact *p, const fender_contact_input *in)
{
    return fnd_power_spring_elastic(&p->spring, in->depth) + ramp(p, in->depth) * p->damping * in->depth_rate;
}

static void impact_force(const void *parameters, const fender_contact_input *in, const void *memory,
                         fender_contact_output *out)
{
    const impact *p = parameters;
    const impact_memory *m = memory;
    double full = unclipped(p, in), normal = (in->located ? m->slack != 0 : full < 0) ? 0 : full;
    out->force.z = normal;
    out->damping_power = (normal - fnd_power_spring_elastic(&p->spring, in->depth)) * in->depth_rate;
}

/* At depth 0 nothing acts, and nothing changes sign: the sign there is that of what comes next, by k and c at a depth
 * too small to matter. */
static double sign_of_force(const impact *p, const fender_contact_input *in)
{
    return in->depth > 0 ? unclipped(p, in) : 1;
}

static void impact_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const impact *p = parameters;
    const impact_memory *m = memory;
    double force = sign_of_force(p, in), left = p->full_depth - in->depth;
    root[0] = m->slack ? -force : force;
    root[1] = m->beyond ? -left : left;
}

static void impact_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                          void *memory, fender_contact_change *change)
{
    (void)out, (void)change;
    const impact *p = parameters;
    impact_memory *m = memory;
    m->slack = in->located && sign_of_force(p, in) < 0;
    m->beyond = in->located && in->depth > p->full_depth;
}

static double impact_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const impact *p = parameters;
    (void)memory;
    return fnd_power_spring_energy(&p->spring, in->depth);
}

static void impact_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const impact *p = parameters;
    fnd_power_spring_stiffness(&p->spring, 0, in, out);
    out->normal_damping = ramp(p, in->depth) * p->damping;
}

FND_DERIVE_BY_REBOUND(fnd_law_impact, damping)

static const fender_derivation impact_derivations[] = {
    FND_DERIVATIONS_OF_POWER_SPRING, FND_DERIVATION_BY_REBOUND(damping), {NULL, NULL, NULL, NULL}};

const fender_law fnd_law_impact = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "impact",
    .doc = "Spring k d^n with a damper that grows over a depth, N = max(k d^n + s(d, w) c d', 0), s the cubic step "
           "(Adams' IMPACT).",
    .parameters = FENDER_FIELD_TABLE("impact", impact_fields, impact),
    .memory_size = sizeof(impact_memory),
    .force = impact_force,
    .update = impact_update,
    .root_count = 2,
    .roots = impact_roots,
    .stored_energy = impact_energy,
    .stiffness = impact_stiffness,
    .derivations = impact_derivations,
};
