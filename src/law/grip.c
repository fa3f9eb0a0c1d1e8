/* Bonds and connections: claw, capture, and SpringContact and DefaultContact of PCM files. */
#include <assert.h>
#include <math.h>

#include "base/error.h"
#include "law/derive.h"
#include "law/friction_smooth.h"
#include "law/laws.h"
#include "law/parts.h"
#include "math/elementary.h"

/* ---- A push alone: what is left where a bond has broken, and the push of `capture` and `DefaultContact` */

/* N = max(k d + c d', 0). While the clip holds it at zero the spring still gives its energy back, to the damper. */
static void push(double stiffness, double damping, const fender_contact_input *in, int slack,
                 fender_contact_output *out)
{
    if (!in->located && !(in->depth > 0)) return;
    double full = fnd_linear_force(stiffness, damping, in), normal = fnd_clip_holds(in, slack, full) ? 0 : full;
    out->force.z = normal;
    out->damping_power = (normal - stiffness * in->depth) * in->depth_rate;
}

static double push_energy(double stiffness, double depth) { return depth > 0 ? 0.5 * stiffness * depth * depth : 0; }

/* ---- Law `claw`: spines that hold as far as they are drawn the way they point, by a limit surface
 *
 * Holding, N = k d + c d' in push and pull, across it t = kt s + ct v, s' = v, until (T / limit)^2 + (L / lateral)^2
 * reaches 1 or -N reaches T tan(angle), T and L the parts of t along the way and across (after Asbeck, Kim, Cutkosky,
 * Provancher and Lanzetta 2006). Broken, a push with friction mu N. */

typedef fender_claw_parameters claw;

typedef enum fixed_to { FIXED_TO_A, FIXED_TO_B } fixed_to;
static const char *const fixed_to_names[] = {"a", "b", NULL};

static const fender_field claw_fields[] = {
    FND_REAL(claw, stiffness, "N/m", FND_REQUIRED | FND_POSITIVE, 0,
             "Spring constant along the normal, in push and pull."),
    FND_REAL(claw, damping, "N*s/m", 0, 0, "Damping constant along the normal."),
    FND_REAL(claw, tangential_stiffness, "N/m", FND_REQUIRED | FND_POSITIVE, 0,
             "Spring constant across the normal while the spines hold."),
    FND_REAL(claw, tangential_damping, "N*s/m", 0, 0, "Damping constant across the normal while the spines hold."),
    {"pull", "1", "Direction in which the claw is pulled while it holds, in the axes of its shape.", FENDER_FIELD_VEC3,
     offsetof(claw, pull), FND_REQUIRED, -INFINITY, INFINITY, 0, NULL},
    FND_CHOICE(claw, "fixed_to", fixed_to, 1, FIXED_TO_B, fixed_to_names,
               "The shape that has the claw: a, which was created first, or b."),
    FND_REAL(claw, limit, "N", FND_REQUIRED | FND_POSITIVE, 0, "Pull along this direction that breaks the grip."),
    FND_REAL(claw, lateral_limit, "N", FND_POSITIVE | FENDER_FIELD_NONE_ALLOWED, INFINITY,
             "Force across this direction that breaks the grip."),
    FND_REAL_IN(claw, "angle", angle, "rad", FND_REQUIRED, 0, 1.5, 0, "Largest angle between a pull and the surface."),
    FND_REAL(claw, mu, "1", FND_POSITIVE, 0.3,
             "Coefficient of friction against the spines, and after the grip has broken."),
    FND_REAL(claw, slip_speed, "m/s", FND_POSITIVE, 1e-3, "Slip at which that friction has 0.707 of its limit."),
};

typedef enum hold { HOLD_WHOLE, HOLD_BROKEN } hold;
static const char *const hold_names[] = {"holding", "broken", NULL};
enum { CLAW_BROKE = 1 };

typedef struct claw_memory {
    int hold, touched;
} claw_memory;

/* A grip ends at the largest attraction; twice that is a margin for steps that do not end there. */
static void claw_activation_distance(const void *parameters, double *onset_gap, double *release_gap)
{
    const claw *p = parameters;
    double sine, cosine;
    fnd_sin_cos(p->angle, &sine, &cosine);
    *onset_gap = 0;
    *release_gap = 2 * p->limit * sine / (cosine * p->stiffness);
}

/* Unit, in the tangent plane, of the follower relative to the base. */
static fender_vec2 way_of(const claw *p, const fender_contact_input *in)
{
    double sign = p->fixed_to == FIXED_TO_B ? 1 : -1;
    fender_vec2 u = fnd_fixed_direction(in, p->fixed_to == FIXED_TO_A, p->pull);
    return (fender_vec2){sign * u.x, sign * u.y};
}

/* Tangential force of the spines; the force on b is opposite. */
static fender_vec2 claw_load(const claw *p, const fender_contact_input *in)
{
    return combined(p->tangential_stiffness, fnd_plane_state(in), p->tangential_damping, in->slip);
}

/* Margins of the grip: of the strength, an ellipse of pull T and lateral force L; and of the attraction, at most T
 * tan(angle), where slip against the spines has friction mu N (after Asbeck, Kim, Cutkosky, Provancher and Lanzetta
 * 2006). */
static void claw_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const claw *p = parameters;
    const claw_memory *m = memory;
    root[0] = 1;
    root[1] = in->depth; /* broken, it ends with the push */
    if (m->hold == HOLD_BROKEN) return;
    fender_vec2 load = claw_load(p, in), way = way_of(p, in);
    double T = dot(load, way), L = load.y * way.x - load.x * way.y, sine, cosine;
    fnd_sin_cos(p->angle, &sine, &cosine);
    double along = T / p->limit, lateral = L / p->lateral_limit;
    root[0] = 1 - along * along - lateral * lateral;
    root[1] = fnd_linear_force(p->stiffness, p->damping, in) + (T >= 0 ? T * sine / cosine : T / p->mu);
}

/* After breaking, a repulsive contact with the friction of `coulomb`. */
static void claw_force(const void *parameters, const fender_contact_input *in, const void *memory,
                       fender_contact_output *out)
{
    const claw *p = parameters;
    const claw_memory *m = memory;
    double normal = fnd_linear_force(p->stiffness, p->damping, in);
    out->mode = m->hold;
    if (m->hold == HOLD_WHOLE) {
        fender_vec2 load = claw_load(p, in);
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

/* The tangential stretch follows the slip while the spines grip, because rolling does not stretch it. */
static void claw_rates(const void *parameters, const fender_contact_input *in, const void *memory, double *rates)
{
    const claw_memory *m = memory;
    (void)parameters;
    rates[0] = m->hold == HOLD_WHOLE ? in->slip.x : 0;
    rates[1] = m->hold == HOLD_WHOLE ? in->slip.y : 0;
}

/* A claw grips at touch, where no force acts and the second root may be zero; that alone does not break it. Its
 * tangential energy is lost when it breaks. It grips again only after separation. */
static void claw_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                        void *memory, fender_contact_change *change)
{
    claw_memory *m = memory;
    double root[2];
    (void)out;
    if (m->hold == HOLD_WHOLE) {
        claw_roots(parameters, in, m, root);
        bool only_touches = !m->touched && root[1] >= 0; /* nothing presses yet */
        m->touched = 1;
        if (root[0] > 0 && (root[1] > 0 || only_touches)) return;
        m->hold = HOLD_BROKEN;
        change->event = CLAW_BROKE;
        change->states[0] = change->states[1] = 0;
    }
    change->end = !(in->depth > 0);
}

static double claw_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const claw *p = parameters;
    const claw_memory *m = memory;
    double normal = 0.5 * p->stiffness * in->depth * in->depth;
    if (m->hold == HOLD_BROKEN) return in->depth > 0 ? normal : 0;
    fender_vec2 s = fnd_plane_state(in);
    return normal + 0.5 * p->tangential_stiffness * dot(s, s);
}

/* Stiffness of the grip; after breaking, the tangential stiffness is lower. */
static void claw_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const claw *p = parameters;
    (void)in;
    *out = (fender_law_stiffness){p->stiffness, p->damping, p->tangential_stiffness, p->tangential_damping};
}

const fender_law fnd_law_claw = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE,
    .name = "claw",
    .doc = "Spines that grip, also under tension, while they are pulled in their direction and below a limit; then a "
           "repulsive contact with friction.",
    .parameters = FENDER_FIELD_TABLE("claw", claw_fields, claw),
    .memory_size = sizeof(claw_memory),
    .mode_names = hold_names,
    .activation_distance = claw_activation_distance,
    .force = claw_force,
    .update = claw_update,
    .stored_energy = claw_energy,
    .root_count = 2,
    .roots = claw_roots,
    .stiffness = claw_stiffness,
    .state_count = 2,
    .state_rates = claw_rates,
    .stretch = fnd_state_stretch,
    .needs = FENDER_LAW_NEEDS_SURFACE,
};

/* ---- Law `capture`: a spring and damper that pushes, and connects both bodies once it is pressed hard enough
 *
 * N = max(k d + c d', 0) as of `spring_damper`; a weld or a bushing from capture_force on. */

typedef fender_capture_parameters capture;

static const char *const connection_names[] = {"weld", "bushing", NULL};
enum { BY_WELD, BY_BUSHING };
enum { CAPTURED = 1 }; /* the law's event */

#define CAPTURE_LIMIT (FND_POSITIVE | FENDER_FIELD_NONE_ALLOWED)

static const fender_field capture_fields[] = {
    FND_REAL(capture, stiffness, "N/m", FND_REQUIRED, 0, "Spring constant k of the push."),
    FND_REAL(capture, damping, "N*s/m", 0, 0, "Damping constant c of the push."),
    FND_REAL(capture, capture_force, "N", 0, 0, "Push at which the bodies are connected; 0: at touch."),
    FND_CHOICE(capture, "connection", connection, 1, BY_WELD, connection_names,
               "weld: one body becomes part of the other; bushing: springs and dampers hold them."),
    FND_REAL(capture, hold_stiffness, "N/m", 0, 0, "Stiffness of the bushing, in every direction."),
    FND_REAL(capture, hold_damping, "N*s/m", 0, 0, "Damping of the bushing, in every direction."),
    FND_REAL(capture, hold_angular_stiffness, "N*m/rad", 0, 0, "Stiffness of the bushing against rotation."),
    FND_REAL(capture, hold_angular_damping, "N*m*s/rad", 0, 0, "Damping of the bushing against rotation."),
    FND_REAL(capture, limit, "N", CAPTURE_LIMIT, INFINITY, "A larger force breaks the bushing."),
    FND_REAL(capture, angular_limit, "N*m", CAPTURE_LIMIT, INFINITY, "A larger torque breaks the bushing."),
};

/* slack: with located events, the clip holds the push at zero. */
typedef struct capture_memory {
    int captured, slack;
} capture_memory;

static fender_status capture_check(const void *parameters, fender_error *error)
{
    const capture *p = parameters;
    if (p->connection == BY_WELD || p->hold_stiffness > 0) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_VALUE, "hold_stiffness", "a bushing needs a stiffness to hold the bodies",
                    "0 N/m", "more than 0 N/m", "add 'hold_stiffness: 100 kN/m', or take 'connection: weld'");
}

static void capture_force(const void *parameters, const fender_contact_input *in, const void *memory,
                          fender_contact_output *out)
{
    const capture *p = parameters;
    const capture_memory *m = memory;
    push(p->stiffness, p->damping, in, m ? m->slack : 0, out);
}

static void capture_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const capture *p = parameters;
    const capture_memory *m = memory;
    double full = fnd_linear_force(p->stiffness, p->damping, in);
    assert(m && root);
    root[0] = fnd_clip_root(m->slack, full);
    root[1] = m->captured ? 1 : p->capture_force - full;
}

/* The bushing is isotropic, because the law has no preferred direction. */
static fender_connection connection_of(const capture *p)
{
    const double k = p->hold_stiffness, c = p->hold_damping, kr = p->hold_angular_stiffness,
                 cr = p->hold_angular_damping;
    fender_connection connection = {.kind = FENDER_CONNECTION_WELD};
    if (p->connection == BY_WELD) return connection;
    return (fender_connection){.kind = FENDER_CONNECTION_BUSHING,
                               .stiffness = {k, k, k},
                               .damping = {c, c, c},
                               .angular_stiffness = {kr, kr, kr},
                               .angular_damping = {cr, cr, cr},
                               .limit = isinf(p->limit) ? 0 : p->limit,
                               .angular_limit = isinf(p->angular_limit) ? 0 : p->angular_limit};
}

/* Connects only once per contact: after a break, a new contact is needed. */
static void capture_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                           void *memory, fender_contact_change *change)
{
    const capture *p = parameters;
    capture_memory *m = memory;
    double full = fnd_linear_force(p->stiffness, p->damping, in);
    (void)out;
    assert(m && change);
    m->slack = fnd_clip_slack(in, full);
    if (m->captured || !(full >= p->capture_force)) return;
    m->captured = 1;
    change->event = CAPTURED;
    change->connect = connection_of(p);
}

static double capture_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const capture *p = parameters;
    (void)memory;
    return push_energy(p->stiffness, in->depth);
}

/* Includes the bushing while it exists, because the step must resolve both. */
static void capture_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const capture *p = parameters;
    bool held = p->connection == BY_BUSHING;
    (void)in;
    *out = (fender_law_stiffness){p->stiffness + (held ? p->hold_stiffness : 0),
                                  p->damping + (held ? p->hold_damping : 0), held ? p->hold_stiffness : 0,
                                  held ? p->hold_damping : 0};
}

static double capture_restitution(const void *parameters, const fender_sizing_spec *spec)
{
    const capture *p = parameters;
    return fnd_derive_restitution(p->stiffness, spec, true);
}

static const fender_derivation capture_derivations[] = {
    FND_DERIVATIONS_OF_STIFFNESS,
    FND_DERIVATION_OF_RATIO,
    {"damping", "restitution mass speed?", "coefficient of restitution of the clipped force, without capture",
     capture_restitution},
    FND_END_OF_DERIVATIONS};

const fender_law fnd_law_capture = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE,
    .name = "capture",
    .doc = "Repulsive spring and damper that connects the bodies when its force reaches a limit: weld or bushing.",
    .parameters = FENDER_FIELD_TABLE("capture", capture_fields, capture),
    .memory_size = sizeof(capture_memory),
    .check = capture_check,
    .force = capture_force,
    .update = capture_update,
    .stored_energy = capture_energy,
    .root_count = 2,
    .roots = capture_roots,
    .stiffness = capture_stiffness,
    .derivations = capture_derivations,
    .needs = FENDER_LAW_CONNECTS,
};

/* ---- Law `SpringContact` of PCM files (P013, P014): an adhesive foot
 *
 * A bond of three springs with dampers, K d + B d' along each axis, until the force along one passes its limit. */

typedef fender_spring_contact_parameters spring_contact;

static const fender_field spring_contact_fields[] = {
    FND_REAL(spring_contact, K, "N/m", FND_REQUIRED | FND_POSITIVE, 0, "Spring constant along each axis."),
    FND_REAL(spring_contact, B, "N*s/m", 0, 0, "Damping constant along each axis."),
    FND_REAL(spring_contact, X_Limit, "N", FND_POSITIVE | FENDER_FIELD_NONE_ALLOWED, INFINITY,
             "Force along the direction `along` at which the bond breaks."),
    FND_REAL(spring_contact, Y_Limit, "N", FND_POSITIVE | FENDER_FIELD_NONE_ALLOWED, INFINITY,
             "Force across it at which the bond breaks."),
    FND_REAL(spring_contact, Z_Limit, "N", FND_POSITIVE | FENDER_FIELD_NONE_ALLOWED, INFINITY,
             "Attraction along the normal at which the bond breaks; repulsion is not limited."),
    FND_REAL(spring_contact, Error, "m", 0, 0,
             "Separation beyond which the contact ends, bonded or not; 0: twice the stretch of the bond at Z_Limit."),
    {"along", "1", "The direction, in the axes of the shape; 0: x of the contact frame.", FENDER_FIELD_VEC3,
     offsetof(spring_contact, along), 0, -INFINITY, INFINITY, 0, NULL},
    FND_CHOICE(spring_contact, "fixed_to", fixed_to, 1, FIXED_TO_A, fixed_to_names,
               "The shape that has the direction: a, which was created first, or b."),
};

typedef enum bond { BOND_WHOLE, BOND_BROKEN } bond;
static const char *const bond_names[] = {"bonded", "broken", NULL};
enum { BOND_BROKE = 1 }; /* the law's event */

/* slack: broken, with located events: the clip holds the force at zero. */
typedef struct spring_contact_memory {
    int bond, slack;
} spring_contact_memory;

static fender_status spring_contact_check(const void *parameters, fender_error *error)
{
    const spring_contact *p = parameters;
    if (p->Error > 0 || isfinite(p->Z_Limit)) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_VALUE, "Error",
                    "a bond that no pull breaks needs the separation at "
                    "which it ends",
                    "neither Z_Limit nor Error", "one of the two", "add 'Error: 10 mm'");
}

/* Z_Limit / K stretches the bond to its limit without damping; twice that leaves room for what damping adds. */
static void spring_contact_activation_distance(const void *parameters, double *onset_gap, double *release_gap)
{
    const spring_contact *p = parameters;
    *onset_gap = 0;
    *release_gap = p->Error > 0 ? p->Error : 2 * p->Z_Limit / p->K;
}

/* Force along x or y of C, against the stretch and the slip. */
static double across(const spring_contact *p, const fender_contact_input *in, int axis)
{
    return -p->K * in->states[axis] - p->B * (axis == 0 ? in->slip.x : in->slip.y);
}

/* For an infinite limit, any positive number: that root never ends a step. */
static double left(double limit, double force) { return isinf(limit) ? 1 : limit - force; }

static bool has_direction(const void *parameters)
{
    const spring_contact *p = parameters;
    return p->along.x != 0 || p->along.y != 0 || p->along.z != 0;
}

/* What is left of the two limits. */
static fender_vec2 left_across(const spring_contact *p, const fender_contact_input *in)
{
    const double x = across(p, in, 0), y = across(p, in, 1);
    if (!has_direction(p)) return (fender_vec2){left(p->X_Limit, fabs(x)), left(p->Y_Limit, fabs(y))};
    const fender_vec2 u = fnd_fixed_direction(in, p->fixed_to == FIXED_TO_A, p->along);
    return (fender_vec2){left(p->X_Limit, fabs(x * u.x + y * u.y)), left(p->Y_Limit, fabs(y * u.x - x * u.y))};
}

/* The bond has three springs with dampers between the contact points; the tangential stretch is a state, because
 * rolling does not stretch it. After breaking, it is a clipped spring and damper. */
static void spring_contact_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                 fender_contact_output *out)
{
    const spring_contact *p = parameters;
    const spring_contact_memory *m = memory;
    assert(m);
    out->mode = m->bond;
    if (m->bond == BOND_WHOLE) {
        out->force = (fender_vec3){across(p, in, 0), across(p, in, 1), fnd_linear_force(p->K, p->B, in)};
        out->damping_power = p->B * in->depth_rate * in->depth_rate;
        out->friction_power = p->B * (in->slip.x * in->slip.x + in->slip.y * in->slip.y);
        return;
    }
    push(p->K, p->B, in, m->slack, out);
}

/* The stretch follows the slip while the bond holds. */
static void spring_contact_rates(const void *parameters, const fender_contact_input *in, const void *memory,
                                 double *rates)
{
    const spring_contact_memory *m = memory;
    (void)parameters;
    rates[0] = m->bond == BOND_WHOLE ? in->slip.x : 0;
    rates[1] = m->bond == BOND_WHOLE ? in->slip.y : 0;
}

/* While bonded, the margin of each limit; afterwards the clip, and the depth at which the contact ends. */
static void spring_contact_roots(const void *parameters, const fender_contact_input *in, const void *memory,
                                 double *root)
{
    const spring_contact *p = parameters;
    const spring_contact_memory *m = memory;
    if (m->bond == BOND_WHOLE) {
        const fender_vec2 rest = left_across(p, in);
        root[0] = rest.x;
        root[1] = rest.y;
        root[2] = left(p->Z_Limit, -fnd_linear_force(p->K, p->B, in));
        return;
    }
    double full = fnd_linear_force(p->K, p->B, in);
    root[0] = fnd_clip_root(m->slack, full);
    root[1] = in->depth;
    root[2] = 1;
}

static void spring_contact_update(const void *parameters, const fender_contact_input *in,
                                  const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    const spring_contact *p = parameters;
    spring_contact_memory *m = memory;
    (void)out;
    const fender_vec2 rest = left_across(p, in);
    if (m->bond == BOND_WHOLE &&
        (!(rest.x > 0) || !(rest.y > 0) || !(left(p->Z_Limit, -fnd_linear_force(p->K, p->B, in)) > 0))) {
        m->bond = BOND_BROKEN;
        change->event = BOND_BROKE;
        change->states[0] = change->states[1] = 0;
    }
    if (m->bond != BOND_BROKEN) return;
    m->slack = fnd_clip_slack(in, fnd_linear_force(p->K, p->B, in));
    change->end = !(in->depth > 0);
}

static double spring_contact_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const spring_contact *p = parameters;
    const spring_contact_memory *m = memory;
    if (m->bond == BOND_BROKEN) return push_energy(p->K, in->depth);
    return 0.5 * p->K * (in->depth * in->depth + in->states[0] * in->states[0] + in->states[1] * in->states[1]);
}

static void spring_contact_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const spring_contact *p = parameters;
    bool bonded = in->states != NULL;
    *out = (fender_law_stiffness){p->K, p->B, bonded ? p->K : 0, bonded ? p->B : 0};
}

#define BOND_DERIVATIONS(function)                                             \
    {                                                                          \
        {"K", "sink weight", "K = weight / sink", fnd_derive_sink},            \
            {"B", "ratio mass", "B = 2 ratio sqrt(mass K)", fnd_derive_ratio}, \
            {"B", "restitution mass speed", FND_REBOUND, function},            \
        {                                                                      \
            NULL, NULL, NULL, NULL                                             \
        }                                                                      \
    }

static double damping_of_bond(const void *parameters, const fender_sizing_spec *spec)
{
    return fender_law_damping_of_rebound(&fnd_law_spring_contact, parameters, "B", spec);
}

static const fender_derivation spring_contact_derivations[] = BOND_DERIVATIONS(damping_of_bond);

const fender_law fnd_law_spring_contact = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE,
    .name = "SpringContact",
    .doc = "Bond of three springs with dampers that breaks at a limit along any axis, then a spring and damper that "
           "only push (PCM).",
    .parameters = FENDER_FIELD_TABLE("SpringContact", spring_contact_fields, spring_contact),
    .memory_size = sizeof(spring_contact_memory),
    .mode_names = bond_names,
    .check = spring_contact_check,
    .activation_distance = spring_contact_activation_distance,
    .force = spring_contact_force,
    .update = spring_contact_update,
    .root_count = 3,
    .roots = spring_contact_roots,
    .stored_energy = spring_contact_energy,
    .exponent = fnd_linear_exponent,
    .stiffness = spring_contact_stiffness,
    .derivations = spring_contact_derivations,
    .state_count = 2,
    .state_rates = spring_contact_rates,
    .needs = FENDER_LAW_NEEDS_SURFACE,
    .reads_surface = has_direction,
};

/* ---- Law `DefaultContact` of PCM files (P014): what a broken bond does, for as long as the shapes are within Error */

typedef fender_default_contact_parameters default_contact;

static const fender_field default_contact_fields[] = {
    FND_REAL(default_contact, K, "N/m", FND_POSITIVE, 1000,
             "Spring constant; PCM states no default, so this is the value of its example."),
    FND_REAL(default_contact, B, "N*s/m", 0, 10, "Damping constant; the same."),
    FND_REAL(default_contact, Error, "m", 0, 0, "Separation beyond which the contact ends."),
};

static void default_contact_reach(const void *parameters, double *onset_gap, double *release_gap)
{
    const default_contact *p = parameters;
    *onset_gap = 0;
    *release_gap = p->Error;
}

/* With located events: the clip as in `SpringContact`, and nothing while the shapes are apart within Error, where the
 * spring has nothing to give back. The contact goes on there. */
typedef enum push_phase { PUSH_ACTS, PUSH_SLACK, PUSH_APART } push_phase;

/* A bond that is broken from the beginning: the memory is that of `SpringContact`, its `slack` a push_phase. */
static void default_contact_begin(const void *parameters, const fender_contact_input *in, void *memory)
{
    spring_contact_memory *m = memory;
    (void)parameters, (void)in;
    m->bond = BOND_BROKEN;
}

static void default_contact_force(const void *parameters, const fender_contact_input *in, const void *memory,
                                  fender_contact_output *out)
{
    const default_contact *p = parameters;
    const spring_contact_memory *m = memory;
    out->mode = 0;
    if (in->located && m && m->slack == PUSH_APART) return;
    push(p->K, p->B, in, m ? m->slack : 0, out);
}

static void default_contact_roots(const void *parameters, const fender_contact_input *in, const void *memory,
                                  double *root)
{
    const default_contact *p = parameters;
    const spring_contact_memory *m = memory;
    assert(m && root);
    const bool apart = m->slack == PUSH_APART;
    root[0] = apart ? 1 : fnd_clip_root(m->slack, fnd_linear_force(p->K, p->B, in));
    root[1] = apart ? -in->depth : in->depth;
}

static void default_contact_update(const void *parameters, const fender_contact_input *in,
                                   const fender_contact_output *out, void *memory, fender_contact_change *change)
{
    const default_contact *p = parameters;
    spring_contact_memory *m = memory;
    (void)out, (void)change;
    assert(m);
    const bool apart = in->located && (in->depth < 0 || (in->depth == 0 && !(in->depth_rate > 0)));
    m->slack = apart ? PUSH_APART : fnd_clip_slack(in, fnd_linear_force(p->K, p->B, in)) ? PUSH_SLACK : PUSH_ACTS;
}

static double default_contact_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const default_contact *p = parameters;
    (void)memory;
    return push_energy(p->K, in->depth);
}

static void default_contact_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const default_contact *p = parameters;
    (void)in;
    out->normal_stiffness = p->K;
    out->normal_damping = p->B;
}

static double damping_of_push(const void *parameters, const fender_sizing_spec *spec)
{
    return fender_law_damping_of_rebound(&fnd_law_default_contact, parameters, "B", spec);
}

static const fender_derivation default_contact_derivations[] = BOND_DERIVATIONS(damping_of_push);

const fender_law fnd_law_default_contact = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE,
    .name = "DefaultContact",
    .doc = "Spring and damper that only pushes, N = max(K d + B d', 0), without friction (PCM).",
    .parameters = FENDER_FIELD_TABLE("DefaultContact", default_contact_fields, default_contact),
    .memory_size = sizeof(spring_contact_memory),
    .activation_distance = default_contact_reach,
    .begin = default_contact_begin,
    .force = default_contact_force,
    .update = default_contact_update,
    .root_count = 2,
    .roots = default_contact_roots,
    .stored_energy = default_contact_energy,
    .exponent = fnd_linear_exponent,
    .stiffness = default_contact_stiffness,
    .derivations = default_contact_derivations,
};
