/* The arrays that integrators work in: one block. */
#include "base/memory.h"
#include "integrate/ode.h"
#include <string.h>

/* p x v over a step less the quadrature of p x a over its stages: multiply out the tableau, use the condition on b. */
static void fill_defect(const fnd_method *method, fnd_ode_workspace *workspace)
{
    if (!method->coefficients) return;
    const double(*a)[FND_STAGE_CAPACITY] = method->coefficients;
    const double *b = method->weights, *c = method->nodes;
    for (int j = 0; j < method->stage_count; j++)
        for (int k = 0; k < j; k++) {
            double square = 0;
            for (int i = k + 1; i < j; i++) square += a[j][i] * a[i][k];
            workspace->defect[k][j] = b[j] * (b[k] * (c[j] - c[k]) - square);
        }
}

bool fnd_ode_workspace_create(const fender_env *env, const fnd_ode *ode, const fnd_method *method,
                              fnd_ode_workspace *workspace)
{
    size_t rotations = (size_t)ode->rotation_count;
    size_t numbers = (size_t)(ode->position_count + ode->momentum_count + ode->state_count);
    int stages = method->dense_stage_count > method->stage_count ? method->dense_stage_count : method->stage_count;
    if (stages < 2) stages = 2; /* the second for kinematics alone */
    size_t quaternion_size = rotations * sizeof(fender_quaternion), vector_size = numbers * sizeof(double);
    size_t velocity_size = rotations * sizeof(fender_vec3);
    memset(workspace, 0, sizeof *workspace);
    fill_defect(method, workspace);
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
