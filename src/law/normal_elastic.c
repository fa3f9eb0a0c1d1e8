/* Normal laws of elastic bodies and of a spring k d^n: hertz, hunt_crossley, impact.
 *
 * Here too is what `jkr`, `dmt` (adhesion.c) and `mindlin` (friction_history.c) take from Hertz. */
#include "law/normal_elastic.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "law/derive.h"
#include "law/laws.h"
#include "law/parts.h"
#include "math/elementary.h"

static const double pi = 3.14159265358979324;

/* ---- Moduli and radii of elastic bodies that touch. */

/* 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b (Johnson 1985, chapter 4). Both alike: half of one body's. A rigid body
 * has an infinite Young's modulus. */
double fnd_hertz_modulus(const fnd_hertz_bodies *p)
{
    assert(p);
    if (p->modulus > 0) return p->modulus;
    if (p->young_b > 0) return fender_hertz_modulus(p->young, p->poisson, p->young_b, p->poisson_b);
    return 0.5 * p->young / (1 - p->poisson * p->poisson);
}

static double at_least(double curvature, double least) { return curvature > least ? curvature : least; }

/* Principal relative curvatures, those of the largest radius at least. */
static void curvatures_of(const fnd_hertz_bodies *p, const fender_contact_surface *surface, double *first,
                          double *second)
{
    double least = 1 / p->largest_radius;
    *first = surface ? at_least(surface->relative.first, least) : least;
    *second = surface ? at_least(surface->relative.second, least) : least;
}

double fnd_hertz_radius(const fnd_hertz_bodies *p, const fender_contact_surface *surface)
{
    assert(p);
    double first, second;
    if (p->radius > 0) return p->radius;
    curvatures_of(p, surface, &first, &second);
    return 1 / sqrt(first * second);
}

fender_status fnd_modulus_check(double modulus, double young, const char *symbol, fender_error *error)
{
    assert(symbol);
    bool one = modulus > 0, other = young > 0;
    char suggestion[64];
    if (one != other) return FENDER_STATUS_OK;
    snprintf(suggestion, sizeof suggestion, one ? "leave one of them out" : "give %s as modulus, or young and poisson",
             symbol);
    return fnd_fail(error, FENDER_STATUS_VALUE, one ? "young" : "modulus",
                    one ? "modulus and young are both given" : "neither modulus nor young is given",
                    one ? "both" : "neither", "one of the two", suggestion);
}

double fnd_derive_modulus(const void *parameters, const fender_sizing_spec *spec)
{
    (void)parameters;
    return spec->modulus;
}

double fnd_derive_modulus_of_sink(const void *parameters, const fender_sizing_spec *spec)
{
    (void)parameters;
    return 0.75 * spec->weight / (spec->sink * sqrt(spec->radius * spec->sink));
}

/* ---- Hertz's contact of surfaces that are curved differently along two directions, by complete elliptic integrals.
 *
 * Johnson, Contact Mechanics (1985), 4.2, with the gap A x^2 + B y^2, the half axes a >= b, q = b / a, m = 1 - q^2,
 * K(m), E(m) and D = (K - E) / m:  B / A = (K - D) / (q^2 D),  a^2 = d D / (A K),  F = 2 pi/3 E* d^1.5 sqrt(D / A)
 * K^-1.5. In D nothing cancels for nearly equal curvatures. */

typedef struct integrals {
    double K, D;
} integrals;

/* By the arithmetic-geometric mean; (K - E) / K is the sum of 2^(n-1) c_n^2. */
static integrals integrals_at(double q)
{
    double a = 1, b = q, sum = 0.5, weight = 0.5, m = (1 - q) * (1 + q);
    /* c_1^2 / m = ((1 - q) / 2)^2 / m = (1 - q) / (4 (1 + q)), c_(n+1) = c_n^2 / (4 a_(n+1)) */
    double c2 = (1 - q) / (4 * (1 + q));
    for (int i = 0; i < 12 && fabs(a - b) > 1e-17 * a; i++) {
        double next = 0.5 * (a + b);
        b = sqrt(a * b);
        a = next;
        weight *= 2;
        sum += weight * c2;
        double half = 0.5 * (a - b); /* c of the next mean */
        c2 = m > 0 ? half * half / m : 0;
    }
    double K = pi / (2 * a);
    return (integrals){K, K * sum};
}

/* d log(B / A) / d log q */
static double slope_at(double q, integrals v)
{
    double m = (1 - q) * (1 + q), q2 = q * q;
    double dK = (v.K - v.D) / (2 * q2); /* by m */
    double dD = m > 1e-4 ? ((v.K - v.D) / q2 - v.D) / (2 * m) : 3 * pi / 32;
    return -2 * q2 * ((dK - dD) / (v.K - v.D) - dD / v.D) - 2;
}

double fnd_ellipse_stiffness(double first, double second, double *axis_ratio)
{
    double ratio = first / second, q = 1;
    integrals v = {pi / 2, pi / 4};
    if (ratio > 1) {
        q = fnd_power(ratio, -2.0 / 3);
        for (int i = 0; i < 20; i++) { /* by logarithms the relation is nearly straight */
            v = integrals_at(q);
            double found = (v.K - v.D) / (q * q * v.D), off = found / ratio - 1;
            if (fabs(off) < 4e-16) break;
            double next = q * fnd_power(found / ratio, -1 / slope_at(q, v));
            if (next > 1) next = 1;
            if (next == q) break;
            q = next;
        }
    }
    if (axis_ratio) *axis_ratio = q;
    return 2 * pi / 3 * sqrt(2 * v.D / second) / (v.K * sqrt(v.K));
}

/* ---- The spring k d^n with a damper that grows with its force */

fnd_power_spring fnd_hertz_spring(const fnd_hertz_bodies *p, const fender_contact_surface *surface)
{
    double first, second, modulus = fnd_hertz_modulus(p), k;
    if (p->radius > 0) return (fnd_power_spring){4.0 / 3 * modulus * sqrt(p->radius), 1.5};
    curvatures_of(p, surface, &first, &second);
    /* what differs by rounding alone is round */
    if (first - second <= 1e-14 * first) k = 4.0 / 3 * modulus * sqrt(1 / first);
    else k = modulus * fnd_ellipse_stiffness(first, second, NULL);
    return (fnd_power_spring){k, 1.5};
}

/* k d^n. The exponent 3/2 is Hertz's and common: a root in place of a power. */
static double elastic(const fnd_power_spring *p, double depth)
{
    if (!(depth > 0)) return 0;
    if (p->exponent == 1.5) return p->stiffness * depth * sqrt(depth);
    return p->stiffness * fnd_power(depth, p->exponent);
}

/* The damper grows with the force (Hunt and Crossley 1975), so that nothing jumps at touch. The sign of the force
 * without the clip is that of 1 + D d'. Clipped, the spring gives its energy to the damper. */
void fnd_power_spring_force(const fnd_power_spring *p, double dissipation, const fender_contact_input *in,
                            const void *memory, fender_contact_output *out)
{
    const fnd_power_spring_memory *m = memory;
    assert(m || !in->located);
    double spring = elastic(p, in->depth), factor = 1 + dissipation * in->depth_rate;
    double normal = fnd_clip_holds(in, m ? m->slack : 0, factor) ? 0 : spring * factor;
    out->force.z = normal;
    out->damping_power = (normal - spring) * in->depth_rate;
}

void fnd_power_spring_roots(double dissipation, const fender_contact_input *in, const void *memory, double *root)
{
    const fnd_power_spring_memory *m = memory;
    assert(m && root);
    root[0] = fnd_clip_root(m->slack, 1 + dissipation * in->depth_rate);
}

void fnd_power_spring_update(double dissipation, const fender_contact_input *in, void *memory)
{
    fnd_power_spring_memory *m = memory;
    assert(m);
    m->slack = in->located && 1 + dissipation * in->depth_rate < 0;
}

/* k d^(n+1) / (n + 1) */
double fnd_power_spring_energy(const fnd_power_spring *p, double depth)
{
    return depth > 0 ? elastic(p, depth) * depth / (p->exponent + 1) : 0;
}

void fnd_power_spring_stiffness(const fnd_power_spring *p, double dissipation, const fender_contact_input *in,
                                fender_law_stiffness *out)
{
    double spring = elastic(p, in->depth);
    out->normal_stiffness = in->depth > 0 ? p->exponent * spring / in->depth : p->exponent > 1 ? 0 : p->stiffness;
    out->normal_damping = dissipation * spring;
}

/* The first member of the parameters of `hunt_crossley` and `impact`, by the name `spring`. */
#define POWER_SPRING_FIELDS(type)                                                                    \
    FND_REAL_IN(type, "stiffness", spring.stiffness, "N/m^{exponent}", FND_REQUIRED, 0, INFINITY, 0, \
                "Spring constant k."),                                                               \
        FND_REAL_IN(type, "exponent", spring.exponent, "1", 0, 1, 10, 1.5,                           \
                    "Exponent n of the depth: 1.5 for round bodies (Hertz), 1 for a linear spring.")

static double power_spring_of_sink(const void *parameters, const fender_sizing_spec *spec)
{
    const fnd_power_spring *p = parameters;
    return spec->weight / fnd_power(spec->sink, p->exponent);
}

/* Hertz's constant is that of his exponent alone. */
static double power_spring_of_hertz(const void *parameters, const fender_sizing_spec *spec)
{
    const fnd_power_spring *p = parameters;
    return p->exponent == 1.5 ? fender_hertz_stiffness(spec->modulus, spec->radius) : NAN;
}

#define DERIVATIONS_OF_POWER_SPRING                                                                              \
    {"stiffness", "sink weight", "k = weight / sink^exponent", power_spring_of_sink},                            \
    {                                                                                                            \
        "stiffness", "modulus radius", "Hertz: k = 4/3 E* sqrt(R), with the exponent 1.5", power_spring_of_hertz \
    }

/* ---- The damping D, given or by the restitution that is wanted */

enum { FORMULA_EXACT, FORMULA_LANKARANI_NIKRAVESH, FORMULA_FLORES };
static const char *const formulas[] = {"exact", "lankarani_nikravesh", "flores", NULL};

/* A member of the parameters of `hertz` and `hunt_crossley`, by the name `loss`. */
typedef struct loss {
    double dissipation, restitution, least_speed;
    int formula;
} loss;

#define LOSS_FIELDS(type)                                                                                 \
    FND_REAL_IN(type, "dissipation", loss.dissipation, "s/m", 0, 0, INFINITY, 0,                          \
                "Damping D: the force grows by the factor 1 + D d'."),                                    \
        FND_REAL_IN(type, "restitution", loss.restitution, "1", FND_POSITIVE, 0, 1, 1,                    \
                    "Coefficient of restitution at every approach speed, instead of D."),                 \
        FND_CHOICE(type, "formula", loss.formula, 2, FORMULA_EXACT, formulas,                             \
                   "D from the restitution: exact, or as lankarani_nikravesh or flores approximate it."), \
        FND_REAL_IN(type, "least_speed", loss.least_speed, "m/s", FND_POSITIVE, 0, INFINITY, 1e-3,        \
                    "With a restitution: lower bound of the approach speed used for D.")

/* The clip of the spring, and D times the approach speed, which is found once for a contact. */
typedef struct lossy_memory {
    fnd_power_spring_memory spring; /* first: the functions of the spring see no more */
    double loss;
} lossy_memory;

/* D times the approach speed v. Exact: docs/models/sizing.md. Approximations, whose true restitution is in
 * docs/models/contact_laws.md: Lankarani and Nikravesh, J. Mech. Design 112 (1990) 369, for e near 1; Flores, Machado,
 * Silva and Martins, Multibody Syst. Dyn. 25 (2011) 357, down to small e. */
static double loss_at_unit_speed(const loss *p)
{
    double e = p->restitution;
    if (p->formula == FORMULA_LANKARANI_NIKRAVESH) return 0.75 * (1 - e * e);
    if (p->formula == FORMULA_FLORES) return 1.6 * (1 - e) / e;
    return fender_hunt_crossley_damping(e);
}

/* D; without memory the restitution has not been asked for. */
static double dissipation_of(const loss *p, const fender_contact_input *in, const lossy_memory *m)
{
    double unit = m ? m->loss : 0, approach_speed = in->approach_speed;
    if (unit == 0) return p->dissipation;
    return p->dissipation + unit / (approach_speed > p->least_speed ? approach_speed : p->least_speed);
}

/* Derivatives of a spring with such a damper. The approach speed says how D follows from a restitution. */
static void lossy_derivative(const fnd_power_spring *spring, const loss *p, const fender_contact_input *in,
                             const lossy_memory *m, fender_contact_derivative *by)
{
    const double dissipation = dissipation_of(p, in, m), factor = 1 + dissipation * in->depth_rate;
    if (!(in->depth > 0) || fnd_clip_holds(in, m ? m->spring.slack : 0, factor)) return;
    const double force = elastic(spring, in->depth), v = in->approach_speed;
    by[FENDER_LAW_BY_DEPTH].force.z = spring->exponent * force / in->depth * factor;
    by[FENDER_LAW_BY_DEPTH_RATE].force.z = force * dissipation;
    if (m && v > p->least_speed) by[FENDER_LAW_BY_APPROACH_SPEED].force.z = -force * in->depth_rate * m->loss / (v * v);
}

static fender_status loss_check(const loss *p, fender_error *error)
{
    if (p->dissipation == 0 || p->restitution == 1) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_VALUE, "restitution", "dissipation and restitution are both given", "both",
                    "one of the two", "leave one of them out");
}

/* c = D v of the restitution is found once; at other speeds this D gives another restitution. */
static double derive_dissipation(const void *parameters, const fender_sizing_spec *spec)
{
    (void)parameters;
    return fender_hunt_crossley_damping(spec->restitution) / spec->speed;
}

#define DERIVATION_OF_LOSS                                                                 \
    {                                                                                      \
        "dissipation", "restitution speed",                                                \
            "D = c / speed, c (1 + e) = ln((1 + c) / (1 - e c)): an impact of that speed " \
            "gives back e of it",                                                          \
            derive_dissipation                                                             \
    }

/* Where the damper of such a law is told from its memory: law_begin, law_roots and law_update. */
#define LOSSY_FUNCTIONS(law)                                                                                           \
    static void law##_begin(const void *parameters, const fender_contact_input *in, void *memory)                      \
    {                                                                                                                  \
        assert(memory);                                                                                                \
        (void)in;                                                                                                      \
        ((lossy_memory *)memory)->loss = loss_at_unit_speed(&((const law *)parameters)->loss);                         \
    }                                                                                                                  \
    static void law##_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)  \
    {                                                                                                                  \
        fnd_power_spring_roots(dissipation_of(&((const law *)parameters)->loss, in, memory), in, memory, root);        \
    }                                                                                                                  \
    static void law##_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out, \
                             void *memory, fender_contact_change *change)                                              \
    {                                                                                                                  \
        (void)out, (void)change;                                                                                       \
        fnd_power_spring_update(dissipation_of(&((const law *)parameters)->loss, in, memory), in, memory);             \
    }

/* ---- Law `hertz`: contact of smooth elastic bodies, from their moduli and the curvature of their surfaces
 *
 * N = 4/3 E* sqrt(R) d^1.5 (1 + D d') (Hertz 1882; Johnson 1985, chapter 4), elliptical where the curvature differs by
 * direction. */

typedef struct hertz {
    fnd_hertz_bodies bodies;
    loss loss;
} hertz;

static const fender_field hertz_fields[] = {
    FND_HERTZ_FIELDS(hertz),
    LOSS_FIELDS(hertz),
};

static fender_status hertz_check(const void *parameters, fender_error *error)
{
    const hertz *p = parameters;
    fender_status status = fnd_modulus_check(p->bodies.modulus, p->bodies.young, "E*", error);
    return status ? status : loss_check(&p->loss, error);
}

LOSSY_FUNCTIONS(hertz)

static void hertz_force(const void *parameters, const fender_contact_input *in, const void *memory,
                        fender_contact_output *out)
{
    const hertz *p = parameters;
    fnd_power_spring spring = fnd_hertz_spring(&p->bodies, in->surface);
    fnd_power_spring_force(&spring, dissipation_of(&p->loss, in, memory), in, memory, out);
}

/* Of the curvature as it is: shapes between which it changes are not for this. */
static void hertz_derivative(const void *parameters, const fender_contact_input *in, const void *memory,
                             fender_contact_derivative *by)
{
    const hertz *p = parameters;
    fnd_power_spring spring = fnd_hertz_spring(&p->bodies, in->surface);
    lossy_derivative(&spring, &p->loss, in, memory, by);
}

static double hertz_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const hertz *p = parameters;
    fnd_power_spring spring = fnd_hertz_spring(&p->bodies, in->surface);
    (void)memory;
    return fnd_power_spring_energy(&spring, in->depth);
}

static void hertz_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const hertz *p = parameters;
    fnd_power_spring spring = fnd_hertz_spring(&p->bodies, in->surface);
    fnd_power_spring_stiffness(&spring, dissipation_of(&p->loss, in, NULL), in, out);
}

static bool hertz_reads_surface(const void *parameters) { return !(((const hertz *)parameters)->bodies.radius > 0); }

static double hertz_exponent(const void *parameters)
{
    (void)parameters;
    return 1.5;
}

static const fender_derivation hertz_derivations[] = {FND_DERIVATIONS_OF_HERTZ, DERIVATION_OF_LOSS,
                                                      FND_END_OF_DERIVATIONS};

const fender_law fnd_law_hertz = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "hertz",
    .doc = "Hertz contact of smooth elastic bodies, N = 4/3 E* sqrt(R) d^1.5 (1 + D d'), from the moduli and the "
           "curvatures of both surfaces, also for elliptical contact.",
    .parameters = FENDER_FIELD_TABLE("hertz", hertz_fields, hertz),
    .memory_size = sizeof(lossy_memory),
    .check = hertz_check,
    .begin = hertz_begin,
    .force = hertz_force,
    .update = hertz_update,
    .root_count = 1,
    .roots = hertz_roots,
    .stored_energy = hertz_energy,
    .stiffness = hertz_stiffness,
    .derivations = hertz_derivations,
    .derivative = hertz_derivative,
    .exponent = hertz_exponent,
    .needs = FENDER_LAW_NEEDS_SURFACE,
    .reads_surface = hertz_reads_surface,
};

/* ---- Law `hunt_crossley`: spring k d^n with a damper that grows with it
 *
 * N = max(k d^n (1 + D d'), 0) (Hunt and Crossley 1975). */

typedef struct hunt_crossley {
    fnd_power_spring spring;
    loss loss;
} hunt_crossley;

static const fender_field hunt_crossley_fields[] = {
    POWER_SPRING_FIELDS(hunt_crossley),
    LOSS_FIELDS(hunt_crossley),
};

static fender_status hunt_crossley_check(const void *parameters, fender_error *error)
{
    const hunt_crossley *p = parameters;
    return loss_check(&p->loss, error);
}

LOSSY_FUNCTIONS(hunt_crossley)

static void hunt_crossley_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                fender_contact_output *out)
{
    const hunt_crossley *p = parameters;
    fnd_power_spring_force(&p->spring, dissipation_of(&p->loss, in, memory), in, memory, out);
}

static void hunt_crossley_derivative(const void *parameters, const fender_contact_input *in, const void *memory,
                                     fender_contact_derivative *by)
{
    const hunt_crossley *p = parameters;
    lossy_derivative(&p->spring, &p->loss, in, memory, by);
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
    fnd_power_spring_stiffness(&p->spring, dissipation_of(&p->loss, in, NULL), in, out);
}

static double hunt_crossley_exponent(const void *parameters)
{
    return ((const hunt_crossley *)parameters)->spring.exponent;
}

static const fender_derivation hunt_crossley_derivations[] = {DERIVATIONS_OF_POWER_SPRING, DERIVATION_OF_LOSS,
                                                              FND_END_OF_DERIVATIONS};

const fender_law fnd_law_hunt_crossley = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "hunt_crossley",
    .doc = "Spring k d^n with a damper that grows with it, N = max(k d^n (1 + D d'), 0): no force at touch, and an "
           "exact coefficient of restitution on request.",
    .parameters = FENDER_FIELD_TABLE("hunt_crossley", hunt_crossley_fields, hunt_crossley),
    .memory_size = sizeof(lossy_memory),
    .check = hunt_crossley_check,
    .begin = hunt_crossley_begin,
    .force = hunt_crossley_force,
    .update = hunt_crossley_update,
    .root_count = 1,
    .roots = hunt_crossley_roots,
    .stored_energy = hunt_crossley_energy,
    .stiffness = hunt_crossley_stiffness,
    .derivations = hunt_crossley_derivations,
    .derivative = hunt_crossley_derivative,
    .exponent = hunt_crossley_exponent,
};

/* ---- Law `impact`: spring k d^n with a damper that grows to its full value over a depth
 *
 * N = max(k d^n + s(d, w) c d', 0), s the cubic step: the IMPACT function of Adams. */

typedef struct impact {
    fnd_power_spring spring;
    double damping, full_depth;
} impact;

static const fender_field impact_fields[] = {
    POWER_SPRING_FIELDS(impact),
    FND_REAL(impact, damping, "N*s/m", 0, 0, "Damping constant c at full depth; no damping at touch."),
    FND_REAL(impact, full_depth, "m", FND_REQUIRED | FND_POSITIVE, 0, "Depth at which the damper has its full value."),
};

/* With located events: does the clip hold the force at zero, is the depth beyond the impact_ramp? */
typedef struct impact_memory {
    int slack, beyond;
} impact_memory;

/* Without the clip. */
static double impact_full(const impact *p, const fender_contact_input *in)
{
    return elastic(&p->spring, in->depth) + fnd_cubic_step(in->depth, p->full_depth) * p->damping * in->depth_rate;
}

static void impact_force(const void *parameters, const fender_contact_input *in, const void *memory,
                         fender_contact_output *out)
{
    const impact *p = parameters;
    const impact_memory *m = memory;
    assert(m || !in->located);
    double full = impact_full(p, in), normal = fnd_clip_holds(in, m ? m->slack : 0, full) ? 0 : full;
    out->force.z = normal;
    out->damping_power = (normal - elastic(&p->spring, in->depth)) * in->depth_rate;
}

static void impact_derivative(const void *parameters, const fender_contact_input *in, const void *memory,
                              fender_contact_derivative *by)
{
    const impact *p = parameters;
    const impact_memory *m = memory;
    if (!(in->depth > 0) || fnd_clip_holds(in, m ? m->slack : 0, impact_full(p, in))) return;
    by[FENDER_LAW_BY_DEPTH].force.z = p->spring.exponent * elastic(&p->spring, in->depth) / in->depth +
                                      fnd_cubic_step_slope(in->depth, p->full_depth) * p->damping * in->depth_rate;
    by[FENDER_LAW_BY_DEPTH_RATE].force.z = fnd_cubic_step(in->depth, p->full_depth) * p->damping;
}

/* At depth 0 nothing acts, and nothing changes sign: the sign there is that of what comes next, by k and c at a depth
 * too small to matter. */
static double impact_sign(const impact *p, const fender_contact_input *in)
{
    return in->depth > 0 ? impact_full(p, in) : 1;
}

/* The clip, and the end of the ramp: there the second derivative of the force jumps. */
static void impact_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const impact *p = parameters;
    const impact_memory *m = memory;
    double force = impact_sign(p, in), left = p->full_depth - in->depth;
    root[0] = fnd_clip_root(m->slack, force);
    root[1] = m->beyond ? -left : left;
}

static void impact_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                          void *memory, fender_contact_change *change)
{
    (void)out, (void)change;
    const impact *p = parameters;
    impact_memory *m = memory;
    m->slack = in->located && impact_sign(p, in) < 0;
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
    out->normal_damping = fnd_cubic_step(in->depth, p->full_depth) * p->damping;
}

FND_DERIVE_BY_REBOUND(impact, damping)

static double impact_exponent(const void *parameters) { return ((const impact *)parameters)->spring.exponent; }

static const fender_derivation impact_derivations[] = {
    DERIVATIONS_OF_POWER_SPRING, FND_DERIVATION_BY_REBOUND(impact, damping), FND_END_OF_DERIVATIONS};

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
    .derivative = impact_derivative,
    .exponent = impact_exponent,
};
