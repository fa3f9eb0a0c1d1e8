/* Conditions: when something is to happen. */
#include <string.h>

#include "scenario/section.h"

static const fnd_key condition_keys[] = {{"time", false},  {"touch", false},  {"release", false}, {"channel", false},
                                         {"above", false}, {"below", false},  {"all", false},     {"any", false},
                                         {"event", true},  {"contact", true}, {"points", true},   {NULL, false}};

static const struct {
    const char *key;
    fnd_condition_kind kind;
} forms[] = {{"time", FND_CONDITION_TIME},       {"touch", FND_CONDITION_TOUCH}, {"release", FND_CONDITION_RELEASE},
             {"channel", FND_CONDITION_CHANNEL}, {"all", FND_CONDITION_ALL},     {"any", FND_CONDITION_ANY}};

static bool read_pair(fnd_reader *reader, const fnd_node *list, fnd_condition *condition)
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
    switch (condition->kind) {
    case FND_CONDITION_TIME: return fnd_read_number(reader, given, "time", "s", &condition->time);
    case FND_CONDITION_TOUCH:
    case FND_CONDITION_RELEASE: return read_pair(reader, given, condition);
    case FND_CONDITION_CHANNEL: return read_channel(reader, node, given, condition);
    case FND_CONDITION_ALL:
    case FND_CONDITION_ANY: return read_children(reader, given, condition);
    case FND_CONDITION_NONE: break;
    }
    fnd_complain(reader, fnd_node_shown_place(node), FENDER_STATUS_ARGUMENT, "a condition says nothing",
                 "none of its forms", "one of time, touch, release, channel, all, any", "write {time: 5 s}");
    return false;
}
