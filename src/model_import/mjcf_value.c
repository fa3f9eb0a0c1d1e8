/* MJCF: known attributes, default classes, values, orientations. */
#include "model_import/mjcf.h"

#include "support/io_error.h"

#include <stdio.h>
#include <string.h>

/* ---- known attributes */

#define ORIENTATION " quat axisangle xyaxes zaxis euler"

/* Attributes that are read or that pictures alone need, and those that matter and are left out. */
static const struct {
    const char *element, *known, *left_out;
} attributes[] = {
    {"mujoco", " model", ""},
    {"compiler",
     " autolimits strippath coordinate angle fitaabb eulerseq meshdir texturedir assetdir discardvisual convexhull "
     "usethread fusestatic inertiafromgeom inertiagrouprange exactmeshinertia settotalmass alignfree",
     " boundmass boundinertia balanceinertia"},
    {"option",
     " timestep apirate gravity integrator collision cone jacobian solver iterations ls_iterations noslip_iterations "
     "ccd_iterations sdf_iterations sdf_initpoints mpr_iterations tolerance ls_tolerance noslip_tolerance "
     "ccd_tolerance mpr_tolerance magnetic actuatorgroupdisable sleep_tolerance",
     " impratio wind density viscosity o_margin o_solref o_solimp o_friction"},
    {"flag",
     " constraint equality frictionloss limit contact passive spring damper gravity clampctrl warmstart filterparent "
     "actuation refsafe sensor midphase eulerdamp autoreset nativeccd island override energy fwdinv invdiscrete "
     "sensornoise multiccd sleep",
     ""},
    {"default", " class", ""},
    {"body", " name childclass pos user" ORIENTATION, " mocap gravcomp"},
    {"worldbody", "", ""},
    {"frame", " name childclass pos" ORIENTATION, ""},
    {"inertial", " pos mass diaginertia fullinertia" ORIENTATION, ""},
    {"joint",
     " name class type group pos axis stiffness range limited ref springref damping user actuatorfrcrange "
     "actuatorfrclimited solreflimit solimplimit solreffriction solimpfriction margin",
     " springdamper armature frictionloss actuatorgravcomp"},
    {"freejoint", " name group align", ""},
    {"geom",
     " name class type contype conaffinity condim group priority size material rgba friction mass density solmix "
     "solref solimp fromto pos hfield mesh fitscale user fluidshape fluidcoef" ORIENTATION,
     " margin gap shellinertia"},
    {"site", " name class type group pos material size fromto rgba user" ORIENTATION, ""},
    {"mesh", " name class file vertex normal texcoord face refpos refquat scale content_type smoothnormal", " inertia"},
    {"hfield", " name file content_type nrow ncol size elevation", ""},
    {"exclude", " name body1 body2", ""},
    {"pair", " name class geom1 geom2 condim friction solref solimp", " solreffriction margin gap"},
    {"weld", " name class active body1 body2 relpose solref solimp torquescale", " site1 site2 anchor"},
    {"key", " name time qpos qvel act mpos mquat ctrl", ""},
};

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if (at > words && at[-1] == ' ' && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}

/* Is it zero or false, which changes nothing? */
static bool is_idle(const char *value) { return value[strspn(value, "0. ")] == '\0' || strcmp(value, "false") == 0; }

void fnd_mjcf_check_attributes(fnd_mjcf *m, const fnd_xml_element *element)
{
    size_t row = 0, count = sizeof attributes / sizeof attributes[0];
    while (row < count && strcmp(attributes[row].element, element->name) != 0) row++;
    if (element->text.line > 0)
        fnd_model_unknown(m->model, &element->text, fnd_phrase_make("<%.60s> holds text", element->name).text,
                          "text between tags", "elements and attributes alone", "remove the text");
    for (const fnd_xml_attribute *a = row < count ? element->attributes : NULL; a; a = a->next) {
        if (has_word(attributes[row].known, a->name)) continue;
        if (has_word(attributes[row].left_out, a->name)) {
            if (!is_idle(a->value))
                fnd_model_warn(m->model, &a->name_location,
                               fnd_phrase_make("'%s' of <%s> is left out", a->name, element->name).text, "");
            continue;
        }
        char words[1024];
        const char *list[80];
        int words_count = 0;
        snprintf(words, sizeof words, "%s", attributes[row].known);
        for (char *at = words; *at && words_count < 80;) {
            *at++ = '\0';
            list[words_count++] = at;
            at += strcspn(at, " ");
        }
        const char *near = fnd_nearest_of(a->name, strlen(a->name), list, (size_t)words_count);
        fnd_model_unknown(
            m->model, &a->name_location, fnd_phrase_make("<%s> has no attribute '%.60s'", element->name, a->name).text,
            fnd_shown(a->name).text, "an attribute of MJCF",
            near ? fnd_phrase_make("did you mean '%s'?", near).text : "remove it, or import with --lenient");
    }
}

/* ---- classes */

static fnd_mjcf_class *find_class(fnd_mjcf *m, const char *name)
{
    for (fnd_mjcf_class *c = m->classes; c; c = c->next)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

void fnd_mjcf_read_defaults(fnd_mjcf *m, const fnd_xml_element *element, fnd_mjcf_class *class)
{
    static const char *const names[] = {"default", "geom", "joint", "mesh", "pair", "site", "equality", "tendon"};
    /* of what is not read: their defaults do not matter */
    static const char ignored[] = " material camera light equality tendon general motor position velocity "
                                  "intvelocity damper cylinder muscle adhesion plugin skin dcmotor ";
    fnd_mjcf_part *part = FND_MODEL_NEW(m->model, fnd_mjcf_part);
    if (!part) return;
    *part = (fnd_mjcf_part){element, class->parts};
    class->parts = part;
    fnd_mjcf_check_attributes(m, element);
    for (const fnd_xml_element *child = element->first; child; child = child->next) {
        if (strcmp(child->name, "default") != 0) {
            if (strcmp(child->name, "geom") == 0 || strcmp(child->name, "joint") == 0 ||
                strcmp(child->name, "mesh") == 0 || strcmp(child->name, "pair") == 0 ||
                strcmp(child->name, "site") == 0)
                fnd_mjcf_check_attributes(m, child);
            else if (!has_word(ignored, child->name)) fnd_model_unknown_element(m->model, child, names, 8);
            continue;
        }
        const fnd_xml_attribute *name = fnd_model_required(m->model, child, "class");
        if (!name) continue;
        if (find_class(m, name->value)) {
            fnd_model_error(m->model, &name->location, FENDER_STATUS_NAME, "two default classes have this name",
                            fnd_shown(name->value).text, "a name of its own", "");
            continue;
        }
        fnd_mjcf_class *inner = FND_MODEL_NEW(m->model, fnd_mjcf_class);
        if (!inner) return;
        *inner = (fnd_mjcf_class){name->value, NULL, class, m->classes};
        m->classes = inner;
        fnd_mjcf_read_defaults(m, child, inner);
    }
}

const fnd_mjcf_class *fnd_mjcf_class_of(fnd_mjcf *m, const fnd_xml_element *element, const char *attribute,
                                        const fnd_mjcf_class *within)
{
    const fnd_xml_attribute *name = fnd_xml_find(element, attribute);
    if (!name) return within;
    const fnd_mjcf_class *class = find_class(m, name->value);
    if (class) return class;
    fnd_nearest search = fnd_nearest_begin(name->value, strlen(name->value));
    for (const fnd_mjcf_class *c = m->classes; c; c = c->next) fnd_nearest_offer(&search, c->name);
    fnd_model_error(m->model, &name->location, FENDER_STATUS_NAME,
                    fnd_phrase_make("no default class is named '%.60s'", fnd_shown(name->value).text).text,
                    fnd_shown(name->value).text, "the class of a <default>",
                    search.best ? fnd_phrase_make("did you mean '%.60s'?", search.best).text : "");
    return within;
}

/* In the class alone, the last element first. */
static const fnd_xml_attribute *find_in_class(const fnd_mjcf_class *class, const char *element, const char *name)
{
    for (const fnd_mjcf_part *part = class->parts; part; part = part->before) {
        const fnd_xml_attribute *found = NULL;
        for (const fnd_xml_element *child = part->element->first; child; child = child->next) {
            if (strcmp(child->name, element) != 0) continue;
            const fnd_xml_attribute *attribute = fnd_xml_find(child, name);
            if (attribute) found = attribute;
        }
        if (found) return found;
    }
    return NULL;
}

const fnd_xml_attribute *fnd_mjcf_find(const fnd_xml_element *element, const fnd_mjcf_class *class, const char *name)
{
    const fnd_xml_attribute *found = fnd_xml_find(element, name);
    for (; class && !found; class = class->parent) found = find_in_class(class, element->name, name);
    return found;
}

static int read_from_class(fnd_mjcf *m, const char *element, const fnd_mjcf_class *class, const char *name,
                           double *values, int least, int most)
{
    int count = 0, inherited;
    if (!class) return 0;
    inherited = read_from_class(m, element, class->parent, name, values, least, most);
    const fnd_xml_attribute *attribute = find_in_class(class, element, name);
    if (!attribute) return inherited;
    if (!fnd_model_numbers(m->model, attribute, values, least, most, &count)) return -1;
    return count > inherited ? count : inherited;
}

int fnd_mjcf_numbers(fnd_mjcf *m, const fnd_xml_element *element, const fnd_mjcf_class *class, const char *name,
                     double *values, int least, int most)
{
    int count = 0, inherited = read_from_class(m, element->name, class, name, values, least, most);
    const fnd_xml_attribute *attribute = fnd_xml_find(element, name);
    if (!attribute) return inherited;
    if (!fnd_model_numbers(m->model, attribute, values, least, most, &count)) return -1;
    return count > inherited ? count : inherited;
}

double fnd_mjcf_number(fnd_mjcf *m, const fnd_xml_element *element, const fnd_mjcf_class *class, const char *name,
                       double value)
{
    (void)fnd_mjcf_numbers(m, element, class, name, &value, 1, 1);
    return value;
}

int fnd_mjcf_integer(fnd_mjcf *m, const fnd_xml_element *element, const fnd_mjcf_class *class, const char *name,
                     int value)
{
    const fnd_xml_attribute *attribute = fnd_mjcf_find(element, class, name);
    if (attribute) (void)fnd_model_integer(m->model, attribute, &value);
    return value;
}

const char *fnd_mjcf_name(const fnd_xml_element *element)
{
    const fnd_xml_attribute *name = fnd_xml_find(element, "name");
    return name ? name->value : "";
}

/* ---- orientations */

double fnd_mjcf_angle(const fnd_mjcf *m, double value)
{
    return m->radians ? value : value * (3.14159265358979323846 / 180);
}

static fender_quaternion no_direction(fnd_mjcf *m, const fnd_xml_attribute *attribute)
{
    fnd_model_error(m->model, &attribute->location, FENDER_STATUS_VALUE,
                    fnd_phrase_make("'%s' has no direction", attribute->name).text, fnd_shown(attribute->value).text,
                    "vectors that are neither zero nor parallel", "");
    return fender_quaternion_identity();
}

static fender_quaternion read_orientation(fnd_mjcf *m, const fnd_xml_attribute *attribute)
{
    const char *kind = attribute->name;
    double v[6] = {0};
    int count = strcmp(kind, "xyaxes") == 0 ? 6 : strcmp(kind, "zaxis") == 0 || strcmp(kind, "euler") == 0 ? 3 : 4;
    if (!fnd_model_numbers(m->model, attribute, v, count, count, NULL)) return fender_quaternion_identity();
    fender_vec3 a = {v[0], v[1], v[2]}, b = {v[3], v[4], v[5]};
    double length = fender_vec3_length(a);
    if (strcmp(kind, "quat") == 0) {
        fender_quaternion q = {v[0], v[1], v[2], v[3]};
        length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
        return length > 1e-15 && isfinite(length) ? fender_quaternion_normalized(q) : no_direction(m, attribute);
    }
    if (strcmp(kind, "euler") == 0) {
        for (int i = 0; i < 3; i++) v[i] = fnd_mjcf_angle(m, v[i]);
        return fnd_model_euler(m->euler, v);
    }
    if (!(length > 1e-15) || !isfinite(length)) return no_direction(m, attribute);
    a = fender_vec3_scale(1 / length, a);
    if (strcmp(kind, "axisangle") == 0) return fnd_model_axis_angle(a, fnd_mjcf_angle(m, v[3]));
    if (strcmp(kind, "zaxis") == 0) return fnd_model_z_to(a);
    b = fender_vec3_add_scaled(b, -fender_vec3_dot(a, b), a);
    length = fender_vec3_length(b);
    if (!(length > 1e-15) || !isfinite(length)) return no_direction(m, attribute);
    b = fender_vec3_scale(1 / length, b);
    return fnd_model_from_axes(a, b, fender_vec3_cross(a, b));
}

fender_pose fnd_mjcf_pose(fnd_mjcf *m, const fnd_xml_element *element, const fnd_mjcf_class *class)
{
    static const char *const kinds[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
    fender_pose pose = fender_pose_identity();
    double p[3] = {0, 0, 0};
    if (fnd_mjcf_numbers(m, element, class, "pos", p, 3, 3) > 0) pose.p = (fender_vec3){p[0], p[1], p[2]};
    const fnd_xml_attribute *given = NULL;
    for (int i = 0; i < 5; i++) {
        const fnd_xml_attribute *attribute = fnd_xml_find(element, kinds[i]);
        if (!attribute) continue;
        if (given)
            fnd_model_error(m->model, &attribute->location, FENDER_STATUS_NAME,
                            fnd_phrase_make("<%s> has two orientations", element->name).text,
                            fnd_phrase_make("'%s' and '%s'", given->name, attribute->name).text, "one",
                            "remove one of the two");
        given = attribute;
    }
    for (; class && !given; class = class->parent)
        for (int i = 0; i < 5 && !given; i++) given = find_in_class(class, element->name, kinds[i]);
    if (given) pose.q = read_orientation(m, given);
    return pose;
}
