/* A rigid ellipsoid that rolls on a rigid plane without slip, integrated by itself: what a stiff contact comes near. */
#ifndef VERIF_NO_SLIP_H
#define VERIF_NO_SLIP_H

#include <fender/spatial.h>
#include <math.h>

typedef struct no_slip {
    double mass, gravity;
    fender_mat3 inertia;     /* about the centre of mass */
    fender_vec3 semi_axes;   /* along the body's axes */
    fender_vec3 center;      /* of the ellipsoid, from the centre of mass */
    fender_vec3 up, angular; /* the state, in body axes: the plane's normal, the angular velocity */
} no_slip;

/* From the centre of mass to the touching point, where the normal is `up`, and its rate. */
static inline fender_vec3 no_slip_lever(const no_slip *b, fender_vec3 up, fender_vec3 up_rate, fender_vec3 *rate)
{
    const fender_vec3 a = b->semi_axes;
    fender_vec3 q = {a.x * a.x * up.x, a.y * a.y * up.y, a.z * a.z * up.z};
    fender_vec3 q_rate = {a.x * a.x * up_rate.x, a.y * a.y * up_rate.y, a.z * a.z * up_rate.z};
    double s = sqrt(fender_vec3_dot(up, q)), s_rate = fender_vec3_dot(up, q_rate) / s;
    *rate = fender_vec3_add_scaled(fender_vec3_scale(-1 / s, q_rate), s_rate / (s * s), q);
    return fender_vec3_add_scaled(b->center, -1 / s, q);
}

/* d/dt L = r x (m v' + m g up) with v = r x w: (I - m r x (r x .)) w' = -w x I w + m r x (r' x w + w x (r x w) + g up)
 */
static inline void no_slip_rates(const no_slip *b, fender_vec3 up, fender_vec3 w, fender_vec3 *up_rate,
                                 fender_vec3 *w_rate)
{
    fender_vec3 r_rate;
    *up_rate = fender_vec3_cross(up, w);
    fender_vec3 r = no_slip_lever(b, up, *up_rate, &r_rate);
    fender_vec3 a = fender_vec3_add(fender_vec3_cross(r_rate, w), fender_vec3_cross(w, fender_vec3_cross(r, w)));
    a = fender_vec3_scale(b->mass, fender_vec3_add_scaled(a, b->gravity, up));
    fender_vec3 moment = fender_vec3_sub(fender_vec3_cross(r, a),
                                         fender_vec3_cross(w, fender_mat3_times(&b->inertia, w)));
    const double x[3] = {r.x, r.y, r.z}, r2 = fender_vec3_dot(r, r);
    double m[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m[i][j] = b->inertia.m[i][j] + b->mass * ((i == j ? r2 : 0) - x[i] * x[j]);
    fender_vec3 c[3];
    for (int j = 0; j < 3; j++) c[j] = fender_vec3_make(m[0][j], m[1][j], m[2][j]);
    double det = fender_vec3_dot(c[0], fender_vec3_cross(c[1], c[2]));
    *w_rate = fender_vec3_make(fender_vec3_dot(moment, fender_vec3_cross(c[1], c[2])) / det,
                               fender_vec3_dot(c[0], fender_vec3_cross(moment, c[2])) / det,
                               fender_vec3_dot(c[0], fender_vec3_cross(c[1], moment)) / det);
}

/* One step of the classical Runge-Kutta method. */
static inline void no_slip_step(no_slip *b, double h)
{
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    fender_vec3 up = b->up, w = b->angular, up_rate = {0, 0, 0}, w_rate = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        fender_vec3 u = fender_vec3_add_scaled(up, h * at[i], up_rate),
                    v = fender_vec3_add_scaled(w, h * at[i], w_rate);
        no_slip_rates(b, u, v, &up_rate, &w_rate);
        b->up = fender_vec3_add_scaled(b->up, h * weight[i], up_rate);
        b->angular = fender_vec3_add_scaled(b->angular, h * weight[i], w_rate);
    }
    b->up = fender_vec3_scale(1 / fender_vec3_length(b->up), b->up);
}

static inline double no_slip_spin(const no_slip *b) { return fender_vec3_dot(b->up, b->angular); }

#endif
