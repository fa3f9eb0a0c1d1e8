/* Law `anisotropic`: sliding friction with two coefficients, along and across a direction that is fixed to a body. */
#include "law/laws.h"

typedef fender_anisotropic_parameters anisotropic;

typedef enum fixed_to { FIXED_TO_A, FIXED_TO_B } fixed_to;
static const char *const bodies[] = {"a", "b", NULL};

static const fender_field anisotropic_fields[] = {
    {"mu_along", "1", "Coefficient of friction against slip along the direction.", FENDER_FIELD_REAL,
     offsetof(anisotropic, mu_along), FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"mu_across", "1", "Coefficient of friction against slip across it.", FENDER_FIELD_REAL,
     offsetof(anisotropic, mu_across), FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"along", "1", "The direction, in the axes of the shape; its length does not matter.", FENDER_FIELD_VEC3,
     offsetof(anisotropic, along), FENDER_FIELD_REQUIRED, -INFINITY, INFINITY, 0, NULL},
    {"fixed_to", "1", "Whose shape: a, which was created first, or b.", FENDER_FIELD_ENUM,
     offsetof(anisotropic, fixed_to), 0, 0, 1, FIXED_TO_A, bodies},
    {"slip_speed", "m/s", "Slip at which friction has 0.707 of its limit; below it friction falls linearly to zero.",
     FENDER_FIELD_REAL, offsetof(anisotropic, slip_speed), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-3, NULL},
};

/* Unit, in the tangent plane. Where the direction is the normal there is none: then x of C, for which the shape of the
 * ellipse does not matter as long as nothing slides there. */
static fender_vec2 direction_of(const anisotropic *p, const fender_contact_input *in)
{
    if (!in->surface) return (fender_vec2){1, 0};
    const fender_mat3 *R = p->fixed_to == FIXED_TO_A ? &in->surface->R_CA : &in->surface->R_CB;
    fender_vec3 d = fender_mat3_times(R, p->along);
    double size = sqrt(d.x * d.x + d.y * d.y);
    if (!(size > 1e-9 * fabs(d.z))) return (fender_vec2){1, 0};
    return (fender_vec2){d.x / size, d.y / size};
}

/* The force of the limit ellipse (f1 / mu1)^2 + (f2 / mu2)^2 = N^2 that loses most, f_i = -N mu_i^2 v_i / |mu v|
 * (Goyal, Ruina and Papadopoulos 1991), times |v| / sqrt(|v|^2 + slip_speed^2). */
static void anisotropic_force(const void *parameters, const fender_contact_input *in, const void *memory,
                              fender_contact_output *out)
{
    const anisotropic *p = parameters;
    (void)memory;
    fender_vec2 u = direction_of(p, in), v = in->slip;
    double along = v.x * u.x + v.y * u.y, across = -v.x * u.y + v.y * u.x;
    double a = p->mu_along * along, b = p->mu_across * across, size = sqrt(a * a + b * b),
           square = v.x * v.x + v.y * v.y;
    if (!(size > 0) || !(in->normal_force > 0)) return;
    double factor = in->normal_force / size * sqrt(square / (square + p->slip_speed * p->slip_speed));
    double f1 = -factor * p->mu_along * a, f2 = -factor * p->mu_across * b;
    out->force.x = f1 * u.x - f2 * u.y;
    out->force.y = f1 * u.y + f2 * u.x;
    out->friction_power = factor * size * size;
}

static void anisotropic_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const anisotropic *p = parameters;
    double most = p->mu_along > p->mu_across ? p->mu_along : p->mu_across;
    out->tangential_damping = most * fabs(in->normal_force) / p->slip_speed;
}

const fender_law fnd_law_anisotropic = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "anisotropic",
    .doc = "Sliding friction with an elliptical limit: mu_along and mu_across a direction that is fixed to one of the "
           "shapes; smooth through zero slip.",
    .parameters = FENDER_FIELD_TABLE("anisotropic", anisotropic_fields, anisotropic),
    .force = anisotropic_force,
    .stiffness = anisotropic_stiffness,
    .needs = FENDER_LAW_NEEDS_SURFACE,
};
