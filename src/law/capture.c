/* Law `capture`: a spring and damper that pushes, and connects both bodies once it is pressed hard enough. */
#include "base/error.h"
#include "law/derive.h"
#include "law/laws.h"

typedef fender_capture_parameters capture;

static const char *const connection_names[] = {"weld", "bushing", NULL};
enum { BY_WELD, BY_BUSHING };
enum { CAPTURED = 1 }; /* the law's event */

#define CAPTURE_FIELD(member, unit, flags, initial, doc)                                                    \
    {                                                                                                       \
#member, unit, doc, FENDER_FIELD_REAL, offsetof(capture, member), flags, 0, INFINITY, initial, NULL \
    }
#define CAPTURE_LIMIT (FENDER_FIELD_ABOVE_MINIMUM | FENDER_FIELD_NONE_ALLOWED)

static const fender_field capture_fields[] = {
    CAPTURE_FIELD(stiffness, "N/m", FENDER_FIELD_REQUIRED, 0, "Spring constant k of the push."),
    CAPTURE_FIELD(damping, "N*s/m", 0, 0, "Damping constant c of the push."),
    CAPTURE_FIELD(capture_force, "N", 0, 0, "Push at which the bodies are connected; 0: at touch."),
    {"connection", "1", "weld: one body becomes part of the other; bushing: springs and dampers hold them.",
     FENDER_FIELD_ENUM, offsetof(capture, connection), 0, 0, 1, BY_WELD, connection_names},
    CAPTURE_FIELD(hold_stiffness, "N/m", 0, 0, "Stiffness of the bushing, in every direction."),
    CAPTURE_FIELD(hold_damping, "N*s/m", 0, 0, "Damping of the bushing, in every direction."),
    CAPTURE_FIELD(hold_angular_stiffness, "N*m/rad", 0, 0, "Stiffness of the bushing against rotation."),
    CAPTURE_FIELD(hold_angular_damping, "N*m*s/rad", 0, 0, "Damping of the bushing against rotation."),
    CAPTURE_FIELD(limit, "N", CAPTURE_LIMIT, INFINITY, "A larger force breaks the bushing."),
    CAPTURE_FIELD(angular_limit, "N*m", CAPTURE_LIMIT, INFINITY, "A larger torque breaks the bushing."),
};

/* slack: with located events, the clip holds the push at zero. */
typedef struct capture_memory {
    int captured, slack;
} capture_memory;

static fender_status capture_check(const void *parameters, fender_error *error)
{
    const capture *p = parameters;
    if (p->connection == BY_WELD || p->hold_stiffness > 0) return FENDER_STATUS_OK;
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "hold_stiffness",
                                       "a bushing needs a stiffness to hold the bodies", "0 N/m", "more than 0 N/m",
                                       "add 'hold_stiffness: 100 kN/m', or take 'connection: weld'"});
}

static double full_push(const capture *p, const fender_contact_input *in)
{
    return p->stiffness * in->depth + p->damping * in->depth_rate;
}

static void capture_force(const void *parameters, const fender_contact_input *in, const void *memory,
                          fender_contact_output *out)
{
    const capture *p = parameters;
    const capture_memory *m = memory;
    if (!in->located && !(in->depth > 0)) return;
    double full = full_push(p, in), push = (in->located ? m->slack != 0 : full < 0) ? 0 : full;
    out->force.z = push;
    out->damping_power = (push - p->stiffness * in->depth) * in->depth_rate;
}

static void capture_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const capture *p = parameters;
    const capture_memory *m = memory;
    double full = full_push(p, in);
    root[0] = m->slack ? -full : full;
    root[1] = m->captured ? 1 : p->capture_force - full;
}

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

/* Once in a contact: when what it has made breaks, only a new touch may make it again. */
static void capture_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                           void *memory, fender_contact_change *change)
{
    const capture *p = parameters;
    capture_memory *m = memory;
    double full = full_push(p, in);
    (void)out;
    m->slack = in->located && (full < 0 || (full == 0 && !(in->depth_rate > 0)));
    if (m->captured || !(full >= p->capture_force)) return;
    m->captured = 1;
    change->event = CAPTURED;
    change->connect = connection_of(p);
}

static double capture_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const capture *p = parameters;
    (void)memory;
    return in->depth > 0 ? 0.5 * p->stiffness * in->depth * in->depth : 0;
}

static void capture_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const capture *p = parameters;
    bool held = p->connection == BY_BUSHING;
    (void)in;
    *out = (fender_law_stiffness){p->stiffness + (held ? p->hold_stiffness : 0),
                                  p->damping + (held ? p->hold_damping : 0), held ? p->hold_stiffness : 0,
                                  held ? p->hold_damping : 0};
}

static double damping_of_ratio(const void *parameters, const fender_intent *intent)
{
    const capture *p = parameters;
    return fender_damping_of_ratio(intent->ratio, intent->mass, p->stiffness);
}

static double damping_of_restitution(const void *parameters, const fender_intent *intent)
{
    const capture *p = parameters;
    return fnd_derive_restitution(p->stiffness, intent, true);
}

static const fender_derivation capture_derivations[] = {
    FND_DERIVATIONS_OF_STIFFNESS,
    {"damping", "ratio mass", "c = 2 ratio sqrt(mass k)", damping_of_ratio},
    {"damping", "restitution mass speed?", "impacts that capture nothing give back that part of the speed, clipped",
     damping_of_restitution},
    {NULL, NULL, NULL, NULL}};

const fender_law fnd_law_capture = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE,
    .name = "capture",
    .doc = "Spring and damper that pushes, and connects the bodies once it is pressed hard enough: weld or bushing.",
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
