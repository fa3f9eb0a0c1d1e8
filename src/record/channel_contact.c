/* Finding the channels of contacts: pairs of shapes, their fields, and the signals of a base and a follower. */
#include "record/channel_finder.h"
#include "support/fault.h"

#include <stdio.h>
#include <string.h>

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

static fender_status check_body(const fnd_finder *f, fnd_word word)
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
    fender_status status = check_body(f, f->path.words[first]);
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

/* What can be read of two shapes that cannot touch: how they lie. */
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

/* Is the second one the base, for so the pattern names them? */
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
    int points = fnd_pair_point_count(f->world, fender_shape_at(f->world, (int)pair_target->a),
                                      fender_shape_at(f->world, (int)pair_target->b));
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

fender_status fnd_find_contacts(fnd_finder *f)
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
        status = check_body(f, path->words[1]);
    } else if (path->colon || path->count < 2 || !fnd_word_is_any(path->words[1])) {
        status = fnd_finder_fail(f, "this is no path of a contact",
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
        fnd_pair_name(f->world, fender_shape_at(f->world, (int)one), fender_shape_at(f->world, (int)other), name,
                      sizeof name);
        int length = snprintf(prefix, sizeof prefix, "contacts.%s", name);
        fnd_target t = {prefix, FND_CHANNEL_CONTACT, one, other, 0};
        if (length >= (int)sizeof prefix) status = fail_length(f);
        else if (signals) status = emit_signals(f, &t, choices, count, first + 1);
        else status = fnd_finder_emit_choices(f, &t, choices, count, first, "a contact has no field");
    }
    if (status == FENDER_STATUS_OK && pair_count == 0)
        status = fnd_finder_fail(f, "no two shapes that the pattern names may touch",
                                 "at least one pair that may touch",
                                 "`fender explain SCENARIO A B` says why; rules stand under `rules`");
    return status;
}
