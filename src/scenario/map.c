/* Maps: which keys may stand in them, which must, and the words for what is wrong with them. */
#include <string.h>

#include "scenario/value.h"
#include "text/nearest.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

void fnd_complain_kind(fnd_reader *reader, const fnd_node *node, const char *name, const char *expected,
                       const char *suggestion)
{
    const char *found = fnd_node_kind_text(node);
    fnd_complain(reader, fnd_node_shown_place(node), FENDER_STATUS_PARSE,
                 fnd_phrase_make("'%s' needs %s; here is %s", name, expected, found).text, found, expected, suggestion);
}

fnd_phrase fnd_join(const char *const *names)
{
    fnd_phrase list = {""};
    size_t used = 0;
    for (int i = 0; names[i]; i++) {
        size_t length = strlen(names[i]);
        if (used + length + 8 > sizeof list.text) break;
        if (i > 0) {
            memcpy(list.text + used, ", ", 2);
            used += 2;
        }
        memcpy(list.text + used, names[i], length);
        used += length;
    }
    return list;
}

bool fnd_expect_map(fnd_reader *reader, const fnd_node *node, const char *what)
{
    if (node->kind == FND_NODE_MAP) return true;
    bool empty = node->kind == FND_NODE_TEXT && !node->text[0];
    fnd_complain_kind(reader, node, what, "a map",
                      empty ? "write {} for an empty one" : "write {key: value} or 'key: value' lines below");
    return false;
}

bool fnd_expect_list(fnd_reader *reader, const fnd_node *node, const char *what)
{
    if (node->kind == FND_NODE_LIST) return true;
    fnd_complain_kind(reader, node, what, "a list", "write [a, b] or lines that begin with '- '");
    return false;
}

void fnd_complain_later(fnd_reader *reader, const fnd_place *place, const char *found, const char *instead)
{
    fnd_complain(reader, place, FENDER_STATUS_NOT_BUILT,
                 fnd_phrase_make("'%s' is in the format but not in this version of fender", found).text, found,
                 "what this version has: see docs/formats/scenario.md", instead ? instead : "remove it");
}

bool fnd_check_keys(fnd_reader *reader, fnd_node *map, const char *what, const fnd_key *keys)
{
    bool good = true;
    fnd_candidate candidates[48];
    const char *names[48];
    int count = 0;
    for (int i = 0; keys[i].name && count < 47; i++)
        if (!keys[i].later) {
            candidates[count] = (fnd_candidate){keys[i].name, 0};
            names[count++] = keys[i].name;
        }
    names[count] = NULL;
    for (fnd_node *child = map->first; child; child = child->next) {
        const fnd_key *key = keys;
        while (key->name && strcmp(key->name, child->key) != 0) key++;
        if (key->name && !key->later) continue;
        good = false;
        child->unknown = true;
        fnd_phrase found = fnd_shown(child->key);
        if (key->name) fnd_complain_later(reader, &child->key_place, child->key, NULL);
        else
            fnd_complain(reader, &child->key_place, FENDER_STATUS_NAME,
                         fnd_phrase_make("'%s' is not a key of %s", found.text, what).text, found.text,
                         fnd_join(names).text, fnd_suggest(reader, child->key, "keys", candidates, count).text);
    }
    return good;
}

bool fnd_is_misspelt_in(const fnd_node *map, const char *key)
{
    size_t length = strlen(key);
    for (const fnd_node *child = map->first; child; child = child->next) {
        if (!child->unknown) continue;
        if (fnd_nearest_distance(child->key, strlen(child->key), key, length) <= fnd_nearest_limit(length)) return true;
    }
    return false;
}

fnd_node *fnd_require(fnd_reader *reader, const fnd_node *map, const char *key, const char *what, const char *example)
{
    fnd_node *child = fnd_node_find(map, key);
    if (child) return child;
    if (fnd_is_misspelt_in(map, key)) return NULL;
    fnd_complain(reader, map->key ? &map->key_place : &map->place, FENDER_STATUS_ARGUMENT,
                 fnd_phrase_make("%s has no '%s'", what, key).text, "nothing", fnd_phrase_make("'%s'", key).text,
                 fnd_phrase_make("add '%s: %s'", key, example).text);
    return NULL;
}

void fnd_complain_unknown(fnd_reader *reader, const fnd_place *place, const char *kind, const char *plural,
                          const char *name, const fnd_node *map)
{
    fnd_phrase section = fnd_phrase_make("%s", plural);
    for (char *c = section.text; *c; c++)
        if (*c == ' ') *c = '_';
    /* the section itself is wrong, and that has been said */
    if ((map && map->kind != FND_NODE_MAP) || (!map && fnd_is_misspelt_in(reader->root, section.text))) return;
    int count = 0, capacity = map ? map->count : 0;
    fnd_candidate *candidates = fnd_keep(reader, (size_t)capacity, sizeof *candidates);
    if (!candidates) return;
    for (const fnd_node *child = map ? map->first : NULL; child; child = child->next)
        candidates[count++] = (fnd_candidate){child->key, child->key_place.line};
    fnd_phrase found = fnd_shown(name);
    fnd_complain(reader, place, FENDER_STATUS_NAME, fnd_phrase_make("no %s is named '%s'", kind, found.text).text,
                 found.text, fnd_phrase_make("the name of a %s", kind).text,
                 fnd_suggest(reader, name, plural, candidates, count).text);
}

bool fnd_check_name(fnd_reader *reader, const char *name, const fnd_place *place, const char *what)
{
    size_t length = strlen(name);
    bool good = length <= 63 && is_letter(name[0]);
    for (size_t i = 0; good && i < length; i++) good = is_letter(name[i]) || is_digit(name[i]);
    if (!good)
        fnd_complain(reader, place, FENDER_STATUS_NAME,
                     length > 63
                         ? fnd_phrase_make("the name of %s has at most 63 characters, not %d", what, (int)length).text
                         : fnd_phrase_make("'%s' cannot be the name of %s", fnd_shown(name).text, what).text,
                     fnd_shown(name).text, "letters, digits and '_', no digit first, at most 63",
                     length > 63 ? "shorten it to at most 63 characters" : "replace other characters by '_'");
    return good;
}
