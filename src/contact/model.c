/* Freeing of the contact model; where its shapes are and how large their boxes. */
#include "contact/model.h"

#include "geometry/geometry.h"
#include <string.h>

void fnd_contact_model_release(const fender_env *env, fnd_contact_model *model)
{
    for (int i = 0; i < model->shape_count; i++) {
        fnd_text_release(env, model->shapes[i].name);
        fender_geometry_release(model->shapes[i].geometry);
    }
    for (int i = 0; i < model->point_count; i++) fnd_text_release(env, model->points[i].name);
    for (int i = 0; i < model->material_count; i++) fnd_text_release(env, model->materials[i]);
    for (int i = 0; i < model->type_count; i++) fnd_contact_type_release(env, &model->types[i]);
    for (int i = 0; i < model->body_count; i++) fnd_body_release(env, &model->bodies[i]);
    fnd_release(env, model->bodies, (size_t)model->body_capacity * sizeof *model->bodies);
    fnd_release(env, model->shapes, (size_t)model->shape_capacity * sizeof *model->shapes);
    fnd_release(env, model->points, (size_t)model->point_capacity * sizeof *model->points);
    fnd_release(env, (void *)model->materials, (size_t)model->material_capacity * sizeof *model->materials);
    fnd_release(env, model->types, (size_t)model->type_capacity * sizeof *model->types);
    fnd_release(env, model->rules, (size_t)model->rule_capacity * sizeof *model->rules);
    fnd_name_index_release(env, &model->body_names);
    fnd_name_index_release(env, &model->shape_names);
    fnd_name_index_release(env, &model->point_names);
    fnd_name_index_release(env, &model->material_names);
    fnd_name_index_release(env, &model->type_names);
    memset(model, 0, sizeof *model);
}

void fnd_shape_box(const fnd_shape *shape, const fnd_frame *frame, fender_vec3 *center, fender_vec3 *half)
{
    const fender_geometry *geometry = shape->geometry;
    *center = fender_vec3_add(frame->p, fender_mat3_times(&frame->R_WB, shape->p_BG));
    if (geometry->type == FENDER_GEOMETRY_SPHERE) {
        *half = fender_vec3_make(geometry->radius, geometry->radius, geometry->radius);
        return;
    }
    fender_vec3 offset;
    fender_mat3 R_WG = shape->aligned ? frame->R_WB : fender_mat3_product(&frame->R_WB, &shape->R_BG);
    fnd_geometry_box(geometry, &R_WG, &offset, half);
    *center = fender_vec3_add(*center, offset);
}

void fnd_shapes_place(fnd_contact_model *model)
{
    for (int i = 0; i < model->shape_count; i++) {
        fnd_shape *shape = &model->shapes[i];
        const fnd_body *body = &model->bodies[shape->body];
        shape->root = body->root;
        fender_vec3 lever = fender_vec3_sub(shape->X_SG.p, body->root_center_S);
        fender_quaternion q = fender_quaternion_product(body->q_RS, shape->X_SG.q);
        shape->p_BG = fender_quaternion_rotate(body->q_RS, lever);
        shape->centered = shape->p_BG.x == 0 && shape->p_BG.y == 0 && shape->p_BG.z == 0;
        shape->R_BG = fender_quaternion_matrix(q);
        shape->aligned = q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0;
    }
}
