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

bool fnd_study_takes(const fender_study *s, const fnd_variable *v, int index)
{
    const double *cumulative = v->distribution.cumulative;
    for (int64_t run = 0; s->list && run < s->runs; run++)
        if ((int)s->list[run * s->input_count + v->column] == index) return true;
    return !s->list && (is_grid(s) || cumulative[index] > (index > 0 ? cumulative[index - 1] : 0));
}

static double level(int index, int count) { return count > 1 ? (double)index / (count - 1) : 0.5; }

/* Level of a design on a grid, or -1: in the middle. The last variable changes fastest. */
static int grid_level(const fender_study *s, int64_t run, int variable)
{
    if (s->design == FND_DESIGN_ONE_AT_A_TIME) { /* run 0: all in the middle */
        int64_t at = 1;
        for (int i = 0; i < s->variable_count; i++) {
            int count = s->variables[i].levels;
            if (i == variable && run >= at && run < at + count) return (int)(run - at);
            at += count;
        }
        return -1;
    }
    for (int i = s->variable_count - 1; i > variable; i--) run /= s->variables[i].levels;
    return (int)(run % s->variables[variable].levels);
}

/* Levels are evenly spaced in probability; those of a discrete variable are its values, whatever their weights. */
static double grid_input(const fender_study *s, int64_t run, int variable)
{
    const fnd_variable *v = &s->variables[variable];
    const int at = grid_level(s, run, variable);
    if (at >= 0 && v->distribution.kind == FND_DISCRETE) return at;
    return fnd_quantile(&v->distribution, at < 0 ? 0.5 : level(at, v->levels));
}

/* Campolongo, Cariboni and Saltelli, Environ. Model. Softw. 22 (2007): on an even number of levels, each variable jumps
 * once by half of them, in an order of its own for each trajectory. */
static double morris_coordinate(const fender_study *s, int64_t run, int variable)
{
    int64_t steps = s->variable_count + 1, trajectory = run / steps;
    int at = fnd_morris_start(s->seed, trajectory, variable, s->design_levels);
    if (fnd_morris_place(s->seed, trajectory, variable, s->variable_count) < run % steps)
        at += at < s->design_levels / 2 ? s->design_levels / 2 : -s->design_levels / 2;
    return level(at, s->design_levels);
}

static double coordinate(const fender_study *s, int64_t run, int variable, int dimension)
{
    double u = 0;
    switch (s->design) {
    case FND_DESIGN_SOBOL_INDICES: {
        int64_t width = s->variable_count + 2, place = run % width;
        bool of_b = place == 1 || place == variable + 2;
        int at = dimension + (of_b ? s->dimension_count : 0);
        if (2 * s->dimension_count <= FND_SOBOL_DIMENSIONS) return fnd_sobol(s->seed, at, (uint32_t)(run / width));
        return fnd_uniform(s->seed, (uint32_t)at, (uint64_t)(run / width));
    }
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

/* A unit vector at right angles to the axis, uniform on the circle, and the cosine of an angle that is uniform on the
 * cap (its area is proportional to 1 - cosine). */
static double on_cap(const fnd_variable *v, const double u[3], double n[3])
{
    const double *a = v->axis;
    double side[3] = {0, 0, 0}, other[3];
    int small = fabs(a[0]) < fabs(a[1]) ? (fabs(a[0]) < fabs(a[2]) ? 0 : 2) : (fabs(a[1]) < fabs(a[2]) ? 1 : 2);
    side[small] = 1;
    double along = a[small], size = 0;
    for (int i = 0; i < 3; i++) side[i] -= along * a[i];
    for (int i = 0; i < 3; i++) size += side[i] * side[i];
    for (int i = 0; i < 3; i++) side[i] /= sqrt(size);
    for (int i = 0; i < 3; i++) other[i] = a[(i + 1) % 3] * side[(i + 2) % 3] - a[(i + 2) % 3] * side[(i + 1) % 3];
    double x = fnd_normal_quantile(u[1]), y = fnd_normal_quantile(u[2]), r = sqrt(x * x + y * y);
    for (int i = 0; i < 3; i++) n[i] = r > 0 ? (x * side[i] + y * other[i]) / r : side[i];
    return 1 - u[0] * (1 - v->distribution.p[0]);
}

/* Turns the axis to one that is uniform on the cap, the shortest way. */
static void cone(const fnd_variable *v, const double u[3], double *q)
{
    double n[3], c = on_cap(v, u, n), sine = sqrt(0.5 * (1 - c)); /* of half the turn */
    q[0] = sqrt(0.5 * (1 + c));
    for (int i = 0; i < 3; i++) q[1 + i] = sine * n[i];
}

static void direction(const fnd_variable *v, const double u[3], double *vector)
{
    double n[3], c = on_cap(v, u, n), sine = sqrt((1 - c) * (1 + c));
    for (int i = 0; i < 3; i++) vector[i] = v->distribution.p[1] * (c * v->axis[i] + sine * n[i]);
}

/* The normal numbers of a run, correlated; those of Latin hypercubes before their shares are known. */
void fnd_joint_normals(const fender_study *s, const fnd_joint *joint, int64_t run, double *z)
{
    for (int i = 0; i < joint->count; i++)
        z[i] = fnd_normal_quantile(coordinate(s, run, joint->members[i], s->variables[joint->members[i]].dimension));
    for (int i = joint->count - 1; i >= 0; i--) {
        double sum = 0;
        for (int j = 0; j <= i; j++) sum += joint->root[i * joint->count + j] * z[j];
        z[i] = sum;
    }
}

/* R. B. Nelsen, An Introduction to Copulas (2006), 2.3: each distribution at the probability of its normal number.
 * R. L. Iman and W. J. Conover, Commun. Stat. B 11 (1982): in Latin hypercubes the rank of that number among all runs
 * chooses the share, so that each share still has one run. */
static void joined(const fender_study *s, const fnd_joint *joint, int64_t run, double *inputs)
{
    double z[FND_JOINT_LIMIT] = {0};
    if (!joint->ranks) fnd_joint_normals(s, joint, run, z);
    for (int i = 0; i < joint->count; i++) {
        const fnd_variable *v = &s->variables[joint->members[i]];
        double u = joint->ranks ? (joint->ranks[(int64_t)i * s->runs + run] +
                                   fnd_uniform(s->seed, (uint32_t)v->dimension, (uint64_t)run)) /
                                      (double)s->runs
                                : fnd_normal_probability(z[i]);
        if (!joint->ranks && v->distribution.kind == FND_NORMAL && !v->distribution.truncated)
            inputs[v->column] = v->distribution.p[0] + v->distribution.p[1] * z[i];
        else inputs[v->column] = fnd_quantile(&v->distribution, u);
    }
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
        int dimensions = fnd_variable_dimensions(v);
        if (v->joined) continue;
        if (is_grid(study)) { /* of numbers alone: others have no bounds */
            inputs[v->column] = grid_input(study, run, i);
            continue;
        }
        for (int d = 0; d < dimensions; d++)
            u[d] = study->design == FND_DESIGN_MORRIS ? morris_coordinate(study, run, i)
                                                      : coordinate(study, run, i, v->dimension + d);
        if (v->distribution.kind == FND_ATTITUDE) attitude(u, inputs + v->column);
        else if (v->distribution.kind == FND_CONE) cone(v, u, inputs + v->column);
        else if (v->distribution.kind == FND_DIRECTION) direction(v, u, inputs + v->column);
        else inputs[v->column] = fnd_quantile(&v->distribution, u[0]);
    }
    for (int i = 0; i < study->joint_count; i++) joined(study, &study->joints[i], run, inputs);
    if (study->fixed > 0) inputs[study->variables[study->fixed - 1].column] = study->fixed_value;
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
    int width = fnd_variable_width(v);
    snprintf(name, size, width > 1 ? "%.70s.%c" : "%.70s", v->id.name, "wxyz"[4 - width + column - v->column]);
}

void fnd_study_design_text(const fender_study *study, char *text, size_t size)
{
    static const char *const names[] = {"random",         "latin_hypercube", "sobol",
                                        "full_factorial", "one_at_a_time",   "corners",
                                        "list",           "sobol_indices",   "morris"};
    snprintf(text, size, "%s %d %d %lld", names[study->design], study->design_count, study->design_levels,
             (long long)study->seed);
}
