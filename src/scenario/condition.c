/* Conditions: when something is to happen. */
#include <string.h>

#include "scenario/section.h"
#include "scenario/trigonometry.h"

static const fnd_key condition_keys[] = {{"time", false},        {"touch", false},       {"release", false},
                                         {"event", false},       {"contact", false},     {"link", false},
                                         {"points", false},      {"closer_than", false}, {"aligned_within", false},
                                         {"slower_than", false}, {"channel", false},     {"above", false},
                                         {"below", false},       {"all", false},         {"any", false},
                                         {"at_least", false},    {"for", false},         {NULL, false}};

static const struct {
    const char *key;
    fnd_condition_kind kind;
} forms[] = {{"time", FND_CONDITION_TIME},   {"touch", FND_CONDITION_TOUCH},   {"release", FND_CONDITION_RELEASE},
             {"event", FND_CONDITION_EVENT}, {"points", FND_CONDITION_POINTS}, {"channel", FND_CONDITION_CHANNEL},
             {"all", FND_CONDITION_ALL},     {"any", FND_CONDITION_ANY}};

/* Keys that belong to one form each. */
static const struct {
    const char *key;
    fnd_condition_kind kind;
} companions[] = {{"at_least", FND_CONDITION_TOUCH},     {"for", FND_CONDITION_TOUCH},
                  {"contact", FND_CONDITION_EVENT},      {"link", FND_CONDITION_EVENT},
                  {"closer_than", FND_CONDITION_POINTS}, {"aligned_within", FND_CONDITION_POINTS},
                  {"slower_than", FND_CONDITION_POINTS}, {"above", FND_CONDITION_CHANNEL},
                  {"below", FND_CONDITION_CHANNEL}};

static bool check_companions(fnd_reader *reader, const fnd_node *node, const fnd_node *given, fnd_condition_kind kind)
{
    for (size_t i = 0; i < sizeof companions / sizeof companions[0]; i++) {
        const fnd_node *other = fnd_node_find(node, companions[i].key);
        if (!other || companions[i].kind == kind) continue;
        fnd_complain(reader, &other->key_place, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' has no meaning beside '%s'", other->key, given->key).text, other->key,
                     fnd_phrase_make("keys that belong to '%s'", given->key).text, "remove it");
        return false;
    }
    return true;
}

bool fnd_check_event(fnd_reader *reader, const fnd_node *node)
{
    const char *name = NULL;
    const fender_scenario *scenario = reader->scenario;
    if (!fnd_read_text(reader, node, "event", &name)) return false;
    for (int i = 0; i < scenario->event_count; i++)
        if (strcmp(scenario->events[i].name, name) == 0) return true;
    int kinds = 0;
    while (fender_event_name((fender_event_kind)kinds)) kinds++;
    fnd_candidate *candidates = fnd_keep(reader, (size_t)(kinds + scenario->event_count), sizeof *candidates);
    if (!candidates) return false;
    for (int i = 0; i < kinds; i++) {
        candidates[i] = (fnd_candidate){fender_event_name((fender_event_kind)i), 0};
        if (strcmp(candidates[i].name, name) == 0) return true;
    }
    for (int i = 0; i < scenario->event_count; i++)
        candidates[kinds + i] = (fnd_candidate){scenario->events[i].name, scenario->events[i].place.line};
    fnd_complain(reader, &node->place, FENDER_STATUS_NAME,
                 fnd_phrase_make("no event is named '%s'", fnd_shown(name).text).text, fnd_shown(name).text,
                 "an event of contacts, links or the mass tree, or one that an action emits",
                 fnd_suggest(reader, name, "events", candidates, kinds + scenario->event_count).text);
    return false;
}

bool fnd_read_link_of_event(fnd_reader *reader, const fnd_node *node, int *link)
{
    const fnd_node *given = fnd_node_find(node, "link");
    const char *name = NULL;
    if (!given) return true;
    if (!fnd_read_text(reader, given, "link", &name)) return false;
    *link = fnd_find_link(reader, given, name) + 1;
    return *link > 0;
}

static bool read_event(fnd_reader *reader, const fnd_node *node, const fnd_node *event, fnd_condition *condition)
{
    const fnd_node *contact = fnd_node_find(node, "contact");
    const char *name = NULL;
    if (!fnd_check_event(reader, event)) return false;
    condition->event = fnd_placed(event);
    if (!fnd_read_link_of_event(reader, node, &condition->link)) return false;
    if (!contact) return true;
    if (!fnd_read_text(reader, contact, "contact", &name)) return false;
    condition->contact = fnd_placed(contact);
    return true;
}

static bool read_points(fnd_reader *reader, const fnd_node *node, const fnd_node *list, fnd_condition *condition)
{
    if (!fnd_expect_list(reader, list, "points")) return false;
    if (list->count != 2) {
        fnd_complain(reader, fnd_node_shown_place(list), FENDER_STATUS_PARSE,
                     fnd_phrase_make("'points' needs two points; here are %d", list->count).text,
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
    fnd_complain(reader, &list->key_place, FENDER_STATUS_ARGUMENT, "a condition on two points has no bound", "nothing",
                 "'closer_than', 'aligned_within' or 'slower_than'", "add 'closer_than: 60 mm'");
    return false;
}

static bool read_pair(fnd_reader *reader, const fnd_node *node, const fnd_node *list, fnd_condition *condition)
{
    if (!fnd_expect_list(reader, list, list->key)) return false;
    if (list->count != 2) {
        fnd_complain(reader, fnd_node_shown_place(list), FENDER_STATUS_PARSE,
                     fnd_phrase_make("'%s' needs two names; here are %d", list->key, list->count).text,
                     fnd_phrase_make("%d", list->count).text, "two bodies or shapes", "write [a, b]");
        return false;
    }
    bool good = fnd_check_thing(reader, list->first);
    good = fnd_check_thing(reader, list->last) && good;
    condition->a = fnd_placed(list->first);
    condition->b = fnd_placed(list->last);
    const fnd_node *at_least = fnd_node_find(node, "at_least"), *duration = fnd_node_find(node, "for");
    condition->at_least = 1;
    if (at_least) good = fnd_read_integer(reader, at_least, "at_least", 1, 1000000, &condition->at_least) && good;
    if (duration) good = fnd_read_number_from(reader, duration, "for", "s", 0, false, &condition->duration) && good;
    return good;
}

static bool read_children(fnd_reader *reader, const fnd_node *list, fnd_condition *condition)
{
    if (!fnd_expect_list(reader, list, list->key)) return false;
    if (list->count == 0) {
        fnd_complain(reader, fnd_node_shown_place(list), FENDER_STATUS_ARGUMENT,
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

static bool read_channel(fnd_reader *reader, fnd_node *node, const fnd_node *channel, fnd_condition *condition)
{
    const char *name = NULL, *bound = NULL;
    fnd_node *above = fnd_node_find(node, "above"), *below = fnd_node_find(node, "below");
    if ((above != NULL) == (below != NULL)) {
        if (fnd_is_misspelt_in(node, "above") || fnd_is_misspelt_in(node, "below")) return false;
        fnd_complain(reader, &channel->key_place, FENDER_STATUS_ARGUMENT,
                     above ? "a condition has both 'above' and 'below'" : "a condition on a channel has no bound",
                     above ? "both" : "nothing", "'above' or 'below'", "write {channel: PATH, above: NUMBER}");
        return false;
    }
    const fnd_node *given = above ? above : below;
    if (!fnd_read_text(reader, channel, "channel", &name) || !fnd_read_text(reader, given, given->key, &bound))
        return false;
    condition->channel = fnd_placed(channel);
    if (above) condition->above = fnd_placed(above);
    else condition->below = fnd_placed(below);
    return true;
}

bool fnd_read_condition(fnd_reader *reader, fnd_node *node, fnd_condition *condition)
{
    if (!fnd_expect_map(reader, node, node->key ? node->key : "condition")) return false;
    if (!fnd_check_keys(reader, node, "a condition", condition_keys)) return false;
    const fnd_node *given = NULL;
    condition->place = *fnd_node_shown_place(node);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const fnd_node *form = fnd_node_find(node, forms[i].key);
        if (!form) continue;
        if (given) {
            fnd_complain(reader, &form->key_place, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("a condition has both '%s' and '%s'", given->key, form->key).text, form->key,
                         "one form", "join two conditions by {all: [..]} or {any: [..]}");
            return false;
        }
        given = form;
        condition->kind = forms[i].kind;
    }
    if (given && !check_companions(reader, node, given, condition->kind)) return false;
    switch (condition->kind) {
    case FND_CONDITION_EVENT: return read_event(reader, node, given, condition);
    case FND_CONDITION_POINTS: return read_points(reader, node, given, condition);
    case FND_CONDITION_TIME: return fnd_read_number(reader, given, "time", "s", &condition->time);
    case FND_CONDITION_TOUCH:
    case FND_CONDITION_RELEASE: return read_pair(reader, node, given, condition);
    case FND_CONDITION_CHANNEL: return read_channel(reader, node, given, condition);
    case FND_CONDITION_ALL:
    case FND_CONDITION_ANY: return read_children(reader, given, condition);
    case FND_CONDITION_NONE: break;
    }
    fnd_complain(reader, fnd_node_shown_place(node), FENDER_STATUS_ARGUMENT, "a condition says nothing",
                 "none of its forms", "one of time, touch, release, event, points, channel, all, any",
                 "write {time: 5 s}");
    return false;
}
