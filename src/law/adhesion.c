/* Laws that pull: jkr and dmt of elastic bodies, adhesion and pull_off_spring of linear springs. */
#include <assert.h>
#include <math.h>

#include "law/derive.h"
#include "law/laws.h"
#include "law/normal_elastic.h"
#include "law/parts.h"
#include "math/elementary.h"

static const double pi = 3.14159265358979324;

/* ---- Elastic bodies that adhere: what `jkr` and `dmt` share */

/* Parameters of both; the law of soft bodies and that of stiff ones differ in their force alone. */
typedef struct adherent {
    fnd_hertz_bodies bodies;
    double work, dissipation;
} adherent;

static const fender_field adherent_fields[] = {
    FND_HERTZ_FIELDS(adherent),
    FND_REAL(adherent, work, "J/m^2", FND_REQUIRED | FND_POSITIVE, 0,
             "Work of adhesion w: twice the surface energy for two bodies of the same material."),
    FND_REAL(adherent, dissipation, "s/m", 0, 0,
             "Damping D: the elastic part of the force grows by the factor 1 + D d'."),
};

static bool adherent_reads_surface(const void *parameters)
{
    return !(((const adherent *)parameters)->bodies.radius > 0);
}

static fender_status adherent_check(const void *parameters, fender_error *error)
{
    const adherent *p = parameters;
    return fnd_modulus_check(p->bodies.modulus, p->bodies.young, "E*", error);
}

/* 2 pi w R [N], the unit of both forces. */
static double adherent_unit(const adherent *p, double radius) { return 2 * pi * p->work * radius; }

/* ---- Law `jkr`: adhesion of soft elastic bodies (Johnson, Kendall and Roberts 1971)
 *
 * With the radius a of contact, d = a^2/R - sqrt(2 pi w a / E*) and N = 4 E* a^3 / (3 R) - sqrt(8 pi w E* a^3). In
 * units of a_0, the radius at d = 0, a = a_0 x^2: d = a_0^2/R (x^4 - x), N = 2 pi w R (4/3 x^6 - 2 x^3). The contact
 * tears where d has its minimum, x^3 = 1/4; the largest pull is 3/2 pi w R, at x^3 = 3/4. */

static const double X_LEAST = 0.62996052494743658;      /* 4^(-1/3) */
static const double DEPTH_LEAST = -0.47247039371057744; /* of x^4 - x */

typedef struct scale {
    double modulus, radius; /* E*, R */
    double length, depth;   /* a_0, a_0^2/R */
} scale;

/* a_0 and a_0^2 / R of the equation above, for a gap of that radius. */
static scale scale_of(const adherent *p, double radius)
{
    scale s = {fnd_hertz_modulus(&p->bodies), radius, 0, 0};
    double c2 = 2 * pi * p->work / s.modulus; /* a_0^3 = c2 R^2 */
    s.length = fnd_power(c2 * radius * radius, 1.0 / 3);
    s.depth = s.length * (s.length / radius);
    return s;
}

static scale scale_at(const adherent *p, const fender_contact_input *in)
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
    assert(fnd_not_below(x, X_LEAST));
    return x;
}

/* Beyond the least depth there is no contact radius that balances. */
static bool torn(const scale *s, const fender_contact_input *in) { return !(in->depth > DEPTH_LEAST * s->depth); }

/* By the largest radius that the gap may have, for the law ends the contact by itself where it tears. */
static void jkr_activation_distance(const void *parameters, double *onset_gap, double *release_gap)
{
    const adherent *p = parameters;
    scale s = scale_of(p, p->bodies.radius > 0 ? p->bodies.radius : p->bodies.largest_radius);
    *onset_gap = 0;
    *release_gap = -DEPTH_LEAST * s.depth * (1 + 1e-6); /* the law ends it before */
}

/* The elastic part alone is damped, and clipped where the damper would pull: the pull of the surfaces is conservative.
 */
static void jkr_force(const void *parameters, const fender_contact_input *in, const void *memory,
                      fender_contact_output *out)
{
    const adherent *p = parameters;
    const fnd_power_spring_memory *m = memory;
    assert(m || !in->located);
    scale s = scale_at(p, in);
    if (!in->located && torn(&s, in)) return;
    double x = radius_at(in->depth / s.depth), x3 = x * x * x, unit = adherent_unit(p, s.radius);
    double push = 4.0 / 3 * unit * x3 * x3, factor = 1 + p->dissipation * in->depth_rate;
    double damped = fnd_clip_holds(in, m ? m->slack : 0, factor) ? 0 : push * factor;
    out->force.z = damped - 2 * unit * x3;
    out->damping_power = (damped - push) * in->depth_rate;
}

/* The clip of the elastic part, and the depth at which the contact tears. */
static void jkr_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const adherent *p = parameters;
    scale s = scale_at(p, in);
    fnd_power_spring_roots(p->dissipation, in, memory, root);
    root[1] = in->depth - DEPTH_LEAST * s.depth;
}

static void jkr_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                       void *memory, fender_contact_change *change)
{
    const adherent *p = parameters;
    (void)out;
    scale s = scale_at(p, in);
    fnd_power_spring_update(p->dissipation, in, memory);
    change->end = torn(&s, in);
}

/* Elastic and surface energy, E* (d^2 a - 2/3 d a^3/R + a^5/(5 R^2)) - pi w a^2, above that at touch: bodies get
 * nothing of what snaps in there. What is left where the contact tears is lost. */
static double jkr_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const adherent *p = parameters;
    (void)memory;
    scale s = scale_at(p, in);
    double d = torn(&s, in) ? DEPTH_LEAST : in->depth / s.depth, x = radius_at(d), x2 = x * x, x4 = x2 * x2;
    double unit = s.modulus * s.depth * s.depth * s.length;
    return unit * (x2 * (d * d + x4 * (x4 / 5 - 2.0 / 3 * d)) - x4 / 2 + 0.3);
}

static void jkr_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const adherent *p = parameters;
    scale s = scale_at(p, in);
    double x = radius_at(in->depth / s.depth), x3 = x * x * x;
    out->normal_stiffness = 2 * s.modulus * s.length * x * x; /* of the ring of contact, held */
    out->normal_damping = p->dissipation * 8.0 / 3 * pi * p->work * s.radius * x3 * x3;
}

FND_DERIVE_BY_REBOUND(jkr, dissipation)

static const fender_derivation jkr_derivations[] = {
    FND_DERIVATIONS_OF_HERTZ, FND_DERIVATION_BY_REBOUND_OF_ROUND(jkr, dissipation), FND_END_OF_DERIVATIONS};

const fender_law fnd_law_jkr = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "jkr",
    .doc = "Elastic bodies that adhere (Johnson, Kendall, Roberts): attracts with up to 1.5 pi w R and separates "
           "beyond touch; for soft bodies; friction beside it follows the net force.",
    .parameters = FENDER_FIELD_TABLE("jkr", adherent_fields, adherent),
    .memory_size = sizeof(fnd_power_spring_memory),
    .check = adherent_check,
    .activation_distance = jkr_activation_distance,
    .force = jkr_force,
    .update = jkr_update,
    .root_count = 2,
    .roots = jkr_roots,
    .stored_energy = jkr_energy,
    .stiffness = jkr_stiffness,
    .derivations = jkr_derivations,
    .needs = FENDER_LAW_NEEDS_SURFACE,
    .reads_surface = adherent_reads_surface,
};

/* ---- Law `dmt`: adhesion of stiff elastic bodies (Derjaguin, Muller and Toporov 1975)
 *
 * Hertz's force less a pull of 2 pi w R for as long as the bodies touch. */

static double dmt_pull(const adherent *p, const fender_contact_input *in)
{
    return adherent_unit(p, fnd_hertz_radius(&p->bodies, in->surface));
}

/* Nothing before touch: the pull jumps there, both ways, so that none of it is lost. */
static void dmt_force(const void *parameters, const fender_contact_input *in, const void *memory,
                      fender_contact_output *out)
{
    const adherent *p = parameters;
    if (!in->located && !(in->depth > 0)) return;
    fnd_power_spring spring = fnd_hertz_spring(&p->bodies, in->surface);
    fnd_power_spring_force(&spring, p->dissipation, in, memory, out);
    out->force.z -= dmt_pull(p, in);
}

static void dmt_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const adherent *p = parameters;
    fnd_power_spring_roots(p->dissipation, in, memory, root);
}

static void dmt_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                       void *memory, fender_contact_change *change)
{
    const adherent *p = parameters;
    (void)out, (void)change;
    fnd_power_spring_update(p->dissipation, in, memory);
}

/* Below touch: the pull has been at work all the way in. */
static double dmt_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const adherent *p = parameters;
    (void)memory;
    if (!(in->depth > 0)) return 0;
    fnd_power_spring spring = fnd_hertz_spring(&p->bodies, in->surface);
    return fnd_power_spring_energy(&spring, in->depth) - dmt_pull(p, in) * in->depth;
}

static void dmt_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const adherent *p = parameters;
    fnd_power_spring spring = fnd_hertz_spring(&p->bodies, in->surface);
    fnd_power_spring_stiffness(&spring, p->dissipation, in, out);
}

FND_DERIVE_BY_REBOUND(dmt, dissipation)

static const fender_derivation dmt_derivations[] = {
    FND_DERIVATIONS_OF_HERTZ, FND_DERIVATION_BY_REBOUND_OF_ROUND(dmt, dissipation), FND_END_OF_DERIVATIONS};

const fender_law fnd_law_dmt = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "dmt",
    .doc = "Elastic bodies that adhere (Derjaguin, Muller, Toporov): Hertz's force minus an attraction of 2 pi w R "
           "while they touch; for stiff bodies; friction beside it follows the net force.",
    .parameters = FENDER_FIELD_TABLE("dmt", adherent_fields, adherent),
    .memory_size = sizeof(fnd_power_spring_memory),
    .check = adherent_check,
    .force = dmt_force,
    .update = dmt_update,
    .root_count = 1,
    .roots = dmt_roots,
    .stored_energy = dmt_energy,
    .stiffness = dmt_stiffness,
    .derivations = dmt_derivations,
    .needs = FENDER_LAW_NEEDS_SURFACE,
    .reads_surface = adherent_reads_surface,
};

/* ---- Law `adhesion`: spring and damper that push, less a constant pull that holds on over a range
 *
 * N = max(k d + c d', 0) - pull, from touch on until the shapes are `range` apart: tape, magnets, wet grains. */

typedef fender_adhesion_parameters adhesion;

static const fender_field adhesion_fields[] = {
    FND_REAL(adhesion, stiffness, "N/m", FND_REQUIRED, 0, "Spring constant k."),
    FND_REAL(adhesion, damping, "N*s/m", 0, 0, "Damping constant c, while the shapes overlap."),
    FND_REAL(adhesion, pull, "N", FND_REQUIRED, 0, "Attractive force, from touch on."),
    FND_REAL(adhesion, range, "m", 0, 0, "Separation at which the attraction ends."),
};

/* With located events: does the clip hold the push at zero, are the shapes apart? */
typedef struct adhesion_memory {
    int slack, apart;
} adhesion_memory;

/* Area of a patch may come within the range before it touches. */
static void adhesion_begin(const void *parameters, const fender_contact_input *in, void *memory)
{
    adhesion_memory *m = memory;
    (void)parameters;
    m->apart = in->located && in->depth < 0;
}

static void adhesion_activation_distance(const void *parameters, double *onset_gap, double *release_gap)
{
    const adhesion *p = parameters;
    *onset_gap = 0;
    *release_gap = p->range;
}

/* The pull acts within the range also where the shapes are apart; spring and damper do not. */
static void adhesion_force(const void *parameters, const fender_contact_input *in, const void *memory,
                           fender_contact_output *out)
{
    const adhesion *p = parameters;
    const adhesion_memory *m = memory;
    assert(m || !in->located);
    bool apart = in->located ? m->apart != 0 : !(in->depth > 0);
    double spring = apart ? 0 : p->stiffness * in->depth,
           push = apart ? 0 : fnd_linear_force(p->stiffness, p->damping, in);
    if (fnd_clip_holds(in, m ? m->slack : 0, push)) push = 0;
    out->force.z = push - p->pull;
    out->damping_power = (push - spring) * in->depth_rate;
}

/* The clip while they overlap; then the depth, at which the push begins and ends. */
static void adhesion_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const adhesion *p = parameters;
    const adhesion_memory *m = memory;
    assert(m && root);
    root[0] = m->apart ? 1 : fnd_clip_root(m->slack, fnd_linear_force(p->stiffness, p->damping, in));
    root[1] = m->apart ? -in->depth : in->depth;
}

/* At depth 0 the rate decides which side of touch the step goes on. */
static void adhesion_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                            void *memory, fender_contact_change *change)
{
    const adhesion *p = parameters;
    adhesion_memory *m = memory;
    (void)out, (void)change;
    assert(m);
    m->apart = in->located && (in->depth < 0 || (in->depth == 0 && in->depth_rate < 0));
    m->slack = !m->apart && fnd_clip_slack(in, fnd_linear_force(p->stiffness, p->damping, in));
}

/* Against that at touch: what the pull has taken over the range is lost when it ends. */
static double adhesion_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const adhesion *p = parameters;
    (void)memory;
    double d = in->depth > -p->range ? in->depth : -p->range;
    return (d > 0 ? 0.5 * p->stiffness * d * d : 0) - p->pull * d;
}

static void adhesion_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const adhesion *p = parameters;
    (void)in;
    out->normal_stiffness = p->stiffness;
    out->normal_damping = p->damping;
}

FND_DERIVE_BY_REBOUND(adhesion, damping)

static const fender_derivation adhesion_derivations[] = {FND_DERIVATIONS_OF_STIFFNESS, FND_DERIVATION_OF_RATIO,
                                                         FND_DERIVATION_BY_REBOUND(adhesion, damping),
                                                         FND_END_OF_DERIVATIONS};

const fender_law fnd_law_adhesion = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "adhesion",
    .doc = "Repulsive spring and damper minus a constant attraction, from touch until the separation exceeds a range; "
           "friction beside it follows the net force.",
    .parameters = FENDER_FIELD_TABLE("adhesion", adhesion_fields, adhesion),
    .memory_size = sizeof(adhesion_memory),
    .activation_distance = adhesion_activation_distance,
    .begin = adhesion_begin,
    .force = adhesion_force,
    .update = adhesion_update,
    .root_count = 2,
    .roots = adhesion_roots,
    .stored_energy = adhesion_energy,
    .stiffness = adhesion_stiffness,
    .derivations = adhesion_derivations,
    .needs = FENDER_LAW_ACTS_APART,
};

/* ---- Law `pull_off_spring`: spring and damper that hold as well as they push, up to a pull at which they let go
 *
 * N = k d + c d' until -N is more than pull_off; then max(k d + c d', 0) until the shapes have parted. */

typedef fender_pull_off_spring_parameters pull_off_spring;

static const fender_field pull_off_spring_fields[] = {
    FND_REAL(pull_off_spring, stiffness, "N/m", FND_REQUIRED | FND_POSITIVE, 0,
             "Spring constant k, for repulsion and attraction."),
    FND_REAL(pull_off_spring, damping, "N*s/m", 0, 0, "Damping constant c."),
    FND_REAL(pull_off_spring, pull_off, "N", FND_REQUIRED, 0,
             "Attraction at which the contact breaks; it then only pushes until the shapes separate."),
};

enum { LET_GO = 1 }; /* event of the law */

typedef struct pull_off_memory {
    int free, slack; /* it has let go; then, with located events: the clip holds the force at zero */
} pull_off_memory;

static void pull_off_activation_distance(const void *parameters, double *onset_gap, double *release_gap)
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
    double spring = p->stiffness * in->depth, full = fnd_linear_force(p->stiffness, p->damping, in), normal = full;
    if (m && m->free) {
        if (!in->located && !(in->depth > 0)) return;
        if (fnd_clip_holds(in, m->slack, full)) normal = 0;
    }
    out->force.z = normal;
    out->damping_power = (normal - spring) * in->depth_rate;
}

/* Held: what is left of the pull-off. Free: the clip, and the depth, at which the contact ends. */
static void pull_off_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const pull_off_spring *p = parameters;
    const pull_off_memory *m = memory;
    double full = fnd_linear_force(p->stiffness, p->damping, in);
    root[0] = !m->free ? p->pull_off + full : fnd_clip_root(m->slack, full);
    root[1] = m->free ? in->depth : 1;
}

/* Letting go is an event of the law. What the spring holds then, pull_off^2 / (2 k), is lost. */
static void pull_off_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                            void *memory, fender_contact_change *change)
{
    const pull_off_spring *p = parameters;
    pull_off_memory *m = memory;
    double full = fnd_linear_force(p->stiffness, p->damping, in);
    (void)out;
    assert(m && change);
    if (!m->free && p->pull_off + full < 0) {
        m->free = 1;
        change->event = LET_GO;
    }
    if (!m->free) return;
    m->slack = fnd_clip_slack(in, full);
    change->end = !(in->depth > 0);
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

FND_DERIVE_BY_REBOUND(pull_off_spring, damping)

static const fender_derivation pull_off_derivations[] = {FND_DERIVATIONS_OF_STIFFNESS, FND_DERIVATION_OF_RATIO,
                                                         FND_DERIVATION_BY_REBOUND(pull_off_spring, damping),
                                                         FND_END_OF_DERIVATIONS};

const fender_law fnd_law_pull_off_spring = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "pull_off_spring",
    .doc = "Bilateral spring and damper, N = k d + c d', until the attraction exceeds a limit; from then on it only "
           "pushes; friction beside it follows the net force.",
    .parameters = FENDER_FIELD_TABLE("pull_off_spring", pull_off_spring_fields, pull_off_spring),
    .memory_size = sizeof(pull_off_memory),
    .activation_distance = pull_off_activation_distance,
    .force = pull_off_force,
    .update = pull_off_update,
    .root_count = 2,
    .roots = pull_off_roots,
    .stored_energy = pull_off_energy,
    .stiffness = pull_off_stiffness,
    .derivations = pull_off_derivations,
};
