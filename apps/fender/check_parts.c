/* Which shapes and points each body has, found in one pass over them instead of one for each body. */
#include "check.h"

static uint32_t owner_of_shape(const fender_world *world, int index)
{
    return fender_shape_body(world, fender_shape_at(world, index)).index1;
}

static uint32_t owner_of_point(const fender_world *world, int index)
{
    fender_body_id body = {0};
    (void)fender_point_get(world, fender_point_at(world, index), &body, NULL, NULL);
    return body.index1;
}

static bool list_parts(const fnd_app *app, const fender_world *world, int count,
                       uint32_t (*owner)(const fender_world *world, int index), fnd_app_parts *parts)
{
    uint32_t most = 0;
    for (int i = 0; i < count; i++)
        if (owner(world, i) > most) most = owner(world, i);
    parts->owners = most + 1;
    parts->size = ((size_t)parts->owners + (size_t)count) * sizeof *parts->first;
    parts->first = fnd_app_allocate(app, parts->size);
    if (parts->first == NULL) return false;
    parts->next = parts->first + parts->owners;
    for (uint32_t i = 0; i < parts->owners; i++) parts->first[i] = -1;
    for (int i = count - 1; i >= 0; i--) { /* from the end, so that each list is in order */
        int *first = &parts->first[owner(world, i)];
        parts->next[i] = *first;
        *first = i;
    }
    return true;
}

bool fnd_app_check_list(fnd_app_check *check)
{
    return list_parts(check->app, check->world, fender_shape_count(check->world), owner_of_shape, &check->shapes) &&
           list_parts(check->app, check->world, fender_point_count(check->world), owner_of_point, &check->points);
}

void fnd_app_check_release(fnd_app_check *check)
{
    fnd_app_release(check->app, check->shapes.first, check->shapes.size);
    fnd_app_release(check->app, check->points.first, check->points.size);
}

int fnd_app_first_part(const fnd_app_parts *parts, fender_body_id body)
{
    return body.index1 < parts->owners ? parts->first[body.index1] : -1;
}
