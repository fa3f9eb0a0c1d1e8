/* Distance and depth of convex hulls beside other engines on the same inputs: microseconds per query, cold and
 * coherent, and the error of what each engine says. Ends with the targets, each reached or not. */
#include "hulls/hulls.h"
#include "bench.h"
#include "targets.h"
#include <fender/geometry.h>
#include <math.h>
#include <string.h>

static const int sizes[] = {8, 32, 128, 512};
enum { SIZES = 4, SETS = 4, ENGINES = 8, REPEATS = 3 };
static const char set_names[SETS] = {'a', 'b', 'c', 'd'};
static const char *const set_texts[SETS] = {"a: apart, cold", "b: 0.1 to 20 mm overlap, cold", "c: apart, coherent",
                                            "d: 5 mm overlap, coherent"};

typedef struct fender_peer {
    fender_geometry *geometries[HULLS_SHAPES];
    fender_separation_cache cache;
} fender_peer;

static void *create_fender(const hulls_shape *shapes, int count)
{
    fender_peer *peer = calloc(1, sizeof *peer);
    fender_env env = fender_env_default();
    for (int i = 0; peer && i < count; i++) {
        peer->geometries[i] = fender_geometry_hull(&env, (const fender_vec3 *)(const void *)shapes[i].vertices,
                                                   shapes[i].vertex_count, NULL);
        if (!peer->geometries[i]) bench_fail("no hull");
    }
    return peer;
}

static void answer_of(fender_status status, const fender_separation *s, hulls_answer *answer)
{
    answer->found = status == FENDER_STATUS_OK;
    answer->distance = s->distance;
    answer->normal[0] = s->normal.x, answer->normal[1] = s->normal.y, answer->normal[2] = s->normal.z;
}

static fender_pose pose_of(const hulls_pose *p)
{
    return (fender_pose){{p->p[0], p->p[1], p->p[2]}, {p->q[0], p->q[1], p->q[2], p->q[3]}};
}

static void query_fender(void *data, const hulls_pair *pair, int frame, hulls_answer *answer)
{
    fender_peer *peer = data;
    (void)frame;
    fender_pose a = pose_of(&pair->pose_a), b = pose_of(&pair->pose_b);
    fender_separation s;
    fender_status status = fender_geometry_separation(peer->geometries[pair->a], &a, peer->geometries[pair->b], &b, &s);
    answer_of(status, &s, answer);
}

static void query_fender_cached(void *data, const hulls_pair *pair, int frame, hulls_answer *answer)
{
    fender_peer *peer = data;
    if (frame == 0) memset(&peer->cache, 0, sizeof peer->cache);
    fender_pose a = pose_of(&pair->pose_a), b = pose_of(&pair->pose_b);
    fender_separation s;
    fender_status status = fender_geometry_separation_cached(peer->geometries[pair->a], &a, peer->geometries[pair->b],
                                                             &b, &peer->cache, &s);
    answer_of(status, &s, answer);
}

static void release_fender(void *data)
{
    fender_peer *peer = data;
    for (int i = 0; i < HULLS_SHAPES; i++) fender_geometry_release(peer->geometries[i]);
    free(peer);
}

static const hulls_peer fender_cold = {"Fender", true, true, create_fender, query_fender, release_fender};
static const hulls_peer fender_cached = {"Fender with cache", true,          true, create_fender,
                                         query_fender_cached, release_fender};

typedef struct result {
    bool done;
    double microseconds, least, most, error, normal_error;
    int missed, wrong;
} result;

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static result measure(const hulls_peer *peer, const hulls_shape *shapes, char set, const hulls_pair *pairs, int count)
{
    static hulls_answer answers[HULLS_PAIRS];
    static double errors[HULLS_PAIRS], angles[HULLS_PAIRS];
    result r = {.done = true};
    bool cohere = set == 'c' || set == 'd', overlap = set == 'b' || set == 'd';
    void *data = peer->create(shapes, HULLS_SHAPES);
    if (!data) bench_fail("an engine did not start");
    bench_sample sample = {.count = 0};
    for (int k = 0; k < REPEATS; k++) {
        double start = bench_now();
        for (int i = 0; i < count; i++) peer->query(data, &pairs[i], cohere ? i % HULLS_FRAMES : 0, &answers[i]);
        bench_add(&sample, 1e6 * (bench_now() - start) / count);
    }
    peer->release(data);
    r.microseconds = bench_median(&sample), r.least = bench_least(&sample), r.most = bench_most(&sample);
    int certified = 0;
    for (int i = 0; i < count; i++) {
        const hulls_answer *a = &answers[i];
        if (!a->found || !isfinite(a->distance)) r.missed++;
        else if ((a->distance < 0) != overlap) r.wrong++;
        if (!a->found || !pairs[i].certified || !isfinite(a->distance)) continue;
        double n = sqrt(a->normal[0] * a->normal[0] + a->normal[1] * a->normal[1] + a->normal[2] * a->normal[2]), e = 0;
        for (int k = 0; k < 3; k++)
            e += (a->normal[k] / n - pairs[i].normal[k]) * (a->normal[k] / n - pairs[i].normal[k]);
        errors[certified] = fabs(a->distance - pairs[i].distance);
        angles[certified++] = sqrt(e);
    }
    qsort(errors, (size_t)certified, sizeof errors[0], by_size);
    qsort(angles, (size_t)certified, sizeof angles[0], by_size);
    r.error = certified ? errors[certified - 1] : NAN;
    r.normal_error = certified ? angles[(certified - 1) * 99 / 100] : NAN;
    return r;
}

static const hulls_peer *const engines[ENGINES] = {
    &fender_cold,   &fender_cached,
#ifdef FENDER_BENCH_HULLS_BULLET
    &hulls_bullet,
#endif
#ifdef FENDER_BENCH_HULLS_FCL
    &hulls_fcl,     &hulls_fcl_tight,
#endif
#ifdef FENDER_BENCH_HULLS_CCD
    &hulls_ccd_epa, &hulls_ccd_mpr,
#endif
#ifdef FENDER_BENCH_HULLS_ODE
    &hulls_ode,
#endif
};

/* Microseconds on the machine where the targets were set, and what Bullet took there. */
static const double targets[SETS][SIZES] = {
    {0.40, 0.80, 1.5, 2.4}, {0.8, 1.5, 2.0, 3.3}, {0.18, 0.28, 0.5, 0.9}, {NAN, NAN, NAN, NAN}};
static const double bullet_there[SETS][SIZES] = {
    {1.06, 2.45, 8.2, 33.5}, {3.41, 6.49, 19.5, 68.7}, {0.851, 2.06, 7.12, 26.8}, {2.93, 6.24, 18.5, 68.9}};

/* Speed as rates beside Bullet's of this run, wanted as many times faster as the target asks for. */
static void add_targets(result results[SETS][ENGINES][SIZES])
{
    int bullet = -1;
    for (int e = 0; e < ENGINES; e++)
        if (engines[e] && strcmp(engines[e]->name, "Bullet") == 0) bullet = e;
    for (int s = 0; s < SETS; s++)
        for (int v = 0; v < SIZES; v++) {
            const result *own = &results[s][set_names[s] == 'c' ? 1 : 0][v];
            if (isnan(targets[s][v])) continue;
            char work[64];
            snprintf(work, sizeof work, "%s, V = %d", set_texts[s] + 3, sizes[v]);
            double peer = bullet < 0 ? 0 : results[s][bullet][v].microseconds;
            targets_add(work, "M/s", 1 / own->microseconds, "Bullet", peer > 0 ? 1 / peer : 0,
                        bullet_there[s][v] / targets[s][v]);
        }
}

/* The targets; then the errors. */
static void print_targets(result results[SETS][ENGINES][SIZES])
{
    double error = 0, angle = 0;
    int missed = 0, wrong = 0;
    for (int s = 0; s < SETS; s++)
        for (int v = 0; v < SIZES; v++) {
            const result *own = &results[s][set_names[s] == 'c' ? 1 : 0][v];
            error = own->error > error ? own->error : error;
            angle = own->normal_error > angle ? own->normal_error : angle;
            missed += own->missed, wrong += own->wrong;
        }
    targets_print();
    bool exact = error <= 1e-12 && !missed && !wrong;
    printf("%-36s %12.2g %-8s %31s %8.0e  %s\n", "greatest error of a distance", error, "m", "", 1e-12,
           exact ? "reached" : "not reached");
    printf("%-36s %12.2g %-8s %31s %8.0e  %s\n", "normal, 99 %", angle, "rad", "", 1e-12,
           angle <= 1e-12 ? "reached" : "not reached");
}

int main(int argc, char **argv)
{
    static hulls_pair pairs[HULLS_PAIRS];
    static hulls_shape shapes[HULLS_SHAPES];
    static result results[SETS][ENGINES][SIZES];
    int count = HULLS_PAIRS, missing = 0;
    const char *only = argc > 1 ? argv[1] : NULL; /* an engine's name: for profiling */
    printf("convex hulls: %d shapes, %d pairs each; microseconds of processor time per query, median of %d in the last "
           "of %d runs\n",
           HULLS_SHAPES, count, REPEATS, only ? 1 : BENCH_RUNS);
    for (int k = 0; k < SIZES * (only ? 1 : BENCH_RUNS); k++) { /* all sizes, in each run */
        const int v = k % SIZES;
        if (!hulls_make_shapes(sizes[v], shapes)) bench_fail("no shapes");
        for (int s = 0; s < SETS; s++) {
            bool overlap = set_names[s] == 'b' || set_names[s] == 'd';
            if (!hulls_make_pairs(shapes, set_names[s], sizes[v] > 100 ? 20 : 1, pairs, count)) bench_fail("no pairs");
            for (int e = 0; e < ENGINES; e++) {
                if (!engines[e] || !(overlap ? engines[e]->overlapping : engines[e]->apart)) continue;
                if (only && strcmp(only, engines[e]->name) != 0) continue;
                results[s][e][v] = measure(engines[e], shapes, set_names[s], pairs, count);
            }
        }
        hulls_release_shapes(shapes);
        if (v == SIZES - 1 && !only) add_targets(results);
    }
    for (int s = 0; s < SETS; s++) {
        printf("\n%-30s", set_texts[s]);
        for (int v = 0; v < SIZES; v++) printf("   V = %3d", sizes[v]);
        printf("   spread   greatest error (m)   normal, 99 %% (rad)   missed, wrong sign\n");
        for (int e = 0; e < ENGINES; e++) {
            if (!engines[e] || !results[s][e][0].done) continue;
            double spread = 0, error = 0, angle = 0;
            int missed = 0, wrong = 0;
            printf("  %-28s", engines[e]->name);
            for (int v = 0; v < SIZES; v++) {
                const result *r = &results[s][e][v];
                printf("  %8.3f", r->microseconds);
                spread = r->most / r->least - 1 > spread ? r->most / r->least - 1 : spread;
                error = r->error > error ? r->error : error;
                angle = r->normal_error > angle ? r->normal_error : angle;
                missed += r->missed, wrong += r->wrong;
            }
            printf("   %5.0f%%   %12.2g   %20.2g   %13d, %d\n", 100 * spread, error, angle, missed, wrong);
        }
    }
    if (!only) print_targets(results);
    for (int e = 0; e < ENGINES; e++) missing += !engines[e];
    if (missing)
        printf("\nFAILED: %d of %d engines are missing; run scripts/install_dependencies bench\n", missing, ENGINES);
    return missing && !only;
}
