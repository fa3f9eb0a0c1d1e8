/* A run as glTF: a node for each body, link and pair that touches, their motion as an animation. */
#include "report/gltf.h"
#include "report/motion.h"
#include "support/fault.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLOURS = 6, MOST_ARROWS = 256 };

typedef struct gltf_export {
    fnd_motion motion;
    fnd_arena arena;
    fnd_gltf file;
    fender_vec3 origin;     /* W; taken from all places before they become floats */
    int *frames;            /* those of the motion whose times differ as floats */
    fnd_gltf_place *places; /* of one node, by frame */
    double size;            /* m; radius of the largest body that moves */
    int *roots, root_count;
} gltf_export;

static const fender_vec3 full_size = {1, 1, 1}, no_size = {0, 0, 0};

/* Times from the first frame on; of frames whose times are the same as floats the last. */
static bool choose_frames(gltf_export *e)
{
    const fnd_motion *m = &e->motion;
    int count = 0;
    float *times = FND_ARENA_NEW_ARRAY(&e->arena, float, (size_t)m->frame_count);
    e->frames = FND_ARENA_NEW_ARRAY(&e->arena, int, (size_t)m->frame_count);
    e->places = FND_ARENA_NEW_ARRAY(&e->arena, fnd_gltf_place, (size_t)m->frame_count);
    e->roots = FND_ARENA_NEW_ARRAY(&e->arena, int, (size_t)m->body_count + 2);
    if (!times || !e->frames || !e->places || !e->roots) return false;
    for (int i = 0; i < m->frame_count; i++) {
        const float time = (float)(m->times[i] - m->times[0]);
        if (count > 0 && time <= times[count - 1]) count--;
        times[count] = time;
        e->frames[count++] = i;
    }
    e->file.frames = count;
    if (count > 1) fnd_gltf_set_times(&e->file, times, count);
    return true;
}

static void add_node(gltf_export *e, const char *name, int mesh, bool moves, bool scaled)
{
    const int node = fnd_gltf_node(&e->file, name, &e->places[0], mesh);
    if (moves) fnd_gltf_animate(&e->file, node, e->places, scaled);
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
    const fnd_motion *m = &e->motion;
    double still_size = 0;
    for (int body = 0; body < m->body_count; body++) {
        const fender_body_id id = fender_body_at(m->world, body);
        const bool still = fnd_motion_is_still(m, body);
        fnd_solid solid = fnd_solid_open(&m->env.allocator);
        fnd_solid_add_body(&solid, m->world, id, m->extent);
        if (body < COLOURS) fnd_gltf_material(&e->file, colours[body][0], colours[body][1], colours[body][2]);
        const int mesh = fnd_gltf_mesh(&e->file, &solid, body % COLOURS);
        double *size = still ? &still_size : &e->size;
        if (radius_of(&solid) > *size) *size = radius_of(&solid);
        fnd_solid_close(&solid);
        for (int i = 0; i < e->file.frames; i++) {
            const fender_pose *X = fnd_motion_pose(m, e->frames[i], body);
            e->places[i] = (fnd_gltf_place){fender_vec3_sub(X->p, e->origin), full_size, X->q};
        }
        e->roots[e->root_count++] = e->file.node_count;
        add_node(e, fender_body_name(m->world, id), mesh, !still, false);
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
        e->places[i] = from < 0 ? (fnd_gltf_place){.rotation = {1, 0, 0, 0}} : e->places[from];
        e->places[i].scale = no_size;
    }
}

static void add_links(gltf_export *e)
{
    const fnd_motion *m = &e->motion;
    if (m->link_count == 0) return;
    const int first = e->file.node_count, material = fnd_gltf_material(&e->file, 0.15, 0.15, 0.15);
    fnd_solid solid = fnd_solid_open(&m->env.allocator);
    fnd_solid_add_rod(&solid, e->size / 80);
    const int mesh = fnd_gltf_mesh(&e->file, &solid, material);
    fnd_solid_close(&solid);
    for (int k = 0; k < m->link_count; k++) {
        const fnd_motion_link *link = &m->links[k];
        for (int i = 0; i < e->file.frames; i++) {
            const int frame = e->frames[i];
            const fender_vec3 a = fnd_motion_link_end(m, frame, link, 0), b = fnd_motion_link_end(m, frame, link, 1),
                              line = fender_vec3_sub(b, a);
            const double length = fender_vec3_length(line);
            e->places[i] = (fnd_gltf_place){fender_vec3_sub(a, e->origin), {1, 1, length}, turn_to(line)};
            if (frame < link->first || frame >= link->frame_end || length == 0) e->places[i].scale = no_size;
        }
        place_hidden(e);
        add_node(e, link->name, mesh, true, true);
    }
    e->roots[e->root_count++] = fnd_gltf_group(&e->file, "links", first, e->file.node_count, "{}");
}

/* The largest force of each pair; of them the MOST_ARROWS largest stay above 0. Returns the largest of all. */
static double find_forces(const gltf_export *e, double *forces)
{
    const fnd_motion *m = &e->motion;
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
    const fnd_motion *m = &e->motion;
    double *forces = FND_ARENA_NEW_ARRAY(&e->arena, double, (size_t)m->pair_count + 1);
    if (!forces) return false;
    const double largest = find_forces(e, forces);
    if (largest == 0) return true;
    const int first = e->file.node_count, material = fnd_gltf_material(&e->file, 0.85, 0.10, 0.10);
    fnd_solid solid = fnd_solid_open(&m->env.allocator);
    fnd_solid_add_arrow(&solid);
    const int mesh = fnd_gltf_mesh(&e->file, &solid, material);
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
                    e->places[i] = (fnd_gltf_place){
                        fender_vec3_sub(contact->point, e->origin), {length, length, length}, turn_to(contact->force)};
            }
        }
        place_hidden(e);
        add_node(e, m->pairs[pair], mesh, true, true);
    }
    char extras[80];
    snprintf(extras, sizeof extras, "{\"newtons_per_metre\":%.6g}", largest / e->size);
    e->roots[e->root_count++] = fnd_gltf_group(&e->file, "contact forces", first, e->file.node_count, extras);
    return true;
}

/* ---- the whole */

static fender_status export_to(gltf_export *e, const char *path, fender_error *error)
{
    const fnd_motion *m = &e->motion;
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
    fender_status status = extras.failed ? fnd_io_fail_memory(error, "a glTF file")
                                         : fnd_gltf_write(&e->file, e->roots, e->root_count, fnd_buffer_text(&extras),
                                                          path, error);
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
        return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_ARGUMENT,
                                                 .message = "env, a run directory and a file name are needed",
                                                 .expected = "pointers that are not NULL, frames not negative"});
    fender_status status = fnd_motion_read(env, run_directory, frames, &e.motion, error);
    if (status != FENDER_STATUS_OK) return status;
    e.arena = fnd_arena_open(&env->allocator, 0);
    e.file = fnd_gltf_open(&env->allocator);
    status = export_to(&e, path, error);
    fnd_gltf_close(&e.file);
    fnd_arena_close(&e.arena);
    fnd_motion_close(&e.motion);
    return status;
}
