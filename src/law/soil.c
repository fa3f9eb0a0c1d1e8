/* Law `soil`: pressure-sinkage of loose ground (Bekker), with elastic unloading. */
#include "base/error.h"
#include "law/crush.h"
#include "law/derive.h"
#include "law/pad.h"
#include "law/rebound.h"
#include "math/elementary.h"

typedef fender_soil_parameters soil;

#define SOIL(member, unit, doc, flags, initial)                                                          \
    {                                                                                                    \
#member, unit, doc, FENDER_FIELD_REAL, offsetof(soil, member), flags, 0, INFINITY, initial, NULL \
    }
static const fender_field soil_fields[] = {
    SOIL(cohesive_modulus, "N/m/m^{exponent}", "Bekker's k_c: part of the pressure that falls with the width.", 0, 0),
    SOIL(frictional_modulus, "N/m^2/m^{exponent}", "Bekker's k_phi.", 0, 0),
    {"exponent", "1", "Exponent n of the sinkage.", FENDER_FIELD_REAL, offsetof(soil, exponent),
     FENDER_FIELD_ABOVE_MINIMUM, 0, 4, 1, NULL},
    SOIL(width, "m", "Smaller side b of the pad, with cohesive_modulus.", 0, 0),
    SOIL(area, "m^2", "Area of the pad; 0: of the patch by which the shapes touch, or of a round shape's cut.", 0, 0),
    SOIL(unloading, "N/m^3", "Pressure over sinkage of unloading and loading again; at least that of the curve.",
         FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0),
    SOIL(dissipation, "s/m", "Damping D: the force grows by the factor 1 + D d'.", 0, 0),
    SOIL(remember, "m", "Separation up to which the contact lasts, and with it the rut.", 0, 0),
};

/* Pressure over sinkage^n. */
static double modulus_of(const soil *p)
{
    return p->frictional_modulus + (p->cohesive_modulus > 0 ? p->cohesive_modulus / p->width : 0);
}

/* A pad: F = A k z^n. A round shape cuts 2 pi R z out of the ground, each part of which has sunk by its own depth:
 * F = 2 pi R k z^(n+1) / (n+1). Unloading is as steep as the curve at least, max(n, 1) F / z, so that nothing is
 * gained. */
static fnd_virgin curve(const void *parameters, const fender_contact_input *in, double depth, int piece)
{
    const soil *p = parameters;
    (void)piece;
    double area = fnd_pad_area(p->area, in), n = p->exponent, factor = modulus_of(p) * area, rate = 0;
    if (area == 0) { /* none of a flat shape that touches at a point: then the force is not a number, and refused */
        const double pi = 3.14159265358979324;
        n += 1;
        rate = 2 * pi * (in->surface && isfinite(in->surface->radius) ? in->surface->radius : NAN);
        factor = modulus_of(p) * rate / n;
        area = rate * depth;
    }
    double force = factor * fnd_power(depth, n), slope = depth > 0 ? n * force / depth : 0;
    double steep = n > 1 ? slope : slope / n, line = p->unloading * area;
    fnd_virgin v = {force, slope, line, p->unloading * rate, INFINITY, 0};
    if (!(steep > line)) return v;
    v.unloading = steep;
    v.unloading_rate = (n - 1) * steep / depth;
    return v;
}

static fender_status soil_check(const void *parameters, fender_error *error)
{
    const soil *p = parameters;
    if (p->cohesive_modulus > 0 && !(p->width > 0))
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "width", "cohesive_modulus needs the width of the pad",
                                           "0 m", "the smaller side of the pad", "give width, or no cohesive_modulus"});
    if (p->cohesive_modulus > 0 || p->frictional_modulus > 0) return FENDER_STATUS_OK;
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "frictional_modulus", "the ground has no modulus", "0",
                                       "frictional_modulus, cohesive_modulus or both", "give one of them"});
}

static void soil_reach(const void *parameters, double *onset_gap, double *release_gap)
{
    const soil *p = parameters;
    *onset_gap = 0;
    *release_gap = p->remember;
}

static void soil_force(const void *parameters, const fender_contact_input *in, const void *memory,
                       fender_contact_output *out)
{
    const soil *p = parameters;
    fnd_crush_force(curve, p, p->dissipation, in, memory, out);
}

static void soil_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const soil *p = parameters;
    fnd_crush_roots(curve, p, p->dissipation, in, memory, root);
}

static void soil_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                        void *memory, fender_contact_change *change)
{
    const soil *p = parameters;
    (void)out, (void)change;
    fnd_crush_update(curve, p, p->dissipation, in, memory);
}

static double soil_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    return fnd_crush_energy(curve, parameters, in, memory);
}

static void soil_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const soil *p = parameters;
    fnd_crush_stiffness(curve, p, p->dissipation, in, out);
}

static double modulus_of_sink(const void *parameters, const fender_intent *intent)
{
    const soil *p = parameters;
    if (!(p->area > 0)) return NAN;
    double cohesive = p->cohesive_modulus > 0 ? p->cohesive_modulus / p->width : 0;
    double wanted = intent->weight / (p->area * fnd_power(intent->sink, p->exponent)) - cohesive;
    return wanted > 0 ? wanted : NAN;
}

FND_DERIVE_BY_REBOUND(fnd_law_soil, dissipation)

static const fender_derivation soil_derivations[] = {
    {"frictional_modulus", "sink weight", "k_phi = weight / (area sink^exponent) - k_c / width", modulus_of_sink},
    FND_DERIVATION_BY_REBOUND(dissipation),
    {NULL, NULL, NULL, NULL}};

const fender_law fnd_law_soil = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "soil",
    .doc = "Loose ground: pressure (k_c / b + k_phi) z^n over the sinkage z (Bekker), elastic unloading, a rut that "
           "stays.",
    .parameters = FENDER_FIELD_TABLE("soil", soil_fields, soil),
    .memory_size = sizeof(fnd_crush_memory),
    .check = soil_check,
    .reach = soil_reach,
    .force = soil_force,
    .update = soil_update,
    .root_count = FND_CRUSH_ROOTS,
    .roots = soil_roots,
    .stored_energy = soil_energy,
    .stiffness = soil_stiffness,
    .derivations = soil_derivations,
    .needs = FENDER_LAW_NEEDS_SURFACE,
};
