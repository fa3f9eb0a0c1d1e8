/* Law `janosi`: shear of loose ground under a pad or foot, for the friction slot beside `soil`. */
#include "law/laws.h"
#include "law/pad.h"
#include "math/elementary.h"

/* The shear strength F = N tan(phi) + c A is mobilised over the shear displacement j as 1 - exp(-j / K) (Janosi and
 * Hanamoto 1961). As a function of j that would be wrong for anything but one straight pull; the same curve is that of
 * the state z, f = F z / K, z' = v - |v| z / K, which turns with the slip and loses what shearing costs. */
typedef fender_janosi_parameters janosi;

static const fender_field janosi_fields[] = {
    {"cohesion", "Pa", "Cohesion c of the ground.", FENDER_FIELD_REAL, offsetof(janosi, cohesion), 0, 0, INFINITY, 0,
     NULL},
    {"friction_angle", "rad", "Angle of internal friction phi.", FENDER_FIELD_REAL, offsetof(janosi, friction_angle),
     FENDER_FIELD_REQUIRED, 0, 1.5, 0, NULL},
    {"shear_displacement", "m", "K: shear at which 0.632 of the strength is mobilised.", FENDER_FIELD_REAL,
     offsetof(janosi, shear_displacement), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"area", "m^2", "Area of the pad, for the cohesion; 0: of the patch by which the shapes touch.", FENDER_FIELD_REAL,
     offsetof(janosi, area), 0, 0, INFINITY, 0, NULL},
};

/* A spring whose stiffness changes while it is stretched would make energy, or let it vanish. So the strength at the
 * last accepted state is that of the store within a step: as the load rises it acts, too, and then the stretch is taken
 * down with it, so that the force goes on; as the load falls the smaller strength acts, slip bends the stretch by the
 * lever that force has on the store, and what the store gives up is lost at the step's end. */
typedef struct janosi_memory {
    double strength; /* N */
} janosi_memory;

static double strength_of(const janosi *p, const fender_contact_input *in)
{
    double sine, cosine;
    if (!(in->normal_force > 0)) return 0;
    fnd_sin_cos(p->friction_angle, &sine, &cosine);
    return in->normal_force * (sine / cosine) + p->cohesion * fnd_pad_area(p->area, in);
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
};
