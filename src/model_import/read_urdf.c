/* URDF: links, joints, collision geometry and inertias. https://wiki.ros.org/urdf/XML names the elements. */
#include <fender/mesh_file.h>

#include "model_import/model.h"

#include "support/io_error.h"

#include <limits.h>
#include <string.h>

typedef struct urdf_link {
    fnd_model_body *body;
    const fnd_xml_element *joint;                      /* whose child it is */
    int parent, first_child, last_child, next_sibling; /* -1: none */
} urdf_link;

typedef struct urdf {
    fnd_model *model;
    urdf_link *links;
    int link_count;
    const fnd_xml_element *visual; /* the first; NULL: none */
    int visuals, materials;
} urdf;

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0) return true;
    return false;
}

/* ---- parts of links */

static bool read_vector(fnd_model *model, const fnd_xml_element *element, const char *name, fender_vec3 *value)
{
    const fnd_xml_attribute *attribute = fnd_xml_find(element, name);
    double v[3];
    if (!attribute) return true;
    if (!fnd_model_numbers(model, attribute, v, 3, 3, NULL)) return false;
    *value = (fender_vec3){v[0], v[1], v[2]};
    return true;
}

static bool read_positive(fnd_model *model, const fnd_xml_element *element, const char *name, bool zero, double *value)
{
    const fnd_xml_attribute *attribute = fnd_model_required(model, element, name);
    if (!attribute || !fnd_model_numbers(model, attribute, value, 1, 1, NULL)) return false;
    if (*value > 0 || (zero && *value == 0)) return true;
    fnd_model_error(model, &attribute->location, FENDER_STATUS_VALUE,
                    fnd_phrase_make("'%s' of <%s> is out of range", name, element->name).text,
                    fnd_shown(attribute->value).text, zero ? "0 or more" : "more than 0", "");
    return false;
}

static fender_pose read_origin(fnd_model *model, const fnd_xml_element *origin)
{
    fender_vec3 angles = {0, 0, 0};
    fender_pose pose = fender_pose_identity();
    if (!origin) return pose;
    (void)read_vector(model, origin, "xyz", &pose.p);
    if (read_vector(model, origin, "rpy", &angles))
        pose.q = fnd_model_euler("XYZ", (const double[3]){angles.x, angles.y, angles.z});
    fnd_model_check_used(model, origin);
    return pose;
}

static void read_inertial(fnd_model *model, const fnd_xml_element *inertial, fnd_model_body *body)
{
    static const char *const names[] = {"origin", "mass", "inertia"};
    static const char *const moments[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    static const int place[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    const fnd_xml_element *mass = fnd_xml_child(inertial, "mass"), *inertia = fnd_xml_child(inertial, "inertia");
    for (const fnd_xml_element *child = inertial->first; child; child = child->next)
        if (!is_one_of(child->name, (const char *const[]){"origin", "mass", "inertia", NULL}))
            fnd_model_unknown_element(model, child, names, 3);
        else if (fnd_xml_child(inertial, child->name) != child)
            fnd_model_error(model, &child->location, FENDER_STATUS_NAME, "an inertial has this element twice",
                            child->name, "one", "remove one of the two");
    fnd_model_check_used(model, inertial);
    if (!mass || !inertia) {
        fnd_model_error(model, &inertial->location, FENDER_STATUS_PARSE, "<inertial> needs <mass> and <inertia>",
                        mass ? "no <inertia>" : "no <mass>", "<mass value=\"..\"/> and <inertia ixx=\"..\" ..>", "");
        return;
    }
    fender_mass_properties m = {0};
    fender_pose pose = read_origin(model, fnd_xml_child(inertial, "origin"));
    bool good = read_positive(model, mass, "value", true, &m.mass);
    for (int i = 0; i < 6; i++) {
        const fnd_xml_attribute *attribute = fnd_model_required(model, inertia, moments[i]);
        double value = 0;
        good = attribute && fnd_model_numbers(model, attribute, &value, 1, 1, NULL) && good;
        m.inertia.m[place[i][0]][place[i][1]] = m.inertia.m[place[i][1]][place[i][0]] = value;
    }
    fnd_model_check_used(model, mass);
    fnd_model_check_used(model, inertia);
    bool turns = false;
    for (int i = 0; i < 6; i++) turns = turns || m.inertia.m[place[i][0]][place[i][1]] != 0;
    if (good && m.mass == 0 && turns)
        fnd_model_warn(model, &inertia->location,
                       fnd_phrase_make("the inertia of link '%.60s' is left out: it has no mass", body->original).text,
                       "add it to the link that holds this one");
    if (!good || m.mass == 0) return; /* some files give frames a mass of 0 */
    body->has_mass = true;
    body->mass_location = inertia->location;
    body->mass = fnd_model_place_mass(pose, &m);
}

static void read_mesh_shape(fnd_model *model, const fnd_xml_element *mesh, fnd_model_shape *shape)
{
    const fnd_xml_attribute *file = fnd_model_required(model, mesh, "filename"), *scale = fnd_xml_find(mesh, "scale");
    double factors[3];
    shape->kind = FND_MODEL_MESH;
    if (file) shape->file = fnd_model_path(model, &file->location, model->directory, file->value);
    if (scale && fnd_model_numbers(model, scale, factors, 3, 3, NULL)) {
        shape->scale = (fender_vec3){factors[0], factors[1], factors[2]};
        if (factors[0] == 0 || factors[1] == 0 || factors[2] == 0)
            fnd_model_error(model, &scale->location, FENDER_STATUS_VALUE, "the mesh is scaled to nothing",
                            fnd_shown(scale->value).text, "factors that are not 0", "");
    }
    if (shape->file) fender_mesh_file_destroy(fnd_model_read_mesh(model, &file->location, shape->file, shape->scale));
}

static void read_geometry(fnd_model *model, const fnd_xml_element *geometry, fnd_model_shape *shape)
{
    static const char *const names[] = {"box", "cylinder", "sphere", "capsule", "mesh"};
    const fnd_xml_element *form = geometry->first;
    fnd_model_check_used(model, geometry);
    if (!form || form->next) {
        fnd_model_error(model, form ? &form->next->location : &geometry->location, FENDER_STATUS_PARSE,
                        "<geometry> holds one form", form ? form->next->name : "none",
                        "<box>, <cylinder>, <sphere>, <capsule> or <mesh>", "");
        return;
    }
    double radius = 0, length = 0;
    if (strcmp(form->name, "box") == 0) {
        fender_vec3 size = {0, 0, 0};
        const fnd_xml_attribute *given = fnd_model_required(model, form, "size");
        shape->kind = FND_MODEL_BOX;
        if (given && read_vector(model, form, "size", &size) && !(size.x > 0 && size.y > 0 && size.z > 0))
            fnd_model_error(model, &given->location, FENDER_STATUS_VALUE, "a box has three lengths above 0",
                            fnd_shown(given->value).text, "more than 0 m", "");
        shape->size = fender_vec3_scale(0.5, size);
    } else if (strcmp(form->name, "sphere") == 0) {
        shape->kind = FND_MODEL_SPHERE;
        if (read_positive(model, form, "radius", false, &radius)) shape->size.x = radius;
    } else if (strcmp(form->name, "cylinder") == 0 || strcmp(form->name, "capsule") == 0) {
        shape->kind = form->name[1] == 'y' ? FND_MODEL_CYLINDER : FND_MODEL_CAPSULE;
        bool good = read_positive(model, form, "radius", false, &radius);
        if (read_positive(model, form, "length", shape->kind == FND_MODEL_CAPSULE, &length) && good)
            shape->size = (fender_vec3){radius, 0.5 * length, 0};
    } else if (strcmp(form->name, "mesh") == 0) {
        read_mesh_shape(model, form, shape);
    } else {
        fnd_model_unknown_element(model, form, names, 5);
        shape->kind = FND_MODEL_SPHERE; /* what a lenient import cannot place is left out below */
        shape->original = NULL;
        return;
    }
    fnd_model_check_used(model, form);
}

static void read_collision(fnd_model *model, const fnd_xml_element *collision, fnd_model_body *body)
{
    static const char *const names[] = {"origin", "geometry"};
    const fnd_xml_attribute *name = fnd_xml_find(collision, "name");
    fnd_model_shape **end = body->shapes_end;
    fnd_model_shape *shape = fnd_model_add_shape(model, body, name ? name->value : "", collision->location);
    const fnd_xml_element *geometry = fnd_xml_child(collision, "geometry");
    if (!shape) return;
    for (const fnd_xml_element *child = collision->first; child; child = child->next) {
        if (strcmp(child->name, "verbose") == 0 || strcmp(child->name, "contact_coefficients") == 0)
            fnd_model_warn(model, &child->location, fnd_phrase_make("<%s> is not read", child->name).text,
                           "edit the contact type");
        else if (!is_one_of(child->name, (const char *const[]){"origin", "geometry", NULL}))
            fnd_model_unknown_element(model, child, names, 2);
    }
    fnd_model_check_used(model, collision);
    shape->pose = read_origin(model, fnd_xml_child(collision, "origin"));
    if (!geometry) {
        fnd_model_error(model, &collision->location, FENDER_STATUS_PARSE, "<collision> needs <geometry>", "nothing",
                        "<geometry> with a form", "");
        return;
    }
    read_geometry(model, geometry, shape);
    shape->surface.contype = shape->surface.conaffinity = 1;
    shape->surface.condim = 3;
    if (!shape->original) { /* lenient: unknown form */
        *end = NULL;
        body->shapes_end = end;
    }
}

static void read_link(urdf *u, const fnd_xml_element *link)
{
    static const char *const names[] = {"inertial", "visual", "collision"};
    fnd_model *model = u->model;
    const fnd_xml_attribute *name = fnd_model_required(model, link, "name");
    if (!name) return;
    for (int i = 0; i < u->link_count; i++) {
        if (strcmp(u->links[i].body->original, name->value) != 0) continue;
        fnd_model_error(model, &name->location, FENDER_STATUS_NAME, "two links have this name",
                        fnd_shown(name->value).text, "a name of its own",
                        fnd_phrase_make("the other is in line %d", u->links[i].body->location.line).text);
        return;
    }
    fnd_model_body *body = fnd_model_add_body(model, name->value, link->location, NULL);
    if (!body) return;
    u->links[u->link_count++] = (urdf_link){body, NULL, -1, -1, -1, -1};
    fnd_model_check_used(model, link);
    int inertials = 0;
    for (const fnd_xml_element *child = link->first; child; child = child->next) {
        if (strcmp(child->name, "inertial") == 0) {
            if (inertials++ > 0)
                fnd_model_error(model, &child->location, FENDER_STATUS_NAME, "a link has one <inertial>", "a second",
                                "one", "remove one of the two");
            else read_inertial(model, child, body);
        } else if (strcmp(child->name, "collision") == 0) {
            read_collision(model, child, body);
        } else if (strcmp(child->name, "visual") == 0) {
            if (u->visuals++ == 0) u->visual = child;
        } else if (strcmp(child->name, "contact") == 0 || strcmp(child->name, "self_collision_checking") == 0) {
            fnd_model_warn(model, &child->location,
                           fnd_phrase_make("<%s> of link '%.60s' is not read", child->name, body->original).text,
                           "edit the contact type");
        } else fnd_model_unknown_element(model, child, names, 3);
    }
}

/* ---- joints */

static int find_link(urdf *u, const fnd_xml_element *joint, const char *role)
{
    fnd_model *model = u->model;
    const fnd_xml_element *element = fnd_xml_child(joint, role);
    if (!element) {
        fnd_model_error(model, &joint->location, FENDER_STATUS_PARSE, fnd_phrase_make("<joint> needs <%s>", role).text,
                        "nothing", fnd_phrase_make("<%s link=\"..\"/>", role).text, "");
        return -1;
    }
    const fnd_xml_attribute *link = fnd_model_required(model, element, "link");
    fnd_model_check_used(model, element);
    if (!link) return -1;
    fnd_nearest search = fnd_nearest_begin(link->value, strlen(link->value));
    for (int i = 0; i < u->link_count; i++) {
        if (strcmp(u->links[i].body->original, link->value) == 0) return i;
        fnd_nearest_offer(&search, u->links[i].body->original);
    }
    fnd_model_error(model, &link->location, FENDER_STATUS_NAME,
                    fnd_phrase_make("no link is named '%.60s'", link->value).text, fnd_shown(link->value).text,
                    "the name of a link",
                    search.best ? fnd_phrase_make("did you mean '%.60s'?", search.best).text : "");
    return -1;
}

/* `turns`: fixed and floating joints have no axis, whatever stands there. */
static void read_axis(fnd_model *model, const fnd_xml_element *element, bool turns, fnd_model_joint *joint)
{
    joint->axis = (fender_vec3){1, 0, 0};
    if (!element) return;
    if (!turns) (void)fnd_xml_find(element, "xyz");
    else (void)read_vector(model, element, "xyz", &joint->axis);
    fnd_model_check_used(model, element);
    double length = fender_vec3_length(joint->axis);
    if (!(length > 1e-9)) {
        fnd_model_error(model, &element->location, FENDER_STATUS_VALUE, "the axis has no direction", "0 0 0",
                        "a vector that is not zero", "");
        return;
    }
    joint->axis = fender_vec3_scale(1 / length, joint->axis);
}

static void read_dynamics(fnd_model *model, const fnd_xml_element *element, fnd_model_joint *joint)
{
    const fnd_xml_attribute *damping = fnd_xml_find(element, "damping"), *friction = fnd_xml_find(element, "friction");
    double value = 0;
    if (damping && fnd_model_numbers(model, damping, &value, 1, 1, NULL)) {
        joint->damping = value;
        if (value < 0)
            fnd_model_error(model, &damping->location, FENDER_STATUS_VALUE, "the damping is negative",
                            fnd_shown(damping->value).text, "0 or more", "");
    }
    if (friction && fnd_model_numbers(model, friction, &value, 1, 1, NULL) && value != 0)
        fnd_model_warn(model, &friction->location,
                       fnd_phrase_make("friction of joint '%.60s' is left out", joint->original).text, "");
    fnd_model_check_used(model, element);
}

static void read_limit(fnd_model *model, const fnd_xml_element *element, fnd_model_joint *joint)
{
    const char *const ends[] = {"lower", "upper"};
    double *values[] = {&joint->lower, &joint->upper};
    for (int i = 0; i < 2; i++) {
        const fnd_xml_attribute *attribute = fnd_xml_find(element, ends[i]);
        if (!attribute) continue;
        joint->limited = fnd_model_numbers(model, attribute, values[i], 1, 1, NULL) || joint->limited;
    }
    (void)fnd_xml_find(element, "effort"); /* of a motor: there is none here */
    (void)fnd_xml_find(element, "velocity");
    fnd_model_check_used(model, element);
}

static void read_joint_parts(urdf *u, const fnd_xml_element *element, const char *name, int type, urdf_link *child)
{
    static const fnd_model_joint_kind kinds[] = {FND_MODEL_HINGE, FND_MODEL_HINGE, FND_MODEL_HINGE,
                                                 FND_MODEL_SLIDE, FND_MODEL_FREE,  FND_MODEL_PLANAR};
    static const char *const names[] = {
        "origin", "parent", "child", "axis", "dynamics", "limit", "calibration", "mimic", "safety_controller"};
    fnd_model *model = u->model;
    fnd_model_joint scratch = {.original = name, .location = element->location}, *joint = &scratch;
    if (type > 0) {
        joint = fnd_model_add_joint(model, child->body, name, element->location);
        if (!joint) return;
        joint->kind = kinds[type];
    }
    read_axis(model, fnd_xml_child(element, "axis"), type != 0 && type != 4, joint);
    child->body->pose = read_origin(model, fnd_xml_child(element, "origin"));
    for (const fnd_xml_element *part = element->first; part; part = part->next) {
        const char *what = part->name;
        if (strcmp(what, "dynamics") == 0) read_dynamics(model, part, joint);
        else if (strcmp(what, "limit") == 0) read_limit(model, part, joint);
        else if (strcmp(what, "calibration") == 0 || strcmp(what, "mimic") == 0 ||
                 strcmp(what, "safety_controller") == 0)
            fnd_model_warn(model, &part->location,
                           fnd_phrase_make("<%s> of joint '%.60s' is left out", what, name).text, "");
        else if (!is_one_of(what, (const char *const[]){"origin", "parent", "child", "axis", NULL}))
            fnd_model_unknown_element(model, part, names, sizeof names / sizeof names[0]);
    }
    if (type == 2 && joint->limited) joint->limited = false; /* continuous */
}

static void read_joint(urdf *u, const fnd_xml_element *element)
{
    static const char *const types[] = {"fixed", "revolute", "continuous", "prismatic", "floating", "planar"};
    fnd_model *model = u->model;
    const fnd_xml_attribute *name = fnd_model_required(model, element, "name");
    const fnd_xml_attribute *type = fnd_model_required(model, element, "type");
    int parent = find_link(u, element, "parent"), child = find_link(u, element, "child");
    int kind = type ? fnd_model_choice(model, type, types, 6) : -1;
    fnd_model_check_used(model, element);
    if (!name || kind < 0 || parent < 0 || child < 0) return;
    urdf_link *link = &u->links[child];
    if (link->parent >= 0) {
        fnd_model_error(model, &element->location, FENDER_STATUS_NAME,
                        fnd_phrase_make("link '%.60s' is the child of two joints", link->body->original).text,
                        fnd_shown(name->value).text, "one parent for each link",
                        fnd_phrase_make("the other is in line %d", link->joint->location.line).text);
        return;
    }
    if (parent == child) {
        fnd_model_error(model, &element->location, FENDER_STATUS_NAME, "a joint connects a link with itself",
                        fnd_shown(name->value).text, "two links", "");
        return;
    }
    link->joint = element;
    link->parent = parent;
    urdf_link *above = &u->links[parent];
    if (above->last_child >= 0) u->links[above->last_child].next_sibling = child;
    else above->first_child = child;
    above->last_child = child;
    read_joint_parts(u, element, name->value, kind, link);
}

/* Bodies in the order of the tree, parents first; the root is the one link without a parent. */
static void order_links(urdf *u)
{
    fnd_model *model = u->model;
    int root = -1, at, visited = 0;
    for (int i = 0; i < u->link_count; i++) {
        if (u->links[i].parent >= 0) continue;
        if (root >= 0) {
            const fnd_model_body *body = u->links[i].body;
            fnd_model_error(
                model, &body->location, FENDER_STATUS_NAME,
                fnd_phrase_make("link '%.60s' is not connected to the others", body->original).text,
                fnd_phrase_make("two roots: '%.60s' and '%.60s'", u->links[root].body->original, body->original).text,
                "one tree of links", "add a joint, of type floating if the links move freely");
            return;
        }
        root = i;
    }
    if (root < 0) { /* joints form a ring */
        const fnd_model_body *body = u->links[0].body;
        fnd_model_error(model, &body->location, FENDER_STATUS_NAME, "the joints form a ring: no link is the root",
                        fnd_shown(body->original).text, "a tree of links", "remove a joint");
        return;
    }
    model->bodies_end = &model->bodies;
    model->bodies = NULL;
    for (at = root; at >= 0;) {
        urdf_link *link = &u->links[at];
        link->body->parent = link->parent >= 0 ? u->links[link->parent].body : NULL;
        link->body->next = NULL;
        *model->bodies_end = link->body;
        model->bodies_end = &link->body->next;
        visited++;
        if (link->first_child >= 0) at = link->first_child;
        else {
            while (at >= 0 && u->links[at].next_sibling < 0) at = u->links[at].parent;
            if (at >= 0) at = u->links[at].next_sibling;
        }
    }
    if (visited < u->link_count)
        for (int i = 0; i < u->link_count; i++) {
            const fnd_model_body *body = u->links[i].body;
            if (i == root || body->parent) continue;
            fnd_model_error(model, &body->location, FENDER_STATUS_NAME, "joints form a ring",
                            fnd_shown(body->original).text, "a tree of links", "remove a joint");
            return;
        }
    fnd_model_body *base = u->links[root].body;
    bool is_world = strcmp(base->original, "world") == 0 && !base->has_mass;
    base->fixed = is_world || model->options->fixed_base;
    base->dissolves = is_world && u->link_count > 1;
}

bool fnd_model_read_urdf(fnd_model *model, const fnd_xml_element *root)
{
    static const char *const names[] = {"link", "joint", "material"};
    static const char *const skipped[] = {"transmission", "gazebo", "sensor", "mujoco",
                                          "ros2_control", "drake",  "group",  NULL};
    urdf u = {.model = model};
    const fnd_xml_attribute *name = fnd_model_required(model, root, "name");
    if (name) model->title = name->value;
    (void)fnd_xml_find(root, "version");
    for (fnd_xml_attribute *a = root->attributes; a; a = a->next)
        if (strncmp(a->name, "xmlns", 5) == 0) a->used = true;
    fnd_model_check_used(model, root);
    int links = 0;
    for (const fnd_xml_element *child = root->first; child; child = child->next)
        links += strcmp(child->name, "link") == 0;
    if (links > FND_MODEL_BODY_LIMIT) links = FND_MODEL_BODY_LIMIT;
    u.links = fnd_model_keep(model, (size_t)links + 1, sizeof(urdf_link));
    if (!u.links) return false;
    for (const fnd_xml_element *child = root->first; child && !model->failed_memory; child = child->next)
        if (strcmp(child->name, "link") == 0 && u.link_count < links) read_link(&u, child);
    for (const fnd_xml_element *child = root->first; child && !model->failed_memory; child = child->next) {
        const char *what = child->name;
        if (strcmp(what, "link") == 0) continue;
        if (strcmp(what, "joint") == 0) read_joint(&u, child);
        else if (strcmp(what, "material") == 0) u.materials++;
        else if (is_one_of(what, skipped)) {
            const fnd_xml_attribute *which = fnd_xml_find(child, "name");
            if (!which) which = fnd_xml_find(child, "reference");
            fnd_model_warn(
                model, &child->location,
                fnd_phrase_make("<%s%s%.60s> is not read", what, which ? " " : "", which ? which->value : "").text, "");
        } else if (strncmp(what, "xacro:", 6) == 0)
            fnd_model_error(model, &child->location, FENDER_STATUS_NAME, "this is a xacro file, not URDF", what,
                            "plain URDF", "run xacro first: xacro FILE > robot.urdf");
        else fnd_model_unknown_element(model, child, names, 3);
    }
    if (u.link_count == 0 && fnd_diagnostics_error_count(model->diagnostics) == 0)
        fnd_model_error(model, &root->location, FENDER_STATUS_PARSE, "the robot has no links", "none",
                        "<link name=\"..\">", "");
    if (u.visuals > 0)
        fnd_model_note(
            model, &u.visual->location,
            fnd_phrase_make("%d visual geometr%s and all colours are ignored", u.visuals, u.visuals == 1 ? "y" : "ies")
                .text,
            "pictures show the shapes that touch");
    if (u.link_count > 0 && fnd_diagnostics_error_count(model->diagnostics) == 0) order_links(&u);
    return !model->failed_memory && fnd_diagnostics_error_count(model->diagnostics) == 0;
}
