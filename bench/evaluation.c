/* Cost of one evaluation for N spheres, near and far, beside what JEOD's check_contact costs. */
#include "bench.h"
#include <fender/fender.h>
#include <math.h>
#include <stddef.h>

/* Microseconds of one check_contact call of JEOD 5.3 with N spheres, all pairs registered, none touching; measured
 * once, on another machine: orders of magnitude only. 0: not measured. */
typedef struct jeod_figure {
    int count;
    double microseconds;
} jeod_figure;
static const jeod_figure jeod[] = {{2, 0.087},   {10, 4.18}, {50, 117}, {100, 470}, {200, 2030},
                                   {500, 12400}, {1000, 0},  {2000, 0}, {5000, 0},  {10000, 0}};

/* N spheres of radius 0.5 m on a cubic lattice; `pitch` 0.99 m: each touches up to six others; 1.2 m: near misses; 100
 * m: far apart. */
static fender_world *lattice(int count, double pitch, int threads)
{
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.threads = threads;
    fender_world *world = fender_world_create(&env, &def, &error);
    const fender_law *law = fender_law_find(NULL, "spring_damper");
    unsigned char parameters[256];
    if (!world || !law || law->parameters.size > sizeof parameters) bench_fail("no world or law");
    (void)fender_field_initialize(&law->parameters, parameters, sizeof parameters, NULL);
    fender_field_set(fender_field_find(&law->parameters, "stiffness"), parameters, 0, 1e4);
    fender_contact_type_def type_def = {
        .size = sizeof(fender_contact_type_def), .name = "contact", .law = law, .law_parameters = parameters};
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
    if (fender_contact_type_create(world, &type_def, &rule.use, &error) ||
        fender_rule_create(world, &rule, NULL, &error))
        bench_fail(error.message);
    fender_geometry *ball = fender_geometry_sphere(&env, 0.5, &error);
    int side = (int)ceil(cbrt((double)count));
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "ball_%d", i);
        fender_body_def body = fender_body_def_default();
        body.name = name;
        body.mass_properties.mass = 1;
        body.mass_properties.inertia = fender_mat3_diagonal(0.1, 0.1, 0.1);
        body.state.position = fender_vec3_make(pitch * (i % side), pitch * (i / side % side),
                                               pitch * (i / side / side));
        fender_body_id id;
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "hull";
        shape.geometry = ball;
        if (fender_body_create(world, &body, &id, &error) || fender_shape_create(world, id, &shape, NULL, &error))
            bench_fail(error.message);
    }
    fender_geometry_release(ball);
    if (fender_world_initialize(world, &error)) bench_fail(error.message);
    return world;
}

/* Microseconds of one evaluation at the initial state. */
static double evaluation_cost(fender_world *world, int count)
{
    fender_error error = {0};
    int calls = 200000 / count + 1;
    bench_sample cost = {{0}, 0};
    for (int r = 0; r < BENCH_REPEATS; r++) {
        double begin = bench_now();
        for (int i = 0; i < calls; i++)
            if (fender_world_evaluate(world, &error)) bench_fail(error.message);
        bench_add(&cost, 1e6 * (bench_now() - begin) / calls);
    }
    return bench_median(&cost);
}

/* The same by wall time, of which the least counts: several threads need as many idle cores. */
static double least_wall_time(int count, int threads)
{
    fender_error error = {0};
    fender_world *world = lattice(count, 0.99, threads);
    double least = INFINITY;
    for (int r = 0; r < 20 * BENCH_REPEATS; r++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        if (fender_world_evaluate(world, &error)) bench_fail(error.message);
        clock_gettime(CLOCK_MONOTONIC, &end);
        double time = 1e6 * (double)(end.tv_sec - begin.tv_sec) + 1e-3 * (double)(end.tv_nsec - begin.tv_nsec);
        if (time < least) least = time;
    }
    fender_world_destroy(world);
    return least;
}

int main(void)
{
    printf("one evaluation of N spheres: microseconds of processor time, median of %d; building and first evaluation "
           "once\n",
           BENCH_REPEATS);
    printf("%7s %10s %12s %12s %9s %12s %12s %10s\n", "N", "build s", "far us", "near us", "contacts", "touching us",
           "ns/body far", "JEOD us");
    for (size_t k = 0; k < sizeof jeod / sizeof jeod[0]; k++) {
        int n = jeod[k].count;
        double begin = bench_now();
        fender_world *far = lattice(n, 100.0, 1);
        double build = bench_now() - begin;
        fender_world *near = lattice(n, 1.2, 1), *touching = lattice(n, 0.99, 1);
        double far_cost = evaluation_cost(far, n), near_cost = evaluation_cost(near, n),
               touch_cost = evaluation_cost(touching, n);
        printf("%7d %10.4f %12.3f %12.3f %9d %12.3f %12.1f", n, build, far_cost, near_cost,
               fender_contact_count(touching, FENDER_CLOCK_COMMITTED), touch_cost, 1e3 * far_cost / n);
        if (jeod[k].microseconds > 0) printf(" %10.3g\n", jeod[k].microseconds);
        else printf(" %10s\n", "-");
        fender_world_destroy(far);
        fender_world_destroy(near);
        fender_world_destroy(touching);
    }
    printf("threads in one world: 10,000 spheres that touch, least wall time of an evaluation:");
    for (int threads = 1; threads <= 2; threads++) printf(" %d: %.0f us", threads, least_wall_time(10000, threads));
    printf("\n");
    return 0;
}
