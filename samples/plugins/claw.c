/* A plug-in: the claw of a climbing robot on a rough wall. Build: cc -shared -fPIC -o claw.so claw.c
 *
 * Loose, it is a point that presses and slides with friction. After each `pitch` of sliding under load it meets a bump
 * of the wall and is caught: springs hold it there in all directions. It comes off when it is pulled out of the wall by
 * more than `hold` times the load along the wall, the tangent of the bump's slope less the friction angle, or when the
 * load along the wall goes beyond `strength`. */
#include <fender/plugin.h>

typedef struct claw_parameters {
    double stiffness, damping, pitch, hold, strength, mu, slip_speed;
} claw_parameters;

static const fender_field claw_fields[] = {
    {"stiffness", "N/m", "Spring constant of the toe, in every direction.", FENDER_FIELD_REAL,
     offsetof(claw_parameters, stiffness), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"damping", "N*s/m", "Damping constant of the toe.", FENDER_FIELD_REAL, offsetof(claw_parameters, damping), 0, 0,
     INFINITY, 0, NULL},
    {"pitch", "m", "Way between two bumps that catch.", FENDER_FIELD_REAL, offsetof(claw_parameters, pitch),
     FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"hold", "1", "Pull out of the wall, per load along it, at which the claw comes off.", FENDER_FIELD_REAL,
     offsetof(claw_parameters, hold), 0, 0, INFINITY, 0.5, NULL},
    {"strength", "N", "Load along the wall at which the bump or the claw gives way.", FENDER_FIELD_REAL,
     offsetof(claw_parameters, strength), FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 0, NULL},
    {"mu", "1", "Friction of the claw while it slides.", FENDER_FIELD_REAL, offsetof(claw_parameters, mu), 0, 0,
     INFINITY, 0.3, NULL},
    {"slip_speed", "m/s", "Slip at which that friction is at 0.707 of its limit.", FENDER_FIELD_REAL,
     offsetof(claw_parameters, slip_speed), FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 1e-3, NULL},
};

enum { CAUGHT = 1, CAME_OFF = 2 };                  /* events of the law */
enum { STRETCH_X, STRETCH_Y, TRAVEL, STATE_COUNT }; /* continuous states, m */
static const char *const mode_names[] = {"loose", "caught", NULL};

/* slack: loose, with located events: it does not press. */
typedef struct claw_memory {
    int caught, slack;
} claw_memory;

static double size_of(double x, double y) { return sqrt(x * x + y * y); }

/* The load along the wall that the toe feels, and the push out of it. */
static fender_vec3 springs(const claw_parameters *p, const fender_contact_input *in)
{
    return (fender_vec3){-p->stiffness * in->states[STRETCH_X] - p->damping * in->slip.x,
                         -p->stiffness * in->states[STRETCH_Y] - p->damping * in->slip.y,
                         p->stiffness * in->depth + p->damping * in->depth_rate};
}

static void claw_force(const void *parameters, const fender_contact_input *in, const void *memory,
                       fender_contact_output *out)
{
    const claw_parameters *p = parameters;
    const claw_memory *m = memory;
    fender_vec3 full = springs(p, in);
    double slip = size_of(in->slip.x, in->slip.y);
    out->mode = m->caught;
    if (m->caught) {
        out->force = full;
        out->damping_power = p->damping * in->depth_rate * in->depth_rate;
        out->friction_power = p->damping * slip * slip;
        return;
    }
    bool presses = in->located ? !m->slack : in->depth > 0 && full.z > 0;
    if (!presses && !(in->depth > 0)) return;
    double push = presses ? full.z : 0, drag = p->mu * push / size_of(slip, p->slip_speed);
    out->force = (fender_vec3){-drag * in->slip.x, -drag * in->slip.y, push};
    out->damping_power = (push - p->stiffness * in->depth) * in->depth_rate;
    out->friction_power = drag * slip * slip;
}

static void claw_rates(const void *parameters, const fender_contact_input *in, const void *memory, double *rates)
{
    const claw_memory *m = memory;
    (void)parameters;
    rates[STRETCH_X] = m->caught ? in->slip.x : 0;
    rates[STRETCH_Y] = m->caught ? in->slip.y : 0;
    rates[TRAVEL] = !m->caught && in->depth > 0 ? size_of(in->slip.x, in->slip.y) : 0;
}

/* What is left before it comes off: of the pull and of the load. */
static double pull_left(const claw_parameters *p, fender_vec3 force)
{
    return p->hold * size_of(force.x, force.y) + force.z;
}
static double load_left(const claw_parameters *p, fender_vec3 force) { return p->strength - size_of(force.x, force.y); }

/* Positive while the mode lasts; with located events steps end where one changes its sign. */
static void claw_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    const claw_parameters *p = parameters;
    const claw_memory *m = memory;
    fender_vec3 full = springs(p, in);
    root[0] = m->caught ? pull_left(p, full) : m->slack ? -full.z : full.z;
    root[1] = m->caught ? load_left(p, full) : p->pitch - in->states[TRAVEL];
}

static void forget(double *states)
{
    for (int i = 0; i < STATE_COUNT; i++) states[i] = 0;
}

static void claw_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                        void *memory, fender_contact_change *change)
{
    const claw_parameters *p = parameters;
    claw_memory *m = memory;
    fender_vec3 full = springs(p, in);
    (void)out;
    if (m->caught && (!(pull_left(p, full) > 0) || !(load_left(p, full) > 0))) {
        m->caught = 0;
        change->event = CAME_OFF;
        forget(change->states);
    } else if (!m->caught && in->depth > 0 && in->states[TRAVEL] >= p->pitch) {
        m->caught = 1;
        change->event = CAUGHT;
        forget(change->states);
    }
    m->slack = !m->caught && in->located && (full.z < 0 || (full.z == 0 && !(in->depth_rate > 0)));
}

/* Before it comes off it can be pulled this far out of the wall. */
static void claw_activation_distance(const void *parameters, double *onset_gap, double *release_gap)
{
    const claw_parameters *p = parameters;
    *onset_gap = 0;
    *release_gap = p->hold * p->strength / p->stiffness;
}

static double claw_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const claw_parameters *p = parameters;
    const claw_memory *m = memory;
    double depth = m->caught || in->depth > 0 ? in->depth : 0, x = in->states[STRETCH_X], y = in->states[STRETCH_Y];
    return 0.5 * p->stiffness * (depth * depth + x * x + y * y);
}

static void claw_stiffness(const void *parameters, const fender_contact_input *in, fender_law_stiffness *out)
{
    const claw_parameters *p = parameters;
    (void)in;
    *out = (fender_law_stiffness){p->stiffness, p->damping, p->stiffness, p->damping};
}

static const fender_law claw = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE,
    .name = "rough_claw",
    .doc = "Claw on a rough wall: slides, is caught by bumps, comes off by pull or overload.",
    .parameters = FENDER_FIELD_TABLE("rough_claw", claw_fields, claw_parameters),
    .memory_size = sizeof(claw_memory),
    .mode_names = mode_names,
    .activation_distance = claw_activation_distance,
    .force = claw_force,
    .update = claw_update,
    .stored_energy = claw_energy,
    .root_count = 2,
    .roots = claw_roots,
    .stiffness = claw_stiffness,
    .state_count = STATE_COUNT,
    .state_rates = claw_rates,
};

const fender_plugin *fender_plugin_entry(void)
{
    static const fender_law *const laws[] = {&claw, NULL};
    static const fender_plugin plugin = {FENDER_PLUGIN_HEAD, "claw", laws, NULL};
    return &plugin;
}
