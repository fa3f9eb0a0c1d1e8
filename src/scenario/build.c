/* From the description to a world, through the public interface alone; the shared libraries that a scenario names. */
#include "plugin/load.h"
#include "scenario/bundle.h"
#include "scenario/diagnose.h"
#include "scenario/scenario.h"
#include "scenario/section.h"
#include "support/io_error.h"
#include "support/memory.h"
#include <stdio.h>
#include <string.h>

/* ---- Plugins ---- */

/* "fender-plugin 1 <16 digits> <bytes> <path>\n": what stands for its bytes among the texts of the scenario. */
static const char mark[] = "fender-plugin 1 ";

static char *note_of(fnd_reader *reader, const fnd_plugin_file *file, size_t *length)
{
    size_t room = sizeof mark + strlen(file->path) + 48;
    char *note = fnd_keep(reader, room, 1);
    if (!note) return NULL;
    *length = (size_t)snprintf(note, room, "%s%016llx %llu %s\n", mark, (unsigned long long)file->hash,
                               (unsigned long long)file->size, file->path);
    return note;
}

/* The path at the end of a note; NULL: it is none. */
static char *path_of_note(fnd_reader *reader, const fnd_scenario_text *note)
{
    const char *at = note->text;
    size_t left = note->length;
    if (left < sizeof mark || memcmp(at, mark, sizeof mark - 1) != 0 || at[left - 1] != '\n') return NULL;
    for (int blanks = 0; blanks < 4 && left > 0; at++, left--) blanks += *at == ' ';
    return left > 1 ? fnd_keep_text(reader, at, left - 1) : NULL;
}

static void tell(fnd_reader *reader, const fnd_node *node, const fender_error *error)
{
    if (error->status == FENDER_STATUS_MEMORY) reader->memory_failed = true;
    else fnd_diagnostic_add_error(reader->diagnostics, error, &node->location);
}

/* The file where it was when the run began, and unchanged. */
static bool find_noted(fnd_reader *reader, const fnd_node *node, const char *path, fnd_plugin_file *file)
{
    const fnd_scenario_text *note = fnd_bundle_find(reader->bundle, path);
    char *noted = note ? path_of_note(reader, note) : NULL;
    fnd_phrase name = fnd_shown(path);
    fender_error error = {0};
    if (!noted) {
        fnd_complain(reader, &node->location, FENDER_STATUS_FILE,
                     fnd_phrase_make("the run directory has no entry for the plug-in '%s'", name.text).text, name.text,
                     "the original plug-ins of the scenario", "start again from the scenario");
        return false;
    }
    if (fnd_plugin_find(noted, file, &error) != FENDER_STATUS_OK) {
        tell(reader, node, &error);
        return false;
    }
    size_t length = 0;
    const char *now = note_of(reader, file, &length);
    if (now && length == note->length && memcmp(now, note->text, length) == 0) return true;
    fnd_complain(reader, &node->location, FENDER_STATUS_FILE,
                 fnd_phrase_make("the plug-in '%s' has changed since the run began", name.text).text, "other bytes",
                 "the original bytes, because results depend on them",
                 "restore the original library, or start again from the scenario");
    return false;
}

static bool find(fnd_reader *reader, const fnd_node *node, const char *path, fnd_plugin_file *file)
{
    fender_error error = {0};
    if (reader->bundle) return find_noted(reader, node, path, file);
    if (fnd_plugin_find(path, file, &error) == FENDER_STATUS_OK) return true;
    tell(reader, node, &error);
    return false;
}

bool fnd_open_library(fnd_reader *reader, const fnd_node *node, const char *name, fnd_plugin_file *file,
                      const char **real)
{
    size_t length = 0;
    char *path = fnd_source_resolve(reader, fnd_source_of(reader, &node->location), name);
    if (!path || !find(reader, node, path, file)) return false;
    char *note = note_of(reader, file, &length);
    *real = fnd_keep_text(reader, file->path, strlen(file->path));
    return note && *real && fnd_source_open_bytes(reader, path, fnd_directory_of(reader, path), note, length);
}

/* One library; `loaded` holds the paths of those before it. */
static void read_plugin(fnd_reader *reader, const fnd_node *node, const char **loaded, int *count)
{
    fnd_plugin_file file;
    fender_error error = {0};
    const char *name = NULL, *real = NULL;
    if (!fnd_read_text(reader, node, "plugins", &name)) return;
    if (!fnd_open_library(reader, node, name, &file, &real)) return;
    for (int i = 0; i < *count; i++)
        if (strcmp(loaded[i], real) == 0) return; /* two files may need the same one */
    loaded[(*count)++] = real;
    if (fnd_plugin_load(reader->scenario->registry, &file, &error) != FENDER_STATUS_OK) tell(reader, node, &error);
}

void fnd_read_plugins(fnd_reader *reader, fnd_node *section)
{
    fender_scenario *scenario = reader->scenario;
    if (!section || !fnd_expect_list(reader, section, "plugins")) return;
    const char **loaded = fnd_keep(reader, (size_t)section->count, sizeof(const char *));
    fender_registry *own = loaded ? fender_registry_extend(&reader->env, scenario->registry, NULL) : NULL;
    if (!own) {
        reader->memory_failed = true;
        return;
    }
    fender_registry_destroy(scenario->registry);
    scenario->registry = own;
    scenario->world.registry = own;
    int count = 0;
    for (const fnd_node *node = section->first; node; node = node->next) read_plugin(reader, node, loaded, &count);
}

/* ---- Worlds ---- */

typedef struct builder {
    const fender_scenario *scenario;
    const fender_env *env;
    fnd_diagnostics *diagnostics;
    fender_world *world;
    fnd_arena arena; /* of the ids below */
    fender_material_id *materials;
    fender_body_id *bodies;
    fender_shape_id **shapes; /* by body */
    fender_point_id **points; /* by body */
    fender_contact_type_id *types;
    fender_geometry **geometries; /* by named geometry; NULL: not made yet */
} builder;

static bool begins(const char *path, const char *word)
{
    size_t length = strlen(word);
    return strncmp(path, word, length) == 0 && (path[length] == 0 || path[length] == '.' || path[length] == '[');
}

static void refuse(builder *b, const fender_error *error, const fnd_location *location)
{
    fnd_diagnostic_add_error(b->diagnostics, error, location);
}

static const fnd_location *or_else(const fnd_location *location, const fnd_location *otherwise)
{
    return location->line > 0 ? location : otherwise;
}

static const fnd_location *body_place(const fnd_body_description *body, const char *path)
{
    const fnd_location *location = &body->id.location;
    if (begins(path, "mass_properties.inertia") || begins(path, "inertia")) location = &body->inertia_location;
    else if (begins(path, "mass_properties") || begins(path, "mass")) location = &body->mass_location;
    else if (begins(path, "state")) location = &body->state_location;
    return or_else(location, &body->id.location);
}

static void build_materials(builder *b)
{
    for (int i = 0; i < b->scenario->material_count; i++) {
        const fnd_named *m = &b->scenario->materials[i];
        fender_error error = {0};
        if (fender_material_create(b->world, m->name, &b->materials[i], &error) != FENDER_STATUS_OK)
            refuse(b, &error, &m->location);
    }
}

/* Where the scenario says what a path within the type names. */
static const fnd_location *place_in_type(const fnd_contact_type_description *t, const char *path)
{
    const fnd_location *location = begins(path, "normal")     ? &t->normal_location
                                   : begins(path, "friction") ? &t->friction_location
                                   : begins(path, "rolling")  ? &t->rolling_location
                                   : begins(path, "twisting") ? &t->twisting_location
                                                              : &t->law_location;
    return or_else(location, &t->id.location);
}

static void build_contact_types(builder *b)
{
    for (int i = 0; i < b->scenario->contact_type_count; i++) {
        const fnd_contact_type_description *t = &b->scenario->contact_types[i];
        bool is_prescribed = t->prescribed_force.normal.count > 0 || t->prescribed_force.friction.count > 0;
        fender_contact_type_def def = {.size = sizeof(fender_contact_type_def),
                                       .name = t->id.name,
                                       .law = t->law,
                                       .normal = t->normal,
                                       .friction = t->friction,
                                       .law_parameters = t->law_parameters,
                                       .normal_parameters = t->normal_parameters,
                                       .friction_parameters = t->friction_parameters,
                                       .rolling = t->rolling,
                                       .rolling_parameters = t->rolling_parameters,
                                       .twisting = t->twisting,
                                       .twisting_parameters = t->twisting_parameters,
                                       .prescribed_force = is_prescribed ? &t->prescribed_force : NULL,
                                       .points = t->points,
                                       .unlocated = t->unlocated};
        fender_error error = {0};
        if (fender_contact_type_create(b->world, &def, &b->types[i], &error) == FENDER_STATUS_OK) continue;
        refuse(b, &error, place_in_type(t, error.path));
    }
}

/* One geometry for all shapes that name it. */
static fender_geometry *geometry_of(builder *b, const fnd_shape_description *shape, fender_error *error)
{
    int shared = shape->data && shape->geometry != FENDER_GEOMETRY_HULL ? shape->data->shared : 0;
    if (shared == 0) return fnd_shape_geometry(b->env, shape, error);
    fender_geometry **made = &b->geometries[shared - 1];
    if (!*made) *made = fnd_shape_geometry(b->env, shape, error);
    return *made ? fender_geometry_retain(*made) : NULL;
}

static void build_shape(builder *b, int body, int index)
{
    const fnd_shape_description *shape = &b->scenario->bodies[body].shapes[index];
    fender_error error = {0};
    fender_shape_def def = fender_shape_def_default();
    def.name = shape->id.name;
    def.geometry = geometry_of(b, shape, &error);
    def.X_SG = shape->X_SG;
    def.active = shape->active;
    def.surface_velocity = shape->surface_velocity;
    def.surface_spin = shape->surface_spin;
    if (shape->material >= 0) def.material = b->materials[shape->material];
    if (!def.geometry ||
        fender_shape_create(b->world, b->bodies[body], &def, &b->shapes[body][index], &error) != FENDER_STATUS_OK)
        refuse(b, &error, &shape->id.location);
    fender_geometry_release(def.geometry);
}

static void build_bodies(builder *b)
{
    for (int i = 0; i < b->scenario->body_count; i++) {
        const fnd_body_description *body = &b->scenario->bodies[i];
        fender_error error = {0};
        if (fender_body_create(b->world, &body->def, &b->bodies[i], &error) != FENDER_STATUS_OK) {
            refuse(b, &error, body_place(body, error.path));
            continue;
        }
        for (int j = 0; j < body->shape_count; j++) build_shape(b, i, j);
        for (int j = 0; j < body->point_count; j++) {
            const fnd_point_description *point = &body->points[j];
            if (fender_point_create(b->world, b->bodies[i], point->id.name, point->X_SP, &b->points[i][j], &error) !=
                FENDER_STATUS_OK)
                refuse(b, &error, &point->id.location);
        }
    }
}

/* In file order; every body that is attached is the root of its tree until then, so that the order is free. */
static void build_attachments(builder *b)
{
    for (int i = 0; i < b->scenario->body_count; i++) {
        const fnd_attachment_description *attached = &b->scenario->bodies[i].attached;
        if (attached->location.line == 0) continue;
        fender_error error = {0};
        fender_attach_def def = fender_attach_def_default();
        def.child = b->bodies[i];
        def.parent = b->bodies[attached->parent];
        if (attached->child_point >= 0) {
            def.child_point = b->points[i][attached->child_point];
            def.parent_point = b->points[attached->parent][attached->parent_point];
        }
        def.X_PC = attached->X_PC;
        def.pose = FENDER_ATTACH_POSED;
        if (fender_body_attach(b->world, &def, NULL, &error) != FENDER_STATUS_OK)
            refuse(b, &error, &attached->location);
    }
    for (int i = 0; i < b->scenario->body_count; i++) {
        const fnd_attachment_description *attached = &b->scenario->bodies[i].attached;
        if (attached->motion_location.line == 0) continue;
        fender_error error = {0};
        if (fender_body_set_part_motion(b->world, b->bodies[i], &attached->motion, &error) != FENDER_STATUS_OK)
            refuse(b, &error, &attached->motion_location);
    }
}

static void build_rules(builder *b)
{
    for (int i = 0; i < b->scenario->rule_count; i++) {
        const fnd_rule_description *rule = &b->scenario->rules[i];
        fender_error error = {0};
        fender_rule_id id;
        fender_rule_def def = {
            .size = sizeof(fender_rule_def), .kind = rule->kind, .ignore_unsupported = rule->ignore_unsupported};
        if (rule->kind == FENDER_RULE_SHAPES) {
            def.shape_a = b->shapes[rule->body_a][rule->shape_a];
            def.shape_b = b->shapes[rule->body_b][rule->shape_b];
        } else if (rule->kind == FENDER_RULE_BODIES) {
            def.body_a = b->bodies[rule->body_a];
            def.body_b = b->bodies[rule->body_b];
        } else if (rule->kind == FENDER_RULE_MATERIALS) {
            def.material_a = b->materials[rule->material_a];
            def.material_b = b->materials[rule->material_b];
        }
        if (rule->use >= 0) def.use = b->types[rule->use];
        if (fender_rule_create(b->world, &def, &id, &error) != FENDER_STATUS_OK) refuse(b, &error, &rule->location);
    }
}

static void build_links(builder *b)
{
    for (int i = 0; i < b->scenario->link_count; i++) {
        const fnd_link_description *link = &b->scenario->links[i];
        fender_error error = {0};
        fender_link_def def = link->def;
        def.a = b->points[link->body[0]][link->point[0]];
        def.b = b->points[link->body[1]][link->point[1]];
        if (link->use >= 0) def.use = b->types[link->use];
        if (fender_link_create(b->world, &def, NULL, &error) != FENDER_STATUS_OK) refuse(b, &error, &link->id.location);
    }
}

/* What the formula of a signal reads, in `room`. */
static void place_readings(const builder *b, const fnd_reading_description *from, fender_signal *signal,
                           fender_load_reading *room)
{
    for (int i = 0; i < signal->reading_count; i++) {
        const fnd_reading_description *r = &from[i];
        room[i] = (fender_load_reading){.quantity = r->quantity, .component = r->component};
        room[i].frame.kind = r->point >= 0 ? FENDER_BODY_FRAME_POINT : FENDER_BODY_FRAME_STRUCTURE;
        room[i].frame.body = b->bodies[r->body];
        if (r->point >= 0) room[i].frame.point = b->points[r->body][r->point];
    }
    signal->readings = room;
}

static void build_loads(builder *b)
{
    for (int i = 0; i < b->scenario->load_count; i++) {
        const fnd_load_description *load = &b->scenario->loads[i];
        fender_error error = {0};
        fender_load_id id;
        fender_load_def def = load->def;
        def.body = b->bodies[load->body];
        if (load->tank >= 0) def.tank = b->bodies[load->tank];
        fender_load_reading of_force[FENDER_LOAD_READING_CAPACITY], of_torque[FENDER_LOAD_READING_CAPACITY];
        place_readings(b, load->readings[0], &def.force, of_force);
        place_readings(b, load->readings[1], &def.torque, of_torque);
        if (fender_load_create(b->world, &def, &id, &error) != FENDER_STATUS_OK) refuse(b, &error, &load->id.location);
    }
}

static void build_sensors(builder *b)
{
    for (int i = 0; i < b->scenario->sensor_count; i++) {
        const fnd_sensor_description *sensor = &b->scenario->sensors[i];
        fender_error error = {0};
        fender_beam beam = sensor->beam;
        beam.body = b->bodies[sensor->body];
        if (fender_sensor_create(
                b->world,
                &(fender_sensor_def){.size = sizeof(fender_sensor_def), .name = sensor->id.name, .beam = beam}, NULL,
                &error) != FENDER_STATUS_OK)
            refuse(b, &error, &sensor->id.location);
    }
}

static bool reserve(builder *b)
{
    const fender_scenario *s = b->scenario;
    b->materials = FND_ARENA_NEW_ARRAY(&b->arena, fender_material_id, (size_t)s->material_count);
    b->bodies = FND_ARENA_NEW_ARRAY(&b->arena, fender_body_id, (size_t)s->body_count);
    b->types = FND_ARENA_NEW_ARRAY(&b->arena, fender_contact_type_id, (size_t)s->contact_type_count);
    b->geometries = FND_ARENA_NEW_ARRAY(&b->arena, fender_geometry *, (size_t)s->geometry_count);
    b->shapes = FND_ARENA_NEW_ARRAY(&b->arena, fender_shape_id *, (size_t)s->body_count);
    for (int i = 0; b->shapes && i < s->body_count; i++)
        b->shapes[i] = FND_ARENA_NEW_ARRAY(&b->arena, fender_shape_id, (size_t)s->bodies[i].shape_count);
    b->points = FND_ARENA_NEW_ARRAY(&b->arena, fender_point_id *, (size_t)s->body_count);
    for (int i = 0; b->points && i < s->body_count; i++)
        b->points[i] = FND_ARENA_NEW_ARRAY(&b->arena, fender_point_id, (size_t)s->bodies[i].point_count);
    return !b->arena.failed;
}

/* Stops after a stage with diagnostics: what refers to a refused object would only repeat them. */
static void build_all(builder *b)
{
    static void (*const stages[])(builder *) = {build_materials, build_contact_types, build_bodies, build_attachments,
                                                build_rules,     build_links,         build_loads,  build_sensors};
    fender_error error = {0};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        stages[i](b);
        if (i >= 2 && fnd_diagnostics_error_count(b->diagnostics) > 0) return;
    }
    fnd_location location = {b->scenario->file, 0, 0, 0, ""};
    if (fender_world_initialize(b->world, &error) == FENDER_STATUS_OK) return;
    for (int i = 0; i < b->scenario->rule_count; i++) {
        char path[32];
        snprintf(path, sizeof path, "rules[%d]", i); /* the order of adding is that of the description */
        if (strcmp(error.path, path) == 0) location = b->scenario->rules[i].location;
    }
    for (int i = 0; i < b->scenario->contact_type_count; i++) {
        const fnd_contact_type_description *t = &b->scenario->contact_types[i];
        char path[160];
        const int length = snprintf(path, sizeof path, "contact_types.%.100s", t->id.name);
        if (begins(error.path, path) && error.path[length] == '.')
            location = *place_in_type(t, error.path + length + 1);
    }
    refuse(b, &error, &location);
}

fender_world *fender_scenario_build(const fender_scenario *scenario, const fender_env *env, fender_error *error)
{
    if (!fnd_io_env_usable(env, error)) return NULL;
    fender_env own = env ? *env : scenario->env;
    builder b = {.scenario = scenario,
                 .env = &own,
                 .diagnostics = fnd_diagnostics_create(&own),
                 .arena = fnd_arena_open(&own.allocator, 0)};
    if (!b.diagnostics) {
        (void)fnd_diagnostics_deliver(NULL, error);
        return NULL;
    }
    fender_error create_error = {0};
    fnd_location whole = {scenario->file, 0, 0, 0, ""};
    b.world = fender_world_create(&own, &scenario->world, &create_error);
    if (!b.world) refuse(&b, &create_error, begins(create_error.path, "step") ? &scenario->step_location : &whole);
    else if (reserve(&b)) build_all(&b);
    else
        fnd_diagnostic_add(b.diagnostics, FENDER_SEVERITY_ERROR, FENDER_STATUS_MEMORY, &whole,
                           "not enough memory for building the world", "", "",
                           "free memory, or make the scenario smaller");
    for (int i = 0; b.geometries && i < scenario->geometry_count; i++) fender_geometry_release(b.geometries[i]);
    fnd_arena_close(&b.arena);
    if (fnd_diagnostics_deliver(b.diagnostics, error) == FENDER_STATUS_OK) return b.world;
    fender_world_destroy(b.world);
    return NULL;
}

const char *fender_scenario_rule_location(const fender_scenario *scenario, fender_rule_id rule, int *line)
{
    /* a world hands out rule ids in the order of creation, which is the order of the description */
    bool known = rule.index1 > 0 && rule.index1 <= (uint32_t)scenario->rule_count;
    const fnd_location *location = known ? &scenario->rules[rule.index1 - 1].location : NULL;
    if (line) *line = location ? location->line : 0;
    return location ? location->file : "";
}
