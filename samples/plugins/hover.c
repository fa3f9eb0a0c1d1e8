/* A controller as a shared library: holds a height by switching an engine on and off.
 * Build: cc -shared -fPIC -I INCLUDE -o hover.so hover.c; hover.yaml uses it.
 *
 * Inputs: height [m], rate [m/s]. Outputs: engine (0 or 1). Parameters: target [m], lead [s], band [m]. The engine is
 * on below the line height + lead * rate = target - band and off above target + band; between them it stays as it is.
 */
#include <fender/controller.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct hover {
    double target, lead, band;
    int on;
    long switched;
} hover;

static int init(const fender_controller_setup *setup, void **state, char *message)
{
    if (setup->input_count != 2 || setup->output_count != 1) {
        snprintf(message, FENDER_CONTROLLER_MESSAGE, "it has 2 inputs and 1 output, not %d and %d", setup->input_count,
                 setup->output_count);
        return 1;
    }
    hover *h = calloc(1, sizeof *h);
    if (!h) return 1;
    h->target = 10;
    h->band = 0.1;
    for (int i = 0; i < setup->parameter_count; i++) {
        const char *name = setup->parameter_names[i];
        if (strcmp(name, "target") == 0) h->target = setup->parameters[i];
        else if (strcmp(name, "lead") == 0) h->lead = setup->parameters[i];
        else if (strcmp(name, "band") == 0) h->band = setup->parameters[i];
        else {
            snprintf(message, FENDER_CONTROLLER_MESSAGE, "it has no parameter '%.60s'; target, lead, band", name);
            free(h);
            return 1;
        }
    }
    *state = h;
    return 0;
}

static int update(void *state, double time, const double *inputs, double *outputs, char *message)
{
    hover *h = state;
    double ahead = inputs[0] + h->lead * inputs[1];
    int on = ahead < h->target - h->band ? 1 : ahead > h->target + h->band ? 0 : h->on;
    (void)time;
    (void)message;
    h->switched += on != h->on;
    h->on = on;
    outputs[0] = on;
    return 0;
}

static int64_t save(void *state, void *bytes, size_t capacity)
{
    if (capacity >= sizeof(hover)) memcpy(bytes, state, sizeof(hover));
    return (int64_t)sizeof(hover);
}

static int restore(void *state, const void *bytes, size_t size, char *message)
{
    if (size != sizeof(hover)) {
        snprintf(message, FENDER_CONTROLLER_MESSAGE, "these are not the bytes of this controller");
        return 1;
    }
    memcpy(state, bytes, size);
    return 0;
}

static void destroy(void *state) { free(state); }

const fender_controller *fender_controller_entry(void)
{
    static const fender_controller controller = {FENDER_CONTROLLER_HEAD, "hover", init, update, save, restore, destroy};
    return &controller;
}
