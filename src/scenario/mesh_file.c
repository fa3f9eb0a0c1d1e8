/* Mesh files: reading by kind, welding of corners, test whether the triangles close. */
#include "scenario/mesh_file.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "scenario/tree.h"

/* ---- building */

static bool grow(fnd_mesh_builder *mesh, void **array, int *capacity, int count, size_t size)
{
    if (count < *capacity) return true;
    const fender_allocator *a = &mesh->reader->env.allocator;
    int larger = *capacity < 512 ? 1024 : *capacity < INT_MAX / 4 ? 2 * *capacity : 0;
    void *memory = larger ? a->allocate(a->ctx, (size_t)larger * size, _Alignof(max_align_t)) : NULL;
    if (!memory) {
        mesh->reader->memory_failed = true;
        return false;
    }
    if (*array) {
        memcpy(memory, *array, (size_t)count * size);
        a->release(a->ctx, *array, (size_t)*capacity * size);
    }
    *array = memory;
    *capacity = larger;
    return true;
}

bool fnd_mesh_add_corner(fnd_mesh_builder *mesh, fender_vec3 corner)
{
    void *array = mesh->corners;
    if (!grow(mesh, &array, &mesh->corner_capacity, mesh->corner_count, sizeof corner)) return false;
    mesh->corners = array;
    mesh->corners[mesh->corner_count++] = corner;
    return true;
}

bool fnd_mesh_add_triangle(fnd_mesh_builder *mesh, int32_t a, int32_t b, int32_t c)
{
    const int32_t corners[3] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        void *array = mesh->indices;
        if (!grow(mesh, &array, &mesh->index_capacity, mesh->index_count, sizeof a)) return false;
        mesh->indices = array;
        mesh->indices[mesh->index_count++] = corners[k];
    }
    return true;
}

bool fnd_mesh_complain(fnd_mesh_builder *mesh, int line, const char *message, const char *found, const char *expected,
                       const char *suggestion)
{
    fnd_place place = {mesh->source->name, line, 1, 1, ""};
    fnd_phrase whole = fnd_phrase_make("'%s': %s", fnd_shown(mesh->source->name).text, message);
    fnd_complain(mesh->reader, line > 0 ? &place : &mesh->source->named_at, FENDER_STATUS_PARSE,
                 line > 0 ? message : whole.text, found, expected, suggestion);
    return false;
}

static void release(fnd_mesh_builder *mesh)
{
    const fender_allocator *a = &mesh->reader->env.allocator;
    if (mesh->corners) a->release(a->ctx, mesh->corners, (size_t)mesh->corner_capacity * sizeof *mesh->corners);
    if (mesh->indices) a->release(a->ctx, mesh->indices, (size_t)mesh->index_capacity * sizeof *mesh->indices);
}

/* ---- hash tables of indices: 0 is free, else the number + 1 */

typedef struct hash_table {
    uint32_t *slots;
    size_t mask;
} hash_table;

static bool table_open(fnd_reader *reader, hash_table *table, int count)
{
    size_t size = 16;
    while (size < 2 * (size_t)count) size *= 2;
    const fender_allocator *a = &reader->env.allocator;
    table->slots = a->allocate(a->ctx, size * sizeof *table->slots, _Alignof(max_align_t));
    table->mask = size - 1;
    if (!table->slots) return reader->memory_failed = true, false;
    memset(table->slots, 0, size * sizeof *table->slots);
    return true;
}

static void table_close(fnd_reader *reader, hash_table *table)
{
    const fender_allocator *a = &reader->env.allocator;
    a->release(a->ctx, table->slots, (table->mask + 1) * sizeof *table->slots);
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}

static uint64_t hash_point(fender_vec3 p)
{
    uint64_t bits[3];
    memcpy(bits, &p, sizeof bits);
    return mix(mix(mix(1, bits[0]), bits[1]), bits[2]);
}

/* Corners of the same coordinates become one: `indices` is written anew, unused ones go. */
static bool weld(fnd_mesh_builder *mesh, fnd_shape_data *data)
{
    fnd_reader *reader = mesh->reader;
    hash_table table;
    fender_vec3 *points = fnd_keep(reader, (size_t)mesh->corner_count, sizeof *points);
    if (!points || !table_open(reader, &table, mesh->corner_count)) return false;
    int count = 0;
    for (int i = 0; i < mesh->index_count; i++) {
        fender_vec3 p = mesh->corners[mesh->indices[i]];
        size_t at = (size_t)hash_point(p) & table.mask;
        while (table.slots[at]) {
            fender_vec3 q = points[table.slots[at] - 1];
            if (q.x == p.x && q.y == p.y && q.z == p.z) break;
            at = (at + 1) & table.mask;
        }
        if (!table.slots[at]) {
            points[count++] = p;
            table.slots[at] = (uint32_t)count;
        }
        mesh->indices[i] = (int32_t)table.slots[at] - 1;
    }
    table_close(reader, &table);
    data->points = points;
    data->point_count = count;
    return true;
}

/* Is every edge of two triangles, once in either direction? */
static bool find_closed(fnd_mesh_builder *mesh, bool *closed)
{
    hash_table table;
    if (!table_open(mesh->reader, &table, mesh->index_count)) return false;
    const int32_t *k = mesh->indices;
    *closed = true;
    for (int pass = 0; pass < 2 && *closed; pass++)
        for (int i = 0; i < mesh->index_count && *closed; i++) {
            int next = i % 3 == 2 ? i - 2 : i + 1;
            int32_t from = pass ? k[next] : k[i], to = pass ? k[i] : k[next];
            if (from == to) continue;
            size_t at = (size_t)mix(mix(1, (uint64_t)from), (uint64_t)to) & table.mask;
            for (; table.slots[at]; at = (at + 1) & table.mask) {
                int one = (int)table.slots[at] - 1, other = one % 3 == 2 ? one - 2 : one + 1;
                if (k[one] == from && k[other] == to) break;
            }
            if (pass == 0 && !table.slots[at]) table.slots[at] = (uint32_t)i + 1;
            else if (pass == 0 || !table.slots[at]) *closed = false;
        }
    table_close(mesh->reader, &table);
    return true;
}

/* ---- the whole file */

static bool is_fine(fnd_mesh_builder *mesh, double factor)
{
    for (int i = 0; i < mesh->corner_count; i++) {
        fender_vec3 *p = &mesh->corners[i];
        /* 0 added: -0 and 0 are the same corner */
        *p = fender_vec3_make(p->x * factor + 0.0, p->y * factor + 0.0, p->z * factor + 0.0);
        if (!fender_vec3_is_finite(*p))
            return fnd_mesh_complain(mesh, 0, fnd_phrase_make("corner %d of the mesh is not finite", i + 1).text,
                                     "a coordinate that is no finite number", "finite coordinates",
                                     "export the mesh anew");
    }
    if (mesh->index_count > 0) return true;
    return fnd_mesh_complain(mesh, 0, "the mesh has no triangles", "0 triangles", "at least one",
                             "export the mesh anew");
}

bool fnd_has_ending(const char *name, const char *ending)
{
    size_t length = strlen(name), end = strlen(ending);
    if (length < end) return false;
    for (size_t i = 0; i < end; i++) {
        char c = name[length - end + i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != ending[i]) return false;
    }
    return true;
}

bool fnd_mesh_file_read(fnd_reader *reader, const fnd_node *file, const fnd_node *unit, fnd_shape_data *data)
{
    const char *name = NULL, *unit_text = NULL;
    double factor = 1;
    if (!fnd_read_text(reader, file, "file", &name) || !fnd_read_text(reader, unit, "unit", &unit_text) ||
        !fnd_apply_unit(reader, &unit->place, unit_text, "unit", unit_text, "m", &factor))
        return false;
    bool stl = fnd_has_ending(name, ".stl");
    if (!stl && !fnd_has_ending(name, ".obj")) {
        fnd_complain(reader, &file->place, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("'%s' is no mesh file", fnd_shown(name).text).text, fnd_shown(name).text,
                     "a name that ends in .stl or .obj", "convert it to STL or OBJ");
        return false;
    }
    char *path = fnd_source_resolve(reader, fnd_source_of(reader, &file->place), name);
    fnd_mesh_builder mesh = {.reader = reader, .source = path ? fnd_tree_read_bytes(reader, path, &file->place) : NULL};
    if (!mesh.source) return false;
    bool good = (stl ? fnd_mesh_read_stl(&mesh) : fnd_mesh_read_obj(&mesh)) && is_fine(&mesh, factor) &&
                weld(&mesh, data) && find_closed(&mesh, &data->closed);
    if (good) {
        data->triangle_count = mesh.index_count / 3;
        data->triangles = fnd_keep(reader, (size_t)data->triangle_count, sizeof *data->triangles);
        good = data->triangles != NULL;
        if (good) memcpy(data->triangles, mesh.indices, (size_t)mesh.index_count * sizeof *mesh.indices);
        data->file = (fnd_named){mesh.source->name, file->place};
    }
    release(&mesh);
    return good;
}
