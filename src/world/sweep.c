/* No passing through thin ground between two steps: the way of each shape's middle over a step is looked at against the
 * triangles of meshes. A middle that would pass them goes half of the way there, again and again, so that the contact
 * is met and acts while the shape is still before the mesh; one that has no size goes just through. Grids are solid
 * below their heights, and other shapes have an inside: nothing comes out at their back between two steps.
 *
 * A contact too weak to stop the shape lets it through all the same, in steps: that is its stiffness, not the step. */
#include "world/sweep.h"

#include "geometry/ray.h"

/* Nearer to the mesh than this part of the size, the shape is let go: it is pressed through. */
#define LEAST_PART 0.02
/* Shorter ways than this part of the size cannot pass what was not felt before. */
#define SHORT_WAY 0.25

/* Half the thickness of a shape, about. */
static double size_of(const fender_geometry *g)
{
    fender_vec3 half = fender_vec3_scale(0.5, fender_vec3_sub(g->bounds.upper, g->bounds.lower));
    double least = half.x < half.y ? half.x : half.y;
    return half.z < least ? half.z : least;
}

static fender_vec3 middle_of(const fnd_shape *shape, const fnd_frame *frame)
{
    const fender_geometry *g = shape->geometry;
    fender_vec3 middle = fender_vec3_scale(0.5, fender_vec3_add(g->bounds.upper, g->bounds.lower));
    middle = fender_vec3_add(shape->p_BG, fender_mat3_times(&shape->R_BG, middle));
    return fender_vec3_add(frame->p, fender_mat3_times(&frame->R_WB, middle));
}

/* In G of the mesh. */
static fender_vec3 seen_from(const fnd_shape *mesh, const fnd_frame *frame, fender_vec3 x)
{
    fender_mat3 R = fnd_shape_rotation(mesh, frame);
    fender_vec3 origin = fender_vec3_add(frame->p, fender_mat3_times(&frame->R_WB, mesh->p_BG));
    return fender_mat3_transpose_times(&R, fender_vec3_sub(x, origin));
}

/* Does it leave the mesh on another side than where it came in? */
static bool leaves_at_back(const fnd_surface *s, fender_vec3 from, fender_vec3 exit_normal)
{
    fnd_surface_place place = fnd_surface_nearest(s, from, INFINITY);
    return place.triangle >= 0 && fender_vec3_dot(fnd_surface_normal(s, &place), exit_normal) < 0;
}

/* How far along the way from `from` to `to` the middle may go, as a part. */
static double part_of_way(const fender_geometry *mesh, fender_vec3 from, fender_vec3 to, double size)
{
    fender_vec3 way = fender_vec3_sub(to, from), point;
    double length = fender_vec3_length(way), distance;
    if (!(length > SHORT_WAY * size) || !isfinite(length)) return 1;
    fnd_entry entry;
    fender_vec3 direction = fender_vec3_scale(1 / length, way);
    if (fnd_ray_enter(mesh, from, direction, length, &distance, &entry, &point)) {
        if (!(size > 0)) return distance < 0.99 * length ? (distance + 1e-3 * (length - distance)) / length : 1;
    } else if (fnd_ray_enter(mesh, to, fender_vec3_negate(direction), length, &distance, &entry, &point) &&
               leaves_at_back(mesh->surface, from, entry.normal)) {
        distance = length - distance;
    } else {
        return 1;
    }
    return distance > LEAST_PART * size && distance > 1e-6 * length ? 0.5 * distance / length : 1;
}

double fnd_sweep_part(fender_world *world, double length)
{
    fnd_contact_model *model = &world->model;
    fnd_dynamics *d = &world->dynamics;
    double part = 1;
    bool ready = false;
    for (int m = 0; m < model->shape_count; m++) {
        const fnd_shape *mesh = &model->shapes[m];
        if (mesh->geometry->type != FENDER_GEOMETRY_MESH || !mesh->active) continue;
        if (!ready) fnd_dynamics_frames(d, world->time + length, world->rotations[1], world->vector[1], d->frames);
        ready = true;
        const fnd_body *ground = &model->bodies[mesh->root];
        fnd_frame mesh_start = fnd_frame_of_state(ground, &ground->state);
        for (int i = 0; i < model->shape_count; i++) {
            const fnd_shape *shape = &model->shapes[i];
            const fnd_body *body = &model->bodies[shape->root];
            int type;
            if (shape->geometry->surface || !shape->active || shape->root == mesh->root ||
                shape->geometry->type == FENDER_GEOMETRY_PLANE)
                continue;
            fnd_frame start = fnd_frame_of_state(body, &body->state);
            fender_vec3 from = seen_from(mesh, &mesh_start, middle_of(shape, &start));
            fender_vec3 to = seen_from(mesh, &d->frames[mesh->root], middle_of(shape, &d->frames[shape->root]));
            double one = part_of_way(mesh->geometry, from, to, size_of(shape->geometry));
            if (one < part && fnd_pair_decide(model, i, m, &type) == FENDER_PAIR_MAY_TOUCH) part = one;
        }
    }
    return part;
}
