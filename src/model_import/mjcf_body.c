/* MJCF: bodies with their joints, geoms, sites and inertias. */
#include "model_import/mjcf.h"

#include <string.h>

/* ---- geoms */

fnd_model_surface fnd_mjcf_surface(fnd_mjcf *m, const fnd_xml_element *element, const fnd_mjcf_class *class)
{
    fnd_model_surface s = {.friction = {1, 0.005, 0.0001}, .solref = {0.02, 1}, .solimp = {0.9, 0.95, 0.001, 0.5, 2}};
    bool pair = strcmp(element->name, "pair") == 0;
    double friction[5] = {1, 1, 0.005, 0.0001, 0.0001};
    const fnd_xml_attribute *given = fnd_mjcf_find(element, class, "friction");
    if (pair) {
        (void)fnd_mjcf_numbers(m, element, class, "friction", friction, 1, 5);
        if (given && friction[0] != friction[1])
            fnd_model_warn(m->model, &given->location, "anisotropic friction is left out", "the first number is used");
        s.friction[0] = friction[0];
        s.friction[1] = friction[2];
        s.friction[2] = friction[3];
    } else (void)fnd_mjcf_numbers(m, element, class, "friction", s.friction, 1, 3);
    for (int i = 0; i < 3; i++)
        if (!(s.friction[i] >= 0) && given) {
            fnd_model_error(m->model, &given->location, FENDER_STATUS_VALUE, "a coefficient of friction is negative",
                            fnd_shown(given->value).text, "0 or more", "");
            break;
        }
    (void)fnd_mjcf_numbers(m, element, class, "solref", s.solref, 1, 2);
    const fnd_xml_attribute *solref = fnd_mjcf_find(element, class, "solref");
    if (solref && !(s.solref[0] * s.solref[1] > 0))
        fnd_model_error(m->model, &solref->location, FENDER_STATUS_VALUE, "'solref' is out of range",
                        fnd_shown(solref->value).text, "two numbers above 0, or both below 0", "");
    (void)fnd_mjcf_numbers(m, element, class, "solimp", s.solimp, 1, 5);
    s.solmix = fnd_mjcf_number(m, element, class, "solmix", 1);
    s.priority = fnd_mjcf_integer(m, element, class, "priority", 0);
    s.contype = fnd_mjcf_integer(m, element, class, "contype", 1);
    s.conaffinity = fnd_mjcf_integer(m, element, class, "conaffinity", 1);
    s.condim = fnd_mjcf_integer(m, element, class, "condim", 3);
    const fnd_xml_attribute *condim = fnd_mjcf_find(element, class, "condim");
    if (condim && s.condim != 1 && s.condim != 3 && s.condim != 4 && s.condim != 6)
        fnd_model_error(m->model, &condim->location, FENDER_STATUS_VALUE, "'condim' is out of range",
                        fnd_shown(condim->value).text, "1, 3, 4 or 6", "");
    return s;
}

/* Needs of each kind: lengths, and how many remain with fromto. */
static const struct {
    const char *name;
    fnd_model_shape_kind kind;
    int lengths, with_ends;
} kinds[] = {
    {"plane", FND_MODEL_PLANE, 0, -1},      {"sphere", FND_MODEL_SPHERE, 1, -1},
    {"capsule", FND_MODEL_CAPSULE, 2, 1},   {"ellipsoid", FND_MODEL_ELLIPSOID, 3, 1},
    {"cylinder", FND_MODEL_CYLINDER, 2, 1}, {"box", FND_MODEL_BOX, 3, 1},
    {"mesh", FND_MODEL_MESH, 0, -1},        {"hfield", FND_MODEL_GRID, 0, -1},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static bool read_size(fnd_mjcf *m, const fnd_xml_element *e, const fnd_mjcf_class *class, int kind,
                      fnd_model_shape *shape)
{
    double size[3] = {0, 0, 0}, ends[6];
    int given = fnd_mjcf_numbers(m, e, class, "size", size, 0, 3);
    int with_ends = fnd_mjcf_numbers(m, e, class, "fromto", ends, 6, 6);
    if (given < 0 || with_ends < 0) return false;
    const fnd_xml_attribute *attribute = fnd_mjcf_find(e, class, "size");
    const fnd_location *place = attribute ? &attribute->location : &e->location;
    int wanted = with_ends > 0 && kinds[kind].with_ends >= 0 ? kinds[kind].with_ends : kinds[kind].lengths;
    if (wanted > given) {
        fnd_model_error(
            m->model, place, FENDER_STATUS_VALUE,
            fnd_phrase_make("a %s needs %d length%s", kinds[kind].name, wanted, wanted == 1 ? "" : "s").text,
            fnd_phrase_make("%d", given).text, fnd_phrase_make("size with %d or more", wanted).text, "");
        return false;
    }
    for (int i = 0; i < wanted; i++)
        if (!(size[i] > 0)) {
            fnd_model_error(m->model, place, FENDER_STATUS_VALUE, "a length is not above 0",
                            fnd_digits(size[i], "m").text, "more than 0 m", "");
            return false;
        }
    if (with_ends > 0 && kinds[kind].with_ends >= 0) {
        fender_vec3 from = {ends[0], ends[1], ends[2]}, to = {ends[3], ends[4], ends[5]};
        fender_vec3 along = fender_vec3_sub(to, from);
        double length = fender_vec3_length(along);
        attribute = fnd_mjcf_find(e, class, "pos");
        if (attribute)
            fnd_model_error(m->model, &attribute->location, FENDER_STATUS_NAME, "a geom has 'pos' and 'fromto'",
                            fnd_shown(attribute->value).text, "one of the two", "remove 'pos'");
        if (!(length > 1e-12) || !isfinite(length)) {
            attribute = fnd_mjcf_find(e, class, "fromto");
            fnd_model_error(m->model, &attribute->location, FENDER_STATUS_VALUE, "both ends are at the same point",
                            fnd_shown(attribute->value).text, "two points", "");
            return false;
        }
        shape->pose.p = fender_vec3_scale(0.5, fender_vec3_add(from, to));
        shape->pose.q = fnd_model_z_to(fender_vec3_negate(along)); /* as MuJoCo does: it matters for boxes */
        if (shape->kind == FND_MODEL_BOX || shape->kind == FND_MODEL_ELLIPSOID) {
            size[1] = size[0];
            size[2] = 0.5 * length;
        } else size[1] = 0.5 * length;
    }
    shape->size = (fender_vec3){size[0], size[1], size[2]};
    return true;
}

static fender_geometry *solid_of(const fender_env *env, const fnd_model_shape *s, fender_error *error)
{
    switch (s->kind) {
    case FND_MODEL_SPHERE: return fender_geometry_sphere(env, s->size.x, error);
    case FND_MODEL_CAPSULE: return fender_geometry_capsule(env, s->size.x, s->size.y, error);
    case FND_MODEL_ELLIPSOID: return fender_geometry_ellipsoid(env, s->size, error);
    case FND_MODEL_CYLINDER: return fender_geometry_cylinder(env, s->size.x, s->size.y, error);
    case FND_MODEL_BOX: return fender_geometry_box(env, s->size, error);
    default: return NULL;
    }
}

/* The mass of a geom, in the body: by density, or as given. */
static void weigh_geom(fnd_mjcf *m, const fnd_xml_element *e, const fnd_mjcf_class *class, const fnd_model_shape *shape,
                       const fnd_mjcf_asset *mesh, fender_mass_properties *sum)
{
    fender_env env = {m->model->env.allocator, NULL, NULL};
    fender_error error = {0};
    fender_mass_properties part = {0};
    if (shape->kind == FND_MODEL_PLANE || shape->kind == FND_MODEL_GRID) return;
    if (mesh) part = mesh->unit_mass;
    else {
        fender_geometry *solid = solid_of(&env, shape, &error);
        if (!solid) {
            if (error.status == FENDER_STATUS_MEMORY) m->model->failed_memory = true;
            fnd_model_error(m->model, &e->location, error.status, error.message, error.found, error.expected,
                            error.suggestion);
            return;
        }
        part = fender_geometry_mass_properties(solid, 1);
        fender_geometry_release(solid);
    }
    double density = fnd_mjcf_number(m, e, class, "density", 1000), mass = fnd_mjcf_number(m, e, class, "mass", -1);
    const fnd_xml_attribute *given = fnd_mjcf_find(e, class, "mass");
    if (given && part.mass > 0) density = mass / part.mass;
    if (!given) given = fnd_mjcf_find(e, class, "density");
    if (!(density >= 0) || !isfinite(density)) {
        fnd_model_error(m->model, given ? &given->location : &e->location, FENDER_STATUS_VALUE,
                        "the mass of a geom is negative", given ? fnd_shown(given->value).text : "", "0 or more", "");
        return;
    }
    part.mass *= density;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) part.inertia.m[i][j] *= density;
    part = fnd_model_place_mass(shape->pose, &part);
    fnd_model_add_mass(sum, &part);
}

static void read_geom(fnd_mjcf *m, const fnd_xml_element *e, fnd_model_body *body, const fnd_mjcf_class *within,
                      fender_pose offset, fender_mass_properties *sum)
{
    const fnd_mjcf_class *class = fnd_mjcf_class_of(m, e, "class", within);
    const char *words[KIND_COUNT];
    int kind = 1; /* sphere */
    fnd_mjcf_check_attributes(m, e);
    for (int i = 0; i < KIND_COUNT; i++) words[i] = kinds[i].name;
    const fnd_xml_attribute *type = fnd_mjcf_find(e, class, "type");
    if (type && (kind = fnd_model_choice(m->model, type, words, KIND_COUNT)) < 0) return;
    const fnd_xml_attribute *asset_name = fnd_mjcf_find(e, class,
                                                        kinds[kind].kind == FND_MODEL_GRID ? "hfield" : "mesh");
    fnd_model_shape *shape = fnd_model_add_shape(m->model, body, fnd_mjcf_name(e), e->location);
    if (!shape) return;
    shape->kind = kinds[kind].kind;
    shape->pose = fnd_mjcf_pose(m, e, class);
    if (!read_size(m, e, class, kind, shape)) return;
    const fnd_mjcf_asset *asset = NULL;
    if (shape->kind == FND_MODEL_MESH || shape->kind == FND_MODEL_GRID) {
        if (!asset_name) {
            fnd_model_error(m->model, &e->location, FENDER_STATUS_PARSE,
                            fnd_phrase_make("a geom of type %s needs the name of one", kinds[kind].name).text,
                            "nothing", fnd_phrase_make("%s=\"..\"", kinds[kind].name).text, "");
            return;
        }
        asset = fnd_mjcf_asset_of(m, asset_name, shape->kind == FND_MODEL_GRID);
        if (!asset) return;
        shape->file = asset->file;
        shape->values = asset->values;
        shape->count = asset->count;
        shape->rows = asset->rows;
        shape->columns = asset->columns;
        shape->scale = asset->scale;
        if (shape->kind == FND_MODEL_GRID) shape->size = (fender_vec3){asset->size[0], asset->size[1], asset->size[2]};
        else {
            if (!asset->file) shape->kind = FND_MODEL_POINTS;
            shape->pose = fender_pose_product(shape->pose, asset->reference);
        }
    } else if (asset_name) {
        fnd_model_error(m->model, &asset_name->location, FENDER_STATUS_NAME,
                        fnd_phrase_make("a %s fitted to a mesh is not read", kinds[kind].name).text,
                        fnd_shown(asset_name->value).text, "type=\"mesh\", or no mesh", "write its size");
        return;
    }
    shape->pose = fender_pose_product(offset, shape->pose);
    shape->surface = fnd_mjcf_surface(m, e, class);
    int group = fnd_mjcf_integer(m, e, class, "group", 0);
    if (group >= m->groups[0] && group <= m->groups[1])
        weigh_geom(m, e, class, shape, shape->kind == FND_MODEL_MESH || shape->kind == FND_MODEL_POINTS ? asset : NULL,
                   sum);
}

/* ---- joints */

static void read_joint(fnd_mjcf *m, const fnd_xml_element *e, fnd_model_body *body, const fnd_mjcf_class *within,
                       fender_pose offset)
{
    static const char *const words[] = {"free", "ball", "slide", "hinge"};
    static const fnd_model_joint_kind joint_kinds[] = {FND_MODEL_FREE, FND_MODEL_BALL, FND_MODEL_SLIDE,
                                                       FND_MODEL_HINGE};
    bool is_free = strcmp(e->name, "freejoint") == 0;
    const fnd_mjcf_class *class = is_free ? NULL : fnd_mjcf_class_of(m, e, "class", within);
    const fnd_xml_attribute *type = is_free ? NULL : fnd_mjcf_find(e, class, "type");
    int kind = is_free ? 0 : 3;
    fnd_mjcf_check_attributes(m, e);
    if (type && (kind = fnd_model_choice(m->model, type, words, 4)) < 0) return;
    if (body == m->world) {
        fnd_model_error(m->model, &e->location, FENDER_STATUS_NAME, "the world has no joints", e->name,
                        "a joint in a body", "");
        return;
    }
    fnd_model_joint *joint = fnd_model_add_joint(m->model, body, fnd_mjcf_name(e), e->location);
    if (!joint) return;
    joint->kind = joint_kinds[kind];
    if (joint->kind == FND_MODEL_FREE ? body->joints != joint || body->parent != m->world
                                      : body->joints->kind == FND_MODEL_FREE) {
        fnd_model_error(m->model, &e->location, FENDER_STATUS_NAME,
                        "a free joint is the only one of a body of the world", fnd_shown(body->original).text,
                        "one <freejoint> in a body of <worldbody>", "");
        return;
    }
    double p[3] = {0, 0, 0}, axis[3] = {0, 0, 1}, range[2] = {0, 0}, stiffness[2] = {0, 0}, damping[2] = {0, 0};
    if (fnd_mjcf_numbers(m, e, class, "pos", p, 3, 3) < 0 || fnd_mjcf_numbers(m, e, class, "axis", axis, 3, 3) < 0)
        return;
    int limits = fnd_mjcf_numbers(m, e, class, "range", range, 2, 2);
    (void)fnd_mjcf_numbers(m, e, class, "stiffness", stiffness, 1, 1);
    (void)fnd_mjcf_numbers(m, e, class, "damping", damping, 1, 1);
    const char *const damped[] = {"stiffness", "damping"};
    for (int i = 0; i < 2; i++) {
        const fnd_xml_attribute *a = fnd_mjcf_find(e, class, damped[i]);
        if (a && (i == 0 ? stiffness[0] : damping[0]) < 0)
            fnd_model_error(m->model, &a->location, FENDER_STATUS_VALUE,
                            fnd_phrase_make("'%s' is negative", a->name).text, fnd_shown(a->value).text, "0 or more",
                            "");
    }
    fender_vec3 direction = {axis[0], axis[1], axis[2]};
    double length = fender_vec3_length(direction);
    bool turns = joint->kind == FND_MODEL_HINGE;
    if (!(length > 1e-15) || !isfinite(length)) {
        const fnd_xml_attribute *a = fnd_mjcf_find(e, class, "axis");
        fnd_model_error(m->model, a ? &a->location : &e->location, FENDER_STATUS_VALUE, "the axis has no direction",
                        a ? fnd_shown(a->value).text : "", "a vector that is not zero", "");
        return;
    }
    joint->axis = fender_quaternion_rotate(offset.q, fender_vec3_scale(1 / length, direction));
    joint->anchor = fender_vec3_add(offset.p, fender_quaternion_rotate(offset.q, (fender_vec3){p[0], p[1], p[2]}));
    joint->stiffness = stiffness[0];
    joint->damping = damping[0];
    joint->reference = fnd_mjcf_number(m, e, class, "ref", 0);
    joint->spring_reference = fnd_mjcf_number(m, e, class, "springref", 0);
    const fnd_xml_attribute *limited = fnd_mjcf_find(e, class, "limited");
    joint->limited = limits > 0 && !(limited && strcmp(limited->value, "false") == 0) &&
                     joint->kind != FND_MODEL_BALL && joint->kind != FND_MODEL_FREE;
    joint->lower = turns ? fnd_mjcf_angle(m, range[0]) : range[0];
    joint->upper = turns ? fnd_mjcf_angle(m, range[1]) : range[1];
    if (turns) {
        joint->reference = fnd_mjcf_angle(m, joint->reference);
        joint->spring_reference = fnd_mjcf_angle(m, joint->spring_reference);
    }
}

/* ---- inertias */

static void read_inertial(fnd_mjcf *m, const fnd_xml_element *e, fnd_model_body *body, fender_pose offset)
{
    static const int place[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    fender_mass_properties mass = {0};
    double v[6] = {0};
    fnd_mjcf_check_attributes(m, e);
    const fnd_xml_attribute *value = fnd_model_required(m->model, e, "mass");
    const fnd_xml_attribute *diagonal = fnd_xml_find(e, "diaginertia"), *full = fnd_xml_find(e, "fullinertia");
    if (!value || !fnd_model_numbers(m->model, value, &mass.mass, 1, 1, NULL)) return;
    if (!(mass.mass >= 0)) {
        fnd_model_error(m->model, &value->location, FENDER_STATUS_VALUE, "the mass is negative",
                        fnd_shown(value->value).text, "0 or more", "");
        return;
    }
    if ((diagonal != NULL) == (full != NULL)) {
        fnd_model_error(m->model, &e->location, FENDER_STATUS_PARSE,
                        "<inertial> needs either 'diaginertia' or 'fullinertia'", diagonal ? "both" : "neither", "one",
                        "");
        return;
    }
    int count = diagonal ? 3 : 6;
    if (!fnd_model_numbers(m->model, diagonal ? diagonal : full, v, count, count, NULL)) return;
    for (int i = 0; i < count; i++)
        mass.inertia.m[place[i][0]][place[i][1]] = mass.inertia.m[place[i][1]][place[i][0]] = v[i];
    if (mass.mass == 0) return;
    body->has_mass = true;
    body->mass_location = diagonal ? diagonal->location : full->location;
    body->mass = fnd_model_place_mass(fender_pose_product(offset, fnd_mjcf_pose(m, e, NULL)), &mass);
}

/* ---- bodies */

typedef struct sums {
    fender_mass_properties geoms;
    const fnd_xml_element *inertial;
} sums;

static void read_parts(fnd_mjcf *m, const fnd_xml_element *element, fnd_model_body *body, const fnd_mjcf_class *class,
                       fender_pose offset, sums *s)
{
    static const char *const names[] = {"body", "geom",  "joint",  "freejoint", "inertial",
                                        "site", "frame", "camera", "light"};
    for (const fnd_xml_element *e = element->first; e && !m->model->failed_memory; e = e->next) {
        if (strcmp(e->name, "geom") == 0) read_geom(m, e, body, class, offset, &s->geoms);
        else if (strcmp(e->name, "joint") == 0 || strcmp(e->name, "freejoint") == 0)
            read_joint(m, e, body, class, offset);
        else if (strcmp(e->name, "site") == 0) {
            fnd_model_point *point = fnd_model_add_point(m->model, body, fnd_mjcf_name(e), e->location);
            const fnd_mjcf_class *of = fnd_mjcf_class_of(m, e, "class", class);
            fnd_mjcf_check_attributes(m, e);
            if (!point) return;
            point->pose = fender_pose_product(offset, fnd_mjcf_pose(m, e, of));
            const fnd_xml_attribute *ends = fnd_mjcf_find(e, of, "fromto");
            if (ends) fnd_model_warn(m->model, &ends->location, "'fromto' of a site is left out", "write its position");
        } else if (strcmp(e->name, "inertial") == 0) {
            if (s->inertial)
                fnd_model_error(m->model, &e->location, FENDER_STATUS_NAME, "a body has one <inertial>", "a second",
                                "one", "remove one of the two");
            s->inertial = e;
        } else if (strcmp(e->name, "frame") == 0) {
            fnd_mjcf_check_attributes(m, e);
            fender_pose inner = fender_pose_product(offset, fnd_mjcf_pose(m, e, NULL));
            read_parts(m, e, body, fnd_mjcf_class_of(m, e, "childclass", class), inner, s);
        } else if (strcmp(e->name, "body") == 0) {
            fnd_model_body *child = fnd_model_add_body(m->model, fnd_mjcf_name(e), e->location, body);
            if (!child) return;
            fnd_mjcf_check_attributes(m, e);
            child->pose = fender_pose_product(offset, fnd_mjcf_pose(m, e, NULL));
            fnd_mjcf_read_body(m, e, child, fnd_mjcf_class_of(m, e, "childclass", class), fender_pose_identity());
        } else if (strcmp(e->name, "camera") == 0 || strcmp(e->name, "light") == 0) m->lights++;
        else fnd_model_unknown_element(m->model, e, names, sizeof names / sizeof names[0]);
    }
}

void fnd_mjcf_read_body(fnd_mjcf *m, const fnd_xml_element *element, fnd_model_body *body, const fnd_mjcf_class *class,
                        fender_pose offset)
{
    sums s = {0};
    read_parts(m, element, body, class, offset, &s);
    if (body == m->world) {
        if (s.inertial)
            fnd_model_error(m->model, &s.inertial->location, FENDER_STATUS_NAME, "the world has no inertia", "inertial",
                            "geoms, sites and bodies", "");
        return;
    }
    if (s.inertial && m->from_geoms != 1) read_inertial(m, s.inertial, body, offset);
    else if (m->from_geoms != 0 && s.geoms.mass > 0) {
        body->has_mass = true;
        body->mass_location = body->location;
        body->mass = s.geoms;
    }
}
