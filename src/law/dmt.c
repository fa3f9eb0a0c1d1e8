/* Law `dmt`: adhesion of stiff elastic bodies (Derjaguin, Muller and Toporov 1975). */
#include "law/hertz.h"
#include "law/power_spring.h"
#include "law/rebound.h"

/* Hertz's force less a pull of 2 pi w R for as long as the bodies touch. */
typedef struct dmt {
    fnd_hertz_bodies bodies;
    double work, dissipation;
} dmt;

static const fender_field dmt_fields[] = {
    FND_HERTZ_FIELDS(dmt),
    {"work", "J/m^2", "Work of adhesion w: twice the surface energy of like bodies.", FENDER_FIELD_REAL,
     offsetof(dmt, work), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"dissipation", "s/m", "Damping D: the elastic part of the force grows by the factor 1 + D d'.", FENDER_FIELD_REAL,
     offsetof(dmt, dissipation), 0, 0, INFINITY, 0, NULL},
};

static double pull_of(const dmt *p, const fender_contact_input *in)
{
    return 2 * 3.14159265358979324 * p->work * fnd_hertz_radius(&p->bodies, in->surface);
}

static fnd_power_spring spring_of(const dmt *p, const fender_contact_input *in)
{
    return (fnd_power_spring){fnd_hertz_stiffness(&p->bodies, in->surface), 1.5};
}

static void dmt_force(const void *parameters, const fender_contact_input *in, const void *memory,
                      fender_contact_output *out)
{
    const dmt *p = parameters;
    if (!in->located && !(in->depth > 0)) return;
    fnd_power_spring spring = spring_of(p, in);
    fnd_power_spring_force(&spring, p->dissipation, in, memory, out);
    out->force.z -= pull_of(p, in);
}

static void dmt_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const dmt *p = parameters;
    fnd_power_spring_roots(p->dissipation, in, memory, root);
}

static void dmt_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                       void *memory, fender_contact_change *change)
{
    const dmt *p = parameters;
    (void)out, (void)change;
    fnd_power_spring_update(p->dissipation, in, memory);
}

/* Below touch: the pull has been at work all the way in. */
static double dmt_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const dmt *p = parameters;
    (void)memory;
    if (!(in->depth > 0)) return 0;
    fnd_power_spring spring = spring_of(p, in);
    return fnd_power_spring_energy(&spring, in->depth) - pull_of(p, in) * in->depth;
}

static void dmt_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const dmt *p = parameters;
    fnd_power_spring spring = spring_of(p, in);
    fnd_power_spring_stiffness(&spring, p->dissipation, in, out);
}

static fender_status dmt_check(const void *parameters, fender_error *error)
{
    const dmt *p = parameters;
    return fnd_hertz_check(&p->bodies, error);
}

FND_DERIVE_BY_REBOUND(fnd_law_dmt, dissipation)

static const fender_derivation dmt_derivations[] = {
    FND_DERIVATIONS_OF_HERTZ, FND_DERIVATION_BY_REBOUND_OF_ROUND(dissipation), {NULL, NULL, NULL, NULL}};

const fender_law fnd_law_dmt = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "dmt",
    .doc = "Elastic bodies that adhere (Derjaguin, Muller, Toporov): Hertz's force less a pull of 2 pi w R while they "
           "touch; "
           "for stiff bodies.",
    .parameters = FENDER_FIELD_TABLE("dmt", dmt_fields, dmt),
    .memory_size = sizeof(fnd_power_spring_memory),
    .check = dmt_check,
    .force = dmt_force,
    .update = dmt_update,
    .root_count = 1,
    .roots = dmt_roots,
    .stored_energy = dmt_energy,
    .stiffness = dmt_stiffness,
    .derivations = dmt_derivations,
    .needs = FENDER_LAW_NEEDS_SURFACE,
};
