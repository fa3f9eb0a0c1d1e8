/* Evaluation of links: force and torque between two mass points at one state. */
#include "dynamics/link.h"

#include "base/memory.h"
#include "math/elementary.h"
#include <float.h>

/* One end: its root, where it is and how it moves. */
typedef struct end {
    const fnd_frame *frame;
    fender_vec3 lever, velocity; /* from the root's centre of mass; of the point */
    fender_quaternion q;         /* point to world */
} end;

static end end_at(const fnd_contact_model *model, const fnd_frame *frames, const fnd_point *point)
{
    const fnd_body *body = &model->bodies[point->body];
    const fnd_frame *frame = &frames[body->root];
    fender_vec3 lever_B = fender_quaternion_rotate(body->q_RS, fender_vec3_sub(point->X_SP.p, body->root_center_S));
    end e = {.frame = frame, .lever = fender_mat3_times(&frame->R_WB, lever_B)};
    e.velocity = fender_vec3_add(frame->v, fender_vec3_cross(frame->w, e.lever));
    e.q = fender_quaternion_product(frame->q, fender_quaternion_product(body->q_RS, point->X_SP.q));
    return e;
}

/* How far a link that acts one way is within its range, and how hard it acts unless its force is cut off. */
static double range_of(const fender_link_spring_damper *p, double length)
{
    return p->acts == FENDER_LINK_PUSH ? p->free_length - length : length - p->free_length;
}
static double push_of(const fender_link_spring_damper *p, const fnd_link_value *v)
{
    double force = -p->stiffness * (v->length - p->free_length) - p->damping * v->rate;
    return p->acts == FENDER_LINK_PUSH ? force : -force;
}

static int mode_of(const fender_link_spring_damper *p, const fnd_link_value *v)
{
    if (p->acts == FENDER_LINK_BOTH) return FND_LINK_LOADED;
    if (!(range_of(p, v->length) > 0)) return FND_LINK_SLACK;
    return push_of(p, v) > 0 ? FND_LINK_LOADED : FND_LINK_CUT;
}

static void axial(const fender_link_spring_damper *p, fender_vec3 direction, fnd_link_value *v)
{
    if (v->mode == FND_LINK_SLACK) return;
    double extension = v->length - p->free_length, spring = -p->stiffness * extension;
    if (v->mode == FND_LINK_LOADED) v->force = spring - p->damping * v->rate;
    v->stored_energy = 0.5 * p->stiffness * extension * extension;
    v->damping_power = (spring - v->force) * v->rate; /* what the spring gives and the bodies do not get */
    v->force_on_b = fender_vec3_scale(v->force, direction);
}

static fender_vec3 each(fender_vec3 a, fender_vec3 b) { return fender_vec3_make(a.x * b.x, a.y * b.y, a.z * b.z); }

/* Rotation vector of a unit quaternion, below half a turn, and the factor g of fnd_bushing_torque. */
static fender_vec3 rotation_vector(fender_quaternion q, double *g)
{
    if (q.w < 0) q = (fender_quaternion){-q.w, -q.x, -q.y, -q.z};
    double s = sqrt(q.x * q.x + q.y * q.y + q.z * q.z), half = fnd_angle(s, q.w), square = 4 * half * half;
    if (square < 0.01) *g = 1.0 / 12 + square * (1.0 / 720 + square * (1.0 / 30240 + square / 1209600));
    else *g = (1.0 - half * q.w / s) / square;
    double factor = s > 1e-100 ? 2 * half / s : 2;
    return fender_vec3_make(factor * q.x, factor * q.y, factor * q.z);
}

static void bushing(const fender_link_spring_damper_6dof *p, const end *a, const end *b, fender_vec3 apart,
                    fnd_link_value *v)
{
    fender_mat3 R_WA = fender_quaternion_matrix(a->q);
    fender_vec3 lever = fender_vec3_add(a->lever, apart); /* of the common point, which is b, from the root of a */
    fender_vec3 moving = fender_vec3_sub(b->velocity,
                                         fender_vec3_add(a->frame->v, fender_vec3_cross(a->frame->w, lever)));
    fender_vec3 drift = fender_mat3_transpose_times(&R_WA, moving);
    fender_vec3 spin = fender_mat3_transpose_times(&R_WA, fender_vec3_sub(b->frame->w, a->frame->w));
    if (!v->acting) drift = spin = fender_vec3_make(0, 0, 0); /* rigidly joined */
    v->displacement = fender_vec3_sub(fender_mat3_transpose_times(&R_WA, apart), p->free_position);
    fender_quaternion turn = fender_quaternion_product(fender_quaternion_conjugate(a->q), b->q);
    if (p->facing) turn = fender_quaternion_product(turn, (fender_quaternion){0, 0, 0, -1});
    double g;
    fender_vec3 r = v->rotation = rotation_vector(turn, &g);
    fender_vec3 pull = each(p->stiffness, v->displacement), twist = each(p->angular_stiffness, r);
    v->stored_energy = 0.5 * (fender_vec3_dot(pull, v->displacement) + fender_vec3_dot(twist, r));
    fender_vec3 drag = each(p->damping, drift), brake = each(p->angular_damping, spin);
    v->damping_power = fender_vec3_dot(drag, drift) + fender_vec3_dot(brake, spin);
    /* dr/dt is not the spin: the torque that does the work of the spring is (1 + r x / 2 + g r x r x) twist */
    fender_vec3 across = fender_vec3_cross(r, twist);
    fender_vec3 torque = fender_vec3_add(fender_vec3_add_scaled(twist, 0.5, across),
                                         fender_vec3_scale(g, fender_vec3_cross(r, across)));
    fender_vec3 force_A = fender_vec3_negate(fender_vec3_add(pull, drag));
    v->force_on_b = fender_mat3_times(&R_WA, force_A);
    v->torque_on_b = fender_mat3_times(&R_WA, fender_vec3_negate(fender_vec3_add(torque, brake)));
    v->force = fender_vec3_length(force_A);
    v->lever_a = lever;
}

void fnd_link_evaluate(const fnd_link *link, const fnd_contact_model *model, const fnd_frame *frames, bool held,
                       fnd_link_value *v)
{
    const fnd_point *point_a = &model->points[link->point_a], *point_b = &model->points[link->point_b];
    const fnd_link_memory *memory = &link->memory;
    *v = (fnd_link_value){.root_a = model->bodies[point_a->body].root, .root_b = model->bodies[point_b->body].root};
    v->there = model->bodies[v->root_a].motion != FENDER_MOTION_MASS_ONLY &&
               model->bodies[v->root_b].motion != FENDER_MOTION_MASS_ONLY;
    if (!v->there) return;
    end a = end_at(model, frames, point_a), b = end_at(model, frames, point_b);
    /* positions are subtracted before anything is added */
    fender_vec3 apart = fender_vec3_add(fender_vec3_sub(b.frame->p, a.frame->p), fender_vec3_sub(b.lever, a.lever));
    v->lever_a = a.lever;
    v->lever_b = b.lever;
    v->length = fender_vec3_length(apart);
    fender_vec3 direction = v->length > 0 ? fender_vec3_scale(1.0 / v->length, apart)
                                          : fender_quaternion_rotate(a.q, fender_vec3_make(1, 0, 0));
    bool joined = v->root_a == v->root_b, alive = memory->active && !memory->spent && !memory->broken;
    /* between two immovable bodies nobody would give or take what it holds */
    alive = alive && (fnd_body_dynamic(&model->bodies[v->root_a]) || fnd_body_dynamic(&model->bodies[v->root_b]));
    if (!joined) v->rate = fender_vec3_dot(direction, fender_vec3_sub(b.velocity, a.velocity));
    v->acting = alive && !joined;
    if (!alive) return;
    v->mode = FND_LINK_LOADED;
    if (link->law == FENDER_LINK_SPRING_DAMPER) {
        int mode = mode_of(link->parameters, v);
        bool one_way = ((const fender_link_spring_damper *)link->parameters)->acts != FENDER_LINK_BOTH;
        v->mode = held && one_way ? memory->mode : mode;
        axial(link->parameters, direction, v);
    } else {
        bushing(link->parameters, &a, &b, apart, v);
    }
}

/* A limit is passed beyond rounding, so that the accepted state is beyond it too. */
static int add_limit(int count, int number, double limit, double size, fnd_link_root *roots)
{
    if (isinf(limit)) return count;
    roots[count] = (fnd_link_root){number, limit - size + 4 * DBL_EPSILON * limit, NAN};
    return count + 1;
}

int fnd_link_roots(const fnd_link *link, const fnd_link_value *v, double grain,
                   fnd_link_root roots[FND_LINK_ROOT_CAPACITY])
{
    enum { RANGE, PUSH, LIMIT, ANGULAR_LIMIT };
    int count = 0;
    if (!v->acting) return 0;
    if (link->law == FENDER_LINK_SPRING_DAMPER_6DOF) {
        const fender_link_spring_damper_6dof *p = link->parameters;
        count = add_limit(count, LIMIT, p->limit, v->force, roots);
        return add_limit(count, ANGULAR_LIMIT, p->angular_limit, fender_vec3_length(v->torque_on_b), roots);
    }
    const fender_link_spring_damper *p = link->parameters;
    if (p->acts != FENDER_LINK_BOTH) {
        double sense = v->mode == FND_LINK_SLACK ? -1 : 1, rate = p->acts == FENDER_LINK_PUSH ? -v->rate : v->rate;
        roots[count++] = (fnd_link_root){RANGE, sense * range_of(p, v->length) + grain, sense * rate};
        double push = v->mode == FND_LINK_CUT ? -push_of(p, v) : push_of(p, v);
        if (v->mode != FND_LINK_SLACK && p->damping > 0)
            roots[count++] = (fnd_link_root){PUSH, push + p->stiffness * grain, NAN};
    }
    return v->mode == FND_LINK_LOADED ? add_limit(count, LIMIT, p->limit, fabs(v->force), roots) : count;
}

fnd_link_fate fnd_link_judge(const fnd_link *link, const fnd_link_value *v)
{
    if (!v->there || !link->memory.active || link->memory.spent || link->memory.broken) return FND_LINK_GOES_ON;
    if (link->law == FENDER_LINK_SPRING_DAMPER_6DOF) {
        const fender_link_spring_damper_6dof *p = link->parameters;
        bool breaks = v->force > p->limit || fender_vec3_length(v->torque_on_b) > p->angular_limit;
        return breaks ? FND_LINK_BREAKS : FND_LINK_GOES_ON;
    }
    const fender_link_spring_damper *p = link->parameters;
    if (fabs(v->force) > p->limit) return FND_LINK_BREAKS;
    return p->spent_at_free_length && link->memory.mode != FND_LINK_SLACK && v->mode == FND_LINK_SLACK
               ? FND_LINK_SPENT
               : FND_LINK_GOES_ON;
}

void fnd_link_release(const fender_env *env, fnd_link *link)
{
    const fender_field_table *table = fender_link_law_parameters(link->law);
    fnd_release(env, link->parameters, table->size);
    fnd_text_release(env, link->name);
    *link = (fnd_link){0};
}
