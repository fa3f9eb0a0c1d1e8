/* Finding the channels that a pattern names, in a fixed order, or saying what would have been right. */
#include "record/channel_finder.h"
#include "text/fault.h"
#include "text/nearest.h"
#include "text/renamed.h"

#include <stdio.h>
#include <string.h>

/* ---- refusals */

void fnd_name_list_add(fnd_name_list *list, const char *name)
{
    size_t length = strlen(name), separator = list->used > 0 ? 2 : 0;
    if (list->cut) return;
    if (list->used + separator + length + sizeof ", ..." > sizeof list->text) {
        memcpy(list->text + list->used, ", ...", sizeof ", ...");
        list->cut = true;
        return;
    }
    if (separator) memcpy(list->text + list->used, ", ", 2);
    memcpy(list->text + list->used + separator, name, length + 1);
    list->used += separator + length;
}

fender_status fnd_finder_fail_unknown(const fnd_finder *f, const char *what, fnd_word word, const char *nearest,
                                      const fnd_name_list *names)
{
    char excerpt[100], message[300], expected[240], suggestion[280] = "`fender info channels` lists all";
    fnd_io_excerpt(excerpt, sizeof excerpt, word.text, word.length);
    snprintf(message, sizeof message, "%s '%s'", what, excerpt);
    if (names->used > 0) snprintf(expected, sizeof expected, "%s", names->text);
    else snprintf(expected, sizeof expected, "a name; there is none here");
    if (nearest) snprintf(suggestion, sizeof suggestion, "did you mean '%.120s'?", nearest);
    else if (names->used > 0) snprintf(suggestion, sizeof suggestion, "known here: %s", names->text);
    return fnd_io_fail(f->error, (fnd_io_fault){.status = FENDER_STATUS_NAME,
                                                .path = f->path.pattern,
                                                .message = message,
                                                .found = excerpt,
                                                .expected = expected,
                                                .suggestion = suggestion});
}

fender_status fnd_finder_fail(const fnd_finder *f, const char *message, const char *expected, const char *suggestion)
{
    char excerpt[160];
    fnd_io_excerpt(excerpt, sizeof excerpt, f->path.pattern, strlen(f->path.pattern));
    return fnd_io_fail(f->error, (fnd_io_fault){.status = FENDER_STATUS_NAME,
                                                .path = f->path.pattern,
                                                .message = message,
                                                .found = excerpt,
                                                .expected = expected,
                                                .suggestion = suggestion});
}

/* ---- numbers of one object */

fender_status fnd_finder_emit(fnd_finder *f, const fnd_target *t, const char *name, const char *component_name,
                              const char *unit, const fender_field *field, int component)
{
    fender_channel channel;
    memset(&channel, 0, sizeof channel);
    int length = snprintf(channel.name, sizeof channel.name, "%s%s%s%s", t->prefix, name[0] ? "." : "", name,
                          component_name);
    if (length < 0 || (size_t)length >= sizeof channel.name)
        return fnd_finder_fail(f, "the name of this channel is too long to be recorded", "at most 191 bytes",
                               "give the bodies and shapes shorter names");
    snprintf(channel.unit, sizeof channel.unit, "%s", unit);
    channel.source = t->source;
    channel.component = t->first_component + component;
    channel.a = t->a;
    channel.b = t->b;
    channel.field = field;
    if (f->count < f->capacity && f->channels) f->channels[f->count] = channel;
    f->count++;
    return FENDER_STATUS_OK;
}

static fender_status emit_components(fnd_finder *f, const fnd_target *t, const fnd_choice *c, const fnd_word *word)
{
    int count = fender_field_component_count(c->field);
    bool found = false;
    for (int i = 0; i < count; i++) {
        const char *name = fender_field_component_name(c->field, i);
        if (word && !fnd_word_fits(*word, name[0] == '.' ? name + 1 : name)) continue;
        fender_status status = fnd_finder_emit(f, t, c->name, name, c->field->unit, c->field, i);
        if (status != FENDER_STATUS_OK) return status;
        found = true;
    }
    if (found) return FENDER_STATUS_OK;
    fnd_name_list names = {.used = 0};
    for (int i = 0; i < count && count > 1; i++)
        fnd_name_list_add(&names, fender_field_component_name(c->field, i) + 1);
    return fnd_finder_fail_unknown(f, count > 1 ? "there is no component" : "a plain number has no component", *word,
                                   NULL, &names);
}

fender_status fnd_finder_emit_choices(fnd_finder *f, const fnd_target *t, const fnd_choice *choices, int count,
                                      int first, const char *what)
{
    const fnd_channel_path *path = &f->path;
    if (path->count <= first) {
        fnd_name_list names = {.used = 0};
        char suggestion[320];
        for (int i = 0; i < count; i++) fnd_name_list_add(&names, choices[i].name);
        snprintf(suggestion, sizeof suggestion, "append '.*' for all of them, or one of: %s", names.text);
        return fnd_finder_fail(f, "the path does not say what is to be read", names.text, suggestion);
    }
    if (path->count > first + 2)
        return fnd_finder_fail(f, "the path goes on after a number", "a field and perhaps one component",
                               "leave out the end of it");
    const fnd_word *component = path->count == first + 2 ? &path->words[first + 1] : NULL;
    bool found = false;
    for (int i = 0; i < count; i++) {
        if (!fnd_word_fits(path->words[first], choices[i].name)) continue;
        fender_status status = emit_components(f, t, &choices[i], component);
        if (status != FENDER_STATUS_OK) return status;
        found = true;
    }
    if (found) return FENDER_STATUS_OK;
    fnd_nearest search = fnd_nearest_begin(path->words[first].text, path->words[first].length);
    fnd_name_list names = {.used = 0};
    for (int i = 0; i < count; i++) {
        fnd_nearest_offer(&search, choices[i].name);
        fnd_name_list_add(&names, choices[i].name);
    }
    return fnd_finder_fail_unknown(f, what, path->words[first], search.best, &names);
}

int fnd_choices_of_table(const fender_field_table *table, fnd_choice choices[CHOICE_LIMIT])
{
    int count = 0;
    for (const fender_field *field; count < CHOICE_LIMIT && (field = fender_field_at(table, count)); count++)
        choices[count] = (fnd_choice){field->name, field};
    return count;
}

/* ---- sections */

static fender_status find_time(fnd_finder *f)
{
    fnd_target t = {"time", FND_CHANNEL_TIME, 0, 0, 0};
    if (f->path.count > 1) return fnd_finder_fail(f, "time has no parts", "time", "leave out the end of it");
    return fnd_finder_emit(f, &t, "", "", "s", NULL, 0);
}

static fender_status find_bodies(fnd_finder *f)
{
    fnd_choice choices[CHOICE_LIMIT];
    const fender_world *world = f->world;
    int count = fnd_choices_of_table(fender_body_fields(), choices), bodies = fender_body_count(world);
    bool found = false;
    if (f->path.count < 2 || f->path.colon)
        return fnd_finder_fail(f, "this is no path of a body", "bodies.NAME.FIELD", "for example bodies.*.position");
    if (f->path.count > 2 && fnd_word_is(f->path.words[2], "state"))
        return fnd_finder_fail(f, "'state' is the initial state of a body, which cannot be recorded",
                               "the present state: bodies.NAME.position, .velocity, .attitude, .angular_velocity",
                               "leave out '.state'");
    bool planet = f->path.count > 2 && fnd_word_is(f->path.words[2], "planet");
    if (planet) count = fnd_choices_of_table(fender_body_planet_fields(), choices);
    for (int i = 0; i < bodies; i++) {
        const char *name = fender_body_name(world, fender_body_at(world, i));
        if (!fnd_word_fits(f->path.words[1], name)) continue;
        char prefix[192];
        snprintf(prefix, sizeof prefix, planet ? "bodies.%s.planet" : "bodies.%s", name);
        fnd_target t = {prefix, planet ? FND_CHANNEL_PLANET : FND_CHANNEL_BODY, (uint32_t)i, 0, 0};
        fender_status status = fnd_finder_emit_choices(f, &t, choices, count, planet ? 3 : 2,
                                                       planet ? "seen from the planet, a body has no field"
                                                              : "a body has no field");
        if (status != FENDER_STATUS_OK) return status;
        found = true;
    }
    if (found) return FENDER_STATUS_OK;
    fnd_nearest search = fnd_nearest_begin(f->path.words[1].text, f->path.words[1].length);
    fnd_name_list names = {.used = 0};
    for (int i = 0; i < bodies; i++) {
        const char *name = fender_body_name(world, fender_body_at(world, i));
        fnd_nearest_offer(&search, name);
        fnd_name_list_add(&names, name);
    }
    return fnd_finder_fail_unknown(f, "no body is named", f->path.words[1], search.best, &names);
}

static fender_status find_ledger(fnd_finder *f)
{
    fnd_choice choices[CHOICE_LIMIT];
    fnd_name_list names = {.used = 0};
    bool found = false;
    const char *last = "";
    fnd_nearest search = {0};
    if (f->path.count < 2 || f->path.colon)
        return fnd_finder_fail(f, "this is no path of the ledger", "ledger.GROUP.NAME",
                               "for example ledger.energy.residual");
    search = fnd_nearest_begin(f->path.words[1].text, f->path.words[1].length);
    for (int i = 0; fnd_ledger_entry_at(i); i++) {
        const char *group = fnd_ledger_entry_at(i)->group;
        if (strcmp(group, last) == 0) continue;
        last = group;
        fnd_nearest_offer(&search, group);
        fnd_name_list_add(&names, group);
        if (!fnd_word_fits(f->path.words[1], group)) continue;
        int count = 0;
        fnd_channel_source source = FND_CHANNEL_LEDGER;
        for (int k = i; fnd_ledger_entry_at(k) && strcmp(fnd_ledger_entry_at(k)->group, group) == 0; k++) {
            const fnd_ledger_entry *entry = fnd_ledger_entry_at(k);
            choices[count] = (fnd_choice){entry->name, fnd_ledger_entry_field(entry, &source)};
            if (choices[count].field) count++;
        }
        char prefix[192];
        snprintf(prefix, sizeof prefix, "ledger.%s", group);
        fnd_target t = {prefix, (int)source, 0, 0, 0};
        fender_status status = fnd_finder_emit_choices(f, &t, choices, count, 2, "this group of the ledger has no");
        if (status != FENDER_STATUS_OK) return status;
        found = true;
    }
    return found ? FENDER_STATUS_OK
                 : fnd_finder_fail_unknown(f, "the ledger has no group", f->path.words[1], search.best, &names);
}

static fender_status find_links(fnd_finder *f)
{
    fnd_choice choices[CHOICE_LIMIT];
    int count = fnd_choices_of_table(fender_link_fields(), choices), links = fender_link_count(f->world);
    bool found = false;
    if (f->path.count < 2 || f->path.colon)
        return fnd_finder_fail(f, "this is no path of a link", "links.NAME.FIELD", "for example links.*.force");
    fnd_nearest search = fnd_nearest_begin(f->path.words[1].text, f->path.words[1].length);
    fnd_name_list names = {.used = 0};
    for (int i = 0; i < links; i++) {
        fender_link_id id = fender_link_at(f->world, i);
        const char *name = fender_link_name(f->world, id);
        fnd_nearest_offer(&search, name);
        fnd_name_list_add(&names, name);
        if (!fnd_word_fits(f->path.words[1], name)) continue;
        char prefix[192];
        snprintf(prefix, sizeof prefix, "links.%s", name);
        fnd_target t = {prefix, FND_CHANNEL_LINK, id.index1, (uint32_t)id.world << 16 | id.generation, 0};
        fender_status status = fnd_finder_emit_choices(f, &t, choices, count, 2, "a link has no field");
        if (status != FENDER_STATUS_OK) return status;
        found = true;
    }
    return found ? FENDER_STATUS_OK
                 : fnd_finder_fail_unknown(f, "no link is named", f->path.words[1], search.best, &names);
}

static fender_status find_sensors(fnd_finder *f)
{
    fnd_choice choices[CHOICE_LIMIT];
    int count = fnd_choices_of_table(fender_beam_fields(), choices), sensors = fender_sensor_count(f->world);
    bool found = false;
    if (f->path.count < 2 || f->path.colon)
        return fnd_finder_fail(f, "this is no path of a sensor", "sensors.NAME.FIELD", "for example sensors.*.range");
    fnd_nearest search = fnd_nearest_begin(f->path.words[1].text, f->path.words[1].length);
    fnd_name_list names = {.used = 0};
    for (int i = 0; i < sensors; i++) {
        fender_sensor_id id = fender_sensor_at(f->world, i);
        const char *name = fender_sensor_name(f->world, id);
        fnd_nearest_offer(&search, name);
        fnd_name_list_add(&names, name);
        if (!fnd_word_fits(f->path.words[1], name)) continue;
        char prefix[192];
        snprintf(prefix, sizeof prefix, "sensors.%s", name);
        fnd_target t = {prefix, FND_CHANNEL_SENSOR, id.index1, (uint32_t)id.world << 16 | id.generation, 0};
        fender_status status = fnd_finder_emit_choices(f, &t, choices, count, 2, "a sensor has no field");
        if (status != FENDER_STATUS_OK) return status;
        found = true;
    }
    return found ? FENDER_STATUS_OK
                 : fnd_finder_fail_unknown(f, "no sensor is named", f->path.words[1], search.best, &names);
}

static fender_status find_loads(fnd_finder *f)
{
    char name[128], prefix[192];
    fender_load_id id;
    if (f->path.count != 3 || f->path.colon || !fnd_word_is(f->path.words[2], "active"))
        return fnd_finder_fail(f, "this is no path of a load", "loads.NAME.active", "of a load, `active` can be read");
    fnd_word word = f->path.words[1];
    if (fnd_word_is_any(word))
        return fnd_finder_fail(f, "loads cannot be listed by '*'", "the name of one load", "name each load by itself");
    fnd_name_list names = {.used = 0};
    fnd_name_list_add(&names, "a name under `loads`");
    if (word.length >= sizeof name) return fnd_finder_fail_unknown(f, "no load is named", word, NULL, &names);
    memcpy(name, word.text, word.length);
    name[word.length] = '\0';
    if (fender_load_find(f->world, name, &id) != FENDER_STATUS_OK)
        return fnd_finder_fail_unknown(f, "no load is named", word, NULL, &names);
    snprintf(prefix, sizeof prefix, "loads.%s", name);
    fnd_target t = {prefix, FND_CHANNEL_LOAD, id.index1, (uint32_t)id.world << 16 | id.generation, 0};
    return fnd_finder_emit(f, &t, "active", "", "1", NULL, 0);
}

static fender_status find_events(fnd_finder *f)
{
    fnd_name_list names = {.used = 0};
    bool found = false;
    if (f->path.count != 3 || f->path.colon || !fnd_word_is(f->path.words[2], "count"))
        return fnd_finder_fail(f, "this is no path of events", "events.KIND.count", "for example events.touch.count");
    fnd_nearest search = fnd_nearest_begin(f->path.words[1].text, f->path.words[1].length);
    int kinds = FND_EVENT_KIND_COUNT + (f->emitted ? f->emitted->count : 0);
    for (int kind = 0; kind < kinds; kind++) {
        const char *name = fnd_event_name(f->emitted, kind);
        fnd_nearest_offer(&search, name);
        fnd_name_list_add(&names, name);
        if (!fnd_word_fits(f->path.words[1], name)) continue;
        char prefix[192];
        snprintf(prefix, sizeof prefix, "events.%s", name);
        fnd_target t = {prefix, FND_CHANNEL_EVENT, (uint32_t)kind, 0, 0};
        fender_status status = fnd_finder_emit(f, &t, "count", "", "1", NULL, 0);
        if (status != FENDER_STATUS_OK) return status;
        found = true;
    }
    return found ? FENDER_STATUS_OK
                 : fnd_finder_fail_unknown(f, "no event is named", f->path.words[1], search.best, &names);
}

/* ---- all */

typedef struct section {
    const char *name;
    fender_status (*find)(fnd_finder *f);
} section;
static const section sections[] = {{"time", find_time},       {"bodies", find_bodies}, {"contacts", fnd_find_contacts},
                                   {"ledger", find_ledger},   {"links", find_links},   {"loads", find_loads},
                                   {"sensors", find_sensors}, {"events", find_events}};
enum { SECTION_COUNT = sizeof sections / sizeof sections[0] };

fender_status fender_channel_find(const fender_world *world, const char *pattern, fender_channel *channels,
                                  int capacity, int *count, fender_error *error)
{
    return fnd_channel_find(world, NULL, pattern, channels, capacity, count, error);
}

/* "events.NAME.count" of an event that there is. */
static bool is_event_now(const fnd_event_names *emitted, const char *pattern)
{
    static const char events[] = "events.";
    if (strncmp(pattern, events, sizeof events - 1) != 0) return false;
    const char *word = pattern + sizeof events - 1, *name;
    size_t length = strcspn(word, ".");
    for (int kind = 0; (name = fnd_event_name(emitted, kind)) != NULL; kind++)
        if (strlen(name) == length && strncmp(name, word, length) == 0) return true;
    return false;
}

fender_status fnd_channel_find(const fender_world *world, const fnd_event_names *emitted, const char *pattern,
                               fender_channel *channels, int capacity, int *count, fender_error *error)
{
    char present[256];
    const fnd_renamed *row = pattern ? fnd_renamed_find(FND_RENAMED_CHANNEL, pattern) : NULL;
    if (row && !is_event_now(emitted, pattern) && fnd_renamed_channel(row, pattern, present, sizeof present))
        pattern = present;
    fnd_finder f = {.world = world, .emitted = emitted, .channels = channels, .capacity = capacity, .error = error};
    if (!world || !pattern || !count || capacity < 0)
        return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_ARGUMENT,
                                                 .message = "world, pattern and count are needed",
                                                 .expected = "pointers that are not NULL, capacity not negative"});
    if (!fnd_channel_path_split(pattern, &f.path)) {
        f.path.pattern = pattern;
        return fnd_finder_fail(&f, "this is no path of a channel", "names joined by '.', as in bodies.veh1.position.x",
                               "`fender info channels` lists all");
    }
    fnd_nearest search = fnd_nearest_begin(f.path.words[0].text, f.path.words[0].length);
    fnd_name_list names = {.used = 0};
    for (int i = 0; i < SECTION_COUNT; i++) {
        if (fnd_word_is(f.path.words[0], sections[i].name)) {
            fender_status status = sections[i].find(&f);
            if (status == FENDER_STATUS_OK) *count = f.count;
            return status;
        }
        fnd_nearest_offer(&search, sections[i].name);
        fnd_name_list_add(&names, sections[i].name);
    }
    return fnd_finder_fail_unknown(&f, "no section of channels is named", f.path.words[0], search.best, &names);
}
