/* Derivatives of the wrench of one contact: geometry and kinematics in closed form, laws by their own derivatives.
 *
 * A ball touches another shape at the nearest point of that shape to the ball's centre. Where the centre moves by u
 * relative to the other shape (which takes its normal along when it turns) the depth changes by -n.u, and the outward
 * normal n of the other shape by B u. B = 0 on a plane, (1 - n n^T) / |centres| between balls. On grids and meshes it
 * is 0 above a face, and of a cylinder or a sphere about an edge or a corner: it is found by differences of the
 * query, which is a function of that displacement alone. */
#include "contact/tangent.h"

#include "base/memory.h"
#include <assert.h>
#include <float.h>

/* Of the ball's radius, or of its distance from the surface: displacement of differences, halved once. */
#define DIFFERENCE 4e-4
/* Both differences agree to this part where the normal is a smooth function. */
#define AGREEMENT 1e-5

static fender_vec3 sum3(fender_vec3 a, fender_vec3 b, fender_vec3 c)
{
    return fender_vec3_add(fender_vec3_add(a, b), c);
}

/* x, y, z of C to W */
static fender_vec3 to_world(const fnd_contact_tangent *t, fender_vec3 v)
{
    return sum3(fender_vec3_scale(v.x, t->across), fender_vec3_scale(v.y, t->third), fender_vec3_scale(v.z, t->normal));
}

/* ---- Laws */

/* Adds `part` of the derivative of one law to that of the contact. */
static void add(fender_contact_derivative *sum, double part, const fender_contact_derivative *one, bool force)
{
    if (force) sum->force = fender_vec3_add_scaled(sum->force, part, one->force);
    sum->torque = fender_vec3_add_scaled(sum->torque, part, one->torque);
}

/* The load by which friction is differentiated. Stages of a step that ends where the normal law lets go may see its
 * continuation beyond that, of the other sign, on the far side of the kink of |N|. */
static double load_of(const fnd_slot *slot, const fender_contact_input *in, const void *memory, double normal)
{
    double roots[FENDER_LAW_ROOT_CAPACITY] = {0};
    if (normal == 0) return DBL_MIN;
    if (!in->located || normal > 0 || slot->law->root_count == 0) return normal;
    slot->law->roots(slot->parameters, in, memory, roots);
    for (int i = 0; i < slot->law->root_count; i++)
        if (!(roots[i] > 0)) return -normal;
    return normal;
}

/* Derivatives of all laws together, weighted; as fnd_contact_force adds them up. */
static const char *differentiate_laws(const fnd_contact_type *type, const unsigned char *memory, const fnd_contact *c,
                                      fnd_contact_tangent *t)
{
    fender_contact_derivative one[FENDER_LAW_VARIABLE_COUNT];
    fender_contact_input in = c->in;
    for (int v = 0; v < FENDER_LAW_BY_NORMAL_FORCE; v++) t->by[v] = (fender_contact_derivative){{0, 0, 0}, {0, 0, 0}};
    in.normal_force = 0;
    double normal_by[FENDER_LAW_BY_NORMAL_FORCE] = {0}, normal_by_approach = 0;
    t->by_approach = (fender_contact_derivative){{0, 0, 0}, {0, 0, 0}};
    t->approach = NULL;
    for (int i = 0; i < type->slot_count; i++) {
        const fnd_slot *slot = &type->slots[i];
        if (!slot->law) continue;
        if (slot->law->state_count > 0) return "its law has a history";
        if (!slot->law->derivative) return "its law has no derivatives";
        for (int v = 0; v < FENDER_LAW_VARIABLE_COUNT; v++) one[v] = (fender_contact_derivative){{0, 0, 0}, {0, 0, 0}};
        slot->law->derivative(slot->parameters, &in, memory + slot->memory_offset, one);
        const bool primary = i == FND_SLOT_PRIMARY, force = primary || i == FND_SLOT_FRICTION;
        for (int v = 0; v < FENDER_LAW_BY_NORMAL_FORCE; v++) {
            add(&t->by[v], c->in.weight, &one[v], force);
            if (!primary) add(&t->by[v], c->in.weight * normal_by[v], &one[FENDER_LAW_BY_NORMAL_FORCE], force);
        }
        add(&t->by_approach, c->in.weight, &one[FENDER_LAW_BY_APPROACH_SPEED], force);
        if (!primary) {
            add(&t->by_approach, c->in.weight * normal_by_approach, &one[FENDER_LAW_BY_NORMAL_FORCE], force);
            continue;
        }
        normal_by_approach = one[FENDER_LAW_BY_APPROACH_SPEED].force.z;
        fender_contact_output out = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0};
        slot->law->force(slot->parameters, &in, memory, &out);
        for (int v = 0; v < FENDER_LAW_BY_NORMAL_FORCE; v++) normal_by[v] = one[v].force.z;
        in.normal_force = load_of(slot, &in, memory, out.force.z);
    }
    const fender_contact_derivative *by = &t->by_approach;
    t->remembers = fender_vec3_dot(by->force, by->force) > 0 || fender_vec3_dot(by->torque, by->torque) > 0;
    return NULL;
}

/* ---- Geometry */

/* The contact with the key of `c`, with the frame of the ball's body displaced by u. */
static bool displaced(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                      const fnd_frame *frames, const fnd_contact *c, const fnd_contact_tangent *t, fender_vec3 u,
                      fnd_contact *out)
{
    fnd_frame a = frames[c->body_a], b = frames[c->body_b];
    fnd_frame *moved = t->ball_is_b ? &b : &a;
    moved->p = fender_vec3_add(moved->p, u);
    return fnd_contact_probe_key(env, set, model, &a, &b, &c->key, c->type, out);
}

static fender_vec3 axis(int i, double length)
{
    return fender_vec3_make(i == 0 ? length : 0, i == 1 ? length : 0, i == 2 ? length : 0);
}

/* Bend of the outward normal and change of the weight on a surface, by differences. */
static const char *differentiate_surface(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                                         const fnd_frame *frames, const fnd_contact *c, fnd_contact_tangent *t)
{
    const double sign = t->ball_is_b ? 1 : -1, size = t->way + 0.5 * fabs(c->in.depth);
    const double h = DIFFERENCE * size;
    if (!(c->in.weight > 0)) return NULL; /* no force */
    if (!(h > 0)) return "it is a point on a grid or mesh";
    for (int i = 0; i < 3; i++) {
        fender_vec3 slope[2];
        double weight[2];
        for (int k = 0; k < 2; k++) {
            const double step = k == 0 ? h : 0.5 * h;
            fnd_contact ahead, behind;
            if (!displaced(env, set, model, frames, c, t, axis(i, step), &ahead) ||
                !displaced(env, set, model, frames, c, t, axis(i, -step), &behind))
                return set->out_of_memory ? "there is no memory" : "its place on the surface is about to end";
            slope[k] = fender_vec3_scale(0.5 * sign / step, fender_vec3_sub(ahead.normal, behind.normal));
            weight[k] = 0.5 * (ahead.in.weight - behind.in.weight) / (step * c->in.weight);
        }
        const fender_vec3 off = fender_vec3_sub(slope[1], slope[0]);
        if (fender_vec3_length(off) * size > AGREEMENT || fabs(weight[1] - weight[0]) * size > AGREEMENT)
            return "the normal of the surface is not smooth there: the ball passes the border of a face";
        const fender_vec3 best = fender_vec3_add_scaled(slope[1], 1.0 / 3, off);
        t->bend.m[0][i] = best.x;
        t->bend.m[1][i] = best.y;
        t->bend.m[2][i] = best.z;
        const double best_weight = weight[1] + (weight[1] - weight[0]) / 3;
        if (i == 0) t->weight_by.x = best_weight;
        else if (i == 1) t->weight_by.y = best_weight;
        else t->weight_by.z = best_weight;
    }
    return NULL;
}

static const char *differentiate_geometry(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                                          const fnd_frame *frames, const fnd_contact *c, fnd_contact_tangent *t)
{
    const fnd_candidate pair = fnd_candidate_of(model, c->key.a, c->key.b, c->type);
    const fnd_shape *a = &model->shapes[c->key.a], *b = &model->shapes[c->key.b];
    if (pair.family == FND_FAMILY_OTHER) return "its shapes are not a ball and a ball, plane, grid or mesh";
    t->ball_is_b = pair.family == FND_FAMILY_BALLS || pair.family == FND_FAMILY_PLANE_BALL ||
                   pair.family == FND_FAMILY_SURFACE_BALL;
    const fnd_shape *ball = t->ball_is_b ? b : a;
    const fnd_frame *frame = &frames[t->ball_is_b ? c->body_b : c->body_a];
    t->arm = fender_mat3_times(&frame->R_WB, ball->p_BG);
    t->to_point = fender_vec3_sub(t->ball_is_b ? c->lever_b : c->lever_a, t->arm);
    t->way = ball->geometry->radius - 0.5 * c->in.depth;
    t->bend = (fender_mat3){{{0}}};
    t->weight_by = (fender_vec3){0, 0, 0};
    if (pair.family == FND_FAMILY_BALL_SURFACE || pair.family == FND_FAMILY_SURFACE_BALL)
        return differentiate_surface(env, set, model, frames, c, t);
    if (pair.family != FND_FAMILY_BALLS) return NULL;
    const double apart = a->geometry->radius + b->geometry->radius - c->in.depth;
    const double n[3] = {c->normal.x, c->normal.y, c->normal.z};
    if (!(apart > 0)) return "the centres of both balls are in one place";
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) t->bend.m[i][k] = ((i == k) - n[i] * n[k]) / apart;
    return NULL;
}

/* ---- The contact */

const char *fnd_contact_tangent_make(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                                     const fnd_frame *frames, const fnd_contact *c, fnd_contact_tangent *t)
{
    assert(c->body_a >= 0 && c->body_b < model->body_count);
    const fnd_contact_type *type = &model->types[c->type];
    if (c->probe || c->gain != 1) return "a probe sees the surface along a line";
    if (c->driven) return "the surface of a shape moves";
    if (type->is_prescribed) return "its force is prescribed as a function of time";
    const fnd_frame *frame_a = &frames[c->body_a], *frame_b = &frames[c->body_b];
    t->body_a = c->body_a;
    t->body_b = c->body_b;
    t->normal = c->normal;
    t->across = c->tangent;
    t->third = fender_vec3_cross(c->normal, c->tangent);
    t->lever_a = c->lever_a;
    t->lever_b = c->lever_b;
    t->w_a = frame_a->w;
    t->w_b = frame_b->w;
    t->spin = fender_vec3_sub(frame_b->w, frame_a->w);
    t->motion = fender_vec3_sub(fender_vec3_add(frame_b->v, fender_vec3_cross(frame_b->w, c->lever_b)),
                                fender_vec3_add(frame_a->v, fender_vec3_cross(frame_a->w, c->lever_a)));
    t->force = c->force;
    t->torque = c->torque;
    const unsigned char *memory = set->scratch_memory;
    if (c->record >= 0) memory = fnd_record_memory(&set->records, c->record);
    else fnd_contact_begin(type, c, set->scratch_memory);
    const char *reason = differentiate_laws(type, memory, c, t);
    return reason ? reason : differentiate_geometry(env, set, model, frames, c, t);
}

/* C turns with the least rotation of its normal. How it turns about the normal does not matter, because laws with
 * derivatives do not know how x and y lie. */
fnd_wrench_change fnd_contact_tangent_apply(const fnd_contact_tangent *t, const fnd_frame_change *a,
                                            const fnd_frame_change *b, int column)
{
    const double sign = t->ball_is_b ? 1 : -1; /* of n, the outward normal of the other shape */
    const fnd_frame_change *ball = t->ball_is_b ? b : a, *other = t->ball_is_b ? a : b;
    /* from the other body's centre of mass to the ball's centre */
    const fender_vec3 arm = fender_vec3_sub(t->ball_is_b ? t->lever_a : t->lever_b, t->to_point);
    const fender_vec3 center = fender_vec3_add(ball->p, fender_vec3_cross(ball->turn, t->arm));
    const fender_vec3 u = fender_vec3_sub(center, fender_vec3_add(other->p, fender_vec3_cross(other->turn, arm)));
    const double depth = -sign * fender_vec3_dot(t->normal, u);
    const fender_vec3 normal = fender_vec3_add_scaled(fender_vec3_cross(other->turn, t->normal), sign,
                                                      fender_mat3_times(&t->bend, u));
    /* the common point: centre - sign (r - d/2) n */
    fender_vec3 point = fender_vec3_add_scaled(center, -sign * t->way, normal);
    point = fender_vec3_add_scaled(point, 0.5 * sign * depth, t->normal);
    fnd_wrench_change change;
    change.lever_a = fender_vec3_sub(point, a->p);
    change.lever_b = fender_vec3_sub(point, b->p);
    const fender_vec3 of_a = sum3(a->v, fender_vec3_cross(a->w, t->lever_a), fender_vec3_cross(t->w_a, change.lever_a));
    const fender_vec3 of_b = sum3(b->v, fender_vec3_cross(b->w, t->lever_b), fender_vec3_cross(t->w_b, change.lever_b));
    const fender_vec3 motion = fender_vec3_sub(of_b, of_a), spin = fender_vec3_sub(b->w, a->w);
    const fender_vec3 turn = fender_vec3_cross(t->normal, normal); /* of C */
    /* components in C: those of the change, as C sees it */
    const fender_vec3 seen = fender_vec3_sub(motion, fender_vec3_cross(turn, t->motion));
    const fender_vec3 seen_spin = fender_vec3_sub(spin, fender_vec3_cross(turn, t->spin));
    const double by[FENDER_LAW_BY_NORMAL_FORCE] = {[FENDER_LAW_BY_DEPTH] = depth,
                                                   [FENDER_LAW_BY_DEPTH_RATE] = -fender_vec3_dot(t->normal, seen),
                                                   [FENDER_LAW_BY_SLIP_X] = fender_vec3_dot(t->across, seen),
                                                   [FENDER_LAW_BY_SLIP_Y] = fender_vec3_dot(t->third, seen),
                                                   [FENDER_LAW_BY_SPIN_X] = fender_vec3_dot(t->across, seen_spin),
                                                   [FENDER_LAW_BY_SPIN_Y] = fender_vec3_dot(t->third, seen_spin),
                                                   [FENDER_LAW_BY_SPIN_Z] = fender_vec3_dot(t->normal, seen_spin)};
    fender_vec3 force = {0, 0, 0}, torque = {0, 0, 0};
    for (int v = 0; v < FENDER_LAW_BY_NORMAL_FORCE; v++) {
        force = fender_vec3_add_scaled(force, by[v], t->by[v].force);
        torque = fender_vec3_add_scaled(torque, by[v], t->by[v].torque);
    }
    if (t->approach) {
        force = fender_vec3_add_scaled(force, t->approach[column], t->by_approach.force);
        torque = fender_vec3_add_scaled(torque, t->approach[column], t->by_approach.torque);
    }
    change.depth_rate = by[FENDER_LAW_BY_DEPTH_RATE];
    const double weight = fender_vec3_dot(t->weight_by, u);
    change.force = fender_vec3_add_scaled(fender_vec3_add(to_world(t, force), fender_vec3_cross(turn, t->force)),
                                          weight, t->force);
    change.torque = fender_vec3_add_scaled(fender_vec3_add(to_world(t, torque), fender_vec3_cross(turn, t->torque)),
                                           weight, t->torque);
    return change;
}

double fnd_separation_change(const fnd_contact *nearest, const fnd_frame_change *a, const fnd_frame_change *b)
{
    const fender_vec3 of_a = fender_vec3_add(a->p, fender_vec3_cross(a->turn, nearest->lever_a));
    const fender_vec3 of_b = fender_vec3_add(b->p, fender_vec3_cross(b->turn, nearest->lever_b));
    return fender_vec3_dot(nearest->normal, fender_vec3_sub(of_b, of_a));
}

double fnd_contact_force_at_touch(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                                  int type, const fnd_contact *nearest)
{
    const fnd_contact_type *of = &model->types[type];
    fnd_contact c = *nearest;
    fender_contact_surface surface;
    c.in.depth = 0;
    c.in.weight = 1;
    c.in.located = false; /* as it is clipped */
    c.in.approach_speed = c.in.depth_rate > 0 ? c.in.depth_rate : 0;
    c.in.states = NULL;
    if (of->sees_surface) fnd_contact_surface_see(model, &frames[c.body_a], &frames[c.body_b], &c, &surface);
    fnd_contact_begin(of, &c, set->scratch_memory);
    fnd_contact_force(of, set->scratch_memory, fnd_memory_states(of, set->scratch_memory), &c);
    return c.strength;
}
