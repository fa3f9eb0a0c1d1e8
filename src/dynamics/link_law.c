/* The laws of links: their names and parameters. */
#include <fender/link.h>

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

static const struct {
    const char *name, *doc;
    fender_field_table parameters;
} laws[] = {
    {"spring_damper", "Spring and damper along the line between two points.",
     FENDER_FIELD_TABLE("spring_damper", axial_fields, fender_link_spring_damper)},
    {"spring_damper_6dof", "Bushing: springs and dampers along and about three axes.",
     FENDER_FIELD_TABLE("spring_damper_6dof", bushing_fields, fender_link_spring_damper_6dof)},
};
enum { LAW_COUNT = sizeof laws / sizeof laws[0] };

const char *fender_link_law_name(fender_link_law law) { return (unsigned)law < LAW_COUNT ? laws[law].name : NULL; }

const char *fender_link_law_doc(fender_link_law law) { return (unsigned)law < LAW_COUNT ? laws[law].doc : NULL; }

const fender_field_table *fender_link_law_parameters(fender_link_law law)
{
    return (unsigned)law < LAW_COUNT ? &laws[law].parameters : NULL;
}
