/* Springs that hold the locked directions of joints, and the step that they need. */
#include "model_import/link_springs.h"

#include <fender/advice.h>

#include <math.h>

static const double LINK_RATE = 100;  /* rad/s, of the locked directions of links */
static const double LINK_STEP = 1e-4; /* s; with it RK4 follows them, also where light parts hang on heavy ones */

/* Reduced inertia of two clusters about a point and the axes of a frame in the world. */
static void inertia_at(const fnd_model_body *c, fender_pose frame, double about[3])
{
    fender_vec3 r = fender_vec3_sub(c->cluster_center, frame.p);
    fender_mat3 turned = fnd_model_turn_inertia(fender_quaternion_conjugate(frame.q), &c->cluster_inertia);
    fender_vec3 d = fender_quaternion_rotate(fender_quaternion_conjugate(frame.q), r);
    const double square = fender_vec3_dot(d, d), components[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; i++) about[i] = turned.m[i][i] + c->cluster_mass * (square - components[i] * components[i]);
}

fnd_model_link_springs fnd_model_springs_of(const fnd_model_body *b)
{
    fender_pose frame;
    bool slides[3];
    fnd_model_link_springs s;
    const fnd_model_body *c = b, *up = b->parent->cluster;
    (void)fnd_model_joint_frame(b, &frame, slides, s.turns);
    s.frame = fender_pose_product(b->world, frame);
    /* dampers about axes that stay with the inertia that they are made for; a slide keeps its direction */
    s.by_child = !slides[0] && !slides[1] && !slides[2];
    if (!s.by_child) s.frame.q = fender_quaternion_product(b->parent->world.q, b->ends[0]->pose.q);
    fender_mat3 axes = fender_quaternion_matrix(frame.q);
    double own[3], other[3], rate = LINK_RATE, mass = fnd_model_reduced_mass(c, up);
    inertia_at(c, s.frame, own);
    inertia_at(up, s.frame, other);
    for (int i = 0; i < 3; i++) {
        double inertia = up->fixed ? own[i] : own[i] * other[i] / (own[i] + other[i]);
        s.k[i] = slides[i] ? 0 : mass * rate * rate;
        s.damping[i] = slides[i] ? 0 : 2 * mass * rate;
        s.kr[i] = s.turns[i] ? 0 : inertia * rate * rate;
        s.cr[i] = s.turns[i] ? 0 : 2 * inertia * rate;
    }
    for (const fnd_model_joint *j = b->joints; j; j = j->next)
        for (int i = 0; i < 3; i++) {
            bool along = fabs(fender_vec3_dot(fender_mat3_column(&axes, i), j->axis)) > 0.99;
            if (j->kind == FND_MODEL_BALL || (along && j->kind != FND_MODEL_SLIDE)) {
                s.kr[i] += j->stiffness;
                s.cr[i] += j->damping;
            } else if (along) {
                s.k[i] += j->stiffness;
                s.damping[i] += j->damping;
            }
        }
    return s;
}

/* The angular acceleration by a torque: of I x = torque, by Cramer's rule. */
static fender_vec3 turned_by(const fender_mat3 *inertia, fender_vec3 torque)
{
    const fender_vec3 a = fender_mat3_column(inertia, 0), b = fender_mat3_column(inertia, 1),
                      c = fender_mat3_column(inertia, 2);
    const fender_vec3 bc = fender_vec3_cross(b, c);
    const double whole = fender_vec3_dot(a, bc);
    if (!(whole > 0)) return fender_vec3_make(0, 0, 0);
    return fender_vec3_scale(1 / whole, fender_vec3_make(fender_vec3_dot(bc, torque),
                                                         fender_vec3_dot(fender_vec3_cross(c, a), torque),
                                                         fender_vec3_dot(fender_vec3_cross(a, b), torque)));
}

/* How a cluster gives way at a joint: per force along, and per torque about, axes of the joint. */
typedef struct mobility {
    fender_mat3 shift, turn; /* 1/kg, 1/(kg m^2) */
} mobility;

static mobility mobility_of(const fnd_model_body *c, fender_pose frame)
{
    mobility m = {{{{0}}}, {{{0}}}};
    const fender_mat3 axes = fender_quaternion_matrix(frame.q);
    const fender_vec3 out = fender_vec3_sub(frame.p, c->cluster_center);
    for (int i = 0; i < 3 && !c->fixed; i++)
        for (int k = 0; k < 3; k++) {
            const fender_vec3 x = fender_mat3_column(&axes, i), y = fender_mat3_column(&axes, k);
            const fender_vec3 arm = fender_vec3_cross(out, x), other = fender_vec3_cross(out, y);
            m.shift.m[i][k] = (i == k ? 1 / c->cluster_mass : 0) +
                              fender_vec3_dot(arm, turned_by(&c->cluster_inertia, other));
            m.turn.m[i][k] = fender_vec3_dot(x, turned_by(&c->cluster_inertia, y));
        }
    return m;
}

/* The largest that it is along an axis while the cluster turns about the free ones. */
static double while_turning(const fender_mat3 *m, const bool turns[3], int axis)
{
    const int count = turns[0] + turns[1] + turns[2], free = turns[0] ? 0 : turns[1] ? 1 : 2;
    if (count == 0 || (count == 1 && axis == free)) return m->m[axis][axis];
    if (count == 1) {
        const int i = (free + 1) % 3, k = (free + 2) % 3;
        const double middle = 0.5 * (m->m[i][i] + m->m[k][k]), half = 0.5 * (m->m[i][i] - m->m[k][k]);
        return middle + sqrt(half * half + m->m[i][k] * m->m[i][k]);
    }
    const fender_vec3 all = fender_principal_moments(m);
    return all.x > all.y ? (all.x > all.z ? all.x : all.z) : all.y > all.z ? all.y : all.z;
}

/* Half of the longest stable step of a spring and a damper. */
static double half_of(double stiffness, double damping, double give, double damping_give)
{
    const double frequency = sqrt(stiffness * give);
    if (!(frequency > 0)) return INFINITY;
    return 0.5 *
           fender_integrator_stable_step(FENDER_INTEGRATOR_RK4, frequency, damping * damping_give / (2 * frequency));
}

static double least_of(double a, double b) { return a < b ? a : b; }

/* At most half of what is stable at a link by itself, however far its joint has turned: bodies give way by turning
 * about their centres of mass. The rotation vector r of a joint that has turned by half a turn changes by up to pi / 2
 * of a small rotation, along any locked axis: the stiffest spring may act about the axis that gives way most. That of a
 * hinge does not, which leaves a reserve. */
static double step_of_link(const fnd_model_body *b)
{
    const fnd_model_link_springs s = fnd_model_springs_of(b);
    const bool swinging = s.turns[0] || s.turns[1] || s.turns[2];
    const mobility child = mobility_of(b, s.frame), parent = mobility_of(b->parent->cluster, s.frame);
    const mobility *owner = s.by_child ? &child : &parent, *other = s.by_child ? &parent : &child;
    double longest = INFINITY, stiffest = 0;
    for (int i = 0; i < 3; i++)
        if (!s.turns[i] && s.kr[i] > stiffest) stiffest = s.kr[i];
    for (int i = 0; i < 3; i++) {
        const double shift = owner->shift.m[i][i] + while_turning(&other->shift, s.turns, i);
        const double turn = owner->turn.m[i][i] + while_turning(&other->turn, s.turns, i);
        longest = least_of(longest, half_of(s.k[i], s.damping[i], shift, shift));
        if (!swinging || s.turns[i]) {
            longest = least_of(longest, half_of(s.kr[i], s.cr[i], turn, turn));
            continue;
        }
        const double give = while_turning(&owner->turn, s.turns, i) + while_turning(&other->turn, s.turns, i);
        longest = least_of(longest, half_of(2.4674011 * stiffest, s.cr[i], give, turn)); /* (pi / 2)^2 */
    }
    return longest;
}

double fnd_model_step_of_links(const fnd_model *model)
{
    const double usual = model->step < LINK_STEP ? model->step : LINK_STEP;
    double longest = usual;
    for (const fnd_model_body *b = model->bodies; b; b = b->next)
        if (b->link) longest = least_of(longest, step_of_link(b));
    if (!(longest < usual)) return longest;
    const double power = pow(10, -floor(log10(longest))), digits = longest * power;
    return (digits >= 5 ? 5 : digits >= 2 ? 2 : 1) / power;
}
