/* Law `elastic_plastic`: an elastic contact that is crushed at a plateau and keeps the dent, for honeycomb and legs. */
#include "base/error.h"
#include "law/crush.h"
#include "law/derive.h"
#include "law/rebound.h"

typedef fender_elastic_plastic_parameters elastic_plastic;

static const fender_field elastic_plastic_fields[] = {
    {"stiffness", "N/m", "Elastic stiffness k: up to the crush force, and of unloading.", FENDER_FIELD_REAL,
     offsetof(elastic_plastic, stiffness), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"crush_force", "N",
     "Force at which crushing begins; 0 with hardening: it dents from the first (Walton and Braun).", FENDER_FIELD_REAL,
     offsetof(elastic_plastic, crush_force), 0, 0, INFINITY, 0, NULL},
    {"hardening", "N/m", "Slope of the force over the depth while it is crushed, below the stiffness; 0: a plateau.",
     FENDER_FIELD_REAL, offsetof(elastic_plastic, hardening), 0, 0, INFINITY, 0, NULL},
    {"stroke", "m", "Greatest dent: beyond it the contact is elastic again.", FENDER_FIELD_REAL,
     offsetof(elastic_plastic, stroke), FENDER_FIELD_ABOVE_MINIMUM | FENDER_FIELD_NONE_ALLOWED, 0, INFINITY, INFINITY,
     NULL},
    {"dissipation", "s/m", "Damping D of the elastic part: the force grows by the factor 1 + D d'.", FENDER_FIELD_REAL,
     offsetof(elastic_plastic, dissipation), 0, 0, INFINITY, 0, NULL},
    {"remember", "m", "Separation up to which the contact lasts, and with it the dent.", FENDER_FIELD_REAL,
     offsetof(elastic_plastic, remember), 0, 0, INFINITY, 0, NULL},
};

enum { STROKE_USED_UP = 1 }; /* event of the law */

typedef struct elastic_plastic_memory {
    fnd_crush_memory crush;
    int told;
} elastic_plastic_memory;

/* Three pieces: k z; crush_force + h (z - z_y), z_y = crush_force / k; and k (z - stroke) once the dent is the stroke,
 * z - F / k = stroke. */
static fnd_virgin curve(const void *parameters, const fender_contact_input *in, double depth, int piece)
{
    const elastic_plastic *p = parameters;
    (void)in;
    double k = p->stiffness, yield = p->crush_force / k, bottom = yield + p->stroke / (1 - p->hardening / k);
    if (piece < 0) piece = depth < yield ? 0 : depth < bottom ? 1 : 2;
    if (piece == 0) return (fnd_virgin){k * depth, k, k, 0, yield, 0};
    if (piece == 1) return (fnd_virgin){p->crush_force + p->hardening * (depth - yield), p->hardening, k, 0, bottom, 1};
    return (fnd_virgin){k * (depth - p->stroke), k, k, 0, INFINITY, 2};
}

static fender_status elastic_plastic_check(const void *parameters, fender_error *error)
{
    const elastic_plastic *p = parameters;
    if (!(p->hardening < p->stiffness))
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "hardening", "hardening is not below the stiffness", "",
                                           "a slope below that of unloading", "a larger stiffness"});
    if (p->crush_force > 0 || p->hardening > 0) return FENDER_STATUS_OK;
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "crush_force", "neither crush_force nor hardening is given",
                                       "", "a force to crush it by", "give crush_force, or hardening below stiffness"});
}

static void elastic_plastic_reach(const void *parameters, double *onset_gap, double *release_gap)
{
    const elastic_plastic *p = parameters;
    *onset_gap = 0;
    *release_gap = p->remember;
}

static void elastic_plastic_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                  fender_contact_output *out)
{
    const elastic_plastic *p = parameters;
    fnd_crush_force(curve, p, p->dissipation, in, memory, out);
}

static void elastic_plastic_roots(const void *parameters, const fender_contact_input *in, const void *memory,
                                  double *root)
{
    const elastic_plastic *p = parameters;
    fnd_crush_roots(curve, p, p->dissipation, in, memory, root);
}

static void elastic_plastic_update(const void *parameters, const fender_contact_input *in,
                                   const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    const elastic_plastic *p = parameters;
    elastic_plastic_memory *m = memory;
    (void)out;
    fnd_crush_update(curve, p, p->dissipation, in, &m->crush);
    if (!m->told && m->crush.deepest > 0 && curve(p, in, m->crush.deepest, -1).piece == 2) {
        m->told = 1;
        change->event = STROKE_USED_UP;
    }
}

static double elastic_plastic_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    return fnd_crush_energy(curve, parameters, in, memory);
}

static void elastic_plastic_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const elastic_plastic *p = parameters;
    fnd_crush_stiffness(curve, p, p->dissipation, in, out);
}

static double force_of_stroke(const void *parameters, const fender_intent *intent)
{
    (void)parameters;
    return 0.5 * intent->mass * intent->speed * intent->speed / intent->sink;
}

static double stiffness_of_restitution(const void *parameters, const fender_intent *intent)
{
    const elastic_plastic *p = parameters; /* k d^2 / 2 in, of it hardening / k back */
    return p->crush_force == 0 ? p->hardening / (intent->restitution * intent->restitution) : NAN;
}

FND_DERIVE_BY_REBOUND(fnd_law_elastic_plastic, dissipation)

static const fender_derivation elastic_plastic_derivations[] = {
    {"stiffness", "restitution", "Walton and Braun, without crush_force: k = hardening / restitution^2",
     stiffness_of_restitution},
    {"stiffness", "sink weight", "k = weight / sink", fnd_derive_sink},
    {"crush_force", "sink mass speed", "takes up m v^2 / 2 over the sink", force_of_stroke},
    FND_DERIVATION_BY_REBOUND(dissipation),
    {NULL, NULL, NULL, NULL}};

const fender_law fnd_law_elastic_plastic = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "elastic_plastic",
    .doc = "Elastic contact that is crushed at a plateau, with a stroke, and keeps the dent: unloads by its stiffness "
           "(honeycomb; Walton and Braun).",
    .parameters = FENDER_FIELD_TABLE("elastic_plastic", elastic_plastic_fields, elastic_plastic),
    .memory_size = sizeof(elastic_plastic_memory),
    .check = elastic_plastic_check,
    .reach = elastic_plastic_reach,
    .force = elastic_plastic_force,
    .update = elastic_plastic_update,
    .root_count = FND_CRUSH_ROOTS,
    .roots = elastic_plastic_roots,
    .stored_energy = elastic_plastic_energy,
    .stiffness = elastic_plastic_stiffness,
    .derivations = elastic_plastic_derivations,
};
