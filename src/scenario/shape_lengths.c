/* Geometries that a few lengths describe. */
#include <string.h>

#include "scenario/shape.h"

static bool read_length(fnd_reader *reader, const fnd_node *map, const char *key, const char *what, double *length)
{
    const fnd_node *node = fnd_require(reader, map, key, what, "100 mm");
    return node && fnd_read_number_from(reader, node, key, "m", 0, false, length);
}

bool fnd_read_sphere(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *placed)
{
    static const fnd_key keys[] = {{"radius", false}, {NULL, false}};
    (void)placed;
    shape->geometry = FENDER_GEOMETRY_SPHERE;
    if (!fnd_expect_map(reader, node, "sphere")) return false;
    bool good = fnd_check_keys(reader, node, "a sphere", keys);
    fnd_node *radius = fnd_require(reader, node, "radius", "the sphere", "1 m");
    return radius && fnd_read_number_from(reader, radius, "radius", "m", 0, false, &shape->radius) && good;
}

bool fnd_read_disk(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *placed)
{
    static const fnd_key keys[] = {{"radius", false}, {NULL, false}};
    (void)placed;
    shape->geometry = FENDER_GEOMETRY_DISK;
    if (!fnd_expect_map(reader, node, "disk")) return false;
    bool good = fnd_check_keys(reader, node, "a disk", keys);
    return read_length(reader, node, "radius", "the disk", &shape->radius) && good;
}

/* The one geometry of a user's functions that a scenario can name. */
bool fnd_read_planet_ground(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *placed)
{
    static const fnd_key keys[] = {{"radius", false}, {NULL, false}};
    (void)placed;
    shape->geometry = FENDER_GEOMETRY_USER;
    if (!fnd_expect_map(reader, node, "planet_ground")) return false;
    bool good = fnd_check_keys(reader, node, "the ground of a planet", keys);
    const fnd_node *radius = fnd_require(reader, node, "radius", "the ground of a planet", "6378.137 km");
    return radius && fnd_read_number_from(reader, radius, "radius", "m", 0, true, &shape->radius) && good;
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
    const fnd_key *keys;
} axial;

static bool complain_forms(fnd_reader *reader, const fnd_node *node, const axial *a, const char *message,
                           const char *found)
{
    fnd_complain(reader, fnd_node_shown_place(node), FENDER_STATUS_ARGUMENT,
                 fnd_phrase_make(message, a->name, a->length).text, found, a->forms, a->example);
    return false;
}

static bool read_axial(fnd_reader *reader, fnd_node *node, const axial *a, fnd_shape_description *shape, bool *placed)
{
    if (!fnd_expect_map(reader, node, a->name)) return false;
    bool good = fnd_check_keys(reader, node, fnd_phrase_make("a %s", a->name).text, a->keys);
    fnd_phrase what = fnd_phrase_make("the %s", a->name);
    fnd_node *radius = fnd_require(reader, node, "radius", what.text, "10 mm");
    good = radius && fnd_read_number_from(reader, radius, "radius", "m", 0, false, &shape->radius) && good;
    fnd_node *length = fnd_node_find(node, a->length), *half = fnd_node_find(node, "half_length");
    fnd_node *from = fnd_node_find(node, "from"), *to = fnd_node_find(node, "to");
    int forms = (length ? 1 : 0) + (half ? 1 : 0) + (from || to ? 1 : 0);
    if (forms > 1) return complain_forms(reader, node, a, "the %s's %s is given in two ways", "two of them");
    if (forms == 0) return good && complain_forms(reader, node, a, "the %s has no %s", "nothing");
    if (length) {
        good = fnd_read_number_from(reader, length, a->length, "m", 0, false, &shape->half_length) && good;
        shape->half_length *= 0.5;
    } else if (half)
        good = fnd_read_number_from(reader, half, "half_length", "m", 0, false, &shape->half_length) && good;
    else {
        *placed = true;
        if (!from || !to) {
            (void)fnd_require(reader, node, from ? "to" : "from", what.text, "[x, y, z, m]");
            return false;
        }
        good = read_ends(reader, from, to, shape) && good;
    }
    return good;
}

static const fnd_key length_keys[] = {{"radius", false}, {"length", false}, {"half_length", false},
                                      {"from", false},   {"to", false},     {NULL, false}};

bool fnd_read_capsule(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *placed)
{
    static const axial form = {"capsule", "length", "one of: length, half_length, from with to",
                               "write {radius: 10 mm, length: 100 mm}", length_keys};
    shape->geometry = FENDER_GEOMETRY_CAPSULE;
    return read_axial(reader, node, &form, shape, placed);
}

bool fnd_read_cylinder(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *placed)
{
    static const axial form = {"cylinder", "length", "one of: length, half_length, from with to",
                               "write {radius: 10 mm, length: 100 mm}", length_keys};
    shape->geometry = FENDER_GEOMETRY_CYLINDER;
    return read_axial(reader, node, &form, shape, placed);
}

bool fnd_read_cone(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *placed)
{
    static const fnd_key keys[] = {{"radius", false}, {"height", false}, {"half_length", false},
                                   {"from", false},   {"to", false},     {NULL, false}};
    static const axial form = {"cone", "height", "one of: height, half_length, from (base) with to (apex)",
                               "write {radius: 10 mm, height: 100 mm}", keys};
    shape->geometry = FENDER_GEOMETRY_CONE;
    return read_axial(reader, node, &form, shape, placed);
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
    fnd_complain(reader, &node->place, FENDER_STATUS_VALUE,
                 fnd_phrase_make("'%s' must be 0 or more along every axis, not %s", name, found.text).text, found.text,
                 "0 or more", "is the sign right?");
    return false;
}

bool fnd_read_box(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *placed)
{
    static const fnd_key keys[] = {{"size", false}, {"half_extents", false}, {NULL, false}};
    (void)placed;
    shape->geometry = FENDER_GEOMETRY_BOX;
    if (!fnd_expect_map(reader, node, "box")) return false;
    bool good = fnd_check_keys(reader, node, "a box", keys);
    const fnd_node *size = fnd_node_find(node, "size"), *half = fnd_node_find(node, "half_extents");
    if (size && half) {
        fnd_complain(reader, fnd_node_shown_place(node), FENDER_STATUS_ARGUMENT, "the box's size is given in two ways",
                     "two of them", "one of: size, half_extents", "write {size: [x, y, z, m]}");
        return false;
    }
    if (half) return read_sides(reader, half, "half_extents", 1, &shape->half) && good;
    if (!size) size = fnd_require(reader, node, "size", "the box", "[1, 2, 3, m]");
    return size && read_sides(reader, size, "size", 0.5, &shape->half) && good;
}

bool fnd_read_ellipsoid(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *placed)
{
    static const fnd_key keys[] = {{"radii", false}, {NULL, false}};
    (void)placed;
    shape->geometry = FENDER_GEOMETRY_ELLIPSOID;
    if (!fnd_expect_map(reader, node, "ellipsoid")) return false;
    bool good = fnd_check_keys(reader, node, "an ellipsoid", keys);
    const fnd_node *radii = fnd_require(reader, node, "radii", "the ellipsoid", "[1, 2, 3, m]");
    return radii && read_sides(reader, radii, "radii", 1, &shape->half) && good;
}

/* ---- point, plane: nothing to say */

static bool read_empty(fnd_reader *reader, fnd_node *node, const char *what)
{
    static const fnd_key keys[] = {{NULL, false}};
    if (node->kind == FND_NODE_TEXT && !node->text[0]) return true; /* `plane:` alone */
    return fnd_expect_map(reader, node, node->key) && fnd_check_keys(reader, node, what, keys);
}

bool fnd_read_point(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *placed)
{
    (void)placed;
    shape->geometry = FENDER_GEOMETRY_POINT;
    return read_empty(reader, node, "a point");
}

bool fnd_read_plane(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *placed)
{
    (void)placed;
    shape->geometry = FENDER_GEOMETRY_PLANE;
    return read_empty(reader, node, "a plane");
}
