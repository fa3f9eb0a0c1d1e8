/* Springs and dampers along and about three axes: bushing, and the latch, which is open or a bushing where it caught.
 */
#include "dynamics/link.h"

#include "math/elementary.h"

static fender_vec3 each(fender_vec3 a, fender_vec3 b) { return fender_vec3_make(a.x * b.x, a.y * b.y, a.z * b.z); }

/* Rotation vector of a unit quaternion, below half a turn, and the factor g of the torque. */
static fender_vec3 rotation_vector(fender_quaternion q, double *g)
{
    if (q.w < 0) q = (fender_quaternion){-q.w, -q.x, -q.y, -q.z};
    double s = sqrt(q.x * q.x + q.y * q.y + q.z * q.z), half = fnd_angle(s, q.w), square = 4 * half * half;
    if (square < 0.01) *g = 1.0 / 12 + square * (1.0 / 720 + square * (1.0 / 30240 + square / 1209600));
    else *g = (1.0 - half * q.w / s) / square;
    double factor = s > 1e-100 ? 2 * half / s : 2;
    return fender_vec3_make(factor * q.x, factor * q.y, factor * q.z);
}

/* What both have in common; the turn is that of the unloaded axes of b in those of a. */
typedef struct bushing {
    const fender_vec3 *stiffness, *damping, *angular_stiffness, *angular_damping;
    fender_vec3 free_position;
    fender_quaternion free_turn;
    double limit, angular_limit;
} bushing;

static fender_quaternion aligned_turn(bool facing)
{
    return facing ? (fender_quaternion){0, 0, 0, 1} : (fender_quaternion){1, 0, 0, 0};
}

static bushing bushing_of(const fnd_link *link)
{
    if (link->law == FENDER_LINK_LATCH) {
        const fender_link_latch *p = link->parameters;
        return (bushing){&p->stiffness,
                         &p->damping,
                         &p->angular_stiffness,
                         &p->angular_damping,
                         link->memory.caught_position,
                         link->memory.caught_turn,
                         p->limit,
                         p->angular_limit};
    }
    const fender_link_spring_damper_6dof *p = link->parameters;
    return (bushing){&p->stiffness,           &p->damping, &p->angular_stiffness, &p->angular_damping, p->free_position,
                     aligned_turn(p->facing), p->limit,    p->angular_limit};
}

/* An open latch: the largest of what is asked of the points, each less its limit as a part of it. */
static void measure_opening(const fender_link_latch *p, fnd_link_value *v)
{
    double g;
    fender_quaternion off = fender_quaternion_product(v->turn, fender_quaternion_conjugate(aligned_turn(p->facing)));
    const double asked[] = {v->length, fender_vec3_length(rotation_vector(off, &g)), v->speed};
    const double limits[] = {p->distance, p->angle, p->speed};
    v->opening = -1;
    for (int i = 0; i < 3; i++) {
        double over = isinf(limits[i]) ? -1 : limits[i] > 0 ? asked[i] / limits[i] - 1 : asked[i];
        if (over > v->opening) v->opening = over;
    }
}

void fnd_bushing_evaluate(const fnd_link *link, const fnd_link_end *a, const fnd_link_end *b, fender_vec3 apart,
                          fnd_link_value *v)
{
    fender_mat3 R_WA = fender_quaternion_matrix(a->q);
    fender_vec3 relative = fender_vec3_sub(b->velocity, a->velocity);
    v->speed = fender_vec3_length(relative);
    v->position = fender_mat3_transpose_times(&R_WA, apart);
    v->turn = fender_quaternion_product(fender_quaternion_conjugate(a->q), b->q);
    v->mode = FND_LINK_LOADED;
    if (link->law == FENDER_LINK_LATCH && !link->memory.captured) {
        v->mode = FND_LINK_SLACK;
        measure_opening(link->parameters, v);
        v->acting = false;
        return;
    }
    const bushing p = bushing_of(link);
    fender_vec3 lever = fender_vec3_add(a->lever, apart); /* of the common point, which is b, from the root of a */
    fender_vec3 moving = fender_vec3_sub(b->velocity,
                                         fender_vec3_add(a->frame->v, fender_vec3_cross(a->frame->w, lever)));
    fender_vec3 drift = fender_mat3_transpose_times(&R_WA, moving);
    fender_vec3 spin = fender_mat3_transpose_times(&R_WA, fender_vec3_sub(b->frame->w, a->frame->w));
    if (!v->acting) drift = spin = fender_vec3_make(0, 0, 0); /* rigidly joined */
    v->displacement = fender_vec3_sub(v->position, p.free_position);
    fender_quaternion turn = fender_quaternion_product(v->turn, fender_quaternion_conjugate(p.free_turn));
    double g;
    fender_vec3 r = v->rotation = rotation_vector(turn, &g);
    fender_vec3 pull = each(*p.stiffness, v->displacement), twist = each(*p.angular_stiffness, r);
    v->stored_energy = 0.5 * (fender_vec3_dot(pull, v->displacement) + fender_vec3_dot(twist, r));
    fender_vec3 drag = each(*p.damping, drift), brake = each(*p.angular_damping, spin);
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

int fnd_bushing_roots(const fnd_link *link, const fnd_link_value *v, fnd_link_root *roots)
{
    enum { LIMIT, ANGULAR_LIMIT, OPENING };
    if (link->law == FENDER_LINK_LATCH && !link->memory.captured) {
        roots[0] = (fnd_link_root){OPENING, v->opening, NAN};
        return 1;
    }
    const bushing p = bushing_of(link);
    int count = fnd_link_add_limit(0, LIMIT, p.limit, v->force, roots);
    return fnd_link_add_limit(count, ANGULAR_LIMIT, p.angular_limit, fender_vec3_length(v->torque_on_b), roots);
}

fnd_link_fate fnd_bushing_judge(const fnd_link *link, const fnd_link_value *v)
{
    if (link->law == FENDER_LINK_LATCH && !link->memory.captured)
        return v->alive && v->root_a != v->root_b && !(v->opening > 0) ? FND_LINK_CATCHES : FND_LINK_GOES_ON;
    const bushing p = bushing_of(link);
    bool breaks = v->force > p.limit || fender_vec3_length(v->torque_on_b) > p.angular_limit;
    return breaks ? FND_LINK_BREAKS : FND_LINK_GOES_ON;
}
