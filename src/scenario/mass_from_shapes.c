/* Mass properties of a body whose shapes are solids of even density. */
#include "scenario/section.h"

/* A hull of a file has the inertia of the file's own solid (contact is with the hull): then it is taken as a mesh. What
 * triangles bound must be closed. */
static bool find_solid(fnd_reader *reader, const fnd_node *node, fnd_shape_description *shape)
{
    const fnd_shape_data *data = shape->data;
    if (!data || !data->triangles) return true;
    if (!data->closed) {
        fnd_complain(reader, &node->place, FENDER_STATUS_VALUE,
                     fnd_phrase_make("the triangles of '%s' bound no volume", fnd_shown(data->file.name).text).text,
                     "an edge that is not shared by two triangles", "a closed surface",
                     "close the mesh, or give mass and inertia");
        return false;
    }
    shape->geometry = FENDER_GEOMETRY_MESH;
    shape->rounding = 0;
    return true;
}

/* Mass properties of one solid, in structure axes. */
static bool solid(fnd_reader *reader, const fnd_node *node, const fnd_shape_description *shape, double density,
                  fender_mass_properties *out)
{
    fender_error error = {0};
    fnd_shape_description solid_shape = *shape;
    if (!find_solid(reader, node, &solid_shape)) return false;
    fender_geometry *geometry = fnd_shape_geometry(&reader->env, &solid_shape, &error);
    if (!geometry) {
        if (error.status == FENDER_STATUS_MEMORY) reader->memory_failed = true;
        else fnd_finding_add_error(reader->findings, &error, &node->place);
        return false;
    }
    fender_mass_properties own = fender_geometry_mass_properties(geometry, density);
    fender_geometry_release(geometry);
    if (own.mass < 0) {
        fnd_complain(reader, &node->place, FENDER_STATUS_VALUE,
                     fnd_phrase_make("the triangles of '%s' face inward", fnd_shown(shape->data->file.name).text).text,
                     "a negative volume", "triangles that are counter-clockwise from outside",
                     "turn the triangles round");
        return false;
    }
    fender_mat3 r = fender_quaternion_matrix(shape->X_SG.q), transposed = fender_mat3_transpose(&r);
    fender_mat3 half = fender_mat3_product(&r, &own.inertia);
    out->mass = own.mass;
    out->center_of_mass = fender_vec3_add(shape->X_SG.p, fender_mat3_times(&r, own.center_of_mass));
    out->inertia = fender_mat3_product(&half, &transposed);
    return true;
}

/* Adds m (|d|^2 1 - d d^T): the parallel axis theorem. */
static void add_offset(fender_mat3 *inertia, double mass, fender_vec3 d)
{
    double v[3] = {d.x, d.y, d.z}, square = fender_vec3_dot(d, d);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) inertia->m[i][j] += mass * ((i == j ? square : 0) - v[i] * v[j]);
}

bool fnd_mass_from_shapes(fnd_reader *reader, const fnd_node *node, const fnd_body_description *body, double density,
                          fender_mass_properties *mass)
{
    fender_mass_properties total = {0}, part;
    for (int i = 0; i < body->shape_count; i++) {
        if (!solid(reader, node, &body->shapes[i], density, &part)) return false;
        total.mass += part.mass;
        total.center_of_mass = fender_vec3_add_scaled(total.center_of_mass, part.mass, part.center_of_mass);
    }
    if (!(total.mass > 0)) {
        fnd_complain(reader, &node->place, FENDER_STATUS_VALUE, "the shapes of the body have no volume",
                     body->shape_count == 0 ? "no shapes" : "a volume of 0", "shapes with a volume",
                     "add a shape, or give mass and inertia");
        return false;
    }
    total.center_of_mass = fender_vec3_scale(1 / total.mass, total.center_of_mass);
    for (int i = 0; i < body->shape_count; i++) {
        if (!solid(reader, node, &body->shapes[i], density, &part)) return false;
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) total.inertia.m[j][k] += part.inertia.m[j][k];
        add_offset(&total.inertia, part.mass, fender_vec3_sub(part.center_of_mass, total.center_of_mass));
    }
    /* into body axes; one half of the matrix is computed, for rounding must not make it unsymmetric */
    fender_mat3 r = fender_quaternion_matrix(body->def.body_axes), transposed = fender_mat3_transpose(&r);
    fender_mat3 half = fender_mat3_product(&transposed, &total.inertia);
    total.inertia = fender_mat3_product(&half, &r);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < j; k++) total.inertia.m[j][k] = total.inertia.m[k][j];
    *mass = total;
    return true;
}
