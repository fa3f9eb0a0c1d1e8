/* Springs that hold the locked directions of joints, and the step that they need. */
#include "model_import/link_springs.h"

#include "model_import/contact_types.h"
#include "model_import/mobility.h"

#include <fender/advice.h>

#include <math.h>

static const double LINK_RATE = 100;   /* rad/s, of the locked directions of links */
static const double STIFFER = 5;       /* times the rate of the springs of the joint, up to: */
static const double MOST_RATE = 1000;  /* rad/s */
static const double HEAVIEST = 100;    /* times the lighter part, so that the step remains practical */
static const double RK4_DECAY = 2.785; /* longest stable step of a damper by itself, by its rate */
static const double LINK_STEP = 1e-4;  /* s; with it RK4 follows them, also where light parts hang on heavy ones */

/* Reduced inertia of two clusters about a point and the axes of a frame in the world. */
static void inertia_at(const fnd_model_body *c, fender_pose frame, double about[3])
{
    fender_vec3 r = fender_vec3_sub(c->cluster_center, frame.p);
    fender_mat3 turned = fnd_model_turn_inertia(fender_quaternion_conjugate(frame.q), &c->cluster_inertia);
    fender_vec3 d = fender_quaternion_rotate(fender_quaternion_conjugate(frame.q), r);
    const double square = fender_vec3_dot(d, d), components[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; i++) about[i] = turned.m[i][i] + c->cluster_mass * (square - components[i] * components[i]);
}

/* What the locked directions of a link hold: the lighter of the two parts; where the part beyond stands on the ground,
 * what rests on it. */
static double mass_held(const fnd_model_body *b, fender_vec3 point)
{
    const fnd_model_body *up = b->parent->cluster;
    const double mass = fnd_model_reduced_mass(b, up);
    if (!b->stands || up->fixed) return mass;
    return fmax(mass, fmin(fnd_model_mass_met(up, point), HEAVIEST * mass));
}

/* Adds the springs and dampers of the joints themselves. */
static void add_joints(fnd_model_link_springs *s, const fnd_model_body *b, const fender_mat3 *axes)
{
    for (const fnd_model_joint *j = b->joints; j; j = j->next)
        for (int i = 0; i < 3; i++) {
            bool along = fabs(fender_vec3_dot(fender_mat3_column(axes, i), j->axis)) > 0.99;
            if (j->kind == FND_MODEL_BALL || (along && j->kind != FND_MODEL_SLIDE)) {
                s->kr[i] += j->stiffness;
                s->cr[i] += j->damping;
            } else if (along) {
                s->k[i] += j->stiffness;
                s->damping[i] += j->damping;
            }
        }
}

/* Locked directions must follow the fastest spring of the joints. */
static double locked_rate(const fnd_model_link_springs *s, double mass, const double inertia[3])
{
    double square = 0;
    for (int i = 0; i < 3; i++) square = fmax(square, fmax(s->k[i] / mass, s->kr[i] / inertia[i]));
    return fmin(fmax(LINK_RATE, STIFFER * sqrt(square)), MOST_RATE);
}

fnd_model_link_springs fnd_model_springs_of(const fnd_model_body *b)
{
    fender_pose frame; /* of the joints in the body */
    bool slides[3];
    fnd_model_link_springs s = {.by_child = true};
    const fnd_model_body *c = b, *up = b->parent->cluster;
    double own[3], other[3];
    (void)fnd_model_joint_frame(b, &frame, slides, s.turns);
    s.frame = fnd_model_link_frame(b, slides, s.turns);
    /* dampers about axes that stay with the inertia that they are made for; a slide keeps its direction */
    s.by_child = !slides[0] && !slides[1] && !slides[2];
    const fender_mat3 axes = fender_quaternion_matrix(frame.q);
    inertia_at(c, s.frame, own);
    inertia_at(up, s.frame, other);
    for (int i = 0; i < 3 && !up->fixed; i++) own[i] *= other[i] / (own[i] + other[i]);
    add_joints(&s, b, &axes);
    const double mass = mass_held(b, s.frame.p), rate = locked_rate(&s, fnd_model_reduced_mass(c, up), own);
    for (int i = 0; i < 3; i++) {
        s.k[i] += slides[i] ? 0 : mass * rate * rate;
        s.damping[i] += slides[i] ? 0 : 2 * mass * rate;
        s.kr[i] += s.turns[i] ? 0 : own[i] * rate * rate;
        s.cr[i] += s.turns[i] ? 0 : 2 * own[i] * rate;
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

double fnd_model_half_of_stable(double stiffness, double damping, double give, double damping_give)
{
    const double frequency = sqrt(stiffness * give), decay = damping * damping_give;
    if (!(frequency > 0)) return decay > 0 ? 0.5 * RK4_DECAY / decay : INFINITY;
    return 0.5 * fender_integrator_stable_step(FENDER_INTEGRATOR_RK4, frequency, decay / (2 * frequency));
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
        longest = least_of(longest, fnd_model_half_of_stable(s.k[i], s.damping[i], shift, shift));
        if (!swinging || s.turns[i]) {
            longest = least_of(longest, fnd_model_half_of_stable(s.kr[i], s.cr[i], turn, turn));
            continue;
        }
        const double give = while_turning(&owner->turn, s.turns, i) + while_turning(&other->turn, s.turns, i);
        longest = least_of(longest,
                           fnd_model_half_of_stable(2.4674011 * stiffest, s.cr[i], give, turn)); /* (pi / 2)^2 */
    }
    return longest;
}

void fnd_model_find_standing(fnd_model *model)
{
    for (int i = 0; i < model->material_count; i++)
        for (int j = 0; j < model->material_count; j++) {
            const fnd_model_material *part = &model->materials[i], *ground = &model->materials[j];
            if (!ground->cluster->fixed || !fnd_model_may_touch(model, part, ground)) continue;
            for (fnd_model_body *b = part->cluster; b->link; b = b->parent->cluster) b->stands = true;
        }
}

/* Of a link that makes runs take hours. */
static void warn_of_step(fnd_model *model, const fnd_model_body *link, double step)
{
    const fnd_model_joint *j = link ? link->joints : NULL;
    if (!j || step >= 1e-6) return;
    fnd_phrase says = fnd_phrase_make("joint '%.60s' needs steps of %s: its part is light for its spring and damper",
                                      j->original, fnd_digits(step, "s").text);
    fnd_model_warn(model, &j->location, says.text, "lower them, or give the part more inertia: armature is left out");
}

double fnd_model_step_of_links(fnd_model *model, double of_contacts)
{
    const double usual = model->step < LINK_STEP ? model->step : LINK_STEP;
    const fnd_model_body *link = NULL;
    double longest = least_of(usual, of_contacts);
    for (const fnd_model_body *b = model->bodies; b; b = b->next) {
        const double of_link = b->link ? step_of_link(b) : INFINITY;
        if (!(of_link < longest)) continue;
        link = b;
        longest = of_link;
    }
    if (!(longest < usual)) return longest;
    const double power = pow(10, -floor(log10(longest))), digits = longest * power;
    const double step = (digits >= 5 ? 5 : digits >= 2 ? 2 : 1) / power;
    warn_of_step(model, link, step);
    return step;
}
