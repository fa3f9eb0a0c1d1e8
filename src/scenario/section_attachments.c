/* Parts of section `bodies` that tie bodies together: points, `attached`, and states relative to others. */
#include <string.h>

#include "scenario/section.h"
#include "scenario/table.h"

/* ---- points */

static bool is_taken(const fnd_body_description *body, const char *name, int *line)
{
    for (int i = 0; i < body->shape_count; i++)
        if (strcmp(body->shapes[i].id.name, name) == 0) return *line = body->shapes[i].id.location.line, true;
    for (int i = 0; i < body->point_count; i++)
        if (strcmp(body->points[i].id.name, name) == 0) return *line = body->points[i].id.location.line, true;
    return false;
}

static bool add_point(fnd_reader *reader, fnd_body_description *body, const fnd_point_description *point)
{
    int line = 0;
    if (is_taken(body, point->id.name, &line)) {
        fnd_complain(reader, &point->id.location, FENDER_STATUS_NAME,
                     fnd_phrase_make("the name of point '%s' is already used", fnd_shown(point->id.name).text).text,
                     fnd_shown(point->id.name).text, "another name: shapes and points of a body share one name space",
                     fnd_phrase_make("the other one is in line %d; rename one", line).text);
        return false;
    }
    body->points[body->point_count++] = *point;
    return true;
}

static bool read_point(fnd_reader *reader, fnd_node *node, fnd_body_description *body, int *capacity)
{
    static const char *const keys[] = {"position", "orientation", "pattern", NULL};
    fnd_point_description point = {{node->key, node->key_location}, fender_pose_identity()};
    fnd_pattern pattern = {0};
    bool good = fnd_check_name(reader, node->key, &node->key_location, "a point");
    if (!fnd_expect_map(reader, node, node->key)) return false;
    good = fnd_check_keys(reader, node, "a point", keys) && good;
    fnd_node *position = fnd_node_find(node, "position"), *orientation = fnd_node_find(node, "orientation");
    fnd_node *copies = fnd_node_find(node, "pattern");
    if (position) good = fnd_read_vector(reader, position, "position", "m", &point.X_SP.p) && good;
    if (orientation) good = fnd_read_orientation(reader, orientation, "orientation", &point.X_SP.q) && good;
    if (copies) good = fnd_read_pattern(reader, copies, &pattern) && good;
    if (!good) return false;
    int more = pattern.count > 0 ? pattern.count : 1;
    if (body->point_count + more > *capacity) {
        fnd_point_description *points = fnd_keep(reader, (size_t)(*capacity + more), sizeof *points);
        if (!points) return false;
        if (body->point_count > 0) memcpy(points, body->points, (size_t)body->point_count * sizeof *points);
        body->points = points;
        *capacity += more;
    }
    if (pattern.count == 0) return add_point(reader, body, &point);
    for (int k = 0; k < pattern.count; k++) {
        fnd_point_description copy = {{fnd_pattern_name(reader, node->key, k), node->key_location},
                                      fnd_pattern_pose(&pattern, point.X_SP, k)};
        good = copy.id.name && add_point(reader, body, &copy) && good;
    }
    return good;
}

void fnd_read_points(fnd_reader *reader, fnd_node *points, fnd_body_description *body, bool *failed)
{
    if (!fnd_expect_map(reader, points, "points")) {
        *failed = true;
        return;
    }
    int capacity = points->count;
    body->points = fnd_keep(reader, (size_t)capacity, sizeof *body->points);
    if (!body->points) return;
    for (fnd_node *node = points->first; node; node = node->next)
        if (!read_point(reader, node, body, &capacity)) *failed = true;
}

/* ---- attached */

static void complain_form(fnd_reader *reader, const fnd_node *node, const char *message, const char *found)
{
    fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT, message, found,
                 "{by: POINT, to: BODY.POINT}, or {to: BODY, position, orientation}",
                 "write {by: port, to: other.port}");
}

/* `angle: {columns: [s, deg], rows: ..}` */
static bool read_angles(fnd_reader *reader, fnd_node *node, double **times, double **angles, int *count)
{
    static const char *const keys[] = {"columns", "rows", "file", NULL};
    fnd_table_columns columns;
    double *values = NULL;
    if (!fnd_expect_map(reader, node, "angle") || !fnd_check_keys(reader, node, "the table", keys)) return false;
    fnd_node *names = fnd_require(reader, node, "columns", "the table", "[s, deg]");
    if (!names || !fnd_read_table_columns(reader, names, &columns) || !fnd_check_table_source(reader, node))
        return false;
    if (columns.count != 2) {
        fnd_complain(reader, fnd_node_shown_location(names), FENDER_STATUS_PARSE,
                     fnd_phrase_make("the table has %d columns", columns.count).text,
                     fnd_phrase_make("%d", columns.count).text, "2 columns: the time and the angle",
                     "write columns: [s, deg]");
        return false;
    }
    if (!fnd_read_table_rows(reader, node, &columns, "rad", &values, count)) return false;
    *times = fnd_keep(reader, (size_t)*count, sizeof **times);
    *angles = fnd_keep(reader, (size_t)*count, sizeof **angles);
    if (!*times || !*angles) return false;
    for (int i = 0; i < *count; i++) (*times)[i] = values[2 * i], (*angles)[i] = values[2 * i + 1];
    return true;
}

/* `motion` of an attached body: how it moves relative to its parent. */
static bool read_part(fnd_reader *reader, fnd_node *node, fnd_attachment_description *attached)
{
    static const char *const keys[] = {"axis", "pivot", "between", "position", "angle", NULL};
    static const char *const betweens[] = {"rest", "smooth", NULL};
    fender_part_motion *motion = &attached->motion;
    if (!fnd_expect_map(reader, node, "motion") || !fnd_check_keys(reader, node, "'motion'", keys)) return false;
    fnd_node *axis = fnd_node_find(node, "axis"), *pivot = fnd_node_find(node, "pivot");
    fnd_node *between = fnd_node_find(node, "between"), *position = fnd_node_find(node, "position");
    fnd_node *angle = fnd_node_find(node, "angle");
    *motion = fender_part_motion_default();
    attached->motion_location = *fnd_node_shown_location(node);
    int choice = 0, rows = 0;
    double *times = NULL, *angles = NULL;
    bool good = true;
    if (!position && !angle) {
        fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT, "the motion has no rows", "nothing",
                     "'position', 'angle' or both", "write angle: {columns: [s, deg], rows: [[0, 0], [10, 90]]}");
        return false;
    }
    if (axis) good = fnd_read_vector(reader, axis, "axis", "1", &motion->axis) && good;
    if (pivot) good = fnd_read_vector(reader, pivot, "pivot", "m", &motion->pivot) && good;
    if (between) good = fnd_read_choice(reader, between, "between", betweens, &choice) && good;
    motion->between = choice == 0 ? FENDER_PART_REST : FENDER_PART_SMOOTH;
    if (position)
        good = fnd_read_table(reader, position, "position", "m", &motion->times, &motion->positions, &motion->count,
                              NULL) &&
               good;
    if (angle && !axis) {
        fnd_complain(reader, &angle->key_location, FENDER_STATUS_ARGUMENT, "'angle' needs 'axis'", "no axis",
                     "the axis of the turn in the structure axes of the body", "add 'axis: [0, 0, 1]'");
        return false;
    }
    if (!good || (angle && !read_angles(reader, angle, &times, &angles, &rows))) return false;
    if (!angle) return true;
    bool same = !position || rows == motion->count;
    for (int i = 0; position && same && i < rows; i++) same = times[i] == motion->times[i];
    if (!same) {
        fnd_complain(reader, &angle->key_location, FENDER_STATUS_VALUE, "the times of 'position' and 'angle' differ",
                     fnd_phrase_make("%d and %d rows", motion->count, rows).text, "the same times in both tables",
                     "repeat a value where one of them rests");
        return false;
    }
    motion->times = times;
    motion->angles = angles;
    motion->count = rows;
    return true;
}

static bool read_attached(fnd_reader *reader, fnd_node *node, int index)
{
    static const char *const keys[] = {"by", "to", "position", "orientation", "motion", NULL};
    fnd_body_description *body = &reader->scenario->bodies[index];
    fnd_attachment_description *attached = &body->attached;
    const char *name = NULL;
    if (!fnd_expect_map(reader, node, "attached") || !fnd_check_keys(reader, node, "'attached'", keys)) return false;
    fnd_node *by = fnd_node_find(node, "by"), *to = fnd_require(reader, node, "to", "'attached'", "BODY.POINT");
    fnd_node *position = fnd_node_find(node, "position"), *orientation = fnd_node_find(node, "orientation");
    if (!to || !fnd_find_point(reader, to, by != NULL, &attached->parent, &attached->parent_point)) return false;
    if (by && (position || orientation)) {
        complain_form(reader, position ? position : orientation,
                      "both points and a pose define the position of the body", "both");
        return false;
    }
    if (!by && attached->parent_point >= 0) {
        complain_form(reader, to, "'to' names a point, but 'by' is missing", fnd_shown(to->text).text);
        return false;
    }
    bool good = true;
    if (by) {
        if (!fnd_read_text(reader, by, "by", &name)) return false;
        attached->child_point = fnd_find_point_of(reader, by, name, index);
        if (attached->child_point < 0) return false;
    }
    if (position) good = fnd_read_vector(reader, position, "position", "m", &attached->X_PC.p);
    if (orientation) good = fnd_read_orientation(reader, orientation, "orientation", &attached->X_PC.q) && good;
    fnd_node *motion = fnd_node_find(node, "motion");
    if (motion) good = read_part(reader, motion, attached) && good;
    attached->location = *fnd_node_shown_location(node);
    return good;
}

/* Pose of an attached body in its parent. */
static fender_pose attached_pose(const fender_scenario *scenario, const fnd_body_description *body)
{
    static const fender_pose facing = {{0, 0, 0}, {0, 0, 0, 1}}; /* x axes face each other, z axes agree */
    const fnd_attachment_description *attached = &body->attached;
    if (attached->child_point < 0) return attached->X_PC;
    fender_pose port = scenario->bodies[attached->parent].points[attached->parent_point].X_SP;
    fender_pose own = body->points[attached->child_point].X_SP;
    return fender_pose_product(fender_pose_product(port, facing), fender_pose_inverse(own));
}

/* ---- states */

typedef enum progress { WAITING, AT_WORK, DONE, FAILED } progress;

/* A state as it is written, before it is brought into the world. */
typedef struct given_state {
    fnd_node *node, *relative;      /* NULL: not given */
    int of_point, base, base_point; /* -1: structure frame, the world */
    bool docked;
    fender_vec3 position, velocity, rate; /* rate: in the axes of `of` */
    fender_quaternion attitude;
    enum { AXES_OF_BASE, AXES_NED, AXES_LVLH } axes; /* in which velocity, orientation and rate are told */
    fender_quaternion ned;                           /* at the place */
    fender_vec3 orbital;                             /* m/s, W; velocity on the orbit */
    bool in_orbit;
    progress progress;
} given_state;

typedef struct resolver {
    fnd_reader *reader;
    given_state *states; /* by body */
} resolver;

static void refuse_motion(fnd_reader *reader, const fnd_node *node, fender_vec3 value)
{
    if (value.x == 0 && value.y == 0 && value.z == 0) return;
    fnd_complain(reader, &node->key_location, FENDER_STATUS_VALUE,
                 fnd_phrase_make("a fixed body has no '%s'", node->key).text, "a value that is not zero", "zero",
                 "write 'motion: prescribed' for a body with constant velocity");
}

/* `orbit`, and the axes in which the rest is told. */
static bool read_orbit_and_axes(fnd_reader *reader, const fnd_node *node, const fnd_node *place, given_state *state)
{
    static const char *const others[] = {"position", "place", "relative_to", NULL};
    static const char *const names[] = {"world", "ned", "lvlh", NULL};
    fnd_node *orbit = fnd_node_find(node, "orbit"), *axes = fnd_node_find(node, "axes");
    int choice = 0;
    for (const char *const *other = others; orbit && *other; other++) {
        if (!fnd_node_find(node, *other)) continue;
        fnd_complain(reader, &orbit->key_location, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'orbit' and '%s' cannot be combined", *other).text, "both", "one of them",
                     "remove one");
        return false;
    }
    if (orbit && !fnd_read_orbit(reader, orbit, &state->position, &state->orbital)) return false;
    state->in_orbit = orbit != NULL;
    if (axes && !fnd_read_choice(reader, axes, "axes", names, &choice)) return false;
    state->axes = choice == 1 ? AXES_NED : choice == 2 ? AXES_LVLH : AXES_OF_BASE;
    const fender_world_def *world = &reader->scenario->world;
    double mu;
    fender_vec3 center, moving;
    const bool central = fnd_world_center(world, &mu, &center, &moving);
    const bool of_frame = world->frame.kind == FENDER_FRAME_ORBIT; /* whose origin has such axes, too */
    const char *wrong = choice == 1 && !place                                    ? "'place'"
                        : choice == 2 && !orbit && !state->relative && !of_frame ? "'orbit' or 'relative_to'"
                        : choice == 2 && (!central || fnd_node_find(node, "docked"))
                            ? "the gravity of a point mass, and no "
                              "'docked'"
                            : NULL;
    if (!wrong) return true;
    fnd_complain(reader, &axes->key_location, FENDER_STATUS_ARGUMENT,
                 fnd_phrase_make("'axes: %s' needs %s", names[choice], wrong).text, names[choice],
                 choice == 1 ? "'place', in a frame of a planet"
                             : "'orbit' or 'relative_to', with the gravity of a point mass or in a frame in orbit",
                 "remove 'axes' for those of the world");
    return false;
}

static bool read_state(fnd_reader *reader, fnd_node *node, int index, given_state *state)
{
    static const char *const keys[] = {"position", "velocity",    "orientation", "angular_velocity",
                                       "of",       "relative_to", "docked",      "place",
                                       "orbit",    "axes",        NULL};
    fnd_body_description *body = &reader->scenario->bodies[index];
    if (!fnd_expect_map(reader, node, "state")) return false;
    bool good = fnd_check_keys(reader, node, "state", keys);
    body->state_location = *fnd_node_shown_location(node);
    fnd_node *position = fnd_node_find(node, "position"), *velocity = fnd_node_find(node, "velocity");
    fnd_node *orientation = fnd_node_find(node, "orientation"), *rate = fnd_node_find(node, "angular_velocity");
    fnd_node *of = fnd_node_find(node, "of"), *docked = fnd_node_find(node, "docked");
    fnd_node *location = fnd_node_find(node, "place");
    const char *name = NULL;
    state->relative = fnd_node_find(node, "relative_to");
    if (location && (position || state->relative)) {
        const char *other = position ? "position" : "relative_to";
        fnd_complain(reader, &location->key_location, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'place' and '%s' cannot be combined", other).text, "both", "one of them",
                     "remove one");
        good = false;
        location = NULL;
    }
    if (location) good = fnd_read_geodetic(reader, location, &state->position, &state->ned) && good;
    if (location) position = location; /* a path gives it, too */
    good = read_orbit_and_axes(reader, node, location, state) && good;
    if (state->in_orbit) position = fnd_node_find(node, "orbit");
    bool fixed = body->def.motion == FENDER_MOTION_FIXED;
    const bool swings = body->def.sine.frequency > 0; /* about the initial position */
    const fnd_node *idle = position && !swings ? position : velocity;
    if (idle && (swings || body->def.path.count > 0)) {
        fnd_complain(reader, &idle->key_location, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' and 'path' cannot be combined in body '%s'", idle->key, body->id.name).text,
                     idle->key, "one of them: a path gives position and velocity", "remove one of them");
        good = false;
    }
    if (position && !location && !state->in_orbit)
        good = fnd_read_vector(reader, position, "position", "m", &state->position) && good;
    if (velocity) {
        if (!fnd_read_vector(reader, velocity, "velocity", "m/s", &state->velocity)) good = false;
        else if (fixed) refuse_motion(reader, velocity, state->velocity);
    }
    if (orientation) good = fnd_read_orientation(reader, orientation, "orientation", &state->attitude) && good;
    if (rate) {
        if (!fnd_read_vector(reader, rate, "angular_velocity", "rad/s", &state->rate)) good = false;
        else if (fixed) refuse_motion(reader, rate, state->rate);
    }
    if (of) {
        bool named = fnd_read_text(reader, of, "of", &name);
        state->of_point = named ? fnd_find_point_of(reader, of, name, index) : -1;
        good = state->of_point >= 0 && good;
    }
    if (state->relative)
        good = fnd_find_point(reader, state->relative, false, &state->base, &state->base_point) && good;
    if (docked) good = fnd_read_bool(reader, docked, "docked", &state->docked) && good;
    if (state->docked && !state->relative) {
        fnd_complain(reader, &docked->key_location, FENDER_STATUS_ARGUMENT, "'docked' needs 'relative_to'",
                     "docked alone", "the point to be docked to", "add 'relative_to: BODY.POINT'");
        good = false;
    }
    return good;
}

/* State of a frame: pose and velocity in W, angular velocity in W. */
typedef struct frame_state {
    fender_pose X;
    fender_vec3 v, w;
} frame_state;

static frame_state frame_of(const fender_body_state *s)
{
    return (frame_state){
        {s->position, s->attitude}, s->velocity, fender_quaternion_rotate(s->attitude, s->angular_velocity)};
}

static fender_body_state state_of(const frame_state *f)
{
    return (fender_body_state){f->X.p, f->X.q, f->v,
                               fender_quaternion_rotate(fender_quaternion_conjugate(f->X.q), f->w)};
}

/* A frame that is fixed in another. */
static frame_state carried(const frame_state *by, fender_pose X)
{
    frame_state f = {fender_pose_product(by->X, X), by->v, by->w};
    f.X.q = fender_quaternion_normalized(f.X.q);
    if (f.X.q.w < 0) f.X.q = (fender_quaternion){-f.X.q.w, -f.X.q.x, -f.X.q.y, -f.X.q.z};
    f.v = fender_vec3_add(by->v, fender_vec3_cross(by->w, fender_vec3_sub(f.X.p, by->X.p)));
    return f;
}

/* The frame LVLH of a base that moves along: about the world's centre. False: it moves along the vertical. */
static bool turn_to_lvlh(const fender_scenario *scenario, frame_state *base)
{
    double mu;
    fender_vec3 center, moving;
    (void)fnd_world_center(&scenario->world, &mu, &center, &moving);
    return fender_lvlh(fender_vec3_sub(base->X.p, center), fender_vec3_sub(base->v, moving), &base->X.q, &base->w);
}

static bool compute(const fender_scenario *scenario, fnd_body_description *body, const given_state *given)
{
    frame_state base = {fender_pose_identity(), {0, 0, 0}, {0, 0, 0}}, frame;
    const fender_vec3 zero = {0, 0, 0};
    fender_vec3 place = given->position;
    if (given->base < 0 && given->of_point < 0 && given->axes == AXES_OF_BASE) { /* as it was typed, to the last bit */
        fender_vec3 velocity = given->in_orbit ? fender_vec3_add(given->orbital, given->velocity) : given->velocity;
        body->def.state = (fender_body_state){place, given->attitude, velocity, given->rate};
        return true;
    }
    if (given->base >= 0) {
        const fnd_body_description *other = &scenario->bodies[given->base];
        base = frame_of(&other->def.state);
        if (given->base_point >= 0) base = carried(&base, other->points[given->base_point].X_SP);
    }
    if (given->in_orbit) base.v = given->orbital;
    if (given->base < 0 && given->axes != AXES_OF_BASE) {                   /* its own */
        const bool of_frame = given->axes == AXES_LVLH && !given->in_orbit; /* the place is told in the origin's axes */
        base = (frame_state){{of_frame ? zero : place, given->ned}, given->orbital, {0, 0, 0}};
        if (!of_frame) place = zero;
    }
    if (given->axes == AXES_LVLH && !turn_to_lvlh(scenario, &base)) return false;
    fender_quaternion rotation = given->attitude;
    if (given->docked) rotation = fender_quaternion_product((fender_quaternion){0, 0, 0, 1}, rotation);
    /* carried along, and moving in it besides */
    frame = carried(&base, (fender_pose){place, rotation});
    frame.v = fender_vec3_add(frame.v, fender_quaternion_rotate(base.X.q, given->velocity));
    frame.w = fender_vec3_add(frame.w, fender_quaternion_rotate(frame.X.q, given->rate));
    if (given->of_point >= 0) frame = carried(&frame, fender_pose_inverse(body->points[given->of_point].X_SP));
    body->def.state = state_of(&frame);
    return true;
}

static bool resolve(resolver *r, int index);

static bool complain_circle(resolver *r, int index)
{
    const fnd_body_description *body = &r->reader->scenario->bodies[index];
    const given_state *given = &r->states[index];
    const fnd_location *location = given->relative ? &given->relative->location : &body->attached.location;
    fnd_complain(r->reader, location, FENDER_STATUS_TOPOLOGY,
                 fnd_phrase_make("the position of body '%s' depends on itself", body->id.name).text, body->id.name,
                 "a chain of bodies that ends at one with its own state",
                 "give one of the bodies a state relative to the world");
    return false;
}

/* The other body's state comes first. */
static bool resolve_on(resolver *r, int index, int other)
{
    given_state *given = &r->states[index];
    if (r->states[other].progress == AT_WORK) return complain_circle(r, index);
    given->progress = AT_WORK;
    bool good = resolve(r, other);
    given->progress = good ? DONE : FAILED;
    return good;
}

static bool complain_stateless(resolver *r, int index, int other)
{
    const fnd_body_description *base = &r->reader->scenario->bodies[other];
    bool path = base->def.path.count > 0;
    const fnd_node *node = r->states[index].relative;
    fnd_complain(r->reader, &node->location, FENDER_STATUS_STATE,
                 fnd_phrase_make(path ? "body '%s' follows a path, so no body can be placed relative to it"
                                      : "body '%s' is mass only and has no state",
                                 base->id.name)
                     .text,
                 base->id.name, "a body with an initial state",
                 "give the state relative to the world: omit 'relative_to'");
    return false;
}

/* Centre of mass of what is attached to a root, in its structure frame. */
static fender_vec3 center_of(const fender_scenario *scenario, int root)
{
    const fender_body_state *base = &scenario->bodies[root].def.state;
    fender_vec3 sum = {0, 0, 0};
    double mass = 0;
    for (int i = 0; i < scenario->body_count; i++) {
        const fender_body_def *def = &scenario->bodies[i].def;
        if (fnd_scenario_root(scenario, i) != root) continue;
        fender_vec3 place = fender_quaternion_rotate(def->state.attitude, def->mass_properties.center_of_mass);
        place = fender_vec3_add(place, fender_vec3_sub(def->state.position, base->position));
        sum = fender_vec3_add_scaled(sum, def->mass_properties.mass, place);
        mass += def->mass_properties.mass;
    }
    if (!(mass > 0)) return sum;
    return fender_quaternion_rotate(fender_quaternion_conjugate(base->attitude), fender_vec3_scale(1 / mass, sum));
}

/* m; a centre of mass that far above the elements goes on by 12 pi times as much in a revolution. */
#define CENTER_OFF 0.01

static double to_micrometre(double x) { return floor(x * 1e6 + 0.5) / 1e6; }

/* Elements for the structure frame, while gravity moves the centre of mass. */
static void warn_of_center(const resolver *r, int index)
{
    const fnd_body_description *body = &r->reader->scenario->bodies[index];
    const given_state *given = &r->states[index];
    if (!given->in_orbit || given->of_point >= 0 || body->def.motion != FENDER_MOTION_DYNAMIC) return;
    const fender_vec3 c = center_of(r->reader->scenario, index);
    const double off = fender_vec3_length(c);
    if (!(off > CENTER_OFF)) return;
    fnd_diagnostic_add(r->reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK,
                       &fnd_node_find(given->node, "orbit")->key_location,
                       fnd_phrase_make("'orbit' places the structure frame of '%s'; its centre of mass is %.4g m off "
                                       "and leaves that orbit by up to %.3g m in a revolution",
                                       body->id.name, off, 12 * 3.141592653589793 * off)
                           .text,
                       "", "",
                       fnd_phrase_make("give the body a point and write 'of: POINT', with points: {POINT: {position: "
                                       "[%.9g, %.9g, %.9g, m]}}",
                                       to_micrometre(c.x), to_micrometre(c.y), to_micrometre(c.z))
                           .text);
}

/* False when it cannot be known; that has been said. CHAIN_LIMIT bounds the depth. */
static bool resolve(resolver *r, int index)
{
    fender_scenario *scenario = r->reader->scenario;
    fnd_body_description *body = &scenario->bodies[index];
    given_state *given = &r->states[index];
    if (given->progress == DONE || given->progress == FAILED) return given->progress == DONE;
    if (body->attached.location.line > 0) {
        if (!resolve_on(r, index, body->attached.parent)) return given->progress = FAILED, false;
        frame_state parent = frame_of(&scenario->bodies[body->attached.parent].def.state);
        frame_state own = carried(&parent, attached_pose(scenario, body));
        body->def.state = state_of(&own);
        return true;
    }
    if (given->base >= 0) {
        const fnd_body_description *base = &scenario->bodies[given->base];
        if (!resolve_on(r, index, given->base)) return given->progress = FAILED, false;
        bool loose = base->def.motion == FENDER_MOTION_MASS_ONLY && base->attached.location.line == 0;
        if (loose || base->def.path.count > 0)
            return given->progress = FAILED, complain_stateless(r, index, given->base);
    }
    if (given->node && !compute(scenario, body, given)) {
        fnd_complain(r->reader, fnd_node_shown_location(fnd_node_find(given->node, "axes")), FENDER_STATUS_VALUE,
                     "there are no axes 'lvlh' of a body that moves along the vertical, or rests", "no orbit's plane",
                     "a body with a velocity across the vertical", "remove 'axes'");
        return given->progress = FAILED, false;
    }
    given->progress = DONE;
    if (body->def.motion == FENDER_MOTION_FIXED && given->base >= 0) {
        const fender_body_state *s = &body->def.state;
        if (fender_vec3_length(s->velocity) > 0 || fender_vec3_length(s->angular_velocity) > 0)
            fnd_complain(r->reader, &given->relative->location, FENDER_STATUS_VALUE,
                         "a fixed body cannot be at rest relative to one that moves",
                         scenario->bodies[given->base].id.name, "a body that does not move",
                         "place the fixed body in the world");
    }
    return true;
}

static bool refuse_state(fnd_reader *reader, const fnd_body_description *body, const fnd_node *state, bool attached)
{
    fnd_complain(reader, &state->key_location, FENDER_STATUS_ARGUMENT,
                 fnd_phrase_make(attached ? "'state' and 'attached' cannot be combined in body '%s'"
                                          : "body '%s' is mass only and has no 'state'",
                                 fnd_shown(body->id.name).text)
                     .text,
                 "state", attached ? "one of them: the parent determines the state of an attached body" : "no state",
                 attached ? "remove one of them" : "remove it, or write 'motion: dynamic'");
    return false;
}

static void read_placement(resolver *r, fnd_node *node, int index)
{
    fnd_reader *reader = r->reader;
    fnd_body_description *body = &reader->scenario->bodies[index];
    given_state *given = &r->states[index];
    fnd_node *attached = fnd_node_find(node, "attached"), *state = fnd_node_find(node, "state");
    bool good = !node->unknown && node->kind == FND_NODE_MAP;
    *given = (given_state){.of_point = -1, .base = -1, .base_point = -1, .attitude = fender_quaternion_identity()};
    body->attached.parent = body->attached.child_point = body->attached.parent_point = -1;
    body->attached.X_PC = fender_pose_identity();
    if (good && state && (attached || body->def.motion == FENDER_MOTION_MASS_ONLY))
        good = refuse_state(reader, body, state, attached != NULL);
    else if (good && state) good = read_state(reader, given->node = state, index, given);
    if (good && attached) good = read_attached(reader, attached, index);
    if (!good) given->progress = FAILED;
}

enum { CHAIN_LIMIT = 1000 };

/* How many bodies stand before one in its chain; more than there may be: a circle, which resolving finds. */
static bool is_too_deep(const resolver *r, int index)
{
    const fender_scenario *scenario = r->reader->scenario;
    int depth = 0, at = index;
    while (at >= 0 && depth <= CHAIN_LIMIT) {
        const fnd_body_description *body = &scenario->bodies[at];
        at = body->attached.location.line > 0 ? body->attached.parent : r->states[at].base;
        depth++;
    }
    return depth > CHAIN_LIMIT && scenario->body_count > CHAIN_LIMIT;
}

void fnd_read_attachments(fnd_reader *reader, fnd_node *section)
{
    fender_scenario *scenario = reader->scenario;
    resolver r = {reader, fnd_keep(reader, (size_t)scenario->body_count, sizeof *r.states)};
    if (!r.states) return;
    int index = 0;
    for (fnd_node *node = section->first; node; node = node->next) read_placement(&r, node, index++);
    for (index = 0; index < scenario->body_count; index++) {
        if (is_too_deep(&r, index)) {
            fnd_complain(reader, &scenario->bodies[index].id.location, FENDER_STATUS_TOPOLOGY,
                         "the chain of bodies is too long", scenario->bodies[index].id.name,
                         fnd_phrase_make("at most %d bodies", CHAIN_LIMIT).text, "attach them to one body");
            return;
        }
        (void)resolve(&r, index);
    }
    for (index = 0; index < scenario->body_count; index++)
        if (r.states[index].progress == DONE) warn_of_center(&r, index);
}
