/* What laws may ask of the two surfaces that touch: curvature, and how the shapes lie in the contact frame. */
#include "contact/contact_surface.h"

#include "geometry/curvature.h"
#include "math/symmetric.h"

/* Axes of C as the rows of R_CW. */
static fender_mat3 frame_of(const fnd_contact *c)
{
    fender_vec3 x = c->tangent, y = fender_vec3_cross(c->normal, c->tangent), z = c->normal;
    return (fender_mat3){{{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}}};
}

/* One of the shapes: `lever` to the common point, `way` from there to its surface along the outward normal (W). */
static fender_curvature look_at(const fnd_shape *shape, const fnd_frame *frame, const fender_mat3 *R_CW,
                                fender_vec3 lever, fender_vec3 outward, double way, fender_mat3 *R_CG,
                                fender_vec3 *point_G)
{
    fender_mat3 R_WG = fnd_shape_rotation(shape, frame);
    *R_CG = fender_mat3_product(R_CW, &R_WG);
    fender_vec3 arm = shape->centered ? lever : fender_vec3_sub(lever, fender_mat3_times(&frame->R_WB, shape->p_BG));
    *point_G = fender_mat3_transpose_times(&R_WG, arm);
    fender_vec3 n = fender_mat3_transpose_times(&R_WG, outward);
    fnd_curvature k = fnd_geometry_curvature(shape->geometry, fender_vec3_add_scaled(*point_G, way, n), n);
    fender_vec3 direction = fender_mat3_times(R_CG, k.direction);
    return (fender_curvature){k.first, k.second, {direction.x, direction.y}};
}

/* Curvature tensors in C add up. */
static fender_curvature sum_of(const fender_curvature *a, const fender_curvature *b)
{
    const fender_curvature *both[2] = {a, b};
    double xx = 0, xy = 0, yy = 0;
    for (int i = 0; i < 2; i++) {
        const fender_curvature *k = both[i];
        double excess = k->first - k->second, x = k->direction.x, y = k->direction.y;
        xx += k->second + excess * x * x;
        xy += excess * x * y;
        yy += k->second + excess * y * y;
    }
    fnd_symmetric_plane e = fnd_symmetric_plane_of(xx, xy, yy);
    return (fender_curvature){e.first, e.second, {e.cosine, e.sine}};
}

void fnd_contact_surface_see(const fnd_contact_model *model, const fnd_frame *frame_a, const fnd_frame *frame_b,
                             fnd_contact *c, fender_contact_surface *out)
{
    fender_mat3 R_CW = frame_of(c);
    double way = 0.5 * c->in.depth / c->gain; /* the common point lies so deep below both surfaces */
    out->a = look_at(&model->shapes[c->key.a], frame_a, &R_CW, c->lever_a, c->normal, way, &out->R_CA, &out->point_A);
    out->b = look_at(&model->shapes[c->key.b], frame_b, &R_CW, c->lever_b, fender_vec3_negate(c->normal), way,
                     &out->R_CB, &out->point_B);
    out->relative = sum_of(&out->a, &out->b);
    double product = out->relative.first * out->relative.second;
    out->radius = out->relative.second > 0 ? 1 / sqrt(product) : INFINITY;
    c->in.surface = out;
}

bool fnd_contact_list_see(const fender_env *env, fnd_contact_list *list, const fnd_contact_model *model,
                          const fnd_frame *frame_a, const fnd_frame *frame_b)
{
    if (!fnd_contact_list_reserve_surfaces(env, list)) return false;
    const int last = list->count - 1;
    fnd_contact_surface_see(model, frame_a, frame_b, &list->items[last], &list->surfaces[last]);
    return true;
}
