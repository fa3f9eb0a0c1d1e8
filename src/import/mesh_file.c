/* The published form of mesh files: reading, checking, writing. */
#include "import/import.h"

#include "support/file.h"
#include "support/io_error.h"

#include <math.h>
#include <string.h>

struct fender_mesh_file {
    fnd_import import; /* def, bytes, name and error are not valid any more */
};

/* ---- formats */

const char *fender_mesh_format_name(fender_mesh_format format)
{
    static const char *const names[FENDER_MESH_FORMAT_COUNT] = {"by name", "stl",  "obj", "ply",
                                                                "ac3d",    "esri", "raw", "gdal"};
    return (unsigned)format < FENDER_MESH_FORMAT_COUNT ? names[format] : NULL;
}

fender_mesh_format fender_mesh_format_of(const char *path)
{
    static const struct {
        const char *ending;
        fender_mesh_format format;
    } endings[] = {
        {".stl", FENDER_MESH_FORMAT_STL},  {".obj", FENDER_MESH_FORMAT_OBJ},   {".ply", FENDER_MESH_FORMAT_PLY},
        {".ac", FENDER_MESH_FORMAT_AC3D},  {".asc", FENDER_MESH_FORMAT_ESRI},  {".raw", FENDER_MESH_FORMAT_RAW},
        {".tif", FENDER_MESH_FORMAT_GDAL}, {".tiff", FENDER_MESH_FORMAT_GDAL}, {".img", FENDER_MESH_FORMAT_GDAL},
        {".lbl", FENDER_MESH_FORMAT_GDAL}, {".vrt", FENDER_MESH_FORMAT_GDAL}};
    for (size_t i = 0; path && i < sizeof endings / sizeof endings[0]; i++)
        if (fnd_has_ending(path, endings[i].ending)) return endings[i].format;
    return FENDER_MESH_FORMAT_BY_NAME;
}

fender_mesh_import fender_mesh_import_default(void)
{
    return (fender_mesh_import){.unit = 1, .scale = {1, 1, 1}, .stride = 1};
}

/* ---- reading */

static bool check_def(fnd_import *import)
{
    const fender_mesh_import *d = import->def;
    const struct {
        bool good;
        const char *message;
        fnd_words found;
        const char *expected;
    } checks[] = {
        {d->unit > 0 && isfinite(d->unit), "the unit is not a length above 0", fnd_words_number(d->unit),
         "more than 0 m"},
        {d->weld >= 0 && isfinite(d->weld), "'weld' is not a length", fnd_words_number(d->weld), "0 m or more"},
        {d->cluster >= 0 && isfinite(d->cluster), "'cluster' is not a length", fnd_words_number(d->cluster),
         "0 m or more"},
        {d->stride >= 1, "the stride is not a positive integer", fnd_words_make("%d", d->stride), "1 or more"},
        {isfinite(d->up.x + d->up.y + d->up.z), "'up' is not a direction",
         fnd_words_number(d->up.x + d->up.y + d->up.z), "a finite vector"},
        {d->gaps != FENDER_GAPS_FILL || fabs(d->fill_height) <= 1e100, "the height of gaps is not finite",
         fnd_words_number(d->fill_height), "a finite height"},
    };
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (checks[i].good) continue;
        return fnd_import_refuse_value(import, checks[i].message, checks[i].found.text, checks[i].expected, "");
    }
    return true;
}

static bool unknown_format(fnd_import *import)
{
    const char *slash = strrchr(import->name, '/'), *name = slash ? slash + 1 : import->name;
    fnd_words found = fnd_words_of(name, strlen(name));
    FND_IO_FAIL(import->error, .status = FENDER_STATUS_ARGUMENT, .source = import->name,
                .message = fnd_words_make("'%s' is not a mesh file", found.text).text, .found = found.text,
                .expected = "a name that ends in .stl, .obj, .ply, .ac, .asc or .raw",
                .suggestion = "convert it to STL, OBJ or PLY, or name the format");
    return false;
}

/* Texts of two bytes a character would be empty files for readers of lines. */
static bool is_utf16(const fnd_import *import)
{
    const unsigned char *b = import->bytes;
    fender_mesh_format format = import->report.format;
    bool text = format == FENDER_MESH_FORMAT_OBJ || format == FENDER_MESH_FORMAT_PLY ||
                format == FENDER_MESH_FORMAT_AC3D || format == FENDER_MESH_FORMAT_ESRI;
    return text && import->length >= 2 && ((b[0] == 0xFF && b[1] == 0xFE) || (b[0] == 0xFE && b[1] == 0xFF));
}

static bool read_by_format(fnd_import *import)
{
    if (is_utf16(import))
        return fnd_import_refuse(import, 1, "the file is UTF-16", "a UTF-16 byte order mark", "ASCII or UTF-8",
                                 "save the file as UTF-8");
    switch (import->report.format) {
    case FENDER_MESH_FORMAT_STL: return fnd_import_stl(import);
    case FENDER_MESH_FORMAT_OBJ: return fnd_import_obj(import);
    case FENDER_MESH_FORMAT_PLY: return fnd_import_ply(import);
    case FENDER_MESH_FORMAT_AC3D: return fnd_import_ac3d(import);
    case FENDER_MESH_FORMAT_ESRI: return fnd_import_esri(import);
    case FENDER_MESH_FORMAT_RAW: return fnd_import_raw(import);
    case FENDER_MESH_FORMAT_GDAL: return fnd_import_gdal(import);
    case FENDER_MESH_FORMAT_BY_NAME:
    case FENDER_MESH_FORMAT_COUNT: break;
    }
    return unknown_format(import);
}

static bool read_all(fnd_import *import)
{
    import->report.format = import->def->format != FENDER_MESH_FORMAT_BY_NAME ? import->def->format
                                                                              : fender_mesh_format_of(import->name);
    if (!check_def(import) || !read_by_format(import)) return false;
    import->report.file_vertices = import->heights ? (int64_t)import->columns * import->rows
                                                   : (int64_t)import->vertex_count;
    import->report.file_polygons = (int64_t)import->size_count;
    if (!fnd_import_scale(import)) return false;
    if (import->heights && !fnd_import_grid(import)) return false;
    return import->heights || (fnd_import_weld(import) && fnd_import_triangulate(import) &&
                               fnd_import_cluster(import) && fnd_import_mend(import));
}

fender_mesh_file *fender_mesh_file_parse(const fender_env *env, const char *name, const void *bytes, size_t length,
                                         const fender_mesh_import *def, fender_error *error)
{
    if (!fnd_io_env_usable(env, error)) return NULL;
    fender_env own = env ? *env : fender_env_default();
    fender_error spare = {0};
    fender_mesh_import standard = fender_mesh_import_default();
    if (!error) error = &spare;
    fender_mesh_file *mesh = own.allocator.allocate(own.allocator.ctx, sizeof *mesh, _Alignof(max_align_t));
    if (!mesh) {
        fnd_io_fail_memory(error, "a mesh");
        return NULL;
    }
    memset(mesh, 0, sizeof *mesh);
    mesh->import.env = own;
    mesh->import.name = name ? name : "";
    mesh->import.bytes = bytes ? bytes : (const void *)"";
    mesh->import.length = bytes ? length : 0;
    mesh->import.def = def ? def : &standard;
    mesh->import.error = error;
    bool good = read_all(&mesh->import) && fnd_import_measure(&mesh->import);
    mesh->import.name = NULL;
    mesh->import.bytes = NULL;
    mesh->import.def = NULL;
    mesh->import.error = NULL;
    if (good) return mesh;
    fender_mesh_file_destroy(mesh);
    return NULL;
}

/* "dem.raw.hdr", or "dem.hdr". False when there is neither; *name is then NULL. */
static bool find_header(const fender_env *env, const char *path, fnd_file *file, char **name, size_t *name_size)
{
    size_t length = strlen(path);
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    *name_size = length + 5;
    *name = env->allocator.allocate(env->allocator.ctx, *name_size, 1);
    if (!*name) return false;
    for (int form = 0; form < 2; form++) {
        size_t stem = form == 0 || !dot || (slash && dot < slash) ? length : (size_t)(dot - path);
        memcpy(*name, path, stem);
        memcpy(*name + stem, ".hdr", 5);
        fender_error ignored = {0};
        if (fnd_file_read(&env->allocator, *name, (size_t)1 << 20, FND_FILE_BYTES, file, &ignored) == FENDER_STATUS_OK)
            return true;
    }
    return false;
}

fender_mesh_file *fender_mesh_file_read(const fender_env *env, const char *path, const fender_mesh_import *def,
                                        fender_error *error)
{
    if (!fnd_io_env_usable(env, error)) return NULL;
    fender_env own = env ? *env : fender_env_default();
    fender_mesh_import import = def ? *def : fender_mesh_import_default();
    fnd_file file, header = {NULL, 0, 0};
    char *header_name = NULL;
    size_t header_size = 0;
    if (!path) path = "";
    if (fnd_file_read(&own.allocator, path, FENDER_MESH_FILE_LIMIT, FND_FILE_BYTES, &file, error) != FENDER_STATUS_OK)
        return NULL;
    fender_mesh_format format = import.format != FENDER_MESH_FORMAT_BY_NAME ? import.format
                                                                            : fender_mesh_format_of(path);
    bool wants_header = format == FENDER_MESH_FORMAT_RAW && !import.header && import.raster.columns == 0;
    if (wants_header && find_header(&own, path, &header, &header_name, &header_size)) {
        import.header = header.text;
        import.header_length = header.length;
        import.header_name = header_name;
    }
    fender_mesh_file *mesh = fender_mesh_file_parse(&own, path, file.text, file.length, &import, error);
    fnd_file_release(&own.allocator, &file);
    fnd_file_release(&own.allocator, &header);
    if (header_name) own.allocator.release(own.allocator.ctx, header_name, header_size);
    return mesh;
}

void fender_mesh_file_destroy(fender_mesh_file *mesh)
{
    if (!mesh) return;
    fnd_import *i = &mesh->import;
    fnd_import_release(i, i->vertices, i->vertex_capacity, sizeof *i->vertices);
    fnd_import_release(i, i->corners, i->corner_capacity, sizeof *i->corners);
    fnd_import_release(i, i->sizes, i->size_capacity, sizeof *i->sizes);
    fnd_import_release(i, i->heights, i->height_capacity, sizeof *i->heights);
    fender_allocator allocator = i->env.allocator;
    allocator.release(allocator.ctx, mesh, sizeof *mesh);
}

/* ---- what was read */

const fender_mesh_report *fender_mesh_file_report(const fender_mesh_file *mesh) { return &mesh->import.report; }

fender_mesh_def fender_mesh_file_triangles(const fender_mesh_file *mesh)
{
    const fnd_import *i = &mesh->import;
    if (i->heights) return (fender_mesh_def){NULL, 0, NULL, 0};
    return (fender_mesh_def){i->vertices, (int)i->vertex_count, i->corners, (int)(i->corner_count / 3)};
}

fender_grid_def fender_mesh_file_grid(const fender_mesh_file *mesh)
{
    const fnd_import *i = &mesh->import;
    return (fender_grid_def){i->columns, i->rows, i->lower, i->spacing, i->heights};
}

fender_geometry *fender_mesh_file_geometry(const fender_mesh_file *mesh, const fender_env *env, fender_error *error)
{
    fender_grid_def grid = fender_mesh_file_grid(mesh);
    fender_mesh_def triangles = fender_mesh_file_triangles(mesh);
    const fender_env *own = env ? env : &mesh->import.env;
    return grid.heights ? fender_geometry_grid(own, &grid, error) : fender_geometry_mesh(own, &triangles, error);
}

/* ---- writing */

typedef struct output {
    const fender_mesh_report *report;
    fender_mesh_def mesh;
    fender_grid_def grid;
    fnd_writer to;
} output;

/* Vertices and triangles of meshes and grids alike. */
static size_t vertex_count(const output *o)
{
    return o->grid.heights ? (size_t)o->grid.count_x * (size_t)o->grid.count_y : (size_t)o->mesh.vertex_count;
}
static size_t triangle_count(const output *o)
{
    return o->grid.heights ? 2 * (size_t)(o->grid.count_x - 1) * (size_t)(o->grid.count_y - 1)
                           : (size_t)o->mesh.triangle_count;
}
static fender_vec3 vertex(const output *o, size_t index)
{
    fender_vec3 local;
    if (o->grid.heights) {
        size_t i = index % (size_t)o->grid.count_x, j = index / (size_t)o->grid.count_x;
        local = fender_vec3_make(o->grid.lower.x + (double)i * o->grid.spacing.x,
                                 o->grid.lower.y + (double)j * o->grid.spacing.y, o->grid.heights[index]);
    } else local = o->mesh.vertices[index];
    return fender_vec3_add(local, o->report->origin);
}
static void triangle(const output *o, size_t index, uint32_t corners[3])
{
    if (!o->grid.heights) {
        for (int k = 0; k < 3; k++) corners[k] = (uint32_t)o->mesh.triangles[3 * index + (size_t)k];
        return;
    }
    size_t columns = (size_t)o->grid.count_x, cell = index / 2;
    size_t near = cell / (columns - 1) * columns + cell % (columns - 1), far = near + columns + 1;
    corners[0] = (uint32_t)near;
    corners[1] = (uint32_t)(index % 2 == 0 ? near + 1 : far);
    corners[2] = (uint32_t)(index % 2 == 0 ? far : near + columns);
}

static void put_bits(output *o, uint64_t bits, int size)
{
    unsigned char bytes[8];
    for (int i = 0; i < size; i++) bytes[i] = (unsigned char)(bits >> 8 * i & 255);
    fnd_writer_bytes(&o->to, bytes, (size_t)size);
}
static void put_float(output *o, double value)
{
    float small = (float)value;
    uint32_t bits;
    memcpy(&bits, &small, sizeof bits);
    put_bits(o, bits, 4);
}
static void put_double(output *o, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bits(o, bits, 8);
}

/* How far 32-bit numbers move a vertex at most. */
static double rounding_of(const output *o)
{
    double most = 0;
    for (size_t i = 0; i < vertex_count(o); i++) {
        fender_vec3 v = vertex(o, i);
        const double parts[3] = {v.x, v.y, v.z};
        for (int k = 0; k < 3; k++) {
            double moved = fabs(parts[k]) < 3e38 ? fabs((double)(float)parts[k] - parts[k]) : INFINITY;
            most = moved > most ? moved : most;
        }
    }
    return most;
}

static fender_status check_stl(const output *o, const char *path, fender_error *error)
{
    double moved = rounding_of(o);
    if (moved <= 1e-6 * o->report->shortest_edge) return FENDER_STATUS_OK;
    fnd_words found = fnd_words_number(moved), edge = fnd_words_number(o->report->shortest_edge);
    fnd_words message = fnd_words_make("STL would move a vertex by %s m; the shortest edge is %s m", found.text,
                                       edge.text);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .source = path, .message = message.text,
                       .found = found.text, .expected = "numbers that 32 bits hold to a millionth of an edge",
                       .suggestion = "write .ply or .obj, which keep all bits");
}

static void put_stl(output *o)
{
    char title[80];
    memset(title, ' ', sizeof title);
    memcpy(title, "binary STL, lengths in m", 24);
    fnd_writer_bytes(&o->to, title, sizeof title);
    put_bits(o, triangle_count(o), 4);
    for (size_t i = 0; i < triangle_count(o); i++) {
        uint32_t c[3];
        triangle(o, i, c);
        fender_vec3 v[3] = {vertex(o, c[0]), vertex(o, c[1]), vertex(o, c[2])};
        fender_vec3 n = fnd_import_area_vector(v[0], v[1], v[2]);
        double length = fender_vec3_length(n);
        if (length > 0) n = fender_vec3_scale(1 / length, n);
        const fender_vec3 all[4] = {n, v[0], v[1], v[2]};
        for (int k = 0; k < 4; k++) {
            put_float(o, all[k].x);
            put_float(o, all[k].y);
            put_float(o, all[k].z);
        }
        put_bits(o, 0, 2);
    }
}

static void put_obj(output *o)
{
    fnd_writer_text(&o->to, "# lengths in m\n");
    for (size_t i = 0; i < vertex_count(o); i++) {
        fender_vec3 v = vertex(o, i);
        const double parts[3] = {v.x, v.y, v.z};
        fnd_writer_char(&o->to, 'v');
        for (int k = 0; k < 3; k++) {
            fnd_writer_char(&o->to, ' ');
            fnd_writer_number(&o->to, parts[k]);
        }
        fnd_writer_char(&o->to, '\n');
    }
    for (size_t i = 0; i < triangle_count(o); i++) {
        uint32_t c[3];
        triangle(o, i, c);
        fnd_writer_text(&o->to, fnd_words_make("f %lu %lu %lu\n", (unsigned long)c[0] + 1, (unsigned long)c[1] + 1,
                                               (unsigned long)c[2] + 1)
                                    .text);
    }
}

static void put_ply(output *o)
{
    fnd_words counts = fnd_words_make("element vertex %zu\nproperty double x\nproperty double y\nproperty double z\n"
                                      "element face %zu\nproperty list uchar int vertex_indices\nend_header\n",
                                      vertex_count(o), triangle_count(o));
    fnd_writer_text(&o->to, "ply\nformat binary_little_endian 1.0\ncomment lengths in m\n");
    fnd_writer_text(&o->to, counts.text);
    for (size_t i = 0; i < vertex_count(o); i++) {
        fender_vec3 v = vertex(o, i);
        put_double(o, v.x);
        put_double(o, v.y);
        put_double(o, v.z);
    }
    for (size_t i = 0; i < triangle_count(o); i++) {
        uint32_t c[3];
        triangle(o, i, c);
        put_bits(o, 3, 1);
        for (int k = 0; k < 3; k++) put_bits(o, c[k], 4);
    }
}

fender_status fender_mesh_file_write(const fender_mesh_file *mesh, const fender_env *env, const char *path,
                                     fender_error *error)
{
    if (!fnd_io_env_usable(env, error)) return FENDER_STATUS_ARGUMENT;
    fender_env own = env ? *env : fender_env_default();
    output o = {.report = fender_mesh_file_report(mesh),
                .mesh = fender_mesh_file_triangles(mesh),
                .grid = fender_mesh_file_grid(mesh)};
    fender_mesh_format format = fender_mesh_format_of(path);
    if (format != FENDER_MESH_FORMAT_STL && format != FENDER_MESH_FORMAT_OBJ && format != FENDER_MESH_FORMAT_PLY)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT,
                           .message = "the extension selects no mesh format for writing", .found = path ? path : "",
                           .expected = "a name that ends in .stl, .obj or .ply", .suggestion = ".ply keeps all bits");
    fender_status status = format == FENDER_MESH_FORMAT_STL ? check_stl(&o, path, error) : FENDER_STATUS_OK;
    if (status == FENDER_STATUS_OK) status = fnd_writer_open(&o.to, &own.allocator, path, 0, error);
    if (status != FENDER_STATUS_OK) return status;
    if (format == FENDER_MESH_FORMAT_STL) put_stl(&o);
    else if (format == FENDER_MESH_FORMAT_OBJ) put_obj(&o);
    else put_ply(&o);
    return fnd_writer_close(&o.to, false, error);
}
