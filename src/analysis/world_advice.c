/* Looks at the pairs of a world: which step their stiffness and their speed ask for. */
#include "analysis/contact_advice.h"
#include "support/number.h"

#include <string.h>

/* What pairs ask of a shape and its body, at the start. */
typedef struct facts {
    fender_shape_id id;
    bool known, stands;
    fender_vec3 position, velocity; /* of the body */
    double inverse_mass;            /* 1/kg; of what is moved with it; 0: it stands */
    double mobility;                /* 1/kg; sideways */
    double gravity;                 /* m/s^2 */
    double thickness;               /* m; the least extent along its axes; 0: none, or no end */
} facts;

static double thickness_of(const fender_geometry *geometry)
{
    fender_pose pose = fender_pose_identity();
    fender_box box = fender_geometry_bounds(geometry, &pose);
    double x = box.upper.x - box.lower.x, y = box.upper.y - box.lower.y, z = box.upper.z - box.lower.z;
    double least = x < y ? x : y;
    if (z < least) least = z;
    return isfinite(least) ? least : 0;
}

static facts facts_of(const fender_world *world, fender_shape_id id)
{
    facts f = {.id = id};
    fender_shape_def def;
    fender_body_data body;
    const fender_body_id of = fender_shape_body(world, id);
    if (fender_shape_get_def(world, id, &def) != FENDER_STATUS_OK ||
        fender_body_get(world, of, FENDER_CLOCK_COMMITTED, &body) != FENDER_STATUS_OK)
        return f;
    f.known = true;
    f.stands = fender_shape_stands(world, id);
    f.position = body.position;
    f.velocity = body.velocity;
    f.inverse_mass = fnd_inverse_mass(world, of);
    f.mobility = fender_sideways_mobility(world, id);
    f.gravity = fender_contact_weight(world, id, 1);
    f.thickness = thickness_of(def.geometry);
    return f;
}

/* Friction grows with the load: the pair whose load moves most is the one that asks for the shortest step. */
static void note_friction(fender_type_use *use, const facts *a, const facts *b, double mass)
{
    const double mobility = a->mobility + b->mobility;
    if (use->type.law == NULL && use->type.friction == NULL) return;
    if (!(mobility > 0) || !isfinite(mass)) return;
    const double load = fnd_pair_load(mass * b->gravity, fender_vec3_sub(b->position, a->position),
                                      fender_vec3_sub(b->velocity, a->velocity), mass, use->advice.stiffness);
    const double sideways = mobility * (1e-9 + load); /* without a load springs alone count */
    if (!(sideways > use->sideways)) return;
    use->sideways = sideways;
    use->mobility = mobility;
    use->load = load;
    use->slippery[0] = a->id;
    use->slippery[1] = b->id;
}

static void note_pair(fender_world_advice *advice, int type, const facts *a, const facts *b)
{
    fender_type_use *use = &advice->uses[type];
    const double mass = 1 / (a->inverse_mass + b->inverse_mass);
    if (advice->pair_count < FENDER_ADVICE_PAIRS)
        advice->pairs[advice->pair_count++] = (fender_pair_use){a->id, b->id, type};
    if (use->pairs++ == 0 || mass < use->advice.mass) {
        use->advice.mass = mass;
        use->lightest[0] = a->id;
        use->lightest[1] = b->id;
    }
    if ((a->stands || b->stands) && (use->resting_mass == 0 || mass < use->resting_mass)) {
        use->resting_mass = mass;
        use->resting[0] = a->id;
        use->resting[1] = b->id;
    }
    note_friction(use, a, b, mass);
}

/* The time in which a pair that approaches crosses the thickness of the smaller of both. Points are left out: they have
 * none. */
static void note_speed(fender_world_advice *advice, const facts *a, const facts *b)
{
    double size = INFINITY;
    if (!a->known || !b->known) return;
    if (a->thickness > 0) size = a->thickness;
    if (b->thickness > 0 && b->thickness < size) size = b->thickness;
    const fender_vec3 between = fender_vec3_sub(b->position, a->position);
    const fender_vec3 velocity = fender_vec3_sub(b->velocity, a->velocity);
    const double speed = fender_vec3_length(velocity);
    if (!(fender_vec3_dot(between, velocity) < 0) || !(size / speed < advice->crossing_time)) return;
    advice->crossing_time = size / speed;
    advice->fastest[0] = a->id;
    advice->fastest[1] = b->id;
}

/* What is looked at, and the facts of each shape, by the index of its id. */
typedef struct looking {
    fender_world_advice *advice;
    facts *shapes;
} looking;

static bool note(void *ctx, fender_shape_id a, fender_shape_id b, fender_contact_type_id use)
{
    const looking *l = ctx;
    note_pair(l->advice, (int)use.index1 - 1, &l->shapes[a.index1 - 1], &l->shapes[b.index1 - 1]);
    note_speed(l->advice, &l->shapes[a.index1 - 1], &l->shapes[b.index1 - 1]);
    return true;
}

/* False: no memory. */
static bool look_at_pairs(fender_world_advice *advice)
{
    const fender_allocator *allocator = &advice->allocator;
    const fender_world *world = advice->world;
    const int count = fender_shape_count(world);
    uint32_t last = 0;
    advice->pairs_counted = count <= FENDER_ADVICE_SHAPES;
    if (!advice->pairs_counted) return true;
    for (int i = 0; i < count; i++) {
        const uint32_t index = fender_shape_at(world, i).index1;
        if (index > last) last = index;
    }
    const size_t size = ((size_t)last + 1) * sizeof(facts);
    looking l = {advice, allocator->allocate(allocator->ctx, size, _Alignof(facts))};
    if (l.shapes == NULL) return false;
    for (int i = 0; i < count; i++) {
        const fender_shape_id id = fender_shape_at(world, i);
        l.shapes[id.index1 - 1] = facts_of(world, id);
    }
    for (int i = 0; i < advice->use_count; i++) { /* of any mass */
        fender_type_use *use = &advice->uses[i];
        use->advice.stiffness = fender_advise_step(&use->type, 1, FENDER_INTEGRATOR_DOPRI5).stiffness;
    }
    const fender_status status = fender_world_visit_pairs(world, note, &l, advice->reasons);
    allocator->release(allocator->ctx, l.shapes, size);
    return status == FENDER_STATUS_OK;
}

/* Of a law whose stiffness depends on the depth, that of the pair as deep as it is pressed. */
static fender_step_advice step_advice_of(const fender_world *world, const fender_type_use *use,
                                         const fender_shape_id pair[2], double mass)
{
    const fender_integrator_method method = fender_world_get_def(world)->method;
    const fender_step_advice advice = fender_advise_step(&use->type, mass, method);
    double depth, stiffness;
    if (!advice.known || !advice.depends_on_depth ||
        !fnd_advise_touch(world, pair[0], pair[1], &use->type, &depth, &stiffness))
        return advice;
    const fender_step_advice pressed = fnd_advise_step_at(&use->type, mass, method, depth, stiffness);
    return pressed.known ? pressed : advice;
}

/* Of a law whose stiffness depends on the depth, the load is that of the pair as it is pressed. */
static fender_friction_advice friction_advice_of(const fender_world *world, fender_type_use *use)
{
    if (use->advice.depends_on_depth) {
        const double load = fender_advise_pair(world, use->slippery[0], use->slippery[1], &use->type).load;
        if (load > 0) use->load = load;
    }
    return fender_advise_friction(&use->type, use->load, use->mobility, fender_world_get_def(world)->method);
}

static void note_sliding(const fender_world_advice *advice, fender_type_use *use)
{
    const fender_world_def *def = fender_world_get_def(advice->world);
    if (!(fnd_sliding_step(&use->type, 1, def->method) < INFINITY)) return;
    for (int i = 0; i < advice->pair_count; i++) {
        const fender_pair_use *pair = &advice->pairs[i];
        if (&advice->uses[pair->use] != use) continue;
        const double speed = fnd_sliding_speed(advice->world, pair->a, pair->b);
        if (!(speed > use->sliding_speed)) continue;
        use->sliding_speed = speed;
        use->sliding[0] = pair->a;
        use->sliding[1] = pair->b;
    }
    use->sliding_step = fnd_sliding_step(&use->type, use->sliding_speed, def->method);
    use->slides_too_fast = def->step > use->sliding_step;
}

/* `briefly`: without the step at rest, for which some thousand steps are made. */
static void advise(fender_world_advice *advice, bool briefly)
{
    const fender_world_def *def = fender_world_get_def(advice->world);
    for (int i = 0; i < advice->use_count; i++) {
        fender_type_use *use = &advice->uses[i];
        use->resting_step = use->sliding_step = INFINITY;
        if (use->pairs == 0) {
            use->advice.stiffness = 0; /* nothing is known of it */
            continue;
        }
        use->advice = step_advice_of(advice->world, use, use->lightest, use->advice.mass);
        if (use->sideways > 0) {
            use->friction = friction_advice_of(advice->world, use);
            use->friction_too_stiff = use->friction.known && def->step > use->friction.largest_step;
        }
        note_sliding(advice, use);
        use->step_too_long = use->advice.known && def->step > use->advice.largest_step;
        if (use->resting_mass > 0 && !briefly)
            use->resting_step =
                fender_advise_pair(advice->world, use->resting[0], use->resting[1], &use->type).stable_step;
        use->step_too_long_at_rest = def->step > use->resting_step;
        if (!use->step_too_long) continue;
        double proposed = fnd_number_one_digit(use->advice.largest_step / 10);
        if (advice->proposed_step == 0 || proposed < advice->proposed_step) advice->proposed_step = proposed;
    }
}

static fender_status look(const fender_world *world, const fender_env *env, bool briefly, fender_world_advice *advice)
{
    const fender_allocator *allocator = &env->allocator;
    int count = fender_contact_type_count(world);
    memset(advice, 0, sizeof *advice);
    advice->world = world;
    advice->allocator = *allocator;
    advice->crossing_time = INFINITY;
    advice->uses_size = ((size_t)count + 1) * sizeof advice->uses[0]; /* none is no reason for no memory */
    advice->uses = allocator->allocate(allocator->ctx, advice->uses_size, _Alignof(fender_type_use));
    if (advice->uses == NULL) return FENDER_STATUS_MEMORY;
    memset(advice->uses, 0, advice->uses_size);
    for (advice->use_count = 0; advice->use_count < count; advice->use_count++)
        (void)fender_contact_type_get_def(world, fender_contact_type_at(world, advice->use_count),
                                          &advice->uses[advice->use_count].type);
    if (!look_at_pairs(advice)) {
        fender_world_advice_release(advice);
        return FENDER_STATUS_MEMORY;
    }
    advise(advice, briefly);
    return FENDER_STATUS_OK;
}

fender_status fender_world_advise(const fender_world *world, const fender_env *env, fender_world_advice *advice)
{
    return look(world, env, false, advice);
}

fender_status fnd_world_advise_briefly(const fender_world *world, const fender_env *env, fender_world_advice *advice)
{
    return look(world, env, true, advice);
}

void fender_world_advice_release(fender_world_advice *advice)
{
    const fender_allocator *allocator = &advice->allocator;
    if (advice->uses) allocator->release(allocator->ctx, advice->uses, advice->uses_size);
    advice->uses = NULL;
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
