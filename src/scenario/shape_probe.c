/* Probes: contact points with a line of sight, placed by both. */
#include "scenario/shape.h"

bool fnd_read_probe(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *placed)
{
    static const fnd_key keys[] = {{"point", false},   {"direction", false}, {"range", false},
                                   {"cushion", false}, {"form", false},      {NULL, false}};
    static const char *const forms[] = {"conservative", "morpheus_literal", NULL};
    shape->geometry = FENDER_GEOMETRY_PROBE;
    *placed = true;
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
        fnd_complain(reader, &direction->place, FENDER_STATUS_VALUE, "'direction' has no direction", "[0, 0, 0]",
                     "a vector that is not zero", "write [0, 0, -1] for down");
        return false;
    }
    shape->X_SG.q = fnd_quaternion_to_axis(fender_vec3_scale(1 / length, along));
    return good;
}
