/* Steps per second of two spheres and of two capsules that meet in free space. */
#include "bench.h"
#include <fender/world.h>
#include <stddef.h>

/* The case of docs/performance.md: 1 kg each, radius 0.1 m, half length 0.2 m, 1 m/s, k = 1e5 N/m, c
 * = 50.45 N*s/m, mu = 0.3, 1 ms, 2,000 steps. */
static fender_world *two_bodies(bool capsules, fender_integrator_method method)
{
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = 1e-3;
    fender_world *world = fender_world_create(&env, &def, &error);
    const fender_law *law = fender_law_find(NULL, "spring_damper");
    unsigned char parameters[256];
    if (!world || !law || law->parameters.size > sizeof parameters) bench_fail("no world or law");
    fender_field_initialize(&law->parameters, parameters);
    const char *const names[] = {"stiffness", "damping", "mu"};
    const double values[] = {1e5, 50.45, 0.3};
    for (int i = 0; i < 3; i++)
        fender_field_set(fender_field_find(&law->parameters, names[i]), parameters, 0, values[i]);
    fender_contact_type_id type;
    fender_contact_type_def type_def = {.name = "contact", .law = law, .law_parameters = parameters};
    fender_rule_def rule = {.kind = FENDER_RULE_DEFAULT};
    if (fender_contact_type_create(world, &type_def, &type, &error)) bench_fail(error.message);
    rule.use = type;
    if (fender_rule_add(world, &rule, NULL, &error)) bench_fail(error.message);
    fender_geometry *geometry = capsules ? fender_geometry_capsule(&env, 0.1, 0.2, &error)
                                         : fender_geometry_sphere(&env, 0.1, &error);
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        body.name = i == 0 ? "a" : "b";
        body.mass_properties.mass = 1;
        body.mass_properties.inertia = capsules ? fender_mat3_diagonal(0.02, 0.02, 0.004)
                                                : fender_mat3_diagonal(0.004, 0.004, 0.004);
        body.state.position = i == 0 ? fender_vec3_make(-0.3, 0.02, 0) : fender_vec3_make(0.3, 0, 0.01);
        body.state.velocity = fender_vec3_make(i == 0 ? 0.5 : -0.5, 0, 0);
        if (i == 0) body.state.angular_velocity = fender_vec3_make(0.5, 0.2, 0.1);
        if (i == 1) /* capsules lie crossed; spheres are turned about z */
            body.state.attitude = capsules ? (fender_quaternion){0.77417, 0.63297, 0, 0}
                                           : (fender_quaternion){0.87758, 0, 0, 0.47943};
        fender_body_id id;
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "hull";
        shape.geometry = geometry;
        if (fender_body_create(world, &body, &id, &error) || fender_shape_create(world, id, &shape, NULL, &error))
            bench_fail(error.message);
    }
    fender_geometry_release(geometry);
    if (fender_world_initialize(world, &error)) bench_fail(error.message);
    return world;
}

int main(void)
{
    const int steps = 2000, rounds = 50;
    printf("two bodies meet in free space, 2,000 steps of 1 ms; steps per second of processor time, median (least .. "
           "most) of %d\n",
           BENCH_REPEATS);
    for (int capsules = 0; capsules < 2; capsules++)
        for (int m = 0; m < 2; m++) {
            fender_error error = {0};
            fender_world *world = two_bodies(capsules,
                                             m == 0 ? FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER : FENDER_INTEGRATOR_RK4);
            fender_snapshot *start = fender_snapshot_take(world, &error);
            bench_sample rate = {{0}, 0};
            int64_t touches = 0;
            for (int r = 0; r < BENCH_REPEATS; r++) {
                double seconds = 0;
                for (int k = 0; k < rounds; k++) {
                    if (fender_snapshot_restore(world, start, &error)) bench_fail(error.message);
                    double begin = bench_now();
                    for (int i = 0; i < steps; i++)
                        if (fender_world_step(world, &error)) bench_fail(error.message);
                    seconds += bench_now() - begin;
                }
                touches = fender_world_event_count(world, FENDER_EVENT_TERMINATE);
                bench_add(&rate, rounds * (double)steps / seconds);
            }
            if (touches < 1) bench_fail("the bodies did not meet");
            printf("  two %-8s %-20s %9.0f  (%.0f .. %.0f)\n", capsules ? "capsules" : "spheres",
                   m == 0 ? "semi-implicit Euler" : "rk4", bench_median(&rate), bench_least(&rate), bench_most(&rate));
            fender_snapshot_destroy(start);
            fender_world_destroy(world);
        }
    return 0;
}
