/* Commands by name: the name taken apart, the object looked up, values checked. */
#include "command/settings.h"
#include "support/io_error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORD_LIMIT = 6 };
typedef struct words {
    char text[WORD_LIMIT][104];
    int count;
} words;

/* False if a word is empty or too long, or there are too many. */
static bool split(const char *name, words *w)
{
    w->count = 0;
    for (;;) {
        size_t length = strcspn(name, ".");
        if (length == 0 || length >= sizeof w->text[0] || w->count == WORD_LIMIT) return false;
        memcpy(w->text[w->count], name, length);
        w->text[w->count++][length] = '\0';
        if (!name[length]) return true;
        name += length + 1;
    }
}

static const char *last_word(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* How many words name the object, and its kind; 0: the name does not begin with a known section. */
static int object_words(const words *w, fnd_command_object *object)
{
    static const struct {
        const char *section;
        fnd_command_object object;
        int words;
    } kinds[] = {{"loads", FND_COMMAND_LOAD, 2},
                 {"links", FND_COMMAND_LINK, 2},
                 {"bodies", FND_COMMAND_BODY, 2},
                 {"world", FND_COMMAND_WORLD, 1}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(w->text[0], kinds[i].section) != 0) continue;
        *object = kinds[i].object;
        if (*object == FND_COMMAND_BODY && w->count > 2 && strcmp(w->text[2], "shapes") == 0)
            return *object = FND_COMMAND_SHAPE, 4;
        return kinds[i].words;
    }
    return 0;
}

static fender_status find_object(const fender_world *world, const words *w, fnd_command_object object,
                                 fender_command *command)
{
    fender_load_id load;
    fender_link_id link;
    fender_body_id body;
    fender_shape_id shape;
    fender_status status = FENDER_STATUS_OK;
    memset(command->id, 0, sizeof command->id);
    switch (object) {
    case FND_COMMAND_WORLD: break;
    case FND_COMMAND_LOAD:
        status = fender_load_find(world, w->text[1], &load);
        if (!status) memcpy(command->id, &load, sizeof load);
        break;
    case FND_COMMAND_LINK:
        status = fender_link_find(world, w->text[1], &link);
        if (!status) memcpy(command->id, &link, sizeof link);
        break;
    case FND_COMMAND_BODY:
    case FND_COMMAND_SHAPE:
        status = fender_body_find(world, w->text[1], &body);
        if (!status) memcpy(command->id, &body, sizeof body);
        if (status || object == FND_COMMAND_BODY) break;
        status = fender_shape_find(world, body, w->text[3], &shape);
        if (!status) memcpy(command->id, &shape, sizeof shape);
        break;
    }
    return status;
}

/* The nearest of the names of that kind; NULL: none is near. */
static const char *nearest_object(const fender_world *world, const words *w, fnd_command_object object)
{
    fender_body_id body = {0};
    const bool of_body = object == FND_COMMAND_SHAPE && fender_body_find(world, w->text[1], &body) == FENDER_STATUS_OK;
    const char *word = w->text[of_body ? 3 : 1];
    fnd_nearest search = fnd_nearest_begin(word, strlen(word));
    int count = object == FND_COMMAND_LOAD   ? fender_load_count(world)
                : object == FND_COMMAND_LINK ? fender_link_count(world)
                : of_body                    ? fender_shape_count(world)
                                             : fender_body_count(world);
    for (int i = 0; i < count; i++) {
        const char *name = object == FND_COMMAND_LOAD   ? fender_load_name(world, fender_load_at(world, i))
                           : object == FND_COMMAND_LINK ? fender_link_name(world, fender_link_at(world, i))
                           : !of_body                   ? fender_body_name(world, fender_body_at(world, i))
                           : fender_shape_body(world, fender_shape_at(world, i)).index1 == body.index1
                               ? fender_shape_name(world, fender_shape_at(world, i))
                               : NULL;
        if (name) (void)fnd_nearest_offer(&search, name);
    }
    return search.best;
}

static fender_status fail_name(fender_error *error, const char *name, const char *message, const char *expected,
                               const char *nearest)
{
    char excerpt[100], suggestion[200] = "`fender info commands` lists all";
    fnd_io_excerpt(excerpt, sizeof excerpt, name, strlen(name));
    if (nearest) snprintf(suggestion, sizeof suggestion, "did you mean '%.120s'?", nearest);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_NAME, .path = name, .message = message, .found = excerpt,
                       .expected = expected, .suggestion = suggestion);
}

static fender_status fail_object(const fender_world *world, const char *name, const words *w, fnd_command_object object,
                                 fender_error *error)
{
    fender_body_id body;
    const bool shape = object == FND_COMMAND_SHAPE && !fender_body_find(world, w->text[1], &body);
    const char *noun = object == FND_COMMAND_LOAD ? "load" : object == FND_COMMAND_LINK ? "link" : "body";
    char message[200];
    snprintf(message, sizeof message, "no %s is named '%s'", shape ? "shape of that body" : noun,
             w->text[shape ? 3 : 1]);
    return fail_name(error, name, message, "an object of the world", nearest_object(world, w, object));
}

static int component_of(const fnd_command_row *row, const char *word)
{
    static const char letters[] = "xyz";
    const char *at = word[0] && !word[1] ? strchr(letters, word[0]) : NULL;
    return row->count == 3 && at ? (int)(at - letters) : -1;
}

/* "torque" of "motor_torque" */
static bool ends_with_word(const char *name, const char *word)
{
    const size_t length = strlen(name), end = strlen(word);
    return end > 0 && end < length && name[length - end - 1] == '_' && strcmp(name + length - end, word) == 0;
}

static fender_status fail_command(const fender_world *world, const char *name, fnd_command_object object,
                                  const fender_command *blank, const char *word, fender_error *error)
{
    char message[200], expected[200] = "";
    fnd_nearest search = fnd_nearest_begin(word, strlen(word));
    const fnd_command_row *row;
    const char *longer = NULL;
    size_t used = 0;
    for (int i = 0; (row = fnd_command_row_at(i)); i++) {
        if (row->object != object || (row->has && !row->has(world, blank))) continue;
        const char *known = last_word(row->path);
        (void)fnd_nearest_offer(&search, known);
        if (ends_with_word(known, word)) longer = known;
        int length = snprintf(expected + used, sizeof expected - used, "%s%s", used ? ", " : "", known);
        if (length > 0 && used + (size_t)length < sizeof expected) used += (size_t)length;
    }
    snprintf(message, sizeof message, "'%.90s' is no command of it", word);
    return fail_name(error, name, message, used ? expected : "a command; it has none",
                     search.best ? search.best : longer);
}

fender_status fender_command_find(const fender_world *world, const char *name, fender_command *command,
                                  fender_error *error)
{
    if (!world || !name || !command)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "a world, a name and room are needed",
                           .expected = "pointers that are not NULL");
    words w;
    fnd_command_object object = FND_COMMAND_WORLD;
    memset(command, 0, sizeof *command);
    const bool good = strlen(name) < sizeof command->name && split(name, &w);
    const int words_of_object = good ? object_words(&w, &object) : 0;
    if (words_of_object == 0)
        return fail_name(error, name, "this names no command", "loads, links, bodies or world, a name, and a command",
                         NULL);
    if (w.count <= words_of_object)
        return fail_name(error, name, "this names an object, not a command", "a command behind the name", NULL);
    if (find_object(world, &w, object, command)) return fail_object(world, name, &w, object, error);
    const fnd_command_row *row;
    const char *word = w.text[words_of_object];
    for (int i = 0; (row = fnd_command_row_at(i)); i++) {
        if (row->object != object || strcmp(last_word(row->path), word) != 0) continue;
        if (row->has && !row->has(world, command)) continue;
        break;
    }
    if (!row) return fail_command(world, name, object, command, word, error);
    const int rest = w.count - words_of_object - 1;
    command->component = rest == 1 ? component_of(row, w.text[words_of_object + 1]) : -1;
    if (rest > 1 || (rest == 1 && command->component < 0))
        return fail_name(error, name, "this component does not exist",
                         row->count == 3 ? "x, y or z" : "nothing behind the command", NULL);
    snprintf(command->name, sizeof command->name, "%s", name);
    command->row = row;
    command->unit = row->unit;
    command->doc = row->doc;
    command->count = rest == 1 ? 1 : row->count;
    command->is_switch = row->is_switch;
    return FENDER_STATUS_OK;
}

static fender_status fail_missing(fender_error *error)
{
    return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT,
                       .message = "a world, a command that was found, and values are needed",
                       .expected = "pointers that are not NULL");
}

/* All numbers of a command, of which one may be given. */
static fender_status complete(const fender_world *world, const fender_command *command, const double *values,
                              double all[FENDER_COMMAND_CAPACITY])
{
    if (command->component < 0) memcpy(all, values, (size_t)command->count * sizeof *values);
    else {
        const fender_status status = command->row->get(world, command, all);
        if (status) return status;
        all[command->component] = values[0];
    }
    return FENDER_STATUS_OK;
}

fender_status fender_command_check(const fender_world *world, const fender_command *command, const double *values,
                                   fender_error *error)
{
    if (!world || !command || !command->row || !values) return fail_missing(error);
    double all[FENDER_COMMAND_CAPACITY] = {0};
    if (command->is_switch && values[0] != 0 && values[0] != 1)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .path = command->name,
                           .message = "a switch is neither on nor off", .expected = "0 or 1");
    for (int i = 0; i < command->count; i++)
        if (!isfinite(values[i]))
            return FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .path = command->name,
                               .message = "the value of a command is not finite",
                               .found = isnan(values[i]) ? "NaN" : "infinite", .expected = "finite numbers");
    if (!command->row->check) return FENDER_STATUS_OK;
    const fender_status status = complete(world, command, values, all);
    return status ? status : command->row->check(world, command, all, error);
}

fender_status fender_command_set(fender_world *world, const fender_command *command, const double *values,
                                 fender_error *error)
{
    double all[FENDER_COMMAND_CAPACITY] = {0};
    fender_status status = fender_command_check(world, command, values, error);
    if (status == FENDER_STATUS_OK) status = complete(world, command, values, all);
    return status ? status : command->row->set(world, command, all, error);
}

fender_status fender_command_get(const fender_world *world, const fender_command *command, double *values)
{
    if (!world || !command || !command->row || !values) return fail_missing(NULL);
    double all[FENDER_COMMAND_CAPACITY] = {0};
    fender_status status = command->row->get(world, command, all);
    if (status) return status;
    if (command->component >= 0) values[0] = all[command->component];
    else memcpy(values, all, (size_t)command->count * sizeof *values);
    return status;
}

bool fender_command_kind_at(int index, fender_command_kind *kind)
{
    const fnd_command_row *row = fnd_command_row_at(index);
    if (!row || !kind) return false;
    *kind = (fender_command_kind){row->path, row->unit, row->doc, row->count, row->is_switch};
    return true;
}
