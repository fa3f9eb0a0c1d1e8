/* A glTF 2.0 file being made, in its binary form: JSON, then the bytes that accessors read. */
#include "report/gltf.h"

#include "support/fault.h"
#include "support/file.h"
#include "support/json.h"

#include <math.h>
#include <string.h>

enum { FLOAT = 5126, UNSIGNED_INT = 5125, VERTICES = 34962, INDICES = 34963 };
enum { BUFFERS = 8 };

static void list_buffers(fnd_gltf *g, fnd_buffer *all[BUFFERS])
{
    fnd_buffer *const list[BUFFERS] = {&g->nodes,     &g->views,    &g->accessors, &g->meshes,
                                       &g->materials, &g->channels, &g->samplers,  &g->bytes};
    memcpy(all, list, sizeof list);
}

fnd_gltf fnd_gltf_open(const fender_allocator *allocator)
{
    fnd_gltf g;
    fnd_buffer *all[BUFFERS];
    memset(&g, 0, sizeof g);
    g.allocator = *allocator;
    g.times = -1;
    list_buffers(&g, all);
    for (int i = 0; i < BUFFERS; i++) *all[i] = fnd_buffer_open(allocator);
    return g;
}

void fnd_gltf_close(fnd_gltf *g)
{
    fnd_buffer *all[BUFFERS];
    list_buffers(g, all);
    for (int i = 0; i < BUFFERS; i++) fnd_buffer_close(all[i]);
}

/* ---- numbers */

static void append_floats(fnd_buffer *bytes, const double *values, int count)
{
    for (int i = 0; i < count; i++) {
        const float f = (float)values[i];
        fnd_buffer_append(bytes, (const char *)&f, sizeof f);
    }
}

static void append_list(fnd_buffer *buffer, const char *key, const double *values, int count)
{
    fnd_json_key(buffer, key, false);
    for (int i = 0; i < count; i++) {
        fnd_buffer_append_char(buffer, i ? ',' : '[');
        fnd_json_number(buffer, (double)(float)values[i]);
    }
    fnd_buffer_append_char(buffer, ']');
}

static void place_parts(const fnd_gltf_place *place, double t[3], double r[4], double s[3])
{
    const fender_vec3 *p = &place->translation, *l = &place->scale;
    const fender_quaternion *q = &place->rotation;
    t[0] = p->x, t[1] = p->y, t[2] = p->z;
    r[0] = q->x, r[1] = q->y, r[2] = q->z, r[3] = q->w;
    s[0] = l->x, s[1] = l->y, s[2] = l->z;
}

/* The bytes since `from` are what an accessor reads; returns its number. */
static int add_accessor(fnd_gltf *g, size_t from, int target, int component, int count, const char *type,
                        const double *least, const double *most, int components)
{
    fnd_buffer_appendf(&g->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", g->view_count ? "," : "",
                       from, g->bytes.length - from);
    if (target) fnd_buffer_appendf(&g->views, ",\"target\":%d", target);
    fnd_buffer_append_char(&g->views, '}');
    fnd_buffer_appendf(&g->accessors, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"",
                       g->accessor_count ? "," : "", g->view_count++, component, count, type);
    if (least) append_list(&g->accessors, "min", least, components);
    if (most) append_list(&g->accessors, "max", most, components);
    fnd_buffer_append_char(&g->accessors, '}');
    return g->accessor_count++;
}

void fnd_gltf_set_times(fnd_gltf *g, const float *times, int count)
{
    const size_t from = g->bytes.length;
    const double least = (double)times[0], most = (double)times[count - 1];
    fnd_buffer_append(&g->bytes, (const char *)times, (size_t)count * sizeof *times);
    g->frames = count;
    g->times = add_accessor(g, from, 0, FLOAT, count, "SCALAR", &least, &most, 1);
}

/* ---- parts */

int fnd_gltf_material(fnd_gltf *g, double red, double green, double blue)
{
    fnd_buffer_appendf(&g->materials,
                       "%s{\"doubleSided\":true,\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.2f,%.2f,%.2f,1],"
                       "\"metallicFactor\":0,\"roughnessFactor\":0.8}}",
                       g->material_count ? "," : "", red, green, blue);
    return g->material_count++;
}

int fnd_gltf_mesh(fnd_gltf *g, const fnd_solid *solid, int material)
{
    if (solid->failed) g->bytes.failed = true;
    if (solid->failed || solid->triangle_count == 0) return -1;
    size_t from = g->bytes.length;
    double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < solid->point_count; i++) {
        const double v[3] = {solid->points[i].x, solid->points[i].y, solid->points[i].z};
        for (int k = 0; k < 3; k++) {
            least[k] = v[k] < least[k] ? v[k] : least[k];
            most[k] = v[k] > most[k] ? v[k] : most[k];
        }
        append_floats(&g->bytes, v, 3);
    }
    const int points = add_accessor(g, from, VERTICES, FLOAT, solid->point_count, "VEC3", least, most, 3);
    from = g->bytes.length;
    fnd_buffer_append(&g->bytes, (const char *)solid->triangles, 3 * (size_t)solid->triangle_count * sizeof(int32_t));
    const int indices = add_accessor(g, from, INDICES, UNSIGNED_INT, 3 * solid->triangle_count, "SCALAR", NULL, NULL,
                                     0);
    fnd_buffer_appendf(&g->meshes,
                       "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"material\":%d}]}",
                       g->mesh_count ? "," : "", points, indices, material);
    return g->mesh_count++;
}

static void begin_node(fnd_gltf *g, const char *name)
{
    fnd_buffer_append_text(&g->nodes, g->node_count ? ",{" : "{");
    fnd_json_key(&g->nodes, "name", true);
    fnd_json_text(&g->nodes, name);
}

int fnd_gltf_node(fnd_gltf *g, const char *name, const fnd_gltf_place *place, int mesh)
{
    double t[3], r[4], s[3];
    place_parts(place, t, r, s);
    begin_node(g, name);
    append_list(&g->nodes, "translation", t, 3);
    append_list(&g->nodes, "rotation", r, 4);
    if (s[0] != 1 || s[1] != 1 || s[2] != 1) append_list(&g->nodes, "scale", s, 3);
    if (mesh >= 0) fnd_buffer_appendf(&g->nodes, ",\"mesh\":%d", mesh);
    fnd_buffer_append_char(&g->nodes, '}');
    return g->node_count++;
}

int fnd_gltf_group(fnd_gltf *g, const char *name, int first, int end, const char *extras)
{
    begin_node(g, name);
    fnd_buffer_appendf(&g->nodes, ",\"extras\":%s,\"children\":[", extras);
    for (int i = first; i < end; i++) fnd_buffer_appendf(&g->nodes, "%s%d", i > first ? "," : "", i);
    fnd_buffer_append_text(&g->nodes, "]}");
    return g->node_count++;
}

static void add_channel(fnd_gltf *g, int node, size_t from, const char *type, const char *path)
{
    const int values = add_accessor(g, from, 0, FLOAT, g->frames, type, NULL, NULL, 0);
    fnd_buffer_appendf(&g->samplers, "%s{\"input\":%d,\"output\":%d}", g->channel_count ? "," : "", g->times, values);
    fnd_buffer_appendf(&g->channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                       g->channel_count ? "," : "", g->channel_count, node, path);
    g->channel_count++;
}

void fnd_gltf_animate(fnd_gltf *g, int node, const fnd_gltf_place *places, bool scaled)
{
    static const char *const paths[] = {"translation", "rotation", "scale"};
    fender_quaternion before = places[0].rotation;
    for (int part = 0; part < (scaled ? 3 : 2) && g->times >= 0; part++) {
        const size_t from = g->bytes.length;
        for (int i = 0; i < g->frames; i++) {
            fnd_gltf_place place = places[i];
            fender_quaternion *q = &place.rotation;
            const double same = q->w * before.w + q->x * before.x + q->y * before.y + q->z * before.z;
            if (same < 0) *q = (fender_quaternion){-q->w, -q->x, -q->y, -q->z};
            before = *q;
            double values[3][4];
            place_parts(&place, values[0], values[1], values[2]);
            append_floats(&g->bytes, values[part], part == 1 ? 4 : 3);
        }
        add_channel(g, node, from, part == 1 ? "VEC4" : "VEC3", paths[part]);
    }
}

/* ---- the file */

static void append_array(fnd_buffer *json, const char *key, const fnd_buffer *items)
{
    if (items->length == 0) return;
    fnd_json_key(json, key, false);
    fnd_buffer_append_char(json, '[');
    fnd_buffer_append_text(json, fnd_buffer_text(items));
    fnd_buffer_append_char(json, ']');
}

static void append_json(fnd_gltf *g, const int *roots, int root_count, const char *extras, fnd_buffer *json)
{
    begin_node(g, "world");
    fnd_buffer_appendf(&g->nodes, ",\"rotation\":[-0.70710678,0,0,0.70710678],\"extras\":%s", extras);
    for (int i = 0; i < root_count; i++) fnd_buffer_appendf(&g->nodes, "%s%d", i ? "," : ",\"children\":[", roots[i]);
    fnd_buffer_append_text(&g->nodes, root_count > 0 ? "]}" : "}");
    fnd_buffer_appendf(
        json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Fender\"},\"scene\":0,\"scenes\":[{\"nodes\":[%d]}]",
        g->node_count);
    append_array(json, "nodes", &g->nodes);
    append_array(json, "meshes", &g->meshes);
    append_array(json, "materials", &g->materials);
    append_array(json, "accessors", &g->accessors);
    append_array(json, "bufferViews", &g->views);
    if (g->bytes.length > 0) fnd_buffer_appendf(json, ",\"buffers\":[{\"byteLength\":%zu}]", g->bytes.length);
    if (g->channel_count > 0)
        fnd_buffer_appendf(json, ",\"animations\":[{\"name\":\"run\",\"channels\":[%s],\"samplers\":[%s]}]",
                           fnd_buffer_text(&g->channels), fnd_buffer_text(&g->samplers));
    fnd_buffer_append_char(json, '}');
}

static void append_int(fnd_buffer *file, uint32_t value)
{
    const unsigned char bytes[4] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                                    (unsigned char)(value >> 24)};
    fnd_buffer_append(file, (const char *)bytes, sizeof bytes);
}

static void append_chunk(fnd_buffer *file, const char *kind, const fnd_buffer *content, char filler)
{
    const size_t padding = (4 - content->length % 4) % 4;
    append_int(file, (uint32_t)(content->length + padding));
    fnd_buffer_append(file, kind, 4);
    fnd_buffer_append(file, fnd_buffer_text(content), content->length);
    fnd_buffer_append_repeat(file, filler, padding);
}

fender_status fnd_gltf_write(fnd_gltf *g, const int *roots, int root_count, const char *extras, const char *path,
                             fender_error *error)
{
    fnd_buffer *all[BUFFERS], json = fnd_buffer_open(&g->allocator), file = fnd_buffer_open(&g->allocator);
    append_json(g, roots, root_count, extras, &json);
    const size_t chunks = json.length + (4 - json.length % 4) % 4 + g->bytes.length + (4 - g->bytes.length % 4) % 4;
    const bool has_bytes = g->bytes.length > 0;
    fender_status status = FENDER_STATUS_OK;
    if (chunks > UINT32_MAX - 28)
        status = fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_VALUE,
                                                   .source = path,
                                                   .message = "the run is too large for a binary glTF file",
                                                   .expected = "4 GB at most",
                                                   .suggestion = "ask for fewer frames, or export as VTK"});
    if (status == FENDER_STATUS_OK) {
        fnd_buffer_append_text(&file, "glTF");
        append_int(&file, 2);
        append_int(&file, (uint32_t)(chunks + (has_bytes ? 28 : 20)));
        append_chunk(&file, "JSON", &json, ' ');
        if (has_bytes) append_chunk(&file, "BIN\0", &g->bytes, '\0');
        list_buffers(g, all);
        bool failed = json.failed || file.failed;
        for (int i = 0; i < BUFFERS; i++) failed |= all[i]->failed;
        status = failed ? fnd_io_fail_memory(error, "a glTF file")
                        : fnd_file_write(path, file.text, file.length, error);
    }
    fnd_buffer_close(&json);
    fnd_buffer_close(&file);
    return status;
}
