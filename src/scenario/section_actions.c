/* Section `actions`: what is done when a condition holds. */
#include "scenario/section.h"
#include "support/io_error.h"
#include <string.h>

/* ---- names of events */

static bool is_event_of_the_world(const char *name)
{
    for (int i = 0; fender_event_name((fender_event_kind)i); i++)
        if (strcmp(fender_event_name((fender_event_kind)i), name) == 0) return true;
    return false;
}

static void note_event(fnd_reader *reader, const fnd_node *emit)
{
    fender_scenario *scenario = reader->scenario;
    const char *name = NULL;
    if (!fnd_read_text(reader, emit, "emit", &name) || !fnd_check_name(reader, name, &emit->location, "an event"))
        return;
    if (is_event_of_the_world(name)) {
        fnd_complain(reader, &emit->location, FENDER_STATUS_NAME,
                     fnd_phrase_make("'%s' is a built-in event of fender", name).text, name, "another name",
                     fnd_phrase_make("write my_%s", name).text);
        return;
    }
    for (int i = 0; i < scenario->event_count; i++)
        if (strcmp(scenario->events[i].name, name) == 0) return;
    scenario->events[scenario->event_count++] = (fnd_named){name, emit->location};
}

/* Conditions may name events that actions further down emit: all names are collected first. */
static void collect_events(fnd_reader *reader, fnd_node *section)
{
    int most = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (fnd_node *action = section->first; action; action = action->next) {
            const fnd_node *list = fnd_node_find(action, "do");
            for (const fnd_node *item = list && list->kind == FND_NODE_LIST ? list->first : NULL; item;
                 item = item->next) {
                const fnd_node *emit = fnd_node_find(item, "emit");
                if (emit && pass == 0) most++;
                else if (emit) note_event(reader, emit);
            }
        }
        if (pass > 0) break;
        reader->scenario->events = fnd_keep(reader, (size_t)most, sizeof *reader->scenario->events);
        if (!reader->scenario->events) return;
    }
}

static int find_event(const fender_scenario *scenario, const char *name)
{
    for (int i = 0; i < scenario->event_count; i++)
        if (strcmp(scenario->events[i].name, name) == 0) return i;
    return -1;
}

/* ---- attach, detach, reattach */

static bool read_pose(fnd_reader *reader, const fnd_node *node, fnd_operation *operation)
{
    fnd_node *position = fnd_node_find(node, "position"), *orientation = fnd_node_find(node, "orientation");
    bool good = true;
    if (position) good = fnd_read_vector(reader, position, "position", "m", &operation->X_PC.p);
    if (orientation) good = fnd_read_orientation(reader, orientation, "orientation", &operation->X_PC.q) && good;
    return good;
}

static bool complain_pose(fnd_reader *reader, const fnd_location *location, const char *message, const char *found,
                          const char *expected, const char *suggestion)
{
    fnd_complain(reader, location, FENDER_STATUS_ARGUMENT, message, found, expected, suggestion);
    return false;
}

static bool read_attach(fnd_reader *reader, fnd_node *node, fnd_operation *operation)
{
    static const char *const keys[] = {"child", "to", "pose", "position", "orientation", NULL};
    static const char *const poses[] = {"aligned", "as_is", "placed", NULL};
    static const fender_attach_pose values[] = {FENDER_ATTACH_ALIGNED, FENDER_ATTACH_AS_IS, FENDER_ATTACH_POSED};
    int pose = 0;
    if (!fnd_expect_map(reader, node, "attach") || !fnd_check_keys(reader, node, "'attach'", keys)) return false;
    fnd_node *child = fnd_require(reader, node, "child", "'attach'", "BODY.POINT");
    fnd_node *to = fnd_require(reader, node, "to", "'attach'", "BODY.POINT");
    fnd_node *given = fnd_require(reader, node, "pose", "'attach'", "aligned, as_is, or placed");
    bool good = child && fnd_find_point(reader, child, false, &operation->body, &operation->point);
    good = to && fnd_find_point(reader, to, false, &operation->other, &operation->other_point) && good;
    if (!given || !fnd_read_choice(reader, given, "pose", poses, &pose) || !good) return false;
    operation->pose = values[pose];
    const bool as_is = operation->pose == FENDER_ATTACH_AS_IS;
    const fnd_node *position = fnd_node_find(node, "position"), *orientation = fnd_node_find(node, "orientation");
    const fnd_node *posed = position ? position : orientation;
    bool points = operation->point >= 0 || operation->other_point >= 0;
    if (posed && as_is)
        return complain_pose(reader, &posed->key_location, "'as_is' uses the present pose", posed->key,
                             "neither position nor orientation", "remove it, or write 'pose: aligned'");
    if (posed && points)
        return complain_pose(reader, &posed->key_location, "both points and a pose define the position of the body",
                             "both", "points, or bodies with position and orientation", "remove one of them");
    if ((operation->point >= 0) != (operation->other_point >= 0) && !as_is)
        return complain_pose(reader, operation->point < 0 ? &child->location : &to->location,
                             "one side is a point, the other a body",
                             fnd_shown(operation->point < 0 ? child->text : to->text).text, "two points, or two bodies",
                             "name a point: BODY.POINT");
    if (!as_is && !points && !posed)
        return complain_pose(reader, &node->key_location,
                             fnd_phrase_make("'%s' needs points or a pose", poses[pose]).text, "two bodies",
                             "two points, or position and orientation of the child in the parent",
                             fnd_phrase_make("name points: {child: a.port, to: b.port, pose: %s}", poses[pose]).text);
    return read_pose(reader, node, operation);
}

static bool read_body(fnd_reader *reader, const fnd_node *node, int *body)
{
    const char *name = NULL;
    return fnd_read_text(reader, node, node->key, &name) && (*body = fnd_find_body(reader, node, name)) >= 0;
}

static bool read_detach(fnd_reader *reader, fnd_node *node, fnd_operation *operation)
{
    static const char *const keys[] = {"body", "from", "rule", NULL};
    static const char *const rules[] = {"connection", "tree", NULL};
    int rule = 0;
    if (node->kind != FND_NODE_MAP) return read_body(reader, node, &operation->body);
    if (!fnd_check_keys(reader, node, "'detach'", keys)) return false;
    fnd_node *body = fnd_require(reader, node, "body", "'detach'", "NAME"), *from = fnd_node_find(node, "from");
    fnd_node *given = fnd_node_find(node, "rule");
    bool good = body && read_body(reader, body, &operation->body);
    if (from) good = read_body(reader, from, &operation->other) && good;
    if (given) good = fnd_read_choice(reader, given, "rule", rules, &rule) && good;
    operation->rule = rule == 0 ? FENDER_DETACH_CONNECTION : FENDER_DETACH_TREE;
    return good;
}

static bool read_reattach(fnd_reader *reader, fnd_node *node, fnd_operation *operation)
{
    static const char *const keys[] = {"child", "position", "orientation", NULL};
    if (!fnd_expect_map(reader, node, "reattach") || !fnd_check_keys(reader, node, "'reattach'", keys)) return false;
    fnd_node *child = fnd_require(reader, node, "child", "'reattach'", "NAME");
    bool good = child && read_body(reader, child, &operation->body);
    if (!fnd_node_find(node, "position") && !fnd_node_find(node, "orientation"))
        return complain_pose(reader, &node->key_location, "'reattach' needs a pose", "nothing",
                             "position, orientation or both, in the parent's structure frame",
                             "add 'position: [x, y, z, m]'");
    return read_pose(reader, node, operation) && good;
}

/* Of an attached body with `motion`: displacement from its attachment. */
static bool read_move_part(fnd_reader *reader, const fnd_node *node, fnd_operation *operation)
{
    fnd_node *position = fnd_node_find(node, "position"), *angle = fnd_node_find(node, "angle");
    const fnd_node *orientation = fnd_node_find(node, "orientation");
    operation->kind = FND_OPERATION_MOVE_PART;
    operation->keeps_position = !position;
    operation->keeps_attitude = !angle;
    if (orientation)
        return complain_pose(reader, &orientation->key_location, "an attached body turns about the axis of its motion",
                             "orientation", "an angle about that axis", "write 'angle: 90 deg'");
    if (!position && !angle)
        return complain_pose(reader, &node->key_location, "'move' of an attached body needs a displacement", "nothing",
                             "position, angle or both, from its attachment", "add 'angle: 90 deg'");
    bool good = !position || fnd_read_vector(reader, position, "position", "m", &operation->vector);
    if (angle) good = fnd_read_number(reader, angle, "angle", "rad", &operation->values[0]) && good;
    return good;
}

static bool read_move(fnd_reader *reader, fnd_node *node, fnd_operation *operation)
{
    static const char *const keys[] = {"body", "position", "orientation", "angle", "duration", NULL};
    if (!fnd_expect_map(reader, node, "move") || !fnd_check_keys(reader, node, "'move'", keys)) return false;
    fnd_node *body = fnd_require(reader, node, "body", "'move'", "NAME");
    fnd_node *duration = fnd_require(reader, node, "duration", "'move'", "5 s");
    bool good = body && read_body(reader, body, &operation->body);
    good = duration && fnd_read_number_from(reader, duration, "duration", "s", 0, true, &operation->value) && good;
    if (good && reader->scenario->bodies[operation->body].attached.motion_location.line > 0)
        return read_move_part(reader, node, operation);
    const fnd_node *angle = fnd_node_find(node, "angle");
    if (good && angle)
        return complain_pose(reader, &angle->key_location, "the body has no motion relative to a parent", "angle",
                             "an attached body with 'motion'", "give it 'attached: {.., motion: {axis, angle: ..}}'");
    operation->keeps_position = !fnd_node_find(node, "position");
    operation->keeps_attitude = !fnd_node_find(node, "orientation");
    if (operation->keeps_position && operation->keeps_attitude)
        return complain_pose(reader, &node->key_location, "'move' needs a pose", "nothing",
                             "position, orientation or both, in the world", "add 'position: [x, y, z, m]'");
    if (!read_pose(reader, node, operation) || !good) return false;
    const fnd_body_description *moved = &reader->scenario->bodies[operation->body];
    if (moved->def.motion == FENDER_MOTION_PRESCRIBED) return true;
    fnd_complain(reader, &body->location, FENDER_STATUS_ARGUMENT,
                 fnd_phrase_make("body '%s' is %s: it moves by forces alone", moved->id.name,
                                 fender_motion_name(moved->def.motion))
                     .text,
                 fender_motion_name(moved->def.motion), "a body with motion: prescribed",
                 "pull it by a link to a prescribed body");
    return false;
}

/* ---- set */

static bool complain_path(fnd_reader *reader, const fnd_node *entry)
{
    static const char *const masses[] = {"bodies.NAME.mass_properties.mass",
                                         "bodies.NAME.mass_properties.center_of_mass",
                                         "bodies.NAME.mass_properties.inertia"};
    fender_command_kind kind;
    fnd_phrase suggestion = fnd_phrase_make(
        "`fender info commands` lists all; set initial values in their section or by --set");
    /* names do not count: the last word decides */
    const char *word = strrchr(entry->key, '.');
    word = word ? word + 1 : entry->key;
    fnd_nearest search = fnd_nearest_begin(word, strlen(word));
    for (int i = 0; fender_command_kind_at(i, &kind); i++) {
        const char *last = strrchr(kind.path, '.');
        if (last && strncmp(kind.path, entry->key, strcspn(kind.path, ".")) == 0) fnd_nearest_offer(&search, last + 1);
    }
    for (size_t i = 0; i < sizeof masses / sizeof masses[0]; i++)
        if (strncmp(entry->key, "bodies.", 7) == 0) fnd_nearest_offer(&search, strrchr(masses[i], '.') + 1);
    if (search.best && strcmp(search.best, word) != 0)
        suggestion = fnd_phrase_make("did you mean '%s'?   `fender info commands` lists all", search.best);
    fnd_complain(reader, &entry->key_location, FENDER_STATUS_NAME,
                 fnd_phrase_make("'%s' cannot be set during a run", fnd_shown(entry->key).text).text,
                 fnd_shown(entry->key).text,
                 "a command, such as loads.NAME.active or links.NAME.active, or bodies.NAME.mass_properties.mass, "
                 ".center_of_mass, "
                 ".inertia",
                 suggestion.text);
    return false;
}

/* Takes the part up to the next point off the path; NULL when there is none left. */
static const char *next_part(fnd_reader *reader, const char **path)
{
    if (!**path) return NULL;
    size_t length = strcspn(*path, ".");
    const char *part = fnd_keep_text(reader, *path, length);
    *path += length + ((*path)[length] == '.');
    return part;
}

/* Does a path fit the path of a kind of commands, in which names are in capitals? A component may follow a vector. */
static bool fits_kind(const char *path, const fender_command_kind *kind, bool *component)
{
    const char *pattern = kind->path;
    while (*pattern) {
        size_t wanted = strcspn(pattern, "."), length = strcspn(path, ".");
        bool name = pattern[0] >= 'A' && pattern[0] <= 'Z';
        if (length == 0 || (!name && (length != wanted || strncmp(path, pattern, length) != 0))) return false;
        path += length;
        pattern += wanted;
        if ((*pattern == '.') != (*path == '.')) break;
        pattern += *pattern == '.';
        path += *path == '.';
    }
    *component = kind->count == 3 && path[0] == '.' && path[1] >= 'x' && path[1] <= 'z' && path[2] == 0;
    return !*pattern && (!*path || *component);
}

static bool read_values(fnd_reader *reader, const fnd_node *entry, const fender_command_kind *kind, bool component,
                        fnd_operation *operation)
{
    const char *dot = strrchr(entry->key, '.');
    const char *name = dot ? dot + 1 : entry->key;
    bool on = false;
    operation->value_count = component ? 1 : kind->count;
    if (kind->is_switch) {
        if (!fnd_read_bool(reader, entry, name, &on)) return false;
        operation->values[0] = on;
        return true;
    }
    if (kind->count == 1 || component) return fnd_read_number(reader, entry, name, kind->unit, operation->values);
    return fnd_read_numbers(reader, entry, name, kind->unit, kind->count, operation->values);
}

/* A load, link or shape that a path names must be there; other objects are looked up in the built world. */
static bool check_object(fnd_reader *reader, const fnd_node *entry)
{
    const char *path = entry->key, *section = next_part(reader, &path), *name = next_part(reader, &path);
    const fnd_node *things = section ? fnd_node_find(reader->root, section) : NULL;
    if (!name || strcmp(section, "world") == 0) return name != NULL;
    if (things && things->kind == FND_NODE_MAP && fnd_node_find(things, name)) {
        const char *part = next_part(reader, &path);
        if (strcmp(section, "bodies") != 0 || !part || strcmp(part, "shapes") != 0) return true;
        const char *shape = next_part(reader, &path);
        const fender_scenario *scenario = reader->scenario;
        int body = 0;
        while (body < scenario->body_count && strcmp(scenario->bodies[body].id.name, name) != 0) body++;
        if (body == scenario->body_count || !shape) return false;
        for (int i = 0; i < scenario->bodies[body].shape_count; i++)
            if (strcmp(scenario->bodies[body].shapes[i].id.name, shape) == 0) return true;
        fnd_complain_shape(reader, &entry->key_location, shape, shape, body);
        return false;
    }
    const char *kind = strcmp(section, "links") == 0 ? "link" : strcmp(section, "loads") == 0 ? "load" : "body";
    fnd_complain_unknown(reader, &entry->key_location, kind, section, name, things);
    return false;
}

/* A command that a load of this kind does not have. */
static bool check_load(fnd_reader *reader, const fnd_node *entry)
{
    static const struct {
        fender_load_kind kind;
        const char *command;
    } own[] = {{FENDER_LOAD_GIVEN, "force"},
               {FENDER_LOAD_GIVEN, "torque"},
               {FENDER_LOAD_THRUSTER, "throttle"},
               {FENDER_LOAD_REACTION_WHEEL, "motor_torque"}};
    const size_t count = sizeof own / sizeof own[0];
    const char *path = entry->key;
    if (strcmp(next_part(reader, &path), "loads") != 0) return true;
    const char *name = next_part(reader, &path), *command = next_part(reader, &path);
    const fender_scenario *scenario = reader->scenario;
    for (int i = 0; command && i < scenario->load_count; i++) {
        const fnd_load_description *load = &scenario->loads[i];
        if (strcmp(load->id.name, name) != 0) continue;
        fnd_phrase known = fnd_phrase_make("active");
        const char *only = NULL;
        bool has = true;
        for (size_t k = 0; k < count; k++) {
            if (strcmp(own[k].command, command) == 0) has = own[k].kind == load->def.kind;
            if (own[k].kind != load->def.kind) continue;
            known = fnd_phrase_make("%s, %s", known.text, own[k].command);
            only = own[k].command;
        }
        if (has) return true;
        fnd_complain(reader, &entry->key_location, FENDER_STATUS_NAME,
                     fnd_phrase_make("'%s' is no command of load '%s', a %s", command, name,
                                     fender_load_kind_name(load->def.kind))
                         .text,
                     fnd_shown(entry->key).text, known.text,
                     only ? fnd_phrase_make("did you mean 'loads.%s.%s'?", name, only).text
                          : "`fender info commands` lists all");
        return false;
    }
    return true;
}

static bool set_command(fnd_reader *reader, fnd_node *entry, fnd_operation *operation)
{
    fender_command_kind kind;
    bool component = false;
    operation->kind = FND_OPERATION_SET_COMMAND;
    operation->command = entry->key;
    /* a name may take one number of some objects and three of others: the value says which is meant */
    fender_command_kind chosen = {0};
    bool any = false, suits = false, of_chosen = false;
    for (int i = 0; !suits && fender_command_kind_at(i, &kind); i++) {
        if (!fits_kind(entry->key, &kind, &component)) continue;
        suits = component || (entry->kind == FND_NODE_LIST) == (kind.count > 1);
        if (any && !suits) continue;
        any = true;
        chosen = kind;
        of_chosen = component;
    }
    if (!any) return complain_path(reader, entry);
    return check_object(reader, entry) && check_load(reader, entry) &&
           read_values(reader, entry, &chosen, of_chosen, operation);
}

static bool set_mass(fnd_reader *reader, fnd_node *entry, const char *path, fnd_operation *operation)
{
    const fnd_body_description *body = &reader->scenario->bodies[operation->body];
    if (body->def.motion == FENDER_MOTION_FIXED || body->def.motion == FENDER_MOTION_PRESCRIBED) {
        fnd_complain(
            reader, &entry->key_location, FENDER_STATUS_ARGUMENT,
            fnd_phrase_make("body '%s' is %s and has no mass", body->id.name, fender_motion_name(body->def.motion))
                .text,
            fender_motion_name(body->def.motion), "a dynamic or mass-only body", "remove it");
        return false;
    }
    if (strcmp(path, "mass") == 0) {
        operation->kind = FND_OPERATION_SET_MASS;
        return fnd_read_number_from(reader, entry, "mass", "kg", 0, true, &operation->value);
    }
    if (strcmp(path, "center_of_mass") == 0) {
        operation->kind = FND_OPERATION_SET_CENTER;
        return fnd_read_vector(reader, entry, "center_of_mass", "m", &operation->vector);
    }
    if (strcmp(path, "inertia") != 0) return complain_path(reader, entry);
    operation->kind = FND_OPERATION_SET_INERTIA;
    return fnd_read_matrix(reader, entry, "inertia", "kg*m^2", true, &operation->matrix);
}

static bool read_setting(fnd_reader *reader, fnd_node *entry, fnd_operation *operation)
{
    const char *path = entry->key, *section = next_part(reader, &path);
    operation->location = entry->key_location;
    const char *name = next_part(reader, &path), *part = next_part(reader, &path);
    if (!section || strcmp(section, "bodies") != 0 || !part || strcmp(part, "mass_properties") != 0)
        return set_command(reader, entry, operation);
    for (int i = 0; i < reader->scenario->body_count && operation->body < 0; i++)
        if (strcmp(reader->scenario->bodies[i].id.name, name) == 0) operation->body = i;
    if (operation->body >= 0) return set_mass(reader, entry, path, operation);
    fnd_complain_unknown(reader, &entry->key_location, "body", "bodies", name, fnd_node_find(reader->root, "bodies"));
    return false;
}

/* ---- actions */

static const fnd_operation blank = {
    .body = -1, .point = -1, .other = -1, .other_point = -1, .event = -1, .X_PC = {{0, 0, 0}, {1, 0, 0, 0}}};

static bool complain_operation(fnd_reader *reader, const fnd_node *node, const char *message, const char *found)
{
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT, message, found,
                 "one of attach, detach, reattach, move, set, switch, emit, stop",
                 "write '- detach: NAME', or '- stop'");
    return false;
}

/* How many operations an entry of `do` makes: a `set` one for each path. */
static int count_operations(const fnd_node *item)
{
    const fnd_node *set = fnd_node_find(item, "set");
    return set && set->kind == FND_NODE_MAP ? set->count : 1;
}

static void read_operation(fnd_reader *reader, fnd_node *item, fnd_action *action)
{
    static const char *const keys[] = {"attach", "detach", "reattach", "move", "set", "emit", "switch", NULL};
    fnd_operation *operation = &action->operations[action->operation_count];
    *operation = blank;
    if (item->kind == FND_NODE_TEXT && strcmp(item->text, "stop") == 0) {
        operation->kind = FND_OPERATION_STOP;
        operation->location = item->location;
        action->operation_count++;
        return;
    }
    if (item->kind != FND_NODE_MAP) {
        (void)complain_operation(reader, item, "this is not an operation",
                                 item->kind == FND_NODE_TEXT && item->text[0] ? fnd_shown(item->text).text
                                                                              : fnd_node_kind_text(item));
        return;
    }
    if (!fnd_check_keys(reader, item, "an operation", keys)) return;
    if (item->count != 1) {
        (void)complain_operation(reader, item, "an entry of 'do' is one operation",
                                 fnd_phrase_make("%d keys", item->count).text);
        return;
    }
    fnd_node *given = item->first;
    operation->location = given->key_location;
    if (strcmp(given->key, "set") == 0) {
        if (!fnd_expect_map(reader, given, "set")) return;
        for (fnd_node *entry = given->first; entry; entry = entry->next) {
            action->operations[action->operation_count] = blank;
            if (read_setting(reader, entry, &action->operations[action->operation_count])) action->operation_count++;
        }
        return;
    }
    bool good = false;
    if (strcmp(given->key, "emit") == 0) {
        operation->kind = FND_OPERATION_EMIT;
        operation->event = given->kind == FND_NODE_TEXT ? find_event(reader->scenario, given->text) : -1;
        good = operation->event >= 0; /* what is wrong with a name was said when names were collected */
    } else if (strcmp(given->key, "attach") == 0) {
        operation->kind = FND_OPERATION_ATTACH;
        good = read_attach(reader, given, operation);
    } else if (strcmp(given->key, "detach") == 0) {
        operation->kind = FND_OPERATION_DETACH;
        good = read_detach(reader, given, operation);
    } else if (strcmp(given->key, "switch") == 0) {
        operation->kind = FND_OPERATION_SWITCH;
        good = fnd_read_switch(reader, given, &operation->switched, &operation->use);
    } else if (strcmp(given->key, "move") == 0) {
        operation->kind = FND_OPERATION_MOVE; /* or of a part */
        good = read_move(reader, given, operation);
    } else {
        operation->kind = FND_OPERATION_REATTACH;
        good = read_reattach(reader, given, operation);
    }
    if (good) action->operation_count++;
}

/* An action that waits for itself never acts. */
static void check_waiting(fnd_reader *reader, const fnd_action *action, const fnd_condition *condition)
{
    for (int i = 0; i < condition->child_count; i++) check_waiting(reader, action, &condition->children[i]);
    if (condition->kind != FND_CONDITION_ACTION || &reader->scenario->actions[condition->action] != action) return;
    fnd_complain(reader, &condition->location, FENDER_STATUS_ARGUMENT,
                 fnd_phrase_make("action '%s' waits for itself", action->id.name).text, action->id.name,
                 "the name of another action", "name the action before it");
}

static void read_action(fnd_reader *reader, fnd_node *node, fnd_action *action)
{
    static const char *const keys[] = {"when", "do", "once", "delay", NULL};
    if (!fnd_expect_map(reader, node, node->key)) return;
    (void)fnd_check_keys(reader, node, "an action", keys);
    fnd_phrase what = fnd_phrase_make("action '%s'", fnd_shown(node->key).text);
    fnd_node *when = fnd_require(reader, node, "when", what.text, "{time: 5 s}");
    fnd_node *list = fnd_require(reader, node, "do", what.text, "[{detach: NAME}]");
    fnd_node *once = fnd_node_find(node, "once"), *delay = fnd_node_find(node, "delay");
    if (when && fnd_read_condition(reader, when, &action->when)) check_waiting(reader, action, &action->when);
    if (delay) (void)fnd_read_number_from(reader, delay, "delay", "s", 0, false, &action->delay);
    if (once) (void)fnd_read_bool(reader, once, "once", &action->once);
    if (!list || !fnd_expect_list(reader, list, "do")) return;
    if (list->count == 0)
        fnd_complain(reader, fnd_node_shown_location(list), FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("%s does nothing", what.text).text, "an empty list", "one operation or more",
                     "write do: [{detach: NAME}]");
    int most = 0;
    for (const fnd_node *item = list->first; item; item = item->next) most += count_operations(item);
    action->operations = fnd_keep(reader, (size_t)most + 1, sizeof *action->operations);
    if (!action->operations) return;
    for (fnd_node *item = list->first; item; item = item->next) read_operation(reader, item, action);
}

void fnd_read_actions(fnd_reader *reader, fnd_node *section)
{
    if (!section || !fnd_expect_map(reader, section, "actions")) return;
    fender_scenario *scenario = reader->scenario;
    collect_events(reader, section);
    scenario->actions = fnd_keep(reader, (size_t)section->count, sizeof *scenario->actions);
    if (!scenario->actions) return;
    for (fnd_node *node = section->first; node; node = node->next)
        scenario->actions[scenario->action_count++] = (fnd_action){.id = fnd_read_name(reader, node, "an action"),
                                                                   .once = true};
    int at = 0; /* conditions may name actions further down */
    for (fnd_node *node = section->first; node; node = node->next) read_action(reader, node, &scenario->actions[at++]);
}
