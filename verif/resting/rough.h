/* Undamped bodies without friction that fall on uneven ground, rock, hop and slide in it: does their energy stay? */
#ifndef VERIF_ROUGH_H
#define VERIF_ROUGH_H

#include "random_numbers.h"
#include "resting.h"
#include <string.h>

typedef enum rough_solid {
    ROUGH_BOX,
    ROUGH_BRACKET,
    ROUGH_HULL,
    ROUGH_ROUNDED,
    ROUGH_POLYTOPES,
    ROUGH_BALL = ROUGH_POLYTOPES,
    ROUGH_CAPSULE,
    ROUGH_CYLINDER,
    ROUGH_CONE,
    ROUGH_ELLIPSOID,
    ROUGH_SOLIDS
} rough_solid;
static const char *const rough_solid_names[] = {
    "box", "bracket of two boxes", "hull", "rounded box", "ball", "capsule", "cylinder", "cone", "ellipsoid"};

/* A bowl of 1.2 m with bumps, of cells of 6 cm. */
static inline fender_geometry *rough_ground(bool mesh, double bumps)
{
    enum { N = 21 };
    fender_env env = fender_env_default();
    random_stream r = random_of_case(990, 0);
    fender_vec3 v[N * N];
    double heights[N * N];
    int32_t t[2 * (N - 1) * (N - 1)][3];
    for (int j = 0, n = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double x = 0.06 * (i - N / 2), y = 0.06 * (j - N / 2);
            int32_t at = j * N + i;
            heights[at] = 0.4 * (x * x + y * y) + random_between(&r, -bumps, bumps);
            v[at] = fender_vec3_make(x, y, heights[at]);
            if (i + 1 == N || j + 1 == N) continue;
            const int32_t one[2][3] = {{at, at + 1, at + N + 1}, {at, at + N + 1, at + N}};
            memcpy(t[n], one, sizeof one);
            n += 2;
        }
    fender_grid_def grid = {N, N, {-0.06 * (N / 2), -0.06 * (N / 2)}, {0.06, 0.06}, heights};
    fender_mesh_def of = {v, N * N, &t[0][0], 2 * (N - 1) * (N - 1)};
    return mesh ? fender_geometry_mesh(&env, &of, NULL) : fender_geometry_grid(&env, &grid, NULL);
}

/* Largest change of the mechanical energy, as a part of the peak of the kinetic energy. */
static inline double rough_error(bool mesh, rough_solid solid, fender_integrator_method method, double step,
                                 double tolerance, double duration)
{
    fender_env env = fender_env_default();
    fender_vec3 corners[10];
    fender_geometry *g = NULL, *bare;
    switch (solid) {
    case ROUGH_BOX: g = fender_geometry_box(&env, fender_vec3_make(0.1, 0.08, 0.05), NULL); break;
    case ROUGH_BRACKET: g = fender_geometry_box(&env, fender_vec3_make(0.12, 0.06, 0.02), NULL); break;
    case ROUGH_HULL:
        for (int i = 0; i < 10; i++)
            corners[i] = fender_vec3_make((i < 5 ? 0.1 : 0.06) * cos(1.2566370614359172 * i),
                                          (i < 5 ? 0.1 : 0.06) * sin(1.2566370614359172 * i), i < 5 ? -0.05 : 0.05);
        g = fender_geometry_hull(&env, corners, 10, NULL);
        break;
    case ROUGH_ROUNDED:
        bare = fender_geometry_box(&env, fender_vec3_make(0.08, 0.06, 0.04), NULL);
        g = fender_geometry_rounded(bare, 0.01, NULL);
        fender_geometry_release(bare);
        break;
    case ROUGH_BALL: g = fender_geometry_sphere(&env, 0.06, NULL); break;
    case ROUGH_CAPSULE: g = fender_geometry_capsule(&env, 0.04, 0.07, NULL); break;
    case ROUGH_CYLINDER: g = fender_geometry_cylinder(&env, 0.06, 0.06, NULL); break;
    case ROUGH_CONE: g = fender_geometry_cone(&env, 0.08, 0.07, NULL); break;
    case ROUGH_ELLIPSOID: g = fender_geometry_ellipsoid(&env, fender_vec3_make(0.1, 0.07, 0.05), NULL); break;
    case ROUGH_SOLIDS: break;
    }
    resting_set_up s = resting_default(rough_ground(mesh, 0.008), g);
    if (solid == ROUGH_BRACKET) {
        s.second = fender_geometry_box(&env, fender_vec3_make(0.02, 0.06, 0.08), NULL);
        s.second_place = fender_vec3_make(0.10, 0, 0.10);
    }
    s.height = 0.12;
    s.off = fender_vec3_make(0.15, 0.1, 0.3);
    s.velocity = fender_vec3_make(0.2, -0.1, 0);
    s.mu = s.damping_ratio = 0;
    s.method = method;
    s.step = step;
    s.tolerance = tolerance;
    resting r = resting_build(&s);
    double start = resting_energy(&r), worst = 0, peak = 0;
    while (fender_world_time(r.world) < duration) {
        check_ok(fender_world_step(r.world, &error));
        worst = larger(worst, fabs(resting_energy(&r) - start));
        peak = larger(peak, resting_body(&r).kinetic_energy);
    }
    fender_body_data end = resting_body(&r);
    assert_true(end.position.z > 0 && end.position.z < 0.4); /* it has not left the bowl */
    fender_world_destroy(r.world);
    return worst / peak;
}

#endif
