/* Geometries by name: terrain and solids of files, which shapes share. */
#include <string.h>

#include "scenario/hazard_field.h"
#include "scenario/mesh_import.h"

static const struct {
    const char *key;
    fender_mesh_format format;
} formats[] = {{"stl", FENDER_MESH_FORMAT_STL},   {"obj", FENDER_MESH_FORMAT_OBJ},   {"ply", FENDER_MESH_FORMAT_PLY},
               {"ac3d", FENDER_MESH_FORMAT_AC3D}, {"esri", FENDER_MESH_FORMAT_ESRI}, {"raw", FENDER_MESH_FORMAT_RAW},
               {"gdal", FENDER_MESH_FORMAT_GDAL}};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

/* Terrain that comes from no file: it has a place in shapes alone. */
static void read_generated(fnd_reader *reader, fnd_node *node, fnd_geometry_description *geometry)
{
    static const fnd_key keys[] = {{"hazard_field", false}, {NULL, false}};
    if (!fnd_check_keys(reader, node, "a geometry with 'hazard_field'", keys)) return;
    geometry->type = FENDER_GEOMETRY_GRID;
    geometry->data.X_FG = fender_pose_identity();
    geometry->good = fnd_read_hazard_field(reader, fnd_node_find(node, "hazard_field"), &geometry->data.grid);
}

static void read_geometry(fnd_reader *reader, fnd_node *node, fnd_geometry_description *geometry)
{
    fnd_key keys[40];
    int count = 0, found = -1;
    for (; count < FORMAT_COUNT; count++) keys[count] = (fnd_key){formats[count].key, false};
    for (const fnd_key *k = fnd_import_keys; k->name; k++) keys[count++] = *k;
    keys[count] = (fnd_key){NULL, false};
    geometry->id = (fnd_named){node->key, node->key_place};
    if (!fnd_check_name(reader, node->key, &node->key_place, "a geometry") || !fnd_expect_map(reader, node, node->key))
        return;
    if (fnd_node_find(node, "hazard_field")) {
        read_generated(reader, node, geometry);
        return;
    }
    if (!fnd_check_keys(reader, node, "a geometry", keys)) return;
    for (int i = 0; i < FORMAT_COUNT; i++) {
        const fnd_node *file = fnd_node_find(node, formats[i].key);
        if (file && found >= 0) {
            fnd_complain(reader, &file->key_place, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("geometry '%s' has two files", fnd_shown(node->key).text).text, file->key,
                         "exactly one", "make two geometries of it");
            return;
        }
        if (file) found = i;
    }
    if (found < 0) {
        fnd_complain(reader, &node->key_place, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("geometry '%s' has no file", fnd_shown(node->key).text).text, "nothing",
                     "one of: stl, obj, ply, ac3d, esri, raw, gdal; or hazard_field", "add 'stl: ground.stl'");
        return;
    }
    geometry->good = fnd_import_read(reader, node, fnd_node_find(node, formats[found].key), formats[found].format,
                                     fnd_phrase_make("geometry '%s'", fnd_shown(node->key).text).text, &geometry->data,
                                     &geometry->type);
}

void fnd_read_geometries(fnd_reader *reader, fnd_node *section)
{
    fender_scenario *scenario = reader->scenario;
    if (!section || !fnd_expect_map(reader, section, "geometries")) return;
    scenario->geometries = fnd_keep(reader, (size_t)section->count, sizeof *scenario->geometries);
    if (!scenario->geometries) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_geometry_description *geometry = &scenario->geometries[scenario->geometry_count++];
        geometry->data.shared = scenario->geometry_count;
        read_geometry(reader, node, geometry);
    }
}

const fnd_geometry_description *fnd_find_geometry(fnd_reader *reader, const fnd_node *node, const char *name)
{
    const fender_scenario *scenario = reader->scenario;
    for (int i = 0; i < scenario->geometry_count; i++)
        if (strcmp(scenario->geometries[i].id.name, name) == 0)
            return scenario->geometries[i].good ? &scenario->geometries[i] : NULL; /* that has been said */
    fnd_complain_unknown(reader, &node->place, "geometry", "geometries", name,
                         fnd_node_find(reader->root, "geometries"));
    return NULL;
}
