/* A run as glTF: the file of buffers and nodes, and what of a run goes into it. */
#include "report/motion.h"
#include "report/solids.h"
#include "support/file.h"
#include "support/io_error.h"
#include "support/json.h"
#include "support/memory.h"
#include "support/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct gltf_file {
    fender_allocator allocator;
    fnd_buffer nodes, views, accessors, meshes, materials, channels, samplers, bytes;
    int node_count, view_count, accessor_count, mesh_count, material_count, channel_count;
    int times; /* accessor of the animation's times; -1: nothing moves */
    int frames;
} gltf_file;

/* Place, turn and size against the parent's; of a node that is animated those of its first frame. */
typedef struct gltf_pose {
    fender_vec3 translation, scale;
    fender_quaternion rotation;
} gltf_pose;

/* ---- the file */

enum { FLOAT = 5126, UNSIGNED_INT = 5125, VERTICES = 34962, INDICES = 34963 };
enum { BUFFERS = 8 };

static void list_buffers(gltf_file *g, fnd_buffer *all[BUFFERS])
{
    fnd_buffer *const list[BUFFERS] = {&g->nodes,     &g->views,    &g->accessors, &g->meshes,
                                       &g->materials, &g->channels, &g->samplers,  &g->bytes};
    memcpy(all, list, sizeof list);
}

static gltf_file gltf_open(const fender_allocator *allocator)
{
    gltf_file g;
    fnd_buffer *all[BUFFERS];
    memset(&g, 0, sizeof g);
    g.allocator = *allocator;
    g.times = -1;
    list_buffers(&g, all);
    for (int i = 0; i < BUFFERS; i++) *all[i] = fnd_buffer_open(allocator);
    return g;
}

static void gltf_close(gltf_file *g)
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
    fnd_json_begin(buffer, key, '[');
    for (int i = 0; i < count; i++) {
        fnd_json_comma(buffer);
        fnd_json_number(buffer, (double)(float)values[i]);
    }
    fnd_buffer_append_char(buffer, ']');
}

static void place_parts(const gltf_pose *place, double t[3], double r[4], double s[3])
{
    const fender_vec3 *p = &place->translation, *l = &place->scale;
    const fender_quaternion *q = &place->rotation;
    t[0] = p->x, t[1] = p->y, t[2] = p->z;
    r[0] = q->x, r[1] = q->y, r[2] = q->z, r[3] = q->w;
    s[0] = l->x, s[1] = l->y, s[2] = l->z;
}

/* The bytes since `from` are what an accessor reads; returns its number. */
static int add_accessor(gltf_file *g, size_t from, int target, int component, int count, const char *type,
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

/* Times of all animations, increasing as floats from 0 on. */
static void set_times(gltf_file *g, const float *times, int count)
{
    const size_t from = g->bytes.length;
    const double least = (double)times[0], most = (double)times[count - 1];
    fnd_buffer_append(&g->bytes, (const char *)times, (size_t)count * sizeof *times);
    g->frames = count;
    g->times = add_accessor(g, from, 0, FLOAT, count, "SCALAR", &least, &most, 1);
}

/* ---- parts */

static int add_material(gltf_file *g, double red, double green, double blue)
{
    fnd_buffer_appendf(&g->materials,
                       "%s{\"doubleSided\":true,\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.2f,%.2f,%.2f,1],"
                       "\"metallicFactor\":0,\"roughnessFactor\":0.8}}",
                       g->material_count ? "," : "", red, green, blue);
    return g->material_count++;
}

/* The mesh's number; -1: the solid has nothing to show. */
static int add_mesh(gltf_file *g, const fnd_solid *solid, int material)
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

static void begin_node(gltf_file *g, const char *name)
{
    fnd_json_begin(&g->nodes, NULL, '{');
    fnd_json_put_text(&g->nodes, "name", name);
}

static int add_node(gltf_file *g, const char *name, const gltf_pose *place, int mesh)
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

/* The parent of nodes `first` to before `end`; `extras`: its own JSON object. */
static int add_group(gltf_file *g, const char *name, int first, int end, const char *extras)
{
    begin_node(g, name);
    fnd_buffer_appendf(&g->nodes, ",\"extras\":%s,\"children\":[", extras);
    for (int i = first; i < end; i++) fnd_buffer_appendf(&g->nodes, "%s%d", i > first ? "," : "", i);
    fnd_buffer_append_text(&g->nodes, "]}");
    return g->node_count++;
}

static void add_channel(gltf_file *g, int node, size_t from, const char *type, const char *path)
{
    const int values = add_accessor(g, from, 0, FLOAT, g->frames, type, NULL, NULL, 0);
    fnd_buffer_appendf(&g->samplers, "%s{\"input\":%d,\"output\":%d}", g->channel_count ? "," : "", g->times, values);
    fnd_buffer_appendf(&g->channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                       g->channel_count ? "," : "", g->channel_count, node, path);
    g->channel_count++;
}

/* Moves a node: one place for each time. Quaternions are kept on one side, so that what lies between is the short way.
 */
static void animate(gltf_file *g, int node, const gltf_pose *places, bool scaled)
{
    static const char *const paths[] = {"translation", "rotation", "scale"};
    fender_quaternion before = places[0].rotation;
    for (int part = 0; part < (scaled ? 3 : 2) && g->times >= 0; part++) {
        const size_t from = g->bytes.length;
        for (int i = 0; i < g->frames; i++) {
            gltf_pose place = places[i];
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
    fnd_json_begin(json, key, '[');
    fnd_buffer_append_text(json, fnd_buffer_text(items));
    fnd_buffer_append_char(json, ']');
}

static void append_json(gltf_file *g, const int *roots, int root_count, const char *extras, fnd_buffer *json)
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

/* The file; its root turns z upward to glTF's y and holds the nodes of `roots`. `extras` belongs to it. */
static fender_status write_file(gltf_file *g, const int *roots, int root_count, const char *extras, const char *path,
                                fender_error *error)
{
    fnd_buffer *all[BUFFERS], json = fnd_buffer_open(&g->allocator), file = fnd_buffer_open(&g->allocator);
    append_json(g, roots, root_count, extras, &json);
    const size_t chunks = json.length + (4 - json.length % 4) % 4 + g->bytes.length + (4 - g->bytes.length % 4) % 4;
    const bool has_bytes = g->bytes.length > 0;
    fender_status status = FENDER_STATUS_OK;
    if (chunks > UINT32_MAX - 28)
        status = FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .source = path,
                             .message = "the run is too large for a binary glTF file", .expected = "4 GB at most",
                             .suggestion = "ask for fewer frames, or export as VTK");
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

/* ---- the run */

enum { COLOURS = 6, MOST_ARROWS = 256 };

typedef struct gltf_export {
    fnd_motion_record motion;
    fnd_arena arena;
    gltf_file file;
    fender_vec3 origin; /* W; taken from all places before they become floats */
    int *frames;        /* those of the motion whose times differ as floats */
    gltf_pose *places;  /* of one node, by frame */
    double size;        /* m; radius of the largest body that moves */
    int *roots, root_count;
} gltf_export;

static const fender_vec3 full_size = {1, 1, 1}, no_size = {0, 0, 0};

/* Between two frames players take the short way, and what turns faster seems to stand or to turn back. */
static void warn_of_turns(const fnd_motion_record *m, const fender_env *env)
{
    const double most = 1.6; /* rad: 90 degrees, and rounding */
    if (!env->report || !(m->turn > most)) return;
    const int stride = (m->row_count - 2) / (m->frame_count - 1) + 1;
    const int shorter = (int)(stride * most / m->turn), wanted = shorter > 0 ? (m->row_count - 2) / shorter + 2 : 0;
    char message[240], suggestion[160] = "replay.csv has no more states: run a shorter time to see how it turns";
    snprintf(message, sizeof message, "'%.80s' turns by up to %.0f degrees between two of %d frames: players show less",
             fender_body_name(m->world, fender_body_at(m->world, m->turning)), 57.295779513082321 * m->turn,
             m->frame_count);
    if (wanted > m->frame_count) snprintf(suggestion, sizeof suggestion, "export with --frames %d", wanted);
    const fender_diagnostic warning = {.severity = FENDER_SEVERITY_WARNING,
                                       .file = "",
                                       .excerpt = "",
                                       .message = message,
                                       .found = "",
                                       .expected = "",
                                       .suggestion = suggestion};
    env->report(env->report_ctx, &warning);
}

/* Times from the first frame on; of frames whose times are the same as floats the last. */
static bool choose_frames(gltf_export *e)
{
    const fnd_motion_record *m = &e->motion;
    int count = 0;
    float *times = FND_ARENA_NEW_ARRAY(&e->arena, float, (size_t)m->frame_count);
    e->frames = FND_ARENA_NEW_ARRAY(&e->arena, int, (size_t)m->frame_count);
    e->places = FND_ARENA_NEW_ARRAY(&e->arena, gltf_pose, (size_t)m->frame_count);
    e->roots = FND_ARENA_NEW_ARRAY(&e->arena, int, (size_t)m->body_count + 2);
    if (!times || !e->frames || !e->places || !e->roots) return false;
    for (int i = 0; i < m->frame_count; i++) {
        const float time = (float)(m->times[i] - m->times[0]);
        if (count > 0 && time <= times[count - 1]) count--;
        times[count] = time;
        e->frames[count++] = i;
    }
    e->file.frames = count;
    if (count > 1) set_times(&e->file, times, count);
    return true;
}

static void add_moving_node(gltf_export *e, const char *name, int mesh, bool moves, bool scaled)
{
    const int node = add_node(&e->file, name, &e->places[0], mesh);
    if (moves) animate(&e->file, node, e->places, scaled);
}

/* ---- bodies */

/* Half the diagonal of the box that holds it. */
static double radius_of(const fnd_solid *solid)
{
    if (solid->point_count == 0) return 0;
    fender_vec3 least = solid->points[0], most = solid->points[0];
    for (int i = 1; i < solid->point_count; i++) {
        const fender_vec3 p = solid->points[i];
        least = fender_vec3_make(p.x < least.x ? p.x : least.x, p.y < least.y ? p.y : least.y,
                                 p.z < least.z ? p.z : least.z);
        most = fender_vec3_make(p.x > most.x ? p.x : most.x, p.y > most.y ? p.y : most.y, p.z > most.z ? p.z : most.z);
    }
    return 0.5 * fender_vec3_length(fender_vec3_sub(most, least));
}

static void add_bodies(gltf_export *e)
{
    static const double colours[COLOURS][3] = {{0.66, 0.64, 0.60}, {0.12, 0.35, 0.65}, {0.75, 0.32, 0.07},
                                               {0.16, 0.45, 0.20}, {0.50, 0.16, 0.32}, {0.32, 0.28, 0.62}};
    const fnd_motion_record *m = &e->motion;
    double still_size = 0;
    for (int body = 0; body < m->body_count; body++) {
        const fender_body_id id = fender_body_at(m->world, body);
        const bool still = fnd_motion_is_still(m, body);
        fnd_solid solid = fnd_solid_open(&m->env.allocator);
        fnd_solid_add_body(&solid, m->world, id, m->extent);
        if (body < COLOURS) add_material(&e->file, colours[body][0], colours[body][1], colours[body][2]);
        const int mesh = add_mesh(&e->file, &solid, body % COLOURS);
        double *size = still ? &still_size : &e->size;
        if (radius_of(&solid) > *size) *size = radius_of(&solid);
        fnd_solid_close(&solid);
        for (int i = 0; i < e->file.frames; i++) {
            const fender_pose *X = fnd_motion_pose(m, e->frames[i], body);
            e->places[i] = (gltf_pose){fender_vec3_sub(X->p, e->origin), full_size, X->q};
        }
        e->roots[e->root_count++] = e->file.node_count;
        add_moving_node(e, fender_body_name(m->world, id), mesh, !still, false);
    }
    if (e->size == 0) e->size = still_size > 0 && still_size < m->extent ? still_size : m->extent;
}

/* ---- what stands on a line */

/* Takes z to the direction v by the least rotation. */
static fender_quaternion turn_to(fender_vec3 v)
{
    const double length = fender_vec3_length(v), w = length + v.z;
    if (w < 1e-12 * length) return (fender_quaternion){0, 1, 0, 0};
    const double n = sqrt(w * w + v.x * v.x + v.y * v.y);
    return (fender_quaternion){w / n, -v.y / n, v.x / n, 0};
}

/* Frames without size stand where the thing was last seen, or will be first: what lies between two frames grows and
 * shrinks in place. */
static void place_hidden(gltf_export *e)
{
    int first = 0;
    while (first < e->file.frames && e->places[first].scale.z == 0) first++;
    for (int i = 0; i < e->file.frames; i++) {
        if (e->places[i].scale.z > 0) continue;
        const int from = first == e->file.frames ? -1 : i < first ? first : i - 1;
        e->places[i] = from < 0 ? (gltf_pose){.rotation = {1, 0, 0, 0}} : e->places[from];
        e->places[i].scale = no_size;
    }
}

static void add_links(gltf_export *e)
{
    const fnd_motion_record *m = &e->motion;
    if (m->link_count == 0) return;
    const int first = e->file.node_count, material = add_material(&e->file, 0.15, 0.15, 0.15);
    fnd_solid solid = fnd_solid_open(&m->env.allocator);
    fnd_solid_add_rod(&solid, e->size / 80);
    const int mesh = add_mesh(&e->file, &solid, material);
    fnd_solid_close(&solid);
    for (int k = 0; k < m->link_count; k++) {
        const fnd_motion_link *link = &m->links[k];
        for (int i = 0; i < e->file.frames; i++) {
            const int frame = e->frames[i];
            const fender_vec3 a = fnd_motion_link_end(m, frame, link, 0), b = fnd_motion_link_end(m, frame, link, 1),
                              line = fender_vec3_sub(b, a);
            const double length = fender_vec3_length(line);
            e->places[i] = (gltf_pose){fender_vec3_sub(a, e->origin), {1, 1, length}, turn_to(line)};
            if (frame < link->first || frame >= link->frame_end || length == 0) e->places[i].scale = no_size;
        }
        place_hidden(e);
        add_moving_node(e, link->name, mesh, true, true);
    }
    e->roots[e->root_count++] = add_group(&e->file, "links", first, e->file.node_count, "{}");
}

/* The largest force of each pair; of them the MOST_ARROWS largest stay above 0. Returns the largest of all. */
static double find_forces(const gltf_export *e, double *forces)
{
    const fnd_motion_record *m = &e->motion;
    for (int i = 0; i < m->pair_count; i++) forces[i] = 0;
    for (size_t k = 0; k < m->contact_from[m->frame_count]; k++) {
        const fnd_motion_contact *contact = &m->contacts[k];
        const double force = fender_vec3_length(contact->force);
        if (force > forces[contact->pair]) forces[contact->pair] = force;
    }
    double largest = 0;
    for (int i = 0; i < m->pair_count; i++) largest = forces[i] > largest ? forces[i] : largest;
    for (int count = m->pair_count; count > MOST_ARROWS; count--) {
        int least = -1;
        for (int i = 0; i < m->pair_count; i++)
            if (forces[i] >= 0 && (least < 0 || forces[i] < forces[least])) least = i;
        forces[least] = -1;
    }
    return largest;
}

/* Arrows from the contact point along the force on the second shape, in proportion to it; without a contact of no size.
 */
static bool add_forces(gltf_export *e)
{
    const fnd_motion_record *m = &e->motion;
    double *forces = FND_ARENA_NEW_ARRAY(&e->arena, double, (size_t)m->pair_count + 1);
    if (!forces) return false;
    const double largest = find_forces(e, forces);
    if (largest == 0) return true;
    const int first = e->file.node_count, material = add_material(&e->file, 0.85, 0.10, 0.10);
    fnd_solid solid = fnd_solid_open(&m->env.allocator);
    fnd_solid_add_arrow(&solid);
    const int mesh = add_mesh(&e->file, &solid, material);
    fnd_solid_close(&solid);
    for (int pair = 0; pair < m->pair_count; pair++) {
        if (forces[pair] <= 0) continue;
        for (int i = 0; i < e->file.frames; i++) {
            const int frame = e->frames[i];
            e->places[i].scale = no_size;
            for (size_t k = m->contact_from[frame]; k < m->contact_from[frame + 1]; k++) {
                const fnd_motion_contact *contact = &m->contacts[k];
                if (contact->pair != pair) continue;
                const double length = e->size * fender_vec3_length(contact->force) / largest;
                if (length > 0)
                    e->places[i] = (gltf_pose){
                        fender_vec3_sub(contact->point, e->origin), {length, length, length}, turn_to(contact->force)};
            }
        }
        place_hidden(e);
        add_moving_node(e, m->pairs[pair], mesh, true, true);
    }
    char extras[80], scale[FND_NUMBER_SIZE];
    fnd_number_format(largest / e->size, scale, sizeof scale);
    snprintf(extras, sizeof extras, "{\"newtons_per_metre\":%s}", scale);
    e->roots[e->root_count++] = add_group(&e->file, "contact forces", first, e->file.node_count, extras);
    return true;
}

/* ---- the whole */

static fender_status export_to(gltf_export *e, const char *path, fender_error *error)
{
    const fnd_motion_record *m = &e->motion;
    if (m->body_count > 0) e->origin = fnd_motion_pose(m, 0, 0)->p;
    if (!choose_frames(e)) return fnd_io_fail_memory(error, "a glTF file");
    add_bodies(e);
    add_links(e);
    if (!add_forces(e)) return fnd_io_fail_memory(error, "a glTF file");
    fnd_buffer extras = fnd_buffer_open(&m->env.allocator);
    const double numbers[] = {e->origin.x, e->origin.y, e->origin.z, m->times[0]};
    static const char *const before[] = {"{\"origin\":[", ",", ",", "],\"start_time\":"};
    for (int i = 0; i < 4; i++) {
        fnd_buffer_append_text(&extras, before[i]);
        fnd_buffer_append_number(&extras, numbers[i]);
    }
    fnd_buffer_append_char(&extras, '}');
    fender_status status = extras.failed
                               ? fnd_io_fail_memory(error, "a glTF file")
                               : write_file(&e->file, e->roots, e->root_count, fnd_buffer_text(&extras), path, error);
    fnd_buffer_close(&extras);
    return status;
}

fender_status fender_export_gltf(const fender_env *env, const char *run_directory, const char *path, int frames,
                                 fender_error *error)
{
    gltf_export e;
    memset(&e, 0, sizeof e);
    if (!fnd_io_env_usable(env, error)) return FENDER_STATUS_ARGUMENT;
    if (!env || !run_directory || !path || frames < 0)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT,
                           .message = "env, a run directory, a file name and a number of frames are needed",
                           .expected = "pointers that are not NULL, frames not negative");
    fender_status status = fnd_motion_read(env, run_directory, frames, &e.motion, error);
    if (status != FENDER_STATUS_OK) return status;
    warn_of_turns(&e.motion, env);
    e.arena = fnd_arena_open(&env->allocator, 0);
    e.file = gltf_open(&env->allocator);
    status = export_to(&e, path, error);
    gltf_close(&e.file);
    fnd_arena_close(&e.arena);
    fnd_motion_close(&e.motion);
    return status;
}
