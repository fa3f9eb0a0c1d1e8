/* Files that only some values of discrete variables name, and runs take: read once, beside those of the scenario. */
#include "scenario/section.h"
#include "study/reading.h"

#include <string.h>

static void note_missing(void *ctx, const fender_diagnostic *d)
{
    bool *missing = ctx;
    *missing = *missing || d->status == FENDER_STATUS_FILE;
}

/* Does the scenario with these settings name a file that is not among those that were read? */
static bool needs_files(fnd_reader *reader, const fender_study *s, fender_override *settings, int count)
{
    bool missing = false;
    fender_env own = reader->env;
    fender_error error = {0};
    fnd_bundle bundle = {.allocator = own.allocator,
                         .overrides = settings,
                         .override_count = count,
                         .texts = (fnd_scenario_text *)s->scenario->texts,
                         .text_count = s->scenario->text_count,
                         .tree = s->scenario->tree,
                         .cache = s->cache};
    own.report = note_missing;
    own.report_ctx = &missing;
    fender_scenario_destroy(fnd_scenario_load_bundle(&own, NULL, &bundle, &error));
    if (error.status == FENDER_STATUS_MEMORY) reader->memory_failed = true;
    return missing;
}

static void forward_files(void *ctx, const fender_diagnostic *d)
{
    const fender_env *env = ctx;
    if (d->status == FENDER_STATUS_FILE) env->report(env->report_ctx, d);
}

/* Behind the texts that are there, whose order stays. */
static void add_texts(fnd_reader *reader, fender_study *s, const fender_scenario *from)
{
    const fnd_bundle known = {.texts = (fnd_scenario_text *)s->scenario->texts, .text_count = s->scenario->text_count};
    const size_t most = (size_t)known.text_count + (size_t)from->text_count;
    fnd_scenario_text *texts = fnd_keep(reader, most, sizeof *texts);
    int count = known.text_count;
    if (!texts) return;
    memcpy(texts, known.texts, (size_t)count * sizeof *texts);
    for (int i = 0; i < from->text_count; i++) {
        const fnd_scenario_text *t = &from->texts[i];
        if (fnd_bundle_find(&known, t->name)) continue;
        texts[count] = (fnd_scenario_text){fnd_keep_text(reader, t->name, strlen(t->name)),
                                           fnd_keep_text(reader, t->text, t->length), t->length};
        if (!texts[count].name || !texts[count].text) return;
        count++;
    }
    s->scenario->texts = texts;
    s->scenario->text_count = count;
}

void fnd_study_read_files(fnd_reader *reader, fender_study *s, const fender_env *env, const char *path)
{
    const int count = s->setting_count + 1; /* all other variables as the scenario has them */
    fender_override *settings = fnd_keep(reader, (size_t)count, sizeof *settings);
    fender_env own = *env;
    own.report = forward_files;
    own.report_ctx = (void *)env;
    for (int i = 0; settings && i < s->setting_count; i++) settings[i] = s->settings[i];
    for (int i = 0; settings && i < s->variable_count; i++) {
        const fnd_variable *v = &s->variables[i];
        const char *const *values = v->settings ? v->settings : v->texts;
        for (int k = 0; values && k < v->distribution.count; k++) {
            settings[count - 1] = (fender_override){v->path, values[k]};
            if (!fnd_study_takes(s, v, k) || !needs_files(reader, s, settings, count)) continue;
            fender_error error = {0};
            fender_scenario *scenario = fender_scenario_load(&own, NULL, path, settings, count, &error);
            if (scenario) add_texts(reader, s, scenario);
            if (error.status == FENDER_STATUS_MEMORY) reader->memory_failed = true;
            fender_scenario_destroy(scenario);
        }
    }
}
