/* Sections `run`, `record` and `expect`, and conditions. */
#include "scenario/orientation.h"
#include "scenario/section.h"
#include "support/file.h"
#include "support/renamed.h"
#include <string.h>

/* ---- Conditions ---- */

static const char *const condition_keys[] = {
    "time",        "begin",          "end",         "event",   "contact", "link",  "points",
    "closer_than", "aligned_within", "slower_than", "channel", "above",   "below", "all",
    "any",         "at_least",       "for",         "action",  NULL};

static const struct {
    const char *key;
    fnd_condition_kind kind;
} forms[] = {{"time", FND_CONDITION_TIME},   {"begin", FND_CONDITION_BEGIN},   {"end", FND_CONDITION_END},
             {"event", FND_CONDITION_EVENT}, {"points", FND_CONDITION_POINTS}, {"channel", FND_CONDITION_CHANNEL},
             {"all", FND_CONDITION_ALL},     {"any", FND_CONDITION_ANY},       {"action", FND_CONDITION_ACTION}};

/* Keys that belong to one form each. */
static const struct {
    const char *key;
    fnd_condition_kind kind;
} companions[] = {{"at_least", FND_CONDITION_BEGIN},
                  {"contact", FND_CONDITION_EVENT},
                  {"link", FND_CONDITION_EVENT},
                  {"closer_than", FND_CONDITION_POINTS},
                  {"aligned_within", FND_CONDITION_POINTS},
                  {"slower_than", FND_CONDITION_POINTS},
                  {"above", FND_CONDITION_CHANNEL},
                  {"below", FND_CONDITION_CHANNEL}};

static bool check_companions(fnd_reader *reader, const fnd_node *node, const fnd_node *given, fnd_condition_kind kind)
{
    for (size_t i = 0; i < sizeof companions / sizeof companions[0]; i++) {
        const fnd_node *other = fnd_node_find(node, companions[i].key);
        if (!other || companions[i].kind == kind) continue;
        fnd_complain(reader, &other->key_location, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' cannot be combined with '%s'", other->key, given->key).text, other->key,
                     fnd_phrase_make("keys that belong to '%s'", given->key).text, "remove it");
        return false;
    }
    return true;
}

/* The name of an event: of the world or one that an action emits. One of an earlier version gets its present name. */
static bool check_event(fnd_reader *reader, fnd_node *node)
{
    const char *name = NULL;
    const fender_scenario *scenario = reader->scenario;
    if (!fnd_read_text(reader, node, "event", &name)) return false;
    for (int i = 0; i < scenario->event_count; i++)
        if (strcmp(scenario->events[i].name, name) == 0) return true;
    int kinds = 0;
    while (fender_event_name((fender_event_kind)kinds)) kinds++;
    fnd_known_name *candidates = fnd_keep(reader, (size_t)(kinds + scenario->event_count), sizeof *candidates);
    if (!candidates) return false;
    for (int i = 0; i < kinds; i++) {
        candidates[i] = (fnd_known_name){fender_event_name((fender_event_kind)i), 0};
        if (strcmp(candidates[i].name, name) == 0) return true;
    }
    const fnd_renamed *row = fnd_renamed_find(FND_RENAMED_EVENT, name);
    if (row) {
        fnd_note_renamed(reader, &node->location, row);
        node->text = row->now;
        return true;
    }
    for (int i = 0; i < scenario->event_count; i++)
        candidates[kinds + i] = (fnd_known_name){scenario->events[i].name, scenario->events[i].location.line};
    fnd_complain(reader, &node->location, FENDER_STATUS_NAME,
                 fnd_phrase_make("no event is named '%s'", fnd_shown(name).text).text, fnd_shown(name).text,
                 "an event of contacts, links or the mass tree, or one that an action emits",
                 fnd_suggest(reader, name, "events", candidates, kinds + scenario->event_count).text);
    return false;
}

/* `link` beside an event, when there is one: its index + 1. */
static bool read_link_of_event(fnd_reader *reader, const fnd_node *node, int *link)
{
    const fnd_node *given = fnd_node_find(node, "link");
    const char *name = NULL;
    if (!given) return true;
    if (!fnd_read_text(reader, given, "link", &name)) return false;
    *link = fnd_find_link(reader, given, name) + 1;
    return *link > 0;
}

static bool read_event(fnd_reader *reader, const fnd_node *node, fnd_node *event, fnd_condition *condition)
{
    const fnd_node *contact = fnd_node_find(node, "contact");
    const char *name = NULL;
    if (!check_event(reader, event)) return false;
    condition->event = fnd_located(event);
    if (!read_link_of_event(reader, node, &condition->link)) return false;
    if (!contact) return true;
    if (!fnd_read_text(reader, contact, "contact", &name)) return false;
    condition->contact = fnd_located(contact);
    return true;
}

static bool read_points(fnd_reader *reader, const fnd_node *node, const fnd_node *list, fnd_condition *condition)
{
    if (!fnd_expect_list(reader, list, "points")) return false;
    if (list->count != 2) {
        fnd_complain(reader, fnd_node_shown_location(list), FENDER_STATUS_PARSE,
                     fnd_phrase_make("'points' needs two points, not %d", list->count).text,
                     fnd_phrase_make("%d", list->count).text, "two points", "write [a.port, b.port]");
        return false;
    }
    bool good = fnd_find_point(reader, list->first, true, &condition->point_body[0], &condition->point[0]);
    good = fnd_find_point(reader, list->last, true, &condition->point_body[1], &condition->point[1]) && good;
    const fnd_node *closer = fnd_node_find(node, "closer_than"), *aligned = fnd_node_find(node, "aligned_within");
    const fnd_node *slower = fnd_node_find(node, "slower_than");
    const double half_turn = 3.14159265358979323846;
    double angle = half_turn;
    condition->closer_than = condition->slower_than = INFINITY;
    if (closer)
        good = fnd_read_number_from(reader, closer, "closer_than", "m", 0, true, &condition->closer_than) && good;
    if (aligned) good = fnd_read_number_from(reader, aligned, "aligned_within", "rad", 0, true, &angle) && good;
    if (slower)
        good = fnd_read_number_from(reader, slower, "slower_than", "m/s", 0, true, &condition->slower_than) && good;
    condition->half_angle_sine = angle < half_turn ? fnd_sine_cosine_radians(0.5 * angle).sine : INFINITY;
    if (closer || aligned || slower) return good;
    static const char *const bounds[] = {"closer_than", "aligned_within", "slower_than"};
    for (int i = 0; i < 3; i++)
        if (fnd_is_misspelt_in(node, bounds[i])) return false;
    fnd_complain(reader, &list->key_location, FENDER_STATUS_ARGUMENT, "a condition on two points has no bound",
                 "nothing", "'closer_than', 'aligned_within' or 'slower_than'", "add 'closer_than: 60 mm'");
    return false;
}

static bool read_pair(fnd_reader *reader, const fnd_node *node, const fnd_node *list, fnd_condition *condition)
{
    if (!fnd_expect_list(reader, list, list->key)) return false;
    if (list->count != 2) {
        fnd_complain(reader, fnd_node_shown_location(list), FENDER_STATUS_PARSE,
                     fnd_phrase_make("'%s' needs two names, not %d", list->key, list->count).text,
                     fnd_phrase_make("%d", list->count).text, "two bodies or shapes", "write [a, b]");
        return false;
    }
    bool good = fnd_check_thing(reader, list->first);
    good = fnd_check_thing(reader, list->last) && good;
    condition->a = fnd_located(list->first);
    condition->b = fnd_located(list->last);
    const fnd_node *at_least = fnd_node_find(node, "at_least");
    condition->at_least = 1;
    if (at_least) good = fnd_read_integer(reader, at_least, "at_least", 1, 1000000, &condition->at_least) && good;
    return good;
}

static bool read_children(fnd_reader *reader, const fnd_node *list, fnd_condition *condition)
{
    if (!fnd_expect_list(reader, list, list->key)) return false;
    if (list->count == 0) {
        fnd_complain(reader, fnd_node_shown_location(list), FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' has no conditions", list->key).text, "nothing", "one condition or more",
                     "write [{time: 5 s}, ..]");
        return false;
    }
    condition->children = fnd_keep(reader, (size_t)list->count, sizeof *condition->children);
    if (!condition->children) return false;
    bool good = true;
    for (fnd_node *child = list->first; child; child = child->next) /* depth is bounded by the parser */
        good = fnd_read_condition(reader, child, &condition->children[condition->child_count++]) && good;
    return good;
}

static bool read_channel(fnd_reader *reader, fnd_node *node, fnd_node *channel, fnd_condition *condition)
{
    const char *bound = NULL;
    fnd_node *above = fnd_node_find(node, "above"), *below = fnd_node_find(node, "below");
    if ((above != NULL) == (below != NULL)) {
        if (fnd_is_misspelt_in(node, "above") || fnd_is_misspelt_in(node, "below")) return false;
        fnd_complain(reader, &channel->key_location, FENDER_STATUS_ARGUMENT,
                     above ? "a condition has both 'above' and 'below'" : "a condition on a channel has no bound",
                     above ? "both" : "nothing", "'above' or 'below'", "write {channel: PATH, above: NUMBER}");
        return false;
    }
    const fnd_node *given = above ? above : below;
    if (!fnd_read_channel_path(reader, channel, "channel") || !fnd_read_text(reader, given, given->key, &bound))
        return false;
    condition->channel = fnd_located(channel);
    if (above) condition->above = fnd_located(above);
    else condition->below = fnd_located(below);
    return true;
}

static bool read_action_name(fnd_reader *reader, const fnd_node *node, fnd_condition *condition)
{
    const fender_scenario *scenario = reader->scenario;
    const char *name = NULL;
    if (!fnd_read_text(reader, node, "action", &name)) return false;
    fnd_known_name *candidates = fnd_keep(reader, (size_t)scenario->action_count, sizeof *candidates);
    if (!candidates) return false;
    for (int i = 0; i < scenario->action_count; i++) {
        const fnd_named *id = &scenario->actions[i].id;
        candidates[i] = (fnd_known_name){id->name, id->location.line};
        if (strcmp(id->name, name) == 0) return condition->action = i, true;
    }
    if (fnd_is_misspelt_in(reader->root, "actions")) return false;
    fnd_complain(reader, &node->location, FENDER_STATUS_NAME,
                 fnd_phrase_make("no action is named '%s'", fnd_shown(name).text).text, fnd_shown(name).text,
                 "the name of an action",
                 fnd_suggest(reader, name, "actions", candidates, scenario->action_count).text);
    return false;
}

/* `for` beside any form but that of an event, which is true at one state alone. */
static bool read_duration(fnd_reader *reader, const fnd_node *node, fnd_condition *condition)
{
    const fnd_node *duration = fnd_node_find(node, "for");
    if (!duration) return true;
    if (condition->kind != FND_CONDITION_EVENT)
        return fnd_read_number_from(reader, duration, "for", "s", 0, false, &condition->duration);
    fnd_complain(reader, &duration->key_location, FENDER_STATUS_ARGUMENT,
                 "an event is true at one state and does not last", "'for' beside 'event'",
                 "'for' beside a condition that lasts",
                 "give the action 'delay: 5 s', or wait for an action: {action: NAME, for: 5 s}");
    return false;
}

bool fnd_read_condition(fnd_reader *reader, fnd_node *node, fnd_condition *condition)
{
    if (!fnd_expect_map(reader, node, node->key ? node->key : "condition")) return false;
    if (!fnd_check_keys(reader, node, "a condition", condition_keys)) return false;
    fnd_node *given = NULL;
    condition->location = *fnd_node_shown_location(node);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        fnd_node *form = fnd_node_find(node, forms[i].key);
        if (!form) continue;
        if (given) {
            fnd_complain(reader, &form->key_location, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("a condition has both '%s' and '%s'", given->key, form->key).text, form->key,
                         "one form", "join two conditions by {all: [..]} or {any: [..]}");
            return false;
        }
        given = form;
        condition->kind = forms[i].kind;
    }
    if (given && !check_companions(reader, node, given, condition->kind)) return false;
    if (!read_duration(reader, node, condition)) return false;
    switch (condition->kind) {
    case FND_CONDITION_EVENT: return read_event(reader, node, given, condition);
    case FND_CONDITION_POINTS: return read_points(reader, node, given, condition);
    case FND_CONDITION_TIME: return fnd_read_number(reader, given, "time", "s", &condition->time);
    case FND_CONDITION_BEGIN:
    case FND_CONDITION_END: return read_pair(reader, node, given, condition);
    case FND_CONDITION_CHANNEL: return read_channel(reader, node, given, condition);
    case FND_CONDITION_ACTION: return read_action_name(reader, given, condition);
    case FND_CONDITION_ALL:
    case FND_CONDITION_ANY: return read_children(reader, given, condition);
    case FND_CONDITION_NONE: break;
    }
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT, "a condition says nothing",
                 "no known form", "one of time, begin, end, event, points, channel, action, all, any",
                 "write {time: 5 s}");
    return false;
}

/* ---- Sections ---- */

void fnd_read_run(fnd_reader *reader, fnd_node *section)
{
    static const char *const keys[] = {"until", "stop_when", "residual_bound", "checkpoint_every", "threads", NULL};
    fender_scenario *scenario = reader->scenario;
    if (!section) {
        (void)fnd_require(reader, reader->root, "run", "the scenario", "{until: 10 s}");
        return;
    }
    if (!fnd_expect_map(reader, section, "run")) return;
    (void)fnd_check_keys(reader, section, "run", keys);
    fnd_node *until = fnd_require(reader, section, "until", "'run'", "10 s");
    fnd_node *stop_when = fnd_node_find(section, "stop_when"), *every = fnd_node_find(section, "checkpoint_every");
    if (until) {
        scenario->until_location = *fnd_node_shown_location(until);
        (void)fnd_read_number_from(reader, until, "until", "s", 0, true, &scenario->until);
    }
    if (every) (void)fnd_read_number_from(reader, every, "checkpoint_every", "s", 0, true, &scenario->checkpoint_every);
    if (stop_when) (void)fnd_read_condition(reader, stop_when, &scenario->stop_when);
    const fnd_node *bound = fnd_node_find(section, "residual_bound");
    if (bound) (void)fnd_read_number_from(reader, bound, "residual_bound", "1", 0, true, &scenario->residual_bound);
    const fnd_node *threads = fnd_node_find(section, "threads");
    if (threads) (void)fnd_read_integer(reader, threads, "threads", 0, 256, &scenario->world.threads);
}

/* ---- record */

static bool has_parent_part(const char *path)
{
    for (const char *part = path; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        if (strncmp(part, "..", 2) == 0 && (part[2] == 0 || part[2] == '/')) return true;
    return false;
}

static void read_file_name(fnd_reader *reader, const fnd_node *node, fnd_record_section *record)
{
    const char *name = NULL;
    if (!fnd_read_text(reader, node, "file", &name)) return;
    record->file = fnd_located(node);
    if (name[0] == '/' || has_parent_part(name)) {
        fnd_complain(reader, &node->location, FENDER_STATUS_VALUE, "'file' is outside the run directory",
                     fnd_shown(name).text, "a name relative to the run directory", "write log.csv");
        return;
    }
    /* recordings of one HDF5 file are groups of it */
    if (fnd_has_ending(name, ".h5") || fnd_has_ending(name, ".hdf5")) return;
    if (fnd_has_ending(name, ".csv") || fnd_has_ending(name, ".trk")) {
        for (int i = 0; i + 1 < reader->scenario->record_count; i++) {
            const fnd_record_section *other = &reader->scenario->records[i];
            if (!other->file.text || strcmp(other->file.text, name) != 0) continue;
            fnd_complain(reader, &node->location, FENDER_STATUS_NAME,
                         fnd_phrase_make("'%s' is written by two records", fnd_shown(name).text).text,
                         fnd_shown(name).text, "a separate file for each record",
                         fnd_phrase_make("the other one is in line %d; rename one", other->file.location.line).text);
        }
        return;
    }
    fnd_complain(reader, &node->location, FENDER_STATUS_VALUE,
                 fnd_phrase_make("the extension of '%s' selects no format", fnd_shown(name).text).text,
                 fnd_shown(name).text, "a name that ends in .csv, .trk or .h5", "write log.csv");
}

static void read_channels(fnd_reader *reader, const fnd_node *list, fnd_record_section *record)
{
    if (!fnd_expect_list(reader, list, "channels")) return;
    if (list->count == 0)
        fnd_complain(reader, fnd_node_shown_location(list), FENDER_STATUS_ARGUMENT, "'channels' is empty", "nothing",
                     "one channel or more", "`fender info channels` lists what can be recorded");
    record->channels = fnd_keep(reader, (size_t)list->count, sizeof *record->channels);
    if (!record->channels) return;
    for (fnd_node *node = list->first; node; node = node->next)
        if (fnd_read_channel_path(reader, node, "channels"))
            record->channels[record->channel_count++] = fnd_located(node);
}

static void read_trigger(fnd_reader *reader, fnd_node *node, fnd_record_section *record)
{
    static const char *const triggers[] = {"steps", "events", NULL};
    fnd_node *every = fnd_node_find(node, "every"), *on = fnd_node_find(node, "on");
    int index = 0;
    if (every && on) {
        fnd_complain(reader, &on->key_location, FENDER_STATUS_ARGUMENT, "'on' and 'every' cannot be combined", "both",
                     "'every' or 'on'", "remove one of them");
        return;
    }
    if (every) {
        record->trigger = FND_RECORD_EVERY;
        record->every_text = fnd_located(every);
        (void)fnd_read_number_from(reader, every, "every", "s", 0, true, &record->every);
    } else if (on) {
        if (fnd_read_choice(reader, on, "on", triggers, &index))
            record->trigger = index == 0 ? FND_RECORD_STEPS : FND_RECORD_EVENTS;
    } else if (!fnd_is_misspelt_in(node, "every") && !fnd_is_misspelt_in(node, "on"))
        fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("record '%s' has no times", fnd_shown(node->key).text).text, "nothing",
                     "'every' or 'on'", "add 'every: 10 ms', 'on: steps' or 'on: events'");
}

/* `contacts: TYPE`, or `all`. */
static void read_contacts(fnd_reader *reader, const fnd_node *node, const fnd_node *channels,
                          fnd_record_section *record)
{
    const char *name = NULL;
    if (!fnd_read_text(reader, node, "contacts", &name)) return;
    if (channels) {
        fnd_complain(reader, &channels->key_location, FENDER_STATUS_ARGUMENT,
                     "'channels' and 'contacts' cannot be combined", "both", "'channels' or 'contacts'",
                     "remove one of them, or write a second record");
        return;
    }
    record->contacts = fnd_located(node);
    record->contact_type = -1;
    if (strcmp(name, "all") == 0) return;
    const fender_scenario *scenario = reader->scenario;
    for (int i = 0; i < scenario->contact_type_count; i++)
        if (strcmp(scenario->contact_types[i].id.name, name) == 0) {
            record->contact_type = i;
            return;
        }
    fnd_complain_unknown(reader, &node->location, "contact type", "contact types", name,
                         fnd_node_find(reader->root, "contact_types"));
}

static void read_record(fnd_reader *reader, fnd_node *node, fnd_record_section *record)
{
    static const char *const keys[] = {"file", "every", "on", "channels", "contacts", NULL};
    if (!fnd_expect_map(reader, node, node->key)) return;
    (void)fnd_check_keys(reader, node, "a record", keys);
    fnd_phrase what = fnd_phrase_make("record '%s'", fnd_shown(node->key).text);
    fnd_node *file = fnd_require(reader, node, "file", what.text, "log.csv");
    fnd_node *channels = fnd_node_find(node, "channels"), *contacts = fnd_node_find(node, "contacts");
    if (file) read_file_name(reader, file, record);
    record->trigger = FND_RECORD_STEPS;
    read_trigger(reader, node, record);
    if (record->file.text && fnd_has_ending(record->file.text, ".trk") &&
        (record->trigger == FND_RECORD_EVENTS || contacts))
        fnd_complain(reader, &file->location, FENDER_STATUS_VALUE,
                     "rows of events and contacts contain text, which .trk files do not support",
                     fnd_shown(record->file.text).text, "a name that ends in .csv or .h5", "write log.csv");
    if (record->trigger == FND_RECORD_EVENTS) {
        const fnd_node *either = channels ? channels : contacts;
        if (either)
            fnd_complain(reader, &either->key_location, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("a record on events has no %s", either->key).text, either->key,
                         "file and on: events", fnd_phrase_make("remove '%s', or write 'on: steps'", either->key).text);
    } else if (contacts) read_contacts(reader, contacts, channels, record);
    else if (channels) read_channels(reader, channels, record);
    else (void)fnd_require(reader, node, "channels", what.text, "[bodies.*.position]");
}

void fnd_read_record(fnd_reader *reader, fnd_node *section)
{
    fender_scenario *scenario = reader->scenario;
    scenario->records = fnd_keep_section(reader, section, "record", sizeof *scenario->records);
    if (!scenario->records) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_record_section *record = &scenario->records[scenario->record_count++];
        (void)fnd_check_name(reader, node->key, &node->key_location, "a record");
        record->name = node->key;
        record->location = node->key_location;
        read_record(reader, node, record);
    }
}

/* ---- expect */

static void read_at(fnd_reader *reader, const fnd_node *node, fnd_expectation *expectation)
{
    static const char *const words[] = {"end", "max", "min"};
    static const fnd_expect_at values[] = {FND_EXPECT_END, FND_EXPECT_MAX, FND_EXPECT_MIN};
    for (int i = 0; i < 3; i++)
        if (node->kind == FND_NODE_TEXT && strcmp(node->text, words[i]) == 0) {
            expectation->at = values[i];
            return;
        }
    bool number = node->kind == FND_NODE_TEXT && strpbrk(node->text, "0123456789");
    if (!number) {
        fnd_phrase found = node->text[0] ? fnd_shown(node->text) : fnd_phrase_make("%s", fnd_node_kind_text(node));
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_PARSE,
                     fnd_phrase_make("'at' cannot be '%s'", found.text).text, found.text, "a time, end, max or min",
                     "write 'at: 10 s' or 'at: end'");
        return;
    }
    expectation->at = FND_EXPECT_TIME;
    (void)fnd_read_number_from(reader, node, "at", "s", 0, false, &expectation->at_time);
}

static void take_text(fnd_reader *reader, const fnd_node *node, fnd_located_text *text)
{
    const char *value = NULL;
    if (node && fnd_read_text(reader, node, node->key, &value)) *text = fnd_located(node);
}

static void read_channel_expectation(fnd_reader *reader, fnd_node *node, fnd_expectation *expectation)
{
    fnd_node *equals = fnd_node_find(node, "equals"), *within = fnd_node_find(node, "within");
    fnd_node *below = fnd_node_find(node, "below"), *above = fnd_node_find(node, "above");
    fnd_node *at = fnd_node_find(node, "at");
    fnd_node *channel = fnd_node_find(node, "channel");
    if (channel && fnd_read_channel_path(reader, channel, "channel")) expectation->channel = fnd_located(channel);
    take_text(reader, equals, &expectation->equals);
    take_text(reader, within, &expectation->within);
    take_text(reader, below, &expectation->below);
    take_text(reader, above, &expectation->above);
    if (!equals && !below && !above) {
        if (fnd_is_misspelt_in(node, "equals") || fnd_is_misspelt_in(node, "below") ||
            fnd_is_misspelt_in(node, "above"))
            return;
        fnd_complain(reader, &expectation->location, FENDER_STATUS_ARGUMENT, "an expectation has no expected value",
                     "neither equals nor below nor above", "'equals' with 'within', 'below' or 'above'",
                     "add 'equals: VALUE, within: TOLERANCE'");
    } else if (equals && (below || above)) {
        const fnd_node *second = below ? below : above;
        fnd_complain(reader, &second->key_location, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' and 'equals' cannot be combined", second->key).text, second->key,
                     "'equals' with 'within', or bounds", "write two expectations");
    } else if (equals) (void)fnd_require(reader, node, "within", "an expectation with 'equals'", "1e-9");
    else if (within)
        fnd_complain(reader, &within->key_location, FENDER_STATUS_ARGUMENT, "'within' needs 'equals'", "within alone",
                     "'equals' beside it", "remove 'within'");
    /* a bound without a time holds always */
    expectation->at = equals ? FND_EXPECT_END : below ? FND_EXPECT_MAX : FND_EXPECT_MIN;
    if (at) read_at(reader, at, expectation);
    else if (below && above)
        fnd_complain(reader, &above->key_location, FENDER_STATUS_ARGUMENT, "two bounds need 'at'", "below and above",
                     "'at: TIME' or 'at: end'", "add 'at', or write two expectations");
}

static void read_event_expectation(fnd_reader *reader, fnd_node *node, fnd_expectation *expectation)
{
    static const char *const others[] = {"equals", "below", "above"};
    fnd_node *event = fnd_node_find(node, "event"), *at = fnd_node_find(node, "at");
    fnd_node *within = fnd_node_find(node, "within");
    for (int i = 0; i < 3; i++) {
        const fnd_node *other = fnd_node_find(node, others[i]);
        if (other)
            fnd_complain(reader, &other->key_location, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("'%s' has no meaning for an event", others[i]).text, others[i],
                         "'at' and 'within'", "remove it");
    }
    if (check_event(reader, event)) expectation->event = fnd_located(event);
    take_text(reader, fnd_node_find(node, "contact"), &expectation->contact);
    (void)read_link_of_event(reader, node, &expectation->link);
    if (!at) at = fnd_require(reader, node, "at", "an expected event", "5 s");
    if (!within) within = fnd_require(reader, node, "within", "an expected event", "0.1 s");
    if (at) (void)fnd_read_number_from(reader, at, "at", "s", 0, false, &expectation->event_time);
    if (within) (void)fnd_read_number_from(reader, within, "within", "s", 0, false, &expectation->event_within);
}

static void read_expectation(fnd_reader *reader, fnd_node *node, fnd_expectation *expectation)
{
    static const char *const keys[] = {"channel", "event", "contact", "at",   "equals", "within",
                                       "below",   "above", "source",  "link", NULL};
    if (!fnd_expect_map(reader, node, "expect")) return;
    (void)fnd_check_keys(reader, node, "an expectation", keys);
    const fnd_node *channel = fnd_node_find(node, "channel"), *event = fnd_node_find(node, "event");
    const fnd_node *contact = fnd_node_find(node, "contact"), *source = fnd_node_find(node, "source");
    const fnd_node *link = fnd_node_find(node, "link");
    expectation->location = *fnd_node_shown_location(node);
    expectation->source = "";
    if (source) (void)fnd_read_text(reader, source, "source", &expectation->source);
    if (channel && event)
        fnd_complain(reader, &event->key_location, FENDER_STATUS_ARGUMENT,
                     "an expectation has both 'channel' and 'event'", "both", "'channel' or 'event'",
                     "write two expectations");
    else if (channel && contact)
        fnd_complain(reader, &contact->key_location, FENDER_STATUS_ARGUMENT, "'contact' belongs to an event",
                     "contact beside channel", "channel alone",
                     "name the contact in the channel: contacts.a.x:b.y.depth");
    else if (channel && link)
        fnd_complain(reader, &link->key_location, FENDER_STATUS_ARGUMENT, "'link' belongs to an event",
                     "link beside channel", "channel alone", "name the link in the channel: links.NAME.force");
    else if (channel) read_channel_expectation(reader, node, expectation);
    else if (event) read_event_expectation(reader, node, expectation);
    else if (!fnd_is_misspelt_in(node, "channel") && !fnd_is_misspelt_in(node, "event"))
        fnd_complain(reader, &expectation->location, FENDER_STATUS_ARGUMENT,
                     "an expectation needs a channel or an event", "neither channel nor event", "'channel' or 'event'",
                     "write {channel: PATH, at: end, equals: VALUE, within: TOLERANCE}");
}

void fnd_read_expect(fnd_reader *reader, fnd_node *section)
{
    if (!section || !fnd_expect_list(reader, section, "expect")) return;
    fender_scenario *scenario = reader->scenario;
    scenario->expectations = fnd_keep(reader, (size_t)section->count, sizeof *scenario->expectations);
    if (!scenario->expectations) return;
    for (fnd_node *node = section->first; node; node = node->next)
        read_expectation(reader, node, &scenario->expectations[scenario->expectation_count++]);
}
