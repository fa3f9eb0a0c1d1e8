/* `hazard_field` of a grid: craters, hills and rocks from a seed. What is not said is that of the default field. */
#include "scenario/hazard_field.h"

#include <string.h>

#include <fender/hazard_field.h>

/* `craters: {count: 120, diameter: [1, 24, m], depth: 0.2}`, or `none`. */
static bool read_kind(fnd_reader *reader, fnd_node *map, const char *name, const char *height, fender_hazard_kind *kind)
{
    const fnd_key keys[] = {{"count", false}, {"diameter", false}, {height, false}, {NULL, false}};
    fnd_node *node = fnd_node_find(map, name);
    if (!node) return true;
    if (node->kind == FND_NODE_TEXT && strcmp(node->text, "none") == 0) return kind->count = 0, true;
    if (!fnd_expect_map(reader, node, name)) return false;
    bool good = fnd_check_keys(reader, node, fnd_phrase_make("'%s'", name).text, keys);
    const fnd_node *count = fnd_node_find(node, "count"), *diameter = fnd_node_find(node, "diameter");
    const fnd_node *tall = fnd_node_find(node, height);
    double range[2];
    if (count) good = fnd_read_integer(reader, count, "count", 0, 1000000, &kind->count) && good;
    if (diameter && fnd_read_numbers(reader, diameter, "diameter", "m", 2, range)) {
        kind->least = range[0];
        kind->most = range[1];
    } else if (diameter) good = false;
    if (tall) good = fnd_read_number(reader, tall, height, "1", &kind->height) && good;
    return good;
}

static bool read_cells(fnd_reader *reader, const fnd_node *node, int cells[2])
{
    double values[2];
    if (!fnd_read_numbers(reader, node, "cells", "1", 2, values)) return false;
    for (int i = 0; i < 2; i++) {
        if (!(values[i] >= 1) || !(values[i] <= 10000) || values[i] != (int)values[i]) {
            fnd_complain(reader, &node->place, FENDER_STATUS_VALUE, "'cells' needs two whole numbers from 1 to 10000",
                         fnd_digits(values[i], "").text, "for example [708, 708]", "");
            return false;
        }
        cells[i] = (int)values[i];
    }
    return true;
}

static bool read_field(fnd_reader *reader, fnd_node *node, fender_hazard_field *field)
{
    static const fnd_key keys[] = {{"size", false},  {"cells", false}, {"seed", false},      {"craters", false},
                                   {"hills", false}, {"rocks", false}, {"roughness", false}, {NULL, false}};
    if (!fnd_expect_map(reader, node, "hazard_field")) return false;
    bool good = fnd_check_keys(reader, node, "a hazard field", keys);
    const fnd_node *size = fnd_node_find(node, "size"), *cells = fnd_node_find(node, "cells");
    const fnd_node *seed = fnd_node_find(node, "seed"), *roughness = fnd_node_find(node, "roughness");
    int number = 0;
    if (size) good = fnd_read_numbers(reader, size, "size", "m", 2, field->size) && good;
    if (cells) good = read_cells(reader, cells, field->cells) && good;
    if (seed && fnd_read_integer(reader, seed, "seed", 0, 2147483647, &number)) field->seed = (uint64_t)number;
    else if (seed) good = false;
    if (roughness) good = fnd_read_number(reader, roughness, "roughness", "m", &field->roughness) && good;
    good = read_kind(reader, node, "craters", "depth", &field->craters) && good;
    good = read_kind(reader, node, "hills", "height", &field->hills) && good;
    return read_kind(reader, node, "rocks", "height", &field->rocks) && good;
}

bool fnd_read_hazard_field(fnd_reader *reader, fnd_node *node, fender_grid_def *grid)
{
    fender_hazard_field field = fender_hazard_field_default();
    fender_error error = {0};
    if (!read_field(reader, node, &field)) return false;
    if (fender_hazard_field_check(&field, &error) != FENDER_STATUS_OK) {
        const fnd_node *at = fnd_node_find(node, error.path);
        fnd_finding_add_error(reader->findings, &error, at ? fnd_node_shown_place(at) : fnd_node_shown_place(node));
        return false;
    }
    double *heights = fnd_keep(reader, ((size_t)field.cells[0] + 1) * ((size_t)field.cells[1] + 1), sizeof *heights);
    return heights && fender_hazard_field_heights(&field, heights, grid, &error) == FENDER_STATUS_OK;
}
