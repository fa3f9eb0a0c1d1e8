/* Laws with permanent deformation: elastic_plastic, soil, and janosi, the shear of the ground under a pad. */
#include <assert.h>
#include <math.h>

#include "base/error.h"
#include "law/derive.h"
#include "law/laws.h"
#include "law/parts.h"
#include "math/elementary.h"

/* ---- Dents: loading along a virgin curve, unloading along a straight line
 *
 * Stored is what the line would give back, F^2 / (2 s); the rest of the work on the virgin curve is lost as it is done
 * (for a constant slope: Walton and Braun 1986). */

/* The virgin curve at a depth z > 0, and the line by which the contact unloads from there. Nothing is gained on the way
 * there and back if F >= F F' / s - F^2 s' / (2 s^2). */
typedef struct virgin {
    double force, slope;              /* N, N/m: F(z), F'(z) */
    double unloading, unloading_rate; /* N/m, N/m^2: s(z), s'(z) */
    double knee;                      /* m; depth at which this piece of the curve ends; INFINITY: none */
    int piece;
} virgin;

/* `piece` -1: that of the depth; else this one, continued beyond its ends. */
typedef virgin virgin_curve(const void *parameters, const fender_contact_input *in, double depth, int piece);

typedef struct dent_memory {
    double deepest;                    /* m; that the contact has come to */
    int unloading, slack, idle, piece; /* with located events: modes of the line, its end, the damper, the curve */
} dent_memory;

enum { DENT_ROOTS = 4 };

typedef struct dent {
    double force, stored; /* N, J; of the spring alone */
    double lost;          /* N; lost power over depth rate */
} dent;

static double line_of(const virgin *v, double deepest, double depth)
{
    return v->force - v->unloading * (deepest - depth);
}

static dent dent_at(virgin_curve *curve, const void *parameters, const fender_contact_input *in, const dent_memory *m)
{
    const double z = in->depth, deepest = m ? m->deepest : 0;
    const bool held = in->located && m, unloading = held ? m->unloading != 0 : z < deepest;
    assert(curve && parameters);
    if (unloading) {
        virgin v = curve(parameters, in, deepest, -1);
        double line = deepest > 0 ? line_of(&v, deepest, z) : 0;
        double force = (held ? m->slack != 0 : line < 0) ? 0 : line;
        return (dent){force, force != 0 ? 0.5 * force * force / v.unloading : 0, 0};
    }
    if (!(z > 0)) return (dent){0, 0, 0};
    virgin v = curve(parameters, in, z, held ? m->piece : -1);
    double part = v.force / v.unloading; /* m; that comes back */
    double lost = v.force - part * (v.slope - 0.5 * part * v.unloading_rate);
    if (!held && in->depth_rate < 0) lost = 0; /* it turned within this step */
    return (dent){v.force, 0.5 * v.force * part, lost};
}

/* N = F (1 + D d'), never below 0; memory NULL: untouched. */
static void dent_force(virgin_curve *curve, const void *parameters, double dissipation, const fender_contact_input *in,
                       const dent_memory *m, fender_contact_output *out)
{
    dent s = dent_at(curve, parameters, in, m);
    double factor = 1 + dissipation * in->depth_rate;
    double normal = (in->located && m ? m->idle != 0 : factor < 0) ? 0 : s.force * factor;
    out->force.z = normal;
    out->damping_power = (s.lost + (normal - s.force)) * in->depth_rate;
}

/* Roots: the turn from loading to unloading and back; the end of the unloading line; the clip of the damper; the knee
 * at which the virgin curve goes on with another slope. Each is a kink of the force. */
static void dent_roots(virgin_curve *curve, const void *parameters, double dissipation, const fender_contact_input *in,
                       const dent_memory *m, double *root)
{
    double factor = 1 + dissipation * in->depth_rate;
    assert(m && root);
    root[0] = in->depth_rate;
    root[1] = root[3] = 1;
    root[2] = fnd_clip_root(m->idle, factor);
    if (m->unloading) {
        virgin v = curve(parameters, in, m->deepest, -1);
        double line = line_of(&v, m->deepest, in->depth);
        root[0] = m->deepest - in->depth;
        root[1] = fnd_clip_root(m->slack, line);
    } else {
        double left = curve(parameters, in, m->deepest, m->piece).knee - in->depth;
        if (isfinite(left)) root[3] = left;
    }
}

/* Without located events, only the largest depth distinguishes loading from unloading. With located events, the mode
 * changes with the sign of the depth rate, so that a step uses one line. */
static void dent_update(virgin_curve *curve, const void *parameters, double dissipation, const fender_contact_input *in,
                        dent_memory *m)
{
    const double z = in->depth, before = m->deepest;
    (void)before; /* for assertions alone */
    if (!in->located) {
        if (z > m->deepest) m->deepest = z;
        m->unloading = m->slack = m->idle = 0;
        return;
    }
    if (m->unloading) {
        if (!(z < m->deepest) && in->depth_rate > 0) m->unloading = 0;
    } else {
        if (z > m->deepest) m->deepest = z;
        if (!(in->depth_rate > 0) && m->deepest > 0) m->unloading = 1;
    }
    virgin v = curve(parameters, in, m->deepest, -1);
    m->piece = v.piece;
    m->slack = m->unloading && line_of(&v, m->deepest, z) < 0;
    m->idle = 1 + dissipation * in->depth_rate < 0;
    assert(fnd_not_below(m->deepest, before)); /* a dent does not heal */
    assert(m->unloading || !m->slack);
}

/* The larger slope of curve and line, because a step may contain both. */
static void dent_stiffness(virgin_curve *curve, const void *parameters, double dissipation,
                           const fender_contact_input *in, fender_law_stiffness *out)
{
    if (!(in->depth > 0)) return;
    virgin v = curve(parameters, in, in->depth, -1);
    out->normal_stiffness = v.unloading > v.slope ? v.unloading : v.slope;
    out->normal_damping = dissipation * v.force;
}

/* The functions of a law with such a curve that have nothing of their own. Its parameters have a `dissipation`, its
 * memory begins with a dent_memory. */
#define DENT_FUNCTIONS(law, curve)                                                                                    \
    static void law##_force(const void *parameters, const fender_contact_input *in, const void *memory,               \
                            fender_contact_output *out)                                                               \
    {                                                                                                                 \
        dent_force(curve, parameters, ((const law *)parameters)->dissipation, in, memory, out);                       \
    }                                                                                                                 \
    static void law##_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root) \
    {                                                                                                                 \
        dent_roots(curve, parameters, ((const law *)parameters)->dissipation, in, memory, root);                      \
    }                                                                                                                 \
    static double law##_energy(const void *parameters, const fender_contact_input *in, const void *memory)            \
    {                                                                                                                 \
        return dent_at(curve, parameters, in, memory).stored;                                                         \
    }                                                                                                                 \
    static void law##_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)    \
    {                                                                                                                 \
        dent_stiffness(curve, parameters, ((const law *)parameters)->dissipation, in, out);                           \
    }

/* ---- Law `elastic_plastic`: an elastic contact that is crushed at a plateau and keeps the dent, for honeycomb and
 * legs
 *
 * Without a crush force the model of Walton and Braun (1986): restitution sqrt(hardening / stiffness) at any speed. */

typedef fender_elastic_plastic_parameters elastic_plastic;

static const fender_field elastic_plastic_fields[] = {
    FND_REAL(elastic_plastic, stiffness, "N/m", FND_REQUIRED | FND_POSITIVE, 0,
             "Elastic stiffness k below the crush force and during unloading."),
    FND_REAL(elastic_plastic, crush_force, "N", 0, 0,
             "Force at which crushing begins; 0 with hardening: it dents from the start (Walton and Braun)."),
    FND_REAL(elastic_plastic, hardening, "N/m", 0, 0,
             "Slope of the force over the depth during crushing, less than the stiffness; 0: a plateau."),
    FND_REAL(elastic_plastic, stroke, "m", FND_POSITIVE | FENDER_FIELD_NONE_ALLOWED, INFINITY,
             "Maximum dent, beyond which the contact is elastic again."),
    FND_REAL(elastic_plastic, dissipation, "s/m", 0, 0,
             "Damping D of the elastic part: the force grows by the factor 1 + D d'."),
    FND_REAL(elastic_plastic, remember, "m", 0, 0, "Separation up to which the contact and its dent persist."),
};

enum { STROKE_USED_UP = 1 }; /* event of the law */

typedef struct elastic_plastic_memory {
    dent_memory crush;
    int told;
} elastic_plastic_memory;

/* Three pieces: k z; crush_force + h (z - z_y), z_y = crush_force / k; and k (z - stroke) once the dent is the stroke,
 * z - F / k = stroke. */
static virgin elastic_plastic_curve(const void *parameters, const fender_contact_input *in, double depth, int piece)
{
    const elastic_plastic *p = parameters;
    (void)in;
    double k = p->stiffness, yield = p->crush_force / k, bottom = yield + p->stroke / (1 - p->hardening / k);
    if (piece < 0) piece = depth < yield ? 0 : depth < bottom ? 1 : 2;
    assert(piece >= 0);
    if (piece == 0) return (virgin){k * depth, k, k, 0, yield, 0};
    if (piece == 1) return (virgin){p->crush_force + p->hardening * (depth - yield), p->hardening, k, 0, bottom, 1};
    return (virgin){k * (depth - p->stroke), k, k, 0, INFINITY, 2};
}

static fender_status elastic_plastic_check(const void *parameters, fender_error *error)
{
    const elastic_plastic *p = parameters;
    if (!(p->hardening < p->stiffness))
        return fnd_fail(error, FENDER_STATUS_VALUE, "hardening", "hardening is not below the stiffness", "",
                        "a slope below that of unloading", "a larger stiffness");
    if (p->crush_force > 0 || p->hardening > 0) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_VALUE, "crush_force", "neither crush_force nor hardening is given", "",
                    "a force to crush it by", "give crush_force, or hardening below stiffness");
}

static void elastic_plastic_activation_distance(const void *parameters, double *onset_gap, double *release_gap)
{
    const elastic_plastic *p = parameters;
    *onset_gap = 0;
    *release_gap = p->remember;
}

DENT_FUNCTIONS(elastic_plastic, elastic_plastic_curve)

static void elastic_plastic_update(const void *parameters, const fender_contact_input *in,
                                   const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    const elastic_plastic *p = parameters;
    elastic_plastic_memory *m = memory;
    (void)out;
    dent_update(elastic_plastic_curve, p, p->dissipation, in, &m->crush);
    if (!m->told && m->crush.deepest > 0 && elastic_plastic_curve(p, in, m->crush.deepest, -1).piece == 2) {
        m->told = 1;
        change->event = STROKE_USED_UP;
    }
}

static double force_of_stroke(const void *parameters, const fender_sizing_spec *spec)
{
    (void)parameters;
    return 0.5 * spec->mass * spec->speed * spec->speed / spec->sink;
}

static double stiffness_of_restitution(const void *parameters, const fender_sizing_spec *spec)
{
    const elastic_plastic *p = parameters; /* k d^2 / 2 in, of it hardening / k back */
    return p->crush_force == 0 ? p->hardening / (spec->restitution * spec->restitution) : NAN;
}

FND_DERIVE_BY_REBOUND(elastic_plastic, dissipation)

static const fender_derivation elastic_plastic_derivations[] = {
    {"stiffness", "restitution", "Walton and Braun, without crush_force: k = hardening / restitution^2",
     stiffness_of_restitution},
    {"stiffness", "sink weight", "k = weight / sink", fnd_derive_sink},
    {"crush_force", "sink mass speed", "absorbs m v^2 / 2 over the sink", force_of_stroke},
    FND_DERIVATION_BY_REBOUND(elastic_plastic, dissipation),
    FND_END_OF_DERIVATIONS};

const fender_law fnd_law_elastic_plastic = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "elastic_plastic",
    .doc = "Elastic contact that yields at a plateau force over a stroke, keeps the dent, and unloads elastically "
           "(honeycomb; Walton and Braun).",
    .parameters = FENDER_FIELD_TABLE("elastic_plastic", elastic_plastic_fields, elastic_plastic),
    .memory_size = sizeof(elastic_plastic_memory),
    .check = elastic_plastic_check,
    .activation_distance = elastic_plastic_activation_distance,
    .force = elastic_plastic_force,
    .update = elastic_plastic_update,
    .root_count = DENT_ROOTS,
    .roots = elastic_plastic_roots,
    .stored_energy = elastic_plastic_energy,
    .stiffness = elastic_plastic_stiffness,
    .derivations = elastic_plastic_derivations,
};

/* m^2 of the whole face, 0: not known. The engine takes of the force the share that a point of a patch has of it. */
static double pad_area(double given, const fender_contact_input *in)
{
    if (given > 0) return given;
    return in->area > 0 && in->weight > 0 ? in->area / in->weight : 0;
}

/* ---- Law `soil`: pressure over sinkage of loose ground, with elastic unloading
 *
 * p = (k_c / b + k_phi) z^n (Bekker 1969), unloading and loading again along a straight line. */

typedef fender_soil_parameters soil;

static const fender_field soil_fields[] = {
    FND_REAL(soil, cohesive_modulus, "N/m/m^{exponent}", 0, 0,
             "Bekker's k_c: the part of the pressure that is inversely proportional to the width."),
    FND_REAL(soil, frictional_modulus, "N/m^2/m^{exponent}", 0, 0, "Bekker's k_phi."),
    FND_REAL_IN(soil, "exponent", exponent, "1", FND_POSITIVE, 0, 4, 1, "Exponent n of the sinkage."),
    FND_REAL(soil, width, "m", 0, 0, "Smaller side b of the pad, with cohesive_modulus."),
    FND_REAL(soil, area, "m^2", 0, 0,
             "Area of the pad; 0: that of the contact patch, or of the section of a round shape."),
    FND_REAL(soil, unloading, "N/m^3", FND_REQUIRED | FND_POSITIVE, 0,
             "Slope of the pressure over the sinkage during unloading and reloading; at least that of the curve."),
    FND_REAL(soil, dissipation, "s/m", 0, 0, "Damping D: the force grows by the factor 1 + D d'."),
    FND_REAL(soil, remember, "m", 0, 0, "Separation up to which the contact and its rut persist."),
};

/* k_c / b + k_phi: Bekker's pressure over z^n. */
static double modulus_of(const soil *p)
{
    return p->frictional_modulus + (p->cohesive_modulus > 0 ? p->cohesive_modulus / p->width : 0);
}

/* Largest sine of the elevation of a wheel's axis; a pad that tilts more is on its rim, which is also round one way. */
#define LEVEL 0.05

/* The side of a wheel: round one way, straight the other, and its axis level. Its area is that of a strip at the depth
 * at hand, and grows with the square root of it. */
static bool is_side(const soil *p, const fender_contact_input *in)
{
    const fender_contact_surface *s = in->surface;
    if (p->area > 0 || !s || !(in->depth > 0)) return false;
    const fender_mat3 *R = s->a.first > s->b.first ? &s->R_CA : &s->R_CB;
    const bool level = fabs(R->m[2][2]) < LEVEL, straight = fabs(s->relative.second) < 1e-6 * s->relative.first;
    return s->relative.first > 0 && straight && level;
}

/* A pad: F = A k z^n. A side: the same with the strip A at z. A round shape cuts 2 pi R z out of the ground, each part
 * of which has sunk by its own depth: F = 2 pi R k z^(n+1) / (n+1). Unloading is as steep as the curve at least, max(n,
 * 1) F / z, so that nothing is gained. */
static virgin soil_curve(const void *parameters, const fender_contact_input *in, double depth, int piece)
{
    const soil *p = parameters;
    (void)piece;
    double area = pad_area(p->area, in), n = p->exponent, factor = modulus_of(p) * area, rate = 0;
    if (area == 0) { /* none of a flat shape that touches at a point: then the force is not a number, and refused */
        const double pi = 3.14159265358979324;
        n += 1;
        rate = 2 * pi * (in->surface && isfinite(in->surface->radius) ? in->surface->radius : NAN);
        factor = modulus_of(p) * rate / n;
        area = rate * depth;
    } else if (is_side(p, in)) {
        area *= sqrt(depth / in->depth);
        factor /= sqrt(in->depth);
        n += 0.5;
        rate = depth > 0 ? 0.5 * area / depth : 0;
    }
    double force = factor * fnd_power(depth, n), slope = depth > 0 ? n * force / depth : 0;
    double steep = n > 1 ? slope : slope / n, line = p->unloading * area;
    virgin v = {force, slope, line, p->unloading * rate, INFINITY, 0};
    if (!(steep > line)) return v;
    v.unloading = steep;
    v.unloading_rate = (n - 1) * steep / depth;
    return v;
}

static fender_status soil_check(const void *parameters, fender_error *error)
{
    const soil *p = parameters;
    if (p->cohesive_modulus > 0 && !(p->width > 0))
        return fnd_fail(error, FENDER_STATUS_VALUE, "width", "cohesive_modulus needs the width of the pad", "0 m",
                        "the smaller side of the pad", "give width, or no cohesive_modulus");
    if (p->cohesive_modulus > 0 || p->frictional_modulus > 0) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_VALUE, "frictional_modulus", "the ground has no modulus", "0",
                    "frictional_modulus, cohesive_modulus or both", "give one of them");
}

/* For the radius of round shapes, which has no part where an area is given. */
static bool soil_reads_surface(const void *parameters) { return !(((const soil *)parameters)->area > 0); }

static void soil_activation_distance(const void *parameters, double *onset_gap, double *release_gap)
{
    const soil *p = parameters;
    *onset_gap = 0;
    *release_gap = p->remember;
}

DENT_FUNCTIONS(soil, soil_curve)

static void soil_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                        void *memory, fender_contact_change *change)
{
    const soil *p = parameters;
    (void)out, (void)change;
    dent_update(soil_curve, p, p->dissipation, in, memory);
}

static double modulus_of_sink(const void *parameters, const fender_sizing_spec *spec)
{
    const soil *p = parameters;
    if (!(p->area > 0)) return NAN;
    double cohesive = p->cohesive_modulus > 0 ? p->cohesive_modulus / p->width : 0;
    double wanted = spec->weight / (p->area * fnd_power(spec->sink, p->exponent)) - cohesive;
    return wanted > 0 ? wanted : NAN;
}

FND_DERIVE_BY_REBOUND(soil, dissipation)

static const fender_derivation soil_derivations[] = {
    {"frictional_modulus", "sink weight", "k_phi = weight / (area sink^exponent) - k_c / width", modulus_of_sink},
    FND_DERIVATION_BY_REBOUND(soil, dissipation),
    FND_END_OF_DERIVATIONS};

const fender_law fnd_law_soil = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "soil",
    .doc =
        "Loose ground: pressure (k_c / b + k_phi) z^n over the sinkage z (Bekker), elastic unloading, permanent rut.",
    .parameters = FENDER_FIELD_TABLE("soil", soil_fields, soil),
    .memory_size = sizeof(dent_memory),
    .check = soil_check,
    .activation_distance = soil_activation_distance,
    .force = soil_force,
    .update = soil_update,
    .root_count = DENT_ROOTS,
    .roots = soil_roots,
    .stored_energy = soil_energy,
    .stiffness = soil_stiffness,
    .derivations = soil_derivations,
    .needs = FENDER_LAW_NEEDS_SURFACE,
    .reads_surface = soil_reads_surface,
};

/* ---- Law `janosi`: shear of loose ground under a pad or foot, for the friction slot beside `soil`
 *
 * The shear strength F = N tan(phi) + c A is mobilised over the shear displacement j as 1 - exp(-j / K) (Janosi and
 * Hanamoto 1961). As a function of j that would be wrong for anything but one straight pull; the same curve is that of
 * the state z, f = F z / K, z' = v - |v| z / K, which turns with the slip and loses what shearing costs. */
typedef fender_janosi_parameters janosi;

static const fender_field janosi_fields[] = {
    FND_REAL(janosi, cohesion, "Pa", 0, 0, "Cohesion c of the ground."),
    FND_REAL_IN(janosi, "friction_angle", friction_angle, "rad", FND_REQUIRED, 0, 1.5, 0,
                "Angle of internal friction phi."),
    FND_REAL(janosi, shear_displacement, "m", FND_REQUIRED | FND_POSITIVE, 0,
             "K: shear displacement at which 0.632 of the strength is mobilised."),
    FND_REAL(janosi, area, "m^2", 0, 0, "Area for the cohesion; 0: that of the patch, or of a round section."),
};

/* A spring whose stiffness changes while it is stretched would make energy, or let it vanish. So the strength at the
 * last accepted state is that of the store within a step: as the load rises it acts, too, and then the stretch is taken
 * down with it, so that the force goes on; as the load falls the smaller strength acts, slip bends the stretch by the
 * lever that force has on the store, and what the store gives up is lost at the step's end. */
typedef struct janosi_memory {
    double strength; /* N */
} janosi_memory;

/* Of a round shape, what it cuts out of the ground, as soil has it. */
static double sheared_area(const janosi *p, const fender_contact_input *in)
{
    const double area = pad_area(p->area, in), pi = 3.14159265358979324;
    if (area > 0 || !in->surface || !isfinite(in->surface->radius) || !(in->depth > 0)) return area;
    return 2 * pi * in->surface->radius * in->depth;
}

static double strength_of(const janosi *p, const fender_contact_input *in)
{
    double sine, cosine;
    if (!(in->normal_force > 0)) return 0;
    fnd_sin_cos(p->friction_angle, &sine, &cosine);
    const double cohesive = p->cohesion > 0 ? p->cohesion * sheared_area(p, in) : 0;
    return in->normal_force * (sine / cosine) + cohesive;
}

/* For the radius of round shapes, which has no part without cohesion, or where an area is given. */
static bool janosi_reads_surface(const void *parameters)
{
    const janosi *p = parameters;
    return p->cohesion > 0 && !(p->area > 0);
}

/* The part of the stretch that acts. |z| stays below K, but a step that is long for the decay of z at that slip,
 * |v| / K, overshoots it: then the force is that of z = K, and the step's end brings z back to it. */
static double held(const janosi *p, const double *states)
{
    const double square = states[0] * states[0] + states[1] * states[1], K = p->shear_displacement;
    return square > K * K ? K / sqrt(square) : 1;
}

/* Of the force. */
static double acting(const janosi *p, const fender_contact_input *in, const janosi_memory *m)
{
    double now = strength_of(p, in);
    return m->strength < now ? m->strength : now;
}

static void janosi_force(const void *parameters, const fender_contact_input *in, const void *memory,
                         fender_contact_output *out)
{
    const janosi *p = parameters;
    const janosi_memory *m = memory;
    double K = p->shear_displacement, x = in->states[0] / K, y = in->states[1] / K;
    double F = held(p, in->states) * acting(p, in, m);
    out->force.x = -F * x;
    out->force.y = -F * y;
    double speed = sqrt(in->slip.x * in->slip.x + in->slip.y * in->slip.y);
    out->friction_power = m->strength * speed * (x * x + y * y);
}

static void janosi_rates(const void *parameters, const fender_contact_input *in, const void *memory, double *rates)
{
    const janosi *p = parameters;
    const janosi_memory *m = memory;
    double part = sqrt(in->slip.x * in->slip.x + in->slip.y * in->slip.y) / p->shear_displacement;
    double lever = held(p, in->states) * (m->strength > 0 ? acting(p, in, m) / m->strength : 1);
    rates[0] = lever * in->slip.x - part * in->states[0];
    rates[1] = lever * in->slip.y - part * in->states[1];
}

/* The stretch goes down with an increasing strength so that the force goes on; a falling one is lost from the store. */
static void janosi_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                          void *memory, fender_contact_change *change)
{
    janosi_memory *m = memory;
    (void)out;
    double now = strength_of(parameters, in), part = held(parameters, change->states);
    if (now > m->strength) part *= m->strength / now;
    if (part < 1) {
        change->states[0] *= part;
        change->states[1] *= part;
    }
    m->strength = now;
}

/* By the strength at the last accepted state, of which the store is. */
static double janosi_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const janosi *p = parameters;
    const double x = in->states[0], y = in->states[1];
    return 0.5 * ((const janosi_memory *)memory)->strength / p->shear_displacement * (x * x + y * y);
}

static fender_vec2 janosi_stretch(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)parameters, (void)memory;
    return (fender_vec2){-in->states[0], -in->states[1]};
}

static void janosi_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const janosi *p = parameters;
    out->tangential_stiffness = strength_of(p, in) / p->shear_displacement;
}

const fender_law fnd_law_janosi = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "janosi",
    .doc =
        "Shear of loose ground: strength N tan(phi) + c A, mobilised as 1 - exp(-j / K) over the shear j (Janosi and "
        "Hanamoto).",
    .parameters = FENDER_FIELD_TABLE("janosi", janosi_fields, janosi),
    .memory_size = sizeof(janosi_memory),
    .force = janosi_force,
    .update = janosi_update,
    .stored_energy = janosi_energy,
    .stiffness = janosi_stiffness,
    .state_count = 2,
    .state_rates = janosi_rates,
    .stretch = janosi_stretch,
    .needs = FENDER_LAW_NEEDS_SURFACE,
    .reads_surface = janosi_reads_surface,
};
