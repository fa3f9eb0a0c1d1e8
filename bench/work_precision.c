/* Cost against error of every integrator: docking, a bouncing ball, a stiff leg; as a table and as a picture. */
#include "bench.h"
#include "work_precision_picture.h"

#include <fender/io.h>

#include <math.h>
#include <string.h>

enum { SAMPLES = 240, BODIES = 4, REPEATS = 3 };

/* Soft contacts and stiff ones, short and lasting: what the methods are good at differs. */
static const char *const ball =
    "fender: 1\n"
    "run: {until: 5 s}\n"
    "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
    "materials: {rubber: {}}\n"
    "contact_types: {bounce: {law: spring_damper, stiffness: 1e5 N/m, damping: 47.02 N*s/m}}\n" /* restitution 0.8 */
    "rules: [{materials: [rubber, rubber], use: bounce}]\n"
    "bodies:\n"
    "  ground: {motion: fixed, shapes: {top: {sphere: {radius: 1 m}, material: rubber}}}\n"
    "  ball:\n"
    "    mass_properties: {mass: 1 kg, inertia: [4e-3, 4e-3, 4e-3, kg*m^2]}\n"
    "    state: {position: [0, 0, 2.1, m]}\n"
    "    shapes: {hull: {sphere: {radius: 0.1 m}, material: rubber}}\n";
static const char *const leg = "fender: 1\n"
                               "run: {until: 5 s}\n"
                               "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
                               "materials: {pad: {}}\n"
                               "contact_types: {step: {law: spring_damper, stiffness: 1e7 N/m, damping: 2e4 N*s/m}}\n"
                               "rules: [{materials: [pad, pad], use: step}]\n"
                               "bodies:\n"
                               "  ground: {motion: fixed, shapes: {top: {sphere: {radius: 1 m}, material: pad}}}\n"
                               "  lander:\n"
                               "    mass_properties: {mass: 1000 kg, inertia: [100, 100, 100, kg*m^2]}\n"
                               "    state: {position: [0, 0, 1.6, m]}\n" /* 0.1 m to fall */
                               "    shapes: {leg: {sphere: {radius: 0.5 m}, material: pad}}\n";

typedef struct test_case {
    const char *name, *text; /* text NULL: samples/scenarios/docking.yaml */
    double until;            /* s */
    double longest_step;     /* s; the first of `steps`, each half of the one before */
    int steps;
} test_case;
static const test_case cases[] = {
    {"docking", NULL, 60, 64e-3, 6}, {"bouncing ball", ball, 5, 2e-3, 8}, {"stiff leg", leg, 5, 8e-3, 8}};
enum { CASE_COUNT = sizeof cases / sizeof cases[0], TOLERANCES = 10 };

/* NULL when the step or the tolerance is refused. */
static fender_world *build(const test_case *c, fender_integrator_method method, double accuracy, bool located)
{
    char value[200];
    fender_error error = {0};
    fender_env env = fender_env_default();
    bool adaptive = fender_integrator_adaptive(method);
    if (adaptive)
        snprintf(value, sizeof value, "{method: %s, relative_tolerance: %g}", fender_integrator_name(method), accuracy);
    else
        snprintf(value, sizeof value, "{method: %s, step: %g, locate_events: %s}", fender_integrator_name(method),
                 accuracy, located ? "true" : "false");
    fender_override overrides[] = {{"integrator", value}, {"record", "{}"}, {"expect", "[]"}};
    fender_scenario *scenario = c->text != NULL
                                    ? fender_scenario_parse(&env, NULL, c->name, c->text, strlen(c->text), overrides, 1,
                                                            &error)
                                    : fender_scenario_load(&env, NULL,
                                                           FENDER_SOURCE_DIR "/samples/scenarios/docking.yaml",
                                                           overrides, 3, &error);
    fender_world *world = scenario != NULL ? fender_scenario_build(scenario, &env, &error) : NULL;
    fender_scenario_destroy(scenario);
    if (world == NULL) fprintf(stderr, "%s, %s: %s\n", c->name, value, error.message);
    return world;
}

typedef struct track {
    fender_vec3 positions[SAMPLES][BODIES];
} track;

static void look(const fender_world *world, fender_vec3 positions[BODIES])
{
    for (int i = 0; i < fender_body_count(world) && i < BODIES; i++) {
        fender_body_data data;
        if (fender_body_get(world, fender_body_at(world, i), FENDER_CLOCK_COMMITTED, &data)) bench_fail("no body");
        positions[i] = data.position;
    }
}

/* Positions at even times, by dense output: the steps are those that the method takes by itself. */
static bool follow(fender_world *world, double until, track *t)
{
    fender_error error = {0};
    memset(t, 0, sizeof *t);
    for (int i = 0; i < SAMPLES;) {
        fender_proposal proposal;
        if (fender_world_propose(world, until, &proposal, &error)) return false;
        for (; i < SAMPLES && until * (i + 1) / SAMPLES <= proposal.end_time; i++) {
            double time = until * (i + 1) / SAMPLES;
            if (fender_world_sample(world, time, &error)) return false;
            look(world, t->positions[i]);
        }
        if (fender_world_accept(world, &error)) return false;
    }
    return true;
}

/* m; the worst body at the worst time. */
static double distance(const track *a, const track *b)
{
    double largest = 0;
    for (int i = 0; i < SAMPLES; i++)
        for (int k = 0; k < BODIES; k++) {
            double d = fender_vec3_length(fender_vec3_sub(a->positions[i][k], b->positions[i][k]));
            if (!(d <= largest)) largest = d;
        }
    return largest;
}

static bool measure(const test_case *c, fender_integrator_method method, double accuracy, bool located,
                    const track *reference, work_precision_point *point)
{
    static track t;
    fender_error error = {0};
    fender_world *world = build(c, method, accuracy, located);
    if (world == NULL) return false;
    fender_snapshot *start = fender_snapshot_take(world, &error);
    int64_t before = fender_world_evaluation_count(world);
    bool good = start != NULL;
    point->seconds = INFINITY;
    for (int i = 0; i < REPEATS && good; i++) {
        if (fender_snapshot_restore(world, start, &error)) bench_fail(error.message);
        int64_t evaluations = fender_world_evaluation_count(world);
        double begin = bench_now();
        good = fender_world_advance_to(world, c->until, &error) == FENDER_STATUS_OK;
        double seconds = bench_now() - begin;
        point->evaluations = (double)(fender_world_evaluation_count(world) - (i == 0 ? before : evaluations));
        if (seconds < point->seconds) point->seconds = seconds;
    }
    if (good && fender_snapshot_restore(world, start, &error)) bench_fail(error.message);
    good = good && follow(world, c->until, &t);
    point->error = good ? distance(&t, reference) : NAN;
    point->accuracy = accuracy;
    fender_snapshot_destroy(start);
    fender_world_destroy(world);
    return good && isfinite(point->error);
}

static void run_case(const test_case *c, work_precision_panel *panel, FILE *table)
{
    static track reference, second;
    fender_world *a = build(c, FENDER_INTEGRATOR_DOP853, 1e-13, true);
    fender_world *b = build(c, FENDER_INTEGRATOR_DOPRI5, 1e-13, true);
    if (a == NULL || b == NULL || !follow(a, c->until, &reference) || !follow(b, c->until, &second))
        bench_fail("the reference could not be computed");
    panel->title = c->name;
    panel->floor = distance(&reference, &second);
    fender_world_destroy(a);
    fender_world_destroy(b);
    fprintf(stderr, "%s: references differ by %.1e m\n", c->name, panel->floor);
    for (int m = 0; fender_integrator_name((fender_integrator_method)m) != NULL; m++) {
        fender_integrator_method method = (fender_integrator_method)m;
        bool adaptive = fender_integrator_adaptive(method);
        for (int located = adaptive ? 1 : 0; located < 2; located++) {
            if (panel->curve_count == WORK_PRECISION_CURVES) bench_fail("more methods than the picture has room for");
            work_precision_curve *curve = &panel->curves[panel->curve_count++];
            curve->method = m;
            curve->dashed = !located;
            snprintf(curve->name, sizeof curve->name, "%s%s", fender_integrator_name(method),
                     adaptive  ? ""
                     : located ? ", located"
                               : "");
            for (int k = 0; k < (adaptive ? TOLERANCES : c->steps); k++) {
                double accuracy = adaptive ? pow(10, -3 - k) : c->longest_step / pow(2, k);
                work_precision_point *point = &curve->points[curve->count];
                if (!measure(c, method, accuracy, located, &reference, point)) continue;
                curve->count++;
                fprintf(table, "%s,%s,%s,%.6g,%.0f,%.3e,%.3e\n", c->name, fender_integrator_name(method),
                        located ? "yes" : "no", accuracy, point->evaluations, point->seconds, point->error);
            }
        }
    }
}

int main(int argc, char **argv)
{
    static work_precision_panel panels[CASE_COUNT];
    char path[1024];
    const char *directory = argc > 1 ? argv[1] : NULL; /* without one, the table goes to standard output alone */
    FILE *table = stdout;
    if (directory != NULL) {
        snprintf(path, sizeof path, "%s/work_precision.csv", directory);
        table = fopen(path, "w");
        if (table == NULL) bench_fail("the table cannot be written");
    }
    fprintf(table, "case,method,events located,step [s] or tolerance,evaluations,processor time [s],largest error of "
                   "position [m]\n");
    for (int i = 0; i < CASE_COUNT; i++) run_case(&cases[i], &panels[i], table);
    if (directory == NULL) return 0;
    if (fclose(table) != 0) bench_fail("the table cannot be written");
    snprintf(path, sizeof path, "%s/work_precision.svg", directory);
    if (!work_precision_draw(path, panels, CASE_COUNT)) bench_fail("the picture cannot be written");
    printf("wrote %s/work_precision.csv and work_precision.svg\n", directory);
    return 0;
}
