/* Laws `SpringContact` and `DefaultContact` of PCM files (P013, P014): an adhesive foot, and a plain push. */
#include "base/error.h"
#include "law/derive.h"
#include "law/laws.h"
#include "law/rebound.h"

typedef fender_spring_contact_parameters spring_contact;

#define FORCE_LIMIT(member, doc)                                                                \
    {                                                                                           \
#member, "N", doc, FENDER_FIELD_REAL, offsetof(spring_contact, member),                 \
            FENDER_FIELD_ABOVE_MINIMUM | FENDER_FIELD_NONE_ALLOWED, 0, INFINITY, INFINITY, NULL \
    }

static const fender_field spring_contact_fields[] = {
    {"K", "N/m", "Spring constant along each axis.", FENDER_FIELD_REAL, offsetof(spring_contact, K),
     FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"B", "N*s/m", "Damping constant along each axis.", FENDER_FIELD_REAL, offsetof(spring_contact, B), 0, 0, INFINITY,
     0, NULL},
    FORCE_LIMIT(X_Limit, "Force along x of the contact frame at which the bond breaks."),
    FORCE_LIMIT(Y_Limit, "Force along y of the contact frame at which the bond breaks."),
    FORCE_LIMIT(Z_Limit, "Pull along the normal at which the bond breaks; it may push as hard as it likes."),
    {"Error", "m",
     "Separation beyond which the contact ends, bonded or not; 0: twice what stretches the bond to Z_Limit.",
     FENDER_FIELD_REAL, offsetof(spring_contact, Error), 0, 0, INFINITY, 0, NULL},
};

typedef enum bond { BOND_WHOLE, BOND_BROKEN } bond;
static const char *const bond_names[] = {"bonded", "broken", NULL};
enum { BROKE = 1 }; /* the law's event */

/* slack: broken, with located events: the clip holds the force at zero. */
typedef struct spring_contact_memory {
    int bond, slack;
} spring_contact_memory;

static fender_status spring_contact_check(const void *parameters, fender_error *error)
{
    const spring_contact *p = parameters;
    if (p->Error > 0 || isfinite(p->Z_Limit)) return FENDER_STATUS_OK;
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "Error",
                                       "a bond that no pull breaks needs the separation at "
                                       "which it ends",
                                       "neither Z_Limit nor Error", "one of the two", "add 'Error: 10 mm'"});
}

static void spring_contact_reach(const void *parameters, double *onset_gap, double *release_gap)
{
    const spring_contact *p = parameters;
    *onset_gap = 0;
    *release_gap = p->Error > 0 ? p->Error : 2 * p->Z_Limit / p->K;
}

static double across(const spring_contact *p, const fender_contact_input *in, int axis)
{
    return -p->K * in->states[axis] - p->B * (axis == 0 ? in->slip.x : in->slip.y);
}

static double along(const spring_contact *p, const fender_contact_input *in)
{
    return p->K * in->depth + p->B * in->depth_rate;
}

/* The bond holds three springs with dampers between the places that met: tangential stretch is a state, as rolling does
 * not stretch it. Broken, it pushes as a spring with damper that is clipped. */
static void spring_contact_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                 fender_contact_output *out)
{
    const spring_contact *p = parameters;
    const spring_contact_memory *m = memory;
    double spring = p->K * in->depth;
    out->mode = m->bond;
    if (m->bond == BOND_WHOLE) {
        out->force = (fender_vec3){across(p, in, 0), across(p, in, 1), along(p, in)};
        out->damping_power = p->B * in->depth_rate * in->depth_rate;
        out->friction_power = p->B * (in->slip.x * in->slip.x + in->slip.y * in->slip.y);
        return;
    }
    if (!in->located && !(in->depth > 0)) return;
    double full = along(p, in), normal = (in->located ? m->slack != 0 : full < 0) ? 0 : full;
    out->force.z = normal;
    out->damping_power = (normal - spring) * in->depth_rate;
}

static void spring_contact_rates(const void *parameters, const fender_contact_input *in, const void *memory,
                                 double *rates)
{
    const spring_contact_memory *m = memory;
    (void)parameters;
    rates[0] = m->bond == BOND_WHOLE ? in->slip.x : 0;
    rates[1] = m->bond == BOND_WHOLE ? in->slip.y : 0;
}

static double left(double limit, double force) { return isinf(limit) ? 1 : limit - force; }

/* While bonded, what is left of each limit; then the clip's change and the depth, at whose end the contact ends. */
static void spring_contact_roots(const void *parameters, const fender_contact_input *in, const void *memory,
                                 double *root)
{
    const spring_contact *p = parameters;
    const spring_contact_memory *m = memory;
    if (m->bond == BOND_WHOLE) {
        root[0] = left(p->X_Limit, fabs(across(p, in, 0)));
        root[1] = left(p->Y_Limit, fabs(across(p, in, 1)));
        root[2] = left(p->Z_Limit, -along(p, in));
        return;
    }
    double full = along(p, in);
    root[0] = m->slack ? -full : full;
    root[1] = in->depth;
    root[2] = 1;
}

/* Does the clip hold the force of a broken bond at zero? At a touch without damping it presses as soon as it is deeper.
 */
static int slackens(const spring_contact *p, const fender_contact_input *in)
{
    double full = along(p, in);
    return in->located && (full < 0 || (full == 0 && !(in->depth_rate > 0)));
}

static void spring_contact_update(const void *parameters, const fender_contact_input *in,
                                  const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    const spring_contact *p = parameters;
    spring_contact_memory *m = memory;
    (void)out;
    if (m->bond == BOND_WHOLE &&
        (!(left(p->X_Limit, fabs(across(p, in, 0))) > 0) || !(left(p->Y_Limit, fabs(across(p, in, 1))) > 0) ||
         !(left(p->Z_Limit, -along(p, in)) > 0))) {
        m->bond = BOND_BROKEN;
        change->event = BROKE;
        change->states[0] = change->states[1] = 0;
    }
    if (m->bond != BOND_BROKEN) return;
    m->slack = slackens(p, in);
    change->terminate = !(in->depth > 0);
}

static double spring_contact_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const spring_contact *p = parameters;
    const spring_contact_memory *m = memory;
    if (m->bond == BOND_BROKEN) return in->depth > 0 ? 0.5 * p->K * in->depth * in->depth : 0;
    return 0.5 * p->K * (in->depth * in->depth + in->states[0] * in->states[0] + in->states[1] * in->states[1]);
}

static void spring_contact_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const spring_contact *p = parameters;
    bool bonded = in->states != NULL;
    *out = (fender_law_stiffness){p->K, p->B, bonded ? p->K : 0, bonded ? p->B : 0};
}

#define BOND_DERIVATIONS(function)                                             \
    {                                                                          \
        {"K", "sink weight", "K = weight / sink", fnd_derive_sink},            \
            {"B", "ratio mass", "B = 2 ratio sqrt(mass K)", damping_of_ratio}, \
            {"B", "restitution mass speed", FND_REBOUND, function},            \
        {                                                                      \
            NULL, NULL, NULL, NULL                                             \
        }                                                                      \
    }

static double damping_of_ratio(const void *parameters, const fender_intent *intent)
{
    const double *K = parameters; /* the first of both laws */
    return fender_damping_of_ratio(intent->ratio, intent->mass, *K);
}

static double damping_of_bond(const void *parameters, const fender_intent *intent)
{
    return fender_law_damping_of_rebound(&fnd_law_spring_contact, parameters, "B", intent);
}

static const fender_derivation spring_contact_derivations[] = BOND_DERIVATIONS(damping_of_bond);

const fender_law fnd_law_spring_contact = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE,
    .name = "SpringContact",
    .doc = "Bond of three springs with dampers that breaks at a limit along any axis, then a plain push (PCM, P014).",
    .parameters = FENDER_FIELD_TABLE("SpringContact", spring_contact_fields, spring_contact),
    .memory_size = sizeof(spring_contact_memory),
    .mode_names = bond_names,
    .check = spring_contact_check,
    .reach = spring_contact_reach,
    .force = spring_contact_force,
    .update = spring_contact_update,
    .root_count = 3,
    .roots = spring_contact_roots,
    .stored_energy = spring_contact_energy,
    .stiffness = spring_contact_stiffness,
    .derivations = spring_contact_derivations,
    .state_count = 2,
    .state_rates = spring_contact_rates,
};

/* ---- DefaultContact: what a broken bond does, for as long as the shapes are within Error */

typedef fender_default_contact_parameters default_contact;

static spring_contact broken_bond(const void *parameters)
{
    const default_contact *p = parameters;
    return (spring_contact){p->K, p->B, INFINITY, INFINITY, INFINITY, p->Error};
}

static const fender_field default_contact_fields[] = {
    {"K", "N/m", "Spring constant; PCM states none, so this is that of its example.", FENDER_FIELD_REAL,
     offsetof(default_contact, K), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1000, NULL},
    {"B", "N*s/m", "Damping constant; the same.", FENDER_FIELD_REAL, offsetof(default_contact, B), 0, 0, INFINITY, 10,
     NULL},
    {"Error", "m", "Separation beyond which the contact ends.", FENDER_FIELD_REAL, offsetof(default_contact, Error), 0,
     0, INFINITY, 0, NULL},
};

static void default_contact_reach(const void *parameters, double *onset_gap, double *release_gap)
{
    const default_contact *p = parameters;
    *onset_gap = 0;
    *release_gap = p->Error;
}

static void default_contact_establish(const void *parameters, const fender_contact_input *in, void *memory)
{
    spring_contact_memory *m = memory;
    (void)parameters, (void)in;
    m->bond = BOND_BROKEN;
}

static void default_contact_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                  fender_contact_output *out)
{
    const spring_contact broken = broken_bond(parameters);
    spring_contact_force(&broken, in, memory, out);
    out->mode = 0;
}

static void default_contact_roots(const void *parameters, const fender_contact_input *in, const void *memory,
                                  double *root)
{
    const spring_contact broken = broken_bond(parameters);
    double all[3];
    spring_contact_roots(&broken, in, memory, all);
    root[0] = all[0];
}

static void default_contact_update(const void *parameters, const fender_contact_input *in,
                                   const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    const spring_contact broken = broken_bond(parameters);
    spring_contact_memory *m = memory;
    (void)out, (void)change;
    m->slack = slackens(&broken, in);
}

static double default_contact_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const spring_contact broken = broken_bond(parameters);
    return spring_contact_energy(&broken, in, memory);
}

static void default_contact_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const spring_contact broken = broken_bond(parameters);
    spring_contact_stiffness(&broken, in, out);
}

static double damping_of_push(const void *parameters, const fender_intent *intent)
{
    return fender_law_damping_of_rebound(&fnd_law_default_contact, parameters, "B", intent);
}

static const fender_derivation default_contact_derivations[] = BOND_DERIVATIONS(damping_of_push);

const fender_law fnd_law_default_contact = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE,
    .name = "DefaultContact",
    .doc = "Spring and damper that only pushes, N = max(K d + B d', 0), without friction (PCM, P014).",
    .parameters = FENDER_FIELD_TABLE("DefaultContact", default_contact_fields, default_contact),
    .memory_size = sizeof(spring_contact_memory),
    .reach = default_contact_reach,
    .establish = default_contact_establish,
    .force = default_contact_force,
    .update = default_contact_update,
    .root_count = 1,
    .roots = default_contact_roots,
    .stored_energy = default_contact_energy,
    .stiffness = default_contact_stiffness,
    .derivations = default_contact_derivations,
};
