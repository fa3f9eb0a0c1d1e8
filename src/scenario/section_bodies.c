/* Section `bodies`: motion, mass properties, state, path. */
#include "scenario/section.h"
#include <string.h>

/* ---- Mass properties from shapes ---- */

/* A hull of a file has the inertia of the file's own solid (contact is with the hull): then it is taken as a mesh. What
 * triangles bound must be closed. */
static bool find_solid(fnd_reader *reader, const fnd_node *node, fnd_shape_description *shape)
{
    const fnd_shape_data *data = shape->data;
    if (!data || !data->triangles) return true;
    if (!data->closed) {
        fnd_complain(reader, &node->location, FENDER_STATUS_VALUE,
                     fnd_phrase_make("the triangles of '%s' enclose no volume", fnd_shown(data->file.name).text).text,
                     "an edge that is not shared by two triangles", "a closed surface",
                     "close the mesh, or give mass and inertia");
        return false;
    }
    shape->geometry = FENDER_GEOMETRY_MESH;
    shape->rounding = 0;
    return true;
}

/* Mass properties of one solid, in structure axes. */
static bool solid(fnd_reader *reader, const fnd_node *node, const fnd_shape_description *shape, double density,
                  fender_mass_properties *out)
{
    fender_error error = {0};
    fnd_shape_description solid_shape = *shape;
    if (!find_solid(reader, node, &solid_shape)) return false;
    fender_geometry *geometry = fnd_shape_geometry(&reader->env, &solid_shape, &error);
    if (!geometry) {
        if (error.status == FENDER_STATUS_MEMORY) reader->memory_failed = true;
        else fnd_diagnostic_add_error(reader->diagnostics, &error, &node->location);
        return false;
    }
    fender_mass_properties own = fender_geometry_mass_properties(geometry, density);
    fender_geometry_release(geometry);
    if (own.mass < 0) {
        fnd_complain(reader, &node->location, FENDER_STATUS_VALUE,
                     fnd_phrase_make("the triangles of '%s' face inward", fnd_shown(shape->data->file.name).text).text,
                     "a negative volume", "triangles that are counter-clockwise from outside",
                     "reverse the order of their corners");
        return false;
    }
    fender_mat3 r = fender_quaternion_matrix(shape->X_SG.q), transposed = fender_mat3_transpose(&r);
    fender_mat3 half = fender_mat3_product(&r, &own.inertia);
    out->mass = own.mass;
    out->center_of_mass = fender_vec3_add(shape->X_SG.p, fender_mat3_times(&r, own.center_of_mass));
    out->inertia = fender_mat3_product(&half, &transposed);
    return true;
}

/* Adds m (|d|^2 1 - d d^T): the parallel axis theorem. */
static void add_offset(fender_mat3 *inertia, double mass, fender_vec3 d)
{
    double v[3] = {d.x, d.y, d.z}, square = fender_vec3_dot(d, d);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) inertia->m[i][j] += mass * ((i == j ? square : 0) - v[i] * v[j]);
}

/* Solids of even density; false after a diagnostic. */
static bool mass_from_shapes(fnd_reader *reader, const fnd_node *node, const fnd_body_description *body, double density,
                             fender_mass_properties *mass)
{
    fender_mass_properties total = {0}, part;
    for (int i = 0; i < body->shape_count; i++) {
        if (!solid(reader, node, &body->shapes[i], density, &part)) return false;
        total.mass += part.mass;
        total.center_of_mass = fender_vec3_add_scaled(total.center_of_mass, part.mass, part.center_of_mass);
    }
    if (!(total.mass > 0)) {
        fnd_complain(reader, &node->location, FENDER_STATUS_VALUE, "the shapes of the body have no volume",
                     body->shape_count == 0 ? "no shapes" : "a volume of 0", "shapes with a volume",
                     "add a shape, or give mass and inertia");
        return false;
    }
    total.center_of_mass = fender_vec3_scale(1 / total.mass, total.center_of_mass);
    for (int i = 0; i < body->shape_count; i++) {
        if (!solid(reader, node, &body->shapes[i], density, &part)) return false;
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) total.inertia.m[j][k] += part.inertia.m[j][k];
        add_offset(&total.inertia, part.mass, fender_vec3_sub(part.center_of_mass, total.center_of_mass));
    }
    /* into body axes; one half of the matrix is computed, for rounding must not make it unsymmetric */
    fender_mat3 r = fender_quaternion_matrix(body->def.body_axes), transposed = fender_mat3_transpose(&r);
    fender_mat3 half = fender_mat3_product(&transposed, &total.inertia);
    total.inertia = fender_mat3_product(&half, &r);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < j; k++) total.inertia.m[j][k] = total.inertia.m[k][j];
    *mass = total;
    return true;
}

/* ---- Bodies ---- */

static const char *const body_keys[] = {"motion", "path",   "mass_properties", "shapes", "state",
                                        "like",   "points", "attached",        NULL};
static const char *const mass_keys[] = {"mass",        "center_of_mass",  "inertia", "inertia_given",
                                        "body_axes",   "from_shapes",     "density", "spec_orientation",
                                        "spec_offset", "lenient_inertia", NULL};
static void read_from_shapes(fnd_reader *reader, fnd_node *node, const fnd_node *flag, fnd_body_description *body,
                             bool shapes_failed)
{
    static const char *const excluded[] = {"center_of_mass", "inertia", "inertia_given", "spec_orientation",
                                           "spec_offset"};
    fender_mass_properties *mass = &body->def.mass_properties;
    double density = 1, whole = 0; /* the density that gives this mass is not known before the volume is */
    bool good = true;
    for (size_t i = 0; i < sizeof excluded / sizeof excluded[0]; i++) {
        const fnd_node *other = fnd_node_find(node, excluded[i]);
        if (!other) continue;
        fnd_complain(reader, &other->key_location, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' and 'from_shapes' cannot be combined", other->key).text, other->key,
                     "either from_shapes with density or mass, or mass and inertia", "remove one of them");
        good = false;
    }
    fnd_node *mass_node = fnd_node_find(node, "mass"), *density_node = fnd_node_find(node, "density");
    if (mass_node && density_node) {
        fnd_complain(reader, &density_node->key_location, FENDER_STATUS_ARGUMENT,
                     "'density' and 'mass' cannot be combined", "density", "one of them", "remove one of them");
        return;
    }
    if (!mass_node) density_node = fnd_require(reader, node, "density", "mass_properties from shapes", "2700 kg/m^3");
    if (!mass_node && !density_node) return;
    if (density_node) good = fnd_read_number_from(reader, density_node, "density", "kg/m^3", 0, true, &density) && good;
    if (mass_node) good = fnd_read_number_from(reader, mass_node, "mass", "kg", 0, true, &whole) && good;
    if (!good || shapes_failed || !mass_from_shapes(reader, flag, body, density, mass) || !mass_node) return;
    body->mass_location = *fnd_node_shown_location(mass_node);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) mass->inertia.m[i][j] *= whole / mass->mass;
    mass->mass = whole;
}

/* Where the tensor is given; spec_orientation and spec_offset belong to two of the forms. */
static bool read_inertia_given(fnd_reader *reader, fnd_node *node, fender_inertia_spec *spec, fender_quaternion *q_BP,
                               fender_vec3 *offset)
{
    static const char *const names[] = {"body", "structure_cg", "structure", "spec_cg", "spec", "none", NULL};
    fnd_node *given = fnd_node_find(node, "inertia_given"), *rotation = fnd_node_find(node, "spec_orientation");
    fnd_node *from = fnd_node_find(node, "spec_offset");
    int index = 0;
    if (given && !fnd_read_choice(reader, given, "inertia_given", names, &index)) return false;
    *spec = (fender_inertia_spec)index;
    bool rotated = *spec == FENDER_INERTIA_SPEC || *spec == FENDER_INERTIA_SPEC_CG, good = true;
    const fnd_node *idle = rotation && !rotated ? rotation : from && *spec != FENDER_INERTIA_SPEC ? from : NULL;
    if (idle) {
        fnd_complain(
            reader, &idle->key_location, FENDER_STATUS_ARGUMENT,
            fnd_phrase_make("'%s' has no meaning with inertia_given: %s", idle->key, names[index]).text, names[index],
            idle == rotation ? "inertia_given: spec or spec_cg" : "inertia_given: spec",
            fnd_phrase_make("remove it, or write inertia_given: %s", idle == rotation ? "spec_cg" : "spec").text);
        good = false;
    }
    if (rotation) good = fnd_read_orientation(reader, rotation, "spec_orientation", q_BP) && good;
    if (from) good = fnd_read_vector(reader, from, "spec_offset", "m", offset) && good;
    return good;
}

static void read_mass_properties(fnd_reader *reader, fnd_node *node, fnd_body_description *body, bool shapes_failed)
{
    if (!fnd_expect_map(reader, node, "mass_properties")) return;
    (void)fnd_check_keys(reader, node, "mass_properties", mass_keys);
    fender_mass_properties *mass = &body->def.mass_properties;
    fnd_node *from_shapes = fnd_node_find(node, "from_shapes"), *axes = fnd_node_find(node, "body_axes");
    bool derived = false;
    fnd_node *lenient = fnd_node_find(node, "lenient_inertia");
    if (lenient) (void)fnd_read_bool(reader, lenient, "lenient_inertia", &body->def.lenient_inertia);
    if (axes) (void)fnd_read_orientation(reader, axes, "body_axes", &body->def.body_axes);
    body->mass_location = body->inertia_location = *fnd_node_shown_location(node);
    if (from_shapes && !fnd_read_bool(reader, from_shapes, "from_shapes", &derived)) return;
    if (derived) {
        read_from_shapes(reader, node, from_shapes, body, shapes_failed);
        return;
    }
    const fnd_node *density = fnd_node_find(node, "density");
    if (density)
        fnd_complain(reader, &density->key_location, FENDER_STATUS_ARGUMENT, "'density' needs 'from_shapes: true'",
                     "density alone", "from_shapes: true with density, or mass and inertia",
                     "add 'from_shapes: true', or give the mass");
    fnd_node *mass_node = density ? NULL : fnd_require(reader, node, "mass", "mass_properties", "100 kg");
    fnd_node *center = fnd_node_find(node, "center_of_mass");
    const fnd_node *given = fnd_node_find(node, "inertia_given");
    const bool none = given && given->kind == FND_NODE_TEXT && strcmp(given->text, "none") == 0;
    fnd_node *inertia = density || none
                            ? NULL
                            : fnd_require(reader, node, "inertia", "mass_properties", "[40, 40, 40, kg*m^2]");
    if (mass_node) {
        body->mass_location = *fnd_node_shown_location(mass_node);
        (void)fnd_read_number_from(reader, mass_node, "mass", "kg", 0, true, &mass->mass);
    }
    if (center) (void)fnd_read_vector(reader, center, "center_of_mass", "m", &mass->center_of_mass);
    if (inertia) {
        body->inertia_location = *fnd_node_shown_location(inertia);
        (void)fnd_read_matrix(reader, inertia, "inertia", "kg*m^2", true, &mass->inertia);
    }
    fender_inertia_spec spec;
    fender_quaternion q_BP = fender_quaternion_identity();
    fender_vec3 offset = {0, 0, 0};
    if (read_inertia_given(reader, node, &spec, &q_BP, &offset) && spec != FENDER_INERTIA_BODY)
        mass->inertia = fender_inertia_in_body(spec, mass->mass, &mass->inertia, body->def.body_axes,
                                               mass->center_of_mass, q_BP, offset);
}

/* Velocities at the times of the path. */
static void read_rates(fnd_reader *reader, fnd_node *node, fender_path *path)
{
    const double *times = NULL;
    const fender_vec3 *velocities = NULL;
    int count = 0;
    if (!fnd_read_table(reader, node, "rates", "m/s", &times, &velocities, &count, NULL) || !path->times) return;
    bool same = count == path->count;
    for (int i = 0; same && i < count; i++) same = times[i] == path->times[i];
    if (same) path->velocities = velocities;
    else
        fnd_complain(reader, &node->key_location, FENDER_STATUS_VALUE, "'rates' has other times than the table", "",
                     "a row for each row of the table, at its time", "");
}

static void read_sine(fnd_reader *reader, fnd_node *node, fender_sine *sine)
{
    static const char *const keys[] = {"amplitude", "frequency", "phase", "axis", "angle", "angle_phase", NULL};
    if (!fnd_expect_map(reader, node, "sine") || !fnd_check_keys(reader, node, "a sine", keys)) return;
    fnd_node *amplitude = fnd_node_find(node, "amplitude"), *axis = fnd_node_find(node, "axis");
    fnd_node *phase = fnd_node_find(node, "phase"), *angle = fnd_node_find(node, "angle");
    fnd_node *angle_phase = fnd_node_find(node, "angle_phase");
    fnd_node *frequency = fnd_require(reader, node, "frequency", "the sine", "0.5 Hz");
    if (frequency) (void)fnd_read_number_from(reader, frequency, "frequency", "Hz", 0, true, &sine->frequency);
    if (amplitude) (void)fnd_read_vector(reader, amplitude, "amplitude", "m", &sine->amplitude);
    if (phase) (void)fnd_read_number(reader, phase, "phase", "rad", &sine->phase);
    if (angle_phase) (void)fnd_read_number(reader, angle_phase, "angle_phase", "rad", &sine->angle_phase);
    if (angle) (void)fnd_read_number(reader, angle, "angle", "rad", &sine->angle);
    if (axis) (void)fnd_read_vector(reader, axis, "axis", "1", &sine->axis);
    if (angle && !axis) (void)fnd_require(reader, node, "axis", "the sine", "[0, 0, 1]");
    if (!amplitude && !angle)
        fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT, "the sine moves nothing", "neither",
                     "'amplitude', or 'axis' and 'angle'", "add 'amplitude: [0, 0, 1, cm]'");
}

static void read_path(fnd_reader *reader, fnd_node *node, fnd_body_description *body)
{
    static const char *const keys[] = {"table", "between", "rates", NULL}, *const of_sine[] = {"sine", NULL};
    static const char *const betweens[] = {"linear", "cubic", NULL};
    if (body->def.motion != FENDER_MOTION_PRESCRIBED) {
        fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT, "'path' needs 'motion: prescribed'",
                     fender_motion_name(body->def.motion), "prescribed", "add 'motion: prescribed' to the body");
        return;
    }
    if (!fnd_expect_map(reader, node, "path")) return;
    fnd_node *sine = fnd_node_find(node, "sine");
    if (!fnd_check_keys(reader, node, "path", sine ? of_sine : keys)) return;
    if (sine) {
        read_sine(reader, sine, &body->def.sine);
        return;
    }
    fnd_node *table = fnd_require(reader, node, "table", "the path", "{columns: [s, m, m, m], rows: [..]}");
    fnd_node *between = fnd_node_find(node, "between"), *rates = fnd_node_find(node, "rates");
    fender_path *path = &body->def.path;
    int choice = 0;
    if (table) (void)fnd_read_table(reader, table, "path", "m", &path->times, &path->positions, &path->count, NULL);
    if (between && fnd_read_choice(reader, between, "between", betweens, &choice))
        path->between = choice == 0 ? FENDER_PATH_LINEAR : FENDER_PATH_CUBIC;
    if (rates && path->between != FENDER_PATH_CUBIC)
        fnd_complain(reader, &rates->key_location, FENDER_STATUS_ARGUMENT, "'rates' needs 'between: cubic'", "linear",
                     "cubic", "add 'between: cubic'");
    else if (rates) read_rates(reader, rates, path);
}

static void read_body(fnd_reader *reader, fnd_node *node, fnd_body_description *body, bool *shapes_failed,
                      bool *points_failed)
{
    static const char *const motions[] = {"dynamic", "fixed", "prescribed", "mass_only", NULL};
    static const fender_motion values[] = {FENDER_MOTION_DYNAMIC, FENDER_MOTION_FIXED, FENDER_MOTION_PRESCRIBED,
                                           FENDER_MOTION_MASS_ONLY};
    int index = 0;
    if (node->unknown || !fnd_expect_map(reader, node, node->key)) {
        *shapes_failed = *points_failed = true;
        return;
    }
    (void)fnd_check_keys(reader, node, "a body", body_keys);
    fnd_node *motion = fnd_node_find(node, "motion"), *shapes = fnd_node_find(node, "shapes");
    fnd_node *mass = fnd_node_find(node, "mass_properties"), *path = fnd_node_find(node, "path");
    fnd_node *points = fnd_node_find(node, "points");
    bool known = !motion || fnd_read_choice(reader, motion, "motion", motions, &index);
    body->def.motion = values[index];
    if (shapes) fnd_read_shapes(reader, shapes, body, shapes_failed);
    if (mass) read_mass_properties(reader, mass, body, *shapes_failed);
    else if (known && (body->def.motion == FENDER_MOTION_DYNAMIC || body->def.motion == FENDER_MOTION_MASS_ONLY))
        (void)fnd_require(reader, node, "mass_properties", fnd_phrase_make("body '%s'", fnd_shown(node->key).text).text,
                          "{mass: 100 kg, inertia: [40, 40, 40, kg*m^2]}");
    if (points) fnd_read_points(reader, points, body, points_failed);
    if (path && known) read_path(reader, path, body);
}

/* A world without bodies has nothing to simulate: an empty section is a slip, most likely of indentation or --set. */
static bool is_empty(fnd_reader *reader, const fnd_node *section)
{
    bool empty = section->kind == FND_NODE_TEXT ? !section->text[0] : section->count == 0;
    if (empty)
        fnd_complain(reader, fnd_node_shown_location(section), FENDER_STATUS_PARSE, "'bodies' is empty",
                     fnd_node_kind_text(section), "a map with at least one body",
                     "write 'NAME: {mass_properties: {..}, shapes: {..}}' lines below");
    return empty;
}

void fnd_read_bodies(fnd_reader *reader, fnd_node *section)
{
    if (!section || is_empty(reader, section) || !fnd_expect_map(reader, section, "bodies")) return;
    fender_scenario *scenario = reader->scenario;
    scenario->bodies = fnd_keep(reader, (size_t)section->count, sizeof *scenario->bodies);
    reader->shapes_failed = fnd_keep(reader, (size_t)section->count, sizeof *reader->shapes_failed);
    reader->points_failed = fnd_keep(reader, (size_t)section->count, sizeof *reader->points_failed);
    if (!scenario->bodies || !reader->shapes_failed || !reader->points_failed) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_body_description *body = &scenario->bodies[scenario->body_count];
        body->def = fender_body_def_default();
        body->def.name = node->key;
        body->id = fnd_read_name(reader, node, "a body");
        const int i = scenario->body_count;
        read_body(reader, node, body, &reader->shapes_failed[i], &reader->points_failed[i]);
        scenario->body_count++;
    }
    fnd_read_attachments(reader, section);
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

static void complain_body(fnd_reader *reader, const fnd_location *location, const char *name)
{
    fnd_complain_unknown(reader, location, "body", "bodies", name, fnd_node_find(reader->root, "bodies"));
}

int fnd_find_body(fnd_reader *reader, const fnd_node *node, const char *name)
{
    int index = body_index(reader, name, strlen(name));
    if (index < 0) complain_body(reader, &node->location, name);
    return index;
}

/* A body has no such shape or point. `found`: as the file names it. */
static void complain_part(fnd_reader *reader, const fnd_location *location, const char *name, const char *found,
                          const fnd_body_description *body, bool is_point)
{
    const int count = is_point ? body->point_count : body->shape_count;
    const char *kind = is_point ? "point" : "shape";
    fnd_known_name *candidates = fnd_keep(reader, (size_t)count, sizeof *candidates);
    if (!candidates) return;
    for (int i = 0; i < count; i++) {
        const fnd_named *id = is_point ? &body->points[i].id : &body->shapes[i].id;
        candidates[i] = (fnd_known_name){id->name, id->location.line};
    }
    fnd_complain(reader, location, FENDER_STATUS_NAME,
                 fnd_phrase_make("body '%s' has no %s '%s'", body->id.name, kind, fnd_shown(name).text).text,
                 fnd_shown(found).text, fnd_phrase_make("the name of a %s", kind).text,
                 fnd_suggest(reader, name, is_point ? "points" : "shapes", candidates, count).text);
}

void fnd_complain_shape(fnd_reader *reader, const fnd_location *location, const char *name, const char *found, int body)
{
    complain_part(reader, location, name, found, &reader->scenario->bodies[body], false);
}

int fnd_find_point_of(fnd_reader *reader, const fnd_node *node, const char *name, int body)
{
    const fnd_body_description *description = &reader->scenario->bodies[body];
    for (int i = 0; i < description->point_count; i++)
        if (strcmp(description->points[i].id.name, name) == 0) return i;
    if (!reader->points_failed[body]) complain_part(reader, &node->location, name, node->text, description, true);
    return -1;
}

bool fnd_find_point(fnd_reader *reader, const fnd_node *node, bool needed, int *body, int *point)
{
    const char *name = NULL;
    *body = *point = -1;
    if (!fnd_read_text(reader, node, node->key ? node->key : "point", &name)) return false;
    size_t length = strcspn(name, ".");
    *body = body_index(reader, name, length);
    if (*body < 0) {
        char *part = fnd_keep_text(reader, name, length);
        if (part) complain_body(reader, &node->location, part);
        return false;
    }
    if (name[length]) return (*point = fnd_find_point_of(reader, node, name + length + 1, *body)) >= 0;
    if (!needed) return true;
    fnd_complain(reader, &node->location, FENDER_STATUS_NAME,
                 fnd_phrase_make("'%s' names a body, not a point", fnd_shown(name).text).text, fnd_shown(name).text,
                 "body.point", fnd_phrase_make("write %s.POINT", fnd_shown(name).text).text);
    return false;
}

/* Body and, with a point in the text, shape; -1 for what is not there. False after a diagnostic. */
static bool find_thing(fnd_reader *reader, const fnd_node *node, int *body, int *shape)
{
    const char *name = NULL;
    *body = *shape = -1;
    if (!fnd_read_text(reader, node, node->key ? node->key : "name", &name)) return false;
    size_t length = strcspn(name, ".");
    *body = body_index(reader, name, length);
    if (*body < 0) {
        char *part = fnd_keep_text(reader, name, length);
        if (part) complain_body(reader, &node->location, part);
        return false;
    }
    if (!name[length]) return true;
    const fnd_body_description *description = &reader->scenario->bodies[*body];
    for (int i = 0; i < description->shape_count; i++)
        if (strcmp(description->shapes[i].id.name, name + length + 1) == 0) return *shape = i, true;
    if (!reader->shapes_failed[*body])
        fnd_complain_shape(reader, &node->location, name + length + 1, node->text, *body);
    return false;
}

bool fnd_find_shape(fnd_reader *reader, const fnd_node *node, int *body, int *shape)
{
    if (!find_thing(reader, node, body, shape)) return false;
    if (*shape >= 0) return true;
    fnd_phrase found = fnd_shown(node->text);
    fnd_complain(reader, &node->location, FENDER_STATUS_NAME,
                 fnd_phrase_make("'%s' names a body, not a shape", found.text).text, found.text, "body.shape",
                 fnd_phrase_make("write %s.SHAPE, or a rule for bodies", found.text).text);
    return false;
}

bool fnd_check_thing(fnd_reader *reader, const fnd_node *node)
{
    int body = -1, shape = -1;
    return find_thing(reader, node, &body, &shape);
}
