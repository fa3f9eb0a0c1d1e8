/* scene.json, scenario.yaml and scenario.sources of a run directory: what was simulated. */
#include "run/directory.h"
#include "run/run.h"
#include "scenario/bundle.h"
#include "support/file.h"
#include "support/io_error.h"
#include "support/json.h"
#include <string.h>

/* ---- Sources ---- */

fender_scenario *fender_scenario_load_run(const fender_env *env, const fender_registry *registry,
                                          const char *run_directory, fender_error *error)
{
    fender_error local = {0};
    fender_error *to = error ? error : &local;
    fnd_bundle bundle;
    size_t size;
    if (!fnd_io_env_usable(env, error)) return NULL;
    if (!env || !run_directory) {
        FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "env and a directory are needed",
                    .expected = "pointers that are not NULL");
        return NULL;
    }
    if (fnd_directory_check(env, run_directory, to) != FENDER_STATUS_OK) return NULL;
    char *path = fnd_directory_path(&env->allocator, run_directory, FND_FILE_SOURCES, &size);
    if (!path) {
        fnd_io_fail_memory(to, "the path of a scenario");
        return NULL;
    }
    fender_status status = fnd_bundle_read(&env->allocator, path, &bundle, to);
    env->allocator.release(env->allocator.ctx, path, size);
    if (status != FENDER_STATUS_OK) return NULL;
    fender_scenario *scenario = fnd_scenario_load_bundle(env, registry, &bundle, to);
    fnd_bundle_release(&bundle);
    return scenario;
}

/* ---- Scene ---- */

/* ---- scene.json */

static void append_value(fnd_buffer *buffer, double value)
{
    fnd_json_comma(buffer);
    fnd_json_number(buffer, value);
}

/* "key":[x,y,z,x,y,z,..] */
static void append_points(fnd_buffer *buffer, const char *key, const fender_vec3 *points, int count)
{
    fnd_json_begin(buffer, key, '[');
    for (int i = 0; i < count; i++) {
        append_value(buffer, points[i].x);
        append_value(buffer, points[i].y);
        append_value(buffer, points[i].z);
    }
    fnd_buffer_append_char(buffer, ']');
}

static void append_triangles(fnd_buffer *buffer, const int32_t *indices, int count)
{
    fnd_json_begin(buffer, "triangles", '[');
    for (int i = 0; i < count; i++) append_value(buffer, indices[i]);
    fnd_buffer_append_char(buffer, ']');
}

/* The most points along a side of a grid that a page shows: of a finer one, every n-th is written. */
enum { SHOWN_POINTS = 301 };

static void append_grid(fnd_buffer *buffer, const fnd_shape_data *data)
{
    const fender_grid_def *grid = &data->grid;
    int longer = grid->count_x > grid->count_y ? grid->count_x : grid->count_y, n = 1;
    while ((longer - 1) / n + 1 > SHOWN_POINTS) n++;
    if (grid->count_x <= n || grid->count_y <= n) n = 1;
    const int count_x = (grid->count_x - 1) / n + 1, count_y = (grid->count_y - 1) / n + 1;
    const fender_vec2 spacing = {n * grid->spacing.x, n * grid->spacing.y};
    fnd_json_begin(buffer, "vertices", '[');
    for (int j = 0; j < count_y; j++)
        for (int i = 0; i < count_x; i++) {
            append_value(buffer, data->grid_x ? data->grid_x[i * n] : grid->lower.x + i * spacing.x);
            append_value(buffer, data->grid_y ? data->grid_y[j * n] : grid->lower.y + j * spacing.y);
            append_value(buffer, grid->heights[((size_t)j * (size_t)grid->count_x + (size_t)i) * (size_t)n]);
        }
    fnd_buffer_append_char(buffer, ']');
    fnd_json_begin(buffer, "triangles", '[');
    for (int j = 0; j + 1 < count_y; j++)
        for (int i = 0; i + 1 < count_x; i++) {
            const int at = j * count_x + i, across = at + count_x + 1;
            const int corners[6] = {at, at + 1, across, at, across, across - 1};
            for (int k = 0; k < 6; k++) append_value(buffer, corners[k]);
        }
    fnd_buffer_append_char(buffer, ']');
}

/* The faces that points have around them. False without memory. */
static bool append_hull(fnd_buffer *buffer, const fender_scenario *scenario, const fnd_shape_description *shape)
{
    const fender_allocator *allocator = &scenario->env.allocator;
    fender_geometry *geometry = fnd_shape_geometry(&scenario->env, shape, NULL);
    if (!geometry) return false;
    int points, count = fender_geometry_triangles(geometry, NULL, 0);
    const fender_vec3 *vertices = fender_geometry_vertices(geometry, &points);
    size_t size = (size_t)count * sizeof(int32_t);
    int32_t *indices = count > 0 ? allocator->allocate(allocator->ctx, size, _Alignof(int32_t)) : NULL;
    (void)fender_geometry_triangles(geometry, indices, indices ? count : 0);
    append_points(buffer, "vertices", vertices, points);
    if (indices || count == 0) append_triangles(buffer, indices, count);
    if (indices) allocator->release(allocator->ctx, indices, size);
    fender_geometry_release(geometry);
    return indices || count == 0;
}

/* By its lengths, or by what it is made of. False without memory. */
static bool append_geometry(fnd_buffer *buffer, const fender_scenario *scenario, const fnd_shape_description *shape)
{
    fender_geometry_type type = shape->geometry;
    bool has_half_length = type == FENDER_GEOMETRY_CAPSULE || type == FENDER_GEOMETRY_CYLINDER ||
                           type == FENDER_GEOMETRY_CONE;
    fnd_json_put_text(buffer, "type", fender_geometry_type_name(type));
    if (has_half_length || type == FENDER_GEOMETRY_SPHERE || type == FENDER_GEOMETRY_DISK) {
        fnd_json_put_number(buffer, "radius", shape->radius);
    }
    if (has_half_length) { fnd_json_put_number(buffer, "half_length", shape->half_length); }
    if (type == FENDER_GEOMETRY_BOX) fnd_json_put_vector(buffer, "half_extents", shape->half);
    if (type == FENDER_GEOMETRY_ELLIPSOID) fnd_json_put_vector(buffer, "radii", shape->half);
    if (type == FENDER_GEOMETRY_PROBE) {
        fnd_json_put_number(buffer, "range", shape->range);
        fnd_json_put_number(buffer, "cushion", shape->cushion);
    }
    if (shape->rounding > 0) { fnd_json_put_number(buffer, "rounding", shape->rounding); }
    if (!shape->data) return true;
    const fnd_shape_data *data = shape->data;
    if (type == FENDER_GEOMETRY_HULL) return append_hull(buffer, scenario, shape);
    if (type == FENDER_GEOMETRY_GRID) append_grid(buffer, data);
    else append_points(buffer, "vertices", data->points, data->point_count);
    if (type == FENDER_GEOMETRY_MESH) append_triangles(buffer, data->triangles[0], 3 * data->triangle_count);
    return true;
}

static void append_shape(fnd_buffer *buffer, const fender_scenario *scenario, const fnd_shape_description *shape)
{
    const double orientation[] = {shape->X_SG.q.w, shape->X_SG.q.x, shape->X_SG.q.y, shape->X_SG.q.z};
    fnd_json_begin(buffer, NULL, '{');
    fnd_json_put_text(buffer, "name", shape->id.name);
    fnd_json_begin(buffer, "geometry", '{');
    if (!append_geometry(buffer, scenario, shape)) buffer->failed = true;
    fnd_buffer_append_char(buffer, '}');
    fnd_json_put_text(buffer, "material", shape->material >= 0 ? scenario->materials[shape->material].name : "");
    fnd_json_put_vector(buffer, "position", shape->X_SG.p);
    fnd_json_put_numbers(buffer, "orientation", orientation, 4);
    fnd_buffer_append_char(buffer, '}');
}

/* "key":{"stiffness":..}: words for enums, null for no limit. */
static void append_fields(fnd_buffer *buffer, const char *key, const fender_field_table *table, const void *object)
{
    fnd_json_begin(buffer, key, '{');
    for (int i = 0; i < table->count; i++) {
        const fender_field *field = fender_field_at(table, i);
        fnd_json_put_field(buffer, field->name, field, object);
    }
    fnd_buffer_append_char(buffer, '}');
}

static void append_link(fnd_buffer *buffer, const fender_scenario *scenario, const fnd_link_description *link)
{
    fnd_json_begin_row(buffer);
    fnd_json_put_text(buffer, "name", link->id.name);
    fnd_json_put_text(buffer, "law", fender_link_law_name(link->def.law));
    fnd_json_put_bool(buffer, "active", link->def.active);
    append_fields(buffer, "parameters", fender_link_law_parameters(link->def.law), link->def.parameters);
    fnd_json_begin(buffer, "ends", '[');
    for (int i = 0; i < 2; i++) {
        const fnd_body_description *body = &scenario->bodies[link->body[i]];
        const fnd_point_description *point = &body->points[link->point[i]];
        fnd_json_begin(buffer, NULL, '{');
        fnd_json_put_text(buffer, "body", body->id.name);
        fnd_json_put_text(buffer, "point", point->id.name);
        fnd_json_put_vector(buffer, "position", point->X_SP.p);
        fnd_buffer_append_char(buffer, '}');
    }
    fnd_buffer_append_text(buffer, "]}");
}

static void append_scene(fnd_buffer *buffer, const fender_scenario *scenario)
{
    static const char *const default_axes[] = {"x", "y", "z"};
    fnd_buffer_append_text(buffer, "{\"format\":\"fender-scene\",\"version\":1");
    fnd_json_put_text(buffer, "title", scenario->title);
    fnd_json_put_text(buffer, "about", scenario->about);
    fnd_json_begin(buffer, "axes", '[');
    for (int i = 0; i < 3; i++) {
        fnd_json_comma(buffer);
        fnd_json_text(buffer, scenario->axes[i] ? scenario->axes[i] : default_axes[i]);
    }
    fnd_buffer_append_text(buffer, "],\"bodies\":[");
    for (int i = 0; i < scenario->body_count; i++) {
        const fnd_body_description *body = &scenario->bodies[i];
        fnd_json_begin_row(buffer);
        fnd_json_put_text(buffer, "name", body->id.name);
        fnd_json_put_text(buffer, "motion", fender_motion_name(body->def.motion));
        fnd_json_begin(buffer, "shapes", '[');
        for (int k = 0; k < body->shape_count; k++) append_shape(buffer, scenario, &body->shapes[k]);
        fnd_buffer_append_text(buffer, "]}");
    }
    fnd_buffer_append_text(buffer, "],\"links\":[");
    for (int i = 0; i < scenario->link_count; i++) append_link(buffer, scenario, &scenario->links[i]);
    fnd_buffer_append_text(buffer, "]}\n");
}

static fender_status write_file(const fender_run *run, const char *name, fnd_buffer *buffer, fender_error *error)
{
    size_t size;
    const fender_allocator *allocator = &run->env.allocator;
    char *path = buffer->failed ? NULL : fnd_directory_path(allocator, run->directory, name, &size);
    fender_status status = path ? fnd_file_write(path, fnd_buffer_text(buffer), buffer->length, error)
                                : fnd_io_fail_memory(error, "a file of the run directory");
    if (path) allocator->release(allocator->ctx, path, size);
    fnd_buffer_close(buffer);
    return status;
}

fender_status fnd_scene_write(const fender_run *run, fender_error *error)
{
    fnd_buffer buffer = fnd_buffer_open(&run->env.allocator);
    append_scene(&buffer, run->scenario);
    return write_file(run, FND_FILE_SCENE, &buffer, error);
}

/* ---- scenario.yaml */

/* Text in a comment: a line break would end it. */
static void append_comment_text(fnd_buffer *buffer, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '\n') fnd_buffer_append_text(buffer, "\\n");
        else if (c < 0x20 || c == 0x7F) fnd_buffer_appendf(buffer, "\\x%02X", c);
        else fnd_buffer_append_char(buffer, (char)c);
    }
}

void fnd_scenario_copy_append(const fender_run *run, fnd_buffer *to)
{
    const fender_scenario *scenario = run->scenario;
    const char *text = scenario->source_text ? scenario->source_text : "";
    size_t length = scenario->source_text ? scenario->source_length : 0;
    /* A byte order mark must stay the first thing in the file. */
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        fnd_buffer_append(to, text, 3);
        text += 3;
        length -= 3;
    }
    if (scenario->override_count > 0) {
        fnd_buffer_append_text(to, "# The run was of the text below with these replacements:\n");
        for (int i = 0; i < scenario->override_count; i++) {
            fnd_buffer_append_text(to, "#   --set ");
            append_comment_text(to, scenario->overrides[i].path);
            fnd_buffer_append_char(to, '=');
            append_comment_text(to, scenario->overrides[i].value);
            fnd_buffer_append_char(to, '\n');
        }
    }
    fnd_buffer_append(to, text, length);
}

fender_status fnd_scenario_copy_write(const fender_run *run, fender_error *error)
{
    fnd_buffer buffer = fnd_buffer_open(&run->env.allocator);
    fnd_scenario_copy_append(run, &buffer);
    return write_file(run, FND_FILE_SCENARIO, &buffer, error);
}

/* ---- scenario.sources */

fender_status fnd_sources_write(const fender_run *run, fender_error *error)
{
    uint64_t hash;
    fnd_buffer buffer = fnd_buffer_open(&run->env.allocator);
    fnd_bundle_append(&buffer, run->scenario, &hash);
    return write_file(run, FND_FILE_SOURCES, &buffer, error);
}
