/* A small plug-in; VARIANT says what is wrong with it, 0: nothing. */
#include <fender/plugin.h>

typedef struct push_parameters {
    double stiffness, damping;
} push_parameters;

static const fender_field push_fields[] = {
    {"stiffness", "N/m", "Spring constant.", FENDER_FIELD_REAL, offsetof(push_parameters, stiffness),
     FENDER_FIELD_REQUIRED, 0, INFINITY, 0, NULL},
    {"damping", "N*s/m", "Damping constant.", FENDER_FIELD_REAL, offsetof(push_parameters, damping), 0, 0, INFINITY, 0,
     NULL},
};

/* As the built-in law spring_damper. */
static void push_force(const void *parameters, const fender_contact_input *in, const void *memory,
                       fender_contact_output *out)
{
    const push_parameters *p = parameters;
    double spring = p->stiffness * in->depth, full = spring + p->damping * in->depth_rate;
    (void)memory;
    if (!(in->depth > 0)) return;
    out->force.z = full > 0 ? full : 0;
    out->damping_power = (out->force.z - spring) * in->depth_rate;
}

static double push_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    const push_parameters *p = parameters;
    (void)memory;
    return in->depth > 0 ? 0.5 * p->stiffness * in->depth * in->depth : 0;
}

static const fender_law push = {
#if VARIANT == 4
    .size = sizeof(fender_law) + 16,
#elif VARIANT == 5
    .size = offsetof(fender_law, stretch), /* what follows is of no law of then */
    .derivations = (const fender_derivation *)1,
#else
    .size = sizeof(fender_law),
#endif
    .kinds = FENDER_LAW_WHOLE,
#if VARIANT == 6
    .name = "spring_damper",
#else
    .name = "push",
#endif
    .doc = "Spring and damper that only pushes.",
    .parameters = FENDER_FIELD_TABLE("push", push_fields, push_parameters),
    .force = VARIANT == 7 ? NULL : push_force,
    .stored_energy = push_energy,
};

#if VARIANT != 1
const fender_plugin *fender_plugin_entry(void)
{
    static const fender_law *const laws[] = {&push, NULL};
    static const fender_plugin plugin = {
#if VARIANT == 3
        .size = sizeof(fender_plugin),
        .version = 99,
        .name = "variant",
        .laws = laws
#else
        FENDER_PLUGIN_HEAD,
        "variant",
        laws,
        NULL
#endif
    };
    return VARIANT == 2 ? NULL : &plugin;
}
#else
int nothing_of_fender(void);
int nothing_of_fender(void) { return push.size > 0; }
#endif

#if VARIANT == 8 /* needs what nobody has */
extern int fender_function_that_nobody_has(void);
int needs_it(void);
int needs_it(void) { return fender_function_that_nobody_has(); }
#endif
