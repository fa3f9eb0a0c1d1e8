/* Geometries that many numbers describe: clouds, hulls, grids, meshes, generated terrain; here or in files. */
#include "scenario/mesh_import.h"
#include "scenario/shape.h"
#include "scenario/table.h"
#include "support/file.h"
#include <fender/hazard_field.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- Generated terrain ---- */

/* `craters: {count: 120, diameter: [1, 24, m], depth: 0.2}`, or `none`. */
static bool read_kind(fnd_reader *reader, fnd_node *map, const char *name, const char *height, fender_hazard_kind *kind)
{
    const char *const keys[] = {"count", "diameter", height, NULL};
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
            fnd_complain(reader, &node->location, FENDER_STATUS_VALUE,
                         "'cells' needs two whole numbers from 1 to 10000", fnd_digits(values[i], "").text,
                         "for example [708, 708]", "");
            return false;
        }
        cells[i] = (int)values[i];
    }
    return true;
}

static bool read_field(fnd_reader *reader, fnd_node *node, fender_hazard_field *field)
{
    static const char *const keys[] = {"size", "cells", "seed", "craters", "hills", "rocks", "roughness", NULL};
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
        fnd_diagnostic_add_error(reader->diagnostics, &error,
                                 at ? fnd_node_shown_location(at) : fnd_node_shown_location(node));
        return false;
    }
    double *heights = fnd_keep(reader, ((size_t)field.cells[0] + 1) * ((size_t)field.cells[1] + 1), sizeof *heights);
    return heights && fender_hazard_field_heights(&field, heights, grid, &error) == FENDER_STATUS_OK;
}

/* ---- Points and triangles ---- */

static fnd_shape_data *make_data(fnd_reader *reader, fnd_shape_description *shape)
{
    fnd_shape_data *data = fnd_keep(reader, 1, sizeof *data);
    if (data) data->X_FG.q = (fender_quaternion){1, 0, 0, 0};
    shape->data = data;
    return data;
}

/* Exactly one of two keys; NULL after a diagnostic. */
static const fnd_node *either(fnd_reader *reader, const fnd_node *map, const char *one, const char *other,
                              const char *what)
{
    const fnd_node *first = fnd_node_find(map, one), *second = fnd_node_find(map, other);
    if ((first != NULL) != (second != NULL)) return first ? first : second;
    fnd_complain(
        reader, fnd_node_shown_location(map), FENDER_STATUS_ARGUMENT,
        fnd_phrase_make(first ? "%s has both '%s' and '%s'" : "%s has neither '%s' nor '%s'", what, one, other).text,
        first ? "both" : "nothing", fnd_phrase_make("one of: %s, %s", one, other).text,
        first ? "remove one of them" : fnd_phrase_make("add '%s'", one).text);
    return NULL;
}

static bool take_points(const double *values, int count, fnd_shape_data *data, fnd_reader *reader)
{
    data->points = fnd_keep(reader, (size_t)count, sizeof *data->points);
    if (!data->points) return false;
    data->point_count = count;
    for (int i = 0; i < count; i++)
        data->points[i] = fender_vec3_make(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
    return true;
}

static bool points_of_list(fnd_reader *reader, const fnd_node *node, fnd_shape_data *data)
{
    double *values;
    int columns = 3, rows;
    return fnd_read_rows(reader, node, "points", "m", &columns, &values, &rows) &&
           take_points(values, rows, data, reader);
}

/* Columns of those names [m]. */
static bool read_table(fnd_reader *reader, const fnd_node *file, const char *const names[3], double **values, int *rows,
                       fnd_location **places)
{
    fnd_csv_column columns[3];
    for (int i = 0; i < 3; i++) columns[i] = (fnd_csv_column){.name = names[i], .unit = "m", .named_by = file};
    if (!fnd_csv_read(reader, file, columns, 3, values, rows, places)) return false;
    if (*rows > 0) return true;
    fnd_complain(reader, &file->location, FENDER_STATUS_PARSE, "the table has no rows", "a header alone", "rows",
                 "one row for each point");
    return false;
}

static bool points_of_table(fnd_reader *reader, const fnd_node *file, fnd_shape_data *data)
{
    static const char *const names[3] = {"x", "y", "z"};
    double *values;
    fnd_location *places;
    int rows;
    data->file = (fnd_named){file->text, file->location};
    return read_table(reader, file, names, &values, &rows, &places) && take_points(values, rows, data, reader);
}

bool fnd_read_cloud(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const char *const keys[] = {"points", "file", NULL};
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_CLOUD;
    if (!fnd_expect_map(reader, node, "cloud")) return false;
    bool good = fnd_check_keys(reader, node, "a cloud", keys);
    fnd_shape_data *data = make_data(reader, shape);
    const fnd_node *given = good && data ? either(reader, node, "points", "file", "the cloud") : NULL;
    if (!given) return false;
    return strcmp(given->key, "points") == 0 ? points_of_list(reader, given, data)
                                             : points_of_table(reader, given, data);
}

/* Points of a named geometry, for its hull. */
static bool points_of_name(fnd_reader *reader, const fnd_node *node, fnd_shape_description *shape)
{
    const fnd_geometry_description *named = fnd_find_geometry(reader, node, node->text);
    if (!named) return false;
    if (named->type == FENDER_GEOMETRY_MESH) return shape->data = &named->data, true;
    fnd_complain(reader, &node->location, FENDER_STATUS_ARGUMENT, "a grid has no hull", fnd_shown(node->text).text,
                 "a geometry of triangles", "write 'geometry: NAME' for the grid itself");
    return false;
}

static bool is_name(const fnd_node *node) { return node->kind == FND_NODE_TEXT && node->text[0]; }

/* They are hulls, but rarely what is meant. */
static void warn_of_few_points(fnd_reader *reader, const fnd_node *given, int count)
{
    if (count > 2) return;
    fnd_diagnostic_add(reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK, fnd_node_shown_location(given),
                       count == 1 ? "a hull of one point has no extent"
                                  : "a hull of two points is a line without thickness",
                       count == 1 ? "1 point" : "2 points", "points that span a solid",
                       count == 1 ? "write 'point: {}' for a contact point"
                                  : "write 'capsule' for a rod, or give the corners of the solid");
}

bool fnd_read_hull(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const char *const keys[] = {"points", "file", "unit", NULL};
    fender_geometry_type type;
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_HULL;
    if (is_name(node)) return points_of_name(reader, node, shape);
    if (!fnd_expect_map(reader, node, "hull")) return false;
    bool good = fnd_check_keys(reader, node, "a hull", keys);
    fnd_shape_data *data = make_data(reader, shape);
    const fnd_node *given = good && data ? either(reader, node, "points", "file", "the hull") : NULL;
    if (!given) return false;
    if (strcmp(given->key, "points") == 0) {
        good = points_of_list(reader, given, data);
        if (good) warn_of_few_points(reader, given, data->point_count);
        return good;
    }
    if (given->kind == FND_NODE_TEXT && fnd_has_ending(given->text, ".csv")) {
        good = points_of_table(reader, given, data);
        if (good) warn_of_few_points(reader, given, data->point_count);
        return good;
    }
    if (!fnd_import_read(reader, node, given, FENDER_MESH_FORMAT_BY_NAME, "the hull", data, &type)) return false;
    if (type == FENDER_GEOMETRY_MESH) return true;
    fnd_complain(reader, &given->location, FENDER_STATUS_ARGUMENT, "a grid has no hull", fnd_shown(given->text).text,
                 "a file of triangles", "write 'grid' or a named geometry for the grid itself");
    return false;
}

bool fnd_read_named_geometry(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    const char *name = NULL;
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_MESH;
    if (!fnd_read_text(reader, node, "geometry", &name)) return false;
    const fnd_geometry_description *named = fnd_find_geometry(reader, node, name);
    if (!named) return false;
    shape->geometry = named->type;
    shape->data = &named->data;
    return true;
}

/* Named, or of a file with the keys of an import; where it lies is told by the shape. */
bool fnd_read_mesh(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    const char *keys[40] = {"file"};
    int count = 1;
    shape->geometry = FENDER_GEOMETRY_MESH;
    if (is_name(node)) return fnd_read_named_geometry(reader, node, shape, posed);
    for (const char *const *key = fnd_import_keys; *key; key++)
        if (strcmp(*key, "position") != 0 && strcmp(*key, "orientation") != 0) keys[count++] = *key;
    keys[count] = NULL;
    if (!fnd_expect_map(reader, node, "mesh")) return false;
    bool good = fnd_check_keys(reader, node, "a mesh", keys);
    fnd_shape_data *data = make_data(reader, shape);
    const fnd_node *file = fnd_require(reader, node, "file", "the mesh", "ground.stl");
    return good && data && file &&
           fnd_import_read(reader, node, file, FENDER_MESH_FORMAT_BY_NAME, "the mesh", data, &shape->geometry);
}

/* ---- grids */

/* Are the lines evenly spaced? Coordinates that were written with six digits of the spacing are. */
static bool is_even(const double *lines, int count, double spacing)
{
    for (int i = 0; i < count; i++)
        if (!(fabs(lines[i] - (lines[0] + i * spacing)) <= 1e-6 * spacing)) return false;
    return true;
}

/* The first row of a table of x, y, height that is not where the raster of `across` points along x has it, within six
 * digits of the gap; what is expected there. rows: all are. */
static int first_astray(const double *values, int rows, int across, fnd_phrase *expected)
{
    for (int k = 1; k < rows; k++) {
        const int i = k % across, line = k - i; /* the first row of its line */
        const double x = values[3 * k], y = values[3 * k + 1];
        if (line == 0) {
            if (x > values[3 * k - 3]) continue;
            *expected = fnd_phrase_make("x above %s, as y is the same", fnd_digits(values[3 * k - 3], "m").text);
            return k;
        }
        const double there_x = values[3 * i], gap_x = i > 0 ? there_x - values[3 * i - 3] : values[3] - values[0];
        const double below = values[3 * (line - across) + 1], gap_y = values[3 * line + 1] - below;
        if (!(gap_y > 0)) {
            *expected = fnd_phrase_make("y above %s, as x begins again", fnd_digits(below, "m").text);
            return k;
        }
        if (fabs(x - there_x) <= 2e-6 * gap_x && fabs(y - values[3 * line + 1]) <= 2e-6 * gap_y) continue;
        *expected = i > 0 ? fnd_phrase_make("x %s, y %s", fnd_digits(there_x, "m").text,
                                            fnd_digits(values[3 * line + 1], "m").text)
                          : fnd_phrase_make("x %s, the first one", fnd_digits(there_x, "m").text);
        return k;
    }
    return rows;
}

static bool refuse_raster(fnd_reader *reader, const fnd_location *place, const char *message, const char *found,
                          const char *expected)
{
    fnd_complain(reader, place, FENDER_STATUS_VALUE, message, found, expected,
                 "x runs first, y increases, and every y has the same x: is a row missing, doubled or out of order?");
    return false;
}

/* A table of x, y, height with x running first: finds the raster. */
static bool raster_of_table(fnd_reader *reader, const fnd_node *file, const double *values, int rows,
                            const fnd_location *places, fnd_shape_data *data)
{
    fender_grid_def *grid = &data->grid;
    int across = 1;
    while (across < rows && values[3 * across + 1] == values[1]) across++;
    const int along = across > 0 ? rows / across : 0;
    fnd_phrase expected;
    if (across < 2 || across >= rows)
        return refuse_raster(reader, rows > 1 ? &places[1] : &file->location,
                             across < 2 ? "the table is no raster: its first two rows differ in y"
                                        : "the table is no raster: all rows have the same y",
                             fnd_phrase_make("%d rows, the first %d with the same y", rows, across).text,
                             "at least 2 x 2 points");
    const int astray = first_astray(values, rows, across, &expected);
    if (astray < rows)
        return refuse_raster(reader, &places[astray],
                             fnd_phrase_make("this row does not continue the raster of %d points along x", across).text,
                             fnd_phrase_make("x %s, y %s", fnd_digits(values[3 * (size_t)astray], "m").text,
                                             fnd_digits(values[3 * (size_t)astray + 1], "m").text)
                                 .text,
                             expected.text);
    if (across * along != rows)
        return refuse_raster(reader, &places[rows - 1], "the last line of the raster is not complete",
                             fnd_phrase_make("%d of its points", rows - across * along).text,
                             fnd_phrase_make("%d points along x", across).text);
    double *heights = fnd_keep(reader, (size_t)rows, sizeof *heights);
    double *x = fnd_keep(reader, (size_t)across, sizeof *x), *y = fnd_keep(reader, (size_t)along, sizeof *y);
    if (!heights || !x || !y) return false;
    for (int i = 0; i < across; i++) x[i] = values[3 * i];
    for (int j = 0; j < along; j++) y[j] = values[3 * (size_t)j * (size_t)across + 1];
    for (int k = 0; k < rows; k++) heights[k] = values[3 * k + 2];
    *grid = (fender_grid_def){.count_x = across,
                              .count_y = along,
                              .lower = {x[0], y[0]},
                              .spacing = {(x[across - 1] - x[0]) / (across - 1), (y[along - 1] - y[0]) / (along - 1)},
                              .heights = heights};
    if (!is_even(x, across, grid->spacing.x) || !is_even(y, along, grid->spacing.y)) {
        data->grid_x = x;
        data->grid_y = y;
    }
    return true;
}

static bool read_plane_pair(fnd_reader *reader, const fnd_node *node, const char *name, fender_vec2 *pair)
{
    double v[2];
    if (!fnd_read_numbers(reader, node, name, "m", 2, v)) return false;
    *pair = (fender_vec2){v[0], v[1]};
    return true;
}

/* A list of `count` places along an axis; kept. */
static bool read_lines(fnd_reader *reader, const fnd_node *node, const char *name, int count, const double **lines)
{
    double *values = fnd_keep(reader, (size_t)count, sizeof *values);
    if (!values || !fnd_read_numbers(reader, node, name, "m", count, values)) return false;
    *lines = values;
    return true;
}

/* Heights in the scenario, with spacing and lower, or with x and y. */
static bool read_raster(fnd_reader *reader, const fnd_node *node, const fnd_node *given, fnd_shape_data *data)
{
    fender_grid_def *grid = &data->grid;
    const fnd_node *spacing = fnd_node_find(node, "spacing"), *lower = fnd_node_find(node, "lower");
    const fnd_node *x = fnd_node_find(node, "x"), *y = fnd_node_find(node, "y"), *even = spacing ? spacing : lower;
    double *values;
    int rows = 0, columns = 0;
    bool good = true;
    if (!even && (x || y)) {
        if (!x) x = fnd_require(reader, node, "x", "the grid", "[0, 1, 3, m]");
        if (!y) y = fnd_require(reader, node, "y", "the grid", "[0, 1, 3, m]");
        if (!x || !y || !fnd_read_rows(reader, given, "heights", "m", &columns, &values, &rows)) return false;
        good = read_lines(reader, x, "x", columns, &data->grid_x);
        good = read_lines(reader, y, "y", rows, &data->grid_y) && good;
    } else {
        if (x || y) {
            const fnd_node *line = x ? x : y;
            fnd_complain(reader, &line->key_location, FENDER_STATUS_ARGUMENT,
                         fnd_phrase_make("'%s' cannot be combined with '%s'", line->key, even->key).text, line->key,
                         "x and y (where the columns and rows are), or spacing and lower", "remove one of them");
            return false;
        }
        if (!spacing) spacing = fnd_require(reader, node, "spacing", "the grid", "[1, 1, m]");
        good = spacing && read_plane_pair(reader, spacing, "spacing", &grid->spacing);
        if (lower) good = read_plane_pair(reader, lower, "lower", &grid->lower) && good;
        if (!fnd_read_rows(reader, given, "heights", "m", &columns, &values, &rows)) return false;
    }
    grid->count_x = columns;
    grid->count_y = rows;
    grid->heights = values;
    return good;
}

/* No terrain is as steep; the same bound as of files of terrain (src/import). */
#define CLIFF 300

static bool is_cliff(double a, double b, const double *lines, int i, double spacing)
{
    const double distance = lines ? lines[i + 1] - lines[i] : spacing;
    return distance > 0 && fabs(b - a) > CLIFF * distance;
}

/* Heights that stand for missing ones, such as -9999, are pits. */
static void warn_of_cliffs(fnd_reader *reader, const fnd_node *given, const fnd_shape_data *data)
{
    const fender_grid_def *grid = &data->grid;
    double low = INFINITY, high = -INFINITY;
    int64_t cliffs = 0;
    for (int j = 0; j < grid->count_y; j++) {
        const double *row = grid->heights + (size_t)j * (size_t)grid->count_x;
        for (int i = 0; i < grid->count_x; i++) {
            low = row[i] < low ? row[i] : low;
            high = row[i] > high ? row[i] : high;
            if (i + 1 < grid->count_x) cliffs += is_cliff(row[i], row[i + 1], data->grid_x, i, grid->spacing.x);
            if (j + 1 < grid->count_y)
                cliffs += is_cliff(row[i], row[i + grid->count_x], data->grid_y, j, grid->spacing.y);
        }
    }
    if (cliffs == 0) return;
    fnd_diagnostic_add(reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK, &given->key_location,
                       "the grid has cliffs of more than 300 times the distance of its heights",
                       fnd_phrase_make("%lld of them, heights between %s and %s m", (long long)cliffs,
                                       fnd_digits(low, "").text, fnd_digits(high, "").text)
                           .text,
                       "distances in the unit of the heights, and no marks of missing heights, such as -9999",
                       "write a height in place of each mark; geometries with esri, raw or gdal treat missing ones "
                       "(no_data)");
}

bool fnd_read_grid(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const char *const keys[] = {"heights", "spacing", "lower", "x", "y", "file", "hazard_field", NULL};
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_GRID;
    if (!fnd_expect_map(reader, node, "grid")) return false;
    bool good = fnd_check_keys(reader, node, "a grid", keys);
    fnd_shape_data *data = make_data(reader, shape);
    fnd_node *generated = fnd_node_find(node, "hazard_field");
    if (generated) {
        const fnd_node *other = generated == node->first ? generated->next : node->first;
        if (good && other)
            fnd_complain(
                reader, &other->key_location, FENDER_STATUS_ARGUMENT,
                fnd_phrase_make("'%s' cannot be combined with 'hazard_field', which defines the whole grid", other->key)
                    .text,
                other->key, "hazard_field alone", "remove it");
        return good && !other && data && fnd_read_hazard_field(reader, generated, &data->grid);
    }
    const fnd_node *given = good && data ? either(reader, node, "heights", "file", "the grid") : NULL;
    if (!given) return false;
    if (strcmp(given->key, "file") == 0) {
        static const char *const names[3] = {"x", "y", "height"}, *const others[] = {"spacing", "lower", "x", "y",
                                                                                     NULL};
        double *values;
        fnd_location *places;
        int rows = 0;
        for (const char *const *key = others; *key; key++) {
            const fnd_node *second = fnd_node_find(node, *key);
            if (!second) continue;
            fnd_complain(
                reader, &second->key_location, FENDER_STATUS_ARGUMENT,
                fnd_phrase_make("'%s' cannot be combined with 'file', whose columns x and y define it", second->key)
                    .text,
                second->key, "file alone, or heights with spacing", "remove it");
            return false;
        }
        data->file = (fnd_named){given->text, given->location};
        good = read_table(reader, given, names, &values, &rows, &places) &&
               raster_of_table(reader, given, values, rows, places, data);
    } else good = read_raster(reader, node, given, data);
    if (good) warn_of_cliffs(reader, given, data);
    return good;
}
