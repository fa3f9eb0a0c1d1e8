/* Contacts of a sphere, a box and a hull of 32 vertices with a terrain of a million triangles, beside other engines on
 * the same inputs: microseconds per query, from poses to contacts. Ends with the targets, each reached or not. */
#include "surfaces/surfaces.h"
#include "bench.h"
#include "targets.h"
#include <fender/geometry.h>
#include <math.h>

enum { ENGINES = 5, REPEATS = 3 };
static const char *const body_names[SURFACES_BODIES] = {"ball", "box", "hull of 32"};

typedef struct fender_peer {
    fender_geometry *ground, *bodies[SURFACES_BODIES];
} fender_peer;

static fender_peer *create_fender(const terrain *t, const surfaces_shape *shapes, bool grid)
{
    fender_peer *peer = calloc(1, sizeof *peer);
    fender_env env = fender_env_default();
    fender_mesh_def mesh = {(const fender_vec3 *)(const void *)t->vertices, t->vertex_count, &t->triangles[0][0],
                            t->triangle_count};
    fender_grid_def raster = {TERRAIN_X, TERRAIN_Y, {0, 0}, {0.1, 0.1}, t->heights};
    peer->ground = grid ? fender_geometry_grid(&env, &raster, NULL) : fender_geometry_mesh(&env, &mesh, NULL);
    peer->bodies[0] = fender_geometry_sphere(&env, shapes[0].radius, NULL);
    peer->bodies[1] = fender_geometry_box(&env, (fender_vec3){shapes[1].half[0], shapes[1].half[1], shapes[1].half[2]},
                                          NULL);
    peer->bodies[2] = fender_geometry_hull(&env, (const fender_vec3 *)(const void *)shapes[2].hull.vertices,
                                           shapes[2].hull.vertex_count, NULL);
    for (int i = 0; i < SURFACES_BODIES; i++)
        if (!peer->ground || !peer->bodies[i]) bench_fail("no geometry");
    return peer;
}
static void *create_mesh(const terrain *t, const surfaces_shape *shapes) { return create_fender(t, shapes, false); }
static void *create_grid(const terrain *t, const surfaces_shape *shapes) { return create_fender(t, shapes, true); }

static void query_fender(void *data, surfaces_body body, const hulls_pose *pose, surfaces_answer *answer)
{
    fender_peer *peer = data;
    static fender_separation contacts[SURFACES_CONTACTS];
    fender_pose ground = {{0, 0, 0}, {1, 0, 0, 0}};
    fender_pose x = {{pose->p[0], pose->p[1], pose->p[2]}, {pose->q[0], pose->q[1], pose->q[2], pose->q[3]}};
    if (fender_geometry_contacts(peer->ground, &ground, peer->bodies[body], &x, FENDER_CONTACT_POINTS_PATCH, 0,
                                 contacts, SURFACES_CONTACTS, &answer->contacts) != FENDER_STATUS_OK)
        bench_fail("a query of Fender");
    answer->depth = 0;
    for (int i = 0; i < answer->contacts && i < SURFACES_CONTACTS; i++)
        if (-contacts[i].distance > answer->depth) answer->depth = -contacts[i].distance;
}

static void release_fender(void *data)
{
    fender_peer *peer = data;
    fender_geometry_release(peer->ground);
    for (int i = 0; i < SURFACES_BODIES; i++) fender_geometry_release(peer->bodies[i]);
    free(peer);
}

static const surfaces_peer fender_mesh = {"Fender", create_mesh, query_fender, release_fender};
static const surfaces_peer fender_grid = {"Fender, grid", create_grid, query_fender, release_fender};
static const surfaces_peer *const engines[ENGINES] = {
    &fender_mesh,     &fender_grid,
#ifdef FENDER_BENCH_SURFACES_BULLET
    &surfaces_bullet,
#endif
#ifdef FENDER_BENCH_SURFACES_ODE
    &surfaces_ode,
#endif
#ifdef FENDER_BENCH_SURFACES_FCL
    &surfaces_fcl,
#endif
};

/* Microseconds wanted on the machine where the targets were set, and what ODE (ball, box) and FCL (hull) took there. */
static const double wanted[SURFACES_BODIES] = {1, 4, 8};

static void add_targets(double times[SURFACES_BODIES][ENGINES])
{
    for (int b = 0; b < SURFACES_BODIES; b++) {
        char work[64];
        for (int e = 2; e < ENGINES; e++) {
            if (!engines[e] || !(times[b][e] > 0)) continue;
            snprintf(work, sizeof work, "%s on the terrain", body_names[b]);
            targets_add(work, "/s", 1e6 / times[b][0], engines[e]->name, 1e6 / times[b][e], 0);
        }
        snprintf(work, sizeof work, "%s on the terrain, %g us", body_names[b], wanted[b]);
        targets_add(work, "/s", 1e6 / times[b][0], "clock", 1e6 / wanted[b], 1);
    }
}

int main(int argc, char **argv)
{
    static surfaces_pose poses[SURFACES_POSES];
    static surfaces_shape shapes[SURFACES_BODIES];
    double times[SURFACES_BODIES][ENGINES] = {{0}};
    const char *only = argc > 1 ? argv[1] : NULL; /* "Fender": for profiling */
    int count = argc > 2 ? atoi(argv[2]) : SURFACES_POSES, missing = 0;
    terrain *t = terrain_make();
    if (!t || !surfaces_make_shapes(shapes) || count < 1 || count > SURFACES_POSES) bench_fail("no inputs");
    printf("%d poses on %d triangles, overlap of 2 to 20 mm: microseconds of processor time per query, median of %d\n"
           "in each of %d runs\n",
           count, t->triangle_count, REPEATS, only ? 1 : BENCH_RUNS);
    printf("%-28s %-12s %10s %8s %10s %10s %22s\n", "engine", "body", "us", "spread", "contacts", "none found",
           "depth / vertical depth");
    int last = 0; /* that is there */
    for (int e = 0; e < ENGINES; e++) missing += !engines[e], last = engines[e] ? e : last;
    const int runs = only ? 1 : BENCH_RUNS;
    for (int k = 0; k < ENGINES * runs; k++) { /* all engines, in each run */
        const int e = k % ENGINES;
        if (!engines[e]) continue;
        if (only && strcmp(only, engines[e]->name) != 0) continue;
        void *peer = engines[e]->create(t, shapes);
        if (!peer) bench_fail("an engine did not start");
        for (int b = 0; b < SURFACES_BODIES; b++) {
            surfaces_make_poses(t, &shapes[b], poses, count);
            bench_sample sample = {.count = 0};
            double contacts = 0, ratio = 0;
            int none = 0;
            for (int r = 0; r < (only ? 1 : REPEATS); r++) {
                contacts = ratio = 0, none = 0;
                double start = bench_now();
                for (int i = 0; i < count; i++) {
                    surfaces_answer answer = {0};
                    engines[e]->query(peer, (surfaces_body)b, &poses[i].pose, &answer);
                    contacts += answer.contacts, none += answer.contacts == 0;
                    ratio += answer.depth / poses[i].depth;
                }
                bench_add(&sample, 1e6 * (bench_now() - start) / count);
            }
            times[b][e] = none < count ? bench_median(&sample) : 0; /* an engine that finds nothing has no time */
            printf("%-28s %-12s %10.3f %7.0f%% %10.1f %10d %22.2f\n", engines[e]->name, body_names[b],
                   bench_median(&sample), 100 * (bench_most(&sample) / bench_least(&sample) - 1), contacts / count,
                   none, ratio / count);
        }
        engines[e]->release(peer);
        if (only || e != last) continue;
        add_targets(times);
    }
    if (!only) targets_print();
    terrain_free(t);
    if (missing) printf("\nFAILED: %d of %d engines are missing\n", missing, ENGINES);
    return missing && !only;
}
