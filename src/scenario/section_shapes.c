/* Shapes of a body, and geometries by name: those that a few lengths describe, probes, poses, patterns. */
#include "scenario/geometry_cache.h"
#include "scenario/mesh_import.h"
#include "scenario/parameters.h"
#include "scenario/scenario.h"
#include "scenario/shape.h"
#include "support/io_error.h"
#include <string.h>

/* ---- Lengths ---- */

static bool read_length(fnd_reader *reader, const fnd_node *map, const char *key, const char *what, double *length)
{
    const fnd_node *node = fnd_require(reader, map, key, what, "100 mm");
    return node && fnd_read_number_from(reader, node, key, "m", 0, false, length);
}

static bool read_sphere(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const char *const keys[] = {"radius", NULL};
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_SPHERE;
    if (!fnd_expect_map(reader, node, "sphere")) return false;
    bool good = fnd_check_keys(reader, node, "a sphere", keys);
    fnd_node *radius = fnd_require(reader, node, "radius", "the sphere", "1 m");
    return radius && fnd_read_number_from(reader, radius, "radius", "m", 0, false, &shape->radius) && good;
}

static bool read_disk(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const char *const keys[] = {"radius", NULL};
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_DISK;
    if (!fnd_expect_map(reader, node, "disk")) return false;
    bool good = fnd_check_keys(reader, node, "a disk", keys);
    return read_length(reader, node, "radius", "the disk", &shape->radius) && good;
}

/* Functions of our own. */
static bool read_planet_ground(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const char *const keys[] = {"radius", NULL};
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_USER;
    if (!fnd_expect_map(reader, node, "planet_ground")) return false;
    bool good = fnd_check_keys(reader, node, "the ground of a planet", keys);
    const fnd_node *radius = fnd_require(reader, node, "radius", "the ground of a planet", "6378.137 km");
    return radius && fnd_read_number_from(reader, radius, "radius", "m", 0, true, &shape->radius) && good;
}

/* Of a plug-in: `user: {kind: NAME, ..}` with the parameters of its table. */
static bool read_user(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const char *const keys[] = {"kind", NULL};
    const fender_registry *registry = reader->scenario->registry;
    const char *name = NULL;
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_USER;
    if (!fnd_expect_map(reader, node, "user")) return false;
    const fnd_node *kind = fnd_require(reader, node, "kind", "the geometry of a plug-in", "shell");
    if (!kind || !fnd_read_text(reader, kind, "kind", &name)) return false;
    shape->kind = fender_geometry_kind_find(registry, name);
    if (!shape->kind) {
        fnd_phrase names = {""}, found = fnd_shown(name);
        fnd_nearest search = fnd_nearest_begin(name, strlen(name));
        for (int i = 0; fender_geometry_kind_at(registry, i); i++) {
            const char *other = fender_geometry_kind_at(registry, i)->name;
            (void)fnd_nearest_offer(&search, other);
            names = fnd_phrase_make("%s%s%s", names.text, i > 0 ? ", " : "", other);
        }
        fnd_complain(reader, &kind->location, FENDER_STATUS_NAME,
                     fnd_phrase_make("no plug-in has a geometry '%s'", found.text).text, found.text,
                     names.text[0] ? names.text : "a geometry of a plug-in",
                     search.best     ? fnd_phrase_make("did you mean '%s'?", search.best).text
                     : names.text[0] ? "write one of them"
                                     : "name the plug-in that has it: plugins: [FILE.so]");
        return false;
    }
    const fnd_parameter_set set = {shape->kind->name, NULL, &shape->kind->parameters, keys, NULL, shape->kind->check};
    int before = fnd_diagnostics_error_count(reader->diagnostics);
    shape->kind_parameters = fnd_read_parameters(reader, node, &set);
    return shape->kind_parameters && fnd_diagnostics_error_count(reader->diagnostics) == before;
}

/* ---- capsule, cylinder, cone: a length along z, or two ends in structure axes */

static bool read_ends(fnd_reader *reader, const fnd_node *from, const fnd_node *to, fnd_shape_description *shape)
{
    fender_vec3 a, b;
    bool good = fnd_read_vector(reader, from, "from", "m", &a);
    if (!fnd_read_vector(reader, to, "to", "m", &b) || !good) return false;
    fender_vec3 along = fender_vec3_sub(b, a);
    double length = fender_vec3_length(along);
    shape->half_length = 0.5 * length;
    shape->X_SG.p = fender_vec3_scale(0.5, fender_vec3_add(a, b));
    if (length > 0) shape->X_SG.q = fnd_quaternion_to_axis(fender_vec3_scale(1 / length, along));
    return true;
}

/* How one of them is written: "capsule", "length", "length, half_length, from with to". */
typedef struct axial {
    const char *name, *length, *forms, *example;
    const char *const *keys;
} axial;

static bool complain_forms(fnd_reader *reader, const fnd_node *node, const axial *a, const char *message,
                           const char *found)
{
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT,
                 fnd_phrase_make(message, a->name, a->length).text, found, a->forms, a->example);
    return false;
}

static bool read_axial(fnd_reader *reader, fnd_node *node, const axial *a, fnd_shape_description *shape, bool *posed)
{
    if (!fnd_expect_map(reader, node, a->name)) return false;
    bool good = fnd_check_keys(reader, node, fnd_phrase_make("a %s", a->name).text, a->keys);
    fnd_phrase what = fnd_phrase_make("the %s", a->name);
    fnd_node *radius = fnd_require(reader, node, "radius", what.text, "10 mm");
    good = radius && fnd_read_number_from(reader, radius, "radius", "m", 0, false, &shape->radius) && good;
    fnd_node *length = fnd_node_find(node, a->length), *half = fnd_node_find(node, "half_length");
    fnd_node *from = fnd_node_find(node, "from"), *to = fnd_node_find(node, "to");
    int forms = (length ? 1 : 0) + (half ? 1 : 0) + (from || to ? 1 : 0);
    if (forms > 1) return complain_forms(reader, node, a, "the %s's %s is defined twice", "two of them");
    if (forms == 0) return good && complain_forms(reader, node, a, "the %s has no %s", "nothing");
    if (length) {
        good = fnd_read_number_from(reader, length, a->length, "m", 0, false, &shape->half_length) && good;
        shape->half_length *= 0.5;
    } else if (half)
        good = fnd_read_number_from(reader, half, "half_length", "m", 0, false, &shape->half_length) && good;
    else {
        *posed = true;
        if (!from || !to) {
            (void)fnd_require(reader, node, from ? "to" : "from", what.text, "[x, y, z, m]");
            return false;
        }
        good = read_ends(reader, from, to, shape) && good;
    }
    return good;
}

static const char *const length_keys[] = {"radius", "length", "half_length", "from", "to", NULL};

static bool read_capsule(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const axial form = {"capsule", "length", "one of: length, half_length, from with to",
                               "write {radius: 10 mm, length: 100 mm}", length_keys};
    shape->geometry = FENDER_GEOMETRY_CAPSULE;
    return read_axial(reader, node, &form, shape, posed);
}

static bool read_cylinder(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const axial form = {"cylinder", "length", "one of: length, half_length, from with to",
                               "write {radius: 10 mm, length: 100 mm}", length_keys};
    shape->geometry = FENDER_GEOMETRY_CYLINDER;
    return read_axial(reader, node, &form, shape, posed);
}

static bool read_cone(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const char *const keys[] = {"radius", "height", "half_length", "from", "to", NULL};
    static const axial form = {"cone", "height", "one of: height, half_length, from (base) with to (apex)",
                               "write {radius: 10 mm, height: 100 mm}", keys};
    shape->geometry = FENDER_GEOMETRY_CONE;
    return read_axial(reader, node, &form, shape, posed);
}

/* ---- box, ellipsoid */

static bool read_sides(fnd_reader *reader, const fnd_node *node, const char *name, double factor, fender_vec3 *half)
{
    fender_vec3 v;
    if (!fnd_read_vector(reader, node, name, "m", &v)) return false;
    if (v.x >= 0 && v.y >= 0 && v.z >= 0) {
        *half = fender_vec3_scale(factor, v);
        return true;
    }
    double least = v.x < v.y ? v.x : v.y;
    if (v.z < least) least = v.z;
    fnd_phrase found = fnd_digits(least, "m");
    fnd_complain(reader, &node->location, FENDER_STATUS_VALUE,
                 fnd_phrase_make("'%s' must be 0 or more along every axis, not %s", name, found.text).text, found.text,
                 "0 or more", "is the sign right?");
    return false;
}

static bool read_box(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const char *const keys[] = {"size", "half_extents", NULL};
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_BOX;
    if (!fnd_expect_map(reader, node, "box")) return false;
    bool good = fnd_check_keys(reader, node, "a box", keys);
    const fnd_node *size = fnd_node_find(node, "size"), *half = fnd_node_find(node, "half_extents");
    if (size && half) {
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT, "the box's size is defined twice",
                     "two of them", "one of: size, half_extents", "write {size: [x, y, z, m]}");
        return false;
    }
    if (half) return read_sides(reader, half, "half_extents", 1, &shape->half) && good;
    if (!size) size = fnd_require(reader, node, "size", "the box", "[1, 2, 3, m]");
    return size && read_sides(reader, size, "size", 0.5, &shape->half) && good;
}

static bool read_ellipsoid(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const char *const keys[] = {"radii", NULL};
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_ELLIPSOID;
    if (!fnd_expect_map(reader, node, "ellipsoid")) return false;
    bool good = fnd_check_keys(reader, node, "an ellipsoid", keys);
    const fnd_node *radii = fnd_require(reader, node, "radii", "the ellipsoid", "[1, 2, 3, m]");
    return radii && read_sides(reader, radii, "radii", 1, &shape->half) && good;
}

/* ---- point, plane: nothing to say */

static bool read_empty(fnd_reader *reader, fnd_node *node, const char *what)
{
    static const char *const keys[] = {NULL};
    if (node->kind == FND_NODE_TEXT && !node->text[0]) return true; /* `plane:` alone */
    return fnd_expect_map(reader, node, node->key) && fnd_check_keys(reader, node, what, keys);
}

static bool read_point(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_POINT;
    return read_empty(reader, node, "a point");
}

/* `{}` */
static bool read_plane(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_PLANE;
    return read_empty(reader, node, "a plane");
}

/* ---- Probes ---- */

static bool read_probe(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const char *const keys[] = {"point", "direction", "range", "cushion", "form", NULL};
    static const char *const forms[] = {"conservative", "morpheus_literal", NULL};
    shape->geometry = FENDER_GEOMETRY_PROBE;
    *posed = true;
    if (!fnd_expect_map(reader, node, "probe")) return false;
    bool good = fnd_check_keys(reader, node, "a probe", keys);
    const fnd_node *point = fnd_require(reader, node, "point", "the probe", "[1.8, 1.8, -1.3, m]");
    const fnd_node *direction = fnd_require(reader, node, "direction", "the probe", "[0, 0, -1]");
    const fnd_node *range = fnd_require(reader, node, "range", "the probe", "0.8 m");
    const fnd_node *cushion = fnd_node_find(node, "cushion"), *form = fnd_node_find(node, "form");
    fender_vec3 along;
    int index = 0;
    good = point && fnd_read_vector(reader, point, "point", "m", &shape->X_SG.p) && good;
    good = range && fnd_read_number_from(reader, range, "range", "m", 0, true, &shape->range) && good;
    if (cushion) good = fnd_read_number_from(reader, cushion, "cushion", "m", 0, false, &shape->cushion) && good;
    if (form) good = fnd_read_choice(reader, form, "form", forms, &index) && good;
    shape->literal = index == 1;
    if (!direction || !fnd_read_vector(reader, direction, "direction", "1", &along)) return false;
    double length = fender_vec3_length(along);
    if (!(length > 0)) {
        fnd_complain(reader, &direction->location, FENDER_STATUS_VALUE, "'direction' is zero", "[0, 0, 0]",
                     "a vector that is not zero", "write [0, 0, -1] for down");
        return false;
    }
    shape->X_SG.q = fnd_quaternion_to_axis(fender_vec3_scale(1 / length, along));
    return good;
}

/* ---- To a geometry ---- */

static fender_geometry *without_rounding(const fender_env *env, const fnd_shape_description *s, fender_error *error)
{
    const fnd_shape_data *d = s->data;
    switch (s->geometry) {
    case FENDER_GEOMETRY_SPHERE: return fender_geometry_sphere(env, s->radius, error);
    case FENDER_GEOMETRY_CAPSULE: return fender_geometry_capsule(env, s->radius, s->half_length, error);
    case FENDER_GEOMETRY_POINT: return fender_geometry_point(env, error);
    case FENDER_GEOMETRY_CLOUD: return fender_geometry_cloud(env, d->points, d->point_count, error);
    case FENDER_GEOMETRY_DISK: return fender_geometry_disk(env, s->radius, error);
    case FENDER_GEOMETRY_PLANE: return fender_geometry_plane(env, error);
    case FENDER_GEOMETRY_BOX: return fender_geometry_box(env, s->half, error);
    case FENDER_GEOMETRY_CYLINDER: return fender_geometry_cylinder(env, s->radius, s->half_length, error);
    case FENDER_GEOMETRY_CONE: return fender_geometry_cone(env, s->radius, s->half_length, error);
    case FENDER_GEOMETRY_ELLIPSOID: return fender_geometry_ellipsoid(env, s->half, error);
    case FENDER_GEOMETRY_HULL: return fender_geometry_hull(env, d->points, d->point_count, error);
    case FENDER_GEOMETRY_GRID:
        return d->grid_x ? fender_geometry_uneven_grid(env, &d->grid, d->grid_x, d->grid_y, error)
                         : fender_geometry_grid(env, &d->grid, error);
    case FENDER_GEOMETRY_MESH: {
        fender_mesh_def def = {d->points, d->point_count, d->triangles[0], d->triangle_count};
        return fender_geometry_mesh(env, &def, error);
    }
    case FENDER_GEOMETRY_PROBE:
        return s->literal ? fender_geometry_probe_literal(env, s->range, s->cushion, error)
                          : fender_geometry_probe(env, s->range, s->cushion, error);
    case FENDER_GEOMETRY_USER:
        return s->kind ? fender_geometry_user(env, s->kind->type, s->kind_parameters, s->kind->parameters.size, error)
                       : fender_geometry_planet_ground(env, s->radius, error);
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    if (error) error->status = FENDER_STATUS_ARGUMENT;
    return NULL;
}

fender_geometry *fnd_shape_geometry(const fender_env *env, const fnd_shape_description *shape, fender_error *error)
{
    fnd_cached_geometry *cached = shape->data ? shape->data->cached : NULL;
    fender_geometry *geometry = cached && shape->geometry == fnd_cached_geometry_type(cached)
                                    ? fnd_cached_geometry_make(cached, env, shape, without_rounding, error)
                                    : without_rounding(env, shape, error);
    if (!geometry || !(shape->rounding > 0)) return geometry;
    fender_geometry *rounded = fender_geometry_rounded(geometry, shape->rounding, error);
    fender_geometry_release(geometry);
    return rounded;
}

/* ---- Shapes ---- */

#define PATTERN_LIMIT 10000

static const struct {
    const char *name;
    fnd_read_geometry *read;
    bool many_numbers; /* read once by scenarios that share a cache */
} geometries[] = {
    {"sphere", read_sphere, false},
    {"capsule", read_capsule, false},
    {"point", read_point, false},
    {"cloud", fnd_read_cloud, true},
    {"disk", read_disk, false},
    {"plane", read_plane, false},
    {"box", read_box, false},
    {"cylinder", read_cylinder, false},
    {"cone", read_cone, false},
    {"ellipsoid", read_ellipsoid, false},
    {"hull", fnd_read_hull, true},
    {"grid", fnd_read_grid, true},
    {"mesh", fnd_read_mesh, true},
    {"extruded", fnd_read_extruded, true},
    {"revolved", fnd_read_revolved, true},
    {"tube", fnd_read_tube, true},
    {"hollow_sphere", fnd_read_hollow_sphere, true},
    {"probe", read_probe, false},
    {"planet_ground", read_planet_ground, false},
    {"user", read_user, false},
    {"geometry", fnd_read_named_geometry, false},
};
enum { geometry_count = sizeof geometries / sizeof geometries[0] };
static const char *const shape_keys[] = {
    "sphere",       "capsule",  "material", "position",      "orientation",   "active",
    "pattern",      "point",    "cloud",    "probe",         "disk",          "plane",
    "box",          "cylinder", "cone",     "ellipsoid",     "hull",          "grid",
    "mesh",         "user",     "rounding", "planet_ground", "geometry",      "surface_velocity",
    "surface_spin", "extruded", "revolved", "tube",          "hollow_sphere", NULL};

/* Of those that have edges, or are round themselves. */
static bool read_rounding(fnd_reader *reader, const fnd_node *node, fnd_shape_description *shape)
{
    if (!fnd_read_number_from(reader, node, "rounding", "m", 0, false, &shape->rounding)) return false;
    if (shape->geometry != FENDER_GEOMETRY_CLOUD && shape->geometry != FENDER_GEOMETRY_PLANE &&
        shape->geometry != FENDER_GEOMETRY_GRID && shape->geometry != FENDER_GEOMETRY_MESH &&
        shape->geometry != FENDER_GEOMETRY_PROBE &&
        (shape->geometry != FENDER_GEOMETRY_USER || (shape->kind && shape->kind->type->support)))
        return true;
    const char *type = shape->kind                               ? shape->kind->name
                       : shape->geometry == FENDER_GEOMETRY_USER ? "planet_ground"
                                                                 : fender_geometry_type_name(shape->geometry);
    fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT,
                 fnd_phrase_make("a %s cannot be rounded", type).text, type,
                 "a point, sphere, capsule, disk, box, cylinder, cone, ellipsoid or hull", "remove 'rounding'");
    return false;
}

typedef struct reading {
    fnd_read_geometry *read;
    bool *posed;
} reading;

static bool read_data(fnd_reader *reader, fnd_node *node, fender_geometry_type *type, fnd_shape_data *data, void *ctx)
{
    const reading *r = ctx;
    fnd_shape_description shape = {0};
    if (!r->read(reader, node, &shape, r->posed)) return false;
    *type = shape.geometry;
    *data = *shape.data;
    return true;
}

/* What many numbers describe is read once by those that share a cache. */
static bool read_cached(fnd_reader *reader, fnd_node *node, int geometry, fnd_shape_description *shape, bool *posed)
{
    fnd_read_geometry *read = geometries[geometry].read;
    if (!reader->cache || !geometries[geometry].many_numbers || node->kind != FND_NODE_MAP)
        return read(reader, node, shape, posed);
    reading r = {read, posed};
    fnd_shape_data *data = fnd_keep(reader, 1, sizeof *data);
    shape->data = data;
    return data && fnd_geometry_cache_read(reader, node, node->key, read_data, &r, &shape->geometry, data);
}

/* The shape without its pattern. */
static bool read_shape(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape)
{
    if (!fnd_expect_map(reader, node, node->key)) return false;
    bool known = fnd_check_keys(reader, node, "a shape", shape_keys), good = known, posed = false;
    fnd_node *geometry = NULL;
    int which = 0;
    for (int i = 0; i < geometry_count; i++) {
        fnd_node *given = fnd_node_find(node, geometries[i].name);
        if (given && geometry) {
            fnd_complain(reader, &given->key_location, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("shape '%s' has two geometries, %s and %s", fnd_shown(node->key).text,
                                         geometry->key, given->key)
                             .text,
                         given->key, "exactly one geometry", "make two shapes of it");
            return false;
        }
        if (given) {
            geometry = given;
            which = i;
        }
    }
    if (!geometry) {
        if (known)
            fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("shape '%s' has no geometry", fnd_shown(node->key).text).text, "nothing",
                         "one of: sphere, capsule, box, ...", "add 'sphere: {radius: 1 m}'");
        return false;
    }
    bool described = read_cached(reader, geometry, which, shape, &posed);
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
    if (posed && (position || orientation)) {
        const fnd_node *second = position ? position : orientation;
        if (shape->geometry == FENDER_GEOMETRY_PROBE) {
            fnd_complain(reader, &second->key_location, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("'%s' cannot be combined with 'point' and 'direction', which place the probe",
                                         second->key)
                             .text,
                         second->key, "point and direction, in structure axes", "remove it");
            return false;
        }
        fnd_complain(reader, &second->key_location, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' cannot be combined with 'from' and 'to', which place the %s", second->key,
                                     geometry->key)
                         .text,
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
    static const char *const keys[] = {"count", "about", "through", NULL};
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
        fnd_complain(reader, &about->location, FENDER_STATUS_VALUE, "'about' is zero", "[0, 0, 0]",
                     "a vector that is not zero", "write [0, 0, 1] for z");
        return false;
    }
    p->axis = fender_vec3_scale(1 / length, p->axis);
    return true;
}

fender_pose fnd_pattern_pose(const fnd_pattern *p, fender_pose X_SG, int k)
{
    if (k == 0) return X_SG;
    fender_mat3 r = fnd_matrix_of_rotation(p->axis, k, p->count);
    fender_vec3 arm = fender_vec3_sub(X_SG.p, p->through);
    fender_pose pose = {fender_vec3_add(p->through, fender_mat3_times(&r, arm)),
                        fender_quaternion_product(fnd_quaternion_of_rotation(p->axis, k, p->count), X_SG.q)};
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
        fnd_complain(reader, &shape->id.location, FENDER_STATUS_NAME,
                     fnd_phrase_make("the name of shape '%s' of the pattern is already used", shape->id.name).text,
                     shape->id.name, "a free name",
                     fnd_phrase_make("the other one is in line %d; rename one", body->shapes[i].id.location.line).text);
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
            .id = {node->key, node->key_location}, .X_SG = fender_pose_identity(), .material = -1, .active = true};
        fnd_pattern p = {0};
        bool good = fnd_check_name(reader, node->key, &node->key_location, "a shape");
        good = read_shape(reader, node, &shape) && good;
        fnd_node *pattern_node = fnd_node_find(node, "pattern"); /* NULL for what is not a map */
        if (pattern_node) good = fnd_read_pattern(reader, pattern_node, &p) && good;
        if (!good || !reserve(reader, body, &capacity, p.count > 0 ? p.count : 1) ||
            !add_copies(reader, body, &shape, &p))
            *failed = true;
    }
}

/* ---- Geometries by name ---- */

static const struct {
    const char *key;
    fender_mesh_format format;
} formats[] = {{"stl", FENDER_MESH_FORMAT_STL},   {"obj", FENDER_MESH_FORMAT_OBJ},   {"ply", FENDER_MESH_FORMAT_PLY},
               {"ac3d", FENDER_MESH_FORMAT_AC3D}, {"esri", FENDER_MESH_FORMAT_ESRI}, {"raw", FENDER_MESH_FORMAT_RAW},
               {"gdal", FENDER_MESH_FORMAT_GDAL}};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

static bool read_field(fnd_reader *reader, fnd_node *node, fender_geometry_type *type, fnd_shape_data *data, void *ctx)
{
    (void)ctx;
    *type = FENDER_GEOMETRY_GRID;
    data->X_FG = fender_pose_identity();
    return fnd_read_hazard_field(reader, fnd_node_find(node, "hazard_field"), &data->grid);
}

/* Terrain that comes from no file: it has a place in shapes alone. */
static void read_generated(fnd_reader *reader, fnd_node *node, fnd_geometry_description *geometry)
{
    static const char *const keys[] = {"hazard_field", NULL};
    if (!fnd_check_keys(reader, node, "a geometry with 'hazard_field'", keys)) return;
    geometry->good = fnd_geometry_cache_read(reader, node, "hazard_field", read_field, NULL, &geometry->type,
                                             &geometry->data);
}

static bool read_import(fnd_reader *reader, fnd_node *node, fender_geometry_type *type, fnd_shape_data *data, void *ctx)
{
    const int format = *(const int *)ctx;
    return fnd_import_read(reader, node, fnd_node_find(node, formats[format].key), formats[format].format,
                           fnd_phrase_make("geometry '%s'", fnd_shown(node->key).text).text, data, type);
}

static void read_geometry(fnd_reader *reader, fnd_node *node, fnd_geometry_description *geometry)
{
    const char *keys[40];
    int count = 0, found = -1;
    for (; count < FORMAT_COUNT; count++) keys[count] = formats[count].key;
    for (const char *const *key = fnd_import_keys; *key; key++) keys[count++] = *key;
    keys[count] = NULL;
    geometry->id = (fnd_named){node->key, node->key_location};
    if (!fnd_check_name(reader, node->key, &node->key_location, "a geometry") ||
        !fnd_expect_map(reader, node, node->key))
        return;
    if (fnd_node_find(node, "hazard_field")) {
        read_generated(reader, node, geometry);
        return;
    }
    if (!fnd_check_keys(reader, node, "a geometry", keys)) return;
    for (int i = 0; i < FORMAT_COUNT; i++) {
        const fnd_node *file = fnd_node_find(node, formats[i].key);
        if (file && found >= 0) {
            fnd_complain(reader, &file->key_location, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("geometry '%s' has two files", fnd_shown(node->key).text).text, file->key,
                         "exactly one", "make two geometries of it");
            return;
        }
        if (file) found = i;
    }
    if (found < 0) {
        fnd_complain(reader, &node->key_location, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("geometry '%s' has no file", fnd_shown(node->key).text).text, "nothing",
                     "one of: stl, obj, ply, ac3d, esri, raw, gdal; or hazard_field", "add 'stl: ground.stl'");
        return;
    }
    geometry->good = fnd_geometry_cache_read(reader, node, formats[found].key, read_import, &found, &geometry->type,
                                             &geometry->data);
}

void fnd_read_geometries(fnd_reader *reader, fnd_node *section)
{
    fender_scenario *scenario = reader->scenario;
    scenario->geometries = fnd_keep_section(reader, section, "geometries", sizeof *scenario->geometries);
    if (!scenario->geometries) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_geometry_description *geometry = &scenario->geometries[scenario->geometry_count++];
        read_geometry(reader, node, geometry);
        geometry->data.shared = scenario->geometry_count;
    }
}

const fnd_geometry_description *fnd_find_geometry(fnd_reader *reader, const fnd_node *node, const char *name)
{
    const fender_scenario *scenario = reader->scenario;
    for (int i = 0; i < scenario->geometry_count; i++)
        if (strcmp(scenario->geometries[i].id.name, name) == 0)
            return scenario->geometries[i].good ? &scenario->geometries[i] : NULL; /* that has been said */
    fnd_complain_unknown(reader, &node->location, "geometry", "geometries", name,
                         fnd_node_find(reader->root, "geometries"));
    return NULL;
}
