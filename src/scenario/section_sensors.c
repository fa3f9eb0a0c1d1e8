/* Section `sensors`: lines of sight of altimeters and velocimeters. */
#include <math.h>
#include <string.h>

#include "scenario/section.h"

/* `at`: a point of the body by name, or coordinates in its structure frame; nothing: its origin. */
static void read_place(fnd_reader *reader, const fnd_node *at, fnd_sensor_description *sensor)
{
    const char *name = NULL;
    if (!at) return;
    if (at->kind == FND_NODE_LIST) {
        (void)fnd_read_vector(reader, at, "at", "m", &sensor->beam.point);
        return;
    }
    if (!fnd_read_text(reader, at, "at", &name) || sensor->body < 0) return;
    int point = fnd_find_point_of(reader, at, name, sensor->body);
    if (point >= 0) sensor->beam.point = reader->scenario->bodies[sensor->body].points[point].X_SP.p;
}

static void read_sensor(fnd_reader *reader, fnd_node *node, fnd_sensor_description *sensor)
{
    static const fnd_key keys[] = {
        {"body", false}, {"at", false}, {"direction", false}, {"range", false}, {NULL, false}};
    if (!fnd_expect_map(reader, node, node->key)) return;
    (void)fnd_check_keys(reader, node, "a sensor", keys);
    const char *name = NULL;
    fnd_phrase what = fnd_phrase_make("sensor '%s'", fnd_shown(node->key).text);
    const fnd_node *body = fnd_require(reader, node, "body", what.text, "NAME");
    const fnd_node *direction = fnd_require(reader, node, "direction", what.text, "[0, 0, -1]");
    const fnd_node *range = fnd_node_find(node, "range");
    if (body && fnd_read_text(reader, body, "body", &name)) sensor->body = fnd_find_body(reader, body, name);
    read_place(reader, fnd_node_find(node, "at"), sensor);
    if (range && !(range->kind == FND_NODE_TEXT && strcmp(range->text, "none") == 0))
        (void)fnd_read_number_from(reader, range, "range", "m", 0, true, &sensor->beam.range);
    if (!direction || !fnd_read_vector(reader, direction, "direction", "1", &sensor->beam.direction)) return;
    if (fender_vec3_length(sensor->beam.direction) > 0) return;
    fnd_complain(reader, &direction->place, FENDER_STATUS_VALUE, "'direction' has no direction", "[0, 0, 0]",
                 "a vector that is not zero", "write [0, 0, -1] for down");
}

void fnd_read_sensors(fnd_reader *reader, fnd_node *section)
{
    if (!section || !fnd_expect_map(reader, section, "sensors")) return;
    fender_scenario *scenario = reader->scenario;
    scenario->sensors = fnd_keep(reader, (size_t)section->count, sizeof *scenario->sensors);
    if (!scenario->sensors) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_sensor_description *sensor = &scenario->sensors[scenario->sensor_count++];
        (void)fnd_check_name(reader, node->key, &node->key_place, "a sensor");
        sensor->id = (fnd_named){node->key, node->key_place};
        sensor->beam.range = INFINITY;
        sensor->body = -1;
        read_sensor(reader, node, sensor);
    }
}
