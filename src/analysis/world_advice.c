/* Looks at the pairs of a world: which step their stiffness and their speed ask for. */
#include "support/number.h"

#include <fender/advice.h>
#include <string.h>

/* Friction grows with the load: the pair whose load moves most is the one that asks for the shortest step. */
static void note_friction(fender_world_advice *advice, fender_type_use *use, const fender_pair_explanation *pair,
                          double mass, double mobility)
{
    if (use->type.law == NULL && use->type.friction == NULL) return;
    if (!(mobility > 0) || !isfinite(mass)) return;
    double stiffness = fender_advise_step(&use->type, mass, FENDER_INTEGRATOR_DOPRI5).stiffness;
    double load = fender_contact_load(advice->world, pair->a, pair->b, mass, stiffness);
    double sideways = mobility * (1e-9 + load); /* without a load springs alone count */
    if (!(sideways > use->sideways)) return;
    use->sideways = sideways;
    use->mobility = mobility;
    use->load = load;
    use->slippery[0] = pair->a;
    use->slippery[1] = pair->b;
}

static void note_pair(fender_world_advice *advice, const fender_pair_explanation *pair, double mobility)
{
    fender_contact_type_def type;
    if (fender_contact_type_get_def(advice->world, pair->use, &type) != FENDER_STATUS_OK) return;
    for (int i = 0; i < advice->use_count; i++) {
        fender_type_use *use = &advice->uses[i];
        if (strcmp(use->type.name, type.name) != 0) continue;
        double mass = fender_pair_reduced_mass(advice->world, fender_shape_body(advice->world, pair->a),
                                               fender_shape_body(advice->world, pair->b));
        if (advice->pair_count < FENDER_ADVICE_PAIRS)
            advice->pairs[advice->pair_count++] = (fender_pair_use){pair->a, pair->b, i};
        if (use->pairs++ == 0 || mass < use->advice.mass) {
            use->advice.mass = mass;
            use->lightest[0] = pair->a;
            use->lightest[1] = pair->b;
        }
        if ((fender_shape_stands(advice->world, pair->a) || fender_shape_stands(advice->world, pair->b)) &&
            (use->resting_mass == 0 || mass < use->resting_mass)) {
            use->resting_mass = mass;
            use->resting[0] = pair->a;
            use->resting[1] = pair->b;
        }
        note_friction(advice, use, pair, mass, mobility);
        return;
    }
}

/* The least extent along its axes; 0: none, or no end. */
static double thickness_of(const fender_geometry *geometry)
{
    fender_pose pose = fender_pose_identity();
    fender_box box = fender_geometry_bounds(geometry, &pose);
    double x = box.upper.x - box.lower.x, y = box.upper.y - box.lower.y, z = box.upper.z - box.lower.z;
    double least = x < y ? x : y;
    if (z < least) least = z;
    return isfinite(least) ? least : 0;
}

/* The time in which a pair that approaches crosses the thickness of the smaller of both. */
static void note_speed(fender_world_advice *advice, const fender_pair_explanation *pair)
{
    fender_shape_id ids[2] = {pair->a, pair->b};
    fender_body_data bodies[2];
    double size = INFINITY;
    for (int i = 0; i < 2; i++) {
        fender_shape_def def;
        if (fender_shape_get_def(advice->world, ids[i], &def) != FENDER_STATUS_OK ||
            fender_body_get(advice->world, fender_shape_body(advice->world, ids[i]), FENDER_CLOCK_COMMITTED,
                            &bodies[i]) != FENDER_STATUS_OK)
            return;
        double thickness = thickness_of(def.geometry);
        if (thickness > 0 && thickness < size) size = thickness; /* points are left out: they have none */
    }
    fender_vec3 between = fender_vec3_sub(bodies[1].position, bodies[0].position);
    fender_vec3 velocity = fender_vec3_sub(bodies[1].velocity, bodies[0].velocity);
    double speed = fender_vec3_length(velocity);
    if (!(fender_vec3_dot(between, velocity) < 0) || !(size / speed < advice->crossing_time)) return;
    advice->crossing_time = size / speed;
    advice->fastest[0] = pair->a;
    advice->fastest[1] = pair->b;
}

static void count_pairs(fender_world_advice *advice)
{
    int count = fender_shape_count(advice->world);
    advice->pairs_counted = count <= FENDER_ADVICE_SHAPES;
    for (int i = 0; advice->pairs_counted && i < count; i++)
        advice->mobility[i] = fender_sideways_mobility(advice->world, fender_shape_at(advice->world, i));
    for (int i = 0; advice->pairs_counted && i < count; i++) {
        for (int k = i + 1; k < count; k++) {
            fender_pair_explanation pair;
            if (fender_world_explain(advice->world, fender_shape_at(advice->world, i),
                                     fender_shape_at(advice->world, k), &pair) != FENDER_STATUS_OK)
                continue;
            advice->reasons[pair.reason]++;
            if (pair.reason == FENDER_PAIR_MAY_TOUCH || pair.reason == FENDER_PAIR_OUT_OF_RANGE) {
                note_pair(advice, &pair, advice->mobility[i] + advice->mobility[k]);
                note_speed(advice, &pair);
            }
        }
    }
}

static void advise(fender_world_advice *advice)
{
    const fender_world_def *def = fender_world_get_def(advice->world);
    for (int i = 0; i < advice->use_count; i++) {
        fender_type_use *use = &advice->uses[i];
        use->resting_step = INFINITY;
        if (use->pairs == 0) continue;
        use->advice = fender_advise_step(&use->type, use->advice.mass, def->method);
        if (use->sideways > 0) {
            use->friction = fender_advise_friction(&use->type, use->load, use->mobility, def->method);
            use->friction_too_stiff = use->friction.known && def->step > use->friction.largest_step;
        }
        use->step_too_long = use->advice.known && def->step > use->advice.largest_step;
        if (use->resting_mass > 0)
            use->resting_step =
                fender_advise_pair(advice->world, use->resting[0], use->resting[1], &use->type).stable_step;
        use->step_too_long_at_rest = def->step > use->resting_step;
        if (!use->step_too_long) continue;
        double proposed = fnd_number_one_digit(use->advice.largest_step / 10);
        if (advice->proposed_step == 0 || proposed < advice->proposed_step) advice->proposed_step = proposed;
    }
}

fender_status fender_world_advise(const fender_world *world, const fender_env *env, fender_world_advice *advice)
{
    const fender_allocator *allocator = &env->allocator;
    int count = fender_contact_type_count(world);
    memset(advice, 0, sizeof *advice);
    advice->world = world;
    advice->allocator = *allocator;
    advice->crossing_time = INFINITY;
    advice->uses_size = ((size_t)count + 1) * sizeof advice->uses[0]; /* none is no reason for no memory */
    advice->uses = allocator->allocate(allocator->ctx, advice->uses_size, _Alignof(fender_type_use));
    advice->mobility_size = ((size_t)fender_shape_count(world) + 1) * sizeof advice->mobility[0];
    advice->mobility = allocator->allocate(allocator->ctx, advice->mobility_size, _Alignof(double));
    if (advice->uses == NULL || advice->mobility == NULL) {
        fender_world_advice_release(advice);
        return FENDER_STATUS_MEMORY;
    }
    memset(advice->uses, 0, advice->uses_size);
    for (int i = 0; i < count; i++)
        if (fender_contact_type_get_def(world, fender_contact_type_at(world, i),
                                        &advice->uses[advice->use_count].type) == FENDER_STATUS_OK)
            advice->use_count++;
    count_pairs(advice);
    advise(advice);
    return FENDER_STATUS_OK;
}

void fender_world_advice_release(fender_world_advice *advice)
{
    const fender_allocator *allocator = &advice->allocator;
    if (advice->uses) allocator->release(allocator->ctx, advice->uses, advice->uses_size);
    if (advice->mobility) allocator->release(allocator->ctx, advice->mobility, advice->mobility_size);
    advice->uses = NULL;
    advice->mobility = NULL;
}

double fender_scenario_stable_step(const fender_scenario *scenario, const fender_env *env, const fender_world *world)
{
    enum { MOST_BODIES = 100 }; /* the search costs some thousand steps */
    double longest = INFINITY;
    if ((fender_link_count(world) == 0 && fender_contact_count(world, FENDER_CLOCK_COMMITTED) == 0) ||
        fender_body_count(world) > MOST_BODIES)
        return INFINITY;
    fender_env silent = *env;
    silent.report = NULL; /* it was told when the run was created */
    fender_world *own = fender_scenario_build(scenario, &silent, NULL);
    if (own && fender_world_stable_step(own, &longest, NULL) != FENDER_STATUS_OK) longest = INFINITY;
    fender_world_destroy(own);
    return longest;
}
