/* A plug-in for tests: a law whose push is a function with known sensitivities of its parameters x1 to x4, each from 0
 * to 1. Ishigami: a = 7, b = 0.1. g: Sobol's, a = 0, 1, 4.5, 9. */
#include <fender/plugin.h>

typedef struct function_parameters {
    double function, x[4];
} function_parameters;

#define ROW(name, at)                                                                                    \
    {                                                                                                    \
        name, "1", "An input.", FENDER_FIELD_REAL, offsetof(function_parameters, at), 0, 0, 1, 0.5, NULL \
    }
static const fender_field fields[] = {{"function", "1", "0: Ishigami's, 1: Sobol's g.", FENDER_FIELD_REAL,
                                       offsetof(function_parameters, function), 0, 0, 1, 0, NULL},
                                      ROW("x1", x[0]),
                                      ROW("x2", x[1]),
                                      ROW("x3", x[2]),
                                      ROW("x4", x[3])};

static void push(const void *parameters, const fender_contact_input *in, const void *memory, fender_contact_output *out)
{
    const function_parameters *p = parameters;
    static const double a[] = {0, 1, 4.5, 9};
    double y[3], g = 1;
    (void)memory;
    for (int i = 0; i < 3; i++) y[i] = 3.14159265358979323846 * (2 * p->x[i] - 1);
    for (int i = 0; i < 4; i++) g *= (fabs(4 * p->x[i] - 2) + a[i]) / (1 + a[i]);
    double ishigami = sin(y[0]) + 7 * sin(y[1]) * sin(y[1]) + 0.1 * y[2] * y[2] * y[2] * y[2] * sin(y[0]);
    if (in->depth > 0) out->force.z = p->function > 0.5 ? g : ishigami;
}

static const fender_law law = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE,
    .name = "known_function",
    .doc = "A push with known sensitivities.",
    .parameters = FENDER_FIELD_TABLE("known_function", fields, function_parameters),
    .force = push,
};
static const fender_law *const laws[] = {&law, NULL};

const fender_plugin *fender_plugin_entry(void)
{
    static const fender_plugin plugin = {FENDER_PLUGIN_HEAD, "known_functions", laws, NULL};
    return &plugin;
}
