/* From the number of a run to its inputs. */
#include "study/random.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>

static bool is_grid(const fender_study *s)
{
    return s->design == FND_DESIGN_FULL_FACTORIAL || s->design == FND_DESIGN_ONE_AT_A_TIME ||
           s->design == FND_DESIGN_CORNERS;
}

static double level(int index, int count) { return count > 1 ? (double)index / (count - 1) : 0.5; }

/* Coordinate in [0, 1] of a design on a grid: the last variable changes fastest. */
static double grid_coordinate(const fender_study *s, int64_t run, int variable)
{
    if (s->design == FND_DESIGN_ONE_AT_A_TIME) { /* run 0: all in the middle */
        int64_t at = 1;
        for (int i = 0; i < s->variable_count; i++) {
            int count = s->variables[i].levels;
            if (i == variable && run >= at && run < at + count) return level((int)(run - at), count);
            at += count;
        }
        return 0.5;
    }
    for (int i = s->variable_count - 1; i > variable; i--) run /= s->variables[i].levels;
    return level((int)(run % s->variables[variable].levels), s->variables[variable].levels);
}

static double coordinate(const fender_study *s, int64_t run, int dimension)
{
    double u = 0;
    switch (s->design) {
    case FND_DESIGN_SOBOL: return fnd_sobol(s->seed, dimension, (uint32_t)run);
    case FND_DESIGN_LATIN_HYPERCUBE:
        u = fnd_uniform(s->seed, (uint32_t)dimension, (uint64_t)run);
        return ((double)fnd_permuted(s->seed, (uint32_t)dimension, (uint64_t)run, (uint64_t)s->runs) + u) /
               (double)s->runs;
    default: return fnd_uniform(s->seed, (uint32_t)dimension, (uint64_t)run);
    }
}

/* A normalised vector of normal numbers is uniform on rotations. */
static void attitude(const double u[4], double *q)
{
    double size = 0;
    for (int i = 0; i < 4; i++) q[i] = fnd_normal_quantile(u[i]);
    for (int i = 0; i < 4; i++) size += q[i] * q[i];
    size = sqrt(size);
    for (int i = 0; i < 4; i++) q[i] /= size;
}

/* Turns the axis to one that is uniform on the cap, the shortest way. */
static void cone(const fnd_variable *v, const double u[3], double *q)
{
    const double *a = v->axis;
    double least = v->distribution.p[0], c = 1 - u[0] * (1 - least); /* cosine of the turn */
    double side[3] = {0, 0, 0}, other[3], n[3];
    int small = fabs(a[0]) < fabs(a[1]) ? (fabs(a[0]) < fabs(a[2]) ? 0 : 2) : (fabs(a[1]) < fabs(a[2]) ? 1 : 2);
    side[small] = 1;
    double along = a[small], size = 0;
    for (int i = 0; i < 3; i++) side[i] -= along * a[i];
    for (int i = 0; i < 3; i++) size += side[i] * side[i];
    for (int i = 0; i < 3; i++) side[i] /= sqrt(size);
    for (int i = 0; i < 3; i++) other[i] = a[(i + 1) % 3] * side[(i + 2) % 3] - a[(i + 2) % 3] * side[(i + 1) % 3];
    double x = fnd_normal_quantile(u[1]), y = fnd_normal_quantile(u[2]), r = sqrt(x * x + y * y);
    double sine = sqrt(0.5 * (1 - c)); /* of half the turn */
    for (int i = 0; i < 3; i++) n[i] = r > 0 ? (x * side[i] + y * other[i]) / r : side[i];
    q[0] = sqrt(0.5 * (1 + c));
    for (int i = 0; i < 3; i++) q[1 + i] = sine * n[i];
}

void fnd_study_inputs(const fender_study *study, int64_t run, double *inputs)
{
    if (study->design == FND_DESIGN_LIST) {
        for (int i = 0; i < study->input_count; i++) inputs[i] = study->list[run * study->input_count + i];
        return;
    }
    for (int i = 0; i < study->variable_count; i++) {
        const fnd_variable *v = &study->variables[i];
        double u[4] = {0};
        int dimensions = v->distribution.kind == FND_ATTITUDE ? 4 : v->distribution.kind == FND_CONE ? 3 : 1;
        for (int d = 0; d < dimensions; d++)
            u[d] = is_grid(study) ? grid_coordinate(study, run, i) : coordinate(study, run, v->dimension + d);
        if (v->distribution.kind == FND_ATTITUDE) attitude(u, inputs + v->column);
        else if (v->distribution.kind == FND_CONE) cone(v, u, inputs + v->column);
        else inputs[v->column] = fnd_quantile(&v->distribution, u[0]);
    }
}

const fnd_variable *fnd_study_input_variable(const fender_study *study, int column)
{
    int i = study->variable_count - 1;
    while (study->variables[i].column > column) i--;
    return &study->variables[i];
}

void fnd_study_input_name(const fender_study *study, int column, char *name, size_t size)
{
    const fnd_variable *v = fnd_study_input_variable(study, column);
    bool several = v->distribution.kind == FND_ATTITUDE || v->distribution.kind == FND_CONE;
    snprintf(name, size, several ? "%.70s.%c" : "%.70s", v->id.name, "wxyz"[column - v->column]);
}
