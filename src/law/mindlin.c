/* Law `mindlin`: the tangential spring of two bodies of revolution pressed together by Hertz's law. */
#include "law/hertz.h"
#include "law/history_spring.h"
#include "law/laws.h"

typedef fender_mindlin_parameters mindlin;

static const char *const histories[] = {"rescaled", "force", "displacement", NULL}; /* of fnd_history */

static const fender_field mindlin_fields[] = {
    {"mu", "1", "Coefficient of friction.", FENDER_FIELD_REAL, offsetof(mindlin, mu), FENDER_FIELD_REQUIRED, 0,
     INFINITY, 0, NULL},
    {"modulus", "Pa", "Effective shear modulus G*, 1/G* = (2 - nu_a)/G_a + (2 - nu_b)/G_b, in place of the next four.",
     FENDER_FIELD_REAL, offsetof(mindlin, modulus), 0, 0, INFINITY, 0, NULL},
    {"young", "Pa", "Young's modulus of both, or of the one; G = E / (2 (1 + nu)).", FENDER_FIELD_REAL,
     offsetof(mindlin, young), 0, 0, INFINITY, 0, NULL},
    {"poisson", "1", "Its Poisson's ratio.", FENDER_FIELD_REAL, offsetof(mindlin, poisson), 0, -1, 0.5, 0.3, NULL},
    {"young_b", "Pa", "Young's modulus of the other; 0: as the one; none: rigid.", FENDER_FIELD_REAL,
     offsetof(mindlin, young_b), FENDER_FIELD_NONE_ALLOWED, 0, INFINITY, 0, NULL},
    {"poisson_b", "1", "Its Poisson's ratio, with young_b.", FENDER_FIELD_REAL, offsetof(mindlin, poisson_b), 0, -1,
     0.5, 0.3, NULL},
    {"damping_time", "s", "Tangential damping constant over stiffness.", FENDER_FIELD_REAL,
     offsetof(mindlin, damping_time), 0, 0, INFINITY, 0, NULL},
    {"history", "1",
     "rescaled: f' = k v, scaled down with k as the contact opens; force: not scaled; displacement: f = k s. The last "
     "two "
     "make energy in cycles.",
     FENDER_FIELD_ENUM, offsetof(mindlin, history), 0, 0, 2, FND_HISTORY_RESCALED, histories},
};

/* The loss of a spring that softens grows without bound, though its sum does not, where the depth goes to 0: below a
 * quarter of the depth at the start of a step what is stored stays, and is lost at the step's end. */
typedef fnd_history_spring_memory memory;

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

/* 8 G* a, a = sqrt(R d) the radius of contact (Mindlin 1949). Flat surfaces have no such radius: then of 1 m. */
static fnd_history_spring numbers(const mindlin *p, const fender_contact_input *in, const memory *m)
{
    double radius = in->surface && isfinite(in->surface->radius) ? in->surface->radius : 1;
    double depth = in->depth > 0 ? in->depth : 0, least = m ? 0.25 * m->depth : 0;
    double factor = 8 * modulus_of(p) * sqrt(radius), stiffness = factor * sqrt(depth);
    fnd_history_spring own = {p->mu, stiffness, p->damping_time * stiffness, stiffness, 0, (fnd_history)p->history};
    if (depth > least) own.growth = 0.5 * in->depth_rate / depth;
    else own.store = factor * sqrt(least);
    if (!(own.store > 0)) own.store = 1; /* there is no depth, and nothing stored */
    return own;
}

static void mindlin_establish(const void *parameters, const fender_contact_input *in, void *memory_bytes)
{
    const fnd_history_spring own = numbers(parameters, in, NULL);
    fnd_history_spring_establish(&own, in, memory_bytes);
}

static void mindlin_force(const void *parameters, const fender_contact_input *in, const void *memory_bytes,
                          fender_contact_output *out)
{
    const fnd_history_spring own = numbers(parameters, in, memory_bytes);
    fnd_history_spring_force(&own, in, memory_bytes, out);
}

static void mindlin_rates(const void *parameters, const fender_contact_input *in, const void *memory_bytes,
                          double *rates)
{
    const fnd_history_spring own = numbers(parameters, in, memory_bytes);
    fnd_history_spring_rates(&own, in, memory_bytes, rates);
}

static void mindlin_roots(const void *parameters, const fender_contact_input *in, const void *memory_bytes,
                          double *root)
{
    const fnd_history_spring own = numbers(parameters, in, memory_bytes);
    fnd_history_spring_roots(&own, in, memory_bytes, root);
}

static void mindlin_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                           void *memory_bytes, fender_contact_change *change)
{
    (void)out;
    ((memory *)memory_bytes)->depth = in->depth > 0 ? in->depth : 0;
    const fnd_history_spring own = numbers(parameters, in, memory_bytes);
    fnd_history_spring_update(&own, in, memory_bytes, change);
}

static double mindlin_energy(const void *parameters, const fender_contact_input *in, const void *memory_bytes)
{
    const fnd_history_spring own = numbers(parameters, in, memory_bytes);
    return fnd_history_spring_energy(&own, in);
}

static void mindlin_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const fnd_history_spring own = numbers(parameters, in, NULL);
    out->tangential_stiffness = own.stiffness;
    out->tangential_damping = own.damping;
}

const fender_law fnd_law_mindlin = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "mindlin",
    .doc =
        "Mindlin's tangential spring 8 G* sqrt(R d), scaled down as the contact opens or not, sliding at mu N; beside "
        "Hertz's normal law.",
    .parameters = FENDER_FIELD_TABLE("mindlin", mindlin_fields, mindlin),
    .memory_size = sizeof(memory),
    .check = mindlin_check,
    .establish = mindlin_establish,
    .force = mindlin_force,
    .update = mindlin_update,
    .stored_energy = mindlin_energy,
    .stiffness = mindlin_stiffness,
    .root_count = FND_HISTORY_SPRING_ROOTS,
    .roots = mindlin_roots,
    .state_count = FND_HISTORY_SPRING_STATES,
    .state_rates = mindlin_rates,
    .stretch = fnd_history_spring_stretch,
    .needs = FENDER_LAW_NEEDS_SURFACE,
};
