/* Built-in controllers: updates, and what they remember from one sample to the next. */
#include "control/builtin.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Memory of one run: plain numbers, saved as they are. */
typedef struct memory {
    const fnd_builtin *builtin;
    const fender_allocator *allocator;
    double begun;                              /* SEQUENCE: time at which the step began */
    int step;                                  /* SEQUENCE */
    signed char on[FENDER_CONTROLLER_NUMBERS]; /* PHASE_PLANE: -1, 0, 1 */
} memory;

static int init(const fender_controller_setup *setup, void **state, char *message)
{
    const fender_allocator *a = setup->allocator;
    memory *m = a->allocate(a->ctx, sizeof *m, _Alignof(memory));
    if (!m) {
        snprintf(message, FENDER_CONTROLLER_MESSAGE, "there is no memory");
        return 1;
    }
    memset(m, 0, sizeof *m);
    m->builtin = setup->user;
    m->allocator = a;
    m->begun = setup->start_time;
    *state = m;
    return 0;
}

static int64_t save(void *state, void *bytes, size_t capacity)
{
    const size_t begin = offsetof(memory, begun), size = sizeof(memory) - begin;
    if (capacity >= size) memcpy(bytes, (const char *)state + begin, size);
    return (int64_t)size;
}

static int restore(void *state, const void *bytes, size_t size, char *message)
{
    memory *m = state;
    const size_t begin = offsetof(memory, begun);
    if (size != sizeof(memory) - begin) {
        snprintf(message, FENDER_CONTROLLER_MESSAGE, "these are not the bytes that it saved");
        return 1;
    }
    memory read = *m;
    memcpy((char *)&read + begin, bytes, size);
    if (read.step < 0 || (m->builtin->step_count > 0 && read.step > m->builtin->step_count)) {
        snprintf(message, FENDER_CONTROLLER_MESSAGE, "it has no such step");
        return 1;
    }
    *m = read;
    return 0;
}

static void destroy(void *state)
{
    const fender_allocator *a = ((memory *)state)->allocator;
    a->release(a->ctx, state, sizeof(memory));
}

static int update_table(void *state, double time, const double *inputs, double *outputs, char *message)
{
    const fnd_builtin *b = ((const memory *)state)->builtin;
    const int stride = b->output_count + 1;
    int row = 0;
    (void)inputs;
    (void)message;
    while (row + 1 < b->row_count && b->rows[(row + 1) * stride] <= time) row++;
    const double *at = b->rows + (ptrdiff_t)row * stride;
    const bool between = !b->hold && row + 1 < b->row_count && time > at[0];
    const double part = between ? (time - at[0]) / (at[stride] - at[0]) : 0;
    for (int i = 0; i < b->output_count; i++)
        outputs[i] = between ? at[1 + i] + part * (at[stride + 1 + i] - at[1 + i]) : at[1 + i];
    return 0;
}

static int update_pd(void *state, double time, const double *inputs, double *outputs, char *message)
{
    const fnd_builtin *b = ((const memory *)state)->builtin;
    (void)time;
    (void)message;
    for (int i = 0; i < b->output_count; i++) {
        const fnd_builtin_axis *a = &b->axes[i];
        const double u = a->offset + a->proportional * (a->target - inputs[2 * i]) - a->derivative * inputs[2 * i + 1];
        outputs[i] = u < a->least ? a->least : u > a->most ? a->most : u;
    }
    return 0;
}

static int update_phase_plane(void *state, double time, const double *inputs, double *outputs, char *message)
{
    memory *m = state;
    const fnd_builtin *b = m->builtin;
    (void)time;
    (void)message;
    for (int i = 0; i < b->output_count; i++) {
        const fnd_builtin_axis *a = &b->axes[i];
        const double e = a->target - inputs[2 * i] - a->lead * inputs[2 * i + 1];
        if (m->on[i] != 0 && m->on[i] * e < a->deadband - a->hysteresis) m->on[i] = 0;
        if (e > a->deadband) m->on[i] = 1;
        else if (e < -a->deadband) m->on[i] = -1;
        const double u = m->on[i] * a->level;
        outputs[i] = u < a->least ? a->least : u > a->most ? a->most : u;
    }
    return 0;
}

static int update_sequence(void *state, double time, const double *inputs, double *outputs, char *message)
{
    memory *m = state;
    const fnd_builtin *b = m->builtin;
    (void)message;
    while (m->step < b->step_count) {
        const fnd_builtin_step *step = &b->steps[m->step];
        const bool over = time - m->begun >= step->duration - 1e-12 * (fabs(time) + step->duration);
        const bool passed = step->input >= 0 &&
                            (inputs[step->input] > step->above || inputs[step->input] < step->below);
        if (!over && !passed) break;
        m->begun = time;
        m->step++;
    }
    /* after the last step its values stay */
    const int step = m->step < b->step_count ? m->step : b->step_count - 1;
    for (int i = 0; i < b->output_count; i++)
        if (!isnan(b->steps[step].values[i])) outputs[i] = b->steps[step].values[i];
    return 0;
}

const fender_controller *fnd_builtin_controller(fnd_builtin_kind kind)
{
    static const fender_controller controllers[] = {
        {FENDER_CONTROLLER_HEAD, "table", init, update_table, save, restore, destroy},
        {FENDER_CONTROLLER_HEAD, "pd", init, update_pd, save, restore, destroy},
        {FENDER_CONTROLLER_HEAD, "phase_plane", init, update_phase_plane, save, restore, destroy},
        {FENDER_CONTROLLER_HEAD, "sequence", init, update_sequence, save, restore, destroy},
    };
    return &controllers[kind];
}
