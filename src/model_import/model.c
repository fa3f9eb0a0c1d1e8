/* The neutral model: diagnostics, memory, values of attributes, files that a model names. */
#include "model_import/model.h"

#include <fender/mesh_file.h>

#include "support/io_error.h"
#include "support/number.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

/* ---- diagnostics */

void fnd_model_error(fnd_model *model, const fnd_location *location, fender_status status, const char *message,
                     const char *found, const char *expected, const char *suggestion)
{
    fnd_diagnostic_add(model->diagnostics, FENDER_SEVERITY_ERROR, status, location, message, found, expected,
                       suggestion);
}

void fnd_model_warn(fnd_model *model, const fnd_location *location, const char *message, const char *suggestion)
{
    model->warnings++;
    fnd_diagnostic_add(model->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK, location, message, "", "",
                       suggestion);
}

void fnd_model_note(fnd_model *model, const fnd_location *location, const char *message, const char *suggestion)
{
    fnd_diagnostic_add(model->diagnostics, FENDER_SEVERITY_NOTE, FENDER_STATUS_OK, location, message, "", "",
                       suggestion);
}

void fnd_model_unknown(fnd_model *model, const fnd_location *location, const char *message, const char *found,
                       const char *expected, const char *suggestion)
{
    if (model->options->lenient) {
        model->warnings++;
        fnd_diagnostic_add(model->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK, location, message, found,
                           expected, "ignored");
    } else fnd_model_error(model, location, FENDER_STATUS_NAME, message, found, expected, suggestion);
}

/* ---- memory */

void *fnd_model_keep(fnd_model *model, size_t count, size_t size)
{
    void *memory = fnd_arena_array(model->arena, count, size, _Alignof(max_align_t));
    if (!memory) {
        fnd_diagnostics_note_memory(model->diagnostics);
        model->failed_memory = true;
    }
    return memory;
}

const char *fnd_model_keep_text(fnd_model *model, const char *text)
{
    char *copy = fnd_model_keep(model, strlen(text) + 1, 1);
    if (copy) memcpy(copy, text, strlen(text));
    return copy;
}

/* ---- values */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* The place of a word of a value. References such as &amp; shift it: then it is the whole value's. */
static fnd_location word_location(const fnd_xml_attribute *attribute, size_t at, size_t length)
{
    fnd_location location = attribute->location;
    if (location.length != (int)strlen(attribute->value)) return location;
    location.column += (int)at;
    location.length = length > 0 ? (int)length : 1;
    return location;
}

static fnd_phrase count_phrase(int least, int most)
{
    if (least == most) return fnd_phrase_make("%d number%s", least, least == 1 ? "" : "s");
    if (most == INT_MAX) return fnd_phrase_make("%d or more numbers", least);
    return fnd_phrase_make("%d to %d numbers", least, most);
}

bool fnd_model_numbers(fnd_model *model, const fnd_xml_attribute *attribute, double *values, int least, int most,
                       int *count)
{
    const char *text = attribute->value;
    int read = 0;
    size_t at = 0;
    for (;;) {
        while (is_blank(text[at])) at++;
        if (!text[at]) break;
        size_t length = 0, used = 0;
        while (text[at + length] && !is_blank(text[at + length])) length++;
        double value = 0;
        fnd_number_result result = fnd_number_read(text + at, length, &value, &used);
        if (result == FND_NUMBER_OK && used < length) result = FND_NUMBER_MISSING;
        if (result != FND_NUMBER_OK) {
            fnd_location location = word_location(attribute, at, length);
            char shown[64];
            fnd_io_excerpt(shown, sizeof shown, text + at, length);
            fnd_model_error(
                model, &location, FENDER_STATUS_PARSE,
                fnd_phrase_make("'%.60s' is not %s", attribute->name, most == 1 ? "a number" : "a list of numbers")
                    .text,
                shown, result == FND_NUMBER_OVERFLOW ? "a number below 1.8e308" : "finite decimal numbers",
                strchr(shown, ',') ? "separate numbers by spaces; decimals have a point"
                                   : "write numbers without units");
            return false;
        }
        if (read < most) values[read] = value;
        read++;
        at += length;
    }
    if (read < least || read > most) {
        fnd_model_error(model, &attribute->location, FENDER_STATUS_PARSE,
                        fnd_phrase_make("'%.60s' has the wrong length", attribute->name).text,
                        fnd_phrase_make("%d number%s", read, read == 1 ? "" : "s").text, count_phrase(least, most).text,
                        "");
        return false;
    }
    if (count) *count = read;
    return true;
}

bool fnd_model_integer(fnd_model *model, const fnd_xml_attribute *attribute, int *value)
{
    double number = 0;
    if (!fnd_model_numbers(model, attribute, &number, 1, 1, NULL)) return false;
    if (number != floor(number) || fabs(number) > INT_MAX) {
        fnd_model_error(model, &attribute->location, FENDER_STATUS_PARSE,
                        fnd_phrase_make("'%.60s' is not an integer", attribute->name).text,
                        fnd_shown(attribute->value).text, "an integer", "");
        return false;
    }
    *value = (int)number;
    return true;
}

int fnd_model_choice(fnd_model *model, const fnd_xml_attribute *attribute, const char *const *words, int count)
{
    fnd_phrase expected = {""};
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], attribute->value) == 0) return i;
        expected = fnd_phrase_make("%s%s%s", expected.text, i > 0 ? ", " : "", words[i]);
    }
    const char *near = fnd_nearest_of(attribute->value, strlen(attribute->value), words, (size_t)count);
    fnd_model_error(
        model, &attribute->location, FENDER_STATUS_NAME,
        fnd_phrase_make("'%.60s' is not a word of '%.60s'", fnd_shown(attribute->value).text, attribute->name).text,
        fnd_shown(attribute->value).text, expected.text, near ? fnd_phrase_make("did you mean '%s'?", near).text : "");
    return -1;
}

bool fnd_model_bool(fnd_model *model, const fnd_xml_attribute *attribute, bool *value)
{
    static const char *const words[] = {"false", "true"};
    int found = fnd_model_choice(model, attribute, words, 2);
    if (found < 0) return false;
    *value = found == 1;
    return true;
}

fnd_xml_attribute *fnd_model_required(fnd_model *model, const fnd_xml_element *element, const char *name)
{
    fnd_xml_attribute *attribute = fnd_xml_find(element, name);
    if (!attribute)
        fnd_model_error(model, &element->location, FENDER_STATUS_PARSE,
                        fnd_phrase_make("<%.60s> needs '%s'", element->name, name).text, "nothing",
                        fnd_phrase_make("%s=\"..\"", name).text, "");
    return attribute;
}

void fnd_model_check_used(fnd_model *model, const fnd_xml_element *element)
{
    for (const fnd_xml_attribute *a = element->attributes; a; a = a->next) {
        if (a->used) continue;
        fnd_model_unknown(
            model, &a->name_location, fnd_phrase_make("<%.60s> has no attribute '%.60s'", element->name, a->name).text,
            fnd_shown(a->name).text, "an attribute that the format has", "remove it, or import with --lenient");
    }
    if (element->text.line > 0)
        fnd_model_unknown(model, &element->text, fnd_phrase_make("<%.60s> holds text", element->name).text,
                          "text between tags", "elements and attributes alone", "remove the text");
}

void fnd_model_unknown_element(fnd_model *model, const fnd_xml_element *element, const char *const *names, int count)
{
    const char *within = element->parent ? element->parent->name : "the file";
    fnd_phrase expected = {""};
    for (int i = 0; i < count; i++) expected = fnd_phrase_make("%s%s%s", expected.text, i > 0 ? ", " : "", names[i]);
    const char *near = fnd_nearest_of(element->name, strlen(element->name), names, (size_t)count);
    fnd_model_unknown(model, &element->location,
                      fnd_phrase_make("<%.60s> is not known in <%.60s>", element->name, within).text,
                      fnd_shown(element->name).text, expected.text,
                      near ? fnd_phrase_make("did you mean <%s>?", near).text : "remove it, or import with --lenient");
}

/* ---- parts */

fnd_model_body *fnd_model_add_body(fnd_model *model, const char *original, fnd_location location,
                                   fnd_model_body *parent)
{
    if (model->body_count == FND_MODEL_BODY_LIMIT) {
        fnd_model_error(model, &location, FENDER_STATUS_VALUE, "there are too many bodies", "one more",
                        fnd_phrase_make("at most %d", FND_MODEL_BODY_LIMIT).text, "divide the model");
        return NULL;
    }
    fnd_model_body *body = FND_MODEL_NEW(model, fnd_model_body);
    if (!body) return NULL;
    model->body_count++;
    body->shapes_end = &body->shapes;
    body->points_end = &body->points;
    body->original = original;
    body->location = location;
    body->parent = parent;
    body->pose = fender_pose_identity();
    *model->bodies_end = body;
    model->bodies_end = &body->next;
    return body;
}

fnd_model_shape *fnd_model_add_shape(fnd_model *model, fnd_model_body *body, const char *original,
                                     fnd_location location)
{
    fnd_model_shape *shape = FND_MODEL_NEW(model, fnd_model_shape);
    if (!shape) return NULL;
    shape->original = original;
    shape->location = location;
    shape->body = body;
    shape->pose = fender_pose_identity();
    shape->scale = (fender_vec3){1, 1, 1};
    *body->shapes_end = shape;
    body->shapes_end = &shape->next;
    return shape;
}

fnd_model_point *fnd_model_add_point(fnd_model *model, fnd_model_body *body, const char *original,
                                     fnd_location location)
{
    fnd_model_point *point = FND_MODEL_NEW(model, fnd_model_point);
    if (!point) return NULL;
    point->original = original;
    point->location = location;
    point->body = body;
    point->pose = fender_pose_identity();
    *body->points_end = point;
    body->points_end = &point->next;
    return point;
}

fnd_model_joint *fnd_model_add_joint(fnd_model *model, fnd_model_body *body, const char *original,
                                     fnd_location location)
{
    fnd_model_joint *joint = FND_MODEL_NEW(model, fnd_model_joint), **end = &body->joints;
    if (!joint) return NULL;
    joint->original = original;
    joint->location = location;
    while (*end) end = &(*end)->next;
    *end = joint;
    return joint;
}

fnd_model_rule *fnd_model_add_rule(fnd_model *model, fnd_location location)
{
    fnd_model_rule *rule = FND_MODEL_NEW(model, fnd_model_rule);
    if (!rule) return NULL;
    rule->location = location;
    *model->rules_end = rule;
    model->rules_end = &rule->next;
    return rule;
}

/* ---- files */

static const char *package_directory(fnd_model *model, const fnd_location *location, const char *name, size_t length)
{
    for (int i = 0; i < model->options->package_count; i++) {
        const fender_model_package *package = &model->options->packages[i];
        if (strlen(package->name) == length && memcmp(package->name, name, length) == 0) return package->directory;
    }
    fnd_phrase shown = fnd_phrase_make("%.*s", length < 60 ? (int)length : 60, name);
    fnd_model_error(model, location, FENDER_STATUS_NAME,
                    fnd_phrase_make("the folder of package '%s' is not known", shown.text).text, shown.text,
                    "a package that an option names",
                    fnd_phrase_make("import with --package %s=FOLDER", shown.text).text);
    return NULL;
}

const char *fnd_model_path(fnd_model *model, const fnd_location *location, const char *directory, const char *path)
{
    static const char package[] = "package://", file[] = "file://";
    const char *folder = path[0] == '/' ? "" : directory, *slash = "";
    if (strncmp(path, package, sizeof package - 1) == 0) {
        path += sizeof package - 1;
        size_t length = strcspn(path, "/");
        folder = package_directory(model, location, path, length);
        if (!folder) return NULL;
        path += length;
        while (*path == '/') path++;
        slash = folder[0] && folder[strlen(folder) - 1] != '/' ? "/" : "";
    } else if (strncmp(path, file, sizeof file - 1) == 0) {
        path += sizeof file - 1;
        folder = "";
    } else if (strstr(path, "://")) {
        fnd_model_error(model, location, FENDER_STATUS_NAME, "this kind of address is not read", fnd_shown(path).text,
                        "a path, package:// or file://", "name a file");
        return NULL;
    }
    size_t size = strlen(folder) + strlen(slash) + strlen(path) + 1;
    char *whole = fnd_model_keep(model, size, 1);
    if (!whole) return NULL;
    memcpy(whole, folder, strlen(folder));
    memcpy(whole + strlen(folder), slash, strlen(slash));
    memcpy(whole + strlen(folder) + strlen(slash), path, strlen(path));
    struct stat status;
    if (path[0] && stat(whole, &status) == 0 && S_ISREG(status.st_mode)) return whole;
    fnd_model_error(model, location, FENDER_STATUS_FILE, "the file is not there", fnd_shown(whole).text,
                    "a regular file", "check the name and the folder that it is relative to");
    return NULL;
}

fender_mesh_file *fnd_model_read_mesh(fnd_model *model, const fnd_location *location, const char *path,
                                      fender_vec3 scale)
{
    fender_env env = {model->env.allocator, NULL, NULL};
    fender_mesh_import import = fender_mesh_import_default();
    fender_error error = {0};
    import.scale = scale;
    import.keep_origin = true;
    fender_mesh_file *mesh = NULL;
    if (fender_mesh_format_of(path) == FENDER_MESH_FORMAT_BY_NAME) {
        fnd_model_error(model, location, FENDER_STATUS_NAME, "this format of meshes is not read", fnd_shown(path).text,
                        ".stl, .obj, .ply or .ac", "convert the mesh");
        return NULL;
    }
    mesh = fender_mesh_file_read(&env, path, &import, &error);
    if (mesh && fender_mesh_file_triangles(mesh).triangle_count > 0) return mesh;
    if (!mesh && error.status == FENDER_STATUS_MEMORY) {
        fnd_diagnostics_note_memory(model->diagnostics);
        model->failed_memory = true;
        return NULL;
    }
    if (mesh)
        fnd_model_error(model, location, FENDER_STATUS_VALUE, "the file holds no triangles", fnd_shown(path).text,
                        "a mesh", "");
    else
        fnd_model_error(model, location, error.status,
                        fnd_phrase_make("the mesh cannot be read: %s", error.message).text, error.found, error.expected,
                        error.suggestion);
    fender_mesh_file_destroy(mesh);
    return NULL;
}
