/* Prescribed motion of attached bodies (docs/models/mass_tree.md): displacements at a time, and the kinematics and mass
 * properties of the trees that they belong to. */
#include "body/part.h"

#include "base/error.h"
#include "base/memory.h"
#include "body/mass_tree.h"
#include "math/rotation.h"
#include <assert.h>
#include <string.h>

/* ---- The motion of one body ---- */

static fender_status refuse(fender_error *error, const char *path, const char *message, const char *found,
                            const char *expected)
{
    return fnd_fail(error, FENDER_STATUS_VALUE, path, message, found, expected, "");
}

fender_status fnd_part_check(const fender_part_motion *m, double now, fender_error *error)
{
    if (m->count < 2 || !m->times || (!m->positions && !m->angles))
        return refuse(error, "motion", "the motion has no rows", "fewer than two, or no positions and angles",
                      "at least two rows of times with positions, angles or both");
    if ((unsigned)m->between > FENDER_PART_SMOOTH)
        return refuse(error, "motion.between", "what is between the rows of the motion is unknown", "",
                      "a fender_part_between");
    if (!fender_vec3_is_finite(m->axis) || !fender_vec3_is_finite(m->pivot))
        return refuse(error, "motion.axis", "the axis or the pivot is not finite", "", "finite numbers");
    bool turns = false;
    for (int i = 0; i < m->count; i++) {
        const bool finite = isfinite(m->times[i]) && (!m->positions || fender_vec3_is_finite(m->positions[i])) &&
                            (!m->angles || isfinite(m->angles[i]));
        if (!finite || (i > 0 && !(m->times[i] > m->times[i - 1])))
            return refuse(error, "motion.times", "the motion is not a table of increasing times", "",
                          "finite rows with increasing times");
        turns |= m->angles && m->angles[i] != 0;
    }
    if (turns && !(fender_vec3_length(m->axis) > 0))
        return refuse(error, "motion.axis", "the body turns, but its axis is zero", "0 0 0",
                      "a vector that is not zero, in the structure axes of the body");
    if (!(m->times[0] >= now))
        return refuse(error, "motion.times", "the motion begins in the past", fnd_number(m->times[0]).text,
                      "a first time that is not before the present one");
    if ((m->positions && fender_vec3_length(m->positions[0]) > 0) || (m->angles && m->angles[0] != 0))
        return refuse(error, "motion.positions", "the first row is not where the body is attached", "a displacement",
                      "position 0 0 0 m and angle 0 rad: rows are relative to the attachment");
    return FENDER_STATUS_OK;
}

/* Rates and second derivatives of the cubic spline that is at rest at both ends; its second derivatives are kept within
 * the table and are zero at its ends, so that polynomials of degree 5 between them begin and end smoothly. */
static void smooth(const double *t, fnd_part_row *rows, int count, int k)
{
    for (int i = 1; i + 1 < count; i++) {
        const double before = 1 / (t[i] - t[i - 1]), after = 1 / (t[i + 1] - t[i]);
        double right = 3 * before * before * (rows[i].value[k] - rows[i - 1].value[k]) +
                       3 * after * after * (rows[i + 1].value[k] - rows[i].value[k]);
        double diagonal = 2 * (before + after);
        if (i > 1) { /* eliminates the row before; `second` holds the inverse diagonals meanwhile */
            diagonal -= before * before * rows[i - 1].second[k];
            right -= before * rows[i - 1].rate[k];
        }
        rows[i].second[k] = 1 / diagonal;
        rows[i].rate[k] = right * rows[i].second[k];
    }
    for (int i = count - 3; i >= 1; i--) rows[i].rate[k] -= rows[i].second[k] / (t[i + 1] - t[i]) * rows[i + 1].rate[k];
    for (int i = 1; i + 1 < count; i++) {
        const double after = 1 / (t[i + 1] - t[i]);
        rows[i].second[k] = after * (6 * after * (rows[i + 1].value[k] - rows[i].value[k]) - 4 * rows[i].rate[k] -
                                     2 * rows[i + 1].rate[k]);
    }
}

fnd_part_motion *fnd_part_create(const fender_env *env, const fender_part_motion *m)
{
    assert(m->count >= 2);
    const size_t count = (size_t)m->count;
    fnd_part_motion *part = fnd_allocate(env, sizeof *part);
    if (!part) return NULL;
    part->count = m->count;
    part->times = fnd_allocate(env, count * sizeof *part->times);
    part->rows = fnd_allocate(env, count * sizeof *part->rows);
    if (!part->times || !part->rows) {
        fnd_part_destroy(env, part);
        return NULL;
    }
    const double length = fender_vec3_length(m->axis);
    if (length > 0) part->axis = fender_vec3_scale(1 / length, m->axis);
    part->pivot = m->pivot;
    part->X_PA = fender_pose_identity();
    memcpy(part->times, m->times, count * sizeof *part->times);
    for (int i = 0; i < m->count; i++) {
        double *value = part->rows[i].value;
        if (m->positions) value[0] = m->positions[i].x, value[1] = m->positions[i].y, value[2] = m->positions[i].z;
        if (m->angles) value[3] = m->angles[i];
    }
    for (int k = 0; m->between == FENDER_PART_SMOOTH && k < FND_PART_NUMBERS; k++)
        smooth(part->times, part->rows, part->count, k);
    return part;
}

void fnd_part_destroy(const fender_env *env, fnd_part_motion *part)
{
    if (!part) return;
    fnd_release(env, part->times, (size_t)part->count * sizeof *part->times);
    fnd_release(env, part->rows, (size_t)part->count * sizeof *part->rows);
    fnd_release(env, part, sizeof *part);
}

/* The polynomial of degree 5 with both rows at its ends, h seconds apart, at the part u of it. */
static void between(const fnd_part_row *from, const fnd_part_row *to, double h, double u, fnd_part_row *row)
{
    for (int k = 0; k < FND_PART_NUMBERS; k++) {
        const double way = to->value[k] - from->value[k];
        const double v = h * from->rate[k], w = h * to->rate[k];
        const double a = h * h * from->second[k], b = h * h * to->second[k];
        const double c2 = 0.5 * a, c3 = 10 * way - 6 * v - 4 * w - 1.5 * a + 0.5 * b;
        const double c4 = -15 * way + 8 * v + 7 * w + 1.5 * a - b, c5 = 6 * way - 3 * v - 3 * w - 0.5 * a + 0.5 * b;
        row->value[k] = from->value[k] + u * (v + u * (c2 + u * (c3 + u * (c4 + u * c5))));
        row->rate[k] = from->rate[k] + u * (2 * c2 + u * (3 * c3 + u * (4 * c4 + u * 5 * c5))) / h;
        row->second[k] = from->second[k] + u * (6 * c3 + u * (12 * c4 + u * 20 * c5)) / (h * h);
    }
}

fnd_part_row fnd_part_at(const fnd_part_motion *part, double time)
{
    fnd_part_row row;
    memset(&row, 0, sizeof row);
    if (part->told) {
        memcpy(row.value, part->to, sizeof row.value);
        const double u = (time - part->since) / part->duration;
        const fnd_part_row end = row;
        if (u < 1) between(&part->from, &end, part->duration, u > 0 ? u : 0, &row);
        return row;
    }
    const double *t = part->times;
    int low = 0, high = part->count - 1;
    if (time <= t[0]) return part->rows[0];
    if (time >= t[high]) return part->rows[high];
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (t[middle] <= time) low = middle;
        else high = middle;
    }
    const double h = t[high] - t[low];
    between(&part->rows[low], &part->rows[high], h, (time - t[low]) / h, &row);
    return row;
}

bool fnd_part_moves(const fnd_body *body, double time)
{
    if (!body->part || body->part_ended) return false;
    const fnd_part_row now = fnd_part_at(body->part, time);
    for (int k = 0; k < FND_PART_NUMBERS; k++)
        if (now.rate[k] != 0 || now.second[k] != 0) return true;
    return false;
}

double fnd_part_kink(const fnd_part_motion *part, double time)
{
    if (part->told) return part->since + part->duration > time ? part->since + part->duration : (double)INFINITY;
    for (int i = 0; i < part->count; i++)
        if (part->times[i] > time) return part->times[i];
    return INFINITY;
}

/* ---- Kinematics of a tree ---- */

static fender_vec3 turned(fender_quaternion q, fender_vec3 v) { return fender_quaternion_rotate(q, v); }

/* Pose of a body in its parent, and the relative motion of its structure frame's origin in the parent's axes. */
typedef struct relative {
    fender_pose X;
    fender_vec3 v, a, w, turning;
} relative;

static bool is_active(const fnd_body *body) { return body->part && !body->part_ended && body->parent >= 0; }

static relative relative_at(const fnd_body *body, double time)
{
    relative r = {.X = body->X_PS};
    if (!is_active(body)) return r;
    const fnd_part_motion *part = body->part;
    const fnd_part_row row = fnd_part_at(part, time);
    const fender_quaternion q = fnd_rotation_exp(fender_vec3_scale(row.value[3], part->axis));
    const fender_vec3 arm = turned(q, part->pivot);
    const fender_vec3 w = fender_vec3_scale(row.rate[3], part->axis);
    const fender_vec3 turning = fender_vec3_scale(row.second[3], part->axis);
    fender_vec3 p = fender_vec3_make(row.value[0], row.value[1], row.value[2]);
    fender_vec3 v = fender_vec3_make(row.rate[0], row.rate[1], row.rate[2]);
    fender_vec3 a = fender_vec3_make(row.second[0], row.second[1], row.second[2]);
    p = fender_vec3_add(p, fender_vec3_sub(part->pivot, arm));
    v = fender_vec3_sub(v, fender_vec3_cross(w, arm));
    a = fender_vec3_sub(a, fender_vec3_cross(turning, arm));
    a = fender_vec3_sub(a, fender_vec3_cross(w, fender_vec3_cross(w, arm)));
    const fender_pose *X = &part->X_PA;
    r.X.p = fender_vec3_add(X->p, turned(X->q, p));
    r.X.q = fender_quaternion_normalized(fender_quaternion_product(X->q, q));
    r.v = turned(X->q, v);
    r.a = turned(X->q, a);
    r.w = turned(X->q, w);
    r.turning = turned(X->q, turning);
    return r;
}

/* Structure frame of a member as seen from the root's structure frame: its origin and what moves with it. `q`: of its
 * parent, and afterwards its own. */
typedef struct carried {
    fender_vec3 p, v, a, w, turning;
    fender_quaternion q;
} carried;

static carried carry(const carried *parent, const relative *r)
{
    const fender_vec3 d = turned(parent->q, r->X.p), v = turned(parent->q, r->v), w = turned(parent->q, r->w);
    carried c;
    c.p = fender_vec3_add(parent->p, d);
    c.v = fender_vec3_add(fender_vec3_add(parent->v, fender_vec3_cross(parent->w, d)), v);
    c.a = fender_vec3_add(parent->a, fender_vec3_cross(parent->turning, d));
    c.a = fender_vec3_add(c.a, fender_vec3_cross(parent->w, fender_vec3_cross(parent->w, d)));
    c.a = fender_vec3_add_scaled(c.a, 2, fender_vec3_cross(parent->w, v));
    c.a = fender_vec3_add(c.a, turned(parent->q, r->a));
    c.w = fender_vec3_add(parent->w, w);
    c.turning = fender_vec3_add(parent->turning, turned(parent->q, r->turning));
    c.turning = fender_vec3_add(c.turning, fender_vec3_cross(parent->w, w));
    c.q = fender_quaternion_normalized(fender_quaternion_product(parent->q, r->X.q));
    return c;
}

/* A rigid field about another origin: of its velocity v + w x x, and of its acceleration. */
static fender_vec3 velocity_at(const carried *c, fender_vec3 x)
{
    return fender_vec3_add(c->v, fender_vec3_cross(c->w, x));
}
static fender_vec3 acceleration_at(const carried *c, fender_vec3 x)
{
    const fender_vec3 a = fender_vec3_add(c->a, fender_vec3_cross(c->turning, x));
    return fender_vec3_add(a, fender_vec3_cross(c->w, fender_vec3_cross(c->w, x)));
}

/* The next body of a tree in depth first order; -1: none. */
static int next_of(const fnd_body *bodies, int top, int at)
{
    if (bodies[at].first_child >= 0) return bodies[at].first_child;
    while (at != top && bodies[at].next_sibling < 0) at = bodies[at].parent;
    return at == top ? -1 : bodies[at].next_sibling;
}

/* The core's contribution to the sums of its root; all in axes and about the composite's centre of the root. */
static void add_core(const fnd_body *body, const fnd_moving *m, fnd_moving *sums)
{
    const double mass = body->core.mass;
    const fender_quaternion q = fender_quaternion_product(body->q_RS, body->q_SB);
    const fender_mat3 R = fender_quaternion_matrix(q);
    const fender_mat3 turned_inertia = fender_mat3_product(&R, &body->core.inertia), back = fender_mat3_transpose(&R);
    const fender_mat3 I = fender_mat3_product(&turned_inertia, &back);
    const fender_vec3 *r = &m->center, *v = &m->center_rate, *a = &m->center_second;
    const fender_vec3 spin = fender_mat3_times(&I, m->w), turning = fender_mat3_times(&I, m->turning);
    sums->h = fender_vec3_add(sums->h, fender_vec3_add(fender_vec3_scale(mass, fender_vec3_cross(*r, *v)), spin));
    sums->h_rate = fender_vec3_add(sums->h_rate, fender_vec3_scale(mass, fender_vec3_cross(*r, *a)));
    sums->h_rate = fender_vec3_add(sums->h_rate, fender_vec3_add(turning, fender_vec3_cross(m->w, spin)));
    sums->energy += 0.5 * mass * fender_vec3_dot(*v, *v) + 0.5 * fender_vec3_dot(m->w, spin);
    sums->power += mass * fender_vec3_dot(*v, *a) + fender_vec3_dot(m->w, turning);
    const double rr = 2 * mass * fender_vec3_dot(*r, *v);
    const double rv[3] = {r->x, r->y, r->z}, vv[3] = {v->x, v->y, v->z};
    for (int i = 0; i < 3; i++) {
        sums->inertia_rate.m[i][i] += rr;
        for (int k = 0; k < 3; k++) sums->inertia_rate.m[i][k] -= mass * (rv[i] * vv[k] + vv[i] * rv[k]);
    }
    /* I' = w x I - I x w, column by column */
    for (int k = 0; k < 3; k++) {
        const fender_vec3 axis = fender_vec3_make(k == 0, k == 1, k == 2);
        fender_vec3 change = fender_vec3_cross(m->w, fender_mat3_times(&I, axis));
        change = fender_vec3_sub(change, fender_mat3_times(&I, fender_vec3_cross(m->w, axis)));
        sums->inertia_rate.m[0][k] += change.x;
        sums->inertia_rate.m[1][k] += change.y;
        sums->inertia_rate.m[2][k] += change.z;
    }
}

static void move_tree(fnd_body *bodies, int top, fnd_parts *parts, double time)
{
    fnd_moving *values = parts->values;
    const fnd_body *root = &bodies[top];
    const bool massive = fnd_body_dynamic(root);
    const carried still = {.q = fender_quaternion_identity()};
    fender_vec3 moment_rate = {0, 0, 0}, moment_second = {0, 0, 0};
    /* origins of the structure frames as seen from the root's, kept in the values for a while */
    for (int i = top; i >= 0; i = next_of(bodies, top, i)) {
        carried c = still;
        if (i != top) {
            const int up = bodies[i].parent;
            const fnd_moving *m = &values[up];
            const carried parent = {m->center, m->v, m->a, m->w, m->turning, bodies[up].q_RS};
            const relative r = relative_at(&bodies[i], time);
            c = carry(&parent, &r);
        }
        values[i] = (fnd_moving){.v = c.v,
                                 .a = c.a,
                                 .w = c.w,
                                 .turning = c.turning,
                                 .center = c.p,
                                 .v_before = values[i].v_before,
                                 .w_before = values[i].w_before};
        bodies[i].q_RS = c.q; /* structure to structure, until places are found below */
        const fender_vec3 x = turned(c.q, bodies[i].core.center_of_mass);
        moment_rate = fender_vec3_add_scaled(moment_rate, bodies[i].core.mass, velocity_at(&c, x));
        moment_second = fender_vec3_add_scaled(moment_second, bodies[i].core.mass, acceleration_at(&c, x));
    }
    const double inverse = massive ? 1 / root->mass : 0; /* what nothing moves keeps its structure's origin */
    const fender_vec3 rate = fender_vec3_scale(inverse, moment_rate);
    const fender_vec3 second = fender_vec3_scale(inverse, moment_second);
    const fender_quaternion q_BS = fender_quaternion_conjugate(root->q_SB);
    for (int i = top; i >= 0; i = next_of(bodies, top, i)) {
        fnd_moving *m = &values[i];
        const fender_quaternion q = bodies[i].q_RS;
        const carried c = {fender_vec3_sub(m->center, root->center_S),
                           fender_vec3_sub(m->v, rate),
                           fender_vec3_sub(m->a, second),
                           m->w,
                           m->turning,
                           q};
        const fender_vec3 x = turned(q, bodies[i].core.center_of_mass), o = fender_vec3_negate(c.p);
        m->center = turned(q_BS, fender_vec3_add(c.p, x));
        m->center_rate = turned(q_BS, velocity_at(&c, x));
        m->center_second = turned(q_BS, acceleration_at(&c, x));
        m->v = turned(q_BS, velocity_at(&c, o));
        m->a = turned(q_BS, acceleration_at(&c, o));
        m->w = turned(q_BS, m->w);
        m->turning = turned(q_BS, m->turning);
    }
    for (int i = top; i >= 0; i = next_of(bodies, top, i)) {
        fnd_tree_place(bodies, i);
        if (massive) add_core(&bodies[i], &values[i], &values[top]);
    }
}

void fnd_parts_bind(fnd_body *bodies, int count, fnd_parts *parts)
{
    if (!parts) return;
    assert(parts->capacity >= count);
    parts->active = 0;
    for (int i = 0; i < count; i++) {
        const bool had = bodies[i].moving != NULL;
        bodies[i].moving = NULL;
        if (had && bodies[i].parent < 0) fnd_composite_update(bodies, i); /* it may be spherical again */
    }
    for (int i = 0; i < count; i++) {
        if (!bodies[i].name || !is_active(&bodies[i])) continue;
        const int root = fnd_tree_root(bodies, i);
        if (bodies[root].motion == FENDER_MOTION_MASS_ONLY) continue;
        bodies[root].moving = &parts->values[root];
        parts->active++;
    }
    for (int i = 0; parts->active > 0 && i < count; i++)
        if (bodies[i].name && bodies[i].parent >= 0 && bodies[fnd_tree_root(bodies, i)].moving)
            bodies[i].moving = &parts->values[i];
}

void fnd_parts_move(fnd_body *bodies, int count, fnd_parts *parts, double time)
{
    assert(parts && parts->capacity >= count);
    parts->time = time;
    if (parts->active == 0) return;
    for (int i = 0; i < count; i++) {
        if (!bodies[i].moving || !is_active(&bodies[i])) continue;
        bodies[i].X_PS = relative_at(&bodies[i], time).X;
        fnd_composite_update_upward(bodies, bodies[i].parent);
    }
    for (int i = 0; i < count; i++)
        if (bodies[i].moving && bodies[i].parent < 0) move_tree(bodies, i, parts, time);
}

void fnd_parts_note_start(fnd_parts *parts)
{
    for (int i = 0; i < parts->capacity; i++) {
        parts->values[i].v_before = parts->values[i].v;
        parts->values[i].w_before = parts->values[i].w;
    }
}

/* ---- Sums over a subtree ---- */

fender_vec3 fnd_part_angular_velocity(const fnd_body *root, const fender_mat3 *R_WB, fender_vec3 L)
{
    const fender_vec3 own = fender_vec3_sub(fender_mat3_transpose_times(R_WB, L), root->moving->h);
    return fender_mat3_times(R_WB, fender_mat3_times(&root->inverse_inertia, own));
}

fender_vec3 fnd_part_root_turning(const fnd_body *root, const fnd_frame *frame, fender_vec3 torque)
{
    /* L = J w + h in axes that turn with w: J w' = T - w x L - h' - J' w */
    const fnd_moving *m = root->moving;
    const fender_vec3 w = fender_mat3_transpose_times(&frame->R_WB, frame->w);
    fender_vec3 L = fender_mat3_times(&root->inertia, w);
    fender_vec3 right = fender_mat3_transpose_times(&frame->R_WB, torque);
    if (m) {
        L = fender_vec3_add(L, m->h);
        right = fender_vec3_sub(right, fender_vec3_add(m->h_rate, fender_mat3_times(&m->inertia_rate, w)));
    }
    right = fender_vec3_sub(right, fender_vec3_cross(w, L));
    return fender_mat3_times(&frame->R_WB, fender_mat3_times(&root->inverse_inertia, right));
}

/* Position from the root's centre, velocity and acceleration of a core's centre, its angular velocity and its rate, all
 * in W. */
typedef struct core_motion {
    fender_vec3 r, v, a, w, turning;
} core_motion;

static core_motion core_at(const fnd_moving *m, const fnd_frame *root, fender_vec3 acceleration, fender_vec3 turning)
{
    const fender_mat3 *R = &root->R_WB;
    const fender_vec3 r = fender_mat3_times(R, m->center), u = fender_mat3_times(R, m->center_rate), w = root->w;
    const fender_vec3 spin = fender_mat3_times(R, m->w);
    core_motion c = {.r = r};
    c.v = fender_vec3_add(fender_vec3_add(root->v, fender_vec3_cross(w, r)), u);
    c.a = fender_vec3_add(acceleration, fender_vec3_cross(turning, r));
    c.a = fender_vec3_add(c.a, fender_vec3_cross(w, fender_vec3_cross(w, r)));
    c.a = fender_vec3_add_scaled(c.a, 2, fender_vec3_cross(w, u));
    c.a = fender_vec3_add(c.a, fender_mat3_times(R, m->center_second));
    c.w = fender_vec3_add(w, spin);
    c.turning = fender_vec3_add(fender_vec3_add(turning, fender_vec3_cross(w, spin)), fender_mat3_times(R, m->turning));
    return c;
}

/* I w and I w' of a core, W. */
typedef struct core_spin {
    fender_vec3 spin, rate;
} core_spin;

static core_spin spin_of(const fnd_body *body, const fnd_frame *root_frame, const core_motion *c)
{
    const fender_quaternion q_RB = fender_quaternion_product(body->q_RS, body->q_SB);
    const fender_mat3 R = fender_quaternion_matrix(fender_quaternion_product(root_frame->q, q_RB));
    const fender_mat3 *I = &body->core.inertia;
    const fender_vec3 spin = fender_mat3_times(&R, fender_mat3_times(I, fender_mat3_transpose_times(&R, c->w)));
    const fender_vec3 rate = fender_mat3_times(&R, fender_mat3_times(I, fender_mat3_transpose_times(&R, c->turning)));
    return (core_spin){spin, rate};
}

fnd_part_sums fnd_part_core(const fnd_body *body, const fnd_frame *root_frame, fender_vec3 acceleration,
                            fender_vec3 angular_acceleration)
{
    fnd_moving still = {.h = {0, 0, 0}};
    still.center = turned(body->q_RS, fender_vec3_sub(body->core.center_of_mass, body->root_center_S));
    const core_motion c = core_at(body->moving ? body->moving : &still, root_frame, acceleration, angular_acceleration);
    const core_spin turn = spin_of(body, root_frame, &c);
    const double mass = body->core.mass;
    return (fnd_part_sums){.mass = mass,
                           .center = fender_vec3_add(root_frame->p, c.r),
                           .velocity = c.v,
                           .acceleration = c.a,
                           .angular_momentum = turn.spin,
                           .rate = fender_vec3_add(turn.rate, fender_vec3_cross(c.w, turn.spin)),
                           .kinetic_energy = 0.5 * mass * fender_vec3_dot(c.v, c.v) +
                                             0.5 * fender_vec3_dot(c.w, turn.spin)};
}

fnd_part_sums fnd_part_sum(const fnd_body *bodies, int body, const fnd_frame *root_frame, fender_vec3 acceleration,
                           fender_vec3 angular_acceleration)
{
    assert(bodies[body].moving);
    fnd_part_sums s = {0};
    fender_vec3 at = {0, 0, 0};
    for (int i = body; i >= 0; i = next_of(bodies, body, i)) {
        const core_motion c = core_at(bodies[i].moving, root_frame, acceleration, angular_acceleration);
        const double m = bodies[i].core.mass;
        s.mass += m;
        at = fender_vec3_add_scaled(at, m, c.r);
        s.velocity = fender_vec3_add_scaled(s.velocity, m, c.v);
        s.acceleration = fender_vec3_add_scaled(s.acceleration, m, c.a);
    }
    if (!(s.mass > 0)) return s;
    at = fender_vec3_scale(1 / s.mass, at);
    s.velocity = fender_vec3_scale(1 / s.mass, s.velocity);
    s.acceleration = fender_vec3_scale(1 / s.mass, s.acceleration);
    s.center = fender_vec3_add(root_frame->p, at);
    for (int i = body; i >= 0; i = next_of(bodies, body, i)) {
        const core_motion c = core_at(bodies[i].moving, root_frame, acceleration, angular_acceleration);
        const double m = bodies[i].core.mass;
        const fender_vec3 arm = fender_vec3_sub(c.r, at), v = fender_vec3_sub(c.v, s.velocity);
        const core_spin turn = spin_of(&bodies[i], root_frame, &c);
        const fender_vec3 spin = turn.spin, rate = turn.rate;
        s.angular_momentum = fender_vec3_add(s.angular_momentum, fender_vec3_scale(m, fender_vec3_cross(arm, v)));
        s.angular_momentum = fender_vec3_add(s.angular_momentum, spin);
        s.rate = fender_vec3_add(s.rate, fender_vec3_scale(m, fender_vec3_cross(arm, c.a)));
        s.rate = fender_vec3_add(s.rate, fender_vec3_add(rate, fender_vec3_cross(c.w, spin)));
        s.kinetic_energy += 0.5 * m * fender_vec3_dot(c.v, c.v) + 0.5 * fender_vec3_dot(c.w, spin);
    }
    return s;
}
