/* Law `hunt_crossley`: spring k d^n with a damper that grows with it. */
#include "law/loss.h"
#include "law/power_spring.h"

typedef struct hunt_crossley {
    fnd_power_spring spring;
    fnd_loss loss;
} hunt_crossley;

static const fender_field hunt_crossley_fields[] = {
    FND_POWER_SPRING_FIELDS(hunt_crossley),
    FND_LOSS_FIELDS(hunt_crossley),
};

/* The loss is found once. */
typedef struct hunt_crossley_memory {
    fnd_power_spring_memory spring; /* first: the functions of the spring see no more */
    double loss;
} hunt_crossley_memory;

static double dissipation(const hunt_crossley *p, const fender_contact_input *in, const hunt_crossley_memory *m)
{
    return fnd_loss_dissipation(&p->loss, m ? m->loss : 0, in->approach_speed);
}

static void hunt_crossley_establish(const void *parameters, const fender_contact_input *in, void *memory)
{
    const hunt_crossley *p = parameters;
    hunt_crossley_memory *m = memory;
    (void)in;
    m->loss = fnd_loss_at_unit_speed(&p->loss);
}

static fender_status hunt_crossley_check(const void *parameters, fender_error *error)
{
    const hunt_crossley *p = parameters;
    return fnd_loss_check(&p->loss, error);
}

static void hunt_crossley_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                fender_contact_output *out)
{
    const hunt_crossley *p = parameters;
    fnd_power_spring_force(&p->spring, dissipation(p, in, memory), in, memory, out);
}

static void hunt_crossley_roots(const void *parameters, const fender_contact_input *in, const void *memory,
                                double *root)
{
    fnd_power_spring_roots(dissipation(parameters, in, memory), in, memory, root);
}

static void hunt_crossley_update(const void *parameters, const fender_contact_input *in,
                                 const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    (void)out, (void)change;
    fnd_power_spring_update(dissipation(parameters, in, memory), in, memory);
}

static double hunt_crossley_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const hunt_crossley *p = parameters;
    (void)memory;
    return fnd_power_spring_energy(&p->spring, in->depth);
}

static void hunt_crossley_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const hunt_crossley *p = parameters;
    fnd_power_spring_stiffness(&p->spring, dissipation(p, in, NULL), in, out);
}

static const fender_derivation hunt_crossley_derivations[] = {
    FND_DERIVATIONS_OF_POWER_SPRING, FND_DERIVATION_OF_LOSS, {NULL, NULL, NULL, NULL}};

const fender_law fnd_law_hunt_crossley = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "hunt_crossley",
    .doc = "Spring k d^n with a damper that grows with it, N = max(k d^n (1 + D d'), 0): no force at touch, and a "
           "restitution that can be asked for exactly.",
    .parameters = FENDER_FIELD_TABLE("hunt_crossley", hunt_crossley_fields, hunt_crossley),
    .memory_size = sizeof(hunt_crossley_memory),
    .check = hunt_crossley_check,
    .establish = hunt_crossley_establish,
    .force = hunt_crossley_force,
    .update = hunt_crossley_update,
    .root_count = 1,
    .roots = hunt_crossley_roots,
    .stored_energy = hunt_crossley_energy,
    .stiffness = hunt_crossley_stiffness,
    .derivations = hunt_crossley_derivations,
};
