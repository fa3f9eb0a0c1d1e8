/* Solids of a profile: extruded, revolved, tubes, hollow spheres. They are made while they are read, so that what is
 * wrong with them has a place in the file; from then on they are meshes. */
#include "scenario/shape.h"
#include <fender/solid.h>
#include <stdlib.h>
#include <string.h>

static const double full_turn = 6.283185307179586;

/* ---- Profiles ---- */

/* `profile: [[x, y], .., m]`, and `holes: [[[x, y], .., m], ..]` */
static bool read_profile(fnd_reader *reader, const fnd_node *node, const char *what, fender_profile *profile)
{
    const fnd_node *outline = fnd_require(reader, node, "profile", what, "[[0, 0], [1, 0], [1, 1], m]");
    const fnd_node *holes = fnd_node_find(node, "holes");
    if (!outline || (holes && !fnd_expect_list(reader, holes, "holes"))) return false;
    int loops = 1 + (holes ? holes->count : 0), count = 0, columns = 2;
    int *sizes = fnd_keep(reader, (size_t)loops, sizeof *sizes);
    double **values = fnd_keep(reader, (size_t)loops, sizeof *values);
    if (!sizes || !values) return false;
    bool good = fnd_read_rows(reader, outline, "profile", "m", &columns, &values[0], &sizes[0]);
    if (holes) {
        int k = 1;
        for (const fnd_node *hole = holes->first; hole; hole = hole->next, k++)
            good = fnd_read_rows(reader, hole, "holes", "m", &columns, &values[k], &sizes[k]) && good;
    }
    if (!good) return false;
    for (int k = 0; k < loops; k++) count += sizes[k];
    fender_vec2 *points = fnd_keep(reader, (size_t)count, sizeof *points);
    if (!points) return false;
    for (int k = 0, at = 0; k < loops; k++)
        for (int i = 0; i < sizes[k]; i++)
            points[at++] = (fender_vec2){values[k][2 * (size_t)i], values[k][2 * (size_t)i + 1]};
    *profile = (fender_profile){points, sizes, loops};
    return true;
}

/* ---- From geometry to mesh ---- */

/* The part of the tree that an error's path is about. */
static const fnd_node *place_of(const fnd_node *node, const char *path)
{
    const fnd_node *found = NULL, *holes = fnd_node_find(node, "holes");
    if (strncmp(path, "profile.loops[", 14) == 0 && holes) {
        int loop = atoi(path + 14);
        for (found = holes->first; found && loop > 1; loop--) found = found->next;
        if (loop < 1) found = NULL;
    }
    if (!found && strncmp(path, "profile", 7) == 0) found = fnd_node_find(node, "profile");
    if (!found && strcmp(path, "half_length") == 0) found = fnd_node_find(node, "length");
    if (!found) found = fnd_node_find(node, path);
    return found ? found : node;
}

static bool keep(fnd_reader *reader, const fender_geometry *geometry, fnd_shape_data *data)
{
    int count = 0, indices = fender_geometry_triangles(geometry, NULL, 0);
    const fender_vec3 *points = fender_geometry_vertices(geometry, &count);
    data->points = fnd_keep(reader, (size_t)count, sizeof *data->points);
    data->triangles = fnd_keep(reader, (size_t)indices / 3, sizeof *data->triangles);
    if (!data->points || !data->triangles) return false;
    memcpy(data->points, points, (size_t)count * sizeof *points);
    (void)fender_geometry_triangles(geometry, data->triangles[0], indices);
    data->point_count = count;
    data->triangle_count = indices / 3;
    data->closed = true;
    data->X_FG = fender_pose_identity();
    return true;
}

/* Takes the geometry over: NULL is the failure in *error. */
static bool become_mesh(fnd_reader *reader, const fnd_node *node, fender_geometry *geometry, const fender_error *error,
                        fnd_shape_description *shape)
{
    fnd_shape_data *data = fnd_keep(reader, 1, sizeof *data);
    bool good = false;
    if (geometry) good = data && keep(reader, geometry, data);
    else if (error->status == FENDER_STATUS_MEMORY) reader->memory_failed = true;
    else fnd_diagnostic_add_error(reader->diagnostics, error, fnd_node_shown_location(place_of(node, error->path)));
    fender_geometry_release(geometry);
    shape->geometry = FENDER_GEOMETRY_MESH;
    shape->data = data;
    return good;
}

/* ---- Keys ---- */

static bool read_half_length(fnd_reader *reader, const fnd_node *node, const char *what, double *half)
{
    const fnd_node *length = fnd_node_find(node, "length"), *given = fnd_node_find(node, "half_length");
    if (length && given) {
        fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("the length of %s is defined twice", what).text, "two of them",
                     "one of: length, half_length", "remove one of them");
        return false;
    }
    if (given) return fnd_read_number_from(reader, given, "half_length", "m", 0, true, half);
    if (!length) length = fnd_require(reader, node, "length", what, "100 mm");
    if (!length || !fnd_read_number_from(reader, length, "length", "m", 0, true, half)) return false;
    *half *= 0.5;
    return true;
}

/* A thousandth of the greatest radius unless given. */
static bool read_tolerance(fnd_reader *reader, const fnd_node *node, double radius, double *tolerance)
{
    const fnd_node *given = fnd_node_find(node, "tolerance");
    *tolerance = 1e-3 * radius;
    return !given || fnd_read_number_from(reader, given, "tolerance", "m", 0, true, tolerance);
}

static bool read_radii(fnd_reader *reader, const fnd_node *node, const char *what, double radii[2])
{
    static const char *const names[2] = {"inner_radius", "outer_radius"}, *const examples[2] = {"40 mm", "50 mm"};
    bool good = true;
    for (int i = 0; i < 2; i++) {
        const fnd_node *radius = fnd_require(reader, node, names[i], what, examples[i]);
        good = radius && fnd_read_number_from(reader, radius, names[i], "m", 0, true, &radii[i]) && good;
    }
    return good;
}

/* ---- Solids ---- */

bool fnd_read_extruded(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const char *const keys[] = {"profile", "holes", "length", "half_length", NULL};
    fender_profile profile;
    fender_error error = {0};
    double half = 0;
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_MESH;
    if (!fnd_expect_map(reader, node, "extruded")) return false;
    bool good = fnd_check_keys(reader, node, "an extruded solid", keys);
    good = read_half_length(reader, node, "the extruded solid", &half) && good;
    if (!read_profile(reader, node, "the extruded solid", &profile) || !good) return false;
    return become_mesh(reader, node, fender_geometry_extruded(&reader->env, &profile, half, &error), &error, shape);
}

bool fnd_read_revolved(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const char *const keys[] = {"profile", "holes", "angle", "tolerance", NULL};
    fender_profile profile;
    fender_error error = {0};
    double angle = full_turn, tolerance = 0, widest = 0;
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_MESH;
    if (!fnd_expect_map(reader, node, "revolved")) return false;
    bool good = fnd_check_keys(reader, node, "a revolved solid", keys);
    const fnd_node *part = fnd_node_find(node, "angle");
    if (part) good = fnd_read_number_from(reader, part, "angle", "rad", 0, true, &angle) && good;
    if (!read_profile(reader, node, "the revolved solid", &profile)) return false;
    for (int i = 0; i < profile.loop_sizes[0]; i++)
        if (profile.points[i].x > widest) widest = profile.points[i].x;
    if (!read_tolerance(reader, node, widest > 0 ? widest : 1, &tolerance) || !good) return false;
    return become_mesh(reader, node, fender_geometry_revolved(&reader->env, &profile, angle, tolerance, &error), &error,
                       shape);
}

bool fnd_read_tube(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const char *const keys[] = {"inner_radius", "outer_radius", "length", "half_length", "tolerance", NULL};
    fender_error error = {0};
    double radii[2] = {0}, half = 0, tolerance = 0;
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_MESH;
    if (!fnd_expect_map(reader, node, "tube")) return false;
    bool good = fnd_check_keys(reader, node, "a tube", keys);
    good = read_radii(reader, node, "the tube", radii) && good;
    good = read_half_length(reader, node, "the tube", &half) && good;
    if (!read_tolerance(reader, node, radii[1], &tolerance) || !good) return false;
    return become_mesh(reader, node, fender_geometry_tube(&reader->env, radii[0], radii[1], half, tolerance, &error),
                       &error, shape);
}

bool fnd_read_hollow_sphere(fnd_reader *reader, fnd_node *node, fnd_shape_description *shape, bool *posed)
{
    static const char *const keys[] = {"inner_radius", "outer_radius", "tolerance", NULL};
    fender_error error = {0};
    double radii[2] = {0}, tolerance = 0;
    (void)posed;
    shape->geometry = FENDER_GEOMETRY_MESH;
    if (!fnd_expect_map(reader, node, "hollow_sphere")) return false;
    bool good = fnd_check_keys(reader, node, "a hollow sphere", keys);
    good = read_radii(reader, node, "the hollow sphere", radii) && good;
    if (!read_tolerance(reader, node, radii[1], &tolerance) || !good) return false;
    return become_mesh(reader, node, fender_geometry_hollow_sphere(&reader->env, radii[0], radii[1], tolerance, &error),
                       &error, shape);
}
