/* Making of bodies, and between structure frame and centre of mass. */
#include "body/body.h"

#include "base/error.h"
#include "base/memory.h"
#include "body/mass_tree.h"
#include "math/rotation.h"
#include "math/symmetric.h"
#include <stdio.h>
#include <string.h>

fender_body_def fender_body_def_default(void)
{
    fender_body_def def = {0};
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
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, path, message, found, expected, suggestion});
}

static fender_status check_inertia(const fender_mat3 *inertia, bool lenient, fender_error *error)
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
    snprintf(found, sizeof found, "principal moments %s, %s, %s kg*m^2", fnd_number(e.x).text, fnd_number(e.y).text,
             fnd_number(e.z).text);
    if (!(e.x > 0))
        return refuse(error, path, "inertia is not positive definite", found, "three principal moments above zero",
                      "give the inertia about the centre of mass; for a point use a small ball");
    double excess = e.z - (e.x + e.y);
    if (excess > 1e-9 * e.z && !lenient) {
        char message[160];
        snprintf(message, sizeof message, "inertia breaks the triangle inequality by %s kg*m^2",
                 fnd_number(excess).text);
        return refuse(error, path, message, found, "the largest principal moment at most the sum of the others",
                      "no distribution of mass has such moments: check signs, units and the point of reference, or set "
                      "lenient_inertia");
    }
    return FENDER_STATUS_OK;
}

fender_status fnd_mass_check(const fender_mass_properties *m, bool lenient, fender_error *error)
{
    if (!(m->mass > 0) || !isfinite(m->mass))
        return refuse(error, "mass_properties.mass", "mass of a dynamic body must be above zero and finite",
                      fnd_number(m->mass).text, "a mass above 0 kg", "a body that does not move is `motion: fixed`");
    if (!fender_vec3_is_finite(m->center_of_mass))
        return refuse(error, "mass_properties.center_of_mass", "centre of mass is not finite", "", "finite numbers",
                      "");
    return check_inertia(&m->inertia, lenient, error);
}

static bool quaternion_usable(fender_quaternion q)
{
    double n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return isfinite(n) && n > 1e-200;
}

fender_status fnd_body_check(const fender_body_def *def, fender_error *error)
{
    if (!fender_motion_name(def->motion))
        return refuse(error, "motion", "motion is none of the known kinds", "",
                      "dynamic, fixed, prescribed or mass_only", "");
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
    for (int i = 0; i < def->path.count; i++) {
        if (!isfinite(def->path.times[i]) || !fender_vec3_is_finite(def->path.positions[i]) ||
            (i > 0 && !(def->path.times[i] > def->path.times[i - 1])))
            return refuse(error, "path", "path is not a table of rising times", "",
                          "finite rows, each later than the one before", "");
    }
    if (def->path.count > 0 && def->motion != FENDER_MOTION_PRESCRIBED)
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, "path", "only a prescribed body has a path",
                                           fender_motion_name(def->motion), "motion: prescribed", ""});
    if (def->motion == FENDER_MOTION_FIXED) {
        const fender_vec3 v = s->velocity, w = s->angular_velocity;
        if (v.x != 0 || v.y != 0 || v.z != 0 || w.x != 0 || w.y != 0 || w.z != 0)
            return refuse(error, "state.velocity", "a fixed body cannot have a velocity", "",
                          "zero, or motion: prescribed", "");
    }
    if (def->motion != FENDER_MOTION_DYNAMIC && def->motion != FENDER_MOTION_MASS_ONLY) return FENDER_STATUS_OK;
    return fnd_mass_check(&def->mass_properties, def->lenient_inertia, error);
}

fender_status fnd_body_init(const fender_env *env, fnd_body *body, const fender_body_def *def, fender_error *error)
{
    body->name = fnd_text_copy(env, def->name);
    int count = def->path.count;
    if (count > 0) {
        body->path_times = fnd_allocate(env, (size_t)count * sizeof *body->path_times);
        body->path_positions = fnd_allocate(env, (size_t)count * sizeof *body->path_positions);
        body->path_count = count;
    }
    if (!body->name || (count > 0 && (!body->path_times || !body->path_positions))) {
        fnd_body_release(env, body);
        return fnd_fail_memory(error, "a body");
    }
    if (count > 0) {
        memcpy(body->path_times, def->path.times, (size_t)count * sizeof *body->path_times);
        memcpy(body->path_positions, def->path.positions, (size_t)count * sizeof *body->path_positions);
    }
    body->motion = def->motion;
    body->def = *def;
    body->def.name = body->name;
    body->def.path = (fender_path){body->path_times, body->path_positions, count};
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
    fnd_release(env, body->path_times, (size_t)body->path_count * sizeof *body->path_times);
    fnd_release(env, body->path_positions, (size_t)body->path_count * sizeof *body->path_positions);
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
    fnd_frame_place(body, state, &frame);
    return frame;
}

fnd_state fnd_state_prescribed(const fnd_body *body, double time, double start_time)
{
    fnd_state s = fnd_state_from_structure(body, &body->def.state);
    if (body->motion == FENDER_MOTION_FIXED) return s;
    double elapsed = time - start_time;
    s.q = fender_quaternion_normalized(
        fender_quaternion_product(fnd_rotation_exp(fender_vec3_scale(elapsed, s.L)), s.q));
    if (body->path_count == 0) {
        s.p = fender_vec3_add_scaled(s.p, elapsed, s.v);
        return s;
    }
    const double *t = body->path_times;
    const fender_vec3 *x = body->path_positions;
    int last = body->path_count - 1;
    s.v = fender_vec3_make(0, 0, 0);
    if (time < t[0]) {
        s.p = x[0];
    } else if (time >= t[last]) {
        s.p = x[last];
    } else {
        int low = 0, high = last;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (t[middle] <= time) low = middle;
            else high = middle;
        }
        s.v = fender_vec3_scale(1.0 / (t[high] - t[low]), fender_vec3_sub(x[high], x[low]));
        s.p = fender_vec3_add_scaled(x[low], time - t[low], s.v);
    }
    return s;
}
