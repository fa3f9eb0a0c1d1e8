/* `fender mesh`: what a file of terrain or of a solid holds, what had to be mended, and the mended mesh in a file. */
#include <stdio.h>
#include <string.h>

#include <fender/mesh_file.h>
#include <fender/units.h>

#include "app.h"
#include "support/number.h"

static const fnd_app_option options[] = {
    {"--unit", "UNIT", "unit of the numbers in the file, for example mm (default m)"},
    {"--format", "stl|obj|ply|ac3d|esri|raw|gdal", "format of the file (default: by the file's name)"},
    {"--scale", "FACTOR", "factor in addition to the unit (default 1)"},
    {"--weld", "LENGTH", "merge vertices nearer than this, for example 1um (default 0: identical vertices)"},
    {"--cluster", "LENGTH", "replace the vertices in each cube of this size by their mean, for coarser meshes"},
    {"--stride", "N", "keep every Nth row and column of a grid (default 1)"},
    {"--no-data", "WHAT", "missing heights of a grid: refuse (default), spread, hole, or a height"},
    {"--facing", "mend|alike",
     "mend (default): parts face outward or up; alike: consistent orientation, no part flipped"},
    {"--write", "FILE", "write the repaired mesh: .ply (all bits), .obj (all bits), .stl"},
};

/* ---- options */

static int bad_value(fnd_app *app, const char *option, const char *value, const char *expected)
{
    char message[160];
    snprintf(message, sizeof message, "'%.60s' is not a valid value of %s", value, option);
    return fnd_app_usage(app, message, expected);
}

static int read_quantity(fnd_app *app, const char *option, const char *unit, double *value)
{
    fender_error error = {0};
    const char *text = fnd_app_option_value(app, option);
    if (!text || fender_quantity_parse(text, strlen(text), unit, value, &error) == FENDER_STATUS_OK) return FND_APP_OK;
    return bad_value(app, option, text, error.message);
}

static int read_format(fnd_app *app, fender_mesh_import *import)
{
    const char *text = fnd_app_option_value(app, "--format");
    if (!text) return FND_APP_OK;
    for (int i = 1; i < FENDER_MESH_FORMAT_COUNT; i++)
        if (strcmp(text, fender_mesh_format_name((fender_mesh_format)i)) == 0) {
            import->format = (fender_mesh_format)i;
            return FND_APP_OK;
        }
    return bad_value(app, "--format", text, "one of: stl, obj, ply, ac3d, esri, raw, gdal");
}

static int read_gaps(fnd_app *app, fender_mesh_import *import)
{
    const char *text = fnd_app_option_value(app, "--no-data");
    if (!text || strcmp(text, "refuse") == 0) return FND_APP_OK;
    import->gaps = strcmp(text, "spread") == 0 ? FENDER_GAPS_SPREAD
                   : strcmp(text, "hole") == 0 ? FENDER_GAPS_HOLE
                                               : FENDER_GAPS_FILL;
    if (import->gaps != FENDER_GAPS_FILL) return FND_APP_OK;
    return read_quantity(app, "--no-data", "m", &import->fill_height);
}

static int read_options(fnd_app *app, fender_mesh_import *import)
{
    double scale = 1, stride = 1;
    const char *unit = fnd_app_option_value(app, "--unit"), *facing = fnd_app_option_value(app, "--facing");
    fender_error error = {0};
    if (unit && fender_unit_to_si(1, unit, "m", &import->unit, &error) != FENDER_STATUS_OK)
        return bad_value(app, "--unit", unit, error.message);
    int code = read_format(app, import);
    if (code == FND_APP_OK) code = read_quantity(app, "--scale", "1", &scale);
    if (code == FND_APP_OK) code = read_quantity(app, "--weld", "m", &import->weld);
    if (code == FND_APP_OK) code = read_quantity(app, "--cluster", "m", &import->cluster);
    if (code == FND_APP_OK) code = read_quantity(app, "--stride", "1", &stride);
    if (code == FND_APP_OK) code = read_gaps(app, import);
    if (code != FND_APP_OK) return code;
    if (!(stride >= 1 && stride <= 1e6) || stride != (int)stride)
        return bad_value(app, "--stride", fnd_app_option_value(app, "--stride"), "a whole number, 1 or more");
    if (facing && strcmp(facing, "alike") != 0 && strcmp(facing, "mend") != 0)
        return bad_value(app, "--facing", facing, "one of: mend, alike");
    if (facing && strcmp(facing, "alike") == 0) import->facing = FENDER_FACING_ALIKE;
    import->scale = fender_vec3_make(scale, scale, scale);
    import->stride = (int)stride;
    return FND_APP_OK;
}

/* ---- the report */

typedef struct line {
    int64_t count;
    const char *key, *text;
} line;
enum { MENDED = 8, DOUBTFUL = 7 };

static void list_mended(const fender_mesh_report *r, line lines[MENDED])
{
    const line all[MENDED] = {
        {r->welded, "welded", "vertices merged"},
        {r->unused, "unused", "vertices without a facet dropped"},
        {r->degenerate, "degenerate", "facets without area dropped"},
        {r->duplicate, "duplicate", "duplicate facets dropped"},
        {r->flipped, "flipped", "facets flipped to agree with their neighbours"},
        {r->flipped_parts, "flipped_parts", "parts flipped: inside out or upside down"},
        {r->gaps, "gaps", "places without a height"},
        {r->other, "other", "lines and points ignored"},
    };
    memcpy(lines, all, sizeof all);
}

static void list_doubtful(const fender_mesh_report *r, line lines[DOUBTFUL])
{
    const line all[DOUBTFUL] = {
        {r->crossed_polygons, "crossed_polygons", "polygons cross themselves"},
        {r->border_edges, "border_edges", "edges of one facet: rims of the surface"},
        {r->holes, "holes", "rims (an open sheet has one, its border)"},
        {r->crowded_edges, "crowded_edges", "edges of more than two facets"},
        {r->one_sided, "one_sided", "edges across which facets cannot be oriented consistently"},
        {r->unit_suspect, "unit_suspect", "unusual size: check the unit"},
        {r->cliffs, "cliffs", "cliffs: a grid in degrees, or missing heights that are not marked?"},
    };
    memcpy(lines, all, sizeof all);
}

static void put_lines(fnd_app *app, const char *title, const line *lines, int count)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        if (lines[i].count == 0) continue;
        fnd_app_print(&app->out, "%-12s%12lld  %s\n", any ? "" : title, (long long)lines[i].count, lines[i].text);
        any = true;
    }
    if (!any) fnd_app_print(&app->out, "%-12s%12s\n", title, "nothing");
}

/* Ten digits: of a piece of a planet six would not tell one corner from another. */
static void put_point(fnd_app *app, const char *before, fender_vec3 point)
{
    const double parts[3] = {point.x, point.y, point.z};
    for (int k = 0; k < 3; k++) {
        char text[FND_NUMBER_SIZE];
        (void)fnd_number_format_digits(parts[k] + 0.0, 10, text, sizeof text);
        fnd_app_print(&app->out, "%s%s", k == 0 ? before : ", ", text);
    }
    fnd_app_put(&app->out, "]");
}

static void put_text(fnd_app *app, const char *path, const fender_mesh_report *r)
{
    char a[3 * FND_APP_NUMBER_SIZE], n[FND_APP_NUMBER_SIZE], m[FND_APP_NUMBER_SIZE];
    line mended[MENDED], doubtful[DOUBTFUL];
    fender_vec3 sides = fender_vec3_sub(r->bounds.upper, r->bounds.lower);
    fnd_app_put_clean(&app->out, path);
    fnd_app_print(&app->out, "   %s: %lld vertices", fender_mesh_format_name(r->format), (long long)r->file_vertices);
    if (r->is_grid)
        fnd_app_print(&app->out, ", a grid; kept %d x %d, %s x %s m apart\n", r->columns, r->rows,
                      fnd_app_number(n, r->spacing.x), fnd_app_number(m, r->spacing.y));
    else fnd_app_print(&app->out, ", %lld polygons\n", (long long)r->file_polygons);
    fnd_app_print(&app->out, "surface     %12lld  facets, %lld vertices, %lld %s, %s\n", (long long)r->facets,
                  (long long)r->vertices, (long long)r->parts, fnd_app_plural(r->parts, "part", "parts"),
                  r->closed ? "closed" : "open");
    put_point(app, "box         [", r->bounds.lower);
    put_point(app, " to [", r->bounds.upper);
    fnd_app_put(&app->out, " m\n");
    fnd_app_print(&app->out, "size        %s m\n", fnd_app_vector(a, sides));
    fnd_app_print(&app->out, "edges       %s to %s\n", fnd_app_quantity(n, r->shortest_edge, "m"),
                  fnd_app_quantity(m, r->longest_edge, "m"));
    fnd_app_print(&app->out, "area        %s\n", fnd_app_quantity(n, r->area, "m^2"));
    if (r->closed) fnd_app_print(&app->out, "volume      %s\n", fnd_app_quantity(n, r->volume, "m^3"));
    if (fender_vec3_dot(r->origin, r->origin) > 0) {
        put_point(app, "origin      [", r->origin);
        fnd_app_put(&app->out, " m: vertices are relative to it\n");
    }
    list_mended(r, mended);
    list_doubtful(r, doubtful);
    put_lines(app, "mended", mended, MENDED);
    put_lines(app, "look at", doubtful, DOUBTFUL);
}

static void put_json(fnd_app *app, const char *path, const fender_mesh_report *r)
{
    fnd_app_json json;
    line mended[MENDED], doubtful[DOUBTFUL];
    list_mended(r, mended);
    list_doubtful(r, doubtful);
    fnd_app_json_open(&json, &app->out);
    fnd_app_json_object(&json, NULL);
    fnd_app_json_text(&json, "file", path);
    fnd_app_json_text(&json, "format", fender_mesh_format_name(r->format));
    fnd_app_json_integer(&json, "file_vertices", r->file_vertices);
    fnd_app_json_integer(&json, "file_polygons", r->file_polygons);
    fnd_app_json_bool(&json, "grid", r->is_grid);
    fnd_app_json_integer(&json, "columns", r->columns);
    fnd_app_json_integer(&json, "rows", r->rows);
    fnd_app_json_integer(&json, "vertices", r->vertices);
    fnd_app_json_integer(&json, "facets", r->facets);
    fnd_app_json_integer(&json, "parts", r->parts);
    fnd_app_json_bool(&json, "closed", r->closed);
    fnd_app_json_vector(&json, "lower", r->bounds.lower);
    fnd_app_json_vector(&json, "upper", r->bounds.upper);
    fnd_app_json_vector(&json, "origin", r->origin);
    fnd_app_json_number(&json, "shortest_edge", r->shortest_edge);
    fnd_app_json_number(&json, "longest_edge", r->longest_edge);
    fnd_app_json_number(&json, "area", r->area);
    fnd_app_json_number(&json, "volume", r->volume);
    fnd_app_json_object(&json, "mended");
    for (int i = 0; i < MENDED; i++) fnd_app_json_integer(&json, mended[i].key, mended[i].count);
    fnd_app_json_end(&json);
    fnd_app_json_object(&json, "doubtful");
    for (int i = 0; i < DOUBTFUL; i++) fnd_app_json_integer(&json, doubtful[i].key, doubtful[i].count);
    fnd_app_json_end(&json);
    fnd_app_json_end(&json);
}

static int execute(fnd_app *app)
{
    const char *path = app->arguments[0], *to = fnd_app_option_value(app, "--write");
    fender_mesh_import import = fender_mesh_import_default();
    fender_error error = {0};
    int errors_before = app->error_count, code = read_options(app, &import);
    if (code != FND_APP_OK) return code;
    fender_mesh_file *mesh = fender_mesh_file_read(&app->env, path, &import, &error);
    if (mesh == NULL) return fnd_app_fail(app, &error, errors_before, "");
    const fender_mesh_report *report = fender_mesh_file_report(mesh);
    if (app->json) put_json(app, path, report);
    else if (!app->quiet) put_text(app, path, report);
    if (to != NULL && fender_mesh_file_write(mesh, &app->env, to, &error) != FENDER_STATUS_OK)
        code = fnd_app_fail(app, &error, errors_before, "nothing was written");
    else if (to != NULL && !app->json && !app->quiet) {
        fnd_app_put(&app->out, "written     ");
        fnd_app_put_clean(&app->out, to);
        fnd_app_put(&app->out, "\n");
    }
    fender_mesh_file_destroy(mesh);
    return code;
}

const fnd_app_command fnd_app_command_mesh = {
    .group = "Understand",
    .name = "mesh",
    .arguments = "FILE",
    .summary = "read, check and repair a mesh or height grid",
    .purpose = "read a mesh or height grid; show its contents, repairs and problems",
    .details =
        "Reads .stl, .obj, .ply, .ac (AC3D), .asc (ESRI ASCII grid), .raw (with an ENVI header .hdr beside it), and "
        "by\n"
        "GDAL, if built in, .tif, .img, .lbl, .vrt. Drops facets without area and duplicates, and orients the facets "
        "of\n"
        "each part consistently, closed parts outward and open parts up, as in a scenario that names the file.\n"
        "Holes are reported, not filled.\n",
    .example = "  fender mesh ground.stl --unit mm --write ground.ply",
    .files = "the file of --write",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute,
};
