/* Shapes of a body: geometry, pose, material, patterns. */
#include <string.h>

#include "scenario/shape.h"

#define PATTERN_LIMIT 10000

static const struct {
    const char *name;
    fnd_read_geometry *read;
} geometries[] = {
    {"sphere", fnd_read_sphere},
    {"capsule", fnd_read_capsule},
    {"point", fnd_read_point},
    {"cloud", fnd_read_cloud},
    {"disk", fnd_read_disk},
    {"plane", fnd_read_plane},
    {"box", fnd_read_box},
    {"cylinder", fnd_read_cylinder},
    {"cone", fnd_read_cone},
    {"ellipsoid", fnd_read_ellipsoid},
    {"hull", fnd_read_hull},
    {"grid", fnd_read_grid},
    {"mesh", fnd_read_mesh},
    {"probe", fnd_read_probe},
    {"planet_ground", fnd_read_planet_ground},
    {"geometry", fnd_read_named_geometry},
};
enum { geometry_count = sizeof geometries / sizeof geometries[0] };
static const fnd_key shape_keys[] = {{"sphere", false},        {"capsule", false},     {"material", false},
                                     {"position", false},      {"orientation", false}, {"active", false},
                                     {"pattern", false},       {"point", false},       {"cloud", false},
                                     {"probe", false},         {"disk", false},        {"plane", false},
                                     {"box", false},           {"cylinder", false},    {"cone", false},
                                     {"ellipsoid", false},     {"hull", false},        {"grid", false},
                                     {"mesh", false},          {"user", true},         {"rounding", false},
                                     {"planet_ground", false}, {"geometry", false},    {"surface_velocity", false},
                                     {"surface_spin", false},  {NULL, false}};

/* Of those that have edges, or are round themselves. */
static bool read_rounding(fnd_reader *reader, const fnd_node *node, fnd_shape_description *shape)
{
    if (!fnd_read_number_from(reader, node, "rounding", "m", 0, false, &shape->rounding)) return false;
    if (shape->geometry != FENDER_GEOMETRY_CLOUD && shape->geometry != FENDER_GEOMETRY_PLANE &&
        shape->geometry != FENDER_GEOMETRY_GRID && shape->geometry != FENDER_GEOMETRY_MESH &&
        shape->geometry != FENDER_GEOMETRY_PROBE && shape->geometry != FENDER_GEOMETRY_USER)
        return true;
    const char *type = shape->geometry == FENDER_GEOMETRY_USER ? "planet_ground"
                                                               : fender_geometry_type_name(shape->geometry);
    fnd_complain(reader, &node->key_place, FENDER_STATUS_ARGUMENT, fnd_phrase_make("a %s cannot be rounded", type).text,
                 type, "a point, sphere, capsule, disk, box, cylinder, cone, ellipsoid or hull", "remove 'rounding'");
    return false;
}

/* The shape without its pattern. */
static bool read_shape(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape)
{
    if (!fnd_expect_map(reader, node, node->key)) return false;
    bool known = fnd_check_keys(reader, node, "a shape", shape_keys), good = known, placed = false;
    fnd_node *geometry = NULL;
    fnd_read_geometry *read = NULL;
    for (int i = 0; i < geometry_count; i++) {
        fnd_node *given = fnd_node_find(node, geometries[i].name);
        if (given && geometry) {
            fnd_complain(reader, &given->key_place, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("shape '%s' has two geometries, %s and %s", fnd_shown(node->key).text,
                                         geometry->key, given->key)
                             .text,
                         given->key, "exactly one geometry", "make two shapes of it");
            return false;
        }
        if (given) {
            geometry = given;
            read = geometries[i].read;
        }
    }
    if (!geometry) {
        if (known)
            fnd_complain(reader, &node->key_place, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("shape '%s' has no geometry", fnd_shown(node->key).text).text, "nothing",
                         "one of: sphere, capsule, box, ...", "add 'sphere: {radius: 1 m}'");
        return false;
    }
    bool described = read(reader, geometry, shape, &placed);
    good = described && good;
    const fnd_node *rounding = fnd_node_find(node, "rounding");
    if (rounding) good = read_rounding(reader, rounding, shape) && good;
    fnd_node *material = fnd_node_find(node, "material"), *active = fnd_node_find(node, "active");
    fnd_node *position = fnd_node_find(node, "position"), *orientation = fnd_node_find(node, "orientation");
    const char *name = NULL;
    if (material && fnd_read_text(reader, material, "material", &name))
        shape->material = fnd_find_material(reader, material, name);
    if (active) good = fnd_read_bool(reader, active, "active", &shape->active) && good;
    const fnd_node *running = fnd_node_find(node, "surface_velocity"), *spinning = fnd_node_find(node, "surface_spin");
    if (running) good = fnd_read_vector(reader, running, "surface_velocity", "m/s", &shape->surface_velocity) && good;
    if (spinning) good = fnd_read_vector(reader, spinning, "surface_spin", "rad/s", &shape->surface_spin) && good;
    if (placed && (position || orientation)) {
        const fnd_node *second = position ? position : orientation;
        if (shape->geometry == FENDER_GEOMETRY_PROBE) {
            fnd_complain(
                reader, &second->key_place, FENDER_STATUS_ARGUMENT,
                fnd_phrase_make("'%s' stands beside 'point' and 'direction', which place the probe", second->key).text,
                second->key, "point and direction, in structure axes", "remove it");
            return false;
        }
        fnd_complain(
            reader, &second->key_place, FENDER_STATUS_ARGUMENT,
            fnd_phrase_make("'%s' stands beside 'from' and 'to', which place the %s", second->key, geometry->key).text,
            second->key, "either from and to, or length with position and orientation", "remove it");
        return false;
    }
    if (position) good = fnd_read_vector(reader, position, "position", "m", &shape->X_SG.p) && good;
    if (orientation) good = fnd_read_orientation(reader, orientation, "orientation", &shape->X_SG.q) && good;
    if (shape->data && shape->data->file.name && good)
        shape->X_SG = fender_pose_product(shape->X_SG, shape->data->X_FG);
    return good;
}

bool fnd_read_pattern(fnd_reader *reader, fnd_node *node, fnd_pattern *p)
{
    static const fnd_key keys[] = {{"count", false}, {"about", false}, {"through", false}, {NULL, false}};
    if (!fnd_expect_map(reader, node, "pattern")) return false;
    bool good = fnd_check_keys(reader, node, "a pattern", keys);
    fnd_node *count = fnd_require(reader, node, "count", "the pattern", "4");
    fnd_node *about = fnd_require(reader, node, "about", "the pattern", "[0, 0, 1]");
    fnd_node *through = fnd_node_find(node, "through");
    p->through = fender_vec3_make(0, 0, 0);
    good = count && fnd_read_integer(reader, count, "count", 1, PATTERN_LIMIT, &p->count) && good;
    good = about && fnd_read_vector(reader, about, "about", "1", &p->axis) && good;
    if (through) good = fnd_read_vector(reader, through, "through", "m", &p->through) && good;
    if (!good) return false;
    double length = fender_vec3_length(p->axis);
    if (!(length > 0)) {
        fnd_complain(reader, &about->place, FENDER_STATUS_VALUE, "'about' has no direction", "[0, 0, 0]",
                     "a vector that is not zero", "write [0, 0, 1] for z");
        return false;
    }
    p->axis = fender_vec3_scale(1 / length, p->axis);
    return true;
}

fender_pose fnd_pattern_pose(const fnd_pattern *p, fender_pose X_SG, int k)
{
    if (k == 0) return X_SG;
    fender_mat3 r = fnd_matrix_of_turn(p->axis, k, p->count);
    fender_vec3 arm = fender_vec3_sub(X_SG.p, p->through);
    fender_pose pose = {fender_vec3_add(p->through, fender_mat3_times(&r, arm)),
                        fender_quaternion_product(fnd_quaternion_of_turn(p->axis, k, p->count), X_SG.q)};
    return pose;
}

const char *fnd_pattern_name(fnd_reader *reader, const char *name, int k)
{
    fnd_phrase numbered = fnd_phrase_make("%s_%d", name, k + 1);
    return fnd_keep_text(reader, numbered.text, strlen(numbered.text));
}

static bool add_shape(fnd_reader *reader, fnd_body_description *body, const fnd_shape_description *shape)
{
    for (int i = 0; i < body->shape_count; i++) {
        if (strcmp(body->shapes[i].id.name, shape->id.name) != 0) continue;
        fnd_complain(reader, &shape->id.place, FENDER_STATUS_NAME,
                     fnd_phrase_make("shape '%s' of the pattern has a name that is taken", shape->id.name).text,
                     shape->id.name, "a free name",
                     fnd_phrase_make("the other is in line %d; rename one", body->shapes[i].id.place.line).text);
        return false;
    }
    body->shapes[body->shape_count++] = *shape;
    return true;
}

static bool add_copies(fnd_reader *reader, fnd_body_description *body, const fnd_shape_description *shape,
                       const fnd_pattern *p)
{
    if (p->count == 0) return add_shape(reader, body, shape);
    for (int k = 0; k < p->count; k++) {
        fnd_shape_description copy = *shape;
        copy.id.name = fnd_pattern_name(reader, shape->id.name, k);
        if (!copy.id.name) return false;
        copy.X_SG = fnd_pattern_pose(p, shape->X_SG, k);
        if (!add_shape(reader, body, &copy)) return false;
    }
    return true;
}

/* Room for `more` shapes: the arena keeps the old array until the scenario goes. */
static bool reserve(fnd_reader *reader, fnd_body_description *body, int *capacity, int more)
{
    if (body->shape_count + more <= *capacity) return true;
    int larger = *capacity + more + *capacity / 2;
    fnd_shape_description *shapes = fnd_keep(reader, (size_t)larger, sizeof *shapes);
    if (!shapes) return false;
    if (body->shape_count > 0) memcpy(shapes, body->shapes, (size_t)body->shape_count * sizeof *shapes);
    body->shapes = shapes;
    *capacity = larger;
    return true;
}

void fnd_read_shapes(fnd_reader *reader, fnd_node *shapes, fnd_body_description *body, bool *failed)
{
    int capacity = 0;
    if (!fnd_expect_map(reader, shapes, "shapes")) {
        *failed = true;
        return;
    }
    if (!reserve(reader, body, &capacity, shapes->count)) return;
    for (fnd_node *node = shapes->first; node; node = node->next) {
        fnd_shape_description shape = {
            .id = {node->key, node->key_place}, .X_SG = fender_pose_identity(), .material = -1, .active = true};
        fnd_pattern p = {0};
        bool good = fnd_check_name(reader, node->key, &node->key_place, "a shape");
        good = read_shape(reader, node, &shape) && good;
        fnd_node *pattern_node = fnd_node_find(node, "pattern"); /* NULL for what is no map */
        if (pattern_node) good = fnd_read_pattern(reader, pattern_node, &p) && good;
        if (!good || !reserve(reader, body, &capacity, p.count > 0 ? p.count : 1) ||
            !add_copies(reader, body, &shape, &p))
            *failed = true;
    }
}
