/* Law `jkr`: adhesion of soft elastic bodies (Johnson, Kendall and Roberts 1971). */
#include "law/hertz.h"
#include "law/power_spring.h"
#include "law/rebound.h"

/* With the radius a of contact, d = a^2/R - sqrt(2 pi w a / E*) and N = 4 E* a^3 / (3 R) - sqrt(8 pi w E* a^3). In
 * units of a_0, the radius at d = 0, a = a_0 x^2: d = a_0^2/R (x^4 - x), N = 2 pi w R (4/3 x^6 - 2 x^3). The contact
 * tears where d has its minimum, x^3 = 1/4; the largest pull is 3/2 pi w R, at x^3 = 3/4. */
typedef struct jkr {
    fnd_hertz_bodies bodies;
    double work, dissipation;
} jkr;

static const fender_field jkr_fields[] = {
    FND_HERTZ_FIELDS(jkr),
    {"work", "J/m^2", "Work of adhesion w: twice the surface energy of like bodies.", FENDER_FIELD_REAL,
     offsetof(jkr, work), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"dissipation", "s/m", "Damping D: the elastic part of the force grows by the factor 1 + D d'.", FENDER_FIELD_REAL,
     offsetof(jkr, dissipation), 0, 0, INFINITY, 0, NULL},
};

static const double pi = 3.14159265358979324;
static const double X_LEAST = 0.62996052494743658;      /* 4^(-1/3) */
static const double DEPTH_LEAST = -0.47247039371057744; /* of x^4 - x */

typedef struct scale {
    double modulus, radius; /* E*, R */
    double length, depth;   /* a_0, a_0^2/R */
} scale;

static scale scale_of(const jkr *p, double radius)
{
    scale s = {fnd_hertz_modulus(&p->bodies), radius, 0, 0};
    double c2 = 2 * pi * p->work / s.modulus; /* a_0^3 = c2 R^2 */
    s.length = fnd_power(c2 * radius * radius, 1.0 / 3);
    s.depth = s.length * (s.length / radius);
    return s;
}

static scale scale_at(const jkr *p, const fender_contact_input *in)
{
    return scale_of(p, fnd_hertz_radius(&p->bodies, in->surface));
}

/* The greater x with x^4 - x = d: Newton's steps come down to it from above, where the curve bends upward. */
static double radius_at(double d)
{
    if (!(d > DEPTH_LEAST)) return X_LEAST;
    double x = d > 0 ? 1 + sqrt(sqrt(d)) : 1, near = X_LEAST + sqrt((d - DEPTH_LEAST) / (6 * X_LEAST * X_LEAST));
    if (near < x) x = near;
    for (int i = 0; i < 60; i++) {
        double x3 = x * x * x, next = x - ((x3 - 1) * x - d) / (4 * x3 - 1);
        if (!(next < x) || !(next > X_LEAST)) break;
        x = next;
    }
    return x;
}

static bool torn(const scale *s, const fender_contact_input *in) { return !(in->depth > DEPTH_LEAST * s->depth); }

static void jkr_reach(const void *parameters, double *onset_gap, double *release_gap)
{
    const jkr *p = parameters;
    scale s = scale_of(p, p->bodies.radius > 0 ? p->bodies.radius : p->bodies.largest_radius);
    *onset_gap = 0;
    *release_gap = -DEPTH_LEAST * s.depth * (1 + 1e-6); /* the law ends it before */
}

static void jkr_force(const void *parameters, const fender_contact_input *in, const void *memory,
                      fender_contact_output *out)
{
    const jkr *p = parameters;
    const fnd_power_spring_memory *m = memory;
    scale s = scale_at(p, in);
    if (!in->located && torn(&s, in)) return;
    double x = radius_at(in->depth / s.depth), x3 = x * x * x, unit = 2 * pi * p->work * s.radius;
    double push = 4.0 / 3 * unit * x3 * x3, factor = 1 + p->dissipation * in->depth_rate;
    double damped = (in->located ? m->slack != 0 : factor < 0) ? 0 : push * factor;
    out->force.z = damped - 2 * unit * x3;
    out->damping_power = (damped - push) * in->depth_rate;
}

static void jkr_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const jkr *p = parameters;
    scale s = scale_at(p, in);
    fnd_power_spring_roots(p->dissipation, in, memory, root);
    root[1] = in->depth - DEPTH_LEAST * s.depth;
}

static void jkr_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                       void *memory, fender_contact_change *change)
{
    const jkr *p = parameters;
    (void)out;
    scale s = scale_at(p, in);
    fnd_power_spring_update(p->dissipation, in, memory);
    change->terminate = torn(&s, in);
}

/* Elastic and surface energy, E* (d^2 a - 2/3 d a^3/R + a^5/(5 R^2)) - pi w a^2, above that at touch: bodies get
 * nothing of what snaps in there. What is left where the contact tears is lost. */
static double jkr_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const jkr *p = parameters;
    (void)memory;
    scale s = scale_at(p, in);
    double d = torn(&s, in) ? DEPTH_LEAST : in->depth / s.depth, x = radius_at(d), x2 = x * x, x4 = x2 * x2;
    double unit = s.modulus * s.depth * s.depth * s.length;
    return unit * (x2 * (d * d + x4 * (x4 / 5 - 2.0 / 3 * d)) - x4 / 2 + 0.3);
}

static void jkr_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const jkr *p = parameters;
    scale s = scale_at(p, in);
    double x = radius_at(in->depth / s.depth), x3 = x * x * x;
    out->normal_stiffness = 2 * s.modulus * s.length * x * x; /* of the ring of contact, held */
    out->normal_damping = p->dissipation * 8.0 / 3 * pi * p->work * s.radius * x3 * x3;
}

static fender_status jkr_check(const void *parameters, fender_error *error)
{
    const jkr *p = parameters;
    return fnd_hertz_check(&p->bodies, error);
}

FND_DERIVE_BY_REBOUND(fnd_law_jkr, dissipation)

static const fender_derivation jkr_derivations[] = {
    FND_DERIVATIONS_OF_HERTZ, FND_DERIVATION_BY_REBOUND_OF_ROUND(dissipation), {NULL, NULL, NULL, NULL}};

const fender_law fnd_law_jkr = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "jkr",
    .doc = "Elastic bodies that adhere (Johnson, Kendall, Roberts): pulls by up to 1.5 pi w R, and tears beyond touch; "
           "for "
           "soft bodies.",
    .parameters = FENDER_FIELD_TABLE("jkr", jkr_fields, jkr),
    .memory_size = sizeof(fnd_power_spring_memory),
    .check = jkr_check,
    .reach = jkr_reach,
    .force = jkr_force,
    .update = jkr_update,
    .root_count = 2,
    .roots = jkr_roots,
    .stored_energy = jkr_energy,
    .stiffness = jkr_stiffness,
    .derivations = jkr_derivations,
    .needs = FENDER_LAW_NEEDS_SURFACE,
};
