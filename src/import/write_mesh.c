/* Meshes into files: binary STL, OBJ, binary PLY in double. */
#include <math.h>
#include <string.h>

#include "import/import.h"
#include "support/fault.h"
#include "support/file.h"

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
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_VALUE,
                                             .source = path,
                                             .message = message.text,
                                             .found = found.text,
                                             .expected = "numbers that 32 bits hold to a millionth of an edge",
                                             .suggestion = "write .ply or .obj, which keep all bits"});
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
        return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_ARGUMENT,
                                                 .message = "no mesh can be written under that name",
                                                 .found = path ? path : "",
                                                 .expected = "a name that ends in .stl, .obj or .ply",
                                                 .suggestion = ".ply keeps all bits"});
    fender_status status = format == FENDER_MESH_FORMAT_STL ? check_stl(&o, path, error) : FENDER_STATUS_OK;
    if (status == FENDER_STATUS_OK) status = fnd_writer_open(&o.to, &own.allocator, path, 0, error);
    if (status != FENDER_STATUS_OK) return status;
    if (format == FENDER_MESH_FORMAT_STL) put_stl(&o);
    else if (format == FENDER_MESH_FORMAT_OBJ) put_obj(&o);
    else put_ply(&o);
    return fnd_writer_close(&o.to, false, error);
}
