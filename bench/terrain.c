/* Rays and nearest points on a terrain of a million triangles, beside Embree, CGAL, Bullet, ODE and FCL: rates, time
 * and memory to build, and errors against answers in long double. Fender's batches are judged beside Embree's best of
 * packets and streams. usage: fender_bench_terrain [ENGINE] */
#include "terrain/terrain.h"
#include "bench.h"
#include "targets.h"
#include <fender/geometry.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { REPEATS = 3, OWN = 4, ENGINES = OWN + 7 };

/* ---- Fender: as a mesh, and as a grid */

typedef struct own {
    fender_geometry *geometry;
} own;
static size_t held, most_frozen;
static fender_allocator usual;

static void *own_allocate(void *data, size_t size, size_t alignment)
{
    (void)data;
    held += size;
    most_frozen = held > most_frozen ? held : most_frozen;
    return usual.allocate(usual.ctx, size, alignment);
}
static void own_release(void *data, void *memory, size_t size)
{
    (void)data;
    held -= memory ? size : 0;
    usual.release(usual.ctx, memory, size);
}

static fender_env own_env(void)
{
    fender_env env = fender_env_default();
    usual = env.allocator;
    env.allocator = (fender_allocator){.allocate = own_allocate, .release = own_release};
    held = most_frozen = 0;
    return env;
}

static void *keep_own(fender_geometry *geometry)
{
    own *o = malloc(sizeof *o);
    if (!o || !geometry) bench_fail("no geometry");
    o->geometry = geometry;
    return o;
}

static void *create_mesh(const terrain *t)
{
    fender_env env = own_env();
    fender_vec3 *vertices = malloc((size_t)t->vertex_count * sizeof *vertices);
    if (!vertices) bench_fail("no memory");
    for (int i = 0; i < t->vertex_count; i++)
        vertices[i] = fender_vec3_make(t->vertices[i][0], t->vertices[i][1], t->vertices[i][2]);
    fender_mesh_def def = {vertices, t->vertex_count, t->triangles[0], t->triangle_count};
    void *o = keep_own(fender_geometry_mesh(&env, &def, NULL));
    free(vertices);
    return o;
}

static void *create_grid(const terrain *t)
{
    fender_env env = own_env();
    fender_grid_def def = {TERRAIN_X, TERRAIN_Y, {0, 0}, {0.1, 0.1}, t->heights};
    return keep_own(fender_geometry_grid(&env, &def, NULL));
}

enum { BATCH = 1000 };

static void own_cast_many(void *data, const terrain_ray *rays, int count, double *distances)
{
    const fender_geometry *g = ((own *)data)->geometry;
    static fender_ray batch[BATCH];
    static fender_ray_hit hits[BATCH];
    fender_pose pose = fender_pose_identity();
    for (int first = 0; first < count; first += BATCH) {
        for (int i = 0; i < BATCH; i++) {
            const double *o = rays[first + i].origin, *d = rays[first + i].direction;
            batch[i] = (fender_ray){{o[0], o[1], o[2]}, {d[0], d[1], d[2]}, INFINITY};
        }
        if (fender_geometry_ray_cast_many(g, &pose, batch, BATCH, hits) != FENDER_STATUS_OK) bench_fail("a ray failed");
        for (int i = 0; i < BATCH; i++) distances[first + i] = hits[i].hit ? hits[i].distance : -1;
    }
}

static void own_cast(void *data, const terrain_ray *rays, int count, double *distances)
{
    const fender_geometry *g = ((own *)data)->geometry;
    fender_pose pose = fender_pose_identity();
    for (int i = 0; i < count; i++) {
        const double *o = rays[i].origin, *d = rays[i].direction;
        fender_ray ray = {{o[0], o[1], o[2]}, {d[0], d[1], d[2]}, INFINITY};
        fender_ray_hit hit;
        if (fender_geometry_ray_cast(g, &pose, &ray, &hit) != FENDER_STATUS_OK) bench_fail("a ray failed");
        distances[i] = hit.hit ? hit.distance : -1;
    }
}

static void own_nearest_many(void *data, double (*points)[3], int count, double *distances)
{
    const fender_geometry *g = ((own *)data)->geometry;
    static fender_vec3 batch[BATCH];
    static fender_nearest nearest[BATCH];
    fender_pose pose = fender_pose_identity();
    for (int first = 0; first < count; first += BATCH) {
        for (int i = 0; i < BATCH; i++)
            batch[i] = fender_vec3_make(points[first + i][0], points[first + i][1], points[first + i][2]);
        if (fender_geometry_nearest_points(g, &pose, batch, BATCH, INFINITY, nearest) != FENDER_STATUS_OK)
            bench_fail("a point failed");
        for (int i = 0; i < BATCH; i++) distances[first + i] = fabs(nearest[i].distance);
    }
}

static void own_nearest(void *data, double (*points)[3], int count, double *distances)
{
    const fender_geometry *g = ((own *)data)->geometry;
    fender_pose pose = fender_pose_identity();
    for (int i = 0; i < count; i++) {
        fender_vec3 p = {points[i][0], points[i][1], points[i][2]};
        fender_nearest nearest;
        if (fender_geometry_nearest_point(g, &pose, p, INFINITY, &nearest) != FENDER_STATUS_OK)
            bench_fail("a point failed");
        distances[i] = fabs(nearest.distance);
    }
}

static void own_free(void *data)
{
    fender_geometry_release(((own *)data)->geometry);
    free(data);
}

static const terrain_peer fender_peers[] = {
    {"Fender mesh, many", create_mesh, own_cast_many, own_nearest_many, own_free, 0},
    {"Fender grid, many", create_grid, own_cast_many, own_nearest_many, own_free, 0},
    {"Fender mesh", create_mesh, own_cast, own_nearest, own_free, 0},
    {"Fender grid", create_grid, own_cast, own_nearest, own_free, 0},
};

static const terrain_peer *const engines[ENGINES] = {
    &fender_peers[0],   &fender_peers[1],   &fender_peers[2],   &fender_peers[3],
#ifdef FENDER_BENCH_TERRAIN_EMBREE
    &terrain_embree[0], &terrain_embree[1], &terrain_embree[2],
#endif
#ifdef FENDER_BENCH_TERRAIN_CGAL
    &terrain_cgal,
#endif
#ifdef FENDER_BENCH_TERRAIN_BULLET
    &terrain_bullet,
#endif
#ifdef FENDER_BENCH_TERRAIN_ODE
    &terrain_ode,
#endif
#ifdef FENDER_BENCH_TERRAIN_FCL
    &terrain_fcl,
#endif
};

/* ---- measuring */

enum { COHERENT, INCOHERENT, NEAREST, TASKS };
static const char *const task_names[TASKS] = {"coherent rays", "incoherent rays", "nearest points"};
typedef struct result {
    double rate[TASKS], spread[TASKS], error[TASKS]; /* per second; m */
    int wrong[TASKS];                                /* hits for misses and misses for hits */
    double build, memory, peak;                      /* s, MB; peak: of Fender alone */
} result;
typedef struct inputs {
    terrain *ground;
    terrain_ray *rays[2];
    double (*points)[3], *answers, *truth[TASKS];
} inputs;

static double resident_megabytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0, all = 0;
    if (!file) return NAN;
    if (fscanf(file, "%ld %ld", &all, &pages) != 2) pages = 0;
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) * 1e-6;
}

static void run(const terrain_peer *peer, void *data, int task, const inputs *in, int count)
{
    if (task == NEAREST) peer->find_nearest(data, in->points, count, in->answers);
    else peer->cast(data, in->rays[task], count, in->answers);
}

static void measure(const terrain_peer *peer, const inputs *in, const char *only, result *r)
{
    double before = resident_megabytes(), start = bench_now();
    void *data = peer->create(in->ground);
    r->build = bench_now() - start;
    r->memory = resident_megabytes() - before;
    bool is_own = peer >= fender_peers && peer < fender_peers + OWN;
    if (is_own) r->memory = 1e-6 * (double)held, r->peak = 1e-6 * (double)most_frozen;
    for (int task = 0; task < TASKS; task++) {
        if (task == NEAREST ? !peer->find_nearest : !peer->cast) continue;
        int count = task != NEAREST ? TERRAIN_RAYS : peer->nearest_count ? peer->nearest_count : TERRAIN_POINTS;
        bench_sample sample = {.count = 0};
        for (int i = 0; i < (only ? 1 : REPEATS); i++) {
            start = bench_now();
            run(peer, data, task, in, count);
            bench_add(&sample, bench_now() - start);
        }
        r->rate[task] = count / bench_median(&sample);
        r->spread[task] = bench_most(&sample) / bench_least(&sample) - 1;
        int all = task == NEAREST ? TERRAIN_POINTS : TERRAIN_RAYS;
        for (int i = 0; i < TERRAIN_CHECKED; i++) {
            int at = (int)((long)i * all / TERRAIN_CHECKED);
            if (at >= count) break;
            double truth = in->truth[task][i];
            const double *d = in->rays[task == NEAREST ? 0 : task][at].direction; /* the others count in its length */
            if (task != NEAREST && is_own && truth >= 0) truth *= sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            double error = fabs(in->answers[at] - truth);
            if ((truth < 0) != (in->answers[at] < 0)) r->wrong[task]++;
            else if (truth >= 0 && error > r->error[task]) r->error[task] = error;
        }
    }
    peer->release(data);
}

static void prepare(inputs *in)
{
    in->ground = terrain_make();
    if (!in->ground) bench_fail("no terrain");
    for (int i = 0; i < 2; i++) {
        in->rays[i] = malloc(TERRAIN_RAYS * sizeof *in->rays[i]);
        if (!in->rays[i]) bench_fail("no memory");
        terrain_make_rays(in->ground, i == COHERENT, in->rays[i], TERRAIN_RAYS);
    }
    in->points = malloc(TERRAIN_POINTS * sizeof *in->points);
    in->answers = malloc(TERRAIN_RAYS * sizeof *in->answers);
    if (!in->points || !in->answers) bench_fail("no memory");
    terrain_make_points(in->ground, in->points, TERRAIN_POINTS);
    for (int task = 0; task < TASKS; task++) {
        in->truth[task] = malloc(TERRAIN_CHECKED * sizeof *in->truth[task]);
        if (!in->truth[task]) bench_fail("no memory");
        for (int i = 0; i < TERRAIN_CHECKED; i++) {
            long all = task == NEAREST ? TERRAIN_POINTS : TERRAIN_RAYS;
            int at = (int)(i * all / TERRAIN_CHECKED);
            in->truth[task][i] = task == NEAREST ? terrain_true_distance(in->ground, in->points[at])
                                                 : terrain_true_hit(in->ground, &in->rays[task][at]);
        }
    }
}

static void finish(inputs *in)
{
    for (int task = 0; task < TASKS; task++) free(in->truth[task]);
    for (int i = 0; i < 2; i++) free(in->rays[i]);
    free(in->points);
    free(in->answers);
    terrain_free(in->ground);
}

static const result *result_of(const result *results, const char *name)
{
    static const result none;
    for (int e = 0; e < ENGINES; e++)
        if (engines[e] && strcmp(engines[e]->name, name) == 0) return &results[e];
    return &none;
}

static void add_targets(const result *results)
{
    static const char *const batches[] = {"Embree", "Embree, packets", "Embree, stream"};
    const result *best;
    double exact = 0; /* the fastest of the others at nearest points */
    const char *exact_name = "Embree";
    for (int e = OWN; e < ENGINES; e++) {
        if (!engines[e] || !(results[e].rate[NEAREST] > exact)) continue;
        exact = results[e].rate[NEAREST];
        exact_name = engines[e]->name;
    }
    for (int e = 0; e < OWN; e++) {
        const char *kind = engines[e]->name + strlen("Fender ");
        char work[64];
        best = &results[e];
        const bool many = strstr(kind, "many") != NULL;
        for (int task = 0; task < NEAREST; task++) {
            int first = 0; /* Embree's single rays beside single rays, its fastest way beside batches */
            for (int i = 1; i < (many ? 3 : 0); i++)
                if (result_of(results, batches[i])->rate[task] > result_of(results, batches[first])->rate[task])
                    first = i;
            snprintf(work, sizeof work, "%s, %s", task_names[task], kind);
            targets_add(work, "M/s", 1e-6 * best->rate[task], many ? "Embree, best" : "Embree",
                        1e-6 * result_of(results, batches[first])->rate[task], 1);
        }
        snprintf(work, sizeof work, "%s, %s", task_names[NEAREST], kind);
        targets_add(work, "k/s", 1e-3 * best->rate[NEAREST], exact_name, 1e-3 * exact, 2);
    }
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : NULL; /* an engine's name: for profiling */
    inputs in;
    static result results[ENGINES];
    int missing = 0;
    prepare(&in);
    printf("terrain of %d triangles, %g to %g m high; %d rays, %d points; processor time, median of %d in the last of "
           "%d runs\n",
           in.ground->triangle_count, in.ground->lowest, in.ground->highest, TERRAIN_RAYS, TERRAIN_POINTS, REPEATS,
           only ? 1 : BENCH_RUNS);
    for (int e = 0; e < ENGINES; e++) missing += !engines[e];
    for (int run = 0; run < (only ? 1 : BENCH_RUNS); run++) {
        memset(results, 0, sizeof results);
        for (int e = 0; e < ENGINES; e++)
            if (engines[e] && (!only || strcmp(only, engines[e]->name) == 0))
                measure(engines[e], &in, only, &results[e]);
        if (!only) add_targets(results);
    }
    for (int task = 0; task < TASKS; task++) {
        printf("\n%-18s %12s %10s %8s %18s %14s\n", task_names[task], "k/s", "us", "spread", "greatest error (m)",
               "hit or missed");
        for (int e = 0; e < ENGINES; e++) {
            const result *r = &results[e];
            if (!engines[e] || !(r->rate[task] > 0)) continue;
            printf("  %-16s %12.1f %10.3f %7.0f%% %18.2g %14d\n", engines[e]->name, 1e-3 * r->rate[task],
                   1e6 / r->rate[task], 100 * r->spread[task], r->error[task], r->wrong[task]);
        }
    }
    printf("\n%-18s %12s %10s %18s\n", "building", "s", "MB", "at most (MB)");
    for (int e = 0; e < ENGINES; e++) {
        if (!engines[e] || !(results[e].build > 0)) continue;
        printf("  %-16s %12.3f %10.1f", engines[e]->name, results[e].build, results[e].memory);
        if (results[e].peak > 0) printf(" %18.1f", results[e].peak);
        printf("\n");
    }
    printf(
        "Fender, ODE, Bullet, CGAL and FCL take doubles, Embree and ODE's tree floats. \"many\": rays and points in\n"
        "batches of %d. A grid is solid ground with walls, which some rays from outside hit.\n",
        BATCH);
    finish(&in);
    if (!only) targets_print();
    if (missing)
        printf("\nFAILED: %d of %d engines are missing; run scripts/install_dependencies bench\n", missing, ENGINES);
    return missing && !only;
}
