/* Imports: the keys of a description, the file read by fender/mesh_file.h, its errors and what was mended as
 * diagnostics.
 */
#include "scenario/mesh_import.h"

#include <string.h>

#include "scenario/tree.h"

const char *const fnd_import_keys[] = {"unit",     "scale",       "weld",      "cluster", "stride", "no_data",
                                       "facing",   "up",          "header",    "columns", "rows",   "type",
                                       "order",    "skip",        "first_row", "spacing", "lower",  "no_data_value",
                                       "position", "orientation", NULL};

/* ---- keys */

static bool read_scale(fnd_reader *reader, const fnd_node *node, fender_vec3 *scale)
{
    if (node->kind == FND_NODE_LIST) return fnd_read_vector(reader, node, "scale", "1", scale);
    double factor;
    if (!fnd_read_number(reader, node, "scale", "1", &factor)) return false;
    *scale = fender_vec3_make(factor, factor, factor);
    return true;
}

/* refuse, spread, hole, or a height */
static bool read_gaps(fnd_reader *reader, const fnd_node *node, fender_mesh_import *import)
{
    static const struct {
        const char *name;
        fender_gaps gaps;
    } words[] = {{"refuse", FENDER_GAPS_REFUSE}, {"spread", FENDER_GAPS_SPREAD}, {"hole", FENDER_GAPS_HOLE}};
    for (size_t i = 0; node->kind == FND_NODE_TEXT && i < sizeof words / sizeof words[0]; i++)
        if (strcmp(node->text, words[i].name) == 0) {
            import->gaps = words[i].gaps;
            return true;
        }
    import->gaps = FENDER_GAPS_FILL;
    char first = node->kind == FND_NODE_TEXT ? node->text[0] : 0;
    if ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z')) {
        fnd_phrase found = fnd_shown(node->text);
        fnd_complain(reader, &node->location, FENDER_STATUS_NAME,
                     fnd_phrase_make("'%s' is not a treatment of missing heights", found.text).text, found.text,
                     "refuse, spread, hole, or a height", "write 'no_data: spread'");
        return false;
    }
    return fnd_read_number(reader, node, "no_data", "m", &import->fill_height);
}

static bool read_pair(fnd_reader *reader, const fnd_node *node, const char *name, fender_vec2 *pair)
{
    double v[2];
    if (!fnd_read_numbers(reader, node, name, "1", 2, v)) return false;
    *pair = (fender_vec2){v[0], v[1]};
    return true;
}

/* The layout of a raw raster. */
static bool read_raster(fnd_reader *reader, const fnd_node *map, fender_raster_layout *raster)
{
    static const char *const orders[] = {"little", "big", NULL}, *const firsts[] = {"north", "south", NULL};
    const char *types[FENDER_RASTER_TYPE_COUNT + 1];
    const fnd_node *columns = fnd_node_find(map, "columns"), *rows = fnd_node_find(map, "rows");
    const fnd_node *type = fnd_node_find(map, "type"), *order = fnd_node_find(map, "order");
    const fnd_node *skip = fnd_node_find(map, "skip"), *first = fnd_node_find(map, "first_row");
    const fnd_node *spacing = fnd_node_find(map, "spacing"), *lower = fnd_node_find(map, "lower");
    const fnd_node *no_data = fnd_node_find(map, "no_data_value");
    int chosen = 0, bytes = 0, big = 0, south = 0;
    for (int i = 0; i <= FENDER_RASTER_TYPE_COUNT; i++) types[i] = fender_raster_type_name((fender_raster_type)i);
    bool good = true;
    if (columns) good = fnd_read_integer(reader, columns, "columns", 2, INT32_MAX, &raster->columns) && good;
    if (rows) good = fnd_read_integer(reader, rows, "rows", 2, INT32_MAX, &raster->rows) && good;
    if (type) good = fnd_read_choice(reader, type, "type", types, &chosen) && good;
    if (order) good = fnd_read_choice(reader, order, "order", orders, &big) && good;
    if (skip) good = fnd_read_integer(reader, skip, "skip", 0, INT32_MAX, &bytes) && good;
    if (first) good = fnd_read_choice(reader, first, "first_row", firsts, &south) && good;
    if (spacing) good = read_pair(reader, spacing, "spacing", &raster->spacing) && good;
    if (lower) good = read_pair(reader, lower, "lower", &raster->lower) && good;
    raster->has_no_data = no_data != NULL;
    if (no_data) good = fnd_read_number(reader, no_data, "no_data_value", "1", &raster->no_data) && good;
    raster->type = (fender_raster_type)chosen;
    raster->big_endian = big == 1;
    raster->south_first = south == 1;
    raster->skip = bytes;
    return good;
}

/* Keys that only some formats know. */
static bool check_use(fnd_reader *reader, const fnd_node *map, fender_mesh_format format)
{
    static const char *const of_raw[] = {"header", "columns", "rows",  "type",      "order",
                                         "skip",   "spacing", "lower", "first_row", "no_data_value"};
    static const char *const of_grids[] = {"stride", "no_data"}, *const of_meshes[] = {"weld", "cluster"};
    bool grid = format >= FENDER_MESH_FORMAT_ESRI, good = true;
    for (const fnd_node *child = map->first; child; child = child->next) {
        const char *needs = NULL;
        for (size_t i = 0; i < sizeof of_raw / sizeof of_raw[0]; i++)
            if (format != FENDER_MESH_FORMAT_RAW && strcmp(child->key, of_raw[i]) == 0) needs = "raw rasters";
        for (size_t i = 0; i < 2; i++) {
            if (!grid && strcmp(child->key, of_grids[i]) == 0) needs = "grids: esri, raw, gdal";
            if (grid && strcmp(child->key, of_meshes[i]) == 0) needs = "meshes: stl, obj, ply, ac3d";
        }
        if (!needs) continue;
        good = false;
        fnd_complain(reader, &child->key_location, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' is for %s", child->key, needs).text, child->key, needs, "remove it");
    }
    return good;
}

static bool read_keys(fnd_reader *reader, const fnd_node *map, const char *what, fender_mesh_import *import,
                      fnd_shape_data *data)
{
    static const char *const facings[] = {"mend", "alike", NULL};
    const fnd_node *unit = fnd_require(reader, map, "unit", what, "mm"), *scale = fnd_node_find(map, "scale");
    const fnd_node *weld = fnd_node_find(map, "weld"), *cluster = fnd_node_find(map, "cluster");
    const fnd_node *stride = fnd_node_find(map, "stride"), *gaps = fnd_node_find(map, "no_data");
    const fnd_node *facing = fnd_node_find(map, "facing"), *up = fnd_node_find(map, "up");
    const fnd_node *position = fnd_node_find(map, "position");
    fnd_node *orientation = fnd_node_find(map, "orientation");
    const char *text = NULL;
    int index = 0;
    bool good = unit && fnd_read_text(reader, unit, "unit", &text) &&
                fnd_apply_unit(reader, &unit->location, text, "unit", text, "m", &import->unit);
    if (scale) good = read_scale(reader, scale, &import->scale) && good;
    if (weld) good = fnd_read_number_from(reader, weld, "weld", "m", 0, false, &import->weld) && good;
    if (cluster) good = fnd_read_number_from(reader, cluster, "cluster", "m", 0, true, &import->cluster) && good;
    if (stride) good = fnd_read_integer(reader, stride, "stride", 1, 1000000, &import->stride) && good;
    if (gaps) good = read_gaps(reader, gaps, import) && good;
    if (facing) good = fnd_read_choice(reader, facing, "facing", facings, &index) && good;
    if (up) good = fnd_read_vector(reader, up, "up", "1", &import->up) && good;
    if (position) good = fnd_read_vector(reader, position, "position", "m", &data->X_FG.p) && good;
    if (orientation) good = fnd_read_orientation(reader, orientation, "orientation", &data->X_FG.q) && good;
    import->facing = index == 1 ? FENDER_FACING_ALIKE : FENDER_FACING_MEND;
    return check_use(reader, map, import->format) && read_raster(reader, map, &import->raster) && good;
}

/* ---- diagnostics */

static void complain(fnd_reader *reader, const fnd_source *source, const fender_error *error)
{
    if (error->status == FENDER_STATUS_MEMORY) {
        reader->memory_failed = true;
        return;
    }
    fnd_location location = {source->name, error->line, 1, 1, ""};
    fnd_phrase whole = fnd_phrase_make("'%s': %s", fnd_shown(source->name).text, error->message);
    bool names_it = error->line > 0 || error->status == FENDER_STATUS_ARGUMENT;
    fnd_complain(reader, error->line > 0 ? &location : &source->named_at, error->status,
                 names_it ? error->message : whole.text, error->found, error->expected, error->suggestion);
}

typedef struct list {
    char text[256];
    size_t used;
} list;

static void add(list *to, int64_t count, const char *what)
{
    if (count == 0) return;
    fnd_phrase part = fnd_phrase_make("%s%s %s", to->used > 0 ? ", " : "", fnd_digits((double)count, "").text, what);
    size_t length = strlen(part.text);
    if (to->used + length + 1 > sizeof to->text) return;
    memcpy(to->text + to->used, part.text, length + 1);
    to->used += length;
}

/* Warns of repairs and of possible errors in the file. */
static void warn(fnd_reader *reader, const fnd_source *source, const fender_mesh_report *r)
{
    list mended = {"", 0}, doubtful = {"", 0};
    fnd_phrase name = fnd_shown(source->name);
    add(&mended, r->degenerate, "facets without area");
    add(&mended, r->duplicate, "doubled facets");
    add(&mended, r->flipped, "facets flipped to agree with their neighbours");
    add(&mended, r->flipped_parts, "parts flipped: inside out or upside down");
    add(&doubtful, r->crowded_edges, "edges of more than two facets");
    add(&doubtful, r->one_sided, "edges across which facets cannot be oriented consistently");
    add(&doubtful, r->crossed_polygons, "polygons that cross themselves");
    if (mended.used > 0)
        fnd_diagnostic_add(reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK, &source->named_at,
                           fnd_phrase_make("'%s' was mended", name.text).text, mended.text,
                           "a mesh that needs no repair",
                           "`fender mesh FILE --write OUT.ply` shows it and writes the repaired mesh");
    if (doubtful.used > 0)
        fnd_diagnostic_add(reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK, &source->named_at,
                           fnd_phrase_make("'%s' has edges or polygons that could not be repaired", name.text).text,
                           doubtful.text, "every edge between two facets", "`fender mesh FILE` shows more");
    if (r->unit_suspect) {
        fender_vec3 sides = fender_vec3_sub(r->bounds.upper, r->bounds.lower);
        fnd_phrase found = fnd_phrase_make("%s x %s x %s m", fnd_digits(sides.x, "").text, fnd_digits(sides.y, "").text,
                                           fnd_digits(sides.z, "").text);
        fnd_diagnostic_add(reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK, &source->named_at,
                           fnd_phrase_make("the size of '%s' is unusual", name.text).text, found.text,
                           "between 1 mm and 1000 km", "is the unit right?");
    }
    if (r->cliffs > 0) {
        fnd_phrase found = fnd_phrase_make("%s heights %s x %s m apart, between %s and %s m",
                                           fnd_digits((double)r->vertices, "").text, fnd_digits(r->spacing.x, "").text,
                                           fnd_digits(r->spacing.y, "").text, fnd_digits(r->bounds.lower.z, "").text,
                                           fnd_digits(r->bounds.upper.z, "").text);
        fnd_diagnostic_add(
            reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK, &source->named_at,
            fnd_phrase_make("'%s' has cliffs of more than 300 times the distance of its heights", name.text).text,
            found.text, "distances in the unit of the heights, and missing heights marked as missing",
            "project a grid in degrees to metres first; name the mark of missing heights in the file");
    }
}

/* ---- the file */

static bool keep(fnd_reader *reader, const fender_mesh_file *mesh, fnd_shape_data *data, fender_geometry_type *type)
{
    const fender_mesh_report *report = fender_mesh_file_report(mesh);
    fender_mesh_def triangles = fender_mesh_file_triangles(mesh);
    fender_grid_def grid = fender_mesh_file_grid(mesh);
    data->closed = report->closed;
    data->X_FG.p = fender_vec3_add(data->X_FG.p, fender_quaternion_rotate(data->X_FG.q, report->origin));
    *type = report->is_grid ? FENDER_GEOMETRY_GRID : FENDER_GEOMETRY_MESH;
    if (report->is_grid) {
        size_t count = (size_t)grid.count_x * (size_t)grid.count_y;
        double *heights = fnd_keep(reader, count, sizeof *heights);
        if (heights) memcpy(heights, grid.heights, count * sizeof *heights);
        data->grid = grid;
        data->grid.heights = heights;
        return heights != NULL;
    }
    data->points = fnd_keep(reader, (size_t)triangles.vertex_count, sizeof *data->points);
    data->triangles = fnd_keep(reader, (size_t)triangles.triangle_count, sizeof *data->triangles);
    if (!data->points || !data->triangles) return false;
    data->point_count = triangles.vertex_count;
    data->triangle_count = triangles.triangle_count;
    memcpy(data->points, triangles.vertices, (size_t)triangles.vertex_count * sizeof *data->points);
    memcpy(data->triangles, triangles.triangles, (size_t)triangles.triangle_count * sizeof *data->triangles);
    return true;
}

static const fnd_source *read_source(fnd_reader *reader, const fnd_node *file, const char *name)
{
    const char *text = NULL;
    if (!fnd_read_text(reader, file, name, &text)) return NULL;
    char *path = fnd_source_resolve(reader, fnd_source_of(reader, &file->location), text);
    return path ? fnd_tree_read_bytes(reader, path, &file->location) : NULL;
}

bool fnd_import_read(fnd_reader *reader, const fnd_node *map, const fnd_node *file, fender_mesh_format format,
                     const char *what, fnd_shape_data *data, fender_geometry_type *type)
{
    fender_mesh_import import = fender_mesh_import_default();
    fender_error error = {0};
    const char *name = NULL;
    import.format = format;
    data->X_FG = (fender_pose){{0, 0, 0}, {1, 0, 0, 0}};
    if (!fnd_read_text(reader, file, file->key, &name)) return false;
    if (format == FENDER_MESH_FORMAT_BY_NAME) import.format = fender_mesh_format_of(name);
    if (import.format == FENDER_MESH_FORMAT_BY_NAME) {
        fnd_complain(reader, &file->location, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' is not a mesh file", fnd_shown(name).text).text, fnd_shown(name).text,
                     "a name that ends in .stl, .obj, .ply, .ac, .asc or .raw", "convert it to STL, OBJ or PLY");
        return false;
    }
    if (!read_keys(reader, map, what, &import, data)) return false;
    const fnd_node *header = fnd_node_find(map, "header");
    const fnd_source *header_source = header ? read_source(reader, header, "header") : NULL;
    const fnd_source *source = !header || header_source ? read_source(reader, file, file->key) : NULL;
    if (!source) return false;
    if (header_source) {
        import.header = header_source->text;
        import.header_length = header_source->length;
        import.header_name = header_source->name;
    }
    data->file = (fnd_named){source->name, file->location};
    fender_mesh_file *mesh = fender_mesh_file_parse(&reader->env, source->name, source->text, source->length, &import,
                                                    &error);
    bool good = mesh && keep(reader, mesh, data, type);
    if (!mesh) complain(reader, source, &error);
    if (good) warn(reader, source, fender_mesh_file_report(mesh));
    fender_mesh_file_destroy(mesh);
    return good;
}
