/* Core masses in a running world: set, flowing, and drawn from tanks. */
#include "base/error.h"
#include "math/range.h"
#include "world/tree_change.h"
#include <math.h>

static fender_status check(const fender_world *world, fender_body_id id, fender_error *error)
{
    if (!fnd_body_live(&world->model, id)) return fnd_world_stale(error, "body");
    const fnd_body *body = &world->model.bodies[id.index1 - 1];
    if (fnd_body_dynamic(body) || body->motion == FENDER_MOTION_MASS_ONLY) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_ARGUMENT, "body", "a fixed or prescribed body has no mass", body->name,
                    "a dynamic or mass-only body", "");
}

/* Updates the ancestors of the body; the velocity field of the tree is unchanged. */
static void change_core(fender_world *world, int index, const fender_mass_properties *core)
{
    fnd_body *bodies = world->model.bodies;
    int root = fnd_tree_root(bodies, index);
    const fnd_root_motion before = fnd_root_motion_of(bodies, root);
    bodies[index].core = *core;
    fnd_composite_update_upward(bodies, index);
    fnd_root_goes_on(world, root, before);
}

fender_status fender_body_get_mass(const fender_world *world, fender_body_id id, fender_mass_kind kind,
                                   fender_mass_properties *properties)
{
    if (!world || !properties) return fnd_world_missing(NULL);
    if (!fnd_body_live(&world->model, id)) return FENDER_STATUS_STALE_ID;
    const fnd_body *body = &world->model.bodies[id.index1 - 1];
    *properties = body->core;
    if (kind == FENDER_MASS_COMPOSITE)
        *properties = (fender_mass_properties){body->mass, body->center_S, body->inertia};
    return FENDER_STATUS_OK;
}

static fender_status check_range(const fender_mass_properties *m, fender_error *error)
{
    bool fits = fnd_is_in_range(m->mass) && fnd_is_vector_in_range(m->center_of_mass);
    for (int i = 0; i < 9; i++) fits = fits && fnd_is_in_range(m->inertia.m[i / 3][i % 3]);
    if (fits) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_VALUE, "mass_properties", "the mass properties are too large", "",
                    "numbers of at most 1e100", "check the unit");
}

fender_status fnd_inner_body_set_mass(fender_world *world, fender_body_id id, const fender_mass_properties *core,
                                      fender_error *error)
{
    if (!core) return fnd_world_missing(error);
    fnd_world_settle(world);
    fender_status status = check(world, id, error);
    if (!status) {
        const fnd_body *body = &world->model.bodies[id.index1 - 1];
        status = fnd_mass_check(core, body->motion, body->def.lenient_inertia, error);
    }
    if (!status) status = check_range(core, error);
    fnd_tree_change change;
    if (!status) status = fnd_tree_change_begin(world, &change, error);
    if (status) return status;
    change_core(world, (int)id.index1 - 1, core);
    status = fnd_tree_change_end(world, &change, FND_BOOK_OUTSIDE, error);
    if (!status) fnd_tree_tell(world, (int)id.index1 - 1);
    return status;
}

/* Core properties after a time of flow; exact at the end of it. */
static fender_mass_properties flowed(const fnd_body *body, double time)
{
    fender_mass_properties core = body->core;
    core.mass += time * body->flow.mass_rate;
    core.center_of_mass = fender_vec3_add_scaled(core.center_of_mass, time, body->flow.center_rate);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) core.inertia.m[i][j] += time * body->flow.inertia_rate.m[i][j];
    return core;
}

static double time_left(const fnd_body *body)
{
    return (body->flow.until_mass - body->core.mass) / body->flow.mass_rate;
}

fender_status fnd_inner_body_set_mass_flow(fender_world *world, fender_body_id id, const fender_mass_flow *flow,
                                           fender_error *error)
{
    if (!flow) return fnd_world_missing(error);
    fnd_world_settle(world);
    fender_status status = check(world, id, error);
    if (status) return status;
    fnd_body *body = &world->model.bodies[id.index1 - 1];
    if (flow->mass_rate == 0) {
        body->flow = *flow;
        return FENDER_STATUS_OK;
    }
    fnd_body trial = *body;
    trial.flow = *flow;
    double left = time_left(&trial);
    if (!isfinite(flow->mass_rate) || !(flow->until_mass > 0) || !isfinite(flow->until_mass) || !(left >= 0) ||
        !isfinite(left))
        return fnd_fail(error, FENDER_STATUS_VALUE, "mass_flow.until_mass", "the mass never reaches this value",
                        fnd_number(flow->until_mass).text,
                        "above 0 kg; below the present mass for a loss, above it for a gain", "");
    /* Valid at both ends is valid between: all three tests are convex. */
    const fender_mass_properties end = flowed(&trial, left);
    fender_error parts = {0};
    if ((status = fnd_mass_check(&end, body->motion, body->def.lenient_inertia, &parts)))
        return fnd_fail(error, status, "mass_flow.inertia_rate", parts.message, parts.found, parts.expected,
                        "the properties at the end of the flow must be possible too");
    body->flow = *flow;
    world->flows = true;
    return FENDER_STATUS_OK;
}

/* ---- tanks */

#define DRY_GRAIN 1e-12 /* of what a tank has: nothing is left */

/* What all thrusters take from a tank between two times. */
static double drawn(const fender_world *world, int tank, double from, double to)
{
    double sum = 0;
    for (int i = 0; i < world->dynamics.load_count; i++) {
        const fnd_load *load = &world->dynamics.loads[i];
        if (load->name && load->tank == tank && load->def.kind == FENDER_LOAD_THRUSTER)
            sum += fnd_load_propellant(load, from, to);
    }
    return sum;
}

/* The largest dry mass among those that its thrusters name. */
static double dry_mass(const fender_world *world, int tank)
{
    double mass = 0;
    for (int i = 0; i < world->dynamics.load_count; i++) {
        const fnd_load *load = &world->dynamics.loads[i];
        if (load->name && load->tank == tank && load->def.thruster.dry_mass > mass) mass = load->def.thruster.dry_mass;
    }
    return mass;
}

/* The first load that draws from that tank speaks for all. */
static bool speaks(const fender_world *world, int load)
{
    const fnd_load *loads = world->dynamics.loads;
    if (!loads[load].name || loads[load].tank < 0) return false;
    for (int i = 0; i < load; i++)
        if (loads[i].name && loads[i].tank == loads[load].tank) return false;
    return true;
}

double fnd_world_dry_time(const fender_world *world, double until)
{
    for (int i = 0; i < world->dynamics.load_count; i++) {
        if (!speaks(world, i)) continue;
        const int tank = world->dynamics.loads[i].tank;
        const double left = world->model.bodies[tank].core.mass - dry_mass(world, tank);
        if (!(left > 0) || !isfinite(until) || drawn(world, tank, world->time, until) < left) continue;
        double low = world->time, high = until;
        for (int k = 0; k < 200; k++) {
            const double middle = low + 0.5 * (high - low);
            if (!(middle > low) || !(middle < high)) break;
            if (drawn(world, tank, world->time, middle) < left) low = middle;
            else high = middle;
        }
        until = high;
    }
    return until;
}

void fnd_loads_burn_free(fender_world *world, double from, double to)
{
    for (int i = 0; i < world->dynamics.load_count; i++) {
        fnd_load *load = &world->dynamics.loads[i];
        if (load->name && load->tank == FND_NO_TANK) load->memory.propellant += fnd_load_propellant(load, from, to);
    }
}

/* The core of a tank keeps its centre, and its inertia in proportion to its mass. */
static void flow_tank(fender_world *world, int tank, double from, double to)
{
    fender_mass_properties core = world->model.bodies[tank].core;
    const double dry = dry_mass(world, tank), taken = drawn(world, tank, from, to);
    if (taken == 0 || !(core.mass > dry)) return;
    double mass = core.mass - taken;
    if (!(mass - dry > DRY_GRAIN * core.mass)) mass = dry;
    for (int i = 0; i < world->dynamics.load_count; i++) {
        fnd_load *load = &world->dynamics.loads[i];
        if (load->name && load->tank == tank) load->memory.propellant += fnd_load_propellant(load, from, to);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) core.inertia.m[i][j] *= mass / core.mass;
    core.mass = mass;
    change_core(world, tank, &core);
}

/* What flows change of the ledger. */
typedef struct flow_books {
    double energy, axial;
    fender_vec3 linear, angular;
} flow_books;

static flow_books books_of(const fender_world *world)
{
    flow_books b = {.energy = fnd_world_energy(world), .axial = fnd_world_axial_momentum(world)};
    fnd_world_momentum(world, &b.linear, &b.angular);
    return b;
}

static void book_flow(fender_world *world, const flow_books *before)
{
    const flow_books now = books_of(world);
    fnd_account *account = &world->account;
    account->applied += now.energy - before->energy;
    account->impulse = fender_vec3_add(account->impulse, fender_vec3_sub(now.linear, before->linear));
    account->angular_impulse = fender_vec3_add(account->angular_impulse, fender_vec3_sub(now.angular, before->angular));
    account->axial_impulse += now.axial - before->axial;
}

static void flow_cores(fender_world *world, double from, double time, bool bodies)
{
    bool more = false;
    for (int i = 0; bodies && i < world->model.body_count; i++) {
        fnd_body *body = &world->model.bodies[i];
        if (body->flow.mass_rate == 0) continue;
        double left = time_left(body);
        fender_mass_properties core = flowed(body, time < left ? time : left);
        if (time >= left) {
            core.mass = body->flow.until_mass;
            body->flow.mass_rate = 0;
        }
        more |= body->flow.mass_rate != 0;
        change_core(world, i, &core);
    }
    for (int i = 0; i < world->dynamics.load_count; i++)
        if (speaks(world, i)) flow_tank(world, world->dynamics.loads[i].tank, from, from + time);
    if (bodies) world->flows = more;
    fnd_dynamics_layout(&world->dynamics);
}

static fender_status flow(fender_world *world, double from, double time, bool bodies, fender_error *error)
{
    fender_status status = fnd_world_refresh(world, error);
    if (status) return status;
    const flow_books before = books_of(world);
    flow_cores(world, from, time, bodies);
    fnd_world_pack(world);
    if ((status = fnd_world_refresh(world, error))) return status;
    book_flow(world, &before);
    return FENDER_STATUS_OK;
}

bool fnd_world_flow_sample(fender_world *world, double from, double time)
{
    fnd_dynamics *d = &world->dynamics;
    const flow_books before = books_of(world);
    flow_cores(world, from, time, true);
    for (int k = 0; k < d->dynamic_count; k++)
        fnd_state_pack(d, k, &world->model.bodies[d->dynamic[k]].state, world->rotations[2], world->vector[2]);
    fnd_dynamics_frames(d, world->time, world->rotations[2], world->vector[2], d->frames);
    if (!fnd_dynamics_evaluate(d, world->time, d->frames, &d->evaluations[0])) return false;
    d->committed_fresh = true;
    book_flow(world, &before);
    return true;
}

fender_status fnd_world_flow(fender_world *world, double from, double time, fender_error *error)
{
    return flow(world, from, time, true, error);
}

fender_status fnd_world_flow_tanks(fender_world *world, double from, double to, fender_error *error)
{
    return flow(world, from, to - from, false, error);
}
