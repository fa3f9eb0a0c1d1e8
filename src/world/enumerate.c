/* Enumeration of contact types, rules and loads, in order of creation. */
#include "world/world.h"

int fender_contact_type_count(const fender_world *world) { return world ? world->model.type_count : 0; }

fender_contact_type_id fender_contact_type_at(const fender_world *world, int index)
{
    fender_contact_type_id none = {0, 0}, id = {(uint32_t)index + 1, 1};
    return world && index >= 0 && index < world->model.type_count ? id : none;
}

int fender_rule_count(const fender_world *world) { return world ? world->model.rule_count : 0; }

fender_rule_id fender_rule_at(const fender_world *world, int index)
{
    fender_rule_id none = {0, 0}, id = {(uint32_t)index + 1, 1};
    return world && index >= 0 && index < world->model.rule_count ? id : none;
}

int fender_load_count(const fender_world *world) { return world ? world->dynamics.load_count : 0; }

fender_load_id fender_load_at(const fender_world *world, int index)
{
    fender_load_id none = {0, 0}, id = {(uint32_t)index + 1, 1};
    return world && index >= 0 && index < world->dynamics.load_count ? id : none;
}

fender_status fender_load_get_def(const fender_world *world, fender_load_id load, fender_load_def *def)
{
    if (!world || !def) return fnd_world_missing(NULL);
    if (!fnd_id_live(load.index1, load.generation, world->dynamics.load_count)) return FENDER_STATUS_STALE_ID;
    const fnd_load *found = &world->dynamics.loads[load.index1 - 1];
    *def = found->def;
    def->active = found->active;
    return FENDER_STATUS_OK;
}
