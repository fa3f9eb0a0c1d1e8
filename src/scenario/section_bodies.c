/* Section `bodies`: motion, mass properties, state, path. */
#include <string.h>

#include "scenario/section.h"

static const fnd_key body_keys[] = {{"motion", false}, {"path", false},    {"mass_properties", false},
                                    {"shapes", false}, {"state", false},   {"like", false},
                                    {"points", true},  {"attached", true}, {NULL, false}};
static const fnd_key mass_keys[] = {{"mass", false},       {"center_of_mass", false},
                                    {"inertia", false},    {"inertia_given", false},
                                    {"body_axes", false},  {"from_shapes", false},
                                    {"density", false},    {"spec_orientation", true},
                                    {"spec_offset", true}, {NULL, false}};
static const fnd_key state_keys[] = {
    {"position", false}, {"velocity", false},   {"orientation", false}, {"angular_velocity", false},
    {"of", true},        {"relative_to", true}, {"docked", true},       {NULL, false}};

static void read_from_shapes(fnd_reader *reader, fnd_node *node, const fnd_node *flag, fnd_body_description *body,
                             bool shapes_failed)
{
    static const char *const excluded[] = {"mass", "center_of_mass", "inertia", "inertia_given"};
    double density = 0;
    bool good = true;
    for (int i = 0; i < 4; i++) {
        const fnd_node *other = fnd_node_find(node, excluded[i]);
        if (!other) continue;
        fnd_complain(reader, &other->key_place, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' stands beside 'from_shapes'", other->key).text, other->key,
                     "either from_shapes with density, or mass and inertia", "remove one of them");
        good = false;
    }
    fnd_node *density_node = fnd_require(reader, node, "density", "mass_properties from shapes", "2700 kg/m^3");
    if (!density_node || !fnd_read_number_from(reader, density_node, "density", "kg/m^3", 0, true, &density)) return;
    if (!good || shapes_failed) return;
    (void)fnd_mass_from_shapes(reader, flag, body, density, &body->def.mass_properties);
}

static void read_inertia_given(fnd_reader *reader, const fnd_node *node)
{
    static const char *const later[] = {"structure_cg", "structure", "spec_cg", "spec", NULL};
    static const char *const now[] = {"body", NULL};
    int unused = 0;
    for (int i = 0; later[i]; i++)
        if (node->kind == FND_NODE_TEXT && strcmp(node->text, later[i]) == 0) {
            fnd_complain_later(reader, &node->place, fnd_phrase_make("inertia_given: %s", later[i]).text,
                               "give the inertia about the centre of mass in body axes; body_axes turns them");
            return;
        }
    (void)fnd_read_choice(reader, node, "inertia_given", now, &unused);
}

static void read_mass_properties(fnd_reader *reader, fnd_node *node, fnd_body_description *body, bool shapes_failed)
{
    if (!fnd_expect_map(reader, node, "mass_properties")) return;
    (void)fnd_check_keys(reader, node, "mass_properties", mass_keys);
    fender_mass_properties *mass = &body->def.mass_properties;
    fnd_node *from_shapes = fnd_node_find(node, "from_shapes"), *axes = fnd_node_find(node, "body_axes");
    bool derived = false;
    if (axes) (void)fnd_read_orientation(reader, axes, "body_axes", &body->def.body_axes);
    body->mass_place = body->inertia_place = *fnd_node_shown_place(node);
    if (from_shapes && !fnd_read_bool(reader, from_shapes, "from_shapes", &derived)) return;
    if (derived) {
        read_from_shapes(reader, node, from_shapes, body, shapes_failed);
        return;
    }
    const fnd_node *density = fnd_node_find(node, "density");
    if (density)
        fnd_complain(reader, &density->key_place, FENDER_STATUS_ARGUMENT,
                     "'density' needs 'from_shapes: true' beside it", "density alone",
                     "from_shapes: true with density, or mass and inertia",
                     "add 'from_shapes: true', or give the mass");
    fnd_node *mass_node = density ? NULL : fnd_require(reader, node, "mass", "mass_properties", "100 kg");
    fnd_node *center = fnd_node_find(node, "center_of_mass"), *given = fnd_node_find(node, "inertia_given");
    fnd_node *inertia = density ? NULL
                                : fnd_require(reader, node, "inertia", "mass_properties", "[40, 40, 40, kg*m^2]");
    if (mass_node) {
        body->mass_place = *fnd_node_shown_place(mass_node);
        (void)fnd_read_number_from(reader, mass_node, "mass", "kg", 0, true, &mass->mass);
    }
    if (center) (void)fnd_read_vector(reader, center, "center_of_mass", "m", &mass->center_of_mass);
    if (inertia) {
        body->inertia_place = *fnd_node_shown_place(inertia);
        (void)fnd_read_matrix(reader, inertia, "inertia", "kg*m^2", true, &mass->inertia);
    }
    if (given) read_inertia_given(reader, given);
}

static void refuse_motion(fnd_reader *reader, const fnd_node *node, fender_vec3 value)
{
    if (value.x == 0 && value.y == 0 && value.z == 0) return;
    fnd_complain(reader, &node->key_place, FENDER_STATUS_VALUE,
                 fnd_phrase_make("a fixed body has no '%s'", node->key).text, "a value that is not zero", "zero",
                 "write 'motion: prescribed' for a body that moves evenly");
}

static void read_state(fnd_reader *reader, fnd_node *node, fnd_body_description *body)
{
    if (!fnd_expect_map(reader, node, "state")) return;
    (void)fnd_check_keys(reader, node, "state", state_keys);
    fender_body_state *state = &body->def.state;
    body->state_place = *fnd_node_shown_place(node);
    fnd_node *position = fnd_node_find(node, "position"), *velocity = fnd_node_find(node, "velocity");
    fnd_node *orientation = fnd_node_find(node, "orientation"), *rate = fnd_node_find(node, "angular_velocity");
    bool fixed = body->def.motion == FENDER_MOTION_FIXED;
    if (position) (void)fnd_read_vector(reader, position, "position", "m", &state->position);
    if (velocity && fnd_read_vector(reader, velocity, "velocity", "m/s", &state->velocity) && fixed)
        refuse_motion(reader, velocity, state->velocity);
    if (orientation) (void)fnd_read_orientation(reader, orientation, "orientation", &state->attitude);
    if (rate && fnd_read_vector(reader, rate, "angular_velocity", "rad/s", &state->angular_velocity) && fixed)
        refuse_motion(reader, rate, state->angular_velocity);
}

static void read_path(fnd_reader *reader, fnd_node *node, fnd_body_description *body)
{
    static const fnd_key keys[] = {{"table", false}, {NULL, false}};
    if (body->def.motion != FENDER_MOTION_PRESCRIBED) {
        fnd_complain(reader, &node->key_place, FENDER_STATUS_ARGUMENT, "'path' needs 'motion: prescribed'",
                     fender_motion_name(body->def.motion), "prescribed", "add 'motion: prescribed' to the body");
        return;
    }
    if (!fnd_expect_map(reader, node, "path") || !fnd_check_keys(reader, node, "path", keys)) return;
    fnd_node *table = fnd_require(reader, node, "table", "the path", "{columns: [s, m, m, m], rows: [..]}");
    fender_path *path = &body->def.path;
    if (table) (void)fnd_read_table(reader, table, "path", "m", &path->times, &path->positions, &path->count, NULL);
}

static void read_body(fnd_reader *reader, fnd_node *node, fnd_body_description *body, bool *shapes_failed)
{
    static const char *const motions[] = {"dynamic", "fixed", "prescribed", NULL};
    static const fender_motion values[] = {FENDER_MOTION_DYNAMIC, FENDER_MOTION_FIXED, FENDER_MOTION_PRESCRIBED};
    int index = 0;
    if (node->unknown || !fnd_expect_map(reader, node, node->key)) {
        *shapes_failed = true;
        return;
    }
    (void)fnd_check_keys(reader, node, "a body", body_keys);
    fnd_node *motion = fnd_node_find(node, "motion"), *shapes = fnd_node_find(node, "shapes");
    fnd_node *mass = fnd_node_find(node, "mass_properties"), *state = fnd_node_find(node, "state");
    fnd_node *path = fnd_node_find(node, "path");
    bool known = !motion || fnd_read_choice(reader, motion, "motion", motions, &index);
    body->def.motion = values[index];
    if (shapes) fnd_read_shapes(reader, shapes, body, shapes_failed);
    if (mass) read_mass_properties(reader, mass, body, *shapes_failed);
    else if (known && body->def.motion == FENDER_MOTION_DYNAMIC)
        (void)fnd_require(reader, node, "mass_properties", fnd_phrase_make("body '%s'", fnd_shown(node->key).text).text,
                          "{mass: 100 kg, inertia: [40, 40, 40, kg*m^2]}");
    if (state) read_state(reader, state, body);
    if (path && known) read_path(reader, path, body);
}

void fnd_read_bodies(fnd_reader *reader, fnd_node *section)
{
    if (!section || !fnd_expect_map(reader, section, "bodies")) return;
    fender_scenario *scenario = reader->scenario;
    scenario->bodies = fnd_keep(reader, (size_t)section->count, sizeof *scenario->bodies);
    reader->shapes_failed = fnd_keep(reader, (size_t)section->count, sizeof *reader->shapes_failed);
    if (!scenario->bodies || !reader->shapes_failed) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_body_description *body = &scenario->bodies[scenario->body_count];
        body->def = fender_body_def_default();
        body->def.name = node->key;
        body->id = (fnd_named){node->key, node->key_place};
        (void)fnd_check_name(reader, node->key, &node->key_place, "a body");
        read_body(reader, node, body, &reader->shapes_failed[scenario->body_count]);
        scenario->body_count++;
    }
}

/* ---- references */

static int body_index(const fnd_reader *reader, const char *name, size_t length)
{
    for (int i = 0; i < reader->scenario->body_count; i++) {
        const char *other = reader->scenario->bodies[i].id.name;
        if (strlen(other) == length && memcmp(other, name, length) == 0) return i;
    }
    return -1;
}

static void complain_body(fnd_reader *reader, const fnd_place *place, const char *name)
{
    fnd_complain_unknown(reader, place, "body", "bodies", name, fnd_node_find(reader->root, "bodies"));
}

int fnd_find_body(fnd_reader *reader, const fnd_node *node, const char *name)
{
    int index = body_index(reader, name, strlen(name));
    if (index < 0) complain_body(reader, &node->place, name);
    return index;
}

static void complain_shape(fnd_reader *reader, const fnd_node *node, const char *name, int body)
{
    const fnd_body_description *description = &reader->scenario->bodies[body];
    if (reader->shapes_failed[body]) return;
    fnd_candidate *candidates = fnd_keep(reader, (size_t)description->shape_count, sizeof *candidates);
    if (!candidates) return;
    for (int i = 0; i < description->shape_count; i++)
        candidates[i] = (fnd_candidate){description->shapes[i].id.name, description->shapes[i].id.place.line};
    fnd_complain(reader, &node->place, FENDER_STATUS_NAME,
                 fnd_phrase_make("body '%s' has no shape '%s'", description->id.name, fnd_shown(name).text).text,
                 fnd_shown(node->text).text, "the name of a shape",
                 fnd_suggest(reader, name, "shapes", candidates, description->shape_count).text);
}

/* Body and, with a point in the text, shape; -1 for what is not there. False after a finding. */
static bool find_thing(fnd_reader *reader, const fnd_node *node, int *body, int *shape)
{
    const char *name = NULL;
    *body = *shape = -1;
    if (!fnd_read_text(reader, node, node->key ? node->key : "name", &name)) return false;
    size_t length = strcspn(name, ".");
    *body = body_index(reader, name, length);
    if (*body < 0) {
        char *part = fnd_keep_text(reader, name, length);
        if (part) complain_body(reader, &node->place, part);
        return false;
    }
    if (!name[length]) return true;
    const fnd_body_description *description = &reader->scenario->bodies[*body];
    for (int i = 0; i < description->shape_count; i++)
        if (strcmp(description->shapes[i].id.name, name + length + 1) == 0) return *shape = i, true;
    complain_shape(reader, node, name + length + 1, *body);
    return false;
}

bool fnd_find_shape(fnd_reader *reader, const fnd_node *node, int *body, int *shape)
{
    if (!find_thing(reader, node, body, shape)) return false;
    if (*shape >= 0) return true;
    fnd_phrase found = fnd_shown(node->text);
    fnd_complain(reader, &node->place, FENDER_STATUS_NAME,
                 fnd_phrase_make("'%s' names a body, not a shape", found.text).text, found.text, "body.shape",
                 fnd_phrase_make("write %s.SHAPE, or a rule for bodies", found.text).text);
    return false;
}

bool fnd_check_thing(fnd_reader *reader, const fnd_node *node)
{
    int body = -1, shape = -1;
    return find_thing(reader, node, &body, &shape);
}
