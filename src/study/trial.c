/* A study before its runs: its scenario, the first inputs that this takes, and every variable at its bounds. */
#include "run/run.h"
#include "scenario/geometry_cache.h"
#include "scenario/section.h"
#include "study/reading.h"

#include <math.h>
#include <string.h>

typedef struct trial {
    fnd_reader *reader;
    const fender_study *study;
    bool silent;               /* errors are not reported */
    bool hopeless;             /* there was one that other values cannot mend */
    fnd_diagnostics *warnings; /* of the inputs that are tried; NULL: they are not kept */
    bool taken;                /* these inputs are accepted */
} trial;

/* Does the setting of the variable name what is wrong, by its path or its value? */
static bool concerns(const fnd_variable *v, const fender_diagnostic *d, bool *path)
{
    const size_t n = strlen(v->path);
    *path = d->column <= (int)n;
    return strcmp(d->file, "--set") == 0 && strncmp(d->excerpt, v->path, n) == 0 && d->excerpt[n] == '=';
}

/* Of the value that the setting has, if it is one of a discrete variable; else of the variable. */
static const fnd_location *place_of(const fnd_variable *v, const fender_diagnostic *d)
{
    const char *const *values = v->settings ? v->settings : v->texts, *value = d->excerpt + strlen(v->path) + 1;
    for (int k = 0; values && k < v->distribution.count; k++)
        if (strcmp(values[k], value) == 0) return &v->places[k];
    return &v->location;
}

static bool is_unbounded(const fnd_distribution *d)
{
    return d->kind < FND_DISCRETE && !(isfinite(fnd_quantile(d, 0)) && isfinite(fnd_quantile(d, 1)));
}

/* Diagnostics of a setting are reported for the variable, or its value, that causes it. */
static void forward(void *ctx, const fender_diagnostic *d)
{
    trial *t = ctx;
    bool path;
    if (d->severity != FENDER_SEVERITY_ERROR) {
        const fnd_location place = {d->file, d->line, d->column, d->length, d->excerpt};
        if (d->severity == FENDER_SEVERITY_WARNING && t->warnings)
            fnd_diagnostic_add(t->warnings, d->severity, d->status, &place, d->message, d->found, d->expected,
                               d->suggestion);
        return;
    }
    if (t->silent) {
        t->hopeless = t->hopeless || strcmp(d->file, t->study->path) == 0;
        for (int i = 0; i < t->study->variable_count; i++)
            t->hopeless = t->hopeless || (concerns(&t->study->variables[i], d, &path) && path);
        return;
    }
    for (int i = 0; i < t->study->variable_count; i++) {
        const fnd_variable *v = &t->study->variables[i];
        if (!concerns(v, d, &path)) continue;
        const bool drawn = !path && d->status == FENDER_STATUS_VALUE && !t->study->list &&
                           is_unbounded(&v->distribution);
        const fnd_phrase remedy = fnd_phrase_make("within: [from, to, UNIT] bounds what is drawn%s%s",
                                                  d->suggestion[0] ? "; " : "", d->suggestion);
        fnd_complain(t->reader, path ? &v->path_place : place_of(v, d), d->status, d->message, d->found, d->expected,
                     drawn ? remedy.text : d->suggestion);
        return;
    }
    for (int i = 0; i < t->study->setting_count && strcmp(d->file, "--set") == 0; i++) {
        const char *name = t->study->settings[i].path;
        size_t n = strlen(name);
        if (strncmp(d->excerpt, name, n) != 0 || d->excerpt[n] != '=') continue;
        fnd_complain(t->reader, &t->study->setting_places[2 * i + (d->column > (int)n)], d->status, d->message,
                     d->found, d->expected, d->suggestion);
        return;
    }
    fnd_location location = {d->file, d->line, d->column, d->length, d->excerpt};
    fnd_diagnostic_add(t->reader->diagnostics, d->severity, d->status, &location, d->message, d->found, d->expected,
                       d->suggestion);
}

/* Only errors at places are forwarded. */
static void note_memory(fnd_reader *reader, const fender_error *error)
{
    if (error->status == FENDER_STATUS_MEMORY) reader->memory_failed = true;
}

static void note_units(fender_study *s, const fender_run *run)
{
    for (int i = 0; i < s->kept_count; i++) {
        fender_channel channel;
        int count;
        if (!s->kept[i].is_event && fender_channel_find(fender_run_world(run), s->expectations[i].channel.text,
                                                        &channel, 1, &count, NULL) == FENDER_STATUS_OK)
            s->kept[i].unit = fnd_arena_copy(&s->arena, channel.unit, strlen(channel.unit));
    }
}

/* 0 is the limit of these, which no run has: a mass may have them. */
static bool excludes_zero(const fnd_distribution *d)
{
    return (d->kind == FND_LOGNORMAL || d->kind == FND_WEIBULL) && !d->truncated;
}

/* Does the scenario take these inputs? */
static bool try_run(trial *t, fender_study *s, const fender_env *env, const double *inputs)
{
    fender_error error = {0};
    fender_scenario *scenario = fnd_study_build(s, env, inputs, true, &error);
    note_memory(t->reader, &error);
    if (!scenario) return false;
    scenario->expectations = s->expectations;
    scenario->expectation_count = s->kept_count;
    scenario->record_count = 0;
    fender_run_def def = {.scenario = scenario, .accept_residual = true};
    fender_run *run = fender_run_create(env, &def, &error);
    const bool taken = run != NULL;
    if (run) {
        note_units(s, run);
        fnd_outcomes_check(t->reader, s);
    }
    note_memory(t->reader, &error);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return taken;
}

/* ---- warnings of the inputs that are accepted first */

/* Adds a text to those that the study has told. */
static void note_told(trial *t, fender_study *s, const char *message)
{
    if (s->told_count == FND_TOLD_LIMIT) return;
    const char *copy = fnd_arena_copy(&s->arena, message, strlen(message));
    if (copy) s->told[s->told_count++] = copy;
    else t->reader->memory_failed = true;
}

typedef struct handing {
    trial *trial;
    fender_study *study;
} handing;

/* Takes a warning over into the diagnostics of the study, unless the inputs were refused. */
static void hand_over(void *ctx, const fender_diagnostic *d)
{
    const handing *h = ctx;
    const fnd_location place = {d->file, d->line, d->column, d->length, d->excerpt};
    if (!h->trial->taken) return;
    fnd_diagnostic_add(h->trial->reader->diagnostics, d->severity, d->status, &place, d->message, d->found, d->expected,
                       d->suggestion);
    note_told(h->trial, h->study, d->message);
}

/* Are the inputs accepted? If so, the study tells the warnings that `fender run` would tell of them. */
static bool try_and_tell(trial *t, fender_study *s, const fender_env *env, const double *inputs)
{
    handing h = {t, s};
    fender_env to = {.allocator = env->allocator, .report = hand_over, .report_ctx = &h};
    t->warnings = fnd_diagnostics_create(&to);
    if (!t->warnings) t->reader->memory_failed = true;
    t->taken = t->warnings && try_run(t, s, env, inputs);
    if (t->warnings && fnd_diagnostics_deliver(t->warnings, NULL) != FENDER_STATUS_OK) t->reader->memory_failed = true;
    t->warnings = NULL;
    return t->taken;
}

enum { TRIAL_RUNS = 100 };

/* The inputs of the first run, or of the first after it whose values are not refused: the others are failed rows. When
 * all are refused, what is wrong with the first one is reported. */
static void try_runs(trial *t, fender_study *s, const fender_env *env, double *inputs)
{
    t->silent = true;
    for (int64_t run = 0; run < s->runs && run < TRIAL_RUNS && !t->hopeless && !t->reader->memory_failed; run++) {
        fnd_study_inputs(s, run, inputs);
        if (try_and_tell(t, s, env, inputs)) {
            t->silent = false;
            return;
        }
    }
    t->silent = false;
    fnd_study_inputs(s, 0, inputs);
    (void)try_run(t, s, env, inputs);
}

/* A variable at a value, the others as they are. */
static void try_value(fnd_reader *reader, const fender_study *s, const fender_env *env, double *inputs, int column,
                      double value)
{
    const double first = inputs[column];
    fender_error error = {0};
    inputs[column] = value;
    fender_scenario *scenario = fnd_study_build(s, env, inputs, true, &error);
    note_memory(reader, &error);
    fender_scenario_destroy(scenario);
    inputs[column] = first;
}

/* Every variable at its bounds, discrete ones at each value. Of one variable the first error is told. */
static void try_bounds(fnd_reader *reader, const fender_study *s, const fender_env *env, double *inputs)
{
    for (int i = 0; i < s->variable_count && !s->list; i++) {
        const fnd_variable *v = &s->variables[i];
        const fnd_distribution *d = &v->distribution;
        const int count = d->kind == FND_DISCRETE ? d->count : d->kind < FND_ATTITUDE ? 2 : 0;
        for (int k = 0; k < count && fnd_diagnostics_error_count(reader->diagnostics) == 0; k++) {
            const double value = d->kind == FND_DISCRETE ? k : fnd_quantile(d, k);
            if (d->kind == FND_DISCRETE ? !fnd_study_takes(s, v, k)
                                        : !isfinite(value) || (value == 0 && excludes_zero(d)))
                continue;
            try_value(reader, s, env, inputs, v->column, value);
        }
    }
}

/* ---- paths */

/* The component of a vector or quaternion that a path ends with at a place, as ".x" or "[0]"; -1: none. */
static int component_at(const char *path, const char *at)
{
    static const char quaternion[] = "quaternion";
    const size_t above = (size_t)(at - path), length = sizeof quaternion - 1;
    if (at[0] == '[' && at[1] >= '0' && at[1] <= '3' && at[2] == ']' && !at[3]) return at[1] - '0';
    if (at[0] != '.' || !at[1] || at[2]) return -1;
    const char *letters = above > length && memcmp(at - length, quaternion, length) == 0 ? "wxyz" : "xyz";
    const char *found = strchr(letters, at[1]);
    return found ? (int)(found - letters) : -1;
}

/* Is `inner` at `outer` or below it? '*' stands for any name. */
static bool contains(const char *outer, const char *inner)
{
    const char *const paths[2] = {outer, inner};
    while (*outer && *inner) {
        const int component = component_at(paths[0], outer);
        if (component >= 0 && component == component_at(paths[1], inner)) return true;
        if (*outer == '*' || *inner == '*') {
            outer += strcspn(outer, ".[");
            inner += strcspn(inner, ".[");
        } else if (*outer++ != *inner++) return false;
    }
    return !*outer && (!*inner || *inner == '.' || *inner == '[');
}

static bool appends(const char *path) { return path[0] && path[strlen(path) - 1] == '+'; }

/* What one variable sets, another must not replace. A part below options that stand before it is set in each. */
static bool check_paths(fnd_reader *reader, const fender_study *s)
{
    for (int k = 1; k < s->variable_count; k++)
        for (int i = 0; i < k; i++) {
            const fnd_variable *a = &s->variables[i], *b = &s->variables[k];
            const bool above = contains(a->path, b->path), below = contains(b->path, a->path);
            if ((!above && !below) || appends(a->path) || appends(b->path) || (above && !below && a->settings))
                continue;
            fnd_complain(reader, &b->path_place, FENDER_STATUS_VALUE,
                         above && below ? fnd_phrase_make("'%s' sets what '%s' sets", b->id.name, a->id.name).text
                         : below        ? fnd_phrase_make("'%s' replaces what '%s' sets", b->id.name, a->id.name).text
                                 : fnd_phrase_make("'%s' sets a part of what '%s' sets", b->id.name, a->id.name).text,
                         fnd_shown(b->path).text, "paths of which none is another or a part of it",
                         "vary the whole or its parts; below options, parts are listed after them");
            return false;
        }
    return true;
}

/* Variables are set after `set`: what they replace would never act. */
static bool check_settings(fnd_reader *reader, const fender_study *s)
{
    for (int k = 0; k < s->setting_count; k++)
        for (int i = 0; i < s->variable_count; i++) {
            const char *path = s->settings[k].path;
            const fnd_variable *v = &s->variables[i];
            if (appends(path) || appends(v->path) || !contains(v->path, path)) continue;
            fnd_complain(reader, &s->setting_places[2 * k], FENDER_STATUS_VALUE,
                         fnd_phrase_make("the variable '%s' replaces what this sets", v->id.name).text,
                         fnd_shown(path).text, "a path that no variable sets", "leave one of both out");
            return false;
        }
    return true;
}

void fnd_study_try(fnd_reader *reader, fender_study *s, const char *path)
{
    trial t = {.reader = reader, .study = s};
    fender_env env = reader->env;
    fender_error error = {0};
    double *inputs = fnd_keep(reader, (size_t)s->input_count, sizeof *inputs);
    if (!check_paths(reader, s) || !check_settings(reader, s)) return;
    env.report = forward;
    env.report_ctx = &t;
    s->cache = fnd_geometry_cache_create(&reader->env);
    if (!inputs || !s->cache) {
        reader->memory_failed = true;
        return;
    }
    s->scenario = fnd_scenario_load_keeping(&env, s->cache, path, s->settings, s->setting_count, &error);
    note_memory(reader, &error);
    if (!s->scenario) return;
    fnd_study_read_conditions(reader, s);
    fnd_study_read_files(reader, s, &env, path);
    if (reader->memory_failed || fnd_diagnostics_error_count(reader->diagnostics) > 0) return;
    try_runs(&t, s, &env, inputs);
    try_bounds(reader, s, &env, inputs);
}
