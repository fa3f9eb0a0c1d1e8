/* Nothing passes unseen between two steps: the motion of each pair over a step is held against the thickness of both.
 *
 * A pair may meet and part within a step only if it moves by more than a part of its thickness. Such pairs are followed
 * along the step by conservative advancement (Mirtich 1996): positions by a cubic through both states, rotations at
 * their mean rate, so that no point moves by more than `way`; a gap d lets d / way of the step go
 * by. Where they meet within the step it ends while they overlap, so that the contact is seen and acts. What touches
 * already goes on by half of the smaller one's extent at most along its normal.
 *
 * Points against meshes have no thickness: the way of the point is cut by the triangles, and it goes just through. Each
 * point of a cloud is followed, where it would come out at the back of a wall or past the middle of it. A contact too
 * weak to stop a body lets it through all the same, in steps: that is its stiffness, not the step. Planes have no other
 * side. */
#include "world/sweep.h"

#include "geometry/ray.h"
#include "math/rotation.h"
#include <assert.h>

#define SLOW       0.5  /* ratio of motion to half the thickness: two such bodies cannot pass each other undetected */
#define PART       0.25 /* fraction of the smaller one's least extent that may be travelled in contact within one step */
#define RESOLUTION 0.01 /* fraction of both thicknesses: contacts over a shorter distance may be missed */
#define LEAST_STEP 1e-7 /* part of a step */
#define WALL       0.05 /* part of a wall of a mesh that a point of a cloud goes into in the step in which it meets it */
enum { MOST_SAMPLES = 1000, MOST_WALLS = 12 };

/* The motion of a body over the step. */
typedef struct motion {
    fnd_frame start;
    fender_vec3 bezier[4]; /* of the frame's origin */
    fender_vec3 rotation;  /* rotation vector, W */
    double length, angle;  /* bounds of the motion of the origin and of the rotation */
} motion;

static bool is_passed(const fnd_shape *shape)
{
    fender_geometry_type type = shape->geometry->type;
    return shape->active && type != FENDER_GEOMETRY_PLANE && type != FENDER_GEOMETRY_PROBE;
}

/* Largest distance of points of the shape from the frame's origin, as far as rotation moves them. */
static double lever(const fnd_shape *shape)
{
    const fender_geometry *g = shape->geometry;
    bool round = g->type == FENDER_GEOMETRY_SPHERE || g->type == FENDER_GEOMETRY_POINT;
    return fender_vec3_length(shape->p_BG) + (round ? 0 : shape->bounding_radius);
}

static double way_of(const motion *m, const fnd_shape *shape)
{
    return m->length + (m->angle > 0 ? m->angle * lever(shape) : 0);
}

static bool moves(const fnd_body *body) { return fnd_body_dynamic(body) || body->motion == FENDER_MOTION_PRESCRIBED; }

/* Bound of the relative motion of any point of one shape and the other. */
static double way_between(const motion *a, const fnd_shape *of_a, const motion *b, const fnd_shape *of_b)
{
    double length = 0;
    for (int i = 0; i < 3; i++) {
        const fender_vec3 step_a = fender_vec3_sub(a->bezier[i + 1], a->bezier[i]);
        const double part = 3 * fender_vec3_length(
                                    fender_vec3_sub(step_a, fender_vec3_sub(b->bezier[i + 1], b->bezier[i])));
        length = part > length ? part : length;
    }
    return length + (a->angle > 0 ? a->angle * lever(of_a) : 0) + (b->angle > 0 ? b->angle * lever(of_b) : 0);
}

static motion motion_between(fnd_frame from, fnd_frame to, double h, fender_vec3 common)
{
    motion m = {.start = from};
    to.p = fender_vec3_add_scaled(to.p, -h, common);
    m.bezier[0] = from.p;
    m.bezier[1] = fender_vec3_add_scaled(from.p, h / 3, fender_vec3_sub(from.v, common));
    m.bezier[2] = fender_vec3_add_scaled(to.p, -h / 3, fender_vec3_sub(to.v, common));
    m.bezier[3] = to.p;
    for (int i = 0; i < 3; i++) {
        double part = 3 * fender_vec3_length(fender_vec3_sub(m.bezier[i + 1], m.bezier[i]));
        m.length = part > m.length ? part : m.length;
    }
    m.rotation = fender_vec3_scale(0.5 * h, fender_vec3_add(from.w, to.w));
    m.angle = fender_vec3_length(m.rotation);
    return m;
}

/* Index of a body among the integrated ones; -1: not integrated. */
static int place_of(const fnd_dynamics *d, int body)
{
    int low = 0, high = d->dynamic_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (d->dynamic[middle] < body) low = middle + 1;
        else high = middle;
    }
    return low < d->dynamic_count && d->dynamic[low] == body ? low : -1;
}

static motion motion_of(const fender_world *world, int body, double h, fender_vec3 common)
{
    assert(body >= 0 && body < world->model.body_count);
    const fnd_dynamics *d = &world->dynamics;
    const fnd_body *b = &world->model.bodies[body];
    fnd_frame from = fnd_frame_of_state(b, &b->state);
    if (b->motion == FENDER_MOTION_PRESCRIBED) {
        fnd_state to = fnd_state_prescribed(b, world->time + h, NAN, d->start_time);
        return motion_between(from, fnd_frame_of_state(b, &to), h, common);
    }
    int k = place_of(d, body);
    if (k >= 0) {
        fnd_state to = fnd_state_unpack(d, k, world->rotations[1], world->vector[1]);
        return motion_between(from, fnd_frame_of_state(b, &to), h, common);
    }
    return (motion){.start = from, .bezier = {from.p, from.p, from.p, from.p}};
}

/* A shape of a moving tree, with the body's frames at both ends of the step in place of the root's: at the origin of
 * its geometry, along its axes. */
static fnd_frame shape_frame(const fnd_body *body, const fnd_shape *shape, const fnd_frame *root)
{
    const fnd_frame carrier = fnd_part_carrier(body, root);
    const fender_vec3 lever = fender_mat3_times(&root->R_WB, shape->p_BG);
    fnd_frame frame = carrier;
    frame.p = fender_vec3_add(root->p, lever);
    frame.v = fender_vec3_add(carrier.v, fender_vec3_cross(carrier.w, lever));
    frame.R_WB = fender_mat3_product(&root->R_WB, &shape->R_BG);
    frame.q = fnd_quaternion_from_matrix(&frame.R_WB);
    return frame;
}

/* The motion of a shape, and the shape as placed in the frame of that motion: itself, or `own` where its tree moves. */
static const fnd_shape *carried(const fender_world *world, int index, double h, fender_vec3 common, motion *m,
                                fnd_shape *own)
{
    const fnd_contact_model *model = &world->model;
    const fnd_dynamics *d = &world->dynamics;
    const fnd_shape *shape = &model->shapes[index];
    const fnd_body *body = &model->bodies[shape->body], *root = &model->bodies[shape->root];
    if (!body->moving) {
        *m = motion_of(world, shape->root, h, common);
        return shape;
    }
    fnd_model_move(model, world->time);
    fnd_frame of_root = fnd_frame_of_state(root, &root->state);
    const fnd_frame from = shape_frame(body, shape, &of_root);
    fnd_model_move(model, world->time + h);
    fnd_state end = root->state;
    const int k = place_of(d, shape->root);
    if (k >= 0) end = fnd_state_unpack(d, k, world->rotations[1], world->vector[1]);
    if (root->motion == FENDER_MOTION_PRESCRIBED) end = fnd_state_prescribed(root, world->time + h, NAN, d->start_time);
    of_root = fnd_frame_of_state(root, &end);
    *m = motion_between(from, shape_frame(body, shape, &of_root), h, common);
    *own = *shape;
    own->p_BG = fender_vec3_make(0, 0, 0);
    own->R_BG = fender_mat3_identity();
    own->centered = own->aligned = true;
    return own;
}

/* Pose of the shape after the part t of the step. */
static fnd_posed placed_at(const fnd_shape *shape, const motion *m, double t)
{
    assert(t >= 0);
    double s = 1 - t;
    fender_vec3 p = fender_vec3_scale(s * s * s, m->bezier[0]);
    p = fender_vec3_add_scaled(p, 3 * s * s * t, m->bezier[1]);
    p = fender_vec3_add_scaled(p, 3 * s * t * t, m->bezier[2]);
    p = fender_vec3_add_scaled(p, t * t * t, m->bezier[3]);
    fender_mat3 R = m->start.R_WB;
    if (m->angle > 0)
        R = fender_quaternion_matrix(fnd_quaternion_rotated(fender_vec3_scale(t, m->rotation), m->start.q));
    return (fnd_posed){shape->geometry, fender_vec3_add(p, fender_mat3_times(&R, shape->p_BG)),
                       fender_mat3_product(&R, &shape->R_BG)};
}

typedef struct encounter {
    const fnd_shape *a, *b;
    const motion *of_a, *of_b;
    fnd_pair_entry entry;
    double way, thickness;
    double least; /* extent of the smaller one, so that it is not completely inside the other */
    double step;
    int64_t *looks;
} encounter;

static double least_extent(const encounter *e)
{
    double least = INFINITY;
    const fender_box *boxes[2] = {&e->a->geometry->bounds, &e->b->geometry->bounds};
    for (int i = 0; i < 2; i++) {
        const fender_vec3 size = fender_vec3_sub(boxes[i]->upper, boxes[i]->lower);
        const double sides[3] = {size.x, size.y, size.z};
        for (int k = 0; k < 3; k++)
            if (sides[k] > 0 && sides[k] < least) least = sides[k];
    }
    return least;
}

/* Distance after the part t; false: there is none. */
static bool look(const encounter *e, double t, fender_separation *found)
{
    fender_separation room[1];
    fnd_manifold out = {.items = room, .capacity = 1};
    fnd_posed a = placed_at(e->a, e->of_a, t), b = placed_at(e->b, e->of_b, t);
    fnd_query query = {FND_QUERY_DISTANCE, INFINITY, NULL, NULL, 0};
    ++*e->looks;
    fnd_pair_evaluate(&e->entry, &a, &b, &query, &out);
    if (out.count == 0 || out.failed || isnan(room[0].distance)) return false;
    *found = room[0];
    return true;
}

/* Part of the step that two bodies in contact may take, so that they approach by less than PART of the smaller one. */
static double part_in_touch(const encounter *e, const fender_separation *now)
{
    const fnd_frame *a = &e->of_a->start, *b = &e->of_b->start;
    fnd_posed at_a = placed_at(e->a, e->of_a, 0);
    fender_vec3 x = fender_vec3_add(at_a.p_WG, now->point_a);
    fender_vec3 v = fender_vec3_sub(a->v, b->v);
    v = fender_vec3_add(v, fender_vec3_cross(a->w, fender_vec3_sub(x, a->p)));
    v = fender_vec3_sub(v, fender_vec3_cross(b->w, fender_vec3_sub(x, b->p)));
    double closing = fender_vec3_dot(v, now->normal) * e->step, most = 2 * PART * e->least;
    return closing > most ? most / closing : 1;
}

/* After a contact at the part t: continues to the deepest point, or by PART of the smaller one. */
static double part_after(const encounter *e, double t, double depth)
{
    const double stride = RESOLUTION * e->least / e->way, last = t + PART * e->least / e->way;
    fender_separation next;
    while (t + stride < last && t < 1 && look(e, t + stride, &next) && -next.distance > depth) {
        depth = -next.distance;
        t += stride;
    }
    return t;
}

static double part_of(const encounter *e)
{
    assert(e->way > 0 && e->thickness > 0);
    fender_separation now;
    const double stride = RESOLUTION * e->thickness;
    double t = 0;
    if (!look(e, 0, &now) || now.distance > e->way) return 1;
    if (now.distance <= 0) return part_in_touch(e, &now);
    for (int i = 0; i < MOST_SAMPLES; i++) {
        t += (now.distance > stride ? now.distance : stride) / e->way;
        if (t >= 1 || !look(e, t, &now)) return 1;
        if (now.distance <= 0) return part_after(e, t, -now.distance);
    }
    return t;
}

/* ---- points and meshes ---- */

/* Place and axes of a's geometry in those of b's, at both ends of the step. */
typedef struct relative {
    fender_vec3 p[2];
    fender_mat3 R[2];
} relative;

static relative relative_motion(const encounter *e)
{
    relative r;
    for (int k = 0; k < 2; k++) {
        const fnd_posed a = placed_at(e->a, e->of_a, k), b = placed_at(e->b, e->of_b, k);
        r.p[k] = fender_mat3_transpose_times(&b.R_WG, fender_vec3_sub(a.p_WG, b.p_WG));
        const fender_mat3 R_GW = fender_mat3_transpose(&b.R_WG);
        r.R[k] = fender_mat3_product(&R_GW, &a.R_WG);
    }
    return r;
}

/* True if the segment certainly has no point in the box. */
static bool misses(fender_vec3 from, fender_vec3 to, const fender_box *box)
{
    return (from.x < box->lower.x && to.x < box->lower.x) || (from.x > box->upper.x && to.x > box->upper.x) ||
           (from.y < box->lower.y && to.y < box->lower.y) || (from.y > box->upper.y && to.y > box->upper.y) ||
           (from.z < box->lower.z && to.z < box->lower.z) || (from.z > box->upper.z && to.z > box->upper.z);
}

/* The depth beyond a place of entry down to which a point may go, at most `rest`: a small part of the wall where it
 * would come out at the back, or nearer to the back than to the front. */
static double depth_in_wall(const fender_geometry *mesh, fender_vec3 entered, fender_vec3 d, double rest)
{
    double depth = 2 * rest, distance;
    fnd_entry back;
    fender_vec3 point;
    int walls = 0;
    while (walls < MOST_WALLS && fnd_ray_enter(mesh, fender_vec3_add_scaled(entered, depth, d), fender_vec3_negate(d),
                                               depth, &distance, &back, &point)) {
        depth = WALL * (depth - distance); /* of the farthest wall, until there is none nearer */
        walls++;
    }
    return walls > 0 ? depth : rest;
}

/* Part of the step at which one point of a, in its axes, has gone into a wall of a mesh. */
static double part_of_point(const encounter *e, const relative *r, fender_vec3 x)
{
    const fender_geometry *mesh = e->b->geometry;
    const fender_vec3 from = fender_vec3_add(r->p[0], fender_mat3_times(&r->R[0], x));
    const fender_vec3 to = fender_vec3_add(r->p[1], fender_mat3_times(&r->R[1], x));
    if (misses(from, to, &mesh->bounds)) return 1;
    const fender_vec3 way = fender_vec3_sub(to, from);
    const double length = fender_vec3_length(way), least = 1e-6 * length;
    double distance;
    fnd_entry entry;
    fender_vec3 entered;
    if (!(length > 0) || !isfinite(length)) return 1;
    const fender_vec3 d = fender_vec3_scale(1 / length, way);
    if (!fnd_ray_enter(mesh, from, d, length, &distance, &entry, &entered) || distance <= least) return 1;
    const double rest = length - distance, depth = depth_in_wall(mesh, entered, d, rest);
    return depth < rest ? (distance + (depth > least ? depth : least)) / length : 1;
}

/* The least part of the step at which a point of a cloud has gone into a wall of a mesh. */
static double part_of_cloud(const encounter *e)
{
    const relative r = relative_motion(e);
    const fender_geometry *cloud = e->a->geometry;
    double least = 1;
    for (int i = 0; i < cloud->point_count; i++) {
        const double part = part_of_point(e, &r, cloud->points[i]);
        least = part < least ? part : least;
    }
    return least;
}

/* Part of the motion of a point at which it has just passed through a mesh. */
static double part_through(const encounter *e)
{
    fnd_posed start = placed_at(e->b, e->of_b, 0), end = placed_at(e->b, e->of_b, 1);
    fnd_posed first = placed_at(e->a, e->of_a, 0), last = placed_at(e->a, e->of_a, 1);
    fender_vec3 from = fender_mat3_transpose_times(&start.R_WG, fender_vec3_sub(first.p_WG, start.p_WG)), point;
    fender_vec3 to = fender_mat3_transpose_times(&end.R_WG, fender_vec3_sub(last.p_WG, end.p_WG));
    fender_vec3 way = fender_vec3_sub(to, from);
    double length = fender_vec3_length(way), distance;
    fnd_entry entry;
    if (!(length > 0) || !isfinite(length)) return 1;
    if (!fnd_ray_enter(e->b->geometry, from, fender_vec3_scale(1 / length, way), length, &distance, &entry, &point))
        return 1;
    return distance > 1e-6 * length && distance < 0.99 * length ? (distance + 1e-3 * (length - distance)) / length : 1;
}

static bool boxes_apart(const encounter *e)
{
    fender_vec3 center_a, half_a, center_b, half_b;
    fnd_shape_box(e->a, &e->of_a->start, &center_a, &half_a);
    fnd_shape_box(e->b, &e->of_b->start, &center_b, &half_b);
    fender_vec3 between = fender_vec3_sub(center_a, center_b), most = fender_vec3_add(half_a, half_b);
    return fabs(between.x) > most.x + e->way || fabs(between.y) > most.y + e->way || fabs(between.z) > most.z + e->way;
}

static void hold_pair(const fender_world *world, int i, int j, const fnd_shape *a, const motion *of_i, double step,
                      fender_vec3 common, fnd_sweep *sweep)
{
    const fnd_contact_model *model = &world->model;
    int type;
    motion of_j;
    fnd_shape own;
    const fnd_shape *b = carried(world, j, step, common, &of_j, &own);
    encounter e = {a, b, of_i, &of_j, {NULL, false}, way_between(of_i, a, &of_j, b), 0, 0, step, &sweep->looks};
    if (!isfinite(e.way) || boxes_apart(&e) ||
        fnd_pair_decide(model, i < j ? i : j, i < j ? j : i, &type) != FENDER_PAIR_MAY_TOUCH)
        return;
    e.thickness = a->geometry->thickness + b->geometry->thickness;
    e.least = least_extent(&e);
    e.entry = fnd_pair_find(a->geometry, b->geometry);
    if (!e.entry.function || !isfinite(e.thickness)) return;
    double part = 1;
    if (e.thickness > 0) part = e.way > PART * e.least ? part_of(&e) : 1;
    else if (b->geometry->type == FENDER_GEOMETRY_MESH && !a->geometry->surface)
        part = a->geometry->type == FENDER_GEOMETRY_CLOUD ? part_of_cloud(&e) : part_through(&e);
    else if (a->geometry->type == FENDER_GEOMETRY_MESH && b->geometry->type == FENDER_GEOMETRY_CLOUD)
        part = part_of_cloud(&(encounter){b, a, &of_j, of_i, e.entry, e.way, 0, e.least, step, &sweep->looks});
    if (part < sweep->part) sweep->part = part, sweep->shape_a = i, sweep->shape_b = j, sweep->speed = e.way / step;
}

/* ---- lines of sight ---- */

/* True if a line of sight of a meets b after the part t of the step. */
static bool line_meets(const encounter *e, double t)
{
    const fnd_posed a = placed_at(e->a, e->of_a, t), b = placed_at(e->b, e->of_b, t);
    const fender_vec3 u = fender_mat3_column(&a.R_WG, 2), start = fender_vec3_add_scaled(a.p_WG, -a.geometry->range, u);
    double distance;
    fnd_entry entry;
    fender_vec3 point;
    return fnd_ray_enter(b.geometry, fender_mat3_transpose_times(&b.R_WG, fender_vec3_sub(start, b.p_WG)),
                         fender_mat3_transpose_times(&b.R_WG, u), e->thickness, &distance, &entry, &point);
}

/* Part of the step at which the tip has just gone below a surface that the middle of its line goes below, too: a
 * contact that is new then has no force, as one that came in sideways. `thickness` is the length of the line. */
static double part_of_line(const encounter *e)
{
    enum { LOOKS = 32 };
    const relative r = relative_motion(e);
    const fender_vec3 middle = {0, 0, 0.5 * (e->a->geometry->cushion - e->a->geometry->range)};
    const fender_vec3 from = fender_vec3_add(r.p[0], fender_mat3_times(&r.R[0], middle));
    const fender_vec3 way = fender_vec3_sub(fender_vec3_add(r.p[1], fender_mat3_times(&r.R[1], middle)), from);
    const double length = fender_vec3_length(way);
    double distance;
    fnd_entry entry;
    fender_vec3 point;
    if (!(length > FENDER_PROBE_SLANT * e->thickness) || !isfinite(length) || line_meets(e, 0)) return 1;
    const fender_vec3 d = fender_vec3_scale(1 / length, way);
    if (!fnd_ray_enter(e->b->geometry, from, d, length, &distance, &entry, &point)) return 1;
    const double facing = -fender_vec3_dot(entry.normal, fender_mat3_column(&r.R[0], 2));
    const double closing = -fender_vec3_dot(entry.normal, d), last = distance / length;
    if (!(facing > FENDER_PROBE_SLANT && closing > 0)) return 1;
    const double first = last - (0.5 - WALL) * e->thickness * facing / (closing * length); /* of a plane */
    for (int i = 0; i < LOOKS; i++) {
        const double t = first + (last - first) * i / LOOKS;
        ++*e->looks;
        if (t > 0 && line_meets(e, t)) return t;
    }
    return 1;
}

static void hold_lines(const fender_world *world, double step, fnd_sweep *sweep)
{
    const fnd_contact_model *model = &world->model;
    const fnd_contact_set *set = &world->dynamics.contacts;
    for (int k = 0; k < set->candidate_count; k++) {
        if (!set->candidates[k].probe) continue;
        const int a = (int)set->candidates[k].a, b = (int)set->candidates[k].b;
        const bool first = model->shapes[a].geometry->type == FENDER_GEOMETRY_PROBE;
        const int i = first ? a : b, j = first ? b : a;
        const fnd_body *own = &model->bodies[model->shapes[i].root], *other = &model->bodies[model->shapes[j].root];
        const fender_vec3 common = moves(own) && moves(other) ? own->state.v : fender_vec3_make(0, 0, 0);
        motion of_i, of_j;
        fnd_shape own_i, own_j;
        const fnd_shape *line = carried(world, i, step, common, &of_i, &own_i);
        const fnd_shape *solid = carried(world, j, step, common, &of_j, &own_j);
        const double length = line->geometry->range + line->geometry->cushion;
        const double most = way_between(&of_i, line, &of_j, solid);
        const encounter e = {line, solid, &of_i, &of_j, {NULL, false}, most, length, 0, step, &sweep->looks};
        const double part = part_of_line(&e);
        if (part < sweep->part) *sweep = (fnd_sweep){part, i, j, most / step, sweep->looks};
    }
}

/* ---- the step ---- */

/* Upper bounds of the squares of the largest speed at both ends of the step and of the largest angular rate. */
typedef struct pace {
    double v, w;
} pace;

/* At least the largest rate that an angular momentum of 1 N m s has. */
static double trace_of(const fender_mat3 *inverse) { return inverse->m[0][0] + inverse->m[1][1] + inverse->m[2][2]; }

static pace pace_of(const fender_world *world, int body, int k, fender_vec3 common)
{
    assert(k >= 0 && k < world->dynamics.dynamic_count);
    const fnd_dynamics *d = &world->dynamics;
    const fnd_body *b = &world->model.bodies[body];
    const fender_mat3 *inverse = &b->inverse_inertia;
    const double *v1 = world->vector[1] + 3 * (d->dynamic_count + k), *L1 = v1 + 3 * d->dynamic_count;
    const double trace = trace_of(inverse);
    const fender_vec3 start_v = fender_vec3_sub(b->state.v, common);
    const fender_vec3 end_v = fender_vec3_sub(fender_vec3_make(v1[0], v1[1], v1[2]), common);
    const double v = fender_vec3_dot(start_v, start_v), L = fender_vec3_dot(b->state.L, b->state.L);
    const double last_v = fender_vec3_dot(end_v, end_v);
    const double last_L = L1[0] * L1[0] + L1[1] * L1[1] + L1[2] * L1[2];
    return (pace){last_v > v ? last_v : v, (last_L > L ? last_L : L) * trace * trace};
}

/* Of a shape: how far it may move within a step, and what its points have of the rotation. */
static fnd_leeway leeway_of(const fnd_shape *shape)
{
    const fender_geometry *g = shape->geometry;
    const bool round = g->type == FENDER_GEOMETRY_SPHERE || g->type == FENDER_GEOMETRY_POINT;
    const double slow = 0.5 * SLOW * g->thickness, radius = round ? 0 : shape->bounding_radius;
    return (fnd_leeway){slow * slow, 2 * (fender_vec3_dot(shape->p_BG, shape->p_BG) + radius * radius), 0};
}

/* True if certainly slow, by a factor of 1.5. (x + y)^2 is at most twice the sum of the squares. */
static bool is_slow(const pace *p, const fnd_leeway *l, double h)
{
    return 4.5 * h * h * (p->v + (p->w > 0 ? p->w * l->arm : 0)) <= l->way;
}

/* What is the same from step to step until shapes or trees change. */
static void note_leeways(fender_world *world)
{
    const fnd_contact_model *model = &world->model;
    const fnd_dynamics *d = &world->dynamics;
    world->sweep_common = d->dynamic_count > 0;
    world->sweep_whole = !fnd_model_moves(model);
    world->sweep_lines = false;
    for (int k = 0; k < d->dynamic_count; k++) world->leeways[k] = (fnd_leeway){INFINITY, 0, 0};
    for (int i = 0; i < model->shape_count; i++) {
        const fnd_shape *shape = &model->shapes[i];
        if (shape->active && shape->geometry->type == FENDER_GEOMETRY_PROBE) world->sweep_lines = true;
        if (!is_passed(shape)) continue;
        if (!moves(&model->bodies[shape->root])) {
            world->sweep_common = false;
            continue;
        }
        const int k = place_of(d, shape->root);
        if (k < 0) {
            world->sweep_whole = false;
            continue;
        }
        const fnd_leeway own = leeway_of(shape);
        fnd_leeway *body = &world->leeways[k];
        if (!(own.way >= body->way)) body->way = own.way;
        if (!(own.arm <= body->arm)) body->arm = own.arm;
    }
    for (int k = 0; k < d->dynamic_count; k++) {
        const double trace = trace_of(&model->bodies[d->dynamic[k]].inverse_inertia);
        world->leeways[k].per_momentum = trace * trace * world->leeways[k].arm;
    }
    world->dynamics.sweep_ready = true;
}

typedef struct slow_test {
    const fender_world *world;
    double h;
    fender_vec3 common;
} slow_test;

static inline bool some_slow(const void *ctx, int from, int to)
{
    const slow_test *t = ctx;
    const fender_world *world = t->world;
    const fnd_dynamics *d = &world->dynamics;
    const int n = 3 * d->dynamic_count;
    for (int k = from; k < to; k++) { /* as is_slow of pace_of */
        const fnd_state *start = &world->model.bodies[d->dynamic[k]].state;
        const fender_vec3 v0 = fender_vec3_sub(start->v, t->common);
        const fender_vec3 v1 = fender_vec3_sub(fnd_read3(world->vector[1] + n + 3 * k), t->common);
        const fender_vec3 L1 = fnd_read3(world->vector[1] + 2 * n + 3 * k);
        const double before = fender_vec3_dot(v0, v0), L_before = fender_vec3_dot(start->L, start->L);
        const double after = fender_vec3_dot(v1, v1), L_after = fender_vec3_dot(L1, L1);
        const double v = after > before ? after : before, L = L_after > L_before ? L_after : L_before;
        if (!(4.5 * t->h * t->h * (v + L * world->leeways[k].per_momentum) <= world->leeways[k].way)) return false;
    }
    return true;
}

/* True if no shape of any body may pass another. */
static bool all_slow(const fender_world *world, double h, fender_vec3 common)
{
    const slow_test t = {world, h, common};
    return fnd_pool_all(world->dynamics.pool, some_slow, &t, world->dynamics.dynamic_count, 2 * FND_BODY_BLOCK);
}

/* What moving parts add at both ends of the step. */
static pace with_part(pace p, const fnd_body *body, const fnd_shape *shape)
{
    const fnd_moving *m = body->moving;
    const double radius = shape->bounding_radius;
    const double before = fender_vec3_length(
                              fender_vec3_add(m->v_before, fender_vec3_cross(m->w_before, shape->p_BG))) +
                          radius * fender_vec3_length(m->w_before);
    const double after = fender_vec3_length(fender_vec3_add(m->v, fender_vec3_cross(m->w, shape->p_BG))) +
                         radius * fender_vec3_length(m->w);
    const double most = before > after ? before : after;
    p.v = 2 * (p.v + most * most);
    return p;
}

static void hold_solids(fender_world *world, double length, fnd_sweep *sweep)
{
    assert(length > 0);
    const fnd_contact_model *model = &world->model;
    /* Common velocity of all moving bodies [m/s], so that results do not depend on the observer: that of the first
     * integrated body, or 0 if any body is immovable. */
    const fender_vec3 common = world->sweep_common ? model->bodies[world->dynamics.dynamic[0]].state.v
                                                   : fender_vec3_make(0, 0, 0);
    if (world->sweep_whole && all_slow(world, length, common)) return;
    int body = -1, k = -1;
    pace p = {0, 0};
    const bool parts = fnd_model_moves(model);
    if (parts) {
        fnd_model_move(model, world->time);
        fnd_parts_note_start(model->parts);
        fnd_model_move(model, world->time + length);
    }
    for (int i = 0; i < model->shape_count; i++) {
        const fnd_shape *shape = &model->shapes[i];
        const bool part = parts && model->bodies[shape->body].moving;
        if (!is_passed(shape) || !(moves(&model->bodies[shape->root]) || part)) continue;
        if (shape->root != body) {
            body = shape->root;
            k = place_of(&world->dynamics, body);
            if (k >= 0) p = pace_of(world, body, k, common);
        }
        const pace of_shape = part ? with_part(p, &model->bodies[shape->body], shape) : p;
        const fnd_leeway leeway = leeway_of(shape);
        if (k >= 0 && is_slow(&of_shape, &leeway, length)) continue;
        motion m;
        fnd_shape own;
        const fnd_shape *passing = carried(world, i, length, common, &m, &own);
        const double slow = 0.5 * SLOW * shape->geometry->thickness;
        if (way_of(&m, passing) <= slow) continue;
        for (int j = 0; j < model->shape_count; j++) {
            const fnd_shape *other = &model->shapes[j];
            if (!is_passed(other) || other->root == shape->root) continue;
            hold_pair(world, i, j, passing, &m, length, common, sweep);
        }
    }
}

fnd_sweep fnd_sweep_step(fender_world *world, double length)
{
    fnd_sweep sweep = {1, -1, -1, 0, 0};
    if (!world->dynamics.sweep_ready) note_leeways(world);
    hold_solids(world, length, &sweep);
    if (world->sweep_lines) hold_lines(world, length, &sweep);
    if (sweep.part < LEAST_STEP) sweep.part = LEAST_STEP;
    return sweep;
}
