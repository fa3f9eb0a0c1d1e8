/* Loads of a world: making, finding, switching, reading. */
#include "base/error.h"
#include "base/memory.h"
#include "world/world.h"
#include <string.h>

fender_load_def fender_load_def_default(void)
{
    fender_load_def def = {0};
    def.size = sizeof def;
    def.at_center = true;
    def.active = true;
    return def;
}

static fender_status check_signal(const fender_signal *s, const char *path, fender_error *error)
{
    const char *problem = NULL;
    if ((unsigned)s->kind > FENDER_SIGNAL_TABLE) problem = "the kind of the function is unknown";
    if (s->kind == FENDER_SIGNAL_CONSTANT && !fender_vec3_is_finite(s->constant)) problem = "the value is not finite";
    if (s->kind == FENDER_SIGNAL_RAMP) {
        if (!fender_vec3_is_finite(s->direction) || !isfinite(s->rate) || !isfinite(s->start))
            problem = "the ramp is not finite";
        else if (!(fender_vec3_length(s->direction) > 0)) problem = "the direction of the ramp is zero";
    }
    if (s->kind == FENDER_SIGNAL_TABLE) {
        if (s->count < 1 || !s->times || !s->values) problem = "the table has no rows";
        for (int i = 0; !problem && i < s->count; i++) {
            if (!isfinite(s->times[i]) || !fender_vec3_is_finite(s->values[i]))
                problem = "a row of the table is not finite";
            else if (i > 0 && !(s->times[i] > s->times[i - 1])) problem = "the times of the table do not increase";
        }
    }
    if (!problem) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_VALUE, path, problem, "", "finite values, and rows with increasing times", "");
}

static bool copy_signal(fender_world *world, fnd_load *load, int k, fender_signal *signal)
{
    int count = signal->kind == FENDER_SIGNAL_TABLE ? signal->count : 0;
    signal->count = count;
    if (count > 0) {
        load->times[k] = fnd_allocate(&world->env, (size_t)count * sizeof(double));
        load->values[k] = fnd_allocate(&world->env, (size_t)count * sizeof(fender_vec3));
        if (!load->times[k] || !load->values[k]) return false;
        memcpy(load->times[k], signal->times, (size_t)count * sizeof(double));
        memcpy(load->values[k], signal->values, (size_t)count * sizeof(fender_vec3));
    }
    signal->times = load->times[k];
    signal->values = load->values[k];
    return true;
}

static void release(fender_world *world, fnd_load *load, int force_count, int torque_count)
{
    int counts[] = {force_count, torque_count};
    for (int k = 0; k < 2; k++) {
        fnd_release(&world->env, load->times[k], (size_t)counts[k] * sizeof(double));
        fnd_release(&world->env, load->values[k], (size_t)counts[k] * sizeof(fender_vec3));
    }
    fnd_text_release(&world->env, load->name);
    *load = (fnd_load){.generation = load->generation, .body = load->body};
}

void fnd_load_forget(fender_world *world, fnd_load *load)
{
    load->generation = fnd_generation_after(load->generation);
    release(world, load, load->def.force.count, load->def.torque.count);
}

fender_status fnd_inner_load_create(fender_world *world, const fender_load_def *def, fender_load_id *id,
                                    fender_error *error)
{
    if (!def) return fnd_world_missing(error);
    const fender_status fits = fnd_world_check_size(def->size, sizeof *def, "fender_load_def", error);
    if (fits) return fits;
    fnd_world_settle(world);
    fnd_dynamics *d = &world->dynamics;
    if (!fnd_name_valid(def->name))
        return fnd_fail(error, FENDER_STATUS_NAME, "name", "a load needs a name", def->name ? def->name : "NULL",
                        "1 to 100 letters, digits and _, not beginning with a digit", "");
    for (int i = 0; i < d->load_count; i++)
        if (d->loads[i].name && strcmp(d->loads[i].name, def->name) == 0)
            return fnd_fail(error, FENDER_STATUS_NAME, "name", "a load with that name exists", def->name, "a new name",
                            "");
    if (!fnd_body_live(&world->model, def->body)) return fnd_world_stale(error, "body");
    if (world->model.bodies[def->body.index1 - 1].motion == FENDER_MOTION_FIXED ||
        world->model.bodies[def->body.index1 - 1].motion == FENDER_MOTION_PRESCRIBED)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "body", "a load needs a dynamic body to move",
                        world->model.bodies[def->body.index1 - 1].name, "a dynamic body", "");
    if (!def->at_center && !fender_vec3_is_finite(def->point))
        return fnd_fail(error, FENDER_STATUS_VALUE, "position", "the point of the load is not finite", "",
                        "finite numbers", "");
    fender_status status = check_signal(&def->force, "force", error);
    if (!status) status = check_signal(&def->torque, "torque", error);
    if (status) return status;
    void *loads = d->loads;
    if (!fnd_reserve_one_more(&world->env, &loads, &d->load_capacity, d->load_count, sizeof *d->loads))
        return fnd_fail_memory(error, "a load");
    d->loads = loads;
    const int slot = fnd_slot_free(loads, sizeof *d->loads, d->load_count, d->loads_gone);
    const bool again = slot < d->load_count;
    fnd_load *load = &d->loads[slot];
    *load = (fnd_load){.generation = again ? load->generation : 1, .user_data = def->user_data, .def = *def};
    load->name = fnd_text_copy(&world->env, def->name);
    bool ok = load->name && copy_signal(world, load, 0, &load->def.force) &&
              copy_signal(world, load, 1, &load->def.torque);
    if (!ok) {
        release(world, load, def->force.kind == FENDER_SIGNAL_TABLE ? def->force.count : 0,
                def->torque.kind == FENDER_SIGNAL_TABLE ? def->torque.count : 0);
        return fnd_fail_memory(error, "a load");
    }
    load->def.name = load->name;
    load->body = (int)def->body.index1 - 1;
    load->active = def->active;
    if (again) d->loads_gone--;
    else d->load_count++;
    d->committed_fresh = false;
    if (id) *id = fnd_load_id(d, slot);
    return FENDER_STATUS_OK;
}

FND_ENUMERATE(load, loads, world->dynamics)
FND_FIND_BY_NAME(load, loads, world->dynamics)

fender_status fnd_inner_load_set_active(fender_world *world, fender_load_id id, bool active)
{
    fnd_world_settle(world);
    if (!fnd_load_live(&world->dynamics, id)) return FENDER_STATUS_STALE_ID;
    world->dynamics.loads[id.index1 - 1].active = active;
    world->dynamics.committed_fresh = false;
    return FENDER_STATUS_OK;
}

fender_status fender_load_is_active(const fender_world *world, fender_load_id id, bool *active)
{
    if (!world || !active) return fnd_world_missing(NULL);
    if (!fnd_load_live(&world->dynamics, id)) return FENDER_STATUS_STALE_ID;
    *active = world->dynamics.loads[id.index1 - 1].active;
    return FENDER_STATUS_OK;
}
