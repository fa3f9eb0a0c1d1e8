/* Finding channels of one thing as seen from another: points, bodies, shapes. */
#include "record/finder.h"
#include "record/relative.h"

#include "support/io_error.h"

#include <stdio.h>
#include <string.h>

/* Words of a path that name frames of bodies: a body alone is its structure frame. */
typedef struct side {
    fnd_word body, point;
    bool has_point;
} side;

static bool is_open(const side *s) { return fnd_word_is_any(s->body) || (s->has_point && fnd_word_is_any(s->point)); }

static bool is_field(const fnd_choice *choices, int count, fnd_word word)
{
    for (int i = 0; i < count; i++)
        if (fnd_word_is(word, choices[i].name)) return true;
    return false;
}

static const char *point_name(const fender_world *world, int index, fender_body_id *body)
{
    const char *name = NULL;
    fender_pose pose;
    *body = (fender_body_id){0};
    return fender_point_get(world, fender_point_at(world, index), body, &name, &pose) == FENDER_STATUS_OK ? name : NULL;
}

static bool point_fits(const fnd_finder *f, const side *s, int index)
{
    fender_body_id body;
    const char *name = point_name(f->world, index, &body);
    return name && fnd_word_fits(s->point, name) && fnd_word_fits(s->body, fender_body_name(f->world, body));
}

/* How many words behind '@' name the second frame: of B.q.field.x all is clear; of three words the middle one is a
 * field with a component, or a point with a field; of two, the last is a field, or a point without one. */
static int words_of_second(const fnd_finder *f, const fnd_choice *choices, int count)
{
    const fnd_channel_path *path = &f->path;
    const int behind = path->count - path->at;
    if (behind < 2) return 1;
    const fnd_word middle = path->words[path->at + 1];
    if (behind == 2) {
        const side s = {path->words[path->at], middle, true};
        for (int i = 0; !is_field(choices, count, middle) && i < fender_point_count(f->world); i++)
            if (!fnd_word_is_any(middle) && point_fits(f, &s, i)) return 2;
        return 1;
    }
    return behind > 3 || is_field(choices, count, path->words[path->at + 2]) || !is_field(choices, count, middle) ? 2
                                                                                                                  : 1;
}

/* The frame of a number below `frame_count` and its name, if it fits. */
static bool frame_at(const fnd_finder *f, const side *s, int index, uint64_t *object, char *name, size_t size)
{
    fender_body_id body;
    if (!s->has_point) {
        const char *body_name = fender_body_name(f->world, fender_body_at(f->world, index));
        if (!body_name || !fnd_word_fits(s->body, body_name)) return false;
        *object = fnd_object_of_body(fender_body_at(f->world, index));
        return snprintf(name, size, "%s", body_name) > 0;
    }
    if (!point_fits(f, s, index)) return false;
    *object = fnd_object_of_point(fender_point_at(f->world, index));
    const char *point = point_name(f->world, index, &body);
    return snprintf(name, size, "%s.%s", fender_body_name(f->world, body), point) > 0;
}

static int frame_count(const fnd_finder *f, const side *s)
{
    return s->has_point ? fender_point_count(f->world) : fender_body_count(f->world);
}

static fender_status check_side(const fnd_finder *f, const side *s)
{
    const fender_world *world = f->world;
    fnd_name_list names = {.used = 0};
    fender_status status = fnd_finder_check_body(f, s->body);
    if (status != FENDER_STATUS_OK || !s->has_point) return status;
    fnd_nearest search = fnd_nearest_begin(s->point.text, s->point.length);
    for (int i = 0; i < fender_point_count(world); i++) {
        fender_body_id body;
        const char *name = point_name(world, i, &body);
        if (!name || !fnd_word_fits(s->body, fender_body_name(world, body))) continue;
        if (fnd_word_fits(s->point, name)) return FENDER_STATUS_OK;
        fnd_nearest_offer(&search, name);
        fnd_name_list_add(&names, name);
    }
    return fnd_finder_fail_unknown(f, "the body has no point", s->point, search.best, &names);
}

static side side_from(const fnd_channel_path *path, int first, int words)
{
    side s = {.body = path->words[first], .has_point = words == 2};
    if (s.has_point) s.point = path->words[first + 1];
    return s;
}

enum { NAME_SIZE = 210 };

static fender_status emit(fnd_finder *f, const char *name, int source, uint64_t a, uint64_t b,
                          const fnd_choice *choices, int count, int first, const char *what)
{
    char prefix[192];
    const fnd_word section = f->path.words[0];
    if (snprintf(prefix, sizeof prefix, "%.*s.%s", (int)section.length, section.text, name) >= (int)sizeof prefix)
        return fnd_finder_fail(f, "the name of this channel is too long to be recorded", "at most 191 bytes",
                               "give the bodies and points shorter names");
    fnd_target t = {prefix, source, a, b, 0};
    return fnd_finder_emit_choices(f, &t, choices, count, first, what);
}

/* points.BODY.POINT.FIELD: in the world. */
static fender_status find_in_world(fnd_finder *f)
{
    fnd_choice choices[CHOICE_LIMIT];
    const int count = fnd_choices_of_table(fnd_point_fields(), choices);
    if (f->path.count < 3)
        return fnd_finder_fail(f, "this is not a path of a point",
                               "points.BODY.POINT.FIELD, or points.BODY.POINT@BODY.POINT.FIELD",
                               "for example points.capsule.port@station.port.position");
    const side s = side_from(&f->path, 1, 2);
    fender_status status = check_side(f, &s);
    for (int i = 0; i < frame_count(f, &s) && status == FENDER_STATUS_OK; i++) {
        char name[NAME_SIZE];
        uint64_t object;
        if (frame_at(f, &s, i, &object, name, sizeof name))
            status = emit(f, name, FND_CHANNEL_POINT, object, 0, choices, count, 3,
                          "in the world, a point has no field");
    }
    return status;
}

fender_status fnd_find_points(fnd_finder *f)
{
    fnd_choice choices[CHOICE_LIMIT];
    const fnd_channel_path *path = &f->path;
    const int count = fnd_choices_of_table(fnd_relative_fields(), choices), behind = path->count - path->at;
    bool found = false;
    if (!path->at && !path->colon) return find_in_world(f);
    if (path->colon || path->at < 2 || path->at > 3 || behind < 1)
        return fnd_finder_fail(f, "this is not a path of a point", "points.BODY.POINT@BODY.POINT.FIELD",
                               "the name of a body stands for its structure frame");
    const int words = words_of_second(f, choices, count);
    const side one = side_from(path, 1, path->at - 1), other = side_from(path, path->at, words);
    fender_status status = check_side(f, &one);
    if (status == FENDER_STATUS_OK) status = check_side(f, &other);
    for (int i = 0; i < frame_count(f, &one) && status == FENDER_STATUS_OK; i++) {
        char name[2 * NAME_SIZE], second[NAME_SIZE];
        uint64_t a, b;
        if (!frame_at(f, &one, i, &a, name, NAME_SIZE)) continue;
        const size_t length = strlen(name);
        for (int k = 0; k < frame_count(f, &other) && status == FENDER_STATUS_OK; k++) {
            if (!frame_at(f, &other, k, &b, second, sizeof second)) continue;
            if (a == b && (is_open(&one) || is_open(&other))) continue;
            snprintf(name + length, sizeof name - length, "@%s", second);
            status = emit(f, name, FND_CHANNEL_RELATIVE, a, b, choices, count, path->at + words,
                          "seen from another, a point has no field");
            found = true;
        }
    }
    if (status != FENDER_STATUS_OK || found) return status;
    return fnd_finder_fail(f, "the pattern names no two points", "two points, or bodies for their structure frames",
                           "a point is not seen from itself");
}

/* ---- bodies.BODY@BODY.FIELD */

/* Fields of one source. */
typedef struct set {
    int source;
    const fender_field_table *(*table)(void);
} set;
enum { SET_LIMIT = 3 };

/* The fields of several sources, those that the word at `first` names. */
static fender_status emit_sets(fnd_finder *f, const char *name, const uint64_t objects[][2], const set *sets, int count,
                               int first, const char *what)
{
    fnd_choice choices[SET_LIMIT * CHOICE_LIMIT];
    int used = 0;
    bool found = false;
    fender_status status = FENDER_STATUS_OK;
    for (int i = 0; i < count && status == FENDER_STATUS_OK; i++) {
        fnd_choice *own = &choices[used];
        const int fields = fnd_choices_of_table(sets[i].table(), own);
        used += fields;
        if (f->path.count <= first) continue;
        const fnd_word word = f->path.words[first];
        if (!fnd_word_is_any(word) && !is_field(own, fields, word)) continue;
        status = emit(f, name, sets[i].source, objects[i][0], objects[i][1], own, fields, first, what);
        found = true;
    }
    if (status != FENDER_STATUS_OK || found) return status;
    if (used > CHOICE_LIMIT) used = CHOICE_LIMIT;
    return emit(f, name, sets[0].source, objects[0][0], objects[0][1], choices, used, first, what);
}

static const set of_bodies[] = {{FND_CHANNEL_INTERFACE, fender_interface_fields},
                                {FND_CHANNEL_SUPPORT, fnd_support_fields},
                                {FND_CHANNEL_CLEARANCE, fnd_clearance_fields}};

/* A clearance of bodies without shapes that have a distance is refused where it is named alone. */
static fender_status emit_body_pair(fnd_finder *f, const char *name, uint64_t frame, uint64_t other, int first)
{
    const bool at_point = fnd_object_kind_of(frame) == FND_OBJECT_POINT;
    const uint64_t objects[][2] = {{frame, other}, {frame, other}, {frame, other}};
    int count = at_point ? 1 : 3;
    if (!at_point && !fnd_clearance_exists(f->world, frame, other)) {
        count = 2;
        if (f->path.count > first && fnd_word_is(f->path.words[first], "clearance"))
            return fnd_finder_fail(f, "no shape of the one body has a distance to a shape of the other",
                                   "shapes of both with a contact function", "`fender info pairs` lists them");
    }
    return emit_sets(f, name, objects, of_bodies, count, first, "of two bodies, there is no field");
}

fender_status fnd_find_between_bodies(fnd_finder *f)
{
    const fnd_channel_path *path = &f->path;
    bool found = false;
    if (path->at < 2 || path->at > 3)
        return fnd_finder_fail(f, "this is not a path of two bodies",
                               "bodies.BODY@BODY.FIELD, or bodies.BODY.POINT@BODY.FIELD",
                               "for example bodies.capsule.port@station.force");
    const side one = side_from(path, 1, path->at - 1), other = side_from(path, path->at, 1);
    fender_status status = check_side(f, &one);
    if (status == FENDER_STATUS_OK) status = check_side(f, &other);
    for (int i = 0; i < frame_count(f, &one) && status == FENDER_STATUS_OK; i++) {
        char name[2 * NAME_SIZE], second[NAME_SIZE];
        uint64_t a, b;
        if (!frame_at(f, &one, i, &a, name, NAME_SIZE)) continue;
        const size_t length = strlen(name);
        fender_body_id own = fnd_object_body(f->world, a);
        if (one.has_point) point_name(f->world, i, &own);
        for (int k = 0; k < frame_count(f, &other) && status == FENDER_STATUS_OK; k++) {
            if (!frame_at(f, &other, k, &b, second, sizeof second)) continue;
            if (own.index1 == fender_body_at(f->world, k).index1) continue;
            snprintf(name + length, sizeof name - length, "@%s", second);
            status = emit_body_pair(f, name, a, b, path->at + 1);
            found = true;
        }
    }
    if (status != FENDER_STATUS_OK || found) return status;
    return fnd_finder_fail(f, "the pattern names no two bodies", "two different bodies",
                           "a body exerts no load on itself");
}

/* ---- shapes.BODY.SHAPE@BODY.FIELD */

static bool shape_fits(const fnd_finder *f, const side *s, int index)
{
    const fender_shape_id shape = fender_shape_at(f->world, index);
    const char *body = fender_body_name(f->world, fender_shape_body(f->world, shape));
    return body && fnd_word_fits(s->body, body) &&
           (!s->has_point || fnd_word_fits(s->point, fender_shape_name(f->world, shape)));
}

static fender_status check_shape(const fnd_finder *f, const side *s)
{
    fnd_name_list names = {.used = 0};
    fender_status status = fnd_finder_check_body(f, s->body);
    if (status != FENDER_STATUS_OK || !s->has_point) return status;
    fnd_nearest search = fnd_nearest_begin(s->point.text, s->point.length);
    const side any = {s->body, {NULL, 0}, false};
    for (int i = 0; i < fender_shape_count(f->world); i++) {
        if (shape_fits(f, s, i)) return FENDER_STATUS_OK;
        if (!shape_fits(f, &any, i)) continue;
        const char *name = fender_shape_name(f->world, fender_shape_at(f->world, i));
        fnd_nearest_offer(&search, name);
        fnd_name_list_add(&names, name);
    }
    return fnd_finder_fail_unknown(f, "the body has no shape", s->point, search.best, &names);
}

/* A shape, or with one word of a body. */
static bool thing_at(const fnd_finder *f, const side *s, int index, uint64_t *object, char *name, size_t size)
{
    if (!s->has_point) return frame_at(f, s, index, object, name, size);
    if (!shape_fits(f, s, index)) return false;
    const fender_shape_id shape = fender_shape_at(f->world, index);
    *object = fnd_object_of_shape(shape);
    return snprintf(name, size, "%s.%s", fender_body_name(f->world, fender_shape_body(f->world, shape)),
                    fender_shape_name(f->world, shape)) > 0;
}

static fender_status find_clearances(fnd_finder *f, const side *one, const side *other, int first)
{
    fnd_choice choices[CHOICE_LIMIT];
    const int count = fnd_choices_of_table(fnd_clearance_fields(), choices);
    fender_status status = FENDER_STATUS_OK;
    bool found = false;
    for (int i = 0; i < fender_shape_count(f->world) && status == FENDER_STATUS_OK; i++) {
        char name[2 * NAME_SIZE], second[NAME_SIZE];
        uint64_t a, b;
        if (!thing_at(f, one, i, &a, name, NAME_SIZE)) continue;
        const size_t length = strlen(name);
        const fender_body_id own = fender_shape_body(f->world, fender_shape_at(f->world, i));
        const int others = other->has_point ? fender_shape_count(f->world) : fender_body_count(f->world);
        for (int k = 0; k < others && status == FENDER_STATUS_OK; k++) {
            if (!thing_at(f, other, k, &b, second, sizeof second)) continue;
            const fender_body_id body = other->has_point ? fender_shape_body(f->world, fender_shape_at(f->world, k))
                                                         : fender_body_at(f->world, k);
            if (own.index1 == body.index1 || !fnd_clearance_exists(f->world, a, b)) continue;
            snprintf(name + length, sizeof name - length, "@%s", second);
            status = emit(f, name, FND_CHANNEL_CLEARANCE, a, b, choices, count, first,
                          "of two shapes, there is no field");
            found = true;
        }
    }
    if (status != FENDER_STATUS_OK || found) return status;
    return fnd_finder_fail(f, "the pattern names no two shapes that have a distance",
                           "shapes of two bodies with a contact function", "`fender info pairs` lists them");
}

/* shapes.BODY.SHAPE.FIELD */
static fender_status find_slides(fnd_finder *f)
{
    fnd_choice choices[CHOICE_LIMIT];
    const int count = fnd_choices_of_table(fnd_slide_fields(), choices);
    const side s = side_from(&f->path, 1, 2);
    fender_status status = check_shape(f, &s);
    for (int i = 0; i < fender_shape_count(f->world) && status == FENDER_STATUS_OK; i++) {
        char name[NAME_SIZE];
        uint64_t object;
        if (thing_at(f, &s, i, &object, name, sizeof name))
            status = emit(f, name, FND_CHANNEL_SLIDE, object, 0, choices, count, 3, "a shape has no field");
    }
    return status;
}

fender_status fnd_find_shapes(fnd_finder *f)
{
    fnd_choice choices[CHOICE_LIMIT];
    const fnd_channel_path *path = &f->path;
    const int behind = path->count - path->at;
    if (!path->colon && !path->at && path->count >= 4) return find_slides(f);
    if (path->colon || path->at != 3 || behind < 1 || behind > 3)
        return fnd_finder_fail(
            f, "this is not a path of a shape",
            "shapes.BODY.SHAPE.slide, shapes.BODY.SHAPE@BODY.clearance, or shapes.BODY.SHAPE@BODY.SHAPE.clearance",
            "for example shapes.lander.nozzle@ground.clearance");
    const int count = fnd_choices_of_table(fnd_clearance_fields(), choices);
    const fnd_word last = path->words[path->count - 1];
    const bool ends_in_field = fnd_word_is_any(last) || is_field(choices, count, last);
    const int words = behind == 3 || (behind == 2 && !ends_in_field) ? 2 : 1;
    const side one = side_from(path, 1, 2), other = side_from(path, path->at, words);
    fender_status status = check_shape(f, &one);
    if (status == FENDER_STATUS_OK) status = check_shape(f, &other);
    return status == FENDER_STATUS_OK ? find_clearances(f, &one, &other, path->at + words) : status;
}
