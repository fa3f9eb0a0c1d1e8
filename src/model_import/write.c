/* The scenario of a model: YAML with comments that say where each part came from. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "model_import/model.h"

#include <fender/advice.h>
#include <fender/mesh_file.h>

#include "support/io_error.h"
#include "support/json.h"
#include "support/number.h"

#include <stdlib.h>
#include <string.h>

static const double LINK_RATE = 100;  /* rad/s, of the locked directions of links */
static const double LINK_STEP = 1e-4; /* s; with it RK4 follows them, also where light parts hang on heavy ones */

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

typedef struct contact_type {
    fnd_phrase name;
    double stiffness, damping, mass, friction[3];
    int condim;
    bool varies; /* its solimp does */
} contact_type;

typedef struct contact_types {
    contact_type *list;
    int count, capacity;
} contact_types;

/* MuJoCo's rules for the parameters of a pair. */
static fnd_model_surface mix(const fnd_model_surface *a, const fnd_model_surface *b)
{
    if (a->priority != b->priority) return a->priority > b->priority ? *a : *b;
    fnd_model_surface s = *a;
    double sum = a->solmix + b->solmix, part = sum > 1e-15 ? a->solmix / sum : 0.5;
    if (a->solmix < 1e-15 && b->solmix >= 1e-15) part = 0;
    for (int i = 0; i < 3; i++) s.friction[i] = a->friction[i] > b->friction[i] ? a->friction[i] : b->friction[i];
    bool standard = a->solref[0] > 0 && b->solref[0] > 0;
    for (int i = 0; i < 2; i++)
        s.solref[i] = standard                      ? part * a->solref[i] + (1 - part) * b->solref[i]
                      : a->solref[i] < b->solref[i] ? a->solref[i]
                                                    : b->solref[i];
    for (int i = 0; i < 5; i++) s.solimp[i] = part * a->solimp[i] + (1 - part) * b->solimp[i];
    s.condim = a->condim > b->condim ? a->condim : b->condim;
    return s;
}

/* Of the contact of two clusters: spring and damper that have the impact of MuJoCo's constraint, with the reduced mass;
 * for URDF, which says nothing of contacts, 5 mm under the weight of the whole robot and 0.3 of
 * critical damping. */
static contact_type type_of(const fnd_model *model, const fnd_model_surface *s, double mass)
{
    contact_type t = {.mass = mass, .condim = s->condim};
    t.varies = model->soft_contact && fnd_model_impedance_varies(s);
    memcpy(t.friction, s->friction, sizeof t.friction);
    if (!model->soft_contact) {
        t.mass = mass = model->total_mass;
        t.friction[0] = 0.5;
        t.stiffness = mass * 9.81 / 5e-3;
        t.damping = 0.6 * sqrt(t.stiffness * mass);
        return t;
    }
    if (s->solref[0] > 0) {
        double time = s->solref[0], least = 2 * model->step;
        if (time < least && !model->keep_short_time) time = least;
        t.stiffness = mass / time / time / s->solref[1] / s->solref[1];
        t.damping = 2 * mass / time;
    } else {
        t.stiffness = -mass * s->solref[0];
        t.damping = -mass * s->solref[1];
    }
    return t;
}

static int find_type(fnd_model *model, contact_types *types, contact_type t, const char *a, const char *b)
{
    for (int i = 0; i < types->count; i++) {
        const contact_type *k = &types->list[i];
        if (k->stiffness == t.stiffness && k->damping == t.damping && k->condim == t.condim &&
            memcmp(k->friction, t.friction, sizeof t.friction) == 0)
            return i;
    }
    if (types->count == types->capacity) {
        int capacity = types->capacity == 0 ? 16 : 2 * types->capacity;
        contact_type *more = fnd_model_keep(model, (size_t)capacity, sizeof *more);
        if (!more) return -1;
        if (types->count > 0) memcpy(more, types->list, (size_t)types->count * sizeof *more);
        types->list = more;
        types->capacity = capacity;
    }
    t.name = fnd_phrase_make("%.26s_on_%.26s", a, b);
    for (int i = 0; i < types->count; i++)
        if (strcmp(types->list[i].name.text, t.name.text) == 0) {
            t.name = fnd_phrase_make("%.24s_on_%.24s_%d", a, b, types->count);
            break;
        }
    types->list[types->count] = t;
    return types->count++;
}

static fnd_phrase rounded(double value, const char *unit)
{
    char digits[FND_NUMBER_SIZE];
    (void)fnd_number_format_digits(value, 4, digits, sizeof digits);
    return fnd_phrase_make("%s %s", digits, unit);
}

/* A spring has no variable impedance: says so, once for each type, and what it changes at rest on a fixed body. */
static void warn_of_impedance(fnd_model *model, const contact_type *t, const fnd_model_surface *s, bool rests,
                              const fnd_location *location)
{
    const double weight = rests ? t->mass * fender_vec3_length(model->gravity) : 0;
    const double sunk = weight / t->stiffness, rest = fnd_model_impedance_rest(s, sunk);
    fnd_phrase says = fnd_phrase_make("'solimp' of contact type '%.60s' varies over its width, its spring does not",
                                      t->name.text);
    fnd_phrase remedy = fnd_phrase_make("MuJoCo's contact is softer where its impedance is lower");
    if (weight > 0) {
        says = fnd_phrase_make("%.160s: at rest it is %s deep, in MuJoCo %s", says.text, rounded(1e3 * sunk, "mm").text,
                               rounded(1e3 * rest, "mm").text);
        remedy = fnd_phrase_make("stiffness %s has the depth at rest", rounded(weight / rest, "N/m").text);
    }
    fnd_model_warn(model, location, says.text, remedy.text);
}

static int add_type(fnd_model *model, contact_types *types, const fnd_model_surface *surface,
                    const fnd_model_body *const clusters[2], const char *const names[2], const fnd_location *location)
{
    const bool rests = clusters[0]->fixed || clusters[1]->fixed;
    const contact_type t = type_of(model, surface, fnd_model_reduced_mass(clusters[0], clusters[1]));
    const int count = types->count, found = find_type(model, types, t, names[0], names[1]);
    if (found < 0) return found;
    contact_type *kept = &types->list[found];
    if (t.varies && (found == count || !kept->varies)) warn_of_impedance(model, kept, surface, rests, location);
    kept->varies = kept->varies || t.varies;
    return found;
}

static bool may_touch(const fnd_model *model, const fnd_model_material *a, const fnd_model_material *b)
{
    const fnd_model_body *ca = a->cluster, *cb = b->cluster;
    if (ca == cb || (ca->fixed && cb->fixed) || model->pairs_only) return false;
    if (!(a->surface.contype & b->surface.conaffinity) && !(b->surface.contype & a->surface.conaffinity)) return false;
    if (model->touch_parents) return true;
    bool a_below = ca->link && ca->parent->cluster == cb, b_below = cb->link && cb->parent->cluster == ca;
    if (a_below && (!cb->fixed || !model->soft_contact)) return false;
    return !(b_below && (!ca->fixed || !model->soft_contact));
}

static void put_type(writing *w, const contact_type *t)
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
        put(w, ", slip_speed: 2 cm/s}\n");
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

static bool put_contacts(writing *w)
{
    fnd_model *model = w->model;
    contact_types types = {0};
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
            int found = add_type(model, &types, &rule->surface, clusters, (const char *const[2]){a->name, b->name},
                                 &rule->location);
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
            if (!may_touch(model, a, b)) continue;
            fnd_model_surface surface = mix(&a->surface, &b->surface);
            int found = add_type(model, &types, &surface, (const fnd_model_body *const[2]){a->cluster, b->cluster},
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
    if (types.count > 0 && good)
        fnd_model_warn(model, &model->location,
                       model->soft_contact
                           ? "MuJoCo's soft contact has no exact counterpart: contacts become springs"
                           : "URDF says nothing of contacts: stiffness, damping and friction are chosen",
                       "edit the contact types");
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

/* Reduced inertia of two clusters about a point and the axes of a frame in the world. */
static void inertia_at(const fnd_model_body *c, fender_pose frame, double about[3])
{
    fender_vec3 r = fender_vec3_sub(c->cluster_center, frame.p);
    fender_mat3 turned = fnd_model_turn_inertia(fender_quaternion_conjugate(frame.q), &c->cluster_inertia);
    fender_vec3 d = fender_quaternion_rotate(fender_quaternion_conjugate(frame.q), r);
    const double square = fender_vec3_dot(d, d), components[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; i++) about[i] = turned.m[i][i] + c->cluster_mass * (square - components[i] * components[i]);
}

/* Springs and dampers of a link, along and about the axes of its joint. */
typedef struct link_springs {
    fender_pose frame; /* of the joint, in the world */
    bool turns[3];     /* free to turn */
    bool by_child;     /* along and about axes of the child, else of the parent */
    double k[3], damping[3], kr[3], cr[3];
} link_springs;

static link_springs springs_of(const fnd_model_body *b)
{
    fender_pose frame;
    bool slides[3];
    link_springs s;
    const fnd_model_body *c = b, *up = b->parent->cluster;
    (void)fnd_model_joint_frame(b, &frame, slides, s.turns);
    s.frame = fender_pose_product(b->world, frame);
    /* dampers about axes that stay with the inertia that they are made for; a slide keeps its direction */
    s.by_child = !slides[0] && !slides[1] && !slides[2];
    if (!s.by_child) s.frame.q = fender_quaternion_product(b->parent->world.q, b->ends[0]->pose.q);
    fender_mat3 axes = fender_quaternion_matrix(frame.q);
    double own[3], other[3], rate = LINK_RATE, mass = fnd_model_reduced_mass(c, up);
    inertia_at(c, s.frame, own);
    inertia_at(up, s.frame, other);
    for (int i = 0; i < 3; i++) {
        double inertia = up->fixed ? own[i] : own[i] * other[i] / (own[i] + other[i]);
        s.k[i] = slides[i] ? 0 : mass * rate * rate;
        s.damping[i] = slides[i] ? 0 : 2 * mass * rate;
        s.kr[i] = s.turns[i] ? 0 : inertia * rate * rate;
        s.cr[i] = s.turns[i] ? 0 : 2 * inertia * rate;
    }
    for (const fnd_model_joint *j = b->joints; j; j = j->next)
        for (int i = 0; i < 3; i++) {
            bool along = fabs(fender_vec3_dot(fender_mat3_column(&axes, i), j->axis)) > 0.99;
            if (j->kind == FND_MODEL_BALL || (along && j->kind != FND_MODEL_SLIDE)) {
                s.kr[i] += j->stiffness;
                s.cr[i] += j->damping;
            } else if (along) {
                s.k[i] += j->stiffness;
                s.damping[i] += j->damping;
            }
        }
    return s;
}

/* The angular acceleration by a torque: of I x = torque, by Cramer's rule. */
static fender_vec3 turned_by(const fender_mat3 *inertia, fender_vec3 torque)
{
    const fender_vec3 a = fender_mat3_column(inertia, 0), b = fender_mat3_column(inertia, 1),
                      c = fender_mat3_column(inertia, 2);
    const fender_vec3 bc = fender_vec3_cross(b, c);
    const double whole = fender_vec3_dot(a, bc);
    if (!(whole > 0)) return fender_vec3_make(0, 0, 0);
    return fender_vec3_scale(1 / whole, fender_vec3_make(fender_vec3_dot(bc, torque),
                                                         fender_vec3_dot(fender_vec3_cross(c, a), torque),
                                                         fender_vec3_dot(fender_vec3_cross(a, b), torque)));
}

/* How a cluster gives way at a joint: per force along, and per torque about, axes of the joint. */
typedef struct mobility {
    fender_mat3 shift, turn; /* 1/kg, 1/(kg m^2) */
} mobility;

static mobility mobility_of(const fnd_model_body *c, fender_pose frame)
{
    mobility m = {{{{0}}}, {{{0}}}};
    const fender_mat3 axes = fender_quaternion_matrix(frame.q);
    const fender_vec3 out = fender_vec3_sub(frame.p, c->cluster_center);
    for (int i = 0; i < 3 && !c->fixed; i++)
        for (int k = 0; k < 3; k++) {
            const fender_vec3 x = fender_mat3_column(&axes, i), y = fender_mat3_column(&axes, k);
            const fender_vec3 arm = fender_vec3_cross(out, x), other = fender_vec3_cross(out, y);
            m.shift.m[i][k] = (i == k ? 1 / c->cluster_mass : 0) +
                              fender_vec3_dot(arm, turned_by(&c->cluster_inertia, other));
            m.turn.m[i][k] = fender_vec3_dot(x, turned_by(&c->cluster_inertia, y));
        }
    return m;
}

/* The largest that it is along an axis while the cluster turns about the free ones. */
static double while_turning(const fender_mat3 *m, const bool turns[3], int axis)
{
    const int count = turns[0] + turns[1] + turns[2], free = turns[0] ? 0 : turns[1] ? 1 : 2;
    if (count == 0 || (count == 1 && axis == free)) return m->m[axis][axis];
    if (count == 1) {
        const int i = (free + 1) % 3, k = (free + 2) % 3;
        const double middle = 0.5 * (m->m[i][i] + m->m[k][k]), half = 0.5 * (m->m[i][i] - m->m[k][k]);
        return middle + sqrt(half * half + m->m[i][k] * m->m[i][k]);
    }
    const fender_vec3 all = fender_principal_moments(m);
    return all.x > all.y ? (all.x > all.z ? all.x : all.z) : all.y > all.z ? all.y : all.z;
}

/* Half of the longest stable step of a spring and a damper. */
static double half_of(double stiffness, double damping, double give, double damping_give)
{
    const double frequency = sqrt(stiffness * give);
    if (!(frequency > 0)) return INFINITY;
    return 0.5 *
           fender_integrator_stable_step(FENDER_INTEGRATOR_RK4, frequency, damping * damping_give / (2 * frequency));
}

static double least_of(double a, double b) { return a < b ? a : b; }

/* At most half of what is stable at a link by itself, however far its joint has turned: bodies give way by turning
 * about their centres of mass. The rotation vector r of a joint that has turned by half a turn changes by up to pi / 2
 * of a small rotation, along any locked axis: the stiffest spring may act about the axis that gives way most. */
static double step_of_link(const fnd_model_body *b)
{
    const link_springs s = springs_of(b);
    const bool swinging = s.turns[0] || s.turns[1] || s.turns[2];
    const mobility child = mobility_of(b, s.frame), parent = mobility_of(b->parent->cluster, s.frame);
    const mobility *owner = s.by_child ? &child : &parent, *other = s.by_child ? &parent : &child;
    double longest = INFINITY, stiffest = 0;
    for (int i = 0; i < 3; i++)
        if (!s.turns[i] && s.kr[i] > stiffest) stiffest = s.kr[i];
    for (int i = 0; i < 3; i++) {
        const double shift = owner->shift.m[i][i] + while_turning(&other->shift, s.turns, i);
        const double turn = owner->turn.m[i][i] + while_turning(&other->turn, s.turns, i);
        longest = least_of(longest, half_of(s.k[i], s.damping[i], shift, shift));
        if (!swinging || s.turns[i]) {
            longest = least_of(longest, half_of(s.kr[i], s.cr[i], turn, turn));
            continue;
        }
        const double give = while_turning(&owner->turn, s.turns, i) + while_turning(&other->turn, s.turns, i);
        longest = least_of(longest, half_of(2.4674011 * stiffest, s.cr[i], give, turn)); /* (pi / 2)^2 */
    }
    return longest;
}

/* s; a step of 1, 2 or 5 of a power of ten, if a link needs a shorter one than usual. */
static double step_of_links(const fnd_model *model)
{
    const double usual = model->step < LINK_STEP ? model->step : LINK_STEP;
    double longest = usual;
    for (const fnd_model_body *b = model->bodies; b; b = b->next)
        if (b->link) longest = least_of(longest, step_of_link(b));
    if (!(longest < usual)) return longest;
    const double power = pow(10, -floor(log10(longest))), digits = longest * power;
    return (digits >= 5 ? 5 : digits >= 2 ? 2 : 1) / power;
}

static void put_link(writing *w, const fnd_model_body *b)
{
    const link_springs s = springs_of(b);
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
        if (!begun) put(w, "# Locked directions: 100 rad/s, critically damped; stiffen them for heavy loads\nlinks:\n");
        begun = true;
        put_link(w, b);
    }
}

static void put_record(writing *w)
{
    bool begun = false;
    put(w, "record:\n  log: {file: log.csv, every: 10 ms, channels: [");
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

static bool add_ground(fnd_model *model)
{
    fnd_model_body *ground = FND_MODEL_NEW(model, fnd_model_body);
    fnd_model_material *more = fnd_model_keep(model, (size_t)model->material_count + 1, sizeof *more);
    if (!ground || !more) return false;
    *ground = (fnd_model_body){.original = "ground", .name = "ground", .fixed = true, .location = model->location};
    ground->cluster = ground;
    if (model->material_count > 0) memcpy(more, model->materials, (size_t)model->material_count * sizeof *more);
    fnd_model_surface surface = {.friction = {1, 0.005, 0.0001},
                                 .solref = {0.02, 1},
                                 .solimp = {0.9, 0.95, 0.001, 0.5, 2},
                                 .solmix = 1,
                                 .condim = 3,
                                 .contype = 1,
                                 .conaffinity = 1};
    more[model->material_count++] = (fnd_model_material){"ground", ground, surface};
    model->materials = more;
    return true;
}

bool fnd_model_write(fnd_model *model, fnd_buffer *to)
{
    writing w = {model, to};
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
    bool links = false;
    for (const fnd_model_body *b = model->bodies; b; b = b->next) links = links || b->link;
    quantity(&w, links ? step_of_links(model) : model->step, "s}");
    if (model->integrator_remark) {
        put(&w, "  # MuJoCo's integrator: ");
        put(&w, model->integrator_remark);
    }
    put(&w, "\nrun: {until: 2 s}\n");
    if (model->options->ground && !add_ground(model)) return false;
    bool good = put_contacts(&w) && put_meshes(&w) && put_bodies(&w);
    if (good) {
        put_links(&w);
        put_record(&w);
    }
    if (to->failed || (!good && fnd_diagnostics_error_count(model->diagnostics) == 0)) {
        fnd_diagnostics_note_memory(model->diagnostics);
        model->failed_memory = true;
    }
    return good && !to->failed;
}
