/* Law `pull_off_spring`: spring and damper that hold as well as they push, up to a pull at which they let go. */
#include "law/derive.h"
#include "law/laws.h"
#include "law/rebound.h"

typedef fender_pull_off_spring_parameters pull_off_spring;

static const fender_field pull_off_spring_fields[] = {
    {"stiffness", "N/m", "Spring constant k, both ways.", FENDER_FIELD_REAL, offsetof(pull_off_spring, stiffness),
     FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"damping", "N*s/m", "Damping constant c.", FENDER_FIELD_REAL, offsetof(pull_off_spring, damping), 0, 0, INFINITY,
     0, NULL},
    {"pull_off", "N", "Pull beyond which the contact lets go; it then only pushes until the shapes have parted.",
     FENDER_FIELD_REAL, offsetof(pull_off_spring, pull_off), FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
};

enum { LET_GO = 1 }; /* event of the law */

typedef struct pull_off_memory {
    int free, slack; /* it has let go; then, with located events: the clip holds the force at zero */
} pull_off_memory;

static double force_of(const pull_off_spring *p, const fender_contact_input *in)
{
    return p->stiffness * in->depth + p->damping * in->depth_rate;
}

static void pull_off_reach(const void *parameters, double *onset_gap, double *release_gap)
{
    const pull_off_spring *p = parameters;
    *onset_gap = 0;
    *release_gap = p->pull_off / p->stiffness * (1 + 1e-6); /* the law ends it before */
}

/* Held without memory: a contact that has just begun. */
static void pull_off_force(const void *parameters, const fender_contact_input *in, const void *memory,
                           fender_contact_output *out)
{
    const pull_off_spring *p = parameters;
    const pull_off_memory *m = memory;
    double spring = p->stiffness * in->depth, full = force_of(p, in), normal = full;
    if (m && m->free) {
        if (!in->located && !(in->depth > 0)) return;
        if (in->located ? m->slack != 0 : full < 0) normal = 0;
    }
    out->force.z = normal;
    out->damping_power = (normal - spring) * in->depth_rate;
}

static void pull_off_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const pull_off_spring *p = parameters;
    const pull_off_memory *m = memory;
    double full = force_of(p, in);
    root[0] = !m->free ? p->pull_off + full : m->slack ? -full : full;
    root[1] = m->free ? in->depth : 1;
}

static void pull_off_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                            void *memory, fender_contact_change *change)
{
    const pull_off_spring *p = parameters;
    pull_off_memory *m = memory;
    double full = force_of(p, in);
    (void)out;
    if (!m->free && p->pull_off + full < 0) {
        m->free = 1;
        change->event = LET_GO;
    }
    if (!m->free) return;
    m->slack = in->located && (full < 0 || (full == 0 && !(in->depth_rate > 0)));
    change->terminate = !(in->depth > 0);
}

static double pull_off_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const pull_off_spring *p = parameters;
    const pull_off_memory *m = memory;
    if (m && m->free && !(in->depth > 0)) return 0;
    return 0.5 * p->stiffness * in->depth * in->depth;
}

static void pull_off_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const pull_off_spring *p = parameters;
    (void)in;
    out->normal_stiffness = p->stiffness;
    out->normal_damping = p->damping;
}

static double damping_of_ratio(const void *parameters, const fender_intent *intent)
{
    const pull_off_spring *p = parameters;
    return fender_damping_of_ratio(intent->ratio, intent->mass, p->stiffness);
}

FND_DERIVE_BY_REBOUND(fnd_law_pull_off_spring, damping)

static const fender_derivation pull_off_derivations[] = {
    FND_DERIVATIONS_OF_STIFFNESS,
    {"damping", "ratio mass", "c = 2 ratio sqrt(mass k)", damping_of_ratio},
    FND_DERIVATION_BY_REBOUND(damping),
    {NULL, NULL, NULL, NULL}};

const fender_law fnd_law_pull_off_spring = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "pull_off_spring",
    .doc =
        "Spring and damper that hold as well as they push, N = k d + c d', until the pull is too much; then they push "
        "alone.",
    .parameters = FENDER_FIELD_TABLE("pull_off_spring", pull_off_spring_fields, pull_off_spring),
    .memory_size = sizeof(pull_off_memory),
    .reach = pull_off_reach,
    .force = pull_off_force,
    .update = pull_off_update,
    .root_count = 2,
    .roots = pull_off_roots,
    .stored_energy = pull_off_energy,
    .stiffness = pull_off_stiffness,
    .derivations = pull_off_derivations,
};
