/* MJCF: meshes and height fields, from files or from the XML. */
#include <fender/advice.h>
#include <fender/mesh_file.h>

#include "model_import/mjcf.h"

#include "support/file.h"
#include "support/io_error.h"
#include "support/number.h"

#include <limits.h>
#include <string.h>

enum { GRID_LIMIT = 500000 }; /* heights: they are written into the scenario */

/* "folder/part.stl" is named "part". */
static const char *stem(fnd_mjcf *m, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : strlen(name);
    char *copy = fnd_model_keep(m->model, length + 1, 1);
    if (copy) memcpy(copy, name, length);
    return copy;
}

void fnd_mjcf_read_assets(fnd_mjcf *m, const fnd_xml_element *section)
{
    static const char *const names[] = {"mesh", "hfield", "texture", "material", "skin", "model"};
    fnd_mjcf_check_attributes(m, section);
    for (const fnd_xml_element *e = section->first; e; e = e->next) {
        bool grid = strcmp(e->name, "hfield") == 0;
        if (strcmp(e->name, "texture") == 0 || strcmp(e->name, "material") == 0) continue;
        if (strcmp(e->name, "skin") == 0 || strcmp(e->name, "model") == 0) {
            fnd_model_warn(m->model, &e->location,
                           fnd_phrase_make("<%s> '%.60s' is left out", e->name, fnd_mjcf_name(e)).text, "");
            continue;
        }
        if (!grid && strcmp(e->name, "mesh") != 0) {
            fnd_model_unknown_element(m->model, e, names, 6);
            continue;
        }
        fnd_mjcf_check_attributes(m, e);
        fnd_mjcf_asset *asset = FND_MODEL_NEW(m->model, fnd_mjcf_asset);
        if (!asset) return;
        const fnd_xml_attribute *name = fnd_xml_find(e, "name"), *file = fnd_xml_find(e, "file");
        *asset = (fnd_mjcf_asset){.element = e, .grid = grid, .next = m->assets};
        asset->name = name ? name->value : file ? stem(m, file->value) : "";
        if (!asset->name) return;
        m->assets = asset;
        if (!name && !file)
            fnd_model_error(m->model, &e->location, FENDER_STATUS_PARSE, "an asset needs a name", "nothing",
                            "name=\"..\" or file=\"..\"", "");
    }
}

/* ---- height fields */

static bool keep_grid(fnd_mjcf *m, const fnd_location *location, fnd_mjcf_asset *a, int rows, int columns)
{
    if (rows < 2 || columns < 2 || (long long)rows * columns > GRID_LIMIT) {
        fnd_model_error(m->model, location, FENDER_STATUS_VALUE, "the height field has a wrong size",
                        fnd_phrase_make("%d rows, %d columns", rows, columns).text,
                        fnd_phrase_make("2 or more each, at most %d heights", GRID_LIMIT).text,
                        "write large ones as ESRI ASCII and edit the scenario");
        return false;
    }
    a->rows = rows;
    a->columns = columns;
    a->values = fnd_model_keep(m->model, (size_t)rows * (size_t)columns, sizeof(double));
    return a->values != NULL;
}

/* Into heights from 0 to the third size, as MuJoCo does. */
static void normalize_grid(fnd_mjcf_asset *a, double *heights)
{
    double low = heights[0], high = heights[0];
    for (int i = 1; i < a->rows * a->columns; i++) {
        if (heights[i] < low) low = heights[i];
        if (heights[i] > high) high = heights[i];
    }
    for (int i = 0; i < a->rows * a->columns; i++)
        heights[i] = high > low ? (heights[i] - low) / (high - low) * a->size[2] : 0;
}

static bool read_grid_file(fnd_mjcf *m, const fnd_xml_attribute *file, fnd_mjcf_asset *a, double **heights)
{
    fnd_file content = {0};
    fender_error error = {0};
    const char *path = fnd_model_path(m->model, &file->location, m->mesh_directory, file->value);
    if (!path) return false;
    if (fnd_has_ending(path, ".png")) {
        fnd_model_error(m->model, &file->location, FENDER_STATUS_NAME, "height fields in PNG are not read",
                        fnd_shown(file->value).text, "MuJoCo's binary format, or 'elevation'",
                        "convert the picture, or use a grid of the scenario");
        return false;
    }
    if (fnd_file_read(&m->model->env.allocator, path, FENDER_MODEL_FILE_LIMIT, FND_FILE_BYTES, &content, &error) !=
        FENDER_STATUS_OK) {
        if (error.status == FENDER_STATUS_MEMORY) m->model->failed_memory = true;
        fnd_model_error(m->model, &file->location, error.status, error.message, error.found, error.expected,
                        error.suggestion);
        return false;
    }
    int32_t counts[2] = {0, 0};
    bool good = content.length >= sizeof counts;
    if (good) memcpy(counts, content.text, sizeof counts);
    size_t wanted = good && counts[0] > 0 && counts[1] > 0 ? (size_t)counts[0] * (size_t)counts[1] : 0;
    if (!good || wanted == 0 || content.length != sizeof counts + wanted * sizeof(float)) {
        fnd_model_error(
            m->model, &file->location, FENDER_STATUS_PARSE, "the file is no height field of MuJoCo",
            fnd_phrase_make("%zu bytes, %d rows, %d columns", content.length, (int)counts[0], (int)counts[1]).text,
            "two 32-bit counts and that many 32-bit numbers", "");
        good = false;
    }
    good = good && keep_grid(m, &file->location, a, counts[0], counts[1]);
    *heights = good ? (double *)a->values : NULL;
    for (size_t i = 0; good && i < wanted; i++) {
        float value;
        memcpy(&value, content.text + sizeof counts + i * sizeof value, sizeof value);
        if (!isfinite(value)) {
            fnd_model_error(m->model, &file->location, FENDER_STATUS_VALUE, "a height is not finite",
                            fnd_phrase_make("number %zu", i + 1).text, "finite heights", "");
            good = false;
        } else (*heights)[i] = (double)value;
    }
    fnd_file_release(&m->model->env.allocator, &content);
    return good;
}

static bool read_grid(fnd_mjcf *m, fnd_mjcf_asset *a)
{
    const fnd_xml_element *e = a->element;
    const fnd_xml_attribute *size = fnd_model_required(m->model, e, "size"), *file = fnd_xml_find(e, "file");
    const fnd_xml_attribute *elevation = fnd_xml_find(e, "elevation");
    double *heights = NULL;
    if (!size || !fnd_model_numbers(m->model, size, a->size, 4, 4, NULL)) return false;
    if (!(a->size[0] > 0 && a->size[1] > 0 && a->size[2] > 0 && a->size[3] >= 0)) {
        fnd_model_error(m->model, &size->location, FENDER_STATUS_VALUE, "the size is out of range",
                        fnd_shown(size->value).text, "lengths above 0", "");
        return false;
    }
    if (file) {
        if (!read_grid_file(m, file, a, &heights)) return false;
    } else {
        int rows = fnd_mjcf_integer(m, e, NULL, "nrow", 0), columns = fnd_mjcf_integer(m, e, NULL, "ncol", 0);
        if (!keep_grid(m, &e->location, a, rows, columns)) return false;
        double *given = fnd_model_keep(m->model, (size_t)(rows * columns), sizeof(double));
        heights = (double *)a->values;
        if (!given) return false;
        if (elevation && !fnd_model_numbers(m->model, elevation, given, rows * columns, rows * columns, NULL))
            return false;
        for (int i = 0; i < rows; i++) /* the text runs from the top, as on a map */
            memcpy(heights + (size_t)i * (size_t)columns, given + (size_t)(rows - 1 - i) * (size_t)columns,
                   (size_t)columns * sizeof(double));
    }
    normalize_grid(a, heights);
    return true;
}

/* ---- meshes */

static bool read_reference(fnd_mjcf *m, fnd_mjcf_asset *a, const fnd_mjcf_class *class)
{
    double scale[3] = {1, 1, 1}, p[3] = {0, 0, 0}, q[4] = {1, 0, 0, 0};
    const fnd_xml_element *e = a->element;
    if (fnd_mjcf_numbers(m, e, class, "scale", scale, 3, 3) < 0 ||
        fnd_mjcf_numbers(m, e, NULL, "refpos", p, 3, 3) < 0 || fnd_mjcf_numbers(m, e, NULL, "refquat", q, 4, 4) < 0)
        return false;
    bool turned = q[1] != 0 || q[2] != 0 || q[3] != 0, even = scale[0] == scale[1] && scale[1] == scale[2];
    if (scale[0] == 0 || scale[1] == 0 || scale[2] == 0 || (turned && !even)) {
        const fnd_xml_attribute *attribute = fnd_mjcf_find(e, class, "scale");
        fnd_model_error(m->model, attribute ? &attribute->location : &e->location, FENDER_STATUS_VALUE,
                        turned && !even ? "a turned mesh can only be scaled alike in all directions"
                                        : "the mesh is scaled to nothing",
                        attribute ? fnd_shown(attribute->value).text : "", "factors that are not 0", "");
        return false;
    }
    a->scale = (fender_vec3){scale[0], scale[1], scale[2]};
    fender_pose reference = {{scale[0] * p[0], scale[1] * p[1], scale[2] * p[2]},
                             fender_quaternion_normalized((fender_quaternion){q[0], q[1], q[2], q[3]})};
    a->reference = fender_pose_inverse(reference);
    return true;
}

/* Density 1, in the axes of the scaled vertices. */
static bool weigh(fnd_mjcf *m, const fnd_location *location, fender_geometry *geometry, const fender_error *error,
                  fnd_mjcf_asset *a)
{
    if (!geometry) {
        if (error->status == FENDER_STATUS_MEMORY) m->model->failed_memory = true;
        fnd_model_error(m->model, location, error->status, error->message, error->found, error->expected,
                        error->suggestion);
        return false;
    }
    a->unit_mass = fender_geometry_mass_properties(geometry, 1);
    fender_geometry_release(geometry);
    return true;
}

/* Sums over pyramids from a point to the faces, each with a volume above 0, as MuJoCo has them without
 * exactmeshinertia. Without `volume`: areas, and the centre of the faces. */
static double sum_faces(const fender_mesh_def *mesh, bool volume, fender_vec3 from, fender_vec3 *center,
                        fender_mat3 *second)
{
    double whole = 0;
    *center = fender_vec3_make(0, 0, 0);
    *second = (fender_mat3){{{0}}};
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int32_t *at = mesh->triangles + 3 * (size_t)i;
        fender_vec3 p[4];
        for (int k = 0; k < 3; k++) p[k] = fender_vec3_sub(mesh->vertices[at[k]], from);
        p[3] = fender_vec3_add(p[0], fender_vec3_add(p[1], p[2]));
        const fender_vec3 normal = fender_vec3_cross(fender_vec3_sub(p[1], p[0]), fender_vec3_sub(p[2], p[0]));
        const double part = volume ? fabs(fender_vec3_dot(p[0], normal)) / 6 : fender_vec3_length(normal);
        whole += part;
        *center = fender_vec3_add_scaled(*center, part / (volume ? 4 : 3), p[3]);
        for (int k = 0; k < 4; k++) { /* of a tetrahedron with one corner at `from` */
            const double c[3] = {p[k].x, p[k].y, p[k].z};
            for (int m = 0; m < 9; m++) second->m[m / 3][m % 3] += part / 20 * c[m / 3] * c[m % 3];
        }
    }
    *center = fender_vec3_add_scaled(from, whole > 0 ? 1 / whole : 0, *center);
    return whole;
}

/* The mass at density 1 that MuJoCo has without exactmeshinertia: of the box with the moments of those pyramids. */
static double legacy_mass(const fender_mesh_def *mesh)
{
    fender_vec3 center;
    fender_mat3 second;
    (void)sum_faces(mesh, false, fender_vec3_make(0, 0, 0), &center, &second);
    (void)sum_faces(mesh, true, center, &center, &second);
    const double volume = sum_faces(mesh, true, center, &center, &second);
    const fender_vec3 along = fender_principal_moments(&second);
    return sqrt(12 * along.x / volume) * sqrt(12 * along.y / volume) * sqrt(12 * along.z / volume);
}

/* Ours is that of the mesh. */
static void tell_mass(fnd_mjcf *m, const fnd_location *location, const fender_mesh_def *mesh, const fnd_mjcf_asset *a)
{
    char digits[FND_NUMBER_SIZE];
    const double ratio = legacy_mass(mesh) / a->unit_mass.mass;
    if (m->exact_meshes || !(fabs(ratio - 1) > 0.01)) return;
    (void)fnd_number_format_digits(ratio, 5, digits, sizeof digits);
    fnd_model_note(m->model, location,
                   fnd_phrase_make("by its density, mesh '%.60s' has %s of this mass in MuJoCo", a->name, digits).text,
                   "exactmeshinertia=\"true\" of <compiler> gives MuJoCo the mass of the mesh");
}

static bool read_mesh_file(fnd_mjcf *m, const fnd_xml_attribute *file, fnd_mjcf_asset *a)
{
    fender_env env = {m->model->env.allocator, NULL, NULL};
    fender_error error = {0};
    a->file = fnd_model_path(m->model, &file->location, m->mesh_directory, file->value);
    fender_mesh_file *mesh = a->file ? fnd_model_read_mesh(m->model, &file->location, a->file, a->scale) : NULL;
    if (!mesh) return false;
    bool closed = fender_mesh_file_report(mesh)->closed;
    fender_mesh_def triangles = fender_mesh_file_triangles(mesh);
    fender_geometry *geometry = closed ? fender_geometry_mesh(&env, &triangles, &error)
                                       : fender_geometry_hull(&env, triangles.vertices, triangles.vertex_count, &error);
    if (!closed)
        fnd_model_warn(m->model, &file->location, "the mesh is not closed: its mass is that of its convex hull", "");
    bool good = weigh(m, &file->location, geometry, &error, a);
    if (good && closed) tell_mass(m, &file->location, &triangles, a);
    fender_mesh_file_destroy(mesh);
    return good;
}

static int count_numbers(const char *text)
{
    int count = 0;
    for (; *(text += strspn(text, " \t\r\n")); text += strcspn(text, " \t\r\n")) count++;
    return count;
}

static bool read_faces(fnd_mjcf *m, const fnd_xml_attribute *face, const fender_vec3 *vertices, int vertex_count,
                       fender_mesh_def *def, fender_geometry **geometry, fender_error *error)
{
    fender_env env = {m->model->env.allocator, NULL, NULL};
    int count = count_numbers(face->value);
    double *given = fnd_model_keep(m->model, (size_t)count + 1, sizeof(double));
    int32_t *indices = fnd_model_keep(m->model, (size_t)count + 1, sizeof(int32_t));
    if (!given || !indices || !fnd_model_numbers(m->model, face, given, 3, INT_MAX - 1 < count ? 3 : count, NULL))
        return false;
    bool good = count % 3 == 0;
    for (int i = 0; i < count && good; i++) {
        good = given[i] >= 0 && given[i] < vertex_count && given[i] == floor(given[i]);
        indices[i] = good ? (int32_t)given[i] : 0;
    }
    if (!good) {
        fnd_model_error(m->model, &face->location, FENDER_STATUS_VALUE, "'face' does not name vertices",
                        fnd_phrase_make("%d numbers", count).text,
                        fnd_phrase_make("three indices from 0 to %d for each triangle", vertex_count - 1).text, "");
        return false;
    }
    *def = (fender_mesh_def){vertices, vertex_count, indices, count / 3};
    *geometry = fender_geometry_mesh(&env, def, error);
    return true;
}

static bool read_vertices(fnd_mjcf *m, const fnd_xml_attribute *vertex, fnd_mjcf_asset *a)
{
    fender_env env = {m->model->env.allocator, NULL, NULL};
    fender_error error = {0};
    int count = count_numbers(vertex->value);
    double *values = fnd_model_keep(m->model, (size_t)count + 1, sizeof(double));
    fender_vec3 *points = fnd_model_keep(m->model, (size_t)count / 3 + 1, sizeof *points);
    if (!values || !points) return false;
    if (count < 12 || count % 3 != 0) {
        fnd_model_error(m->model, &vertex->location, FENDER_STATUS_VALUE, "'vertex' is no list of points",
                        fnd_phrase_make("%d numbers", count).text, "three numbers for each of four or more points", "");
        return false;
    }
    if (!fnd_model_numbers(m->model, vertex, values, count, count, NULL)) return false;
    for (int i = 0; i < count / 3; i++) {
        points[i] = (fender_vec3){a->scale.x * values[3 * i], a->scale.y * values[3 * i + 1],
                                  a->scale.z * values[3 * i + 2]};
        values[3 * i] = points[i].x;
        values[3 * i + 1] = points[i].y;
        values[3 * i + 2] = points[i].z;
    }
    a->values = values;
    a->count = count / 3;
    const fnd_xml_attribute *face = fnd_xml_find(a->element, "face");
    fender_geometry *geometry = NULL;
    fender_mesh_def faces = {0};
    if (face) {
        if (!read_faces(m, face, points, a->count, &faces, &geometry, &error)) return false;
    } else geometry = fender_geometry_hull(&env, points, a->count, &error);
    const bool good = weigh(m, &vertex->location, geometry, &error, a);
    if (good && face) tell_mass(m, &vertex->location, &faces, a);
    return good;
}

static bool read_mesh(fnd_mjcf *m, fnd_mjcf_asset *a)
{
    const fnd_xml_element *e = a->element;
    const fnd_xml_attribute *file = fnd_xml_find(e, "file"), *vertex = fnd_xml_find(e, "vertex");
    if (!read_reference(m, a, fnd_mjcf_class_of(m, e, "class", &m->main))) return false;
    if (file) return read_mesh_file(m, file, a);
    if (vertex) return read_vertices(m, vertex, a);
    fnd_model_error(m->model, &e->location, FENDER_STATUS_PARSE, "the mesh has no vertices", "nothing",
                    "file=\"..\" or vertex=\"..\"", "");
    return false;
}

const fnd_mjcf_asset *fnd_mjcf_asset_of(fnd_mjcf *m, const fnd_xml_attribute *name, bool grid)
{
    fnd_nearest search = fnd_nearest_begin(name->value, strlen(name->value));
    for (fnd_mjcf_asset *a = m->assets; a; a = a->next) {
        if (a->grid != grid) continue;
        fnd_nearest_offer(&search, a->name);
        if (strcmp(a->name, name->value) != 0) continue;
        if (!a->read) a->good = grid ? read_grid(m, a) : read_mesh(m, a);
        a->read = true;
        return a->good ? a : NULL;
    }
    fnd_model_error(
        m->model, &name->location, FENDER_STATUS_NAME,
        fnd_phrase_make("no %s is named '%.60s'", grid ? "height field" : "mesh", fnd_shown(name->value).text).text,
        fnd_shown(name->value).text, "the name of an asset",
        search.best ? fnd_phrase_make("did you mean '%.60s'?", search.best).text : "");
    return NULL;
}
