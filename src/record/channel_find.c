/* Finding the channels that a pattern names, in a fixed order, or saying what would have been right. */
#include "record/channel.h"
#include "record/channel_path.h"
#include "text/fault.h"
#include "text/nearest.h"

#include <stdio.h>
#include <string.h>

enum { PAIR_LIMIT = 1000, CHOICE_LIMIT = 64 };

typedef struct finder {
    const fender_world *world;
    const fnd_event_names *emitted; /* NULL: none */
    fnd_channel_path path;
    fender_channel *channels;
    int capacity, count;
    fender_error *error;
} finder;

/* ---- refusals */

/* Names in one text, cut at a whole name. */
typedef struct name_list {
    char text[232];
    size_t used;
    bool cut;
} name_list;

static void list_name(name_list *list, const char *name)
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

/* "no body is named 'veh3'": what is unknown, the names that there are, the nearest of them. */
static fender_status fail_unknown(const finder *f, const char *what, fnd_word word, const char *nearest,
                                  const name_list *names)
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

static fender_status fail_form(const finder *f, const char *message, const char *expected, const char *suggestion)
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

typedef struct choice {
    const char *name;
    const fender_field *field;
} choice;

typedef struct target {
    const char *prefix; /* "bodies.veh1" */
    int source;
    uint32_t a, b;
} target;

static fender_status emit(finder *f, const target *t, const char *name, const char *component_name, const char *unit,
                          const fender_field *field, int component)
{
    fender_channel channel;
    memset(&channel, 0, sizeof channel);
    int length = snprintf(channel.name, sizeof channel.name, "%s%s%s%s", t->prefix, name[0] ? "." : "", name,
                          component_name);
    if (length < 0 || (size_t)length >= sizeof channel.name)
        return fail_form(f, "the name of this channel is too long to be recorded", "at most 191 bytes",
                         "give the bodies and shapes shorter names");
    snprintf(channel.unit, sizeof channel.unit, "%s", unit);
    channel.source = t->source;
    channel.component = component;
    channel.a = t->a;
    channel.b = t->b;
    channel.field = field;
    if (f->count < f->capacity && f->channels) f->channels[f->count] = channel;
    f->count++;
    return FENDER_STATUS_OK;
}

static fender_status emit_components(finder *f, const target *t, const choice *c, const fnd_word *word)
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
    name_list names = {.used = 0};
    for (int i = 0; i < count && count > 1; i++) list_name(&names, fender_field_component_name(c->field, i) + 1);
    return fail_unknown(f, count > 1 ? "there is no component" : "a plain number has no component", *word, NULL,
                        &names);
}

/* Words `first` and, when there is one, the next: a field and its component. */
static fender_status emit_choices(finder *f, const target *t, const choice *choices, int count, int first,
                                  const char *what)
{
    const fnd_channel_path *path = &f->path;
    if (path->count <= first) {
        name_list names = {.used = 0};
        char suggestion[320];
        for (int i = 0; i < count; i++) list_name(&names, choices[i].name);
        snprintf(suggestion, sizeof suggestion, "append '.*' for all of them, or one of: %s", names.text);
        return fail_form(f, "the path does not say what is to be read", names.text, suggestion);
    }
    if (path->count > first + 2)
        return fail_form(f, "the path goes on after a number", "a field and perhaps one component",
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
    name_list names = {.used = 0};
    for (int i = 0; i < count; i++) {
        fnd_nearest_offer(&search, choices[i].name);
        list_name(&names, choices[i].name);
    }
    return fail_unknown(f, what, path->words[first], search.best, &names);
}

static int choices_of_table(const fender_field_table *table, choice choices[CHOICE_LIMIT])
{
    int count = 0;
    for (const fender_field *field; count < CHOICE_LIMIT && (field = fender_field_at(table, count)); count++)
        choices[count] = (choice){field->name, field};
    return count;
}

/* ---- sections */

static fender_status find_time(finder *f)
{
    target t = {"time", FND_CHANNEL_TIME, 0, 0};
    if (f->path.count > 1) return fail_form(f, "time has no parts", "time", "leave out the end of it");
    return emit(f, &t, "", "", "s", NULL, 0);
}

static fender_status find_bodies(finder *f)
{
    choice choices[CHOICE_LIMIT];
    const fender_world *world = f->world;
    int count = choices_of_table(fender_body_fields(), choices), bodies = fender_body_count(world);
    bool found = false;
    if (f->path.count < 2 || f->path.colon)
        return fail_form(f, "this is no path of a body", "bodies.NAME.FIELD", "for example bodies.*.position");
    if (f->path.count > 2 && fnd_word_is(f->path.words[2], "state"))
        return fail_form(f, "'state' is the initial state of a body, which cannot be recorded",
                         "the present state: bodies.NAME.position, .velocity, .attitude, .angular_velocity",
                         "leave out '.state'");
    for (int i = 0; i < bodies; i++) {
        const char *name = fender_body_name(world, fender_body_at(world, i));
        if (!fnd_word_fits(f->path.words[1], name)) continue;
        char prefix[192];
        snprintf(prefix, sizeof prefix, "bodies.%s", name);
        target t = {prefix, FND_CHANNEL_BODY, (uint32_t)i, 0};
        fender_status status = emit_choices(f, &t, choices, count, 2, "a body has no field");
        if (status != FENDER_STATUS_OK) return status;
        found = true;
    }
    if (found) return FENDER_STATUS_OK;
    fnd_nearest search = fnd_nearest_begin(f->path.words[1].text, f->path.words[1].length);
    name_list names = {.used = 0};
    for (int i = 0; i < bodies; i++) {
        const char *name = fender_body_name(world, fender_body_at(world, i));
        fnd_nearest_offer(&search, name);
        list_name(&names, name);
    }
    return fail_unknown(f, "no body is named", f->path.words[1], search.best, &names);
}

static fender_status find_ledger(finder *f)
{
    choice choices[CHOICE_LIMIT];
    name_list names = {.used = 0};
    bool found = false;
    const char *last = "";
    fnd_nearest search = {0};
    if (f->path.count < 2 || f->path.colon)
        return fail_form(f, "this is no path of the ledger", "ledger.GROUP.NAME", "for example ledger.energy.residual");
    search = fnd_nearest_begin(f->path.words[1].text, f->path.words[1].length);
    for (int i = 0; fnd_ledger_entry_at(i); i++) {
        const char *group = fnd_ledger_entry_at(i)->group;
        if (strcmp(group, last) == 0) continue;
        last = group;
        fnd_nearest_offer(&search, group);
        list_name(&names, group);
        if (!fnd_word_fits(f->path.words[1], group)) continue;
        int count = 0;
        for (int k = i; fnd_ledger_entry_at(k) && strcmp(fnd_ledger_entry_at(k)->group, group) == 0; k++) {
            const fnd_ledger_entry *entry = fnd_ledger_entry_at(k);
            choices[count] = (choice){entry->name, fender_field_find(fender_ledger_fields(), entry->field)};
            if (choices[count].field) count++;
        }
        char prefix[192];
        snprintf(prefix, sizeof prefix, "ledger.%s", group);
        target t = {prefix, FND_CHANNEL_LEDGER, 0, 0};
        fender_status status = emit_choices(f, &t, choices, count, 2, "this group of the ledger has no");
        if (status != FENDER_STATUS_OK) return status;
        found = true;
    }
    return found ? FENDER_STATUS_OK : fail_unknown(f, "the ledger has no group", f->path.words[1], search.best, &names);
}

static fender_status find_links(finder *f)
{
    choice choices[CHOICE_LIMIT];
    int count = choices_of_table(fender_link_fields(), choices), links = fender_link_count(f->world);
    bool found = false;
    if (f->path.count < 2 || f->path.colon)
        return fail_form(f, "this is no path of a link", "links.NAME.FIELD", "for example links.*.force");
    fnd_nearest search = fnd_nearest_begin(f->path.words[1].text, f->path.words[1].length);
    name_list names = {.used = 0};
    for (int i = 0; i < links; i++) {
        fender_link_id id = fender_link_at(f->world, i);
        const char *name = fender_link_name(f->world, id);
        fnd_nearest_offer(&search, name);
        list_name(&names, name);
        if (!fnd_word_fits(f->path.words[1], name)) continue;
        char prefix[192];
        snprintf(prefix, sizeof prefix, "links.%s", name);
        target t = {prefix, FND_CHANNEL_LINK, id.index1, id.generation};
        fender_status status = emit_choices(f, &t, choices, count, 2, "a link has no field");
        if (status != FENDER_STATUS_OK) return status;
        found = true;
    }
    return found ? FENDER_STATUS_OK : fail_unknown(f, "no link is named", f->path.words[1], search.best, &names);
}

static fender_status find_loads(finder *f)
{
    char name[128], prefix[192];
    fender_load_id id;
    if (f->path.count != 3 || f->path.colon || !fnd_word_is(f->path.words[2], "active"))
        return fail_form(f, "this is no path of a load", "loads.NAME.active", "of a load, `active` can be read");
    fnd_word word = f->path.words[1];
    if (fnd_word_is_any(word))
        return fail_form(f, "loads cannot be listed by '*'", "the name of one load", "name each load by itself");
    name_list names = {.used = 0};
    list_name(&names, "a name under `loads`");
    if (word.length >= sizeof name) return fail_unknown(f, "no load is named", word, NULL, &names);
    memcpy(name, word.text, word.length);
    name[word.length] = '\0';
    if (fender_load_find(f->world, name, &id) != FENDER_STATUS_OK)
        return fail_unknown(f, "no load is named", word, NULL, &names);
    snprintf(prefix, sizeof prefix, "loads.%s", name);
    target t = {prefix, FND_CHANNEL_LOAD, id.index1, id.generation};
    return emit(f, &t, "active", "", "1", NULL, 0);
}

static fender_status find_events(finder *f)
{
    name_list names = {.used = 0};
    bool found = false;
    if (f->path.count != 3 || f->path.colon || !fnd_word_is(f->path.words[2], "count"))
        return fail_form(f, "this is no path of events", "events.KIND.count", "for example events.touch.count");
    fnd_nearest search = fnd_nearest_begin(f->path.words[1].text, f->path.words[1].length);
    int kinds = FND_EVENT_KIND_COUNT + (f->emitted ? f->emitted->count : 0);
    for (int kind = 0; kind < kinds; kind++) {
        const char *name = fnd_event_name(f->emitted, kind);
        fnd_nearest_offer(&search, name);
        list_name(&names, name);
        if (!fnd_word_fits(f->path.words[1], name)) continue;
        char prefix[192];
        snprintf(prefix, sizeof prefix, "events.%s", name);
        target t = {prefix, FND_CHANNEL_EVENT, (uint32_t)kind, 0};
        fender_status status = emit(f, &t, "count", "", "1", NULL, 0);
        if (status != FENDER_STATUS_OK) return status;
        found = true;
    }
    return found ? FENDER_STATUS_OK : fail_unknown(f, "no event is named", f->path.words[1], search.best, &names);
}

/* ---- contacts */

typedef struct pair {
    uint32_t a, b;
} pair;

/* Does one side of a pair, two words or none for any, fit the shape? */
static bool side_fits(const finder *f, int first, fender_shape_id shape)
{
    if (first == 0) return true;
    return fnd_word_fits(f->path.words[first], fender_body_name(f->world, fender_shape_body(f->world, shape))) &&
           fnd_word_fits(f->path.words[first + 1], fender_shape_name(f->world, shape));
}

/* Some shape fits; else the error says which name is at fault. */
static fender_status check_side(const finder *f, int first)
{
    const fender_world *world = f->world;
    name_list names = {.used = 0}, bodies = {.used = 0};
    fnd_nearest search = fnd_nearest_begin(f->path.words[first + 1].text, f->path.words[first + 1].length);
    fnd_nearest body_search = fnd_nearest_begin(f->path.words[first].text, f->path.words[first].length);
    bool body_found = false;
    for (int i = 0; i < fender_body_count(world); i++) {
        const char *name = fender_body_name(world, fender_body_at(world, i));
        body_found = body_found || fnd_word_fits(f->path.words[first], name);
        fnd_nearest_offer(&body_search, name);
        list_name(&bodies, name);
    }
    if (!body_found) return fail_unknown(f, "no body is named", f->path.words[first], body_search.best, &bodies);
    for (int i = 0; i < fender_shape_count(world); i++) {
        fender_shape_id shape = fender_shape_at(world, i);
        if (!fnd_word_fits(f->path.words[first], fender_body_name(world, fender_shape_body(world, shape)))) continue;
        if (side_fits(f, first, shape)) return FENDER_STATUS_OK;
        fnd_nearest_offer(&search, fender_shape_name(world, shape));
        list_name(&names, fender_shape_name(world, shape));
    }
    return fail_unknown(f, "the body has no shape", f->path.words[first + 1], search.best, &names);
}

/* The index of a shape that is one of two given by index. */
static uint32_t index_of(const finder *f, fender_shape_id shape, int one, int other)
{
    fender_shape_id id = fender_shape_at(f->world, one);
    return (uint32_t)(id.index1 == shape.index1 && id.generation == shape.generation ? one : other);
}

static bool comes_before(pair x, pair y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }

/* What can be read of two shapes that cannot touch: how they lie. */
static bool describes_approach(const finder *f, int first)
{
    static const char *const names[] = {"separation", "normal", "point_on_a", "point_on_b"};
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
    case FENDER_PAIR_NO_STATE: return "one of them is mass only and not attached to a body with a state";
    case FENDER_PAIR_MAY_TOUCH:
    case FENDER_PAIR_OUT_OF_RANGE: break;
    }
    return "they may touch";
}

/* A pair named by a pattern; `single` when the pattern can name one alone. */
static fender_status add_pair(finder *f, int i, int j, bool single, int first, pair pairs[PAIR_LIMIT], int *count)
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
        return fail_form(f, message, "two shapes that may touch, or `separation`, which any two shapes have",
                         "`fender explain SCENARIO A B` tells more; rules stand under `rules`");
    }
    if (*count == PAIR_LIMIT)
        return fail_form(f, "the pattern names more than 1000 pairs of shapes", "at most 1000",
                         "name one side: contacts.BODY.SHAPE:*.*.FIELD");
    pair p = {index_of(f, why.a, i, j), index_of(f, why.b, j, i)};
    if (!may_touch) p = (pair){(uint32_t)i, (uint32_t)j};
    int at = (*count)++;
    for (; at > 0 && comes_before(p, pairs[at - 1]); at--) pairs[at] = pairs[at - 1];
    pairs[at] = p;
    return FENDER_STATUS_OK;
}

static fender_status collect_pairs(finder *f, int left, int right, int first, pair pairs[PAIR_LIMIT], int *count)
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

static fender_status find_contacts(finder *f)
{
    choice choices[CHOICE_LIMIT];
    pair pairs[PAIR_LIMIT];
    int pair_count = 0, left = 0, right = 0, first = 2;
    const fnd_channel_path *path = &f->path;
    fender_status status = FENDER_STATUS_OK;
    if (path->colon == 3 && path->count >= 5) {
        left = 1;
        right = 3;
        first = 5;
        status = check_side(f, left);
        if (status == FENDER_STATUS_OK) status = check_side(f, right);
    } else if (path->colon || path->count < 2 || !fnd_word_is_any(path->words[1])) {
        status = fail_form(f, "this is no path of a contact",
                           "contacts.BODY.SHAPE:BODY.SHAPE.FIELD, or contacts.*.FIELD",
                           "for example contacts.*.depth; contacts.*.* names every field of every pair");
    }
    if (status == FENDER_STATUS_OK) status = collect_pairs(f, left, right, first, pairs, &pair_count);
    int count = choices_of_table(fender_contact_fields(), choices);
    for (int i = 0; i < pair_count && status == FENDER_STATUS_OK; i++) {
        char name[420], prefix[192];
        fender_shape_id a = fender_shape_at(f->world, (int)pairs[i].a), b = fender_shape_at(f->world, (int)pairs[i].b);
        fnd_pair_name(f->world, a, b, name, sizeof name);
        int length = snprintf(prefix, sizeof prefix, "contacts.%s", name);
        target t = {prefix, FND_CHANNEL_CONTACT, pairs[i].a, pairs[i].b};
        status = length >= (int)sizeof prefix
                     ? fail_form(f, "the name of this channel is too long to be recorded", "at most 191 bytes",
                                 "give the bodies and shapes shorter names")
                     : emit_choices(f, &t, choices, count, first, "a contact has no field");
    }
    if (status == FENDER_STATUS_OK && pair_count == 0)
        status = fail_form(f, "no two shapes that the pattern names may touch", "at least one pair that may touch",
                           "`fender explain SCENARIO A B` says why; rules stand under `rules`");
    return status;
}

/* ---- all */

typedef struct section {
    const char *name;
    fender_status (*find)(finder *f);
} section;
static const section sections[] = {{"time", find_time},     {"bodies", find_bodies}, {"contacts", find_contacts},
                                   {"ledger", find_ledger}, {"links", find_links},   {"loads", find_loads},
                                   {"events", find_events}};
enum { SECTION_COUNT = sizeof sections / sizeof sections[0] };

fender_status fender_channel_find(const fender_world *world, const char *pattern, fender_channel *channels,
                                  int capacity, int *count, fender_error *error)
{
    return fnd_channel_find(world, NULL, pattern, channels, capacity, count, error);
}

fender_status fnd_channel_find(const fender_world *world, const fnd_event_names *emitted, const char *pattern,
                               fender_channel *channels, int capacity, int *count, fender_error *error)
{
    finder f = {.world = world, .emitted = emitted, .channels = channels, .capacity = capacity, .error = error};
    if (!world || !pattern || !count || capacity < 0)
        return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_ARGUMENT,
                                                 .message = "world, pattern and count are needed",
                                                 .expected = "pointers that are not NULL, capacity not negative"});
    if (!fnd_channel_path_split(pattern, &f.path)) {
        f.path.pattern = pattern;
        return fail_form(&f, "this is no path of a channel", "names joined by '.', as in bodies.veh1.position.x",
                         "`fender info channels` lists all");
    }
    fnd_nearest search = fnd_nearest_begin(f.path.words[0].text, f.path.words[0].length);
    name_list names = {.used = 0};
    for (int i = 0; i < SECTION_COUNT; i++) {
        if (fnd_word_is(f.path.words[0], sections[i].name)) {
            fender_status status = sections[i].find(&f);
            if (status == FENDER_STATUS_OK) *count = f.count;
            return status;
        }
        fnd_nearest_offer(&search, sections[i].name);
        list_name(&names, sections[i].name);
    }
    return fail_unknown(&f, "no section of channels is named", f.path.words[0], search.best, &names);
}
