/* The arrays that integrators work in: one block. */
#include "base/memory.h"
#include "integrate/ode.h"

bool fnd_ode_workspace_create(const fender_env *env, const fnd_ode *ode, fnd_ode_workspace *workspace)
{
    size_t rotations = (size_t)ode->rotation_count, numbers = (size_t)(ode->position_count + ode->momentum_count);
    size_t quaternion_size = rotations * sizeof(fender_quaternion), vector_size = numbers * sizeof(double);
    size_t velocity_size = rotations * sizeof(fender_vec3);
    *workspace = (fnd_ode_workspace){0};
    workspace->block_size = 2 * quaternion_size + vector_size + FND_STAGE_CAPACITY * (velocity_size + vector_size);
    if (workspace->block_size == 0) return true;
    char *at = workspace->block = fnd_allocate(env, workspace->block_size);
    if (!at) return false;
    workspace->rotations = (void *)at, at += quaternion_size;
    workspace->second_rotations = (void *)at, at += quaternion_size;
    workspace->vector = (void *)at, at += vector_size;
    for (int s = 0; s < FND_STAGE_CAPACITY; s++) {
        workspace->angular_velocities[s] = (void *)at, at += velocity_size;
        workspace->rates[s] = (void *)at, at += vector_size;
    }
    return true;
}

void fnd_ode_workspace_destroy(const fender_env *env, fnd_ode_workspace *workspace)
{
    fnd_release(env, workspace->block, workspace->block_size);
    *workspace = (fnd_ode_workspace){0};
}
