/* The laws of links: their names and parameters. */
#include "base/error.h"
#include "dynamics/link.h"

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
          "Both ways; push: only while shorter than free; pull: only while longer."),
    AXIAL(FENDER_FIELD_BOOL, spent_at_free_length, "1", 0, 0, NULL,
          "Once loaded and at its free length again, it never acts any more."),
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
            "Where point b is in the frame of point a while unloaded."),
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
    TETHER(FENDER_FIELD_REAL, length, "m", 0, FENDER_FIELD_REQUIRED, "Length from which on it is taut."),
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
           "Way on which it pushes."),
    PUSHER(FENDER_FIELD_REAL, preload, "N", 0, FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM,
           "Force while pressed by the whole stroke."),
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
          "Force that the core crushes at."),
    STRUT(crush_stroke, "m", INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM,
          "How much of the core can be crushed."),
    STRUT(limit, "N", INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM,
          "A larger force, either way, breaks the link for good."),
};

#define LATCH(type, member, unit, initial, flags, doc) \
    ROW(type, fender_link_latch, member, unit, 0, initial, flags, NULL, doc)
static const fender_field latch_fields[] = {
    LATCH(FENDER_FIELD_REAL, distance, "m", 0, FENDER_FIELD_REQUIRED | FENDER_FIELD_ABOVE_MINIMUM,
          "It catches while its points are within this of each other."),
    LATCH(FENDER_FIELD_REAL, angle, "rad", INFINITY, FENDER_FIELD_NONE_ALLOWED,
          "It catches while its axes are within this of being aligned."),
    LATCH(FENDER_FIELD_REAL, speed, "m/s", INFINITY, FENDER_FIELD_NONE_ALLOWED,
          "It catches while its points move against each other by no more."),
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
};

#define CONTACT(type, member, unit, initial, flags, choices, doc) \
    ROW(type, fender_link_contact_law, member, unit, 0, initial, flags, choices, doc)
static const fender_field contact_fields[] = {
    CONTACT(FENDER_FIELD_REAL, free_length, "m", 0, FENDER_FIELD_REQUIRED, NULL,
            "Length at which the law's depth is 0."),
    CONTACT(FENDER_FIELD_ENUM, acts, "1", FENDER_LINK_PUSH, 0, acts_names,
            "push: the depth grows as it shortens; pull: as it lengthens."),
    CONTACT(FENDER_FIELD_REAL, limit, "N", INFINITY, FENDER_FIELD_NONE_ALLOWED | FENDER_FIELD_ABOVE_MINIMUM, NULL,
            "A larger force, either way, breaks the link for good."),
};

static const struct {
    const char *name, *doc;
    fender_field_table parameters;
} laws[] = {
    {"spring_damper", "Spring and damper along the line between two points.",
     FENDER_FIELD_TABLE("spring_damper", axial_fields, fender_link_spring_damper)},
    {"spring_damper_6dof", "Bushing: springs and dampers along and about three axes.",
     FENDER_FIELD_TABLE("spring_damper_6dof", bushing_fields, fender_link_spring_damper_6dof)},
    {"tether", "Slack up to its length, then it pulls.",
     FENDER_FIELD_TABLE("tether", tether_fields, fender_link_tether)},
    {"separation_spring", "Pushes its ends apart once, over its stroke.",
     FENDER_FIELD_TABLE("separation_spring", pusher_fields, fender_link_separation_spring)},
    {"strut", "A leg: spring that may crush, damper, end stops.",
     FENDER_FIELD_TABLE("strut", strut_fields, fender_link_strut)},
    {"latch", "Catches what comes near enough, then holds it as a bushing.",
     FENDER_FIELD_TABLE("latch", latch_fields, fender_link_latch)},
    {"contact_law", "The law of a contact type along the line between two points.",
     FENDER_FIELD_TABLE("contact_law", contact_fields, fender_link_contact_law)},
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
    return fnd_fail(error,
                    (fnd_fault){FENDER_STATUS_VALUE, "spent_at_free_length",
                                "a link that acts both ways is never spent", "spent_at_free_length beside acts: both",
                                "acts: push, or acts: pull", "a separation spring has `acts: push`"});
}

static fender_status check_pusher(const fender_link_separation_spring *p, fender_error *error)
{
    if (!(p->end_force > p->preload)) return FENDER_STATUS_OK;
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "end_force",
                                       "a separation spring pushes less at the end of its stroke than at its beginning",
                                       "an end_force above the preload", "0 N to the preload", ""});
}

static fender_status check_one_way(const fender_link_contact_law *p, fender_error *error)
{
    if (p->acts != FENDER_LINK_BOTH) return FENDER_STATUS_OK;
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "acts", "a contact law pushes or pulls", "acts: both",
                                       "acts: push, or acts: pull", ""});
}

fender_status fender_link_check(const fender_link_def *def, fender_error *error)
{
    const fender_field_table *table = fender_link_law_parameters(def->law);
    if (!table || !def->parameters)
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, "law",
                                           table ? "a link needs the parameters of its law"
                                                 : "the law of the link is none of the known ones",
                                           "", "a fender_link_law and its parameters", ""});
    fender_status status = fender_field_check(table, def->parameters, error);
    if (status) return status;
    if (def->curve && def->law != FENDER_LINK_STRUT)
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "curve", "only a strut has a curve",
                                           laws[def->law].name, "no curve", ""});
    switch (def->law) {
    case FENDER_LINK_SPRING_DAMPER: return check_spent(def->parameters, error);
    case FENDER_LINK_SEPARATION_SPRING: return check_pusher(def->parameters, error);
    case FENDER_LINK_STRUT: return fnd_strut_check(def->parameters, def->curve, def->curve_count, error);
    case FENDER_LINK_CONTACT_LAW: return check_one_way(def->parameters, error);
    default: return FENDER_STATUS_OK;
    }
}
