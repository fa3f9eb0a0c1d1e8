/* The arrays that integrators work in, and the control of step sizes. */
#include "integrate/ode.h"

#include "base/memory.h"
#include "math/elementary.h"
#include <assert.h>
#include <string.h>

/* ---- Arrays ---- */

/* p x v over a step less the quadrature of p x a over its stages: multiply out the tableau, use the condition on b. */
static void fill_energy_defect(const fnd_method *method, fnd_ode_workspace *workspace)
{
    if (!method->coefficients) return;
    const double(*a)[FND_STAGE_CAPACITY] = method->coefficients;
    const double *b = method->weights, *c = method->nodes;
    for (int j = 0; j < method->stage_count; j++)
        for (int k = 0; k < j; k++) {
            double square = 0;
            for (int i = k + 1; i < j; i++) square += a[j][i] * a[i][k];
            workspace->energy_defect[k][j] = b[j] * (b[k] * (c[j] - c[k]) - square);
        }
}

bool fnd_ode_workspace_create(const fender_env *env, const fnd_ode *ode, const fnd_method *method,
                              fnd_ode_workspace *workspace)
{
    assert(ode->rotation_count >= 0 && ode->position_count >= 0 && ode->momentum_count >= 0 && ode->state_count >= 0);
    assert(method->stage_count >= 1 && method->stage_count <= FND_STAGE_CAPACITY);
    assert(method->dense_stage_count <= FND_STAGE_CAPACITY);
    size_t rotations = (size_t)ode->rotation_count;
    size_t numbers = (size_t)(ode->position_count + ode->momentum_count + ode->state_count);
    int stages = method->dense_stage_count > method->stage_count ? method->dense_stage_count : method->stage_count;
    if (stages < 2) stages = 2; /* the second for kinematics alone */
    size_t quaternion_size = rotations * sizeof(fender_quaternion), vector_size = numbers * sizeof(double);
    size_t velocity_size = rotations * sizeof(fender_vec3);
    memset(workspace, 0, sizeof *workspace);
    fill_energy_defect(method, workspace);
    size_t foreign_size = (method->foreign_size + 15) / 16 * 16;
    workspace->block_size = foreign_size + 2 * quaternion_size + vector_size +
                            (size_t)stages * (2 * velocity_size + vector_size);
    if (workspace->block_size == 0) return true;
    char *at = workspace->block = fnd_allocate(env, workspace->block_size);
    if (!at) return false;
    if (foreign_size > 0) {
        workspace->foreign = at, at += foreign_size;
        workspace->release = method->release;
    }
    workspace->rotations = (void *)at, at += quaternion_size;
    workspace->second_rotations = (void *)at, at += quaternion_size;
    workspace->vector = (void *)at, at += vector_size;
    for (int s = 0; s < stages; s++) {
        workspace->angular_velocities[s] = (void *)at, at += velocity_size;
        workspace->rotation_rates[s] = (void *)at, at += velocity_size;
        workspace->rates[s] = (void *)at, at += vector_size;
    }
    return true;
}

static void copy_numbers(double *to, const double *from, size_t count)
{
    if (to && from) memcpy(to, from, count * sizeof *to);
}

bool fnd_ode_workspace_grow(const fender_env *env, const fnd_ode *had, const fnd_ode *ode, const fnd_method *method,
                            fnd_ode_workspace *workspace)
{
    assert(had->rotation_count <= ode->rotation_count && had->state_count <= ode->state_count);
    fnd_ode_workspace larger;
    if (!fnd_ode_workspace_create(env, ode, method, &larger)) return false;
    size_t rotations = (size_t)had->rotation_count;
    size_t numbers = (size_t)(had->position_count + had->momentum_count + had->state_count);
    copy_numbers((double *)larger.rotations, (double *)workspace->rotations, 4 * rotations);
    copy_numbers((double *)larger.second_rotations, (double *)workspace->second_rotations, 4 * rotations);
    copy_numbers(larger.vector, workspace->vector, numbers);
    for (int s = 0; s < FND_STAGE_CAPACITY; s++) {
        copy_numbers((double *)larger.angular_velocities[s], (double *)workspace->angular_velocities[s], 3 * rotations);
        copy_numbers((double *)larger.rotation_rates[s], (double *)workspace->rotation_rates[s], 3 * rotations);
        copy_numbers(larger.rates[s], workspace->rates[s], numbers);
    }
    fnd_ode_workspace_destroy(env, workspace);
    *workspace = larger;
    return true;
}

void fnd_ode_workspace_destroy(const fender_env *env, fnd_ode_workspace *workspace)
{
    if (workspace->foreign && workspace->release) workspace->release(workspace->foreign);
    fnd_release(env, workspace->block, workspace->block_size);
    memset(workspace, 0, sizeof *workspace);
}

/* ---- Step sizes ---- */

#define SAFETY         0.9
#define LEAST_FACTOR   0.2
#define LARGEST_FACTOR 5.0
/* Errors below this are as good as it: they are rounding, or the step was bounded by something else. */
#define LEAST_ERROR 1e-4
/* Part of the exponent -1/order that looks at the last error, and what that takes from the present one's. */
#define LAST_SHARE    0.2
#define PRESENT_SHARE (1 - 0.75 * LAST_SHARE)

fnd_step_control fnd_step_control_start(void) { return (fnd_step_control){.last_error = LEAST_ERROR}; }

double fnd_step_control_error(const fnd_method *method, const double *norms)
{
    assert(method->error_count > 0);
    double high = norms[0];
    if (!isfinite(high)) return INFINITY;
    if (method->error_count < 2 || high == 0) return high;
    double low = norms[1]; /* that of lower order tells how far the other can be believed */
    if (!isfinite(low)) return INFINITY;
    return high / sqrt(1 + 0.01 * (low / high) * (low / high));
}

double fnd_step_control_factor(fnd_step_control *control, const fnd_method *method, double error, bool taken)
{
    assert(method->error_order > 0);
    double order = method->error_order, largest = control->turned_down ? 1 : LARGEST_FACTOR, factor;
    if (!taken && largest > SAFETY) largest = SAFETY;
    if (!isfinite(error)) factor = LEAST_FACTOR;
    else if (error == 0) factor = largest;
    else if (taken)
        factor = SAFETY * fnd_power(control->last_error, LAST_SHARE / order) * fnd_power(error, -PRESENT_SHARE / order);
    else factor = SAFETY * fnd_power(error, -1 / order);
    if (taken) control->last_error = error > LEAST_ERROR ? error : LEAST_ERROR;
    control->turned_down = !taken;
    return factor < LEAST_FACTOR ? LEAST_FACTOR : factor > largest ? largest : factor;
}

double fnd_first_step_guess(double state_norm, double rate_norm)
{
    return state_norm < 1e-5 || rate_norm < 1e-5 ? 1e-6 : 0.01 * state_norm / rate_norm;
}

double fnd_first_step(const fnd_method *method, double guess, double rate_norm, double change_norm)
{
    assert(method->error_order > 0);
    double most = change_norm > rate_norm ? change_norm : rate_norm, step;
    if (most > 1e-15) step = fnd_power(0.01 / most, 1.0 / method->error_order);
    else step = 1e-3 * guess > 1e-6 ? 1e-3 * guess : 1e-6;
    return step < 100 * guess ? step : 100 * guess;
}
