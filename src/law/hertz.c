/* Law `hertz`: contact of smooth elastic bodies, from their moduli and the curvature of their surfaces. */
#include "law/hertz.h"
#include "base/error.h"
#include "law/loss.h"
#include "law/power_spring.h"

typedef struct hertz {
    fnd_hertz_bodies bodies;
    fnd_loss loss;
} hertz;

static const fender_field hertz_fields[] = {
    FND_HERTZ_FIELDS(hertz),
    FND_LOSS_FIELDS(hertz),
};

typedef struct hertz_memory {
    fnd_power_spring_memory spring; /* first: the functions of the spring see no more */
    double loss;
} hertz_memory;

static double dissipation(const hertz *p, const fender_contact_input *in, const hertz_memory *m)
{
    return fnd_loss_dissipation(&p->loss, m ? m->loss : 0, in->approach_speed);
}

static fnd_power_spring spring_of(const hertz *p, const fender_contact_input *in)
{
    return (fnd_power_spring){fnd_hertz_stiffness(&p->bodies, in->surface), 1.5};
}

static fender_status hertz_check(const void *parameters, fender_error *error)
{
    const hertz *p = parameters;
    fender_status status = fnd_hertz_check(&p->bodies, error);
    return status ? status : fnd_loss_check(&p->loss, error);
}

static void hertz_establish(const void *parameters, const fender_contact_input *in, void *memory)
{
    const hertz *p = parameters;
    hertz_memory *m = memory;
    (void)in;
    m->loss = fnd_loss_at_unit_speed(&p->loss);
}

static void hertz_force(const void *parameters, const fender_contact_input *in, const void *memory,
                        fender_contact_output *out)
{
    const hertz *p = parameters;
    fnd_power_spring spring = spring_of(p, in);
    fnd_power_spring_force(&spring, dissipation(p, in, memory), in, memory, out);
}

static void hertz_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    fnd_power_spring_roots(dissipation(parameters, in, memory), in, memory, root);
}

static void hertz_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                         void *memory, fender_contact_change *change)
{
    (void)out, (void)change;
    fnd_power_spring_update(dissipation(parameters, in, memory), in, memory);
}

static double hertz_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    fnd_power_spring spring = spring_of(parameters, in);
    (void)memory;
    return fnd_power_spring_energy(&spring, in->depth);
}

static void hertz_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const hertz *p = parameters;
    fnd_power_spring spring = spring_of(p, in);
    fnd_power_spring_stiffness(&spring, dissipation(p, in, NULL), in, out);
}

static const fender_derivation hertz_derivations[] = {
    FND_DERIVATIONS_OF_HERTZ, FND_DERIVATION_OF_LOSS, {NULL, NULL, NULL, NULL}};

const fender_law fnd_law_hertz = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "hertz",
    .doc =
        "Contact of smooth elastic bodies, N = 4/3 E* sqrt(R) d^1.5 (1 + D d'), from moduli and the curvature of both "
        "surfaces, elliptical where that differs by direction.",
    .parameters = FENDER_FIELD_TABLE("hertz", hertz_fields, hertz),
    .memory_size = sizeof(hertz_memory),
    .check = hertz_check,
    .establish = hertz_establish,
    .force = hertz_force,
    .update = hertz_update,
    .root_count = 1,
    .roots = hertz_roots,
    .stored_energy = hertz_energy,
    .stiffness = hertz_stiffness,
    .derivations = hertz_derivations,
    .needs = FENDER_LAW_NEEDS_SURFACE,
};
