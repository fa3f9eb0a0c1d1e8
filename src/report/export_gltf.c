/* A run as glTF 2.0 (binary): a node for each body, its motion as an animation. */
#include "report/motion.h"
#include "report/solids.h"
#include "text/fault.h"
#include "text/file.h"
#include "text/json.h"

#include <math.h>
#include <string.h>

enum { FLOAT = 5126, UNSIGNED_INT = 5125, VERTICES = 34962, INDICES = 34963, COLOURS = 6 };

typedef struct gltf {
    const fnd_motion *motion;
    fender_vec3 origin; /* W; taken from all places before they become floats */
    fnd_buffer views, accessors, meshes, channels, samplers, nodes, bytes;
    int view_count, accessor_count, mesh_count, channel_count;
} gltf;

static void append_float(fnd_buffer *bytes, double value)
{
    const float f = (float)value;
    fnd_buffer_append(bytes, (const char *)&f, sizeof f);
}

static void append_list(fnd_buffer *buffer, const char *key, const double *values, int count, bool first)
{
    fnd_json_key(buffer, key, first);
    for (int i = 0; i < count; i++) {
        fnd_buffer_append_char(buffer, i ? ',' : '[');
        fnd_json_number(buffer, (double)(float)values[i]);
    }
    fnd_buffer_append_char(buffer, ']');
}

/* The bytes since `from` are what an accessor reads; returns its number. */
static int add_accessor(gltf *g, size_t from, int target, int component, int count, const char *type,
                        const double *least, const double *most, int components)
{
    fnd_buffer_appendf(&g->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", g->view_count ? "," : "",
                       from, g->bytes.length - from);
    if (target) fnd_buffer_appendf(&g->views, ",\"target\":%d", target);
    fnd_buffer_append_char(&g->views, '}');
    fnd_buffer_appendf(&g->accessors, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"",
                       g->accessor_count ? "," : "", g->view_count++, component, count, type);
    if (least) append_list(&g->accessors, "min", least, components, false);
    if (most) append_list(&g->accessors, "max", most, components, false);
    fnd_buffer_append_char(&g->accessors, '}');
    return g->accessor_count++;
}

static int add_points(gltf *g, const fnd_solid *solid)
{
    const size_t from = g->bytes.length;
    double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < solid->point_count; i++) {
        const double v[3] = {solid->points[i].x, solid->points[i].y, solid->points[i].z};
        for (int k = 0; k < 3; k++) {
            least[k] = v[k] < least[k] ? v[k] : least[k];
            most[k] = v[k] > most[k] ? v[k] : most[k];
            append_float(&g->bytes, v[k]);
        }
    }
    return add_accessor(g, from, VERTICES, FLOAT, solid->point_count, "VEC3", least, most, 3);
}

/* All shapes of a body as one mesh; -1: it has nothing to show. */
static int add_mesh(gltf *g, int body)
{
    const fender_world *world = g->motion->world;
    const fender_body_id id = fender_body_at(world, body);
    fnd_solid solid = fnd_solid_open(&g->motion->env.allocator);
    for (int i = 0; i < fender_shape_count(world); i++) {
        fender_shape_def def;
        const fender_shape_id shape = fender_shape_at(world, i);
        if (fender_shape_body(world, shape).index1 != id.index1) continue;
        if (fender_shape_get_def(world, shape, &def) == FENDER_STATUS_OK)
            fnd_solid_add(&solid, def.geometry, &def.X_SG, g->motion->extent);
    }
    if (solid.failed) g->bytes.failed = true;
    int mesh = -1;
    if (!solid.failed && solid.triangle_count > 0) {
        const int points = add_points(g, &solid);
        const size_t from = g->bytes.length;
        fnd_buffer_append(&g->bytes, (const char *)solid.triangles, 3 * (size_t)solid.triangle_count * sizeof(int32_t));
        const int indices = add_accessor(g, from, INDICES, UNSIGNED_INT, 3 * solid.triangle_count, "SCALAR", NULL, NULL,
                                         0);
        fnd_buffer_appendf(&g->meshes,
                           "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"material\":%d}]}",
                           g->mesh_count ? "," : "", points, indices, body % COLOURS);
        mesh = g->mesh_count++;
    }
    fnd_solid_close(&solid);
    return mesh;
}

static void add_channel(gltf *g, int node, int times, int values, const char *path)
{
    fnd_buffer_appendf(&g->samplers, "%s{\"input\":%d,\"output\":%d}", g->channel_count ? "," : "", times, values);
    fnd_buffer_appendf(&g->channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                       g->channel_count ? "," : "", g->channel_count, node, path);
    g->channel_count++;
}

/* Translations and rotations of a body; quaternions of the same side, so that what lies between is the short way. */
static void add_motion(gltf *g, int node, int body, int times)
{
    const fnd_motion *m = g->motion;
    size_t from = g->bytes.length;
    for (int i = 0; i < m->frame_count; i++) {
        const fender_vec3 p = fender_vec3_sub(fnd_motion_pose(m, i, body)->p, g->origin);
        append_float(&g->bytes, p.x), append_float(&g->bytes, p.y), append_float(&g->bytes, p.z);
    }
    add_channel(g, node, times, add_accessor(g, from, 0, FLOAT, m->frame_count, "VEC3", NULL, NULL, 0), "translation");
    from = g->bytes.length;
    fender_quaternion before = fnd_motion_pose(m, 0, body)->q;
    for (int i = 0; i < m->frame_count; i++) {
        fender_quaternion q = fnd_motion_pose(m, i, body)->q;
        const double same = q.w * before.w + q.x * before.x + q.y * before.y + q.z * before.z;
        if (same < 0) q = (fender_quaternion){-q.w, -q.x, -q.y, -q.z};
        before = q;
        append_float(&g->bytes, q.x), append_float(&g->bytes, q.y), append_float(&g->bytes, q.z);
        append_float(&g->bytes, q.w);
    }
    add_channel(g, node, times, add_accessor(g, from, 0, FLOAT, m->frame_count, "VEC4", NULL, NULL, 0), "rotation");
}

static int add_times(gltf *g)
{
    const fnd_motion *m = g->motion;
    const size_t from = g->bytes.length;
    for (int i = 0; i < m->frame_count; i++) append_float(&g->bytes, m->times[i]);
    return add_accessor(g, from, 0, FLOAT, m->frame_count, "SCALAR", &m->times[0], &m->times[m->frame_count - 1], 1);
}

/* Node 0 turns z upward to glTF's y; body i is node i + 1. */
static void add_bodies(gltf *g)
{
    const fnd_motion *m = g->motion;
    const int times = m->frame_count > 1 ? add_times(g) : -1;
    for (int i = 0; i < m->body_count; i++) {
        const fender_pose *pose = fnd_motion_pose(m, 0, i);
        const fender_vec3 p = fender_vec3_sub(pose->p, g->origin);
        const double place[3] = {p.x, p.y, p.z}, turn[4] = {pose->q.x, pose->q.y, pose->q.z, pose->q.w};
        const int mesh = add_mesh(g, i);
        fnd_buffer_append_text(&g->nodes, ",{");
        fnd_json_key(&g->nodes, "name", true);
        fnd_json_text(&g->nodes, fender_body_name(m->world, fender_body_at(m->world, i)));
        append_list(&g->nodes, "translation", place, 3, false);
        append_list(&g->nodes, "rotation", turn, 4, false);
        if (mesh >= 0) fnd_buffer_appendf(&g->nodes, ",\"mesh\":%d", mesh);
        fnd_buffer_append_char(&g->nodes, '}');
        if (times >= 0 && !fnd_motion_is_still(m, i)) add_motion(g, i + 1, i, times);
    }
}

static void append_root(const gltf *g, fnd_buffer *json)
{
    const double origin[3] = {g->origin.x, g->origin.y, g->origin.z};
    fnd_buffer_append_text(json, "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"world\","
                                 "\"rotation\":[-0.70710678,0,0,0.70710678],\"extras\":{\"origin\":[");
    for (int i = 0; i < 3; i++) {
        if (i) fnd_buffer_append_char(json, ',');
        fnd_json_number(json, origin[i]);
    }
    fnd_buffer_append_text(json, "]}");
    for (int i = 0; i < g->motion->body_count; i++)
        fnd_buffer_appendf(json, "%s%d", i ? "," : ",\"children\":[", i + 1);
    fnd_buffer_append_text(json, g->motion->body_count > 0 ? "]}" : "}");
    fnd_buffer_append_text(json, fnd_buffer_text(&g->nodes));
    fnd_buffer_append_text(json, "]");
}

static void append_array(fnd_buffer *json, const char *key, const fnd_buffer *items)
{
    if (items->length == 0) return;
    fnd_json_key(json, key, false);
    fnd_buffer_append_char(json, '[');
    fnd_buffer_append_text(json, fnd_buffer_text(items));
    fnd_buffer_append_char(json, ']');
}

static void append_materials(fnd_buffer *json, int bodies)
{
    static const double colours[COLOURS][3] = {{0.66, 0.64, 0.60}, {0.12, 0.35, 0.65}, {0.75, 0.32, 0.07},
                                               {0.16, 0.45, 0.20}, {0.50, 0.16, 0.32}, {0.32, 0.28, 0.62}};
    fnd_buffer_append_text(json, ",\"materials\":[");
    for (int i = 0; i < COLOURS && i < bodies; i++)
        fnd_buffer_appendf(json,
                           "%s{\"doubleSided\":true,\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.2f,%.2f,%.2f,1],"
                           "\"metallicFactor\":0,\"roughnessFactor\":0.8}}",
                           i ? "," : "", colours[i][0], colours[i][1], colours[i][2]);
    fnd_buffer_append_char(json, ']');
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

static fender_status write_file(gltf *g, const char *path, fender_error *error)
{
    const fender_allocator *allocator = &g->motion->env.allocator;
    fnd_buffer json = fnd_buffer_open(allocator), file = fnd_buffer_open(allocator);
    fender_status status = FENDER_STATUS_OK;
    fnd_buffer_append_text(&json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Fender\"},");
    append_root(g, &json);
    append_array(&json, "meshes", &g->meshes);
    if (g->mesh_count > 0) append_materials(&json, g->motion->body_count);
    append_array(&json, "accessors", &g->accessors);
    append_array(&json, "bufferViews", &g->views);
    if (g->bytes.length > 0) fnd_buffer_appendf(&json, ",\"buffers\":[{\"byteLength\":%zu}]", g->bytes.length);
    if (g->channel_count > 0)
        fnd_buffer_appendf(&json, ",\"animations\":[{\"name\":\"run\",\"channels\":[%s],\"samplers\":[%s]}]",
                           fnd_buffer_text(&g->channels), fnd_buffer_text(&g->samplers));
    fnd_buffer_append_char(&json, '}');
    const size_t chunks = json.length + (4 - json.length % 4) % 4 + g->bytes.length + (4 - g->bytes.length % 4) % 4;
    const bool has_bytes = g->bytes.length > 0;
    fnd_buffer_append_text(&file, "glTF");
    append_int(&file, 2);
    append_int(&file, (uint32_t)(chunks + (has_bytes ? 28 : 20)));
    append_chunk(&file, "JSON", &json, ' ');
    if (has_bytes) append_chunk(&file, "BIN\0", &g->bytes, '\0');
    const fnd_buffer *all[] = {&json,        &file,        &g->views, &g->accessors, &g->meshes,
                               &g->channels, &g->samplers, &g->nodes, &g->bytes};
    bool failed = false;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) failed |= all[i]->failed;
    if (failed) status = fnd_io_fail_memory(error, "a glTF file");
    else if (chunks > UINT32_MAX - 28)
        status = fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_VALUE,
                                                   .source = path,
                                                   .message = "the run is too large for a binary glTF file",
                                                   .expected = "4 GB at most",
                                                   .suggestion = "ask for fewer frames, or export as VTK"});
    else status = fnd_file_write(path, file.text, file.length, error);
    fnd_buffer_close(&json);
    fnd_buffer_close(&file);
    return status;
}

fender_status fender_export_gltf(const fender_env *env, const char *run_directory, const char *path, int frames,
                                 fender_error *error)
{
    fnd_motion motion;
    if (!env || !run_directory || !path || frames < 0)
        return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_ARGUMENT,
                                                 .message = "env, a run directory and a file name are needed",
                                                 .expected = "pointers that are not NULL, frames not negative"});
    fender_status status = fnd_motion_read(env, run_directory, frames, &motion, error);
    if (status != FENDER_STATUS_OK) return status;
    gltf g;
    memset(&g, 0, sizeof g);
    g.motion = &motion;
    fnd_buffer *const all[] = {&g.views, &g.accessors, &g.meshes, &g.channels, &g.samplers, &g.nodes, &g.bytes};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) *all[i] = fnd_buffer_open(&env->allocator);
    if (motion.body_count > 0) g.origin = fnd_motion_pose(&motion, 0, 0)->p;
    add_bodies(&g);
    status = write_file(&g, path, error);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) fnd_buffer_close(all[i]);
    fnd_motion_close(&motion);
    return status;
}
