/* Memory of the list of separations. */
#include "collide/manifold.h"

#include "base/memory.h"

bool fnd_manifold_grow(fnd_manifold *manifold)
{
    void *items = manifold->items;
    bool grown = manifold->env && fnd_reserve_one_more(manifold->env, &items, &manifold->capacity, manifold->count,
                                                       sizeof *manifold->items);
    if (manifold->env) manifold->items = items;
    if (!grown) manifold->failed = true;
    return grown;
}

void fnd_manifold_release(fnd_manifold *manifold)
{
    if (manifold->env)
        fnd_release(manifold->env, manifold->items, (size_t)manifold->capacity * sizeof *manifold->items);
    manifold->items = NULL;
    manifold->count = manifold->capacity = 0;
}
