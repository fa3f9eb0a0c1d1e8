/* The scenario of a model: YAML with comments that say where each part came from. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "model_import/contact_types.h"
#include "model_import/ground.h"
#include "model_import/link_springs.h"

#include <fender/mesh_file.h>

#include "support/io_error.h"
#include "support/json.h"
#include "support/number.h"

#include <stdlib.h>
#include <string.h>

typedef struct writing {
    fnd_model *model;
    fnd_buffer *to;
} writing;

/* ---- values */

static void put(writing *w, const char *text) { fnd_buffer_append_text(w->to, text); }
static void number(writing *w, double value) { fnd_buffer_append_number(w->to, value == 0 ? 0 : value); }

static void quantity(writing *w, double value, const char *unit)
{
    number(w, value);
    put(w, " ");
    put(w, unit);
}

static void numbers(writing *w, const double *values, int count, const char *unit)
{
    put(w, "[");
    for (int i = 0; i < count; i++) {
        if (i > 0) put(w, ", ");
        number(w, values[i]);
    }
    if (unit[0]) put(w, ", ");
    put(w, unit);
    put(w, "]");
}

static void vector(writing *w, fender_vec3 v, const char *unit)
{
    numbers(w, (const double[3]){v.x, v.y, v.z}, 3, unit);
}

static bool is_zero(fender_vec3 v) { return v.x == 0 && v.y == 0 && v.z == 0; }

static void quaternion(writing *w, fender_quaternion q)
{
    put(w, "{quaternion: ");
    numbers(w, (const double[4]){q.w, q.x, q.y, q.z}, 4, "");
    put(w, "}");
}

static bool is_turned(fender_quaternion q) { return q.x != 0 || q.y != 0 || q.z != 0; }

/* "position: [..], orientation: {..}", with a comma before each. */
static void pose(writing *w, fender_pose p, bool comma)
{
    if (!is_zero(p.p)) {
        put(w, comma ? ", position: " : "position: ");
        vector(w, p.p, "m");
        comma = true;
    }
    if (is_turned(p.q)) {
        put(w, comma ? ", orientation: " : "orientation: ");
        quaternion(w, p.q);
    }
}

/* "# kind 'name' (file:line)" */
static void origin(writing *w, const char *indent, const char *kind, const char *name, const fnd_location *location)
{
    fnd_phrase shown = fnd_shown(name);
    const char *slash = strrchr(location->file, '/');
    put(w, indent);
    put(w, "# ");
    put(w, kind);
    if (name[0]) {
        put(w, " '");
        put(w, shown.text);
        put(w, "'");
    }
    put(w, " (");
    put(w, fnd_shown(slash ? slash + 1 : location->file).text);
    put(w, ":");
    number(w, location->line);
    put(w, ")\n");
}

/* ---- contacts */

static void put_type(writing *w, const fnd_model_contact_type *t)
{
    put(w, "  ");
    put(w, t->name.text);
    put(w, ":\n    normal: {law: spring_damper, ");
    if (w->model->soft_contact) {
        put(w, "stiffness: ");
        quantity(w, t->stiffness, "N/m");
        put(w, ", damping: ");
        quantity(w, t->damping, "N*s/m");
        put(w, "}  # solref with the reduced mass ");
        quantity(w, t->mass, "kg\n");
    } else {
        put(w, "stiffness: {sink: 5 mm, weight: ");
        quantity(w, t->mass * 9.81, "N}, damping: {ratio: 0.3, mass: ");
        quantity(w, t->mass, "kg}}\n");
    }
    if (t->condim >= 3 && t->friction[0] > 0) {
        put(w, "    friction: {law: coulomb, mu: ");
        number(w, t->friction[0]);
        put(w, ", slip_speed: ");
        put(w, fnd_digits(100 * FND_MODEL_SLIP_SPEED, "cm/s}\n").text);
        if (t->condim >= 4 && t->friction[1] > 0) {
            put(w, "    twisting: {law: torsional, mu: ");
            number(w, t->friction[0]);
            put(w, ", radius: ");
            quantity(w, 1.5 * t->friction[1] / t->friction[0], "m}  # 2/3 mu radius is the torsional coefficient\n");
        }
    }
    if (t->condim >= 6 && t->friction[2] > 0) {
        put(w, "    rolling: {law: rolling_resistance, arm: ");
        quantity(w, t->friction[2], "m}\n");
    }
}

static void names_of(writing *w, const fnd_model_shape *s)
{
    put(w, s->body->carrier->name);
    put(w, ".");
    put(w, s->name);
}

static bool put_never(writing *w, const fnd_model_body *a, const fnd_model_body *b)
{
    for (const fnd_model_shape *s = a->shapes; s; s = s->next)
        for (const fnd_model_shape *t = b->shapes; t; t = t->next) {
            put(w, "  - {shapes: [");
            names_of(w, s);
            put(w, ", ");
            names_of(w, t);
            put(w, "], use: never}\n");
            if (w->to->failed) return false;
        }
    return true;
}

enum { PAIR_LIMIT = 20000 };

static void warn_of_contacts(fnd_model *model, const fnd_model_contact_types *types)
{
    char times[FND_NUMBER_SIZE];
    fnd_phrase remedy = fnd_phrase_make("edit the contact types");
    if (model->soft_contact && types->least < 0.9) {
        (void)fnd_number_format_digits(1 / types->least, 2, times, sizeof times);
        remedy = fnd_phrase_make("at rest they are up to %s times as deep: edit the contact types", times);
    }
    fnd_model_warn(model, &model->location,
                   model->soft_contact ? "MuJoCo's soft contact has no exact counterpart: contacts become springs"
                                       : "URDF says nothing of contacts: stiffness, damping and friction are chosen",
                   remedy.text);
}

/* step: s, that contacts of linked bodies need */
static bool put_contacts(writing *w, double *step)
{
    fnd_model *model = w->model;
    fnd_model_contact_types types = {.step = INFINITY, .least = 1};
    fnd_buffer rules = fnd_buffer_open(&model->env.allocator);
    writing r = {model, &rules};
    bool good = true;
    int count = 0;
    for (const fnd_model_rule *rule = model->rules; rule && good; rule = rule->next) {
        if (rule->never && rule->bodies[0]->cluster != rule->bodies[1]->cluster) {
            origin(&r, "  ", "exclude", "", &rule->location);
            good = put_never(&r, rule->bodies[0], rule->bodies[1]);
        } else if (!rule->never && !model->no_pairs) {
            const fnd_model_shape *a = rule->shapes[0], *b = rule->shapes[1];
            const fnd_model_body *const clusters[2] = {a->body->cluster, b->body->cluster};
            if (clusters[0] == clusters[1] || fnd_model_reduced_mass(clusters[0], clusters[1]) == 0) continue;
            int found = fnd_model_add_contact_type(model, &types, &rule->surface, clusters,
                                                   (const char *const[2]){a->name, b->name}, &rule->location);
            if ((good = found >= 0)) {
                origin(&r, "  ", "pair", "", &rule->location);
                put(&r, "  - {shapes: [");
                names_of(&r, a);
                put(&r, ", ");
                names_of(&r, b);
                put(&r, "], use: ");
                put(&r, types.list[found].name.text);
                put(&r, "}\n");
            }
        }
    }
    for (int i = 0; i < model->material_count && good; i++)
        for (int j = i + 1; j < model->material_count && good; j++) {
            const fnd_model_material *a = &model->materials[i], *b = &model->materials[j];
            if (!fnd_model_may_touch(model, a, b)) continue;
            fnd_model_surface surface = fnd_model_mix_surfaces(&a->surface, &b->surface);
            int found = fnd_model_add_contact_type(model, &types, &surface,
                                                   (const fnd_model_body *const[2]){a->cluster, b->cluster},
                                                   (const char *const[2]){b->name, a->name}, &model->location);
            good = found >= 0 && ++count < PAIR_LIMIT;
            if (count == PAIR_LIMIT)
                fnd_model_error(model, &model->location, FENDER_STATUS_VALUE, "there are too many pairs of surfaces",
                                "one more", fnd_phrase_make("at most %d", PAIR_LIMIT).text,
                                "join bodies, or exclude contacts");
            if (!good) break;
            put(&r, "  - {materials: [");
            put(&r, a->name);
            put(&r, ", ");
            put(&r, b->name);
            put(&r, "], use: ");
            put(&r, types.list[found].name.text);
            put(&r, ", unsupported: ignore}\n");
        }
    if (good && model->material_count > 0) {
        put(w, "materials:\n");
        for (int i = 0; i < model->material_count; i++) {
            put(w, "  ");
            put(w, model->materials[i].name);
            put(w, ": {}\n");
        }
        if (types.count > 0) {
            put(w,
                model->soft_contact
                    ? "# MuJoCo's soft contact has no exact counterpart: the springs below have the impact of a single "
                      "contact\n"
                    : "# URDF says nothing of contacts: choose stiffness, damping and friction\n");
            put(w, "contact_types:\n");
        }
        for (int i = 0; i < types.count; i++) put_type(w, &types.list[i]);
        put(w, "rules:\n");
        fnd_buffer_append(w->to, fnd_buffer_text(&rules), rules.length);
        put(w, "  - {default: never}\n");
    }
    if (types.count > 0 && good) warn_of_contacts(model, &types);
    *step = types.step;
    good = good && !rules.failed;
    fnd_buffer_close(&rules);
    return good;
}

/* ---- files */

enum { PATH_SIZE = 4096 };

/* The path of a file as the scenario names it: relative to the folder that the scenario will be in. */
static void put_path(writing *w, const char *file)
{
    char from[PATH_SIZE], to[PATH_SIZE];
    const char *folder = w->model->options->output_directory;
    fnd_buffer path = fnd_buffer_open(&w->model->env.allocator);
    if (realpath(folder && folder[0] ? folder : ".", from) && realpath(file, to)) {
        size_t same = 0; /* the common folders */
        for (size_t i = 0;; i++) {
            bool from_end = from[i] == '/' || from[i] == '\0', to_end = to[i] == '/' || to[i] == '\0';
            if (from_end && to_end) same = i;
            if (from[i] != to[i] || from[i] == '\0') break;
        }
        for (const char *at = from + same; *at; at++)
            if (at[0] == '/' && at[1]) fnd_buffer_append_text(&path, "../");
        fnd_buffer_append_text(&path, to + same + (to[same] == '/'));
    } else fnd_buffer_append_text(&path, file);
    fnd_json_text(w->to, fnd_buffer_text(&path));
    w->to->failed = w->to->failed || path.failed;
    fnd_buffer_close(&path);
}

/* ---- meshes: each file in each scale once */

static bool same_mesh(const fnd_model_shape *a, const fnd_model_shape *b)
{
    return a->kind == FND_MODEL_MESH && b->kind == FND_MODEL_MESH && strcmp(a->file, b->file) == 0 &&
           a->scale.x == b->scale.x && a->scale.y == b->scale.y && a->scale.z == b->scale.z;
}

static const fnd_model_shape *first_mesh(const fnd_model *model, const fnd_model_shape *shape)
{
    for (const fnd_model_body *b = model->bodies; b; b = b->next)
        for (const fnd_model_shape *s = b->shapes; s; s = s->next)
            if (same_mesh(s, shape)) return s;
    return shape;
}

static bool put_meshes(writing *w)
{
    int count = 0;
    for (fnd_model_body *b = w->model->bodies; b; b = b->next)
        for (fnd_model_shape *s = b->shapes; s; s = s->next) {
            if (s->kind != FND_MODEL_MESH) continue;
            const fnd_model_shape *first = first_mesh(w->model, s);
            if (first != s) {
                s->geometry = first->geometry;
                continue;
            }
            if (count == 0) put(w, "geometries:\n");
            s->geometry = fnd_model_keep_text(w->model, fnd_phrase_make("mesh_%d", ++count).text);
            if (!s->geometry) return false;
            put(w, "  ");
            put(w, s->geometry);
            put(w, ": {");
            put(w, fender_mesh_format_name(fender_mesh_format_of(s->file)));
            put(w, ": ");
            put_path(w, s->file);
            put(w, ", unit: m");
            if (s->scale.x != 1 || s->scale.y != 1 || s->scale.z != 1) {
                put(w, ", scale: ");
                vector(w, s->scale, "");
            }
            put(w, "}\n");
        }
    return true;
}

/* ---- shapes */

static void put_ends(writing *w, const char *name, const fnd_model_shape *s)
{
    put(w, name);
    put(w, ": {radius: ");
    quantity(w, s->size.x, "m, length: ");
    quantity(w, 2 * s->size.y, "m}");
}

static void put_grid(writing *w, const fnd_model_shape *s)
{
    put(w, "grid: {lower: ");
    numbers(w, (const double[2]){-s->size.x, -s->size.y}, 2, "m");
    put(w, ", spacing: ");
    numbers(w, (const double[2]){2 * s->size.x / (s->columns - 1), 2 * s->size.y / (s->rows - 1)}, 2, "m");
    put(w, ", heights: [");
    for (int i = 0; i < s->rows; i++) {
        numbers(w, s->values + (size_t)i * (size_t)s->columns, s->columns, "");
        put(w, ", ");
    }
    put(w, "m]}");
}

static void put_geometry(writing *w, const fnd_model_shape *s)
{
    switch (s->kind) {
    case FND_MODEL_PLANE: put(w, "plane: {}"); break;
    case FND_MODEL_SPHERE:
        put(w, "sphere: {radius: ");
        quantity(w, s->size.x, "m}");
        break;
    case FND_MODEL_CAPSULE: put_ends(w, "capsule", s); break;
    case FND_MODEL_CYLINDER: put_ends(w, "cylinder", s); break;
    case FND_MODEL_ELLIPSOID:
        put(w, "ellipsoid: {radii: ");
        vector(w, s->size, "m");
        put(w, "}");
        break;
    case FND_MODEL_BOX:
        put(w, "box: {half_extents: ");
        vector(w, s->size, "m");
        put(w, "}");
        break;
    case FND_MODEL_MESH:
        put(w, w->model->options->mesh_surfaces ? "mesh: " : "hull: ");
        put(w, s->geometry);
        break;
    case FND_MODEL_POINTS:
        put(w, "hull: {points: [");
        for (int i = 0; i < s->count; i++) {
            numbers(w, s->values + 3 * (size_t)i, 3, "");
            put(w, ", ");
        }
        put(w, "m]}");
        break;
    case FND_MODEL_GRID: put_grid(w, s); break;
    }
}

static fender_pose in_carrier(const fnd_model_body *body, fender_pose p)
{
    fender_pose q = fender_pose_product(body->in_carrier, p);
    q.q = fender_quaternion_normalized(q.q);
    return q;
}

static void put_shapes(writing *w, const fnd_model_body *carrier)
{
    bool begun = false;
    for (const fnd_model_body *b = w->model->bodies; b; b = b->next)
        for (const fnd_model_shape *s = b->carrier == carrier ? b->shapes : NULL; s; s = s->next) {
            if (!begun) put(w, "    shapes:\n");
            begun = true;
            origin(w, "      ", b == carrier ? "shape" : fnd_phrase_make("shape of '%.60s',", b->name).text,
                   s->original, &s->location);
            put(w, "      ");
            put(w, s->name);
            put(w, ": {");
            put_geometry(w, s);
            pose(w, in_carrier(b, s->pose), true);
            put(w, ", material: ");
            put(w, w->model->materials[s->material].name);
            put(w, "}\n");
            w->model->report.shapes++;
        }
}

static void put_points(writing *w, const fnd_model_body *carrier)
{
    bool begun = false;
    for (const fnd_model_body *b = w->model->bodies; b; b = b->next)
        for (const fnd_model_point *p = b->carrier == carrier ? b->points : NULL; p; p = p->next) {
            if (!begun) put(w, "    points:\n");
            begun = true;
            put(w, "      ");
            put(w, p->name);
            put(w, ": {");
            fender_pose placed = in_carrier(b, p->pose);
            put(w, "position: ");
            vector(w, placed.p, "m");
            placed.p = (fender_vec3){0, 0, 0};
            pose(w, placed, true);
            put(w, "}\n");
            w->model->report.points++;
        }
}

/* ---- bodies */

static void put_mass(writing *w, const fnd_model_body *b)
{
    const fender_mat3 *inertia = &b->mass.inertia;
    bool diagonal = inertia->m[0][1] == 0 && inertia->m[0][2] == 0 && inertia->m[1][2] == 0;
    put(w, "    mass_properties:\n      mass: ");
    quantity(w, b->mass.mass, "kg\n");
    if (!is_zero(b->mass.center_of_mass)) {
        put(w, "      center_of_mass: ");
        vector(w, b->mass.center_of_mass, "m");
        put(w, "\n");
    }
    put(w, "      inertia: ");
    if (diagonal) vector(w, (fender_vec3){inertia->m[0][0], inertia->m[1][1], inertia->m[2][2]}, "kg*m^2");
    else {
        put(w, "[");
        for (int i = 0; i < 3; i++) {
            numbers(w, inertia->m[i], 3, "");
            put(w, ", ");
        }
        put(w, "kg*m^2]");
    }
    put(w, "\n");
    if (b->lenient_inertia) put(w, "      lenient_inertia: true\n");
}

/* Pose of a carrier in the carrier of its parent. */
static fender_pose in_parent(const fnd_model_body *b)
{
    const fnd_model_body *up = b->parent->carrier;
    fender_pose p = fender_pose_product(fender_pose_inverse(up->world), b->world);
    p.q = fender_quaternion_normalized(p.q);
    return p;
}

static void put_state(writing *w, const fnd_model_body *b)
{
    bool relative = b->link;
    fender_pose p = relative ? in_parent(b) : b->world;
    if (!relative && is_zero(p.p) && !is_turned(p.q) && is_zero(b->velocity) && is_zero(b->angular_velocity)) return;
    put(w, "    state: {");
    if (relative) {
        put(w, "relative_to: ");
        put(w, b->parent->carrier->name);
    }
    pose(w, p, relative);
    bool comma = relative || !is_zero(p.p) || is_turned(p.q);
    if (!is_zero(b->velocity)) {
        put(w, comma ? ", velocity: " : "velocity: ");
        vector(w, b->velocity, "m/s");
        comma = true;
    }
    if (!is_zero(b->angular_velocity)) {
        put(w, comma ? ", angular_velocity: " : "angular_velocity: ");
        vector(w, b->angular_velocity, "rad/s");
    }
    put(w, "}\n");
}

static bool is_empty(const fnd_model *model, const fnd_model_body *body)
{
    for (const fnd_model_body *b = model->bodies; b; b = b->next)
        if ((b->carrier == body && (b->shapes || b->points)) ||
            (b->parent && b->parent->carrier == body && b->carrier == b))
            return false;
    return true;
}

static bool put_bodies(writing *w)
{
    fnd_model *model = w->model;
    put(w, "bodies:\n");
    if (model->options->ground) {
        put(w, "  ground:\n    motion: fixed\n    shapes:\n      plane: {plane: {}, material: ground}\n");
        model->report.bodies++;
        model->report.shapes++;
    }
    for (const fnd_model_body *b = model->bodies; b; b = b->next) {
        if (b->carrier != b || (b->dissolves && is_empty(model, b))) continue;
        for (const fnd_model_body *part = model->bodies; part; part = part->next)
            if (part->carrier == b) origin(w, "  ", part == b ? "body" : "with body", part->original, &part->location);
        put(w, "  ");
        put(w, b->name);
        put(w, ":\n");
        if (b->fixed) put(w, "    motion: fixed\n");
        if (b->has_mass) put_mass(w, b);
        if (b->parent && !b->link) {
            put(w, "    attached: {to: ");
            put(w, b->parent->carrier->name);
            pose(w, in_parent(b), true);
            put(w, "}\n");
        } else put_state(w, b);
        put_points(w, b);
        put_shapes(w, b);
        if (!b->fixed && !b->has_mass) return false; /* assemble has refused it */
        model->report.bodies++;
        if (w->to->failed) return false;
    }
    return true;
}

/* ---- links */

static void put_link(writing *w, const fnd_model_body *b)
{
    const fnd_model_link_springs s = fnd_model_springs_of(b);
    for (const fnd_model_joint *j = b->joints; j; j = j->next) origin(w, "  ", "joint", j->original, &j->location);
    put(w, "  ");
    put(w, b->name);
    put(w, ":\n    between: [");
    for (int i = 0; i < 2; i++) {
        const bool child = s.by_child == (i == 0);
        put(w, (child ? b->carrier : b->parent->carrier)->name);
        put(w, ".");
        put(w, b->ends[child]->name);
        put(w, i == 0 ? ", " : "]");
    }
    put(w, "\n    law: spring_damper_6dof\n    stiffness: ");
    numbers(w, s.k, 3, "N/m");
    put(w, "\n    damping: ");
    numbers(w, s.damping, 3, "N*s/m");
    put(w, "\n    angular_stiffness: ");
    numbers(w, s.kr, 3, "N*m/rad");
    put(w, "\n    angular_damping: ");
    numbers(w, s.cr, 3, "N*m*s/rad");
    put(w, "\n");
    w->model->report.links++;
}

static void put_links(writing *w)
{
    bool begun = false;
    for (const fnd_model_body *b = w->model->bodies; b; b = b->next) {
        if (!b->link) continue;
        if (!begun)
            put(w, "# Locked directions: 100 rad/s, or 5 times the rate of the joint's springs; stiffen them for heavy "
                   "loads\n"
                   "links:\n");
        begun = true;
        put_link(w, b);
    }
}

/* The whole number of steps that is next to a time; as usual where it is that time. */
static void put_time(writing *w, double time, const char *usual, double step)
{
    const double count = fmax(1, round(time / step));
    if (fabs(count * step - time) < 1e-9 * time) put(w, usual);
    else put(w, fnd_digits(count * step, "s").text);
}

static void put_record(writing *w, double step)
{
    bool begun = false;
    put(w, "record:\n  log: {file: log.csv, every: ");
    put_time(w, 0.01, "10 ms", step);
    put(w, ", channels: [");
    for (const fnd_model_body *b = w->model->bodies; b; b = b->next) {
        if (b->carrier != b || b->fixed || (b->parent && !b->link)) continue;
        if (begun) put(w, ", ");
        begun = true;
        put(w, "bodies.");
        put(w, b->name);
        put(w, ".position, bodies.");
        put(w, b->name);
        put(w, ".attitude");
    }
    put(w, begun ? "]}\n" : "bodies.*.position]}\n");
}

/* The text, with what the contacts need before what they are. */
static bool put_scenario(fnd_model *model, fnd_buffer *to, fnd_buffer *contacts)
{
    writing w = {model, to}, c = {model, contacts};
    double step = INFINITY;
    bool links = false;
    if (model->options->ground && !fnd_model_add_ground(model)) return false;
    fnd_model_find_standing(model);
    if (!put_contacts(&c, &step)) return false;
    for (const fnd_model_body *b = model->bodies; b; b = b->next) links = links || b->link;
    put(&w, "fender: 1\ntitle: ");
    fnd_json_text(to, model->title ? model->title : "");
    put(&w, "\nabout: ");
    const char *slash = strrchr(model->file, '/');
    fnd_json_text(to, fnd_phrase_make("Imported from %s (%s)", fnd_shown(slash ? slash + 1 : model->file).text,
                                      strcmp(model->format, "urdf") == 0 ? "URDF" : "MJCF")
                          .text);
    put(&w, "\nworld: {gravity: ");
    if (is_zero(model->gravity)) put(&w, "none");
    else vector(&w, model->gravity, "m/s^2");
    put(&w, "}\nintegrator: {method: rk4, step: ");
    step = links ? fnd_model_step_of_links(model, step) : model->step;
    quantity(&w, step, "s}");
    if (model->integrator_remark) {
        put(&w, "  # MuJoCo's integrator: ");
        put(&w, model->integrator_remark);
    }
    put(&w, "\nrun: {until: ");
    put_time(&w, 2, "2 s", step);
    put(&w, "}\n");
    fnd_buffer_append(to, fnd_buffer_text(contacts), contacts->length);
    if (!put_meshes(&w) || !put_bodies(&w)) return false;
    put_links(&w);
    put_record(&w, step);
    return true;
}

bool fnd_model_write(fnd_model *model, fnd_buffer *to)
{
    fnd_buffer contacts = fnd_buffer_open(&model->env.allocator);
    const bool good = put_scenario(model, to, &contacts), failed = to->failed || contacts.failed;
    fnd_buffer_close(&contacts);
    if (failed || (!good && fnd_diagnostics_error_count(model->diagnostics) == 0)) {
        fnd_diagnostics_note_memory(model->diagnostics);
        model->failed_memory = true;
    }
    return good && !failed;
}
