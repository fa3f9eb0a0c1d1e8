/* Torque-free tumbling of a body with moments 1, 2, 3 kg m^2: a run, and what it lost of energy and angular momentum.
 */
#ifndef VERIF_TUMBLING_H
#define VERIF_TUMBLING_H

#include "check.h"
#include "scene.h"
#include <string.h>

typedef struct tumbling {
    double energy, size, direction; /* largest drift: relative, relative, rad */
    int flips;                      /* changes of sign of the rate about the middle axis */
    double first_flip, last_flip;   /* s */
} tumbling;

static const double tumbling_moments[] = {1, 2, 3};

/* All from attitude and angular velocity, not from the angular momentum that is integrated. */
static inline void tumbling_measure(const fender_world *world, double *energy, fender_vec3 *L, fender_vec3 *w)
{
    fender_body_data d = scene_body_data(world, 0);
    *w = d.angular_velocity;
    fender_vec3 L_B = {tumbling_moments[0] * w->x, tumbling_moments[1] * w->y, tumbling_moments[2] * w->z};
    *energy = 0.5 * fender_vec3_dot(*w, L_B);
    *L = fender_quaternion_rotate(d.attitude, L_B);
}

static inline tumbling tumbling_run(fender_integrator_method method, double step, int steps, fender_vec3 w)
{
    scene s;
    memset(&s, 0, sizeof s);
    s.world = fender_world_def_default();
    s.world.method = method;
    s.world.step = step;
    s.body_count = 1;
    s.bodies[0] = scene_ball(0, 1, 1);
    s.bodies[0].mass_properties.inertia = fender_mat3_diagonal(tumbling_moments[0], tumbling_moments[1],
                                                               tumbling_moments[2]);
    s.bodies[0].state.angular_velocity = w;
    fender_world *world = scene_build(&s);
    tumbling t = {0, 0, 0, 0, 0, 0};
    double energy, now;
    fender_vec3 L, L_now, last;
    tumbling_measure(world, &energy, &L, &last);
    double size = fender_vec3_length(L);
    for (int done = 0; done < steps;) {
        int part = steps - done < 10 ? steps - done : 10;
        check_ok(fender_world_advance(world, part, &error));
        done += part;
        tumbling_measure(world, &now, &L_now, &w);
        t.energy = larger(t.energy, fabs(now - energy) / energy);
        t.size = larger(t.size, fabs(fender_vec3_length(L_now) - size) / size);
        double sine = fender_vec3_length(fender_vec3_cross(L, L_now)) / (size * size);
        t.direction = larger(t.direction, sine);
        if ((w.y > 0) != (last.y > 0)) {
            if (t.flips++ == 0) t.first_flip = done * step;
            t.last_flip = done * step;
        }
        last = w;
    }
    printf("%-15s %g s in steps of %g s: energy %.1e, |L| %.1e, direction of L %.1e rad; %d flips\n",
           fender_integrator_name(method), steps * step, step, t.energy, t.size, t.direction, t.flips);
    fender_world_destroy(world);
    return t;
}

/* Time from flip to flip: half a period of the Jacobi elliptic functions that solve Euler's equations, by the
 * arithmetic-geometric mean. Landau and Lifshitz, Mechanics, 37. */
static inline double tumbling_interval(fender_vec3 w)
{
    const double *I = tumbling_moments;
    double M2 = I[0] * I[0] * w.x * w.x + I[1] * I[1] * w.y * w.y + I[2] * I[2] * w.z * w.z;
    double e = I[0] * w.x * w.x + I[1] * w.y * w.y + I[2] * w.z * w.z; /* twice the energy */
    /* the axis of the greatest moment leads when M2 > 2 E I2: then k^2 = (I2-I1)(2E I3-M2)/((I3-I2)(M2-2E I1)) */
    double a = e * I[2] - M2, b = M2 - e * I[0];
    /* M2 - 2 E I2 without the cancellation */
    double split = I[2] * (I[2] - I[1]) * w.z * w.z - I[0] * (I[1] - I[0]) * w.x * w.x;
    double rate2, complement; /* 1 - k^2 */
    if (split > 0) {
        rate2 = (I[2] - I[1]) * b / (I[0] * I[1] * I[2]);
        complement = split * (I[2] - I[0]) / ((I[2] - I[1]) * b);
    } else {
        rate2 = (I[1] - I[0]) * a / (I[0] * I[1] * I[2]);
        complement = -split * (I[2] - I[0]) / ((I[1] - I[0]) * a);
    }
    double x = 1, y = sqrt(complement);
    for (int i = 0; i < 40; i++) {
        double mean = 0.5 * (x + y);
        y = sqrt(x * y);
        x = mean;
    }
    return 2 * (1.57079632679489662 / x) / sqrt(rate2);
}

#endif
