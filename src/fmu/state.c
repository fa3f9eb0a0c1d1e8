/* States of an instance: everything but the scenario, as bytes with a checksum; the world by its snapshot. */
#include "fmu/state.h"

#include "run/checkpoint.h"
#include "support/file.h"

#include <math.h>
#include <string.h>

/* At the beginning of the bytes. */
typedef struct header {
    char mark[8];
    uint64_t scenario, checksum; /* checksum: of all that follows the header */
    uint64_t size;               /* of the whole */
} header;

typedef struct content {
    uint32_t mode, exchange, stop_defined, stale, trial, begun, parameters, inputs, states;
    uint32_t unused; /* no bytes between the members */
    double start_time, stop_time, time, last_time, trial_time;
} content;

static const char header_mark[8] = {'f', 'm', 'u', '-', 's', 't', '0', '1'};

static void append(fnd_buffer *to, const void *bytes, size_t size) { fnd_buffer_append(to, bytes, size); }

/* ---- writing */

static bool write_content(fnd_fmu_instance *f, fnd_buffer *to)
{
    const fnd_fmi_model *m = &f->model;
    content c = {.mode = (uint32_t)f->mode,
                 .exchange = f->exchange,
                 .stop_defined = f->stop_defined,
                 .stale = f->stale,
                 .trial = f->trial,
                 .begun = f->run->phase != FND_RUN_CREATED,
                 .parameters = (uint32_t)fnd_fmi_count(m, FND_FMI_PARAMETER),
                 .inputs = (uint32_t)fnd_fmi_count(m, FND_FMI_INPUT),
                 .states = (uint32_t)fnd_fmi_count(m, FND_FMI_STATE),
                 .start_time = f->start_time,
                 .stop_time = f->stop_time,
                 .time = f->time,
                 .last_time = f->last_time,
                 .trial_time = f->trial_time};
    header h = {.scenario = f->bundle_hash};
    memcpy(h.mark, header_mark, sizeof h.mark);
    append(to, &h, sizeof h);
    append(to, &c, sizeof c);
    append(to, f->parameters, c.parameters * sizeof(double));
    append(to, f->parameter_set, c.parameters * sizeof(bool));
    append(to, f->inputs, c.inputs * sizeof(double));
    append(to, f->input_set, c.inputs * sizeof(bool));
    append(to, f->states, c.states * sizeof(double));
    if (!fnd_run_append_state(f->run, to)) return false;
    h.size = to->length;
    h.checksum = fnd_text_hash(FND_TEXT_HASH_START, to->text + sizeof h, to->length - sizeof h);
    memcpy(to->text, &h, sizeof h);
    return true;
}

static fnd_fmu_status hand_out(fnd_fmu_instance *f, const void *bytes, size_t size, void **state)
{
    const fender_allocator *a = &f->env.allocator;
    fnd_fmu_state *s = a->allocate(a->ctx, sizeof *s + size, _Alignof(fnd_fmu_state));
    if (!s) return fnd_fmu_fail(f, "getFMUState", "there is no memory");
    s->size = size;
    memcpy(s->bytes, bytes, size);
    s->next = f->saved;
    f->saved = s;
    *state = s;
    return FND_FMU_OK;
}

static fnd_fmu_state *find(const fnd_fmu_instance *f, const void *state)
{
    for (fnd_fmu_state *s = f->saved; s; s = s->next)
        if (s == state) return s;
    return NULL;
}

fnd_fmu_status fnd_fmu_state_free(fnd_fmu_instance *f, void **state)
{
    if (!state) return fnd_fmu_fail(f, "freeFMUState", "the pointer is missing");
    if (!*state) return FND_FMU_OK;
    fnd_fmu_state **link = &f->saved;
    while (*link && *link != *state) link = &(*link)->next;
    if (!*link) return fnd_fmu_fail(f, "freeFMUState", "this is no state of the instance");
    fnd_fmu_state *s = *link;
    *link = s->next;
    f->env.allocator.release(f->env.allocator.ctx, s, sizeof *s + s->size);
    *state = NULL;
    return FND_FMU_OK;
}

fnd_fmu_status fnd_fmu_state_get(fnd_fmu_instance *f, void **state)
{
    if (!state) return fnd_fmu_fail(f, "getFMUState", "the pointer is missing");
    if (*state && !find(f, *state)) return fnd_fmu_fail(f, "getFMUState", "this is neither NULL nor a state");
    fnd_buffer buffer = fnd_buffer_open(&f->env.allocator);
    void *fresh = NULL;
    fnd_fmu_status status = write_content(f, &buffer) ? hand_out(f, buffer.text, buffer.length, &fresh)
                                                      : fnd_fmu_fail(f, "getFMUState", "the state cannot be taken now");
    fnd_buffer_close(&buffer);
    if (status != FND_FMU_OK) return status;
    if (*state) (void)fnd_fmu_state_free(f, state); /* the standard lets it be used again */
    *state = fresh;
    return FND_FMU_OK;
}

fnd_fmu_status fnd_fmu_state_bytes(fnd_fmu_instance *f, const void *state, const char **bytes, size_t *size)
{
    const fnd_fmu_state *s = find(f, state);
    if (!s || !size) return fnd_fmu_fail(f, "serializeFMUState", "this is no state of the instance");
    *bytes = s->bytes;
    *size = s->size;
    return FND_FMU_OK;
}

/* ---- reading */

fnd_fmu_status fnd_fmu_state_read(fnd_fmu_instance *f, const void *bytes, size_t size, void **state)
{
    header h;
    if (!bytes || !state) return fnd_fmu_fail(f, "deserializeFMUState", "a pointer is missing");
    bool good = size >= sizeof h + sizeof(content);
    if (good) {
        memcpy(&h, bytes, sizeof h);
        good = memcmp(h.mark, header_mark, sizeof h.mark) == 0 && h.size == size &&
               h.checksum == fnd_text_hash(FND_TEXT_HASH_START, (const char *)bytes + sizeof h, size - sizeof h);
    }
    if (!good) return fnd_fmu_fail(f, "deserializeFMUState", "these bytes are no state, or are damaged");
    if (h.scenario != f->bundle_hash)
        return fnd_fmu_fail(f, "deserializeFMUState", "these bytes are the state of another FMU");
    *state = NULL;
    return hand_out(f, bytes, size, state);
}

static bool are_finite(const char *at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double value;
        memcpy(&value, at + i * sizeof value, sizeof value);
        if (!isfinite(value)) return false;
    }
    return true;
}

static bool are_flags(const char *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (at[i] != 0 && at[i] != 1) return false;
    return true;
}

/* Where the parts of a state lie. */
typedef struct parts {
    content c;
    const char *parameters, *parameter_set, *inputs, *input_set, *states, *run;
    size_t run_size;
} parts;

static bool take_apart(const fnd_fmu_instance *f, const fnd_fmu_state *s, parts *p)
{
    const fnd_fmi_model *m = &f->model;
    size_t np = (size_t)fnd_fmi_count(m, FND_FMI_PARAMETER), ni = (size_t)fnd_fmi_count(m, FND_FMI_INPUT);
    size_t ns = (size_t)fnd_fmi_count(m, FND_FMI_STATE);
    size_t fixed = sizeof(header) + sizeof p->c + (np + ni) * (sizeof(double) + sizeof(bool)) + ns * sizeof(double);
    memcpy(&p->c, s->bytes + sizeof(header), sizeof p->c);
    const content *c = &p->c;
    bool mode = c->mode != 0 && c->mode <= FND_FMU_BROKEN && (c->mode & (c->mode - 1)) == 0;
    if (s->size <= fixed || c->parameters != np || c->inputs != ni || c->states != ns || !mode ||
        c->exchange != (uint32_t)f->exchange || (c->trial && !f->exchange))
        return false;
    p->parameters = s->bytes + sizeof(header) + sizeof p->c;
    p->parameter_set = p->parameters + np * sizeof(double);
    p->inputs = p->parameter_set + np * sizeof(bool);
    p->input_set = p->inputs + ni * sizeof(double);
    p->states = p->input_set + ni * sizeof(bool);
    p->run = p->states + ns * sizeof(double);
    p->run_size = s->size - fixed;
    return are_finite(p->parameters, np) && are_finite(p->inputs, ni) && are_finite(p->states, ns) &&
           are_flags(p->parameter_set, np) && are_flags(p->input_set, ni) && isfinite(c->start_time) &&
           isfinite(c->time) && isfinite(c->trial_time) && isfinite(c->last_time) && isfinite(c->stop_time);
}

static bool needs_other_world(const fnd_fmu_instance *f, const parts *p)
{
    size_t np = p->c.parameters;
    bool same = !f->stale && !p->c.stale && p->c.start_time == f->start_time &&
                (p->c.begun || f->run->phase == FND_RUN_CREATED);
    if (np > 0)
        same = same && memcmp(p->parameters, f->parameters, np * sizeof(double)) == 0 &&
               memcmp(p->parameter_set, f->parameter_set, np * sizeof(bool)) == 0;
    return !same;
}

static void take_over(fnd_fmu_instance *f, const parts *p)
{
    const content *c = &p->c;
    if (c->parameters > 0) {
        memcpy(f->parameters, p->parameters, c->parameters * sizeof(double));
        memcpy(f->parameter_set, p->parameter_set, c->parameters * sizeof(bool));
    }
    if (c->inputs > 0) {
        memcpy(f->inputs, p->inputs, c->inputs * sizeof(double));
        memcpy(f->input_set, p->input_set, c->inputs * sizeof(bool));
    }
    f->start_time = c->start_time;
    f->stop_time = c->stop_time;
    f->stop_defined = c->stop_defined != 0;
    f->time = c->time;
    f->last_time = c->last_time;
    f->mode = (fnd_fmu_mode)c->mode;
}

fnd_fmu_status fnd_fmu_state_set(fnd_fmu_instance *f, const void *state)
{
    static const char call[] = "setFMUState";
    const fnd_fmu_state *s = find(f, state);
    parts p;
    fender_error error = {0};
    if (!s) return fnd_fmu_fail(f, call, "this is no state of the instance");
    if (!take_apart(f, s, &p)) return fnd_fmu_fail(f, call, "the state does not fit this instance");
    bool other = needs_other_world(f, &p);
    take_over(f, &p);
    fender_status status = FENDER_STATUS_OK;
    if (p.c.stale) f->stale = true; /* the world is built anew anyway, before anything is read */
    else {
        if (other) status = fnd_fmu_rebuild(f, &error);
        take_over(f, &p); /* inputs that have been set stay so, whatever is in force at the start */
        if (status == FENDER_STATUS_OK) status = fnd_run_restore_state(f->run, p.run, p.run_size, &error);
    }
    f->verdict = status == FENDER_STATUS_OK && p.c.begun ? fnd_run_judge_so_far(f->run) : FENDER_RUN_SOUND;
    f->outputs_known = f->rates_known = f->gaps_known = false;
    f->trial = p.c.trial != 0;
    f->trial_time = p.c.trial_time;
    if (p.c.states > 0) memcpy(f->states, p.states, p.c.states * sizeof(double));
    if (status == FENDER_STATUS_OK) return FND_FMU_OK;
    f->mode = FND_FMU_BROKEN;
    return fnd_fmu_fail(f, call, "%s", error.message);
}
