/* Laws `input`, whose forces are provided from outside (S060, S061), and `none`, which gives no friction. */
#include "law/laws.h"

/* The contact type's provided forces, in the contact frame: functions of time alone. What they do to the bodies is
 * neither lost nor stored, but supplied. */
static void input_force(const void *parameters, const fender_contact_input *in, const void *memory,
                        fender_contact_output *out)
{
    (void)parameters, (void)memory;
    double normal = in->provided_normal;
    fender_vec2 friction = in->provided_friction;
    if (normal < 0) normal = 0;
    out->force = fender_vec3_make(friction.x, friction.y, normal);
    out->supplied_power = friction.x * in->slip.x + friction.y * in->slip.y - normal * in->depth_rate;
}

const fender_law fnd_law_input = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_NORMAL | FENDER_LAW_FRICTION,
    .name = "input",
    .doc = "Force that is provided from outside while the shapes touch, by a table or a function of the user's own; a "
           "normal force below zero counts as zero (S060).",
    .parameters = {"input", NULL, 0, sizeof(fender_field), 0},
    .force = input_force,
};

static void none_force(const void *parameters, const fender_contact_input *in, const void *memory,
                       fender_contact_output *out)
{
    (void)parameters, (void)in, (void)memory, (void)out;
}

const fender_law fnd_law_none = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "none",
    .doc = "No friction: the same as no friction law (S055).",
    .parameters = {"none", NULL, 0, sizeof(fender_field), 0},
    .force = none_force,
};
