/* One run: inputs become settings, these a scenario, that a run, and its values outcomes. */
#include "study/study.h"

#include "analysis/contact_advice.h"
#include "run/run.h"
#include "support/io_error.h"
#include "support/json.h"
#include "support/memory.h"
#include "support/number.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

struct fender_study_settings {
    fender_env env;
    fnd_arena arena;
    fender_override *list;
    int count;
};

static const char *value_text(fnd_arena *arena, const fnd_variable *v, const double *inputs)
{
    char text[256], part[4][FND_NUMBER_SIZE];
    if (v->distribution.kind == FND_ATTITUDE || v->distribution.kind == FND_CONE) {
        for (int i = 0; i < 4; i++) fnd_number_format(inputs[v->column + i], part[i], sizeof part[i]);
        snprintf(text, sizeof text, "{quaternion: [%s, %s, %s, %s]}", part[0], part[1], part[2], part[3]);
    } else if (v->distribution.kind == FND_DIRECTION) {
        for (int i = 0; i < 3; i++) fnd_number_format(inputs[v->column + i], part[i], sizeof part[i]);
        snprintf(text, sizeof text, "[%s, %s, %s%s%.100s]", part[0], part[1], part[2], v->unit[0] ? ", " : "", v->unit);
    } else if (v->texts) {
        return (v->settings ? v->settings : v->texts)[(int)inputs[v->column]];
    } else {
        fnd_number_format(inputs[v->column], part[0], sizeof part[0]);
        snprintf(text, sizeof text, "%s%s%.100s", part[0], v->unit[0] ? " " : "", v->unit);
    }
    return fnd_arena_copy(arena, text, strlen(text));
}

static bool fill(const fender_study *study, fnd_arena *arena, const double *inputs, fender_override **list, int *count)
{
    *count = study->setting_count + study->variable_count;
    *list = FND_ARENA_NEW_ARRAY(arena, fender_override, (size_t)*count);
    if (!*list) return false;
    for (int i = 0; i < study->setting_count; i++) (*list)[i] = study->settings[i];
    for (int i = 0; i < study->variable_count; i++)
        (*list)[study->setting_count + i] = (fender_override){study->variables[i].path,
                                                              value_text(arena, &study->variables[i], inputs)};
    return !arena->failed;
}

fender_scenario *fnd_study_build(const fender_study *study, const fender_env *env, const double *inputs, bool sharing,
                                 fender_error *error)
{
    fnd_arena arena = fnd_arena_open(&env->allocator, 4096);
    fender_scenario *scenario = NULL;
    fnd_bundle bundle = {.allocator = env->allocator,
                         .texts = (fnd_scenario_text *)study->scenario->texts,
                         .text_count = study->scenario->text_count,
                         .tree = sharing ? study->scenario->tree : NULL,
                         .cache = sharing ? study->cache : NULL};
    if (fill(study, &arena, inputs, &bundle.overrides, &bundle.override_count))
        scenario = fnd_scenario_load_bundle(env, NULL, &bundle, error);
    else fnd_io_fail_memory(error, "the inputs of a run");
    fnd_arena_close(&arena);
    return scenario;
}

static bool in_range(const fender_study *study, int64_t run, fender_error *error)
{
    if (run >= 0 && run < study->runs) return true;
    char found[32], expected[64];
    snprintf(found, sizeof found, "%lld", (long long)run);
    snprintf(expected, sizeof expected, "0 to %lld", (long long)study->runs - 1);
    FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .message = "the study has no run with that number",
                .found = found, .expected = expected, .suggestion = "runs count from 0");
    return false;
}

fender_study_settings *fender_study_settings_create(const fender_study *study, const fender_env *env, int64_t run,
                                                    fender_error *error)
{
    if (!in_range(study, run, error)) return NULL;
    fender_study_settings *s = env->allocator.allocate(env->allocator.ctx, sizeof *s, _Alignof(max_align_t));
    if (s) {
        *s = (fender_study_settings){.env = *env, .arena = fnd_arena_open(&env->allocator, 4096)};
        double *inputs = FND_ARENA_NEW_ARRAY(&s->arena, double, (size_t)study->input_count);
        if (inputs) fnd_study_inputs(study, run, inputs);
        if (inputs && fill(study, &s->arena, inputs, &s->list, &s->count)) return s;
        fender_study_settings_destroy(s);
    }
    fnd_io_fail_memory(error, "the inputs of a run");
    return NULL;
}

const fender_override *fender_study_settings_list(const fender_study_settings *settings, int *count)
{
    *count = settings->count;
    return settings->list;
}

void fender_study_settings_destroy(fender_study_settings *settings)
{
    if (!settings) return;
    fender_allocator a = settings->env.allocator;
    fnd_arena_close(&settings->arena);
    a.release(a.ctx, settings, sizeof *settings);
}

fender_scenario *fender_study_scenario(const fender_study *study, const fender_env *env, int64_t run,
                                       fender_error *error)
{
    if (!in_range(study, run, error)) return NULL;
    fnd_arena arena = fnd_arena_open(&env->allocator, 4096);
    double *inputs = FND_ARENA_NEW_ARRAY(&arena, double, (size_t)study->input_count);
    fender_scenario *scenario = NULL;
    if (inputs) {
        fnd_study_inputs(study, run, inputs);
        scenario = fnd_study_build(study, env, inputs, false, error);
    } else fnd_io_fail_memory(error, "the inputs of a run");
    fnd_arena_close(&arena);
    return scenario;
}

fender_status fender_study_print(const fender_study *study, const fender_env *env, int64_t run,
                                 void (*put)(void *ctx, const char *text), void *ctx, fender_error *error)
{
    fender_scenario *scenario = fender_study_scenario(study, env, run, error);
    if (!scenario) return error ? error->status : FENDER_STATUS_VALUE;
    fnd_buffer text = fnd_buffer_open(&env->allocator);
    fender_status status = fnd_scenario_print(scenario, &text, error);
    if (status == FENDER_STATUS_OK) put(ctx, fnd_buffer_text(&text));
    fnd_buffer_close(&text);
    fender_scenario_destroy(scenario);
    return status;
}

static void fail_row(fnd_row *row, const fender_error *error)
{
    row->status = error->status == FENDER_STATUS_MEMORY ? FND_ROW_NONE : FND_ROW_FAILED;
    snprintf(row->reason, sizeof row->reason, "%s", error->message);
}

static void judge(const fender_study *study, fnd_row *row, double *slots)
{
    int at = 0;
    for (int i = 0; i < study->input_count; i++) {
        const fnd_variable *v = fnd_study_input_variable(study, i);
        slots[at++] = v->numbers ? v->numbers[(int)row->inputs[i]] : row->inputs[i] * v->scale;
    }
    for (int i = 0; i < study->kept_count; i++) slots[at++] = row->kept[i];
    for (int i = 0; i < study->outcome_count; i++)
        slots[at++] = row->outcomes[i] = fender_expression_value(study->outcomes[i].code, study->outcomes[i].count,
                                                                 slots);
}

/* ---- warnings of a run */

typedef struct warned {
    const fender_study *study;
    char text[sizeof((fnd_row *)0)->reason]; /* the last one that concerns this run; "": none */
} warned;

/* What the scenario says of itself in all runs was told with the study. What concerns a run's numbers has no file. */
static void note_warning(void *ctx, const fender_diagnostic *d)
{
    warned *w = ctx;
    if (d->severity != FENDER_SEVERITY_WARNING) return;
    for (int i = 0; d->file[0] && i < w->study->told_count; i++)
        if (strcmp(w->study->told[i], d->message) == 0) return;
    const size_t fit = fnd_utf8_fit(d->message, strlen(d->message), sizeof w->text - 1);
    memcpy(w->text, d->message, fit);
    w->text[fit] = 0;
}

/* Steps that are too long for contacts, as `fender run` tells before a run. False: no memory. */
static bool note_step(const fender_world *world, const fender_env *env, warned *w)
{
    fender_world_advice advice;
    if (fnd_world_advise_briefly(world, env, &advice) != FENDER_STATUS_OK) return false;
    for (int i = 0; i < advice.use_count; i++) {
        const fender_type_use *use = &advice.uses[i];
        const char *reason = use->step_too_long        ? ""
                             : use->friction_too_stiff ? " the friction of"
                             : use->slides_too_fast    ? " the sliding of"
                                                       : NULL;
        if (reason)
            snprintf(w->text, sizeof w->text, "the step is too long for%s contact type '%.64s'", reason,
                     use->type.name);
    }
    fender_world_advice_release(&advice);
    return true;
}

enum { MOST_SHAPES = 100 }; /* with more of them, to look at all pairs takes a part of a short run */

/* False: no memory. */
static bool note_start(const fender_run *run, const fender_env *env, warned *w)
{
    if (fender_shape_count(run->world) > MOST_SHAPES) return true;
    fnd_run_warn_of_pairs(run);
    fnd_run_warn_of_links(run);
    return fnd_run_warn_of_sizes(run) && note_step(run->world, env, w);
}

void fnd_study_evaluate(const fender_study *study, const fender_env *env, fnd_row *row)
{
    warned warnings = {.study = study};
    fender_env own = *env;
    own.report = note_warning;
    own.report_ctx = &warnings;
    fender_error error = {0};
    row->status = FND_ROW_OK;
    row->reason[0] = 0;
    row->hash = 0;
    for (int i = 0; i < study->kept_count; i++) row->kept[i] = (double)NAN;
    for (int i = 0; i < study->outcome_count; i++) row->outcomes[i] = (double)NAN;
    fnd_study_inputs(study, row->run, row->inputs);
    fender_scenario *scenario = fnd_study_build(study, &own, row->inputs, true, &error);
    if (scenario) { /* what the study keeps in place of what the scenario records and expects */
        scenario->expectations = study->expectations;
        scenario->expectation_count = study->kept_count;
        scenario->record_count = 0;
    }
    fender_run_def def = {.scenario = scenario, .accept_residual = true};
    fender_run *run = scenario ? fnd_run_create(&own, &def, true, &error) : NULL;
    char overlap[sizeof row->reason] = "";
    const bool overlaps = run && fnd_run_overlaps(run, overlap, sizeof overlap);
    fender_status status = run ? FENDER_STATUS_OK : error.status;
    if (run && !note_start(run, env, &warnings)) status = fnd_io_fail_memory(&error, "the warnings of a run");
    if (run && status == FENDER_STATUS_OK) status = fender_run_execute(run, &error);
    if (!run || (status != FENDER_STATUS_OK && status != FENDER_STATUS_EXPECTATION)) fail_row(row, &error);
    if (run) {
        const fender_run_summary *summary = fender_run_get_summary(run);
        row->hash = summary->hash;
        if (row->status == FND_ROW_OK && (overlaps || summary->verdict != FENDER_RUN_SOUND)) {
            row->status = FND_ROW_DOUBTFUL;
            if (overlaps) memcpy(row->reason, overlap, sizeof row->reason);
            else if (summary->reason_count > 0) snprintf(row->reason, sizeof row->reason, "%s", summary->reasons[0]);
        } else if (row->status == FND_ROW_OK) {
            memcpy(row->reason, warnings.text, sizeof row->reason);
        }
        for (int i = 0; i < study->kept_count && row->status < FND_ROW_FAILED; i++)
            row->kept[i] = summary->expectations[i].value;
    }
    if (row->status < FND_ROW_FAILED) judge(study, row, row->outcomes + study->outcome_count);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}
