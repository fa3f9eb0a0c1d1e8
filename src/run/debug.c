/* Notes about the life of contacts: touch, what their laws say, change of mode, release with what it all came to. */
#include "run/debug.h"

#include "record/channel.h"
#include "support/number.h"

#include <stdio.h>

enum { NAME_SIZE = 420 };

static const fnd_contact_type_description *type_of(const fender_run *run, const fender_event *event, int *index)
{
    fender_pair_explanation pair;
    if (fender_world_explain(run->world, event->contact.a, event->contact.b, &pair) != FENDER_STATUS_OK ||
        pair.use.index1 == 0)
        return NULL;
    *index = (int)pair.use.index1 - 1;
    return *index < run->scenario->contact_type_count ? &run->scenario->contact_types[*index] : NULL;
}

/* "broken", of the law whose modes are shown; "" without. */
static const char *mode_name(const fnd_contact_type_description *type, int mode)
{
    const fender_law *const laws[] = {type->law ? type->law : type->normal, type->friction};
    for (int i = 0; i < 2; i++) {
        if (!laws[i] || !laws[i]->mode_names) continue;
        for (int k = 0; laws[i]->mode_names[k]; k++)
            if (k == mode) return laws[i]->mode_names[k];
    }
    return "";
}

static const char *digits(char text[FND_NUMBER_SIZE], double value)
{
    (void)fnd_number_format_digits(value, 6, text, FND_NUMBER_SIZE);
    return text;
}

static void what_happened(char *text, size_t size, const fender_event *event, const fnd_contact_type_description *type)
{
    char a[FND_NUMBER_SIZE], b[FND_NUMBER_SIZE], c[FND_NUMBER_SIZE], d[FND_NUMBER_SIZE];
    if (event->kind == FENDER_EVENT_ESTABLISH)
        snprintf(text, size, "established, approaching at %s m/s",
                 digits(a, event->contact.depth_rate + 0.0)); /* no minus before 0 */
    else if (event->kind == FENDER_EVENT_LAW) snprintf(text, size, "event %d of its law", event->code);
    else if (event->kind == FENDER_EVENT_TERMINATE)
        snprintf(text, size, "terminated: since %s s impulse %s N*s, peak force %s N, depth %s m",
                 digits(a, event->contact.begin_time), digits(b, event->contact.impulse),
                 digits(c, event->contact.peak_force), digits(d, event->contact.peak_depth));
    else snprintf(text, size, "mode '%s'", mode_name(type, event->code));
}

void fnd_debug_tell(const fender_run *run)
{
    if (!run->env.report) return;
    for (int i = 0; i < run->moment.event_count; i++) {
        const fender_event *event = &run->moment.events[i];
        int index;
        if (event->subject != FENDER_SUBJECT_CONTACT) continue;
        const fnd_contact_type_description *type = type_of(run, event, &index);
        if (!type || !type->debug) continue;
        char name[NAME_SIZE], what[240], message[800], time[FND_NUMBER_SIZE];
        fnd_contact_name(run->world, event->contact.a, event->contact.b, event->contact.feature, name, sizeof name);
        what_happened(what, sizeof what, event, type);
        snprintf(message, sizeof message, "%s s  %s (%.63s) %s", digits(time, event->time), name, type->id.name, what);
        const fender_diagnostic note = {FENDER_SEVERITY_NOTE, FENDER_STATUS_OK, "", 0, 0, 0, "", message, "", "", ""};
        run->env.report(run->env.report_ctx, &note);
    }
}
