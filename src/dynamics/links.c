/* Links: names and parameters, force and torque at one state, updates at accepted steps. */
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/dynamics.h"
#include "dynamics/link.h"
#include <assert.h>
#include <float.h>

/* ---- Laws ---- */

#define ROW(type, struct_name, member, unit, minimum, initial, flags, choices, doc)                         \
    {                                                                                                       \
#member, unit, doc, type, offsetof(struct_name, member), flags, minimum, INFINITY, initial, choices \
    }

static const char *const acts_names[] = {"both", "push", "pull", NULL};

#define AXIAL(type, member, unit, initial, flags, choices, doc) \
    ROW(type, fender_link_spring_damper, member, unit, 0, initial, flags, choices, doc)
static const fender_field axial_fields[] = {
    AXIAL(FENDER_FIELD_REAL, stiffness, "N/m", 0, FENDER_FIELD_REQUIRED, NULL, "Stiffness along the line of the ends."),
    AXIAL(FENDER_FIELD_REAL, damping, "N*s/m", 0, 0, NULL, "Damping of changes of the length."),
    AXIAL(FENDER_FIELD_REAL, free_length, "m", 0, FENDER_FIELD_REQUIRED, NULL, "Length without force."),
    AXIAL(FENDER_FIELD_ENUM, acts, "1", 0, 0, acts_names,
          "both: always; push: only while shorter than free_length; pull: only while longer."),
    AXIAL(FENDER_FIELD_BOOL, spent_at_free_length, "1", 0, 0, NULL,
          "After it was loaded and has returned to its free length, it never acts again."),
    AXIAL(FENDER_FIELD_REAL, limit, "N", INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM, NULL,
          "A larger force, either way, breaks the link for good."),
};

#define BUSHING(type, member, unit, minimum, initial, flags, doc) \
    ROW(type, fender_link_spring_damper_6dof, member, unit, minimum, initial, flags, NULL, doc)
static const fender_field bushing_fields[] = {
    BUSHING(FENDER_FIELD_VEC3, stiffness, "N/m", 0, 0, FENDER_FIELD_REQUIRED, "Stiffness along the axes of point a."),
    BUSHING(FENDER_FIELD_VEC3, damping, "N*s/m", 0, 0, 0, "Damping along the axes of point a."),
    BUSHING(FENDER_FIELD_VEC3, angular_stiffness, "N*m/rad", 0, 0, FENDER_FIELD_REQUIRED,
            "Stiffness against rotation about the axes of point a."),
    BUSHING(FENDER_FIELD_VEC3, angular_damping, "N*m*s/rad", 0, 0, 0, "Damping of rotation about the axes of point a."),
    BUSHING(FENDER_FIELD_VEC3, free_position, "m", -INFINITY, 0, 0,
            "Unloaded position of point b in the frame of point a."),
    BUSHING(FENDER_FIELD_BOOL, facing, "1", 0, 0, 0,
            "Unloaded, the x axes of the points face each other and the z axes agree; else all axes agree."),
    BUSHING(FENDER_FIELD_REAL, limit, "N", 0, INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM,
            "A larger force breaks the link for good."),
    BUSHING(FENDER_FIELD_REAL, angular_limit, "N*m", 0, INFINITY,
            FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM, "A larger torque breaks the link for good."),
};

#define TETHER(type, member, unit, initial, flags, doc) \
    ROW(type, fender_link_tether, member, unit, 0, initial, flags, NULL, doc)
static const fender_field tether_fields[] = {
    TETHER(FENDER_FIELD_REAL, length, "m", 0, FENDER_FIELD_REQUIRED, "Length beyond which it is taut."),
    TETHER(FENDER_FIELD_REAL, stiffness, "N/m", 0, FENDER_FIELD_REQUIRED, "Stiffness while taut."),
    TETHER(FENDER_FIELD_REAL, damping, "N*s/m", 0, 0, "Damping while taut; never pushes."),
    TETHER(FENDER_FIELD_REAL, limit, "N", INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM,
           "A larger force breaks it for good."),
};

#define PUSHER(type, member, unit, initial, flags, doc) \
    ROW(type, fender_link_separation_spring, member, unit, 0, initial, flags, NULL, doc)
static const fender_field pusher_fields[] = {
    PUSHER(FENDER_FIELD_REAL, free_length, "m", 0, FENDER_FIELD_REQUIRED, "Length at the end of its stroke."),
    PUSHER(FENDER_FIELD_REAL, stroke, "m", 0, FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM,
           "Distance over which it pushes."),
    PUSHER(FENDER_FIELD_REAL, preload, "N", 0, FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM,
           "Force while fully compressed."),
    PUSHER(FENDER_FIELD_REAL, end_force, "N", 0, 0, "Force just before it is spent."),
    PUSHER(FENDER_FIELD_REAL, damping, "N*s/m", 0, 0, "Damping; never pulls."),
};

#define STRUT(member, unit, initial, flags, doc) \
    ROW(FENDER_FIELD_REAL, fender_link_strut, member, unit, 0, initial, flags, NULL, doc)
static const fender_field strut_fields[] = {
    STRUT(free_length, "m", 0, FENDER_FIELD_REQUIRED, "Length while extended."),
    STRUT(stiffness, "N/m", 0, 0, "Stiffness of the core against compression; or give a curve."),
    STRUT(preload, "N", 0, 0, "Force of the core at the free length, held by the stop."),
    STRUT(compression_damping, "N*s/m", 0, 0, "Damping while it shortens."),
    STRUT(extension_damping, "N*s/m", 0, 0, "Damping while it lengthens."),
    STRUT(stroke, "m", INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM,
          "Compression at which the end stop begins."),
    STRUT(stop_stiffness, "N/m", 0, 0, "Stiffness of the stops at both ends of the stroke."),
    STRUT(crush_force, "N", INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM,
          "Force at which the core crushes."),
    STRUT(crush_stroke, "m", INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM,
          "Length of the core that can be crushed."),
    STRUT(limit, "N", INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM,
          "A larger force, either way, breaks the link for good."),
};

#define LATCH(type, member, unit, initial, flags, doc) \
    ROW(type, fender_link_latch, member, unit, 0, initial, flags, NULL, doc)
static const fender_field latch_fields[] = {
    LATCH(FENDER_FIELD_REAL, distance, "m", 0, FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM,
          "Largest distance of its points for capture."),
    LATCH(FENDER_FIELD_REAL, angle, "rad", INFINITY, FENDER_FIELD_NONE_ALLOWED,
          "Largest deviation of its axes from alignment for capture."),
    LATCH(FENDER_FIELD_REAL, speed, "m/s", INFINITY, FENDER_FIELD_NONE_ALLOWED,
          "Largest relative speed of its points for capture."),
    LATCH(FENDER_FIELD_VEC3, stiffness, "N/m", 0, FENDER_FIELD_REQUIRED, "Stiffness along the axes of point a."),
    LATCH(FENDER_FIELD_VEC3, damping, "N*s/m", 0, 0, "Damping along the axes of point a."),
    LATCH(FENDER_FIELD_VEC3, angular_stiffness, "N*m/rad", 0, 0,
          "Stiffness against rotation about the axes of point a."),
    LATCH(FENDER_FIELD_VEC3, angular_damping, "N*m*s/rad", 0, 0, "Damping of rotation about the axes of point a."),
    LATCH(FENDER_FIELD_BOOL, facing, "1", 0, 0,
          "Aligned, the x axes of the points face each other and the z axes agree; else all axes agree."),
    LATCH(FENDER_FIELD_REAL, limit, "N", INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM,
          "A larger force breaks the link for good."),
    LATCH(FENDER_FIELD_REAL, angular_limit, "N*m", INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM,
          "A larger torque breaks the link for good."),
    LATCH(FENDER_FIELD_REAL, pull_rate, "m/s", 0, 0,
          "Rate at which it pulls its points together after capture; 0: not at all."),
    LATCH(FENDER_FIELD_REAL, pull_angular_rate, "rad/s", 0, 0,
          "Rate at which it then turns its axes into alignment; 0: not at all."),
};

#define CONTACT(type, member, unit, initial, flags, choices, doc) \
    ROW(type, fender_link_contact_law, member, unit, 0, initial, flags, choices, doc)
static const fender_field contact_fields[] = {
    CONTACT(FENDER_FIELD_REAL, free_length, "m", 0, FENDER_FIELD_REQUIRED, NULL,
            "Length at which the law's depth is 0."),
    CONTACT(FENDER_FIELD_ENUM, acts, "1", FENDER_LINK_PUSH, 0, acts_names,
            "push: the depth increases as the link shortens; pull: as it lengthens."),
    CONTACT(FENDER_FIELD_REAL, limit, "N", INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM, NULL,
            "A larger force, either way, breaks the link for good."),
};

static const char *const motion_names[] = {"line", "axis", "hinge", NULL};

#define FRICTION(type, member, unit, initial, flags, choices, doc) \
    ROW(type, fender_link_friction, member, unit, 0, initial, flags, choices, doc)
static const fender_field friction_fields[] = {
    FRICTION(FENDER_FIELD_ENUM, motion, "1", FENDER_FRICTION_LINE, 0, motion_names,
             "line: of the length; axis: of point b along the x axis of point a; hinge: of rotation about that axis."),
    FRICTION(FENDER_FIELD_REAL, load, "N", INFINITY, FENDER_FIELD_NONE_ALLOWED, NULL,
             "Normal force; none: that of the normal law at the depth."),
    FRICTION(FENDER_FIELD_REAL, depth, "m", 0, 0, NULL, "Depth to which the surfaces are pressed."),
    FRICTION(FENDER_FIELD_REAL, radius, "m", INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM, NULL,
             "Radius of the gap, for laws that follow from the surfaces."),
    FRICTION(FENDER_FIELD_REAL, arm, "m", 0, 0, NULL, "Radius of a hinge at which its friction acts."),
};

static const char *const mode_names[] = {"length", "rate", "force", "free", NULL};

#define ACTUATOR(type, member, unit, minimum, initial, flags, choices, doc) \
    ROW(type, fender_link_actuator, member, unit, minimum, initial, flags, choices, doc)
static const fender_field actuator_fields[] = {
    ACTUATOR(FENDER_FIELD_ENUM, mode, "1", 0, 0, 0, mode_names,
             "What is commanded at the start: length, rate, force, or nothing (free)."),
    ACTUATOR(FENDER_FIELD_REAL, length, "m", 0, 0, FENDER_FIELD_REQUIRED, NULL,
             "Length at which its motor stands at the start."),
    ACTUATOR(FENDER_FIELD_REAL, rate, "m/s", -INFINITY, 0, 0, NULL, "Rate of the motor at the start, in mode rate."),
    ACTUATOR(FENDER_FIELD_REAL, force, "N", -INFINITY, 0, 0, NULL,
             "Force at the start, in mode force; positive pushes the ends apart."),
    ACTUATOR(FENDER_FIELD_REAL, stiffness, "N/m", 0, 0, 0, NULL,
             "Stiffness of servo and brake about the motor; mode length and the brake need one."),
    ACTUATOR(FENDER_FIELD_REAL, damping, "N*s/m", 0, 0, 0, NULL, "Damping of the servo."),
    ACTUATOR(FENDER_FIELD_REAL, rate_limit, "m/s", 0, INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM,
             NULL, "Rate at which it goes to a commanded length; the largest of commanded rates."),
    ACTUATOR(FENDER_FIELD_REAL, stroke_min, "m", 0, 0, 0, NULL, "Length at its lower stop."),
    ACTUATOR(FENDER_FIELD_REAL, stroke_max, "m", 0, INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM,
             NULL, "Length at its upper stop."),
    ACTUATOR(FENDER_FIELD_REAL, stop_stiffness, "N/m", 0, 0, 0, NULL, "Stiffness of both stops."),
    ACTUATOR(FENDER_FIELD_REAL, force_limit, "N", 0, INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM,
             NULL, "Force of the servo, either way, at which it slips."),
    ACTUATOR(FENDER_FIELD_BOOL, back_drive, "1", 0, 1, 0, NULL, "false: it never slips, it holds against any force."),
    ACTUATOR(FENDER_FIELD_BOOL, locked, "1", 0, 0, 0, NULL, "Its brake is on at the start."),
    ACTUATOR(FENDER_FIELD_REAL, brake, "N", 0, INFINITY, FENDER_FIELD_NONE_ALLOWED, NULL,
             "Force that the brake holds against."),
    ACTUATOR(FENDER_FIELD_REAL, back_drive_friction, "N", 0, 0, 0, NULL, "Force that it resists with while free."),
    ACTUATOR(FENDER_FIELD_REAL, limit, "N", 0, INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM, NULL,
             "A larger force, either way, breaks the link for good."),
};

#define MAGNET(member, unit, minimum, initial, flags, doc) \
    ROW(FENDER_FIELD_REAL, fender_link_electromagnet, member, unit, minimum, initial, flags, NULL, doc)
static const fender_field magnet_fields[] = {
    MAGNET(constant, "N*m^2/A^2", 0, 0, 0, "K in the force K i^2 / (l + d0)^2; with offset."),
    MAGNET(offset, "m", 0, 0, 0, "d0; with constant."),
    MAGNET(holding_force, "N", 0, 0, 0, "Force at the length 0 m and current_limit; with half_distance."),
    MAGNET(half_distance, "m", 0, 0, 0, "Length at which the force is half as large; with holding_force."),
    MAGNET(range, "m", 0, INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM,
           "Length from which on it has no force."),
    MAGNET(current, "A", -INFINITY, 0, 0, "Current at the start."),
    MAGNET(current_limit, "A", 0, 0, FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM,
           "Largest current, either way."),
    MAGNET(damping, "N*s/m", 0, 0, 0, "Damping by eddy currents at the length 0 m and current_limit."),
};

static const struct {
    const char *name, *doc;
    fender_field_table parameters;
} laws[] = {
    {"spring_damper", "Spring and damper along the line between two points.",
     FENDER_FIELD_TABLE("spring_damper", axial_fields, fender_link_spring_damper)},
    {"spring_damper_6dof", "Bushing: springs and dampers along and about three axes.",
     FENDER_FIELD_TABLE("spring_damper_6dof", bushing_fields, fender_link_spring_damper_6dof)},
    {"tether", "Slack up to its length, then pulls.", FENDER_FIELD_TABLE("tether", tether_fields, fender_link_tether)},
    {"separation_spring", "Pushes its ends apart once, over its stroke.",
     FENDER_FIELD_TABLE("separation_spring", pusher_fields, fender_link_separation_spring)},
    {"strut", "A leg: spring that may crush, damper, end stops.",
     FENDER_FIELD_TABLE("strut", strut_fields, fender_link_strut)},
    {"latch", "Captures a point that comes near enough, then holds it as a bushing.",
     FENDER_FIELD_TABLE("latch", latch_fields, fender_link_latch)},
    {"contact_law", "The law of a contact type along the line between two points.",
     FENDER_FIELD_TABLE("contact_law", contact_fields, fender_link_contact_law)},
    {"actuator", "A linear actuator: motor, servo, stroke, brake.",
     FENDER_FIELD_TABLE("actuator", actuator_fields, fender_link_actuator)},
    {"electromagnet", "Attracts by a commanded current.",
     FENDER_FIELD_TABLE("electromagnet", magnet_fields, fender_link_electromagnet)},
    {"friction", "The friction of a contact type, of a guide or a hinge.",
     FENDER_FIELD_TABLE("friction", friction_fields, fender_link_friction)},
};
enum { LAW_COUNT = sizeof laws / sizeof laws[0] };

const char *fender_link_law_name(fender_link_law law) { return (unsigned)law < LAW_COUNT ? laws[law].name : NULL; }

const char *fender_link_law_doc(fender_link_law law) { return (unsigned)law < LAW_COUNT ? laws[law].doc : NULL; }

const fender_field_table *fender_link_law_parameters(fender_link_law law)
{
    return (unsigned)law < LAW_COUNT ? &laws[law].parameters : NULL;
}

static fender_status check_spent(const fender_link_spring_damper *p, fender_error *error)
{
    if (!p->spent_at_free_length || p->acts != FENDER_LINK_BOTH) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_VALUE, "spent_at_free_length", "a link that acts both ways is never spent",
                    "spent_at_free_length beside acts: both", "acts: push, or acts: pull",
                    "a separation spring has `acts: push`");
}

static fender_status check_pusher(const fender_link_separation_spring *p, fender_error *error)
{
    if (!(p->end_force > p->preload)) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_VALUE, "end_force",
                    "a separation spring pushes less at the end of its stroke than at its beginning",
                    "an end_force above the preload", "0 N to the preload", "");
}

static fender_status check_one_way(const fender_link_contact_law *p, fender_error *error)
{
    if (p->acts != FENDER_LINK_BOTH) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_VALUE, "acts", "a contact law pushes or pulls", "acts: both",
                    "acts: push, or acts: pull", "");
}

static fender_status check_pressed(const fender_link_friction *p, fender_error *error)
{
    if (isinf(p->load) && !(p->depth > 0))
        return fnd_fail(error, FENDER_STATUS_VALUE, "load", "friction needs what presses it", "neither load nor depth",
                        "a load, or a depth of more than 0 m", "load: 100 N");
    if (p->arm > 0 && p->motion != FENDER_FRICTION_HINGE)
        return fnd_fail(error, FENDER_STATUS_VALUE, "arm", "only friction of a hinge has an arm",
                        motion_names[p->motion], "motion: hinge, or no arm", "");
    return FENDER_STATUS_OK;
}

fender_status fender_link_check(const fender_link_def *def, fender_error *error)
{
    const fender_field_table *table = fender_link_law_parameters(def->law);
    if (!table || !def->parameters)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "law",
                        table ? "a link needs the parameters of its law"
                              : "the law of the link is none of the known ones",
                        "", "a fender_link_law and its parameters", "");
    fender_status status = fender_field_check(table, def->parameters, error);
    if (status) return status;
    if (def->curve && def->law != FENDER_LINK_STRUT)
        return fnd_fail(error, FENDER_STATUS_VALUE, "curve", "only a strut has a curve", laws[def->law].name,
                        "no curve", "");
    switch (def->law) {
    case FENDER_LINK_SPRING_DAMPER: return check_spent(def->parameters, error);
    case FENDER_LINK_SEPARATION_SPRING: return check_pusher(def->parameters, error);
    case FENDER_LINK_STRUT: return fnd_strut_check(def->parameters, def->curve, def->curve_count, error);
    case FENDER_LINK_CONTACT_LAW: return check_one_way(def->parameters, error);
    case FENDER_LINK_ACTUATOR: return fnd_actuator_check(def->parameters, error);
    case FENDER_LINK_ELECTROMAGNET: return fnd_magnet_check(def->parameters, error);
    case FENDER_LINK_FRICTION: return check_pressed(def->parameters, error);
    default: return FENDER_STATUS_OK;
    }
}

fender_status fnd_link_check_present(const fnd_link *link, fender_error *error)
{
    fender_link_def def = {
        .law = link->law, .parameters = link->parameters, .curve = link->curve, .curve_count = link->curve_count};
    fender_link_actuator present;
    if (link->law == FENDER_LINK_ACTUATOR) {
        present = *(const fender_link_actuator *)link->parameters;
        present.mode = link->memory.drive.mode;
        present.locked = link->memory.drive.locked;
        def.parameters = &present;
    }
    return fender_link_check(&def, error);
}

/* ---- Commands ---- */

double *fnd_link_free_length(fender_link_law law, void *parameters)
{
    switch (law) {
    case FENDER_LINK_SPRING_DAMPER: return &((fender_link_spring_damper *)parameters)->free_length;
    case FENDER_LINK_TETHER: return &((fender_link_tether *)parameters)->length;
    case FENDER_LINK_SEPARATION_SPRING: return &((fender_link_separation_spring *)parameters)->free_length;
    case FENDER_LINK_STRUT: return &((fender_link_strut *)parameters)->free_length;
    case FENDER_LINK_CONTACT_LAW: return &((fender_link_contact_law *)parameters)->free_length;
    case FENDER_LINK_ACTUATOR: return &((fender_link_actuator *)parameters)->length;
    case FENDER_LINK_SPRING_DAMPER_6DOF:
    case FENDER_LINK_LATCH:
    case FENDER_LINK_ELECTROMAGNET:
    case FENDER_LINK_FRICTION: break;
    }
    return NULL;
}

static fnd_link_drive at_rest(const fnd_link *link, double time)
{
    const double *length = fnd_link_free_length(link->law, link->parameters);
    return (fnd_link_drive){.length = length ? *length : 0,
                            .since = time,
                            .target = (double)INFINITY,
                            .until = (double)INFINITY,
                            .aim = length ? *length : 0};
}

void fnd_drive_begin(fnd_link *link, double time)
{
    fnd_link_drive *d = &link->memory.drive;
    *d = at_rest(link, time);
    if (link->law == FENDER_LINK_ELECTROMAGNET) d->aim = ((const fender_link_electromagnet *)link->parameters)->current;
    d->commanded = link->law == FENDER_LINK_ELECTROMAGNET || link->law == FENDER_LINK_ACTUATOR; /* from the start on */
    if (link->law != FENDER_LINK_ACTUATOR) return;
    const fender_link_actuator *p = link->parameters;
    d->mode = p->mode;
    d->locked = p->locked;
    if (d->mode == FENDER_ACTUATOR_RATE) d->aim = p->rate;
    if (d->mode == FENDER_ACTUATOR_FORCE) d->aim = p->force;
    fnd_actuator_restart(link, time, d->length);
}

/* The one expression of its motion: what a trial step sees, and what decides that it has arrived. */
static double unlimited(const fnd_link_drive *d, double time) { return d->length + d->rate * (time - d->since); }

/* Distance to the target; negative beyond it. */
static double way_left(const fnd_link_drive *d, double time)
{
    return d->rate < 0 ? unlimited(d, time) - d->target : d->target - unlimited(d, time);
}

static bool has_arrived(const fnd_link_drive *d, double time) { return d->rate != 0 && !(way_left(d, time) > 0); }

double fnd_drive_length(const fnd_link_drive *d, double time, bool held, double *rate)
{
    *rate = 0;
    if (d->rate == 0) return d->length;
    if (!held && way_left(d, time) < 0) return d->target; /* at the very time of arrival it still moves */
    *rate = d->rate;
    return unlimited(d, time);
}

bool fnd_drive_valid(const fnd_link_drive *d)
{
    return isfinite(d->length) && isfinite(d->since) && isfinite(d->rate) && isfinite(d->aim) && isfinite(d->work) &&
           isfinite(d->pull_since) && d->pull_rate >= 0 && d->pull_spin >= 0 && !isnan(d->target) && !isnan(d->until) &&
           d->mode >= FENDER_ACTUATOR_LENGTH && d->mode <= FENDER_ACTUATOR_FREE;
}

/* ---- Evaluation ---- */

static fnd_link_place place_of(const fnd_contact_model *model, int point)
{
    assert(point >= 0 && model->points[point].body < model->body_count);
    const fender_pose *X_SP = &model->points[point].X_SP;
    const fnd_body *body = &model->bodies[model->points[point].body];
    return (fnd_link_place){
        .arm = fender_quaternion_rotate(body->q_RS, fender_vec3_sub(X_SP->p, body->root_center_S)),
        .turn = fender_quaternion_product(body->q_RS, X_SP->q),
    };
}

void fnd_link_place_ends(fnd_link *link, const fnd_contact_model *model)
{
    link->place_a = place_of(model, link->point_a);
    link->place_b = place_of(model, link->point_b);
}

/* On a tree with moving parts. */
static void follow_part(const fnd_contact_model *model, const fnd_body *body, int point, fnd_link_end *e)
{
    e->moved = place_of(model, point);
    e->carrier = fnd_part_carrier(body, e->frame);
    e->place = &e->moved;
    e->frame = &e->carrier;
}

/* Lever and velocity of an end whose frame and place are known. */
static inline void find_end(fnd_link_end *e)
{
    e->lever = fender_mat3_times(&e->frame->R_WB, e->place->arm);
    e->velocity = fender_vec3_add(e->frame->v, fender_vec3_cross(e->frame->w, e->lever));
}

static double largest(double a, double b) { return a > b ? a : b; }

static double spread(fender_vec3 v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }

/* Length below which points coincide: 1e5 units of rounding of what their positions are sums of. A difference of that
 * length has the direction of the motion to some 1e-5 rad, and a link that pushes along it keeps the angle that it
 * begins with. Far away that is a thousandth of the link's own length at most, so that a link that is pressed short
 * keeps its line, but 16 units at least, below which rounding leaves no direction. `own`: 0 if it has none. */
static double coincidence(const fnd_link_end *a, const fnd_link_end *b, double own)
{
    const double unit = DBL_EPSILON * (spread(a->frame->p) + spread(b->frame->p) + spread(a->lever) + spread(b->lever));
    const double most = own > 0 ? largest(1e-3 * own, 16 * unit) : (double)INFINITY;
    return 1e5 * unit < most ? 1e5 * unit : most;
}

/* Does it push apart points that coincide? */
static bool opens(const fnd_link *link, const fnd_link_value *v)
{
    const fnd_link_drive *d = &link->memory.drive;
    const bool by_force = link->law == FENDER_LINK_ACTUATOR && d->mode == FENDER_ACTUATOR_FORCE;
    return by_force ? d->aim > 0 : v->free_length > 0;
}

/* Unit vector from a to b. Where the points coincide but for rounding, what is left of their difference has any
 * direction, so that a link that opens there has that of the x axis of a. Other links have no force there, or vanish
 * with the difference: they need its direction, whatever its size. */
static fender_vec3 direction_of(const fnd_link *link, const fnd_link_end *a, const fnd_link_end *b, fender_vec3 apart,
                                fnd_link_value *v)
{
    v->blind = !(v->length > 0) || (opens(link, v) && v->length < coincidence(a, b, v->free_length));
    return v->blind ? fender_quaternion_rotate(fnd_link_end_attitude(a), fender_vec3_make(1, 0, 0))
                    : fender_vec3_scale(1.0 / v->length, apart);
}

void fnd_link_evaluate(const fnd_link *link, const fnd_contact_model *model, const fnd_frame *frames, double time,
                       fnd_regime regime, const double *states, fnd_link_value *v)
{
    const fnd_body *body_a = &model->bodies[model->points[link->point_a].body], *root_a = &model->bodies[body_a->root];
    const fnd_body *body_b = &model->bodies[model->points[link->point_b].body], *root_b = &model->bodies[body_b->root];
    const fnd_link_memory *memory = &link->memory;
    *v = (fnd_link_value){.root_a = body_a->root, .root_b = body_b->root};
    v->time = time;
    v->free_length = fnd_drive_length(&memory->drive, time, regime == FND_REGIME_FROZEN, &v->free_rate);
    v->there = root_a->motion != FENDER_MOTION_MASS_ONLY && root_b->motion != FENDER_MOTION_MASS_ONLY;
    if (!v->there || (link->made && !memory->active)) return; /* not made yet: its points are nowhere */
    fnd_link_end a, b;
    a.frame = &frames[v->root_a], a.place = &link->place_a;
    b.frame = &frames[v->root_b], b.place = &link->place_b;
    if (body_a->moving) follow_part(model, body_a, link->point_a, &a);
    if (body_b->moving) follow_part(model, body_b, link->point_b, &b);
    find_end(&a);
    find_end(&b);
    /* positions are subtracted before anything is added */
    fender_vec3 apart = fender_vec3_add(fender_vec3_sub(b.frame->p, a.frame->p), fender_vec3_sub(b.lever, a.lever));
    v->lever_a = a.lever;
    v->lever_b = b.lever;
    v->length = fender_vec3_length(apart);
    const fender_vec3 direction = direction_of(link, &a, &b, apart, v);
    bool joined = v->root_a == v->root_b, alive = memory->active && !memory->spent && !memory->broken;
    /* between two immovable bodies, its energy could not be exchanged */
    alive = alive && (fnd_body_dynamic(root_a) || fnd_body_dynamic(root_b));
    if (!joined) v->rate = fender_vec3_dot(direction, fender_vec3_sub(b.velocity, a.velocity));
    v->alive = alive;
    v->acting = alive && !joined;
    v->crushed = memory->crushed;
    if (!alive) return;
    const bool held = regime == FND_REGIME_FROZEN;
    v->located = regime != FND_REGIME_CLIPPED;
    switch (link->law) {
    case FENDER_LINK_CONTACT_LAW: fnd_link_contact_evaluate(link, model, direction, regime, states, v); break;
    case FENDER_LINK_FRICTION: fnd_link_friction_evaluate(link, model, &a, &b, apart, direction, states, v); break;
    case FENDER_LINK_SPRING_DAMPER_6DOF:
    case FENDER_LINK_LATCH: fnd_bushing_evaluate(link, &a, &b, apart, held, v); break;
    case FENDER_LINK_STRUT: fnd_strut_evaluate(link, direction, held, v); break;
    case FENDER_LINK_ACTUATOR: fnd_actuator_evaluate(link, direction, held, v); break;
    case FENDER_LINK_ELECTROMAGNET: fnd_magnet_evaluate(link, direction, held, v); break;
    case FENDER_LINK_SPRING_DAMPER:
    case FENDER_LINK_TETHER:
    case FENDER_LINK_SEPARATION_SPRING: fnd_axial_evaluate(link, direction, held, v); break;
    }
    v->supplied_power += v->motor_power;
}

int fnd_link_add_limit(int count, int number, double limit, double size, double growth, fnd_link_root *roots)
{
    assert(count >= 0 && !(size < 0)); /* NaN passes: a force that is not finite is refused at commit */
    if (isinf(limit)) return count;
    roots[count] = (fnd_link_root){number, limit - size + 4 * DBL_EPSILON * limit, -growth};
    return count + 1;
}

/* Within one tree its length is constant: what its law gives changes only with what drives it. */
static bool changes(const fnd_link *link, const fnd_link_value *v)
{
    const fnd_link_drive *d = &link->memory.drive;
    return v->root_a != v->root_b || d->rate != 0 || d->pulling;
}

static int link_roots(const fnd_link *link, const fnd_contact_model *model, const fnd_link_value *v,
                      const double *states, double grain, fnd_link_root roots[FND_LINK_ROOT_CAPACITY])
{
    if (!v->alive || !changes(link, v)) return 0;
    switch (link->law) {
    case FENDER_LINK_SPRING_DAMPER_6DOF:
    case FENDER_LINK_LATCH: return fnd_bushing_roots(link, v, roots);
    case FENDER_LINK_STRUT: return fnd_strut_roots(link, v, grain, roots);
    case FENDER_LINK_ACTUATOR: return fnd_actuator_roots(link, v, grain, roots);
    case FENDER_LINK_ELECTROMAGNET: return fnd_magnet_roots(link, v, grain, roots);
    case FENDER_LINK_CONTACT_LAW:
    case FENDER_LINK_FRICTION: return fnd_link_contact_roots(link, model, v, states, grain, roots);
    case FENDER_LINK_SPRING_DAMPER:
    case FENDER_LINK_TETHER:
    case FENDER_LINK_SEPARATION_SPRING: return fnd_axial_roots(link, v, grain, roots);
    }
    return 0;
}

static fnd_link_fate link_judge(const fnd_link *link, const fnd_link_value *v)
{
    if (!v->there || !link->memory.active || link->memory.spent || link->memory.broken) return FND_LINK_GOES_ON;
    switch (link->law) {
    case FENDER_LINK_SPRING_DAMPER_6DOF:
    case FENDER_LINK_LATCH: return fnd_bushing_judge(link, v);
    case FENDER_LINK_STRUT: return fnd_strut_judge(link, v);
    case FENDER_LINK_ACTUATOR: return fnd_actuator_judge(link, v);
    case FENDER_LINK_ELECTROMAGNET: break;
    case FENDER_LINK_CONTACT_LAW:
    case FENDER_LINK_FRICTION: return fnd_link_contact_judge(link, v);
    case FENDER_LINK_SPRING_DAMPER:
    case FENDER_LINK_TETHER:
    case FENDER_LINK_SEPARATION_SPRING: return fnd_axial_judge(link, v);
    }
    return FND_LINK_GOES_ON;
}

bool fnd_links_overloaded(const fnd_dynamics *d)
{
    const fnd_evaluation *now = &d->evaluations[0];
    assert(d->committed_fresh);
    for (int i = 0; i < now->link_count; i++)
        if (link_judge(&d->links[i], &now->links[i]) == FND_LINK_BREAKS) return true;
    return false;
}

bool fnd_link_mode_valid(const fnd_link *link, int mode)
{
    if (link->law == FENDER_LINK_STRUT) return fnd_strut_mode_valid(link, mode);
    if (link->law == FENDER_LINK_ACTUATOR) return fnd_actuator_mode_valid(mode);
    return mode >= FND_LINK_SLACK && mode <= FND_LINK_CUT;
}

void fnd_link_release(const fender_env *env, fnd_link *link)
{
    const fender_field_table *table = fender_link_law_parameters(link->law);
    fnd_release(env, link->parameters, table->size);
    fnd_release(env, link->curve, (size_t)link->curve_count * sizeof *link->curve);
    fnd_text_release(env, link->name);
    *link = (fnd_link){.generation = link->generation, .use = -1};
}

/* ---- States ---- */

void fnd_links_place_states(fnd_dynamics *d)
{
    d->link_state_count = 0;
    d->link_states = NULL;
    for (int i = 0; i < d->link_count; i++) {
        fnd_link *link = &d->links[i];
        link->state_at = d->link_state_count;
        link->state_count = link->name && link->use >= 0 ? d->model->types[link->use].state_count : 0;
        d->link_state_count += link->state_count;
    }
}

/* Of a link at the state that is evaluated; NULL: its own. */
static const double *states_of(const fnd_dynamics *d, const fnd_link *link)
{
    return d->link_states && link->state_count > 0 ? d->link_states + link->state_at : NULL;
}

void fnd_links_states_pack(const fnd_dynamics *d, double *states)
{
    for (int i = 0; i < d->link_count; i++) {
        fnd_link *link = &d->links[i];
        if (link->state_count == 0) continue;
        const double *own = fnd_memory_states(&d->model->types[link->use], link->memory.law.bytes);
        for (int k = 0; k < link->state_count; k++) states[link->state_at + k] = own[k];
    }
}

void fnd_links_state_rates(const fnd_dynamics *d, const fnd_evaluation *e, const fnd_frame *frames,
                           const double *states, double *rates)
{
    assert(d->link_state_count == 0 || e->link_count == d->link_count);
    for (int i = 0; i < d->link_count && d->link_state_count > 0; i++) {
        const fnd_link *link = &d->links[i];
        if (link->state_count == 0) continue;
        const double *own = states + link->state_at;
        fnd_link_value moved = e->links[i];
        if (frames) fnd_link_evaluate(link, d->model, frames, moved.time, d->regime, own, &moved);
        fnd_link_contact_rates(link, d->model, &moved, own, rates + link->state_at);
    }
}

void fnd_links_look(const fnd_dynamics *d, int index, double time, fnd_link_value *v)
{
    assert(index >= 0 && index < d->link_count);
    const fnd_link *link = &d->links[index];
    fnd_link_evaluate(link, d->model, d->frames, time, FND_REGIME_FROZEN, states_of(d, link), v);
}

void fnd_links_evaluate(const fnd_dynamics *d, double time, const fnd_frame *frames, fnd_evaluation *e)
{
    assert(e->link_count == d->link_count);
    for (int i = 0; i < e->link_count; i++) {
        const fnd_link *link = &d->links[i];
        fnd_link_evaluate(link, d->model, frames, time, d->regime, states_of(d, link), &e->links[i]);
    }
}

/* ---- Steps ---- */

static fender_event event_at(const fnd_dynamics *d, int index, fender_event_kind kind, double time, double speed)
{
    assert(index >= 0 && index < d->link_count);
    const fnd_link *link = &d->links[index];
    fender_event event = {0};
    event.kind = kind;
    event.time = time;
    event.subject = FENDER_SUBJECT_LINK;
    event.link.link = fnd_link_id(d, index);
    event.link.body_a = fnd_body_id(d->model, d->model->points[link->point_a].body);
    event.link.body_b = fnd_body_id(d->model, d->model->points[link->point_b].body);
    event.link.speed = speed;
    return event;
}

static fender_event event_of(const fnd_dynamics *d, int index, fnd_link_fate fate, int said, double time,
                             const fnd_link_value *v)
{
    static const fender_event_kind kinds[] = {
        [FND_LINK_GOES_ON] = FENDER_EVENT_LAW, /* as the law of a link says */
        [FND_LINK_SPENT] = FENDER_EVENT_LINK_SPENT,     [FND_LINK_BREAKS] = FENDER_EVENT_LINK_BREAK,
        [FND_LINK_CATCHES] = FENDER_EVENT_LINK_CAPTURE, [FND_LINK_CRUSHES] = FENDER_EVENT_LINK_CRUSH,
        [FND_LINK_BOTTOMS] = FENDER_EVENT_LINK_BOTTOM,  [FND_LINK_LIMITS] = FENDER_EVENT_LINK_LIMIT};
    fender_event event = event_at(d, index, kinds[fate], time, fate == FND_LINK_CATCHES ? v->speed : v->rate);
    event.code = said;
    return event;
}

/* What is spent or broken ends no motion: nothing follows its end any more. */
static bool is_whole(const fnd_link *link) { return !link->memory.spent && !link->memory.broken; }

/* True if its free length reaches its target at this accepted state. `slips`: an actuator, which is not there. */
static bool arrives(const fnd_link *link, const fnd_link_value *v, bool *slips)
{
    *slips = false;
    if (!is_whole(link)) return false;
    bool there = link->law == FENDER_LINK_ACTUATOR && fnd_actuator_arrives(link, v, slips);
    return *slips ? there : has_arrived(&link->memory.drive, v->time);
}

/* Of links whose free length has reached its target. */
static bool announce_arrivals(const fnd_dynamics *d, const fnd_evaluation *now, double time, fnd_event_list *events)
{
    for (int i = 0; i < now->link_count; i++) {
        bool slips;
        if (is_whole(&d->links[i]) && fnd_latch_arrives(&d->links[i], time) &&
            !fnd_event_add(&d->env, events, event_at(d, i, FENDER_EVENT_LINK_LATCHED, time, now->links[i].speed)))
            return false;
        if (!arrives(&d->links[i], &now->links[i], &slips)) continue;
        const bool limit = d->links[i].memory.drive.limited;
        fender_event event = event_at(d, i, limit ? FENDER_EVENT_LINK_LIMIT : FENDER_EVENT_LINK_ARRIVE, time,
                                      now->links[i].rate);
        if (!fnd_event_add(&d->env, events, event)) return false;
    }
    return true;
}

bool fnd_links_announce(const fnd_dynamics *d, const fnd_evaluation *now, double time, fnd_event_list *events)
{
    assert(now->link_count == d->link_count);
    for (int i = 0; i < now->link_count; i++) {
        fnd_link_fate fate = link_judge(&d->links[i], &now->links[i]);
        const fnd_link *link = &d->links[i];
        int said = fnd_link_uses_type(link->law) && link->name && fate == FND_LINK_GOES_ON
                       ? fnd_link_contact_event(link, d->model, &now->links[i], states_of(d, link))
                       : 0;
        if (fate == FND_LINK_GOES_ON && said == 0) continue;
        if (!fnd_event_add(&d->env, events, event_of(d, i, fate, said, time, &now->links[i]))) return false;
    }
    return announce_arrivals(d, now, time, events);
}

/* The loss of what has been crushed [J]. */
static double crush(fnd_link *link, const fnd_link_value *v)
{
    fnd_link_memory *memory = &link->memory;
    const double lost = ((const fender_link_strut *)link->parameters)->crush_force * (v->crushed - memory->crushed);
    memory->damping_loss += lost;
    memory->crushed = v->crushed;
    return lost;
}

/* Losses, work and peaks of a step, or of its part, that ends now. */
static void sum_up(fnd_dynamics *d, int i, const fnd_evaluation *now, double time, const int *evaluations,
                   const double *weights, int count)
{
    fnd_link_memory *memory = &d->links[i].memory;
    for (int s = 0; s < count; s++) {
        memory->damping_loss += weights[s] * d->evaluations[evaluations[s]].links[i].damping_power;
        memory->drive.work += weights[s] * d->evaluations[evaluations[s]].links[i].motor_power;
    }
    const double force = now->links[i].force < 0 ? -now->links[i].force : now->links[i].force;
    if (force > memory->peak_force) {
        memory->peak_force = force;
        memory->peak_force_time = time;
    }
}

/* Updates the link at an accepted state. True if its force changes. */
static bool change_of(fnd_link *link, const fnd_contact_model *model, const fnd_link_value *v, const double *states,
                      double *released)
{
    fnd_link_memory *memory = &link->memory;
    fnd_link_fate fate = link_judge(link, v);
    memory->mode = v->mode;
    if (fate == FND_LINK_CATCHES) {
        memory->captured = true;
        memory->mode = FND_LINK_LOADED;
        memory->caught_position = v->position;
        memory->caught_turn = v->turn;
        fnd_latch_begin_pull(link, v->time);
        return true;
    }
    if (v->crushed > memory->crushed) {
        *released += crush(link, v);
        if (fate != FND_LINK_BREAKS) return fnd_strut_settle(link, v);
    }
    if (link->law == FENDER_LINK_ACTUATOR && fate != FND_LINK_BREAKS) return fnd_actuator_commit(link, v);
    if (fnd_link_uses_type(link->law) && fate == FND_LINK_GOES_ON) {
        double given_up;
        bool changed = fnd_link_contact_commit(link, model, v, states, &given_up);
        memory->damping_loss += given_up;
        *released += given_up;
        return changed;
    }
    if (fate != FND_LINK_SPENT && fate != FND_LINK_BREAKS) return false;
    if (fate == FND_LINK_SPENT) memory->spent = true;
    else memory->broken = true;
    memory->damping_loss += v->stored_energy; /* what it held is lost with it */
    *released += v->stored_energy;
    return true;
}

void fnd_links_commit(fnd_dynamics *d, const fnd_evaluation *now, double time, const int *evaluations,
                      const double *weights, int count, bool *changed, double *released)
{
    assert(now->link_count == d->link_count);
    assert(count >= 0);
    for (int i = 0; i < now->link_count; i++) {
        fnd_link *link = &d->links[i];
        fnd_link_memory *memory = &link->memory;
        const fnd_link_value *v = &now->links[i];
        sum_up(d, i, now, time, evaluations, weights, count);
        if (link->reach.end == time && link->reach.force > memory->peak_force) {
            memory->peak_force = link->reach.force;
            memory->peak_force_time = link->reach.force_time;
        }
        if (is_whole(link) && memory->drive.pulling && fnd_latch_commit(link, time)) *changed = true;
        bool slips;
        if (arrives(link, v, &slips) && !slips) {
            if (v->free_rate != 0) *changed = true;
            memory->drive.length = memory->drive.target;
            memory->drive.since = time;
            memory->drive.rate = 0;
        }
        if (change_of(link, d->model, v, states_of(d, link), released)) *changed = true;
    }
}

void fnd_links_show(fnd_dynamics *d, const fnd_evaluation *now, double time, const int *evaluations,
                    const double *weights, int count, double *released)
{
    assert(now->link_count == d->link_count);
    for (int i = 0; i < d->link_count; i++) {
        fnd_link *link = &d->links[i];
        link->accepted = link->memory;
        sum_up(d, i, now, time, evaluations, weights, count);
        if (now->links[i].crushed > link->memory.crushed) *released += crush(link, &now->links[i]);
    }
}

void fnd_links_show_accepted(fnd_dynamics *d)
{
    assert(d->link_count >= 0);
    for (int i = 0; i < d->link_count; i++) d->links[i].memory = d->links[i].accepted;
}

void fnd_links_adopt_modes(fnd_dynamics *d)
{
    assert(d->committed_fresh && d->evaluations[0].link_count == d->link_count);
    for (int i = 0; i < d->link_count; i++) d->links[i].memory.mode = d->evaluations[0].links[i].mode;
}

enum { ARRIVAL = 100 }; /* behind the roots of any law */

bool fnd_links_watch(const fnd_dynamics *d, const fnd_frame *frames, double time, fnd_crossing_list *out)
{
    for (int i = 0; i < d->link_count; i++) {
        fnd_link_value v;
        const double *states = states_of(d, &d->links[i]);
        fnd_link_evaluate(&d->links[i], d->model, frames, time, FND_REGIME_FROZEN, states, &v);
        double size = fender_vec3_length(frames[v.root_a].p) + fender_vec3_length(frames[v.root_b].p) +
                      fender_vec3_length(v.lever_a) + fender_vec3_length(v.lever_b);
        fnd_link_root roots[FND_LINK_ROOT_CAPACITY];
        int count = link_roots(&d->links[i], d->model, &v, states, 2 * DBL_EPSILON * size, roots);
        const fnd_link_drive *drive = &d->links[i].memory.drive;
        if (is_whole(&d->links[i]) && drive->rate != 0 && !isinf(drive->target) && !v.slips)
            roots[count++] = (fnd_link_root){ARRIVAL, way_left(drive, time), -fabs(drive->rate)};
        for (int k = 0; k < count; k++) {
            fnd_crossing crossing = {
                {UINT32_MAX, (uint32_t)i, 0}, FND_CROSSING_LINK, roots[k].number, roots[k].value, roots[k].rate};
            if (!fnd_crossing_add(&d->env, out, crossing)) return false;
        }
    }
    return true;
}
