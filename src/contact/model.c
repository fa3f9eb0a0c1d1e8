/* Freeing of the contact model, and the box of a shape. */
#include "contact/model.h"

#include "geometry/geometry.h"
#include <string.h>

void fnd_contact_model_release(const fender_env *env, fnd_contact_model *model)
{
    for (int i = 0; i < model->shape_count; i++) {
        fnd_text_release(env, model->shapes[i].name);
        fender_geometry_release(model->shapes[i].geometry);
    }
    for (int i = 0; i < model->material_count; i++) fnd_text_release(env, model->materials[i]);
    for (int i = 0; i < model->type_count; i++) fnd_contact_type_release(env, &model->types[i]);
    for (int i = 0; i < model->body_count; i++) fnd_body_release(env, &model->bodies[i]);
    fnd_release(env, model->bodies, (size_t)model->body_capacity * sizeof *model->bodies);
    fnd_release(env, model->shapes, (size_t)model->shape_capacity * sizeof *model->shapes);
    fnd_release(env, (void *)model->materials, (size_t)model->material_capacity * sizeof *model->materials);
    fnd_release(env, model->types, (size_t)model->type_capacity * sizeof *model->types);
    fnd_release(env, model->rules, (size_t)model->rule_capacity * sizeof *model->rules);
    fnd_name_index_release(env, &model->body_names);
    fnd_name_index_release(env, &model->shape_names);
    fnd_name_index_release(env, &model->material_names);
    fnd_name_index_release(env, &model->type_names);
    memset(model, 0, sizeof *model);
}

fender_vec3 fnd_shape_half_box(const fender_geometry *geometry, const fender_mat3 *R_WG)
{
    double r = geometry->radius, l = geometry->half_length;
    return fender_vec3_make(r + l * fabs(R_WG->m[0][2]), r + l * fabs(R_WG->m[1][2]), r + l * fabs(R_WG->m[2][2]));
}
