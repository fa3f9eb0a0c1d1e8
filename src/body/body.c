/* Making of bodies, between structure frame and centre of mass, and torque-free rotation. */
#include "body/body.h"

#include "base/error.h"
#include "base/memory.h"
#include "body/mass_tree.h"
#include "body/part.h"
#include "body/path.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- Bodies ---- */

fender_body_def fender_body_def_default(void)
{
    fender_body_def def = {0};
    def.size = sizeof def;
    def.body_axes = fender_quaternion_identity();
    def.state.attitude = fender_quaternion_identity();
    return def;
}

const char *fender_motion_name(fender_motion motion)
{
    switch (motion) {
    case FENDER_MOTION_DYNAMIC: return "dynamic";
    case FENDER_MOTION_FIXED: return "fixed";
    case FENDER_MOTION_PRESCRIBED: return "prescribed";
    case FENDER_MOTION_MASS_ONLY: return "mass_only";
    }
    return NULL;
}

static fender_status refuse(fender_error *error, const char *path, const char *message, const char *found,
                            const char *expected, const char *suggestion)
{
    return fnd_fail(error, FENDER_STATUS_VALUE, path, message, found, expected, suggestion);
}

/* `part`: of a body that never moves by itself, which may be a point. */
static fender_status check_inertia(const fender_mat3 *inertia, bool lenient, bool part, fender_error *error)
{
    const char *path = "mass_properties.inertia";
    char found[160];
    double size = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (!isfinite(inertia->m[i][j]))
                return refuse(error, path, "inertia is not finite", "", "finite numbers", "");
            if (fabs(inertia->m[i][j]) > size) size = fabs(inertia->m[i][j]);
        }
    static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    static const char axis[] = "xyz";
    for (int k = 0; k < 3; k++) {
        int i = pairs[k][0], j = pairs[k][1];
        double gap = fabs(inertia->m[i][j] - inertia->m[j][i]);
        if (gap > 1e-9 * size) {
            snprintf(found, sizeof found, "I_%c%c = %s and I_%c%c = %s, %s apart", axis[i], axis[j],
                     fnd_number(inertia->m[i][j]).text, axis[j], axis[i], fnd_number(inertia->m[j][i]).text,
                     fnd_number(gap).text);
            return refuse(error, path, "inertia is not symmetric", found, "a symmetric tensor",
                          "off-diagonal entries are tensor elements: negative products of inertia");
        }
    }
    fender_vec3 e = fnd_symmetric_eigenvalues(inertia);
    const bool positive = e.x > 0 || (part && size == 0);
    const double excess = e.z - (e.x + e.y);
    if (positive && (!(excess > 1e-9 * e.z) || lenient)) return FENDER_STATUS_OK;
    snprintf(found, sizeof found, "principal moments %s, %s, %s kg*m^2", fnd_number(e.x).text, fnd_number(e.y).text,
             fnd_number(e.z).text);
    if (!positive)
        return refuse(error, path, "inertia is not positive definite", found, "three principal moments above zero",
                      "give the inertia about the centre of mass; only a body that is mass_only may be a point");
    char message[160];
    snprintf(message, sizeof message, "inertia violates the triangle inequality by %s kg*m^2", fnd_number(excess).text);
    return refuse(error, path, message, found, "the largest principal moment at most the sum of the others",
                  "no mass distribution has such moments: check signs, units and the reference point, or set "
                  "lenient_inertia");
}

fender_status fnd_mass_check(const fender_mass_properties *m, fender_motion motion, bool lenient, fender_error *error)
{
    if (!(m->mass > 0) || !isfinite(m->mass))
        return refuse(error, "mass_properties.mass", "mass of a dynamic body must be above zero and finite",
                      fnd_number(m->mass).text, "a mass above 0 kg", "a body that does not move is `motion: fixed`");
    if (!fender_vec3_is_finite(m->center_of_mass))
        return refuse(error, "mass_properties.center_of_mass", "centre of mass is not finite", "", "finite numbers",
                      "");
    return check_inertia(&m->inertia, lenient, motion == FENDER_MOTION_MASS_ONLY, error);
}

static bool quaternion_usable(fender_quaternion q)
{
    double n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return isfinite(n) && n > 1e-200;
}

fender_status fnd_body_check(const fender_body_def *def, fender_error *error)
{
    if (!fender_motion_name(def->motion))
        return refuse(error, "motion", "the kind of motion is unknown", "", "dynamic, fixed, prescribed or mass_only",
                      "");
    const fender_body_state *s = &def->state;
    if (!fender_vec3_is_finite(s->position))
        return refuse(error, "state.position", "position is not finite", "", "finite numbers", "");
    if (!fender_vec3_is_finite(s->velocity))
        return refuse(error, "state.velocity", "velocity is not finite", "", "finite numbers", "");
    if (!fender_vec3_is_finite(s->angular_velocity))
        return refuse(error, "state.angular_velocity", "angular velocity is not finite", "", "finite numbers", "");
    if (!quaternion_usable(s->attitude))
        return refuse(error, "state.orientation", "attitude is not a rotation", "", "a quaternion other than zero", "");
    if (!quaternion_usable(def->body_axes))
        return refuse(error, "mass_properties.body_axes", "body axes are not a rotation", "",
                      "a quaternion other than zero", "");
    if ((def->path.count > 0 || def->sine.frequency != 0) && def->motion != FENDER_MOTION_PRESCRIBED)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "path", "only a prescribed body has a path",
                        fender_motion_name(def->motion), "motion: prescribed", "");
    const fender_status moves = fnd_path_check(def, error);
    if (moves) return moves;
    if (def->motion == FENDER_MOTION_FIXED) {
        const fender_vec3 v = s->velocity, w = s->angular_velocity;
        if (v.x != 0 || v.y != 0 || v.z != 0 || w.x != 0 || w.y != 0 || w.z != 0)
            return refuse(error, "state.velocity", "a fixed body cannot have a velocity", "",
                          "zero, or motion: prescribed", "");
    }
    if (def->motion != FENDER_MOTION_DYNAMIC && def->motion != FENDER_MOTION_MASS_ONLY) return FENDER_STATUS_OK;
    return fnd_mass_check(&def->mass_properties, def->motion, def->lenient_inertia, error);
}

fender_status fnd_body_init(const fender_env *env, fnd_body *body, const fender_body_def *def, fender_error *error)
{
    assert(!body->name && !body->path_times);
    body->name = fnd_text_copy(env, def->name);
    if (!body->name || !fnd_path_copy(env, body, &def->path)) {
        fnd_body_release(env, body);
        return fnd_fail_memory(error, "a body");
    }
    body->motion = def->motion;
    body->def = *def;
    body->def.name = body->name;
    body->def.path.times = body->path_times;
    body->def.path.positions = body->path_positions;
    body->def.path.velocities = body->path_velocities;
    body->q_SB = fender_quaternion_identity();
    body->parent = body->first_child = body->last_child = body->next_sibling = -1;
    body->connection_child = body->connection_parent = -1;
    body->X_PS = fender_pose_identity();
    if (fnd_body_dynamic(body) || body->motion == FENDER_MOTION_MASS_ONLY) {
        body->q_SB = fender_quaternion_normalized(def->body_axes);
        body->core = def->mass_properties;
    }
    fnd_composite_update(body, 0);
    if (fnd_body_dynamic(body) && body->inverse_inertia.m[0][0] == 0) {
        fnd_body_release(env, body);
        return refuse(error, "mass_properties.inertia", "inertia is not positive definite", "",
                      "a positive definite tensor", "");
    }
    body->state = fnd_state_from_structure(body, &def->state);
    return FENDER_STATUS_OK;
}

void fnd_body_release(const fender_env *env, fnd_body *body)
{
    fnd_text_release(env, body->name);
    fnd_path_release(env, body);
    fnd_part_destroy(env, body->part);
    memset(body, 0, sizeof *body);
}

fnd_state fnd_state_from_structure(const fnd_body *body, const fender_body_state *state)
{
    fender_quaternion q_WS = fender_quaternion_normalized(state->attitude);
    fender_mat3 R_WS = fender_quaternion_matrix(q_WS);
    fender_vec3 w = fender_mat3_times(&R_WS, state->angular_velocity);
    fender_vec3 lever = fender_mat3_times(&R_WS, body->center_S);
    fnd_state s;
    s.p = fender_vec3_add(state->position, lever);
    s.q = fender_quaternion_normalized(fender_quaternion_product(q_WS, body->q_SB));
    s.v = fender_vec3_add(state->velocity, fender_vec3_cross(w, lever));
    s.L = w;
    if (fnd_body_dynamic(body)) {
        fender_mat3 R_WB = fender_quaternion_matrix(s.q);
        s.L = fender_mat3_times(&R_WB, fender_mat3_times(&body->inertia, fender_mat3_transpose_times(&R_WB, w)));
        if (body->moving) { /* the structure has the velocity of its own material */
            s.L = fender_vec3_add(s.L, fender_mat3_times(&R_WB, body->moving->h));
            s.v = fender_vec3_sub(s.v, fender_mat3_times(&R_WB, body->moving->v));
        }
    }
    return s;
}

fender_body_state fnd_structure_from_frame(const fnd_body *body, const fnd_frame *frame)
{
    fender_body_state s;
    s.attitude = fender_quaternion_normalized(
        fender_quaternion_product(frame->q, fender_quaternion_conjugate(body->q_SB)));
    fender_mat3 R_WS = fender_quaternion_matrix(s.attitude);
    fender_vec3 lever = fender_mat3_times(&R_WS, body->center_S);
    s.position = fender_vec3_sub(frame->p, lever);
    s.velocity = fender_vec3_sub(frame->v, fender_vec3_cross(frame->w, lever));
    s.angular_velocity = fender_mat3_transpose_times(&R_WS, frame->w);
    return s;
}

fnd_frame fnd_frame_of_state(const fnd_body *body, const fnd_state *state)
{
    fnd_frame frame;
    fnd_frame_pose(body, state, &frame);
    if (body->moving && fnd_body_dynamic(body)) frame.w = fnd_part_angular_velocity(body, &frame.R_WB, state->L);
    return frame;
}

/* ---- Torque-free rotation ---- */

/* Torque-free rotation: the discrete Moser-Veselov map with corrections of its time step and of the turn about L.
 *
 * Let A be the inverse inertia, M = R^T L the momentum in body axes, C = |M|^2, and b = h M / 2. The map (Moser and
 * Veselov 1991) turns the body by the unit quaternion (e0, e) with
 *
 *     e0 m + (A m) x m = b,   e = A m,
 *
 * and keeps |M| and M.AM exactly: each step goes along the true orbit of M, but too fast or too slow, and turns too far
 * or not far enough about L. Both defects depend on h and on the constants of the motion alone, so that a scaled step
 * and one turn about L undo them to any order (Hairer and Vilmart 2006, "Preprocessed discrete Moser-Veselov algorithm
 * for the full dynamics of the rigid body").
 *
 * Here A is first freed of its part that turns about L at an even rate: A' = A - rate * 1 with rate = M.AM / C. That
 * part commutes with the rest and is done exactly. What is left has M.A'M = 0, which removes all but a few terms of the
 * corrections: they are polynomials in C h^2 whose coefficients, below, are those of the invariants of A'. They follow
 * from equating, power by power in exact fractions, the series of the true motion and of the map.
 */

enum { NEWTON_LIMIT = 12, SUBSTEP_LIMIT = 256 };

/* Trace, sum of principal minors, determinant. */
typedef struct invariants {
    double trace, second, determinant;
} invariants;

static invariants invariants_of(const fender_mat3 *a)
{
    const double(*m)[3] = a->m;
    double m00 = m[1][1] * m[2][2] - m[1][2] * m[2][1];
    double m01 = m[1][0] * m[2][2] - m[1][2] * m[2][0];
    double m02 = m[1][0] * m[2][1] - m[1][1] * m[2][0];
    double m11 = m[0][0] * m[2][2] - m[0][2] * m[2][0], m22 = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    return (invariants){m[0][0] + m[1][1] + m[2][2], m00 + m11 + m22, m[0][0] * m00 - m[0][1] * m01 + m[0][2] * m02};
}

/* What the step is to be stretched by, and the tangent of half the missing turn about L divided by h |M|; k = C h^2. */
static void corrections(invariants of, double k, double *stretch, double *twist)
{
    double d = of.determinant * k;
    double u = of.second * k, v = of.trace * d * k, w = of.determinant * d * k * k; /* pure numbers */
    double s4 = u * u / 120 - v / 40;
    double s6 = u * (17.0 / 20160 * u * u - 11.0 / 3360 * v) - w / 112;
    double s8 = u * u * (31.0 / 362880 * u * u - 19.0 / 40320 * v) + v * v / 1920 - 5.0 / 5376 * u * w;
    *stretch = u / 12 + (s4 + (s6 + s8));
    double t7 = v / 560 - 19.0 / 40320 * u * u;
    double t9 = u * (3.0 / 17920 * v - 61.0 / 1451520 * u * u) - 19.0 / 145152 * w;
    *twist = -d * (1.0 / 12 + (u / 480 - (t7 + t9)));
}

/* The Gibbs vector g = e / e0 of the map: g = A nu with nu + g x nu = b (1 + |g|^2). Two rounds of insertion, then
 * Newton: near a rod insertion alone would not converge. */
static fender_vec3 moser_veselov(const fender_mat3 *a, fender_vec3 b)
{
    fender_vec3 nu = b, g = fender_mat3_times(a, b);
    for (int i = 0; i < 2; i++) {
        nu = fender_vec3_sub(fender_vec3_scale(1 + fender_vec3_dot(g, g), b), fender_vec3_cross(g, nu));
        g = fender_mat3_times(a, nu);
    }
    for (int i = 0; i < NEWTON_LIMIT; i++) {
        fender_vec3 ag = fender_mat3_times(a, g);
        fender_vec3 rest = fender_vec3_sub(
            fender_vec3_sub(fender_vec3_scale(1 + fender_vec3_dot(g, g), b), fender_vec3_cross(g, nu)), nu);
        /* columns of the derivative of nu + g x nu - b (1 + |g|^2) */
        fender_vec3 c0 = {1, g.z, -g.y}, c1 = {-g.z, 1, g.x}, c2 = {g.y, -g.x, 1};
        c0 = fender_vec3_add(c0, fender_vec3_cross(fender_mat3_column(a, 0), nu));
        c1 = fender_vec3_add(c1, fender_vec3_cross(fender_mat3_column(a, 1), nu));
        c2 = fender_vec3_add(c2, fender_vec3_cross(fender_mat3_column(a, 2), nu));
        c0 = fender_vec3_add_scaled(c0, -2 * ag.x, b);
        c1 = fender_vec3_add_scaled(c1, -2 * ag.y, b);
        c2 = fender_vec3_add_scaled(c2, -2 * ag.z, b);
        fender_vec3 c12 = fender_vec3_cross(c1, c2);
        double inverse = 1 / fender_vec3_dot(c0, c12);
        fender_vec3 change = {inverse * fender_vec3_dot(rest, c12),
                              inverse * fender_vec3_dot(rest, fender_vec3_cross(c2, c0)),
                              inverse * fender_vec3_dot(rest, fender_vec3_cross(c0, c1))};
        nu = fender_vec3_add(nu, change);
        fender_vec3 rotation = fender_mat3_times(a, change);
        g = fender_mat3_times(a, nu);
        /* what is left is of the size of (A change) x change */
        if (!(fender_vec3_dot(rotation, rotation) * fender_vec3_dot(change, change) > 1e-36 * fender_vec3_dot(nu, nu)))
            break;
    }
    return g;
}

/* Unit quaternion (1 + less, v) of a turn. */
typedef struct rotation {
    double less;
    fender_vec3 v;
} rotation;

static fender_quaternion increment(rotation t) { return (fender_quaternion){t.less, t.v.x, t.v.y, t.v.z}; }

static rotation turn_of_gibbs(fender_vec3 g)
{
    double square = fender_vec3_dot(g, g), root = sqrt(1 + square), scale = 1 / root;
    return (rotation){-square / (root * (1 + root)), fender_vec3_scale(scale, g)};
}

static rotation turn_about(fender_vec3 v, double length, double half_angle)
{
    double sine, cosine;
    fnd_sin_cos(0.5 * half_angle, &sine, &cosine);
    return (rotation){-2 * sine * sine, fender_vec3_scale(2 * sine * cosine / length, v)};
}

static fender_quaternion sum(fender_quaternion a, fender_quaternion b)
{
    return (fender_quaternion){a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
}

/* outer q inner, brought back to unit length. Only the last sum rounds at the size of q: a step costs half a unit in
 * the last place of q and hardly more, and no length builds up. */
static fender_quaternion rotated(fender_quaternion q, rotation outer, rotation inner)
{
    fender_quaternion change = fender_quaternion_product(q, increment(inner));
    change = sum(change, fender_quaternion_product(increment(outer), sum(q, change)));
    double half_excess = 0.5 * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1);
    fender_quaternion shorter = {-half_excess * q.w, -half_excess * q.x, -half_excess * q.y, -half_excess * q.z};
    return sum(q, sum(change, shorter));
}

fender_quaternion fnd_free_rotation(const fender_mat3 *inverse_inertia, bool spherical, fender_quaternion q,
                                    fender_vec3 L, double step)
{
    static const rotation none = {0, {0, 0, 0}};
    double square = fender_vec3_dot(L, L), length = sqrt(square);
    if (!(length > 0) || !isfinite(square) || !isfinite(step)) return q;
    if (spherical) return rotated(q, turn_about(L, length, 0.5 * step * inverse_inertia->m[0][0] * length), none);

    fender_mat3 a = *inverse_inertia, R = fender_quaternion_matrix(q);
    fender_vec3 M = fender_mat3_transpose_times(&R, L);
    double rate = fender_vec3_dot(M, fender_mat3_times(&a, M)) / square;
    for (int i = 0; i < 3; i++) a.m[i][i] -= rate;
    invariants of = invariants_of(&a);
    /* Parts of at most about a tenth of a radian of what is left: there the corrections are good to rounding. */
    double wobble = fabs(step) * length * sqrt(fabs(of.second) + sqrt(fabs(of.trace * of.determinant)));
    double parts = ceil(10 * wobble);
    int count = parts > 1 ? parts < SUBSTEP_LIMIT ? (int)parts : SUBSTEP_LIMIT : 1;
    double h = step / count, stretch, twist;
    corrections(of, square * h * h, &stretch, &twist);
    double tangent = twist * h * length; /* small: three terms of its arc are enough */
    double missing = tangent * (1 - tangent * tangent * (1.0 / 3 - 0.2 * tangent * tangent));
    rotation about_L = turn_about(L, length, count * (0.5 * h * rate * length + missing));
    for (int i = 0; i < count; i++) {
        if (i > 0) {
            R = fender_quaternion_matrix(q);
            M = fender_mat3_transpose_times(&R, L);
        }
        fender_vec3 g = moser_veselov(&a, fender_vec3_scale(0.5 * h * (1 + stretch), M));
        if (!fender_vec3_is_finite(g)) return q;
        q = rotated(q, i == 0 ? about_L : none, turn_of_gibbs(g));
    }
    return q;
}
