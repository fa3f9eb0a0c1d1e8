/* Law `claw`: spines that hold as far as they are drawn the way they point, by a limit surface (whole). */
#include "law/laws.h"
#include "law/plane_vector.h"
#include "math/elementary.h"

typedef fender_claw_parameters claw;

typedef enum fixed_to { FIXED_TO_A, FIXED_TO_B } fixed_to;
static const char *const bodies[] = {"a", "b", NULL};

static const fender_field claw_fields[] = {
    {"stiffness", "N/m", "Spring constant along the normal, in push and pull.", FENDER_FIELD_REAL,
     offsetof(claw, stiffness), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"damping", "N*s/m", "Damping constant along the normal.", FENDER_FIELD_REAL, offsetof(claw, damping), 0, 0,
     INFINITY, 0, NULL},
    {"tangential_stiffness", "N/m", "Spring constant across the normal while the spines hold.", FENDER_FIELD_REAL,
     offsetof(claw, tangential_stiffness), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"tangential_damping", "N*s/m", "Damping constant across the normal while the spines hold.", FENDER_FIELD_REAL,
     offsetof(claw, tangential_damping), 0, 0, INFINITY, 0, NULL},
    {"pull", "1", "Way in which the claw is drawn while it holds, in the axes of its shape.", FENDER_FIELD_VEC3,
     offsetof(claw, pull), FENDER_FIELD_REQUIRED, -INFINITY, INFINITY, 0, NULL},
    {"fixed_to", "1", "Whose shape has the claw: a, which was created first, or b.", FENDER_FIELD_ENUM,
     offsetof(claw, fixed_to), 0, 0, 1, FIXED_TO_B, bodies},
    {"limit", "N", "Pull along its way that breaks the hold.", FENDER_FIELD_REAL, offsetof(claw, limit),
     FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"lateral_limit", "N", "Force across it that breaks the hold.", FENDER_FIELD_REAL, offsetof(claw, lateral_limit),
     FENDER_FIELD_ABOVE_MINIMUM | FENDER_FIELD_NONE_ALLOWED, 0, INFINITY, INFINITY, NULL},
    {"angle", "rad", "Steepest pull away from the surface, against the surface.", FENDER_FIELD_REAL,
     offsetof(claw, angle), FENDER_FIELD_REQUIRED, 0, 1.5, 0, NULL},
    {"mu", "1", "Coefficient of friction against the spines, and of what slides after the hold has broken.",
     FENDER_FIELD_REAL, offsetof(claw, mu), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0.3, NULL},
    {"slip_speed", "m/s", "Of that friction: slip at which it has 0.707 of its limit.", FENDER_FIELD_REAL,
     offsetof(claw, slip_speed), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-3, NULL},
};

typedef enum hold { HOLD_WHOLE, HOLD_BROKEN } hold;
static const char *const hold_names[] = {"holding", "broken", NULL};
enum { BROKE = 1 };

typedef struct memory {
    int hold, touched;
} memory;

/* A hold ends at the deepest pull; twice that leaves room for steps that do not end there. */
static void claw_reach(const void *parameters, double *onset_gap, double *release_gap)
{
    const claw *p = parameters;
    double sine, cosine;
    fnd_sin_cos(p->angle, &sine, &cosine);
    *onset_gap = 0;
    *release_gap = 2 * p->limit * sine / (cosine * p->stiffness);
}

/* Unit, in the tangent plane, of the follower relative to the base; x of C where the way is along the normal. */
static fender_vec2 way_of(const claw *p, const fender_contact_input *in)
{
    double sign = p->fixed_to == FIXED_TO_B ? 1 : -1;
    if (!in->surface) return (fender_vec2){sign, 0};
    fender_vec3 d = fender_mat3_times(p->fixed_to == FIXED_TO_A ? &in->surface->R_CA : &in->surface->R_CB, p->pull);
    double size = sqrt(d.x * d.x + d.y * d.y);
    if (!(size > 1e-9 * fabs(d.z))) return (fender_vec2){sign, 0};
    return (fender_vec2){sign * d.x / size, sign * d.y / size};
}

static double normal_of(const claw *p, const fender_contact_input *in)
{
    return p->stiffness * in->depth + p->damping * in->depth_rate;
}

/* What the spines bear across the normal; the force on b is against it. */
static fender_vec2 load_of(const claw *p, const fender_contact_input *in)
{
    return combined(p->tangential_stiffness, (fender_vec2){in->states[0], in->states[1]}, p->tangential_damping,
                    in->slip);
}

/* What is left: of the strength, an ellipse of pull T and lateral force L; and of the hold, which pulls from the
 * surface by no more than T tan(angle), and against the spines slides at mu N (after Asbeck, Kim, Cutkosky, Provancher
 * and Lanzetta 2006). */
static void claw_roots(const void *parameters, const fender_contact_input *in, const void *memory_bytes, double *root)
{
    const claw *p = parameters;
    const memory *m = memory_bytes;
    root[0] = 1;
    root[1] = in->depth; /* broken, it ends with the push */
    if (m->hold == HOLD_BROKEN) return;
    fender_vec2 load = load_of(p, in), way = way_of(p, in);
    double T = dot(load, way), L = load.y * way.x - load.x * way.y, sine, cosine;
    fnd_sin_cos(p->angle, &sine, &cosine);
    double along = T / p->limit, lateral = L / p->lateral_limit;
    root[0] = 1 - along * along - lateral * lateral;
    root[1] = normal_of(p, in) + (T >= 0 ? T * sine / cosine : T / p->mu);
}

static void claw_force(const void *parameters, const fender_contact_input *in, const void *memory_bytes,
                       fender_contact_output *out)
{
    const claw *p = parameters;
    const memory *m = memory_bytes;
    double normal = normal_of(p, in);
    out->mode = m->hold;
    if (m->hold == HOLD_WHOLE) {
        fender_vec2 load = load_of(p, in);
        out->force = fender_vec3_make(-load.x, -load.y, normal);
        out->damping_power = p->damping * in->depth_rate * in->depth_rate;
        out->friction_power = p->tangential_damping * dot(in->slip, in->slip);
        return;
    }
    if (!(in->depth > 0)) return;
    out->force.z = normal > 0 ? normal : 0;
    out->damping_power = (out->force.z - p->stiffness * in->depth) * in->depth_rate;
    fnd_coulomb_friction(p->mu, p->slip_speed, out->force.z, in, out);
}

static void claw_rates(const void *parameters, const fender_contact_input *in, const void *memory_bytes, double *rates)
{
    const memory *m = memory_bytes;
    (void)parameters;
    rates[0] = m->hold == HOLD_WHOLE ? in->slip.x : 0;
    rates[1] = m->hold == HOLD_WHOLE ? in->slip.y : 0;
}

static void claw_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                        void *memory_bytes, fender_contact_change *change)
{
    memory *m = memory_bytes;
    double root[2];
    (void)out;
    if (m->hold == HOLD_WHOLE) {
        claw_roots(parameters, in, m, root);
        bool only_touches = !m->touched && root[1] >= 0; /* nothing presses yet */
        m->touched = 1;
        if (root[0] > 0 && (root[1] > 0 || only_touches)) return;
        m->hold = HOLD_BROKEN;
        change->event = BROKE;
        change->states[0] = change->states[1] = 0;
    }
    change->terminate = !(in->depth > 0);
}

static double claw_energy(const void *parameters, const fender_contact_input *in, const void *memory_bytes)
{
    const claw *p = parameters;
    const memory *m = memory_bytes;
    double normal = 0.5 * p->stiffness * in->depth * in->depth;
    if (m->hold == HOLD_BROKEN) return in->depth > 0 ? normal : 0;
    fender_vec2 s = {in->states[0], in->states[1]};
    return normal + 0.5 * p->tangential_stiffness * dot(s, s);
}

static void claw_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const claw *p = parameters;
    (void)in;
    *out = (fender_law_stiffness){p->stiffness, p->damping, p->tangential_stiffness, p->tangential_damping};
}

static fender_vec2 claw_stretch(const void *parameters, const fender_contact_input *in, const void *memory_bytes)
{
    (void)parameters, (void)memory_bytes;
    return (fender_vec2){in->states[0], in->states[1]};
}

const fender_law fnd_law_claw = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE,
    .name = "claw",
    .doc = "Spines that hold, also in pull, as far as they are drawn their way, up to a limit; then a plain push with "
           "friction.",
    .parameters = FENDER_FIELD_TABLE("claw", claw_fields, claw),
    .memory_size = sizeof(memory),
    .mode_names = hold_names,
    .reach = claw_reach,
    .force = claw_force,
    .update = claw_update,
    .stored_energy = claw_energy,
    .root_count = 2,
    .roots = claw_roots,
    .stiffness = claw_stiffness,
    .state_count = 2,
    .state_rates = claw_rates,
    .stretch = claw_stretch,
    .needs = FENDER_LAW_NEEDS_SURFACE,
};
