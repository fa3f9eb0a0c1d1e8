/* The longest stable step of the whole system as it is. */
#include "base/error.h"
#include "base/memory.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include "world/entry.h"
#include "world/world.h"
#include <assert.h>

/* The longest step by which a method does not make small disturbances of the present state grow, of the whole system as
 * it is: contacts, links, friction and rolling together.
 *
 * Looked at is the system that the rates have around the present state, which itself is made to rest: its own rates are
 * subtracted, and the others are linear in the disturbance, by differences to both sides, once. A step is then a map of
 * disturbances, stable while its largest eigenvalue is within the unit circle. The disturbance is followed by the power
 * method: how much it grows in a step in the long run is that eigenvalue's size.
 * Bodies that drift make it grow like the number of steps, which LEAST leaves room for. The search halves the interval
 * in which growth begins. */

enum { ROUNDS = 120, HALVINGS = 6, DOUBLINGS = 12 };
#define LEAST    1.03  /* in a step, to be growth; drift has 120/60 in 60 steps, 1.0116 */
#define MOST     1.65  /* sqrt(e): a step that does not follow what falls over is too long as well */
#define SAME     1.3   /* growth of a whole step over that of its halves, of the logarithms */
#define SMALL    1e-10 /* m; of the disturbance */
#define SMALL_IN 1e-6  /* of the least depth: dampers of speeds as small as 1 um/s do not leave their range */
#define SMALL_AT 1e-12 /* of the distance from the origin, at least: rounding is a thousandth of it */
#define MARGIN   0.93  /* of what was found */

/* How one component of the disturbance changes one of the rates. Rows: velocities of rotation, three of a body, then
 * the rates of the vector. */
typedef struct slope {
    int row;
    double value;
} slope;

typedef struct disturbance {
    fender_world *world;
    size_t vector_count, rotation_count;
    double *vector; /* of the disturbance, like the others in scaled units */
    fender_vec3 *turns;
    double *scale;       /* m per unit of a component of the vector, at a step */
    double *start, *end; /* disturbed vectors */
    fender_quaternion *turned_start, *turned_end;
    double *rates;        /* of the present state */
    fender_vec3 *turning; /* rad/s; of the present state */
    double *radius;       /* m; of gyration, by body that is integrated */
    double size;          /* m */
    /* By column, and one more: slopes first[k] to first[k + 1]. Columns: turns and the bodies' part of the vector, then
     * the states beside, one by one or by directions. */
    int *first;
    double *directions; /* of length 1, state_count each; NULL: one by one */
    size_t direction_count, state_count, column_count;
    slope *slopes;
    int slope_count, slope_capacity;
    void *block;
    size_t block_size;
} disturbance;

/* Where states are many, the bodies move them together: directions that the bodies and each other lead to. */
#define MANY 2    /* states of that number of components of bodies */
#define NEW  1e-6 /* part of a direction that the others do not have */

/* Columns of the bodies. */
static size_t body_columns(const disturbance *d) { return 12 * d->rotation_count; }

static bool is_by_directions(const disturbance *d) { return d->state_count > MANY * body_columns(d); }

static bool create(disturbance *d, fender_world *world)
{
    const fnd_dynamics *dynamics = &world->dynamics;
    const size_t bodies = (size_t)dynamics->dynamic_count;
    d->world = world;
    d->vector_count = 9 * bodies + (size_t)world->ode.state_count;
    d->rotation_count = bodies;
    d->state_count = (size_t)world->ode.state_count;
    const size_t columns = body_columns(d) + (is_by_directions(d) ? MANY * body_columns(d) : d->state_count);
    const size_t directions = is_by_directions(d) ? MANY * body_columns(d) * d->state_count : 0;
    d->block_size = 5 * d->vector_count * sizeof(double) + bodies * sizeof(double) +
                    2 * bodies * (sizeof(fender_vec3) + sizeof(fender_quaternion)) + directions * sizeof(double) +
                    (columns + 1) * sizeof(int);
    d->block = fnd_allocate(&world->env, d->block_size);
    if (!d->block) return false;
    d->turned_start = d->block;
    d->turned_end = d->turned_start + bodies;
    d->turns = (fender_vec3 *)(void *)(d->turned_start + 2 * bodies);
    d->turning = d->turns + bodies;
    d->vector = (double *)(void *)(d->turns + 2 * bodies);
    d->scale = d->vector + d->vector_count;
    d->start = d->scale + d->vector_count;
    d->end = d->start + d->vector_count;
    d->rates = d->end + d->vector_count;
    d->radius = d->rates + d->vector_count;
    d->directions = directions > 0 ? d->radius + bodies : NULL;
    d->first = (int *)(void *)(d->radius + bodies + directions);
    double least = INFINITY, far = 0;
    for (int i = 0; i < dynamics->evaluations[0].contacts.count; i++) {
        const double depth = dynamics->evaluations[0].contacts.items[i].in.depth;
        if (depth > 0 && depth < least) least = depth;
    }
    for (size_t k = 0; k < bodies; k++) {
        const fnd_body *body = &world->model.bodies[dynamics->dynamic[k]];
        const fender_mat3 *inverse = &body->inverse_inertia;
        const double mean = (inverse->m[0][0] + inverse->m[1][1] + inverse->m[2][2]) / 3;
        const double away = fender_vec3_length(body->state.p);
        d->radius[k] = sqrt(body->inverse_mass / mean);
        if (away > far) far = away;
    }
    d->size = SMALL_IN * least < SMALL ? SMALL_IN * least : SMALL;
    if (d->size < SMALL_AT * far) d->size = SMALL_AT * far;
    return true;
}

static double normalize(disturbance *d)
{
    double sum = 0;
    for (size_t i = 0; i < d->vector_count; i++) sum += d->vector[i] * d->vector[i];
    for (size_t k = 0; k < d->rotation_count; k++) sum += fender_vec3_dot(d->turns[k], d->turns[k]);
    const double length = sqrt(sum);
    if (!(length > 0) || !isfinite(length)) return length;
    for (size_t i = 0; i < d->vector_count; i++) d->vector[i] /= length;
    for (size_t k = 0; k < d->rotation_count; k++) d->turns[k] = fender_vec3_scale(1 / length, d->turns[k]);
    return length;
}

/* Velocities count by what they move in a step, angles and momenta at the radius of gyration. */
static void set_scales(disturbance *d, double h)
{
    assert(h > 0);
    const size_t bodies = d->rotation_count;
    for (size_t k = 0; k < bodies; k++) {
        const fnd_body *body = &d->world->model.bodies[d->world->dynamics.dynamic[k]];
        for (size_t i = 0; i < 3; i++) {
            d->scale[3 * k + i] = 1;
            d->scale[3 * (bodies + k) + i] = 1 / h;
            d->scale[3 * (2 * bodies + k) + i] = d->radius[k] / (body->inverse_mass * h);
        }
    }
    for (size_t i = 9 * bodies; i < d->vector_count; i++) d->scale[i] = 1;
}

/* ---- the ode around the present state ---- */

static void prepare(fender_world *world)
{
    world->dynamics.committed_fresh = false; /* the first stage is not that of the committed state */
    world->dynamics.regime = fnd_world_locates(world) ? FND_REGIME_FROZEN : FND_REGIME_CLIPPED;
    world->workspace.failure = NULL;
}

static bool append(disturbance *d, size_t row, double value)
{
    void *slopes = d->slopes;
    if (!fnd_reserve_one_more(&d->world->env, &slopes, &d->slope_capacity, d->slope_count, sizeof(slope))) return false;
    d->slopes = slopes;
    d->slopes[d->slope_count++] = (slope){(int)row, value};
    return true;
}

/* The rates where one column is off by `way`; `turning` and `rates` receive them. */
static bool rates_beside(disturbance *d, size_t column, double way, fender_vec3 *turning, double *rates)
{
    fender_world *world = d->world;
    const fnd_ode *ode = &world->ode;
    const size_t turns = 3 * d->rotation_count;
    for (size_t i = 0; i < d->vector_count; i++) d->start[i] = world->vector[0][i];
    for (size_t k = 0; k < d->rotation_count; k++) d->turned_start[k] = world->rotations[0][k];
    if (column < turns) {
        fender_vec3 turn = {column % 3 == 0 ? way : 0, column % 3 == 1 ? way : 0, column % 3 == 2 ? way : 0};
        d->turned_start[column / 3] = fnd_quaternion_rotated(turn, d->turned_start[column / 3]);
    } else if (column < body_columns(d) || !d->directions) {
        d->start[column - turns] += way;
    } else {
        const double *direction = d->directions + (column - body_columns(d)) * d->state_count;
        for (size_t i = 0; i < d->state_count; i++) d->start[9 * d->rotation_count + i] += way * direction[i];
    }
    prepare(world);
    return ode->rates(ode->ctx, 0, world->time, d->turned_start, d->start, turning, rates);
}

/* One column by differences to both sides. */
static bool differentiate(disturbance *d, size_t column)
{
    const size_t turns = 3 * d->rotation_count;
    double way = d->size; /* of states */
    if (column < turns) way = d->size / d->radius[column / 3];
    else if (column < body_columns(d)) way = d->size * d->scale[column - turns];
    fender_vec3 *less = d->turns; /* free until the disturbance is followed */
    fender_vec3 *more = d->turning;
    double *rates = d->vector, *other = d->end;
    if (!rates_beside(d, column, -way, less, rates) || !rates_beside(d, column, way, more, other)) return false;
    for (size_t k = 0; k < d->rotation_count; k++) {
        const fender_vec3 change = fender_vec3_scale(0.5 / way, fender_vec3_sub(more[k], less[k]));
        const double part[3] = {change.x, change.y, change.z};
        for (size_t i = 0; i < 3; i++)
            if (part[i] != 0 && !append(d, 3 * k + i, part[i])) return false;
    }
    for (size_t i = 0; i < d->vector_count; i++)
        if (other[i] != rates[i] && !append(d, turns + i, 0.5 / way * (other[i] - rates[i]))) return false;
    return true;
}

/* What a column does to the states becomes a direction, as far as the others do not have it and there is room. */
static void add_direction(disturbance *d, size_t column)
{
    const size_t first = 12 * d->rotation_count; /* row of the first state */
    if (d->direction_count == MANY * body_columns(d)) return;
    double *one = d->directions + d->direction_count * d->state_count, before = 0, after = 0;
    for (size_t i = 0; i < d->state_count; i++) one[i] = 0;
    for (int i = d->first[column]; i < d->slope_count; i++)
        if ((size_t)d->slopes[i].row >= first) one[(size_t)d->slopes[i].row - first] = d->slopes[i].value;
    for (size_t i = 0; i < d->state_count; i++) before += one[i] * one[i];
    for (int round = 0; round < 2; round++) /* the second takes away what rounding left */
        for (size_t k = 0; k < d->direction_count; k++) {
            const double *other = d->directions + k * d->state_count;
            double along = 0;
            for (size_t i = 0; i < d->state_count; i++) along += one[i] * other[i];
            for (size_t i = 0; i < d->state_count; i++) one[i] -= along * other[i];
        }
    for (size_t i = 0; i < d->state_count; i++) after += one[i] * one[i];
    if (!(after > NEW * NEW * before)) return;
    const double length = sqrt(after);
    for (size_t i = 0; i < d->state_count; i++) one[i] /= length;
    d->direction_count++;
}

/* False: no memory. */
static bool linearize(disturbance *d)
{
    fender_world *world = d->world;
    set_scales(d, world->def.step);
    d->column_count = body_columns(d) + (d->directions ? 0 : d->state_count);
    for (size_t column = 0; column < d->column_count; column++) {
        d->first[column] = d->slope_count;
        if (!differentiate(d, column)) return false;
        if (d->directions) add_direction(d, column);
        if (d->directions) d->column_count = body_columns(d) + d->direction_count;
    }
    d->first[d->column_count] = d->slope_count;
    prepare(world);
    return world->ode.rates(world->ode.ctx, 0, world->time, world->rotations[0], world->vector[0], d->turning,
                            d->rates);
}

static void add_column(const disturbance *d, size_t column, double part, fender_vec3 *angular_velocities, double *rates)
{
    const size_t turns = 3 * d->rotation_count;
    if (part == 0) return;
    for (int i = d->first[column]; i < d->first[column + 1]; i++) {
        const double change = part * d->slopes[i].value;
        const size_t row = (size_t)d->slopes[i].row;
        if (row >= turns) rates[row - turns] += change;
        else if (row % 3 == 0) angular_velocities[row / 3].x += change;
        else if (row % 3 == 1) angular_velocities[row / 3].y += change;
        else angular_velocities[row / 3].z += change;
    }
}

/* Angle and axis, world axes, that lead from the present attitude of a body to another near it. */
static fender_vec3 turn_to(const disturbance *d, size_t body, fender_quaternion attitude)
{
    const fender_quaternion present = d->world->rotations[0][body];
    const fender_quaternion q = fender_quaternion_product(attitude, fender_quaternion_conjugate(present));
    return fender_vec3_scale(q.w < 0 ? -2 : 2, (fender_vec3){q.x, q.y, q.z});
}

static bool rates_around(void *ctx, int stage, double time, const fender_quaternion *rotations, const double *vector,
                         fender_vec3 *angular_velocities, double *rates)
{
    const disturbance *d = ctx;
    const double *present = d->world->vector[0];
    (void)stage;
    (void)time; /* it stands */
    for (size_t k = 0; k < d->rotation_count; k++) angular_velocities[k] = (fender_vec3){0, 0, 0};
    for (size_t i = 0; i < d->vector_count; i++) rates[i] = 0;
    for (size_t k = 0; k < d->rotation_count; k++) {
        const fender_vec3 turn = turn_to(d, k, rotations[k]);
        add_column(d, 3 * k, turn.x, angular_velocities, rates);
        add_column(d, 3 * k + 1, turn.y, angular_velocities, rates);
        add_column(d, 3 * k + 2, turn.z, angular_velocities, rates);
    }
    const size_t bodies = 9 * d->rotation_count;
    for (size_t i = 0; i < (d->directions ? bodies : d->vector_count); i++)
        add_column(d, 3 * d->rotation_count + i, vector[i] - present[i], angular_velocities, rates);
    for (size_t k = 0; k < d->direction_count; k++) {
        const double *direction = d->directions + k * d->state_count;
        double along = 0;
        for (size_t i = 0; i < d->state_count; i++) along += direction[i] * (vector[bodies + i] - present[bodies + i]);
        add_column(d, body_columns(d) + k, along, angular_velocities, rates);
    }
    return true;
}

static void kinematics_around(void *ctx, const fender_quaternion *rotations, const double *vector,
                              fender_vec3 *angular_velocities, double *rates)
{
    const disturbance *d = ctx;
    const fnd_ode *ode = &d->world->ode;
    const size_t first = (size_t)ode->position_count, behind = first + (size_t)ode->momentum_count;
    ode->kinematics(ode->ctx, rotations, vector, angular_velocities, rates);
    for (size_t k = 0; k < d->rotation_count; k++)
        angular_velocities[k] = fender_vec3_sub(angular_velocities[k], d->turning[k]);
    for (size_t i = 0; i < d->vector_count; i++)
        if (i < first || i >= behind) rates[i] -= d->rates[i];
}

static void drift_around(void *ctx, double h, const fender_quaternion *rotations, const double *vector,
                         fender_quaternion *new_rotations, double *new_vector)
{
    const disturbance *d = ctx;
    const fnd_ode *ode = &d->world->ode;
    ode->drift(ode->ctx, h, rotations, vector, new_rotations, new_vector);
    for (size_t k = 0; k < d->rotation_count; k++)
        new_rotations[k] = fnd_quaternion_rotated(fender_vec3_scale(-h, d->turning[k]), new_rotations[k]);
    for (size_t i = 0; i < (size_t)ode->position_count; i++) new_vector[i] -= h * d->rates[i];
}

/* One step of the disturbance; how much it has grown; negative: no memory. */
static double follow(disturbance *d, double h)
{
    fender_world *world = d->world;
    const fnd_ode *ode = &world->ode;
    const fnd_ode around = {.rotation_count = ode->rotation_count,
                            .position_count = ode->position_count,
                            .momentum_count = ode->momentum_count,
                            .state_count = ode->state_count,
                            .ctx = d,
                            .rates = rates_around,
                            .kinematics = kinematics_around,
                            .drift = drift_around};
    for (size_t i = 0; i < d->vector_count; i++)
        d->start[i] = world->vector[0][i] + d->size * d->scale[i] * d->vector[i];
    for (size_t k = 0; k < d->rotation_count; k++)
        d->turned_start[k] = fnd_quaternion_rotated(fender_vec3_scale(d->size / d->radius[k], d->turns[k]),
                                                    world->rotations[0][k]);
    prepare(world);
    if (!world->method->step(world->method, &around, &world->workspace, world->time, h, d->turned_start, d->start,
                             d->turned_end, d->end))
        return -1;
    for (size_t i = 0; i < d->vector_count; i++)
        d->vector[i] = (d->end[i] - world->vector[0][i]) / (d->size * d->scale[i]);
    for (size_t k = 0; k < d->rotation_count; k++)
        d->turns[k] = fender_vec3_scale(d->radius[k] / d->size, turn_to(d, k, d->turned_end[k]));
    return normalize(d);
}

/* Marsaglia's xorshift; within half of 1 on both sides. */
static double next_of(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return (double)(*random >> 11) / 9007199254740992.0 - 0.5;
}

/* How much disturbances grow in a step of that length, in the long run, after so many; negative: no memory. */
static double growth(disturbance *d, double h, int rounds)
{
    assert(rounds > 0);
    set_scales(d, h);
    uint64_t random = 88172645463325252u; /* any direction that has a part of all modes */
    for (size_t i = 0; i < d->vector_count; i++) d->vector[i] = next_of(&random);
    for (size_t k = 0; k < d->rotation_count; k++) {
        d->turns[k].x = next_of(&random);
        d->turns[k].y = next_of(&random);
        d->turns[k].z = next_of(&random);
    }
    (void)normalize(d);
    double sum = 0;
    for (int i = 0; i < rounds; i++) {
        const double grown = follow(d, h);
        if (grown < 0) return -1;
        if (!isfinite(grown)) return INFINITY;
        if (!(grown > 1e-12)) return 0; /* it is gone */
        if (2 * i >= rounds) sum += fnd_logarithm(grown);
    }
    return fnd_exponential(2 * sum / rounds);
}

typedef enum verdict { STABLE, GROWS, NO_MEMORY } verdict;

/* A physical instability, such as a toppling body, grows equally in two half steps and one full step. */
static verdict judge(disturbance *d, double h)
{
    const double whole = growth(d, h, ROUNDS);
    if (whole < 0) return NO_MEMORY;
    if (!(whole > LEAST)) return STABLE;
    if (whole > MOST) return GROWS;
    const double half = growth(d, 0.5 * h, 2 * ROUNDS);
    if (half < 0) return NO_MEMORY;
    return half * half > 1 && fnd_logarithm(whole) < SAME * 2 * fnd_logarithm(half) ? STABLE : GROWS;
}

static bool search(disturbance *d, double h, double *longest)
{
    double low = 0, high = INFINITY;
    for (int i = 0; i < DOUBLINGS + HALVINGS; i++) {
        const bool found = low > 0 && high < INFINITY;
        if (!found && i >= DOUBLINGS) break;
        if (found) h = sqrt(low * high);
        const verdict now = judge(d, h);
        if (now == NO_MEMORY) return false;
        if (now == GROWS) high = h, h *= 0.25;
        else low = h, h *= 4;
    }
    *longest = high < INFINITY ? MARGIN * low : INFINITY;
    return true;
}

fender_status fnd_inner_world_stable_step(fender_world *world, double *longest, fender_error *error)
{
    if (!longest) return fnd_fail(error, FENDER_STATUS_ARGUMENT, "longest", "nowhere to put the step", "", "", "");
    fender_status status = fnd_world_ready(world, error);
    if (status) return status;
    *longest = INFINITY;
    fnd_world_settle(world);
    if (world->method->error_count > 0 || world->method->foreign_size > 0 || world->dynamics.dynamic_count == 0)
        return FENDER_STATUS_OK;
    if ((status = fnd_world_refresh(world, error))) return status;
    disturbance d = {0};
    bool good = create(&d, world);
    if (good) {
        good = linearize(&d) && search(&d, world->def.step, longest);
        fnd_release(&world->env, d.slopes, (size_t)d.slope_capacity * sizeof(slope));
        fnd_release(&world->env, d.block, d.block_size);
        world->dynamics.committed_fresh = world->dynamics.frames_committed = false;
    }
    if (!good) return fnd_fail_memory(error, "a search for the stable step");
    return fnd_world_refresh(world, error);
}
