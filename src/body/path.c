/* Prescribed motion: tables, harmonic motion, and commands (docs/models/motion.md). */
#include "body/path.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include <assert.h>
#include <string.h>

#define TWO_PI 6.283185307179586

/* ---- Tables ---- */

static fender_status refuse(fender_error *error, const char *message, const char *expected)
{
    return fnd_fail(error, FENDER_STATUS_VALUE, "path", message, "", expected, "");
}

fender_status fnd_path_check(const fender_body_def *def, fender_error *error)
{
    const fender_path *path = &def->path;
    const fender_sine *sine = &def->sine;
    if (path->count < 0 || (path->count > 0 && (!path->times || !path->positions)))
        return refuse(error, "the path has no rows of times and positions", "arrays of `count` rows, or a count of 0");
    for (int i = 0; i < path->count; i++) {
        if (!isfinite(path->times[i]) || !fender_vec3_is_finite(path->positions[i]) ||
            (i > 0 && !(path->times[i] > path->times[i - 1])))
            return refuse(error, "path is not a table of increasing times", "finite rows with increasing times");
        if (path->velocities && !fender_vec3_is_finite(path->velocities[i]))
            return refuse(error, "a velocity of the path is not finite", "finite velocities");
    }
    if ((unsigned)path->between > FENDER_PATH_CUBIC)
        return refuse(error, "what is between the rows of the path is unknown", "a fender_path_between");
    if (path->velocities && path->between != FENDER_PATH_CUBIC)
        return refuse(error, "a linear path has no velocities of its own", "a cubic path");
    if (sine->frequency == 0) return FENDER_STATUS_OK;
    if (path->count > 0) return refuse(error, "a body has a table and a harmonic motion", "one of them");
    if (!(sine->frequency > 0) || !isfinite(sine->frequency) || !fender_vec3_is_finite(sine->amplitude) ||
        !isfinite(sine->phase) || !fender_vec3_is_finite(sine->axis) || !isfinite(sine->angle) ||
        !isfinite(sine->angle_phase))
        return refuse(error, "the harmonic motion is not finite, or its frequency not above zero",
                      "finite numbers and a frequency above 0");
    if (sine->angle != 0 && !(fender_vec3_length(sine->axis) > 0))
        return refuse(error, "the axis of the harmonic turn is zero", "a vector that is not zero");
    return FENDER_STATUS_OK;
}

/* Velocities of the natural cubic spline at its rows: the tridiagonal system of continuous second derivatives, which
 * are zero at the ends. `work`: count numbers. */
static void natural_velocities(const double *t, const fender_vec3 *x, int count, double *work, fender_vec3 *v)
{
    if (count == 1) {
        v[0] = fender_vec3_make(0, 0, 0);
        return;
    }
    for (int i = 0; i < count; i++) {
        const double before = i > 0 ? 1 / (t[i] - t[i - 1]) : 0, after = i + 1 < count ? 1 / (t[i + 1] - t[i]) : 0;
        fender_vec3 right = {0, 0, 0};
        if (i > 0) right = fender_vec3_scale(3 * before * before, fender_vec3_sub(x[i], x[i - 1]));
        if (i + 1 < count) right = fender_vec3_add_scaled(right, 3 * after * after, fender_vec3_sub(x[i + 1], x[i]));
        double diagonal = 2 * (before + after);
        if (i > 0) { /* eliminates the row before */
            const double factor = before * work[i - 1];
            diagonal -= factor * before;
            right = fender_vec3_add_scaled(right, -before, v[i - 1]);
        }
        work[i] = 1 / diagonal;
        v[i] = fender_vec3_scale(work[i], right);
    }
    for (int i = count - 2; i >= 0; i--) v[i] = fender_vec3_add_scaled(v[i], -work[i] / (t[i + 1] - t[i]), v[i + 1]);
}

bool fnd_path_copy(const fender_env *env, fnd_body *body, const fender_path *path)
{
    const size_t count = (size_t)path->count, vectors = count * sizeof(fender_vec3), times = count * sizeof(double);
    if (path->count <= 0) return true;
    body->path_count = path->count;
    body->path_times = fnd_allocate(env, times);
    body->path_positions = fnd_allocate(env, vectors);
    if (!body->path_times || !body->path_positions) return false;
    memcpy(body->path_times, path->times, times);
    memcpy(body->path_positions, path->positions, vectors);
    if (path->between != FENDER_PATH_CUBIC) return true;
    body->path_velocities = fnd_allocate(env, vectors);
    if (!body->path_velocities) return false;
    if (path->velocities) {
        memcpy(body->path_velocities, path->velocities, vectors);
        return true;
    }
    double *work = fnd_allocate(env, times);
    if (work) natural_velocities(body->path_times, body->path_positions, path->count, work, body->path_velocities);
    fnd_release(env, work, times);
    return work != NULL;
}

void fnd_path_release(const fender_env *env, fnd_body *body)
{
    const size_t count = (size_t)body->path_count;
    fnd_release(env, body->path_times, count * sizeof *body->path_times);
    fnd_release(env, body->path_positions, count * sizeof *body->path_positions);
    fnd_release(env, body->path_velocities, count * sizeof *body->path_velocities);
}

/* Position and velocity on the path; the piece is that of another time. */
static void on_path(const fnd_body *body, double time, double piece, fnd_state *s)
{
    const double *t = body->path_times;
    const fender_vec3 *x = body->path_positions, *v = body->path_velocities;
    const int last = body->path_count - 1;
    s->v = fender_vec3_make(0, 0, 0);
    if (piece < t[0] || piece >= t[last]) {
        s->p = piece < t[0] ? x[0] : x[last];
        return;
    }
    int low = 0, high = last;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (t[middle] <= piece) low = middle;
        else high = middle;
    }
    if (!v) {
        s->v = fender_vec3_scale(1.0 / (t[high] - t[low]), fender_vec3_sub(x[high], x[low]));
        s->p = fender_vec3_add_scaled(x[low], time - t[low], s->v);
        return;
    }
    /* x(u) = x0 + h (v0 u + (3 d - 2 v0 - v1) u^2 + (v0 + v1 - 2 d) u^3), d: the mean velocity */
    const double h = t[high] - t[low], u = (time - t[low]) / h;
    const fender_vec3 mean = fender_vec3_scale(1 / h, fender_vec3_sub(x[high], x[low]));
    fender_vec3 second = fender_vec3_add_scaled(fender_vec3_scale(3, mean), -2, v[low]);
    second = fender_vec3_sub(second, v[high]);
    const fender_vec3 third = fender_vec3_add_scaled(fender_vec3_add(v[low], v[high]), -2, mean);
    fender_vec3 way = fender_vec3_add_scaled(fender_vec3_scale(u, v[low]), u * u, second);
    way = fender_vec3_add_scaled(way, u * u * u, third);
    s->p = fender_vec3_add_scaled(x[low], h, way);
    s->v = fender_vec3_add_scaled(fender_vec3_add_scaled(v[low], 2 * u, second), 3 * u * u, third);
}

/* ---- Harmonic motion ---- */

static void harmonic(const fender_sine *sine, double elapsed, fnd_state *s)
{
    const double rate = TWO_PI * sine->frequency;
    double swing, speed;
    fnd_sin_cos(rate * elapsed + sine->phase, &swing, &speed);
    s->p = fender_vec3_add_scaled(s->p, swing, sine->amplitude);
    s->v = fender_vec3_scale(rate * speed, sine->amplitude);
    s->L = fender_vec3_make(0, 0, 0);
    if (sine->angle == 0) return;
    fnd_sin_cos(rate * elapsed + sine->angle_phase, &swing, &speed);
    const fender_vec3 axis = fender_vec3_scale(1 / fender_vec3_length(sine->axis), sine->axis);
    s->L = fender_vec3_scale(sine->angle * rate * speed, fender_quaternion_rotate(s->q, axis));
    s->q = fender_quaternion_normalized(
        fender_quaternion_product(s->q, fnd_rotation_exp(fender_vec3_scale(sine->angle * swing, axis))));
}

/* ---- Commands ---- */

fender_vec3 fnd_rotation_vector(fender_quaternion q)
{
    const fender_vec3 v = fender_vec3_scale(q.w < 0 ? -1 : 1, fender_vec3_make(q.x, q.y, q.z));
    const double length = fender_vec3_length(v);
    return length > 0 ? fender_vec3_scale(2 * fnd_angle(length, fabs(q.w)) / length, v) : v;
}

/* Angular velocity of exp(phi): w = phi' + (1 - cos a) / a^2 phi x phi' + (a - sin a) / a^3 phi x (phi x phi'). */
static fender_vec3 turning_rate(fender_vec3 phi, fender_vec3 rate)
{
    const double square = fender_vec3_dot(phi, phi), a = sqrt(square);
    double first = 0.5 - square / 24, second = 1.0 / 6 - square / 120, sine, cosine;
    if (a > 1e-2) {
        fnd_sin_cos(a, &sine, &cosine);
        first = (1 - cosine) / square;
        second = (a - sine) / (a * square);
    }
    const fender_vec3 across = fender_vec3_cross(phi, rate);
    return fender_vec3_add_scaled(fender_vec3_add_scaled(rate, first, across), second, fender_vec3_cross(phi, across));
}

static void commanded(const fnd_motion *m, double time, fnd_state *s)
{
    double elapsed = time - m->since;
    const fender_vec3 v = s->v, w = s->L;
    if (m->kind == FND_MOTION_STEADY) {
        s->p = fender_vec3_add_scaled(s->p, elapsed, v);
        s->q = fender_quaternion_normalized(
            fender_quaternion_product(fnd_rotation_exp(fender_vec3_scale(elapsed, w)), s->q));
        return;
    }
    if (elapsed > m->duration) elapsed = m->duration;
    const double u = elapsed / m->duration, cube = u * u * u;
    const double way = cube * (10 + u * (-15 + 6 * u)), way_rate = 30 * u * u * (1 - u) * (1 - u) / m->duration;
    const double push = m->duration * (u + cube * (-6 + u * (8 - 3 * u))),
                 push_rate = (1 - u) * (1 - u) * (1 + u * (2 - 15 * u));
    const fender_vec3 gap = fender_vec3_sub(m->to, s->p);
    s->p = fender_vec3_add_scaled(fender_vec3_add_scaled(s->p, way, gap), push, v);
    s->v = fender_vec3_add_scaled(fender_vec3_scale(way_rate, gap), push_rate, v);
    const fender_vec3 phi = fender_vec3_add_scaled(fender_vec3_scale(way, m->turn), push, w);
    const fender_vec3 rate = fender_vec3_add_scaled(fender_vec3_scale(way_rate, m->turn), push_rate, w);
    s->q = fender_quaternion_normalized(fender_quaternion_product(fnd_rotation_exp(phi), s->q));
    s->L = turning_rate(phi, rate);
}

fnd_state fnd_state_prescribed(const fnd_body *body, double time, double piece, double start_time)
{
    assert(body->motion != FENDER_MOTION_DYNAMIC);
    const fnd_motion *m = &body->motion_command;
    const bool told = m->kind != FND_MOTION_PATH;
    fnd_state s = fnd_state_from_structure(body, told ? &m->from : &body->def.state);
    if (body->motion == FENDER_MOTION_FIXED) return s;
    if (told) {
        commanded(m, time, &s);
        return s;
    }
    double elapsed = time - start_time;
    if (body->def.sine.frequency > 0) {
        harmonic(&body->def.sine, elapsed, &s);
        return s;
    }
    s.q = fender_quaternion_normalized(
        fender_quaternion_product(fnd_rotation_exp(fender_vec3_scale(elapsed, s.L)), s.q));
    if (body->path_count == 0) s.p = fender_vec3_add_scaled(s.p, elapsed, s.v);
    else on_path(body, time, isnan(piece) ? time : piece, &s);
    return s;
}

double fnd_motion_kink(const fnd_body *body, double time)
{
    const fnd_motion *m = &body->motion_command;
    if (m->kind == FND_MOTION_MOVE) return m->since + m->duration > time ? m->since + m->duration : (double)INFINITY;
    if (m->kind != FND_MOTION_PATH || body->path_count == 0) return INFINITY;
    const double *t = body->path_times;
    if (time >= t[body->path_count - 1]) return INFINITY;
    int low = -1, high = body->path_count - 1; /* t[low] <= time < t[high] */
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (t[middle] <= time) low = middle;
        else high = middle;
    }
    return t[high];
}
