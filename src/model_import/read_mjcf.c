/* MJCF: included files, the sections of a model, contact pairs, welds, keyframes.
 * https://mujoco.readthedocs.io/en/stable/XMLreference.html */
#include "model_import/mjcf.h"

#include "support/file.h"
#include "support/io_error.h"

#include <string.h>

/* ---- included files */

enum { INCLUDE_LIMIT = 100 };

static fnd_xml_element *read_included(fnd_mjcf *m, const fnd_xml_element *include)
{
    fnd_model *model = m->model;
    fender_error error = {0};
    fnd_file content = {0};
    const fnd_xml_attribute *file = fnd_model_required(model, include, "file");
    if (!file) return NULL;
    if (m->files++ == INCLUDE_LIMIT) {
        fnd_model_error(model, &file->location, FENDER_STATUS_PARSE, "too many files are included",
                        fnd_shown(file->value).text, fnd_phrase_make("at most %d", INCLUDE_LIMIT).text,
                        "a file that includes itself?");
        return NULL;
    }
    const char *path = fnd_model_path(model, &file->location, model->directory, file->value);
    if (!path) return NULL;
    if (fnd_file_read(&model->env.allocator, path, FENDER_MODEL_FILE_LIMIT, FND_FILE_TEXT, &content, &error) !=
        FENDER_STATUS_OK) {
        if (error.status == FENDER_STATUS_MEMORY) fnd_diagnostics_note_memory(model->diagnostics);
        fnd_model_error(model, &file->location, error.status, error.message, error.found, error.expected,
                        error.suggestion);
        return NULL;
    }
    const char *text = fnd_arena_copy(model->arena, content.text, content.length);
    size_t length = content.length;
    fnd_file_release(&model->env.allocator, &content);
    if (!text) {
        fnd_diagnostics_note_memory(model->diagnostics);
        model->failed_memory = true;
        return NULL;
    }
    return fnd_xml_parse(model->arena, model->diagnostics, path, text, length);
}

/* Puts the content of included files in place of <include>. */
static void expand(fnd_mjcf *m, fnd_xml_element *element, int depth)
{
    fnd_xml_element **at = &element->first;
    while (*at && fnd_diagnostics_error_count(m->model->diagnostics) == 0 && !m->model->failed_memory) {
        fnd_xml_element *child = *at;
        if (strcmp(child->name, "include") != 0) {
            if (depth < FND_XML_DEPTH_LIMIT) expand(m, child, depth + 1);
            at = &child->next;
            continue;
        }
        fnd_xml_element *root = read_included(m, child);
        if (!root) return;
        for (fnd_xml_element *e = root->first; e; e = e->next) e->parent = element;
        if (root->last) {
            root->last->next = child->next;
            *at = root->first; /* may include others */
        } else *at = child->next;
    }
}

/* ---- sections */

static void read_compiler(fnd_mjcf *m, const fnd_xml_element *e)
{
    static const char *const angles[] = {"degree", "radian"}, *const coordinates[] = {"local", "global"};
    static const char *const from_geoms[] = {"false", "true", "auto"};
    fnd_model *model = m->model;
    fnd_mjcf_check_attributes(m, e);
    for (const fnd_xml_element *child = e->first; child; child = child->next)
        if (strcmp(child->name, "lengthrange") != 0) fnd_model_unknown_element(model, child, NULL, 0);
    const fnd_xml_attribute *a = fnd_xml_find(e, "angle");
    if (a) m->radians = fnd_model_choice(model, a, angles, 2) == 1;
    if ((a = fnd_xml_find(e, "coordinate")) && fnd_model_choice(model, a, coordinates, 2) == 1)
        fnd_model_error(model, &a->location, FENDER_STATUS_NAME, "global coordinates are not read", "global", "local",
                        "save the model with a version of MuJoCo before 2.3.4, which writes local coordinates");
    if ((a = fnd_xml_find(e, "inertiafromgeom"))) m->from_geoms = fnd_model_choice(model, a, from_geoms, 3);
    if ((a = fnd_xml_find(e, "exactmeshinertia"))) (void)fnd_model_bool(model, a, &m->exact_meshes);
    if ((a = fnd_xml_find(e, "eulerseq"))) {
        bool good = strlen(a->value) == 3 && strspn(a->value, "xyzXYZ") == 3;
        if (good) memcpy(m->euler, a->value, 4);
        else
            fnd_model_error(model, &a->location, FENDER_STATUS_VALUE, "'eulerseq' is no sequence of axes",
                            fnd_shown(a->value).text, "three of the letters x y z X Y Z", "");
    }
    if ((a = fnd_xml_find(e, "assetdir")) || (a = fnd_xml_find(e, "meshdir"))) {
        const fnd_xml_attribute *meshes = fnd_xml_find(e, "meshdir");
        if (meshes) a = meshes;
        const char *folder = a->value[0] == '/' ? "" : model->directory;
        size_t first = strlen(folder), second = strlen(a->value);
        char *path = fnd_model_keep(model, first + second + 2, 1);
        if (!path) return;
        memcpy(path, folder, first);
        memcpy(path + first, a->value, second);
        if (second > 0 && a->value[second - 1] != '/') path[first + second] = '/';
        m->mesh_directory = path;
    }
    double range[2] = {0, 0};
    if (fnd_mjcf_numbers(m, e, NULL, "inertiagrouprange", range, 2, 2) > 0 && fabs(range[0]) < 1e9 &&
        fabs(range[1]) < 1e9) {
        m->groups[0] = (int)range[0];
        m->groups[1] = (int)range[1];
    }
    double total = fnd_mjcf_number(m, e, NULL, "settotalmass", -1);
    if (total > 0) m->total_mass = total;
}

static void read_option(fnd_mjcf *m, const fnd_xml_element *e)
{
    static const char *const integrators[] = {"Euler", "RK4", "implicit", "implicitfast"};
    static const char *const collisions[] = {"all", "predefined", "dynamic"};
    static const char *const names[] = {"flag"};
    fnd_model *model = m->model;
    double g[3];
    fnd_mjcf_check_attributes(m, e);
    if (fnd_mjcf_numbers(m, e, NULL, "gravity", g, 3, 3) > 0) model->gravity = (fender_vec3){g[0], g[1], g[2]};
    const fnd_xml_attribute *a = fnd_xml_find(e, "timestep");
    if (a && fnd_model_numbers(model, a, &model->step, 1, 1, NULL) && !(model->step > 0)) {
        fnd_model_error(model, &a->location, FENDER_STATUS_VALUE, "the step is not above 0", fnd_shown(a->value).text,
                        "more than 0 s", "");
        model->step = 0.002;
    }
    if ((a = fnd_xml_find(e, "integrator"))) {
        int found = fnd_model_choice(model, a, integrators, 4);
        if (found >= 0) model->integrator_remark = integrators[found];
    }
    if ((a = fnd_xml_find(e, "collision"))) {
        int found = fnd_model_choice(model, a, collisions, 3);
        model->pairs_only = found == 1;
        model->no_pairs = found == 2;
    }
    for (const fnd_xml_element *child = e->first; child; child = child->next) {
        static const char *const words[] = {"disable", "enable"};
        if (strcmp(child->name, "flag") != 0) {
            fnd_model_unknown_element(model, child, names, 1);
            continue;
        }
        fnd_mjcf_check_attributes(m, child);
        for (const fnd_xml_attribute *flag = child->attributes; flag; flag = flag->next) {
            if (fnd_model_choice(model, flag, words, 2) != 0) continue;
            if (strcmp(flag->name, "gravity") == 0) model->gravity = (fender_vec3){0, 0, 0};
            else if (strcmp(flag->name, "contact") == 0) model->pairs_only = model->no_pairs = true;
            else if (strcmp(flag->name, "filterparent") == 0) model->touch_parents = true;
            else if (strcmp(flag->name, "refsafe") == 0) model->keep_short_time = true;
        }
    }
}

static fnd_model_body *find_body(fnd_mjcf *m, const fnd_xml_attribute *name)
{
    fnd_nearest search = fnd_nearest_begin(name->value, strlen(name->value));
    for (fnd_model_body *b = m->model->bodies; b; b = b->next) {
        if (b->original[0] && strcmp(b->original, name->value) == 0) return b;
        fnd_nearest_offer(&search, b->original);
    }
    fnd_model_error(m->model, &name->location, FENDER_STATUS_NAME,
                    fnd_phrase_make("no body is named '%.60s'", fnd_shown(name->value).text).text,
                    fnd_shown(name->value).text, "the name of a body",
                    search.best ? fnd_phrase_make("did you mean '%.60s'?", search.best).text : "");
    return NULL;
}

static fnd_model_shape *find_shape(fnd_mjcf *m, const fnd_xml_attribute *name)
{
    fnd_nearest search = fnd_nearest_begin(name->value, strlen(name->value));
    for (fnd_model_body *b = m->model->bodies; b; b = b->next)
        for (fnd_model_shape *s = b->shapes; s; s = s->next) {
            if (s->original[0] && strcmp(s->original, name->value) == 0) return s;
            fnd_nearest_offer(&search, s->original);
        }
    fnd_model_error(m->model, &name->location, FENDER_STATUS_NAME,
                    fnd_phrase_make("no geom is named '%.60s'", fnd_shown(name->value).text).text,
                    fnd_shown(name->value).text, "the name of a geom",
                    search.best ? fnd_phrase_make("did you mean '%.60s'?", search.best).text : "");
    return NULL;
}

static void read_contact(fnd_mjcf *m, const fnd_xml_element *section)
{
    static const char *const names[] = {"exclude", "pair"};
    for (const fnd_xml_element *e = section->first; e; e = e->next) {
        bool pair = strcmp(e->name, "pair") == 0;
        if (!pair && strcmp(e->name, "exclude") != 0) {
            fnd_model_unknown_element(m->model, e, names, 2);
            continue;
        }
        fnd_mjcf_check_attributes(m, e);
        const fnd_xml_attribute *first = fnd_model_required(m->model, e, pair ? "geom1" : "body1");
        const fnd_xml_attribute *second = fnd_model_required(m->model, e, pair ? "geom2" : "body2");
        if (!first || !second) continue;
        fnd_model_rule rule = {.never = !pair};
        if (pair) {
            rule.shapes[0] = find_shape(m, first);
            rule.shapes[1] = find_shape(m, second);
            rule.surface = fnd_mjcf_surface(m, e, fnd_mjcf_class_of(m, e, "class", &m->main));
        } else {
            rule.bodies[0] = find_body(m, first);
            rule.bodies[1] = find_body(m, second);
        }
        if (pair ? !rule.shapes[0] || !rule.shapes[1] : !rule.bodies[0] || !rule.bodies[1]) continue;
        fnd_model_rule *kept = fnd_model_add_rule(m->model, e->location);
        if (!kept) return;
        rule.location = e->location;
        *kept = rule;
    }
}

static void read_equality(fnd_mjcf *m, const fnd_xml_element *section)
{
    static const char *const names[] = {"weld", "connect", "joint", "tendon"};
    for (const fnd_xml_element *e = section->first; e; e = e->next) {
        if (strcmp(e->name, "weld") != 0) {
            if (strcmp(e->name, "connect") == 0 || strcmp(e->name, "joint") == 0 || strcmp(e->name, "tendon") == 0 ||
                strcmp(e->name, "distance") == 0 || strncmp(e->name, "flex", 4) == 0)
                fnd_model_warn(m->model, &e->location,
                               fnd_phrase_make("equality <%s> '%.60s' is left out", e->name, fnd_mjcf_name(e)).text,
                               "a link or an action may replace it");
            else fnd_model_unknown_element(m->model, e, names, 4);
            continue;
        }
        bool active = true;
        const fnd_xml_attribute *a = fnd_xml_find(e, "active");
        fnd_mjcf_check_attributes(m, e);
        if (a) (void)fnd_model_bool(m->model, a, &active);
        const fnd_xml_attribute *first = fnd_model_required(m->model, e, "body1"), *second = fnd_xml_find(e, "body2");
        if (!first) continue;
        fnd_model_weld weld = {.location = e->location, .pose = fender_pose_identity()};
        double v[7] = {0};
        weld.first = find_body(m, first);
        weld.second = second ? find_body(m, second) : m->world;
        if (fnd_mjcf_numbers(m, e, NULL, "relpose", v, 7, 7) > 0 &&
            v[3] * v[3] + v[4] * v[4] + v[5] * v[5] + v[6] * v[6] > 0) {
            weld.posed = true;
            weld.pose.p = (fender_vec3){v[0], v[1], v[2]};
            weld.pose.q = fender_quaternion_normalized((fender_quaternion){v[3], v[4], v[5], v[6]});
        }
        if (!weld.first || !weld.second) continue;
        if (!active) {
            fnd_model_warn(m->model, &e->location,
                           fnd_phrase_make("weld '%.60s' is not active and left out", fnd_mjcf_name(e)).text,
                           "an action may attach the bodies");
            continue;
        }
        fnd_model_weld *kept = FND_MODEL_NEW(m->model, fnd_model_weld);
        if (!kept) return;
        *kept = weld;
        *m->model->welds_end = kept;
        m->model->welds_end = &kept->next;
    }
}

static void leave_out(fnd_mjcf *m, const fnd_xml_element *section, const char *what)
{
    for (const fnd_xml_element *e = section->first; e; e = e->next) {
        const char *name = fnd_mjcf_name(e);
        fnd_model_warn(m->model, &e->location,
                       fnd_phrase_make("%s <%.40s>%s%.60s%s is left out", what, e->name, name[0] ? " '" : "", name,
                                       name[0] ? "'" : "")
                           .text,
                       "");
    }
}

/* ---- keyframes */

/* Positions and speeds of all joints, in the order of bodies. */
static void apply_key(fnd_mjcf *m, const fnd_xml_element *key)
{
    static const int positions[] = {7, 1, 1, 4}, speeds[] = {6, 1, 1, 3};
    int nq = 0, nv = 0;
    for (const fnd_model_body *b = m->model->bodies; b; b = b->next)
        for (const fnd_model_joint *j = b->joints; j; j = j->next) {
            nq += positions[j->kind];
            nv += speeds[j->kind];
        }
    double *q = fnd_model_keep(m->model, (size_t)nq + 1, sizeof *q),
           *v = fnd_model_keep(m->model, (size_t)nv + 1, sizeof *v);
    const fnd_xml_attribute *qpos = fnd_xml_find(key, "qpos"), *qvel = fnd_xml_find(key, "qvel");
    if (!q || !v) return;
    if (qpos && !fnd_model_numbers(m->model, qpos, q, nq, nq, NULL)) return;
    if (qvel && !fnd_model_numbers(m->model, qvel, v, nv, nv, NULL)) return;
    for (fnd_model_body *b = m->model->bodies; b; b = b->next)
        for (fnd_model_joint *j = b->joints; j; q += positions[j->kind], v += speeds[j->kind], j = j->next) {
            if (qvel && j->kind != FND_MODEL_BALL) memcpy(j->speed, v, (size_t)speeds[j->kind] * sizeof *v);
            if (!qpos) continue;
            fender_quaternion turn = {q[0], 0, 0, 0};
            if (j->kind == FND_MODEL_FREE) {
                turn = (fender_quaternion){q[3], q[4], q[5], q[6]};
                b->pose = (fender_pose){{q[0], q[1], q[2]}, fender_quaternion_normalized(turn)};
            } else if (j->kind == FND_MODEL_BALL) {
                if (q[1] != 0 || q[2] != 0 || q[3] != 0)
                    fnd_model_warn(m->model, &qpos->location,
                                   fnd_phrase_make("the position of ball joint '%.60s' is left out", j->original).text,
                                   "");
            } else j->position = q[0] - j->reference;
        }
}

static void read_keyframe(fnd_mjcf *m, const fnd_xml_element *root)
{
    static const char *const names[] = {"key"};
    const char *wanted = m->model->options->keyframe;
    const fnd_xml_element *found = NULL;
    int number = 0;
    for (const fnd_xml_element *section = root->first; section; section = section->next) {
        if (strcmp(section->name, "keyframe") != 0) continue;
        for (const fnd_xml_element *e = section->first; e; e = e->next, number++) {
            if (strcmp(e->name, "key") != 0) {
                fnd_model_unknown_element(m->model, e, names, 1);
                continue;
            }
            fnd_mjcf_check_attributes(m, e);
            if (wanted && !found &&
                (strcmp(fnd_mjcf_name(e), wanted) == 0 || strcmp(fnd_phrase_make("%d", number).text, wanted) == 0))
                found = e;
        }
    }
    if (found) apply_key(m, found);
    else if (wanted)
        fnd_model_error(m->model, NULL, FENDER_STATUS_NAME,
                        fnd_phrase_make("--keyframe: no keyframe is named '%.60s'", wanted).text,
                        fnd_shown(wanted).text, fnd_phrase_make("a name, or a number below %d", number).text, "");
}

static void set_total_mass(fnd_mjcf *m)
{
    double sum = 0;
    for (const fnd_model_body *b = m->model->bodies; b; b = b->next) sum += b->mass.mass;
    if (!(m->total_mass > 0) || !(sum > 0)) return;
    double factor = m->total_mass / sum;
    for (fnd_model_body *b = m->model->bodies; b; b = b->next) {
        b->mass.mass *= factor;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) b->mass.inertia.m[i][j] *= factor;
    }
}

/* ---- the model */

static void read_sections(fnd_mjcf *m, const fnd_xml_element *root, const char *name,
                          void (*read)(fnd_mjcf *m, const fnd_xml_element *section))
{
    for (const fnd_xml_element *e = root->first; e; e = e->next)
        if (strcmp(e->name, name) == 0) read(m, e);
}

static void read_default(fnd_mjcf *m, const fnd_xml_element *section) { fnd_mjcf_read_defaults(m, section, &m->main); }

static void read_world(fnd_mjcf *m, const fnd_xml_element *section)
{
    fnd_mjcf_check_attributes(m, section);
    fnd_mjcf_read_body(m, section, m->world, &m->main, fender_pose_identity());
}

static void check_sections(fnd_mjcf *m, const fnd_xml_element *root)
{
    static const char *const names[] = {"compiler", "option", "size",      "visual",    "statistic", "default",
                                        "custom",   "asset",  "worldbody", "contact",   "equality",  "tendon",
                                        "actuator", "sensor", "keyframe",  "extension", "deformable"};
    static const char *const left_out[] = {"tendon", "actuator", "sensor", "extension", "deformable"};
    enum { NAMES = sizeof names / sizeof names[0], LEFT_OUT = sizeof left_out / sizeof left_out[0] };
    for (const fnd_xml_element *e = root->first; e; e = e->next) {
        int i = 0;
        while (i < NAMES && strcmp(e->name, names[i]) != 0) i++;
        if (i == NAMES) fnd_model_unknown_element(m->model, e, names, NAMES);
        for (i = 0; i < LEFT_OUT; i++)
            if (strcmp(e->name, left_out[i]) == 0) leave_out(m, e, left_out[i]);
    }
}

bool fnd_model_read_mjcf(fnd_model *model, fnd_xml_element *root)
{
    fnd_mjcf m = {.model = model, .euler = "xyz", .from_geoms = 2, .groups = {0, 5}};
    m.mesh_directory = model->directory;
    m.main.name = "main";
    m.classes = &m.main;
    model->step = 0.002;
    model->soft_contact = true;
    model->integrator_remark = "Euler";
    expand(&m, root, 0);
    if (fnd_diagnostics_error_count(model->diagnostics) > 0 || model->failed_memory) return false;
    const fnd_xml_attribute *title = fnd_xml_find(root, "model");
    model->title = title ? title->value : "MuJoCo model";
    fnd_mjcf_check_attributes(&m, root);
    for (const fnd_xml_element *e = root->first; e; e = e->next)
        if (strcmp(e->name, "default") == 0) {
            const fnd_xml_attribute *name = fnd_xml_find(e, "class");
            if (name) m.main.name = name->value;
        }
    m.world = fnd_model_add_body(model, "world", root->location, NULL);
    if (!m.world) return false;
    m.world->fixed = m.world->dissolves = true;
    check_sections(&m, root);
    read_sections(&m, root, "compiler", read_compiler);
    read_sections(&m, root, "option", read_option);
    read_sections(&m, root, "default", read_default);
    read_sections(&m, root, "asset", fnd_mjcf_read_assets);
    read_sections(&m, root, "worldbody", read_world);
    if (fnd_diagnostics_error_count(model->diagnostics) == 0) {
        read_sections(&m, root, "contact", read_contact);
        read_sections(&m, root, "equality", read_equality);
        read_keyframe(&m, root);
    }
    set_total_mass(&m);
    if (m.lights > 0)
        fnd_model_note(model, &root->location, fnd_phrase_make("%d lights and cameras are ignored", m.lights).text, "");
    if (model->body_count == 1 && fnd_diagnostics_error_count(model->diagnostics) == 0 && !model->bodies->shapes)
        fnd_model_error(model, &root->location, FENDER_STATUS_PARSE, "the model has no bodies", "none",
                        "<worldbody> with geoms or bodies", "");
    if (model->failed_memory) fnd_diagnostics_note_memory(model->diagnostics);
    return !model->failed_memory && fnd_diagnostics_error_count(model->diagnostics) == 0;
}
