/* Finding channels by name and pattern: paths taken apart, objects of each kind, contacts. */
#include "record/finder.h"

#include "support/io_error.h"
#include "support/renamed.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static fender_status fnd_find_contacts(fnd_finder *f);

/* ---- paths taken apart */

/* False when the text has an empty word, too many words, or more than one colon or '@'. */
static bool fnd_channel_path_split(const char *pattern, fnd_channel_path *path)
{
    memset(path, 0, sizeof *path);
    path->pattern = pattern;
    for (const char *at = pattern;; at++) {
        /* "inertia[0][1]" is two words: what is in brackets is a component */
        size_t length = strcspn(at, at > pattern && *at == '[' ? ".:@" : ".:@[");
        if (length == 0 || path->count == FND_PATH_WORDS) return false;
        path->words[path->count++] = (fnd_word){at, length};
        at += length;
        if (*at == '\0') return true;
        if (*at == '[') at--;
        if (*at == ':') {
            if (path->colon) return false;
            path->colon = path->count;
        }
        if (*at == '@') {
            if (path->at) return false;
            path->at = path->count;
        }
    }
}

bool fnd_word_is(fnd_word word, const char *text)
{
    return strlen(text) == word.length && memcmp(text, word.text, word.length) == 0;
}

bool fnd_word_fits(fnd_word word, const char *name) { return fnd_word_is_any(word) || fnd_word_is(word, name); }

/* ---- the objects of a world */

/* ---- refusals */

void fnd_name_list_add(fnd_name_list *list, const char *name)
{
    assert(list->used < sizeof list->text);
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
    return FND_IO_FAIL(f->error, .status = FENDER_STATUS_NAME, .path = f->path.pattern, .message = message,
                       .found = excerpt, .expected = expected, .suggestion = suggestion);
}

fender_status fnd_finder_fail(const fnd_finder *f, const char *message, const char *expected, const char *suggestion)
{
    char excerpt[160];
    fnd_io_excerpt(excerpt, sizeof excerpt, f->path.pattern, strlen(f->path.pattern));
    return FND_IO_FAIL(f->error, .status = FENDER_STATUS_NAME, .path = f->path.pattern, .message = message,
                       .found = excerpt, .expected = expected, .suggestion = suggestion);
}

/* ---- numbers of one object */

static fender_status emit(fnd_finder *f, const fnd_target *t, const char *name, const char *component_name,
                          const char *unit, const fender_field *field, int component)
{
    assert(component >= 0);
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
        fender_status status = emit(f, t, c->name, name, c->field->unit, c->field, i);
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
    assert(count >= 0 && count <= CHOICE_LIMIT);
    const fnd_channel_path *path = &f->path;
    if (path->count <= first) {
        fnd_name_list names = {.used = 0};
        char suggestion[320];
        for (int i = 0; i < count; i++) fnd_name_list_add(&names, choices[i].name);
        snprintf(suggestion, sizeof suggestion, "append '.*' for all components, or one of: %s", names.text);
        return fnd_finder_fail(f, "the path names no value", names.text, suggestion);
    }
    if (path->count > first + 2)
        return fnd_finder_fail(f, "the path continues after a number", "a field and perhaps one component",
                               "remove the rest of the path");
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

/* Without a planet, what is seen from it is no channel: it would read 0. What is seen from inertial space is that of W.
 */
static bool is_seen_from_planet(const char *name)
{
    return strncmp(name, "inertial_", 9) != 0 && strcmp(name, "kinetic") != 0 && strcmp(name, "gravitational") != 0;
}

/* Leaves such choices out of a world without a planet; the word `first` must not name one of them. */
static fender_status leave_out_planet(const fnd_finder *f, fnd_choice *choices, int *count, int first)
{
    int kept = 0;
    if (fender_world_get_def(f->world)->frame.kind != FENDER_FRAME_INERTIAL) return FENDER_STATUS_OK;
    for (int i = 0; i < *count; i++) {
        if (!is_seen_from_planet(choices[i].name)) choices[kept++] = choices[i];
        else if (f->path.count > first && fnd_word_is(f->path.words[first], choices[i].name))
            return fnd_finder_fail(f, "this world has no planet from which it could be seen", "a world with a frame",
                                   "give the planet in world.frame, for example {planet: earth, latitude: 0 deg}, or "
                                   "leave the channel out");
    }
    *count = kept;
    return FENDER_STATUS_OK;
}

/* ---- sections */

static fender_status find_time(fnd_finder *f)
{
    fnd_target t = {"time", FND_CHANNEL_TIME, 0, 0, 0};
    if (f->path.count > 1) return fnd_finder_fail(f, "time has no parts", "time", "remove the rest of the path");
    return emit(f, &t, "", "", "s", NULL, 0);
}

static fender_status find_bodies(fnd_finder *f)
{
    fnd_choice choices[CHOICE_LIMIT];
    const fender_world *world = f->world;
    int count = fnd_choices_of_table(fender_body_fields(), choices), bodies = fender_body_count(world);
    bool found = false;
    if (f->path.at && !f->path.colon) return fnd_find_between_bodies(f);
    if (f->path.count < 2 || f->path.colon)
        return fnd_finder_fail(f, "this is not a path of a body", "bodies.NAME.FIELD", "for example bodies.*.position");
    if (f->path.count > 2 && fnd_word_is(f->path.words[2], "state"))
        return fnd_finder_fail(f, "'state' is the initial state of a body, which cannot be recorded",
                               "the present state: bodies.NAME.position, .velocity, .attitude, .angular_velocity",
                               "leave out '.state'");
    bool planet = f->path.count > 2 && fnd_word_is(f->path.words[2], "planet");
    if (planet) {
        count = fnd_choices_of_table(fender_body_planet_fields(), choices);
        const fender_status status = leave_out_planet(f, choices, &count, 3);
        if (status != FENDER_STATUS_OK) return status;
    }
    for (int i = 0; i < bodies; i++) {
        const char *name = fender_body_name(world, fender_body_at(world, i));
        if (!fnd_word_fits(f->path.words[1], name)) continue;
        char prefix[192];
        snprintf(prefix, sizeof prefix, planet ? "bodies.%s.planet" : "bodies.%s", name);
        fnd_target t = {prefix, planet ? FND_CHANNEL_PLANET : FND_CHANNEL_BODY,
                        fnd_object_of_body(fender_body_at(world, i)), 0, 0};
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
        return fnd_finder_fail(f, "this is not a path of the ledger", "ledger.GROUP.NAME",
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
        fender_status status = FENDER_STATUS_OK;
        if (strcmp(group, "inertial") == 0) status = leave_out_planet(f, choices, &count, 2);
        if (status == FENDER_STATUS_OK)
            status = fnd_finder_emit_choices(f, &t, choices, count, 2, "this group of the ledger has no");
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
        return fnd_finder_fail(f, "this is not a path of a link", "links.NAME.FIELD", "for example links.*.force");
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
        fnd_target t = {prefix, FND_CHANNEL_LINK, fnd_object_of_link(id), 0, 0};
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
        return fnd_finder_fail(f, "this is not a path of a sensor", "sensors.NAME.FIELD",
                               "for example sensors.*.range");
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
        fnd_target t = {prefix, FND_CHANNEL_SENSOR, fnd_object_of_sensor(id), 0, 0};
        fender_status status = fnd_finder_emit_choices(f, &t, choices, count, 2, "a sensor has no field");
        if (status != FENDER_STATUS_OK) return status;
        found = true;
    }
    return found ? FENDER_STATUS_OK
                 : fnd_finder_fail_unknown(f, "no sensor is named", f->path.words[1], search.best, &names);
}

static fender_status find_loads(fnd_finder *f)
{
    fnd_choice choices[CHOICE_LIMIT];
    int count = fnd_choices_of_table(fender_load_fields(), choices), loads = fender_load_count(f->world);
    bool found = false;
    if (f->path.count < 2 || f->path.colon)
        return fnd_finder_fail(f, "this is not a path of a load", "loads.NAME.FIELD", "for example loads.*.force");
    fnd_nearest search = fnd_nearest_begin(f->path.words[1].text, f->path.words[1].length);
    fnd_name_list names = {.used = 0};
    for (int i = 0; i < loads; i++) {
        fender_load_id id = fender_load_at(f->world, i);
        const char *name = fender_load_name(f->world, id);
        fnd_nearest_offer(&search, name);
        fnd_name_list_add(&names, name);
        if (!fnd_word_fits(f->path.words[1], name)) continue;
        char prefix[192];
        snprintf(prefix, sizeof prefix, "loads.%s", name);
        fnd_target t = {prefix, FND_CHANNEL_LOAD, fnd_object_of_load(id), 0, 0};
        fender_status status = fnd_finder_emit_choices(f, &t, choices, count, 2, "a load has no field");
        if (status != FENDER_STATUS_OK) return status;
        found = true;
    }
    return found ? FENDER_STATUS_OK
                 : fnd_finder_fail_unknown(f, "no load is named", f->path.words[1], search.best, &names);
}

static fender_status find_events(fnd_finder *f)
{
    fnd_name_list names = {.used = 0};
    bool found = false;
    if (f->path.count != 3 || f->path.colon || !fnd_word_is(f->path.words[2], "count"))
        return fnd_finder_fail(f, "this is not a path of events", "events.KIND.count",
                               "for example events.begin.count");
    fnd_nearest search = fnd_nearest_begin(f->path.words[1].text, f->path.words[1].length);
    int kinds = FND_EVENT_KIND_COUNT + (f->emitted ? f->emitted->count : 0);
    for (int kind = 0; kind < kinds; kind++) {
        const char *name = fnd_event_name(f->emitted, kind);
        fnd_nearest_offer(&search, name);
        fnd_name_list_add(&names, name);
        if (!fnd_word_fits(f->path.words[1], name)) continue;
        char prefix[192];
        snprintf(prefix, sizeof prefix, "events.%s", name);
        fnd_target t = {prefix, FND_CHANNEL_EVENT, (uint64_t)kind, 0, 0};
        fender_status status = emit(f, &t, "count", "", "1", NULL, 0);
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
    bool relative; /* knows A@B */
} section;
static const section sections[] = {
    {"time", find_time, false},       {"bodies", find_bodies, true},  {"contacts", fnd_find_contacts, false},
    {"ledger", find_ledger, false},   {"links", find_links, false},   {"loads", find_loads, false},
    {"sensors", find_sensors, false}, {"events", find_events, false}, {"points", fnd_find_points, true},
    {"shapes", fnd_find_shapes, true}};
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
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "world, pattern and count are needed",
                           .expected = "pointers that are not NULL, capacity not negative");
    if (!fnd_channel_path_split(pattern, &f.path)) {
        f.path.pattern = pattern;
        return fnd_finder_fail(&f, "this is not a path of a channel",
                               "names joined by '.', as in bodies.veh1.position.x", "`fender info channels` lists all");
    }
    fnd_nearest search = fnd_nearest_begin(f.path.words[0].text, f.path.words[0].length);
    fnd_name_list names = {.used = 0};
    for (int i = 0; i < SECTION_COUNT; i++) {
        if (fnd_word_is(f.path.words[0], sections[i].name)) {
            if (f.path.at && !sections[i].relative)
                return fnd_finder_fail(&f, "nothing in this section is seen from another by '@'", "a path without '@'",
                                       "points.BODY.POINT@BODY.POINT.FIELD has one");
            fender_status status = sections[i].find(&f);
            if (status == FENDER_STATUS_OK) *count = f.count;
            return status;
        }
        fnd_nearest_offer(&search, sections[i].name);
        fnd_name_list_add(&names, sections[i].name);
    }
    return fnd_finder_fail_unknown(&f, "no section of channels is named", f.path.words[0], search.best, &names);
}

/* ---- contacts */

enum { PAIR_LIMIT = 1000 };

typedef struct pair {
    uint32_t a, b;
} pair;

/* A side of a pair: two words from the one with this number on, none for any, or */
enum { ANY_SIDE = 0, BODY_ALONE = -1 /* the word 1, of any shape of that body */ };

static bool side_fits(const fnd_finder *f, int first, fender_shape_id shape)
{
    if (first == ANY_SIDE) return true;
    if (first == BODY_ALONE)
        return fnd_word_fits(f->path.words[1], fender_body_name(f->world, fender_shape_body(f->world, shape)));
    return fnd_word_fits(f->path.words[first], fender_body_name(f->world, fender_shape_body(f->world, shape))) &&
           fnd_word_fits(f->path.words[first + 1], fender_shape_name(f->world, shape));
}

fender_status fnd_finder_check_body(const fnd_finder *f, fnd_word word)
{
    fnd_name_list names = {.used = 0};
    fnd_nearest search = fnd_nearest_begin(word.text, word.length);
    for (int i = 0; i < fender_body_count(f->world); i++) {
        const char *name = fender_body_name(f->world, fender_body_at(f->world, i));
        if (fnd_word_fits(word, name)) return FENDER_STATUS_OK;
        fnd_nearest_offer(&search, name);
        fnd_name_list_add(&names, name);
    }
    return fnd_finder_fail_unknown(f, "no body is named", word, search.best, &names);
}

/* Some shape fits; else the error says which name is at fault. */
static fender_status check_side(const fnd_finder *f, int first)
{
    const fender_world *world = f->world;
    fnd_name_list names = {.used = 0};
    fnd_nearest search = fnd_nearest_begin(f->path.words[first + 1].text, f->path.words[first + 1].length);
    fender_status status = fnd_finder_check_body(f, f->path.words[first]);
    if (status != FENDER_STATUS_OK) return status;
    for (int i = 0; i < fender_shape_count(world); i++) {
        fender_shape_id shape = fender_shape_at(world, i);
        if (!fnd_word_fits(f->path.words[first], fender_body_name(world, fender_shape_body(world, shape)))) continue;
        if (side_fits(f, first, shape)) return FENDER_STATUS_OK;
        fnd_nearest_offer(&search, fender_shape_name(world, shape));
        fnd_name_list_add(&names, fender_shape_name(world, shape));
    }
    return fnd_finder_fail_unknown(f, "the body has no shape", f->path.words[first + 1], search.best, &names);
}

/* The index of a shape that is one of two given by index. */
static uint32_t index_of(const fnd_finder *f, fender_shape_id shape, int one, int other)
{
    fender_shape_id id = fender_shape_at(f->world, one);
    return (uint32_t)(id.index1 == shape.index1 && id.generation == shape.generation ? one : other);
}

static bool comes_before(pair x, pair y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }

/* Values that two shapes without contact have: their relative position. */
static bool describes_approach(const fnd_finder *f, int first)
{
    static const char *const names[] = {"separation", "normal", "point_on_a", "point_on_b", "signals"};
    if (f->path.count <= first) return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (fnd_word_is(f->path.words[first], names[i])) return true;
    return false;
}

static const char *reason_text(fender_pair_reason reason)
{
    switch (reason) {
    case FENDER_PAIR_SAME_BODY: return "they belong to the same body";
    case FENDER_PAIR_SAME_TREE: return "their bodies are attached to each other";
    case FENDER_PAIR_BOTH_IMMOVABLE: return "neither body can be moved by forces";
    case FENDER_PAIR_RULE_NEVER: return "a rule says never";
    case FENDER_PAIR_NO_RULE: return "no rule covers them";
    case FENDER_PAIR_NOT_ACTIVE: return "one of them is not active";
    case FENDER_PAIR_NO_FUNCTION: return "there is no contact function for these two geometries";
    case FENDER_PAIR_NO_INSIDE: return "neither geometry has an inside (a rounding gives a disk one)";
    case FENDER_PAIR_NO_STATE: return "one of them is mass only and not attached to a body with a state";
    case FENDER_PAIR_MAY_TOUCH:
    case FENDER_PAIR_OUT_OF_RANGE: break;
    }
    return "they may touch";
}

/* A pair named by a pattern; `single` when the pattern can name one alone. */
static fender_status add_pair(fnd_finder *f, int i, int j, bool single, int first, pair pairs[PAIR_LIMIT], int *count)
{
    fender_pair_explanation why;
    fender_shape_id one = fender_shape_at(f->world, i), other = fender_shape_at(f->world, j);
    if (fender_world_explain(f->world, one, other, &why) != FENDER_STATUS_OK) return FENDER_STATUS_OK;
    bool may_touch = fnd_pair_may_touch(&why);
    /* bodies come apart and together while a run goes on */
    bool later = (why.reason == FENDER_PAIR_SAME_TREE || why.reason == FENDER_PAIR_NO_STATE) && why.use.index1 != 0;
    bool readable = may_touch || later || why.reason == FENDER_PAIR_NOT_ACTIVE ||
                    (why.reason != FENDER_PAIR_NO_FUNCTION && i != j && describes_approach(f, first));
    if (!may_touch && !single) return FENDER_STATUS_OK;
    if (!readable) {
        char message[200];
        snprintf(message, sizeof message, "these shapes cannot touch: %s", reason_text(why.reason));
        return fnd_finder_fail(f, message, "two shapes that may touch, or `separation`, which any two shapes have",
                               "`fender explain SCENARIO A B` tells more; rules stand under `rules`");
    }
    if (*count == PAIR_LIMIT)
        return fnd_finder_fail(f, "the pattern names more than 1000 pairs of shapes", "at most 1000",
                               "name one side: contacts.BODY.SHAPE:*.*.FIELD");
    pair p = {index_of(f, why.a, i, j), index_of(f, why.b, j, i)};
    if (!may_touch) p = (pair){(uint32_t)i, (uint32_t)j};
    int at = (*count)++;
    for (; at > 0 && comes_before(p, pairs[at - 1]); at--) pairs[at] = pairs[at - 1];
    pairs[at] = p;
    return FENDER_STATUS_OK;
}

static fender_status collect_pairs(fnd_finder *f, int left, int right, int first, pair pairs[PAIR_LIMIT], int *count)
{
    int shapes = fender_shape_count(f->world);
    bool single = left > 0;
    for (int k = 0; single && k < 4; k++) single = !fnd_word_is_any(f->path.words[left + k]);
    for (int i = 0; i < shapes; i++) {
        fender_shape_id one = fender_shape_at(f->world, i);
        bool is_left = side_fits(f, left, one), is_right = side_fits(f, right, one);
        if (!is_left && !is_right) continue;
        for (int j = single ? i : i + 1; j < shapes; j++) {
            fender_shape_id other = fender_shape_at(f->world, j);
            if (!(is_left && side_fits(f, right, other)) && !(is_right && side_fits(f, left, other))) continue;
            fender_status status = add_pair(f, i, j, single, first, pairs, count);
            if (status != FENDER_STATUS_OK) return status;
        }
    }
    return FENDER_STATUS_OK;
}

/* ---- signals of a base and a follower */

static bool is_signals(const fnd_channel_path *path, int first)
{
    return path->count > first && fnd_word_is(path->words[first], "signals");
}

/* True if the pattern names the second shape as the base. */
static bool names_the_other_first(const fnd_finder *f, int left, int right, pair p)
{
    return left != ANY_SIDE && !(side_fits(f, left, fender_shape_at(f->world, (int)p.a)) &&
                                 side_fits(f, right, fender_shape_at(f->world, (int)p.b)));
}

static fender_status fail_length(const fnd_finder *f)
{
    return fnd_finder_fail(f, "the name of this channel is too long to be recorded", "at most 191 bytes",
                           "give the bodies and shapes shorter names");
}

/* "[3]" or "[*]", a range of points. False: neither. */
static bool points_named(fnd_word word, int count, int *from, int *to)
{
    if (word.length < 3 || word.text[word.length - 1] != ']') return false;
    *from = 0, *to = count;
    if (word.length == 3 && word.text[1] == '*') return true;
    int64_t number = 0;
    for (size_t i = 1; i + 1 < word.length; i++) {
        if (word.text[i] < '0' || word.text[i] > '9' || number > count) return false;
        number = 10 * number + (word.text[i] - '0');
    }
    if (number >= count) return false;
    *from = (int)number, *to = (int)number + 1;
    return true;
}

/* The words from `first` on follow `signals`: perhaps the number of a point, then a field and its component. */
static fender_status emit_signals(fnd_finder *f, const fnd_target *pair_target, const fnd_choice *choices, int count,
                                  int first)
{
    const fnd_channel_path *path = &f->path;
    int points = fnd_pair_point_count(f->world, fnd_object_shape(f->world, pair_target->a),
                                      fnd_object_shape(f->world, pair_target->b));
    int from = 0, to = points > 0 ? points : 1;
    bool numbered = path->count > first && path->words[first].text[0] == '[';
    if (numbered && points == 0)
        return fnd_finder_fail(f, "this pair has no numbered signals", "signals.FIELD",
                               "the points of a cloud alone are numbered");
    if (numbered && !points_named(path->words[first], points, &from, &to)) {
        char message[80], expected[64];
        snprintf(message, sizeof message, "the cloud has %d points, and none of that number", points);
        snprintf(expected, sizeof expected, "signals[0] to signals[%d], or signals[*]", points - 1);
        return fnd_finder_fail(f, message, expected, "points are numbered from 0 in the order of the cloud");
    }
    fender_status status = FENDER_STATUS_OK;
    for (int i = from; i < to && status == FENDER_STATUS_OK; i++) {
        char prefix[192];
        int length = points > 0 ? snprintf(prefix, sizeof prefix, "%s.signals[%d]", pair_target->prefix, i)
                                : snprintf(prefix, sizeof prefix, "%s.signals", pair_target->prefix);
        fnd_target t = {prefix, FND_CHANNEL_SIGNALS, pair_target->a, pair_target->b, i * FND_SIGNAL_STRIDE};
        status = length >= (int)sizeof prefix
                     ? fail_length(f)
                     : fnd_finder_emit_choices(f, &t, choices, count, first + (numbered ? 1 : 0),
                                               "a contact has no signal");
    }
    return status;
}

/* The first pair of the pattern that touches only when its bodies have been detached. False: there is none. */
static bool find_attached(const fnd_finder *f, int left, int right, fender_pair_explanation *why)
{
    const int shapes = fender_shape_count(f->world);
    for (int i = 0; i < shapes; i++) {
        const fender_shape_id one = fender_shape_at(f->world, i);
        for (int j = 0; j < shapes && side_fits(f, left, one); j++) {
            const fender_shape_id other = fender_shape_at(f->world, j);
            if (i == j || !side_fits(f, right, other)) continue;
            if (fender_world_explain(f->world, one, other, why) != FENDER_STATUS_OK) continue;
            if (why->reason == FENDER_PAIR_SAME_TREE && why->use.index1 != 0) return true;
        }
    }
    return false;
}

/* Of pairs that are attached to each other, the pattern names none, so that columns do not depend on it: they are
 * named. */
static fender_status fail_without_pairs(const fnd_finder *f, int left, int right)
{
    fender_pair_explanation why;
    char message[540], name[420], suggestion[460];
    if (!find_attached(f, left, right, &why))
        return fnd_finder_fail(f, "no two shapes that the pattern names may touch", "at least one pair that may touch",
                               "`fender explain SCENARIO A B` says why; rules stand under `rules`");
    fnd_pair_name(f->world, why.a, why.b, name, sizeof name);
    snprintf(message, sizeof message,
             "no two shapes that the pattern names may touch at the start: the bodies of %s are attached", name);
    snprintf(suggestion, sizeof suggestion, "name the pair: contacts.%s.FIELD", name);
    return fnd_finder_fail(f, message, "at least one pair that may touch, or the name of one", suggestion);
}

static fender_status fnd_find_contacts(fnd_finder *f)
{
    fnd_choice choices[CHOICE_LIMIT];
    pair pairs[PAIR_LIMIT];
    int pair_count = 0, left = ANY_SIDE, right = ANY_SIDE, first = 2;
    const fnd_channel_path *path = &f->path;
    fender_status status = FENDER_STATUS_OK;
    if (path->colon == 3 && path->count >= 5) {
        left = 1;
        right = 3;
        first = 5;
        status = check_side(f, left);
        if (status == FENDER_STATUS_OK) status = check_side(f, right);
    } else if (!path->colon && path->count >= 3 && !fnd_word_is_any(path->words[1])) {
        left = BODY_ALONE;
        status = fnd_finder_check_body(f, path->words[1]);
    } else if (path->colon || path->count < 2 || !fnd_word_is_any(path->words[1])) {
        status = fnd_finder_fail(f, "this is not a path of a contact",
                                 "contacts.BODY.SHAPE:BODY.SHAPE.FIELD, contacts.BODY.FIELD, or contacts.*.FIELD",
                                 "for example contacts.*.depth; contacts.*.* names every field of every pair");
    }
    if (status == FENDER_STATUS_OK) status = collect_pairs(f, left, right, first, pairs, &pair_count);
    bool signals = is_signals(path, first);
    int count = fnd_choices_of_table(signals ? fender_contact_signal_fields() : fender_contact_fields(), choices);
    for (int i = 0; i < pair_count && status == FENDER_STATUS_OK; i++) {
        char name[420], prefix[192];
        uint32_t one = pairs[i].a, other = pairs[i].b;
        if (signals && names_the_other_first(f, left, right, pairs[i])) one = pairs[i].b, other = pairs[i].a;
        const fender_shape_id a = fender_shape_at(f->world, (int)one), b = fender_shape_at(f->world, (int)other);
        fnd_pair_name(f->world, a, b, name, sizeof name);
        int length = snprintf(prefix, sizeof prefix, "contacts.%s", name);
        fnd_target t = {prefix, FND_CHANNEL_CONTACT, fnd_object_of_shape(a), fnd_object_of_shape(b), 0};
        if (length >= (int)sizeof prefix) status = fail_length(f);
        else if (signals) status = emit_signals(f, &t, choices, count, first + 1);
        else status = fnd_finder_emit_choices(f, &t, choices, count, first, "a contact has no field");
    }
    if (status == FENDER_STATUS_OK && pair_count == 0) status = fail_without_pairs(f, left, right);
    return status;
}
